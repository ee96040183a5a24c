/* SPDX-License-Identifier: MIT
 *
 * A module made record by record. What no module can hold is refused; whether the module is
 * legal is the verifier's to say. */
#include <string.h>

#include "api/api.h"

struct visage_builder {
    vsg_base_alloc alloc;
    visage_module *module;
};

visage_status visage_builder_create(visage_context *context,
                                    const visage_builder_options *options, visage_builder **out)
{
    enum { NEWEST_MAJOR = 4, NEWEST_MINOR = 1 };
    visage_builder_options known;

    if (out)
        *out = NULL;
    if (!context || !out || !vsg_api_options(&known, sizeof known, options) ||
        (unsigned)known.platform >= VISAGE_PLATFORM_COUNT ||
        (unsigned)known.layout > VISAGE_LAYOUT_IGC)
        return VISAGE_ARGUMENT;
    visage_builder *builder = vsg_base_new(&context->alloc, 1, sizeof *builder);
    if (!builder)
        return VISAGE_NO_MEMORY;
    builder->alloc = context->alloc;
    builder->module = vsg_api_module_new(&context->alloc, known.name ? known.name : "built");
    if (!builder->module) {
        visage_builder_destroy(&builder);
        return VISAGE_NO_MEMORY;
    }
    bool versioned = known.version_major || known.version_minor;
    vsg_obj_module *object = builder->module->object;
    builder->module->is_made = true;
    object->platform = known.platform;
    object->layout = vsg_api_layout(known.layout);
    object->version_major = versioned ? known.version_major : NEWEST_MAJOR;
    object->version_minor = versioned ? known.version_minor : NEWEST_MINOR;
    *out = builder;
    return VISAGE_OK;
}

void visage_builder_destroy(visage_builder **builder)
{
    if (!builder || !*builder)
        return;
    vsg_base_alloc alloc = (*builder)->alloc;
    visage_module_destroy(&(*builder)->module);
    vsg_base_delete(&alloc, *builder, 1, sizeof **builder);
    *builder = NULL;
}

visage_status visage_builder_finish(visage_builder **builder, visage_module **out)
{
    if (out)
        *out = NULL;
    if (!builder || !*builder || !out)
        return VISAGE_ARGUMENT;
    visage_status status = vsg_api_module_describe((*builder)->module, NULL);
    if (status == VISAGE_OK) {
        *out = (*builder)->module;
        (*builder)->module = NULL;
    }
    visage_builder_destroy(builder);
    return status;
}

static vsg_obj_unit *unit_at(const visage_builder *builder, size_t unit)
{
    if (!builder || unit >= builder->module->object->num_units)
        return NULL;
    return builder->module->object->units[unit];
}

/* ---- units, variables, labels ----------------------------------------------------------- */

visage_status visage_builder_add_unit(visage_builder *builder, const visage_unit *record,
                                      size_t *unit)
{
    if (!builder || !record || !record->name || !record->name[0] ||
        (unsigned)record->linkage > VISAGE_LINKAGE_GLOBAL ||
        (record->is_declaration && !record->is_function))
        return VISAGE_ARGUMENT;
    vsg_obj_module *module = builder->module->object;
    vsg_obj_unit *added =
        vsg_obj_add_unit(module, record->name, strlen(record->name), record->is_function);
    if (!added)
        return VISAGE_NO_MEMORY;
    added->file = builder->module->name;
    added->linkage = (vsg_obj_linkage)record->linkage;
    added->stored.is_declaration = record->is_declaration;
    if (unit)
        *unit = module->num_units - 1;
    return VISAGE_OK;
}

static bool good_general(const visage_builder *builder, const vsg_obj_unit *unit,
                         const visage_variable *record)
{
    vsg_obj_variable_facts facts;

    if ((unsigned)record->type >= VISAGE_TYPE_COUNT ||
        !vsg_isa_word(VSG_ISA_WORDS_ALIGN, record->align))
        return false;
    if (record->alias == VISAGE_NO_ALIAS)
        return !record->alias_is_file_scope;
    if (record->alias_is_file_scope)
        return record->alias < builder->module->object->num_file_variables;
    return vsg_obj_variable_get(unit, record->alias, &facts);
}

