/* SPDX-License-Identifier: MIT
 *
 * What the compiler lacks of OpenCL C, put before a program's source. */
#ifndef VISAGE_OPENCL_PRELUDE_H
#define VISAGE_OPENCL_PRELUDE_H

#include <stdbool.h>

/* May a source need it? options: of the build, which can define macros. */
bool vsg_ocl_wants_prelude(const char *source, const char *options);

/* The source with what it needs, its lines numbered as before; free() it. NULL: memory is out.
 */
char *vsg_ocl_with_prelude(const char *source);

#endif
