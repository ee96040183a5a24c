/* SPDX-License-Identifier: MIT
 *
 * Loads and stores of the first lanes of a vector, when LLVM's passes have made masks of loops
 * constants. */
#ifndef VISAGE_JIT_PREFIX_H
#define VISAGE_JIT_PREFIX_H

#include "jit/emit.h"

/* Makes of masked accesses to the first lanes accesses that are no longer than these: what was
 * stored under a mask has to reach memory before it can be loaded. */
void vsg_jit_shorten(vsg_jit_emitter *e);

#endif
