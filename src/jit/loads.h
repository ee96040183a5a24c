/* SPDX-License-Identifier: MIT
 *
 * Loads of vectors in code that is compiled quickly. */
#ifndef VISAGE_JIT_LOADS_H
#define VISAGE_JIT_LOADS_H

#include "jit/emit.h"

/* Has each vector loaded as a whole, whichever of its elements are asked for. */
void vsg_jit_freeze_loads(vsg_jit_emitter *e);

#endif
