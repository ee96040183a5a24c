/* SPDX-License-Identifier: MIT
 *
 * Arithmetic of halves, for hosts that have none. */
#ifndef VISAGE_JIT_HALVES_H
#define VISAGE_JIT_HALVES_H

#include "jit/emit.h"

/* Makes of operations and comparisons of halves those of floats, in all functions of the
 * module, when LLVM's passes are done. */
void vsg_jit_widen_halves(vsg_jit_emitter *e);

#endif
