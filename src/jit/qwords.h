/* SPDX-License-Identifier: MIT
 *
 * Vectors of qwords whose dwords are computed by themselves. */
#ifndef VISAGE_JIT_QWORDS_H
#define VISAGE_JIT_QWORDS_H

#include "jit/emit.h"

/* Computes them as a whole, in what LLVM's passes have made of the text so far. Was there any?
 * Then there may be operations twice, and some that nobody uses. */
bool vsg_jit_join_dwords(vsg_jit_emitter *e);

#endif
