/* SPDX-License-Identifier: MIT */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* _SC_LEVEL3_CACHE_SIZE */
#endif
#include "opencl/host.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* Control groups of version 2 and 1; a container sees its own at these places. */
static uint64_t group_limit(void)
{
    static const char *const files[] = {"/sys/fs/cgroup/memory.max",
                                        "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    uint64_t limit = UINT64_MAX;

    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(files[i], "re");
        uint64_t found;
        if (!file)
            continue;
        if (fscanf(file, "%" SCNu64, &found) == 1 && found < limit)
            limit = found;
        (void)fclose(file);
    }
    return limit;
}

uint64_t vsg_ocl_host_memory_bytes(void)
{
    const uint64_t least = (uint64_t)1 << 30;
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);
    uint64_t limit = group_limit();
    uint64_t bytes = pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;

    if (bytes > limit)
        bytes = limit;
    return bytes < least ? least : bytes;
}

uint64_t vsg_ocl_host_cache_bytes(void)
{
    long bytes = 0;

#if defined(_SC_LEVEL3_CACHE_SIZE)
    bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (bytes <= 0)
        bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    return bytes > 0 ? (uint64_t)bytes : 1 << 20;
}

uint32_t vsg_ocl_host_cache_line_bytes(void)
{
    long bytes = 0;

#if defined(_SC_LEVEL1_DCACHE_LINESIZE)
    bytes = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
#endif
    return bytes > 0 && bytes <= 4096 ? (uint32_t)bytes : 64;
}
