/* SPDX-License-Identifier: MIT
 *
 * Loads of many channels. */
#include "jit/columns.h"
#include "jit/lowering.h"
#include "jit/near.h"
#include "jit/sections.h"
#include "jit/shuffle.h"

/* A section's elements, from the place where all ways to them meet. */
typedef struct loaded {
    LLVMValueRef rows[VSG_JIT_MOST_RAW];
} loaded;

/* Lanes of a row that are loaded; NULL: all. Rows that are all there are loaded as a whole,
 * since nobody looks at what channels that are off get, and a mask costs: processors do not
 * fetch ahead for such accesses, and those without AVX-512 load elements of less than 4 bytes
 * one by one. */
static LLVMValueRef lanes_to_load(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                  const vsg_jit_section *s, uint32_t repeat)
{
    return vsg_jit_goes_by_mask(e, t, s) ? vsg_jit_section_lanes(e, s, repeat) : NULL;
}

static void load_run(vsg_jit_emitter *e, const vsg_jit_transfer *t, const vsg_jit_section *s,
                     LLVMValueRef host, loaded *out)
{
    uint32_t elements = s->count * t->per_channel;
    LLVMValueRef all = vsg_jit_load_lanes(e, vsg_jit_int(e, 8 * t->memory, elements), host,
                                          lanes_to_load(e, t, s, t->per_channel));

    for (uint32_t v = 0; v < t->per_channel; v++)
        out->rows[v] = vsg_jit_take_lanes(e, all, v, t->per_channel, s->count);
}

static void load_back(vsg_jit_emitter *e, const vsg_jit_transfer *t, const vsg_jit_section *s,
                      LLVMValueRef host, loaded *out)
{
    load_run(e, t, s, host, out);
    for (uint32_t v = 0; v < t->per_channel; v++)
        out->rows[v] = vsg_jit_turn_round(e, out->rows[v]);
}

/* All channels load from one place. */
static void load_same(vsg_jit_emitter *e, const vsg_jit_transfer *t, const vsg_jit_section *s,
                      LLVMValueRef host, loaded *out)
{
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory, 1);

    for (uint32_t v = 0; v < t->per_channel; v++) {
        LLVMValueRef at = vsg_jit_at(e, host, t->message->element_at[v]);
        out->rows[v] = vsg_jit_splat(e, vsg_jit_load(e, type, at, 1), s->count);
    }
}

/* The pieces of each element, in their place. */
static void cut_pieces(vsg_jit_emitter *e, const vsg_jit_transfer *t, LLVMValueRef *rows)
{
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(rows[0]));
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory / t->pieces, count * t->pieces);

    for (uint32_t v = t->per_channel; t->pieces > 1 && v-- > 0;) {
        LLVMValueRef all = LLVMBuildBitCast(e->b, rows[v], type, "");
        for (uint32_t i = 0; i < t->pieces; i++)
            rows[v * t->pieces + i] = vsg_jit_take_lanes(e, all, i, t->pieces, count);
    }
}

/* An element of each channel that is on by one of the host's instructions. */
static LLVMValueRef gather_wide(vsg_jit_emitter *e, const vsg_jit_section *s, uint32_t bits,
                                uint32_t align, LLVMValueRef places)
{
    LLVMTypeRef type = vsg_jit_int(e, bits, s->count);
    LLVMTypeRef types[] = {type, LLVMTypeOf(places)};
    LLVMValueRef args[] = {places, vsg_jit_i32(e, align), vsg_jit_section_mask(e, s, 1),
                           LLVMConstNull(type)};

    return vsg_jit_overloaded(e, "llvm.masked.gather", types, 2, args, 4);
}

/* Bytes of channels: where they are in the host's memory, or, in half the bits, how far from a
 * multiple of four. */
typedef struct byte_places {
    LLVMValueRef from; /* pointer; NULL: `at` are i64 */
    LLVMValueRef at;
} byte_places;

