/* SPDX-License-Identifier: MIT
 *
 * Halves are computed as floats and rounded: a sum, difference, product or quotient of two
 * halves, or a root, that is rounded to nearest twice is rounded right. LLVM's passes know
 * that, too, and make operations of halves of them again, and of comparisons; and then its
 * instruction selection takes vectors of halves apart where the host has only conversions of
 * them, a lane at a time. Here they become floats once more. */
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

/* The same of floats; NULL: it is no such instruction. */
static LLVMValueRef in_floats(vsg_jit_emitter *e, LLVMValueRef v)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    bool is_root = opcode == LLVMCall && vsg_jit_is_intrinsic(v, "llvm.sqrt");

    switch (opcode) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFCmp:
        break;
    default:
        if (!is_root)
            return NULL;
    }
    if (!is_of_halves(LLVMTypeOf(LLVMGetOperand(v, 0))))
        return NULL;
    LLVMPositionBuilderBefore(e->b, v);
    LLVMValueRef a = widen(e, LLVMGetOperand(v, 0));
    if (is_root)
        return vsg_jit_intrinsic(e, "llvm.sqrt", LLVMTypeOf(a), &a, 1);
    LLVMValueRef b = widen(e, LLVMGetOperand(v, 1));
    if (opcode == LLVMFCmp)
        return LLVMBuildFCmp(e->b, LLVMGetFCmpPredicate(v), a, b, "");
    return LLVMBuildBinOp(e->b, opcode, a, b, "");
}

void vsg_jit_widen_halves(vsg_jit_emitter *e)
{
    LLVMValueRef next;

    if (e->has_halves)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = next) {
                next = LLVMGetNextInstruction(v);
                LLVMValueRef value = in_floats(e, v);
                if (!value)
                    continue;
                if (is_of_halves(LLVMTypeOf(v)))
                    value = LLVMBuildFPTrunc(e->b, value, LLVMTypeOf(v), "");
                vsg_jit_replace(v, value);
            }
}
