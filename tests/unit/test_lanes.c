/* SPDX-License-Identifier: MIT */

/* The loops over the addresses of a message, for any host and for this one, against what
 * exec/lanes.h says of them, one channel at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "exec/lanes.h"

enum { MOST = 32, ROUNDS = 20000 };

static const uint32_t counts[] = {1, 2, 4, 8, 16, 32};

static uint64_t state = 1;

static uint64_t next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 32 ^ state << 21;
}

/* Near each other, anywhere, or at the two ends of all addresses. */
static void make_addresses(uint64_t *at, uint32_t count)
{
    uint64_t base = next() << 20, spread = next() % 3;

    for (uint32_t n = 0; n < count; n++)
        at[n] = spread == 0   ? base + next() % 4096
                : spread == 1 ? next() << 11
                              : next() % 9 - 4;
}

static void check_form(const vsg_exe_lanes *lanes, uint32_t count)
{
    uint8_t registers[MOST * 8];
    uint64_t out[MOST];
    vsg_exe_forming f = {.registers = registers,
                         .bytes = 2u << next() % 3,
                         .scale = next() % 2 ? 1 : (uint32_t)next(),
                         .add = next() % 2 ? next() << 13 : 0,
                         .mask = next() % 2 ? UINT64_MAX : UINT32_MAX};

    for (uint32_t i = 0; i < sizeof registers; i++)
        registers[i] = (uint8_t)next();
    lanes->form(&f, count, out);
    for (uint32_t n = 0; n < count; n++) {
        uint64_t element = 0;
        memcpy(&element, registers + n * f.bytes, f.bytes);
        assert_int_equal(out[n], (element * f.scale + f.add) & f.mask);
    }
}

static void check_run(const vsg_exe_lanes *lanes, uint32_t count)
{
    uint32_t bytes = 1u << next() % 4, odd = (uint32_t)next() % count;
    uint64_t at[MOST], first = next() << 8;

    for (uint32_t n = 0; n < count; n++)
        at[n] = first + (uint64_t)n * bytes;
    assert_true(lanes->is_run(at, count, bytes));
    at[odd] += (uint64_t)1 << next() % 64;
    assert_int_equal(lanes->is_run(at, count, bytes), count == 1);
}

/* The two are addresses of channels, and none of another is outside of them. */
static void check_reach(const vsg_exe_lanes *lanes, uint32_t count)
{
    uint64_t at[MOST] = {0}, moved[MOST], by = next() << 9;
    uint32_t channels =
        (uint32_t)(next() | 1u << next() % count) & (UINT32_MAX >> (32 - count));
    uint32_t lowest = 0, highest = 0;

    make_addresses(at, count);
    if (!channels)
        channels = 1;
    vsg_exe_reach reach = lanes->reach(at, count, channels);
    for (uint32_t n = 0; n < count; n++) {
        if (!(channels >> n & 1))
            continue;
        assert_true(at[n] - reach.low <= reach.high - reach.low);
        lowest += at[n] == reach.low;
        highest += at[n] == reach.high;
    }
    assert_true(lowest > 0 && highest > 0);
    memcpy(moved, at, sizeof at);
    lanes->move(moved, count, by);
    for (uint32_t n = 0; n < count; n++)
        assert_int_equal(moved[n], at[n] + by);
}

static void check(const vsg_exe_lanes *lanes)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t count = counts[next() % (sizeof counts / sizeof *counts)];
        check_form(lanes, count);
        check_run(lanes, count);
        check_reach(lanes, count);
    }
}

static void test_base(void **unused)
{
    (void)unused;
    check(vsg_exe_lanes_base());
}

static void test_best(void **unused)
{
    (void)unused;
    if (vsg_exe_lanes_best() == vsg_exe_lanes_base())
        skip();
    check(vsg_exe_lanes_best());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_base),
                                       cmocka_unit_test(test_best)};
    return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}
