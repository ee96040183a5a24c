/* SPDX-License-Identifier: MIT
 *
 * Statements as vISA text. */
#include "writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void flow_put(flow_writer *w, const char *format, ...)
{
    va_list list;

    if (w->capacity - w->length < 2048) {
        w->capacity = w->capacity * 2 + 4096;
        w->text = realloc(w->text, w->capacity);
        if (!w->text)
            abort();
    }
    va_start(list, format);
    w->length += (size_t)vsnprintf(w->text + w->length, w->capacity - w->length, format, list);
    va_end(list);
}

static const char *rel_name(const flow_node *node)
{
    static const char *const names[] = {"eq", "ne", "gt", "ge", "lt", "le"};
    return names[node->rel];
}

/* ---- operands --------------------------------------------------------------------------- */

const char *flow_element(const flow_writer *w, const char *name, uint32_t index,
                         uint32_t offset, char out[32])
{
    (void)snprintf(out, 32, "%s%u(%u,%u)", name, index, offset * 4 / w->grf,
                   offset * 4 % w->grf / 4);
    return out;
}

const char *flow_value(const flow_writer *w, uint32_t index, uint32_t offset, char out[32])
{
    return flow_element(w, "R", index, offset, out);
}

/* "(P1) " with the mark of an inverse. */
static void put_predicate(flow_writer *w, const flow_node *node, bool opposite)
{
    flow_put(w, "    ");
    if (node->condition)
        flow_put(w, "(%sP%u) ", node->inverse != opposite ? "!" : "", node->condition);
}

static void put_branch(flow_writer *w, const flow_node *node, bool opposite, const char *branch,
                       bool is_scalar)
{
    put_predicate(w, node, opposite);
    if (is_scalar)
        flow_put(w, "%s (M1, 1) ", branch);
    else
        flow_put(w, "%s (M%u, %u) ", branch, w->offset / 4 + 1, w->size);
}

bool flow_next_piece(const flow_writer *w, const flow_node *node, flow_piece *p)
{
    uint32_t offset = w->offset, size = w->size;

    if (node && node->size) {
        offset = node->offset;
        size = node->size;
    }
    if (p->size == 0) {
        p->offset = offset;
        p->size = size < w->widest ? size : w->widest;
        return true;
    }
    p->offset += p->size;
    return p->offset < offset + size;
}

bool flow_next_unmasked(const flow_writer *w, uint32_t widest, flow_piece *p)
{
    uint32_t all = w->program->channels;

    if (p->size == 0) {
        p->size = all < widest ? all : widest;
        return true;
    }
    p->offset += p->size;
    return p->offset < all;
}

static void put_mask(flow_writer *w, const flow_piece *p, const char *no_mask)
{
    flow_put(w, "(M%u%s, %u) ", p->offset / 4 + 1, no_mask, p->size);
}

void flow_put_number(flow_writer *w, const flow_node *node, const char *op, uint32_t to,
                     uint32_t from, int32_t number, bool is_masked)
{
    char a[32], b[32];
    flow_piece p = {0};

    while (is_masked ? flow_next_piece(w, node, &p) : flow_next_unmasked(w, w->widest, &p)) {
        if (node && is_masked)
            put_predicate(w, node, false);
        else
            flow_put(w, "    ");
        flow_put(w, "%s ", op);
        put_mask(w, &p, is_masked ? "" : "_NM");
        flow_put(w, "%s<1> ", flow_value(w, to, p.offset, a));
        if (strcmp(op, "mov") != 0)
            flow_put(w, "%s<1;1,0> ", flow_value(w, from, p.offset, b));
        flow_put(w, "0x%x:d\n", (unsigned)number);
    }
}

