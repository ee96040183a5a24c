/* SPDX-License-Identifier: MIT
 *
 * In place of the engine where LLVM is missing at configure time. */
#include "jit/jit.h"

bool vsg_jit_available(void)
{
    return false;
}

vsg_jit_program *vsg_jit_create(const vsg_base_alloc *alloc, const vsg_exe_program *program)
{
    (void)alloc;
    (void)program;
    return NULL;
}

void vsg_jit_free(vsg_jit_program **jit)
{
    (void)jit;
}

vsg_jit_run vsg_jit_find(vsg_jit_program *jit, uint32_t unit, vsg_jit_stats *stats)
{
    (void)jit;
    (void)unit;
    (void)stats;
    return NULL;
}

vsg_exe_stop vsg_jit_enter(vsg_jit_run run, vsg_exe_thread *thread)
{
    (void)run;
    return vsg_exe_run(thread);
}
