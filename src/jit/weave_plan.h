/* SPDX-License-Identifier: MIT
 *
 * What vectors that are stored are made of, lane by lane (weave.h), and whether it is worth it
 * to make them in another way. */
#ifndef VISAGE_JIT_WEAVE_PLAN_H
#define VISAGE_JIT_WEAVE_PLAN_H

#include "jit/lane_operations.h"

enum {
    VSG_JIT_VECTOR_BITS = 512,  /* of a host's vector */
    VSG_JIT_MOST_STRANDS = 512, /* lanes of a vector */
    VSG_JIT_MOST_KNOTS = 1024,
    VSG_JIT_MOST_KNOTS_IN_ALL = 1 << 12, /* of all plans */
    VSG_JIT_MOST_SOURCES = 16,
    VSG_JIT_MOST_WAYS_IN = 4,
    VSG_JIT_FIBRE_PLACES = 1 << 14, /* half of them may be taken */
    VSG_JIT_MOST_MOVES = 1 << 13,
    VSG_JIT_MOST_STITCHES = 4096,
    VSG_JIT_MOST_ANCHORS = 16,
    VSG_JIT_MOST_BRAIDS = 16
};

/* Where a lane comes from: a vector's lane, or a number. NULL: it is undefined. */
typedef struct vsg_jit_strand {
    LLVMValueRef value;
    uint64_t lane;
} vsg_jit_strand;

/* In this order: what takes its sources as they are, up to GATHERED; what does without them;
 * from OPERATION on what has the lanes that its sources have. */
typedef enum vsg_jit_knot_kind {
    VSG_JIT_KNOT_NONE, /* nothing has come of it, or not yet */
    VSG_JIT_KNOT_CONSTANT,
    VSG_JIT_KNOT_SCALARS,   /* the same numbers by turns */
    VSG_JIT_KNOT_AS_IT_IS,  /* in the sources' own order, a vector register at a time */
    VSG_JIT_KNOT_SPREAD,    /* of one source, in another order */
    VSG_JIT_KNOT_GATHERED,  /* of some, in any order */
    VSG_JIT_KNOT_LOADED,    /* from one place in memory */
    VSG_JIT_KNOT_RESIZED,   /* the bits of wider or narrower lanes */
    VSG_JIT_KNOT_OPERATION, /* what all sources do, of other operands */
    VSG_JIT_KNOT_PHI
} vsg_jit_knot_kind;

/* A vector whose lanes are known. */
typedef struct vsg_jit_knot {
    vsg_jit_knot_kind kind;
    vsg_jit_strand *strands;
    uint32_t room;        /* for strands */
    uint32_t count, bits; /* of a lane */
    uint32_t period;      /* of scalars */
    bool is_rare;         /* it does not matter how long it takes to gather it */
    bool is_used;         /* when the plan is made */
    bool has_failed;      /* it cannot be made */
    bool is_sure;         /* it is made with a piece before the one in hand */
    uint32_t piece;       /* that it is planned for */
    uint32_t seen;        /* when it was counted last */
    LLVMValueRef sources[VSG_JIT_MOST_SOURCES]; /* each once; of scalars in their order */
    uint32_t num_sources;
    struct vsg_jit_knot *of[VSG_JIT_MOST_WAYS_IN]; /* operands; what comes in */
    uint32_t num_of;
    LLVMValueRef made;
} vsg_jit_knot;

/* An instruction that strands come from or go through: there is no need for it afterwards, if
 * nobody else asks for it. */
typedef struct vsg_jit_fibre {
    LLVMValueRef value;
    vsg_jit_knot *knot; /* whose source it is; NULL: strands go through it */
    bool stays;
} vsg_jit_fibre;

/* What addresses are told from: a value from before the block, an i64 or a pointer, and, of a
 * surface, where it is found where that begins, which does not change. */
typedef struct vsg_jit_anchor {
    LLVMValueRef value, table; /* value: NULL: 0; table: NULL: it is no surface */
} vsg_jit_anchor;

/* A load or store of a block, of elements that follow each other in memory, from anchor + at
 * on. */
typedef struct vsg_jit_move {
    LLVMValueRef inst;
    vsg_jit_anchor anchor;
    int64_t at;
    LLVMValueRef value, mask; /* of stores; NULL: all */
    uint32_t count, bytes;    /* of an element */
    int64_t from, end;        /* of those that may be on, from the anchor */
    uint32_t order;           /* in the block */
} vsg_jit_move;

/* An element, or a part of one, that is to be stored elsewhere. */
typedef struct vsg_jit_stitch {
    int64_t at;
    vsg_jit_strand strand;
    uint32_t order; /* of its store */
    uint32_t piece; /* which it will be stored with */
} vsg_jit_stitch;

/* All lanes of some vectors, by turns. */
typedef struct vsg_jit_braid {
    LLVMValueRef of[VSG_JIT_MOST_SOURCES], made;
    uint32_t count;
} vsg_jit_braid;

