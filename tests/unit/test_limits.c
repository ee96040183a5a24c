/* SPDX-License-Identifier: MIT
 *
 * The limits of the documents (src/object/limits.def) in text and in what is written: what is
 * at the limit is read, written in both layouts and read again, what has one more is refused by
 * each side with the limit's own diagnostic. Reading binaries beyond them: test_binary_form.c.
 * Numbers are those of 4_visa_header, less what predefined variables take. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "binary_support.h"

/* A text that grows. */
typedef struct growing {
    char *text;
    size_t length, capacity;
} growing;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
more_text(growing *g, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    size_t length = (size_t)vsnprintf(NULL, 0, format, args);
    if (g->capacity - g->length <= length) {
        g->capacity = 2 * g->capacity + length + 1;
        g->text = realloc(g->text, g->capacity);
        assert_non_null(g->text);
    }
    (void)vsnprintf(g->text + g->length, g->capacity - g->length, format, again);
    g->length += length;
    va_end(args);
    va_end(again);
}

/* n letters */
static void put_letters(growing *g, size_t n)
{
    for (size_t i = 0; i < n; i++)
        more_text(g, "a");
}

static void put_kernel(growing *g)
{
    more_text(g, ".kernel \"k\"\n");
}

/* ---- texts with n of something ---------------------------------------------------------- */

static void kernels(growing *g, size_t n)
{
    for (size_t i = 0; i < n; i++)
        more_text(g, ".kernel \"k%zu\"\n", i);
}

static void unit_name(growing *g, size_t n)
{
    more_text(g, ".kernel \"");
    put_letters(g, n);
    more_text(g, "\"\n");
}

static void declarations(growing *g, size_t n, const char *rest)
{
    put_kernel(g);
    for (size_t i = 0; i < n; i++)
        more_text(g, ".decl x%zu num_elts=1 %s\n", i, rest);
}

static void variables(growing *g, size_t n)
{
    declarations(g, n, "v_type=G type=b");
}

static void addresses(growing *g, size_t n)
{
    declarations(g, n, "v_type=A");
}

static void predicates(growing *g, size_t n)
{
    declarations(g, n, "v_type=P");
}

static void samplers(growing *g, size_t n)
{
    declarations(g, n, "v_type=S");
}

static void surfaces(growing *g, size_t n)
{
    declarations(g, n, "v_type=T");
}

static void labels(growing *g, size_t n)
{
    put_kernel(g);
    for (size_t i = 0; i < n; i++)
        more_text(g, "l%zu:\n", i);
}

static void inputs(growing *g, size_t n)
{
    variables(g, n);
    for (size_t i = 0; i < n; i++)
        more_text(g, ".input x%zu offset=%zu size=1\n", i, 32 + i);
}

static void elements(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".decl x v_type=G type=b num_elts=%zu\n", n);
}

static void bytes_of_words(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".decl x v_type=G type=w num_elts=%zu\n", n / 2);
}

static void address_elements(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".decl x v_type=A num_elts=%zu\n", n);
}

static void predicate_elements(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".decl x v_type=P num_elts=%zu\n", n);
}

static void sampler_elements(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".decl x v_type=S num_elts=%zu\n", n);
}

static void surface_elements(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".decl x v_type=T num_elts=%zu\n", n);
}

static void variable_name(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".decl ");
    put_letters(g, n);
    more_text(g, " v_type=G type=d num_elts=1\n");
}

static void predicate_name(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".decl ");
    put_letters(g, n);
    more_text(g, " v_type=P num_elts=1\n");
}

static void surface_name(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".decl t v_type=T num_elts=1 v_name=");
    put_letters(g, n);
    more_text(g, "\n");
}

static void label_name(growing *g, size_t n)
{
    put_kernel(g);
    put_letters(g, n);
    more_text(g, ":\n");
}

static void attribute_name(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".kernel_attr ");
    put_letters(g, n);
    more_text(g, "=1\n");
}

static void attribute_name_of_variable(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".decl x v_type=G type=d num_elts=1 attrs={");
    put_letters(g, n);
    more_text(g, "=1}\n");
}

static void attribute_character(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".kernel_attr \"a\\%03zo\"=1\n", n);
}

static void attribute_size(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".kernel_attr Other=\"");
    put_letters(g, n);
    more_text(g, "\"\n");
}

