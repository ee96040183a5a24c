/* SPDX-License-Identifier: MIT
 *
 * Plain C for the kernels that a CPU OpenCL cannot judge: the source, one work-item after the
 * other. */
#include <math.h>
#include <string.h>

#include "compare.h"

static uint16_t *halves(arg *a)
{
    return (uint16_t *)(void *)a->host;
}

static int32_t *ints(arg *a)
{
    return (int32_t *)(void *)a->host;
}

static double h(arg *a, uint32_t i)
{
    return half_value(halves(a)[i]);
}

static void set_h(arg *a, uint32_t i, double value)
{
    halves(a)[i] = half_bits(value);
}

/* f16.cl. A product and a sum may be one rounding or two, and the error grows along the chain:
 * four units of the last place for what a few operations make. */
void host_h(arg *args, const ndrange *range)
{
    arg *a = &args[0];
    arg *b = &args[1];
    arg *c = &args[3];
    float *f = (float *)(void *)args[2].host;

    for (uint32_t i = 0; i < range->launches; i++) {
        set_h(b, i, h(a, i) * h(b, i) + 2.5);
        f[i] = (float)h(b, i);
        set_h(b, i, (double)f[i + 1]);
        for (uint32_t j = 4 * i; j < 4 * i + 4; j++)
            set_h(c, j, h(c, j) * h(c, j + 4) + 1.0);
        set_h(b, i, h(b, i) + (sqrt((double)f[i]) + fmax(h(a, i), 3.0) + h(a, i)));
        /* vstore_half_rtz: towards zero, so the nearest half may be one too far. */
        uint16_t nearest = half_bits((double)f[i]);
        halves(b)[i] = half_value(nearest) > (double)f[i] ? nearest - 1 : nearest;
        set_h(a, i, sqrt(h(a, i)) / h(b, i));
    }
    a->ulp = 4;
    b->ulp = 4;
    c->ulp = 4;
    args[2].ulp = 0;
}

/* at20.cl */
void host_at2(arg *args, const ndrange *range)
{
    int32_t *a = ints(&args[0]);
    int32_t *o = ints(&args[2]);

    for (uint32_t i = 0; i < range->launches; i++) {
        o[i] = a[0];
        a[0] += (int32_t)i;
        a[1] = 5;
        o[i] += a[2];
        o[i + 1] = a[3] == 3;
        if (a[3] == 3)
            a[3] = 8;
    }
    memcpy(args[1].host, &(float){1.0f}, sizeof(float));
}

void host_gen(arg *args, const ndrange *range)
{
    int32_t *a = ints(&args[0]);

    for (uint32_t i = 0; i < range->launches; i++)
        a[i] = a[i + 1] + 7;
}

/* sg8.cl: one sub-group of eight. */
void host_s8(arg *args, const ndrange *range)
{
    uint32_t *a = (uint32_t *)(void *)args[0].host;
    uint32_t sum = 0;

    for (uint32_t i = 0; i < range->global[0]; i++)
        sum += a[i];
    for (uint32_t i = 0; i < range->global[0]; i++)
        a[i] = sum;
}

/* atomics.cl: what atomics return depends on their order. After the second barrier s[] is
 * known: every element got 3; s[0] became 5 by the exchange for l == 3; s[1] got 16 increments;
 * s[2] is at least 15 by the maxima, and 3 more when its own sum came last. Added to it are an
 * old s[1] of 0 to 18 and an old s[2] of 0 to 18. */
void host_atl(arg *args, const ndrange *range)
{
    int32_t *o = ints(&args[0]);

    for (uint32_t l = 0; l < range->global[0]; l++)
        o[l] = l == 0 ? 5 : l == 1 ? 19 : l == 2 ? 15 : 3;
    args[0].slack = 18 + 18 + 3;
}
