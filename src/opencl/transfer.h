/* SPDX-License-Identifier: MIT
 *
 * Copies of boxes of bytes: what reading, writing and copying buffers and images come down to.
 */
#ifndef VISAGE_OPENCL_TRANSFER_H
#define VISAGE_OPENCL_TRANSFER_H

#include "opencl/memory.h"

/* One side: where the box begins, and how far its rows and slices are apart. */
typedef struct vsg_ocl_side {
    uint8_t *data;
    size_t row_pitch, slice_pitch;
    cl_mem memory; /* what `data` is in; NULL: the application's memory */
} vsg_ocl_side;

typedef struct vsg_ocl_copy {
    vsg_ocl_side from, to;
    size_t width, rows, slices; /* of bytes, rows, slices; none may be 0 */
} vsg_ocl_copy;

/* Enqueues a copy. Memory objects are held until it is done. */
cl_int vsg_ocl_enqueue_copy(const vsg_ocl_request *request, cl_bool blocking,
                            const vsg_ocl_copy *copy);
/* Does it now. */
void vsg_ocl_copy_now(const vsg_ocl_copy *copy);

enum { VSG_OCL_MOST_PATTERN = 128 };

/* Fills `size_bytes` at `to` with a pattern, whose size divides them. memory: held; or NULL. */
typedef struct vsg_ocl_fill {
    uint8_t *to;
    size_t size_bytes, pattern_bytes;
    cl_mem memory;
    uint8_t pattern[VSG_OCL_MOST_PATTERN];
} vsg_ocl_fill;

cl_int vsg_ocl_enqueue_fill(const vsg_ocl_request *request, const vsg_ocl_fill *fill);

/* Is it a power of two that a pattern may have? */
bool vsg_ocl_is_pattern(size_t size_bytes);

/* Enqueues a command that does nothing but wait (marker.c). */
cl_int vsg_ocl_enqueue_nothing(const vsg_ocl_request *request, bool is_barrier,
                               bool waits_for_all);
cl_int vsg_ocl_enqueue_wait(const vsg_ocl_request *request, cl_bool blocking);

/* Between pointers of any kind (svm.c). Each checks the request and what else there is. */
cl_int vsg_ocl_enqueue_memcpy(const vsg_ocl_request *request, cl_bool blocking, void *to,
                              const void *from, size_t size);
cl_int vsg_ocl_enqueue_memfill(const vsg_ocl_request *request, void *to, const void *pattern,
                               size_t pattern_size, size_t size);

/* Checks the request, and that `memory` is one of the queue's context. */
cl_int vsg_ocl_check_access(const vsg_ocl_request *request, cl_mem memory);

#endif
