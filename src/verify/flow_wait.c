/* SPDX-License-Identifier: MIT
 *
 * Where channels wait while others run, and which jumps go over such a place. Channels that a
 * goto sends ahead wait at its label, those that it does not send back wait behind it. They do
 * so wherever control can be between there and the place: all instructions that are reached
 * from the goto without reaching the place, backward branches included.
 *
 * Places are taken in the order of the text. An instruction that was walked for an earlier
 * place is not walked again: it is passed over to that place, from which it cannot get away in
 * another manner, as control that jumps over it is an error and control that branches or
 * returns goes on there. So each instruction is walked once, and the walk takes time n log n.
 * Only where control never comes to the place, in a loop that is left by gotos alone, are
 * instructions walked for the next place, too. */
#include <stdio.h>
#include <stdlib.h>

#include "verify/flow.h"

/* A goto, and the place where it leaves channels. */
typedef struct waiting {
    uint32_t place, inst, target;
} waiting;

/* Control goes from one instruction, walked for the present place, to another or to the place.
 */
typedef struct edge {
    uint32_t from;
    uint32_t next; /* edge to the same instruction, NO_EDGE: none */
} edge;

#define NO_EDGE UINT32_MAX

/* What is kept of an instruction. */
typedef struct visit {
    uint32_t pass;   /* once its place is done: one further on, VSG_VER_NOWHERE: none */
    uint32_t walked; /* for this place */
    uint32_t edges;  /* to it, of that place */
    bool is_done;    /* it reaches that place */
} visit;

typedef struct finder {
    const vsg_ver_state *state;
    const vsg_obj_unit *unit;
    const vsg_ver_flow *flow;
    uint32_t *nearest; /* of the flow: the place that an instruction was walked for */
    visit *visits;     /* by instruction */
    uint32_t *walked;  /* for the present place, in order */
    size_t num_walked;
    uint32_t place; /* the present one */
    edge *edges;
    size_t num_edges, cap_edges;
    size_t again; /* instructions that may still be walked again */
    bool no_memory;
} finder;

/* How often instructions may be walked again, on average: no program comes near that. In a file
 * made to be slow, some jumps are not looked at. */
enum { MOST_AGAIN = 64 };

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

/* Passes over what was walked for earlier places: the instruction from which the walk goes on,
 * which may be the present place, or VSG_VER_NOWHERE. Halves the way for the next time. */
static uint32_t pass_over(const finder *f, uint32_t inst)
{
    while (inst < f->place && f->nearest[inst] < f->place) {
        visit *here = &f->visits[inst];
        uint32_t to = here->pass;
        if (to < f->place && f->nearest[to] < f->place)
            here->pass = f->visits[to].pass;
        inst = here->pass;
    }
    return inst;
}

static void join(finder *f, uint32_t from, uint32_t to)
{
    void *items = f->edges;

    if (!vsg_base_grow(&f->state->module->alloc, &items, f->num_edges, &f->cap_edges,
                       sizeof *f->edges)) {
        f->no_memory = true;
        return;
    }
    f->edges = items;
    f->edges[f->num_edges] = (edge){from, f->visits[to].edges};
    f->visits[to].edges = (uint32_t)f->num_edges++;
}

/* An instruction that control comes to is walked for the present place. */
static void walk(finder *f, uint32_t inst)
{
    visit *here = &f->visits[inst];

    if (here->walked == f->place)
        return;
    if (f->nearest[inst] == VSG_VER_NOWHERE)
        f->nearest[inst] = f->place;
    here->walked = f->place;
    here->edges = NO_EDGE;
    here->is_done = false;
    f->walked[f->num_walked++] = inst;
}

/* Control goes from `from`, which is VSG_VER_NOWHERE at the start of a walk, to `inst`. */
static void reach(finder *f, uint32_t from, uint32_t inst)
{
    uint32_t to = pass_over(f, inst);

    if (to == VSG_VER_NOWHERE && inst < f->place && f->again > 0) {
        f->again -= f->visits[inst].walked != f->place;
        to = inst;
    }
    if (to > f->place)
        return;
    if (to < f->place)
        walk(f, to);
    if (from != VSG_VER_NOWHERE)
        join(f, from, to);
}

