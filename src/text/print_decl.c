/* SPDX-License-Identifier: MIT
 *
 * What comes before the instructions: name, declarations, inputs, attributes. Listings end each
 * of these lines where the next one begins, and the first instruction begins with its four
 * blanks: that is why the last line has them at its end. Source: spec dialect 4.1. */
#include <string.h>

#include "text/print.h"

/* ---- the unit's name and predefined variables ------------------------------------------- */

static void put_function_decl(vsg_txt_printer *printer, const char *name)
{
    vsg_txt_put_text(&printer->out, ".funcdecl ");
    vsg_txt_put_quoted(&printer->out, name);
    vsg_txt_put_newline(&printer->out);
}

/* Does this unit declare functions that have no object here? Kernels do; where there are none,
 * the first function that has one. */
static bool declares(const vsg_txt_printer *printer)
{
    const vsg_obj_module *module = printer->module;
    const vsg_obj_unit *first = NULL;

    for (size_t i = 0; i < module->num_units; i++) {
        if (!module->units[i]->is_function)
            return !printer->unit->is_function;
        if (!first && !module->units[i]->stored.is_declaration)
            first = module->units[i];
    }
    return printer->unit == first;
}

/* Binaries have no declarations of functions; listings of their kernels declare all that the
 * file holds. */
static void put_function_decls(vsg_txt_printer *printer)
{
    const vsg_obj_module *module = printer->module;
    const vsg_obj_unit *unit = printer->unit;
    bool all = module->layout != VSG_OBJ_LAYOUT_NONE && !unit->is_function;

    for (size_t i = 0; i < unit->num_function_decls; i++)
        put_function_decl(printer, unit->function_decls[i]);
    if (unit->num_function_decls || !declares(printer))
        return;
    for (size_t i = 0; i < module->num_units; i++) {
        const vsg_obj_unit *other = module->units[i];
        if (other->is_function && (all || other->stored.is_declaration))
            put_function_decl(printer, other->name);
    }
}

static void put_unit_name(vsg_txt_printer *printer)
{
    const vsg_obj_unit *unit = printer->unit;
    vsg_txt_output *out = &printer->out;

    const char *directive = !unit->is_function                        ? ".kernel "
                            : unit->linkage == VSG_OBJ_LINKAGE_STATIC ? ".static_function "
                                                                      : ".global_function ";
    vsg_txt_put_text(out, directive);
    vsg_txt_put_quoted(out, unit->name);
    vsg_txt_put_newline(out);
    put_function_decls(printer);
}

static void put_predefined(vsg_txt_printer *printer)
{
    vsg_txt_output *out = &printer->out;

    vsg_txt_put_newline(out);
    vsg_txt_put_text(out, "/// VISA Predefined Variables");
    vsg_txt_put_newline(out);
    for (uint32_t i = 0; i < VSG_ISA_NUM_PREDEFINED; i++) {
        vsg_txt_put_text(out, "// .decl V");
        vsg_txt_put_decimal(out, i);
        vsg_txt_put_text(out, " v_type=G v_name=");
        vsg_txt_put_text(out, vsg_isa_variable(i)->text);
        vsg_txt_put_newline(out);
    }
    for (uint32_t i = 0; i < VSG_ISA_NUM_SURFACES; i++) {
        vsg_txt_put_text(out, "// .decl T");
        vsg_txt_put_decimal(out, i);
        vsg_txt_put_text(out, " v_type=T v_name=");
        vsg_txt_put_text(out, vsg_isa_surface(i));
        vsg_txt_put_newline(out);
    }
}

/* "2 VME variables", behind what was put before. */
static void put_left_out(vsg_txt_output *out, size_t count, const char *what, bool *any)
{
    if (count == 0)
        return;
    vsg_txt_put_text(out, *any ? ", " : "// Not in text: ");
    vsg_txt_put_decimal(out, count);
    vsg_txt_put_text(out, what);
    *any = true;
}

/* What a binary holds and text has no words for, GEN code aside, which is no vISA. */
static void put_losses(vsg_txt_printer *printer)
{
    const vsg_obj_unit *unit = printer->unit;
    const vsg_obj_stored *stored = &unit->stored;
    vsg_txt_output *out = &printer->out;
    size_t labels = 0;
    bool any = false;

    for (size_t i = 0; i < unit->num_labels; i++)
        labels += unit->labels[i].attributes.count != 0;
    put_left_out(out, stored->num_vmes, " VME variable(s)", &any);
    put_left_out(out, stored->num_variable_relocs, " relocation(s) of variables", &any);
    put_left_out(out, stored->num_function_relocs, " relocation(s) of functions", &any);
    put_left_out(out, labels, " label(s) with attributes", &any);
    if (any)
        vsg_txt_put_newline(out);
}

/* ---- attributes ------------------------------------------------------------------------- */

/* An integer whose size is not the one that a reader would give it has that behind ':', which
 * no listing of the compiler has. */