/* Where they are whose places are known, `skip` bytes behind the section's addresses. */
static byte_places find_bytes(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                              const vsg_jit_section *s, uint32_t skip, LLVMValueRef places)
{
    LLVMTypeRef wide = vsg_jit_int(e, 64, s->count);

    if (!t->base || !s->offsets)
        return (byte_places){.at = LLVMBuildPtrToInt(e->b, places, wide, "")};
    LLVMValueRef base = LLVMBuildPtrToInt(e->b, t->base, e->i64, "");
    LLVMValueRef low = LLVMBuildAnd(e->b, base, vsg_jit_i64(e, 3), "");
    LLVMValueRef from = LLVMBuildSub(e->b, base, low, "");
    low = LLVMBuildAdd(e->b, LLVMBuildTrunc(e->b, low, e->i32, ""), vsg_jit_i32(e, skip), "");
    return (byte_places){
        .from = LLVMBuildIntToPtr(e->b, from, e->pointer, ""),
        .at = LLVMBuildAdd(e->b, s->offsets, vsg_jit_splat(e, low, s->count), "")};
}

/* A number of the bits that places have, for all channels. */
static LLVMValueRef for_all(vsg_jit_emitter *e, const byte_places *of, int64_t number)
{
    LLVMTypeRef type = LLVMTypeOf(of->at);

    return vsg_jit_splat(e, LLVMConstInt(LLVMGetElementType(type), (uint64_t)number, true),
                         LLVMGetVectorSize(type));
}

/* The aligned four bytes around each of those `more` bytes behind, which are on the same page.
 */
static LLVMValueRef gather_around(vsg_jit_emitter *e, const vsg_jit_section *s,
                                  const byte_places *of, int64_t more)
{
    LLVMValueRef at = LLVMBuildAdd(e->b, of->at, for_all(e, of, more), "");

    at = LLVMBuildAnd(e->b, at, for_all(e, of, ~INT64_C(3)), "");
    at = of->from ? LLVMBuildGEP2(e->b, e->i8, of->from, &at, 1, "")
                  : LLVMBuildIntToPtr(e->b, at, LLVMVectorType(e->pointer, s->count), "");
    return gather_wide(e, s, 32, 4, at);
}

/* Hosts have no instruction for elements of less than 4 bytes. Those of two may be in two
 * pieces.
 */
static LLVMValueRef gather_narrow(vsg_jit_emitter *e, const vsg_jit_section *s, uint32_t bits,
                                  const byte_places *of)
{
    LLVMTypeRef type = vsg_jit_int(e, 32, s->count);
    LLVMValueRef low = gather_around(e, s, of, 0), high = low, shift = of->at;

    if (!of->from)
        shift = LLVMBuildTrunc(e->b, shift, type, "");
    if (bits > 8)
        high = gather_around(e, s, of, 1);
    shift = LLVMBuildAnd(e->b, shift, vsg_jit_splat(e, vsg_jit_i32(e, 3), s->count), "");
    shift = LLVMBuildShl(e->b, shift, vsg_jit_splat(e, vsg_jit_i32(e, 3), s->count), "");
    LLVMValueRef args[] = {high, low, shift};
    LLVMValueRef value = bits > 8 ? vsg_jit_intrinsic(e, "llvm.fshr", type, args, 3)
                                  : LLVMBuildLShr(e->b, low, shift, "");
    return LLVMBuildTrunc(e->b, value, vsg_jit_int(e, bits, s->count), "");
}

/* Where channels that are off load from one by one. */
static LLVMValueRef off_at_zeros(vsg_jit_emitter *e, const vsg_jit_section *s,
                                 LLVMValueRef places)
{
    return s->channels ? LLVMBuildSelect(e->b, vsg_jit_section_mask(e, s, 1), places,
                                         vsg_jit_splat(e, vsg_jit_zeros(e), s->count), "")
                       : places;
}

/* An element of each channel. Where the host's gathers take longer than loads one by one, they
 * are still less code: for addresses that mostly are rows, or where some channels are off, but
 * for elements that take two of them. */
