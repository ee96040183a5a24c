/* SPDX-License-Identifier: MIT */
#include "jit/abreast.h"

#include "jit/abreast_lanes.h"
#include "jit/lane_operations.h"
#include "jit/lowering.h"
#include "jit/pile.h"

typedef vsg_jit_hoister hoister;
typedef vsg_jit_series series;

enum { MOST_SUMS = 4, MOST_BEHIND = 8 };
enum { VECTOR_BITS = 256, MOST_BITS = 512, LEAST_BITS = MOST_BITS / VSG_JIT_MOST_ABREAST };

/* A phi that a round changes by one operation, and what that takes beside it. */
typedef struct sum {
    LLVMValueRef phi, next;
    LLVMValueRef before, behind; /* in the code, before and behind the lanes in hand */
    vsg_jit_pile pile;
    LLVMValueRef factors[VSG_JIT_MOST_FACTORS]; /* that the lanes add, if there are piles */
} sum;

/* A phi behind the loop, and what it gets: a sum, or a series. */
typedef struct phi_behind {
    LLVMValueRef phi, value;
    const sum *sum; /* NULL: it is none */
    series is;
} phi_behind;

struct vsg_jit_abreast {
    vsg_jit_abreast_lanes lanes;
    LLVMBasicBlockRef last, exit; /* of the loop: where it ends, and where it goes to then */
    /* Sums of floats go to piles, and lanes are those of one visit. */
    bool is_piled;
    vsg_jit_piles piles;
    /* Phis of the code, beside that of the round: rounds to go, and whether a place was outside
     * before those in hand. */
    LLVMValueRef left, failed;
    sum sums[MOST_SUMS];
    phi_behind behind[MOST_BEHIND];
    uint32_t num_sums, num_behind;
};

/* ---- the loop ---------------------------------------------------------------------------- */

/* Where a round goes on behind a block. NULL: there are several ways. */
static LLVMBasicBlockRef next_block(const vsg_jit_abreast *a, LLVMBasicBlockRef block)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    LLVMBasicBlockRef found = NULL;

    if (!LLVMIsABranchInst(last))
        return NULL;
    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(last, s);
        if (!vsg_jit_abreast_has(&a->lanes, LLVMBasicBlockAsValue(to)))
            continue;
        if (found)
            return NULL;
        found = to;
    }
    return found;
}

/* Is a branch there for a test that leaves the loop where it fails, if it can? */
static bool is_for_test(const vsg_jit_abreast *a, LLVMValueRef branch)
{
    LLVMValueRef condition = LLVMIsConditional(branch) ? LLVMGetCondition(branch) : NULL;

    return condition &&
           (vsg_jit_mark_of(a->lanes.h->e, condition) >= 0 ||
            condition == LLVMConstInt(a->lanes.h->e->i1, 1, false)) &&
           vsg_jit_abreast_has(&a->lanes, LLVMBasicBlockAsValue(LLVMGetSuccessor(branch, 0)));
}

/* Does a round go through all blocks one after the other, and the loop end in one of them? */
static bool find_end(vsg_jit_abreast *a)
{
    const vsg_jit_region *region = a->lanes.h->region;
    LLVMBasicBlockRef block = region->blocks[0];

    for (uint32_t i = 0; i < region->num_blocks; i++) {
        LLVMBasicBlockRef next = next_block(a, block);
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
        if (!next)
            return false;
        if (LLVMIsConditional(branch) && !is_for_test(a, branch)) {
            if (a->last)
                return false;
            a->last = block;
            a->exit = LLVMGetSuccessor(branch, LLVMGetSuccessor(branch, 0) == next);
        }
        block = next;
    }
    return a->last && block == region->blocks[0];
}

/* Is a value used in the loop by no more than one other? */
static bool is_used_by(const vsg_jit_abreast *a, LLVMValueRef v, LLVMValueRef user)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (LLVMGetUser(use) != user && vsg_jit_abreast_has(&a->lanes, LLVMGetUser(use)))
            return false;
    return true;
}

/* ---- sums -------------------------------------------------------------------------------- */

/* What a sum may be. */
typedef struct operation {
    LLVMOpcode op;
    const char *reduce; /* of integers; NULL: lanes are added one by one, in their order */
    bool is_and;        /* all bits do nothing; else 0 */
} operation;

