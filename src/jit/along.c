/* SPDX-License-Identifier: MIT */
#include "jit/along.h"

#include "jit/lane_operations.h"
#include "jit/lowering.h"

typedef vsg_jit_hoister hoister;
typedef vsg_jit_series series;
typedef vsg_jit_column column;

enum { MOST_SUMS = 4, MOST_BEHIND = 8, MOST_VALUES = 256, MOST_FIXED = 64 };
/* What is loaded or stored at once, and of how many rounds. */
enum { ROW_BYTES = 64, MOST_ROUNDS = 32 };

/* The lane that each channel has of a value: the channel's number and more, or one for all. */
typedef struct lane_of {
    LLVMValueRef value;
    uint32_t first;
    bool is_own; /* its channel's */
} lane_of;

/* What it is in the code: of all rounds in hand, or the same in all. */
typedef struct made {
    lane_of from;
    LLVMValueRef to;
} made;

/* A vector that the loop does not change: on the stack, where channels find their lane. */
typedef struct kept {
    LLVMValueRef vector, slot;
} kept;

/* Some lanes of integers that each round adds something to, those of all channels of a column.
 */
typedef struct lanes_sum {
    uint32_t first;
    LLVMValueRef so_far; /* of one channel: a phi of the code, with as many lanes as rounds, */
    LLVMValueRef whole, part; /* and behind rounds of which all were there, or some */
} lanes_sum;

typedef struct sum {
    LLVMValueRef phi, next, slot; /* slot: where channels leave what it is */
    lanes_sum parts[VSG_EXE_MAX_CHANNELS];
    uint32_t num_parts;
} sum;

/* A phi behind the loop, and what it gets: a sum, or a series. */
typedef struct phi_behind {
    LLVMValueRef phi;
    const sum *sum; /* NULL: it is none */
    series is;
} phi_behind;

/* The code: a channel's row begins in `row`; `head` has as many rounds as are left, `whole`
 * some rounds, `rest` and `part` those that are fewer. */
struct vsg_jit_along {
    hoister *h;
    const vsg_jit_columns *columns;
    uint32_t num_channels, num_rounds;
    LLVMBasicBlockRef enter, row, head, whole, rest, part, next, behind_loop;
    LLVMBasicBlockRef in;             /* that rounds are made in */
    LLVMValueRef channel, all, round; /* phis, i64 */
    LLVMValueRef left, lanes;         /* in `head`; of a part: those that there are */
    LLVMValueRef rows[VSG_JIT_MOST_COLUMNS];
    made fixed[MOST_FIXED], values[MOST_VALUES];
    kept kept[MOST_FIXED];
    sum sums[MOST_SUMS];
    phi_behind behind[MOST_BEHIND];
    uint32_t num_fixed, num_values, num_kept, num_sums, num_behind, depth;
};

/* ---- what the loop does not change ------------------------------------------------------- */

static bool is_vector(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

static LLVMValueRef find(const made *list, uint32_t count, lane_of of)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i].from.value == of.value && list[i].from.first == of.first &&
            list[i].from.is_own == of.is_own)
            return list[i].to;
    return NULL;
}

/* Where the channel's element of a vector on the stack is. */
static LLVMValueRef place_of(vsg_jit_along *a, LLVMValueRef slot, uint32_t first,
                             uint32_t bytes)
{
    vsg_jit_emitter *e = a->h->e;
    LLVMValueRef at = LLVMBuildMul(e->b, a->channel, vsg_jit_i64(e, bytes), "");

    at = LLVMBuildAdd(e->b, at, vsg_jit_i64(e, (uint64_t)first * bytes), "");
    return LLVMBuildGEP2(e->b, e->i8, slot, &at, 1, "");
}

static uint32_t bytes_of(LLVMTypeRef element)
{
    return (vsg_jit_lane_bits(element) + 7) / 8;
}

