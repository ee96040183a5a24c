/* SPDX-License-Identifier: MIT
 *
 * A unit's control flow: labels, branches, subroutines, calls and returns. */
#include "verify/flow.h"

#include <stdio.h>

#include "object/limits.h"
#include "verify/types.h"

/* ---- labels and what goes to them ------------------------------------------------------- */

static void check_label(vsg_ver_state *state, vsg_ver_flow *flow, size_t index)
{
    static const char *const kinds[] = {"block", "subroutine"};
    const vsg_obj_operand *operand = &state->inst->operands[0];

    if (state->inst->op == VISAGE_OP_SUBROUTINE)
        flow->current = vsg_ver_flow_start(flow, index);
    if (operand->id >= state->unit->num_labels)
        return;
    const vsg_obj_label *label = &state->unit->labels[operand->id];
    vsg_obj_label_kind wanted = state->inst->op == VISAGE_OP_SUBROUTINE
                                    ? VSG_OBJ_LABEL_SUBROUTINE
                                    : VSG_OBJ_LABEL_BLOCK;
    if (label->kind != wanted)
        vsg_ver_report_operand(state, operand, VSG_RULE_LABEL_KIND, label->name,
                               kinds[label->kind != VSG_OBJ_LABEL_BLOCK], kinds[wanted]);
    vsg_ver_place *place = &flow->labels[operand->id];
    if (place->inst != VSG_VER_NOWHERE) {
        vsg_ver_report_operand(state, operand, VSG_RULE_LABEL_TWICE, label->name);
        vsg_ver_note_place(state, &state->unit->insts[place->inst].place, "it stands here too");
        return;
    }
    place->inst = (uint32_t)index;
    place->subroutine = flow->current;
}

/* Where a target stands, or NULL: in another kernel, or after a report. */
static const vsg_ver_place *placed(vsg_ver_state *state, const vsg_ver_flow *flow,
                                   const vsg_obj_operand *operand)
{
    const vsg_obj_unit *unit = state->unit;

    if (operand->id >= unit->num_labels || state->op->flags & VSG_ISA_OTHER_KERNEL)
        return NULL;
    if (flow->labels[operand->id].inst != VSG_VER_NOWHERE)
        return &flow->labels[operand->id];
    vsg_ver_report_operand(state, operand, VSG_RULE_LABEL_PLACED,
                           unit->labels[operand->id].name);
    return NULL;
}

/* A target that is good to follow, or NULL after a report. */
static const vsg_ver_place *check_target(vsg_ver_state *state, const vsg_ver_flow *flow,
                                         const vsg_obj_operand *operand)
{
    const vsg_obj_unit *unit = state->unit;
    bool is_call = state->inst->op == VISAGE_OP_CALL;
    const vsg_ver_place *place = placed(state, flow, operand);

    if (!place)
        return NULL;
    const vsg_obj_label *label = &unit->labels[operand->id];
    if ((label->kind == VSG_OBJ_LABEL_SUBROUTINE) != is_call) {
        if (is_call)
            vsg_ver_report_operand(state, operand, VSG_RULE_CALL_TARGET, label->name);
        else
            vsg_ver_report_operand(state, operand, VSG_RULE_BRANCH_TARGET, label->name,
                                   state->op->text);
        vsg_ver_note_place(state, &unit->insts[place->inst].place, "'%s' stands here",
                           label->name);
        return NULL;
    }
    if (!is_call && place->subroutine != flow->current) {
        vsg_ver_report_operand(state, operand, VSG_RULE_LEAVES_SUBROUTINE, label->name);
        vsg_ver_note_place(state, &unit->insts[place->inst].place, "'%s' stands here",
                           label->name);
        return NULL;
    }
    return place;
}

static void check_branch(vsg_ver_state *state, vsg_ver_flow *flow, size_t index)
{
    for (uint32_t i = 0; i < state->inst->num_operands; i++) {
        const vsg_obj_operand *operand = &state->inst->operands[i];
        if (operand->class_ != VSG_OBJ_CLASS_LABEL)
            continue;
        const vsg_ver_place *place = check_target(state, flow, operand);
        if (!place)
            continue;
        if (state->inst->op == VISAGE_OP_CALL)
            vsg_ver_flow_call(state, flow, place->subroutine, (uint32_t)index);
        else if (state->inst->op != VISAGE_OP_GOTO)
            vsg_ver_flow_jump(state, flow, (uint32_t)index, place->inst, operand);
    }
}

/* ---- sizes ------------------------------------------------------------------------------ */

static void check_size(vsg_ver_state *state)
{
    const vsg_obj_inst *inst = state->inst;
    bool is_jump = inst->op == VISAGE_OP_JMP || inst->op == VISAGE_OP_SWITCHJMP;
    bool is_branch = is_jump || inst->op == VISAGE_OP_GOTO;

    if (is_jump && inst->exec_size != 1)
        vsg_ver_report(state, VSG_RULE_UNIFORM_SIZE, state->op->text, inst->exec_size);
    if (!is_branch && inst->exec_size == 1 && !inst->no_mask)
        vsg_ver_report(state, VSG_RULE_SCALAR_CALL, state->op->text);
}

