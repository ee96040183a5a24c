/* SPDX-License-Identifier: MIT
 *
 * MOVS in every execution size and mask: from a variable to surfaces and samplers, whole and
 * some channels of it, and back. Element i belongs to channel i of the instruction, whatever
 * its mask; "contiguous elements will be copied ... starting from their respective starting
 * offsets" (MOVS, Notes). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "run_text.h"

enum { MASKS = 16, NO_MASK = 8, DISPATCHED = 0x5ff00f3b };
enum { A, B, C };

/* All of A to the states, some of B; some states to C, then all to A. The part begins at
 * element `first` of each. */
static const char text[] = ".version 4.1\n.kernel \"k\"\n"
                           ".decl A v_type=G type=ud num_elts=32 align=wordx32\n"
                           ".decl B v_type=G type=ud num_elts=32 align=wordx32\n"
                           ".decl C v_type=G type=ud num_elts=32 align=wordx32\n"
                           ".decl %c6 v_type=%c num_elts=32\n"
                           ".kernel_attr SimdSize=32\n.function \"main\"\nmain:\n"
                           "    movs (M1_NM, 32) %c6(0) A(0,0)<1;1,0>\n"
                           "    movs (%s) %c6(%u) B(%u,%u)<%s>\n"
                           "    movs (%s) C(%u,%u)<1> %c6(%u)\n"
                           "    movs (M1_NM, 32) A(0,0)<1> %c6(0)\n    ret (M1_NM, 1)\n";

static void check(char class_, uint32_t exec_size, uint32_t mask, uint32_t first)
{
    enum { GRF_ELEMENTS = 16 };
    uint32_t at = mask % NO_MASK * 4, row = first / GRF_ELEMENTS, column = first % GRF_ELEMENTS;
    uint32_t values[RUN_VARIABLES][RUN_CHANNELS], want[RUN_VARIABLES][RUN_CHANNELS];
    char kernel[2000], channels[20];

    for (uint32_t i = 0; i < RUN_CHANNELS; i++)
        for (uint32_t v = 0; v < RUN_VARIABLES; v++)
            want[v][i] = values[v][i] = 100 * (v + 1) + i;
    for (uint32_t i = 0; i < exec_size; i++)
        if (mask >= NO_MASK || (uint32_t)DISPATCHED >> (at + i) & 1)
            want[A][first + i] = want[C][first + i] = values[B][first + i];
    (void)snprintf(channels, sizeof channels, "M%u%s, %u", mask % NO_MASK + 1,
                   mask >= NO_MASK ? "_NM" : "", exec_size);
    (void)snprintf(kernel, sizeof kernel, text, class_, class_, class_, channels, class_, first,
                   row, column, exec_size > 1 ? "1;1,0" : "0;1,0", channels, row, column,
                   class_, first, class_);
    run_text(kernel, DISPATCHED, values);
    if (memcmp(values, want, sizeof want) != 0)
        fail_msg("not as expected\n%s", kernel);
}

static void every_form(void **state)
{
    (void)state;
    for (uint32_t exec_size = 1; exec_size <= RUN_CHANNELS; exec_size *= 2)
        for (uint32_t mask = 0; mask < MASKS; mask++) {
            if (mask % NO_MASK * 4 % exec_size)
                continue;
            check('T', exec_size, mask, RUN_CHANNELS - exec_size);
            check('S', exec_size, mask, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
