/* SPDX-License-Identifier: MIT
 *
 * The memory LLVM has (jit/llvm_heap.h), directly and as what this program itself allocates by,
 * which is linked like that library. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "jit/llvm_heap.h"

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
/* Sanitizers have memory of their own, and end programs that ask for too much. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ ||                             \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

enum { MIB = 1 << 20, LARGEST = 512 << 10, HELD = 4000, THREADS = 4, ROUNDS = 40 };

typedef struct held {
    unsigned char *at;
    size_t bytes;
    unsigned char mark;
} held;

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Small ones most of the time, as compilers'. */
static size_t random_size(uint64_t *state)
{
    return (size_t)(next_random(state) & (((uint64_t)1 << next_random(state) % 19) - 1)) + 1;
}

static held take_marked(size_t bytes, size_t alignment, unsigned char mark)
{
    held one = {vsg_llvm_heap_take(bytes, alignment), bytes, mark};

    if (one.at)
        memset(one.at, mark, bytes);
    return one;
}

static bool is_whole(const held *one)
{
    for (size_t i = 0; i < one->bytes; i++)
        if (one->at[i] != one->mark)
            return false;
    return true;
}

static size_t resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long all = 0, there = 0;

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu %lu", &all, &there), 2);
    (void)fclose(file);
    return there * (size_t)sysconf(_SC_PAGESIZE);
}

static void sizes_and_alignments(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes <= LARGEST; bytes += bytes < 2100 ? 1 : bytes / 7)
        for (size_t alignment = 1; alignment <= 4096; alignment *= 4) {
            if (bytes + alignment > LARGEST)
                continue;
            held one = take_marked(bytes, alignment, 0x5a);
            assert_non_null(one.at);
            assert_true(vsg_llvm_heap_has(one.at));
            assert_int_equal((uintptr_t)one.at % (alignment < 16 ? 16 : alignment), 0);
            assert_true(vsg_llvm_heap_size(one.at) >= bytes);
            memset(one.at, 0xa5, vsg_llvm_heap_size(one.at));
            vsg_llvm_heap_give(one.at);
        }
    void *largest = vsg_llvm_heap_take(LARGEST, 1);
    assert_non_null(largest);
    vsg_llvm_heap_give(largest);
    assert_null(vsg_llvm_heap_take(LARGEST + 1, 1));
    assert_null(vsg_llvm_heap_take(LARGEST, 64));
    assert_null(vsg_llvm_heap_take(16, LARGEST * 2));
    assert_null(vsg_llvm_heap_take(SIZE_MAX, 1));
    assert_false(vsg_llvm_heap_has(NULL));
    assert_false(vsg_llvm_heap_has(state));
    assert_false(vsg_llvm_heap_has(&largest));
}

/* Blocks keep what is written to them while others come and go around them. */
static void blocks_are_apart(void **state)
{
    static held all[HELD];
    uint64_t random = 1;

    (void)state;
    for (unsigned round = 0; round < 200000; round++) {
        held *one = &all[next_random(&random) % HELD];
        if (one->at) {
            assert_true(is_whole(one));
            vsg_llvm_heap_give(one->at);
            one->at = NULL;
        } else {
            *one = take_marked(random_size(&random), (size_t)1 << next_random(&random) % 8,
                               (unsigned char)next_random(&random));
            assert_non_null(one->at);
        }
    }
    for (unsigned i = 0; i < HELD; i++)
        if (all[i].at) {
            assert_true(is_whole(&all[i]));
            vsg_llvm_heap_give(all[i].at);
        }
}

/* What was used is used again, and what is left over is the system's. */
static void memory_goes_back(void **state)
{
    enum { BLOCKS = 4096, BYTES = 64 << 10 };
    static held all[BLOCKS];

    (void)state;
    if (IS_SANITIZED)
        skip();
    size_t before = resident();
    for (unsigned round = 0; round < 4; round++) {
        for (unsigned i = 0; i < BLOCKS; i++)
            all[i] = take_marked(BYTES, 1, (unsigned char)(i + round));
        assert_true(resident() - before > (size_t)BLOCKS * BYTES / 2);
        for (unsigned i = 0; i < BLOCKS; i++) {
            assert_non_null(all[i].at);
            assert_true(is_whole(&all[i]));
            vsg_llvm_heap_give(all[i].at);
        }
        assert_true(resident() < before + 40 * (size_t)MIB);
    }
}

typedef struct exchange {
    pthread_barrier_t round;
    held blocks[THREADS][HELD];
    bool is_bad[THREADS];
    size_t most;   /* resident, with all threads there */
    unsigned next; /* the number of the next thread */
} exchange;

