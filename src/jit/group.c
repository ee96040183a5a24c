/* SPDX-License-Identifier: MIT
 *
 * Can groups be run as a whole? Finds the segments of the text, and what all threads have the
 * same. */
#include "jit/group.h"

#include "exec/handlers.h"
#include "jit/compile.h"
#include "jit/frame.h"

/* Instructions of all threads of a group, at most. */
enum { MOST_COPIES = 2400 };

typedef struct range {
    uint32_t first, end;
} range;

static bool is_flow(const vsg_exe_inst *inst)
{
    return !inst->source || vsg_exe_is_jump(inst) || inst->op == VISAGE_OP_LABEL ||
           inst->op == VISAGE_OP_SUBROUTINE || inst->op == VISAGE_OP_BARRIER ||
           inst->op == VISAGE_OP_RET;
}

/* All threads come to these together. */
static bool is_joint(const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];

    return inst->op == VISAGE_OP_BARRIER || inst->op == VISAGE_OP_RET ||
           e->group->is_common[place];
}

/* The text that a branch leaves out or repeats, and a branch itself where it is private. */
static range range_of(const vsg_jit_emitter *e, uint32_t place)
{
    uint32_t target = e->unit->code[place].target;

    return target > place ? (range){place, target} : (range){target, place + 1};
}

/* ---- private ways ------------------------------------------------------------------------ */

/* Marks private ways; true when a branch turned out to be one of all threads. */
static bool mark_ways(vsg_jit_emitter *e)
{
    struct vsg_jit_group *g = e->group;
    uint32_t num_code = e->unit->num_code;
    bool changed = false;

    for (uint32_t i = 0; i < num_code; i++)
        g->is_private[i] = false;
    for (uint32_t i = 0; i < num_code; i++) {
        if (!vsg_exe_is_jump(&e->unit->code[i]) || !e->notes[i].is_reached || g->is_common[i])
            continue;
        range r = range_of(e, i);
        bool has_joint = false;
        for (uint32_t n = r.first; n < r.end; n++)
            has_joint = has_joint || (e->notes[n].is_reached && is_joint(e, n));
        if (has_joint) {
            g->is_common[i] = changed = true;
            continue;
        }
        for (uint32_t n = r.first; n < r.end; n++)
            g->is_private[n] = true;
    }
    return changed;
}

/* May a thread leave or enter private ways but at their beginnings and ends? */
static bool are_ways_closed(const vsg_jit_emitter *e)
{
    const struct vsg_jit_group *g = e->group;

    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        uint32_t target = e->unit->code[i].target;
        if (g->is_common[i] && target > 0 && g->is_private[target] && g->is_private[target - 1])
            return false;
        if (g->is_private[i] && (is_joint(e, i) || !e->notes[i].is_reached))
            return false;
    }
    return true;
}

/* ---- what all threads have the same ------------------------------------------------------ */

typedef struct finder {
    vsg_jit_emitter *e;
    bool *is_own; /* by part: threads may have different values */
    bool reads_own, makes_own, changed;
} finder;

static bool is_common_register(const vsg_exe_operand *operand)
{
    static const uint32_t words[] = {1, 6, 7}; /* of r0: the group's id */
    uint32_t r0 = vsg_exe_shared_at(VSG_ISA_VAR_R0);

    if (operand->bytes != 4 || operand->shape != VSG_EXE_SHAPE_SCALAR)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (operand->offset == r0 + 4 * words[i])
            return true;
    return operand->offset == vsg_exe_shared_at(VSG_ISA_VAR_GROUP_ID_X) ||
           operand->offset == vsg_exe_shared_at(VSG_ISA_VAR_GROUP_ID_Y) ||
           operand->offset == vsg_exe_shared_at(VSG_ISA_VAR_GROUP_ID_Z);
}

static void look_at_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    finder *f = user;

    (void)covers;
    if (access->is_read)
        f->reads_own = f->reads_own || f->is_own[part] || f->e->parts[part].in_frame;
    if (access->is_written)
        f->makes_own = f->makes_own || f->is_own[part];
}

