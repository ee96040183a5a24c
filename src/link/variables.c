/* SPDX-License-Identifier: MIT
 *
 * File-scope variables: one for the program of each global name, one for each static of an
 * object, and what externs and aliases refer to. */
#include <stdlib.h>
#include <string.h>

#include "link/linker.h"

bool vsg_lnk_no_memory(vsg_lnk_linker *l)
{
    if (l->status != VISAGE_NO_MEMORY)
        vsg_base_report(l->diagnostics, VSG_DIAG_NO_MEMORY, &VSG_BASE_NOWHERE);
    l->status = VISAGE_NO_MEMORY;
    return false;
}

void vsg_lnk_fail(vsg_lnk_linker *l, visage_status status)
{
    if (l->status == VISAGE_OK)
        l->status = status;
}

/* ---- collecting ------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const vsg_lnk_variable *x = *(const vsg_lnk_variable *const *)a;
    const vsg_lnk_variable *y = *(const vsg_lnk_variable *const *)b;
    int order = strcmp(x->variable->name, y->variable->name);

    if (order != 0)
        return order;
    return x < y ? -1 : x > y;
}

static vsg_base_location locate(const vsg_lnk_linker *l, const vsg_lnk_variable *variable)
{
    vsg_base_location where = VSG_BASE_NOWHERE;

    where.file = l->inputs[variable->input].name;
    where.line = variable->variable->place.line;
    where.column = variable->variable->place.column;
    where.end_column = variable->variable->place.end_column;
    return where;
}

static void note_first(const vsg_lnk_linker *l, const vsg_lnk_variable *variable)
{
    vsg_base_location where = locate(l, variable);

    vsg_base_report(l->diagnostics, VSG_DIAG_LINK_FIRST, &where, "file-scope variable",
                    variable->variable->name);
}

static bool is_called(const vsg_lnk_variable *v, const char *name)
{
    return strcmp(v->variable->name, name) == 0;
}

/* What has the name in other files, and is their own. */
static void note_statics(vsg_lnk_linker *l, const vsg_lnk_variable *missing)
{
    const char *name = missing->variable->name;
    vsg_lnk_variable **sorted = l->sorted_variables;
    vsg_lnk_variable **at =
        bsearch(&missing, sorted, l->num_variables, sizeof(vsg_lnk_variable *), by_name);
    unsigned notes = 0;

    if (!at)
        return;
    size_t i = (size_t)(at - sorted);
    while (i > 0 && is_called(sorted[i - 1], name))
        i--;
    for (; i < l->num_variables && notes < VSG_LNK_MOST_NOTES && is_called(sorted[i], name);
         i++) {
        vsg_base_location where = locate(l, sorted[i]);
        if (sorted[i]->variable->linkage != VSG_OBJ_LINKAGE_STATIC)
            continue;
        vsg_base_report(l->diagnostics, VSG_DIAG_LINK_HIDDEN, &where,
                        "static file-scope variable", name, "it is its own file's alone");
        notes++;
    }
}

static void report_missing(vsg_lnk_linker *l, const vsg_lnk_variable *variable)
{
    vsg_base_location where = locate(l, variable);

    vsg_base_report(l->diagnostics, VSG_DIAG_LINK_MISSING, &where, "file-scope variable",
                    variable->variable->name);
    note_statics(l, variable);
    vsg_lnk_fail(l, VISAGE_UNRESOLVED);
}

static void compare(vsg_lnk_linker *l, const vsg_lnk_variable *use,
                    const vsg_lnk_variable *definition)
{
    const vsg_obj_file_variable *a = use->variable, *b = definition->variable;

    if (a->type == b->type && a->num_elements == b->num_elements)
        return;
    vsg_base_location where = locate(l, use);
    vsg_base_report(l->diagnostics, VSG_DIAG_LINK_VARIABLE, &where, a->name,
                    (unsigned)a->num_elements, vsg_isa_type(a->type)->text,
                    (unsigned)b->num_elements, vsg_isa_type(b->type)->text,
                    b->linkage == VSG_OBJ_LINKAGE_EXTERN ? "declared" : "defined");
    note_first(l, definition);
    vsg_lnk_fail(l, VISAGE_INVALID);
}

/* Where a declaration and the definition both have attributes, these are the same ones. */
static void compare_attributes(vsg_lnk_linker *l, const vsg_lnk_variable *use,
                               const vsg_lnk_variable *known)
{
    const vsg_obj_file_variable *a = use->variable, *b = known->variable;

    if (a->attribute_count == b->attribute_count && a->attribute_bytes == b->attribute_bytes &&
        memcmp(a->attributes, b->attributes, a->attribute_bytes) == 0)
        return;
    vsg_base_location where = locate(l, use);
    vsg_base_report(l->diagnostics, VSG_DIAG_LINK_ATTRIBUTES, &where, a->name);
    note_first(l, known);
    vsg_lnk_fail(l, VISAGE_INVALID);
}

/* The codes of alignments, from the least to the strictest: a GRF has 32 or 64 bytes. */
static unsigned strictness(uint8_t align)
{
    static const uint8_t codes[] = {0, 1, 2, 3, 4, 7, 5, 8, 6, 9};
    unsigned rank = 0;

    while (rank < sizeof codes && codes[rank] != align)
        rank++;
    return rank;
}