static void asm_path(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".kernel_attr OutputAsmPath=\"");
    put_letters(g, n);
    more_text(g, "\"\n");
}

static void variable_attributes(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g, ".decl x v_type=G type=d num_elts=1 attrs={a");
    for (size_t i = 1; i < n; i++)
        more_text(g, ",a");
    more_text(g, "}\n");
}

static void unit_attributes(growing *g, size_t n)
{
    put_kernel(g);
    more_text(g,
              ".kernel_attr OutputAsmPath=\"a\"\n"); /* the compiler's layout always has it */
    for (size_t i = 1; i < n; i++)
        more_text(g, ".kernel_attr a\n");
}

static void arg_size(growing *g, size_t n)
{
    more_text(g, ".global_function \"f\"\n.kernel_attr ArgSize=%zu\n", n);
}

static void ret_val_size(growing *g, size_t n)
{
    more_text(g, ".global_function \"f\"\n.kernel_attr RetValSize=%zu\n", n);
}

/* ---- one more --------------------------------------------------------------------------- */

static vsg_obj_unit *first(vsg_obj_module *module)
{
    return module->units[0];
}

static void more_kernels(vsg_obj_module *module)
{
    assert_non_null(vsg_obj_add_unit(module, "k", 1, false));
}

static const char *longer(vsg_obj_module *module, const char *name)
{
    size_t length = strlen(name);
    char *text = malloc(length + 1);

    assert_non_null(text);
    memcpy(text, name, length);
    text[length] = 'a';
    const char *copy = vsg_obj_text(module, text, length + 1);
    assert_non_null(copy);
    free(text);
    return copy;
}

static void longer_unit_name(vsg_obj_module *module)
{
    first(module)->name = longer(module, first(module)->name);
}

static void more_variables(vsg_obj_module *module)
{
    vsg_obj_variable *added = vsg_obj_add_variable(module, first(module));

    assert_non_null(added);
    *added = first(module)->variables[0];
}

typedef vsg_obj_state *add_state(vsg_obj_module *module, vsg_obj_unit *unit);

static void more_states(vsg_obj_module *module, add_state *add, vsg_obj_state **table)
{
    vsg_obj_state *added = add(module, first(module));

    assert_non_null(added);
    *added = (*table)[0];
}

static void more_addresses(vsg_obj_module *module)
{
    more_states(module, vsg_obj_add_address, &first(module)->addresses);
}

static void more_predicates(vsg_obj_module *module)
{
    more_states(module, vsg_obj_add_predicate, &first(module)->predicates);
}

static void more_samplers(vsg_obj_module *module)
{
    more_states(module, vsg_obj_add_sampler, &first(module)->samplers);
}

static void more_surfaces(vsg_obj_module *module)
{
    more_states(module, vsg_obj_add_surface, &first(module)->surfaces);
}

static void more_labels(vsg_obj_module *module)
{
    vsg_obj_label *added = vsg_obj_add_label(module, first(module));

    assert_non_null(added);
    added->name = "l";
}

static void more_inputs(vsg_obj_module *module)
{
    vsg_obj_input *added = vsg_obj_add_input(module, first(module));

    assert_non_null(added);
    added->id = VSG_ISA_FIRST_VARIABLE;
}

static void more_elements(vsg_obj_module *module)
{
    first(module)->variables[0].num_elements++;
}

static void more_address_elements(vsg_obj_module *module)
{
    first(module)->addresses[0].num_elements++;
}

static void more_predicate_elements(vsg_obj_module *module)
{
    first(module)->predicates[0].num_elements *= 2;
}

static void more_sampler_elements(vsg_obj_module *module)
{
    first(module)->samplers[0].num_elements++;
}

static void more_surface_elements(vsg_obj_module *module)
{
    first(module)->surfaces[0].num_elements++;
}

static void longer_variable_name(vsg_obj_module *module)
{
    first(module)->variables[0].name = longer(module, first(module)->variables[0].name);
}

static void longer_predicate_name(vsg_obj_module *module)
{
    first(module)->predicates[0].name = longer(module, first(module)->predicates[0].name);
}

static void longer_surface_name(vsg_obj_module *module)
{
    first(module)->surfaces[0].v_name = longer(module, first(module)->surfaces[0].v_name);
}

static void longer_label_name(vsg_obj_module *module)
{
    first(module)->labels[0].name = longer(module, first(module)->labels[0].name);
}

