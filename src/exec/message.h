/* SPDX-License-Identifier: MIT
 *
 * Messages: memory instructions, decoded once into where they go, which addresses they form and
 * how elements in memory and in registers correspond. The prepare functions (message*.c) fill
 * the descriptor, a few routines (exec_load_store.c, exec_atomic.c, exec_block.c, exec_typed.c)
 * execute every kind from it. Source: 5_operands, Raw Operands; each instruction's page. */
#ifndef VISAGE_EXEC_MESSAGE_H
#define VISAGE_EXEC_MESSAGE_H

#include <string.h>

#include "exec/build.h"
#include "exec/lanes.h"
#include "exec/thread.h"

/* What `ss` address parts call the thread's scratch (spec dialect 5.4): r0.5 >> 4, so that r0.5
 * is 16 times this. */
enum { VSG_EXE_SCRATCH_HANDLE = 0x40 };

/* Bits of an address in SLM that count. Compilers give pointers to SLM a bit above its size, so
 * that one to byte 0 is not null; the hardware does not look at it (IGC,
 * VALID_LOCAL_HIGH_BITS).
 */
enum { VSG_EXE_SLM_ADDRESS_BITS = 0x0fffffff };

/* Where a message goes. */
typedef enum vsg_exe_target {
    VSG_EXE_TARGET_FLAT,    /* addresses are device addresses */
    VSG_EXE_TARGET_SLM,     /* bytes of the group's shared local memory */
    VSG_EXE_TARGET_SCRATCH, /* bytes of the thread's scratch */
    VSG_EXE_TARGET_ARG,     /* bytes behind r0.0 there: implicit arguments */
    VSG_EXE_TARGET_ENTRY,   /* binding-table entry `entry` */
    VSG_EXE_TARGET_SURFACE, /* the binding-table entry in element `entry` of the surfaces */
    VSG_EXE_TARGET_VALUE,   /* the binding-table entry that scalar `surface` gives */
    VSG_EXE_TARGET_STATE,   /* the surface state whose handle scalar `surface` gives */
    VSG_EXE_TARGET_BINDLESS /* that whose handle is in element `entry` of the surfaces */
} vsg_exe_target;

/* How an element in memory and its slot in the registers correspond. Narrow loads fill the
 * slot with zeros, narrow stores leave the rest of it out. */
typedef enum vsg_exe_copy {
    VSG_EXE_COPY_1,
    VSG_EXE_COPY_2,
    VSG_EXE_COPY_4,
    VSG_EXE_COPY_8,
    VSG_EXE_COPY_1_IN_4,
    VSG_EXE_COPY_2_IN_4,
    VSG_EXE_COPY_2_HIGH_IN_4
} vsg_exe_copy;

typedef enum vsg_exe_atomic {
    VSG_EXE_ATOMIC_LOAD,
    VSG_EXE_ATOMIC_EXCHANGE,
    VSG_EXE_ATOMIC_ADD,
    VSG_EXE_ATOMIC_SUB,
    VSG_EXE_ATOMIC_REVERSED_SUB, /* of raw sends: the value minus what is there */
    VSG_EXE_ATOMIC_INC,
    VSG_EXE_ATOMIC_DEC,
    VSG_EXE_ATOMIC_PREDEC, /* gives the new value, all others the old one */
    VSG_EXE_ATOMIC_UMIN,
    VSG_EXE_ATOMIC_UMAX,
    VSG_EXE_ATOMIC_SMIN,
    VSG_EXE_ATOMIC_SMAX,
    VSG_EXE_ATOMIC_AND,
    VSG_EXE_ATOMIC_OR,
    VSG_EXE_ATOMIC_XOR,
    VSG_EXE_ATOMIC_CAS,
    VSG_EXE_ATOMIC_FADD,
    VSG_EXE_ATOMIC_FSUB,
    VSG_EXE_ATOMIC_FMIN,
    VSG_EXE_ATOMIC_FMAX,
    VSG_EXE_ATOMIC_FCAS
} vsg_exe_atomic;

/* A scalar operand (5_operands, Scalar Operands): a number, or read when the message runs. */
typedef struct vsg_exe_scalar {
    bool is_constant;
    int64_t value;
    vsg_exe_operand operand;
} vsg_exe_scalar;

