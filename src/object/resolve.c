/* SPDX-License-Identifier: MIT */
#include "object/resolve.h"

#include "object/naming.h"

#include <stdlib.h>
#include <string.h>

/* ---- indices of a unit ------------------------------------------------------------------ */

static int by_symbol(const void *a, const void *b)
{
    const vsg_obj_reloc *x = *(const vsg_obj_reloc *const *)a;
    const vsg_obj_reloc *y = *(const vsg_obj_reloc *const *)b;

    if (x->symbolic_index != y->symbolic_index)
        return x->symbolic_index < y->symbolic_index ? -1 : 1;
    return (x > y) - (x < y);
}

static bool init(vsg_obj_resolver *resolver, const vsg_base_alloc *alloc,
                 const vsg_obj_reloc *relocs, size_t count)
{
    *resolver = (vsg_obj_resolver){0};
    if (count == 0)
        return true;
    resolver->relocs = vsg_base_new(alloc, count, sizeof *resolver->relocs);
    if (!resolver->relocs)
        return false;
    resolver->count = count;
    for (size_t i = 0; i < count; i++)
        resolver->relocs[i] = &relocs[i];
    qsort(resolver->relocs, count, sizeof *resolver->relocs, by_symbol);
    return true;
}

bool vsg_obj_resolver_init(vsg_obj_resolver *resolver, const vsg_base_alloc *alloc,
                           const vsg_obj_unit *unit)
{
    return init(resolver, alloc, unit->stored.variable_relocs,
                unit->stored.num_variable_relocs);
}

bool vsg_obj_resolver_init_calls(vsg_obj_resolver *resolver, const vsg_base_alloc *alloc,
                                 const vsg_obj_unit *unit)
{
    return init(resolver, alloc, unit->stored.function_relocs,
                unit->stored.num_function_relocs);
}

void vsg_obj_resolver_free(vsg_obj_resolver *resolver, const vsg_base_alloc *alloc)
{
    vsg_base_delete(alloc, resolver->relocs, resolver->count, sizeof *resolver->relocs);
    *resolver = (vsg_obj_resolver){0};
}

static const vsg_obj_reloc *find(const vsg_obj_resolver *resolver, size_t symbol)
{
    size_t low = 0, high = resolver->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (resolver->relocs[middle]->symbolic_index < symbol)
            low = middle + 1;
        else
            high = middle;
    }
    return low < resolver->count && resolver->relocs[low]->symbolic_index == symbol
               ? resolver->relocs[low]
               : NULL;
}

uint32_t vsg_obj_resolve(const vsg_obj_resolver *resolver, uint32_t symbol)
{
    const vsg_obj_reloc *found = find(resolver, symbol);

    return found ? found->resolved_index : symbol;
}

bool vsg_obj_resolve_call(const vsg_obj_resolver *calls, const vsg_obj_unit *unit,
                          vsg_obj_layout layout, const char *name, uint32_t *number)
{
    size_t symbol;

    if (calls->count == 0 || !vsg_obj_stored_find(&unit->stored, name, &symbol))
        return false;
    /* The document's pool begins with a null string, which is not among those kept. */
    const vsg_obj_reloc *found = find(calls, symbol + (layout == VSG_OBJ_LAYOUT_DOC));
    if (!found || found->symbol) /* made here, after the name */
        return false;
    *number = found->resolved_index;
    return true;
}

/* ---- definitions ------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
    const vsg_obj_file_variable *x = *(const vsg_obj_file_variable *const *)a;
    const vsg_obj_file_variable *y = *(const vsg_obj_file_variable *const *)b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x > y) - (x < y);
}

/* Fills in the definitions of the variables that have one name. */
static void define(const vsg_obj_module *module, const vsg_obj_file_variable **same,
                   size_t count, uint32_t *out)
{
    uint32_t global = VSG_OBJ_NO_ALIAS;

    for (size_t i = 0; i < count && global == VSG_OBJ_NO_ALIAS; i++)
        if (same[i]->linkage == VSG_OBJ_LINKAGE_GLOBAL)
            global = (uint32_t)(same[i] - module->file_variables);
    for (size_t i = 0; i < count; i++) {
        size_t index = (size_t)(same[i] - module->file_variables);
        out[index] = same[i]->linkage == VSG_OBJ_LINKAGE_EXTERN ? global : (uint32_t)index;
    }
}

bool vsg_obj_define_variables(const vsg_obj_module *module, uint32_t *out)
{
    size_t count = module->num_file_variables, end;
    const vsg_obj_file_variable **sorted;

    if (count == 0)
        return true;
    sorted = vsg_base_new(&module->alloc, count, sizeof *sorted);
    if (!sorted)
        return false;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &module->file_variables[i];
    qsort(sorted, count, sizeof *sorted, by_name);
    for (size_t begin = 0; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && strcmp(sorted[end]->name, sorted[begin]->name) == 0)
            end++;
        define(module, &sorted[begin], end - begin, out);
    }
    vsg_base_delete(&module->alloc, sorted, count, sizeof *sorted);
    return true;
}
