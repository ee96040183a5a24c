/* SPDX-License-Identifier: MIT
 *
 * Variables by parts: connected ranges of the bytes that instructions access, and which of them
 * are live where blocks begin. */
#include <stdlib.h>
#include <string.h>

#include "jit/emit.h"
#include "jit/pieces.h"
#include "jit/sets.h"

/* Wider parts cost more than they gain. */
enum { MOST_PART_BYTES = 4096 };

typedef struct range {
    uint32_t at, end, element_bytes;
    bool in_frame; /* stays there */
} range;

typedef struct collector {
    vsg_jit_emitter *e;
    range *ranges;
    size_t num_ranges, cap_ranges;
    bool no_memory;
} collector;

/* ---- finding them ------------------------------------------------------------------------ */

static void collect_range(collector *c, range found)
{
    void *ranges = c->ranges;

    if (!vsg_base_grow(c->e->alloc, &ranges, c->num_ranges, &c->cap_ranges,
                       sizeof *c->ranges)) {
        c->no_memory = true;
        return;
    }
    c->ranges = ranges;
    c->ranges[c->num_ranges++] = found;
}

/* A range whose start is not a multiple of its elements has none of its own size. */
static void collect(void *user, const vsg_jit_access *access)
{
    collector *c = user;
    uint32_t unit = access->element_bytes;

    if (access->bytes == 0 || unit == 0)
        return;
    range found = {.at = access->at, .end = access->at + access->bytes, .element_bytes = unit};
    found.in_frame = access->at % unit != 0 || unit > 8 || (unit & (unit - 1)) != 0;
    found.end = (found.end + unit - 1) / unit * unit;
    collect_range(c, found);
}

bool vsg_jit_addressed(const vsg_jit_emitter *e, const vsg_obj_operand *operand, uint32_t *at,
                       uint32_t *end)
{
    const vsg_exe_unit *unit = e->unit;
    vsg_obj_variable_facts facts;
    uint64_t offset;
    uint32_t root, grf = e->program->grf_bytes;

    if (operand->class_ != VSG_OBJ_CLASS_ADDRESS_OF || operand->id >= unit->num_variables ||
        !vsg_obj_variable_root(unit->object, operand->id, &root, &offset) ||
        !vsg_obj_variable_get(unit->object, root, &facts) ||
        (facts.flags & VSG_ISA_VAR_SHARED) || facts.in_file)
        return false;
    *at = unit->variable_at[root];
    *end = (*at + facts.size_bytes + grf - 1) / grf * grf;
    return true;
}

static void collect_addressed(collector *c, const vsg_obj_inst *source)
{
    range found = {.element_bytes = 1, .in_frame = true};

    for (uint32_t i = 0; source && i < source->num_operands; i++)
        if (vsg_jit_addressed(c->e, &source->operands[i], &found.at, &found.end))
            collect_range(c, found);
}

static int compare_ranges(const void *a, const void *b)
{
    const range *x = a, *y = b;

    return x->at < y->at ? -1 : x->at > y->at;
}

/* Merges what overlaps; the ranges are in order. */
static size_t merge(range *ranges, size_t count)
{
    size_t num = 0;

    for (size_t i = 0; i < count; i++) {
        range *last = num ? &ranges[num - 1] : NULL;
        if (!last || ranges[i].at >= last->end) {
            ranges[num++] = ranges[i];
            continue;
        }
        if (ranges[i].end > last->end)
            last->end = ranges[i].end;
        if (ranges[i].element_bytes > last->element_bytes)
            last->element_bytes = ranges[i].element_bytes;
        last->in_frame |= ranges[i].in_frame;
    }
    return num;
}

/* Ranges of larger elements begin and end at multiples of them; that may make them overlap. */
static bool widen(range *ranges, size_t count)
{
    bool changed = false;

    for (size_t i = 0; i < count; i++) {
        uint32_t unit = ranges[i].element_bytes;
        uint32_t at = ranges[i].at / unit * unit;
        uint32_t end = (ranges[i].end + unit - 1) / unit * unit;
        changed |= at != ranges[i].at || end != ranges[i].end;
        ranges[i].at = at;
        ranges[i].end = end;
    }
    return changed;
}

