/* SPDX-License-Identifier: MIT
 *
 * Branches on a bit of a vector of comparisons: where all channels go the same way, text
 * compares all of them, and one is asked. Numbers of 64 bits, which pvc has no comparisons of,
 * are compared by halves: the upper ones are less, or equal and the lower ones less. */
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
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMPHI;
    if (op == LLVMAnd || op == LLVMOr) {
        LLVMValueRef one = make_lane(e, LLVMGetOperand(v, 0), lane);
        LLVMValueRef other = make_lane(e, LLVMGetOperand(v, 1), lane);
        return op == LLVMAnd ? LLVMBuildAnd(e->b, one, other, "")
                             : LLVMBuildOr(e->b, one, other, "");
    }
    if (op != LLVMICmp)
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

/* ---- comparisons by halves --------------------------------------------------------------- */

static bool is_op(LLVMValueRef v, LLVMOpcode op)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}

/* Both operands of `op`, or of the choice that stands for it with bits. */
static bool find_both(LLVMValueRef v, LLVMOpcode op, LLVMValueRef out[2])
{
    bool is_and = op == LLVMAnd;

    if (is_op(v, op)) {
        out[0] = LLVMGetOperand(v, 0);
        out[1] = LLVMGetOperand(v, 1);
        return true;
    }
    if (!is_op(v, LLVMSelect))
        return false;
    LLVMValueRef fixed = LLVMGetOperand(v, is_and ? 2 : 1);
    out[0] = LLVMGetOperand(v, 0);
    out[1] = LLVMGetOperand(v, is_and ? 1 : 2);
    return LLVMIsAConstantInt(fixed) && LLVMConstIntGetZExtValue(fixed) == !is_and;
}

/* a < b, or a == b; LLVM may have them the other way round. */
typedef struct comparison {
    LLVMIntPredicate predicate; /* EQ, ULT or SLT */
    LLVMValueRef a, b;
} comparison;

/* The number of 64 bits that v is the upper half of. NULL: it is none such. */
static LLVMValueRef whole_of_upper(const vsg_jit_emitter *e, LLVMValueRef v)
{
    if (!is_op(v, LLVMTrunc) || LLVMTypeOf(v) != e->i32)
        return NULL;
    LLVMValueRef shifted = LLVMGetOperand(v, 0);
    if (LLVMTypeOf(shifted) != e->i64 || !is_op(shifted, LLVMLShr) ||
        !LLVMIsAConstantInt(LLVMGetOperand(shifted, 1)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(shifted, 1)) != 32)
        return NULL;
    return LLVMGetOperand(shifted, 0);
}

static bool is_lower_of(LLVMValueRef v, LLVMValueRef whole)
{
    return is_op(v, LLVMTrunc) && LLVMGetOperand(v, 0) == whole;
}

static bool find_comparison(LLVMValueRef v, comparison *out)
{
    if (!is_op(v, LLVMICmp))
        return false;
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(v);
    bool is_swapped = predicate == LLVMIntUGT || predicate == LLVMIntSGT ||
                      (predicate == LLVMIntEQ && !is_op(a, LLVMTrunc));

    if (predicate == LLVMIntUGT)
        predicate = LLVMIntULT;
    if (predicate == LLVMIntSGT)
        predicate = LLVMIntSLT;
    *out = is_swapped ? (comparison){predicate, b, a} : (comparison){predicate, a, b};
    return predicate == LLVMIntEQ || predicate == LLVMIntULT || predicate == LLVMIntSLT;
}

/* Of two, the one that has a predicate first. */
static bool find_two(const LLVMValueRef v[2], LLVMIntPredicate first, comparison out[2])
{
    for (uint32_t i = 0; i < 2; i++)
        if (find_comparison(v[i], &out[0]) && out[0].predicate == first)
            return find_comparison(v[1 - i], &out[1]);
    return false;
}

static bool find_upper(const LLVMValueRef sides[2], comparison *out, LLVMValueRef both[2])
{
    for (uint32_t i = 0; i < 2; i++)
        if (find_comparison(sides[i], out) && out->predicate != LLVMIntEQ)
            return find_both(sides[1 - i], LLVMAnd, both);
    return false;
}

/* One comparison for an OR of those of halves; NULL: it is none such. */
static LLVMValueRef join_halves(vsg_jit_emitter *e, LLVMValueRef v)
{
    enum { EQUAL, LOWER };
    LLVMValueRef sides[2], both[2];
    comparison upper, parts[2];

    if (LLVMTypeOf(v) != e->i1 || !find_both(v, LLVMOr, sides) ||
        !find_upper(sides, &upper, both) || !find_two(both, LLVMIntEQ, parts))
        return NULL;
    LLVMValueRef whole = whole_of_upper(e, upper.a);
    if (!whole || parts[EQUAL].a != upper.a || parts[EQUAL].b != upper.b ||
        parts[LOWER].predicate != LLVMIntULT || !is_lower_of(parts[LOWER].a, whole))
        return NULL;
    LLVMPositionBuilderBefore(e->b, v);
    LLVMValueRef limit = LLVMBuildZExt(e->b, upper.b, e->i64, "");
    limit = LLVMBuildShl(e->b, limit, vsg_jit_i64(e, 32), "");
    limit = LLVMBuildAdd(e->b, limit, LLVMBuildZExt(e->b, parts[LOWER].b, e->i64, ""), "");
    return LLVMBuildICmp(e->b, upper.predicate, whole, limit, "");
}

/* ---- all of them ------------------------------------------------------------------------- */

typedef LLVMValueRef (*simpler)(vsg_jit_emitter *e, LLVMValueRef v);

static void simplify(vsg_jit_emitter *e, LLVMValueRef function, simpler of)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b), next; v; v = next) {
            next = LLVMGetNextInstruction(v);
            LLVMValueRef other = of(e, v);
            if (other)
                vsg_jit_replace(v, other);
        }
}

void vsg_jit_find_conditions(vsg_jit_emitter *e)
{
    simplify(e, e->function, lane_taken);
    simplify(e, e->function, join_halves);
}
