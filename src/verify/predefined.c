/* SPDX-License-Identifier: MIT
 *
 * What is written to predefined variables, and which of them a platform has. Source:
 * 4_visa_header, predefined variables. */
#include "verify/operands.h"
#include "verify/types.h"

/* ---- numbers that are written ----------------------------------------------------------- */

/* The 32 bits of an immediate, of which narrow types have the low ones. */
static bool immediate_bits(const vsg_obj_operand *operand, uint32_t *bits)
{
    if (operand->class_ != VSG_OBJ_CLASS_IMMEDIATE)
        return false;
    const vsg_isa_type_info *type = vsg_isa_type(operand->type);
    uint32_t value = (uint32_t)operand->value;
    if (!type || (type->kind != VSG_ISA_KIND_SIGNED && type->kind != VSG_ISA_KIND_UNSIGNED))
        return false;
    if (type->bytes < sizeof value) {
        uint32_t sign = 1u << (type->bytes * 8 - 1), mask = sign * 2 - 1;
        value &= mask;
        if (type->kind == VSG_ISA_KIND_SIGNED && value & sign)
            value |= ~mask;
    }
    *bits = value;
    return true;
}

/* The immediate of a mov or a logic instruction: of or, xor and and, the one that there is. */
static bool find_immediate(const vsg_ver_state *state, uint32_t *bits)
{
    const vsg_obj_operand *src0 = vsg_ver_operand_called(state, "src0");
    const vsg_obj_operand *src1 = vsg_ver_operand_called(state, "src1");

    return (src0 && immediate_bits(src0, bits)) || (src1 && immediate_bits(src1, bits));
}

/* Bits that an instruction may change, as far as its text says so; what it computes from
 * variables alone is known when it runs. */
static uint32_t changed_bits(const vsg_ver_state *state)
{
    uint32_t bits;

    if (!find_immediate(state, &bits))
        return 0;
    switch (state->inst->op) {
    case VISAGE_OP_MOV:
    case VISAGE_OP_OR:
    case VISAGE_OP_XOR:
        return bits;
    case VISAGE_OP_AND:
        return ~bits;
    default:
        return 0;
    }
}

static void check_control(vsg_ver_state *state, const vsg_obj_operand *operand,
                          const char *name)
{
    enum { MODE_BITS = 0x4f1 };
    uint32_t reserved = changed_bits(state) & ~(uint32_t)MODE_BITS;

    if (reserved)
        vsg_ver_report_operand(state, operand, VSG_RULE_CONTROL_RESERVED, reserved, name);
}

static void check_timestamp(vsg_ver_state *state, const vsg_obj_operand *operand,
                            const char *name)
{
    enum { PAUSE_COUNTER = 4, ELEMENT_BYTES = 4, PAUSE_BITS = 0x3e0 };
    uint64_t element =
        (uint64_t)operand->row * state->grf_bytes / ELEMENT_BYTES + operand->column;
    uint32_t bits;

    if (element != PAUSE_COUNTER) {
        vsg_ver_report_operand(state, operand, VSG_RULE_TIMESTAMP, (unsigned long long)element,
                               name);
        return;
    }
    vsg_ver_report_operand(state, operand, VSG_RULE_PAUSE_PLATFORM, name);
    if (state->inst->op == VISAGE_OP_MOV && find_immediate(state, &bits) &&
        bits & ~(uint32_t)PAUSE_BITS)
        vsg_ver_report_operand(state, operand, VSG_RULE_PAUSE_BITS, bits);
}

/* ---- variables -------------------------------------------------------------------------- */

static void check_written(vsg_ver_state *state, const vsg_obj_operand *operand,
                          const vsg_ver_variable *variable)
{
    const char *name = variable->root_facts.name;

    if (!(variable->root_facts.flags & VSG_ISA_VAR_WRITE)) {
        vsg_ver_report_operand(state, operand, VSG_RULE_READ_ONLY, name);
        vsg_ver_note_declaration(state, operand);
    }
    if (operand->class_ != VSG_OBJ_CLASS_GENERAL)
        return;
    if (variable->root.id == VSG_ISA_VAR_TSC)
        check_timestamp(state, operand, name);
    else if (variable->root.id == VSG_ISA_VAR_CR0)
        check_control(state, operand, name);
}

void vsg_ver_check_predefined(vsg_ver_state *state, const vsg_obj_operand *operand, bool is_dst)
{
    vsg_ver_variable variable;

    if (!vsg_ver_variable_get(state, operand->id, &variable) || !variable.root.is_known ||
        !variable.root_facts.predefined)
        return;
    if (is_dst)
        check_written(state, operand, &variable);
    if (variable.root.id == VSG_ISA_VAR_IMPL_ARG_BUF_PTR ||
        variable.root.id == VSG_ISA_VAR_LOCAL_ID_BUF_PTR)
        vsg_ver_report_operand(state, operand, VSG_RULE_IMPLICIT_POINTER,
                               variable.root_facts.name);
}
