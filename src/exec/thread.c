/* SPDX-License-Identifier: MIT */
#include "exec/thread.h"

#include <string.h>
#include <time.h>

#include "exec/check.h"
#include "exec/coverage.h"
#include "exec/operand.h"

bool vsg_exe_thread_init(vsg_exe_thread *thread, const vsg_base_alloc *alloc)
{
    *thread = (vsg_exe_thread){.alloc = alloc};
    thread->shared_bytes = VSG_EXE_SHARED_BYTES;
    thread->shared = vsg_base_new(alloc, thread->shared_bytes, 1);
    return thread->shared != NULL;
}

void vsg_exe_thread_free(vsg_exe_thread *thread)
{
    const vsg_base_alloc *alloc = thread->alloc;

    if (!alloc)
        return;
    vsg_exe_check_free(thread);
    for (uint32_t i = 0; i < thread->cap_frames; i++)
        vsg_base_delete(alloc, thread->frames[i].registers, thread->frames[i].bytes, 1);
    vsg_base_delete(alloc, thread->frames, thread->cap_frames, sizeof *thread->frames);
    vsg_base_delete(alloc, thread->calls, thread->cap_calls, sizeof *thread->calls);
    vsg_base_delete(alloc, thread->shared, thread->shared_bytes, 1);
    *thread = (vsg_exe_thread){0};
}

/* ---- frames ----------------------------------------------------------------------------- */

static bool grow_frames(vsg_exe_thread *thread)
{
    uint32_t capacity = thread->cap_frames ? thread->cap_frames * 2 : 4;
    vsg_exe_frame *frames = vsg_base_new(thread->alloc, capacity, sizeof *frames);

    if (!frames)
        return false;
    if (thread->cap_frames)
        memcpy(frames, thread->frames, thread->cap_frames * sizeof *frames);
    vsg_base_delete(thread->alloc, thread->frames, thread->cap_frames, sizeof *frames);
    thread->frames = frames;
    thread->cap_frames = capacity;
    return true;
}

/* Memory of a frame stays with its depth, so that calls allocate only the first time. */
static bool fit_frame(vsg_exe_thread *thread, vsg_exe_frame *frame, size_t bytes)
{
    if (frame->bytes >= bytes)
        return true;
    uint8_t *registers = vsg_base_new(thread->alloc, bytes, 1);
    if (!registers)
        return false;
    vsg_base_delete(thread->alloc, frame->registers, frame->bytes, 1);
    thread->frames_bytes += bytes - frame->bytes;
    frame->registers = registers;
    frame->bytes = bytes;
    return true;
}

static void enter_frame(vsg_exe_thread *thread)
{
    vsg_exe_frame *frame = &thread->frames[thread->num_frames - 1];

    thread->frame = frame;
    thread->registers = frame->registers;
    thread->predicates = frame->predicates;
    thread->code = frame->unit->code;
}

bool vsg_exe_frame_fits(const vsg_exe_thread *thread, uint32_t unit)
{
    size_t bytes = thread->launch->program->units[unit].frame_bytes;
    size_t has =
        thread->num_frames < thread->cap_frames ? thread->frames[thread->num_frames].bytes : 0;

    return has >= bytes || thread->frames_bytes - has + bytes <= VSG_EXE_MAX_FRAMES_BYTES;
}

uint32_t vsg_exe_predefined_surface(uint32_t index)
{
    static const uint32_t entries[VSG_ISA_NUM_SURFACES] = {
        [VSG_ISA_SURFACE_SLM] = VSG_EXE_BTI_SLM,
        [VSG_ISA_SURFACE_BSS] = VSG_EXE_BTI_BINDLESS,
        [VSG_ISA_SURFACE_SCRATCH] = VSG_EXE_BTI_STATELESS,
    };

    return entries[index];
}

static void clear_frame(const vsg_exe_frame *frame, const vsg_exe_unit *unit,
                        const vsg_exe_clears *clears)
{
    uint32_t behind = unit->register_bytes;

    if (!clears || clears->num == VSG_EXE_CLEAR_ALL) {
        memset(frame->registers, 0, unit->frame_bytes);
        return;
    }
    for (uint32_t i = 0; i < clears->num; i++)
        memset(frame->registers + clears->ranges[i].at, 0, clears->ranges[i].bytes);
    memset(frame->registers + behind, 0, unit->frame_bytes - behind);
}

bool vsg_exe_push_frame(vsg_exe_thread *thread, uint32_t unit)
{
    const vsg_exe_unit *facts = &thread->launch->program->units[unit];

    if (thread->num_frames == thread->cap_frames && !grow_frames(thread))
        return false;
    vsg_exe_frame *frame = &thread->frames[thread->num_frames];
    if (!fit_frame(thread, frame, facts->frame_bytes))
        return false;
    clear_frame(frame, facts, thread->clears ? &thread->clears[unit] : NULL);
    frame->unit = facts;
    frame->runner = NULL;
    frame->addresses = (uint32_t *)(void *)(frame->registers + facts->addresses_at);
    frame->predicates = (uint32_t *)(void *)(frame->registers + facts->predicates_at);
    frame->surfaces = (uint32_t *)(void *)(frame->registers + facts->surfaces_at);
    frame->samplers = (uint32_t *)(void *)(frame->registers + facts->samplers_at);
    frame->waits = (uint32_t *)(void *)(frame->registers + facts->waits_at);
    for (uint32_t i = 0; i < VSG_ISA_NUM_SURFACES; i++)
        frame->surfaces[i] = vsg_exe_predefined_surface(i);
    thread->num_frames++;
    enter_frame(thread);
    return true;
}

