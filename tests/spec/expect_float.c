/* SPDX-License-Identifier: MIT
 *
 * Arithmetic of floats. Inexact functions are asked of MPFR with so many digits that what is
 * cut off cannot matter to a rounding, and a sticky bit says that there is more. */
#include "expect.h"

enum { DIGITS = 300 };

/* Sets *out to a result of `narrow`, which was rounded towards zero with the ternary value
 * `inexact`. */
static void with_sticky(mpfr_t out, const mpfr_t narrow, int inexact)
{
    (void)mpfr_set(out, narrow, MPFR_RNDN);
    if (inexact != 0 && mpfr_regular_p(narrow)) {
        mpfr_t more;
        mpfr_init2(more, DIGITS);
        (void)mpfr_set_ui_2exp(more, 1, mpfr_get_exp(narrow) - DIGITS - 8, MPFR_RNDN);
        if (mpfr_signbit(narrow))
            (void)mpfr_neg(more, more, MPFR_RNDN);
        (void)mpfr_add(out, out, more, MPFR_RNDN);
        mpfr_clear(more);
    }
}

/* 1 / sqrt(x), whose sign of zero IEEE 754 has as that of x. */
static int reciprocal_root(mpfr_t out, const mpfr_t x)
{
    if (mpfr_zero_p(x)) {
        mpfr_set_inf(out, mpfr_signbit(x) ? -1 : 1);
        return 0;
    }
    return mpfr_rec_sqrt(out, x, MPFR_RNDZ);
}

static bool inexact_function(visage_op op, mpfr_t out, const mpfr_t a, const mpfr_t b)
{
    mpfr_t narrow;
    int inexact = 0;
    bool known = true;

    mpfr_init2(narrow, DIGITS);
    switch (op) {
    case VISAGE_OP_DIV:
    case VISAGE_OP_DIVM:
        inexact = mpfr_div(narrow, a, b, MPFR_RNDZ);
        break;
    case VISAGE_OP_INV:
        inexact = mpfr_ui_div(narrow, 1, a, MPFR_RNDZ);
        break;
    case VISAGE_OP_SQRT:
    case VISAGE_OP_SQRTM:
        inexact = mpfr_sqrt(narrow, a, MPFR_RNDZ);
        break;
    case VISAGE_OP_RSQRT:
        inexact = reciprocal_root(narrow, a);
        break;
    case VISAGE_OP_EXP:
        inexact = mpfr_exp2(narrow, a, MPFR_RNDZ);
        break;
    case VISAGE_OP_LOG:
        inexact = mpfr_log2(narrow, a, MPFR_RNDZ);
        break;
    case VISAGE_OP_POW:
        inexact = mpfr_pow(narrow, a, b, MPFR_RNDZ);
        break;
    case VISAGE_OP_SIN:
        inexact = mpfr_sin(narrow, a, MPFR_RNDZ);
        break;
    case VISAGE_OP_COS:
        inexact = mpfr_cos(narrow, a, MPFR_RNDZ);
        break;
    default:
        known = false;
        break;
    }
    if (known)
        with_sticky(out, narrow, inexact);
    mpfr_clear(narrow);
    return known;
}

/* The rounding is that of MPFR where a sum is zero: -0 only towards minus infinity. */
static mpfr_rnd_t zero_rounding(const spec_question *q)
{
    return q->mode->rounding == SPEC_RD ? MPFR_RNDD : MPFR_RNDN;
}

/* MIN_MAX page: the number where the other is a NaN. Of equals MIN has src1, MAX src0
 * (docs/spec-notes.md). */
static void lesser(mpfr_t out, const mpfr_t a, const mpfr_t b, bool greater)
{
    bool first;

    if (mpfr_nan_p(a) || mpfr_nan_p(b))
        first = !mpfr_nan_p(a);
    else
        first = greater ? mpfr_cmp(a, b) >= 0 : mpfr_cmp(a, b) < 0;
    (void)mpfr_set(out, first ? a : b, MPFR_RNDN);
}

