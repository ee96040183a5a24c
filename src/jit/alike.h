/* SPDX-License-Identifier: MIT
 *
 * Tests of whether lanes are alike, of addresses that are constants apart. */
#ifndef VISAGE_JIT_ALIKE_H
#define VISAGE_JIT_ALIKE_H

#include "jit/emit.h"

/* Makes the same test of those that ask the same, in all functions of the module: LLVM's passes
 * then see that they do. When its variables are registers. */
void vsg_jit_share_tests(vsg_jit_emitter *e);

#endif
