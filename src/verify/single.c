/* SPDX-License-Identifier: MIT
 *
 * What the page of one instruction asks beyond types, sizes and operand classes. */
#include <string.h>

#include "verify/types.h"

/* ---- comparisons ------------------------------------------------------------------------ */

static bool is_float(visage_type type)
{
    return vsg_isa_type(type)->kind == VSG_ISA_KIND_FLOAT || type == VISAGE_TYPE_VF;
}

static visage_type element_type(visage_type type)
{
    return type == VISAGE_TYPE_VF ? VISAGE_TYPE_F : type;
}

/* A mask made of floats has the type of one of them. */
static void check_compare_mask(vsg_ver_state *state)
{
    const vsg_obj_operand *dst = vsg_ver_operand_called(state, "dst");
    const vsg_obj_operand *src0 = vsg_ver_operand_called(state, "src0");
    const vsg_obj_operand *src1 = vsg_ver_operand_called(state, "src1");
    visage_type mask, a, b;

    if (!dst || !src0 || !src1 || !vsg_ver_operand_type(state, dst, &mask) ||
        !vsg_ver_operand_type(state, src0, &a) || !vsg_ver_operand_type(state, src1, &b))
        return;
    /* Where the mask is no float at all the type maps have said so. */
    if (!is_float(a) || !is_float(b) || !is_float(mask) || mask == element_type(a) ||
        mask == element_type(b))
        return;
    vsg_ver_report_operand(state, dst, VSG_RULE_COMPARE_MASK, vsg_isa_type(mask)->letters,
                           vsg_isa_type(element_type(a))->letters);
    vsg_ver_note_declaration(state, dst);
}

static void check_relation(vsg_ver_state *state)
{
    const vsg_obj_operand *relation = vsg_ver_operand_called(state, "rel");
    char list[64];

    if (!relation || relation->value > UINT32_MAX ||
        vsg_isa_word(VSG_ISA_WORDS_RELATION, (uint32_t)relation->value))
        return;
    vsg_isa_list_words(VSG_ISA_WORDS_RELATION, list, sizeof list);
    vsg_ver_report(state, VSG_RULE_RELATION, (unsigned)relation->value, list);
}

/* ---- barriers --------------------------------------------------------------------------- */

/* Numbers that are known; what a variable has is known when it runs. */
static void check_number(vsg_ver_state *state, const char *name, uint64_t low, uint64_t high,
                         vsg_ver_rule rule)
{
    const vsg_obj_operand *operand = vsg_ver_operand_called(state, name);

    if (!operand || operand->class_ != VSG_OBJ_CLASS_IMMEDIATE ||
        (operand->value >= low && operand->value <= high))
        return;
    vsg_ver_report_operand(state, operand, rule, name, (unsigned long long)operand->value);
}

static void check_barrier(vsg_ver_state *state)
{
    enum { LAST_ID = 31, LAST_TYPE = 2, MOST_THREADS = UINT8_MAX };

    check_number(state, "id", 0, LAST_ID, VSG_RULE_BARRIER_ID);
    check_number(state, "type", 0, LAST_TYPE, VSG_RULE_BARRIER_TYPE);
    check_number(state, "num_producers", 1, MOST_THREADS, VSG_RULE_BARRIER_THREADS);
    check_number(state, "num_consumers", 1, MOST_THREADS, VSG_RULE_BARRIER_THREADS);
    if (state->inst->op == VISAGE_OP_NBARRIER_SIGNAL) /* wait has a copy of its id there */
        check_number(state, "num_threads", 1, MOST_THREADS, VSG_RULE_BARRIER_THREADS);
}

/* ---- others ----------------------------------------------------------------------------- */

/* The predicate of ADD3.O is written, not read. */
static void check_overflow(vsg_ver_state *state)
{
    const vsg_obj_inst *inst = state->inst;

    if (inst->predicate == 0)
        vsg_ver_report(state, VSG_RULE_OVERFLOW_PREDICATE, state->op->text);
    else if (inst->predicate_inverse || inst->predicate_combine != VSG_OBJ_COMBINE_NONE)
        vsg_ver_report(state, VSG_RULE_OVERFLOW_PLAIN, state->op->text);
}

static void check_predicate_move(vsg_ver_state *state)
{
    const vsg_obj_operand *dst = vsg_ver_operand_called(state, "dst");
    const vsg_obj_operand *src0 = vsg_ver_operand_called(state, "src0");

    if (dst && src0 && src0->class_ == VSG_OBJ_CLASS_PREDICATE &&
        dst->modifier == VSG_OBJ_MOD_SAT)
        vsg_ver_report_operand(state, dst, VSG_RULE_PREDICATE_SATURATION);
}

static void check_lifetime(vsg_ver_state *state)
{
    enum { GENERAL = 0, ADDRESS = 1, PREDICATE = 2 };
    const vsg_obj_operand *variable = vsg_ver_operand_called(state, "variable");
    const vsg_obj_unit *unit = state->unit;
    vsg_obj_variable_facts facts;

    if (!variable)
        return;
    uint32_t id = variable->id;
    bool exists = variable->state == GENERAL ? vsg_obj_variable_get(unit, id, &facts)
                  : variable->state == ADDRESS
                      ? id < unit->num_addresses
                      : variable->state == PREDICATE && id >= 1 && id <= unit->num_predicates;
    if (!exists)
        vsg_ver_report(state, VSG_RULE_LIFETIME_VARIABLE, (unsigned)variable->state, id);
}

static void check_file(vsg_ver_state *state)
{
    enum { LONGEST = 255 };
    const vsg_obj_operand *file = vsg_ver_operand_called(state, "file");
    size_t length = file && file->name ? strlen(file->name) : 0;

    if (length > LONGEST)
        vsg_ver_report(state, VSG_RULE_FILE_NAME, length);
}

void vsg_ver_check_single(vsg_ver_state *state)
{
    switch (state->inst->op) {
    case VISAGE_OP_CMP:
        check_compare_mask(state);
        check_relation(state);
        break;
    case VISAGE_OP_ADD3O:
        check_overflow(state);
        break;
    case VISAGE_OP_MOV:
        check_predicate_move(state);
        break;
    case VISAGE_OP_FILE:
        check_file(state);
        break;
    case VISAGE_OP_LIFETIME_START:
    case VISAGE_OP_LIFETIME_END:
        check_lifetime(state);
        break;
    case VISAGE_OP_NBARRIER_WAIT:
    case VISAGE_OP_NBARRIER_SIGNAL:
    case VISAGE_OP_NBARRIER_SIGNAL_GENERAL:
        check_barrier(state);
        break;
    default:
        break;
    }
}
