/* SPDX-License-Identifier: MIT
 *
 * Reading binaries in spite of errors: what there is of them is there, what is expected of it
 * follows from the same file without the error. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "binary_files.h"
#include "text/printer.h"

/* A kernel and a function, a kernel and two; functions come first in the documented layout. */
static const char two_units[] = "icllp.calls.fc3.Intel_Symbol_Table_Void_Program.isa";
static const char three_units[] = "skl.calls.fc3.c1.isa";

typedef struct sample {
    vsg_obj_module *whole;
    uint8_t *bytes; /* of it */
    size_t size;
    size_t header; /* bytes */
} sample;

static vsg_obj_module *read_whole(const uint8_t *bytes, size_t size)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_obj_module *module = vsg_obj_create(&alloc);
    vsg_obj_binary input = {.name = "k.isa", .data = bytes, .size_bytes = size};

    assert_non_null(module);
    assert_int_equal(vsg_obj_read_binary(module, &input, NULL), VISAGE_OK);
    return module;
}

static sample make_sample(const char *name, vsg_obj_layout layout)
{
    size_t size;
    uint8_t *bytes = load(name, &size);
    sample made = {.whole = read_whole(bytes, size), .bytes = bytes, .size = size};

    if (layout == VSG_OBJ_LAYOUT_DOC) {
        vsg_obj_bytes written;
        assert_int_equal(vsg_obj_write_binary(made.whole, layout, NULL, &written), VISAGE_OK);
        made.bytes = realloc(made.bytes, written.size);
        made.size = written.size;
        assert_non_null(made.bytes);
        memcpy(made.bytes, written.data, written.size);
        vsg_obj_bytes_free(&made.whole->alloc, &written);
        vsg_obj_destroy(&made.whole);
        made.whole = read_whole(made.bytes, made.size);
    }
    assert_int_equal(made.whole->layout, layout);
    made.header = SIZE_MAX;
    for (size_t i = 0; i < made.whole->num_units; i++)
        if (made.whole->units[i]->stored.offset_bytes < made.header)
            made.header = (size_t)made.whole->units[i]->stored.offset_bytes;
    return made;
}

static void free_sample(sample *s)
{
    vsg_obj_destroy(&s->whole);
    free(s->bytes);
}

static visage_status recover(fixture *f, const uint8_t *bytes, size_t size)
{
    clean(f);
    f->module = vsg_obj_create(&f->alloc);
    f->diagnostics = vsg_base_diagnostics_new(&f->alloc);
    f->text = malloc(size ? size : 1);
    if (!f->module || !f->diagnostics)
        return VISAGE_NO_MEMORY;
    assert_non_null(f->text);
    memcpy(f->text, bytes, size);
    vsg_obj_binary input = {
        .name = "k.isa", .data = f->text, .size_bytes = size, .recover = true};
    return vsg_obj_read_binary(f->module, &input, f->diagnostics);
}

/* ---- comparison ------------------------------------------------------------------------- */

static void same_inst(const vsg_obj_inst *x, const vsg_obj_inst *y)
{
    assert_int_equal(x->op, y->op);
    assert_int_equal(x->exec_size, y->exec_size);
    assert_int_equal(x->place.offset_bytes, y->place.offset_bytes);
    assert_int_equal(x->num_operands, y->num_operands);
    for (unsigned n = 0; n < x->num_operands; n++)
        assert_true(same_operand(&x->operands[n], &y->operands[n]));
}

/* The tables of `unit` are a beginning of those of `whole`: what is missing is at the end. */
static void tables_begin(const vsg_obj_unit *unit, const vsg_obj_unit *whole)
{
    assert_true(unit->num_variables <= whole->num_variables);
    assert_true(unit->num_labels <= whole->num_labels);
    assert_true(unit->num_inputs <= whole->num_inputs);
    for (size_t i = 0; i < unit->num_variables; i++) {
        const vsg_obj_variable *x = &unit->variables[i], *y = &whole->variables[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->num_elements, y->num_elements);
        assert_int_equal(x->alias, y->alias);
        assert_int_equal(x->attributes.count, y->attributes.count);
    }
    for (size_t i = 0; i < unit->num_labels; i++)
        assert_string_equal(unit->labels[i].name, whole->labels[i].name);
    for (size_t i = 0; i < unit->num_inputs; i++)
        assert_int_equal(unit->inputs[i].id, whole->inputs[i].id);
    assert_true(unit->num_labels == 0 || unit->num_variables == whole->num_variables);
    assert_true(unit->num_inputs == 0 || unit->num_labels == whole->num_labels);
}

