/* SPDX-License-Identifier: MIT
 *
 * Two OpenCL programs that were compiled apart (tests/data/link), linked and run as one, in
 * either order: what each kernel writes must be what the sources say, worked out here. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../unit/run_support.h"

enum { ITEMS = 24, N = 2, FILES = 2 };

/* ---- the sources, in C ------------------------------------------------------------------ */

typedef struct memory {
    int32_t tables_counter; /* of tables.cl */
    int32_t counter, total; /* of counters.cl */
    int32_t zeros[100];
} memory;

static const int32_t primes[] = {2, 3, 5, 7, 11, 13};

static int32_t twice_more(const memory *m, int32_t n)
{
    return n + n + m->counter;
}

static void model_tables(memory *m, int32_t *out)
{
    static const int32_t table[] = {3, 1, 4, 1, 5, 9, 2, 6};
    static const char *const words[] = {"alpha", "beta"};

    for (int32_t i = 0; i < ITEMS; i++) {
        out[i] = table[(i + N) & 7] * 1000 + words[i & 1][i % 3];
        m->tables_counter += i;
    }
}

static void model_counters(memory *m, int32_t *out)
{
    static const int32_t table[] = {10, 20, 30, 40, 50};
    static const char *const words[] = {"delta", "eps", "zeta"};

    for (int32_t i = 0; i < ITEMS; i++)
        out[i] = table[(i + N) % 5] * 1000 + words[i % 3][i % 3];
    m->counter += ITEMS;
}

static void model_calls(memory *m, int32_t *out)
{
    for (int32_t i = 0; i < ITEMS; i++)
        out[i] = twice_more(m, i);
    m->total += 3 * ITEMS;
}

static void model_reads(memory *m, int32_t *out)
{
    (void)m;
    for (int32_t i = 0; i < ITEMS; i++)
        out[i] = primes[i % 6];
}

static void model_counters_end(memory *m, int32_t *out)
{
    out[0] = m->counter;
    out[1] = m->zeros[3];
    out[2] = m->total;
    out[3] = primes[m->zeros[5] % 6];
}

static void model_tables_end(memory *m, int32_t *out)
{
    out[0] = m->tables_counter;
}

/* ---- running ---------------------------------------------------------------------------- */

typedef struct step {
    const char *kernel;
    uint32_t items;
    bool has_n;
    void (*model)(memory *, int32_t *);
} step;

/* Each a launch of one program, whose memory the next ones find as it was left. The kernel
 * `counters` has items that add to `counter` while others read it: its zeros are not looked at
 * (counters_end reads two of them, which only say whether they are where they should be). */
static const step steps[] = {
    {"counters_end", 1, false, model_counters_end}, {"tables", ITEMS, true, model_tables},
    {"calls", ITEMS, false, model_calls},           {"counters", ITEMS, true, model_counters},
    {"calls", ITEMS, false, model_calls},           {"reads", ITEMS, false, model_reads},
    {"tables_end", 1, false, model_tables_end},
};

static visage_module *read_zebin(fixture *f, const char *file, visage_platform platform)
{
    char name[64];
    size_t size;
    visage_module *module;

    (void)snprintf(name, sizeof name, "link/%s.%s.zebin", file, visage_platform_name(platform));
    uint8_t *bytes = load(name, &size);
    expect_status(
        f,
        visage_module_read_memory(f->context, file, bytes, size, NULL, f->diagnostics, &module),
        VISAGE_OK);
    free(bytes);
    return module;
}