static vsg_obj_attribute *first_attribute(vsg_obj_module *module)
{
    return &first(module)->attributes.items[0];
}

static void longer_attribute_name(vsg_obj_module *module)
{
    first_attribute(module)->name = longer(module, first_attribute(module)->name);
}

static void longer_attribute_name_of_variable(vsg_obj_module *module)
{
    vsg_obj_attribute *attribute = &first(module)->variables[0].attributes.items[0];

    attribute->name = longer(module, attribute->name);
}

static void higher_character(vsg_obj_module *module)
{
    first_attribute(module)->name = "a\177";
}

static void no_path(vsg_obj_module *module)
{
    first_attribute(module)->string = "";
    first_attribute(module)->size_bytes = 0;
}

static void more_variable_attributes(vsg_obj_module *module)
{
    vsg_obj_attribute *added =
        vsg_obj_add_attribute(module, &first(module)->variables[0].attributes);

    assert_non_null(added);
    added->name = "a";
}

static void more_unit_attributes(vsg_obj_module *module)
{
    vsg_obj_attribute *added = vsg_obj_add_attribute(module, &first(module)->attributes);

    assert_non_null(added);
    added->name = "a";
}

static void larger_attribute(vsg_obj_module *module)
{
    first_attribute(module)->value++;
}

/* ---- all of them ------------------------------------------------------------------------ */

typedef struct row {
    const char *name, *code;
    void (*make)(growing *g, size_t n);
    size_t most;
    void (*grow)(vsg_obj_module *module); /* NULL: a module cannot hold more */
    size_t step;                          /* 0: 1 */
} row;

#define ROW(make, code, most, grow)                                                            \
    {                                                                                          \
#make, code, make, most, grow, 0                                                       \
    }
static const row rows[] = {
    ROW(kernels, "R0058", 512, more_kernels),
    ROW(unit_name, "R0059", 1023, longer_unit_name),
    ROW(variables, "R0062", 262144, more_variables),
    ROW(addresses, "R0063", 4096, more_addresses),
    ROW(predicates, "R0064", 65534, more_predicates),
    ROW(samplers, "R0065", 31, more_samplers),
    ROW(surfaces, "R0066", 250, more_surfaces),
    ROW(labels, "R0067", 65535, more_labels),
    ROW(inputs, "R0068", 4096, more_inputs),
    ROW(elements, "R0069", 16384, more_elements),
    {"bytes", "R0070", bytes_of_words, 16384, more_elements, 2},
    ROW(address_elements, "R0071", 16, more_address_elements),
    ROW(predicate_elements, "R0072", 32, more_predicate_elements),
    ROW(sampler_elements, "R0069", 65535, more_sampler_elements),
    ROW(surface_elements, "R0069", 65535, more_surface_elements),
    ROW(variable_name, "R0073", 64, longer_variable_name),
    ROW(predicate_name, "R0073", 64, longer_predicate_name),
    ROW(surface_name, "R0073", 64, longer_surface_name),
    ROW(label_name, "R0074", 1024, longer_label_name),
    ROW(attribute_name, "R0075", 64, longer_attribute_name),
    ROW(attribute_name_of_variable, "R0075", 64, longer_attribute_name_of_variable),
    ROW(attribute_character, "R0075", 126, higher_character),
    ROW(attribute_size, "R0076", 255, NULL),
    ROW(asm_path, "R0076", 255, no_path),
    ROW(variable_attributes, "R0076", 255, more_variable_attributes),
    ROW(unit_attributes, "R0076", 65535, more_unit_attributes),
    ROW(arg_size, "R0077", 32, larger_attribute),
    ROW(ret_val_size, "R0077", 12, larger_attribute),
};
enum { NUM_ROWS = sizeof rows / sizeof rows[0] };

static visage_status read_made(fixture *f, void (*make)(growing *g, size_t n), size_t n)
{
    growing g = {.capacity = 1024, .text = malloc(1024)};

    assert_non_null(g.text);
    more_text(&g, ".version 4.1\n");
    make(&g, n);
    visage_status status = read_text(f, g.text);
    free(g.text);
    return status;
}

