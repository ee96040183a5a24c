/* SPDX-License-Identifier: MIT
 *
 * Raw sends: the descriptor is decoded to the message it is (sends.def), which then runs like
 * the instructions that make such messages. A descriptor that is constant is decoded once, one
 * in a register each time. What is not known faults. Parts of a data-port descriptor:
 *
 *     28  25 24   20  19  18  14 13          8 7            0
 *     sent  |returned|head|type |of the message|binding table
 *
 * and of an LSC one:
 *
 *     30 29 28  25 24   20 19 17 15 14  12 11  9 8  7 5    0
 *     model|sent  |returned|cache|T |vector|data|addr|opcode
 *
 * Source: see sends.def; RAW_SEND, RAW_SENDS. */
#include "exec/handlers.h"
#include "exec/message.h"
#include "exec/operand.h"
#include "exec/sends.h"
#include "isa/lsc.h"
#include "object/extent.h"

/* The instruction: operands as they are in the text. */
typedef struct vsg_exe_send {
    visage_platform platform;
    uint32_t grf_bytes;
    uint32_t function; /* of raw_sends; raw_send has it in the extended descriptor */
    bool in_descriptor;
    bool ends; /* the thread, behind the message */
    vsg_exe_scalar descriptor, extended;
    vsg_exe_operand source[2], dst;
    uint32_t grfs[2], dst_grfs;
} vsg_exe_send;

enum { MOST_ELEMENTS = 64 };

/* A message in the making, with what it points to. */
typedef struct plan {
    const vsg_exe_send *send;
    vsg_exe_thread *thread; /* that runs it; NULL: it is only prepared */
    uint32_t descriptor, extended, function;
    vsg_exe_inst inst;
    vsg_exe_message message;
    uint16_t at[MOST_ELEMENTS];
    vsg_exe_block2d block;
    vsg_exe_media media;
    vsg_exe_operand coordinates[4];
    uint32_t taken; /* registers of the payload */
    bool ends;
    const char *why; /* it cannot be executed */
} plan;

typedef struct row {
    uint32_t function, mask, value;
    bool (*decode)(plan *, const struct row *);
    bool write;
    uint32_t bytes, address;
    visage_platform from;
} row;

static uint32_t field(uint32_t descriptor, uint32_t from, uint32_t to)
{
    return descriptor >> from & ((2u << (to - from)) - 1);
}

static bool refuse(plan *p, const char *why)
{
    p->why = why;
    return false;
}

/* ---- payload ----------------------------------------------------------------------------- */

static uint32_t grfs_of(const plan *p, uint32_t bytes)
{
    return (bytes + p->send->grf_bytes - 1) / p->send->grf_bytes;
}

/* The next registers of the payload, whose second half follows the first. */
static bool take(plan *p, uint32_t grfs, vsg_exe_operand *out)
{
    const vsg_exe_send *send = p->send;
    uint32_t half = p->taken >= send->grfs[0];
    uint32_t first = half ? p->taken - send->grfs[0] : p->taken;

    if (first + grfs > send->grfs[half])
        return refuse(p, "its payload has too few registers");
    if (send->source[half].is_null)
        return refuse(p, "a part of its payload is null");
    *out = send->source[half];
    out->offset += first * send->grf_bytes;
    p->taken += grfs;
    return true;
}

/* The header, where the descriptor says that there is one. */
static bool take_header(plan *p, bool is_needed, vsg_exe_operand *out)
{
    if (field(p->descriptor, 19, 19))
        return take(p, 1, out);
    return is_needed ? refuse(p, "it has no header") : true;
}

static bool take_addresses(plan *p, uint32_t bytes, uint32_t simd)
{
    p->message.address_bytes = (uint8_t)bytes;
    p->message.narrow = bytes < 8;
    return take(p, grfs_of(p, bytes * simd), &p->message.address);
}

/* What a load or an atomic returns, or a store sends. */
static bool take_data(plan *p, bool write, uint32_t bytes)
{
    uint32_t grfs = grfs_of(p, bytes);

    if (write)
        return take(p, grfs, &p->message.data);
    if (!p->send->dst.is_null && grfs > p->send->dst_grfs)
        return refuse(p, "its response has too few registers");
    p->message.data = p->send->dst;
    return true;
}

/* ---- parts ------------------------------------------------------------------------------- */

static void set_table(plan *p)
{
    p->message.target = VSG_EXE_TARGET_ENTRY;
    p->message.entry = field(p->descriptor, 0, 7);
}

static void set_elements(plan *p, uint32_t memory, uint32_t slot, uint32_t count, uint32_t mask)
{
    vsg_exe_message_place(&p->message, p->at, memory, slot, count, mask);
    p->message.element_at = p->at;
}

