/* SPDX-License-Identifier: MIT
 *
 * Running a thread in check mode, and what its steps find. */
#include "exec/check_shadow.h"
#include "exec/coverage.h"

void vsg_exe_check_report(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          vsg_exe_finding *finding, uint32_t channels)
{
    const vsg_exe_check *check = thread->check->check;
    bool is_scalar = inst->exec_size == 1 && inst->no_mask;

    finding->unit = thread->frame->unit;
    finding->inst = inst->source;
    finding->channels = is_scalar ? 0 : channels << inst->mask_offset;
    check->report(check->user, thread, finding);
}

void vsg_exe_check_unwritten(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                             uint32_t channels, const char *what)
{
    vsg_exe_finding finding = {.diag = VSG_DIAG_CHECK_UNWRITTEN, .what = what};

    vsg_exe_check_report(thread, inst, &finding, channels);
}

void vsg_exe_step_nothing(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_step *step)
{
    (void)step;
    inst->handler(thread, inst);
}

/* ---- starting --------------------------------------------------------------------------- */

/* The thread's own part is as if nobody had ever used it; what the runtime has put at its end
 * is there. */
static void forget(const vsg_exe_thread *thread, const vsg_exe_parts *parts,
                   uint64_t written_bytes)
{
    const vsg_exe_check *check = thread->check->check;
    uint64_t at = parts->address + thread->hw_id * parts->part_bytes;

    if (parts->size_bytes == 0 || parts->part_bytes <= written_bytes)
        return;
    memset(check->shadow + (at - (uint64_t)(uintptr_t)thread->launch->space.base), 0xff,
           (size_t)(parts->part_bytes - written_bytes));
}

bool vsg_exe_check_start(vsg_exe_thread *thread, const vsg_exe_check *check, uint64_t group,
                         uint32_t number)
{
    if (!thread->check)
        thread->check = vsg_base_new(thread->alloc, 1, sizeof *thread->check);
    if (!thread->check)
        return false;
    thread->check->check = check;
    thread->check->group = group;
    thread->check->number = number;
    if (thread->check->serial != check->serial) {
        memset(thread->check->ranges, 0, sizeof thread->check->ranges);
        thread->check->serial = check->serial;
    }
    if (!vsg_exe_shadow_push(thread))
        return false;
    forget(thread, &check->scratch, check->written_bytes);
    forget(thread, &check->private_memory, 0);
    return true;
}

void vsg_exe_check_input(vsg_exe_thread *thread, uint32_t place, uint32_t size_bytes)
{
    memset(thread->check->registers + place, 0, size_bytes);
}

void vsg_exe_check_state(vsg_exe_thread *thread, bool is_sampler, uint32_t place)
{
    const vsg_exe_unit *unit = thread->frame->unit;

    vsg_exe_shadow_dwords(thread, is_sampler ? unit->samplers_at : unit->surfaces_at)[place] =
        0;
}

/* ---- running ---------------------------------------------------------------------------- */

vsg_exe_stop vsg_exe_check_run(vsg_exe_thread *thread)
{
    const vsg_exe_program *program = thread->launch->program;
    const vsg_exe_plan *plans = thread->check->check->plans;
    uint32_t host = vsg_exe_host_save();

    vsg_exe_host_enter(thread);
    thread->stop = VSG_EXE_RUNNING;
    while (thread->stop == VSG_EXE_RUNNING) {
        if (thread->budget == 0) {
            thread->stop = VSG_EXE_STOP_BUDGET;
            break;
        }
        const vsg_exe_step *step =
            &plans[thread->frame->unit - program->units].steps[thread->pc];
        const vsg_exe_inst *inst = &thread->code[thread->pc++];
        thread->budget--;
        thread->executed++;
        vsg_exe_coverage_mark(thread, inst);
        if (inst->refresh)
            vsg_exe_refresh(thread, inst);
        step->run(thread, inst, step);
        if (inst->writes_mode)
            vsg_exe_mode_changed(thread);
    }
    vsg_exe_host_restore(host);
    return thread->stop;
}
