/* SPDX-License-Identifier: MIT
 *
 * What becomes of printf's records. A kernel copies bytes that are made here into the buffer,
 * so that records can be anything; their form is that of printed.c's sources, what conversions
 * give is worked out by hand from OpenCL C, printf. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "run_support.h"

enum { RECORD_BYTES = 256, STRINGS_BYTES = 4096, BUFFER_BYTES = 4 << 20 };
enum { BYTE = 1, SHORT, INT, FLOAT, STRING, LONG, POINTER, DOUBLE, VECTOR = 8 };

static const char kernel_text[] = ".version 4.1\n"
                                  ".kernel \"copy\"\n"
                                  ".decl FROM v_type=G type=uq num_elts=1 align=qword\n"
                                  ".decl TO v_type=G type=uq num_elts=1 align=qword\n"
                                  ".decl DATA v_type=G type=ud num_elts=64 align=GRF\n"
                                  ".input FROM offset=64 size=8\n"
                                  ".input TO offset=72 size=8\n"
                                  ".kernel_attr SimdSize=16\n"
                                  ".function \"main\"\n"
                                  "main:\n"
                                  "    svm_block_ld (8) FROM(0,0)<0;1,0> DATA.0\n"
                                  "    svm_block_st (8) TO(0,0)<0;1,0> DATA.0\n"
                                  "    add (M1, 1) FROM(0,0)<1> FROM(0,0)<0;1,0> 0x80:ud\n"
                                  "    add (M1, 1) TO(0,0)<1> TO(0,0)<0;1,0> 0x80:ud\n"
                                  "    svm_block_ld (8) FROM(0,0)<0;1,0> DATA.0\n"
                                  "    svm_block_st (8) TO(0,0)<0;1,0> DATA.0\n"
                                  "    ret (M1, 1)\n";
static const char kernel_info[] = "version: '1.8'\n"
                                  "kernels:\n"
                                  "  - name: copy\n"
                                  "    execution_env:\n"
                                  "      grf_count: 128\n"
                                  "      simd_size: 16\n"
                                  "    payload_arguments:\n"
                                  "      - arg_type: arg_bypointer\n"
                                  "        offset: 0\n"
                                  "        size: 8\n"
                                  "        arg_index: 0\n"
                                  "        addrmode: stateless\n"
                                  "        addrspace: global\n"
                                  "        access_type: readwrite\n"
                                  "      - arg_type: printf_buffer\n"
                                  "        offset: 8\n"
                                  "        size: 8\n";

/* The records of a test, and what came of them. */
typedef struct paper {
    fixture *f;
    uint8_t *records;
    uint32_t used;
    char *strings;
    uint64_t strings_at;
    uint32_t strings_used;
    char text[16384];
    size_t length;
    bool refuses;
} paper;

static paper the_paper; /* large */

static bool take_text(void *user, const void *data, size_t size_bytes)
{
    paper *p = user;

    assert_true(p->length + size_bytes < sizeof p->text);
    memcpy(p->text + p->length, data, size_bytes);
    p->length += size_bytes;
    p->text[p->length] = '\0';
    return !p->refuses;
}

static void clear(paper *p)
{
    memset(p->records, 0, RECORD_BYTES);
    p->used = 4;
    p->strings_used = 0;
    p->length = 0;
    p->text[0] = '\0';
}

static paper *begin(void **state)
{
    paper *p = &the_paper;

    *p = (paper){.f = *state};
    open_text(p->f, VISAGE_PLATFORM_PVC, kernel_text, kernel_info);
    open_kernel(p->f, NULL);
    p->records = make_buffer(p->f, 0, RECORD_BYTES, 0);
    p->strings = make_buffer(p->f, 1, STRINGS_BYTES, 0);
    p->strings_at = visage_buffer_address(p->f->buffers[1]);
    set_buffer(p->f, 0, 0);
    clear(p);
    return p;
}

static void put(paper *p, const void *value, size_t size)
{
    assert_true(p->used + size <= RECORD_BYTES);
    memcpy(p->records + p->used, value, size);
    p->used += (uint32_t)size;
}

static void put_u32(paper *p, uint32_t value)
{
    put(p, &value, sizeof value);
}

static void put_u64(paper *p, uint64_t value)
{
    put(p, &value, sizeof value);
}

static uint64_t string(paper *p, const char *text)
{
    uint64_t at = p->strings_at + p->strings_used;

    assert_true(p->strings_used + strlen(text) < STRINGS_BYTES);
    memcpy(p->strings + p->strings_used, text, strlen(text) + 1);
    p->strings_used += (uint32_t)strlen(text) + 1;
    return at;
}

static void put_format(paper *p, const char *text)
{
    put_u64(p, string(p, text));
}

static void put_int(paper *p, int32_t value)
{
    put_u32(p, INT);
    put(p, &value, sizeof value);
}

static void put_double(paper *p, double value)
{
    put_u32(p, DOUBLE);
    put(p, &value, sizeof value);
}

