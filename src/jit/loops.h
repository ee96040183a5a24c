/* SPDX-License-Identifier: MIT
 *
 * Loops that channels run one after the other instead of side by side. Where each round gathers
 * from memory and channels leave at different times, a gather costs about as much for one
 * channel as for all; scalar code costs only what is done, and reads memory in its order. Such
 * a loop goes from a label to the goto back to it, by a condition or, where all leave before,
 * by none, with branches forwards inside, and to one label behind it; a channel's loads do not
 * depend on what it loaded in the round before, which would make it wait for each.
 *
 * It may store, from one place in the text and the same whichever channel it is, to memory that
 * it loads nothing from, which windows tell: then it makes no difference which channel is
 * first. The stores are put off until all channels are through.
 *
 * The loop as it stands is kept behind it: where an access leaves its memory or the budget is
 * used up, nothing has been changed yet but scalars and surface variables that the loop writes
 * before it reads them, and all channels begin again there. */
#ifndef VISAGE_JIT_LOOPS_H
#define VISAGE_JIT_LOOPS_H

#include "jit/emit.h"

/* Finds such loops. False: memory is out. */
bool vsg_jit_find_loops(vsg_jit_emitter *e);

/* ---- their code (loops_emit.c) ------------------------------------------------------------
 */

/* Makes the slots of one channel's values; in the entry block. */
void vsg_jit_make_loop_slots(vsg_jit_emitter *e);
/* Where a block begins: the loop by channels, if it is one; the builder is then where the loop
 * as it stands is to be made. */
void vsg_jit_emit_loop_by_channels(vsg_jit_emitter *e, uint32_t place);
/* Notes a store of the loop that is being made, which is made when all channels are through. */
void vsg_jit_put_off(vsg_jit_emitter *e, LLVMValueRef value, LLVMValueRef at);
/* Where a jump backwards to `place` goes. */
LLVMBasicBlockRef vsg_jit_head_of(const vsg_jit_emitter *e, uint32_t place);

/* ---- what is found ----------------------------------------------------------------------- */

/* Blocks behind a loop's first one; stores and loads of a loop that stores. */
enum { VSG_JIT_MOST_INNER = 8, VSG_JIT_MOST_ACCESSES = 8 };

/* The elements that channels have of a part, one each, of which instructions may use some
 * bytes; of predicates, bits. */
typedef struct vsg_jit_loop_lane {
    uint32_t part, own; /* own: the part that has one channel's value */
    uint32_t at, bytes, stride;
    bool is_read, is_written; /* before it is written; and asked for behind the loop */
    LLVMValueRef all;         /* slot of all channels' values while they are in work */
} vsg_jit_loop_lane;

/* A block of the loop behind its first one. */
typedef struct vsg_jit_inner_block {
    uint32_t place;
    bool is_skipped; /* a channel may go around it */
    LLVMBasicBlockRef block;
} vsg_jit_inner_block;

/* An access of a loop that stores. */
typedef struct vsg_jit_loop_access {
    uint32_t window;
    bool is_store;
} vsg_jit_loop_access;

typedef struct vsg_jit_loop {
    uint32_t end;           /* place of the goto back */
    bool is_endless;        /* all channels take it: they leave in the middle */
    uint32_t most_channels; /* where more begin, they go side by side */
    vsg_jit_inner_block inner[VSG_JIT_MOST_INNER];
    uint32_t num_inner;
    bool has_skips;
    uint32_t exit;  /* label where channels wait that leave in its middle; 0: none does */
    uint32_t store; /* place of its store; 0: none */
    vsg_jit_loop_lane lanes[VSG_JIT_MOST_LANES];
    uint32_t num_lanes;

    /* While code is made: */
    vsg_jit_loop_access accesses[VSG_JIT_MOST_ACCESSES];
    uint32_t num_accesses;
    LLVMValueRef visits;                      /* for each round a byte: bits of inner blocks */
    LLVMValueRef num_visits;                  /* i64: their instructions */
    LLVMValueRef places, num_places, element; /* of stores: pointers, i64, what they store */
    LLVMValueRef bits, rounds, most_rounds;   /* slots: channels to come; of this one, of any */
    LLVMValueRef tries;                       /* slot: how often it has begun */
    LLVMValueRef gone;                        /* slot: channels that left in the middle */
    LLVMBasicBlockRef leaving;                /* one does */
    LLVMBasicBlockRef head;                   /* of the loop as it stands */
} vsg_jit_loop;

/* Has an operand an element for each channel, in its order? */
bool vsg_jit_is_by_channel(const vsg_exe_operand *operand);

#endif
