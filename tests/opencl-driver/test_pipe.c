/* SPDX-License-Identifier: MIT
 *
 * Pipes: what a kernel writes another one reads, in any order; no more packets fit in than were
 * asked for, reserved or not. No test goes on with a pipe that was found full or empty: the
 * compiler's functions leave it locked then (intel/intel-graphics-compiler,
 * IGC/BiFModule/Implementation/pipe.cl). */
#include "building.h"

enum { ITEMS = 64 };

static const char source[] =
    "kernel void put(global const int *from, write_only pipe int to, global int *results) {\n"
    "  int value = from[get_global_id(0)];\n"
    "  results[get_global_id(0)] = write_pipe(to, &value);\n"
    "}\n"
    "kernel void take(read_only pipe int from, global int *to, global int *results) {\n"
    "  int value = -1;\n"
    "  results[get_global_id(0)] = read_pipe(from, &value);\n"
    "  to[get_global_id(0)] = value;\n"
    "}\n"
    "kernel void reserve(write_only pipe int to, global int *results) {\n"
    "  reserve_id_t all = reserve_write_pipe(to, 3);\n"
    "  results[0] = is_valid_reserve_id(all);\n"
    "  for (int i = 0; i < 3; i++) { int value = 100 + i; write_pipe(to, all, i, &value); }\n"
    "  commit_write_pipe(to, all);\n"
    "  results[1] = is_valid_reserve_id(reserve_write_pipe(to, get_pipe_max_packets(to)));\n"
    "}\n"
    "kernel void ask(read_only pipe int from, global int *results) {\n"
    "  results[0] = get_pipe_num_packets(from);\n"
    "  results[1] = get_pipe_max_packets(from);\n"
    "}\n";

static cl_mem make_pipe(const driver *d, cl_uint most_packets)
{
    cl_int status;
    cl_mem pipe = clCreatePipe(d->context, 0, sizeof(cl_int), most_packets, NULL, &status);

    GOOD(status);
    return pipe;
}

static void set_memory(cl_kernel kernel, cl_uint index, cl_mem memory)
{
    GOOD(clSetKernelArg(kernel, index, sizeof memory, &memory));
}

static void read_numbers(const driver *d, cl_mem buffer, cl_int numbers[ITEMS])
{
    GOOD(clEnqueueReadBuffer(d->queue, buffer, CL_TRUE, 0, ITEMS * sizeof(cl_int), numbers, 0,
                             NULL, NULL));
}

static void run_in_parts(const driver *d, cl_kernel kernel, size_t items, size_t together)
{
    for (size_t first = 0; first < items; first += together)
        GOOD(clEnqueueNDRangeKernel(d->queue, kernel, 1, &first, &together, NULL, 0, NULL,
                                    NULL));
    GOOD(clFinish(d->queue));
}

/* `together` work-items at a time put `items` numbers into a pipe, then take as many out: each
 * comes once. One more does not fit in where `room` is no more. */
static void put_and_take(const driver *d, cl_program program, cl_uint room, size_t items,
                         size_t together)
{
    cl_int numbers[ITEMS], put_results[ITEMS], take_results[ITEMS];
    bool is_in[ITEMS] = {false};
    cl_mem pipe = make_pipe(d, room);
    cl_kernel put = building_kernel(program, "put"), take = building_kernel(program, "take");

    for (int i = 0; i < ITEMS; i++)
        numbers[i] = 1000 + i;
    cl_mem data = building_buffer(d, sizeof numbers, numbers);
    cl_mem results = building_buffer(d, sizeof numbers, numbers);
    set_memory(put, 0, data);
    set_memory(put, 1, pipe);
    set_memory(put, 2, results);
    run_in_parts(d, put, items, together);
    read_numbers(d, results, put_results);
    set_memory(take, 0, pipe);
    set_memory(take, 1, data);
    set_memory(take, 2, results);
    run_in_parts(d, take, items, together);
    read_numbers(d, results, take_results);
    read_numbers(d, data, numbers);
    for (size_t i = 0; i < items; i++) {
        assert_int_equal(put_results[i], 0);
        assert_int_equal(take_results[i], 0);
        assert_in_range(numbers[i], 1000, 1000 + items - 1);
        assert_false(is_in[numbers[i] - 1000]);
        is_in[numbers[i] - 1000] = true;
    }
    run_in_parts(d, put, items, together);
    building_run(d, put, 1, 1);
    read_numbers(d, results, put_results);
    assert_int_equal(put_results[0], room > items ? 0 : -1);
    driver_release(NULL, (cl_kernel[]){put, take, NULL}, (cl_mem[]){data, results, pipe, NULL});
}

static void packets_come_out_once(void **state)
{
    driver *d = *state;
    const char *const options[] = {"-cl-std=CL2.0", "-cl-std=CL3.0"};

    for (size_t i = 0; i < 2; i++) {
        cl_program program = building_built(d, source, options[i]);
        put_and_take(d, program, ITEMS, ITEMS, ITEMS);
        put_and_take(d, program, 100, ITEMS, ITEMS / 2);
        put_and_take(d, program, 10, 10, 1);
        put_and_take(d, program, 1, 1, 1);
        GOOD(clReleaseProgram(program));
    }
}

