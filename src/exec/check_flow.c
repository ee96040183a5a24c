/* SPDX-License-Identifier: MIT
 *
 * Control flow in check mode: predicates and indices that decide where to go, jumps over
 * waiting channels, calls that do not fit what they call, barriers that not all channels reach.
 * Source: 3_execution_model, Mixing Uniform and Divergent Control Flow; FCALL, IFCALL, BARRIER.
 */
#include "exec/build.h"
#include "exec/check_shadow.h"
#include "exec/handlers.h"
#include "exec/layout.h"

/* ---- branches --------------------------------------------------------------------------- */

/* Channels for which nobody wrote whether the branch is taken. A scalar one is decided by its
 * first channel for all. */
static uint32_t undecided(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t condition = vsg_exe_shadow_condition(thread, inst);

    if (inst->exec_size == 1)
        return condition & 1;
    return condition & thread->execution_mask >> inst->mask_offset;
}

static void check_condition(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t bad = undecided(thread, inst);

    if (!bad)
        return;
    vsg_exe_check_unwritten(thread, inst, bad, "the predicate of a branch");
    *vsg_exe_shadow_predicate(thread, inst->predicate) = 0;
}

void vsg_exe_step_branch(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_step *step)
{
    (void)step;
    if (inst->predicate_mode)
        check_condition(thread, inst);
    inst->handler(thread, inst);
}

/* Channels that wait at labels between here and where a uniform branch went. */
static void check_jumped_over(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t from)
{
    const vsg_exe_unit *unit = thread->frame->unit;

    for (uint32_t i = 0; i < unit->num_waits; i++) {
        uint32_t at = unit->waits[i].pc;
        uint32_t waiting = thread->frame->waits[i];
        if (at < from || at >= thread->pc || !waiting)
            continue;
        const vsg_exe_inst *label = &unit->code[at];
        bool is_named = label->source && label->source->num_operands > 0 &&
                        label->source->operands[0].id < unit->object->num_labels;
        vsg_exe_finding finding = {
            .diag = VSG_DIAG_CHECK_JUMP,
            .address = waiting,
            .name = is_named ? unit->object->labels[label->source->operands[0].id].name : NULL};
        vsg_exe_check_report(thread, inst, &finding, 0);
        return;
    }
}

void vsg_exe_step_jump(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_step *step)
{
    uint32_t from = thread->pc;

    if (inst->predicate_mode)
        check_condition(thread, inst);
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (vsg_exe_shadow_scalar(thread, inst, &inst->src[s]))
            vsg_exe_check_unwritten(thread, inst, 0, "the index of a branch");
    (void)step;
    inst->handler(thread, inst);
    if (thread->stop == VSG_EXE_RUNNING && thread->pc > from)
        check_jumped_over(thread, inst, from);
}

/* ---- calls ------------------------------------------------------------------------------ */

static void check_size(vsg_exe_thread *thread, const vsg_exe_inst *inst, vsg_base_diag diag,
                       uint32_t passed, uint32_t declared)
{
    vsg_exe_finding finding = {.diag = diag,
                               .address = passed,
                               .limit = declared,
                               .name = thread->frame->unit->object->name};

    if (passed == declared)
        return;
    finding.unit = thread->frames[thread->num_frames - 2].unit;
    finding.inst = inst->source;
    thread->check->check->report(thread->check->check->user, thread, &finding);
}

static uint32_t grf_bytes(const vsg_exe_thread *thread, uint32_t grfs, uint32_t most)
{
    return (grfs < most ? grfs : most) * thread->launch->program->grf_bytes;
}

/* The callee has of %arg what is passed, the caller no longer has it. */
static bool enter(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_check_thread *check = thread->check;
    const vsg_exe_unit *caller = thread->frames[thread->num_frames - 2].unit;
    const vsg_exe_unit *callee = thread->frame->unit;
    uint8_t *from = check->registers;
    uint32_t arg_bytes = grf_bytes(thread, inst->control & 0xff, VSG_EXE_ARG_GRFS);

    if (!vsg_exe_shadow_push(thread))
        return false;
    memcpy(check->registers + callee->arg_at, from + caller->arg_at, arg_bytes);
    memcpy(check->registers + callee->sp_at, from + caller->sp_at, 8);
    memcpy(check->registers + callee->fp_at, from + caller->fp_at, 8);
    memset(from + caller->arg_at, 0xff, arg_bytes);
    check_size(thread, inst, VSG_DIAG_CHECK_ARG_SIZE, inst->control & 0xff, callee->arg_grfs);
    check_size(thread, inst, VSG_DIAG_CHECK_RETURN_SIZE, inst->control >> 8,
               callee->retval_grfs);
    return true;
}

