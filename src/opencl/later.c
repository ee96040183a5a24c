/* SPDX-License-Identifier: MIT
 *
 * Entry points that are not written yet. */
#include "opencl/api.h"

cl_int vsg_ocl_later(void);
__attribute__((used)) cl_int vsg_ocl_later(void)
{
    return CL_INVALID_OPERATION;
}

#define LATER(name)        __asm__(".weak " #name "\n.set " #name ", vsg_ocl_later\n");
#define CL(name)           LATER(name)
#define CL_EXTENSION(name) LATER(name)
#include "opencl/cl.def"
