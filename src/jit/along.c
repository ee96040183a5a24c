/* SPDX-License-Identifier: MIT */
#include "jit/along.h"

#include "jit/along_lanes.h"
#include "jit/lane_operations.h"
#include "jit/lowering.h"
#include "jit/together.h"

typedef vsg_jit_hoister hoister;
typedef vsg_jit_series series;
typedef vsg_jit_column column;

enum { MOST_SUMS = 16, MOST_ADDED = 4, MOST_BEHIND = 32 };
enum { ROW_BYTES = 64, MOST_ELEMENTS = 64 }; /* that are loaded or stored at once */

/* What a sum may be. */
typedef struct operation {
    LLVMOpcode op;
    const char *call; /* the intrinsic's name; NULL: it is none */
    const char *reduce;
    bool keeps_same; /* of a number and itself it makes that; else 0 changes nothing */
} operation;

/* Some lanes of integers that each round adds something to, those of all channels of a column.
 */
typedef struct lanes_sum {
    uint32_t first;
    LLVMValueRef none;   /* what changes nothing, in `row` */
    LLVMValueRef so_far; /* of one channel: a phi of the code, with as many lanes as rounds, */
    LLVMValueRef whole, part; /* and behind rounds of which all were there, or some */
} lanes_sum;

typedef struct sum {
    LLVMValueRef phi, more; /* more: it, and what is added */
    LLVMValueRef next;      /* that, of channels that are on: */
    LLVMValueRef on;        /* bits, in decide; NULL: all */
    const operation *op;
    LLVMValueRef chain[MOST_ADDED], added[MOST_ADDED]; /* from `more` on */
    uint32_t num_chain;
    LLVMValueRef slot; /* where channels leave what it is */
    lanes_sum parts[VSG_EXE_MAX_CHANNELS];
    uint32_t num_parts;
} sum;

/* A phi behind the loop, and what it gets: a sum, or a series. */
typedef struct phi_behind {
    LLVMValueRef phi;
    const sum *sum;       /* NULL: it is none */
    LLVMValueRef on, off; /* of a copy of it, channels' bits, and what others have; else NULL */
    series is;
} phi_behind;

/* `whole` has some rounds, `rest` and `part` those that are left and fewer. */
struct vsg_jit_along {
    vsg_jit_along_lanes lanes;
    LLVMBasicBlockRef whole, rest, part, next, behind_loop;
    LLVMValueRef rounds;    /* of each channel; NULL: they have equally many */
    LLVMValueRef all, left; /* of the channel in hand, and those that are left */
    sum sums[MOST_SUMS];
    phi_behind behind[MOST_BEHIND];
    uint32_t num_sums, num_behind;
};

/* ---- sums -------------------------------------------------------------------------------- */

static const operation operations[] = {
    {LLVMAdd, NULL, "llvm.vector.reduce.add", false},
    {LLVMOr, NULL, "llvm.vector.reduce.or", false},
    {LLVMXor, NULL, "llvm.vector.reduce.xor", false},
    {LLVMAnd, NULL, "llvm.vector.reduce.and", true},
    {LLVMCall, "llvm.umin", "llvm.vector.reduce.umin", true},
    {LLVMCall, "llvm.umax", "llvm.vector.reduce.umax", true},
    {LLVMCall, "llvm.smin", "llvm.vector.reduce.smin", true},
    {LLVMCall, "llvm.smax", "llvm.vector.reduce.smax", true}};

static const operation *operation_of(LLVMValueRef v)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == operations[i].op &&
            (!operations[i].call || vsg_jit_is_intrinsic(v, operations[i].call)))
            return &operations[i];
    return NULL;
}

static LLVMValueRef operate(vsg_jit_emitter *e, const operation *op, LLVMValueRef a,
                            LLVMValueRef b)
{
    LLVMValueRef args[] = {a, b};

    return op->call ? vsg_jit_intrinsic(e, op->call, LLVMTypeOf(a), args, 2)
                    : LLVMBuildBinOp(e->b, op->op, a, b, "");
}

