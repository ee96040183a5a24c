/* SPDX-License-Identifier: MIT
 *
 * Programs from numbers. What must hold so that masks cannot be seen by a channel: U changes
 * only where all channels of the frame are together; a counter that all channels share is not
 * live where channels go back; jumps go over no place where channels wait; a function that
 * calls another one and returns a value does so at its end only, since %retval is copied whole;
 * no branch leaves a part of the channels. */
#include <string.h>

#include "flow.h"

typedef struct maker {
    flow_program *program;
    uint64_t state;
    flow_style style;
    uint32_t unit;
    int32_t sub;       /* that is being made, -1: the unit's body */
    uint32_t left;     /* statements that may still be made */
    bool together;     /* all channels that are left are here */
    bool has_returned; /* some channels of the kernel may be gone */
    bool in_part;
    uint32_t part_offset, part_size;
    bool may_return;
    bool in_repeat;    /* within a loop: no recursion */
    uint16_t loops[8]; /* around, that branches may leave */
    uint32_t num_loops;
    uint16_t places[4];          /* of the innermost tangle */
    uint32_t num_places, placed; /* those before this point */
    bool no_way_back;            /* a counter that all share is live */
} maker;

static uint32_t draw(maker *m, uint32_t below)
{
    m->state += 0x9e3779b97f4a7c15u;
    uint64_t z = m->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) % below);
}

static bool chance(maker *m, uint32_t percent)
{
    return draw(m, 100) < percent;
}

static uint16_t make_list(maker *m, uint32_t depth, uint32_t most);

/* Never fails: `left` is less than what there is room for. */
static flow_node *add(maker *m, flow_kind kind)
{
    flow_node *node = &m->program->nodes[m->program->num_nodes++];

    *node = (flow_node){.kind = (uint8_t)kind, .next = FLOW_NONE, .target = FLOW_NONE};
    for (uint32_t i = 0; i < FLOW_BODIES; i++)
        node->bodies[i] = FLOW_NONE;
    if (m->left)
        m->left--;
    return node;
}

static uint16_t number_of(const maker *m, const flow_node *node)
{
    return (uint16_t)(node - m->program->nodes);
}

/* ---- statements without bodies ---------------------------------------------------------- */

static void pick_condition(maker *m, flow_node *node)
{
    node->condition = (uint8_t)(1 + draw(m, FLOW_BITS));
    node->inverse = chance(m, 50);
}

static void maybe_condition(maker *m, flow_node *node)
{
    if (chance(m, 35))
        pick_condition(m, node);
}

/* A few channels only. */
static void narrow(maker *m, flow_node *node)
{
    if (m->in_part || !chance(m, 30))
        return;
    uint32_t size = 1u << draw(m, 5);
    while (size > m->program->channels)
        size /= 2;
    uint32_t step = size < 4 ? 4 : size;
    node->size = (uint8_t)size;
    node->offset = (uint8_t)(draw(m, m->program->channels / step) * step);
}

static void pick_uniform(maker *m, flow_node *node)
{
    static const uint32_t masks[] = {1, 3, 0x11, 0xff, 0x80000001, 0xffffffff, 0x0fff0fff};

    node->how = (uint8_t)draw(m, FLOW_U_COUNT);
    node->mask = (int32_t)masks[draw(m, 7)];
    node->number = (int32_t)draw(m, 6);
    node->rel = (uint8_t)draw(m, 6);
    node->inverse = chance(m, 50);
}

static flow_node *make_compute(maker *m)
{
    flow_node *node = add(m, FLOW_COMPUTE);

    node->how = (uint8_t)draw(m, 4);
    node->a = (uint8_t)draw(m, FLOW_VALUES);
    node->b = (uint8_t)draw(m, FLOW_VALUES);
    node->number = node->how == 1 ? 3 + 2 * (int32_t)draw(m, 8) : 1 + (int32_t)draw(m, 1000);
    maybe_condition(m, node);
    narrow(m, node);
    return node;
}

static flow_node *make_compare(maker *m)
{
    static const int32_t masks[] = {1, 3, 7, 15, 0x12, -1};
    flow_node *node = add(m, FLOW_COMPARE);

    node->a = (uint8_t)draw(m, FLOW_VALUES);
    node->b = (uint8_t)draw(m, FLOW_BITS);
    node->mask = masks[draw(m, 6)];
    node->rel = (uint8_t)draw(m, 6);
    node->number = (int32_t)draw(m, 9);
    narrow(m, node);
    return node;
}

static flow_node *make_logic(maker *m)
{
    flow_node *node = add(m, FLOW_LOGIC);

    node->how = (uint8_t)draw(m, 4);
    node->a = (uint8_t)draw(m, FLOW_BITS);
    node->b = (uint8_t)draw(m, FLOW_BITS);
    return node;
}

