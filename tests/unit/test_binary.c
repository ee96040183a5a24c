/* SPDX-License-Identifier: MIT
 *
 * Real binaries (tests/data/binary): read and written byte for byte, compared with the listings
 * of the same kernels, and taken through the documented layout and back. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "binary_files.h"

static void no_diagnostics(const fixture *f, const char *name)
{
    const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);

    if (found)
        fail_msg("%s: %s [%s]", name, found->message, found->code);
}

static void must_equal(const vsg_obj_bytes *found, const uint8_t *wanted, size_t size,
                       const char *name)
{
    size_t at = 0;

    while (at < found->size && at < size && found->data[at] == wanted[at])
        at++;
    if (found->size != size || at < size)
        fail_msg("%s: %zu bytes, expected %zu, first difference at 0x%zx", name, found->size,
                 size, at);
}

static void read_good_binary(fixture *f, const uint8_t *bytes, size_t size, const char *name)
{
    visage_status status = read_binary(f, bytes, size);

    no_diagnostics(f, name);
    assert_int_equal(status, VISAGE_OK);
}

static void must_be_same(const vsg_obj_unit *a, const vsg_obj_unit *b, bool text_too,
                         const char *name)
{
    comparison c = {.a = a, .b = b, .text_too = text_too};

    if (!same_units(&c))
        fail_msg("%s: %s", name, c.text);
}

typedef void file_check(fixture *f, const char *name, const uint8_t *bytes, size_t size);

static void for_each(void **state, file_check *check)
{
    size_t checked = 0;

    for (size_t i = 0; i < num_names; i++) {
        size_t size;
        if (!ends_in(names[i], ".isa"))
            continue;
        uint8_t *bytes = load(names[i], &size);
        read_good_binary(*state, bytes, size, names[i]);
        check(*state, names[i], bytes, size);
        free(bytes);
        checked++;
    }
    assert_true(checked >= 20);
}

/* ---- read and written ------------------------------------------------------------------- */

static void check_again(fixture *f, const char *name, const uint8_t *bytes, size_t size)
{
    vsg_obj_bytes out;

    assert_int_equal(f->module->layout, VSG_OBJ_LAYOUT_IGC);
    assert_int_equal(f->module->version_major, 4);
    assert_int_equal(f->module->version_minor, 1);
    assert_int_equal(vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_NONE, f->diagnostics, &out),
                     VISAGE_OK);
    must_equal(&out, bytes, size, name);
    vsg_obj_bytes_free(&f->alloc, &out);
}

static void same_bytes(void **state)
{
    for_each(state, check_again);
}

/* The file says for which device it was made: its GEN binary does. */
static void check_platform(fixture *f, const char *name, const uint8_t *bytes, size_t size)
{
    char device[32];

    (void)bytes;
    (void)size;
    (void)snprintf(device, sizeof device, "%.*s", (int)strcspn(name, "."), name);
    assert_int_equal(f->module->platform, visage_platform_find(device));
    assert_int_equal(f->module->units[0]->stored.num_gen_binaries, 1);
    assert_true(f->module->units[0]->stored.gen_binaries[0].size_bytes > 0);
}

static void platforms(void **state)
{
    for_each(state, check_platform);
}

/* ---- with the listings ------------------------------------------------------------------ */

static void check_listing(fixture *f, const char *name, const uint8_t *bytes, size_t size)
{
    char listing[512];

    (void)bytes;
    (void)size;
    for (size_t i = 0; i < f->module->num_units; i++) {
        const vsg_obj_unit *unit = f->module->units[i];
        listing_of(name, unit, listing, sizeof listing);
        vsg_obj_module *text = read_listing(f, listing, f->module->platform);
        add_unlisted(text->units[0], unit);
        must_be_same(unit, text->units[0], true, listing);
        vsg_obj_destroy(&text);
    }
}

static void as_listed(void **state)
{
    for_each(state, check_listing);
}

/* ---- made of the listings --------------------------------------------------------------- */

static void add_listing(fixture *f, vsg_obj_module *module, const char *listing)
{
    size_t size;
    uint8_t *text = load(listing, &size);
    vsg_txt_input input = {.name = listing, .text = (const char *)text, .size_bytes = size};

    assert_int_equal(vsg_txt_parse(module, &input, f->diagnostics), VISAGE_OK);
    free(text);
}

