/* SPDX-License-Identifier: MIT
 *
 * Where channels wait while others run, and which jumps go over such a place. Channels that a
 * goto sends ahead wait at its label, those that it does not send back wait behind it. They do
 * so wherever control can be between there and the place: all instructions that are reached
 * from the goto without reaching the place, backward branches included. */
#include <stdio.h>
#include <stdlib.h>

#include "verify/flow.h"

/* A goto, and the place where it leaves channels. */
typedef struct waiting {
    uint32_t place, inst, target;
} waiting;

typedef struct finder {
    const vsg_obj_unit *unit;
    const vsg_ver_flow *flow;
    uint32_t *nearest; /* of the flow */
    uint32_t *seen;    /* by instruction: the place it was last reached for */
    uint32_t *stack;
    size_t depth, steps;
} finder;

/* Nested code is reached once for each place around it. No program is as deep as this; in a
 * file made to be slow, some jumps are not looked at. */
enum { MOST_DEPTH = 256 };

static bool is_branch(visage_op op)
{
    return op == VISAGE_OP_GOTO || op == VISAGE_OP_JMP || op == VISAGE_OP_SWITCHJMP;
}

/* Where a branch leads by an operand; VSG_VER_NOWHERE: it is no label to follow. */
static uint32_t target_of(const vsg_ver_flow *flow, const vsg_obj_unit *unit,
                          const vsg_obj_operand *operand)
{
    if (operand->class_ != VSG_OBJ_CLASS_LABEL || operand->id >= unit->num_labels ||
        unit->labels[operand->id].kind == VSG_OBJ_LABEL_SUBROUTINE)
        return VSG_VER_NOWHERE;
    return flow->labels[operand->id].inst;
}

/* ---- who waits where -------------------------------------------------------------------- */

static size_t collect(const finder *f, waiting *out)
{
    size_t count = 0;

    for (size_t i = 0; i < f->unit->num_insts; i++) {
        const vsg_obj_inst *inst = &f->unit->insts[i];
        if (inst->op != VISAGE_OP_GOTO || inst->num_operands == 0)
            continue;
        uint32_t at = (uint32_t)i, target = target_of(f->flow, f->unit, &inst->operands[0]);
        if (target == VSG_VER_NOWHERE)
            continue;
        if (target > at)
            out[count++] = (waiting){target, at, target};
        else if (inst->predicate) /* without one it takes all along */
            out[count++] = (waiting){at + 1, at, target};
    }
    return count;
}

static int by_place(const void *a, const void *b)
{
    const waiting *x = a, *y = b;

    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->inst > y->inst) - (x->inst < y->inst);
}

/* ---- what is reached -------------------------------------------------------------------- */

static void reach(finder *f, uint32_t inst, uint32_t place)
{
    if (inst >= place || f->seen[inst] == place)
        return;
    f->seen[inst] = place;
    f->stack[f->depth++] = inst;
    f->steps++;
}

/* Where control goes on when the channels that ran wait or are gone. */
static void resume(finder *f, uint32_t inst, uint32_t place)
{
    if (f->nearest[inst] != VSG_VER_NOWHERE)
        reach(f, f->nearest[inst], place);
}

static void leave(finder *f, uint32_t at, uint32_t place)
{
    const vsg_obj_inst *inst = &f->unit->insts[at];
    bool is_return = inst->op == VISAGE_OP_RET || inst->op == VISAGE_OP_FRET;

    if (f->nearest[at] == VSG_VER_NOWHERE)
        f->nearest[at] = place;
    for (uint32_t i = 0; is_branch(inst->op) && i < inst->num_operands; i++) {
        uint32_t target = target_of(f->flow, f->unit, &inst->operands[i]);
        if (target != VSG_VER_NOWHERE)
            reach(f, target, place);
    }
    if (is_return || inst->op == VISAGE_OP_GOTO)
        resume(f, at, place);
    bool goes_on = inst->predicate || !(is_return || is_branch(inst->op));
    if (goes_on &&
        inst[1].op != VISAGE_OP_SUBROUTINE) /* it has a next: `at` is below `place` */
        reach(f, at + 1, place);
}

