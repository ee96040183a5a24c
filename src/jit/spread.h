/* SPDX-License-Identifier: MIT
 *
 * Masks as vectors, for hosts that have no registers for masks. */
#ifndef VISAGE_JIT_SPREAD_H
#define VISAGE_JIT_SPREAD_H

#include "jit/emit.h"

/* Spreads masks over lanes in all functions of the module, when LLVM's passes are done. */
void vsg_jit_spread_masks(vsg_jit_emitter *e);

#endif
