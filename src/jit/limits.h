/* SPDX-License-Identifier: MIT
 *
 * Tests of memory that a loop looks up by what it has loaded: base[index]. Where `base` and the
 * window are the same in all rounds, so is the limit that the index is to stay below, and one
 * comparison with it says enough, mostly. */
#ifndef VISAGE_JIT_LIMITS_H
#define VISAGE_JIT_LIMITS_H

#include "jit/series.h"

/* Makes a test (VSG_JIT_IN_WINDOW) of a copy of the loop such a comparison, behind which the
 * whole test stands where that says no. map: from the loop to its copy; test: the loop's own;
 * base, size: of its window, loaded in `decide`. False: it is none of these, nothing was done.
 */
bool vsg_jit_limit_index(vsg_jit_hoister *h, const vsg_jit_map *map, LLVMValueRef test,
                         LLVMValueRef base, LLVMValueRef size);

#endif