/* Which channels a select is for, if they are the same in all rounds. */
static LLVMValueRef find_on(vsg_jit_along *a, LLVMValueRef condition)
{
    LLVMValueRef bits, on;

    if (!vsg_jit_mapped(&a->lanes.h->own, condition))
        return condition;
    if (LLVMGetInstructionOpcode(condition) != LLVMBitCast)
        return NULL;
    bits = LLVMGetOperand(condition, 0);
    if (LLVMGetTypeKind(LLVMTypeOf(bits)) != LLVMIntegerTypeKind ||
        !vsg_jit_find_constant(a->lanes.h, bits, &on))
        return NULL;
    return LLVMBuildBitCast(a->lanes.h->e->b, on, LLVMTypeOf(condition), "");
}

/* What a phi is in the next round: all of it, or the lanes that are on. False: neither. */
static bool find_next(vsg_jit_along *a, sum *s)
{
    LLVMValueRef next = vsg_jit_coming_back(a->lanes.h, s->phi);

    s->next = s->more = next;
    if (!next || !vsg_jit_mapped(&a->lanes.h->own, next))
        return false;
    if (LLVMGetInstructionOpcode(next) == LLVMSelect && LLVMGetOperand(next, 2) == s->phi) {
        s->more = LLVMGetOperand(next, 1);
        s->on = find_on(a, LLVMGetOperand(next, 0));
        return s->on != NULL;
    }
    return true;
}

/* From what a round ends with back to the phi: what is added on the way. False: it is no way,
 * or too long. */
static bool find_chain(const vsg_jit_along *a, LLVMValueRef v, sum *s)
{
    uint32_t num_chain = s->num_chain;

    if (v == s->phi)
        return true;
    if (num_chain == MOST_ADDED || !vsg_jit_mapped(&a->lanes.h->own, v) ||
        operation_of(v) != s->op)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        s->num_chain = num_chain + 1;
        s->chain[num_chain] = v;
        s->added[num_chain] = LLVMGetOperand(v, 1 - i);
        if (find_chain(a, LLVMGetOperand(v, i), s))
            return true;
    }
    s->num_chain = num_chain;
    return false;
}

static bool has_in_loop(const vsg_jit_along *a, LLVMValueRef v, LLVMValueRef only_user)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (LLVMGetUser(use) != only_user && vsg_jit_mapped(&a->lanes.h->own, LLVMGetUser(use)))
            return true;
    return false;
}

/* Does a select keep what a sum is, of channels that are on, in another phi, for behind the
 * loop alone? Which one; NULL: no. */
static LLVMValueRef copy_in(const vsg_jit_along *a, LLVMValueRef select, const sum *s)
{
    LLVMValueRef phi;

    if (!vsg_jit_mapped(&a->lanes.h->own, select) ||
        LLVMGetInstructionOpcode(select) != LLVMSelect || LLVMGetOperand(select, 1) != s->next)
        return NULL;
    phi = LLVMGetOperand(select, 2);
    for (uint32_t i = 0; i < a->lanes.h->num_phis; i++)
        if (a->lanes.h->phis[i] == phi && vsg_jit_coming_back(a->lanes.h, phi) == select &&
            !has_in_loop(a, phi, select) && !has_in_loop(a, select, phi))
            return phi;
    return NULL;
}

static bool is_of_sum(const sum *s, LLVMValueRef v)
{
    for (uint32_t i = 0; i < s->num_chain; i++)
        if (s->chain[i] == v)
            return true;
    return v == s->phi || v == s->next;
}

/* Does nothing else in the loop ask for a value of a sum? */
static bool is_only_of_sum(const vsg_jit_along *a, LLVMValueRef v, const sum *s)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (vsg_jit_mapped(&a->lanes.h->own, user) && !is_of_sum(s, user) &&
            !copy_in(a, user, s))
            return false;
    }
    return true;
}

/* Integers of whole bytes, which have places of their own. */
static bool has_whole_lanes(LLVMValueRef v)
{
    LLVMTypeRef lane = vsg_jit_lane_type(v);

    return lane != LLVMTypeOf(v) && LLVMGetTypeKind(lane) == LLVMIntegerTypeKind &&
           vsg_jit_is_lane(lane) && vsg_jit_lane_bits(lane) % 8 == 0;
}