/* What a definition has of its declarations: the strictest alignment, and attributes where it
 * has none of its own. */
static void take_facts(vsg_lnk_linker *l, vsg_lnk_variable *definition,
                       vsg_lnk_variable *declaration)
{
    if (strictness(declaration->variable->align) > strictness(definition->align))
        definition->align = declaration->variable->align;
    if (declaration->variable->attribute_count == 0)
        return;
    if (definition->attributes)
        compare_attributes(l, declaration, definition->attributes);
    else
        definition->attributes = declaration;
}

/* Variables of one name: at most one of them is global, externs refer to it, statics keep to
 * themselves. */
static bool resolve(vsg_lnk_linker *l, vsg_lnk_variable **group, size_t count)
{
    vsg_lnk_variable *definition = NULL;
    unsigned number = 0;

    for (size_t i = 0; i < count; i++) {
        vsg_lnk_variable *v = group[i];
        if (v->variable->linkage == VSG_OBJ_LINKAGE_EXTERN)
            continue;
        v->definition = v;
        if (v->variable->linkage == VSG_OBJ_LINKAGE_STATIC) {
            v->new_name = count > 1 ? vsg_lnk_new_name(l, v->variable->name, &number) : NULL;
            if (count > 1 && !v->new_name)
                return false;
        } else if (definition) {
            vsg_base_location where = locate(l, v);
            vsg_base_report(l->diagnostics, VSG_DIAG_LINK_TWICE, &where, "file-scope variable",
                            v->variable->name);
            note_first(l, definition);
            vsg_lnk_fail(l, VISAGE_INVALID);
        } else {
            definition = v;
        }
    }
    vsg_lnk_variable *first_extern = NULL;
    for (size_t i = 0; i < count; i++) {
        vsg_lnk_variable *v = group[i];
        if (v->variable->linkage != VSG_OBJ_LINKAGE_EXTERN)
            continue;
        if (l->options->partial && !first_extern)
            first_extern = v;
        v->definition = definition ? definition : first_extern;
        if (!v->definition || v->definition == v)
            continue;
        compare(l, v, v->definition);
        take_facts(l, v->definition, v);
    }
    return true;
}

static bool number_variables(vsg_lnk_linker *l)
{
    size_t count = 0;

    for (size_t i = 0; i < l->num_inputs; i++)
        count += l->inputs[i].module->num_file_variables;
    l->num_variables = count;
    l->variables = vsg_base_new(l->alloc, count + 1, sizeof *l->variables);
    l->sorted_variables = vsg_base_new(l->alloc, count + 1, sizeof *l->sorted_variables);
    l->first_variable = vsg_base_new(l->alloc, l->num_inputs + 1, sizeof *l->first_variable);
    return (l->variables && l->sorted_variables && l->first_variable) || vsg_lnk_no_memory(l);
}

bool vsg_lnk_collect_variables(vsg_lnk_linker *l)
{
    size_t count = 0;

    if (!number_variables(l))
        return false;
    for (size_t i = 0; i < l->num_inputs; i++) {
        const vsg_obj_module *module = l->inputs[i].module;
        l->first_variable[i] = count;
        for (size_t n = 0; n < module->num_file_variables; n++, count++) {
            vsg_lnk_variable *v = &l->variables[count];
            *v = (vsg_lnk_variable){.variable = &module->file_variables[n],
                                    .input = (uint32_t)i,
                                    .number = VSG_LNK_NONE};
            v->align = v->variable->align;
            v->attributes = v->variable->attribute_count ? v : NULL;
            l->sorted_variables[count] = &l->variables[count];
        }
    }
    qsort(l->sorted_variables, count, sizeof(vsg_lnk_variable *), by_name);
    for (size_t begin = 0, end; begin < count; begin = end) {
        const char *name = l->sorted_variables[begin]->variable->name;
        end = begin + 1;
        while (end < count && strcmp(l->sorted_variables[end]->variable->name, name) == 0)
            end++;
        if (!resolve(l, &l->sorted_variables[begin], end - begin))
            return false;
    }
    return true;
}

void vsg_lnk_free_variables(vsg_lnk_linker *l)
{
    vsg_base_delete(l->alloc, l->variables, l->num_variables + 1, sizeof *l->variables);
    vsg_base_delete(l->alloc, l->sorted_variables, l->num_variables + 1,
                    sizeof *l->sorted_variables);
    vsg_base_delete(l->alloc, l->first_variable, l->num_inputs + 1, sizeof *l->first_variable);
}

/* ---- in the linked module --------------------------------------------------------------- */

/* The variable that an alias of a symbol's unit names: its index is resolved by the relocation
 * table where that has it, else it is the variable's own. NULL after a report. */
