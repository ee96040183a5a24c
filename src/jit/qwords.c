/* SPDX-License-Identifier: MIT
 *
 * PVC has sums and shifts of qwords, but no AND, OR, XOR and selections of them: the compiler
 * takes vectors of qwords apart into low and high dwords, computes with each, and puts the
 * results together again, which is five shuffles for one operation. Here the lanes of what is
 * put together are followed back, through shuffles and operations, to where both dwords of each
 * pair are those of one qword, or constants, or the same scalar in all lanes; the operations
 * are then made again, of qwords. */
#include "jit/qwords.h"

#include "jit/lane_operations.h"
#include "jit/marks.h"
#include "jit/upper.h"

enum {
    MOST_QWORDS = VSG_EXE_MAX_CHANNELS,
    MOST_NODES = 4096,
    MOST_DEPTH = 128,
    MOST_COUNTED = 1000,
    CHUNK_NODES = 32,
    BUCKETS = 1024,
    DWORD_BITS = 32,
    QWORD_BITS = 64
};

/* One dword: of a vector, or a scalar. value: NULL: any will do. */
typedef struct dword {
    LLVMValueRef value;
    uint32_t lane;
} dword;

typedef enum kind {
    KIND_NONE, /* dwords that cannot be put together, or are not looked at yet */
    KIND_CONSTANT,
    KIND_QWORDS,   /* lanes of vectors of them, or a scalar */
    KIND_EXTENDED, /* low dwords; the high ones are zeros */
    KIND_SCALARS,  /* all low dwords are one scalar, all high ones another */
    KIND_MIXED,    /* what is left: dwords of vectors */
    KIND_AND,      /* from here on operations of other nodes */
    KIND_OR,
    KIND_XOR,
    KIND_SELECT,
    KIND_PRODUCT
} kind;

/* Qwords that are wanted, and what they are. */
typedef struct node {
    dword of[2][MOST_QWORDS]; /* low, high */
    kind kind;
    struct node *operands[2];
    dword conditions[MOST_QWORDS]; /* of a selection */
    /* Leaves that are qwords as they are, and those that are put together. */
    uint32_t num_whole, num_mixed;
    LLVMValueRef low, high; /* vectors whose lanes, in order, the dwords are; or NULL */
    LLVMValueRef after;     /* the last operation that its dwords are of; NULL: there is none */
    LLVMValueRef value;     /* made there; NULL: not yet */
    struct node *next;      /* of the same bucket */
} node;

typedef struct join {
    vsg_jit_emitter *e;
    uint32_t count; /* qwords */
    node *chunk;    /* CHUNK_NODES */
    node *spare;    /* nobody wanted it */
    uint32_t num_nodes;
    node *buckets[BUCKETS];
} join;

/* Lanes of at most two vectors of one type. */
typedef struct lanes {
    LLVMValueRef from[2];
    LLVMValueRef places[MOST_QWORDS];
    bool is_all; /* of from[0], in their order */
} lanes;

/* ---- dwords ------------------------------------------------------------------------------ */

static bool is_op(LLVMValueRef v, LLVMOpcode op)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}

static uint32_t lanes_of(LLVMValueRef v)
{
    return LLVMGetVectorSize(LLVMTypeOf(v));
}

static bool is_undefined(LLVMValueRef v)
{
    return LLVMIsUndef(v) || LLVMIsPoison(v);
}

/* The vector without an element that is not asked for, or the element. False: it is neither. */
static bool pass_insertion(dword *d)
{
    LLVMValueRef place = LLVMGetOperand(d->value, 2);

    if (!LLVMIsAConstantInt(place))
        return false;
    bool is_it = LLVMConstIntGetZExtValue(place) == d->lane;
    d->value = LLVMGetOperand(d->value, is_it);
    d->lane = is_it ? 0 : d->lane;
    return true;
}

/* Where it comes from, through shuffles. */
static dword trace(dword d)
{
    while (d.value && vsg_jit_is_vector(d.value)) {
        if (is_op(d.value, LLVMShuffleVector)) {
            if (!vsg_jit_look_through(&d.value, &d.lane))
                d.value = NULL;
        } else if (LLVMIsAInsertElementInst(d.value)) {
            if (!pass_insertion(&d))
                break;
        } else if (LLVMIsConstant(d.value)) {
            LLVMValueRef one = LLVMGetAggregateElement(d.value, d.lane);
            if (!one)
                break;
            d = (dword){one, 0};
        } else {
            break;
        }
    }
    if (d.value && is_undefined(d.value))
        d.value = NULL;
    return d;
}

