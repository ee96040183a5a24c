/* SPDX-License-Identifier: MIT */
#include "runtime/crowd.h"

/* What is measured before it is believed, of one worker; in how many portions at least, as one
 * may have been kept waiting; and how many times as long it holds, so that trying costs a
 * hundredth. */
enum {
    MEASURED_NS = 500 * 1000,
    LEAST_PORTIONS = 4,
    HOLDS = 100,
    MOST_HOLDS_NS = 1000 * 1000 * 1000
};

/* A worker that took longer has waited for its processor, or its groups are too long for it to
 * matter. */
enum { MOST_NS = 4 * 1000 * 1000 };

static void forget(vsg_run_crowd_times *times)
{
    atomic_store(&times->portions, 0);
    atomic_store(&times->groups, 0);
    atomic_store(&times->ns, 0);
}

void vsg_run_crowd_begin(vsg_run_crowd *crowd, uint32_t jobs, vsg_jit_run code)
{
    atomic_store(&crowd->tries_alone, false);
    if (crowd->jobs == jobs && crowd->code == code)
        return;
    crowd->jobs = jobs;
    crowd->code = code;
    atomic_store(&crowd->holds_ns, 0);
    forget(&crowd->alone);
    forget(&crowd->together);
}

bool vsg_run_crowd_rests(const vsg_run_crowd *crowd)
{
    return (atomic_load_explicit(&crowd->tries_alone, memory_order_relaxed) ||
            vsg_run_crowd_is_decided_alone(crowd)) &&
           !atomic_load_explicit(&crowd->is_off, memory_order_relaxed);
}

bool vsg_run_crowd_is_decided_alone(const vsg_run_crowd *crowd)
{
    return atomic_load_explicit(&crowd->holds_ns, memory_order_relaxed) > 0 &&
           atomic_load_explicit(&crowd->is_alone, memory_order_relaxed);
}

void vsg_run_crowd_give_up(vsg_run_crowd *crowd)
{
    atomic_store(&crowd->is_off, true);
}

uint32_t vsg_run_crowd_active(const vsg_run_crowd *crowd)
{
    return atomic_load(&crowd->working) - atomic_load(&crowd->resting);
}

static bool is_enough(const vsg_run_crowd_times *times, uint64_t ns)
{
    return atomic_load(&times->ns) >= ns && atomic_load(&times->portions) >= LEAST_PORTIONS;
}

static double time_of_group(const vsg_run_crowd_times *times)
{
    return (double)atomic_load(&times->ns) / (double)atomic_load(&times->groups);
}

static void decide(vsg_run_crowd *crowd)
{
    if (!is_enough(&crowd->together, (uint64_t)MEASURED_NS * crowd->jobs))
        return;
    if (!is_enough(&crowd->alone, MEASURED_NS)) {
        atomic_store(&crowd->tries_alone, true);
        return;
    }
    /* All are worth their processor time where they are a quarter quicker. */
    atomic_store(&crowd->is_alone, time_of_group(&crowd->alone) * crowd->jobs <
                                       1.25 * time_of_group(&crowd->together));
    uint64_t holds = HOLDS * (atomic_load(&crowd->alone.ns) + atomic_load(&crowd->together.ns));
    atomic_store(&crowd->holds_ns, holds < MOST_HOLDS_NS ? (int64_t)holds : MOST_HOLDS_NS);
    atomic_store(&crowd->tries_alone, false);
    forget(&crowd->alone);
    forget(&crowd->together);
}

void vsg_run_crowd_note(vsg_run_crowd *crowd, uint32_t worker, uint32_t active, uint64_t groups,
                        uint64_t ns, bool is_timed)
{
    bool is_trial = atomic_load(&crowd->tries_alone);
    vsg_run_crowd_times *times = is_trial ? &crowd->alone : &crowd->together;

    if (atomic_load(&crowd->holds_ns) > 0) {
        (void)atomic_fetch_sub(&crowd->holds_ns, (int64_t)ns);
        return;
    }
    if (!is_timed || ns > MOST_NS || active != (is_trial ? 1 : crowd->jobs))
        return;
    (void)atomic_fetch_add(&times->groups, groups);
    (void)atomic_fetch_add(&times->ns, ns);
    (void)atomic_fetch_add(&times->portions, 1);
    if (worker == 0)
        decide(crowd);
}
