/* SPDX-License-Identifier: MIT
 *
 * The quick handlers compiled for x86-64-v3. The build gives this file -mavx2 -mfma where it
 * can; nothing of it but the function below runs on a host without them. */
#include "exec/quick.h"

#if defined(__AVX2__) && defined(__FMA__)

#include "exec/quick_ops.h"

const vsg_exe_quick_table *vsg_exe_quick_v3(void)
{
    return &quick_table;
}

#else

#include <stddef.h>

const vsg_exe_quick_table *vsg_exe_quick_v3(void)
{
    return NULL;
}

#endif