static LLVMValueRef gather_row(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                               const vsg_jit_section *s, uint32_t bits, uint32_t v,
                               LLVMValueRef all)
{
    LLVMValueRef places = vsg_jit_places_of(e, t, all, v);

    if (!e->has_quick_gathers && (!s->channels || bits == 16) && t->chunk == 0 &&
        !vsg_jit_moves_in_place(e, t))
        return vsg_jit_load_each(e, bits, off_at_zeros(e, s, places));
    if (bits >= 32 || !vsg_jit_has_avx512(e))
        return gather_wide(e, s, bits, 1, places);
    byte_places bytes = find_bytes(e, t, s, t->message->element_at[v], places);
    return gather_narrow(e, s, bits, &bytes);
}

/* Rows of what channels have loaded, a vector each. */
static void order_by_rows(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t count,
                          LLVMValueRef *channels, LLVMValueRef *rows)
{
    if (t->per_channel == 4 && count % 4 == 0) {
        vsg_jit_to_four_rows(e, channels, count, rows);
        return;
    }
    LLVMValueRef all = vsg_jit_append_all(e, channels, count, 1);
    for (uint32_t v = 0; v < t->per_channel; v++)
        rows[v] = vsg_jit_take_lanes(e, all, v, t->per_channel, count);
}

/* The elements of each channel at once: a vector of them takes the host as long as one. */
static void load_vectors(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                         const vsg_jit_section *s, LLVMValueRef places, loaded *out)
{
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory, t->per_channel);
    LLVMValueRef channels[VSG_EXE_MAX_CHANNELS];

    places = off_at_zeros(e, s, places);
    for (uint32_t i = 0; i < s->count; i++) {
        LLVMValueRef at = LLVMBuildExtractElement(e->b, places, vsg_jit_i32(e, i), "");
        channels[i] = vsg_jit_load(e, type, at, 1);
    }
    order_by_rows(e, t, s->count, channels, out->rows);
}

/* Element `v` and the next one of each channel. */
static void load_pair(vsg_jit_emitter *e, const vsg_jit_transfer *t, const vsg_jit_section *s,
                      uint32_t v, LLVMValueRef places, LLVMValueRef rows[2])
{
    uint32_t bits = 8 * t->memory;
    LLVMTypeRef type = vsg_jit_int(e, bits, 2 * s->count);
    LLVMValueRef both =
        LLVMBuildBitCast(e->b, gather_row(e, t, s, 2 * bits, v, places), type, "");

    for (uint32_t i = 0; i < 2; i++)
        rows[i] = vsg_jit_take_lanes(e, both, i, 2, s->count);
}

static void gather(vsg_jit_emitter *e, const vsg_jit_transfer *t, const vsg_jit_section *s,
                   LLVMValueRef places, loaded *out)
{
    if (vsg_jit_moves_vectors(t)) {
        load_vectors(e, t, s, places, out);
        return;
    }
    for (uint32_t v = 0; v < t->per_channel; v++) {
        if (vsg_jit_moves_pairs(t) && v + 1 < t->per_channel) {
            load_pair(e, t, s, v, places, &out->rows[v]);
            v++;
        } else {
            out->rows[v] = gather_row(e, t, s, 8 * t->memory, v, places);
        }
    }
}

/* Of what a step is, elements of their own. */
static void part_elements(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t count,
                          LLVMValueRef steps, LLVMValueRef *rows)
{
    uint32_t each = (uint32_t)t->step / t->memory;
    LLVMValueRef all =
        LLVMBuildBitCast(e->b, steps, vsg_jit_int(e, 8 * t->memory, count * each), "");

    for (uint32_t i = 0; i < each; i++)
        rows[i] = vsg_jit_take_lanes(e, all, i, each, count);
}