/* The channels of the payload; the instruction may have fewer. */
static void set_channels(plan *p, uint32_t simd)
{
    if (p->inst.exec_size > simd)
        p->inst.exec_size = (uint8_t)simd;
    p->message.pitch_bytes = grfs_of(p, simd * p->message.register_bytes) * p->send->grf_bytes;
}

/* SIMD8 and SIMD16 of the old register size. */
static uint32_t simd_of(const plan *p, bool is_double)
{
    return (is_double ? 16u : 8u) * p->send->grf_bytes / 32;
}

static bool move_slots(plan *p, const row *r, uint32_t simd)
{
    set_channels(p, simd);
    p->inst.handler = r->write ? vsg_exe_do_store : vsg_exe_do_load;
    return take_data(p, r->write, p->message.num_elements * p->message.pitch_bytes);
}

/* A block of `count` dwords at one place: channel enables are ignored. */
static bool move_block(plan *p, const row *r, uint32_t count)
{
    set_elements(p, 4, 4, count, 0);
    p->message.pitch_bytes = 4;
    p->message.is_block = true;
    p->inst.exec_size = 1;
    p->inst.no_mask = true;
    p->inst.handler = r->write ? vsg_exe_do_store : vsg_exe_do_load;
    return take_data(p, r->write, 4 * count);
}

/* A dword of a payload that shapes the message, so that this is known when it runs only. False:
 * not known yet. */
static bool read_payload(plan *p, const vsg_exe_operand *payload, uint32_t dword, uint32_t *out)
{
    if (!p->thread)
        return refuse(p, "its shape is in its payload");
    memcpy(out, vsg_exe_raw_at(p->thread, payload) + 4 * (size_t)dword, sizeof *out);
    return true;
}

static vsg_exe_scalar scalar_at(const vsg_exe_operand *header, uint32_t dword, visage_type type)
{
    vsg_exe_scalar scalar = {.operand = *header};

    scalar.operand.offset += 4 * dword;
    scalar.operand.type = (uint8_t)type;
    scalar.operand.bytes = type == VISAGE_TYPE_UQ ? 8 : 4;
    scalar.operand.shape = VSG_EXE_SHAPE_SCALAR;
    return scalar;
}

/* Bits 8 to 10: 1, 1 in the upper half of its register, 2, 4, 8, 16. */
static bool move_owords(plan *p, const row *r)
{
    static const uint8_t counts[8] = {1, 1, 2, 4, 8, 16, 0, 0};
    uint32_t code = field(p->descriptor, 8, 10);

    if (counts[code] == 0)
        return refuse(p, "its number of owords is not defined");
    if (!move_block(p, r, 4u * counts[code]))
        return false;
    if (code == 1)
        p->message.data.offset += 16;
    return true;
}

/* ---- data ports -------------------------------------------------------------------------- */

static bool decode_nothing(plan *p, const row *r)
{
    (void)r;
    p->inst.handler = vsg_exe_do_nothing;
    return p->ends || refuse(p, "it does not end the thread");
}

static bool decode_fence(plan *p, const row *r)
{
    (void)r;
    p->inst.handler = vsg_exe_do_fence;
    return true;
}

/* The signal alone; the other half of the barrier is an instruction of its own. */
static bool decode_barrier(plan *p, const row *r)
{
    (void)r;
    p->inst.handler = vsg_exe_do_sbarrier_signal;
    return true;
}

static bool decode_oword(plan *p, const row *r)
{
    vsg_exe_operand header;

    set_table(p);
    p->message.narrow = true;
    p->message.scale = r->bytes;
    if (!take_header(p, true, &header))
        return false;
    p->message.base = scalar_at(&header, 2, VISAGE_TYPE_UD);
    return move_owords(p, r);
}

static bool decode_far_oword(plan *p, const row *r)
{
    vsg_exe_operand header;

    p->message.target = VSG_EXE_TARGET_FLAT;
    if (!take_header(p, true, &header))
        return false;
    p->message.base = scalar_at(&header, 0, VISAGE_TYPE_UQ);
    return move_owords(p, r);
}

static bool decode_far_hword(plan *p, const row *r)
{
    vsg_exe_operand header;
    uint32_t code = field(p->descriptor, 8, 10);

    p->message.target = VSG_EXE_TARGET_FLAT;
    if (code > 3)
        return refuse(p, "its number of hwords is not defined");
    if (!take_header(p, true, &header))
        return false;
    p->message.base = scalar_at(&header, 0, VISAGE_TYPE_UQ);
    return move_block(p, r, 8u << code);
}

