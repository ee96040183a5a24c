/* SPDX-License-Identifier: MIT
 *
 * Modules taken apart and put together again, and one made from nothing, through the public
 * interface alone. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>

#include "visage/visage.h"

typedef struct fixture {
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module, *copy;
    visage_builder *builder;
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

    visage_builder_destroy(&f->builder);
    visage_module_destroy(&f->module);
    visage_module_destroy(&f->copy);
    visage_diagnostics_destroy(&f->diagnostics);
    visage_context_destroy(&f->context);
    free(f);
    return 0;
}

/* ---- taking apart and putting together -------------------------------------------------- */

static void copy_attributes(fixture *f, size_t from, size_t to, visage_class class_,
                            size_t index)
{
    visage_attribute attribute;

    for (size_t i = 0; visage_module_get_attribute_record(f->module, from, class_, index, i,
                                                          &attribute) == VISAGE_OK;
         i++)
        assert_int_equal(
            visage_builder_add_attribute(f->builder, to, class_, index, &attribute), VISAGE_OK);
}

static void copy_variables(fixture *f, size_t from, size_t to)
{
    visage_variable variable;
    visage_label label;
    uint32_t id, new_id;

    for (int class_ = VISAGE_CLASS_GENERAL; class_ <= VISAGE_CLASS_SURFACE; class_++)
        for (size_t i = 0; visage_module_get_variable(f->module, from, (visage_class)class_, i,
                                                      &variable, &id) == VISAGE_OK;
             i++) {
            assert_int_equal(visage_builder_add_variable(f->builder, to, (visage_class)class_,
                                                         &variable, &new_id),
                             VISAGE_OK);
            assert_int_equal(id, new_id);
            copy_attributes(f, from, to, (visage_class)class_, i);
        }
    for (size_t i = 0; visage_module_get_label(f->module, from, i, &label) == VISAGE_OK; i++) {
        assert_int_equal(visage_builder_add_label(f->builder, to, &label, &new_id), VISAGE_OK);
        assert_int_equal(new_id, i);
        copy_attributes(f, from, to, VISAGE_CLASS_LABEL, i);
    }
}

static void copy_instructions(fixture *f, size_t from, size_t to)
{
    visage_instruction instruction;
    visage_operand operands[300];
    size_t count = visage_module_num_instructions(f->module, from);

    for (size_t i = 0; i < count; i++) {
        assert_int_equal(visage_module_get_instruction(f->module, from, i, &instruction),
                         VISAGE_OK);
        assert_true(instruction.num_operands <= 300);
        for (size_t j = 0; j < instruction.num_operands; j++)
            assert_int_equal(visage_module_get_operand(f->module, from, i, j, &operands[j]),
                             VISAGE_OK);
        assert_int_equal(visage_builder_add_instruction(f->builder, to, &instruction, operands),
                         VISAGE_OK);
    }
}

static void copy_unit(fixture *f, size_t from)
{
    visage_unit unit;
    visage_input input;
    const char *name;
    size_t to;

    assert_int_equal(visage_module_get_unit(f->module, from, &unit, NULL), VISAGE_OK);
    assert_int_equal(visage_builder_add_unit(f->builder, &unit, &to), VISAGE_OK);
    copy_variables(f, from, to);
    copy_attributes(f, from, to, VISAGE_CLASS_UNIT, 0);
    for (size_t i = 0; visage_module_get_input_record(f->module, from, i, &input) == VISAGE_OK;
         i++)
        assert_int_equal(visage_builder_add_input(f->builder, to, &input), VISAGE_OK);
    for (size_t i = 0; (name = visage_module_get_function_decl(f->module, from, i)); i++)
        assert_int_equal(visage_builder_add_function_decl(f->builder, to, name), VISAGE_OK);
    copy_instructions(f, from, to);
}

