/* SPDX-License-Identifier: MIT */
#include "jit/settled.h"

#include <string.h>

#include "jit/rows.h"
#include "jit/sets.h"

/* What changes is found within a few passes, or nothing is said of it. */
enum { MOST_PASSES = 32 };

/* Of a part. */
typedef struct origin {
    uint32_t writer; /* the first instruction that writes it, and 1 more; 0: none does */
    bool is_exposed; /* something that comes before that reads it */
    bool changes;
} origin;

typedef struct search {
    const vsg_jit_emitter *e;
    origin *origins;
    uint32_t place;
    bool is_apart; /* of the instruction in hand: it touches what is in no part */
    bool changes;  /* of the sources in hand */
} search;

static bool are_same_numbers(const vsg_exe_operand *a, const vsg_exe_operand *b)
{
    return a->count == b->count &&
           memcmp(a->elements, b->elements, a->count * sizeof *a->elements) == 0;
}

bool vsg_jit_are_same(const vsg_exe_operand *a, const vsg_exe_operand *b)
{
    if (a->kind != b->kind || a->type != b->type || a->modifier != b->modifier)
        return false;
    if (a->kind == VSG_EXE_OPERAND_IMMEDIATE)
        return are_same_numbers(a, b);
    return a->kind == VSG_EXE_OPERAND_REGION && a->shape == b->shape && a->width == b->width &&
           a->shared == b->shared && a->is_null == b->is_null && a->offset == b->offset &&
           a->h_stride_bytes == b->h_stride_bytes && a->v_stride_bytes == b->v_stride_bytes;
}

/* Do two instructions make the same of their sources? */
static bool make_same(const vsg_exe_inst *a, const vsg_exe_inst *b)
{
    if (a->op != b->op || a->exec_size != b->exec_size || a->mask_offset != b->mask_offset ||
        a->saturate != b->saturate || a->control != b->control ||
        a->num_sources != b->num_sources || !vsg_jit_are_same(&a->dst, &b->dst))
        return false;
    for (uint32_t s = 0; s < a->num_sources; s++)
        if (!vsg_jit_are_same(&a->src[s], &b->src[s]))
            return false;
    return true;
}

/* Does an instruction depend on its sources alone, and are they followed? */
static bool is_plain(const vsg_exe_inst *inst)
{
    if (!inst->source || inst->predicate_mode || inst->writes_mode || inst->refresh ||
        inst->dst.shared || !vsg_jit_may_make_row(inst))
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (inst->src[s].kind != VSG_EXE_OPERAND_IMMEDIATE &&
            (inst->src[s].kind != VSG_EXE_OPERAND_REGION || inst->src[s].shared))
            return false;
    return true;
}

/* Who knows what else writes what is in no part. */
static void note_access(void *user, const vsg_jit_access *access)
{
    search *s = user;

    for (uint32_t i = 0; i < access->bytes; i++)
        s->is_apart |= s->e->part_of[access->at + i] == VSG_JIT_NO_PART;
}

static void note_writer(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    const search *s = user;
    const vsg_exe_inst *code = s->e->unit->code;
    origin *o = &s->origins[part];

    (void)covers;
    o->is_exposed |= !o->writer && access->is_read && !access->is_merge;
    if (!access->is_written)
        return;
    if (part >= s->e->num_general || s->is_apart || !is_plain(&code[s->place]) ||
        (o->writer && !make_same(&code[o->writer - 1], &code[s->place])))
        o->changes = true;
    if (!o->writer)
        o->writer = s->place + 1;
}

static void note_source(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    search *s = user;

    (void)covers;
    if (access->is_read && !access->is_merge)
        s->changes |= s->origins[part].changes;
}

/* True: one more part changes. */
static bool spread(search *s, uint32_t part)
{
    origin *o = &s->origins[part];

    if (o->changes || !o->writer)
        return false;
    s->changes = false;
    vsg_jit_parts_at(s->e, o->writer - 1, note_source, s);
    o->changes = s->changes;
    return s->changes;
}

/* What is read before it is written has two values, even so. Is a scalar written at the
 * beginning, before all that reads it? */
static bool is_set_first(const search *s, const origin *o)
{
    return s->e->unit->code[o->writer - 1].no_mask && !o->is_exposed &&
           o->writer <= s->e->notes[0].length;
}

const bool *vsg_jit_find_settled(vsg_jit_emitter *e, const uint64_t *live)
{
    search s = {.e = e};
    bool changed = true;

    s.origins = vsg_base_arena_new(&e->arena, e->num_parts + 1, sizeof *s.origins);
    bool *settled = vsg_base_arena_new(&e->arena, e->num_parts + 1, sizeof *settled);
    if (!s.origins || !settled)
        return NULL;
    for (s.place = 0; s.place < e->unit->num_code; s.place++)
        if (e->notes[s.place].is_reached) {
            s.is_apart = false;
            vsg_jit_accesses(e, s.place, note_access, &s);
            vsg_jit_parts_at(e, s.place, note_writer, &s);
        }
    for (uint32_t p = 0; p < e->num_parts; p++)
        s.origins[p].changes |=
            s.origins[p].writer && vsg_jit_has(live, p) && !is_set_first(&s, &s.origins[p]);
    for (uint32_t n = 0; changed && n < MOST_PASSES; n++) {
        changed = false;
        for (uint32_t p = 0; p < e->num_parts; p++)
            changed |= spread(&s, p);
    }
    for (uint32_t p = 0; p < e->num_parts; p++)
        settled[p] =
            !changed && s.origins[p].writer && !s.origins[p].changes && !vsg_jit_has(live, p);
    return settled;
}