static void look_at(void *user, const vsg_jit_access *access)
{
    finder *f = user;

    for (uint32_t i = 0; i < access->bytes; i++)
        f->reads_own = f->reads_own || f->e->part_of[access->at + i] == VSG_JIT_NO_PART;
    vsg_jit_each_part(f->e, access, look_at_part, user);
}

static void spoil_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    finder *f = user;

    (void)covers;
    if (!access->is_written || f->is_own[part])
        return;
    f->is_own[part] = f->changed = true;
}

/* Does an instruction give all threads the same, if what it reads is the same? */
static bool is_alike(const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];

    if (!inst->source || inst->message || inst->refresh || !vsg_jit_lower_of(inst) ||
        e->group->is_private[place])
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++) {
        const vsg_exe_operand *source = &inst->src[s];
        if (source->kind == VSG_EXE_OPERAND_REGION && source->shared && !source->is_null &&
            !is_common_register(source))
            return false;
        if (source->kind != VSG_EXE_OPERAND_REGION &&
            source->kind != VSG_EXE_OPERAND_IMMEDIATE &&
            source->kind != VSG_EXE_OPERAND_PREDICATE)
            return false;
    }
    return true;
}

static void note_inputs(finder *f)
{
    for (uint32_t i = 0; i < f->e->request->num_pieces; i++) {
        const vsg_jit_piece *piece = &f->e->request->pieces[i];
        for (uint32_t n = 0; n < piece->size_bytes && piece->per_thread; n++) {
            uint32_t part = f->e->part_of[piece->place + n];
            if (part != VSG_JIT_NO_PART)
                f->is_own[part] = true;
        }
    }
}

static void find_own(finder *f)
{
    const vsg_jit_emitter *e = f->e;

    note_inputs(f);
    do {
        f->changed = false;
        for (uint32_t i = 0; i < e->unit->num_code; i++) {
            if (!e->notes[i].is_reached || vsg_exe_is_jump(&e->unit->code[i]))
                continue;
            f->reads_own = f->makes_own = false;
            vsg_jit_accesses(e, i, look_at, f);
            if (f->reads_own || f->makes_own || !is_alike(e, i))
                vsg_jit_parts_at(e, i, spoil_part, f);
        }
    } while (f->changed);
}

/* Do all threads take a branch, with all of their channels, or none? */
static bool is_taken_by_all(const finder *f, uint32_t place)
{
    const vsg_jit_emitter *e = f->e;
    const vsg_exe_inst *inst = &e->unit->code[place];

    return !e->notes[place].is_divergent && vsg_jit_is_uniform(e, inst) &&
           (!inst->predicate_mode || !f->is_own[e->num_general + inst->predicate]);
}

/* ---- the order of what threads do -------------------------------------------------------- */

typedef enum memory_use { USES_NONE, USES_PLAIN, USES_ORDERED } memory_use;

/* Loads and stores; all that has another effect than on registers, as atomics do. */
static memory_use use_of(const vsg_exe_inst *inst)
{
    vsg_jit_lower lower = inst->source ? vsg_jit_lower_of(inst) : NULL;

    if (lower == vsg_jit_lower_load || lower == vsg_jit_lower_store)
        return USES_PLAIN;
    if (lower == vsg_jit_lower_fence || lower == vsg_jit_lower_nothing)
        return USES_NONE;
    if (lower && !inst->message)
        return USES_NONE;
    return is_flow(inst) ? USES_NONE : USES_ORDERED;
}

static uint32_t end_of_segment(const vsg_jit_emitter *e, uint32_t place)
{
    uint32_t end = place + 1;

    while (end < e->unit->num_code && !e->group->is_cut[end])
        end++;
    return end;
}

static memory_use use_of_segment(const vsg_jit_emitter *e, uint32_t first)
{
    uint32_t end = end_of_segment(e, first);
    memory_use most = USES_NONE;

    for (uint32_t i = first; i < end; i++)
        if (use_of(&e->unit->code[i]) > most)
            most = use_of(&e->unit->code[i]);
    return most;
}

/* Follows the ways from a segment to the next barriers; false: there is something that must
 * not change its place with what the segment does. seen: by instruction, scratch. */
