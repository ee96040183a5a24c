/* SPDX-License-Identifier: MIT
 *
 * Worker threads of a device. They start with the first work that needs them, and wait without
 * using the processor in between.
 *
 * To wake up takes threads some 10 us, and 100 on virtual machines, and whoever wakes them a
 * third of that. Work that is known to be over by then the caller begins alone, and the others
 * are called only if it turns out to take longer. */
#ifndef VISAGE_RUNTIME_POOL_H
#define VISAGE_RUNTIME_POOL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "runtime/place.h"

/* Part `worker` of some work. */
typedef void (*vsg_run_work)(void *user, uint32_t worker);

typedef struct vsg_run_pool {
    vsg_base_alloc alloc;
    uint32_t num_workers; /* the caller's thread counts as worker 0 */
    pthread_t *threads;   /* num_workers - 1, of which num_started run */
    uint32_t num_started;
    vsg_run_places places;
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t begin, done;
    atomic_ullong number; /* of the run, from 1 */
    uint32_t wanted;      /* threads that may join this run; 0 where it is over */
    atomic_uint running;  /* that have joined and are not done yet */
    atomic_uint looking;  /* that are awake, but have nothing to do */
    atomic_ullong busy;   /* ns that all threads have worked in this run */
    uint64_t wake_ns;     /* what waking takes, more or less */
    uint64_t called_at;   /* vsg_base_now(): when threads that slept were, last */
    vsg_run_work work;
    void *user;
    bool quit;
    /* Of the caller alone: */
    uint32_t held;       /* threads that are not called yet */
    uint64_t held_until; /* vsg_base_now() */
    uint64_t ended_at;   /* the run before */
} vsg_run_pool;

VISAGE_NODISCARD bool vsg_run_pool_init(vsg_run_pool *pool, const vsg_base_alloc *alloc,
                                        uint32_t num_workers);
/* Also of a zeroed struct; waits for the threads to end. */
void vsg_run_pool_fini(vsg_run_pool *pool);

/* Calls work(user, 0) on this thread and work(user, 1 .. num_workers - 1) on others, and
 * returns when all have returned. Parts must take what there is to do from a common list: fewer
 * are called where the system refuses threads, and where they wake up only when that of this
 * thread has returned. num_workers: 1 to the pool's. expected_ns: how long one thread would
 * work, UINT64_MAX if nobody knows or parts wait for each other. Returns how long they have
 * worked, together; 0 for one worker. */
uint64_t vsg_run_pool_run(vsg_run_pool *pool, uint32_t num_workers, uint64_t expected_ns,
                          vsg_run_work work, void *user);

/* Part 0 calls this between steps of its work, and within long ones: the other threads are
 * called if that turned out to be long enough for them. */
void vsg_run_pool_look(vsg_run_pool *pool);

#endif
