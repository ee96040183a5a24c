/* SPDX-License-Identifier: MIT
 *
 * Measures a kernel of kernels.def on the first OpenCL device there is, from its source; run by
 * `oclgrind`, which puts itself in the place of the OpenCL library:
 *
 *     bench_opencl SOURCE KERNEL OUTPUT */
#define CL_TARGET_OPENCL_VERSION 120

#include <stdio.h>
#include <stdlib.h>

#include <CL/cl.h>

#include "kernel.h"

typedef struct bench {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffers[MOST_ARGS];
} bench;

static void must(const char *what, cl_int status)
{
    char number[16];

    if (status == CL_SUCCESS)
        return;
    (void)snprintf(number, sizeof number, "%d", status);
    fail(what, number);
}

static void reset(void *user, const bench_kernel *kernel)
{
    bench *b = user;

    for (size_t i = 0; i < MOST_ARGS; i++)
        if (b->buffers[i])
            must("write",
                 clEnqueueWriteBuffer(b->queue, b->buffers[i], CL_TRUE, 0, kernel->args[i].size,
                                      kernel->args[i].data, 0, NULL, NULL));
    must("finish", clFinish(b->queue));
}

static void launch(void *user, const bench_kernel *kernel, const uint32_t *global)
{
    bench *b = user;
    size_t size[2] = {global[0], global[1]}, local[2] = {kernel->local[0], kernel->local[1]};

    must(kernel->name,
         clEnqueueNDRangeKernel(b->queue, b->kernel, 2, NULL, size, local, 0, NULL, NULL));
    must(kernel->name, clFinish(b->queue));
}

static void read_buffer(void *user, const bench_kernel *kernel, size_t index, void *out)
{
    bench *b = user;

    must("read", clEnqueueReadBuffer(b->queue, b->buffers[index], CL_TRUE, 0,
                                     kernel->args[index].size, out, 0, NULL, NULL));
}

static void set_args(bench *b, const bench_kernel *kernel)
{
    cl_int status;

    for (cl_uint i = 0; i < MOST_ARGS && kernel->args[i].kind != ARG_NONE; i++) {
        const arg *a = &kernel->args[i];
        if (a->kind == ARG_BUFFER) {
            b->buffers[i] =
                clCreateBuffer(b->context, CL_MEM_READ_WRITE, a->size, NULL, &status);
            must("buffer", status);
            must("buffer", clSetKernelArg(b->kernel, i, sizeof(cl_mem), &b->buffers[i]));
        } else {
            must("argument", clSetKernelArg(b->kernel, i, a->size, a->data));
        }
    }
}

static void open_kernel(bench *b, const char *path, const char *name)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    size_t size;
    char *source = read_file(path, &size);
    const char *sources = source;

    must("platform", clGetPlatformIDs(1, &platform, NULL));
    must("device", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    b->context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must("context", status);
    b->queue = clCreateCommandQueue(b->context, device, 0, &status);
    must("queue", status);
    b->program = clCreateProgramWithSource(b->context, 1, &sources, &size, &status);
    must(path, status);
    must(path, clBuildProgram(b->program, 1, &device, "-cl-std=CL1.2", NULL, NULL));
    b->kernel = clCreateKernel(b->program, name, &status);
    must(name, status);
    free(source);
}

static void close_kernel(bench *b)
{
    for (size_t i = 0; i < MOST_ARGS; i++)
        if (b->buffers[i])
            (void)clReleaseMemObject(b->buffers[i]);
    (void)clReleaseKernel(b->kernel);
    (void)clReleaseProgram(b->program);
    (void)clReleaseCommandQueue(b->queue);
    (void)clReleaseContext(b->context);
}

int main(int argc, char **argv)
{
    bench b = {0};

    if (argc != 4) {
        fprintf(stderr, "usage: bench_opencl SOURCE KERNEL OUTPUT\n");
        return 2;
    }
    bench_kernel kernel = kernel_find(argv[2]);
    double open = processor_time();
    open_kernel(&b, argv[1], kernel.name);
    open = processor_time() - open;
    set_args(&b, &kernel);
    measure(&kernel, &(bench_launcher){reset, launch, read_buffer, &b}, argv[3], open);
    close_kernel(&b);
    kernel_free(&kernel);
    return 0;
}
