/* SPDX-License-Identifier: MIT
 *
 * Each channel alone: a tree walk over the statements. No masks, no other channels. What a
 * channel sees of the rest is U, which is one number for all, and its own number. */
#include <string.h>

#include "flow.h"

enum { MOST_STEPS = 4000, MOST_DEPTH = 24 };

/* Where a channel goes behind a statement. */
typedef enum going { GO_ON, GO_BREAK, GO_CONTINUE, GO_PLACE, GO_RETURN, GO_LOST } going;

typedef struct frame {
    uint32_t values[FLOW_VALUES + FLOW_COUNTERS];
    bool bits[FLOW_BITS];
    uint32_t uniform;
    uint32_t depth; /* of recursion that is left */
} frame;

typedef struct channel {
    const flow_program *program;
    uint32_t number;
    uint32_t first, size; /* of the part of the channels that the statement is for */
    uint32_t steps;
    uint32_t calls;
    uint16_t target; /* loop or place where it goes */
    bool in_kernel;
    flow_memory *memory;
} channel;

static going walk(channel *c, frame *f, uint16_t node);
static going call_function(channel *c, uint32_t unit, uint32_t argument, uint32_t depth,
                           uint32_t *result);

static bool compare(uint8_t rel, uint32_t a, int32_t b)
{
    int32_t left = (int32_t)a;

    switch (rel) {
    case 0:
        return left == b;
    case 1:
        return left != b;
    case 2:
        return left > b;
    case 3:
        return left >= b;
    case 4:
        return left < b;
    default:
        return left <= b;
    }
}

static bool is_in(const channel *c, uint32_t first, uint32_t size)
{
    return c->number >= first && c->number < first + size;
}

static bool condition(const frame *f, const flow_node *node)
{
    return node->condition == 0 || f->bits[node->condition - 1] != node->inverse;
}

static bool uniform(const channel *c, const frame *f, const flow_node *node)
{
    uint32_t value = f->uniform & (uint32_t)node->mask;
    uint32_t first = 0, size = c->program->channels;
    bool is_true;

    if (node->form == 2) { /* an instruction of the part's channels */
        first = c->first;
        size = c->size;
    }
    uint32_t all = size == 32 ? UINT32_MAX : ((1u << size) - 1) << first;
    switch ((flow_uniform)node->how) {
    case FLOW_U_ANY:
        is_true = (value & all) != 0;
        break;
    case FLOW_U_ALL:
        is_true = (value & all) == all;
        break;
    default:
        is_true = compare(node->rel, value, node->number);
        break;
    }
    return is_true != node->inverse;
}

static void compute(frame *f, const flow_node *node)
{
    uint32_t *to = &f->values[node->a];
    uint32_t number = (uint32_t)node->number;
    uint32_t other = f->values[node->b];

    switch (node->how) {
    case 0:
        *to += number;
        break;
    case 1:
        *to *= number;
        break;
    case 2:
        *to += other;
        break;
    default:
        *to ^= other;
        break;
    }
}

static void combine(frame *f, const flow_node *node)
{
    bool *to = &f->bits[node->a];
    bool other = f->bits[node->b];

    switch (node->how) {
    case 0:
        *to = *to && other;
        break;
    case 1:
        *to = *to || other;
        break;
    case 2:
        *to = *to != other;
        break;
    default:
        *to = !other;
        break;
    }
}

static void do_plain(channel *c, frame *f, const flow_node *node)
{
    switch ((flow_kind)node->kind) {
    case FLOW_COMPUTE:
        if (condition(f, node))
            compute(f, node);
        break;
    case FLOW_COMPARE:
        f->bits[node->b] =
            compare(node->rel, f->values[node->a] & (uint32_t)node->mask, node->number);
        break;
    case FLOW_LOGIC:
        combine(f, node);
        break;
    case FLOW_NOMASK:
        if (condition(f, node))
            f->values[node->a] +=
                f->values[node->b] * (uint32_t)node->mask + (uint32_t)node->number;
        break;
    case FLOW_SCALAR:
        f->values[node->a] ^= f->uniform + (uint32_t)node->number;
        break;
    case FLOW_CONDITIONAL:
        if (uniform(c, f, node))
            f->values[node->a] += (uint32_t)node->number;
        break;
    case FLOW_WRITE:
        f->uniform = f->uniform * (uint32_t)node->mask + (uint32_t)node->number;
        break;
    case FLOW_STORE:
        c->memory->slots[node->slot][c->number] = f->values[node->a];
        break;
    default:
        break;
    }
}

