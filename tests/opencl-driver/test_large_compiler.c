/* SPDX-License-Identifier: MIT
 *
 * What memory a build may take. */
#include "building.h"

static void a_compiler_that_needs_too_much_is_ended(void **state)
{
    driver *d = *state;
    cl_program program = building_program(d, BUILDING_NUMBER);

    assert_int_equal(clBuildProgram(program, 0, NULL, "-DNUMBER=8", NULL, NULL),
                     CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(building_log(d, program), "more than 32 MiB"));
    GOOD(clReleaseProgram(program));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUILDING_TEST(a_compiler_that_needs_too_much_is_ended),
    };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 77; /* there is no limit */
#endif
    /* Read once, by the first that asks for a platform. */
    if (setenv("VISAGE_COMPILER_MEMORY", "32", 1) != 0)
        return 1;
    int status = building_begin();
    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
