/* SPDX-License-Identifier: MIT */
#include "jit/loops.h"

#include "exec/handlers.h"
#include "exec/message.h"
#include "jit/rows.h"
#include "jit/sets.h"
#include "jit/transfer.h"

/* Instructions for each gather: with more of them, or fewer gathers, channels are better side
 * by side if there are many. So they are with half as many where channels differ in nothing but
 * the number of rounds. */
enum { LEAST_GATHERS = 2, MOST_WORK = 8, MOST_OTHERS = 40 };
/* Of a load, for a channel. */
enum { MOST_ELEMENTS = 4 };

typedef vsg_jit_loop loop;
typedef vsg_jit_loop_lane loop_lane;

/* ---- channels' elements ------------------------------------------------------------------ */

/* Makes a lane one that has what another one has of the same part, too, each channel's bytes by
 * themselves. False: there is none that can be an element. */
static bool widen(loop_lane *lane, const loop_lane *wanted)
{
    uint32_t at = lane->at < wanted->at ? lane->at : wanted->at;
    uint32_t end = lane->at + lane->bytes, other_end = wanted->at + wanted->bytes;
    uint32_t bytes = (end > other_end ? end : other_end) - at;

    if (lane->stride != wanted->stride || bytes > 8 || (bytes & (bytes - 1)) != 0 ||
        (bytes > 0 && at % bytes != 0) || (lane->bytes > 0 && bytes > lane->stride))
        return false;
    lane->at = at;
    lane->bytes = bytes;
    return true;
}

/* A lane of the loop that has this one; -1: the part has another one, or there is no room. */
static int find_lane(loop *l, const loop_lane *wanted)
{
    for (uint32_t i = 0; i < l->num_lanes; i++)
        if (l->lanes[i].part == wanted->part)
            return widen(&l->lanes[i], wanted) ? (int)i : -1;
    if (l->num_lanes == VSG_JIT_MOST_LANES)
        return -1;
    l->lanes[l->num_lanes] = *wanted;
    return (int)l->num_lanes++;
}

static int find_region(const vsg_jit_emitter *e, loop *l, uint32_t offset, uint32_t bytes,
                       uint32_t stride)
{
    uint32_t part = e->part_of[offset];
    uint64_t end = offset + (uint64_t)stride * (e->simd_size - 1) + bytes;

    if (part == VSG_JIT_NO_PART || e->parts[part].in_frame ||
        end > (uint64_t)e->parts[part].at + e->parts[part].bytes)
        return -1;
    return find_lane(
        l, &(loop_lane){.part = part, .at = offset, .bytes = bytes, .stride = stride});
}

static int find_predicate(const vsg_jit_emitter *e, loop *l, uint32_t index)
{
    uint32_t part = e->num_general + index;

    return e->parts[part].in_frame ? -1 : find_lane(l, &(loop_lane){.part = part});
}

bool vsg_jit_is_by_channel(const vsg_exe_operand *operand)
{
    return operand->kind == VSG_EXE_OPERAND_REGION && !operand->shared && !operand->is_null &&
           (operand->shape == VSG_EXE_SHAPE_CONTIGUOUS ||
            (operand->shape == VSG_EXE_SHAPE_STRIDED && operand->h_stride_bytes > 0));
}

static bool is_of_all(const vsg_exe_operand *operand)
{
    return (operand->kind == VSG_EXE_OPERAND_IMMEDIATE && operand->count == 1) ||
           (operand->kind == VSG_EXE_OPERAND_REGION && operand->shape == VSG_EXE_SHAPE_SCALAR &&
            !operand->is_null);
}

static int find_operand(const vsg_jit_emitter *e, loop *l, const vsg_exe_operand *operand)
{
    if (operand->kind == VSG_EXE_OPERAND_PREDICATE)
        return find_predicate(e, l, operand->index);
    if (!vsg_jit_is_by_channel(operand))
        return -1;
    uint32_t stride = operand->shape == VSG_EXE_SHAPE_CONTIGUOUS
                          ? operand->bytes
                          : (uint32_t)operand->h_stride_bytes;
    return find_region(e, l, operand->offset, operand->bytes, stride);
}

static int find_row(const vsg_jit_emitter *e, loop *l, const vsg_exe_operand *operand,
                    uint32_t bytes)
{
    if (operand->kind != VSG_EXE_OPERAND_REGION || operand->shared || operand->is_null)
        return -1;
    return find_region(e, l, operand->offset, bytes, bytes);
}

/* ---- what a loop does -------------------------------------------------------------------- */