/* By a branch. To go over labels alone that stand behind the place is to go to it. */
static void follow(finder *f, uint32_t at, uint32_t target)
{
    reach(f, at, target > f->place && target <= f->flow->real[f->place] ? f->place : target);
}

static void leave(finder *f, uint32_t at)
{
    const vsg_obj_inst *inst = &f->unit->insts[at];
    bool is_return = inst->op == VISAGE_OP_RET || inst->op == VISAGE_OP_FRET;

    for (uint32_t i = 0; is_branch(inst->op) && i < inst->num_operands; i++) {
        uint32_t target = target_of(f->flow, f->unit, &inst->operands[i]);
        if (target != VSG_VER_NOWHERE)
            follow(f, at, target);
    }
    /* Control goes on there when the channels that ran wait or are gone. */
    if (is_return || inst->op == VISAGE_OP_GOTO)
        reach(f, at, f->nearest[at]);
    bool goes_on = inst->predicate || !(is_return || is_branch(inst->op));
    if (goes_on &&
        inst[1].op != VISAGE_OP_SUBROUTINE) /* it has a next: `at` is below `place` */
        reach(f, at, at + 1);
}

/* From where a goto leaves its channels to wait. */
static void start(finder *f, const waiting *w)
{
    if (w->target <= w->inst) {
        reach(f, VSG_VER_NOWHERE, w->target);
        return;
    }
    if (f->unit->insts[w->inst].predicate)
        reach(f, VSG_VER_NOWHERE, w->inst + 1);
    if (f->nearest[w->inst] != VSG_VER_NOWHERE)
        reach(f, VSG_VER_NOWHERE, f->nearest[w->inst]);
}

/* All that has been walked is passed over from now on: what reaches the place, to it. */
static void finish(finder *f)
{
    size_t depth = 0;

    for (size_t i = 0; i < f->num_walked; i++)
        f->visits[f->walked[i]].pass = VSG_VER_NOWHERE;
    f->walked[depth++] = f->place; /* the list is not needed any more; it has room for all */
    while (depth) {
        uint32_t to = f->walked[--depth];
        for (uint32_t e = f->visits[to].edges; e != NO_EDGE; e = f->edges[e].next) {
            visit *from = &f->visits[f->edges[e].from];
            if (from->is_done)
                continue;
            from->is_done = true;
            from->pass = f->place;
            f->walked[depth++] = f->edges[e].from;
        }
    }
    f->num_walked = f->num_edges = 0;
}

static void find(finder *f, const waiting *list, size_t count)
{
    size_t begin = 0;

    /* A place at the end of the unit is behind every jump. */
    while (begin < count && list[begin].place < f->unit->num_insts && !f->no_memory) {
        size_t i = begin, next = 0;
        f->place = list[begin].place;
        f->visits[f->place].edges = NO_EDGE;
        for (; i < count && list[i].place == f->place; i++) {
            start(f, &list[i]);
            while (next < f->num_walked)
                leave(f, f->walked[next++]);
        }
        finish(f);
        begin = i;
    }
}

/* What control does next where it comes to an instruction. */
static void find_real(const vsg_obj_unit *unit, uint32_t *real)
{
    uint32_t next = (uint32_t)unit->num_insts;

    for (size_t i = unit->num_insts; i-- > 0;) {
        if (!vsg_ver_flow_is_silent(unit->insts[i].op))
            next = (uint32_t)i;
        real[i] = next;
    }
}

static bool is_motion(visage_op op)
{
    vsg_isa_form form = vsg_isa_op(op)->form;

    return form == VSG_ISA_FORM_VME_IME || form == VSG_ISA_FORM_VME_SIC ||
           form == VSG_ISA_FORM_VME_FBR;
}

