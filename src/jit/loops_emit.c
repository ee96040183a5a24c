/* SPDX-License-Identifier: MIT
 *
 * The code of loops that channels run one after the other: a channel's rounds, all channels,
 * and what is done when they are through. */
#include "jit/loops.h"
#include "jit/marks.h"
#include "jit/rows.h"
#include "jit/transfer.h"
#include "jit/ways.h"

/* Rounds of which is kept who was where; stores that are put off. */
enum { MOST_ROUNDS = 1024, MOST_STORES = 1024 };

typedef vsg_jit_loop loop;
typedef vsg_jit_loop_lane loop_lane;

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
        l->visits = make_list(e, e->i8, MOST_ROUNDS, &shared->visits);
        l->num_visits = LLVMBuildAlloca(e->b, e->i64, "");
    }
    if (l->store) {
        uint32_t bits = 8 * e->unit->code[l->store].message->memory_bytes;
        l->places = make_list(e, e->pointer, MOST_STORES, &shared->places);
        l->num_places = LLVMBuildAlloca(e->b, e->i64, "");
        l->element = LLVMBuildAlloca(e->b, vsg_jit_int(e, bits, 1), "");
    }
}

void vsg_jit_make_loop_slots(vsg_jit_emitter *e)
{
    loop shared = {0};

    for (uint32_t i = 0; e->loops && i < e->unit->num_code; i++) {
        loop *l = e->loops[i];
        if (!l)
            continue;
        for (uint32_t n = 0; n < l->num_lanes; n++) {
            loop_lane *lane = &l->lanes[n];
            vsg_jit_part *own = &e->parts[lane->own];
            own->slot = LLVMBuildAlloca(e->b, own->type, "");
            LLVMSetAlignment(own->slot, 64);
            lane->all = LLVMBuildAlloca(e->b, e->parts[lane->part].type, "");
            LLVMSetAlignment(lane->all, 64);
        }
        l->bits = LLVMBuildAlloca(e->b, e->i32, "");
        l->tries = LLVMBuildAlloca(e->b, e->i32, "");
        l->gone = LLVMBuildAlloca(e->b, e->i32, "");
        l->rounds = LLVMBuildAlloca(e->b, e->i64, "");
        l->most_rounds = LLVMBuildAlloca(e->b, e->i64, "");
        make_note_slots(e, l, &shared);
    }
}

/* ---- one channel's instructions ---------------------------------------------------------- */

static const loop_lane *lane_of(const loop *l, uint32_t part)
{
    for (uint32_t n = 0; n < l->num_lanes; n++)
        if (l->lanes[n].part == part)
            return &l->lanes[n];
    return NULL;
}

/* Where one channel has what the text has at `offset`. */
static uint32_t narrow_offset(const vsg_jit_emitter *e, const loop *l, uint32_t offset)
{
    const loop_lane *lane = lane_of(l, e->part_of[offset]);

    return e->parts[lane->own].at + (offset - lane->at);
}

static void narrow_operand(const vsg_jit_emitter *e, const loop *l, vsg_exe_operand *operand)
{
    if (operand->kind == VSG_EXE_OPERAND_PREDICATE) {
        operand->index = lane_of(l, e->num_general + operand->index)->own - e->num_general;
    } else if (vsg_jit_is_by_channel(operand)) {
        operand->offset = narrow_offset(e, l, operand->offset);
        operand->shape = VSG_EXE_SHAPE_SCALAR;
    }
}

/* One element of what a message moves. */
static void emit_element(vsg_jit_emitter *e, loop *l, vsg_exe_inst *own, uint32_t element)
{
    static const uint16_t at[] = {0};
    const vsg_exe_message *all = own->message;
    vsg_exe_message one = *all;

    one.num_elements = 1;
    one.offset += all->element_at[element];
    one.element_at = at;
    one.span_bytes = one.memory_bytes;
    one.address.offset = narrow_offset(e, l, all->address.offset);
    one.data.offset = narrow_offset(e, l, all->data.offset + element * all->pitch_bytes);
    own->message = &one;
    if (l->store)
        l->accesses[l->num_accesses++] =
            (vsg_jit_loop_access){.window = e->num_windows, .is_store = e->place == l->store};
    vsg_jit_emit_copy(e, own);
    own->message = all;
}