static bool is_constant(dword d)
{
    return !d.value || LLVMIsAConstantInt(d.value);
}

static uint32_t constant_of(dword d)
{
    return d.value ? (uint32_t)LLVMConstIntGetZExtValue(d.value) : 0;
}

static bool is_zero(dword d)
{
    return is_constant(d) && constant_of(d) == 0;
}

static dword constant(const join *j, uint32_t value)
{
    return (dword){vsg_jit_i32(j->e, value), 0};
}

/* Has a value elements of 64 bits? */
static bool is_of_qwords(LLVMValueRef v)
{
    LLVMTypeRef type = vsg_jit_lane_type(v);

    return vsg_jit_is_lane(type) && vsg_jit_lane_bits(type) == QWORD_BITS;
}

/* Is it the high dwords of qwords that were shifted to the low ones? */
static bool is_shift_to_high(LLVMValueRef v)
{
    LLVMValueRef by = is_op(v, LLVMLShr) ? LLVMGetOperand(v, 1) : NULL;
    uint32_t count = by && vsg_jit_is_vector(by) ? lanes_of(by) : 1;

    if (!by || !LLVMIsConstant(by))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef one = vsg_jit_is_vector(by) ? LLVMGetAggregateElement(by, i) : by;
        if (!one || !LLVMIsAConstantInt(one) || LLVMConstIntGetZExtValue(one) != DWORD_BITS)
            return false;
    }
    return true;
}

/* The qword whose low or high dword it is: lanes of a vector, or a scalar. */
static bool find_qword(dword d, bool is_high, dword *out)
{
    LLVMValueRef from = d.value && LLVMIsAInstruction(d.value) ? d.value : NULL;

    if (!from || (!is_op(from, LLVMBitCast) && !is_op(from, LLVMTrunc)) ||
        !is_of_qwords(LLVMGetOperand(from, 0)))
        return false;
    out->value = LLVMGetOperand(from, 0);
    if (is_op(from, LLVMBitCast)) {
        out->lane = d.lane / 2;
        return d.lane % 2 == is_high;
    }
    out->lane = d.lane;
    if (is_high && is_shift_to_high(out->value)) {
        out->value = LLVMGetOperand(out->value, 0);
        return true;
    }
    return !is_high;
}

/* ---- lanes ------------------------------------------------------------------------------- */

static bool add_lane(const join *j, lanes *to, uint32_t at, LLVMValueRef value, uint32_t lane)
{
    uint32_t which = 0;

    while (which < 2 && to->from[which] && to->from[which] != value)
        which++;
    if (which == 2 || (which == 1 && LLVMTypeOf(value) != LLVMTypeOf(to->from[0])))
        return false;
    to->from[which] = value;
    to->places[at] = vsg_jit_i32(j->e, which * lanes_of(value) + lane);
    to->is_all = to->is_all && which == 0 && lane == at;
    return true;
}

/* Lanes of vectors of 32 bits, of 1 or of any that does not matter. False: they are not. */
static bool find_lanes(const join *j, const dword *of, lanes *out)
{
    *out = (lanes){.is_all = true};
    for (uint32_t i = 0; i < j->count; i++) {
        out->places[i] = LLVMGetPoison(j->e->i32);
        if (of[i].value &&
            (!vsg_jit_is_vector(of[i].value) || !add_lane(j, out, i, of[i].value, of[i].lane)))
            return false;
    }
    return out->from[0] != NULL;
}

/* scalar: what all are, if they are. */
static bool find_whole(const join *j, const node *n, lanes *out, LLVMValueRef *scalar)
{
    *out = (lanes){.is_all = true};
    *scalar = NULL;
    for (uint32_t i = 0; i < j->count; i++) {
        dword both[2] = {{NULL, 0}, {NULL, 0}};
        out->places[i] = LLVMGetPoison(j->e->i32);
        for (uint32_t half = 0; half < 2; half++)
            if (n->of[half][i].value && !find_qword(n->of[half][i], half, &both[half]))
                return false;
        dword one = both[0].value ? both[0] : both[1];
        if (!one.value)
            continue;
        if (both[1].value && (both[1].value != one.value || both[1].lane != one.lane))
            return false;
        if (!vsg_jit_is_vector(one.value)) {
            if (out->from[0] || (*scalar && *scalar != one.value))
                return false;
            *scalar = one.value;
        } else if (*scalar || !add_lane(j, out, i, one.value, one.lane)) {
            return false;
        }
    }
    return *scalar || out->from[0];
}

