/* SPDX-License-Identifier: MIT
 *
 * Kernels: their arguments of every kind, what they tell of themselves, launches and what is
 * wrong with them, printf, faults. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>

#include "building.h"

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
    "kernel void ids(global uint *r) {\n"
    "  size_t n = (get_global_id(2) - get_global_offset(2)) * get_global_size(1) *\n"
    "             get_global_size(0) + (get_global_id(1) - get_global_offset(1)) *\n"
    "             get_global_size(0) + get_global_id(0) - get_global_offset(0);\n"
    "  r[n] = (uint)(get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2)) +\n"
    "         1000000 * (uint)get_local_size(0) + 100000000 * (uint)get_work_dim();\n"
    "}\n"
    "kernel void add(global int *r, global const int *a, int n) {\n"
    "  if (a) r[get_global_id(0)] = a[get_global_id(0)] + n; else r[get_global_id(0)] = n;\n"
    "}\n"
    "kernel void wild(global int *r, ulong at) {\n"
    "  r[get_global_id(0)] = ((global int *)at)[get_global_id(0)];\n"
    "}\n"
    "kernel __attribute__((intel_reqd_sub_group_size(16))) void wait(global int *r) {\n"
    "  if (get_local_id(0) == 0) while (atomic_or(r, 0) == 0);\n"
    "  if (get_local_id(0) == 16) atomic_xchg(r, 5);\n"
    "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  if (get_local_id(0) == 0) r[1] = r[0] + 1;\n"
    "}\n"
    "kernel void meet(volatile global int *r, global uint *own, global uint *next) {\n"
    "  uint g = get_group_id(0), n = get_num_groups(0), i = get_global_id(0);\n"
    "  own[i] = i + 1;\n"
    "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  if (get_local_id(0) == 0) { atomic_inc(r); while (atomic_or(r, 0) < n); }\n"
    "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  next[i] = own[(i + get_local_size(0)) % get_global_size(0)];\n"
    "}\n"
    "kernel void say(int n)\n"
    "{\n"
    "    if (get_global_id(0) == 1) printf(\"said %d\", n, \"in excess\", 1.0f), "
    "printf(\"\\n\");\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) "
    "__attribute__((vec_type_hint(float4)))\n"
    "void required(global int *r) { r[get_global_id(0)] = (int)get_local_size(1); }\n"
    "kernel __attribute__((intel_reqd_sub_group_size(16))) void sixteen(global uint *r) {\n"
    "  r[get_global_id(0)] = get_sub_group_size();\n"
    "}\n"
    "kernel void told(read_only image2d_t image, sampler_t sampler, constant float4 *c,\n"
    "                 volatile global uchar *restrict v, write_only image3d_t out) {}\n";

/* The program is built once; it belongs to the first test's context, which all share. */
static driver shared;
static cl_program program;
static int messages;
static char message[4096];

static void CL_CALLBACK notify(const char *text, const void *info, size_t size, void *user)
{
    (void)info;
    (void)size;
    (void)user;
    messages++;
    (void)snprintf(message, sizeof message, "%s", text);
}

static int open_shared(void **state)
{
    cl_int status;

    (void)state;
    GOOD(clGetPlatformIDs(1, &shared.platform, NULL));
    shared.device = driver_device(shared.platform, "Skylake");
    shared.context = clCreateContext(NULL, 1, &shared.device, notify, NULL, &status);
    GOOD(status);
    shared.queue =
        clCreateCommandQueueWithProperties(shared.context, shared.device, NULL, &status);
    GOOD(status);
    program = building_built(&shared, source, "-cl-std=CL1.2 -g");
    return 0;
}

static int close_shared(void **state)
{
    (void)state;
    GOOD(clReleaseProgram(program));
    driver_close(&shared);
    return 0;
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    GOOD(clSetKernelArg(kernel, index, size, value));
}

