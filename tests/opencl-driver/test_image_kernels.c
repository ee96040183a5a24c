/* SPDX-License-Identifier: MIT
 *
 * Images and samplers as kernels see them: every format of every type of image is read and
 * written, and sampled values are what the formulas of OpenCL C 3.0, "Image addressing and
 * filtering", give. */
#include <math.h>

#include "driver.h"

static const char source[] =
    "#define COPY(kind, type, coordinate, ...) \\\n"
    "    kernel void copy_##kind##_f(read_only type a, write_only type b) \\\n"
    "    { coordinate at = __VA_ARGS__; write_imagef(b, at, read_imagef(a, at)); } \\\n"
    "    kernel void copy_##kind##_i(read_only type a, write_only type b) \\\n"
    "    { coordinate at = __VA_ARGS__; write_imagei(b, at, read_imagei(a, at)); } \\\n"
    "    kernel void copy_##kind##_ui(read_only type a, write_only type b) \\\n"
    "    { coordinate at = __VA_ARGS__; write_imageui(b, at, read_imageui(a, at)); }\n"
    "#define X ((int)get_global_id(0))\n"
    "#define Y ((int)get_global_id(1))\n"
    "#define Z ((int)get_global_id(2))\n"
    "COPY(1d, image1d_t, int, X)\n"
    "COPY(2d, image2d_t, int2, (int2)(X, Y))\n"
    "COPY(3d, image3d_t, int4, (int4)(X, Y, Z, 0))\n"
    "COPY(1da, image1d_array_t, int2, (int2)(X, Y))\n"
    "COPY(2da, image2d_array_t, int4, (int4)(X, Y, Z, 0))\n"
    "COPY(buffer, image1d_buffer_t, int, X)\n"
    "kernel void sample(read_only image2d_t a, sampler_t s, global const float2 *at,\n"
    "                   global float4 *out)\n"
    "{ out[get_global_id(0)] = read_imagef(a, s, at[get_global_id(0)]); }\n"
    "kernel void sizes(read_only image2d_array_t a, global int *out)\n"
    "{ out[0] = get_image_width(a); out[1] = get_image_height(a);\n"
    "  out[2] = (int)get_image_array_size(a);\n"
    "  out[3] = get_image_channel_data_type(a); out[4] = get_image_channel_order(a); }\n";

static cl_program build(const driver *d)
{
    const char *text = source;
    cl_int status;
    cl_program program = clCreateProgramWithSource(d->context, 1, &text, NULL, &status);

    GOOD(status);
    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    return program;
}

static cl_kernel kernel_of(cl_program program, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);

    GOOD(status);
    return kernel;
}

/* ---- every format ----------------------------------------------------------------------- */

typedef struct shape {
    const char *name;
    cl_mem_object_type type;
    size_t width, height, depth, layers;
    size_t size[3];
} shape;

static const shape shapes[] = {
    {"1d", CL_MEM_OBJECT_IMAGE1D, 19, 0, 0, 0, {19, 1, 1}},
    {"2d", CL_MEM_OBJECT_IMAGE2D, 19, 5, 0, 0, {19, 5, 1}},
    {"3d", CL_MEM_OBJECT_IMAGE3D, 19, 5, 3, 0, {19, 5, 3}},
    {"1da", CL_MEM_OBJECT_IMAGE1D_ARRAY, 19, 0, 0, 5, {19, 5, 1}},
    {"2da", CL_MEM_OBJECT_IMAGE2D_ARRAY, 19, 5, 0, 3, {19, 5, 3}},
    {"buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, 19, 0, 0, 0, {19, 1, 1}},
};

enum { NUM_SHAPES = sizeof shapes / sizeof *shapes, MOST_BYTES = 19 * 5 * 3 * 16 };

/* An image; of a buffer, which it keeps, where it is of that type. */
static cl_mem make(const driver *d, const shape *s, const cl_image_format *format)
{
    cl_image_desc desc = {.image_type = s->type,
                          .image_width = s->width,
                          .image_height = s->height,
                          .image_depth = s->depth,
                          .image_array_size = s->layers};
    cl_mem buffer = NULL;
    cl_int status;

    if (s->type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        buffer = clCreateBuffer(d->context, 0, MOST_BYTES, NULL, &status);
        GOOD(status);
        desc.mem_object = buffer;
    }
    cl_mem image = clCreateImage(d->context, 0, format, &desc, NULL, &status);
    GOOD(status);
    if (buffer)
        GOOD(clReleaseMemObject(buffer));
    return image;
}

static const char *suffix_of(cl_channel_type type)
{
    if (type >= CL_SIGNED_INT8 && type <= CL_SIGNED_INT32)
        return "i";
    return type >= CL_UNSIGNED_INT8 && type <= CL_UNSIGNED_INT32 ? "ui" : "f";
}

static size_t element_bytes(cl_mem image)
{
    size_t bytes;

    GOOD(clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof bytes, &bytes, NULL));
    return bytes;
}

