/* SPDX-License-Identifier: MIT
 *
 * Loops of columns (columns.h) whose rounds have nothing to do with each other, but that they
 * add up integers, or find the least of them, or look at what rounds before have read: each
 * channel makes a row of another one, or a number of it. They need no columns. Channels go
 * along their rows one after the other, and a vector has some rounds of one channel, instead of
 * one round of all. */
#ifndef VISAGE_JIT_ALONG_H
#define VISAGE_JIT_ALONG_H

#include "jit/columns.h"

typedef struct vsg_jit_along vsg_jit_along;

/* Code for all rounds of a loop, which is not led to yet; bounds may become more. The builder
 * is at the end of `decide`. NULL: it is no such loop, or memory is out; no bound was added. */
vsg_jit_along *vsg_jit_make_along(vsg_jit_hoister *h, const vsg_jit_columns *columns);

void vsg_jit_drop_along(vsg_jit_along *a);

/* The block that the code begins with, for which decide has no branch yet. more: rounds behind
 * the first one, i64. */
LLVMBasicBlockRef vsg_jit_lead_along(vsg_jit_along *a, LLVMValueRef more);

#endif