/* Is the loop to go on behind its body? */
static bool goes_on(const channel *c, going *way, uint32_t loop)
{
    if (*way == GO_CONTINUE && c->target == loop)
        *way = GO_ON;
    if (*way == GO_ON)
        return true;
    if (*way == GO_BREAK && c->target == loop)
        *way = GO_ON;
    return false;
}

static going do_loop(channel *c, frame *f, const flow_node *node, uint16_t index)
{
    bool is_uniform = node->kind == FLOW_UNIFORM_LOOP;
    uint32_t times = (uint32_t)node->number;
    going way = GO_ON;

    if (!is_uniform)
        times += f->values[node->a] & (uint32_t)node->mask;
    for (uint32_t i = 0; i < times; i++) {
        way = walk(c, f, node->bodies[0]);
        if (!goes_on(c, &way, index))
            return way;
    }
    return way;
}

static uint16_t find_place(const flow_program *program, uint16_t first, uint16_t place)
{
    for (uint16_t i = first; i != FLOW_NONE; i = flow_at(program, i)->next)
        if (i == place)
            return i;
    return FLOW_NONE;
}

static going do_tangle(channel *c, frame *f, const flow_node *node)
{
    uint16_t from = node->bodies[0];

    f->values[node->counter] = (uint32_t)node->number;
    for (;;) {
        going way = walk(c, f, from);
        if (way != GO_PLACE)
            return way;
        from = find_place(c->program, node->bodies[0], c->target);
        if (from == FLOW_NONE)
            return way;
    }
}

static going do_part(channel *c, frame *f, const flow_node *node)
{
    uint32_t first = c->first, size = c->size;
    going way = GO_ON;

    if (is_in(c, node->offset, node->size)) {
        c->first = node->offset;
        c->size = node->size;
        way = walk(c, f, node->bodies[0]);
        c->first = first;
        c->size = size;
    }
    return way;
}

static going leave(channel *c, const flow_node *node, going way)
{
    c->target = node->target;
    return way;
}

static going do_return(channel *c, const frame *f, const flow_node *node)
{
    if (c->in_kernel)
        for (uint32_t i = 0; i < FLOW_VALUES; i++)
            c->memory->slots[i][c->number] = f->values[i];
    return condition(f, node) ? GO_RETURN : GO_ON;
}

static going do_call(channel *c, frame *f, const flow_node *node)
{
    uint32_t first = c->first, size = c->size;
    bool in_kernel = c->in_kernel;

    if (!condition(f, node))
        return GO_ON;
    if (++c->calls > MOST_DEPTH)
        return GO_LOST;
    c->first = 0;
    c->size = c->program->channels;
    c->in_kernel = false;
    going way = walk(c, f, node->target);
    c->first = first;
    c->size = size;
    c->in_kernel = in_kernel;
    c->calls--;
    return way == GO_RETURN ? GO_ON : way;
}

static going do_fcall(channel *c, frame *f, const flow_node *node)
{
    uint32_t result = 0;
    uint32_t depth = f->values[node->b] & 3;

    if (!condition(f, node))
        return GO_ON;
    if (node->form == 2) { /* of itself */
        if (f->depth == 0)
            return GO_ON;
        depth = f->depth - 1;
    }
    going way = call_function(c, node->target, f->values[node->b], depth, &result);
    if (way == GO_ON && c->program->units[node->target].returns)
        f->values[node->a] += result;
    return way;
}

/* Of the way back to a place, which each channel goes a limited number of times. */
static going do_goto(channel *c, frame *f, const flow_node *node)
{
    const flow_node *tangle = flow_at(c->program, flow_at(c->program, node->target)->target);

    if (tangle->hollow || flow_at(c->program, node->target)->dropped)
        return GO_ON;
    if (node->form == 3) { /* back */
        uint32_t *left = &f->values[tangle->counter];
        uint32_t wish = f->values[node->a] & (uint32_t)node->mask;
        *left -= 1;
        if ((int32_t)*left <= 0 || wish == 0)
            return GO_ON;
        return leave(c, node, GO_PLACE);
    }
    return condition(f, node) ? leave(c, node, GO_PLACE) : GO_ON;
}

