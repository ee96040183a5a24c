/* SPDX-License-Identifier: MIT
 *
 * PVC has sums and shifts of qwords, but no AND, OR, XOR and selections of them: the compiler
 * takes vectors of qwords apart into low and high dwords, computes with each, and puts the
 * results together again, which is five shuffles for one operation. Here the lanes of what is
 * put together are followed back, through shuffles and operations, to where both dwords of each
 * pair are those of one qword, or constants, or the same scalar in all lanes; the operations
 * are then made again, of qwords. */
#include "jit/qwords.h"

#include "jit/columns.h"
#include "jit/lane_operations.h"
#include "jit/marks.h"
#include "jit/qwords_node.h"
#include "jit/upper.h"

enum { MOST_NODES = 4096, MOST_DEPTH = 128, MOST_COUNTED = 1000, CHUNK_NODES = 32 };

/* ---- what they are ----------------------------------------------------------------------- */

static bool is_zero(vsg_jit_dword d)
{
    return vsg_jit_is_constant_dword(d) && vsg_jit_constant_dword(d) == 0;
}

static vsg_jit_dword constant(const vsg_jit_qwords *j, uint32_t value)
{
    return (vsg_jit_dword){vsg_jit_i32(j->e, value), 0};
}

/* Where a dword comes from, also a scalar that is half of a qword. */
static vsg_jit_dword trace(vsg_jit_dword d)
{
    vsg_jit_dword from = vsg_jit_trace_dword(d), half = from, unused;

    if (!from.value || !LLVMIsAExtractElementInst(from.value) ||
        !LLVMIsAConstantInt(LLVMGetOperand(from.value, 1)))
        return from;
    half.value = LLVMGetOperand(from.value, 0);
    half.lane = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(from.value, 1));
    return vsg_jit_find_qword(half, half.lane % 2 != 0, &unused) ? half : from;
}

/* VSG_JIT_QWORDS_MIXED: none of these operations. */
static vsg_jit_qwords_kind kind_of(vsg_jit_dword d)
{
    if (!d.value || !LLVMIsAInstruction(d.value) || !vsg_jit_is_vector(d.value))
        return VSG_JIT_QWORDS_MIXED;
    switch (LLVMGetInstructionOpcode(d.value)) {
    case LLVMAnd:
        return VSG_JIT_QWORDS_AND;
    case LLVMOr:
        return VSG_JIT_QWORDS_OR;
    case LLVMXor:
        return VSG_JIT_QWORDS_XOR;
    case LLVMSelect:
        /* Not one that chooses between whole vectors. */
        return vsg_jit_is_vector(LLVMGetOperand(d.value, 0)) ? VSG_JIT_QWORDS_SELECT
                                                             : VSG_JIT_QWORDS_MIXED;
    default:
        return VSG_JIT_QWORDS_MIXED;
    }
}

/* The operation that any of the dwords is the result of. */
static vsg_jit_qwords_kind find_operation(const vsg_jit_qwords *j, const vsg_jit_qwords_node *n)
{
    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t i = 0; i < j->count; i++) {
            vsg_jit_qwords_kind found = kind_of(n->of[half][i]);
            if (found != VSG_JIT_QWORDS_MIXED)
                return found;
        }
    return VSG_JIT_QWORDS_MIXED;
}

/* How alike two dwords are, for both to be of one operand. */
static uint32_t alike(vsg_jit_dword a, vsg_jit_dword b)
{
    if (!a.value || !b.value ||
        (vsg_jit_is_constant_dword(a) && vsg_jit_is_constant_dword(b)) || a.value == b.value)
        return 2;
    vsg_jit_dword of[2];
    for (uint32_t half = 0; half < 2; half++)
        if (vsg_jit_find_qword(a, half, &of[0]) && vsg_jit_find_qword(b, !half, &of[1]) &&
            of[0].value == of[1].value)
            return 2;
    return kind_of(a) != VSG_JIT_QWORDS_MIXED && kind_of(a) == kind_of(b);
}

