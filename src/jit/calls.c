/* SPDX-License-Identifier: MIT */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* memrchr() */
#endif
#include "jit/calls.h"

#include <math.h>
#include <string.h>

#include "exec/fpmode.h"
#include "exec/handlers.h"
#include "exec/rounded.h"
#include "jit/keep.h"
#include "jit/rows.h"

/* Of the compiler's own library; their types have halves, which C11 has no name for. */
void __extendhfsf2(void);
void __truncdfhf2(void);
void __truncsfhf2(void);

/* ---- handlers ---------------------------------------------------------------------------- */

/* The difference of a lane to the first one of its chunk. */
static uint64_t distance(const vsg_jit_scalars *row, uint64_t inner, uint64_t lane)
{
    uint64_t steps = (uint64_t)row->step * lane, rest = 64 - row->inner_bits;

    if (row->inner_bits == 0)
        return steps;
    uint64_t from = inner << rest, to = (inner + steps) << rest;
    from = row->is_signed ? (uint64_t)((int64_t)from >> rest) : from >> rest;
    to = row->is_signed ? (uint64_t)((int64_t)to >> rest) : to >> rest;
    return (uint64_t)row->factor * (to - from);
}

static void make_vector(uint8_t *at, const vsg_jit_scalars *row)
{
    uint64_t first[VSG_JIT_MOST_CHUNKS] = {0}, inner[VSG_JIT_MOST_CHUNKS] = {0};
    uint64_t count = row->lanes / row->chunk;
    const uint8_t *behind = at + count * row->lane_bytes;

    for (uint64_t c = 0; c < count; c++) {
        memcpy(&first[c], at + c * row->lane_bytes, row->lane_bytes);
        memcpy(&inner[c], behind + c * row->inner_bits / 8, row->inner_bits / 8);
    }
    for (uint64_t i = 0; i < row->lanes; i++) {
        uint64_t chunk = i / row->chunk;
        uint64_t lane = first[chunk] + distance(row, inner[chunk], i % row->chunk);
        memcpy(at + i * row->lane_bytes, &lane, row->lane_bytes);
    }
}

static void run_handler(vsg_exe_thread *thread, uint32_t place, uint32_t mask,
                        const vsg_jit_scalars *rows)
{
    const vsg_exe_inst *inst = &thread->code[place];
    uint32_t cr0;

    for (; rows && rows->lanes > 0; rows++)
        make_vector(thread->registers + rows->at, rows);
    thread->pc = place + 1;
    thread->execution_mask = mask;
    memcpy(&cr0, thread->shared + vsg_exe_shared_at(VSG_ISA_VAR_CR0), sizeof cr0);
    if (cr0 != thread->mode) /* compiled code has written it */
        vsg_exe_mode_changed(thread);
    if (inst->refresh)
        vsg_exe_refresh(thread, inst);
    inst->handler(thread, inst);
    if (inst->writes_mode)
        vsg_exe_mode_changed(thread);
}

/* Compiled code computes to nearest even with denormals, whatever a handler left behind. */
vsg_exe_stop vsg_jit_run_handler(vsg_exe_thread *thread, uint32_t place, uint32_t mask,
                                 const vsg_jit_scalars *rows)
{
    run_handler(thread, place, mask, rows);
    vsg_exe_host_want(thread, VSG_EXE_RNE, false);
    return thread->stop;
}

vsg_exe_stop vsg_jit_run_and_flush(vsg_exe_thread *thread, uint32_t place, uint32_t mask,
                                   const vsg_jit_scalars *rows)
{
    run_handler(thread, place, mask, rows);
    vsg_exe_host_want(thread, VSG_EXE_RNE, true);
    return thread->stop;
}