static flow_node *make_other(maker *m)
{
    static const flow_kind kinds[] = {FLOW_NOMASK, FLOW_SCALAR, FLOW_CONDITIONAL, FLOW_STORE,
                                      FLOW_WRITE};
    /* A message's registers begin at a GRF, those of a part need not. */
    flow_kind kind = kinds[draw(m, m->together ? 5 : m->in_part ? 3 : 4)];
    flow_node *node = add(m, kind);

    node->a = (uint8_t)draw(m, FLOW_VALUES);
    node->b = (uint8_t)draw(m, FLOW_VALUES);
    node->number = (int32_t)draw(m, 100);
    node->mask = 3 + 2 * (int32_t)draw(m, 5);
    node->slot = (uint8_t)(FLOW_VALUES + draw(m, FLOW_SLOTS - FLOW_VALUES));
    if (kind == FLOW_CONDITIONAL) {
        pick_uniform(m, node);
        node->form = 2;
        if (node->how == FLOW_U_SCALAR)
            node->how = FLOW_U_WIDE;
    }
    if (kind == FLOW_NOMASK)
        maybe_condition(m, node);
    return node;
}

static flow_node *make_plain(maker *m)
{
    uint32_t what = draw(m, 100);

    if (what < 45)
        return make_compute(m);
    if (what < 70)
        return make_compare(m);
    if (what < 78)
        return make_logic(m);
    return make_other(m);
}

/* ---- branches --------------------------------------------------------------------------- */

static flow_node *make_break(maker *m)
{
    flow_node *node = add(m, chance(m, 60) ? FLOW_BREAK : FLOW_CONTINUE);

    node->target = m->loops[draw(m, m->num_loops)];
    if (!chance(m, 10))
        pick_condition(m, node);
    node->form = (uint8_t)draw(m, 2);
    return node;
}

static flow_node *make_return(maker *m)
{
    flow_node *node = add(m, FLOW_RETURN);

    if (m->together || !chance(m, 15))
        pick_condition(m, node);
    if (m->unit == 0 && m->sub < 0)
        m->has_returned = true;
    return node;
}

static flow_node *make_goto(maker *m)
{
    flow_node *node = add(m, FLOW_GOTO);
    uint32_t to = draw(m, m->num_places);

    node->target = m->places[to];
    node->form = (uint8_t)draw(m, 2);
    if (to < m->placed) {
        node->form = 3;
        node->a = (uint8_t)draw(m, FLOW_VALUES);
        node->mask = 1 << draw(m, 3) | 1 << draw(m, 4);
    } else if (!chance(m, 10)) {
        pick_condition(m, node);
    }
    return node;
}

/* ---- calls ------------------------------------------------------------------------------ */

static flow_node *make_call(maker *m)
{
    const flow_unit *unit = &m->program->units[m->unit];
    uint32_t first = (uint32_t)(m->sub + 1); /* those behind it: no recursion */
    flow_node *node = add(m, FLOW_CALL);

    node->target = unit->subs[first + draw(m, unit->num_subs - first)];
    maybe_condition(m, node);
    /* A scalar call is one of all channels of the dispatch. */
    if (m->unit == 0 && m->sub < 0 && m->together && !m->in_repeat && !m->has_returned &&
        chance(m, 30)) {
        node->condition = 0;
        node->form = 1;
    }
    return node;
}

static flow_node *make_fcall(maker *m)
{
    uint32_t later = m->program->num_units - m->unit - 1;
    bool is_own = m->unit > 0 && !m->in_repeat && (later == 0 || chance(m, 40));
    flow_node *node = add(m, FLOW_FCALL);

    node->a = (uint8_t)draw(m, FLOW_VALUES);
    node->b = (uint8_t)draw(m, FLOW_VALUES);
    if (is_own) {
        node->target = (uint16_t)m->unit;
        node->form = 2;
    } else {
        node->target = (uint16_t)(m->unit + 1 + draw(m, later));
        node->form = (uint8_t)draw(m, 2);
        maybe_condition(m, node);
    }
    return node;
}

static bool can_fcall(const maker *m)
{
    const flow_unit *unit = &m->program->units[m->unit];

    if (!unit->calls)
        return false;
    return m->unit + 1 < m->program->num_units || (m->unit > 0 && !m->in_repeat);
}

/* ---- statements with bodies ------------------------------------------------------------- */

static void fill(maker *m, flow_node *node, uint32_t bodies, uint32_t depth)
{
    for (uint32_t i = 0; i < bodies; i++)
        node->bodies[i] = make_list(m, depth + 1, 4);
}