/* A 2-D block of lsc_load_block2d and lsc_store_block2d. */
typedef struct vsg_exe_block2d {
    vsg_exe_scalar base, width, height, pitch, x, y; /* sizes in bytes, rows, bytes; minus 1 */
    uint32_t num_blocks, block_width, block_height;  /* elements */
    bool transposed, vnni;
    uint32_t row_elements;   /* registers from one row of a block to the next */
    uint32_t block_elements; /* registers from one block to the next */
} vsg_exe_block2d;

/* A block of media_ld and media_st. */
typedef struct vsg_exe_media {
    vsg_exe_scalar x, y;    /* bytes, rows */
    uint32_t width, height; /* bytes, rows */
    uint32_t row_bytes;     /* registers from one row to the next */
    uint32_t field, stride; /* of interleaved surfaces: first row, rows to the next one */
} vsg_exe_media;

typedef enum vsg_exe_parameter {
#define PARAMETER(id) VSG_EXE_PARAMETER_##id,
#include "isa/parameters.def"
#undef PARAMETER
    VSG_EXE_PARAMETER_COUNT
} vsg_exe_parameter;

typedef enum vsg_exe_sampling_action {
    VSG_EXE_SAMPLING_SAMPLE,
    VSG_EXE_SAMPLING_GATHER,
    VSG_EXE_SAMPLING_LOAD,
    VSG_EXE_SAMPLING_MCS,
    VSG_EXE_SAMPLING_LOD
} vsg_exe_sampling_action;

typedef enum vsg_exe_sampling_lod {
    VSG_EXE_SAMPLING_ZERO,
    VSG_EXE_SAMPLING_GIVEN,
    VSG_EXE_SAMPLING_GRADIENT,
    VSG_EXE_SAMPLING_QUAD
} vsg_exe_sampling_lod;

/* A message to the sampler. */
typedef struct vsg_exe_sampling {
    uint8_t action;          /* vsg_exe_sampling_action */
    uint8_t lod;             /* vsg_exe_sampling_lod */
    uint8_t parameter_bytes; /* 2, 4 */
    uint8_t component;       /* gather: which one, 0 R to 3 A */
    bool compares;
    bool null_mask;        /* a register with a bit a channel follows the data */
    uint32_t sampler;      /* element of the samplers */
    bool is_bindless;      /* which has a sampler state's handle */
    bool is_number;        /* raw sends: `sampler` is a sampler's index itself */
    vsg_exe_scalar offset; /* aoffimmi */
    vsg_exe_operand parameters[VSG_EXE_PARAMETER_COUNT];
    vsg_exe_scalar start[2], step[2]; /* sample_unorm: u and v */
    bool unorm_bytes;                 /* sample_unorm: 8 bits, not 16 */
    bool unorm_halves;                /* sample_unorm: even pixels only of R and B */
} vsg_exe_sampling;

/* A row of isa/sampling.def. SKIP: a parameter without meaning, or none. */
enum { VSG_EXE_MOST_PARAMETERS = 12 };
typedef struct vsg_exe_sampling_row {
    bool known;
    uint8_t action, lod;                         /* vsg_exe_sampling_action, _lod */
    uint8_t parameters[VSG_EXE_MOST_PARAMETERS]; /* vsg_exe_parameter */
} vsg_exe_sampling_row;

/* Where parameters of 16 bits have an order of their own, this is it. */
const vsg_exe_sampling_row *vsg_exe_sampling_of(visage_op op, uint32_t parameter_bytes);

struct vsg_exe_message {
    const vsg_exe_lanes *lanes;
    uint8_t target;         /* vsg_exe_target */
    uint8_t address_bytes;  /* of an address in the registers: 2, 4, 8 */
    uint8_t memory_bytes;   /* of an element in memory */
    uint8_t register_bytes; /* of an element's slot in the registers */
    uint8_t copy;           /* vsg_exe_copy */
    uint8_t num_elements;   /* of each channel */
    uint8_t atomic;         /* vsg_exe_atomic */
    bool narrow;            /* addresses are 32 bits and wrap */
    bool strided;           /* channel n: the one address + n * stride */
    bool is_block;          /* one channel, the same bytes in memory and registers */
    uint32_t entry;         /* TARGET_ENTRY, TARGET_SURFACE, TARGET_BINDLESS */
    uint32_t pitch_bytes;   /* registers from one element of a channel to its next */
    uint32_t span_bytes;    /* memory from a channel's address to the end of its last element */
    uint32_t scale;
    int64_t offset;             /* address = scale * (base + element) + offset + n * stride */
    const uint16_t *element_at; /* memory bytes from a channel's address to each element */
    vsg_exe_scalar surface, base, stride;
    vsg_exe_operand address;   /* raw; null: every channel's element is 0 */
    vsg_exe_operand data;      /* raw: what a load or atomic writes, what a store reads */
    vsg_exe_operand value;     /* raw: source of an atomic, the new value of a CAS */
    vsg_exe_operand comparand; /* raw: CAS */
    const vsg_exe_operand *coordinates; /* typed: raw u, v, r, lod */
    uint8_t channels[4];                /* typed: channel of each element, 0 R to 3 A */
    bool goes_along;                    /* eight channels at a time (texel_lanes.h) */
    const vsg_exe_block2d *block;
    const vsg_exe_media *media;
    const struct vsg_exe_send *send;     /* raw sends not decoded yet (message_raw.c) */
    const struct vsg_exe_pixels *pixels; /* render-target writes (exec_output.c) */
    const vsg_exe_sampling *sampling;
};

