/* SPDX-License-Identifier: MIT
 *
 * Platform, devices, contexts: what they answer, and what they refuse. */
#include "driver.h"

static cl_platform_id the_platform(void)
{
    cl_platform_id platform;

    GOOD(clGetPlatformIDs(1, &platform, NULL));
    return platform;
}

static void platform_answers(void **state)
{
    (void)state;
    cl_platform_id platform = the_platform();
    char text[4096];
    size_t size;
    cl_version version;
    cl_ulong resolution;

    GOOD(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, &size));
    assert_string_equal(text, "visage");
    assert_int_equal(size, strlen("visage") + 1);
    GOOD(clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof text, text, NULL));
    assert_memory_equal(text, "OpenCL 3.0 ", 11);
    assert_null(strpbrk(text + 11, "0123456789")); /* programs look for "1.0" in it */
    GOOD(clGetDeviceInfo(driver_device(platform, "DG2"), CL_DEVICE_VERSION, sizeof text, text,
                         NULL));
    assert_memory_equal(text, "OpenCL 3.0 ", 11);
    assert_null(strpbrk(text + 11, "0123456789"));
    GOOD(clGetPlatformInfo(platform, CL_PLATFORM_PROFILE, sizeof text, text, NULL));
    assert_string_equal(text, "FULL_PROFILE");
    GOOD(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
    assert_non_null(strstr(text, "cl_khr_icd"));
    GOOD(clGetPlatformInfo(platform, CL_PLATFORM_NUMERIC_VERSION, sizeof version, &version,
                           NULL));
    assert_int_equal(version, CL_MAKE_VERSION(3, 0, 0));
    GOOD(clGetPlatformInfo(platform, CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof resolution,
                           &resolution, NULL));
    assert_int_equal(resolution, 1);
    assert_int_equal(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 2, text, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clGetPlatformInfo(platform, 0x1234, sizeof text, text, NULL),
                     CL_INVALID_VALUE);
}