static void places_are_reserved(void **state)
{
    driver *d = *state;
    cl_int results[ITEMS] = {-1, -1};
    cl_program program = building_built(d, source, "-cl-std=CL3.0");
    cl_mem pipe = make_pipe(d, 5), buffer = building_buffer(d, sizeof results, results);
    cl_kernel reserve = building_kernel(program, "reserve");
    cl_kernel ask = building_kernel(program, "ask");

    set_memory(reserve, 0, pipe);
    set_memory(reserve, 1, buffer);
    building_run(d, reserve, 1, 1);
    read_numbers(d, buffer, results);
    assert_int_equal(results[0], 1);
    assert_int_equal(results[1], 0);
    set_memory(ask, 0, pipe);
    set_memory(ask, 1, buffer);
    building_run(d, ask, 1, 1);
    read_numbers(d, buffer, results);
    assert_int_equal(results[0], 3);
    assert_int_equal(results[1], 5);
    driver_release(program, (cl_kernel[]){reserve, ask, NULL}, (cl_mem[]){pipe, buffer, NULL});
}

static void pipes_tell_what_they_are(void **state)
{
    driver *d = *state;
    cl_uint value;
    size_t size = 7;
    cl_mem pipe = make_pipe(d, 12), buffer = building_buffer(d, 64, NULL);

    GOOD(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof value, &value, NULL));
    assert_int_equal(value, sizeof(cl_int));
    GOOD(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof value, &value, NULL));
    assert_int_equal(value, 12);
    GOOD(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, NULL, &size));
    assert_int_equal(size, 0);
    assert_int_equal(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, 1, &value, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clGetPipeInfo(pipe, 0, sizeof value, &value, NULL), CL_INVALID_VALUE);
    assert_int_equal(clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, sizeof value, &value, NULL),
                     CL_INVALID_MEM_OBJECT);
    GOOD(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof value, &value, NULL));
    assert_int_equal(value, CL_MEM_OBJECT_PIPE);
    assert_int_equal(clEnqueueReadBuffer(d->queue, pipe, CL_TRUE, 0, 4, &value, 0, NULL, NULL),
                     CL_INVALID_MEM_OBJECT);
    GOOD(clReleaseMemObject(pipe));
    GOOD(clReleaseMemObject(buffer));
}

static void refuse(cl_context context, cl_mem_flags flags, cl_uint packet, cl_uint packets,
                   const cl_pipe_properties *properties, cl_int wanted)
{
    cl_int status = CL_SUCCESS;

    assert_null(clCreatePipe(context, flags, packet, packets, properties, &status));
    assert_int_equal(status, wanted);
}

static void wrong_pipes_are_refused(void **state)
{
    driver *d = *state;
    const cl_pipe_properties none[] = {0};
    cl_device_id other = driver_device(d->platform, "DG2");
    cl_int status;

    refuse((cl_context)d->queue, 0, 4, 4, NULL, CL_INVALID_CONTEXT);
    refuse(d->context, CL_MEM_READ_ONLY, 4, 4, NULL, CL_INVALID_VALUE);
    refuse(d->context, 0, 4, 4, none, CL_INVALID_VALUE);
    refuse(d->context, 0, 0, 4, NULL, CL_INVALID_PIPE_SIZE);
    refuse(d->context, 0, 4, 0, NULL, CL_INVALID_PIPE_SIZE);
    refuse(d->context, 0, 1025, 4, NULL, CL_INVALID_PIPE_SIZE);
    cl_context context = clCreateContext(NULL, 1, &other, NULL, NULL, &status);
    GOOD(status);
    refuse(context, 0, 4, 4, NULL, CL_INVALID_OPERATION);
    GOOD(clReleaseContext(context));
}

static void arguments_must_be_pipes(void **state)
{
    driver *d = *state;
    const cl_mem none = NULL;
    cl_program program = building_built(d, source, "-cl-std=CL3.0");
    cl_kernel ask = building_kernel(program, "ask");
    cl_mem pipe = make_pipe(d, 5), buffer = building_buffer(d, 64, NULL);

    assert_int_equal(clSetKernelArg(ask, 0, sizeof buffer, &buffer), CL_INVALID_MEM_OBJECT);
    assert_int_equal(clSetKernelArg(ask, 0, sizeof none, &none), CL_INVALID_ARG_VALUE);
    assert_int_equal(clSetKernelArg(ask, 1, sizeof pipe, &pipe), CL_INVALID_MEM_OBJECT);
    set_memory(ask, 0, pipe);
    driver_release(program, (cl_kernel[]){ask, NULL}, (cl_mem[]){pipe, buffer, NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUILDING_TEST(packets_come_out_once),    BUILDING_TEST(places_are_reserved),
        BUILDING_TEST(pipes_tell_what_they_are), BUILDING_TEST(wrong_pipes_are_refused),
        BUILDING_TEST(arguments_must_be_pipes),
    };
    int status = building_begin();

    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
