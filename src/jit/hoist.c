/* SPDX-License-Identifier: MIT */
#include "jit/hoist.h"

#include <stddef.h>

#include "jit/abreast.h"
#include "jit/along.h"
#include "jit/columns.h"
#include "jit/counts.h"
#include "jit/entry.h"
#include "jit/frame.h"
#include "jit/group.h"
#include "jit/limits.h"
#include "jit/pile.h"
#include "jit/rounds.h"
#include "jit/together.h"

typedef vsg_jit_hoister hoister;

/* ---- the loop in two ways ---------------------------------------------------------------- */

/* A copy of the loop that comes back to decide behind some rounds. */
typedef struct way {
    vsg_jit_map map;
    LLVMBasicBlockRef from, head, turn; /* before it; where a round has ended */
    bool counts_rounds;                 /* a number of the loop may be what its counter is */
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

/* Behind `rounds` of them back to decide. NULL: round and round. */
static void count_rounds(hoister *h, LLVMValueRef rounds, way *w)
{
    vsg_jit_emitter *e = h->e;
    LLVMBasicBlockRef latch = w->turn;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(latch);

    w->turn = append_block(h);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++)
        if (LLVMGetSuccessor(last, s) == w->head)
            LLVMSetSuccessor(last, s, w->turn);
    LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(w->head));
    LLVMValueRef left = LLVMBuildPhi(e->b, e->i64, "");
    LLVMPositionBuilderAtEnd(e->b, w->turn);
    LLVMValueRef less = LLVMBuildSub(e->b, left, vsg_jit_i64(e, 1), "");
    LLVMValueRef on = LLVMBuildICmp(e->b, LLVMIntNE, less, vsg_jit_i64(e, 0), "");
    vsg_jit_likely(e, LLVMBuildCondBr(e->b, on, w->head, h->decide));
    LLVMAddIncoming(left, (LLVMValueRef[]){rounds, less},
                    (LLVMBasicBlockRef[]){w->from, w->turn}, 2);
}

/* rounds: NULL: round and round, to the end. */
static bool make_way(hoister *h, LLVMValueRef rounds, way *w)
{
    vsg_jit_emitter *e = h->e;

    if (!vsg_jit_copy_region(e, h->region, &w->map))
        return false;
    w->head = mapped_block(&w->map, h->region->blocks[0]);
    w->turn = mapped_block(&w->map, h->region->latch);
    if (rounds)
        count_rounds(h, rounds, w);
    LLVMBasicBlockRef from[] = {w->from, w->turn};
    for (uint32_t i = 0; i < h->num_phis; i++) {
        LLVMValueRef values[] = {h->begin[i], coming_back_in(h, w, h->phis[i])};
        LLVMAddIncoming(vsg_jit_mapped(&w->map, h->phis[i]), values, from, 2);
    }
    return true;
}

static LLVMValueRef coming_in(const hoister *h, LLVMValueRef phi)
{
    return vsg_jit_coming_from(phi, h->region->before);
}

/* What decide begins with: from before, and from the ways. */
static void fill_phis(hoister *h, LLVMBasicBlockRef before, const way *ways, uint32_t num_ways)
{
    for (uint32_t i = 0; i < h->num_phis; i++) {
        LLVMValueRef phi = h->phis[i], first = coming_in(h, phi);
        LLVMAddIncoming(h->begin[i], &first, &before, 1);
        for (uint32_t w = 0; w < num_ways; w++) {
            LLVMValueRef value = coming_back_in(h, &ways[w], phi);
            LLVMBasicBlockRef from = ways[w].turn;
            LLVMAddIncoming(h->begin[i], &value, &from, 1);
        }
    }
}

/* The loop itself is reached no more; LLVM drops it. */
static void go_to(const hoister *h, LLVMBasicBlockRef first)
{
    vsg_jit_emitter *e = h->e;

    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(h->region->before));
    LLVMPositionBuilderAtEnd(e->b, h->region->before);
    LLVMBuildCondBr(e->b, LLVMConstInt(e->i1, 1, false), first, h->region->blocks[0]);
}

