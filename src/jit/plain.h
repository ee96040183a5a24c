/* SPDX-License-Identifier: MIT
 *
 * Text in forms that LLVM makes code of without optimisation. */
#ifndef VISAGE_JIT_PLAIN_H
#define VISAGE_JIT_PLAIN_H

#include "jit/emit.h"

/* Has each vector of the function loaded as a whole, whichever of its elements are asked for,
 * and narrow elements cut out of wide ones. */
void vsg_jit_make_plain(vsg_jit_emitter *e, LLVMValueRef function);

#endif