/* ---- making messages (message.c, message_lsc.c) ------------------------------------------ */

/* A message without operands, which becomes that of `out`. NULL when memory is out or the
 * instruction has no execution size; that is reported. */
vsg_exe_message *vsg_exe_message_new(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                     vsg_exe_inst *out);

/* Decodes the scalar operand called `name`. A missing or null one is 0. */
bool vsg_exe_message_scalar(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                            const char *name, vsg_exe_scalar *out);

/* A message without operands. */
void vsg_exe_message_clear(vsg_exe_message *message);

/* As the next, with memory for the elements' places, which is kept. */
void vsg_exe_message_place(vsg_exe_message *message, uint16_t *at, uint32_t memory_bytes,
                           uint32_t register_bytes, uint32_t num_elements, uint32_t mask);

/* Makes the one channel's slots follow each other as its elements do. */
void vsg_exe_message_transpose(vsg_exe_message *message);

/* What a sub-operation of LSC_UNTYPED does; false for one that is no atomic. */
bool vsg_exe_lsc_find_atomic(uint32_t sub, vsg_exe_atomic *operation);

/* Elements of `memory_bytes` in slots of `register_bytes`, `num_elements` of them behind each
 * other in memory, or where mask is not 0 those of four that it has a bit for. */
bool vsg_exe_message_elements(vsg_exe_builder *builder, vsg_exe_message *message,
                              uint32_t memory_bytes, uint32_t register_bytes,
                              uint32_t num_elements, uint32_t mask);

/* Registers that each element gets where those of all channels fill whole GRFs. */
uint32_t vsg_exe_message_grf_pitch(const vsg_exe_builder *builder,
                                   const vsg_exe_message *message, uint32_t exec_size);

/* The raw operand called `name`, of which `bytes` are read or written: no more than
 * isa/extents.def says. */
bool vsg_exe_message_raw(vsg_exe_builder *builder, const vsg_obj_inst *inst, const char *name,
                         uint32_t bytes, vsg_exe_operand *out);

/* The raw operand called `name`, of which the message's elements for exec_size channels are
 * read or written. */
bool vsg_exe_message_data(vsg_exe_builder *builder, const vsg_obj_inst *inst, const char *name,
                          const vsg_exe_message *message, uint32_t exec_size,
                          vsg_exe_operand *out);

/* The raw operand called `name` with `count` addresses. */
bool vsg_exe_message_address(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                             const char *name, uint32_t address_bytes, uint32_t count,
                             vsg_exe_message *message);

/* The four raw coordinates of a typed message. */
bool vsg_exe_message_coordinates(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                 uint32_t address_bytes, vsg_exe_message *message);

/* Sets channels, elements and pitch of a typed message from its channel mask. */
bool vsg_exe_message_texel(vsg_exe_builder *builder, const vsg_obj_inst *inst, uint32_t mask,
                           vsg_exe_message *message);

/* The operand `surface` of the instructions before LSC. */
bool vsg_exe_message_surface(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                             vsg_exe_message *message);

/* The least power of two that is not below `value`, which is at most 2^31. */
static inline uint32_t vsg_exe_power_of_two(uint32_t value)
{
    uint32_t power = 1;

    while (power < value)
        power *= 2;
    return power;
}

/* Is it to the group's shared local memory? (address.c) */
bool vsg_exe_is_slm(const vsg_exe_message *message);

/* ---- executing them (address.c) ---------------------------------------------------------- */