static void check_switch(vsg_ver_state *state)
{
    enum { MOST = 32 };
    uint32_t count = 0;

    if (state->inst->op != VISAGE_OP_SWITCHJMP)
        return;
    for (uint32_t i = 0; i < state->inst->num_operands; i++)
        count += state->inst->operands[i].class_ == VSG_OBJ_CLASS_LABEL;
    if (count < 1 || count > MOST)
        vsg_ver_report(state, VSG_RULE_SWITCH_LABELS, count);
    const vsg_obj_operand *index = vsg_ver_operand_called(state, "index");
    if (index && index->class_ == VSG_OBJ_CLASS_IMMEDIATE && index->value >= count)
        vsg_ver_report_operand(state, index, VSG_RULE_SWITCH_INDEX,
                               (unsigned long long)index->value, count);
}

/* What a call or faddr calls, by name. */
static const char *meaning_of(const vsg_ver_state *state, const vsg_obj_operand *operand)
{
    return vsg_obj_functions_called(&state->functions, &state->calls, state->unit,
                                    operand->name);
}

static void check_callee(vsg_ver_state *state, const vsg_obj_operand *arguments,
                         const vsg_obj_operand *result)
{
    const vsg_obj_operand *name = vsg_obj_function_operand(state->inst);
    const vsg_obj_function *found =
        name ? vsg_obj_functions_find(&state->functions, meaning_of(state, name)) : NULL;

    if (!found)
        return;
    const vsg_obj_unit *callee = state->module->units[found->unit];
    if ((int64_t)arguments->value != found->arg_grfs) {
        vsg_ver_report(state, VSG_RULE_CALLEE_ARGUMENTS, (unsigned)arguments->value,
                       callee->name, (long long)found->arg_grfs);
        vsg_ver_note_unit(state, callee, "function '%s' is here", callee->name);
    }
    if ((int64_t)result->value != found->return_grfs) {
        vsg_ver_report(state, VSG_RULE_CALLEE_RETURN, (unsigned)result->value, callee->name,
                       (long long)found->return_grfs);
        vsg_ver_note_unit(state, callee, "function '%s' is here", callee->name);
    }
}

/* What no unit here is called may be in another file. */
static void check_called_name(vsg_ver_state *state)
{
    const vsg_obj_operand *operand = vsg_obj_function_operand(state->inst);
    const char *name = operand ? meaning_of(state, operand) : NULL;

    if (!name || vsg_obj_functions_find(&state->functions, name))
        return;
    const vsg_obj_function *kernel = vsg_obj_functions_find(&state->kernels, name);
    if (!kernel)
        return;
    vsg_ver_report_operand(state, operand, VSG_RULE_CALLS_KERNEL, state->op->text, name);
    vsg_ver_note_unit(state, state->module->units[kernel->unit], "kernel '%s' is here",
                      kernel->name);
}

static void check_call_sizes(vsg_ver_state *state)
{
    const vsg_obj_operand *arguments = vsg_ver_operand_called(state, "arg_size");
    const vsg_obj_operand *result = vsg_ver_operand_called(state, "return_size");
    vsg_obj_excess excess;

    if (!arguments || !result)
        return;
    if (!vsg_obj_limit_check(VSG_OBJ_LIMIT_INPUT_SIZE, arguments->value, &excess))
        vsg_ver_report(state, VSG_RULE_ARGUMENT_SIZE, (unsigned)excess.value,
                       (unsigned)excess.high);
    if (!vsg_obj_limit_check(VSG_OBJ_LIMIT_RETURN_SIZE, result->value, &excess))
        vsg_ver_report(state, VSG_RULE_RETURN_SIZE, (unsigned)excess.value,
                       (unsigned)excess.high);
    check_callee(state, arguments, result);
}

/* ---- returns ---------------------------------------------------------------------------- */

static void check_return(vsg_ver_state *state, const vsg_ver_flow *flow)
{
    bool in_function = state->unit->is_function && flow->current == 0;
    bool is_fret = state->inst->op == VISAGE_OP_FRET;

    if (is_fret == in_function)
        return;
    vsg_ver_report(state, VSG_RULE_RETURN_KIND, state->op->text,
                   flow->current != 0         ? "a subroutine"
                   : state->unit->is_function ? "the body of a function"
                                              : "a kernel",
                   in_function ? "fret" : "ret");
}

bool vsg_ver_flow_is_silent(visage_op op)
{
    return op == VISAGE_OP_LABEL || op == VISAGE_OP_LOC || op == VISAGE_OP_FILE ||
           op == VISAGE_OP_LIFETIME_START || op == VISAGE_OP_LIFETIME_END;
}

/* Does the text end with a branch back? So do kernels that never end. */
static bool is_endless(const vsg_ver_state *state, const vsg_ver_flow *flow,
                       const vsg_obj_inst *last)
{
    return !state->unit->is_function && flow->current == 0 && last &&
           last == &state->unit->insts[state->unit->num_insts - 1] && !last->predicate &&
           (last->op == VISAGE_OP_GOTO || last->op == VISAGE_OP_JMP);
}

