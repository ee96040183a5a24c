/* SPDX-License-Identifier: MIT
 *
 * The steps of building: source to code, source to SPIR-V, SPIR-V to code. What was made once
 * is kept on disk (base/store.h) and found again by everything it was made from. */
#ifndef VISAGE_OPENCL_MAKING_H
#define VISAGE_OPENCL_MAKING_H

#include "opencl/compiler.h"
#include "opencl/options.h"

/* Code for the device, a zebin, of OpenCL C. source: ends with a NUL. */
vsg_ocl_compiled vsg_ocl_make_of_source(cl_device_id device, const vsg_ocl_options *options,
                                        const char *source, vsg_ocl_output *out);

/* SPIR-V of OpenCL C with headers that are found by their names. */
vsg_ocl_compiled vsg_ocl_make_spirv(cl_device_id device, const vsg_ocl_options *options,
                                    const char *source, const vsg_ocl_file *headers,
                                    size_t num_headers, vsg_ocl_output *out);

/* Code of SPIR-V modules together, at least one; their names are not looked at. options: as
 * vsg_ocl_generator_options() gives them. */
vsg_ocl_compiled vsg_ocl_make_of_spirv(cl_device_id device, const char *options,
                                       const vsg_ocl_file *modules, size_t num_modules,
                                       vsg_ocl_output *out);

#endif
