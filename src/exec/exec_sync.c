/* SPDX-License-Identifier: MIT
 *
 * Synchronisation between the threads of a group. They run on one worker, one after the other,
 * so meeting is a matter of counting; the runtime switches between them.
 * Source: pages BARRIER SBARRIER NBARRIER FENCE LSC_FENCE YIELD WAIT. */
#include "exec/handlers.h"
#include "exec/operand.h"
#include "isa/lsc.h"

void vsg_exe_do_nothing(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    (void)thread;
    (void)inst;
}

void vsg_exe_do_fence(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    (void)thread;
    (void)inst;
    atomic_thread_fence(memory_order_seq_cst);
}

/* LSC_FENCE names its memory by table LSC_SFID, in the order of the words of the text. */
bool vsg_exe_is_local_fence(const vsg_exe_inst *inst)
{
    if (inst->op == VISAGE_OP_FENCE_LOCAL || inst->op == VISAGE_OP_FENCE_SW)
        return true;
    return inst->op == VISAGE_OP_LSC_FENCE &&
           vsg_exe_number(inst->source, "sfid") == VSG_ISA_LSC_SLM;
}

void vsg_exe_do_barrier(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    (void)inst;
    atomic_thread_fence(memory_order_seq_cst);
    thread->stop = VSG_EXE_STOP_BARRIER;
}

void vsg_exe_do_regroup(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    (void)inst;
    thread->stop = VSG_EXE_STOP_BARRIER;
}

void vsg_exe_do_yield(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    (void)inst;
    thread->stop = VSG_EXE_STOP_YIELD;
}

/* What a thread is to a barrier (NBARRIER, Type). */
enum { PRODUCER_CONSUMER, PRODUCER, CONSUMER, NUM_ROLES };

/* One more thread has come; the last one completes the meeting. */
static void arrive(vsg_exe_meeting *meeting, uint32_t role, uint32_t producers,
                   uint32_t consumers)
{
    meeting->arrived++;
    meeting->producers += role != CONSUMER;
    meeting->consumers += role != PRODUCER;
    if (meeting->producers >= producers && meeting->consumers >= consumers) {
        meeting->arrived = meeting->producers = meeting->consumers = 0;
        meeting->phase++;
    }
}

void vsg_exe_do_sbarrier_signal(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    (void)inst;
    thread->split_phase = thread->group->split.phase;
    arrive(&thread->group->split, PRODUCER_CONSUMER, thread->group->num_threads,
           thread->group->num_threads);
}

void vsg_exe_do_sbarrier_wait(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    (void)inst;
    if (thread->group->split.phase != thread->split_phase)
        return;
    thread->pc--; /* tried again when the thread runs again */
    thread->stop = VSG_EXE_STOP_SPLIT;
}

/* The barrier's number; false: a fault was raised. */
static bool named_id(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t *id)
{
    int64_t value;

    if (!vsg_exe_read_scalar(thread, inst, &inst->src[0], &value))
        return false;
    if (value < 0 || value >= VSG_EXE_NUM_NAMED) {
        vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_MESSAGE, -1, 0, 0);
        thread->fault.text = "named barrier id is not 0 to 31";
        return false;
    }
    *id = (uint32_t)value;
    return true;
}

/* With two operands all threads are producers and consumers. */
void vsg_exe_do_nbarrier_signal(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    bool is_general = inst->num_sources == 4;
    int64_t role = PRODUCER_CONSUMER, producers, consumers;
    uint32_t id;

    if (!named_id(thread, inst, &id) ||
        (is_general && !vsg_exe_read_scalar(thread, inst, &inst->src[1], &role)) ||
        !vsg_exe_read_scalar(thread, inst, &inst->src[is_general ? 2 : 1], &producers) ||
        !vsg_exe_read_scalar(thread, inst, &inst->src[is_general ? 3 : 1], &consumers))
        return;
    if (role < 0 || role >= NUM_ROLES) {
        vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_MESSAGE, -1, 0, 0);
        thread->fault.text = "type of a named barrier is not 0 to 2";
        return;
    }
    vsg_exe_meeting *meeting = &thread->group->named[id];
    thread->named_phase[id] = meeting->phase;
    arrive(meeting, (uint32_t)role, producers < 1 ? 1 : (uint32_t)producers,
           consumers < 1 ? 1 : (uint32_t)consumers);
}

void vsg_exe_do_nbarrier_wait(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t id;

    if (!named_id(thread, inst, &id) ||
        thread->group->named[id].phase != thread->named_phase[id])
        return;
    thread->pc--;
    thread->stop = VSG_EXE_STOP_NAMED;
}
