/* SPDX-License-Identifier: MIT
 *
 * Arguments of a launch. Those of a plain kernel are inputs without a type, so more fits them:
 * an 8-byte input takes a value or a buffer's address, a surface a buffer or an image. */
#include <string.h>

#include "runtime/launch.h"

typedef struct setter {
    visage_launch *launch;
    size_t index;
    visage_diagnostics *diagnostics;
} setter;

vsg_base_location vsg_run_here(const vsg_run_kernel *kernel)
{
    vsg_base_location where = VSG_BASE_NOWHERE;

    where.file = kernel->unit->file;
    where.kernel = kernel->unit->name;
    return where;
}

static visage_status refuse(const setter *s, const char *reason)
{
    vsg_base_location where = vsg_run_here(s->launch->kernel);

    vsg_base_report(s->diagnostics, VSG_DIAG_ARG_UNSUPPORTED, &where, s->index,
                    s->launch->kernel->unit->name, reason);
    return VISAGE_INVALID;
}

static visage_status no_memory(const setter *s)
{
    vsg_base_location where = vsg_run_here(s->launch->kernel);

    vsg_base_report(s->diagnostics, VSG_DIAG_NO_MEMORY, &where);
    return VISAGE_NO_MEMORY;
}

static visage_status wrong_size(const setter *s, size_t wanted, size_t given)
{
    vsg_base_location where = vsg_run_here(s->launch->kernel);

    vsg_base_report(s->diagnostics, VSG_DIAG_ARG_SIZE, &where, s->index,
                    s->launch->kernel->unit->name, wanted, given);
    return VISAGE_INVALID;
}

static bool is_plain(const vsg_run_arg *arg, visage_argument_kind kind)
{
    return arg->input && arg->kind == kind;
}

/* Checks index and kind. */
static visage_status open_arg(const setter *s, visage_argument_kind given,
                              const vsg_run_arg **out)
{
    const vsg_run_kernel *kernel = s->launch->kernel;
    vsg_base_location where = vsg_run_here(kernel);

    if (s->index >= kernel->num_args) {
        vsg_base_report(s->diagnostics, VSG_DIAG_ARG_INDEX, &where, s->index,
                        kernel->unit->name, kernel->num_args);
        return VISAGE_INVALID;
    }
    const vsg_run_arg *arg = &kernel->args[s->index];
    *out = arg;
    bool fits = arg->kind == given;
    if (is_plain(arg, VISAGE_ARGUMENT_VALUE))
        fits |= given == VISAGE_ARGUMENT_BUFFER || given == VISAGE_ARGUMENT_LOCAL;
    if (is_plain(arg, VISAGE_ARGUMENT_BUFFER))
        fits |= given == VISAGE_ARGUMENT_IMAGE;
    if (fits)
        return VISAGE_OK;
    vsg_base_report(s->diagnostics, VSG_DIAG_ARG_KIND, &where, s->index, kernel->unit->name,
                    vsg_run_kind_text(arg->kind), vsg_run_kind_text(given));
    return VISAGE_INVALID;
}

static void clear(visage_launch *launch, size_t index)
{
    vsg_run_value *value = &launch->values[index];

    if (value->bytes)
        vsg_base_delete(&launch->alloc, value->bytes, value->size_bytes, 1);
    *value = (vsg_run_value){0};
    launch->changes++;
}

/* What is set again as it was is no change: the plan of the last run holds. An argument's bytes
 * are always as many. */
static void change_bytes(visage_launch *launch, vsg_run_value *value, const void *bytes)
{
    if (memcmp(value->bytes, bytes, value->size_bytes) == 0)
        return;
    memcpy(value->bytes, bytes, value->size_bytes);
    launch->value_changes++;
}

static bool has_buffer(const vsg_run_value *value, const visage_buffer *buffer,
                       uint64_t offset_bytes)
{
    return value->kind == VSG_RUN_VALUE_BUFFER && value->buffer == buffer &&
           value->offset_bytes == offset_bytes &&
           (!buffer || (value->held.address == buffer->address &&
                        value->held.size_bytes == buffer->size_bytes));
}

visage_status vsg_run_set_value(visage_launch *launch, size_t index, const void *value,
                                size_t size_bytes, visage_diagnostics *diagnostics)
{
    setter s = {launch, index, diagnostics};
    const vsg_run_arg *arg;
    visage_status status = open_arg(&s, VISAGE_ARGUMENT_VALUE, &arg);

    if (status != VISAGE_OK)
        return status;
    if (size_bytes != arg->size_bytes)
        return wrong_size(&s, arg->size_bytes, size_bytes);
    if (size_bytes > 0 && launch->values[index].kind == VSG_RUN_VALUE_BYTES) {
        change_bytes(launch, &launch->values[index], value);
        return VISAGE_OK;
    }
    uint8_t *bytes = vsg_base_new(&launch->alloc, size_bytes ? size_bytes : 1, 1);
    if (!bytes)
        return no_memory(&s);
    if (size_bytes)
        memcpy(bytes, value, size_bytes);
    clear(launch, index);
    launch->values[index] = (vsg_run_value){
        .kind = VSG_RUN_VALUE_BYTES, .bytes = bytes, .size_bytes = size_bytes ? size_bytes : 1};
    return VISAGE_OK;
}

