/* SPDX-License-Identifier: MIT */
#include "runtime/bindless.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/message.h"

/* ---- by the caller ---------------------------------------------------------------------- */

static visage_status no_memory(const visage_launch *launch, visage_diagnostics *diagnostics)
{
    vsg_base_location where = vsg_run_here(launch->kernel);

    vsg_base_report(diagnostics, VSG_DIAG_NO_MEMORY, &where);
    return VISAGE_NO_MEMORY;
}

static bool is_bound(const vsg_exe_state *state)
{
    return state->is_sampler ? state->sampler.is_set
                             : state->surface.kind != VSG_EXE_SURFACE_NONE;
}

static vsg_exe_state *find_bound(const visage_launch *launch, const vsg_exe_state *like)
{
    for (size_t i = 0; i < launch->num_states; i++)
        if (launch->states[i].is_sampler == like->is_sampler &&
            launch->states[i].handle == like->handle)
            return &launch->states[i];
    return NULL;
}

static visage_status refuse(const visage_launch *launch, uint32_t handle, const char *why,
                            visage_diagnostics *diagnostics)
{
    vsg_base_location where = vsg_run_here(launch->kernel);
    char name[32];

    (void)snprintf(name, sizeof name, "bindless:0x%x", (unsigned)handle);
    vsg_base_report(diagnostics, VSG_DIAG_ATTACH, &where, name, why);
    return VISAGE_INVALID;
}

/* In place of what the handle named before. */
static visage_status bind_state(visage_launch *launch, const vsg_exe_state *state,
                                visage_diagnostics *diagnostics)
{
    vsg_exe_state *found = find_bound(launch, state);
    void *states = launch->states;

    if ((!state->is_sampler && state->handle == VSG_EXE_SCRATCH_HANDLE) ||
        state->handle >= vsg_run_argument_handle(0))
        return refuse(launch, state->handle, "this handle has a meaning of its own",
                      diagnostics);
    launch->changes++;
    if (!is_bound(state)) {
        if (found)
            *found = launch->states[--launch->num_states];
        return VISAGE_OK;
    }
    if (!found) {
        if (!vsg_base_grow(&launch->alloc, &states, launch->num_states, &launch->cap_states,
                           sizeof *state))
            return no_memory(launch, diagnostics);
        launch->states = states;
        found = &launch->states[launch->num_states++];
    }
    *found = *state;
    return VISAGE_OK;
}

static visage_status check_buffer(const visage_launch *launch, uint32_t handle,
                                  const visage_buffer *buffer, size_t offset_bytes,
                                  visage_diagnostics *diagnostics)
{
    if (buffer->memory != launch->program->device->memory)
        return refuse(launch, handle, "the buffer belongs to another device", diagnostics);
    if (offset_bytes > buffer->size_bytes)
        return refuse(launch, handle, "the offset is beyond the end of the buffer",
                      diagnostics);
    return VISAGE_OK;
}

visage_status vsg_run_bind_buffer(visage_launch *launch, uint32_t handle,
                                  const visage_buffer *buffer, size_t offset_bytes,
                                  visage_diagnostics *diagnostics)
{
    vsg_exe_state state = {.handle = handle};
    visage_status status =
        buffer ? check_buffer(launch, handle, buffer, offset_bytes, diagnostics) : VISAGE_OK;

    if (status != VISAGE_OK)
        return status;
    if (buffer)
        state.surface = vsg_run_buffer_surface(buffer, offset_bytes);
    return bind_state(launch, &state, diagnostics);
}

visage_status vsg_run_bind_image(visage_launch *launch, uint32_t handle,
                                 const visage_image *image, visage_diagnostics *diagnostics)
{
    vsg_exe_state state = {.handle = handle};
    visage_status status =
        image ? check_buffer(launch, handle, image->buffer, 0, diagnostics) : VISAGE_OK;

    if (status != VISAGE_OK)
        return status;
    if (image)
        state.surface = image->surface;
    return bind_state(launch, &state, diagnostics);
}

