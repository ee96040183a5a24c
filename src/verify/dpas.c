/* SPDX-License-Identifier: MIT
 *
 * DPAS and DPASW: precisions and types that go together, depth, repeat count, and the parts of
 * their variables that the operands take. */
#include "isa/dpas.h"

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

/* Bytes of src2 that each of a pair of threads has at least (page DPASW, in GRFs of 32). */
static uint64_t shared_bytes(uint64_t bytes)
{
    enum { PAIR_GRF_BYTES = 32 };

    return (bytes + PAIR_GRF_BYTES - 1) / PAIR_GRF_BYTES / 2 * PAIR_GRF_BYTES;
}

static void check_range(vsg_ver_state *state, const char *name, uint64_t bytes)
{
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, name);
    vsg_ver_variable variable;
    uint64_t start;

    if (!operand || !vsg_ver_operand_start(state, operand, &start) ||
        !vsg_ver_variable_get(state, operand->id, &variable))
        return;
    /* An alias may go on in the variable it is of. */
    if (start + bytes <= variable.root_bytes)
        return;
    vsg_ver_report_operand(state, operand, VSG_RULE_DPAS_RANGE, name, (unsigned long long)bytes,
                           (unsigned long long)start, variable.root_facts.name,
                           (unsigned long long)variable.root_bytes);
    vsg_ver_note_declaration(state, operand);
}

static uint64_t accumulator_bytes(const vsg_ver_state *state, const vsg_isa_dpas *dpas,
                                  const char *name)
{
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, name);
    visage_type type;

    if (!operand || !vsg_ver_operand_type(state, operand, &type))
        return 0;
    return (uint64_t)state->inst->exec_size * dpas->count * vsg_isa_type(type)->bytes;
}

static void check_ranges(vsg_ver_state *state, const vsg_isa_dpas *dpas)
{
    uint64_t weights = (uint64_t)state->inst->exec_size * vsg_isa_dpas_weight_bytes(dpas);
    uint64_t activations = vsg_isa_dpas_activation_bytes(dpas);
    bool shares = state->inst->op == VISAGE_OP_DPASW;

    check_range(state, "dst", accumulator_bytes(state, dpas, "dst"));
    check_range(state, "src0", accumulator_bytes(state, dpas, "src0"));
    check_range(state, "src1", weights);
    check_range(state, "src2", shares ? shared_bytes(activations) : activations);
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
    enum { DEPTH = 8, MOST_ROWS = 8 };
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
    check_ranges(state, &dpas);
    check_alignment(state, &dpas);
}
