/* SPDX-License-Identifier: MIT
 *
 * Bits of vectors, when LLVM's passes have simplified all else. */
#ifndef VISAGE_JIT_LOGIC_H
#define VISAGE_JIT_LOGIC_H

#include "jit/emit.h"

/* Makes one instruction of several on the same three vectors. */
void vsg_jit_join_logic(vsg_jit_emitter *e);

#endif
