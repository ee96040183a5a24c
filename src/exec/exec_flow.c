/* SPDX-License-Identifier: MIT
 *
 * Control flow: labels, branches, calls and returns over the execution mask EM, the call mask
 * and the channels that wait at labels. Source: 3_execution_model, Control Flow; pages GOTO
 * JMP CALL RET FCALL IFCALL FRET FADDR SWITCHJMP; spec dialect 5.1.
 *
 * A branch of N channels concerns the channels its mask names. Channels of EM outside them go
 * where it goes once it has left none of its own; one that no channel takes goes nowhere.
 * Beside a return they go on: it turns off channels and goes nowhere itself before it was the
 * last. A scalar branch takes all channels of EM: its predicate was computed from uniform data,
 * so channel 0 speaks for all. */
#include <string.h>

#include "exec/handlers.h"
#include "exec/operand.h"

/* ---- preparation ------------------------------------------------------------------------ */

bool vsg_exe_prepare_label(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out)
{
    (void)builder;
    (void)inst;
    (void)out;
    return true;
}

bool vsg_exe_prepare_branch(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                            vsg_exe_inst *out)
{
    if (inst->op == VISAGE_OP_GOTO && vsg_exe_is_backward(builder->object, inst))
        out->handler = vsg_exe_do_goto_backward;
    return true;
}

static bool unresolved(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_base_diag diag,
                       const char *name)
{
    vsg_base_location where = vsg_obj_locate(builder->object, inst);

    vsg_base_report(builder->diagnostics, diag, &where, name);
    if (builder->status == VISAGE_OK)
        builder->status = VISAGE_UNRESOLVED;
    return false;
}

/* The name of what an instruction calls or takes the address of. */
static const char *called(const vsg_exe_builder *builder, const vsg_obj_inst *inst)
{
    return vsg_obj_functions_called(builder->functions, &builder->calls, builder->object,
                                    vsg_exe_find(inst, "function")->name);
}

static bool find_function(const vsg_exe_builder *builder, const char *name, uint32_t *unit)
{
    const vsg_obj_function *found = vsg_obj_functions_find(builder->functions, name);

    if (found)
        *unit = found->unit;
    return found != NULL;
}

static void prepare_sizes(const vsg_obj_inst *inst, vsg_exe_inst *out)
{
    out->control =
        (uint32_t)(vsg_exe_number(inst, "arg_size") | vsg_exe_number(inst, "return_size") << 8);
}

bool vsg_exe_prepare_fcall(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out)
{
    const char *name = called(builder, inst);

    prepare_sizes(inst, out);
    return find_function(builder, name, &out->target) ||
           unresolved(builder, inst, VSG_DIAG_UNRESOLVED_FUNCTION, name);
}

bool vsg_exe_prepare_ifcall(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                            vsg_exe_inst *out)
{
    (void)builder;
    prepare_sizes(inst, out);
    return true;
}

bool vsg_exe_prepare_faddr(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out)
{
    const char *name = called(builder, inst);
    uint64_t *address = vsg_exe_keep(builder, 1, sizeof *address);
    uint32_t unit;

    if (!address)
        return false;
    if (find_function(builder, name, &unit))
        *address = vsg_exe_function_address(unit);
    else if (!builder->options->symbol ||
             !builder->options->symbol(builder->options->user, name, address))
        return unresolved(builder, inst, VSG_DIAG_UNRESOLVED_SYMBOL, name);
    out->src[0] = (vsg_exe_operand){.kind = VSG_EXE_OPERAND_IMMEDIATE,
                                    .type = VISAGE_TYPE_UQ,
                                    .bytes = 8,
                                    .count = 1,
                                    .elements = address};
    out->num_sources = 1;
    return true;
}

bool vsg_exe_prepare_switchjmp(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                               vsg_exe_inst *out)
{
    for (uint32_t i = 0; i < inst->num_operands; i++)
        out->num_targets += inst->operands[i].class_ == VSG_OBJ_CLASS_LABEL;
    out->targets = vsg_exe_keep(builder, out->num_targets, sizeof *out->targets);
    return out->targets != NULL;
}

/* ---- masks ------------------------------------------------------------------------------ */

