/* SPDX-License-Identifier: MIT
 *
 * Programs: from source, SPIR-V and binaries; building, compiling, linking; logs, options,
 * headers, the cache; a compiler that is killed. */
#define _GNU_SOURCE /* memmem() */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "building.h"
#include "constants_spirv.h"

#define NUMBER_KERNEL "kernel void f(global int *r) { r[get_global_id(0)] = NUMBER; }\n"

/* What kernel `f` of a built program leaves in a buffer; releases the program. */
static int result_of(const driver *d, cl_program program)
{
    cl_kernel kernel = building_kernel(program, "f");
    cl_mem memory = building_buffer(d, 4, NULL);
    int result = 0;

    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    building_run(d, kernel, 1, 0);
    GOOD(clEnqueueReadBuffer(d->queue, memory, CL_TRUE, 0, 4, &result, 0, NULL, NULL));
    driver_release(program, (cl_kernel[]){kernel, NULL}, (cl_mem[]){memory, NULL});
    return result;
}

static cl_build_status status_of(const driver *d, cl_program program)
{
    cl_build_status status;

    GOOD(clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                               &status, NULL));
    return status;
}

static cl_program_binary_type type_of(const driver *d, cl_program program)
{
    cl_program_binary_type type;

    GOOD(clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type,
                               NULL));
    return type;
}

/* ---- source ----------------------------------------------------------------------------- */

static void strings_are_joined(void **state)
{
    driver *d = *state;
    const char *parts[] = {"kernel void f(global int *r) { r[0] = 1xx", " + 2; }xx", "\n"};
    const size_t lengths[] = {strlen(parts[0]) - 2, strlen(parts[1]) - 2, 0};
    char text[128];
    cl_int status;
    cl_program program = clCreateProgramWithSource(d->context, 3, parts, lengths, &status);

    GOOD(status);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    assert_string_equal(text, "kernel void f(global int *r) { r[0] = 1 + 2; }\n");
    assert_int_equal(status_of(d, program), CL_BUILD_NONE);
    assert_int_equal(type_of(d, program), CL_PROGRAM_BINARY_TYPE_NONE);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    GOOD(clBuildProgram(program, 1, &d->device, NULL, NULL, NULL));
    assert_int_equal(status_of(d, program), CL_BUILD_SUCCESS);
    assert_int_equal(type_of(d, program), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    assert_int_equal(result_of(d, program), 3);
}

static void source_of_nothing_is_refused(void **state)
{
    driver *d = *state;
    const char *text = "kernel void f() {}";
    const char *none = NULL;
    cl_int status;

    assert_null(clCreateProgramWithSource(NULL, 1, &text, NULL, &status));
    assert_int_equal(status, CL_INVALID_CONTEXT);
    assert_null(clCreateProgramWithSource(d->context, 0, &text, NULL, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clCreateProgramWithSource(d->context, 1, NULL, NULL, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clCreateProgramWithSource(d->context, 1, &none, NULL, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clCreateProgramWithBuiltInKernels(d->context, 1, &d->device, "x", &status));
    assert_int_equal(status, CL_INVALID_VALUE);
}

static void a_program_tells_about_itself(void **state)
{
    driver *d = *state;
    cl_program program = building_built(
        d, "kernel void f(global int *r) {}\nkernel void g(global int *r) { *r = 1; }\n",
        "-cl-mad-enable");
    char text[64];
    cl_uint number;
    size_t size, count;
    cl_context context;
    cl_device_id device;
    cl_kernel kernels[2];

    GOOD(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof number, &number, NULL));
    assert_int_equal(number, 1);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, &device, NULL));
    assert_ptr_equal(device, d->device);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, &context, NULL));
    assert_ptr_equal(context, d->context);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    assert_int_equal(count, 2);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, &size));
    assert_string_equal(text, "f;g");
    assert_int_equal(size, 4);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 3, text, NULL),
                     CL_INVALID_VALUE);
    GOOD(clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text,
                               NULL));
    assert_string_equal(text, "-cl-mad-enable");
    GOOD(clRetainProgram(program));
    GOOD(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof number, &number, NULL));
    assert_int_equal(number, 2);
    GOOD(clReleaseProgram(program));
    assert_int_equal(clCreateKernelsInProgram(program, 1, kernels, &number), CL_INVALID_VALUE);
    GOOD(clCreateKernelsInProgram(program, 2, kernels, &number));
    assert_int_equal(number, 2);
    GOOD(clReleaseKernel(kernels[0]));
    /* While there are kernels the program stays as it is. */
    assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    GOOD(clReleaseKernel(kernels[1]));
    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(clGetProgramInfo(program, 0x7777, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clGetProgramBuildInfo(program, d->device, 0x7777, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clGetProgramBuildInfo(program, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL),
                     CL_INVALID_DEVICE);
    GOOD(clReleaseProgram(program));
}

/* ---- options ---------------------------------------------------------------------------- */

/* Variables count, with the room that they ask for; constants do not. Those that nothing uses
 * are the compiler's to leave out. */
static void variables_have_a_size(void **state)
{
    driver *d = *state;
    static const struct {
        const char *source;
        size_t least, most;
    } rows[] = {
        {"constant int table[100] = {1, 2};\n"
         "kernel void f(global int *r) { *r = table[*r]; }\n",
         0, 0},
        {"global int big[4096];\nglobal short set = 7;\n"
         "kernel void f(global int *r) { *r = big[*r]++ + set++; }\n",
         4096 * 4 + 2, 4096 * 4 + 64},
        {"kernel void f(global int *r) { global static long calls[3]; *r = ++calls[*r]; }\n",
         24, 64},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_program program = building_program(d, rows[i].source);
        size_t size = 77;
        GOOD(clGetProgramBuildInfo(program, d->device,
                                   CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof size,
                                   &size, NULL));
        assert_int_equal(size, 0);
        GOOD(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
        GOOD(clGetProgramBuildInfo(program, d->device,
                                   CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof size,
                                   &size, NULL));
        assert_in_range(size, rows[i].least, rows[i].most);
        GOOD(clReleaseProgram(program));
    }
}

static void options_reach_the_compiler(void **state)
{
    driver *d = *state;

    assert_int_equal(result_of(d, building_built(d, NUMBER_KERNEL, "-DNUMBER=17")), 17);
    assert_int_equal(result_of(d, building_built(d, NUMBER_KERNEL, " -D  NUMBER=18 ")), 18);
    assert_int_equal(
        result_of(d, building_built(d, NUMBER_KERNEL, "-D \"NUMBER=(10 + 9)\" -w")), 19);
    assert_int_equal(
        result_of(
            d, building_built(d, NUMBER_KERNEL, "-cl-std=CL1.1 -DNUMBER=__OPENCL_C_VERSION__")),
        120);
    assert_int_equal(
        result_of(
            d, building_built(d, NUMBER_KERNEL, "-cl-std=CL2.0 -DNUMBER=__OPENCL_C_VERSION__")),
        200);
    assert_int_equal(
        result_of(
            d, building_built(d, NUMBER_KERNEL, "-cl-std=CL3.0 -DNUMBER=__OPENCL_C_VERSION__")),
        300);
}

/* The compiler wants other things said for each device and version of the language. */
static void every_device_builds_every_version(void **state)
{
    static const char *const versions[] = {"", "-cl-std=CL1.2", "-cl-std=CL2.0",
                                           "-cl-std=CL3.0"};
    const driver *d = *state;
    const char *source = "kernel void f(global uint *r) { r[0] = get_sub_group_size(); }";
    cl_device_id devices[16];
    cl_uint count, answer;
    cl_int status;
    const size_t one = 1;

    GOOD(clGetDeviceIDs(d->platform, CL_DEVICE_TYPE_GPU, 16, devices, &count));
    assert_true(count >= 5);
    cl_context context = clCreateContext(NULL, count, devices, NULL, NULL, &status);
    GOOD(status);
    cl_mem memory = clCreateBuffer(context, 0, 4, NULL, &status);
    GOOD(status);
    for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
        cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
        GOOD(status);
        GOOD(clBuildProgram(program, 0, NULL, versions[v], NULL, NULL));
        cl_kernel kernel = building_kernel(program, "f");
        GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
        for (cl_uint i = 0; i < count; i++) {
            cl_command_queue queue =
                clCreateCommandQueueWithProperties(context, devices[i], NULL, &status);
            GOOD(status);
            GOOD(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
            GOOD(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &answer, 0, NULL, NULL));
            assert_true(answer >= 1 && answer <= 32);
            GOOD(clReleaseCommandQueue(queue));
        }
        GOOD(clReleaseKernel(kernel));
        GOOD(clReleaseProgram(program));
    }
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseContext(context));
}

