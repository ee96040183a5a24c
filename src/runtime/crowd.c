/* SPDX-License-Identifier: MIT */
#include "runtime/crowd.h"

/* What is measured before it is believed, of one worker; and how many times as long it holds,
 * so that trying costs a hundredth. */
enum { MEASURED_NS = 500 * 1000, HOLDS = 100 };

bool vsg_run_crowd_rests(const vsg_run_crowd *crowd)
{
    return atomic_load_explicit(&crowd->tries_alone, memory_order_relaxed) ||
           vsg_run_crowd_rests_for(crowd, 1);
}

bool vsg_run_crowd_rests_for(const vsg_run_crowd *crowd, uint64_t ns)
{
    int64_t holds = atomic_load_explicit(&crowd->holds_ns, memory_order_relaxed);

    return holds > 0 && (uint64_t)holds >= ns &&
           atomic_load_explicit(&crowd->is_alone, memory_order_relaxed);
}

uint32_t vsg_run_crowd_active(const vsg_run_crowd *crowd)
{
    return atomic_load(&crowd->working) - atomic_load(&crowd->resting);
}

static void forget(vsg_run_crowd *crowd)
{
    atomic_store(&crowd->ns_alone, 0);
    atomic_store(&crowd->groups_alone, 0);
    atomic_store(&crowd->ns_together, 0);
    atomic_store(&crowd->groups_together, 0);
}

/* All are worth their processor time where they are a quarter quicker. */
static bool is_better_alone(const vsg_run_crowd *crowd, uint32_t jobs)
{
    double alone = (double)atomic_load(&crowd->ns_alone);
    double together = (double)atomic_load(&crowd->ns_together);

    alone /= (double)atomic_load(&crowd->groups_alone);
    together /= (double)atomic_load(&crowd->groups_together);
    return alone * jobs < 1.25 * together;
}

static void decide(vsg_run_crowd *crowd, uint32_t jobs)
{
    uint64_t alone = atomic_load(&crowd->ns_alone);
    uint64_t together = atomic_load(&crowd->ns_together);

    if (together < (uint64_t)MEASURED_NS * jobs)
        return;
    if (alone < MEASURED_NS) {
        atomic_store(&crowd->tries_alone, true);
        return;
    }
    atomic_store(&crowd->is_alone, is_better_alone(crowd, jobs));
    atomic_store(&crowd->holds_ns, (int64_t)(HOLDS * (alone + together)));
    atomic_store(&crowd->tries_alone, false);
    forget(crowd);
}

void vsg_run_crowd_note(vsg_run_crowd *crowd, uint32_t worker, uint32_t jobs, uint32_t active,
                        uint64_t groups, uint64_t ns)
{
    if (atomic_load(&crowd->holds_ns) > 0) {
        (void)atomic_fetch_sub(&crowd->holds_ns, (int64_t)ns);
        return;
    }
    bool is_trial = atomic_load(&crowd->tries_alone);
    if (active != (is_trial ? 1 : jobs))
        return;
    (void)atomic_fetch_add(is_trial ? &crowd->groups_alone : &crowd->groups_together, groups);
    (void)atomic_fetch_add(is_trial ? &crowd->ns_alone : &crowd->ns_together, ns);
    if (worker == 0)
        decide(crowd, jobs);
}
