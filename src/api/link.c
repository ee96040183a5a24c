/* SPDX-License-Identifier: MIT
 *
 * Linking modules. What a zebin says of its kernels stays in it: the linked module refers
 * there. */
#include <string.h>

#include "api/api.h"
#include "container/merge.h"
#include "link/link.h"

typedef struct linking {
    visage_module *out;
    const visage_module *const *modules;
    size_t num_modules;
    vsg_lnk_input *inputs;
    vsg_lnk_external *externals; /* of all inputs */
    size_t num_externals;
    vsg_con_part *parts; /* the inputs that have a container */
    vsg_lnk_result result;
    visage_diagnostics *diagnostics;
} linking;

bool vsg_api_holds_data(const visage_module *module)
{
    if (!module->zebin)
        return false;
    for (size_t i = 0; i < VSG_CON_SECTION_COUNT; i++)
        if (module->zebin->data[i].size_bytes || module->zebin->data[i].zero_bytes)
            return true;
    return module->zebin->num_relocs != 0;
}

/* ---- in ---------------------------------------------------------------------------------- */

static bool allocate(linking *l)
{
    const vsg_base_alloc *alloc = &l->out->alloc;

    for (size_t i = 0; i < l->num_modules; i++)
        if (l->modules[i]->zebin)
            l->num_externals += l->modules[i]->zebin->num_symbols;
    l->inputs = vsg_base_new(alloc, l->num_modules, sizeof *l->inputs);
    l->parts = vsg_base_new(alloc, l->num_modules, sizeof *l->parts);
    l->externals = vsg_base_new(alloc, l->num_externals + 1, sizeof *l->externals);
    return l->inputs && l->parts && l->externals;
}

static void free_all(linking *l, const vsg_base_alloc *alloc)
{
    vsg_lnk_result_free(&l->result);
    vsg_base_delete(alloc, l->inputs, l->num_modules, sizeof *l->inputs);
    vsg_base_delete(alloc, l->parts, l->num_modules, sizeof *l->parts);
    vsg_base_delete(alloc, l->externals, l->num_externals + 1, sizeof *l->externals);
}

static void list_externals(const vsg_con_zebin *zebin, vsg_lnk_external *out)
{
    for (size_t i = 0; i < zebin->num_symbols; i++) {
        const vsg_con_symbol *symbol = &zebin->symbols[i];
        out[i].name = symbol->name;
        out[i].is_data = symbol->is_defined && symbol->section >= 0;
    }
    for (size_t i = 0; i < zebin->num_relocs; i++)
        out[zebin->relocs[i].target - zebin->symbols].is_used = true;
}

static void list_inputs(linking *l)
{
    vsg_lnk_external *externals = l->externals;

    for (size_t i = 0; i < l->num_modules; i++) {
        const visage_module *module = l->modules[i];
        l->inputs[i] = (vsg_lnk_input){.module = module->object,
                                       .name = module->name,
                                       .binds_first = module->is_zebin,
                                       .externals = externals};
        if (!module->zebin)
            continue;
        list_externals(module->zebin, externals);
        l->inputs[i].num_externals = module->zebin->num_symbols;
        externals += module->zebin->num_symbols;
    }
}

/* ---- out --------------------------------------------------------------------------------- */

/* The data of all containers, called as the linked module calls it. False: memory is out. */
static bool merge_data(linking *l)
{
    const char *const *names = l->result.names;
    size_t count = 0;

    for (size_t i = 0; i < l->num_modules; i++) {
        if (!l->modules[i]->zebin)
            continue;
        l->parts[count++] = (vsg_con_part){l->modules[i]->zebin, names};
        names += l->modules[i]->zebin->num_symbols;
    }
    if (count == 0)
        return true;
    if (!vsg_con_merge(&l->out->alloc, l->parts, count, &l->out->container))
        return false;
    l->out->has_container = true;
    l->out->zebin = &l->out->container;
    return true;
}

