/* SPDX-License-Identifier: MIT
 *
 * What of a new frame is to be cleared. A function finds zeros where its caller gave it
 * nothing; but code whose variables are parts looks at few bytes of its frame before it has
 * written them: at what is live where it begins, and at what has no part. So does a kernel, of
 * which what is live where it begins are inputs. */
#include <string.h>

#include "exec/layout.h"
#include "jit/compile.h"
#include "jit/emit.h"
#include "jit/sets.h"

typedef vsg_exe_clears clears;
typedef vsg_exe_clear range;

/* ---- ranges ------------------------------------------------------------------------------ */

/* Makes one range of the two with the smallest gap; they are in order. */
static void merge_nearest(range *ranges, uint32_t *num)
{
    uint32_t best = 0, least = UINT32_MAX;

    for (uint32_t i = 0; i + 1 < *num; i++) {
        uint32_t gap = ranges[i + 1].at - (ranges[i].at + ranges[i].bytes);
        if (gap < least) {
            least = gap;
            best = i;
        }
    }
    ranges[best].bytes = ranges[best + 1].at + ranges[best + 1].bytes - ranges[best].at;
    memmove(&ranges[best + 1], &ranges[best + 2], (*num - best - 2) * sizeof *ranges);
    --*num;
}

/* Adds a range that begins behind the beginnings of all others. */
static void add(clears *out, range more)
{
    range ranges[VSG_EXE_MOST_CLEARS + 1];
    range *last = out->num ? &out->ranges[out->num - 1] : NULL;

    if (last && more.at <= last->at + last->bytes) {
        if (more.at + more.bytes > last->at + last->bytes)
            last->bytes = more.at + more.bytes - last->at;
        return;
    }
    if (out->num < VSG_EXE_MOST_CLEARS) {
        out->ranges[out->num++] = more;
        return;
    }
    memcpy(ranges, out->ranges, sizeof out->ranges);
    ranges[VSG_EXE_MOST_CLEARS] = more;
    uint32_t num = VSG_EXE_MOST_CLEARS + 1;
    merge_nearest(ranges, &num);
    memcpy(out->ranges, ranges, sizeof out->ranges);
}

void vsg_jit_join_clears(vsg_exe_clears *out, const vsg_exe_clears *more)
{
    clears both = {.num = 0};
    uint32_t i = 0, j = 0;

    if (out->num == VSG_EXE_CLEAR_ALL || more->num == VSG_EXE_CLEAR_ALL) {
        out->num = VSG_EXE_CLEAR_ALL;
        return;
    }
    while (i < out->num || j < more->num) {
        bool is_first =
            j == more->num || (i < out->num && out->ranges[i].at <= more->ranges[j].at);
        add(&both, is_first ? out->ranges[i++] : more->ranges[j++]);
    }
    *out = both;
}

/* ---- what a unit looks at ---------------------------------------------------------------- */

typedef struct looker {
    const vsg_jit_emitter *e;
    bool *wanted; /* by byte */
} looker;

static void look(void *user, const vsg_jit_access *access)
{
    const looker *l = user;

    for (uint32_t i = 0; i < access->bytes; i++)
        if (l->e->part_of[access->at + i] == VSG_JIT_NO_PART)
            l->wanted[access->at + i] = true;
}

bool vsg_jit_writes_by_address(const vsg_exe_inst *inst)
{
    return inst->dst.kind == VSG_EXE_OPERAND_INDIRECT ||
           inst->dst2.kind == VSG_EXE_OPERAND_INDIRECT;
}

static bool finds_by_address(const vsg_exe_unit *unit)
{
    for (uint32_t i = 0; i < unit->num_code; i++) {
        const vsg_exe_inst *inst = &unit->code[i];
        bool finds = vsg_jit_writes_by_address(inst);
        for (uint32_t s = 0; s < inst->num_sources; s++)
            finds |= inst->src[s].kind == VSG_EXE_OPERAND_INDIRECT;
        if (finds)
            return true;
    }
    return false;
}

static void look_at(looker *l, uint32_t at, uint32_t end)
{
    look(l, &(vsg_jit_access){.at = at, .bytes = end - at});
}

/* At what instructions name, and at variables that they may find by address. */
static void look_at_all(looker *l)
{
    const vsg_exe_unit *unit = l->e->unit;
    uint32_t at, end;

    for (uint32_t i = 0; i < unit->num_code; i++) {
        const vsg_obj_inst *source = unit->code[i].source;
        vsg_jit_accesses(l->e, i, look, l);
        for (uint32_t k = 0; source && k < source->num_operands; k++)
            if (vsg_jit_addressed(l->e, &source->operands[k], &at, &end))
                look_at(l, at, end < unit->register_bytes ? end : unit->register_bytes);
    }
}

/* The stack's pointers are always given. */
static bool is_given(const vsg_exe_unit *unit, uint32_t byte)
{
    return byte - unit->sp_at < 8 || byte - unit->fp_at < 8;
}

/* Is an input looked for in the frame? */
static bool wants_input(const looker *l)
{
    const vsg_jit_request *request = l->e->request;

    for (uint32_t i = 0; i < request->num_pieces; i++)
        for (uint32_t k = 0; k < request->pieces[i].size_bytes; k++)
            if (l->wanted[request->pieces[i].place + k])
                return true;
    return false;
}

void vsg_jit_find_clears(vsg_jit_emitter *e)
{
    const vsg_exe_unit *unit = e->unit;
    clears *out = &e->stats.clears;
    looker l = {.e = e};

    out->num = VSG_EXE_CLEAR_ALL;
    if (e->in_frame || (unit->object->is_function && finds_by_address(unit)))
        return;
    l.wanted = vsg_base_arena_new(&e->arena, unit->register_bytes, sizeof *l.wanted);
    if (!l.wanted)
        return;
    look_at_all(&l);
    if (!unit->object->is_function && wants_input(&l))
        return;
    for (uint32_t i = 0; i < e->num_general && unit->object->is_function; i++)
        if (vsg_jit_has(e->live[0], i))
            memset(&l.wanted[e->parts[i].at], true, e->parts[i].bytes);
    out->num = 0;
    for (uint32_t byte = 0; byte < unit->register_bytes; byte++)
        if (l.wanted[byte] && !is_given(unit, byte))
            add(out, (range){byte, 1});
}