/* Units in the order of the file, which is not that of their indices. */
static void copy_module(fixture *f)
{
    visage_module_info info;
    visage_file_variable variable;
    size_t position;

    assert_int_equal(visage_module_get_info(f->module, &info), VISAGE_OK);
    const visage_builder_options options = {.struct_size = sizeof options,
                                            .platform = info.platform,
                                            .version_major = info.version_major,
                                            .version_minor = info.version_minor,
                                            .layout = visage_module_get_layout(f->module)};
    assert_int_equal(visage_builder_create(f->context, &options, &f->builder), VISAGE_OK);
    for (size_t i = 0; visage_module_get_file_variable(f->module, i, &variable) == VISAGE_OK;
         i++)
        assert_int_equal(visage_builder_add_file_variable(f->builder, &variable, NULL),
                         VISAGE_OK);
    for (size_t place = 0; place < info.num_kernels + info.num_functions; place++)
        for (size_t i = 0;
             visage_module_get_unit(f->module, i, &(visage_unit){0}, &position) == VISAGE_OK;
             i++)
            if (position == place)
                copy_unit(f, i);
    assert_int_equal(visage_builder_finish(&f->builder, &f->copy), VISAGE_OK);
    assert_null(f->builder);
}

typedef struct bytes {
    char *data;
    size_t size;
} bytes;

static bool append(void *user, const void *data, size_t size_bytes)
{
    bytes *b = user;

    b->data = realloc(b->data, b->size + size_bytes);
    assert_non_null(b->data);
    memcpy(b->data + b->size, data, size_bytes);
    b->size += size_bytes;
    return true;
}

static void assert_same(bytes *a, bytes *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
    free(a->data);
    free(b->data);
}

static void compare_printed(const fixture *f)
{
    bytes a = {0}, b = {0};

    assert_int_equal(visage_module_print(f->module, NULL, append, &a), VISAGE_OK);
    assert_int_equal(visage_module_print(f->copy, NULL, append, &b), VISAGE_OK);
    assert_true(a.size > 0);
    assert_same(&a, &b);
}

static void compare_written(const fixture *f)
{
    const visage_write_options options = {.struct_size = sizeof options,
                                          .layout = VISAGE_LAYOUT_DOC};
    bytes a = {0}, b = {0};

    assert_int_equal(visage_module_write(f->module, &options, NULL, append, &a), VISAGE_OK);
    assert_int_equal(visage_module_write(f->copy, &options, NULL, append, &b), VISAGE_OK);
    assert_same(&a, &b);
}

static void copy_file(fixture *f, const char *path, bool is_text)
{
    assert_int_equal(
        visage_module_read_file(f->context, path, NULL, f->diagnostics, &f->module), VISAGE_OK);
    copy_module(f);
    compare_printed(f);
    /* A binary has a pool of strings of its own, which no record tells of. */
    if (is_text)
        compare_written(f);
    visage_module_destroy(&f->copy);
    visage_module_destroy(&f->module);
}

static void copy_folder(fixture *f, const char *folder, const char *suffix)
{
    char path[1024];
    const char *slash = strrchr(__FILE__, '/');
    int length = snprintf(path, sizeof path, "%.*s../data/%s/",
                          slash ? (int)(slash + 1 - __FILE__) : 0, __FILE__, folder);
    DIR *entries = opendir(path);
    const struct dirent *entry;
    unsigned copied = 0;

    assert_non_null(entries);
    while ((entry = readdir(entries)) != NULL) {
        size_t size = strlen(entry->d_name), tail = strlen(suffix);
        if (size < tail || strcmp(entry->d_name + size - tail, suffix) != 0)
            continue;
        (void)snprintf(path + length, sizeof path - (size_t)length, "%s", entry->d_name);
        copy_file(f, path, suffix[1] == 'v');
        copied++;
    }
    closedir(entries);
    assert_true(copied > 5);
}

static void texts_are_copied(void **state)
{
    copy_folder(*state, "text", ".visaasm");
    copy_folder(*state, "binary", ".visaasm");
}

static void binaries_are_copied(void **state)
{
    copy_folder(*state, "binary", ".isa");
}

/* ---- from nothing ----------------------------------------------------------------------- */

static visage_operand general(uint32_t id, uint8_t v_stride, uint8_t width, uint8_t h_stride)
{
    return (visage_operand){.kind = VISAGE_OPERAND_GENERAL,
                            .id = id,
                            .v_stride = v_stride,
                            .width = width,
                            .h_stride = h_stride};
}

