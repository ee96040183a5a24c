/* SPDX-License-Identifier: MIT
 *
 * Branches on a bit of a vector of comparisons: where all channels go the same way, text
 * compares all of them, and one is asked. */
#include "jit/group.h"
#include "jit/hoist.h"
#include "jit/marks.h"

/* A lane of a vector of bits, without the others where that can be. */
static LLVMValueRef make_lane(vsg_jit_emitter *e, LLVMValueRef v, uint32_t lane)
{
    LLVMValueRef at = vsg_jit_i32(e, lane);

    if (LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMShuffleVector) {
        LLVMValueRef from = LLVMGetOperand(v, 0);
        int place = LLVMGetMaskValue(v, lane);
        if (place >= 0 && (uint32_t)place < LLVMGetVectorSize(LLVMTypeOf(from)))
            return make_lane(e, from, (uint32_t)place);
    }
    if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMICmp)
        return LLVMBuildExtractElement(e->b, v, at, "");
    LLVMValueRef a = LLVMBuildExtractElement(e->b, LLVMGetOperand(v, 0), at, "");
    LLVMValueRef b = LLVMBuildExtractElement(e->b, LLVMGetOperand(v, 1), at, "");
    return LLVMBuildICmp(e->b, LLVMGetICmpPredicate(v), a, b, "");
}

static bool is_vector_of_bits(const vsg_jit_emitter *e, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);

    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetElementType(type) == e->i1;
}

/* The one lane of a vector of bits that an instruction takes; NULL: it is none such. */
static LLVMValueRef lane_taken(vsg_jit_emitter *e, LLVMValueRef v)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    uint64_t lane = 0;

    if (LLVMTypeOf(v) != e->i1 || (op != LLVMExtractElement && op != LLVMTrunc))
        return NULL;
    LLVMValueRef from = LLVMGetOperand(v, 0);
    if (op == LLVMExtractElement) {
        if (!LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
            return NULL;
        lane = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    } else {
        if (!LLVMIsAInstruction(from) || LLVMGetInstructionOpcode(from) != LLVMBitCast)
            return NULL;
        from = LLVMGetOperand(from, 0);
    }
    if (!is_vector_of_bits(e, from) || lane >= LLVMGetVectorSize(LLVMTypeOf(from)))
        return NULL;
    LLVMPositionBuilderBefore(e->b, v);
    return make_lane(e, from, (uint32_t)lane);
}

static void find_lanes_taken(vsg_jit_emitter *e, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b), next; v; v = next) {
            next = LLVMGetNextInstruction(v);
            LLVMValueRef lane = lane_taken(e, v);
            if (lane)
                vsg_jit_replace(v, lane);
        }
}

void vsg_jit_find_conditions(vsg_jit_emitter *e)
{
    find_lanes_taken(e, e->function);
    if (e->group)
        find_lanes_taken(e, e->group->function);
}
