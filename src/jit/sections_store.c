/* SPDX-License-Identifier: MIT
 *
 * Stores of many channels. */
#include "jit/columns.h"
#include "jit/sections.h"
#include "jit/shuffle.h"

static void masked_store(vsg_jit_emitter *e, LLVMValueRef value, LLVMValueRef host,
                         LLVMValueRef lanes)
{
    LLVMTypeRef types[] = {LLVMTypeOf(value), e->pointer};
    LLVMValueRef args[] = {value, host, vsg_jit_i32(e, 1), lanes};

    if (!lanes)
        vsg_jit_store(e, value, host, 1);
    else
        (void)vsg_jit_overloaded(e, "llvm.masked.store", types, 2, args, 4);
}

/* The rows of a section, in their order in memory. */
static void take_own(vsg_jit_emitter *e, const vsg_jit_transfer *t, const vsg_jit_section *s,
                     LLVMValueRef *rows, LLVMValueRef *own)
{
    for (uint32_t v = 0; v < t->per_channel; v++) {
        own[v] = vsg_jit_take_lanes(e, rows[v], s->first, 1, s->count);
        if (s->kind == VSG_JIT_SECTION_BACK)
            own[v] = vsg_jit_turn_round(e, own[v]);
    }
}

/* The same, channel by channel, as they lie in memory. */
static LLVMValueRef weave(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                          const vsg_jit_section *s, LLVMValueRef *rows)
{
    LLVMValueRef own[4];

    take_own(e, t, s, rows, own);
    return vsg_jit_interleave(e, own, t->per_channel);
}

/* Where each element of a section lies, channel by channel. */
static LLVMValueRef weave_places(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                 const vsg_jit_section *s, LLVMValueRef places)
{
    vsg_jit_section own = *s;
    LLVMValueRef at[4];

    own.first = 0;
    for (uint32_t v = 0; v < t->per_channel; v++)
        at[v] = vsg_jit_places_of(e, t, places, v);
    return weave(e, t, &own, at);
}

/* Channel by channel, since those behind win where two write one place. A pair of dwords, which
 * is all that a channel has then, is a number. */
static void scatter(vsg_jit_emitter *e, const vsg_jit_transfer *t, const vsg_jit_section *s,
                    LLVMValueRef places, LLVMValueRef *rows)
{
    bool by_pairs = vsg_jit_moves_pairs(t);
    LLVMValueRef value = weave(e, t, s, rows);

    if (by_pairs)
        value = LLVMBuildBitCast(e->b, value, vsg_jit_int(e, 64, s->count), "");
    LLVMValueRef args[] = {value, by_pairs ? places : weave_places(e, t, s, places),
                           vsg_jit_i32(e, 1),
                           vsg_jit_section_mask(e, s, by_pairs ? 1 : t->per_channel)};
    LLVMTypeRef types[] = {LLVMTypeOf(args[0]), LLVMTypeOf(args[1])};
    (void)vsg_jit_overloaded(e, "llvm.masked.scatter", types, 2, args, 4);
}

/* The elements of each channel of a section, to be stored at once. */
typedef struct by_channel {
    LLVMValueRef own[4]; /* of four: blocks of four channels; else rows */
    LLVMValueRef all;    /* as they lie in memory; NULL: of four */
    uint32_t elements;
} by_channel;

static void order_by_channel(vsg_jit_emitter *e, const vsg_jit_section *s, by_channel *c)
{
    if (c->elements == 4 && s->count % 4 == 0)
        vsg_jit_transpose_fours(e, c->own, c->own);
    else
        c->all = vsg_jit_interleave(e, c->own, c->elements);
}

static void store_channel(vsg_jit_emitter *e, const by_channel *c, uint32_t i, LLVMValueRef at)
{
    vsg_jit_store(e,
                  c->all ? vsg_jit_take_lanes(e, c->all, i * c->elements, 1, c->elements)
                         : vsg_jit_take_lanes(e, c->own[i % 4], i / 4 * 4, 1, 4),
                  at, 1);
}