static flow_node *make_if(maker *m, uint32_t depth)
{
    flow_node *node = add(m, FLOW_IF);
    maker outer = *m;

    pick_condition(m, node);
    node->form = (uint8_t)draw(m, 3);
    m->together = false;
    fill(m, node, chance(m, 60) ? 2 : 1, depth);
    m->together = outer.together;
    return node;
}

static flow_node *make_uniform_if(maker *m, uint32_t depth)
{
    flow_node *node = add(m, chance(m, 70) ? FLOW_UNIFORM_IF : FLOW_SWITCH);
    bool no_way_back = m->no_way_back;

    pick_uniform(m, node);
    node->form = (uint8_t)draw(m, node->how == FLOW_U_SCALAR ? 2 : 3);
    m->no_way_back = true;
    fill(m, node, node->kind == FLOW_SWITCH ? 4 : chance(m, 60) ? 2 : 1, depth);
    m->no_way_back = no_way_back;
    return node;
}

static bool may_loop(const maker *m)
{
    return m->program->units[m->unit].counters + 2 < FLOW_COUNTERS && m->num_loops < 6;
}

static flow_node *make_loop(maker *m, uint32_t depth)
{
    flow_node *node = add(m, FLOW_LOOP);
    maker outer = *m;

    node->form = (uint8_t)draw(m, 3);
    node->a = (uint8_t)draw(m, FLOW_VALUES);
    node->mask = (int32_t)(1 + 2 * draw(m, 2));
    node->number = node->form == 1 ? (int32_t)draw(m, 2) : 1;
    node->counter = (uint8_t)(FLOW_VALUES + m->program->units[m->unit].counters++);
    m->loops[m->num_loops++] = number_of(m, node);
    m->together = false;
    m->in_repeat = true;
    fill(m, node, 1, depth);
    m->num_loops--;
    m->together = outer.together;
    m->in_repeat = outer.in_repeat;
    return node;
}

static flow_node *make_uniform_loop(maker *m, uint32_t depth)
{
    flow_node *node = add(m, FLOW_UNIFORM_LOOP);
    maker outer = *m;
    bool is_left = chance(m, 50); /* channels may leave it */

    node->form = (uint8_t)draw(m, 2);
    node->number = (int32_t)(1 + draw(m, 3));
    node->counter = m->program->units[m->unit].uniform_loops++;
    if (is_left) {
        m->loops[m->num_loops++] = number_of(m, node);
        m->together = false;
    }
    m->in_repeat = true;
    m->no_way_back = true;
    fill(m, node, 1, depth);
    m->num_loops = outer.num_loops;
    m->together = outer.together;
    m->in_repeat = outer.in_repeat;
    m->no_way_back = outer.no_way_back;
    return node;
}

static flow_node *make_part(maker *m, uint32_t depth)
{
    flow_node *node = add(m, FLOW_PART);
    maker outer = *m;

    do
        node->size = (uint8_t)(2u << draw(m, 4));
    while (node->size >= m->program->channels);
    uint32_t step = node->size < 4 ? 4 : node->size;
    node->offset = (uint8_t)(draw(m, m->program->channels / step) * step);
    m->in_part = true;
    m->together = false;
    m->may_return = false;
    m->num_loops = 0;
    m->num_places = 0;
    fill(m, node, 1, depth);
    m->in_part = outer.in_part;
    m->together = outer.together;
    m->may_return = outer.may_return;
    memcpy(m->loops, outer.loops, sizeof m->loops);
    m->num_loops = outer.num_loops;
    m->num_places = outer.num_places;
    return node;
}

static void append(maker *m, uint16_t *first, uint16_t *last, uint16_t node)
{
    if (*last == FLOW_NONE)
        *first = node;
    else
        m->program->nodes[*last].next = node;
    while (m->program->nodes[node].next != FLOW_NONE)
        node = m->program->nodes[node].next;
    *last = node;
}

static flow_node *make_tangle(maker *m, uint32_t depth)
{
    flow_node *node = add(m, FLOW_TANGLE);
    maker outer = *m;
    uint16_t last = FLOW_NONE, first = FLOW_NONE;

    node->counter = (uint8_t)(FLOW_VALUES + m->program->units[m->unit].counters++);
    node->number = (int32_t)(2 + draw(m, 6));
    m->together = false;
    m->in_repeat = true;
    m->no_way_back = false;
    m->num_places = 2 + draw(m, 3);
    m->placed = 0;
    for (uint32_t i = 0; i < m->num_places; i++) {
        flow_node *place = add(m, FLOW_PLACE);
        place->target = number_of(m, node);
        m->places[i] = number_of(m, place);
    }
    for (uint32_t i = 0; i <= m->num_places; i++) {
        uint16_t list = make_list(m, depth + 1, 3);
        if (list != FLOW_NONE)
            append(m, &first, &last, list);
        append(m, &first, &last, number_of(m, make_goto(m)));
        if (i < m->num_places) {
            append(m, &first, &last, m->places[i]);
            m->placed++;
        }
    }
    node->bodies[0] = first;
    uint64_t state = m->state;
    uint32_t left = m->left;
    bool has_returned = m->has_returned;
    *m = outer;
    m->state = state;
    m->left = left;
    m->has_returned = has_returned;
    return node;
}

