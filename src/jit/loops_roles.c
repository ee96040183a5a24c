/* SPDX-License-Identifier: MIT
 *
 * What one channel does of the text of a loop that channels run one after the other: the part
 * of each instruction that is its own, and the elements that it has of variables. */
#include "jit/loops_roles.h"

#include <string.h>

#include "exec/build.h"
#include "exec/handlers.h"
#include "exec/message.h"
#include "exec/operand.h"
#include "jit/elements.h"
#include "jit/lowering.h"
#include "jit/sets.h"
#include "jit/transfer.h"

/* Of a load, for a channel. */
enum { MOST_ELEMENTS = 4 };
/* How often a loop's text is gone through to find out what depends on what; how far back an
 * address is looked for. */
enum { MOST_STEPS = 8, MOST_BACK = 256 };

typedef vsg_jit_loop loop;
typedef vsg_jit_loop_pass pass;
typedef vsg_jit_loop_lane loop_lane;
typedef vsg_jit_loop_array loop_array;
typedef vsg_jit_loop_use use;

/* ---- channels' elements ------------------------------------------------------------------ */

/* Makes a lane one that has what another one has of the same part, too, each channel's bytes by
 * themselves. False: there is none that can be an element. */
static bool widen(loop_lane *lane, const loop_lane *wanted)
{
    uint32_t at = lane->at < wanted->at ? lane->at : wanted->at;
    uint32_t end = lane->at + lane->bytes, other_end = wanted->at + wanted->bytes;
    uint32_t bytes = (end > other_end ? end : other_end) - at;

    if (lane->stride != wanted->stride || bytes > 8 || (bytes & (bytes - 1)) != 0 ||
        (bytes > 0 && at % bytes != 0) || (lane->stride > 0 && bytes > lane->stride))
        return false;
    lane->at = at;
    lane->bytes = bytes;
    return true;
}

/* A lane of the pass that has this one; -1: the part has another one, or there is no room. */
static int find_lane(pass *p, const loop_lane *wanted)
{
    for (uint32_t i = 0; i < p->num_lanes; i++)
        if (p->lanes[i].part == wanted->part)
            return widen(&p->lanes[i], wanted) ? (int)i : -1;
    if (p->num_lanes == VSG_JIT_MOST_PASS_LANES)
        return -1;
    p->lanes[p->num_lanes] = *wanted;
    return (int)p->num_lanes++;
}

static int find_region(const vsg_jit_emitter *e, pass *p, uint32_t offset, uint32_t bytes,
                       uint32_t stride)
{
    uint32_t part = e->part_of[offset];
    uint64_t end = offset + (uint64_t)stride * (p->count - 1) + bytes;

    if (part == VSG_JIT_NO_PART || e->parts[part].in_frame ||
        end > (uint64_t)e->parts[part].at + e->parts[part].bytes)
        return -1;
    return find_lane(
        p, &(loop_lane){.part = part, .at = offset, .bytes = bytes, .stride = stride});
}

static int find_predicate(const vsg_jit_emitter *e, pass *p, uint32_t index)
{
    uint32_t part = e->num_general + index;

    return e->parts[part].in_frame ? -1 : find_lane(p, &(loop_lane){.part = part});
}

bool vsg_jit_is_by_channel(const vsg_exe_operand *operand)
{
    return operand->kind == VSG_EXE_OPERAND_REGION && !operand->shared && !operand->is_null &&
           (operand->shape == VSG_EXE_SHAPE_CONTIGUOUS ||
            (operand->shape == VSG_EXE_SHAPE_STRIDED && operand->h_stride_bytes > 0));
}

/* Has an operand one value for all channels? */
static bool is_one(const vsg_exe_operand *operand)
{
    return (operand->kind == VSG_EXE_OPERAND_IMMEDIATE && operand->count == 1) ||
           (operand->kind == VSG_EXE_OPERAND_REGION && operand->shape == VSG_EXE_SHAPE_SCALAR &&
            !operand->is_null);
}

bool vsg_jit_is_of_parts(const vsg_jit_emitter *e, const uint64_t *parts,
                         const vsg_exe_operand *operand)
{
    uint32_t part = operand->kind == VSG_EXE_OPERAND_REGION && !operand->shared &&
                            operand->offset < e->unit->register_bytes
                        ? e->part_of[operand->offset]
                        : VSG_JIT_NO_PART;

    return part != VSG_JIT_NO_PART && vsg_jit_has(parts, part);
}

