/* SPDX-License-Identifier: MIT
 *
 * Linking: symbols are collected and sorted by name, references resolved and checked, and what
 * is wanted of all modules copied into one. */
#include "link/linker.h"

#include <stdlib.h>
#include <string.h>

/* ---- references ------------------------------------------------------------------------- */

const char *vsg_lnk_reference(const vsg_lnk_linker *l, const vsg_lnk_symbol *from,
                              const vsg_obj_operand *operand)
{
    vsg_obj_layout layout = l->inputs[from->input].module->layout;
    uint32_t number;

    if (!vsg_obj_resolve_call(&from->calls, from->unit, layout, operand->name, &number) ||
        number >= l->num_functions[from->input])
        return operand->name;
    return l->functions[from->input][number]->name;
}

static const vsg_obj_operand *operand_called(const vsg_obj_inst *inst, const char *name)
{
    int number = vsg_isa_operand(inst->op, name);

    return number >= 0 && number < inst->num_operands ? &inst->operands[number] : NULL;
}

/* What a call gives in an operand and the function declares, too. */
typedef struct size_given {
    const char *what, *operand;
    int64_t declared;
} size_given;

static void check_size(vsg_lnk_linker *l, const vsg_lnk_symbol *from, const vsg_obj_inst *inst,
                       const vsg_lnk_symbol *to, const size_given *size)
{
    const vsg_obj_operand *given = operand_called(inst, size->operand);

    if (!given || (int64_t)given->value == size->declared)
        return;
    vsg_base_location where = vsg_obj_locate(from->unit, inst);
    vsg_base_report(l->diagnostics, VSG_DIAG_LINK_SIZES, &where, size->what,
                    (long long)given->value, to->name, (long long)size->declared);
    vsg_lnk_note(l, to);
    vsg_lnk_fail(l, VISAGE_INVALID);
}

static const vsg_lnk_symbol *report_rivals(vsg_lnk_linker *l, const vsg_lnk_symbol *found,
                                           const vsg_lnk_symbol *rival,
                                           const vsg_base_location *where)
{
    vsg_base_report(l->diagnostics, VSG_DIAG_LINK_AMBIGUOUS, where, found->name);
    vsg_lnk_note(l, found);
    vsg_lnk_note(l, rival);
    vsg_lnk_fail(l, VISAGE_INVALID);
    return NULL;
}

/* What has the name, and cannot be meant. */
static void note_hidden(vsg_lnk_linker *l, const char *name)
{
    const vsg_lnk_group *g = vsg_lnk_group_of(l, name);
    unsigned notes = 0;

    for (size_t i = 0; g && i < g->count && notes < VSG_LNK_MOST_NOTES; i++) {
        const vsg_lnk_symbol *symbol = g->symbols[i];
        vsg_base_location where = vsg_lnk_place(l, symbol);
        bool is_kernel = symbol->unit && !symbol->unit->is_function;
        if (!is_kernel && symbol->binding != VSG_LNK_STATIC)
            continue;
        vsg_base_report(l->diagnostics, VSG_DIAG_LINK_HIDDEN, &where,
                        is_kernel ? "kernel" : "static function", name,
                        is_kernel ? "kernels are not called" : "it is its own file's alone");
        notes++;
    }
}

const vsg_lnk_symbol *vsg_lnk_check_name(vsg_lnk_linker *l, uint32_t input, const char *name,
                                         bool is_call, const vsg_base_location *where)
{
    const vsg_lnk_symbol *found = vsg_lnk_find(l, input, name, is_call);
    const vsg_lnk_symbol *rival = found ? vsg_lnk_rival(l, input, found, is_call) : NULL;

    if (rival)
        return report_rivals(l, found, rival, where);
    if (found)
        return found;
    if (l->options->partial) {
        vsg_lnk_group *others = vsg_lnk_group_of(l, name);
        if (others)
            others->is_wanted = true;
        return NULL;
    }
    vsg_base_report(l->diagnostics, VSG_DIAG_LINK_MISSING, where,
                    is_call ? "function" : "symbol", name);
    note_hidden(l, name);
    vsg_lnk_fail(l, VISAGE_UNRESOLVED);
    return NULL;
}