static void emit_narrow(vsg_jit_emitter *e, loop *l, const vsg_exe_inst *inst)
{
    vsg_exe_inst own = *inst;

    if (inst->no_mask) { /* of no channel */
        vsg_jit_emit_copy(e, inst);
        return;
    }
    own.exec_size = 1;
    own.no_mask = true;
    if (own.predicate_mode)
        own.predicate =
            (uint16_t)(lane_of(l, e->num_general + inst->predicate)->own - e->num_general);
    if (inst->message) {
        for (uint32_t i = 0; i < inst->message->num_elements; i++)
            emit_element(e, l, &own, i);
        return;
    }
    for (uint32_t s = 0; s < own.num_sources; s++)
        narrow_operand(e, l, &own.src[s]);
    narrow_operand(e, l, &own.dst);
    vsg_jit_emit_copy(e, &own);
}

static LLVMValueRef place_in_all(vsg_jit_emitter *e, const loop_lane *lane,
                                 LLVMValueRef channel)
{
    LLVMValueRef at = LLVMBuildMul(e->b, LLVMBuildZExt(e->b, channel, e->i64, ""),
                                   vsg_jit_i64(e, lane->stride), "");

    at = LLVMBuildAdd(e->b, at, vsg_jit_i64(e, lane->at - e->parts[lane->part].at), "");
    return LLVMBuildGEP2(e->b, e->i8, lane->all, &at, 1, "");
}

static void take_lane(vsg_jit_emitter *e, const loop_lane *lane, LLVMValueRef channel)
{
    vsg_jit_part *own = &e->parts[lane->own];
    LLVMValueRef value = LLVMConstNull(own->type);

    if (lane->is_read && lane->bytes)
        value = vsg_jit_load(e, own->type, place_in_all(e, lane, channel), 1);
    else if (lane->is_read)
        value = LLVMBuildLShr(e->b, vsg_jit_load(e, e->i32, lane->all, 4), channel, "");
    vsg_jit_store(e, value, own->slot, 1);
}

static void give_lane(vsg_jit_emitter *e, const loop_lane *lane, LLVMValueRef channel)
{
    vsg_jit_part *own = &e->parts[lane->own];
    LLVMValueRef value = vsg_jit_load(e, own->type, own->slot, 1);

    if (!lane->is_written)
        return;
    if (lane->bytes) {
        vsg_jit_store(e, value, place_in_all(e, lane, channel), 1);
        return;
    }
    LLVMValueRef bit = LLVMBuildShl(e->b, vsg_jit_i32(e, 1), channel, "");
    LLVMValueRef old = vsg_jit_load(e, e->i32, lane->all, 4);
    value = LLVMBuildShl(e->b, LLVMBuildAnd(e->b, value, vsg_jit_i32(e, 1), ""), channel, "");
    old = LLVMBuildAnd(e->b, old, LLVMBuildNot(e->b, bit, ""), "");
    vsg_jit_store(e, LLVMBuildOr(e->b, old, value, ""), lane->all, 4);
}

/* ---- all channels ------------------------------------------------------------------------ */

static void copy_lanes(vsg_jit_emitter *e, const loop *l, bool back)
{
    for (uint32_t n = 0; n < l->num_lanes; n++) {
        const loop_lane *lane = &l->lanes[n];
        const vsg_jit_part *part = &e->parts[lane->part];
        if (!back) {
            vsg_jit_store(e, vsg_jit_load(e, part->type, part->slot, 64), lane->all, 64);
        } else if (lane->is_written) {
            vsg_jit_store(e, vsg_jit_load(e, part->type, lane->all, 64), part->slot, 64);
            vsg_jit_restore_row(e, lane->part, false);
        }
    }
}