/* From here to *enter, for so many rounds without tests, if that is right; else to a block that
 * the builder is at the end of then. */
static void try_rounds(hoister *h, LLVMValueRef good, LLVMValueRef count, LLVMValueRef rounds,
                       LLVMBasicBlockRef enter)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(h->e->b), other = append_block(h);

    vsg_jit_likely(h->e, LLVMBuildCondBr(h->e->b, good, enter, other));
    LLVMAddIncoming(rounds, &count, &from, 1);
    LLVMPositionBuilderAtEnd(h->e->b, other);
}

/* Where it is known how many rounds need no tests: all, many or few. Where not even few,
 * control is in *none. */
static LLVMValueRef emit_decision(hoister *h, LLVMBasicBlockRef *enter, LLVMBasicBlockRef *none)
{
    enum { MANY_ROUNDS = 64, FEW_ROUNDS = 8, MANY_GROUPS = 16 };
    vsg_jit_emitter *e = h->e;
    uint32_t many = h->is_of_groups ? MANY_GROUPS : MANY_ROUNDS;
    uint32_t few = h->is_of_groups ? 1 : FEW_ROUNDS;

    *enter = append_block(h);
    LLVMPositionBuilderAtEnd(e->b, *enter);
    LLVMValueRef rounds = LLVMBuildPhi(e->b, e->i64, "");
    LLVMPositionBuilderAtEnd(e->b, h->decide);
    try_rounds(h, vsg_jit_keeps_bounds(h, many), vsg_jit_i64(e, many), rounds, *enter);
    try_rounds(h, vsg_jit_keeps_bounds(h, few), vsg_jit_i64(e, few), rounds, *enter);
    *none = LLVMGetInsertBlock(e->b);
    return rounds;
}

/* Tests of the loop: those that the first way does without, and others. */
typedef struct test_list {
    LLVMValueRef *tests; /* the first num_hoisted are */
    uint32_t num_hoisted, count;
} test_list;

/* Windows change where they are looked for, which is by calls. */
static bool keeps_windows(const hoister *h)
{
    for (uint32_t i = 0; i < h->region->num_blocks; i++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(h->region->blocks[i]); v;
             v = LLVMGetNextInstruction(v))
            if (LLVMGetInstructionOpcode(v) == LLVMCall && !vsg_jit_is_of_columns(v) &&
                !vsg_jit_is_plain_call(h->e, v))
                return false;
    return true;
}

/* A test that is left in the first way looks into a window that does not change meanwhile: it
 * is loaded before, where loops around this one may find it unchanged, too. */
static void load_window_before(hoister *h, const way *w, LLVMValueRef test)
{
    vsg_jit_emitter *e = h->e;
    LLVMValueRef window, size, own = vsg_jit_mapped(&w->map, test);

    if (vsg_jit_mark_of(e, test) != VSG_JIT_IN_WINDOW)
        return;
    LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(h->decide));
    if (!vsg_jit_find_constant(h, LLVMGetOperand(test, 0), &window))
        return;
    LLVMValueRef base = vsg_jit_window_base(e, window, &size);
    if (vsg_jit_limit_index(h, &w->map, test, base, size))
        return;
    LLVMPositionBuilderBefore(e->b, own);
    LLVMValueRef offset = LLVMBuildSub(e->b, LLVMGetOperand(own, 1), base, "");
    vsg_jit_replace(own, LLVMBuildICmp(e->b, LLVMIntULT, offset, size, ""));
}

static void relieve_way(hoister *h, const way *w, const test_list *list)
{
    for (uint32_t i = 0; i < list->num_hoisted; i++)
        vsg_jit_replace(vsg_jit_mapped(&w->map, list->tests[i]),
                        LLVMConstInt(h->e->i1, 1, false));
    if (w->counts_rounds)
        vsg_jit_count_by_number(h, &w->map);
    if (!keeps_windows(h))
        return;
    for (uint32_t i = list->num_hoisted; i < list->count; i++)
        load_window_before(h, w, list->tests[i]);
}

static bool find_all_bounds(hoister *h, const test_list *list)
{
    for (uint32_t i = 0; i < list->num_hoisted; i++)
        if (!vsg_jit_find_bounds(h, list->tests[i]))
            return false;
    return true;
}