/* A broken unit with its first `count` instructions. */
static void broken_unit(const vsg_obj_unit *unit, const vsg_obj_unit *whole, size_t count)
{
    assert_int_equal(unit->stored.damage, VSG_OBJ_DAMAGE_BROKEN);
    assert_int_equal(unit->num_insts, 0);
    assert_int_equal(unit->stored.num_whole, count);
    assert_int_equal(unit->stored.num_stream, count);
    tables_begin(unit, whole);
    for (size_t i = 0; i < count; i++) {
        same_inst(&unit->stored.whole[i], &whole->insts[i]);
        assert_int_equal(unit->stored.stream[i], whole->insts[i].op);
    }
    for (size_t i = 0; i < unit->num_labels; i++)
        assert_int_equal(unit->labels[i].inst, -1);
}

static void unbroken_unit(const vsg_obj_unit *unit, const vsg_obj_unit *whole)
{
    comparison c = {.a = unit, .b = whole};

    if (!same_units(&c))
        fail_msg("%s: %s", whole->name, c.text);
}

static bool append(void *user, const void *data, size_t size)
{
    char **text = user;
    size_t length = *text ? strlen(*text) : 0;

    *text = realloc(*text, length + size + 1);
    assert_non_null(*text);
    memcpy(*text + length, data, size);
    (*text)[length + size] = '\0';
    return true;
}

/* What is printed of the module; free() it. */
static char *printed(const fixture *f)
{
    const vsg_txt_print_options options = {.no_comments = true};
    char *text = NULL;

    assert_int_equal(vsg_txt_print(f->module, &options, append, &text), VISAGE_OK);
    return text;
}

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;

    for (; (text = strstr(text, what)); text++)
        count++;
    return count;
}

/* Nothing makes a file of it. */
static void is_not_written(fixture *f)
{
    vsg_obj_bytes out;

    assert_true(f->module->is_broken);
    for (vsg_obj_layout l = VSG_OBJ_LAYOUT_NONE; l <= VSG_OBJ_LAYOUT_IGC; l++)
        assert_int_equal(vsg_obj_write_binary(f->module, l, NULL, &out), VISAGE_INVALID);
}

/* ---- files that end too early ----------------------------------------------------------- */

static size_t end_of(const vsg_obj_unit *unit)
{
    return (size_t)(unit->stored.offset_bytes + unit->stored.size_bytes);
}

/* Instructions that end in the first `length` bytes of the file. */
static size_t insts_within(const vsg_obj_unit *unit, size_t length)
{
    size_t count = 0;

    while (count < unit->num_insts) {
        size_t end = count + 1 < unit->num_insts ? unit->insts[count + 1].place.offset_bytes
                                                 : end_of(unit);
        if (end > length)
            break;
        count++;
    }
    return count;
}

static void check_start(fixture *f, const sample *s, size_t length)
{
    size_t broken = 0;

    assert_true(f->module->num_units <= s->whole->num_units);
    for (size_t i = 0; i < f->module->num_units; i++) {
        const vsg_obj_unit *unit = f->module->units[i], *whole = s->whole->units[i];
        assert_string_equal(unit->name, whole->name);
        if (end_of(whole) <= length) {
            /* Its GEN binary may lie behind. */
            assert_int_equal(unit->stored.damage, VSG_OBJ_DAMAGE_NONE);
            assert_int_equal(unit->num_insts, whole->num_insts);
            tables_begin(unit, whole);
            continue;
        }
        broken++;
        if (f->module->header_is_broken && i + 1 < f->module->num_units)
            assert_int_equal(unit->stored.num_whole, 0);
        else
            broken_unit(unit, whole, insts_within(whole, length));
        assert_true(unit->stored.is_cut_off || length < s->header);
        assert_true(unit->stored.broken_at <= length);
    }
    char *text = printed(f);
    assert_int_equal(count_of(text, "// Reading stopped at byte 0x"), broken);
    free(text);
}

static void ends_early_in(fixture *f, const char *name, vsg_obj_layout layout)
{
    enum { AFTER_VERSION = 6 };
    sample s = make_sample(name, layout);
    size_t with_insts = 0;

    for (size_t length = 0; length < s.size; length++) {
        visage_status status = recover(f, s.bytes, length);
        assert_int_equal(status, VISAGE_MALFORMED);
        assert_true(visage_diagnostics_errors(f->diagnostics) > 0);
        assert_int_equal(f->module->is_broken, length >= AFTER_VERSION);
        assert_int_equal(f->module->header_is_broken,
                         length >= AFTER_VERSION && length < s.header);
        if (length < AFTER_VERSION)
            continue;
        check_start(f, &s, length);
        is_not_written(f);
        for (size_t i = 0; i < f->module->num_units; i++)
            with_insts += f->module->units[i]->stored.num_whole > 0;
    }
    assert_true(with_insts > 0);
    assert_int_equal(recover(f, s.bytes, s.size), VISAGE_OK);
    assert_false(f->module->is_broken);
    for (size_t i = 0; i < s.whole->num_units; i++)
        unbroken_unit(f->module->units[i], s.whole->units[i]);
    free_sample(&s);
}