static visage_status print(paper *p)
{
    visage_range range = items(1, 1, 1, 1, 1, 1);
    visage_run_options options = {
        .struct_size = sizeof options, .print = take_text, .print_user = p};

    memcpy(p->records, &p->used, sizeof p->used);
    visage_diagnostics_clear(p->f->diagnostics);
    return visage_launch_run(p->f->launch, &range, &options, p->f->diagnostics, NULL);
}

/* Prints what has been put, and begins anew. */
static void expect(paper *p, const char *text)
{
    expect_status(p->f, print(p), VISAGE_OK);
    assert_string_equal(p->text, text);
    assert_int_equal(visage_diagnostics_count(p->f->diagnostics), 0);
    clear(p);
}

static void integers(void **state)
{
    static const struct {
        const char *format;
        int32_t value;
        const char *text;
    } rows[] = {
        {"%d|", -5, "-5|"},         {"%i|", 2147483647, "2147483647|"},
        {"%u|", -1, "4294967295|"}, {"%o|", 8, "10|"},
        {"%x|", -1, "ffffffff|"},   {"%#X|", 255, "0XFF|"},
        {"%5d|", 42, "   42|"},     {"%-5d|", 42, "42   |"},
        {"%05d|", -42, "-0042|"},   {"%+d|", 42, "+42|"},
        {"% d|", 42, " 42|"},       {"%.4d|", 42, "0042|"},
        {"%7.4d|", 42, "   0042|"}, {"%hd|", 65535, "-1|"},
        {"%hhd|", 200, "-56|"},     {"%hhu|", -1, "255|"},
        {"%hx|", -1, "ffff|"},      {"%c|", 'x', "x|"},
        {"%3c|", 'y', "  y|"},      {"100%%|%d", 1, "100%|1"},
        {"%d%", 7, "7%"},      /* a sign with nothing behind it */
        {"%y %d", 7, "%y 7"},  /* no conversion */
        {"%*d %d", 7, "%*d 7"} /* OpenCL C has no such width */
    };
    paper *p = begin(state);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put_format(p, rows[i].format);
        put_int(p, rows[i].value);
        expect(p, rows[i].text);
    }
    put_format(p, "%ld %lu %lx");
    for (int i = 0; i < 3; i++) {
        put_u32(p, LONG);
        put_u64(p, UINT64_MAX - 1);
    }
    expect(p, "-2 18446744073709551614 fffffffffffffffe");
    put_format(p, "%hhd %hd"); /* one and two bytes, padded */
    put_u32(p, BYTE);
    put_u32(p, 0xffffff80);
    put_u32(p, SHORT);
    put_u32(p, 0xffff8000);
    expect(p, "-128 -32768");
}

static void floats(void **state)
{
    paper *p = begin(state);
    float third = 1.0f / 3, half = 0.5f;

    put_format(p, "%f %.2e %g %a");
    put_u32(p, FLOAT);
    put(p, &third, sizeof third);
    put_double(p, -12345.678);
    put_double(p, 1e-5);
    put_u32(p, FLOAT);
    put(p, &half, sizeof half);
    expect(p, "0.333333 -1.23e+04 1e-05 0x1p-1");
    put_format(p, "%8.3f|%-8.1F|%+G|%f %F");
    put_double(p, 3.14159);
    put_double(p, 2.25);
    put_double(p, 1e20);
    put_double(p, -(double)INFINITY);
    put_double(p, INFINITY);
    expect(p, "   3.142|2.2     |+1E+20|-inf INF");
}

/* The decimal point is a point whatever the host program's locale. */
static void locales(void **state)
{
    paper *p = begin(state);
    const char *found = setlocale(LC_ALL, "de_DE.UTF-8");

    put_format(p, "%.1f");
    put_double(p, 1.5);
    expect(p, "1.5");
    if (found)
        assert_non_null(setlocale(LC_ALL, "C"));
}

static void strings(void **state)
{
    paper *p = begin(state);

    put_format(p, "<%s|%8s|%-8s|%.2s>%%");
    for (int i = 0; i < 4; i++) {
        put_u32(p, STRING);
        put_u64(p, string(p, "word"));
    }
    expect(p, "<word|    word|word    |wo>%");
    put_format(p, "%s %s");
    put_u32(p, STRING);
    put_u64(p, 0);
    put_int(p, 3);
    expect(p, "(null) (null)");
    put_format(p, ""); /* a record that prints nothing */
    put_format(p, "%p %p");
    put_u32(p, POINTER);
    put_u64(p, UINT64_C(0x123456789abc));
    put_u32(p, POINTER);
    put_u64(p, 0);
    expect(p, "0x123456789abc (nil)");
}

/* A string whose end is that of the memory's page. */
static void string_at_the_end(void **state)
{
    paper *p = begin(state);

    memset(p->strings, 'x', STRINGS_BYTES);
    put_u64(p, p->strings_at + STRINGS_BYTES - 5);
    expect_status(p->f, print(p), VISAGE_OK);
    assert_string_equal(p->text, "xxxxx");
}

