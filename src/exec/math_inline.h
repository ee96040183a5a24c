/* SPDX-License-Identifier: MIT
 *
 * EXP LOG POW INV SQRT RSQRT SIN COS on single numbers, for the loops of the quick handlers;
 * math.c makes the functions of math.h of them, which says what they promise. Their steps are
 * in math_steps.h. */
#ifndef VISAGE_EXEC_MATH_INLINE_H
#define VISAGE_EXEC_MATH_INLINE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "exec/math_bits.h"

/* pi/2 in three floats, and 2^-76 is left. */
#define VSG_EXE_FLOAT_PIO2_HIGH   0x1.921fb6p+0f
#define VSG_EXE_FLOAT_PIO2_MIDDLE -0x1.777a5cp-25f
#define VSG_EXE_FLOAT_PIO2_LOW    -0x1.ee59dap-50f
#define VSG_EXE_FLOAT_TWO_OVER_PI 0x1.45f306p-1f

/* Angles from here on are math_trig.c's. */
#define VSG_EXE_LARGE_ANGLE 0x1p18f

/* x 2^n of n + VSG_EXE_ROUND_FLOAT, -152 <= n <= 129, in two steps, the first of which is
 * exact. */
static inline float vsg_exe_scale(float x, float sum)
{
    uint32_t above =
        vsg_exe_float_bits(sum) - vsg_exe_float_bits(VSG_EXE_ROUND_FLOAT) + VSG_EXE_SCALE_LEAST;
    uint32_t lower = above >> 1, upper = above - lower,
             bias = VSG_EXE_FLOAT_BIAS - VSG_EXE_SCALE_LEAST / 2;

    return x * vsg_exe_bits_float((lower + bias) << VSG_EXE_FLOAT_FRACTION) *
           vsg_exe_bits_float((upper + bias) << VSG_EXE_FLOAT_FRACTION);
}

#define FUNCTION(type, name, ...) static inline type vsg_exe_##name(__VA_ARGS__)
#define CALL(name, ...)           vsg_exe_##name(__VA_ARGS__)
#define D                         double
#define F                         float
#define W                         uint64_t
#define U                         uint32_t
#define B                         bool
#define DK(x)                     (x)
#define FK(x)                     (x)
#define WK(x)                     ((uint64_t)(x))
#define UK(x)                     ((uint32_t)(x))
#define ADD(a, b)                 ((a) + (b))
#define SUB(a, b)                 ((a) - (b))
#define MUL(a, b)                 ((a) * (b))
#define DIV(a, b)                 ((a) / (b))
#define FMA(a, b, c)              _Generic((a), float : fmaf, default : fma)(a, b, c)
#define NEG(a)                    (-(a))
#define ABS(a)                    fabsf(a)
#define TO_D(a)                   ((double)(a))
#define TO_F(a)                   ((float)(a))
#define BITS(a)                   vsg_exe_double_bits(a)
#define NUMBER(a)                 vsg_exe_bits_double(a)
#define BITS_OF(a)                vsg_exe_float_bits(a)
#define FLOAT_OF(a)               vsg_exe_bits_float(a)
#define WADD(a, b)                ((a) + (b))
#define WSUB(a, b)                ((a) - (b))
#define WAND(a, b)                ((a) & (b))
#define WXOR(a, b)                ((a) ^ (b))
#define WSHL(a, by)               ((a) << (by))
#define WSHR(a, by)               ((a) >> (by))
#define USHL(a, by)               ((a) << (by))
#define FROM_SMALL(a)             ((double)(int32_t)(a))
#define SCALE(x, sum)             vsg_exe_scale(x, sum)
#define SIGN_OF(a)                ((uint64_t)(vsg_exe_float_bits(a) >> 31) << 63)
#define WITH_SIGN(a, sign)        vsg_exe_bits_float(vsg_exe_float_bits(a) ^ (uint32_t)((sign) >> 32))
#define QUIET(a)                  vsg_exe_quiet_nan(a)
#define INVALID                   vsg_exe_bits_float(VSG_EXE_FLOAT_INVALID)
#define LT(a, b)                  ((a) < (b))
#define GT(a, b)                  ((a) > (b))
#define EQ(a, b)                  ((a) == (b))
#define NE(a, b)                  ((a) != (b))
#define WEQ(a, b)                 ((a) == (b))
#define AND(a, b)                 ((a) && (b))
#define OR(a, b)                  ((a) || (b))
#define NOT(a)                    (!(a))
#define IF(b, x, y)               ((b) ? (x) : (y))
#include "exec/math_steps.h"
#undef FUNCTION
#undef CALL
#undef D
#undef F
#undef W
#undef U
#undef B
#undef DK
#undef FK
#undef WK
#undef UK
#undef ADD
#undef SUB
#undef MUL
#undef DIV
#undef FMA
#undef NEG
#undef ABS
#undef TO_D
#undef TO_F
#undef BITS
#undef NUMBER
#undef BITS_OF
#undef FLOAT_OF
#undef WADD
#undef WSUB
#undef WAND
#undef WXOR
#undef WSHL
#undef WSHR
#undef USHL
#undef FROM_SMALL
#undef SCALE
#undef SIGN_OF
#undef WITH_SIGN
#undef QUIET
#undef INVALID
#undef LT
#undef GT
#undef EQ
#undef NE
#undef WEQ
#undef AND
#undef OR
#undef NOT
#undef IF

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
    float y = 1.0f / sqrtf(x);
    float refined = vsg_exe_refine_rsqrt(x, y);

    return refined != refined ? y : refined;
}

static inline double vsg_exe_inline_rsqrt_f64(double x)
{
    return 1.0 / sqrt(x);
}

#endif
