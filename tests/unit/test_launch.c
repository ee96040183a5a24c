/* SPDX-License-Identifier: MIT
 *
 * Launches: ranges, arguments, groups on several workers, and every way in which a run ends. */
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#include "run_support.h"

static visage_status run_with(fixture *f, visage_range range, visage_run_options options)
{
    options.struct_size = sizeof options;
    return visage_launch_run(f->launch, &range, &options, f->diagnostics, NULL);
}

static void open_buffer_kernel(fixture *f, const char *name, size_t size)
{
    open_kernel(f, name);
    (void)make_buffer(f, 0, size, 0);
    set_buffer(f, 0, 0);
}

/* ---- ranges ----------------------------------------------------------------------------- */

typedef struct range_case {
    uint32_t global[3], local[3], groups[3];
    const char *code, *message;
} range_case;

static void ranges_are_checked(void **state)
{
    static const range_case cases[] = {
        {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, "A0017", "no global size is given"},
        {{0, 8, 0}, {0, 0, 0}, {0, 0, 0}, "A0009", "global size is zero in dimension x"},
        {{64, 0, 0}, {0, 8, 0}, {0, 0, 0}, "A0009", "local size is zero in dimension x"},
        {{64, 0, 0},
         {48, 0, 0},
         {0, 0, 0},
         "A0006",
         "local size 48 does not divide global size 64 in dimension x"},
        {{64, 6, 1},
         {8, 4, 1},
         {0, 0, 0},
         "A0006",
         "local size 4 does not divide global size 6 in dimension y"},
        {{64, 64, 64},
         {8, 8, 8},
         {0, 0, 0},
         "A0007",
         "work-group of 512 work-items, the device allows 256"},
        {{UINT32_MAX, UINT32_MAX, UINT32_MAX},
         {UINT32_MAX, UINT32_MAX, UINT32_MAX},
         {0, 0, 0},
         "A0007",
         "the device allows 256"},
        {{UINT32_MAX, UINT32_MAX, UINT32_MAX},
         {1, 1, 1},
         {0, 0, 0},
         "A0011",
         "number of groups"},
        {{64, 0, 0}, {0, 0, 0}, {2, 0, 0}, "A0012", "not both"},
        {{0, 0, 0}, {0, 0, 0}, {2, 0, 0}, "A0012", "takes a global size in work-items"},
    };
    fixture *f = *state;

    open_zebin(f, VISAGE_PLATFORM_SKL, 1);
    open_buffer_kernel(f, "where", 1 << 20);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        visage_range range = {.struct_size = sizeof range};
        memcpy(range.global, cases[i].global, sizeof range.global);
        memcpy(range.local, cases[i].local, sizeof range.local);
        memcpy(range.groups, cases[i].groups, sizeof range.groups);
        expect_status(f, run(f, range, NULL), VISAGE_INVALID);
        expect_diagnostic(f, cases[i].code, cases[i].message);
    }
}

/* visage.h, visage_range: how the local size is chosen. */
static void local_sizes_are_chosen(void **state)
{
    static const uint32_t cases[][6] = {
        {1024, 0, 0, 256, 1, 1}, {96, 0, 0, 96, 1, 1},
        {480, 0, 0, 160, 1, 1}, /* 240 divides too, but does not fill its threads of 32 */
        {1000, 0, 0, 250, 1, 1}, {7, 300, 0, 7, 30, 1},
        {6, 10, 3, 6, 10, 3},    {1, 1, 64, 1, 1, 64},
        {257, 0, 0, 1, 1, 1},
    };
    fixture *f = *state;
    visage_run_stats stats;

    open_zebin(f, VISAGE_PLATFORM_SKL, 1);
    open_buffer_kernel(f, "where", 1 << 20);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t *c = cases[i];
        expect_status(f, run(f, items(c[0], c[1], c[2], 0, 0, 0), &stats), VISAGE_OK);
        for (size_t d = 0; d < 3; d++)
            assert_int_equal(stats.local[d], c[3 + d]);
    }
}

static void required_size_is_kept(void **state)
{
    fixture *f = *state;
    visage_run_stats stats;
    visage_kernel_info info;

    open_zebin(f, VISAGE_PLATFORM_DG2, 1);
    open_buffer_kernel(f, "fixed", 4096);
    assert_int_equal(
        visage_module_get_kernel(f->module, visage_launch_kernel(f->launch), &info), VISAGE_OK);
    assert_int_equal(info.required_local[0], 8);
    assert_int_equal(info.required_local[1], 2);
    assert_int_equal(info.required_local[2], 1);
    expect_status(f, run(f, items(32, 4, 0, 0, 0, 0), &stats), VISAGE_OK);
    assert_int_equal(stats.local[0], 8);
    assert_int_equal(stats.local[1], 2);
    assert_int_equal(*(int32_t *)visage_buffer_data(f->buffers[0]), 82);
    expect_status(f, run(f, items(32, 4, 0, 16, 1, 1), NULL), VISAGE_INVALID);
    expect_diagnostic(f, "A0008", "requires local size 8,2,1, given 16,1,1");
    expect_status(f, run(f, items(20, 4, 0, 0, 0, 0), NULL), VISAGE_INVALID);
    expect_diagnostic(f, "A0006", "local size 8 does not divide global size 20");
}