/* What no listing has: the name of the file for assembly, first of the attributes. */
static void add_asm_path(vsg_obj_module *text, vsg_obj_unit *unit, const vsg_obj_unit *binary)
{
    const vsg_obj_attribute *path = &binary->attributes.items[0];
    vsg_obj_attributes *list = &unit->attributes;

    assert_string_equal(path->name, "OutputAsmPath");
    assert_non_null(vsg_obj_add_attribute(text, list));
    memmove(&list->items[1], list->items, (list->count - 1) * sizeof *list->items);
    list->items[0] = *path;
}

/* The compiler's listings make the compiler's binary, byte for byte, but for what only a binary
 * can have: GEN code, which is left out here. */
static void check_made(fixture *f, const char *name, const uint8_t *bytes, size_t size)
{
    vsg_obj_module *text = vsg_obj_create(&f->alloc);
    vsg_obj_bytes wanted, made;
    char listing[512];

    (void)bytes;
    (void)size;
    assert_non_null(text);
    for (size_t i = 0; i < f->module->num_units; i++) {
        vsg_obj_unit *unit = f->module->units[i];
        listing_of(name, unit, listing, sizeof listing);
        add_listing(f, text, listing);
        if (!unit->is_function)
            add_asm_path(text, text->units[i], unit);
        unit->stored.num_gen_binaries = 0;
    }
    assert_int_equal(
        vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_NONE, f->diagnostics, &wanted),
        VISAGE_OK);
    assert_int_equal(vsg_obj_write_binary(text, VSG_OBJ_LAYOUT_IGC, f->diagnostics, &made),
                     VISAGE_OK);
    must_equal(&made, wanted.data, wanted.size, name);
    vsg_obj_bytes_free(&f->alloc, &made);
    vsg_obj_bytes_free(&f->alloc, &wanted);
    vsg_obj_destroy(&text);
}

static void made_of_listings(void **state)
{
    for_each(state, check_made);
}

/* ---- through the documented layout ------------------------------------------------------ */

static void check_doc_functions(const vsg_obj_module *doc, const vsg_obj_bytes *bytes)
{
    for (size_t i = 0; i < doc->num_units; i++) {
        const vsg_obj_unit *unit = doc->units[i];
        if (!unit->is_function)
            continue;
        assert_int_equal(unit->linkage, VSG_OBJ_LINKAGE_GLOBAL);
        /* Functions come before kernels (4_visa_header, vISA Object Format). */
        assert_true(unit->stored.offset_bytes < doc->units[0]->stored.offset_bytes);
        /* string_count, then n0, the null string */
        assert_int_equal(bytes->data[unit->stored.offset_bytes + 4], 0);
    }
}

static void check_doc(fixture *f, const char *name, const uint8_t *bytes, size_t size)
{
    vsg_obj_bytes doc, again, back;
    vsg_obj_module *module = vsg_obj_create(&f->alloc);

    assert_non_null(module);
    assert_int_equal(vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_DOC, f->diagnostics, &doc),
                     VISAGE_OK);
    vsg_obj_binary input = {.name = name, .data = doc.data, .size_bytes = doc.size};
    assert_int_equal(vsg_obj_read_binary(module, &input, f->diagnostics), VISAGE_OK);
    no_diagnostics(f, name);
    assert_int_equal(module->layout, VSG_OBJ_LAYOUT_DOC);
    assert_int_equal(module->num_units, f->module->num_units);
    for (size_t i = 0; i < module->num_units; i++) {
        comparison c = {.a = f->module->units[i], .b = module->units[i], .numbered = true};
        if (!same_units(&c))
            fail_msg("%s: %s", name, c.text);
    }
    check_doc_functions(module, &doc);

    assert_int_equal(vsg_obj_write_binary(module, VSG_OBJ_LAYOUT_NONE, f->diagnostics, &again),
                     VISAGE_OK);
    must_equal(&again, doc.data, doc.size, name);
    assert_int_equal(vsg_obj_write_binary(module, VSG_OBJ_LAYOUT_IGC, f->diagnostics, &back),
                     VISAGE_OK);
    must_equal(&back, bytes, size, name);
    vsg_obj_bytes_free(&f->alloc, &back);
    vsg_obj_bytes_free(&f->alloc, &again);
    vsg_obj_bytes_free(&f->alloc, &doc);
    vsg_obj_destroy(&module);
}

static void through_doc(void **state)
{
    for_each(state, check_doc);
}

/* ---- facts worked out from the bytes (spec dialect 1.1) --------------------------------- */

