/* SPDX-License-Identifier: MIT */
#include "jit/rounds.h"

#include "jit/together.h"

typedef vsg_jit_series series;
typedef vsg_jit_hoister hoister;

static LLVMValueRef freeze(hoister *h, LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) ? v : LLVMBuildFreeze(h->e->b, v, "");
}

static LLVMValueRef both(hoister *h, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildAnd(h->e->b, a, b, "");
}

static LLVMValueRef is_below(hoister *h, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(h->e->b, LLVMIntULT, a, b, "");
}

/* ---- bounds one by one ------------------------------------------------------------------- */

/* Rounds behind the first one. */
typedef struct stretch {
    LLVMValueRef more;  /* i64 */
    uint32_t step_bits; /* steps that have more are none of a loop that goes far: `more` of them
                           are not to overflow */
} stretch;

/* Is a number below its limit in all of them? */
static LLVMValueRef stays_below(hoister *h, const vsg_jit_bound *of, const stretch *rounds)
{
    vsg_jit_emitter *e = h->e;
    LLVMValueRef zero = vsg_jit_i64(e, 0), start = freeze(h, of->is.start);

    if (!of->limit)
        return start;
    LLVMValueRef limit = freeze(h, of->limit), step = of->is.step;
    if (!step || rounds->more == zero)
        return is_below(h, start, limit);
    step = freeze(h, step);
    LLVMValueRef falls = LLVMBuildICmp(e->b, LLVMIntSLT, step, zero, "");
    LLVMValueRef by = LLVMBuildSelect(e->b, falls, LLVMBuildNeg(e->b, step, ""), step, "");
    LLVMValueRef way = LLVMBuildMul(e->b, by, rounds->more, "");
    LLVMValueRef least =
        LLVMBuildSub(e->b, start, LLVMBuildSelect(e->b, falls, way, zero, ""), "");
    LLVMValueRef args[] = {limit, way};
    LLVMValueRef most = vsg_jit_intrinsic(e, "llvm.usub.sat", e->i64, args, 2);
    return both(h, is_below(h, least, most),
                is_below(h, by, vsg_jit_i64(e, UINT64_C(1) << rounds->step_bits)));
}

LLVMValueRef vsg_jit_keeps_bounds(vsg_jit_hoister *h, uint32_t rounds)
{
    enum { STEP_BITS = 48 };
    stretch all = {vsg_jit_i64(h->e, rounds - 1), STEP_BITS};
    LLVMValueRef good = LLVMConstInt(h->e->i1, 1, false);

    for (uint32_t i = 0; i < h->num_bounds; i++)
        good = both(h, good, stays_below(h, &h->bounds[i], &all));
    return good;
}

/* ---- bounds that grow together ----------------------------------------------------------- */

enum { MOST_ROOTS = 8 };

/* What several bounds are multiples of and more: they are all kept while it is below `limit`.
 * That is made of values from outside the loop, so that in a loop around it it is mostly the
 * same in all rounds. */
typedef struct root_bound {
    LLVMValueRef root, limit;
    uint64_t step;
} root_bound;

typedef struct root_list {
    root_bound roots[MOST_ROOTS];
    uint32_t count;
} root_list;

/* Below what is rest + scale * root < limit? Where `rest` is not, nowhere, which is not quite
 * so. */
static LLVMValueRef limit_of_root(hoister *h, const vsg_jit_bound *of)
{
    enum { ROOM_BITS = 62 };
    vsg_jit_emitter *e = h->e;
    LLVMValueRef limit = freeze(h, of->limit), rest = freeze(h, of->is.rest);
    LLVMValueRef one = vsg_jit_i64(e, 1), room = LLVMBuildSub(e->b, limit, rest, "");

    room = LLVMBuildUDiv(e->b, LLVMBuildSub(e->b, room, one, ""), vsg_jit_i64(e, of->is.scale),
                         "");
    LLVMValueRef args[] = {room, vsg_jit_i64(e, UINT64_C(1) << ROOM_BITS)};
    room = LLVMBuildAdd(e->b, vsg_jit_intrinsic(e, "llvm.umin", e->i64, args, 2), one, "");
    return LLVMBuildSelect(e->b, is_below(h, rest, limit), room, vsg_jit_i64(e, 0), "");
}

/* False: it is none of these. */
static bool add_to_roots(hoister *h, root_list *list, const vsg_jit_bound *of)
{
    uint32_t i = 0;

    if (!of->limit || !of->is.root)
        return false;
    while (i < list->count && list->roots[i].root != of->is.root)
        i++;
    if (i == MOST_ROOTS)
        return false;
    LLVMValueRef limit = limit_of_root(h, of);
    if (i == list->count) {
        list->roots[list->count++] = (root_bound){of->is.root, limit, of->is.root_step};
        return true;
    }
    LLVMValueRef args[] = {list->roots[i].limit, limit};
    list->roots[i].limit = vsg_jit_intrinsic(h->e, "llvm.umin", h->e->i64, args, 2);
    return true;
}

