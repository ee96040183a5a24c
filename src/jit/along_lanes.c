/* SPDX-License-Identifier: MIT */
#include "jit/along_lanes.h"

#include "jit/lane_operations.h"
#include "jit/lowering.h"
#include "jit/shuffle.h"

typedef vsg_jit_series series;
typedef vsg_jit_column column;

/* ---- what the loop does not change ------------------------------------------------------- */

static LLVMValueRef find(const vsg_jit_lane_made *list, uint32_t count, vsg_jit_lane_of of)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i].from.value == of.value && list[i].from.first == of.first &&
            list[i].from.is_own == of.is_own)
            return list[i].to;
    return NULL;
}

LLVMValueRef vsg_jit_along_place(vsg_jit_along_lanes *l, LLVMValueRef slot, uint32_t first,
                                 uint32_t bytes)
{
    vsg_jit_emitter *e = l->h->e;
    LLVMValueRef at = LLVMBuildMul(e->b, l->channel, vsg_jit_i64(e, bytes), "");

    at = LLVMBuildAdd(e->b, at, vsg_jit_i64(e, (uint64_t)first * bytes), "");
    return LLVMBuildGEP2(e->b, e->i8, slot, &at, 1, "");
}

uint32_t vsg_jit_along_bytes(LLVMTypeRef lane)
{
    return (vsg_jit_lane_bits(lane) + 7) / 8;
}

/* Where a vector is kept; NULL: there are too many, or lanes have no places. */
static LLVMValueRef slot_of(vsg_jit_along_lanes *l, LLVMValueRef vector)
{
    vsg_jit_emitter *e = l->h->e;
    LLVMTypeRef lane = vsg_jit_lane_type(vector);
    uint32_t bytes = vsg_jit_along_bytes(lane);

    for (uint32_t i = 0; i < l->num_kept; i++)
        if (l->kept[i].vector == vector)
            return l->kept[i].slot;
    if (l->num_kept == VSG_JIT_MOST_FIXED_ALONG ||
        (lane != e->i1 && vsg_jit_lane_bits(lane) != 8 * bytes))
        return NULL;
    LLVMValueRef slot = vsg_jit_take_stack(l->h, LLVMGetVectorSize(LLVMTypeOf(vector)) * bytes);
    LLVMPositionBuilderAtEnd(e->b, l->enter);
    LLVMValueRef lanes = vector;
    if (lane == e->i1)
        lanes = LLVMBuildZExt(e->b, vector,
                              vsg_jit_int(e, 8, LLVMGetVectorSize(LLVMTypeOf(vector))), "");
    vsg_jit_store(e, lanes, slot, bytes);
    l->kept[l->num_kept++] = (vsg_jit_lanes_kept){vector, slot};
    return slot;
}

/* The same in all rounds; made where a row begins. */
static LLVMValueRef take_lane(vsg_jit_along_lanes *l, vsg_jit_lane_of of)
{
    vsg_jit_emitter *e = l->h->e;
    LLVMTypeRef element = vsg_jit_lane_type(of.value);
    LLVMValueRef slot = NULL, same = NULL;

    if (vsg_jit_is_vector(of.value) && LLVMIsConstant(of.value))
        same = vsg_jit_lane_of_constant(of.value);
    if (same)
        return same;
    if (vsg_jit_is_vector(of.value) && of.is_own && !(slot = slot_of(l, of.value)))
        return NULL;
    LLVMPositionBuilderAtEnd(e->b, l->row);
    if (!vsg_jit_is_vector(of.value))
        return of.value;
    if (!of.is_own)
        return LLVMBuildExtractElement(e->b, of.value, vsg_jit_i32(e, of.first), "");
    uint32_t bytes = vsg_jit_along_bytes(element);
    LLVMTypeRef type = element == e->i1 ? e->i8 : element;
    LLVMValueRef lane =
        vsg_jit_load(e, type, vsg_jit_along_place(l, slot, of.first, bytes), bytes);
    return element == e->i1 ? LLVMBuildTrunc(e->b, lane, element, "") : lane;
}

static LLVMValueRef value_of_fixed(vsg_jit_along_lanes *l, vsg_jit_lane_of of)
{
    LLVMValueRef to = find(l->fixed, l->num_fixed, of);

    if (to || l->num_fixed == VSG_JIT_MOST_FIXED_ALONG)
        return to;
    to = take_lane(l, of);
    if (!to)
        return NULL;
    to = vsg_jit_splat(l->h->e, to, l->num);
    l->fixed[l->num_fixed++] = (vsg_jit_lane_made){of, to};
    LLVMPositionBuilderAtEnd(l->h->e->b, l->in);
    return to;
}

