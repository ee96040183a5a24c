/* SPDX-License-Identifier: MIT
 *
 * Halves are computed as floats and rounded: a sum, difference, product or quotient of two
 * halves that is rounded to nearest twice is rounded right. LLVM's passes know that, too, and
 * make operations of halves of them again, and of comparisons; and then its instruction
 * selection takes vectors of halves apart where the host has only conversions of them, a lane
 * at a time. Here they become floats once more. */
#include "jit/halves.h"

#include "jit/lowering.h"
#include "jit/marks.h"

static bool is_of_halves(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMHalfTypeKind &&
           LLVMGetVectorSize(type) > 1;
}

static LLVMValueRef widen(vsg_jit_emitter *e, LLVMValueRef value)
{
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(value));

    return LLVMBuildFPExt(e->b, value, vsg_jit_float(e, VISAGE_TYPE_F, count), "");
}

static bool is_of_two(LLVMOpcode opcode)
{
    return opcode == LLVMFAdd || opcode == LLVMFSub || opcode == LLVMFMul ||
           opcode == LLVMFDiv || opcode == LLVMFCmp;
}

static void widen_operation(vsg_jit_emitter *e, LLVMValueRef v)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(v);

    if (!is_of_two(opcode) || !is_of_halves(LLVMTypeOf(LLVMGetOperand(v, 0))))
        return;
    LLVMPositionBuilderBefore(e->b, v);
    LLVMValueRef a = widen(e, LLVMGetOperand(v, 0)), b = widen(e, LLVMGetOperand(v, 1));
    if (opcode == LLVMFCmp)
        vsg_jit_replace(v, LLVMBuildFCmp(e->b, LLVMGetFCmpPredicate(v), a, b, ""));
    else
        vsg_jit_replace(v, LLVMBuildFPTrunc(e->b, LLVMBuildBinOp(e->b, opcode, a, b, ""),
                                            LLVMTypeOf(v), ""));
}

void vsg_jit_widen_halves(vsg_jit_emitter *e)
{
    if (!e->has_halves)
        vsg_jit_each_instruction(e, widen_operation);
}
