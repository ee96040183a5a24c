/* SPDX-License-Identifier: MIT
 *
 * The code of loops that channels run one after the other: a channel's rounds, all channels,
 * and what is done when they are through. */
#include "jit/loops.h"
#include "jit/marks.h"
#include "jit/pile.h"
#include "jit/rows.h"
#include "jit/transfer.h"
#include "jit/ways.h"

/* Rounds of which is kept who was where; stores that are put off. */
enum { MOST_ROUNDS = 1024, MOST_STORES = 1024 };

typedef vsg_jit_loop loop;
typedef vsg_jit_loop_pass pass;
typedef vsg_jit_loop_lane loop_lane;
typedef vsg_jit_loop_array loop_array;

/* ---- slots ------------------------------------------------------------------------------- */

static LLVMValueRef make_list(vsg_jit_emitter *e, LLVMTypeRef type, uint32_t count,
                              LLVMValueRef *known)
{
    if (!*known)
        *known = LLVMBuildAlloca(e->b, LLVMArrayType2(type, count), "");
    return *known;
}

/* What a loop keeps of its channels' ways and stores. Loops share the lists: they never run at
 * the same time. */
static void make_note_slots(vsg_jit_emitter *e, loop *l, loop *shared)
{
    if (l->has_skips) {
        l->visits = make_list(e, e->i64, MOST_ROUNDS, &shared->visits);
        l->visited = LLVMBuildAlloca(e->b, e->i64, "");
    }
    if (l->store) {
        uint32_t bits = 8 * e->unit->code[l->store].message->memory_bytes;
        l->places = make_list(e, e->pointer, MOST_STORES, &shared->places);
        l->num_places = LLVMBuildAlloca(e->b, e->i64, "");
        l->element = LLVMBuildAlloca(e->b, vsg_jit_int(e, bits, 1), "");
    }
    l->choice.is_dear = l->scratch.is_stored;
    if (l->is_tried)
        vsg_jit_make_choice_slots(e, &l->choice);
    vsg_jit_make_scratch_slots(e, &l->scratch, &shared->scratch.kept);
}

static LLVMValueRef make_slot(vsg_jit_emitter *e, LLVMTypeRef type)
{
    LLVMValueRef slot = LLVMBuildAlloca(e->b, type, "");

    LLVMSetAlignment(slot, 64);
    return slot;
}

/* The slot of all channels' values of a part, which passes share. */
static LLVMValueRef all_of(vsg_jit_emitter *e, const loop *l, const pass *p, uint32_t part)
{
    for (const pass *q = l->passes; q < p; q++)
        for (uint32_t n = 0; n < q->num_lanes; n++)
            if (q->lanes[n].part == part)
                return q->lanes[n].all;
    return make_slot(e, e->parts[part].type);
}

static void make_pass_slots(vsg_jit_emitter *e, const loop *l, pass *p)
{
    for (uint32_t n = 0; n < p->num_lanes; n++) {
        loop_lane *lane = &p->lanes[n];
        vsg_jit_part *own = &e->parts[lane->own];
        own->slot = make_slot(e, own->type);
        lane->all = lane->before = all_of(e, l, p, lane->part);
        if (lane->bytes > 0 && lane->stride == 0) /* each channel begins with the same */
            lane->before = make_slot(e, e->parts[lane->part].type);
    }
}

static void make_array_slots(vsg_jit_emitter *e, loop *l)
{
    for (uint32_t n = 0; n < l->num_arrays; n++) {
        loop_array *array = &l->arrays[n];
        if (array->is_written)
            array->kept = make_slot(e, LLVMArrayType2(e->i8, array->end - array->at));
    }
}

void vsg_jit_make_loop_slots(vsg_jit_emitter *e)
{
    loop shared = {0};

    for (uint32_t i = 0; e->loops && i < e->unit->num_code; i++) {
        loop *l = e->loops[i];
        if (!l)
            continue;
        for (uint32_t n = 0; n < l->num_passes; n++)
            make_pass_slots(e, l, &l->passes[n]);
        make_array_slots(e, l);
        l->bits = LLVMBuildAlloca(e->b, e->i32, "");
        l->tries = LLVMBuildAlloca(e->b, e->i32, "");
        l->gone = LLVMBuildAlloca(e->b, e->i32, "");
        l->staying = LLVMBuildAlloca(e->b, e->i32, "");
        l->rounds = LLVMBuildAlloca(e->b, e->i64, "");
        l->most_rounds = LLVMBuildAlloca(e->b, e->i64, "");
        l->all_rounds = LLVMBuildAlloca(e->b, e->i64, "");
        make_note_slots(e, l, &shared);
    }
}

/* ---- lanes ------------------------------------------------------------------------------- */