static void put_compare(flow_writer *w, const flow_node *node, const char *rel,
                        uint32_t value_at, uint32_t bits, int32_t number)
{
    char a[32];
    flow_piece p = {0};

    while (flow_next_piece(w, node, &p)) {
        flow_put(w, "    cmp.%s ", rel);
        put_mask(w, &p, "");
        flow_put(w, "P%u %s<1;1,0> 0x%x:d\n", bits, flow_value(w, value_at, p.offset, a),
                 (unsigned)number);
    }
}

void flow_put_copy(flow_writer *w, const flow_node *node, const char *to, uint32_t to_index,
                   const char *op, const char *from, uint32_t from_index)
{
    char a[32], b[32], c[32];
    flow_piece p = {0};

    while (flow_next_piece(w, node, &p)) {
        if (node)
            put_predicate(w, node, false);
        else
            flow_put(w, "    ");
        flow_put(w, "%s ", op);
        put_mask(w, &p, "");
        flow_put(w, "%s<1> ", flow_element(w, to, to_index, p.offset, a));
        if (strcmp(op, "mov") != 0)
            flow_put(w, "%s<1;1,0> ", flow_element(w, to, to_index, p.offset, b));
        flow_put(w, "%s<1;1,0>\n", flow_element(w, from, from_index, p.offset, c));
    }
}

/* ---- uniform conditions ----------------------------------------------------------------- */

static void put_uniform(flow_writer *w, const flow_node *node)
{
    flow_put(w, "    and (M1_NM, 1) V(0,0)<1> U(0,0)<0;1,0> 0x%x:d\n", (unsigned)node->mask);
    if (node->how == FLOW_U_SCALAR)
        flow_put(w, "    cmp.%s (M1_NM, 1) PU V(0,0)<0;1,0> 0x%x:d\n", rel_name(node),
                 (unsigned)node->number);
    else if (node->how == FLOW_U_WIDE)
        for (flow_piece p = {0}; flow_next_unmasked(w, w->widest, &p);)
            flow_put(w, "    cmp.%s (M%u_NM, %u) PW V(0,0)<0;1,0> 0x%x:d\n", rel_name(node),
                     p.offset / 4 + 1, p.size, (unsigned)node->number);
    else
        flow_put(w, "    setp (M1_NM, %u) PW VU(0,0)<0;1,0>\n", w->program->channels);
}

/* The predicate of the condition, or of its opposite. */
static void put_uniform_predicate(flow_writer *w, const flow_node *node, bool opposite)
{
    static const char *const names[] = {"PU", "PW", "PW.any", "PW.all"};

    flow_put(w, "    (%s%s) ", node->inverse != opposite ? "!" : "", names[node->how]);
}

static void put_uniform_branch(flow_writer *w, const flow_node *node, bool opposite)
{
    put_uniform(w, node);
    put_uniform_predicate(w, node, opposite);
    if (node->form == 2)
        flow_put(w, "goto (M%u, %u) ", w->offset / 4 + 1, w->size);
    else
        flow_put(w, node->form == 1 ? "goto (M1, 1) " : "jmp (M1, 1) ");
}

/* ---- statements without bodies ---------------------------------------------------------- */

static void write_compute(flow_writer *w, const flow_node *node)
{
    static const char *const ops[] = {"add", "mul", "add", "xor"};

    if (node->how < 2)
        flow_put_number(w, node, ops[node->how], node->a, node->a, node->number, true);
    else
        flow_put_copy(w, node, "R", node->a, ops[node->how], "R", node->b);
}

static void write_logic(flow_writer *w, const flow_node *node)
{
    static const char *const ops[] = {"and", "or", "xor", "not"};
    uint32_t a = node->a + 1u, b = node->b + 1u;

    flow_put(w, "    %s (M%u, %u) P%u ", ops[node->how], w->offset / 4 + 1, w->size, a);
    if (node->how < 3)
        flow_put(w, "P%u ", a);
    flow_put(w, "P%u\n", b);
}

