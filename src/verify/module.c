/* SPDX-License-Identifier: MIT
 *
 * The module as a whole: names and linkage, file-scope variables, and what the header says of
 * each kernel and function. Sources: 4_visa_header, Virtual ISA Header; spec dialect 1. */
#include <stdlib.h>
#include <string.h>

#include "verify/check.h"

/* ---- names ------------------------------------------------------------------------------ */

enum { KERNEL, FUNCTION, VARIABLE };
static const char *const kinds[] = {"kernel", "function", "file-scope variable"};

typedef struct definition {
    const char *name;
    size_t index; /* of its table */
    int kind;
} definition;

/* Kernels and functions share their names, and the table of units. */
static bool is_unit(const definition *d)
{
    return d->kind != VARIABLE;
}

/* In the order of the file where names are the same. */
static int by_name(const void *a, const void *b)
{
    const definition *x = a, *y = b;
    int order = is_unit(x) == is_unit(y) ? strcmp(x->name, y->name) : is_unit(y) - is_unit(x);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static size_t collect(const vsg_obj_module *module, definition *out)
{
    size_t count = 0;

    for (size_t i = 0; i < module->num_units; i++) {
        const vsg_obj_unit *unit = module->units[i];
        if (!unit->stored.is_declaration)
            out[count++] = (definition){unit->name, i, unit->is_function ? FUNCTION : KERNEL};
    }
    for (size_t i = 0; i < module->num_file_variables; i++)
        if (module->file_variables[i].linkage == VSG_OBJ_LINKAGE_GLOBAL)
            out[count++] = (definition){module->file_variables[i].name, i, VARIABLE};
    return count;
}

static void report_twice(vsg_ver_state *state, const definition *first,
                         const definition *second)
{
    const vsg_obj_module *module = state->module;
    const char *kind = kinds[second->kind];

    if (second->kind == VARIABLE) {
        const vsg_obj_file_variable *table = module->file_variables;
        vsg_ver_report_place(state, &table[second->index].place, VSG_RULE_NAME_TWICE, kind,
                             second->name);
        vsg_ver_note_place(state, &table[first->index].place, "'%s' first defined here",
                           first->name);
        return;
    }
    state->unit = module->units[second->index];
    vsg_ver_report_place(state, &state->unit->place, VSG_RULE_NAME_TWICE, kind, second->name);
    vsg_ver_note_unit(state, module->units[first->index], "'%s' first defined here",
                      first->name);
    state->unit = NULL;
}

static void check_names(vsg_ver_state *state)
{
    const vsg_obj_module *module = state->module;
    size_t most = module->num_units + module->num_file_variables;

    if (most < 2)
        return;
    definition *table = vsg_base_new(&module->alloc, most, sizeof *table);
    if (!table) {
        state->no_memory = true;
        return;
    }
    size_t count = collect(module, table);
    qsort(table, count, sizeof *table, by_name);
    for (size_t i = 1; i < count && !vsg_ver_stop(state); i++)
        if (is_unit(&table[i]) == is_unit(&table[i - 1]) &&
            strcmp(table[i].name, table[i - 1].name) == 0)
            report_twice(state, &table[i - 1], &table[i]);
    vsg_base_delete(&module->alloc, table, most, sizeof *table);
}

/* ---- file-scope variables --------------------------------------------------------------- */

static void check_file_variable(vsg_ver_state *state, const vsg_obj_file_variable *variable)
{
    const uint32_t types = 1u << VISAGE_TYPE_UD | 1u << VISAGE_TYPE_D | 1u << VISAGE_TYPE_UW |
                           1u << VISAGE_TYPE_W | 1u << VISAGE_TYPE_UB | 1u << VISAGE_TYPE_B |
                           1u << VISAGE_TYPE_UQ | 1u << VISAGE_TYPE_Q | 1u << VISAGE_TYPE_DF |
                           1u << VISAGE_TYPE_F;
    const vsg_isa_type_info *type = vsg_isa_type(variable->type);

    if (!type || !(types >> variable->type & 1u))
        vsg_ver_report_place(state, &variable->place, VSG_RULE_FILE_TYPE, variable->name,
                             type ? type->text : "none");
    if (!vsg_isa_word(VSG_ISA_WORDS_ALIGN, variable->align))
        vsg_ver_report_place(state, &variable->place, VSG_RULE_FILE_ALIGN, variable->name,
                             variable->align);
}

/* ---- what the header says of a unit ----------------------------------------------------- */

/* Real files call functions extern that are there; reading them makes those global. */
static void check_linkage(vsg_ver_state *state, const vsg_obj_unit *unit)
{
    const vsg_obj_place *place = &unit->place;

    if (!unit->is_function)
        return;
    if (unit->linkage == VSG_OBJ_LINKAGE_EXTERN && !unit->stored.is_declaration)
        vsg_ver_report_place(state, place, VSG_RULE_EXTERN_BODY, unit->name);
    if (unit->linkage != VSG_OBJ_LINKAGE_EXTERN && unit->stored.is_declaration)
        vsg_ver_report_place(state, place, VSG_RULE_NO_BODY, unit->name,
                             unit->linkage == VSG_OBJ_LINKAGE_STATIC ? "static" : "global");
}

static void check_relocs(vsg_ver_state *state, vsg_ver_rule rule, const vsg_obj_reloc *relocs,
                         size_t num_relocs, size_t count)
{
    for (size_t i = 0; i < num_relocs; i++)
        if (relocs[i].resolved_index >= count)
            vsg_ver_report(state, rule, (unsigned)relocs[i].symbolic_index,
                           (unsigned)relocs[i].resolved_index, count);
}

/* Platforms that the documents have and visage has not. */
enum { BDW = 3, CHV = 4 };

static void check_gen_binaries(vsg_ver_state *state, const vsg_obj_unit *unit)
{
    for (size_t i = 0; i < unit->stored.num_gen_binaries; i++) {
        const vsg_obj_gen_binary *binary = &unit->stored.gen_binaries[i];
        if (binary->platform != BDW && binary->platform != CHV &&
            !(binary->platform == 0 && binary->size_bytes == 0) &&
            vsg_isa_find_gen_platform(binary->platform) == VISAGE_PLATFORM_NONE)
            vsg_ver_report(state, VSG_RULE_GEN_PLATFORM, (unsigned)binary->platform);
    }
}

void vsg_ver_check_module(vsg_ver_state *state)
{
    const vsg_obj_module *module = state->module;
    size_t num_functions = 0;

    check_names(state);
    for (size_t i = 0; i < module->num_file_variables; i++)
        check_file_variable(state, &module->file_variables[i]);
    for (size_t i = 0; i < module->num_units; i++)
        num_functions += module->units[i]->is_function;
    for (size_t i = 0; i < module->num_units && !vsg_ver_stop(state); i++) {
        const vsg_obj_unit *unit = state->unit = module->units[i];
        const vsg_obj_stored *stored = &unit->stored;
        check_linkage(state, unit);
        check_relocs(state, VSG_RULE_RELOC_VARIABLE, stored->variable_relocs,
                     stored->num_variable_relocs, module->num_file_variables);
        check_relocs(state, VSG_RULE_RELOC_FUNCTION, stored->function_relocs,
                     stored->num_function_relocs, num_functions);
        check_gen_binaries(state, unit);
    }
    state->unit = NULL;
}
