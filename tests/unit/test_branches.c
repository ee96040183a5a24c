/* SPDX-License-Identifier: MIT
 *
 * Every branch, call and return in every execution size, mask and predication, with channels
 * that wait elsewhere or were never there. A small kernel for each: which channels come to the
 * marks behind a branch and at its target is what the pages GOTO, JMP, SWITCHJMP, CALL, RET,
 * FCALL, IFCALL, FRET say of one channel, and docs/spec-notes.md, Masks and control flow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "run_text.h"

enum { CHANNELS = RUN_CHANNELS, MASKS = 16, NO_MASK = 8, PREDICATIONS = 7 };
enum { MARKS = RUN_VARIABLES }; /* variables A, B, C */

typedef struct branch_case branch_case;

/* Where channels come to. */
typedef struct marks {
    uint32_t a, b, c;
} marks;

struct branch_case {
    const char
        *text; /* in which @ stands for the branch's predicate, # for its mask and size */
    marks (*expect)(const branch_case *c);
    uint32_t exec_size, mask, predication;
    uint32_t predicate; /* P1 */
    uint32_t dispatched, parked;
};

static const char *const prefixes[PREDICATIONS] = {
    "", "(P1)", "(!P1)", "(P1.any)", "(!P1.any)", "(P1.all)", "(!P1.all)"};

/* ---- the model --------------------------------------------------------------------------- */

static uint32_t first_bits(uint32_t count)
{
    return count >= CHANNELS ? UINT32_MAX : (1u << count) - 1;
}

static uint32_t offset_of(const branch_case *c)
{
    return c->mask % NO_MASK * 4;
}

/* Active channels before the branch. */
static uint32_t active(const branch_case *c)
{
    return c->dispatched & ~c->parked;
}

/* 5_operands, Predication, from the first channel of the mask on; any and all of one channel
 * combine the whole variable. */
static uint32_t chosen(const branch_case *c)
{
    uint32_t all = first_bits(c->exec_size);
    bool is_whole = c->exec_size == 1 && c->predication >= 3;
    uint32_t bits = is_whole ? c->predicate : c->predicate >> offset_of(c) & all;
    bool holds = c->predication < 5 ? bits != 0 : bits == (is_whole ? UINT32_MAX : all);

    if (c->predication == 0)
        return all;
    if (c->predication >= 3)
        bits = holds ? all : 0;
    return (c->predication % 2 ? bits : ~bits) & all;
}

/* The predicate of a scalar branch. */
static bool is_true(const branch_case *c)
{
    return chosen(c) & 1;
}

/* Channels that a branch concerns. */
static uint32_t range(const branch_case *c)
{
    return c->exec_size == 1 ? UINT32_MAX : first_bits(c->exec_size) << offset_of(c);
}

/* "active channels that are predicated" */
static uint32_t taken(const branch_case *c)
{
    if (c->exec_size == 1)
        return is_true(c) ? active(c) : 0;
    return chosen(c) << offset_of(c) & range(c) & active(c);
}

/* ---- branches ---------------------------------------------------------------------------- */

#define MARK(name) "    mov (M1, 32) " name "(0,0)<1> 0x1:ud\n"
#define OUT        "out:\n" MARK("C") "    ret (M1_NM, 1)\n"

/* Channels beside the mask go with the last that the mask names. */
static marks forward(const branch_case *c)
{
    bool none_left = taken(c) && (active(c) & range(c) & ~taken(c)) == 0;

    return (marks){none_left ? 0 : active(c) & ~taken(c), active(c), c->dispatched};
}

static const char forward_text[] =
    "    @ goto (#) target\n" MARK("A") "target:\n" MARK("B") OUT;

/* Those that are not predicated wait behind the branch. */
static marks backward(const branch_case *c)
{
    uint32_t left = active(c) & range(c) & ~taken(c);

    if (taken(c) == 0)
        return (marks){active(c), 0, c->dispatched};
    return (marks){left, active(c) & ~left, c->dispatched};
}

