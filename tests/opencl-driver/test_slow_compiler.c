/* SPDX-License-Identifier: MIT
 *
 * How long a build may take: what counts is the processor time of the compiler's process. */
#include <pthread.h>
#include <stdatomic.h>

#include "building.h"

/* Listings of lines keep the compiler from making its headers meanwhile. */
#define OPTIONS "-g -DNUMBER=5"

static int each_compiler(int signal_number)
{
    return building_compilers(signal_number, "comm", "visage");
}

static atomic_bool ended;

static void nap(long milliseconds)
{
    const struct timespec time = {0, milliseconds * 1000000};

    (void)nanosleep(&time, NULL);
}

/* Leaves the compiler's process a small part of the time, as a machine does that has much else
 * to do. */
static void *disturb(void *user)
{
    (void)user;
    while (!atomic_load(&ended)) {
        (void)each_compiler(SIGSTOP);
        nap(60);
        (void)each_compiler(SIGCONT);
        nap(3);
    }
    return NULL;
}

static void a_build_that_gets_little_time_goes_on(void **state)
{
    driver *d = *state;
    pthread_t thread;

    GOOD(clReleaseProgram(building_built(d, BUILDING_NUMBER, "-g -DNUMBER=4")));
    atomic_store(&ended, false);
    assert_int_equal(pthread_create(&thread, NULL, disturb, NULL), 0);
    cl_program program = building_program(d, BUILDING_NUMBER);
    cl_int status = clBuildProgram(program, 0, NULL, OPTIONS, NULL, NULL);
    atomic_store(&ended, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    if (status != CL_SUCCESS)
        print_message("%s\n", building_log(d, program));
    GOOD(status);
    assert_int_equal(building_result(d, program), 5);
}

/* The process is stopped once it is at work, or on a busy machine before. */
static void *stop(void *user)
{
    (void)user;
    nap(20);
    (void)each_compiler(SIGSTOP);
    return NULL;
}

static void a_compiler_that_does_nothing_is_ended(void **state)
{
    driver *d = *state;
    pthread_t thread;
    cl_program program = building_program(d, BUILDING_NUMBER);

    assert_int_equal(pthread_create(&thread, NULL, stop, NULL), 0);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-g -DNUMBER=6", NULL, NULL),
                     CL_BUILD_PROGRAM_FAILURE);
    assert_int_equal(pthread_join(thread, NULL), 0);
    const char *log = building_log(d, program);
    assert_true(strstr(log, "it took more than 2 s") || strstr(log, "does not answer"));
    (void)each_compiler(SIGKILL);
    GOOD(clReleaseProgram(program));
    assert_int_equal(building_result(d, building_built(d, BUILDING_NUMBER, "-g -DNUMBER=7")),
                     7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUILDING_TEST(a_build_that_gets_little_time_goes_on),
        BUILDING_TEST(a_compiler_that_does_nothing_is_ended),
    };

    /* Read once, by the first that asks for a platform. */
    if (setenv("VISAGE_COMPILER_TIMEOUT", "2", 1) != 0)
        return 1;
    int status = building_begin();
    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
