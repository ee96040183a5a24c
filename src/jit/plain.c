/* SPDX-License-Identifier: MIT */
#include "jit/plain.h"
#include "jit/shuffle.h"

/* LLVM 19 without optimisation fails where it looks from an element to where it comes from.
 *
 * For AVX-512 it makes loads of parts of a vector's load, one behind the other; where an
 * element and the elements around it are wanted it may replace each with the other without end
 * (SelectionDAG::ReplaceAllUsesWith and AddModifiedNodeToCSEMaps), until the stack has no more
 * room. It does not look through a freeze.
 *
 * For AVX2 bytes that are extended, picked out of that again by a shuffle, and extended once
 * more become an instruction whose source has no class of registers, which ends the process
 * (TargetRegisterInfo::getMatchingSuperRegClass). A truncation does as well. */
static bool is_vector_load(LLVMValueRef v)
{
    return LLVMGetInstructionOpcode(v) == LLVMLoad &&
           LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

static void freeze_load(vsg_jit_emitter *e, LLVMValueRef load)
{
    LLVMPositionBuilderBefore(e->b, LLVMGetNextInstruction(load));
    LLVMValueRef frozen = LLVMBuildFreeze(e->b, load, "");
    LLVMReplaceAllUsesWith(load, frozen);
    LLVMSetOperand(frozen, 0, load);
}

/* What is picked out of wider elements, each from the same place. */
typedef struct narrowing {
    LLVMValueRef from;
    uint32_t bits, count; /* of what is picked */
    uint32_t step, first; /* in elements of that size */
} narrowing;

static bool is_narrowing(LLVMValueRef v, narrowing *out)
{
    if (LLVMGetInstructionOpcode(v) != LLVMShuffleVector)
        return false;
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(v));
    *out = (narrowing){.from = LLVMGetOperand(v, 0), .count = LLVMGetVectorSize(LLVMTypeOf(v))};
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind || out->count < 2 ||
        !LLVMIsAInstruction(out->from) || LLVMGetInstructionOpcode(out->from) != LLVMBitCast)
        return false;
    out->bits = LLVMGetIntTypeWidth(element);
    int first = LLVMGetMaskValue(v, 0), step = LLVMGetMaskValue(v, 1) - first;
    if (first < 0 || (step != 2 && step != 4 && step != 8) || (uint32_t)step * out->bits > 64)
        return false;
    for (uint32_t i = 0; i < out->count; i++)
        if (LLVMGetMaskValue(v, i) != first + (int)i * step)
            return false;
    out->first = (uint32_t)first;
    out->step = (uint32_t)step;
    uint32_t all = LLVMGetVectorSize(LLVMTypeOf(out->from));
    return all % out->step == 0 && out->first / out->step + out->count <= all / out->step;
}

static LLVMValueRef narrow(vsg_jit_emitter *e, const narrowing *n)
{
    uint32_t bits = n->bits * n->step;
    uint32_t all = LLVMGetVectorSize(LLVMTypeOf(n->from)) / n->step;
    LLVMValueRef wide = LLVMBuildBitCast(e->b, n->from, vsg_jit_int(e, bits, all), "");
    LLVMValueRef below =
        LLVMConstInt(vsg_jit_int(e, bits, 1), n->first % n->step * n->bits, false);

    wide = vsg_jit_take_lanes(e, wide, n->first / n->step, 1, n->count);
    wide = LLVMBuildLShr(e->b, wide, vsg_jit_splat(e, below, n->count), "");
    return LLVMBuildTrunc(e->b, wide, vsg_jit_int(e, n->bits, n->count), "");
}

static LLVMValueRef replace(vsg_jit_emitter *e, LLVMValueRef shuffle, const narrowing *n)
{
    LLVMPositionBuilderBefore(e->b, shuffle);
    LLVMValueRef by = narrow(e, n);
    LLVMReplaceAllUsesWith(shuffle, by);
    LLVMInstructionEraseFromParent(shuffle);
    return by;
}

void vsg_jit_make_plain(vsg_jit_emitter *e, LLVMValueRef function)
{
    narrowing n;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            if (is_vector_load(v))
                freeze_load(e, v);
            else if (is_narrowing(v, &n))
                v = replace(e, v, &n);
        }
}