/* The builder is at the end of decide. */
static bool find_sum(vsg_jit_along *a, LLVMValueRef phi, sum *s)
{
    *s = (sum){.phi = phi};
    if (!has_whole_lanes(phi) ||
        LLVMGetVectorSize(LLVMTypeOf(phi)) % a->lanes.num_channels != 0 || !find_next(a, s) ||
        !(s->op = operation_of(s->more)) || !find_chain(a, s->more, s))
        return false;
    for (uint32_t i = 0; i < s->num_chain; i++) {
        if (is_of_sum(s, s->added[i]) || !is_only_of_sum(a, s->chain[i], s))
            return false;
    }
    s->num_parts = LLVMGetVectorSize(LLVMTypeOf(phi)) / a->lanes.num_channels;
    if (s->num_parts > VSG_EXE_MAX_CHANNELS)
        return false;
    for (uint32_t i = 0; i < s->num_parts; i++)
        s->parts[i].first = i * a->lanes.num_channels;
    return is_only_of_sum(a, phi, s) && is_only_of_sum(a, s->next, s);
}

static bool is_of_any_sum(const vsg_jit_along *a, LLVMValueRef v)
{
    for (uint32_t i = 0; i < a->num_sums; i++)
        if (v != a->sums[i].phi && is_of_sum(&a->sums[i], v))
            return true;
    return false;
}

/* The sum, or the copy of one, that a value is when the loop ends. */
static void find_sum_behind(vsg_jit_along *a, LLVMValueRef value, phi_behind *out)
{
    for (uint32_t i = 0; i < a->num_sums && !out->sum; i++) {
        const sum *s = &a->sums[i];
        LLVMValueRef copy = copy_in(a, value, s);
        if (copy && (out->on = find_on(a, LLVMGetOperand(value, 0)))) {
            out->off = vsg_jit_begin_of(a->lanes.h, copy);
            out->sum = s;
        } else if (value == s->next) {
            out->sum = s;
        }
    }
}

/* What a sum is behind the loop: channels that are off have what it began with. */
static LLVMValueRef sum_behind(vsg_jit_along *a, const sum *s)
{
    vsg_jit_emitter *e = a->lanes.h->e;
    LLVMTypeRef type = LLVMTypeOf(s->phi);
    LLVMValueRef all =
        vsg_jit_load(e, type, s->slot, vsg_jit_along_bytes(LLVMGetElementType(type)));

    return s->on ? LLVMBuildSelect(e->b, s->on, all, vsg_jit_begin_of(a->lanes.h, s->phi), "")
                 : all;
}

static bool find_behind(vsg_jit_along *a)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(a->lanes.columns->exit);
    bool is_first =
        !vsg_jit_is_mapped(&a->lanes.h->own, LLVMBasicBlockAsValue(LLVMGetSuccessor(last, 0)));

    a->behind_loop = LLVMGetSuccessor(last, is_first ? 0 : 1);
    for (LLVMValueRef phi = vsg_jit_first_phi(a->behind_loop); phi;
         phi = vsg_jit_next_phi(phi)) {
        phi_behind one = {.phi = phi};
        LLVMValueRef value = vsg_jit_coming_from(phi, a->lanes.columns->exit);
        if (a->num_behind == MOST_BEHIND || !value)
            return false;
        if (!vsg_jit_mapped(&a->lanes.h->own, value))
            one.is = (series){.start = value};
        else
            find_sum_behind(a, value, &one);
        if (!one.sum && !one.is.start && !vsg_jit_along_find_series(&a->lanes, value, &one.is))
            return false;
        a->behind[a->num_behind++] = one;
    }
    return true;
}

static void find_sums(vsg_jit_along *a)
{
    for (uint32_t i = 0; i < a->lanes.h->num_phis && a->num_sums < MOST_SUMS; i++)
        if (find_sum(a, a->lanes.h->phis[i], &a->sums[a->num_sums]))
            a->num_sums++;
}

