/* SPDX-License-Identifier: MIT
 *
 * Operations whose channels use several elements: dot products, lines and planes, sums of
 * absolute differences. Products are fused into the sum from left to right
 * (docs/spec-notes.md). */
#include "expect.h"

static uint32_t result_channels(const spec_question *q)
{
    return spec_enabled(q->batch, q->c) & spec_chosen(q->batch, q->c);
}

/* Element `i` of a source as a number of the type F; `flat`: whatever its region says. */
static void element(const spec_question *q, uint32_t source, uint32_t i, bool flat, mpfr_t out)
{
    spec_question at = *q;
    uint64_t sign = spec_sign_bit(VISAGE_TYPE_F);
    uint64_t bits;

    at.channel = i;
    if (!flat) {
        spec_source_number(&at, source, out);
        return;
    }
    bits = spec_flat_source(q->batch, q->c, q->first + source, i);
    switch (spec_source_modifier(q, source)) {
    case VSG_OBJ_MOD_ABS:
        bits &= ~sign;
        break;
    case VSG_OBJ_MOD_NEG:
        bits ^= sign;
        break;
    case VSG_OBJ_MOD_NEG_ABS:
        bits |= sign;
        break;
    default:
        break;
    }
    spec_decode(out, VISAGE_TYPE_F, spec_flush(q->mode, VISAGE_TYPE_F, bits));
}

static mpfr_rnd_t zero_rounding(const spec_question *q)
{
    return q->mode->rounding == SPEC_RD ? MPFR_RNDD : MPFR_RNDN;
}

/* One rounding to F on the way. */
static void round_step(const spec_question *q, mpfr_t value, spec_result *result)
{
    uint64_t bits = spec_round(VISAGE_TYPE_F, value, q->mode->rounding);

    if (spec_is_between(q, VISAGE_TYPE_F, value))
        result->open |= 1u << q->channel;
    spec_decode(value, VISAGE_TYPE_F, spec_flush(q->mode, VISAGE_TYPE_F, bits));
}

/* sum = round(a * b + sum) */
static void fuse(const spec_question *q, mpfr_t sum, const mpfr_t a, const mpfr_t b,
                 spec_result *result)
{
    (void)mpfr_fma(sum, a, b, sum, zero_rounding(q));
    round_step(q, sum, result);
}

/* Are elements of channels that are off asked for through addresses? Those channels' addresses
 * may be anything, so nothing is said of what is read there. */
static bool asks_beyond(const spec_question *q, uint32_t size)
{
    uint32_t group = ((1u << size) - 1) << q->channel / size * size;

    for (uint32_t i = 0; i < q->num_sources; i++) {
        uint8_t kind = q->c->places[q->first + i].kind;
        if ((kind == SPEC_INDIRECT || kind == SPEC_MULTI) &&
            (result_channels(q) & group) != group)
            return true;
    }
    return false;
}

/* DP2, DP3, DP4, and DPH, which adds the last element of src1 to a DP3. */
static void dot(const spec_question *q, uint32_t length, bool is_homogeneous,
                spec_result *result)
{
    uint32_t base = q->channel / 4 * 4;
    mpfr_t sum, a, b;

    mpfr_inits2(SPEC_PRECISION, sum, a, b, (mpfr_ptr)NULL);
    for (uint32_t k = 0; k < length; k++) {
        element(q, 0, base + k, false, a);
        element(q, 1, base + k, false, b);
        if (k == 0) {
            (void)mpfr_mul(sum, a, b, MPFR_RNDN);
            round_step(q, sum, result);
        } else {
            fuse(q, sum, a, b, result);
        }
    }
    if (is_homogeneous) {
        element(q, 1, base + 3, false, b);
        (void)mpfr_add(sum, sum, b, zero_rounding(q));
    }
    spec_finish(q, VISAGE_TYPE_F, sum, q->mode->rounding, result);
    if (asks_beyond(q, 4))
        result->open |= 1u << q->channel;
    mpfr_clears(sum, a, b, (mpfr_ptr)NULL);
}