void vsg_exe_step_call(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_step *step)
{
    uint32_t depth = thread->num_frames;

    (void)step;
    if (inst->predicate_mode)
        check_condition(thread, inst);
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (vsg_exe_shadow_scalar(thread, inst, &inst->src[s]))
            vsg_exe_check_unwritten(thread, inst, 0, "the address of a call");
    inst->handler(thread, inst);
    if (thread->num_frames > depth && !enter(thread, inst))
        thread->stop = VSG_EXE_STOP_MEMORY;
}

void vsg_exe_step_return(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_step *step)
{
    uint32_t depth = thread->num_frames;
    const vsg_exe_unit *callee = thread->frame->unit;
    const uint8_t *from = thread->check->registers;
    uint32_t calls = thread->num_calls;

    (void)step;
    if (inst->predicate_mode)
        check_condition(thread, inst);
    inst->handler(thread, inst);
    if (thread->num_frames == depth)
        return;
    const vsg_exe_unit *caller = thread->frame->unit;
    uint32_t grfs = calls > 0 ? thread->calls[calls - 1].return_grfs : 0;
    vsg_exe_shadow_enter(thread);
    uint8_t *to = thread->check->registers;
    memcpy(to + caller->retval_at, from + callee->retval_at,
           grf_bytes(thread, grfs, VSG_EXE_RETVAL_GRFS));
    memcpy(to + caller->sp_at, from + callee->sp_at, 8);
    memcpy(to + caller->fp_at, from + callee->fp_at, 8);
}

/* ---- barriers --------------------------------------------------------------------------- */

/* "The behavior is undefined if this instruction is executed in divergent control flow." */
void vsg_exe_step_barrier(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_step *step)
{
    (void)step;
    if (thread->execution_mask != thread->dispatch_mask) {
        vsg_exe_finding finding = {.diag = VSG_DIAG_CHECK_BARRIER_MASK,
                                   .address = thread->execution_mask,
                                   .limit = (int64_t)thread->dispatch_mask};
        vsg_exe_check_report(thread, inst, &finding, 0);
    }
    inst->handler(thread, inst);
}

/* ---- orders between threads ------------------------------------------------------------- */

void vsg_exe_step_fence(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_step *step)
{
    vsg_exe_race *race = thread->check->check->race;

    (void)step;
    inst->handler(thread, inst);
    if (race)
        vsg_exe_race_fence(race, thread->number, vsg_exe_is_local_fence(inst));
}

/* The barrier of a signal or wait; NULL: there is none of its number, which is a fault. */
static const vsg_exe_meeting *meeting_of(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                         uint32_t *number)
{
    int64_t value;

    *number = VSG_EXE_NUM_NAMED;
    if (inst->num_sources == 0)
        return &thread->group->split;
    if (!vsg_exe_read_scalar(thread, inst, &inst->src[0], &value) || value < 0 ||
        value >= VSG_EXE_NUM_NAMED)
        return NULL;
    *number = (uint32_t)value;
    return &thread->group->named[*number];
}

static void check_number(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (vsg_exe_shadow_scalar(thread, inst, &inst->src[s]))
            vsg_exe_check_unwritten(thread, inst, 0, "the number of a barrier");
}

void vsg_exe_step_signal(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_step *step)
{
    vsg_exe_race *race = thread->check->check->race;
    uint32_t number;

    (void)step;
    check_number(thread, inst);
    const vsg_exe_meeting *meeting = meeting_of(thread, inst, &number);
    if (race && meeting)
        vsg_exe_race_arrive(race, thread->number, number, meeting->phase,
                            meeting->arrived == 0);
    inst->handler(thread, inst);
}

void vsg_exe_step_wait(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_step *step)
{
    vsg_exe_race *race = thread->check->check->race;
    uint32_t number;

    (void)step;
    check_number(thread, inst);
    const vsg_exe_meeting *meeting = meeting_of(thread, inst, &number);
    inst->handler(thread, inst);
    if (!race || !meeting || thread->stop != VSG_EXE_RUNNING)
        return;
    uint32_t phase = inst->num_sources == 0 ? thread->split_phase : thread->named_phase[number];
    vsg_exe_race_leave(race, thread->number, number, phase);
}
