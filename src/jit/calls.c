/* SPDX-License-Identifier: MIT */
#include "jit/calls.h"

#include <math.h>
#include <string.h>

#include "exec/fpmode.h"
#include "exec/handlers.h"

/* Of the compiler's own library; their types have halves, which C11 has no name for. */
void __extendhfsf2(void);
void __truncdfhf2(void);
void __truncsfhf2(void);

/* Compiled code computes to nearest even with denormals, whatever a handler left behind. */
vsg_exe_stop vsg_jit_run_handler(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t cr0;

    memcpy(&cr0, thread->shared + vsg_exe_shared_at(VSG_ISA_VAR_CR0), sizeof cr0);
    if (cr0 != thread->mode) /* compiled code has written it */
        vsg_exe_mode_changed(thread);
    if (inst->refresh)
        vsg_exe_refresh(thread, inst);
    inst->handler(thread, inst);
    if (inst->writes_mode)
        vsg_exe_mode_changed(thread);
    vsg_exe_host_want(thread, VSG_EXE_RNE, false);
    return thread->stop;
}

vsg_exe_stop vsg_jit_lose_flow(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_FLOW, -1, 0, 0);
    return thread->stop;
}

vsg_jit_function vsg_jit_find_function(const char *name)
{
    static const struct {
        const char *name;
        vsg_jit_function function;
    } functions[] = {
#define CALL(function) {#function, (vsg_jit_function)function},
#define HOST(function) {#function, (vsg_jit_function)function},
#include "jit/calls.def"
#undef CALL
#undef HOST
    };

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    return NULL;
}
