/* SPDX-License-Identifier: MIT
 *
 * Whether the workers of a launch change the same memory: what is measured, and what follows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/crowd.h"

enum { JOBS = 4, PORTION_NS = 50000, MOST_PORTIONS = 10000 };

static int set_up(void **state)
{
    *state = calloc(1, sizeof(vsg_run_crowd));
    return *state ? 0 : -1;
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
        vsg_run_crowd_note(crowd, w, JOBS, active, active == 1 ? alone : together, PORTION_NS);
}

/* Until some work has been decided for. */
static void run_until_decided(vsg_run_crowd *crowd, uint64_t alone, uint64_t together)
{
    uint32_t portions = 0;

    while (!vsg_run_crowd_rests(crowd) && portions++ < MOST_PORTIONS)
        run_portions(crowd, alone, together);
    assert_true(portions > 1 && portions < MOST_PORTIONS);
    assert_false(vsg_run_crowd_rests_for(crowd, 1)); /* it is a trial */
    for (portions = 0; atomic_load(&crowd->holds_ns) <= 0; portions++) {
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
    assert_true(vsg_run_crowd_rests_for(crowd, PORTION_NS));
    assert_false(vsg_run_crowd_rests_for(crowd, UINT64_MAX));
}

static void all_go_on_where_they_help(void **state)
{
    vsg_run_crowd *crowd = *state;

    run_until_decided(crowd, 100, 35);
    assert_false(vsg_run_crowd_rests(crowd));
    assert_false(vsg_run_crowd_rests_for(crowd, 1));
}

/* A little more than a quarter each is little more than one does by itself, for almost four
 * times the processor time. */
static void one_is_left_where_others_are_of_no_use(void **state)
{
    vsg_run_crowd *crowd = *state;

    run_until_decided(crowd, 100, 30);
    assert_true(vsg_run_crowd_rests(crowd));
}

/* Work changes: what was decided is tried again, at a small part of the time. */
static void decisions_end(void **state)
{
    vsg_run_crowd *crowd = *state;
    uint64_t portions = 0, trials = 0;

    run_until_decided(crowd, 100, 10);
    for (; vsg_run_crowd_rests(crowd); portions++) {
        assert_true(portions < MOST_PORTIONS);
        run_portions(crowd, 100, 10);
    }
    run_until_decided(crowd, 100, 100);
    assert_false(vsg_run_crowd_rests(crowd));
    for (uint32_t i = 0; i < MOST_PORTIONS; i++) {
        trials += vsg_run_crowd_rests(crowd);
        run_portions(crowd, 100, 100);
    }
    assert_true(trials > 0 && trials < MOST_PORTIONS / 20);
}

/* Nor does who is alone because others are not there yet. */
static void some_do_not_count(void **state)
{
    vsg_run_crowd *crowd = *state;

    for (uint32_t i = 0; i < MOST_PORTIONS; i++) {
        vsg_run_crowd_note(crowd, 0, JOBS, 1 + i % (JOBS - 1), 100, PORTION_NS);
        assert_false(vsg_run_crowd_rests(crowd));
    }
    while (!vsg_run_crowd_rests(crowd))
        run_portions(crowd, 100, 10);
    for (uint32_t i = 0; i < MOST_PORTIONS; i++)
        vsg_run_crowd_note(crowd, 0, JOBS, 2 + i % (JOBS - 1), 100, PORTION_NS);
    assert_int_equal(atomic_load(&crowd->holds_ns), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_is_left_where_others_hinder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_go_on_where_they_help, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_is_left_where_others_are_of_no_use, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(decisions_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(some_do_not_count, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
