/* SPDX-License-Identifier: MIT
 *
 * Rounds abreast. A channel that goes through a loop by itself, along a row of a matrix or the
 * neighbours of a node, mostly has few rounds, and what it takes is the end of each row, which
 * no processor foresees. Where a round only looks at memory and puts what it makes of that to
 * sums, as many rounds as a vector has lanes are taken at once, and the sums are made of the
 * lanes in their order: each gets what it got before. */
#ifndef VISAGE_JIT_ABREAST_H
#define VISAGE_JIT_ABREAST_H

#include "jit/series.h"

typedef struct vsg_jit_abreast vsg_jit_abreast;

/* Code for all rounds of a loop, which is not led to yet; bounds may become more. The builder
 * is at the end of `decide`. held: tests that hold in all rounds where the code is led to.
 * NULL: it is no such loop, or memory is out; no bound was added. */
vsg_jit_abreast *vsg_jit_make_abreast(vsg_jit_hoister *h, const LLVMValueRef *held,
                                      uint32_t num_held);

void vsg_jit_drop_abreast(vsg_jit_abreast *a);

/* Leads to it from *enter, a new block. more: rounds behind the first one, i64. Returns a block
 * that has no end yet, where the loop is to begin as it stands: a place was outside, and
 * nothing has changed. Its phis begin with h->begin, which is made anew for that. */
LLVMBasicBlockRef vsg_jit_lead_abreast(vsg_jit_abreast *a, LLVMValueRef more,
                                       LLVMBasicBlockRef *enter);

#endif