static going do_bodies(channel *c, frame *f, const flow_node *node, uint16_t index)
{
    switch ((flow_kind)node->kind) {
    case FLOW_IF:
        return walk(c, f, node->bodies[condition(f, node) ? 0 : 1]);
    case FLOW_UNIFORM_IF:
        return walk(c, f, node->bodies[uniform(c, f, node) ? 0 : 1]);
    case FLOW_SWITCH:
        return walk(c, f, node->bodies[f->uniform & 3]);
    case FLOW_PART:
        return do_part(c, f, node);
    case FLOW_TANGLE:
        return do_tangle(c, f, node);
    default:
        return do_loop(c, f, node, index);
    }
}

static going do_hollow(channel *c, frame *f, const flow_node *node)
{
    going way = GO_ON;

    for (uint32_t i = 0; i < FLOW_BODIES && way == GO_ON; i++)
        way = walk(c, f, node->bodies[i]);
    return way;
}

static going step(channel *c, frame *f, uint16_t index)
{
    const flow_node *node = flow_at(c->program, index);
    bool is_loose = node->kind == FLOW_BREAK || node->kind == FLOW_CONTINUE;

    if (node->dropped || (is_loose && flow_at(c->program, node->target)->hollow))
        return GO_ON;
    if (flow_has_bodies(node))
        return node->hollow ? do_hollow(c, f, node) : do_bodies(c, f, node, index);
    switch ((flow_kind)node->kind) {
    case FLOW_BREAK:
        return condition(f, node) ? leave(c, node, GO_BREAK) : GO_ON;
    case FLOW_CONTINUE:
        return condition(f, node) ? leave(c, node, GO_CONTINUE) : GO_ON;
    case FLOW_RETURN:
        return do_return(c, f, node);
    case FLOW_CALL:
        return do_call(c, f, node);
    case FLOW_FCALL:
        return do_fcall(c, f, node);
    case FLOW_GOTO:
        return do_goto(c, f, node);
    default:
        if (node->size == 0 || is_in(c, node->offset, node->size))
            do_plain(c, f, node);
        return GO_ON;
    }
}

static going walk(channel *c, frame *f, uint16_t node)
{
    while (node != FLOW_NONE) {
        if (++c->steps > MOST_STEPS)
            return GO_LOST;
        going way = step(c, f, node);
        if (way != GO_ON)
            return way;
        node = flow_at(c->program, node)->next;
    }
    return GO_ON;
}

int32_t flow_first_value(uint32_t index, uint32_t number)
{
    static const int32_t factors[FLOW_VALUES] = {1, 5, 11, 0x3b};

    return (int32_t)number * factors[index] + (int32_t)(index * 3);
}

uint32_t flow_first_bits(uint32_t index)
{
    static const uint32_t bits[FLOW_BITS] = {0x55555555, 0xc3a5c3a5, 0x0ff00ff0, 0x80017ffe};

    return bits[index];
}

static void start(const channel *c, frame *f)
{
    for (uint32_t i = 0; i < FLOW_VALUES; i++)
        f->values[i] = (uint32_t)flow_first_value(i, c->number);
    for (uint32_t i = 0; i < FLOW_BITS; i++)
        f->bits[i] = flow_first_bits(i) >> c->number & 1;
}

static going call_function(channel *c, uint32_t unit, uint32_t argument, uint32_t depth,
                           uint32_t *result)
{
    channel inner = *c;
    frame f = {.uniform = FLOW_UNIFORM_OF_FUNCTION, .depth = depth};

    if (++inner.calls > MOST_DEPTH)
        return GO_LOST;
    start(c, &f);
    f.values[0] = argument;
    inner.first = 0;
    inner.size = c->program->channels;
    inner.in_kernel = false;
    going way = walk(&inner, &f, c->program->units[unit].body);
    c->steps = inner.steps;
    *result = f.values[0];
    return way == GO_RETURN ? GO_ON : way;
}

bool flow_evaluate(const flow_program *program, flow_memory *memory)
{
    for (uint32_t n = 0; n < program->active; n++) {
        channel c = {.program = program,
                     .number = n,
                     .size = program->channels,
                     .in_kernel = true,
                     .memory = memory};
        frame f = {.uniform = FLOW_FIRST_UNIFORM};
        start(&c, &f);
        going way = walk(&c, &f, program->units[0].body);
        if (way != GO_ON && way != GO_RETURN)
            return false;
        if (way == GO_ON)
            for (uint32_t i = 0; i < FLOW_VALUES; i++)
                memory->slots[i][n] = f.values[i];
    }
    return true;
}
