/* SPDX-License-Identifier: MIT
 *
 * What there is of the engine with LLVM and without. */
#include <stdlib.h>

#include "jit/jit.h"
#include "jit/target.h"

static const struct {
    const char *text;
    bool lasts;
} reasons[VSG_JIT_REASON_COUNT] = {
#define REASON(id, lasts, text) [VSG_JIT_REASON_##id] = {text, lasts},
#include "jit/reasons.def"
#undef REASON
};

const char *vsg_jit_reason_text(vsg_jit_reason reason)
{
    return reasons[reason].text;
}

bool vsg_jit_reason_lasts(vsg_jit_reason reason)
{
    return reasons[reason].lasts;
}

bool vsg_jit_choose_level(visage_cpu asked, visage_cpu *out)
{
    const char *wanted = getenv("VISAGE_CPU");

    *out = asked == VISAGE_CPU_DEFAULT ? VISAGE_CPU_NATIVE : asked;
    if (asked == VISAGE_CPU_DEFAULT && wanted && wanted[0] && !vsg_jit_level_find(wanted, out))
        return false;
    return vsg_jit_level_runs(*out);
}