static LLVMValueRef root_keeps_bound(hoister *h, const root_bound *of, LLVMValueRef more)
{
    vsg_jit_emitter *e = h->e;
    LLVMValueRef root = freeze(h, of->root);
    LLVMValueRef way = LLVMBuildMul(e->b, more, vsg_jit_i64(e, of->step), "");
    LLVMValueRef last = LLVMBuildAdd(e->b, root, way, "");
    LLVMValueRef good = is_below(h, last, of->limit);

    if (LLVMIsAZExtInst(of->root))
        return good;
    return both(h, good,
                LLVMBuildICmp(e->b, LLVMIntULE, root, last, "")); /* not from -1 to 1 */
}

/* ---- how many rounds there are ----------------------------------------------------------- */

LLVMIntPredicate vsg_jit_inverse_of(LLVMIntPredicate predicate)
{
    static const LLVMIntPredicate inverses[] = {
        [LLVMIntEQ] = LLVMIntNE,   [LLVMIntNE] = LLVMIntEQ,   [LLVMIntUGT] = LLVMIntULE,
        [LLVMIntUGE] = LLVMIntULT, [LLVMIntULT] = LLVMIntUGE, [LLVMIntULE] = LLVMIntUGT,
        [LLVMIntSGT] = LLVMIntSLE, [LLVMIntSGE] = LLVMIntSLT, [LLVMIntSLT] = LLVMIntSGE,
        [LLVMIntSLE] = LLVMIntSGT};

    return inverses[predicate];
}

/* The loop goes on while `at` is below a limit, with signs or without; or while it is not the
 * limit. */
typedef struct condition {
    series at;
    LLVMValueRef limit;
    bool is_signed, is_unequal;
} condition;

/* Comparisons the other way round, and such as include the limit, are left out: compilers make
 * few of them. */
static bool find_condition(hoister *h, LLVMValueRef comparison, bool goes_on, condition *out)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(comparison);
    LLVMValueRef a = LLVMGetOperand(comparison, 0), b = LLVMGetOperand(comparison, 1);

    if (!goes_on)
        predicate = vsg_jit_inverse_of(predicate);
    if (predicate == LLVMIntUGT || predicate == LLVMIntSGT) {
        LLVMValueRef swapped = a;
        a = b;
        b = swapped;
    }
    out->is_signed = predicate == LLVMIntSLT || predicate == LLVMIntSGT;
    out->is_unequal = predicate == LLVMIntNE;
    if (!out->is_signed && !out->is_unequal && predicate != LLVMIntULT &&
        predicate != LLVMIntUGT)
        return false;
    return vsg_jit_find_series(h, a, &out->at) && out->at.step &&
           vsg_jit_find_constant(h, b, &out->limit) && LLVMIsAConstantInt(out->at.step);
}

static LLVMValueRef extend(hoister *h, LLVMValueRef v, bool is_signed)
{
    v = freeze(h, v);
    return is_signed ? LLVMBuildSExt(h->e->b, v, h->e->i64, "")
                     : LLVMBuildZExt(h->e->b, v, h->e->i64, "");
}

typedef struct rounds_found {
    LLVMValueRef more;    /* behind the first one at most; NULL: they are not counted */
    LLVMValueRef is_sure; /* i1: else the number may step over its limit and begin anew */
} rounds_found;

/* Is there room for the last step above the limit? */
static LLVMValueRef has_room(hoister *h, const condition *of, uint32_t bits)
{
    uint64_t step = LLVMConstIntGetZExtValue(of->at.step);
    uint32_t unused = 64 - bits + of->is_signed; /* of 64 bits, by the greatest number */
    uint64_t most = (UINT64_MAX >> unused) - step + 1;

    if (step == 1)
        return LLVMConstInt(h->e->i1, 1, false);
    return LLVMBuildICmp(h->e->b, of->is_signed ? LLVMIntSLE : LLVMIntULE,
                         extend(h, of->limit, of->is_signed), vsg_jit_i64(h->e, most), "");
}

/* Is it so far to the limit at most that nothing that is made of it overflows? */
static LLVMValueRef is_near(hoister *h, LLVMValueRef way, uint32_t bits)
{
    enum { NEAR_BITS = 32 };

    if (bits <= NEAR_BITS)
        return LLVMConstInt(h->e->i1, 1, false);
    return is_below(h, way, vsg_jit_i64(h->e, UINT64_C(1) << NEAR_BITS));
}

