/* SPDX-License-Identifier: MIT */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity() */
#endif
#include "base/processor.h"

#include <sched.h>
#include <unistd.h>

uint32_t vsg_base_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);

#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = CPU_COUNT(&set);
#endif
    return count < 1 ? 1 : count > 1024 ? 1024 : (uint32_t)count;
}

void vsg_base_processors_open(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(getpid(), sizeof set, &set) == 0)
        (void)sched_setaffinity(0, sizeof set, &set);
#endif
}