/* Where a vector is kept; NULL: there are too many. */
static LLVMValueRef slot_of(vsg_jit_along *a, LLVMValueRef vector)
{
    vsg_jit_emitter *e = a->h->e;
    uint32_t bytes = bytes_of(vsg_jit_lane_type(vector));

    for (uint32_t i = 0; i < a->num_kept; i++)
        if (a->kept[i].vector == vector)
            return a->kept[i].slot;
    if (a->num_kept == MOST_FIXED)
        return NULL;
    LLVMValueRef slot = vsg_jit_take_stack(a->h, LLVMGetVectorSize(LLVMTypeOf(vector)) * bytes);
    LLVMPositionBuilderAtEnd(e->b, a->enter);
    LLVMValueRef lanes = vector;
    if (vsg_jit_lane_type(vector) == e->i1)
        lanes = LLVMBuildZExt(e->b, vector,
                              vsg_jit_int(e, 8, LLVMGetVectorSize(LLVMTypeOf(vector))), "");
    vsg_jit_store(e, lanes, slot, bytes);
    a->kept[a->num_kept++] = (kept){vector, slot};
    return slot;
}

/* The same in all rounds; made where a row begins. */
static LLVMValueRef take_lane(vsg_jit_along *a, lane_of of)
{
    vsg_jit_emitter *e = a->h->e;
    LLVMTypeRef element = vsg_jit_lane_type(of.value);
    LLVMValueRef slot = NULL, same = NULL;

    if (is_vector(of.value) && LLVMIsConstant(of.value))
        same = vsg_jit_lane_of_constant(of.value);
    if (same)
        return same;
    if (is_vector(of.value) && of.is_own && !(slot = slot_of(a, of.value)))
        return NULL;
    LLVMPositionBuilderAtEnd(e->b, a->row);
    if (!is_vector(of.value))
        return of.value;
    if (!of.is_own)
        return LLVMBuildExtractElement(e->b, of.value, vsg_jit_i32(e, of.first), "");
    uint32_t bytes = bytes_of(element);
    LLVMTypeRef type = element == e->i1 ? e->i8 : element;
    LLVMValueRef lane = vsg_jit_load(e, type, place_of(a, slot, of.first, bytes), bytes);
    return element == e->i1 ? LLVMBuildTrunc(e->b, lane, element, "") : lane;
}

static LLVMValueRef value_of_fixed(vsg_jit_along *a, lane_of of)
{
    LLVMValueRef to = find(a->fixed, a->num_fixed, of);

    if (to || a->num_fixed == MOST_FIXED)
        return to;
    to = take_lane(a, of);
    if (!to)
        return NULL;
    to = vsg_jit_splat(a->h->e, to, a->num_rounds);
    a->fixed[a->num_fixed++] = (made){of, to};
    LLVMPositionBuilderAtEnd(a->h->e->b, a->in);
    return to;
}

/* ---- what rounds make -------------------------------------------------------------------- */

static LLVMValueRef value_of(vsg_jit_along *a, lane_of of);

static bool find_series(vsg_jit_along *a, LLVMValueRef v, series *out)
{
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind ||
        !vsg_jit_is_lane(LLVMTypeOf(v)))
        return false;
    LLVMPositionBuilderAtEnd(a->h->e->b, a->h->decide);
    bool good = vsg_jit_find_series(a->h, v, out);
    LLVMPositionBuilderAtEnd(a->h->e->b, a->in);
    return good;
}

/* start + step * round, as far as its bits go. */
static LLVMValueRef series_at(vsg_jit_along *a, const series *is, LLVMValueRef round)
{
    LLVMBuilderRef b = a->h->e->b;
    LLVMTypeRef type = LLVMTypeOf(is->start);

    if (!is->step)
        return is->start;
    if (LLVMGetIntTypeWidth(type) < 64)
        round = LLVMBuildTrunc(b, round, type, "");
    return LLVMBuildAdd(b, is->start, LLVMBuildMul(b, round, is->step, ""), "");
}

