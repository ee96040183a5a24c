/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "api/api.h"

/* No option struct comes near this: what claims to be larger is not one. */
enum { LARGEST_OPTIONS = 4096 };

const char *visage_version(void)
{
    return VISAGE_VERSION_STRING;
}

const char *visage_status_name(visage_status status)
{
    switch (status) {
    case VISAGE_OK:
        return "ok";
    case VISAGE_ARGUMENT:
        return "argument";
    case VISAGE_NO_MEMORY:
        return "no memory";
    case VISAGE_IO:
        return "io";
    case VISAGE_MALFORMED:
        return "malformed";
    case VISAGE_UNSUPPORTED:
        return "unsupported";
    case VISAGE_SYNTAX:
        return "syntax";
    case VISAGE_INVALID:
        return "invalid";
    case VISAGE_UNRESOLVED:
        return "unresolved";
    case VISAGE_FAULT:
        return "fault";
    case VISAGE_CANCELLED:
        return "cancelled";
    }
    return "unknown";
}

bool vsg_api_options(void *to, size_t size, const void *from)
{
    size_t given = 0;

    memset(to, 0, size);
    if (!from)
        return true;
    memcpy(&given, from, sizeof given); /* struct_size is the first field of each */
    if (given < sizeof given || given > LARGEST_OPTIONS)
        return false;
    for (size_t i = size; i < given; i++)
        if (((const uint8_t *)from)[i] != 0)
            return false;
    memcpy(to, from, given < size ? given : size);
    return true;
}

visage_status visage_context_create(const visage_context_options *options, visage_context **out)
{
    visage_context_options known;

    if (!out)
        return VISAGE_ARGUMENT;
    *out = NULL;
    if (!vsg_api_options(&known, sizeof known, options))
        return VISAGE_ARGUMENT;
    vsg_base_alloc alloc = vsg_base_alloc_default();
    if (known.resize)
        alloc = (vsg_base_alloc){known.resize, known.user};
    visage_context *context = vsg_base_new(&alloc, 1, sizeof *context);
    if (!context)
        return VISAGE_NO_MEMORY;
    context->alloc = alloc;
    context->tables = vsg_txt_tables_new(&alloc);
    if (!context->tables) {
        visage_context_destroy(&context);
        return VISAGE_NO_MEMORY;
    }
    *out = context;
    return VISAGE_OK;
}

void visage_context_destroy(visage_context **context)
{
    if (!context || !*context)
        return;
    vsg_base_alloc alloc = (*context)->alloc;
    vsg_txt_tables_delete(&(*context)->tables);
    vsg_base_delete(&alloc, *context, 1, sizeof **context);
    *context = NULL;
}

visage_status visage_diagnostics_create(visage_context *context, visage_diagnostics **out)
{
    if (!out)
        return VISAGE_ARGUMENT;
    *out = NULL;
    if (!context)
        return VISAGE_ARGUMENT;
    *out = vsg_base_diagnostics_new(&context->alloc);
    return *out ? VISAGE_OK : VISAGE_NO_MEMORY;
}