static void check_reference(vsg_lnk_linker *l, const vsg_lnk_symbol *from,
                            const vsg_obj_inst *inst, const vsg_obj_operand *name)
{
    bool is_call = inst->op != VISAGE_OP_FADDR;
    vsg_base_location where = vsg_obj_locate(from->unit, inst);

    where.column = name->begin_column ? name->begin_column : where.column;
    where.end_column = name->begin_column ? name->end_column : where.end_column;
    vsg_obj_layout layout = l->inputs[from->input].module->layout;
    uint32_t number;
    if (vsg_obj_resolve_call(&from->calls, from->unit, layout, name->name, &number) &&
        number >= l->num_functions[from->input]) {
        vsg_base_report(l->diagnostics, VSG_DIAG_LINK_RELOCATION, &where, "function", number,
                        l->num_functions[from->input]);
        vsg_lnk_fail(l, VISAGE_INVALID);
        return;
    }
    const vsg_lnk_symbol *to =
        vsg_lnk_check_name(l, from->input, vsg_lnk_reference(l, from, name), is_call, &where);
    if (!to || !is_call)
        return;
    check_size(l, from, inst, to, &(size_given){"argument", "arg_size", to->arg_grfs});
    check_size(l, from, inst, to, &(size_given){"return", "return_size", to->return_grfs});
}

static void check_references(vsg_lnk_linker *l, const vsg_lnk_symbol *from)
{
    for (size_t i = 0; i < from->unit->num_insts; i++) {
        const vsg_obj_inst *inst = &from->unit->insts[i];
        const vsg_obj_operand *name = vsg_obj_function_operand(inst);
        if (name)
            check_reference(l, from, inst, name);
    }
}

/* ---- what is reached -------------------------------------------------------------------- */

static void reach(vsg_lnk_symbol *symbol, vsg_lnk_symbol **stack, size_t *depth)
{
    if (!symbol || symbol->is_reached)
        return;
    symbol->is_reached = true;
    stack[(*depth)++] = symbol;
}

/* What an instruction of a symbol's unit refers to, NULL: nothing, or nothing that is there. */
static vsg_lnk_symbol *target_of(const vsg_lnk_linker *l, const vsg_lnk_symbol *from,
                                 const vsg_obj_inst *inst)
{
    const vsg_obj_operand *name = vsg_obj_function_operand(inst);

    return name ? vsg_lnk_find(l, from->input, vsg_lnk_reference(l, from, name),
                               inst->op != VISAGE_OP_FADDR)
                : NULL;
}

/* Kernels, what the data of containers refers to, and without gc everything. */
static void mark_roots(vsg_lnk_linker *l, vsg_lnk_symbol **stack, size_t *depth)
{
    for (size_t i = 0; i < l->num_symbols; i++)
        if (l->symbols[i].unit && (!l->options->gc || !l->symbols[i].unit->is_function))
            reach(&l->symbols[i], stack, depth);
    for (size_t i = 0; i < l->num_inputs; i++)
        for (size_t n = 0; n < l->inputs[i].num_externals; n++) {
            const vsg_lnk_external *external = &l->inputs[i].externals[n];
            if (external->is_used && !external->is_data)
                reach(vsg_lnk_find(l, (uint32_t)i, external->name, false), stack, depth);
        }
}

static bool mark(vsg_lnk_linker *l)
{
    vsg_lnk_symbol **stack = vsg_base_new(l->alloc, l->num_symbols + 1, sizeof *stack);
    size_t depth = 0;

    if (!stack)
        return vsg_lnk_no_memory(l);
    mark_roots(l, stack, &depth);
    while (depth) {
        const vsg_lnk_symbol *from = stack[--depth];
        for (size_t i = 0; from->unit && i < from->unit->num_insts; i++)
            reach(target_of(l, from, &from->unit->insts[i]), stack, &depth);
    }
    vsg_base_delete(l->alloc, stack, l->num_symbols + 1, sizeof *stack);
    return true;
}

/* ---- the module that comes out ---------------------------------------------------------- */

static bool rename_references(vsg_lnk_linker *l, const vsg_lnk_symbol *from, vsg_obj_unit *unit)
{
    for (size_t i = 0; i < unit->num_insts; i++) {
        const vsg_obj_operand *was = vsg_obj_function_operand(&from->unit->insts[i]);
        if (!was)
            continue;
        const vsg_lnk_symbol *to = target_of(l, from, &from->unit->insts[i]);
        const char *name = to && to->new_name ? to->new_name : vsg_lnk_reference(l, from, was);
        vsg_obj_operand *operand =
            &unit->insts[i].operands[vsg_isa_operand(unit->insts[i].op, "function")];
        if (strcmp(operand->name, name) != 0)
            operand->name = vsg_obj_text(l->out->module, name, strlen(name));
        if (!operand->name)
            return vsg_lnk_no_memory(l);
    }
    return true;
}