/* In each round a thread frees what it and others have taken. */
static void *pass_blocks_on(void *p)
{
    exchange *e = p;
    unsigned number = __atomic_fetch_add(&e->next, 1, __ATOMIC_RELAXED);
    uint64_t random = number + 1;

    for (unsigned round = 0; round < ROUNDS; round++) {
        held *own = e->blocks[number];
        for (unsigned i = 0; i < HELD; i++) {
            own[i] = take_marked(random_size(&random) % 2000 + 1, 1, (unsigned char)random);
            e->is_bad[number] |= !own[i].at;
        }
        (void)pthread_barrier_wait(&e->round);
        for (unsigned i = 0; i < HELD; i++) {
            const held *one = &e->blocks[(number + i) % THREADS][i];
            if (!one->at)
                continue;
            e->is_bad[number] |= !is_whole(one);
            vsg_llvm_heap_give(one->at);
        }
        if (pthread_barrier_wait(&e->round) == PTHREAD_BARRIER_SERIAL_THREAD &&
            round == ROUNDS - 1)
            e->most = resident();
    }
    return NULL;
}

static void threads_pass_blocks_on(void **state)
{
    static exchange e;
    pthread_t threads[THREADS];

    (void)state;
    size_t before = resident();
    for (unsigned time = 0; time < 3; time++) {
        e.next = 0;
        assert_int_equal(pthread_barrier_init(&e.round, NULL, THREADS), 0);
        for (unsigned i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, pass_blocks_on, &e), 0);
        for (unsigned i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_false(e.is_bad[i]);
        }
        assert_int_equal(pthread_barrier_destroy(&e.round), 0);
        assert_true(IS_SANITIZED || e.most < before + 64 * (size_t)MIB);
    }
}

typedef struct crowd {
    pthread_barrier_t all_have;
    unsigned served;
} crowd;

static void *take_one(void *p)
{
    crowd *c = p;
    held one = take_marked(100, 1, 7);

    if (one.at)
        __atomic_fetch_add(&c->served, 1, __ATOMIC_RELAXED);
    (void)pthread_barrier_wait(&c->all_have);
    if (one.at)
        vsg_llvm_heap_give(one.at);
    return NULL;
}

/* More threads than are served at once, twice: those of the second time are served instead of
 * those that ended. */
static void crowds_are_served_in_part(void **state)
{
    enum { CROWD = 200 };
    pthread_t threads[CROWD];
    unsigned served[2];

    (void)state;
    for (unsigned time = 0; time < 2; time++) {
        crowd c = {.served = 0};
        assert_int_equal(pthread_barrier_init(&c.all_have, NULL, CROWD), 0);
        for (unsigned i = 0; i < CROWD; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, take_one, &c), 0);
        for (unsigned i = 0; i < CROWD; i++)
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(pthread_barrier_destroy(&c.all_have), 0);
        served[time] = c.served;
    }
    assert_in_range(served[0], 16, CROWD - 1);
    assert_int_equal(served[1], served[0]);
}

enum { IDLE = 16, TAKEN = 24, TAKEN_BYTES = 500 << 10 };

static void *take_and_idle(void *p)
{
    pthread_barrier_t *all = p;
    held taken[TAKEN];

    for (unsigned i = 0; i < TAKEN; i++)
        taken[i] = take_marked(TAKEN_BYTES, 1, 1);
    (void)pthread_barrier_wait(all);
    (void)pthread_barrier_wait(all);
    for (unsigned i = 0; i < TAKEN; i++)
        if (taken[i].at)
            vsg_llvm_heap_give(taken[i].at);
    (void)pthread_barrier_wait(all);
    (void)pthread_barrier_wait(all);
    return NULL;
}

/* Threads that have given back all, and go on without the heap, keep little. */
static void idle_threads_keep_little(void **state)
{
    pthread_barrier_t all;
    pthread_t threads[IDLE];

    (void)state;
    if (IS_SANITIZED)
        skip();
    size_t before = resident();
    assert_int_equal(pthread_barrier_init(&all, NULL, IDLE + 1), 0);
    for (unsigned i = 0; i < IDLE; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_idle, &all), 0);
    (void)pthread_barrier_wait(&all);
    size_t most = resident();
    (void)pthread_barrier_wait(&all); /* and not before */
    (void)pthread_barrier_wait(&all);
    size_t idle = resident();
    (void)pthread_barrier_wait(&all);
    for (unsigned i = 0; i < IDLE; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(pthread_barrier_destroy(&all), 0);
    assert_true(most > before + (size_t)IDLE * TAKEN * TAKEN_BYTES / 2);
    assert_true(idle < before + (most - before) / 2);
    assert_true(resident() < before + 16 * (size_t)MIB);
}