static const operation operations[] = {
    {.op = LLVMFAdd},
    {.op = LLVMAdd, .reduce = "llvm.vector.reduce.add"},
    {.op = LLVMOr, .reduce = "llvm.vector.reduce.or"},
    {.op = LLVMXor, .reduce = "llvm.vector.reduce.xor"},
    {.op = LLVMAnd, .reduce = "llvm.vector.reduce.and", .is_and = true},
};

static const operation *operation_of(LLVMValueRef v)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (LLVMGetInstructionOpcode(v) == operations[i].op)
            return &operations[i];
    return NULL;
}

static bool is_fused(LLVMValueRef v)
{
    return vsg_jit_is_intrinsic(v, "llvm.fma");
}

/* Which operand of an operation the number before it is; -1: none alone. */
static int place_in(LLVMValueRef v, LLVMValueRef phi)
{
    if (is_fused(v))
        return LLVMGetOperand(v, 2) == phi && LLVMGetOperand(v, 0) != phi &&
                       LLVMGetOperand(v, 1) != phi
                   ? 2
                   : -1;
    if (!operation_of(v) || LLVMGetOperand(v, 0) == LLVMGetOperand(v, 1))
        return -1;
    return LLVMGetOperand(v, 0) == phi ? 0 : LLVMGetOperand(v, 1) == phi ? 1 : -1;
}

static bool find_sum(vsg_jit_abreast *a, LLVMValueRef phi)
{
    LLVMValueRef next = vsg_jit_coming_back(a->lanes.h, phi);

    if (a->num_sums == MOST_SUMS || !vsg_jit_is_lane(LLVMTypeOf(phi)) || !next ||
        !vsg_jit_abreast_has(&a->lanes, next) || !LLVMIsAInstruction(next) ||
        place_in(next, phi) < 0 || !is_used_by(a, phi, next) || !is_used_by(a, next, phi))
        return false;
    a->sums[a->num_sums++] = (sum){.phi = phi, .next = next};
    return true;
}

/* Phis are sums, or series. */
static bool find_sums(vsg_jit_abreast *a)
{
    series is;

    for (uint32_t i = 0; i < a->lanes.h->num_phis; i++) {
        LLVMValueRef phi = a->lanes.h->phis[i];
        bool is_int = LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMIntegerTypeKind;
        if (!(is_int && vsg_jit_find_series(a->lanes.h, phi, &is)) && !find_sum(a, phi))
            return false;
    }
    return a->num_sums > 0;
}

static bool is_of_floats(const sum *s)
{
    const operation *op = operation_of(s->next);

    return !op || !op->reduce;
}

/* ---- what is behind the loop ------------------------------------------------------------- */

static const sum *sum_with(const vsg_jit_abreast *a, LLVMValueRef next)
{
    for (uint32_t i = 0; i < a->num_sums; i++)
        if (a->sums[i].next == next)
            return &a->sums[i];
    return NULL;
}

static bool find_behind(vsg_jit_abreast *a)
{
    for (LLVMValueRef phi = vsg_jit_first_phi(a->exit); phi; phi = vsg_jit_next_phi(phi)) {
        phi_behind one = {.phi = phi, .value = vsg_jit_coming_from(phi, a->last)};
        if (a->num_behind == MOST_BEHIND)
            return false;
        one.sum = sum_with(a, one.value);
        if (!one.sum && !vsg_jit_find_series(a->lanes.h, one.value, &one.is))
            return false;
        a->behind[a->num_behind++] = one;
    }
    return true;
}

static sum *floats_of(vsg_jit_abreast *a, const phi_behind *one)
{
    for (uint32_t n = 0; n < a->num_sums; n++)
        if (one->sum == &a->sums[n] && is_of_floats(&a->sums[n]))
            return &a->sums[n];
    return NULL;
}

/* Does each sum of floats go to a pile, and nowhere else, and is all else that channels change
 * a sum? When they come again they begin with what they have. */
static bool find_piles(vsg_jit_abreast *a)
{
    uint32_t num_found = 0, num_wanted = 0, num_changed = 0;

    for (uint32_t i = 0; i < a->num_sums; i++)
        num_wanted += is_of_floats(&a->sums[i]);
    for (uint32_t i = 0; i < a->num_behind; i++) {
        sum *s = floats_of(a, &a->behind[i]);
        if (!s)
            continue;
        if (s->pile.give || !vsg_jit_find_pile(a->lanes.h->e, a->behind[i].phi, &s->pile))
            return false;
        num_changed = s->pile.num_changed;
        num_found++;
    }
    return num_wanted > 0 && num_found == num_wanted && num_changed == a->num_sums - num_wanted;
}