/* The elements of each channel at once, at any place. */
static void store_each_at_once(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                               const vsg_jit_section *s, LLVMValueRef places,
                               LLVMValueRef *rows)
{
    by_channel c = {.elements = t->per_channel};

    take_own(e, t, s, rows, c.own);
    order_by_channel(e, s, &c);
    if (s->channels) /* what is off stores where nobody looks */
        places = LLVMBuildSelect(e->b, vsg_jit_section_mask(e, s, 1), places,
                                 vsg_jit_splat(e, vsg_jit_work(e), s->count), "");
    for (uint32_t i = 0; i < s->count; i++)
        store_channel(e, &c, i, LLVMBuildExtractElement(e->b, places, vsg_jit_i32(e, i), ""));
}

/* What a section has in memory when those of its channels that are on have stored. */
static void blend(vsg_jit_emitter *e, const vsg_jit_transfer *t, const vsg_jit_section *s,
                  LLVMValueRef host, LLVMValueRef *own)
{
    LLVMValueRef old[VSG_JIT_MOST_RAW], lanes = vsg_jit_section_lanes(e, s, 1);

    vsg_jit_load_spread(e, t, s, host, old);
    for (uint32_t v = 0; v < t->per_channel; v++)
        own[v] = LLVMBuildSelect(e->b, lanes, own[v], old[v], "");
}

/* The elements of each channel at once, as they are loaded. */
static void store_spread(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                         const vsg_jit_section *s, LLVMValueRef host, LLVMValueRef *rows)
{
    by_channel c = {.elements = t->per_channel};

    take_own(e, t, s, rows, c.own);
    if (t->takes_all)
        blend(e, t, s, host, c.own);
    order_by_channel(e, s, &c);
    for (uint32_t i = 0; i < s->count; i++)
        store_channel(e, &c, i, vsg_jit_at(e, host, i * (uint32_t)t->step));
}

/* `count` elements from `first` on, as they are in memory, where a section's are some steps
 * apart. value, lanes: the section's, channel by channel. */
static void store_piece(vsg_jit_emitter *e, const vsg_jit_transfer *t, LLVMValueRef host,
                        LLVMValueRef value, LLVMValueRef lanes, uint32_t first, uint32_t count)
{
    uint32_t steps = (uint32_t)t->step / t->memory;
    uint32_t num = LLVMGetVectorSize(LLVMTypeOf(value)) / t->per_channel;
    LLVMValueRef from[VSG_EXE_MAX_CHANNELS * 2], channels[VSG_EXE_MAX_CHANNELS * 2];
    LLVMValueRef is_own[VSG_EXE_MAX_CHANNELS * 2];

    for (uint32_t i = 0; i < count; i++) {
        uint32_t channel = (first + i) / steps, v = (first + i) % steps;
        bool is_any = v < t->per_channel && channel < num;
        from[i] = is_any ? vsg_jit_i32(e, channel * t->per_channel + v) : LLVMGetPoison(e->i32);
        channels[i] = vsg_jit_i32(e, is_any ? channel : 0);
        is_own[i] = LLVMConstInt(e->i1, is_any, false);
    }
    LLVMValueRef on = LLVMConstVector(is_own, count);
    if (lanes) {
        lanes = LLVMBuildShuffleVector(e->b, lanes, LLVMGetPoison(LLVMTypeOf(lanes)),
                                       LLVMConstVector(channels, count), "");
        on = LLVMBuildAnd(e->b, on, lanes, "");
    }
    value = LLVMBuildShuffleVector(e->b, value, LLVMGetPoison(LLVMTypeOf(value)),
                                   LLVMConstVector(from, count), "");
    masked_store(e, value, vsg_jit_at(e, host, (uint64_t)first * t->memory), on);
}

/* The elements of a section where few others are between them. */
static void store_between(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                          const vsg_jit_section *s, LLVMValueRef host, LLVMValueRef *rows)
{
    enum { VECTOR_BYTES = 64 };
    LLVMValueRef value = weave(e, t, s, rows), lanes = vsg_jit_section_lanes(e, s, 1);
    uint32_t left = s->count * ((uint32_t)t->step / t->memory);

    for (uint32_t first = 0, count = VECTOR_BYTES / t->memory; left > 0;) {
        while (count / 2 >= left)
            count /= 2;
        store_piece(e, t, host, value, lanes, first, count);
        first += count;
        left -= left < count ? left : count;
    }
}

