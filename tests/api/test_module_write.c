/* SPDX-License-Identifier: MIT
 *
 * Modules as text and as binary through the public interface. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "visage/visage.h"

typedef struct fixture {
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);

    assert_non_null(f);
    assert_int_equal(visage_context_create(NULL, &f->context), VISAGE_OK);
    assert_int_equal(visage_diagnostics_create(f->context, &f->diagnostics), VISAGE_OK);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;

    visage_module_destroy(&f->module);
    visage_diagnostics_destroy(&f->diagnostics);
    visage_context_destroy(&f->context);
    free(f);
    return 0;
}

static void read_bytes(fixture *f, const void *data, size_t size,
                       const visage_module_options *options)
{
    visage_module_destroy(&f->module);
    assert_int_equal(visage_module_read_memory(f->context, "file", data, size, options,
                                               f->diagnostics, &f->module),
                     VISAGE_OK);
}

typedef struct bytes {
    char *data;
    size_t size;
} bytes;

static bool append(void *user, const void *data, size_t size_bytes)
{
    bytes *b = user;

    b->data = realloc(b->data, b->size + size_bytes + 1);
    assert_non_null(b->data);
    memcpy(b->data + b->size, data, size_bytes);
    b->size += size_bytes;
    b->data[b->size] = '\0';
    return true;
}

static bool refuse(void *user, const void *data, size_t size_bytes)
{
    size_t *calls = user;

    assert_non_null(data);
    assert_true(size_bytes > 0);
    (*calls)++;
    return false;
}

/* free() what they return. */
static bytes print(const fixture *f)
{
    visage_print_options options = VISAGE_OPTIONS_INIT(visage_print_options);
    bytes b = {NULL, 0};

    options.no_comments = true;
    assert_int_equal(visage_module_print(f->module, &options, append, &b), VISAGE_OK);
    return b;
}

static bytes write_as(const fixture *f, visage_layout layout)
{
    visage_write_options options = VISAGE_OPTIONS_INIT(visage_write_options);
    bytes b = {NULL, 0};

    options.layout = layout;
    assert_int_equal(visage_module_write(f->module, &options, f->diagnostics, append, &b),
                     VISAGE_OK);
    return b;
}

static const char kernel[] = ".version 4.1\n.kernel \"k\"\n\n"
                             ".decl V32 v_type=G type=d num_elts=8 align=GRF\n"
                             ".input V32 offset=32 size=32\n"
                             ".kernel_attr SimdSize=8    \n"
                             ".function \"main\"\n\nmain:\n"
                             "    add (M1, 8) V32(0,0)<1> V32(0,0)<8;8,1> 0x1:d\n"
                             "    ret (M1, 1)\n";
static const char second[] = ".version 4.1\n.kernel \"k2\"\nret (M1, 1)\n";
static const char function[] = ".version 4.1\n.global_function \"f\"\n    \n"
                               ".function \"f\"\n\nf:\n    fret (M1, 8)\n";

static void wrong_arguments(void **state)
{
    fixture *f = *state;
    visage_print_options print_options = {.struct_size = 0};
    visage_write_options write_options = VISAGE_OPTIONS_INIT(visage_write_options);
    size_t calls = 0;

    assert_int_equal(visage_module_print(NULL, NULL, refuse, &calls), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_write(NULL, NULL, NULL, refuse, &calls), VISAGE_ARGUMENT);
    read_bytes(f, kernel, sizeof kernel - 1, NULL);
    assert_int_equal(visage_module_print(f->module, NULL, NULL, NULL), VISAGE_ARGUMENT);
    assert_int_equal(visage_module_print(f->module, &print_options, refuse, &calls),
                     VISAGE_ARGUMENT);
    assert_int_equal(visage_module_write(f->module, NULL, NULL, NULL, NULL), VISAGE_ARGUMENT);
    write_options.layout = (visage_layout)3;
    assert_int_equal(visage_module_write(f->module, &write_options, NULL, refuse, &calls),
                     VISAGE_ARGUMENT);
    assert_int_equal(calls, 0);
    assert_int_equal(visage_module_print(f->module, NULL, refuse, &calls), VISAGE_IO);
    assert_int_equal(visage_module_write(f->module, NULL, NULL, refuse, &calls), VISAGE_IO);
    assert_int_equal(calls, 2);
}

static void to_binary_and_back(void **state)
{
    fixture *f = *state;
    visage_module_info info;

    read_bytes(f, kernel, sizeof kernel - 1, NULL);
    bytes binary = write_as(f, VISAGE_LAYOUT_DEFAULT);
    bytes doc = write_as(f, VISAGE_LAYOUT_DOC);
    assert_int_equal(binary.size, doc.size);
    assert_memory_equal(binary.data, doc.data, doc.size);
    assert_memory_equal(binary.data, "CISA\4\1", 6);
    read_bytes(f, binary.data, binary.size, NULL);
    assert_int_equal(visage_module_get_info(f->module, &info), VISAGE_OK);
    assert_string_equal(info.form, "binary");
    assert_int_equal(info.num_kernels, 1);
    bytes text = print(f);
    assert_string_equal(text.data, kernel);
    bytes igc = write_as(f, VISAGE_LAYOUT_IGC);
    read_bytes(f, igc.data, igc.size, NULL);
    bytes again = write_as(f, VISAGE_LAYOUT_DEFAULT);
    assert_int_equal(again.size, igc.size);
    assert_memory_equal(again.data, igc.data, igc.size);
    free(binary.data);
    free(doc.data);
    free(text.data);
    free(igc.data);
    free(again.data);
}

static void several_texts(void **state)
{
    fixture *f = *state;
    visage_text texts[] = {{"f", function, sizeof function - 1},
                           {NULL, second, sizeof second - 1}};
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);
    visage_module_info info;
    visage_module *none = NULL;

    options.texts = texts;
    options.num_texts = 2;
    read_bytes(f, kernel, sizeof kernel - 1, &options);
    assert_int_equal(visage_module_get_info(f->module, &info), VISAGE_OK);
    assert_int_equal(info.num_kernels, 2);
    assert_int_equal(info.num_functions, 1);
    bytes text = print(f);
    assert_non_null(strstr(text.data, "ret (M1, 1)\n\n.global_function \"f\"\n"));
    assert_non_null(strstr(text.data, "fret (M1, 8)\n\n.kernel \"k2\"\n"));
    bytes binary = write_as(f, VISAGE_LAYOUT_DOC);

    /* What is wrong in a further text is reported by its name and line. */
    texts[0].data = ".version 4.1\n.kernel k\nnop\n";
    texts[0].size_bytes = strlen(texts[0].data);
    assert_int_equal(visage_module_read_memory(f->context, "file", kernel, sizeof kernel - 1,
                                               &options, f->diagnostics, &none),
                     VISAGE_SYNTAX);
    const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);
    assert_non_null(found);
    assert_string_equal(found->file, "f");
    assert_int_equal(found->line, 3);
    visage_diagnostics_clear(f->diagnostics);
    assert_int_equal(visage_module_read_memory(f->context, "file", binary.data, binary.size,
                                               &options, f->diagnostics, &none),
                     VISAGE_INVALID);
    assert_string_equal(visage_diagnostics_get(f->diagnostics, 0)->code, "R0007");
    options.texts = NULL;
    assert_int_equal(visage_module_read_memory(f->context, "file", kernel, sizeof kernel - 1,
                                               &options, f->diagnostics, &none),
                     VISAGE_ARGUMENT);
    assert_null(none);
    free(text.data);
    free(binary.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(wrong_arguments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(to_binary_and_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(several_texts, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("module_write", tests, NULL, NULL);
}
