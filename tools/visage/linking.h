/* SPDX-License-Identifier: MIT
 *
 * Several files as one module. */
#ifndef VISAGE_TOOL_LINKING_H
#define VISAGE_TOOL_LINKING_H

#include "tool.h"

/* Modules that were linked, which the linked one refers to. */
typedef struct tool_modules {
    visage_module **items;
    size_t count;
} tool_modules;

/* What is to be linked. */
typedef struct tool_parts {
    const char *const *files;
    size_t count;
    const visage_module_options *first; /* of the first file; all are for its platform */
    const visage_link_options *link;
} tool_parts;

/* Reads files and links them. out: owned, destroy it before the modules. */
visage_status tool_read_linked(visage_context *context, const tool_parts *parts,
                               visage_diagnostics *diagnostics, tool_modules *modules,
                               visage_module **out);
void tool_modules_free(tool_modules *modules);

#endif