typedef struct judge {
    vsg_jit_emitter *e;
    loop *l;
    uint32_t head, place;
    uint32_t num_gathers, num_others;
    uint64_t loaded, places; /* lanes that come from loads, that loads or the goto depend on */
    uint64_t round;          /* that are read before they are written, in some block */
    bool changed, is_good;
} judge;

/* What an instruction reads and writes, as bits of lanes. */
typedef struct use {
    uint64_t reads, writes;
    uint64_t partly; /* that it writes some bytes of */
    bool is_load, decides;
} use;

/* Elements are moved one by one, which changes where places wrap around in 32 bits. */
static bool is_plain(const vsg_exe_inst *inst, vsg_exe_handler handler)
{
    const vsg_exe_message *message = inst->message;

    return message && vsg_exe_op_of((visage_op)inst->op)->handler == handler &&
           vsg_jit_has_memory(message) && !inst->predicate_mode && !message->is_block &&
           !message->strided && message->num_elements <= (message->narrow ? 1 : MOST_ELEMENTS);
}

static bool is_plain_load(const vsg_exe_inst *inst)
{
    return is_plain(inst, vsg_exe_do_load);
}

static bool is_plain_store(const vsg_exe_inst *inst)
{
    return is_plain(inst, vsg_exe_do_store) && inst->message->num_elements == 1;
}

/* Does an instruction say which surface accesses behind it are to (is_named_before())? */
static bool names_surface(const vsg_exe_inst *inst)
{
    return inst->dst.kind == VSG_EXE_OPERAND_SURFACE && inst->no_mask && inst->exec_size == 1 &&
           !inst->predicate_mode && inst->dst.index != VSG_ISA_SURFACE_BSS &&
           is_of_all(&inst->src[0]) && inst->src[0].bytes == 4 &&
           inst->src[0].modifier == VSG_OBJ_MOD_NONE;
}

/* Is an instruction one of no channel, and of the same whenever it is run, as far as it knows
 * itself (is_any_time())? */
static bool is_of_none(const vsg_exe_inst *inst)
{
    if (names_surface(inst))
        return true;
    if (!inst->no_mask || inst->exec_size != 1 || inst->message || inst->predicate_mode ||
        inst->dst.kind != VSG_EXE_OPERAND_REGION || inst->dst.shared || inst->dst.is_null)
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (!is_of_all(&inst->src[s]))
            return false;
    return true;
}

static void note(judge *j, int found, uint64_t *bits)
{
    if (found < 0)
        j->is_good = false;
    else
        *bits |= UINT64_C(1) << found;
}

static void note_written(judge *j, int found, uint32_t bytes, use *u)
{
    note(j, found, &u->writes);
    if (found >= 0 && bytes < j->l->lanes[found].bytes)
        note(j, found, &u->partly);
}

static void note_message(judge *j, const vsg_exe_inst *inst, use *u)
{
    const vsg_exe_message *message = inst->message;
    vsg_exe_operand data = message->data;

    u->is_load = u->decides = is_plain_load(inst);
    note(j, find_row(j->e, j->l, &message->address, message->address_bytes), &u->reads);
    for (uint32_t i = 0; i < message->num_elements; i++, data.offset += message->pitch_bytes) {
        int found = find_row(j->e, j->l, &data, message->register_bytes);
        if (u->is_load)
            note_written(j, found, message->register_bytes, u);
        else
            note(j, found, &u->reads);
    }
    /* Elements are loaded one after the other, and all from the address that there was. */
    if (u->reads & u->writes && message->num_elements > 1)
        j->is_good = false;
}

static use use_of(judge *j, const vsg_exe_inst *inst)
{
    use u = {.decides = inst->op == VISAGE_OP_GOTO};

    if (inst->predicate_mode) {
        note(j, find_predicate(j->e, j->l, inst->predicate), &u.reads);
        if (inst->predicate_mode & (VSG_EXE_PRED_ANY | VSG_EXE_PRED_ALL))
            j->is_good = false;
    }
    if (u.decides || is_of_none(inst))
        return u;
    if (inst->message) {
        note_message(j, inst, &u);
        return u;
    }
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (!is_of_all(&inst->src[s]))
            note(j, find_operand(j->e, j->l, &inst->src[s]), &u.reads);
    note_written(j, find_operand(j->e, j->l, &inst->dst), inst->dst.bytes, &u);
    if (inst->predicate_mode &&
        !(vsg_isa_op((visage_op)inst->op)->flags & VSG_ISA_PRED_SELECTS))
        u.reads |= u.writes;
    return u;
}