static visage_status add_general(visage_builder *builder, vsg_obj_unit *unit, const char *name,
                                 const visage_variable *record, uint32_t *id)
{
    vsg_obj_variable *added = vsg_obj_add_variable(builder->module->object, unit);

    if (!added)
        return VISAGE_NO_MEMORY;
    added->name = name;
    added->type = record->type;
    added->align = record->align;
    added->num_elements = record->num_elements;
    added->alias = record->alias;
    added->alias_offset_bytes = record->alias_offset_bytes;
    added->alias_is_global = record->alias_is_file_scope;
    if (id)
        *id = VSG_ISA_FIRST_VARIABLE + (uint32_t)unit->num_variables - 1;
    return VISAGE_OK;
}

typedef vsg_obj_state *(*add_state_fn)(vsg_obj_module *module, vsg_obj_unit *unit);

static visage_status add_state(visage_builder *builder, vsg_obj_unit *unit, visage_class class_,
                               const visage_variable *record, const char *name, uint32_t *id)
{
    static const add_state_fn functions[] = {
        [VISAGE_CLASS_ADDRESS] = vsg_obj_add_address,
        [VISAGE_CLASS_PREDICATE] = vsg_obj_add_predicate,
        [VISAGE_CLASS_SAMPLER] = vsg_obj_add_sampler,
        [VISAGE_CLASS_SURFACE] = vsg_obj_add_surface,
    };
    const size_t counts[] = {
        [VISAGE_CLASS_ADDRESS] = unit->num_addresses,
        [VISAGE_CLASS_PREDICATE] = unit->num_predicates,
        [VISAGE_CLASS_SAMPLER] = unit->num_samplers,
        [VISAGE_CLASS_SURFACE] = unit->num_surfaces,
    };
    vsg_obj_module *module = builder->module->object;
    const char *pool_name = NULL;

    if (record->pool_name) {
        pool_name = vsg_obj_text(module, record->pool_name, strlen(record->pool_name));
        if (!pool_name)
            return VISAGE_NO_MEMORY;
    }
    vsg_obj_state *added = functions[class_](module, unit);
    if (!added)
        return VISAGE_NO_MEMORY;
    added->name = name;
    added->v_name = pool_name;
    added->num_elements = record->num_elements;
    if (id)
        *id = vsg_api_first_id(class_) + (uint32_t)counts[class_];
    return VISAGE_OK;
}

visage_status visage_builder_add_variable(visage_builder *builder, size_t unit,
                                          visage_class class_, const visage_variable *record,
                                          uint32_t *id)
{
    vsg_obj_unit *object = unit_at(builder, unit);

    if (!object || !record || !record->name || (unsigned)class_ > VISAGE_CLASS_SURFACE ||
        record->num_elements == 0 ||
        (class_ == VISAGE_CLASS_GENERAL && !good_general(builder, object, record)))
        return VISAGE_ARGUMENT;
    const char *name =
        vsg_obj_text(builder->module->object, record->name, strlen(record->name));
    if (!name)
        return VISAGE_NO_MEMORY;
    if (class_ == VISAGE_CLASS_GENERAL)
        return add_general(builder, object, name, record, id);
    return add_state(builder, object, class_, record, name, id);
}

