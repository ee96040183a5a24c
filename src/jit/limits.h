/* SPDX-License-Identifier: MIT
 *
 * Tests of memory that a loop looks up by what it has loaded: base[index]. Where `base` and the
 * window are the same in all rounds, so is the limit that the index is to stay below, and one
 * comparison with it says enough, mostly. */
#ifndef VISAGE_JIT_LIMITS_H
#define VISAGE_JIT_LIMITS_H

#include "jit/series.h"

/* An address: base + (index << shift). */
typedef struct vsg_jit_element {
    LLVMValueRef base; /* from outside the loop */
    LLVMValueRef
        index; /* i64, extended from 32 bits or fewer, so that nothing is shifted out */
    uint32_t shift;
} vsg_jit_element;

/* Is it such an index? */
bool vsg_jit_is_index(const vsg_jit_hoister *h, LLVMValueRef v);

/* False: it is none. */
bool vsg_jit_find_element(const vsg_jit_hoister *h, LLVMValueRef address, vsg_jit_element *out);

/* Below it, i64, an index is of an element in the window, whose base and size these are; at the
 * end of `decide`. Where the window begins behind the base there may be such, but no limit. */
LLVMValueRef vsg_jit_limit_of(vsg_jit_hoister *h, const vsg_jit_element *of, LLVMValueRef base,
                              LLVMValueRef size);

/* Makes a test (VSG_JIT_IN_WINDOW) of a copy of the loop such a comparison, behind which the
 * whole test stands where that says no. map: from the loop to its copy; test: the loop's own;
 * base, size: of its window, loaded in `decide`. False: it is none of these, nothing was done.
 */
bool vsg_jit_limit_index(vsg_jit_hoister *h, const vsg_jit_map *map, LLVMValueRef test,
                         LLVMValueRef base, LLVMValueRef size);

#endif
