/* SPDX-License-Identifier: MIT
 *
 * Limits that are reported to programs and kept by the functions that make objects. */
#ifndef VISAGE_OPENCL_LIMITS_H
#define VISAGE_OPENCL_LIMITS_H

#include "opencl/api.h"

enum {
    VSG_OCL_IMAGE_ARGS = 128,
    VSG_OCL_IMAGE_SIDE = 16384, /* texels of one and two-dimensional images */
    VSG_OCL_IMAGE_DEPTH = 2048, /* texels of three-dimensional ones, along every axis */
    VSG_OCL_IMAGE_LAYERS = 2048,
    VSG_OCL_IMAGE_TEXELS = 1 << 27, /* of an image of a buffer */
    VSG_OCL_PITCH_ALIGNMENT = 4,    /* texels, of images of buffers */
    VSG_OCL_PIPE_ARGS = 16,
    VSG_OCL_PACKET_BYTES = 1024, /* of a pipe */
    VSG_OCL_BASE_ALIGNMENT = 128 /* bytes: of buffers, and of where a part of one begins */
};

/* Intel's flag for more than CL_DEVICE_MAX_MEM_ALLOC_SIZE, which the headers do not have.
 * Source: intel/compute-runtime, programmers-guide/ALLOCATIONS_GREATER_THAN_4GB.md. */
#define VSG_OCL_UNRESTRICTED_SIZE ((cl_bitfield)1 << 23)
/* The property of unified shared memory that it may stand in, likewise. */
#define VSG_OCL_USM_MEMORY_FLAGS ((cl_ulong)0x10001)

/* Bytes of one memory object, without that flag and with it. */
cl_ulong vsg_ocl_max_allocation(void);
cl_ulong vsg_ocl_most_bytes(cl_bitfield flags);

#endif
