/* SPDX-License-Identifier: MIT
 *
 * Loads of which LLVM looks at all for each of them. */
#ifndef VISAGE_JIT_CHAINS_H
#define VISAGE_JIT_CHAINS_H

#include "jit/emit.h"

/* Cuts rows of vector loads with nothing between them into short ones, in all functions of the
 * module, when LLVM's passes are done. */
void vsg_jit_cut_chains(vsg_jit_emitter *e);

#endif