static void unknown_options_are_refused(void **state)
{
    driver *d = *state;
    cl_program program = building_program(d, "kernel void f() {}");

    assert_int_equal(clBuildProgram(program, 0, NULL, "-such-an-option", NULL, NULL),
                     CL_INVALID_BUILD_OPTIONS);
    assert_non_null(strstr(building_log(d, program), "-such-an-option"));
    assert_int_equal(clBuildProgram(program, 0, NULL, "-cl-std=CL9.9", NULL, NULL),
                     CL_INVALID_BUILD_OPTIONS);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-D", NULL, NULL),
                     CL_INVALID_BUILD_OPTIONS);
    assert_int_equal(
        clCompileProgram(program, 0, NULL, "-create-library", 0, NULL, NULL, NULL, NULL),
        CL_INVALID_COMPILER_OPTIONS);
    GOOD(clReleaseProgram(program));
}

static void arguments_of_builds_are_checked(void **state)
{
    driver *d = *state;
    cl_program program = building_program(d, "kernel void f() {}");
    cl_device_id other = driver_device(d->platform, "DG2");
    int user;

    assert_int_equal(clBuildProgram(NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_PROGRAM);
    assert_int_equal(clBuildProgram(program, 1, NULL, NULL, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clBuildProgram(program, 0, &d->device, NULL, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, &user), CL_INVALID_VALUE);
    assert_int_equal(clBuildProgram(program, 1, &other, NULL, NULL, NULL), CL_INVALID_DEVICE);
    assert_int_equal(clCompileProgram(program, 0, NULL, NULL, 1, NULL, NULL, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clReleaseProgram(NULL), CL_INVALID_PROGRAM);
    assert_int_equal(clRetainProgram((cl_program)d->context), CL_INVALID_PROGRAM);
    GOOD(clReleaseProgram(program));
}

/* ---- errors ----------------------------------------------------------------------------- */

static void errors_are_in_the_log(void **state)
{
    driver *d = *state;
    cl_program program = building_program(d, "kernel void f(global int *r) { *r = missing; }");

    assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL),
                     CL_BUILD_PROGRAM_FAILURE);
    assert_int_equal(status_of(d, program), CL_BUILD_ERROR);
    assert_non_null(strstr(building_log(d, program), "undeclared identifier 'missing'"));
    cl_int status;
    assert_null(clCreateKernel(program, "f", &status));
    assert_int_equal(status, CL_INVALID_PROGRAM_EXECUTABLE);
    GOOD(clReleaseProgram(program));
}

static void functions_that_are_defined_nowhere_fail(void **state)
{
    driver *d = *state;
    cl_program program = building_program(
        d, "int other(int x);\nkernel void f(global int *r) { *r = other(*r); }");

    assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL),
                     CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(building_log(d, program), "other"));
    GOOD(clReleaseProgram(program));
}

