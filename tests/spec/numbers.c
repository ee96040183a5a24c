/* SPDX-License-Identifier: MIT */
#include "numbers.h"

#include <stdlib.h>

/* 2_datatypes, Fundamental Data Types: bits of the significand with the hidden one, of the
 * exponent. */
typedef struct format {
    int precision, exponent_bits;
} format;

static format format_of(uint32_t type)
{
    switch (type) {
    case VISAGE_TYPE_DF:
        return (format){53, 11};
    case VISAGE_TYPE_F:
        return (format){24, 8};
    case VISAGE_TYPE_HF:
        return (format){11, 5};
    default:
        return (format){8, 8}; /* BF */
    }
}

static int bias_of(format f)
{
    return (1 << (f.exponent_bits - 1)) - 1;
}

/* Exponent of the least denormal. */
static int least_exponent(format f)
{
    return 2 - bias_of(f) - f.precision;
}

bool spec_is_float(uint32_t type)
{
    return type == VISAGE_TYPE_DF || type == VISAGE_TYPE_F || type == VISAGE_TYPE_HF ||
           type == VISAGE_TYPE_BF;
}

bool spec_is_signed(uint32_t type)
{
    return type == VISAGE_TYPE_B || type == VISAGE_TYPE_W || type == VISAGE_TYPE_D ||
           type == VISAGE_TYPE_Q;
}

uint32_t spec_bytes(uint32_t type)
{
    return vsg_isa_type(type)->bytes;
}

/* BF has no bit of its own: F's, whose exponents it has. */
bool spec_keeps(const spec_mode *mode, uint32_t type)
{
    return type == VISAGE_TYPE_DF   ? mode->keeps_df
           : type == VISAGE_TYPE_HF ? mode->keeps_hf
                                    : mode->keeps_f;
}

/* ---- integers --------------------------------------------------------------------------- */

spec_int spec_int_of(uint32_t type, uint64_t bits)
{
    uint32_t width = 8 * spec_bytes(type);
    spec_int value = width == 64 ? bits : bits & (((uint64_t)1 << width) - 1);

    if (spec_is_signed(type) && value >> (width - 1) & 1)
        value -= (spec_int)1 << width;
    return value;
}

spec_int spec_least(uint32_t type)
{
    return spec_is_signed(type) ? -((spec_int)1 << (8 * spec_bytes(type) - 1)) : 0;
}

spec_int spec_greatest(uint32_t type)
{
    return ((spec_int)1 << (8 * spec_bytes(type) - (spec_is_signed(type) ? 1 : 0))) - 1;
}

uint64_t spec_cut(uint32_t type, spec_int value)
{
    uint32_t width = 8 * spec_bytes(type);

    return width == 64 ? (uint64_t)value : (uint64_t)value & (((uint64_t)1 << width) - 1);
}

uint64_t spec_clamp(uint32_t type, spec_int value)
{
    if (value < spec_least(type))
        value = spec_least(type);
    if (value > spec_greatest(type))
        value = spec_greatest(type);
    return spec_cut(type, value);
}

/* ---- floats ----------------------------------------------------------------------------- */

uint64_t spec_sign_bit(uint32_t type)
{
    return (uint64_t)1 << (8 * spec_bytes(type) - 1);
}

uint64_t spec_infinity(uint32_t type)
{
    format f = format_of(type);

    return (((uint64_t)1 << f.exponent_bits) - 1) << (f.precision - 1);
}

uint64_t spec_largest(uint32_t type)
{
    return spec_infinity(type) - 1;
}

uint64_t spec_one(uint32_t type)
{
    format f = format_of(type);

    return (uint64_t)bias_of(f) << (f.precision - 1);
}

bool spec_is_nan(uint32_t type, uint64_t bits)
{
    return spec_is_float(type) && (bits & (spec_sign_bit(type) - 1)) > spec_infinity(type);
}

bool spec_is_denormal(uint32_t type, uint64_t bits)
{
    uint64_t magnitude = bits & (spec_sign_bit(type) - 1);

    return magnitude != 0 && magnitude < (uint64_t)1 << (format_of(type).precision - 1);
}

void spec_decode(mpfr_t out, uint32_t type, uint64_t bits)
{
    format f = format_of(type);
    uint64_t magnitude = bits & (spec_sign_bit(type) - 1);
    int sign = bits & spec_sign_bit(type) ? -1 : 1;
    uint64_t hidden = (uint64_t)1 << (f.precision - 1);
    int exponent = (int)(magnitude >> (f.precision - 1));
    uint64_t significand = magnitude & (hidden - 1);

    if (spec_is_nan(type, bits)) {
        mpfr_set_nan(out);
    } else if (magnitude == spec_infinity(type)) {
        mpfr_set_inf(out, sign);
    } else if (magnitude == 0) {
        mpfr_set_zero(out, sign);
    } else {
        if (exponent > 0)
            significand |= hidden;
        (void)mpfr_set_ui_2exp(
            out, significand, least_exponent(f) + (exponent > 0 ? exponent - 1 : 0), MPFR_RNDN);
        (void)mpfr_setsign(out, out, sign < 0, MPFR_RNDN);
    }
}