/* ---- what rounds make -------------------------------------------------------------------- */

bool vsg_jit_along_find_series(vsg_jit_along_lanes *l, LLVMValueRef v, series *out)
{
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind ||
        !vsg_jit_is_lane(LLVMTypeOf(v)))
        return false;
    LLVMPositionBuilderAtEnd(l->h->e->b, l->h->decide);
    bool good = vsg_jit_find_series(l->h, v, out);
    LLVMPositionBuilderAtEnd(l->h->e->b, l->in);
    return good;
}

/* first + step * round of each lane. */
static LLVMValueRef count_on(vsg_jit_along_lanes *l, LLVMValueRef first, LLVMValueRef step)
{
    LLVMBuilderRef b = l->h->e->b;
    LLVMTypeRef type = LLVMTypeOf(step);
    LLVMValueRef numbers[VSG_JIT_MOST_ALONG], round = l->round;

    for (uint32_t i = 0; i < l->num; i++)
        numbers[i] = LLVMConstInt(type, i, false);
    if (LLVMGetIntTypeWidth(type) < 64)
        round = LLVMBuildTrunc(b, round, type, "");
    round = LLVMBuildAdd(b, vsg_jit_splat(l->h->e, round, l->num),
                         LLVMConstVector(numbers, l->num), "");
    round = LLVMBuildMul(b, round, vsg_jit_splat(l->h->e, step, l->num), "");
    return LLVMBuildAdd(b, first, round, "");
}

static LLVMValueRef value_of_series(vsg_jit_along_lanes *l, LLVMValueRef v)
{
    series is;

    if (!vsg_jit_along_find_series(l, v, &is))
        return NULL;
    LLVMValueRef first = vsg_jit_splat(l->h->e, is.start, l->num);
    return is.step ? count_on(l, first, is.step) : first;
}

static LLVMValueRef value_at_begin(vsg_jit_along_lanes *l, vsg_jit_lane_of phi)
{
    LLVMValueRef begin = vsg_jit_begin_of(l->h, phi.value);

    return begin ? value_of_fixed(l, (vsg_jit_lane_of){begin, phi.first, phi.is_own}) : NULL;
}

/* A number of each channel that grows by the same. */
static LLVMValueRef value_of_counter(vsg_jit_along_lanes *l, vsg_jit_lane_of of)
{
    LLVMValueRef back = vsg_jit_coming_back(l->h, of.value), step = NULL;

    if (!of.is_own || !back || !vsg_jit_mapped(&l->h->own, back) ||
        LLVMGetInstructionOpcode(back) != LLVMAdd || LLVMGetOperand(back, 0) != of.value)
        return NULL;
    if (LLVMIsConstant(LLVMGetOperand(back, 1)))
        step = vsg_jit_lane_of_constant(LLVMGetOperand(back, 1));
    LLVMValueRef first = step ? value_at_begin(l, of) : NULL;
    return first ? count_on(l, first, step) : NULL;
}

/* NULL: there are too many, or one is made of itself. */
static vsg_jit_lanes_carried *carry(vsg_jit_along_lanes *l, vsg_jit_lane_of of)
{
    vsg_jit_lanes_carried *c = l->carried;

    while (
        c < l->carried + l->num_carried &&
        (c->from.value != of.value || c->from.first != of.first || c->from.is_own != of.is_own))
        c++;
    if (c < l->carried + l->num_carried)
        return c->is_in_hand ? NULL : c;
    LLVMValueRef begin =
        l->num_carried < VSG_JIT_MOST_CARRIED_ALONG ? value_at_begin(l, of) : NULL;
    if (!begin)
        return NULL;
    LLVMPositionBuilder(l->h->e->b, l->head, LLVMGetFirstInstruction(l->head));
    *c = (vsg_jit_lanes_carried){
        .from = of, .begin = begin, .phi = LLVMBuildPhi(l->h->e->b, LLVMTypeOf(begin), "")};
    LLVMPositionBuilderAtEnd(l->h->e->b, l->in);
    l->num_carried++;
    return c;
}

