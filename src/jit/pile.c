/* SPDX-License-Identifier: MIT */
#include "jit/pile.h"

#include "jit/lowering.h"
#include "jit/marks.h"
#include "jit/shuffle.h"

typedef vsg_jit_pile pile;
typedef vsg_jit_loop_lane loop_lane;

/* ---- the calls --------------------------------------------------------------------------- */

enum {
    TOUCHES_NOTHING = 0,
    TOUCHES_NOTHING_HERE = 3 << 2,
    TOUCHES_WHAT_IT_IS_GIVEN = TOUCHES_NOTHING_HERE | 3
};

typedef enum call_kind { BEGIN, END, AGAIN, GIVE_32, GIVE_64, NUM_CALLS } call_kind;

enum { MOST_ARGS = 4 };

/* Operands: the pile's number, or that of its pass's first one; of the end where sums are, and
 * how many; of what is given the channel and the sum; of those that come again how many lanes
 * channels change beside sums of floats, and begin with. */
static const struct {
    const char *name;
    uint32_t num_args, memory;
} calls[NUM_CALLS] = {
    [BEGIN] = {"vsg.pile.begin", 1, TOUCHES_NOTHING_HERE},
    [END] = {"vsg.pile.end", 4, TOUCHES_WHAT_IT_IS_GIVEN},
    [AGAIN] = {"vsg.pile.again", 2, TOUCHES_NOTHING_HERE},
    [GIVE_32] = {"vsg.pile.give32", 3, TOUCHES_NOTHING},
    [GIVE_64] = {"vsg.pile.give64", 3, TOUCHES_NOTHING},
};

static bool is_given(call_kind kind)
{
    return kind == GIVE_32 || kind == GIVE_64;
}

static LLVMTypeRef signature_of(const vsg_jit_emitter *e, call_kind kind)
{
    LLVMTypeRef nothing = LLVMVoidTypeInContext(e->context);
    LLVMTypeRef results[NUM_CALLS] = {nothing, nothing, e->i32, e->i32, e->i64};
    LLVMTypeRef types[NUM_CALLS][MOST_ARGS] = {[BEGIN] = {e->i32},
                                               [END] = {e->i32, e->i32, e->pointer, e->i32},
                                               [AGAIN] = {e->i32, e->i32},
                                               [GIVE_32] = {e->i32, e->i32, e->i32},
                                               [GIVE_64] = {e->i32, e->i32, e->i64}};

    return LLVMFunctionType(results[kind], types[kind], calls[kind].num_args, false);
}

static LLVMValueRef function_of(const vsg_jit_emitter *e, call_kind kind)
{
    return LLVMGetNamedFunction(e->module, calls[kind].name);
}

static LLVMValueRef make_call(vsg_jit_emitter *e, call_kind kind, LLVMValueRef *args)
{
    LLVMValueRef function = function_of(e, kind);

    if (!function)
        function = vsg_jit_declare_placeholder(e, calls[kind].name, signature_of(e, kind),
                                               calls[kind].memory);
    return LLVMBuildCall2(e->b, signature_of(e, kind), function, args, calls[kind].num_args,
                          "");
}

/* ---- where code is emitted --------------------------------------------------------------- */

static bool is_of_part(const vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t part)
{
    return operand->kind == VSG_EXE_OPERAND_REGION && !operand->shared && !operand->is_null &&
           e->part_of[operand->offset] == part;
}

static bool adds_to(const vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t part)
{
    bool adds = false;

    if (!is_of_part(e, &inst->dst, part) ||
        (inst->dst.type != VISAGE_TYPE_F && inst->dst.type != VISAGE_TYPE_DF))
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++)
        adds |= is_of_part(e, &inst->src[s], part);
    return adds;
}

/* Does a loop add floats to what a lane has? */
static bool is_sum(const vsg_jit_emitter *e, const vsg_jit_loop *l, const vsg_jit_loop_pass *p,
                   const loop_lane *lane)
{
    if (!lane->is_written || lane->bytes != lane->stride ||
        (lane->bytes != 4 && lane->bytes != 8))
        return false;
    for (uint32_t i = l->start + 1; i < l->end; i++)
        if (p->roles[i - l->start] == VSG_JIT_ROLE_CHANNEL &&
            adds_to(e, &e->unit->code[i], lane->part))
            return true;
    return false;
}

