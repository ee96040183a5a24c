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
                             uint32_t flushes, uint32_t count)
{
    vsg_exe_rounded_loop *loop = best()[what];

    vsg_exe_host_use(vsg_exe_host_mode(rounding, flushes != 0));
    loop(work, count);
    vsg_exe_host_use(vsg_exe_host_mode(VSG_EXE_RNE, flushes != 0));
}
