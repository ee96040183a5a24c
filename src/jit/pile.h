/* SPDX-License-Identifier: MIT
 *
 * Sums of loops that channels run one after the other (loops.h). What a channel adds in its
 * next rounds is put onto a pile as a row, and when all channels have been there the columns
 * are added, a vector of all channels' sums at once: each gets what it got before, in its
 * order, and none waits for an addition, nor for the end of its row, which no processor
 * foresees. Channels that have more rounds than a row has lanes come again.
 *
 * While code is made, what goes into a channel's sum, where piles begin and end, and who comes
 * again are calls of functions that do not exist. */
#ifndef VISAGE_JIT_PILE_H
#define VISAGE_JIT_PILE_H

#include "jit/loops.h"
#include "jit/series.h"

/* ---- where code is emitted --------------------------------------------------------------- */

/* Before the first channel of a pass: finds its lanes that floats are added to. */
void vsg_jit_begin_piles(vsg_jit_emitter *e, const vsg_jit_loop *l, vsg_jit_loop_pass *p);
/* What a channel gives of its sum; channel: i32, counted from the pass's first. */
LLVMValueRef vsg_jit_give_sum(vsg_jit_emitter *e, const vsg_jit_loop_lane *lane,
                              LLVMValueRef value, LLVMValueRef channel);
/* Behind the last one. sums_of: where a lane's sums are, of all channels of the pass, next to
 * each other. */
void vsg_jit_end_piles(vsg_jit_emitter *e, const vsg_jit_loop_pass *p,
                       LLVMValueRef (*sums_of)(vsg_jit_emitter *e,
                                               const vsg_jit_loop_lane *lane));
/* Behind all piles of a pass: channels that are to come again, i32, a bit for each. NULL: there
 * are no piles. */
LLVMValueRef vsg_jit_come_again(vsg_jit_emitter *e, const vsg_jit_loop_pass *p);

/* ---- where rounds are taken abreast ------------------------------------------------------ */

enum { VSG_JIT_MOST_FACTORS = 2 };

typedef struct vsg_jit_pile {
    LLVMTypeRef type;                     /* of a sum */
    LLVMValueRef begin, give, end, again; /* the calls */
    uint32_t num_channels, num_changed;   /* num_changed: of all else that channels change */
} vsg_jit_pile;

/* The pile of what a phi behind the loop gets, of floats. False: it goes to none. */
bool vsg_jit_find_pile(const vsg_jit_emitter *e, LLVMValueRef phi, vsg_jit_pile *out);

/* Slots that the piles of a loop share: a bit, i32, for each channel that has put a row onto
 * them, and that is to come again; rounds before those in hand, i64, the same for all. */
typedef struct vsg_jit_piles {
    LLVMValueRef given, again, round;
} vsg_jit_piles;

/* pile: any of them; lanes: of a row. The builder stays where it is. */
vsg_jit_piles vsg_jit_open_piles(vsg_jit_hoister *h, const vsg_jit_pile *pile, uint32_t lanes);

/* The builder is where a channel's row is known, one of each factor: puts it onto the pile.
 * next: code for what sums are when a column is added to them, its factors as those of rows. */
typedef LLVMValueRef vsg_jit_pile_next(void *data, LLVMValueRef sums,
                                       const LLVMValueRef *factors);
void vsg_jit_put_on_pile(vsg_jit_hoister *h, const vsg_jit_pile *p, const vsg_jit_piles *all,
                         const LLVMValueRef *rows, uint32_t num_factors,
                         vsg_jit_pile_next *next, void *data);
/* Behind all piles; comes_again: i1. */
void vsg_jit_note_piles(vsg_jit_emitter *e, const vsg_jit_pile *pile, const vsg_jit_piles *all,
                        LLVMValueRef comes_again);

/* Sums are what channels give, for all that are no piles. */
void vsg_jit_drop_piles(vsg_jit_emitter *e);

#endif
