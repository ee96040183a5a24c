/* SPDX-License-Identifier: MIT */

/* The bits of a floating-point number and back, for the numerics of this folder (math*.c,
 * float16.c). memcpy is the one way that C defines and that compilers turn into a register
 * move.
 */
#ifndef VISAGE_EXEC_MATH_BITS_H
#define VISAGE_EXEC_MATH_BITS_H

#include <stdint.h>
#include <string.h>

#define VSG_EXE_FLOAT_INF     0x7f800000u
#define VSG_EXE_FLOAT_QUIET   0x00400000u /* set in quiet NaNs */
#define VSG_EXE_FLOAT_INVALID 0xffc00000u /* what x86 answers where there is no value */

/* Adding it to a double |z| < 2^51 rounds z to a whole number, whose low bits then are the low
 * bits of the sum; subtracting it again leaves the whole number.
 */
#define VSG_EXE_ROUND_TO_WHOLE 0x1.8p52

/* The same of a float |z| < 2^22. */
#define VSG_EXE_ROUND_FLOAT 0x1.8p23f

/* Of SCALE (math_steps.h): the least power of two is -LEAST; of a float's bits. */
enum { VSG_EXE_SCALE_LEAST = 152, VSG_EXE_FLOAT_BIAS = 127, VSG_EXE_FLOAT_FRACTION = 23 };

static inline uint32_t vsg_exe_float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float vsg_exe_bits_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t vsg_exe_double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double vsg_exe_bits_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline float vsg_exe_quiet_nan(float nan)
{
    return vsg_exe_bits_float(vsg_exe_float_bits(nan) | VSG_EXE_FLOAT_QUIET);
}

#endif