/* Overlapping runs of what is a step long. */
static void load_sliding(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                         const vsg_jit_section *s, LLVMValueRef host, loaded *out)
{
    LLVMValueRef lanes = lanes_to_load(e, t, s, 1);
    uint32_t step = (uint32_t)t->step;
    LLVMTypeRef type = vsg_jit_int(e, 8 * step, s->count);

    for (uint32_t v = 0; t->step > t->memory && v < t->per_channel; v += step / t->memory)
        part_elements(e, t, s->count,
                      vsg_jit_load_lanes(e, type, vsg_jit_at(e, host, v * t->memory), lanes),
                      &out->rows[v]);
    if (t->step > t->memory)
        return;
    for (uint32_t i = 0; i < t->per_channel * t->pieces; i++)
        out->rows[i] = vsg_jit_load_lanes(
            e, type, vsg_jit_at(e, host, t->is_dense ? i * step : t->message->element_at[i]),
            lanes);
}

/* An element of each channel, `step` bytes (i64) from one to the next, loaded one by one:
 * hosts' gathers take longer. */
static LLVMValueRef load_stepped(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t count,
                                 LLVMValueRef host, LLVMValueRef step)
{
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory, 1);
    LLVMValueRef all = LLVMGetPoison(vsg_jit_int(e, 8 * t->memory, count));

    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef skip = LLVMBuildMul(e->b, step, vsg_jit_i64(e, i), "");
        LLVMValueRef at = LLVMBuildGEP2(e->b, e->i8, host, &skip, 1, "");
        all = LLVMBuildInsertElement(e->b, all, vsg_jit_load(e, type, at, 1), vsg_jit_i32(e, i),
                                     "");
    }
    return all;
}

/* One element of each channel, all a step apart. */
static LLVMValueRef load_each_step(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                   const vsg_jit_section *s, LLVMValueRef host)
{
    LLVMValueRef row = vsg_jit_load_between(e, t, s->count, host);

    return row ? row : load_stepped(e, t, s->count, host, vsg_jit_i64(e, (uint64_t)t->step));
}

/* The elements of each channel at once, which is quicker than gathering an element of all
 * channels at a time. */
void vsg_jit_load_spread(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                         const vsg_jit_section *s, LLVMValueRef host, LLVMValueRef *rows)
{
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory, t->per_channel);
    LLVMValueRef channels[VSG_EXE_MAX_CHANNELS];

    if (t->per_channel == 1 || !t->is_dense) {
        for (uint32_t v = 0; v < t->per_channel; v++)
            rows[v] = load_each_step(e, t, s, vsg_jit_at(e, host, t->message->element_at[v]));
        return;
    }
    for (uint32_t i = 0; i < s->count; i++)
        channels[i] = vsg_jit_load(e, type, vsg_jit_at(e, host, i * (uint32_t)t->step), 1);
    order_by_rows(e, t, s->count, channels, rows);
}

static void load_section(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                         const vsg_jit_section *s, LLVMValueRef host, loaded *out)
{
    if (s->kind == VSG_JIT_SECTION_RUN)
        load_run(e, t, s, host, out);
    else if (s->kind == VSG_JIT_SECTION_BACK)
        load_back(e, t, s, host, out);
    else if (s->kind == VSG_JIT_SECTION_SAME)
        load_same(e, t, s, host, out);
    else if (s->kind == VSG_JIT_SECTION_SLIDING)
        load_sliding(e, t, s, host, out);
    else if (s->kind == VSG_JIT_SECTION_SPREAD)
        vsg_jit_load_spread(e, t, s, host, out->rows);
    else
        gather(e, t, s, host, out);
}

/* The same, but nothing where all of its channels are off. */
static void load_if_any(vsg_jit_emitter *e, const vsg_jit_transfer *t, const vsg_jit_section *s,
                        LLVMValueRef host, loaded *out)
{
    LLVMBasicBlockRef from[] = {LLVMGetInsertBlock(e->b), NULL}, met = vsg_jit_block(e);

    vsg_jit_begin_section(e, s, met);
    load_section(e, t, s, host, out);
    from[1] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, met);
    vsg_jit_go_on(e, met);
    for (uint32_t v = 0; v < t->per_channel; v++) {
        LLVMTypeRef type = LLVMTypeOf(out->rows[v]);
        LLVMValueRef values[] = {LLVMConstNull(type), out->rows[v]};
        out->rows[v] = LLVMBuildPhi(e->b, type, "");
        LLVMAddIncoming(out->rows[v], values, from, 2);
    }
}

