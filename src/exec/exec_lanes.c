/* SPDX-License-Identifier: MIT
 *
 * Loops over addresses, for any host. */
#include <stddef.h>

#include "exec/lanes.h"

#include "exec/lanes_ops.h"

const vsg_exe_lanes *vsg_exe_lanes_base(void)
{
    return &lanes;
}

const vsg_exe_lanes *vsg_exe_lanes_best(void)
{
#if defined(__x86_64__)
    const vsg_exe_lanes *v3 = vsg_exe_lanes_v3();
    if (v3 && __builtin_cpu_supports("avx2"))
        return v3;
#endif
    return vsg_exe_lanes_base();
}
