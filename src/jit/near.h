/* SPDX-License-Identifier: MIT
 *
 * Lanes that are none of a row, but all within one: where indices are clamped, at the borders
 * of pictures, most lanes go on being a row and the others repeat its end. One vector is loaded
 * then, and its elements go where they are asked for. */
#ifndef VISAGE_JIT_NEAR_H
#define VISAGE_JIT_NEAR_H

#include "jit/sections.h"

/* Can sections that were guessed to be rows be loaded so? All channels are on then. */
bool vsg_jit_can_be_near(const vsg_jit_emitter *e, const vsg_jit_transfer *t);

/* Are all lanes of each section within a row? It begins there then. An i1. */
LLVMValueRef vsg_jit_are_near(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                              vsg_jit_section *sections, uint32_t count);

/* Elements for the lanes of such a section, of its row. */
LLVMValueRef vsg_jit_spread_row(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                const vsg_jit_section *s, LLVMValueRef row);

#endif
