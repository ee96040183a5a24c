/* SPDX-License-Identifier: MIT
 *
 * Runs kernels of one source twice, on a CPU OpenCL through the ICD loader and on visage from
 * the zebin that Intel's compiler made of the same source, and compares every buffer.
 *
 * usage: compare_corpus SOURCE-DIRECTORY ZEBIN-DIRECTORY DEVICE [KERNEL]
 *   reads SOURCE-DIRECTORY/<file>.cl and ZEBIN-DIRECTORY/<file>.<device>.zebin
 * Prints TAP. Exit status 77: no OpenCL here. */
#define CL_TARGET_OPENCL_VERSION 120

#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "visage/visage.h"

enum { SKIP = 77 };

typedef enum mode { PARALLEL, PARALLEL2D, PARALLEL3D, SEQUENTIAL, STRIDED } mode;

typedef struct test_case {
    const char *file, *kernel;
    mode mode;
    uint32_t size, local;
    double ulp;
    host_fn host; /* NULL: the CPU OpenCL */
    const char *args[MOST_ARGS];
} test_case;

static const test_case cases[] = {
#define CASE(file, kernel, mode, size, local, ulp, ...)                                        \
    {#file, #kernel, mode, size, local, ulp, NULL, {__VA_ARGS__}},
#define HOST(file, kernel, mode, size, local, ulp, ...)                                        \
    {#file, #kernel, mode, size, local, ulp, host_##kernel, {__VA_ARGS__}},
#include "cases.def"
#undef CASE
#undef HOST
};

enum { NUM_CASES = sizeof cases / sizeof cases[0] };

/* ---- arguments -------------------------------------------------------------------------- */

static uint64_t random_state;

static uint64_t next_random(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void store(arg *a, size_t index, double real, uint64_t whole)
{
    unsigned char *to = a->before + index * a->bytes;
    if (a->type != 'f')
        memcpy(to, &whole, a->bytes);
    else if (a->bytes == 2) /* eighths: products are exact, fused with a sum or not */
        memcpy(to, &(uint16_t){half_bits(nearbyint(real * 8) / 8)}, 2);
    else if (a->bytes == 4)
        memcpy(to, &(float){(float)real}, 4);
    else
        memcpy(to, &real, 8);
}

static void fill(arg *a, const char *low_text, const char *high_text)
{
    double low = strtod(low_text, NULL);
    double high = strtod(high_text, NULL);

    for (size_t i = 0; i < a->count; i++) {
        uint64_t bits = next_random();
        if (a->type == 'f') {
            store(a, i, low + (high - low) * ldexp((double)(bits >> 40), -24), 0);
        } else {
            uint64_t from = low < 0 ? (uint64_t)strtoll(low_text, NULL, 10)
                                    : strtoull(low_text, NULL, 10);
            uint64_t to = high < 0 ? (uint64_t)strtoll(high_text, NULL, 10)
                                   : strtoull(high_text, NULL, 10);
            uint64_t span = to - from + 1;
            store(a, i, 0, from + (span ? bits % span : bits));
        }
    }
}

static void set_element(arg *a, size_t index, const char *text)
{
    store(a, index, strtod(text, NULL),
          *text == '-' ? (uint64_t)strtoll(text, NULL, 10) : strtoull(text, NULL, 10));
}

static void read_type(arg *a, const char *text)
{
    a->type = text[0];
    a->bytes = (size_t)atoi(text + 1) / 8;
    a->pad = strchr(text, 'x') != NULL;
}

static bool make_arg(const char *spec, arg *a)
{
    char copy[256];
    char *words[64];
    int count = 0;

    memset(a, 0, sizeof *a);
    if (!spec)
        return true;
    snprintf(copy, sizeof copy, "%s", spec);
    for (char *word = strtok(copy, " *"); word && count < 64; word = strtok(NULL, " *"))
        words[count++] = word;
    if (spec[0] == '~') {
        a->kind = ARG_LOCAL;
        a->size = (size_t)atoi(spec + 1);
        return true;
    }
    if (spec[0] == '=') {
        a->kind = ARG_VALUE;
        read_type(a, words[0] + 1);
        a->count = (size_t)count - 1;
        for (int i = 1; i < count; i++)
            set_element(a, (size_t)i - 1, words[i]);
    } else {
        a->kind = ARG_BUFFER;
        read_type(a, words[0]);
        a->count = (size_t)atoi(words[1]);
        if (a->count * a->bytes > MOST_BYTES)
            return false;
        fill(a, words[2], words[3]);
        for (int i = 4; i + 1 < count; i += 2)
            set_element(a, (size_t)atoi(words[i] + 1), words[i + 1]);
    }
    a->size = a->count * a->bytes;
    if (a->kind == ARG_VALUE && a->count == 3)
        a->size = 4 * a->bytes; /* vectors of three have the size of four */
    return true;
}

/* ---- both sides ------------------------------------------------------------------------- */

/* Sizes of a launch; the number of launches. */
static uint32_t plan(const test_case *test, uint32_t *global, uint32_t *local)
{
    for (int i = 0; i < 3; i++)
        global[i] = local[i] = 1;
    if (test->mode == SEQUENTIAL || test->mode == STRIDED)
        return test->mode == STRIDED ? test->size / 8 : test->size;
    global[0] = test->size;
    local[0] = test->local;
    if (test->mode == PARALLEL2D) { /* 64 by 4, groups of 8 by 2 */
        global[1] = 4;
        local[1] = 2;
    }
    if (test->mode == PARALLEL3D) { /* reqd_work_group_size(16, 4, 2) */
        global[1] = 8;
        global[2] = 2;
        local[0] = 16;
        local[1] = 4;
        local[2] = 2;
    }
    return 1;
}

static uint32_t offset_of(const test_case *test, uint32_t launch)
{
    if (test->mode == SEQUENTIAL)
        return launch;
    return test->mode == STRIDED ? launch * 8 : 0;
}

static uint32_t dimensions(const test_case *test)
{
    return test->mode == PARALLEL2D ? 2 : test->mode == PARALLEL3D ? 3 : 1;
}

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
    char file[64]; /* the program's */
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
    char path[1024];
    size_t size;
    cl_int error;

    if (strcmp(r->file, file) == 0)
        return true;
    snprintf(path, sizeof path, "%s/%s.cl", directory, file);
    char *source = read_file(path, &size);
    if (!source)
        return false;
    if (r->program)
        clReleaseProgram(r->program);
    r->program =
        clCreateProgramWithSource(r->context, 1, (const char **)&source, &size, &error);
    free(source);
    snprintf(r->file, sizeof r->file, "%s", file);
    return clBuildProgram(r->program, 1, &r->device, "", NULL, NULL) == CL_SUCCESS;
}

static bool run_reference(reference *r, const test_case *test, arg *args)
{
    cl_mem buffers[MOST_ARGS] = {0};
    uint32_t global[3], local[3];
    uint32_t launches = plan(test, global, local);
    cl_int error;
    cl_kernel kernel = clCreateKernel(r->program, test->kernel, &error);
    size_t sizes[3] = {global[0], global[1], global[2]};
    size_t locals[3] = {local[0], local[1], local[2]};

    for (cl_uint i = 0; i < MOST_ARGS && args[i].kind; i++) {
        if (args[i].kind == ARG_VALUE)
            error |= clSetKernelArg(kernel, i, args[i].size, args[i].before);
        if (args[i].kind == ARG_LOCAL)
            error |= clSetKernelArg(kernel, i, args[i].size, NULL);
        if (args[i].kind != ARG_BUFFER)
            continue;
        buffers[i] = clCreateBuffer(r->context, CL_MEM_COPY_HOST_PTR, args[i].size,
                                    args[i].before, &error);
        error |= clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]);
    }
    for (uint32_t n = 0; n < launches && error == CL_SUCCESS; n++) {
        size_t offsets[3] = {offset_of(test, n), 0, 0};
        error = clEnqueueNDRangeKernel(r->queue, kernel, dimensions(test), offsets, sizes,
                                       locals, 0, NULL, NULL);
    }
    for (cl_uint i = 0; i < MOST_ARGS && args[i].kind && error == CL_SUCCESS; i++)
        if (buffers[i])
            error = clEnqueueReadBuffer(r->queue, buffers[i], CL_TRUE, 0, args[i].size,
                                        args[i].host, 0, NULL, NULL);
    for (int i = 0; i < MOST_ARGS; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    if (kernel)
        clReleaseKernel(kernel);
    return error == CL_SUCCESS;
}

static visage_status set_args(visage_device *device, visage_launch *launch, const arg *args,
                              visage_buffer **buffers, visage_diagnostics *diagnostics)
{
    visage_status status = VISAGE_OK;

    for (size_t i = 0; i < MOST_ARGS && args[i].kind && status == VISAGE_OK; i++) {
        if (args[i].kind == ARG_VALUE) {
            status = visage_launch_set_value(launch, i, args[i].before, args[i].size,
                                             diagnostics);
        } else if (args[i].kind == ARG_LOCAL) {
            status = visage_launch_set_local(launch, i, args[i].size, diagnostics);
        } else {
            status = visage_buffer_create(device, args[i].size, &buffers[i]);
            if (status != VISAGE_OK)
                break;
            memcpy(visage_buffer_data(buffers[i]), args[i].before, args[i].size);
            status = visage_launch_set_buffer(launch, i, buffers[i], 0, diagnostics);
        }
    }
    return status;
}

static visage_status launch_all(const test_case *test, visage_launch *launch,
                                visage_diagnostics *diagnostics)
{
    visage_range range = VISAGE_OPTIONS_INIT(visage_range);
    uint32_t launches = plan(test, range.global, range.local);
    visage_status status = VISAGE_OK;

    for (uint32_t i = dimensions(test); i < 3; i++)
        range.global[i] = range.local[i] = 0;
    for (uint32_t n = 0; n < launches && status == VISAGE_OK; n++) {
        range.offset[0] = offset_of(test, n);
        status = visage_launch_run(launch, &range, NULL, diagnostics, NULL);
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

static bool run_ours(visage_context *context, const char *path, const test_case *test, arg *args)
{
    visage_diagnostics *diagnostics = NULL;
    visage_module *module = NULL;
    visage_device *device = NULL;
    visage_program *program = NULL;
    visage_launch *launch = NULL;
    visage_buffer *buffers[MOST_ARGS] = {0};
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_module_info info;

    visage_status status = visage_diagnostics_create(context, &diagnostics);
    if (status == VISAGE_OK)
        status = visage_module_read_file(context, path, NULL, diagnostics, &module);
    if (status == VISAGE_OK)
        status = visage_module_get_info(module, &info);
    if (status == VISAGE_OK) {
        options.platform = info.platform;
        status = visage_device_create(context, &options, &device);
    }
    if (status == VISAGE_OK)
        status = visage_program_create(device, module, diagnostics, &program);
    if (status == VISAGE_OK)
        status = visage_launch_create(program, test->kernel, diagnostics, &launch);
    if (status == VISAGE_OK)
        status = set_args(device, launch, args, buffers, diagnostics);
    if (status == VISAGE_OK)
        status = launch_all(test, launch, diagnostics);
    show(diagnostics);
    for (int i = 0; i < MOST_ARGS; i++) {
        if (buffers[i] && status == VISAGE_OK)
            memcpy(args[i].ours, visage_buffer_data(buffers[i]), args[i].size);
        visage_buffer_destroy(&buffers[i]);
    }
    visage_launch_destroy(&launch);
    visage_program_destroy(&program);
    visage_device_destroy(&device);
    visage_module_destroy(&module);
    visage_diagnostics_destroy(&diagnostics);
    return status == VISAGE_OK;
}

/* ---- comparing -------------------------------------------------------------------------- */

static bool close_enough(float want, float got, double ulp)
{
    int exponent;

    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got);
    if (want == got)
        return true;
    if (ulp == 0 || isinf(want) || isinf(got))
        return false;
    (void)frexpf(want, &exponent);
    return fabs((double)want - (double)got) <= ulp * ldexp(1, exponent - 24);
}

static bool half_close(const unsigned char *want, const unsigned char *got, double ulp)
{
    uint16_t x, y;
    int exponent;

    memcpy(&x, want, 2);
    memcpy(&y, got, 2);
    (void)frexp(half_value(x), &exponent);
    return x == y || fabs(half_value(x) - half_value(y)) <= ulp * ldexp(1, exponent - 11);
}

static bool same_element(const arg *a, size_t i, double ulp)
{
    const unsigned char *want = a->host + i * a->bytes;
    const unsigned char *got = a->ours + i * a->bytes;
    float x, y;
    int32_t low, high;

    if (a->slack) {
        memcpy(&low, want, 4);
        memcpy(&high, got, 4);
        return high >= low && high - low <= a->slack;
    }
    if (a->half_ulp > 0)
        return half_close(want, got, a->half_ulp);

    if (a->pad && i % 4 == 3)
        return true;
    if (a->type != 'f' || a->bytes != 4)
        return memcmp(want, got, a->bytes) == 0;
    memcpy(&x, want, 4);
    memcpy(&y, got, 4);
    return close_enough(x, y, ulp);
}

static bool compare(const test_case *test, const arg *args)
{
    int wrong = 0;

    for (int n = 0; n < MOST_ARGS && args[n].kind; n++) {
        for (size_t i = 0; args[n].kind == ARG_BUFFER && i < args[n].count; i++) {
            if (same_element(&args[n], i, test->ulp) || wrong++ >= 5)
                continue;
            int64_t want = 0;
            int64_t got = 0;
            memcpy(&want, args[n].host + i * args[n].bytes, args[n].bytes);
            memcpy(&got, args[n].ours + i * args[n].bytes, args[n].bytes);
            printf("# argument %d [%zu]: expected 0x%llx, got 0x%llx", n, i,
                   (unsigned long long)want, (unsigned long long)got);
            if (args[n].type == 'f' && args[n].bytes == 4) {
                float x, y;
                memcpy(&x, &want, 4);
                memcpy(&y, &got, 4);
                printf(" (%.9g, %.9g)", (double)x, (double)y);
            }
            putchar('\n');
        }
    }
    return wrong == 0;
}

static bool run_case(visage_context *context, reference *r, const test_case *test,
                     char *const *argv, arg *args)
{
    char path[1024];

    random_state = 1;
    for (int i = 0; i < MOST_ARGS; i++)
        if (!make_arg(test->args[i], &args[i]))
            return false;
    snprintf(path, sizeof path, "%s/%s.%s.zebin", argv[2], test->file, argv[3]);
    for (int i = 0; i < MOST_ARGS && test->host; i++)
        memcpy(args[i].host, args[i].before, args[i].size);
    if (test->host)
        test->host(args, test->size);
    else if (!build_reference(r, argv[1], test->file) || !run_reference(r, test, args)) {
        printf("# the reference does not run it\n");
        return false;
    }
    return run_ours(context, path, test, args) && compare(test, args);
}

/* Not every device has every source: eight channels are too few for pvc. */
static bool exists(char *const *argv, const test_case *test)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s.%s.zebin", argv[2], test->file, argv[3]);
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

int main(int argc, char **argv)
{
    visage_context *context;
    reference r;
    int passed = 0;
    int failed = 0;

    if (argc < 4) {
        fprintf(stderr, "usage: compare_corpus SOURCES ZEBINS DEVICE [KERNEL]\n");
        return 2;
    }
    if (!open_reference(&r)) {
        printf("no CPU OpenCL here\n");
        return SKIP;
    }
    arg *args = calloc(MOST_ARGS, sizeof *args);
    if (!args || visage_context_create(NULL, &context) != VISAGE_OK)
        return 1;
    for (int i = 0; i < NUM_CASES; i++) {
        if (argc > 4 && strcmp(argv[4], cases[i].kernel) != 0)
            continue;
        if (!exists(argv, &cases[i]))
            continue;
        bool good = run_case(context, &r, &cases[i], argv, args);
        passed += good;
        failed += !good;
        printf("%sok %d - %s.%s on %s\n", good ? "" : "not ", passed + failed, cases[i].file,
               cases[i].kernel, argv[3]);
    }
    free(args);
    visage_context_destroy(&context);
    printf("1..%d\n", passed + failed);
    return failed || !passed;
}