static void local_memory_is_limited(void **state)
{
    fixture *f = *state;

    open_zebin(f, VISAGE_PLATFORM_SKL, 1);
    open_buffer_kernel(f, "locals", 4096);
    for (size_t i = 1; i < 4; i++)
        expect_status(f, visage_launch_set_local(f->launch, i, 32, f->diagnostics), VISAGE_OK);
    /* 32 bytes of its own, 65408 and two of 32. */
    expect_status(f, visage_launch_set_local(f->launch, 2, 65440, f->diagnostics), VISAGE_OK);
    expect_status(f, run(f, items(1, 0, 0, 0, 0, 0), NULL), VISAGE_OK);
    expect_status(f, visage_launch_set_local(f->launch, 2, 65441, f->diagnostics), VISAGE_OK);
    expect_status(f, run(f, items(1, 0, 0, 0, 0, 0), NULL), VISAGE_INVALID);
    expect_diagnostic(f, "A0010", "the device has 65536");
}

/* ---- arguments -------------------------------------------------------------------------- */

static void arguments_are_checked(void **state)
{
    fixture *f = *state;
    const char bytes[64] = {0};
    visage_device *other = NULL;
    visage_buffer *foreign = NULL;
    visage_image *image = NULL;
    visage_image_options image_options = VISAGE_OPTIONS_INIT(visage_image_options);
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);

    open_zebin(f, VISAGE_PLATFORM_PVC, 1);
    open_kernel(f, "stray");
    (void)make_buffer(f, 0, 100, 0);
    visage_launch *l = f->launch;
    visage_diagnostics *d = f->diagnostics;
    assert_int_equal(visage_launch_set_value(l, 3, bytes, 4, d), VISAGE_INVALID);
    expect_diagnostic(f, "A0002", "argument 3 does not exist, kernel 'stray' takes 3");
    assert_int_equal(visage_launch_set_value(l, 0, bytes, 8, d), VISAGE_INVALID);
    expect_diagnostic(f, "A0003", "argument 0 of kernel 'stray' is a buffer, given a value");
    assert_int_equal(visage_launch_set_buffer(l, 1, f->buffers[0], 0, d), VISAGE_INVALID);
    expect_diagnostic(f, "A0003", "is a value, given a buffer");
    assert_int_equal(visage_launch_set_local(l, 0, 16, d), VISAGE_INVALID);
    expect_diagnostic(f, "A0003", "is a buffer, given local memory");
    image_options.format = "R8_UINT";
    image_options.width = 1;
    assert_int_equal(visage_image_create(f->buffers[0], &image_options, d, &image), VISAGE_OK);
    assert_int_equal(visage_launch_set_image(l, 0, image, d), VISAGE_INVALID);
    expect_diagnostic(f, "A0003", "is a buffer, given an image");
    visage_image_destroy(&image);
    assert_int_equal(visage_launch_set_value(l, 1, bytes, 4, d), VISAGE_INVALID);
    expect_diagnostic(f, "A0004", "argument 1 of kernel 'stray' has 8 bytes, given 4");
    assert_int_equal(visage_launch_set_buffer(l, 0, f->buffers[0], 101, d), VISAGE_INVALID);
    expect_diagnostic(f, "A0014", "offset is beyond the end");
    assert_int_equal(visage_launch_set_buffer(l, 0, NULL, 1, d), VISAGE_INVALID);
    expect_diagnostic(f, "A0014", "offset is beyond the end");
    options.platform = VISAGE_PLATFORM_PVC;
    assert_int_equal(visage_device_create(f->context, &options, &other), VISAGE_OK);
    assert_int_equal(visage_buffer_create(other, 100, &foreign), VISAGE_OK);
    assert_int_equal(visage_launch_set_buffer(l, 0, foreign, 0, d), VISAGE_INVALID);
    expect_diagnostic(f, "A0014", "another device");
    visage_buffer_destroy(&foreign);
    visage_device_destroy(&other);

    set_buffer(f, 0, 0);
    set_value(f, 2, bytes, 8);
    assert_int_equal(run(f, items(32, 0, 0, 0, 0, 0), NULL), VISAGE_INVALID);
    expect_diagnostic(f, "A0005", "argument 1 of kernel 'stray' (wrong) is not set");
}