/* slot: of all channels' values. */
static LLVMValueRef place_in(vsg_jit_emitter *e, const loop_lane *lane, LLVMValueRef slot,
                             LLVMValueRef channel)
{
    LLVMValueRef at = LLVMBuildMul(e->b, LLVMBuildZExt(e->b, channel, e->i64, ""),
                                   vsg_jit_i64(e, lane->stride), "");

    at = LLVMBuildAdd(e->b, at, vsg_jit_i64(e, lane->at - e->parts[lane->part].at), "");
    return LLVMBuildGEP2(e->b, e->i8, slot, &at, 1, "");
}

/* channel: counted from the pass's first one; bit: from the first of all. */
static void take_lane(vsg_jit_emitter *e, const loop_lane *lane, LLVMValueRef channel,
                      LLVMValueRef bit)
{
    vsg_jit_part *own = &e->parts[lane->own];
    LLVMValueRef value = LLVMConstNull(own->type);

    if (lane->is_read && lane->bytes)
        value = vsg_jit_load(e, own->type, place_in(e, lane, lane->before, channel), 1);
    else if (lane->is_read)
        value = LLVMBuildLShr(e->b, vsg_jit_load(e, e->i32, lane->all, 4), bit, "");
    vsg_jit_store(e, value, own->slot, 1);
}

/* number: the channel's, from the first of all; for predicates. */
static void give_lane(vsg_jit_emitter *e, const loop_lane *lane, LLVMValueRef channel,
                      LLVMValueRef number)
{
    vsg_jit_part *own = &e->parts[lane->own];
    LLVMValueRef value = vsg_jit_load(e, own->type, own->slot, 1);

    if (!lane->is_written)
        return;
    if (lane->pile)
        value = vsg_jit_give_sum(e, lane, value, channel);
    if (lane->bytes) {
        vsg_jit_store(e, value, place_in(e, lane, lane->all, channel), 1);
        return;
    }
    LLVMValueRef bit = LLVMBuildShl(e->b, vsg_jit_i32(e, 1), number, "");
    LLVMValueRef old = vsg_jit_load(e, e->i32, lane->all, 4);
    value = LLVMBuildShl(e->b, LLVMBuildAnd(e->b, value, vsg_jit_i32(e, 1), ""), number, "");
    old = LLVMBuildAnd(e->b, old, LLVMBuildNot(e->b, bit, ""), "");
    vsg_jit_store(e, LLVMBuildOr(e->b, old, value, ""), lane->all, 4);
}

/* ---- all channels ------------------------------------------------------------------------ */

static void copy_lanes(vsg_jit_emitter *e, const pass *p, bool back)
{
    for (uint32_t n = 0; n < p->num_lanes; n++) {
        const loop_lane *lane = &p->lanes[n];
        const vsg_jit_part *part = &e->parts[lane->part];
        if (!back && (lane->is_read || lane->is_written)) {
            LLVMValueRef value = vsg_jit_load(e, part->type, part->slot, 64);
            vsg_jit_store(e, value, lane->all, 64);
            if (lane->before != lane->all)
                vsg_jit_store(e, value, lane->before, 64);
        } else if (back && lane->is_written) {
            vsg_jit_store(e, vsg_jit_load(e, part->type, lane->all, 64), part->slot, 64);
            vsg_jit_restore_row(e, lane->part, false);
        }
    }
}

static void copy_arrays(vsg_jit_emitter *e, const loop *l, bool back)
{
    for (uint32_t n = 0; n < l->num_arrays; n++) {
        const loop_array *array = &l->arrays[n];
        LLVMValueRef bytes = vsg_jit_i64(e, array->end - array->at);
        LLVMValueRef at = vsg_jit_at(e, e->registers, array->at);
        if (array->is_written)
            LLVMBuildMemCpy(e->b, back ? at : array->kept, 4, back ? array->kept : at, 4,
                            bytes);
    }
}

static LLVMValueRef sums_of(vsg_jit_emitter *e, const loop_lane *lane)
{
    return place_in(e, lane, lane->all, vsg_jit_i32(e, 0));
}

/* Keeps what channels change in place. */
static void keep_arrays(vsg_jit_emitter *e, const loop *l)
{
    copy_arrays(e, l, false);
    vsg_jit_keep_scratch(e, &l->scratch);
}

static void put_arrays_back(vsg_jit_emitter *e, const loop *l)
{
    copy_arrays(e, l, true);
    vsg_jit_put_scratch_back(e, &l->scratch);
}

/* How often a channel may go round before the budget is used up, or what is kept of rounds. */
static LLVMValueRef rounds_left(vsg_jit_emitter *e, const loop *l)
{
    LLVMValueRef done = LLVMBuildLoad2(e->b, e->i64, e->count, "");
    LLVMValueRef most = LLVMBuildLoad2(e->b, e->i64, e->budget, "");
    LLVMValueRef left = LLVMBuildSub(e->b, most, done, "");
    LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntUGE, done, most, "");

    left = LLVMBuildUDiv(e->b, LLVMBuildSelect(e->b, none, vsg_jit_i64(e, 0), left, ""),
                         vsg_jit_i64(e, l->end - l->start + 1), "");
    LLVMValueRef args[] = {left, vsg_jit_i64(e, MOST_ROUNDS)};
    return l->has_skips ? vsg_jit_intrinsic(e, "llvm.umin", e->i64, args, 2) : left;
}

