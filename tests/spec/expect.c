/* SPDX-License-Identifier: MIT */
#include "expect.h"

#include <string.h>

/* ---- sources ---------------------------------------------------------------------------- */

uint32_t spec_source_type(const spec_question *q, uint32_t source)
{
    return spec_element_type(&q->c->places[q->first + source]);
}

uint64_t spec_source_bits(const spec_question *q, uint32_t source)
{
    return spec_source(q->batch, q->c, q->first + source, q->channel);
}

uint8_t spec_source_modifier(const spec_question *q, uint32_t source)
{
    return q->c->places[q->first + source].modifier;
}

/* (-) of an unsigned number is the exact negative one, (abs) takes its bits as signed
 * (docs/spec-notes.md, Integer arithmetic). */
spec_int spec_source_int(const spec_question *q, uint32_t source)
{
    static const uint8_t with_sign[SPEC_TYPE_COUNT] = {
        [VISAGE_TYPE_UD] = VISAGE_TYPE_D, [VISAGE_TYPE_D] = VISAGE_TYPE_D,
        [VISAGE_TYPE_UW] = VISAGE_TYPE_W, [VISAGE_TYPE_W] = VISAGE_TYPE_W,
        [VISAGE_TYPE_UB] = VISAGE_TYPE_B, [VISAGE_TYPE_B] = VISAGE_TYPE_B,
        [VISAGE_TYPE_UQ] = VISAGE_TYPE_Q, [VISAGE_TYPE_Q] = VISAGE_TYPE_Q};
    uint32_t type = spec_source_type(q, source);
    uint64_t bits = spec_source_bits(q, source);
    spec_int value = spec_int_of(type, bits);
    spec_int as_signed = spec_int_of(with_sign[type], bits);
    spec_int magnitude = as_signed < 0 ? -as_signed : as_signed;

    switch (spec_source_modifier(q, source)) {
    case VSG_OBJ_MOD_ABS:
        return magnitude;
    case VSG_OBJ_MOD_NEG:
        return -value;
    case VSG_OBJ_MOD_NEG_ABS:
        return -magnitude;
    case VSG_OBJ_MOD_NOT:
        return ~value;
    default:
        return value;
    }
}

uint64_t spec_source_float(const spec_question *q, uint32_t source)
{
    uint64_t sign = spec_sign_bit(spec_source_type(q, source));
    uint64_t bits = spec_source_bits(q, source);

    switch (spec_source_modifier(q, source)) {
    case VSG_OBJ_MOD_ABS:
        return bits & ~sign;
    case VSG_OBJ_MOD_NEG:
        return bits ^ sign;
    case VSG_OBJ_MOD_NEG_ABS:
        return bits | sign;
    default:
        return bits;
    }
}

void spec_source_number(const spec_question *q, uint32_t source, mpfr_t out)
{
    uint32_t type = spec_source_type(q, source);

    if (spec_is_float(type))
        spec_decode(out, type, spec_flush(q->mode, type, spec_source_float(q, source)));
    else
        spec_from_int(out, spec_source_int(q, source));
}

/* ---- results of floats ------------------------------------------------------------------ */

/* 2_datatypes: DF, else F where there is one, else the half all of them are. Halves with a
 * result in F compute in it (docs/spec-notes.md). */
uint32_t spec_class(const spec_question *q)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < q->num_sources; i++)
        found |= 1u << spec_source_type(q, i);
    if (found >> VISAGE_TYPE_DF & 1)
        return VISAGE_TYPE_DF;
    bool has_hf = found >> VISAGE_TYPE_HF & 1, has_bf = found >> VISAGE_TYPE_BF & 1;
    bool has_f = found >> VISAGE_TYPE_F & 1;
    if (!has_f && !has_hf && !has_bf)
        return VISAGE_TYPE_UD;
    if (has_f || (has_hf && has_bf) || q->dst == VISAGE_TYPE_F)
        return VISAGE_TYPE_F;
    return has_hf ? VISAGE_TYPE_HF : VISAGE_TYPE_BF;
}

static uint64_t without_infinity(const spec_question *q, uint32_t type, uint64_t bits)
{
    uint64_t sign = spec_sign_bit(type);

    if (q->mode->is_alt && type == VISAGE_TYPE_F && (bits & ~sign) == spec_infinity(type))
        return spec_largest(type) | (bits & sign);
    return bits;
}