static bool keeps_order(const vsg_jit_emitter *e, uint32_t first, memory_use use, bool *seen,
                        uint32_t *stack)
{
    uint32_t depth = 0, num_code = e->unit->num_code;

    for (uint32_t i = 0; i < num_code; i++)
        seen[i] = false;
    stack[depth++] = first;
    while (depth > 0) {
        uint32_t end = end_of_segment(e, stack[--depth]), last = end - 1;
        const vsg_exe_inst *inst = &e->unit->code[last];
        uint32_t next[2], count = 0;
        if (inst->op == VISAGE_OP_BARRIER || inst->op == VISAGE_OP_RET)
            continue;
        if (e->group->is_common[last])
            next[count++] = inst->target;
        if (end < num_code)
            next[count++] = end;
        for (uint32_t n = 0; n < count; n++) {
            memory_use other = use_of_segment(e, next[n]);
            if (use != USES_NONE && other != USES_NONE &&
                (use == USES_ORDERED || other == USES_ORDERED))
                return false;
            if (!seen[next[n]])
                stack[depth++] = next[n];
            seen[next[n]] = true;
        }
    }
    return true;
}

/* ---- polling ----------------------------------------------------------------------------- */

typedef struct poll {
    const vsg_jit_emitter *e;
    bool *matters; /* by part: whether the loop goes on depends on it */
    bool writes, changed;
} poll;

static void trace_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    poll *p = user;

    (void)covers;
    if (p->changed) { /* the pass over what is read */
        p->matters[part] = p->matters[part] || access->is_read;
        return;
    }
    p->writes = p->writes || (access->is_written && p->matters[part]);
}

/* Does a private loop wait for what other threads do? It would wait for ever: they come after
 * it. */
static bool is_polling(const vsg_jit_emitter *e, range loop, bool *matters)
{
    poll p = {.e = e, .matters = matters};
    uint32_t rounds = loop.end - loop.first;

    for (uint32_t i = 0; i < e->num_parts; i++)
        matters[i] = false;
    for (uint32_t i = loop.first; i < loop.end; i++)
        if (vsg_exe_is_jump(&e->unit->code[i]) && e->unit->code[i].predicate_mode)
            matters[e->num_general + e->unit->code[i].predicate] = true;
    /* A way of n instructions is at most n long. */
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t i = loop.end; i-- > loop.first;) {
            p.writes = p.changed = false;
            vsg_jit_parts_at(e, i, trace_part, &p);
            if (!p.writes || vsg_exe_is_jump(&e->unit->code[i]))
                continue;
            if (use_of(&e->unit->code[i]) != USES_NONE)
                return true;
            p.changed = true;
            vsg_jit_parts_at(e, i, trace_part, &p);
        }
    return false;
}

static bool polls(const vsg_jit_emitter *e, bool *matters)
{
    for (uint32_t i = 0; i < e->unit->num_code; i++)
        if (e->group->is_private[i] && vsg_exe_is_jump(&e->unit->code[i]) &&
            e->unit->code[i].target <= i && is_polling(e, range_of(e, i), matters))
            return true;
    return false;
}

/* ---- is it worth it ---------------------------------------------------------------------- */

/* Where barriers are few and stand in no loop, and threads have loops between them, those are
 * what groups take their time for: copies would cost much and gain little, unless they are
 * few, as where a group copies by async_work_group_copy(). */
static bool is_worth_it(const vsg_jit_emitter *e)
{
    enum { FEW_BARRIERS = 3, FEW_COPIES = 512 };
    uint32_t num_barriers = 0;
    bool has_loops = false;

    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (!e->notes[i].is_reached)
            continue;
        if (inst->op == VISAGE_OP_BARRIER && e->notes[i].is_in_loop)
            return true;
        num_barriers += inst->op == VISAGE_OP_BARRIER;
        has_loops |= e->group->is_private[i] && vsg_exe_is_jump(inst) && inst->target <= i;
    }
    return !has_loops || num_barriers > FEW_BARRIERS ||
           vsg_jit_count_copies(e->unit, e->request) <= FEW_COPIES;
}

