/* SPDX-License-Identifier: MIT */
/* Double precision, for devices that have it. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

kernel void d_arith(global const double *a, global const double *b, global double *o)
{
    uint i = get_global_id(0);
    double x = a[i], y = b[i];
    global double *r = o + i * 24;
    int e;
    double whole;

    r[0] = x + y;
    r[1] = x - y;
    r[2] = x * y;
    r[3] = x / y;
    r[4] = fma(x, y, 0.1);
    r[5] = fma(x, x, -y);
    r[6] = sqrt(fabs(x));
    r[7] = floor(x);
    r[8] = ceil(x);
    r[9] = trunc(x);
    r[10] = rint(x);
    r[11] = round(x);
    r[12] = fmin(x, y);
    r[13] = fmax(x, y);
    r[14] = copysign(x, y);
    r[15] = frexp(x, &e);
    r[16] = ldexp(x, e - 3);
    r[17] = modf(x, &whole);
    r[18] = whole;
    r[19] = 1.0 / y;
    r[20] = x * x - y * 0.5 + 7.0;
    r[21] = as_double(as_long(x) ^ as_long(y) & 0x8000000000000000L);
    r[22] = fdim(x, y);
    r[23] = nextafter(x, y);
}

kernel void d_compare(global const double *a, global const double *b, global int *o)
{
    uint i = get_global_id(0);
    double x = a[i], y = b[i];
    global int *r = o + i * 12;

    r[0] = x < y;
    r[1] = x <= y;
    r[2] = x == y;
    r[3] = x != y;
    r[4] = x > y ? 7 : -7;
    r[5] = !(x >= y);
    r[6] = isnan(x) + 2 * isinf(y) + 4 * isfinite(x);
    r[7] = signbit(x) + 2 * isnormal(y);
    r[8] = isordered(x, y) + 2 * islessgreater(x, y);
    r[9] = ilogb(x);
    r[10] = (x && y) + 2 * !x;
    r[11] = fmod(fabs(x), 3.0) < 1.5;
}

/* In range: x below 2^31, y below 100 and positive. */
kernel void d_convert(global const double *a, global const double *b, global const long *q,
                      global long *o, global double *d, global float *f)
{
    uint i = get_global_id(0);
    double x = a[i], y = b[i];
    global long *r = o + i * 16;

    r[0] = (int)x;
    r[1] = convert_int_rte(x);
    r[2] = convert_int_rtp(x);
    r[3] = convert_int_rtn(x);
    r[4] = (uint)fabs(x);
    r[5] = (char)y;
    r[6] = (uchar)y;
    r[7] = (short)y;
    r[8] = (long)(x * 1e6);
    r[9] = (ulong)(fabs(x) * 1e6);
    r[10] = convert_long_rte(x * 0.25);
    r[11] = convert_int_sat(x * 1e5);
    r[12] = convert_uchar_sat_rte(x);
    r[13] = convert_short_sat(x);
    r[14] = convert_uint_sat(x * 10.0);
    r[15] = convert_long_sat(x * 1e15);
    d[8 * i] = (double)(int)q[i];
    d[8 * i + 1] = (double)(uint)q[i];
    d[8 * i + 2] = (double)q[i];
    d[8 * i + 3] = (double)(ulong)q[i];
    d[8 * i + 4] = convert_double_rtz(q[i]);
    d[8 * i + 5] = (double)(short)q[i] + (double)(uchar)q[i];
    d[8 * i + 6] = (double)(float)y;
    d[8 * i + 7] = convert_double_rtp(q[i]);
    f[4 * i] = (float)x;
    f[4 * i + 1] = convert_float_rtz(x);
    f[4 * i + 2] = convert_float_rtp(y * 1e-40);
    f[4 * i + 3] = convert_float_rtn(x * 1e300);
}

#define ROW(k, value) o[(k) * n + i] = (value)

kernel void d_math(global const double *a, global double *o, uint n)
{
    uint i = get_global_id(0);
    double x = a[i];          /* 0.01 to 20 */
    double u = x * 0.1 - 1.0; /* -1 to 1 */

    ROW(0, exp(u * 20.0));
    ROW(1, exp2(u * 30.0));
    ROW(2, log(x));
    ROW(3, log2(x));
    ROW(4, sin(u * 40.0));
    ROW(5, cos(u * 40.0));
    ROW(6, tan(u));
    ROW(7, atan(u * 9.0));
    ROW(8, rsqrt(x));
    ROW(9, cbrt(x));
    ROW(10, pow(x, u * 3.0));
    ROW(11, hypot(x, u));
    ROW(12, asin(u));
    ROW(13, tanh(u));
    ROW(14, erf(u));
    ROW(15, expm1(u));
}

/* Vectors, a sum over a group, and a matrix in private memory. */
kernel void d_vectors(global const double *a, global double *o, local double *t)
{
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    double4 x = vload4(i, a);
    double2 y = x.xy * x.wz - x.zw;
    double m[3][3];

    t[l] = x.x + y.y;
    barrier(CLK_LOCAL_MEM_FENCE);
    double sum = 0;
    for (uint k = 0; k < n; k++)
        sum += t[k];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            m[r][c] = t[(l + r * 3 + c) % n];
    o[2 * i] = sum + dot(x, x);
    o[2 * i + 1] = m[l % 3][(l / 3) % 3] - m[i % 3][0];
}
