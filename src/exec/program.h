/* SPDX-License-Identifier: MIT
 *
 * The program: a module made ready to run on one platform. Variables have places in a register
 * file, labels and calls are instruction numbers, operands are decoded. Both engines start from
 * it. Source: design sections 1 and 3; 5_operands for regions. */
#ifndef VISAGE_EXEC_PROGRAM_H
#define VISAGE_EXEC_PROGRAM_H

#ifdef VISAGE_COVERAGE
#include <stdatomic.h>
#endif

#include "object/object.h"

typedef struct vsg_exe_thread vsg_exe_thread;
typedef struct vsg_exe_inst vsg_exe_inst;
typedef struct vsg_exe_message vsg_exe_message; /* exec/message.h */

/* Executes one instruction. On entry thread->pc is already the next instruction. May set
 * thread->pc and thread->stop. */
typedef void (*vsg_exe_handler)(vsg_exe_thread *thread, const vsg_exe_inst *inst);

enum { VSG_EXE_MAX_CHANNELS = 32, VSG_EXE_MAX_SOURCES = 5, VSG_EXE_NO_WAIT = UINT32_MAX };

typedef enum vsg_exe_operand_kind {
    VSG_EXE_OPERAND_NONE,
    VSG_EXE_OPERAND_REGION,   /* elements of the register file */
    VSG_EXE_OPERAND_INDIRECT, /* the same, found through addresses */
    VSG_EXE_OPERAND_IMMEDIATE,
    VSG_EXE_OPERAND_PREDICATE,
    VSG_EXE_OPERAND_ADDRESS,
    VSG_EXE_OPERAND_SURFACE, /* element of a surface variable */
    VSG_EXE_OPERAND_SAMPLER
} vsg_exe_operand_kind;

typedef enum vsg_exe_shape {
    VSG_EXE_SHAPE_SCALAR,     /* every channel has the same element */
    VSG_EXE_SHAPE_CONTIGUOUS, /* element i at offset + i * bytes */
    VSG_EXE_SHAPE_STRIDED,    /* element i at offset + i * h_stride_bytes */
    VSG_EXE_SHAPE_ROWS /* element i at offset + i / width * v_stride + i % width * h_stride */
} vsg_exe_shape;

typedef struct vsg_exe_operand {
    uint8_t kind;       /* vsg_exe_operand_kind */
    uint8_t type;       /* visage_type of an element */
    uint8_t bytes;      /* of an element */
    uint8_t modifier;   /* vsg_obj_modifier; VSG_OBJ_MOD_SAT on destinations */
    uint8_t shape;      /* vsg_exe_shape; region and indirect */
    uint8_t width;      /* elements of a row; address: elements used */
    bool shared;        /* region: in the thread's shared registers, else in the frame */
    bool is_null;       /* %null: reads 0, writes go nowhere */
    bool multi_address; /* indirect: an address for each row */
    uint16_t count;     /* immediate: elements that repeat; predicate: its elements */
    uint32_t offset;    /* region: bytes; raw operands too */
    int32_t h_stride_bytes, v_stride_bytes;
    uint32_t index;           /* predicate, surface, sampler element; address: first element */
    int32_t indirect_bytes;   /* indirect: added to every address */
    const uint64_t *elements; /* immediate: `count` values, modifiers applied not yet */
} vsg_exe_operand;

/* Codes of the relation (CMP page). */
enum {
    VSG_EXE_REL_EQ,
    VSG_EXE_REL_NE,
    VSG_EXE_REL_GT,
    VSG_EXE_REL_GE,
    VSG_EXE_REL_LT,
    VSG_EXE_REL_LE
};

/* How a predicate acts; bits. */
enum {
    VSG_EXE_PRED_USED = 1,
    VSG_EXE_PRED_INVERSE = 2,
    VSG_EXE_PRED_ANY = 4,
    VSG_EXE_PRED_ALL = 8
};