/* A phi of the loop's header: what the round before made. */
static LLVMValueRef value_of_before(vsg_jit_along_lanes *l, vsg_jit_lane_of of)
{
    LLVMValueRef back = vsg_jit_coming_back(l->h, of.value), places[VSG_JIT_MOST_ALONG];
    vsg_jit_lanes_carried *c = back && vsg_jit_mapped(&l->h->own, back) ? carry(l, of) : NULL;

    if (!c)
        return NULL;
    c->is_in_hand = true;
    LLVMValueRef next = vsg_jit_along_value(l, (vsg_jit_lane_of){back, of.first, of.is_own});
    c->is_in_hand = false;
    if (!next)
        return NULL;
    if (!l->mask)
        c->next = next;
    for (uint32_t i = 0; i < l->num; i++)
        places[i] = vsg_jit_i32(l->h->e, l->num - 1 + i);
    return LLVMBuildShuffleVector(l->h->e->b, c->phi, next, LLVMConstVector(places, l->num),
                                  "");
}

/* What channels have of a vector in the loop's header. */
static LLVMValueRef value_of_vector_phi(vsg_jit_along_lanes *l, vsg_jit_lane_of of)
{
    LLVMValueRef counter = value_of_counter(l, of);

    return counter ? counter : value_of_before(l, of);
}

static LLVMValueRef load_lanes(vsg_jit_along_lanes *l, LLVMTypeRef type, LLVMValueRef at,
                               LLVMValueRef mask)
{
    vsg_jit_emitter *e = l->h->e;

    at = LLVMBuildIntToPtr(e->b, at, e->pointer, "");
    return mask ? vsg_jit_load_lanes(e, type, at, mask) : vsg_jit_load(e, type, at, 1);
}

static LLVMValueRef load_row(vsg_jit_along_lanes *l, LLVMTypeRef element, LLVMValueRef at)
{
    return load_lanes(l, LLVMVectorType(element, l->num), at, l->mask);
}

/* A load that is the same for all channels: along memory, or always the same. */
static LLVMValueRef value_of_load(vsg_jit_along_lanes *l, LLVMValueRef load)
{
    LLVMValueRef place = vsg_jit_value_in_copy(l->h, l->columns, LLVMGetOperand(load, 0));
    uint32_t bytes = vsg_jit_along_bytes(LLVMTypeOf(load));
    series is;

    if (vsg_jit_along_find_series(l, load, &is) && !is.step)
        return vsg_jit_splat(l->h->e, is.start, l->num);
    if (!vsg_jit_is_plain_access(load) || vsg_jit_lane_bits(LLVMTypeOf(load)) != 8 * bytes ||
        !LLVMIsAIntToPtrInst(place) ||
        !vsg_jit_along_find_series(l, LLVMGetOperand(place, 0), &is) ||
        is.step != vsg_jit_i64(l->h->e, bytes))
        return NULL;
    return load_row(l, LLVMTypeOf(load), vsg_jit_series_at(l->h->e, &is, l->round));
}

/* Where a row goes on in the rounds in hand. */
static LLVMValueRef row_at(vsg_jit_along_lanes *l, uint32_t number)
{
    LLVMBuilderRef b = l->h->e->b;
    LLVMValueRef step = vsg_jit_i64(l->h->e, (uint64_t)l->columns->list[number].step);

    return LLVMBuildAdd(b, l->rows[number], LLVMBuildMul(b, l->round, step, ""), "");
}

static uint32_t gap_of(const column *c)
{
    return (uint32_t)c->step / c->bytes;
}

/* Of as many elements for each round as lie from one to the next, those that it has. NULL: all.
 */
static LLVMValueRef mask_of(vsg_jit_along_lanes *l, const column *c)
{
    vsg_jit_emitter *e = l->h->e;
    LLVMValueRef none = LLVMConstNull(LLVMVectorType(e->i1, l->num)),
                 lanes[VSG_JIT_MOST_IN_COLUMN];

    if (!l->mask && c->per_channel == gap_of(c))
        return NULL;
    for (uint32_t i = 0; i < gap_of(c); i++)
        lanes[i] = none;
    for (uint32_t i = 0; i < c->per_channel; i++)
        lanes[c->at[i] / c->bytes] = l->mask ? l->mask : LLVMConstNot(none);
    return vsg_jit_interleave(e, lanes, gap_of(c));
}

/* From the last round to the first. */
static LLVMValueRef load_back(vsg_jit_along_lanes *l, LLVMTypeRef type, LLVMValueRef at)
{
    vsg_jit_emitter *e = l->h->e;
    uint64_t way = (uint64_t)(l->num - 1) * vsg_jit_along_bytes(LLVMGetElementType(type));
    LLVMValueRef mask = l->mask ? vsg_jit_turn_round(e, l->mask) : NULL;

    at = LLVMBuildSub(e->b, at, vsg_jit_i64(e, way), "");
    return vsg_jit_turn_round(e, load_lanes(l, type, at, mask));
}

