/* SPDX-License-Identifier: MIT
 *
 * What binaries of the compiler lack but binaries may hold: through text and back, byte for
 * byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "binary_support.h"
#include "byte_language.h"
#include "text/printer.h"

/* ---- a file and its text ---------------------------------------------------------------- */

/* Parts of a file in the documented layout; NULL: none of it. */
typedef struct parts {
    const char *globals;    /* num_variables and its entries */
    const char *strings;    /* how many, and they; behind "" and "k" */
    const char *attributes; /* of the kernel: how many, and they */
} parts;

static byte_text assemble(const parts *p)
{
    char text[4096];
    int length = snprintf(
        text, sizeof text,
        "s:CISA 04 01 w:1 w:1 s:k $o #oe $i w:0 w:0 00 %s w:0 @o %s d:1 d:0 w:0 w:0 w:0 "
        "00 00 00 @i d:0 #ce #oc %s @c 34 00 0000 @e",
        p->globals ? p->globals : "w:0", p->strings ? p->strings : "d:2 z: z:k",
        p->attributes ? p->attributes : "w:0");

    assert_true(length > 0 && (size_t)length < sizeof text);
    return make_bytes(text);
}

static bool append(void *user, const void *data, size_t size_bytes)
{
    char *text = user;

    assert_true(strlen(text) + size_bytes < 8192);
    strncat(text, data, size_bytes);
    return true;
}

/* Reads the binary, prints it, expects `line` there, reads that and writes it: the same bytes.
 */
static void survives(fixture *f, const parts *p, const char *line)
{
    const vsg_txt_print_options options = {.all_attributes = true, .no_comments = true};
    byte_text bytes = assemble(p);
    char text[8192] = "";
    vsg_obj_bytes out;

    clean(f);
    f->module = vsg_obj_create(&f->alloc);
    f->diagnostics = vsg_base_diagnostics_new(&f->alloc);
    vsg_obj_binary input = {.name = "k", .data = bytes.bytes, .size_bytes = bytes.size};
    if (vsg_obj_read_binary(f->module, &input, f->diagnostics) != VISAGE_OK)
        fail_msg("%s: %s", line, visage_diagnostics_get(f->diagnostics, 0)->message);
    assert_int_equal(vsg_txt_print(f->module, &options, append, text), VISAGE_OK);
    if (!strstr(text, line))
        fail_msg("no '%s' in\n%s", line, text);
    (void)read_good(f, text);
    assert_int_equal(vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_DOC, f->diagnostics, &out),
                     VISAGE_OK);
    if (out.size != bytes.size || memcmp(out.data, bytes.bytes, out.size) != 0)
        fail_msg("%s: %zu bytes became %zu others", line, bytes.size, out.size);
    vsg_obj_bytes_free(&f->alloc, &out);
    free(bytes.bytes);
}

/* ---- attributes ------------------------------------------------------------------------- */

/* 4_visa_header, attribute_info: any size from 0 to 255. */
static void attribute_sizes(void **state)
{
    static const struct {
        const char *name, *value, *line;
    } rows[] = {
        {"Other", "00", ".kernel_attr Other\n"},
        {"Other", "01 05", ".kernel_attr Other=5:1"},
        {"Other", "02 ffff", ".kernel_attr Other=65535:2"},
        {"Other", "03 030201", ".kernel_attr Other=66051:3"},
        {"Other", "04 ffffffff", ".kernel_attr Other=4294967295\n"},
        {"Other", "05 0000000000", ".kernel_attr Other=\"\\000\\000\\000\\000\\000\""},
        {"Other", "08 6100225c310a8062",
         ".kernel_attr Other=\"a\\000\\\"\\\\1\\012\x80"
         "b\""},
        {"Other", "ff *255 00", ".kernel_attr Other=\"\\000"},
        {"SimdSize", "00", ".kernel_attr SimdSize\n"},
        {"SimdSize", "01 10", ".kernel_attr SimdSize=16\n"},
        {"SimdSize", "02 1000", ".kernel_attr SimdSize=16:2"},
        {"SimdSize", "04 10000000", ".kernel_attr SimdSize=16:4"},
        {"SimdSize", "04 00010000", ".kernel_attr SimdSize=256\n"},
        {"PerThreadInputSize", "01 60", ".kernel_attr PerThreadInputSize=96:1"},
        {"Target", "01 01", ".kernel_attr Target=\"3d\""},
        {"Target", "01 09", ".kernel_attr Target=9\n"},
        {"Target", "02 0100", ".kernel_attr Target=1:2"},
        {"Target", "04 01000000", ".kernel_attr Target=1:4"},
        {"OutputAsmPath", "03 612f62", ".kernel_attr OutputAsmPath=\"a/b\""},
        {"OutputAsmPath", "03 610062", ".kernel_attr OutputAsmPath=\"a\\000b\""},
        {"a:1", "01 05", ".kernel_attr \"a:1\"=5:1"},
    };
    char strings[64], attributes[64];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)snprintf(strings, sizeof strings, "d:3 z: z:k z:%s", rows[i].name);
        (void)snprintf(attributes, sizeof attributes, "w:1 d:2 %s", rows[i].value);
        survives(*state, &(parts){.strings = strings, .attributes = attributes}, rows[i].line);
    }
}