/* Blocks of 32 bytes; their offset counts such. */
static bool decode_scratch(plan *p, const row *r)
{
    vsg_exe_operand header;

    p->message.target = VSG_EXE_TARGET_SCRATCH;
    p->message.base.value = (int64_t)field(p->descriptor, 0, 11) * 32;
    return take_header(p, true, &header) &&
           move_block(p, r, 8u << field(p->descriptor, 12, 13));
}

/* Offsets count dwords. */
static bool decode_dwords(plan *p, const row *r)
{
    vsg_exe_operand header;
    uint32_t simd = simd_of(p, field(p->descriptor, 8, 8));

    set_table(p);
    p->message.scale = 4;
    set_elements(p, 4, 4, 1, 0);
    return take_header(p, false, &header) && take_addresses(p, 4, simd) &&
           move_slots(p, r, simd);
}

/* Bits 10 and 11: 1, 2 or 4 bytes in a dword. */
static bool decode_bytes(plan *p, const row *r)
{
    vsg_exe_operand header;
    bool is_far = r->address == 8;
    uint32_t code = field(p->descriptor, 10, 11);
    uint32_t simd =
        simd_of(p, is_far ? field(p->descriptor, 12, 12) : field(p->descriptor, 8, 8));

    if (code > 2)
        return refuse(p, "its number of bytes is not defined");
    if (is_far)
        p->message.target = VSG_EXE_TARGET_FLAT;
    else
        set_table(p);
    set_elements(p, 1u << code, 4, 1, 0);
    return take_header(p, false, &header) && take_addresses(p, r->address, simd) &&
           move_slots(p, r, simd);
}

/* Bits 10 and 11: 1, 2, 4 or 8 elements at each address. */
static bool decode_vectors(plan *p, const row *r)
{
    vsg_exe_operand header;
    uint32_t simd = simd_of(p, field(p->descriptor, 12, 12));

    p->message.target = VSG_EXE_TARGET_FLAT;
    set_elements(p, r->bytes, r->bytes, 1u << field(p->descriptor, 10, 11), 0);
    return take_header(p, false, &header) && take_addresses(p, 8, simd) &&
           move_slots(p, r, simd);
}

static bool decode_qwords(plan *p, const row *r)
{
    vsg_exe_operand header;
    uint32_t simd = simd_of(p, field(p->descriptor, 8, 8));

    set_table(p);
    set_elements(p, 8, 8, 1u << field(p->descriptor, 10, 11), 0);
    return take_header(p, false, &header) && take_addresses(p, 4, simd) &&
           move_slots(p, r, simd);
}

/* Bits 8 to 11 turn channels off, 12 and 13 are the mode. */
static bool decode_untyped(plan *p, const row *r)
{
    vsg_exe_operand header;
    uint32_t mode = field(p->descriptor, 12, 13);
    uint32_t mask = ~field(p->descriptor, 8, 11) & 0xf;
    uint32_t simd = simd_of(p, mode == 1);

    if (mode != 1 && mode != 2)
        return refuse(p, "its SIMD mode is not defined");
    if (mask == 0)
        return refuse(p, "no channel is enabled");
    if (r->address == 8)
        p->message.target = VSG_EXE_TARGET_FLAT;
    else
        set_table(p);
    set_elements(p, 4, 4, 4, mask);
    return take_header(p, false, &header) && take_addresses(p, r->address, simd) &&
           move_slots(p, r, simd);
}

/* ---- atomics ----------------------------------------------------------------------------- */

typedef struct atomic_row {
    bool known;
    uint8_t operation, sources;
} atomic_row;