bool vsg_jit_is_of_all(const vsg_jit_emitter *e, const loop *l, const vsg_exe_operand *operand)
{
    return is_one(operand) && !vsg_jit_is_of_parts(e, l->stepped, operand);
}

static int find_operand(const vsg_jit_emitter *e, pass *p, const vsg_exe_inst *inst,
                        const vsg_exe_operand *operand)
{
    if (operand->kind == VSG_EXE_OPERAND_PREDICATE)
        return find_predicate(e, p, operand->index);
    if (operand->kind == VSG_EXE_OPERAND_REGION && is_one(operand) && !operand->shared)
        return find_region(e, p, operand->offset, operand->bytes, 0);
    if (!vsg_jit_is_by_channel(operand))
        return -1;
    uint32_t stride = vsg_jit_channel_stride(operand);
    return find_region(e, p, operand->offset + vsg_jit_pass_skips(p, inst) * stride,
                       operand->bytes, stride);
}

static int find_row(const vsg_jit_emitter *e, pass *p, const vsg_exe_inst *inst,
                    const vsg_exe_operand *operand, uint32_t bytes)
{
    if (operand->kind != VSG_EXE_OPERAND_REGION || operand->shared || operand->is_null)
        return -1;
    return find_region(e, p, operand->offset + vsg_jit_pass_skips(p, inst) * bytes, bytes,
                       bytes);
}

/* ---- what a channel can do by itself ----------------------------------------------------- */

/* Elements are moved one by one, which changes where places wrap around in shared local memory.
 */
static bool is_plain(const vsg_exe_inst *inst, vsg_exe_handler handler)
{
    const vsg_exe_message *message = inst->message;

    return message && vsg_exe_op_of((visage_op)inst->op)->handler == handler &&
           vsg_jit_has_memory(message) && !inst->predicate_mode && !message->is_block &&
           !message->strided &&
           message->num_elements <= (vsg_exe_is_slm(message) ? 1 : MOST_ELEMENTS);
}

bool vsg_jit_is_loop_load(const vsg_exe_inst *inst)
{
    return is_plain(inst, vsg_exe_do_load);
}

bool vsg_jit_is_loop_store(const vsg_exe_inst *inst)
{
    return is_plain(inst, vsg_exe_do_store) && inst->message->num_elements == 1;
}

bool vsg_jit_names_surface(const vsg_exe_inst *inst)
{
    return inst->dst.kind == VSG_EXE_OPERAND_SURFACE && inst->no_mask && inst->exec_size == 1 &&
           !inst->predicate_mode && inst->dst.index != VSG_ISA_SURFACE_BSS &&
           is_one(&inst->src[0]) && inst->src[0].bytes == 4 &&
           inst->src[0].modifier == VSG_OBJ_MOD_NONE;
}

bool vsg_jit_is_of_none(const vsg_exe_inst *inst)
{
    if (vsg_jit_names_surface(inst))
        return true;
    if (!inst->no_mask || inst->exec_size != 1 || inst->message || inst->predicate_mode ||
        inst->dst.kind != VSG_EXE_OPERAND_REGION || inst->dst.shared || inst->dst.is_null)
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (!is_one(&inst->src[s]))
            return false;
    return true;
}

/* Logic of predicates alone. */
static bool is_of_predicates(const vsg_exe_inst *inst)
{
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (inst->src[s].kind != VSG_EXE_OPERAND_PREDICATE)
            return false;
    return inst->dst.kind == VSG_EXE_OPERAND_PREDICATE && inst->num_sources > 0;
}

static bool is_ordinary(const vsg_exe_inst *inst)
{
    return inst->source && !inst->refresh && !inst->writes_mode &&
           inst->dst2.kind != VSG_EXE_OPERAND_REGION;
}

/* Can a channel execute the instruction alone, if it has what the operands say? */
static bool is_by_channels(const vsg_exe_inst *inst)
{
    uint32_t flags = vsg_isa_op((visage_op)inst->op)->flags;

    if (inst->message)
        return vsg_jit_is_loop_load(inst) || vsg_jit_is_loop_store(inst);
    return !(flags & (VSG_ISA_OWN_SHAPE | VSG_ISA_PRED_RESULT | VSG_ISA_ACROSS)) &&
           (inst->dst.kind == VSG_EXE_OPERAND_REGION || inst->op == VISAGE_OP_CMP ||
            is_of_predicates(inst));
}

/* ---- what is the same at any time -------------------------------------------------------- */

