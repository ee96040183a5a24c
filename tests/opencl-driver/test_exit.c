/* SPDX-License-Identifier: MIT
 *
 * A program that ends, as programs do, while its kernels run and are compiled. */
#include <sys/wait.h>

#include "building.h"

enum { LENGTH = 1 << 20 };

static const char source[] =
    "kernel void f(global float *x)\n"
    "{ float s = x[get_global_id(0)];\n"
    "  for (int i = 0; i < NUMBER; i++) s = s * 0.5f + exp(s) * sin(s) + x[i];\n"
    "  x[get_global_id(0)] = s; }\n";

/* Ends so many microseconds behind the first launch, with nothing released. */
static void run_and_end(int number, unsigned pause)
{
    driver d = driver_open("Data Center", 0);
    char options[32];

    (void)snprintf(options, sizeof options, "-DNUMBER=%d", number);
    cl_program program = building_built(&d, source, options);
    cl_kernel kernel = building_kernel(program, "f");
    cl_mem memory = building_buffer(&d, 4 * LENGTH, NULL);
    size_t global = LENGTH;
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    for (int i = 0; i < 50; i++)
        GOOD(clEnqueueNDRangeKernel(d.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    GOOD(clFlush(d.queue));
    (void)usleep(pause);
    exit(0);
}

/* How a process of this program ended, killed by its alarm if it did not. */
static int end_after(int number, unsigned pause)
{
    pid_t process = fork();
    char words[2][16];
    int status = -1;

    if (process == 0) {
        (void)snprintf(words[0], sizeof words[0], "%d", number);
        (void)snprintf(words[1], sizeof words[1], "%u", pause);
        (void)alarm(60);
        (void)execl("/proc/self/exe", "test_exit", words[0], words[1], (char *)NULL);
        _exit(1);
    }
    assert_int_equal(waitpid(process, &status, 0), process);
    return status;
}

static void programs_end_while_kernels_are_compiled(void **state)
{
    enum { PROGRAMS = 24, STEP_MICROSECONDS = 4000 };

    (void)state;
    for (int i = 0; i < PROGRAMS; i++)
        assert_int_equal(end_after(100 + i, (unsigned)i * STEP_MICROSECONDS), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_end_while_kernels_are_compiled),
    };

    if (argc == 3)
        run_and_end(atoi(argv[1]), (unsigned)atoi(argv[2]));
    int status = building_begin();

    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
