/* SPDX-License-Identifier: MIT
 *
 * Statements: instructions, and control flow around them. What must hold: jumps of all channels
 * only where all are together, since they may go over no place where channels wait; every way
 * back has a counter of its own. */
#include "smith.h"

enum { DEEPEST = 4 };

static uint32_t new_label(smith_program *p)
{
    return p->labels++;
}

static void put_label(smith_program *p, uint32_t label)
{
    smith_put(&p->text, "L%u:\n", label);
}

/* A body, which costs at least one instruction. */
static void put_body_of(smith_program *p, bool together, bool everywhere)
{
    bool were_together = p->together, were_everywhere = p->everywhere;

    p->together = p->together && together;
    p->everywhere = p->everywhere && everywhere;
    p->depth++;
    smith_put_statements(p, 1 + smith_draw(p, 6));
    p->depth--;
    p->together = were_together;
    p->everywhere = were_everywhere;
}

static void put_body(smith_program *p, bool together)
{
    put_body_of(p, together, false);
}

static smith_exec all_channels(const smith_program *p)
{
    return (smith_exec){.size = p->simd};
}

static void put_condition(smith_program *p, uint32_t percent, char text[32])
{
    smith_predicate(p, all_channels(p), percent, text);
}

static void put_goto(smith_program *p, const char *predicate, uint32_t label)
{
    smith_put(&p->text, "    %sgoto (M1, %u) L%u\n", predicate, p->simd, label);
}

/* ---- conditions ------------------------------------------------------------------------- */

static void put_if(smith_program *p)
{
    uint32_t otherwise = new_label(p), end = new_label(p);
    bool has_else = smith_chance(p, 50);
    char predicate[32];

    put_condition(p, 100, predicate);
    put_goto(p, predicate, has_else ? otherwise : end);
    put_body(p, false);
    if (has_else) {
        /* as compilers end it: one channel's goto takes all */
        smith_put(&p->text, "    goto (M1, %u) L%u\n", smith_chance(p, 50) ? 1 : p->simd, end);
        put_label(p, otherwise);
        put_body(p, false);
    }
    put_label(p, end);
}

/* A goto of some of the channels. */
static void put_partial_if(smith_program *p)
{
    smith_exec exec = {.size = p->simd / 2};
    uint32_t end = new_label(p);
    char predicate[32], mask[32];

    exec.offset = smith_draw(p, 2) * exec.size;
    smith_predicate(p, exec, 100, predicate);
    smith_put(&p->text, "    %sgoto %s L%u\n", predicate, smith_exec_text(exec, mask), end);
    put_body(p, false);
    put_label(p, end);
}

static void put_uniform_if(smith_program *p)
{
    uint32_t otherwise = new_label(p), end = new_label(p);
    const char *jump = smith_chance(p, 50) ? "jmp" : "goto";
    char predicate[32];

    smith_predicate(p, (smith_exec){1, 0, true}, 100, predicate);
    smith_put(&p->text, "    %s%s (M1, 1) L%u\n", predicate, jump, otherwise);
    put_body(p, true);
    smith_put(&p->text, "    %s (M1, 1) L%u\n", jump, end);
    put_label(p, otherwise);
    put_body(p, true);
    put_label(p, end);
}

static void put_switch(smith_program *p)
{
    uint32_t cases = smith_chance(p, 50) ? 2 : 4;
    uint32_t labels[4], end = new_label(p);

    smith_put(&p->text, "    and (M1_NM, 1) SW(0,0)<1> X5(0,%u)<0;1,0> 0x%x:ub\n",
              smith_draw(p, 16), cases - 1);
    smith_put(&p->text, "    switchjmp (M1, 1) SW(0,0)<0;1,0> (");
    for (uint32_t i = 0; i < cases; i++) {
        labels[i] = new_label(p);
        smith_put(&p->text, "%sL%u", i ? ", " : "", labels[i]);
    }
    smith_put(&p->text, ")\n");
    for (uint32_t i = 0; i < cases; i++) {
        put_label(p, labels[i]);
        put_body(p, true);
        if (smith_chance(p, 70) && i + 1 < cases)
            smith_put(&p->text, "    jmp (M1, 1) L%u\n", end);
    }
    put_label(p, end);
}