/* Both lists of extensions say the same, with the length of a name's array. */
static void extensions_agree(void **state)
{
    (void)state;
    cl_device_id devices[16];
    cl_uint count;
    char names[8192];
    cl_name_version list[128];

    GOOD(clGetDeviceIDs(the_platform(), CL_DEVICE_TYPE_ALL, 16, devices, &count));
    for (cl_uint i = 0; i < count; i++) {
        size_t bytes, length = 0;
        GOOD(clGetDeviceInfo(devices[i], CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
        GOOD(clGetDeviceInfo(devices[i], CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof list, list,
                             &bytes));
        for (size_t j = 0; j < bytes / sizeof *list; j++) {
            size_t name = strlen(list[j].name);
            assert_true(list[j].version != 0);
            assert_memory_equal(names + length, list[j].name, name);
            length += name + 1;
        }
        assert_int_equal(length, strlen(names) + 1);
    }
}

static bool names_extension(const char *names, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = strstr(names, name); at; at = strstr(at + 1, name))
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* The platform has those that all of its devices have (API, clGetPlatformInfo). */
static void platform_has_what_all_devices_have(void **state)
{
    (void)state;
    cl_device_id devices[16];
    char of_platform[8192], first[8192], other[8192];
    cl_uint count;

    GOOD(clGetPlatformInfo(the_platform(), CL_PLATFORM_EXTENSIONS, sizeof of_platform,
                           of_platform, NULL));
    GOOD(clGetDeviceIDs(the_platform(), CL_DEVICE_TYPE_ALL, 16, devices, &count));
    assert_true(count > 1);
    GOOD(clGetDeviceInfo(devices[0], CL_DEVICE_EXTENSIONS, sizeof first, first, NULL));
    assert_true(names_extension(of_platform, "cl_khr_icd"));
    (void)snprintf(other, sizeof other, "%s", of_platform);
    char *rest = NULL;
    for (char *name = strtok_r(other, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        assert_true(names_extension(first, name));
    char *more = NULL;
    for (char *name = strtok_r(first, " ", &more); name; name = strtok_r(NULL, " ", &more)) {
        bool all = true;
        for (cl_uint i = 1; i < count; i++) {
            GOOD(clGetDeviceInfo(devices[i], CL_DEVICE_EXTENSIONS, sizeof other, other, NULL));
            all = all && names_extension(other, name);
        }
        assert_int_equal(names_extension(of_platform, name), all);
    }
}

/* So do both lists of intermediate languages. */
static void languages_agree(void **state)
{
    (void)state;
    cl_device_id devices[16];
    cl_uint count;
    char names[256], expected[256];
    cl_name_version list[16];

    GOOD(clGetDeviceIDs(the_platform(), CL_DEVICE_TYPE_ALL, 16, devices, &count));
    for (cl_uint i = 0; i < count; i++) {
        size_t bytes;
        int length = 0;
        GOOD(clGetDeviceInfo(devices[i], CL_DEVICE_IL_VERSION, sizeof names, names, NULL));
        GOOD(
            clGetDeviceInfo(devices[i], CL_DEVICE_ILS_WITH_VERSION, sizeof list, list, &bytes));
        assert_true(bytes >= sizeof *list);
        for (size_t j = 0; j < bytes / sizeof *list; j++)
            length += snprintf(expected + length, sizeof expected - (size_t)length, "%s_%u.%u ",
                               list[j].name, CL_VERSION_MAJOR(list[j].version),
                               CL_VERSION_MINOR(list[j].version));
        assert_string_equal(names, expected);
    }
}

static cl_ulong number_of(cl_device_id device, cl_device_info name)
{
    cl_ulong value = 0;

    GOOD(clGetDeviceInfo(device, name, sizeof value, &value, NULL));
    return value;
}

static bool has_extension(cl_device_id device, const char *name)
{
    char names[8192];

    GOOD(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
    return strstr(names, name) != NULL;
}

/* What the GPUs are known to have. */
static void devices_are_themselves(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        bool fp64, images;
        size_t group, slm_kib, sub_group;
    } known[] = {
        {"Skylake", true, true, 256, 64, 8},     {"Ice Lake", false, true, 256, 64, 8},
        {"Tiger Lake", false, true, 512, 64, 8}, {"DG2", false, true, 1024, 64, 8},
        {"PVC", true, false, 1024, 64, 16}, /* of 128 the compiler reaches 64 */
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        cl_device_id device = driver_device(the_platform(), known[i].word);
        /* Else programs use CL_MEM_USE_HOST_PTR and never map, which here is when it is copied.
         */
        assert_int_equal(number_of(device, CL_DEVICE_HOST_UNIFIED_MEMORY), CL_FALSE);
        size_t sizes[8], bytes;
        char name[64]; /* as much room as StarPU has for it */
        assert_non_null(device);
        GOOD(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
        assert_int_equal(number_of(device, CL_DEVICE_TYPE), CL_DEVICE_TYPE_GPU);
        assert_int_equal(number_of(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0, known[i].fp64);
        assert_int_equal(has_extension(device, "cl_khr_fp64"), known[i].fp64);
        assert_int_equal(number_of(device, CL_DEVICE_IMAGE_SUPPORT), known[i].images);
        assert_int_equal(number_of(device, CL_DEVICE_MAX_WORK_GROUP_SIZE), known[i].group);
        assert_int_equal(number_of(device, CL_DEVICE_LOCAL_MEM_SIZE), known[i].slm_kib << 10);
        GOOD(clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes,
                             &bytes));
        assert_true(bytes >= sizeof *sizes);
        assert_int_equal(sizes[0], known[i].sub_group);
        assert_int_equal(number_of(device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT), 1);
        assert_int_equal(number_of(device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT), 1);
    }
}

static void devices_are_found(void **state)
{
    (void)state;
    cl_platform_id platform = the_platform();
    cl_device_id all[16], first;
    cl_uint count, one;

    GOOD(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count));
    assert_int_equal(count, 5);
    GOOD(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 16, all, NULL));
    GOOD(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &first, &one));
    assert_int_equal(one, 1);
    assert_ptr_equal(first, all[0]);
    assert_true(number_of(first, CL_DEVICE_DOUBLE_FP_CONFIG) != 0);
    assert_true(number_of(first, CL_DEVICE_IMAGE_SUPPORT));
    assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &first, &one),
                     CL_DEVICE_NOT_FOUND);
    assert_int_equal(clGetDeviceIDs(platform, 0, 1, &first, NULL), CL_INVALID_DEVICE_TYPE);
    assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &first, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clGetDeviceInfo(first, 0x9999, 0, NULL, NULL), CL_INVALID_VALUE);
}