/* Logic of predicates alone. */
static bool is_of_predicates(const vsg_exe_inst *inst)
{
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (inst->src[s].kind != VSG_EXE_OPERAND_PREDICATE)
            return false;
    return inst->dst.kind == VSG_EXE_OPERAND_PREDICATE && inst->num_sources > 0;
}

/* Can a channel execute the instruction alone? */
static bool is_by_channels(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t flags = vsg_isa_op((visage_op)inst->op)->flags;

    if (vsg_jit_does_nothing(inst) || names_surface(inst))
        return true;
    if (!inst->source || inst->refresh || inst->writes_mode)
        return false;
    if (!is_of_none(inst) &&
        (inst->exec_size != e->simd_size || inst->mask_offset != 0 || inst->no_mask))
        return false;
    if (inst->message)
        return is_plain_load(inst) || is_plain_store(inst);
    return !(flags & (VSG_ISA_OWN_SHAPE | VSG_ISA_PRED_RESULT | VSG_ISA_ACROSS)) &&
           (inst->dst.kind == VSG_EXE_OPERAND_REGION || inst->op == VISAGE_OP_CMP ||
            is_of_predicates(inst)) &&
           inst->dst2.kind != VSG_EXE_OPERAND_REGION;
}

static bool is_gather(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t part = e->part_of[inst->message->address.offset];

    return part == VSG_JIT_NO_PART || e->rows[part].state != VSG_JIT_ROW_KNOWN;
}

/* Is an instruction in a loop a part of its flow? */
static bool is_inner_flow(const vsg_exe_inst *inst)
{
    return inst->op == VISAGE_OP_GOTO || inst->op == VISAGE_OP_LABEL;
}

static bool is_any_written(const loop *l, uint64_t lanes)
{
    for (uint32_t n = 0; n < l->num_lanes; n++)
        if ((lanes >> n & 1) && l->lanes[n].is_written)
            return true;
    return false;
}

/* What an instruction loads from one and the same place each round does not wait. */
static void note_order(judge *j, const use *u)
{
    bool is_load = u->is_load && is_any_written(j->l, u->reads);
    uint64_t loaded = is_load || (u->reads & j->loaded) ? u->writes : 0;
    uint64_t places = u->decides || (u->writes & j->places) ? u->reads : 0;

    j->changed |= (loaded & ~j->loaded) || (places & ~j->places);
    j->loaded |= loaded;
    j->places |= places;
}

/* One pass: what is read before it is written, then what depends on what. */
static void look_once(judge *j)
{
    uint64_t written = 0, here = 0; /* by all channels; in this block */
    uint32_t joins = 0;             /* up to there a channel may have gone around */

    for (uint32_t i = j->head + 1; i <= j->l->end && j->is_good; i++) {
        const vsg_exe_inst *inst = &j->e->unit->code[i];
        if (j->e->notes[i].is_leader)
            here = 0;
        if (inst->op == VISAGE_OP_LABEL || vsg_jit_does_nothing(inst))
            continue;
        if (!is_inner_flow(inst) && !is_by_channels(j->e, inst)) {
            j->is_good = false;
            return;
        }
        use u = use_of(j, inst);
        uint64_t unsure = i < joins ? u.writes : u.partly;
        note_order(j, &u);
        j->round |= u.reads & ~(written | here);
        for (uint32_t n = 0; n < j->l->num_lanes; n++) {
            j->l->lanes[n].is_read |= (((u.reads | unsure) & ~written) >> n & 1) != 0;
            j->l->lanes[n].is_written |= (u.writes >> n & 1) != 0;
        }
        written |= u.writes & ~unsure;
        here |= u.writes & ~u.partly;
        if (inst->op == VISAGE_OP_GOTO && inst->target > joins)
            joins = inst->target;
    }
}

/* Lanes that go round: a channel waits for its loads if they are loaded and say where to. */
static bool waits_for_loads(const judge *j)
{
    for (uint32_t n = 0; n < j->l->num_lanes; n++)
        if (j->l->lanes[n].is_written && ((j->round & j->loaded & j->places) >> n & 1))
            return true;
    return false;
}

static void spoil_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    judge *j = user;

    (void)covers;
    /* What all channels share must not change, nor a part be used in two ways. */
    for (uint32_t n = 0; n < j->l->num_lanes; n++)
        if (j->l->lanes[n].part == part && j->l->lanes[n].is_written &&
            access->stride_bytes == 0 && access->bytes > 0)
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
static bool stores_the_same(const vsg_jit_emitter *e, uint32_t place)
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
            if (!is_of_all(&inst->src[s]))
                return false;
        return !inst->predicate_mode &&
               inst->dst.bytes >= e->unit->code[place].message->register_bytes;
    }
    return false;
}

