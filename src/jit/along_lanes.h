/* SPDX-License-Identifier: MIT
 *
 * Several rounds of one channel at once: what each computes becomes a lane of a vector, if that
 * can be said of the channel's own row and of what the loop does not change (along.h). */
#ifndef VISAGE_JIT_ALONG_LANES_H
#define VISAGE_JIT_ALONG_LANES_H

#include "jit/columns.h"

enum {
    VSG_JIT_MOST_ALONG = 32,
    VSG_JIT_MOST_VALUES_ALONG = 256,
    VSG_JIT_MOST_FIXED_ALONG = 64,
    VSG_JIT_MOST_CARRIED_ALONG = 8
};

/* The lane that each channel has of a value: the channel's number and more, or one for all. */
typedef struct vsg_jit_lane_of {
    LLVMValueRef value;
    uint32_t first;
    bool is_own; /* its channel's */
} vsg_jit_lane_of;

/* What it is in the code: of all rounds in hand, or the same in all. */
typedef struct vsg_jit_lane_made {
    vsg_jit_lane_of from;
    LLVMValueRef to;
} vsg_jit_lane_made;

/* A vector that the loop does not change: on the stack, where channels find their lane. */
typedef struct vsg_jit_lanes_kept {
    LLVMValueRef vector, slot;
} vsg_jit_lanes_kept;

/* What a round has of the one before: a phi of the code, all lanes of the rounds before those
 * in hand. */
typedef struct vsg_jit_lanes_carried {
    vsg_jit_lane_of from;
    LLVMValueRef phi, begin, next; /* before a row's first rounds, and behind whole ones */
    bool is_in_hand;               /* what it is made of */
} vsg_jit_lanes_carried;

/* The rounds in hand. */
typedef struct vsg_jit_along_lanes {
    vsg_jit_hoister *h;
    const vsg_jit_columns *columns;
    uint32_t num_channels, num;   /* num: rounds */
    LLVMBasicBlockRef enter, row; /* where the code begins, and where a channel's rounds do */
    LLVMBasicBlockRef head;       /* behind it, which other rounds go back to */
    LLVMBasicBlockRef in;         /* where rounds are made */
    LLVMValueRef channel, round;  /* in hand, and the first of the rounds, i64 */
    LLVMValueRef mask;            /* bits of rounds that there are; NULL: all */
    LLVMValueRef rows[VSG_JIT_MOST_COLUMNS]; /* where the channel's begin */
    vsg_jit_lane_made fixed[VSG_JIT_MOST_FIXED_ALONG], made[VSG_JIT_MOST_VALUES_ALONG];
    vsg_jit_lanes_kept kept[VSG_JIT_MOST_FIXED_ALONG];
    vsg_jit_lanes_carried carried[VSG_JIT_MOST_CARRIED_ALONG];
    uint32_t num_fixed, num_made, num_kept, num_carried, depth;
} vsg_jit_along_lanes;

/* What channels have of a value, in each of the rounds in hand. NULL: that cannot be said. */
LLVMValueRef vsg_jit_along_value(vsg_jit_along_lanes *l, vsg_jit_lane_of of);

/* Loads all that a column has in the rounds in hand, or stores it. False: of some that cannot
 * be said. */
bool vsg_jit_along_load(vsg_jit_along_lanes *l, uint32_t number);
bool vsg_jit_along_store(vsg_jit_along_lanes *l, uint32_t number);

/* Where the channel's element is of a vector on the stack, whose lanes have so many bytes;
 * `first`: of channel 0. */
LLVMValueRef vsg_jit_along_place(vsg_jit_along_lanes *l, LLVMValueRef slot, uint32_t first,
                                 uint32_t bytes);
uint32_t vsg_jit_along_bytes(LLVMTypeRef lane);

/* vsg_jit_find_series() of an integer that is a lane; the builder stays where it is. */
bool vsg_jit_along_find_series(vsg_jit_along_lanes *l, LLVMValueRef v, vsg_jit_series *out);

#endif