/* ---- loops ------------------------------------------------------------------------------ */

static void declare_counter(smith_program *p, uint32_t counter)
{
    smith_put(&p->declarations, ".decl C%u v_type=G type=d num_elts=32 align=GRF\n", counter);
}

/* Counts, and sets P7 for the channels that go round once more. */
static void put_count(smith_program *p, uint32_t counter, uint32_t most)
{
    char other[32];

    smith_put(&p->text, "    add (M1, %u) C%u(0,0)<1> C%u(0,0)<1;1,0> 0x1:d\n", p->simd,
              counter, counter);
    if (smith_chance(p, 50)) {
        smith_put(&p->text, "    and (M1, %u) OFF(0,0)<1> X1(0,%u)<1;1,0> 0x%x:ud\n", p->simd,
                  0u, most);
        (void)smith_element(p, smith_find(p, "OFF"), 0, other);
        smith_put(&p->text, "    cmp.le (M1, %u) P7 C%u(0,0)<1;1,0> %s<1;1,0>\n", p->simd,
                  counter, other);
    } else {
        smith_put(&p->text, "    cmp.lt (M1, %u) P7 C%u(0,0)<1;1,0> 0x%x:d\n", p->simd, counter,
                  most);
    }
}

static void put_loop(smith_program *p)
{
    uint32_t counter = p->loops++, top = new_label(p), end = new_label(p);

    declare_counter(p, counter);
    smith_put(&p->text, "    mov (M1, %u) C%u(0,0)<1> 0x0:d\n", p->simd, counter);
    put_label(p, top);
    p->around[p->num_around++] = end;
    put_body(p, false);
    p->num_around--;
    put_count(p, counter, smith_chance(p, 50) ? 3 : 1);
    smith_put(&p->text, "    (P7) goto (M1, %u) L%u\n", p->simd, top);
    put_label(p, end);
}

static void put_break(smith_program *p)
{
    char predicate[32];

    put_condition(p, 95, predicate);
    put_goto(p, predicate, p->around[smith_draw(p, p->num_around)]);
}

static void put_uniform_loop(smith_program *p)
{
    uint32_t counter = p->uniform_loops++, top = new_label(p);
    const char *jump = smith_chance(p, 50) ? "jmp" : "goto";

    smith_put(&p->declarations, ".decl U%u v_type=G type=ud num_elts=1\n", counter);
    smith_put(&p->text, "    mov (M1_NM, 1) U%u(0,0)<1> 0x0:ud\n", counter);
    put_label(p, top);
    put_body_of(p, true, true);
    smith_put(&p->text,
              "    add (M1_NM, 1) U%u(0,0)<1> U%u(0,0)<0;1,0> 0x1:ud\n"
              "    cmp.lt (M1_NM, 1) P7 U%u(0,0)<0;1,0> 0x%x:ud\n"
              "    (P7) %s (M1, 1) L%u\n",
              counter, counter, counter, 1 + smith_draw(p, 4), jump, top);
}

/* Ends only with the budget. */
void smith_put_endless(smith_program *p)
{
    uint32_t top = new_label(p);
    char predicate[32];

    put_label(p, top);
    put_body(p, false);
    put_condition(p, 30, predicate);
    if (smith_chance(p, 50))
        smith_put(&p->text, "    goto (M1, 1) L%u\n", top);
    else
        smith_put(&p->text, "    %sgoto (M1, %u) L%u\n", predicate, p->simd, top);
}

