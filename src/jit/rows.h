/* SPDX-License-Identifier: MIT
 *
 * What is known of the lanes of integers: in each chunk of them one is a constant step from the
 * next, as local ids along x are. What is made of these by addition, or multiplication by
 * constants, is so, too; addresses most of all. Beside the vector, the first lane of each chunk
 * is kept as a scalar, so that a load or store of a row needs no vector of addresses.
 *
 * A sum of 32 bits that is then extended to 64 may have wrapped around within a chunk: a flag
 * tells, at run time, that it has not. */
#ifndef VISAGE_JIT_ROWS_H
#define VISAGE_JIT_ROWS_H

#include "jit/calls.h"
#include "jit/emit.h"

enum { VSG_JIT_MOST_CHUNKS = 4 };

/* Of a part. */
typedef enum vsg_jit_row_state {
    VSG_JIT_ROW_UNSEEN, /* by the analysis, or no row is asked for */
    VSG_JIT_ROW_KNOWN,
    VSG_JIT_ROW_VARIES
} vsg_jit_row_state;

/* What the values of a part are made of. */
typedef enum vsg_jit_origin {
    VSG_JIT_ORIGIN_OTHER,  /* ids, arguments and constants */
    VSG_JIT_ORIGIN_LOADED, /* what channels loaded, each its own */
    VSG_JIT_ORIGIN_CUT     /* bits out of that */
} vsg_jit_origin;

/* What a scalar is made of: a power of two, less one; the same negated. */
typedef enum vsg_jit_mask {
    VSG_JIT_MASK_UNSEEN,
    VSG_JIT_MASK_LOW,
    VSG_JIT_MASK_HIGH,
    VSG_JIT_MASK_OTHER
} vsg_jit_mask;

/* A row that was extended, and may have wrapped around in a chunk before: its lanes are then
 * first + factor * (E(n + step * lane) - E(n)), where n has `bits` and E extends it. */
typedef struct vsg_jit_inner {
    uint8_t bits; /* 0: this is not known */
    bool is_signed;
    int64_t step, factor;
} vsg_jit_inner;

struct vsg_jit_row {
    uint8_t state;   /* vsg_jit_row_state */
    bool is_exact;   /* always: it needs no flag */
    bool is_small;   /* extending it changes no step */
    uint8_t zeros;   /* bits that are 0 in all lanes, from the lowest on */
    uint8_t shorter; /* a chunk in which it would be a row where it is none; 0: there is none */
    uint32_t chunk;
    int64_t step;
    uint8_t origin;              /* vsg_jit_origin */
    uint8_t mask;                /* vsg_jit_mask */
    bool is_guess;               /* that it is none is as good as any other way */
    bool has_halves;             /* its lanes are put together of them (row_lanes.h) */
    bool has_loose;              /* some of them do not follow the others */
    vsg_jit_inner inner;         /* where it is not exact */
    bool is_remade;              /* its vector can be made of scalars */
    uint32_t num_writes;         /* that make it constants; 0: it is something else */
    int64_t number, number_step; /* the first of these constants; to the next */
    LLVMValueRef first[VSG_JIT_MOST_CHUNKS];  /* slots, of the part's elements */
    LLVMValueRef narrow[VSG_JIT_MOST_CHUNKS]; /* slots, of inner.bits; NULL: bits is 0 */
    LLVMValueRef exact;                       /* slot of an i1; NULL where is_exact */
};

/* The lanes of an operand. */
typedef struct vsg_jit_view {
    uint32_t chunk, num_chunks;
    int64_t step;
    LLVMValueRef first[VSG_JIT_MOST_CHUNKS]; /* i64, zero-extended */
    LLVMValueRef exact;                      /* i1; NULL: always */
    bool is_guess, is_small;                 /* vsg_jit_row */
} vsg_jit_view;

/* Is a row all put together of halves that follow each other? What was there before them need
 * not be one. */
static inline bool vsg_jit_is_put_together(const vsg_jit_row *row)
{
    return row->has_halves && !row->has_loose;
}

/* What an instruction makes of rows. */
struct vsg_jit_row_plan {
    const vsg_jit_row *row; /* of its destination; NULL: none is known */
    uint32_t part, lane, count;
    bool is_uniform; /* the result tells */
    bool is_loaded;  /* from an address that all channels of a chunk share */
    bool is_set;     /* the rows of that have their scalars */
    bool goes_on;    /* with what instructions before it have begun */
    LLVMValueRef first[VSG_JIT_MOST_CHUNKS], narrow[VSG_JIT_MOST_CHUNKS], exact;
};

