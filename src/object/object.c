/* SPDX-License-Identifier: MIT */
#include "object/object.h"

#include <string.h>

vsg_obj_module *vsg_obj_create(const vsg_base_alloc *alloc)
{
    vsg_obj_module *module = vsg_base_new(alloc, 1, sizeof *module);
    if (!module)
        return NULL;
    module->alloc = *alloc;
    vsg_base_arena_init(&module->arena, &module->alloc);
    return module;
}

static void free_unit(vsg_obj_module *module, vsg_obj_unit *unit)
{
    const vsg_base_alloc *alloc = &module->alloc;

    vsg_base_delete(alloc, unit->variables, unit->cap_variables, sizeof *unit->variables);
    vsg_base_delete(alloc, unit->addresses, unit->cap_addresses, sizeof *unit->addresses);
    vsg_base_delete(alloc, unit->predicates, unit->cap_predicates, sizeof *unit->predicates);
    vsg_base_delete(alloc, unit->samplers, unit->cap_samplers, sizeof *unit->samplers);
    vsg_base_delete(alloc, unit->surfaces, unit->cap_surfaces, sizeof *unit->surfaces);
    vsg_base_delete(alloc, unit->labels, unit->cap_labels, sizeof *unit->labels);
    vsg_base_delete(alloc, unit->inputs, unit->cap_inputs, sizeof *unit->inputs);
    vsg_base_delete(alloc, unit->insts, unit->cap_insts, sizeof *unit->insts);
    vsg_base_delete(alloc, unit->function_decls, unit->cap_function_decls,
                    sizeof *unit->function_decls);
}

void vsg_obj_destroy(vsg_obj_module **module)
{
    if (!module || !*module)
        return;
    vsg_obj_module *m = *module;
    vsg_base_alloc alloc = m->alloc;
    for (size_t i = 0; i < m->num_units; i++)
        free_unit(m, m->units[i]);
    vsg_base_delete(&alloc, m->units, m->cap_units, sizeof *m->units);
    vsg_base_arena_free(&m->arena);
    vsg_base_delete(&alloc, m, 1, sizeof *m);
    *module = NULL;
}

/* Appends a zeroed element to a table given by its three fields. */
static void *append(vsg_obj_module *module, void **table, size_t *count, size_t *capacity,
                    size_t size)
{
    if (!vsg_base_grow(&module->alloc, table, *count, capacity, size))
        return NULL;
    void *element = (char *)*table + *count * size;
    memset(element, 0, size);
    (*count)++;
    return element;
}

/* The cast to void ** is confined to this macro: the table's pointer goes through a void * so
 * that no object pointer is read through another type. */
#define APPEND(table, name, element)                                                           \
    do {                                                                                       \
        void *items_ = (table)->name;                                                          \
        (element) = append(module, &items_, &(table)->num_##name, &(table)->cap_##name,        \
                           sizeof *(table)->name);                                             \
        (table)->name = items_;                                                                \
    } while (0)

const char *vsg_obj_text(vsg_obj_module *module, const char *text, size_t length)
{
    return vsg_base_arena_text(&module->arena, text, length);
}

vsg_obj_unit *vsg_obj_add_unit(vsg_obj_module *module, const char *name, size_t length,
                               bool is_function)
{
    vsg_obj_unit *unit = vsg_base_arena_new(&module->arena, 1, sizeof *unit);
    const char *copy = vsg_obj_text(module, name, length);
    vsg_obj_unit **slot;
    if (!unit || !copy)
        return NULL;
    APPEND(module, units, slot);
    if (!slot)
        return NULL;
    *slot = unit;
    unit->name = copy;
    unit->is_function = is_function;
    return unit;
}

vsg_obj_variable *vsg_obj_add_variable(vsg_obj_module *module, vsg_obj_unit *unit)
{
    vsg_obj_variable *variable;
    APPEND(unit, variables, variable);
    if (variable)
        variable->alias = VSG_OBJ_NO_ALIAS;
    return variable;
}

vsg_obj_state *vsg_obj_add_address(vsg_obj_module *module, vsg_obj_unit *unit)
{
    vsg_obj_state *state;
    APPEND(unit, addresses, state);
    return state;
}