static rounds_found count_more(hoister *h, const condition *of)
{
    vsg_jit_emitter *e = h->e;
    uint32_t bits = LLVMGetIntTypeWidth(LLVMTypeOf(of->limit));
    int64_t step = LLVMConstIntGetSExtValue(of->at.step);

    if (bits > 64 || step <= 0 || step > INT32_MAX || (of->is_unequal && step != 1))
        return (rounds_found){NULL, NULL};
    rounds_found out = {.is_sure = has_room(h, of, bits)};
    if (of->is_unequal) {
        out.more = LLVMBuildSub(e->b, freeze(h, of->limit), freeze(h, of->at.start), "");
        out.more = extend(h, out.more, false);
        out.is_sure = both(h, out.is_sure, is_near(h, out.more, bits));
        return out;
    }
    LLVMValueRef at = extend(h, of->at.start, of->is_signed);
    LLVMValueRef limit = extend(h, of->limit, of->is_signed);
    LLVMValueRef way = LLVMBuildSub(e->b, limit, at, "");
    LLVMValueRef more =
        LLVMBuildUDiv(e->b, LLVMBuildAdd(e->b, way, vsg_jit_i64(e, (uint64_t)step - 1), ""),
                      vsg_jit_i64(e, (uint64_t)step), "");
    LLVMValueRef goes_on =
        LLVMBuildICmp(e->b, of->is_signed ? LLVMIntSLT : LLVMIntULT, at, limit, "");
    out.more = LLVMBuildSelect(e->b, goes_on, more, vsg_jit_i64(e, 0), "");
    LLVMValueRef ends = LLVMBuildNot(e->b, goes_on, "");
    ends = LLVMBuildOr(e->b, ends, is_near(h, way, bits), "");
    out.is_sure = both(h, out.is_sure, ends);
    return out;
}

/* Marks the blocks that `from` leads to, but the header. */
static bool reach_from(const vsg_jit_region *region, LLVMBasicBlockRef from, bool *is_reached)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(from);
    bool grew = false;

    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++)
        for (uint32_t i = 1; i < region->num_blocks; i++)
            if (region->blocks[i] == LLVMGetSuccessor(last, s) && !is_reached[i])
                grew = is_reached[i] = true;
    return grew;
}

bool vsg_jit_is_in_each_round(const vsg_jit_hoister *h, LLVMBasicBlockRef block)
{
    const vsg_jit_region *region = h->region;
    bool *is_reached = vsg_base_arena_new(&h->e->arena, region->num_blocks, sizeof *is_reached);
    bool grew = true;

    if (!is_reached)
        return false;
    is_reached[0] = true;
    while (grew) {
        grew = false;
        for (uint32_t i = 0; i < region->num_blocks; i++)
            if (is_reached[i] && region->blocks[i] != block)
                grew |= reach_from(region, region->blocks[i], is_reached);
    }
    for (uint32_t i = 0; i < region->num_blocks; i++)
        if (is_reached[i] && region->blocks[i] == region->latch && region->latch != block)
            return false;
    return true;
}

/* Do channels leave as something has been said of them? */
static LLVMValueRef leave_together(const hoister *h)
{
    return h->together.may_differ ? h->together.is_sure : h->together.holds;
}

/* What the branch at the end of a block says, where it leaves the loop. */
static rounds_found count_by_branch(hoister *h, LLVMBasicBlockRef block)
{
    vsg_jit_found found_before = vsg_jit_found_by(h);
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    rounds_found out = {NULL, NULL};
    condition found;

    if (!LLVMIsABranchInst(last) || !LLVMIsConditional(last))
        return out;
    bool stays[2];
    for (unsigned s = 0; s < 2; s++)
        stays[s] =
            vsg_jit_mapped(&h->own, LLVMBasicBlockAsValue(LLVMGetSuccessor(last, s))) != NULL;
    if (stays[0] != stays[1] && vsg_jit_ends_together(h, LLVMGetCondition(last), stays[0]) &&
        vsg_jit_is_in_each_round(h, block))
        return (rounds_found){h->together.more, leave_together(h)};
    if (!LLVMIsAICmpInst(LLVMGetCondition(last)) ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(LLVMGetCondition(last), 0))) !=
            LLVMIntegerTypeKind)
        return out;
    if (stays[0] != stays[1] && find_condition(h, LLVMGetCondition(last), stays[0], &found) &&
        vsg_jit_is_in_each_round(h, block))
        out = count_more(h, &found);
    if (!out.more) {
        vsg_jit_go_back_to(h, &found_before);
    }
    return out;
}

LLVMValueRef vsg_jit_keeps_bounds_to_end(vsg_jit_hoister *h, LLVMValueRef *more)
{
    enum { STEP_BITS = 30 };
    stretch all = {NULL, STEP_BITS};
    root_list list = {.count = 0};
    rounds_found found = {NULL, NULL};

    for (uint32_t i = 0; i < h->region->num_blocks && !found.more; i++)
        found = count_by_branch(h, h->region->blocks[i]);
    if (!found.more)
        return NULL;
    *more = all.more = found.more;
    LLVMValueRef good = found.is_sure;
    if (h->together.is_asked)
        good = both(h, good, leave_together(h));
    for (uint32_t i = 0; i < h->num_bounds; i++)
        if (!add_to_roots(h, &list, &h->bounds[i]))
            good = both(h, good, stays_below(h, &h->bounds[i], &all));
    for (uint32_t i = 0; i < list.count; i++)
        good = both(h, good, root_keeps_bound(h, &list.roots[i], all.more));
    return good;
}
