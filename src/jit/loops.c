/* SPDX-License-Identifier: MIT */
#include "jit/loops.h"

#include <string.h>

#include "exec/handlers.h"
#include "exec/message.h"
#include "jit/marks.h"
#include "jit/rows.h"
#include "jit/sets.h"
#include "jit/transfer.h"

/* Instructions for each gather: with more of them channels are better side by side. */
enum { LEAST_GATHERS = 2, MOST_WORK = 8 };
/* Of a loop with branches: blocks behind its first one, rounds of which is kept who was where;
 * and stores and loads of a loop that stores, stores that are put off. */
enum { MOST_INNER = 8, MOST_ROUNDS = 1024, MOST_ACCESSES = 8, MOST_STORES = 1024 };

/* The elements that channels have of a part, one each; of predicates, bits. */
typedef struct loop_lane {
    uint32_t part, own; /* own: the part that has one channel's value */
    uint32_t at, bytes, stride;
    bool is_read, is_written; /* before it is written; and asked for behind the loop */
    LLVMValueRef all;         /* slot of all channels' values while they are in work */
} loop_lane;

/* A block of the loop behind its first one. */
typedef struct inner_block {
    uint32_t place;
    bool is_skipped; /* a channel may go around it */
    LLVMBasicBlockRef block;
} inner_block;

/* An access of a loop that stores. */
typedef struct loop_access {
    uint32_t window;
    bool is_store;
} loop_access;

struct vsg_jit_loop {
    uint32_t end; /* place of the goto back */
    inner_block inner[MOST_INNER];
    uint32_t num_inner;
    bool has_skips;
    uint32_t exit;  /* label where channels wait that leave in its middle; 0: none does */
    uint32_t store; /* place of its store; 0: none */
    loop_access accesses[MOST_ACCESSES];
    uint32_t num_accesses;
    LLVMValueRef visits;                      /* MOST_ROUNDS bytes: bits of inner blocks */
    LLVMValueRef num_visits;                  /* i64: their instructions */
    LLVMValueRef places, num_places, element; /* of stores: pointers, i64, what they store */
    loop_lane lanes[VSG_JIT_MOST_LANES];
    uint32_t num_lanes;
    LLVMValueRef bits, rounds, most_rounds; /* slots: channels to come; of this one, of any */
    LLVMValueRef tries;                     /* slot: how often it has begun */
    LLVMValueRef gone;                      /* slot: channels that left in the middle */
    LLVMBasicBlockRef leaving;              /* one does */
    LLVMBasicBlockRef head;                 /* of the loop as it stands */
};
typedef struct vsg_jit_loop loop;

/* ---- channels' elements ------------------------------------------------------------------ */

/* A lane of the loop with this geometry; -1: the part has another one, or there is no room. */
static int find_lane(loop *l, const loop_lane *wanted)
{
    for (uint32_t i = 0; i < l->num_lanes; i++)
        if (l->lanes[i].part == wanted->part)
            return l->lanes[i].at == wanted->at && l->lanes[i].bytes == wanted->bytes &&
                           l->lanes[i].stride == wanted->stride
                       ? (int)i
                       : -1;
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

/* Has an operand an element for each channel, in its order? */
static bool is_by_channel(const vsg_exe_operand *operand)
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
    if (!is_by_channel(operand))
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
    bool is_load, decides;
} use;

static bool is_plain(const vsg_exe_inst *inst, vsg_exe_handler handler)
{
    const vsg_exe_message *message = inst->message;

    return message && vsg_exe_op_of((visage_op)inst->op)->handler == handler &&
           !inst->predicate_mode && !message->is_block && !message->strided &&
           message->num_elements == 1;
}

static bool is_plain_load(const vsg_exe_inst *inst)
{
    return is_plain(inst, vsg_exe_do_load);
}

static bool is_plain_store(const vsg_exe_inst *inst)
{
    return is_plain(inst, vsg_exe_do_store);
}

static void note(judge *j, int found, uint64_t *bits)
{
    if (found < 0)
        j->is_good = false;
    else
        *bits |= UINT64_C(1) << found;
}

static use use_of(judge *j, const vsg_exe_inst *inst)
{
    use u = {.decides = inst->op == VISAGE_OP_GOTO};

    if (inst->predicate_mode) {
        note(j, find_predicate(j->e, j->l, inst->predicate), &u.reads);
        if (inst->predicate_mode & (VSG_EXE_PRED_ANY | VSG_EXE_PRED_ALL))
            j->is_good = false;
    }
    if (u.decides)
        return u;
    if (is_plain_load(inst) || is_plain_store(inst)) {
        u.is_load = u.decides = is_plain_load(inst);
        note(j, find_row(j->e, j->l, &inst->message->address, inst->message->address_bytes),
             &u.reads);
        note(j, find_row(j->e, j->l, &inst->message->data, inst->message->register_bytes),
             u.is_load ? &u.writes : &u.reads);
        return u;
    }
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (!is_of_all(&inst->src[s]))
            note(j, find_operand(j->e, j->l, &inst->src[s]), &u.reads);
    note(j, find_operand(j->e, j->l, &inst->dst), &u.writes);
    if (inst->predicate_mode)
        u.reads |= u.writes;
    return u;
}

