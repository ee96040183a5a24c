/* SPDX-License-Identifier: MIT
 *
 * Processors give what a store has to a load that lies within it, without waiting for the
 * cache; not what was stored under a mask, and not to a load that reaches beyond the store,
 * whatever its mask says. In a reduction, each step loads what the one before has stored, and
 * half as many lanes. */
#include "jit/prefix.h"

#include "jit/marks.h"

enum { NO_PREFIX = UINT32_MAX, MOST_LANES = VSG_EXE_MAX_CHANNELS * 4 };

/* The operands of an access; value is the one that is stored, or lanes that are off. */
typedef struct access {
    LLVMValueRef place, value;
    uint32_t align, lanes, on;
} access;

/* How many lanes of a constant mask are on, from the first one, and none behind them. */
static uint32_t length_of(LLVMValueRef mask)
{
    uint32_t lanes = LLVMGetVectorSize(LLVMTypeOf(mask)), on = 0;

    if (!LLVMIsConstant(mask))
        return NO_PREFIX;
    for (uint32_t i = 0; i < lanes; i++) {
        LLVMValueRef lane = LLVMGetAggregateElement(mask, i);
        if (!lane || !LLVMIsAConstantInt(lane))
            return NO_PREFIX;
        bool is_on = LLVMConstIntGetZExtValue(lane) != 0;
        if (is_on && on < i)
            return NO_PREFIX;
        on += is_on;
    }
    return on;
}

/* Is it one that a processor has an access for? The others keep their mask. */
static bool is_short(const access *a)
{
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(a->value));

    if (a->on == NO_PREFIX || a->lanes > MOST_LANES ||
        LLVMGetTypeKind(element) != LLVMIntegerTypeKind)
        return false;
    uint32_t bytes = a->on * LLVMGetIntTypeWidth(element) / 8;
    return a->on > 0 && (bytes & (bytes - 1)) == 0;
}

/* `count` lanes of a vector; those that it does not have are those of zero. */
static LLVMValueRef resize(vsg_jit_emitter *e, LLVMValueRef vector, uint32_t count)
{
    uint32_t has = LLVMGetVectorSize(LLVMTypeOf(vector));
    LLVMValueRef places[MOST_LANES];

    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_i32(e, i < has ? i : has);
    return LLVMBuildShuffleVector(e->b, vector, LLVMConstNull(LLVMTypeOf(vector)),
                                  LLVMConstVector(places, count), "");
}

/* The first lanes of a vector, and behind them those of another one. */
static LLVMValueRef take_first(vsg_jit_emitter *e, LLVMValueRef first, LLVMValueRef other,
                               uint32_t count)
{
    uint32_t lanes = LLVMGetVectorSize(LLVMTypeOf(first));
    LLVMValueRef places[MOST_LANES];

    if (other == LLVMConstNull(LLVMTypeOf(first)))
        return first; /* resize() */
    for (uint32_t i = 0; i < lanes; i++)
        places[i] = vsg_jit_i32(e, i < count ? i : lanes + i);
    return LLVMBuildShuffleVector(e->b, first, other, LLVMConstVector(places, lanes), "");
}

static void shorten_load(vsg_jit_emitter *e, LLVMValueRef v)
{
    access a = {.place = LLVMGetOperand(v, 0),
                .align = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)),
                .value = LLVMGetOperand(v, 3),
                .on = length_of(LLVMGetOperand(v, 2))};

    a.lanes = LLVMGetVectorSize(LLVMTypeOf(a.value));
    if (!is_short(&a))
        return;
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(a.value));
    LLVMPositionBuilderBefore(e->b, v);
    LLVMValueRef all = vsg_jit_load(e, LLVMVectorType(element, a.on), a.place, a.align);
    if (a.on < a.lanes)
        all = take_first(e, resize(e, all, a.lanes), a.value, a.on);
    vsg_jit_replace(v, all);
}

static void shorten_store(vsg_jit_emitter *e, LLVMValueRef v)
{
    access a = {.value = LLVMGetOperand(v, 0),
                .place = LLVMGetOperand(v, 1),
                .align = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 2)),
                .on = length_of(LLVMGetOperand(v, 3))};

    a.lanes = LLVMGetVectorSize(LLVMTypeOf(a.value));
    if (!is_short(&a))
        return;
    LLVMPositionBuilderBefore(e->b, v);
    LLVMValueRef value = a.on == a.lanes ? a.value : resize(e, a.value, a.on);
    vsg_jit_store(e, value, a.place, a.align);
    LLVMInstructionEraseFromParent(v);
}

static void shorten(vsg_jit_emitter *e, LLVMValueRef v)
{
    if (vsg_jit_is_intrinsic(v, "llvm.masked.load"))
        shorten_load(e, v);
    else if (vsg_jit_is_intrinsic(v, "llvm.masked.store"))
        shorten_store(e, v);
}

void vsg_jit_shorten(vsg_jit_emitter *e)
{
    vsg_jit_each_instruction(e, shorten);
}