static void devices_are_not_parted(void **state)
{
    (void)state;
    cl_device_id device = driver_device(the_platform(), "Skylake");
    const cl_device_partition_property list[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_partition_property none = 1;
    cl_uint count;

    assert_int_equal(clCreateSubDevices(device, list, 0, NULL, &count), CL_INVALID_VALUE);
    GOOD(clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, sizeof none, &none, NULL));
    assert_int_equal(none, 0);
    GOOD(clRetainDevice(device));
    GOOD(clReleaseDevice(device));
    assert_int_equal(number_of(device, CL_DEVICE_REFERENCE_COUNT), 1);
}

static void timers_agree(void **state)
{
    (void)state;
    cl_device_id device = driver_device(the_platform(), "Skylake");
    cl_ulong before, both, host, after;

    GOOD(clGetHostTimer(device, &before));
    GOOD(clGetDeviceAndHostTimer(device, &both, &host));
    GOOD(clGetHostTimer(device, &after));
    assert_true(before <= both && both <= host && host <= after);
    assert_int_equal(clGetHostTimer(device, NULL), CL_INVALID_VALUE);
    assert_int_equal(clGetDeviceAndHostTimer(device, NULL, &host), CL_INVALID_VALUE);
}

/* Extension functions are found by name; a name that there is not gives NULL. */
static void functions_are_found(void **state)
{
    (void)state;
    cl_platform_id platform = the_platform();

    assert_non_null(clGetExtensionFunctionAddressForPlatform(platform, "clHostMemAllocINTEL"));
    assert_non_null(clGetExtensionFunctionAddressForPlatform(
        platform, "clGetKernelSuggestedLocalWorkSizeKHR"));
    assert_non_null(clGetExtensionFunctionAddressForPlatform(
        platform, "clCreateCommandQueueWithPropertiesKHR"));
    assert_null(clGetExtensionFunctionAddressForPlatform(platform, "clDoesNotExist"));
}

/* ---- contexts --------------------------------------------------------------------------- */

static cl_int context_status(const cl_context_properties *properties, cl_uint count,
                             const cl_device_id *devices)
{
    cl_int status = 1;
    cl_context context = clCreateContext(properties, count, devices, NULL, NULL, &status);

    assert_true((context != NULL) == (status == CL_SUCCESS));
    if (context)
        GOOD(clReleaseContext(context));
    return status;
}

static void contexts_check_what_they_get(void **state)
{
    (void)state;
    cl_platform_id platform = the_platform();
    cl_device_id device = driver_device(platform, "Skylake");
    cl_device_id pair[] = {device, driver_device(platform, "DG2")};
    cl_device_id twice[] = {device, device};
    const cl_context_properties good[] = {CL_CONTEXT_PLATFORM, (intptr_t)platform, 0};
    const cl_context_properties bad[] = {0x7777, 1, 0};
    const cl_context_properties doubled[] = {CL_CONTEXT_PLATFORM, (intptr_t)platform,
                                             CL_CONTEXT_PLATFORM, (intptr_t)platform, 0};
    const cl_context_properties foreign[] = {CL_CONTEXT_PLATFORM, (intptr_t)driver_foreign(),
                                             0};

    assert_int_equal(context_status(good, 1, &device), CL_SUCCESS);
    assert_int_equal(context_status(good, 2, pair), CL_SUCCESS);
    assert_int_equal(context_status(good, 2, twice), CL_SUCCESS);
    assert_int_equal(context_status(bad, 1, &device), CL_INVALID_PROPERTY);
    assert_int_equal(context_status(doubled, 1, &device), CL_INVALID_PROPERTY);
    (void)foreign; /* the loader itself looks at the platform */
    assert_int_equal(context_status(good, 0, NULL), CL_INVALID_VALUE);
}

