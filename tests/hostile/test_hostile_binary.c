/* SPDX-License-Identifier: MIT
 *
 * Binaries made to cost much: memory and work must stay linear in the file. They are written
 * from texts, some with what no text says put in before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hostile.h"
#include "object/binary.h"
#include "text/parser.h"

#define KERNEL ".version 4.1\n.kernel \"k\"\n"
#define DWORD  " v_type=G type=ud num_elts=1"
#define RET    "ret (M1, 1)\n"

/* A NUL behind the line's number of times. */
static vsg_obj_module *parse(const char *head, const char *each, size_t count, const char *tail)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_obj_module *module = vsg_obj_create(&alloc);
    hostile_bytes text = {NULL, 0, 0};

    assert_non_null(module);
    hostile_text(&text, head);
    for (size_t i = 1; i <= count; i++)
        hostile_numbered(&text, each, i);
    hostile_text(&text, tail);
    vsg_txt_input input = {.name = "made", .text = text.data, .size_bytes = text.size};
    assert_int_equal(vsg_txt_parse(module, &input, NULL), VISAGE_OK);
    hostile_free(&text);
    return module;
}

static void write(hostile_bytes *out, vsg_obj_module *module, vsg_obj_layout layout)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_obj_bytes bytes;

    assert_int_equal(vsg_obj_write_binary(module, layout, NULL, &bytes), VISAGE_OK);
    hostile_put(out, bytes.data, bytes.size);
    vsg_obj_bytes_free(&alloc, &bytes);
    vsg_obj_destroy(&module);
}

/* ---- one text, many times --------------------------------------------------------------- */

/* Bytes that a record takes in either layout, about. */
enum { VARIABLE_BYTES = 26, LABEL_BYTES = 16, INST_BYTES = 24 };

static void make_variables(hostile_bytes *out, size_t size)
{
    write(out, parse(KERNEL, ".decl x@" DWORD "\n", size / VARIABLE_BYTES, RET),
          VSG_OBJ_LAYOUT_DOC);
}

static void make_variables_igc(hostile_bytes *out, size_t size)
{
    write(out, parse(KERNEL, ".decl x@" DWORD "\n", size / VARIABLE_BYTES, RET),
          VSG_OBJ_LAYOUT_IGC);
}

static void make_labels(hostile_bytes *out, size_t size)
{
    write(out, parse(KERNEL, "L@:\n", size / LABEL_BYTES, RET), VSG_OBJ_LAYOUT_DOC);
}

static void make_aliases(hostile_bytes *out, size_t size)
{
    write(out,
          parse(KERNEL ".decl x0" DWORD "\n", ".decl x@" DWORD " alias=<x$, 0>\n",
                size / VARIABLE_BYTES, RET),
          VSG_OBJ_LAYOUT_DOC);
}

static void make_insts(hostile_bytes *out, size_t size)
{
    write(out,
          parse(KERNEL ".decl x v_type=G type=ud num_elts=64 align=GRF\n",
                "mov (M1, 8) x(0,0)<1> x(0,0)<8;8,1>\n", size / INST_BYTES, RET),
          VSG_OBJ_LAYOUT_DOC);
}

static void make_attributes(hostile_bytes *out, size_t size)
{
    write(out, parse(KERNEL, ".kernel_attr A@=1\n", size / INST_BYTES, RET),
          VSG_OBJ_LAYOUT_IGC);
}

/* ---- names that are the same ------------------------------------------------------------ */

static char one_name[] = "a_name";

static void make_same_variables(hostile_bytes *out, size_t size)
{
    vsg_obj_module *module = parse(KERNEL, ".decl x@" DWORD "\n", size / VARIABLE_BYTES, RET);

    for (size_t i = 0; i < module->units[0]->num_variables; i++)
        module->units[0]->variables[i].name = one_name;
    write(out, module, VSG_OBJ_LAYOUT_DOC);
}

/* Names that are already what a printer might make of the others. */
static void make_made_names(hostile_bytes *out, size_t size)
{
    size_t count = size / VARIABLE_BYTES;
    vsg_obj_module *module = parse(KERNEL, ".decl a_name_@" DWORD "\n", count, RET);

    for (size_t i = 0; i < count; i += 2)
        module->units[0]->variables[i].name = one_name;
    write(out, module, VSG_OBJ_LAYOUT_DOC);
}

static void make_same_labels(hostile_bytes *out, size_t size)
{
    vsg_obj_module *module = parse(KERNEL, "L@:\n", size / LABEL_BYTES, RET);

    for (size_t i = 0; i < module->units[0]->num_labels; i++)
        module->units[0]->labels[i].name = one_name;
    write(out, module, VSG_OBJ_LAYOUT_DOC);
}

