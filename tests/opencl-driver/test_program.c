/* SPDX-License-Identifier: MIT
 *
 * Programs from source: building, compiling, linking; logs, options, headers. */
#include <pthread.h>
#include <stdatomic.h>

#include "building.h"

static cl_build_status status_of(const driver *d, cl_program program)
{
    cl_build_status status;

    GOOD(clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                               &status, NULL));
    return status;
}

/* ---- several devices -------------------------------------------------------------------- */

/* One has doubles, the other has not. */
static void kernels_are_those_of_all_devices(void **state)
{
    driver all = *(driver *)*state;
    cl_device_id devices[] = {driver_device(all.platform, "DG2"),
                              driver_device(all.platform, "Skylake")};
    cl_kernel kernels[3] = {0};
    cl_uint count;
    cl_int status;
    char text[64];
    size_t number;

    all.context = clCreateContext(NULL, 2, devices, NULL, NULL, &status);
    GOOD(status);
    all.device = devices[0];
    cl_program program =
        building_built(&all,
                       "kernel void f(global int *r) { r[0] = 1; }\n"
                       "#ifdef cl_khr_fp64\n"
                       "kernel void more(global double *r) { r[0] = 1; }\n"
                       "kernel void other(global int *r, int n) { r[0] = n; }\n"
                       "#else\n"
                       "kernel void other(global int *r) { r[0] = 1; }\n"
                       "#endif\n",
                       NULL);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    assert_string_equal(text, "f;more");
    GOOD(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof number, &number, NULL));
    assert_int_equal(number, 2);
    GOOD(clCreateKernelsInProgram(program, 3, kernels, &count));
    assert_int_equal(count, 2);
    assert_null(clCreateKernel(program, "other", &status));
    assert_int_equal(status, CL_INVALID_KERNEL_DEFINITION);
    GOOD(clReleaseKernel(kernels[0]));
    GOOD(clReleaseKernel(kernels[1]));
    GOOD(clReleaseProgram(program));
    GOOD(clReleaseContext(all.context));
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
    assert_int_equal(building_type(d, program), CL_PROGRAM_BINARY_TYPE_NONE);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    GOOD(clBuildProgram(program, 1, &d->device, NULL, NULL, NULL));
    assert_int_equal(status_of(d, program), CL_BUILD_SUCCESS);
    assert_int_equal(building_type(d, program), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    assert_int_equal(building_result(d, program), 3);
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

    assert_int_equal(building_result(d, building_built(d, BUILDING_NUMBER, "-DNUMBER=17")), 17);
    assert_int_equal(building_result(d, building_built(d, BUILDING_NUMBER, " -D  NUMBER=18 ")),
                     18);
    assert_int_equal(
        building_result(d, building_built(d, BUILDING_NUMBER, "-D \"NUMBER=(10 + 9)\" -w")),
        19);
    assert_int_equal(
        building_result(d, building_built(d, BUILDING_NUMBER,
                                          "-cl-std=CL1.1 -DNUMBER=__OPENCL_C_VERSION__")),
        120);
    assert_int_equal(
        building_result(d, building_built(d, BUILDING_NUMBER,
                                          "-cl-std=CL2.0 -DNUMBER=__OPENCL_C_VERSION__")),
        200);
    assert_int_equal(
        building_result(d, building_built(d, BUILDING_NUMBER,
                                          "-cl-std=CL3.0 -DNUMBER=__OPENCL_C_VERSION__")),
        300);
}

/* Characters, and a source that begins with a mark of UTF-8. */
static void macros_are_as_they_were_written(void **state)
{
    driver *d = *state;

    assert_int_equal(building_result(d, building_built(d, BUILDING_NUMBER, "-DNUMBER='a'")),
                     97);
    assert_int_equal(building_result(d, building_built(d, BUILDING_NUMBER, "-DNUMBER='\\n'")),
                     10);
    assert_int_equal(
        building_result(d, building_built(d, "\xef\xbb\xbf" BUILDING_NUMBER, "-DNUMBER=7")), 7);
}

/* Names that parameters of built-in functions have, too, and those of macros with parameters.
 */
