/* SPDX-License-Identifier: MIT
 *
 * Images: their formats, and boxes of texels as boxes of bytes. */
#ifndef VISAGE_OPENCL_IMAGE_H
#define VISAGE_OPENCL_IMAGE_H

#include "opencl/transfer.h"

/* What kernels may do with images of a format, formats.def. */
typedef enum vsg_ocl_format_use {
    VSG_OCL_FORMAT_READ = 1,
    VSG_OCL_FORMAT_WRITE = 2,
    VSG_OCL_FORMAT_BOTH = 4,
    VSG_OCL_FORMAT_ANY = 7,
    VSG_OCL_FORMAT_FLAT = 8 /* of two-dimensional images and arrays of them only */
} vsg_ocl_format_use;

/* Finds a format for a type of image and memory flags: CL_SUCCESS,
 * CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_IMAGE_FORMAT_NOT_SUPPORTED. */
cl_int vsg_ocl_format_find(const cl_image_format *format, cl_mem_object_type type,
                           cl_mem_flags flags, vsg_ocl_format *out);

static inline size_t vsg_ocl_format_bytes(const vsg_ocl_format *format)
{
    return (size_t)format->num_channels * format->channel_bytes;
}

enum { VSG_OCL_MOST_TEXEL = 16 };

/* A texel of a colour, as clEnqueueFillImage() takes it: four floats, or integers with or
 * without sign, by the format's type; of a depth one float. */
void vsg_ocl_format_pack(const vsg_ocl_format *format, const void *colour,
                         uint8_t texel[VSG_OCL_MOST_TEXEL]);

/* A part of an image: bytes of a row, rows, slices. The layers of arrays of two-dimensional
 * images count as slices, those of arrays of one-dimensional ones as rows. */
typedef struct vsg_ocl_box {
    size_t x, y, z; /* where it begins */
    size_t width, rows, slices;
} vsg_ocl_box;

/* Does the image have a slice pitch? */
bool vsg_ocl_image_is_layered(cl_mem_object_type type);

/* Checks origin and region, in texels, against the image: CL_INVALID_VALUE. */
cl_int vsg_ocl_image_box(cl_mem image, const size_t *origin, const size_t *region,
                         vsg_ocl_box *box);
/* Where a box lies in the contents, and in the application's memory (CL_MEM_USE_HOST_PTR). */
vsg_ocl_side vsg_ocl_image_side(cl_mem image, const vsg_ocl_box *box);
vsg_ocl_side vsg_ocl_image_host_side(cl_mem image, const vsg_ocl_box *box);

#endif