/* From where a goto leaves its channels to wait. */
static void start(finder *f, const waiting *w)
{
    if (w->target <= w->inst) {
        reach(f, w->target, w->place);
        return;
    }
    if (f->unit->insts[w->inst].predicate)
        reach(f, w->inst + 1, w->place);
    resume(f, w->inst, w->place);
}

static void find(finder *f, const waiting *list, size_t count)
{
    size_t most = f->unit->num_insts * MOST_DEPTH;

    for (size_t i = 0; i < count && f->steps < most; i++) {
        /* A place at the end of the unit is behind every jump. */
        if (list[i].place >= f->unit->num_insts)
            break;
        start(f, &list[i]);
        while (f->depth)
            leave(f, f->stack[--f->depth], list[i].place);
    }
}

static bool has_jump(const vsg_obj_unit *unit)
{
    for (size_t i = 0; i < unit->num_insts; i++)
        if (unit->insts[i].op == VISAGE_OP_JMP || unit->insts[i].op == VISAGE_OP_SWITCHJMP)
            return true;
    return false;
}

void vsg_ver_flow_wait(vsg_ver_state *state, vsg_ver_flow *flow)
{
    const vsg_base_alloc *alloc = &state->module->alloc;
    const vsg_obj_unit *unit = state->unit;
    size_t count = unit->num_insts, gotos = 0;
    finder f = {.unit = unit, .flow = flow};

    for (size_t i = 0; i < count; i++)
        gotos += unit->insts[i].op == VISAGE_OP_GOTO;
    if (gotos == 0 || !has_jump(unit))
        return;
    waiting *list = vsg_base_new(alloc, gotos, sizeof *list);
    f.nearest = flow->nearest = vsg_base_new(alloc, count, sizeof *f.nearest);
    f.seen = vsg_base_new(alloc, count, sizeof *f.seen);
    f.stack = vsg_base_new(alloc, count, sizeof *f.stack);
    if (list && f.nearest && f.seen && f.stack) {
        for (size_t i = 0; i < count; i++)
            f.nearest[i] = f.seen[i] = VSG_VER_NOWHERE;
        size_t found = collect(&f, list);
        qsort(list, found, sizeof *list, by_place);
        find(&f, list, found);
    } else {
        state->no_memory = true;
    }
    vsg_base_delete(alloc, list, gotos, sizeof *list);
    vsg_base_delete(alloc, f.seen, count, sizeof *f.seen);
    vsg_base_delete(alloc, f.stack, count, sizeof *f.stack);
}

/* ---- jumps ------------------------------------------------------------------------------ */

/* What control does next where it comes to an instruction. */
static uint32_t next_real(const vsg_obj_unit *unit, uint32_t inst)
{
    while (inst < unit->num_insts && vsg_ver_flow_is_silent(unit->insts[inst].op))
        inst++;
    return inst;
}

void vsg_ver_flow_jump(vsg_ver_state *state, const vsg_ver_flow *flow, uint32_t inst,
                       uint32_t target, const vsg_obj_operand *operand)
{
    const vsg_obj_unit *unit = state->unit;
    const char *label = unit->labels[operand->id].name;
    char over[80] = "the instruction behind a goto";

    if (!flow->nearest || flow->nearest[inst] >= target ||
        next_real(unit, flow->nearest[inst]) >= next_real(unit, target))
        return;
    const vsg_obj_inst *place = &unit->insts[flow->nearest[inst]];
    if (place->op == VISAGE_OP_LABEL && place->num_operands &&
        place->operands[0].id < unit->num_labels)
        (void)snprintf(over, sizeof over, "'%.72s'", unit->labels[place->operands[0].id].name);
    vsg_ver_report_operand(state, operand, VSG_RULE_JUMPS_OVER, state->op->text, label, over);
    vsg_ver_note_place(state, &place->place, "they wait here");
}
