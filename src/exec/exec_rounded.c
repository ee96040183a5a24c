/* SPDX-License-Identifier: MIT */
#include "exec/rounded.h"

#include "exec/fpmode.h"
#include "exec/rounded_ops.h"

vsg_exe_rounded_loop *const *vsg_exe_rounded_base(void)
{
    return rounded_loops;
}

static vsg_exe_rounded_loop *const *best(void)
{
#if defined(__x86_64__)
    vsg_exe_rounded_loop *const *v3 = vsg_exe_rounded_v3();
    if (v3 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return v3;
#endif
    return vsg_exe_rounded_base();
}

void vsg_exe_operate_rounded(vsg_exe_rounded_work *work, uint32_t what, uint32_t rounding,
                             uint32_t count)
{
    vsg_exe_rounded_loop *loop = best()[what];
    uint32_t host = vsg_exe_host_save();

    vsg_exe_host_restore(vsg_exe_host_rounded(host, rounding));
    loop(work, count);
    vsg_exe_host_restore(host);
}