/* p * u + r of src0's first and fourth element. */
static void line(const spec_question *q, spec_result *result)
{
    mpfr_t p, u, r;

    mpfr_inits2(SPEC_PRECISION, p, u, r, (mpfr_ptr)NULL);
    element(q, 0, 0, true, p);
    element(q, 0, 3, true, r);
    element(q, 1, q->channel, false, u);
    (void)mpfr_fma(r, p, u, r, zero_rounding(q));
    spec_finish(q, VISAGE_TYPE_F, r, q->mode->rounding, result);
    mpfr_clears(p, u, r, (mpfr_ptr)NULL);
}

/* PLN page: p * u + q * v + r; eight u and then eight v for eight channels. */
static void plane(const spec_question *q, spec_result *result)
{
    uint32_t at = q->channel / 8 * 16 + q->channel % 8;
    mpfr_t p, u, r;

    mpfr_inits2(SPEC_PRECISION, p, u, r, (mpfr_ptr)NULL);
    element(q, 0, 3, true, r);
    element(q, 0, 0, true, p);
    element(q, 1, at, true, u);
    fuse(q, r, p, u, result);
    element(q, 0, 1, true, p);
    element(q, 1, at + 8, true, u);
    (void)mpfr_fma(r, p, u, r, zero_rounding(q));
    spec_finish(q, VISAGE_TYPE_F, r, q->mode->rounding, result);
    mpfr_clears(p, u, r, (mpfr_ptr)NULL);
}

/* LRP page: "sources support scalar region ... other regions are ignored and contiguous
 * elements will be accessed". */
static void interpolate(const spec_question *q, spec_result *result)
{
    mpfr_t in[3], rest;

    mpfr_init2(rest, SPEC_PRECISION);
    for (uint32_t i = 0; i < 3; i++) {
        uint8_t kind = q->c->places[q->first + i].kind;
        bool repeats = kind == SPEC_SCALAR || kind == SPEC_IMMEDIATE || q->c->size == 1;
        mpfr_init2(in[i], SPEC_PRECISION);
        element(q, i, repeats ? 0 : q->channel, true, in[i]);
    }
    (void)mpfr_ui_sub(rest, 1, in[0], zero_rounding(q));
    round_step(q, rest, result);
    (void)mpfr_mul(rest, rest, in[2], MPFR_RNDN);
    round_step(q, rest, result);
    (void)mpfr_fma(rest, in[0], in[1], rest, zero_rounding(q));
    spec_finish(q, VISAGE_TYPE_F, rest, q->mode->rounding, result);
    mpfr_clears(in[0], in[1], in[2], rest, (mpfr_ptr)NULL);
}

/* SAD2, SAD2ADD: the first channel of a pair; the second one is undefined, here kept. */
static void distances(const spec_question *q, bool adds, spec_result *result)
{
    spec_int sum = adds ? spec_source_int(q, 2) : 0;

    result->written &= 0x55555555;
    if (q->channel % 2)
        return;
    for (uint32_t k = 0; k < 2; k++) {
        spec_question at = *q;
        at.channel += k;
        spec_int distance = spec_source_int(&at, 0) - spec_source_int(&at, 1);
        sum += distance < 0 ? -distance : distance;
    }
    result->bits[q->channel] = q->c->saturate ? spec_clamp(q->dst, sum) : spec_cut(q->dst, sum);
    if (asks_beyond(q, 2))
        result->open |= 1u << q->channel;
}

bool spec_expect_group(const spec_question *q, spec_result *result)
{
    switch (q->c->row->op) {
    case VISAGE_OP_DP2:
        dot(q, 2, false, result);
        return true;
    case VISAGE_OP_DP3:
        dot(q, 3, false, result);
        return true;
    case VISAGE_OP_DP4:
        dot(q, 4, false, result);
        return true;
    case VISAGE_OP_DPH:
        dot(q, 3, true, result);
        return true;
    case VISAGE_OP_LINE:
        line(q, result);
        return true;
    case VISAGE_OP_PLANE:
        plane(q, result);
        return true;
    case VISAGE_OP_LRP:
        interpolate(q, result);
        return true;
    case VISAGE_OP_SAD2:
        distances(q, false, result);
        return true;
    case VISAGE_OP_SAD2ADD:
        distances(q, true, result);
        return true;
    default:
        return false;
    }
}
