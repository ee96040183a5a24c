/* SPDX-License-Identifier: MIT
 *
 * Linking through the public interface: arguments, what is kept, memory that runs out. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "visage/visage.h"

static const char kernel_text[] =
    ".version 4.1\n"
    ".extern_variable \"v\" type=ud num_elts=2\n"
    ".static_function \"f\"\n"
    ".kernel_attr ArgSize=0\n.kernel_attr RetValSize=0\n    fret (M1_NM, 1)\n"
    ".kernel \"k\"\n"
    ".decl V v_type=G type=ud num_elts=1 alias=<\"v\", 4>\n"
    "    mov (M1_NM, 1) V(0,0)<1> 0x1:ud\n"
    "    fcall (M1_NM, 1) f 0 0\n"
    "    fcall (M1_NM, 1) g 0 0\n"
    "    ret (M1_NM, 1)\n";
static const char function_text[] =
    ".version 4.1\n"
    ".global_variable \"v\" type=ud num_elts=2\n"
    ".global_function \"g\"\n"
    ".kernel_attr ArgSize=0\n.kernel_attr RetValSize=0\n    fret (M1_NM, 1)\n"
    ".static_function \"f\"\n"
    ".kernel_attr ArgSize=0\n.kernel_attr RetValSize=0\n    fret (M1_NM, 1)\n";

typedef struct counting {
    size_t calls, fail; /* number of the call that gets nothing, from 1; 0: none */
    size_t live_bytes;
} counting;

static void *resize(void *user, void *pointer, size_t old_size, size_t new_size)
{
    counting *counts = user;

    if (new_size == 0) {
        counts->live_bytes -= pointer ? old_size : 0;
        free(pointer);
        return NULL;
    }
    if (++counts->calls == counts->fail)
        return NULL;
    void *resized = realloc(pointer, new_size);
    assert_non_null(resized);
    counts->live_bytes += new_size - (pointer ? old_size : 0);
    return resized;
}

typedef struct fixture {
    counting counts;
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *modules[2];
} fixture;

static visage_module *read_text(const fixture *f, const char *name, const char *text)
{
    visage_module *module;

    assert_int_equal(visage_module_read_memory(f->context, name, text, strlen(text), NULL,
                                               f->diagnostics, &module),
                     VISAGE_OK);
    return module;
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    const visage_context_options options = {
        .struct_size = sizeof options, .resize = resize, .user = &f->counts};

    assert_non_null(f);
    assert_int_equal(visage_context_create(&options, &f->context), VISAGE_OK);
    assert_int_equal(visage_diagnostics_create(f->context, &f->diagnostics), VISAGE_OK);
    f->modules[0] = read_text(f, "kernel", kernel_text);
    f->modules[1] = read_text(f, "function", function_text);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;

    visage_module_destroy(&f->modules[0]);
    visage_module_destroy(&f->modules[1]);
    visage_diagnostics_destroy(&f->diagnostics);
    visage_context_destroy(&f->context);
    assert_int_equal(f->counts.live_bytes, 0);
    free(f);
    return 0;
}

static visage_status link_both(const fixture *f, const visage_link_options *options,
                               visage_module **out)
{
    return visage_link(f->context, (const visage_module *const *)f->modules, 2, options,
                       f->diagnostics, out);
}

static void one_of_two(void **state)
{
    fixture *f = *state;
    visage_module *linked;
    visage_module_info info;
    visage_unit unit;
    visage_file_variable variable;

    assert_int_equal(link_both(f, NULL, &linked), VISAGE_OK);
    /* It stands alone. */
    visage_module_destroy(&f->modules[0]);
    visage_module_destroy(&f->modules[1]);
    assert_int_equal(visage_module_get_info(linked, &info), VISAGE_OK);
    assert_string_equal(info.form, "made");
    assert_int_equal(info.num_kernels, 1);
    assert_int_equal(info.num_functions, 3);
    assert_int_equal(visage_module_get_unit(linked, 0, &unit, NULL), VISAGE_OK);
    assert_string_equal(unit.name, "k");
    assert_int_equal(visage_module_get_file_variable(linked, 0, &variable), VISAGE_OK);
    assert_int_equal(variable.linkage, VISAGE_LINKAGE_GLOBAL);
    assert_int_equal(visage_module_get_file_variable(linked, 1, &variable), VISAGE_ARGUMENT);
    assert_int_equal(visage_verify(linked, NULL, f->diagnostics), VISAGE_OK);
    assert_int_equal(visage_diagnostics_count(f->diagnostics), 0);
    visage_module_destroy(&linked);
}

static void wrong_arguments(void **state)
{
    fixture *f = *state;
    const visage_module *const none[] = {NULL};
    visage_module *linked;

    assert_int_equal(visage_link(f->context, none, 1, NULL, NULL, &linked), VISAGE_ARGUMENT);
    assert_int_equal(visage_link(f->context, NULL, 1, NULL, NULL, &linked), VISAGE_ARGUMENT);
    assert_int_equal(visage_link(f->context, none, 0, NULL, NULL, &linked), VISAGE_ARGUMENT);
    assert_int_equal(visage_link(f->context, none, 1, NULL, NULL, NULL), VISAGE_ARGUMENT);
}

static bool refuse(void *user, const void *data, size_t size_bytes)
{
    (void)user;
    (void)data;
    (void)size_bytes;
    return false;
}

static void map_refused(void **state)
{
    const visage_link_options options = {.struct_size = sizeof options, .map = refuse};
    visage_module *linked;

    assert_int_equal(link_both(*state, &options, &linked), VISAGE_IO);
    assert_null(linked);
}

static void memory_runs_out(void **state)
{
    fixture *f = *state;
    visage_module *linked;
    size_t failures = 0;

    for (;; failures++) {
        size_t before = f->counts.live_bytes;
        f->counts.fail = f->counts.calls + failures + 1;
        visage_status status = visage_link(f->context, (const visage_module *const *)f->modules,
                                           2, NULL, NULL, &linked);
        f->counts.fail = 0;
        if (status == VISAGE_OK)
            break;
        assert_int_equal(status, VISAGE_NO_MEMORY);
        assert_null(linked);
        assert_int_equal(f->counts.live_bytes, before);
    }
    assert_true(failures > 10);
    visage_module_destroy(&linked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_of_two, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_arguments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(map_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_runs_out, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