static void put_attribute(vsg_txt_printer *printer, const vsg_obj_attribute *attribute)
{
    vsg_txt_output *out = &printer->out;

    if (vsg_txt_is_identifier(attribute->name))
        vsg_txt_put_text(out, attribute->name);
    else
        vsg_txt_put_quoted(out, attribute->name);
    if (attribute->string) {
        vsg_txt_put_char(out, '=');
        vsg_txt_put_quoted_bytes(out, attribute->string,
                                 vsg_obj_attribute_string_bytes(attribute));
    } else if (attribute->size_bytes) {
        vsg_txt_put_char(out, '=');
        vsg_txt_put_signed(out, attribute->value);
        if (attribute->size_bytes == vsg_isa_attribute_bytes(attribute->name, attribute->value))
            return;
        vsg_txt_put_char(out, ':');
        vsg_txt_put_decimal(out, attribute->size_bytes);
    }
}

/* attrs={name=value, name} */
static void put_attributes(vsg_txt_printer *printer, const vsg_obj_attributes *list)
{
    if (list->count == 0)
        return;
    vsg_txt_put_text(&printer->out, " attrs={");
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0)
            vsg_txt_put_text(&printer->out, ", ");
        put_attribute(printer, &list->items[i]);
    }
    vsg_txt_put_char(&printer->out, '}');
}

/* ---- variables -------------------------------------------------------------------------- */

static void put_decl(vsg_txt_printer *printer, vsg_txt_kind kind, uint32_t id)
{
    vsg_txt_output *out = &printer->out;

    vsg_txt_put_newline(out);
    vsg_txt_output_flush(out);
    vsg_txt_put_text(out, ".decl ");
    vsg_txt_put_name(printer, kind, id);
    vsg_txt_put_text(out, " v_type=");
    vsg_txt_put_char(out, "GAPST"[kind]);
}

static void put_num_elements(vsg_txt_printer *printer, uint32_t number)
{
    vsg_txt_put_text(&printer->out, " num_elts=");
    vsg_txt_put_decimal(&printer->out, number);
}

/* A relocation resolves an index; what neither names has a name that text refuses. */
static const char *file_variable_name(const vsg_txt_printer *printer, uint32_t index)
{
    const vsg_obj_module *module = printer->module;

    index = vsg_obj_resolve(&printer->resolver, index);
    return index < module->num_file_variables ? module->file_variables[index].name : "";
}

/* Attributes of a file-scope variable name strings of a pool that no page says (object.h): by
 * number. Each has four bytes for that, one for its size, and its value. */