static void ends_early_doc(void **state)
{
    ends_early_in(*state, two_units, VSG_OBJ_LAYOUT_DOC);
}

static void ends_early_igc(void **state)
{
    ends_early_in(*state, two_units, VSG_OBJ_LAYOUT_IGC);
}

/* ---- one wrong field -------------------------------------------------------------------- */

/* Reads the sample with other bytes at `at`; unit `broken` alone suffers. */
static const vsg_obj_unit *with_bytes(fixture *f, sample *s, size_t at, const void *bytes,
                                      size_t size, size_t broken, const char *code)
{
    uint8_t kept[8];

    assert_true(size <= sizeof kept && at + size <= s->size);
    memcpy(kept, s->bytes + at, size);
    memcpy(s->bytes + at, bytes, size);
    visage_status status = recover(f, s->bytes, s->size);
    memcpy(s->bytes + at, kept, size);
    assert_int_not_equal(status, VISAGE_OK);
    assert_string_equal(visage_diagnostics_get(f->diagnostics, 0)->code, code);
    assert_int_equal(f->module->num_units, s->whole->num_units);
    for (size_t i = 0; i < s->whole->num_units; i++)
        if (i != broken)
            unbroken_unit(f->module->units[i], s->whole->units[i]);
    is_not_written(f);
    return f->module->units[broken];
}

/* In the place of each instruction's opcode: no operation has it. */
static void unknown_opcode_in(fixture *f, const char *name, vsg_obj_layout layout)
{
    const uint8_t opcode = 0xff;
    sample s = make_sample(name, layout);

    for (size_t u = 0; u < s.whole->num_units; u++) {
        const vsg_obj_unit *whole = s.whole->units[u];
        assert_true(whole->num_insts > 3);
        for (size_t i = 0; i < whole->num_insts; i++) {
            size_t at = whole->insts[i].place.offset_bytes;
            const vsg_obj_unit *unit = with_bytes(f, &s, at, &opcode, 1, u, "R0048");
            const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);
            assert_int_equal(visage_diagnostics_count(f->diagnostics), 1);
            assert_int_equal(found->offset, at);
            assert_int_equal(found->instruction, i);
            broken_unit(unit, whole, i);
            assert_int_equal(unit->num_inputs, whole->num_inputs);
            assert_int_equal(unit->attributes.count, whole->attributes.count);
            assert_int_equal(unit->stored.broken_at, at);
            assert_true(unit->stored.is_cut_off);
        }
    }
    free_sample(&s);
}

static void unknown_opcode(void **state)
{
    unknown_opcode_in(*state, three_units, VSG_OBJ_LAYOUT_DOC);
    unknown_opcode_in(*state, three_units, VSG_OBJ_LAYOUT_IGC);
}

/* A name that is no string of the pool: the variables before are there. */
static void wrong_table_in(fixture *f, const char *name, vsg_obj_layout layout)
{
    static const uint8_t none[4] = {0xff, 0xff, 0xff, 0xff};
    sample s = make_sample(name, layout);

    for (size_t u = 0; u < s.whole->num_units; u++) {
        const vsg_obj_unit *whole = s.whole->units[u];
        for (size_t i = 0; i < whole->num_variables; i++) {
            size_t at = whole->variables[i].place.offset_bytes;
            const vsg_obj_unit *unit = with_bytes(f, &s, at, none, 4, u, "R0046");
            broken_unit(unit, whole, 0);
            assert_int_equal(unit->num_variables, i);
            assert_int_equal(unit->num_labels, 0);
            assert_int_equal(unit->stored.num_strings, whole->stored.num_strings);
        }
        for (size_t i = 0; i < whole->num_labels; i++) {
            size_t at = whole->labels[i].place.offset_bytes;
            const vsg_obj_unit *unit = with_bytes(f, &s, at, none, 4, u, "R0046");
            broken_unit(unit, whole, 0);
            assert_int_equal(unit->num_variables, whole->num_variables);
            assert_int_equal(unit->num_labels, i);
        }
    }
    free_sample(&s);
}

static void wrong_table(void **state)
{
    wrong_table_in(*state, three_units, VSG_OBJ_LAYOUT_DOC);
    wrong_table_in(*state, three_units, VSG_OBJ_LAYOUT_IGC);
}

