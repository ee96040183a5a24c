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
 * used up, nothing has been changed yet but what the loop writes before it reads it, whichever
 * channel it is (scalars, surface variables and what is "fixed"), and all begin again there.
 * Many rounds are taken some at a time.
 *
 * Each channel has scalars of its own that a round leaves to the next one, as counters
 * ("stepped"): they are the same in the same round. Where some leave earlier than others,
 * nobody may ask for them behind the loop.
 *
 * It may also store to the thread's scratch, and then to nothing else, if it is in no other
 * loop (loops_scratch.h).
 *
 * Arrays in registers may be part of it, an element of each channel a row, if it is found at
 * run time that a channel goes to elements of its own alone; what was in them is kept until all
 * channels are through. Text for 32 channels that has an instruction for each half is made
 * twice, once for the channels of each half. */
#ifndef VISAGE_JIT_LOOPS_H
#define VISAGE_JIT_LOOPS_H

#include "jit/emit.h"
#include "jit/loops_choice.h"
#include "jit/loops_scratch.h"

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

/* Blocks behind a loop's first one; stores and loads of a loop that stores, of flat memory;
 * lanes of a pass; arrays. */
enum {
    VSG_JIT_MOST_INNER = 64,
    VSG_JIT_MOST_ACCESSES = 8,
    VSG_JIT_MOST_PASS_LANES = 256,
    VSG_JIT_MOST_ARRAYS = 16
};

/* The elements that channels have of a part, one each, of which instructions may use some
 * bytes; of predicates, bits. */
typedef struct vsg_jit_loop_lane {
    uint32_t part, own; /* own: the part that has one channel's value */
    uint32_t at, bytes, stride;
    bool is_read, is_written; /* before it is written; and asked for when the rounds are over */
    LLVMValueRef all;         /* slot of all channels' values while they are in work, */
    LLVMValueRef before;      /* and of those that there were; else the same */
    uint32_t pile;            /* of what is added to it (pile.h); 0: there is none */
} vsg_jit_loop_lane;

/* An array in registers: the bytes of its variable, and of an element. A row of it has an
 * element for each channel of the passes that use it. */
typedef struct vsg_jit_loop_array {
    uint32_t at, end;
    uint8_t bytes;
    uint8_t passes; /* a bit each */
    bool is_written;
    LLVMValueRef kept; /* slot of what was in it */
} vsg_jit_loop_array;

/* What one channel does where all have an instruction. */
typedef enum vsg_jit_loop_role {
    VSG_JIT_ROLE_NOTHING,
    VSG_JIT_ROLE_WHOLE,    /* what all do: it is of no channel, or the same at any time */
    VSG_JIT_ROLE_GOTO,     /* it goes its own way */
    VSG_JIT_ROLE_CHANNEL,  /* the instruction, of its own elements */
    VSG_JIT_ROLE_ADDRESS,  /* the address of an element */
    VSG_JIT_ROLE_ELEMENTS, /* a row of moves to elements of arrays (elements.h): its own */
    VSG_JIT_NUM_ROLES
} vsg_jit_loop_role;

/* Channels that have the same text: all, or those of one half. */
typedef struct vsg_jit_loop_pass {
    uint32_t first, count; /* channels */
    uint8_t *roles;        /* by place, from the loop's head on */
    vsg_jit_loop_lane lanes[VSG_JIT_MOST_PASS_LANES];
    uint32_t num_lanes;
    uint32_t pile; /* the first of its lanes' (pile.h); 0: there is none */
} vsg_jit_loop_pass;

/* A block of the loop behind its first one. */
typedef struct vsg_jit_inner_block {
    uint32_t place;
    bool is_skipped; /* not all rounds of a channel come to it, */
    bool is_apart;   /* nor all channels in the same rounds */
    LLVMBasicBlockRef block;
} vsg_jit_inner_block;

/* An access of a loop that stores, of flat memory. */
typedef struct vsg_jit_loop_access {
    uint32_t window;
    bool is_store;
} vsg_jit_loop_access;

