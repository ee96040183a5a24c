/* SPDX-License-Identifier: MIT
 *
 * Qwords made of what their dwords are made of. */
#include "jit/lane_operations.h"
#include "jit/qwords_node.h"

/* ---- their making ------------------------------------------------------------------------ */

static LLVMValueRef to_integers(const vsg_jit_qwords *j, LLVMValueRef value)
{
    uint32_t count = vsg_jit_is_vector(value) ? vsg_jit_num_lanes(value) : 1;

    return LLVMBuildBitCast(j->e->b, value, vsg_jit_int(j->e, VSG_JIT_QWORD_BITS, count), "");
}

static LLVMValueRef make_lanes(const vsg_jit_qwords *j, const vsg_jit_dword_lanes *of)
{
    LLVMValueRef other = of->from[1] ? of->from[1] : LLVMGetPoison(LLVMTypeOf(of->from[0]));

    if (of->is_all && vsg_jit_num_lanes(of->from[0]) == j->count)
        return of->from[0];
    return LLVMBuildShuffleVector(j->e->b, of->from[0], other,
                                  LLVMConstVector((LLVMValueRef *)of->places, j->count), "");
}

static LLVMValueRef make_constants(const vsg_jit_qwords *j, const vsg_jit_qwords_node *n)
{
    LLVMValueRef values[VSG_JIT_MOST_QWORDS];

    for (uint32_t i = 0; i < j->count; i++)
        values[i] = vsg_jit_i64(j->e, (uint64_t)vsg_jit_constant_dword(n->of[1][i])
                                              << VSG_JIT_DWORD_BITS |
                                          vsg_jit_constant_dword(n->of[0][i]));
    return LLVMConstVector(values, j->count);
}

static LLVMValueRef make_whole(const vsg_jit_qwords *j, const vsg_jit_qwords_node *n)
{
    vsg_jit_dword_lanes from;
    LLVMValueRef scalar;

    (void)vsg_jit_find_qwords(j->e, n->of, j->count, &from, &scalar);
    return scalar ? vsg_jit_splat(j->e, to_integers(j, scalar), j->count)
                  : to_integers(j, make_lanes(j, &from));
}

static LLVMValueRef extend(const vsg_jit_qwords *j, LLVMValueRef dwords)
{
    uint32_t count = vsg_jit_is_vector(dwords) ? j->count : 1;

    return LLVMBuildZExt(j->e->b, dwords, vsg_jit_int(j->e, VSG_JIT_QWORD_BITS, count), "");
}

/* Low and high dwords, of vectors or scalars. */
static LLVMValueRef put_together(const vsg_jit_qwords *j, LLVMValueRef low, LLVMValueRef high)
{
    uint32_t count = vsg_jit_is_vector(low) ? j->count : 1;
    LLVMValueRef by = vsg_jit_splat(j->e, vsg_jit_i64(j->e, VSG_JIT_DWORD_BITS), count);

    return LLVMBuildOr(j->e->b, extend(j, low), LLVMBuildShl(j->e->b, extend(j, high), by, ""),
                       "");
}

static LLVMValueRef make_dwords(const vsg_jit_qwords *j, const vsg_jit_dword *of)
{
    LLVMValueRef scalar = vsg_jit_find_scalar(of, j->count);
    vsg_jit_dword_lanes from;

    if (scalar)
        return vsg_jit_splat(j->e, scalar, j->count);
    (void)vsg_jit_find_dwords(j->e, of, j->count, &from);
    LLVMValueRef lanes = make_lanes(j, &from);
    /* Of a qword the other half may be one that matters. */
    return from.has_any ? LLVMBuildFreeze(j->e->b, lanes, "") : lanes;
}

static LLVMValueRef make_operation(const vsg_jit_qwords *j, const vsg_jit_qwords_node *n,
                                   LLVMValueRef before)
{
    LLVMValueRef of[2];
    vsg_jit_dword_lanes on;

    for (uint32_t which = 0; which < 2; which++)
        of[which] = vsg_jit_make_qwords(j, n->operands[which], before);
    LLVMPositionBuilderBefore(j->e->b, before);
    switch (n->kind) {
    case VSG_JIT_QWORDS_AND:
        return LLVMBuildAnd(j->e->b, of[0], of[1], "");
    case VSG_JIT_QWORDS_OR:
        return LLVMBuildOr(j->e->b, of[0], of[1], "");
    case VSG_JIT_QWORDS_XOR:
        return LLVMBuildXor(j->e->b, of[0], of[1], "");
    case VSG_JIT_QWORDS_PRODUCT:
        return LLVMBuildMul(j->e->b, of[0], of[1], "");
    case VSG_JIT_QWORDS_SUM:
        return LLVMBuildAdd(j->e->b, of[0], of[1], "");
    default:
        (void)vsg_jit_find_dwords(j->e, n->conditions, j->count, &on);
        return LLVMBuildSelect(j->e->b, make_lanes(j, &on), of[0], of[1], "");
    }
}

