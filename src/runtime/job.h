/* SPDX-License-Identifier: MIT
 *
 * One run of a launch, as its workers see it: each takes groups of a part of them, in order,
 * and runs each to its end; then it takes some of the others' parts. */
#ifndef VISAGE_RUNTIME_JOB_H
#define VISAGE_RUNTIME_JOB_H

#include <pthread.h>
#include <stdatomic.h>

#include "runtime/check.h"
#include "runtime/payload.h"
#include "runtime/relief.h"
#include "runtime/space.h"

/* How workers run groups. */
typedef struct vsg_run_way {
    vsg_jit_code code; /* of the kernel; no run: none */
    bool starts;       /* threads may begin in the code */
} vsg_run_way;

/* Why a run ended early. The one in the lowest group counts, whoever came upon it first, so
 * that a report does not depend on the number of workers. */
typedef struct vsg_run_failure {
    visage_status status; /* OK: none */
    uint64_t group;
    uint32_t thread;
    vsg_exe_fault fault;
    uint32_t mask;                 /* FAULT: channels that were on */
    uint32_t waiting, num_threads; /* FAULT_BARRIER */
} vsg_run_failure;

struct vsg_run_job {
    visage_launch *launch;
    const vsg_run_dispatch *dispatch;
    const vsg_run_payload *payload;
    vsg_run_slm slm;
    uint64_t scratch_bytes; /* of a thread */
    bool has_arguments;     /* implicit ones, in scratch from `arguments_at` on */
    uint64_t arguments_at;
    uint64_t budget;      /* instructions of a thread, 0: no limit */
    uint32_t timeout_ms;  /* 0: none */
    uint64_t deadline;    /* of vsg_base_now(), 0: none */
    uint32_t num_parts;   /* the first workers' */
    vsg_run_crowd *crowd; /* NULL: all are at work */
    vsg_run_relief relief;
    atomic_uint_least64_t limit; /* groups from here on are not run any more */
    atomic_uint_least64_t groups, threads, instructions; /* done */
    atomic_bool timed_out;
    pthread_mutex_t lock; /* of the next three */
    pthread_cond_t wakes; /* workers that rest, by CLOCK_MONOTONIC */
    bool is_left;         /* the first worker has stopped */
    vsg_run_failure failure;
    vsg_run_space space;
    vsg_run_check *check;   /* NULL: not checked */
    uint64_t seed;          /* of the schedule, 0: in order */
    vsg_run_way way;        /* of the device's workers; */
    vsg_run_way relief_way; /* and of those that come as relief, if they do */
    atomic_bool polls;      /* a thread was in a loop for so long that others had a turn */
    uint64_t started;       /* vsg_base_now() */
    uint64_t elapsed_before, groups_before; /* its code: ns, and groups that were done */
    atomic_bool watches;                    /* for code, or such as is quicker */
    /* What making that code takes, in nanoseconds, as the last look saw it; 0: nobody does. */
    atomic_uint_least64_t compiling;
    atomic_bool changes;          /* there is code now: workers stop before their next group */
    atomic_uint_least64_t looked; /* nanoseconds after the start */
    vsg_exe_launch exec;          /* engines see this; last, as its tables are */
};

/* Of visage_engine: what runs a launch that names none. */
enum { VSG_RUN_DEFAULT_ENGINE = VISAGE_ENGINE_AUTO };

/* Finds the code of the kernel for a job that is about to run (code.c). */
void vsg_run_code_find(vsg_run_job *job, const visage_run_options *options,
                       vsg_jit_stats *found);
/* Code for threads one by one that `code` is not for: such as have stopped in a loop, or are of
 * a group that is not run as a whole. No run: memory is out, or it could not be made. Safe from
 * several threads at once. */
vsg_jit_code vsg_run_code_resuming(const vsg_run_job *job, const vsg_jit_code *code);
/* The way of workers that come as relief: by code, also where that is still to be made. */
void vsg_run_code_relief(vsg_run_job *job);
/* Before each group: is a worker to stop, so that the job can go on with code? May wait. */
bool vsg_run_code_watch(vsg_run_job *job, uint32_t worker);
/* When all workers have stopped: does the job go on? It has the code then. */
bool vsg_run_code_change(vsg_run_job *job, vsg_jit_stats *found);
void vsg_run_code_note(const vsg_run_job *job, const vsg_jit_stats *found,
                       visage_run_stats *stats);

/* A group that no worker has taken yet; the dispatch's num_groups: there is none. */
uint64_t vsg_run_job_next(const vsg_run_job *job);

/* Memory of a worker: for groups, cleared for what code remembers, and both. False: memory is
 * out. */
VISAGE_NODISCARD bool vsg_run_job_fit_worker(const vsg_run_job *job, vsg_run_worker *worker);
VISAGE_NODISCARD bool vsg_run_job_fit_code(const vsg_run_job *job, const vsg_run_way *way,
                                           vsg_run_worker *worker);
VISAGE_NODISCARD bool vsg_run_job_fit(const vsg_run_job *job, const vsg_run_way *way,
                                      vsg_run_worker *worker);

/* Shares the groups among `jobs` workers. */
void vsg_run_job_share(vsg_run_job *job, uint32_t jobs);

/* A vsg_run_work: runs groups until there are none or the job is stopped. */
void vsg_run_job_work(void *job, uint32_t worker);

/* Is the job to stop before `group` is done? Notices timeout and cancellation. */
bool vsg_run_job_stops(vsg_run_job *job, uint64_t group);
/* Notes why a group could not be finished. */
void vsg_run_job_fail(vsg_run_job *job, const vsg_run_failure *failure);

/* Runs groups `number` to `end - 1` on a worker's slots (group.c); *done: how many have come to
 * their end; *instructions: of all threads that have ended. False: the job is to stop. */
bool vsg_run_groups(vsg_run_job *job, uint32_t worker, uint64_t number, uint64_t end,
                    uint64_t *done, uint64_t *instructions);

/* The place of a failure, from its group on, in words. (fault.c) */
void vsg_run_describe(const vsg_run_job *job, const vsg_run_failure *failure, char *text,
                      size_t size);
/* Where the instruction stands; `line` gets the text of its line. */
vsg_base_location vsg_run_locate(const vsg_run_job *job, const vsg_exe_fault *fault, char *line,
                                 size_t line_size);
/* File and line of the source that the FILE and LOC before an instruction name; NULL and 0. */
void vsg_run_source_line(const vsg_obj_unit *unit, const vsg_obj_inst *inst, const char **file,
                         uint32_t *line);

/* Reports a failure (fault.c). */
void vsg_run_report(const vsg_run_job *job, const vsg_run_failure *failure,
                    visage_diagnostics *diagnostics);

#endif
