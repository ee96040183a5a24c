/* SPDX-License-Identifier: MIT
 *
 * Whether channels go through a loop one after the other or side by side, where it depends on
 * what they do: on how many are left in the loop, how far they keep together, and how well the
 * processor foresees where each goes. Both are tried now and then, and it is measured what a
 * round takes. */
#ifndef VISAGE_JIT_LOOPS_CHOICE_H
#define VISAGE_JIT_LOOPS_CHOICE_H

#include "jit/emit.h"

/* Of a loop. */
typedef struct vsg_jit_loop_choice {
    bool is_dear;    /* to begin by channels: not before it is known that rounds are worth it */
    uint32_t window; /* the first of those that it keeps its record in */
    LLVMValueRef since; /* slot, i64: cycles when it was begun */
    /* Slots, i64: rounds of all channels until it is chosen again; those that are left. */
    LLVMValueRef burst, left;
    LLVMValueRef again; /* slot, i1: it was chosen since the loop was begun */
} vsg_jit_loop_choice;

/* In the entry block. */
void vsg_jit_make_choice_slots(vsg_jit_emitter *e, vsg_jit_loop_choice *c);
/* Where the loop is begun, before it is chosen. */
void vsg_jit_begin_choice(vsg_jit_emitter *e, const vsg_jit_loop_choice *c);
/* For the channels of a mask (i32): do they go one after the other? (i1) */
LLVMValueRef vsg_jit_choose_channels(vsg_jit_emitter *e, const vsg_jit_loop_choice *c,
                                     LLVMValueRef mask);
/* They have, through so many rounds together, of which one went through the most (i64); or they
 * could not. */
void vsg_jit_end_channels(vsg_jit_emitter *e, const vsg_jit_loop_choice *c, LLVMValueRef mask,
                          LLVMValueRef rounds, LLVMValueRef most_rounds);
void vsg_jit_spurn_channels(vsg_jit_emitter *e, const vsg_jit_loop_choice *c);
/* A block for where a round of all channels is over, which goes on to `head`, or, where that
 * was the last one of some, to `again`, where it is to be chosen. */
LLVMBasicBlockRef vsg_jit_measure_round(vsg_jit_emitter *e, const vsg_jit_loop_choice *c,
                                        LLVMBasicBlockRef again, LLVMBasicBlockRef head);

#endif