/* How often a channel may go round before the budget is used up, or what is kept of rounds. */
static LLVMValueRef rounds_left(vsg_jit_emitter *e, const loop *l, uint32_t length)
{
    LLVMValueRef done = LLVMBuildLoad2(e->b, e->i64, e->count, "");
    LLVMValueRef most = LLVMBuildLoad2(e->b, e->i64, e->budget, "");
    LLVMValueRef left = LLVMBuildSub(e->b, most, done, "");
    LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntUGE, done, most, "");

    left = LLVMBuildUDiv(e->b, LLVMBuildSelect(e->b, none, vsg_jit_i64(e, 0), left, ""),
                         vsg_jit_i64(e, length), "");
    LLVMValueRef args[] = {left, vsg_jit_i64(e, MOST_ROUNDS)};
    return l->has_skips ? vsg_jit_intrinsic(e, "llvm.umin", e->i64, args, 2) : left;
}

/* Does one channel take a goto? NULL: each does. */
static LLVMValueRef takes_goto(vsg_jit_emitter *e, const loop *l, const vsg_exe_inst *inst)
{
    vsg_exe_inst decides = *inst;

    if (!inst->predicate_mode)
        return NULL;
    decides.exec_size = 1;
    decides.no_mask = true;
    decides.predicate =
        (uint16_t)(lane_of(l, e->num_general + inst->predicate)->own - e->num_general);
    return LLVMBuildTrunc(e->b, vsg_jit_predicate(e, &decides), e->i1, "");
}

static LLVMBasicBlockRef inner_at(const loop *l, uint32_t place)
{
    for (uint32_t i = 0; i < l->num_inner; i++)
        if (l->inner[i].place == place)
            return l->inner[i].block;
    return NULL;
}

/* Notes that a channel was in a block, in this round. */
static void visit(vsg_jit_emitter *e, const loop *l, uint32_t inner)
{
    LLVMValueRef round = LLVMBuildLoad2(e->b, e->i64, l->rounds, "");

    round = LLVMBuildSub(e->b, round, vsg_jit_i64(e, 1), "");
    LLVMValueRef at = LLVMBuildGEP2(e->b, e->i8, l->visits, &round, 1, "");
    LLVMValueRef bits = vsg_jit_load(e, e->i8, at, 1);
    bits = LLVMBuildOr(e->b, bits, LLVMConstInt(e->i8, 1u << inner, false), "");
    vsg_jit_store(e, bits, at, 1);
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
static void emit_round(vsg_jit_emitter *e, loop *l, uint32_t head)
{
    for (uint32_t i = 0; i < l->num_inner; i++)
        l->inner[i].block = vsg_jit_block(e);
    l->num_accesses = 0;
    for (e->place = head + 1; e->place < l->end; e->place++) {
        const vsg_exe_inst *inst = &e->unit->code[e->place];
        go_on_inside(e, l);
        if (inst->op == VISAGE_OP_GOTO) {
            LLVMBasicBlockRef to =
                inst->target > l->end ? l->leaving : inner_at(l, inst->target);
            LLVMValueRef takes = takes_goto(e, l, inst);
            if (takes)
                LLVMBuildCondBr(e->b, takes, to, inner_at(l, e->place + 1));
            else
                LLVMBuildBr(e->b, to);
        } else if (inst->op != VISAGE_OP_LABEL && !vsg_jit_does_nothing(inst)) {
            emit_narrow(e, l, inst);
        }
    }
}

/* The channel in work leaves the loop in its middle. */
static void note_gone(vsg_jit_emitter *e, const loop *l)
{
    LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i32, l->bits, "");
    LLVMValueRef gone = LLVMBuildLoad2(e->b, e->i32, l->gone, "");
    LLVMValueRef own = LLVMBuildAnd(e->b, bits, LLVMBuildNeg(e->b, bits, ""), "");

    LLVMBuildStore(e->b, LLVMBuildOr(e->b, gone, own, ""), l->gone);
}

