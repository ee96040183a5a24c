/* SPDX-License-Identifier: MIT
 *
 * Instructions in text and in bytes, both ways and in both layouts, against encodings.def; and
 * that each row of the instruction table is there or in a binary of the compiler's. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "binary_files.h"
#include "text/printer.h"

typedef struct row {
    const char *written, *listed;
    const char *igc, *doc;
} row;

static const row rows[] = {
#define SAME(text, bytes)               {text, text, bytes, bytes},
#define BOTH(text, igc, doc)            {text, text, igc, doc},
#define READ(written, listed, igc, doc) {written, listed, igc, doc},
#include "encodings.def"
#undef SAME
#undef BOTH
#undef READ
};
enum { NUM_ROWS = sizeof rows / sizeof rows[0] };

/* ---- expected bytes --------------------------------------------------------------------- */

typedef struct expected {
    uint8_t bytes[512];
    size_t size;
} expected;

static void add(expected *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        out->bytes[out->size++] = (uint8_t)(value >> 8 * i);
}

static void add_general(expected *out, uint64_t id, unsigned region)
{
    add(out, 0, 1);
    add(out, id, 4);
    add(out, 0, 2);
    add(out, region, 2);
}

/* An operand by its letter; returns what follows it. */
static const char *add_operand(expected *out, const char *text)
{
    char *end;
    uint64_t id = strtoull(text + 1, &end, *text == 'N' ? 16 : 10);

    switch (*text) {
    case 'R':
        add(out, id, 4);
        add(out, 0, 2);
        break;
    case 'P':
        add(out, 2, 1);
        add(out, id, 2);
        break;
    case 'N':
        add(out, 5, 1);
        add(out, id, 1);
        add(out, strtoull(end + 1, &end, 16), 4);
        break;
    default:
        add_general(out, id, *text == 'D' ? 0x200 : *text == 'S' ? 0x121 : 0x255);
    }
    return end;
}

/* "Q2.name": the number of a string in two bytes. Where it stands in the pool is the writer's
 * choice; that it is what the unit's pool has there is not. */
static const char *add_string(expected *out, const char *text, const vsg_obj_unit *unit,
                              bool doc)
{
    size_t length = strcspn(text + 3, " ");
    size_t i = 0;

    while (i < unit->stored.num_strings &&
           (strlen(unit->stored.strings[i]) != length ||
            memcmp(unit->stored.strings[i], text + 3, length) != 0))
        i++;
    assert_true(i < unit->stored.num_strings);
    add(out, i + doc, (unsigned)(text[1] - '0')); /* the documented pool begins with "" */
    return text + 3 + length;
}

static expected expand(const char *text, const vsg_obj_unit *unit, bool doc)
{
    expected out = {.size = 0};

    while (*text) {
        char *end;
        if (*text == ' ' || *text == '|') {
            text++;
        } else if (*text == 'Q') {
            text = add_string(&out, text, unit, doc);
        } else if (strchr("DSVRPN", *text)) {
            text = add_operand(&out, text);
        } else {
            char digits[3] = {text[0], text[1], '\0'};
            add(&out, strtoull(digits, &end, 16), 1);
            assert_true(end == digits + 2);
            text += 2;
        }
    }
    return out;
}

static void compare_bytes(const char *text, const uint8_t *found, size_t size,
                          const expected *wanted)
{
    char hex[2 * sizeof wanted->bytes + 1] = "";

    for (size_t i = 0; i < size && i < sizeof wanted->bytes; i++)
        (void)sprintf(hex + 2 * i, "%02x", found[i]);
    if (size != wanted->size || memcmp(found, wanted->bytes, size) != 0)
        fail_msg("%s: found %s", text, hex);
}

/* ---- reading and writing ---------------------------------------------------------------- */

/* Labels come behind the instruction in question, which is the first. */
static const vsg_obj_unit *read_row(fixture *f, const char *instruction)
{
    char text[4096];

    (void)snprintf(text, sizeof text, "%s.kernel_attr SimdSize=8\n%s\nL:\nM:\nret (M1, 1)\n",
                   prolog, instruction);
    return read_good(f, text);
}