static const char backward_text[] =
    "    goto (M1, 1) start\ntarget:\n" MARK("B") "    goto (M1, 1) out\nstart:\n"
                                                  "    @ goto (#) target\n" MARK("A") OUT;

static marks jump(const branch_case *c)
{
    return (marks){is_true(c) ? 0 : active(c), active(c), c->dispatched};
}

static const char jump_text[] = "    @ jmp (#) target\n" MARK("A") "target:\n" MARK("B") OUT;

/* ---- calls and returns ------------------------------------------------------------------- */

/* A scalar call enters with all channels. */
static marks call(const branch_case *c)
{
    uint32_t entered = c->exec_size > 1 ? taken(c) : is_true(c) ? c->dispatched : 0;

    return (marks){active(c), entered, c->dispatched};
}

static const char call_text[] = "    @ call (#) sub\n" MARK("A") OUT
    ".function \"sub\"\nsub:\n" MARK("B") "    ret (M1_NM, 1)\n";

static marks ret_of_subroutine(const branch_case *c)
{
    return (marks){active(c), active(c) & ~taken(c), c->dispatched};
}

static const char ret_text[] = "    call (M1, 32) sub\n" MARK("A") OUT
    ".function \"sub\"\nsub:\n    @ ret (#)\n" MARK("B") "    ret (M1_NM, 1)\n";

/* Channels that return in the kernel's body end. */
static marks ret_of_kernel(const branch_case *c)
{
    return (marks){active(c) & ~taken(c), 0, c->dispatched & ~taken(c)};
}

static const char end_text[] = "    @ ret (#)\n" MARK("A") OUT;

/* What a function marks comes back in %retval, of two registers. */
#define RESULT                                                                                 \
    "    mov (M1_NM, 32) B(0,0)<1> R(0,0)<1;1,0>\n" MARK("A") OUT                              \
        ".global_function \"function\"\n"                                                      \
        ".decl R v_type=G type=ud num_elts=32 align=wordx32 alias=<%%retval, 0>\n"             \
        ".decl P1 v_type=P num_elts=32\n"                                                      \
        ".kernel_attr ArgSize=0\n.kernel_attr RetValSize=2\n.function "                        \
        "\"function_0\"\nfunction_0:\n"                                                        \
        "    mov (M1_NM, 32) R(0,0)<1> 0x0:ud\n"

static const char fcall_text[] =
    "    @ fcall (#) function 0 2\n" RESULT MARK("R") "    fret (M1_NM, 1)\n";

/* The address goes through a register of each type, direct and indirect. */
static const char ifcall_direct_text[] =
    "    faddr function Q(0,0)<1>\n    mov (M1_NM, 1) D(0,0)<1> Q(0,0)<0;1,0>\n"
    "    @ ifcall (#) D(0,0)<0;1,0> 0 2\n" RESULT MARK("R") "    fret (M1_NM, 1)\n";

static const char ifcall_indirect_text[] =
    "    addr_add (M1_NM, 1) A0(0)<1> &D 0x0:uw\n    faddr function r[A0(0),0]<1>:ud\n"
    "    @ ifcall (#) r[A0(0),0]<0;1,0>:ud 0 2\n" RESULT MARK("R") "    fret (M1_NM, 1)\n";

static const char ifcall_far_text[] =
    "    addr_add (M1_NM, 1) A0(0)<1> &Q 0x0:uw\n    faddr function r[A0(0),0]<1>:uq\n"
    "    faddr function D(0,0)<1>\n    cmp.eq (M1_NM, 1) P3 Q(0,0)<0;1,0> D(0,0)<0;1,0>\n"
    "    (!P3) mov (M1_NM, 1) D(0,0)<1> 0x0:ud\n"
    "    @ ifcall (#) D(0,0)<0;1,0> 0 2\n" RESULT MARK("R") "    fret (M1_NM, 1)\n";

static const char fret_text[] =
    "    fcall (M1, 32) function 0 2\n" RESULT
    "    setp (M1_NM, 32) P1 0x%x:ud\n    @ fret (#)\n" MARK("R") "    fret (M1_NM, 1)\n";

