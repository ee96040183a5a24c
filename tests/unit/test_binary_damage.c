/* SPDX-License-Identifier: MIT
 *
 * Damaged binaries: what the compiler's own writer damages (spec dialect 0.1), and files that
 * end too early or have wrong bytes. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "binary_files.h"
#include "byte_language.h"

static void must_warn(const fixture *f, const char *code, size_t count)
{
    assert_int_equal(visage_diagnostics_count(f->diagnostics), count);
    assert_int_equal(visage_diagnostics_errors(f->diagnostics), 0);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(visage_diagnostics_get(f->diagnostics, i)->code, code);
}

static void same_stream(const vsg_obj_stored *stored, const vsg_obj_unit *whole)
{
    assert_int_equal(stored->num_stream, whole->num_insts);
    for (size_t i = 0; i < whole->num_insts; i++)
        assert_int_equal(stored->stream[i], whole->insts[i].op);
}

/* ---- cut short -------------------------------------------------------------------------- */

/* Tables and operations are those of the listing; instructions there are none. */
static void check_cut(fixture *f, const char *name)
{
    char listing[512];
    size_t size;
    uint8_t *bytes = load(name, &size);

    (void)snprintf(listing, sizeof listing, "%s.visaasm", name);
    assert_int_equal(read_binary(f, bytes, size), VISAGE_OK);
    must_warn(f, "R0054", 1);
    vsg_obj_unit *unit = f->module->units[0];
    vsg_obj_module *text = read_listing(f, listing, f->module->platform);
    vsg_obj_unit *whole = text->units[0];
    assert_int_equal(unit->stored.damage, VSG_OBJ_DAMAGE_CUT_SHORT);
    assert_int_equal(unit->num_insts, 0);
    assert_true(whole->num_insts > 20);
    same_stream(&unit->stored, whole);
    /* A label has neither execution size nor predicate, so nothing of it is lost. */
    assert_int_equal(unit->stored.num_whole, 1);
    assert_int_equal(unit->stored.whole[0].op, VISAGE_OP_SUBROUTINE);
    comparison c = {.a = unit, .b = whole, .text_too = true};
    whole->num_insts = 0;
    for (size_t i = 0; i < whole->num_labels; i++)
        whole->labels[i].inst = -1;
    /* The reference assembler has the names of the text for them. */
    for (size_t i = 0; i < whole->num_samplers; i++)
        whole->samplers[i].v_name = NULL;
    for (size_t i = 0; i < whole->num_surfaces; i++)
        whole->surfaces[i].v_name = NULL;
    if (!same_units(&c))
        fail_msg("%s: %s", name, c.text);
    vsg_obj_destroy(&text);
    free(bytes);
}

static void cut_files(void **state)
{
    size_t checked = 0;

    for (size_t i = 0; i < num_names; i++) {
        if (!ends_in(names[i], ".cut"))
            continue;
        check_cut(*state, names[i]);
        checked++;
    }
    assert_int_equal(checked, 3);
}

/* It is not written as if it were whole. */
static void cut_is_not_written(void **state)
{
    fixture *f = *state;
    size_t size;
    uint8_t *bytes = load("skl.cf.ifelse.cut", &size);
    vsg_obj_bytes out;

    assert_int_equal(read_binary(f, bytes, size), VISAGE_OK);
    assert_int_equal(vsg_obj_write_binary(f->module, VSG_OBJ_LAYOUT_NONE, f->diagnostics, &out),
                     VISAGE_INVALID);
    assert_string_equal(visage_diagnostics_get(f->diagnostics, 1)->code, "R0079");
    free(bytes);
}

/* ---- bare returns ----------------------------------------------------------------------- */

/* Takes size and predicate from each ret and fret of the first unit: what follows moves up, and
 * junk fills the end of the object, as the writer leaves it. The object keeps its size. */
static size_t make_bare(const vsg_obj_unit *unit, uint8_t *bytes)
{
    size_t end = (size_t)(unit->stored.offset_bytes + unit->stored.size_bytes);
    size_t removed = 0;

    for (size_t i = 0; i < unit->num_insts; i++) {
        if (vsg_isa_op(unit->insts[i].op)->form != VSG_ISA_FORM_RETURN)
            continue;
        size_t at = unit->insts[i].place.offset_bytes + 1 - removed;
        memmove(bytes + at, bytes + at + 3, end - at - 3);
        removed += 3;
    }
    for (size_t i = end - removed; i < end; i++)
        bytes[i] = (uint8_t)(0x7f + i);
    return removed / 3;
}

