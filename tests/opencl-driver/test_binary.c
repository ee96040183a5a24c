/* SPDX-License-Identifier: MIT
 *
 * Programs from SPIR-V and binaries, and those that become binaries. */
#define _GNU_SOURCE /* memmem() */
#include "building.h"
#include "constants_spirv.h"

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
    cl_program first = building_built(d, BUILDING_NUMBER, "-DNUMBER=31");
    cl_program object = building_compiled(d, BUILDING_NUMBER, "-DNUMBER=32");
    size_t size, object_size;
    unsigned char *binary = binary_of(first, &size);
    unsigned char *part = binary_of(object, &object_size);
    cl_program program = of_binary(d, binary, size);

    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(building_result(d, program), 31);
    program = of_binary(d, part, object_size);
    assert_int_equal(building_type(d, program), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    cl_program whole = building_linked(d, NULL, 1, &program);
    GOOD(clReleaseProgram(program));
    assert_int_equal(building_result(d, whole), 32);
    program = of_binary(d, part, object_size);
    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(building_result(d, program), 32);
    free(binary);
    free(part);
    GOOD(clReleaseProgram(first));
    GOOD(clReleaseProgram(object));
}

/* Runs 10 work-items in groups of 4, and releases the program. */
static cl_int uneven_status(const driver *d, cl_program program)
{
    const size_t global = 10, local = 4;
    cl_kernel kernel = building_kernel(program, "f");
    cl_mem memory = building_buffer(d, 4, NULL);

    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    cl_int status =
        clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    GOOD(clFinish(d->queue));
    driver_release(program, (cl_kernel[]){kernel, NULL}, (cl_mem[]){memory, NULL});
    return status;
}

/* Whether groups have one size goes by the source, whichever way a program takes from there. */
static void groups_of_one_size_stay_so(void **state)
{
    static const struct {
        const char *options;
        cl_int status;
    } cases[] = {
        {"-DNUMBER=1", CL_INVALID_WORK_GROUP_SIZE},
        {"-DNUMBER=1 -cl-std=CL2.0", CL_SUCCESS},
        {"-DNUMBER=1 -cl-std=CL3.0 -cl-uniform-work-group-size", CL_INVALID_WORK_GROUP_SIZE},
    };
    driver *d = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cl_program program = building_built(d, BUILDING_NUMBER, cases[i].options);
        cl_program object = building_compiled(d, BUILDING_NUMBER, cases[i].options);
        size_t size, object_size;
        unsigned char *binary = binary_of(program, &size);
        unsigned char *part = binary_of(object, &object_size);
        assert_int_equal(uneven_status(d, program), cases[i].status);
        assert_int_equal(uneven_status(d, building_linked(d, NULL, 1, &object)),
                         cases[i].status);
        GOOD(clReleaseProgram(object));
        program = of_binary(d, binary, size);
        GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
        assert_int_equal(uneven_status(d, program), cases[i].status);
        program = of_binary(d, part, object_size);
        GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
        assert_int_equal(uneven_status(d, program), cases[i].status);
        free(binary);
        free(part);
    }
}

static void broken_binaries_are_refused(void **state)
{
    driver *d = *state;
    cl_program first = building_built(d, BUILDING_NUMBER, "-DNUMBER=31");
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
    assert_int_equal(building_result(d, program), 1234);
    program = clCreateProgramWithIL(d->context, module_words, sizeof module_words, &status);
    assert_int_equal(clSetProgramSpecializationConstant(program, 8, 4, &number),
                     CL_INVALID_SPEC_ID);
    assert_int_equal(clSetProgramSpecializationConstant(program, 7, 8, &number),
                     CL_INVALID_VALUE);
    GOOD(clSetProgramSpecializationConstant(program, 7, 4, &number));
    GOOD(clSetProgramSpecializationConstant(program, 9, 1, &yes));
    GOOD(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(building_result(d, program), 1077);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUILDING_TEST(binaries_are_read_again),
        BUILDING_TEST(groups_of_one_size_stay_so),
        BUILDING_TEST(broken_binaries_are_refused),
        BUILDING_TEST(kernels_that_are_illegal_are_refused_when_made),
        BUILDING_TEST(spirv_is_built_with_its_constants),
        BUILDING_TEST(constants_are_of_all_types),
    };
    int status = building_begin();

    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
