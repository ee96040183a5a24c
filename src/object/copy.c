/* SPDX-License-Identifier: MIT
 *
 * A unit of one module as a unit of another. */
#include <stdio.h>
#include <string.h>

#include "object/object.h"

typedef struct copier {
    vsg_obj_module *module;
    const vsg_obj_module *source;
    vsg_obj_unit *to;
    const vsg_obj_unit *from;
} copier;

static bool copy_text(const copier *c, const char *text, const char **out)
{
    *out = text ? vsg_obj_text(c->module, text, strlen(text)) : NULL;
    return !text || *out;
}

static bool copy_attributes(const copier *c, const vsg_obj_attributes *from,
                            vsg_obj_attributes *to)
{
    *to = (vsg_obj_attributes){0};
    for (size_t i = 0; i < from->count; i++) {
        const vsg_obj_attribute *attribute = &from->items[i];
        vsg_obj_attribute *added = vsg_obj_add_attribute(c->module, to);
        if (!added)
            return false;
        *added = *attribute;
        if (!copy_text(c, attribute->name, &added->name))
            return false;
        if (!attribute->string)
            continue;
        added->string = vsg_obj_text(c->module, attribute->string,
                                     vsg_obj_attribute_string_bytes(attribute));
        if (!added->string)
            return false;
    }
    return true;
}

static bool copy_variables(const copier *c)
{
    if (!vsg_obj_reserve(c->module, c->to, VSG_OBJ_TABLE_VARIABLES, c->from->num_variables))
        return false;
    for (size_t i = 0; i < c->from->num_variables; i++) {
        const vsg_obj_variable *variable = &c->from->variables[i];
        vsg_obj_variable *added = vsg_obj_add_variable(c->module, c->to);
        if (!added)
            return false;
        *added = *variable;
        if (!copy_text(c, variable->name, &added->name) ||
            !copy_attributes(c, &variable->attributes, &added->attributes))
            return false;
    }
    return true;
}

static bool copy_states(const copier *c, const vsg_obj_state *items, size_t count,
                        vsg_obj_state *(*add)(vsg_obj_module *, vsg_obj_unit *))
{
    for (size_t i = 0; i < count; i++) {
        vsg_obj_state *added = add(c->module, c->to);
        if (!added)
            return false;
        *added = items[i];
        if (!copy_text(c, items[i].name, &added->name) ||
            !copy_text(c, items[i].v_name, &added->v_name) ||
            !copy_attributes(c, &items[i].attributes, &added->attributes))
            return false;
    }
    return true;
}

/* Names in the compiler's binaries lack the number that text has behind a subroutine's. */
static bool copy_label_name(const copier *c, const vsg_obj_label *label, size_t index,
                            const char **out)
{
    char *name;

    if (c->source->layout != VSG_OBJ_LAYOUT_IGC || label->kind != VSG_OBJ_LABEL_SUBROUTINE)
        return copy_text(c, label->name, out);
    enum { LONGEST_NUMBER = 24 };
    size_t size = strlen(label->name) + LONGEST_NUMBER;
    name = vsg_base_arena_new(&c->module->arena, size, 1);
    if (!name)
        return false;
    (void)snprintf(name, size, "%s_%zu", label->name, index);
    *out = name;
    return true;
}

static bool copy_labels(const copier *c)
{
    if (!vsg_obj_reserve(c->module, c->to, VSG_OBJ_TABLE_LABELS, c->from->num_labels))
        return false;
    for (size_t i = 0; i < c->from->num_labels; i++) {
        const vsg_obj_label *label = &c->from->labels[i];
        vsg_obj_label *added = vsg_obj_add_label(c->module, c->to);
        if (!added)
            return false;
        *added = *label;
        if (!copy_label_name(c, label, i, &added->name) ||
            !copy_attributes(c, &label->attributes, &added->attributes))
            return false;
    }
    return true;
}

static bool copy_inputs(const copier *c)
{
    for (size_t i = 0; i < c->from->num_inputs; i++) {
        vsg_obj_input *added = vsg_obj_add_input(c->module, c->to);
        if (!added)
            return false;
        *added = c->from->inputs[i];
        if (!copy_attributes(c, &c->from->inputs[i].attributes, &added->attributes))
            return false;
    }
    return true;
}

static bool copy_insts(const copier *c)
{
    if (!vsg_obj_reserve(c->module, c->to, VSG_OBJ_TABLE_INSTS, c->from->num_insts))
        return false;
    for (size_t i = 0; i < c->from->num_insts; i++) {
        vsg_obj_inst *added = vsg_obj_add_inst(c->module, c->to, &c->from->insts[i]);
        if (!added)
            return false;
        for (uint32_t n = 0; n < added->num_operands; n++)
            if (!copy_text(c, added->operands[n].name, &added->operands[n].name))
                return false;
    }
    return true;
}

vsg_obj_unit *vsg_obj_copy_unit(vsg_obj_module *module, const vsg_obj_module *source,
                                const vsg_obj_unit *unit)
{
    copier c = {.module = module, .source = source, .from = unit};

    c.to = vsg_obj_add_unit(module, unit->name, strlen(unit->name), unit->is_function);
    if (!c.to)
        return NULL;
    c.to->linkage = unit->linkage;
    c.to->place = unit->place;
    c.to->stored.is_declaration = unit->stored.is_declaration;
    c.to->stored.damage = unit->stored.damage;
    bool good =
        copy_text(&c, unit->file, &c.to->file) && copy_variables(&c) &&
        copy_states(&c, unit->addresses, unit->num_addresses, vsg_obj_add_address) &&
        copy_states(&c, unit->predicates, unit->num_predicates, vsg_obj_add_predicate) &&
        copy_states(&c, unit->samplers, unit->num_samplers, vsg_obj_add_sampler) &&
        copy_states(&c, unit->surfaces, unit->num_surfaces, vsg_obj_add_surface) &&
        copy_labels(&c) && copy_inputs(&c) && copy_insts(&c) &&
        copy_attributes(&c, &unit->attributes, &c.to->attributes);
    return good ? c.to : NULL;
}