/* The compiler aborts on this one (intel-opencl-icd 22.43). */
static void a_crash_of_the_compiler_fails_the_build(void **state)
{
    driver *d = *state;
    cl_program program =
        building_program(d, "kernel void f(global atomic_float *p, global float *e) {\n"
                            "  e[1] = atomic_compare_exchange_strong(p, e, 2.0f);\n}\n");

    assert_int_equal(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0", NULL, NULL),
                     CL_BUILD_PROGRAM_FAILURE);
    assert_true(strlen(building_log(d, program)) > 0);
    GOOD(clReleaseProgram(program));
    assert_int_equal(result_of(d, building_built(d, NUMBER_KERNEL, "-DNUMBER=5")), 5);
}

/* ---- callbacks -------------------------------------------------------------------------- */

static atomic_int told;

static void CL_CALLBACK tell(cl_program program, void *user)
{
    cl_build_status status;

    (void)clGetProgramBuildInfo(program, user, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                                NULL);
    atomic_store(&told, status == CL_BUILD_SUCCESS ? 1 : 2);
}

static void wait_until_told(void)
{
    const struct timespec nap = {0, 2000000};

    for (int i = 0; i < 30000 && atomic_load(&told) == 0; i++)
        (void)nanosleep(&nap, NULL);
}

static void a_callback_hears_of_the_end(void **state)
{
    driver *d = *state;
    cl_program program = building_program(d, NUMBER_KERNEL);

    atomic_store(&told, 0);
    GOOD(clBuildProgram(program, 0, NULL, "-DNUMBER=6", tell, d->device));
    wait_until_told();
    assert_int_equal(atomic_load(&told), 1);
    assert_int_equal(result_of(d, program), 6);
}

/* ---- compile and link ------------------------------------------------------------------- */