/* All that a round adds, of channels' lanes. NULL: that cannot be said. */
static LLVMValueRef value_of_added(vsg_jit_along *a, const sum *s, uint32_t first)
{
    LLVMValueRef all = NULL;

    for (uint32_t i = 0; i < s->num_chain; i++) {
        LLVMValueRef x =
            vsg_jit_along_value(&a->lanes, (vsg_jit_lane_of){s->added[i], first, true});
        if (!x)
            return NULL;
        all = all ? operate(a->lanes.h->e, s->op, all, x) : x;
    }
    return all;
}

/* What sums begin with in each lane. */
static bool find_none(vsg_jit_along *a)
{
    for (uint32_t i = 0; i < a->num_sums; i++) {
        sum *s = &a->sums[i];
        LLVMValueRef begin = vsg_jit_begin_of(a->lanes.h, s->phi);
        for (uint32_t n = 0; n < s->num_parts; n++) {
            lanes_sum *p = &s->parts[n];
            p->none =
                s->op->keeps_same
                    ? vsg_jit_along_value(&a->lanes, (vsg_jit_lane_of){begin, p->first, true})
                    : LLVMConstNull(LLVMTypeOf(p->so_far));
            if (!p->none)
                return false;
        }
    }
    return true;
}

static bool add_up(vsg_jit_along *a)
{
    vsg_jit_emitter *e = a->lanes.h->e;

    for (uint32_t i = 0; i < a->num_sums; i++) {
        sum *s = &a->sums[i];
        for (uint32_t n = 0; n < s->num_parts; n++) {
            lanes_sum *p = &s->parts[n];
            LLVMValueRef x = value_of_added(a, s, p->first);
            if (!x)
                return false;
            if (a->lanes.mask)
                x = LLVMBuildSelect(
                    e->b, a->lanes.mask, x,
                    s->op->keeps_same ? p->so_far : LLVMConstNull(LLVMTypeOf(x)), "");
            x = operate(e, s->op, p->so_far, x);
            *(a->lanes.mask ? &p->part : &p->whole) = x;
        }
    }
    return true;
}

/* ---- the code ---------------------------------------------------------------------------- */

/* Does an instruction of the loop nothing that others see, or what is known of it? Behind the
 * end of the loop are tests that hold, and numbers that grow: the last round does not come to
 * them. */
static bool may_be_made(const vsg_jit_along *a, LLVMValueRef v, bool is_behind)
{
    if (is_behind && is_of_any_sum(a, v))
        return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMCall:
        return vsg_jit_mark_of(a->lanes.h->e, v) >= 0 || vsg_jit_lane_operands(v) > 0 ||
               (!is_behind && vsg_jit_is_of_columns(v));
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return false;
    default:
        return true;
    }
}

/* If it is a column's load or store: rounds come to them in this order. */
static bool make_accesses(vsg_jit_along *a, LLVMValueRef v)
{
    for (uint32_t i = 0; i < a->lanes.columns->count; i++) {
        const column *c = &a->lanes.columns->list[i];
        if (c->access != v)
            continue;
        if (!(c->is_put ? vsg_jit_along_store : vsg_jit_along_load)(&a->lanes, i))
            return false;
    }
    return true;
}

/* Some rounds, in `in`; mask: as in vsg_jit_along_lanes. */
static bool make_rounds(vsg_jit_along *a, LLVMBasicBlockRef in, LLVMValueRef mask)
{
    bool good = true, is_behind = false;

    a->lanes.in = in;
    a->lanes.mask = mask;
    a->lanes.num_made = 0;
    LLVMPositionBuilderAtEnd(a->lanes.h->e->b, in);
    for (uint32_t i = 0; i < a->lanes.columns->num_blocks && good; i++) {
        LLVMBasicBlockRef block = a->lanes.columns->blocks[i];
        for (LLVMValueRef v = LLVMGetFirstInstruction(block); v && good;
             v = LLVMGetNextInstruction(v))
            good = may_be_made(a, v, is_behind) && make_accesses(a, v);
        is_behind |= block == a->lanes.columns->exit;
    }
    return good && add_up(a);
}

static LLVMBasicBlockRef append_block(const vsg_jit_along *a)
{
    return LLVMAppendBasicBlockInContext(a->lanes.h->e->context,
                                         LLVMGetBasicBlockParent(a->lanes.h->decide), "");
}

