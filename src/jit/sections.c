/* SPDX-License-Identifier: MIT
 *
 * Loads and stores of many channels, in sections of at most 16. */
#include "jit/sections.h"

#include "exec/operand.h"
#include "jit/apart.h"
#include "jit/lowering.h"
#include "jit/marks.h"
#include "jit/shuffle.h"

/* What channels are told apart by: in half the bits where addresses have no more. What goes
 * round there does not lie in a row, which is found when the row is opened. */
static LLVMValueRef told_apart_by(const vsg_jit_section *s)
{
    return s->offsets ? s->offsets : s->addresses;
}

/* The vector 0, step, 2 * step ... */
static LLVMValueRef steps(LLVMTypeRef element, uint32_t count, uint32_t step)
{
    LLVMValueRef values[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < count; i++)
        values[i] = LLVMConstInt(element, (uint64_t)i * step, false);
    return LLVMConstVector(values, count);
}

/* Are the values of the channels that are on all that of `lane`, the first of them? */
static LLVMValueRef is_one_value(vsg_jit_emitter *e, const vsg_jit_section *s,
                                 LLVMValueRef values, LLVMValueRef lane)
{
    LLVMValueRef first = LLVMBuildExtractElement(e->b, values, lane, "");
    LLVMValueRef differ =
        LLVMBuildICmp(e->b, LLVMIntNE, values, vsg_jit_splat(e, first, s->count), "");
    LLVMValueRef bits = vsg_jit_bits(e, differ, s->count);
    if (s->channels)
        bits = LLVMBuildAnd(e->b, bits, s->channels, "");
    return LLVMBuildICmp(e->b, LLVMIntEQ, bits, vsg_jit_i32(e, 0), "");
}

/* The address of a channel. */
static LLVMValueRef address_of(vsg_jit_emitter *e, const vsg_jit_section *s, LLVMValueRef lane)
{
    LLVMValueRef at = LLVMBuildExtractElement(e->b, told_apart_by(s), lane, "");

    return s->offsets ? LLVMBuildZExt(e->b, at, e->i64, "") : at;
}

LLVMValueRef vsg_jit_are_at_one(vsg_jit_emitter *e, vsg_jit_section *s)
{
    LLVMValueRef lane = vsg_jit_first_lane(e, s->channels, s->count);

    s->start = address_of(e, s, lane);
    return is_one_value(e, s, told_apart_by(s), lane);
}

LLVMValueRef vsg_jit_section_lanes(vsg_jit_emitter *e, const vsg_jit_section *s,
                                   uint32_t repeat)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS * 4];
    LLVMValueRef lanes = vsg_jit_lanes(e, s->channels, s->count);

    if (!lanes || repeat == 1)
        return lanes;
    for (uint32_t i = 0; i < s->count * repeat; i++)
        places[i] = vsg_jit_i32(e, i / repeat);
    return LLVMBuildShuffleVector(e->b, lanes, LLVMGetPoison(LLVMTypeOf(lanes)),
                                  LLVMConstVector(places, s->count * repeat), "");
}

LLVMValueRef vsg_jit_section_mask(vsg_jit_emitter *e, const vsg_jit_section *s, uint32_t repeat)
{
    LLVMValueRef lanes = vsg_jit_section_lanes(e, s, repeat);

    return lanes ? lanes : LLVMConstAllOnes(vsg_jit_int(e, 1, s->count * repeat));
}

bool vsg_jit_is_apart(const vsg_jit_transfer *t)
{
    return t->chunk || !t->is_dense || t->origin == VSG_JIT_ORIGIN_CUT;
}

void vsg_jit_set_kind(vsg_jit_section *sections, uint32_t count, vsg_jit_section_kind kind)
{
    for (uint32_t i = 0; i < count; i++)
        sections[i].kind = kind;
}

/* Do the channels that are on follow each other? `start`: where the first one would be. */
static LLVMValueRef is_in_row(vsg_jit_emitter *e, const vsg_jit_transfer *t, vsg_jit_section *s)
{
    uint32_t step = t->per_channel * t->memory;
    LLVMValueRef lane = vsg_jit_first_lane(e, s->channels, s->count);
    LLVMValueRef places = told_apart_by(s);
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(places));
    LLVMValueRef starts = LLVMBuildSub(e->b, places, steps(element, s->count, step), "");
    LLVMValueRef before =
        LLVMBuildMul(e->b, vsg_jit_extend(e, lane, 32, 64, 1, false), vsg_jit_i64(e, step), "");

    s->start = LLVMBuildSub(e->b, address_of(e, s, lane), before, "");
    return is_one_value(e, s, starts, lane);
}

