/* SPDX-License-Identifier: MIT
 *
 * A program as it may be started: without standard files, as services are, or with variables
 * that change how programs are built. */
#include <sys/wait.h>

#include "building.h"

/* ---- what is started -------------------------------------------------------------------- */

static void run(driver *d, const char *source)
{
    const size_t one = 1;
    cl_program program = building_built(d, source, NULL);
    cl_kernel kernel = building_kernel(program, "f");
    cl_mem memory = building_buffer(d, 4096, NULL);

    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    GOOD(clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    (void)clFinish(d->queue);
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseProgram(program));
}

/* What programs print, and what the driver says of a fault, has nowhere to go. */
static int print_and_fault(void)
{
    const struct timespec moment = {0, 50000000};
    driver d = driver_open("Data Center", 0);

    for (int i = 0; i < 3; i++) {
        run(&d, "kernel void f(global int *x) { printf(\"%d\\n\", x[0]); }");
        run(&d, "kernel void f(global int *x) { x[1 << 28] = 1; }");
        for (int k = 0; k < 3; k++) {
            (void)!write(STDOUT_FILENO, "words\n", 6);
            (void)!write(STDERR_FILENO, "words\n", 6);
            (void)nanosleep(&moment, NULL);
        }
    }
    return 0;
}

/* On all devices, one after the other. */
static int build_doubles(void)
{
    static const char source[] = "kernel void f(global double *x) { x[0] = x[0] / 3.0 + 1.5; }";
    cl_platform_id platform;
    cl_device_id devices[2];
    cl_uint count;

    GOOD(clGetPlatformIDs(1, &platform, NULL));
    GOOD(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count));
    if (count != 2)
        return 2;
    for (cl_uint i = 0; i < count; i++) {
        const char *text = source;
        cl_int status;
        cl_context context = clCreateContext(NULL, 1, &devices[i], NULL, NULL, &status);
        GOOD(status);
        cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
        GOOD(status);
        if (clBuildProgram(program, 1, &devices[i], NULL, NULL, NULL) != CL_SUCCESS)
            return 1;
        GOOD(clReleaseProgram(program));
        GOOD(clReleaseContext(context));
    }
    return 0;
}

/* ---- starting it ------------------------------------------------------------------------ */

/* How a process of this program ended that does so, without the files of `closed`, a bit each.
 */
static int end_of(const char *what, unsigned closed)
{
    pid_t process = fork();
    int status = -1;

    if (process == 0) {
        for (int i = 0; i < 3; i++)
            if (closed >> i & 1)
                (void)close(i);
        (void)alarm(300);
        (void)execl("/proc/self/exe", "test_start", what, (char *)NULL);
        _exit(3);
    }
    assert_int_equal(waitpid(process, &status, 0), process);
    return status;
}

static void standard_files_may_be_closed(void **state)
{
    (void)state;
    assert_int_equal(setenv("VISAGE_CACHE", "0", 1), 0);
    for (unsigned closed = 1; closed < 8; closed++)
        assert_int_equal(end_of("print", closed), 0);
    assert_int_equal(unsetenv("VISAGE_CACHE"), 0);
}

/* The compiler's processes take in some options once only. */
static void double_precision_may_be_asked_for_late(void **state)
{
    (void)state;
    assert_int_equal(setenv("VISAGE_CACHE", "0", 1), 0);
    assert_int_equal(setenv("VISAGE_FP64", "1", 1), 0);
    assert_int_equal(setenv("VISAGE_DEVICES", "skl,dg2", 1), 0);
    assert_int_equal(end_of("doubles", 0), 0);
    assert_int_equal(setenv("VISAGE_DEVICES", "tgllp,pvc", 1), 0);
    assert_int_equal(end_of("doubles", 0), 0);
    assert_int_equal(unsetenv("VISAGE_DEVICES"), 0);
    assert_int_equal(unsetenv("VISAGE_FP64"), 0);
    assert_int_equal(unsetenv("VISAGE_CACHE"), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_files_may_be_closed),
        cmocka_unit_test(double_precision_may_be_asked_for_late),
    };

    if (argc == 2)
        return strcmp(argv[1], "print") == 0 ? print_and_fault() : build_doubles();
    int status = building_begin();

    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
