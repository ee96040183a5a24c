/* SPDX-License-Identifier: MIT
 *
 * Texts made to cost much: memory and work must stay linear in the text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "hostile.h"

#define GOOD(name_, head_, each_, tail_)                                                       \
    {                                                                                          \
        .name = name_, .head = head_, .each = each_, .tail = tail_, .status = VISAGE_OK        \
    }
#define BAD(name_, head_, each_, tail_)                                                        \
    {                                                                                          \
        .name = name_, .head = head_, .each = each_, .tail = tail_, .status = VISAGE_SYNTAX    \
    }

#define KERNEL ".version 4.1\n.kernel \"k\"\n"
#define DWORD  " v_type=G type=ud num_elts=1"
#define X      KERNEL ".decl x v_type=G type=ud num_elts=64 align=GRF\n"
#define MOV    "mov (M1, 1) x(0,0)<1> "
#define RET    "ret (M1, 1)\n"
/* Repeated often enough, what the documents bound by a small number reaches any size. */
#define FILLER "/* ------------------------------------------------------------------------ */"
#define THOUSAND                                                                               \
    FILLER FILLER FILLER FILLER FILLER FILLER FILLER FILLER FILLER FILLER FILLER FILLER FILLER
#define LONG "a_name_that_is_as_long_as_the_documents_allow_it_"

static const hostile_case names[] = {
    GOOD("labels", KERNEL, LONG "@:\n", RET),
    GOOD("labels with jumps", KERNEL, "L@:\njmp (M1, 1) L@\n", RET),
    BAD("labels that are missing", KERNEL, "jmp (M1, 1) L@\n", RET),
    BAD("one label again and again", KERNEL, "L:\n", RET),
    GOOD("variables", KERNEL, ".decl x@" DWORD "\n", RET),
    GOOD("variables with long names", KERNEL, ".decl " LONG "@" DWORD "\n", RET),
    GOOD("a chain of aliases", X ".decl x0" DWORD " alias=<x, 0>\n",
         ".decl x@" DWORD " alias=<x$, 0>\n", RET),
    BAD("one variable again and again", KERNEL, ".decl x" DWORD "\n", RET),
    BAD("a long name", KERNEL ".decl ", "x", DWORD "\n" RET),
    GOOD("predicates", KERNEL, ".decl P@ v_type=P num_elts=1" FILLER FILLER "\n", RET),
    GOOD("a scope after the other", KERNEL, "{\n.decl x" DWORD "\n}\n", RET),
    BAD("scopes in scopes", KERNEL, "{\n", RET),
    BAD("scopes in scopes with a name", KERNEL, "{\n.decl x" DWORD "\n", RET),
    GOOD("functions", KERNEL RET, ".function \"f@\"\nf@:\n" RET, ""),
    BAD("one function again and again", KERNEL RET, ".function \"f\"\nf:\n" RET, ""),
    GOOD("kernels", "", KERNEL THOUSAND RET, ""),
    BAD("too many kernels", "", ".kernel \"k\"\n", ""),
    GOOD("declared functions", KERNEL, ".funcdecl \"f@\"\n", RET),
    GOOD("calls of functions", KERNEL, "fcall (M1, 1) f@ 0 0\n", RET),
};

static const hostile_case lists[] = {
    GOOD("attributes", KERNEL, ".kernel_attr A@=1\n", RET),
    BAD("attributes of a variable", KERNEL ".decl x" DWORD " attrs={", "A@=1,", "B}\n" RET),
    {.name = "inputs",
     .head = KERNEL ".decl x" DWORD "\n",
     .each = ".input x offset=32 size=4\n",
     .tail = RET,
     .status = VISAGE_OK,
     .large_bytes = 100 << 10}, /* near the 4096 that there may be */
    GOOD("instructions", X, MOV "x(0,0)<0;1,0>\n", RET),
    GOOD("line numbers", KERNEL, "LOC @\n", RET),
    GOOD("file names", KERNEL, "FILE \"a@\"\n", RET),
    BAD("cases of a jump", KERNEL "L:\nswitchjmp (M1, 1) 0:ud (", "L, ", "L)\n" RET),
    BAD("a long string", KERNEL ".kernel_attr A=\"", "\\n", "\"\n" RET),
    BAD("a long name of a unit", ".version 4.1\n.kernel \"", "kernel", "\"\n" RET),
};

static const hostile_case expressions[] = {
    BAD("parentheses", X MOV, "(", "\n" RET),
    BAD("parentheses that close", X MOV "1", ")", "\n" RET),
    BAD("signs", X MOV, "-", "1:ud\n" RET),
    BAD("complements", X MOV "(", "~", "1):ud\n" RET),
    GOOD("a sum", X MOV "(", "1+", "1):ud\n" RET),
    GOOD("operators of all levels", X MOV "(", "1&1^0|1==1<8<<0+1*", "1):ud\n" RET),
    BAD("a product", X MOV "(", "9*", "1):ud\n" RET),
    BAD("digits", X MOV, "1", ":ud\n" RET),
    GOOD("zeros", X MOV, "0", ":ud\n" RET),
    BAD("digits of a fraction", X MOV "1.", "1", ":q\n" RET),
};

static const hostile_case letters[] = {
    GOOD("blanks", KERNEL RET, " ", ""),
    GOOD("tabs", KERNEL RET, "\t", ""),
    GOOD("lines", KERNEL RET, "\n", ""),
    GOOD("returns", KERNEL RET, "\r", ""),
    GOOD("comments", KERNEL RET, "/* */", ""),
    GOOD("lines of comment", KERNEL RET, "// x\n", ""),
    GOOD("versions", KERNEL RET, ".version 4.1\n", ""),
    BAD("a comment without end", KERNEL RET, "/* ", ""),
    BAD("quotes", KERNEL, "\"", ""),
    BAD("strings without end", KERNEL, "\"a\n", ""),
    BAD("dots", KERNEL, ".", ""),
    BAD("directives without a name", KERNEL, ".\n", ""),
    BAD("bytes that are no text", KERNEL, "\200", ""),
    BAD("wrong lines", KERNEL, "what is this\n", ""),
    BAD("a wrong line", KERNEL, "what is this ", ""),
    BAD("half declarations", KERNEL, ".decl ", ""),
    BAD("closing braces", KERNEL, "}\n", ""),
};

#define CHECK(table)                                                                           \
    static void test_##table(void **state)                                                     \
    {                                                                                          \
        (void)state;                                                                           \
        hostile_check(table, sizeof table / sizeof *table, false);                             \
    }

CHECK(names)
CHECK(lists)
CHECK(expressions)
CHECK(letters)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