/* ---- adding up --------------------------------------------------------------------------- */

/* What lanes that are over give. */
static LLVMValueRef mask_with(vsg_jit_abreast *a, LLVMValueRef lanes, LLVMValueRef none)
{
    return LLVMBuildSelect(a->lanes.h->e->b, a->lanes.mask, lanes,
                           vsg_jit_splat(a->lanes.h->e, none, a->lanes.num), "");
}

static LLVMValueRef lane(vsg_jit_abreast *a, LLVMValueRef lanes, uint32_t n)
{
    return LLVMBuildExtractElement(a->lanes.h->e->b, lanes, vsg_jit_i32(a->lanes.h->e, n), "");
}

/* Products that floats are added up of; of a number alone one with 1. */
typedef struct product {
    LLVMValueRef of[2]; /* [1] NULL: 1 */
} product;

static product product_of(const vsg_jit_abreast *a, const sum *s)
{
    LLVMValueRef next = s->next;

    if (is_fused(next))
        return (product){{LLVMGetOperand(next, 0), LLVMGetOperand(next, 1)}};
    LLVMValueRef v = LLVMGetOperand(next, 1 - (unsigned)place_in(next, s->phi));
    if (vsg_jit_abreast_has(&a->lanes, v) && LLVMGetInstructionOpcode(v) == LLVMFMul)
        return (product){{LLVMGetOperand(v, 0), LLVMGetOperand(v, 1)}};
    return (product){{v, NULL}};
}

/* What a sum is when a product has been added, or sums are; y: NULL: 1. */
static LLVMValueRef add_product(const vsg_jit_abreast *a, const sum *s, LLVMValueRef before,
                                LLVMValueRef x, LLVMValueRef y)
{
    LLVMBuilderRef b = a->lanes.h->e->b;
    LLVMValueRef args[] = {x, y, before};

    if (is_fused(s->next))
        return vsg_jit_intrinsic(a->lanes.h->e, "llvm.fma", LLVMTypeOf(x), args, 3);
    if (y)
        x = LLVMBuildFMul(b, x, y, "");
    return place_in(s->next, s->phi) == 1 ? LLVMBuildFAdd(b, x, before, "")
                                          : LLVMBuildFAdd(b, before, x, "");
}

/* Where one factor is loaded by each lane for itself, so it is multiplied: lanes that are over
 * have 0 times -0, which changes no sum. */
static bool add_lane_by_lane(vsg_jit_abreast *a, sum *s, const product *p, unsigned loaded)
{
    LLVMTypeRef type = LLVMTypeOf(s->phi);
    vsg_jit_place *from = vsg_jit_abreast_place(&a->lanes, p->of[loaded]);
    LLVMValueRef other = p->of[1 - loaded], all = LLVMConstReal(type, 1.0), x[2];

    all = other ? vsg_jit_abreast_value(&a->lanes, other)
                : vsg_jit_splat(a->lanes.h->e, all, a->lanes.num);
    if (!all)
        return false;
    all = mask_with(a, all, LLVMConstReal(type, -0.0));
    for (uint32_t n = 0; n < a->lanes.num; n++) {
        x[loaded] = vsg_jit_abreast_load(&a->lanes, type, from, n);
        x[1 - loaded] = lane(a, all, n);
        s->behind = add_product(a, s, s->behind, x[0], x[1]);
    }
    return true;
}

static bool add_floats(vsg_jit_abreast *a, sum *s)
{
    LLVMTypeRef type = LLVMTypeOf(s->phi);
    product p = product_of(a, s);

    for (unsigned i = 0; i < 2 && p.of[i] && !a->is_piled; i++)
        if (vsg_jit_abreast_place(&a->lanes, p.of[i]))
            return add_lane_by_lane(a, s, &p, i);
    LLVMValueRef x = vsg_jit_abreast_value(&a->lanes, p.of[0]),
                 y = p.of[1] ? vsg_jit_abreast_value(&a->lanes, p.of[1]) : NULL;
    if (!x || (p.of[1] && !y))
        return false;
    if (y && !is_fused(s->next)) {
        x = LLVMBuildFMul(a->lanes.h->e->b, x, y, "");
        y = NULL;
    }
    x = mask_with(a, x, LLVMConstReal(type, y ? 0.0 : -0.0));
    if (y)
        y = mask_with(a, y, LLVMConstReal(type, -0.0));
    s->factors[0] = x;
    s->factors[1] = y;
    for (uint32_t n = 0; n < a->lanes.num && !a->is_piled; n++)
        s->behind = add_product(a, s, s->behind, lane(a, x, n), y ? lane(a, y, n) : NULL);
    return true;
}