/* Addresses do not fit inputs of 4 bytes. */
static void plain_inputs_take_what_fits(void **state)
{
    static const char text[] = ".version 4.1\n.kernel \"k\"\n"
                               ".decl V32 v_type=G type=ud num_elts=1 align=dword\n"
                               ".decl V33 v_type=G type=uq num_elts=1 align=qword\n"
                               ".decl V34 v_type=G type=ud num_elts=4 align=oword\n"
                               ".decl V35 v_type=G type=ud num_elts=8 align=GRF\n"
                               ".input V32 offset=32 size=4\n.input V33 offset=40 "
                               "size=8\n.input V34 offset=48 size=16\n"
                               ".kernel_attr SLMSize=1\n.function \"k_0\"\nk_0:\n"
                               "    mov (M1_NM, 4) V35(0,0)<1> V34(0,0)<1;1,0>\n"
                               "    mov (M1_NM, 1) V35(0,4)<1> V32(0,0)<0;1,0>\n"
                               "    svm_block_st (2) V33(0,0)<0;1,0> V35.0\n"
                               "    ret (M1, 1)\n";
    const uint32_t four[4] = {1, 2, 3, 4};
    fixture *f = *state;

    open_text(f, VISAGE_PLATFORM_SKL, text, NULL);
    open_kernel(f, "k");
    uint32_t *out = make_buffer(f, 0, 32, 0xee);
    assert_int_equal(visage_launch_set_buffer(f->launch, 0, f->buffers[0], 0, f->diagnostics),
                     VISAGE_INVALID);
    expect_diagnostic(f, "A0014", "device addresses have 64 bits");
    assert_int_equal(visage_launch_set_buffer(f->launch, 2, f->buffers[0], 0, f->diagnostics),
                     VISAGE_INVALID);
    expect_diagnostic(f, "A0004", "has 16 bytes, given 8");
    /* Local memory comes behind the kernel's own KiB. */
    expect_status(f, visage_launch_set_local(f->launch, 0, 64, f->diagnostics), VISAGE_OK);
    set_buffer(f, 1, 0);
    set_value(f, 2, four, sizeof four);
    run_well(f, threads(0, 0, 0, 0, 0, 0));
    assert_memory_equal(out, four, sizeof four);
    assert_int_equal(out[4], 1024);
}

/* ---- several workers -------------------------------------------------------------------- */

enum { NUM_ITEMS = 8192, GROUP = 64 };

static void check_sums(fixture *f, uint32_t jobs)
{
    int32_t total = 0, wanted_total = 0;

    open_zebin(f, VISAGE_PLATFORM_DG2, jobs);
    open_kernel(f, "sums");
    int32_t *in = make_buffer(f, 0, NUM_ITEMS * 4, 0);
    int32_t *out = make_buffer(f, 1, NUM_ITEMS / GROUP * 4, 0);
    (void)make_buffer(f, 2, 4, 0);
    for (int32_t i = 0; i < NUM_ITEMS; i++)
        in[i] = i * 7 % 1000;
    for (size_t i = 0; i < 3; i++)
        set_buffer(f, i, i);
    expect_status(f, visage_launch_set_local(f->launch, 3, GROUP * 4, f->diagnostics),
                  VISAGE_OK);
    run_well(f, items(NUM_ITEMS, 0, 0, GROUP, 0, 0));
    for (int32_t g = 0; g < NUM_ITEMS / GROUP; g++) {
        int32_t sum = 0;
        for (int32_t i = 0; i < GROUP; i++)
            sum += in[g * GROUP + i];
        assert_int_equal(out[g], sum);
        wanted_total += sum;
    }
    memcpy(&total, visage_buffer_data(f->buffers[2]), sizeof total);
    assert_int_equal(total, wanted_total);
    drop(f);
}

static void results_do_not_depend_on_workers(void **state)
{
    for (uint32_t jobs = 1; jobs <= 4; jobs++)
        check_sums(*state, jobs);
}

static void stats_count(void **state)
{
    fixture *f = *state;
    visage_run_stats one, many;
    visage_range range = items(4096, 0, 0, 128, 0, 0);

    open_zebin(f, VISAGE_PLATFORM_PVC, 3);
    open_buffer_kernel(f, "where", 4096 * 80);
    expect_status(f, run(f, range, &many), VISAGE_OK);
    visage_run_options options = {.struct_size = sizeof options, .jobs = 1};
    expect_status(f, visage_launch_run(f->launch, &range, &options, f->diagnostics, &one),
                  VISAGE_OK);
    assert_int_equal(one.jobs, 1);
    assert_int_equal(many.jobs, 3);
    assert_int_equal(many.groups, 32);
    assert_int_equal(many.threads, 32 * 128 / 32);
    assert_int_equal(many.instructions, one.instructions);
    assert_true(one.instructions > 0 && one.nanoseconds > 0);
}

/* ---- faults ----------------------------------------------------------------------------- */

static void faults_say_where(void **state)
{
    static const visage_platform platforms[] = {VISAGE_PLATFORM_SKL, VISAGE_PLATFORM_PVC};
    fixture *f = *state;
    const uint64_t wrong = 777, distance = (uint64_t)1 << 31;

    for (size_t p = 0; p < 2; p++) {
        open_zebin(f, platforms[p], 2);
        open_buffer_kernel(f, "stray", 1024);
        set_value(f, 1, &wrong, 8);
        set_value(f, 2, &distance, 8);
        expect_status(f, run(f, items(1024, 0, 0, 128, 0, 0), NULL), VISAGE_FAULT);
        /* Both compile to 32 channels: 777 = 6 * 128 + 0 * 32 + 9. */
        expect_diagnostic(f, "X0101", "write of 1 bytes at 0x");
        expect_diagnostic(f, "X0101",
                          "group (6,0,0), thread 0, channel 9 (work-item (777,0,0))");
        const visage_diagnostic *d = visage_diagnostics_get(f->diagnostics, 0);
        assert_string_equal(d->kernel, "stray");
        assert_string_equal(d->file, "launch(stray)");
        assert_true(d->line > 0 && d->instruction > 0);
        assert_non_null(strstr(d->source_line, p ? "lsc_store" : "scatter"));
        visage_diagnostics_clear(f->diagnostics);
        /* The device lives on. */
        const uint64_t harmless = 0;
        set_value(f, 2, &harmless, 8);
        run_well(f, items(1024, 0, 0, 128, 0, 0));
        drop(f);
    }
}