void spec_from_int(mpfr_t out, spec_int value)
{
    spec_int magnitude = value < 0 ? -value : value;

    (void)mpfr_set_ui_2exp(out, (uint64_t)(magnitude >> 64), 64, MPFR_RNDN);
    (void)mpfr_add_ui(out, out, (uint64_t)magnitude, MPFR_RNDN);
    if (value < 0)
        (void)mpfr_neg(out, out, MPFR_RNDN);
}

/* To a whole number. */
static void make_whole(mpfr_t value, spec_rounding rounding)
{
    switch (rounding) {
    case SPEC_RU:
        (void)mpfr_ceil(value, value);
        break;
    case SPEC_RD:
        (void)mpfr_floor(value, value);
        break;
    case SPEC_RTZ:
        (void)mpfr_trunc(value, value);
        break;
    default:
        (void)mpfr_roundeven(value, value);
        break;
    }
}

/* What is too large: infinite, or the largest number where the mode does not go away from
 * zero. */
static uint64_t overflow(uint32_t type, spec_rounding rounding, bool negative)
{
    bool stays = rounding == SPEC_RTZ || (rounding == SPEC_RU && negative) ||
                 (rounding == SPEC_RD && !negative);

    return stays ? spec_largest(type) : spec_infinity(type);
}

uint64_t spec_round(uint32_t type, const mpfr_t value, spec_rounding rounding)
{
    format f = format_of(type);
    bool negative = mpfr_signbit(value) != 0;
    uint64_t sign = negative ? spec_sign_bit(type) : 0;
    uint64_t hidden = (uint64_t)1 << (f.precision - 1);
    mpfr_t scaled;

    if (mpfr_nan_p(value))
        return spec_infinity(type) | hidden >> 1;
    if (mpfr_inf_p(value))
        return sign | spec_infinity(type);
    if (mpfr_zero_p(value))
        return sign;
    long exponent = mpfr_get_exp(value) - f.precision;
    if (exponent < least_exponent(f))
        exponent = least_exponent(f);
    if (exponent > least_exponent(f) + (1 << f.exponent_bits))
        return sign | overflow(type, rounding, negative);
    mpfr_init2(scaled, SPEC_PRECISION);
    (void)mpfr_mul_2si(scaled, value, -exponent, MPFR_RNDN);
    make_whole(scaled, rounding);
    (void)mpfr_abs(scaled, scaled, MPFR_RNDN);
    uint64_t significand = mpfr_get_ui(scaled, MPFR_RNDZ);
    mpfr_clear(scaled);
    /* The hidden bit adds one to the exponent's field, and a carry one more. */
    uint64_t field = (uint64_t)(exponent - least_exponent(f));
    uint64_t magnitude = (field << (f.precision - 1)) + significand;
    if (magnitude >= spec_infinity(type))
        return sign | overflow(type, rounding, negative);
    return sign | magnitude;
}

uint64_t spec_to_int(uint32_t type, const mpfr_t value)
{
    mpfr_t whole, limit;
    uint64_t bits = 0;

    if (mpfr_nan_p(value))
        return 0;
    mpfr_init2(whole, SPEC_PRECISION);
    mpfr_init2(limit, SPEC_PRECISION);
    (void)mpfr_trunc(whole, value);
    spec_from_int(limit, spec_least(type));
    bool below = mpfr_lessequal_p(whole, limit) != 0;
    spec_from_int(limit, spec_greatest(type));
    bool above = mpfr_greaterequal_p(whole, limit) != 0;
    if (below)
        bits = spec_cut(type, spec_least(type));
    else if (above)
        bits = spec_cut(type, spec_greatest(type));
    else if (mpfr_signbit(whole))
        bits = spec_cut(type, mpfr_get_si(whole, MPFR_RNDZ));
    else
        bits = spec_cut(type, (spec_int)mpfr_get_ui(whole, MPFR_RNDZ));
    mpfr_clear(whole);
    mpfr_clear(limit);
    return bits;
}

uint64_t spec_flush(const spec_mode *mode, uint32_t type, uint64_t bits)
{
    if (!spec_is_float(type) || spec_keeps(mode, type) || !spec_is_denormal(type, bits))
        return bits;
    return bits & spec_sign_bit(type);
}

int64_t spec_ordinal(uint32_t type, uint64_t bits)
{
    int64_t magnitude = (int64_t)(bits & (spec_sign_bit(type) - 1));

    return bits & spec_sign_bit(type) ? -magnitude : magnitude;
}
