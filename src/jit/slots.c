/* SPDX-License-Identifier: MIT
 *
 * Which parts become LLVM variables. Where branches share the search for channels that wait
 * (ways.c) control may come from each place where some do to each later one, and where there
 * are loops to each other one, so a variable that is live between blocks meets itself at all of
 * them: compile time grows with the product of places and such variables. Where divergent text
 * ends the way from place to place does, too. As many as are bearable become LLVM variables,
 * those of inner loops first; the others stay in the frame. Variables of one block always
 * become LLVM variables. */
#include <stdlib.h>

#include "jit/ways.h"

/* Found by measurement: where meetings are many, each costs a tenth of a millisecond. */
static const uint64_t most_meetings = 3000;
/* Wait masks are live at all those places: more of them than this stay in the frame, too. */
static const uint32_t most_waits = 24;
/* Where text is not short LLVM goes through all of its blocks for each variable of several.
 * With the least effort such a variable is stored and loaded in each block that it lives
 * through, so that it is quicker in the frame, too: fewer of them are variables of long text.
 * Which are does not depend on the effort that code is made with, as threads go on in code of
 * another one. */
static const uint64_t most_walks = UINT64_C(1) << 22, most_walks_if_long = UINT64_C(1) << 19;
/* It has a place on the stack for each block that it meets itself at: bytes of all of these. */
static const uint64_t most_stack_bytes = UINT64_C(1) << 20;
/* What finding out may take: bits of live parts where blocks begin. */
static const uint64_t most_bits = UINT64_C(1) << 27;

typedef struct use {
    uint32_t part;
    uint32_t blocks; /* where it is live when they begin */
    uint64_t weight;
} use;

static int compare(const void *a, const void *b)
{
    const use *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return x->part < y->part ? -1 : x->part > y->part;
}

/* ---- how often a part is used ------------------------------------------------------------ */

typedef struct counter {
    const vsg_jit_emitter *e;
    use *uses; /* by part */
    uint64_t weight;
} counter;

static void count_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    const counter *c = user;

    (void)access;
    (void)covers;
    c->uses[part].weight += c->weight;
}

static void note_loop(uint32_t *last, uint32_t target, uint32_t place)
{
    if (target <= place && place > last[target])
        last[target] = place;
}

/* By instruction: in how many loops it is. Loops are from the target of a jump backwards to the
 * last one that leads there. NULL: memory is out. */
static const uint32_t *find_depths(vsg_jit_emitter *e)
{
    uint32_t num_code = e->unit->num_code;
    uint32_t *last = vsg_base_arena_new(&e->arena, num_code, sizeof *last);
    uint32_t *ends = vsg_base_arena_new(&e->arena, num_code, sizeof *ends);
    uint32_t *depths = vsg_base_arena_new(&e->arena, num_code, sizeof *depths);
    uint32_t depth = 0;

    if (!last || !ends || !depths)
        return NULL;
    for (uint32_t i = 0; i < num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (vsg_exe_is_jump(inst))
            note_loop(last, inst->target, i);
        for (uint32_t t = 0; t < inst->num_targets; t++)
            note_loop(last, inst->targets[t], i);
    }
    for (uint32_t i = 0; i < num_code; i++) {
        if (last[i]) {
            depth++;
            ends[last[i]]++;
        }
        depths[i] = depth;
        depth -= ends[i];
    }
    return depths;
}

static void note_live(const vsg_jit_emitter *e, use *uses)
{
    for (uint32_t i = 0; i < e->unit->num_code; i++)
        for (uint32_t w = 0; e->live[i] && w < e->live_words; w++)
            for (uint64_t bits = e->live[i][w]; bits; bits &= bits - 1)
                uses[64 * w + (uint32_t)__builtin_ctzll(bits)].blocks++;
}

