/* SPDX-License-Identifier: MIT
 *
 * Into compiled code and back. Each function that a kernel calls has code of its own, or is run
 * by the interpreter: the thread changes hands at calls and returns, with all that it has in
 * its frames. */
#include "exec/fpmode.h"
#include "exec/operand.h"
#include "jit/calls.h"
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

/* ---- calls ------------------------------------------------------------------------------- */

/* What batches of one thread have in common. */
struct vsg_jit_calls {
    const vsg_jit_runners *runners;
    const vsg_exe_clears *clears;
    uint32_t all_channels; /* of the dispatch */
    vsg_jit_window *windows;
    uintptr_t stack; /* the host's, where compiled code was entered */
};

/* Functions call each other on the host's stack, until so much of it is used: then all leave
 * their code, and the thread goes on in the last one. */
enum { MOST_STACK_BYTES = 256 << 10 };

static uintptr_t stack_here(void)
{
    return (uintptr_t)__builtin_frame_address(0);
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
    one.budget = budget;
    one.executed = 0;
    one.windows = batch->calls->windows + runner->windows_at;
    vsg_exe_host_want(thread, VSG_EXE_RNE, false);
    thread->stop = VSG_EXE_RUNNING;
    vsg_exe_stop stop = (vsg_exe_stop)runner->run(&one);
    batch->executed += one.executed;
    return stop == VSG_EXE_RUNNING ? (vsg_exe_stop)reason : stop;
}

/* The interpreter, until the thread is in another function. */
static vsg_exe_stop run_interpreter(vsg_exe_thread *thread, uint64_t budget)
{
    uint32_t host = thread->host_mode;

    vsg_exe_mode_changed(thread); /* if compiled code has written it */
    thread->budget = budget;
    thread->stops_at_frames = true;
    vsg_exe_stop stop = vsg_exe_run(thread);
    thread->stops_at_frames = false;
    thread->host_mode = host;
    return stop;
}

/* By what a thread runs where it is: chosen when it begins there, as what is in a frame is
 * known to the code alone that left it there. */
static const vsg_jit_runner *runner_of(const vsg_jit_batch *batch, vsg_exe_thread *thread)
{
    const vsg_exe_unit *units = thread->launch->program->units;
    const vsg_jit_runner *by = batch->calls->runners[thread->frame->unit - units].by;
    bool is_full = thread->execution_mask == batch->calls->all_channels;

    if (!thread->frame->runner)
        thread->frame->runner =
            &by[is_full && by[VSG_JIT_FULL].run ? VSG_JIT_FULL : VSG_JIT_PARTIAL];
    return thread->frame->runner;
}

/* Until the thread has returned to its frame `level`, with STOP_FRAME, or stops before. */
static vsg_exe_stop run_frames(vsg_jit_batch *batch, vsg_exe_thread *thread, uint32_t level,
                               uint64_t budget)
{
    uint64_t end = thread->executed + budget;
    vsg_exe_stop stop = VSG_EXE_STOP_FRAME;

    while (stop == VSG_EXE_STOP_FRAME && thread->num_frames > level) {
        const vsg_jit_runner *runner = runner_of(batch, thread);
        if (thread->executed >= end)
            return VSG_EXE_STOP_BUDGET;
        uint64_t left = end - thread->executed;
        stop = runner->run ? run_compiled(runner, batch, thread, left)
                           : run_interpreter(thread, left);
    }
    return stop;
}

vsg_exe_stop vsg_jit_call_function(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                   vsg_jit_batch *batch, uint64_t count)
{
    uint32_t level = thread->num_frames, host = thread->host_mode;
    uint64_t left = batch->budget > count ? batch->budget - count : 0;
    uint64_t before = thread->executed;

    if (inst->refresh)
        vsg_exe_refresh(thread, inst);
    thread->clears = batch->calls->clears;
    inst->handler(thread, inst);
    thread->clears = NULL;
    if (thread->stop != VSG_EXE_RUNNING || thread->num_frames == level)
        return thread->stop;
    if (batch->calls->stack - stack_here() > MOST_STACK_BYTES)
        return VSG_EXE_STOP_FRAME;
    vsg_exe_stop stop = run_frames(batch, thread, level, left);
    if (stop != VSG_EXE_STOP_FRAME || thread->num_frames > level)
        return stop;
    uint64_t used = thread->executed - before;
    batch->budget = batch->budget > used ? batch->budget - used : 0;
    if (thread->host_mode != host)
        vsg_exe_host_set(thread, host);
    thread->stop = VSG_EXE_RUNNING;
    return VSG_EXE_RUNNING;
}

/* ---- batches ----------------------------------------------------------------------------- */

static vsg_exe_stop run_each(const vsg_jit_code *code, vsg_jit_batch *batch)
{
    const uint32_t simd_size =
        batch->next < batch->end ? batch->threads[batch->next]->frames[0].unit->simd_size : 0;
    const struct vsg_jit_calls calls = {code->runners, code->clears, vsg_exe_first(simd_size),
                                        batch->windows, stack_here()};
    vsg_jit_batch all = *batch;
    vsg_exe_stop stop = VSG_EXE_RUNNING;

    all.calls = &calls;
    for (; batch->next < batch->end; batch->next++) {
        vsg_exe_thread *thread = batch->threads[batch->next];
        all.per_thread = batch->per_thread + (size_t)batch->thread_bytes * thread->number;
        /* The one before may have stopped in a function with another mode. */
        vsg_exe_host_enter(thread);
        stop = run_frames(&all, thread, 0, batch->budget);
        if (stop != VSG_EXE_STOP_END && stop != VSG_EXE_STOP_BARRIER)
            break;
        batch->reasons[batch->next] = (uint8_t)stop;
        stop = VSG_EXE_RUNNING;
    }
    batch->executed = all.executed;
    return stop;
}

uint32_t vsg_jit_enter(const vsg_jit_code *code, vsg_jit_batch *batch)
{
    uint32_t stop = VSG_EXE_STOP_BUDGET;

    if (batch->next < batch->end)
        vsg_exe_host_enter(batch->threads[batch->next]);
    for (uint32_t i = batch->next; i < batch->end; i++) {
        batch->threads[i]->host_mode = batch->threads[batch->next]->host_mode;
        batch->threads[i]->stop = VSG_EXE_RUNNING;
    }
    if (batch->budget > 0)
        stop = code->runners ? (uint32_t)run_each(code, batch) : code->run(batch);
    return stop;
}