/* Has a way read its columns ahead. Returns whether there are enough rounds for that, and all
 * else is good: an i1. */
static LLVMValueRef read_columns_ahead(hoister *h, const vsg_jit_columns *columns, way *w,
                                       LLVMValueRef more, LLVMValueRef good)
{
    vsg_jit_emitter *e = h->e;
    const vsg_jit_columns_way own = {&w->map, w->head, w->turn, more};

    w->head = vsg_jit_read_ahead(h, columns, &own);
    LLVMPositionBuilderAtEnd(e->b, h->decide);
    return LLVMBuildAnd(e->b, good, vsg_jit_can_read_ahead(h, columns, more), "");
}

/* The same loop, as it is entered from before; the builder is in a block of its own. NULL:
 * memory is out. */
static hoister *begin_before(const hoister *h)
{
    vsg_jit_emitter *e = h->e;
    hoister *own = vsg_base_arena_new(&e->arena, 1, sizeof *own);

    if (!own)
        return NULL;
    own->e = e;
    own->region = h->region;
    own->own = h->own;
    own->num_phis = h->num_phis;
    own->decide = append_block(h);
    for (uint32_t i = 0; i < h->num_phis; i++) {
        own->phis[i] = h->phis[i];
        own->begin[i] = coming_in(h, h->phis[i]);
    }
    LLVMPositionBuilderAtEnd(e->b, own->decide);
    return own;
}

/* Finds columns, and code along their rows. Those that are not plain are none without. */
static vsg_jit_along *find_columns(hoister *own, vsg_jit_columns *columns)
{
    vsg_jit_found found_before = vsg_jit_found_by(own);
    vsg_jit_along *along;
    bool are_plain = true;

    if (own->together.is_asked) /* tests are only known to hold if channels leave together */
        own->together.rounds = NULL;
    vsg_jit_find_columns(own, true, columns);
    along = vsg_jit_make_along(own, columns);
    for (uint32_t i = 0; i < columns->count; i++)
        are_plain &= vsg_jit_is_plain_column(&columns->list[i]);
    if (along || are_plain)
        return along;
    vsg_jit_go_back_to(own, &found_before);
    vsg_jit_find_columns(own, false, columns);
    return NULL;
}

/* Leads to code along rows where that is good, else to decide. */
static void lead_along(const hoister *h, hoister *own, vsg_jit_along *along,
                       const vsg_jit_columns *columns, LLVMValueRef more, LLVMValueRef good)
{
    vsg_jit_emitter *e = h->e;
    LLVMBasicBlockRef enter = vsg_jit_lead_along(along, more);

    LLVMPositionBuilderAtEnd(e->b, own->decide);
    LLVMValueRef can = vsg_jit_can_read_ahead(own, columns, more);
    LLVMBuildCondBr(e->b, LLVMBuildAnd(e->b, good, can, ""), enter, h->decide);
}

/* Before the first round it may be known that all rounds need no tests: another way then, which
 * counts none, if that is worth it, with tests or for columns alone. *first: where that is
 * found out, or decide. False: memory is out. */
