/* SPDX-License-Identifier: MIT
 *
 * Loops that channels run one after the other instead of side by side. Where each round gathers
 * from memory and channels leave at different times, a gather costs about as much for one
 * channel as for all; scalar code costs only what is done, and reads memory in its order. Such
 * a loop goes from a label to the goto back to it, with branches forwards inside, and to one
 * label behind it; a channel's loads do not depend on what it loaded in the round before, which
 * would make it wait for each.
 *
 * It may store, from one place in the text and the same whichever channel it is, to memory that
 * it loads nothing from, which windows tell: then it makes no difference which channel is
 * first. The stores are put off until all channels are through.
 *
 * The loop as it stands is kept behind it: where an access leaves its memory or the budget is
 * used up, nothing has been changed yet, and all channels begin again there. */
#ifndef VISAGE_JIT_LOOPS_H
#define VISAGE_JIT_LOOPS_H

#include "jit/emit.h"

/* Finds such loops. False: memory is out. */
bool vsg_jit_find_loops(vsg_jit_emitter *e);
/* Makes the slots of one channel's values; in the entry block. */
void vsg_jit_make_loop_slots(vsg_jit_emitter *e);
/* Where a block begins: the loop by channels, if it is one; the builder is then where the loop
 * as it stands is to be made. */
void vsg_jit_emit_loop_by_channels(vsg_jit_emitter *e, uint32_t place);
/* Notes a store of the loop that is being made, which is made when all channels are through. */
void vsg_jit_put_off(vsg_jit_emitter *e, LLVMValueRef value, LLVMValueRef at);
/* Where a jump backwards to `place` goes. */
LLVMBasicBlockRef vsg_jit_head_of(const vsg_jit_emitter *e, uint32_t place);

#endif