static void write_conditional(flow_writer *w, const flow_node *node)
{
    char a[32], b[32];

    put_uniform(w, node);
    /* Pieces would each combine their own channels: they take the condition from U alone. */
    if (w->size > w->widest && node->how != FLOW_U_WIDE) {
        put_uniform_predicate(w, node, true);
        flow_put(w, "goto (M%u, %u) over%u\n", w->offset / 4 + 1, w->size,
                 (unsigned)(node - w->program->nodes));
        flow_put_number(w, NULL, "add", node->a, node->a, node->number, true);
        flow_put(w, "over%u:\n", (unsigned)(node - w->program->nodes));
        return;
    }
    for (flow_piece p = {0}; flow_next_piece(w, NULL, &p);) {
        put_uniform_predicate(w, node, false);
        flow_put(w, "add ");
        put_mask(w, &p, "");
        flow_put(w, "%s<1> %s<1;1,0> 0x%x:d\n", flow_value(w, node->a, p.offset, a),
                 flow_value(w, node->a, p.offset, b), (unsigned)node->number);
    }
}

static void write_scalar(flow_writer *w, const flow_node *node)
{
    char a[32], b[32];

    flow_put(w, "    add (M1_NM, 1) V(0,0)<1> U(0,0)<0;1,0> 0x%x:d\n", (unsigned)node->number);
    for (flow_piece p = {0}; flow_next_piece(w, node, &p);) {
        flow_put(w, "    xor ");
        put_mask(w, &p, "");
        flow_put(w, "%s<1> %s<1;1,0> V(0,0)<0;1,0>\n", flow_value(w, node->a, p.offset, a),
                 flow_value(w, node->a, p.offset, b));
    }
}

void flow_write_store(flow_writer *w, uint32_t slot, uint32_t index)
{
    uint32_t widest = w->program->platform == VISAGE_PLATFORM_PVC ? 32 : 16;
    flow_piece p = {0};
    flow_writer narrow = *w;

    narrow.widest = widest;
    if (w->program->platform == VISAGE_PLATFORM_SKL)
        for (flow_piece q = {0}; flow_next_unmasked(w, 8, &q);)
            flow_put(w, "    add (M%u_NM, %u) PLACE(%u,0)<2> LOW(%u,0)<2;1,0> 0x%x:ud\n",
                     q.offset / 4 + 1, q.size, q.offset * 8 / w->grf, q.offset * 8 / w->grf,
                     slot * 128);
    while (flow_next_piece(&narrow, NULL, &p)) {
        if (w->program->platform == VISAGE_PLATFORM_SKL) {
            flow_put(w, "    svm_scatter.4.1 ");
            put_mask(w, &p, "");
            flow_put(w, "PLACEQ.%u R%u.%u\n", p.offset * 8, index, p.offset * 4);
        } else {
            flow_put(w, "    lsc_store.ugm ");
            put_mask(w, &p, "");
            flow_put(w, "flat[ADDR.%u+0x%x]:a64 R%u.%u:d32\n", p.offset * 8, slot * 128, index,
                     p.offset * 4);
        }
    }
}

static void write_compare(flow_writer *w, const flow_node *node)
{
    flow_put_number(w, node, "and", FLOW_TEMPORARY, node->a, node->mask, true);
    put_compare(w, node, rel_name(node), FLOW_TEMPORARY, node->b + 1u, node->number);
}