void vsg_jit_begin_piles(vsg_jit_emitter *e, const vsg_jit_loop *l, vsg_jit_loop_pass *p)
{
    p->pile = 0;
    for (uint32_t n = 0; n < p->num_lanes; n++) {
        loop_lane *lane = &p->lanes[n];
        lane->pile = 0;
        if (!e->marks || !is_sum(e, l, p, lane))
            continue;
        lane->pile = ++e->num_piles;
        if (!p->pile)
            p->pile = lane->pile;
        LLVMValueRef number = vsg_jit_i32(e, lane->pile);
        (void)make_call(e, BEGIN, &number);
    }
}

LLVMValueRef vsg_jit_give_sum(vsg_jit_emitter *e, const loop_lane *lane, LLVMValueRef value,
                              LLVMValueRef channel)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeRef number = lane->bytes == 8 ? e->i64 : e->i32;
    LLVMValueRef args[] = {vsg_jit_i32(e, lane->pile), channel,
                           LLVMBuildBitCast(e->b, value, number, "")};

    value = make_call(e, lane->bytes == 8 ? GIVE_64 : GIVE_32, args);
    return LLVMBuildBitCast(e->b, value, type, "");
}

void vsg_jit_end_piles(vsg_jit_emitter *e, const vsg_jit_loop_pass *p,
                       LLVMValueRef (*sums_of)(vsg_jit_emitter *e, const loop_lane *lane))
{
    for (uint32_t n = 0; n < p->num_lanes; n++) {
        const loop_lane *lane = &p->lanes[n];
        if (!lane->pile)
            continue;
        LLVMValueRef args[] = {vsg_jit_i32(e, lane->pile), vsg_jit_i32(e, p->pile),
                               sums_of(e, lane), vsg_jit_i32(e, p->count)};
        (void)make_call(e, END, args);
    }
}

/* Lanes that channels change beside sums, and begin with when they come again. Those that begin
 * with the same each time are not to be mistaken for them: then there are none of either. */
static uint32_t count_changed(const vsg_jit_loop_pass *p)
{
    uint32_t count = 0;

    for (uint32_t n = 0; n < p->num_lanes; n++) {
        const loop_lane *lane = &p->lanes[n];
        if (lane->pile || !lane->is_read || !lane->is_written)
            continue;
        if (lane->before != lane->all)
            return UINT32_MAX;
        count++;
    }
    return count;
}

LLVMValueRef vsg_jit_come_again(vsg_jit_emitter *e, const vsg_jit_loop_pass *p)
{
    if (!p->pile)
        return NULL;
    LLVMValueRef args[] = {vsg_jit_i32(e, p->pile), vsg_jit_i32(e, count_changed(p))};
    return make_call(e, AGAIN, args);
}

/* ---- where rounds are taken abreast ------------------------------------------------------ */

static LLVMValueRef only_user(LLVMValueRef v)
{
    LLVMUseRef use = LLVMGetFirstUse(v);

    return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

static bool is_call_of(const vsg_jit_emitter *e, LLVMValueRef v, call_kind kind)
{
    LLVMValueRef function = function_of(e, kind);

    return function && LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMCall &&
           LLVMGetCalledValue(v) == function;
}

/* The one call of a kind that is of a pile. NULL: there are several. */
static LLVMValueRef only_call(const vsg_jit_emitter *e, call_kind kind, LLVMValueRef number)
{
    LLVMValueRef function = function_of(e, kind), found = NULL;

    for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (LLVMGetOperand(call, 0) != number)
            continue;
        if (found)
            return NULL;
        found = call;
    }
    return found;
}