static LLVMValueRef value_of_series(vsg_jit_along *a, LLVMValueRef v)
{
    LLVMBuilderRef b = a->h->e->b;
    LLVMValueRef numbers[MOST_ROUNDS];
    series is;

    if (!find_series(a, v, &is))
        return NULL;
    LLVMValueRef first = vsg_jit_splat(a->h->e, series_at(a, &is, a->round), a->num_rounds);
    if (!is.step)
        return first;
    for (uint32_t i = 0; i < a->num_rounds; i++)
        numbers[i] = LLVMConstInt(LLVMTypeOf(is.start), i, false);
    LLVMValueRef more = LLVMBuildMul(b, vsg_jit_splat(a->h->e, is.step, a->num_rounds),
                                     LLVMConstVector(numbers, a->num_rounds), "");
    return LLVMBuildAdd(b, first, more, "");
}

static LLVMValueRef load_row(vsg_jit_along *a, LLVMTypeRef element, LLVMValueRef at)
{
    vsg_jit_emitter *e = a->h->e;
    LLVMTypeRef type = LLVMVectorType(element, a->num_rounds);

    at = LLVMBuildIntToPtr(e->b, at, e->pointer, "");
    return a->lanes ? vsg_jit_load_lanes(e, type, at, a->lanes) : vsg_jit_load(e, type, at, 1);
}

/* A load that is the same for all channels: along memory, or always the same. */
static LLVMValueRef value_of_load(vsg_jit_along *a, LLVMValueRef load)
{
    LLVMValueRef place = vsg_jit_value_in_copy(a->h, a->columns, LLVMGetOperand(load, 0));
    uint32_t bytes = bytes_of(LLVMTypeOf(load));
    series is;

    if (find_series(a, load, &is) && !is.step)
        return vsg_jit_splat(a->h->e, is.start, a->num_rounds);
    if (LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic ||
        vsg_jit_lane_bits(LLVMTypeOf(load)) != 8 * bytes || !LLVMIsAIntToPtrInst(place) ||
        !find_series(a, LLVMGetOperand(place, 0), &is) ||
        is.step != vsg_jit_i64(a->h->e, bytes))
        return NULL;
    return load_row(a, LLVMTypeOf(load), series_at(a, &is, a->round));
}

/* Where a row goes on in the rounds in hand. */
static LLVMValueRef along(vsg_jit_along *a, uint32_t number)
{
    LLVMBuilderRef b = a->h->e->b;
    LLVMValueRef bytes = vsg_jit_i64(a->h->e, a->columns->list[number].bytes);

    return LLVMBuildAdd(b, a->rows[number], LLVMBuildMul(b, a->round, bytes, ""), "");
}

static LLVMValueRef value_of_column(vsg_jit_along *a, lane_of of)
{
    for (uint32_t i = 0; i < a->columns->count; i++) {
        const column *c = &a->columns->list[i];
        if (c->access == of.value && of.is_own && of.first == 0)
            return load_row(a, vsg_jit_lane_type(of.value), along(a, i));
    }
    return NULL;
}

/* Where a lane comes from, through shuffles and phis that have nothing else. False: it is
 * undefined, or that is too far. */
static bool trace_lane(const vsg_jit_along *a, LLVMValueRef *v, uint32_t *lane)
{
    for (uint32_t i = 0; i < VSG_JIT_MOST_DEPTH; i++) {
        *v = vsg_jit_value_in_copy(a->h, a->columns, *v);
        if (!vsg_jit_mapped(&a->h->own, *v) ||
            LLVMGetInstructionOpcode(*v) != LLVMShuffleVector)
            return true;
        uint32_t width = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(*v, 0)));
        int from = LLVMGetMaskValue(*v, *lane);
        if (from < 0)
            return false;
        *v = LLVMGetOperand(*v, (uint32_t)from >= width);
        *lane = (uint32_t)from >= width ? (uint32_t)from - width : (uint32_t)from;
    }
    return false;
}

/* Which lanes of which one vector all channels' are. False: they are of several, or in no
 * order. */
static bool look_through(const vsg_jit_along *a, lane_of *of)
{
    const lane_of first = *of;
    bool is_same = true, is_next = true;

    for (uint32_t i = 0; i < (first.is_own ? a->num_channels : 1); i++) {
        lane_of own = {first.value, first.first + i, false};
        if (!trace_lane(a, &own.value, &own.first))
            return false;
        if (i == 0)
            *of = own;
        is_same = is_same && own.first == of->first;
        is_next = is_next && own.first == of->first + i;
        if (own.value != of->value || (!is_same && !is_next))
            return false;
    }
    of->is_own = !is_same;
    return true;
}