static uint8_t opcode_of(const char *mnemonic)
{
    visage_isa_entry entry;
    char text[2048];

    for (size_t i = 0; i < visage_isa_count(); i++) {
        assert_int_equal(visage_isa_get(i, &entry, text, sizeof text), VISAGE_OK);
        if (strcmp(entry.mnemonic, mnemonic) == 0)
            return entry.opcode;
    }
    fail_msg("no %s", mnemonic);
    return 0;
}

/* V32 = 7 * V33, 16 channels of D, where V33 is an input; V32 is written to the surface that is
 * the kernel's other input. */
static void build_product(fixture *f, size_t *unit)
{
    const visage_unit record = {.name = "product", .linkage = VISAGE_LINKAGE_GLOBAL};
    const visage_variable out = {.name = "OUT",
                                 .num_elements = 16,
                                 .type = VISAGE_TYPE_D,
                                 .align = 5,
                                 .alias = VISAGE_NO_ALIAS};
    visage_variable in = out;
    const visage_variable surface = {.name = "dest", .num_elements = 1};
    uint32_t out_id, in_id, surface_id;

    const visage_builder_options options = {.struct_size = sizeof options,
                                            .platform = VISAGE_PLATFORM_SKL,
                                            .version_major = 3,
                                            .version_minor = 6};
    assert_int_equal(visage_builder_create(f->context, &options, &f->builder), VISAGE_OK);
    assert_int_equal(visage_builder_add_unit(f->builder, &record, unit), VISAGE_OK);
    in.name = "IN";
    assert_int_equal(
        visage_builder_add_variable(f->builder, *unit, VISAGE_CLASS_GENERAL, &out, &out_id),
        VISAGE_OK);
    assert_int_equal(
        visage_builder_add_variable(f->builder, *unit, VISAGE_CLASS_GENERAL, &in, &in_id),
        VISAGE_OK);
    assert_int_equal(visage_builder_add_variable(f->builder, *unit, VISAGE_CLASS_SURFACE,
                                                 &surface, &surface_id),
                     VISAGE_OK);
    assert_int_equal(out_id, 32);
    assert_int_equal(in_id, 33);
    assert_int_equal(surface_id, 6);
    const visage_input inputs[] = {
        {.class_ = VISAGE_CLASS_GENERAL, .id = in_id, .offset_bytes = 32, .size_bytes = 64},
        {.class_ = VISAGE_CLASS_SURFACE, .id = surface_id, .offset_bytes = 96, .size_bytes = 4},
    };
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(visage_builder_add_input(f->builder, *unit, &inputs[i]), VISAGE_OK);

    const visage_operand product[] = {
        general(out_id, 0, 0, 1),
        general(in_id, 8, 8, 1),
        {.kind = VISAGE_OPERAND_IMMEDIATE, .type = VISAGE_TYPE_D, .value = 7},
    };
    const visage_instruction mul = {
        .opcode = opcode_of("mul"), .sub_opcode = -1, .exec_size = 16, .num_operands = 3};
    assert_int_equal(visage_builder_add_instruction(f->builder, *unit, &mul, product),
                     VISAGE_OK);
    const visage_operand store[] = {
        {.kind = VISAGE_OPERAND_NUMBER, .value = 2}, /* four owords */
        {.kind = VISAGE_OPERAND_SURFACE, .id = surface_id},
        {.kind = VISAGE_OPERAND_IMMEDIATE, .type = VISAGE_TYPE_UD},
        {.kind = VISAGE_OPERAND_RAW, .id = out_id},
    };
    const visage_instruction oword_st = {
        .opcode = opcode_of("oword_st"), .sub_opcode = -1, .num_operands = 4};
    assert_int_equal(visage_builder_add_instruction(f->builder, *unit, &oword_st, store),
                     VISAGE_OK);
    const visage_instruction ret = {
        .opcode = opcode_of("ret"), .sub_opcode = -1, .exec_size = 1};
    assert_int_equal(visage_builder_add_instruction(f->builder, *unit, &ret, NULL), VISAGE_OK);
}

