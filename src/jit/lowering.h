/* SPDX-License-Identifier: MIT
 *
 * What the files that make code for operations share: numbers of operands. */
#ifndef VISAGE_JIT_LOWERING_H
#define VISAGE_JIT_LOWERING_H

#include "jit/emit.h"

bool vsg_jit_is_integer(uint32_t type);
/* Is the operand a region or an immediate? */
bool vsg_jit_has_values(const vsg_exe_operand *operand);
/* F, DF or HF. */
bool vsg_jit_is_float(uint32_t type);
/* Are all operands integers that compiled code reads and writes, and is nothing saturated? */
bool vsg_jit_all_integers(const vsg_exe_inst *inst);

/* From `from` bits to `to`. */
LLVMValueRef vsg_jit_extend(vsg_jit_emitter *e, LLVMValueRef value, uint32_t from, uint32_t to,
                            uint32_t count, bool is_signed);
/* The low `bits` of a source's values, modifiers applied. */
LLVMValueRef vsg_jit_read_int(vsg_jit_emitter *e, const vsg_exe_operand *operand,
                              uint32_t count, uint32_t bits);
/* How many bits hold the values of all sources, and whether as signed numbers. False: more than
 * 64. */
bool vsg_jit_values(const vsg_exe_inst *inst, uint32_t num_sources, uint32_t *bits,
                    bool *is_signed);
/* Numbers of `bits` to a destination of any width, on the instruction's channels. */
void vsg_jit_write_int(vsg_jit_emitter *e, const vsg_exe_inst *inst, const vsg_exe_operand *dst,
                       LLVMValueRef value, uint32_t bits, bool is_signed);

/* Modifiers on the sign bits of floats. */
LLVMValueRef vsg_jit_modify_float(vsg_jit_emitter *e, const vsg_exe_operand *operand,
                                  LLVMValueRef bits, uint32_t count);
/* A source's values, modifiers applied, in a type at least as wide. */
LLVMValueRef vsg_jit_read_float(vsg_jit_emitter *e, const vsg_exe_operand *operand,
                                uint32_t count, visage_type type);
/* To [0, 1]; NaN and -0 become 0. */
LLVMValueRef vsg_jit_saturate(vsg_jit_emitter *e, LLVMValueRef value);

#endif
