/* SPDX-License-Identifier: MIT */

/* SIN and COS: reduction to x = n pi/2 + r with |r| <= pi/4, then a polynomial in double. On
 * the method see math.c.
 */
#include "exec/math.h"

#include <math.h>
#include <stdint.h>

#include "exec/math_bits.h"

/* pi/2 = PIO2_HI + PIO2_LO + less than 2^-108. */
#define PIO2_HI     0x1.921fb54442d18p+0
#define PIO2_LO     0x1.1a62633145c07p-54
#define TWO_OVER_PI 0x1.45f306dc9c883p-1

/* Up to here two parts of pi/2 are enough. */
#define LARGE 0x1p40f

/* The first 224 bits of 2/pi after the binary point, most significant word first. */
static const uint32_t two_over_pi[7] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                        0xdb629599, 0x3c439041, 0xfe5163ab};

struct angle {
    double r;          /* |r| <= pi/4, a little more after rounding */
    uint32_t quadrant; /* n; only its low two bits count */
};

/* |x| < 2^40. n PIO2_HI is a whole multiple of 2^-52, and so is x unless n = 0; their
 * difference is below 1, so it has at most 53 bits and the first fma is exact. The second
 * leaves an absolute error of n 2^-108 < 2^-67 and its own rounding, while no float but 0 comes
 * nearer than 2^-30 to a multiple of pi/2.
 */
static struct angle reduce(double x)
{
    double whole = fma(x, TWO_OVER_PI, VSG_EXE_ROUND_TO_WHOLE);
    double n = whole - VSG_EXE_ROUND_TO_WHOLE;
    struct angle angle;

    angle.quadrant = (uint32_t)vsg_exe_double_bits(whole);
    angle.r = fma(-n, PIO2_LO, fma(-n, PIO2_HI, x));
    return angle;
}

/* 32 bits of 2/pi from bit `offset` on, 0 being the first after the point. */
static uint32_t window(uint32_t offset)
{
    uint32_t word = offset >> 5;
    uint64_t pair = (uint64_t)two_over_pi[word] << 32 | two_over_pi[word + 1];

    return (uint32_t)(pair >> (32 - (offset & 31)));
}

/* |x| >= 2^40, by Payne and Hanek's method: x = m 2^e, and x 2/pi is wanted modulo 4 only, so
 * the bits of 2/pi of weight 2^(2-e) and more are skipped. 96 bits behind them are enough: what
 * is cut off is worth less than 2^-70 of a quadrant. Infinity (e = 105) stays inside the table
 * and gives nonsense that the caller replaces.
 */
static struct angle reduce_large(float x)
{
    uint32_t bits = vsg_exe_float_bits(x);
    uint32_t offset = ((bits >> 23) & 0xff) - 152; /* e - 2 */
    uint64_t m = (bits & 0x7fffff) | 0x800000;

    uint64_t low = m * window(offset + 64);
    uint64_t middle = m * window(offset + 32) + (low >> 32);
    uint64_t high = m * window(offset) + (middle >> 32);
    uint64_t turns = high << 32 | (middle & 0xffffffff); /* of a full turn, times 2^64 */

    uint64_t n = (turns + ((uint64_t)1 << 61)) >> 62;
    int64_t rest = (int64_t)(turns - (n << 62));
    double quadrants = fma((double)(uint32_t)low, 0x1p-94, (double)rest * 0x1p-62);
    struct angle angle;

    angle.r = quadrants * PIO2_HI;
    angle.quadrant = (uint32_t)n;
    if (bits >> 31) {
        angle.r = -angle.r;
        angle.quadrant = 0 - angle.quadrant;
    }
    return angle;
}

/* sin(r + quadrant pi/2), rounded. */
static float sine(struct angle angle)
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

static float sine_of(float x, uint32_t quarter_turns)
{
    const float inf = vsg_exe_bits_float(VSG_EXE_FLOAT_INF);
    struct angle angle = fabsf(x) >= LARGE ? reduce_large(x) : reduce((double)x);

    angle.quadrant += quarter_turns;
    float value = sine(angle);
    value = fabsf(x) == inf ? vsg_exe_bits_float(VSG_EXE_FLOAT_INVALID) : value;
    return x != x ? vsg_exe_quiet_nan(x) : value;
}

float vsg_exe_math_sin(float x)
{
    return sine_of(x, 0);
}

float vsg_exe_math_cos(float x)
{
    return sine_of(x, 1);
}
