/* SPDX-License-Identifier: MIT
 *
 * Where a pool's workers run. A woken thread is often queued behind the one that woke it
 * although another processor is idle: in virtual machines, an idle processor looks like one
 * that the host has taken away. It gets there with the next balancing, milliseconds later,
 * when a short launch is over. Where there is a worker for each processor that the process may
 * use, each has one of its own, and never that of the thread that asks for the work. */
#ifndef VISAGE_RUNTIME_PLACE_H
#define VISAGE_RUNTIME_PLACE_H

#include <pthread.h>

#include "base/alloc.h"

typedef struct vsg_run_places {
    uint32_t *processors; /* [0] has no worker, [i] has worker i; NULL: the system decides */
    uint32_t num;
    bool has_ended; /* the system decides from now on */
} vsg_run_places;

/* Where there cannot be places, or memory is out, the system decides. num_workers counts the
 * thread that asks for the work. */
void vsg_run_places_init(vsg_run_places *places, const vsg_base_alloc *alloc,
                         uint32_t num_workers);
void vsg_run_places_fini(vsg_run_places *places, const vsg_base_alloc *alloc);

/* Puts a new worker, from 1, to its place. */
void vsg_run_places_put(vsg_run_places *places, pthread_t thread, uint32_t worker);

/* Moves the worker that is in this thread's place; threads[i] is worker i + 1, of which there
 * are num_threads. A worker that somebody else has put elsewhere ends this for all: from then
 * on the system decides. */
void vsg_run_places_clear(vsg_run_places *places, const pthread_t *threads,
                          uint32_t num_threads);

#endif