/* A lane of a vector that has been put into it. */
static LLVMValueRef value_put_in(vsg_jit_along *a, lane_of of)
{
    LLVMValueRef number = LLVMGetOperand(of.value, 2);

    if (of.is_own || !LLVMIsAConstantInt(number))
        return NULL;
    if (LLVMConstIntGetZExtValue(number) == of.first)
        return value_of(a, (lane_of){.value = LLVMGetOperand(of.value, 1)});
    of.value = LLVMGetOperand(of.value, 0);
    return value_of(a, of);
}

static LLVMValueRef value_of_result(vsg_jit_along *a, lane_of of)
{
    LLVMValueRef operands[VSG_JIT_MOST_LANE_OPERANDS];
    uint32_t count = vsg_jit_lane_operands(of.value);

    for (uint32_t i = 0; i < count; i++) {
        lane_of operand = {LLVMGetOperand(of.value, i), of.first, of.is_own};
        if (is_vector(operand.value) != is_vector(of.value) ||
            (is_vector(of.value) && LLVMGetVectorSize(LLVMTypeOf(operand.value)) !=
                                        LLVMGetVectorSize(LLVMTypeOf(of.value))) ||
            !(operands[i] = value_of(a, operand)))
            return NULL;
    }
    return count > 0 ? vsg_jit_do_again(a->h->e, of.value, operands, a->num_rounds) : NULL;
}

static LLVMValueRef value_of_instruction(vsg_jit_along *a, lane_of of)
{
    LLVMValueRef number;
    lane_of from;

    switch (LLVMGetInstructionOpcode(of.value)) {
    case LLVMPHI:
    case LLVMShuffleVector:
        from = of;
        if (is_vector(of.value) && !look_through(a, &from))
            return NULL;
        if (!is_vector(of.value))
            from.value = vsg_jit_value_in_copy(a->h, a->columns, of.value);
        return from.value == of.value ? value_of_series(a, of.value) : value_of(a, from);
    case LLVMLoad:
        return is_vector(of.value) ? NULL : value_of_load(a, of.value);
    case LLVMInsertElement:
        return value_put_in(a, of);
    case LLVMExtractElement:
        number = LLVMGetOperand(of.value, 1);
        if (!LLVMIsAConstantInt(number))
            return NULL;
        return value_of(a, (lane_of){LLVMGetOperand(of.value, 0),
                                     (uint32_t)LLVMConstIntGetZExtValue(number), false});
    case LLVMCall:
        if (vsg_jit_is_of_columns(of.value))
            return value_of_column(a, of);
        return value_of_result(a, of);
    default:
        return value_of_result(a, of);
    }
}

/* What channels have of a value, in each of the rounds in hand. NULL: that cannot be said. */
static LLVMValueRef value_of(vsg_jit_along *a, lane_of of)
{
    LLVMValueRef to;

    if (!vsg_jit_is_lane(vsg_jit_lane_type(of.value)))
        return NULL;
    if (!is_vector(of.value))
        of = (lane_of){.value = of.value};
    if (!vsg_jit_mapped(&a->h->own, of.value))
        return value_of_fixed(a, of);
    to = find(a->values, a->num_values, of);
    if (to || a->depth == VSG_JIT_MOST_DEPTH)
        return to;
    a->depth++;
    to = value_of_instruction(a, of);
    a->depth--;
    if (to && a->num_values == MOST_VALUES)
        return NULL;
    if (to)
        a->values[a->num_values++] = (made){of, to};
    return to;
}

/* ---- sums -------------------------------------------------------------------------------- */

/* What a sum may be. */
typedef struct operation {
    LLVMOpcode op;
    const char *reduce;
} operation;

static const operation operations[] = {{LLVMAdd, "llvm.vector.reduce.add"},
                                       {LLVMOr, "llvm.vector.reduce.or"},
                                       {LLVMXor, "llvm.vector.reduce.xor"}};

