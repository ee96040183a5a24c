/* SPDX-License-Identifier: MIT
 *
 * For tests of a program's kernels: it is built once, and belongs to the first test's context,
 * which all share. Include after building.h. */
#ifndef VISAGE_TESTS_LAUNCHING_H
#define VISAGE_TESTS_LAUNCHING_H

static driver shared;
static cl_program program;
static int messages;
static char message[4096];

static inline void CL_CALLBACK notify(const char *text, const void *info, size_t size,
                                      void *user)
{
    (void)info;
    (void)size;
    (void)user;
    messages++;
    (void)snprintf(message, sizeof message, "%s", text);
}

static inline int launching_open(const char *source)
{
    cl_int status;

    GOOD(clGetPlatformIDs(1, &shared.platform, NULL));
    shared.device = driver_device(shared.platform, "Skylake");
    shared.context = clCreateContext(NULL, 1, &shared.device, notify, NULL, &status);
    GOOD(status);
    shared.queue =
        clCreateCommandQueueWithProperties(shared.context, shared.device, NULL, &status);
    GOOD(status);
    program = building_built(&shared, source, "-cl-std=CL1.2 -g");
    return 0;
}

static inline int close_shared(void **state)
{
    (void)state;
    GOOD(clReleaseProgram(program));
    driver_close(&shared);
    return 0;
}

static inline void set(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    GOOD(clSetKernelArg(kernel, index, size, value));
}

static inline void read_ints(cl_mem memory, void *to, size_t count)
{
    GOOD(clEnqueueReadBuffer(shared.queue, memory, CL_TRUE, 0, count * 4, to, 0, NULL, NULL));
}

#endif
