/* SPDX-License-Identifier: MIT
 *
 * Images and samplers of the rows, made for both sides. */
#ifndef VISAGE_TESTS_COMPARE_IMAGES_H
#define VISAGE_TESTS_COMPARE_IMAGES_H

#include <CL/cl.h>

#include "compare.h"
#include "visage/visage.h"

cl_int set_reference_sampler(cl_context context, cl_kernel kernel, cl_uint index,
                             const sampler_arg *sampler);
cl_mem make_reference_image(cl_context context, const arg *a, cl_int *error);
/* Into a->host. */
cl_int read_reference_image(cl_command_queue queue, cl_mem image, arg *a);

visage_status set_sampler(visage_context *context, visage_launch *launch, size_t index,
                          const sampler_arg *sampler, visage_diagnostics *diagnostics);
visage_status set_image(visage_launch *launch, size_t index, visage_buffer *buffer,
                        const image_arg *image, visage_diagnostics *diagnostics);

#endif
