/* SPDX-License-Identifier: MIT
 *
 * Operands, each by its class: what they name, ranges, modifiers, raw alignment. What regions
 * say is in regions.c. */
#include "verify/operands.h"

#include "object/extent.h"

static const char *const modifier_names[] = {
    [VSG_OBJ_MOD_NONE] = "none",      [VSG_OBJ_MOD_ABS] = "(abs)", [VSG_OBJ_MOD_NEG] = "(-)",
    [VSG_OBJ_MOD_NEG_ABS] = "(-abs)", [VSG_OBJ_MOD_SAT] = ".sat",  [VSG_OBJ_MOD_NOT] = "(~)",
};

static const char *const class_names[] = {
    [VSG_OBJ_CLASS_GENERAL] = "a general",     [VSG_OBJ_CLASS_ADDRESS] = "an address",
    [VSG_OBJ_CLASS_PREDICATE] = "a predicate", [VSG_OBJ_CLASS_INDIRECT] = "an indirect",
    [VSG_OBJ_CLASS_ADDRESS_OF] = "an address", [VSG_OBJ_CLASS_IMMEDIATE] = "an immediate",
    [VSG_OBJ_CLASS_STATE] = "a state",
};

/* ---- modifiers -------------------------------------------------------------------------- */

static void check_modifier(vsg_ver_state *state, const vsg_ver_operand *o)
{
    const vsg_obj_operand *operand = o->operand;
    unsigned modifier = operand->modifier;
    bool carries =
        operand->class_ == VSG_OBJ_CLASS_GENERAL || operand->class_ == VSG_OBJ_CLASS_INDIRECT;

    if (modifier == VSG_OBJ_MOD_NONE || modifier > VSG_OBJ_MOD_NOT)
        return;
    if ((modifier == VSG_OBJ_MOD_SAT) != o->is_dst)
        vsg_ver_report_operand(state, operand, VSG_RULE_MODIFIER_SAT, modifier_names[modifier],
                               o->is_dst ? "destination" : "source");
    else if (o->is_dst)
        return; /* saturation is a matter of types */
    else if (!carries)
        vsg_ver_report_operand(state, operand, VSG_RULE_MODIFIER_CLASS,
                               modifier_names[modifier], class_names[operand->class_]);
    else if (modifier == VSG_OBJ_MOD_NOT && !(state->op->flags & VSG_ISA_MOD_LOGIC))
        vsg_ver_report_operand(state, operand, VSG_RULE_MODIFIER_NOT, state->op->text);
    else if (modifier != VSG_OBJ_MOD_NOT && !(state->op->flags & VSG_ISA_MOD_ARITH))
        vsg_ver_report_operand(state, operand, VSG_RULE_MODIFIER_ARITH, state->op->text,
                               modifier_names[modifier]);
}

/* ---- classes that a page leaves out ----------------------------------------------------- */

static void check_class(vsg_ver_state *state, const vsg_ver_operand *o)
{
    const vsg_obj_operand *operand = o->operand;
    const vsg_isa_op_info *op = state->op;
    const char *name = o->slot->name;
    enum { SHORT_BYTES = 2 };

    if (operand->class_ == VSG_OBJ_CLASS_INDIRECT && op->no_indirect >> o->number & 1)
        vsg_ver_report_operand(state, operand, VSG_RULE_NO_INDIRECT, name, op->text);
    if (operand->class_ != VSG_OBJ_CLASS_IMMEDIATE)
        return;
    const vsg_isa_type_info *type = vsg_isa_type(operand->type);
    if (op->no_immediate >> o->number & 1)
        vsg_ver_report_operand(state, operand, VSG_RULE_NO_IMMEDIATE, name, op->text);
    else if (op->short_immediate >> o->number & 1 && type && type->bytes != SHORT_BYTES)
        vsg_ver_report_operand(state, operand, VSG_RULE_SHORT_IMMEDIATE, type->letters, name,
                               op->text);
}

/* ---- immediates, addresses, states ------------------------------------------------------ */