#define FUNCTION(number, from, to, text)
#define SEND(...)
#define INT_ATOMIC(code, operation, sources)                                                   \
    [code] = {true, VSG_EXE_ATOMIC_##operation, sources},
#define FLOAT_ATOMIC(code, operation, sources)
static const atomic_row int_atomics[16] = {
#include "exec/sends.def"
};

#define FUNCTION(number, from, to, text)
#define SEND(...)
#define INT_ATOMIC(code, operation, sources)
#define FLOAT_ATOMIC(code, operation, sources)                                                 \
    [code] = {true, VSG_EXE_ATOMIC_##operation, sources},
static const atomic_row float_atomics[16] = {
#include "exec/sends.def"
};

/* Sources, with the comparand first, and what is returned. */
static bool move_atomic(plan *p, const atomic_row *atomic, uint32_t simd, bool returns)
{
    uint32_t grfs;

    p->message.atomic = atomic->operation;
    p->inst.handler = vsg_exe_do_atomic;
    set_channels(p, simd);
    grfs = p->message.pitch_bytes / p->send->grf_bytes;
    if ((atomic->sources == 2 && !take(p, grfs, &p->message.comparand)) ||
        (atomic->sources >= 1 && !take(p, grfs, &p->message.value)))
        return false;
    return !returns || take_data(p, false, p->message.pitch_bytes);
}

static bool decode_atomic(plan *p, const row *r, const atomic_row *atomic, uint32_t simd)
{
    vsg_exe_operand header;

    if (!atomic->known)
        return refuse(p, "its atomic operation is not known");
    if (r->address == 8)
        p->message.target = VSG_EXE_TARGET_FLAT;
    else
        set_table(p);
    set_elements(p, r->bytes, r->bytes < 4 ? 4 : r->bytes, 1, 0);
    return take_header(p, false, &header) && take_addresses(p, r->address, simd) &&
           move_atomic(p, atomic, simd, field(p->descriptor, 13, 13));
}

/* Those with 64-bit addresses have a width in the bit of the mode. */
static bool decode_int_atomic(plan *p, const row *r)
{
    bool is_double = r->address == 4 && !field(p->descriptor, 12, 12);

    return decode_atomic(p, r, &int_atomics[field(p->descriptor, 8, 11)],
                         simd_of(p, is_double));
}

static bool decode_float_atomic(plan *p, const row *r)
{
    bool is_double = r->address == 4 && !field(p->descriptor, 12, 12);

    return decode_atomic(p, r, &float_atomics[field(p->descriptor, 8, 10)],
                         simd_of(p, is_double));
}

/* ---- images ------------------------------------------------------------------------------ */

/* u, v, r and the level, of which the last ones may be left out: as many as there are registers
 * but for those of data and sources. */
static bool take_coordinates(plan *p, uint32_t bytes, uint32_t simd, uint32_t other_grfs)
{
    uint32_t grfs = grfs_of(p, bytes * simd);
    uint32_t left = p->send->grfs[0] + p->send->grfs[1] - p->taken;

    if (left < grfs + other_grfs)
        return refuse(p, "its payload has too few registers");
    p->message.coordinates = p->coordinates;
    p->message.address_bytes = (uint8_t)bytes;
    for (uint32_t i = 0; i < 4; i++) {
        p->coordinates[i].is_null = true;
        if (left < grfs + other_grfs)
            continue;
        if (!take(p, grfs, &p->coordinates[i]))
            return false;
        left -= grfs;
    }
    return true;
}

static void set_texel(plan *p, uint32_t mask)
{
    uint32_t count = 0;

    set_elements(p, 4, 4, 4, mask);
    for (uint8_t c = 0; c < 4; c++)
        if (mask >> c & 1)
            p->message.channels[count++] = c;
}

/* Typed messages have half of the channels; which half of sixteen is in the descriptor. */
static uint32_t set_half(plan *p, bool is_upper)
{
    uint32_t simd = simd_of(p, false);

    if (is_upper && p->inst.exec_size > simd) {
        p->inst.exec_size = (uint8_t)(p->inst.exec_size - simd);
        p->inst.mask_offset = (uint8_t)(p->inst.mask_offset + simd);
    }
    return simd;
}

static bool move_texels(plan *p, const row *r, uint32_t mask, uint32_t simd, uint32_t bytes)
{
    if (mask == 0)
        return refuse(p, "no channel is enabled");
    set_texel(p, mask);
    set_channels(p, simd);
    uint32_t data = p->message.num_elements * p->message.pitch_bytes;
    if (!take_coordinates(p, bytes, simd, r->write ? grfs_of(p, data) : 0))
        return false;
    p->inst.handler = r->write ? vsg_exe_do_typed_store : vsg_exe_do_typed_load;
    return take_data(p, r->write, data);
}

/* Bits 8 to 11 turn channels off, 12 and 13 are the half. */
static bool decode_typed(plan *p, const row *r)
{
    vsg_exe_operand header;
    uint32_t half = field(p->descriptor, 12, 13);

    if (half != 1 && half != 2)
        return refuse(p, "its slot group is not defined");
    set_table(p);
    return take_header(p, false, &header) &&
           move_texels(p, r, ~field(p->descriptor, 8, 11) & 0xf, set_half(p, half == 2), 4);
}

static bool move_typed_atomic(plan *p, const atomic_row *atomic, uint32_t simd, uint32_t bytes,
                              bool returns)
{
    set_channels(p, simd);
    uint32_t sources = atomic->sources * (p->message.pitch_bytes / p->send->grf_bytes);
    if (!take_coordinates(p, bytes, simd, sources) || !move_atomic(p, atomic, simd, returns))
        return false;
    p->inst.handler = vsg_exe_do_typed_atomic;
    return true;
}

static bool decode_typed_atomic(plan *p, const row *r)
{
    const atomic_row *atomic = &int_atomics[field(p->descriptor, 8, 11)];
    vsg_exe_operand header;

    if (!atomic->known)
        return refuse(p, "its atomic operation is not known");
    set_table(p);
    set_elements(p, r->bytes, 4, 1, 0);
    return take_header(p, false, &header) &&
           move_typed_atomic(p, atomic, set_half(p, field(p->descriptor, 12, 12)), 4,
                             field(p->descriptor, 13, 13));
}

/* The header has the block's place and size; bits 8 to 10 choose a field of the image. */
static bool decode_media(plan *p, const row *r)
{
    uint32_t lines = field(p->descriptor, 8, 10);
    vsg_exe_operand header;
    uint32_t shape;

    set_table(p);
    if (lines != 0 && lines < 6)
        return refuse(p, "its line stride is not defined");
    if (!take_header(p, true, &header) || !read_payload(p, &header, 2, &shape))
        return false;
    p->media = (vsg_exe_media){.x = scalar_at(&header, 0, VISAGE_TYPE_UD),
                               .y = scalar_at(&header, 1, VISAGE_TYPE_UD),
                               .width = field(shape, 0, 5) + 1,
                               .height = field(shape, 16, 21) + 1,
                               .field = lines == 7,
                               .stride = lines ? 2 : 1};
    p->media.row_bytes = vsg_exe_power_of_two(p->media.width < 4 ? 4 : p->media.width);
    p->message.media = &p->media;
    p->inst.exec_size = 1;
    p->inst.no_mask = true;
    p->inst.handler = r->write ? vsg_exe_do_media_store : vsg_exe_do_media_load;
    return take_data(p, r->write, p->media.height * p->media.row_bytes);
}

/* ---- LSC --------------------------------------------------------------------------------- */

enum { FUNCTION_SLM = 14 };
enum { MODEL_FLAT, MODEL_BSS, MODEL_SS, MODEL_BTI };

/* A surface's number or state is in the extended descriptor. */
static bool set_model(plan *p)
{
    uint32_t model = field(p->descriptor, 29, 30);

    p->message.surface.value = model == MODEL_BTI ? p->extended >> 24 : p->extended & ~63u;
    if (model == MODEL_BTI)
        p->message.target = VSG_EXE_TARGET_VALUE;
    else if (model != MODEL_FLAT)
        p->message.target = VSG_EXE_TARGET_STATE;
    else if (p->function == FUNCTION_SLM)
        p->message.target = VSG_EXE_TARGET_SLM;
    else
        p->message.target = VSG_EXE_TARGET_FLAT;
    return model != MODEL_FLAT || p->extended >> 12 == 0 ||
           refuse(p, "its extended descriptor has an offset");
}

static bool take_lsc_addresses(plan *p)
{
    uint32_t size = field(p->descriptor, 7, 8);

    if (size == 0)
        return refuse(p, "its address size is not defined");
    return set_model(p) && take_addresses(p, 1u << size, p->inst.exec_size);
}

/* Elements from the descriptor's coding, which leaves out the first row of the tables. */
static bool set_lsc_elements(plan *p, uint32_t count, uint32_t mask)
{
    const vsg_isa_lsc_data_size *size =
        vsg_isa_lsc_data_size_of(field(p->descriptor, 9, 11) + 1);

    if (!size)
        return refuse(p, "its data size is not defined");
    set_elements(p, size->memory_bytes, size->register_bytes, count, mask);
    if (size->high)
        p->message.copy = VSG_EXE_COPY_2_HIGH_IN_4;
    return true;
}

static bool decode_lsc(plan *p, const row *r)
{
    bool is_transposed = field(p->descriptor, 15, 15);

    if (!take_lsc_addresses(p) ||
        !set_lsc_elements(p, vsg_isa_lsc_vector(field(p->descriptor, 12, 14) + 1), 0))
        return false;
    if (!is_transposed)
        return move_slots(p, r, p->inst.exec_size);
    if (p->inst.exec_size != 1)
        return refuse(p, "transposed data are for one channel");
    vsg_exe_message_transpose(&p->message);
    p->inst.handler = r->write ? vsg_exe_do_store : vsg_exe_do_load;
    return take_data(p, r->write, p->message.num_elements * p->message.pitch_bytes);
}

/* One address and behind it, in dword 2, what lies between two channels' data. */
static bool decode_lsc_strided(plan *p, const row *r)
{
    uint32_t size = field(p->descriptor, 7, 8);
    bool is_transposed = field(p->descriptor, 15, 15);

    if (size == 0)
        return refuse(p, "its address size is not defined");
    if (is_transposed && p->inst.exec_size != 1)
        return refuse(p, "transposed data are for one channel");
    if (!set_model(p) || !take_addresses(p, 1u << size, 1) ||
        !set_lsc_elements(p, vsg_isa_lsc_vector(field(p->descriptor, 12, 14) + 1), 0))
        return false;
    p->message.strided = true;
    p->message.stride = scalar_at(&p->message.address, 2, VISAGE_TYPE_UD);
    if (!is_transposed)
        return move_slots(p, r, p->inst.exec_size);
    vsg_exe_message_transpose(&p->message);
    p->inst.handler = r->write ? vsg_exe_do_store : vsg_exe_do_load;
    return take_data(p, r->write, p->message.num_elements * p->message.pitch_bytes);
}

static bool set_block(plan *p, const row *r, const vsg_exe_operand *at, uint32_t bytes)
{
    uint32_t shape;

    if (!read_payload(p, at, 7, &shape))
        return false;
    vsg_obj_block block = {.num_blocks = field(shape, 16, 19) + 1,
                           .width = field(shape, 0, 7) + 1,
                           .height = field(shape, 8, 15) + 1,
                           .element_bytes = bytes,
                           .transposed = field(p->descriptor, 15, 15),
                           .vnni = !r->write && field(p->descriptor, 7, 7)};
    if (block.num_blocks > 4 || block.width > 64 || block.height > 64 ||
        (r->write && (block.num_blocks != 1 || block.transposed)))
        return refuse(p, "its block is none that there is");
    vsg_obj_block_place(&block, p->send->grf_bytes);
    p->block = (vsg_exe_block2d){.base = scalar_at(at, 0, VISAGE_TYPE_UQ),
                                 .width = scalar_at(at, 2, VISAGE_TYPE_UD),
                                 .height = scalar_at(at, 3, VISAGE_TYPE_UD),
                                 .pitch = scalar_at(at, 4, VISAGE_TYPE_UD),
                                 .x = scalar_at(at, 5, VISAGE_TYPE_UD),
                                 .y = scalar_at(at, 6, VISAGE_TYPE_UD),
                                 .num_blocks = block.num_blocks,
                                 .block_width = block.width,
                                 .block_height = block.height,
                                 .transposed = block.transposed,
                                 .vnni = block.vnni,
                                 .row_elements = block.row_elements,
                                 .block_elements = block.block_elements};
    return true;
}

/* The payload has the surface's base, width, height and pitch, the block's x and y, and in
 * dword 7 its size (intel-graphics-compiler, TranslateSendLdStLsc.cpp, A2DBLOCK_PAYLOAD). */
static bool decode_lsc_block2d(plan *p, const row *r)
{
    const vsg_isa_lsc_data_size *size =
        vsg_isa_lsc_data_size_of(field(p->descriptor, 9, 11) + 1);
    vsg_exe_operand at;

    if (field(p->descriptor, 29, 30) != MODEL_FLAT)
        return refuse(p, "a block's surface is in its payload");
    if (!size || size->memory_bytes != size->register_bytes)
        return refuse(p, "its data size is not defined");
    if (!take(p, 1, &at) || !set_block(p, r, &at, size->memory_bytes))
        return false;
    p->message.block = &p->block;
    p->message.memory_bytes = size->memory_bytes;
    p->inst.exec_size = 1;
    p->inst.no_mask = true;
    p->inst.handler = r->write ? vsg_exe_do_store_block2d : vsg_exe_do_load_block2d;
    return take_data(p, r->write,
                     p->block.num_blocks * p->block.block_elements * size->memory_bytes);
}

/* There is no address; the payload is what is added or subtracted. */
static bool decode_lsc_append(plan *p, const row *r)
{
    if (field(p->descriptor, 29, 30) != MODEL_BTI)
        return refuse(p, "an append counter needs a binding-table entry");
    if (!set_model(p) || !set_lsc_elements(p, 1, 0))
        return false;
    if (p->message.memory_bytes < 4)
        return refuse(p, "an append counter has one 32- or 64-bit element");
    p->message.atomic = r->bytes ? VSG_EXE_ATOMIC_ADD : VSG_EXE_ATOMIC_SUB;
    p->inst.handler = vsg_exe_do_append;
    set_channels(p, p->inst.exec_size);
    return take(p, p->message.pitch_bytes / p->send->grf_bytes, &p->message.value) &&
           take_data(p, false, p->message.pitch_bytes);
}

/* Of images: coordinates in place of addresses. */
static bool set_texel_model(plan *p)
{
    if (field(p->descriptor, 7, 8) == 0)
        return refuse(p, "its address size is not defined");
    if (field(p->descriptor, 29, 30) == MODEL_FLAT)
        return refuse(p, "a typed message needs a surface");
    return set_model(p);
}

static bool decode_lsc_texel(plan *p, const row *r)
{
    if (field(p->descriptor, 9, 11) != 2)
        return refuse(p, "typed data are d32");
    return set_texel_model(p) &&
           move_texels(p, r, field(p->descriptor, 12, 15), p->inst.exec_size,
                       1u << field(p->descriptor, 7, 8));
}

static bool decode_lsc_typed_atomic(plan *p, const row *r)
{
    uint32_t sub = field(p->descriptor, 0, 5);
    atomic_row atomic = {.known = true};
    vsg_exe_atomic operation;

    (void)r;
    if (!vsg_exe_lsc_find_atomic(sub, &operation))
        return refuse(p, "its atomic operation is not known");
    atomic.operation = (uint8_t)operation;
    atomic.sources = (uint8_t)vsg_isa_lsc_arguments(sub);
    if (!set_texel_model(p) || !set_lsc_elements(p, 1, 0))
        return false;
    if (p->message.memory_bytes == 1)
        return refuse(p, "an atomic is of one 16-, 32- or 64-bit element");
    return move_typed_atomic(p, &atomic, p->inst.exec_size, 1u << field(p->descriptor, 7, 8),
                             true);
}

static bool decode_lsc_quad(plan *p, const row *r)
{
    uint32_t mask = field(p->descriptor, 12, 15);

    if (mask == 0)
        return refuse(p, "no channel is enabled");
    return take_lsc_addresses(p) && set_lsc_elements(p, 4, mask) &&
           move_slots(p, r, p->inst.exec_size);
}

static bool decode_lsc_atomic(plan *p, const row *r)
{
    atomic_row atomic = {.known = true};
    uint32_t sub = field(p->descriptor, 0, 5);
    vsg_exe_atomic operation;

    (void)r;
    if (!vsg_exe_lsc_find_atomic(sub, &operation))
        return refuse(p, "its atomic operation is not known");
    atomic.operation = (uint8_t)operation;
    atomic.sources = (uint8_t)vsg_isa_lsc_arguments(sub);
    if (!take_lsc_addresses(p) || !set_lsc_elements(p, 1, 0))
        return false;
    if (p->message.memory_bytes == 1)
        return refuse(p, "an atomic is of one 16-, 32- or 64-bit element");
    return move_atomic(p, &atomic, p->inst.exec_size, true);
}

/* ---- the descriptor ---------------------------------------------------------------------- */

#define FUNCTION(number, from, to, text)
#define SEND(function_, mask_value, kind_, ...)                                                \
    SEND_ROW(function_, mask_value, kind_, __VA_ARGS__)
#define SEND_ROW(function_, mask_, value_, kind_, write_, bytes_, address_, from_)             \
    {.function = function_,                                                                    \
     .mask = mask_,                                                                            \
     .value = value_,                                                                          \
     .decode = decode_##kind_,                                                                 \
     .write = write_,                                                                          \
     .bytes = bytes_,                                                                          \
     .address = address_,                                                                      \
     .from = VISAGE_PLATFORM_##from_},
#define INT_ATOMIC(code, operation, sources)
#define FLOAT_ATOMIC(code, operation, sources)
static const row rows[] = {
#include "exec/sends.def"
};
#undef SEND_ROW

#define FUNCTION(number_, from_, to_, text_)                                                   \
    {.number = number_,                                                                        \
     .from = VISAGE_PLATFORM_##from_,                                                          \
     .to = VISAGE_PLATFORM_##to_,                                                              \
     .text = text_},
#define SEND(...)
#define INT_ATOMIC(code, operation, sources)
#define FLOAT_ATOMIC(code, operation, sources)
static const struct function_row {
    uint32_t number;
    visage_platform from, to;
    const char *text;
} functions[] = {
#include "exec/sends.def"
};

const char *vsg_exe_shared_function(visage_platform platform, uint32_t number)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i].number == number && platform >= functions[i].from &&
            platform <= functions[i].to)
            return functions[i].text;
    return NULL;
}

