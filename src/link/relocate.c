/* SPDX-License-Identifier: MIT
 *
 * The relocation tables of the linked module, and its map. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/linker.h"

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
        most += vsg_obj_function_operand(&unit->insts[i]) != NULL;
    if (most == 0)
        return true;
    stored->function_relocs =
        vsg_base_arena_new(&l->out->module->arena, most, sizeof *stored->function_relocs);
    if (!stored->function_relocs)
        return vsg_lnk_no_memory(l);
    for (size_t i = 0; i < unit->num_insts; i++) {
        const vsg_obj_operand *operand = vsg_obj_function_operand(&unit->insts[i]);
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
    const vsg_base_alloc *alloc;
    visage_write_fn write;
    void *user;
    visage_status status;
    const char **data; /* names of the containers' data, sorted */
    size_t num_data, cap_data;
} map;

static void put(map *m, const char *text)
{
    if (m->status == VISAGE_OK && !m->write(m->user, text, strlen(text)))
        m->status = VISAGE_IO;
}

static void put_line(map *m, const char *before, const char *name)
{
    put(m, before);
    put(m, name);
    put(m, "\n");
}

static const char *word_of(const vsg_obj_unit *unit)
{
    static const char *const linkages[] = {"extern", "static", "global"};

    return unit->is_function ? linkages[unit->linkage] : "kernel";
}

static void put_uses(map *m, const vsg_obj_unit *unit)
{
    for (size_t i = 0; i < unit->stored.num_function_relocs; i++)
        put_line(m, "    uses function ", unit->stored.function_relocs[i].symbol);
}

static void put_variable_uses(map *m, const vsg_obj_module *module, const vsg_obj_unit *unit)
{
    const vsg_obj_reloc *relocs = unit->stored.variable_relocs;

    for (size_t i = 0; i < unit->stored.num_variable_relocs; i++)
        put_line(m, "    uses variable ",
                 module->file_variables[relocs[i].resolved_index].name);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Each once. */
static void put_data_uses(map *m, const vsg_obj_unit *unit)
{
    size_t count = 0, most = 0;

    for (size_t i = 0; i < unit->num_insts; i++)
        most += unit->insts[i].op == VISAGE_OP_FADDR;
    if (most == 0 || m->num_data == 0)
        return;
    const char **used = vsg_base_new(m->alloc, most, sizeof *used);
    if (!used) {
        m->status = VISAGE_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < unit->num_insts; i++) {
        const vsg_obj_operand *operand = unit->insts[i].op == VISAGE_OP_FADDR
                                             ? vsg_obj_function_operand(&unit->insts[i])
                                             : NULL;
        if (operand && bsearch(&operand->name, (const void *)m->data, m->num_data,
                               sizeof *m->data, by_text))
            used[count++] = operand->name;
    }
    qsort((void *)used, count, sizeof *used, by_text);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(used[i - 1], used[i]) != 0)
            put_line(m, "    uses data ", used[i]);
    vsg_base_delete(m->alloc, (void *)used, most, sizeof *used);
}

/* What the containers define, and what their data refers to. names: as the result has them. */
static void put_data(map *m, const vsg_lnk_input *input, const char *const *names)
{
    bool is_first = true;

    for (size_t i = 0; i < input->num_externals; i++) {
        if (!input->externals[i].is_data || !names[i])
            continue;
        m->data[m->num_data++] = names[i];
        put(m, "data ");
        put(m, names[i]);
        put_line(m, " from ", input->name);
    }
    for (size_t i = 0; i < input->num_externals; i++) {
        if (!input->externals[i].is_used)
            continue;
        if (is_first)
            put_line(m, "relocations of ", input->name);
        is_first = false;
        put_line(m, input->externals[i].is_data ? "    use data " : "    use ",
                 names[i] ? names[i] : input->externals[i].name);
    }
}

static void put_all_data(map *m, const vsg_lnk_input *inputs, const vsg_lnk_result *result)
{
    size_t begin = 0;

    m->cap_data = result->num_names + 1;
    m->data = vsg_base_new(m->alloc, m->cap_data, sizeof *m->data);
    if (!m->data)
        m->status = VISAGE_NO_MEMORY;
    for (size_t i = 0; m->data && begin + 1 < result->num_names; i++) {
        put_data(m, &inputs[i], result->names + begin);
        begin += inputs[i].num_externals;
    }
    if (m->data)
        qsort((void *)m->data, m->num_data, sizeof *m->data, by_text);
}

visage_status vsg_lnk_map(const vsg_lnk_input *inputs, const vsg_lnk_result *result,
                          visage_write_fn write, void *user)
{
    static const char *const linkages[] = {"extern", "static", "global"};
    const vsg_obj_module *module = result->module;
    map m = {.alloc = &module->alloc, .write = write, .user = user};
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
    put_all_data(&m, inputs, result);
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
        put_data_uses(&m, unit);
    }
    vsg_base_delete(m.alloc, (void *)m.data, m.cap_data, sizeof *m.data);
    return m.status;
}
