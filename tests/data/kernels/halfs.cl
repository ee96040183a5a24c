/* SPDX-License-Identifier: MIT */
/* Half precision as a type of its own. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

kernel void h_arith(global const half *a, global const half *b, global half *o, global int *p)
{
    uint i = get_global_id(0);
    half x = a[i], y = b[i];
    global half *r = o + 16 * i;
    global int *t = p + 8 * i;

    r[0] = x + y;
    r[1] = x - y;
    r[2] = x * y;
    r[3] = fma(x, y, (half)0.5h);
    r[4] = fmin(x, y);
    r[5] = fmax(x, y);
    r[6] = floor(x);
    r[7] = rint(x);
    r[8] = fabs(x) - y;
    r[9] = x < y ? x : -y;
    r[10] = (half)(int)x;
    r[11] = (half)((float)x * 1.25f);
    r[12] = trunc(x) + ceil(y);
    r[13] = copysign(x, y);
    r[14] = clamp(x, (half)-2.0h, (half)2.0h);
    r[15] = as_half((ushort)(as_ushort(x) ^ 0x8000));
    t[0] = x < y;
    t[1] = x == y;
    t[2] = (int)(x * 3.0h);
    t[3] = convert_int_rte(x) + convert_uchar_sat(y);
    t[4] = isnan(x) + 2 * isinf(y);
    t[5] = any((half2)(x, y) > (half2)(1.0h, -1.0h));
    t[6] = (short)y;
    t[7] = x >= y || x != x;
}

kernel void h_vectors(global const half4 *a, global half4 *o, global float4 *f, half scale)
{
    uint i = get_global_id(0);
    half4 x = a[i];
    half4 y = x.wzyx * scale + (half4)(0.5h, 1.0h, 2.0h, -3.0h);

    o[2 * i] = y;
    o[2 * i + 1] = select(x, y, x < y);
    f[i] = convert_float4(x) * convert_float4(y);
}

kernel void h_math(global const half *a, global half *o, uint n)
{
    uint i = get_global_id(0);
    half x = a[i]; /* an eighth to 8 */

    o[i] = sqrt(x);
    o[n + i] = 1.0h / x;
    o[2 * n + i] = exp2(x);
    o[3 * n + i] = log2(x);
    o[4 * n + i] = x / 3.0h;
    o[5 * n + i] = rsqrt(x);
    o[6 * n + i] = sin(x);
    o[7 * n + i] = pow(x, 1.5h);
}
