/* SPDX-License-Identifier: MIT
 *
 * Which loops are divisions: control flow, and what becomes of variables. */
#include "jit/divide.h"

#include <string.h>

#include "exec/operand.h"
#include "jit/sets.h"

enum { BITS = VSG_JIT_DIVIDE_BITS, HALF = BITS / 2, DWORD = 4 };
/* Longer loops, or with more variables, are none; a channel alone is none for vectors. */
enum { MOST_CODE = 256, MOST_BITS = 1 << 18, LEAST_CHANNELS = 8 };

typedef vsg_jit_follower follower;
typedef vsg_jit_division division;

/* The text from `first` on, in the block before the loop that a jump from `last` to `head`
 * closes. */
typedef struct extent {
    uint32_t first, head, last;
} extent;

/* ---- variables of the loop --------------------------------------------------------------- */

static void add_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    follower *f = user;
    bool is_predicate = part >= f->e->num_general;

    (void)access;
    (void)covers;
    if (f->base[part])
        return;
    /* A bit of a predicate for each channel; whole bytes. */
    f->base[part] = f->num_bits + 1;
    f->num_bits += is_predicate ? VSG_EXE_MAX_CHANNELS : 8 * f->e->parts[part].bytes;
}

/* NULL: memory is out, or (no_memory not set) these are too many variables. */
static follower *open_follower(vsg_jit_emitter *e, const extent *of)
{
    vsg_base_arena *arena = &e->arena;
    follower *f = vsg_base_arena_new(arena, 1, sizeof *f);

    e->no_memory |= !f;
    if (!f)
        return NULL;
    f->e = e;
    f->base = vsg_base_arena_new(arena, e->num_parts + 1, sizeof *f->base);
    f->exposed = vsg_base_arena_new(arena, e->num_parts + 1, sizeof *f->exposed);
    f->kept = vsg_base_arena_new(arena, e->num_parts + 1, sizeof *f->kept);
    f->bare = vsg_base_arena_new(arena, e->num_parts + 1, sizeof *f->bare);
    f->division = vsg_base_arena_new(arena, 1, sizeof *f->division);
    e->no_memory |= !f->base || !f->exposed || !f->kept || !f->bare || !f->division;
    if (e->no_memory)
        return NULL;
    for (uint32_t i = of->first; i <= of->last; i++)
        vsg_jit_parts_at(e, i, add_part, f);
    if (f->num_bits > MOST_BITS)
        return NULL;
    f->bits = vsg_base_arena_new(arena, f->num_bits + 1, sizeof *f->bits);
    f->owners = vsg_base_arena_new(arena, f->num_bits + 1, 1);
    f->past = vsg_base_arena_new(arena, f->num_bits / 8 + 1, sizeof *f->past);
    f->past_of = vsg_base_arena_new(arena, f->num_bits / 8 + 1, sizeof *f->past_of);
    e->no_memory |= !f->bits || !f->owners || !f->past || !f->past_of;
    if (e->no_memory)
        return NULL;
    for (uint32_t i = 0; i < f->num_bits; i++) {
        f->bits[i] = VSG_JIT_BIT_BEFORE + i;
        f->owners[i] = VSG_JIT_OF_ALL;
    }
    return f;
}

/* ---- control flow ------------------------------------------------------------------------ */

typedef enum outcome { GOES_ON, GOES_TO, PARTS, IS_STRANGE } outcome;

/* What a channel's bit of a predicate lets it do. */
static outcome outcome_by(const follower *f, const vsg_exe_inst *inst, uint32_t channel)
{
    uint32_t at = f->base[f->e->num_general + inst->predicate] - 1 + channel;
    bool turns = (inst->predicate_mode & VSG_EXE_PRED_INVERSE) != 0;
    bool is_known =
        f->owners[at] == VSG_JIT_OF_ALL || (inst->exec_size > 1 && f->owners[at] == channel);
    vsg_jit_bit b = f->bits[at],
                below = vsg_jit_bit_of(VSG_JIT_BIT_FLAG, f->round, channel, VSG_JIT_FLAG_BELOW);

    if (is_known && b <= VSG_JIT_BIT_ONE)
        return (b == VSG_JIT_BIT_ONE) != turns ? GOES_TO : GOES_ON;
    return is_known && b == below && inst->exec_size > 1 && !turns ? PARTS : IS_STRANGE;
}

