/* SPDX-License-Identifier: MIT
 *
 * Slots that one block uses. */
#ifndef VISAGE_JIT_LOCALS_H
#define VISAGE_JIT_LOCALS_H

#include "jit/emit.h"

/* Leaves slots uncleared that need not be, in a module as it was emitted. */
void vsg_jit_find_locals(vsg_jit_emitter *e);

#endif