static bool add_up(vsg_jit_abreast *a, sum *s)
{
    LLVMTypeRef type = LLVMTypeOf(s->phi);
    const operation *op = operation_of(s->next);

    s->behind = s->before;
    if (is_of_floats(s))
        return add_floats(a, s);
    LLVMValueRef x = vsg_jit_abreast_value(
        &a->lanes, LLVMGetOperand(s->next, 1 - (unsigned)place_in(s->next, s->phi)));
    if (!x)
        return false;
    x = mask_with(a, x, op->is_and ? LLVMConstAllOnes(type) : LLVMConstNull(type));
    x = vsg_jit_reduce(a->lanes.h->e, op->reduce, x);
    s->behind = LLVMBuildBinOp(a->lanes.h->e->b, op->op, s->before, x, "");
    return true;
}

/* ---- the code ---------------------------------------------------------------------------- */

/* Bits of a number that a round loads, or computes with. 0: it has none of its own. */
static uint32_t width_of(vsg_jit_abreast *a, LLVMValueRef v)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef same;

    if (!vsg_jit_is_lane(LLVMTypeOf(v)) ||
        (op != LLVMLoad && LLVMTypeOf(v) != LLVMDoubleTypeInContext(a->lanes.h->e->context)))
        return 0;
    if (op == LLVMLoad && LLVMTypeOf(v) == a->lanes.h->e->i64 &&
        vsg_jit_find_constant(a->lanes.h, v, &same))
        return 0; /* where memory begins */
    return vsg_jit_lane_bits(LLVMTypeOf(v));
}

/* Rounds that are taken at once. Where sums wait for each lane twice as many are no quicker:
 * rows that are shorter wait as long. */
static uint32_t count_lanes_of(vsg_jit_abreast *a)
{
    const vsg_jit_region *region = a->lanes.h->region;
    uint32_t most = LEAST_BITS;

    for (uint32_t i = 0; i < region->num_blocks; i++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(region->blocks[i]); v;
             v = LLVMGetNextInstruction(v))
            if (width_of(a, v) > most)
                most = width_of(a, v);
    return (a->is_piled && vsg_jit_has_avx512(a->lanes.h->e) ? MOST_BITS : VECTOR_BITS) / most;
}

static LLVMBasicBlockRef append_block(const vsg_jit_abreast *a)
{
    return LLVMAppendBasicBlockInContext(a->lanes.h->e->context,
                                         LLVMGetBasicBlockParent(a->lanes.h->decide), "");
}

static void begin_code(vsg_jit_abreast *a)
{
    vsg_jit_emitter *e = a->lanes.h->e;

    a->lanes.code = append_block(a);
    vsg_jit_abreast_go_on(&a->lanes);
    a->lanes.round = LLVMBuildPhi(e->b, e->i64, "");
    a->left = LLVMBuildPhi(e->b, e->i64, "");
    a->failed = a->lanes.fails = LLVMBuildPhi(e->b, e->i1, "");
    for (uint32_t i = 0; i < a->num_sums; i++)
        a->sums[i].before = LLVMBuildPhi(e->b, LLVMTypeOf(a->sums[i].phi), "");
    a->lanes.mask = vsg_jit_lanes_left(e, a->left, a->lanes.num);
    a->lanes.inside = a->lanes.mask;
}

static bool is_plain_load(LLVMValueRef v)
{
    return LLVMGetInstructionOpcode(v) == LLVMLoad && vsg_jit_is_plain_access(v);
}

/* Does an instruction nothing that others see? Behind the end of the loop are tests that hold,
 * and numbers that grow: the last round does not come to them. */
static bool may_be_made(const vsg_jit_abreast *a, LLVMValueRef v, bool is_behind)
{
    bool is_test = vsg_jit_mark_of(a->lanes.h->e, v) >= 0;

    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMCall:
        return is_test ? !is_behind || vsg_jit_abreast_holds(&a->lanes, v)
                       : vsg_jit_lane_operands(v) > 0;
    case LLVMLoad:
        return !is_behind && is_plain_load(v);
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return false;
    default:
        return !is_behind || !sum_with(a, v);
    }
}

