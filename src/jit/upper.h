/* SPDX-License-Identifier: MIT
 *
 * Upper dwords of products of dwords. While there is hope that a product of qwords is made of
 * them they are calls of functions that do not exist (qwords.h). */
#ifndef VISAGE_JIT_UPPER_H
#define VISAGE_JIT_UPPER_H

#include "jit/emit.h"

/* Of unsigned dwords, vectors. */
LLVMValueRef vsg_jit_upper(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b);
/* Is it such a call? Its operands are the dwords. */
bool vsg_jit_is_upper(LLVMValueRef v);
/* Makes plain code of all. */
void vsg_jit_make_uppers_plain(vsg_jit_emitter *e);

#endif
