/* SPDX-License-Identifier: MIT
 *
 * References for half precision, which the CPU OpenCL lacks: halfs.cl, print.cl. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare.h"

static double half_at(const arg *a, size_t i)
{
    uint16_t half;

    memcpy(&half, a->before + i * 2, 2);
    return half_value(half);
}

static void expect(arg *out, size_t i, double value, double ulp)
{
    out->reals = true;
    out->real[i] = (long double)value;
    out->real_ulp[i] = ulp;
}

static void set(arg *a, size_t i, int32_t value)
{
    memcpy(a->host + i * 4, &value, 4);
}

/* Sums, products and what doubles hold exactly are rounded once: half a unit, ties included. */
void host_h_arith(arg *args, const ndrange *range)
{
    for (uint32_t i = 0; i < range->global[0]; i++) {
        double x = half_at(&args[0], i);
        double y = half_at(&args[1], i);
        const double row[16] = {x + y,
                                x - y,
                                x * y,
                                x * y + 0.5,
                                fmin(x, y),
                                fmax(x, y),
                                floor(x),
                                rint(x),
                                fabs(x) - y,
                                x < y ? x : -y,
                                trunc(x),
                                x * 1.25,
                                trunc(x) + ceil(y),
                                copysign(x, y),
                                fmin(fmax(x, -2.0), 2.0),
                                -x};
        for (uint32_t k = 0; k < 16; k++)
            expect(&args[2], 16 * i + k, row[k], 0.5);
        double third = half_value(half_bits(x * 3.0));
        arg *t = &args[3];
        set(t, 8 * i, x < y);
        set(t, 8 * i + 1, x == y);
        set(t, 8 * i + 2, (int32_t)third);
        set(t, 8 * i + 3, (int32_t)rint(x) + (y > 0 ? (int32_t)y : 0));
        set(t, 8 * i + 4, 0);
        set(t, 8 * i + 5, x > 1 || y > -1);
        set(t, 8 * i + 6, (int32_t)y);
        set(t, 8 * i + 7, x >= y);
    }
}

void host_h_vectors(arg *args, const ndrange *range)
{
    static const double added[4] = {0.5, 1.0, 2.0, -3.0};

    args[2].ulp = 1;
    for (uint32_t i = 0; i < range->global[0]; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            double x = half_at(&args[0], 4 * i + k);
            /* The product of an eighth with 1.5 has few bits: exact, fused or not. */
            double y = half_at(&args[0], 4 * i + 3 - k) * half_at(&args[3], 0) + added[k];
            expect(&args[1], 8 * i + k, y, 0.5);
            expect(&args[1], 8 * i + 4 + k, x < y ? y : x, 0.5);
            expect(&args[2], 4 * i + k, x * half_value(half_bits(y)), 0.5);
        }
    }
}

void host_h_math(arg *args, const ndrange *range)
{
    static const double ulp[8] = {2, 1, 2, 2, 1, 1, 2, 4};
    uint32_t n = range->global[0];

    for (uint32_t i = 0; i < n; i++) {
        double x = half_at(&args[0], i);
        const double value[8] = {sqrt(x), 1 / x,       exp2(x), log2(x),
                                 x / 3,   1 / sqrt(x), sin(x),  pow(x, 1.5)};
        for (uint32_t k = 0; k < 8; k++)
            expect(&args[1], k * n + i, value[k], ulp[k]);
    }
}

/* The CPU OpenCL makes floats of doubles. */
void host_print_doubles(arg *args, const ndrange *range)
{
    for (uint32_t i = 0; i < range->global[0]; i++) {
        double d;
        memcpy(&d, args[0].before + i * 8, 8);
        printf("%u %.17g %e %f,%f\n", i, d, d * 1e300, d, -d);
        set(&args[1], i, (int32_t)i);
    }
}

void host_print_halfs(arg *args, const ndrange *range)
{
    for (uint32_t i = 0; i < range->global[0]; i++) {
        uint16_t bits;
        memcpy(&bits, args[0].before + i * 2, 2);
        double h = half_value(bits);
        printf("%u %f %f,%f\n", i, h, h, half_value(half_bits(h + 1)));
        set(&args[1], i, bits);
    }
}