/* The part of numbers of channels and the like that an instruction writes for all channels,
 * whichever are on, of what may be the same at any time. NO_PART: it is no such one. */
static uint32_t part_to_fix(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    if (!inst->no_mask || !is_ordinary(inst) || inst->message || inst->predicate_mode ||
        inst->dst.kind != VSG_EXE_OPERAND_REGION || inst->dst.shared || inst->dst.is_null ||
        inst->dst.modifier != VSG_OBJ_MOD_NONE ||
        (vsg_isa_op((visage_op)inst->op)->flags &
         (VSG_ISA_OWN_SHAPE | VSG_ISA_PRED_RESULT | VSG_ISA_ACROSS)))
        return VSG_JIT_NO_PART;
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (inst->src[s].kind != VSG_EXE_OPERAND_IMMEDIATE &&
            (inst->src[s].kind != VSG_EXE_OPERAND_REGION || inst->src[s].shared ||
             inst->src[s].is_null))
            return VSG_JIT_NO_PART;
    return e->part_of[inst->dst.offset];
}

typedef struct fixing {
    const vsg_jit_emitter *e;
    loop *l;
    vsg_jit_loop_room *room;
    bool writes, is_fixed; /* writes: of the instruction in hand, else what it reads */
    bool changed;
} fixing;

static bool is_written_here(const fixing *f, const vsg_jit_access *access)
{
    for (uint32_t i = 0; i < access->bytes; i++)
        if (f->room->stamps[access->at + i] != f->room->now)
            return false;
    return true;
}

/* What something else writes, or what has not been written just before in the same block, is
 * not fixed. */
static void look_at(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    fixing *f = user;
    bool is_fixed = f->writes ? f->is_fixed && !access->is_read : is_written_here(f, access);

    (void)covers;
    if (!vsg_jit_has(f->l->fixed, part) || f->writes != access->is_written)
        return;
    if (!is_fixed) {
        vsg_jit_remove(f->l->fixed, part);
        f->changed = true;
    } else if (f->writes) {
        for (uint32_t i = 0; i < access->bytes; i++)
            f->room->stamps[access->at + i] = f->room->now;
    }
}

static void note_written(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    uint64_t *written = user;

    (void)covers;
    if (access->is_written)
        vsg_jit_add(written, part);
}

/* Are all sources constants, parts that are fixed, or what the loop does not write? */
static bool has_fixed_sources(const fixing *f, const uint64_t *written,
                              const vsg_exe_inst *inst)
{
    for (uint32_t s = 0; s < inst->num_sources; s++) {
        const vsg_exe_operand *source = &inst->src[s];
        if (source->kind == VSG_EXE_OPERAND_IMMEDIATE)
            continue;
        uint32_t part = f->e->part_of[source->offset];
        if (part == VSG_JIT_NO_PART ||
            (vsg_jit_has(written, part) && !vsg_jit_has(f->l->fixed, part)))
            return false;
    }
    return true;
}

static void drop_unfixed(fixing *f, const uint64_t *written)
{
    f->room->now++;
    for (uint32_t i = f->l->start + 1; i <= f->l->end; i++) {
        const vsg_exe_inst *inst = &f->e->unit->code[i];
        uint32_t part = part_to_fix(f->e, inst);
        f->room->now += f->e->notes[i].is_leader;
        f->is_fixed = part != VSG_JIT_NO_PART && vsg_jit_has(f->l->fixed, part) &&
                      inst->dst.shape == VSG_EXE_SHAPE_CONTIGUOUS &&
                      has_fixed_sources(f, written, inst);
        f->writes = false;
        vsg_jit_parts_at(f->e, i, look_at, f);
        f->writes = true;
        vsg_jit_parts_at(f->e, i, look_at, f);
    }
}

/* Fills loop.fixed. False: they are made of each other in too many steps. */
static bool find_fixed(vsg_jit_emitter *e, loop *l, vsg_jit_loop_room *room)
{
    fixing f = {.e = e, .l = l, .room = room, .changed = true};

    for (uint32_t i = l->start + 1; i < l->end; i++) {
        uint32_t part = part_to_fix(e, &e->unit->code[i]);
        if (part != VSG_JIT_NO_PART && e->unit->code[i].exec_size > 1 &&
            !e->parts[part].in_frame && !vsg_jit_is_asked_for(e, l, part))
            vsg_jit_add(l->fixed, part);
        vsg_jit_parts_at(e, i, note_written, room->written);
    }
    for (uint32_t n = 0; f.changed && n < MOST_STEPS; n++) {
        f.changed = false;
        drop_unfixed(&f, room->written);
    }
    return !f.changed;
}