static vsg_jit_dword operand(vsg_jit_dword d, uint32_t which)
{
    return trace((vsg_jit_dword){LLVMGetOperand(d.value, which), d.lane});
}

/* The operands that make a dword by an operation of that kind, the more alike the better to
 * those of the dword `as`, which may be the other way round. */
static void take_operands(const vsg_jit_qwords *j, vsg_jit_qwords_kind of, vsg_jit_dword d,
                          const vsg_jit_dword as[2], vsg_jit_dword out[2])
{
    if (kind_of(d) == of) {
        vsg_jit_dword a = operand(d, 0), b = operand(d, 1);
        bool turns = alike(as[0], b) + alike(as[1], a) > alike(as[0], a) + alike(as[1], b);
        out[0] = turns ? b : a;
        out[1] = turns ? a : b;
    } else if (of == VSG_JIT_QWORDS_AND && d.value && is_zero(d)) {
        out[0] = (vsg_jit_dword){NULL, 0};
        out[1] = d;
    } else {
        /* The other operand may be any where the dword may. */
        out[0] = d;
        out[1] = d.value ? constant(j, of == VSG_JIT_QWORDS_AND ? UINT32_MAX : 0) : d;
    }
}

/* ---- nodes ------------------------------------------------------------------------------- */

static vsg_jit_qwords_node *new_node(vsg_jit_qwords *j)
{
    vsg_jit_qwords_node *n = j->spare;

    if (n) {
        j->spare = NULL;
        *n = (vsg_jit_qwords_node){.kind = VSG_JIT_QWORDS_NONE};
        return n;
    }
    if (j->num_nodes == MOST_NODES)
        return NULL;
    if (j->num_nodes % CHUNK_NODES == 0) {
        j->chunk = vsg_base_arena_new(&j->e->arena, CHUNK_NODES, sizeof *j->chunk);
        if (!j->chunk)
            return NULL;
    }
    return &j->chunk[j->num_nodes++ % CHUNK_NODES];
}

static bool find_series(const vsg_jit_qwords *j, const vsg_jit_dword *of,
                        vsg_jit_dword_series *out)
{
    uint32_t first = of[0].value ? of[0].lane : 0, next = of[1].value ? of[1].lane : 0;

    *out = (vsg_jit_dword_series){of[0].value, first, next - first};
    for (uint32_t i = 0; i < j->count; i++)
        if (of[i].value != out->value ||
            (out->value && of[i].lane != out->first + i * out->step))
            return false;
    return true;
}

/* The vector whose lanes, in order, all dwords are; NULL: there is none. */
static LLVMValueRef vector_of(const vsg_jit_qwords *j, const vsg_jit_dword_series *series)
{
    return series->value && vsg_jit_is_vector(series->value) &&
                   vsg_jit_num_lanes(series->value) == j->count && series->first == 0 &&
                   series->step == 1
               ? series->value
               : NULL;
}

static vsg_jit_qwords_node **bucket_of(vsg_jit_qwords *j, const vsg_jit_qwords_node *n)
{
    uintptr_t mixed = 0;

    for (uint32_t half = 0; half < 2; half++)
        mixed = mixed * 31 + (uintptr_t)n->series[half].value / 16 + n->series[half].first;
    return &j->buckets[mixed % VSG_JIT_QWORDS_BUCKETS];
}

static bool are_same(const vsg_jit_qwords_node *a, const vsg_jit_qwords_node *b)
{
    bool same = a->count == b->count;

    for (uint32_t half = 0; half < 2; half++)
        same = same && a->series[half].value == b->series[half].value &&
               a->series[half].first == b->series[half].first &&
               a->series[half].step == b->series[half].step;
    return same;
}

