/* SPDX-License-Identifier: MIT
 *
 * For how many rounds of a loop its bounds (series.h) are kept. */
#ifndef VISAGE_JIT_ROUNDS_H
#define VISAGE_JIT_ROUNDS_H

#include "jit/series.h"

/* Are all kept in so many rounds? An i1; the builder is at the end of `decide`. */
LLVMValueRef vsg_jit_keeps_bounds(vsg_jit_hoister *h, uint32_t rounds);

/* The same for all rounds that there are, where a branch that leaves the loop tells how many
 * that is at most. NULL: none does. *more: how many rounds there are behind the first one at
 * most, an i64. */
LLVMValueRef vsg_jit_keeps_bounds_to_end(vsg_jit_hoister *h, LLVMValueRef *more);

/* Does each round come through a block? Then nothing leads from the header to the end of a
 * round but through it. */
bool vsg_jit_is_in_each_round(const vsg_jit_hoister *h, LLVMBasicBlockRef block);

/* Holds where the other one does not. */
LLVMIntPredicate vsg_jit_inverse_of(LLVMIntPredicate predicate);

#endif