/* A channel's rounds, from `body` on; the builder is behind them then. */
static void emit_rounds(vsg_jit_emitter *e, loop *l, uint32_t head, LLVMValueRef left)
{
    LLVMBasicBlockRef body = vsg_jit_block(e), more = vsg_jit_block(e), done = vsg_jit_block(e);

    l->leaving = vsg_jit_block(e);
    LLVMBuildBr(e->b, body);
    vsg_jit_go_on(e, body);
    LLVMValueRef round =
        LLVMBuildAdd(e->b, LLVMBuildLoad2(e->b, e->i64, l->rounds, ""), vsg_jit_i64(e, 1), "");
    LLVMBuildStore(e->b, round, l->rounds);
    emit_round(e, l, head);
    if (l->is_endless)
        LLVMBuildBr(e->b, more);
    else
        LLVMBuildCondBr(e->b, takes_goto(e, l, &e->unit->code[l->end]), more, done);
    vsg_jit_go_on(e, more);
    LLVMBuildCondBr(e->b, vsg_jit_is_below(e, round, left), body, l->head);
    vsg_jit_go_on(e, l->leaving);
    note_gone(e, l);
    LLVMBuildBr(e->b, done);
    vsg_jit_go_on(e, done);
}

static void emit_channel(vsg_jit_emitter *e, loop *l, uint32_t head, LLVMValueRef left)
{
    LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i32, l->bits, "");
    LLVMValueRef args[] = {bits, LLVMConstInt(e->i1, 1, false)};
    LLVMValueRef channel = vsg_jit_intrinsic(e, "llvm.cttz", e->i32, args, 2);

    for (uint32_t n = 0; n < l->num_lanes; n++)
        take_lane(e, &l->lanes[n], channel);
    LLVMBuildStore(e->b, vsg_jit_i64(e, 0), l->rounds);
    emit_rounds(e, l, head, left);
    for (uint32_t n = 0; n < l->num_lanes; n++)
        give_lane(e, &l->lanes[n], channel);
    LLVMValueRef most = LLVMBuildLoad2(e->b, e->i64, l->most_rounds, "");
    LLVMValueRef rounds = LLVMBuildLoad2(e->b, e->i64, l->rounds, "");
    LLVMValueRef longer = LLVMBuildICmp(e->b, LLVMIntUGT, rounds, most, "");
    LLVMBuildStore(e->b, LLVMBuildSelect(e->b, longer, rounds, most, ""), l->most_rounds);
    bits = LLVMBuildAnd(e->b, bits, LLVMBuildSub(e->b, bits, vsg_jit_i32(e, 1), ""), "");
    LLVMBuildStore(e->b, bits, l->bits);
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
                                      room, l->head));
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

/* Where a window begins and ends, but for the last bytes: windows are allocations, and two are
 * one or apart. An empty one has nothing. */
static LLVMValueRef bounds(vsg_jit_emitter *e, const vsg_jit_loop_access *access,
                           LLVMValueRef *end)
{
    const vsg_jit_transfer t = {.window = access->window};
    LLVMValueRef base = LLVMBuildLoad2(
        e->b, e->i64, vsg_jit_window_field(e, &t, offsetof(vsg_jit_window, base)), "");
    LLVMValueRef size = LLVMBuildLoad2(
        e->b, e->i64, vsg_jit_window_field(e, &t, offsetof(vsg_jit_window, size_bytes)), "");

    *end = LLVMBuildAdd(e->b, base, size, "");
    return base;
}

/* Goes on where no window of loads has anything of that of the stores: what is loaded does not
 * depend on what has been stored. */
static void require_apart(vsg_jit_emitter *e, const loop *l)
{
    for (uint32_t s = 0; s < l->num_accesses; s++)
        for (uint32_t i = 0; i < l->num_accesses; i++) {
            if (!l->accesses[s].is_store || l->accesses[i].is_store)
                continue;
            LLVMValueRef store_end, load_end;
            LLVMBasicBlockRef apart = vsg_jit_block(e);
            LLVMValueRef store = bounds(e, &l->accesses[s], &store_end);
            LLVMValueRef load = bounds(e, &l->accesses[i], &load_end);
            LLVMValueRef is_before = LLVMBuildICmp(e->b, LLVMIntULE, store_end, load, "");
            LLVMValueRef is_behind = LLVMBuildICmp(e->b, LLVMIntULE, load_end, store, "");
            vsg_jit_likely(e, LLVMBuildCondBr(e->b, LLVMBuildOr(e->b, is_before, is_behind, ""),
                                              apart, l->head));
            vsg_jit_go_on(e, apart);
        }
}

