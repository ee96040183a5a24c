/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

_Noreturn void fail(const char *what, const char *more)
{
    fprintf(stderr, "bench: %s: %s\n", what, more);
    exit(1);
}

char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rbe");
    long end = -1;

    if (file && fseek(file, 0, SEEK_END) == 0)
        end = ftell(file);
    char *data = end < 0 ? NULL : calloc((size_t)end + 1, 1);
    if (!file || !data)
        fail(path, strerror(errno));
    rewind(file);
    if (fread(data, 1, (size_t)end, file) != (size_t)end)
        fail(path, "cannot be read");
    (void)fclose(file);
    *size = (size_t)end;
    return data;
}

double seconds(clockid_t id)
{
    struct timespec at;

    (void)clock_gettime(id, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

/* What a thread does that is running elsewhere is in the clock of the process only from its
 * next tick on, or once it waits. A driver whose threads are on their way to sleep when a
 * launch is done would have up to some milliseconds for nothing, so all get the time to arrive
 * there. */
double processor_time(void)
{
    const struct timespec a_moment = {.tv_nsec = 300000};
    struct rusage children;

    (void)nanosleep(&a_moment, NULL);
    (void)getrusage(RUSAGE_CHILDREN, &children);
    return seconds(CLOCK_PROCESS_CPUTIME_ID) +
           (double)(children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
           (double)(children.ru_utime.tv_usec + children.ru_stime.tv_usec) * 1e-6;
}