/* The scalar that all dwords of a half are; NULL: they are no scalar. */
static LLVMValueRef find_scalar(const join *j, const dword *of)
{
    LLVMValueRef found = NULL;

    for (uint32_t i = 0; i < j->count; i++) {
        if (!of[i].value)
            continue;
        if (vsg_jit_is_vector(of[i].value) || (found && found != of[i].value))
            return NULL;
        found = of[i].value;
    }
    return found;
}

/* ---- what they are ----------------------------------------------------------------------- */

/* KIND_MIXED: none of these operations. */
static kind kind_of(dword d)
{
    if (!d.value || !LLVMIsAInstruction(d.value) || !vsg_jit_is_vector(d.value))
        return KIND_MIXED;
    switch (LLVMGetInstructionOpcode(d.value)) {
    case LLVMAnd:
        return KIND_AND;
    case LLVMOr:
        return KIND_OR;
    case LLVMXor:
        return KIND_XOR;
    case LLVMSelect:
        /* Not one that chooses between whole vectors. */
        return vsg_jit_is_vector(LLVMGetOperand(d.value, 0)) ? KIND_SELECT : KIND_MIXED;
    default:
        return KIND_MIXED;
    }
}

/* The operation that any of the dwords is the result of. */
static kind find_operation(const join *j, const node *n)
{
    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t i = 0; i < j->count; i++) {
            kind found = kind_of(n->of[half][i]);
            if (found != KIND_MIXED)
                return found;
        }
    return KIND_MIXED;
}

/* How alike two dwords are, for both to be of one operand. */
static uint32_t alike(dword a, dword b)
{
    if (!a.value || !b.value || (is_constant(a) && is_constant(b)) || a.value == b.value)
        return 2;
    dword of[2];
    for (uint32_t half = 0; half < 2; half++)
        if (find_qword(a, half, &of[0]) && find_qword(b, !half, &of[1]) &&
            of[0].value == of[1].value)
            return 2;
    return kind_of(a) != KIND_MIXED && kind_of(a) == kind_of(b);
}

static dword operand(dword d, uint32_t which)
{
    return trace((dword){LLVMGetOperand(d.value, which), d.lane});
}

/* The operands that make a dword by an operation of that kind, the more alike the better to
 * those of the dword `as`, which may be the other way round. */
static void take_operands(const join *j, kind of, dword d, const dword as[2], dword out[2])
{
    if (kind_of(d) == of) {
        dword a = operand(d, 0), b = operand(d, 1);
        bool turns = alike(as[0], b) + alike(as[1], a) > alike(as[0], a) + alike(as[1], b);
        out[0] = turns ? b : a;
        out[1] = turns ? a : b;
    } else if (of == KIND_AND && d.value && is_zero(d)) {
        out[0] = (dword){NULL, 0};
        out[1] = d;
    } else {
        /* The other operand may be any where the dword may. */
        out[0] = d;
        out[1] = d.value ? constant(j, of == KIND_AND ? UINT32_MAX : 0) : d;
    }
}

/* ---- nodes ------------------------------------------------------------------------------- */

