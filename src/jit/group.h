/* SPDX-License-Identifier: MIT
 *
 * Groups as a whole. Where all threads of a group go the same way between barriers, the text is
 * made once for each thread, and their copies stand in turn: a barrier is then nothing at all,
 * what is live across it stays in registers, and ids are constants. This is for groups of few
 * threads and short kernels whose launch is compiled for the size of groups.
 *
 * The text is cut into segments: at barriers, and at branches on ways that have barriers on
 * them, which must depend on nothing that differs between threads. What lies within a segment
 * is as always. Between two barriers a thread executes what it has to at once where the ways
 * do not branch; where they do, all threads come to the branch first. A program can only tell
 * by atomics and races; kernels with atomics on both sides are left alone. */
#ifndef VISAGE_JIT_GROUP_H
#define VISAGE_JIT_GROUP_H

#include "jit/emit.h"

enum { VSG_JIT_MOST_THREADS = 32 }; /* of such a group */

struct vsg_jit_group {
    uint32_t num_threads;
    bool unrolls;      /* a loop with barriers, perhaps */
    bool *is_private;  /* by instruction: on a way that has no barrier on it */
    bool *is_common;   /* by instruction: a branch of all threads */
    bool *is_cut;      /* by instruction: a segment begins */
    uint32_t *windows; /* by instruction: number of its first window and 1 more; 0: none yet */
    LLVMValueRef count, budget; /* slots: of instructions outside of private ways */
    LLVMValueRef id;            /* slot: number of the group along x */
};

/* How many instructions the copies of a unit have, if it has few enough to be run so: what it
 * costs at most. 0: it is not. */
uint32_t vsg_jit_count_copies(const vsg_exe_unit *unit, const vsg_jit_request *request);

/* Fills e->group where groups can be run as a whole. False: memory is out. */
bool vsg_jit_find_group(vsg_jit_emitter *e);

/* What behind a unit's name says that its function runs groups. */
#define VSG_JIT_OF_GROUPS ".groups"

/* Makes e->function run groups. False: memory is out. */
bool vsg_jit_emit_group(vsg_jit_emitter *e);
/* When its loops are relieved of tests, and made simple: of what it stores in shared memory. */
void vsg_jit_improve_group(vsg_jit_emitter *e);

/* Where the budget is used up on the way back to `target`, after `done` instructions: goes on
 * to `head` with a new one unless the launch is to stop, or the thread, if it is not in such a
 * function, has had its turn. The builder is then where it stops. */
void vsg_jit_look(vsg_jit_emitter *e, uint32_t target, LLVMValueRef budget, LLVMValueRef done,
                  LLVMBasicBlockRef head);

#endif
