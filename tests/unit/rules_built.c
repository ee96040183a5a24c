/* SPDX-License-Identifier: MIT */
#include "rules_built.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/binary.h"
#include "text/parser.h"
#include "verify/verify.h"

static void verify(const char *text, bool write, bool strict, visage_diagnostics *diagnostics)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_obj_module *module = vsg_obj_create(&alloc);
    const vsg_txt_input input = {.name = "built", .text = text, .size_bytes = strlen(text)};
    const vsg_ver_options options = {.platform = VISAGE_PLATFORM_PVC, .strict = strict};
    vsg_obj_bytes bytes = {0};

    if (module && vsg_txt_parse(module, &input, diagnostics) == VISAGE_OK &&
        (!write ||
         vsg_obj_write_binary(module, VSG_OBJ_LAYOUT_DOC, diagnostics, &bytes) == VISAGE_OK) &&
        vsg_ver_verify(module, &options, diagnostics) == VISAGE_NO_MEMORY)
        abort();
    vsg_obj_bytes_free(&alloc, &bytes);
    vsg_obj_destroy(&module);
}

void verify_text(const char *text, bool write, visage_diagnostics *diagnostics)
{
    verify(text, write, false, diagnostics);
}

void verify_strictly(const char *text, visage_diagnostics *diagnostics)
{
    verify(text, false, true, diagnostics);
}

static vsg_obj_module *read_good(const char *text, visage_diagnostics *diagnostics)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_obj_module *module = vsg_obj_create(&alloc);
    const vsg_txt_input input = {.name = "built", .text = text, .size_bytes = strlen(text)};

    if (!module || vsg_txt_parse(module, &input, diagnostics) != VISAGE_OK)
        abort();
    return module;
}

void write_changed(const char *text, change_fn change, visage_diagnostics *diagnostics)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_obj_module *module = read_good(text, diagnostics);
    vsg_obj_bytes bytes = {0};

    change(module, module->units[0]);
    if (vsg_obj_write_binary(module, VSG_OBJ_LAYOUT_DOC, diagnostics, &bytes) ==
        VISAGE_NO_MEMORY)
        abort();
    vsg_obj_bytes_free(&alloc, &bytes);
    vsg_obj_destroy(&module);
}

void read_patched(const char *text, patch_fn patch, visage_diagnostics *diagnostics)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_obj_module *module = read_good(text, diagnostics);
    vsg_obj_module *read = vsg_obj_create(&alloc);
    const vsg_ver_options options = {.platform = VISAGE_PLATFORM_PVC};
    vsg_obj_bytes bytes = {0};

    if (!read ||
        vsg_obj_write_binary(module, VSG_OBJ_LAYOUT_DOC, diagnostics, &bytes) != VISAGE_OK)
        abort();
    patch(bytes.data);
    const vsg_obj_binary input = {
        .name = "built", .data = bytes.data, .size_bytes = bytes.size};
    if (vsg_obj_read_binary(read, &input, diagnostics) == VISAGE_OK &&
        vsg_ver_verify(read, &options, diagnostics) == VISAGE_NO_MEMORY)
        abort();
    vsg_obj_bytes_free(&alloc, &bytes);
    vsg_obj_destroy(&read);
    vsg_obj_destroy(&module);
}

void verify_changed_on(visage_platform platform, const char *text, change_fn change,
                       visage_diagnostics *diagnostics)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_obj_module *module = vsg_obj_create(&alloc);
    const vsg_txt_input input = {.name = "built", .text = text, .size_bytes = strlen(text)};
    const vsg_ver_options options = {.platform = platform};

    if (!module || vsg_txt_parse(module, &input, diagnostics) != VISAGE_OK)
        abort();
    change(module, module->units[0]);
    if (vsg_ver_verify(module, &options, diagnostics) == VISAGE_NO_MEMORY)
        abort();
    vsg_obj_destroy(&module);
}

void verify_changed(const char *text, change_fn change, visage_diagnostics *diagnostics)
{
    verify_changed_on(VISAGE_PLATFORM_PVC, text, change, diagnostics);
}

/* ---- labels ----------------------------------------------------------------------------- */

static const char two_labels[] = ".version 4.1\n"
                                 ".kernel \"k\"\n"
                                 "    goto (M1, 8) a\n"
                                 "a:\n"
                                 "b:\n"
                                 "    ret (M1, 8)\n";

static void take_label_away(vsg_obj_module *module, vsg_obj_unit *unit)
{
    (void)module;
    unit->insts[1].operands[0].id = unit->insts[2].operands[0].id;
    unit->insts[2] = unit->insts[3];
    unit->num_insts--;
}

static void label_nowhere(visage_diagnostics *diagnostics)
{
    verify_changed(two_labels, take_label_away, diagnostics);
}

static void place_twice(vsg_obj_module *module, vsg_obj_unit *unit)
{
    (void)module;
    unit->insts[2].operands[0].id = unit->insts[1].operands[0].id;
}

static void label_twice(visage_diagnostics *diagnostics)
{
    verify_changed(two_labels, place_twice, diagnostics);
}

static void change_kind(vsg_obj_module *module, vsg_obj_unit *unit)
{
    (void)module;
    unit->labels[unit->insts[2].operands[0].id].kind = VSG_OBJ_LABEL_SUBROUTINE;
}

static void label_of_other_kind(visage_diagnostics *diagnostics)
{
    verify_changed(two_labels, change_kind, diagnostics);
}

/* ---- counts ----------------------------------------------------------------------------- */

static void many_kernels(unsigned count, visage_diagnostics *diagnostics)
{
    enum { LONGEST = 64 };
    char *text = malloc((size_t)count * LONGEST), *at = text;

    if (!text)
        abort();
    at += sprintf(at, ".version 4.1\n");
    for (unsigned i = 0; i < count; i++)
        at += sprintf(at, ".kernel \"k%u\"\n    ret (M1, 1)\n", i);
    verify_text(text, true, diagnostics);
    free(text);
}

static void most_kernels(visage_diagnostics *diagnostics)
{
    many_kernels(512, diagnostics);
}

static void too_many_kernels(visage_diagnostics *diagnostics)
{
    many_kernels(513, diagnostics);
}

static const built_rule built_rules[] = {
    {"V0101", true, too_many_kernels},    {"V0101", false, most_kernels},
    {"V0401", true, label_nowhere},       {"V0402", true, label_twice},
    {"V0403", true, label_of_other_kind},
};

static const size_t num_built_rules = sizeof built_rules / sizeof built_rules[0];

const built_table built_tables[] = {
    {"rules_built.c", built_rules, &num_built_rules},
    {"rules_built_lsc.c", built_lsc_rules, &num_built_lsc_rules},
    {"rules_built_message.c", built_message_rules, &num_built_message_rules},
    {"rules_built_object.c", built_object_rules, &num_built_object_rules},
    {"rules_built_operand.c", built_operand_rules, &num_built_operand_rules},
    {"rules_built_type.c", built_type_rules, &num_built_type_rules},
};

const size_t num_built_tables = sizeof built_tables / sizeof built_tables[0];