static void check_immediate(vsg_ver_state *state, const vsg_ver_operand *o)
{
    enum { INTEGERS = 8, FLOATS = 4 };
    const vsg_obj_operand *operand = o->operand;
    const vsg_isa_type_info *type = vsg_isa_type(operand->type);

    if (!type)
        return;
    if (type->kind == VSG_ISA_KIND_BOOLEAN)
        vsg_ver_report_operand(state, operand, VSG_RULE_IMMEDIATE_TYPE);
    if (type->kind != VSG_ISA_KIND_PACKED)
        return;
    uint32_t elements = operand->type == VISAGE_TYPE_VF ? FLOATS : INTEGERS;
    if (o->count > elements)
        vsg_ver_report_operand(state, operand, VSG_RULE_IMMEDIATE_VECTOR, type->letters,
                               elements, o->count);
}

static void check_address(vsg_ver_state *state, const vsg_ver_operand *o)
{
    enum { WIDTHS = 1 | 2 | 4 | 8 | 16 };
    const vsg_obj_operand *operand = o->operand;
    unsigned width = operand->width;

    /* Readers leave them to mov alone. */
    if (o->slot->kind != VSG_ISA_SLOT_ADDR_DST && o->slot->kind != VSG_ISA_SLOT_ADDR_SRC) {
        vsg_ver_report_operand(state, operand, VSG_RULE_ADDRESS_USE, o->slot->name,
                               state->op->text);
        return;
    }
    if (operand->id >= state->unit->num_addresses)
        return;
    bool is_unset = o->is_dst && width == 0; /* it means nothing there */
    if (!is_unset && (width == 0 || (width & (width - 1)) != 0 || !(width & WIDTHS))) {
        vsg_ver_report_operand(state, operand, VSG_RULE_ADDRESS_WIDTH, width);
        return;
    }
    /* The width of a destination is ignored: it takes an element for each channel. */
    const vsg_obj_state *address = &state->unit->addresses[operand->id];
    uint32_t count = o->is_dst ? o->count : width;
    if (operand->offset_elements + count <= address->num_elements)
        return;
    vsg_ver_report_operand(state, operand, VSG_RULE_ADDRESS_RANGE, count,
                           (unsigned)operand->offset_elements, address->name,
                           address->num_elements);
    vsg_ver_note_declaration(state, operand);
}

static void check_address_of(vsg_ver_state *state, const vsg_obj_operand *operand)
{
    enum { SURFACE = 0, GENERAL = 2 };
    bool passes_values = operand->id == VSG_ISA_VAR_ARG || operand->id == VSG_ISA_VAR_RETVAL;

    if (operand->state == GENERAL && operand->id < VSG_ISA_NUM_PREDEFINED && !passes_values)
        vsg_ver_report_operand(state, operand, VSG_RULE_ADDRESS_OF,
                               vsg_isa_variable(operand->id)->text);
    else if (operand->state == SURFACE && operand->id < VSG_ISA_NUM_SURFACES)
        vsg_ver_report_operand(state, operand, VSG_RULE_ADDRESS_OF,
                               vsg_isa_surface(operand->id));
}

static void check_state(vsg_ver_state *state, const vsg_ver_operand *o)
{
    const vsg_obj_operand *operand = o->operand;
    const vsg_obj_unit *unit = state->unit;
    bool sampler = operand->state == 1;
    uint32_t first = sampler ? 0 : VSG_ISA_NUM_SURFACES;
    const vsg_obj_state *states = sampler ? unit->samplers : unit->surfaces;
    size_t count = sampler ? unit->num_samplers : unit->num_surfaces;
    const char *name = "S31";
    uint32_t elements = 1;

    if (operand->id >= first && operand->id - first < count) {
        name = states[operand->id - first].name;
        elements = states[operand->id - first].num_elements;
    } else if (!sampler && operand->id < VSG_ISA_NUM_SURFACES) {
        name = vsg_isa_surface(operand->id);
    } else if (!sampler || operand->id != VSG_ISA_BINDLESS_SAMPLER) {
        return;
    }
    if (operand->offset_elements + o->count <= elements)
        return;
    vsg_ver_report_operand(state, operand, VSG_RULE_STATE_RANGE, o->count,
                           (unsigned)operand->offset_elements, name, elements);
    vsg_ver_note_declaration(state, operand);
}

/* ---- predicates ------------------------------------------------------------------------- */