/* Of all work-items behind the end the first one is named, whatever the workers do. */
static void first_fault_is_reported(void **state)
{
    fixture *f = *state;
    char first[512] = "";

    open_zebin(f, VISAGE_PLATFORM_DG2, 4);
    open_buffer_kernel(f, "where", 80 * 1000);
    for (uint32_t i = 0; i < 40; i++) {
        visage_run_options options = {.jobs = i == 0 ? 1 : 4};
        expect_status(f, run_with(f, items(4096, 0, 0, 64, 0, 0), options), VISAGE_FAULT);
        assert_int_equal(visage_diagnostics_count(f->diagnostics), 1);
        const visage_diagnostic *d = visage_diagnostics_get(f->diagnostics, 0);
        if (i == 0)
            (void)snprintf(first, sizeof first, "%s", d->message);
        assert_string_equal(d->message, first);
        visage_diagnostics_clear(f->diagnostics);
    }
    assert_non_null(strstr(first, "(work-item (1000,0,0))"));
}

/* The null pointer is no memory. */
static void null_is_outside(void **state)
{
    fixture *f = *state;
    const uint64_t none = 0;

    open_zebin(f, VISAGE_PLATFORM_PVC, 1);
    open_kernel(f, "stray");
    set_value(f, 1, &none, 8);
    set_value(f, 2, &none, 8);
    expect_status(f, visage_launch_set_buffer(f->launch, 0, NULL, 0, f->diagnostics),
                  VISAGE_OK);
    expect_status(f, run(f, items(32, 0, 0, 0, 0, 0), NULL), VISAGE_FAULT);
    expect_diagnostic(f, "X0101", " at 0x0 is outside");
}

static void barriers_that_cannot_open(void **state)
{
    fixture *f = *state;

    open_zebin(f, VISAGE_PLATFORM_SKL, 1);
    open_buffer_kernel(f, "leave", 4096);
    set_int(f, 1, 0);
    run_well(f, items(64, 0, 0, 64, 0, 0));
    assert_int_equal(((int32_t *)visage_buffer_data(f->buffers[0]))[63], 2);
    set_int(f, 1, 5); /* part of the first thread: its others still come */
    run_well(f, items(64, 0, 0, 64, 0, 0));
    set_int(f, 1, 32); /* all of the first of two threads */
    expect_status(f, run(f, items(64, 0, 0, 64, 0, 0), NULL), VISAGE_FAULT);
    expect_diagnostic(f, "X0108", "1 of 2 threads of the group ended");
    assert_string_equal(visage_diagnostics_get(f->diagnostics, 0)->kernel, "leave");
    assert_non_null(strstr(visage_diagnostics_get(f->diagnostics, 0)->source_line, "barrier"));
}

#define MEETING(body)                                                                          \
    ".version 4.1\n.kernel \"k\"\n"                                                            \
    ".decl V32 v_type=G type=ud num_elts=3 align=dword\n"                                      \
    ".decl P1 v_type=P num_elts=1\n"                                                           \
    ".implicit_LOCAL_ID V32 offset=64 size=12\n"                                               \
    ".function \"k_0\"\nk_0:\n"                                                                \
    "    cmp.eq (M1_NM, 1) P1 V32(0,0)<0;1,0> 0x0:ud\n" body "    ret (M1, 1)\n"

typedef struct meeting_case {
    const char *text;
    visage_status status;
    const char *message;
} meeting_case;

