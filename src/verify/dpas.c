/* SPDX-License-Identifier: MIT
 *
 * DPAS and DPASW: precisions and types that go together, depth, repeat count, and the parts of
 * their variables that the operands take. */
#include "isa/dpas.h"
#include "object/extent.h"

#include "verify/types.h"

#define TYPE(id) (1u << VISAGE_TYPE_##id)

static const char *precision_name(uint32_t code)
{
    const char *name = vsg_isa_word(VSG_ISA_WORDS_PRECISION, code);

    return name ? name : "unknown";
}

static bool check_precisions(vsg_ver_state *state, const vsg_isa_dpas *dpas)
{
    if (dpas->weight_bits == 0 || dpas->activation_bits == 0) {
        bool first = dpas->weight_bits == 0;
        uint32_t code = first ? dpas->weights : dpas->activations;
        vsg_ver_report(state, VSG_RULE_DPAS_PRECISION, code, precision_name(code),
                       first ? "src1" : "src2");
        return false;
    }
    if (vsg_isa_precision(dpas->weights).kind != vsg_isa_precision(dpas->activations).kind) {
        vsg_ver_report(state, VSG_RULE_DPAS_PAIR, precision_name(dpas->weights),
                       precision_name(dpas->activations));
        return false;
    }
    if (vsg_isa_precision(dpas->weights).kind == VSG_ISA_PRECISION_KIND_TF32)
        vsg_ver_report(state, VSG_RULE_DPAS_TF32);
    return true;
}

/* ---- types ------------------------------------------------------------------------------ */

static uint32_t accumulator_types(vsg_isa_precision_kind kind)
{
    switch (kind) {
    case VSG_ISA_PRECISION_KIND_INT:
        return TYPE(UD) | TYPE(D);
    case VSG_ISA_PRECISION_KIND_BF:
        return TYPE(F) | TYPE(BF);
    case VSG_ISA_PRECISION_KIND_HF:
        return TYPE(F) | TYPE(HF);
    default:
        return TYPE(F);
    }
}

static void check_type(vsg_ver_state *state, const char *name, uint32_t types,
                       vsg_ver_rule rule)
{
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, name);
    visage_type type;
    char list[48];

    if (!operand || !vsg_ver_operand_type(state, operand, &type) || types >> type & 1u)
        return;
    vsg_ver_list_types(types, " or ", list, sizeof list);
    vsg_ver_report_operand(state, operand, rule, name, vsg_isa_type(type)->letters, list);
    vsg_ver_note_declaration(state, operand);
}

static void check_types(vsg_ver_state *state, const vsg_isa_dpas *dpas)
{
    uint32_t types = accumulator_types(vsg_isa_precision(dpas->weights).kind);
    const vsg_obj_operand *src0 = vsg_ver_operand_called(state, "src0");
    const vsg_obj_operand *dst = vsg_ver_operand_called(state, "dst");
    visage_type type, result;

    check_type(state, "dst", types, VSG_RULE_DPAS_ACCUMULATOR);
    check_type(state, "src0", types, VSG_RULE_DPAS_ACCUMULATOR);
    check_type(state, "src1", TYPE(D) | TYPE(UD), VSG_RULE_DPAS_ELEMENTS);
    check_type(state, "src2", TYPE(D) | TYPE(UD), VSG_RULE_DPAS_ELEMENTS);
    if (state->inst->op == VISAGE_OP_DPASW && dst && src0 &&
        vsg_ver_operand_type(state, dst, &result) && vsg_ver_operand_type(state, src0, &type) &&
        type != result && types >> type & 1u && types >> result & 1u)
        vsg_ver_report_operand(state, src0, VSG_RULE_DPASW_ACCUMULATOR,
                               vsg_isa_type(type)->letters, vsg_isa_type(result)->letters);
}

/* ---- places ----------------------------------------------------------------------------- */

static void check_range(vsg_ver_state *state, const char *name)
{
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, name);
    vsg_ver_room room;
    uint64_t bytes;

    if (!operand || !vsg_ver_room_of(state, operand, &room) ||
        !vsg_obj_extent(state->unit, state->inst, (uint32_t)(operand - state->inst->operands),
                        state->grf_bytes, &bytes))
        return;
    if (room.at + bytes <= room.size_bytes)
        return;
    vsg_ver_report_operand(state, operand, VSG_RULE_DPAS_RANGE, name, (unsigned long long)bytes,
                           (unsigned long long)room.at, room.name,
                           (unsigned long long)room.size_bytes);
    vsg_ver_note_declaration(state, operand);
}

static void check_ranges(vsg_ver_state *state)
{
    static const char *const names[] = {"dst", "src0", "src1", "src2"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_range(state, names[i]);
}

static void check_alignment(vsg_ver_state *state, const vsg_isa_dpas *dpas)
{
    enum { DWORD_BITS = 32, DWORD_BYTES = 4 };
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, "src2");
    uint32_t dwords = dpas->depth * dpas->activation_bits * dpas->ops / DWORD_BITS;
    uint64_t start;

    if (!operand || dwords == 0 || !vsg_ver_operand_start(state, operand, &start) ||
        start % (dwords * DWORD_BYTES) == 0)
        return;
    vsg_ver_report_operand(state, operand, VSG_RULE_DPAS_ALIGNED,
                           (unsigned)(start % (dwords * DWORD_BYTES)), dwords * DWORD_BYTES);
    vsg_ver_note_declaration(state, operand);
}

void vsg_ver_check_dpas(vsg_ver_state *state)
{
    enum { DEPTH = 8, MOST_ROWS = 8, PAIR_GRF = 32 };
    const vsg_obj_operand *info = vsg_ver_operand_called(state, "info");
    bool is_of_later_devices = state->op->on == 0; /* BDPAS: no page */

    if (!info || is_of_later_devices)
        return;
    vsg_isa_dpas dpas = vsg_isa_dpas_unpack((uint32_t)info->value);
    bool good = check_precisions(state, &dpas);
    if (dpas.depth != DEPTH) {
        vsg_ver_report(state, VSG_RULE_DPAS_DEPTH, dpas.depth);
        good = false;
    }
    if (dpas.count == 0 || dpas.count > MOST_ROWS) {
        vsg_ver_report(state, VSG_RULE_DPAS_COUNT, dpas.count);
        good = false;
    }
    if (!good)
        return;
    check_types(state, &dpas);
    check_ranges(state);
    check_alignment(state, &dpas);
    if (state->inst->op == VISAGE_OP_DPASW && vsg_isa_dpas_activation_bytes(&dpas) <= PAIR_GRF)
        vsg_ver_report(state, VSG_RULE_DPASW_SHARES, vsg_isa_dpas_activation_bytes(&dpas));
}
