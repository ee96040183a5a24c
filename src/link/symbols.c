/* SPDX-License-Identifier: MIT
 *
 * Symbols: what the inputs define, what a name means in each of them, names that collide. */
#include <stdlib.h>
#include <string.h>

#include "link/linker.h"

/* ---- collecting ------------------------------------------------------------------------- */

/* By name, then by input; in one input what it finds first under the name stands first. */
static int by_name(const void *a, const void *b)
{
    const vsg_lnk_symbol *x = *(const vsg_lnk_symbol *const *)a;
    const vsg_lnk_symbol *y = *(const vsg_lnk_symbol *const *)b;
    int order = strcmp(x->name, y->name);

    if (order != 0)
        return order;
    if (x->input != y->input)
        return x->input < y->input ? -1 : 1;
    if (x->binding != y->binding)
        return x->binding < y->binding ? -1 : 1;
    return x < y ? -1 : x > y;
}

static size_t count_all(const vsg_lnk_linker *l)
{
    size_t count = 0;

    for (size_t i = 0; i < l->num_inputs; i++)
        count += l->inputs[i].module->num_units + l->inputs[i].num_externals;
    return count;
}

/* The functions of each input, which relocations count. */
static bool list_functions(vsg_lnk_linker *l)
{
    l->functions = vsg_base_arena_new(&l->arena, l->num_inputs, sizeof *l->functions);
    l->num_functions = vsg_base_arena_new(&l->arena, l->num_inputs, sizeof *l->num_functions);
    if (!l->functions || !l->num_functions)
        return vsg_lnk_no_memory(l);
    for (size_t i = 0; i < l->num_inputs; i++) {
        const vsg_obj_module *module = l->inputs[i].module;
        l->functions[i] =
            vsg_base_arena_new(&l->arena, module->num_units + 1, sizeof *l->functions[i]);
        if (!l->functions[i])
            return vsg_lnk_no_memory(l);
        for (size_t n = 0; n < module->num_units; n++)
            if (module->units[n]->is_function)
                l->functions[i][l->num_functions[i]++] = module->units[n];
    }
    return true;
}

static vsg_lnk_binding binding_of(const vsg_lnk_input *input, const vsg_obj_unit *unit)
{
    if (!unit->is_function)
        return VSG_LNK_GLOBAL;
    if (unit->linkage == VSG_OBJ_LINKAGE_STATIC)
        return VSG_LNK_STATIC;
    return input->binds_first ||
                   vsg_obj_attribute_find(&unit->attributes, VSG_LNK_OWN_FIRST_ATTRIBUTE)
               ? VSG_LNK_OWN_FIRST
               : VSG_LNK_GLOBAL;
}

static vsg_lnk_symbol *add_symbol(vsg_lnk_linker *l, const char *name, size_t input,
                                  size_t index)
{
    vsg_lnk_symbol *symbol = &l->symbols[l->num_symbols];

    l->sorted[l->num_symbols++] = symbol;
    *symbol =
        (vsg_lnk_symbol){.name = name, .input = (uint32_t)input, .index = (uint32_t)index};
    return symbol;
}

static bool add_units(vsg_lnk_linker *l, size_t input)
{
    const vsg_obj_module *module = l->inputs[input].module;

    for (size_t i = 0; i < module->num_units; i++) {
        const vsg_obj_unit *unit = module->units[i];
        if (unit->stored.is_declaration)
            continue;
        vsg_lnk_symbol *symbol = add_symbol(l, unit->name, input, i);
        symbol->unit = unit;
        symbol->binding = binding_of(&l->inputs[input], unit);
        symbol->arg_grfs = vsg_obj_attribute_value(&unit->attributes, "ArgSize", 0);
        symbol->return_grfs = vsg_obj_attribute_value(&unit->attributes, "RetValSize", 0);
        if (!vsg_obj_resolver_init_calls(&symbol->calls, l->alloc, unit) ||
            !vsg_obj_resolver_init(&symbol->variables, l->alloc, unit))
            return vsg_lnk_no_memory(l);
    }
    return true;
}

static void add_data(vsg_lnk_linker *l, size_t input)
{
    const vsg_lnk_input *from = &l->inputs[input];

    for (size_t i = 0; i < from->num_externals; i++)
        if (from->externals[i].is_data)
            add_symbol(l, from->externals[i].name, input, i)->binding = VSG_LNK_DATA;
}

/* Keeps the first, and the first of another input. */
static void offer(vsg_lnk_symbol *kept[2], vsg_lnk_symbol *symbol)
{
    if (!kept[0])
        kept[0] = symbol;
    else if (!kept[1] && kept[0]->input != symbol->input)
        kept[1] = symbol;
}

