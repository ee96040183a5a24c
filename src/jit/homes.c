/* SPDX-License-Identifier: MIT
 *
 * What a thread keeps in its frame at a barrier is there already, if it was loaded behind the
 * barrier before and nothing has written it since: it is not stored again, and if nothing reads
 * it in between either, LLVM does not load it. Kernels that reduce in shared local memory have
 * barriers by the dozen, and most of what is live at them has nothing to do with them. The same
 * holds for where a thread jumps back and may have used up its budget: what that would store
 * would be loaded each time. */
#include <string.h>

#include "jit/emit.h"
#include "jit/sets.h"

/* Parts whose homes have what they have. */
typedef struct finder {
    vsg_jit_emitter *e;
    uint64_t **at; /* by instruction that begins a block, when it begins */
    uint64_t *now;
} finder;

static void note_write(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    finder *f = user;

    (void)covers;
    if (access->is_written)
        vsg_jit_remove(f->now, part);
}

static void follow_block(finder *f, uint32_t start)
{
    uint32_t end = start + f->e->notes[start].length - 1;

    memcpy(f->now, f->at[start], f->e->live_words * sizeof *f->now);
    for (uint32_t i = start; i <= end; i++)
        vsg_jit_parts_at(f->e, i, note_write, f);
}

/* True when a set has become smaller. */
static bool meet(const finder *f, uint32_t place)
{
    bool changed = false;

    for (uint32_t w = 0; f->at[place] && w < f->e->live_words; w++) {
        changed |= (f->at[place][w] & ~f->now[w]) != 0;
        f->at[place][w] &= f->now[w];
    }
    return changed;
}

static bool is_barrier(const vsg_jit_emitter *e, uint32_t place)
{
    return e->unit->code[place].op == VISAGE_OP_BARRIER;
}

static bool may_stop(const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];

    return is_barrier(e, place) || (vsg_exe_is_jump(inst) && inst->target <= place);
}

/* Control comes to what is behind a barrier from frames alone. */
static bool pass_block(finder *f, uint32_t start)
{
    uint32_t next[VSG_JIT_MOST_NEXT], end = start + f->e->notes[start].length - 1;
    uint32_t count = vsg_jit_successors(f->e, end, next, VSG_JIT_MOST_NEXT);
    bool changed = false;

    if (is_barrier(f->e, end))
        return false;
    follow_block(f, start);
    for (uint32_t s = 0; s < count; s++)
        changed |= meet(f, next[s]);
    return changed;
}

/* Where threads go on, homes have what is loaded from them; where they begin, nothing. */
static bool begin_sets(finder *f)
{
    vsg_jit_emitter *e = f->e;
    size_t bytes = e->live_words * sizeof(uint64_t);

    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        if (!e->notes[i].is_leader)
            continue;
        f->at[i] = vsg_base_arena_new(&e->arena, e->live_words + 1, sizeof **f->at);
        if (!f->at[i])
            return false;
        if (i > 0)
            memset(f->at[i], 0xff, bytes);
        for (uint32_t part = 0; part < e->num_parts && e->notes[i].is_resumed; part++)
            if (!vsg_jit_has(e->live[i], part) || vsg_jit_is_again(e, i, part))
                vsg_jit_remove(f->at[i], part);
    }
    return true;
}

/* By place where a thread may stop: a set of its own. */
static bool keep_sets(finder *f)
{
    vsg_jit_emitter *e = f->e;

    e->at_home = vsg_base_arena_new(&e->arena, e->unit->num_code, sizeof *e->at_home);
    for (uint32_t i = 0; e->at_home && i < e->unit->num_code; i++) {
        uint32_t end = i + e->notes[i].length - 1;
        if (!e->notes[i].is_leader || !may_stop(e, end))
            continue;
        follow_block(f, i);
        e->at_home[end] = vsg_base_arena_new(&e->arena, e->live_words + 1, sizeof *f->now);
        if (!e->at_home[end])
            return false;
        memcpy(e->at_home[end], f->now, e->live_words * sizeof *f->now);
    }
    return e->at_home != NULL;
}

bool vsg_jit_find_homes(vsg_jit_emitter *e)
{
    finder f = {.e = e};
    bool changed = true;

    if (!e->unit->has_barrier || e->group || e->in_frame || vsg_jit_has_calls(e->unit))
        return true;
    f.at = vsg_base_arena_new(&e->arena, e->unit->num_code, sizeof *f.at);
    f.now = vsg_base_arena_new(&e->arena, e->live_words + 1, sizeof *f.now);
    if (!f.at || !f.now || !begin_sets(&f))
        return false;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < e->unit->num_code; i++)
            if (e->notes[i].is_leader)
                changed |= pass_block(&f, i);
    }
    return keep_sets(&f);
}