/* ---- what counts rounds ------------------------------------------------------------------ */

static bool reads_stepped(const vsg_jit_emitter *e, const loop *l, const vsg_exe_inst *inst)
{
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (vsg_jit_is_of_parts(e, l->stepped, &inst->src[s]))
            return true;
    return false;
}

/* Does an instruction make a scalar that is needed where a round begins, or is made of such
 * ones? NO_PART: no; else its part. */
static uint32_t stepped_part(const vsg_jit_emitter *e, const loop *l, const vsg_exe_inst *inst)
{
    if (!is_ordinary(inst) || !vsg_jit_is_of_none(inst) ||
        inst->dst.kind != VSG_EXE_OPERAND_REGION)
        return VSG_JIT_NO_PART;
    uint32_t part = e->part_of[inst->dst.offset];
    const uint64_t *live = e->live[l->start];
    bool is_needed = part != VSG_JIT_NO_PART && (!live || vsg_jit_has(live, part));
    return is_needed || reads_stepped(e, l, inst) ? part : VSG_JIT_NO_PART;
}

/* Fills loop.stepped. False: they are made of each other in too many steps, or not all channels
 * would have the same, as some go around where they are written, or on for longer. */
static bool find_stepped(vsg_jit_emitter *e, loop *l)
{
    bool changed = true;

    for (uint32_t n = 0; changed; n++) {
        changed = false;
        for (uint32_t i = l->start + 1; i < l->end; i++) {
            uint32_t part = stepped_part(e, l, &e->unit->code[i]);
            if (part == VSG_JIT_NO_PART || vsg_jit_has(l->stepped, part))
                continue;
            if (n == MOST_STEPS || (!l->is_even && vsg_jit_is_asked_for(e, l, part)))
                return false;
            vsg_jit_add(l->stepped, part);
            changed = true;
        }
    }
    for (uint32_t i = l->start + 1; i < l->end; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (vsg_jit_is_of_none(inst) && vsg_jit_is_of_parts(e, l->stepped, &inst->dst) &&
            vsg_jit_is_sometimes(l, i))
            return false;
    }
    return true;
}

/* ---- arrays in registers ----------------------------------------------------------------- */

/* The bytes of the variable whose address an instruction takes for each channel of a pass.
 * False: it does not. */
static bool find_variable(const vsg_jit_emitter *e, const pass *p, const vsg_exe_inst *inst,
                          loop_array *out)
{
    const vsg_exe_operand *base = &inst->src[0], *step = &inst->src[1];
    const vsg_obj_operand *operand = vsg_exe_find(inst->source, "src0");

    return inst->op == VISAGE_OP_ADDR_ADD && inst->dst.kind == VSG_EXE_OPERAND_ADDRESS &&
           inst->exec_size == p->count && inst->mask_offset == p->first && !inst->no_mask &&
           !inst->predicate_mode && base->kind == VSG_EXE_OPERAND_IMMEDIATE &&
           base->count == 1 && vsg_jit_is_integer(step->type) && !step->modifier && operand &&
           inst->dst.index + p->count <= e->unit->num_addresses &&
           vsg_jit_addressed(e, operand, &out->at, &out->end);
}

/* Where the addresses of a pass's channels come from that an operand has; 0: unknown. */
static uint32_t address_place(const vsg_jit_emitter *e, const pass *p, uint32_t place,
                              const vsg_exe_operand *operand)
{
    uint32_t least = place > MOST_BACK ? place - MOST_BACK : 0;

    for (uint32_t i = place; i > least && !e->notes[i].is_leader;) {
        const vsg_exe_inst *inst = &e->unit->code[--i];
        uint32_t first = inst->dst.index;
        if (inst->dst.kind != VSG_EXE_OPERAND_ADDRESS || first >= operand->index + p->count ||
            first + inst->exec_size <= operand->index)
            continue;
        return first == operand->index && inst->exec_size == p->count ? i : 0;
    }
    return 0;
}

static uint32_t number_of_array(const loop *l, uint32_t at)
{
    uint32_t n = 0;

    while (n < l->num_arrays && l->arrays[n].at != at)
        n++;
    return n;
}

/* Which array an operand is an element of, of those that there are, or the next one; `found` is
 * what it must be. num_arrays + 1: it is of none. */