static void macros_have_any_name(void **state)
{
    static const char *const options[] = {
        "-Dn=17",
        "-D x=17",
        "-Dvalue=17",
        "-Dp=17 -Da=1 -Db=2 -Dc=3 -Dk=4",
        "-Dmask -Dn=3 -Dn=17",
        "-Doffset(i)=i+17",
        "-Dy=(10/*x*/+7)",
        "-Dn=\"17 // all\"",
    };
    driver *d = *state;
    char source[512];

    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        (void)snprintf(
            source, sizeof source,
            "#if defined(n)\n#define it n\n#elif defined(x)\n#define it x\n"
            "#elif defined(value)\n#define it value\n#elif defined(p)\n#define it p\n"
            "#elif defined(y)\n#define it y\n#else\n#define it offset(0)\n#endif\n"
            "kernel void f(global uint *r) { r[0] = max(it, 2) + 100 * __LINE__; }");
        cl_program program = building_program(d, source);
        GOOD(clBuildProgram(program, 0, NULL, options[i], NULL, NULL));
        assert_int_equal(building_result(d, program), 17 + 100 * 14);
    }
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
    assert_int_equal(building_result(d, building_built(d, BUILDING_NUMBER, "-DNUMBER=5")), 5);
}

/* It says why on its standard errors, where it aborts on this one; not what it said before. */
static void a_crash_of_the_compiler_is_told_in_its_words(void **state)
{
    driver *d = *state;
    const char *reason = "Array size must be at least 1";

    for (int i = 0; i < 2; i++) {
        cl_program program = building_program(
            d, i == 0 ? "kernel void f(global int *r, int n) { local int a[0];\n"
                        "  if (n) a[0] = 1;\n  *r = n ? a[0] : 0; }"
                      : "kernel void f(global atomic_float *p, global float *e) {\n"
                        "  e[1] = atomic_compare_exchange_strong(p, e, 2.0f);\n}\n");
        assert_int_equal(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0", NULL, NULL),
                         CL_BUILD_PROGRAM_FAILURE);
        const char *log = building_log(d, program);
        assert_non_null(strstr(log, "the compiler crashed on this program"));
        assert_int_equal(strstr(log, reason) != NULL, i == 0);
        GOOD(clReleaseProgram(program));
    }
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
    cl_program program = building_program(d, BUILDING_NUMBER);

    atomic_store(&told, 0);
    GOOD(clBuildProgram(program, 0, NULL, "-DNUMBER=6", tell, d->device));
    wait_until_told();
    assert_int_equal(atomic_load(&told), 1);
    assert_int_equal(building_result(d, program), 6);
}

/* Drivers for GPUs build before they return, callback or not, which programs rely on. */
static void kernels_wait_for_a_build(void **state)
{
    driver *d = *state;
    cl_uint count = 0;
    cl_program program = building_program(d, BUILDING_NUMBER);

    atomic_store(&told, 0);
    GOOD(clBuildProgram(program, 0, NULL, "-DNUMBER=61", tell, d->device));
    GOOD(clCreateKernelsInProgram(program, 0, NULL, &count));
    assert_int_equal(count, 1);
    wait_until_told();
    atomic_store(&told, 0);
    GOOD(clBuildProgram(program, 0, NULL, "-DNUMBER=62", tell, d->device));
    GOOD(clReleaseKernel(building_kernel(program, "f")));
    wait_until_told();
    assert_int_equal(building_result(d, program), 62);
}

/* The binary for one device; zeros where there is none. */
static void get_binary(cl_program program, unsigned char *binary, size_t size_bytes)
{
    memset(binary, 0, size_bytes);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
}

/* What was built is asked for while it is built anew: there is none meanwhile. */
static void what_is_in_work_can_be_asked_for(void **state)
{
    enum { BUILDS = 300, RESULTS = 3, ROOM = 1 << 19 };
    /* A large binary takes its time to be copied. */
    static const char source[] =
        "#define A 1, 2, 3, 4, 5, 6, 7, 8,\n#define B A A A A A A A A\n"
        "#define C B B B B B B B B\n#define D C C C C C C C C\n"
        "constant int table[] = {D D D D D D D D NUMBER};\n"
        "kernel void f(global int *r) { *r = table[*r + 32768]; }";
    driver *d = *state;
    cl_program program = building_program(d, source);
    unsigned char *results[RESULTS], *now = malloc(ROOM);
    char options[32], names[16];
    size_t size, count;

    for (int i = 0; i < BUILDS; i++) {
        cl_int status;
        (void)snprintf(options, sizeof options, "-DNUMBER=%d", i % 2);
        atomic_store(&told, 0);
        GOOD(clBuildProgram(program, 0, NULL, options, tell, d->device));
        while (i >= RESULTS && atomic_load(&told) == 0) {
            bool is_one = false;
            get_binary(program, now, ROOM);
            for (int n = 0; n < RESULTS; n++)
                is_one |= memcmp(now, results[n], ROOM) == 0;
            assert_true(is_one);
            status =
                clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL);
            assert_true(status == CL_INVALID_PROGRAM_EXECUTABLE ||
                        (status == CL_SUCCESS && count == 1));
            status =
                clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL);
            assert_true(status == CL_INVALID_PROGRAM_EXECUTABLE ||
                        (status == CL_SUCCESS && strcmp(names, "f") == 0));
        }
        wait_until_told();
        assert_int_equal(atomic_load(&told), 1);
        if (i >= RESULTS)
            continue;
        GOOD(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
        results[i] = calloc(ROOM, 1);
        assert_true(size > 100000 && size < ROOM && results[i] && now);
        if (i > 0) /* the first one stays zeros */
            get_binary(program, results[i], ROOM);
    }
    assert_int_equal(building_result(d, program), (BUILDS - 1) % 2);
    for (int n = 0; n < RESULTS; n++)
        free(results[n]);
    free(now);
}