/* Ways to load that meet again. */
enum { MOST_WAYS = 5 };

typedef struct ways {
    loaded rows[MOST_WAYS][VSG_JIT_MOST_CHUNKS];
    LLVMBasicBlockRef from[MOST_WAYS], met;
    uint32_t count;
} ways;

static void end_way(vsg_jit_emitter *e, ways *w)
{
    w->from[w->count++] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, w->met);
}

static void meet(vsg_jit_emitter *e, const vsg_jit_transfer *t, ways *w, uint32_t count,
                 loaded *out)
{
    vsg_jit_go_on(e, w->met);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t v = 0; v < t->per_channel * t->pieces; v++) {
            LLVMValueRef values[MOST_WAYS];
            for (uint32_t n = 0; n < w->count; n++)
                values[n] = w->rows[n][i].rows[v];
            out[i].rows[v] = LLVMBuildPhi(e->b, LLVMTypeOf(values[0]), "");
            LLVMAddIncoming(out[i].rows[v], values, w->from, w->count);
        }
}

/* As their kind says. */
static void load_known(vsg_jit_emitter *e, vsg_jit_transfer *t, const vsg_jit_section *sections,
                       uint32_t count, loaded *out)
{
    LLVMValueRef host[VSG_JIT_MOST_CHUNKS];

    vsg_jit_open_sections(e, t, sections, count, host);
    for (uint32_t i = 0; i < count; i++) {
        if (t->takes_all && count > 1)
            load_if_any(e, t, &sections[i], host[i], &out[i]);
        else
            load_section(e, t, &sections[i], host[i], &out[i]);
    }
}

/* All channels, each for itself: by a call, or here. */
static void load_each(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                      uint32_t count, bool is_rare, loaded *out)
{
    LLVMValueRef rows[VSG_JIT_MOST_RAW];

    vsg_jit_set_kind(sections, count, VSG_JIT_SECTION_UNKNOWN);
    if (!vsg_jit_moves_by_call(e, t, is_rare)) {
        vsg_jit_count_apart(e, t, is_rare);
        load_known(e, t, sections, count, out);
        return;
    }
    vsg_jit_load_by_call(e, t, rows);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t v = 0; v < t->per_channel; v++)
            out[i].rows[v] =
                vsg_jit_take_lanes(e, rows[v], sections[i].first, 1, sections[i].count);
}

/* Have the channels of each section one address? They begin there then. */
static LLVMValueRef are_same(vsg_jit_emitter *e, vsg_jit_section *sections, uint32_t count)
{
    LLVMValueRef all = NULL;

    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef own = vsg_jit_are_at_one(e, &sections[i]);
        all = all ? LLVMBuildAnd(e->b, all, own, "") : own;
    }
    return all;
}

/* Goes on where it is worth looking at all addresses: the first two are of a row, or the same.
 * Of channels that are off nothing follows. */
static void look_at_two(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                        LLVMBasicBlockRef otherwise)
{
    LLVMBasicBlockRef next = vsg_jit_block(e);
    LLVMValueRef a = LLVMBuildExtractElement(e->b, t->addresses, vsg_jit_i32(e, 0), "");
    LLVMValueRef b = LLVMBuildExtractElement(e->b, t->addresses, vsg_jit_i32(e, 1), "");
    LLVMValueRef step = LLVMBuildSub(e->b, b, a, "");
    LLVMValueRef row = vsg_jit_i64(e, t->per_channel * t->memory);
    LLVMValueRef can = LLVMBuildOr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, step, row, ""),
                                   LLVMBuildICmp(e->b, LLVMIntEQ, a, b, ""), "");

    if (t->channels)
        can = LLVMBuildOr(e->b, can, LLVMBuildNot(e->b, vsg_jit_is_all_on(e, t), ""), "");
    LLVMBuildCondBr(e->b, can, next, otherwise);
    vsg_jit_go_on(e, next);
}

