/* SPDX-License-Identifier: MIT
 *
 * Which instructions may write the elements of channels that are off, and where channels may
 * wait.
 *
 * A channel that is off waits at a label, or has no work-item and is never on. What it needs
 * later is what is live there, as one channel sees the text: where it is on, a masked write is
 * a write. Anything else that an instruction writes while it waits may as well be written for
 * all channels, which saves the merge with what was there. That holds for a part whose accesses
 * all have one element for each channel, and the same for the same channel; what is read across
 * channels, as a scalar, or without a mask while channels are off, is merged always. Nor is
 * there anything to keep where all channels would write the same again (settled.h). */
#include <string.h>

#include "jit/emit.h"
#include "jit/pieces.h"
#include "jit/sets.h"
#include "jit/settled.h"

/* Beyond this all writes merge, and channels are thought to wait anywhere: the search would
 * take too long. Words of sets, and waits that are looked at. */
enum { MOST_STEPS = 1 << 26 };

typedef struct lanes_part {
    bool is_seen, is_mixed;
    uint32_t stride;
    int64_t first; /* number of the channel whose element begins the part */
} lanes_part;

typedef struct lanes {
    vsg_jit_emitter *e;
    lanes_part *parts;
    uint64_t **live;     /* by leader: parts, as one channel sees the text */
    uint64_t **needed;   /* by leader: parts that a channel waiting while it runs needs */
    const bool *settled; /* by part: writes for all channels leave it as it is */
    uint32_t place;
    uint64_t *bits; /* of the walk in hand */
    vsg_jit_pieces *pieces;
    bool kills, spoils;
} lanes;

static const vsg_exe_inst *inst_at(const lanes *l)
{
    return &l->e->unit->code[l->place];
}

/* May channels be off where an instruction is? */
static bool may_be_off(const vsg_jit_emitter *e, uint32_t place)
{
    return e->notes[place].is_divergent || vsg_jit_is_ragged(e);
}

/* ---- elements of channels ---------------------------------------------------------------- */

/* Is the predicate used channel by channel? */
static bool is_predicate_mixed(const lanes *l, const vsg_jit_access *access)
{
    const vsg_exe_inst *inst = inst_at(l);
    bool combines = (inst->predicate_mode & (VSG_EXE_PRED_ANY | VSG_EXE_PRED_ALL)) != 0 &&
                    inst->predicate == access->at;
    bool is_logic = inst->op == VISAGE_OP_AND || inst->op == VISAGE_OP_OR ||
                    inst->op == VISAGE_OP_XOR || inst->op == VISAGE_OP_NOT;

    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (inst->src[s].kind == VSG_EXE_OPERAND_PREDICATE && !is_logic)
            return true;
    return combines || inst->exec_size == 1 || access->at >= l->e->unit->num_predicates;
}

static void note_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    const lanes *l = user;
    const vsg_exe_inst *inst = inst_at(l);
    lanes_part *p = &l->parts[part];
    bool ignores_mask = inst->no_mask && may_be_off(l->e, l->place);

    (void)covers;
    if (ignores_mask && access->is_read && !access->is_merge)
        p->is_mixed = true;
    if (access->bytes == 0) {
        p->is_mixed |= is_predicate_mixed(l, access);
        return;
    }
    if (access->stride_bytes == 0) {
        p->is_mixed = true;
        return;
    }
    int64_t skip = (int64_t)access->at - l->e->parts[part].at;
    int64_t stride = access->stride_bytes;
    if (skip < 0 || skip % stride + access->element_bytes > stride) {
        p->is_mixed = true;
        return;
    }
    int64_t first = inst->mask_offset - skip / stride;
    p->is_mixed |= p->is_seen && (p->stride != access->stride_bytes || p->first != first);
    p->is_seen = true;
    p->stride = access->stride_bytes;
    p->first = first;
}

/* ---- what one channel needs -------------------------------------------------------------- */

/* Does a channel that is on write the elements that an access has of the part? */
static bool is_written(const lanes *l, const vsg_jit_access *access, uint32_t part)
{
    return access->is_written && !vsg_jit_is_masked(inst_at(l)) &&
           (!access->is_read || access->is_merge) && !l->parts[part].is_mixed;
}

/* Are these all that it has of the part? */
static bool is_whole(const lanes *l, const vsg_jit_access *access, uint32_t part)
{
    const vsg_exe_inst *inst = inst_at(l);
    const vsg_jit_part *p = &l->e->parts[part];

    if (access->bytes == 0)
        return l->e->notes[l->place].starts_anew ||
               (inst->mask_offset == 0 && inst->exec_size >= l->e->simd_size);
    return access->element_bytes == access->stride_bytes && access->at <= p->at &&
           access->at + access->bytes >= p->at + p->bytes;
}

