/* SPDX-License-Identifier: MIT
 *
 * What LLVM's instructions do to each lane by itself, made again with other lanes. */
#ifndef VISAGE_JIT_LANE_OPERATIONS_H
#define VISAGE_JIT_LANE_OPERATIONS_H

#include "jit/emit.h"

/* A type that lanes may have; the bits of one; and that of a vector's lanes, or of a scalar. */
bool vsg_jit_is_lane(LLVMTypeRef type);
uint32_t vsg_jit_lane_bits(LLVMTypeRef type);
LLVMTypeRef vsg_jit_lane_type(LLVMValueRef v);
/* The bits of a value's lanes. */
static inline uint32_t vsg_jit_bits_of_lane(LLVMValueRef v)
{
    return vsg_jit_lane_bits(vsg_jit_lane_type(v));
}
bool vsg_jit_is_vector(LLVMValueRef v);
static inline uint32_t vsg_jit_num_lanes(LLVMValueRef vector)
{
    return LLVMGetVectorSize(LLVMTypeOf(vector));
}
/* Is it an instruction of that kind? */
static inline bool vsg_jit_is_op(LLVMValueRef v, LLVMOpcode op)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}

enum { VSG_JIT_MOST_LANE_OPERANDS = 3 };

/* How many operands an instruction has, which lanes of the result are made of; 0: it is none of
 * these. */
uint32_t vsg_jit_lane_operands(LLVMValueRef v);

/* Is each lane of an instruction's result made of that lane of its operands? */
bool vsg_jit_is_lane_operation(LLVMValueRef v);
/* The same operation of other operands, with `num` lanes each. NULL: there is none. */
LLVMValueRef vsg_jit_do_again(vsg_jit_emitter *e, LLVMValueRef v, LLVMValueRef *of,
                              uint32_t num);

/* Where a lane of a shuffle comes from: another vector's. False: it is undefined. */
bool vsg_jit_look_through(LLVMValueRef *shuffle, uint32_t *lane);
/* A lane of a mask: 1 on, 0 off, -1 only code can tell. Constants need not be told lane by
 * lane: expressions are none. */
int vsg_jit_is_lane_on(LLVMValueRef mask, uint32_t lane);

#endif