/* What the file says twice: all of it is read all the same. */
static void contradiction(void **state)
{
    static const uint8_t none[4] = {0xff, 0xff, 0xff, 0xff};
    sample s = make_sample(two_units, VSG_OBJ_LAYOUT_IGC);
    const vsg_obj_unit *whole = s.whole->units[0];
    /* Header: magic 4, version 2, num_kernels 2, name_len 2, name, offset 4, size 4. */
    size_t place = 4 + 2 + 2 + 2 + strlen(whole->name), input_offset = place + 8;
    const vsg_obj_unit *unit = with_bytes(*state, &s, input_offset, none, 4, 0, "R0043");

    broken_unit(unit, whole, whole->num_insts);
    assert_false(unit->stored.is_cut_off);
    assert_int_equal(unit->num_inputs, whole->num_inputs);
    char *text = printed(*state);
    assert_int_equal(count_of(text, "// All of it was read, but byte 0x"), 1);
    assert_int_equal(count_of(text, "// Reading stopped"), 0);
    free(text);

    /* An object that ends in the next one, and one that begins nowhere. */
    const uint8_t longer[4] = {(uint8_t)(whole->stored.size_bytes + 1),
                               (uint8_t)((whole->stored.size_bytes + 1) >> 8)};
    unit = with_bytes(*state, &s, place + 4, longer, 4, 0, "R0044");
    broken_unit(unit, whole, whole->num_insts);
    unit = with_bytes(*state, &s, place, none, 4, 0, "R0043");
    broken_unit(unit, whole, 0);
    assert_int_equal(unit->num_variables, 0);
    assert_true(unit->stored.is_cut_off);
    free_sample(&s);
}

/* The units before the error in the header are there, and where they lie is known. */
static void wrong_header(void **state)
{
    fixture *f = *state;
    sample s = make_sample(two_units, VSG_OBJ_LAYOUT_IGC);
    size_t length = strlen(s.whole->units[1]->name);
    /* Of the function, the last in the header: linkage 1, name_len 2, name, places 8, two
     * relocation tables of which the last is empty. */
    size_t linkage = s.header - 2 - 2 - 8 - length - 3;

    assert_int_equal(s.whole->units[1]->stored.num_variable_relocs, 0);
    assert_int_equal(s.whole->units[1]->stored.num_function_relocs, 0);
    assert_memory_equal(s.bytes + linkage + 3, s.whole->units[1]->name, length);
    s.bytes[linkage] = 7;
    assert_int_equal(recover(f, s.bytes, s.size), VISAGE_MALFORMED);
    assert_true(f->module->header_is_broken);
    assert_int_equal(f->module->header_broken_at, linkage);
    assert_int_equal(f->module->num_units, 1);
    unbroken_unit(f->module->units[0], s.whole->units[0]);
    is_not_written(f);
    char *text = printed(f);
    assert_int_equal(count_of(text, "// The header is malformed at byte 0x"), 1);
    free(text);
    free_sample(&s);
}

/* ---- whatever the bytes ----------------------------------------------------------------- */

static void wrong_bytes(void **state)
{
    fixture *f = *state;
    uint32_t random = 7;
    size_t recovered = 0;

    for (size_t i = 0; i < num_names; i += 2) {
        size_t size;
        uint8_t *bytes = load(names[i], &size);
        for (unsigned n = 0; n < 150; n++) {
            random = random * 1664525 + 1013904223;
            size_t at = (random >> 4) % size;
            uint8_t kept = bytes[at];
            bytes[at] = (uint8_t)(random >> 24);
            visage_status plain = read_binary(f, bytes, size);
            visage_status status = recover(f, bytes, size);
            bytes[at] = kept;
            assert_int_equal(status, plain);
            assert_int_equal(status == VISAGE_OK,
                             visage_diagnostics_errors(f->diagnostics) == 0);
            assert_true(f->counts.live_bytes <= 64 * size + (16 << 20));
            if (!f->module->is_broken) {
                assert_true(status == VISAGE_OK || status == VISAGE_UNSUPPORTED || at < 6);
                continue;
            }
            recovered++;
            is_not_written(f);
            free(printed(f));
        }
        free(bytes);
    }
    assert_true(recovered > 100);
}