static void *take_blocks(void *p)
{
    held *blocks = p;

    for (unsigned i = 0; i < HELD; i++)
        blocks[i] = take_marked(i % 700 + 1, 1, (unsigned char)i);
    return NULL;
}

/* What a thread leaves behind is whole, can be given back by others, and then serves the next
 * one. */
static void blocks_outlive_threads(void **state)
{
    static held blocks[2][HELD];
    pthread_t thread;

    (void)state;
    for (unsigned time = 0; time < 10; time++) {
        held *own = blocks[time % 2], *before = blocks[(time + 1) % 2];
        assert_int_equal(pthread_create(&thread, NULL, take_blocks, own), 0);
        for (unsigned i = 0; i < HELD && time > 0; i++) {
            assert_true(is_whole(&before[i]));
            vsg_llvm_heap_give(before[i].at);
        }
        assert_int_equal(pthread_join(thread, NULL), 0);
        for (unsigned i = 0; i < HELD; i++)
            assert_non_null(own[i].at);
    }
    for (unsigned i = 0; i < HELD; i++)
        vsg_llvm_heap_give(blocks[1][i].at);
}

static void c_functions(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (unsigned i = 0; i < 3000; i++) {
        size_t bytes = random_size(&random);
        unsigned char *dirty = malloc(bytes);
        assert_non_null(dirty);
        memset(dirty, 0xff, bytes);
        free(dirty);
        unsigned char *zero = calloc(bytes, 1);
        assert_non_null(zero);
        for (size_t k = 0; k < bytes; k++)
            assert_int_equal(zero[k], 0);
        memset(zero, 3, bytes);
        size_t wanted = random_size(&random) * (i % 50 == 0 ? 8 : 1);
        unsigned char *moved = realloc(zero, wanted);
        assert_non_null(moved);
        for (size_t k = 0; k < bytes && k < wanted; k++)
            assert_int_equal(moved[k], 3);
        free(moved);
    }
    char *small = realloc(NULL, 10), *large = malloc(3 * (size_t)MIB), *copy = strdup("copy");
    char *aligned = aligned_alloc(256, 512);
    assert_true(vsg_llvm_heap_has(small));
    assert_true(vsg_llvm_heap_has(aligned));
    assert_false(vsg_llvm_heap_has(large));
    assert_false(vsg_llvm_heap_has(copy));
    copy = realloc(copy, 100);
    assert_string_equal(copy, "copy");
    large[0] = 1;
    large = realloc(large, 4 * (size_t)MIB);
    assert_int_equal(large[0], 1);
    volatile size_t half = SIZE_MAX / 2;
    void *volatile too_large = IS_SANITIZED ? NULL : calloc(half, 3);
    assert_null(too_large);
    free(NULL);
    free(small);
    free(large);
    free(copy);
    free(aligned);
}

static bool is_without(void)
{
    char *p = calloc(1, 100);
    bool good = p && !vsg_llvm_heap_has(p) && !vsg_llvm_heap_take(100, 1);

    free(p);
    return good;
}

/* With 64 MiB to write to it has some, and says so when there are no more. */
static bool ends_in_time(void)
{
    unsigned count = 0;

    while (count < 1024 && vsg_llvm_heap_take(64 << 10, 1))
        count++;
    return count > 0 && count < 1024;
}

static void run_limited(int limited, rlim_t bytes, bool (*function)(void))
{
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit limit = {bytes, bytes};
        _exit(setrlimit(limited, &limit) == 0 && function() ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* First of all tests: nothing was reserved before. */
static void limits_are_kept(void **state)
{
    (void)state;
    if (IS_SANITIZED)
        skip();
    run_limited(RLIMIT_AS, (rlim_t)8 << 30, is_without);
    run_limited(RLIMIT_DATA, (rlim_t)64 << 20, ends_in_time);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(sizes_and_alignments),
        cmocka_unit_test(blocks_are_apart),
        cmocka_unit_test(memory_goes_back),
        cmocka_unit_test(threads_pass_blocks_on),
        cmocka_unit_test(idle_threads_keep_little),
        cmocka_unit_test(crowds_are_served_in_part),
        cmocka_unit_test(blocks_outlive_threads),
        cmocka_unit_test(c_functions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
