/* SPDX-License-Identifier: MIT */
#include "jit/lane_operations.h"

bool vsg_jit_is_lane(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);

    return (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64) ||
           kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

uint32_t vsg_jit_lane_bits(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind:
        return 16;
    case LLVMFloatTypeKind:
        return 32;
    default:
        return 64;
    }
}

bool vsg_jit_is_vector(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

LLVMTypeRef vsg_jit_lane_type(LLVMValueRef v)
{
    return vsg_jit_is_vector(v) ? LLVMGetElementType(LLVMTypeOf(v)) : LLVMTypeOf(v);
}

/* The name of what a call does to each lane. NULL: it is none of these. */
static const char *name_of(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.fma",  "llvm.fabs", "llvm.sqrt",
                                        "llvm.umin", "llvm.umax", "llvm.usub.sat",
                                        "llvm.smin", "llvm.smax", "llvm.ctpop",
                                        "llvm.fshl", "llvm.fshr", "llvm.arithmetic.fence"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (vsg_jit_is_intrinsic(call, names[i]))
            return names[i];
    return NULL;
}

uint32_t vsg_jit_lane_operands(LLVMValueRef v)
{
    uint32_t count = (uint32_t)LLVMGetNumOperands(v);

    if (LLVMGetInstructionOpcode(v) == LLVMCall)
        count = name_of(v) ? count - 1 : 0; /* one is the function */
    return count <= VSG_JIT_MOST_LANE_OPERANDS ? count : 0;
}

static bool is_cast(LLVMOpcode op)
{
    switch (op) {
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMBitCast:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPExt:
    case LLVMFPTrunc:
        return true;
    default:
        return false;
    }
}

static bool is_binary(LLVMOpcode op)
{
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
        return true;
    default:
        return false;
    }
}

bool vsg_jit_is_lane_operation(LLVMValueRef v)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);

    return op == LLVMCall
               ? name_of(v) != NULL
               : op == LLVMICmp || op == LLVMFCmp || op == LLVMSelect || op == LLVMFNeg ||
                     op == LLVMFreeze || is_cast(op) || is_binary(op);
}

LLVMValueRef vsg_jit_do_again(vsg_jit_emitter *e, LLVMValueRef v, LLVMValueRef *of,
                              uint32_t num)
{
    LLVMBuilderRef b = e->b;
    LLVMTypeRef type = LLVMVectorType(vsg_jit_lane_type(v), num);
    LLVMOpcode op = LLVMGetInstructionOpcode(v);

    switch (op) {
    case LLVMCall:
        return name_of(v) ? vsg_jit_intrinsic(e, name_of(v), type, of, vsg_jit_lane_operands(v))
                          : NULL;
    case LLVMICmp:
        return LLVMBuildICmp(b, LLVMGetICmpPredicate(v), of[0], of[1], "");
    case LLVMFCmp:
        return LLVMBuildFCmp(b, LLVMGetFCmpPredicate(v), of[0], of[1], "");
    case LLVMSelect:
        return LLVMBuildSelect(b, of[0], of[1], of[2], "");
    case LLVMFNeg:
        return LLVMBuildFNeg(b, of[0], "");
    case LLVMFreeze:
        return LLVMBuildFreeze(b, of[0], "");
    default:
        return is_cast(op)     ? LLVMBuildCast(b, op, of[0], type, "")
               : is_binary(op) ? LLVMBuildBinOp(b, op, of[0], of[1], "")
                               : NULL;
    }
}

bool vsg_jit_look_through(LLVMValueRef *shuffle, uint32_t *lane)
{
    uint32_t width = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(*shuffle, 0)));
    int from = LLVMGetMaskValue(*shuffle, *lane);

    if (from < 0)
        return false;
    *shuffle = LLVMGetOperand(*shuffle, (uint32_t)from >= width);
    *lane = (uint32_t)from >= width ? (uint32_t)from - width : (uint32_t)from;
    return true;
}

int vsg_jit_is_lane_on(LLVMValueRef mask, uint32_t lane)
{
    LLVMValueRef one = LLVMIsConstant(mask) ? LLVMGetAggregateElement(mask, lane) : NULL;

    return one && LLVMIsAConstantInt(one) ? LLVMConstIntGetZExtValue(one) != 0 : -1;
}
