/* SPDX-License-Identifier: MIT
 *
 * Shared local memory without memory. Where a group is run as a whole, and by text without
 * branches, it is known which lanes of which store each load has, and nobody else looks: what
 * is loaded is made of what was stored. */
#ifndef VISAGE_JIT_SLM_H
#define VISAGE_JIT_SLM_H

#include "jit/emit.h"

/* Marks the branch that ends a group. */
void vsg_jit_mark_end_of_group(vsg_jit_emitter *e, LLVMValueRef branch);

/* Does that in the function that runs groups, when its loops have been relieved of tests and
 * accesses have been told of (memories.h); `slm` is what the memory is called. Where a load has
 * lanes of too many stores nothing changes. */
void vsg_jit_hold_slm(vsg_jit_emitter *e, uint32_t slm);

#endif
