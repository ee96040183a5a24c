/* SPDX-License-Identifier: MIT */
#include "object/calls.h"

#include <string.h>

/* ---- the graph -------------------------------------------------------------------------- */

typedef struct finder {
    const vsg_base_alloc *alloc;
    const vsg_obj_functions *functions;
    vsg_obj_calls *out;
    size_t capacity;
} finder;

static bool append(finder *f, uint32_t callee)
{
    void *items = f->out->callees;

    if (!vsg_base_grow(f->alloc, &items, f->out->num_callees, &f->capacity,
                       sizeof *f->out->callees))
        return false;
    f->out->callees = items;
    f->out->callees[f->out->num_callees++] = callee;
    return true;
}

static bool find_callees(finder *f, const vsg_obj_unit *unit, const vsg_obj_resolver *calls)
{
    bool is_indirect = false;

    for (size_t i = 0; i < unit->num_insts; i++) {
        const vsg_obj_operand *operand = vsg_obj_function_operand(&unit->insts[i]);
        is_indirect |= unit->insts[i].op == VISAGE_OP_IFCALL;
        if (!operand)
            continue;
        const vsg_obj_function *found = vsg_obj_functions_find(
            f->functions, vsg_obj_functions_called(f->functions, calls, unit, operand->name));
        if (found && !append(f, found->unit))
            return false;
    }
    return !is_indirect || append(f, f->out->num_nodes - 1);
}

/* The list of callees ends where it is full: its capacity is what is freed. */
static bool trim(finder *f)
{
    vsg_obj_calls *out = f->out;
    uint32_t *exact = vsg_base_new(f->alloc, out->num_callees + 1, sizeof *exact);

    if (exact && out->num_callees)
        memcpy(exact, out->callees, out->num_callees * sizeof *exact);
    vsg_base_delete(f->alloc, out->callees, f->capacity, sizeof *out->callees);
    out->callees = exact;
    return exact != NULL;
}

bool vsg_obj_calls_find(const vsg_base_alloc *alloc, const vsg_obj_functions *functions,
                        const uint32_t *in_memory, size_t count, vsg_obj_calls *out)
{
    const vsg_obj_module *module = functions->module;
    finder f = {.alloc = alloc, .functions = functions, .out = out};

    *out = (vsg_obj_calls){.num_nodes = (uint32_t)module->num_units + 1};
    out->first = vsg_base_new(alloc, (size_t)out->num_nodes + 1, sizeof *out->first);
    bool good = out->first != NULL;
    for (uint32_t i = 0; good && i < module->num_units; i++) {
        vsg_obj_resolver resolver;
        out->first[i] = (uint32_t)out->num_callees;
        good = vsg_obj_resolver_init_calls(&resolver, alloc, module->units[i]) &&
               find_callees(&f, module->units[i], &resolver);
        vsg_obj_resolver_free(&resolver, alloc);
    }
    if (good)
        out->first[module->num_units] = (uint32_t)out->num_callees;
    for (size_t i = 0; good && i < count; i++)
        good = append(&f, in_memory[i]);
    if (good)
        out->first[out->num_nodes] = (uint32_t)out->num_callees;
    return trim(&f) && good;
}

void vsg_obj_calls_free(const vsg_base_alloc *alloc, vsg_obj_calls *calls)
{
    vsg_base_delete(alloc, calls->first, (size_t)calls->num_nodes + 1, sizeof *calls->first);
    vsg_base_delete(alloc, calls->callees, calls->num_callees + 1, sizeof *calls->callees);
    *calls = (vsg_obj_calls){0};
}

/* ---- what is connected ------------------------------------------------------------------ */

/* Spreads marks along the edges of first and next. */
static bool spread(const vsg_base_alloc *alloc, uint32_t num_nodes, const uint32_t *first,
                   const uint32_t *next, bool *marked)
{
    uint32_t *stack = vsg_base_new(alloc, num_nodes, sizeof *stack);
    bool last = false; /* the node that is no unit */
    size_t depth = 0;

    if (!stack)
        return false;
    for (uint32_t i = 0; i + 1 < num_nodes; i++)
        if (marked[i])
            stack[depth++] = i;
    while (depth) {
        uint32_t from = stack[--depth];
        for (uint32_t i = first[from]; i < first[from + 1]; i++) {
            bool *mark = next[i] + 1 < num_nodes ? &marked[next[i]] : &last;
            if (*mark)
                continue;
            *mark = true;
            stack[depth++] = next[i];
        }
    }
    vsg_base_delete(alloc, stack, num_nodes, sizeof *stack);
    return true;
}

bool vsg_obj_calls_mark_callees(const vsg_base_alloc *alloc, const vsg_obj_calls *calls,
                                bool *marked)
{
    return spread(alloc, calls->num_nodes, calls->first, calls->callees, marked);
}

/* The graph turned round: callers by callee. */
static void turn(const vsg_obj_calls *calls, uint32_t *first, uint32_t *callers)
{
    for (size_t i = 0; i < calls->num_callees; i++)
        first[calls->callees[i] + 1]++;
    for (uint32_t i = 0; i < calls->num_nodes; i++)
        first[i + 1] += first[i];
    /* Filled from the end, which makes of each node's end its begin. */
    for (uint32_t node = calls->num_nodes; node-- > 0;)
        for (uint32_t i = calls->first[node]; i < calls->first[node + 1]; i++)
            callers[--first[calls->callees[i] + 1]] = node;
}

bool vsg_obj_calls_mark_callers(const vsg_base_alloc *alloc, const vsg_obj_calls *calls,
                                bool *marked)
{
    size_t num_first = (size_t)calls->num_nodes + 2, num_callers = calls->num_callees + 1;
    uint32_t *first = vsg_base_new(alloc, num_first, sizeof *first);
    uint32_t *callers = vsg_base_new(alloc, num_callers, sizeof *callers);
    bool good = first && callers;

    if (good) {
        turn(calls, first, callers);
        first[calls->num_nodes + 1] = (uint32_t)calls->num_callees;
        good = spread(alloc, calls->num_nodes, first + 1, callers, marked);
    }
    vsg_base_delete(alloc, first, num_first, sizeof *first);
    vsg_base_delete(alloc, callers, num_callers, sizeof *callers);
    return good;
}
