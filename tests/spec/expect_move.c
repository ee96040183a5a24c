/* SPDX-License-Identifier: MIT
 *
 * Moves, conversions, selections, comparisons, predicates. */
#include "expect.h"

enum { EQ, NE, GT, GE, LT, LE }; /* CMP page */

/* ---- conversions ------------------------------------------------------------------------ */

static uint64_t saturate(const spec_question *q, uint64_t bits)
{
    if (!q->c->saturate)
        return bits;
    if (spec_is_nan(q->dst, bits) || bits & spec_sign_bit(q->dst))
        return 0;
    return bits > spec_one(q->dst) ? spec_one(q->dst) : bits;
}

/* 2_datatypes, Type Conversion. Denormals are numbers like others (docs/spec-notes.md). */
static uint64_t convert(const spec_question *q, uint32_t source)
{
    uint32_t from = spec_source_type(q, source);
    uint64_t bits;
    mpfr_t value;

    if (!spec_is_float(from) && !spec_is_float(q->dst)) {
        spec_int exact = spec_source_int(q, source);
        return q->c->saturate ? spec_clamp(q->dst, exact) : spec_cut(q->dst, exact);
    }
    if (from == q->dst)
        return saturate(q, spec_source_float(q, source));
    mpfr_init2(value, SPEC_PRECISION);
    if (!spec_is_float(from)) {
        spec_from_int(value, spec_source_int(q, source));
    } else {
        spec_decode(value, from, spec_source_float(q, source));
    }
    bits = spec_is_float(q->dst) ? saturate(q, spec_round(q->dst, value, q->mode->rounding))
                                 : spec_to_int(q->dst, value);
    mpfr_clear(value);
    return bits;
}

/* ---- small floats (FCVT, SRND pages) ---------------------------------------------------- */

/* BF8 is the upper byte of a half; to the nearest, ties to even. */
static uint64_t half_to_bf8(uint64_t half)
{
    uint64_t sign = half & 0x8000, magnitude = half & 0x7fff;
    uint64_t whole = magnitude >> 8, rest = magnitude & 255;

    if (magnitude > 0x7c00)
        return sign >> 8 | 0x7e;
    if (rest > 128 || (rest == 128 && whole & 1))
        whole++;
    return sign >> 8 | whole;
}

/* TF32 has the upper 19 bits of F; denormals become zeros (docs/spec-notes.md). */
static uint64_t float_to_tf32(uint64_t bits)
{
    uint64_t sign = bits & 0x80000000, magnitude = bits & 0x7fffffff;
    uint64_t whole = magnitude >> 13, rest = magnitude & 0x1fff;

    if (magnitude > 0x7f800000)
        return sign | 0x7fc00000;
    if (magnitude < 0x00800000)
        return sign;
    if (rest > 0x1000 || (rest == 0x1000 && whole & 1))
        whole++;
    return sign | whole << 13;
}

static void small_floats(const spec_question *q, spec_result *result)
{
    uint64_t bits = spec_source_bits(q, 0);

    if (q->dst == VISAGE_TYPE_UB) {
        result->bits[q->channel] = half_to_bf8(bits);
        if (spec_is_nan(VISAGE_TYPE_HF, bits)) /* which NaN is open */
            result->also[q->channel] = bits >> 8 | 2;
    }
    if (q->dst == VISAGE_TYPE_UD) {
        result->bits[q->channel] = float_to_tf32(bits);
        if (spec_is_nan(VISAGE_TYPE_F, bits))
            result->also[q->channel] = (bits & ~(uint64_t)0x1fff) | 0x00400000;
    }
    if (q->dst == VISAGE_TYPE_HF || q->dst == VISAGE_TYPE_F)
        result->bits[q->channel] = q->dst == VISAGE_TYPE_HF ? bits << 8 : bits;
}

/* SRND: a random number of as many bits as go away is added to the significand, and they are
 * cut. What has no exponent in HF then is infinite (docs/spec-notes.md). */
static void stochastic(const spec_question *q, spec_result *result)
{
    uint64_t bits = spec_source_bits(q, 0), random = spec_source_bits(q, 1);

    if (q->dst == VISAGE_TYPE_UB) {
        bool is_special = (bits & 0x7c00) == 0x7c00;
        if (is_special)
            small_floats(q, result);
        else
            result->bits[q->channel] = (bits + (random & 255)) >> 8;
        return;
    }
    const uint64_t two_to_16 = 0x47800000;
    uint64_t sign = bits & 0x80000000, magnitude = bits & 0x7fffffff;
    mpfr_t value;
    mpfr_init2(value, SPEC_PRECISION);
    if (magnitude < spec_infinity(VISAGE_TYPE_F))
        magnitude += random & 0x1fff;
    spec_decode(value, VISAGE_TYPE_F, sign | magnitude);
    result->bits[q->channel] = spec_round(VISAGE_TYPE_HF, value, SPEC_RTZ);
    if (magnitude >= two_to_16 && !spec_is_nan(VISAGE_TYPE_F, bits))
        result->bits[q->channel] = sign >> 16 | spec_infinity(VISAGE_TYPE_HF);
    mpfr_clear(value);
}

