/* SPDX-License-Identifier: MIT
 *
 * Atomics on surfaces and addresses: operation, width, data. */
#include "isa/message.h"
#include "verify/message.h"

enum { OPERATION_BITS = 0x1f, SMALL_BIT = 0x20, WIDE_BIT = 0x40 };

static const char *name_of(uint32_t operation)
{
    const char *text = vsg_isa_word(VSG_ISA_WORDS_ATOMIC, operation);

    return text ? text : "predec";
}

static void check_width(vsg_ver_state *state, uint32_t code)
{
    enum { WIDTH_SHIFT = 5 };
    bool is_svm = state->op->form == VSG_ISA_FORM_SVM_ATOMIC;
    uint32_t width = code & ~(uint32_t)OPERATION_BITS;

    if (width == SMALL_BIT)
        vsg_ver_report(state, VSG_RULE_ATOMIC_SMALL, state->op->text);
    else if (width != 0 && (width != WIDE_BIT || !is_svm))
        vsg_ver_report(state, VSG_RULE_ATOMIC_WIDTH, state->op->text, width >> WIDTH_SHIFT);
}

static void check_argument(vsg_ver_state *state, const char *name, uint32_t number,
                           const vsg_isa_atomic *row, uint32_t operation)
{
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, name);

    if (!operand || operand->class_ != VSG_OBJ_CLASS_RAW ||
        row->arguments == VSG_ISA_ANY_ARGUMENTS ||
        vsg_ver_is_null(operand) == (number >= row->arguments))
        return;
    vsg_ver_report_operand(state, operand,
                           number >= row->arguments ? VSG_RULE_ATOMIC_UNUSED
                                                    : VSG_RULE_ATOMIC_USED,
                           state->op->text, name_of(operation), row->arguments, name);
}

/* Data of the width: 16-bit ones have 32 bits in registers. */
static void check_type(vsg_ver_state *state, const char *name, uint32_t types,
                       uint32_t operation)
{
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, name);
    visage_type type;
    char list[48];

    if (!operand || !vsg_ver_operand_type(state, operand, &type) || types >> type & 1u)
        return;
    vsg_ver_list_types(types, " or ", list, sizeof list);
    vsg_ver_report_operand(state, operand, VSG_RULE_ATOMIC_TYPE, name, state->op->text,
                           name_of(operation), vsg_isa_type(type)->letters, list);
    vsg_ver_note_declaration(state, operand);
}

static uint32_t types_of_width(uint32_t types, bool is_wide)
{
    uint32_t kept = 0;

    for (uint32_t type = 0; type < VISAGE_TYPE_COUNT; type++)
        if (types >> type & 1u && (vsg_isa_type(type)->bytes == sizeof(uint64_t)) == is_wide)
            kept |= 1u << type;
    return kept ? kept : types;
}

void vsg_ver_check_atomic(vsg_ver_state *state)
{
    static const char *const data[] = {"src0", "src1", "dst"};
    uint32_t code;

    if (state->op->suffix != VSG_ISA_SUFFIX_ATOMIC || !vsg_ver_number(state, "atomic", &code))
        return;
    uint32_t operation = code & OPERATION_BITS;
    vsg_isa_atomic row = vsg_isa_atomic_of(operation);
    if (!row.is_known) {
        vsg_ver_report(state, VSG_RULE_ATOMIC_OPERATION, operation);
        return;
    }
    if (state->op->form == VSG_ISA_FORM_TYPED_ATOMIC && row.types >> VISAGE_TYPE_F & 1u)
        vsg_ver_report(state, VSG_RULE_ATOMIC_TYPED_FLOAT, name_of(operation));
    check_width(state, code);
    check_argument(state, "src0", 0, &row, operation);
    check_argument(state, "src1", 1, &row, operation);
    uint32_t types = types_of_width(row.types, (code & WIDE_BIT) != 0);
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++)
        check_type(state, data[i], types, operation);
}