static void write_plain(flow_writer *w, const flow_node *node)
{
    switch ((flow_kind)node->kind) {
    case FLOW_COMPUTE:
        write_compute(w, node);
        break;
    case FLOW_COMPARE:
        write_compare(w, node);
        break;
    case FLOW_LOGIC:
        write_logic(w, node);
        break;
    case FLOW_NOMASK:
        flow_put_number(w, NULL, "mul", FLOW_TEMPORARY, node->b, node->mask, false);
        flow_put_number(w, NULL, "add", FLOW_TEMPORARY, FLOW_TEMPORARY, node->number, false);
        flow_put_copy(w, node, "R", node->a, "add", "R", FLOW_TEMPORARY);
        break;
    case FLOW_SCALAR:
        write_scalar(w, node);
        break;
    case FLOW_CONDITIONAL:
        write_conditional(w, node);
        break;
    case FLOW_WRITE:
        flow_put(w, "    mul (M1_NM, 1) U(0,0)<1> U(0,0)<0;1,0> 0x%x:d\n",
                 (unsigned)node->mask);
        flow_put(w, "    add (M1_NM, 1) U(0,0)<1> U(0,0)<0;1,0> 0x%x:d\n",
                 (unsigned)node->number);
        break;
    case FLOW_STORE:
        flow_write_store(w, node->slot, node->a);
        break;
    default:
        break;
    }
}

/* ---- branches and calls ----------------------------------------------------------------- */

static void write_return(flow_writer *w, const flow_node *node)
{
    bool is_function = w->unit > 0 && !w->in_sub;

    if (w->in_kernel)
        for (uint32_t i = 0; i < FLOW_VALUES; i++)
            flow_write_store(w, i, i);
    if (is_function && w->program->units[w->unit].returns)
        flow_put_copy(w, NULL, "RET", 0, "mov", "R", 0);
    put_branch(w, node, false, is_function ? "fret" : "ret", false);
    flow_put(w, "\n");
}

uint32_t flow_arg_grfs(const flow_writer *w)
{
    return (w->program->channels * 4 + w->grf - 1) / w->grf;
}

static void write_call(flow_writer *w, const flow_node *node)
{
    const flow_unit *unit = &w->program->units[w->unit];
    uint32_t sub = 0;

    while (sub + 1 < unit->num_subs && unit->subs[sub] != node->target)
        sub++;
    if (node->form == 1)
        flow_put(w, "    call (M1_NM, 1) ");
    else
        put_branch(w, node, false, "call", false);
    flow_put(w, "sub%u_%u\n", w->unit, sub);
}

static void write_fcall(flow_writer *w, const flow_node *node)
{
    const flow_unit *callee = &w->program->units[node->target];
    uint32_t returns = callee->returns ? flow_arg_grfs(w) : 0;
    flow_node call = *node;
    char line[64];

    flow_put_copy(w, NULL, "ARG", 0, "mov", "R", node->b);
    flow_put_number(w, NULL, "and", FLOW_TEMPORARY, node->b, 3, true);
    flow_put_copy(w, NULL, "ARG", 1, "mov", node->form == 2 ? "DEPTH" : "R",
                  node->form == 2 ? 0 : FLOW_TEMPORARY);
    if (node->form == 2) {
        flow_put_number(w, NULL, "mov", FLOW_TEMPORARY, 0, -1, true);
        flow_put_copy(w, NULL, "ARG", 1, "add", "R", FLOW_TEMPORARY);
        flow_put_copy(w, NULL, "R", FLOW_TEMPORARY, "mov", "DEPTH", 0);
        put_compare(w, NULL, "gt", FLOW_TEMPORARY, 5, 0);
        call.condition = 5;
        call.inverse = false;
    }
    if (node->form == 1) {
        flow_put(w, "    faddr f%u FQ(0,0)<1>\n", node->target);
        flow_put(w, "    mov (M1_NM, 1) FD(0,0)<1> FL(0,0)<0;1,0>\n");
        put_branch(w, &call, false, "ifcall", false);
        (void)snprintf(line, sizeof line, "FD(0,0)<0;1,0>");
    } else {
        put_branch(w, &call, false, "fcall", false);
        (void)snprintf(line, sizeof line, "f%u", node->target);
    }
    flow_put(w, "%s %u %u\n", line, 2 * flow_arg_grfs(w), returns);
    if (returns)
        flow_put_copy(w, &call, "R", node->a, "add", "RET", 0);
}