/* Do all channels go to a goto's target, none, or those whose divisor does not fit? */
static outcome outcome_of(const follower *f, const vsg_exe_inst *inst)
{
    const vsg_jit_emitter *e = f->e;
    uint32_t channels = inst->exec_size == 1 ? 1 : e->dispatch_mask;
    outcome all = outcome_by(f, inst, (uint32_t)__builtin_ctz(channels));

    for (uint32_t c = 0; c < VSG_EXE_MAX_CHANNELS; c++)
        if ((channels >> c & 1) && outcome_by(f, inst, c) != all)
            return IS_STRANGE;
    return all;
}

static outcome outcome_of_goto(const follower *f, const vsg_exe_inst *inst)
{
    if ((inst->predicate_mode & (VSG_EXE_PRED_ANY | VSG_EXE_PRED_ALL)) ||
        (f->e->dispatch_mask & ~vsg_jit_range(inst)) != 0)
        return IS_STRANGE;
    if (!inst->predicate_mode)
        return GOES_TO;
    return f->base[f->e->num_general + inst->predicate] ? outcome_of(f, inst) : IS_STRANGE;
}

/* A thread that follows the text. */
typedef struct walk {
    follower *f;
    const extent *of;
    uint32_t place, join; /* join: where the channels that are apart meet the others */
    bool is_over;         /* it has left the loop */
} walk;

static void count_block(walk *w)
{
    follower *f = w->f;
    uint32_t length = f->e->notes[w->place].length;

    /* The first block is counted by itself, and so is the last round. */
    if (!f->e->notes[w->place].is_leader || w->place == w->of->first ||
        f->round >= VSG_JIT_DIVIDE_ROUNDS)
        return;
    if (f->is_apart)
        f->division->lengths[BITS - 1 - f->round] += length;
    else
        f->division->length += length;
}

/* Back to the head with all channels. False: that is elsewhere. */
static bool begin_round(walk *w)
{
    follower *f = w->f;

    if (w->place != w->of->last || f->is_apart || f->round >= VSG_JIT_DIVIDE_ROUNDS)
        return false;
    f->round++;
    w->place = w->of->head;
    return true;
}

/* False: not that goto. */
static bool walk_goto(walk *w)
{
    follower *f = w->f;
    const vsg_exe_inst *inst = &f->e->unit->code[w->place];

    switch (outcome_of_goto(f, inst)) {
    case GOES_ON:
        w->place++;
        return true;
    case PARTS:
        if (f->is_apart || inst->target <= w->place || inst->target > w->of->last)
            return false;
        f->is_apart = true;
        w->join = inst->target;
        w->place++;
        return true;
    case GOES_TO:
        if (inst->target <= w->place)
            return begin_round(w);
        if (f->is_apart && inst->target > w->join)
            return false;
        w->is_over = inst->target > w->of->last;
        w->place = inst->target;
        return true;
    default:
        return false;
    }
}

/* Goes one instruction on. */
static bool walk_on(walk *w)
{
    follower *f = w->f;
    const vsg_exe_inst *inst = &f->e->unit->code[w->place];

    if (f->is_apart && w->place == w->join)
        vsg_jit_follow_join(f);
    count_block(w);
    if (inst->op == VISAGE_OP_GOTO)
        return walk_goto(w);
    if (inst->op != VISAGE_OP_LABEL && !vsg_jit_does_nothing(inst) &&
        !vsg_jit_follow(f, w->place))
        return false;
    w->place++;
    w->is_over = w->place > w->of->last;
    return true;
}

/* Does the first round compare with a divisor? */
static bool has_divisor(const follower *f)
{
    uint32_t first = (uint32_t)__builtin_ctz(f->e->dispatch_mask);

    return f->has_divisor[first][VSG_JIT_LOW] && f->has_divisor[first][VSG_JIT_HIGH];
}

/* To where the last round begins. */
static bool walk_rounds(walk *w)
{
    while (w->f->round < VSG_JIT_DIVIDE_ROUNDS) {
        if (!walk_on(w) || w->is_over || (w->f->round > 0 && !has_divisor(w->f)))
            return false;
    }
    return true;
}

/* ---- what variables are then ------------------------------------------------------------- */