/* x - floor(x). Of an infinity no page tells. */
static void fraction(const spec_question *q, mpfr_t out, const mpfr_t x, spec_result *result)
{
    mpfr_t whole;

    mpfr_init2(whole, SPEC_PRECISION);
    (void)mpfr_floor(whole, x);
    (void)mpfr_sub(out, x, whole, zero_rounding(q));
    mpfr_clear(whole);
    if (mpfr_inf_p(x))
        result->open |= 1u << q->channel;
}

/* RNDD and the like keep the sign where the result is zero. */
static bool whole(visage_op op, mpfr_t out, const mpfr_t x)
{
    switch (op) {
    case VISAGE_OP_RNDD:
        (void)mpfr_floor(out, x);
        break;
    case VISAGE_OP_RNDU:
        (void)mpfr_ceil(out, x);
        break;
    case VISAGE_OP_RNDE:
        (void)mpfr_roundeven(out, x);
        break;
    case VISAGE_OP_RNDZ:
        (void)mpfr_trunc(out, x);
        break;
    default:
        return false;
    }
    return true;
}

static bool exact(const spec_question *q, mpfr_t out, mpfr_t in[3], spec_result *result)
{
    switch (q->c->row->op) {
    case VISAGE_OP_ADD:
        (void)mpfr_add(out, in[0], in[1], zero_rounding(q));
        return true;
    case VISAGE_OP_MUL:
        (void)mpfr_mul(out, in[0], in[1], MPFR_RNDN);
        return true;
    case VISAGE_OP_MAD:
        (void)mpfr_fma(out, in[0], in[1], in[2], zero_rounding(q));
        return true;
    case VISAGE_OP_MIN:
    case VISAGE_OP_MAX:
        lesser(out, in[0], in[1], q->c->row->op == VISAGE_OP_MAX);
        return true;
    case VISAGE_OP_FRC:
        fraction(q, out, in[0], result);
        return true;
    default:
        return whole(q->c->row->op, out, in[0]);
    }
}

/* Extended math rounds to nearest whatever the mode says; one unit in the last place is let
 * go, since the pages promise nothing (docs/precision.md has what is measured). */
static bool is_math(visage_op op)
{
    return op == VISAGE_OP_EXP || op == VISAGE_OP_LOG || op == VISAGE_OP_POW ||
           op == VISAGE_OP_SIN || op == VISAGE_OP_COS || op == VISAGE_OP_INV ||
           op == VISAGE_OP_SQRT || op == VISAGE_OP_RSQRT;
}

/* ALT mode takes the absolute value of F (2_datatypes). */
static void alternate(const spec_question *q, mpfr_t value)
{
    visage_op op = q->c->row->op;

    if (q->mode->is_alt && spec_source_type(q, 0) == VISAGE_TYPE_F &&
        (op == VISAGE_OP_LOG || op == VISAGE_OP_SQRT || op == VISAGE_OP_RSQRT))
        (void)mpfr_abs(value, value, MPFR_RNDN);
}

bool spec_expect_float(const spec_question *q, spec_result *result)
{
    uint32_t type = spec_class(q);
    visage_op op = q->c->row->op;
    mpfr_t in[3], out;
    spec_rounding rounding = is_math(op) ? SPEC_RNE : q->mode->rounding;
    bool known;

    if (type == VISAGE_TYPE_UD || q->num_sources > 3)
        return false;
    mpfr_init2(out, SPEC_PRECISION);
    for (uint32_t i = 0; i < 3; i++) {
        mpfr_init2(in[i], SPEC_PRECISION);
        if (i < q->num_sources)
            spec_source_number(q, i, in[i]);
    }
    if (is_math(op)) {
        result->ulps = 1;
        alternate(q, in[0]);
    }
    known = inexact_function(op, out, in[0], in[1]) || exact(q, out, in, result);
    /* Halves are computed in F and rounded once more, in the mode. */
    if (is_math(op) && type == VISAGE_TYPE_HF)
        type = VISAGE_TYPE_F;
    if (known && !mpfr_zero_p(out))
        result->inexact |= 1u << q->channel;
    if (known)
        spec_finish(q, type, out, rounding, result);
    for (uint32_t i = 0; i < 3; i++)
        mpfr_clear(in[i]);
    mpfr_clear(out);
    return known;
}
