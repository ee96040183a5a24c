/* SPDX-License-Identifier: MIT
 *
 * Sums of vectors of which only the low bits are asked for. */
#ifndef VISAGE_JIT_LOW_BITS_H
#define VISAGE_JIT_LOW_BITS_H

#include "jit/emit.h"

/* Makes narrow vectors of what LLVM's passes have left. */
void vsg_jit_keep_low_bits(vsg_jit_emitter *e);

#endif