/* What stands before the first return is complete. */
static void same_until_return(const vsg_obj_stored *stored, const vsg_obj_unit *whole)
{
    size_t count = 0;

    while (vsg_isa_op(whole->insts[count].op)->form != VSG_ISA_FORM_RETURN)
        count++;
    assert_int_equal(stored->num_whole, count);
    for (size_t i = 0; i < count; i++) {
        const vsg_obj_inst *x = &stored->whole[i], *y = &whole->insts[i];
        assert_int_equal(x->op, y->op);
        assert_int_equal(x->exec_size, y->exec_size);
        assert_int_equal(x->place.offset_bytes, y->place.offset_bytes);
        assert_int_equal(x->num_operands, y->num_operands);
        for (unsigned n = 0; n < x->num_operands; n++)
            assert_int_equal(x->operands[n].id, y->operands[n].id);
    }
}

static void bare_returns(void **state)
{
    fixture *f = *state;
    vsg_base_alloc alloc = vsg_base_alloc_default();
    size_t checked = 0;

    for (size_t i = 0; i < num_names; i++) {
        size_t size;
        if (!ends_in(names[i], ".isa"))
            continue;
        uint8_t *bytes = load(names[i], &size);
        vsg_obj_module *whole = vsg_obj_create(&alloc);
        vsg_obj_binary input = {.name = names[i], .data = bytes, .size_bytes = size};
        assert_non_null(whole);
        assert_int_equal(vsg_obj_read_binary(whole, &input, NULL), VISAGE_OK);
        assert_true(make_bare(whole->units[0], bytes) > 0);
        assert_int_equal(read_binary(f, bytes, size), VISAGE_OK);
        must_warn(f, "R0053", 1);
        const vsg_obj_unit *unit = f->module->units[0];
        assert_int_equal(unit->stored.damage, VSG_OBJ_DAMAGE_BARE_RETURNS);
        assert_int_equal(unit->num_insts, 0);
        assert_int_equal(unit->num_variables, whole->units[0]->num_variables);
        same_stream(&unit->stored, whole->units[0]);
        same_until_return(&unit->stored, whole->units[0]);
        vsg_obj_destroy(&whole);
        free(bytes);
        checked++;
    }
    assert_true(checked >= 20);
}

/* ---- wrong bytes ------------------------------------------------------------------------ */

/* Whatever comes of it: the result says whether errors were told, memory stays within bounds.
 */
static void read_any(fixture *f, const uint8_t *bytes, size_t size)
{
    visage_status status = read_binary(f, bytes, size);

    assert_true(status == VISAGE_OK || status == VISAGE_MALFORMED || status == VISAGE_INVALID ||
                status == VISAGE_UNSUPPORTED);
    assert_int_equal(status == VISAGE_OK, visage_diagnostics_errors(f->diagnostics) == 0);
    assert_true(f->counts.live_bytes <= 64 * size + (16 << 20));
}

static void ends_early(void **state)
{
    size_t size;
    uint8_t *bytes = load("pvc.calls.fc2.c2.isa", &size);

    for (size_t length = 0; length < size; length += 1 + length / 400) {
        read_any(*state, bytes, length);
        assert_true(visage_diagnostics_count(((fixture *)*state)->diagnostics) > 0);
    }
    free(bytes);
}

static void wrong_bytes(void **state)
{
    uint32_t random = 1;

    for (size_t i = 0; i < num_names; i += 3) {
        size_t size;
        uint8_t *bytes = load(names[i], &size);
        for (unsigned n = 0; n < 200; n++) {
            random = random * 1664525 + 1013904223;
            size_t at = (random >> 4) % size;
            uint8_t kept = bytes[at];
            bytes[at] = (uint8_t)(random >> 24);
            read_any(*state, bytes, size);
            bytes[at] = kept;
        }
        free(bytes);
    }
}

/* The densest file there is: an instruction a byte. */
static void dense(void **state)
{
    fixture *f = *state;
    byte_text bytes = make_bytes("s:CISA 04 01 w:1 w:1 s:k $o #oe $i w:0 w:0 00 w:0 w:0 @o d:1 "
                                 "z:k d:0 d:0 w:0 w:0 w:0 00 "
                                 "00 00 @i d:0 #ce #oc w:0 @c *1048576 59 @e");

    assert_int_equal(read_binary(f, bytes.bytes, bytes.size), VISAGE_OK);
    assert_int_equal(f->module->units[0]->num_insts, 1 << 20);
    assert_true(f->counts.live_bytes <= 64 * bytes.size);
    free(bytes.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cut_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cut_is_not_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bare_returns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ends_early, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dense, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, find_files, forget_files);
}