static void copy_by_kernel(const driver *d, cl_program program, const shape *s,
                           const cl_image_format *format)
{
    static uint8_t in[MOST_BYTES], out[MOST_BYTES];
    const size_t zero[3] = {0};
    char name[32];
    cl_mem a = make(d, s, format), b = make(d, s, format);
    size_t bytes = element_bytes(a) * s->size[0] * s->size[1] * s->size[2];

    (void)snprintf(name, sizeof name, "copy_%s_%s", s->name,
                   suffix_of(format->image_channel_data_type));
    /* Whatever the format, these bytes are ordinary numbers that come back as they are. */
    for (size_t i = 0; i < bytes; i++)
        in[i] = (uint8_t)(0x11 + i * 29 % 0x69);
    memset(out, 0, sizeof out);
    cl_kernel kernel = kernel_of(program, name);
    GOOD(clEnqueueWriteImage(d->queue, a, CL_FALSE, zero, s->size, 0, 0, in, 0, NULL, NULL));
    GOOD(clSetKernelArg(kernel, 0, sizeof a, &a));
    GOOD(clSetKernelArg(kernel, 1, sizeof b, &b));
    GOOD(clEnqueueNDRangeKernel(d->queue, kernel, 3, NULL, s->size, NULL, 0, NULL, NULL));
    GOOD(clEnqueueReadImage(d->queue, b, CL_TRUE, zero, s->size, 0, 0, out, 0, NULL, NULL));
    for (size_t i = 0; i < bytes; i++)
        if (out[i] != in[i])
            fail_msg("%s, order %x, type %x: byte %zu is %x, not %x", name,
                     format->image_channel_order, format->image_channel_data_type, i, out[i],
                     in[i]);
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseMemObject(a));
    GOOD(clReleaseMemObject(b));
}

static void copy_every_format(const char *word)
{
    driver d = driver_open(word, 0);
    cl_program program = build(&d);
    cl_image_format formats[256];
    cl_uint count;

    for (int i = 0; i < NUM_SHAPES; i++) {
        GOOD(clGetSupportedImageFormats(d.context, CL_MEM_READ_WRITE, shapes[i].type, 256,
                                        formats, &count));
        for (cl_uint j = 0; j < count; j++)
            if (formats[j].image_channel_order != CL_DEPTH) /* another type in OpenCL C */
                copy_by_kernel(&d, program, &shapes[i], &formats[j]);
    }
    GOOD(clReleaseProgram(program));
    driver_close(&d);
}

static void every_format_on_skylake(void **state)
{
    (void)state;
    copy_every_format("Skylake");
}

static void every_format_on_dg2(void **state)
{
    (void)state;
    copy_every_format("DG2");
}

/* ---- sampling --------------------------------------------------------------------------- */

/* Four texels in a row, 0 10 20 30, and what is read at some places. */
typedef struct sampling {
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    float at, expected;
} sampling;

static const sampling samplings[] = {
    {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 2.5f, 20},
    {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 9.5f, 30},
    {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, -3, 0},
    {CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, 4.5f, 0}, /* the border's colour */
    {CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, 3.5f, 30},
    {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, 2, 15}, /* between texels 1, 2 */
    {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, 1.5f, 10},
    {CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 0.3f, 10},
    {CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, 0.5f, 15},
    {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, 1.6f, 20},
    {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, -0.1f, 30},
    {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, 1, 15}, /* between the last and the first */
    {CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST, 1.1f, 30},
    {CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST, -0.6f, 20},
};

