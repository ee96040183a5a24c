/* SPDX-License-Identifier: MIT
 *
 * EXP LOG POW INV SQRT RSQRT SIN COS on single numbers, for the loops of the quick handlers;
 * math.c makes the functions of math.h of them, which says what they promise. Elementary
 * functions are evaluated in double, whose 29 spare bits make simple methods good to a hair
 * above half an ULP of float, and as straight-line code with selects, which vectorises.
 *
 * The polynomials are minimax, by the Remez exchange at 200 bits; the error beside each is the
 * maximum over its interval before the coefficients were rounded to double. */
#ifndef VISAGE_EXEC_MATH_INLINE_H
#define VISAGE_EXEC_MATH_INLINE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "exec/math_bits.h"

/* 2^z for -1000 < z < 1000, relative error below 2^-34. */
static inline double vsg_exe_exp2_core(double z)
{
    double whole = z + VSG_EXE_ROUND_TO_WHOLE;
    double r = z - (whole - VSG_EXE_ROUND_TO_WHOLE);

    /* (2^r - 1) / r on [-1/2, 1/2]; the power has a relative error of 2^-34.3, and 2^0 is 1. */
    double q = 0x1.fde5d46b4712fp-17;
    q = fma(q, r, 0x1.445c83713fb87p-13);
    q = fma(q, r, 0x1.5d8a861f17e6ap-10);
    q = fma(q, r, 0x1.3b29f39e3558fp-7);
    q = fma(q, r, 0x1.c6b08ac0539a3p-5);
    q = fma(q, r, 0x1.ebfbe07785e91p-3);
    q = fma(q, r, 0x1.62e42ff0e1975p-1);

    /* The shift drops the bits of VSG_EXE_ROUND_TO_WHOLE itself. */
    uint64_t scale = (vsg_exe_double_bits(whole) + 1023) << 52;
    return fma(q, r, 1.0) * vsg_exe_bits_double(scale);
}

/* 2^z rounded to float. Beyond the limits the float is zero or infinite in any case. */
static inline float vsg_exe_exp2_to_float(double z)
{
    z = z > 129.0 ? 129.0 : z;
    z = z < -151.0 ? -151.0 : z;
    return (float)vsg_exe_exp2_core(z);
}

/* log2(x) for normal x > 0, relative error below 2^-44; harmless nonsense for other x. */
static inline double vsg_exe_log2_core(double x)
{
    /* x = 2^k m with m in [sqrt(1/2), sqrt(2)): around 1, k is 0 and nothing cancels. */
    const uint64_t one = 0x3ff0000000000000;
    const uint64_t sqrt_half = 0x3fe6a09e667f3bcd;
    uint64_t bits = vsg_exe_double_bits(x);
    uint64_t biased_k = (bits + (one - sqrt_half)) >> 52;
    double m = vsg_exe_bits_double(bits - (biased_k << 52) + one);
    double k = (double)(int32_t)(biased_k & 0x7ff) - 1023.0;

    /* log2(m) = 2/ln 2 * atanh(s) = s Q(s^2), relative error 2^-45.1. m - 1 is exact. */
    double s = (m - 1.0) / (m + 1.0);
    double u = s * s;
    double q = 0x1.21b0ea97e634ap-2;
    q = fma(q, u, 0x1.47955635813fbp-2);
    q = fma(q, u, 0x1.a61a2ec9b1b2bp-2);
    q = fma(q, u, 0x1.2776c2933ecdcp-1);
    q = fma(q, u, 0x1.ec709dc53c66bp-1);
    q = fma(q, u, 0x1.71547652b8251p+1);
    return fma(s, q, k);
}

static inline float vsg_exe_inline_exp2(float x)
{
    float power = vsg_exe_exp2_to_float((double)x);
    return x != x ? vsg_exe_quiet_nan(x) : power;
}

static inline float vsg_exe_inline_log2(float x)
{
    const float inf = vsg_exe_bits_float(VSG_EXE_FLOAT_INF);
    float value = (float)vsg_exe_log2_core((double)x);

    value = x == inf ? inf : value;
    value = x == 0.0f ? -inf : value;
    value = x < 0.0f ? vsg_exe_bits_float(VSG_EXE_FLOAT_INVALID) : value;
    return x != x ? vsg_exe_quiet_nan(x) : value;
}

/* What a negative base needs to know of the exponent. */
struct vsg_exe_whole {
    bool is_whole;
    bool is_odd;
};

static inline struct vsg_exe_whole vsg_exe_classify(float y)
{
    /* From 2^24 on every float, infinity included, is an even whole number. */
    double sum = (double)y + VSG_EXE_ROUND_TO_WHOLE;
    bool is_small = fabsf(y) < 0x1p24f;
    bool is_equal = sum - VSG_EXE_ROUND_TO_WHOLE == (double)y;
    struct vsg_exe_whole whole;

    whole.is_whole = is_equal || !is_small;
    whole.is_odd = is_equal && is_small && (vsg_exe_double_bits(sum) & 1);
    return whole;
}