static void context_answers(void **state)
{
    (void)state;
    cl_platform_id platform = the_platform();
    cl_device_id pair[] = {driver_device(platform, "Skylake"), driver_device(platform, "DG2")};
    const cl_context_properties list[] = {CL_CONTEXT_PLATFORM, (intptr_t)platform, 0};
    cl_context_properties properties[8];
    cl_device_id devices[4];
    cl_uint count;
    size_t bytes;
    cl_int status;
    cl_context context = clCreateContext(list, 2, pair, NULL, NULL, &status);

    GOOD(status);
    GOOD(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, NULL));
    assert_int_equal(count, 2);
    GOOD(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, &bytes));
    assert_int_equal(bytes, sizeof pair);
    assert_memory_equal(devices, pair, sizeof pair);
    GOOD(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof properties, properties,
                          &bytes));
    assert_int_equal(bytes, sizeof list);
    assert_memory_equal(properties, list, sizeof list);
    assert_int_equal(clGetContextInfo(context, CL_CONTEXT_DEVICES, 1, devices, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clGetContextInfo(context, 0x1000, sizeof count, &count, NULL),
                     CL_INVALID_VALUE);
    GOOD(clRetainContext(context));
    GOOD(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
    assert_int_equal(count, 2);
    GOOD(clReleaseContext(context));
    GOOD(clReleaseContext(context));
}

static char order[8];

static void CL_CALLBACK say(cl_context context, void *user)
{
    (void)context;
    order[strlen(order)] = *(const char *)user;
}

static void contexts_say_farewell(void **state)
{
    (void)state;
    char a[] = "a", b[] = "b";
    cl_int status;
    cl_context context = clCreateContextFromType(NULL, CL_DEVICE_TYPE_GPU, NULL, NULL, &status);

    GOOD(status);
    GOOD(clSetContextDestructorCallback(context, say, a));
    GOOD(clSetContextDestructorCallback(context, say, b));
    assert_int_equal(clSetContextDestructorCallback(context, NULL, a), CL_INVALID_VALUE);
    GOOD(clReleaseContext(context));
    assert_string_equal(order, "ba");
    context = clCreateContextFromType(NULL, CL_DEVICE_TYPE_CPU, NULL, NULL, &status);
    assert_null(context);
    assert_int_equal(status, CL_DEVICE_NOT_FOUND);
    context = clCreateContextFromType(NULL, 0, NULL, NULL, &status);
    assert_null(context);
    assert_int_equal(status, CL_INVALID_DEVICE_TYPE);
}

/* Programs release handles once more than they have them. */
static void what_is_gone_is_no_handle(void **state)
{
    driver d = driver_open("Skylake", 0);
    const char *source = "kernel void k(void) {}";
    cl_int status;

    (void)state;
    cl_program program = clCreateProgramWithSource(d.context, 1, &source, NULL, &status);
    GOOD(status);
    cl_mem memory = clCreateBuffer(d.context, 0, 16, NULL, &status);
    GOOD(status);
    cl_sampler sampler =
        clCreateSampler(d.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &status);
    GOOD(status);
    cl_event event = clCreateUserEvent(d.context, &status);
    GOOD(status);
    GOOD(clReleaseProgram(program));
    assert_int_equal(clReleaseProgram(program), CL_INVALID_PROGRAM);
    assert_int_equal(clRetainProgram(program), CL_INVALID_PROGRAM);
    GOOD(clReleaseMemObject(memory));
    assert_int_equal(clReleaseMemObject(memory), CL_INVALID_MEM_OBJECT);
    GOOD(clReleaseSampler(sampler));
    assert_int_equal(clReleaseSampler(sampler), CL_INVALID_SAMPLER);
    GOOD(clReleaseEvent(event));
    assert_int_equal(clReleaseEvent(event), CL_INVALID_EVENT);
    assert_int_equal(clWaitForEvents(1, &event), CL_INVALID_EVENT);
    cl_command_queue queue = d.queue;
    cl_context context = d.context;
    driver_close(&d);
    assert_int_equal(clReleaseCommandQueue(queue), CL_INVALID_COMMAND_QUEUE);
    assert_int_equal(clReleaseContext(context), CL_INVALID_CONTEXT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(platform_answers),
        cmocka_unit_test(extensions_agree),
        cmocka_unit_test(platform_has_what_all_devices_have),
        cmocka_unit_test(languages_agree),
        cmocka_unit_test(devices_are_themselves),
        cmocka_unit_test(devices_are_found),
        cmocka_unit_test(devices_are_not_parted),
        cmocka_unit_test(timers_agree),
        cmocka_unit_test(functions_are_found),
        cmocka_unit_test(contexts_check_what_they_get),
        cmocka_unit_test(context_answers),
        cmocka_unit_test(contexts_say_farewell),
        cmocka_unit_test(what_is_gone_is_no_handle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