static uint32_t look_for_array(const vsg_jit_emitter *e, const loop *l, const pass *p,
                               uint32_t place, const vsg_exe_operand *operand,
                               loop_array *found, uint32_t *from)
{
    *from = address_place(e, p, place, operand);
    *found = (loop_array){.bytes = operand->bytes};
    if (*from == 0 || !find_variable(e, p, &e->unit->code[*from], found))
        return l->num_arrays + 1;
    return number_of_array(l, found->at);
}

/* Makes the array that an operand is an element of one of the loop's. False: it is none whose
 * elements lie in rows. */
static bool find_array(const vsg_jit_emitter *e, loop *l, const pass *p, uint32_t place,
                       const vsg_exe_operand *operand, bool is_written)
{
    loop_array found;
    uint32_t from, n = look_for_array(e, l, p, place, operand, &found, &from);

    if (n > l->num_arrays || n == VSG_JIT_MOST_ARRAYS || found.end > e->unit->variable_bytes ||
        (n < l->num_arrays && l->arrays[n].bytes != found.bytes))
        return false;
    if (n == l->num_arrays)
        l->arrays[l->num_arrays++] = found;
    l->arrays[n].is_written |= is_written;
    l->arrays[n].passes |= (uint8_t)(1u << (p - l->passes));
    return true;
}

const loop_array *vsg_jit_array_at(const vsg_jit_emitter *e, const loop *l, const pass *p,
                                   uint32_t place, const vsg_exe_operand *operand,
                                   uint32_t *from)
{
    loop_array found;
    uint32_t n = look_for_array(e, l, p, place, operand, &found, from);

    return n < l->num_arrays ? &l->arrays[n] : NULL;
}

static bool is_element(const vsg_exe_operand *operand)
{
    return operand->kind == VSG_EXE_OPERAND_INDIRECT && operand->multi_address &&
           operand->width <= 1 && vsg_exe_distance(operand, 1) == 0;
}

/* ---- addresses in all of the text -------------------------------------------------------- */

/* Who has made an element of the address variables. */
typedef struct maker {
    uint32_t block;  /* its place + 1; 0: nobody that is known */
    uint8_t channel; /* if it was on */
    bool is_sure;    /* it was made whether the channel was on or not */
} maker;

typedef struct locality {
    const vsg_jit_emitter *e;
    maker *makers; /* by element */
    uint32_t block;
} locality;

/* Is an element made in this block, and by the channel that reads it, or for sure? */
static bool is_own(const locality *at, const vsg_exe_inst *inst, uint32_t element,
                   uint32_t channel)
{
    if (element >= at->e->unit->num_addresses)
        return false;
    const maker *m = &at->makers[element];
    return m->block == at->block && (m->is_sure || (!inst->no_mask && m->channel == channel));
}

static bool is_local(const locality *at, uint32_t place, const vsg_exe_operand *operand,
                     bool is_dst)
{
    const vsg_exe_inst *inst = &at->e->unit->code[place];
    bool is_address = operand->kind == VSG_EXE_OPERAND_ADDRESS && !is_dst;
    uint32_t width = operand->width ? operand->width : 1, channel;
    bool is_each = is_address ? width == inst->exec_size : operand->multi_address && width == 1;

    if (operand->kind != VSG_EXE_OPERAND_INDIRECT && !is_address)
        return true;
    if (is_dst && vsg_jit_is_element(at->e, inst, place, &channel))
        return is_own(at, inst, operand->index, inst->mask_offset + channel);
    uint32_t count = is_each || operand->multi_address || is_address ? inst->exec_size : 1;
    for (uint32_t i = 0; i < count; i++)
        if (!is_own(at, inst, operand->index + i, is_each ? inst->mask_offset + i : UINT32_MAX))
            return false;
    return true;
}

static void note_maker(locality *at, const vsg_exe_inst *inst)
{
    if (inst->dst.kind != VSG_EXE_OPERAND_ADDRESS)
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        if (inst->dst.index + i < at->e->unit->num_addresses)
            at->makers[inst->dst.index + i] =
                (maker){.block = inst->predicate_mode ? 0 : at->block,
                        .channel = (uint8_t)(inst->mask_offset + i),
                        .is_sure = inst->no_mask};
}