LLVMValueRef vsg_jit_are_in_rows(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                 vsg_jit_section *sections, uint32_t count)
{
    LLVMValueRef all = NULL;

    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef own = is_in_row(e, t, &sections[i]);
        all = all ? LLVMBuildAnd(e->b, all, own, "") : own;
    }
    return all;
}

LLVMValueRef vsg_jit_is_all_on(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    return LLVMBuildICmp(e->b, LLVMIntEQ, t->channels, vsg_jit_i32(e, vsg_exe_first(t->count)),
                         "");
}

/* ---- where their elements are ------------------------------------------------------------ */

/* Where each of the sections' channels is; one test is for all. */
static void find_places(vsg_jit_emitter *e, vsg_jit_transfer *t,
                        const vsg_jit_section *sections, uint32_t count, LLVMValueRef *places)
{
    LLVMValueRef all = vsg_jit_open_many(e, t, t->addresses, t->channels, t->count);

    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_take_lanes(e, all, sections[i].first, 1, sections[i].count);
}

LLVMValueRef vsg_jit_places_of(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                               LLVMValueRef places, uint32_t v)
{
    uint32_t at = t->message->element_at[v];
    LLVMValueRef skip = vsg_jit_i64(e, at);

    return at ? LLVMBuildGEP2(e->b, e->i8, places, &skip, 1, "") : places;
}

/* Bytes from the first channel's to behind the last one's. */
static uint32_t spread_bytes(const vsg_jit_transfer *t, uint32_t count)
{
    return (count - 1) * (uint32_t)t->step + t->message->span_bytes;
}

/* Bytes of the first `count` channels of a section that is known. */
static uint32_t bytes_of(const vsg_jit_transfer *t, const vsg_jit_section *s, uint32_t count)
{
    if (vsg_jit_is_row(s))
        return count * t->per_channel * t->memory;
    return s->kind == VSG_JIT_SECTION_SAME ? t->message->span_bytes : spread_bytes(t, count);
}

bool vsg_jit_goes_by_mask(const vsg_jit_emitter *e, const vsg_jit_transfer *t,
                          const vsg_jit_section *s)
{
    return (s->kind == VSG_JIT_SECTION_RUN || s->kind == VSG_JIT_SECTION_SLIDING) &&
           t->channels && vsg_exe_is_slm(t->message) && vsg_jit_has_masks_for(e, t->memory);
}

static void open_some(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                      const vsg_jit_section *sections, uint32_t count, LLVMValueRef *host)
{
    for (uint32_t i = 0; i < count; i++) {
        const vsg_jit_section *s = &sections[i];
        host[i] = vsg_jit_open_row(e, t,
                                   &(vsg_jit_channels_at){s->count, s->start, s->channels,
                                                          s->addresses, bytes_of(t, s, 1),
                                                          bytes_of(t, s, s->count)});
    }
}

