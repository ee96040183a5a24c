/* SPDX-License-Identifier: MIT
 *
 * Operations in a rounding of their own compiled for x86-64-v3, as exec_quick_v3.c. */
#include "exec/rounded.h"

#if defined(__AVX2__) && defined(__FMA__)

#include "exec/rounded_ops.h"

vsg_exe_rounded_loop *const *vsg_exe_rounded_v3(void)
{
    return rounded_loops;
}

#else

#include <stddef.h>

vsg_exe_rounded_loop *const *vsg_exe_rounded_v3(void)
{
    return NULL;
}

#endif
