/* SPDX-License-Identifier: MIT
 *
 * Groups may wait for others of the launch, in barriers of all of them, say, as programs write
 * where a GPU has room for so many. A worker runs a group to its end, so all may wait for
 * groups that nobody has taken. Where no group has ended for long, more workers come, with
 * threads of their own, until there are none such left, or as many threads as a GPU has. As
 * many workers as the launch began with are at work at a time, in turns. */
#ifndef VISAGE_RUNTIME_RELIEF_H
#define VISAGE_RUNTIME_RELIEF_H

#include <stdatomic.h>

#include "runtime/device.h"

/* Threads that are in progress at a time on the largest GPU there is (Ponte Vecchio: 512 vector
 * engines with 8 threads each). Programs turn %sr0 into 12 bits of thread id (platforms.def,
 * squeeze), so more could not be told apart. */
enum { VSG_RUN_MOST_LIVE_THREADS = 4096 };

typedef struct vsg_run_job vsg_run_job;

/* Of a run; all zeros: nobody comes. */
typedef struct vsg_run_relief {
    bool may_come;
    atomic_uint count; /* workers that have come */
    /* Guarded by the job's lock: */
    uint32_t jobs;          /* workers that the run begins with; */
    uint32_t most;          /* that may come, beside the device's */
    uint32_t expected;      /* that the launch has taken before */
    uint64_t interval;      /* ns from a call, or the last end of a group, to the next call */
    uint64_t groups, since; /* done, and vsg_base_now() when that was new */
    uint64_t groups_called; /* done when workers were first called */
    bool took_all;          /* none had ended when the last groups were taken */
    uint64_t failed;        /* vsg_base_now(): when a group was seen to have failed */
    uint32_t at_work;
    vsg_run_worker *first, *last; /* that wait for their turns; NULL: none */
} vsg_run_relief;

/* Before a run by `jobs` of the device's workers. most: 0: nobody is to come. expected: what
 * vsg_run_relief_end() has returned for the last one. */
void vsg_run_relief_begin(vsg_run_job *job, uint32_t jobs, uint32_t most, uint32_t expected);

/* By each worker of the run, before it takes groups and behind that; */
void vsg_run_relief_enter(vsg_run_job *job, uint32_t worker);
void vsg_run_relief_leave(vsg_run_job *job);
/* and time and again within long groups. */
void vsg_run_relief_look(vsg_run_job *job, uint32_t worker);

/* Has anybody come? Then threads that wait are not to do so for long at a time. */
static inline bool vsg_run_relief_is_there(const vsg_run_relief *relief)
{
    return atomic_load_explicit(&relief->count, memory_order_acquire) > 0;
}

/* When the device's workers have ended: waits for the others. Returns how many of those it
 * took, 0 if groups ended before all were taken. */
uint32_t vsg_run_relief_end(vsg_run_job *job);

#endif