/* A loop may have one store, of the same to any place, and all that it loads must be flat
 * memory too: then windows tell at run time that it loads nothing that it has stored. */
static void judge_stores(judge *j)
{
    const vsg_jit_emitter *e = j->e;
    uint32_t num_messages = 0, num_flat = 0, num_stores = 0;

    for (uint32_t i = j->head + 1; i < j->l->end && j->is_good; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (!inst->message)
            continue;
        num_messages += inst->message->num_elements;
        num_flat += vsg_jit_is_flat(inst->message) ? inst->message->num_elements : 0;
        if (!is_plain_store(inst))
            continue;
        num_stores++;
        j->l->store = i;
        j->is_good = is_gather(e, inst) && stores_the_same(e, i);
    }
    if (num_stores > 0 &&
        (num_stores > 1 || num_flat < num_messages || num_messages > VSG_JIT_MOST_ACCESSES))
        j->is_good = false;
}

static bool is_live_at(const vsg_jit_emitter *e, uint32_t place, uint32_t part)
{
    return !e->live[place] || vsg_jit_has(e->live[place], part);
}

/* Is a part asked for where control goes on: right behind the loop, or at a label up to the
 * exit, where others may wait? */
static bool is_asked_for(const vsg_jit_emitter *e, const loop *l, uint32_t part)
{
    const vsg_exe_unit *unit = e->unit;
    uint32_t first = unit->code[l->end].next_wait;
    uint32_t count = l->exit ? unit->code[l->exit].wait + 1 - first : 0;
    bool is_asked = !l->is_endless && is_live_at(e, l->end + 1, part);

    for (uint32_t i = 0; i < count; i++)
        is_asked |= is_live_at(e, unit->waits[first + i].pc, part);
    return is_asked;
}