static const operation *operation_of(LLVMValueRef v)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == operations[i].op)
            return &operations[i];
    return NULL;
}

/* Is a value used in the loop by no more than one other? */
static bool is_used_by(const vsg_jit_along *a, LLVMValueRef v, LLVMValueRef user)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (LLVMGetUser(use) != user && vsg_jit_mapped(&a->h->own, LLVMGetUser(use)))
            return false;
    return true;
}

static bool find_sum(vsg_jit_along *a, LLVMValueRef phi)
{
    LLVMValueRef next = vsg_jit_coming_back(a->h, phi);

    if (a->num_sums == MOST_SUMS || !is_vector(phi) ||
        !vsg_jit_is_lane(vsg_jit_lane_type(phi)) ||
        LLVMGetVectorSize(LLVMTypeOf(phi)) % a->num_channels != 0 || !next ||
        !vsg_jit_mapped(&a->h->own, next) || !operation_of(next) ||
        LLVMGetOperand(next, 0) == LLVMGetOperand(next, 1) ||
        (LLVMGetOperand(next, 0) != phi && LLVMGetOperand(next, 1) != phi) ||
        !is_used_by(a, phi, next) || !is_used_by(a, next, phi))
        return false;
    sum *s = &a->sums[a->num_sums++];
    *s = (sum){.phi = phi, .next = next};
    s->num_parts = LLVMGetVectorSize(LLVMTypeOf(phi)) / a->num_channels;
    for (uint32_t i = 0; i < s->num_parts; i++)
        s->parts[i].first = i * a->num_channels;
    return true;
}

static const sum *sum_with(const vsg_jit_along *a, LLVMValueRef next)
{
    for (uint32_t i = 0; i < a->num_sums; i++)
        if (a->sums[i].next == next)
            return &a->sums[i];
    return NULL;
}

static bool find_behind(vsg_jit_along *a)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(a->columns->exit);
    bool is_first =
        !vsg_jit_is_mapped(&a->h->own, LLVMBasicBlockAsValue(LLVMGetSuccessor(last, 0)));

    a->behind_loop = LLVMGetSuccessor(last, is_first ? 0 : 1);
    for (LLVMValueRef phi = vsg_jit_first_phi(a->behind_loop); phi;
         phi = vsg_jit_next_phi(phi)) {
        phi_behind one = {.phi = phi};
        LLVMValueRef value = vsg_jit_coming_from(phi, a->columns->exit);
        if (a->num_behind == MOST_BEHIND || !value)
            return false;
        bool is_own = vsg_jit_mapped(&a->h->own, value);
        one.sum = sum_with(a, value);
        if (!one.sum && is_own && !find_series(a, value, &one.is))
            return false;
        if (!is_own)
            one.is = (series){.start = value};
        a->behind[a->num_behind++] = one;
    }
    return true;
}

static void find_sums(vsg_jit_along *a)
{
    for (uint32_t i = 0; i < a->h->num_phis; i++)
        (void)find_sum(a, a->h->phis[i]);
}

