/* SPDX-License-Identifier: MIT
 *
 * Accesses under masks that the host has no instruction for. */
#ifndef VISAGE_JIT_APART_H
#define VISAGE_JIT_APART_H

#include "jit/emit.h"

/* Has the host an instruction for those of elements of so many bytes that follow each other? */
bool vsg_jit_has_masks_for(const vsg_jit_emitter *e, uint32_t bytes);

/* Makes of them accesses of each lane, in all functions of the module, when LLVM's passes are
 * done. */
void vsg_jit_take_apart(vsg_jit_emitter *e);

#endif