typedef struct vsg_jit_loop {
    uint32_t start, end;    /* places of the label and of the goto back to it */
    bool is_endless;        /* all channels take it: they leave in the middle */
    bool ends_together;     /* of those that come to the goto all take it, or none */
    bool is_even;           /* all go the same number of rounds, wherever they leave */
    uint32_t most_channels; /* where more begin, they go side by side */
    vsg_jit_inner_block inner[VSG_JIT_MOST_INNER];
    uint32_t num_inner;
    bool has_skips;
    bool is_tried;  /* what it takes is measured (loops_choice.h) */
    uint32_t exit;  /* label where channels go that leave in its middle; 0: none does */
    uint32_t store; /* place of its store; 0: none, or to scratch */
    vsg_jit_loop_scratch scratch;
    uint64_t *fixed;   /* bits of parts that what is of no channel makes anew each time, */
    uint64_t *stepped; /* and of those that it changes in each round, by itself */
    uint32_t num_passes, num_arrays;

    /* While code is made: */
    const vsg_jit_loop_pass *pass;        /* in hand */
    LLVMValueRef channel;                 /* i32: in work, counted from the pass's first */
    struct vsg_jit_loop_numbers *numbers; /* (loops_numbers.c) */
    LLVMValueRef *addresses; /* i32: of elements of arrays, by place from the start */
    vsg_jit_loop_access accesses[VSG_JIT_MOST_ACCESSES];
    uint32_t num_accesses;
    LLVMValueRef visits;                      /* for each round i64: bits of inner blocks */
    LLVMValueRef visited;                     /* slot: of this round */
    LLVMValueRef places, num_places, element; /* of stores: pointers, i64, what they store */
    LLVMValueRef bits, rounds, most_rounds;   /* slots: channels to come; of this one, of any */
    LLVMValueRef all_rounds;                  /* slot: of all together, where it is tried */
    LLVMValueRef tries;                       /* slot: how often it has begun */
    LLVMValueRef gone;                        /* slot: channels that left in the middle */
    LLVMValueRef staying;                     /* slot: channels that have more rounds to go */
    vsg_jit_loop_choice choice;               /* where the loop is tried */
    LLVMBasicBlockRef leaving;                /* one leaves in the middle */
    LLVMBasicBlockRef undo;                   /* all channels are to begin again */
    LLVMBasicBlockRef head, back;             /* of the loop as it stands; where it goes back */

    vsg_jit_loop_array arrays[VSG_JIT_MOST_ARRAYS];
    vsg_jit_loop_pass passes[2];
} vsg_jit_loop;

/* Has an operand an element for each channel, in its order? */
bool vsg_jit_is_by_channel(const vsg_exe_operand *operand);
/* Channels of an instruction of all channels that are before a pass's first one. */
static inline uint32_t vsg_jit_pass_skips(const vsg_jit_loop_pass *pass,
                                          const vsg_exe_inst *inst)
{
    return inst->exec_size > pass->count ? pass->first : 0;
}
/* Bytes from one channel's element to the next one's. */
static inline uint32_t vsg_jit_channel_stride(const vsg_exe_operand *operand)
{
    return operand->shape == VSG_EXE_SHAPE_CONTIGUOUS ? operand->bytes
                                                      : (uint32_t)operand->h_stride_bytes;
}
/* Has an operand elements of parts of a set? */
bool vsg_jit_is_of_parts(const vsg_jit_emitter *e, const uint64_t *parts,
                         const vsg_exe_operand *operand);
/* Channels that have an element in a row of an array. */
static inline uint32_t vsg_jit_channels_of(const vsg_jit_loop *l,
                                           const vsg_jit_loop_array *array)
{
    return l->passes[0].count * (uint32_t)__builtin_popcount(array->passes);
}
/* The array that an indirect operand of the instruction at `place` is an element of, and where
 * its address is made, in the same block. NULL: it is of none that is known. */
const vsg_jit_loop_array *vsg_jit_array_at(const vsg_jit_emitter *e, const vsg_jit_loop *l,
                                           const vsg_jit_loop_pass *pass, uint32_t place,
                                           const vsg_exe_operand *operand, uint32_t *from);

/* ---- one channel's instructions (loops_channel.c) -------------------------------------------
 */

/* The code for the instruction in hand, of the channel in work; it is no goto. */
void vsg_jit_emit_role(vsg_jit_emitter *e, vsg_jit_loop *l, vsg_jit_loop_role role);
/* Does it take a goto? (i1) NULL: each channel does. */
LLVMValueRef vsg_jit_channel_takes(vsg_jit_emitter *e, const vsg_jit_loop *l,
                                   const vsg_exe_inst *inst);

/* ---- numbers of channels (loops_numbers.c) --------------------------------------------------
 */

/* Where a block begins, nothing is known. */
void vsg_jit_forget_numbers(vsg_jit_loop *l);
/* Follows an instruction of all channels, of a fixed part. */
void vsg_jit_follow_numbers(vsg_jit_emitter *e, vsg_jit_loop *l, const vsg_exe_inst *inst);
/* What channel `channel` (i32) has of a source of `count` elements. NULL: it is not known. */
LLVMValueRef vsg_jit_number_of(vsg_jit_emitter *e, const vsg_jit_loop *l,
                               const vsg_exe_operand *operand, uint32_t count,
                               LLVMValueRef channel);

#endif