/* A new node, or the one of the same dwords. */
static vsg_jit_qwords_node *known(vsg_jit_qwords *j, vsg_jit_qwords_node *n)
{
    if (!find_series(j, n->of[0], &n->series[0]) || !find_series(j, n->of[1], &n->series[1]))
        return n;
    n->count = j->count;
    n->low = vector_of(j, &n->series[0]);
    n->high = vector_of(j, &n->series[1]);
    vsg_jit_qwords_node **bucket = bucket_of(j, n);
    for (vsg_jit_qwords_node *other = *bucket; other; other = other->next)
        if (are_same(n, other)) {
            j->spare = n;
            return other;
        }
    n->next = *bucket;
    *bucket = n;
    *j->last = n;
    j->last = &n->later;
    return n;
}

/* ---- what they are made of --------------------------------------------------------------- */

static void plan(vsg_jit_qwords *j, vsg_jit_qwords_node *n, uint32_t depth);

static bool plan_operands(vsg_jit_qwords *j, vsg_jit_qwords_node *n, uint32_t depth)
{
    for (uint32_t which = 0; which < 2; which++) {
        vsg_jit_qwords_node *operand = n->operands[which] = known(j, n->operands[which]);
        if (operand->kind == VSG_JIT_QWORDS_NONE)
            plan(j, operand, depth + 1);
        /* Where it can be made for one asker alone, others would have it made again. */
        if (operand->kind == VSG_JIT_QWORDS_NONE ||
            (operand->kind >= VSG_JIT_QWORDS_AND && !operand->after))
            return false;
        n->num_whole += operand->num_whole;
        n->num_mixed += operand->num_mixed;
    }
    n->num_whole = n->num_whole < MOST_COUNTED ? n->num_whole : MOST_COUNTED;
    n->num_mixed = n->num_mixed < MOST_COUNTED ? n->num_mixed : MOST_COUNTED;
    return true;
}

static bool plan_logic(vsg_jit_qwords *j, vsg_jit_qwords_node *n, uint32_t depth)
{
    vsg_jit_dword as[2] = {{NULL, 0}, {NULL, 0}};
    bool has = false;

    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t i = 0; i < j->count; i++) {
            vsg_jit_dword out[2];
            take_operands(j, n->kind, n->of[half][i], as, out);
            for (uint32_t which = 0; which < 2; which++)
                n->operands[which]->of[half][i] = out[which];
            if (kind_of(n->of[half][i]) == n->kind && !has) {
                as[0] = out[0];
                as[1] = out[1];
                has = true;
            }
        }
    return plan_operands(j, n, depth);
}

static bool plan_select(vsg_jit_qwords *j, vsg_jit_qwords_node *n, uint32_t depth)
{
    for (uint32_t i = 0; i < j->count; i++)
        for (uint32_t half = 0; half < 2; half++) {
            vsg_jit_dword d = n->of[half][i], *on = &n->conditions[i];
            if (!d.value)
                continue;
            if (kind_of(d) != VSG_JIT_QWORDS_SELECT)
                return false;
            for (uint32_t which = 0; which < 2; which++)
                n->operands[which]->of[half][i] = operand(d, 1 + which);
            vsg_jit_dword own = operand(d, 0);
            if (!own.value || (on->value && (on->value != own.value || on->lane != own.lane)))
                return false;
            *on = own;
        }
    vsg_jit_dword_lanes unused;
    return vsg_jit_find_dwords(j->e, n->conditions, j->count, &unused) &&
           plan_operands(j, n, depth);
}

static bool is_before(LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef from_a = a, from_b = b;

    while (from_a != b && from_b != a) {
        from_a = from_a ? LLVMGetNextInstruction(from_a) : NULL;
        from_b = from_b ? LLVMGetNextInstruction(from_b) : NULL;
    }
    return from_a == b;
}

/* The last of the instructions that a node's dwords are of, if all are in one block. */
static LLVMValueRef find_last(const vsg_jit_qwords *j, const vsg_jit_qwords_node *n)
{
    LLVMValueRef last = NULL, seen = NULL;

    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t i = 0; i < j->count; i++) {
            LLVMValueRef v = n->of[half][i].value;
            if (!v || v == seen || !LLVMIsAInstruction(v))
                continue;
            seen = v;
            if (last && LLVMGetInstructionParent(v) != LLVMGetInstructionParent(last))
                return NULL;
            if (!last || (v != last && is_before(last, v)))
                last = v;
        }
    return last;
}

