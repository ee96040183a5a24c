/* SPDX-License-Identifier: MIT
 *
 * Measures a kernel of kernels.def on the first OpenCL device there is, from its source; run by
 * `oclgrind`, which puts itself in the place of the OpenCL library:
 *
 *     bench_opencl SOURCE KERNEL OUTPUT */
#define CL_TARGET_OPENCL_VERSION 120

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- images ------------------------------------------------------------------------------ */

typedef struct image_format {
    const char *name;
    size_t texel_bytes;
    cl_image_format format;
} image_format;

static const image_format *format_of(const arg *a)
{
    static const image_format formats[] = {{"rgba8", 4, {CL_RGBA, CL_UNORM_INT8}},
                                           {"rgbah", 8, {CL_RGBA, CL_HALF_FLOAT}},
                                           {"rgbaf", 16, {CL_RGBA, CL_FLOAT}},
                                           {"rf", 4, {CL_R, CL_FLOAT}}};

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, a->format) == 0)
            return &formats[i];
    fail(a->format, "no such format of images");
}

static size_t height_of(const arg *a)
{
    return a->size / (a->width * format_of(a)->texel_bytes);
}

static cl_mem make_image(cl_context context, const arg *a, cl_int *status)
{
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = a->width,
                          .image_height = height_of(a)};

    return clCreateImage(context, CL_MEM_READ_WRITE, &format_of(a)->format, &desc, NULL,
                         status);
}

/* Its contents, to or from the host. */
static void move_image(bench *b, cl_mem image, const arg *a, void *out, const void *in)
{
    const size_t origin[3] = {0}, region[3] = {a->width, height_of(a), 1};

    if (in)
        must("write", clEnqueueWriteImage(b->queue, image, CL_TRUE, origin, region, 0, 0, in, 0,
                                          NULL, NULL));
    else
        must("read", clEnqueueReadImage(b->queue, image, CL_TRUE, origin, region, 0, 0, out, 0,
                                        NULL, NULL));
}

/* ---- launches ---------------------------------------------------------------------------- */

static void reset(void *user, const bench_kernel *kernel)
{
    bench *b = user;

    for (size_t i = 0; i < MOST_ARGS; i++) {
        const arg *a = &kernel->args[i];
        if (a->kind == ARG_IMAGE)
            move_image(b, b->buffers[i], a, NULL, a->data);
        else if (b->buffers[i])
            must("write", clEnqueueWriteBuffer(b->queue, b->buffers[i], CL_TRUE, 0, a->size,
                                               a->data, 0, NULL, NULL));
    }
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
    const arg *a = &kernel->args[index];

    if (a->kind == ARG_IMAGE)
        move_image(b, b->buffers[index], a, out, NULL);
    else
        must("read", clEnqueueReadBuffer(b->queue, b->buffers[index], CL_TRUE, 0, a->size, out,
                                         0, NULL, NULL));
}

static void set_args(bench *b, const bench_kernel *kernel)
{
    cl_int status;

    for (cl_uint i = 0; i < MOST_ARGS && kernel->args[i].kind != ARG_NONE; i++) {
        const arg *a = &kernel->args[i];
        if (is_memory(a)) {
            b->buffers[i] = a->kind == ARG_IMAGE ? make_image(b->context, a, &status)
                                                 : clCreateBuffer(b->context, CL_MEM_READ_WRITE,
                                                                  a->size, NULL, &status);
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