static void meetings_of_threads(void **state)
{
    static const meeting_case cases[] = {
        {MEETING("    nbarrier.signal 0x1:b 0x4:b\n    nbarrier.wait 0x1:b\n"), VISAGE_OK,
         NULL},
        {MEETING("    nbarrier.signal 0x1:b 0x5:b\n    nbarrier.wait 0x1:b\n"), VISAGE_FAULT,
         "0 of 4 threads"},
        /* The first thread does not come. */
        {MEETING("    (P1) goto (M1, 1) away\n    nbarrier.signal 0x1:b 0x4:b\n"
                 "    nbarrier.wait 0x1:b\naway:\n"),
         VISAGE_FAULT, "1 of 4 threads"},
        {MEETING("    (P1) goto (M1, 1) away\n    nbarrier.signal 0x1:b 0x3:b\n"
                 "    nbarrier.wait 0x1:b\naway:\n"),
         VISAGE_OK, NULL},
        {MEETING("    sbarrier.signal\n    sbarrier.wait\n    barrier\n"), VISAGE_OK, NULL},
        {MEETING("    (P1) goto (M1, 1) away\n    sbarrier.signal\n    sbarrier.wait\naway:\n"),
         VISAGE_FAULT, "1 of 4 threads"},
        /* The first thread produces and goes on, the others consume. Then two producers are
         * wanted, which there are not; then it is a consumer, too. */
        {MEETING("    (P1) goto (M1, 1) make\n    nbarrier.signal 0x1:b 0x2:uw 0x1:b 0x3:b\n"
                 "    nbarrier.wait 0x1:b\n    goto (M1, 1) away\nmake:\n"
                 "    nbarrier.signal 0x1:b 0x1:uw 0x1:b 0x3:b\naway:\n"),
         VISAGE_OK, NULL},
        {MEETING("    (P1) goto (M1, 1) make\n    nbarrier.signal 0x1:b 0x2:uw 0x2:b 0x3:b\n"
                 "    nbarrier.wait 0x1:b\n    goto (M1, 1) away\nmake:\n"
                 "    nbarrier.signal 0x1:b 0x1:uw 0x2:b 0x3:b\naway:\n"),
         VISAGE_FAULT, "1 of 4 threads"},
        {MEETING("    (P1) goto (M1, 1) make\n    nbarrier.signal 0x1:b 0x2:uw 0x1:b 0x4:b\n"
                 "    nbarrier.wait 0x1:b\n    goto (M1, 1) away\nmake:\n"
                 "    nbarrier.signal 0x1:b 0x0:uw 0x1:b 0x4:b\naway:\n"),
         VISAGE_OK, NULL},
        /* One thread waits here, the others there. */
        {MEETING("    (P1) goto (M1, 1) other\n    barrier\n    goto (M1, 1) away\nother:\n"
                 "    nbarrier.signal 0x1:b 0x2:b\n    nbarrier.wait 0x1:b\naway:\n"),
         VISAGE_FAULT, "of 4 threads"},
    };
    fixture *f = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_text(f, VISAGE_PLATFORM_PVC, cases[i].text, NULL);
        open_kernel(f, NULL);
        expect_status(f, run(f, threads(3, 0, 0, 4, 0, 0), NULL), cases[i].status);
        if (cases[i].message)
            expect_diagnostic(f, "X0108", cases[i].message);
        drop(f);
    }
}

/* Thread 0 waits for what thread 1 writes later. */
#define POLLING(pause)                                                                         \
    ".version 4.1\n.kernel \"k\"\n"                                                            \
    ".decl V32 v_type=G type=ud num_elts=3 align=dword\n"                                      \
    ".decl V33 v_type=G type=uq num_elts=1 align=qword\n"                                      \
    ".decl V34 v_type=G type=ud num_elts=8 align=GRF\n"                                        \
    ".decl P1 v_type=P num_elts=1\n"                                                           \
    ".decl P2 v_type=P num_elts=1\n"                                                           \
    ".input V33 offset=32 size=8\n"                                                            \
    ".implicit_LOCAL_ID V32 offset=64 size=12\n"                                               \
    ".function \"k_0\"\nk_0:\n"                                                                \
    "    cmp.eq (M1_NM, 1) P1 V32(0,0)<0;1,0> 0x0:ud\n"                                        \
    "    (P1) goto (M1, 1) poll\n"                                                             \
    "    mov (M1_NM, 8) V34(0,0)<1> 0x7:ud\n"                                                  \
    "    svm_block_st (2) V33(0,0)<0;1,0> V34.0\n"                                             \
    "    ret (M1, 1)\n"                                                                        \
    "poll:\n" pause "    svm_block_ld (2) V33(0,0)<0;1,0> V34.0\n"                             \
    "    cmp.eq (M1_NM, 1) P2 V34(0,0)<0;1,0> 0x0:ud\n"                                        \
    "    (P2) goto (M1, 1) poll\n"                                                             \
    "    ret (M1, 1)\n"

static void threads_may_poll(void **state)
{
    static const char *const texts[] = {POLLING(""), POLLING("    yield\n")};
    fixture *f = *state;

    for (size_t i = 0; i < 2; i++) {
        open_text(f, VISAGE_PLATFORM_SKL, texts[i], NULL);
        open_buffer_kernel(f, NULL, 32);
        expect_status(
            f,
            run_with(f, threads(0, 0, 0, 2, 0, 0), (visage_run_options){.timeout_ms = 60000}),
            VISAGE_OK);
        drop(f);
    }
}