static LLVMBasicBlockRef inner_at(const loop *l, uint32_t place)
{
    for (uint32_t i = 0; i < l->num_inner; i++)
        if (l->inner[i].place == place)
            return l->inner[i].block;
    return NULL;
}

/* ---- one channel's rounds ---------------------------------------------------------------- */

/* Notes that a channel is in a block, in this round. */
static void visit(vsg_jit_emitter *e, const loop *l, uint32_t inner)
{
    LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i64, l->visited, "");

    bits = LLVMBuildOr(e->b, bits, vsg_jit_i64(e, UINT64_C(1) << inner), "");
    LLVMBuildStore(e->b, bits, l->visited);
}

/* Where a round ends: what blocks the channel was in. Rounds that no channel has come to before
 * have none yet. */
static void note_visits(vsg_jit_emitter *e, const loop *l)
{
    if (!l->has_skips)
        return;
    LLVMValueRef round = LLVMBuildLoad2(e->b, e->i64, l->rounds, "");
    LLVMValueRef most = LLVMBuildLoad2(e->b, e->i64, l->most_rounds, "");
    LLVMValueRef is_new = LLVMBuildICmp(e->b, LLVMIntUGT, round, most, "");
    round = LLVMBuildSub(e->b, round, vsg_jit_i64(e, 1), "");
    LLVMValueRef at = LLVMBuildGEP2(e->b, e->i64, l->visits, &round, 1, "");
    LLVMValueRef old =
        LLVMBuildSelect(e->b, is_new, vsg_jit_i64(e, 0), vsg_jit_load(e, e->i64, at, 8), "");
    LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i64, l->visited, "");
    vsg_jit_store(e, LLVMBuildOr(e->b, old, bits, ""), at, 8);
}

/* Where an inner block begins. */
static void go_on_inside(vsg_jit_emitter *e, const loop *l)
{
    LLVMBasicBlockRef block = inner_at(l, e->place);

    if (!block)
        return;
    if (!vsg_jit_is_ended(e))
        LLVMBuildBr(e->b, block);
    vsg_jit_go_on(e, block);
    for (uint32_t i = 0; i < l->num_inner; i++)
        if (l->inner[i].place == e->place && l->inner[i].is_skipped)
            visit(e, l, i);
}

/* The instructions of a round, for one channel. */
static void emit_round(vsg_jit_emitter *e, loop *l)
{
    for (uint32_t i = 0; i < l->num_inner; i++)
        l->inner[i].block = vsg_jit_block(e);
    for (e->place = l->start + 1; e->place < l->end; e->place++) {
        const vsg_exe_inst *inst = &e->unit->code[e->place];
        vsg_jit_loop_role role = (vsg_jit_loop_role)l->pass->roles[e->place - l->start];
        go_on_inside(e, l);
        if (e->place == l->start + 1 || e->notes[e->place].is_leader)
            vsg_jit_forget_numbers(l);
        if (role != VSG_JIT_ROLE_GOTO) {
            vsg_jit_emit_role(e, l, role);
            continue;
        }
        LLVMBasicBlockRef to = inst->target > l->end ? l->leaving : inner_at(l, inst->target);
        LLVMValueRef takes = vsg_jit_channel_takes(e, l, inst);
        if (takes)
            LLVMBuildCondBr(e->b, takes, to, inner_at(l, e->place + 1));
        else
            LLVMBuildBr(e->b, to);
    }
}

/* The channel in work has left the loop in its middle, or stays in it. */
static void note_channel(vsg_jit_emitter *e, const loop *l, LLVMValueRef slot)
{
    LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i32, l->bits, "");
    LLVMValueRef some = LLVMBuildLoad2(e->b, e->i32, slot, "");
    LLVMValueRef own = LLVMBuildAnd(e->b, bits, LLVMBuildNeg(e->b, bits, ""), "");

    LLVMBuildStore(e->b, LLVMBuildOr(e->b, some, own, ""), slot);
}

/* A scalar that goes from round to round is what it is for a channel that goes on, where others
 * have left before. */
static bool is_of_those_that_stay(const loop *l, const loop_lane *lane)
{
    return !l->is_even && lane->bytes > 0 && lane->stride == 0;
}