/* May channels be a distance apart that is known when they load? So are the rows of a matrix
 * whose width is an argument. Not worth its code where it is loaded once. */
static bool may_be_stepped(const vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    return !e->has_quick_gathers && t->per_channel == 1 && t->origin == VSG_JIT_ORIGIN_OTHER &&
           e->notes[e->place].is_in_loop;
}

/* From each channel of a section to the next one: is it as far as from the first to the second?
 */
static LLVMValueRef is_stepped(vsg_jit_emitter *e, vsg_jit_section *s)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS];
    LLVMValueRef most = vsg_jit_i64(e, UINT64_C(1) << 31);

    for (uint32_t i = 0; i < s->count; i++)
        places[i] = vsg_jit_i32(e, i ? i - 1 : 0);
    LLVMValueRef before =
        LLVMBuildShuffleVector(e->b, s->addresses, LLVMGetPoison(LLVMTypeOf(s->addresses)),
                               LLVMConstVector(places, s->count), "");
    LLVMValueRef gaps = LLVMBuildSub(e->b, s->addresses, before, "");
    s->step = LLVMBuildExtractElement(e->b, gaps, vsg_jit_i32(e, 1), "");
    LLVMValueRef differ =
        LLVMBuildICmp(e->b, LLVMIntNE, gaps, vsg_jit_splat(e, s->step, s->count), "");
    LLVMValueRef bits = vsg_jit_bits(e, differ, s->count);
    bits = LLVMBuildAnd(e->b, bits, vsg_jit_i32(e, vsg_exe_first(s->count) - 1), "");
    /* So that they do not go round. */
    LLVMValueRef is_short =
        LLVMBuildICmp(e->b, LLVMIntULT, LLVMBuildAdd(e->b, s->step, most, ""),
                      LLVMBuildAdd(e->b, most, most, ""), "");
    return LLVMBuildAnd(e->b, is_short,
                        LLVMBuildICmp(e->b, LLVMIntEQ, bits, vsg_jit_i32(e, 0), ""), "");
}

/* All channels are on, and between the first and the last one of their section. */
static void load_all_stepped(vsg_jit_emitter *e, vsg_jit_transfer *t,
                             const vsg_jit_section *sections, uint32_t count, loaded *out)
{
    LLVMValueRef ends = LLVMGetPoison(vsg_jit_int(e, 64, 2 * count));

    for (uint32_t i = 0; i < 2 * count; i++) {
        const vsg_jit_section *s = &sections[i / 2];
        LLVMValueRef end = LLVMBuildExtractElement(
            e->b, s->addresses, vsg_jit_i32(e, i % 2 ? s->count - 1 : 0), "");
        ends = LLVMBuildInsertElement(e->b, ends, end, vsg_jit_i32(e, i), "");
    }
    ends = vsg_jit_open_many(e, t, ends, NULL, 2 * count);
    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef host = LLVMBuildExtractElement(e->b, ends, vsg_jit_i32(e, 2 * i), "");
        out[i].rows[0] = load_stepped(e, t, sections[i].count, host, sections[i].step);
    }
}

/* Channel by channel where they are a distance apart, else all at once. */
static void load_apart(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                       uint32_t count, ways *w)
{
    LLVMBasicBlockRef stepped = vsg_jit_block(e), all = vsg_jit_block(e);

    if (may_be_stepped(e, t)) {
        LLVMValueRef are =
            t->channels ? vsg_jit_is_all_on(e, t) : LLVMConstInt(e->i1, 1, false);
        for (uint32_t i = 0; i < count; i++)
            are = LLVMBuildAnd(e->b, are, is_stepped(e, &sections[i]), "");
        LLVMBuildCondBr(e->b, are, stepped, all);
        vsg_jit_go_on(e, stepped);
        load_all_stepped(e, t, sections, count, w->rows[w->count]);
        end_way(e, w);
    } else {
        LLVMDeleteBasicBlock(stepped);
        LLVMBuildBr(e->b, all);
    }
    vsg_jit_go_on(e, all);
    load_each(e, t, sections, count, false, w->rows[w->count]);
    end_way(e, w);
}