/* Can a channel execute the instruction alone? */
static bool is_by_channels(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t flags = vsg_isa_op((visage_op)inst->op)->flags;

    if (vsg_jit_does_nothing(inst))
        return true;
    if (!inst->source || inst->exec_size != e->simd_size || inst->mask_offset != 0 ||
        inst->no_mask || inst->refresh || inst->writes_mode)
        return false;
    return is_plain_load(inst) || is_plain_store(inst) ||
           (!inst->message && !(flags & (VSG_ISA_OWN_SHAPE | VSG_ISA_PRED_RESULT)) &&
            (inst->dst.kind == VSG_EXE_OPERAND_REGION || inst->op == VISAGE_OP_CMP) &&
            inst->dst2.kind != VSG_EXE_OPERAND_REGION);
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
        uint64_t unsure = i < joins ? u.writes : 0;
        note_order(j, &u);
        j->round |= u.reads & ~(written | here);
        for (uint32_t n = 0; n < j->l->num_lanes; n++) {
            j->l->lanes[n].is_read |= (((u.reads | unsure) & ~written) >> n & 1) != 0;
            j->l->lanes[n].is_written |= (u.writes >> n & 1) != 0;
        }
        written |= u.writes & ~unsure;
        here |= u.writes;
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

static void spoil(void *user, const vsg_jit_access *access)
{
    judge *j = user;

    vsg_jit_each_part(j->e, access, spoil_part, user);
}

/* Does a store store the same whichever channel it is, and whenever? Just before it, all
 * channels get what they share. What they share does not change in the loop. */
static bool stores_the_same(const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_operand *data = &e->unit->code[place].message->data;
    uint32_t part = e->part_of[data->offset];

    for (uint32_t i = place; !e->notes[i].is_leader;) {
        const vsg_exe_inst *inst = &e->unit->code[--i];
        const vsg_exe_operand *dst = inst->message ? &inst->message->data : &inst->dst;
        if (dst->kind != VSG_EXE_OPERAND_REGION || dst->offset >= e->unit->register_bytes ||
            e->part_of[dst->offset] != part)
            continue;
        for (uint32_t s = 0; s < inst->num_sources; s++)
            if (!is_of_all(&inst->src[s]))
                return false;
        return !inst->message && !inst->predicate_mode;
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
        num_messages++;
        num_flat += vsg_jit_is_flat(inst->message);
        if (!is_plain_store(inst))
            continue;
        num_stores++;
        j->l->store = i;
        j->is_good = is_gather(e, inst) && stores_the_same(e, i);
    }
    if (num_stores > 0 &&
        (num_stores > 1 || num_flat < num_messages || num_messages > MOST_ACCESSES))
        j->is_good = false;
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
        j.num_gathers += gathers;
        j.num_others += !gathers && inst->op != VISAGE_OP_LABEL && !vsg_jit_does_nothing(inst);
        vsg_jit_accesses(e, i, spoil, &j);
    }
    judge_stores(&j);
    return j.is_good && j.num_gathers >= LEAST_GATHERS &&
           j.num_others <= MOST_WORK * j.num_gathers && !waits_for_loads(&j);
}

/* ---- finding them ------------------------------------------------------------------------ */

/* May an instruction be in the loop? Branches in it go forwards; those that leave it, all to
 * the same label. */
static bool is_in_loop(const vsg_jit_emitter *e, const loop *l, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];

    if (inst->op != VISAGE_OP_GOTO)
        return true;
    /* What all channels go by may have one channel in the text. */
    bool is_of_one = inst->exec_size == 1 && !inst->predicate_mode;
    return inst->target > place &&
           (inst->target <= l->end || !l->exit || inst->target == l->exit) &&
           inst->mask_offset == 0 && e->unit->code[inst->target].op == VISAGE_OP_LABEL &&
           (is_of_one || (inst->exec_size == e->simd_size && !inst->no_mask));
}

