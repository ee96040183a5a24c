/* SPDX-License-Identifier: MIT
 *
 * Instructions of which LLVM looks at many for each of them. */
#ifndef VISAGE_JIT_CHAINS_H
#define VISAGE_JIT_CHAINS_H

#include "jit/emit.h"

/* Cuts rows of vector loads with nothing between them, and integer arithmetic that is many
 * operations deep, into short pieces, in all functions of the module, when LLVM's passes are
 * done. */
void vsg_jit_cut_chains(vsg_jit_emitter *e);

#endif
