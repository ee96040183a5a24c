/* SPDX-License-Identifier: MIT */
/* Single-precision functions that have one right result, special values included. */

kernel void rounding(global const float *a, global float *o)
{
    uint i = get_global_id(0);
    float x = a[i];
    global float *r = o + i * 10;
    float whole;

    r[0] = floor(x);
    r[1] = ceil(x);
    r[2] = trunc(x);
    r[3] = rint(x);
    r[4] = round(x);
    r[5] = fabs(x);
    r[6] = -x;
    r[7] = modf(x, &whole);
    r[8] = whole;
    r[9] = sign(x);
}

/* Finite values only: the fractional part of a negative number next to zero is rounded. */
kernel void fractions(global const float *a, global float *o, global int *p)
{
    uint i = get_global_id(0);
    float x = a[i], below;
    int e;

    o[6 * i] = fract(x, &below);
    o[6 * i + 1] = below;
    o[6 * i + 2] = frexp(x, &e);
    o[6 * i + 3] = ldexp(x, e);
    o[6 * i + 4] = ldexp(x, -130);
    o[6 * i + 5] = logb(x);
    p[2 * i] = e;
    p[2 * i + 1] = ilogb(x);
}

kernel void pairs(global const float *a, global const float *b, global float *o, global int *p)
{
    uint i = get_global_id(0);
    float x = a[i], y = b[i];
    global float *r = o + i * 16;
    global int *t = p + i * 16;

    r[0] = x + y;
    r[1] = x - y;
    r[2] = x * y;
    r[3] = fmin(x, y);
    r[4] = fmax(x, y);
    r[5] = fdim(x, y);
    r[6] = copysign(x, y);
    r[7] = nextafter(x, y);
    r[8] = maxmag(x, y);
    r[9] = minmag(x, y);
    r[10] = fma(x, y, 0.75f);
    r[11] = fma(x, x, -y);
    r[12] = step(x, y);
    r[13] = x < y ? x : y;
    r[14] = select(x, y, isgreater(x, y));
    r[15] = as_float(as_int(x) ^ as_int(y) & 0x80000000);
    t[0] = x == y;
    t[1] = x != y;
    t[2] = x < y;
    t[3] = x <= y;
    t[4] = x > y;
    t[5] = !(x >= y);
    t[6] = isequal(x, y) + 2 * isnotequal(x, y);
    t[7] = isgreater(x, y) + 2 * isgreaterequal(x, y);
    t[8] = isless(x, y) + 2 * islessequal(x, y);
    t[9] = islessgreater(x, y);
    t[10] = isfinite(x) + 2 * isinf(x);
    t[11] = isnan(x) + 2 * isnormal(x);
    t[12] = isordered(x, y) + 2 * isunordered(x, y);
    t[13] = signbit(x);
    t[14] = as_int(bitselect(x, y, as_float(0x0f0f0f0f)));
    t[15] = x && !y;
}

/* x and y positive and y not tiny against x: a quotient that fits in an int. */
kernel void quotients(global const float *a, global const float *b, global float *o,
                      global int *p)
{
    uint i = get_global_id(0);
    float x = a[i], y = b[i];
    int q;

    o[4 * i] = fmod(x, y);
    o[4 * i + 1] = fmod(-x, y);
    o[4 * i + 2] = remainder(x, y);
    o[4 * i + 3] = remquo(x, y, &q);
    p[i] = q & 7;
}

kernel void relations(global const float *a, global const float *b, global int *o)
{
    uint i = get_global_id(0);
    float4 x = vload4(i, a), y = vload4(i, b);

    vstore4(x < y, 8 * i, o);
    vstore4(isnan(x) | isinf(y), 8 * i + 1, o);
    vstore4(signbit(x) ^ isequal(x, y), 8 * i + 2, o);
    vstore4(as_int4(select(x, y, isgreater(x, y))), 8 * i + 3, o);
    vstore4(as_int4(x > y ? y : -x), 8 * i + 4, o);
    vstore4(as_int4(fmax(floor(x), 1.5f)), 8 * i + 5, o);
    vstore4((int4)(any(x < y), all(x < y), any(isnan(x)), all(isfinite(y))), 8 * i + 6, o);
    vstore4(!(x == y) && isordered(x, y), 8 * i + 7, o);
}

/* Sums and products whose roundings are told apart by the last bit. */
kernel void order(global const float *a, global float *o, float scale)
{
#pragma OPENCL FP_CONTRACT OFF
    uint i = get_global_id(0);
    float x = a[i], y = a[i + 1], z = a[i + 2];

    o[4 * i] = x * y + z;
    o[4 * i + 1] = (x + y) + z - x;
    o[4 * i + 2] = x * scale - y * scale;
    float sum = 0, lost = 0;
    for (int k = 0; k < 9; k++) {
        float term = a[i + k] - lost;
        float next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    o[4 * i + 3] = sum;
}