typedef enum vsg_exe_access {
    VSG_EXE_ACCESS_READ,
    VSG_EXE_ACCESS_WRITE,
    VSG_EXE_ACCESS_ATOMIC
} vsg_exe_access;

/* The memory that one execution of a message may reach. */
typedef struct vsg_exe_window {
    const vsg_exe_space *space; /* flat memory; NULL: `size_bytes` from address 0 on */
    uint64_t size_bytes;
    uint64_t host;    /* host address of address 0 */
    uint64_t shown;   /* what reports add to an address */
    uint64_t ignored; /* bits of an address that mean nothing */
    bool is_slm;
    bool drops;                 /* writes outside do nothing */
    uint64_t zero_bytes;        /* behind the end, which are read as 0; */
    uint64_t zero_before_bytes; /* and before address 0, in 32 bits */
} vsg_exe_window;

/* Finds the memory of a message. False: a fault was raised. */
bool vsg_exe_open(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                  const vsg_exe_message *message, vsg_exe_window *out);

/* The binding-table entry a message names, for what only entries can have. False: a fault was
 * raised. */
bool vsg_exe_find_entry(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_message *message, uint64_t *out);

/* The state of a handle; NULL: there is none. */
const vsg_exe_state *vsg_exe_find_state(const vsg_exe_launch *launch, bool is_sampler,
                                        uint32_t handle);

/* The surface of a message, which must be an image; NULL: a fault was raised. */
const vsg_exe_surface *vsg_exe_open_image(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                          const vsg_exe_message *message);

/* Host address of `size_bytes` (1 to 4096) at `address`; 0 where they are not all inside. */
static inline uint64_t vsg_exe_window_at(const vsg_exe_window *window, uint64_t address,
                                         uint64_t size_bytes)
{
    if (window->space)
        return (uint64_t)(uintptr_t)vsg_exe_space_at(window->space, address, size_bytes);
    address &= ~window->ignored;
    if (address >= window->size_bytes || window->size_bytes - address < size_bytes)
        return 0;
    return window->host + address;
}

/* The same of any size; 0 may also mean that it is too large to be looked at as a whole. */
uint64_t vsg_exe_window_range(const vsg_exe_window *window, uint64_t address,
                              uint64_t size_bytes);

/* Is an element that is not inside read as 0? */
static inline bool vsg_exe_window_reads_zero(const vsg_exe_window *window, uint64_t address)
{
    uint64_t before = (uint64_t)UINT32_MAX + 1 - address;

    return (window->zero_bytes > 0 && (address < window->size_bytes ||
                                       address - window->size_bytes < window->zero_bytes)) ||
           before - 1 < window->zero_before_bytes;
}

/* May the element be outside, those before it being inside? It is read as 0 then. The compiler
 * joins loads from one place to blocks and rounds their sizes up: for 25 floats it may read 40,
 * which GPUs let pass. */
static inline bool vsg_exe_pads(const vsg_exe_message *message, const vsg_exe_window *window,
                                vsg_exe_access access, uint32_t element)
{
    return message->is_block && access == VSG_EXE_ACCESS_READ && !window->is_slm && element > 0;
}

/* How many bytes of an element to read are inside, its first one among them. Where a message is
 * of no channel the others are 0: of bytes in one place the compiler reads the dword that they
 * are in, which a buffer may end in. */
static inline uint32_t vsg_exe_begun(const vsg_exe_window *window, uint64_t address,
                                     uint32_t bytes)
{
    uint32_t inside = 0;

    while (!window->is_slm && inside < bytes && vsg_exe_window_at(window, address + inside, 1))
        inside++;
    return inside;
}

bool vsg_exe_scalar_read(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_scalar *scalar, int64_t *out);

/* The address of each channel, whatever its mask, in the memory that vsg_exe_open() found.
 * False: a fault was raised. */
bool vsg_exe_addresses(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_window *window, uint64_t *out);

/* Of an element at `at` bytes from a channel's address. */
static inline uint64_t vsg_exe_element_address(const vsg_exe_message *message, uint64_t address,
                                               uint32_t at)
{
    return message->narrow ? (uint32_t)(address + at) : address + at;
}

/* What channels load or store, as memory has it: element v of channel n at rows + v *
 * pitch_bytes + n * memory_bytes. Their addresses are those of vsg_exe_addresses(). */
