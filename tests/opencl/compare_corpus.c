/* SPDX-License-Identifier: MIT
 *
 * Runs kernels of one source twice, on a CPU OpenCL through the ICD loader (or as host C) and
 * on visage from the zebin that Intel's compiler made of the same source, and compares every
 * buffer.
 *
 * usage: compare_corpus SOURCE-DIRECTORY ZEBIN-DIRECTORY DEVICE [KERNEL]
 *   reads SOURCE-DIRECTORY/<file>.cl and ZEBIN-DIRECTORY/<file>.<device>.zebin; rows whose
 * zebin is not there are left out Prints TAP. Exit status 77: no OpenCL here. */
#define CL_TARGET_OPENCL_VERSION 120

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../level.h"
#include "compare.h"
#include "compare_images.h"
#include "compare_printed.h"

enum { SKIP = 77 };

typedef struct test_case {
    const char *file, *kernel, *range;
    double ulp;
    host_fn host; /* NULL: the CPU OpenCL */
    const char *args[MOST_ARGS];
} test_case;

static const test_case cases[] = {
#define CASE(file, kernel, range, ulp, ...) {#file, #kernel, range, ulp, NULL, {__VA_ARGS__}},
#define HOST(file, kernel, range, ulp, ...)                                                    \
    {#file, #kernel, range, ulp, host_##kernel, {__VA_ARGS__}},
#include "cases.def"
#include "images.def"
#include "kernels.def"
#undef CASE
#undef HOST
};

enum { NUM_CASES = sizeof cases / sizeof cases[0] };

/* ---- the reference ---------------------------------------------------------------------- */

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *data = NULL;

    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (*size = (size_t)ftell(file)) > 0) {
        rewind(file);
        data = calloc(*size + 1, 1);
        if (data && fread(data, 1, *size, file) != *size) {
            free(data);
            data = NULL;
        }
    }
    fclose(file);
    return data;
}

typedef struct reference {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    cl_program program;
    char source[64]; /* the program's */
} reference;

static bool open_reference(reference *r)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int error;

    memset(r, 0, sizeof *r);
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < count && !r->device; i++)
        (void)clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &r->device, NULL);
    if (!r->device)
        return false;
    r->context = clCreateContext(NULL, 1, &r->device, NULL, NULL, &error);
    r->queue = clCreateCommandQueue(r->context, r->device, 0, &error);
    return error == CL_SUCCESS;
}

static bool build_reference(reference *r, const char *directory, const char *file)
{
    char path[1024], name[64];
    size_t size;
    cl_int error;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "_"), file);
    if (strcmp(r->source, name) == 0)
        return true;
    snprintf(path, sizeof path, "%s/%s.cl", directory, name);
    char *source = read_file(path, &size);
    if (!source)
        return false;
    if (r->program)
        clReleaseProgram(r->program);
    r->program =
        clCreateProgramWithSource(r->context, 1, (const char **)&source, &size, &error);
    free(source);
    memcpy(r->source, name, sizeof name);
    return clBuildProgram(r->program, 1, &r->device, "", NULL, NULL) == CL_SUCCESS;
}

static cl_int set_reference_args(reference *r, cl_kernel kernel, const arg *args,
                                 cl_mem *buffers)
{
    cl_int error = CL_SUCCESS;

    for (cl_uint i = 0; i < MOST_ARGS && args[i].kind && error == CL_SUCCESS; i++) {
        if (args[i].kind == ARG_VALUE)
            error = clSetKernelArg(kernel, i, args[i].size, args[i].before);
        if (args[i].kind == ARG_LOCAL)
            error = clSetKernelArg(kernel, i, args[i].size, NULL);
        if (args[i].kind == ARG_NULL)
            error = clSetKernelArg(kernel, i, sizeof(cl_mem), NULL);
        if (args[i].kind == ARG_SAMPLER)
            error = set_reference_sampler(r->context, kernel, i, &args[i].sampler);
        if (args[i].kind == ARG_BUFFER)
            buffers[i] = clCreateBuffer(r->context, CL_MEM_COPY_HOST_PTR, args[i].size,
                                        (void *)args[i].before, &error);
        else if (args[i].kind == ARG_IMAGE)
            buffers[i] = make_reference_image(r->context, &args[i], &error);
        else
            continue;
        if (error == CL_SUCCESS)
            error = clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]);
    }
    return error;
}