bool vsg_jit_addresses_are_local(vsg_jit_emitter *e)
{
    locality at = {.e = e};

    at.makers = vsg_base_arena_new(&e->arena, e->unit->num_addresses + 1, sizeof *at.makers);
    for (uint32_t i = 0; at.makers && i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (i == 0 || e->notes[i].is_leader)
            at.block = i + 1;
        bool good = is_local(&at, i, &inst->dst, true) && is_local(&at, i, &inst->dst2, true);
        for (uint32_t s = 0; s < inst->num_sources; s++)
            good &= is_local(&at, i, &inst->src[s], false);
        if (!good ||
            (inst->message && (inst->message->data.kind == VSG_EXE_OPERAND_INDIRECT ||
                               inst->message->address.kind == VSG_EXE_OPERAND_INDIRECT)))
            return false;
        note_maker(&at, inst);
    }
    return at.makers != NULL;
}

/* ---- roles ------------------------------------------------------------------------------- */

typedef struct finder {
    const vsg_jit_emitter *e;
    const loop *l;
    pass *p;
    const bool *is_read; /* by predicate: by something else than rows of moves */
} finder;

static void note_read(const vsg_jit_emitter *e, uint32_t place, bool *is_read)
{
    const vsg_exe_inst *inst = &e->unit->code[place];

    if (e->notes[place].elements != 0)
        return;
    if (inst->predicate_mode)
        is_read[inst->predicate] = true;
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (inst->src[s].kind == VSG_EXE_OPERAND_PREDICATE)
            is_read[inst->src[s].index] = true;
}

/* Does the instruction give a predicate to the row of moves that it belongs to, and to nobody
 * else? */
static bool is_for_elements(const finder *f, uint32_t place)
{
    const vsg_exe_inst *inst = &f->e->unit->code[place];

    if (inst->op != VISAGE_OP_SETP || place + 1 >= f->l->end ||
        f->e->notes[place + 1].elements == 0)
        return false;
    uint32_t part = f->e->num_general + inst->dst.index;
    return !f->is_read[inst->dst.index] && !vsg_jit_is_asked_for(f->e, f->l, part);
}

static vsg_jit_loop_role role_of_elements(const finder *f, uint32_t place)
{
    const vsg_exe_inst *inst = &f->e->unit->code[place];
    uint32_t count = f->e->notes[place].elements, channel;

    if (count == VSG_JIT_ELEMENT_DONE)
        return VSG_JIT_ROLE_NOTHING;
    if (inst->no_mask || !vsg_jit_is_element(f->e, inst, place, &channel) || channel != 0 ||
        count != f->p->count || inst->exec_size != f->p->count)
        return VSG_JIT_NUM_ROLES;
    return inst->mask_offset == f->p->first ? VSG_JIT_ROLE_ELEMENTS : VSG_JIT_ROLE_NOTHING;
}

/* Does it compare the same for all channels, which all come to it, and for no one behind the
 * loop or in the next round? There are bits of channels that are off, or have left, too. */
static bool compares_for_all(const finder *f, uint32_t place)
{
    const vsg_exe_inst *inst = &f->e->unit->code[place];
    uint32_t part = f->e->num_general + inst->dst.index;
    const uint64_t *live = f->e->live[f->l->start];

    if (vsg_jit_is_sometimes(f->l, place) || inst->op != VISAGE_OP_CMP || !inst->no_mask ||
        inst->predicate_mode || inst->dst.kind != VSG_EXE_OPERAND_PREDICATE ||
        f->e->varies[inst->dst.index] || !live || vsg_jit_has(live, part) ||
        vsg_jit_is_asked_for(f->e, f->l, part))
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (!is_one(&inst->src[s]))
            return false;
    return true;
}

/* NUM_ROLES: a channel cannot go through it alone. */
static vsg_jit_loop_role role_of(const finder *f, uint32_t place)
{
    const vsg_exe_inst *inst = &f->e->unit->code[place];
    const pass *p = f->p;
    bool is_half = inst->exec_size == p->count && inst->mask_offset != p->first;
    bool is_own = inst->exec_size == p->count && inst->mask_offset == p->first;
    loop_array variable;

    if (inst->op == VISAGE_OP_GOTO)
        return VSG_JIT_ROLE_GOTO;
    if (inst->op == VISAGE_OP_LABEL || vsg_jit_does_nothing(inst) || is_for_elements(f, place))
        return VSG_JIT_ROLE_NOTHING;
    if (f->e->notes[place].elements != 0)
        return role_of_elements(f, place);
    if (vsg_jit_names_surface(inst))
        return vsg_jit_is_of_all(f->e, f->l, &inst->src[0]) ? VSG_JIT_ROLE_WHOLE
                                                            : VSG_JIT_NUM_ROLES;
    if (!is_ordinary(inst))
        return VSG_JIT_NUM_ROLES;
    if (vsg_jit_is_of_none(inst) && vsg_jit_is_of_parts(f->e, f->l->stepped, &inst->dst))
        return VSG_JIT_ROLE_CHANNEL;
    if (vsg_jit_is_of_none(inst) || vsg_jit_is_of_parts(f->e, f->l->fixed, &inst->dst))
        return VSG_JIT_ROLE_WHOLE;
    if (compares_for_all(f, place))
        return is_half ? VSG_JIT_ROLE_NOTHING : VSG_JIT_ROLE_CHANNEL;
    if (inst->no_mask ||
        (!is_own && !is_half && (inst->exec_size != f->e->simd_size || inst->mask_offset != 0)))
        return VSG_JIT_NUM_ROLES;
    if (is_half) /* what it needs its own channels find */
        return VSG_JIT_ROLE_NOTHING;
    if (find_variable(f->e, p, inst, &variable))
        return VSG_JIT_ROLE_ADDRESS;
    return is_by_channels(inst) ? VSG_JIT_ROLE_CHANNEL : VSG_JIT_NUM_ROLES;
}