/* A dword of the frame as it was before, or a constant. */
static vsg_jit_dword dword_of(const follower *f, const vsg_jit_bit *bits, uint32_t first)
{
    const vsg_jit_emitter *e = f->e;
    uint32_t number = 0;

    /* Bits before `first` are never asked for. */
    for (uint32_t i = first; i < HALF && bits[i] <= VSG_JIT_BIT_ONE; i++)
        number |= bits[i] << i;
    if (bits[HALF - 1] <= VSG_JIT_BIT_ONE) {
        for (uint32_t i = first; i < HALF; i++)
            if (bits[i] > VSG_JIT_BIT_ONE)
                return (vsg_jit_dword){0};
        return (vsg_jit_dword){.is_there = true, .is_constant = true, .is = number};
    }
    uint32_t at = bits[HALF - 1] - (HALF - 1) - VSG_JIT_BIT_BEFORE;
    for (uint32_t i = first; i < HALF; i++)
        if (bits[i] != VSG_JIT_BIT_BEFORE + at + i)
            return (vsg_jit_dword){0};
    for (uint32_t p = 0; p < e->num_general; p++) {
        const vsg_jit_part *part = &e->parts[p];
        uint32_t begin = f->base[p] - 1;
        if (f->base[p] && at >= begin && at + HALF <= begin + 8 * part->bytes)
            return (vsg_jit_dword){.is_there =
                                       (at - begin) % HALF == 0 && part->bytes % DWORD == 0,
                                   .is = part->at + (at - begin) / 8};
    }
    return (vsg_jit_dword){0};
}

/* Where the numbers of a channel are. The lowest bit of the dividend is the last round's. */
static bool find_sources(const follower *f, uint32_t channel)
{
    division *d = f->division;

    for (uint32_t half = 0; half < VSG_JIT_HALVES; half++) {
        vsg_jit_dword *a = &d->dividend[half].of[channel], *b = &d->divisor[half].of[channel];
        *a = dword_of(f, &f->dividend[channel][half * HALF], half == VSG_JIT_LOW);
        *b = dword_of(f, &f->divisor[channel][half * HALF], 0);
        if (!a->is_there || !b->is_there)
            return false;
        if (!f->has_other[channel])
            continue;
        d->other[half].of[channel] = dword_of(f, &f->other[channel][half * HALF], 0);
        if (!d->other[half].of[channel].is_there)
            return false;
    }
    return true;
}

/* A bit of a result. Of the quotient all but the lowest bit is known. */
static vsg_jit_bit bit_of_result(const follower *f, vsg_jit_result result, uint32_t channel,
                                 uint32_t n)
{
    switch (result) {
    case VSG_JIT_REMAINDER:
        return vsg_jit_bit_of(VSG_JIT_BIT_REMAINDER, VSG_JIT_DIVIDE_ROUNDS, channel, n);
    case VSG_JIT_QUOTIENT:
        return n == 0 ? (vsg_jit_bit)VSG_JIT_BIT_ZERO
                      : vsg_jit_bit_of(VSG_JIT_BIT_QUOTIENT, 0, channel, n);
    default:
        return f->divisor[channel][n];
    }
}

static bool is_half(const follower *f, const vsg_jit_bit *bits, vsg_jit_result result,
                    uint32_t channel, uint32_t half)
{
    for (uint32_t i = 0; i < HALF; i++)
        if (bits[i] != bit_of_result(f, result, channel, half * HALF + i))
            return false;
    return true;
}

/* Where a channel's dword is that stands for a half of a result, or for a number; NULL: it is
 * neither, or there are more. */
static vsg_jit_dword *find_own(const follower *f, vsg_jit_divided *to, uint32_t at,
                               uint32_t channel)
{
    vsg_jit_dword *number = &to->numbers.of[channel];

    for (uint32_t r = 0; r < VSG_JIT_RESULTS; r++)
        for (uint32_t half = 0; half < VSG_JIT_HALVES; half++) {
            vsg_jit_dword *own = &to->halves[r][half].of[channel];
            if (is_half(f, &f->bits[at], (vsg_jit_result)r, channel, half) && !own->is_there)
                return own;
        }
    to->number_of[channel] = 0;
    for (uint32_t i = 0; i < HALF; i++) {
        if (f->bits[at + i] > VSG_JIT_BIT_ONE || number->is_there)
            return NULL;
        to->number_of[channel] |= f->bits[at + i] << i;
    }
    return number;
}

static bool add_dword(const follower *f, vsg_jit_divided *to, uint32_t at)
{
    uint32_t channel = f->owners[at];
    uint32_t begin = f->base[to->part] - 1;

    if (channel == VSG_JIT_OF_ALL)
        return false;
    for (uint32_t i = 0; i < HALF; i++)
        if (f->owners[at + i] != channel)
            return false;
    vsg_jit_dword *own = find_own(f, to, at, channel);
    if (own)
        *own = (vsg_jit_dword){.is_there = true,
                               .is = f->e->parts[to->part].at + (at - begin) / 8};
    return own != NULL;
}