/* The blocks behind the first one. False: there are too many, or it is no such loop. */
static bool find_inner(const vsg_jit_emitter *e, uint32_t head, loop *l)
{
    uint32_t joins = 0;

    for (uint32_t i = head + 1; i < l->end; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (!is_in_loop(e, l, i) || !e->notes[i].is_reached)
            return false;
        if (e->notes[i].is_leader) {
            if (l->num_inner == MOST_INNER)
                return false;
            l->inner[l->num_inner++] = (inner_block){.place = i, .is_skipped = i < joins};
            l->has_skips |= i < joins;
        }
        if (inst->op == VISAGE_OP_GOTO && inst->target > joins)
            joins = inst->target;
        if (inst->op == VISAGE_OP_GOTO && inst->target > l->end)
            l->exit = inst->target;
    }
    return !e->notes[l->end].is_leader;
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

/* Does a goto go back to a label, by channels that differ? Those that leave wait right behind
 * it.
 */
static bool is_loop(const vsg_jit_emitter *e, uint32_t end)
{
    const vsg_exe_unit *unit = e->unit;
    const vsg_exe_inst *inst = &unit->code[end];

    if (inst->op != VISAGE_OP_GOTO || inst->target >= end || end + 1 >= unit->num_code ||
        inst->exec_size != e->simd_size || inst->mask_offset != 0 ||
        inst->predicate_mode == 0 || vsg_jit_is_uniform(e, inst))
        return false;
    const vsg_exe_inst *head = &unit->code[inst->target], *behind = &unit->code[end + 1];
    return head->op == VISAGE_OP_LABEL && head->wait == VSG_EXE_NO_WAIT &&
           e->notes[inst->target].is_reached && e->notes[inst->target].is_divergent &&
           behind->op == VISAGE_OP_LABEL && behind->wait == inst->wait;
}

/* What is written and not asked for behind the loop, by whatever way, need not be kept. */
static void drop_dead_lanes(const vsg_jit_emitter *e, loop *l)
{
    const uint64_t *live = e->live[l->end + 1], *also = e->live[l->exit ? l->exit : l->end + 1];

    for (uint32_t n = 0; live && also && n < l->num_lanes; n++)
        l->lanes[n].is_written &=
            vsg_jit_has(live, l->lanes[n].part) || vsg_jit_has(also, l->lanes[n].part);
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
        if (!find_inner(e, head, l) || !is_worth_it(e, head, l) || is_entered(e, head, l) ||
            e->num_own + l->num_lanes > VSG_JIT_MOST_LANES)
            continue;
        drop_dead_lanes(e, l);
        own_parts(e, l);
        e->loops[head] = l;
    }
    return true;
}

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

static void narrow_operand(const vsg_jit_emitter *e, const loop *l, vsg_exe_operand *operand)
{
    if (operand->kind == VSG_EXE_OPERAND_PREDICATE) {
        operand->index = lane_of(l, e->num_general + operand->index)->own - e->num_general;
    } else if (is_by_channel(operand)) {
        const loop_lane *lane = lane_of(l, e->part_of[operand->offset]);
        operand->offset = e->parts[lane->own].at;
        operand->shape = VSG_EXE_SHAPE_SCALAR;
    }
}

/* The rows of a message have one element. */
static void narrow_row(const vsg_jit_emitter *e, const loop *l, vsg_exe_operand *operand)
{
    operand->offset = e->parts[lane_of(l, e->part_of[operand->offset])->own].at;
}

static void emit_narrow(vsg_jit_emitter *e, loop *l, const vsg_exe_inst *inst)
{
    vsg_exe_inst own = *inst;
    vsg_exe_message message;

    own.exec_size = 1;
    own.no_mask = true;
    if (own.predicate_mode)
        own.predicate =
            (uint16_t)(lane_of(l, e->num_general + inst->predicate)->own - e->num_general);
    if (inst->message) {
        message = *inst->message;
        narrow_row(e, l, &message.address);
        narrow_row(e, l, &message.data);
        own.message = &message;
        if (l->store)
            l->accesses[l->num_accesses++] =
                (loop_access){.window = e->num_windows, .is_store = is_plain_store(inst)};
    } else {
        for (uint32_t s = 0; s < own.num_sources; s++)
            narrow_operand(e, l, &own.src[s]);
        narrow_operand(e, l, &own.dst);
    }
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
static LLVMValueRef bounds(vsg_jit_emitter *e, const loop_access *access, LLVMValueRef *end)
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
    const vsg_exe_inst *end = &e->unit->code[l->end];
    LLVMValueRef waits = vsg_jit_wait_slot(e, e->unit->code[l->exit].wait);
    LLVMValueRef gone = LLVMBuildLoad2(e->b, e->i32, l->gone, "");
    LLVMValueRef mask = LLVMBuildLoad2(e->b, e->i32, e->mask, "");
    LLVMValueRef others = LLVMBuildAnd(e->b, mask, LLVMBuildNot(e->b, gone, ""), "");
    LLVMValueRef all = LLVMBuildOr(e->b, LLVMBuildLoad2(e->b, e->i32, waits, ""), gone, "");

    LLVMBuildStore(e->b, all, waits);
    LLVMBuildStore(e->b, others, e->mask);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, others, vsg_jit_i32(e, 0), ""),
                    e->blocks[l->end + 1], e->searches[end->next_wait]);
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
