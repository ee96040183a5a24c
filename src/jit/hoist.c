/* SPDX-License-Identifier: MIT */
#include "jit/hoist.h"

#include "jit/group.h"
#include "jit/series.h"

typedef vsg_jit_hoister hoister;

/* ---- how many rounds --------------------------------------------------------------------- */

static LLVMValueRef freeze(hoister *h, LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) ? v : LLVMBuildFreeze(h->e->b, v, "");
}

/* Is a number below its limit in `rounds` rounds? Steps that are too large to be multiplied are
 * none of a loop that goes far. */
static LLVMValueRef stays_below(hoister *h, const vsg_jit_bound *of, uint32_t rounds)
{
    enum { STEP_BITS = 48 };
    vsg_jit_emitter *e = h->e;
    LLVMValueRef zero = vsg_jit_i64(e, 0), start = freeze(h, of->is.start);

    if (!of->limit)
        return start;
    LLVMValueRef limit = freeze(h, of->limit), step = of->is.step;
    if (!step || rounds == 1)
        return LLVMBuildICmp(e->b, LLVMIntULT, start, limit, "");
    step = freeze(h, step);
    LLVMValueRef falls = LLVMBuildICmp(e->b, LLVMIntSLT, step, zero, "");
    LLVMValueRef by = LLVMBuildSelect(e->b, falls, LLVMBuildNeg(e->b, step, ""), step, "");
    LLVMValueRef way = LLVMBuildMul(e->b, by, vsg_jit_i64(e, rounds - 1), "");
    LLVMValueRef least =
        LLVMBuildSub(e->b, start, LLVMBuildSelect(e->b, falls, way, zero, ""), "");
    LLVMValueRef args[] = {limit, way};
    LLVMValueRef most = vsg_jit_intrinsic(e, "llvm.usub.sat", e->i64, args, 2);
    LLVMValueRef good = LLVMBuildICmp(e->b, LLVMIntULT, least, most, "");
    return LLVMBuildAnd(
        e->b, good,
        LLVMBuildICmp(e->b, LLVMIntULT, by, vsg_jit_i64(e, UINT64_C(1) << STEP_BITS), ""), "");
}

static LLVMValueRef all_stay(hoister *h, uint32_t rounds)
{
    LLVMValueRef all = LLVMConstInt(h->e->i1, 1, false);

    for (uint32_t i = 0; i < h->num_bounds; i++)
        all = LLVMBuildAnd(h->e->b, all, stays_below(h, &h->bounds[i], rounds), "");
    return all;
}

/* ---- the loop in two ways ---------------------------------------------------------------- */

/* A copy of the loop that comes back to decide behind some rounds. */
typedef struct way {
    vsg_jit_map map;
    LLVMBasicBlockRef from, head, turn; /* before it; where a round has ended */
} way;

static LLVMBasicBlockRef mapped_block(const vsg_jit_map *map, LLVMBasicBlockRef block)
{
    return LLVMValueAsBasicBlock(vsg_jit_mapped(map, LLVMBasicBlockAsValue(block)));
}

static LLVMBasicBlockRef append_block(const hoister *h)
{
    return LLVMAppendBasicBlockInContext(h->e->context, LLVMGetBasicBlockParent(h->decide), "");
}

static LLVMValueRef coming_back_in(const hoister *h, const way *w, LLVMValueRef phi)
{
    LLVMValueRef back = vsg_jit_coming_back(h, phi), own = vsg_jit_mapped(&w->map, back);

    return own ? own : back;
}

static bool make_way(hoister *h, LLVMValueRef rounds, way *w)
{
    vsg_jit_emitter *e = h->e;

    if (!vsg_jit_copy_region(e, h->region, &w->map))
        return false;
    w->head = mapped_block(&w->map, h->region->blocks[0]);
    w->turn = append_block(h);
    LLVMValueRef last = LLVMGetBasicBlockTerminator(mapped_block(&w->map, h->region->latch));
    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++)
        if (LLVMGetSuccessor(last, s) == w->head)
            LLVMSetSuccessor(last, s, w->turn);
    LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(w->head));
    LLVMValueRef left = LLVMBuildPhi(e->b, e->i64, "");
    LLVMPositionBuilderAtEnd(e->b, w->turn);
    LLVMValueRef less = LLVMBuildSub(e->b, left, vsg_jit_i64(e, 1), "");
    LLVMValueRef on = LLVMBuildICmp(e->b, LLVMIntNE, less, vsg_jit_i64(e, 0), "");
    vsg_jit_likely(e, LLVMBuildCondBr(e->b, on, w->head, h->decide));
    LLVMBasicBlockRef from[] = {w->from, w->turn};
    LLVMAddIncoming(left, (LLVMValueRef[]){rounds, less}, from, 2);
    for (uint32_t i = 0; i < h->num_phis; i++) {
        LLVMValueRef values[] = {h->begin[i], coming_back_in(h, w, h->phis[i])};
        LLVMAddIncoming(vsg_jit_mapped(&w->map, h->phis[i]), values, from, 2);
    }
    return true;
}

