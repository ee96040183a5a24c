/* SPDX-License-Identifier: MIT
 *
 * The quick handlers for x86-64-v3: compiled with -mavx2 -mfma, and used where the host has
 * both. */
#include "exec/quick.h"

#if defined(VSG_EXE_HAVE_V3)

#define VSG_EXE_QUICK_TABLE vsg_exe_quick_v3
#include "exec/quick_ops.h"

#else

typedef int vsg_exe_no_quick_v3; /* C wants a declaration */

#endif