vsg_obj_state *vsg_obj_add_predicate(vsg_obj_module *module, vsg_obj_unit *unit)
{
    vsg_obj_state *state;
    APPEND(unit, predicates, state);
    return state;
}

vsg_obj_state *vsg_obj_add_sampler(vsg_obj_module *module, vsg_obj_unit *unit)
{
    vsg_obj_state *state;
    APPEND(unit, samplers, state);
    return state;
}

vsg_obj_state *vsg_obj_add_surface(vsg_obj_module *module, vsg_obj_unit *unit)
{
    vsg_obj_state *state;
    APPEND(unit, surfaces, state);
    return state;
}

vsg_obj_label *vsg_obj_add_label(vsg_obj_module *module, vsg_obj_unit *unit)
{
    vsg_obj_label *label;
    APPEND(unit, labels, label);
    if (label)
        label->inst = -1;
    return label;
}

vsg_obj_input *vsg_obj_add_input(vsg_obj_module *module, vsg_obj_unit *unit)
{
    vsg_obj_input *input;
    APPEND(unit, inputs, input);
    return input;
}

bool vsg_obj_add_function_decl(vsg_obj_module *module, vsg_obj_unit *unit, const char *name,
                               size_t length)
{
    const char *copy = vsg_obj_text(module, name, length);
    const char **slot;
    if (!copy)
        return false;
    APPEND(unit, function_decls, slot);
    if (!slot)
        return false;
    *slot = copy;
    return true;
}

/* Room for one more in an array of the arena; one that grows leaves its old place behind. */
static void *grow_in_arena(vsg_obj_module *module, void *items, size_t count, size_t *capacity,
                           size_t size)
{
    if (count < *capacity)
        return items;
    size_t wanted = *capacity ? *capacity * 2 : 2;
    void *grown = vsg_base_arena_new(&module->arena, wanted, size);
    if (!grown)
        return NULL;
    if (count)
        memcpy(grown, items, count * size);
    *capacity = wanted;
    return grown;
}

/* Attribute lists belong to variables too, of which there are many and which rarely have any:
 * they live in the arena. */
vsg_obj_attribute *vsg_obj_add_attribute(vsg_obj_module *module, vsg_obj_attributes *list)
{
    void *items =
        grow_in_arena(module, list->items, list->count, &list->capacity, sizeof *list->items);
    if (!items)
        return NULL;
    list->items = items;
    return &list->items[list->count++];
}

vsg_obj_file_variable *vsg_obj_add_file_variable(vsg_obj_module *module)
{
    void *items = grow_in_arena(module, module->file_variables, module->num_file_variables,
                                &module->cap_file_variables, sizeof *module->file_variables);
    if (!items)
        return NULL;
    module->file_variables = items;
    return &module->file_variables[module->num_file_variables++];
}

vsg_obj_inst *vsg_obj_add_inst(vsg_obj_module *module, vsg_obj_unit *unit,
                               const vsg_obj_inst *inst)
{
    vsg_obj_operand *operands = NULL;
    vsg_obj_inst *added;

    if (inst->num_operands) {
        operands = vsg_base_arena_copy(&module->arena, inst->operands, inst->num_operands,
                                       sizeof *operands);
        if (!operands)
            return NULL;
    }
    APPEND(unit, insts, added);
    if (!added)
        return NULL;
    *added = *inst;
    added->operands = operands;
    return added;
}

static bool reserve(const vsg_base_alloc *alloc, void **items, size_t *capacity, size_t count,
                    size_t size)
{
    if (*items || count == 0)
        return true;
    *items = vsg_base_new(alloc, count, size);
    *capacity = *items ? count : 0;
    return *items != NULL;
}