static void source_lines_are_told(void **state)
{
    static const char text[] = ".version 4.1\n.kernel \"k\"\n"
                               ".decl V33 v_type=G type=uq num_elts=1 align=qword\n"
                               ".decl V34 v_type=G type=ud num_elts=8 align=GRF\n"
                               ".input V33 offset=32 size=8\n"
                               ".function \"k_0\"\nk_0:\n"
                               "    FILE \"saxpy.cl\"\n    LOC 12\n"
                               "    mov (M1_NM, 8) V34(0,0)<1> 0x7:ud\n"
                               "    LOC 14\n"
                               "    svm_block_st (2) V33(0,0)<0;1,0> V34.0\n"
                               "    LOC 15\n"
                               "    ret (M1, 1)\n";
    fixture *f = *state;

    open_text(f, VISAGE_PLATFORM_SKL, text, NULL);
    open_kernel(f, NULL);
    expect_status(f, visage_launch_set_buffer(f->launch, 0, NULL, 0, f->diagnostics),
                  VISAGE_OK);
    expect_status(f, run(f, threads(0, 0, 0, 0, 0, 0), NULL), VISAGE_FAULT);
    expect_diagnostic(f, "X0101", "thread 0, source saxpy.cl:14");
    const visage_diagnostic *d = visage_diagnostics_get(f->diagnostics, 0);
    assert_int_equal(d->line, 12);
    assert_string_equal(d->source_line, "    svm_block_st (2) V33(0,0)<0;1,0> V34.0");
    assert_null(strstr(d->message, "work-item"));
}

/* ---- stopping --------------------------------------------------------------------------- */

static void runs_are_stopped(void **state)
{
    fixture *f = *state;
    visage_range range = items(256, 0, 0, 64, 0, 0);

    open_zebin(f, VISAGE_PLATFORM_DG2, 2);
    open_buffer_kernel(f, "spin", 4096);
    expect_status(f, run_with(f, range, (visage_run_options){.timeout_ms = 50}),
                  VISAGE_CANCELLED);
    expect_diagnostic(f, "X0120", "stopped after 50 ms");
    expect_status(f, run_with(f, range, (visage_run_options){.instructions = 12345}),
                  VISAGE_CANCELLED);
    expect_diagnostic(f, "X0121", "more than 12345 instructions");
    visage_launch_cancel(f->launch);
    expect_status(f, run(f, range, NULL), VISAGE_CANCELLED);
    expect_diagnostic(f, "X0122", "stopped on request");
    /* The request is spent, and limits that are not reached stop nothing. */
    *(int32_t *)visage_buffer_data(f->buffers[0]) = 9;
    expect_status(
        f, run_with(f, range, (visage_run_options){.timeout_ms = 60000, .instructions = 1000}),
        VISAGE_OK);
    assert_int_equal(((int32_t *)visage_buffer_data(f->buffers[0]))[256], 9);
}

static void *cancel_soon(void *argument)
{
    const struct timespec pause = {.tv_nsec = 30 * 1000 * 1000};

    (void)nanosleep(&pause, NULL);
    visage_launch_cancel(argument);
    return NULL;
}

static void another_thread_may_cancel(void **state)
{
    fixture *f = *state;
    pthread_t thread;

    open_zebin(f, VISAGE_PLATFORM_PVC, 2);
    open_buffer_kernel(f, "spin", 4096);
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, f->launch), 0);
    visage_status status =
        run_with(f, items(256, 0, 0, 64, 0, 0), (visage_run_options){.timeout_ms = 60000});
    assert_int_equal(pthread_join(thread, NULL), 0);
    expect_status(f, status, VISAGE_CANCELLED);
    expect_diagnostic(f, "X0122", "stopped on request");
}

/* ---- programs --------------------------------------------------------------------------- */

static void kernels_are_found_by_name(void **state)
{
    fixture *f = *state;

    open_zebin(f, VISAGE_PLATFORM_SKL, 1);
    assert_int_equal(visage_launch_create(f->program, "wher", f->diagnostics, &f->launch),
                     VISAGE_UNRESOLVED);
    assert_null(f->launch);
    expect_diagnostic(f, "L0002", "no kernel 'wher'; there are: values, where, locals");
    assert_int_equal(visage_launch_create(f->program, NULL, f->diagnostics, &f->launch),
                     VISAGE_UNRESOLVED);
    expect_diagnostic(f, "L0003", "several kernels, name one of: values, where");
}

static void functions_are_no_kernels(void **state)
{
    fixture *f = *state;

    open_text(f, VISAGE_PLATFORM_SKL,
              ".version 4.1\n.global_function \"f\"\n.kernel_attr ArgSize=0\n"
              ".kernel_attr RetValSize=0\n"
              ".function \"f_0\"\nf_0:\n    fret (M1, 1)\n",
              NULL);
    assert_int_equal(visage_launch_create(f->program, "f", f->diagnostics, &f->launch),
                     VISAGE_UNRESOLVED);
    expect_diagnostic(f, "L0007", "no kernel");
}

static void devices_must_be_the_right_ones(void **state)
{
    fixture *f = *state;

    open_zebin(f, VISAGE_PLATFORM_SKL, 1);
    visage_program_destroy(&f->program);
    visage_device_destroy(&f->device);
    make_device(f, VISAGE_PLATFORM_PVC, 1);
    assert_int_equal(visage_program_create(f->device, f->module, f->diagnostics, &f->program),
                     VISAGE_INVALID);
    expect_diagnostic(f, "L0008", "built for skl, the device is pvc");
}

/* Kernels change the rounding mode of the machine they run on; the host's stays. */
static void host_state_is_kept(void **state)
{
    fixture *f = *state;

    open_zebin(f, VISAGE_PLATFORM_DG2, 1);
    open_buffer_kernel(f, "where", 80 * 64);
    assert_int_equal(fesetround(FE_UPWARD), 0);
    visage_status status = run(f, items(64, 0, 0, 0, 0, 0), NULL);
    int after = fegetround();
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    expect_status(f, status, VISAGE_OK);
    assert_int_equal(after, FE_UPWARD);
}