/* What the channel in hand has of numbers, i64 each. */
static LLVMValueRef take_own(vsg_jit_along *a, LLVMValueRef numbers)
{
    vsg_jit_emitter *e = a->lanes.h->e;
    const uint32_t bytes = sizeof(uint64_t);
    LLVMValueRef slot = vsg_jit_take_stack(a->lanes.h, a->lanes.num_channels * bytes);

    LLVMPositionBuilderAtEnd(e->b, a->lanes.enter);
    vsg_jit_store(e, numbers, slot, bytes);
    LLVMPositionBuilderAtEnd(e->b, a->lanes.row);
    return vsg_jit_load(e, e->i64, vsg_jit_along_place(&a->lanes, slot, 0, bytes), bytes);
}

static void begin_row(vsg_jit_along *a)
{
    vsg_jit_emitter *e = a->lanes.h->e;

    LLVMPositionBuilderAtEnd(e->b, a->lanes.row);
    a->lanes.channel = LLVMBuildPhi(e->b, e->i64, "");
    if (a->rounds)
        a->all = take_own(a, a->rounds);
    else
        a->all = LLVMBuildPhi(e->b, e->i64, "");
    for (uint32_t i = 0; i < a->lanes.columns->count; i++)
        a->lanes.rows[i] = take_own(a, a->lanes.columns->list[i].rows);
}

static void begin_head(vsg_jit_along *a)
{
    vsg_jit_emitter *e = a->lanes.h->e;

    LLVMPositionBuilderAtEnd(e->b, a->lanes.head);
    a->lanes.round = LLVMBuildPhi(e->b, e->i64, "");
    for (uint32_t i = 0; i < a->num_sums; i++)
        for (uint32_t n = 0; n < a->sums[i].num_parts; n++)
            a->sums[i].parts[n].so_far = LLVMBuildPhi(
                e->b, LLVMVectorType(vsg_jit_lane_type(a->sums[i].phi), a->lanes.num), "");
    a->left = LLVMBuildSub(e->b, a->all, a->lanes.round, "");
}

static bool make_code(vsg_jit_along *a)
{
    vsg_jit_emitter *e = a->lanes.h->e;

    a->lanes.enter = append_block(a);
    a->lanes.row = append_block(a);
    a->lanes.head = append_block(a);
    a->whole = append_block(a);
    a->rest = append_block(a);
    a->part = append_block(a);
    a->next = append_block(a);
    begin_row(a);
    begin_head(a);
    LLVMPositionBuilderAtEnd(e->b, a->part);
    LLVMValueRef mask = vsg_jit_lanes_left(e, a->left, a->lanes.num);
    return find_none(a) && make_rounds(a, a->whole, NULL) && make_rounds(a, a->part, mask);
}

/* Have all columns the same channels? And how many rounds are taken at once. */
static bool count_rounds(vsg_jit_along *a)
{
    uint32_t num_at_most = VSG_JIT_MOST_ALONG;

    a->lanes.num_channels = a->lanes.columns->list[0].count;
    for (uint32_t i = 0; i < a->lanes.columns->count; i++) {
        const column *c = &a->lanes.columns->list[i];
        uint32_t most = ROW_BYTES / c->bytes;
        if (c->count != a->lanes.num_channels)
            return false;
        if (most > a->lanes.num)
            a->lanes.num = most < VSG_JIT_MOST_ALONG ? most : VSG_JIT_MOST_ALONG;
        while (num_at_most > 0 && c->step * num_at_most > (int64_t)MOST_ELEMENTS * c->bytes)
            num_at_most /= 2;
    }
    if (a->lanes.num > num_at_most)
        a->lanes.num = num_at_most;
    return true;
}

/* May channels have more rounds than others? If all that the loop does is to store, for those
 * that are still in it. Nothing else may look at the mask, which is not the same in all rounds
 * then (make_from()). */
