/* SPDX-License-Identifier: MIT
 *
 * For tests that build programs: they have a cache of their own, which begins empty. */
#ifndef VISAGE_TESTS_BUILDING_H
#define VISAGE_TESTS_BUILDING_H

#include <dirent.h>
#include <unistd.h>

#include "driver.h"

static char building_cache[64];

/* Before the first program is built. Returns 77 where there is no compiler, 0 where there is.
 */
static inline int building_begin(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_bool is_there = CL_FALSE;

    (void)snprintf(building_cache, sizeof building_cache, "%s", "/tmp/visage-driver-XXXXXX");
    if (!mkdtemp(building_cache) || setenv("VISAGE_CACHE_DIR", building_cache, 1) != 0)
        return 1;
    if (clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS &&
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL) == CL_SUCCESS)
        (void)clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof is_there, &is_there,
                              NULL);
    if (is_there)
        return 0;
    (void)rmdir(building_cache);
    (void)puts("Intel's OpenCL compiler is not installed (Debian: intel-opencl-icd)");
    return 77;
}

static inline size_t building_count(void)
{
    size_t count = 0;
    DIR *folder = opendir(building_cache);
    struct dirent *entry;

    while (folder && (entry = readdir(folder)) != NULL)
        count += strstr(entry->d_name, ".entry") != NULL;
    if (folder)
        (void)closedir(folder);
    return count;
}

static inline void building_end(void)
{
    char path[512];
    DIR *folder = opendir(building_cache);
    struct dirent *entry;

    while (folder && (entry = readdir(folder)) != NULL) {
        (void)snprintf(path, sizeof path, "%s/%s", building_cache, entry->d_name);
        if (entry->d_name[0] != '.')
            (void)unlink(path);
    }
    if (folder)
        (void)closedir(folder);
    (void)rmdir(building_cache);
}

/* A program of one source; not built. */
static inline cl_program building_program(const driver *d, const char *source)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(d->context, 1, &source, NULL, &status);

    GOOD(status);
    return program;
}

static inline const char *building_log(const driver *d, cl_program program)
{
    static char log[16384];

    GOOD(
        clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    return log;
}

static inline cl_program building_built(const driver *d, const char *source,
                                        const char *options)
{
    cl_program program = building_program(d, source);
    cl_int status = clBuildProgram(program, 0, NULL, options, NULL, NULL);

    if (status != CL_SUCCESS)
        print_message("%s\n", building_log(d, program));
    GOOD(status);
    return program;
}

static inline cl_kernel building_kernel(cl_program program, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);

    GOOD(status);
    return kernel;
}

static inline cl_mem building_buffer(const driver *d, size_t size, void *data)
{
    cl_int status;
    cl_mem memory =
        clCreateBuffer(d->context, data ? CL_MEM_COPY_HOST_PTR : 0, size, data, &status);

    GOOD(status);
    return memory;
}

/* Runs a kernel and waits; its arguments are set. */
static inline void building_run(const driver *d, cl_kernel kernel, size_t global, size_t local)
{
    GOOD(clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &global, local ? &local : NULL, 0,
                                NULL, NULL));
    GOOD(clFinish(d->queue));
}

#endif