/* Where a channel has been through as many rounds as are noted, or as the budget has. */
static void end_rounds(vsg_jit_emitter *e, const loop *l, LLVMBasicBlockRef done)
{
    if (!l->has_skips) {
        LLVMBuildBr(e->b, l->undo);
        return;
    }
    note_channel(e, l, l->staying);
    for (uint32_t n = 0; n < l->pass->num_lanes; n++)
        if (is_of_those_that_stay(l, &l->pass->lanes[n]))
            give_lane(e, &l->pass->lanes[n], l->channel, NULL);
    LLVMBuildBr(e->b, done);
}

/* A channel's rounds, from `body` on; the builder is behind them then. */
static void emit_rounds(vsg_jit_emitter *e, loop *l, LLVMValueRef left)
{
    LLVMBasicBlockRef body = vsg_jit_block(e), more = vsg_jit_block(e), done = vsg_jit_block(e),
                      last = vsg_jit_block(e);

    l->leaving = vsg_jit_block(e);
    LLVMBuildBr(e->b, body);
    vsg_jit_go_on(e, body);
    LLVMValueRef round =
        LLVMBuildAdd(e->b, LLVMBuildLoad2(e->b, e->i64, l->rounds, ""), vsg_jit_i64(e, 1), "");
    LLVMBuildStore(e->b, round, l->rounds);
    if (l->has_skips)
        LLVMBuildStore(e->b, vsg_jit_i64(e, 0), l->visited);
    emit_round(e, l);
    note_visits(e, l);
    if (l->is_endless)
        LLVMBuildBr(e->b, more);
    else
        LLVMBuildCondBr(e->b, vsg_jit_channel_takes(e, l, &e->unit->code[l->end]), more, done);
    vsg_jit_go_on(e, more);
    LLVMBuildCondBr(e->b, vsg_jit_is_below(e, round, left), body, last);
    vsg_jit_go_on(e, last);
    end_rounds(e, l, done);
    vsg_jit_go_on(e, l->leaving);
    note_visits(e, l);
    note_channel(e, l, l->gone);
    LLVMBuildBr(e->b, done);
    vsg_jit_go_on(e, done);
}

static void emit_channel(vsg_jit_emitter *e, loop *l, LLVMValueRef left)
{
    const pass *p = l->pass;
    LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i32, l->bits, "");
    LLVMValueRef args[] = {bits, LLVMConstInt(e->i1, 1, false)};
    LLVMValueRef bit = vsg_jit_intrinsic(e, "llvm.cttz", e->i32, args, 2);

    l->channel = LLVMBuildSub(e->b, bit, vsg_jit_i32(e, p->first), "");
    for (uint32_t n = 0; n < p->num_lanes; n++)
        take_lane(e, &p->lanes[n], l->channel, bit);
    LLVMBuildStore(e->b, vsg_jit_i64(e, 0), l->rounds);
    emit_rounds(e, l, left);
    for (uint32_t n = 0; n < p->num_lanes; n++)
        if (!is_of_those_that_stay(l, &p->lanes[n]))
            give_lane(e, &p->lanes[n], l->channel, bit);
    LLVMValueRef most = LLVMBuildLoad2(e->b, e->i64, l->most_rounds, "");
    LLVMValueRef rounds = LLVMBuildLoad2(e->b, e->i64, l->rounds, "");
    if (l->is_tried) {
        LLVMValueRef sum = LLVMBuildLoad2(e->b, e->i64, l->all_rounds, "");
        LLVMBuildStore(e->b, LLVMBuildAdd(e->b, sum, rounds, ""), l->all_rounds);
    }
    LLVMValueRef longer = LLVMBuildICmp(e->b, LLVMIntUGT, rounds, most, "");
    LLVMBuildStore(e->b, LLVMBuildSelect(e->b, longer, rounds, most, ""), l->most_rounds);
    bits = LLVMBuildAnd(e->b, bits, LLVMBuildSub(e->b, bits, vsg_jit_i32(e, 1), ""), "");
    LLVMBuildStore(e->b, bits, l->bits);
}

/* All channels of a pass; the builder is behind them then. */
static void emit_pass(vsg_jit_emitter *e, loop *l, pass *own, LLVMValueRef mask,
                      LLVMValueRef left)
{
    LLVMBasicBlockRef test = vsg_jit_block(e), next = vsg_jit_block(e), done = vsg_jit_block(e);
    LLVMBasicBlockRef visit = vsg_jit_block(e);
    uint32_t channels = vsg_exe_first(own->count) << own->first;

    l->pass = own;
    vsg_jit_begin_piles(e, l, own);
    LLVMBuildStore(e->b, LLVMBuildAnd(e->b, mask, vsg_jit_i32(e, channels), ""), l->bits);
    LLVMBuildBr(e->b, visit);
    vsg_jit_go_on(e, visit);
    LLVMBuildBr(e->b, test);
    vsg_jit_go_on(e, test);
    LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i32, l->bits, ""), none = vsg_jit_i32(e, 0);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, bits, none, ""), next, done);
    vsg_jit_go_on(e, next);
    emit_channel(e, l, left);
    LLVMBuildBr(e->b, test);
    vsg_jit_go_on(e, done);
    vsg_jit_end_piles(e, own, sums_of);
    LLVMValueRef again = vsg_jit_come_again(e, own);
    if (!again)
        return;
    LLVMBasicBlockRef over = vsg_jit_block(e);
    again = LLVMBuildShl(e->b, again, vsg_jit_i32(e, own->first), "");
    LLVMBuildStore(e->b, again, l->bits);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, again, none, ""), visit, over);
    vsg_jit_go_on(e, over);
}