/* Of shared local memory a row is all there where the host has no masks for it, and nobody else
 * stores to it meanwhile. */
static void store_run(vsg_jit_emitter *e, const vsg_jit_transfer *t, const vsg_jit_section *s,
                      LLVMValueRef host, LLVMValueRef *rows)
{
    LLVMValueRef value = weave(e, t, s, rows);
    LLVMValueRef lanes = vsg_jit_section_lanes(e, s, t->per_channel);

    if (lanes && s->kind == VSG_JIT_SECTION_BACK)
        lanes = vsg_jit_turn_round(e, lanes);
    if (lanes && vsg_exe_is_slm(t->message) && !vsg_jit_goes_by_mask(e, t, s)) {
        LLVMValueRef old = vsg_jit_load(e, LLVMTypeOf(value), host, 1);
        value = LLVMBuildSelect(e->b, lanes, value, old, "");
        lanes = NULL;
    }
    masked_store(e, value, host, lanes);
}

static void store_section(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                          const vsg_jit_section *s, LLVMValueRef host, LLVMValueRef *rows)
{
    if (vsg_jit_is_row(s))
        store_run(e, t, s, host, rows);
    else if (vsg_jit_stores_between(e, t, s->kind))
        store_between(e, t, s, host, rows);
    else if (s->kind == VSG_JIT_SECTION_SPREAD)
        store_spread(e, t, s, host, rows);
    else if (vsg_jit_moves_vectors(t))
        store_each_at_once(e, t, s, host, rows);
    else
        scatter(e, t, s, host, rows);
}

static void store_opened(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                         const vsg_jit_section *sections, uint32_t count, LLVMValueRef *host,
                         LLVMValueRef *rows)
{
    for (uint32_t i = 0; i < count; i++) {
        LLVMBasicBlockRef done = NULL;
        if (t->takes_all && count > 1)
            vsg_jit_begin_section(e, &sections[i], done = vsg_jit_block(e));
        store_section(e, t, &sections[i], host[i], rows);
        if (done) {
            LLVMBuildBr(e->b, done);
            vsg_jit_go_on(e, done);
        }
    }
}

/* Are runs worth a way of their own for when no channels are off? Processors do not fetch ahead
 * for accesses with masks as they do for others, and a text whose work-items all have something
 * to do is mostly behind a comparison with how many there are. */
static bool may_be_whole(const vsg_jit_emitter *e, const vsg_jit_transfer *t,
                         const vsg_jit_section *sections)
{
    return t->channels && !LLVMIsConstant(t->channels) && vsg_jit_is_row(&sections[0]) &&
           t->pieces == 1 && !vsg_exe_is_slm(t->message) && e->care.calls == VSG_JIT_CALLS_RARE;
}

/* Begins that way; out: the sections there. Returns the block of the other one. */
static LLVMBasicBlockRef begin_whole(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                     const vsg_jit_section *sections, uint32_t count,
                                     vsg_jit_section *out)
{
    LLVMBasicBlockRef whole = vsg_jit_block(e), part = vsg_jit_block(e);

    vsg_jit_mostly(e, LLVMBuildCondBr(e->b, vsg_jit_is_all_on(e, t), whole, part));
    vsg_jit_go_on(e, whole);
    for (uint32_t i = 0; i < count; i++) {
        out[i] = sections[i];
        out[i].channels = NULL;
    }
    return part;
}

