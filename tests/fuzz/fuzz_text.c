/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target for the text reader. Whatever the text, the parser returns, and what it has
 * put into the module is within bounds: every index names something, every operand list has the
 * length its form says.
 *
 * clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -Iinclude -Isrc \
 *       tests/fuzz/fuzz_text.c src/text/[a-z]*.c src/object/object.c src/isa/isa.c
 * src/base/[a-z]*.c
 * ./a.out CORPUS tests/data/text */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool condition)
{
    if (!condition)
        abort();
}

static bool is_general(const vsg_obj_unit *unit, uint32_t id)
{
    vsg_obj_variable_facts facts;
    return vsg_obj_variable_get(unit, id, &facts);
}

static bool is_surface(const vsg_obj_unit *unit, uint32_t id)
{
    return id < VSG_ISA_NUM_SURFACES || id - VSG_ISA_NUM_SURFACES < unit->num_surfaces;
}

static bool is_sampler(const vsg_obj_unit *unit, uint32_t id)
{
    return id == VSG_ISA_BINDLESS_SAMPLER || id < unit->num_samplers;
}

static bool is_predicate(const vsg_obj_unit *unit, uint32_t id)
{
    return id <= unit->num_predicates;
}

static void check_operand(const vsg_obj_unit *unit, const vsg_obj_operand *operand)
{
    switch (operand->class_) {
    case VSG_OBJ_CLASS_GENERAL:
    case VSG_OBJ_CLASS_RAW:
        must(is_general(unit, operand->id));
        break;
    case VSG_OBJ_CLASS_ADDRESS:
    case VSG_OBJ_CLASS_INDIRECT:
        must(operand->id < unit->num_addresses);
        break;
    case VSG_OBJ_CLASS_PREDICATE:
        must(operand->id != 0 && is_predicate(unit, operand->id));
        break;
    case VSG_OBJ_CLASS_ADDRESS_OF:
        must(operand->state == 2   ? is_general(unit, operand->id)
             : operand->state == 1 ? is_sampler(unit, operand->id)
                                   : is_surface(unit, operand->id));
        break;
    case VSG_OBJ_CLASS_IMMEDIATE:
        must(operand->type < VISAGE_TYPE_COUNT);
        break;
    case VSG_OBJ_CLASS_STATE:
        must(operand->state ? is_sampler(unit, operand->id) : is_surface(unit, operand->id));
        break;
    case VSG_OBJ_CLASS_SURFACE:
        must(is_surface(unit, operand->id));
        break;
    case VSG_OBJ_CLASS_SAMPLER:
        must(is_sampler(unit, operand->id));
        break;
    case VSG_OBJ_CLASS_LABEL:
        must(operand->id < unit->num_labels);
        break;
    case VSG_OBJ_CLASS_NAME:
        must(operand->name != NULL);
        break;
    case VSG_OBJ_CLASS_VARIABLE:
        must(operand->state == 0   ? is_general(unit, operand->id)
             : operand->state == 1 ? operand->id < unit->num_addresses
                                   : is_predicate(unit, operand->id));
        break;
    default:
        must(operand->class_ == VSG_OBJ_CLASS_NUMBER);
    }
}

static void check_inst(const vsg_obj_unit *unit, const vsg_obj_inst *inst)
{
    must(inst->op < VISAGE_OP_COUNT);
    must(inst->exec_size <= 32 && inst->mask_offset <= 28);
    must(is_predicate(unit, inst->predicate));
    must(vsg_isa_has_slot(inst->op, VSG_ISA_SLOT_EXEC) == (inst->exec_size != 0));
    must(inst->num_operands + 1u >= vsg_isa_num_operands(inst->op));
    for (uint32_t i = 0; i < inst->num_operands; i++) {
        must(vsg_isa_operand_slot(inst->op, i) != NULL);
        check_operand(unit, &inst->operands[i]);
    }
}

static void check_unit(const vsg_obj_unit *unit)
{
    for (uint32_t i = 0; i < unit->num_variables; i++) {
        uint32_t root;
        uint64_t offset;
        must(vsg_obj_variable_root(unit, VSG_ISA_FIRST_VARIABLE + i, &root, &offset));
        must(unit->variables[i].type < VISAGE_TYPE_COUNT && unit->variables[i].name != NULL);
    }
    for (size_t i = 0; i < unit->num_labels; i++)
        must(unit->labels[i].inst < (int64_t)unit->num_insts && unit->labels[i].name != NULL);
    for (size_t i = 0; i < unit->num_insts; i++)
        check_inst(unit, &unit->insts[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_obj_module *module = vsg_obj_create(&alloc);
    visage_diagnostics *diagnostics = vsg_base_diagnostics_new(&alloc);
    /* A copy of the exact size: reading past the end is seen. */
    char *text = malloc(size ? size : 1);

    must(module && diagnostics && text);
    memcpy(text, data, size);
    vsg_txt_input input = {.name = "fuzz", .text = text, .size_bytes = size};
    visage_status status = vsg_txt_parse(module, &input, diagnostics);
    must(status == VISAGE_OK || status == VISAGE_SYNTAX);
    must((status == VISAGE_OK) == (visage_diagnostics_errors(diagnostics) == 0));
    (void)vsg_txt_is_text(text, size);
    for (size_t i = 0; i < module->num_units; i++)
        check_unit(module->units[i]);
    for (size_t i = 0; i < visage_diagnostics_count(diagnostics); i++) {
        char message[512];
        (void)visage_diagnostic_render(visage_diagnostics_get(diagnostics, i), false, message,
                                       sizeof message);
    }
    free(text);
    visage_diagnostics_destroy(&diagnostics);
    vsg_obj_destroy(&module);
    return 0;
}
