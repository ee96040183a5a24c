/* SPDX-License-Identifier: MIT
 *
 * Parts that are written anew. Compilers for 32-bit addresses take one variable for all steps
 * of an address: an index, its product, the same shifted, the sum with a base. What is known of
 * a part is known of it everywhere, and these are rows of different steps. In a block, each
 * value that the next one replaces whole becomes a part of its own, behind all others; the last
 * one, which may live on, stays where it is. All have the same home in the frame, where never
 * more than one of them is asked for: handlers see the text as it stands. */
#include <string.h>

#include "exec/message.h"
#include "jit/lowering.h"
#include "jit/rows.h"

/* More instructions than this have parts enough. */
enum { MOST_CODE = 4000 };

/* A value of a part: written at `first`, replaced at `end`. */
typedef struct value_range {
    uint32_t part, first, end;
} value_range;

typedef struct splitter {
    vsg_jit_emitter *e;
    uint32_t place, begin; /* of the block */
    uint32_t replaced;     /* the part that is written whole here; NO_PART: none */
    uint32_t *since;       /* by part: 1 + where its value was written; in another block: 0 */
    value_range *ranges;
    uint32_t num_ranges;
} splitter;

/* ---- finding them ------------------------------------------------------------------------ */

/* The part that an instruction gives another value, whatever it had; operations that are never
 * left to their handlers. */
static uint32_t find_replaced(const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    uint32_t part, lane;

    if (!vsg_jit_may_make_row(inst) || !vsg_jit_find_result(e, place, &part, &lane) ||
        part >= e->num_general || e->parts[part].in_frame ||
        e->parts[part].bytes != (uint32_t)inst->exec_size * inst->dst.bytes)
        return VSG_JIT_NO_PART;
    return part;
}

static bool is_region_in(const vsg_jit_emitter *e, const vsg_exe_operand *operand,
                         uint32_t part)
{
    return operand->kind == VSG_EXE_OPERAND_REGION && !operand->shared && !operand->is_null &&
           e->part_of[operand->offset] == part;
}

/* Is what an instruction reads of a part an operand that can have another place? */
static bool can_move(const vsg_jit_emitter *e, uint32_t place, uint32_t part)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    const vsg_exe_message *message = inst->message;

    if (!message) {
        for (uint32_t s = 0; s < inst->num_sources; s++)
            if (inst->src[s].kind == VSG_EXE_OPERAND_INDIRECT)
                return false;
        return vsg_jit_lower_of(inst) && !vsg_jit_has_own_shape(inst);
    }
    return vsg_jit_is_transfer(inst) && is_region_in(e, &message->address, part) &&
           !is_region_in(e, &message->data, part) && !is_region_in(e, &message->value, part) &&
           !is_region_in(e, &message->comparand, part) &&
           !is_region_in(e, &message->surface.operand, part) &&
           !is_region_in(e, &message->base.operand, part) &&
           !is_region_in(e, &message->stride.operand, part);
}

static void note_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    splitter *s = user;

    (void)covers;
    if (part >= s->e->num_general)
        return;
    if (access->is_written ? part != s->replaced : !can_move(s->e, s->place, part))
        s->since[part] = 0;
}

static void look(splitter *s)
{
    s->replaced = find_replaced(s->e, s->place);
    vsg_jit_parts_at(s->e, s->place, note_part, s);
    if (s->replaced == VSG_JIT_NO_PART)
        return;
    uint32_t *since = &s->since[s->replaced];
    if (*since > s->begin)
        s->ranges[s->num_ranges++] = (value_range){s->replaced, *since - 1, s->place};
    *since = s->place + 1;
}

/* ---- parts of their own ------------------------------------------------------------------ */

