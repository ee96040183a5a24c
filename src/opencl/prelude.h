/* SPDX-License-Identifier: MIT
 *
 * What the compiler lacks of OpenCL C, and macros, put before a program's source. */
#ifndef VISAGE_OPENCL_PRELUDE_H
#define VISAGE_OPENCL_PRELUDE_H

#include "opencl/options.h"

/* The source with what it needs and what the options define before it, its lines numbered as
 * before, or as it is; *made: to be freed. NULL: memory is out. */
const char *vsg_ocl_complete(const char *source, const vsg_ocl_options *options, char **made);

#endif
