/* SPDX-License-Identifier: MIT
 *
 * The device's address space and its worker threads. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "run_support.h"
#include "runtime/memory.h"
#include "runtime/pool.h"

enum { PAGE = VSG_RUN_PAGE_BYTES, ARENA = 16 << 20 };

static void open_memory(vsg_run_memory *memory, vsg_base_alloc *alloc)
{
    *alloc = vsg_base_alloc_default();
    assert_true(vsg_run_memory_init(memory, alloc, ARENA, true));
}

static bool is_open(const vsg_run_memory *memory, uint64_t address, uint64_t size)
{
    return vsg_exe_space_at(&memory->space, address, size) != NULL;
}

static void addresses_are_low_and_not_zero(void **state)
{
    vsg_base_alloc alloc;
    vsg_run_memory memory;

    (void)state;
    open_memory(&memory, &alloc);
    assert_true(memory.space.base != NULL);
    assert_true((uint64_t)(uintptr_t)memory.space.base + memory.space.size_bytes <= (uint64_t)1
                                                                                        << 47);
    assert_int_equal(memory.space.size_bytes, ARENA);
    vsg_run_memory_fini(&memory);
    vsg_run_memory_fini(&memory); /* of a zeroed one: nothing */
}

static void pages_are_zero_and_apart(void **state)
{
    vsg_base_alloc alloc;
    vsg_run_memory memory;

    (void)state;
    open_memory(&memory, &alloc);
    uint64_t first = vsg_run_memory_allocate(&memory, 1);
    uint64_t second = vsg_run_memory_allocate(&memory, PAGE + 1);
    assert_true(first != 0 && second != 0);
    assert_int_equal(first % PAGE, 0);
    assert_int_equal(second % PAGE, 0);
    /* One page, a hole, two pages, a hole; a hole before all. */
    assert_false(is_open(&memory, first - 1, 1));
    assert_true(is_open(&memory, first, PAGE));
    assert_false(is_open(&memory, first + PAGE, 1));
    assert_false(is_open(&memory, first + PAGE - 1, 2));
    assert_true(is_open(&memory, second, 2 * PAGE));
    assert_false(is_open(&memory, second + 2 * PAGE, 1));
    assert_false(is_open(&memory, second - 1, 1));
    assert_false(is_open(&memory, 0, 1));
    assert_false(is_open(&memory, UINT64_MAX, 1));
    const uint8_t *bytes = vsg_run_memory_at(&memory, second);
    for (size_t i = 0; i < 2 * PAGE; i++)
        assert_int_equal(bytes[i], 0);
    vsg_run_memory_fini(&memory);
}

static void freed_pages_come_back_zero(void **state)
{
    vsg_base_alloc alloc;
    vsg_run_memory memory;

    (void)state;
    open_memory(&memory, &alloc);
    uint64_t first = vsg_run_memory_allocate(&memory, 3 * PAGE);
    uint64_t second = vsg_run_memory_allocate(&memory, PAGE);
    memset(vsg_run_memory_at(&memory, first), 0xee, 3 * PAGE);
    vsg_run_memory_release(&memory, first, 3 * PAGE);
    assert_false(is_open(&memory, first, 1));
    assert_false(is_open(&memory, first + 2 * PAGE, 1));
    assert_true(is_open(&memory, second, PAGE));
    /* First fit: the hole is taken again. */
    uint64_t third = vsg_run_memory_allocate(&memory, PAGE);
    assert_int_equal(third, first);
    const uint8_t *bytes = vsg_run_memory_at(&memory, third);
    for (size_t i = 0; i < PAGE; i++)
        assert_int_equal(bytes[i], 0);
    vsg_run_memory_release(&memory, 0, 1); /* nothing */
    vsg_run_memory_fini(&memory);
}

