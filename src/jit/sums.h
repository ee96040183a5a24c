/* SPDX-License-Identifier: MIT
 *
 * Atomic additions that nobody asks for the result of, behind all else that a unit does to
 * memory: what a worker's groups add is put together in a table (jit.h, vsg_jit_sums), and goes
 * to memory when they are through. No thread can tell: behind such an addition it looks at its
 * group's memory alone, and in no loop does it wait for what others do to memory. */
#ifndef VISAGE_JIT_SUMS_H
#define VISAGE_JIT_SUMS_H

#include "jit/emit.h"

/* Fills e->sums_from: additions from there on may be put off. */
void vsg_jit_find_sums(vsg_jit_emitter *e);

/* Is it such an addition, wherever it stands? (atomic.c) */
bool vsg_jit_is_sum(const vsg_exe_inst *inst);

/* Numbers that follow each other in memory, and their place in the table. */
typedef struct vsg_jit_sum {
    LLVMValueRef has_room; /* i1: it has them, or a page left for them */
    LLVMValueRef mark, mark_at, at;
} vsg_jit_sum;

/* at: i64, in the host's memory, of the first of `count` numbers, aligned to their
 * `bytes`, 4 or 8. */
vsg_jit_sum vsg_jit_find_sum(vsg_jit_emitter *e, LLVMValueRef at, uint32_t bytes,
                             uint32_t count);
/* Where there is room: a pointer to what has been put together for them. */
LLVMValueRef vsg_jit_open_sum(vsg_jit_emitter *e, const vsg_jit_sum *sum);

#endif
