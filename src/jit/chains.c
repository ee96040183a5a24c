/* SPDX-License-Identifier: MIT
 *
 * Where threads go on behind a barrier all that is live is loaded, which may be hundreds of
 * vectors. Loads without a store or call between them hang on one node of LLVM's instruction
 * selection, and X86's looks for each of them, whenever it comes by, whether any other one has
 * the same address: its time is the square of their number. An empty text in assembly
 * that is said to have effects begins a new node, and no code. */
#include "jit/chains.h"

/* Vectors in a row. */
enum { MOST_LOADS = 16 };

static void cut(vsg_jit_emitter *e, LLVMValueRef before)
{
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(e->context), NULL, 0, false);
    LLVMValueRef nothing =
        LLVMGetInlineAsm(type, "", 0, "", 0, true, false, LLVMInlineAsmDialectATT, false);

    LLVMPositionBuilderBefore(e->b, before);
    (void)LLVMBuildCall2(e->b, type, nothing, NULL, 0, "");
}

static bool is_vector_load(LLVMValueRef v)
{
    return LLVMGetInstructionOpcode(v) == LLVMLoad &&
           LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

static bool ends_row(LLVMValueRef v)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(v);

    if (opcode != LLVMCall)
        return opcode == LLVMStore;
    LLVMValueRef callee = LLVMGetCalledValue(v);
    return !LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee) == 0;
}

static void cut_block(vsg_jit_emitter *e, LLVMBasicBlockRef block)
{
    uint32_t count = 0;

    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v)) {
        if (ends_row(v))
            count = 0;
        if (!is_vector_load(v) || ++count <= MOST_LOADS)
            continue;
        cut(e, v);
        count = 1;
    }
}

void vsg_jit_cut_chains(vsg_jit_emitter *e)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            cut_block(e, b);
}