void vsg_jit_open_sections(vsg_jit_emitter *e, vsg_jit_transfer *t,
                           const vsg_jit_section *sections, uint32_t count, LLVMValueRef *host)
{
    vsg_jit_places places = {.count = count,
                             .bytes = bytes_of(t, &sections[0], sections[0].count),
                             .may_precede = sections[0].kind == VSG_JIT_SECTION_BACK};

    if (sections[0].kind == VSG_JIT_SECTION_UNKNOWN) {
        find_places(e, t, sections, count, host);
        return;
    }
    if (vsg_jit_goes_by_mask(e, t, &sections[0])) {
        open_some(e, t, sections, count, host);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        places.at[i] = sections[i].start;
    vsg_jit_open_places(e, t, &places, host);
}

bool vsg_jit_is_unsure(const vsg_jit_transfer *t, vsg_jit_section_kind kind)
{
    return t->is_guess ||
           (t->channels && (kind == VSG_JIT_SECTION_SPREAD || kind == VSG_JIT_SECTION_BACK));
}

bool vsg_jit_stores_between(const vsg_jit_emitter *e, const vsg_jit_transfer *t,
                            vsg_jit_section_kind kind)
{
    enum { MOST_STEPS = 4 };

    return t->is_store && kind == VSG_JIT_SECTION_SPREAD && vsg_jit_has_avx512(e) &&
           t->step % t->memory == 0 && t->step / t->memory <= MOST_STEPS;
}

/* Can sections be accessed as their kind says? They are no rows by guess, or what channels that
 * are off would reach goes round, or need not be there. NULL: in any case. */
static LLVMValueRef can_be_quick(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                 vsg_jit_section_kind kind)
{
    LLVMValueRef can = vsg_jit_is_unsure(t, kind) ? t->exact : NULL;

    return kind == VSG_JIT_SECTION_SPREAD && t->channels && !t->takes_all &&
                   !vsg_jit_stores_between(e, t, kind)
               ? vsg_jit_both(e, can, vsg_jit_is_all_on(e, t))
               : can;
}

void vsg_jit_require_quick(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                           vsg_jit_section_kind kind, LLVMBasicBlockRef otherwise)
{
    LLVMBasicBlockRef quick = vsg_jit_block(e);
    LLVMValueRef can = can_be_quick(e, t, kind);

    LLVMValueRef branch =
        LLVMBuildCondBr(e->b, can ? can : LLVMConstInt(e->i1, 1, false), quick, otherwise);
    if (t->is_guess)
        vsg_jit_mostly(e, branch);
    vsg_jit_go_on(e, quick);
}

static LLVMValueRef is_all_off(vsg_jit_emitter *e, const vsg_jit_section *s)
{
    return LLVMBuildICmp(e->b, LLVMIntEQ, s->channels, vsg_jit_i32(e, 0), "");
}

void vsg_jit_begin_section(vsg_jit_emitter *e, const vsg_jit_section *s,
                           LLVMBasicBlockRef otherwise)
{
    LLVMBasicBlockRef any = vsg_jit_block(e);

    LLVMBuildCondBr(e->b, is_all_off(e, s), otherwise, any);
    vsg_jit_go_on(e, any);
}

LLVMBasicBlockRef vsg_jit_beside_row(const vsg_jit_transfer *t, LLVMBasicBlockRef apart)
{
    return t->channels ? apart : t->slow;
}

/* ---- sections of a transfer -------------------------------------------------------------- */

/* Are channels a known distance apart? */
static bool is_spread(const vsg_jit_transfer *t)
{
    const int64_t furthest = 1 << 16; /* so that the step is no accident */

    return t->step > t->per_channel * t->memory && t->step <= furthest;
}

/* Is a step one of the host's numbers, that several elements are, and are a channel's some of
 * them? So are two doubles next to each other as four dwords. */
static bool slides_by_several(const vsg_jit_transfer *t)
{
    int64_t own = t->per_channel * t->memory;

    return t->step > t->memory && (t->step == 2 || t->step == 4 || t->step == 8) &&
           t->step % t->memory == 0 && own > t->step && own % t->step == 0;
}

/* Are elements of a channel made of so few steps, or, where they are apart, of one? */
static bool is_sliding(const vsg_jit_transfer *t)
{
    if (!t->is_dense)
        return t->step == t->memory;
    if (slides_by_several(t))
        return true;
    return t->step > 0 && t->step <= t->memory && t->memory % t->step == 0 &&
           t->memory / t->step <= VSG_JIT_MOST_PIECES;
}

static vsg_jit_section_kind kind_of(const vsg_jit_transfer *t)
{
    int64_t own = t->per_channel * t->memory;

    if (t->chunk && is_sliding(t) && !t->is_store && (!t->is_dense || t->step != own))
        return VSG_JIT_SECTION_SLIDING;
    if (!t->is_dense)
        return t->chunk && is_spread(t) && !t->is_store ? VSG_JIT_SECTION_SPREAD
                                                        : VSG_JIT_SECTION_UNKNOWN;
    if (t->chunk && t->step == own)
        return VSG_JIT_SECTION_RUN;
    if (t->chunk && t->step == -own)
        return VSG_JIT_SECTION_BACK;
    if (t->chunk && t->step == 0 && !t->is_store)
        return VSG_JIT_SECTION_SAME;
    if (t->chunk && is_spread(t))
        return VSG_JIT_SECTION_SPREAD;
    return VSG_JIT_SECTION_UNKNOWN;
}

/* Are channels that are off accessed as well, where all are in shared local memory, which
 * nobody else changes meanwhile? Hosts' instructions for those that are on take longer than
 * accesses one by one. */
static bool takes_all(const vsg_jit_emitter *e, const vsg_jit_transfer *t,
                      vsg_jit_section_kind kind)
{
    return kind == VSG_JIT_SECTION_SPREAD && t->channels && !t->is_guess &&
           vsg_exe_is_slm(t->message) && !e->has_quick_gathers;
}

/* Where a section of a known kind begins: one from the last channel to the first at its last
 * one, which may be less than 0 where that goes round (vsg_jit_places.may_precede). One without
 * a channel that is on may lie behind all memory, as in the last thread of a group: it is
 * accessed where memory begins. */
static LLVMValueRef start_of(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                             const vsg_jit_section *s)
{
    uint32_t lowest = s->kind == VSG_JIT_SECTION_BACK ? s->count - 1 : 0;
    uint64_t behind = (s->first % t->chunk + lowest) * (uint64_t)t->step;
    LLVMValueRef start = t->first[s->first / t->chunk];

    if (behind)
        start = LLVMBuildAdd(e->b, start, vsg_jit_i64(e, behind), "");
    if (!t->takes_all)
        return start;
    return LLVMBuildSelect(e->b, is_all_off(e, s), vsg_jit_i64(e, 0), start, "");
}

static vsg_jit_section cut(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t first,
                           uint32_t count)
{
    vsg_jit_section s = {.first = first, .count = count};

    s.addresses = vsg_jit_take_lanes(e, t->addresses, first, 1, count);
    if (t->offsets)
        s.offsets = vsg_jit_take_lanes(e, t->offsets, first, 1, count);
    if (t->channels) {
        s.channels = LLVMBuildLShr(e->b, t->channels, vsg_jit_i32(e, first), "");
        s.channels = LLVMBuildAnd(e->b, s.channels, vsg_jit_i32(e, vsg_exe_first(count)), "");
    }
    return s;
}

void vsg_jit_move_vector(vsg_jit_emitter *e, vsg_jit_transfer *t)
{
    enum { MOST_IN_SECTION = 16 };
    vsg_jit_section_kind kind = kind_of(t);
    uint32_t size = t->count > MOST_IN_SECTION ? MOST_IN_SECTION : t->count;
    vsg_jit_section sections[VSG_JIT_MOST_CHUNKS] = {{0}};

    t->takes_all = takes_all(e, t, kind);
    if (kind != VSG_JIT_SECTION_UNKNOWN && !(t->takes_all && t->chunk > size))
        size = t->chunk;
    t->pieces = kind == VSG_JIT_SECTION_SLIDING && t->step < t->memory
                    ? t->memory / (uint32_t)t->step
                    : 1;
    uint32_t count = t->count / size;
    if (kind == VSG_JIT_SECTION_SPREAD || kind == VSG_JIT_SECTION_SLIDING)
        t->reach = spread_bytes(t, size);
    else if (kind != VSG_JIT_SECTION_SAME)
        t->reach = size * t->per_channel * t->memory;
    for (uint32_t i = 0; i < count; i++) {
        sections[i] = cut(e, t, i * size, size);
        sections[i].kind = kind;
        if (kind != VSG_JIT_SECTION_UNKNOWN)
            sections[i].start = start_of(e, t, &sections[i]);
    }
    if (kind != VSG_JIT_SECTION_UNKNOWN && t->exact && !vsg_jit_is_unsure(t, kind))
        vsg_jit_require(e, t, vsg_jit_holds(e, t->exact));
    if (t->is_store)
        vsg_jit_store_sections(e, t, sections, count);
    else
        vsg_jit_load_sections(e, t, sections, count);
}

LLVMValueRef vsg_jit_first_lane(vsg_jit_emitter *e, LLVMValueRef channels, uint32_t count)
{
    LLVMValueRef args[] = {channels, LLVMConstInt(e->i1, 0, false)};

    if (!channels)
        return vsg_jit_i32(e, 0);
    LLVMValueRef lane = vsg_jit_intrinsic(e, "llvm.cttz", e->i32, args, 2);
    return LLVMBuildAnd(e->b, lane, vsg_jit_i32(e, count - 1), "");
}