/* Something that must not stand where channels wait. */
static bool is_wanted(const vsg_obj_unit *unit)
{
    for (size_t i = 0; i < unit->num_insts; i++) {
        visage_op op = unit->insts[i].op;
        if (op == VISAGE_OP_JMP || op == VISAGE_OP_SWITCHJMP || is_motion(op))
            return true;
    }
    return false;
}

void vsg_ver_flow_wait(vsg_ver_state *state, vsg_ver_flow *flow)
{
    const vsg_base_alloc *alloc = &state->module->alloc;
    const vsg_obj_unit *unit = state->unit;
    size_t count = unit->num_insts, gotos = 0;
    finder f = {.state = state, .unit = unit, .flow = flow, .again = count * MOST_AGAIN};

    for (size_t i = 0; i < count; i++)
        gotos += unit->insts[i].op == VISAGE_OP_GOTO;
    if (gotos == 0 || !is_wanted(unit))
        return;
    waiting *list = vsg_base_new(alloc, gotos, sizeof *list);
    f.nearest = flow->nearest = vsg_base_new(alloc, count, sizeof *f.nearest);
    flow->real = vsg_base_new(alloc, count, sizeof *flow->real);
    f.visits = vsg_base_new(alloc, count, sizeof *f.visits);
    f.walked = vsg_base_new(alloc, count, sizeof *f.walked);
    if (list && f.nearest && flow->real && f.visits && f.walked) {
        for (size_t i = 0; i < count; i++)
            f.nearest[i] = f.visits[i].walked = VSG_VER_NOWHERE;
        find_real(unit, flow->real);
        size_t found = collect(&f, list);
        qsort(list, found, sizeof *list, by_place);
        find(&f, list, found);
    } else {
        f.no_memory = true;
    }
    state->no_memory |= f.no_memory;
    vsg_base_delete(alloc, list, gotos, sizeof *list);
    vsg_base_delete(alloc, f.visits, count, sizeof *f.visits);
    vsg_base_delete(alloc, f.walked, count, sizeof *f.walked);
    vsg_base_delete(alloc, f.edges, f.cap_edges, sizeof *f.edges);
}

/* ---- jumps ------------------------------------------------------------------------------ */

/* The words for a place, `size` bytes at most. */
static void name_place(const vsg_obj_unit *unit, uint32_t at, char *text, size_t size)
{
    const vsg_obj_inst *place = &unit->insts[at];

    (void)snprintf(text, size, "the instruction behind a goto");
    if (place->op == VISAGE_OP_LABEL && place->num_operands &&
        place->operands[0].id < unit->num_labels)
        (void)snprintf(text, size, "'%.72s'", unit->labels[place->operands[0].id].name);
}

void vsg_ver_flow_jump(vsg_ver_state *state, const vsg_ver_flow *flow, uint32_t inst,
                       uint32_t target, const vsg_obj_operand *operand)
{
    const vsg_obj_unit *unit = state->unit;
    const char *label = unit->labels[operand->id].name;
    char over[80];

    if (!flow->nearest || flow->nearest[inst] >= target ||
        flow->real[flow->nearest[inst]] >= flow->real[target])
        return;
    name_place(unit, flow->nearest[inst], over, sizeof over);
    vsg_ver_report_operand(state, operand, VSG_RULE_JUMPS_OVER, state->op->text, label, over);
    vsg_ver_note_place(state, &unit->insts[flow->nearest[inst]].place, "they wait here");
}

void vsg_ver_flow_motion(vsg_ver_state *state, const vsg_ver_flow *flow, uint32_t inst)
{
    char where[80];

    if (!flow->nearest || flow->nearest[inst] == VSG_VER_NOWHERE || !is_motion(state->inst->op))
        return;
    name_place(state->unit, flow->nearest[inst], where, sizeof where);
    vsg_ver_report(state, VSG_RULE_MOTION_FLOW, state->op->text, where);
    vsg_ver_note_place(state, &state->unit->insts[flow->nearest[inst]].place, "they wait here");
}
