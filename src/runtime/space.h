/* SPDX-License-Identifier: MIT
 *
 * Media thread spaces with a dependency pattern: the order in which places are taken, and the
 * waiting for those a place depends on. A thread starts when all of them have ended, which is
 * no later than the WAIT instruction asks for. Source: 3_execution_model, media mode; WAIT. */
#ifndef VISAGE_RUNTIME_SPACE_H
#define VISAGE_RUNTIME_SPACE_H

#include <pthread.h>

#include "base/alloc.h"
#include "runtime/dispatch.h"

enum { VSG_RUN_MOST_PLACES = 1 << 24 };

typedef struct vsg_run_job vsg_run_job;

/* Of a run. */
typedef struct vsg_run_space {
    const vsg_run_dispatch *dispatch;
    bool *done; /* by place, y * width + x; NULL: nothing depends on anything */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a place is done, or the run stops */
} vsg_run_space;

/* The number of a pattern's name, -1 for a name that is none. */
int vsg_run_pattern_find(const char *text);
bool vsg_run_pattern_is(uint32_t pattern);

/* Puts the places of a dispatch with a pattern into the order of their waves. False: no memory.
 */
VISAGE_NODISCARD bool vsg_run_space_order(vsg_run_dispatch *dispatch, vsg_base_arena *arena);

VISAGE_NODISCARD bool vsg_run_space_init(vsg_run_space *space, const vsg_run_dispatch *dispatch,
                                         vsg_base_arena *arena);
void vsg_run_space_fini(vsg_run_space *space);

/* Waits until everything that group `number` depends on has ended. False: the job stops. */
bool vsg_run_space_wait(vsg_run_space *space, vsg_run_job *job, uint64_t number);
/* Group `number` is over; is_done: it ran to its end, and what depends on it may run. */
void vsg_run_space_leave(vsg_run_space *space, uint64_t number, bool is_done);

#endif