static bool make_way_to_end(const hoister *h, const test_list *list, bool for_tests,
                            LLVMBasicBlockRef *first)
{
    vsg_jit_emitter *e = h->e;
    hoister *own = begin_before(h);
    LLVMValueRef good = NULL, more = NULL;
    vsg_jit_abreast *abreast = NULL;
    vsg_jit_along *along = NULL;
    vsg_jit_columns columns = {.held = list->tests, .num_held = list->num_hoisted};
    LLVMBasicBlockRef enter = NULL;
    way w = {.from = NULL};

    *first = h->decide;
    if (!own)
        return false;
    vsg_jit_find_together(own);
    if (find_all_bounds(own, list)) {
        along = find_columns(own, &columns);
        if (for_tests && columns.count == 0)
            abreast = vsg_jit_make_abreast(own, list->tests, list->num_hoisted);
        good = vsg_jit_keeps_bounds_to_end(own, &more);
    }
    if (!good || (!for_tests && columns.count == 0)) {
        vsg_jit_drop_abreast(abreast);
        vsg_jit_drop_along(along);
        LLVMDeleteBasicBlock(own->decide);
        return true;
    }
    *first = w.from = own->decide;
    if (along) {
        lead_along(h, own, along, &columns, more, good);
        return true;
    }
    if (abreast)
        w.from = vsg_jit_lead_abreast(abreast, more, &enter);
    if (!make_way(own, NULL, &w))
        return false;
    if (abreast) {
        LLVMPositionBuilderAtEnd(e->b, w.from);
        LLVMBuildBr(e->b, w.head);
    }
    w.counts_rounds = columns.count == 0; /* else there is a block before its head */
    if (columns.count > 0)
        good = read_columns_ahead(own, &columns, &w, more, good);
    LLVMPositionBuilderAtEnd(e->b, own->decide);
    LLVMValueRef branch = LLVMBuildCondBr(e->b, good, abreast ? enter : w.head, h->decide);
    if (for_tests) /* else the other way is as good: it is not to be spilled for this one */
        vsg_jit_likely(e, branch);
    relieve_way(own, &w, list);
    return true;
}

/* What a call needs to look for a window. */
static LLVMValueRef first_thread(vsg_jit_emitter *e)
{
    LLVMValueRef threads = vsg_jit_at(e, e->batch, offsetof(vsg_jit_batch, threads));

    return LLVMBuildLoad2(e->b, e->pointer, LLVMBuildLoad2(e->b, e->pointer, threads, ""), "");
}

/* Which of the batch's it is, which LLVM has many names for; num_windows: it cannot be told. */
static uint32_t number_of_window(const vsg_jit_emitter *e, LLVMValueRef window)
{
    uint64_t at = 0;

    if (LLVMIsAGetElementPtrInst(window)) {
        LLVMValueRef offset = LLVMGetOperand(window, 1);
        at = LLVMIsAConstantInt(offset) ? LLVMConstIntGetZExtValue(offset) : UINT64_MAX;
    }
    at /= sizeof(vsg_jit_window);
    return at < e->num_windows ? (uint32_t)at : e->num_windows;
}

/* Looks for the windows of all tests, each once. False: memory is out. */
static bool look_for_windows(hoister *h, const test_list *list)
{
    vsg_jit_emitter *e = h->e;
    LLVMTypeRef types[] = {e->pointer, e->pointer, e->i64, e->i64, e->i32};
    LLVMTypeRef signature = LLVMFunctionType(e->i32, types, 5, false);
    bool *is_seen = vsg_base_arena_new(&e->arena, e->num_windows + 1u, sizeof *is_seen);
    LLVMValueRef thread = first_thread(e), window;
    vsg_jit_series at;

    for (uint32_t i = 0; i < list->num_hoisted && is_seen; i++) {
        LLVMValueRef test = list->tests[i], in = LLVMGetOperand(test, 0);
        if (vsg_jit_mark_of(e, test) != VSG_JIT_IN_WINDOW)
            continue;
        uint32_t number = number_of_window(e, in);
        if (is_seen[number] || !vsg_jit_find_constant(h, in, &window) ||
            !vsg_jit_find_series(h, LLVMGetOperand(test, 1), &at))
            continue;
        is_seen[number] = number < e->num_windows;
        LLVMValueRef args[] = {thread, window, at.start, at.start, LLVMGetOperand(test, 2)};
        (void)vsg_jit_call_rarely(e, "vsg_jit_find_window", signature, args, 5);
    }
    return is_seen != NULL;
}

/* Windows may be those of other memory, as they are at first: they are looked for, and it is
 * decided once more. Returns whether that has been done; the builder is where it has. NULL:
 * memory is out. */