static void run_product(fixture *f)
{
    const visage_device_options options = {
        .struct_size = sizeof options, .platform = VISAGE_PLATFORM_SKL, .jobs = 1};
    const visage_range range = {.struct_size = sizeof range};
    visage_device *device;
    visage_program *program;
    visage_launch *launch;
    visage_buffer *buffer;
    int32_t in[16];

    for (int i = 0; i < 16; i++)
        in[i] = i * i - 20;
    assert_int_equal(visage_device_create(f->context, &options, &device), VISAGE_OK);
    assert_int_equal(visage_program_create(device, f->copy, f->diagnostics, &program),
                     VISAGE_OK);
    assert_int_equal(visage_launch_create(program, "product", f->diagnostics, &launch),
                     VISAGE_OK);
    assert_int_equal(visage_buffer_create(device, sizeof in, &buffer), VISAGE_OK);
    assert_int_equal(visage_launch_set_value(launch, 0, in, sizeof in, f->diagnostics),
                     VISAGE_OK);
    assert_int_equal(visage_launch_set_buffer(launch, 1, buffer, 0, f->diagnostics), VISAGE_OK);
    assert_int_equal(visage_launch_run(launch, &range, NULL, f->diagnostics, NULL), VISAGE_OK);
    const int32_t *out = visage_buffer_data(buffer);
    for (int i = 0; i < 16; i++)
        assert_int_equal(out[i], 7 * in[i]);
    visage_launch_destroy(&launch);
    visage_buffer_destroy(&buffer);
    visage_program_destroy(&program);
    visage_device_destroy(&device);
}

static void a_kernel_from_nothing(void **state)
{
    fixture *f = *state;
    size_t unit;
    visage_module_info info;

    build_product(f, &unit);
    assert_int_equal(visage_builder_finish(&f->builder, &f->copy), VISAGE_OK);
    assert_int_equal(visage_module_get_info(f->copy, &info), VISAGE_OK);
    assert_string_equal(info.form, "made");
    assert_int_equal(info.num_kernels, 1);
    assert_int_equal(visage_verify(f->copy, NULL, f->diagnostics), VISAGE_OK);
    run_product(f);
    assert_int_equal(visage_diagnostics_count(f->diagnostics), 0);
}

/* ---- what is refused -------------------------------------------------------------------- */

static void refuse_instruction(fixture *f, size_t unit, visage_instruction instruction,
                               const visage_operand *operands)
{
    assert_int_equal(visage_builder_add_instruction(f->builder, unit, &instruction, operands),
                     VISAGE_ARGUMENT);
}

static void bad_instructions(void **state)
{
    fixture *f = *state;
    size_t unit;
    const visage_operand good[] = {general(32, 0, 0, 1), general(33, 8, 8, 1)};
    const visage_operand unknown[] = {general(32, 0, 0, 1), general(34, 8, 8, 1)};
    const visage_operand wrong_kind[] = {general(32, 0, 0, 1),
                                         {.kind = VISAGE_OPERAND_RAW, .id = 32}};
    const visage_operand no_label[] = {{.kind = VISAGE_OPERAND_LABEL}};
    const visage_instruction move = {
        .opcode = 0x29, .sub_opcode = -1, .exec_size = 8, .num_operands = 2};
    visage_instruction bad;

    build_product(f, &unit);
    refuse_instruction(f, unit, move, unknown);
    refuse_instruction(f, unit, move, wrong_kind);
    refuse_instruction(f, unit, move, NULL);
    refuse_instruction(f, unit + 1, move, good);
    bad = move;
    bad.num_operands = 1;
    refuse_instruction(f, unit, bad, good);
    bad = move;
    bad.opcode = 0xff;
    refuse_instruction(f, unit, bad, good);
    bad = move;
    bad.predicate = 1;
    refuse_instruction(f, unit, bad, good);
    bad = move;
    bad.mask_offset = 3;
    refuse_instruction(f, unit, bad, good);
    bad = move;
    bad.exec_size = 33;
    refuse_instruction(f, unit, bad, good);
    bad = (visage_instruction){.opcode = 0x31, .sub_opcode = -1, .num_operands = 1};
    refuse_instruction(f, unit, bad, no_label);
    assert_int_equal(visage_builder_add_instruction(f->builder, unit, &move, good), VISAGE_OK);
}

