/* SPDX-License-Identifier: MIT
 *
 * Rules over very large texts: what waits where is found exactly in any of them, and judging
 * one takes time in proportion to its size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <time.h>

#include "text_support.h"
#include "verify/verify.h"

/* A text that grows. */
typedef struct writer {
    char *text;
    size_t size, capacity;
    unsigned lines;
} writer;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
add(writer *w, const char *format, ...)
{
    enum { MOST_LINE = 128 };
    va_list args;

    if (w->capacity - w->size < MOST_LINE) {
        w->capacity = w->capacity * 2 + 4096;
        w->text = realloc(w->text, w->capacity);
        assert_non_null(w->text);
    }
    va_start(args, format);
    int length = vsnprintf(w->text + w->size, MOST_LINE, format, args);
    va_end(args);
    assert_true(length > 0 && length < MOST_LINE);
    w->size += (size_t)length;
    w->lines++;
}

static void begin(writer *w)
{
    w->size = w->lines = 0;
    add(w, ".version 4.1\n");
    add(w, ".kernel \"k\"\n");
    add(w, ".decl P1 v_type=P num_elts=16\n");
    add(w, ".decl V32 v_type=G type=d num_elts=16 align=GRF\n");
}

static void add_work(writer *w)
{
    add(w, "    add (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0> 0x1:d\n");
}

/* ---- exactly ---------------------------------------------------------------------------- */

static visage_status judge(fixture *f, const writer *w)
{
    const vsg_ver_options options = {0};

    assert_int_equal(read_as(f, w->text, w->size, VISAGE_PLATFORM_NONE, NULL), VISAGE_OK);
    return vsg_ver_verify(f->module, &options, f->diagnostics);
}

/* The jumps of these lines, and no others, go over a place where channels wait. */
static void expect_jumps(fixture *f, const writer *w, const unsigned *lines, size_t count)
{
    visage_status status = judge(f, w);
    size_t found = 0;

    for (size_t i = 0; i < visage_diagnostics_count(f->diagnostics); i++) {
        const visage_diagnostic *d = visage_diagnostics_get(f->diagnostics, i);
        if (d->severity == VISAGE_SEVERITY_NOTE)
            continue;
        assert_string_equal(d->code, "V0409");
        assert_true(found < count);
        assert_int_equal(d->line, lines[found]);
        found++;
    }
    assert_int_equal(found, count);
    assert_int_equal(status, count ? VISAGE_INVALID : VISAGE_OK);
}

/* 20,000 ifs, one in the other. Out of the innermost, a jump goes over all places but the last,
 * one goes to the first place, and one goes from before all of them to behind. */
static void test_nested(void **state)
{
    enum { LEVELS = 20000 };
    writer w = {0};
    unsigned wrong;

    begin(&w);
    add(&w, "    (P1) jmp (M1_NM, 1) end\n");
    for (unsigned i = 0; i < LEVELS; i++) {
        add(&w, "    (P1) goto (M1, 16) L%u\n", i);
        add_work(&w);
    }
    add(&w, "    (P1) jmp (M1_NM, 1) L0\n");
    wrong = w.lines;
    add(&w, "    (P1) jmp (M1_NM, 1) L%u\n", LEVELS - 1);
    add_work(&w);
    for (unsigned i = LEVELS; i-- > 0;) {
        add(&w, "L%u:\n", i);
        add_work(&w);
    }
    add(&w, "end:\n");
    add(&w, "    ret (M1, 16)\n");
    expect_jumps(*state, &w, &wrong, 1);
    free(w.text);
}

