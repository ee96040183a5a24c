/* SPDX-License-Identifier: MIT
 *
 * Kernels with as many bytes of arguments as each device says it takes: many small ones, large
 * ones, pointers. */
#include "building.h"

enum { MOST_ARGUMENTS = 1024, ITEMS = 40 };

/* What the arguments behind the result are, all of one type. */
typedef struct kind {
    const char *type, *term; /* how argument %zu goes into the result */
    size_t size_bytes;
} kind;

static const kind kinds[] = {
    {"int", "a%zu", 4},
    {"ulong", "a%zu", 8},
    {"float16", "(ulong)(a%zu.s0 + a%zu.sf)", 64},
    {"global const uint *", "a%zu[i]", 8},
};

static cl_ulong pattern(size_t i)
{
    return i * 2654435761u % 1000003;
}

/* Horner's rule, so that each argument's place counts. */
static char *write_source(const kind *k, size_t count)
{
    enum { LINE = 96 };
    char *text = malloc(2 * LINE * (count + 4)), *at = text;

    assert_non_null(text);
    at += sprintf(at, "kernel void k(global ulong *out");
    for (size_t i = 0; i < count; i++)
        at += sprintf(at, ", %s a%zu", k->type, i);
    at += sprintf(at, ")\n{\n    size_t i = get_global_id(0);\n    ulong s = i;\n");
    for (size_t i = 0; i < count; i++) {
        char term[LINE];
        (void)snprintf(term, sizeof term, k->term, i, i);
        at += sprintf(at, "    s = s * 5 + %s;\n", term);
    }
    (void)sprintf(at, "    out[i] = s;\n}\n");
    return text;
}

/* Sets argument i + 1; what it adds to the result of work-item j is pattern(i) + j for
 * pointers, pattern(i) for others. */
static cl_mem set_argument(const driver *d, cl_kernel kernel, const kind *k, size_t i)
{
    const cl_ulong value = pattern(i);
    cl_float16 wide = {{0}};
    cl_uint numbers[ITEMS];
    cl_mem memory = NULL;

    if (strchr(k->type, '*')) {
        for (size_t j = 0; j < ITEMS; j++)
            numbers[j] = (cl_uint)(value + j);
        memory = building_buffer(d, sizeof numbers, numbers);
        GOOD(clSetKernelArg(kernel, (cl_uint)i + 1, sizeof memory, &memory));
    } else if (k->size_bytes == sizeof wide) {
        wide.s[0] = (cl_float)(value / 2);
        wide.s[15] = (cl_float)(value - value / 2);
        GOOD(clSetKernelArg(kernel, (cl_uint)i + 1, sizeof wide, &wide));
    } else {
        GOOD(clSetKernelArg(kernel, (cl_uint)i + 1, k->size_bytes, &value));
    }
    return memory;
}

static void check(const driver *d, const kind *k, size_t bytes)
{
    const size_t count = (bytes - sizeof(cl_mem)) / k->size_bytes;
    cl_mem buffers[MOST_ARGUMENTS + 1] = {NULL}; /* none, or all of them */
    cl_ulong results[ITEMS];
    cl_uint number;

    assert_in_range(count, 1, MOST_ARGUMENTS);
    char *source = write_source(k, count);
    cl_program program = building_built(d, source, "");
    cl_kernel kernel = building_kernel(program, "k");
    GOOD(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof number, &number, NULL));
    assert_int_equal(number, count + 1);
    cl_mem out = building_buffer(d, sizeof results, NULL);
    GOOD(clSetKernelArg(kernel, 0, sizeof out, &out));
    for (size_t i = 0; i < count; i++)
        buffers[i] = set_argument(d, kernel, k, i);
    building_run(d, kernel, ITEMS, 0);
    GOOD(
        clEnqueueReadBuffer(d->queue, out, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
    for (size_t j = 0; j < ITEMS; j++) {
        cl_ulong wanted = j;
        for (size_t i = 0; i < count; i++)
            wanted = wanted * 5 + pattern(i) + (buffers[i] ? j : 0);
        assert_int_equal(results[j], wanted);
    }
    GOOD(clReleaseMemObject(out));
    driver_release(program, (cl_kernel[]){kernel, NULL}, buffers);
    free(source);
}

/* CL_DEVICE_MAX_PARAMETER_SIZE: the least of the full profile is 1024. Arguments of that many
 * bytes are more inputs than the vISA documents let a kernel have. */
static void check_device(const char *word)
{
    driver d = driver_open(word, 0);
    size_t bytes = 0;

    GOOD(clGetDeviceInfo(d.device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof bytes, &bytes, NULL));
    assert_true(bytes >= 1024);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check(&d, &kinds[i], bytes);
    driver_close(&d);
}

static void skylake_takes_all_its_parameters(void **state)
{
    (void)state;
    check_device("Skylake");
}

static void icelake_takes_all_its_parameters(void **state)
{
    (void)state;
    check_device("Ice Lake");
}

static void tigerlake_takes_all_its_parameters(void **state)
{
    (void)state;
    check_device("Tiger Lake");
}

static void dg2_takes_all_its_parameters(void **state)
{
    (void)state;
    check_device("DG2");
}

static void pvc_takes_all_its_parameters(void **state)
{
    (void)state;
    check_device("PVC");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skylake_takes_all_its_parameters),
        cmocka_unit_test(icelake_takes_all_its_parameters),
        cmocka_unit_test(tigerlake_takes_all_its_parameters),
        cmocka_unit_test(dg2_takes_all_its_parameters),
        cmocka_unit_test(pvc_takes_all_its_parameters),
    };
    int status = building_begin();

    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