static void write_as(fixture *f, const vsg_obj_module *module, vsg_obj_layout layout,
                     const char *text, vsg_obj_bytes *out)
{
    visage_status status = vsg_obj_write_binary(module, layout, f->diagnostics, out);
    const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);

    if (found)
        fail_msg("%s [%s] of %s", found->message, found->code, text);
    assert_int_equal(status, VISAGE_OK);
}

static vsg_obj_module *read_bytes(fixture *f, const vsg_obj_bytes *bytes, const char *text)
{
    vsg_obj_module *module = vsg_obj_create(&f->alloc);
    vsg_obj_binary input = {.name = "k.isa", .data = bytes->data, .size_bytes = bytes->size};

    assert_non_null(module);
    visage_status status = vsg_obj_read_binary(module, &input, f->diagnostics);
    const visage_diagnostic *found = visage_diagnostics_get(f->diagnostics, 0);
    if (found)
        fail_msg("%s [%s] of %s", found->message, found->code, text);
    assert_int_equal(status, VISAGE_OK);
    assert_int_equal(module->num_units, 1);
    return module;
}

/* ---- printing --------------------------------------------------------------------------- */

typedef struct line {
    char text[512];
    bool found;
} line;

/* Keeps the first line that is an instruction, with one blank for each run of them. */
static bool take_line(void *user, const void *data, size_t size_bytes)
{
    line *out = user;
    const char *at = data, *end = at + size_bytes;
    size_t length = 0;

    while (!out->found && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        assert_non_null(newline);
        out->found = newline - at > 4 && memcmp(at, "    ", 4) == 0;
        if (!out->found)
            at = newline + 1;
    }
    for (at += 4; out->found && *at != '\n' && length + 1 < sizeof out->text; at++)
        if (*at != ' ' || (at[1] != ' ' && at[1] != '\n'))
            out->text[length++] = *at;
    out->text[length] = '\0';
    return true;
}

static void check_text(const vsg_obj_module *module, const char *wanted)
{
    const vsg_txt_print_options options = {.no_comments = true};
    line found = {.found = false};

    assert_int_equal(vsg_txt_print(module, &options, take_line, &found), VISAGE_OK);
    if (strcmp(found.text, wanted) != 0)
        fail_msg("%s: printed %s", wanted, found.text);
}

/* ---- rows ------------------------------------------------------------------------------- */

/* Text to bytes, the bytes to text and to a module, and that to bytes again. */
static void check_row(fixture *f, const row *r, vsg_obj_layout layout)
{
    bool doc = layout == VSG_OBJ_LAYOUT_DOC;
    vsg_obj_bytes bytes, again;

    (void)read_row(f, r->written);
    check_text(f->module, r->listed);
    write_as(f, f->module, layout, r->written, &bytes);
    vsg_obj_module *module = read_bytes(f, &bytes, r->written);
    assert_int_equal(module->layout, layout);
    const vsg_obj_unit *unit = module->units[0];
    size_t from = unit->insts[0].place.offset_bytes, to = unit->insts[1].place.offset_bytes;
    expected wanted = expand(doc ? r->doc : r->igc, unit, doc);
    compare_bytes(r->written, bytes.data + from, to - from, &wanted);

    /* The compiler's layout keeps no execution size of a jmp (spec dialect 4.3). */
    add_unlisted(f->module->units[0], unit);
    bool cut = !doc && strstr(r->written, "jmp (M1, 16)");
    if (!cut) {
        comparison c = {.a = unit, .b = f->module->units[0], .text_too = true};
        check_text(module, r->listed);
        if (!same_units(&c))
            fail_msg("%s: %s", r->written, c.text);
    }
    write_as(f, module, VSG_OBJ_LAYOUT_NONE, r->written, &again);
    assert_int_equal(again.size, bytes.size);
    assert_memory_equal(again.data, bytes.data, bytes.size);
    vsg_obj_bytes_free(&f->alloc, &again);
    vsg_obj_bytes_free(&f->alloc, &bytes);
    vsg_obj_destroy(&module);
}

static void rows_as_igc(void **state)
{
    for (size_t i = 0; i < NUM_ROWS; i++)
        check_row(*state, &rows[i], VSG_OBJ_LAYOUT_IGC);
}

static void rows_as_doc(void **state)
{
    for (size_t i = 0; i < NUM_ROWS; i++)
        check_row(*state, &rows[i], VSG_OBJ_LAYOUT_DOC);
}