visage_status vsg_run_bind_sampler(visage_launch *launch, uint32_t handle,
                                   const visage_sampler *sampler,
                                   visage_diagnostics *diagnostics)
{
    vsg_exe_state state = {.is_sampler = true, .handle = handle};

    if (sampler)
        state.sampler = sampler->state;
    return bind_state(launch, &state, diagnostics);
}

void vsg_run_drop_states(visage_launch *launch)
{
    vsg_base_delete(&launch->alloc, launch->states, launch->cap_states, sizeof *launch->states);
}

/* ---- of a run --------------------------------------------------------------------------- */

/* The state of an argument that the payload has a handle of. False: it has none. */
static bool state_of(const vsg_con_payload *payload, const vsg_run_value *value,
                     vsg_exe_state *out)
{
    bool is_bindless = payload->addrmode == VSG_CON_ADDRMODE_BINDLESS;

    *out = (vsg_exe_state){.handle = vsg_run_argument_handle((size_t)payload->arg_index)};
    if (value->kind == VSG_RUN_VALUE_BUFFER && value->buffer) {
        out->handle = (uint32_t)(value->buffer->address + value->offset_bytes);
        out->surface = vsg_run_buffer_surface(value->buffer, value->offset_bytes);
        return is_bindless || payload->kind == VSG_CON_PAYLOAD_BUFFER_ADDRESS;
    }
    if (value->kind == VSG_RUN_VALUE_IMAGE)
        out->surface = value->image;
    out->is_sampler = value->kind == VSG_RUN_VALUE_SAMPLER;
    out->sampler = value->sampler;
    return is_bindless && is_bound(out);
}

/* Surfaces before samplers, each by their handles. */
static int by_handle(const void *left, const void *right)
{
    const vsg_exe_state *a = left, *b = right;

    if (a->is_sampler != b->is_sampler)
        return a->is_sampler ? 1 : -1;
    return (a->handle > b->handle) - (a->handle < b->handle);
}

/* Leaves one state a handle. False: two that differ want it. */
static bool unite(vsg_exe_state *states, size_t *count)
{
    size_t kept = 0;

    for (size_t i = 0; i < *count; i++) {
        bool is_double = kept && by_handle(&states[kept - 1], &states[i]) == 0;
        if (is_double && states[kept - 1].surface.address != states[i].surface.address)
            return false;
        if (!is_double)
            states[kept++] = states[i];
    }
    *count = kept;
    return true;
}

/* Those bound that no argument hides. */
static size_t add_bound(const visage_launch *launch, vsg_exe_state *states, size_t count)
{
    size_t own = count;

    for (size_t i = 0; i < launch->num_states; i++)
        if (!bsearch(&launch->states[i], states, own, sizeof *states, by_handle))
            states[count++] = launch->states[i];
    return count;
}

visage_status vsg_run_find_states(const visage_launch *launch, vsg_base_arena *arena,
                                  visage_diagnostics *diagnostics, vsg_exe_launch *out)
{
    const vsg_con_kernel *info = launch->kernel->info;
    size_t most = launch->num_states + (info ? info->num_payload : 0);
    vsg_exe_state *states = vsg_base_arena_new(arena, most + 1, sizeof *states);
    size_t count = 0;

    if (!states)
        return no_memory(launch, diagnostics);
    for (size_t i = 0; info && i < info->num_payload; i++) {
        const vsg_con_payload *payload = &info->payload[i];
        if (payload->size_bytes && payload->arg_index >= 0 &&
            (size_t)payload->arg_index < launch->kernel->num_args)
            count += state_of(payload, &launch->values[payload->arg_index], &states[count]);
    }
    qsort(states, count, sizeof *states, by_handle);
    if (!unite(states, &count)) {
        (void)refuse(launch, states[0].handle, "two arguments' addresses differ by 4 GiB",
                     diagnostics);
        return VISAGE_UNSUPPORTED;
    }
    count = add_bound(launch, states, count);
    qsort(states, count, sizeof *states, by_handle);
    out->states = states;
    out->num_states = (uint32_t)count;
    return VISAGE_OK;
}