/* A predicate or an element of the surfaces. */
static vsg_jit_part fixed_part(const vsg_jit_emitter *e, uint32_t at)
{
    return (vsg_jit_part){.at = at, .bytes = 4, .home = at, .element_bytes = 4, .type = e->i32};
}

static bool make_parts(vsg_jit_emitter *e, const range *ranges, size_t count)
{
    uint32_t bytes = e->unit->register_bytes;
    uint32_t predicates = e->unit->num_predicates, surfaces = e->unit->num_surfaces;

    e->part_of =
        vsg_base_arena_new(&e->arena, bytes + 8 * VSG_JIT_MOST_LANES, sizeof *e->part_of);
    e->parts = vsg_base_arena_new(&e->arena, count + predicates + surfaces + VSG_JIT_MOST_LANES,
                                  sizeof *e->parts);
    if (!e->part_of || !e->parts)
        return false;
    memset(e->part_of, 0xff, bytes * sizeof *e->part_of);
    for (size_t i = 0; i < count; i++) {
        const range *r = &ranges[i];
        if (r->in_frame || r->end - r->at > MOST_PART_BYTES || r->end > bytes)
            continue;
        vsg_jit_part *part = &e->parts[e->num_parts];
        *part = (vsg_jit_part){.at = r->at,
                               .bytes = r->end - r->at,
                               .home = r->at,
                               .element_bytes = r->element_bytes};
        part->type = vsg_jit_int(e, 8 * part->element_bytes, part->bytes / part->element_bytes);
        for (uint32_t byte = r->at; byte < r->end; byte++)
            e->part_of[byte] = e->num_parts;
        e->num_parts++;
    }
    e->num_general = e->num_parts;
    for (uint32_t i = 0; i < predicates; i++)
        e->parts[e->num_parts++] = fixed_part(e, e->unit->predicates_at + 4 * i);
    for (uint32_t i = 0; i < surfaces; i++)
        e->parts[e->num_parts++] = fixed_part(e, e->unit->surfaces_at + 4 * i);
    e->live_words = (e->num_parts + 63) / 64;
    return true;
}

bool vsg_jit_find_parts(vsg_jit_emitter *e)
{
    collector c = {.e = e};
    size_t count = 0;

    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        vsg_jit_accesses(e, i, collect, &c);
        collect_addressed(&c, e->unit->code[i].source);
    }
    if (c.num_ranges)
        qsort(c.ranges, c.num_ranges, sizeof *c.ranges, compare_ranges);
    count = merge(c.ranges, c.num_ranges);
    while (widen(c.ranges, count))
        count = merge(c.ranges, count);
    bool good = !c.no_memory && make_parts(e, c.ranges, count);
    vsg_base_delete(e->alloc, c.ranges, c.cap_ranges, sizeof *c.ranges);
    return good;
}

void vsg_jit_each_part(const vsg_jit_emitter *e, const vsg_jit_access *access,
                       vsg_jit_part_fn fn, void *user)
{
    uint32_t end = access->at + access->bytes;

    if (access->bytes == 0) {
        fn(user, access, e->num_general + access->at, access->is_whole);
        return;
    }
    for (uint32_t byte = access->at; byte < end;) {
        uint32_t number = e->part_of[byte];
        if (number == VSG_JIT_NO_PART) {
            byte++;
            continue;
        }
        const vsg_jit_part *part = &e->parts[number];
        bool covers =
            access->is_whole && access->at <= part->at && end >= part->at + part->bytes;
        fn(user, access, number, covers);
        byte = part->at + part->bytes;
    }
}

typedef struct relay {
    const vsg_jit_emitter *e;
    vsg_jit_part_fn fn;
    void *user;
} relay;

static void pass_on(void *user, const vsg_jit_access *access)
{
    const relay *r = user;

    vsg_jit_each_part(r->e, access, r->fn, r->user);
}

void vsg_jit_parts_at(const vsg_jit_emitter *e, uint32_t place, vsg_jit_part_fn fn, void *user)
{
    relay r = {e, fn, user};

    vsg_jit_accesses(e, place, pass_on, &r);
}

