/* SPDX-License-Identifier: MIT */
#include "jit/loops.h"

#include <stddef.h>
#include <string.h>

#include "jit/elements.h"
#include "jit/loops_roles.h"
#include "jit/lowering.h"
#include "jit/rows.h"
#include "jit/sets.h"
#include "jit/transfer.h"

/* Instructions for each gather: with more of them, or fewer gathers, channels are better side
 * by side if there are many. So they are with half as many where channels differ in nothing but
 * the number of rounds. */
enum { LEAST_GATHERS = 2, MOST_WORK = 8, MOST_OTHERS = 40 };
/* Of other instructions for each gather, where a channel's rounds can be abreast (abreast.h):
 * more do not get cheaper by that than side by side. */
enum { MOST_WORK_ABREAST = 16 };
/* Of other instructions for each gather, where channels that wait for what they load go
 * different ways. */
enum { LEAST_IN_ARMS = 16 };
/* Lanes of all loops of a unit that are not tried: with more, text grows more than it gains.
 */
enum { MOST_ORDINARY = 48 };
/* Blocks of a loop that has few gathers, behind its first one. */
enum { MOST_SHORT = 8 };

typedef vsg_jit_loop loop;
typedef vsg_jit_loop_pass pass;
typedef vsg_jit_loop_lane loop_lane;
typedef vsg_jit_loop_lanes lanes;
typedef vsg_jit_loop_use use;

/* ---- what a loop does -------------------------------------------------------------------- */

typedef struct judge {
    vsg_jit_emitter *e;
    loop *l;
    pass *p; /* in hand */
    uint32_t num_gathers, num_others;
    lanes loaded, places; /* lanes that come from loads, that loads or the goto depend on */
    lanes round;          /* that are read before they are written, in some block */
    bool adds;            /* what a round leaves to the next one are sums (leaves_sums()) */
    bool changed, is_good;
} judge;

static bool is_gather(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t part = e->part_of[inst->message->address.offset];

    return part == VSG_JIT_NO_PART || e->rows[part].state != VSG_JIT_ROW_KNOWN;
}

static bool is_any_written(const pass *p, lanes some)
{
    for (uint32_t n = 0; n < p->num_lanes; n++)
        if (vsg_jit_has(some.words, n) && p->lanes[n].is_written)
            return true;
    return false;
}

/* Adds lanes to those that loads or decisions have to do with. */
static void spread(judge *j, lanes *all, lanes more)
{
    lanes old = *all;

    *all = vsg_jit_lanes_or(old, more);
    j->changed |= vsg_jit_lanes_any(vsg_jit_lanes_without(*all, old));
}

/* What an instruction loads from one and the same place each round does not wait. */
static void note_order(judge *j, const use *u)
{
    bool is_load = u->is_load && is_any_written(j->p, u->reads);

    if (is_load || vsg_jit_lanes_any(vsg_jit_lanes_and(u->reads, j->loaded)))
        spread(j, &j->loaded, u->writes);
    if (u->decides || vsg_jit_lanes_any(vsg_jit_lanes_and(u->writes, j->places)))
        spread(j, &j->places, u->reads);
}

/* Once through the text: what is read before it is written, then what depends on what. */
static void look_once(judge *j)
{
    lanes written = {{0}}, here = {{0}}; /* by all channels; in this block */
    uint32_t joins = 0;                  /* up to there a channel may have gone around */

    for (uint32_t i = j->l->start + 1; i <= j->l->end && j->is_good; i++) {
        const vsg_exe_inst *inst = &j->e->unit->code[i];
        if (j->e->notes[i].is_leader)
            here = (lanes){{0}};
        use u = vsg_jit_loop_use_of(j->e, j->l, j->p, i);
        j->is_good = !u.is_bad;
        lanes unsure = i < joins ? u.writes : u.partly;
        lanes known = vsg_jit_lanes_or(written, here);
        note_order(j, &u);
        j->round = vsg_jit_lanes_or(j->round, vsg_jit_lanes_without(u.reads, known));
        lanes read = vsg_jit_lanes_without(vsg_jit_lanes_or(u.reads, unsure), written);
        for (uint32_t n = 0; n < j->p->num_lanes; n++) {
            j->p->lanes[n].is_read |= vsg_jit_has(read.words, n);
            j->p->lanes[n].is_written |= vsg_jit_has(u.writes.words, n);
        }
        written = vsg_jit_lanes_or(written, vsg_jit_lanes_without(u.writes, unsure));
        here = vsg_jit_lanes_or(here, vsg_jit_lanes_without(u.writes, u.partly));
        if (inst->op == VISAGE_OP_GOTO && inst->target > joins)
            joins = inst->target;
    }
}