static void trace_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    const lanes *l = user;
    bool writes = is_written(l, access, part), covers_all = writes && is_whole(l, access, part);

    (void)covers;
    if (l->kills) {
        if (covers_all || (writes && vsg_jit_add_pieces(l->pieces, access, part)))
            vsg_jit_remove(l->bits, part);
        return;
    }
    if (access->is_read && !access->is_merge)
        vsg_jit_drop_pieces(l->pieces, part);
    bool dies = covers_all || (writes && vsg_jit_has_pieces(l->pieces, part));
    if (!dies && (access->is_read || access->is_written))
        vsg_jit_add(l->bits, part);
}

static void trace_back(lanes *l)
{
    l->kills = true;
    vsg_jit_parts_at(l->e, l->place, trace_part, l);
    l->kills = false;
    vsg_jit_parts_at(l->e, l->place, trace_part, l);
}

/* Where one channel may go: not where others wait. */
static uint32_t next_of_channel(const vsg_jit_emitter *e, uint32_t place, uint32_t *out,
                                uint32_t most)
{
    const vsg_exe_inst *inst = &e->unit->code[place];

    if (inst->op != VISAGE_OP_GOTO)
        return vsg_jit_successors(e, place, out, most);
    out[0] = inst->target;
    out[1] = place + 1;
    return inst->predicate_mode && place + 1 < e->unit->num_code ? 2 : 1;
}

/* One block, from its end: true when what is live at its start has grown. */
static bool trace_block(lanes *l, uint32_t start)
{
    const vsg_jit_emitter *e = l->e;
    uint32_t next[VSG_JIT_MOST_NEXT];
    uint32_t end = start + e->notes[start].length - 1;
    uint32_t count = next_of_channel(e, end, next, VSG_JIT_MOST_NEXT);
    bool grew = false;

    memset(l->bits, 0, e->live_words * sizeof *l->bits);
    for (uint32_t s = 0; s < count && s < VSG_JIT_MOST_NEXT; s++)
        for (uint32_t w = 0; w < e->live_words; w++)
            l->bits[w] |= l->live[next[s]][w];
    vsg_jit_forget_pieces(l->pieces);
    for (l->place = end + 1; l->place-- > start;)
        trace_back(l);
    for (uint32_t w = 0; w < e->live_words; w++) {
        grew |= (l->bits[w] & ~l->live[start][w]) != 0;
        l->live[start][w] |= l->bits[w];
    }
    return grew;
}

/* ---- while a channel waits --------------------------------------------------------------- */

/* The blocks that run while channels wait at `wait`. */
typedef struct walk {
    const lanes *l;
    uint32_t wait, num;
    uint32_t *stack, *seen; /* seen: by instruction, 1 more than the wait */
    uint32_t *parks, *next; /* by wait: a goto to it, +1, 0: none; by goto: another one */
    uint64_t steps;
} walk;

static void visit(walk *w, uint32_t place)
{
    if (place == w->l->e->unit->waits[w->wait].pc || w->seen[place] == w->wait + 1)
        return;
    w->seen[place] = w->wait + 1;
    w->stack[w->num++] = place;
}

/* Where control may go from the end of a block. A goto forwards parks its channels, too:
 * however far they go, the search for waiting ones does not come past those that wait here. */
static void visit_next(walk *w, uint32_t place)
{
    const vsg_jit_emitter *e = w->l->e;
    const vsg_exe_unit *unit = e->unit;
    const vsg_exe_inst *inst = &unit->code[place];
    uint32_t end = unit->waits[w->wait].pc, next[VSG_JIT_MOST_NEXT];
    uint32_t count = vsg_jit_successors(e, place, next, VSG_JIT_MOST_NEXT);
    bool searches = place < end && (inst->op == VISAGE_OP_GOTO || inst->op == VISAGE_OP_RET);

    for (uint32_t s = 0; s < count && s < VSG_JIT_MOST_NEXT; s++)
        if (!searches || next[s] < end)
            visit(w, next[s]);
    for (uint32_t i = inst->next_wait; searches && i < w->wait; i++)
        visit(w, unit->waits[i].pc);
    w->steps += searches && w->wait > inst->next_wait ? w->wait - inst->next_wait : 1;
}

static void find_parks(walk *w)
{
    const vsg_jit_emitter *e = w->l->e;

    for (uint32_t i = e->unit->num_code; i-- > 0;) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (inst->op != VISAGE_OP_GOTO || inst->wait == VSG_EXE_NO_WAIT ||
            !vsg_jit_diverges(e, i))
            continue;
        w->next[i] = w->parks[inst->wait];
        w->parks[inst->wait] = i + 1;
    }
}

/* Marks the blocks that run after channels were parked at the wait, until they are on again. */
static void reach(walk *w)
{
    const vsg_jit_emitter *e = w->l->e;

    for (uint32_t i = w->parks[w->wait]; i; i = w->next[i - 1])
        visit_next(w, i - 1);
    while (w->num > 0 && w->steps < MOST_STEPS) {
        uint32_t start = w->stack[--w->num];
        vsg_jit_add(e->waiting[start], w->wait);
        for (uint32_t n = 0; n < e->live_words; n++)
            w->l->needed[start][n] |= w->l->live[e->unit->waits[w->wait].pc][n];
        w->steps += e->live_words;
        visit_next(w, start + e->notes[start].length - 1);
    }
}

