/* SPDX-License-Identifier: MIT
 *
 * Kernels: their arguments of every kind, and what they tell of themselves. */
#include <stdatomic.h>

#include "building.h"

#include "launching.h"

static const char source[] =
    "typedef struct { char a; int b; short c; } mixed;\n"
    "kernel void values(global int *r, char a, short3 b, float2 c, ulong e, mixed m) {\n"
    "  r[0] = a; r[1] = b.x + b.y + b.z; r[2] = (int)(c.x * c.y); r[3] = (int)(e >> 32);\n"
    "  r[4] = m.a * 10000 + m.b * 100 + m.c;\n"
    "}\n"
    "kernel void locals(global int *r, local int *a, local long *b) {\n"
    "  size_t i = get_local_id(0), n = get_local_size(0);\n"
    "  a[i] = (int)i; b[i] = (long)i * 2;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  r[get_global_id(0)] = a[n - 1 - i] + (int)b[n - 1 - i];\n"
    "}\n"
    "kernel void add(global int *r, global const int *a, int n) {\n"
    "  if (a) r[get_global_id(0)] = a[get_global_id(0)] + n; else r[get_global_id(0)] = n;\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) "
    "__attribute__((vec_type_hint(float4)))\n"
    "void required(global int *r) { r[get_global_id(0)] = (int)get_local_size(1); }\n"
    "kernel __attribute__((intel_reqd_sub_group_size(16))) void sixteen(global uint *r) {\n"
    "  r[get_global_id(0)] = get_sub_group_size();\n"
    "}\n"
    "kernel void told(read_only image2d_t image, sampler_t sampler, constant float4 *c,\n"
    "                 volatile global uchar *restrict v, write_only image3d_t out) {}\n";

static int open_shared(void **state)
{
    (void)state;
    return launching_open(source);
}

/* ---- arguments -------------------------------------------------------------------------- */

static void values_of_all_sizes_arrive(void **state)
{
    cl_kernel kernel = building_kernel(program, "values");
    cl_mem memory = building_buffer(&shared, 64, NULL);
    const cl_char a = -7;
    const cl_short4 b = {{1, 20, 300, -1}};
    const cl_float2 c = {{1.5f, 4.0f}};
    const cl_ulong e = (cl_ulong)99 << 32;
    struct {
        cl_char a;
        cl_int b;
        cl_short c;
    } m = {3, 5, 7};
    cl_int r[5];

    (void)state;
    set(kernel, 0, sizeof memory, &memory);
    set(kernel, 1, sizeof a, &a);
    set(kernel, 2, sizeof b, &b);
    set(kernel, 3, sizeof c, &c);
    set(kernel, 4, sizeof e, &e);
    set(kernel, 5, sizeof m, &m);
    building_run(&shared, kernel, 1, 1);
    read_ints(memory, r, 5);
    assert_int_equal(r[0], -7);
    assert_int_equal(r[1], 321);
    assert_int_equal(r[2], 6);
    assert_int_equal(r[3], 99);
    assert_int_equal(r[4], 30507);
    assert_int_equal(clSetKernelArg(kernel, 1, 2, &a), CL_INVALID_ARG_SIZE);
    assert_int_equal(clSetKernelArg(kernel, 1, 1, NULL), CL_INVALID_ARG_VALUE);
    assert_int_equal(clSetKernelArg(kernel, 2, 4, &b), CL_INVALID_ARG_SIZE);
    assert_int_equal(clSetKernelArg(kernel, 6, 1, &a), CL_INVALID_ARG_INDEX);
    assert_int_equal(clSetKernelArg(kernel, 0, 4, &memory), CL_INVALID_ARG_SIZE);
    cl_mem context = (cl_mem)shared.context;
    assert_int_equal(clSetKernelArg(kernel, 0, 8, &context), CL_INVALID_MEM_OBJECT);
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
}