/* Fills in everything of p behind its descriptors. False: p->why says why not. */
static bool decode(const vsg_exe_send *send, vsg_exe_thread *thread, const vsg_exe_inst *inst,
                   uint32_t descriptor, uint32_t extended, plan *p)
{
    *p = (plan){.send = send,
                .thread = thread,
                .descriptor = descriptor,
                .extended = extended,
                .function = send->in_descriptor ? extended & 0xf : send->function,
                .inst = *inst,
                .ends = send->ends || (send->in_descriptor && (extended & 0x20))};
    vsg_exe_message_clear(&p->message);
    if (send->in_descriptor)
        p->extended &= ~0x3fu;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].function == p->function && send->platform >= rows[i].from &&
            (descriptor & rows[i].mask) == rows[i].value)
            return rows[i].decode(p, &rows[i]);
    return refuse(p, "it is none of the known messages");
}

/* ---- preparing --------------------------------------------------------------------------- */

static bool is_slm(const plan *p)
{
    return p->message.target == VSG_EXE_TARGET_SLM ||
           (p->message.target == VSG_EXE_TARGET_ENTRY && p->message.entry == VSG_EXE_BTI_SLM);
}

/* A constant message needs no decoding when it runs. */
static bool decode_once(vsg_exe_builder *builder, const vsg_exe_send *send, vsg_exe_inst *out)
{
    plan *p = vsg_exe_keep(builder, 1, sizeof *p);

    if (!p)
        return false;
    if (!decode(send, NULL, out, (uint32_t)send->descriptor.value,
                (uint32_t)send->extended.value, p))
        return true; /* faults when it runs, or is decoded then */
    builder->unit->reads_slm |= is_slm(p);
    if (p->ends)
        return true;
    *out = p->inst;
    out->message = &p->message;
    return true;
}

