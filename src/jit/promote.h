/* SPDX-License-Identifier: MIT
 *
 * Slots whose values are near: what a load finds was stored some blocks before it, whichever
 * way control came. LLVM goes through all blocks behind a store for each slot that has several
 * of them, as results of accesses do, which have as many ways: in text of thousands of blocks
 * that is most of the time it takes. */
#ifndef VISAGE_JIT_PROMOTE_H
#define VISAGE_JIT_PROMOTE_H

#include "jit/emit.h"

/* Makes values of them, in a module as it was emitted. False: memory is out. */
bool vsg_jit_promote(vsg_jit_emitter *e);

#endif