/* Lanes that go round: a channel waits for its loads if they are loaded and say where to. */
static bool waits_for_loads(const judge *j)
{
    lanes both = vsg_jit_lanes_and(j->loaded, j->places);

    return is_any_written(j->p, vsg_jit_lanes_and(j->round, both));
}

/* Does an instruction change a number by what it adds to it? */
static bool is_addition(const vsg_exe_inst *inst)
{
    const vsg_exe_operand *dst = &inst->dst;

    switch (inst->op) {
    case VISAGE_OP_MAD:
        return inst->src[2].offset == dst->offset;
    case VISAGE_OP_ADD:
    case VISAGE_OP_AND:
    case VISAGE_OP_OR:
    case VISAGE_OP_XOR:
        return inst->src[0].offset == dst->offset || inst->src[1].offset == dst->offset;
    default:
        return false;
    }
}

/* Has it steps of its own, or is it of halves, which are floats in between? */
static bool is_long_or_half(const vsg_exe_inst *inst)
{
    switch (inst->op) {
    case VISAGE_OP_EXP:
    case VISAGE_OP_LOG:
    case VISAGE_OP_POW:
    case VISAGE_OP_SIN:
    case VISAGE_OP_COS:
        return true;
    default:
        return inst->dst.type == VISAGE_TYPE_HF;
    }
}

/* Does a round leave sums alone to the next one, of what vectors compute, too? */
static bool leaves_sums(const judge *j)
{
    for (uint32_t i = j->l->start + 1; i < j->l->end; i++) {
        const vsg_exe_inst *inst = &j->e->unit->code[i];
        use u = vsg_jit_loop_use_of(j->e, j->l, j->p, i);
        if (is_long_or_half(inst) ||
            (vsg_jit_lanes_any(vsg_jit_lanes_and(u.writes, j->round)) && !is_addition(inst)))
            return false;
    }
    return true;
}

static void spoil_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    judge *j = user;

    (void)covers;
    /* What all channels share must not change, nor a part be used in two ways. */
    for (uint32_t n = 0; n < j->p->num_lanes; n++)
        if (j->p->lanes[n].part == part && j->p->lanes[n].is_written && access->bytes > 0 &&
            (access->stride_bytes == 0) != (j->p->lanes[n].stride == 0))
            j->is_good = false;
}

/* Is an element that a message moves in a part? */
static bool has_part(const vsg_jit_emitter *e, const vsg_exe_message *message, uint32_t part)
{
    for (uint32_t i = 0; i < message->num_elements; i++) {
        uint32_t at = message->data.offset + i * message->pitch_bytes;
        if (message->data.kind == VSG_EXE_OPERAND_REGION && at < e->unit->register_bytes &&
            e->part_of[at] == part)
            return true;
    }
    return false;
}

/* Does a store store the same whichever channel it is, and whenever? Just before it, all
 * channels get what they share. What they share does not change in the loop. */
static bool stores_the_same(const vsg_jit_emitter *e, const loop *l, uint32_t place)
{
    const vsg_exe_operand *data = &e->unit->code[place].message->data;
    uint32_t part = e->part_of[data->offset];

    for (uint32_t i = place; !e->notes[i].is_leader;) {
        const vsg_exe_inst *inst = &e->unit->code[--i];
        if (inst->message && has_part(e, inst->message, part))
            return false;
        if (inst->message || inst->dst.kind != VSG_EXE_OPERAND_REGION || inst->dst.shared ||
            inst->dst.offset >= e->unit->register_bytes || e->part_of[inst->dst.offset] != part)
            continue;
        for (uint32_t s = 0; s < inst->num_sources; s++)
            if (!vsg_jit_is_of_all(e, l, &inst->src[s]))
                return false;
        return !inst->predicate_mode &&
               inst->dst.bytes >= e->unit->code[place].message->register_bytes;
    }
    return false;
}