static bool run_reference(reference *r, const char *name, const ndrange *range, arg *args)
{
    cl_mem buffers[MOST_ARGS] = {0};
    cl_int error;
    cl_kernel kernel = clCreateKernel(r->program, name, &error);
    size_t sizes[3], locals[3], offsets[3];

    for (int i = 0; i < 3; i++) {
        sizes[i] = range->global[i];
        locals[i] = range->local[i];
        offsets[i] = range->offset[i];
    }
    if (error == CL_SUCCESS)
        error = set_reference_args(r, kernel, args, buffers);
    for (uint32_t n = 0; n < range->launches && error == CL_SUCCESS; n++) {
        offsets[0] = range->offset[0] + n * range->stride;
        error = clEnqueueNDRangeKernel(r->queue, kernel, range->dimensions, offsets, sizes,
                                       range->local[0] ? locals : NULL, 0, NULL, NULL);
    }
    for (cl_uint i = 0; i < MOST_ARGS && args[i].kind && error == CL_SUCCESS; i++) {
        if (args[i].kind == ARG_BUFFER)
            error = clEnqueueReadBuffer(r->queue, buffers[i], CL_TRUE, 0, args[i].size,
                                        args[i].host, 0, NULL, NULL);
        else if (args[i].kind == ARG_IMAGE)
            error = read_reference_image(r->queue, buffers[i], &args[i]);
    }
    for (int i = 0; i < MOST_ARGS; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    if (kernel)
        clReleaseKernel(kernel);
    return error == CL_SUCCESS;
}

/* ---- visage ----------------------------------------------------------------------------- */

typedef struct subject {
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module;
    visage_device *device;
    visage_program *program;
    const char *file; /* the module's */
    printed reference_text, text;
} subject;

static void close_subject(subject *s)
{
    visage_program_destroy(&s->program);
    visage_device_destroy(&s->device);
    visage_module_destroy(&s->module);
    s->file = NULL;
}

static visage_status open_subject(subject *s, const char *path, const char *file)
{
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_module_info info;

    if (s->file && strcmp(s->file, file) == 0)
        return VISAGE_OK;
    close_subject(s);
    visage_status status =
        visage_module_read_file(s->context, path, NULL, s->diagnostics, &s->module);
    if (status == VISAGE_OK)
        status = visage_module_get_info(s->module, &info);
    if (status == VISAGE_OK) {
        options.platform = info.platform;
        status = visage_device_create(s->context, &options, &s->device);
    }
    if (status == VISAGE_OK)
        status = visage_program_create(s->device, s->module, s->diagnostics, &s->program);
    if (status == VISAGE_OK)
        s->file = file;
    return status;
}

static visage_status set_args(subject *s, visage_launch *launch, const arg *args,
                              visage_buffer **buffers)
{
    visage_status status = VISAGE_OK;

    for (size_t i = 0; i < MOST_ARGS && args[i].kind && status == VISAGE_OK; i++) {
        if (args[i].kind == ARG_VALUE) {
            status = visage_launch_set_value(launch, i, args[i].before, args[i].size,
                                             s->diagnostics);
        } else if (args[i].kind == ARG_LOCAL) {
            status = visage_launch_set_local(launch, i, args[i].size, s->diagnostics);
        } else if (args[i].kind == ARG_NULL) {
            status = visage_launch_set_buffer(launch, i, NULL, 0, s->diagnostics);
        } else if (args[i].kind == ARG_SAMPLER) {
            status = set_sampler(s->context, launch, i, &args[i].sampler, s->diagnostics);
        } else {
            status = visage_buffer_create(s->device, args[i].size, &buffers[i]);
            if (status != VISAGE_OK)
                break;
            memcpy(visage_buffer_data(buffers[i]), args[i].before, args[i].size);
            status = args[i].kind == ARG_IMAGE
                         ? set_image(launch, i, buffers[i], &args[i].image, s->diagnostics)
                         : visage_launch_set_buffer(launch, i, buffers[i], 0, s->diagnostics);
        }
    }
    return status;
}

static visage_status launch_all(subject *s, visage_launch *launch, const ndrange *plan)
{
    visage_range range = VISAGE_OPTIONS_INIT(visage_range);
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    visage_status status = VISAGE_OK;

    const char *mode = getenv("VISAGE_TEST_MODE");
    options.check = mode && strcmp(mode, "check") == 0;
    options.engine =
        mode && strcmp(mode, "jit") == 0 ? VISAGE_ENGINE_JIT : VISAGE_ENGINE_INTERPRETER;
    options.no_races = plan->races;
    options.print = printed_take;
    options.print_user = &s->text;
    for (unsigned i = 0; i < plan->dimensions; i++) {
        range.global[i] = plan->global[i];
        range.local[i] = plan->local[i];
        range.offset[i] = plan->offset[i];
    }
    for (uint32_t n = 0; n < plan->launches && status == VISAGE_OK; n++) {
        range.offset[0] = plan->offset[0] + n * plan->stride;
        status = visage_launch_run(launch, &range, &options, s->diagnostics, NULL);
    }
    return status;
}

static void show(const visage_diagnostics *diagnostics)
{
    char text[1024];

    for (size_t i = 0; i < visage_diagnostics_count(diagnostics); i++) {
        (void)visage_diagnostic_render(visage_diagnostics_get(diagnostics, i), false, text,
                                       sizeof text);
        printf("# %s\n", text);
    }
}

static bool run_ours(subject *s, const char *path, const test_case *test, const ndrange *range,
                     arg *args)
{
    visage_launch *launch = NULL;
    visage_buffer *buffers[MOST_ARGS] = {0};

    visage_diagnostics_clear(s->diagnostics);
    visage_status status = open_subject(s, path, test->file);
    if (status == VISAGE_OK)
        status = visage_launch_create(s->program, test->kernel, s->diagnostics, &launch);
    if (status == VISAGE_OK)
        status = set_args(s, launch, args, buffers);
    if (status == VISAGE_OK)
        status = launch_all(s, launch, range);
    show(s->diagnostics);
    if (status != VISAGE_OK)
        printf("# visage: status %d\n", (int)status);
    for (int i = 0; i < MOST_ARGS; i++) {
        if (buffers[i] && status == VISAGE_OK)
            memcpy(args[i].ours, visage_buffer_data(buffers[i]), args[i].size);
    }
    visage_launch_destroy(&launch);
    for (int i = 0; i < MOST_ARGS; i++)
        visage_buffer_destroy(&buffers[i]);
    return status == VISAGE_OK;
}

/* ---- the rows --------------------------------------------------------------------------- */

/* Buffers and text as they should be. */
static bool expect(reference *r, const test_case *test, const char *sources,
                   const ndrange *range, arg *args, printed *text)
{
    bool good = true;
    int saved;

    if (!test->host && !build_reference(r, sources, test->file))
        return false;
    FILE *diverted = printed_divert(&saved);
    if (!diverted)
        return false;
    if (test->host)
        test->host(args, range);
    else
        good = run_reference(r, test->kernel, range, args);
    return printed_return(diverted, saved, text) && good;
}

static bool run_case(subject *s, reference *r, const test_case *test, const char *sources,
                     const char *path, arg *args)
{
    ndrange range;

    if (!read_range(test->range, &range)) {
        printf("# the row's range is wrong\n");
        return false;
    }
    for (unsigned i = 0; i < MOST_ARGS; i++) {
        if (!read_arg(test->args[i], i + 1, &args[i])) {
            printf("# the row's argument %u is wrong\n", i);
            return false;
        }
        args[i].ulp = test->ulp;
        memcpy(args[i].host, args[i].before, args[i].size);
    }
    s->reference_text.length = s->text.length = 0;
    if (!expect(r, test, sources, &range, args, &s->reference_text)) {
        printf("# the reference does not run it\n");
        return false;
    }
    return run_ours(s, path, test, &range, args) && compare_args(args) &&
           printed_compare(&s->reference_text, &s->text);
}

/* Not every device has every source: eight channels are too few for pvc. */
static bool exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

static int run_all(subject *s, reference *r, int argc, char *const *argv, arg *args)
{
    char path[1024];
    int passed = 0;
    int failed = 0;

    for (int i = 0; i < NUM_CASES; i++) {
        snprintf(path, sizeof path, "%s/%s.%s.zebin", argv[2], cases[i].file, argv[3]);
        if ((argc > 4 && strcmp(argv[4], cases[i].kernel) != 0) || !exists(path))
            continue;
        bool good = run_case(s, r, &cases[i], argv[1], path, args);
        passed += good;
        failed += !good;
        printf("%sok %d - %s.%s on %s\n", good ? "" : "not ", passed + failed, cases[i].file,
               cases[i].kernel, argv[3]);
        fflush(stdout);
    }
    printf("1..%d\n", passed + failed);
    return failed || !passed;
}

int main(int argc, char **argv)
{
    static subject s; /* large */
    reference r;

    if (argc < 4) {
        fprintf(stderr, "usage: compare_corpus SOURCES ZEBINS DEVICE [KERNEL]\n");
        return 2;
    }
    if (lacks_level())
        return SKIP;
    if (!open_reference(&r)) {
        printf("no CPU OpenCL here\n");
        return SKIP;
    }
    arg *args = calloc(MOST_ARGS, sizeof *args);
    if (!args || visage_context_create(NULL, &s.context) != VISAGE_OK ||
        visage_diagnostics_create(s.context, &s.diagnostics) != VISAGE_OK)
        return 1;
    int status = run_all(&s, &r, argc, argv, args);
    close_subject(&s);
    visage_diagnostics_destroy(&s.diagnostics);
    visage_context_destroy(&s.context);
    free(args);
    return status;
}