/* All that a round does, in its order, but for its sums. */
static bool make_tests(vsg_jit_abreast *a)
{
    const vsg_jit_region *region = a->lanes.h->region;
    LLVMBasicBlockRef block = region->blocks[0];
    bool is_behind = false;

    for (uint32_t i = 0; i < region->num_blocks; i++) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v))
            if (!may_be_made(a, v, is_behind) ||
                (vsg_jit_mark_of(a->lanes.h->e, v) >= 0 &&
                 !vsg_jit_abreast_holds(&a->lanes, v) && !vsg_jit_abreast_look(&a->lanes, v)))
                return false;
        is_behind |= block == a->last;
        block = next_block(a, block);
    }
    return true;
}

static bool make_code(vsg_jit_abreast *a)
{
    a->is_piled = find_piles(a);
    a->lanes.num = count_lanes_of(a);
    begin_code(a);
    if (!make_tests(a))
        return false;
    for (uint32_t i = 0; i < a->num_sums; i++)
        if (!add_up(a, &a->sums[i]))
            return false;
    return true;
}

void vsg_jit_drop_abreast(vsg_jit_abreast *a)
{
    if (a)
        LLVMDeleteBasicBlock(a->lanes.code);
}

vsg_jit_abreast *vsg_jit_make_abreast(vsg_jit_hoister *h, const LLVMValueRef *held,
                                      uint32_t num_held)
{
    vsg_jit_found found_before = vsg_jit_found_by(h);
    vsg_jit_abreast *a;

    if (!vsg_jit_has_avx2(h->e) || !(a = vsg_base_arena_new(&h->e->arena, 1, sizeof *a)))
        return NULL;
    *a = (vsg_jit_abreast){.lanes = {.h = h, .held = held, .num_held = num_held}};
    if (find_end(a) && find_sums(a) && find_behind(a)) {
        bool good = make_code(a);
        vsg_jit_abreast_go_before(&a->lanes);
        if (good)
            return a;
        vsg_jit_drop_abreast(a);
    }
    vsg_jit_go_back_to(h, &found_before);
    return NULL;
}

/* Enters the code, and goes round. */
static void close_code(vsg_jit_abreast *a, LLVMValueRef all, LLVMBasicBlockRef enter,
                       LLVMBasicBlockRef done)
{
    vsg_jit_emitter *e = a->lanes.h->e;
    LLVMValueRef most = vsg_jit_i64(e, a->lanes.num), none = vsg_jit_i64(e, 0);

    LLVMBuildBr(e->b, a->lanes.code);
    vsg_jit_abreast_go_on(&a->lanes);
    LLVMValueRef left = LLVMBuildSub(e->b, a->left, most, "");
    LLVMValueRef is_over = LLVMBuildICmp(e->b, LLVMIntULE, a->left, most, "");
    vsg_jit_add_incoming(a->lanes.round, none, enter,
                         LLVMBuildAdd(e->b, a->lanes.round, most, ""), a->lanes.code);
    vsg_jit_add_incoming(a->left, all, enter, left, a->lanes.code);
    vsg_jit_add_incoming(a->failed, LLVMConstInt(e->i1, 0, false), enter, a->lanes.fails,
                         a->lanes.code);
    for (uint32_t i = 0; i < a->num_sums; i++)
        vsg_jit_add_incoming(a->sums[i].before, vsg_jit_begin_of(a->lanes.h, a->sums[i].phi),
                             enter, a->sums[i].behind, a->lanes.code);
    LLVMBuildCondBr(e->b, LLVMBuildOr(e->b, is_over, a->lanes.fails, ""), done, a->lanes.code);
}

/* ---- piles ------------------------------------------------------------------------------- */

static void add_begin(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef enter)
{
    LLVMAddIncoming(phi, &value, &enter, 1);
}

/* Enters the code, once for each visit of a channel; where rows are long, and additions wait
 * for each other anyway, the loop as it stands is no slower. */