static void vectors_of_three_may_have_three(void **state)
{
    static const cl_float value[4] = {1, 2, 3, 4};
    const driver *d = &shared;
    cl_program own = building_built(d,
                                    "kernel void f(global int *r, float3 a, float4 b) {\n"
                                    "  *r = a.x * 100 + a.y * 10 + a.z + b.w;\n}\n",
                                    NULL);
    cl_kernel kernel = building_kernel(own, "f");
    cl_mem memory = building_buffer(d, 4, NULL);
    int result = 0;

    (void)state;
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    assert_int_equal(clSetKernelArg(kernel, 1, 8, value), CL_INVALID_ARG_SIZE);
    assert_int_equal(clSetKernelArg(kernel, 2, 12, value), CL_INVALID_ARG_SIZE);
    GOOD(clSetKernelArg(kernel, 2, 16, value));
    GOOD(clSetKernelArg(kernel, 1, 12, value));
    building_run(d, kernel, 1, 0);
    GOOD(clEnqueueReadBuffer(d->queue, memory, CL_TRUE, 0, 4, &result, 0, NULL, NULL));
    assert_int_equal(result, 127);
    driver_release(own, (cl_kernel[]){kernel, NULL}, (cl_mem[]){memory, NULL});
}

static void local_memory_is_as_large_as_asked(void **state)
{
    enum { GROUP = 32, ITEMS = 4 * GROUP };
    cl_kernel kernel = building_kernel(program, "locals");
    cl_mem memory = building_buffer(&shared, ITEMS * 4, NULL);
    cl_ulong before, bytes;
    cl_int r[ITEMS];
    size_t global = ITEMS;

    (void)state;
    GOOD(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_LOCAL_MEM_SIZE, 8, &before, NULL));
    set(kernel, 0, sizeof memory, &memory);
    set(kernel, 1, GROUP * 4, NULL);
    assert_int_equal(
        clEnqueueNDRangeKernel(shared.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
        CL_INVALID_KERNEL_ARGS);
    set(kernel, 2, GROUP * 8, NULL);
    GOOD(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_LOCAL_MEM_SIZE, 8, &bytes, NULL));
    assert_int_equal(bytes, before + GROUP * 12);
    building_run(&shared, kernel, ITEMS, GROUP);
    read_ints(memory, r, ITEMS);
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(r[i], 3 * (GROUP - 1 - i % GROUP));
    assert_int_equal(clSetKernelArg(kernel, 1, 0, NULL), CL_INVALID_ARG_SIZE);
    assert_int_equal(clSetKernelArg(kernel, 1, 4, r), CL_INVALID_ARG_VALUE);
    set(kernel, 1, 1 << 20, NULL);
    assert_int_equal(
        clEnqueueNDRangeKernel(shared.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
        CL_OUT_OF_RESOURCES);
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
}

/* Programs that go beyond what they asked for work on GPUs, as far as the next power of two. */
static void local_memory_is_handed_out_by_pieces(void **state)
{
    (void)state;
    cl_program own = building_built(&shared,
                                    "kernel void f(global int *r, local int *a, int at)\n"
                                    "{ a[at] = 5; r[0] = a[at] + a[at - 1]; }\n",
                                    NULL);
    cl_kernel kernel = building_kernel(own, "f");
    cl_mem memory = building_buffer(&shared, 4, NULL);
    static const struct {
        size_t asked;
        cl_int last;
    } rows[] = {{40, 255}, {1024, 255}, {2052, 1023}};

    set(kernel, 0, sizeof memory, &memory);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_int r;
        set(kernel, 1, rows[i].asked, NULL);
        set(kernel, 2, sizeof rows[i].last, &rows[i].last);
        building_run(&shared, kernel, 1, 1);
        read_ints(memory, &r, 1);
        assert_int_equal(r, 5);
    }
    driver_release(own, (cl_kernel[]){kernel, NULL}, (cl_mem[]){memory, NULL});
}