visage_status visage_builder_add_label(visage_builder *builder, size_t unit,
                                       const visage_label *record, uint32_t *id)
{
    vsg_obj_unit *object = unit_at(builder, unit);

    if (!object || !record || !record->name || (unsigned)record->kind > VISAGE_LABEL_KERNEL)
        return VISAGE_ARGUMENT;
    vsg_obj_module *module = builder->module->object;
    const char *name = vsg_obj_text(module, record->name, strlen(record->name));
    vsg_obj_label *added = name ? vsg_obj_add_label(module, object) : NULL;
    if (!added)
        return VISAGE_NO_MEMORY;
    added->name = name;
    added->kind = (vsg_obj_label_kind)record->kind;
    added->inst = -1;
    if (id)
        *id = (uint32_t)object->num_labels - 1;
    return VISAGE_OK;
}

/* ---- inputs, attributes, names ---------------------------------------------------------- */

static bool has_variable(const vsg_obj_unit *unit, visage_class class_, uint32_t id)
{
    vsg_obj_variable_facts facts;

    if (class_ == VISAGE_CLASS_GENERAL)
        return vsg_obj_variable_get(unit, id, &facts);
    uint32_t first = vsg_api_first_id(class_);
    return id >= first && vsg_api_state(unit, class_, id - first);
}

visage_status visage_builder_add_input(visage_builder *builder, size_t unit,
                                       const visage_input *record)
{
    vsg_obj_unit *object = unit_at(builder, unit);
    vsg_obj_input_kind kind;

    if (!object || !record || !has_variable(object, record->class_, record->id))
        return VISAGE_ARGUMENT;
    if (record->class_ == VISAGE_CLASS_GENERAL)
        kind = VSG_OBJ_INPUT_GENERAL;
    else if (record->class_ == VISAGE_CLASS_SAMPLER)
        kind = VSG_OBJ_INPUT_SAMPLER;
    else if (record->class_ == VISAGE_CLASS_SURFACE)
        kind = VSG_OBJ_INPUT_SURFACE;
    else
        return VISAGE_ARGUMENT;
    vsg_obj_input *added = vsg_obj_add_input(builder->module->object, object);
    if (!added)
        return VISAGE_NO_MEMORY;
    added->kind = kind;
    added->provenance = record->provenance;
    added->id = record->id;
    added->offset_bytes = record->offset_bytes;
    added->size_bytes = record->size_bytes;
    return VISAGE_OK;
}

/* Bytes of a record's string: any may be NUL; of a word such as 3d the size is that of its
 * code.
 */
static size_t string_bytes(const visage_attribute *record)
{
    bool is_word = vsg_isa_attribute_kind(record->name) == VSG_ISA_ATTRIBUTE_WORD;

    return record->size_bytes && !is_word ? record->size_bytes : strlen(record->string);
}

static bool good_attribute(const visage_attribute *record)
{
    if (!record || !record->name || !record->name[0])
        return false;
    return record->string ? string_bytes(record) <= UINT8_MAX : record->size_bytes <= 4;
}

visage_status visage_builder_add_attribute(visage_builder *builder, size_t unit,
                                           visage_class class_, size_t index,
                                           const visage_attribute *record)
{
    vsg_obj_unit *object = unit_at(builder, unit);

    if (!object || (unsigned)class_ > VISAGE_CLASS_UNIT || !good_attribute(record))
        return VISAGE_ARGUMENT;
    vsg_obj_attributes *list = (vsg_obj_attributes *)vsg_api_attributes(object, class_, index);
    if (!list)
        return VISAGE_ARGUMENT;
    vsg_obj_module *module = builder->module->object;
    const char *name = vsg_obj_text(module, record->name, strlen(record->name));
    size_t length = record->string ? string_bytes(record) : 0;
    const char *string = record->string ? vsg_obj_text(module, record->string, length) : NULL;
    if (!name || (record->string && !string))
        return VISAGE_NO_MEMORY;
    vsg_obj_attribute *added = vsg_obj_add_attribute(module, list);
    if (!added)
        return VISAGE_NO_MEMORY;
    added->name = name;
    added->string = string;
    added->value = record->value;
    added->size_bytes = string ? (uint8_t)length : record->size_bytes;
    return VISAGE_OK;
}

