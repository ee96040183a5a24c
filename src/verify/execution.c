/* SPDX-License-Identifier: MIT
 *
 * What surrounds the operands: execution size, mask, predicate, platform. */
#include <stdio.h>

#include "verify/check.h"

/* ---- platforms -------------------------------------------------------------------------- */

static void check_platform(vsg_ver_state *state)
{
    char names[128];

    if (state->platform == VISAGE_PLATFORM_NONE || state->op->on >> state->platform & 1u)
        return;
    vsg_ver_list_platforms(state->op->on, names, sizeof names);
    vsg_ver_report(state,
                   state->op->also >> state->platform & 1u ? VSG_RULE_PLATFORM_DOCUMENTED
                                                           : VSG_RULE_PLATFORM,
                   state->op->text, visage_platform_name(state->platform), names);
}

/* ---- sizes ------------------------------------------------------------------------------ */

enum { SIZES = 1 | 2 | 4 | 8 | 16 | 32 };

static void list_sizes(unsigned sizes, char *text, size_t size)
{
    size_t length = 0;

    text[0] = '\0';
    for (unsigned bit = 1; bit <= SIZES && length < size; bit *= 2) {
        if (!(sizes & bit))
            continue;
        const char *between = length == 0 ? "" : sizes / bit > 1 ? ", " : " and ";
        length += (size_t)snprintf(text + length, size - length, "%s%u", between, bit);
    }
    if (length < size)
        (void)snprintf(text + length, size - length, "%s",
                       (sizes & (sizes - 1)) ? " are" : " is");
}

/* False where it is none at all. */
static bool check_size(vsg_ver_state *state)
{
    enum { WIDE_GRF_BYTES = 64 };
    unsigned size = state->inst->exec_size;
    unsigned sizes = state->op->sizes;
    char list[32];

    if (size == 0 || size > SIZES || (size & (size - 1)) != 0) {
        vsg_ver_report_part(state, VSG_VER_PART_MASK, VSG_RULE_EXEC_SIZE, size);
        return false;
    }
    /* Where the platform is not known, sizes of either GRF may be meant. */
    if (state->platform == VISAGE_PLATFORM_NONE)
        sizes |= state->op->wide_sizes;
    else if (state->op->wide_sizes && state->grf_bytes == WIDE_GRF_BYTES)
        sizes = state->op->wide_sizes;
    if (state->op->sizes && !(sizes & size)) {
        list_sizes(sizes, list, sizeof list);
        vsg_ver_report(state, VSG_RULE_EXEC_SIZE_OF, state->op->text, size, list);
    }
    return true;
}

/* ---- masks ------------------------------------------------------------------------------ */

static unsigned mask_number(const vsg_obj_inst *inst)
{
    return inst->mask_offset / 4u + 1;
}

static void check_mask(vsg_ver_state *state)
{
    const vsg_obj_inst *inst = state->inst;
    unsigned first = inst->mask_offset, end = first + inst->exec_size;

    if (first % inst->exec_size != 0)
        vsg_ver_report_part(state, VSG_VER_PART_MASK, VSG_RULE_MASK_ALIGNED, mask_number(inst),
                            first, (unsigned)inst->exec_size);
    else if (!inst->no_mask && end > state->simd_size)
        vsg_ver_report_part(state, VSG_VER_PART_MASK, VSG_RULE_MASK_RANGE, first, end - 1,
                            state->simd_size);
}

static void check_setp(vsg_ver_state *state)
{
    enum { UPPER_HALF = 16, ALL_CHANNELS = 32 };
    const vsg_obj_inst *inst = state->inst;
    bool starts_well = inst->mask_offset == 0 ||
                       (inst->mask_offset == UPPER_HALF && inst->exec_size != ALL_CHANNELS);

    if (!inst->no_mask || !starts_well)
        vsg_ver_report(state, VSG_RULE_SETP_MASK, mask_number(inst), inst->no_mask ? "_NM" : "",
                       (unsigned)inst->exec_size);
}

static void check_fcvt(vsg_ver_state *state)
{
    const vsg_obj_inst *inst = state->inst;
    vsg_obj_variable_facts facts;

    if (inst->no_mask || inst->num_operands == 0 ||
        inst->operands[0].class_ != VSG_OBJ_CLASS_GENERAL ||
        !vsg_obj_variable_get(state->unit, inst->operands[0].id, &facts) ||
        facts.type != VISAGE_TYPE_UB)
        return;
    vsg_ver_report(state, VSG_RULE_FCVT_MASK);
}

/* ---- the predicate ---------------------------------------------------------------------- */

/* By predicate: is it an operand of some instruction? NULL: memory is out. */
static const bool *find_operands(vsg_ver_state *state)
{
    const vsg_obj_unit *unit = state->unit;

    if (state->predicate_operands)
        return state->predicate_operands;
    state->predicate_operands =
        vsg_base_new(&state->module->alloc, unit->num_predicates, sizeof(bool));
    state->no_memory |= !state->predicate_operands;
    for (size_t i = 0; i < unit->num_insts && state->predicate_operands; i++)
        for (uint32_t k = 0; k < unit->insts[i].num_operands; k++) {
            const vsg_obj_operand *operand = &unit->insts[i].operands[k];
            if (operand->class_ == VSG_OBJ_CLASS_PREDICATE && operand->id > 0 &&
                operand->id <= unit->num_predicates)
                state->predicate_operands[operand->id - 1] = true;
        }
    return state->predicate_operands;
}

/* What is no operand anywhere nothing writes: compilers leave it where text is not reached. */
static vsg_ver_rule rule_of_size(vsg_ver_state *state)
{
    const bool *operands = find_operands(state);

    return operands && !operands[state->inst->predicate - 1] ? VSG_RULE_PREDICATE_UNWRITTEN_SIZE
                                                             : VSG_RULE_PREDICATE_SIZE;
}

void vsg_ver_execution_close(vsg_ver_state *state)
{
    vsg_base_delete(&state->module->alloc, state->predicate_operands,
                    state->unit->num_predicates, sizeof(bool));
    state->predicate_operands = NULL;
}

static void check_predicate(vsg_ver_state *state)
{
    const vsg_obj_inst *inst = state->inst;
    unsigned first = inst->mask_offset, end = first + inst->exec_size;

    if (inst->predicate == 0)
        return;
    if (!vsg_isa_has_slot(inst->op, VSG_ISA_SLOT_PRED)) {
        vsg_ver_report_part(state, VSG_VER_PART_PREDICATE, VSG_RULE_PREDICATE_FORM,
                            state->op->text);
        return;
    }
    if (inst->predicate > state->unit->num_predicates || inst->exec_size == 0)
        return;
    const vsg_obj_state *predicate = &state->unit->predicates[inst->predicate - 1];
    if (end <= predicate->num_elements)
        return;
    vsg_ver_report_part(state, VSG_VER_PART_PREDICATE, rule_of_size(state), predicate->name,
                        predicate->num_elements, first, end - 1);
    vsg_ver_note_predicate(state, inst->predicate);
}

void vsg_ver_check_execution(vsg_ver_state *state)
{
    check_platform(state);
    check_predicate(state);
    if (!vsg_isa_has_slot(state->inst->op, VSG_ISA_SLOT_EXEC) || !check_size(state))
        return;
    check_mask(state);
    if (state->inst->op == VISAGE_OP_SETP)
        check_setp(state);
    if (state->inst->op == VISAGE_OP_FCVT)
        check_fcvt(state);
}