static void known_facts(void **state)
{
    fixture *f = *state;
    size_t size;
    uint8_t *bytes = load("pvc.calls.fc3.c1.isa", &size);

    read_good_binary(f, bytes, size, "pvc.calls.fc3.c1");
    const vsg_obj_unit *kernel = f->module->units[0], *baz = f->module->units[1];
    assert_int_equal(f->module->num_units, 3);
    assert_string_equal(kernel->name, "c1");
    assert_string_equal(baz->name, "baz");
    assert_true(baz->is_function);
    assert_int_equal(baz->linkage, VSG_OBJ_LINKAGE_GLOBAL);
    assert_int_equal(kernel->stored.offset_bytes, 0x4e);
    assert_int_equal(kernel->stored.size_bytes, 0xe19);
    assert_int_equal(kernel->stored.num_strings, 0x69);
    assert_string_equal(kernel->stored.strings[0], "c1");
    assert_string_equal(kernel->stored.strings[28], "S31");
    assert_int_equal(kernel->stored.gen_binaries[0].platform, 15);
    assert_int_equal(kernel->stored.gen_binaries[0].size_bytes, 0x840);
    assert_int_equal(f->module->platform, VISAGE_PLATFORM_PVC);
    assert_int_equal(kernel->num_variables, 0x3f);
    assert_string_equal(kernel->variables[0].name, "V0032");
    assert_int_equal(kernel->variables[0].type, VISAGE_TYPE_D);
    assert_int_equal(kernel->variables[0].align, 8);
    assert_int_equal(kernel->variables[0].alias, VSG_OBJ_NO_ALIAS);
    assert_int_equal(kernel->variables[1].alias, VSG_ISA_VAR_R0);
    assert_string_equal(kernel->samplers[0].name, "S0");
    assert_string_equal(kernel->samplers[0].v_name, "S000");
    assert_string_equal(kernel->surfaces[0].name, "T6");
    assert_string_equal(kernel->surfaces[0].v_name, "T006");
    assert_int_equal(vsg_obj_attribute_value(&kernel->attributes, "SimdSize", 0), 16);
    assert_string_equal(vsg_obj_attribute_find(&kernel->attributes, "Target")->string, "3d");
    assert_non_null(vsg_obj_attribute_find(&kernel->attributes, "OutputAsmPath"));
    assert_int_equal(kernel->insts[1].place.line, 0);
    vsg_base_location where = vsg_obj_locate(kernel, &kernel->insts[1]);
    assert_true(where.has_offset);
    assert_int_equal(bytes[where.offset], 0x21); /* or */
    free(bytes);
}

/* ---- short of memory -------------------------------------------------------------------- */

static void no_memory_reading(void **state)
{
    fixture *f = *state;
    size_t size;
    uint8_t *bytes = load("skl.calls.fc3.c1.isa", &size);

    for (size_t n = 1;; n++) {
        f->counts = (counting){.live_bytes = f->counts.live_bytes, .fail = n};
        visage_status status = read_binary(f, bytes, size);
        bool failed = f->counts.calls >= n;
        f->counts.fail = 0;
        clean(f);
        assert_int_equal(status, failed ? VISAGE_NO_MEMORY : VISAGE_OK);
        if (!failed)
            break;
    }
    free(bytes);
}

static void no_memory_writing(void **state)
{
    fixture *f = *state;
    size_t size, failures = 0;
    uint8_t *bytes = load("skl.calls.fc3.c1.isa", &size);

    read_good_binary(f, bytes, size, "skl.calls.fc3.c1");
    for (size_t n = 1;; n++) {
        vsg_obj_bytes out;
        size_t before = f->counts.live_bytes;
        f->counts = (counting){.live_bytes = before, .fail = n};
        visage_status status =
            vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_DOC, f->diagnostics, &out);
        bool failed = f->counts.calls >= n;
        f->counts.fail = 0;
        assert_int_equal(status, failed ? VISAGE_NO_MEMORY : VISAGE_OK);
        vsg_obj_bytes_free(&f->alloc, &out);
        assert_int_equal(f->counts.live_bytes, before);
        if (!failed)
            break;
        failures++;
    }
    assert_true(failures > 5);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(same_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(platforms, set_up, tear_down),
        cmocka_unit_test_setup_teardown(as_listed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(made_of_listings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(through_doc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(known_facts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_memory_reading, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_memory_writing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, find_files, forget_files);
}