/* Declarations stay: what they declare may be in a later link, and text lists them anyway. */
static bool copy_declarations(vsg_lnk_linker *l, const vsg_lnk_symbol *from, vsg_obj_unit *unit)
{
    for (size_t i = 0; i < from->unit->num_function_decls; i++) {
        const char *name = from->unit->function_decls[i];
        const vsg_lnk_symbol *to = vsg_lnk_find(l, from->input, name, true);
        if (to && to->new_name)
            name = to->new_name;
        if (!vsg_obj_add_function_decl(l->out->module, unit, name, strlen(name)))
            return vsg_lnk_no_memory(l);
    }
    return true;
}

/* GEN binaries are of the object that was; an entry without bytes still says the platform,
 * which nothing else in a binary does. */
static bool keep_platform(vsg_lnk_linker *l, vsg_obj_unit *unit)
{
    vsg_obj_module *module = l->out->module;

    if (module->platform == VISAGE_PLATFORM_NONE)
        return true;
    unit->stored.gen_binaries =
        vsg_base_arena_new(&module->arena, 1, sizeof *unit->stored.gen_binaries);
    if (!unit->stored.gen_binaries)
        return vsg_lnk_no_memory(l);
    unit->stored.gen_binaries[0].platform = vsg_isa_gen_platform(module->platform);
    unit->stored.num_gen_binaries = 1;
    return true;
}

static bool mark_own_first(vsg_lnk_linker *l, vsg_obj_unit *unit)
{
    static const char name[] = VSG_LNK_OWN_FIRST_ATTRIBUTE;
    vsg_obj_module *module = l->out->module;

    if (vsg_obj_attribute_find(&unit->attributes, name))
        return true;
    vsg_obj_attribute *added = vsg_obj_add_attribute(module, &unit->attributes);
    if (!added)
        return vsg_lnk_no_memory(l);
    added->name = vsg_obj_text(module, name, strlen(name));
    return added->name || vsg_lnk_no_memory(l);
}

static bool copy(vsg_lnk_linker *l, const vsg_lnk_symbol *symbol)
{
    vsg_lnk_result *out = l->out;
    vsg_obj_module *module = out->module;
    const vsg_obj_module *source = l->inputs[symbol->input].module;
    vsg_obj_unit *unit = vsg_obj_copy_unit(module, source, symbol->unit);

    if (!unit)
        return vsg_lnk_no_memory(l);
    if (symbol->new_name) {
        unit->name = vsg_obj_text(module, symbol->new_name, strlen(symbol->new_name));
        if (!unit->name)
            return vsg_lnk_no_memory(l);
    }
    if (unit->is_function && symbol->binding != VSG_LNK_STATIC)
        unit->linkage = VSG_OBJ_LINKAGE_GLOBAL;
    if (!unit->is_function && !keep_platform(l, unit))
        return false;
    if (l->options->partial && symbol->binding == VSG_LNK_OWN_FIRST && !mark_own_first(l, unit))
        return false;
    out->origins[module->num_units - 1] = (vsg_lnk_origin){symbol->input, symbol->index};
    return rename_references(l, symbol, unit) && copy_declarations(l, symbol, unit) &&
           vsg_lnk_adopt_variables(l, symbol, unit);
}

static bool make(vsg_lnk_linker *l)
{
    vsg_lnk_result *out = l->out;

    out->num_origins = l->num_symbols + 1;
    out->origins = vsg_base_new(l->alloc, out->num_origins, sizeof *out->origins);
    if (!out->origins)
        return vsg_lnk_no_memory(l);
    if (!vsg_lnk_define_variables(l))
        return false;
    for (size_t i = 0; i < l->num_symbols; i++)
        if (l->symbols[i].unit && l->symbols[i].is_reached && !copy(l, &l->symbols[i]))
            return false;
    return vsg_lnk_relocate_functions(l) && vsg_lnk_name_externals(l);
}

/* ---- all together ----------------------------------------------------------------------- */