static node *new_node(join *j)
{
    node *n = j->spare;

    if (n) {
        j->spare = NULL;
        *n = (node){.kind = KIND_NONE};
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

/* The vector whose lanes, in order, all dwords are; NULL: there is none. */
static LLVMValueRef find_vector(const join *j, const dword *of)
{
    LLVMValueRef found = of[0].value;

    for (uint32_t i = 0; i < j->count; i++)
        if (!of[i].value || of[i].value != found || of[i].lane != i)
            return NULL;
    return vsg_jit_is_vector(found) && lanes_of(found) == j->count ? found : NULL;
}

static node **bucket_of(join *j, LLVMValueRef low, LLVMValueRef high)
{
    uintptr_t mixed = (uintptr_t)low / 16 * 31 + (uintptr_t)high / 16;

    return &j->buckets[mixed % BUCKETS];
}

/* A new node, or the one of the same dwords. */
static node *known(join *j, node *n)
{
    n->low = find_vector(j, n->of[0]);
    n->high = find_vector(j, n->of[1]);
    if (!n->low || !n->high)
        return n;
    node **bucket = bucket_of(j, n->low, n->high);
    for (node *other = *bucket; other; other = other->next)
        if (other->low == n->low && other->high == n->high) {
            j->spare = n;
            return other;
        }
    n->next = *bucket;
    *bucket = n;
    return n;
}

/* ---- what they are made of --------------------------------------------------------------- */

static void plan(join *j, node *n, uint32_t depth);

static bool plan_operands(join *j, node *n, uint32_t depth)
{
    for (uint32_t which = 0; which < 2; which++) {
        node *operand = n->operands[which] = known(j, n->operands[which]);
        if (operand->kind == KIND_NONE)
            plan(j, operand, depth + 1);
        if (operand->kind == KIND_NONE)
            return false;
        n->num_whole += operand->num_whole;
        n->num_mixed += operand->num_mixed;
    }
    n->num_whole = n->num_whole < MOST_COUNTED ? n->num_whole : MOST_COUNTED;
    n->num_mixed = n->num_mixed < MOST_COUNTED ? n->num_mixed : MOST_COUNTED;
    return true;
}

static bool plan_logic(join *j, node *n, uint32_t depth)
{
    dword as[2] = {{NULL, 0}, {NULL, 0}};
    bool has = false;

    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t i = 0; i < j->count; i++) {
            dword out[2];
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

static bool plan_select(join *j, node *n, uint32_t depth)
{
    for (uint32_t i = 0; i < j->count; i++)
        for (uint32_t half = 0; half < 2; half++) {
            dword d = n->of[half][i], *on = &n->conditions[i];
            if (!d.value)
                continue;
            if (kind_of(d) != KIND_SELECT)
                return false;
            for (uint32_t which = 0; which < 2; which++)
                n->operands[which]->of[half][i] = operand(d, 1 + which);
            dword own = operand(d, 0);
            if (!own.value || (on->value && (on->value != own.value || on->lane != own.lane)))
                return false;
            *on = own;
        }
    lanes unused;
    return find_lanes(j, n->conditions, &unused) && plan_operands(j, n, depth);
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

/* The last of the operations that a node's dwords are of, if all are in one block. */
static LLVMValueRef find_last(const join *j, const node *n)
{
    LLVMValueRef last = NULL, seen = NULL;

    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t i = 0; i < j->count; i++) {
            LLVMValueRef v = n->of[half][i].value;
            if (v == seen || kind_of(n->of[half][i]) == KIND_MIXED)
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
static bool plan_operation(join *j, node *n, uint32_t depth)
{
    n->kind = depth < MOST_DEPTH ? find_operation(j, n) : KIND_MIXED;
    if (n->kind == KIND_MIXED)
        return false;
    for (uint32_t which = 0; which < 2; which++) {
        n->operands[which] = new_node(j);
        if (!n->operands[which])
            return false;
    }
    if (!(n->kind == KIND_SELECT ? plan_select(j, n, depth) : plan_logic(j, n, depth)) ||
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
    if (is_op(sum, LLVMAdd) && depth < MOST_SUMS)
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

/* Powers of two by which a vector is shifted left; NULL: they are not known. */
static LLVMValueRef power_of(const join *j, LLVMValueRef shift)
{
    LLVMValueRef by = LLVMGetOperand(shift, 1), powers[MOST_QWORDS];

    if (!LLVMIsConstant(by))
        return NULL;
    for (uint32_t i = 0; i < j->count; i++) {
        LLVMValueRef one = LLVMGetAggregateElement(by, i);
        if (!one || !LLVMIsAConstantInt(one) || LLVMConstIntGetZExtValue(one) >= DWORD_BITS)
            return NULL;
        powers[i] = vsg_jit_i32(j->e, UINT32_C(1) << LLVMConstIntGetZExtValue(one));
    }
    return LLVMConstVector(powers, j->count);
}

/* What a factor is multiplied by to make a term; NULL: it is not. */
static LLVMValueRef other_factor(const join *j, LLVMValueRef term, LLVMValueRef factor)
{
    if (is_op(term, LLVMMul)) {
        LLVMValueRef a = LLVMGetOperand(term, 0), b = LLVMGetOperand(term, 1);
        return a == factor ? b : b == factor ? a : NULL;
    }
    if (is_op(term, LLVMShl))
        return LLVMGetOperand(term, 0) == factor ? power_of(j, term) : NULL;
    return NULL;
}

/* Each term is one of the factors times another's high dword. */
static bool assign_terms(const join *j, product *p)
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

/* Is a node's low dword a product, and the high one what that of qwords has there? */
static bool find_product(const join *j, const node *n, product *p)
{
    *p = (product){.low = {NULL, NULL}};
    if (!n->low || !n->high || !is_op(n->low, LLVMMul) || !add_terms(p, n->high, 0) ||
        !p->upper)
        return false;
    for (uint32_t which = 0; which < 2; which++)
        p->low[which] = LLVMGetOperand(n->low, which);
    LLVMValueRef a = LLVMGetOperand(p->upper, 0), b = LLVMGetOperand(p->upper, 1);
    return ((p->low[0] == a && p->low[1] == b) || (p->low[0] == b && p->low[1] == a)) &&
           assign_terms(j, p);
}

static void take_factor(const join *j, const product *p, uint32_t which, node *out)
{
    for (uint32_t i = 0; i < j->count; i++) {
        out->of[0][i] = trace((dword){p->low[which], i});
        out->of[1][i] = p->high[which] ? trace((dword){p->high[which], i}) : constant(j, 0);
    }
}

static bool plan_product(join *j, node *n, uint32_t depth)
{
    product p;

    if (depth >= MOST_DEPTH || !find_product(j, n, &p))
        return false;
    n->kind = KIND_PRODUCT;
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

/* ---- all of them ------------------------------------------------------------------------- */

/* What is there as it is wanted. */
static bool plan_leaf(join *j, node *n)
{
    lanes unused;
    LLVMValueRef scalar;
    bool is_constants = true;

    for (uint32_t i = 0; i < j->count; i++)
        is_constants = is_constants && is_constant(n->of[0][i]) && is_constant(n->of[1][i]);
    if (is_constants) {
        n->kind = KIND_CONSTANT;
    } else if (find_whole(j, n, &unused, &scalar)) {
        n->kind = KIND_QWORDS;
        n->num_whole = 1;
    } else if (find_scalar(j, n->of[0]) && find_scalar(j, n->of[1])) {
        n->kind = KIND_SCALARS;
    } else {
        return false;
    }
    return true;
}

static bool plan_extended(const join *j, node *n)
{
    lanes unused;

    for (uint32_t i = 0; i < j->count; i++)
        if (!is_zero(n->of[1][i]))
            return false;
    n->kind = KIND_EXTENDED;
    return find_lanes(j, n->of[0], &unused);
}

/* Dwords as they are, put together. */
static void plan_mixed(join *j, node *n)
{
    lanes unused;

    n->kind = KIND_MIXED;
    n->num_mixed = 1;
    for (uint32_t half = 0; half < 2; half++)
        if (!find_lanes(j, n->of[half], &unused) && !find_scalar(j, n->of[half]))
            n->kind = KIND_NONE;
}

/* Finds out what a node is. */
static void plan(join *j, node *n, uint32_t depth)
{
    if (plan_leaf(j, n) || plan_operation(j, n, depth) || plan_product(j, n, depth))
        return;
    n->num_whole = n->num_mixed = 0;
    if (!plan_extended(j, n))
        plan_mixed(j, n);
}

/* ---- their making ------------------------------------------------------------------------ */

static LLVMValueRef to_integers(const join *j, LLVMValueRef value)
{
    uint32_t count = vsg_jit_is_vector(value) ? lanes_of(value) : 1;

    return LLVMBuildBitCast(j->e->b, value, vsg_jit_int(j->e, QWORD_BITS, count), "");
}

static LLVMValueRef make_lanes(const join *j, const lanes *of)
{
    LLVMValueRef other = of->from[1] ? of->from[1] : LLVMGetPoison(LLVMTypeOf(of->from[0]));

    if (of->is_all && lanes_of(of->from[0]) == j->count)
        return of->from[0];
    return LLVMBuildShuffleVector(j->e->b, of->from[0], other,
                                  LLVMConstVector((LLVMValueRef *)of->places, j->count), "");
}

static LLVMValueRef make_constants(const join *j, const node *n)
{
    LLVMValueRef values[MOST_QWORDS];

    for (uint32_t i = 0; i < j->count; i++)
        values[i] = vsg_jit_i64(j->e, (uint64_t)constant_of(n->of[1][i]) << DWORD_BITS |
                                          constant_of(n->of[0][i]));
    return LLVMConstVector(values, j->count);
}

static LLVMValueRef make_whole(const join *j, const node *n)
{
    lanes from;
    LLVMValueRef scalar;

    (void)find_whole(j, n, &from, &scalar);
    return scalar ? vsg_jit_splat(j->e, to_integers(j, scalar), j->count)
                  : to_integers(j, make_lanes(j, &from));
}

static LLVMValueRef extend(const join *j, LLVMValueRef dwords)
{
    uint32_t count = vsg_jit_is_vector(dwords) ? j->count : 1;

    return LLVMBuildZExt(j->e->b, dwords, vsg_jit_int(j->e, QWORD_BITS, count), "");
}

/* Low and high dwords, of vectors or scalars. */
static LLVMValueRef put_together(const join *j, LLVMValueRef low, LLVMValueRef high)
{
    uint32_t count = vsg_jit_is_vector(low) ? j->count : 1;
    LLVMValueRef by = vsg_jit_splat(j->e, vsg_jit_i64(j->e, DWORD_BITS), count);

    return LLVMBuildOr(j->e->b, extend(j, low), LLVMBuildShl(j->e->b, extend(j, high), by, ""),
                       "");
}

static LLVMValueRef make_dwords(const join *j, const dword *of)
{
    LLVMValueRef scalar = find_scalar(j, of);
    lanes from;

    if (scalar)
        return vsg_jit_splat(j->e, scalar, j->count);
    (void)find_lanes(j, of, &from);
    return make_lanes(j, &from);
}

static LLVMValueRef make(const join *j, node *n, LLVMValueRef before);

static LLVMValueRef make_operation(const join *j, const node *n, LLVMValueRef before)
{
    LLVMValueRef of[2];
    lanes on;

    for (uint32_t which = 0; which < 2; which++)
        of[which] = make(j, n->operands[which], before);
    LLVMPositionBuilderBefore(j->e->b, before);
    switch (n->kind) {
    case KIND_AND:
        return LLVMBuildAnd(j->e->b, of[0], of[1], "");
    case KIND_OR:
        return LLVMBuildOr(j->e->b, of[0], of[1], "");
    case KIND_XOR:
        return LLVMBuildXor(j->e->b, of[0], of[1], "");
    case KIND_PRODUCT:
        return LLVMBuildMul(j->e->b, of[0], of[1], "");
    default:
        (void)find_lanes(j, n->conditions, &on);
        return LLVMBuildSelect(j->e->b, make_lanes(j, &on), of[0], of[1], "");
    }
}

static LLVMValueRef make_leaf(const join *j, const node *n)
{
    switch (n->kind) {
    case KIND_CONSTANT:
        return make_constants(j, n);
    case KIND_QWORDS:
        return make_whole(j, n);
    case KIND_EXTENDED:
        return extend(j, make_dwords(j, n->of[0]));
    case KIND_SCALARS:
        return vsg_jit_splat(
            j->e, put_together(j, find_scalar(j, n->of[0]), find_scalar(j, n->of[1])),
            j->count);
    default:
        return put_together(j, make_dwords(j, n->of[0]), make_dwords(j, n->of[1]));
    }
}

/* Operations behind those that they stand for, where others find them; all else in front of
 * who asks. */
static LLVMValueRef make(const join *j, node *n, LLVMValueRef before)
{
    if (n->value)
        return n->value;
    if (n->kind < KIND_AND) {
        LLVMPositionBuilderBefore(j->e->b, before);
        return make_leaf(j, n);
    }
    if (!n->after)
        return make_operation(j, n, before);
    n->value = make_operation(j, n, LLVMGetNextInstruction(n->after));
    return n->value;
}

/* ---- where they are put together --------------------------------------------------------- */

/* Lanes from the first one on. */
static LLVMValueRef part_of(const join *j, LLVMValueRef value, uint32_t first, uint32_t count)
{
    LLVMValueRef places[MOST_QWORDS];

    if (lanes_of(value) == count)
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
        if (as_qwords ? !is_op(user, LLVMBitCast)
                      : is_op(user, LLVMPHI) || is_op(user, LLVMStore))
            return true;
    }
    return false;
}

/* The vector of dwords that may be qwords put together; NULL: it is none. */
static LLVMValueRef dwords_of(const join *j, LLVMValueRef v)
{
    LLVMValueRef from = is_op(v, LLVMBitCast) ? LLVMGetOperand(v, 0) : v;

    if (!vsg_jit_is_vector(v) || !is_op(from, LLVMShuffleVector) ||
        LLVMGetElementType(LLVMTypeOf(from)) != j->e->i32 || lanes_of(from) % 2 != 0 ||
        lanes_of(from) < 4 || lanes_of(from) > 2 * MOST_QWORDS)
        return NULL;
    return (v == from || is_of_qwords(v)) && is_wanted(v, v != from) ? from : NULL;
}

/* Is each dword, from lane `first` on, that lane of one vector? */
static LLVMValueRef find_piece(const join *j, const dword *of, uint32_t first)
{
    LLVMValueRef found = of[0].value;

    for (uint32_t i = 0; i < j->count; i++)
        if (!of[i].value || of[i].value != found || of[i].lane != first + i)
            return NULL;
    return vsg_jit_is_vector(found) ? found : NULL;
}

/* Where all dwords are some of the lanes of longer vectors the node is of all their lanes, as
 * others want them. The first lane that is asked for. */
static uint32_t widen(join *j, node *n)
{
    uint32_t first = n->of[0][0].lane;
    LLVMValueRef low = find_piece(j, n->of[0], first), high = find_piece(j, n->of[1], first);

    if (!low || !high || lanes_of(low) != lanes_of(high) || lanes_of(low) > MOST_QWORDS ||
        kind_of(n->of[0][0]) == KIND_MIXED)
        return 0;
    j->count = lanes_of(low);
    for (uint32_t i = 0; i < j->count; i++) {
        n->of[0][i] = (dword){low, i};
        n->of[1][i] = (dword){high, i};
    }
    return first;
}

static bool join_dwords(join *j, LLVMValueRef v)
{
    LLVMValueRef dwords = dwords_of(j, v);
    node *root = dwords ? new_node(j) : NULL;

    if (!root)
        return false;
    uint32_t count = j->count = lanes_of(dwords) / 2;
    bool is_whole = true;
    for (uint32_t i = 0; i < 2 * count; i++) {
        dword d = root->of[i % 2][i / 2] = trace((dword){dwords, i});
        is_whole = is_whole && d.value;
    }
    /* Where some are not written yet, more are to come. */
    if (!is_whole) {
        j->spare = root;
        return false;
    }
    uint32_t first = widen(j, root);
    root = known(j, root);
    if (root->kind == KIND_NONE)
        plan(j, root, 0);
    if (root->kind == KIND_NONE || root->kind == KIND_MIXED ||
        (v == dwords && root->kind < KIND_AND))
        return false;
    LLVMValueRef value = make(j, root, v);
    LLVMPositionBuilderBefore(j->e->b, v);
    value = part_of(j, value, first, count);
    vsg_jit_replace(v, LLVMBuildBitCast(j->e->b, value, LLVMTypeOf(v), ""));
    return true;
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

/* Who asks for low or high dwords themselves gets those of the qwords, so that these are not
 * computed twice. */
static void take_dwords(const join *j, const node *n, bool is_high)
{
    LLVMValueRef old = is_high ? n->high : n->low, places[MOST_QWORDS];
    uint32_t count = lanes_of(old);

    if (!LLVMIsAInstruction(n->value) || !is_free_until(old, n->value))
        return;
    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_i32(j->e, 2 * i + is_high);
    LLVMPositionBuilderBefore(j->e->b, LLVMGetNextInstruction(n->value));
    LLVMValueRef all =
        LLVMBuildBitCast(j->e->b, n->value, vsg_jit_int(j->e, DWORD_BITS, 2 * count), "");
    LLVMReplaceAllUsesWith(old,
                           LLVMBuildShuffleVector(j->e->b, all, LLVMGetPoison(LLVMTypeOf(all)),
                                                  LLVMConstVector(places, count), ""));
}

static void take_all_dwords(const join *j)
{
    for (uint32_t i = 0; i < BUCKETS; i++)
        for (const node *n = j->buckets[i]; n; n = n->next)
            for (uint32_t half = 0; half < 2 && n->value; half++)
                take_dwords(j, n, half);
}

/* ---- functions --------------------------------------------------------------------------- */

static bool join_function(join *j, LLVMValueRef function)
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
    join *j = vsg_base_arena_new(&e->arena, 1, sizeof *j);
    bool changed = false;

    if (!j) {
        vsg_jit_make_uppers_plain(e);
        return false;
    }
    j->e = e;
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
        changed |= join_function(j, f);
    take_all_dwords(j);
    vsg_jit_make_uppers_plain(e);
    return changed;
}