static void run_step(fixture *f, const step *s, memory *m)
{
    visage_range range = items(s->items, 1, 1, s->items < 8 ? s->items : 8, 1, 1);
    int32_t expected[ITEMS] = {0};
    const int32_t *got = make_buffer(f, 0, sizeof expected, 0);

    open_kernel(f, s->kernel);
    set_buffer(f, 0, 0);
    if (s->has_n)
        set_int(f, 1, N);
    expect_status(f, visage_launch_run(f->launch, &range, NULL, f->diagnostics, NULL),
                  VISAGE_OK);
    s->model(m, expected);
    for (size_t i = 0; i < ITEMS; i++)
        if (got[i] != expected[i])
            fail_msg("%s: element %zu is %d, not %d", s->kernel, i, got[i], expected[i]);
}

static void run_linked(fixture *f, visage_platform platform, bool swapped)
{
    visage_module *modules[FILES];
    memory m = {.tables_counter = 100, .counter = 7, .total = 1};

    modules[swapped] = read_zebin(f, "tables", platform);
    modules[!swapped] = read_zebin(f, "counters", platform);
    expect_status(f,
                  visage_link(f->context, (const visage_module *const *)modules, FILES, NULL,
                              f->diagnostics, &f->module),
                  VISAGE_OK);
    make_device(f, platform, 1);
    expect_status(f, visage_program_create(f->device, f->module, f->diagnostics, &f->program),
                  VISAGE_OK);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        run_step(f, &steps[i], &m);
    drop(f);
    for (size_t i = 0; i < FILES; i++)
        visage_module_destroy(&modules[i]);
}

static void skl(void **state)
{
    run_linked(*state, VISAGE_PLATFORM_SKL, false);
    run_linked(*state, VISAGE_PLATFORM_SKL, true);
}

static void dg2(void **state)
{
    run_linked(*state, VISAGE_PLATFORM_DG2, false);
    run_linked(*state, VISAGE_PLATFORM_DG2, true);
}

static void pvc(void **state)
{
    run_linked(*state, VISAGE_PLATFORM_PVC, false);
    run_linked(*state, VISAGE_PLATFORM_PVC, true);
}

/* What is not there is told with the place that needs it. */
static void alone(void **state)
{
    fixture *f = *state;
    visage_module *module = read_zebin(f, "tables", VISAGE_PLATFORM_PVC);

    expect_status(f,
                  visage_link(f->context, (const visage_module *const *)&module, 1, NULL,
                              f->diagnostics, &f->module),
                  VISAGE_UNRESOLVED);
    assert_int_equal(visage_diagnostics_count(f->diagnostics), 3);
    for (size_t i = 0; i < 3; i++) {
        static const char *const names[] = {"twice_more", "total", "primes"};
        const visage_diagnostic *d = visage_diagnostics_get(f->diagnostics, i);
        assert_string_equal(d->code, "L0012");
        assert_non_null(strstr(d->message, names[i]));
        assert_true(d->line > 0);
    }
    visage_module_destroy(&module);
}

/* The n-th allocation fails, for each n: nothing is lost and nothing crashes. */
static void memory_runs_out(void **state)
{
    fixture *f = *state;
    visage_module *modules[FILES] = {read_zebin(f, "tables", VISAGE_PLATFORM_SKL),
                                     read_zebin(f, "counters", VISAGE_PLATFORM_SKL)};
    size_t before = atomic_load(&f->counts.live_bytes);
    visage_status status = VISAGE_NO_MEMORY;

    for (size_t n = 1; status == VISAGE_NO_MEMORY; n++) {
        atomic_store(&f->counts.calls, 0);
        f->counts.fail = n;
        status = visage_link(f->context, (const visage_module *const *)modules, FILES, NULL,
                             NULL, &f->module);
        f->counts.fail = 0;
        assert_true(status == VISAGE_NO_MEMORY || (status == VISAGE_OK && n > 20));
        assert_true((status == VISAGE_OK) == (f->module != NULL));
        if (!f->module)
            assert_int_equal(atomic_load(&f->counts.live_bytes), before);
    }
    visage_module_destroy(&f->module);
    for (size_t i = 0; i < FILES; i++)
        visage_module_destroy(&modules[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(skl, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dg2, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pvc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_runs_out, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
