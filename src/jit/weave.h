/* SPDX-License-Identifier: MIT
 *
 * Arithmetic between loads that take elements of channels apart and stores that put them
 * together. A channel's elements lie next to each other in memory, as those of a `float4`, and
 * in variables there is a vector of each, one lane for each channel. Where the same is done to
 * all of them, it can be done to the elements as they lie in memory, and nothing is transposed.
 *
 * Here vectors that are stored are followed lane by lane through shuffles and bit casts to what
 * their elements are made by. Where these are lanes of instructions that all do the same, one
 * instruction does it in the order of the store, of operands that are followed in turn, until
 * they are what has been loaded, in its order, constants, or what all channels have the same.
 *
 * Texts that go on without tests once they have been foreseen (trace.h) are one block, in which
 * what a channel stores next to each other may be many stores, with loads between them. Where
 * nothing of it is loaded again, they are put off to its end, and are vectors of what follows
 * each other in memory, as are the loads. Whether what is stored is apart from what is loaded
 * the gate asks that leads to the block. */
#ifndef VISAGE_JIT_WEAVE_H
#define VISAGE_JIT_WEAVE_H

#include "jit/emit.h"

/* In all functions of the module, when LLVM's passes are done. *changed: something is
 * different. False: memory is out. */
bool vsg_jit_weave(vsg_jit_emitter *e, bool *changed);

/* An i1, opaque to LLVM's passes, that a branch to a block which is there twice may ask for. */
LLVMValueRef vsg_jit_make_gate(vsg_jit_emitter *e);

#endif
