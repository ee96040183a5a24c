/* SPDX-License-Identifier: MIT
 *
 * In place of the engine where LLVM is missing at configure time. */
#include "jit/jit.h"

bool vsg_jit_available(void)
{
    return false;
}

vsg_jit_program *vsg_jit_create(const vsg_base_alloc *alloc, const vsg_exe_program *program,
                                const vsg_jit_options *options)
{
    (void)alloc;
    (void)program;
    (void)options;
    return NULL;
}

void vsg_jit_free(vsg_jit_program **jit)
{
    (void)jit;
}

vsg_jit_code vsg_jit_find(vsg_jit_program *jit, const vsg_jit_request *request,
                          vsg_jit_stats *stats)
{
    (void)jit;
    (void)request;
    (void)stats;
    return (vsg_jit_code){0};
}

vsg_jit_code vsg_jit_try(vsg_jit_program *jit, const vsg_jit_request *request, uint64_t spent,
                         uint64_t ahead, vsg_jit_stats *stats)
{
    (void)spent;
    (void)ahead;
    return vsg_jit_find(jit, request, stats);
}

visage_status vsg_jit_show(const vsg_base_alloc *alloc, const vsg_exe_program *program,
                           const vsg_jit_sight *sight, vsg_jit_stats *stats, vsg_jit_bytes *out)
{
    (void)alloc;
    (void)program;
    (void)sight;
    *stats = (vsg_jit_stats){.reason = VSG_JIT_REASON_NO_LLVM};
    *out = (vsg_jit_bytes){0};
    return VISAGE_UNSUPPORTED;
}

uint32_t vsg_jit_enter(const vsg_jit_code *code, vsg_jit_batch *batch)
{
    return (vsg_exe_stop)code->run(batch);
}