/* More than a process may have mappings. */
static void many_may_be_allocated(void **state)
{
    enum { MANY = 70000 };
    vsg_base_alloc alloc = vsg_base_alloc_default();
    uint64_t *at = malloc(MANY * sizeof *at);
    vsg_run_memory memory;

    (void)state;
    assert_non_null(at);
    assert_true(vsg_run_memory_init(&memory, &alloc, (uint64_t)1 << 30, true));
    for (uint32_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < MANY; i++)
            assert_int_not_equal(at[i] = vsg_run_memory_allocate(&memory, 1), 0);
        for (size_t i = 0; i < MANY; i += 100) {
            uint8_t *bytes = vsg_run_memory_at(&memory, at[i]);
            assert_int_equal(bytes[0], 0);
            memset(bytes, 0xee, PAGE);
            assert_true(is_open(&memory, at[i], 1));
            assert_false(is_open(&memory, at[i] + PAGE, 1));
        }
        for (size_t i = 0; i < MANY; i++)
            vsg_run_memory_release(&memory, at[i], 1);
        assert_int_equal(memory.num_free, 1);
        assert_false(is_open(&memory, at[0], 1));
    }
    free(at);
    vsg_run_memory_fini(&memory);
}

/* Whatever the order in which neighbours are freed, in the end all of it is one piece again. */
static void neighbours_are_joined(void **state)
{
    static const uint8_t orders[][4] = {
        {0, 1, 2, 3}, {3, 2, 1, 0}, {0, 2, 1, 3}, {1, 3, 0, 2}, {2, 0, 3, 1}};
    vsg_base_alloc alloc;
    vsg_run_memory memory;

    (void)state;
    open_memory(&memory, &alloc);
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        uint64_t at[4];
        for (size_t i = 0; i < 4; i++)
            assert_true((at[i] = vsg_run_memory_allocate(&memory, (i + 1) * PAGE)) != 0);
        for (size_t i = 0; i < 4; i++)
            vsg_run_memory_release(&memory, at[orders[o][i]], (orders[o][i] + 1u) * PAGE);
        assert_int_equal(memory.num_free, 1);
        assert_int_equal(memory.free[0].first, 1);
        assert_int_equal(memory.free[0].count, ARENA / PAGE - 1);
        assert_int_equal(memory.num_live, 0);
    }
    vsg_run_memory_fini(&memory);
}

static void room_runs_out(void **state)
{
    enum { MOST = ARENA / PAGE };
    vsg_base_alloc alloc;
    vsg_run_memory memory;
    uint64_t at[MOST];
    size_t count = 0;

    (void)state;
    open_memory(&memory, &alloc);
    assert_int_equal(vsg_run_memory_allocate(&memory, 0), 0);
    assert_int_equal(vsg_run_memory_allocate(&memory, ARENA), 0);
    assert_int_equal(vsg_run_memory_allocate(&memory, UINT64_MAX), 0);
    while (count < MOST && (at[count] = vsg_run_memory_allocate(&memory, PAGE)) != 0)
        count++;
    assert_int_equal(count, (MOST - 1) / 2); /* each takes a page and a hole */
    for (size_t i = 1; i < count; i += 2)
        vsg_run_memory_release(&memory, at[i], PAGE);
    assert_int_equal(vsg_run_memory_allocate(&memory, 2 * PAGE), 0); /* only small holes */
    for (size_t i = 0; i < count; i += 2)
        vsg_run_memory_release(&memory, at[i], PAGE);
    uint64_t all = vsg_run_memory_allocate(&memory, (uint64_t)(MOST - 2) * PAGE);
    assert_true(all != 0);
    vsg_run_memory_release(&memory, all, (uint64_t)(MOST - 2) * PAGE);
    vsg_run_memory_fini(&memory);
}