/* The units of a module, by index in its object. */
static const vsg_run_kernel **index_units(const visage_module *module, vsg_base_arena *arena)
{
    const vsg_run_kernel **units =
        vsg_base_arena_new(arena, module->object->num_units, sizeof *units);

    for (size_t i = 0; units && i < module->num_units; i++)
        units[module->units[i].index] = &module->units[i];
    return units;
}

/* What is kept of an input while units are described. */
typedef struct described {
    const vsg_run_kernel **units; /* by index in its object */
    const char *text, *copy;      /* of the last unit, and ours */
} described;

/* The file of a zebin stays, that of a text need not. */
static bool take_text(linking *l, const visage_module *module, described *input,
                      const vsg_run_kernel *from, vsg_run_kernel *unit)
{
    unit->text = from->text;
    unit->text_size = from->text_size;
    if (!from->text || module->is_zebin)
        return true;
    if (from->text != input->text) {
        input->text = from->text;
        input->copy = vsg_base_arena_text(&l->out->arena, from->text, from->text_size);
    }
    unit->text = input->copy;
    return unit->text != NULL;
}

static bool describe(linking *l, described *inputs, bool functions)
{
    visage_module *out = l->out;
    vsg_obj_module *object = out->object;

    for (size_t i = 0; i < object->num_units; i++) {
        if (object->units[i]->is_function != functions)
            continue;
        const vsg_lnk_origin *origin = &l->result.origins[i];
        described *input = &inputs[origin->input];
        const vsg_run_kernel *from = input->units[origin->unit];
        vsg_run_kernel *unit = &out->units[out->num_units];
        if (!vsg_run_kernel_describe(&out->arena, object->units[i], (uint32_t)i,
                                     from ? from->info : NULL, unit))
            return false;
        if (from && !take_text(l, l->modules[origin->input], input, from, unit))
            return false;
        out->num_units++;
        out->num_kernels += !functions;
    }
    return true;
}

static bool describe_all(linking *l)
{
    visage_module *out = l->out;
    vsg_base_arena scratch;

    vsg_obj_module *empty = out->object;
    out->object = l->result.module;
    l->result.module = empty; /* freed with the result */
    vsg_base_arena_init(&scratch, &out->alloc);
    described *inputs = vsg_base_arena_new(&scratch, l->num_modules, sizeof *inputs);
    bool good = inputs != NULL;
    for (size_t i = 0; good && i < l->num_modules; i++) {
        inputs[i].units = index_units(l->modules[i], &scratch);
        good = inputs[i].units != NULL;
    }
    out->units =
        vsg_base_arena_new(&out->arena, out->object->num_units + 1, sizeof *out->units);
    good = good && out->units && describe(l, inputs, false) && describe(l, inputs, true);
    vsg_base_arena_free(&scratch);
    return good;
}

/* ---- all together ------------------------------------------------------------------------ */

static visage_status no_memory(const linking *l)
{
    vsg_base_report(l->diagnostics, VSG_DIAG_NO_MEMORY, &VSG_BASE_NOWHERE);
    return VISAGE_NO_MEMORY;
}

static visage_status run(linking *l, const visage_link_options *options)
{
    const vsg_lnk_options wanted = {.gc = options->gc, .partial = options->partial};

    if (!allocate(l))
        return no_memory(l);
    list_inputs(l);
    visage_status status = vsg_lnk_link(&l->out->alloc, l->inputs, l->num_modules, &wanted,
                                        l->diagnostics, &l->result);
    if (status == VISAGE_OK && options->map) {
        status = vsg_lnk_map(l->inputs, &l->result, options->map, options->map_user);
        if (status == VISAGE_NO_MEMORY)
            return no_memory(l);
    }
    if (status == VISAGE_OK && (!merge_data(l) || !describe_all(l)))
        status = no_memory(l);
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
    if (!l.out)
        return no_memory(&l);
    l.out->is_made = true;
    visage_status status = run(&l, &known);
    free_all(&l, &context->alloc);
    if (status != VISAGE_OK)
        visage_module_destroy(&l.out);
    *out = l.out;
    return status;
}