/* ---- repeated runs ---------------------------------------------------------------------- */

enum { WHERE_WORDS = 20 }; /* of a work-item, in the kernel "where" */

static visage_engine best_engine(void)
{
    return visage_has_engine(VISAGE_ENGINE_JIT) ? VISAGE_ENGINE_JIT : VISAGE_ENGINE_INTERPRETER;
}

/* A group may poll for a later one, which another worker has to come for: also where the launch
 * is short enough for one, as those before it were. */
static void later_groups_come(void **state)
{
    static const char text[] =
        ".version 4.1\n.kernel \"meet\"\n.decl F v_type=G type=uq num_elts=1 align=qword\n"
        ".decl ROUND v_type=G type=ud num_elts=1 align=dword\n"
        ".decl A v_type=G type=uq num_elts=1 align=qword\n"
        ".decl V v_type=G type=ud num_elts=16 align=GRF\n"
        ".decl P1 v_type=P num_elts=1\n.decl P2 v_type=P num_elts=1\n"
        ".input F offset=64 size=8\n.input ROUND offset=72 size=4\n"
        ".kernel_attr SimdSize=16\n.function \"main\"\nmain:\n"
        "    shl (M1_NM, 1) A(0,0)<1> %r0(0,1)<0;1,0> 6:ud\n"
        "    add (M1_NM, 1) A(0,0)<1> A(0,0)<0;1,0> F(0,0)<0;1,0>\n"
        "    lsc_store.ugm (M1_NM, 1) flat[A]:a64 ROUND:d32\n"
        "    cmp.ne (M1_NM, 1) P1 %r0(0,1)<0;1,0> 0:ud\n"
        "    (P1) jmp (M1, 1) done\n"
        "    add (M1_NM, 1) A(0,0)<1> F(0,0)<0;1,0> 64:ud\n"
        "poll:\n"
        "    lsc_load.ugm (M1_NM, 1) V:d32 flat[A]:a64\n"
        "    cmp.ne (M1_NM, 1) P2 V(0,0)<0;1,0> ROUND(0,0)<0;1,0>\n"
        "    (P2) jmp (M1, 1) poll\n"
        "done:\n    ret (M1, 1)\n";
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    const struct timespec pause = {0, 3000000};
    visage_range range = threads(2, 1, 1, 1, 1, 1);
    fixture *f = *state;

    options.engine = best_engine();
    options.timeout_ms = 30000;
    open_text_for(f, VISAGE_PLATFORM_PVC, 2, text, NULL);
    open_kernel(f, "meet");
    const uint32_t *flags = make_buffer(f, 0, 128, 0);
    set_buffer(f, 0, 0);
    for (uint32_t round = 1; round <= 40; round++) {
        set_value(f, 1, &round, sizeof round);
        expect_status(f, visage_launch_run(f->launch, &range, &options, f->diagnostics, NULL),
                      VISAGE_OK);
        assert_int_equal(flags[0], round);
        assert_int_equal(flags[16], round);
        (void)nanosleep(&pause, NULL);
    }
}

/* Runs "where" and checks global ids and local sizes in buffer `index`. */
static void check_where(fixture *f, size_t index, visage_range range)
{
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    uint32_t *out = visage_buffer_data(f->buffers[index]);

    options.engine = best_engine();
    memset(out, 0xee, (size_t)range.global[0] * WHERE_WORDS * 4);
    expect_status(f, run_with(f, range, options), VISAGE_OK);
    for (uint32_t i = 0; i < range.global[0]; i++) {
        assert_int_equal(out[i * WHERE_WORDS], i + range.offset[0]);
        assert_int_equal(out[i * WHERE_WORDS + 3], i % range.local[0]);
        assert_int_equal(out[i * WHERE_WORDS + 6], i / range.local[0]);
        assert_int_equal(out[i * WHERE_WORDS + 12], range.local[0]);
    }
}

/* What a launch keeps of a run is of no use to one that asks for something else. */
static void runs_may_be_repeated(void **state)
{
    fixture *f = *state;
    visage_range range = items(64, 0, 0, 32, 0, 0), moved = range;

    moved.offset[0] = 1000;
    open_zebin(f, VISAGE_PLATFORM_PVC, 2);
    open_buffer_kernel(f, "where", 64 * WHERE_WORDS * 4);
    uint32_t *second = make_buffer(f, 1, 64 * WHERE_WORDS * 4, 0x55);
    for (int i = 0; i < 3; i++)
        check_where(f, 0, range);
    check_where(f, 0, moved);
    check_where(f, 0, range);
    check_where(f, 0, items(64, 0, 0, 16, 0, 0));
    check_where(f, 0, items(32, 0, 0, 16, 0, 0));
    assert_int_equal(second[0], 0x55555555);
    set_buffer(f, 0, 1);
    check_where(f, 1, range);
    set_buffer(f, 0, 1);
    check_where(f, 1, range);
}

