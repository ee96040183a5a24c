/* SPDX-License-Identifier: MIT
 *
 * Stores to a thread's scratch in loops that channels run one after the other. Compilers keep
 * private arrays there, so that the elements which all channels have at one index are a row.
 * Whichever channel is first makes no difference then: each place of an access is tested to be
 * one of the channel's own. What was there is kept until all channels are through, in case they
 * must begin again, side by side. */
#ifndef VISAGE_JIT_LOOPS_SCRATCH_H
#define VISAGE_JIT_LOOPS_SCRATCH_H

#include "jit/emit.h"

struct vsg_jit_loop;

/* Elements of 1, 2, 4 and 8 bytes. */
enum { VSG_JIT_SCRATCH_SIZES = 4 };

/* Of a loop. Slots: which place of a row, in bytes, all channels' elements of a size begin at,
 * and where the first and the last one are that have been accessed (i32). */
typedef struct vsg_jit_loop_scratch {
    bool is_stored;
    uint32_t sizes; /* bytes of elements, or'ed */
    LLVMValueRef kept;
    LLVMValueRef row_at[VSG_JIT_SCRATCH_SIZES], first[VSG_JIT_SCRATCH_SIZES],
        last[VSG_JIT_SCRATCH_SIZES];
} vsg_jit_loop_scratch;

/* Takes note of an access. False: not one of elements that could be a channel's. */
bool vsg_jit_note_scratch(vsg_jit_loop_scratch *s, const vsg_exe_message *message,
                          bool is_store);

/* ---- its code: nothing where a loop stores to no scratch ----------------------------------
 */

/* In the entry block. *kept: what loops share, which never run at the same time. */
void vsg_jit_make_scratch_slots(vsg_jit_emitter *e, vsg_jit_loop_scratch *s,
                                LLVMValueRef *kept);
/* Is there room for all that the thread has? (i1) */
LLVMValueRef vsg_jit_can_keep_scratch(vsg_jit_emitter *e);
/* Keeps what is there, before the first channel; puts it back. */
void vsg_jit_keep_scratch(vsg_jit_emitter *e, const vsg_jit_loop_scratch *s);
void vsg_jit_put_scratch_back(vsg_jit_emitter *e, const vsg_jit_loop_scratch *s);
/* Goes on where an access of so many bytes at `at` (i64) is to the channel's own, else to
 * `undo`. */
void vsg_jit_require_own(vsg_jit_emitter *e, const struct vsg_jit_loop *l, LLVMValueRef at,
                         uint32_t bytes);
/* The same when all channels are through: elements of different sizes are not the same memory.
 */
void vsg_jit_require_sizes_apart(vsg_jit_emitter *e, const struct vsg_jit_loop *l);

#endif