typedef struct vsg_exe_elements {
    const uint64_t *addresses; /* VSG_EXE_MAX_CHANNELS */
    uint8_t *rows;
    uint32_t pitch_bytes, channels;
} vsg_exe_elements;

/* Moves them one after the other, in the order of the channels; where one is outside its fault
 * is raised, and no more are moved. (exec_load_store.c) */
void vsg_exe_move_elements(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                           vsg_exe_access access, const vsg_exe_elements *elements);

/* Faults for an access of the message's element outside its memory, or at an address that is
 * not aligned to it. n: of the instruction's channels; reported unless the access is no
 * channel's, as that of (M1_NM, 1) is not. */
void vsg_exe_outside(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                     const vsg_exe_window *window, vsg_exe_access access, uint32_t n,
                     uint64_t address);
void vsg_exe_unaligned(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n,
                       uint64_t address);

/* A fault that only a text describes. text: static. */
void vsg_exe_message_fault(vsg_exe_thread *thread, const vsg_exe_inst *inst, const char *text);

/* Reads the sources of an atomic, all before anything is written since registers may overlap,
 * and readies the host's floating-point unit for it. */
void vsg_exe_atomic_sources(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint64_t *values,
                            uint64_t *comparands);

/* One atomic operation on `bytes` (2, 4, 8) at a host address aligned to them. Gives what the
 * operation returns, zero-extended. alone: no other host thread sees the memory. */
uint64_t vsg_exe_atomic_run(vsg_exe_atomic operation, uint32_t bytes, uint64_t host,
                            uint64_t value, uint64_t comparand, bool alone);

/* All channels of the instruction. */
static inline uint32_t vsg_exe_all_channels(const vsg_exe_inst *inst)
{
    return UINT32_MAX >> (VSG_EXE_MAX_CHANNELS - inst->exec_size);
}

/* ---- elements ---------------------------------------------------------------------------- */

typedef uint16_t __attribute__((may_alias)) vsg_exe_word16;
typedef uint32_t __attribute__((may_alias)) vsg_exe_word32;
typedef uint64_t __attribute__((may_alias)) vsg_exe_word64;

/* An element of memory, zero-extended. Threads may race for it as far as the host is concerned:
 * an aligned one is read or written at once. */
static inline uint64_t vsg_exe_peek(uint64_t host, uint32_t bytes)
{
    const void *at = (const void *)(uintptr_t)host;
    uint64_t value = 0;

    if (host & (bytes - 1)) {
        memcpy(&value, at, bytes);
        return value;
    }
    switch (bytes) {
    case 1:
        return __atomic_load_n((const uint8_t *)at, __ATOMIC_RELAXED);
    case 2:
        return __atomic_load_n((const vsg_exe_word16 *)at, __ATOMIC_RELAXED);
    case 4:
        return __atomic_load_n((const vsg_exe_word32 *)at, __ATOMIC_RELAXED);
    default:
        return __atomic_load_n((const vsg_exe_word64 *)at, __ATOMIC_RELAXED);
    }
}

static inline void vsg_exe_poke(uint64_t host, uint32_t bytes, uint64_t value)
{
    void *at = (void *)(uintptr_t)host;

    if (host & (bytes - 1)) {
        memcpy(at, &value, bytes);
        return;
    }
    switch (bytes) {
    case 1:
        __atomic_store_n((uint8_t *)at, (uint8_t)value, __ATOMIC_RELAXED);
        break;
    case 2:
        __atomic_store_n((vsg_exe_word16 *)at, (uint16_t)value, __ATOMIC_RELAXED);
        break;
    case 4:
        __atomic_store_n((vsg_exe_word32 *)at, (uint32_t)value, __ATOMIC_RELAXED);
        break;
    default:
        __atomic_store_n((vsg_exe_word64 *)at, value, __ATOMIC_RELAXED);
        break;
    }
}

/* A slot of the registers from and to an element, as message->copy says. */
static inline uint64_t vsg_exe_slot_read(const uint8_t *slot, const vsg_exe_message *message)
{
    uint64_t value = 0;

    if (message->copy == VSG_EXE_COPY_2_HIGH_IN_4)
        slot += 2;
    memcpy(&value, slot, message->memory_bytes);
    return value;
}

static inline void vsg_exe_slot_write(uint8_t *slot, const vsg_exe_message *message,
                                      uint64_t value)
{
    if (message->copy == VSG_EXE_COPY_2_HIGH_IN_4)
        value <<= 16;
    memcpy(slot, &value, message->register_bytes);
}

#endif
