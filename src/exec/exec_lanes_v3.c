/* SPDX-License-Identifier: MIT
 *
 * Loops over addresses compiled for x86-64-v3, as exec_quick_v3.c. */
#include "exec/lanes.h"

#if defined(__AVX2__)

#include "exec/lanes_ops.h"

const vsg_exe_lanes *vsg_exe_lanes_v3(void)
{
    return &lanes;
}

#else

#include <stddef.h>

const vsg_exe_lanes *vsg_exe_lanes_v3(void)
{
    return NULL;
}

#endif