/* Is there an instruction for each half of the channels? */
static bool has_halves(const vsg_jit_emitter *e, const loop *l)
{
    for (uint32_t i = l->start + 1; i < l->end; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (!inst->no_mask && inst->source && inst->exec_size > 1 &&
            2u * inst->exec_size == e->simd_size)
            return true;
    }
    return false;
}

static bool find_pass(vsg_jit_emitter *e, const loop *l, pass *p, const bool *is_read)
{
    finder f = {.e = e, .l = l, .p = p, .is_read = is_read};

    for (uint32_t i = l->start + 1; i <= l->end; i++) {
        vsg_jit_loop_role role = role_of(&f, i);
        if (role == VSG_JIT_NUM_ROLES)
            return false;
        p->roles[i - l->start] = (uint8_t)role;
    }
    return true;
}

bool vsg_jit_make_loop_room(vsg_jit_emitter *e, vsg_jit_loop_room *room)
{
    uint32_t words = e->live_words + 1;

    if (!room->stamps) {
        room->stamps =
            vsg_base_arena_new(&e->arena, e->unit->register_bytes + 1, sizeof *room->stamps);
        room->written = vsg_base_arena_new(&e->arena, words, sizeof *room->written);
        room->is_read = vsg_base_arena_new(&e->arena, e->unit->num_predicates + 1, 1);
    }
    if (!room->fixed) {
        room->fixed = vsg_base_arena_new(&e->arena, words, sizeof *room->fixed);
        room->stepped = vsg_base_arena_new(&e->arena, words, sizeof *room->stepped);
    }
    return room->stamps && room->written && room->is_read && room->fixed && room->stepped;
}

bool vsg_jit_find_roles(vsg_jit_emitter *e, loop *l, vsg_jit_loop_room *room)
{
    size_t bytes = (e->live_words + 1) * sizeof(uint64_t);

    memset(room->written, 0, bytes);
    memset(room->fixed, 0, bytes);
    memset(room->stepped, 0, bytes);
    memset(room->is_read, 0, e->unit->num_predicates + 1);
    l->fixed = room->fixed;
    l->stepped = room->stepped;
    if (!find_fixed(e, l, room) || !find_stepped(e, l))
        return false;
    for (uint32_t i = l->start + 1; i <= l->end; i++)
        note_read(e, i, room->is_read);
    l->num_passes = has_halves(e, l) ? 2 : 1;
    for (uint32_t n = 0; n < l->num_passes; n++) {
        pass *p = &l->passes[n];
        p->count = e->simd_size / l->num_passes;
        p->first = n * p->count;
        p->num_lanes = 0;
        p->roles = vsg_base_arena_new(&e->arena, l->end - l->start + 1, sizeof *p->roles);
        if (!p->roles || !find_pass(e, l, p, room->is_read))
            return false;
    }
    return true;
}

/* ---- what a channel reads and writes ----------------------------------------------------- */

static void note(use *u, int found, vsg_jit_loop_lanes *lanes)
{
    if (found < 0)
        u->is_bad = true;
    else
        vsg_jit_add(lanes->words, (uint32_t)found);
}

static void note_write(use *u, const pass *p, int found, uint32_t bytes)
{
    note(u, found, &u->writes);
    if (found >= 0 && bytes < p->lanes[found].bytes)
        note(u, found, &u->partly);
}

static bool is_stepped(const vsg_jit_emitter *e, const loop *l, const vsg_exe_scalar *scalar)
{
    return !scalar->is_constant && vsg_jit_is_of_parts(e, l->stepped, &scalar->operand);
}

