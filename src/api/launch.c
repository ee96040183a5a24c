/* SPDX-License-Identifier: MIT
 *
 * Programs and launches. */
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "runtime/attach.h"
#include "runtime/bindless.h"
#include "runtime/dispatch.h"
#include "runtime/space.h"

visage_status visage_program_create(visage_device *device, const visage_module *module,
                                    visage_diagnostics *diagnostics, visage_program **out)
{
    if (!out)
        return VISAGE_ARGUMENT;
    *out = NULL;
    if (!device || !module)
        return VISAGE_ARGUMENT;
    vsg_run_source source = {
        .module = module->object,
        .zebin = module->zebin,
        .kernels = module->units,
        .num_kernels = module->num_kernels,
        .num_units = module->num_units,
        .name = module->name,
    };
    vsg_api_lines lines = vsg_api_lines_of(module);
    const vsg_ver_options shown = vsg_api_show_lines(&lines);
    visage_status status = vsg_run_program_create(device, &source, &shown, diagnostics, out);
    vsg_api_lines_free(&lines);
    return status;
}

bool visage_has_engine(visage_engine engine)
{
    if (engine == VISAGE_ENGINE_JIT || engine == VISAGE_ENGINE_AUTO)
        return vsg_jit_available();
    return engine == VISAGE_ENGINE_DEFAULT || engine == VISAGE_ENGINE_INTERPRETER;
}

void visage_program_destroy(visage_program **program)
{
    vsg_run_program_destroy(program);
}

uint64_t visage_program_global_bytes(const visage_program *program)
{
    return program ? program->data[VSG_CON_SECTION_GLOBAL].size_bytes : 0;
}

/* ---- finding the kernel ----------------------------------------------------------------- */

/* Names of the kernels for a message; cut where it would grow long. */
static void list_kernels(const vsg_run_source *source, char *text, size_t size)
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < source->num_kernels; i++) {
        int wanted = snprintf(text + length, size - length, "%s%s", i ? ", " : "",
                              source->kernels[i].unit->name);
        if (wanted < 0 || (size_t)wanted + 8 >= size - length) {
            (void)snprintf(text + length, size - length, " ...");
            return;
        }
        length += (size_t)wanted;
    }
}

static visage_status find_kernel(const visage_program *program, const char *name,
                                 visage_diagnostics *diagnostics, size_t *index)
{
    const vsg_run_source *source = &program->source;
    vsg_base_location where = {.file = source->name, .instruction = -1};
    char list[512];

    if (source->num_kernels == 0) {
        vsg_base_report(diagnostics, VSG_DIAG_NO_KERNEL, &where);
        return VISAGE_UNRESOLVED;
    }
    *index = 0;
    if (!name && source->num_kernels == 1)
        return VISAGE_OK;
    for (; name && *index < source->num_kernels; ++*index)
        if (strcmp(source->kernels[*index].unit->name, name) == 0)
            return VISAGE_OK;
    list_kernels(source, list, sizeof list);
    if (name)
        vsg_base_report(diagnostics, VSG_DIAG_UNKNOWN_KERNEL, &where, name, list);
    else
        vsg_base_report(diagnostics, VSG_DIAG_SEVERAL_KERNELS, &where, list);
    return VISAGE_UNRESOLVED;
}

vsg_api_lines vsg_api_lines_of_program(const visage_program *program)
{
    return (vsg_api_lines){.alloc = program->alloc,
                           .object = program->source.module,
                           .units = program->source.kernels,
                           .num_units = program->source.num_units};
}

static visage_status check_kernel(const visage_program *program, size_t index,
                                  visage_diagnostics *diagnostics)
{
    vsg_api_lines lines = vsg_api_lines_of_program(program);
    const vsg_ver_options shown = vsg_api_show_lines(&lines);
    visage_status status = vsg_run_program_check(program, index, &shown, diagnostics);

    vsg_api_lines_free(&lines);
    return status;
}

visage_status vsg_api_find_kernel(const visage_program *program, const char *name,
                                  visage_diagnostics *diagnostics, size_t *index)
{
    visage_status status = find_kernel(program, name, diagnostics, index);

    return status == VISAGE_OK ? check_kernel(program, *index, diagnostics) : status;
}

visage_status visage_launch_create(visage_program *program, const char *name,
                                   visage_diagnostics *diagnostics, visage_launch **out)
{
    size_t index;

    if (!out)
        return VISAGE_ARGUMENT;
    *out = NULL;
    if (!program)
        return VISAGE_ARGUMENT;
    visage_status status = vsg_api_find_kernel(program, name, diagnostics, &index);
    return status == VISAGE_OK ? vsg_run_launch_create(program, index, out) : status;
}

void visage_launch_destroy(visage_launch **launch)
{
    vsg_run_launch_destroy(launch);
}

