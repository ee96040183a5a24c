/* SPDX-License-Identifier: MIT */

/* SIN and COS of angles that are too large for the steps in floats of math_steps.h: reduction
 * to x = n pi/2 + r with |r| <= pi/4, then a polynomial, in double.
 */
#include "exec/math.h"

#include "exec/math_inline.h"

/* pi/2 = pio2_hi + pio2_lo + less than 2^-108. */
static const double pio2_hi = 0x1.921fb54442d18p+0, pio2_lo = 0x1.1a62633145c07p-54;
static const double two_over_pi = 0x1.45f306dc9c883p-1;

/* Up to here two parts of pi/2 are enough. */
static const float huge_angle = 0x1p40f;

/* The first 224 bits of 2/pi after the binary point, most significant word first. */
static const uint32_t two_over_pi_bits[7] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                             0xdb629599, 0x3c439041, 0xfe5163ab};

/* 32 bits of 2/pi from bit `offset` on, 0 being the first after the point. */
static uint32_t window(uint32_t offset)
{
    uint32_t word = offset >> 5;
    uint64_t pair = (uint64_t)two_over_pi_bits[word] << 32 | two_over_pi_bits[word + 1];

    return (uint32_t)(pair >> (32 - (offset & 31)));
}

/* |x| < 2^40: n pio2_hi is a whole multiple of 2^-52, and so is x; their difference is below 1,
 * so it has at most 53 bits and the first fma is exact. The second leaves an absolute error of
 * n 2^-108 < 2^-67 and its own rounding, while no float but 0 comes nearer than 2^-30 to a
 * multiple of pi/2. The angle is r plus so many quadrants, of which the low two bits count.
 */
static double reduce(float x, uint64_t *quadrant)
{
    double sum = fma(x, two_over_pi, VSG_EXE_ROUND_TO_WHOLE);
    double n = sum - VSG_EXE_ROUND_TO_WHOLE;

    *quadrant = vsg_exe_double_bits(sum);
    return fma(-n, pio2_lo, fma(-n, pio2_hi, x));
}

/* |x| >= 2^40, by Payne and Hanek's method: x = m 2^e, and x 2/pi is wanted modulo 4 only, so
 * the bits of 2/pi of weight 2^(2-e) and more are skipped. 96 bits behind them are enough: what
 * is cut off is worth less than 2^-70 of a quadrant. Infinity (e = 105) stays inside the table
 * and gives nonsense that the caller replaces. The angle is r plus so many quadrants.
 */
static double reduce_huge(float x, uint64_t *quadrant)
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
    double r = quadrants * pio2_hi;

    *quadrant = bits >> 31 ? 0 - n : n;
    return bits >> 31 ? -r : r;
}

/* sin(r + n pi/2), rounded; |r| <= pi/4, a little more after rounding. Of n only the low two
 * bits count.
 */
static float sine_of_rest(double r, uint64_t n)
{
    double u = r * r;

    if (n & 1) {
        /* cos(r) on |r| <= 0.7857; relative error 2^-33.9. */
        double c = 0x1.99153b9f1c971p-16;
        c = fma(c, u, -0x1.6c07eb83aa02ep-10);
        c = fma(c, u, 0x1.55553c69b9c21p-5);
        c = fma(c, u, -0x1.ffffffcb58fe2p-2);
        c = fma(c, u, 1.0);
        return (float)(n & 2 ? -c : c);
    }
    /* sin(r)/r; relative error 2^-37.5. */
    double s = 0x1.6cd0f2b571907p-19;
    s = fma(s, u, -0x1.a00f7afb0abfap-13);
    s = fma(s, u, 0x1.1111086535c0ap-7);
    s = fma(s, u, -0x1.5555554c6abd3p-3);
    s = r * fma(s, u, 1.0);
    return (float)(n & 2 ? -s : s);
}

static float sine_of_large(float x, uint32_t quarter_turns)
{
    const float inf = vsg_exe_bits_float(VSG_EXE_FLOAT_INF);
    uint64_t quadrant;
    double r = fabsf(x) < huge_angle ? reduce(x, &quadrant) : reduce_huge(x, &quadrant);
    float value = sine_of_rest(r, quadrant + quarter_turns);

    value = fabsf(x) == inf ? vsg_exe_bits_float(VSG_EXE_FLOAT_INVALID) : value;
    return x != x ? vsg_exe_quiet_nan(x) : value;
}

static float sine_of(float x, uint32_t quarter_turns)
{
    return fabsf(x) < VSG_EXE_LARGE_ANGLE ? vsg_exe_inline_sine(x, quarter_turns)
                                          : sine_of_large(x, quarter_turns);
}

float vsg_exe_math_sin(float x)
{
    return sine_of(x, 0);
}

float vsg_exe_math_cos(float x)
{
    return sine_of(x, 1);
}
