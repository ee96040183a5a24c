/* SPDX-License-Identifier: MIT
 *
 * Whether one worker is better than all: what is measured, and what follows from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/crowd.h"

enum { JOBS = 4, PORTION_NS = 50000, MOST_PORTIONS = 10000 };

static uint32_t some_code(vsg_jit_batch *batch)
{
    (void)batch;
    return 0;
}

static uint32_t other_code(vsg_jit_batch *batch)
{
    (void)batch;
    return 1;
}

static int set_up(void **state)
{
    vsg_run_crowd *crowd = calloc(1, sizeof *crowd);

    if (crowd)
        vsg_run_crowd_begin(crowd, JOBS, some_code);
    *state = crowd;
    return crowd ? 0 : -1;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

/* Each worker that does not rest runs as many groups as it can in a portion: `alone` of them by
 * itself, `together` with the others. */
static void run_portions(vsg_run_crowd *crowd, uint64_t alone, uint64_t together)
{
    uint32_t active = vsg_run_crowd_rests(crowd) ? 1 : JOBS;

    for (uint32_t w = active; w-- > 0;)
        vsg_run_crowd_note(crowd, w, active, active == 1 ? alone : together, PORTION_NS, true);
}

static void run_until_trial(vsg_run_crowd *crowd, uint64_t alone, uint64_t together)
{
    uint32_t portions = 0;

    for (; !vsg_run_crowd_rests(crowd); portions++) {
        assert_true(portions < MOST_PORTIONS);
        run_portions(crowd, alone, together);
    }
    assert_true(portions > 0);
    assert_false(vsg_run_crowd_is_decided_alone(crowd));
}

static void run_until_decided(vsg_run_crowd *crowd, uint64_t alone, uint64_t together)
{
    uint32_t portions = 0;

    run_until_trial(crowd, alone, together);
    for (; atomic_load(&crowd->holds_ns) <= 0; portions++) {
        assert_true(portions < MOST_PORTIONS);
        run_portions(crowd, alone, together);
    }
    assert_true(portions > 1);
}

static void one_is_left_where_others_hinder(void **state)
{
    vsg_run_crowd *crowd = *state;

    run_until_decided(crowd, 100, 10);
    assert_true(vsg_run_crowd_rests(crowd));
    assert_true(vsg_run_crowd_is_decided_alone(crowd));
}

static void all_go_on_where_they_help(void **state)
{
    vsg_run_crowd *crowd = *state;

    run_until_decided(crowd, 100, 35);
    assert_false(vsg_run_crowd_rests(crowd));
    assert_false(vsg_run_crowd_is_decided_alone(crowd));
}

/* A little more than a quarter each is little more than one does by itself, for almost four
 * times the processor time. */
static void one_is_left_where_others_are_of_no_use(void **state)
{
    vsg_run_crowd *crowd = *state;

    run_until_decided(crowd, 100, 30);
    assert_true(vsg_run_crowd_rests(crowd));
}

/* Work changes: what was decided is tried again, at a small part of the time. Portions that are
 * not timed count for that. */
static void decisions_end(void **state)
{
    vsg_run_crowd *crowd = *state;
    uint64_t portions = 0, trials = 0;

    run_until_decided(crowd, 100, 10);
    for (; vsg_run_crowd_rests(crowd); portions++) {
        assert_true(portions < MOST_PORTIONS);
        vsg_run_crowd_note(crowd, 0, 1, 1, PORTION_NS, false);
    }
    run_until_decided(crowd, 100, 100);
    assert_false(vsg_run_crowd_rests(crowd));
    for (uint32_t i = 0; i < MOST_PORTIONS; i++) {
        trials += vsg_run_crowd_rests(crowd);
        run_portions(crowd, 100, 100);
    }
    assert_true(trials > 0 && trials < MOST_PORTIONS / 20);
}

/* Those of a worker that is alone because others are not there yet, of some of them, of the
 * launch's beginning, and of one that was kept waiting. */
static void some_portions_say_nothing(void **state)
{
    enum { LONG_NS = 1000000000 };
    vsg_run_crowd *crowd = *state;

    for (uint32_t i = 0; i < MOST_PORTIONS; i++) {
        vsg_run_crowd_note(crowd, 0, 1 + i % (JOBS - 1), 100, PORTION_NS, true);
        vsg_run_crowd_note(crowd, 0, JOBS, 100, PORTION_NS, false);
        vsg_run_crowd_note(crowd, 0, JOBS, 100, LONG_NS, true);
        assert_false(vsg_run_crowd_rests(crowd));
    }
    run_until_trial(crowd, 100, 10);
    for (uint32_t i = 0; i < MOST_PORTIONS; i++) {
        vsg_run_crowd_note(crowd, 0, 2 + i % (JOBS - 1), 100, PORTION_NS, true);
        vsg_run_crowd_note(crowd, 0, 1, 100, LONG_NS, true);
    }
    assert_true(atomic_load(&crowd->holds_ns) <= 0);
}

static void other_code_and_other_numbers_are_tried_anew(void **state)
{
    vsg_run_crowd *crowd = *state;

    run_until_decided(crowd, 100, 10);
    vsg_run_crowd_begin(crowd, JOBS, some_code);
    assert_true(vsg_run_crowd_rests(crowd));
    vsg_run_crowd_begin(crowd, JOBS, other_code);
    assert_false(vsg_run_crowd_rests(crowd));
    run_until_decided(crowd, 100, 10);
    vsg_run_crowd_begin(crowd, JOBS + 1, other_code);
    assert_false(vsg_run_crowd_rests(crowd));
}

/* A trial is a launch's own; giving up is not. */
static void launches_end(void **state)
{
    vsg_run_crowd *crowd = *state;

    run_until_trial(crowd, 100, 10);
    vsg_run_crowd_begin(crowd, JOBS, some_code);
    assert_false(vsg_run_crowd_rests(crowd));
    run_until_decided(crowd, 100, 10);
    vsg_run_crowd_give_up(crowd);
    assert_false(vsg_run_crowd_rests(crowd));
    vsg_run_crowd_begin(crowd, JOBS, some_code);
    assert_false(vsg_run_crowd_rests(crowd));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(one_is_left_where_others_hinder),
        TEST(all_go_on_where_they_help),
        TEST(one_is_left_where_others_are_of_no_use),
        TEST(decisions_end),
        TEST(some_portions_say_nothing),
        TEST(other_code_and_other_numbers_are_tried_anew),
        TEST(launches_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