/* The arithmetic an instruction computes in, from the types of its sources. */
typedef enum vsg_exe_class {
    VSG_EXE_CLASS_INT,  /* 64-bit integers; results wrap */
    VSG_EXE_CLASS_HALF, /* float arithmetic, one rounding to half */
    VSG_EXE_CLASS_FLOAT,
    VSG_EXE_CLASS_DOUBLE
} vsg_exe_class;

/* Do loops end by what is read from memory (polls.c)? */
typedef enum vsg_exe_polling {
    VSG_EXE_NO_POLLING,
    VSG_EXE_POLLS_IN_GROUP, /* by shared local memory alone */
    VSG_EXE_MAY_POLL,       /* also where a function that a loop calls may read */
    VSG_EXE_POLLS           /* for nothing else than that others store there */
} vsg_exe_polling;

struct vsg_exe_inst {
    vsg_exe_handler handler;
    uint16_t op;         /* visage_op */
    uint8_t exec_size;   /* 1 where the form has none */
    uint8_t mask_offset; /* first channel */
    bool no_mask;
    bool saturate;
    uint8_t predicate_mode; /* VSG_EXE_PRED_* */
    uint8_t class_;         /* vsg_exe_class */
    uint8_t num_sources;
    bool refresh;         /* reads %ce0 or %tsc: brought up to date before */
    bool writes_mode;     /* may write %cr0: modes are read again after */
    bool polls;           /* in a short loop in which threads may wait for others (polls.c) */
    uint16_t predicate;   /* index in frame->predicates */
    uint32_t combined;    /* bits of the predicate that any and all combine */
    uint32_t control;     /* relation of cmp, function of bfn, info of dpas ... */
    uint32_t target;      /* flow: instruction number; calls of functions: unit */
    uint32_t wait;        /* wait mask: of a label or join itself, of a forward goto's
                             label, of the join behind a backward goto; or NO_WAIT */
    uint32_t next_wait;   /* flow: first wait mask behind the instruction */
    uint32_t end_wait;    /* flow: first wait mask behind its subroutine */
    uint32_t num_targets; /* switchjmp */
    uint32_t *targets;
    vsg_exe_operand dst, dst2;
    vsg_exe_operand src[VSG_EXE_MAX_SOURCES];
    const vsg_exe_message *message; /* memory messages */
    const vsg_obj_inst *source;     /* where it comes from, for reports; NULL for a join */
};

/* A point where channels may wait: a label, or the instruction after a backward goto. */
typedef struct vsg_exe_wait {
    uint32_t pc;
} vsg_exe_wait;

typedef struct vsg_exe_input {
    const vsg_obj_input *input;
    const char *name;
    uint32_t payload_offset_bytes, size_bytes;
    bool is_state;  /* sampler or surface: goes to state element `place` */
    uint32_t place; /* general: byte offset in the frame */
} vsg_exe_input;

/* A kernel or function. Its frame holds, in this order: general variables (with %arg, %retval,
 * %sp, %fp), addresses, predicates, surfaces, samplers (32 bits an element each), wait masks.
 */
typedef struct vsg_exe_unit {
    const vsg_obj_unit *object;
    vsg_exe_inst *code;
    uint32_t num_code;
    uint32_t register_bytes; /* general variables and slack, so that no region leaves them */
    uint32_t variable_bytes; /* general variables alone: what indirect operands may reach */
    uint32_t frame_bytes;    /* all */
    uint32_t addresses_at, predicates_at, surfaces_at, samplers_at, waits_at; /* bytes */
    uint32_t num_addresses, num_predicates, num_surfaces, num_samplers;       /* elements */
    uint32_t arg_at, retval_at, sp_at, fp_at; /* bytes in the frame */
    const uint32_t *variable_at;    /* by variable: byte in the frame or the shared registers */
    uint32_t num_variables;         /* entries of variable_at */
    uint32_t arg_grfs, retval_grfs; /* ArgSize, RetValSize attributes */
    vsg_exe_wait *waits;            /* ascending pc */
    uint32_t num_waits;
    vsg_exe_input *inputs;
    uint32_t num_inputs;
    uint32_t simd_size; /* channels of a thread at dispatch */
    vsg_exe_polling polling;
    bool has_barrier; /* it or anything it may call waits for other threads */
    bool reads_slm;   /* any access to shared local memory */
    bool is_left_out; /* nothing of it was made: it is not run, and no call leads to it */
#ifdef VISAGE_COVERAGE
    atomic_bool *executed; /* by instruction, see coverage.h */
#endif
} vsg_exe_unit;