/* By part. NULL: memory is out. */
static use *count_uses(vsg_jit_emitter *e)
{
    enum { DEEPEST = 4, SHIFT = 3 }; /* a loop is thought to have eight rounds */
    const uint32_t *depths = find_depths(e);
    counter c = {.e = e};

    c.uses = vsg_base_arena_new(&e->arena, 64 * (size_t)(e->live_words + 1), sizeof *c.uses);
    if (!depths || !c.uses)
        return NULL;
    for (uint32_t i = 0; i < e->num_parts; i++)
        c.uses[i].part = i;
    note_live(e, c.uses);
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        uint32_t depth = depths[i] < DEEPEST ? depths[i] : DEEPEST;
        c.weight = UINT64_C(1) << SHIFT * depth;
        vsg_jit_parts_at(e, i, count_part, &c);
    }
    return c.uses;
}

/* ---- choosing ---------------------------------------------------------------------------- */

bool vsg_jit_ends_search(const vsg_jit_emitter *e, uint32_t wait)
{
    return !e->notes[e->unit->waits[wait].pc].is_divergent;
}

/* Places on a way that goes from one to each later one, at most. */
static uint32_t longest_search(const vsg_jit_emitter *e)
{
    uint32_t longest = 0, length = 0;

    if (e->has_ways)
        return 0;
    for (uint32_t i = 0; i < e->unit->num_waits; i++) {
        length++;
        longest = length > longest ? length : longest;
        if (vsg_jit_ends_search(e, i))
            length = 0;
    }
    return longest;
}

/* Variables of several blocks that are bearable. */
static uint64_t most_variables(const vsg_jit_emitter *e)
{
    uint32_t num_blocks = 1;

    for (uint32_t i = 0; i < e->unit->num_code; i++)
        num_blocks += e->notes[i].is_leader;
    return (e->is_long ? most_walks_if_long : most_walks) / num_blocks;
}

/* Wait masks that are not always 0. */
static uint32_t count_waits(vsg_jit_emitter *e)
{
    bool *seen = vsg_base_arena_new(&e->arena, e->unit->num_waits + 1, sizeof *seen);
    uint32_t count = 0;

    e->no_memory |= !seen;
    for (uint32_t i = 0; seen && i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (!vsg_exe_is_jump(inst) || inst->wait >= e->unit->num_waits || seen[inst->wait] ||
            !vsg_jit_diverges(e, i))
            continue;
        seen[inst->wait] = true;
        count++;
    }
    return count;
}

static bool choose(vsg_jit_emitter *e)
{
    uint32_t waits = longest_search(e);
    uint64_t most = most_variables(e);
    uint64_t stack_bytes = e->is_long ? most_stack_bytes : UINT64_MAX;
    use *uses = count_uses(e);

    if (!uses)
        return false;
    if (waits && most_meetings / waits < most)
        most = most_meetings / waits;
    qsort(uses, e->num_parts, sizeof *uses, compare);
    for (uint32_t i = 0; i < e->num_parts; i++) {
        vsg_jit_part *part = &e->parts[uses[i].part];
        uint64_t bytes = (uint64_t)uses[i].blocks * part->bytes;
        if (bytes == 0)
            continue;
        part->in_frame = most == 0 || bytes > stack_bytes;
        if (part->in_frame)
            continue;
        most--;
        stack_bytes -= bytes;
    }
    return true;
}

bool vsg_jit_choose_slots(vsg_jit_emitter *e)
{
    uint64_t bits = 0;

    for (uint32_t i = 0; i < e->unit->num_code; i++)
        bits += e->notes[i].is_leader ? e->num_parts : 0;
    e->in_frame = bits > most_bits;
    if (!e->in_frame && !vsg_jit_find_lanes(e))
        return false;
    vsg_jit_find_ways(e);
    e->waits_in_frame =
        e->in_frame || longest_search(e) > most_waits || count_waits(e) > most_variables(e);
    if (!e->in_frame)
        return vsg_jit_split_parts(e) && vsg_jit_find_live(e) && choose(e);
    for (uint32_t i = 0; i < e->num_parts; i++)
        e->parts[i].in_frame = true;
    return true;
}
