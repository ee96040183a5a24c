/* SPDX-License-Identifier: MIT */
#include "linking.h"

#include <stdlib.h>

static visage_status read_all(visage_context *context, const tool_parts *parts,
                              visage_diagnostics *diagnostics, tool_modules *modules)
{
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);
    visage_status worst = VISAGE_OK;

    /* Errors in any of the files are all of interest. */
    options.platform = parts->first->platform;
    for (size_t i = 0; i < parts->count; i++) {
        visage_status status =
            tool_read_module(context, parts->files[i], i ? &options : parts->first, diagnostics,
                             &modules->items[i]);
        if (worst == VISAGE_OK)
            worst = status;
    }
    return worst;
}

visage_status tool_read_linked(visage_context *context, const tool_parts *parts,
                               visage_diagnostics *diagnostics, tool_modules *modules,
                               visage_module **out)
{
    *out = NULL;
    modules->items = calloc(parts->count, sizeof(visage_module *));
    modules->count = parts->count;
    if (!modules->items)
        return VISAGE_NO_MEMORY;
    visage_status status = read_all(context, parts, diagnostics, modules);
    if (status != VISAGE_OK)
        return status;
    return visage_link(context, (const visage_module *const *)modules->items, parts->count,
                       parts->link, diagnostics, out);
}

void tool_modules_free(tool_modules *modules)
{
    for (size_t i = 0; modules->items && i < modules->count; i++)
        visage_module_destroy(&modules->items[i]);
    free(modules->items);
    *modules = (tool_modules){0};
}
