/* SPDX-License-Identifier: MIT
 *
 * Slots that LLVM need not look for in all of the text: those of one block, those that are
 * always 0, and those that many places store to for one. */
#ifndef VISAGE_JIT_LOCALS_H
#define VISAGE_JIT_LOCALS_H

#include "jit/emit.h"

/* In a module as it was emitted. */
void vsg_jit_find_locals(vsg_jit_emitter *e);

#endif
