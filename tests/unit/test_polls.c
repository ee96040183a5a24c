/* SPDX-License-Identifier: MIT
 *
 * Which loops what is read from memory ends: those in which threads may wait for others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "exec/layout.h"
#include "run_text.h"

#define GET  "    lsc_load.ugm (M1, 16) V:d32 flat[A]:a64\n"
#define NEXT "    add (M1, 16) I(0,0)<1> I(0,0)<1;1,0> 0x1:ud\n"

typedef struct polls_case {
    const char *loop;
    vsg_exe_polling polling;
} polls_case;

static const polls_case cases[] = {
    /* as long as a number is there */
    {"again:\n" GET
     "    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:ud\n    (P1) goto (M1, 16) again\n",
     VSG_EXE_POLLS},
    /* the same by what an atomic gives, under another name, moved and joined with a count */
    {"again:\n    lsc_atomic_iinc.ugm (M1, 16) V:d32 flat[A]:a64 %null %null\n"
     "    mov (M1, 16) W(0,0)<1> N(0,0)<1;1,0>\n"
     "    cmp.lt (M1, 16) P1 W(0,0)<1;1,0> 0x7:ud\n" NEXT
     "    cmp.lt (M1, 16) P2 I(0,0)<1;1,0> 0x9:ud\n"
     "    and (M1, 16) P3 P1 P2\n    (P3) goto (M1, 16) again\n",
     VSG_EXE_MAY_POLL},
    /* by a jump out of it */
    {"again:\n" GET "    cmp.ne (M1, 16) P1 V(0,0)<1;1,0> 0x0:ud\n    (P1) goto (M1, 16) out\n"
     "    goto (M1, 16) again\n",
     VSG_EXE_POLLS},
    /* along a list; where a round stores; by what a subroutine does */
    {"again:\n" GET "    add (M1, 16) A(0,0)<1> A(0,0)<1;1,0> V(0,0)<1;1,0>\n"
     "    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:ud\n    (P1) goto (M1, 16) again\n",
     VSG_EXE_MAY_POLL},
    {"again:\n" GET "    lsc_store.ugm (M1, 16) flat[A]:a64 I:d32\n"
     "    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:ud\n    (P1) goto (M1, 16) again\n",
     VSG_EXE_MAY_POLL},
    {"again:\n    call (M1, 16) sub\n"
     "    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:ud\n    (P1) goto (M1, 16) again\n"
     "    goto (M1, 16) out\n",
     VSG_EXE_MAY_POLL},
    /* by a number of its own, or one from before it */
    {"again:\n" GET NEXT
     "    cmp.lt (M1, 16) P1 I(0,0)<1;1,0> 0x9:ud\n    (P1) goto (M1, 16) again\n",
     VSG_EXE_NO_POLLING},
    {GET "again:\n    lsc_store.ugm (M1, 16) flat[A]:a64 I:d32\n" NEXT
         "    cmp.lt (M1, 16) P1 I(0,0)<1;1,0> V(0,0)<1;1,0>\n    (P1) goto (M1, 16) again\n",
     VSG_EXE_NO_POLLING},
    /* a jump in it that does not leave it */
    {"again:\n" GET "    cmp.ne (M1, 16) P1 V(0,0)<1;1,0> 0x0:ud\n    (P1) goto (M1, 16) on\n"
     "    mov (M1, 16) W(0,0)<1> 0x1:ud\non:\n" NEXT
     "    cmp.lt (M1, 16) P2 I(0,0)<1;1,0> 0x9:ud\n    (P2) goto (M1, 16) again\n",
     VSG_EXE_NO_POLLING},
    /* a jump by which it is not counted; or which goes past the one that leaves it */
    {"again:\n" GET
     "    cmp.ne (M1, 16) P1 V(0,0)<1;1,0> 0x0:ud\n    (P1) goto (M1, 16) on\n" NEXT
     "on:\n    cmp.lt (M1, 16) P2 I(0,0)<1;1,0> 0x9:ud\n    (P2) goto (M1, 16) again\n",
     VSG_EXE_POLLS},
    {"again:\n" GET "    cmp.ne (M1, 16) P1 V(0,0)<1;1,0> 0x0:ud\n    (P1) goto (M1, 16) on\n"
     "    goto (M1, 16) out\non:\n    goto (M1, 16) again\n",
     VSG_EXE_POLLS},
    /* nothing is read but shared local memory, which is the group's own */
    {"again:\n    lsc_load.slm (M1, 16) V:d32 flat[I]:a32\n"
     "    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:ud\n    (P1) goto (M1, 16) again\n",
     VSG_EXE_POLLS_IN_GROUP},
    /* no loop */
    {GET "    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:ud\n    (P1) goto (M1, 16) out\n" NEXT,
     VSG_EXE_NO_POLLING},
};