static float sample(const driver *d, cl_kernel kernel, cl_mem image, const sampling *s)
{
    cl_int status;
    float at[2] = {s->at, s->normalized ? 0.5f : 0}, out[4];
    const size_t one = 1;
    cl_sampler sampler =
        clCreateSampler(d->context, s->normalized, s->addressing, s->filter, &status);
    GOOD(status);
    cl_mem places = clCreateBuffer(d->context, CL_MEM_COPY_HOST_PTR, sizeof at, at, &status);
    GOOD(status);
    cl_mem result = clCreateBuffer(d->context, 0, sizeof out, NULL, &status);
    GOOD(status);

    GOOD(clSetKernelArg(kernel, 0, sizeof image, &image));
    GOOD(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
    GOOD(clSetKernelArg(kernel, 2, sizeof places, &places));
    GOOD(clSetKernelArg(kernel, 3, sizeof result, &result));
    GOOD(clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(d->queue, result, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    GOOD(clReleaseSampler(sampler));
    GOOD(clReleaseMemObject(places));
    GOOD(clReleaseMemObject(result));
    return out[0];
}

static void samplers_sample(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_program program = build(&d);
    cl_kernel kernel = kernel_of(program, "sample");
    const cl_image_format format = {CL_R, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 1};
    float texels[] = {0, 10, 20, 30};
    cl_int status;
    cl_mem image = clCreateImage(d.context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, &format,
                                 &desc, texels, &status);

    GOOD(status);
    for (size_t i = 0; i < sizeof samplings / sizeof *samplings; i++) {
        float value = sample(&d, kernel, image, &samplings[i]);
        if (fabsf(value - samplings[i].expected) > 0.1f)
            fail_msg("sampling %zu: %g, not %g", i, (double)value,
                     (double)samplings[i].expected);
    }
    GOOD(clReleaseMemObject(image));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseProgram(program));
    driver_close(&d);
}

/* What a kernel is told of an image. */
static void sizes_are_told(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_program program = build(&d);
    cl_kernel kernel = kernel_of(program, "sizes");
    const cl_image_format format = {CL_RG, CL_HALF_FLOAT};
    cl_int status, out[5];
    cl_mem image = make(&d, &shapes[4], &format);
    cl_mem result = clCreateBuffer(d.context, 0, sizeof out, NULL, &status);
    const size_t one = 1;

    GOOD(status);
    GOOD(clSetKernelArg(kernel, 0, sizeof image, &image));
    GOOD(clSetKernelArg(kernel, 1, sizeof result, &result));
    GOOD(clEnqueueNDRangeKernel(d.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(d.queue, result, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    assert_int_equal(out[0], 19);
    assert_int_equal(out[1], 5);
    assert_int_equal(out[2], 3);
    assert_int_equal(out[3], CL_HALF_FLOAT);
    assert_int_equal(out[4], CL_RG);
    driver_release(program, (cl_kernel[]){kernel, NULL}, (cl_mem[]){image, result, NULL});
    driver_close(&d);
}

static cl_mem image_of(cl_context context, cl_mem_object_type type)
{
    const cl_image_format format = {CL_R, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = type, .image_width = 4, .image_height = 4, .image_depth = 2};
    cl_int status;
    cl_mem image = clCreateImage(context, CL_MEM_READ_ONLY, &format, &desc, NULL, &status);

    GOOD(status);
    return image;
}

/* A context may have devices without images. */
static void images_are_what_is_wanted(void **state)
{
    driver d = driver_open("Skylake", 0);
    cl_device_id devices[] = {driver_device(d.platform, "PVC"), d.device};
    const char *reading = "kernel void f(read_only image2d_t i, global float *r)\n"
                          "{ r[0] = read_imagef(i, (int2)(0, 0)).x; }\n";
    const size_t one = 1;
    cl_int status;

    (void)state;
    cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &status);
    GOOD(status);
    cl_program program = clCreateProgramWithSource(context, 1, &reading, NULL, &status);
    GOOD(status);
    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "f", &status);
    GOOD(status);
    cl_mem flat = image_of(context, CL_MEM_OBJECT_IMAGE2D);
    cl_mem deep = image_of(context, CL_MEM_OBJECT_IMAGE3D);
    cl_mem result = clCreateBuffer(context, 0, 4, NULL, &status);
    GOOD(status);
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof deep, &deep), CL_INVALID_ARG_VALUE);
    GOOD(clSetKernelArg(kernel, 0, sizeof flat, &flat));
    GOOD(clSetKernelArg(kernel, 1, sizeof result, &result));
    for (int i = 0; i < 2; i++) {
        cl_command_queue queue =
            clCreateCommandQueueWithProperties(context, devices[i], NULL, &status);
        GOOD(status);
        status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
        assert_int_equal(status, i == 0 ? CL_IMAGE_FORMAT_NOT_SUPPORTED : CL_SUCCESS);
        GOOD(clReleaseCommandQueue(queue));
    }
    driver_release(program, (cl_kernel[]){kernel, NULL}, (cl_mem[]){flat, deep, result, NULL});
    GOOD(clReleaseContext(context));
    driver_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_on_skylake),   cmocka_unit_test(every_format_on_dg2),
        cmocka_unit_test(samplers_sample),           cmocka_unit_test(sizes_are_told),
        cmocka_unit_test(images_are_what_is_wanted),
    };
    int status = driver_need_compiler();

    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
