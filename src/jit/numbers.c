/* SPDX-License-Identifier: MIT
 *
 * Numbers of channels. Vectors of constants have eight elements: compilers make 0, 1, 2 ... of
 * more channels by moving one and adding to its lanes, in a few instructions one behind the
 * other. What these leave is one row, whatever each of them writes. */
#include "jit/lowering.h"
#include "jit/row_lanes.h"
#include "jit/sets.h"

typedef struct run {
    vsg_jit_emitter *e;
    vsg_jit_lane_numbers own;
} run;

/* Does the instruction write constants into lanes of the part, and nothing else? */
static bool follow(run *r, uint32_t place)
{
    const vsg_exe_inst *inst = &r->e->unit->code[place];
    int64_t sums[VSG_EXE_MAX_CHANNELS] = {0}, number;
    uint32_t part, lane;

    if ((inst->op != VISAGE_OP_MOV && inst->op != VISAGE_OP_ADD) || inst->saturate ||
        inst->writes_mode || !vsg_jit_is_integer(inst->dst.type) ||
        !vsg_jit_find_result(r->e, place, &part, &lane) || part != r->own.part)
        return false;
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        for (uint32_t s = 0; s < inst->num_sources; s++) {
            if (!vsg_jit_find_number(r->e, &r->own, &inst->src[s], inst->exec_size, i, &number))
                return false;
            sums[i] += number;
        }
        if (!vsg_jit_fits_any(sums[i], inst->dst.bytes))
            return false;
    }
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        r->own.lanes[lane + i] = sums[i];
        r->own.known |= UINT32_C(1) << (lane + i);
    }
    return true;
}

static bool begin(run *r, uint32_t place)
{
    const vsg_exe_inst *inst = &r->e->unit->code[place];
    uint32_t lane;

    return inst->op == VISAGE_OP_MOV && inst->src[0].kind == VSG_EXE_OPERAND_IMMEDIATE &&
           inst->src[0].count > 1 && r->e->notes[place].is_reached &&
           vsg_jit_find_result(r->e, place, &r->own.part, &lane) &&
           r->own.part < r->e->num_general &&
           vsg_jit_lanes_of(&r->e->parts[r->own.part]) <= VSG_EXE_MAX_CHANNELS &&
           follow(r, place);
}

/* True: it is the row of its part. */
static bool end(const run *r, uint32_t num_writes)
{
    uint32_t lanes = vsg_jit_lanes_of(&r->e->parts[r->own.part]);
    int64_t step = r->own.lanes[1] - r->own.lanes[0];
    vsg_jit_row *row = &r->e->rows[r->own.part];

    if (lanes < 2 || r->own.known != vsg_exe_first(lanes) || step == 0)
        return false;
    for (uint32_t i = 2; i < lanes; i++)
        if (r->own.lanes[i] - r->own.lanes[i - 1] != step)
            return false;
    row->num_writes = num_writes;
    row->number = r->own.lanes[0];
    row->number_step = step;
    return true;
}

/* ---- whether they are always numbers ----------------------------------------------------- */

/* As many parts have a bit each where blocks begin. */
enum { MOST_FOUND = 64 };

typedef struct found {
    uint32_t part, place, num_writes; /* the place of the first of them */
} found;

typedef struct finder {
    vsg_jit_emitter *e;
    uint32_t *writes; /* to each part */
    uint64_t *made;   /* by place, where blocks begin: what all ways there have passed */
    uint32_t count;
    found found[MOST_FOUND];
} finder;

static void find_all(finder *f)
{
    uint32_t num_code = f->e->unit->num_code, next;

    for (uint32_t i = 0; i < num_code && f->count < MOST_FOUND; i = next) {
        run r = {.e = f->e};
        next = i + 1;
        if (!begin(&r, i))
            continue;
        while (next < num_code && !f->e->notes[next].is_leader && follow(&r, next))
            next++;
        if (end(&r, next - i))
            f->found[f->count++] = (found){r.own.part, i, next - i};
    }
}

static void count_write(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    uint32_t *writes = user;

    (void)covers;
    writes[part] += access->is_written;
}

/* What is made behind an instruction, where `made` is before it. */
static uint64_t pass(const finder *f, uint32_t place, uint64_t made)
{
    for (uint32_t k = 0; k < f->count; k++)
        if (f->found[k].place == place)
            made |= UINT64_C(1) << k;
    return made;
}

/* True: less is known of where a block leads to. */
static bool pass_block(const finder *f, uint32_t start)
{
    uint32_t next[VSG_JIT_MOST_NEXT], end = start + f->e->notes[start].length;
    uint32_t count = vsg_jit_successors(f->e, end - 1, next, VSG_JIT_MOST_NEXT);
    uint64_t made = f->made[start];
    bool changed = false;

    for (uint32_t i = start; i < end; i++)
        made = pass(f, i, made);
    for (uint32_t s = 0; s < count; s++) { /* no more than there is room for: modes.c */
        changed |= (f->made[next[s]] & ~made) != 0;
        f->made[next[s]] &= made;
    }
    return changed;
}

static bool is_block(const vsg_jit_emitter *e, uint32_t place)
{
    return e->notes[place].is_leader && e->notes[place].is_reached;
}

static void find_made(const finder *f)
{
    bool changed = true;

    for (uint32_t i = 1; i < f->e->unit->num_code; i++)
        f->made[i] = UINT64_MAX;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < f->e->unit->num_code; i++)
            changed |= is_block(f->e, i) && pass_block(f, i);
    }
}

/* An instruction that is looked at, and what has been made before it. */
typedef struct look {
    const finder *f;
    uint32_t place;
    uint64_t made;
    uint64_t *spoiled; /* what is used elsewhere */
} look;

static void note_access(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    const look *l = user;

    (void)access;
    (void)covers;
    for (uint32_t k = 0; k < l->f->count; k++) {
        const found *own = &l->f->found[k];
        if (own->part == part && l->place - own->place >= own->num_writes)
            *l->spoiled |= ~l->made & UINT64_C(1) << k;
    }
}

/* Those that something uses which control may come to on a way around them. */
static uint64_t find_spoiled(const finder *f)
{
    uint64_t spoiled = 0;
    look l = {.f = f, .spoiled = &spoiled};

    for (uint32_t i = 0; i < f->e->unit->num_code; i++) {
        if (!f->e->notes[i].is_reached)
            continue;
        l.place = i;
        l.made = f->e->notes[i].is_leader ? f->made[i] : l.made;
        vsg_jit_parts_at(f->e, i, note_access, &l);
        l.made = pass(f, i, l.made);
    }
    return spoiled;
}

/* Parts that something else writes, too, are none. */
static void drop_others(const finder *f, uint64_t spoiled)
{
    for (uint32_t i = 0; i < f->e->unit->num_code; i++)
        vsg_jit_parts_at(f->e, i, count_write, f->writes);
    for (uint32_t k = 0; k < f->count; k++) {
        vsg_jit_row *row = &f->e->rows[f->found[k].part];
        if (spoiled >> k & 1 || row->num_writes != f->writes[f->found[k].part])
            row->num_writes = 0;
    }
}

bool vsg_jit_find_numbers(vsg_jit_emitter *e)
{
    finder f = {.e = e};

    find_all(&f);
    if (f.count == 0)
        return true;
    f.writes = vsg_base_arena_new(&e->arena, e->num_parts + 1, sizeof *f.writes);
    f.made = vsg_base_arena_new(&e->arena, e->unit->num_code, sizeof *f.made);
    if (!f.writes || !f.made)
        return false;
    find_made(&f);
    drop_others(&f, find_spoiled(&f));
    return true;
}
