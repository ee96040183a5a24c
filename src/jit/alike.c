/* SPDX-License-Identifier: MIT
 *
 * Where nothing is known of addresses a test at run time asks whether they are all the same, or
 * follow each other (sections.c): whether all lanes are what one of them is. Compilers load
 * what lies around one address, fields of a structure or elements of a row, by addresses that
 * are constants apart, and each load has its tests. What is added to all lanes does not matter
 * to them: without it they are one. */
#include "jit/alike.h"

#include "jit/lowering.h"
#include "jit/marks.h"

/* Lanes as those of another vector, each with a number added. */
typedef struct lanes {
    LLVMValueRef base;
    uint32_t count;
    uint32_t from[VSG_EXE_MAX_CHANNELS];
    uint64_t added[VSG_EXE_MAX_CHANNELS];
} lanes;

static bool find_constant(LLVMValueRef vector, uint32_t lane, uint64_t *out)
{
    LLVMValueRef element =
        LLVMIsConstant(vector) ? LLVMGetAggregateElement(vector, lane) : NULL;

    if (!element || !LLVMIsAConstantInt(element))
        return false;
    *out = LLVMConstIntGetZExtValue(element);
    return true;
}

/* Takes a sum or difference with constants off. */
static bool take_off_sum(lanes *l, LLVMValueRef other, LLVMValueRef constants, bool is_less)
{
    uint64_t more[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < l->count; i++)
        if (!find_constant(constants, l->from[i], &more[i]))
            return false;
    for (uint32_t i = 0; i < l->count; i++)
        l->added[i] += is_less ? 0 - more[i] : more[i];
    l->base = other;
    return true;
}

static bool take_off_shuffle(lanes *l)
{
    LLVMValueRef vector = LLVMGetOperand(l->base, 0);
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(vector));
    uint32_t from[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < l->count; i++) {
        int place = LLVMGetMaskValue(l->base, l->from[i]);
        if (place < 0 || (uint32_t)place >= count)
            return false;
        from[i] = (uint32_t)place;
    }
    for (uint32_t i = 0; i < l->count; i++)
        l->from[i] = from[i];
    l->base = vector;
    return true;
}

static bool take_off(lanes *l)
{
    if (!LLVMIsAInstruction(l->base))
        return false;
    switch (LLVMGetInstructionOpcode(l->base)) {
    case LLVMAdd:
        return take_off_sum(l, LLVMGetOperand(l->base, 0), LLVMGetOperand(l->base, 1), false) ||
               take_off_sum(l, LLVMGetOperand(l->base, 1), LLVMGetOperand(l->base, 0), false);
    case LLVMSub:
        return take_off_sum(l, LLVMGetOperand(l->base, 0), LLVMGetOperand(l->base, 1), true);
    case LLVMShuffleVector:
        return take_off_shuffle(l);
    default:
        return false;
    }
}

/* The lanes without what the first one has more. */
static LLVMValueRef make_lanes(vsg_jit_emitter *e, const lanes *l)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS], more[VSG_EXE_MAX_CHANNELS];
    LLVMValueRef value = l->base;
    LLVMTypeRef type = LLVMTypeOf(value), element = LLVMGetElementType(type);
    bool is_same = LLVMGetVectorSize(type) == l->count, is_sum = false;

    for (uint32_t i = 0; i < l->count; i++) {
        places[i] = vsg_jit_i32(e, l->from[i]);
        more[i] = LLVMConstInt(element, l->added[i] - l->added[0], false);
        is_same = is_same && l->from[i] == i;
        is_sum |= l->added[i] != l->added[0];
    }
    if (!is_same)
        value = LLVMBuildShuffleVector(e->b, value, LLVMGetPoison(type),
                                       LLVMConstVector(places, l->count), "");
    return is_sum ? LLVMBuildAdd(e->b, value, LLVMConstVector(more, l->count), "") : value;
}

/* The lane that a test compares all others to; NULL: it is no such test. */
static LLVMValueRef find_one(LLVMValueRef v)
{
    if (LLVMGetInstructionOpcode(v) != LLVMICmp || LLVMGetICmpPredicate(v) != LLVMIntNE)
        return NULL;
    LLVMValueRef all = LLVMGetOperand(v, 0), splat = LLVMGetOperand(v, 1);
    if (LLVMGetTypeKind(LLVMTypeOf(all)) != LLVMVectorTypeKind ||
        LLVMGetVectorSize(LLVMTypeOf(all)) > VSG_EXE_MAX_CHANNELS ||
        !LLVMIsAShuffleVectorInst(splat))
        return NULL;
    for (uint32_t i = 0; i < LLVMGetVectorSize(LLVMTypeOf(all)); i++)
        if (LLVMGetMaskValue(splat, i) != 0)
            return NULL;
    LLVMValueRef made = LLVMGetOperand(splat, 0);
    LLVMValueRef one = LLVMIsAInsertElementInst(made) ? LLVMGetOperand(made, 1) : NULL;
    if (!one || !LLVMIsAConstantInt(LLVMGetOperand(made, 2)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(made, 2)) != 0)
        return NULL;
    return LLVMIsAExtractElementInst(one) && LLVMGetOperand(one, 0) == all ? one : NULL;
}

static void share(vsg_jit_emitter *e, LLVMValueRef test)
{
    LLVMValueRef one = find_one(test);
    LLVMValueRef all = one ? LLVMGetOperand(test, 0) : NULL;
    lanes l = {.base = all};

    if (!one)
        return;
    l.count = LLVMGetVectorSize(LLVMTypeOf(all));
    for (uint32_t i = 0; i < l.count; i++)
        l.from[i] = i;
    while (take_off(&l))
        continue;
    if (l.base == all)
        return;
    LLVMPositionBuilderBefore(e->b, one);
    LLVMValueRef value = make_lanes(e, &l);
    LLVMValueRef first = LLVMBuildExtractElement(e->b, value, LLVMGetOperand(one, 1), "");
    LLVMValueRef more = LLVMConstInt(LLVMTypeOf(first), l.added[0], false);
    LLVMValueRef own = l.added[0] ? LLVMBuildAdd(e->b, first, more, "") : first;
    LLVMPositionBuilderBefore(e->b, test);
    LLVMValueRef others = vsg_jit_splat(e, first, l.count);
    vsg_jit_replace(test, LLVMBuildICmp(e->b, LLVMIntNE, value, others, ""));
    vsg_jit_replace(one, own);
}

void vsg_jit_share_tests(vsg_jit_emitter *e)
{
    vsg_jit_each_instruction(e, share);
}