/* Operations are for qwords that were taken apart for them. */
static bool plan_operation(vsg_jit_qwords *j, vsg_jit_qwords_node *n, uint32_t depth)
{
    n->kind = depth < MOST_DEPTH ? find_operation(j, n) : VSG_JIT_QWORDS_MIXED;
    if (n->kind == VSG_JIT_QWORDS_MIXED)
        return false;
    for (uint32_t which = 0; which < 2; which++) {
        n->operands[which] = new_node(j);
        if (!n->operands[which])
            return false;
    }
    if (!(n->kind == VSG_JIT_QWORDS_SELECT ? plan_select(j, n, depth)
                                           : plan_logic(j, n, depth)) ||
        n->num_whole == 0 || n->num_mixed > n->num_whole)
        return false;
    n->after = find_last(j, n);
    return true;
}

/* ---- products ---------------------------------------------------------------------------- */

enum { MOST_TERMS = 3, MOST_SUMS = 8 };

/* The upper dword of a product of low dwords, and each low one times the other's high one. */
typedef struct product {
    LLVMValueRef low[2];  /* the operands of the product of low dwords */
    LLVMValueRef high[2]; /* NULL: zeros */
    LLVMValueRef terms[MOST_TERMS];
    uint32_t num_terms;
    LLVMValueRef upper;
} product;

/* False: they are too many. */
static bool add_terms(product *p, LLVMValueRef sum, uint32_t depth)
{
    if (vsg_jit_is_op(sum, LLVMAdd) && depth < MOST_SUMS)
        return add_terms(p, LLVMGetOperand(sum, 0), depth + 1) &&
               add_terms(p, LLVMGetOperand(sum, 1), depth + 1);
    if (vsg_jit_is_upper(sum) && !p->upper) {
        p->upper = sum;
        return true;
    }
    if (p->num_terms == MOST_TERMS)
        return false;
    p->terms[p->num_terms++] = sum;
    return true;
}

/* The power of two that a vector is multiplied by where it is shifted left; NULL: it is not
 * known. */
static LLVMValueRef power_of(const vsg_jit_qwords *j, LLVMValueRef shift)
{
    LLVMValueRef by = vsg_jit_lane_of_constant(LLVMGetOperand(shift, 1));

    if (!by || !LLVMIsAConstantInt(by) || LLVMConstIntGetZExtValue(by) >= VSG_JIT_DWORD_BITS)
        return NULL;
    LLVMValueRef power = vsg_jit_i32(j->e, UINT32_C(1) << LLVMConstIntGetZExtValue(by));
    return vsg_jit_splat(j->e, power, j->count);
}

/* What a factor is multiplied by to make a term; NULL: it is not. */
static LLVMValueRef other_factor(const vsg_jit_qwords *j, LLVMValueRef term,
                                 LLVMValueRef factor)
{
    if (vsg_jit_is_op(term, LLVMMul)) {
        LLVMValueRef a = LLVMGetOperand(term, 0), b = LLVMGetOperand(term, 1);
        return a == factor ? b : b == factor ? a : NULL;
    }
    if (vsg_jit_is_op(term, LLVMShl))
        return LLVMGetOperand(term, 0) == factor ? power_of(j, term) : NULL;
    return NULL;
}

/* Each term is one of the factors times another's high dword. */
static bool assign_terms(const vsg_jit_qwords *j, product *p)
{
    for (uint32_t i = 0; i < p->num_terms; i++) {
        uint32_t which = 0;
        LLVMValueRef other = NULL;
        for (; which < 2; which++) {
            other = p->high[!which] ? NULL : other_factor(j, p->terms[i], p->low[which]);
            if (other)
                break;
        }
        if (!other)
            return false;
        p->high[!which] = other;
    }
    return true;
}