bool vsg_jit_find_pile(const vsg_jit_emitter *e, LLVMValueRef phi, pile *out)
{
    LLVMTypeRef type = LLVMTypeOf(phi);
    bool is_double = type == LLVMDoubleTypeInContext(e->context);
    LLVMValueRef call = only_user(phi);
    call_kind kind = is_double ? GIVE_64 : GIVE_32;

    if (!is_double && type != LLVMFloatTypeInContext(e->context))
        return false;
    if (call && LLVMGetInstructionOpcode(call) == LLVMBitCast)
        call = only_user(call);
    if (!call || !is_call_of(e, call, kind))
        return false;
    LLVMValueRef number = LLVMGetOperand(call, 0);
    *out = (pile){.type = type,
                  .give = only_call(e, kind, number),
                  .begin = only_call(e, BEGIN, number),
                  .end = only_call(e, END, number)};
    if (out->give != call || !out->begin || !out->end)
        return false;
    out->again = only_call(e, AGAIN, LLVMGetOperand(out->end, 1));
    out->num_channels = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(out->end, 3));
    if (!out->again)
        return false;
    out->num_changed = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(out->again, 1));
    return true;
}

static LLVMValueRef take_slot(vsg_jit_hoister *h, const pile *p, LLVMTypeRef type)
{
    LLVMBasicBlockRef current = LLVMGetInsertBlock(h->e->b);
    LLVMValueRef slot = vsg_jit_take_stack(h, 8);

    LLVMPositionBuilderBefore(h->e->b, p->begin);
    vsg_jit_store(h->e, LLVMConstNull(type), slot, 8);
    LLVMPositionBuilderAtEnd(h->e->b, current);
    return slot;
}

vsg_jit_piles vsg_jit_open_piles(vsg_jit_hoister *h, const pile *p, uint32_t lanes)
{
    vsg_jit_emitter *e = h->e;
    LLVMBasicBlockRef current = LLVMGetInsertBlock(e->b);
    vsg_jit_piles all = {take_slot(h, p, e->i32), take_slot(h, p, e->i32),
                         take_slot(h, p, e->i64)};

    LLVMPositionBuilderBefore(e->b, p->again);
    LLVMValueRef again = vsg_jit_load(e, e->i32, all.again, 8);
    LLVMValueRef round = vsg_jit_load(e, e->i64, all.round, 8);
    vsg_jit_store(e, vsg_jit_i32(e, 0), all.again, 8);
    vsg_jit_store(e, vsg_jit_i32(e, 0), all.given, 8);
    vsg_jit_store(e, LLVMBuildAdd(e->b, round, vsg_jit_i64(e, lanes), ""), all.round, 8);
    vsg_jit_replace(p->again, again);
    LLVMPositionBuilderAtEnd(e->b, current);
    return all;
}

/* A pile and its rows: of each factor a slot. */
typedef struct pile_rows {
    const pile *of;
    LLVMTypeRef row;
    uint32_t lanes, num_factors;
    LLVMValueRef slots[VSG_JIT_MOST_FACTORS];
    vsg_jit_pile_next *next;
    void *data;
} pile_rows;

/* Where the row of a channel is, i32. */
static LLVMValueRef row_at(vsg_jit_emitter *e, const pile_rows *p, uint32_t factor,
                           LLVMValueRef channel)
{
    return LLVMBuildGEP2(e->b, p->row, p->slots[factor], &channel, 1, "");
}

/* The columns of channels from `first` on, as many as rows have lanes. */
static void load_columns(vsg_jit_emitter *e, const pile_rows *p, uint32_t factor,
                         uint32_t first, LLVMValueRef *columns)
{
    for (uint32_t i = 0; i < p->lanes; i++) {
        LLVMValueRef at = row_at(e, p, factor, vsg_jit_i32(e, first + i));
        columns[i] = first + i < p->of->num_channels ? vsg_jit_load(e, p->row, at, 8)
                                                     : LLVMGetPoison(p->row);
    }
    vsg_jit_transpose(e, columns, p->lanes);
}

