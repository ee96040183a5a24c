/* SPDX-License-Identifier: MIT
 *
 * Tests that mostly hold. Where something is to be gained by making them beforehand, in loops
 * of the text, over groups and over turns, they are calls of functions that do not exist while
 * code is made, so that they can be found when LLVM has brought loops into their simplest form
 * (hoist.h). */
#ifndef VISAGE_JIT_MARKS_H
#define VISAGE_JIT_MARKS_H

#include "jit/emit.h"

/* Fills e->marks: is there anything to be gained? */
void vsg_jit_find_marks(vsg_jit_emitter *e);

/* Tests, each an i1: of any condition; of i64s, a < b without and with signs. */
LLVMValueRef vsg_jit_holds(vsg_jit_emitter *e, LLVMValueRef condition);
LLVMValueRef vsg_jit_is_below(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef vsg_jit_is_less(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b);
/* Is an address in a vsg_jit_window, which has been looked for with that reach? */
LLVMValueRef vsg_jit_is_in_window(vsg_jit_emitter *e, LLVMValueRef window, LLVMValueRef address,
                                  uint32_t reach);

/* What a call stands for; its operands are those of the function that made it. */
typedef enum vsg_jit_mark {
    VSG_JIT_HOLDS,
    VSG_JIT_BELOW,
    VSG_JIT_LESS,
    VSG_JIT_IN_WINDOW,
    VSG_JIT_MARKS
} vsg_jit_mark;

/* -1: none. */
int vsg_jit_mark_of(vsg_jit_emitter *e, LLVMValueRef v);
/* Does a call change nothing that tests look at? */
bool vsg_jit_is_plain_call(vsg_jit_emitter *e, LLVMValueRef call);

/* Where a vsg_jit_window begins, and how far it reaches. */
LLVMValueRef vsg_jit_window_base(vsg_jit_emitter *e, LLVMValueRef window, LLVMValueRef *size);

/* Puts a value in the place of an instruction. */
void vsg_jit_replace(LLVMValueRef old, LLVMValueRef with);

/* Makes plain code of all that are left. */
void vsg_jit_make_marks_plain(vsg_jit_emitter *e);

#endif