visage_status visage_builder_add_function_decl(visage_builder *builder, size_t unit,
                                               const char *name)
{
    vsg_obj_unit *object = unit_at(builder, unit);

    if (!object || !name || !name[0])
        return VISAGE_ARGUMENT;
    return vsg_obj_add_function_decl(builder->module->object, object, name, strlen(name))
               ? VISAGE_OK
               : VISAGE_NO_MEMORY;
}

/* ---- instructions ----------------------------------------------------------------------- */

#define BIT(kind) (1u << VISAGE_OPERAND_##kind)
enum {
    VECTOR = BIT(GENERAL) | BIT(INDIRECT) | BIT(IMMEDIATE) | BIT(STATE) | BIT(ADDRESS) |
             BIT(ADDRESS_OF) | BIT(PREDICATE)
};
/* What may stand in a slot. Vector slots take each kind of vector operand: which of them an
 * instruction may have is a rule, not a matter of form. */
static const uint32_t kinds_of_slot[] = {
    [VSG_ISA_SLOT_DST] = VECTOR,
    [VSG_ISA_SLOT_DST_PRED_OR] = VECTOR,
    [VSG_ISA_SLOT_PRED_DST] = VECTOR,
    [VSG_ISA_SLOT_ADDR_DST] = VECTOR,
    [VSG_ISA_SLOT_STATE_DST] = VECTOR,
    [VSG_ISA_SLOT_SRC] = VECTOR,
    [VSG_ISA_SLOT_SRC_PRED_OR] = VECTOR,
    [VSG_ISA_SLOT_ADDR_SRC] = VECTOR,
    [VSG_ISA_SLOT_STATE_SRC] = VECTOR,
    [VSG_ISA_SLOT_RAW_DST] = BIT(RAW),
    [VSG_ISA_SLOT_RAW_SRC] = BIT(RAW),
    [VSG_ISA_SLOT_SURFACE] = BIT(SURFACE),
    [VSG_ISA_SLOT_SAMPLER] = BIT(SAMPLER),
    [VSG_ISA_SLOT_LABEL] = BIT(LABEL),
    [VSG_ISA_SLOT_NAME16] = BIT(NAME),
    [VSG_ISA_SLOT_NAME32] = BIT(NAME),
    [VSG_ISA_SLOT_U8] = BIT(NUMBER),
    [VSG_ISA_SLOT_U16] = BIT(NUMBER),
    [VSG_ISA_SLOT_U32] = BIT(NUMBER),
    [VSG_ISA_SLOT_VARIABLE] = BIT(VARIABLE),
    [VSG_ISA_SLOT_COUNT8] = BIT(NUMBER),
    [VSG_ISA_SLOT_RAW_LIST] = BIT(RAW) | VECTOR,
    [VSG_ISA_SLOT_LABEL_LIST] = BIT(LABEL),
};
#undef BIT

static bool good_number(vsg_isa_slot_kind slot, uint64_t value)
{
    switch (slot) {
    case VSG_ISA_SLOT_U8:
    case VSG_ISA_SLOT_COUNT8:
        return value <= UINT8_MAX;
    case VSG_ISA_SLOT_U16:
        return value <= UINT16_MAX;
    default:
        return value <= UINT32_MAX;
    }
}