/* Where the load is a column; goes on where it is not known to be one. */
static void load_column(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                        const vsg_jit_section *sections, uint32_t count, ways *w)
{
    LLVMBasicBlockRef is = vsg_jit_block(e), other = vsg_jit_block(e);

    LLVMBuildCondBr(e->b, vsg_jit_is_column(e, t), is, other);
    vsg_jit_go_on(e, is);
    LLVMValueRef all = vsg_jit_read_column(e, t);
    for (uint32_t v = 0; v < t->per_channel; v++)
        for (uint32_t i = 0; i < count; i++)
            w->rows[w->count][i].rows[v] = vsg_jit_take_lanes(
                e, all, v * t->count + sections[i].first, 1, sections[i].count);
    end_way(e, w);
    vsg_jit_go_on(e, other);
}

/* All sections go the same way, so that there are few of them. */
static void load_tested(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                        uint32_t count, ways *w)
{
    LLVMBasicBlockRef run = vsg_jit_block(e), apart = vsg_jit_block(e);
    LLVMBasicBlockRef same = vsg_jit_block(e), all = vsg_jit_block(e);
    LLVMBasicBlockRef slow = t->slow;

    look_at_two(e, t, all);
    LLVMBuildCondBr(e->b, vsg_jit_are_in_rows(e, t, sections, count), run, apart);
    vsg_jit_go_on(e, run);
    vsg_jit_set_kind(sections, count, VSG_JIT_SECTION_RUN);
    t->slow = vsg_jit_beside_row(t, apart);
    load_known(e, t, sections, count, w->rows[w->count]);
    t->slow = slow;
    end_way(e, w);
    vsg_jit_go_on(e, apart);
    LLVMBuildCondBr(e->b, are_same(e, sections, count), same, all);
    vsg_jit_go_on(e, same);
    vsg_jit_set_kind(sections, count, VSG_JIT_SECTION_SAME);
    load_known(e, t, sections, count, w->rows[w->count]);
    end_way(e, w);
    vsg_jit_go_on(e, all);
    load_apart(e, t, sections, count, w);
}

static void load_unknown(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                         uint32_t count, loaded *out)
{
    ways w = {.met = vsg_jit_block(e)};

    if (vsg_jit_may_be_column(e, t))
        load_column(e, t, sections, count, &w);
    if (vsg_jit_moves_by_call(e, t, false) || vsg_jit_moves_in_place(e, t)) {
        load_each(e, t, sections, count, false, w.rows[w.count]);
        end_way(e, &w);
    } else {
        load_tested(e, t, sections, count, &w);
    }
    meet(e, t, &w, count, out);
}

/* Where all lanes are within a row, though they are none; goes on where they are not. */
static void load_near(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                      uint32_t count, ways *w)
{
    LLVMBasicBlockRef near = vsg_jit_block(e), other = vsg_jit_block(e), slow = t->slow;
    loaded *out = w->rows[w->count];

    vsg_jit_set_kind(sections, count, VSG_JIT_SECTION_RUN);
    LLVMBuildCondBr(e->b, vsg_jit_are_near(e, t, sections, count), near, other);
    vsg_jit_go_on(e, near);
    t->slow = other; /* also where the row is not all there */
    load_known(e, t, sections, count, out);
    t->slow = slow;
    for (uint32_t i = 0; i < count; i++)
        out[i].rows[0] = vsg_jit_spread_row(e, t, &sections[i], out[i].rows[0]);
    end_way(e, w);
    vsg_jit_go_on(e, other);
}