static void check_predicate_operand(vsg_ver_state *state, const vsg_ver_operand *o)
{
    const vsg_obj_operand *operand = o->operand;
    uint32_t first = state->inst->mask_offset;

    if (operand->id == 0 || operand->id > state->unit->num_predicates)
        return;
    const vsg_obj_state *predicate = &state->unit->predicates[operand->id - 1];
    /* A mov takes the whole variable. */
    if (state->inst->op == VISAGE_OP_MOV || first + o->count <= predicate->num_elements)
        return;
    vsg_ver_report_operand(state, operand, VSG_RULE_PREDICATE_RANGE, first,
                           first + o->count - 1, predicate->name, predicate->num_elements);
    vsg_ver_note_declaration(state, operand);
}

/* ---- raw operands ----------------------------------------------------------------------- */

/* GRFs that a raw send counts and the matrices of a dpas have rules of their own. */
static bool is_counted(const vsg_isa_op_info *op)
{
    return op->form == VSG_ISA_FORM_RAW_SEND || op->form == VSG_ISA_FORM_RAW_SENDS ||
           op->form == VSG_ISA_FORM_DPAS;
}

/* An alias may go on in the variable it is of, and what lies behind that in its last GRF is its
 * own: raw operands begin at a GRF. */
static void check_extent(vsg_ver_state *state, const vsg_ver_operand *o)
{
    enum { WIDEST_GRF_BYTES = 64 };
    const vsg_obj_operand *operand = o->operand;
    uint64_t grf_bytes = state->platform ? state->grf_bytes : WIDEST_GRF_BYTES;
    uint64_t bytes;
    vsg_ver_room room;

    if (is_counted(state->op) || !vsg_ver_room_of(state, operand, &room) ||
        !vsg_obj_extent(state->unit, state->inst, o->number, state->grf_bytes, &bytes) ||
        room.at + bytes <= room.size_bytes)
        return;
    bool in_grfs = room.at + bytes <= (room.size_bytes + grf_bytes - 1) / grf_bytes * grf_bytes;
    vsg_ver_report_operand(state, operand, in_grfs ? VSG_RULE_RAW_IN_GRF : VSG_RULE_RAW_EXTENT,
                           o->slot->name, state->op->text, (unsigned long long)bytes,
                           (unsigned long long)room.at, room.name,
                           (unsigned long long)room.size_bytes);
    vsg_ver_note_declaration(state, operand);
}

static void check_raw(vsg_ver_state *state, const vsg_ver_operand *o)
{
    const vsg_obj_operand *operand = o->operand;
    vsg_ver_variable variable;

    if (operand->id == VSG_ISA_VAR_NULL || !vsg_ver_variable_get(state, operand->id, &variable))
        return;
    if (operand->offset_bytes < 0 || (uint32_t)operand->offset_bytes >= variable.size_bytes) {
        vsg_ver_report_operand(state, operand, VSG_RULE_RAW_RANGE, (int)operand->offset_bytes,
                               variable.facts.name, (unsigned long long)variable.size_bytes);
        vsg_ver_note_declaration(state, operand);
        return;
    }
    check_extent(state, o);
    if (!variable.root.is_known)
        return;
    uint64_t at = variable.root.offset_bytes + (uint32_t)operand->offset_bytes;
    if (at % state->grf_bytes == 0)
        return;
    vsg_ver_report_operand(state, operand, VSG_RULE_RAW_ALIGNED,
                           (unsigned long long)(at % state->grf_bytes), state->grf_bytes);
    vsg_ver_note_declaration(state, operand);
}

static void check_null(vsg_ver_state *state, const vsg_ver_operand *o)
{
    bool is_scalar = (o->slot->flags & VSG_ISA_SLOT_SCALAR) != 0;

    if (o->operand->id == VSG_ISA_VAR_NULL && !o->is_dst && !is_scalar)
        vsg_ver_report_operand(state, o->operand, VSG_RULE_NULL_SOURCE);
}

/* ---- one operand ------------------------------------------------------------------------ */

static bool is_vector_slot(vsg_isa_slot_kind kind)
{
    return kind >= VSG_ISA_SLOT_DST && kind <= VSG_ISA_SLOT_STATE_SRC;
}

static bool is_raw_slot(vsg_isa_slot_kind kind)
{
    return kind == VSG_ISA_SLOT_RAW_DST || kind == VSG_ISA_SLOT_RAW_SRC ||
           kind == VSG_ISA_SLOT_RAW_LIST;
}