static bool good_id(const vsg_obj_unit *unit, const visage_operand *operand)
{
    static const visage_class classes_of_state[] = {VISAGE_CLASS_SURFACE, VISAGE_CLASS_SAMPLER,
                                                    VISAGE_CLASS_GENERAL};
    static const visage_class classes_of_lifetime[] = {
        VISAGE_CLASS_GENERAL, VISAGE_CLASS_ADDRESS, VISAGE_CLASS_PREDICATE};

    switch (operand->kind) {
    case VISAGE_OPERAND_GENERAL:
    case VISAGE_OPERAND_RAW:
        return has_variable(unit, VISAGE_CLASS_GENERAL, operand->id);
    case VISAGE_OPERAND_ADDRESS:
    case VISAGE_OPERAND_INDIRECT:
        return has_variable(unit, VISAGE_CLASS_ADDRESS, operand->id);
    case VISAGE_OPERAND_PREDICATE:
        return has_variable(unit, VISAGE_CLASS_PREDICATE, operand->id);
    case VISAGE_OPERAND_SURFACE:
        return operand->id < VSG_ISA_NUM_SURFACES ||
               has_variable(unit, VISAGE_CLASS_SURFACE, operand->id);
    case VISAGE_OPERAND_SAMPLER:
        return operand->id == VSG_ISA_BINDLESS_SAMPLER ||
               has_variable(unit, VISAGE_CLASS_SAMPLER, operand->id);
    case VISAGE_OPERAND_LABEL:
        return operand->id < unit->num_labels;
    case VISAGE_OPERAND_STATE:
    case VISAGE_OPERAND_ADDRESS_OF:
        return operand->state < 3 &&
               (operand->id < VSG_ISA_FIRST_VARIABLE ||
                has_variable(unit, classes_of_state[operand->state], operand->id));
    case VISAGE_OPERAND_VARIABLE:
        return operand->state < 3 &&
               has_variable(unit, classes_of_lifetime[operand->state], operand->id);
    default:
        return true;
    }
}

static bool good_operand(const vsg_obj_unit *unit, const vsg_isa_slot *slot,
                         const visage_operand *operand)
{
    if ((unsigned)operand->kind > VISAGE_OPERAND_NONE ||
        (unsigned)operand->modifier > VISAGE_MODIFIER_NOT ||
        (unsigned)operand->type >= VISAGE_TYPE_COUNT)
        return false;
    /* Vector and raw operands, surfaces and samplers may be absent; what names or counts may
     * not. */
    if (operand->kind == VISAGE_OPERAND_NONE)
        return slot->kind < VSG_ISA_SLOT_LABEL || slot->kind == VSG_ISA_SLOT_RAW_LIST;
    if (!(kinds_of_slot[slot->kind] >> operand->kind & 1u) || !good_id(unit, operand))
        return false;
    if (operand->kind == VISAGE_OPERAND_NAME)
        return operand->name != NULL;
    return operand->kind != VISAGE_OPERAND_NUMBER || good_number(slot->kind, operand->value);
}

static bool fill_operand(vsg_obj_module *module, const visage_operand *from,
                         vsg_obj_operand *to)
{
    *to = (vsg_obj_operand){
        .class_ = (uint8_t)from->kind,
        .modifier = (uint8_t)from->modifier,
        .type = (uint8_t)from->type,
        .state = from->state,
        .id = from->id,
        .row = from->row,
        .column = from->column,
        .v_stride = from->v_stride,
        .width = from->width,
        .h_stride = from->h_stride,
        .offset_elements = from->offset_elements,
        .offset_bytes = from->offset_bytes,
        .value = from->value,
    };
    if (from->kind == VISAGE_OPERAND_NAME)
        to->name = vsg_obj_text(module, from->name, strlen(from->name));
    return from->kind != VISAGE_OPERAND_NAME || to->name;
}

/* False: the operation does not take so many. */
static bool good_count(visage_op op, size_t count)
{
    uint32_t formal = vsg_isa_num_operands(op);
    const vsg_isa_slot *last = formal ? vsg_isa_operand_slot(op, formal - 1) : NULL;
    bool has_list =
        last && (last->kind == VSG_ISA_SLOT_RAW_LIST || last->kind == VSG_ISA_SLOT_LABEL_LIST);

    if (has_list)
        return count + 1 >= formal && count <= formal + UINT8_MAX;
    return count == formal;
}

static bool good_frame(const vsg_obj_unit *unit, const visage_instruction *record, visage_op op)
{
    return record->exec_size <= 32 && record->mask_offset <= 28 &&
           record->mask_offset % 4 == 0 && record->predicate_combine <= VISAGE_COMBINE_ALL &&
           (!record->predicate ||
            has_variable(unit, VISAGE_CLASS_PREDICATE, record->predicate)) &&
           good_count(op, record->num_operands);
}