/* To [0, 1]; NaN and -0 give 0 (2_datatypes, Saturation). */
static uint64_t saturated(const spec_question *q, uint32_t type, uint64_t bits)
{
    if (!q->c->saturate)
        return bits;
    if (spec_is_nan(type, bits) || bits & spec_sign_bit(type))
        return 0;
    return bits > spec_one(type) ? spec_one(type) : bits;
}

static uint64_t rounded(const spec_question *q, uint32_t type, const mpfr_t value,
                        spec_rounding rounding)
{
    uint64_t bits = spec_round(type, value, rounding);

    return spec_flush(q->mode, type, without_infinity(q, type, bits));
}

bool spec_is_between(const spec_question *q, uint32_t type, const mpfr_t value)
{
    uint64_t least = spec_infinity(type) & (0 - spec_infinity(type));
    uint64_t bits = spec_round(type, value, q->mode->rounding);
    bool is_low = false;
    mpfr_t limit;

    if (spec_keeps(q->mode, type) || (bits & ~spec_sign_bit(type)) != least)
        return false;
    mpfr_init2(limit, SPEC_PRECISION);
    spec_decode(limit, type, least);
    is_low = mpfr_cmpabs(value, limit) < 0;
    mpfr_clear(limit);
    return is_low;
}

/* A mixture computes in the wider type, and its result is converted (docs/spec-notes.md). */
static uint64_t rounded_twice(const spec_question *q, uint32_t type, const mpfr_t value,
                              spec_rounding rounding)
{
    uint64_t bits;
    mpfr_t wide;

    mpfr_init2(wide, SPEC_PRECISION);
    spec_decode(wide, type, rounded(q, type, value, rounding));
    bits = rounded(q, q->dst, wide, q->mode->rounding);
    mpfr_clear(wide);
    return bits;
}

void spec_finish(const spec_question *q, uint32_t type, const mpfr_t exact,
                 spec_rounding rounding, spec_result *result)
{
    bool mixes = q->dst != type;
    uint64_t bits =
        mixes ? rounded_twice(q, type, exact, rounding) : rounded(q, type, exact, rounding);
    uint64_t also = rounded(q, q->dst, exact, rounding); /* once */

    result->bits[q->channel] = saturated(q, q->dst, bits);
    result->also[q->channel] = saturated(q, q->dst, also);
    if (spec_is_between(q, type, exact) || spec_is_between(q, q->dst, exact))
        result->open |= 1u << q->channel;
}

/* ---- the whole instruction -------------------------------------------------------------- */

static bool one_channel(const spec_question *q, spec_result results[2])
{
    return spec_expect_move(q, &results[0]) || spec_expect_group(q, &results[0]) ||
           spec_expect_int(q, results) || spec_expect_float(q, &results[0]);
}

bool spec_expect(const spec_batch *batch, const spec_case *c, const spec_mode *mode,
                 spec_result results[2])
{
    spec_question q = {.batch = batch, .c = c, .mode = mode};

    memset(results, 0, 2 * sizeof *results);
    q.dst = c->places[0].kind == SPEC_PREDICATE ? VISAGE_TYPE_UD : c->places[0].type;
    while (c->row->operands[q.first].is_dst)
        q.first++;
    q.num_sources = c->row->num_operands - q.first;
    uint32_t channels = spec_enabled(batch, c);
    if (!(c->row->info->flags & (VSG_ISA_PRED_SELECTS | VSG_ISA_PRED_RESULT)))
        channels &= spec_chosen(batch, c);
    results[0].written = channels;
    results[1].written = q.first > 1 || c->row->op == VISAGE_OP_MADW ? channels : 0;
    for (q.channel = 0; q.channel < c->size; q.channel++) {
        for (uint32_t i = 0; i < 2; i++)
            results[i].also[q.channel] = UINT64_MAX;
        if (!one_channel(&q, results))
            return false;
        for (uint32_t i = 0; i < 2; i++)
            if (results[i].also[q.channel] == UINT64_MAX)
                results[i].also[q.channel] = results[i].bits[q.channel];
    }
    return true;
}