/* A loop of all channels may have one store, of the same to any place, and all that it loads
 * must be flat memory too: then windows tell at run time that it loads nothing that it has
 * stored. */
static void judge_stores(judge *j)
{
    const vsg_jit_emitter *e = j->e;
    uint32_t num_messages = 0, num_flat = 0, num_stores = 0;

    for (uint32_t i = j->l->start + 1; i < j->l->end && j->is_good; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (!inst->message)
            continue;
        num_messages += inst->message->num_elements;
        num_flat += vsg_jit_is_flat(inst->message) ? inst->message->num_elements : 0;
        if (!vsg_jit_is_loop_store(inst))
            continue;
        num_stores++;
        j->l->store = i;
        j->is_good = is_gather(e, inst) && stores_the_same(e, j->l, i);
    }
    if (num_stores > 0 && (num_stores > 1 || j->l->num_passes > 1 || num_flat < num_messages ||
                           num_messages > VSG_JIT_MOST_ACCESSES))
        j->is_good = false;
}

/* Is the loop in another one? It begins often then, mostly for few rounds. */
static bool is_nested(const vsg_jit_emitter *e, const loop *l)
{
    for (uint32_t i = l->end + 1; i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (inst->op == VISAGE_OP_GOTO && inst->target <= l->start)
            return true;
    }
    return false;
}

/* Of the thread's scratch, where private arrays are: if it stores there, then to nothing else,
 * and windows tell at run time that it loads nothing of it in another way. */
static void judge_scratch(judge *j)
{
    uint32_t num_flat = 0;
    bool is_good = true;

    for (uint32_t i = j->l->start + 1; i < j->l->end; i++) {
        const vsg_exe_inst *inst = &j->e->unit->code[i];
        if (!inst->message)
            continue;
        bool is_store = vsg_jit_is_loop_store(inst);
        if (vsg_jit_is_scratch(inst->message))
            is_good &= vsg_jit_note_scratch(&j->l->scratch, inst->message, is_store);
        else
            is_good &= !is_store;
        num_flat += vsg_jit_is_flat(inst->message) ? inst->message->num_elements : 0;
    }
    if (!j->l->scratch.is_stored) {
        judge_stores(j);
        return;
    }
    j->is_good &= is_good && num_flat * j->l->num_passes <= VSG_JIT_MOST_ACCESSES &&
                  !is_nested(j->e, j->l);
}

static bool is_live_at(const vsg_jit_emitter *e, uint32_t place, uint32_t part)
{
    return !e->live[place] || vsg_jit_has(e->live[place], part);
}

bool vsg_jit_is_asked_for(const vsg_jit_emitter *e, const loop *l, uint32_t part)
{
    const vsg_exe_unit *unit = e->unit;
    uint32_t first = unit->code[l->end].next_wait;
    uint32_t wait = l->exit ? unit->code[l->exit].wait : VSG_EXE_NO_WAIT;
    uint32_t count = wait == VSG_EXE_NO_WAIT ? 0 : wait + 1 - first;
    bool is_asked = (!l->is_endless && is_live_at(e, l->end + 1, part)) ||
                    (l->exit && is_live_at(e, l->exit, part));

    for (uint32_t i = 0; i < count; i++)
        is_asked |= is_live_at(e, unit->waits[first + i].pc, part);
    return is_asked;
}

/* The part that an instruction writes of no channel: is it its own in the loop? */
static bool is_written_once(const vsg_jit_emitter *e, const loop *l, uint32_t place)
{
    uint32_t part = e->part_of[e->unit->code[place].dst.offset];
    const uint64_t *live = e->live[l->start];

    if (part == VSG_JIT_NO_PART || !live || vsg_jit_has(live, part))
        return false;
    for (uint32_t n = 0; n < l->num_passes; n++)
        for (uint32_t i = 0; i < l->passes[n].num_lanes; i++)
            if (l->passes[n].lanes[i].part == part)
                return false;
    for (uint32_t i = l->start + 1; i < l->end; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (i != place && inst->source && !inst->message &&
            inst->dst.kind == VSG_EXE_OPERAND_REGION && !inst->dst.is_null &&
            e->part_of[inst->dst.offset] == part)
            return false;
    }
    return true;
}

