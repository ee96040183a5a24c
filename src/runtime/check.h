/* SPDX-License-Identifier: MIT
 *
 * Check mode of a run: what its workers find, once for each instruction and kind. Findings do
 * not depend on the number of workers: the first one in the order of groups and threads tells
 * the place. */
#ifndef VISAGE_RUNTIME_CHECK_H
#define VISAGE_RUNTIME_CHECK_H

#include <pthread.h>

#include "exec/check_race.h"
#include "runtime/launch.h"

typedef struct vsg_run_job vsg_run_job;

typedef struct vsg_run_found {
    vsg_exe_finding first;
    uint64_t group;
    uint32_t thread;
    uint64_t executed; /* instructions of the thread until then */
    uint64_t count;    /* how often it was found */
} vsg_run_found;

typedef struct vsg_run_check {
    vsg_exe_check exec;
    vsg_exe_race race; /* used where data races are looked for */
    vsg_base_alloc alloc;
    pthread_mutex_t lock; /* of what follows */
    vsg_run_found *found;
    size_t num_found, cap_found;
    bool lost;       /* memory was out: something is missing */
    bool left_races; /* vsg_run_check_leave_races() */
} vsg_run_check;

/* Readies check mode for a job whose areas are made, and gives it `check`, which is to be freed
 * with vsg_run_check_fini(). Returns NO_MEMORY: there is nothing to free then. */
VISAGE_NODISCARD visage_status vsg_run_check_init(vsg_run_check *check, vsg_run_job *job,
                                                  vsg_run_thread_memory memory, bool races);
void vsg_run_check_fini(vsg_run_check *check);

/* Data races, which were looked for, are not any more. One worker runs, and calls this; more
 * may come. */
void vsg_run_check_leave_races(vsg_run_check *check);

/* A group starts. */
void vsg_run_check_group(vsg_run_check *check, uint64_t group);
/* All threads of the group have come to a barrier; was it the same one? */
void vsg_run_check_barrier(vsg_run_check *check, vsg_exe_thread *const *threads,
                           uint32_t num_threads);

/* Was memory out, so that something may not have been found? That is reported with the rest. */
bool vsg_run_check_lost(const vsg_run_check *check);

/* Reports all findings: to the list, and to whom the options name. Returns how many. */
size_t vsg_run_check_report(vsg_run_check *check, const vsg_run_job *job,
                            const visage_run_options *options, visage_diagnostics *diagnostics);

#endif
