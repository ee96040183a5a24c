/* SPDX-License-Identifier: MIT */
/* Single-precision functions that are not exact. Row k of `o` has function k of the tables in
 * compare_math.c, which work out the values and state the errors allowed. */

#pragma OPENCL FP_CONTRACT OFF /* arguments are rounded as on the host */

#define ROW(k, value) o[(k) * n + i] = (value)

kernel void math_one(global const float *a, global float *o, uint n)
{
    uint i = get_global_id(0);
    float x = a[i];           /* 0.01 to 20 */
    float u = x * 0.1f - 1.0f; /* -1 to 1 */

    ROW(0, exp(u * 20.0f));
    ROW(1, exp2(u * 30.0f));
    ROW(2, exp10(u * 8.0f));
    ROW(3, expm1(u));
    ROW(4, log(x));
    ROW(5, log2(x));
    ROW(6, log10(x));
    ROW(7, log1p(u));
    ROW(8, sqrt(x));
    ROW(9, rsqrt(x));
    ROW(10, cbrt(u));
    ROW(11, 1.0f / x);
    ROW(12, sinh(u * 5.0f));
    ROW(13, cosh(u * 5.0f));
    ROW(14, tanh(u * 3.0f));
    ROW(15, asinh(u * 9.0f));
    ROW(16, acosh(x + 1.0f));
    ROW(17, atanh(u * 0.99f));
}

kernel void math_special(global const float *a, global float *o, uint n)
{
    uint i = get_global_id(0);
    float x = a[i];           /* 0.01 to 20 */
    float u = x * 0.1f - 1.0f; /* -1 to 1 */

    ROW(0, erf(u * 3.0f));
    ROW(1, erfc(u * 3.0f));
    ROW(2, tgamma(x * 0.5f));
    ROW(3, lgamma(x));
}

kernel void math_angle(global const float *a, global float *o, uint n)
{
    uint i = get_global_id(0);
    float x = a[i]; /* -100 to 100 */
    float u = x * 0.01f;
    float c;

    ROW(0, sin(x));
    ROW(1, cos(x));
    ROW(2, tan(x));
    ROW(3, sinpi(x));
    ROW(4, cospi(x));
    ROW(5, tanpi(x));
    ROW(6, asin(u));
    ROW(7, acos(u));
    ROW(8, atan(x));
    ROW(9, asinpi(u));
    ROW(10, acospi(u));
    ROW(11, atanpi(x));
    ROW(12, sincos(x * 7.0f, &c));
    ROW(13, c);
    ROW(14, sin(x * 1e6f));
    ROW(15, cos(x * 1e30f));
}

kernel void math_two(global const float *a, global const float *b, global float *o, uint n)
{
    uint i = get_global_id(0);
    float x = a[i]; /* 0.01 to 20 */
    float y = b[i]; /* -5 to 5 */

    ROW(0, pow(x, y));
    ROW(1, powr(x, y));
    ROW(2, pown(y, (int)x));
    ROW(3, rootn(x, (int)y | 1));
    ROW(4, hypot(x, y));
    ROW(5, atan2(y, x));
    ROW(6, atan2(y, -x));
    ROW(7, atan2pi(y, x));
    ROW(8, y / x);
    ROW(9, x / y);
    ROW(10, radians(y));
    ROW(11, degrees(y));
    ROW(12, pow(-x, (float)(int)y));
    ROW(13, half_divide(y, x));
    ROW(14, half_powr(x, y));
    ROW(15, native_divide(y, x));
    ROW(16, native_powr(x, y));
}

kernel void math_loose(global const float *a, global float *o, uint n)
{
    uint i = get_global_id(0);
    float x = a[i];            /* 0.01 to 20 */
    float u = x * 0.1f - 1.0f; /* -1 to 1 */

    ROW(0, native_exp(u * 20.0f));
    ROW(1, native_exp2(u * 30.0f));
    ROW(2, native_exp10(u * 8.0f));
    ROW(3, native_log(x));
    ROW(4, native_log2(x));
    ROW(5, native_log10(x));
    ROW(6, native_sqrt(x));
    ROW(7, native_rsqrt(x));
    ROW(8, native_recip(x));
    ROW(9, native_sin(u * 3.0f));
    ROW(10, native_cos(u * 3.0f));
    ROW(11, native_tan(u));
    ROW(12, half_exp(u * 20.0f));
    ROW(13, half_exp2(u * 30.0f));
    ROW(14, half_exp10(u * 8.0f));
    ROW(15, half_log(x));
    ROW(16, half_log2(x));
    ROW(17, half_log10(x));
    ROW(18, half_sqrt(x));
    ROW(19, half_rsqrt(x));
    ROW(20, half_recip(x));
    ROW(21, half_sin(u * 3.0f));
    ROW(22, half_cos(u * 3.0f));
    ROW(23, half_tan(u));
}

kernel void math_geometry(global const float *a, global const float *b, global float *o, uint n)
{
    uint i = get_global_id(0);
    float4 x = vload4(i, a), y = vload4(i, b); /* 0.5 to 4: nothing cancels in a sum */
    float3 c = cross(x.xyz, (float3)(y.x, -y.y, y.z));

    ROW(0, dot(x, y));
    ROW(1, length(x));
    ROW(2, distance(x, -y));
    ROW(3, normalize(x).y);
    ROW(4, fast_length(x.xyz));
    ROW(5, fast_distance(x.xy, -y.xy));
    ROW(6, fast_normalize(x).z);
    ROW(7, c.x);
    ROW(8, mix(x.x, y.x, 0.25f));
    ROW(9, smoothstep(0.5f, 4.0f, x.x));
    ROW(10, mad(x.x, y.x, x.y));
}
