/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target for the binary reader and writer. Whatever the bytes: the reader returns, it
 * takes no more memory than 64 times the input and 16 MiB, what it has put into the module is
 * within bounds, and a file that it takes without a warning is written again byte for byte and,
 * through the other layout, loses nothing.
 *
 * clang -std=c11 -D_POSIX_C_SOURCE=200809L -g -O1 -fsanitize=fuzzer,address,undefined -Iinclude
 *       -Isrc tests/fuzz/fuzz_binary.c src/object/[a-z]*.c src/isa/isa.c src/base/[a-z]*.c
 * ./a.out -max_len=16384 CORPUS tests/data/binary */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/binary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool condition)
{
    if (!condition)
        abort();
}

typedef struct meter {
    size_t live, peak;
} meter;

static void *metered(void *user, void *pointer, size_t old_size, size_t new_size)
{
    meter *m = user;

    m->live = m->live - (pointer ? old_size : 0) + new_size;
    if (m->live > m->peak)
        m->peak = m->live;
    if (new_size == 0) {
        free(pointer);
        return NULL;
    }
    return realloc(pointer, new_size);
}

/* ---- bounds ----------------------------------------------------------------------------- */

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

static void check_operand(const vsg_obj_unit *unit, const vsg_obj_operand *o)
{
    switch (o->class_) {
    case VSG_OBJ_CLASS_GENERAL:
    case VSG_OBJ_CLASS_RAW:
        must(is_general(unit, o->id));
        break;
    case VSG_OBJ_CLASS_ADDRESS:
    case VSG_OBJ_CLASS_INDIRECT:
        must(o->id < unit->num_addresses);
        break;
    case VSG_OBJ_CLASS_PREDICATE:
        must(o->id != 0 && o->id <= unit->num_predicates);
        break;
    case VSG_OBJ_CLASS_ADDRESS_OF:
        must(o->state == 2   ? is_general(unit, o->id)
             : o->state == 1 ? is_sampler(unit, o->id)
                             : is_surface(unit, o->id));
        break;
    case VSG_OBJ_CLASS_IMMEDIATE:
        must(o->type < VISAGE_TYPE_COUNT && o->type != VISAGE_TYPE_BOOL);
        break;
    case VSG_OBJ_CLASS_STATE:
        must(o->state <= 1 && (o->state ? is_sampler(unit, o->id) : is_surface(unit, o->id)));
        break;
    case VSG_OBJ_CLASS_SURFACE:
        must(is_surface(unit, o->id));
        break;
    case VSG_OBJ_CLASS_SAMPLER:
        must(is_sampler(unit, o->id));
        break;
    case VSG_OBJ_CLASS_LABEL:
        must(o->id < unit->num_labels && unit->labels[o->id].inst >= 0);
        break;
    case VSG_OBJ_CLASS_NAME:
        must(o->name != NULL);
        break;
    case VSG_OBJ_CLASS_VARIABLE:
        must(o->state == 0   ? is_general(unit, o->id)
             : o->state == 1 ? o->id < unit->num_addresses
                             : o->state == 2 && o->id <= unit->num_predicates);
        break;
    default:
        must(o->class_ == VSG_OBJ_CLASS_NUMBER);
    }
}

static void check_inst(const vsg_obj_unit *unit, const vsg_obj_inst *inst)
{
    must(inst->op < VISAGE_OP_COUNT);
    must(inst->exec_size <= 32 && inst->mask_offset <= 28);
    must(inst->predicate <= unit->num_predicates);
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
        must(unit->variables[i].type < VISAGE_TYPE_COUNT && unit->variables[i].name != NULL);
        must(vsg_obj_variable_root(unit, VSG_ISA_FIRST_VARIABLE + i, &root, &offset) ||
             unit->variables[i].alias != VSG_OBJ_NO_ALIAS);
    }
    for (size_t i = 0; i < unit->num_labels; i++)
        must(unit->labels[i].inst < (int64_t)unit->num_insts && unit->labels[i].name != NULL);
    for (size_t i = 0; i < unit->num_insts; i++)
        check_inst(unit, &unit->insts[i]);
    must(unit->num_insts == 0 || unit->stored.num_stream == 0);
}

