/* SPDX-License-Identifier: MIT
 *
 * Several rounds of a loop at once: what each computes and loads becomes a lane of a vector, if
 * that can be said before the loop but for what comes from memory (abreast.h). */
#ifndef VISAGE_JIT_ABREAST_LANES_H
#define VISAGE_JIT_ABREAST_LANES_H

#include "jit/limits.h"
#include "jit/series.h"

enum { VSG_JIT_MOST_ABREAST = 16, VSG_JIT_MOST_PLACES = 8, VSG_JIT_MOST_VALUES_ABREAST = 128 };

/* What a test says of base[index]: an index of up to 32 bits is to be below a limit. Those that
 * are not are the last one below it, so that each lane has a place where it may look. */
typedef struct vsg_jit_limited {
    vsg_jit_element of; /* base: NULL: any */
    LLVMValueRef lanes; /* the index, i32 */
    LLVMValueRef none;  /* i1: no index is below the limit */
} vsg_jit_limited;

/* Addresses of the lanes that are inside; of the others one with zeros. Or indices, i32, of
 * what begins with `first`. */
typedef struct vsg_jit_place {
    LLVMValueRef address, lanes;
    LLVMValueRef slot;  /* where addresses lie on the stack; NULL: not yet */
    LLVMValueRef first; /* i64; NULL: lanes are addresses */
    uint32_t shift;     /* of indices */
} vsg_jit_place;

/* The rounds in hand. */
typedef struct vsg_jit_abreast_lanes {
    vsg_jit_hoister *h;
    const LLVMValueRef *held; /* tests that hold in all rounds */
    uint32_t num_held;
    uint32_t num;           /* lanes */
    LLVMBasicBlockRef code; /* where they are made */
    LLVMValueRef round;     /* of the loop, which the first lane is, i64 */
    LLVMValueRef mask;      /* a bit for each lane that has a round, */
    LLVMValueRef inside;    /* and that no test so far has failed for: others look nowhere */
    LLVMValueRef fails;     /* i1: a test has failed for one that has */
    vsg_jit_place places[VSG_JIT_MOST_PLACES];
    vsg_jit_limited limited[VSG_JIT_MOST_PLACES];
    vsg_jit_pair made[VSG_JIT_MOST_VALUES_ABREAST];
    uint32_t num_places, num_limited, num_made, depth;
} vsg_jit_abreast_lanes;

/* The builder goes to the end of the code, or of what is before the loop. */
static inline void vsg_jit_abreast_go_on(const vsg_jit_abreast_lanes *l)
{
    LLVMPositionBuilderAtEnd(l->h->e->b, l->code);
}

static inline void vsg_jit_abreast_go_before(const vsg_jit_abreast_lanes *l)
{
    LLVMPositionBuilderAtEnd(l->h->e->b, l->h->decide);
}

/* Is it of the loop: an instruction or a block? */
static inline bool vsg_jit_abreast_has(const vsg_jit_abreast_lanes *l, LLVMValueRef v)
{
    return vsg_jit_mapped(&l->h->own, v) != NULL;
}

/* Does a test hold in all rounds? */
bool vsg_jit_abreast_holds(const vsg_jit_abreast_lanes *l, LLVMValueRef test);

/* A value in each round. NULL: that cannot be said. */
LLVMValueRef vsg_jit_abreast_value(vsg_jit_abreast_lanes *l, LLVMValueRef v);

/* A test that is not known to hold: it is made of all lanes. False: it cannot be. */
bool vsg_jit_abreast_look(vsg_jit_abreast_lanes *l, LLVMValueRef mark);

/* The place that a value is loaded from, and no more, where lanes go one by one; NULL: it is no
 * such value. And what lane n loads there. */
vsg_jit_place *vsg_jit_abreast_place(vsg_jit_abreast_lanes *l, LLVMValueRef v);
LLVMValueRef vsg_jit_abreast_load(vsg_jit_abreast_lanes *l, LLVMTypeRef type,
                                  vsg_jit_place *from, uint32_t n);

#endif