static void note_message(const vsg_jit_emitter *e, const loop *l, pass *p,
                         const vsg_exe_inst *inst, use *u)
{
    const vsg_exe_message *message = inst->message;
    vsg_exe_operand data = message->data;

    u->is_load = u->decides = vsg_jit_is_loop_load(inst);
    u->is_bad |= is_stepped(e, l, &message->surface) || is_stepped(e, l, &message->base) ||
                 is_stepped(e, l, &message->stride);
    note(u, find_row(e, p, inst, &message->address, message->address_bytes), &u->reads);
    for (uint32_t i = 0; i < message->num_elements; i++, data.offset += message->pitch_bytes) {
        int found = find_row(e, p, inst, &data, message->register_bytes);
        if (u->is_load)
            note_write(u, p, found, message->register_bytes);
        else
            note(u, found, &u->reads);
    }
    /* Elements are loaded one after the other, and all from the address that there was. */
    if (message->num_elements > 1 && vsg_jit_lanes_any(vsg_jit_lanes_and(u->reads, u->writes)))
        u->is_bad = true;
}

static void note_source(const vsg_jit_emitter *e, loop *l, pass *p, uint32_t place,
                        const vsg_exe_operand *source, use *u)
{
    if (vsg_jit_is_of_all(e, l, source) || source->kind == VSG_EXE_OPERAND_IMMEDIATE ||
        (vsg_jit_is_by_channel(source) && vsg_jit_is_of_parts(e, l->fixed, source)))
        return;
    if (is_element(source)) {
        u->is_bad |= !find_array(e, l, p, place, source, false);
        return;
    }
    note(u, find_operand(e, p, &e->unit->code[place], source), &u->reads);
}

/* Are all moves of a row as the first one is, but for the channel? */
static bool are_alike(const vsg_jit_emitter *e, uint32_t place, uint32_t count)
{
    const vsg_exe_inst *first = &e->unit->code[place];

    for (uint32_t n = 0; n < count; n++) {
        const vsg_exe_inst *inst = &e->unit->code[place + 2 * n];
        if (inst->dst.indirect_bytes != first->dst.indirect_bytes ||
            inst->exec_size != first->exec_size || inst->mask_offset != first->mask_offset ||
            inst->dst.shape != VSG_EXE_SHAPE_CONTIGUOUS)
            return false;
    }
    return true;
}

/* The first move of a row is to the first channel's element. */
static void note_elements(const vsg_jit_emitter *e, loop *l, pass *p, uint32_t place, use *u)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    const vsg_exe_operand *from = &inst->src[0];

    u->is_bad |=
        !are_alike(e, place, p->count) || !find_array(e, l, p, place, &inst->dst, true);
    if (from->kind == VSG_EXE_OPERAND_REGION)
        note(u, find_region(e, p, from->offset, from->bytes, from->bytes), &u->reads);
}

use vsg_jit_loop_use_of(const vsg_jit_emitter *e, loop *l, pass *p, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    vsg_jit_loop_role role = (vsg_jit_loop_role)p->roles[place - l->start];
    use u = {.decides = role == VSG_JIT_ROLE_GOTO};

    if (role == VSG_JIT_ROLE_NOTHING || role == VSG_JIT_ROLE_WHOLE)
        return u;
    if (role == VSG_JIT_ROLE_ELEMENTS) {
        note_elements(e, l, p, place, &u);
        return u;
    }
    if (inst->predicate_mode) {
        note(&u, find_predicate(e, p, inst->predicate), &u.reads);
        u.is_bad |= (inst->predicate_mode & (VSG_EXE_PRED_ANY | VSG_EXE_PRED_ALL)) != 0;
    }
    if (role == VSG_JIT_ROLE_GOTO)
        return u;
    if (inst->message) {
        note_message(e, l, p, inst, &u);
        return u;
    }
    for (uint32_t s = 0; s < inst->num_sources; s++)
        note_source(e, l, p, place, &inst->src[s], &u);
    if (role == VSG_JIT_ROLE_ADDRESS)
        return u;
    note_write(&u, p, find_operand(e, p, inst, &inst->dst), inst->dst.bytes);
    if (inst->predicate_mode &&
        !(vsg_isa_op((visage_op)inst->op)->flags & VSG_ISA_PRED_SELECTS))
        u.reads = vsg_jit_lanes_or(u.reads, u.writes);
    return u;
}