/* At the end of a subroutine, of which `last` is the last instruction that does something. */
static void check_end(vsg_ver_state *state, const vsg_ver_flow *flow, const vsg_obj_inst *last)
{
    const vsg_obj_inst *inst = state->inst;
    const vsg_isa_op_info *op = state->op;
    bool in_function = state->unit->is_function && flow->current == 0;
    const char *wanted = in_function ? "fret" : "ret";
    const char *what = flow->current != 0         ? "a subroutine"
                       : state->unit->is_function ? "a function"
                                                  : "a kernel";

    char found[64] = "nothing";

    if (is_endless(state, flow, last))
        return;
    if (last && (last->op == VISAGE_OP_RET || last->op == VISAGE_OP_FRET) && !last->predicate)
        return;
    state->inst = last;
    state->op = last ? vsg_isa_op(last->op) : NULL;
    if (last)
        (void)snprintf(found, sizeof found, "%s%s", last->predicate ? "a predicated " : "",
                       state->op->text);
    vsg_ver_report(state, VSG_RULE_NO_RETURN, what, found, wanted);
    state->inst = inst;
    state->op = op;
}

/* ---- the walk --------------------------------------------------------------------------- */

static void check_inst(vsg_ver_state *state, vsg_ver_flow *flow, size_t index)
{
    visage_op op = state->inst->op;
    bool returns = op == VISAGE_OP_RET || op == VISAGE_OP_FRET;
    bool calls = vsg_isa_operand(op, "arg_size") >= 0;
    bool branches = vsg_isa_has_slot(op, VSG_ISA_SLOT_LABEL) ||
                    vsg_isa_has_slot(op, VSG_ISA_SLOT_LABEL_LIST);

    if (returns || calls || branches)
        check_size(state);
    if (branches) {
        check_switch(state);
        check_branch(state, flow, index);
    }
    check_called_name(state);
    vsg_ver_flow_motion(state, flow, (uint32_t)index);
    if (calls)
        check_call_sizes(state);
    if (returns)
        check_return(state, flow);
}

static void place_labels(vsg_ver_state *state, vsg_ver_flow *flow)
{
    const vsg_obj_unit *unit = state->unit;

    for (size_t i = 0; i < unit->num_insts && !vsg_ver_stop(state); i++) {
        state->inst = &unit->insts[i];
        state->op = vsg_isa_op(state->inst->op);
        if (state->inst->op == VISAGE_OP_LABEL || state->inst->op == VISAGE_OP_SUBROUTINE)
            check_label(state, flow, i);
    }
}

static void walk(vsg_ver_state *state, vsg_ver_flow *flow)
{
    const vsg_obj_unit *unit = state->unit;
    const vsg_obj_inst *last = NULL;

    flow->current = 0;
    for (size_t i = 0; i < unit->num_insts && !vsg_ver_stop(state); i++) {
        state->inst = &unit->insts[i];
        state->op = vsg_isa_op(state->inst->op);
        if (state->inst->op == VISAGE_OP_SUBROUTINE) {
            uint32_t next = vsg_ver_flow_find(flow, i);
            if (next != 0)
                check_end(state, flow, last);
            flow->current = next;
            last = NULL;
        } else if (state->inst->op != VISAGE_OP_LABEL) {
            check_inst(state, flow, i);
        }
        if (!vsg_ver_flow_is_silent(state->inst->op) && state->inst->op != VISAGE_OP_SUBROUTINE)
            last = state->inst;
    }
    if (!vsg_ver_stop(state))
        check_end(state, flow, last);
}

/* That labels stand somewhere. */
static void check_targets(vsg_ver_state *state, const vsg_ver_flow *flow)
{
    const vsg_obj_unit *unit = state->unit;

    for (size_t i = 0; i < unit->num_insts && !vsg_ver_stop(state); i++) {
        state->inst = &unit->insts[i];
        state->op = vsg_isa_op(state->inst->op);
        for (uint32_t k = 0; k < state->inst->num_operands; k++)
            if (state->inst->operands[k].class_ == VSG_OBJ_CLASS_LABEL)
                (void)placed(state, flow, &state->inst->operands[k]);
    }
}

static void check_all(vsg_ver_state *state, vsg_ver_flow *flow)
{
    vsg_ver_flow_wait(state, flow);
    walk(state, flow);
    state->inst = NULL;
    state->op = NULL;
    vsg_ver_flow_recursion(state, flow);
}

void vsg_ver_check_flow(vsg_ver_state *state)
{
    vsg_ver_flow flow;

    if (state->unit->stored.is_declaration)
        return;
    if (vsg_ver_flow_open(state, &flow)) {
        place_labels(state, &flow);
        if (state->unit->lacks_insts) /* a branch or a return may be among them */
            check_targets(state, &flow);
        else
            check_all(state, &flow);
    }
    vsg_ver_flow_close(state, &flow);
    state->inst = NULL;
    state->op = NULL;
}
