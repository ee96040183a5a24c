/* SPDX-License-Identifier: MIT
 *
 * Elements of vectors at other places, and in other vectors. */
#ifndef VISAGE_JIT_SHUFFLE_H
#define VISAGE_JIT_SHUFFLE_H

#include "jit/emit.h"

/* `count` lanes, each `step`th from `first` on; a vector of so many stays what it is, and NULL
 * stays NULL. */
LLVMValueRef vsg_jit_take_lanes(vsg_jit_emitter *e, LLVMValueRef vector, uint32_t first,
                                uint32_t step, uint32_t count);
/* The lanes from the last one to the first. */
LLVMValueRef vsg_jit_turn_round(vsg_jit_emitter *e, LLVMValueRef vector);
/* Two vectors behind each other; the second may be shorter. */
LLVMValueRef vsg_jit_append(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b);
/* Each `step`th of `count` vectors, one behind the other; how many is a power of 2. */
LLVMValueRef vsg_jit_append_all(vsg_jit_emitter *e, const LLVMValueRef *vectors, uint32_t count,
                                uint32_t step);
/* The first of each of `repeat` vectors, the second of each, and so on. */
LLVMValueRef vsg_jit_interleave(vsg_jit_emitter *e, const LLVMValueRef *vectors,
                                uint32_t repeat);

/* Transposes each block of four by four elements: four vectors have a row of each. */
void vsg_jit_transpose_fours(vsg_jit_emitter *e, const LLVMValueRef in[4], LLVMValueRef out[4]);
/* `count` vectors of four elements each, as four of `count`. */
void vsg_jit_to_four_rows(vsg_jit_emitter *e, const LLVMValueRef *channels, uint32_t count,
                          LLVMValueRef rows[4]);
/* Transposes `count` vectors of `count` elements, a power of 2. */
void vsg_jit_transpose(vsg_jit_emitter *e, LLVMValueRef *rows, uint32_t count);

#endif
