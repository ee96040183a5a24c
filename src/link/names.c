/* SPDX-License-Identifier: MIT
 *
 * Every name that the inputs define, declare or refer to: a static that has to be renamed gets
 * none of them. And which function a relocation means. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/linker.h"

/* ---- names that are taken --------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool add(vsg_lnk_linker *l, const char *name)
{
    void *names = (void *)l->names;

    if (!vsg_base_grow(l->alloc, &names, l->num_names, &l->cap_names, sizeof *l->names))
        return vsg_lnk_no_memory(l);
    l->names = names;
    l->names[l->num_names++] = name;
    return true;
}

static bool add_unit(vsg_lnk_linker *l, const vsg_obj_unit *unit)
{
    bool good = add(l, unit->name);

    for (size_t i = 0; good && i < unit->num_function_decls; i++)
        good = add(l, unit->function_decls[i]);
    for (size_t i = 0; good && i < unit->num_insts; i++) {
        const vsg_obj_operand *operand = vsg_obj_function_operand(&unit->insts[i]);
        good = !operand || add(l, operand->name);
    }
    return good;
}

static bool list_names(vsg_lnk_linker *l)
{
    for (size_t i = 0; i < l->num_inputs; i++) {
        const vsg_obj_module *module = l->inputs[i].module;
        for (size_t n = 0; n < module->num_file_variables; n++)
            if (!add(l, module->file_variables[n].name))
                return false;
        for (size_t n = 0; n < module->num_units; n++)
            if (!add_unit(l, module->units[n]))
                return false;
        for (size_t n = 0; n < l->inputs[i].num_externals; n++)
            if (!add(l, l->inputs[i].externals[n].name))
                return false;
    }
    qsort((void *)l->names, l->num_names, sizeof *l->names, by_text);
    return true;
}

const char *vsg_lnk_new_name(vsg_lnk_linker *l, const char *name, unsigned *number)
{
    enum { LONGEST_NUMBER = 16 };
    size_t size = strlen(name) + LONGEST_NUMBER;

    if (!l->names && !list_names(l))
        return NULL;
    char *text = vsg_base_arena_new(&l->arena, size, 1);
    if (!text) {
        (void)vsg_lnk_no_memory(l);
        return NULL;
    }
    do
        (void)snprintf(text, size, "%s__%u", name, ++*number);
    while (bsearch(&text, (const void *)l->names, l->num_names, sizeof *l->names, by_text));
    return text;
}

void vsg_lnk_free_names(vsg_lnk_linker *l)
{
    vsg_base_delete(l->alloc, (void *)l->names, l->cap_names, sizeof *l->names);
}