/* Two arrays that are all there is: the second one begins where the first one ends. */
static void local_arrays_have_places_of_their_own(void **state)
{
    enum { GROUP = 64 };
    static const char text[] =
        "kernel void f(global uint *bad) {\n"
        "  local uint first[FIRST]; local uint last[256];\n"
        "  uint l = get_local_id(0), n = get_local_size(0), wrong = 0;\n"
        "  for (uint i = l; i < FIRST; i += n) first[i] = i;\n"
        "  for (uint i = l; i < 256; i += n) last[i] = ~i;\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  for (uint i = n - 1 - l; i < FIRST; i += n) wrong += first[i] != i;\n"
        "  for (uint i = n - 1 - l; i < 256; i += n) wrong += last[i] != ~i;\n"
        "  bad[l] = wrong; }\n";
    static const char *const devices[] = {"PVC", "DG2", "Skylake"};
    cl_int bad[GROUP];

    (void)state;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        driver own = driver_open(devices[i], 0);
        char options[32];
        cl_ulong bytes;
        GOOD(clGetDeviceInfo(own.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
        (void)snprintf(options, sizeof options, "-DFIRST=%u", (unsigned)bytes / 4 - 256);
        cl_program built = building_built(&own, text, options);
        cl_kernel kernel = building_kernel(built, "f");
        cl_mem memory = building_buffer(&own, sizeof bad, NULL);
        set(kernel, 0, sizeof memory, &memory);
        building_run(&own, kernel, GROUP, GROUP);
        GOOD(
            clEnqueueReadBuffer(own.queue, memory, CL_TRUE, 0, sizeof bad, bad, 0, NULL, NULL));
        for (int n = 0; n < GROUP; n++)
            assert_int_equal(bad[n], 0);
        GOOD(clReleaseProgram(built));
        GOOD(clReleaseKernel(kernel));
        GOOD(clReleaseMemObject(memory));
        driver_close(&own);
    }
}

static void arguments_are_copied_when_enqueued(void **state)
{
    cl_kernel kernel = building_kernel(program, "add");
    cl_kernel clone;
    cl_int a[4] = {1, 2, 3, 4}, r[8] = {0}, status;
    cl_mem in = building_buffer(&shared, sizeof a, a);
    cl_mem out = building_buffer(&shared, sizeof r, r);
    const cl_buffer_region region = {0, 16};
    cl_mem part = clCreateSubBuffer(out, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    size_t four = 4;

    (void)state;
    GOOD(status);
    set(kernel, 0, sizeof part, &part);
    set(kernel, 1, sizeof in, &in);
    set(kernel, 2, 4, &(cl_int){100});
    GOOD(clEnqueueNDRangeKernel(shared.queue, kernel, 1, NULL, &four, NULL, 0, NULL, NULL));
    clone = clCloneKernel(kernel, &status);
    GOOD(status);
    set(kernel, 2, 4, &(cl_int){-100});
    set(kernel, 0, sizeof out, &out);
    read_ints(out, r, 8);
    for (int i = 0; i < 8; i++)
        assert_int_equal(r[i], i < 4 ? 101 + i : 0);
    /* A null pointer; the clone has the arguments of then. */
    set(kernel, 1, sizeof in, NULL);
    building_run(&shared, kernel, 8, 0);
    read_ints(out, r, 8);
    assert_int_equal(r[7], -100);
    building_run(&shared, clone, 4, 0);
    read_ints(out, r, 8);
    assert_int_equal(r[3], 104);
    assert_int_equal(r[4], -100);
    driver_release(NULL, (cl_kernel[]){clone, kernel, NULL}, (cl_mem[]){part, in, out, NULL});
}

/* Blocks that the compiler reads may end behind a buffer; without check mode there are zeros.
 */
static void ends_of_buffers_are_read(void **state)
{
    cl_kernel kernel = building_kernel(program, "add");
    cl_int a[16], r[24];
    cl_mem in, out = building_buffer(&shared, sizeof r, NULL);

    (void)state;
    for (int i = 0; i < 16; i++)
        a[i] = i * 3;
    in = building_buffer(&shared, sizeof a, a);
    set(kernel, 0, sizeof out, &out);
    set(kernel, 1, sizeof in, &in);
    set(kernel, 2, 4, &(cl_int){100});
    building_run(&shared, kernel, 24, 8);
    read_ints(out, r, 24);
    for (int i = 0; i < 24; i++)
        assert_int_equal(r[i], i < 16 ? 100 + i * 3 : 100);
    GOOD(clReleaseMemObject(in));
    GOOD(clReleaseMemObject(out));
    GOOD(clReleaseKernel(kernel));
}

/* Does the launch end with an error? */
static void check_fault(const driver *own, cl_kernel kernel, size_t items)
{
    cl_int status;
    cl_event event;

    GOOD(clEnqueueNDRangeKernel(own->queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event));
    GOOD(clFinish(own->queue));
    GOOD(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    assert_true(status < 0);
    GOOD(clReleaseEvent(event));
}

/* By surfaces, also what is farther behind, as far as the buffer is large; what is farther yet
 * is a fault, and so is what is written. By either engine. */
static void reads_behind_buffers_are_zeros(void **state)
{
    enum { LARGE = 1 << 16, GROUP = 64 };
    static const char text[] =
        "kernel void f(global uint *r, global const uint *in, uint at, global uint *out) {\n"
        "  uint i = get_global_id(0);\n"
        "  r[i] = in[i * 16 + at] + in[i * 3] + 1; if (out) out[i + at] = i; }\n";
    static const char *const devices[] = {"DG2", "Skylake", "Tiger"};
    static cl_uint in[LARGE];

    (void)state;
    for (cl_uint i = 0; i < LARGE; i++)
        in[i] = i;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        driver own = driver_open(devices[d], 0);
        cl_program built = building_built(&own, text, "");
        cl_kernel kernel = building_kernel(built, "f");
        cl_mem from = building_buffer(&own, sizeof in, in);
        cl_mem to = building_buffer(&own, GROUP * sizeof *in, NULL);
        cl_uint r[GROUP];
        set(kernel, 0, sizeof to, &to);
        set(kernel, 1, sizeof from, &from);
        set(kernel, 3, sizeof from, NULL);
        for (cl_uint at = LARGE - 100; at < 2 * LARGE; at += LARGE - GROUP * 16) {
            set(kernel, 2, sizeof at, &at);
            building_run(&own, kernel, GROUP, GROUP);
            GOOD(clEnqueueReadBuffer(own.queue, to, CL_TRUE, 0, sizeof r, r, 0, NULL, NULL));
            for (cl_uint i = 0; i < GROUP; i++)
                assert_int_equal(r[i], (i * 16 + at < LARGE ? i * 16 + at : 0) + i * 3 + 1);
        }
        set(kernel, 2, 4, &(cl_uint){2 * LARGE});
        check_fault(&own, kernel, GROUP);
        set(kernel, 2, 4, &(cl_uint){LARGE});
        set(kernel, 3, sizeof from, &from);
        check_fault(&own, kernel, GROUP);
        GOOD(clReleaseProgram(built));
        GOOD(clReleaseKernel(kernel));
        GOOD(clReleaseMemObject(from));
        GOOD(clReleaseMemObject(to));
        driver_close(&own);
    }
}

/* Before private arrays, too, where programs look before they ask whether there is anything. */
static void reads_before_private_arrays_are_zeros(void **state)
{
    enum { ITEMS = 64 };
    static const char text[] = "kernel void f(global int *r, global const int *in) {\n"
                               "  int i = get_global_id(0); char stack[21], at = 0;\n"
                               "  for (int k = 0; k < 21; k++) stack[k] = 0;\n"
                               "  for (int k = 0; k < in[i]; k++) stack[++at] = 3;\n"
                               "  stack[0] = 3;\n"
                               "  while (stack[at] >= 3 && at >= 0) at--;\n"
                               "  r[i] = at; }\n"
                               "kernel void g(global int *r, global const int *in, int to) {\n"
                               "  int i = get_global_id(0); char many[2000];\n"
                               "  for (int k = 0; k < 2000; k++) many[k] = in[k % 64];\n"
                               "  r[i] = many[in[i] + to]; }\n";
    static const char *const devices[] = {"DG2", "PVC", "Skylake"}; /* the first's are flat */
    cl_int in[ITEMS], r[ITEMS];

    (void)state;
    for (cl_int i = 0; i < ITEMS; i++)
        in[i] = i % 20;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        driver own = driver_open(devices[d], 0);
        cl_program built = building_built(&own, text, "");
        cl_kernel near = building_kernel(built, "f"), far = building_kernel(built, "g");
        cl_mem from = building_buffer(&own, sizeof in, in);
        cl_mem to = building_buffer(&own, sizeof r, NULL);
        set(near, 0, sizeof to, &to);
        set(near, 1, sizeof from, &from);
        building_run(&own, near, ITEMS, 32);
        GOOD(clEnqueueReadBuffer(own.queue, to, CL_TRUE, 0, sizeof r, r, 0, NULL, NULL));
        for (int i = 0; i < ITEMS; i++)
            assert_int_equal(r[i], -1);
        set(far, 0, sizeof to, &to);
        set(far, 1, sizeof from, &from);
        if (d > 0) {
            set(far, 2, 4, &(cl_int){2060}); /* behind the array, and all of scratch */
            building_run(&own, far, ITEMS, 32);
            GOOD(clEnqueueReadBuffer(own.queue, to, CL_TRUE, 0, sizeof r, r, 0, NULL, NULL));
            for (int i = 0; i < ITEMS; i++)
                assert_int_equal(r[i], 0);
            set(far, 2, 4, &(cl_int){-(1 << 20)});
            check_fault(&own, far, ITEMS);
        }
        GOOD(clReleaseProgram(built));
        driver_release(NULL, (cl_kernel[]){near, far, NULL}, (cl_mem[]){from, to, NULL});
        driver_close(&own);
    }
}

static void CL_CALLBACK count_farewell(cl_mem memory, void *user)
{
    (void)memory;
    (void)atomic_fetch_add((atomic_int *)user, 1);
}

/* clSetKernelArg: a kernel does not count as one that uses its arguments; commands do. */
static void arguments_are_not_kept(void **state)
{
    cl_kernel kernel = building_kernel(program, "add");
    cl_mem memory = building_buffer(&shared, 64, NULL),
           other = building_buffer(&shared, 64, NULL);
    const size_t items = 1;
    atomic_int farewells = 0;
    cl_int n = 5;
    cl_uint count;

    (void)state;
    GOOD(clSetMemObjectDestructorCallback(memory, count_farewell, &farewells));
    set(kernel, 0, sizeof memory, &memory);
    set(kernel, 1, sizeof memory, NULL);
    set(kernel, 2, sizeof n, &n);
    GOOD(clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL));
    assert_int_equal(count, 1);
    cl_event gate = clCreateUserEvent(shared.context, NULL);
    GOOD(clEnqueueNDRangeKernel(shared.queue, kernel, 1, NULL, &items, NULL, 1, &gate, NULL));
    cl_kernel twin = clCloneKernel(kernel, NULL);
    GOOD(clReleaseMemObject(memory));
    assert_int_equal(atomic_load(&farewells), 0);
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    GOOD(clFinish(shared.queue));
    assert_int_equal(atomic_load(&farewells), 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(clEnqueueNDRangeKernel(shared.queue, i ? twin : kernel, 1, NULL,
                                                &items, NULL, 0, NULL, NULL),
                         CL_INVALID_KERNEL_ARGS);
    set(kernel, 0, sizeof other, &other);
    building_run(&shared, kernel, 1, 1);
    read_ints(other, &n, 1);
    assert_int_equal(n, 5);
    GOOD(clReleaseEvent(gate));
    GOOD(clReleaseMemObject(other));
    GOOD(clReleaseKernel(twin));
    GOOD(clReleaseKernel(kernel));
}

static void pointers_of_allocations_are_arguments(void **state)
{
    cl_kernel kernel = building_kernel(program, "add");
    cl_int *svm =
        clSVMAlloc(shared.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 4096, 0);
    int local = 0;

    (void)state;
    assert_non_null(svm);
    for (int i = 0; i < 8; i++)
        svm[i] = i;
    GOOD(clSetKernelArgSVMPointer(kernel, 0, svm + 8));
    GOOD(clSetKernelArgSVMPointer(kernel, 1, svm));
    set(kernel, 2, 4, &(cl_int){7});
    building_run(&shared, kernel, 8, 0);
    for (int i = 0; i < 8; i++)
        assert_int_equal(svm[8 + i], i + 7);
    assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, &local), CL_INVALID_ARG_VALUE);
    assert_int_equal(clSetKernelArgSVMPointer(kernel, 2, svm), CL_INVALID_ARG_VALUE);
    assert_int_equal(clSetKernelArgSVMPointer(kernel, 3, svm), CL_INVALID_ARG_INDEX);
    GOOD(clSetKernelArgSVMPointer(kernel, 1, NULL));
    GOOD(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof svm, &svm));
    GOOD(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
    assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 0, NULL),
        CL_INVALID_VALUE);
    assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 3, &svm),
                     CL_INVALID_VALUE);
    assert_int_equal(clSetKernelExecInfo(kernel, 0, sizeof svm, &svm), CL_INVALID_VALUE);
    building_run(&shared, kernel, 8, 0);
    assert_int_equal(svm[8], 7);
    clSVMFree(shared.context, svm);
    GOOD(clReleaseKernel(kernel));
}