static LLVMValueRef decide_again(hoister *h, const test_list *list)
{
    vsg_jit_emitter *e = h->e;
    LLVMBasicBlockRef again = append_block(h), none = append_block(h);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
    LLVMValueRef yes = LLVMConstInt(e->i1, 1, false);

    LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(h->decide));
    LLVMValueRef is_second = LLVMBuildPhi(e->b, e->i1, "");
    LLVMPositionBuilderAtEnd(e->b, from);
    LLVMBuildCondBr(e->b, is_second, none, again);
    LLVMPositionBuilderAtEnd(e->b, again);
    if (!look_for_windows(h, list))
        return NULL;
    LLVMBuildBr(e->b, h->decide);
    LLVMAddIncoming(is_second, &yes, &again, 1);
    for (uint32_t i = 0; i < h->num_phis; i++)
        LLVMAddIncoming(h->begin[i], &h->begin[i], &again, 1);
    LLVMPositionBuilderAtEnd(e->b, none);
    return is_second;
}

/* Groups as a whole, or none. */
static bool make_way_of_groups(hoister *h, const test_list *list)
{
    vsg_jit_emitter *e = h->e;
    LLVMValueRef no = LLVMConstInt(e->i1, 0, false);
    LLVMBasicBlockRef none;
    way own = {.from = NULL};

    LLVMValueRef rounds = emit_decision(h, &own.from, &none);
    if (!make_way(h, rounds, &own))
        return false;
    LLVMPositionBuilderAtEnd(e->b, own.from);
    LLVMBuildBr(e->b, own.head);
    LLVMPositionBuilderAtEnd(e->b, none);
    LLVMValueRef is_second = decide_again(h, list);
    if (!is_second)
        return false;
    LLVMBuildRet(e->b, vsg_jit_i32(e, VSG_JIT_ONE_BY_ONE));
    LLVMAddIncoming(is_second, (LLVMValueRef[]){no, no},
                    (LLVMBasicBlockRef[]){h->region->before, own.turn}, 2);
    fill_phis(h, h->region->before, &own, 1);
    relieve_way(h, &own, list);
    go_to(h, h->decide);
    return true;
}

/* Behind the way to the end, which begins in `first`, is the loop as it stands. */
static bool leave_rest(hoister *h, LLVMBasicBlockRef first)
{
    way plain = {.from = h->decide};

    if (!make_way(h, NULL, &plain))
        return false;
    LLVMPositionBuilderAtEnd(h->e->b, h->decide);
    LLVMBuildBr(h->e->b, plain.head);
    fill_phis(h, first, NULL, 0);
    go_to(h, first);
    return true;
}

static bool make_ways(hoister *h, const test_list *list)
{
    enum { ROUNDS_WITH_TESTS = 8 };
    vsg_jit_emitter *e = h->e;
    LLVMBasicBlockRef first;
    way ways[2] = {{.from = NULL}};

    if (!make_way_to_end(h, list, true, &first))
        return false;
    /* Rounds of threads are over soon, and the next groups' are decided anew. */
    if (first != h->decide && vsg_jit_has_rounds(e))
        return leave_rest(h, first);
    LLVMValueRef rounds = emit_decision(h, &ways[0].from, &ways[1].from);
    if (!make_way(h, rounds, &ways[0]) ||
        !make_way(h, vsg_jit_i64(e, ROUNDS_WITH_TESTS), &ways[1]))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        LLVMPositionBuilderAtEnd(e->b, ways[i].from);
        LLVMBuildBr(e->b, ways[i].head);
    }
    fill_phis(h, first == h->decide ? h->region->before : first, ways, 2);
    relieve_way(h, &ways[0], list);
    go_to(h, first);
    return true;
}

/* Where a copy is only worth it for its columns. */
static bool make_way_of_columns(hoister *h, const test_list *list)
{
    LLVMBasicBlockRef first;

    if (!make_way_to_end(h, list, false, &first))
        return false;
    if (first != h->decide)
        return leave_rest(h, first);
    LLVMDeleteBasicBlock(h->decide);
    return true;
}

/* ---- loops ------------------------------------------------------------------------------- */