static void attribute_size_errors(void **state)
{
    static const struct {
        const char *value, *code;
    } rows[] = {
        {"256:1", "P0012"}, {"-129:1", "P0012"},  {"65536:2", "P0012"},
        {"1:0", "P0012"},   {"1:5", "P0012"},     {"1:", "P0001"},
        {"1:x", "P0001"},   {"\"a\":1", "P0001"}, {"\"\\400\"", "P0001"},
    };
    fixture *f = *state;
    char text[128];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)snprintf(text, sizeof text, ".version 4.1\n.kernel k\n.kernel_attr A=%s\n",
                       rows[i].value);
        assert_int_equal(read_text(f, text), VISAGE_SYNTAX);
        assert_string_equal(visage_diagnostics_get(f->diagnostics, 0)->code, rows[i].code);
    }
    (void)read_good(f, ".version 4.1\n.kernel k\n.kernel_attr A=-128:1\n");
    /* Names end at a NUL. */
    assert_int_equal(read_text(f, ".version 4.1\n.kernel \"k\\0l\"\n"), VISAGE_SYNTAX);
    assert_string_equal(visage_diagnostics_get(f->diagnostics, 0)->code, "P0001");
}

/* 4_visa_header, file_scope_var_info: its attributes name strings, of which pool is not said.
 */
static void file_variables(void **state)
{
    survives(*state,
             &(parts){.globals = "w:2 01 w:1 s:a 21 w:7 00 02 w:2 s:bc 5d w:1 02 d:7 "
                                 "00 d:4294967295 03 610022"},
             ".static_variable \"a\" type=d num_elts=7 align=dword\n"
             ".global_variable \"bc\" type=q num_elts=1 align=GRF "
             "attrs={7, 4294967295=\"a\\000\\\"\"}\n");
}

static void file_variable_errors(void **state)
{
    static const char *const rows[] = {"{a}", "{-1}", "{4294967296}", "{1=2}", "{1=\"}", "{1"};
    fixture *f = *state;
    char text[128];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)snprintf(text, sizeof text,
                       ".version 4.1\n.global_variable v type=d num_elts=1 attrs=%s\n",
                       rows[i]);
        assert_int_equal(read_text(f, text), VISAGE_SYNTAX);
    }
}

/* What text cannot hold is told. */
static void left_out(void **state)
{
    const vsg_txt_print_options options = {.all_attributes = true};
    fixture *f = *state;
    char text[8192] = "";

    (void)read_good(f, ".version 4.1\n.kernel \"k\"\nl:\n    ret (M1, 1)\n");
    assert_int_equal(vsg_txt_print(f->module, &options, append, text), VISAGE_OK);
    assert_null(strstr(text, "Not in text"));
    vsg_obj_unit *unit = f->module->units[0];
    assert_non_null(vsg_obj_add_attribute(f->module, &unit->labels[0].attributes));
    unit->stored.num_vmes = 2;
    unit->stored.num_function_relocs = 1;
    text[0] = 0;
    assert_int_equal(vsg_txt_print(f->module, &options, append, text), VISAGE_OK);
    assert_non_null(strstr(text, "\n// Not in text: 2 VME variable(s), 1 relocation(s) of "
                                 "functions, 1 label(s) with attributes\n"));
    unit->stored.num_vmes = 0;
    unit->stored.num_function_relocs = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(attribute_sizes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(attribute_size_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(file_variables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(file_variable_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(left_out, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