/* ---- running ----------------------------------------------------------------------------- */

/* The text with predicate and mask in the places for them. */
static void write_body(const branch_case *c, char *out, size_t size)
{
    char body[2000];
    size_t length = 0;

    (void)snprintf(body, sizeof body, "%s", c->text);
    for (const char *at = body; *at; at++) {
        if (*at == '@')
            length +=
                (size_t)snprintf(out + length, size - length, "%s", prefixes[c->predication]);
        else if (*at == '#')
            length += (size_t)snprintf(out + length, size - length, "M%u%s, %u",
                                       c->mask % NO_MASK + 1, c->mask >= NO_MASK ? "_NM" : "",
                                       c->exec_size);
        else if (strncmp(at, "0x%x", 4) == 0)
            length += (size_t)snprintf(out + length, size - length, "0x%x", c->predicate),
                at += 3;
        else if (*at != '%' || at[1] != '%')
            out[length++] = *at;
        assert_true(length + 1 < size);
    }
    out[length] = '\0';
}

static void write_kernel(const branch_case *c, char *out, size_t size)
{
    int length =
        snprintf(out, size,
                 ".version 4.1\n.kernel \"k\"\n"
                 ".decl A v_type=G type=ud num_elts=32 align=wordx32\n"
                 ".decl B v_type=G type=ud num_elts=32 align=wordx32\n"
                 ".decl C v_type=G type=ud num_elts=32 align=wordx32\n"
                 ".decl R v_type=G type=ud num_elts=32 align=wordx32 alias=<%%retval, 0>\n"
                 ".decl D v_type=G type=ud num_elts=1 align=dword\n"
                 ".decl Q v_type=G type=uq num_elts=1 align=qword\n"
                 ".decl A0 v_type=A num_elts=1\n"
                 ".decl P1 v_type=P num_elts=32\n.decl P2 v_type=P num_elts=32\n"
                 ".decl P3 v_type=P num_elts=1\n"
                 ".kernel_attr SimdSize=32\n.function \"main\"\nmain:\n"
                 "    mov (M1_NM, 32) R(0,0)<1> 0x0:ud\n"
                 "    setp (M1_NM, 32) P1 0x%x:ud\n    setp (M1_NM, 32) P2 0x%x:ud\n"
                 "    (P2) goto (M1, 32) out\n",
                 c->predicate, c->parked);

    assert_true(length > 0 && (size_t)length < size);
    write_body(c, out + length, size - (size_t)length);
}

static uint32_t mask_of(const uint32_t values[CHANNELS])
{
    uint32_t mask = 0;

    for (uint32_t n = 0; n < CHANNELS; n++)
        mask |= (uint32_t)(values[n] != 0) << n;
    return mask;
}

static void check(const branch_case *c)
{
    static char text[6000];
    uint32_t values[MARKS][CHANNELS] = {{0}};
    marks want = c->expect(c);

    write_kernel(c, text, sizeof text);
    run_text(text, c->dispatched, values);
    if (mask_of(values[0]) != want.a || mask_of(values[1]) != want.b ||
        mask_of(values[2]) != want.c)
        fail_msg("dispatched 0x%x: marks 0x%x 0x%x 0x%x, expected 0x%x 0x%x 0x%x\n%s",
                 c->dispatched, mask_of(values[0]), mask_of(values[1]), mask_of(values[2]),
                 want.a, want.b, want.c, text);
}

/* ---- the combinations -------------------------------------------------------------------- */

static uint32_t draw(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 32);
}

/* All or many channels; a predicate that often holds for all or none of the instruction's. */
static void draw_masks(branch_case *c, uint64_t *random)
{
    uint32_t own = first_bits(c->exec_size) << offset_of(c);

    c->dispatched = draw(random) % 2 ? UINT32_MAX : draw(random) | draw(random);
    c->parked = draw(random) % 2 ? 0 : draw(random) & draw(random);
    c->predicate = draw(random);
    if (draw(random) % 3 == 0)
        c->predicate |= own;
    else if (draw(random) % 3 == 0)
        c->predicate &= ~own;
    if (c->exec_size == 1 && c->predication >= 3 && draw(random) % 2)
        c->predicate = draw(random) % 2 ? UINT32_MAX : 0;
    if (active(c) == 0)
        c->parked = 0;
}

