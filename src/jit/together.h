/* SPDX-License-Identifier: MIT
 *
 * Loops that channels leave one by one, when a number of each has come to a limit of its own.
 * Where all that are on have equally far to go, as where a work-item has a part of an array,
 * they leave together, and the mask is the same in all rounds. */
#ifndef VISAGE_JIT_TOGETHER_H
#define VISAGE_JIT_TOGETHER_H

#include "jit/series.h"

/* Fills h->together where the loop is one of these; the builder is at the end of `decide`,
 * where is found out whether channels leave together. */
void vsg_jit_find_together(vsg_jit_hoister *h);

/* Is a phi of the header the mask, or has it only more channels when some leave? back: what it
 * gets from the round before. */
bool vsg_jit_is_same_together(const vsg_jit_hoister *h, LLVMValueRef phi, LLVMValueRef back);

/* Does the loop end by a branch on a condition when all channels leave? goes_on: it does while
 * the condition holds. */
bool vsg_jit_ends_together(const vsg_jit_hoister *h, LLVMValueRef condition, bool goes_on);

#endif
