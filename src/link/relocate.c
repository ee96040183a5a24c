/* SPDX-License-Identifier: MIT
 *
 * The relocation tables of the linked module, and its map. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/linker.h"
#include "object/functions.h"

/* ---- function_reloc_symtab -------------------------------------------------------------- */

/* Sorted by what they refer to, so that those that are twice are neighbours. */
static int by_function(const void *a, const void *b)
{
    const vsg_obj_reloc *x = a, *y = b;

    return x->resolved_index < y->resolved_index ? -1 : x->resolved_index > y->resolved_index;
}

static bool relocate(vsg_lnk_linker *l, vsg_obj_unit *unit, const vsg_obj_functions *functions)
{
    vsg_obj_stored *stored = &unit->stored;
    size_t most = 0, found = 0;

    for (size_t i = 0; i < unit->num_insts; i++)
        most += vsg_lnk_function_of(&unit->insts[i]) != NULL;
    if (most == 0)
        return true;
    stored->function_relocs =
        vsg_base_arena_new(&l->out->module->arena, most, sizeof *stored->function_relocs);
    if (!stored->function_relocs)
        return vsg_lnk_no_memory(l);
    for (size_t i = 0; i < unit->num_insts; i++) {
        const vsg_obj_operand *operand = vsg_lnk_function_of(&unit->insts[i]);
        if (!operand)
            continue;
        const vsg_obj_function *to = vsg_obj_functions_find(functions, operand->name);
        if (to && to->number <= UINT16_MAX) /* a file cannot have more */
            stored->function_relocs[found++] = (vsg_obj_reloc){
                .symbol = operand->name, .resolved_index = (uint16_t)to->number};
    }
    qsort(stored->function_relocs, found, sizeof *stored->function_relocs, by_function);
    for (size_t i = 0; i < found; i++)
        if (i == 0 || stored->function_relocs[i].resolved_index !=
                          stored->function_relocs[i - 1].resolved_index)
            stored->function_relocs[stored->num_function_relocs++] = stored->function_relocs[i];
    return true;
}

bool vsg_lnk_relocate_functions(vsg_lnk_linker *l)
{
    vsg_obj_module *module = l->out->module;
    vsg_obj_functions functions;
    bool good = vsg_obj_functions_list(l->alloc, module, &functions) || vsg_lnk_no_memory(l);

    for (size_t i = 0; good && i < module->num_units; i++)
        good = relocate(l, module->units[i], &functions);
    vsg_obj_functions_free(l->alloc, &functions);
    return good;
}

/* ---- the map ---------------------------------------------------------------------------- */

typedef struct map {
    visage_write_fn write;
    void *user;
    bool failed;
} map;

static void put(map *m, const char *text)
{
    if (!m->failed && !m->write(m->user, text, strlen(text)))
        m->failed = true;
}

static const char *word_of(const vsg_obj_unit *unit)
{
    static const char *const linkages[] = {"extern", "static", "global"};

    return unit->is_function ? linkages[unit->linkage] : "kernel";
}

static void put_uses(map *m, const vsg_obj_unit *unit)
{
    for (size_t i = 0; i < unit->stored.num_function_relocs; i++) {
        put(m, "    uses function ");
        put(m, unit->stored.function_relocs[i].symbol);
        put(m, "\n");
    }
}

static void put_variable_uses(map *m, const vsg_obj_module *module, const vsg_obj_unit *unit)
{
    for (size_t i = 0; i < unit->stored.num_variable_relocs; i++) {
        put(m, "    uses variable ");
        put(m, module->file_variables[unit->stored.variable_relocs[i].resolved_index].name);
        put(m, "\n");
    }
}

visage_status vsg_lnk_map(const vsg_lnk_input *inputs, const vsg_lnk_result *result,
                          visage_write_fn write, void *user)
{
    static const char *const linkages[] = {"extern", "static", "global"};
    const vsg_obj_module *module = result->module;
    map m = {.write = write, .user = user};
    char text[128];

    for (size_t i = 0; i < module->num_file_variables; i++) {
        const vsg_obj_file_variable *v = &module->file_variables[i];
        (void)snprintf(text, sizeof text, "variable %s %u x %s ", linkages[v->linkage],
                       (unsigned)v->num_elements, vsg_isa_type(v->type)->text);
        put(&m, text);
        put(&m, v->name);
        put(&m, v->linkage == VSG_OBJ_LINKAGE_EXTERN ? " declared in " : " from ");
        put(&m, inputs[result->variable_inputs[i]].name);
        put(&m, "\n");
    }
    for (size_t i = 0; i < module->num_units; i++) {
        const vsg_obj_unit *unit = module->units[i];
        put(&m, word_of(unit));
        put(&m, unit->is_function ? " function " : " ");
        put(&m, unit->name);
        put(&m, " from ");
        put(&m, inputs[result->origins[i].input].name);
        put(&m, "\n");
        put_uses(&m, unit);
        put_variable_uses(&m, module, unit);
    }
    return m.failed ? VISAGE_IO : VISAGE_OK;
}