/* ---- information ------------------------------------------------------------------------ */

static void arguments_are_told(void **state)
{
    static const struct {
        const char *name, *type;
        cl_uint address, access;
        cl_ulong qualifiers;
    } wanted[] = {
        {"image", "image2d_t", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_READ_ONLY, 0},
        {"sampler", "sampler_t", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE, 0},
        {"c", "float4*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ACCESS_NONE,
         CL_KERNEL_ARG_TYPE_CONST},
        {"v", "uchar*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_NONE,
         CL_KERNEL_ARG_TYPE_VOLATILE | CL_KERNEL_ARG_TYPE_RESTRICT},
        {"out", "image3d_t", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_WRITE_ONLY, 0},
    };
    cl_kernel kernel = building_kernel(program, "told");
    char text[64];
    cl_uint number;
    cl_ulong bits;

    (void)state;
    GOOD(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, 4, &number, NULL));
    assert_int_equal(number, 5);
    for (cl_uint i = 0; i < 5; i++) {
        GOOD(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
        assert_string_equal(text, wanted[i].name);
        GOOD(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
        assert_string_equal(text, wanted[i].type);
        GOOD(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, 4, &number, NULL));
        assert_int_equal(number, wanted[i].address);
        GOOD(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, 4, &number, NULL));
        assert_int_equal(number, wanted[i].access);
        GOOD(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, 8, &bits, NULL));
        assert_int_equal(bits, wanted[i].qualifiers);
    }
    assert_int_equal(clGetKernelArgInfo(kernel, 5, CL_KERNEL_ARG_NAME, 64, text, NULL),
                     CL_INVALID_ARG_INDEX);
    assert_int_equal(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, 2, text, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clGetKernelArgInfo(kernel, 0, 0, 64, text, NULL), CL_INVALID_VALUE);
    GOOD(clReleaseKernel(kernel));
}

