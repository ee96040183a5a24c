/* SPDX-License-Identifier: MIT
 *
 * What programs that measure share, whatever they measure. */
#ifndef VISAGE_BENCH_TOOL_H
#define VISAGE_BENCH_TOOL_H

#include <stddef.h>
#include <time.h>

/* Ends the program with a message. */
_Noreturn void fail(const char *what, const char *more);
/* A file as a whole, with a NUL behind it; free with free(). */
char *read_file(const char *path, size_t *size);

/* Of a clock. */
double seconds(clockid_t id);
/* Seconds of user and system time of this process, all its threads and the processes it has
 * waited for. Waits a moment first, see there. */
double processor_time(void);

#endif
