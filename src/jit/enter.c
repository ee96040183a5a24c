/* SPDX-License-Identifier: MIT
 *
 * Into compiled code and back. Each function that a kernel calls has code of its own, or is run
 * by the interpreter: the thread changes hands at calls and returns, with all that it has in
 * its frames. */
#include "exec/fpmode.h"
#include "jit/compile.h"

bool vsg_jit_is_function_call(const vsg_exe_inst *inst)
{
    return inst->op == VISAGE_OP_FCALL || inst->op == VISAGE_OP_IFCALL;
}

bool vsg_jit_calls_functions(const vsg_exe_unit *unit)
{
    for (uint32_t i = 0; i < unit->num_code; i++)
        if (vsg_jit_is_function_call(&unit->code[i]))
            return true;
    return false;
}

bool vsg_jit_has_functions(const vsg_exe_unit *unit)
{
    return !unit->object->is_function && vsg_jit_calls_functions(unit);
}

/* What a thread runs by where it is. */
static const vsg_jit_runner *runner_of(const vsg_jit_code *code, const vsg_exe_thread *thread)
{
    return &code->runners[thread->frame->unit - thread->launch->program->units];
}

/* Compiled code, by one thread. */
static vsg_exe_stop run_compiled(const vsg_jit_runner *runner, vsg_jit_batch *batch,
                                 vsg_exe_thread *thread, uint64_t budget)
{
    uint8_t reason = VSG_EXE_RUNNING;
    vsg_jit_batch one = *batch;

    one.threads = &thread;
    one.reasons = &reason;
    one.next = 0;
    one.end = 1;
    one.first = thread->number;
    one.per_thread += (size_t)batch->thread_bytes * thread->number;
    one.budget = budget;
    one.executed = 0;
    one.windows += runner->windows_at;
    vsg_exe_host_enter(thread);
    thread->stop = VSG_EXE_RUNNING;
    vsg_exe_stop stop = (vsg_exe_stop)runner->run(&one);
    batch->executed += one.executed;
    return stop == VSG_EXE_RUNNING ? (vsg_exe_stop)reason : stop;
}

/* The interpreter, until the thread is in another function. */
static vsg_exe_stop run_interpreter(vsg_exe_thread *thread, uint64_t budget)
{
    thread->budget = budget;
    thread->stops_at_frames = true;
    vsg_exe_stop stop = vsg_exe_run(thread);
    thread->stops_at_frames = false;
    return stop;
}

static vsg_exe_stop run_thread(const vsg_jit_code *code, vsg_jit_batch *batch,
                               vsg_exe_thread *thread)
{
    uint64_t end = thread->executed + batch->budget;
    vsg_exe_stop stop = VSG_EXE_STOP_FRAME;

    while (stop == VSG_EXE_STOP_FRAME) {
        if (thread->executed >= end)
            return VSG_EXE_STOP_BUDGET;
        const vsg_jit_runner *runner = runner_of(code, thread);
        uint64_t left = end - thread->executed;
        stop = runner->run ? run_compiled(runner, batch, thread, left)
                           : run_interpreter(thread, left);
    }
    return stop;
}

static vsg_exe_stop run_each(const vsg_jit_code *code, vsg_jit_batch *batch)
{
    for (; batch->next < batch->end; batch->next++) {
        vsg_exe_stop stop = run_thread(code, batch, batch->threads[batch->next]);
        if (stop != VSG_EXE_STOP_END && stop != VSG_EXE_STOP_BARRIER)
            return stop;
        batch->reasons[batch->next] = (uint8_t)stop;
    }
    return VSG_EXE_RUNNING;
}

vsg_exe_stop vsg_jit_enter(const vsg_jit_code *code, vsg_jit_batch *batch)
{
    uint32_t host = vsg_exe_host_save();
    vsg_exe_stop stop = VSG_EXE_STOP_BUDGET;

    if (batch->next < batch->end)
        vsg_exe_host_enter(batch->threads[batch->next]);
    for (uint32_t i = batch->next; i < batch->end; i++) {
        batch->threads[i]->host_mode = batch->threads[batch->next]->host_mode;
        batch->threads[i]->stop = VSG_EXE_RUNNING;
    }
    if (batch->budget > 0)
        stop = code->runners ? run_each(code, batch) : (vsg_exe_stop)code->run(batch);
    vsg_exe_host_restore(host);
    return stop;
}