size_t visage_launch_kernel(const visage_launch *launch)
{
    return launch ? launch->index : 0;
}

/* ---- arguments -------------------------------------------------------------------------- */

visage_status visage_launch_set_value(visage_launch *launch, size_t index, const void *value,
                                      size_t size_bytes, visage_diagnostics *diagnostics)
{
    if (!launch || (!value && size_bytes))
        return VISAGE_ARGUMENT;
    return vsg_run_set_value(launch, index, value, size_bytes, diagnostics);
}

visage_status visage_launch_set_buffer(visage_launch *launch, size_t index,
                                       visage_buffer *buffer, size_t offset_bytes,
                                       visage_diagnostics *diagnostics)
{
    if (!launch)
        return VISAGE_ARGUMENT;
    return vsg_run_set_buffer(launch, index, buffer, offset_bytes, diagnostics);
}

visage_status visage_launch_set_local(visage_launch *launch, size_t index, size_t size_bytes,
                                      visage_diagnostics *diagnostics)
{
    if (!launch)
        return VISAGE_ARGUMENT;
    return vsg_run_set_local(launch, index, size_bytes, diagnostics);
}

visage_status visage_launch_set_image(visage_launch *launch, size_t index,
                                      const visage_image *image,
                                      visage_diagnostics *diagnostics)
{
    if (!launch || !image)
        return VISAGE_ARGUMENT;
    return vsg_run_set_image(launch, index, image, diagnostics);
}

visage_status visage_launch_set_sampler(visage_launch *launch, size_t index,
                                        const visage_sampler *sampler,
                                        visage_diagnostics *diagnostics)
{
    if (!launch || !sampler)
        return VISAGE_ARGUMENT;
    return vsg_run_set_sampler(launch, index, sampler, diagnostics);
}

visage_status visage_launch_attach(visage_launch *launch, const char *name,
                                   visage_buffer *buffer, const char *format,
                                   const uint32_t size[2], visage_diagnostics *diagnostics)
{
    if (!launch || !name)
        return VISAGE_ARGUMENT;
    return vsg_run_attach(launch, name, buffer, format, size, diagnostics);
}

visage_status visage_launch_bind_buffer(visage_launch *launch, uint32_t handle,
                                        visage_buffer *buffer, size_t offset_bytes,
                                        visage_diagnostics *diagnostics)
{
    return launch ? vsg_run_bind_buffer(launch, handle, buffer, offset_bytes, diagnostics)
                  : VISAGE_ARGUMENT;
}

visage_status visage_launch_bind_image(visage_launch *launch, uint32_t handle,
                                       const visage_image *image,
                                       visage_diagnostics *diagnostics)
{
    return launch ? vsg_run_bind_image(launch, handle, image, diagnostics) : VISAGE_ARGUMENT;
}

visage_status visage_launch_bind_sampler(visage_launch *launch, uint32_t handle,
                                         const visage_sampler *sampler,
                                         visage_diagnostics *diagnostics)
{
    return launch ? vsg_run_bind_sampler(launch, handle, sampler, diagnostics)
                  : VISAGE_ARGUMENT;
}

bool visage_pattern_find(const char *name, visage_pattern *out)
{
    int found = name && out ? vsg_run_pattern_find(name) : -1;

    if (found >= 0)
        *out = (visage_pattern)found;
    return found >= 0;
}

/* ---- running ---------------------------------------------------------------------------- */

visage_status visage_launch_run(visage_launch *launch, const visage_range *range,
                                const visage_run_options *options,
                                visage_diagnostics *diagnostics, visage_run_stats *stats)
{
    visage_range known_range;
    visage_run_options known;

    if (stats)
        *stats = (visage_run_stats){0};
    if (!launch || !range || !vsg_api_options(&known_range, sizeof known_range, range) ||
        !vsg_api_options(&known, sizeof known, options))
        return VISAGE_ARGUMENT;
    return vsg_run_launch_run(launch, &known_range, &known, diagnostics, stats);
}

visage_status visage_launch_choose_local(visage_launch *launch, const visage_range *range,
                                         visage_diagnostics *diagnostics, uint32_t local[3])
{
    visage_range known;
    vsg_run_dispatch dispatch;

    if (!launch || !range || !local || !vsg_api_options(&known, sizeof known, range))
        return VISAGE_ARGUMENT;
    visage_status status =
        vsg_run_dispatch_make(launch->kernel, launch->program->device, &known, 0,
                              launch->walk.order, diagnostics, &dispatch);
    if (status == VISAGE_OK)
        memcpy(local, dispatch.whole_local, sizeof dispatch.whole_local);
    return status;
}

void visage_launch_cancel(visage_launch *launch)
{
    if (!launch)
        return;
    atomic_store(&launch->cancel, 1);
    atomic_store(&launch->stop, 1);
}