static bool is_to_surface(const vsg_exe_message *message, uint32_t element)
{
    return message->target == VSG_EXE_TARGET_SURFACE && message->entry == element;
}

/* Is a surface that an instruction in the loop names used only where it has been named in the
 * same block, and not behind the loop? Then it is the same whichever channel was there last. */
static bool is_named_before(const vsg_jit_emitter *e, const loop *l, uint32_t place)
{
    uint32_t element = e->unit->code[place].dst.index;
    bool is_named = false;

    if (vsg_jit_is_asked_for(e, l, e->num_general + e->unit->num_predicates + element))
        return false;
    for (uint32_t i = l->start + 1; i < l->end; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        is_named = (is_named && !e->notes[i].is_leader) ||
                   (vsg_jit_names_surface(inst) && inst->dst.index == element);
        if (!is_named && inst->message && is_to_surface(inst->message, element))
            return false;
    }
    return true;
}

/* May an instruction of no channel be run by each channel, at any time? */
static bool is_any_time(const vsg_jit_emitter *e, const loop *l, uint32_t place)
{
    return vsg_jit_names_surface(&e->unit->code[place]) ? is_named_before(e, l, place)
                                                        : is_written_once(e, l, place);
}

/* Of how many channels, when the loop begins, it is quicker one channel after the other. Side
 * by side a gather of 32 takes some 32 cycles, and another instruction as many as there are
 * vectors; of one channel, three instructions take a cycle. Where there are arrays, in
 * registers or in scratch, how far channels keep together decides, which is found out
 * (vsg_jit_loop.is_tried). */
static uint32_t most_channels(const judge *j)
{
    uint32_t count = j->l->passes[0].count, gathers = j->num_gathers, others = j->num_others;
    bool is_straight = !j->l->exit && !j->l->has_skips;
    uint32_t work = is_straight ? MOST_WORK / 2 : MOST_WORK;

    /* Where denormals are zeros, what is added is hidden from LLVM (flush.c), and from that. */
    if (is_straight && j->adds && !j->l->store && j->e->relieves && !j->e->flushes &&
        vsg_jit_has_avx2(j->e))
        work = MOST_WORK_ABREAST;
    if (j->l->is_tried || (gathers >= LEAST_GATHERS && others <= work * gathers))
        return j->e->simd_size;
    if (gathers == 0 || others > MOST_OTHERS || j->l->num_inner > MOST_SHORT)
        return 0;
    uint32_t most = (3 * count * gathers + count * others / 5) / (gathers + others);
    return j->l->num_passes * (most < count / 2 ? most : count / 2);
}

static bool is_between(const vsg_exe_operand *operand, const vsg_jit_loop_array *array)
{
    return operand->kind == VSG_EXE_OPERAND_REGION && !operand->shared &&
           operand->offset < array->end && operand->offset >= array->at;
}

/* Does an instruction take anything of an array as it lies there? */
static bool has_arrays(const loop *l, const vsg_exe_inst *inst)
{
    bool found = false;

    for (uint32_t n = 0; n < l->num_arrays; n++) {
        found |= is_between(&inst->dst, &l->arrays[n]);
        for (uint32_t s = 0; s < inst->num_sources; s++)
            found |= is_between(&inst->src[s], &l->arrays[n]);
    }
    return found;
}

/* Side by side, each element that channels load together is a gather of its own; to say which
 * surface is nothing. */
static void count_work(judge *j, uint32_t place)
{
    const vsg_exe_inst *inst = &j->e->unit->code[place];
    bool gathers = vsg_jit_is_loop_load(inst) && is_gather(j->e, inst);

    if (j->p != j->l->passes || j->p->roles[place - j->l->start] == VSG_JIT_ROLE_NOTHING)
        return;
    if (gathers)
        j->num_gathers += inst->message->num_elements;
    else
        j->num_others += !vsg_jit_names_surface(inst);
}

