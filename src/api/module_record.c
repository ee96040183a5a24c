/* SPDX-License-Identifier: MIT
 *
 * What a module is made of, record by record. */
#include "api/api.h"

static const vsg_obj_unit *unit_at(const visage_module *module, size_t index)
{
    return module && index < module->num_units ? module->units[index].unit : NULL;
}

visage_layout visage_module_get_layout(const visage_module *module)
{
    static const visage_layout layouts[] = {
        [VSG_OBJ_LAYOUT_NONE] = VISAGE_LAYOUT_DEFAULT,
        [VSG_OBJ_LAYOUT_DOC] = VISAGE_LAYOUT_DOC,
        [VSG_OBJ_LAYOUT_IGC] = VISAGE_LAYOUT_IGC,
    };

    return module ? layouts[module->object->layout] : VISAGE_LAYOUT_DEFAULT;
}

visage_status visage_module_get_unit(const visage_module *module, size_t unit, visage_unit *out,
                                     size_t *position)
{
    const vsg_obj_unit *object = unit_at(module, unit);

    if (!object || !out)
        return VISAGE_ARGUMENT;
    *out = (visage_unit){
        .name = object->name,
        .is_function = object->is_function,
        .is_declaration = object->stored.is_declaration,
        .linkage = (visage_linkage)object->linkage,
    };
    if (position)
        *position = module->units[unit].index;
    return VISAGE_OK;
}

/* ---- variables and labels --------------------------------------------------------------- */

static visage_status get_general(const vsg_obj_unit *unit, size_t index, visage_variable *out)
{
    if (index >= unit->num_variables)
        return VISAGE_ARGUMENT;
    const vsg_obj_variable *variable = &unit->variables[index];
    *out = (visage_variable){
        .name = variable->name,
        .num_elements = variable->num_elements,
        .type = variable->type,
        .align = variable->align,
        .alias = variable->alias,
        .alias_offset_bytes = variable->alias_offset_bytes,
        .alias_is_file_scope = variable->alias_is_global,
    };
    return VISAGE_OK;
}

const vsg_obj_state *vsg_api_state(const vsg_obj_unit *unit, visage_class class_, size_t index)
{
    const struct {
        const vsg_obj_state *items;
        size_t count;
    } tables[] = {
        [VISAGE_CLASS_ADDRESS] = {unit->addresses, unit->num_addresses},
        [VISAGE_CLASS_PREDICATE] = {unit->predicates, unit->num_predicates},
        [VISAGE_CLASS_SAMPLER] = {unit->samplers, unit->num_samplers},
        [VISAGE_CLASS_SURFACE] = {unit->surfaces, unit->num_surfaces},
    };

    if ((unsigned)class_ > VISAGE_CLASS_SURFACE || index >= tables[class_].count)
        return NULL;
    return &tables[class_].items[index];
}

uint32_t vsg_api_first_id(visage_class class_)
{
    static const uint32_t firsts[] = {
        [VISAGE_CLASS_GENERAL] = VSG_ISA_FIRST_VARIABLE,
        [VISAGE_CLASS_PREDICATE] = 1,
        [VISAGE_CLASS_SURFACE] = VSG_ISA_NUM_SURFACES,
        [VISAGE_CLASS_UNIT] = 0,
    };

    return firsts[class_];
}

visage_status visage_module_get_variable(const visage_module *module, size_t unit,
                                         visage_class class_, size_t index,
                                         visage_variable *out, uint32_t *id)
{
    const vsg_obj_unit *object = unit_at(module, unit);

    if (!object || !out || (unsigned)class_ > VISAGE_CLASS_SURFACE)
        return VISAGE_ARGUMENT;
    const vsg_obj_state *state = vsg_api_state(object, class_, index);
    if (class_ == VISAGE_CLASS_GENERAL && get_general(object, index, out) != VISAGE_OK)
        return VISAGE_ARGUMENT;
    if (class_ != VISAGE_CLASS_GENERAL) {
        if (!state)
            return VISAGE_ARGUMENT;
        *out = (visage_variable){.name = state->name,
                                 .pool_name = state->v_name,
                                 .num_elements = state->num_elements,
                                 .alias = VISAGE_NO_ALIAS};
    }
    if (id)
        *id = vsg_api_first_id(class_) + (uint32_t)index;
    return VISAGE_OK;
}

visage_status visage_module_get_label(const visage_module *module, size_t unit, size_t index,
                                      visage_label *out)
{
    const vsg_obj_unit *object = unit_at(module, unit);

    if (!object || !out || index >= object->num_labels)
        return VISAGE_ARGUMENT;
    const vsg_obj_label *label = &object->labels[index];
    *out = (visage_label){
        .name = label->name,
        .kind = (visage_label_kind)label->kind,
        .instruction = label->inst,
    };
    return VISAGE_OK;
}

