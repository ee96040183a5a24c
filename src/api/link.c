/* SPDX-License-Identifier: MIT
 *
 * Linking modules. What a zebin says of its kernels stays in it: the linked module refers
 * there. */
#include <string.h>

#include "api/api.h"
#include "link/link.h"

typedef struct linking {
    visage_module *out;
    const visage_module *const *modules;
    size_t num_modules;
    vsg_lnk_input *inputs;
    vsg_lnk_result result;
    visage_diagnostics *diagnostics;
} linking;

bool vsg_api_holds_data(const visage_module *module)
{
    if (!module->zebin)
        return false;
    for (size_t i = 0; i < VSG_CON_SECTION_COUNT; i++)
        if (module->zebin->data[i].size_bytes)
            return true;
    return module->zebin->num_relocs != 0;
}

/* The container whose constants the program has: at most one may have some. */
static visage_status choose_container(linking *l)
{
    const visage_module *found = NULL;

    for (size_t i = 0; i < l->num_modules; i++) {
        const visage_module *module = l->modules[i];
        if (!vsg_api_holds_data(module))
            continue;
        if (found) {
            vsg_base_report(l->diagnostics, VSG_DIAG_LINK_CONTAINERS, &VSG_BASE_NOWHERE,
                            found->name, module->name);
            return VISAGE_UNSUPPORTED;
        }
        found = module;
    }
    for (size_t i = 0; i < l->num_modules && !found; i++)
        if (l->modules[i]->zebin)
            found = l->modules[i];
    l->out->zebin = found ? found->zebin : NULL;
    return VISAGE_OK;
}

static const vsg_run_kernel *origin_of(const linking *l, size_t unit)
{
    const vsg_lnk_origin *origin = &l->result.origins[unit];
    const visage_module *module = l->modules[origin->input];

    for (size_t i = 0; i < module->num_units; i++)
        if (module->units[i].index == origin->unit)
            return &module->units[i];
    return NULL;
}

static bool describe(linking *l, bool functions)
{
    visage_module *out = l->out;
    vsg_obj_module *object = out->object;

    for (size_t i = 0; i < object->num_units; i++) {
        if (object->units[i]->is_function != functions)
            continue;
        const vsg_run_kernel *origin = origin_of(l, i);
        vsg_run_kernel *unit = &out->units[out->num_units];
        if (!vsg_run_kernel_describe(&out->arena, object->units[i], (uint32_t)i,
                                     origin ? origin->info : NULL, unit))
            return false;
        unit->text = origin ? origin->text : NULL;
        unit->text_size = origin ? origin->text_size : 0;
        out->num_units++;
        out->num_kernels += !functions;
    }
    return true;
}

static visage_status describe_all(linking *l)
{
    visage_module *out = l->out;

    vsg_obj_module *empty = out->object;
    out->object = l->result.module;
    l->result.module = empty; /* freed with the result */
    out->units =
        vsg_base_arena_new(&out->arena, out->object->num_units + 1, sizeof *out->units);
    if (out->units && describe(l, false) && describe(l, true))
        return VISAGE_OK;
    vsg_base_report(l->diagnostics, VSG_DIAG_NO_MEMORY, &VSG_BASE_NOWHERE);
    return VISAGE_NO_MEMORY;
}

static visage_status run(linking *l, const visage_link_options *options)
{
    const vsg_lnk_options wanted = {.gc = options->gc, .partial = options->partial};
    const vsg_base_alloc *alloc = &l->out->alloc;

    for (size_t i = 0; i < l->num_modules; i++)
        l->inputs[i] = (vsg_lnk_input){.module = l->modules[i]->object,
                                       .name = l->modules[i]->name,
                                       .symbols_are_elsewhere = l->modules[i]->zebin != NULL};
    visage_status status = choose_container(l);
    if (status == VISAGE_OK)
        status =
            vsg_lnk_link(alloc, l->inputs, l->num_modules, &wanted, l->diagnostics, &l->result);
    if (status == VISAGE_OK && options->map)
        status = vsg_lnk_map(l->inputs, &l->result, options->map, options->map_user);
    if (status == VISAGE_OK)
        status = describe_all(l);
    vsg_lnk_result_free(&l->result);
    return status;
}

visage_status visage_link(visage_context *context, const visage_module *const *modules,
                          size_t num_modules, const visage_link_options *options,
                          visage_diagnostics *diagnostics, visage_module **out)
{
    visage_link_options known;
    linking l = {.modules = modules, .num_modules = num_modules, .diagnostics = diagnostics};

    if (out)
        *out = NULL;
    if (!context || !modules || !num_modules || !out ||
        !vsg_api_options(&known, sizeof known, options))
        return VISAGE_ARGUMENT;
    for (size_t i = 0; i < num_modules; i++)
        if (!modules[i])
            return VISAGE_ARGUMENT;
    l.out = vsg_api_module_new(&context->alloc, known.name ? known.name : "linked");
    l.inputs = vsg_base_new(&context->alloc, num_modules, sizeof *l.inputs);
    visage_status status = VISAGE_NO_MEMORY;
    if (l.out && l.inputs) {
        l.out->is_made = true;
        status = run(&l, &known);
    } else {
        vsg_base_report(diagnostics, VSG_DIAG_NO_MEMORY, &VSG_BASE_NOWHERE);
    }
    vsg_base_delete(&context->alloc, l.inputs, num_modules, sizeof *l.inputs);
    if (status != VISAGE_OK)
        visage_module_destroy(&l.out);
    *out = l.out;
    return status;
}
