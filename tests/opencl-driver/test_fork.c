/* SPDX-License-Identifier: MIT
 *
 * A fork: the child sees the platform as if it were the first to use it, whatever threads and
 * locks the parent had, and the parent's objects are no handles there. */
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"

static void CL_CALLBACK nothing(void *argument)
{
    (void)argument;
}

/* What the child finds wrong, as its exit status: a line of this file's, within 8 bits. */
#define WANT(condition)                                                                        \
    do {                                                                                       \
        if (!(condition))                                                                      \
            return __LINE__ & 0xff;                                                            \
    } while (0)

static int use_again(cl_device_id device)
{
    cl_int status;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    uint8_t seven = 7, out = 0;
    char letter = 0;

    WANT(status == CL_SUCCESS);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
    WANT(status == CL_SUCCESS);
    cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, &status);
    WANT(status == CL_SUCCESS);
    WANT(!clEnqueueFillBuffer(queue, buffer, &seven, 1, 0, 64, 0, NULL, NULL));
    WANT(!clEnqueueNativeKernel(queue, nothing, &letter, 1, 0, NULL, NULL, 0, NULL, NULL));
    WANT(!clFlush(queue));
    WANT(!clEnqueueReadBuffer(queue, buffer, CL_TRUE, 63, 1, &out, 0, NULL, NULL));
    WANT(out == 7);
    WANT(!clReleaseMemObject(buffer));
    WANT(!clReleaseCommandQueue(queue));
    WANT(!clReleaseContext(context));
    return 0;
}

static int child(const driver *d, cl_mem buffer, cl_event event)
{
    cl_platform_id platform;
    char byte;

    alarm(60);
    WANT(clFinish(d->queue) == CL_INVALID_COMMAND_QUEUE);
    WANT(clEnqueueReadBuffer(d->queue, buffer, CL_TRUE, 0, 1, &byte, 0, NULL, NULL) ==
         CL_INVALID_COMMAND_QUEUE);
    WANT(clWaitForEvents(1, &event) == CL_INVALID_EVENT);
    WANT(clReleaseMemObject(buffer) == CL_INVALID_MEM_OBJECT);
    WANT(clReleaseContext(d->context) == CL_INVALID_CONTEXT);
    WANT(!clGetPlatformIDs(1, &platform, NULL));
    WANT(platform == d->platform);
    return use_again(d->device);
}

/* Commands are under way, and one waits for an event that only the parent can set. */
static void children_begin_anew(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_int status;
    cl_mem buffer = clCreateBuffer(d.context, 0, 1 << 20, NULL, &status);
    uint8_t seven = 7;

    GOOD(status);
    for (int i = 0; i < 8; i++) {
        cl_event gate = clCreateUserEvent(d.context, &status), event;
        GOOD(status);
        GOOD(clEnqueueFillBuffer(d.queue, buffer, &seven, 1, 0, 1 << 20, i % 2 ? 1 : 0,
                                 i % 2 ? &gate : NULL, &event));
        GOOD(clFlush(d.queue));
        pid_t process = fork();
        if (process == 0)
            _exit(child(&d, buffer, event));
        assert_true(process > 0);
        GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
        GOOD(clWaitForEvents(1, &event));
        assert_int_equal(waitpid(process, &status, 0), process);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        GOOD(clReleaseEvent(event));
        GOOD(clReleaseEvent(gate));
    }
    GOOD(clReleaseMemObject(buffer));
    driver_close(&d);
}

int main(void)
{
#if defined(__SANITIZE_THREAD__)
    puts("the thread sanitizer does not know forks of programs with threads");
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_begin_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