static void judge_pass(judge *j)
{
    j->changed = true;
    j->round = (lanes){{0}};
    look_once(j); /* now it is known what is written */
    j->loaded = j->places = (lanes){{0}};
    while (j->changed && j->is_good) {
        j->changed = false;
        look_once(j);
    }
    j->adds = j->adds && j->is_good && leaves_sums(j);
    for (uint32_t i = j->l->start + 1; i < j->l->end && j->is_good; i++) {
        const vsg_exe_inst *inst = &j->e->unit->code[i];
        if (j->p->roles[i - j->l->start] == VSG_JIT_ROLE_WHOLE &&
            !vsg_jit_is_of_parts(j->e, j->l->fixed, &inst->dst) && !is_any_time(j->e, j->l, i))
            j->is_good = false;
        count_work(j, i);
        if (j->e->notes[i].elements == 0)
            vsg_jit_parts_at(j->e, i, spoil_part, j);
    }
}

/* Of arrays, whose rows are whole. */
static void judge_arrays(judge *j)
{
    for (uint32_t n = 0; n < j->l->num_arrays; n++) {
        const vsg_jit_loop_array *array = &j->l->arrays[n];
        if (array->end - array->at < vsg_jit_channels_of(j->l, array) * array->bytes)
            j->is_good = false;
    }
    for (uint32_t i = j->l->start + 1; i < j->l->end && j->l->num_arrays > 0; i++)
        j->is_good &= !has_arrays(j->l, &j->e->unit->code[i]);
}

static uint32_t end_of(const pass *p, const loop_lane *lane)
{
    return lane->at + lane->stride * (p->count - 1) + lane->bytes;
}

/* Does a half of the channels write what the other one has elements of? */
static bool halves_mix(const loop *l)
{
    const pass *p = &l->passes[0], *q = &l->passes[1];

    for (uint32_t i = 0; i < p->num_lanes; i++)
        for (uint32_t k = 0; k < q->num_lanes; k++) {
            const loop_lane *a = &p->lanes[i], *b = &q->lanes[k];
            if (a->part == b->part && a->stride > 0 && (a->is_written || b->is_written) &&
                a->at < end_of(q, b) && b->at < end_of(p, a))
                return true;
        }
    return false;
}

/* Would a channel keep an element of what it makes anew each time? */
static bool has_fixed_lanes(const loop *l)
{
    for (uint32_t n = 0; n < l->num_passes; n++)
        for (uint32_t i = 0; i < l->passes[n].num_lanes; i++)
            if (vsg_jit_has(l->fixed, l->passes[n].lanes[i].part))
                return true;
    return false;
}

/* Side by side all channels go through each arm of a branch that any takes, and where what they
 * load says where they load next nothing is known of rows: which is better is found out, unless
 * the loop begins so often, or does so little, that finding out costs more than it gains. */
static bool has_arms(const judge *j)
{
    return j->l->has_skips && j->num_gathers > 0 &&
           j->num_others > LEAST_IN_ARMS * j->num_gathers && !is_nested(j->e, j->l);
}

static bool is_worth_it(vsg_jit_emitter *e, loop *l)
{
    judge j = {.e = e, .l = l, .adds = true, .is_good = true};
    bool waits = false;

    for (uint32_t n = 0; n < l->num_passes && j.is_good; n++) {
        j.p = &l->passes[n];
        judge_pass(&j);
        waits |= waits_for_loads(&j);
    }
    judge_arrays(&j);
    judge_scratch(&j);
    l->is_tried = l->num_arrays > 0 || l->scratch.is_stored;
    j.is_good = j.is_good && !has_fixed_lanes(l) && !(l->num_passes > 1 && halves_mix(l));
    l->most_channels = most_channels(&j);
    if (j.is_good && waits && has_arms(&j)) {
        l->is_tried = true;
        l->most_channels = e->simd_size;
    }
    return j.is_good && l->most_channels > 1 && (l->is_tried || !waits);
}

/* ---- finding them ------------------------------------------------------------------------ */

/* What all channels go by may have one channel in the text. */
static bool is_for_all(const vsg_exe_inst *inst)
{
    return inst->exec_size == 1 && !inst->predicate_mode;
}

/* Do all channels take a goto or none, by a predicate? */
static bool is_even(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    return inst->exec_size == 1 && inst->predicate_mode && !e->varies[inst->predicate];
}

/* May an instruction be in the loop? Branches in it go forwards; those that leave it, all to
 * the same label. */