static LLVMValueRef make_leaf(const vsg_jit_qwords *j, const vsg_jit_qwords_node *n)
{
    switch (n->kind) {
    case VSG_JIT_QWORDS_CONSTANT:
        return make_constants(j, n);
    case VSG_JIT_QWORDS_QWORDS:
        return make_whole(j, n);
    case VSG_JIT_QWORDS_EXTENDED:
        return extend(j, make_dwords(j, n->of[0]));
    case VSG_JIT_QWORDS_SCALARS:
        return vsg_jit_splat(j->e,
                             put_together(j, vsg_jit_find_scalar(n->of[0], j->count),
                                          vsg_jit_find_scalar(n->of[1], j->count)),
                             j->count);
    default:
        return put_together(j, make_dwords(j, n->of[0]), make_dwords(j, n->of[1]));
    }
}

/* Operations behind those that they stand for, where others find them; all else in front of
 * who asks. */
LLVMValueRef vsg_jit_make_qwords(const vsg_jit_qwords *j, vsg_jit_qwords_node *n,
                                 LLVMValueRef before)
{
    if (n->value)
        return n->value;
    if (n->kind < VSG_JIT_QWORDS_AND) {
        LLVMPositionBuilderBefore(j->e->b, before);
        return make_leaf(j, n);
    }
    if (!n->after)
        return make_operation(j, n, before);
    n->value = make_operation(j, n, LLVMGetNextInstruction(n->after));
    return n->value;
}

/* ---- dwords of what is there ------------------------------------------------------------- */

enum { MOST_BETWEEN = 16 };

/* Does nobody ask for an operation's result before the qwords of it are there? */
static bool is_free_until(LLVMValueRef v, LLVMValueRef qwords)
{
    uint32_t count = 0;

    for (LLVMValueRef i = LLVMGetNextInstruction(v); i != qwords;
         i = LLVMGetNextInstruction(i)) {
        if (!i || count++ == MOST_BETWEEN)
            return false;
        for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i); n++)
            if (LLVMGetOperand(i, n) == v)
                return false;
    }
    return true;
}

/* Is it one of those that qwords are made of anew? */
static bool is_operation(LLVMValueRef v)
{
    return vsg_jit_is_op(v, LLVMAnd) || vsg_jit_is_op(v, LLVMOr) || vsg_jit_is_op(v, LLVMXor) ||
           vsg_jit_is_op(v, LLVMSelect) || vsg_jit_is_op(v, LLVMMul) ||
           vsg_jit_is_op(v, LLVMAdd);
}

/* Who asks for low or high dwords themselves gets those of the qwords, so that these are not
 * computed twice. */
static void take_dwords(const vsg_jit_qwords *j, const vsg_jit_qwords_node *n, bool is_high)
{
    LLVMValueRef old = is_high ? n->high : n->low, places[VSG_JIT_MOST_QWORDS];

    if (!old || !is_operation(old) || !LLVMIsAInstruction(n->value) ||
        !is_free_until(old, n->value))
        return;
    uint32_t count = vsg_jit_num_lanes(old);
    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_i32(j->e, 2 * i + is_high);
    LLVMPositionBuilderBefore(j->e->b, LLVMGetNextInstruction(n->value));
    LLVMValueRef all = LLVMBuildBitCast(j->e->b, n->value,
                                        vsg_jit_int(j->e, VSG_JIT_DWORD_BITS, 2 * count), "");
    LLVMReplaceAllUsesWith(old,
                           LLVMBuildShuffleVector(j->e->b, all, LLVMGetPoison(LLVMTypeOf(all)),
                                                  LLVMConstVector(places, count), ""));
}

void vsg_jit_take_dwords(const vsg_jit_qwords *j)
{
    for (const vsg_jit_qwords_node *n = j->first; n; n = n->later)
        for (uint32_t half = 0; half < 2 && n->value; half++)
            take_dwords(j, n, half);
}