static visage_status add_checked(visage_builder *builder, vsg_obj_unit *unit, visage_op op,
                                 const visage_instruction *record,
                                 const visage_operand *operands)
{
    vsg_obj_module *module = builder->module->object;
    const vsg_isa_op_info *info = vsg_isa_op(op);
    vsg_obj_operand filled[UINT8_MAX + VSG_ISA_MAX_SLOTS];
    vsg_obj_inst inst = {
        .op = op,
        .sub_flags =
            info->sub_mask ? (uint16_t)((uint32_t)record->sub_opcode & ~info->sub_mask) : 0,
        .exec_size = record->exec_size,
        .mask_offset = record->mask_offset,
        .no_mask = record->no_mask,
        .predicate = record->predicate,
        .predicate_inverse = record->predicate_inverse,
        .predicate_combine = record->predicate_combine,
        .num_operands = (uint16_t)record->num_operands,
        .operands = filled,
    };

    for (size_t i = 0; i < record->num_operands; i++)
        if (!fill_operand(module, &operands[i], &filled[i]))
            return VISAGE_NO_MEMORY;
    if (!vsg_obj_add_inst(module, unit, &inst))
        return VISAGE_NO_MEMORY;
    if (op == VISAGE_OP_LABEL)
        unit->labels[filled[0].id].inst = (int64_t)unit->num_insts - 1;
    return VISAGE_OK;
}

visage_status visage_builder_add_instruction(visage_builder *builder, size_t unit,
                                             const visage_instruction *record,
                                             const visage_operand *operands)
{
    vsg_obj_unit *object = unit_at(builder, unit);

    if (!object || !record || (record->num_operands && !operands) ||
        record->sub_opcode > UINT16_MAX)
        return VISAGE_ARGUMENT;
    visage_op op = vsg_isa_find_code(record->opcode,
                                     record->sub_opcode < 0 ? 0 : (uint32_t)record->sub_opcode);
    if (op == VISAGE_OP_COUNT || !good_frame(object, record, op))
        return VISAGE_ARGUMENT;
    for (uint32_t i = 0; i < record->num_operands; i++) {
        const vsg_isa_slot *slot = vsg_isa_operand_slot(op, i);
        if (!slot || !good_operand(object, slot, &operands[i]))
            return VISAGE_ARGUMENT;
    }
    /* A label stands at one place. */
    if (op == VISAGE_OP_LABEL && object->labels[operands[0].id].inst >= 0)
        return VISAGE_ARGUMENT;
    return add_checked(builder, object, op, record, operands);
}

/* ---- file scope ------------------------------------------------------------------------- */

visage_status visage_builder_add_file_variable(visage_builder *builder,
                                               const visage_file_variable *record, uint32_t *id)
{
    if (!builder || !record || !record->name || !record->name[0] ||
        (unsigned)record->type >= VISAGE_TYPE_COUNT || record->num_elements == 0 ||
        (unsigned)record->linkage > VISAGE_LINKAGE_GLOBAL ||
        !vsg_isa_word(VSG_ISA_WORDS_ALIGN, record->align))
        return VISAGE_ARGUMENT;
    vsg_obj_module *module = builder->module->object;
    const char *name = vsg_obj_text(module, record->name, strlen(record->name));
    vsg_obj_file_variable *added = name ? vsg_obj_add_file_variable(module) : NULL;
    if (!added)
        return VISAGE_NO_MEMORY;
    added->linkage = (vsg_obj_linkage)record->linkage;
    added->name = name;
    added->type = record->type;
    added->align = record->align;
    added->num_elements = record->num_elements;
    if (id)
        *id = (uint32_t)module->num_file_variables - 1;
    return VISAGE_OK;
}