/* What decide begins with: from before, and from the ways. */
static void fill_phis(hoister *h, const way *ways, uint32_t num_ways)
{
    for (uint32_t i = 0; i < h->num_phis; i++) {
        LLVMValueRef phi = h->phis[i];
        for (uint32_t n = 0; n < LLVMCountIncoming(phi); n++) {
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, n);
            LLVMValueRef value = LLVMGetIncomingValue(phi, n);
            if (from == h->region->before)
                LLVMAddIncoming(h->begin[i], &value, &from, 1);
        }
        for (uint32_t w = 0; w < num_ways; w++) {
            LLVMValueRef value = coming_back_in(h, &ways[w], phi);
            LLVMBasicBlockRef from = ways[w].turn;
            LLVMAddIncoming(h->begin[i], &value, &from, 1);
        }
    }
}

/* The loop itself is reached no more; LLVM drops it. */
static void go_to_decide(const hoister *h)
{
    vsg_jit_emitter *e = h->e;

    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(h->region->before));
    LLVMPositionBuilderAtEnd(e->b, h->region->before);
    LLVMBuildCondBr(e->b, LLVMConstInt(e->i1, 1, false), h->decide, h->region->blocks[0]);
}

/* Where it is known how many rounds need no tests: many or few. Where not even few, control is
 * in *none. */
static LLVMValueRef emit_decision(hoister *h, LLVMBasicBlockRef *enter, LLVMBasicBlockRef *none)
{
    enum { MANY_ROUNDS = 64, FEW_ROUNDS = 8, MANY_GROUPS = 16 };
    vsg_jit_emitter *e = h->e;
    uint32_t many = h->is_of_groups ? MANY_GROUPS : MANY_ROUNDS;
    uint32_t few = h->is_of_groups ? 1 : FEW_ROUNDS;
    LLVMBasicBlockRef second = append_block(h);

    *enter = append_block(h);
    *none = append_block(h);
    LLVMPositionBuilderAtEnd(e->b, h->decide);
    vsg_jit_likely(e, LLVMBuildCondBr(e->b, all_stay(h, many), *enter, second));
    LLVMPositionBuilderAtEnd(e->b, second);
    vsg_jit_likely(e, LLVMBuildCondBr(e->b, all_stay(h, few), *enter, *none));
    LLVMPositionBuilderAtEnd(e->b, *enter);
    LLVMValueRef rounds = LLVMBuildPhi(e->b, e->i64, "");
    LLVMValueRef values[] = {vsg_jit_i64(e, many), vsg_jit_i64(e, few)};
    LLVMBasicBlockRef from[] = {h->decide, second};
    LLVMAddIncoming(rounds, values, from, 2);
    return rounds;
}

static bool make_ways(hoister *h, const LLVMValueRef *tests, uint32_t num_tests)
{
    enum { ROUNDS_WITH_TESTS = 8 };
    vsg_jit_emitter *e = h->e;
    uint32_t num_ways = h->is_of_groups ? 1 : 2;
    way ways[2];
    LLVMValueRef rounds = emit_decision(h, &ways[0].from, &ways[1].from);

    if (!make_way(h, rounds, &ways[0]))
        return false;
    LLVMPositionBuilderAtEnd(e->b, ways[0].from);
    LLVMBuildBr(e->b, ways[0].head);
    if (num_ways == 2 && !make_way(h, vsg_jit_i64(e, ROUNDS_WITH_TESTS), &ways[1]))
        return false;
    LLVMPositionBuilderAtEnd(e->b, ways[1].from);
    if (num_ways == 2)
        LLVMBuildBr(e->b, ways[1].head);
    else
        LLVMBuildRet(e->b, vsg_jit_i32(e, VSG_JIT_ONE_BY_ONE));
    fill_phis(h, ways, num_ways);
    for (uint32_t i = 0; i < num_tests; i++)
        vsg_jit_replace(vsg_jit_mapped(&ways[0].map, tests[i]), LLVMConstInt(e->i1, 1, false));
    go_to_decide(h);
    return true;
}

