/* SPDX-License-Identifier: MIT
 *
 * Which processors the workers of a pool run on. */
#define _GNU_SOURCE /* sched_getcpu() and its like */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/processor.h"
#include "runtime/pool.h"

typedef struct place_state {
    cpu_set_t all; /* of the test itself */
    vsg_run_pool pool;
    uint32_t num;
    int *seen; /* a processor for each worker */
    uint32_t num_called;
    atomic_uint num_seen;
    cpu_set_t seen_set;
} place_state;

/* The first worker waits for the others: who comes late is not called. */
static void look(void *user, uint32_t worker)
{
    place_state *s = user;

    s->seen[worker] = sched_getcpu();
    atomic_fetch_add(&s->num_seen, 1);
    while (worker == 0 && atomic_load(&s->num_seen) < s->num_called)
        (void)sched_yield();
}

static void look_around(place_state *s, vsg_run_pool *pool, uint32_t num)
{
    s->num_called = num;
    atomic_store(&s->num_seen, 0);
    (void)vsg_run_pool_run(pool, num, UINT64_MAX, look, s);
}

static int set_up(void **state)
{
    place_state *s = calloc(1, sizeof *s);
    vsg_base_alloc alloc = vsg_base_alloc_default();

    *state = s;
    if (!s || sched_getaffinity(0, sizeof s->all, &s->all) != 0)
        return -1;
    s->num = vsg_base_processors();
    s->seen = calloc(s->num, sizeof *s->seen);
    return s->seen && vsg_run_pool_init(&s->pool, &alloc, s->num) ? 0 : -1;
}

static int tear_down(void **state)
{
    place_state *s = *state;

    vsg_run_pool_fini(&s->pool);
    (void)sched_setaffinity(0, sizeof s->all, &s->all);
    free(s->seen);
    free(s);
    return 0;
}

static void stay_on(const place_state *s, uint32_t processor)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    assert_true(CPU_ISSET(processor, &s->all));
    assert_int_equal(sched_setaffinity(0, sizeof set, &set), 0);
}

static void assert_all_apart(const place_state *s)
{
    for (uint32_t i = 0; i < s->num; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_int_not_equal(s->seen[i], s->seen[k]);
}

/* Wherever the thread is that asks. */
static void workers_are_elsewhere(void **state)
{
    place_state *s = *state;

    if (s->num < 2)
        skip();
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t p = 0; p < CPU_SETSIZE; p++) {
            if (!CPU_ISSET(p, &s->all))
                continue;
            stay_on(s, p);
            look_around(s, &s->pool, s->num);
            assert_int_equal(s->seen[0], p);
            assert_all_apart(s);
        }
}

static uint32_t other_than(const place_state *s, uint32_t but)
{
    uint32_t p = 0;

    while (p == but || !CPU_ISSET(p, &s->all))
        p++;
    return p;
}

/* What somebody else has decided stays. */
static void a_moved_worker_stays_there(void **state)
{
    place_state *s = *state;
    cpu_set_t now;

    if (s->num < 2)
        skip();
    look_around(s, &s->pool, s->num);
    for (uint32_t i = 0; i < s->pool.num_started; i++)
        assert_int_equal(pthread_setaffinity_np(s->pool.threads[i], sizeof s->all, &s->all), 0);
    for (uint32_t i = 0; i < 4; i++) {
        stay_on(s, i % 2 ? (uint32_t)s->seen[0] : other_than(s, (uint32_t)s->seen[0]));
        look_around(s, &s->pool, s->num);
    }
    for (uint32_t i = 0; i < s->pool.num_started; i++) {
        assert_int_equal(pthread_getaffinity_np(s->pool.threads[i], sizeof now, &now), 0);
        assert_true(CPU_EQUAL(&now, &s->all));
    }
}

/* Only a pool that has the whole machine knows where its workers belong. */
static void other_pools_go_where_the_system_says(void **state)
{
    place_state *s = *state;
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_run_pool more;
    cpu_set_t now;

    assert_true(vsg_run_pool_init(&more, &alloc, s->num + 1));
    s->seen = realloc(s->seen, (s->num + 1) * sizeof *s->seen);
    assert_non_null(s->seen);
    look_around(s, &more, s->num + 1);
    for (uint32_t i = 0; i < more.num_started; i++) {
        assert_int_equal(pthread_getaffinity_np(more.threads[i], sizeof now, &now), 0);
        assert_true(CPU_EQUAL(&now, &s->all));
    }
    vsg_run_pool_fini(&more);
}

static void *open_up(void *user)
{
    place_state *s = user;

    stay_on(s, other_than(s, CPU_SETSIZE));
    vsg_base_processors_open();
    return sched_getaffinity(0, sizeof s->seen_set, &s->seen_set) == 0 ? s : NULL;
}

/* A thread that compiles is begun by whichever worker sees the need. */
static void a_thread_gets_away(void **state)
{
    place_state *s = *state;
    pthread_t thread;
    void *result = NULL;

    assert_int_equal(pthread_create(&thread, NULL, open_up, s), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, s);
    assert_true(CPU_EQUAL(&s->seen_set, &s->all));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(workers_are_elsewhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_moved_worker_stays_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_pools_go_where_the_system_says, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_thread_gets_away, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