static void a_program_needs_no_kernel(void **state)
{
    static const char *const sources[] = {"", "\n", "// f\n", "int f(int x) { return x; }\n"};
    driver *d = *state;
    cl_int status;
    cl_uint count = 7;
    size_t size = 7;

    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        cl_program program = building_built(d, sources[i], NULL);
        GOOD(clCreateKernelsInProgram(program, 0, NULL, &count));
        assert_int_equal(count, 0);
        GOOD(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof size, &size, NULL));
        assert_int_equal(size, 0);
        assert_null(clCreateKernel(program, "f", &status));
        assert_int_equal(status, CL_INVALID_KERNEL_NAME);
        GOOD(clReleaseProgram(program));
        program = building_program(d, sources[i]);
        GOOD(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
        cl_program linked =
            clLinkProgram(d->context, 0, NULL, NULL, 1, &program, NULL, NULL, &status);
        GOOD(status);
        GOOD(clReleaseProgram(linked));
        GOOD(clReleaseProgram(program));
    }
}

/* ---- compile and link ------------------------------------------------------------------- */

static void parts_are_linked(void **state)
{
    driver *d = *state;
    const cl_program parts[] = {
        building_compiled(d,
                          "int half_of(int x);\n"
                          "kernel void f(global int *r) { *r = half_of(42) + NUMBER; }\n",
                          "-DNUMBER=100"),
        building_compiled(d, "int half_of(int x) { return x / 2; }\n", NULL)};
    cl_program whole = building_linked(d, NULL, 2, parts);

    assert_int_equal(building_type(d, whole), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    assert_int_equal(clBuildProgram(whole, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    assert_int_equal(building_result(d, whole), 121);
    /* A library first, then the program. */
    cl_program library = building_linked(d, "-create-library", 1, &parts[1]);
    assert_int_equal(building_type(d, library), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    const cl_program both[] = {parts[0], library};
    assert_int_equal(building_result(d, building_linked(d, NULL, 2, both)), 121);
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
        assert_int_equal(building_result(d, program), (int)rows[i].result);
    }
    cl_program named = building_built(d, "kernel void f(global int *r) { *r = DOT(3, 5); }\n",
                                      "-DDOT=dot_4x8packed_ss_int");
    assert_int_equal(building_result(d, named), 15);
    const cl_program parts[] = {
        building_compiled(
            d,
            "int other(uint x);\n"
            "kernel void f(global int *r) { *r = dot_4x8packed_ss_int(2, 3) + other(2); }\n",
            NULL),
        building_compiled(d, "int other(uint x) { return dot_4x8packed_us_int(x, 0xfe); }\n",
                          NULL)};
    assert_int_equal(building_result(d, building_linked(d, NULL, 2, parts)), 6 - 4);
    GOOD(clReleaseProgram(parts[0]));
    GOOD(clReleaseProgram(parts[1]));
    /* Lines are counted as in the source. */
    cl_program wrong = building_program(d, "/* dot_4x8packed_ss_int */\n\n\nwrong line;\n");
    assert_int_equal(clBuildProgram(wrong, 0, NULL, NULL, NULL, NULL),
                     CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(building_log(d, wrong), ":4:1: error"));
    GOOD(clReleaseProgram(wrong));
}

/* cl_intel_split_work_group_barrier: what items stored before they arrived is there for those
 * that have waited. */
static void split_barriers_are_there(void **state)
{
    driver *d = *state;
    static const char source[] =
        "kernel void f(global int *r)\n"
        "{\n"
        "    local int place[64];\n"
        "    int i = get_local_id(0), mine = i * 3;\n"
        "    place[i] = mine;\n"
        "    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE SCOPE);\n"
        "    mine += 1000;\n"
        "    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE SCOPE);\n"
        "    r[i] = mine + place[63 - i];\n"
        "}\n";
    static const char *const options[] = {"-DSCOPE=", "-DSCOPE= -cl-std=CL2.0",
                                          "-DSCOPE=,memory_scope_work_group -cl-std=CL3.0"};

    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        int got[64] = {0};
        cl_program program = building_built(d, source, options[i]);
        cl_kernel kernel = building_kernel(program, "f");
        cl_mem buffer = building_buffer(d, sizeof got, got);
        GOOD(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
        building_run(d, kernel, 64, 64);
        GOOD(clEnqueueReadBuffer(d->queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        for (int n = 0; n < 64; n++)
            assert_int_equal(got[n], 3 * n + 1000 + 3 * (63 - n));
        driver_release(program, (cl_kernel[]){kernel, NULL}, (cl_mem[]){buffer, NULL});
    }
}

static void aligned_halves_are_stored(void **state)
{
    driver *d = *state;
    static const char source[] = "kernel void f(global half *r)\n"
                                 "{\n"
                                 "    float4 x = (float4)(1.00048828125f, -2.5f, 0.0f, 1.0f);\n"
                                 "    vstorea_half(x.x, 0, r);\n"
                                 "    vstorea_half_rte(x.x, 1, r);\n"
                                 "    vstorea_half_rtz(x.x, 2, r);\n"
                                 "    vstorea_half_rtp(x.x, 3, r);\n"
                                 "    vstorea_half_rtn(x.x, 4, r);\n"
                                 "    vstorea_half(x.y, 5, r);\n"
                                 "    vstorea_half4(x, 2, r);\n"
                                 "}\n";
    static const cl_ushort want[12] = {0x3c00, 0x3c00, 0x3c00, 0x3c01, 0x3c00, 0xc100,
                                       0,      0,      0x3c00, 0xc100, 0,      0x3c00};
    cl_ushort got[12] = {0};
    cl_program program = building_built(d, source, NULL);
    cl_kernel kernel = building_kernel(program, "f");
    cl_mem buffer = building_buffer(d, sizeof got, got);

    GOOD(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    building_run(d, kernel, 1, 1);
    GOOD(clEnqueueReadBuffer(d->queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int n = 0; n < 12; n++)
        assert_int_equal(got[n], want[n]);
    driver_release(program, (cl_kernel[]){kernel, NULL}, (cl_mem[]){buffer, NULL});
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

    assert_int_equal(building_result(d, building_built(d, source, "-cl-std=CL3.0")), 2);
}

static void what_cannot_be_linked_is_told(void **state)
{
    driver *d = *state;
    cl_program part = building_compiled(
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
    cl_program program = building_program(d, "#include <deep/number.h>\n" BUILDING_NUMBER);
    const char *name = "deep/number.h";

    GOOD(clCompileProgram(program, 0, NULL, NULL, 1, &header, &name, NULL, NULL));
    cl_program whole = building_linked(d, NULL, 1, &program);
    GOOD(clReleaseProgram(program));
    GOOD(clReleaseProgram(header));
    assert_int_equal(building_result(d, whole), 23);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUILDING_TEST(kernels_are_those_of_all_devices),
        BUILDING_TEST(strings_are_joined),
        BUILDING_TEST(source_of_nothing_is_refused),
        BUILDING_TEST(a_program_tells_about_itself),
        BUILDING_TEST(variables_have_a_size),
        BUILDING_TEST(options_reach_the_compiler),
        BUILDING_TEST(macros_have_any_name),
        BUILDING_TEST(macros_are_as_they_were_written),
        BUILDING_TEST(every_device_builds_every_version),
        BUILDING_TEST(unknown_options_are_refused),
        BUILDING_TEST(arguments_of_builds_are_checked),
        BUILDING_TEST(errors_are_in_the_log),
        BUILDING_TEST(functions_that_are_defined_nowhere_fail),
        BUILDING_TEST(a_crash_of_the_compiler_fails_the_build),
        BUILDING_TEST(a_crash_of_the_compiler_is_told_in_its_words),
        BUILDING_TEST(a_callback_hears_of_the_end),
        BUILDING_TEST(kernels_wait_for_a_build),
        BUILDING_TEST(what_is_in_work_can_be_asked_for),
        BUILDING_TEST(a_program_needs_no_kernel),
        BUILDING_TEST(parts_are_linked),
        BUILDING_TEST(dot_products_are_there),
        BUILDING_TEST(split_barriers_are_there),
        BUILDING_TEST(aligned_halves_are_stored),
        BUILDING_TEST(features_that_are_not_there_have_no_macro),
        BUILDING_TEST(what_cannot_be_linked_is_told),
        BUILDING_TEST(headers_are_found_by_name),
    };
    int status = building_begin();

    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