/* ---- loops ------------------------------------------------------------------------------- */

static bool open_decide(hoister *h)
{
    vsg_jit_emitter *e = h->e;
    LLVMBasicBlockRef header = h->region->blocks[0];

    for (LLVMValueRef v = LLVMGetFirstInstruction(header);
         v && LLVMGetInstructionOpcode(v) == LLVMPHI; v = LLVMGetNextInstruction(v)) {
        if (h->num_phis == VSG_JIT_MOST_PHIS)
            return false;
        h->phis[h->num_phis++] = v;
    }
    h->decide = LLVMAppendBasicBlockInContext(e->context, LLVMGetBasicBlockParent(header), "");
    LLVMPositionBuilderAtEnd(e->b, h->decide);
    for (uint32_t i = 0; i < h->num_phis; i++)
        h->begin[i] = LLVMBuildPhi(e->b, LLVMTypeOf(h->phis[i]), "");
    return true;
}

/* The tests of a region. False: memory is out. */
static bool list_tests(vsg_jit_emitter *e, const vsg_jit_region *region, uint32_t most,
                       LLVMValueRef **out, uint32_t *count)
{
    *count = 0;
    *out = vsg_base_arena_new(&e->arena, most, sizeof **out);
    for (uint32_t i = 0; i < region->num_blocks && *out; i++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(region->blocks[i]); v;
             v = LLVMGetNextInstruction(v))
            if (vsg_jit_mark_of(e, v) >= 0 && *count < most)
                (*out)[(*count)++] = v;
    return *out != NULL;
}

/* The block that the loop over groups begins with was the second of its function. */
static bool is_of_groups(const vsg_jit_emitter *e, const vsg_jit_region *region)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(region->blocks[0]);

    return e->group && e->group->function == function &&
           region->before == LLVMGetEntryBasicBlock(function);
}

/* Is what there is to be gained worth a copy of the loop, to LLVM and to the processor? */
static bool is_worth_it(const hoister *h, uint32_t num_hoisted)
{
    enum { MOST_VALUES = 2000, MOST_VALUES_A_TEST = 24 };

    if (h->is_of_groups || num_hoisted == 0)
        return num_hoisted > 0;
    return h->own.count <= MOST_VALUES && h->own.count / num_hoisted <= MOST_VALUES_A_TEST;
}

static bool hoist_from(vsg_jit_emitter *e, const vsg_jit_region *region)
{
    enum { MOST_TESTS = 1024, MOST_VALUES = 30000 };
    hoister *h = vsg_base_arena_new(&e->arena, 1, sizeof *h);
    LLVMValueRef *tests;
    uint32_t num_tests, num_hoisted = 0;

    if (!h || !list_tests(e, region, MOST_TESTS, &tests, &num_tests))
        return false;
    *h = (hoister){.e = e, .region = region, .is_of_groups = is_of_groups(e, region)};
    if (num_tests == 0)
        return true;
    if (!vsg_jit_map_region(e, region, &h->own))
        return false;
    if (h->own.count > MOST_VALUES || !open_decide(h))
        return true;
    for (uint32_t i = 0; i < num_tests; i++)
        if (vsg_jit_find_bounds(h, tests[i]))
            tests[num_hoisted++] = tests[i];
    if (is_worth_it(h, num_hoisted))
        return make_ways(h, tests, num_hoisted);
    LLVMDeleteBasicBlock(h->decide);
    return true;
}

static bool hoist_in(vsg_jit_emitter *e, LLVMValueRef function)
{
    vsg_jit_region *regions;
    uint32_t count;

    if (!vsg_jit_find_regions(e, function, &regions, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!hoist_from(e, &regions[i]))
            return false;
    return true;
}

bool vsg_jit_hoist(vsg_jit_emitter *e)
{
    bool good = hoist_in(e, e->function) && (!e->group || hoist_in(e, e->group->function));

    vsg_jit_make_marks_plain(e);
    return good;
}
