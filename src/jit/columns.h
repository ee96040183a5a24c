/* SPDX-License-Identifier: MIT
 *
 * Loops in which each channel reads along a row of its own, one element in a round, as where a
 * work-item has a row of a matrix. What a round loads is a column then, from as many cache
 * lines as there are channels. Where it is known before the loop that all rounds stay in their
 * memory, rows are read ahead, as much of each as a vector holds, and transposed; rounds find
 * their columns on the stack. */
#ifndef VISAGE_JIT_COLUMNS_H
#define VISAGE_JIT_COLUMNS_H

#include "jit/series.h"
#include "jit/transfer.h"

/* May a load be one of these? */
bool vsg_jit_may_be_column(const vsg_jit_emitter *e, const vsg_jit_transfer *t);

/* Is it, in the code that the builder is in? An i1, which nobody knows before loops have been
 * looked at. */
LLVMValueRef vsg_jit_is_column(vsg_jit_emitter *e, const vsg_jit_transfer *t);
/* What it loads where it is: an integer of each channel. */
LLVMValueRef vsg_jit_read_column(vsg_jit_emitter *e, const vsg_jit_transfer *t);

/* A load of a loop. */
typedef struct vsg_jit_column {
    LLVMValueRef test, value; /* calls of the loop */
    LLVMValueRef rows;        /* i64 each: where the channels' rows begin, in decide */
    uint32_t count, bytes;    /* channels; of an element */
} vsg_jit_column;

enum { VSG_JIT_MOST_COLUMNS = 4 };

typedef struct vsg_jit_columns {
    vsg_jit_column list[VSG_JIT_MOST_COLUMNS];
    uint32_t count;
} vsg_jit_columns;

/* Finds those of a loop that bounds are found for, which become more. The builder is at the end
 * of `decide`. */
void vsg_jit_find_columns(vsg_jit_hoister *h, vsg_jit_columns *out);

/* A copy of the loop that begins in decide, where it has not been led to yet. */
typedef struct vsg_jit_columns_way {
    const vsg_jit_map *map;
    LLVMBasicBlockRef head, turn; /* where a round begins, and where it has ended */
    LLVMValueRef more;            /* rounds behind the first one at most, i64 */
} vsg_jit_columns_way;

/* Has a copy of the loop read its columns ahead. Returns the block that it begins with now. */
LLVMBasicBlockRef vsg_jit_read_ahead(vsg_jit_hoister *h, const vsg_jit_columns *columns,
                                     const vsg_jit_columns_way *way);

/* All that are left are none. */
void vsg_jit_drop_columns(vsg_jit_emitter *e);
/* Is a call one of the above? */
bool vsg_jit_is_of_columns(LLVMValueRef call);

#endif
