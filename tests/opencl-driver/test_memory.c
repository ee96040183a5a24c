/* SPDX-License-Identifier: MIT
 *
 * Buffers, parts of them, transfers, maps; allocations that are pointers. */
#include "driver.h"

static cl_mem make(const driver *d, cl_mem_flags flags, size_t size, void *host)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(d->context, flags, size, host, &status);

    GOOD(status);
    return buffer;
}

static void release(cl_mem memory)
{
    GOOD(clReleaseMemObject(memory));
}

static cl_int buffer_status(const driver *d, cl_mem_flags flags, size_t size, void *host)
{
    cl_int status = 1;
    cl_mem buffer = clCreateBuffer(d->context, flags, size, host, &status);

    assert_true((buffer != NULL) == (status == CL_SUCCESS));
    if (buffer)
        release(buffer);
    return status;
}

static void buffers_check_what_they_get(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    char host[16];
    const cl_mem_properties property[] = {1234, 1, 0};
    cl_ulong most;
    cl_int status;

    GOOD(clGetDeviceInfo(d.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    assert_int_equal(buffer_status(&d, 0, 16, NULL), CL_SUCCESS);
    assert_int_equal(buffer_status(&d, 0, 0, NULL), CL_INVALID_BUFFER_SIZE);
    assert_int_equal(buffer_status(&d, 0, most + 1, NULL), CL_INVALID_BUFFER_SIZE);
    /* CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL */
    assert_int_equal(buffer_status(&d, (cl_mem_flags)1 << 23, most + 4096, NULL), CL_SUCCESS);
    assert_int_equal(buffer_status(&d, (cl_mem_flags)1 << 23, 0, NULL), CL_INVALID_BUFFER_SIZE);
    assert_int_equal(buffer_status(&d, (cl_mem_flags)1 << 23, SIZE_MAX, NULL),
                     CL_INVALID_BUFFER_SIZE);
    assert_int_equal(buffer_status(&d, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(buffer_status(&d, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY, 16, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(buffer_status(&d, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 16, host),
                     CL_INVALID_VALUE);
    assert_int_equal(buffer_status(&d, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 16, host),
                     CL_INVALID_VALUE);
    assert_int_equal(buffer_status(&d, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 16, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(buffer_status(&d, (cl_mem_flags)1 << 40, 16, NULL), CL_INVALID_VALUE);
    assert_int_equal(buffer_status(&d, 0, 16, host), CL_INVALID_HOST_PTR);
    assert_int_equal(buffer_status(&d, CL_MEM_USE_HOST_PTR, 16, NULL), CL_INVALID_HOST_PTR);
    assert_int_equal(buffer_status(&d, CL_MEM_COPY_HOST_PTR, 16, NULL), CL_INVALID_HOST_PTR);
    assert_int_equal(buffer_status(&d, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, 16, host),
                     CL_SUCCESS);
    assert_null(clCreateBufferWithProperties(d.context, property, 0, 16, NULL, &status));
    assert_int_equal(status, CL_INVALID_PROPERTY);
    driver_close(&d);
}

static cl_ulong info(cl_mem memory, cl_mem_info name)
{
    cl_ulong value = 0;

    GOOD(clGetMemObjectInfo(memory, name, sizeof value, &value, NULL));
    return value;
}

static void buffers_answer(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    char host[256];
    cl_mem buffer = make(&d, CL_MEM_USE_HOST_PTR, sizeof host, host);
    const cl_buffer_region region = {128, 64};
    cl_int status;
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    size_t bytes;

    GOOD(status);
    assert_int_equal(info(buffer, CL_MEM_TYPE), CL_MEM_OBJECT_BUFFER);
    assert_int_equal(info(buffer, CL_MEM_FLAGS), CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE);
    assert_int_equal(info(buffer, CL_MEM_SIZE), sizeof host);
    assert_int_equal(info(buffer, CL_MEM_HOST_PTR), (uintptr_t)host);
    assert_int_equal(info(buffer, CL_MEM_CONTEXT), (uintptr_t)d.context);
    assert_int_equal(info(buffer, CL_MEM_ASSOCIATED_MEMOBJECT), 0);
    assert_int_equal(info(buffer, CL_MEM_OFFSET), 0);
    assert_int_equal(info(buffer, CL_MEM_USES_SVM_POINTER), CL_FALSE);
    assert_int_equal(info(buffer, CL_MEM_REFERENCE_COUNT), 1);
    assert_int_equal(info(part, CL_MEM_ASSOCIATED_MEMOBJECT), (uintptr_t)buffer);
    assert_int_equal(info(part, CL_MEM_OFFSET), 128);
    assert_int_equal(info(part, CL_MEM_SIZE), 64);
    assert_int_equal(info(part, CL_MEM_FLAGS), CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE);
    assert_int_equal(info(part, CL_MEM_HOST_PTR), (uintptr_t)(host + 128));
    GOOD(clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, 0, NULL, &bytes));
    assert_int_equal(bytes, 0);
    assert_int_equal(clGetMemObjectInfo(buffer, 0x1, 8, &bytes, NULL), CL_INVALID_VALUE);
    GOOD(clRetainMemObject(buffer));
    assert_int_equal(info(buffer, CL_MEM_REFERENCE_COUNT), 2);
    release(buffer);
    release(part);
    release(buffer);
    driver_close(&d);
}

static cl_int part_status(cl_mem buffer, cl_mem_flags flags, size_t origin, size_t size)
{
    const cl_buffer_region region = {origin, size};
    cl_int status = 1;
    cl_mem part =
        clCreateSubBuffer(buffer, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);

    assert_true((part != NULL) == (status == CL_SUCCESS));
    if (part)
        release(part);
    return status;
}

static void parts_check_what_they_get(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_mem buffer = make(&d, 0, 1024, NULL);
    cl_mem read_only = make(&d, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 1024, NULL);
    const cl_buffer_region region = {0, 128};
    cl_int status;

    assert_int_equal(part_status(buffer, CL_MEM_READ_ONLY, 128, 896), CL_SUCCESS);
    assert_int_equal(part_status(buffer, 0, 128, 897), CL_INVALID_VALUE);
    assert_int_equal(part_status(buffer, 0, 2048, 1), CL_INVALID_VALUE);
    assert_int_equal(part_status(buffer, 0, 0, 0), CL_INVALID_BUFFER_SIZE);
    assert_int_equal(part_status(buffer, 0, 4, 4), CL_MISALIGNED_SUB_BUFFER_OFFSET);
    assert_int_equal(part_status(buffer, CL_MEM_ALLOC_HOST_PTR, 0, 4), CL_INVALID_VALUE);
    assert_int_equal(part_status(read_only, CL_MEM_READ_WRITE, 0, 4), CL_INVALID_VALUE);
    assert_int_equal(part_status(read_only, CL_MEM_HOST_WRITE_ONLY, 0, 4), CL_INVALID_VALUE);
    assert_null(clCreateSubBuffer(buffer, 0, 0, &region, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    GOOD(status);
    assert_int_equal(part_status(part, 0, 0, 4), CL_INVALID_MEM_OBJECT);
    release(part);
    release(read_only);
    release(buffer);
    driver_close(&d);
}

/* ---- lines ------------------------------------------------------------------------------ */

static void lines_are_copied(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    uint8_t in[256], out[256] = {0};
    cl_mem a = make(&d, 0, 256, NULL), b = make(&d, 0, 256, NULL);
    const uint16_t pattern = 0xabcd;

    for (int i = 0; i < 256; i++)
        in[i] = (uint8_t)(i * 7 + 1);
    GOOD(clEnqueueWriteBuffer(d.queue, a, CL_FALSE, 16, 200, in, 0, NULL, NULL));
    GOOD(clEnqueueCopyBuffer(d.queue, a, b, 16, 40, 100, 0, NULL, NULL));
    GOOD(clEnqueueFillBuffer(d.queue, b, &pattern, 2, 60, 4, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(d.queue, b, CL_TRUE, 30, 120, out + 30, 0, NULL, NULL));
    for (int i = 0; i < 256; i++) {
        uint8_t expected = i >= 40 && i < 140 ? in[i - 40] : 0;
        if (i >= 60 && i < 64)
            expected = i % 2 ? 0xab : 0xcd;
        assert_int_equal(out[i], expected);
    }
    release(a);
    release(b);
    driver_close(&d);
}

static void lines_are_checked(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0), e = driver_open("Skylake", 0);
    uint8_t host[256];
    cl_mem a = make(&d, 0, 256, NULL), far = make(&e, 0, 256, NULL);
    cl_mem unread = make(&d, CL_MEM_HOST_WRITE_ONLY, 256, NULL);
    cl_mem unwritten = make(&d, CL_MEM_HOST_READ_ONLY, 256, NULL);
    cl_mem untouched = make(&d, CL_MEM_HOST_NO_ACCESS, 256, NULL);
    cl_mem foreign = driver_foreign();

#define READ(memory, offset, size, to)                                                         \
    clEnqueueReadBuffer(d.queue, memory, CL_TRUE, offset, size, to, 0, NULL, NULL)
#define WRITE(memory, offset, size, from)                                                      \
    clEnqueueWriteBuffer(d.queue, memory, CL_TRUE, offset, size, from, 0, NULL, NULL)
    assert_int_equal(READ(a, 200, 57, host), CL_INVALID_VALUE);
    assert_int_equal(READ(a, SIZE_MAX, 2, host), CL_INVALID_VALUE);
    assert_int_equal(READ(a, 0, 16, NULL), CL_INVALID_VALUE);
    assert_int_equal(READ(far, 0, 16, host), CL_INVALID_CONTEXT);
    assert_int_equal(READ(foreign, 0, 16, host), CL_INVALID_MEM_OBJECT);
    assert_int_equal(READ((cl_mem)d.queue, 0, 16, host), CL_INVALID_MEM_OBJECT);
    assert_int_equal(READ(unread, 0, 16, host), CL_INVALID_OPERATION);
    assert_int_equal(READ(untouched, 0, 16, host), CL_INVALID_OPERATION);
    GOOD(READ(unwritten, 0, 16, host));
    GOOD(READ(a, 256, 0, host));
    assert_int_equal(WRITE(a, 0, 257, host), CL_INVALID_VALUE);
    assert_int_equal(WRITE(unwritten, 0, 16, host), CL_INVALID_OPERATION);
    GOOD(WRITE(unread, 0, 16, host));
    GOOD(clEnqueueCopyBuffer(d.queue, untouched, a, 0, 0, 8, 0, NULL, NULL));
    assert_int_equal(clEnqueueCopyBuffer(d.queue, a, a, 0, 15, 16, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    GOOD(clEnqueueCopyBuffer(d.queue, a, a, 0, 16, 16, 0, NULL, NULL));
    assert_int_equal(clEnqueueCopyBuffer(d.queue, a, far, 0, 0, 16, 0, NULL, NULL),
                     CL_INVALID_CONTEXT);
    assert_int_equal(clEnqueueCopyBuffer(d.queue, a, unread, 250, 0, 16, 0, NULL, NULL),
                     CL_INVALID_VALUE);
#define FILL(pattern, size, offset, bytes)                                                     \
    clEnqueueFillBuffer(d.queue, a, pattern, size, offset, bytes, 0, NULL, NULL)
    assert_int_equal(FILL(host, 3, 0, 3), CL_INVALID_VALUE);
    assert_int_equal(FILL(host, 0, 0, 4), CL_INVALID_VALUE);
    assert_int_equal(FILL(host, 256, 0, 256), CL_INVALID_VALUE);
    assert_int_equal(FILL(host, 4, 2, 4), CL_INVALID_VALUE);
    assert_int_equal(FILL(host, 4, 0, 6), CL_INVALID_VALUE);
    assert_int_equal(FILL(NULL, 4, 0, 4), CL_INVALID_VALUE);
    GOOD(FILL(host, 128, 128, 128));
    GOOD(clFinish(d.queue));
    const cl_mem all[] = {a, far, unread, unwritten, untouched};
    for (int i = 0; i < 5; i++)
        release(all[i]);
    driver_close(&d);
    driver_close(&e);
}

/* ---- boxes ------------------------------------------------------------------------------ */

/* Against the definition: byte (x, y, z) is at origin + x + y * row + z * slice. */
static void boxes_are_copied(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    enum { SIZE = 4096 };
    static uint8_t in[SIZE], out[SIZE], host[SIZE], expected[SIZE];
    cl_mem a = make(&d, 0, SIZE, NULL), b = make(&d, 0, SIZE, NULL);
    const size_t from[] = {3, 2, 1}, to[] = {5, 1, 2}, origin[] = {1, 1, 1};
    const size_t region[] = {7, 4, 3};

    for (int i = 0; i < SIZE; i++)
        in[i] = (uint8_t)(i % 251);
    GOOD(clEnqueueWriteBuffer(d.queue, a, CL_FALSE, 0, SIZE, in, 0, NULL, NULL));
    GOOD(clEnqueueCopyBufferRect(d.queue, a, b, from, to, region, 16, 160, 20, 200, 0, NULL,
                                 NULL));
    GOOD(clEnqueueReadBufferRect(d.queue, b, CL_TRUE, to, origin, region, 20, 200, 11, 77, host,
                                 0, NULL, NULL));
    memset(expected, 0, SIZE);
    for (size_t z = 0; z < 3; z++)
        for (size_t y = 0; y < 4; y++)
            for (size_t x = 0; x < 7; x++)
                expected[(1 + x) + (1 + y) * 11 + (1 + z) * 77] =
                    in[(3 + x) + (2 + y) * 16 + (1 + z) * 160];
    assert_memory_equal(host, expected, SIZE);
    GOOD(clEnqueueWriteBufferRect(d.queue, b, CL_TRUE, from, origin, region, 0, 0, 11, 77, host,
                                  0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(d.queue, b, CL_TRUE, 0, SIZE, out, 0, NULL, NULL));
    for (size_t z = 0; z < 3; z++)
        for (size_t y = 0; y < 4; y++)
            for (size_t x = 0; x < 7; x++)
                assert_int_equal(out[(3 + x) + (2 + y) * 7 + (1 + z) * 28],
                                 in[(3 + x) + (2 + y) * 16 + (1 + z) * 160]);
    release(a);
    release(b);
    driver_close(&d);
}

static void boxes_are_checked(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    static uint8_t host[4096];
    cl_mem a = make(&d, 0, 1000, NULL);
    const size_t zero[3] = {0}, region[] = {10, 10, 10}, flat[] = {10, 10, 1};
    const size_t empty[] = {10, 0, 1}, next[] = {10, 0, 0}, beside[] = {4, 4, 0};
    const size_t huge[] = {SIZE_MAX, 1, 1};

#define RECT(from, size, row, slice)                                                           \
    clEnqueueReadBufferRect(d.queue, a, CL_TRUE, from, zero, size, row, slice, 0, 0, host, 0,  \
                            NULL, NULL)
    GOOD(RECT(zero, region, 0, 0));
    assert_int_equal(RECT(zero, region, 11, 0), CL_INVALID_VALUE);
    assert_int_equal(RECT(zero, region, 9, 0), CL_INVALID_VALUE);
    assert_int_equal(RECT(zero, region, 10, 90), CL_INVALID_VALUE);
    assert_int_equal(RECT(zero, flat, 10, 105), CL_INVALID_VALUE);
    assert_int_equal(RECT(zero, empty, 0, 0), CL_INVALID_VALUE);
    assert_int_equal(RECT(zero, huge, 0, 0), CL_INVALID_VALUE);
    assert_int_equal(RECT(huge, flat, 0, 0), CL_INVALID_VALUE);
    assert_int_equal(RECT(NULL, flat, 0, 0), CL_INVALID_VALUE);
#define BESIDE(from, to, row, slice, to_row)                                                   \
    clEnqueueCopyBufferRect(d.queue, a, a, from, to, flat, row, slice, to_row, slice, 0, NULL, \
                            NULL)
    GOOD(BESIDE(zero, next, 20, 200, 20));
    assert_int_equal(BESIDE(zero, beside, 20, 200, 20), CL_MEM_COPY_OVERLAP);
    assert_int_equal(BESIDE(zero, next, 20, 200, 40), CL_INVALID_VALUE);
    GOOD(clFinish(d.queue));
    release(a);
    driver_close(&d);
}

/* ---- maps ------------------------------------------------------------------------------- */

static void maps_show_contents(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    uint8_t host[64], out[64];
    cl_mem plain = make(&d, 0, 64, NULL);
    cl_mem used = make(&d, CL_MEM_USE_HOST_PTR, 64, memset(host, 3, sizeof host));
    const uint8_t seven = 7;
    cl_int status;

    for (int i = 0; i < 2; i++) {
        cl_mem memory = i ? used : plain;
        GOOD(clEnqueueFillBuffer(d.queue, memory, &seven, 1, 0, 64, 0, NULL, NULL));
        uint8_t *seen = clEnqueueMapBuffer(d.queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                           8, 16, 0, NULL, NULL, &status);
        GOOD(status);
        if (i)
            assert_ptr_equal(seen, host + 8);
        assert_int_equal(info(memory, CL_MEM_MAP_COUNT), 1);
        assert_int_equal(seen[15], 7);
        memset(seen, 9, 16);
        GOOD(clEnqueueUnmapMemObject(d.queue, memory, seen, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(d.queue, memory, CL_TRUE, 0, 64, out, 0, NULL, NULL));
        for (int j = 0; j < 64; j++)
            assert_int_equal(out[j], j >= 8 && j < 24 ? 9 : 7);
        assert_int_equal(info(memory, CL_MEM_MAP_COUNT), 0);
        assert_int_equal(clEnqueueUnmapMemObject(d.queue, memory, seen, 0, NULL, NULL),
                         CL_INVALID_VALUE);
    }
    release(plain);
    release(used);
    driver_close(&d);
}

/* A part of a buffer that uses the application's memory is mapped there, too. */
static void maps_of_parts(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    static uint8_t host[512], out[512];
    cl_mem whole = make(&d, CL_MEM_USE_HOST_PTR, 512, host);
    const cl_buffer_region region = {256, 128};
    cl_int status;
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);

    GOOD(status);
    uint8_t *seen = clEnqueueMapBuffer(d.queue, part, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION,
                                       4, 8, 0, NULL, NULL, &status);
    GOOD(status);
    assert_ptr_equal(seen, host + 260);
    memset(seen, 5, 8);
    GOOD(clEnqueueUnmapMemObject(d.queue, part, seen, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(d.queue, whole, CL_TRUE, 0, 512, out, 0, NULL, NULL));
    for (int i = 0; i < 512; i++)
        assert_int_equal(out[i], i >= 260 && i < 268 ? 5 : 0);
    release(part);
    release(whole);
    driver_close(&d);
}

static cl_int map_status(const driver *d, cl_mem memory, cl_map_flags flags, size_t offset,
                         size_t size)
{
    cl_int status = 1;
    void *seen = clEnqueueMapBuffer(d->queue, memory, CL_TRUE, flags, offset, size, 0, NULL,
                                    NULL, &status);

    assert_true((seen != NULL) == (status == CL_SUCCESS));
    if (seen) {
        GOOD(clEnqueueUnmapMemObject(d->queue, memory, seen, 0, NULL, NULL));
        GOOD(clFinish(d->queue));
    }
    return status;
}

static void maps_are_checked(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_mem plain = make(&d, 0, 64, NULL);
    cl_mem unread = make(&d, CL_MEM_HOST_WRITE_ONLY, 64, NULL);
    cl_mem unwritten = make(&d, CL_MEM_HOST_READ_ONLY, 64, NULL);

    GOOD(map_status(&d, plain, CL_MAP_READ, 0, 64));
    assert_int_equal(map_status(&d, plain, CL_MAP_READ, 0, 65), CL_INVALID_VALUE);
    assert_int_equal(map_status(&d, plain, CL_MAP_READ, 65, 1), CL_INVALID_VALUE);
    assert_int_equal(map_status(&d, plain, 1 << 8, 0, 64), CL_INVALID_VALUE);
    assert_int_equal(map_status(&d, plain, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 64),
                     CL_INVALID_VALUE);
    assert_int_equal(map_status(&d, unread, CL_MAP_READ, 0, 64), CL_INVALID_OPERATION);
    GOOD(map_status(&d, unread, CL_MAP_WRITE, 0, 64));
    assert_int_equal(map_status(&d, unwritten, CL_MAP_WRITE, 0, 64), CL_INVALID_OPERATION);
    assert_int_equal(map_status(&d, unwritten, CL_MAP_WRITE_INVALIDATE_REGION, 0, 64),
                     CL_INVALID_OPERATION);
    cl_int status;
    cl_event gate = clCreateUserEvent(d.context, &status);
    GOOD(clSetUserEventStatus(gate, -1));
    assert_null(clEnqueueMapBuffer(d.queue, plain, CL_TRUE, CL_MAP_READ, 0, 64, 1, &gate, NULL,
                                   &status));
    assert_int_equal(status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(info(plain, CL_MEM_MAP_COUNT), 0);
    GOOD(clReleaseEvent(gate));
    release(plain);
    release(unread);
    release(unwritten);
    driver_close(&d);
}

/* ---- what else -------------------------------------------------------------------------- */

static void migration_is_checked(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_mem memory = make(&d, 0, 64, NULL);
    cl_event event;
    cl_command_type type;

    GOOD(clEnqueueMigrateMemObjects(d.queue, 1, &memory, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
                                    &event));
    GOOD(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, CL_COMMAND_MIGRATE_MEM_OBJECTS);
    GOOD(clWaitForEvents(1, &event));
    GOOD(clReleaseEvent(event));
    assert_int_equal(clEnqueueMigrateMemObjects(d.queue, 0, &memory, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clEnqueueMigrateMemObjects(d.queue, 1, &memory, 8, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    release(memory);
    driver_close(&d);
}

static char order[8];

static void CL_CALLBACK say(cl_mem memory, void *user)
{
    (void)memory;
    order[strlen(order)] = *(const char *)user;
}

static void memory_says_farewell(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_mem memory = make(&d, 0, 64, NULL);
    char a[] = "a", b[] = "b";

    GOOD(clSetMemObjectDestructorCallback(memory, say, a));
    GOOD(clSetMemObjectDestructorCallback(memory, say, b));
    assert_int_equal(clSetMemObjectDestructorCallback(memory, NULL, a), CL_INVALID_VALUE);
    GOOD(clRetainMemObject(memory));
    release(memory);
    assert_string_equal(order, "");
    release(memory);
    assert_string_equal(order, "ba");
    driver_close(&d);
}

/* A buffer is the same memory to all devices of a context. */
static void devices_share_buffers(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_device_id pair[] = {d.device, driver_device(d.platform, "PVC")};
    cl_int status;
    cl_context context = clCreateContext(NULL, 2, pair, NULL, NULL, &status);
    cl_mem memory = clCreateBuffer(context, 0, 64, NULL, &status);
    cl_command_queue queues[2];
    uint8_t seven = 7, out = 0;

    GOOD(status);
    for (int i = 0; i < 2; i++) {
        queues[i] = clCreateCommandQueueWithProperties(context, pair[i], NULL, &status);
        GOOD(status);
    }
    GOOD(clEnqueueFillBuffer(queues[0], memory, &seven, 1, 0, 64, 0, NULL, NULL));
    GOOD(clFinish(queues[0]));
    GOOD(clEnqueueReadBuffer(queues[1], memory, CL_TRUE, 63, 1, &out, 0, NULL, NULL));
    assert_int_equal(out, 7);
    release(memory);
    for (int i = 0; i < 2; i++)
        GOOD(clReleaseCommandQueue(queues[i]));
    GOOD(clReleaseContext(context));
    driver_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_check_what_they_get),
        cmocka_unit_test(buffers_answer),
        cmocka_unit_test(parts_check_what_they_get),
        cmocka_unit_test(lines_are_copied),
        cmocka_unit_test(lines_are_checked),
        cmocka_unit_test(boxes_are_copied),
        cmocka_unit_test(boxes_are_checked),
        cmocka_unit_test(maps_show_contents),
        cmocka_unit_test(maps_of_parts),
        cmocka_unit_test(maps_are_checked),
        cmocka_unit_test(migration_is_checked),
        cmocka_unit_test(memory_says_farewell),
        cmocka_unit_test(devices_share_buffers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