/* A launch's slots are not those of another that ran in between. */
static void launches_take_turns(void **state)
{
    fixture *f = *state;
    visage_launch *first, *other;
    visage_range range = items(64, 0, 0, 32, 0, 0);

    open_zebin(f, VISAGE_PLATFORM_PVC, 1);
    open_buffer_kernel(f, "where", 64 * WHERE_WORDS * 4);
    first = f->launch;
    f->launch = NULL;
    open_kernel(f, "stray");
    (void)make_buffer(f, 1, 4096, 0);
    const uint64_t none = UINT64_MAX;
    set_buffer(f, 0, 1);
    set_value(f, 1, &none, 8);
    set_value(f, 2, &none, 8);
    other = f->launch;
    for (int i = 0; i < 3; i++) {
        f->launch = first;
        check_where(f, 0, range);
        f->launch = other;
        memset(visage_buffer_data(f->buffers[1]), 0, 4096);
        run_well(f, items(256, 0, 0, 32, 0, 0));
        assert_int_equal(((uint8_t *)visage_buffer_data(f->buffers[1]))[255], 1);
    }
    visage_launch_destroy(&first);
}

/* Values that change, or do not; and a run that fails between good ones. */
static void values_may_change(void **state)
{
    fixture *f = *state;
    const uint64_t far = UINT64_C(1) << 40, none = UINT64_MAX;
    visage_range range = items(64, 0, 0, 32, 0, 0);
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);

    options.engine = best_engine();
    open_zebin(f, VISAGE_PLATFORM_PVC, 1);
    open_buffer_kernel(f, "stray", 4096);
    uint8_t *out = visage_buffer_data(f->buffers[0]);
    for (uint64_t wrong = 3; wrong < 6; wrong++) {
        const uint64_t distance = 1000 + wrong;
        set_value(f, 1, &wrong, 8);
        set_value(f, 2, &distance, 8);
        for (int again = 0; again < 2; again++) {
            memset(out, 0, 4096);
            expect_status(f, run_with(f, range, options), VISAGE_OK);
            assert_int_equal(out[wrong], 0);
            assert_int_equal(out[distance], 1);
            set_value(f, 2, &distance, 8);
        }
        set_value(f, 2, &far, 8);
        expect_status(f, run_with(f, range, options), VISAGE_FAULT);
        expect_status(f, run_with(f, range, options), VISAGE_FAULT);
    }
    set_value(f, 1, &none, 8);
    expect_status(f, run_with(f, range, options), VISAGE_OK);
    assert_int_equal(out[5], 1);
}

/* Memory that is taken away between two runs of the same is outside in the second. */
static void memory_may_go_between_runs(void **state)
{
    static const char text[] = ".version 4.1\n.kernel \"k\"\n"
                               ".decl V33 v_type=G type=uq num_elts=1 align=qword\n"
                               ".decl V34 v_type=G type=ud num_elts=8 align=GRF\n"
                               ".input V33 offset=32 size=8\n"
                               ".function \"k_0\"\nk_0:\n"
                               "    mov (M1_NM, 8) V34(0,0)<1> 0x7:ud\n"
                               "    svm_block_st (2) V33(0,0)<0;1,0> V34.0\n"
                               "    ret (M1, 1)\n";
    fixture *f = *state;
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);

    options.engine = best_engine();
    open_text(f, VISAGE_PLATFORM_SKL, text, NULL);
    open_kernel(f, "k");
    uint32_t *out = make_buffer(f, 0, 32, 0);
    const uint64_t address = visage_buffer_address(f->buffers[0]);
    set_value(f, 0, &address, 8); /* which keeps nothing */
    expect_status(f, run_with(f, threads(0, 0, 0, 0, 0, 0), options), VISAGE_OK);
    expect_status(f, run_with(f, threads(0, 0, 0, 0, 0, 0), options), VISAGE_OK);
    assert_int_equal(out[7], 7);
    visage_buffer_destroy(&f->buffers[0]);
    expect_status(f, run_with(f, threads(0, 0, 0, 0, 0, 0), options), VISAGE_FAULT);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(ranges_are_checked),
        TEST(local_sizes_are_chosen),
        TEST(required_size_is_kept),
        TEST(local_memory_is_limited),
        TEST(arguments_are_checked),
        TEST(plain_inputs_take_what_fits),
        TEST(results_do_not_depend_on_workers),
        TEST(stats_count),
        TEST(later_groups_come),
        TEST(faults_say_where),
        TEST(first_fault_is_reported),
        TEST(null_is_outside),
        TEST(barriers_that_cannot_open),
        TEST(meetings_of_threads),
        TEST(threads_may_poll),
        TEST(source_lines_are_told),
        TEST(runs_are_stopped),
        TEST(another_thread_may_cancel),
        TEST(kernels_are_found_by_name),
        TEST(functions_are_no_kernels),
        TEST(devices_must_be_the_right_ones),
        TEST(host_state_is_kept),
        TEST(runs_may_be_repeated),
        TEST(launches_take_turns),
        TEST(values_may_change),
        TEST(memory_may_go_between_runs),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