static void close_visit(vsg_jit_abreast *a, LLVMValueRef all, LLVMBasicBlockRef enter,
                        LLVMBasicBlockRef done, LLVMBasicBlockRef as_it_stands)
{
    enum { MOST_ROUNDS = 64 };
    vsg_jit_emitter *e = a->lanes.h->e;
    uint32_t n = 0;

    while (!is_of_floats(&a->sums[n]))
        n++;
    a->piles = vsg_jit_open_piles(a->lanes.h, &a->sums[n].pile, a->lanes.num);
    LLVMValueRef round = vsg_jit_load(e, e->i64, a->piles.round, 8);
    LLVMValueRef is_short =
        LLVMBuildICmp(e->b, LLVMIntULE, all, vsg_jit_i64(e, MOST_ROUNDS), "");
    LLVMValueRef left = LLVMBuildSub(e->b, all, round, "");
    LLVMBuildCondBr(e->b, is_short, a->lanes.code, as_it_stands);
    add_begin(a->lanes.round, round, enter);
    add_begin(a->left, left, enter);
    add_begin(a->failed, LLVMConstInt(e->i1, 0, false), enter);
    for (uint32_t i = 0; i < a->num_sums; i++)
        add_begin(a->sums[i].before, vsg_jit_begin_of(a->lanes.h, a->sums[i].phi), enter);
    vsg_jit_abreast_go_on(&a->lanes);
    LLVMBuildBr(e->b, done);
}

/* What is added to all channels' sums at once (vsg_jit_pile_next). */
typedef struct column {
    const vsg_jit_abreast *a;
    const sum *of;
} column;

static LLVMValueRef add_column(void *data, LLVMValueRef sums, const LLVMValueRef *factors)
{
    const column *c = data;

    return add_product(c->a, c->of, sums, factors[0], c->of->factors[1] ? factors[1] : NULL);
}

/* The lanes go onto piles, and sums are what they were before. */
static void put_on_piles(vsg_jit_abreast *a)
{
    vsg_jit_emitter *e = a->lanes.h->e;
    const vsg_jit_pile *any = NULL;

    for (uint32_t i = 0; i < a->num_sums; i++) {
        sum *s = &a->sums[i];
        if (!is_of_floats(s))
            continue;
        column c = {a, s};
        any = &s->pile;
        vsg_jit_put_on_pile(a->lanes.h, any, &a->piles, s->factors, s->factors[1] ? 2 : 1,
                            add_column, &c);
    }
    vsg_jit_note_piles(
        e, any, &a->piles,
        LLVMBuildICmp(e->b, LLVMIntUGT, a->left, vsg_jit_i64(e, a->lanes.num), ""));
}

/* The loop as it stands begins with the rounds of this visit. */
static void begin_with_visit(vsg_jit_abreast *a)
{
    vsg_jit_hoister *h = a->lanes.h;
    LLVMValueRef round = vsg_jit_load(h->e, h->e->i64, a->piles.round, 8);
    series is;

    for (uint32_t i = 0; i < h->num_phis; i++)
        if (LLVMGetTypeKind(LLVMTypeOf(h->phis[i])) == LLVMIntegerTypeKind &&
            vsg_jit_find_series(h, h->phis[i], &is))
            h->begin[i] = vsg_jit_series_at(h->e, &is, round);
}

/* ---- leading to it ----------------------------------------------------------------------- */

LLVMBasicBlockRef vsg_jit_lead_abreast(vsg_jit_abreast *a, LLVMValueRef more,
                                       LLVMBasicBlockRef *enter)
{
    vsg_jit_emitter *e = a->lanes.h->e;
    LLVMBasicBlockRef done = append_block(a), over = append_block(a),
                      as_it_stands = append_block(a);

    *enter = append_block(a);
    LLVMPositionBuilderAtEnd(e->b, *enter);
    LLVMValueRef all = LLVMBuildAdd(e->b, more, vsg_jit_i64(e, 1), "");
    if (a->is_piled)
        close_visit(a, all, *enter, done, as_it_stands);
    else
        close_code(a, all, *enter, done);
    LLVMPositionBuilderAtEnd(e->b, done);
    vsg_jit_likely(
        e, LLVMBuildCondBr(e->b, LLVMBuildNot(e->b, a->lanes.fails, ""), over, as_it_stands));
    LLVMPositionBuilderAtEnd(e->b, over);
    if (a->is_piled)
        put_on_piles(a);
    for (uint32_t i = 0; i < a->num_behind; i++) {
        const phi_behind *one = &a->behind[i];
        LLVMValueRef value = one->sum ? one->sum->behind : vsg_jit_series_at(e, &one->is, more);
        LLVMAddIncoming(one->phi, &value, &over, 1);
    }
    LLVMBuildBr(e->b, a->exit);
    LLVMPositionBuilderAtEnd(e->b, as_it_stands);
    if (a->is_piled)
        begin_with_visit(a);
    return as_it_stands;
}