visage_status visage_module_get_input_record(const visage_module *module, size_t unit,
                                             size_t index, visage_input *out)
{
    static const visage_class classes[] = {
        [VSG_OBJ_INPUT_GENERAL] = VISAGE_CLASS_GENERAL,
        [VSG_OBJ_INPUT_SAMPLER] = VISAGE_CLASS_SAMPLER,
        [VSG_OBJ_INPUT_SURFACE] = VISAGE_CLASS_SURFACE,
    };
    const vsg_obj_unit *object = unit_at(module, unit);

    if (!object || !out || index >= object->num_inputs)
        return VISAGE_ARGUMENT;
    const vsg_obj_input *input = &object->inputs[index];
    *out = (visage_input){
        .class_ = classes[input->kind],
        .provenance = input->provenance,
        .id = input->id,
        .offset_bytes = input->offset_bytes,
        .size_bytes = input->size_bytes,
    };
    return VISAGE_OK;
}

const vsg_obj_attributes *vsg_api_attributes(const vsg_obj_unit *unit, visage_class class_,
                                             size_t index)
{
    if (class_ == VISAGE_CLASS_UNIT)
        return index == 0 ? &unit->attributes : NULL;
    if (class_ == VISAGE_CLASS_GENERAL)
        return index < unit->num_variables ? &unit->variables[index].attributes : NULL;
    if (class_ == VISAGE_CLASS_LABEL)
        return index < unit->num_labels ? &unit->labels[index].attributes : NULL;
    const vsg_obj_state *state = vsg_api_state(unit, class_, index);
    return state ? &state->attributes : NULL;
}

visage_status visage_module_get_attribute_record(const visage_module *module, size_t unit,
                                                 visage_class class_, size_t index,
                                                 size_t attribute, visage_attribute *out)
{
    const vsg_obj_unit *object = unit_at(module, unit);
    const vsg_obj_attributes *list = object ? vsg_api_attributes(object, class_, index) : NULL;

    if (!list || !out || attribute >= list->count)
        return VISAGE_ARGUMENT;
    const vsg_obj_attribute *record = &list->items[attribute];
    *out = (visage_attribute){
        .name = record->name,
        .string = record->string,
        .value = record->value,
        .size_bytes = record->size_bytes,
    };
    return VISAGE_OK;
}

const char *visage_module_get_function_decl(const visage_module *module, size_t unit,
                                            size_t index)
{
    const vsg_obj_unit *object = unit_at(module, unit);

    return object && index < object->num_function_decls ? object->function_decls[index] : NULL;
}

/* ---- instructions ----------------------------------------------------------------------- */

size_t visage_module_num_instructions(const visage_module *module, size_t unit)
{
    const vsg_obj_unit *object = unit_at(module, unit);

    return object ? object->num_insts : 0;
}

visage_status visage_module_get_instruction(const visage_module *module, size_t unit,
                                            size_t index, visage_instruction *out)
{
    const vsg_obj_unit *object = unit_at(module, unit);

    if (!object || !out || index >= object->num_insts)
        return VISAGE_ARGUMENT;
    const vsg_obj_inst *inst = &object->insts[index];
    const vsg_isa_op_info *op = vsg_isa_op(inst->op);
    *out = (visage_instruction){
        .opcode = op->code,
        .sub_opcode = op->sub_mask ? (int32_t)(op->sub | inst->sub_flags) : -1,
        .exec_size = inst->exec_size,
        .mask_offset = inst->mask_offset,
        .no_mask = inst->no_mask,
        .predicate = inst->predicate,
        .predicate_inverse = inst->predicate_inverse,
        .predicate_combine = inst->predicate_combine,
        .num_operands = inst->num_operands,
        .line = inst->place.line,
        .column = inst->place.column,
        .offset_bytes = inst->place.offset_bytes,
    };
    return VISAGE_OK;
}

visage_status visage_module_get_operand(const visage_module *module, size_t unit,
                                        size_t instruction, size_t index, visage_operand *out)
{
    const vsg_obj_unit *object = unit_at(module, unit);

    if (!object || !out || instruction >= object->num_insts ||
        index >= object->insts[instruction].num_operands)
        return VISAGE_ARGUMENT;
    const vsg_obj_operand *operand = &object->insts[instruction].operands[index];
    *out = (visage_operand){
        .kind = (visage_operand_kind)operand->class_,
        .modifier = (visage_modifier)operand->modifier,
        .type = (visage_type)operand->type,
        .state = operand->state,
        .id = operand->id,
        .row = operand->row,
        .column = operand->column,
        .v_stride = operand->v_stride,
        .width = operand->width,
        .h_stride = operand->h_stride,
        .offset_elements = operand->offset_elements,
        .offset_bytes = operand->offset_bytes,
        .value = operand->value,
        .name = operand->name,
    };
    return VISAGE_OK;
}

/* ---- file scope ------------------------------------------------------------------------- */

visage_status visage_module_get_file_variable(const visage_module *module, size_t index,
                                              visage_file_variable *out)
{
    if (!module || !out || index >= module->object->num_file_variables)
        return VISAGE_ARGUMENT;
    const vsg_obj_file_variable *variable = &module->object->file_variables[index];
    *out = (visage_file_variable){
        .name = variable->name,
        .linkage = (visage_linkage)variable->linkage,
        .type = variable->type,
        .align = variable->align,
        .num_elements = variable->num_elements,
    };
    return VISAGE_OK;
}