static inline float vsg_exe_inline_pow(float x, float y)
{
    const float inf = vsg_exe_bits_float(VSG_EXE_FLOAT_INF);
    float magnitude = fabsf(x);
    struct vsg_exe_whole exponent = vsg_exe_classify(y);

    /* Infinite logarithms of zero and infinity give what IEEE pow wants, save that 0 * inf must
     * not arise: |x| = 1 has the power 1 for every y, and y = 0 is settled at the end.
     */
    double log = vsg_exe_log2_core((double)magnitude);
    log = magnitude == 0.0f ? (double)-inf : log;
    log = magnitude == inf ? (double)inf : log;
    double z = magnitude == 1.0f ? 0.0 : (double)y * log;
    float value = vsg_exe_exp2_to_float(z);

    bool is_negative = vsg_exe_float_bits(x) >> 31;
    uint32_t sign = (uint32_t)(is_negative && exponent.is_odd) << 31;
    value = vsg_exe_bits_float(vsg_exe_float_bits(value) ^ sign);

    /* -0 and -inf have a power for every exponent. */
    bool is_invalid = is_negative && !exponent.is_whole && magnitude > 0.0f && magnitude < inf;
    value = is_invalid ? vsg_exe_bits_float(VSG_EXE_FLOAT_INVALID) : value;
    value = y != y ? vsg_exe_quiet_nan(y) : value;
    value = x != x ? vsg_exe_quiet_nan(x) : value;
    return x == 1.0f || y == 0.0f ? 1.0f : value;
}

static inline float vsg_exe_inline_inv(float x)
{
    return 1.0f / x;
}

static inline float vsg_exe_inline_sqrt(float x)
{
    return sqrtf(x);
}

static inline double vsg_exe_inline_inv_f64(double x)
{
    return 1.0 / x;
}

static inline double vsg_exe_inline_sqrt_f64(double x)
{
    return sqrt(x);
}

static inline float vsg_exe_inline_rsqrt(float x)
{
    /* The two roundings in double never carry the value across a rounding boundary of float:
     * checked in exact arithmetic for all significands and both parities of the exponent by
     * tests/unit/test_math.c.
     */
    return (float)(1.0 / sqrt((double)x));
}

static inline float vsg_exe_inline_rsqrt_narrow(float x)
{
    const float inf = vsg_exe_bits_float(VSG_EXE_FLOAT_INF);
    float y = 1.0f / sqrtf(x);

    /* e = 1 - x y^2 with x y in two parts; then y (1 + e/2 + 3/8 e^2). Without the square one
     * single significand comes out wrong.
     */
    float high = x * y;
    float low = fmaf(x, y, -high);
    float e = fmaf(-low, y, fmaf(-high, y, 1.0f));
    float correction = fmaf(0.375f * e, e, 0.5f * e);
    float refined = fmaf(y, correction, y);

    /* At zeros, infinity, NaN and below zero the first y is the answer and the rest is not. */
    return x > 0.0f && x < inf ? refined : y;
}

static inline double vsg_exe_inline_rsqrt_f64(double x)
{
    return 1.0 / sqrt(x);
}

/* ---- sine and cosine -------------------------------------------------------------------- */

/* pi/2 = VSG_EXE_PIO2_HI + VSG_EXE_PIO2_LO + less than 2^-108. */
#define VSG_EXE_PIO2_HI     0x1.921fb54442d18p+0
#define VSG_EXE_PIO2_LO     0x1.1a62633145c07p-54
#define VSG_EXE_TWO_OVER_PI 0x1.45f306dc9c883p-1

/* Up to here two parts of pi/2 are enough. */
#define VSG_EXE_LARGE_ANGLE 0x1p40f

struct vsg_exe_angle {
    double r;          /* |r| <= pi/4, a little more after rounding */
    uint32_t quadrant; /* n; only its low two bits count */
};

/* |x| < 2^40. n VSG_EXE_PIO2_HI is a whole multiple of 2^-52, and so is x unless n = 0; their
 * difference is below 1, so it has at most 53 bits and the first fma is exact. The second
 * leaves an absolute error of n 2^-108 < 2^-67 and its own rounding, while no float but 0 comes
 * nearer than 2^-30 to a multiple of pi/2.
 */
static inline struct vsg_exe_angle vsg_exe_reduce(double x)
{
    double whole = fma(x, VSG_EXE_TWO_OVER_PI, VSG_EXE_ROUND_TO_WHOLE);
    double n = whole - VSG_EXE_ROUND_TO_WHOLE;
    struct vsg_exe_angle angle;

    angle.quadrant = (uint32_t)vsg_exe_double_bits(whole);
    angle.r = fma(-n, VSG_EXE_PIO2_LO, fma(-n, VSG_EXE_PIO2_HI, x));
    return angle;
}

/* sin(r + quadrant pi/2), rounded. */
static inline float vsg_exe_sine(struct vsg_exe_angle angle)
{
    double r = angle.r;
    double u = r * r;

    /* sin(r)/r and cos(r) on |r| <= 0.7857; relative errors 2^-37.5 and 2^-33.9. */
    double s = 0x1.6cd0f2b571907p-19;
    s = fma(s, u, -0x1.a00f7afb0abfap-13);
    s = fma(s, u, 0x1.1111086535c0ap-7);
    s = fma(s, u, -0x1.5555554c6abd3p-3);
    s = r * fma(s, u, 1.0); /* a product, not a sum, keeps the sign of zero */

    double c = 0x1.99153b9f1c971p-16;
    c = fma(c, u, -0x1.6c07eb83aa02ep-10);
    c = fma(c, u, 0x1.55553c69b9c21p-5);
    c = fma(c, u, -0x1.ffffffcb58fe2p-2);
    c = fma(c, u, 1.0);

    uint64_t bits = vsg_exe_double_bits(angle.quadrant & 1 ? c : s);
    uint64_t sign = (uint64_t)(angle.quadrant & 2) << 62;
    return (float)vsg_exe_bits_double(bits ^ sign);
}

/* Of |x| < VSG_EXE_LARGE_ANGLE; quarter_turns 0 gives the sine, 1 the cosine. */
static inline float vsg_exe_inline_sine(float x, uint32_t quarter_turns)
{
    struct vsg_exe_angle angle = vsg_exe_reduce((double)x);

    angle.quadrant += quarter_turns;
    return vsg_exe_sine(angle);
}

#endif
