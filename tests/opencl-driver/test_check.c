/* SPDX-License-Identifier: MIT
 *
 * Check mode (VISAGE_CHECK=1): what nobody has written is undefined to kernels, whatever the
 * way in which the host might have written it, and buffers end where they end. */
#include "driver.h"

static char message[4096];

static void CL_CALLBACK hear(const char *text, const void *info, size_t size, void *user)
{
    (void)info;
    (void)size;
    (void)user;
    (void)snprintf(message, sizeof message, "%s", text);
}

/* Doubles what is at its own place. */
static const char source[] =
    "kernel void twice(global int *p) { p[get_global_id(0)] += p[get_global_id(0)]; }\n";

enum { COUNT = 64, BYTES = COUNT * 4 };

static cl_kernel twice;

/* Runs the kernel over a buffer and tells how its event ended. */
static cl_int run(const driver *d, cl_mem buffer)
{
    const size_t count = COUNT;
    cl_event event;
    cl_int status;

    message[0] = '\0';
    GOOD(clSetKernelArg(twice, 0, sizeof buffer, &buffer));
    GOOD(clEnqueueNDRangeKernel(d->queue, twice, 1, NULL, &count, NULL, 0, NULL, &event));
    GOOD(clFinish(d->queue));
    GOOD(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    GOOD(clReleaseEvent(event));
    return status;
}

static cl_mem make(const driver *d, cl_mem_flags flags, void *host)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(d->context, flags, BYTES, host, &status);

    GOOD(status);
    return buffer;
}

static void CL_CALLBACK fill(void *argument)
{
    void *to;

    memcpy(&to, argument, sizeof to);
    memset(to, 1, BYTES);
}

/* Ways in which the host writes a buffer. */
static void write_it(const driver *d, cl_mem buffer, int way, const void *host)
{
    const uint8_t one = 1;
    void *seen = NULL;
    const void *place = &seen;
    const size_t zero[3] = {0}, region[] = {BYTES, 1, 1};
    cl_int status;

    switch (way) {
    case 0:
        GOOD(clEnqueueWriteBuffer(d->queue, buffer, CL_FALSE, 0, BYTES, host, 0, NULL, NULL));
        break;
    case 1:
        GOOD(clEnqueueFillBuffer(d->queue, buffer, &one, 1, 0, BYTES, 0, NULL, NULL));
        break;
    case 2:
        seen = clEnqueueMapBuffer(d->queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL,
                                  NULL, &status);
        GOOD(status);
        memset(seen, 1, BYTES);
        GOOD(clEnqueueUnmapMemObject(d->queue, buffer, seen, 0, NULL, NULL));
        break;
    case 3:
        GOOD(clEnqueueNativeKernel(d->queue, fill, &seen, sizeof seen, 1, &buffer, &place, 0,
                                   NULL, NULL));
        break;
    default:
        GOOD(clEnqueueWriteBufferRect(d->queue, buffer, CL_FALSE, zero, zero, region, 0, 0, 0,
                                      0, host, 0, NULL, NULL));
        break;
    }
}

static void what_is_not_written_is_found(void **state)
{
    const driver *d = *state;
    static int32_t host[COUNT];

    for (int way = 0; way < 5; way++) {
        cl_mem buffer = make(d, 0, NULL);
        assert_true(run(d, buffer) < 0);
        assert_non_null(strstr(message, "X0"));
        assert_non_null(strstr(message, "twice"));
        GOOD(clReleaseMemObject(buffer));
        buffer = make(d, 0, NULL);
        write_it(d, buffer, way, host);
        assert_int_equal(run(d, buffer), CL_COMPLETE);
        assert_string_equal(message, "");
        GOOD(clReleaseMemObject(buffer));
    }
}

static void what_is_given_is_written(void **state)
{
    const driver *d = *state;
    static int32_t host[COUNT];
    const cl_mem_flags ways[] = {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR};

    for (int i = 0; i < 2; i++) {
        cl_mem buffer = make(d, ways[i], host);
        assert_int_equal(run(d, buffer), CL_COMPLETE);
        GOOD(clReleaseMemObject(buffer));
    }
}

/* A part that was not written stays undefined beside one that was. */
static void parts_are_told_apart(void **state)
{
    const driver *d = *state;
    cl_mem buffer = make(d, 0, NULL);
    const uint8_t one = 1;

    GOOD(clEnqueueFillBuffer(d->queue, buffer, &one, 1, 0, BYTES - 4, 0, NULL, NULL));
    assert_true(run(d, buffer) < 0);
    GOOD(clReleaseMemObject(buffer));
}