/* Places, and gotos between them. */
static void put_tangle(smith_program *p)
{
    uint32_t places[4], count = 2 + smith_draw(p, 3);

    for (uint32_t i = 0; i < count; i++)
        places[i] = new_label(p);
    for (uint32_t i = 0; i < count; i++) {
        char predicate[32];
        put_condition(p, 90, predicate);
        put_goto(p, predicate, places[i + smith_draw(p, count - i)]);
        put_body(p, false);
        put_label(p, places[i]);
        put_body(p, false);
        if (p->loops < SMITH_LOOPS && smith_chance(p, 60)) {
            uint32_t counter = p->loops++;
            declare_counter(p, counter);
            put_count(p, counter, 3);
            smith_put(&p->text, "    (P7) goto (M1, %u) L%u\n", p->simd,
                      places[smith_draw(p, i + 1)]);
        }
    }
}

/* ---- calls ------------------------------------------------------------------------------ */

static void put_call(smith_program *p)
{
    uint32_t first = p->in_subroutine ? p->subroutine + 1 : 0;
    uint32_t number = first + smith_draw(p, SMITH_SUBROUTINES - first);
    char predicate[32];

    p->called |= 1u << number;
    if (smith_chance(p, 10)) {
        smith_put(&p->text, "    call (M1_NM, 1) sub%u_%u\n", p->unit, number);
        return;
    }
    put_condition(p, 50, predicate);
    smith_put(&p->text, "    %scall (M1, %u) sub%u_%u\n", predicate, p->simd, p->unit, number);
}

/* Do all threads come here, and call what is called here? */
static bool may_meet(const smith_program *p)
{
    return p->everywhere && !p->has_returned;
}

/* A function that may be called here; 0: none. Functions call those behind them as they like,
 * and themselves or those before them until the depth they were given is used up. */
static uint32_t pick_function(smith_program *p)
{
    bool is_backward = p->unit > 0 && p->backward < 2 && smith_chance(p, 25);
    uint32_t number = is_backward ? 1 + smith_draw(p, p->unit)
                      : p->unit < SMITH_FUNCTIONS
                          ? p->unit + 1 + smith_draw(p, SMITH_FUNCTIONS - p->unit)
                          : 0;

    if (p->meets >> number & 1u && !may_meet(p))
        return 0;
    p->backward += is_backward;
    return number;
}

static void put_depth(smith_program *p, bool is_backward)
{
    if (p->unit == 0)
        smith_put(&p->text, "    mov (M1_NM, 1) ARGN(0,0)<1> 0x%x:ud\n", smith_draw(p, 4));
    else
        smith_put(&p->text, "    add (M1_NM, 1) ARGN(0,0)<1> DEPTH(0,0)<0;1,0> %s\n",
                  is_backward ? "-0x1:d" : "0x0:d");
    if (is_backward)
        smith_put(&p->text, "    cmp.gt (M1_NM, %u) P7 DEPTH(0,0)<0;1,0> 0x0:ud\n", p->simd);
}

/* Channels that are called: all that are on, some of them; all of the dispatch. */
static smith_exec pick_called(smith_program *p, bool meets)
{
    smith_exec exec = all_channels(p);

    if (meets || smith_chance(p, 75))
        return exec;
    if (smith_chance(p, 50))
        return (smith_exec){1, 0, true};
    exec.size /= 2;
    exec.offset = smith_draw(p, 2) * exec.size;
    return exec;
}