/* Is a node's low vsg_jit_dword a product, and the high one what that of qwords has there? */
static bool find_product(const vsg_jit_qwords *j, const vsg_jit_qwords_node *n, product *p)
{
    *p = (product){.low = {NULL, NULL}};
    if (!n->low || !n->high || !vsg_jit_is_op(n->low, LLVMMul) || !add_terms(p, n->high, 0) ||
        !p->upper)
        return false;
    for (uint32_t which = 0; which < 2; which++)
        p->low[which] = LLVMGetOperand(n->low, which);
    LLVMValueRef a = LLVMGetOperand(p->upper, 0), b = LLVMGetOperand(p->upper, 1);
    return ((p->low[0] == a && p->low[1] == b) || (p->low[0] == b && p->low[1] == a)) &&
           assign_terms(j, p);
}

static void take_factor(const vsg_jit_qwords *j, const product *p, uint32_t which,
                        vsg_jit_qwords_node *out)
{
    for (uint32_t i = 0; i < j->count; i++) {
        out->of[0][i] = trace((vsg_jit_dword){p->low[which], i});
        out->of[1][i] =
            p->high[which] ? trace((vsg_jit_dword){p->high[which], i}) : constant(j, 0);
    }
}

static bool plan_product(vsg_jit_qwords *j, vsg_jit_qwords_node *n, uint32_t depth)
{
    product p;

    if (depth >= MOST_DEPTH || !find_product(j, n, &p))
        return false;
    n->kind = VSG_JIT_QWORDS_PRODUCT;
    n->num_whole = n->num_mixed = 0;
    for (uint32_t which = 0; which < 2; which++) {
        n->operands[which] = new_node(j);
        if (!n->operands[which])
            return false;
        take_factor(j, &p, which, n->operands[which]);
    }
    if (!plan_operands(j, n, depth) || n->num_mixed > n->num_whole)
        return false;
    /* What it is made of is as good as what was taken apart. */
    n->num_whole++;
    if (LLVMGetInstructionParent(n->low) == LLVMGetInstructionParent(n->high))
        n->after = is_before(n->low, n->high) ? n->high : n->low;
    return true;
}

/* ---- sums -------------------------------------------------------------------------------- */

/* A sum of two qwords, as devices without such add them: low dwords, and high ones with what
 * the low ones carry. */
typedef struct sum {
    vsg_jit_dword low[2], high[2];
} sum;

static bool is_sum(vsg_jit_dword d)
{
    return d.value && vsg_jit_is_vector(d.value) && vsg_jit_is_op(d.value, LLVMAdd);
}

static bool is_same_dword(vsg_jit_dword a, vsg_jit_dword b)
{
    return a.value && a.value == b.value && (a.lane == b.lane || LLVMIsConstant(a.value));
}

/* Is a dword 1 where a sum is below one of its terms, else 0? */
static bool is_carry(vsg_jit_dword d, vsg_jit_dword whole)
{
    LLVMValueRef test =
        d.value && vsg_jit_is_vector(d.value) && vsg_jit_is_op(d.value, LLVMZExt)
            ? LLVMGetOperand(d.value, 0)
            : NULL;

    if (!test || !LLVMIsAICmpInst(test))
        return false;
    bool is_turned = LLVMGetICmpPredicate(test) == LLVMIntUGT;
    vsg_jit_dword less = operand((vsg_jit_dword){test, d.lane}, is_turned);
    vsg_jit_dword more = operand((vsg_jit_dword){test, d.lane}, !is_turned);
    return (is_turned || LLVMGetICmpPredicate(test) == LLVMIntULT) &&
           is_same_dword(less, whole) &&
           (is_same_dword(more, operand(whole, 0)) || is_same_dword(more, operand(whole, 1)));
}

/* High dwords whose sum is a dword, but for the carry of a low one: each way to see it, of
 * which there are few. */