/* ---- what is done when all are through --------------------------------------------------- */

/* A loop with a number that counts from 0 to below `end`, as long as there is one. */
typedef struct counter {
    LLVMValueRef number, end;
    LLVMBasicBlockRef test, done;
} counter;

static counter begin_count(vsg_jit_emitter *e, LLVMValueRef end)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b), body = vsg_jit_block(e);
    counter c = {.end = end, .test = vsg_jit_block(e), .done = vsg_jit_block(e)};
    LLVMValueRef first = vsg_jit_i64(e, 0);

    LLVMBuildBr(e->b, c.test);
    vsg_jit_go_on(e, c.test);
    c.number = LLVMBuildPhi(e->b, e->i64, "");
    LLVMAddIncoming(c.number, &first, &from, 1);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntULT, c.number, end, ""), body, c.done);
    vsg_jit_go_on(e, body);
    return c;
}

static void end_count(vsg_jit_emitter *e, const counter *c)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
    LLVMValueRef next = LLVMBuildAdd(e->b, c->number, vsg_jit_i64(e, 1), "");

    LLVMAddIncoming(c->number, &next, &from, 1);
    LLVMBuildBr(e->b, c->test);
    vsg_jit_go_on(e, c->done);
}

void vsg_jit_put_off(vsg_jit_emitter *e, LLVMValueRef value, LLVMValueRef at)
{
    const loop *l = e->storing;
    LLVMBasicBlockRef room = vsg_jit_block(e);
    LLVMValueRef number = LLVMBuildLoad2(e->b, e->i64, l->num_places, "");
    LLVMValueRef most = vsg_jit_i64(e, MOST_STORES);

    vsg_jit_likely(e, LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntULT, number, most, ""),
                                      room, l->undo));
    vsg_jit_go_on(e, room);
    LLVMBuildStore(e->b, at, LLVMBuildGEP2(e->b, e->pointer, l->places, &number, 1, ""));
    LLVMBuildStore(e->b, value, l->element);
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, number, vsg_jit_i64(e, 1), ""), l->num_places);
}

static void make_stores(vsg_jit_emitter *e, const loop *l)
{
    LLVMTypeRef type = LLVMGetAllocatedType(l->element);
    LLVMValueRef value = LLVMBuildLoad2(e->b, type, l->element, "");
    counter c = begin_count(e, LLVMBuildLoad2(e->b, e->i64, l->num_places, ""));
    LLVMValueRef at = LLVMBuildGEP2(e->b, e->pointer, l->places, &c.number, 1, "");

    vsg_jit_store(e, value, LLVMBuildLoad2(e->b, e->pointer, at, ""), 1);
    end_count(e, &c);
}

/* Memory from `begin` to `end`, but for the last bytes (i64). */
typedef struct range {
    LLVMValueRef begin, end;
} range;

/* Windows are allocations, and two are one or apart. An empty one has nothing. */
static range range_of(vsg_jit_emitter *e, const vsg_jit_loop_access *access)
{
    const vsg_jit_transfer t = {.window = access->window};
    LLVMValueRef base = LLVMBuildLoad2(
        e->b, e->i64, vsg_jit_window_field(e, &t, offsetof(vsg_jit_window, base)), "");
    LLVMValueRef size = LLVMBuildLoad2(
        e->b, e->i64, vsg_jit_window_field(e, &t, offsetof(vsg_jit_window, size_bytes)), "");

    return (range){base, LLVMBuildAdd(e->b, base, size, "")};
}

/* Goes on where no window of loads has anything of what is stored to. */
static void require_outside(vsg_jit_emitter *e, const loop *l, range stored)
{
    for (uint32_t i = 0; i < l->num_accesses; i++) {
        if (l->accesses[i].is_store)
            continue;
        LLVMBasicBlockRef apart = vsg_jit_block(e);
        range loaded = range_of(e, &l->accesses[i]);
        LLVMValueRef is_before = LLVMBuildICmp(e->b, LLVMIntULE, stored.end, loaded.begin, "");
        LLVMValueRef is_behind = LLVMBuildICmp(e->b, LLVMIntULE, loaded.end, stored.begin, "");
        vsg_jit_likely(e, LLVMBuildCondBr(e->b, LLVMBuildOr(e->b, is_before, is_behind, ""),
                                          apart, l->head));
        vsg_jit_go_on(e, apart);
    }
}