static bool finish(vsg_exe_builder *builder, vsg_exe_send *send, vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_keep(builder, 1, sizeof *message);

    if (!message)
        return false;
    send->platform = builder->program->platform;
    send->grf_bytes = builder->program->grf_bytes;
    vsg_exe_message_clear(message);
    message->send = send;
    out->message = message;
    if (send->descriptor.is_constant && send->extended.is_constant)
        return decode_once(builder, send, out);
    builder->unit->reads_slm = true; /* it may */
    return true;
}

static bool decode_raws(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_send *send,
                        const char *first, const char *second)
{
    uint32_t grf_bytes = builder->program->grf_bytes;

    send->source[1].is_null = true;
    return vsg_exe_message_raw(builder, inst, first, send->grfs[0] * grf_bytes,
                               &send->source[0]) &&
           (!second || vsg_exe_message_raw(builder, inst, second, send->grfs[1] * grf_bytes,
                                           &send->source[1])) &&
           vsg_exe_message_raw(builder, inst, "dst", send->dst_grfs * grf_bytes, &send->dst);
}

bool vsg_exe_prepare_raw_send(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                              vsg_exe_inst *out)
{
    vsg_exe_send *send = vsg_exe_keep(builder, 1, sizeof *send);

    if (!send)
        return false;
    send->in_descriptor = true;
    send->extended.is_constant = true;
    send->extended.value = (int64_t)vsg_exe_number(inst, "ex_desc");
    send->grfs[0] = (uint32_t)vsg_exe_number(inst, "num_src");
    send->dst_grfs = (uint32_t)vsg_exe_number(inst, "num_dst");
    return vsg_exe_message_scalar(builder, inst, "desc", &send->descriptor) &&
           decode_raws(builder, inst, send, "src", NULL) && finish(builder, send, out);
}

