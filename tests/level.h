/* SPDX-License-Identifier: MIT
 *
 * For tests that run once for each level of $VISAGE_CPU: not every processor has them all. */
#ifndef VISAGE_TESTS_LEVEL_H
#define VISAGE_TESTS_LEVEL_H

#include <stdio.h>
#include <stdlib.h>

#include "visage/visage.h"

/* Does this processor lack the level that is to be tested? Says so. */
static inline bool lacks_level(void)
{
    const char *wanted = getenv("VISAGE_CPU");
    visage_cpu level;

    if (!wanted || !visage_cpu_find(wanted, &level) || visage_cpu_runs(level))
        return false;
    printf("this processor has no %s\n", wanted);
    return true;
}

#endif