/* Goes on where what is loaded does not depend on what has been stored. */
static void require_apart(vsg_jit_emitter *e, const loop *l)
{
    for (uint32_t s = 0; s < l->num_accesses; s++)
        if (l->accesses[s].is_store)
            require_outside(e, l, range_of(e, &l->accesses[s]));
    if (l->scratch.is_stored && l->num_accesses > 0) {
        LLVMValueRef size, begin = vsg_jit_scratch_at(e, &size);
        require_outside(e, l, (range){begin, LLVMBuildAdd(e->b, begin, size, "")});
    }
}

/* How many blocks' bits are looked at together. */
enum { BLOCKS = 8 };

/* Of blocks that some channels skip, the first of them `first`: their bits and lengths. */
static void list_blocks(vsg_jit_emitter *e, const loop *l, uint32_t first, LLVMValueRef *bits,
                        LLVMValueRef *lengths)
{
    LLVMValueRef bit[BLOCKS], length[BLOCKS];

    for (uint32_t i = 0; i < BLOCKS; i++) {
        bool is_one = first + i < l->num_inner && l->inner[first + i].is_skipped;
        bit[i] = vsg_jit_i64(e, is_one ? UINT64_C(1) << (first + i) : 0);
        length[i] = vsg_jit_i64(e, is_one ? e->notes[l->inner[first + i].place].length : 0);
    }
    *bits = LLVMConstVector(bit, BLOCKS);
    *lengths = LLVMConstVector(length, BLOCKS);
}

/* Instructions of the blocks that any channel was in, over all rounds; channels side by side go
 * through the others together. */
static LLVMValueRef count_visits(vsg_jit_emitter *e, const loop *l, LLVMValueRef rounds)
{
    LLVMTypeRef type = LLVMVectorType(e->i64, BLOCKS);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
    LLVMValueRef none = LLVMConstNull(type), bits, lengths;
    counter c = begin_count(e, rounds);
    LLVMBasicBlockRef body = LLVMGetInsertBlock(e->b);

    LLVMPositionBuilderBefore(e->b, c.number);
    LLVMValueRef sum = LLVMBuildPhi(e->b, type, "");
    vsg_jit_go_on(e, body);
    LLVMValueRef at = LLVMBuildGEP2(e->b, e->i64, l->visits, &c.number, 1, "");
    LLVMValueRef been = vsg_jit_splat(e, vsg_jit_load(e, e->i64, at, 8), BLOCKS), all = sum;
    for (uint32_t i = 0; i < l->num_inner; i += BLOCKS) {
        list_blocks(e, l, i, &bits, &lengths);
        LLVMValueRef was =
            LLVMBuildICmp(e->b, LLVMIntNE, LLVMBuildAnd(e->b, been, bits, ""), none, "");
        all = LLVMBuildAdd(e->b, all, LLVMBuildSelect(e->b, was, lengths, none, ""), "");
    }
    end_count(e, &c);
    LLVMAddIncoming(sum, &none, &from, 1);
    LLVMAddIncoming(sum, &all, &body, 1);
    return vsg_jit_reduce(e, "llvm.vector.reduce.add", sum);
}

/* Instructions that all channels go through in each round. */
static uint32_t common_length(const vsg_jit_emitter *e, const loop *l)
{
    uint32_t length = l->end - l->start + 1;

    for (uint32_t i = 0; i < l->num_inner; i++)
        if (l->inner[i].is_skipped)
            length -= e->notes[l->inner[i].place].length;
    return length;
}

static void let_wait(vsg_jit_emitter *e, uint32_t wait, LLVMValueRef channels)
{
    LLVMValueRef waits = vsg_jit_wait_slot(e, wait);
    LLVMValueRef old = LLVMBuildLoad2(e->b, e->i32, waits, "");

    LLVMBuildStore(e->b, LLVMBuildOr(e->b, old, channels, ""), waits);
}

/* All channels have left in the middle, or none has. */
static void leave_together(vsg_jit_emitter *e, const loop *l, LLVMValueRef gone)
{
    LLVMBasicBlockRef middle = vsg_jit_block(e), end = vsg_jit_block(e);
    uint32_t wait = e->unit->code[l->exit].wait;

    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, gone, vsg_jit_i32(e, 0), ""), middle,
                    end);
    vsg_jit_go_on(e, middle);
    if (e->notes[l->start].is_divergent && wait != VSG_EXE_NO_WAIT) {
        let_wait(e, wait, gone);
        LLVMBuildStore(e->b, vsg_jit_i32(e, 0), e->mask);
        LLVMBuildBr(e->b, vsg_jit_way(e, l->end, wait));
    } else {
        LLVMBuildBr(e->b, e->blocks[l->exit]);
    }
    vsg_jit_go_on(e, end);
    if (l->is_endless)
        LLVMBuildUnreachable(e->b);
    else
        LLVMBuildBr(e->b, e->blocks[l->end + 1]);
}