/* 20,000 loops, one in the other; those that leave one wait behind it. */
static void test_nested_loops(void **state)
{
    enum { LEVELS = 20000 };
    writer w = {0};
    unsigned wrong;

    begin(&w);
    for (unsigned i = 0; i < LEVELS; i++) {
        add(&w, "L%u:\n", i);
        add_work(&w);
    }
    add(&w, "    (P1) jmp (M1_NM, 1) L0\n");
    add(&w, "    (P1) jmp (M1_NM, 1) end\n");
    wrong = w.lines;
    for (unsigned i = LEVELS; i-- > 0;)
        add(&w, "    (P1) goto (M1, 16) L%u\n", i);
    add_work(&w);
    add(&w, "    (P1) jmp (M1_NM, 1) end\n");
    add_work(&w);
    add(&w, "end:\n");
    add(&w, "    ret (M1, 16)\n");
    expect_jumps(*state, &w, &wrong, 1);
    free(w.text);
}

/* Loops that are entered at `middle` and end with a jump: their gotos alone leave them.
 * Channels wait at `all` while the loop and what follows it run. */
static void test_left_by_goto(void **state)
{
    enum { LOOPS = 5000 };
    writer w = {0};
    unsigned wrong[LOOPS];

    begin(&w);
    for (unsigned i = 0; i < LOOPS; i++) {
        add(&w, "    (P1) goto (M1, 16) all%u\n", i);
        add(&w, "    (P1) goto (M1, 16) middle%u\n", i);
        add(&w, "top%u:\n", i);
        add(&w, "    (P1) goto (M1, 16) out%u\n", i);
        add(&w, "middle%u:\n", i);
        add_work(&w);
        add(&w, "    jmp (M1_NM, 1) top%u\n", i);
        add(&w, "out%u:\n", i);
        add(&w, "    (P1) jmp (M1_NM, 1) past%u\n", i);
        wrong[i] = w.lines;
        add_work(&w);
        add(&w, "all%u:\n", i);
        add_work(&w);
        add(&w, "past%u:\n", i);
    }
    add(&w, "    ret (M1, 16)\n");
    expect_jumps(*state, &w, wrong, LOOPS);
    free(w.text);
}

/* A loop that is never left does not lead to what stands behind it. */
static void test_never_left(void **state)
{
    writer w = {0};

    begin(&w);
    add(&w, "    (P1) jmp (M1_NM, 1) other\n");
    add(&w, "    (P1) goto (M1, 16) all\n");
    add(&w, "forever:\n");
    add_work(&w);
    add(&w, "    jmp (M1_NM, 1) forever\n");
    add(&w, "other:\n");
    add(&w, "    (P1) jmp (M1_NM, 1) end\n");
    add_work(&w);
    add(&w, "all:\n");
    add_work(&w);
    add(&w, "end:\n");
    add(&w, "    ret (M1, 16)\n");
    expect_jumps(*state, &w, NULL, 0);
    free(w.text);
}

/* ---- in time ---------------------------------------------------------------------------- */

typedef void (*shape_fn)(writer *w, unsigned size);

static void write_ifs(writer *w, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        add(w, "    (P1) goto (M1, 16) L%u\n", i);
    add(w, "    (P1) jmp (M1_NM, 1) L%u\n", size - 1);
    add_work(w);
    for (unsigned i = size; i-- > 0;)
        add(w, "L%u:\n", i);
    add(w, "    ret (M1, 16)\n");
}

/* Each if is left early from where the loops cannot be. */
static void write_dead_ends(writer *w, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        add(w, "    (P1) goto (M1, 16) L%u\n", i);
    for (unsigned i = 0; i < 64; i++) {
        add(w, "forever%u:\n", i);
        add(w, "    (P1) jmp (M1_NM, 1) forever%u\n", i);
    }
    add(w, "    jmp (M1_NM, 1) forever0\n");
    for (unsigned i = size; i-- > 0;)
        add(w, "L%u:\n", i);
    add(w, "    ret (M1, 16)\n");
}

static void write_jumps(writer *w, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        add(w, "    (P1) jmp (M1_NM, 1) L%u\n", i);
    add(w, "    (P1) goto (M1, 16) L%u\n", size - 1);
    add_work(w);
    for (unsigned i = size; i-- > 0;)
        add(w, "L%u:\n", i);
    add(w, "    ret (M1, 16)\n");
}

