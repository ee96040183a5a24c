/* SPDX-License-Identifier: MIT
 *
 * References for sub-groups and for OpenCL C 2.0, which the CPU OpenCL lacks: subgroup.cl,
 * generic.cl. All ranges have one dimension. */
#include <limits.h>
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

static void set_float(arg *a, size_t i, float value)
{
    memcpy(a->host + i * 4, &value, 4);
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* ---- sub-groups ------------------------------------------------------------------------- */

/* Sub-groups of `most_size`; the last of a group may have fewer work-items. */
static void collect(arg *args, const ndrange *range, uint32_t most_size)
{
    uint32_t local = range->local[0];

    for (uint32_t i = 0; i < range->global[0]; i++) {
        uint32_t l = i % local;
        uint32_t first = i - l % most_size;
        uint32_t in_group = l / most_size;
        uint32_t size = local - in_group * most_size;
        if (size > most_size)
            size = most_size;
        int32_t sum = 0;
        int32_t low = INT_MAX;
        int32_t high = INT_MIN;
        bool any = false;
        bool all = true;
        int32_t sum_to = 0, low_to = INT_MAX, low_before = INT_MAX, high_to = INT_MIN;
        for (uint32_t k = first; k < first + size; k++) {
            int32_t x = before(&args[0], k);
            sum += x;
            low = least(low, x);
            high = most(high, x);
            any |= x > 90;
            all &= x > -95;
            if (k < i)
                low_before = least(low_before, x);
            if (k > i)
                continue;
            sum_to += x;
            low_to = least(low_to, x);
            high_to = most(high_to, x);
        }
        const int32_t row[14] = {(int32_t)size,
                                 (int32_t)most_size,
                                 (int32_t)((local + most_size - 1) / most_size),
                                 (int32_t)in_group,
                                 (int32_t)(i - first),
                                 sum,
                                 low,
                                 high,
                                 sum_to,
                                 sum_to - before(&args[0], i),
                                 high_to,
                                 low_before,
                                 before(&args[0], first + 2),
                                 any + 2 * all};
        for (uint32_t k = 0; k < 14; k++)
            set(&args[1], 24 * i + k, row[k]);
        set_float(&args[1], 24 * i + 14, (float)sum);
        set(&args[1], 24 * i + 15, high);
        set(&args[1], 24 * i + 16, sum_to);
        set_float(&args[1], 24 * i + 17, (float)low_to);
    }
}

void host_collect8(arg *args, const ndrange *range)
{
    collect(args, range, 8);
}

void host_collect16(arg *args, const ndrange *range)
{
    collect(args, range, 16);
}

void host_collect32(arg *args, const ndrange *range)
{
    collect(args, range, 32);
}

static void shuffle(arg *args, const ndrange *range, uint32_t n)
{
    const arg *a = &args[0];

    for (uint32_t i = 0; i < range->global[0]; i++) {
        uint32_t lane = i % n;
        uint32_t first = i - lane;
        uint32_t m = (uint32_t)before(&args[1], i);
        uint32_t all = (uint32_t)before(&args[1], 0) % n;
        arg *o = &args[2];
        uint32_t from = first + (m >> 8) % n;
        set(o, 16 * i, before(a, first + m % n));
        set(o, 16 * i + 1, before(a, first + (lane ^ 5)));
        /* Down: lanes of x, then of y; up: lanes of x before those of y. */
        set(o, 16 * i + 2, lane + 3 < n ? before(a, i + 3) : before(a, i + 3 - n) * 3 + 1);
        set(o, 16 * i + 3, lane >= 2 ? before(a, i - 2) * 3 + 1 : before(a, i + n - 2));
        set(o, 16 * i + 4, before(a, first + 7));
        set(o, 16 * i + 5, before(a, from));
        set(o, 16 * i + 6, before(a, from) * 3 + 1);
        set(o, 16 * i + 7, from + 7);
        set_float(o, 16 * i + 8, (float)before(a, first + (lane ^ 1)));
        set(o, 16 * i + 9,
            lane + all < n ? before(a, i + all) : before(a, i + all - n) * 3 + 1);
        set(o, 16 * i + 10, (int16_t)before(a, first + (m >> 4) % n));
        if (before(a, i) & 1)
            set(o, 16 * i + 11, before(a, i));
        set(o, 16 * i + 12, before(a, first + (m >> 12) % n));
    }
}

void host_shuffle8(arg *args, const ndrange *range)
{
    shuffle(args, range, 8);
}

void host_shuffle16(arg *args, const ndrange *range)
{
    shuffle(args, range, 16);
}

void host_shuffle32(arg *args, const ndrange *range)
{
    shuffle(args, range, 32);
}

/* A sub-group of n has 16 n words: n as they are plus one, 2 n with the two rows swapped, n
 * untouched, 4 n doubled, 8 n with the rows in reverse order; and 8 n halfwords likewise. */
static void block(arg *args, const ndrange *range, uint32_t n)
{
    uint16_t s;

    for (uint32_t first = 0; first < range->global[0]; first += n) {
        for (uint32_t k = 0; k < n; k++) {
            uint32_t at = first * 16 + k;
            set(&args[1], at, (int64_t)before(&args[0], at) + 1);
            set(&args[1], at + n, before(&args[0], at + 2 * n));
            set(&args[1], at + 2 * n, before(&args[0], at + n));
            for (uint32_t r = 4; r < 8; r++)
                set(&args[1], at + r * n, (int64_t)before(&args[0], at + r * n) * 2);
            for (uint32_t r = 8; r < 16; r++)
                set(&args[1], at + r * n, before(&args[0], at + (23 - r) * n));
            at = first * 8 + k;
            memcpy(&s, args[2].before + at * 2, 2);
            s = (uint16_t)(s + 3);
            memcpy(args[3].host + at * 2, &s, 2);
            for (uint32_t r = 4; r < 8; r++)
                memcpy(args[3].host + (at + r * n) * 2,
                       args[2].before + (at + (11 - r) * n) * 2, 2);
        }
    }
}

void host_block8(arg *args, const ndrange *range)
{
    block(args, range, 8);
}

void host_block16(arg *args, const ndrange *range)
{
    block(args, range, 16);
}

/* Sums of n positive terms in some order: n units in the last place are enough. */
void host_rows(arg *args, const ndrange *range)
{
    uint32_t n = (uint32_t)before(&args[3], 0);
    arg *y = &args[2];

    y->reals = true;
    for (uint32_t row = 0; row < range->global[0] / range->local[0]; row++) {
        for (uint32_t k = 0; k < n; k++) {
            float a, x;
            memcpy(&a, args[0].before + (row * n + k) * 4, 4);
            memcpy(&x, args[1].before + k * 4, 4);
            y->real[row] += (long double)a * (long double)x;
        }
        y->real_ulp[row] = n;
    }
}

/* ---- OpenCL C 2.0 ----------------------------------------------------------------------- */

void host_chosen_space(arg *args, const ndrange *range)
{
    for (uint32_t i = 0; i < range->global[0]; i++) {
        int32_t x = before(&args[0], i);
        int32_t mine[4] = {1, 2, 3, 4};
        int32_t sum = 0;
        mine[x & 3] = x;
        for (uint32_t k = 0; k < 4; k++)
            sum += x % 3 == 0   ? mine[k]
                   : x % 3 == 1 ? before(&args[0], (i & ~3u) + k) * 5
                                : before(&args[0], (i & ~3u) + k);
        set(&args[1], 2 * i, sum);
        mine[1] = x * 2 + 1;
        if (!(i & 1))
            mine[0] = (int32_t)i * 2 + 1;
        set(&args[1], 2 * i + 1, i & 1 ? (int32_t)i * 2 + 1 : mine[0] + mine[1]);
    }
}

void host_spaces(arg *args, const ndrange *range)
{
    for (uint32_t i = 0; i < range->global[0]; i++)
        set(&args[1], i, i % 3 == 1 ? 2 : 1);
}

void host_atomics(arg *args, const ndrange *range)
{
    static const int32_t weights[4] = {1, 3, 5, 7};
    int32_t *s = (int32_t *)(void *)args[1].host;
    uint32_t *u = (uint32_t *)(void *)args[2].host;

    for (uint32_t i = 0; i < range->global[0]; i++) {
        int32_t x = before(&args[0], i);
        s[0] += x;
        s[1] -= x;
        s[2] |= (int32_t)(1u << (x & 31));
        s[3] &= x | 0xff00;
        s[4] ^= x;
        s[5] = least(s[5], x);
        s[6] = most(s[6], x);
        s[7] = most(s[7], x * 2);
        s[8] += x * weights[i % range->local[0] & 3];
        u[0] = (uint32_t)x > u[0] ? (uint32_t)x : u[0];
        u[1] = (uint32_t)x < u[1] ? (uint32_t)x : u[1];
    }
    set_float(&args[3], 0, 4.5f);
}

void host_group_functions(arg *args, const ndrange *range)
{
    uint32_t n = range->local[0];

    for (uint32_t i = 0; i < range->global[0]; i++) {
        uint32_t first = i - i % n;
        int32_t sum = 0, low = INT_MAX, high = INT_MIN, sum_to = 0, high_to = INT_MIN;
        bool any = false;
        bool all = true;
        for (uint32_t k = first; k < first + n; k++) {
            int32_t x = before(&args[0], k);
            sum += x;
            low = least(low, x);
            high = most(high, x);
            any |= x > 97;
            all &= x > -98;
            sum_to += k <= i ? x : 0;
            high_to = k <= i ? most(high_to, x) : high_to;
        }
        const int64_t row[10] = {sum,
                                 high,
                                 low,
                                 sum_to,
                                 sum_to - before(&args[0], i),
                                 high_to,
                                 before(&args[0], first + 3),
                                 any + 2 * all,
                                 (int64_t)(i % n) * 1000 + i,
                                 n};
        for (uint32_t k = 0; k < 10; k++)
            set(&args[1], 10 * i + k, row[k]);
    }
}

void host_program_scope(arg *args, const ndrange *range)
{
    for (uint32_t i = 0; i < range->global[0]; i++) {
        uint32_t zeros = 0;
        while (!((i + 8) >> zeros & 1))
            zeros++;
        set(&args[0], i, (int64_t)(i % 5) * (i % 5) + 9 + zeros);
    }
}