static void put_file_attributes(vsg_txt_output *out, const vsg_obj_file_variable *variable)
{
    enum { NAME = 4, HEAD = 5 };
    const uint8_t *at = variable->attributes;

    for (unsigned i = 0; i < variable->attribute_count; i++, at += HEAD + at[NAME]) {
        vsg_txt_put_text(out, i ? ", " : " attrs={");
        vsg_txt_put_decimal(out, (uint32_t)at[0] | (uint32_t)at[1] << 8 |
                                     (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
        if (at[NAME] == 0)
            continue;
        vsg_txt_put_char(out, '=');
        vsg_txt_put_quoted_bytes(out, (const char *)at + HEAD, at[NAME]);
    }
    if (variable->attribute_count)
        vsg_txt_put_char(out, '}');
}

void vsg_txt_put_file_variables(vsg_txt_printer *printer)
{
    static const char *const directives[] = {
        [VSG_OBJ_LINKAGE_EXTERN] = ".extern_variable ",
        [VSG_OBJ_LINKAGE_STATIC] = ".static_variable ",
        [VSG_OBJ_LINKAGE_GLOBAL] = ".global_variable ",
    };
    vsg_txt_output *out = &printer->out;

    for (size_t i = 0; i < printer->module->num_file_variables; i++) {
        const vsg_obj_file_variable *v = &printer->module->file_variables[i];
        const vsg_isa_type_info *type = vsg_isa_type(v->type);
        vsg_txt_put_text(out, directives[v->linkage]);
        vsg_txt_put_quoted(out, v->name);
        vsg_txt_put_text(out, " type=");
        vsg_txt_put_text(out, type ? type->text : "ud");
        put_num_elements(printer, v->num_elements);
        if (v->align) {
            vsg_txt_put_text(out, " align=");
            vsg_txt_put_word(printer, VSG_ISA_WORDS_ALIGN, v->align);
        }
        put_file_attributes(out, v);
        vsg_txt_put_newline(out);
    }
}

static void put_alias(vsg_txt_printer *printer, const vsg_obj_variable *variable)
{
    vsg_txt_output *out = &printer->out;

    if (variable->alias == VSG_OBJ_NO_ALIAS)
        return;
    vsg_txt_put_text(out, " alias=<");
    if (!variable->alias_is_global)
        vsg_txt_put_name(printer, VSG_TXT_KIND_GENERAL, variable->alias);
    else
        vsg_txt_put_quoted(out, file_variable_name(printer, variable->alias));
    vsg_txt_put_text(out, ", ");
    vsg_txt_put_decimal(out, variable->alias_offset_bytes);
    vsg_txt_put_char(out, '>');
}

static void put_general(vsg_txt_printer *printer, uint32_t index)
{
    const vsg_obj_variable *variable = &printer->unit->variables[index];
    const vsg_isa_type_info *type = vsg_isa_type(variable->type);
    vsg_txt_output *out = &printer->out;

    put_decl(printer, VSG_TXT_KIND_GENERAL, VSG_ISA_FIRST_VARIABLE + index);
    vsg_txt_put_text(out, " type=");
    vsg_txt_put_text(out, type ? type->text : "ud");
    put_num_elements(printer, variable->num_elements);
    if (variable->align) {
        vsg_txt_put_text(out, " align=");
        vsg_txt_put_word(printer, VSG_ISA_WORDS_ALIGN, variable->align);
    }
    put_alias(printer, variable);
    put_attributes(printer, &variable->attributes);
}

static void put_states(vsg_txt_printer *printer, vsg_txt_kind kind, const vsg_obj_state *states,
                       size_t count, uint32_t first)
{
    vsg_txt_output *out = &printer->out;

    for (uint32_t i = 0; i < count; i++) {
        put_decl(printer, kind, first + i);
        put_num_elements(printer, states[i].num_elements);
        if (states[i].v_name) {
            vsg_txt_put_text(out, " v_name=");
            vsg_txt_put_name_or_string(printer, states[i].v_name);
        }
        put_attributes(printer, &states[i].attributes);
    }
}

static void put_variables(vsg_txt_printer *printer)
{
    const vsg_obj_unit *unit = printer->unit;

    for (uint32_t i = 0; i < unit->num_variables; i++)
        put_general(printer, i);
    put_states(printer, VSG_TXT_KIND_ADDRESS, unit->addresses, unit->num_addresses, 0);
    put_states(printer, VSG_TXT_KIND_PREDICATE, unit->predicates, unit->num_predicates, 1);
    put_states(printer, VSG_TXT_KIND_SAMPLER, unit->samplers, unit->num_samplers, 0);
    put_states(printer, VSG_TXT_KIND_SURFACE, unit->surfaces, unit->num_surfaces,
               VSG_ISA_NUM_SURFACES);
}

/* ---- inputs ----------------------------------------------------------------------------- */

static void put_input_word(vsg_txt_printer *printer, const vsg_obj_input *input)
{
    vsg_txt_output *out = &printer->out;

    if (input->provenance == 0) {
        vsg_txt_put_text(out, printer->unit->is_function ? ".parameter " : ".input ");
        return;
    }
    vsg_txt_put_text(out, ".implicit_");
    if (!vsg_isa_word(VSG_ISA_WORDS_PROVENANCE, input->provenance))
        vsg_txt_put_text(out, "UNDEFINED_");
    vsg_txt_put_word(printer, VSG_ISA_WORDS_PROVENANCE, input->provenance);
    vsg_txt_put_char(out, ' ');
}

/* A parameter of a function has a size and mostly no place (spec dialect 4.2). */
static void put_input(vsg_txt_printer *printer, const vsg_obj_input *input)
{
    static const vsg_txt_kind kinds[] = {[VSG_OBJ_INPUT_GENERAL] = VSG_TXT_KIND_GENERAL,
                                         [VSG_OBJ_INPUT_SAMPLER] = VSG_TXT_KIND_SAMPLER,
                                         [VSG_OBJ_INPUT_SURFACE] = VSG_TXT_KIND_SURFACE};
    vsg_txt_output *out = &printer->out;

    vsg_txt_put_newline(out);
    put_input_word(printer, input);
    vsg_txt_put_name(printer, kinds[input->kind], input->id);
    if (!printer->unit->is_function || input->provenance || input->offset_bytes) {
        vsg_txt_put_text(out, " offset=");
        vsg_txt_put_signed(out, input->offset_bytes);
    }
    vsg_txt_put_text(out, " size=");
    vsg_txt_put_decimal(out, input->size_bytes);
    put_attributes(printer, &input->attributes);
}

/* ---- all of it -------------------------------------------------------------------------- */

static void put_unit_attributes(vsg_txt_printer *printer)
{
    const vsg_obj_attributes *list = &printer->unit->attributes;

    for (size_t i = 0; i < list->count; i++) {
        const vsg_obj_attribute *attribute = &list->items[i];
        if (!printer->options->all_attributes && strcmp(attribute->name, "OutputAsmPath") == 0)
            continue;
        vsg_txt_put_newline(&printer->out);
        vsg_txt_put_text(&printer->out, ".kernel_attr ");
        put_attribute(printer, attribute);
    }
}

void vsg_txt_put_header(vsg_txt_printer *printer)
{
    const vsg_obj_unit *unit = printer->unit;

    put_unit_name(printer);
    if (!printer->options->no_comments) {
        put_predefined(printer);
        put_losses(printer);
    }
    put_variables(printer);
    for (size_t i = 0; i < unit->num_inputs; i++)
        put_input(printer, &unit->inputs[i]);
    put_unit_attributes(printer);
    if (unit->num_insts && unit->insts[0].op == VISAGE_OP_SUBROUTINE)
        return; /* which begins with the line's end */
    vsg_txt_put_newline(&printer->out);
}
