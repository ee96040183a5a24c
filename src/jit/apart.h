/* SPDX-License-Identifier: MIT
 *
 * Accesses under masks that the host has no instruction for. */
#ifndef VISAGE_JIT_APART_H
#define VISAGE_JIT_APART_H

#include "jit/emit.h"

/* Makes of them accesses of each lane, in all functions of the module, when LLVM's passes are
 * done. */
void vsg_jit_take_apart(vsg_jit_emitter *e);

#endif