/* What names or counts something cannot be left out. */
static void absent_operands(void **state)
{
    static const visage_operand none = {.kind = VISAGE_OPERAND_NONE, .id = 0x10000000};
    fixture *f = *state;
    visage_isa_entry entry;
    char text[2048];
    size_t unit, refused = 0;

    build_product(f, &unit);
    for (size_t i = 0; i < visage_isa_count(); i++) {
        visage_operand operands[32];
        assert_int_equal(visage_isa_get(i, &entry, text, sizeof text), VISAGE_OK);
        visage_instruction instruction = {
            .opcode = entry.opcode, .sub_opcode = entry.sub_opcode, .exec_size = 1};
        for (const char *at = entry.operands; *at; at += strcspn(at, " "), at += *at == ' ')
            operands[instruction.num_operands++] = none;
        refused += visage_builder_add_instruction(f->builder, unit, &instruction, operands) ==
                   VISAGE_ARGUMENT;
    }
    assert_true(refused > 20);
    refuse_instruction(
        f, unit, (visage_instruction){.opcode = 0x31, .sub_opcode = -1, .num_operands = 1},
        &none);
    assert_int_equal(visage_builder_finish(&f->builder, &f->copy), VISAGE_OK);
}

static void a_label_stands_once(void **state)
{
    fixture *f = *state;
    const visage_label record = {.name = "again"};
    const visage_instruction label = {.opcode = 0x31, .sub_opcode = -1, .num_operands = 1};
    visage_operand operand = {.kind = VISAGE_OPERAND_LABEL};
    visage_label placed;
    size_t unit;

    build_product(f, &unit);
    assert_int_equal(visage_builder_add_label(f->builder, unit, &record, &operand.id),
                     VISAGE_OK);
    assert_int_equal(visage_builder_add_instruction(f->builder, unit, &label, &operand),
                     VISAGE_OK);
    refuse_instruction(f, unit, label, &operand);
    assert_int_equal(visage_builder_finish(&f->builder, &f->copy), VISAGE_OK);
    assert_int_equal(visage_module_get_label(f->copy, 0, 0, &placed), VISAGE_OK);
    assert_int_equal(placed.instruction, 3);
}

static void bad_records(void **state)
{
    fixture *f = *state;
    visage_variable variable = {
        .name = "v", .num_elements = 1, .type = VISAGE_TYPE_COUNT, .alias = VISAGE_NO_ALIAS};
    const visage_attribute odd = {.name = "a", .size_bytes = 5};
    const visage_input nowhere = {.class_ = VISAGE_CLASS_GENERAL, .id = 40, .size_bytes = 4};
    size_t unit;

    build_product(f, &unit);
    assert_int_equal(
        visage_builder_add_variable(f->builder, unit, VISAGE_CLASS_GENERAL, &variable, NULL),
        VISAGE_ARGUMENT);
    variable.type = VISAGE_TYPE_D;
    variable.alias = 90;
    assert_int_equal(
        visage_builder_add_variable(f->builder, unit, VISAGE_CLASS_GENERAL, &variable, NULL),
        VISAGE_ARGUMENT);
    variable.alias = 32;
    assert_int_equal(
        visage_builder_add_variable(f->builder, unit, VISAGE_CLASS_GENERAL, &variable, NULL),
        VISAGE_OK);
    assert_int_equal(
        visage_builder_add_attribute(f->builder, unit, VISAGE_CLASS_GENERAL, 0, &odd),
        VISAGE_ARGUMENT);
    assert_int_equal(
        visage_builder_add_attribute(f->builder, unit, VISAGE_CLASS_GENERAL, 9, &odd),
        VISAGE_ARGUMENT);
    assert_int_equal(visage_builder_add_input(f->builder, unit, &nowhere), VISAGE_ARGUMENT);
    assert_int_equal(visage_builder_add_unit(f->builder, &(visage_unit){.name = ""}, NULL),
                     VISAGE_ARGUMENT);
    assert_int_equal(visage_builder_add_unit(NULL, &(visage_unit){.name = "k"}, NULL),
                     VISAGE_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(texts_are_copied, set_up, tear_down),
        cmocka_unit_test_setup_teardown(binaries_are_copied, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_kernel_from_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_instructions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(absent_operands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_label_stands_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_records, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
