/* SPDX-License-Identifier: MIT */
#include "runtime/pool.h"

#include <signal.h>

/* Looks at what another thread changes before this one sleeps, about 10 us: to wake up takes
 * five times as long, and the workers of a launch end within that of each other. */
enum { NUM_LOOKS = 400 };

static void rest(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

typedef struct start_info {
    vsg_run_pool *pool;
    uint32_t worker;
    uint64_t seen; /* number of the last run that is not for this thread */
} start_info;

static void *worker_main(void *argument)
{
    start_info *info = argument;
    vsg_run_pool *pool = info->pool;
    uint32_t worker = info->worker;
    uint64_t seen = info->seen;

    vsg_base_delete(&pool->alloc, info, 1, sizeof *info);
    for (;;) {
        for (uint32_t i = 0; i < NUM_LOOKS && atomic_load(&pool->number) == seen; i++)
            rest();
        (void)pthread_mutex_lock(&pool->lock);
        while (!pool->quit && pool->number == seen)
            (void)pthread_cond_wait(&pool->begin, &pool->lock);
        if (pool->quit)
            break;
        seen = pool->number;
        bool is_wanted = worker <= pool->wanted;
        atomic_fetch_add(&pool->running, is_wanted);
        vsg_run_work work = pool->work;
        void *user = pool->user;
        (void)pthread_mutex_unlock(&pool->lock);
        if (!is_wanted)
            continue;
        work(user, worker);
        (void)pthread_mutex_lock(&pool->lock);
        if (atomic_fetch_sub(&pool->running, 1) == 1)
            (void)pthread_cond_signal(&pool->done);
        (void)pthread_mutex_unlock(&pool->lock);
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static bool start_one(vsg_run_pool *pool)
{
    start_info *info = vsg_base_new(&pool->alloc, 1, sizeof *info);
    sigset_t all, old;

    if (!info)
        return false;
    *info = (start_info){pool, pool->num_started + 1, pool->number};
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    int error = pthread_create(&pool->threads[pool->num_started], NULL, worker_main, info);
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (error != 0) {
        vsg_base_delete(&pool->alloc, info, 1, sizeof *info);
        return false;
    }
    pool->num_started++;
    vsg_run_places_put(&pool->places, pool->threads[pool->num_started - 1], pool->num_started);
    return true;
}

bool vsg_run_pool_init(vsg_run_pool *pool, const vsg_base_alloc *alloc, uint32_t num_workers)
{
    *pool = (vsg_run_pool){.alloc = *alloc};
    if (num_workers > 1) {
        pool->threads = vsg_base_new(alloc, num_workers - 1, sizeof *pool->threads);
        if (!pool->threads)
            return false;
    }
    if (pthread_mutex_init(&pool->lock, NULL) != 0)
        goto no_lock;
    if (pthread_cond_init(&pool->begin, NULL) != 0)
        goto no_begin;
    if (pthread_cond_init(&pool->done, NULL) != 0)
        goto no_done;
    pool->num_workers = num_workers;
    vsg_run_places_init(&pool->places, alloc, num_workers);
    return true;

no_done:
    (void)pthread_cond_destroy(&pool->begin);
no_begin:
    (void)pthread_mutex_destroy(&pool->lock);
no_lock:
    vsg_base_delete(alloc, pool->threads, num_workers - 1, sizeof *pool->threads);
    *pool = (vsg_run_pool){0};
    return false;
}

void vsg_run_pool_fini(vsg_run_pool *pool)
{
    if (pool->num_workers == 0)
        return;
    (void)pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    (void)pthread_cond_broadcast(&pool->begin);
    (void)pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->num_started; i++)
        (void)pthread_join(pool->threads[i], NULL);
    (void)pthread_cond_destroy(&pool->done);
    (void)pthread_cond_destroy(&pool->begin);
    (void)pthread_mutex_destroy(&pool->lock);
    vsg_run_places_fini(&pool->places, &pool->alloc);
    vsg_base_delete(&pool->alloc, pool->threads, pool->num_workers - 1, sizeof *pool->threads);
    *pool = (vsg_run_pool){0};
}

void vsg_run_pool_run(vsg_run_pool *pool, uint32_t num_workers, vsg_run_work work, void *user)
{
    uint32_t helpers = num_workers - 1;

    (void)pthread_mutex_lock(&pool->lock);
    while (pool->num_started < helpers && start_one(pool)) {
    }
    if (helpers > pool->num_started)
        helpers = pool->num_started;
    pool->work = work;
    pool->user = user;
    pool->wanted = helpers;
    pool->number++;
    if (helpers) {
        vsg_run_places_clear(&pool->places, pool->threads, pool->num_started);
        (void)pthread_cond_broadcast(&pool->begin);
    }
    (void)pthread_mutex_unlock(&pool->lock);

    work(user, 0);

    (void)pthread_mutex_lock(&pool->lock);
    pool->wanted = 0;
    (void)pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < NUM_LOOKS && atomic_load(&pool->running) > 0; i++)
        rest();
    (void)pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->running) > 0)
        (void)pthread_cond_wait(&pool->done, &pool->lock);
    (void)pthread_mutex_unlock(&pool->lock);
}