/* The channels a branch concerns. */
static uint32_t range_of(const vsg_exe_inst *inst)
{
    if (inst->exec_size == 1 || inst->exec_size == 32)
        return UINT32_MAX;
    return ((1u << inst->exec_size) - 1u) << inst->mask_offset;
}

/* The channels of EM that a branch takes. */
static uint32_t taken_by(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t bits = vsg_exe_predicate(thread, inst);

    if (inst->exec_size == 1)
        return bits & 1 ? thread->execution_mask : 0;
    return bits << inst->mask_offset & thread->execution_mask & range_of(inst);
}

/* Goes to the next place in the text where channels wait. */
static void go_to_waiting(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const uint32_t *waits = thread->frame->waits;

    for (uint32_t i = inst->next_wait; i < inst->end_wait; i++) {
        if (waits[i]) {
            thread->pc = thread->frame->unit->waits[i].pc;
            return;
        }
    }
    vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_FLOW, -1, 0, 0);
}

void vsg_exe_do_past_end(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_FLOW, -1, 0, 0);
}

void vsg_exe_do_label(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    if (inst->wait == VSG_EXE_NO_WAIT)
        return;
    thread->execution_mask |= thread->frame->waits[inst->wait];
    thread->frame->waits[inst->wait] = 0;
}

/* ---- branches --------------------------------------------------------------------------- */

void vsg_exe_do_goto(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t taken = taken_by(thread, inst);

    thread->frame->waits[inst->wait] |= taken;
    thread->execution_mask &= ~taken;
    if (taken != 0 && (thread->execution_mask & range_of(inst)) == 0)
        go_to_waiting(thread, inst);
}

void vsg_exe_do_goto_backward(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t taken = taken_by(thread, inst);

    if (taken == 0)
        return;
    uint32_t left = thread->execution_mask & range_of(inst) & ~taken;
    if (left)
        thread->frame->waits[inst->wait] |= left;
    thread->execution_mask &= ~left;
    thread->pc = inst->target;
}

void vsg_exe_do_jmp(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    if (vsg_exe_predicate(thread, inst) & 1)
        thread->pc = inst->target;
}

void vsg_exe_do_switchjmp(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    int64_t index;

    if (!vsg_exe_read_scalar(thread, inst, &inst->src[0], &index))
        return;
    if (index >= 0 && index < inst->num_targets)
        thread->pc = inst->targets[index];
    else
        vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_FLOW, -1, 0, 0);
}

/* ---- calls ------------------------------------------------------------------------------ */

static bool grow_calls(vsg_exe_thread *thread)
{
    size_t capacity = thread->cap_calls;
    void *calls = thread->calls;

    if (!vsg_base_grow(thread->alloc, &calls, thread->num_calls, &capacity,
                       sizeof *thread->calls))
        return false;
    thread->calls = calls;
    thread->cap_calls = (uint32_t)capacity;
    return true;
}

/* Notes where to return to. False: too deep, or memory is out. */
static bool push_call(vsg_exe_thread *thread, const vsg_exe_inst *inst, bool is_function)
{
    if (thread->num_calls == VSG_EXE_MAX_CALLS) {
        vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_DEPTH, -1, 0, 0);
        thread->fault.limit = VSG_EXE_MAX_CALLS;
        return false;
    }
    if (!grow_calls(thread)) {
        thread->stop = VSG_EXE_STOP_MEMORY;
        return false;
    }
    thread->calls[thread->num_calls++] = (vsg_exe_call){
        .return_pc = thread->pc,
        .execution_mask = thread->execution_mask,
        .call_mask = thread->call_mask,
        .return_grfs = (uint8_t)(inst->control >> 8),
        .is_function = is_function,
    };
    return true;
}

/* The masks at entry: a scalar call enters with all channels of the dispatch (IFCALL, Notes),
 * a call of N channels with those that are active and predicated. */
static uint32_t entry_mask(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    if (inst->exec_size == 1)
        return vsg_exe_predicate(thread, inst) & 1 ? thread->dispatch_mask : 0;
    return taken_by(thread, inst);
}

void vsg_exe_do_call(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t entering = entry_mask(thread, inst);

    if (entering == 0 || !push_call(thread, inst, false))
        return;
    thread->execution_mask = entering;
    thread->call_mask = entering;
    thread->pc = inst->target;
}

