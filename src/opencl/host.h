/* SPDX-License-Identifier: MIT
 *
 * What the host has, as devices report it. */
#ifndef VISAGE_OPENCL_HOST_H
#define VISAGE_OPENCL_HOST_H

#include <stdint.h>

/* Memory this process may use: the machine's, or its control group's where that is less. */
uint64_t vsg_ocl_host_memory_bytes(void);
/* The largest cache, and a line of it. */
uint64_t vsg_ocl_host_cache_bytes(void);
uint32_t vsg_ocl_host_cache_line_bytes(void);

#endif