static bool add_up(vsg_jit_along *a)
{
    LLVMBuilderRef b = a->h->e->b;

    for (uint32_t i = 0; i < a->num_sums; i++) {
        sum *s = &a->sums[i];
        LLVMValueRef of = LLVMGetOperand(s->next, LLVMGetOperand(s->next, 0) == s->phi);
        for (uint32_t n = 0; n < s->num_parts; n++) {
            lanes_sum *p = &s->parts[n];
            LLVMValueRef x = value_of(a, (lane_of){of, p->first, true});
            if (!x)
                return false;
            if (a->lanes)
                x = LLVMBuildSelect(b, a->lanes, x, LLVMConstNull(LLVMTypeOf(x)), "");
            x = LLVMBuildBinOp(b, operation_of(s->next)->op, p->so_far, x, "");
            *(a->lanes ? &p->part : &p->whole) = x;
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
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMCall:
        return vsg_jit_mark_of(a->h->e, v) >= 0 || vsg_jit_lane_operands(v) > 0 ||
               (!is_behind && vsg_jit_is_of_columns(v));
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return false;
    default:
        return !is_behind || !sum_with(a, v);
    }
}

static void put_row(vsg_jit_along *a, uint32_t number, LLVMValueRef value)
{
    vsg_jit_emitter *e = a->h->e;
    LLVMValueRef at = LLVMBuildIntToPtr(e->b, along(a, number), e->pointer, "");
    LLVMTypeRef types[] = {LLVMTypeOf(value), e->pointer};
    LLVMValueRef args[] = {value, at, vsg_jit_i32(e, 1), a->lanes};

    if (a->lanes)
        (void)vsg_jit_overloaded(e, "llvm.masked.store", types, 2, args, 4);
    else
        vsg_jit_store(e, value, at, 1);
}

/* If it is a column's load or store: rounds come to them in this order. */
static bool make_accesses(vsg_jit_along *a, LLVMValueRef v)
{
    for (uint32_t i = 0; i < a->columns->count; i++) {
        const column *c = &a->columns->list[i];
        if (c->access != v)
            continue;
        LLVMValueRef of = c->is_put ? LLVMGetOperand(v, VSG_JIT_PUT_VALUE) : v;
        LLVMValueRef value = value_of(a, (lane_of){of, 0, true});
        if (!value)
            return false;
        if (c->is_put)
            put_row(a, i, value);
    }
    return true;
}

/* Some rounds, in `in`; lanes: as in vsg_jit_along. */
static bool make_rounds(vsg_jit_along *a, LLVMBasicBlockRef in, LLVMValueRef lanes)
{
    bool good = true, is_behind = false;

    a->in = in;
    a->lanes = lanes;
    a->num_values = 0;
    LLVMPositionBuilderAtEnd(a->h->e->b, in);
    for (uint32_t i = 0; i < a->columns->num_blocks && good; i++) {
        LLVMBasicBlockRef block = a->columns->blocks[i];
        for (LLVMValueRef v = LLVMGetFirstInstruction(block); v && good;
             v = LLVMGetNextInstruction(v))
            good = may_be_made(a, v, is_behind) && make_accesses(a, v);
        is_behind |= block == a->columns->exit;
    }
    return good && add_up(a);
}

static LLVMBasicBlockRef append_block(const vsg_jit_along *a)
{
    return LLVMAppendBasicBlockInContext(a->h->e->context,
                                         LLVMGetBasicBlockParent(a->h->decide), "");
}

static void begin_row(vsg_jit_along *a)
{
    vsg_jit_emitter *e = a->h->e;

    LLVMPositionBuilderAtEnd(e->b, a->row);
    a->channel = LLVMBuildPhi(e->b, e->i64, "");
    a->all = LLVMBuildPhi(e->b, e->i64, "");
    for (uint32_t i = 0; i < a->columns->count; i++) {
        LLVMValueRef rows = a->columns->list[i].rows;
        LLVMValueRef slot =
            vsg_jit_take_stack(a->h, a->num_channels * (uint32_t)sizeof(uint64_t));
        LLVMPositionBuilderAtEnd(e->b, a->enter);
        vsg_jit_store(e, rows, slot, sizeof(uint64_t));
        LLVMPositionBuilderAtEnd(e->b, a->row);
        a->rows[i] =
            vsg_jit_load(e, e->i64, place_of(a, slot, 0, sizeof(uint64_t)), sizeof(uint64_t));
    }
}

static void begin_head(vsg_jit_along *a)
{
    vsg_jit_emitter *e = a->h->e;

    LLVMPositionBuilderAtEnd(e->b, a->head);
    a->round = LLVMBuildPhi(e->b, e->i64, "");
    for (uint32_t i = 0; i < a->num_sums; i++)
        for (uint32_t n = 0; n < a->sums[i].num_parts; n++)
            a->sums[i].parts[n].so_far = LLVMBuildPhi(
                e->b, LLVMVectorType(vsg_jit_lane_type(a->sums[i].phi), a->num_rounds), "");
    a->left = LLVMBuildSub(e->b, a->all, a->round, "");
}

static bool make_code(vsg_jit_along *a)
{
    vsg_jit_emitter *e = a->h->e;

    a->enter = append_block(a);
    a->row = append_block(a);
    a->head = append_block(a);
    a->whole = append_block(a);
    a->rest = append_block(a);
    a->part = append_block(a);
    a->next = append_block(a);
    begin_row(a);
    begin_head(a);
    LLVMPositionBuilderAtEnd(e->b, a->part);
    LLVMValueRef lanes = vsg_jit_lanes_left(e, a->left, a->num_rounds);
    return make_rounds(a, a->whole, NULL) && make_rounds(a, a->part, lanes);
}

/* Have all columns the same channels? And how many rounds are taken at once. */
static bool count_rounds(vsg_jit_along *a)
{
    a->num_channels = a->columns->list[0].count;
    for (uint32_t i = 0; i < a->columns->count; i++) {
        const column *c = &a->columns->list[i];
        uint32_t most = ROW_BYTES / c->bytes;
        if (c->count != a->num_channels)
            return false;
        if (most > a->num_rounds)
            a->num_rounds = most < MOST_ROUNDS ? most : MOST_ROUNDS;
    }
    return true;
}

static bool is_any_made(const vsg_jit_along *a)
{
    bool puts = a->num_sums > 0;

    for (uint32_t i = 0; i < a->columns->count; i++)
        puts |= a->columns->list[i].is_put;
    return puts;
}

vsg_jit_along *vsg_jit_make_along(hoister *h, const vsg_jit_columns *columns)
{
    uint32_t num_known = h->num_known, num_bounds = h->num_bounds;
    vsg_jit_along *a = columns->count > 0 && columns->exit
                           ? vsg_base_arena_new(&h->e->arena, 1, sizeof *a)
                           : NULL;

    if (!a)
        return NULL;
    *a = (vsg_jit_along){.h = h, .columns = columns, .in = h->decide};
    if (count_rounds(a)) {
        find_sums(a);
        if (find_behind(a) && is_any_made(a)) {
            bool good = make_code(a);
            LLVMPositionBuilderAtEnd(h->e->b, h->decide);
            if (good)
                return a;
            vsg_jit_drop_along(a);
        }
    }
    h->num_known = num_known;
    h->num_bounds = num_bounds;
    return NULL;
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
    LLVMDeleteBasicBlock(a->head);
    LLVMDeleteBasicBlock(a->row);
    LLVMDeleteBasicBlock(a->enter);
}

/* ---- leading to it ----------------------------------------------------------------------- */

static void add_incoming(LLVMValueRef phi, LLVMValueRef first, LLVMBasicBlockRef before,
                         LLVMValueRef back, LLVMBasicBlockRef turn)
{
    LLVMAddIncoming(phi, (LLVMValueRef[]){first, back}, (LLVMBasicBlockRef[]){before, turn}, 2);
}

static LLVMValueRef begin_of(const vsg_jit_along *a, LLVMValueRef phi)
{
    uint32_t i = 0;

    while (a->h->phis[i] != phi)
        i++;
    return a->h->begin[i];
}

/* The builder is in `next`, where a row is over. */
static void close_sums(vsg_jit_along *a)
{
    LLVMBuilderRef b = a->h->e->b;

    for (uint32_t i = 0; i < a->num_sums; i++)
        for (uint32_t n = 0; n < a->sums[i].num_parts; n++) {
            lanes_sum *p = &a->sums[i].parts[n];
            LLVMTypeRef type = LLVMTypeOf(p->so_far);
            add_incoming(p->so_far, LLVMConstNull(type), a->row, p->whole, a->whole);
            LLVMValueRef all = LLVMBuildPhi(b, type, "");
            add_incoming(all, p->so_far, a->rest, p->part, a->part);
            p->whole = all;
        }
}

/* Sums of a row go to the stack. */
static void leave_sums(vsg_jit_along *a)
{
    vsg_jit_emitter *e = a->h->e;

    for (uint32_t i = 0; i < a->num_sums; i++) {
        sum *s = &a->sums[i];
        const operation *op = operation_of(s->next);
        uint32_t bytes = bytes_of(vsg_jit_lane_type(s->phi));
        for (uint32_t n = 0; n < s->num_parts; n++) {
            lanes_sum *p = &s->parts[n];
            LLVMValueRef at = place_of(a, s->slot, p->first, bytes);
            LLVMValueRef x =
                vsg_jit_intrinsic(e, op->reduce, LLVMTypeOf(p->whole), &p->whole, 1);
            LLVMValueRef before = vsg_jit_load(e, vsg_jit_lane_type(s->phi), at, bytes);
            vsg_jit_store(e, LLVMBuildBinOp(e->b, op->op, before, x, ""), at, bytes);
        }
    }
}

/* What the loop began with is where sums are added to. */
static void enter_sums(vsg_jit_along *a)
{
    for (uint32_t i = 0; i < a->num_sums; i++) {
        sum *s = &a->sums[i];
        uint32_t bytes = bytes_of(vsg_jit_lane_type(s->phi));
        s->slot = vsg_jit_take_stack(a->h, LLVMGetVectorSize(LLVMTypeOf(s->phi)) * bytes);
        vsg_jit_store(a->h->e, begin_of(a, s->phi), s->slot, bytes);
    }
}

/* The builder is where all rows are over. */
static void go_behind(vsg_jit_along *a, LLVMValueRef more)
{
    vsg_jit_emitter *e = a->h->e;
    LLVMBasicBlockRef over = LLVMGetInsertBlock(e->b);

    for (uint32_t i = 0; i < a->num_behind; i++) {
        const phi_behind *one = &a->behind[i];
        LLVMTypeRef type = LLVMTypeOf(one->phi);
        LLVMValueRef value =
            one->sum ? vsg_jit_load(e, type, one->sum->slot, bytes_of(LLVMGetElementType(type)))
                     : series_at(a, &one->is, more);
        LLVMAddIncoming(one->phi, &value, &over, 1);
    }
    LLVMBuildBr(e->b, a->behind_loop);
}

LLVMBasicBlockRef vsg_jit_lead_along(vsg_jit_along *a, LLVMValueRef more)
{
    vsg_jit_emitter *e = a->h->e;
    LLVMValueRef zero = vsg_jit_i64(e, 0), one = vsg_jit_i64(e, 1);
    LLVMValueRef some = vsg_jit_i64(e, a->num_rounds);
    LLVMBasicBlockRef over = append_block(a);

    LLVMPositionBuilderAtEnd(e->b, a->enter);
    LLVMValueRef all = LLVMBuildAdd(e->b, more, one, "");
    enter_sums(a);
    LLVMBuildBr(e->b, a->row);
    LLVMPositionBuilderAtEnd(e->b, a->row);
    LLVMBuildBr(e->b, a->head);
    LLVMPositionBuilderAtEnd(e->b, a->head);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntUGE, a->left, some, ""), a->whole,
                    a->rest);
    LLVMPositionBuilderAtEnd(e->b, a->whole);
    add_incoming(a->round, zero, a->row, LLVMBuildAdd(e->b, a->round, some, ""), a->whole);
    LLVMBuildBr(e->b, a->head);
    LLVMPositionBuilderAtEnd(e->b, a->rest);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, a->left, zero, ""), a->part, a->next);
    LLVMPositionBuilderAtEnd(e->b, a->part);
    LLVMBuildBr(e->b, a->next);
    LLVMPositionBuilderAtEnd(e->b, a->next);
    close_sums(a);
    leave_sums(a);
    LLVMValueRef next = LLVMBuildAdd(e->b, a->channel, one, "");
    add_incoming(a->channel, zero, a->enter, next, a->next);
    add_incoming(a->all, all, a->enter, a->all, a->next);
    LLVMBuildCondBr(e->b,
                    LLVMBuildICmp(e->b, LLVMIntULT, next, vsg_jit_i64(e, a->num_channels), ""),
                    a->row, over);
    LLVMPositionBuilderAtEnd(e->b, over);
    go_behind(a, more);
    return a->enter;
}