/* An element of a column: the first of each channel, the second, and so on. */
static LLVMValueRef load_element(vsg_jit_along_lanes *l, uint32_t number, uint32_t v)
{
    vsg_jit_emitter *e = l->h->e;
    const column *c = &l->columns->list[number];
    LLVMTypeRef type = vsg_jit_int(e, 8 * c->bytes, l->num);
    LLVMValueRef at = row_at(l, number);

    if (c->step < 0)
        return load_back(l, type, at);
    if (c->step == c->bytes)
        return load_row(l, LLVMGetElementType(type),
                        LLVMBuildAdd(e->b, at, vsg_jit_i64(e, c->at[v]), ""));
    LLVMTypeRef wide = vsg_jit_int(e, 8 * c->bytes, l->num * gap_of(c));
    LLVMValueRef all = load_lanes(l, wide, at, mask_of(l, c));
    return vsg_jit_take_lanes(e, all, c->at[v] / c->bytes, gap_of(c), l->num);
}

static LLVMValueRef value_of_column(vsg_jit_along_lanes *l, vsg_jit_lane_of of)
{
    for (uint32_t i = 0; i < l->columns->count; i++)
        if (l->columns->list[i].access == of.value && of.is_own &&
            of.first % l->num_channels == 0)
            return load_element(l, i, of.first / l->num_channels);
    return NULL;
}

bool vsg_jit_along_load(vsg_jit_along_lanes *l, uint32_t number)
{
    const column *c = &l->columns->list[number];

    for (uint32_t v = 0; v < c->per_channel; v++)
        if (!vsg_jit_along_value(l, (vsg_jit_lane_of){c->access, v * l->num_channels, true}))
            return false;
    return true;
}

bool vsg_jit_along_store(vsg_jit_along_lanes *l, uint32_t number)
{
    vsg_jit_emitter *e = l->h->e;
    const column *c = &l->columns->list[number];
    LLVMValueRef of = LLVMGetOperand(c->access, VSG_JIT_PUT_VALUE);
    LLVMValueRef lanes[VSG_JIT_MOST_IN_COLUMN], mask = mask_of(l, c);
    LLVMTypeRef type = vsg_jit_int(e, 8 * c->bytes, l->num);

    for (uint32_t i = 0; i < gap_of(c); i++)
        lanes[i] = LLVMGetPoison(type);
    for (uint32_t v = 0; v < c->per_channel; v++) {
        LLVMValueRef value =
            vsg_jit_along_value(l, (vsg_jit_lane_of){of, v * l->num_channels, true});
        if (!value)
            return false;
        lanes[c->at[v] / c->bytes] = value;
    }
    LLVMValueRef all = vsg_jit_interleave(e, lanes, gap_of(c));
    LLVMValueRef at = LLVMBuildIntToPtr(e->b, row_at(l, number), e->pointer, "");
    LLVMTypeRef types[] = {LLVMTypeOf(all), e->pointer};
    LLVMValueRef args[] = {all, at, vsg_jit_i32(e, 1), mask};
    if (mask)
        (void)vsg_jit_overloaded(e, "llvm.masked.store", types, 2, args, 4);
    else
        vsg_jit_store(e, all, at, 1);
    return true;
}

/* Where a lane comes from, through shuffles and phis that have nothing else. False: it is
 * undefined, or that is too far. */
static bool trace_lane(const vsg_jit_along_lanes *l, LLVMValueRef *v, uint32_t *lane)
{
    for (uint32_t i = 0; i < VSG_JIT_MOST_DEPTH; i++) {
        *v = vsg_jit_value_in_copy(l->h, l->columns, *v);
        if (!vsg_jit_mapped(&l->h->own, *v) ||
            LLVMGetInstructionOpcode(*v) != LLVMShuffleVector)
            return true;
        if (!vsg_jit_look_through(v, lane))
            return false;
    }
    return false;
}

/* Which lanes of which one vector all channels' are. False: they are of several, or in no
 * order. */
