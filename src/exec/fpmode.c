/* SPDX-License-Identifier: MIT */
#include "exec/fpmode.h"

#if VSG_EXE_HOST_FLUSHES

#include <xmmintrin.h>

uint32_t vsg_exe_host_save(void)
{
    return _mm_getcsr();
}

void vsg_exe_host_restore(uint32_t state)
{
    _mm_setcsr(state);
}

void vsg_exe_host_use(uint32_t mode)
{
    _mm_setcsr(mode);
}

#else

#include <fenv.h>

uint32_t vsg_exe_host_save(void)
{
    return (uint32_t)fegetround();
}

void vsg_exe_host_restore(uint32_t state)
{
    (void)fesetround((int)state);
}

/* By the rounding in vsg_exe_host_mode(). */
static const int roundings[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};

void vsg_exe_host_use(uint32_t mode)
{
    (void)fesetround(roundings[mode >> 13 & 3]);
}

#endif

void vsg_exe_host_set(vsg_exe_thread *thread, uint32_t mode)
{
    vsg_exe_host_use(mode);
    thread->host_mode = mode;
}

void vsg_exe_host_enter(vsg_exe_thread *thread)
{
    vsg_exe_host_set(thread, vsg_exe_host_mode(VSG_EXE_RNE, false));
}