static void check_damage(vsg_lnk_linker *l)
{
    for (size_t i = 0; i < l->num_symbols; i++) {
        const vsg_obj_unit *unit = l->symbols[i].unit;
        if (!unit || unit->stored.damage == VSG_OBJ_DAMAGE_NONE)
            continue;
        vsg_base_location where = vsg_obj_locate(unit, NULL);
        vsg_base_report(l->diagnostics, VSG_DIAG_LINK_DAMAGED, &where, unit->name,
                        "its instructions were lost");
        vsg_lnk_fail(l, VISAGE_INVALID);
    }
    for (size_t i = 0; i < l->num_inputs; i++) {
        if (!l->inputs[i].module->is_broken)
            continue;
        vsg_base_report(l->diagnostics, VSG_DIAG_LINK_DAMAGED, &VSG_BASE_NOWHERE,
                        l->inputs[i].name, "it was read in spite of errors");
        vsg_lnk_fail(l, VISAGE_INVALID);
    }
}

/* The platform that all agree on, and the newest version. */
static bool agree(vsg_lnk_linker *l)
{
    vsg_obj_module *out = l->out->module;
    const vsg_lnk_input *first = NULL;

    for (size_t i = 0; i < l->num_inputs; i++) {
        const vsg_obj_module *module = l->inputs[i].module;
        uint32_t version = module->version_major * 256 + module->version_minor;
        if (version > out->version_major * 256 + out->version_minor) {
            out->version_major = module->version_major;
            out->version_minor = module->version_minor;
        }
        if (module->platform == VISAGE_PLATFORM_NONE)
            continue;
        if (first && first->module->platform != module->platform) {
            vsg_base_report(l->diagnostics, VSG_DIAG_LINK_PLATFORM, &VSG_BASE_NOWHERE,
                            first->name, visage_platform_name(first->module->platform),
                            l->inputs[i].name, visage_platform_name(module->platform));
            vsg_lnk_fail(l, VISAGE_INVALID);
            return false;
        }
        if (!first)
            first = &l->inputs[i];
        out->platform = module->platform;
    }
    return true;
}

static void link_all(vsg_lnk_linker *l)
{
    if (!agree(l) || !vsg_lnk_collect(l))
        return;
    check_damage(l);
    vsg_lnk_check_names(l);
    if (!vsg_lnk_collect_variables(l) || !mark(l))
        return;
    for (size_t i = 0; i < l->num_symbols; i++)
        if (l->symbols[i].unit && l->symbols[i].is_reached)
            check_references(l, &l->symbols[i]);
    vsg_lnk_check_externals(l);
    vsg_lnk_check_variables(l);
    if (l->status == VISAGE_OK && vsg_lnk_rename(l))
        (void)make(l);
}

visage_status vsg_lnk_link(const vsg_base_alloc *alloc, const vsg_lnk_input *inputs,
                           size_t count, const vsg_lnk_options *options,
                           visage_diagnostics *diagnostics, vsg_lnk_result *out)
{
    vsg_lnk_linker l = {
        .alloc = alloc,
        .inputs = inputs,
        .num_inputs = count,
        .options = options,
        .diagnostics = diagnostics,
        .out = out,
    };

    *out = (vsg_lnk_result){.module = vsg_obj_create(alloc)};
    vsg_base_arena_init(&l.arena, alloc);
    if (out->module)
        link_all(&l);
    else
        (void)vsg_lnk_no_memory(&l);
    vsg_lnk_free_variables(&l);
    vsg_lnk_free_names(&l);
    for (size_t i = 0; i < l.num_symbols; i++) {
        vsg_obj_resolver_free(&l.symbols[i].calls, alloc);
        vsg_obj_resolver_free(&l.symbols[i].variables, alloc);
    }
    vsg_base_delete(alloc, l.symbols, l.cap_symbols, sizeof *l.symbols);
    vsg_base_delete(alloc, l.sorted, l.cap_symbols, sizeof *l.sorted);
    vsg_base_arena_free(&l.arena);
    if (l.status != VISAGE_OK)
        vsg_lnk_result_free(out);
    return l.status;
}

void vsg_lnk_result_free(vsg_lnk_result *result)
{
    if (!result->module)
        return;
    vsg_base_alloc alloc = result->module->alloc;
    vsg_base_delete(&alloc, result->origins, result->num_origins, sizeof *result->origins);
    vsg_base_delete(&alloc, result->variable_inputs, result->num_variable_inputs,
                    sizeof *result->variable_inputs);
    vsg_base_delete(&alloc, (void *)result->names, result->num_names, sizeof *result->names);
    vsg_obj_destroy(&result->module);
    *result = (vsg_lnk_result){0};
}
