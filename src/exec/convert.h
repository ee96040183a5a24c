/* SPDX-License-Identifier: MIT
 *
 * Single numbers from one type to another, where C's own conversion would round twice, or is
 * not defined outside the target's range. Source: 2_datatypes, Type Conversion. */
#ifndef VISAGE_EXEC_CONVERT_H
#define VISAGE_EXEC_CONVERT_H

#include "exec/math_bits.h"
#include "exec/operand.h"

/* An integer of up to 65 bits as a double that may be rounded once more: bits that do not fit
 * leave a sticky one in the last place (rounding to odd), so the second rounding, to F, HF or
 * BF, is the only one. Exact below 2^53. */
double vsg_exe_wide_to_odd(vsg_exe_int128 value);

/* Rounded once, in the host's mode; denormals cannot arise. */
float vsg_exe_wide_to_float(vsg_exe_int128 value);
double vsg_exe_wide_to_double(vsg_exe_int128 value);

/* Is the type one of the integers, and which are its limits? */
static inline bool vsg_exe_is_integer(visage_type type)
{
    const uint32_t integers = 1u << VISAGE_TYPE_UD | 1u << VISAGE_TYPE_D |
                              1u << VISAGE_TYPE_UW | 1u << VISAGE_TYPE_W |
                              1u << VISAGE_TYPE_UB | 1u << VISAGE_TYPE_B |
                              1u << VISAGE_TYPE_UQ | 1u << VISAGE_TYPE_Q;
    return integers >> type & 1;
}

vsg_exe_int128 vsg_exe_least(visage_type type);
vsg_exe_int128 vsg_exe_greatest(visage_type type);

/* vsg_exe_half_to_float() without a branch, whatever the host's mode: a denormal is a small
 * whole number times 2^-24, and exact. */
static inline float vsg_exe_widen_half(uint16_t half)
{
    uint32_t rest = half & 0x7fffu;
    uint32_t normal = (rest << 13) + (112u << 23); /* 127 - 15 */
    uint32_t quiet = rest > 0x7c00 ? VSG_EXE_FLOAT_QUIET : 0;
    uint32_t special = VSG_EXE_FLOAT_INF | rest << 13 | quiet;
    uint32_t denormal = vsg_exe_float_bits((float)(int32_t)rest * 0x1p-24f);
    uint32_t bits = rest >= 0x7c00 ? special : rest < 0x0400 ? denormal : normal;

    return vsg_exe_bits_float(bits | (half & 0x8000u) << 16);
}

/* vsg_exe_float_to_half(), quick for what mostly comes: to nearest, zeros and normal halves. */
static inline uint16_t vsg_exe_narrow_half(float x, vsg_exe_rounding mode)
{
    uint32_t bits = vsg_exe_float_bits(x);
    uint32_t sign = bits >> 16 & 0x8000;
    uint32_t magnitude = bits & 0x7fffffff;
    uint32_t rest = magnitude - (112u << 23);

    if (magnitude == 0)
        return (uint16_t)sign;
    if (mode != VSG_EXE_RNE || rest - 0x00800000 >= 0x0f000000) /* exponents 1 to 30 */
        return vsg_exe_float_to_half(x, mode);
    return (uint16_t)(sign | (rest + 0xfff + (rest >> 13 & 1)) >> 13);
}

/* Saturation of floats (2_datatypes): to [0, 1], NaN and -0 to 0. */
static inline float vsg_exe_saturate_float(float x)
{
    return x > 1.0f ? 1.0f : x > 0.0f ? x : 0.0f;
}

static inline double vsg_exe_saturate_double(double x)
{
    return x > 1.0 ? 1.0 : x > 0.0 ? x : 0.0;
}

static inline uint16_t vsg_exe_saturate_half(uint16_t x)
{
    /* Halves above zero are ordered as integers; infinity is 0x7c00, and NaNs are beyond it. */
    if (x > 0x7c00)
        return 0;
    return x > 0x3c00 ? 0x3c00 : x;
}

#endif