static void put_fcall(smith_program *p)
{
    uint32_t arguments = SMITH_ARGUMENT_BYTES / p->grf, results = SMITH_RESULT_BYTES / p->grf;
    uint32_t number = pick_function(p);
    bool is_backward = number <= p->unit, meets = p->meets >> number & 1u;
    smith_exec all = all_channels(p);
    smith_operand integer, number_operand;
    char predicate[32], mask[32], called[32];

    if (number == 0)
        return;
    if (number > p->num_functions)
        p->num_functions = number;
    (void)smith_exec_text(all, mask);
    (void)smith_exec_text(pick_called(p, meets), called);
    if (smith_source(p, all, VISAGE_TYPE_D, 0, &integer))
        smith_put(&p->text, "    mov %s ARGD(0,0)<1> %s\n", mask, integer.text);
    if (smith_source(p, all, VISAGE_TYPE_F, 0, &number_operand))
        smith_put(&p->text, "    mov %s ARGF(0,0)<1> %s\n", mask, number_operand.text);
    put_depth(p, is_backward);
    put_condition(p, meets ? 0 : 50, predicate);
    const char *when = is_backward ? "(P7) " : predicate;
    if (smith_chance(p, 40)) {
        smith_put(&p->text, "    faddr f%u FQ(0,0)<1>\n", number);
        smith_put(&p->text, "    %sifcall %s FL(0,0)<0;1,0> %u %u\n", when, called, arguments,
                  results);
    } else {
        smith_put(&p->text, "    %sfcall %s f%u %u %u\n", when, called, number, arguments,
                  results);
    }
    smith_put(&p->text, "    xor %s R0(0,0)<1> X0(0,0)<1;1,0> RETD(0,0)<1;1,0>\n", mask);
}

static void put_return(smith_program *p)
{
    bool is_function = p->unit > 0 && !p->in_subroutine;
    char predicate[32];

    put_condition(p, 100, predicate);
    smith_put(&p->text, "    %s%s (M1, %u)\n", predicate, is_function ? "fret" : "ret",
              p->simd);
    p->has_returned = true;
}

/* ---- statements ------------------------------------------------------------------------- */

static void put_simple(smith_program *p)
{
    if (smith_chance(p, p->mode_percent)) {
        smith_put_mode(p);
        return;
    }
    switch (smith_draw(p, 20)) {
    case 0:
        smith_put_predicate_operation(p);
        return;
    case 1:
        if (smith_chance(p, 60))
            smith_put_view(p);
        else
            smith_put_dpas(p);
        return;
    default:
        if (smith_chance(p, p->message_percent))
            smith_put_message(p);
        else
            smith_put_operation(p);
    }
}

static void put_flow(smith_program *p)
{
    bool room = p->loops + 4 < SMITH_LOOPS && p->uniform_loops + 1 < SMITH_LOOPS;

    switch (smith_draw(p, 16)) {
    case 0:
    case 1:
    case 2:
        put_if(p);
        return;
    case 3:
        put_partial_if(p);
        return;
    case 4:
    case 5:
        if (p->together)
            put_uniform_if(p);
        else
            put_if(p);
        return;
    case 6:
        if (p->together)
            put_switch(p);
        return;
    case 7:
    case 8:
        if (room && p->num_around < 6)
            put_loop(p);
        return;
    case 9:
        if (room && p->together)
            put_uniform_loop(p);
        return;
    case 10:
        if (room)
            put_tangle(p);
        return;
    case 11:
    case 12:
        if (p->num_around > 0)
            put_break(p);
        return;
    case 13:
        if (p->calls && (!p->in_subroutine || p->subroutine + 1 < SMITH_SUBROUTINES))
            put_call(p);
        return;
    case 14:
        if (p->calls)
            put_fcall(p);
        return;
    default:
        if (p->meets >> p->unit & 1u ? p->in_subroutine
                                     : p->unit > 0 || p->in_subroutine || smith_chance(p, 20))
            put_return(p);
    }
}

void smith_put_statements(smith_program *p, uint32_t most)
{
    for (uint32_t i = 0; i < most && p->left > 0; i++) {
        p->left--;
        uint32_t often = p->unit > 0 ? 15 : 2;
        if (p->unit == 0 && p->has_slm && may_meet(p) && smith_chance(p, 8))
            smith_put_exchange(p);
        else if (may_meet(p) && smith_chance(p, often))
            smith_put(&p->text, "    barrier\n");
        else if (smith_chance(p, p->call_percent))
            put_fcall(p);
        else if (p->depth < DEEPEST && p->flow_percent && smith_chance(p, p->flow_percent))
            put_flow(p);
        else
            put_simple(p);
    }
}