/* ---- all of it --------------------------------------------------------------------------- */

uint32_t vsg_jit_count_copies(const vsg_exe_unit *unit, const vsg_jit_request *request)
{
    uint64_t count = (uint64_t)unit->num_code * request->num_threads;

    return unit->has_barrier && !request->is_partial && !request->resumes &&
                   request->num_threads <= VSG_JIT_MOST_THREADS && count <= MOST_COPIES
               ? (uint32_t)count
               : 0;
}

static bool is_candidate(const vsg_jit_emitter *e)
{
    const vsg_exe_unit *unit = e->unit;

    if (!e->starts || e->in_frame || e->waits_in_frame ||
        vsg_jit_count_copies(unit, e->request) == 0)
        return false;
    for (uint32_t i = 0; i < unit->num_code; i++) {
        const vsg_exe_inst *inst = &unit->code[i];
        bool is_end = inst->op == VISAGE_OP_RET || inst->op == VISAGE_OP_BARRIER;
        if (!e->notes[i].is_reached)
            continue;
        /* Handlers of what is not compiled may end a thread. */
        if ((!is_flow(inst) && !vsg_jit_lower_of(inst)) ||
            (vsg_jit_is_meeting(inst) && inst->op != VISAGE_OP_BARRIER) ||
            (is_end && (inst->predicate_mode || e->notes[i].is_divergent)))
            return false;
    }
    return true;
}

static void cut(vsg_jit_emitter *e)
{
    bool *is_cut = e->group->is_cut;

    is_cut[0] = true;
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        if (!e->notes[i].is_reached || !is_joint(e, i))
            continue;
        if (i + 1 < e->unit->num_code)
            is_cut[i + 1] = true;
        if (e->group->is_common[i])
            is_cut[e->unit->code[i].target] = true;
    }
}

static bool is_good(vsg_jit_emitter *e, finder *f, uint32_t *stack)
{
    uint32_t num_code = e->unit->num_code;

    while (mark_ways(e))
        continue;
    if (!are_ways_closed(e) || !is_worth_it(e))
        return false;
    find_own(f);
    for (uint32_t i = 0; i < num_code; i++) {
        if (!e->notes[i].is_reached)
            continue;
        if (e->group->is_common[i] && !is_taken_by_all(f, i))
            return false;
        if (!e->group->is_private[i] && e->notes[i].is_divergent)
            return false;
    }
    if (polls(e, f->is_own))
        return false;
    cut(e);
    for (uint32_t i = 0; i < num_code; i++) {
        if (!e->group->is_cut[i] || !e->notes[i].is_reached)
            continue;
        memory_use use = use_of_segment(e, i);
        if (!keeps_order(e, i, use, f->is_own, stack))
            return false;
    }
    return true;
}

bool vsg_jit_find_group(vsg_jit_emitter *e)
{
    uint32_t num_code = e->unit->num_code;
    uint32_t most = num_code > e->num_parts ? num_code : e->num_parts;
    finder f = {.e = e};

    if (e->care.group == VSG_JIT_GROUP_NONE || !is_candidate(e))
        return true;
    struct vsg_jit_group *g = vsg_base_arena_new(&e->arena, 1, sizeof *g);
    uint32_t *stack = vsg_base_arena_new(&e->arena, 2 * (size_t)num_code, sizeof *stack);
    f.is_own = vsg_base_arena_new(&e->arena, most + 1, sizeof *f.is_own);
    if (!g || !stack || !f.is_own)
        return false;
    g->num_threads = e->request->num_threads;
    g->is_private = vsg_base_arena_new(&e->arena, num_code, sizeof *g->is_private);
    g->is_common = vsg_base_arena_new(&e->arena, num_code, sizeof *g->is_common);
    g->is_cut = vsg_base_arena_new(&e->arena, num_code, sizeof *g->is_cut);
    g->windows = vsg_base_arena_new(&e->arena, num_code, sizeof *g->windows);
    if (!g->is_private || !g->is_common || !g->is_cut || !g->windows)
        return false;
    e->group = g;
    if (!is_good(e, &f, stack))
        e->group = NULL;
    return true;
}