/* Channels that left in the middle wait, the others go on; if there are none, to where some
 * wait first. */
static void part_ways(vsg_jit_emitter *e, const loop *l)
{
    uint32_t wait = e->unit->code[l->exit].wait;
    LLVMValueRef gone = LLVMBuildLoad2(e->b, e->i32, l->gone, "");
    LLVMValueRef mask = LLVMBuildLoad2(e->b, e->i32, e->mask, "");
    LLVMValueRef others = LLVMBuildAnd(e->b, mask, LLVMBuildNot(e->b, gone, ""), "");

    if (l->is_even) {
        leave_together(e, l, gone);
        return;
    }
    let_wait(e, wait, gone);
    LLVMBuildStore(e->b, others, e->mask);
    if (l->is_endless)
        LLVMBuildBr(e->b, vsg_jit_way(e, l->end, wait));
    else
        LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, others, vsg_jit_i32(e, 0), ""),
                        e->blocks[l->end + 1], vsg_jit_way(e, l->end, wait));
}

/* Some channels have more rounds to go: the others wait where they left. */
static void go_on_with_some(vsg_jit_emitter *e, const loop *l, LLVMBasicBlockRef again)
{
    LLVMBasicBlockRef some = vsg_jit_block(e), none = vsg_jit_block(e);
    LLVMValueRef staying = LLVMBuildLoad2(e->b, e->i32, l->staying, "");
    LLVMValueRef gone = LLVMBuildLoad2(e->b, e->i32, l->gone, "");
    LLVMValueRef mask = LLVMBuildLoad2(e->b, e->i32, e->mask, "");

    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, staying, vsg_jit_i32(e, 0), ""), some,
                    none);
    vsg_jit_go_on(e, some);
    if (l->is_even) {
        LLVMBuildBr(e->b, again);
        vsg_jit_go_on(e, none);
        return;
    }
    if (l->exit)
        let_wait(e, e->unit->code[l->exit].wait, gone);
    if (!l->ends_together) {
        LLVMValueRef left = LLVMBuildOr(e->b, staying, gone, "");
        left = LLVMBuildAnd(e->b, mask, LLVMBuildNot(e->b, left, ""), "");
        let_wait(e, e->unit->code[l->end].wait, left);
    }
    LLVMBuildStore(e->b, staying, e->mask);
    LLVMBuildBr(e->b, again);
    vsg_jit_go_on(e, none);
}

/* As many instructions have been executed as all channels together would have taken. */
static void leave(vsg_jit_emitter *e, const loop *l, LLVMValueRef mask, LLVMBasicBlockRef again)
{
    LLVMValueRef rounds = LLVMBuildLoad2(e->b, e->i64, l->most_rounds, "");
    LLVMValueRef count = LLVMBuildLoad2(e->b, e->i64, e->count, "");
    LLVMValueRef length = vsg_jit_i64(e, common_length(e, l));

    vsg_jit_require_sizes_apart(e, l);
    for (uint32_t n = 0; n < l->num_passes; n++)
        copy_lanes(e, &l->passes[n], true);
    count = LLVMBuildAdd(e->b, count, LLVMBuildMul(e->b, rounds, length, ""), "");
    if (l->has_skips)
        count = LLVMBuildAdd(e->b, count, count_visits(e, l, rounds), "");
    LLVMBuildStore(e->b, count, e->count);
    if (l->is_tried)
        vsg_jit_end_channels(e, &l->choice, mask,
                             LLVMBuildLoad2(e->b, e->i64, l->all_rounds, ""), rounds);
    if (l->store)
        make_stores(e, l);
    if (l->has_skips)
        go_on_with_some(e, l, again);
    if (l->exit)
        part_ways(e, l);
    else
        LLVMBuildBr(e->b, e->blocks[l->end + 1]);
}

/* From the beginning, now that a window has been found for an access: so the rounds themselves
 * call nothing, and windows stay in registers. An access that goes from window to window never
 * comes to its end. */
static void emit_retry(vsg_jit_emitter *e, const loop *l, LLVMBasicBlockRef begin)
{
    enum { MOST_TRIES = 16 };
    LLVMValueRef tries = LLVMBuildLoad2(e->b, e->i32, l->tries, "");

    put_arrays_back(e, l);
    tries = LLVMBuildAdd(e->b, tries, vsg_jit_i32(e, 1), "");
    LLVMBuildStore(e->b, tries, l->tries);
    LLVMBuildCondBr(e->b,
                    LLVMBuildICmp(e->b, LLVMIntULT, tries, vsg_jit_i32(e, MOST_TRIES), ""),
                    begin, l->head);
}