/* Bit 1 of the sub field ends the thread. */
bool vsg_exe_prepare_raw_sends(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                               vsg_exe_inst *out)
{
    vsg_exe_send *send = vsg_exe_keep(builder, 1, sizeof *send);

    if (!send)
        return false;
    send->function = (uint32_t)vsg_exe_number(inst, "sfid");
    send->ends = (inst->sub_flags & 2) != 0;
    send->grfs[0] = (uint32_t)vsg_exe_number(inst, "num_src0");
    send->grfs[1] = (uint32_t)vsg_exe_number(inst, "num_src1");
    send->dst_grfs = (uint32_t)vsg_exe_number(inst, "num_dst");
    return vsg_exe_message_scalar(builder, inst, "desc", &send->descriptor) &&
           vsg_exe_message_scalar(builder, inst, "ex_desc", &send->extended) &&
           decode_raws(builder, inst, send, "src0", "src1") && finish(builder, send, out);
}

/* ---- running ----------------------------------------------------------------------------- */

void vsg_exe_do_raw_send(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_send *send = inst->message->send;
    int64_t descriptor, extended;
    plan p;

    if (!vsg_exe_scalar_read(thread, inst, &send->descriptor, &descriptor) ||
        !vsg_exe_scalar_read(thread, inst, &send->extended, &extended))
        return;
    if (!decode(send, thread, inst, (uint32_t)descriptor, (uint32_t)extended, &p)) {
        vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_SEND, -1, (uint32_t)descriptor,
                            (uint32_t)extended);
        thread->fault.limit = p.function;
        thread->fault.text = p.why;
        return;
    }
    p.inst.message = &p.message;
    p.inst.handler(thread, &p.inst);
    if (p.ends && thread->stop != VSG_EXE_STOP_FAULT)
        thread->stop = VSG_EXE_STOP_END;
}