/* scalar: of execution size 1 only. */
static void every_form(const char *text, marks (*expect)(const branch_case *c), bool is_scalar)
{
    uint64_t random = strlen(text);
    branch_case c = {.text = text, .expect = expect};

    for (c.exec_size = 1; c.exec_size <= (is_scalar ? 1 : CHANNELS); c.exec_size *= 2)
        for (c.mask = 0; c.mask < MASKS; c.mask++)
            for (c.predication = 0; c.predication < PREDICATIONS; c.predication++) {
                if (offset_of(&c) % c.exec_size)
                    continue;
                draw_masks(&c, &random);
                check(&c);
            }
}

static void gotos(void **state)
{
    (void)state;
    every_form(forward_text, forward, false);
    every_form(backward_text, backward, false);
}

static void jumps(void **state)
{
    (void)state;
    every_form(jump_text, jump, true);
}

static void calls(void **state)
{
    (void)state;
    every_form(call_text, call, false);
    every_form(fcall_text, call, false);
    every_form(ifcall_direct_text, call, false);
    every_form(ifcall_indirect_text, call, false);
    every_form(ifcall_far_text, call, false);
}

static void returns(void **state)
{
    (void)state;
    every_form(ret_text, ret_of_subroutine, false);
    every_form(end_text, ret_of_kernel, false);
    every_form(fret_text, ret_of_subroutine, false);
}

/* The index comes in each kind of operand; all active channels go to its label. */
static void switches(void **state)
{
    enum { DISPATCHED = 0x70ff00ff };
    static const char *const operands[] = {"0x%x:ub", "I(0,0)<0;1,0>", "r[A0(0),0]<0;1,0>:ub"};
    char text[3000], index[40];
    uint32_t values[MARKS][CHANNELS];

    (void)state;
    for (uint32_t i = 0; i < 3 * MASKS * 3; i++) {
        uint32_t label = i % 3, mask = i / 3 % MASKS;
        (void)snprintf(index, sizeof index, operands[i / 3 / MASKS], label);
        (void)snprintf(
            text, sizeof text,
            ".version 4.1\n.kernel \"k\"\n"
            ".decl A v_type=G type=ud num_elts=32 align=wordx32\n"
            ".decl B v_type=G type=ud num_elts=32 align=wordx32\n"
            ".decl C v_type=G type=ud num_elts=32 align=wordx32\n"
            ".decl I v_type=G type=ub num_elts=1 align=dword\n.decl A0 v_type=A num_elts=1\n"
            ".kernel_attr SimdSize=32\n.function \"main\"\nmain:\n"
            "    mov (M1_NM, 1) I(0,0)<1> 0x%x:ub\n"
            "    addr_add (M1_NM, 1) A0(0)<1> &I 0x0:uw\n"
            "    switchjmp (M%u%s, 1) %s (first, second, third)\n"
            "first:\n" MARK("A") "    jmp (M1, 1) out\nsecond:\n" MARK(
                "B") "    jmp (M1, 1) out\nthird:\n" MARK("C") "out:\n    ret (M1_NM, 1)\n",
            label, mask % NO_MASK + 1, mask >= NO_MASK ? "_NM" : "", index);
        memset(values, 0, sizeof values);
        run_text(text, DISPATCHED, values);
        for (uint32_t k = 0; k < MARKS; k++)
            if (mask_of(values[k]) != (k == label ? DISPATCHED : 0))
                fail_msg("mark %u 0x%x\n%s", k, mask_of(values[k]), text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gotos),   cmocka_unit_test(jumps),    cmocka_unit_test(calls),
        cmocka_unit_test(returns), cmocka_unit_test(switches),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