enum { MOST_WAYS = 8 };
typedef struct ways {
    vsg_jit_dword of[MOST_WAYS][2];
    uint32_t num;
} ways;

static void add_way(ways *w, vsg_jit_dword a, vsg_jit_dword b)
{
    if (w->num < MOST_WAYS && a.value && b.value) {
        w->of[w->num][0] = a;
        w->of[w->num++][1] = b;
    }
}

static void find_ways(const vsg_jit_qwords *j, vsg_jit_dword low, vsg_jit_dword high, ways *w)
{
    w->num = 0;
    if (is_carry(high, low))
        add_way(w, constant(j, 0), constant(j, 0));
    for (uint32_t n = 0; n < 2 && is_sum(high); n++) {
        vsg_jit_dword one = operand(high, n), other = operand(high, !n);
        if (is_carry(one, low)) {
            add_way(w, other, constant(j, 0));
            if (is_sum(other))
                add_way(w, operand(other, 0), operand(other, 1));
        }
        for (uint32_t k = 0; k < 2 && is_sum(one); k++)
            if (is_carry(operand(one, k), low))
                add_way(w, operand(one, !k), other);
    }
}

/* How well a low and a high dword go together. */
static uint32_t belong(const vsg_jit_qwords *j, vsg_jit_dword low, vsg_jit_dword high)
{
    vsg_jit_dword of[2];
    ways w = {.num = 0};

    if (vsg_jit_find_qword(low, false, &of[0]) && vsg_jit_find_qword(high, true, &of[1]) &&
        of[0].value == of[1].value)
        return 2;
    if (is_sum(low))
        find_ways(j, low, high, &w);
    return w.num > 0 || (LLVMIsConstant(low.value) && LLVMIsConstant(high.value));
}

/* The terms of a dword that is a sum, and of the high one above it, of which it makes no
 * difference to the sum whose is which. */
static bool find_sum(const vsg_jit_qwords *j, vsg_jit_dword low, vsg_jit_dword high, sum *s)
{
    vsg_jit_dword a = operand(low, 0), b = operand(low, 1);
    uint32_t best = 0;
    ways w;

    find_ways(j, low, high, &w);
    for (uint32_t i = 0; i < 2 * w.num && a.value && b.value; i++) {
        vsg_jit_dword of_a = w.of[i / 2][i % 2], of_b = w.of[i / 2][!(i % 2)];
        uint32_t good = 1 + belong(j, a, of_a) + belong(j, b, of_b);
        if (good > best) {
            *s = (sum){{a, b}, {of_a, of_b}};
            best = good;
        }
    }
    return best > 0;
}

static bool take_terms(vsg_jit_qwords *j, vsg_jit_qwords_node *n)
{
    sum s;

    for (uint32_t i = 0; i < j->count; i++) {
        if (!is_sum(n->of[0][i]) || !find_sum(j, n->of[0][i], n->of[1][i], &s))
            return false;
        for (uint32_t which = 0; which < 2; which++) {
            if (i == 0)
                n->operands[which] = new_node(j);
            if (!n->operands[which])
                return false;
            n->operands[which]->of[0][i] = s.low[which];
            n->operands[which]->of[1][i] = s.high[which];
        }
    }
    return true;
}

static bool plan_sum(vsg_jit_qwords *j, vsg_jit_qwords_node *n, uint32_t depth)
{
    if (depth >= MOST_DEPTH || !take_terms(j, n))
        return false;
    n->kind = VSG_JIT_QWORDS_SUM;
    n->num_whole = n->num_mixed = 0;
    if (!plan_operands(j, n, depth) || n->num_mixed > n->num_whole + 1)
        return false;
    /* What it is made of is as good as what was taken apart. */
    n->num_whole++;
    n->after = find_last(j, n);
    return true;
}

/* ---- all of them ------------------------------------------------------------------------- */

