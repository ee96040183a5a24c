/* SPDX-License-Identifier: MIT
 *
 * What is computed again when a thread goes on behind a barrier, instead of being kept in its
 * frame: inputs that nobody writes, and integers that one instruction makes of such values
 * alone. Compilers move dozens of addresses out of loops, which would all be stored and loaded
 * at each barrier in them; computed again, most are seen to be rows (rows.h) or constants. */
#include <string.h>

#include "exec/handlers.h"
#include "jit/frame.h"
#include "jit/lines.h"
#include "jit/lowering.h"
#include "jit/sets.h"

/* Instructions that are made again behind one barrier, and behind all of a unit. */
enum { MOST_BEHIND_ONE = 200, MOST_IN_ALL = 2000 };

static const bool is_light[VISAGE_OP_COUNT] = {
#define LOWER(op, lower, weight) [VISAGE_OP_##op] = VSG_JIT_##weight == VSG_JIT_LIGHT,
#include "jit/lower.def"
#undef LOWER
};

struct vsg_jit_maker {
    uint32_t place;      /* of the instruction; VSG_JIT_NO_PLACE: the part is an input */
    uint32_t num_writes; /* accesses that write the part */
    bool is_fixed;       /* its value is one for the thread, and can be made at any time */
};

typedef struct finder {
    vsg_jit_emitter *e;
    uint32_t place, part;
    bool is_fixed;  /* of what a walk has seen: all that is read is */
    uint64_t *bits; /* parts that a walk has seen to be read */
} finder;

/* ---- which values are fixed -------------------------------------------------------------- */

static void note_write(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    const finder *f = user;
    struct vsg_jit_maker *maker = &f->e->makers[part];

    if (!access->is_written)
        return;
    maker->num_writes++;
    maker->place = covers && !access->is_read ? f->place : VSG_JIT_NO_PLACE;
}

/* %cr0 changes while a thread runs; nothing else that threads of a unit that `starts` find in
 * their shared registers does. */
static bool is_mode(const vsg_exe_operand *operand, uint32_t count)
{
    uint32_t cr0 = vsg_exe_shared_at(VSG_ISA_VAR_CR0);

    for (uint32_t i = 0; i < count && operand->shared; i++) {
        int64_t at = operand->offset + vsg_exe_distance(operand, i);
        if (at + operand->bytes > cr0 && at < cr0 + 4)
            return true;
    }
    return false;
}

/* Can an instruction be executed at any time, as often as one likes? */
static bool is_pure(const vsg_exe_inst *inst)
{
    if (!inst->source || !is_light[inst->op] || inst->message || inst->refresh ||
        inst->writes_mode || inst->predicate_mode || inst->dst.kind != VSG_EXE_OPERAND_REGION ||
        inst->dst.shared || inst->dst.is_null || !vsg_jit_is_integer(inst->dst.type))
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++) {
        const vsg_exe_operand *source = &inst->src[s];
        bool is_known =
            source->kind == VSG_EXE_OPERAND_IMMEDIATE || source->kind == VSG_EXE_OPERAND_REGION;
        if (!is_known || !vsg_jit_is_integer(source->type) || is_mode(source, inst->exec_size))
            return false;
    }
    return true;
}

static void look_at_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    finder *f = user;

    (void)covers;
    if (access->is_written && part != f->part)
        f->is_fixed = false; /* making one again would make the other, too */
    if (!access->is_read)
        return;
    f->is_fixed = f->is_fixed && f->e->makers[part].is_fixed;
    if (f->bits)
        vsg_jit_add(f->bits, part);
}

/* What is found by address, or too large to be a part, may change. */
static void look_at(void *user, const vsg_jit_access *access)
{
    finder *f = user;

    for (uint32_t i = 0; access->is_read && i < access->bytes; i++)
        f->is_fixed = f->is_fixed && f->e->part_of[access->at + i] != VSG_JIT_NO_PART;
    vsg_jit_each_part(f->e, access, look_at_part, user);
}

/* Parts in the order in which they can be made: e->fixed. */
static void find_fixed(vsg_jit_emitter *e)
{
    finder f = {.e = e};
    bool changed = true;

    for (uint32_t i = 0; i < e->num_parts; i++) {
        bool is_predicate = i >= e->num_general && i < e->num_general + e->unit->num_predicates;
        struct vsg_jit_maker *maker = &e->makers[i];
        maker->is_fixed = maker->num_writes == 0 && !is_predicate && !e->parts[i].in_frame;
        if (maker->is_fixed)
            e->fixed[e->num_fixed++] = i;
    }
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < e->num_general; i++) {
            struct vsg_jit_maker *maker = &e->makers[i];
            if (maker->is_fixed || maker->num_writes != 1 || e->parts[i].in_frame ||
                maker->place == VSG_JIT_NO_PLACE || vsg_jit_has(e->live[0], i) ||
                !is_pure(&e->unit->code[maker->place]))
                continue;
            f.is_fixed = true;
            f.part = i;
            vsg_jit_accesses(e, maker->place, look_at, &f);
            maker->is_fixed = f.is_fixed;
            changed |= f.is_fixed;
            if (f.is_fixed)
                e->fixed[e->num_fixed++] = i;
        }
    }
}

