/* SPDX-License-Identifier: MIT
 *
 * Allocations that are pointers: shared virtual memory, and Intel's unified shared memory. */
#include "driver.h"

/* ---- SVM -------------------------------------------------------------------------------- */

static void svm_checks_what_it_gets(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    static const struct {
        cl_svm_mem_flags flags;
        size_t size;
        cl_uint alignment;
        bool good;
    } cases[] = {
        {0, 64, 0, true},
        {CL_MEM_READ_WRITE, 64, 128, true},
        {CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 64, 1, true},
        {CL_MEM_SVM_ATOMICS, 64, 0, false},
        {CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0, false},
        {CL_MEM_USE_HOST_PTR, 64, 0, false},
        {0, 0, 0, false},
        {0, SIZE_MAX, 0, false},
        {0, 64, 3, false},
        {0, 64, 256, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *pointer =
            clSVMAlloc(d.context, cases[i].flags, cases[i].size, cases[i].alignment);
        assert_int_equal(pointer != NULL, cases[i].good);
        if (cases[i].alignment && pointer)
            assert_int_equal((uintptr_t)pointer % cases[i].alignment, 0);
        clSVMFree(d.context, pointer);
    }
    driver_close(&d);
}

static void svm_is_copied_and_filled(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    uint8_t *a = clSVMAlloc(d.context, 0, 4096, 0);
    uint8_t *b = clSVMAlloc(d.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 4096, 0);
    const uint32_t pattern = 0x04030201;

    assert_true(a && b);
    GOOD(clEnqueueSVMMap(d.queue, CL_TRUE, CL_MAP_WRITE, a, 4096, 0, NULL, NULL));
    for (int i = 0; i < 4096; i++)
        a[i] = (uint8_t)(i % 251);
    GOOD(clEnqueueSVMUnmap(d.queue, a, 0, NULL, NULL));
    GOOD(clEnqueueSVMMemcpy(d.queue, CL_FALSE, b + 5, a + 3, 1000, 0, NULL, NULL));
    GOOD(clEnqueueSVMMemFill(d.queue, b + 8, &pattern, 4, 16, 0, NULL, NULL));
    GOOD(clFinish(d.queue));
    for (int i = 0; i < 4096; i++) {
        uint8_t expected = i >= 5 && i < 1005 ? a[i - 2] : 0;
        if (i >= 8 && i < 24)
            expected = (uint8_t)(i % 4 + 1);
        assert_int_equal(b[i], expected);
    }
    assert_int_equal(clEnqueueSVMMemcpy(d.queue, CL_TRUE, a, a + 10, 11, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    assert_int_equal(clEnqueueSVMMemcpy(d.queue, CL_TRUE, NULL, a, 11, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clEnqueueSVMMemFill(d.queue, b + 1, &pattern, 4, 16, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clEnqueueSVMMemFill(d.queue, b, &pattern, 4, 15, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clEnqueueSVMMap(d.queue, CL_TRUE, CL_MAP_READ, NULL, 4, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clEnqueueSVMMap(d.queue, CL_TRUE, CL_MAP_READ, a, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clEnqueueSVMUnmap(d.queue, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    clSVMFree(d.context, a);
    clSVMFree(d.context, b);
    driver_close(&d);
}

static void svm_migrates(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    char *a = clSVMAlloc(d.context, 0, 4096, 0);
    const void *inside = a + 100, *outside = &d;
    const size_t fits = 3996, large = 3997;

    GOOD(clEnqueueSVMMigrateMem(d.queue, 1, &inside, &fits, 0, 0, NULL, NULL));
    GOOD(clEnqueueSVMMigrateMem(d.queue, 1, &inside, NULL, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
                                NULL));
    assert_int_equal(clEnqueueSVMMigrateMem(d.queue, 1, &inside, &large, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clEnqueueSVMMigrateMem(d.queue, 1, &outside, NULL, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clEnqueueSVMMigrateMem(d.queue, 0, NULL, NULL, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clEnqueueSVMMigrateMem(d.queue, 1, &inside, NULL, 64, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    clSVMFree(d.context, a);
    driver_close(&d);
}

static void CL_CALLBACK free_some(cl_command_queue queue, cl_uint count, void *pointers[],
                                  void *user)
{
    cl_context context;

    GOOD(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL));
    for (cl_uint i = 0; i < count; i++)
        clSVMFree(context, pointers[i]);
    *(cl_uint *)user = count;
}

static void svm_is_freed_in_a_queue(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    void *pair[] = {clSVMAlloc(d.context, 0, 16, 0), clSVMAlloc(d.context, 0, 16, 0)};
    void *one = clSVMAlloc(d.context, 0, 16, 0);
    cl_uint freed = 0;

    GOOD(clEnqueueSVMFree(d.queue, 2, pair, free_some, &freed, 0, NULL, NULL));
    GOOD(clEnqueueSVMFree(d.queue, 1, &one, NULL, NULL, 0, NULL, NULL));
    GOOD(clFinish(d.queue));
    assert_int_equal(freed, 2);
    assert_int_equal(clEnqueueSVMFree(d.queue, 0, &one, NULL, NULL, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clEnqueueSVMFree(d.queue, 1, NULL, NULL, NULL, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    driver_close(&d);
}

/* A buffer of an allocation is that allocation. */
static void svm_is_used_by_buffers(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    uint8_t *a = clSVMAlloc(d.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 256, 0), seven = 7;
    cl_int status;
    cl_mem buffer = clCreateBuffer(d.context, CL_MEM_USE_HOST_PTR, 128, a + 64, &status);
    cl_bool uses;

    GOOD(status);
    GOOD(clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
    assert_int_equal(uses, CL_TRUE);
    GOOD(clEnqueueFillBuffer(d.queue, buffer, &seven, 1, 0, 128, 0, NULL, NULL));
    GOOD(clFinish(d.queue));
    for (int i = 0; i < 256; i++)
        assert_int_equal(a[i], i >= 64 && i < 192 ? 7 : 0);
    GOOD(clReleaseMemObject(buffer));
    assert_null(clCreateBuffer(d.context, CL_MEM_USE_HOST_PTR, 193, a + 64, &status));
    assert_int_equal(status, CL_INVALID_BUFFER_SIZE);
    clSVMFree(d.context, a);
    driver_close(&d);
}

/* ---- USM -------------------------------------------------------------------------------- */

/* The extension's functions, as a program finds them. */
typedef struct usm {
    clHostMemAllocINTEL_fn host;
    clDeviceMemAllocINTEL_fn device;
    clSharedMemAllocINTEL_fn shared;
    clMemFreeINTEL_fn free;
    clMemBlockingFreeINTEL_fn blocking_free;
    clGetMemAllocInfoINTEL_fn info;
    clEnqueueMemcpyINTEL_fn copy;
    clEnqueueMemFillINTEL_fn fill;
} usm;

static usm find_functions(cl_platform_id platform)
{
    usm u;

#define FIND(field, name)                                                                      \
    do {                                                                                       \
        void *found = clGetExtensionFunctionAddressForPlatform(platform, name);                \
        assert_non_null(found);                                                                \
        memcpy(&u.field, &found, sizeof found);                                                \
    } while (0)
    FIND(host, "clHostMemAllocINTEL");
    FIND(device, "clDeviceMemAllocINTEL");
    FIND(shared, "clSharedMemAllocINTEL");
    FIND(free, "clMemFreeINTEL");
    FIND(blocking_free, "clMemBlockingFreeINTEL");
    FIND(info, "clGetMemAllocInfoINTEL");
    FIND(copy, "clEnqueueMemcpyINTEL");
    FIND(fill, "clEnqueueMemFillINTEL");
#undef FIND
    return u;
}

static cl_ulong usm_info(const usm *u, cl_context context, const void *pointer,
                         cl_mem_info_intel name)
{
    cl_ulong value = 0;

    GOOD(u->info(context, pointer, name, sizeof value, &value, NULL));
    return value;
}

static void usm_answers(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    usm u = find_functions(d.platform);
    const cl_mem_properties_intel list[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                            CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
    cl_int status;
    char *host = u.host(d.context, list, 100, 0, &status);
    GOOD(status);
    char *device = u.device(d.context, d.device, NULL, 100, 64, &status);
    GOOD(status);
    char *shared = u.shared(d.context, NULL, NULL, 100, 0, &status);
    GOOD(status);

    assert_int_equal(usm_info(&u, d.context, host, CL_MEM_ALLOC_TYPE_INTEL),
                     CL_MEM_TYPE_HOST_INTEL);
    assert_int_equal(usm_info(&u, d.context, device + 99, CL_MEM_ALLOC_TYPE_INTEL),
                     CL_MEM_TYPE_DEVICE_INTEL);
    assert_int_equal(usm_info(&u, d.context, shared, CL_MEM_ALLOC_TYPE_INTEL),
                     CL_MEM_TYPE_SHARED_INTEL);
    assert_int_equal(usm_info(&u, d.context, &d, CL_MEM_ALLOC_TYPE_INTEL),
                     CL_MEM_TYPE_UNKNOWN_INTEL);
    assert_int_equal(usm_info(&u, d.context, device + 100, CL_MEM_ALLOC_TYPE_INTEL),
                     CL_MEM_TYPE_UNKNOWN_INTEL);
    assert_int_equal(usm_info(&u, d.context, device + 50, CL_MEM_ALLOC_BASE_PTR_INTEL),
                     (uintptr_t)device);
    assert_int_equal(usm_info(&u, d.context, device, CL_MEM_ALLOC_SIZE_INTEL), 100);
    assert_int_equal(usm_info(&u, d.context, device, CL_MEM_ALLOC_DEVICE_INTEL),
                     (uintptr_t)d.device);
    assert_int_equal(usm_info(&u, d.context, host, CL_MEM_ALLOC_DEVICE_INTEL), 0);
    assert_int_equal(usm_info(&u, d.context, host, CL_MEM_ALLOC_FLAGS_INTEL),
                     CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
    assert_int_equal(u.info(d.context, host, 0x1, 8, &status, NULL), CL_INVALID_VALUE);
    assert_int_equal(u.free(d.context, host + 1), CL_INVALID_VALUE);
    GOOD(u.free(d.context, NULL));
    GOOD(u.free(d.context, host));
    GOOD(u.blocking_free(d.context, device));
    GOOD(u.free(d.context, shared));
    assert_int_equal(u.free(d.context, shared), CL_INVALID_VALUE);
    driver_close(&d);
}

static void usm_checks_what_it_gets(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    usm u = find_functions(d.platform);
    const cl_mem_properties_intel unknown[] = {0x1, 1, 0};
    const cl_mem_properties_intel bits[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 20, 0};
    cl_int status;

    assert_null(u.host(d.context, NULL, 0, 0, &status));
    assert_int_equal(status, CL_INVALID_BUFFER_SIZE);
    assert_null(u.host(d.context, NULL, 64, 3, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(u.host(d.context, unknown, 64, 0, &status));
    assert_int_equal(status, CL_INVALID_PROPERTY);
    assert_null(u.host(d.context, bits, 64, 0, &status));
    assert_int_equal(status, CL_INVALID_PROPERTY);
    /* CL_MEM_FLAGS_INTEL, CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL */
    const cl_mem_properties_intel large[] = {0x10001, 1 << 23, 0};
    void *pointer = u.host(d.context, large, 64, 0, &status);
    assert_int_equal(status, CL_SUCCESS);
    GOOD(u.free(d.context, pointer));
    assert_null(u.host(d.context, large, SIZE_MAX, 0, &status));
    assert_int_equal(status, CL_INVALID_BUFFER_SIZE);
    assert_null(u.device(d.context, NULL, NULL, 64, 0, &status));
    assert_int_equal(status, CL_INVALID_DEVICE);
    assert_null(u.shared(d.context, driver_device(d.platform, "DG2"), NULL, 64, 0, &status));
    assert_int_equal(status, CL_INVALID_DEVICE);
    driver_close(&d);
}

/* A blocking free waits for commands that nobody has flushed. */
static void usm_is_copied_and_filled(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    usm u = find_functions(d.platform);
    cl_int status;
    uint8_t *device = u.device(d.context, d.device, NULL, 64, 0, &status);
    uint8_t out[64] = {0};
    const uint16_t pattern = 0x0201;

    GOOD(status);
    GOOD(u.fill(d.queue, device, &pattern, 2, 64, 0, NULL, NULL));
    GOOD(u.copy(d.queue, CL_FALSE, out, device, 64, 0, NULL, NULL));
    GOOD(u.blocking_free(d.context, device));
    for (int i = 0; i < 64; i++)
        assert_int_equal(out[i], i % 2 + 1);
    driver_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svm_checks_what_it_gets),
        cmocka_unit_test(svm_is_copied_and_filled),
        cmocka_unit_test(svm_migrates),
        cmocka_unit_test(svm_is_freed_in_a_queue),
        cmocka_unit_test(svm_is_used_by_buffers),
        cmocka_unit_test(usm_answers),
        cmocka_unit_test(usm_checks_what_it_gets),
        cmocka_unit_test(usm_is_copied_and_filled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