/* Which symbols of each name other inputs may find. */
static bool group(vsg_lnk_linker *l)
{
    l->groups = vsg_base_arena_new(&l->arena, l->num_symbols + 1, sizeof *l->groups);
    if (!l->groups)
        return vsg_lnk_no_memory(l);
    for (size_t i = 0; i < l->num_symbols; i++) {
        vsg_lnk_symbol *symbol = l->sorted[i];
        if (i == 0 || strcmp(l->sorted[i - 1]->name, symbol->name) != 0)
            l->groups[l->num_groups++] = (vsg_lnk_group){.symbols = &l->sorted[i]};
        vsg_lnk_group *g = &l->groups[l->num_groups - 1];
        g->count++;
        if (symbol->binding == VSG_LNK_GLOBAL) {
            g->is_taken = true;
            if (symbol->unit->is_function && !g->global)
                g->global = symbol;
        }
        if (symbol->binding == VSG_LNK_OWN_FIRST)
            offer(g->functions, symbol);
        if (symbol->binding == VSG_LNK_OWN_FIRST || symbol->binding == VSG_LNK_DATA)
            offer(g->anything, symbol);
    }
    return true;
}

bool vsg_lnk_collect(vsg_lnk_linker *l)
{
    size_t count = count_all(l);

    l->symbols = vsg_base_new(l->alloc, count + 1, sizeof *l->symbols);
    l->sorted = vsg_base_new(l->alloc, count + 1, sizeof *l->sorted);
    l->cap_symbols = count + 1;
    if (!l->symbols || !l->sorted)
        return vsg_lnk_no_memory(l);
    if (!list_functions(l))
        return false;
    for (size_t i = 0; i < l->num_inputs; i++) {
        if (!add_units(l, i))
            return false;
        add_data(l, i);
    }
    qsort(l->sorted, l->num_symbols, sizeof(vsg_lnk_symbol *), by_name);
    return group(l);
}

/* ---- what a name means ------------------------------------------------------------------ */

vsg_lnk_group *vsg_lnk_group_of(const vsg_lnk_linker *l, const char *name)
{
    size_t low = 0, high = l->num_groups;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(l->groups[middle].symbols[0]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < l->num_groups && strcmp(l->groups[low].symbols[0]->name, name) == 0
               ? &l->groups[low]
               : NULL;
}

/* The input's own symbol that comes before the program's, NULL where it has none. */
static vsg_lnk_symbol *find_own(const vsg_lnk_group *g, uint32_t input, bool is_call)
{
    size_t low = 0, high = g->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (g->symbols[middle]->input < input)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == g->count || g->symbols[low]->input != input)
        return NULL;
    vsg_lnk_symbol *first = g->symbols[low];
    bool is_own = first->binding == VSG_LNK_STATIC || first->binding == VSG_LNK_OWN_FIRST ||
                  (first->binding == VSG_LNK_DATA && !is_call);
    return is_own ? first : NULL;
}

vsg_lnk_symbol *vsg_lnk_find(const vsg_lnk_linker *l, uint32_t input, const char *name,
                             bool is_call)
{
    const vsg_lnk_group *g = vsg_lnk_group_of(l, name);
    vsg_lnk_symbol *own = g ? find_own(g, input, is_call) : NULL;

    if (!g || own)
        return own;
    return g->global ? g->global : is_call ? g->functions[0] : g->anything[0];
}

const vsg_lnk_symbol *vsg_lnk_rival(const vsg_lnk_linker *l, uint32_t input,
                                    const vsg_lnk_symbol *found, bool is_call)
{
    const vsg_lnk_group *g = vsg_lnk_group_of(l, found->name);

    if (found->input == input || found->binding == VSG_LNK_GLOBAL)
        return NULL;
    return is_call ? g->functions[1] : g->anything[1];
}

/* ---- names that collide ----------------------------------------------------------------- */

vsg_base_location vsg_lnk_place(const vsg_lnk_linker *l, const vsg_lnk_symbol *symbol)
{
    vsg_base_location where = VSG_BASE_NOWHERE;

    if (!symbol->unit) {
        where.file = l->inputs[symbol->input].name;
        return where;
    }
    where = vsg_obj_locate(symbol->unit, NULL);
    where.line = symbol->unit->place.line;
    where.column = symbol->unit->place.column;
    where.end_column = symbol->unit->place.end_column;
    return where;
}

static const char *word_of(const vsg_lnk_symbol *symbol)
{
    return !symbol->unit ? "data" : symbol->unit->is_function ? "function" : "kernel";
}

void vsg_lnk_note(const vsg_lnk_linker *l, const vsg_lnk_symbol *symbol)
{
    vsg_base_location where = vsg_lnk_place(l, symbol);

    vsg_base_report(l->diagnostics, VSG_DIAG_LINK_FIRST, &where, word_of(symbol), symbol->name);
}

