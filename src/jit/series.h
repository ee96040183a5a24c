/* SPDX-License-Identifier: MIT
 *
 * What values in a loop are from round to round, and for how many rounds tests hold. */
#ifndef VISAGE_JIT_SERIES_H
#define VISAGE_JIT_SERIES_H

#include "jit/marks.h"
#include "jit/region.h"

enum {
    VSG_JIT_MOST_SERIES = 1024,
    VSG_JIT_MOST_BOUNDS = 256,
    VSG_JIT_MOST_DEPTH = 32,
    VSG_JIT_MOST_PHIS = 256,
    VSG_JIT_MOST_LOOKS = 1 << 16,
    VSG_JIT_MOST_SCALE = 1 << 20
};

/* An integer that is `start` in the first round and grows by `step` in each, as far as its bits
 * go. A pointer, or anything without a step: the same in all rounds.
 *
 * An i64 may be a multiple of a root and more: start = rest + scale * root. Then `rest` is the
 * same in all rounds, and the root grows by a constant, root_step. */
typedef struct vsg_jit_series {
    LLVMValueRef start, step; /* step: NULL: none */
    LLVMValueRef root, rest;  /* root: NULL: none */
    uint64_t scale, root_step;
} vsg_jit_series;

typedef struct vsg_jit_known {
    LLVMValueRef value;
    vsg_jit_series is;
} vsg_jit_known;

/* `is`, i64, is to stay below the limit, without signs. No step, and no limit: an i1. */
typedef struct vsg_jit_bound {
    vsg_jit_series is;
    LLVMValueRef limit;
} vsg_jit_bound;

/* The mask of channels that leave the loop one by one, unless all that are on have equally far
 * to go (together.h). */
typedef struct vsg_jit_together {
    LLVMValueRef mask, next; /* a phi of the header, i32, NULL: none; and when a round ends */
    LLVMValueRef leaving;    /* then; NULL: the loop does not work that out first */
    LLVMValueRef begin;      /* what it is in decide, where it is known: */
    LLVMValueRef holds;      /* i1: they leave together */
    LLVMValueRef more;       /* i64: rounds behind the first one, of all, */
    LLVMValueRef rounds;     /* and of each channel, i64, all rounds; NULL: it is not known, */
    LLVMValueRef is_sure;    /* where this i1 holds, and they may leave one by one */
    bool may_differ;         /* nothing is said that is only so if they leave together */
    bool is_asked;           /* something has been said that is only so if they do */
} vsg_jit_together;

/* A loop, and the block before it where is found out how many rounds need no tests. */
typedef struct vsg_jit_hoister {
    vsg_jit_emitter *e;
    const vsg_jit_region *region;
    vsg_jit_map own; /* what is in the region */
    LLVMBasicBlockRef decide;
    LLVMValueRef phis[VSG_JIT_MOST_PHIS],
        begin[VSG_JIT_MOST_PHIS]; /* of the header; what they are in decide */
    uint32_t num_phis;
    vsg_jit_known known[VSG_JIT_MOST_SERIES];
    uint32_t num_known;
    vsg_jit_bound bounds[VSG_JIT_MOST_BOUNDS];
    uint32_t num_bounds;
    vsg_jit_together together;
    LLVMValueRef way[VSG_JIT_MOST_DEPTH]; /* phis in hand */
    uint32_t depth, on_way, num_looks;    /* at values, for all tests */
    bool is_of_groups; /* the loop over groups as a whole: what has tests is other code */
} vsg_jit_hoister;

/* Finds what a test of the loop asks for, as more bounds: it holds in a round if they are kept
 * in all rounds up to it. The builder is at the end of `decide`, where code for that is made.
 * False: that cannot be said, nothing was added. */
bool vsg_jit_find_bounds(vsg_jit_hoister *h, LLVMValueRef test);

/* What a value of the loop is from round to round; code for `start` and `step` is made as for
 * bounds, which may become more. False: that cannot be said. */
bool vsg_jit_find_series(vsg_jit_hoister *h, LLVMValueRef v, vsg_jit_series *out);

/* The same for one that does not change. */
bool vsg_jit_find_constant(vsg_jit_hoister *h, LLVMValueRef v, LLVMValueRef *out);

/* What has been found so far, to go back to. */
typedef struct vsg_jit_found {
    uint32_t num_known, num_bounds;
    bool is_asked; /* of vsg_jit_together */
} vsg_jit_found;
static inline vsg_jit_found vsg_jit_found_by(const vsg_jit_hoister *h)
{
    return (vsg_jit_found){h->num_known, h->num_bounds, h->together.is_asked};
}
static inline void vsg_jit_go_back_to(vsg_jit_hoister *h, const vsg_jit_found *found)
{
    h->num_known = found->num_known;
    h->num_bounds = found->num_bounds;
    h->together.is_asked = found->is_asked;
}

/* One more bound. False: there are too many. */
bool vsg_jit_bind(vsg_jit_hoister *h, vsg_jit_series is, LLVMValueRef limit);

/* So many bytes of the function's stack, aligned to a cache line. */
LLVMValueRef vsg_jit_take_stack(vsg_jit_hoister *h, uint32_t bytes);

/* What it is in some round, i64, as far as its bits go; the builder is where that is asked. */
LLVMValueRef vsg_jit_series_at(vsg_jit_emitter *e, const vsg_jit_series *is,
                               LLVMValueRef round);

/* What a phi of the loop's header was before, in decide. NULL: it is none. */
LLVMValueRef vsg_jit_begin_of(const vsg_jit_hoister *h, LLVMValueRef phi);

/* What a phi of the loop's header gets from the round before. */
LLVMValueRef vsg_jit_coming_back(const vsg_jit_hoister *h, LLVMValueRef phi);

#endif