static bool look_through(const vsg_jit_along_lanes *l, vsg_jit_lane_of *of)
{
    const vsg_jit_lane_of first = *of;
    bool is_same = true, is_next = true;

    for (uint32_t i = 0; i < (first.is_own ? l->num_channels : 1); i++) {
        vsg_jit_lane_of own = {first.value, first.first + i, false};
        if (!trace_lane(l, &own.value, &own.first))
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
static LLVMValueRef value_put_in(vsg_jit_along_lanes *l, vsg_jit_lane_of of)
{
    LLVMValueRef number = LLVMGetOperand(of.value, 2);

    if (of.is_own || !LLVMIsAConstantInt(number))
        return NULL;
    if (LLVMConstIntGetZExtValue(number) == of.first)
        return vsg_jit_along_value(l, (vsg_jit_lane_of){.value = LLVMGetOperand(of.value, 1)});
    of.value = LLVMGetOperand(of.value, 0);
    return vsg_jit_along_value(l, of);
}

static LLVMValueRef value_of_result(vsg_jit_along_lanes *l, vsg_jit_lane_of of)
{
    LLVMValueRef operands[VSG_JIT_MOST_LANE_OPERANDS];
    uint32_t count = vsg_jit_lane_operands(of.value);

    for (uint32_t i = 0; i < count; i++) {
        vsg_jit_lane_of operand = {LLVMGetOperand(of.value, i), of.first, of.is_own};
        if (vsg_jit_is_vector(operand.value) != vsg_jit_is_vector(of.value) ||
            (vsg_jit_is_vector(of.value) && LLVMGetVectorSize(LLVMTypeOf(operand.value)) !=
                                                LLVMGetVectorSize(LLVMTypeOf(of.value))) ||
            !(operands[i] = vsg_jit_along_value(l, operand)))
            return NULL;
    }
    return count > 0 ? vsg_jit_do_again(l->h->e, of.value, operands, l->num) : NULL;
}

/* A bit of a mask that is the same in all rounds. */
static LLVMValueRef value_of_bits(vsg_jit_along_lanes *l, vsg_jit_lane_of of)
{
    LLVMValueRef bits;

    LLVMPositionBuilderAtEnd(l->h->e->b, l->h->decide);
    bool good = vsg_jit_find_constant(l->h, LLVMGetOperand(of.value, 0), &bits);
    if (good)
        of.value = LLVMBuildBitCast(l->h->e->b, bits, LLVMTypeOf(of.value), "");
    LLVMPositionBuilderAtEnd(l->h->e->b, l->in);
    return good ? value_of_fixed(l, of) : NULL;
}

static LLVMValueRef value_of_instruction(vsg_jit_along_lanes *l, vsg_jit_lane_of of)
{
    LLVMValueRef number;
    vsg_jit_lane_of from;

    switch (LLVMGetInstructionOpcode(of.value)) {
    case LLVMPHI:
    case LLVMShuffleVector:
        from = of;
        if (vsg_jit_is_vector(of.value) && !look_through(l, &from))
            return NULL;
        if (!vsg_jit_is_vector(of.value))
            from.value = vsg_jit_value_in_copy(l->h, l->columns, of.value);
        if (from.value != of.value)
            return vsg_jit_along_value(l, from);
        return vsg_jit_is_vector(of.value) ? value_of_vector_phi(l, of)
                                           : value_of_series(l, of.value);
    case LLVMLoad:
        return vsg_jit_is_vector(of.value) ? NULL : value_of_load(l, of.value);
    case LLVMInsertElement:
        return value_put_in(l, of);
    case LLVMExtractElement:
        number = LLVMGetOperand(of.value, 1);
        if (!LLVMIsAConstantInt(number))
            return NULL;
        return vsg_jit_along_value(
            l, (vsg_jit_lane_of){LLVMGetOperand(of.value, 0),
                                 (uint32_t)LLVMConstIntGetZExtValue(number), false});
    case LLVMBitCast:
        if (vsg_jit_is_vector(of.value) && !vsg_jit_is_vector(LLVMGetOperand(of.value, 0)))
            return value_of_bits(l, of);
        return value_of_result(l, of);
    case LLVMCall:
        if (vsg_jit_is_of_columns(of.value))
            return value_of_column(l, of);
        return value_of_result(l, of);
    default:
        return value_of_result(l, of);
    }
}

LLVMValueRef vsg_jit_along_value(vsg_jit_along_lanes *l, vsg_jit_lane_of of)
{
    LLVMValueRef to;

    if (!vsg_jit_is_lane(vsg_jit_lane_type(of.value)))
        return NULL;
    if (!vsg_jit_is_vector(of.value))
        of = (vsg_jit_lane_of){.value = of.value};
    if (!vsg_jit_mapped(&l->h->own, of.value))
        return value_of_fixed(l, of);
    to = find(l->made, l->num_made, of);
    if (to || l->depth == VSG_JIT_MOST_DEPTH)
        return to;
    l->depth++;
    to = value_of_instruction(l, of);
    l->depth--;
    if (to && l->num_made == VSG_JIT_MOST_VALUES_ALONG)
        return NULL;
    if (to)
        l->made[l->num_made++] = (vsg_jit_lane_made){of, to};
    return to;
}
