/* SPDX-License-Identifier: MIT */
#ifndef VISAGE_TESTS_CROWD_SUPPORT_H
#define VISAGE_TESTS_CROWD_SUPPORT_H

#include "run_support.h"
#include "runtime/launch.h"

/* As if one worker had turned out to be better for what was run last. */
static inline void decide_alone(fixture *f)
{
    atomic_store(&f->launch->crowd.is_alone, true);
    atomic_store(&f->launch->crowd.holds_ns, INT64_MAX);
}

static inline void expect_nobody_at_work(const fixture *f)
{
    assert_int_equal(atomic_load(&f->launch->crowd.working), 0);
    assert_int_equal(atomic_load(&f->launch->crowd.resting), 0);
}

#endif
