/* SPDX-License-Identifier: MIT
 *
 * A mask is an integer, a bit for each channel, and where lanes are chosen by it the same bits
 * as a vector. Before AVX-512 LLVM takes each bit out of the integer and puts it into the
 * vector, two instructions a channel and more to widen them. Here the integer goes into all
 * lanes, where each looks at its own bit: a comparison for each register. Not sooner: LLVM's
 * passes see that a mask that a comparison has made need not become an integer. */
#include "jit/spread.h"

#include "jit/lowering.h"
#include "jit/marks.h"

enum { FEWEST_LANES = 4 };

static bool is_mask(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);

    return LLVMGetInstructionOpcode(v) == LLVMBitCast &&
           LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetElementType(type)) == 1 &&
           LLVMGetVectorSize(type) >= FEWEST_LANES &&
           LLVMGetVectorSize(type) <= VSG_EXE_MAX_CHANNELS &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) == LLVMIntegerTypeKind;
}

static void spread(vsg_jit_emitter *e, LLVMValueRef v)
{
    LLVMValueRef own[VSG_EXE_MAX_CHANNELS];

    if (!is_mask(v))
        return;
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(v));
    LLVMValueRef bits = LLVMGetOperand(v, 0);
    for (uint32_t i = 0; i < count; i++)
        own[i] = vsg_jit_i32(e, UINT32_C(1) << i);
    LLVMPositionBuilderBefore(e->b, v);
    if (count < VSG_EXE_MAX_CHANNELS)
        bits = LLVMBuildZExt(e->b, bits, e->i32, "");
    LLVMValueRef all = vsg_jit_splat(e, bits, count);
    all = LLVMBuildAnd(e->b, all, LLVMConstVector(own, count), "");
    vsg_jit_replace(v, LLVMBuildICmp(e->b, LLVMIntNE, all, LLVMConstNull(LLVMTypeOf(all)), ""));
}

void vsg_jit_spread_masks(vsg_jit_emitter *e)
{
    if (!vsg_jit_has_avx512(e))
        vsg_jit_each_instruction(e, spread);
}