/* All places are found before the first store: the handler begins from the start. */
static void store_vector(vsg_jit_emitter *e, vsg_jit_transfer *t,
                         const vsg_jit_section *sections, uint32_t count)
{
    LLVMValueRef rows[4], host[VSG_JIT_MOST_CHUNKS];
    vsg_jit_section whole[VSG_JIT_MOST_CHUNKS];

    vsg_jit_open_sections(e, t, sections, count, host);
    for (uint32_t v = 0; v < t->per_channel; v++)
        rows[v] = vsg_jit_read_row(e, t, v);
    if (!may_be_whole(e, t, sections)) {
        store_opened(e, t, sections, count, host, rows);
        return;
    }
    LLVMBasicBlockRef done = vsg_jit_block(e);
    LLVMBasicBlockRef part = begin_whole(e, t, sections, count, whole);
    store_opened(e, t, whole, count, host, rows);
    LLVMBuildBr(e->b, done);
    vsg_jit_go_on(e, part);
    store_opened(e, t, sections, count, host, rows);
    LLVMBuildBr(e->b, done);
    vsg_jit_go_on(e, done);
}

/* All channels, each for itself: by a call, or here. */
static void store_each(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                       uint32_t count, bool is_rare)
{
    vsg_jit_set_kind(sections, count, VSG_JIT_SECTION_UNKNOWN);
    if (vsg_jit_moves_by_call(e, t, is_rare)) {
        vsg_jit_store_by_call(e, t);
        return;
    }
    vsg_jit_count_apart(e, t, is_rare);
    store_vector(e, t, sections, count);
}

/* Ends a way to store, and makes the one for each channel for itself. */
static void store_apart(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                        uint32_t count, LLVMBasicBlockRef apart)
{
    LLVMBuildBr(e->b, t->done);
    vsg_jit_go_on(e, apart);
    store_each(e, t, sections, count, t->is_guess);
}

/* As their kind says, or each channel for itself. */
static void store_either(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                         uint32_t count)
{
    LLVMBasicBlockRef apart = vsg_jit_block(e), slow = t->slow;

    vsg_jit_require_quick(e, t, sections[0].kind, apart);
    t->slow = apart;
    store_vector(e, t, sections, count);
    t->slow = slow;
    store_apart(e, t, sections, count, apart);
}

/* Where the store is a column; goes on where it is not known to be one. */
static void store_column(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    LLVMBasicBlockRef is = vsg_jit_block(e), other = vsg_jit_block(e);

    LLVMBuildCondBr(e->b, vsg_jit_is_column(e, t), is, other);
    vsg_jit_go_on(e, is);
    vsg_jit_write_column(e, t);
    LLVMBuildBr(e->b, t->done);
    vsg_jit_go_on(e, other);
}

/* The same where only a test tells. */
static void store_tested(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                         uint32_t count)
{
    LLVMBasicBlockRef quick = vsg_jit_block(e), apart = vsg_jit_block(e), slow = t->slow;

    LLVMBuildCondBr(e->b, vsg_jit_are_in_rows(e, t, sections, count), quick, apart);
    vsg_jit_go_on(e, quick);
    vsg_jit_set_kind(sections, count, VSG_JIT_SECTION_RUN);
    t->slow = vsg_jit_beside_row(t, apart);
    store_vector(e, t, sections, count);
    t->slow = slow;
    store_apart(e, t, sections, count, apart);
}

static void store_unknown(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                          uint32_t count)
{
    if (vsg_jit_may_be_column(e, t))
        store_column(e, t);
    if (vsg_jit_moves_by_call(e, t, false))
        vsg_jit_store_by_call(e, t);
    else if (vsg_jit_moves_in_place(e, t))
        store_each(e, t, sections, count, false);
    else
        store_tested(e, t, sections, count);
}

/* Is there one way to store? */
static bool is_certain(const vsg_jit_transfer *t, vsg_jit_section_kind kind)
{
    if (kind == VSG_JIT_SECTION_UNKNOWN)
        return vsg_jit_is_apart(t);
    return !vsg_jit_is_unsure(t, kind);
}

void vsg_jit_store_sections(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                            uint32_t count)
{
    vsg_jit_section_kind kind = sections[0].kind;

    if (is_certain(t, kind) && kind == VSG_JIT_SECTION_UNKNOWN)
        store_each(e, t, sections, count, false);
    else if (is_certain(t, kind))
        store_vector(e, t, sections, count);
    else if (kind == VSG_JIT_SECTION_UNKNOWN)
        store_unknown(e, t, sections, count);
    else
        store_either(e, t, sections, count);
}