/* From one layout to the other and back. */
static void rows_across_layouts(void **state)
{
    fixture *f = *state;
    vsg_obj_bytes igc, doc, again;

    for (size_t i = 0; i < NUM_ROWS; i++) {
        (void)read_row(f, rows[i].written);
        write_as(f, f->module, VSG_OBJ_LAYOUT_IGC, rows[i].written, &igc);
        vsg_obj_module *first = read_bytes(f, &igc, rows[i].written);
        write_as(f, first, VSG_OBJ_LAYOUT_DOC, rows[i].written, &doc);
        vsg_obj_module *second = read_bytes(f, &doc, rows[i].written);
        write_as(f, second, VSG_OBJ_LAYOUT_IGC, rows[i].written, &again);
        if (again.size != igc.size || memcmp(again.data, igc.data, igc.size) != 0)
            fail_msg("%s: is not the same after going through both layouts", rows[i].written);
        vsg_obj_destroy(&first);
        vsg_obj_destroy(&second);
        vsg_obj_bytes_free(&f->alloc, &igc);
        vsg_obj_bytes_free(&f->alloc, &doc);
        vsg_obj_bytes_free(&f->alloc, &again);
    }
}

static void mark(bool *seen, const vsg_obj_unit *unit, size_t count)
{
    for (size_t i = 0; i < unit->num_insts && i < count; i++)
        seen[unit->insts[i].op] = true;
}

/* Each operation has its bytes checked: by a row, or in a binary that the compiler wrote, which
 * test_binary reads and writes. */
static void every_operation(void **state)
{
    fixture *f = *state;
    bool seen[VISAGE_OP_COUNT] = {false};
    char missing[4096] = "";
    size_t length = 0;

    for (size_t i = 0; i < NUM_ROWS; i++)
        mark(seen, read_row(f, rows[i].written), 1);
    for (size_t i = 0; i < num_names; i++) {
        size_t size;
        if (!ends_in(names[i], ".isa"))
            continue;
        uint8_t *bytes = load(names[i], &size);
        assert_int_equal(read_binary(f, bytes, size), VISAGE_OK);
        for (size_t u = 0; u < f->module->num_units; u++)
            mark(seen, f->module->units[u], SIZE_MAX);
        free(bytes);
    }
    for (unsigned op = 0; op < VISAGE_OP_COUNT && length < sizeof missing - 64; op++)
        if (!seen[op])
            length += (size_t)snprintf(missing + length, sizeof missing - length,
                                       " %s (0x%02x)", vsg_isa_op((visage_op)op)->text,
                                       vsg_isa_op((visage_op)op)->code);
    if (length)
        fail_msg("no bytes of:%s", missing);
}

/* ---- what is no row --------------------------------------------------------------------- */

/* A row of &V is a GRF: 64 bytes on PVC (spec dialect 3). */
static void address_on_pvc(void **state)
{
    fixture *f = *state;
    char text[4096];
    vsg_obj_bytes bytes;
    expected wanted =
        expand("28 80 01 0000 00 00 | 00 22000000 01 02 2101 | N02.0", NULL, false);

    (void)snprintf(text, sizeof text, "%saddr_add (M1_NM, 1) A0(0)<1> &V34[72] 0:uw\n", prolog);
    (void)read_good(f, text);
    f->module->platform = VISAGE_PLATFORM_PVC;
    write_as(f, f->module, VSG_OBJ_LAYOUT_IGC, text, &bytes);
    compare_bytes("&V34[72]", bytes.data + bytes.size - wanted.size, wanted.size, &wanted);
    vsg_obj_module *module = vsg_obj_create(&f->alloc);
    vsg_obj_binary input = {.name = NULL, .data = bytes.data, .size_bytes = bytes.size};
    assert_non_null(module);
    module->platform = VISAGE_PLATFORM_PVC;
    assert_int_equal(vsg_obj_read_binary(module, &input, f->diagnostics), VISAGE_OK);
    assert_int_equal(module->units[0]->insts[0].operands[1].offset_bytes, 72);
    vsg_obj_destroy(&module);
    vsg_obj_bytes_free(&f->alloc, &bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_as_igc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_as_doc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_across_layouts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_operation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(address_on_pvc, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, find_files, forget_files);
}