void vsg_exe_pop_frame(vsg_exe_thread *thread)
{
    thread->num_frames--;
    enter_frame(thread);
}

/* The area only grows: a thread serves one program after the other. */
static bool grow_shared(vsg_exe_thread *thread, uint32_t bytes)
{
    if (bytes <= thread->shared_bytes)
        return true;
    uint8_t *shared = vsg_base_new(thread->alloc, bytes, 1);
    if (!shared)
        return false;
    vsg_base_delete(thread->alloc, thread->shared, thread->shared_bytes, 1);
    thread->shared = shared;
    thread->shared_bytes = bytes;
    return true;
}

bool vsg_exe_thread_start(vsg_exe_thread *thread, const vsg_exe_launch *launch,
                          vsg_exe_group *group, uint32_t unit, uint32_t dispatch_mask)
{
    thread->launch = launch;
    thread->group = group;
    thread->num_frames = 0;
    thread->num_calls = 0;
    thread->pc = 0;
    thread->stop = VSG_EXE_RUNNING;
    thread->executed = 0;
    thread->dispatch_mask = dispatch_mask;
    thread->execution_mask = dispatch_mask;
    thread->call_mask = dispatch_mask;
    memset(&thread->fault, 0, sizeof thread->fault);
    if (!grow_shared(thread, launch->program->shared_bytes))
        return false;
    memset(thread->shared, 0, thread->shared_bytes);
    memset(thread->named_phase, 0, sizeof thread->named_phase);
    thread->split_phase = 0;
    if (!vsg_exe_push_frame(thread, unit))
        return false;
    vsg_exe_mode_changed(thread);
    return true;
}

/* ---- masks ------------------------------------------------------------------------------ */

static uint32_t low_bits(uint32_t count)
{
    return count >= 32 ? UINT32_MAX : (1u << count) - 1u;
}

uint32_t vsg_exe_predicate(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t all = low_bits(inst->exec_size);

    if (!inst->predicate_mode)
        return all;
    uint32_t bits = thread->predicates[inst->predicate] >> inst->mask_offset & all;
    if (inst->predicate_mode & (VSG_EXE_PRED_ANY | VSG_EXE_PRED_ALL)) {
        bool any = (inst->predicate_mode & VSG_EXE_PRED_ANY) != 0;
        bits = thread->predicates[inst->predicate] & inst->combined;
        bits = (any ? bits != 0 : bits == inst->combined) ? all : 0;
    }
    if (inst->predicate_mode & VSG_EXE_PRED_INVERSE)
        bits = ~bits & all;
    return bits;
}

uint32_t vsg_exe_channels(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels =
        inst->no_mask ? low_bits(inst->exec_size)
                      : thread->execution_mask >> inst->mask_offset & low_bits(inst->exec_size);

    return inst->predicate_mode ? channels & vsg_exe_predicate(thread, inst) : channels;
}

/* ---- running ---------------------------------------------------------------------------- */

void vsg_exe_fault_raise(vsg_exe_thread *thread, const vsg_exe_inst *inst, vsg_base_diag diag,
                         int32_t channel, uint64_t address, uint32_t size_bytes)
{
    if (thread->stop == VSG_EXE_STOP_FAULT)
        return;
    thread->stop = VSG_EXE_STOP_FAULT;
    thread->fault = (vsg_exe_fault){
        .diag = diag,
        .inst = inst->source,
        .unit = thread->frame->unit,
        .channel = channel < 0 ? -1 : channel + inst->mask_offset,
        .address = address,
        .size_bytes = size_bytes,
        .limit = thread->group ? thread->group->slm_bytes : 0,
    };
}

static uint32_t *shared_dwords(vsg_exe_thread *thread, uint32_t variable)
{
    return (uint32_t *)(void *)(thread->shared + vsg_exe_shared_at(variable));
}

void vsg_exe_mode_changed(vsg_exe_thread *thread)
{
    uint32_t mode = *shared_dwords(thread, VSG_ISA_VAR_CR0);

    thread->mode = mode;
    thread->rounding = mode >> VSG_EXE_CR0_ROUNDING_SHIFT & 3;
}

/* %ce0 and %tsc change by themselves; they are brought up to date for the instructions that
 * read them only. */
void vsg_exe_refresh(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    struct timespec now;

    *shared_dwords(thread, VSG_ISA_VAR_CE0) =
        inst->no_mask ? UINT32_MAX : thread->execution_mask;
    if (clock_gettime(CLOCK_MONOTONIC, &now) == 0) {
        uint64_t ticks = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
        memcpy(shared_dwords(thread, VSG_ISA_VAR_TSC), &ticks, sizeof ticks);
    }
}

vsg_exe_stop vsg_exe_run(vsg_exe_thread *thread)
{
    uint32_t host = vsg_exe_host_save();

    vsg_exe_host_enter(thread);
    thread->stop = VSG_EXE_RUNNING;
    while (thread->stop == VSG_EXE_RUNNING) {
        if (thread->budget == 0) {
            thread->stop = VSG_EXE_STOP_BUDGET;
            break;
        }
        const vsg_exe_inst *inst = &thread->code[thread->pc++];
        thread->budget--;
        thread->executed++;
        vsg_exe_coverage_mark(thread, inst);
        if (inst->refresh)
            vsg_exe_refresh(thread, inst);
        inst->handler(thread, inst);
        if (inst->writes_mode)
            vsg_exe_mode_changed(thread);
    }
    vsg_exe_host_restore(host);
    return thread->stop;
}