static void check_by_class(vsg_ver_state *state, const vsg_ver_operand *o)
{
    switch ((vsg_obj_class)o->operand->class_) {
    case VSG_OBJ_CLASS_GENERAL:
        vsg_ver_check_general(state, o);
        check_null(state, o);
        break;
    case VSG_OBJ_CLASS_INDIRECT:
        vsg_ver_check_indirect(state, o);
        break;
    case VSG_OBJ_CLASS_IMMEDIATE:
        check_immediate(state, o);
        break;
    case VSG_OBJ_CLASS_ADDRESS:
        check_address(state, o);
        break;
    case VSG_OBJ_CLASS_ADDRESS_OF:
        check_address_of(state, o->operand);
        break;
    case VSG_OBJ_CLASS_STATE:
        check_state(state, o);
        break;
    case VSG_OBJ_CLASS_PREDICATE:
        check_predicate_operand(state, o);
        break;
    case VSG_OBJ_CLASS_RAW:
        check_raw(state, o);
        break;
    default:
        break;
    }
}

static void check_operand(vsg_ver_state *state, uint32_t number)
{
    const vsg_isa_slot *slot = vsg_isa_operand_slot(state->inst->op, number);
    const vsg_obj_operand *operand = &state->inst->operands[number];

    if (!slot)
        return;
    if (operand->class_ == VSG_OBJ_CLASS_NONE) {
        if (!is_raw_slot(slot->kind))
            vsg_ver_report_operand(state, operand, VSG_RULE_MISSING, slot->name,
                                   state->op->text);
        return;
    }
    bool is_scalar = (slot->flags & VSG_ISA_SLOT_SCALAR) != 0 || !is_vector_slot(slot->kind);
    vsg_ver_operand o = {
        .operand = operand,
        .slot = slot,
        .number = number,
        .count = is_scalar || state->inst->exec_size == 0 ? 1 : state->inst->exec_size,
        .is_dst = slot->kind <= VSG_ISA_SLOT_STATE_DST,
        .has_region =
            !is_scalar && !(state->op->flags & (VSG_ISA_OWN_SHAPE | VSG_ISA_IN_A_ROW)),
    };
    if (is_vector_slot(slot->kind)) {
        check_modifier(state, &o);
        check_class(state, &o);
    }
    if (operand->class_ == VSG_OBJ_CLASS_GENERAL || operand->class_ == VSG_OBJ_CLASS_RAW)
        vsg_ver_check_predefined(state, operand,
                                 o.is_dst || slot->kind == VSG_ISA_SLOT_RAW_DST);
    check_by_class(state, &o);
}

/* ---- operands together ------------------------------------------------------------------ */

/* Operand of a place that predicates may have; NULL: there is none with this number. */
static const vsg_obj_operand *logic_operand(const vsg_ver_state *state, uint32_t number)
{
    const vsg_isa_slot *slot = vsg_isa_operand_slot(state->inst->op, number);

    if (!slot ||
        (slot->kind != VSG_ISA_SLOT_DST_PRED_OR && slot->kind != VSG_ISA_SLOT_SRC_PRED_OR))
        return NULL;
    return &state->inst->operands[number];
}

static bool is_predicate(const vsg_obj_operand *operand)
{
    return operand && operand->class_ == VSG_OBJ_CLASS_PREDICATE;
}

static void check_all_predicates(vsg_ver_state *state)
{
    const vsg_obj_inst *inst = state->inst;
    bool any = false;

    for (uint32_t i = 0; i < inst->num_operands; i++)
        any |= is_predicate(logic_operand(state, i));
    for (uint32_t i = 0; any && i < inst->num_operands; i++) {
        const vsg_obj_operand *operand = logic_operand(state, i);
        if (operand && !is_predicate(operand))
            vsg_ver_report_operand(state, operand, VSG_RULE_PREDICATES_ALL,
                                   vsg_isa_operand_slot(inst->op, i)->name, state->op->text);
    }
    if (any && inst->predicate)
        vsg_ver_report(state, VSG_RULE_PREDICATE_ON_PREDICATES, state->op->text);
}

/* Smallest type that takes so many bits. */
static visage_type bits_type(uint32_t bits)
{
    return bits <= 8 ? VISAGE_TYPE_UB : bits <= 16 ? VISAGE_TYPE_UW : VISAGE_TYPE_UD;
}