/* Is it an operation that makes rows of rows, of operands that code reads and writes itself? */
bool vsg_jit_may_make_row(const vsg_exe_inst *inst);
/* Does an instruction write the elements of its destination, and are these lanes of a part? */
bool vsg_jit_find_result(const vsg_jit_emitter *e, uint32_t place, uint32_t *part,
                         uint32_t *lane);

/* Fills e->rows. False: memory is out. */
bool vsg_jit_find_rows(vsg_jit_emitter *e);
void vsg_jit_make_row_slots(vsg_jit_emitter *e);

/* Around the code of an instruction. */
void vsg_jit_begin_rows(vsg_jit_emitter *e, const vsg_exe_inst *inst, vsg_jit_row_plan *plan);
void vsg_jit_end_rows(vsg_jit_emitter *e, const vsg_jit_row_plan *plan);
/* Beside the values of the instruction in hand, if it is a load whose chunks have one address
 * each: what `count` channels from one on have loaded, as the registers have it; or, behind the
 * interpreter's way, what is in the registers. */
void vsg_jit_set_loaded(vsg_jit_emitter *e, uint32_t channel, uint32_t count,
                        LLVMValueRef value);
void vsg_jit_set_handled(vsg_jit_emitter *e);
/* A part has got a value that no instruction made: an input (is_sure), or out of the frame. */
void vsg_jit_restore_row(vsg_jit_emitter *e, uint32_t part, bool is_sure);

/* The vector of a part, made of its rows' scalars, so that code off the way that is mostly gone
 * does not have all addresses made on it. NULL: only the part has it. (remake.c) */
LLVMValueRef vsg_jit_remake(vsg_jit_emitter *e, uint32_t part);
/* Stores those scalars at a place instead, and tells which they are. False: only the part has
 * the vector. */
bool vsg_jit_store_scalars(vsg_jit_emitter *e, uint32_t part, LLVMValueRef at,
                           vsg_jit_scalars *out);
/* Finds out which parts can be made so. */
void vsg_jit_find_remade(vsg_jit_emitter *e);

/* Do both hold? NULL: in any case. */
LLVMValueRef vsg_jit_both(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b);

/* Sources of an instruction that are rows, the others being uniform: just one, but for
 * functions of bits. (guess.c) */
typedef struct vsg_jit_guess {
    uint32_t source, chunk; /* the last one */
    int64_t step;           /* of that */
    int64_t steps[VSG_EXE_MAX_SOURCES];
} vsg_jit_guess;

/* The last lane of a row, and those at its ends, as i64s. (guess.c) */
typedef struct vsg_jit_ends {
    LLVMValueRef last, least, most;
} vsg_jit_ends;
vsg_jit_ends vsg_jit_find_ends(vsg_jit_emitter *e, LLVMValueRef first, int64_t step,
                               uint32_t chunk);
/* Are all lanes, if none wraps around, at least `low` and at most `high`? An i1. */
LLVMValueRef vsg_jit_lies_within(vsg_jit_emitter *e, const vsg_jit_ends *row, int64_t low,
                                 int64_t high);

/* Finds parts that hold constants, a step apart: num_writes and what belongs to it. False:
 * memory is out. (numbers.c) */
bool vsg_jit_find_numbers(vsg_jit_emitter *e);
/* Finds the masks of parts. */
void vsg_jit_find_masks(vsg_jit_emitter *e);
/* Is an operation one that makes rows of rows, mostly? */
bool vsg_jit_can_guess(const vsg_exe_inst *inst);
/* Which step the result then has. False: who knows. */
bool vsg_jit_guess_step(const vsg_jit_emitter *e, const vsg_exe_inst *inst,
                        const vsg_jit_guess *from, int64_t *step);
/* Is it so? in: the first lanes of both sources in 64 bits. */
LLVMValueRef vsg_jit_guess_holds(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                 const vsg_jit_guess *from, const LLVMValueRef *in);
/* The result's first lane. */
LLVMValueRef vsg_jit_guess_first(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                 const LLVMValueRef *in);

/* Finds out where the values of parts come from. (origin.c) */
void vsg_jit_find_origins(vsg_jit_emitter *e);
/* Of addresses: those that are CUT are hardly ever rows or equal. */
vsg_jit_origin vsg_jit_origin_of(const vsg_jit_emitter *e, const vsg_exe_operand *operand);

/* What the inner row of an instruction's result begins with, where a source begins with
 * `first`; NULL: the source has none. (remake.c) */
LLVMValueRef vsg_jit_narrow_of(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                               const vsg_exe_operand *source, LLVMValueRef first);
/* A beginning of one that does not wrap around. */
LLVMValueRef vsg_jit_no_wrap(vsg_jit_emitter *e, const vsg_jit_inner *inner);

/* False: nothing is known of an operand's lanes. */
bool vsg_jit_view_row(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                      vsg_jit_view *out);

#endif