/* ---- instructions ------------------------------------------------------------------------ */

static void judge_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    lanes *l = user;

    (void)covers;
    if (access->is_written &&
        (l->parts[part].is_mixed || (vsg_jit_has(l->bits, part) && !l->settled[part])))
        l->spoils = true;
}

static void judge_access(void *user, const vsg_jit_access *access)
{
    lanes *l = user;
    const vsg_jit_emitter *e = l->e;

    for (uint32_t i = 0; access->is_written && i < access->bytes; i++)
        l->spoils |= e->part_of[access->at + i] == VSG_JIT_NO_PART;
    vsg_jit_each_part(e, access, judge_part, l);
}

static void judge(lanes *l)
{
    vsg_jit_emitter *e = l->e;

    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (e->notes[i].is_leader)
            l->bits = l->needed[i];
        if (!may_be_off(e, i) || inst->no_mask)
            continue;
        bool is_plain = vsg_jit_is_transfer(inst) ||
                        inst->dst.kind == VSG_EXE_OPERAND_PREDICATE ||
                        (inst->dst.kind == VSG_EXE_OPERAND_REGION && !inst->dst.shared);
        l->place = i;
        l->spoils = !is_plain;
        vsg_jit_accesses(e, i, judge_access, l);
        e->notes[i].may_spoil = !l->spoils;
    }
}

/* Both arms of a branch write a variable for their channels: as control flow sees it, what was
 * there before the branch is kept for those that are off. No channel needs it. */
static void note_wanted(lanes *l)
{
    vsg_jit_emitter *e = l->e;

    for (uint32_t i = 0; i < e->unit->num_code; i++)
        for (uint32_t n = 0; e->notes[i].is_leader && n < e->live_words; n++)
            l->needed[i][n] |= l->live[i][n];
    e->wanted = l->needed;
    e->wanted_general = e->num_general;
}

/* ---- all of it --------------------------------------------------------------------------- */

static bool make_room(lanes *l)
{
    vsg_jit_emitter *e = l->e;
    uint32_t num_code = e->unit->num_code;

    e->waiting = vsg_base_arena_new(&e->arena, num_code, sizeof *e->waiting);
    l->parts = vsg_base_arena_new(&e->arena, e->num_parts + 1, sizeof *l->parts);
    l->live = vsg_base_arena_new(&e->arena, num_code, sizeof *l->live);
    l->needed = vsg_base_arena_new(&e->arena, num_code, sizeof *l->needed);
    l->bits = vsg_base_arena_new(&e->arena, e->live_words + 1, sizeof *l->bits);
    l->pieces = vsg_jit_new_pieces(e);
    if (!e->waiting || !l->parts || !l->live || !l->needed || !l->bits || !l->pieces)
        return false;
    for (uint32_t i = 0; i < num_code; i++) {
        if (!e->notes[i].is_leader)
            continue;
        l->live[i] = vsg_base_arena_new(&e->arena, e->live_words + 1, sizeof **l->live);
        l->needed[i] = vsg_base_arena_new(&e->arena, e->live_words + 1, sizeof **l->needed);
        e->waiting[i] =
            vsg_base_arena_new(&e->arena, e->unit->num_waits / 64 + 1, sizeof **e->waiting);
        if (!l->live[i] || !l->needed[i] || !e->waiting[i])
            return false;
    }
    return true;
}

bool vsg_jit_find_lanes(vsg_jit_emitter *e)
{
    const vsg_exe_unit *unit = e->unit;
    lanes l = {.e = e};
    bool changed = true;

    /* Channels of a caller may wait while a subroutine runs, and labels do not tell which. */
    if ((unit->num_waits == 0 && !vsg_jit_is_ragged(e)) || vsg_jit_has_calls(unit))
        return true;
    walk w = {.l = &l};
    w.stack = vsg_base_arena_new(&e->arena, unit->num_code, sizeof *w.stack);
    w.seen = vsg_base_arena_new(&e->arena, unit->num_code, sizeof *w.seen);
    w.parks = vsg_base_arena_new(&e->arena, unit->num_waits + 1, sizeof *w.parks);
    w.next = vsg_base_arena_new(&e->arena, unit->num_code, sizeof *w.next);
    if (!w.stack || !w.seen || !w.parks || !w.next || !make_room(&l))
        return false;
    for (l.place = 0; l.place < unit->num_code; l.place++)
        if (e->notes[l.place].is_reached)
            vsg_jit_parts_at(e, l.place, note_part, &l);
    while (changed) {
        changed = false;
        for (uint32_t i = unit->num_code; i-- > 0;)
            if (e->notes[i].is_leader)
                changed |= trace_block(&l, i);
    }
    find_parks(&w);
    for (w.wait = 0; w.wait < unit->num_waits && w.steps < MOST_STEPS; w.wait++)
        reach(&w);
    if (w.steps >= MOST_STEPS) {
        e->waiting = NULL;
        return true;
    }
    l.settled = vsg_jit_find_settled(e, l.live[0]);
    if (!l.settled)
        return false;
    judge(&l);
    note_wanted(&l);
    return true;
}
