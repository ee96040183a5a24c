/* SPDX-License-Identifier: MIT
 *
 * Variables as operands name them: facts, the root of aliases, the declaration. */
#include "object/limits.h"
#include "verify/check.h"

bool vsg_ver_roots_open(vsg_ver_state *state)
{
    const vsg_obj_unit *unit = state->unit;
    size_t count = unit->num_variables;

    if (count == 0)
        return true;
    state->roots = vsg_base_new(&state->module->alloc, count, sizeof *state->roots);
    if (!state->roots) {
        state->no_memory = true;
        return false;
    }
    /* An alias is of a variable declared before it, whose root is known then: one pass. */
    for (size_t i = 0; i < count; i++) {
        const vsg_obj_variable *variable = &unit->variables[i];
        vsg_ver_root *root = &state->roots[i];
        uint32_t id = (uint32_t)i + VSG_ISA_FIRST_VARIABLE;
        if (variable->alias == VSG_OBJ_NO_ALIAS && !variable->alias_is_global) {
            *root = (vsg_ver_root){.is_known = true, .id = id};
        } else if (!variable->alias_is_global && variable->alias < VSG_ISA_NUM_PREDEFINED) {
            *root = (vsg_ver_root){true, variable->alias, variable->alias_offset_bytes};
        } else if (!variable->alias_is_global && variable->alias >= VSG_ISA_FIRST_VARIABLE &&
                   variable->alias < id) {
            *root = state->roots[variable->alias - VSG_ISA_FIRST_VARIABLE];
            root->offset_bytes += variable->alias_offset_bytes;
        }
    }
    return true;
}

void vsg_ver_roots_close(vsg_ver_state *state)
{
    vsg_base_delete(&state->module->alloc, state->roots, state->unit->num_variables,
                    sizeof *state->roots);
    state->roots = NULL;
}

/* %arg and %retval have as many GRFs on every platform (4_visa_header, predefined variables).
 */
static uint64_t storage_bytes(const vsg_ver_state *state, uint32_t id, uint32_t declared_bytes)
{
    vsg_obj_limit limit =
        id == VSG_ISA_VAR_ARG ? VSG_OBJ_LIMIT_INPUT_SIZE : VSG_OBJ_LIMIT_RETURN_SIZE;
    vsg_obj_excess excess;

    if (id != VSG_ISA_VAR_ARG && id != VSG_ISA_VAR_RETVAL)
        return declared_bytes;
    (void)vsg_obj_limit_check(limit, UINT64_MAX, &excess);
    return excess.high * state->grf_bytes;
}

bool vsg_ver_variable_get(const vsg_ver_state *state, uint32_t id, vsg_ver_variable *out)
{
    *out = (vsg_ver_variable){0};
    if (!vsg_obj_variable_get(state->unit, id, &out->facts))
        return false;
    out->size_bytes = storage_bytes(state, id, out->facts.size_bytes);
    if (id < VSG_ISA_NUM_PREDEFINED)
        out->root = (vsg_ver_root){.is_known = true, .id = id};
    else if (state->roots)
        out->root = state->roots[id - VSG_ISA_FIRST_VARIABLE];
    if (out->root.is_known && vsg_obj_variable_get(state->unit, out->root.id, &out->root_facts))
        out->root_bytes = storage_bytes(state, out->root.id, out->root_facts.size_bytes);
    return true;
}

bool vsg_ver_room_of(const vsg_ver_state *state, const vsg_obj_operand *operand,
                     vsg_ver_room *out)
{
    vsg_ver_variable variable;

    if ((operand->class_ != VSG_OBJ_CLASS_RAW && operand->class_ != VSG_OBJ_CLASS_GENERAL) ||
        operand->id == VSG_ISA_VAR_NULL || !vsg_ver_variable_get(state, operand->id, &variable))
        return false;
    *out = variable.root.is_known
               ? (vsg_ver_room){variable.root_facts.name, variable.root.offset_bytes,
                                variable.root_bytes}
               : (vsg_ver_room){variable.facts.name, 0, variable.size_bytes};
    if (operand->class_ == VSG_OBJ_CLASS_RAW)
        out->at += (uint64_t)(int64_t)operand->offset_bytes;
    else
        out->at += (uint64_t)operand->row * state->grf_bytes +
                   (uint64_t)operand->column * vsg_isa_type(variable.facts.type)->bytes;
    return true;
}

/* ---- declarations ----------------------------------------------------------------------- */

static void note_general(vsg_ver_state *state, uint32_t id)
{
    const vsg_obj_unit *unit = state->unit;

    if (id < VSG_ISA_FIRST_VARIABLE || id - VSG_ISA_FIRST_VARIABLE >= unit->num_variables)
        return;
    const vsg_obj_variable *variable = &unit->variables[id - VSG_ISA_FIRST_VARIABLE];
    const vsg_isa_type_info *type = vsg_isa_type(variable->type);
    vsg_ver_note_place(state, &variable->place, "'%s' is declared here: %u elements of type %s",
                       variable->name, variable->num_elements, type ? type->letters : "?");
}

static void note_state(vsg_ver_state *state, const vsg_obj_state *states, size_t count,
                       uint32_t first, uint32_t id)
{
    if (id < first || id - first >= count)
        return;
    const vsg_obj_state *found = &states[id - first];
    vsg_ver_note_place(state, &found->place, "'%s' is declared here: %u elements", found->name,
                       found->num_elements);
}

void vsg_ver_note_predicate(vsg_ver_state *state, uint32_t id)
{
    note_state(state, state->unit->predicates, state->unit->num_predicates, 1, id);
}

void vsg_ver_note_declaration(vsg_ver_state *state, const vsg_obj_operand *operand)
{
    const vsg_obj_unit *unit = state->unit;
    unsigned class_ = operand->class_;

    if (class_ == VSG_OBJ_CLASS_STATE ||
        (class_ == VSG_OBJ_CLASS_ADDRESS_OF && operand->state < 2))
        class_ = operand->state == 1 ? VSG_OBJ_CLASS_SAMPLER : VSG_OBJ_CLASS_SURFACE;
    switch (class_) {
    case VSG_OBJ_CLASS_GENERAL:
    case VSG_OBJ_CLASS_RAW:
    case VSG_OBJ_CLASS_ADDRESS_OF:
        note_general(state, operand->id);
        break;
    case VSG_OBJ_CLASS_ADDRESS:
    case VSG_OBJ_CLASS_INDIRECT:
        note_state(state, unit->addresses, unit->num_addresses, 0, operand->id);
        break;
    case VSG_OBJ_CLASS_PREDICATE:
        vsg_ver_note_predicate(state, operand->id);
        break;
    case VSG_OBJ_CLASS_SURFACE:
        note_state(state, unit->surfaces, unit->num_surfaces, VSG_ISA_NUM_SURFACES,
                   operand->id);
        break;
    case VSG_OBJ_CLASS_SAMPLER:
        note_state(state, unit->samplers, unit->num_samplers, 0, operand->id);
        break;
    default:
        break;
    }
}