/* The part that an instruction writes of no channel: is it its own in the loop? */
static bool is_written_once(const vsg_jit_emitter *e, uint32_t head, const loop *l,
                            uint32_t place)
{
    uint32_t part = e->part_of[e->unit->code[place].dst.offset];
    const uint64_t *live = e->live[head];

    if (part == VSG_JIT_NO_PART || !live || vsg_jit_has(live, part))
        return false;
    for (uint32_t n = 0; n < l->num_lanes; n++)
        if (l->lanes[n].part == part)
            return false;
    for (uint32_t i = head + 1; i < l->end; i++) {
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
static bool is_named_before(const vsg_jit_emitter *e, uint32_t head, const loop *l,
                            uint32_t place)
{
    uint32_t element = e->unit->code[place].dst.index;
    bool is_named = false;

    if (is_asked_for(e, l, e->num_general + e->unit->num_predicates + element))
        return false;
    for (uint32_t i = head + 1; i < l->end; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        is_named = (is_named && !e->notes[i].is_leader) ||
                   (names_surface(inst) && inst->dst.index == element);
        if (!is_named && inst->message && is_to_surface(inst->message, element))
            return false;
    }
    return true;
}

/* May an instruction of no channel be run by each channel, at any time? */
static bool is_any_time(const vsg_jit_emitter *e, uint32_t head, const loop *l, uint32_t place)
{
    return names_surface(&e->unit->code[place]) ? is_named_before(e, head, l, place)
                                                : is_written_once(e, head, l, place);
}

/* Of how many channels, when the loop begins, it is quicker one channel after the other. Side
 * by side a gather of 32 takes some 32 cycles, and another instruction as many as there are
 * vectors; of one channel, three instructions take a cycle. */
static uint32_t most_channels(const judge *j)
{
    uint32_t simd = j->e->simd_size, gathers = j->num_gathers, others = j->num_others;
    uint32_t work = j->l->exit || j->l->has_skips ? MOST_WORK : MOST_WORK / 2;

    if (gathers >= LEAST_GATHERS && others <= work * gathers)
        return simd;
    if (gathers == 0 || others > MOST_OTHERS)
        return 0;
    uint32_t most = (3 * simd * gathers + simd * others / 5) / (gathers + others);
    return most < simd / 2 ? most : simd / 2;
}

static bool is_worth_it(vsg_jit_emitter *e, uint32_t head, loop *l)
{
    judge j = {.e = e, .l = l, .head = head, .is_good = true, .changed = true};

    look_once(&j); /* now it is known what is written */
    j.loaded = j.places = 0;
    while (j.changed && j.is_good) {
        j.changed = false;
        look_once(&j);
    }
    for (uint32_t i = head + 1; i < l->end && j.is_good; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        bool gathers = is_plain_load(inst) && is_gather(e, inst);
        if (is_of_none(inst) && !is_any_time(e, head, l, i))
            j.is_good = false;
        j.num_gathers += gathers;
        j.num_others += !gathers && inst->op != VISAGE_OP_LABEL && !vsg_jit_does_nothing(inst);
        vsg_jit_parts_at(e, i, spoil_part, &j);
    }
    judge_stores(&j);
    l->most_channels = most_channels(&j);
    return j.is_good && l->most_channels > 1 && !waits_for_loads(&j);
}

/* ---- finding them ------------------------------------------------------------------------ */

/* What all channels go by may have one channel in the text. */
static bool is_for_all(const vsg_exe_inst *inst)
{
    return inst->exec_size == 1 && !inst->predicate_mode;
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
           (is_for_all(inst) || (inst->exec_size == e->simd_size && !inst->no_mask));
}

/* The blocks behind the first one. False: there are too many, or it is no such loop. */
static bool find_inner(const vsg_jit_emitter *e, uint32_t head, loop *l)
{
    uint32_t joins = 0;
    bool diverges = !l->is_endless; /* do channels go round differently often? */

    for (uint32_t i = head + 1; i < l->end; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (!is_in_loop(e, l, i) || !e->notes[i].is_reached)
            return false;
        if (e->notes[i].is_leader) {
            if (l->num_inner == VSG_JIT_MOST_INNER)
                return false;
            l->inner[l->num_inner++] =
                (vsg_jit_inner_block){.place = i, .is_skipped = i < joins};
            l->has_skips |= i < joins;
        }
        if (inst->op == VISAGE_OP_GOTO && inst->target > joins)
            joins = inst->target;
        if (inst->op != VISAGE_OP_GOTO || inst->target <= l->end)
            continue;
        l->exit = inst->target;
        diverges |= inst->predicate_mode && !vsg_jit_is_uniform(e, inst);
    }
    return diverges && !e->notes[l->end].is_leader;
}

/* Does control come into the loop from elsewhere, but at its head? */
static bool is_entered(const vsg_jit_emitter *e, uint32_t head, const loop *l)
{
    for (uint32_t i = 0; l->num_inner > 0 && i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (i > head && i <= l->end)
            continue;
        if (inst->target > head && inst->target <= l->end)
            return true;
        for (uint32_t t = 0; t < inst->num_targets; t++)
            if (inst->targets[t] > head && inst->targets[t] <= l->end)
                return true;
    }
    return false;
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
        !e->notes[inst->target].is_reached || !e->notes[inst->target].is_divergent)
        return false;
    return is_for_all(inst) || (inst->exec_size == e->simd_size && inst->predicate_mode &&
                                !vsg_jit_is_uniform(e, inst) && behind->op == VISAGE_OP_LABEL &&
                                behind->wait == inst->wait);
}

/* What is written and not asked for behind the loop need not be kept. */
static void drop_dead_lanes(const vsg_jit_emitter *e, loop *l)
{
    for (uint32_t n = 0; n < l->num_lanes; n++)
        l->lanes[n].is_written &= is_asked_for(e, l, l->lanes[n].part);
}

static void own_parts(vsg_jit_emitter *e, loop *l)
{
    for (uint32_t n = 0; n < l->num_lanes; n++) {
        loop_lane *lane = &l->lanes[n];
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

bool vsg_jit_find_loops(vsg_jit_emitter *e)
{
    if (e->in_frame || e->waits_in_frame)
        return true;
    e->loops = vsg_base_arena_new(&e->arena, e->unit->num_code, sizeof *e->loops);
    if (!e->loops)
        return false;
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        if (!is_loop(e, i))
            continue;
        loop *l = vsg_base_arena_new(&e->arena, 1, sizeof *l);
        uint32_t head = e->unit->code[i].target;
        if (!l)
            return false;
        l->end = i;
        l->is_endless = is_for_all(&e->unit->code[i]);
        if (!find_inner(e, head, l) || !is_worth_it(e, head, l) || is_entered(e, head, l) ||
            e->num_own + l->num_lanes > VSG_JIT_MOST_LANES)
            continue;
        drop_dead_lanes(e, l);
        own_parts(e, l);
        e->loops[head] = l;
    }
    return true;
}
