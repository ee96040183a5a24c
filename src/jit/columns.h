/* SPDX-License-Identifier: MIT
 *
 * Loops in which each channel reads or writes along a row of its own, one element in a round,
 * as where a work-item has a row of a matrix. What a round loads or stores is a column then, of
 * as many cache lines as there are channels. Where it is known before the loop that all rounds
 * stay in their memory, rows are read ahead, as much of each as a vector holds, and transposed;
 * rounds find their columns on the stack. What they store stays there, too, until rows of it
 * are written. */
#ifndef VISAGE_JIT_COLUMNS_H
#define VISAGE_JIT_COLUMNS_H

#include "jit/series.h"
#include "jit/transfer.h"

/* May a load or store be one of these? */
bool vsg_jit_may_be_column(const vsg_jit_emitter *e, const vsg_jit_transfer *t);

/* Is it, in the code that the builder is in? An i1, which nobody knows before loops have been
 * looked at. Goes to the handler where it is to a surface that is no buffer. */
LLVMValueRef vsg_jit_is_column(vsg_jit_emitter *e, const vsg_jit_transfer *t);
/* What it loads where it is: an integer of each channel, or several, those of all channels
 * behind each other. */
LLVMValueRef vsg_jit_read_column(vsg_jit_emitter *e, const vsg_jit_transfer *t);

/* Stores it. */
void vsg_jit_write_column(vsg_jit_emitter *e, const vsg_jit_transfer *t);

/* A load or store of a loop. */
typedef struct vsg_jit_column {
    LLVMValueRef test, access; /* calls of the loop */
    LLVMValueRef channels;     /* of the loop: bits of those that access it */
    LLVMValueRef rows;         /* i64 each: where the channels' rows begin, in decide */
    uint32_t count, bytes;     /* channels; of an element */
    uint32_t per_channel;      /* elements */
    const uint16_t *at;        /* bytes from a row's place in a round to each of them */
    int64_t step;              /* bytes from round to round */
    uint32_t number;           /* in the order of a round */
    bool is_put;               /* it stores */
    bool is_by_mask;           /* it would be elsewhere if channels did not leave together */
} vsg_jit_column;

/* Bytes from the place of a row in a round to the end of its elements. */
uint32_t vsg_jit_column_span(const vsg_jit_column *of);

/* Is it one element behind the other? */
static inline bool vsg_jit_is_plain_column(const vsg_jit_column *c)
{
    return c->per_channel == 1 && c->step == c->bytes;
}

/* Where another load of such a loop loads, in the first round and in each further one. */
typedef struct vsg_jit_other_load {
    LLVMValueRef begin; /* i64 */
    uint64_t step, bytes;
} vsg_jit_other_load;

/* Of an access that stores, the operand that has what it stores. */
enum { VSG_JIT_PUT_VALUE = 2 };

enum { VSG_JIT_MOST_COLUMNS = 8 };
/* Elements of a channel; and from round to round, of which some may be left out. */
enum { VSG_JIT_MOST_IN_COLUMN = 4 };

typedef struct vsg_jit_columns {
    vsg_jit_column list[VSG_JIT_MOST_COLUMNS];
    uint32_t count;
    const LLVMValueRef *held; /* tests that hold in the copy which is to read ahead */
    uint32_t num_held;
    vsg_jit_other_load loads[VSG_JIT_MOST_COLUMNS]; /* if some of them store */
    uint32_t num_loads;
    LLVMBasicBlockRef *blocks; /* that control comes to in that copy, */
    uint32_t num_blocks;
    LLVMBasicBlockRef exit; /* and where it is left, if that is one, and they are in a row */
} vsg_jit_columns;

/* Finds those of a loop that bounds are found for, which become more. The builder is at the end
 * of `decide`. any: also those that are not plain, which cannot be read ahead. out: `held` is
 * filled. */
void vsg_jit_find_columns(vsg_jit_hoister *h, bool any, vsg_jit_columns *out);

/* Is it worth it, and does no row meet what is stored of another one? An i1; the builder is at
 * the end of decide. more: as below. */
LLVMValueRef vsg_jit_can_read_ahead(vsg_jit_hoister *h, const vsg_jit_columns *columns,
                                    LLVMValueRef more);

/* What a value of the loop is in such a copy: of a phi, what comes from the one block that is
 * left of those before it. */
LLVMValueRef vsg_jit_value_in_copy(const vsg_jit_hoister *h, const vsg_jit_columns *columns,
                                   LLVMValueRef v);

/* The number that all lanes of a constant are. NULL: they differ, or it is none. */
LLVMValueRef vsg_jit_lane_of_constant(LLVMValueRef v);

/* A copy of the loop that begins in decide, where it has not been led to yet. */
typedef struct vsg_jit_columns_way {
    const vsg_jit_map *map;
    LLVMBasicBlockRef head, turn; /* where a round begins, and where it has ended */
    LLVMValueRef more;            /* rounds behind the first one at most, i64 */
} vsg_jit_columns_way;

/* Has a copy of the loop read its columns ahead, and write them behind. Returns the block that
 * it begins with now. */
LLVMBasicBlockRef vsg_jit_read_ahead(vsg_jit_hoister *h, const vsg_jit_columns *columns,
                                     const vsg_jit_columns_way *way);

/* All that are left are none. */
void vsg_jit_drop_columns(vsg_jit_emitter *e);
/* Is a call one of the above? */
bool vsg_jit_is_of_columns(LLVMValueRef call);

#endif
