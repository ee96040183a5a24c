/* SPDX-License-Identifier: MIT */
#include "exec/math.h"

#include "exec/math_inline.h"

float vsg_exe_math_exp2(float x)
{
    return vsg_exe_inline_exp2(x);
}

float vsg_exe_math_log2(float x)
{
    return vsg_exe_inline_log2(x);
}

float vsg_exe_math_pow(float x, float y)
{
    return vsg_exe_inline_pow(x, y);
}

float vsg_exe_math_inv(float x)
{
    return vsg_exe_inline_inv(x);
}

float vsg_exe_math_sqrt(float x)
{
    return vsg_exe_inline_sqrt(x);
}

double vsg_exe_math_inv_f64(double x)
{
    return vsg_exe_inline_inv_f64(x);
}

double vsg_exe_math_sqrt_f64(double x)
{
    return vsg_exe_inline_sqrt_f64(x);
}

float vsg_exe_math_rsqrt(float x)
{
    return vsg_exe_inline_rsqrt(x);
}

float vsg_exe_math_rsqrt_narrow(float x)
{
    return vsg_exe_inline_rsqrt_narrow(x);
}

double vsg_exe_math_rsqrt_f64(double x)
{
    return vsg_exe_inline_rsqrt_f64(x);
}
