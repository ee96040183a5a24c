/* SPDX-License-Identifier: MIT */
#include "jit/loads.h"

/* LLVM 19 without optimisation, for AVX-512, makes loads of parts of a vector's load, one
 * behind the other; where an element and the elements around it are wanted it may replace each
 * with the other without end (SelectionDAG::ReplaceAllUsesWith and AddModifiedNodeToCSEMaps),
 * until the stack has no more room. It does not look through a freeze. */
static void freeze_load(vsg_jit_emitter *e, LLVMValueRef load)
{
    LLVMPositionBuilderBefore(e->b, LLVMGetNextInstruction(load));
    LLVMValueRef frozen = LLVMBuildFreeze(e->b, load, "");
    LLVMReplaceAllUsesWith(load, frozen);
    LLVMSetOperand(frozen, 0, load);
}

static bool is_vector_load(LLVMValueRef v)
{
    return LLVMGetInstructionOpcode(v) == LLVMLoad &&
           LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

void vsg_jit_freeze_loads(vsg_jit_emitter *e)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
                if (is_vector_load(v))
                    freeze_load(e, v);
}