static void expect_refusal(const fixture *f, const char *name, const char *side,
                           const char *code)
{
    const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);

    if (!found || strcmp(found->code, code) != 0)
        fail_msg("%s, %s: %s %s, expected %s", name, side, found ? found->code : "nothing",
                 found ? found->message : "", code);
    if (visage_diagnostics_count(f->diagnostics) != 1)
        fail_msg("%s, %s: further diagnostics", name, side);
}

static void expect_good(const fixture *f, const char *name, const char *side,
                        visage_status status)
{
    const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);

    if (status != VISAGE_OK || found)
        fail_msg("%s, %s: %s, %s", name, side, visage_status_name(status),
                 found ? found->message : "");
}

static void at_the_limit(fixture *f, const row *r)
{
    static const vsg_obj_layout layouts[] = {VSG_OBJ_LAYOUT_DOC, VSG_OBJ_LAYOUT_IGC};
    vsg_obj_bytes out;

    expect_good(f, r->name, "text", read_made(f, r->make, r->most));
    for (unsigned i = 0; i < 2; i++) {
        expect_good(f, r->name, "written",
                    vsg_obj_write_binary(f->module, layouts[i], f->diagnostics, &out));
        vsg_obj_module *module = vsg_obj_create(&f->alloc);
        assert_non_null(module);
        expect_good(f, r->name, "binary",
                    vsg_obj_read_binary(
                        module, &(vsg_obj_binary){.data = out.data, .size_bytes = out.size},
                        f->diagnostics));
        vsg_obj_destroy(&module);
        vsg_obj_bytes_free(&f->alloc, &out);
    }
}

static void one_more(fixture *f, const row *r)
{
    vsg_obj_bytes out;

    if (r->grow) { /* the module is the one that was good */
        r->grow(f->module);
        assert_int_equal(
            vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_DOC, f->diagnostics, &out),
            VISAGE_INVALID);
        assert_null(out.data);
        expect_refusal(f, r->name, "written", r->code);
    }
    assert_int_equal(read_made(f, r->make, r->most + (r->step ? r->step : 1)), VISAGE_SYNTAX);
    expect_refusal(f, r->name, "text", r->code);
    assert_true(visage_diagnostics_get(f->diagnostics, 0)->line > 0);
}

static void all_limits(void **state)
{
    for (size_t i = 0; i < NUM_ROWS; i++) {
        at_the_limit(*state, &rows[i]);
        one_more(*state, &rows[i]);
    }
}

/* Smallest values, where that is not none. */
static void too_few(void **state)
{
    static const row least[] = {
        ROW(unit_name, "R0059", 0, NULL),
        ROW(elements, "R0069", 0, NULL),
        ROW(address_elements, "R0071", 0, NULL),
        ROW(predicate_elements, "R0072", 0, NULL),
        ROW(predicate_elements, "R0072", 12, NULL),
        ROW(sampler_elements, "R0069", 0, NULL),
        ROW(surface_elements, "R0069", 0, NULL),
        ROW(asm_path, "R0076", 0, NULL),
        ROW(attribute_character, "R0075", 31, NULL),
    };

    for (size_t i = 0; i < sizeof least / sizeof least[0]; i++) {
        assert_int_equal(read_made(*state, least[i].make, least[i].most), VISAGE_SYNTAX);
        const fixture *f = *state;
        const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);
        assert_non_null(found);
        assert_string_equal(found->code, least[i].code);
    }
}

/* 327,680 strings: those that every pool of the layout has, the others names of variables and
 * labels. */
static void strings(void **state)
{
    /* The kernel, V0 to V20, T0 to T5, S31; OutputAsmPath. */
    enum { PREDEFINED = 30, MOST_LABELS = 65535 };
    fixture *f = *state;
    size_t rest = 327680 - PREDEFINED - MOST_LABELS;
    vsg_obj_bytes out;

    for (size_t more = 0; more < 2; more++) {
        growing g = {.capacity = 1024, .text = malloc(1024)};
        assert_non_null(g.text);
        more_text(&g, ".version 4.1\n");
        variables(&g, rest + more);
        more_text(&g, ".kernel_attr OutputAsmPath=\"a\"\n");
        for (size_t i = 0; i < MOST_LABELS; i++)
            more_text(&g, "l%zu:\n", i);
        expect_good(f, "strings", "text", read_text(f, g.text));
        free(g.text);
        visage_status status =
            vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_IGC, f->diagnostics, &out);
        if (more)
            expect_refusal(f, "strings", "written", "R0061");
        else
            expect_good(f, "strings", "written", status);
        vsg_obj_bytes_free(&f->alloc, &out);
    }
}