/* What is there as it is wanted. */
static bool plan_leaf(vsg_jit_qwords *j, vsg_jit_qwords_node *n)
{
    vsg_jit_dword_lanes unused;
    LLVMValueRef scalar;
    bool is_constants = true;

    for (uint32_t i = 0; i < j->count; i++)
        is_constants = is_constants && vsg_jit_is_constant_dword(n->of[0][i]) &&
                       vsg_jit_is_constant_dword(n->of[1][i]);
    if (is_constants) {
        n->kind = VSG_JIT_QWORDS_CONSTANT;
    } else if (vsg_jit_find_qwords(j->e, n->of, j->count, &unused, &scalar)) {
        n->kind = VSG_JIT_QWORDS_QWORDS;
        n->num_whole = 1;
    } else if (vsg_jit_find_scalar(n->of[0], j->count) &&
               vsg_jit_find_scalar(n->of[1], j->count)) {
        n->kind = VSG_JIT_QWORDS_SCALARS;
    } else {
        return false;
    }
    return true;
}

static bool plan_extended(const vsg_jit_qwords *j, vsg_jit_qwords_node *n)
{
    vsg_jit_dword_lanes unused;

    for (uint32_t i = 0; i < j->count; i++)
        if (!is_zero(n->of[1][i]))
            return false;
    n->kind = VSG_JIT_QWORDS_EXTENDED;
    return vsg_jit_find_dwords(j->e, n->of[0], j->count, &unused);
}

/* Dwords as they are, put together. */
static void plan_mixed(vsg_jit_qwords *j, vsg_jit_qwords_node *n)
{
    vsg_jit_dword_lanes unused;

    n->kind = VSG_JIT_QWORDS_MIXED;
    n->num_mixed = 1;
    for (uint32_t half = 0; half < 2; half++)
        if (!vsg_jit_find_dwords(j->e, n->of[half], j->count, &unused) &&
            !vsg_jit_find_scalar(n->of[half], j->count))
            n->kind = VSG_JIT_QWORDS_NONE;
}

/* Finds out what a node is. */
static void plan(vsg_jit_qwords *j, vsg_jit_qwords_node *n, uint32_t depth)
{
    if (plan_leaf(j, n) || plan_operation(j, n, depth) || plan_product(j, n, depth) ||
        plan_sum(j, n, depth))
        return;
    n->num_whole = n->num_mixed = 0;
    if (!plan_extended(j, n))
        plan_mixed(j, n);
}

/* ---- where they are put together --------------------------------------------------------- */

/* Lanes from the first one on. */
static LLVMValueRef part_of(const vsg_jit_qwords *j, LLVMValueRef value, uint32_t first,
                            uint32_t count)
{
    LLVMValueRef places[VSG_JIT_MOST_QWORDS];

    if (vsg_jit_num_lanes(value) == count)
        return value;
    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_i32(j->e, first + i);
    return LLVMBuildShuffleVector(j->e->b, value, LLVMGetPoison(LLVMTypeOf(value)),
                                  LLVMConstVector(places, count), "");
}

/* Does what a vector is put together to live on as it is, or (qwords) is it computed with? Of
 * variables that are written piece by piece LLVM has one after each piece. */
static bool is_wanted(LLVMValueRef v, bool as_qwords)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (as_qwords ? !vsg_jit_is_op(user, LLVMBitCast)
                      : vsg_jit_is_op(user, LLVMPHI) || vsg_jit_is_op(user, LLVMStore))
            return true;
    }
    return false;
}

/* The vector of dwords that may be qwords put together; NULL: it is none. */
static LLVMValueRef dwords_of(const vsg_jit_qwords *j, LLVMValueRef v)
{
    LLVMValueRef from = vsg_jit_is_op(v, LLVMBitCast) ? LLVMGetOperand(v, 0) : v;

    if (!vsg_jit_is_vector(v) || !vsg_jit_is_op(from, LLVMShuffleVector) ||
        LLVMGetElementType(LLVMTypeOf(from)) != j->e->i32 || vsg_jit_num_lanes(from) % 2 != 0 ||
        vsg_jit_num_lanes(from) < 4 || vsg_jit_num_lanes(from) > 2 * VSG_JIT_MOST_QWORDS)
        return NULL;
    return (v == from || vsg_jit_is_of_qwords(v)) && is_wanted(v, v != from) ? from : NULL;
}

