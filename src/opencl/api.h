/* SPDX-License-Identifier: MIT
 *
 * The OpenCL headers, as every file of the driver needs them: version 3.0 with all that older
 * programs call, and the loader's table of functions. */
#ifndef VISAGE_OPENCL_API_H
#define VISAGE_OPENCL_API_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

/* Of symbols that loaders look for; all others are hidden. */
#define VSG_OCL_EXPORT __attribute__((visibility("default")))

/* The one function of cl_intel_unified_shared_memory's drafts that the headers leave out. */
cl_int clEnqueueMemsetINTEL(cl_command_queue queue, void *dst_ptr, cl_int value, size_t size,
                            cl_uint num_events, const cl_event *wait_list, cl_event *event);

#endif