static void begin_channels(vsg_jit_emitter *e, const loop *l)
{
    for (uint32_t n = 0; n < l->num_passes; n++)
        copy_lanes(e, &l->passes[n], false);
    keep_arrays(e, l);
    LLVMBuildStore(e->b, vsg_jit_i64(e, 0), l->most_rounds);
    LLVMBuildStore(e->b, vsg_jit_i32(e, 0), l->gone);
    LLVMBuildStore(e->b, vsg_jit_i32(e, 0), l->staying);
    if (l->is_tried)
        LLVMBuildStore(e->b, vsg_jit_i64(e, 0), l->all_rounds);
    if (l->store) {
        LLVMBuildStore(e->b, vsg_jit_i64(e, 0), l->num_places);
        LLVMBuildStore(e->b, LLVMConstNull(LLVMGetAllocatedType(l->element)), l->element);
    }
}

/* Do the channels of a mask, i32, go one after the other? (i1) */
static LLVMValueRef goes_by_channels(vsg_jit_emitter *e, const loop *l, LLVMValueRef mask)
{
    LLVMValueRef goes = LLVMBuildICmp(e->b, LLVMIntNE, mask, vsg_jit_i32(e, 0), "");

    if (l->most_channels < e->simd_size) {
        LLVMValueRef count = vsg_jit_intrinsic(e, "llvm.ctpop", e->i32, &mask, 1);
        LLVMValueRef most = vsg_jit_i32(e, l->most_channels);
        goes = LLVMBuildAnd(e->b, goes, LLVMBuildICmp(e->b, LLVMIntULE, count, most, ""), "");
    }
    if (l->scratch.is_stored)
        goes = LLVMBuildAnd(e->b, goes, vsg_jit_can_keep_scratch(e), "");
    if (l->is_tried)
        goes = LLVMBuildAnd(e->b, goes, vsg_jit_choose_channels(e, &l->choice, mask), "");
    return goes;
}

/* The channels that are on where the loop begins. (i32) */
static LLVMValueRef channels_at(vsg_jit_emitter *e, const loop *l)
{
    return e->notes[l->start].is_divergent ? LLVMBuildLoad2(e->b, e->i32, e->mask, "")
                                           : vsg_jit_i32(e, e->dispatch_mask);
}

static void emit_channels(vsg_jit_emitter *e, loop *l)
{
    LLVMBasicBlockRef again = vsg_jit_block(e), begin = vsg_jit_block(e),
                      apart = vsg_jit_block(e), first = vsg_jit_block(e);

    l->undo = vsg_jit_block(e);
    e->bail = l->undo;
    e->retry = vsg_jit_block(e);
    e->storing = l->store ? l : NULL;
    e->parting = l->scratch.is_stored ? l : NULL;
    l->num_accesses = 0;
    if (l->is_tried)
        vsg_jit_begin_choice(e, &l->choice);
    LLVMBuildBr(e->b, again);
    vsg_jit_go_on(e, again);
    LLVMValueRef mask = channels_at(e, l);
    LLVMBuildStore(e->b, vsg_jit_i32(e, 0), l->tries);
    LLVMBuildCondBr(e->b, goes_by_channels(e, l, mask), begin, l->head);
    vsg_jit_go_on(e, begin);
    LLVMValueRef left = rounds_left(e, l);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, left, vsg_jit_i64(e, 0), ""), apart,
                    l->head);
    vsg_jit_go_on(e, first);
    begin_channels(e, l);
    for (uint32_t n = 0; n < l->num_passes; n++)
        emit_pass(e, l, &l->passes[n], mask, left);
    leave(e, l, mask, again);
    /* Now it is known what accesses there are. */
    vsg_jit_go_on(e, apart);
    require_apart(e, l);
    LLVMBuildBr(e->b, first);
    vsg_jit_go_on(e, e->retry);
    emit_retry(e, l, begin);
    vsg_jit_go_on(e, l->undo);
    put_arrays_back(e, l);
    if (l->is_tried)
        vsg_jit_spurn_channels(e, &l->choice);
    LLVMBuildBr(e->b, l->head);
    l->back = l->is_tried ? vsg_jit_measure_round(e, &l->choice, again, l->head) : l->head;
    e->bail = e->retry = NULL;
    e->storing = e->parting = NULL;
}

void vsg_jit_emit_loop_by_channels(vsg_jit_emitter *e, uint32_t place)
{
    loop *l = e->loops ? e->loops[place] : NULL;
    vsg_jit_stats stats = e->stats;

    if (!l)
        return;
    l->head = vsg_jit_block(e);
    emit_channels(e, l);
    e->place = place;
    e->stats = stats;
    vsg_jit_go_on(e, l->head);
}

LLVMBasicBlockRef vsg_jit_head_of(const vsg_jit_emitter *e, uint32_t place)
{
    const loop *l = e->loops ? e->loops[place] : NULL;

    return l ? l->back : e->blocks[place];
}