#define RESERVE(name)                                                                          \
    do {                                                                                       \
        void *items_ = unit->name;                                                             \
        good = reserve(&module->alloc, &items_, &unit->cap_##name, count, sizeof *unit->name); \
        unit->name = items_;                                                                   \
    } while (0)

bool vsg_obj_reserve(vsg_obj_module *module, vsg_obj_unit *unit, vsg_obj_table table,
                     size_t count)
{
    bool good = false;

    switch (table) {
    case VSG_OBJ_TABLE_VARIABLES:
        RESERVE(variables);
        break;
    case VSG_OBJ_TABLE_ADDRESSES:
        RESERVE(addresses);
        break;
    case VSG_OBJ_TABLE_PREDICATES:
        RESERVE(predicates);
        break;
    case VSG_OBJ_TABLE_SAMPLERS:
        RESERVE(samplers);
        break;
    case VSG_OBJ_TABLE_SURFACES:
        RESERVE(surfaces);
        break;
    case VSG_OBJ_TABLE_LABELS:
        RESERVE(labels);
        break;
    case VSG_OBJ_TABLE_INPUTS:
        RESERVE(inputs);
        break;
    case VSG_OBJ_TABLE_INSTS:
        RESERVE(insts);
        break;
    }
    return good;
}

size_t vsg_obj_attribute_string_bytes(const vsg_obj_attribute *attribute)
{
    const char *string = attribute->string;
    size_t length = strlen(string);

    return vsg_isa_attribute_kind(attribute->name) == VSG_ISA_ATTRIBUTE_WORD &&
                   vsg_isa_find_word(VSG_ISA_WORDS_TARGET, string, length) >= 0
               ? length
               : attribute->size_bytes;
}

const vsg_obj_attribute *vsg_obj_attribute_find(const vsg_obj_attributes *list,
                                                const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

int64_t vsg_obj_attribute_value(const vsg_obj_attributes *list, const char *name,
                                int64_t otherwise)
{
    const vsg_obj_attribute *attribute = vsg_obj_attribute_find(list, name);
    if (!attribute || attribute->string)
        return otherwise;
    return attribute->size_bytes == 0 ? 1 : attribute->value;
}

bool vsg_obj_variable_get(const vsg_obj_unit *unit, uint32_t id, vsg_obj_variable_facts *out)
{
    if (id < VSG_ISA_NUM_PREDEFINED) {
        const vsg_isa_variable_info *info = vsg_isa_variable(id);
        *out = (vsg_obj_variable_facts){.name = info->text,
                                        .type = info->type,
                                        .num_elements = info->num_elements,
                                        .alias = VSG_OBJ_NO_ALIAS,
                                        .predefined = true,
                                        .flags = info->flags};
    } else if (id >= VSG_ISA_FIRST_VARIABLE &&
               id - VSG_ISA_FIRST_VARIABLE < unit->num_variables) {
        const vsg_obj_variable *variable = &unit->variables[id - VSG_ISA_FIRST_VARIABLE];
        *out = (vsg_obj_variable_facts){.name = variable->name,
                                        .type = variable->type,
                                        .num_elements = variable->num_elements,
                                        .alias = variable->alias,
                                        .alias_offset_bytes = variable->alias_offset_bytes,
                                        .align = variable->align};
        if (variable->alias_is_global) {
            out->alias = VSG_OBJ_NO_ALIAS;
            out->in_file = true;
            out->file_variable = variable->alias;
            out->flags = VSG_ISA_VAR_SHARED;
        }
    } else {
        return false;
    }
    out->size_bytes = out->num_elements * vsg_isa_type(out->type)->bytes;
    return true;
}

bool vsg_obj_variable_root(const vsg_obj_unit *unit, uint32_t id, uint32_t *root,
                           uint64_t *offset_bytes)
{
    uint64_t offset = 0;

    /* An alias can only be of a variable declared before it, which rules circles out. */
    for (;;) {
        vsg_obj_variable_facts facts;
        if (!vsg_obj_variable_get(unit, id, &facts))
            return false;
        if (facts.alias == VSG_OBJ_NO_ALIAS)
            break;
        if (facts.alias >= id)
            return false;
        offset += facts.alias_offset_bytes;
        id = facts.alias;
    }
    *root = id;
    *offset_bytes = offset;
    return true;
}

vsg_base_location vsg_obj_locate(const vsg_obj_unit *unit, const vsg_obj_inst *inst)
{
    vsg_base_location where = {.file = unit->file, .kernel = unit->name, .instruction = -1};

    if (!inst)
        return where;
    where.line = inst->place.line;
    where.column = inst->place.column;
    where.end_column = inst->place.end_column;
    where.has_offset = inst->place.line == 0 && inst->place.offset_bytes != 0;
    where.offset = inst->place.offset_bytes;
    if (!unit->lacks_insts && inst >= unit->insts && inst < unit->insts + unit->num_insts)
        where.instruction = inst - unit->insts;
    return where;
}