static bool open_decide(hoister *h)
{
    vsg_jit_emitter *e = h->e;
    LLVMBasicBlockRef header = h->region->blocks[0];

    for (LLVMValueRef phi = vsg_jit_first_phi(header); phi; phi = vsg_jit_next_phi(phi)) {
        if (h->num_phis == VSG_JIT_MOST_PHIS)
            return false;
        h->phis[h->num_phis++] = phi;
    }
    h->decide = LLVMAppendBasicBlockInContext(e->context, LLVMGetBasicBlockParent(header), "");
    LLVMPositionBuilderAtEnd(e->b, h->decide);
    for (uint32_t i = 0; i < h->num_phis; i++)
        h->begin[i] = LLVMBuildPhi(e->b, LLVMTypeOf(h->phis[i]), "");
    return true;
}

/* The tests of a region. False: memory is out. */
static bool list_tests(vsg_jit_emitter *e, const vsg_jit_region *region, test_list *out)
{
    enum { MOST_TESTS = 1024 };

    *out = (test_list){.tests = vsg_base_arena_new(&e->arena, MOST_TESTS, sizeof *out->tests)};
    for (uint32_t i = 0; i < region->num_blocks && out->tests; i++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(region->blocks[i]); v;
             v = LLVMGetNextInstruction(v))
            if (vsg_jit_mark_of(e, v) >= 0 && out->count < MOST_TESTS)
                out->tests[out->count++] = v;
    return out->tests != NULL;
}

/* Brings those that bounds are found for to the front. */
static void sort_tests(hoister *h, test_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        LLVMValueRef test = list->tests[i];
        if (!vsg_jit_find_bounds(h, test))
            continue;
        list->tests[i] = list->tests[list->num_hoisted];
        list->tests[list->num_hoisted++] = test;
    }
}

/* The block that the loop over groups begins with was the second of its function. */
static bool is_of_groups(const vsg_jit_emitter *e, const vsg_jit_region *region)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(region->blocks[0]);

    return e->group && region->before == LLVMGetEntryBasicBlock(function);
}

/* Is what there is to be gained worth a copy of the loop, to LLVM and to the processor? */
static bool is_worth_it(const hoister *h, uint32_t num_hoisted)
{
    enum { MOST_VALUES = 2000, MOST_VALUES_A_TEST = 36 };

    if (h->is_of_groups || num_hoisted == 0)
        return num_hoisted > 0;
    return h->own.count <= MOST_VALUES && h->own.count / num_hoisted <= MOST_VALUES_A_TEST;
}

static bool hoist_from(vsg_jit_emitter *e, const vsg_jit_region *region, bool wants_all)
{
    enum { MOST_VALUES = 30000, MOST_VALUES_WITH_COLUMNS = 2000 };
    hoister *h = vsg_base_arena_new(&e->arena, 1, sizeof *h);
    test_list list;

    if (!h || !list_tests(e, region, &list))
        return false;
    *h = (hoister){.e = e, .region = region, .is_of_groups = is_of_groups(e, region)};
    if (list.count == 0)
        return true;
    if (!vsg_jit_map_region(e, region, &h->own))
        return false;
    if (h->own.count > MOST_VALUES || !open_decide(h))
        return true;
    sort_tests(h, &list);
    bool are_enough = !wants_all || list.num_hoisted == list.count;
    if (are_enough && is_worth_it(h, list.num_hoisted))
        return h->is_of_groups ? make_way_of_groups(h, &list) : make_ways(h, &list);
    if (!wants_all && !h->is_of_groups && h->own.count <= MOST_VALUES_WITH_COLUMNS)
        return make_way_of_columns(h, &list);
    LLVMDeleteBasicBlock(h->decide);
    return true;
}

static bool hoist_in(vsg_jit_emitter *e, LLVMValueRef function, bool wants_all)
{
    vsg_jit_region *regions;
    uint32_t count;

    if (!vsg_jit_find_regions(e, function, &regions, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!hoist_from(e, &regions[i], wants_all))
            return false;
    return true;
}

bool vsg_jit_hoist(vsg_jit_emitter *e)
{
    bool good = hoist_in(e, e->function, false);

    vsg_jit_make_marks_plain(e);
    vsg_jit_drop_columns(e);
    vsg_jit_drop_piles(e);
    return good;
}

bool vsg_jit_hoist_all(vsg_jit_emitter *e)
{
    return hoist_in(e, e->function, true);
}
