/* SPDX-License-Identifier: MIT
 *
 * References for extension.cl; sub-groups have 16 work-items and are full. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "compare.h"

static int32_t before(const arg *a, size_t i)
{
    int32_t value;

    memcpy(&value, a->before + i * 4, 4);
    return value;
}

static void set(arg *a, size_t i, int64_t value)
{
    int32_t low = (int32_t)value;

    memcpy(a->host + i * 4, &low, 4);
}

static int32_t count_bits(uint32_t bits)
{
    int32_t count = 0;

    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

void host_ballots(arg *args, const ndrange *range)
{
    const arg *a = &args[0];

    for (uint32_t i = 0; i < range->global[0]; i++) {
        uint32_t lane = i % 16;
        uint32_t first = i - lane;
        uint32_t odd = 0;
        int32_t broadcast = 0, sum = 0, sum_to = 0;
        bool found = false;
        int32_t lsb = -1, msb = -1;
        for (uint32_t k = 0; k < 16; k++) {
            int32_t x = before(a, first + k);
            if (x & 1) {
                odd |= 1u << k;
                lsb = lsb < 0 ? (int32_t)k : lsb;
                msb = (int32_t)k;
            }
            if (!(x & 2))
                continue;
            if (!found)
                broadcast = x;
            found = true;
            sum += x;
            sum_to += k <= lane ? x : 0;
        }
        uint32_t below = (1u << lane) - 1;
        const int64_t row[13] = {odd,
                                 count_bits(odd),
                                 count_bits(odd & (below << 1 | 1)),
                                 count_bits(odd & below),
                                 lsb,
                                 msb,
                                 odd >> lane & 1,
                                 odd >> 3 & 1,
                                 1u << lane,
                                 below,
                                 0xffff & ~below,
                                 before(a, first + i * 7 % 16),
                                 before(a, first + (lane ^ 3))};
        for (uint32_t k = 0; k < 13; k++)
            set(&args[1], 16 * i + k, row[k]);
        if (!(before(a, i) & 2))
            continue;
        set(&args[1], 16 * i + 13, broadcast);
        set(&args[1], 16 * i + 14, sum);
        set(&args[1], 16 * i + 15, sum_to);
    }
}

void host_clusters(arg *args, const ndrange *range)
{
    const arg *a = &args[0];

    for (uint32_t i = 0; i < range->global[0]; i++) {
        uint32_t lane = i % 16;
        uint32_t first = i - lane;
        int32_t sum4 = 0, max8 = INT_MIN, xor2 = 0, high = INT_MIN, all_and = -1;
        int32_t low = INT_MAX;
        uint32_t product = 1;
        bool equal = true, any = false, all = true;
        for (uint32_t k = 0; k < 16; k++) {
            int32_t x = before(a, first + k);
            sum4 += k / 4 == lane / 4 ? x : 0;
            max8 = k / 8 == lane / 8 && x > max8 ? x : max8;
            xor2 ^= k / 2 == lane / 2 ? x : 0;
            high = k < lane && x > high ? x : high;
            low = x < low ? x : low;
            all_and &= x;
            product *= (uint32_t)(x | 1);
            equal &= x >> 8 == before(a, first) >> 8;
            any |= x > 90;
            all &= x > -99;
        }
        const int64_t row[12] = {sum4,
                                 max8,
                                 xor2,
                                 lane < 2 ? 0 : before(a, i - 2),
                                 lane > 12 ? 0 : before(a, i + 3),
                                 lane == 0,
                                 equal,
                                 any + 2 * all,
                                 all_and,
                                 high,
                                 product,
                                 low};
        for (uint32_t k = 0; k < 12; k++)
            set(&args[1], 12 * i + k, row[k]);
    }
}

/* The arguments become multiples of a quarter: their sum is exact in any order. */
void host_float_atomics(arg *args, const ndrange *range)
{
    float *s = (float *)(void *)args[1].host;

    for (uint32_t i = 0; i < range->global[0]; i++) {
        float x;
        memcpy(&x, args[0].before + i * 4, 4);
        x = rintf(x) * 0.25f;
        memcpy(args[0].before + i * 4, &x, 4);
        memcpy(args[0].host + i * 4, &x, 4);
        s[0] += x;
        s[1] = fminf(s[1], x);
        s[2] = fmaxf(s[2], x);
    }
}

static int64_t dot(uint32_t x, uint32_t y)
{
    int64_t sum = 0;

    for (int k = 0; k < 32; k += 8)
        sum += (int8_t)(x >> k) * (int8_t)(y >> k);
    return sum;
}

/* To nearest, ties to even, by the number that is added to the lower half. */
void host_bfloats(arg *args, const ndrange *range)
{
    for (uint32_t i = 0; i < range->global[0]; i++) {
        uint32_t bits = (uint32_t)before(&args[0], i);
        uint16_t high = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
        memcpy(args[1].host + 2 * i, &high, 2);
        set(&args[2], i, bits & 0xffff0000);
    }
}

void host_systolic(arg *args, const ndrange *range)
{
    uint32_t n = range->local[0];

    for (uint32_t row = 0; row < 8; row++) {
        for (uint32_t column = 0; column < n; column++) {
            int64_t sum = before(&args[2], row * n + column);
            for (uint32_t k = 0; k < 8; k++)
                sum += dot((uint32_t)before(&args[0], row * 8 + k),
                           (uint32_t)before(&args[1], k * n + column));
            set(&args[2], row * n + column, sum);
        }
    }
}
