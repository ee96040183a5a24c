/* SPDX-License-Identifier: MIT
 *
 * The loops of rounded.def, which exec_rounded.c and exec_rounded_v3.c compile for two
 * instruction sets. */
#include <math.h>

#include "exec/rounded.h"

/* Compilers make vectors of a number of lanes that they know. */
enum { ROUNDED_LANES = 8 };

#define ROUNDED(id, to, from, value)                                                           \
    static inline void lane_##id(vsg_exe_rounded_work *work, uint32_t i)                       \
    {                                                                                          \
        __typeof__(work->in[0].from[0]) a = work->in[0].from[i];                               \
        __typeof__(a) b = work->in[1].from[i], c = work->in[2].from[i];                        \
        (void)b;                                                                               \
        (void)c;                                                                               \
        work->out.to[i] = value;                                                               \
    }                                                                                          \
    static void loop_##id(vsg_exe_rounded_work *work, uint32_t count)                          \
    {                                                                                          \
        if (count == 1) {                                                                      \
            lane_##id(work, 0);                                                                \
            return;                                                                            \
        }                                                                                      \
        for (uint32_t first = 0; first < count; first += ROUNDED_LANES)                        \
            for (uint32_t i = 0; i < ROUNDED_LANES; i++)                                       \
                lane_##id(work, first + i);                                                    \
    }
#include "exec/rounded.def"
#undef ROUNDED

static vsg_exe_rounded_loop *const rounded_loops[VSG_EXE_ROUNDED_COUNT] = {
#define ROUNDED(id, to, from, value) [VSG_EXE_ROUNDED_##id] = loop_##id,
#include "exec/rounded.def"
#undef ROUNDED
};