/* However many errors there are, the list has some of them. */
static void many_errors(void **state)
{
    enum { FUNCTIONS = 5000, RECORD = 16 };
    fixture *f = *state;
    size_t size = 12 + (size_t)FUNCTIONS * RECORD;
    uint8_t *bytes = calloc(1, size);

    assert_non_null(bytes);
    memcpy(bytes, "CISA\4\1\0\0\0\0", 10);
    bytes[10] = FUNCTIONS & 255;
    bytes[11] = FUNCTIONS >> 8;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        uint8_t *record = bytes + 12 + i * RECORD;
        record[0] = 2; /* linkage */
        record[1] = 1; /* name_len */
        record[3] = 'f';
        record[7] = 0x7f; /* offset: far away */
        record[8] = 1;    /* size */
    }
    assert_int_equal(recover(f, bytes, size), VISAGE_MALFORMED);
    assert_int_equal(f->module->num_units, FUNCTIONS);
    for (size_t i = 0; i < FUNCTIONS; i++)
        assert_int_equal(f->module->units[i]->stored.damage, VSG_OBJ_DAMAGE_BROKEN);
    assert_in_range(visage_diagnostics_errors(f->diagnostics), 100, 101);
    assert_true(f->counts.live_bytes <= 64 * size + (1 << 20));
    free(bytes);
}

static void no_memory(void **state)
{
    fixture *f = *state;
    sample s = make_sample(two_units, VSG_OBJ_LAYOUT_IGC);
    size_t length = s.size * 3 / 4, failed = 0;

    for (size_t n = 1;; n++) {
        clean(f);
        f->counts = (counting){.live_bytes = f->counts.live_bytes, .fail = n};
        visage_status status = recover(f, s.bytes, length);
        size_t calls = f->counts.calls;
        f->counts.fail = 0;
        if (calls < n)
            break;
        /* The list alone may have had none. */
        assert_true(status == VISAGE_NO_MEMORY || status == VISAGE_MALFORMED);
        failed += status == VISAGE_NO_MEMORY;
    }
    assert_true(failed > 10);
    free_sample(&s);
}

/* ---- the public interface --------------------------------------------------------------- */

static void public_interface(void **state)
{
    sample s = make_sample(two_units, VSG_OBJ_LAYOUT_IGC);
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);
    visage_module_info info;
    visage_stored_info stored;
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_device_options wanted = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_device *device;
    visage_module *module, *linked;
    visage_program *program;
    char *text = NULL;

    (void)state;
    assert_int_equal(visage_context_create(NULL, &context), VISAGE_OK);
    assert_int_equal(visage_diagnostics_create(context, &diagnostics), VISAGE_OK);
    wanted.platform = s.whole->platform;
    assert_int_equal(visage_device_create(context, &wanted, &device), VISAGE_OK);
    size_t length = s.size / 2;
    assert_int_equal(
        visage_module_read_memory(context, "k.isa", s.bytes, length, &options, NULL, &module),
        VISAGE_MALFORMED);
    assert_null(module);
    options.recover = true;
    assert_int_equal(visage_module_read_memory(context, "k.isa", s.bytes, length, &options,
                                               diagnostics, &module),
                     VISAGE_MALFORMED);
    assert_non_null(module);
    assert_true(visage_diagnostics_errors(diagnostics) > 0);
    assert_int_equal(visage_module_get_info(module, &info), VISAGE_OK);
    assert_true(info.is_broken && !info.header_is_broken);
    assert_int_equal(info.num_kernels + info.num_functions, 2);
    assert_int_equal(visage_module_get_stored(module, 1, &stored), VISAGE_OK);
    assert_true(stored.is_broken && stored.is_cut_off);
    assert_string_equal(stored.damage, "broken");
    assert_int_equal(visage_module_print(module, NULL, append, &text), VISAGE_OK);
    assert_non_null(strstr(text, "// Reading stopped at byte 0x"));
    free(text);
    text = NULL;

    visage_diagnostics_clear(diagnostics);
    assert_int_equal(visage_program_create(device, module, diagnostics, &program),
                     VISAGE_UNSUPPORTED);
    assert_int_equal(visage_verify(module, NULL, diagnostics), VISAGE_INVALID);
    const visage_module *both[] = {module};
    assert_int_equal(visage_link(context, both, 1, NULL, diagnostics, &linked), VISAGE_INVALID);
    assert_int_equal(visage_module_write(module, NULL, diagnostics, append, &text),
                     VISAGE_INVALID);
    assert_null(text);
    visage_module_destroy(&module);
    visage_device_destroy(&device);
    visage_diagnostics_destroy(&diagnostics);
    visage_context_destroy(&context);
    free_sample(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ends_early_doc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ends_early_igc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_opcode, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(contradiction, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_header, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_memory, set_up, tear_down),
        cmocka_unit_test(public_interface),
    };
    return cmocka_run_group_tests(tests, find_files, forget_files);
}
