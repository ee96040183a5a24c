/* SPDX-License-Identifier: MIT
 *
 * VISAGE_TRACE=file: what the driver does and when, in the Chrome trace format, which browsers
 * (chrome://tracing) and Perfetto show. Each entry point begins with VSG_OCL_TRACED. */
#ifndef VISAGE_OPENCL_TRACE_H
#define VISAGE_OPENCL_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct vsg_ocl_span {
    const char *category, *name;
    uint64_t begin; /* nanoseconds; 0: nothing is traced */
} vsg_ocl_span;

extern atomic_bool vsg_ocl_is_traced; /* set when the platform is first asked for */

/* Opens the file that VISAGE_TRACE names, if it does. In a child of a fork: goes on in a file
 * of its own, with the process's number behind the name. */
void vsg_ocl_trace_open(void);
void vsg_ocl_trace_forked(void);

uint64_t vsg_ocl_trace_begin_slow(void);
void vsg_ocl_trace_end_slow(const vsg_ocl_span *span);
/* The same with an argument that viewers show beside it; detail: NULL, none. */
void vsg_ocl_trace_end_with(const vsg_ocl_span *span, const char *key, const char *detail);

/* category: "api", "build", "launch", "transfer". name: static. */
static inline vsg_ocl_span vsg_ocl_trace_begin(const char *category, const char *name)
{
    bool is_traced = atomic_load_explicit(&vsg_ocl_is_traced, memory_order_relaxed);

    return (vsg_ocl_span){category, name, is_traced ? vsg_ocl_trace_begin_slow() : 0};
}

static inline void vsg_ocl_trace_end(vsg_ocl_span *span)
{
    if (span->begin)
        vsg_ocl_trace_end_slow(span);
}

/* Traces the rest of the function it stands in. */
#define VSG_OCL_TRACED                                                                         \
    vsg_ocl_span traced __attribute__((cleanup(vsg_ocl_trace_end), unused)) =                  \
        vsg_ocl_trace_begin("api", __func__)

#endif