/* A name in the header may be longer than the one in the pool. */
static void header_name(void **state)
{
    fixture *f = *state;
    vsg_obj_bytes out;

    for (size_t length = 65535; length <= 65536; length++) {
        (void)read_good(f, ".version 4.1\n.kernel \"k\"\n");
        char *name = malloc(length + 1);
        assert_non_null(name);
        memset(name, 'a', length);
        name[length] = '\0';
        first(f->module)->name = name;
        first(f->module)->stored.pool_name = "k";
        visage_status status =
            vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_DOC, f->diagnostics, &out);
        if (length == 65535)
            expect_good(f, "header_name", "written", status);
        else
            expect_refusal(f, "header_name", "written", "R0059");
        vsg_obj_bytes_free(&f->alloc, &out);
        free(name);
    }
}

static void file_variable(fixture *f, vsg_obj_file_variable *variable, bool good)
{
    vsg_obj_bytes out;

    (void)read_good(f, ".version 4.1\n.kernel \"k\"\n");
    f->module->file_variables = variable;
    f->module->num_file_variables = 1;
    visage_status status =
        vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_DOC, f->diagnostics, &out);
    if (good)
        expect_good(f, "file_variable", "written", status);
    else
        expect_refusal(f, "file_variable", "written", "R0078");
    vsg_obj_bytes_free(&f->alloc, &out);
}

static void file_variables(void **state)
{
    char name[257];

    memset(name, 'a', 256);
    name[256] = '\0';
    vsg_obj_file_variable variable = {.name = name + 1, .num_elements = 1024};
    file_variable(*state, &variable, true);
    variable.num_elements = 1025;
    file_variable(*state, &variable, false);
    variable.num_elements = 0;
    file_variable(*state, &variable, false);
    variable.num_elements = 1;
    file_variable(*state, &variable, true);
    variable.name = name;
    file_variable(*state, &variable, false);
    variable.name = "";
    file_variable(*state, &variable, false);
}

/* What else only a binary has. */
static void stored(void **state)
{
    static const uint8_t nothing;
    fixture *f = *state;
    vsg_obj_gen_binary binaries[5];
    vsg_obj_bytes out;

    for (size_t i = 0; i < 5; i++)
        binaries[i] = (vsg_obj_gen_binary){.data = &nothing};
    for (size_t count = 4; count <= 5; count++) {
        (void)read_good(f, ".version 4.1\n.kernel \"k\"\n");
        first(f->module)->stored.gen_binaries = binaries;
        first(f->module)->stored.num_gen_binaries = count;
        visage_status status =
            vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_DOC, f->diagnostics, &out);
        if (count == 4)
            expect_good(f, "gen_binaries", "written", status);
        else
            expect_refusal(f, "gen_binaries", "written", "R0060");
        vsg_obj_bytes_free(&f->alloc, &out);
    }
    for (unsigned i = 0; i < 4; i++) {
        static const uint8_t sizes[4][2] = {{32, 0}, {33, 0}, {0, 12}, {0, 13}};
        (void)read_good(f, ".version 4.1\n.global_function \"f\"\n");
        first(f->module)->stored.input_grfs = sizes[i][0];
        first(f->module)->stored.return_grfs = sizes[i][1];
        visage_status status =
            vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_DOC, f->diagnostics, &out);
        if (i % 2 == 0)
            expect_good(f, "function sizes", "written", status);
        else
            expect_refusal(f, "function sizes", "written", "R0077");
        vsg_obj_bytes_free(&f->alloc, &out);
    }
}

/* Integers have at most four bytes. */
static void integer_size(void **state)
{
    fixture *f = *state;
    vsg_obj_bytes out;

    (void)read_good(f, ".version 4.1\n.kernel \"k\"\n.kernel_attr SimdSize=8\n");
    first_attribute(f->module)->size_bytes = 5;
    assert_int_equal(vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_DOC, f->diagnostics, &out),
                     VISAGE_INVALID);
    expect_refusal(f, "integer_size", "written", "R0076");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_limits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_few, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(header_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(file_variables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stored, set_up, tear_down),
        cmocka_unit_test_setup_teardown(integer_size, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