static bool can_differ(const hoister *h, const vsg_jit_columns *columns)
{
    const vsg_jit_together *t = &h->together;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(columns->exit);
    bool goes_on = vsg_jit_is_mapped(&h->own, LLVMBasicBlockAsValue(LLVMGetSuccessor(last, 0)));

    if (!t->rounds || !vsg_jit_ends_together(h, LLVMGetCondition(last), goes_on))
        return false;
    for (uint32_t i = 0; i < columns->count; i++) {
        const column *c = &columns->list[i];
        if (c->channels != t->mask || c->is_by_mask ||
            LLVMGetVectorSize(LLVMTypeOf(t->rounds)) != c->count)
            return false;
    }
    return true;
}

static bool is_any_made(const vsg_jit_along *a)
{
    bool puts = a->num_sums > 0;

    for (uint32_t i = 0; i < a->lanes.columns->count; i++)
        puts |= a->lanes.columns->list[i].is_put;
    return puts;
}

/* rounds: of each channel; NULL: all have equally many. */
static vsg_jit_along *make_from(hoister *h, const vsg_jit_columns *columns, LLVMValueRef rounds)
{
    vsg_jit_found found_before = vsg_jit_found_by(h);
    vsg_jit_along *a = vsg_base_arena_new(&h->e->arena, 1, sizeof *a);

    if (!a)
        return NULL;
    *a = (vsg_jit_along){.lanes = {.h = h, .columns = columns, .in = h->decide},
                         .rounds = rounds};
    h->together.is_asked &= !rounds;
    if (count_rounds(a)) {
        find_sums(a);
        if ((!rounds || a->num_sums == 0) && find_behind(a) && is_any_made(a)) {
            bool good = make_code(a) && !(rounds && h->together.is_asked);
            LLVMPositionBuilderAtEnd(h->e->b, h->decide);
            if (good) {
                h->together.is_asked |= found_before.is_asked;
                h->together.may_differ = rounds != NULL;
                return a;
            }
            vsg_jit_drop_along(a);
        }
    }
    vsg_jit_go_back_to(h, &found_before);
    return NULL;
}

vsg_jit_along *vsg_jit_make_along(hoister *h, const vsg_jit_columns *columns)
{
    vsg_jit_along *a = NULL;

    if (columns->count == 0 || !columns->exit)
        return NULL;
    if (can_differ(h, columns))
        a = make_from(h, columns, h->together.rounds);
    return a ? a : make_from(h, columns, NULL);
}

void vsg_jit_drop_along(vsg_jit_along *a)
{
    if (!a)
        return;
    /* Those first that use what others have. */
    LLVMDeleteBasicBlock(a->next);
    LLVMDeleteBasicBlock(a->part);
    LLVMDeleteBasicBlock(a->rest);
    LLVMDeleteBasicBlock(a->whole);
    LLVMDeleteBasicBlock(a->lanes.head);
    LLVMDeleteBasicBlock(a->lanes.row);
    LLVMDeleteBasicBlock(a->lanes.enter);
}

/* ---- leading to it ----------------------------------------------------------------------- */

/* The builder is in `next`, where a row is over. */
static void close_sums(vsg_jit_along *a)
{
    LLVMBuilderRef b = a->lanes.h->e->b;

    for (uint32_t i = 0; i < a->num_sums; i++)
        for (uint32_t n = 0; n < a->sums[i].num_parts; n++) {
            lanes_sum *p = &a->sums[i].parts[n];
            LLVMTypeRef type = LLVMTypeOf(p->so_far);
            vsg_jit_add_incoming(p->so_far, p->none, a->lanes.row, p->whole, a->whole);
            LLVMValueRef all = LLVMBuildPhi(b, type, "");
            vsg_jit_add_incoming(all, p->so_far, a->rest, p->part, a->part);
            p->whole = all;
        }
}

/* Sums of a row go to the stack. */
static void leave_sums(vsg_jit_along *a)
{
    vsg_jit_emitter *e = a->lanes.h->e;

    for (uint32_t i = 0; i < a->num_sums; i++) {
        sum *s = &a->sums[i];
        uint32_t bytes = vsg_jit_along_bytes(vsg_jit_lane_type(s->phi));
        for (uint32_t n = 0; n < s->num_parts; n++) {
            lanes_sum *p = &s->parts[n];
            LLVMValueRef at = vsg_jit_along_place(&a->lanes, s->slot, p->first, bytes);
            LLVMValueRef x = vsg_jit_reduce(e, s->op->reduce, p->whole);
            LLVMValueRef before = vsg_jit_load(e, vsg_jit_lane_type(s->phi), at, bytes);
            vsg_jit_store(e, operate(e, s->op, before, x), at, bytes);
        }
    }
}