/* Instructions of the blocks that any channel was in, over all rounds; channels side by side go
 * through the others together. */
static LLVMValueRef count_visits(vsg_jit_emitter *e, const loop *l, LLVMValueRef rounds)
{
    LLVMValueRef sum = l->num_visits, at, bits, all;

    LLVMBuildStore(e->b, vsg_jit_i64(e, 0), sum);
    counter c = begin_count(e, rounds);
    at = LLVMBuildGEP2(e->b, e->i8, l->visits, &c.number, 1, "");
    bits = LLVMBuildZExt(e->b, vsg_jit_load(e, e->i8, at, 1), e->i64, "");
    all = LLVMBuildLoad2(e->b, e->i64, sum, "");
    for (uint32_t i = 0; i < l->num_inner; i++) {
        if (!l->inner[i].is_skipped)
            continue;
        LLVMValueRef bit = LLVMBuildLShr(e->b, bits, vsg_jit_i64(e, i), "");
        bit = LLVMBuildAnd(e->b, bit, vsg_jit_i64(e, 1), "");
        bit = LLVMBuildMul(e->b, bit, vsg_jit_i64(e, e->notes[l->inner[i].place].length), "");
        all = LLVMBuildAdd(e->b, all, bit, "");
    }
    LLVMBuildStore(e->b, all, sum);
    end_count(e, &c);
    return LLVMBuildLoad2(e->b, e->i64, sum, "");
}

/* Instructions that all channels go through in each round. */
static uint32_t common_length(const vsg_jit_emitter *e, const loop *l, uint32_t head)
{
    uint32_t length = l->end - head + 1;

    for (uint32_t i = 0; i < l->num_inner; i++)
        if (l->inner[i].is_skipped)
            length -= e->notes[l->inner[i].place].length;
    return length;
}

/* Channels that left in the middle wait, the others go on; if there are none, to where some
 * wait first. */
static void part_ways(vsg_jit_emitter *e, const loop *l)
{
    uint32_t wait = e->unit->code[l->exit].wait;
    LLVMValueRef waits = vsg_jit_wait_slot(e, wait);
    LLVMValueRef gone = LLVMBuildLoad2(e->b, e->i32, l->gone, "");
    LLVMValueRef mask = LLVMBuildLoad2(e->b, e->i32, e->mask, "");
    LLVMValueRef others = LLVMBuildAnd(e->b, mask, LLVMBuildNot(e->b, gone, ""), "");
    LLVMValueRef all = LLVMBuildOr(e->b, LLVMBuildLoad2(e->b, e->i32, waits, ""), gone, "");

    LLVMBuildStore(e->b, all, waits);
    LLVMBuildStore(e->b, others, e->mask);
    if (l->is_endless)
        LLVMBuildBr(e->b, vsg_jit_way(e, l->end, wait));
    else
        LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, others, vsg_jit_i32(e, 0), ""),
                        e->blocks[l->end + 1], vsg_jit_way(e, l->end, wait));
}

/* As many instructions have been executed as all channels together would have taken. */
static void leave(vsg_jit_emitter *e, const loop *l, uint32_t head)
{
    LLVMValueRef rounds = LLVMBuildLoad2(e->b, e->i64, l->most_rounds, "");
    LLVMValueRef count = LLVMBuildLoad2(e->b, e->i64, e->count, "");
    LLVMValueRef length = vsg_jit_i64(e, common_length(e, l, head));

    copy_lanes(e, l, true);
    count = LLVMBuildAdd(e->b, count, LLVMBuildMul(e->b, rounds, length, ""), "");
    if (l->has_skips)
        count = LLVMBuildAdd(e->b, count, count_visits(e, l, rounds), "");
    LLVMBuildStore(e->b, count, e->count);
    if (l->store)
        make_stores(e, l);
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

    tries = LLVMBuildAdd(e->b, tries, vsg_jit_i32(e, 1), "");
    LLVMBuildStore(e->b, tries, l->tries);
    LLVMBuildCondBr(e->b,
                    LLVMBuildICmp(e->b, LLVMIntULT, tries, vsg_jit_i32(e, MOST_TRIES), ""),
                    begin, l->head);
}