typedef struct vsg_jit_weaver {
    vsg_jit_emitter *e;
    vsg_jit_knot knots[VSG_JIT_MOST_KNOTS];
    uint32_t num_knots, depth, num_counts;
    uint32_t num_knots_in_all;
    bool has_woven;
    vsg_jit_fibre fibres[VSG_JIT_FIBRE_PLACES]; /* by value */
    vsg_jit_fibre *noted[VSG_JIT_FIBRE_PLACES / 2];
    uint32_t num_fibres;
    /* What is to be stored in another way: one store, where it is, or some of a block, behind
     * all else in it. */
    LLVMValueRef store;
    LLVMBasicBlockRef block;
    LLVMValueRef stores[VSG_JIT_MOST_MOVES]; /* of a block, for one after the other */
    vsg_jit_move moves[VSG_JIT_MOST_MOVES];  /* of the block, by instruction */
    uint32_t num_moves;
    vsg_jit_anchor anchor;                          /* of the stores */
    vsg_jit_stitch stitches[VSG_JIT_MOST_STITCHES]; /* by place */
    uint32_t num_stitches, num_pieces;
    uint32_t bytes;                               /* of each */
    uint32_t piece;                               /* in hand */
    vsg_jit_anchor anchors[VSG_JIT_MOST_ANCHORS]; /* of all moves */
    LLVMValueRef there[VSG_JIT_MOST_ANCHORS];     /* as i64, at the end of the block; NULL: not
                                                   * asked for yet */
    uint32_t num_anchors;
    vsg_jit_braid braids[VSG_JIT_MOST_BRAIDS]; /* made at the end of the block */
    uint32_t num_braids;
} vsg_jit_weaver;

/* Back to what makes a strand, whose lane is 0 where that is a scalar; NULL: it is undefined.
 * False: that cannot be told. */
bool vsg_jit_trace_strand(vsg_jit_weaver *w, vsg_jit_strand *s);
/* Forgets what was planned. */
void vsg_jit_begin_plan(vsg_jit_weaver *w);
/* A vector of `count` lanes of `bits`, for strands to be put in. NULL: that is too much, or
 * memory is out. */
vsg_jit_knot *vsg_jit_new_knot(vsg_jit_weaver *w, uint32_t count, uint32_t bits);
/* What is to be made for a new one; NULL: it cannot be made. */
vsg_jit_knot *vsg_jit_follow_strands(vsg_jit_weaver *w, vsg_jit_knot *k);
/* What has been planned for the piece in hand will be made for it: those behind it may use it.
 */
void vsg_jit_settle_piece(vsg_jit_weaver *w, vsg_jit_knot *root);
/* The fibre that an instruction is. NULL: none. */
vsg_jit_fibre *vsg_jit_fibre_of(vsg_jit_weaver *w, LLVMValueRef v);

/* ---- prices (weave_price.c) ---------------------------------------------------------------
 */

/* How many of the host's vectors lanes take. */
uint32_t vsg_jit_vectors_of(uint32_t count, uint32_t bits);
/* Are lanes of sources next to each other by turns, of a power of two of them? */
bool vsg_jit_takes_turns(const vsg_jit_knot *k);
/* Is all that a knot is made of in its order, at no price? */
bool vsg_jit_is_in_order(vsg_jit_weaver *w, vsg_jit_knot *k);
/* Is it cheaper to put what a knot is made of in its order than to gather the knot? */
bool vsg_jit_is_cheaper(vsg_jit_weaver *w, vsg_jit_knot *k);
/* Are some knots, and `count` stores, less than what there is? Tells fibres whether they stay.
 */
bool vsg_jit_is_worth_weaving(vsg_jit_weaver *w, vsg_jit_knot **roots, uint32_t num_roots,
                              uint32_t count);
/* Where someone uses a value: of a phi the end of the block that it takes it from. NULL: of
 * several. */
LLVMValueRef vsg_jit_place_of_use(LLVMUseRef use);
/* Does control rarely come to a block? */
bool vsg_jit_is_rare(vsg_jit_emitter *e, LLVMBasicBlockRef block);

/* ---- memory (weave_memory.c) --------------------------------------------------------------
 */

/* Finds what a block loads and stores. False: it does something else to memory, or too much. */
bool vsg_jit_find_moves(vsg_jit_weaver *w, LLVMBasicBlockRef block);
/* The move that an instruction is. NULL: none. */
const vsg_jit_move *vsg_jit_move_of(const vsg_jit_weaver *w, LLVMValueRef inst);
bool vsg_jit_is_anchor(const vsg_jit_anchor *a, const vsg_jit_anchor *b);
/* Finds what is stored from an anchor on, and the pieces it can be stored in: in units of the
 * smallest elements that are. False: it cannot. */
bool vsg_jit_find_stitches(vsg_jit_weaver *w, vsg_jit_anchor anchor);
/* Drops vectors of such units, which nobody needs if they stay as they are stored. */
void vsg_jit_drop_units(const vsg_jit_weaver *w);
/* Are the elements that strands come from next to each other in memory, and still the same
 * where the piece in hand is stored? */
bool vsg_jit_lie_in_memory(const vsg_jit_weaver *w, const vsg_jit_knot *k);
/* The place of an anchor and some bytes, as a pointer, where the block ends. */
LLVMValueRef vsg_jit_place_at(vsg_jit_weaver *w, vsg_jit_anchor anchor, int64_t at);
/* Is all that would change its place apart from what the block does between? (i1) */
LLVMValueRef vsg_jit_can_move(vsg_jit_weaver *w);

#endif