/* ---- lists ------------------------------------------------------------------------------ */

static flow_node *make_nest(maker *m, uint32_t depth)
{
    uint32_t what = draw(m, 100);

    if (m->style == FLOW_TANGLED && what < 35 && may_loop(m) && m->left > 20)
        return make_tangle(m, depth);
    if (what < 50)
        return make_if(m, depth);
    if (what < 65 || !may_loop(m))
        return make_uniform_if(m, depth);
    if (what < 85)
        return make_loop(m, depth);
    if (what < 93 || m->in_part || m->program->channels < 8)
        return make_uniform_loop(m, depth);
    return make_part(m, depth);
}

static flow_node *make_statement(maker *m, uint32_t depth)
{
    const flow_unit *unit = &m->program->units[m->unit];
    uint32_t what = draw(m, 100);
    bool has_subs = m->sub + 1 < (int32_t)unit->num_subs;

    if (what < 30 && depth < 5 && m->left > 12)
        return make_nest(m, depth);
    if (what < 37 && m->num_loops)
        return make_break(m);
    if (what < 41 && m->may_return && (m->unit > 0 || m->sub >= 0 || chance(m, 20)))
        return make_return(m);
    if (what < 48 && has_subs)
        return make_call(m);
    if (what < 54 && can_fcall(m))
        return make_fcall(m);
    if (what < 60 && m->num_places && (m->placed < m->num_places || !m->no_way_back)) {
        flow_node *node = make_goto(m);
        if (node->form == 3 && m->no_way_back)
            node->dropped = true;
        return node;
    }
    return make_plain(m);
}

static uint16_t make_list(maker *m, uint32_t depth, uint32_t most)
{
    uint16_t first = FLOW_NONE, last = FLOW_NONE;
    uint32_t count = 1 + draw(m, most);

    for (uint32_t i = 0; i < count && m->left > 2; i++)
        append(m, &first, &last, number_of(m, make_statement(m, depth)));
    return first;
}

/* ---- programs --------------------------------------------------------------------------- */

static void make_body(maker *m, uint32_t unit, int32_t sub, uint32_t left)
{
    flow_unit *u = &m->program->units[unit];

    m->unit = unit;
    m->sub = sub;
    m->left = left;
    m->together = sub < 0;
    m->in_repeat = sub >= 0; /* it may be called in a loop */
    m->may_return = sub >= 0 || unit == 0 || !u->returns || !u->calls;
    uint16_t list = FLOW_NONE, last = FLOW_NONE;
    while (m->left > 8)
        append(m, &list, &last, number_of(m, make_statement(m, 0)));
    if (sub < 0)
        u->body = list;
    else
        u->subs[sub] = list;
}

static void make_unit(maker *m, uint32_t unit, bool has_subs)
{
    flow_unit *u = &m->program->units[unit];

    u->returns = chance(m, 70);
    u->calls = unit == 0 ? m->program->num_units > 1 : chance(m, 50);
    u->num_subs = (uint8_t)(has_subs ? draw(m, FLOW_SUBS + 1) : 0);
    /* Calls name the first statement of what they call: that is made before them. */
    for (int32_t i = u->num_subs - 1; i >= 0; i--)
        make_body(m, unit, i, 16);
    make_body(m, unit, -1, unit == 0 ? 40 + draw(m, 30) : 18);
}

void flow_generate(flow_program *program, uint64_t seed, flow_style style)
{
    static const visage_platform platforms[] = {VISAGE_PLATFORM_PVC, VISAGE_PLATFORM_PVC,
                                                VISAGE_PLATFORM_DG2, VISAGE_PLATFORM_SKL};
    maker m = {.program = program, .state = seed, .style = style};

    memset(program, 0, sizeof *program);
    program->seed = seed;
    program->platform = platforms[draw(&m, 4)];
    program->channels = 8u << draw(&m, 3);
    program->active = chance(&m, 60) ? program->channels : 1 + draw(&m, program->channels);
    bool has_calls = chance(&m, 50);
    program->num_units = has_calls ? 1 + draw(&m, 3) : 1;
    make_unit(&m, 0, has_calls);
    for (uint32_t i = 1; i < program->num_units; i++) {
        maker fresh = {.program = program, .state = m.state + i, .style = style};
        make_unit(&fresh, i, chance(&fresh, 30));
    }
}