static void write_goto(flow_writer *w, const flow_node *node)
{
    const flow_node *place = flow_at(w->program, node->target);
    const flow_node *tangle = flow_at(w->program, place->target);
    flow_node taken = *node;

    if (place->dropped || tangle->hollow)
        return;
    if (node->form == 3) { /* back */
        char a[32], b[32];
        flow_put_number(w, NULL, "add", tangle->counter, tangle->counter, -1, true);
        flow_put_number(w, NULL, "and", FLOW_TEMPORARY, node->a, node->mask, true);
        for (flow_piece p = {0}; flow_next_piece(w, NULL, &p);) {
            flow_put(w, "    min ");
            put_mask(w, &p, "");
            flow_put(w, "%s<1> %s<1;1,0> ", flow_value(w, FLOW_TEMPORARY, p.offset, a),
                     flow_value(w, FLOW_TEMPORARY, p.offset, a));
            flow_put(w, "%s<1;1,0>\n", flow_value(w, tangle->counter, p.offset, b));
        }
        put_compare(w, NULL, "gt", FLOW_TEMPORARY, 5, 0);
        taken.condition = 5;
        taken.inverse = false;
    }
    put_branch(w, &taken, false, "goto", node->condition == 0 && node->form == 1);
    flow_put(w, "place%u\n", node->target);
}

static void write_leave(flow_writer *w, const flow_node *node)
{
    if (flow_at(w->program, node->target)->hollow)
        return;
    put_branch(w, node, false, "goto", node->condition == 0 && node->form == 1);
    flow_put(w, "%s%u\n", node->kind == FLOW_BREAK ? "end" : "next", node->target);
}

/* ---- statements with bodies ------------------------------------------------------------- */

static void write_if(flow_writer *w, const flow_node *node, uint32_t id)
{
    bool has_else = node->bodies[1] != FLOW_NONE || node->form == 2;
    flow_node always = *node;

    always.condition = 0;
    put_branch(w, node, true, "goto", false);
    flow_put(w, "%s%u\n", has_else ? "else" : "end", id);
    flow_write_list(w, node->bodies[0]);
    if (has_else) {
        put_branch(w, &always, false, "goto", node->form != 0);
        flow_put(w, "end%u\nelse%u:\n", id, id);
        flow_write_list(w, node->bodies[1]);
    }
    flow_put(w, "end%u:\n", id);
}

static void write_uniform_if(flow_writer *w, const flow_node *node, uint32_t id)
{
    put_uniform_branch(w, node, true);
    flow_put(w, "else%u\n", id);
    flow_write_list(w, node->bodies[0]);
    flow_put(w, "    %s (M1, 1) end%u\nelse%u:\n", node->form ? "goto" : "jmp", id, id);
    flow_write_list(w, node->bodies[1]);
    flow_put(w, "end%u:\n", id);
}

static void write_switch(flow_writer *w, const flow_node *node, uint32_t id)
{
    flow_put(w, "    and (M1_NM, 1) V(0,0)<1> U(0,0)<0;1,0> 0x3:d\n");
    flow_put(w,
             "    switchjmp (M1, 1) VB(0,0)<0;1,0> (case%u_0, case%u_1, case%u_2, case%u_3)\n",
             id, id, id, id);
    for (uint32_t i = 0; i < 4; i++) {
        flow_put(w, "case%u_%u:\n", id, i);
        flow_write_list(w, node->bodies[i]);
        flow_put(w, "    %s (M1, 1) end%u\n", node->form ? "goto" : "jmp", id);
    }
    flow_put(w, "end%u:\n", id);
}