static void read_ints(cl_mem memory, void *to, size_t count)
{
    GOOD(clEnqueueReadBuffer(shared.queue, memory, CL_TRUE, 0, count * 4, to, 0, NULL, NULL));
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

/* ---- launches --------------------------------------------------------------------------- */

/* As many as the device says that it runs at a time, each time anew. */
static void groups_of_a_launch_meet(void **state)
{
    enum { LOCAL = 32 };
    cl_kernel kernel = building_kernel(program, "meet");
    cl_mem own, next, count = building_buffer(&shared, sizeof(cl_int), (cl_int[1]){0});
    cl_uint units;

    (void)state;
    GOOD(clGetDeviceInfo(shared.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units,
                         NULL));
    size_t size = (size_t)units * LOCAL, bytes = size * sizeof(cl_int);
    cl_int *numbers = calloc(size, sizeof *numbers);
    assert_non_null(numbers);
    own = building_buffer(&shared, bytes, numbers);
    next = building_buffer(&shared, bytes, numbers);
    set(kernel, 0, sizeof count, &count);
    set(kernel, 1, sizeof own, &own);
    set(kernel, 2, sizeof next, &next);
    for (int time = 0; time < 3; time++) {
        GOOD(clEnqueueWriteBuffer(shared.queue, count, CL_TRUE, 0, sizeof(cl_int),
                                  (cl_int[1]){0}, 0, NULL, NULL));
        GOOD(
            clEnqueueWriteBuffer(shared.queue, own, CL_TRUE, 0, bytes, numbers, 0, NULL, NULL));
        building_run(&shared, kernel, size, LOCAL);
        cl_int *out = calloc(size, sizeof *out);
        assert_non_null(out);
        read_ints(next, out, size);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(out[i], (i + LOCAL) % size + 1);
        free(out);
    }
    free(numbers);
    GOOD(clReleaseMemObject(count));
    GOOD(clReleaseMemObject(own));
    GOOD(clReleaseMemObject(next));
    GOOD(clReleaseKernel(kernel));
}

/* CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS: the first one waits for the second. */
static void sub_groups_wait_for_each_other(void **state)
{
    cl_kernel kernel = building_kernel(program, "wait");
    cl_int r[2] = {0};
    cl_mem memory = building_buffer(&shared, sizeof r, r);
    cl_bool is_independent;

    (void)state;
    GOOD(clGetDeviceInfo(shared.device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
                         sizeof is_independent, &is_independent, NULL));
    assert_int_equal(is_independent, CL_TRUE);
    set(kernel, 0, sizeof memory, &memory);
    building_run(&shared, kernel, 32, 32);
    read_ints(memory, r, 2);
    assert_int_equal(r[1], 6);
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
}

/* What work_group_any() ends with, the compiler's next function of the group stores over, with
 * no barrier between. */
static void functions_of_a_group_follow_each_other(void **state)
{
    enum { COUNT = 128 };
    cl_program whole = building_built(
        &shared,
        "kernel void f(global int *r) { int i = get_global_id(0);"
        " int any = work_group_any(i == 700), sum = work_group_scan_inclusive_add(i);"
        " r[i] = any ? -1 : sum; }"
        "kernel void g(global int *r) { int i = get_global_id(0), rounds = 0, sum = 0;"
        " do sum += work_group_reduce_max(i + rounds);"
        " while (!work_group_all(++rounds > i % 5));"
        " r[i] = sum * 10 + rounds; }",
        "-cl-std=CL3.0");
    cl_int r[COUNT] = {0};
    cl_mem memory = building_buffer(&shared, sizeof r, r);

    (void)state;
    cl_kernel kernel = building_kernel(whole, "f");
    set(kernel, 0, sizeof memory, &memory);
    building_run(&shared, kernel, COUNT, COUNT);
    read_ints(memory, r, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(r[i], i * (i + 1) / 2);
    GOOD(clReleaseKernel(kernel));
    kernel = building_kernel(whole, "g");
    set(kernel, 0, sizeof memory, &memory);
    building_run(&shared, kernel, COUNT, COUNT);
    read_ints(memory, r, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(r[i], (5 * (COUNT - 1) + 0 + 1 + 2 + 3 + 4) * 10 + 5);
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseProgram(whole));
}

/* The compiler makes a lock of 32 bits for them, whose waiting writes a counter that GPUs of
 * Skylake's generation are not documented to have. */
static void atomics_of_local_memory_have_64_bits(void **state)
{
    driver d = driver_open("Skylake", 0);
    cl_program whole = building_built(
        &d,
        "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
        "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
        "kernel void f(global long *r) { local long sum, most; if (get_local_id(0) == 0) {"
        " sum = 0x7fffffff; most = 0; } barrier(CLK_LOCAL_MEM_FENCE);"
        " atom_add(&sum, (long)get_local_id(0)); atom_max(&most, (long)get_local_id(0) << 32);"
        " barrier(CLK_LOCAL_MEM_FENCE); r[0] = sum; r[1] = most; }",
        NULL);
    cl_kernel kernel = building_kernel(whole, "f");
    cl_long r[2] = {0};
    cl_mem memory = building_buffer(&d, sizeof r, r);

    (void)state;
    set(kernel, 0, sizeof memory, &memory);
    building_run(&d, kernel, 64, 64);
    GOOD(clEnqueueReadBuffer(d.queue, memory, CL_TRUE, 0, sizeof r, r, 0, NULL, NULL));
    assert_int_equal(r[0], 0x7fffffffLL + 63 * 64 / 2);
    assert_int_equal(r[1], 63LL << 32);
    driver_release(whole, (cl_kernel[]){kernel, NULL}, (cl_mem[]){memory, NULL});
    driver_close(&d);
}

static void ranges_have_three_dimensions_and_an_offset(void **state)
{
    cl_kernel kernel = building_kernel(program, "ids");
    const size_t global[3] = {8, 3, 2}, local[3] = {4, 1, 2}, offset[3] = {5, 7, 9};
    cl_mem memory = building_buffer(&shared, 48 * 4, NULL);
    cl_uint r[48];

    (void)state;
    set(kernel, 0, sizeof memory, &memory);
    GOOD(clEnqueueNDRangeKernel(shared.queue, kernel, 3, offset, global, local, 0, NULL, NULL));
    read_ints(memory, r, 48);
    for (cl_uint i = 0; i < 48; i++)
        assert_int_equal(r[i], i % 8 + 5 + 100 * (i / 8 % 3 + 7) + 10000 * (i / 24 + 9) +
                                   4000000 + 300000000u);
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
}

static cl_int enqueue(cl_kernel kernel, cl_uint dims, const size_t *global, const size_t *local)
{
    return clEnqueueNDRangeKernel(shared.queue, kernel, dims, NULL, global, local, 0, NULL,
                                  NULL);
}

static void ranges_are_checked(void **state)
{
    cl_kernel kernel = building_kernel(program, "required");
    cl_kernel plain = building_kernel(program, "say");
    cl_kernel unset = building_kernel(program, "say");
    const size_t global[3] = {8, 4, 1}, good[3] = {4, 2, 1}, other[3] = {2, 2, 1};
    const size_t zero[3] = {4, 0, 1}, large[1] = {257}, uneven[2] = {3, 1};
    const size_t far_away[1] = {SIZE_MAX - 1}, too_far[1] = {((size_t)1 << 32) - 7};
    const size_t last[1] = {((size_t)1 << 32) - 8};
    cl_mem memory = building_buffer(&shared, 128, NULL);
    cl_event event;
    cl_int status;

    (void)state;
    set(kernel, 0, sizeof memory, &memory);
    set(plain, 0, 4, &(cl_int){1});
    GOOD(enqueue(kernel, 2, global, good));
    GOOD(enqueue(kernel, 2, global, NULL));
    assert_int_equal(enqueue(kernel, 2, global, other), CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(enqueue(kernel, 2, global, zero), CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(enqueue(kernel, 2, uneven, NULL), CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(enqueue(kernel, 1, global, good), CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(enqueue(kernel, 1, global, NULL), CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(enqueue(plain, 1, large, large), CL_INVALID_WORK_ITEM_SIZE);
    assert_int_equal(enqueue(kernel, 0, global, NULL), CL_INVALID_WORK_DIMENSION);
    assert_int_equal(enqueue(kernel, 4, global, NULL), CL_INVALID_WORK_DIMENSION);
    assert_int_equal(enqueue(kernel, CL_UINT_MAX, global, NULL), CL_INVALID_WORK_DIMENSION);
    assert_int_equal(enqueue(unset, 1, global, NULL), CL_INVALID_KERNEL_ARGS);
    assert_int_equal(enqueue(NULL, 1, global, NULL), CL_INVALID_KERNEL);
    assert_int_equal(
        clEnqueueNDRangeKernel(shared.queue, plain, 1, far_away, global, NULL, 0, NULL, NULL),
        CL_INVALID_GLOBAL_OFFSET);
    assert_int_equal(
        clEnqueueNDRangeKernel(shared.queue, plain, 1, too_far, global, NULL, 0, NULL, NULL),
        CL_INVALID_GLOBAL_OFFSET);
    GOOD(clEnqueueNDRangeKernel(shared.queue, plain, 1, last, global, NULL, 0, NULL, NULL));
    assert_int_equal(
        clEnqueueNDRangeKernel(shared.queue, plain, 1, NULL, global, NULL, 1, NULL, NULL),
        CL_INVALID_EVENT_WAIT_LIST);
    /* Nothing to run, but an event of it. */
    GOOD(clEnqueueNDRangeKernel(shared.queue, plain, 3, NULL, zero, NULL, 0, NULL, &event));
    GOOD(clWaitForEvents(1, &event));
    GOOD(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    assert_int_equal(status, CL_COMPLETE);
    GOOD(clReleaseEvent(event));
    GOOD(clFinish(shared.queue));
    driver_release(NULL, (cl_kernel[]){plain, unset, kernel, NULL}, (cl_mem[]){memory, NULL});
}

static void a_local_size_is_suggested(void **state)
{
    clGetKernelSuggestedLocalWorkSizeKHR_fn suggest;
    void *found = clGetExtensionFunctionAddressForPlatform(
        shared.platform, "clGetKernelSuggestedLocalWorkSizeKHR");
    cl_kernel kernel = building_kernel(program, "ids");
    cl_kernel required = building_kernel(program, "required");
    cl_mem memory = building_buffer(&shared, 64 * 48 * 4, NULL);
    const size_t global[2] = {64, 48}, none[2] = {0, 1};
    size_t local[2];
    cl_uint r[64 * 48];

    (void)state;
    assert_non_null(found);
    memcpy(&suggest, &found, sizeof suggest);
    assert_int_equal(suggest(shared.queue, kernel, 2, NULL, global, local),
                     CL_INVALID_KERNEL_ARGS);
    set(kernel, 0, sizeof memory, &memory);
    set(required, 0, sizeof memory, &memory);
    GOOD(suggest(shared.queue, required, 2, NULL, global, local));
    assert_true(local[0] == 4 && local[1] == 2);
    GOOD(suggest(shared.queue, kernel, 2, NULL, global, local));
    assert_true(local[0] > 0 && local[1] > 0 && local[0] * local[1] <= 256);
    assert_true(global[0] % local[0] == 0 && global[1] % local[1] == 0);
    /* It is what is used then. */
    GOOD(enqueue(kernel, 2, global, NULL));
    read_ints(memory, r, 64 * 48);
    assert_int_equal(r[0] / 1000000 % 100, local[0]);
    assert_int_equal(suggest(shared.queue, kernel, 2, NULL, none, local),
                     CL_INVALID_GLOBAL_WORK_SIZE);
    assert_int_equal(suggest(shared.queue, kernel, 2, NULL, NULL, local),
                     CL_INVALID_GLOBAL_WORK_SIZE);
    assert_int_equal(suggest(shared.queue, kernel, 4, NULL, global, local),
                     CL_INVALID_WORK_DIMENSION);
    assert_int_equal(suggest(shared.queue, kernel, 2, NULL, global, NULL), CL_INVALID_VALUE);
    assert_int_equal(suggest(NULL, kernel, 2, NULL, global, local), CL_INVALID_COMMAND_QUEUE);
    assert_int_equal(suggest(shared.queue, NULL, 2, NULL, global, local), CL_INVALID_KERNEL);
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(required));
    GOOD(clReleaseKernel(kernel));
}

static void other_contexts_are_refused(void **state)
{
    cl_kernel kernel = building_kernel(program, "add");
    driver own = driver_open("Skylake", 0);
    cl_mem foreign = building_buffer(&own, 64, NULL);
    const size_t one = 1;

    (void)state;
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof foreign, &foreign),
                     CL_INVALID_MEM_OBJECT);
    assert_int_equal(
        clEnqueueNDRangeKernel(own.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_INVALID_CONTEXT);
    GOOD(clReleaseMemObject(foreign));
    driver_close(&own);
    GOOD(clReleaseKernel(kernel));
}

static void groups_at_the_edges_may_be_smaller(void **state)
{
    cl_program two = building_built(
        &shared,
        "kernel void f(global uint *r) {\n"
        "  size_t n = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
        "  r[n] = (uint)(get_local_size(0) + 10 * get_local_size(1) +\n"
        "                100 * get_enqueued_local_size(0) + 1000 * get_enqueued_local_size(1) "
        "+\n"
        "                10000 * get_num_groups(0) + 100000 * get_num_groups(1) +\n"
        "                1000000 * get_group_id(0) + 10000000 * get_group_id(1));\n"
        "}\n",
        "-cl-std=CL2.0");
    cl_kernel kernel = building_kernel(two, "f");
    cl_kernel old = building_kernel(program, "ids");
    cl_mem memory = building_buffer(&shared, 7 * 5 * 4, NULL);
    const size_t global[2] = {7, 5}, local[2] = {4, 2};
    cl_uint r[7 * 5];

    (void)state;
    set(kernel, 0, sizeof memory, &memory);
    set(old, 0, sizeof memory, &memory);
    assert_int_equal(enqueue(old, 2, global, local), CL_INVALID_WORK_GROUP_SIZE);
    GOOD(enqueue(kernel, 2, global, local));
    read_ints(memory, r, 7 * 5);
    for (cl_uint y = 0; y < 5; y++)
        for (cl_uint x = 0; x < 7; x++)
            assert_int_equal(r[y * 7 + x], (x < 4 ? 4u : 3u) + 10 * (y < 4 ? 2u : 1u) + 400 +
                                               2000 + 20000 + 300000 + 1000000 * (x / 4) +
                                               10000000 * (y / 2));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseKernel(old));
    GOOD(clReleaseProgram(two));
    GOOD(clReleaseMemObject(memory));
}

/* ---- printf, faults --------------------------------------------------------------------- */

static void printing_comes_in_order(void **state)
{
    cl_kernel kernel = building_kernel(program, "say");
    const size_t items = 32;
    char text[256] = "";
    int pipe_ends[2];

    (void)state;
    assert_int_equal(pipe(pipe_ends), 0);
    (void)fflush(stdout);
    int old = dup(STDOUT_FILENO);
    assert_int_equal(dup2(pipe_ends[1], STDOUT_FILENO), STDOUT_FILENO);
    for (cl_int i = 0; i < 3; i++) {
        set(kernel, 0, sizeof i, &i);
        GOOD(
            clEnqueueNDRangeKernel(shared.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    }
    GOOD(clFinish(shared.queue));
    (void)printf("end\n");
    (void)fflush(stdout);
    assert_int_equal(dup2(old, STDOUT_FILENO), STDOUT_FILENO);
    (void)close(old);
    (void)close(pipe_ends[1]);
    size_t length = 0;
    ssize_t got;
    while ((got = read(pipe_ends[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    (void)close(pipe_ends[0]);
    assert_string_equal(text, "said 0\nsaid 1\nsaid 2\nend\n");
    GOOD(clReleaseKernel(kernel));
}

static void a_wild_access_fails_its_event_only(void **state)
{
    cl_kernel kernel = building_kernel(program, "wild");
    cl_int r[16] = {0};
    cl_mem memory = building_buffer(&shared, sizeof r, r);
    const size_t items = 16;
    cl_event event;
    cl_int status;

    (void)state;
    set(kernel, 0, sizeof memory, &memory);
    set(kernel, 1, 8, &(cl_ulong){0x1234000});
    messages = 0;
    /* The message also goes to the standard error stream. */
    int old = dup(STDERR_FILENO);
    int nowhere = open("/dev/null", O_WRONLY);
    assert_int_equal(dup2(nowhere, STDERR_FILENO), STDERR_FILENO);
    GOOD(clEnqueueNDRangeKernel(shared.queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event));
    assert_int_equal(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(dup2(old, STDERR_FILENO), STDERR_FILENO);
    (void)close(old);
    (void)close(nowhere);
    GOOD(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    assert_true(status < 0);
    assert_int_equal(messages, 1);
    assert_non_null(strstr(message, "\"wild\""));
    assert_non_null(strstr(message, "0x1234000"));
    assert_non_null(strstr(message, "program.cl:23")); /* the line of the source */
    assert_non_null(strstr(message, "work-item (0,0,0)"));
    GOOD(clReleaseEvent(event));
    set(kernel, 1, 8, &(cl_ulong){0});
    GOOD(clReleaseKernel(kernel));
    kernel = building_kernel(program, "add");
    set(kernel, 0, sizeof memory, &memory);
    set(kernel, 1, sizeof memory, NULL);
    set(kernel, 2, 4, &(cl_int){12});
    building_run(&shared, kernel, 16, 0);
    read_ints(memory, r, 16);
    assert_int_equal(r[15], 12);
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseMemObject(memory));
}

/* ---- threads, devices ------------------------------------------------------------------- */

static void *launch_in_thread(void *user)
{
    cl_kernel kernel = clCloneKernel(user, NULL);
    cl_int a[4] = {1, 2, 3, 4}, r[4];
    long bad = 0;
    const size_t four = 4;
    cl_mem in = clCreateBuffer(shared.context, CL_MEM_COPY_HOST_PTR, sizeof a, a, NULL);
    cl_mem out = clCreateBuffer(shared.context, 0, sizeof r, NULL, NULL);
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(shared.context, shared.device, NULL, NULL);

    for (cl_int i = 0; i < 50; i++) {
        (void)clSetKernelArg(kernel, 0, sizeof out, &out);
        (void)clSetKernelArg(kernel, 1, sizeof in, &in);
        (void)clSetKernelArg(kernel, 2, 4, &i);
        (void)clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &four, NULL, 0, NULL, NULL);
        (void)clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof r, r, 0, NULL, NULL);
        for (int k = 0; k < 4; k++)
            bad += r[k] != a[k] + i;
    }
    (void)clReleaseKernel(kernel);
    (void)clReleaseMemObject(in);
    (void)clReleaseMemObject(out);
    (void)clReleaseCommandQueue(queue);
    return (void *)bad;
}

static void threads_launch_at_once(void **state)
{
    cl_kernel kernel = building_kernel(program, "add");
    pthread_t threads[4];

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, launch_in_thread, kernel), 0);
    for (int i = 0; i < 4; i++) {
        void *bad;
        assert_int_equal(pthread_join(threads[i], &bad), 0);
        assert_null(bad);
    }
    GOOD(clReleaseKernel(kernel));
}

static void one_program_runs_on_several_devices(void **state)
{
    driver all = {.platform = shared.platform};
    cl_device_id devices[2] = {driver_device(shared.platform, "Skylake"),
                               driver_device(shared.platform, "PVC")};
    cl_int status, r[4];
    const size_t four = 4;

    (void)state;
    all.context = clCreateContext(NULL, 2, devices, NULL, NULL, &status);
    GOOD(status);
    all.device = devices[0];
    cl_program whole = building_built(
        &all, "kernel void f(global int *r) { r[get_global_id(0)] += 3; }", NULL);
    cl_kernel kernel = building_kernel(whole, "f");
    cl_mem memory = building_buffer(&all, sizeof r, (cl_int[4]){1, 2, 3, 4});
    set(kernel, 0, sizeof memory, &memory);
    for (int i = 0; i < 2; i++) {
        cl_command_queue queue =
            clCreateCommandQueueWithProperties(all.context, devices[i], NULL, &status);
        GOOD(status);
        GOOD(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &four, NULL, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof r, r, 0, NULL, NULL));
        assert_int_equal(r[3], 4 + 3 * (i + 1));
        GOOD(clReleaseCommandQueue(queue));
    }
    size_t sizes[2];
    GOOD(clGetProgramInfo(whole, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
    assert_true(sizes[0] > 0 && sizes[1] > 0);
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseProgram(whole));
    GOOD(clReleaseContext(all.context));
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
        cmocka_unit_test(pointers_of_allocations_are_arguments),
        cmocka_unit_test(arguments_are_told),
        cmocka_unit_test(kernels_are_told),
        cmocka_unit_test(sub_groups_are_told),
        cmocka_unit_test(sub_groups_wait_for_each_other),
        cmocka_unit_test(groups_of_a_launch_meet),
        cmocka_unit_test(functions_of_a_group_follow_each_other),
        cmocka_unit_test(atomics_of_local_memory_have_64_bits),
        cmocka_unit_test(ranges_have_three_dimensions_and_an_offset),
        cmocka_unit_test(ranges_are_checked),
        cmocka_unit_test(groups_at_the_edges_may_be_smaller),
        cmocka_unit_test(a_local_size_is_suggested),
        cmocka_unit_test(other_contexts_are_refused),
        cmocka_unit_test(printing_comes_in_order),
        cmocka_unit_test(a_wild_access_fails_its_event_only),
        cmocka_unit_test(threads_launch_at_once),
        cmocka_unit_test(one_program_runs_on_several_devices),
    };
    int status = building_begin();

    return status != 0 ? status : cmocka_run_group_tests(tests, open_shared, close_shared);
}