static void sizes_are_checked(void **state)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_run_memory memory;

    (void)state;
    assert_false(vsg_run_memory_init(&memory, &alloc, VSG_RUN_LEAST_MEMORY_BYTES - 1, true));
    assert_false(vsg_run_memory_init(&memory, &alloc, UINT64_MAX, false));
    assert_false(vsg_run_memory_init(&memory, &alloc, (uint64_t)1 << 47, true));
    /* More than the system has addresses for: less will do, where that was not forbidden. */
    assert_true(vsg_run_memory_init(&memory, &alloc, (uint64_t)1 << 47, false));
    assert_true(memory.space.size_bytes >= (uint64_t)64 << 20);
    vsg_run_memory_fini(&memory);
}

typedef struct churn {
    vsg_run_memory *memory;
    uint8_t mark;
    bool good;
} churn;

static void *churn_main(void *argument)
{
    churn *c = argument;

    c->good = true;
    for (size_t i = 0; i < 300; i++) {
        uint64_t size = (i % 5 + 1) * 1000;
        uint64_t at = vsg_run_memory_allocate(c->memory, size);
        uint8_t *bytes = at ? vsg_run_memory_at(c->memory, at) : NULL;
        if (!bytes || bytes[0] != 0 || bytes[size - 1] != 0) {
            c->good = false;
            break;
        }
        memset(bytes, c->mark, size);
        c->good &= bytes[size / 2] == c->mark;
        vsg_run_memory_release(c->memory, at, size);
    }
    return NULL;
}

static void threads_may_allocate(void **state)
{
    vsg_base_alloc alloc;
    vsg_run_memory memory;
    pthread_t thread[4];
    churn work[4];

    (void)state;
    open_memory(&memory, &alloc);
    for (size_t i = 0; i < 4; i++) {
        work[i] = (churn){&memory, (uint8_t)(i + 1), false};
        assert_int_equal(pthread_create(&thread[i], NULL, churn_main, &work[i]), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_true(work[i].good);
    }
    assert_int_equal(memory.num_live, 0);
    assert_int_equal(memory.num_free, 1);
    vsg_run_memory_fini(&memory);
}

/* ---- workers ---------------------------------------------------------------------------- */

enum { WORKERS = 3 };

typedef struct tally {
    atomic_uint calls[WORKERS], in_run;
    uint32_t wanted; /* parts of a run that the first one waits for */
} tally;

static void count_call(void *user, uint32_t worker)
{
    tally *t = user;

    atomic_fetch_add(&t->calls[worker], 1);
    atomic_fetch_add(&t->in_run, 1);
    while (worker == 0 && atomic_load(&t->in_run) < t->wanted)
        (void)sched_yield();
}

static void run_parts(vsg_run_pool *pool, tally *t, uint32_t num, bool waits)
{
    t->wanted = waits ? num : 1;
    atomic_store(&t->in_run, 0);
    (void)vsg_run_pool_run(pool, num, UINT64_MAX, count_call, t);
}

static void every_part_is_called_once(void **state)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_run_pool pool;
    tally t = {.wanted = 0};

    (void)state;
    assert_true(vsg_run_pool_init(&pool, &alloc, WORKERS));
    assert_int_equal(pool.num_started, 0); /* threads come with the first need of them */
    run_parts(&pool, &t, 1, true);
    assert_int_equal(pool.num_started, 0);
    for (uint32_t i = 0; i < 200; i++)
        run_parts(&pool, &t, 1 + i % WORKERS, true);
    assert_int_equal(t.calls[0], 201);
    assert_int_equal(t.calls[1], 133); /* of 200 runs those with 2 and 3 workers */
    assert_int_equal(t.calls[2], 66);
    vsg_run_pool_fini(&pool);
    vsg_run_pool_fini(&pool);
}

typedef struct alone {
    vsg_run_pool *pool;
    atomic_bool has_help;
    bool looks; /* and calls others when that is due */
} alone;

/* Part 0 is short, or goes on until another one has come. */
static void work_alone(void *user, uint32_t worker)
{
    alone *a = user;

    if (worker > 0)
        atomic_store(&a->has_help, true);
    while (worker == 0 && a->looks && !atomic_load(&a->has_help))
        vsg_run_pool_look(a->pool);
}

