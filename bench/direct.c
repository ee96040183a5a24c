/* SPDX-License-Identifier: MIT */
#include "direct.h"

#include <stdio.h>

#include "tool.h"

void direct_must(const direct *d, const char *what, visage_status status)
{
    char text[1024];

    for (size_t i = 0; i < visage_diagnostics_count(d->diagnostics); i++) {
        (void)visage_diagnostic_render(visage_diagnostics_get(d->diagnostics, i), false, text,
                                       sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    if (status != VISAGE_OK)
        fail(what, visage_status_name(status));
    visage_diagnostics_clear(d->diagnostics);
}

direct direct_open(const char *path, const char *kernel, visage_device_options *options)
{
    direct d = {0};
    visage_module_info info;

    if (visage_context_create(NULL, &d.context) != VISAGE_OK ||
        visage_diagnostics_create(d.context, &d.diagnostics) != VISAGE_OK)
        fail(path, "out of memory");
    direct_must(&d, path,
                visage_module_read_file(d.context, path, NULL, d.diagnostics, &d.module));
    direct_must(&d, path, visage_module_get_info(d.module, &info));
    options->platform = info.platform;
    direct_must(&d, "device", visage_device_create(d.context, options, &d.device));
    direct_must(&d, path, visage_program_create(d.device, d.module, d.diagnostics, &d.program));
    direct_must(&d, kernel, visage_launch_create(d.program, kernel, d.diagnostics, &d.launch));
    return d;
}

void direct_close(direct *d)
{
    visage_launch_destroy(&d->launch);
    visage_program_destroy(&d->program);
    for (size_t i = 0; i < DIRECT_BUFFERS; i++)
        visage_buffer_destroy(&d->buffers[i]);
    visage_device_destroy(&d->device);
    visage_module_destroy(&d->module);
    visage_diagnostics_destroy(&d->diagnostics);
    visage_context_destroy(&d->context);
}