/* Adds to the sums of channels from `first` on that have put rows onto the pile; given: i32. */
static void add_columns(vsg_jit_emitter *e, const pile_rows *p, uint32_t first,
                        LLVMValueRef given)
{
    LLVMValueRef columns[VSG_JIT_MOST_FACTORS][VSG_EXE_MAX_CHANNELS];
    uint32_t left = p->of->num_channels - first, count = left < p->lanes ? left : p->lanes;
    LLVMTypeRef type = LLVMVectorType(p->of->type, count);
    LLVMValueRef at = vsg_jit_i32(e, first);

    at = LLVMBuildGEP2(e->b, p->of->type, LLVMGetOperand(p->of->end, 2), &at, 1, "");
    LLVMValueRef before = vsg_jit_load(e, type, at, 4), sums = before;
    for (uint32_t f = 0; f < p->num_factors; f++)
        load_columns(e, p, f, first, columns[f]);
    for (uint32_t i = 0; i < p->lanes; i++) {
        LLVMValueRef factors[VSG_JIT_MOST_FACTORS];
        for (uint32_t f = 0; f < p->num_factors; f++)
            factors[f] = vsg_jit_take_lanes(e, columns[f][i], 0, 1, count);
        sums = p->next(p->data, sums, factors);
    }
    given = vsg_jit_lanes(e, LLVMBuildLShr(e->b, given, vsg_jit_i32(e, first), ""), count);
    vsg_jit_store(e, LLVMBuildSelect(e->b, given, sums, before, ""), at, 4);
}

void vsg_jit_put_on_pile(vsg_jit_hoister *h, const pile *p, const vsg_jit_piles *all,
                         const LLVMValueRef *rows, uint32_t num_factors,
                         vsg_jit_pile_next *next, void *data)
{
    enum { MOST_ROW_BYTES = 64 };
    vsg_jit_emitter *e = h->e;
    LLVMBasicBlockRef current = LLVMGetInsertBlock(e->b);
    pile_rows own = {.of = p,
                     .row = LLVMTypeOf(rows[0]),
                     .lanes = LLVMGetVectorSize(LLVMTypeOf(rows[0])),
                     .num_factors = num_factors,
                     .next = next,
                     .data = data};

    for (uint32_t f = 0; f < num_factors; f++) {
        own.slots[f] = vsg_jit_take_stack(h, p->num_channels * MOST_ROW_BYTES);
        vsg_jit_store(e, rows[f], row_at(e, &own, f, LLVMGetOperand(p->give, 1)), 8);
    }
    LLVMPositionBuilderBefore(e->b, p->end);
    LLVMValueRef given = vsg_jit_load(e, e->i32, all->given, 8);
    for (uint32_t first = 0; first < p->num_channels; first += own.lanes)
        add_columns(e, &own, first, given);
    LLVMPositionBuilderAtEnd(e->b, current);
}

static void note(vsg_jit_emitter *e, LLVMValueRef slot, LLVMValueRef bits)
{
    LLVMValueRef all = vsg_jit_load(e, e->i32, slot, 8);

    vsg_jit_store(e, LLVMBuildOr(e->b, all, bits, ""), slot, 8);
}

void vsg_jit_note_piles(vsg_jit_emitter *e, const pile *p, const vsg_jit_piles *all,
                        LLVMValueRef comes_again)
{
    LLVMValueRef channel = LLVMGetOperand(p->give, 1);
    LLVMValueRef bit = LLVMBuildShl(e->b, vsg_jit_i32(e, 1), channel, "");

    note(e, all->given, bit);
    note(e, all->again,
         LLVMBuildShl(e->b, LLVMBuildZExt(e->b, comes_again, e->i32, ""), channel, ""));
}

void vsg_jit_drop_piles(vsg_jit_emitter *e)
{
    for (uint32_t kind = 0; kind < NUM_CALLS; kind++) {
        LLVMValueRef function = function_of(e, (call_kind)kind);
        for (LLVMUseRef use; function && (use = LLVMGetFirstUse(function));) {
            LLVMValueRef call = LLVMGetUser(use);
            if (is_given((call_kind)kind))
                LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 2));
            else if (kind == AGAIN)
                LLVMReplaceAllUsesWith(call, vsg_jit_i32(e, 0));
            LLVMInstructionEraseFromParent(call);
        }
        if (function)
            LLVMDeleteFunction(function);
    }
}