static void copy_registers(vsg_exe_frame *to, uint32_t to_at, const vsg_exe_frame *from,
                           uint32_t from_at, uint32_t bytes)
{
    memcpy(to->registers + to_at, from->registers + from_at, bytes);
}

static uint32_t grf_bytes(const vsg_exe_thread *thread, uint32_t grfs, uint32_t most)
{
    return (grfs < most ? grfs : most) * thread->launch->program->grf_bytes;
}

static void call_function(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t unit)
{
    uint32_t entering = entry_mask(thread, inst);

    if (entering == 0)
        return;
    if (!vsg_exe_frame_fits(thread, unit)) {
        vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_DEPTH, -1, 0, 0);
        thread->fault.limit = thread->num_calls;
        return;
    }
    if (!push_call(thread, inst, true))
        return;
    if (!vsg_exe_push_frame(thread, unit)) {
        thread->num_calls--;
        thread->stop = VSG_EXE_STOP_MEMORY;
        return;
    }
    const vsg_exe_frame *caller = &thread->frames[thread->num_frames - 2];
    vsg_exe_frame *callee = thread->frame;
    copy_registers(callee, callee->unit->arg_at, caller, caller->unit->arg_at,
                   grf_bytes(thread, inst->control & 0xff, VSG_EXE_ARG_GRFS));
    copy_registers(callee, callee->unit->sp_at, caller, caller->unit->sp_at, 8);
    copy_registers(callee, callee->unit->fp_at, caller, caller->unit->fp_at, 8);
    thread->execution_mask = entering;
    thread->call_mask = entering;
    thread->pc = 0;
    if (thread->stops_at_frames)
        thread->stop = VSG_EXE_STOP_FRAME;
}

void vsg_exe_do_fcall(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    call_function(thread, inst, inst->target);
}

void vsg_exe_do_ifcall(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    int64_t value;

    /* A call that no channel makes does not look at its address. */
    if (entry_mask(thread, inst) == 0 ||
        !vsg_exe_read_scalar(thread, inst, &inst->src[0], &value))
        return;
    uint64_t address = (uint64_t)value & UINT32_MAX;
    int64_t unit = vsg_exe_function_at(thread->launch->program, address);
    if (unit < 0)
        vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_CALL, -1, address, 0);
    else
        call_function(thread, inst, (uint32_t)unit);
}

void vsg_exe_do_faddr(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    int64_t address = (int64_t)inst->src[0].elements[0];

    vsg_exe_write_int(thread, inst, &inst->dst, 1, &address, true);
}

/* ---- returns ---------------------------------------------------------------------------- */

static void leave_function(vsg_exe_thread *thread, const vsg_exe_call *call)
{
    const vsg_exe_frame *callee = thread->frame;
    vsg_exe_frame *caller = &thread->frames[thread->num_frames - 2];

    copy_registers(caller, caller->unit->retval_at, callee, callee->unit->retval_at,
                   grf_bytes(thread, call->return_grfs, VSG_EXE_RETVAL_GRFS));
    copy_registers(caller, caller->unit->sp_at, callee, callee->unit->sp_at, 8);
    copy_registers(caller, caller->unit->fp_at, callee, callee->unit->fp_at, 8);
    vsg_exe_pop_frame(thread);
    if (thread->stops_at_frames)
        thread->stop = VSG_EXE_STOP_FRAME;
}

void vsg_exe_return(vsg_exe_thread *thread)
{
    if (thread->num_calls == 0) {
        thread->stop = VSG_EXE_STOP_END;
        return;
    }
    vsg_exe_call call = thread->calls[--thread->num_calls];
    if (call.is_function)
        leave_function(thread, &call);
    thread->execution_mask = call.execution_mask;
    thread->call_mask = call.call_mask;
    thread->pc = call.return_pc;
}

void vsg_exe_do_ret(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t taken = taken_by(thread, inst);

    thread->execution_mask &= ~taken;
    thread->call_mask &= ~taken;
    if (thread->call_mask == 0)
        vsg_exe_return(thread);
    else if (thread->execution_mask == 0)
        go_to_waiting(thread, inst);
}

void vsg_exe_do_fret(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_do_ret(thread, inst);
}