static bool is_as_before(const follower *f, uint32_t at, uint32_t count)
{
    for (uint32_t i = at; i < at + count; i++)
        if (f->bits[i] != VSG_JIT_BIT_BEFORE + i)
            return false;
    return true;
}

/* A part whose dwords are as before, halves of results, or numbers. */
static bool add_results(follower *f, uint32_t number)
{
    division *d = f->division;
    const vsg_jit_part *part = &f->e->parts[number];
    uint32_t begin = f->base[number] - 1, end = begin + 8 * part->bytes;

    if (d->num_divided == VSG_JIT_MOST_DIVIDED || part->bytes % DWORD != 0 ||
        (f->kept[number] && f->bare[number]))
        return false;
    vsg_jit_divided *to = &d->divided[d->num_divided];
    *to = (vsg_jit_divided){.part = number, .spoils = !f->kept[number]};
    for (uint32_t at = begin; at < end; at += HALF)
        if (!is_as_before(f, at, HALF) && !add_dword(f, to, at))
            return false;
    d->num_divided++;
    return true;
}

/* A small part that is one number. */
static bool add_number(follower *f, uint32_t number)
{
    division *d = f->division;
    const vsg_jit_part *part = &f->e->parts[number];
    uint32_t begin = f->base[number] - 1;
    uint64_t value = 0;

    if (d->num_numbers == VSG_JIT_MOST_NUMBERS || part->bytes > 8 ||
        (part->bytes & (part->bytes - 1)))
        return false;
    for (uint32_t i = 0; i < 8 * part->bytes; i++) {
        if (f->bits[begin + i] > VSG_JIT_BIT_ONE || f->owners[begin + i] != VSG_JIT_OF_ALL)
            return false;
        value |= (uint64_t)f->bits[begin + i] << i;
    }
    d->numbers[d->num_numbers++] = (vsg_jit_number){part->at, part->bytes, value};
    return true;
}

static uint32_t bits_of(const follower *f, uint32_t part)
{
    return part < f->e->num_general ? 8 * f->e->parts[part].bytes : VSG_EXE_MAX_CHANNELS;
}

/* Parts that are neither, and those that are not live, are lost: by then they must not be asked
 * for. */
static void find_results(follower *f, bool *lost)
{
    const uint64_t *live = f->e->live[f->division->head];

    for (uint32_t p = 0; p < f->e->num_parts; p++) {
        uint32_t at = f->base[p] - 1, count = f->base[p] ? bits_of(f, p) : 0;
        if (count == 0 || is_as_before(f, at, count))
            continue;
        if (p < f->e->num_general && vsg_jit_has(live, p) &&
            (add_number(f, p) || add_results(f, p)))
            continue;
        lost[p] = true;
        for (uint32_t i = at; i < at + count; i++)
            if (f->bits[i] != VSG_JIT_BIT_BEFORE + i)
                f->bits[i] = VSG_JIT_BIT_UNKNOWN;
    }
}

/* ---- what is lost ------------------------------------------------------------------------ */

typedef struct seeker {
    bool *found; /* by part */
} seeker;

static void seek_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    const seeker *s = user;

    (void)access;
    (void)covers;
    s->found[part] = true;
}

typedef struct outside {
    const vsg_jit_emitter *e;
    seeker s;
} outside;

static void seek_access(void *user, const vsg_jit_access *access)
{
    outside *o = user;

    vsg_jit_each_part(o->e, access, seek_part, &o->s);
}

/* By part: does any instruction but those of the loop access it? NULL: memory is out. */
static const bool *find_outside(vsg_jit_emitter *e, const extent *of)
{
    outside o = {.e = e};

    o.s.found = vsg_base_arena_new(&e->arena, e->num_parts + 1, sizeof(bool));
    for (uint32_t i = 0; i < e->unit->num_code && o.s.found; i++)
        if (i < of->first || i > of->last)
            vsg_jit_accesses(e, i, seek_access, &o);
    return o.s.found;
}

/* Is a part live wherever control goes from an instruction? */
static bool is_live_behind(const vsg_jit_emitter *e, uint32_t place, uint32_t part)
{
    uint32_t next[VSG_JIT_MOST_NEXT];
    uint32_t count = vsg_jit_successors(e, place, next, VSG_JIT_MOST_NEXT);

    for (uint32_t i = 0; i < count; i++)
        if (!e->live[next[i]] || vsg_jit_has(e->live[next[i]], part))
            return true;
    return false;
}

