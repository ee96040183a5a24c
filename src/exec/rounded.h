/* SPDX-License-Identifier: MIT
 *
 * Operations and conversions of floats in a rounding that is not the host's just now, for code
 * whose processor has no instructions that name their rounding. */
#ifndef VISAGE_EXEC_ROUNDED_H
#define VISAGE_EXEC_ROUNDED_H

#include "exec/program.h"

typedef enum vsg_exe_rounded {
#define ROUNDED(id, to, from, value) VSG_EXE_ROUNDED_##id,
#include "exec/rounded.def"
#undef ROUNDED
    VSG_EXE_ROUNDED_COUNT
} vsg_exe_rounded;

typedef union vsg_exe_numbers {
    float f[VSG_EXE_MAX_CHANNELS];
    double df[VSG_EXE_MAX_CHANNELS];
    int32_t d[VSG_EXE_MAX_CHANNELS];
    uint32_t ud[VSG_EXE_MAX_CHANNELS];
    int64_t q[VSG_EXE_MAX_CHANNELS];
    uint64_t uq[VSG_EXE_MAX_CHANNELS];
} vsg_exe_numbers;

/* Where compiled code puts sources and finds results. */
typedef struct vsg_exe_rounded_work {
    vsg_exe_numbers in[3], out;
} vsg_exe_rounded_work;

/* Compiled code calls it. `count` results, 1 to VSG_EXE_MAX_CHANNELS; behind them anything, of
 * whatever the sources have there: no exception is asked for. The host flushes denormals or
 * keeps them, here and afterwards, when it rounds to nearest even. */
void vsg_exe_operate_rounded(vsg_exe_rounded_work *work, uint32_t what, uint32_t rounding,
                             uint32_t flushes, uint32_t count);

typedef void vsg_exe_rounded_loop(vsg_exe_rounded_work *work, uint32_t count);

/* By vsg_exe_rounded, in the host's mode: for any host; for x86-64-v3, NULL if not compiled. */
vsg_exe_rounded_loop *const *vsg_exe_rounded_base(void);
vsg_exe_rounded_loop *const *vsg_exe_rounded_v3(void);

#endif