static void kernels_are_told(void **state)
{
    cl_kernel kernel = building_kernel(program, "required");
    cl_kernel sixteen = building_kernel(program, "sixteen");
    char text[256];
    cl_program of;
    cl_context context;
    cl_uint count;
    size_t sizes[3], size;

    (void)state;
    GOOD(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
    assert_string_equal(text, "required");
    GOOD(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
    assert_string_equal(text, "reqd_work_group_size(4,2,1) vec_type_hint(float4)");
    GOOD(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof of, &of, NULL));
    assert_ptr_equal(of, program);
    GOOD(clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof context, &context, NULL));
    assert_ptr_equal(context, shared.context);
    GOOD(clRetainKernel(kernel));
    GOOD(clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof count, &count, NULL));
    assert_int_equal(count, 2);
    GOOD(clReleaseKernel(kernel));
    GOOD(clGetKernelWorkGroupInfo(kernel, shared.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                  sizeof sizes, sizes, NULL));
    assert_true(sizes[0] == 4 && sizes[1] == 2 && sizes[2] == 1);
    GOOD(clGetKernelWorkGroupInfo(sixteen, NULL, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                  sizeof size, &size, NULL));
    assert_int_equal(size, 16);
    GOOD(clGetKernelWorkGroupInfo(sixteen, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size,
                                  NULL));
    assert_int_equal(size, 256);
    assert_int_equal(clGetKernelWorkGroupInfo(sixteen, NULL, CL_KERNEL_GLOBAL_WORK_SIZE,
                                              sizeof sizes, sizes, NULL),
                     CL_INVALID_VALUE);
    cl_device_id other = driver_device(shared.platform, "DG2");
    assert_int_equal(
        clGetKernelWorkGroupInfo(sixteen, other, CL_KERNEL_WORK_GROUP_SIZE, 8, &size, NULL),
        CL_INVALID_DEVICE);
    assert_int_equal(clGetKernelInfo(kernel, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseKernel(sixteen));
    cl_int status;
    assert_null(clCreateKernel(program, "no such kernel", &status));
    assert_int_equal(status, CL_INVALID_KERNEL_NAME);
    assert_null(clCreateKernel(program, NULL, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
}

static void sub_groups_are_told(void **state)
{
    cl_kernel kernel = building_kernel(program, "sixteen");
    const size_t local[2] = {20, 5};
    size_t size, sizes[3], count = 3;

    (void)state;
    GOOD(clGetKernelSubGroupInfo(kernel, shared.device,
                                 CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, local,
                                 sizeof size, &size, NULL));
    assert_int_equal(size, 16);
    GOOD(clGetKernelSubGroupInfo(kernel, shared.device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                                 sizeof local, local, sizeof size, &size, NULL));
    assert_int_equal(size, 7);
    GOOD(clGetKernelSubGroupInfo(kernel, shared.device,
                                 CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count, &count,
                                 sizeof sizes, sizes, NULL));
    assert_true(sizes[0] == 48 && sizes[1] == 1 && sizes[2] == 1);
    for (count = 0; count < 18; count += 17) { /* none; more than a group has */
        GOOD(clGetKernelSubGroupInfo(kernel, shared.device,
                                     CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count,
                                     &count, sizeof sizes, sizes, NULL));
        assert_true(sizes[0] == 0 && sizes[1] == 0 && sizes[2] == 0);
    }
    GOOD(clGetKernelSubGroupInfo(kernel, NULL, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
                                 sizeof size, &size, NULL));
    assert_int_equal(size, 16);
    GOOD(clGetKernelSubGroupInfo(kernel, NULL, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL,
                                 sizeof size, &size, NULL));
    assert_int_equal(size, 16);
    assert_int_equal(clGetKernelSubGroupInfo(kernel, NULL,
                                             CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 0, NULL,
                                             sizeof size, &size, NULL),
                     CL_INVALID_VALUE);
    GOOD(clReleaseKernel(kernel));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_all_sizes_arrive),
        cmocka_unit_test(vectors_of_three_may_have_three),
        cmocka_unit_test(local_memory_is_as_large_as_asked),
        cmocka_unit_test(local_memory_is_handed_out_by_pieces),
        cmocka_unit_test(local_arrays_have_places_of_their_own),
        cmocka_unit_test(arguments_are_copied_when_enqueued),
        cmocka_unit_test(arguments_are_not_kept),
        cmocka_unit_test(ends_of_buffers_are_read),
        cmocka_unit_test(reads_behind_buffers_are_zeros),
        cmocka_unit_test(reads_before_private_arrays_are_zeros),
        cmocka_unit_test(pointers_of_allocations_are_arguments),
        cmocka_unit_test(arguments_are_told),
        cmocka_unit_test(kernels_are_told),
        cmocka_unit_test(sub_groups_are_told),
    };
    int status = building_begin();

    return status != 0 ? status : cmocka_run_group_tests(tests, open_shared, close_shared);
}