/* Is a part behind the last round what that round makes of it? */
static bool is_known(const follower *f, uint32_t part, const uint8_t *owners)
{
    for (uint32_t i = 0, at = f->base[part] - 1; i < bits_of(f, part); i++, at++) {
        bool is_same = f->owners[at] == VSG_JIT_OF_ALL || f->owners[at] == owners[at];
        if (f->bits[at] == VSG_JIT_BIT_UNKNOWN || !is_same)
            return false;
    }
    return true;
}

/* What is lost must be written in the last round before it is read there. Behind that it is as
 * it would be, or nobody wants it before it is written again: where others than the loop access
 * it, the text as a whole tells. */
static bool can_lose(walk *w, const bool *lost)
{
    follower *f = w->f;
    uint32_t last = w->place;
    const bool *is_outside = find_outside(f->e, w->of);
    uint8_t *owners = vsg_base_arena_new(&f->e->arena, f->num_bits + 1, 1);

    f->e->no_memory |= !is_outside || !owners;
    if (f->e->no_memory)
        return false;
    memcpy(owners, f->owners, f->num_bits);
    while (!w->is_over) {
        last = w->place;
        if (!walk_on(w))
            return false;
    }
    for (uint32_t p = 0; p < f->e->num_parts; p++)
        if (lost[p] && (f->exposed[p] || (is_outside[p] && is_live_behind(f->e, last, p) &&
                                          !is_known(f, p, owners))))
            return false;
    return true;
}

/* ---- loops ------------------------------------------------------------------------------- */

/* Are all instructions of the loop ones that a division may have? */
static bool is_plain(const vsg_jit_emitter *e, const extent *of)
{
    for (uint32_t i = of->first; i <= of->last; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        if (inst->op != VISAGE_OP_GOTO && inst->op != VISAGE_OP_LABEL &&
            !vsg_jit_does_nothing(inst) && !vsg_jit_can_follow(inst))
            return false;
    }
    return true;
}

/* Begins behind the label of the block before the loop, which sets out with constants. */
static bool find_extent(const vsg_jit_emitter *e, uint32_t last, extent *out)
{
    const vsg_exe_inst *inst = &e->unit->code[last];

    if (inst->op != VISAGE_OP_GOTO || inst->target >= last || inst->target == 0 ||
        last - inst->target > MOST_CODE || !e->notes[last].is_reached)
        return false;
    *out = (extent){.first = inst->target - 1, .head = inst->target, .last = last};
    while (!e->notes[out->first].is_leader)
        out->first--;
    if (!e->notes[out->first].is_reached || out->head - out->first > MOST_CODE)
        return false;
    out->first += e->unit->code[out->first].op == VISAGE_OP_LABEL;
    /* Entered from elsewhere, channels might wait in it. */
    return out->first < out->head && is_plain(e, out) &&
           !vsg_jit_is_entered(e, out->first, out->last);
}

/* NULL: it is none, or memory is out. */
static division *find_division(vsg_jit_emitter *e, const extent *of)
{
    follower *f = open_follower(e, of);
    walk w = {.f = f, .of = of, .place = of->first};

    if (!f || !walk_rounds(&w))
        return NULL;
    for (uint32_t c = 0; c < VSG_EXE_MAX_CHANNELS; c++)
        if ((e->dispatch_mask >> c & 1) && !find_sources(f, c))
            return NULL;
    bool *lost = vsg_base_arena_new(&e->arena, e->num_parts + 1, sizeof *lost);
    e->no_memory |= !lost;
    if (!lost)
        return NULL;
    f->division->head = of->head;
    find_results(f, lost);
    return can_lose(&w, lost) && f->division->num_divided > 0 ? f->division : NULL;
}

bool vsg_jit_find_divisions(vsg_jit_emitter *e)
{
    extent of;

    if (e->in_frame || e->simd_size < LEAST_CHANNELS)
        return true;
    e->divisions =
        vsg_base_arena_new(&e->arena, e->unit->num_code, sizeof(struct vsg_jit_division *));
    if (!e->divisions)
        return false;
    for (uint32_t i = 0; i < e->unit->num_code; i++)
        if (find_extent(e, i, &of))
            e->divisions[of.first] = find_division(e, &of);
    return !e->no_memory;
}
