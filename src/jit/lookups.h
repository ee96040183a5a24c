/* SPDX-License-Identifier: MIT
 *
 * Elements that lanes pick from a table which is no longer than a few registers. */
#ifndef VISAGE_JIT_LOOKUPS_H
#define VISAGE_JIT_LOOKUPS_H

#include "jit/emit.h"

/* Makes permutations of what LLVM's passes have left, in all functions of the module. */
void vsg_jit_permute_tables(vsg_jit_emitter *e);

#endif