/* ---- comparisons ------------------------------------------------------------------------ */

static bool relates(uint32_t relation, int order, bool unordered)
{
    if (unordered)
        return relation == NE;
    switch (relation) {
    case EQ:
        return order == 0;
    case NE:
        return order != 0;
    case GT:
        return order > 0;
    case GE:
        return order >= 0;
    case LT:
        return order < 0;
    default:
        return order <= 0;
    }
}

static void compare(const spec_question *q, spec_result *result)
{
    bool unordered = false;
    int order;

    if (spec_class(q) == VISAGE_TYPE_UD) {
        spec_int a = spec_source_int(q, 0), b = spec_source_int(q, 1);
        order = (a > b) - (a < b);
    } else {
        mpfr_t a, b;
        mpfr_init2(a, SPEC_PRECISION);
        mpfr_init2(b, SPEC_PRECISION);
        spec_source_number(q, 0, a);
        spec_source_number(q, 1, b);
        unordered = mpfr_nan_p(a) || mpfr_nan_p(b);
        order = unordered ? 0 : mpfr_cmp(a, b);
        mpfr_clear(a);
        mpfr_clear(b);
    }
    bool holds = relates(q->c->control, order, unordered);
    bool is_predicate = q->c->places[0].kind == SPEC_PREDICATE;
    uint64_t ones = spec_cut(is_predicate ? VISAGE_TYPE_UD : q->dst, -1);
    result->bits[q->channel] = !holds ? 0 : is_predicate ? 1 : ones;
    result->is_move = true;
}

/* ---- predicates ------------------------------------------------------------------------- */

static uint64_t predicate_bit(const spec_question *q, uint32_t source)
{
    uint32_t state = q->c->places[q->first + source].state;

    return q->batch->predicates[state - 1] >> (q->c->mask_offset + q->channel) & 1;
}

static bool logic(const spec_question *q, spec_result *result)
{
    uint64_t a = predicate_bit(q, 0), b = q->num_sources > 1 ? predicate_bit(q, 1) : 0;

    switch (q->c->row->op) {
    case VISAGE_OP_AND:
        a &= b;
        break;
    case VISAGE_OP_OR:
        a |= b;
        break;
    case VISAGE_OP_XOR:
        a ^= b;
        break;
    case VISAGE_OP_NOT:
        a = !a;
        break;
    default:
        return false;
    }
    result->bits[q->channel] = a;
    return true;
}

/* SETP: the bits of a scalar, whatever the masks say, or the lowest bit of each element. */
static void set_predicate(const spec_question *q, spec_result *result)
{
    const spec_place *place = &q->c->places[1];
    bool is_scalar = place->kind == SPEC_IMMEDIATE || place->kind == SPEC_SCALAR ||
                     (place->kind == SPEC_INDIRECT &&
                      (q->c->size == 1 || (place->v_stride == 0 && place->h_stride == 0)));
    uint64_t bits = spec_source_bits(q, 0);

    result->bits[q->channel] = is_scalar ? bits >> q->channel & 1 : bits & 1;
    if (is_scalar && spec_bytes(spec_source_type(q, 0)) * 8 <= q->channel)
        result->bits[q->channel] = 0;
}

/* MOV of a predicate: the whole variable. */
static void move_predicate(const spec_question *q, spec_result *result)
{
    uint32_t state = q->c->places[q->first].state;
    uint32_t count = state == SPEC_BYTE_PREDICATE ? 8 : state == SPEC_WORD_PREDICATE ? 16 : 32;

    result->bits[q->channel] =
        spec_cut(q->dst, q->batch->predicates[state - 1] & (UINT32_MAX >> (32 - count)));
}

bool spec_expect_move(const spec_question *q, spec_result *result)
{
    bool on_predicate = q->c->places[q->first].kind == SPEC_PREDICATE;

    switch (q->c->row->op) {
    case VISAGE_OP_MOV:
        result->is_move = spec_source_type(q, 0) == q->dst;
        if (on_predicate)
            move_predicate(q, result);
        else
            result->bits[q->channel] = convert(q, 0);
        return true;
    case VISAGE_OP_SEL:
        result->bits[q->channel] =
            convert(q, spec_chosen(q->batch, q->c) >> q->channel & 1 ? 0 : 1);
        return true;
    case VISAGE_OP_ADDR_ADD:
        /* UW counts modulo 2^16, so that large ones go back (docs/spec-notes.md). */
        result->bits[q->channel] =
            (uint32_t)((int64_t)spec_address(q->batch, q->c, 1, q->channel) +
                       (int16_t)spec_source_int(q, 1));
        return true;
    case VISAGE_OP_CMP:
        compare(q, result);
        return true;
    case VISAGE_OP_SETP:
        set_predicate(q, result);
        return true;
    case VISAGE_OP_FCVT:
        small_floats(q, result);
        return true;
    case VISAGE_OP_SRND:
        /* "No mask" */
        result->written = q->c->size == SPEC_CHANNELS ? UINT32_MAX : (1u << q->c->size) - 1;
        stochastic(q, result);
        return true;
    default:
        return on_predicate && logic(q, result);
    }
}