/* The program whose kernel is the loop. */
static vsg_exe_program *make_loop(void *f, const char *loop)
{
    static char text[1 << 18];
    int length = snprintf(
        text, sizeof text,
        ".version 4.1\n.kernel \"k\"\n"
        ".decl A v_type=G type=uq num_elts=16 align=wordx32\n"
        ".decl I v_type=G type=ud num_elts=16 align=wordx32\n"
        ".decl V v_type=G type=ud num_elts=16 align=wordx32\n"
        ".decl N v_type=G type=ud num_elts=16 align=wordx32 alias=<V, 0>\n"
        ".decl W v_type=G type=ud num_elts=16 align=wordx32\n"
        ".decl P1 v_type=P num_elts=16\n.decl P2 v_type=P num_elts=16\n"
        ".decl P3 v_type=P num_elts=16\n"
        ".kernel_attr SimdSize=16\n.kernel_attr SLMSize=64\n.function \"main\"\nmain:\n"
        "%sout:\n    ret (M1, 1)\n"
        ".function \"sub\"\nsub:\n" GET "    ret (M1, 16)\n",
        loop);

    assert_true(length > 0 && (size_t)length < sizeof text);
    return make_program(f, text);
}

static void loops_that_memory_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *f = NULL;
        (void)set_up(&f);
        vsg_exe_program *program = make_loop(f, cases[i].loop);
        if (program->units[0].polling != cases[i].polling)
            fail_msg("not %d\n%s", (int)cases[i].polling, cases[i].loop);
        vsg_exe_program_free(&program);
        (void)tear_down(&f);
    }
}

/* A thread that stops at an instruction of such a loop waits, unless the loop is so long that
 * it does more than that. `more`: instructions before the loop, in it and behind it. */
static void check_marks(uint32_t more, bool are_marked)
{
    static char loop[1 << 17];
    size_t length = 0;
    void *f = NULL;

    for (uint32_t part = 0; part < 3; part++) {
        for (uint32_t i = 0; i < more; i++)
            length += (size_t)snprintf(loop + length, sizeof loop - length, NEXT);
        if (part == 0)
            length += (size_t)snprintf(loop + length, sizeof loop - length, "again:\n" GET);
        if (part == 1)
            length += (size_t)snprintf(loop + length, sizeof loop - length,
                                       "    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:ud\n"
                                       "    (P1) goto (M1, 16) again\n");
        assert_true(length < sizeof loop);
    }
    (void)set_up(&f);
    vsg_exe_program *program = make_loop(f, loop);
    const vsg_exe_unit *unit = &program->units[0];
    uint32_t jump = 0;
    while (unit->code[jump].op != VISAGE_OP_GOTO)
        jump++;
    for (uint32_t i = 0; i < unit->num_code; i++) {
        bool is_in = i >= unit->code[jump].target && i <= jump;
        assert_int_equal(unit->code[i].polls, is_in && are_marked);
    }
    vsg_exe_program_free(&program);
    (void)tear_down(&f);
}

static void short_loops_are_marked(void **state)
{
    (void)state;
    check_marks(1, true);
    check_marks(100, true);
    check_marks(600, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_that_memory_ends),
        cmocka_unit_test(short_loops_are_marked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