static void others_sleep_while_work_is_short(void **state)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_run_pool pool;
    alone a = {.pool = &pool};

    (void)state;
    assert_true(vsg_run_pool_init(&pool, &alloc, WORKERS));
    (void)vsg_run_pool_run(&pool, WORKERS, UINT64_MAX, work_alone, &a);
    for (uint32_t i = 0; i < 20; i++) {
        struct timespec pause = {0, 5000000};
        uint64_t calls = pool.number;
        (void)nanosleep(&pause, NULL);
        while (atomic_load(&pool.looking) > 0)
            (void)sched_yield();
        atomic_store(&a.has_help, false);
        a.looks = i % 2 > 0;
        assert_true(vsg_run_pool_run(&pool, WORKERS, 10, work_alone, &a) > 0);
        assert_int_equal(pool.number, calls + a.looks);
        assert_int_equal(atomic_load(&a.has_help), a.looks);
    }
    vsg_run_pool_fini(&pool);
}

/* Others are called in time or not at all, and never in another run. */
static void late_parts_are_left_out(void **state)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_run_pool pool;
    tally t = {.wanted = 0};

    (void)state;
    assert_true(vsg_run_pool_init(&pool, &alloc, WORKERS));
    for (uint32_t i = 0; i < 2000; i++) {
        unsigned before = t.calls[1] + t.calls[2];
        run_parts(&pool, &t, 1 + i % WORKERS, false);
        assert_int_equal(t.calls[0], i + 1);
        assert_true(t.calls[1] + t.calls[2] - before <= i % WORKERS);
        assert_int_equal(t.in_run, 1 + t.calls[1] + t.calls[2] - before);
    }
    vsg_run_pool_fini(&pool);
}

static void devices_clean_up(void **state)
{
    fixture *f = *state;

    for (uint32_t jobs = 0; jobs < 5; jobs++) {
        make_device(f, VISAGE_PLATFORM_PVC, jobs);
        if (jobs)
            assert_int_equal(visage_device_jobs(f->device), jobs);
        else
            assert_true(visage_device_jobs(f->device) >= 1);
        (void)make_buffer(f, 0, 12345, 0);
        visage_buffer_destroy(&f->buffers[0]);
        visage_device_destroy(&f->device);
        assert_null(f->device);
    }
}

/* Two devices have addresses of their own. */
static void devices_coexist(void **state)
{
    fixture *f = *state;
    visage_device *other = NULL;
    visage_buffer *buffer = NULL;

    make_device(f, VISAGE_PLATFORM_SKL, 1);
    other = f->device;
    f->device = NULL;
    make_device(f, VISAGE_PLATFORM_DG2, 1);
    uint8_t *mine = make_buffer(f, 0, 100, 1);
    assert_int_equal(visage_buffer_create(other, 100, &buffer), VISAGE_OK);
    assert_ptr_not_equal(visage_buffer_data(buffer), mine);
    assert_int_equal(visage_buffer_address(buffer), (uintptr_t)visage_buffer_data(buffer));
    assert_int_equal(*(uint8_t *)visage_buffer_data(buffer), 0);
    visage_buffer_destroy(&buffer);
    visage_device_destroy(&other);
    assert_int_equal(mine[99], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_low_and_not_zero),
        cmocka_unit_test(pages_are_zero_and_apart),
        cmocka_unit_test(freed_pages_come_back_zero),
        cmocka_unit_test(many_may_be_allocated),
        cmocka_unit_test(neighbours_are_joined),
        cmocka_unit_test(room_runs_out),
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(threads_may_allocate),
        cmocka_unit_test(every_part_is_called_once),
        cmocka_unit_test(others_sleep_while_work_is_short),
        cmocka_unit_test(late_parts_are_left_out),
        cmocka_unit_test_setup_teardown(devices_clean_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(devices_coexist, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