static void report_twice(vsg_lnk_linker *l, const vsg_lnk_symbol *first,
                         const vsg_lnk_symbol *second)
{
    vsg_base_location where = vsg_lnk_place(l, second);

    if (first->unit->is_function == second->unit->is_function)
        vsg_base_report(l->diagnostics, VSG_DIAG_LINK_TWICE, &where, word_of(second),
                        second->name);
    else
        vsg_base_report(l->diagnostics, VSG_DIAG_LINK_KIND, &where, second->name,
                        word_of(second), word_of(first));
    vsg_lnk_note(l, first);
    vsg_lnk_fail(l, VISAGE_INVALID);
}

void vsg_lnk_check_names(vsg_lnk_linker *l)
{
    for (size_t i = 0; i < l->num_groups; i++) {
        const vsg_lnk_symbol *global = NULL, *own = NULL;
        for (size_t n = 0; n < l->groups[i].count; n++) {
            const vsg_lnk_symbol *symbol = l->groups[i].symbols[n];
            if (symbol->binding == VSG_LNK_GLOBAL && global)
                report_twice(l, global, symbol);
            if (symbol->binding == VSG_LNK_STATIC && own && own->input == symbol->input)
                report_twice(l, own, symbol);
            if (symbol->binding == VSG_LNK_GLOBAL)
                global = symbol;
            if (symbol->binding == VSG_LNK_STATIC)
                own = symbol;
        }
    }
}

/* Who has a name that others have, too: the global one, else the first that others may find,
 * unless something that is to come from a later link is called so, or what comes then could not
 * tell which of several it is. */
static bool rename_group(vsg_lnk_linker *l, vsg_lnk_group *g)
{
    bool is_taken =
        g->is_taken || g->is_wanted || (l->options->partial && g->functions[1] != NULL);
    unsigned number = 0;

    for (size_t i = 0; i < g->count; i++) {
        vsg_lnk_symbol *symbol = g->symbols[i];
        if (symbol->binding == VSG_LNK_GLOBAL)
            continue;
        if (symbol->binding != VSG_LNK_STATIC && !is_taken) {
            is_taken = true;
            continue;
        }
        symbol->new_name = vsg_lnk_new_name(l, symbol->name, &number);
        if (!symbol->new_name)
            return false;
    }
    return true;
}

bool vsg_lnk_rename(vsg_lnk_linker *l)
{
    for (size_t i = 0; i < l->num_groups; i++)
        if ((l->groups[i].count > 1 || l->groups[i].is_wanted) &&
            !rename_group(l, &l->groups[i]))
            return false;
    return true;
}

/* ---- containers ------------------------------------------------------------------------- */

void vsg_lnk_check_externals(vsg_lnk_linker *l)
{
    for (size_t i = 0; i < l->num_inputs; i++)
        for (size_t n = 0; n < l->inputs[i].num_externals; n++) {
            const vsg_lnk_external *external = &l->inputs[i].externals[n];
            vsg_base_location where = {.file = l->inputs[i].name, .instruction = -1};
            if (!external->is_data && external->is_used)
                (void)vsg_lnk_check_name(l, (uint32_t)i, external->name, false, &where);
        }
}

static bool name_external(vsg_lnk_linker *l, const vsg_lnk_symbol *symbol, size_t at)
{
    const char *name = symbol->new_name ? symbol->new_name : symbol->name;

    l->out->names[at] = vsg_obj_text(l->out->module, name, strlen(name));
    return l->out->names[at] || vsg_lnk_no_memory(l);
}

bool vsg_lnk_name_externals(vsg_lnk_linker *l)
{
    vsg_lnk_result *out = l->out;
    size_t *first = vsg_base_arena_new(&l->arena, l->num_inputs + 1, sizeof *first);

    if (!first)
        return vsg_lnk_no_memory(l);
    for (size_t i = 0; i < l->num_inputs; i++)
        first[i + 1] = first[i] + l->inputs[i].num_externals;
    out->num_names = first[l->num_inputs] + 1;
    out->names = vsg_base_new(l->alloc, out->num_names, sizeof *out->names);
    if (!out->names)
        return vsg_lnk_no_memory(l);
    for (size_t i = 0; i < l->num_inputs; i++)
        for (size_t n = 0; n < l->inputs[i].num_externals; n++) {
            const vsg_lnk_external *external = &l->inputs[i].externals[n];
            const vsg_lnk_symbol *found =
                external->is_data ? NULL : vsg_lnk_find(l, (uint32_t)i, external->name, false);
            if (found && !name_external(l, found, first[i] + n))
                return false;
        }
    /* A container may call several things alike: each has its own symbol. */
    for (size_t i = 0; i < l->num_symbols; i++) {
        const vsg_lnk_symbol *symbol = &l->symbols[i];
        if (symbol->binding == VSG_LNK_DATA &&
            !name_external(l, symbol, first[symbol->input] + symbol->index))
            return false;
    }
    return true;
}