/* Bytes of the shared registers of a program without file-scope variables: each predefined
 * variable with VSG_ISA_VAR_SHARED has its place there, see vsg_exe_shared_at(). */
enum { VSG_EXE_SHARED_BYTES = 2048, VSG_EXE_SHARED_SLOT = 64 /* a GRF of any platform */ };

/* What an address variable holds of a shared register: this and its byte offset. It is above
 * any byte offset in a frame. */
enum { VSG_EXE_SHARED_ADDRESS = 1 << 30 };

/* Byte offset of a shared predefined variable (VSG_ISA_VAR_*). */
static inline uint32_t vsg_exe_shared_at(uint32_t variable)
{
    return variable * VSG_EXE_SHARED_SLOT;
}

/* May it go on elsewhere, at its target? Calls, returns and SWITCHJMP are none of these. */
static inline bool vsg_exe_is_jump(const vsg_exe_inst *inst)
{
    return inst->op == VISAGE_OP_GOTO || inst->op == VISAGE_OP_JMP;
}

typedef struct vsg_exe_program {
    vsg_base_alloc alloc;
    vsg_base_arena arena;
    visage_platform platform;
    uint32_t grf_bytes;
    const vsg_obj_module *module; /* kept */
    vsg_exe_unit *units;          /* as module->units */
    uint32_t num_units;
    uint32_t shared_bytes; /* of a thread's shared registers, file-scope variables included */
    uint32_t *file_variable_at; /* byte in the shared registers, by index in the module */
    bool has_pairs;             /* DPASW, for which threads work in pairs */
    bool regroups;              /* vsg_exe_add_regroups() has put some in */
} vsg_exe_program;

/* Address of a symbol that is no function of the module (constants of a zebin). Returns false
 * when there is none. */
typedef bool (*vsg_exe_symbol_fn)(void *user, const char *name, uint64_t *address);

typedef struct vsg_exe_program_options {
    visage_platform platform;
    vsg_exe_symbol_fn symbol; /* NULL: none */
    void *user;
    const bool *units; /* those that are made, by index; NULL: all */
    bool *refused;     /* by unit, set where one cannot be made, which is then reported and left
                        * out; NULL: it is an error */
} vsg_exe_program_options;

/* Makes a program. module: kept; what is made of it has been verified. Returns INVALID,
 * UNRESOLVED, UNSUPPORTED (an instruction that cannot be run), NO_MEMORY; all that is wrong is
 * reported. Free with vsg_exe_program_free(). */
VISAGE_NODISCARD visage_status vsg_exe_program_create(const vsg_base_alloc *alloc,
                                                      const vsg_obj_module *module,
                                                      const vsg_exe_program_options *options,
                                                      visage_diagnostics *diagnostics,
                                                      vsg_exe_program **out);
void vsg_exe_program_free(vsg_exe_program **program);

/* Function addresses as %faddr gives them: function `unit` of the program, and back (-1: no
 * function starts there). Small numbers, so that they fit the UD that ifcall takes. */
uint64_t vsg_exe_function_address(uint32_t unit);
int64_t vsg_exe_function_at(const vsg_exe_program *program, uint64_t address);

/* Is there a handler for the operation? */
bool vsg_exe_runs(visage_op op);

#endif