static void make_same_functions(hostile_bytes *out, size_t size)
{
    enum { FUNCTION_BYTES = 48 };
    vsg_obj_module *module =
        parse(KERNEL RET, ".global_function \"f@\"\nfret (M1, 1)\n", size / FUNCTION_BYTES, "");

    for (size_t i = 0; i < module->num_units; i++)
        module->units[i]->name = one_name;
    module->layout = VSG_OBJ_LAYOUT_DOC; /* of texts two of a name are not written */
    write(out, module, VSG_OBJ_LAYOUT_DOC);
}

static void make_strings(hostile_bytes *out, size_t size)
{
    vsg_obj_module *module = parse(KERNEL, "", 0, RET);
    size_t count = size / sizeof one_name;
    const char **strings = calloc(count, sizeof *strings);

    assert_non_null(strings);
    for (size_t i = 0; i < count; i++)
        strings[i] = one_name;
    module->units[0]->stored.strings = strings;
    module->units[0]->stored.num_strings = count;
    write(out, module, VSG_OBJ_LAYOUT_DOC);
    free(strings);
}

static void make_gen_binary(hostile_bytes *out, size_t size)
{
    vsg_obj_module *module = parse(KERNEL, "", 0, RET);
    uint8_t *data = calloc(size, 1);
    vsg_obj_gen_binary binary = {.data = data, .size_bytes = (uint32_t)size};

    assert_non_null(data);
    module->units[0]->stored.gen_binaries = &binary;
    module->units[0]->stored.num_gen_binaries = 1;
    write(out, module, VSG_OBJ_LAYOUT_DOC);
    free(data);
}

/* Aliases of file-scope variables whose indices a long table resolves, from its end on. */
static void make_relocated_aliases(hostile_bytes *out, size_t size)
{
    enum { RELOC_BYTES = 4 };
    size_t count = size / 2 / RELOC_BYTES < UINT16_MAX ? size / 2 / RELOC_BYTES : UINT16_MAX;
    vsg_obj_module *module =
        parse(".version 4.1\n.global_variable v type=ud num_elts=1\n.kernel k\n",
              ".decl x@" DWORD " alias=<\"v\", 0>\n", size / 2 / VARIABLE_BYTES, RET);
    vsg_obj_unit *unit = module->units[0];
    vsg_obj_reloc *relocs = calloc(count, sizeof *relocs);

    assert_non_null(relocs);
    for (size_t i = 0; i < count; i++)
        relocs[i].symbolic_index = (uint16_t)(UINT16_MAX - i);
    unit->stored.variable_relocs = relocs;
    unit->stored.num_variable_relocs = count;
    for (size_t i = 0; i < unit->num_variables; i++)
        unit->variables[i].alias = UINT16_MAX - (uint32_t)count + 1;
    write(out, module, VSG_OBJ_LAYOUT_DOC);
    free(relocs);
}

static const hostile_case binaries[] = {
    {.name = "variables", .make = make_variables},
    {.name = "variables as the compiler has them", .make = make_variables_igc},
    {.name = "labels", .make = make_labels},
    {.name = "a chain of aliases", .make = make_aliases},
    {.name = "instructions", .make = make_insts},
    {.name = "attributes", .make = make_attributes},
    {.name = "variables of one name", .make = make_same_variables},
    {.name = "variables of one name and others", .make = make_made_names},
    {.name = "labels of one name", .make = make_same_labels},
    {.name = "functions of one name", .make = make_same_functions},
    {.name = "a string again and again", .make = make_strings},
    {.name = "a large GEN binary", .make = make_gen_binary},
    {.name = "aliases that a long table resolves", .make = make_relocated_aliases},
};

static void test_binaries(void **state)
{
    (void)state;
    hostile_check(binaries, sizeof binaries / sizeof *binaries, false);
}

/* ---- counts ----------------------------------------------------------------------------- */

/* Whatever stands where, the largest count there is must not size anything. */
static void test_counts(void **state)
{
    static const vsg_obj_layout layouts[] = {VSG_OBJ_LAYOUT_DOC, VSG_OBJ_LAYOUT_IGC};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        hostile_bytes file = {NULL, 0, 0};
        size_t refused = 0;
        write(&file,
              parse(KERNEL ".decl x" DWORD "\n.input x offset=32 size=4\n"
                           ".kernel_attr Target=\"cm\"\n",
                    "L@:\njmp (M1, 1) L@\n.decl y@" DWORD "\n", 8,
                    RET ".function \"f\"\nf:\n" RET),
              layouts[i]);
        for (size_t width = 1; width <= 4; width *= 2) {
            for (size_t at = 0; at + width <= file.size; at++) {
                char kept[4];
                memcpy(kept, file.data + at, width);
                memset(file.data + at, 0xff, width);
                hostile_cost cost = hostile_read(&file, NULL);
                memcpy(file.data + at, kept, width);
                refused += cost.status != VISAGE_OK;
                if (cost.peak_bytes > hostile_most_memory(file.size))
                    fail_msg("%zu bytes of memory for %zu, with %zu changed at %zu",
                             cost.peak_bytes, file.size, width, at);
            }
        }
        assert_true(refused > file.size);
        hostile_free(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binaries),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