static void vectors(void **state)
{
    static const float f[4] = {0.5f, -1, 2, 1e10f};
    static const uint8_t bytes[4] = {1, 127, 128, 255};
    static const uint16_t words[3] = {1, 32768, 65535};
    static const int64_t longs[2] = {-1, INT64_C(1) << 40};
    paper *p = begin(state);

    put_format(p, "%v4hlf|%v2d|");
    put_u32(p, VECTOR + 5);
    put_u32(p, 4);
    put(p, f, sizeof f);
    put_u32(p, VECTOR + 3);
    put_u32(p, 2);
    put_u32(p, 7);
    put_u32(p, (uint32_t)-8);
    expect(p, "0.500000,-1.000000,2.000000,10000000000.000000|7,-8|");
    /* elements below a dword lie side by side and take the room of dwords */
    put_format(p, "%v4hhd %v4hhu|%v3hx|%4v2ld|%d");
    for (int i = 0; i < 2; i++) {
        put_u32(p, VECTOR + 1);
        put_u32(p, 4);
        put(p, bytes, sizeof bytes);
        p->used += 3 * 4;
    }
    put_u32(p, VECTOR + 2);
    put_u32(p, 3);
    put(p, words, sizeof words);
    p->used += 2 * 3;
    put_u32(p, VECTOR + 4);
    put_u32(p, 2);
    put(p, longs, sizeof longs);
    put_int(p, 9);
    expect(p, "1,127,-128,-1 1,127,128,255|1,8000,ffff|  -1,1099511627776|9");
}

/* OpenCL C, printf: arguments beyond the conversions are ignored. */
static void arguments_left_over(void **state)
{
    static const int8_t bytes[] = {1, 2, 3};
    paper *p = begin(state);

    put_format(p, "none ");
    put_u32(p, STRING);
    put_u64(p, string(p, "never"));
    put_format(p, "%d ");
    put_int(p, 1);
    put_int(p, 2);
    put_double(p, 3.0);
    put_u32(p, VECTOR + 1);
    put_u32(p, 3);
    put(p, bytes, sizeof bytes);
    p->used += 3 * 3;
    put_format(p, "last");
    put_int(p, 0);
    expect(p, "none 1 last");
    put_format(p, "cut"); /* the buffer ends in a value */
    put_u32(p, LONG);
    put_u32(p, 1);
    expect_status(p->f, print(p), VISAGE_OK);
    assert_string_equal(p->text, "cut");
    expect_diagnostic(p->f, "A0016", "a record is not complete");
}

/* Records that no compiler writes end the output and are told. */
static void broken_records(void **state)
{
    paper *p = begin(state);

    for (int i = 0; i < 6; i++) {
        put_format(p, "good ");
        if (i == 0) { /* a thread was stopped here */
            put_u64(p, 0);
        } else if (i == 1) {
            put_u64(p, 64);
        } else {
            put_format(p, "%d ");
            if (i == 2)
                put_u32(p, INT); /* and no value */
            if (i == 3)
                put_u64(p, 99); /* no type */
            if (i == 4)
                put_u64(p, 0);
            if (i == 5) {
                put_u32(p, VECTOR + 3);
                put_u32(p, 1000000);
            }
        }
        expect_status(p->f, print(p), VISAGE_OK);
        assert_string_equal(p->text, "good ");
        expect_diagnostic(p->f, "A0016", "a record is not complete");
        clear(p);
    }
    put_format(p, "%1000000000.1000000000d"); /* cut to what C demands */
    put_int(p, 1);
    expect_status(p->f, print(p), VISAGE_OK);
    assert_int_equal(p->length, 4095);
    assert_int_equal(p->text[4094], '1');
}

static void full_buffer(void **state)
{
    paper *p = begin(state);

    put_format(p, "fits");
    put_u32(p, UINT32_MAX); /* one did not */
    p->used = BUFFER_BYTES + 24;
    expect_status(p->f, print(p), VISAGE_OK);
    assert_string_equal(p->text, "fits");
    expect_diagnostic(p->f, "A0016", "more than the 4 MiB");
}

static void nobody_listens(void **state)
{
    paper *p = begin(state);

    put_format(p, "lost");
    memcpy(p->records, &p->used, sizeof p->used);
    run_well(p->f, items(1, 1, 1, 1, 1, 1));
    expect_diagnostic(p->f, "A0016", "output of kernel 'copy' is lost");
    /* nothing of it is left for the next run, and a kernel that prints nothing is silent */
    clear(p);
    expect(p, "");
    put_format(p, "refused");
    p->refuses = true;
    expect_status(p->f, print(p), VISAGE_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(integers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(floats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(locales, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(string_at_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(vectors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arguments_left_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_records, set_up, tear_down),
        cmocka_unit_test_setup_teardown(full_buffer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nobody_listens, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
