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

static void note_use(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    bool *is_used = user;

    (void)access;
    (void)covers;
    is_used[part] = true;
}

static void count_write(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    uint32_t *writes = user;

    (void)covers;
    writes[part] += access->is_written;
}

/* Parts that something else writes, too, are none. False: memory is out. */
static bool drop_others(vsg_jit_emitter *e)
{
    uint32_t *writes = vsg_base_arena_new(&e->arena, e->num_parts + 1, sizeof *writes);

    if (!writes)
        return false;
    for (uint32_t i = 0; i < e->unit->num_code; i++)
        vsg_jit_parts_at(e, i, count_write, writes);
    for (uint32_t i = 0; i < e->num_general; i++)
        if (e->rows[i].num_writes != writes[i])
            e->rows[i].num_writes = 0;
    return true;
}

/* Only of what nothing has used in the first block: nobody sees what was there before. */
bool vsg_jit_find_numbers(vsg_jit_emitter *e)
{
    bool *is_used = vsg_base_arena_new(&e->arena, e->num_parts + 1, sizeof *is_used);
    uint32_t num_code = e->unit->num_code, next;
    bool found = false;

    if (!is_used)
        return false;
    for (uint32_t i = 0; i < num_code && (i == 0 || !e->notes[i].is_leader); i = next) {
        run r = {.e = e};
        next = i + 1;
        if (begin(&r, i) && !is_used[r.own.part]) {
            while (next < num_code && !e->notes[next].is_leader && follow(&r, next))
                next++;
            found |= end(&r, next - i);
        }
        for (uint32_t n = i; n < next; n++)
            vsg_jit_parts_at(e, n, note_use, is_used);
    }
    return !found || drop_others(e);
}