static bool is_in_loop(const vsg_jit_emitter *e, const loop *l, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];

    if (inst->op != VISAGE_OP_GOTO)
        return true;
    return inst->target > place &&
           (inst->target <= l->end || !l->exit || inst->target == l->exit) &&
           inst->mask_offset == 0 && e->unit->code[inst->target].op == VISAGE_OP_LABEL &&
           (is_for_all(inst) || is_even(e, inst) ||
            (inst->exec_size == e->simd_size && !inst->no_mask));
}

bool vsg_jit_is_sometimes(const loop *l, uint32_t place)
{
    bool is_apart = false; /* as the first block is not */

    for (uint32_t i = 0; i < l->num_inner && l->inner[i].place <= place; i++)
        is_apart = l->inner[i].is_apart;
    return is_apart;
}

/* Up to where channels of a round may be apart behind an instruction, if they were up to
 * `apart` before. A goto of one channel takes all along that come to it; those that leave the
 * loop are in none of its rounds any more. */
static uint32_t apart_behind(const vsg_jit_emitter *e, const loop *l, uint32_t place,
                             uint32_t apart)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    bool parts = inst->op == VISAGE_OP_GOTO && inst->target <= l->end &&
                 (place < apart || !vsg_jit_is_uniform(e, inst));

    return parts && inst->target > apart ? inst->target : apart;
}

/* Do all gotos that leave the loop in its middle leave some channels in it? */
static bool has_one_kind(const vsg_jit_emitter *e, const loop *l)
{
    for (uint32_t i = l->start + 1; i < l->end; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (inst->op == VISAGE_OP_GOTO && inst->target > l->end && is_even(e, inst))
            return false;
    }
    return true;
}

/* The blocks behind the first one. False: there are too many, or it is no such loop. */
static bool find_inner(const vsg_jit_emitter *e, loop *l)
{
    const vsg_exe_inst *back = &e->unit->code[l->end];
    uint32_t joins = 0, apart = 0;

    l->is_even = l->is_endless || is_even(e, back);
    l->ends_together = l->is_even;
    bool diverges = !l->is_even; /* do channels go different ways often? */
    for (uint32_t i = l->start + 1; i < l->end; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (!is_in_loop(e, l, i) || !e->notes[i].is_reached)
            return false;
        if (e->notes[i].is_leader) {
            if (l->num_inner == VSG_JIT_MOST_INNER)
                return false;
            l->inner[l->num_inner++] = (vsg_jit_inner_block){
                .place = i, .is_skipped = i < joins, .is_apart = i < apart};
            l->has_skips |= i < joins;
        }
        if (inst->op == VISAGE_OP_GOTO && inst->target > joins)
            joins = inst->target;
        if (inst->op == VISAGE_OP_GOTO && inst->predicate_mode)
            diverges |= !vsg_jit_is_uniform(e, inst);
        bool is_together = i >= apart && is_even(e, inst);
        apart = apart_behind(e, l, i, apart);
        if (inst->op != VISAGE_OP_GOTO || inst->target <= l->end)
            continue;
        l->exit = inst->target;
        l->is_even &= is_together;
    }
    /* Where all go on or leave, what waits at the exit is not the loop's. */
    return diverges && !e->notes[l->end].is_leader && (l->is_even || has_one_kind(e, l));
}

/* Does a goto go back to a label, by channels that differ, which wait right behind it once they
 * leave, or by all that have not left before? */
static bool is_loop(const vsg_jit_emitter *e, uint32_t end)
{
    const vsg_exe_unit *unit = e->unit;
    const vsg_exe_inst *inst = &unit->code[end];

    if (inst->op != VISAGE_OP_GOTO || inst->target >= end || end + 1 >= unit->num_code ||
        inst->mask_offset != 0)
        return false;
    const vsg_exe_inst *head = &unit->code[inst->target], *behind = &unit->code[end + 1];
    if (head->op != VISAGE_OP_LABEL || head->wait != VSG_EXE_NO_WAIT ||
        !e->notes[inst->target].is_reached)
        return false;
    return is_for_all(inst) || is_even(e, inst) ||
           (inst->exec_size == e->simd_size && inst->predicate_mode &&
            !vsg_jit_is_uniform(e, inst) && behind->op == VISAGE_OP_LABEL &&
            behind->wait == inst->wait);
}

/* What nobody needs where the loop begins is not read, though a channel may go around where it
 * is written. What is written, and neither asked for behind the loop nor where it goes on, need
 * not be kept. A loop with branches inside goes on some rounds at a time. */