/* As they are known, or each channel for itself. */
static void load_either(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                        uint32_t count, loaded *out)
{
    LLVMBasicBlockRef apart = vsg_jit_block(e), slow = t->slow;
    ways w = {.met = vsg_jit_block(e)};

    vsg_jit_require_quick(e, t, sections[0].kind, apart);
    t->slow = apart;
    load_known(e, t, sections, count, w.rows[w.count]);
    end_way(e, &w);
    t->slow = slow;
    vsg_jit_go_on(e, apart);
    if (vsg_jit_can_be_near(e, t))
        load_near(e, t, sections, count, &w);
    load_each(e, t, sections, count, t->is_guess, w.rows[w.count]);
    for (uint32_t i = 0; i < count; i++)
        cut_pieces(e, t, w.rows[w.count][i].rows);
    end_way(e, &w);
    meet(e, t, &w, count, out);
}

static void load_parts(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                       uint32_t count, loaded *out)
{
    vsg_jit_section_kind kind = sections[0].kind;

    if (kind == VSG_JIT_SECTION_UNKNOWN && !vsg_jit_is_apart(t))
        load_unknown(e, t, sections, count, out);
    else if (kind != VSG_JIT_SECTION_UNKNOWN && vsg_jit_is_unsure(t, kind))
        load_either(e, t, sections, count, out);
    else if (kind == VSG_JIT_SECTION_UNKNOWN)
        load_each(e, t, sections, count, false, out);
    else
        load_known(e, t, sections, count, out);
}

/* What is loaded is made elements of registers where the handler's way meets this one: what is
 * cut out of them again, as it was in memory, needs no steps then. */
static bool is_late(const vsg_jit_transfer *t)
{
    return t->pieces > 1 || t->memory < t->slot;
}

static void write_raw(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory, t->count);

    for (uint32_t v = 0; v < t->per_channel; v++) {
        LLVMValueRef all = vsg_jit_interleave(e, t->raw + (size_t)v * t->pieces, t->pieces);
        vsg_jit_write_row(e, t, v, LLVMBuildBitCast(e->b, all, type, ""));
    }
}

void vsg_jit_load_sections(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                           uint32_t count)
{
    loaded parts[VSG_JIT_MOST_CHUNKS];

    load_parts(e, t, sections, count, parts);
    for (uint32_t i = 0; i < count && sections[i].kind == VSG_JIT_SECTION_SAME; i++) {
        LLVMValueRef one =
            LLVMBuildExtractElement(e->b, parts[i].rows[0], vsg_jit_i32(e, 0), "");
        vsg_jit_set_loaded(e, sections[i].first, sections[i].count,
                           vsg_jit_to_slots(e, t, one, 1));
    }
    for (uint32_t i = 0; i < t->per_channel * t->pieces; i++) {
        t->raw[i] = parts[0].rows[i];
        for (uint32_t c = 1; c < count; c++)
            t->raw[i] = vsg_jit_append(e, t->raw[i], parts[c].rows[i]);
    }
    if (!is_late(t))
        write_raw(e, t);
}

void vsg_jit_end_vector(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    LLVMValueRef raw[VSG_JIT_MOST_RAW];
    bool writes = !t->is_store && is_late(t);

    if (!writes || !vsg_jit_is_left_to_handler(t)) {
        if (writes)
            write_raw(e, t);
        vsg_jit_end_transfer(e, t);
        return;
    }
    vsg_jit_transfer met = *t;
    LLVMBasicBlockRef from[] = {LLVMGetInsertBlock(e->b), NULL};
    LLVMBuildBr(e->b, t->done);
    vsg_jit_go_on(e, t->slow);
    vsg_jit_call_handler_rarely(e);
    vsg_jit_set_handled(e);
    for (uint32_t v = 0; v < t->per_channel; v++)
        raw[v] = vsg_jit_read_row(e, t, v);
    cut_pieces(e, t, raw);
    from[1] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, t->done);
    vsg_jit_go_on(e, t->done);
    for (uint32_t i = 0; i < t->per_channel * t->pieces; i++) {
        LLVMValueRef values[] = {t->raw[i], raw[i]};
        met.raw[i] = LLVMBuildPhi(e->b, LLVMTypeOf(values[0]), "");
        LLVMAddIncoming(met.raw[i], values, from, 2);
    }
    write_raw(e, &met);
}
