/* SPDX-License-Identifier: MIT */

/* SIN and COS: reduction to x = n pi/2 + r with |r| <= pi/4, then a polynomial in double. On
 * the method see math_steps.h, which has all but the reduction of large angles.
 */
#include "exec/math.h"

#include "exec/math_inline.h"

/* The first 224 bits of 2/pi after the binary point, most significant word first. */
static const uint32_t two_over_pi[7] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                        0xdb629599, 0x3c439041, 0xfe5163ab};

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
 * and gives nonsense that the caller replaces. The angle is r plus so many quadrants.
 */
static double reduce_large(float x, uint64_t *quadrant)
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
    double r = quadrants * VSG_EXE_PIO2_HI;

    *quadrant = bits >> 31 ? 0 - n : n;
    return bits >> 31 ? -r : r;
}

static float sine_of(float x, uint32_t quarter_turns)
{
    const float inf = vsg_exe_bits_float(VSG_EXE_FLOAT_INF);
    uint64_t quadrant;

    if (fabsf(x) < VSG_EXE_LARGE_ANGLE)
        return vsg_exe_inline_sine(x, quarter_turns);
    double r = reduce_large(x, &quadrant);
    float value = vsg_exe_sine(r, quadrant + quarter_turns);
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