static void write_subroutines(writer *w, unsigned size)
{
    add(w, "    call (M1, 16) s0\n");
    add(w, "    ret (M1, 16)\n");
    for (unsigned i = 0; i < size; i++) {
        add(w, ".function \"s%u\"\n", i);
        add(w, "s%u:\n", i);
        if (i + 1 < size)
            add(w, "    call (M1, 16) s%u\n", i + 1);
        add(w, "    ret (M1, 16)\n");
    }
}

static void write_aliases(writer *w, unsigned size)
{
    for (unsigned i = 33; i < size + 32; i++)
        add(w, ".decl V%u v_type=G type=d num_elts=16 alias=<V%u, 0>\n", i, i - 1);
    for (unsigned i = 33; i < size + 32; i++)
        add(w, "    add (M1, 16) V%u(0,0)<1> V%u(0,0)<1;1,0> 0x1:d\n", i, i - 1);
    add(w, "    ret (M1, 16)\n");
}

/* All wrong: each has a report with its line and the declaration's. */
static void write_errors(writer *w, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        add(w, "    add (M1, 16) V32(0,8)<1> V32(0,0)<1;1,0> 0x1:d\n");
    add(w, "    ret (M1, 16)\n");
}

static void write_functions(writer *w, unsigned size)
{
    add(w, "    ret (M1, 16)\n");
    for (unsigned i = 0; i < size; i++) {
        add(w, ".global_function \"f%u\"\n", i);
        add(w, ".kernel_attr ArgSize=1\n");
        add(w, ".kernel_attr RetValSize=0\n");
        add(w, "    fcall (M1_NM, 1) f%u 1 0\n", (i * 7 + 1) % size);
        add(w, "    fret (M1_NM, 1)\n");
    }
}

/* Calls of a function with many attributes. */
static void write_attributes(writer *w, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        add(w, "    fcall (M1_NM, 1) f 1 0\n");
    add(w, "    ret (M1, 16)\n");
    add(w, ".global_function \"f\"\n");
    for (unsigned i = 0; i < size; i++)
        add(w, ".kernel_attr A%u=1\n", i);
    add(w, ".kernel_attr ArgSize=1\n");
    add(w, ".kernel_attr RetValSize=0\n");
    add(w, "    fret (M1_NM, 1)\n");
}

/* Seconds of the processor, the least of some tries. */
static double measure(fixture *f, writer *w, shape_fn shape, unsigned size)
{
    double least = 0;

    begin(w);
    shape(w, size);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(read_as(f, w->text, w->size, VISAGE_PLATFORM_NONE, NULL), VISAGE_OK);
        const vsg_ver_options options = {0};
        clock_t start = clock();
        assert_int_not_equal(vsg_ver_verify(f->module, &options, f->diagnostics),
                             VISAGE_NO_MEMORY);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (i == 0 || seconds < least)
            least = seconds;
    }
    return least;
}

static void test_time(void **state)
{
    static const struct {
        const char *name;
        shape_fn shape;
    } shapes[] = {
        {"ifs", write_ifs},
        {"dead ends", write_dead_ends},
        {"jumps", write_jumps},
        {"subroutines", write_subroutines},
        {"aliases", write_aliases},
        {"errors", write_errors},
        {"functions", write_functions},
        {"attributes", write_attributes},
    };
    enum { SMALL = 4000, TIMES = 8 };
    writer w = {0};

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        double small = measure(*state, &w, shapes[i].shape, SMALL);
        double large = measure(*state, &w, shapes[i].shape, SMALL * TIMES);
        print_message("# %s: %.1f ms, %u times as large: %.1f ms\n", shapes[i].name,
                      small * 1e3, (unsigned)TIMES, large * 1e3);
        /* 64 times as long would be quadratic; a few ms are the processor's mood. */
        if (large > 0.02 && large > small * TIMES * 4)
            fail_msg("%s: %u times as large takes %.1f times as long", shapes[i].name,
                     (unsigned)TIMES, large / small);
    }
    free(w.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nested, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nested_loops, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_left_by_goto, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_never_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_time, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