/* ---- round trips ------------------------------------------------------------------------ */

/* Writes the module in a layout and reads that; *bytes is what was written. NULL: the layout
 * cannot hold it. */
static vsg_obj_module *move(const vsg_base_alloc *alloc, const vsg_obj_module *from,
                            vsg_obj_layout layout, vsg_obj_bytes *bytes)
{
    if (vsg_obj_write_binary(from, layout, NULL, bytes) != VISAGE_OK)
        return NULL;
    vsg_obj_module *module = vsg_obj_create(alloc);
    vsg_obj_binary input = {.data = bytes->data, .size_bytes = bytes->size};
    must(module);
    module->platform = from->platform;
    must(vsg_obj_read_binary(module, &input, NULL) == VISAGE_OK);
    must(module->layout == layout || module->num_units == 0);
    return module;
}

/* Into the other layout and back, twice: what comes back must be the same both times. (The
 * first time the string pool may get longer.) */
static void through_other(const vsg_base_alloc *alloc, const vsg_obj_module *module)
{
    enum { MOVES = 4 };
    vsg_obj_bytes bytes[MOVES] = {{0}};
    vsg_obj_module *modules[MOVES] = {NULL};
    vsg_obj_layout own = module->layout;
    vsg_obj_layout other = own == VSG_OBJ_LAYOUT_DOC ? VSG_OBJ_LAYOUT_IGC : VSG_OBJ_LAYOUT_DOC;

    for (unsigned i = 0; i < MOVES; i++) {
        modules[i] = move(alloc, i ? modules[i - 1] : module, i % 2 ? own : other, &bytes[i]);
        if (!modules[i])
            break;
    }
    must(!modules[2] || modules[3]);
    must(!modules[3] || (bytes[3].size == bytes[1].size &&
                         memcmp(bytes[3].data, bytes[1].data, bytes[1].size) == 0));
    for (unsigned i = 0; i < MOVES; i++) {
        vsg_obj_bytes_free(alloc, &bytes[i]);
        vsg_obj_destroy(&modules[i]);
    }
}

static void round_trip(const vsg_base_alloc *alloc, const vsg_obj_module *module,
                       const uint8_t *data, size_t size)
{
    vsg_obj_bytes bytes;

    must(vsg_obj_write_binary(module, VSG_OBJ_LAYOUT_NONE, NULL, &bytes) == VISAGE_OK);
    if (module->version_major == 4)
        must(bytes.size == size && memcmp(bytes.data, data, size) == 0);
    vsg_obj_bytes_free(alloc, &bytes);
    through_other(alloc, module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    meter memory = {0};
    vsg_base_alloc alloc = {.resize = metered, .user = &memory};
    vsg_base_alloc plain = vsg_base_alloc_default();
    vsg_obj_module *module = vsg_obj_create(&alloc);
    visage_diagnostics *diagnostics = vsg_base_diagnostics_new(&plain);
    /* A copy of the exact size: reading past the end is seen. */
    uint8_t *copy = malloc(size ? size : 1);

    must(module && diagnostics && copy);
    memcpy(copy, data, size);
    vsg_obj_binary input = {.name = "fuzz", .data = copy, .size_bytes = size};
    visage_status status = vsg_obj_read_binary(module, &input, diagnostics);
    must(memory.peak <= 64 * size + (16 << 20));
    must(status == VISAGE_OK || status == VISAGE_MALFORMED || status == VISAGE_INVALID ||
         status == VISAGE_UNSUPPORTED);
    must((status == VISAGE_OK) == (visage_diagnostics_errors(diagnostics) == 0));
    if (status == VISAGE_OK) {
        for (size_t i = 0; i < module->num_units; i++)
            check_unit(module->units[i]);
        if (visage_diagnostics_count(diagnostics) == 0)
            round_trip(&alloc, module, copy, size);
    }
    for (size_t i = 0; i < visage_diagnostics_count(diagnostics); i++) {
        char message[512];
        (void)visage_diagnostic_render(visage_diagnostics_get(diagnostics, i), false, message,
                                       sizeof message);
    }
    free(copy);
    visage_diagnostics_destroy(&diagnostics);
    vsg_obj_destroy(&module);
    must(memory.live == 0);
    return 0;
}
