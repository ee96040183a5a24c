/* SPDX-License-Identifier: MIT */
#include "verify/flow.h"

#include <string.h>

static const vsg_base_alloc *alloc_of(const vsg_ver_state *state)
{
    return &state->module->alloc;
}

static bool append(vsg_ver_state *state, void **items, size_t count, size_t *capacity,
                   size_t size)
{
    if (vsg_base_grow(alloc_of(state), items, count, capacity, size))
        return true;
    state->no_memory = true;
    return false;
}

bool vsg_ver_flow_open(vsg_ver_state *state, vsg_ver_flow *flow)
{
    const vsg_obj_unit *unit = state->unit;
    size_t subroutines = 1;

    *flow = (vsg_ver_flow){0};
    for (size_t i = 0; i < unit->num_insts; i++)
        subroutines += unit->insts[i].op == VISAGE_OP_SUBROUTINE;
    flow->starts = vsg_base_new(alloc_of(state), subroutines, sizeof *flow->starts);
    flow->cap_starts = flow->starts ? subroutines : 0;
    if (unit->num_labels)
        flow->labels = vsg_base_new(alloc_of(state), unit->num_labels, sizeof *flow->labels);
    if (!flow->starts || (unit->num_labels && !flow->labels)) {
        state->no_memory = true;
        return false;
    }
    for (size_t i = 0; i < unit->num_labels; i++)
        flow->labels[i].inst = VSG_VER_NOWHERE;
    flow->starts[flow->num_starts++] = 0;
    return true;
}

void vsg_ver_flow_close(vsg_ver_state *state, vsg_ver_flow *flow)
{
    const vsg_base_alloc *alloc = alloc_of(state);

    vsg_base_delete(alloc, flow->labels, state->unit->num_labels, sizeof *flow->labels);
    vsg_base_delete(alloc, flow->starts, flow->cap_starts, sizeof *flow->starts);
    vsg_base_delete(alloc, flow->calls, flow->cap_calls, sizeof *flow->calls);
    vsg_base_delete(alloc, flow->nearest, state->unit->num_insts, sizeof *flow->nearest);
    vsg_base_delete(alloc, flow->real, state->unit->num_insts, sizeof *flow->real);
}

/* ---- subroutines ------------------------------------------------------------------------ */

/* The label with which a body begins, as the compiler has it, starts no subroutine of its own:
 * `.function _main` is the first instruction there. */
static bool is_body(const vsg_ver_flow *flow, size_t inst)
{
    return flow->num_starts == 1 && inst == 0;
}

uint32_t vsg_ver_flow_start(vsg_ver_flow *flow, size_t inst)
{
    if (is_body(flow, inst))
        return 0;
    flow->starts[flow->num_starts] = (uint32_t)inst;
    return (uint32_t)flow->num_starts++;
}

uint32_t vsg_ver_flow_find(const vsg_ver_flow *flow, size_t inst)
{
    size_t low = 0, high = flow->num_starts;

    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (flow->starts[middle] <= inst)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* ---- recursion -------------------------------------------------------------------------- */

void vsg_ver_flow_call(vsg_ver_state *state, vsg_ver_flow *flow, uint32_t callee, uint32_t inst)
{
    void *items = flow->calls;

    if (!append(state, &items, flow->num_calls, &flow->cap_calls, sizeof *flow->calls))
        return;
    flow->calls = items;
    flow->calls[flow->num_calls++] = (vsg_ver_call){inst, flow->current, callee};
}

enum { UNSEEN, RUNNING, DONE };

/* A depth-first search without recursion: the subroutines that run, and for each the next of
 * its calls to follow. Calls are sorted by caller, since subroutines follow each other. */
typedef struct search {
    uint8_t *seen;
    uint32_t *stack, *next, *first;
    size_t depth;
} search;

static void enter(search *s, uint32_t subroutine)
{
    s->seen[subroutine] = RUNNING;
    s->next[subroutine] = s->first[subroutine];
    s->stack[s->depth++] = subroutine;
}

static void report_recursion(vsg_ver_state *state, const vsg_ver_call *call)
{
    const vsg_obj_operand *operand;

    state->inst = &state->unit->insts[call->inst];
    state->op = vsg_isa_op(state->inst->op);
    operand = &state->inst->operands[0];
    vsg_ver_report_operand(state, operand, VSG_RULE_RECURSION,
                           state->unit->labels[operand->id].name);
    state->inst = NULL;
    state->op = NULL;
}

static void follow(vsg_ver_state *state, const vsg_ver_flow *flow, search *s)
{
    while (s->depth) {
        uint32_t current = s->stack[s->depth - 1];
        if (s->next[current] == s->first[current + 1]) {
            s->seen[current] = DONE;
            s->depth--;
            continue;
        }
        const vsg_ver_call *call = &flow->calls[s->next[current]++];
        if (s->seen[call->callee] == RUNNING)
            report_recursion(state, call);
        else if (s->seen[call->callee] == UNSEEN)
            enter(s, call->callee);
    }
}

void vsg_ver_flow_recursion(vsg_ver_state *state, const vsg_ver_flow *flow)
{
    const vsg_base_alloc *alloc = alloc_of(state);
    size_t count = flow->num_starts;
    search s = {
        .seen = vsg_base_new(alloc, count, sizeof *s.seen),
        .stack = vsg_base_new(alloc, count, sizeof *s.stack),
        .next = vsg_base_new(alloc, count, sizeof *s.next),
        .first = vsg_base_new(alloc, count + 1, sizeof *s.first),
    };

    if (s.seen && s.stack && s.next && s.first) {
        for (size_t i = 0; i < flow->num_calls; i++)
            s.first[flow->calls[i].caller + 1]++;
        for (size_t i = 0; i < count; i++)
            s.first[i + 1] += s.first[i];
        for (uint32_t i = 0; i < count; i++) {
            if (s.seen[i] != UNSEEN)
                continue;
            enter(&s, i);
            follow(state, flow, &s);
        }
    } else {
        state->no_memory = true;
    }
    vsg_base_delete(alloc, s.seen, count, sizeof *s.seen);
    vsg_base_delete(alloc, s.stack, count, sizeof *s.stack);
    vsg_base_delete(alloc, s.next, count, sizeof *s.next);
    vsg_base_delete(alloc, s.first, count + 1, sizeof *s.first);
}