static void write_loop(flow_writer *w, const flow_node *node, uint32_t id)
{
    flow_node test = {.condition = 5};
    flow_node always = {0};

    flow_put_number(w, NULL, "and", node->counter, node->a, node->mask, true);
    flow_put_number(w, NULL, "add", node->counter, node->counter, node->number, true);
    flow_put(w, "top%u:\n", id);
    if (node->form == 1) {
        put_compare(w, NULL, "gt", node->counter, 5, 0);
        put_branch(w, &test, true, "goto", false);
        flow_put(w, "end%u\n", id);
    }
    flow_write_list(w, node->bodies[0]);
    flow_put(w, "next%u:\n", id);
    flow_put_number(w, NULL, "add", node->counter, node->counter, -1, true);
    if (node->form == 1) {
        /* Channels outside of a part would go round forever. */
        put_branch(w, &always, false, "goto", !w->in_part);
        flow_put(w, "top%u\n", id);
    } else {
        put_compare(w, NULL, node->form == 2 ? "le" : "gt", node->counter, 5, 0);
        put_branch(w, &test, node->form == 2, "goto", false);
        flow_put(w, "top%u\n", id);
    }
    flow_put(w, "end%u:\n", id);
}

static void write_uniform_loop(flow_writer *w, const flow_node *node, uint32_t id)
{
    uint32_t s = node->counter;

    flow_put(w, "    mov (M1_NM, 1) S%u(0,0)<1> 0x%x:d\ntop%u:\n", s, (unsigned)node->number,
             id);
    flow_write_list(w, node->bodies[0]);
    flow_put(w, "next%u:\n", id);
    flow_put(w, "    add (M1_NM, 1) S%u(0,0)<1> S%u(0,0)<0;1,0> -1:d\n", s, s);
    flow_put(w, "    cmp.gt (M1_NM, 1) PU S%u(0,0)<0;1,0> 0x0:d\n", s);
    flow_put(w, "    (PU) %s (M1, 1) top%u\nend%u:\n", node->form ? "goto" : "jmp", id, id);
}

static void write_part(flow_writer *w, const flow_node *node)
{
    flow_writer outer = *w;

    w->offset = node->offset;
    w->size = node->size;
    w->in_part = true;
    flow_write_list(w, node->bodies[0]);
    w->offset = outer.offset;
    w->size = outer.size;
    w->in_part = outer.in_part;
}

static void write_bodies(flow_writer *w, const flow_node *node, uint32_t id)
{
    switch ((flow_kind)node->kind) {
    case FLOW_IF:
        write_if(w, node, id);
        break;
    case FLOW_UNIFORM_IF:
        write_uniform_if(w, node, id);
        break;
    case FLOW_SWITCH:
        write_switch(w, node, id);
        break;
    case FLOW_LOOP:
        write_loop(w, node, id);
        break;
    case FLOW_UNIFORM_LOOP:
        write_uniform_loop(w, node, id);
        break;
    case FLOW_PART:
        write_part(w, node);
        break;
    default:
        flow_put_number(w, NULL, "mov", node->counter, 0, node->number, true);
        flow_write_list(w, node->bodies[0]);
        break;
    }
}

static void write_node(flow_writer *w, const flow_node *node, uint32_t id)
{
    switch ((flow_kind)node->kind) {
    case FLOW_BREAK:
    case FLOW_CONTINUE:
        write_leave(w, node);
        break;
    case FLOW_RETURN:
        write_return(w, node);
        break;
    case FLOW_CALL:
        write_call(w, node);
        break;
    case FLOW_FCALL:
        write_fcall(w, node);
        break;
    case FLOW_PLACE:
        flow_put(w, "place%u:\n", id);
        break;
    case FLOW_GOTO:
        write_goto(w, node);
        break;
    default:
        write_plain(w, node);
        break;
    }
}

void flow_write_list(flow_writer *w, uint16_t first)
{
    for (uint16_t i = first; i != FLOW_NONE; i = flow_at(w->program, i)->next) {
        const flow_node *node = flow_at(w->program, i);
        if (node->dropped)
            continue;
        if (!flow_has_bodies(node))
            write_node(w, node, i);
        else if (!node->hollow)
            write_bodies(w, node, i);
        else
            for (uint32_t body = 0; body < FLOW_BODIES; body++)
                flow_write_list(w, node->bodies[body]);
    }
}