/* Other modes let accesses of the next 32 bytes pass. */
static void the_next_number_is_outside(void **state)
{
    const driver *d = *state;
    cl_int numbers[COUNT] = {0}, status;

    for (int missing = 0; missing < 2; missing++) {
        size_t size = sizeof numbers - (size_t)missing * sizeof *numbers;
        cl_mem buffer =
            clCreateBuffer(d->context, CL_MEM_COPY_HOST_PTR, size, numbers, &status);
        GOOD(status);
        assert_int_equal(run(d, buffer) < 0, missing);
        if (missing)
            assert_non_null(strstr(message, "work-item (63,0,0)"));
        GOOD(clReleaseMemObject(buffer));
    }
}

/* What the flags say of kernels is found where one does the other. */
static void flags_say_what_kernels_do(void **state)
{
    const driver *d = *state;
    static int32_t host[COUNT];
    const struct {
        cl_mem_flags flags;
        const char *says;
    } rows[] = {{CL_MEM_READ_WRITE, NULL},
                {CL_MEM_READ_ONLY, "write of 4 bytes at 0x"},
                {CL_MEM_WRITE_ONLY, "read of 4 bytes at 0x"}};

    for (int i = 0; i < 3; i++) {
        cl_mem buffer = make(d, rows[i].flags | CL_MEM_COPY_HOST_PTR, host);
        assert_int_equal(run(d, buffer) < 0, rows[i].says != NULL);
        if (rows[i].says) {
            assert_non_null(strstr(message, rows[i].says));
            assert_non_null(
                strstr(message, i == 1 ? "kernels do not write it" : "kernels do not read it"));
            assert_non_null(strstr(message, "at byte 0 of the buffer of argument 0"));
        }
        GOOD(clReleaseMemObject(buffer));
    }
}

/* Kernels leave alone what is mapped as a whole, until the last map of it ends. */
static void what_is_mapped_is_left_alone(void **state)
{
    const driver *d = *state;
    static int32_t host[COUNT];
    cl_mem buffer = make(d, CL_MEM_COPY_HOST_PTR, host);
    const struct {
        cl_map_flags flags;
        size_t size;
        const char *says;
    } rows[] = {{CL_MAP_READ, BYTES, "kernels do not write it"},
                {CL_MAP_WRITE, BYTES, "kernels do not read it"},
                {CL_MAP_WRITE_INVALIDATE_REGION, BYTES, "kernels do not read it"},
                {CL_MAP_WRITE, BYTES - 4, NULL}};

    for (int i = 0; i < 4; i++) {
        void *maps[2];
        for (int n = 0; n < 2; n++) {
            cl_int status;
            maps[n] = clEnqueueMapBuffer(d->queue, buffer, CL_TRUE, rows[i].flags, 0,
                                         rows[i].size, 0, NULL, NULL, &status);
            GOOD(status);
        }
        for (int n = 0; n < 2; n++) {
            message[0] = '\0';
            assert_int_equal(run(d, buffer) < 0, rows[i].says != NULL);
            if (rows[i].says)
                assert_non_null(strstr(message, rows[i].says));
            GOOD(clEnqueueUnmapMemObject(d->queue, buffer, maps[n], 0, NULL, NULL));
        }
        assert_int_equal(run(d, buffer), CL_COMPLETE);
    }
    GOOD(clReleaseMemObject(buffer));
}

static driver opened;

static int open_all(void **state)
{
    const char *text = source;
    cl_int status;

    *state = &opened;
    GOOD(clGetPlatformIDs(1, &opened.platform, NULL));
    GOOD(clGetDeviceIDs(opened.platform, CL_DEVICE_TYPE_DEFAULT, 1, &opened.device, NULL));
    opened.context = clCreateContext(NULL, 1, &opened.device, hear, NULL, &status);
    GOOD(status);
    opened.queue =
        clCreateCommandQueueWithProperties(opened.context, opened.device, NULL, &status);
    GOOD(status);
    cl_program program = clCreateProgramWithSource(opened.context, 1, &text, NULL, &status);
    GOOD(status);
    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    twice = clCreateKernel(program, "twice", &status);
    GOOD(status);
    GOOD(clReleaseProgram(program));
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    GOOD(clReleaseKernel(twice));
    driver_close(&opened);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_written_is_found),
        cmocka_unit_test(what_is_given_is_written),
        cmocka_unit_test(parts_are_told_apart),
        cmocka_unit_test(the_next_number_is_outside),
        cmocka_unit_test(flags_say_what_kernels_do),
        cmocka_unit_test(what_is_mapped_is_left_alone),
    };
    int status;

    /* Before the driver is there: it looks once. */
    if (setenv("VISAGE_CHECK", "1", 1) != 0)
        return 1;
    status = driver_need_compiler();
    return status != 0 ? status : cmocka_run_group_tests(tests, open_all, close_all);
}
