/* SPDX-License-Identifier: MIT
 *
 * What LLVM's instruction selection would look at again and again.
 *
 * Rows of loads. Where threads go on behind a barrier all that is live is loaded, which may be
 * hundreds of vectors. Loads without a store or call between them hang on one node of LLVM's
 * instruction selection, and X86's looks for each of them, whenever it comes by, whether any
 * other one has the same address: its time is the square of their number. An empty text in
 * assembly that is said to have effects begins a new node, and no code.
 *
 * Depth. To find out which bits of a sum or logic operation matter and are known, it goes down
 * through six levels of operands, both of each, for each of them and several times. Hash
 * functions and ciphers are nothing else: four fifths of the time that a ChaCha20 took to
 * compile for AVX2. A fence, of which nothing is known and which is no code, ends the search
 * where it would find nothing: few bits are known behind that much arithmetic. */
#include "jit/chains.h"

#include "jit/lowering.h"

/* ---- rows of loads ----------------------------------------------------------------------- */

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

/* ---- depth ------------------------------------------------------------------------------- */

/* Operations on top of each other. */
enum { MOST_DEPTH = 3 };

/* Does the search go through it, to two operands or more? */
static bool is_branching(LLVMValueRef v)
{
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMSelect:
        return true;
    case LLVMCall:
        return vsg_jit_is_intrinsic(v, "llvm.fshl") || vsg_jit_is_intrinsic(v, "llvm.fshr");
    default:
        return false;
    }
}

static bool is_of_ints(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind;
}

/* How many such operations of the block are on top of each other, up to `most`. */
static uint32_t depth_of(LLVMValueRef v, LLVMBasicBlockRef block, uint32_t most)
{
    uint32_t deepest = 0;

    if (most == 0 || !LLVMIsAInstruction(v) || LLVMGetInstructionParent(v) != block ||
        !is_of_ints(LLVMTypeOf(v)) || !is_branching(v))
        return 0;
    unsigned count = (unsigned)LLVMGetNumOperands(v);
    for (unsigned i = 0; i < count; i++) {
        uint32_t depth = depth_of(LLVMGetOperand(v, i), block, most - 1);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

/* Is it an operand of more of them, and of nothing else? Of a fence that is extended LLVM
 * makes, with little effort, what it can't select. */
static bool goes_on(LLVMValueRef v)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (!is_branching(LLVMGetUser(use)))
            return false;
    return true;
}

/* Fences are for floats. Vectors that are less than a register stay as they are. */
static void fence(vsg_jit_emitter *e, LLVMValueRef v)
{
    LLVMTypeRef own = LLVMTypeOf(v);

    if (depth_of(v, LLVMGetInstructionParent(v), MOST_DEPTH) < MOST_DEPTH || !goes_on(v))
        return;
    uint32_t bits = LLVMGetIntTypeWidth(LLVMGetElementType(own)) * LLVMGetVectorSize(own);
    if (bits < 128 || bits % 32 != 0)
        return;
    LLVMTypeRef type = vsg_jit_float(e, VISAGE_TYPE_F, bits / 32);
    LLVMPositionBuilderBefore(e->b, LLVMGetNextInstruction(v));
    LLVMValueRef first = LLVMBuildBitCast(e->b, v, type, "");
    LLVMValueRef value = vsg_jit_intrinsic(e, "llvm.arithmetic.fence", type, &first, 1);
    LLVMReplaceAllUsesWith(v, LLVMBuildBitCast(e->b, value, own, ""));
    LLVMSetOperand(first, 0, v);
}

void vsg_jit_cut_chains(vsg_jit_emitter *e)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            cut_block(e, b);
    vsg_jit_each_instruction(e, fence);
}