/* ---- liveness ---------------------------------------------------------------------------- */

typedef struct tracer {
    const vsg_jit_emitter *e;
    uint64_t *live;
    vsg_jit_pieces *pieces;
    bool writes; /* this pass: what is written whole dies; else what is read lives */
} tracer;

static void trace_write(const tracer *t, const vsg_jit_access *access, uint32_t part,
                        bool covers)
{
    if (access->is_read)
        return;
    if (covers || (access->is_all && vsg_jit_add_pieces(t->pieces, access, part)))
        vsg_jit_remove(t->live, part);
}

/* A write that leaves bytes of a part alone needs the part, unless what comes writes these. */
static void trace_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    const tracer *t = user;

    if (t->writes) {
        trace_write(t, access, part, covers);
        return;
    }
    if (access->is_read)
        vsg_jit_drop_pieces(t->pieces, part);
    if (access->is_read || (!covers && !vsg_jit_has_pieces(t->pieces, part)))
        vsg_jit_add(t->live, part);
}

static void trace_back(tracer *t, uint32_t place)
{
    t->writes = true;
    vsg_jit_parts_at(t->e, place, trace_part, t);
    t->writes = false;
    vsg_jit_parts_at(t->e, place, trace_part, t);
}

/* One block, from its end: true when what is live at its start has grown. */
static bool trace_block(vsg_jit_emitter *e, uint32_t start, tracer *t)
{
    uint64_t *live = t->live;
    uint32_t next[VSG_JIT_MOST_NEXT];
    uint32_t end = start + e->notes[start].length - 1;
    uint32_t count = vsg_jit_successors(e, end, next, VSG_JIT_MOST_NEXT);
    bool grew = false;

    memset(live, 0, e->live_words * sizeof *live);
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t w = 0; e->live[next[s]] && w < e->live_words; w++)
            live[w] |= e->live[next[s]][w];
    vsg_jit_forget_pieces(t->pieces);
    for (uint32_t i = end + 1; i-- > start;)
        trace_back(t, i);
    for (uint32_t w = 0; w < e->live_words; w++) {
        grew |= (live[w] & ~e->live[start][w]) != 0;
        e->live[start][w] |= live[w];
    }
    return grew;
}

static bool is_wanted(const vsg_jit_emitter *e, uint32_t place, uint32_t part)
{
    uint32_t more = e->num_general - e->wanted_general; /* of one block (split.c) */

    if (part >= e->wanted_general && part < e->num_general)
        return true;
    return vsg_jit_has(e->wanted[place], part < e->num_general ? part : part - more);
}

static void drop_unwanted(vsg_jit_emitter *e)
{
    for (uint32_t i = 0; i < e->unit->num_code && e->wanted; i++)
        for (uint32_t w = 0; e->live[i] && w < e->live_words; w++)
            for (uint64_t bits = e->live[i][w]; bits; bits &= bits - 1) {
                uint32_t part = 64 * w + (uint32_t)__builtin_ctzll(bits);
                if (!is_wanted(e, i, part))
                    vsg_jit_remove(e->live[i], part);
            }
}

bool vsg_jit_find_live(vsg_jit_emitter *e)
{
    uint32_t num_code = e->unit->num_code;
    bool changed = true;

    e->live = vsg_base_arena_new(&e->arena, num_code, sizeof *e->live);
    tracer t = {.e = e, .pieces = vsg_jit_new_pieces(e)};
    t.live = vsg_base_arena_new(&e->arena, e->live_words + 1, sizeof *t.live);
    if (!e->live || !t.live || !t.pieces)
        return false;
    for (uint32_t i = 0; i < num_code; i++) {
        if (!e->notes[i].is_leader)
            continue;
        e->live[i] = vsg_base_arena_new(&e->arena, e->live_words + 1, sizeof **e->live);
        if (!e->live[i])
            return false;
    }
    while (changed) {
        changed = false;
        for (uint32_t i = num_code; i-- > 0;)
            if (e->notes[i].is_leader)
                changed |= trace_block(e, i, &t);
    }
    drop_unwanted(e);
    return true;
}
