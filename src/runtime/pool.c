/* SPDX-License-Identifier: MIT */
#include "runtime/pool.h"

#include "base/clock.h"
#include "base/thread.h"

/* Looks at what another thread changes before this one sleeps, about 10 us: to wake up takes
 * longer, and the workers of a launch end within that of each other. */
enum { NUM_LOOKS = 400, LOOKING_NS = 10000 };

/* What waking takes before anybody has measured it, and what is believed at least and at most:
 * where all processors are busy it says nothing about when they are not. */
enum { FIRST_WAKE_NS = 20000, LEAST_WAKE_NS = 1000, MOST_WAKE_NS = 200000 };

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

/* ---- threads ----------------------------------------------------------------------------- */

/* A thread that slept is awake; pool->lock is held. One that was kept waiting by others says
 * little, so that no one counts for much. */
static void note_wake(vsg_run_pool *pool, uint64_t now)
{
    uint64_t took = now - pool->called_at, known = pool->wake_ns;

    if (took > 2 * known)
        took = 2 * known;
    pool->wake_ns = known - known / 8 + took / 8;
    if (pool->wake_ns < LEAST_WAKE_NS)
        pool->wake_ns = LEAST_WAKE_NS;
    if (pool->wake_ns > MOST_WAKE_NS)
        pool->wake_ns = MOST_WAKE_NS;
}

/* Until there is another run, or the pool ends; pool->lock is held then. */
static void await_run(vsg_run_pool *pool, uint64_t seen)
{
    bool slept = false;

    atomic_fetch_add(&pool->looking, 1);
    for (uint32_t i = 0; i < NUM_LOOKS && atomic_load(&pool->number) == seen; i++)
        rest();
    atomic_fetch_sub(&pool->looking, 1);
    (void)pthread_mutex_lock(&pool->lock);
    while (!pool->quit && pool->number == seen) {
        (void)pthread_cond_wait(&pool->begin, &pool->lock);
        slept = true;
    }
    if (slept && !pool->quit)
        note_wake(pool, vsg_base_now());
}

static void work_timed(vsg_run_pool *pool, vsg_run_work work, void *user, uint32_t worker)
{
    uint64_t began = vsg_base_now();

    work(user, worker);
    atomic_fetch_add(&pool->busy, vsg_base_now() - began);
}

static void *worker_main(void *argument)
{
    start_info *info = argument;
    vsg_run_pool *pool = info->pool;
    uint32_t worker = info->worker;
    uint64_t seen = info->seen;

    vsg_base_delete(&pool->alloc, info, 1, sizeof *info);
    for (;;) {
        await_run(pool, seen);
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
        work_timed(pool, work, user, worker);
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

    if (!info)
        return false;
    *info = (start_info){pool, pool->num_started + 1, pool->number};
    if (!vsg_base_thread_start(&pool->threads[pool->num_started], worker_main, info)) {
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
    pool->wake_ns = FIRST_WAKE_NS;
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

/* ---- runs -------------------------------------------------------------------------------- */

/* Lets threads join; pool->lock is held. */
static void call(vsg_run_pool *pool, uint32_t helpers)
{
    pool->wanted = helpers;
    pool->called_at = vsg_base_now();
    pool->number++;
    vsg_run_places_clear(&pool->places, pool->threads, pool->num_started);
    (void)pthread_cond_broadcast(&pool->begin);
}

/* How long the caller alone may work before others are worth waking: with two of them, a third
 * of that is saved, for as much processor time again. */
static uint64_t worth_waking(const vsg_run_pool *pool, uint32_t helpers)
{
    return 2 * pool->wake_ns + 2 * pool->wake_ns / (helpers + 1);
}

/* Should threads sleep on? Not where runs follow each other closely: they are awake for the
 * next one. */
static bool may_sleep(const vsg_run_pool *pool, uint32_t helpers, uint64_t expected_ns,
                      uint64_t now)
{
    return expected_ns < worth_waking(pool, helpers) && atomic_load(&pool->looking) == 0 &&
           now - pool->ended_at > LOOKING_NS;
}

static void begin(vsg_run_pool *pool, uint32_t helpers, uint64_t expected_ns, vsg_run_work work,
                  void *user)
{
    uint64_t now = vsg_base_now();

    (void)pthread_mutex_lock(&pool->lock);
    while (pool->num_started < helpers && start_one(pool)) {
    }
    if (helpers > pool->num_started)
        helpers = pool->num_started;
    pool->work = work;
    pool->user = user;
    pool->held = 0;
    atomic_store(&pool->busy, 0);
    if (may_sleep(pool, helpers, expected_ns, now)) {
        pool->held = helpers;
        pool->held_until = now + worth_waking(pool, helpers);
        pool->wake_ns -= pool->wake_ns / 256; /* so that it is measured again some time */
    } else if (helpers) {
        call(pool, helpers);
    }
    (void)pthread_mutex_unlock(&pool->lock);
}

void vsg_run_pool_look(vsg_run_pool *pool)
{
    if (pool->held == 0 || vsg_base_now() < pool->held_until)
        return;
    (void)pthread_mutex_lock(&pool->lock);
    call(pool, pool->held);
    pool->held = 0;
    (void)pthread_mutex_unlock(&pool->lock);
}

/* Those that come later find nothing. */
static void await_others(vsg_run_pool *pool)
{
    (void)pthread_mutex_lock(&pool->lock);
    pool->wanted = 0;
    (void)pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < NUM_LOOKS && atomic_load(&pool->running) > 0; i++)
        rest();
    (void)pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->running) > 0)
        (void)pthread_cond_wait(&pool->done, &pool->lock);
    (void)pthread_mutex_unlock(&pool->lock);
    pool->held = 0;
    pool->ended_at = vsg_base_now();
}

uint64_t vsg_run_pool_run(vsg_run_pool *pool, uint32_t num_workers, uint64_t expected_ns,
                          vsg_run_work work, void *user)
{
    if (num_workers <= 1) {
        work(user, 0);
        return 0;
    }
    begin(pool, num_workers - 1, expected_ns, work, user);
    work_timed(pool, work, user, 0);
    await_others(pool);
    return atomic_load(&pool->busy);
}