/* Is each dword, from lane `first` on, that lane of one vector? */
static LLVMValueRef find_piece(const vsg_jit_qwords *j, const vsg_jit_dword *of, uint32_t first)
{
    LLVMValueRef found = of[0].value;

    for (uint32_t i = 0; i < j->count; i++)
        if (!of[i].value || of[i].value != found || of[i].lane != first + i)
            return NULL;
    return vsg_jit_is_vector(found) ? found : NULL;
}

/* Where all dwords are some of the lanes of longer vectors the node is of all their lanes, as
 * others want them. The first lane that is asked for. */
static uint32_t widen(vsg_jit_qwords *j, vsg_jit_qwords_node *n)
{
    uint32_t first = n->of[0][0].lane;
    LLVMValueRef low = find_piece(j, n->of[0], first), high = find_piece(j, n->of[1], first);

    if (!low || !high || vsg_jit_num_lanes(low) != vsg_jit_num_lanes(high) ||
        vsg_jit_num_lanes(low) > VSG_JIT_MOST_QWORDS ||
        kind_of(n->of[0][0]) == VSG_JIT_QWORDS_MIXED)
        return 0;
    j->count = vsg_jit_num_lanes(low);
    for (uint32_t i = 0; i < j->count; i++) {
        n->of[0][i] = (vsg_jit_dword){low, i};
        n->of[1][i] = (vsg_jit_dword){high, i};
    }
    return first;
}

static bool join_dwords(vsg_jit_qwords *j, LLVMValueRef v)
{
    LLVMValueRef dwords = dwords_of(j, v);
    vsg_jit_qwords_node *root = dwords ? new_node(j) : NULL;

    if (!root)
        return false;
    uint32_t count = j->count = vsg_jit_num_lanes(dwords) / 2;
    bool is_whole = true;
    for (uint32_t i = 0; i < 2 * count; i++) {
        vsg_jit_dword d = root->of[i % 2][i / 2] = trace((vsg_jit_dword){dwords, i});
        is_whole = is_whole && d.value;
    }
    /* Where some are not written yet, more are to come. */
    if (!is_whole) {
        j->spare = root;
        return false;
    }
    uint32_t first = widen(j, root);
    root = known(j, root);
    if (root->kind == VSG_JIT_QWORDS_NONE)
        plan(j, root, 0);
    if (root->kind == VSG_JIT_QWORDS_NONE || root->kind == VSG_JIT_QWORDS_MIXED ||
        (v == dwords && root->kind < VSG_JIT_QWORDS_AND))
        return false;
    LLVMValueRef value = vsg_jit_make_qwords(j, root, v);
    LLVMPositionBuilderBefore(j->e->b, v);
    value = part_of(j, value, first, count);
    vsg_jit_replace(v, LLVMBuildBitCast(j->e->b, value, LLVMTypeOf(v), ""));
    return true;
}

/* ---- functions --------------------------------------------------------------------------- */

static bool join_function(vsg_jit_qwords *j, LLVMValueRef function)
{
    bool changed = false;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b), next; v; v = next) {
            next = LLVMGetNextInstruction(v);
            changed |= join_dwords(j, v);
        }
    return changed;
}

bool vsg_jit_join_dwords(vsg_jit_emitter *e)
{
    vsg_jit_qwords *j = vsg_base_arena_new(&e->arena, 1, sizeof *j);
    bool changed = false;

    if (!j) {
        vsg_jit_make_uppers_plain(e);
        return false;
    }
    j->e = e;
    j->last = &j->first;
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
        changed |= join_function(j, f);
    vsg_jit_take_dwords(j);
    vsg_jit_make_uppers_plain(e);
    return changed;
}