static cl_program compiled(const driver *d, const char *source, const char *options)
{
    cl_program program = building_program(d, source);

    GOOD(clCompileProgram(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(type_of(d, program), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    return program;
}

static cl_program linked(const driver *d, const char *options, cl_uint count,
                         const cl_program *parts)
{
    cl_int status;
    cl_program program =
        clLinkProgram(d->context, 0, NULL, options, count, parts, NULL, NULL, &status);

    if (status != CL_SUCCESS && program)
        print_message("%s\n", building_log(d, program));
    GOOD(status);
    return program;
}

static void parts_are_linked(void **state)
{
    driver *d = *state;
    const cl_program parts[] = {
        compiled(d,
                 "int half_of(int x);\n"
                 "kernel void f(global int *r) { *r = half_of(42) + NUMBER; }\n",
                 "-DNUMBER=100"),
        compiled(d, "int half_of(int x) { return x / 2; }\n", NULL)};
    cl_program whole = linked(d, NULL, 2, parts);

    assert_int_equal(type_of(d, whole), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    assert_int_equal(clBuildProgram(whole, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    assert_int_equal(result_of(d, whole), 121);
    /* A library first, then the program. */
    cl_program library = linked(d, "-create-library", 1, &parts[1]);
    assert_int_equal(type_of(d, library), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    const cl_program both[] = {parts[0], library};
    assert_int_equal(result_of(d, linked(d, NULL, 2, both)), 121);
    GOOD(clReleaseProgram(library));
    GOOD(clReleaseProgram(parts[0]));
    GOOD(clReleaseProgram(parts[1]));
}

/* cl_khr_integer_dot_product, OpenCL C, Integer dot product: each function on bytes with and
 * without signs, in one step and through programs that are linked. */
static void dot_products_are_there(void **state)
{
    driver *d = *state;
    /* bytes of the operands, from the lowest: 4 fe 7f 80 and 3 ff 80 ff */
    static const struct {
        const char *call;
        int64_t result;
    } rows[] = {
        {"dot_4x8packed_uu_uint(0x807ffe04u, 0xff80ff03u)", 12 + 64770 + 16256 + 32640},
        {"dot_4x8packed_ss_int(0x807ffe04u, 0xff80ff03u)", 12 + 2 - 16256 + 128},
        {"dot_4x8packed_us_int(0x807ffe04u, 0xff80ff03u)", 12 - 254 - 16256 - 128},
        {"dot_4x8packed_su_int(0x807ffe04u, 0xff80ff03u)", 12 - 510 + 16256 - 32640},
        {"dot_acc_sat_4x8packed_uu_uint(0x807ffe04u, 0xff80ff03u, 0xffff0000u)", 0xffffffff},
        {"dot_acc_sat_4x8packed_uu_uint(1, 1, 0xffff0000u)", 0xffff0001},
        {"dot_acc_sat_4x8packed_ss_int(0x807ffe04u, 0xff80ff03u, INT_MIN + 9)", INT32_MIN},
        {"dot_acc_sat_4x8packed_us_int(0xffu, 0x80u, 7)", 7 - 32640},
        {"dot_acc_sat_4x8packed_su_int(0x7fu, 0xffu, INT_MAX - 9)", INT32_MAX},
    };
    char text[256];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)snprintf(text, sizeof text, "kernel void f(global int *r) { *r = %s; }\n",
                       rows[i].call);
        cl_program program = building_built(d, text, i % 2 ? "-cl-std=CL3.0" : NULL);
        assert_int_equal(result_of(d, program), (int)rows[i].result);
    }
    cl_program named = building_built(d, "kernel void f(global int *r) { *r = DOT(3, 5); }\n",
                                      "-DDOT=dot_4x8packed_ss_int");
    assert_int_equal(result_of(d, named), 15);
    const cl_program parts[] = {
        compiled(
            d,
            "int other(uint x);\n"
            "kernel void f(global int *r) { *r = dot_4x8packed_ss_int(2, 3) + other(2); }\n",
            NULL),
        compiled(d, "int other(uint x) { return dot_4x8packed_us_int(x, 0xfe); }\n", NULL)};
    assert_int_equal(result_of(d, linked(d, NULL, 2, parts)), 6 - 4);
    GOOD(clReleaseProgram(parts[0]));
    GOOD(clReleaseProgram(parts[1]));
    /* Lines are counted as in the source. */
    cl_program wrong = building_program(d, "/* dot_4x8packed_ss_int */\n\n\nwrong line;\n");
    assert_int_equal(clBuildProgram(wrong, 0, NULL, NULL, NULL, NULL),
                     CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(building_log(d, wrong), ":4:1: error"));
    GOOD(clReleaseProgram(wrong));
}

/* What CL_DEVICE_OPENCL_C_FEATURES does not name has no macro either (OpenCL C, Features). */
static void features_that_are_not_there_have_no_macro(void **state)
{
    driver *d = *state;
    static const char source[] =
        "#ifdef __opencl_c_integer_dot_product_input_4x8bit\n#define VECTORS 1\n"
        "#else\n#define VECTORS 0\n#endif\n"
        "#ifdef __opencl_c_integer_dot_product_input_4x8bit_packed\n#define PACKED 2\n"
        "#else\n#define PACKED 0\n#endif\n"
        "kernel void f(global int *r) { *r = VECTORS + PACKED; }\n";

    assert_int_equal(result_of(d, building_built(d, source, "-cl-std=CL3.0")), 2);
}

static void what_cannot_be_linked_is_told(void **state)
{
    driver *d = *state;
    cl_program part = compiled(
        d, "int half_of(int x);\nkernel void f(global int *r) { *r = half_of(42); }\n", NULL);
    cl_program source = building_program(d, "kernel void f() {}");
    const cl_program both[] = {part, source};
    cl_int status;

    cl_program program =
        clLinkProgram(d->context, 0, NULL, NULL, 1, &part, NULL, NULL, &status);
    assert_int_equal(status, CL_LINK_PROGRAM_FAILURE);
    assert_non_null(program);
    assert_non_null(strstr(building_log(d, program), "half_of"));
    GOOD(clReleaseProgram(program));
    assert_null(clLinkProgram(d->context, 0, NULL, NULL, 2, both, NULL, NULL, &status));
    assert_int_equal(status, CL_INVALID_OPERATION);
    assert_null(clLinkProgram(d->context, 0, NULL, "-DX", 1, &part, NULL, NULL, &status));
    assert_int_equal(status, CL_INVALID_LINKER_OPTIONS);
    assert_null(clLinkProgram(d->context, 0, NULL, NULL, 0, NULL, NULL, NULL, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clLinkProgram(NULL, 0, NULL, NULL, 1, &part, NULL, NULL, &status));
    assert_int_equal(status, CL_INVALID_CONTEXT);
    GOOD(clReleaseProgram(part));
    GOOD(clReleaseProgram(source));
}

static void headers_are_found_by_name(void **state)
{
    driver *d = *state;
    cl_program header = building_program(d, "#define NUMBER 23\n");
    cl_program program = building_program(d, "#include <deep/number.h>\n" NUMBER_KERNEL);
    const char *name = "deep/number.h";

    GOOD(clCompileProgram(program, 0, NULL, NULL, 1, &header, &name, NULL, NULL));
    cl_program whole = linked(d, NULL, 1, &program);
    GOOD(clReleaseProgram(program));
    GOOD(clReleaseProgram(header));
    assert_int_equal(result_of(d, whole), 23);
}

/* ---- SPIR-V and binaries ---------------------------------------------------------------- */

static unsigned char *binary_of(cl_program program, size_t *size)
{
    unsigned char *binary;

    GOOD(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL));
    assert_true(*size > 0);
    binary = malloc(*size);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    return binary;
}

static cl_program of_binary(const driver *d, const unsigned char *binary, size_t size)
{
    cl_int status, one;
    cl_program program =
        clCreateProgramWithBinary(d->context, 1, &d->device, &size, &binary, &one, &status);

    GOOD(status);
    GOOD(one);
    return program;
}

static void binaries_are_read_again(void **state)
{
    driver *d = *state;
    cl_program first = building_built(d, NUMBER_KERNEL, "-DNUMBER=31");
    cl_program object = compiled(d, NUMBER_KERNEL, "-DNUMBER=32");
    size_t size, object_size;
    unsigned char *binary = binary_of(first, &size);
    unsigned char *part = binary_of(object, &object_size);
    cl_program program = of_binary(d, binary, size);

    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(result_of(d, program), 31);
    program = of_binary(d, part, object_size);
    assert_int_equal(type_of(d, program), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    cl_program whole = linked(d, NULL, 1, &program);
    GOOD(clReleaseProgram(program));
    assert_int_equal(result_of(d, whole), 32);
    program = of_binary(d, part, object_size);
    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(result_of(d, program), 32);
    free(binary);
    free(part);
    GOOD(clReleaseProgram(first));
    GOOD(clReleaseProgram(object));
}

static void broken_binaries_are_refused(void **state)
{
    driver *d = *state;
    cl_program first = building_built(d, NUMBER_KERNEL, "-DNUMBER=31");
    size_t size, none = 0;
    unsigned char *binary = binary_of(first, &size);
    const unsigned char *given = binary;
    cl_device_id other = driver_device(d->platform, "DG2");
    cl_int status, one = 1;

    for (size_t at = 0; at < size; at += 1 + size / 40) {
        binary[at] ^= 4;
        assert_null(
            clCreateProgramWithBinary(d->context, 1, &d->device, &size, &given, &one, &status));
        assert_int_equal(status, CL_INVALID_BINARY);
        assert_int_equal(one, CL_INVALID_BINARY);
        binary[at] ^= 4;
    }
    for (size_t cut = 1; cut < size; cut += 1 + size / 10)
        assert_null(
            clCreateProgramWithBinary(d->context, 1, &d->device, &cut, &given, NULL, &status));
    assert_null(
        clCreateProgramWithBinary(d->context, 1, &d->device, &none, &given, &one, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_int_equal(one, CL_INVALID_VALUE);
    assert_null(clCreateProgramWithBinary(d->context, 1, &other, &size, &given, NULL, &status));
    assert_int_equal(status, CL_INVALID_DEVICE);
    cl_context context = clCreateContext(NULL, 1, &other, NULL, NULL, &status);
    GOOD(status);
    assert_null(clCreateProgramWithBinary(context, 1, &other, &size, &given, &one, &status));
    assert_int_equal(status, CL_INVALID_BINARY);
    GOOD(clReleaseContext(context));
    free(binary);
    GOOD(clReleaseProgram(first));
}

static char refusal[8192];

static void CL_CALLBACK hear_refusal(const char *text, const void *info, size_t size,
                                     void *user)
{
    (void)info;
    (void)size;
    (void)user;
    (void)snprintf(refusal, sizeof refusal, "%s", text);
}

/* The zebin in a binary of ours, which ends with it. */
static unsigned char *zebin_in(unsigned char *binary, size_t size, size_t *zebin_size)
{
    unsigned char *zebin = memmem(binary, size, "\177ELF", 4);

    assert_non_null(zebin);
    *zebin_size = size - (size_t)(zebin - binary);
    return zebin;
}

/* `odd` is made to compute 32 numbers of 4 bytes, which take more than two registers. */
static void kernels_that_are_illegal_are_refused_when_made(void **state)
{
    driver *d = *state;
    static const char source[] =
        "__attribute__((intel_reqd_sub_group_size(16)))\n"
        "kernel void odd(global int *r) { r[get_global_id(0)] ^= 77; }\n"
        "kernel void f(global int *r) { r[get_global_id(0)] = 41; }\n";
    cl_int status;
    cl_context context = clCreateContext(NULL, 1, &d->device, hear_refusal, NULL, &status);
    GOOD(status);
    cl_program first = building_built(d, source, NULL);
    size_t size;
    unsigned char *binary = binary_of(first, &size);
    unsigned char *zebin = zebin_in(binary, size, &size);
    char *at = memmem(zebin, size, "xor (M1, 16)", 12);
    const unsigned char *given = zebin;
    cl_kernel kernels[2] = {NULL, NULL};
    cl_uint count = 7;

    assert_non_null(at);
    memcpy(at + 9, "32", 2);
    cl_program program =
        clCreateProgramWithBinary(context, 1, &d->device, &size, &given, NULL, &status);
    GOOD(status);
    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    assert_non_null(strstr(building_log(d, program), "\"odd\""));
    assert_null(clCreateKernel(program, "odd", &status));
    assert_int_equal(status, CL_INVALID_KERNEL_DEFINITION);
    assert_non_null(strstr(refusal, "kernel \"odd\" cannot be run on skl"));
    assert_non_null(strstr(refusal, "xor"));
    GOOD(clCreateKernelsInProgram(program, 2, kernels, &count));
    assert_int_equal(count, 1);
    assert_null(kernels[1]);
    GOOD(clReleaseKernel(kernels[0]));
    refusal[0] = '\0';
    GOOD(clReleaseKernel(building_kernel(program, "f")));
    assert_string_equal(refusal, "");
    free(binary);
    GOOD(clReleaseProgram(program));
    GOOD(clReleaseProgram(first));
    GOOD(clReleaseContext(context));
}

/* A module by hand: int f(global int *r) { *r = constant } with a specialization constant. The
 * words are SPIR-V's (specification 1.0, section 3). */
static const uint32_t module_words[] = {
    0x07230203, 0x00010000, 0,  20,   0,  0x00020011, 4, /* OpCapability Addresses */
    0x00020011, 6,                                       /* OpCapability Kernel */
    0x0003000e, 2,          2,                           /* OpMemoryModel Physical64 OpenCL */
    0x0004000f, 6,          10, 0x66,                    /* OpEntryPoint Kernel %10 "f" */
    0x00040047, 5,          1,  7,                       /* OpDecorate %5 SpecId 7 */
    0x00040047, 6,          1,  9,                       /* OpDecorate %6 SpecId 9 */
    0x00040015, 1,          32, 0,                       /* %1 = OpTypeInt 32 0 */
    0x00020013, 2,                                       /* %2 = OpTypeVoid */
    0x00040020, 3,          5,  1,                       /* %3 = pointer CrossWorkgroup %1 */
    0x00040021, 4,          2,  3,                       /* %4 = OpTypeFunction %2 %3 */
    0x00020014, 7,                                       /* %7 = OpTypeBool */
    0x00040032, 1,          5,  1234,                    /* %5 = OpSpecConstant 1234 */
    0x00030031, 7,          6,                           /* %6 = OpSpecConstantFalse */
    0x0004002b, 1,          8,  1000,                    /* %8 = OpConstant 1000 */
    0x0004002b, 1,          9,  0,                       /* %9 = OpConstant 0 */
    0x00050036, 2,          10, 0,    4,                 /* %10 = OpFunction */
    0x00030037, 3,          11,                          /* %11 = OpFunctionParameter */
    0x000200f8, 12,                                      /* OpLabel */
    0x000600a9, 1,          13, 6,    8,  9,             /* %13 = OpSelect %6 %8 %9 */
    0x00050080, 1,          14, 5,    13,                /* %14 = OpIAdd %5 %13 */
    0x0005003e, 11,         14, 2,    4,                 /* OpStore %11 %14 Aligned 4 */
    0x000100fd, 0x00010038,                              /* OpReturn, OpFunctionEnd */
};

static void spirv_is_built_with_its_constants(void **state)
{
    driver *d = *state;
    cl_int status;
    uint32_t number = 77;
    uint8_t yes = 1;
    size_t size;
    cl_program program =
        clCreateProgramWithIL(d->context, module_words, sizeof module_words, &status);

    GOOD(status);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &size));
    assert_int_equal(size, sizeof module_words);
    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(result_of(d, program), 1234);
    program = clCreateProgramWithIL(d->context, module_words, sizeof module_words, &status);
    assert_int_equal(clSetProgramSpecializationConstant(program, 8, 4, &number),
                     CL_INVALID_SPEC_ID);
    assert_int_equal(clSetProgramSpecializationConstant(program, 7, 8, &number),
                     CL_INVALID_VALUE);
    GOOD(clSetProgramSpecializationConstant(program, 7, 4, &number));
    GOOD(clSetProgramSpecializationConstant(program, 9, 1, &yes));
    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(result_of(d, program), 1077);
    assert_null(clCreateProgramWithIL(d->context, module_words, 3, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clCreateProgramWithIL(d->context, "no SPIR-V, but of a length", 24, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    program = building_program(d, "kernel void f() {}");
    assert_int_equal(clSetProgramSpecializationConstant(program, 7, 4, &number),
                     CL_INVALID_PROGRAM);
    GOOD(clReleaseProgram(program));
}

/* Runs the module's kernel, with constants of one's own where they are given. */
static void run_constants(const driver *d, const void *const values[6], uint64_t out[7])
{
    static const size_t sizes[6] = {1, 2, 4, 8, 4, 2};
    cl_int status;
    cl_program program =
        clCreateProgramWithIL(d->context, constants_words, sizeof constants_words, &status);

    GOOD(status);
    for (cl_uint i = 0; values && i < 6; i++) {
        GOOD(clSetProgramSpecializationConstant(program, i + 1, sizes[i], values[i]));
        assert_int_equal(
            clSetProgramSpecializationConstant(program, i + 1, sizes[i] * 2, values[i]),
            CL_INVALID_VALUE);
    }
    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    cl_kernel kernel = building_kernel(program, "constants");
    cl_mem memory = building_buffer(d, 7 * sizeof *out, NULL);
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    building_run(d, kernel, 1, 0);
    GOOD(
        clEnqueueReadBuffer(d->queue, memory, CL_TRUE, 0, 7 * sizeof *out, out, 0, NULL, NULL));
    driver_release(program, (cl_kernel[]){kernel, NULL}, (cl_mem[]){memory, NULL});
}

static void constants_are_of_all_types(void **state)
{
    static const uint64_t before[7] = {11, 1200, 130000, 14000000000, 2, 6, 130000};
    static const uint64_t after[7] = {200, 60000, 7, UINT64_C(1) << 40, 9, 16, 7};
    const uint8_t byte = 200;
    const uint16_t word = 60000, four = 0x4400; /* 4 as a half */
    const uint32_t dword = 7;
    const uint64_t qword = UINT64_C(1) << 40;
    const float three = 3;
    const void *const values[6] = {&byte, &word, &dword, &qword, &three, &four};
    uint64_t found[7];

    run_constants(*state, NULL, found);
    assert_memory_equal(found, before, sizeof found);
    run_constants(*state, values, found);
    assert_memory_equal(found, after, sizeof found);
}

/* ---- the cache -------------------------------------------------------------------------- */

static double milliseconds(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void the_second_build_is_found(void **state)
{
    driver *d = *state;
    size_t before = building_count();
    double best = 1e9;

    assert_int_equal(result_of(d, building_built(d, NUMBER_KERNEL, "-DNUMBER=41")), 41);
    assert_int_equal(building_count(), before + 1);
    for (int i = 0; i < 5; i++) {
        double start = milliseconds();
        cl_program program = building_built(d, NUMBER_KERNEL, "-DNUMBER=41");
        double took = milliseconds() - start;
        best = took < best ? took : best;
        assert_int_equal(result_of(d, program), 41);
    }
    assert_int_equal(building_count(), before + 1);
    assert_true(best < 50.0); /* compiling takes at least 70 */
    assert_int_equal(result_of(d, building_built(d, NUMBER_KERNEL, "-DNUMBER=42")), 42);
    assert_int_equal(building_count(), before + 2);
}

static void write_text(const char *path, const char *text)
{
    int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    (void)close(file);
}

/* The compiler's listings stay out of the application's folder, which headers are found in. */
static void nothing_is_left_in_the_folder(void **state)
{
    driver *d = *state;
    char folder[] = "/tmp/visage-folder-XXXXXX", old[4096];
    int count = 0;

    assert_non_null(getcwd(old, sizeof old));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    write_text("number.h", "#define FROM_HEADER 5\n");
    cl_program program = building_built(
        d, "kernel void f(global int *r) { *r = 2; }\nkernel void g(global int *r) { *r = 3; }",
        "-g");
    GOOD(clReleaseProgram(program));
    program = building_built(
        d, "#include \"number.h\"\nkernel void f(global int *r) { *r = FROM_HEADER; }", NULL);
    assert_int_equal(result_of(d, program), 5);
    DIR *listed = opendir(folder);
    assert_non_null(listed);
    for (struct dirent *entry; (entry = readdir(listed)) != NULL;)
        count += entry->d_name[0] != '.';
    (void)closedir(listed);
    assert_int_equal(count, 1);
    assert_int_equal(unlink("number.h"), 0);
    assert_int_equal(chdir(old), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void changed_includes_are_compiled_again(void **state)
{
    driver *d = *state;
    char folder[] = "/tmp/visage-include-XXXXXX";
    char outer[64], inner[64], options[64];

    assert_non_null(mkdtemp(folder));
    (void)snprintf(outer, sizeof outer, "%s/outer.h", folder);
    (void)snprintf(inner, sizeof inner, "%s/inner.h", folder);
    (void)snprintf(options, sizeof options, "-I %s", folder);
    const char *source = "#include \"outer.h\"\n" NUMBER_KERNEL;
    write_text(outer, "#  include <inner.h>\n");
    write_text(inner, "#define NUMBER 51\n");
    size_t before = building_count();
    assert_int_equal(result_of(d, building_built(d, source, options)), 51);
    assert_int_equal(result_of(d, building_built(d, source, options)), 51);
    assert_int_equal(building_count(), before + 1);
    write_text(inner, "#define NUMBER 52\n");
    assert_int_equal(result_of(d, building_built(d, source, options)), 52);
    /* What a macro includes is not known beforehand: never kept. */
    before = building_count();
    assert_int_equal(
        result_of(
            d, building_built(d, "#define H \"outer.h\"\n#include H\n" NUMBER_KERNEL, options)),
        52);
    assert_int_equal(building_count(), before);
    (void)unlink(inner);
    (void)unlink(outer);
    (void)rmdir(folder);
}

/* ---- the compiler's processes ----------------------------------------------------------- */

/* Processes of the compiler that were started with this cache, which nobody else has. Sends
 * each a signal; returns how many. */
static int each_compiler(int signal_number)
{
    int count = 0;
    char path[300], text[65536];
    DIR *folder = opendir("/proc");
    struct dirent *entry;

    while (folder && (entry = readdir(folder)) != NULL) {
        long pid = strtol(entry->d_name, NULL, 10);
        (void)snprintf(path, sizeof path, "/proc/%.20s/comm", entry->d_name);
        int file = pid > 0 ? open(path, O_RDONLY) : -1;
        if (file < 0)
            continue;
        ssize_t size = read(file, text, sizeof text - 1);
        (void)close(file);
        if (size < 0 || strncmp(text, "visage-compiler", 15) != 0)
            continue;
        (void)snprintf(path, sizeof path, "/proc/%.20s/environ", entry->d_name);
        file = open(path, O_RDONLY);
        size = file < 0 ? 0 : read(file, text, sizeof text - 1);
        if (file >= 0)
            (void)close(file);
        if (size > 0 && memmem(text, (size_t)size, building_cache, strlen(building_cache))) {
            count++;
            if (signal_number)
                (void)kill((pid_t)pid, signal_number);
        }
    }
    if (folder)
        (void)closedir(folder);
    return count;
}

static void *build_in_thread(void *user)
{
    driver *d = user;
    static atomic_int number;
    char options[32];
    long good = 0;

    for (int i = 0; i < 6; i++) {
        (void)snprintf(options, sizeof options, "-DNUMBER=%d",
                       10000 + atomic_fetch_add(&number, 1));
        cl_program program = building_program(d, NUMBER_KERNEL);
        cl_int status = clBuildProgram(program, 0, NULL, options, NULL, NULL);
        if (status != CL_SUCCESS && status != CL_BUILD_PROGRAM_FAILURE)
            good = -1000;
        good += status == CL_SUCCESS;
        (void)clReleaseProgram(program);
    }
    return (void *)good;
}

static void a_killed_compiler_fails_a_build_and_no_more(void **state)
{
    driver *d = *state;
    pthread_t threads[3];
    int killed = 0;

    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, build_in_thread, d), 0);
    for (int i = 0; i < 8; i++) {
        const struct timespec nap = {0, 90000000};
        (void)nanosleep(&nap, NULL);
        killed += each_compiler(SIGKILL);
    }
    for (int i = 0; i < 3; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_true((long)result >= 0);
    }
    assert_true(killed > 0);
    assert_int_equal(result_of(d, building_built(d, NUMBER_KERNEL, "-DNUMBER=61")), 61);
}

/* wait() finds no process of ours, and no signal tells of their end. */
static atomic_int child_signals;

static void count_signal(int number)
{
    (void)number;
    (void)atomic_fetch_add(&child_signals, 1);
}

static void the_application_has_no_children(void **state)
{
    driver *d = *state;
    struct sigaction action = {0}, old;

    action.sa_handler = count_signal;
    assert_int_equal(sigaction(SIGCHLD, &action, &old), 0);
    (void)each_compiler(SIGKILL);
    assert_int_equal(result_of(d, building_built(d, NUMBER_KERNEL, "-DNUMBER=71")), 71);
    assert_true(each_compiler(0) > 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    (void)each_compiler(SIGKILL);
    const struct timespec nap = {0, 50000000};
    (void)nanosleep(&nap, NULL);
    assert_int_equal(atomic_load(&child_signals), 0);
    assert_int_equal(sigaction(SIGCHLD, &old, NULL), 0);
}

static void a_child_of_a_fork_builds_too(void **state)
{
    driver *d = *state;

    assert_int_equal(result_of(d, building_built(d, NUMBER_KERNEL, "-DNUMBER=81")), 81);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        driver own = driver_open("Skylake", 0);
        (void)alarm(60);
        _exit(result_of(&own, building_built(&own, NUMBER_KERNEL, "-DNUMBER=82")) == 82 ? 0
                                                                                        : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(result_of(d, building_built(d, NUMBER_KERNEL, "-DNUMBER=83")), 83);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUILDING_TEST(strings_are_joined),
        BUILDING_TEST(source_of_nothing_is_refused),
        BUILDING_TEST(a_program_tells_about_itself),
        BUILDING_TEST(variables_have_a_size),
        BUILDING_TEST(options_reach_the_compiler),
        BUILDING_TEST(every_device_builds_every_version),
        BUILDING_TEST(unknown_options_are_refused),
        BUILDING_TEST(arguments_of_builds_are_checked),
        BUILDING_TEST(errors_are_in_the_log),
        BUILDING_TEST(functions_that_are_defined_nowhere_fail),
        BUILDING_TEST(a_crash_of_the_compiler_fails_the_build),
        BUILDING_TEST(a_callback_hears_of_the_end),
        BUILDING_TEST(parts_are_linked),
        BUILDING_TEST(dot_products_are_there),
        BUILDING_TEST(features_that_are_not_there_have_no_macro),
        BUILDING_TEST(what_cannot_be_linked_is_told),
        BUILDING_TEST(headers_are_found_by_name),
        BUILDING_TEST(binaries_are_read_again),
        BUILDING_TEST(broken_binaries_are_refused),
        BUILDING_TEST(kernels_that_are_illegal_are_refused_when_made),
        BUILDING_TEST(spirv_is_built_with_its_constants),
        BUILDING_TEST(constants_are_of_all_types),
        BUILDING_TEST(the_second_build_is_found),
        BUILDING_TEST(changed_includes_are_compiled_again),
        BUILDING_TEST(nothing_is_left_in_the_folder),
        BUILDING_TEST(a_killed_compiler_fails_a_build_and_no_more),
        BUILDING_TEST(the_application_has_no_children),
        BUILDING_TEST(a_child_of_a_fork_builds_too),
    };
    int status = building_begin();

    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