/* Buffers of images and of pointers alike. */
static visage_status check_buffer(const setter *s, const visage_buffer *buffer,
                                  uint64_t offset_bytes)
{
    if (buffer && buffer->memory != s->launch->program->device->memory)
        return refuse(s, "the buffer belongs to another device");
    if (offset_bytes > (buffer ? buffer->size_bytes : 0))
        return refuse(s, "the offset is beyond the end of the buffer");
    return VISAGE_OK;
}

visage_status vsg_run_set_buffer(visage_launch *launch, size_t index,
                                 const visage_buffer *buffer, size_t offset_bytes,
                                 visage_diagnostics *diagnostics)
{
    setter s = {launch, index, diagnostics};
    const vsg_run_arg *arg;
    visage_status status = open_arg(&s, VISAGE_ARGUMENT_BUFFER, &arg);

    if (status == VISAGE_OK)
        status = check_buffer(&s, buffer, offset_bytes);
    if (status != VISAGE_OK)
        return status;
    if (is_plain(arg, VISAGE_ARGUMENT_VALUE) && arg->size_bytes == 4)
        return refuse(&s, "the input has 4 bytes, but device addresses have 64 bits");
    if (is_plain(arg, VISAGE_ARGUMENT_VALUE) && arg->size_bytes != 8)
        return wrong_size(&s, arg->size_bytes, 8);
    if (has_buffer(&launch->values[index], buffer, offset_bytes))
        return VISAGE_OK;
    clear(launch, index);
    launch->values[index] = (vsg_run_value){
        .kind = VSG_RUN_VALUE_BUFFER, .buffer = buffer, .offset_bytes = offset_bytes};
    if (buffer)
        launch->values[index].held = *buffer;
    return VISAGE_OK;
}

visage_status vsg_run_set_local(visage_launch *launch, size_t index, size_t size_bytes,
                                visage_diagnostics *diagnostics)
{
    setter s = {launch, index, diagnostics};
    const vsg_run_arg *arg;
    visage_status status = open_arg(&s, VISAGE_ARGUMENT_LOCAL, &arg);

    if (status != VISAGE_OK)
        return status;
    if (size_bytes == 0 || size_bytes > VSG_RUN_MAX_SLM_BYTES)
        return refuse(&s, "local memory needs 1 byte to 16 MiB");
    if (is_plain(arg, VISAGE_ARGUMENT_VALUE) && arg->size_bytes != 4 && arg->size_bytes != 8)
        return wrong_size(&s, arg->size_bytes, 4);
    if (launch->values[index].kind == VSG_RUN_VALUE_LOCAL &&
        launch->values[index].size_bytes == size_bytes)
        return VISAGE_OK;
    clear(launch, index);
    launch->values[index] =
        (vsg_run_value){.kind = VSG_RUN_VALUE_LOCAL, .size_bytes = size_bytes};
    return VISAGE_OK;
}

visage_status vsg_run_set_image(visage_launch *launch, size_t index, const visage_image *image,
                                visage_diagnostics *diagnostics)
{
    setter s = {launch, index, diagnostics};
    const vsg_run_arg *arg;
    visage_status status = open_arg(&s, VISAGE_ARGUMENT_IMAGE, &arg);

    if (status == VISAGE_OK)
        status = check_buffer(&s, image->buffer, 0);
    if (status != VISAGE_OK)
        return status;
    clear(launch, index);
    launch->values[index] = (vsg_run_value){
        .kind = VSG_RUN_VALUE_IMAGE, .buffer = image->buffer, .image = image->surface};
    return VISAGE_OK;
}

visage_status vsg_run_set_sampler(visage_launch *launch, size_t index,
                                  const visage_sampler *sampler,
                                  visage_diagnostics *diagnostics)
{
    setter s = {launch, index, diagnostics};
    const vsg_run_arg *arg;
    visage_status status = open_arg(&s, VISAGE_ARGUMENT_SAMPLER, &arg);

    if (status != VISAGE_OK)
        return status;
    clear(launch, index);
    launch->values[index] =
        (vsg_run_value){.kind = VSG_RUN_VALUE_SAMPLER, .sampler = sampler->state};
    return VISAGE_OK;
}

visage_status vsg_run_check_args(const visage_launch *launch, visage_diagnostics *diagnostics)
{
    const vsg_run_kernel *kernel = launch->kernel;
    vsg_base_location where = vsg_run_here(kernel);
    visage_status status = VISAGE_OK;

    for (size_t i = 0; i < kernel->num_args; i++) {
        const vsg_run_arg *arg = &kernel->args[i];
        if (launch->values[i].kind == VSG_RUN_VALUE_UNSET) {
            vsg_base_report(diagnostics, VSG_DIAG_ARG_UNSET, &where, i, kernel->unit->name,
                            arg->name ? arg->name : vsg_run_kind_text(arg->kind));
            if (status == VISAGE_OK)
                status = VISAGE_INVALID;
        }
    }
    return status;
}
