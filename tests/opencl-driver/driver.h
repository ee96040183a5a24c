/* SPDX-License-Identifier: MIT
 *
 * What the tests of the OpenCL driver share: they see it as any program does, through the
 * loader. */
#ifndef VISAGE_TESTS_DRIVER_H
#define VISAGE_TESTS_DRIVER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

/* A platform, one of its devices, a context and a queue. */
typedef struct driver {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
} driver;

#define GOOD(call) assert_int_equal(call, CL_SUCCESS)

/* The device whose name has this word in it, NULL where there is none. */
static inline cl_device_id driver_device(cl_platform_id platform, const char *word)
{
    cl_device_id devices[16];
    cl_uint count;
    char name[256];

    GOOD(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &count));
    for (cl_uint i = 0; i < count; i++) {
        GOOD(clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof name, name, NULL));
        if (strstr(name, word))
            return devices[i];
    }
    return NULL;
}

static inline driver driver_open(const char *word, cl_command_queue_properties properties)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    driver d = {0};
    cl_uint count = 0;
    cl_int status;

    GOOD(clGetPlatformIDs(1, &d.platform, &count));
    assert_int_equal(count, 1);
    d.device = driver_device(d.platform, word);
    assert_non_null(d.device);
    d.context = clCreateContext(NULL, 1, &d.device, NULL, NULL, &status);
    GOOD(status);
    d.queue = clCreateCommandQueueWithProperties(d.context, d.device, list, &status);
    GOOD(status);
    return d;
}

/* Nothing of the context may be left: it is released for the last time. */
static inline void driver_close(driver *d)
{
    cl_uint count;

    GOOD(clReleaseCommandQueue(d->queue));
    GOOD(clGetContextInfo(d->context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
    assert_int_equal(count, 1);
    GOOD(clReleaseContext(d->context));
}

/* Releases the program, where there is one, and what is in lists that end with NULL. */
static inline void driver_release(cl_program program, const cl_kernel *kernels,
                                  const cl_mem *memories)
{
    for (; *memories; memories++)
        GOOD(clReleaseMemObject(*memories));
    for (; *kernels; kernels++)
        GOOD(clReleaseKernel(*kernels));
    if (program)
        GOOD(clReleaseProgram(program));
}

/* What a test that needs the compiler ends with at once: 0 if it is there, else 77, and why. */
static inline int driver_need_compiler(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_bool is_there = CL_FALSE;

    if (clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS &&
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL) == CL_SUCCESS)
        (void)clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof is_there, &is_there,
                              NULL);
    if (is_there)
        return 0;
    (void)puts("Intel's OpenCL compiler is not installed (Debian: intel-opencl-icd)");
    return 77;
}

/* A handle that is none of the platform's: as if of another one, with another table. */
static inline void *driver_foreign(void)
{
    static void *table[256];
    static void *object[64];

    object[0] = table;
    return object;
}

#endif