/* Makes room behind the general parts, and behind the bytes that they have. */
static bool make_room(splitter *s, uint32_t bytes)
{
    vsg_jit_emitter *e = s->e;
    uint32_t more = s->num_ranges, rest = e->num_parts - e->num_general;
    size_t old = e->unit->register_bytes, all = old + bytes + 8 * VSG_JIT_MOST_LANES;
    vsg_jit_part *parts = vsg_base_arena_new(
        &e->arena, (size_t)e->num_parts + more + VSG_JIT_MOST_LANES, sizeof *parts);
    uint32_t *part_of = vsg_base_arena_new(&e->arena, all, sizeof *part_of);

    if (!parts || !part_of)
        return false;
    memcpy(parts, e->parts, e->num_general * sizeof *parts);
    memcpy(parts + e->num_general + more, e->parts + e->num_general, rest * sizeof *parts);
    memset(part_of, 0xff, all * sizeof *part_of);
    memcpy(part_of, e->part_of, old * sizeof *part_of);
    e->parts = parts;
    e->part_of = part_of;
    return true;
}

/* The unit with instructions of its own. */
static vsg_exe_unit *copy_unit(vsg_jit_emitter *e, uint32_t more_bytes)
{
    vsg_exe_unit *unit = vsg_base_arena_new(&e->arena, 1, sizeof *unit);
    vsg_exe_inst *code = vsg_base_arena_new(&e->arena, e->unit->num_code, sizeof *code);

    if (!unit || !code)
        return NULL;
    memcpy(code, e->unit->code, e->unit->num_code * sizeof *code);
    *unit = *e->unit;
    unit->code = code;
    unit->register_bytes += more_bytes;
    return unit;
}

static bool move_sources(vsg_jit_emitter *e, vsg_exe_inst *inst, uint32_t place, uint32_t part,
                         uint32_t skip)
{
    const vsg_exe_inst *old = &e->unit->code[place];

    for (uint32_t n = 0; n < old->num_sources && !old->message; n++)
        if (is_region_in(e, &old->src[n], part))
            inst->src[n].offset = old->src[n].offset + skip;
    if (!old->message || !is_region_in(e, &old->message->address, part))
        return true;
    vsg_exe_message *message = vsg_base_arena_new(&e->arena, 1, sizeof *message);
    if (!message)
        return false;
    *message = *old->message;
    message->address.offset += skip;
    inst->message = message;
    return true;
}

static bool move_value(vsg_jit_emitter *e, vsg_exe_unit *unit, const value_range *range,
                       uint32_t at)
{
    uint32_t skip = at - e->parts[range->part].at;

    unit->code[range->first].dst.offset += skip;
    for (uint32_t i = range->first + 1; i <= range->end; i++)
        if (!move_sources(e, &unit->code[i], i, range->part, skip))
            return false;
    return true;
}

static bool split(splitter *s)
{
    vsg_jit_emitter *e = s->e;
    uint32_t bytes = 0, num_general = e->num_general;

    for (uint32_t i = 0; i < s->num_ranges; i++)
        bytes += e->parts[s->ranges[i].part].bytes;
    vsg_exe_unit *unit = copy_unit(e, bytes);
    if (!unit || !make_room(s, bytes))
        return false;
    uint32_t at = e->unit->register_bytes;
    for (uint32_t i = 0; i < s->num_ranges; i++) {
        vsg_jit_part part = e->parts[s->ranges[i].part];
        if (!move_value(e, unit, &s->ranges[i], at))
            return false;
        part.at = at;
        for (uint32_t byte = 0; byte < part.bytes; byte++)
            e->part_of[at + byte] = num_general + i;
        e->parts[num_general + i] = part;
        at += part.bytes;
    }
    e->num_general += s->num_ranges;
    e->num_parts += s->num_ranges;
    e->live_words = (e->num_parts + 63) / 64;
    e->unit = unit;
    return true;
}

bool vsg_jit_split_parts(vsg_jit_emitter *e)
{
    splitter s = {.e = e};
    uint32_t num_code = e->unit->num_code;

    if (num_code > MOST_CODE)
        return true;
    s.since = vsg_base_arena_new(&e->arena, e->num_general + 1, sizeof *s.since);
    s.ranges = vsg_base_arena_new(&e->arena, num_code + 1, sizeof *s.ranges);
    if (!s.since || !s.ranges)
        return false;
    for (s.place = 0; s.place < num_code; s.place++) {
        if (e->notes[s.place].is_leader)
            s.begin = s.place;
        if (e->notes[s.place].is_reached)
            look(&s);
    }
    return s.num_ranges == 0 || split(&s);
}