/* What the loop began with is where sums are added to. */
static void enter_sums(vsg_jit_along *a)
{
    for (uint32_t i = 0; i < a->num_sums; i++) {
        sum *s = &a->sums[i];
        uint32_t bytes = vsg_jit_along_bytes(vsg_jit_lane_type(s->phi));
        s->slot = vsg_jit_take_stack(a->lanes.h, LLVMGetVectorSize(LLVMTypeOf(s->phi)) * bytes);
        vsg_jit_store(a->lanes.h->e, vsg_jit_begin_of(a->lanes.h, s->phi), s->slot, bytes);
    }
}

/* The builder is where all rows are over. */
static void go_behind(vsg_jit_along *a, LLVMValueRef more)
{
    vsg_jit_emitter *e = a->lanes.h->e;
    LLVMBasicBlockRef over = LLVMGetInsertBlock(e->b);

    for (uint32_t i = 0; i < a->num_behind; i++) {
        const phi_behind *one = &a->behind[i];
        LLVMValueRef value =
            one->sum ? sum_behind(a, one->sum) : vsg_jit_series_at(e, &one->is, more);
        if (one->on)
            value = LLVMBuildSelect(e->b, one->on, value, one->off, "");
        LLVMAddIncoming(one->phi, &value, &over, 1);
    }
    LLVMBuildBr(e->b, a->behind_loop);
}

LLVMBasicBlockRef vsg_jit_lead_along(vsg_jit_along *a, LLVMValueRef more)
{
    vsg_jit_emitter *e = a->lanes.h->e;
    LLVMValueRef zero = vsg_jit_i64(e, 0), one = vsg_jit_i64(e, 1);
    LLVMValueRef some = vsg_jit_i64(e, a->lanes.num);
    LLVMBasicBlockRef over = append_block(a);

    LLVMPositionBuilderAtEnd(e->b, a->lanes.enter);
    LLVMValueRef all = LLVMBuildAdd(e->b, more, one, "");
    enter_sums(a);
    LLVMBuildBr(e->b, a->lanes.row);
    LLVMPositionBuilderAtEnd(e->b, a->lanes.row);
    LLVMBuildBr(e->b, a->lanes.head);
    LLVMPositionBuilderAtEnd(e->b, a->lanes.head);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntUGE, a->left, some, ""), a->whole,
                    a->rest);
    LLVMPositionBuilderAtEnd(e->b, a->whole);
    vsg_jit_add_incoming(a->lanes.round, zero, a->lanes.row,
                         LLVMBuildAdd(e->b, a->lanes.round, some, ""), a->whole);
    LLVMBuildBr(e->b, a->lanes.head);
    LLVMPositionBuilderAtEnd(e->b, a->rest);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, a->left, zero, ""), a->part, a->next);
    LLVMPositionBuilderAtEnd(e->b, a->part);
    LLVMBuildBr(e->b, a->next);
    LLVMPositionBuilderAtEnd(e->b, a->next);
    close_sums(a);
    leave_sums(a);
    for (uint32_t i = 0; i < a->lanes.num_carried; i++) {
        const vsg_jit_lanes_carried *c = &a->lanes.carried[i];
        vsg_jit_add_incoming(c->phi, c->begin, a->lanes.row, c->next, a->whole);
    }
    LLVMValueRef next = LLVMBuildAdd(e->b, a->lanes.channel, one, "");
    vsg_jit_add_incoming(a->lanes.channel, zero, a->lanes.enter, next, a->next);
    if (!a->rounds)
        vsg_jit_add_incoming(a->all, all, a->lanes.enter, a->all, a->next);
    LLVMBuildCondBr(
        e->b, LLVMBuildICmp(e->b, LLVMIntULT, next, vsg_jit_i64(e, a->lanes.num_channels), ""),
        a->lanes.row, over);
    LLVMPositionBuilderAtEnd(e->b, over);
    go_behind(a, more);
    return a->lanes.enter;
}