vsg_exe_stop vsg_jit_run_handlers(vsg_exe_thread *thread, uint32_t place, uint32_t end,
                                  uint32_t mask, uint32_t flushes)
{
    for (; place < end && thread->stop == VSG_EXE_RUNNING; place++)
        run_handler(thread, place, mask, NULL);
    vsg_exe_host_want(thread, VSG_EXE_RNE, flushes != 0);
    return thread->stop;
}

void vsg_jit_start_flushing(const vsg_jit_batch *batch)
{
    for (uint32_t i = batch->next; i < batch->end; i++)
        vsg_exe_host_set(batch->threads[i], vsg_exe_host_mode(VSG_EXE_RNE, true));
}

vsg_exe_stop vsg_jit_lose_flow(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_FLOW, -1, 0, 0);
    return thread->stop;
}

/* The struct may be that of the next thread, too. */
vsg_exe_stop vsg_jit_return(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t num_frames = thread->num_frames;

    (void)inst;
    vsg_exe_return(thread);
    vsg_exe_stop stop = thread->stop;
    thread->stop = VSG_EXE_RUNNING;
    return thread->num_frames < num_frames ? VSG_EXE_STOP_FRAME : stop;
}

/* As vsg_jit_find_window(), of one access. */
static bool find_around(const vsg_exe_thread *thread, vsg_jit_window *window, uint64_t address,
                        uint32_t bytes)
{
    const vsg_exe_space *space = &thread->launch->space;
    uint64_t base = (uint64_t)(uintptr_t)space->base;
    uint64_t offset = address - base;
    uint64_t num_pages = space->size_bytes >> VSG_EXE_PAGE_SHIFT;

    if (offset >= space->size_bytes || space->size_bytes - offset < bytes)
        return false;
    const uint8_t *first = space->pages + (offset >> VSG_EXE_PAGE_SHIFT);
    const uint8_t *gap = memchr(first, 0, (size_t)(space->pages + num_pages - first));
    const uint8_t *before = memrchr(space->pages, 0, (size_t)(first - space->pages));
    const uint8_t *end = gap ? gap : space->pages + num_pages;
    const uint8_t *begin = before ? before + 1 : space->pages;
    uint64_t end_offset = (uint64_t)(end - space->pages) << VSG_EXE_PAGE_SHIFT;
    if (end <= first || end_offset - offset < bytes)
        return false;
    window->base = base + ((uint64_t)(begin - space->pages) << VSG_EXE_PAGE_SHIFT);
    window->size_bytes = base + end_offset - window->base - bytes + 1;
    return true;
}

uint32_t vsg_jit_find_window(const vsg_exe_thread *thread, vsg_jit_window *window,
                             uint64_t first, uint64_t last, uint32_t bytes)
{
    return find_around(thread, window, first, bytes) &&
           last - window->base < window->size_bytes;
}

uint32_t vsg_jit_find_wide_window(const vsg_exe_thread *thread, vsg_jit_window *window,
                                  const uint64_t *addresses, uint32_t channels, uint32_t bytes)
{
    uint64_t first = addresses[__builtin_ctz(channels)];

    if (!find_around(thread, window, first, bytes))
        return 0;
    for (; channels; channels &= channels - 1)
        if (addresses[__builtin_ctz(channels)] - window->base >= window->size_bytes)
            return 0;
    return 1;
}

uint32_t vsg_jit_stops(const vsg_jit_batch *batch, uint64_t done, uint32_t polls)
{
    return done >= batch->turn || (batch->stops && batch->stops(batch->user, done, polls != 0));
}

vsg_jit_function vsg_jit_find_function(const char *name)
{
    static const struct {
        const char *name;
        vsg_jit_function function;
    } functions[] = {
#define CALL(function) {#function, (vsg_jit_function)function},
#define HOST(function) {#function, (vsg_jit_function)function},
#define KEPT(function)
#define TRIED(function)
#include "jit/calls.def"
#undef CALL
#undef HOST
#undef KEPT
#undef TRIED
    };

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    return vsg_jit_find_kept(name);
}
