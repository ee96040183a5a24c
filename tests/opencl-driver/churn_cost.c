/* SPDX-License-Identifier: MIT
 *
 * What the driver costs: a launch through it against the same launch by libvisage, and a
 * process from its start to the end of its first kernel. */
#include "churn.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "direct.h"
#include "tool.h"

extern char **environ;

enum { ROUNDS = 21, LAUNCHES = 5000, ITEMS = 16 };

static int compare_doubles(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return values[count / 2];
}

/* ---- through the driver ----------------------------------------------------------------- */

typedef struct driven {
    churn_client client;
    cl_kernel kernel;
    cl_mem buffers[3];
} driven;

static driven open_driven(const char *zebin)
{
    driven d = {.client = churn_open()};
    cl_int status;
    size_t size = 0;
    char *data = read_file(zebin, &size);
    const unsigned char *binary = (const unsigned char *)data;
    cl_program program = clCreateProgramWithBinary(d.client.context, 1, &d.client.device, &size,
                                                   &binary, NULL, &status);

    churn_must("binary", status);
    churn_must("build", clBuildProgram(program, 1, &d.client.device, NULL, NULL, NULL));
    d.kernel = clCreateKernel(program, "vector_add", &status);
    churn_must("kernel", status);
    for (cl_uint i = 0; i < 3; i++) {
        d.buffers[i] = clCreateBuffer(d.client.context, CL_MEM_READ_WRITE,
                                      ITEMS * sizeof(float), NULL, &status);
        churn_must("buffer", status);
    }
    churn_must("program", clReleaseProgram(program));
    free(data);
    return d;
}

/* Arguments set and the end waited for each time: the dearest way. */
static double time_driven(driven *d)
{
    const size_t items = ITEMS;
    const cl_uint count = ITEMS;
    double begin = processor_time();

    for (int i = 0; i < LAUNCHES; i++) {
        for (cl_uint k = 0; k < 3; k++)
            churn_must("argument",
                       clSetKernelArg(d->kernel, k, sizeof(cl_mem), &d->buffers[k]));
        churn_must("argument", clSetKernelArg(d->kernel, 3, sizeof count, &count));
        churn_must("launch", clEnqueueNDRangeKernel(d->client.queue, d->kernel, 1, NULL, &items,
                                                    &items, 0, NULL, NULL));
        churn_must("finish", clFinish(d->client.queue));
    }
    return (processor_time() - begin) / (double)LAUNCHES;
}

static void close_driven(driven *d)
{
    for (size_t i = 0; i < 3; i++)
        churn_must("buffer", clReleaseMemObject(d->buffers[i]));
    churn_must("kernel", clReleaseKernel(d->kernel));
    churn_close(&d->client);
}

/* ---- by libvisage ----------------------------------------------------------------------- */

static direct open_direct(const char *zebin)
{
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);
    direct d = direct_open(zebin, "vector_add", &options);

    for (size_t i = 0; i < 3; i++)
        direct_must(&d, "buffer",
                    visage_buffer_create(d.device, ITEMS * sizeof(float), &d.buffers[i]));
    return d;
}

static double time_direct(direct *d)
{
    const uint32_t count = ITEMS;
    visage_range range = VISAGE_OPTIONS_INIT(visage_range);
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    double begin = processor_time();

    range.global[0] = range.local[0] = ITEMS;
    options.engine =
        visage_has_engine(VISAGE_ENGINE_AUTO) ? VISAGE_ENGINE_AUTO : VISAGE_ENGINE_DEFAULT;
    for (int i = 0; i < LAUNCHES; i++) {
        for (size_t k = 0; k < 3; k++)
            direct_must(
                d, "argument",
                visage_launch_set_buffer(d->launch, k, d->buffers[k], 0, d->diagnostics));
        direct_must(
            d, "argument",
            visage_launch_set_value(d->launch, 3, &count, sizeof count, d->diagnostics));
        direct_must(d, "launch",
                    visage_launch_run(d->launch, &range, &options, d->diagnostics, NULL));
    }
    return (processor_time() - begin) / (double)LAUNCHES;
}

int churn_cost(const char *zebin, double most)
{
    driven through = open_driven(zebin);
    direct by = open_direct(zebin);
    double whole[ROUNDS], bare[ROUNDS], added[ROUNDS];

    (void)time_driven(&through);
    (void)time_direct(&by);
    for (int i = 0; i < ROUNDS; i++) {
        whole[i] = time_driven(&through) * 1e6;
        bare[i] = time_direct(&by) * 1e6;
        added[i] = whole[i] - bare[i];
    }
    double cost = median(added, ROUNDS);
    (void)printf("a launch takes %.2f us of processor time through the driver, %.2f us by "
                 "libvisage: %.2f us of "
                 "the driver (medians of %d rounds of %d launches)\n",
                 median(whole, ROUNDS), median(bare, ROUNDS), cost, (int)ROUNDS, (int)LAUNCHES);
    direct_close(&by);
    close_driven(&through);
    return cost <= most ? 0 : 1;
}

/* ---- a start ---------------------------------------------------------------------------- */

/* The process runs one kernel and ends. */
static double time_start(const char *self)
{
    char *const arguments[] = {(char *)(uintptr_t)self, (char *)(uintptr_t) "once", NULL};
    int status;
    pid_t pid;
    double begin = churn_now();

    if (posix_spawn(&pid, self, NULL, NULL, arguments, environ) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0)
        churn_fail("%s once: failed", self);
    return churn_now() - begin;
}

int churn_start(const char *self, double most)
{
    double times[ROUNDS];
    double first = time_start(self) * 1e3;

    for (int i = 0; i < ROUNDS; i++)
        times[i] = time_start(self) * 1e3;
    double usual = median(times, ROUNDS);
    (void)printf("a process that builds and runs one kernel takes %.1f ms the first time, then "
                 "%.1f ms (median of %d; least %.1f ms)\n",
                 first, usual, (int)ROUNDS, times[0]);
    return usual <= most ? 0 : 1;
}