/* ---- behind a barrier -------------------------------------------------------------------- */

/* Adds what is needed to make what is wanted; the number of instructions that make it all. */
static uint32_t close_over(vsg_jit_emitter *e, uint64_t *wanted)
{
    finder f = {.e = e, .bits = wanted};
    uint32_t count = 0;

    for (uint32_t i = e->num_fixed; i-- > 0;) {
        uint32_t part = e->fixed[i];
        uint32_t place = e->makers[part].place;
        if (!vsg_jit_has(wanted, part) || place == VSG_JIT_NO_PLACE)
            continue;
        vsg_jit_accesses(e, place, look_at, &f);
        count++;
    }
    return count;
}

static bool is_behind_barrier(const vsg_jit_emitter *e, uint32_t place)
{
    return place > 0 && e->notes[place].is_reached &&
           e->unit->code[place - 1].op == VISAGE_OP_BARRIER;
}

/* What to make behind the barrier before `place`: all that is live and fixed, or only inputs
 * where that is too much. */
static void choose(vsg_jit_emitter *e, uint32_t place, uint32_t *left)
{
    uint64_t *wanted = e->again[place];
    uint32_t most = *left < MOST_BEHIND_ONE ? *left : MOST_BEHIND_ONE;

    for (uint32_t i = 0; i < e->num_fixed; i++)
        if (vsg_jit_has(e->live[place], e->fixed[i]))
            vsg_jit_add(wanted, e->fixed[i]);
    uint32_t count = close_over(e, wanted);
    if (count <= most) {
        *left -= count;
        return;
    }
    memset(wanted, 0, e->live_words * sizeof *wanted);
    for (uint32_t i = 0; i < e->num_fixed; i++)
        if (vsg_jit_has(e->live[place], e->fixed[i]) &&
            e->makers[e->fixed[i]].place == VSG_JIT_NO_PLACE)
            vsg_jit_add(wanted, e->fixed[i]);
}

bool vsg_jit_find_again(vsg_jit_emitter *e)
{
    uint32_t num_code = e->unit->num_code;
    uint32_t left = MOST_IN_ALL;
    finder f = {.e = e};

    if (!e->starts || e->in_frame || e->waits_in_frame)
        return true;
    e->makers = vsg_base_arena_new(&e->arena, e->num_parts + 1, sizeof *e->makers);
    e->fixed = vsg_base_arena_new(&e->arena, e->num_parts + 1, sizeof *e->fixed);
    e->again = vsg_base_arena_new(&e->arena, num_code, sizeof *e->again);
    if (!e->makers || !e->fixed || !e->again)
        return false;
    for (uint32_t i = 0; i < e->num_parts; i++)
        e->makers[i].place = VSG_JIT_NO_PLACE;
    for (f.place = 0; f.place < num_code; f.place++)
        if (e->notes[f.place].is_reached)
            vsg_jit_parts_at(e, f.place, note_write, &f);
    find_fixed(e);
    for (uint32_t i = 0; i < num_code; i++) {
        if (!is_behind_barrier(e, i))
            continue;
        e->again[i] = vsg_base_arena_new(&e->arena, e->live_words + 1, sizeof **e->again);
        if (!e->again[i])
            return false;
        choose(e, i, &left);
    }
    return true;
}

bool vsg_jit_is_again(const vsg_jit_emitter *e, uint32_t place, uint32_t part)
{
    return e->again && e->again[place] && vsg_jit_has(e->again[place], part);
}

void vsg_jit_make_again(vsg_jit_emitter *e, uint32_t place)
{
    uint32_t home = e->place;
    vsg_jit_stats stats = e->stats;

    for (uint32_t i = 0; i < e->num_fixed; i++) {
        uint32_t part = e->fixed[i];
        if (!vsg_jit_is_again(e, place, part))
            continue;
        if (e->makers[part].place == VSG_JIT_NO_PLACE)
            vsg_jit_begin_part(e, part);
        else
            vsg_jit_emit_instruction(e, e->makers[part].place);
    }
    e->place = home;
    e->stats = stats;
}