static vsg_lnk_variable *aliased(vsg_lnk_linker *l, const vsg_lnk_symbol *symbol,
                                 const vsg_obj_variable *variable)
{
    size_t count = l->inputs[symbol->input].module->num_file_variables;
    uint32_t index = vsg_obj_resolve(&symbol->variables, variable->alias);

    if (index >= count) {
        vsg_base_location where = vsg_obj_locate(symbol->unit, NULL);
        vsg_base_report(l->diagnostics, VSG_DIAG_LINK_RELOCATION, &where, "file-scope variable",
                        (unsigned)index, count);
        vsg_lnk_fail(l, VISAGE_INVALID);
        return NULL;
    }
    vsg_lnk_variable *v = &l->variables[l->first_variable[symbol->input] + index];
    if (v->definition)
        return v;
    if (!v->is_told)
        report_missing(l, v);
    v->is_told = true;
    return NULL;
}

void vsg_lnk_check_variables(vsg_lnk_linker *l)
{
    for (size_t i = 0; i < l->num_symbols; i++) {
        const vsg_lnk_symbol *symbol = &l->symbols[i];
        size_t count = symbol->unit && symbol->is_reached ? symbol->unit->num_variables : 0;
        for (size_t n = 0; n < count; n++)
            if (symbol->unit->variables[n].alias_is_global)
                (void)aliased(l, symbol, &symbol->unit->variables[n]);
    }
}

static bool define(vsg_lnk_linker *l, vsg_lnk_variable *v)
{
    vsg_obj_module *module = l->out->module;
    const char *name = v->new_name ? v->new_name : v->variable->name;
    vsg_obj_file_variable *added;

    if (v->number != VSG_LNK_NONE)
        return true;
    name = vsg_obj_text(module, name, strlen(name));
    added = name ? vsg_obj_add_file_variable(module) : NULL;
    if (!added)
        return vsg_lnk_no_memory(l);
    v->number = (uint32_t)module->num_file_variables - 1;
    l->out->variable_inputs[v->number] = v->input;
    if (v->number >= UINT16_MAX) {
        vsg_base_report(l->diagnostics, VSG_DIAG_TOO_LARGE, &VSG_BASE_NOWHERE,
                        "the number of file-scope variables", (unsigned long long)v->number + 1,
                        (unsigned long long)UINT16_MAX);
        vsg_lnk_fail(l, VISAGE_INVALID);
        return false;
    }
    *added = *v->variable;
    added->name = name;
    added->align = v->align;
    if (!v->attributes)
        return true;
    /* Their names are numbers of strings, of which no page says whose: they stay. */
    const vsg_obj_file_variable *from = v->attributes->variable;
    uint8_t *bytes =
        vsg_base_arena_copy(&module->arena, from->attributes, 1, from->attribute_bytes);
    added->attributes = bytes;
    added->attribute_count = from->attribute_count;
    added->attribute_bytes = from->attribute_bytes;
    return bytes || vsg_lnk_no_memory(l);
}

bool vsg_lnk_define_variables(vsg_lnk_linker *l)
{
    l->out->num_variable_inputs = l->num_variables + 1;
    l->out->variable_inputs =
        vsg_base_new(l->alloc, l->out->num_variable_inputs, sizeof *l->out->variable_inputs);
    if (!l->out->variable_inputs)
        return vsg_lnk_no_memory(l);

    for (size_t i = 0; i < l->num_variables && !l->options->gc; i++)
        if (l->variables[i].definition && !define(l, l->variables[i].definition))
            return false;
    for (size_t i = 0; i < l->num_symbols; i++) {
        const vsg_lnk_symbol *symbol = &l->symbols[i];
        size_t count = symbol->unit && symbol->is_reached ? symbol->unit->num_variables : 0;
        for (size_t n = 0; n < count; n++) {
            if (!symbol->unit->variables[n].alias_is_global)
                continue;
            vsg_lnk_variable *v = aliased(l, symbol, &symbol->unit->variables[n]);
            if (v && !define(l, v->definition))
                return false;
        }
    }
    return l->status == VISAGE_OK;
}

bool vsg_lnk_adopt_variables(vsg_lnk_linker *l, const vsg_lnk_symbol *symbol,
                             vsg_obj_unit *unit)
{
    size_t count = 0;

    for (size_t i = 0; i < unit->num_variables; i++)
        count += unit->variables[i].alias_is_global;
    if (count == 0)
        return true;
    unit->stored.variable_relocs =
        vsg_base_arena_new(&l->out->module->arena, count, sizeof *unit->stored.variable_relocs);
    if (!unit->stored.variable_relocs)
        return vsg_lnk_no_memory(l);
    for (size_t i = 0; i < unit->num_variables; i++) {
        if (!unit->variables[i].alias_is_global)
            continue;
        const vsg_lnk_variable *v = aliased(l, symbol, &symbol->unit->variables[i]);
        uint32_t number = v->definition->number;
        uint32_t me = (uint32_t)l->out->module->num_units;
        vsg_obj_reloc *relocs = unit->stored.variable_relocs;
        unit->variables[i].alias = number;
        if (v->definition->seen_by == me)
            continue;
        v->definition->seen_by = me;
        relocs[unit->stored.num_variable_relocs++] = (vsg_obj_reloc){
            .symbolic_index = (uint16_t)number, .resolved_index = (uint16_t)number};
    }
    return true;
}