static void drop_dead_lanes(const vsg_jit_emitter *e, const loop *l, pass *p)
{
    for (uint32_t n = 0; n < p->num_lanes; n++) {
        loop_lane *lane = &p->lanes[n];
        lane->is_read &= is_live_at(e, l->start, lane->part);
        lane->is_written &=
            (l->has_skips && lane->is_read) || vsg_jit_is_asked_for(e, l, lane->part);
    }
}

static void own_parts(vsg_jit_emitter *e, pass *p)
{
    for (uint32_t n = 0; n < p->num_lanes; n++) {
        loop_lane *lane = &p->lanes[n];
        uint32_t bytes = lane->bytes ? lane->bytes : 4;
        uint32_t at = e->unit->register_bytes + 8 * e->num_own;
        lane->own = e->num_parts + e->num_own++;
        e->parts[lane->own] =
            (vsg_jit_part){.at = at, /* without a home: code of one channel has no handlers */
                           .bytes = bytes,
                           .element_bytes = bytes,
                           .type = vsg_jit_int(e, 8 * bytes, 1)};
        for (uint32_t i = 0; i < bytes; i++)
            e->part_of[at + i] = lane->own;
    }
}

/* Is the loop that ends at a place one that is quicker by channels? Fills `l`. */
static bool judge_loop(vsg_jit_emitter *e, uint32_t end, loop *l, vsg_jit_loop_room *room)
{
    uint32_t head = e->unit->code[end].target;

    memset(l, 0, offsetof(loop, arrays)); /* and not what is large */
    l->start = head;
    l->end = end;
    l->is_endless = is_for_all(&e->unit->code[end]);
    /* Control comes into it at its head alone. */
    if (!find_inner(e, l) || !vsg_jit_find_roles(e, l, room) || !is_worth_it(e, l) ||
        vsg_jit_is_entered(e, head + 1, end))
        return false;
    l->addresses = vsg_base_arena_new(&e->arena, end - head, sizeof *l->addresses);
    return l->addresses != NULL;
}

/* All loops of a unit. */
typedef struct search {
    vsg_jit_loop_room room;
    uint32_t ordinary;        /* lanes of loops that are not tried */
    bool is_known, are_local; /* is it known whether addresses are, and are they? */
} search;

/* Is there room for the lanes of a loop, beside `ordinary` ones of loops that are not tried? */
static bool has_room(const vsg_jit_emitter *e, const loop *l, uint32_t *ordinary)
{
    uint32_t num_lanes = 0;

    for (uint32_t n = 0; n < l->num_passes; n++)
        num_lanes += l->passes[n].num_lanes;
    if (e->num_own + num_lanes > VSG_JIT_MOST_LANES ||
        (!l->is_tried && *ordinary + num_lanes > MOST_ORDINARY))
        return false;
    *ordinary += l->is_tried ? 0 : num_lanes;
    return true;
}

/* Can channels' addresses be their own in loops that have arrays? */
static bool can_have_arrays(vsg_jit_emitter *e, search *s)
{
    if (!s->is_known)
        s->are_local = vsg_jit_addresses_are_local(e);
    s->is_known = true;
    return s->are_local;
}

bool vsg_jit_find_loops(vsg_jit_emitter *e)
{
    search s = {0};
    loop *l = NULL;

    if (e->in_frame || e->waits_in_frame)
        return true;
    e->loops = vsg_base_arena_new(&e->arena, e->unit->num_code, sizeof *e->loops);
    if (!e->loops)
        return false;
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        if (!is_loop(e, i))
            continue;
        l = l ? l : vsg_base_arena_new(&e->arena, 1, sizeof *l);
        if (!l || !vsg_jit_make_loop_room(e, &s.room))
            return false;
        if (!judge_loop(e, i, l, &s.room) || !has_room(e, l, &s.ordinary) ||
            (l->num_arrays > 0 && !can_have_arrays(e, &s)))
            continue;
        for (uint32_t n = 0; n < l->num_passes; n++) {
            drop_dead_lanes(e, l, &l->passes[n]);
            own_parts(e, &l->passes[n]);
        }
        e->loops[e->unit->code[i].target] = l;
        l = NULL;
        s.room.fixed = s.room.stepped = NULL;
    }
    return true;
}