static void begin_channels(vsg_jit_emitter *e, const loop *l, LLVMValueRef mask)
{
    copy_lanes(e, l, false);
    LLVMBuildStore(e->b, mask, l->bits);
    LLVMBuildStore(e->b, vsg_jit_i64(e, 0), l->most_rounds);
    LLVMBuildStore(e->b, vsg_jit_i32(e, 0), l->gone);
    if (l->has_skips)
        LLVMBuildMemSet(e->b, l->visits, LLVMConstNull(e->i8), vsg_jit_i64(e, MOST_ROUNDS), 1);
    if (l->store) {
        LLVMBuildStore(e->b, vsg_jit_i64(e, 0), l->num_places);
        LLVMBuildStore(e->b, LLVMConstNull(LLVMGetAllocatedType(l->element)), l->element);
    }
}

static void emit_channels(vsg_jit_emitter *e, loop *l, uint32_t place)
{
    LLVMBasicBlockRef begin = vsg_jit_block(e), apart = vsg_jit_block(e),
                      first = vsg_jit_block(e), next = vsg_jit_block(e),
                      over = vsg_jit_block(e);
    LLVMValueRef mask = LLVMBuildLoad2(e->b, e->i32, e->mask, "");
    LLVMValueRef some = LLVMBuildICmp(e->b, LLVMIntNE, mask, vsg_jit_i32(e, 0), "");
    if (l->most_channels < e->simd_size) {
        LLVMValueRef count = vsg_jit_intrinsic(e, "llvm.ctpop", e->i32, &mask, 1);
        LLVMValueRef most = vsg_jit_i32(e, l->most_channels);
        some = LLVMBuildAnd(e->b, some, LLVMBuildICmp(e->b, LLVMIntULE, count, most, ""), "");
    }

    e->bail = l->head;
    e->retry = vsg_jit_block(e);
    e->storing = l->store ? l : NULL;
    LLVMBuildStore(e->b, vsg_jit_i32(e, 0), l->tries);
    LLVMBuildCondBr(e->b, some, begin, l->head);
    vsg_jit_go_on(e, begin);
    LLVMValueRef left = rounds_left(e, l, l->end - place + 1);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, left, vsg_jit_i64(e, 0), ""), apart,
                    l->head);
    vsg_jit_go_on(e, first);
    begin_channels(e, l, mask);
    LLVMBuildBr(e->b, next);
    vsg_jit_go_on(e, next);
    emit_channel(e, l, place, left);
    LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i32, l->bits, "");
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, bits, vsg_jit_i32(e, 0), ""), next,
                    over);
    /* Now it is known what accesses there are. */
    vsg_jit_go_on(e, apart);
    require_apart(e, l);
    LLVMBuildBr(e->b, first);
    vsg_jit_go_on(e, e->retry);
    emit_retry(e, l, begin);
    vsg_jit_go_on(e, over);
    leave(e, l, place);
    e->bail = e->retry = NULL;
    e->storing = NULL;
}

void vsg_jit_emit_loop_by_channels(vsg_jit_emitter *e, uint32_t place)
{
    loop *l = e->loops ? e->loops[place] : NULL;
    vsg_jit_stats stats = e->stats;

    if (!l)
        return;
    l->head = vsg_jit_block(e);
    emit_channels(e, l, place);
    e->place = place;
    e->stats = stats;
    vsg_jit_go_on(e, l->head);
}

LLVMBasicBlockRef vsg_jit_head_of(const vsg_jit_emitter *e, uint32_t place)
{
    const loop *l = e->loops ? e->loops[place] : NULL;

    return l ? l->head : e->blocks[place];
}