static void check_mov_predicate(vsg_ver_state *state)
{
    const vsg_obj_inst *inst = state->inst;
    const vsg_obj_operand *dst = &inst->operands[0], *src = &inst->operands[1];
    vsg_obj_variable_facts facts;

    if (!is_predicate(src))
        return;
    if (inst->exec_size != 1)
        vsg_ver_report(state, VSG_RULE_PREDICATE_MOV_SIZE, (unsigned)inst->exec_size);
    if (inst->predicate)
        vsg_ver_report(state, VSG_RULE_PREDICATE_ON_PREDICATES, state->op->text);
    if (src->id == 0 || src->id > state->unit->num_predicates)
        return;
    const vsg_obj_state *predicate = &state->unit->predicates[src->id - 1];
    uint32_t type = dst->type;
    if (dst->class_ == VSG_OBJ_CLASS_GENERAL) {
        if (!vsg_obj_variable_get(state->unit, dst->id, &facts))
            return;
        type = facts.type;
    } else if (dst->class_ != VSG_OBJ_CLASS_INDIRECT) {
        return;
    }
    const vsg_isa_type_info *info = vsg_isa_type(type);
    bool is_unsigned =
        type == VISAGE_TYPE_UB || type == VISAGE_TYPE_UW || type == VISAGE_TYPE_UD;
    bool is_signed = type == VISAGE_TYPE_B || type == VISAGE_TYPE_W || type == VISAGE_TYPE_D;
    bool holds = info && info->bytes * 8 >= predicate->num_elements;
    if (holds && is_unsigned)
        return;
    vsg_ver_report_operand(state, dst,
                           holds && is_signed ? VSG_RULE_PREDICATE_MOV_SIGNED
                                              : VSG_RULE_PREDICATE_MOV_TYPE,
                           predicate->num_elements, predicate->name, info ? info->letters : "?",
                           vsg_isa_type(bits_type(predicate->num_elements))->letters);
    vsg_ver_note_declaration(state, dst);
}

/* What T252 and S31 take is the address of a state, no index. */
static void check_index(vsg_ver_state *state, const vsg_obj_operand *dst,
                        const vsg_obj_operand *src)
{
    bool sampler = dst->state == 1;

    if (dst->class_ != VSG_OBJ_CLASS_STATE || src->class_ != VSG_OBJ_CLASS_IMMEDIATE ||
        (sampler ? dst->id == VSG_ISA_BINDLESS_SAMPLER : dst->id < VSG_ISA_NUM_SURFACES))
        return;
    uint32_t last = sampler ? VSG_VER_LAST_SAMPLER : VSG_VER_LAST_SURFACE;
    if (src->value > last)
        vsg_ver_report_operand(state, src, VSG_RULE_TABLE_INDEX,
                               sampler ? "sampler" : "binding-table",
                               (unsigned long long)src->value, last);
}

static void check_movs(vsg_ver_state *state)
{
    static const char *const names[] = {"surface", "sampler"};
    const vsg_obj_operand *dst = &state->inst->operands[0], *src = &state->inst->operands[1];
    bool to_state = dst->class_ == VSG_OBJ_CLASS_STATE;
    bool from_state = src->class_ == VSG_OBJ_CLASS_STATE;

    check_index(state, dst, src);
    if (!to_state && !from_state)
        vsg_ver_report(state, VSG_RULE_MOVS_CLASS);
    else if (to_state && from_state && (dst->state == 1) != (src->state == 1))
        vsg_ver_report(state, VSG_RULE_MOVS_STORAGE, names[src->state == 1],
                       names[dst->state == 1]);
}

void vsg_ver_check_operands(vsg_ver_state *state)
{
    const vsg_obj_inst *inst = state->inst;

    for (uint32_t i = 0; i < inst->num_operands; i++)
        check_operand(state, i);
    if (inst->num_operands < vsg_isa_num_operands(inst->op))
        return;
    vsg_isa_form form = state->op->form;
    if (form == VSG_ISA_FORM_LOGIC_UNARY || form == VSG_ISA_FORM_LOGIC_BINARY)
        check_all_predicates(state);
    else if (form == VSG_ISA_FORM_MOVE)
        check_mov_predicate(state);
    else if (form == VSG_ISA_FORM_MOVS)
        check_movs(state);
}
