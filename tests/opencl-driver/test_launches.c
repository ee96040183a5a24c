/* SPDX-License-Identifier: MIT
 *
 * Launches of kernels, and what is wrong with them; printf, faults, threads, devices. */
#include <fcntl.h>
#include <pthread.h>

#include "building.h"

#include "launching.h"

static const char source[] =
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
    "  uint n = get_num_groups(0), i = get_global_id(0);\n"
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
    "void required(global int *r) { r[get_global_id(0)] = (int)get_local_size(1); }\n";

static int open_shared(void **state)
{
    (void)state;
    return launching_open(source);
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
    assert_non_null(strstr(message, "program.cl:12")); /* the line of the source */
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

/* Groups whose size nobody gives go along y where rows of memory do, if there is enough of it;
 * as does what kernels make of them. */
static void groups_go_along_rows(void **state)
{
    driver *d = &shared;
    static const char along_rows[] =
        "kernel void f(global uint *r)\n"
        "{\n"
        "    uint x = get_global_id(0), y = get_global_id(1), n = get_global_size(1);\n"
        "    uint is_along = get_local_size(1) > get_local_size(0);\n"
        "    r[x * n + y] = x + 1000 * y + 100000000 * is_along;\n"
        "}\n";
    static const size_t sizes[][3] = {{16, 256, 1}, {64, 200, 1}, {40, 7, 0}, {48, 1, 0}};
    enum { MOST = 16384 };
    cl_program whole = building_built(d, along_rows, NULL);
    cl_kernel kernel = building_kernel(whole, "f");
    cl_mem buffer = building_buffer(d, 4 * MOST, NULL);
    static cl_uint got[MOST];

    (void)state;
    GOOD(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t rows = sizes[i][0], columns = sizes[i][1];
        GOOD(clEnqueueNDRangeKernel(d->queue, kernel, 2, NULL, sizes[i], NULL, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(d->queue, buffer, CL_TRUE, 0, 4 * rows * columns, got, 0, NULL,
                                 NULL));
        for (size_t n = 0; n < rows * columns; n++)
            assert_int_equal(got[n],
                             n / columns + 1000 * (n % columns) + 100000000 * sizes[i][2]);
    }
    driver_release(whole, (cl_kernel[]){kernel, NULL}, (cl_mem[]){buffer, NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sub_groups_wait_for_each_other),
        cmocka_unit_test(groups_of_a_launch_meet),
        cmocka_unit_test(functions_of_a_group_follow_each_other),
        cmocka_unit_test(atomics_of_local_memory_have_64_bits),
        cmocka_unit_test(ranges_have_three_dimensions_and_an_offset),
        cmocka_unit_test(ranges_are_checked),
        cmocka_unit_test(groups_at_the_edges_may_be_smaller),
        cmocka_unit_test(a_local_size_is_suggested),
        cmocka_unit_test(groups_go_along_rows),
        cmocka_unit_test(other_contexts_are_refused),
        cmocka_unit_test(printing_comes_in_order),
        cmocka_unit_test(a_wild_access_fails_its_event_only),
        cmocka_unit_test(threads_launch_at_once),
        cmocka_unit_test(one_program_runs_on_several_devices),
    };
    int status = building_begin();

    return status != 0 ? status : cmocka_run_group_tests(tests, open_shared, close_shared);
}
