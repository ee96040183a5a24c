/* SPDX-License-Identifier: MIT
 *
 * A text of smith.h on both engines, through the public interface.
 *
 * How a text is launched stands in its comments, as the command line that does it: platform,
 * level of the processor, whether code is made quickly, -g, -l, arguments; `// floats TYPE at
 * BYTE, BYTES bytes` tells where, in what a thread leaves, any NaN is as good as another. */
#ifndef VISAGE_TESTS_SMITH_MACHINE_H
#define VISAGE_TESTS_SMITH_MACHINE_H

#include "visage/visage.h"

enum { SMITH_INPUTS = 2 }; /* launches of a program, each with other contents of memory */

typedef struct smith_machine {
    visage_context *context;
    visage_diagnostics *diagnostics;
    /* NULL: not needed yet */
    visage_device *devices[VISAGE_CPU_COUNT][2][VISAGE_PLATFORM_COUNT];
    uint64_t compiled, called; /* instructions of all programs */
    uint64_t programs, faulted, stopped;
    uint64_t nanoseconds; /* of compiling */
} smith_machine;

typedef enum smith_verdict {
    SMITH_SAME,
    SMITH_REFUSED, /* the program is none for the machine */
    SMITH_DIFFERENT
} smith_verdict;

typedef struct smith_result {
    smith_verdict verdict;
    char kind[32];     /* the kind of difference, or the code of what refused it */
    char message[512]; /* in words */
} smith_result;

bool smith_open(smith_machine *machine);
void smith_close(smith_machine *machine);
void smith_run(smith_machine *machine, const char *text, smith_result *result);
/* The same in another process, whose crash is a difference, too. */
void smith_run_apart(const char *text, smith_result *result);

#endif
