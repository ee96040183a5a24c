/* SPDX-License-Identifier: MIT */
#include "exec/coverage.h"

#ifdef VISAGE_COVERAGE

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool vsg_exe_coverage_begin(vsg_exe_program *program, vsg_exe_unit *unit)
{
    unit->executed =
        vsg_base_arena_new(&program->arena, unit->num_code, sizeof *unit->executed);
    return unit->executed != NULL;
}

/* ---- operands --------------------------------------------------------------------------- */

static const char *shape_of(const vsg_obj_inst *inst, const vsg_obj_operand *operand)
{
    bool is_dst = operand->width == 0;
    bool is_even = is_dst || operand->width == 1 || operand->width >= inst->exec_size ||
                   operand->v_stride == operand->width * operand->h_stride;
    uint32_t stride = operand->width == 1 ? operand->v_stride : operand->h_stride;

    if (inst->exec_size <= 1 || (!is_dst && is_even && stride == 0))
        return "scalar";
    return !is_even ? "rows" : stride == 1 ? "contiguous" : "strided";
}

/* The kind of an operand, NULL where it is none of those that are told apart. */
static const char *kind_of(const vsg_obj_inst *inst, const vsg_obj_operand *operand)
{
    const vsg_isa_type_info *type = vsg_isa_type(operand->type);

    switch ((vsg_obj_class)operand->class_) {
    case VSG_OBJ_CLASS_GENERAL:
        return shape_of(inst, operand);
    case VSG_OBJ_CLASS_INDIRECT:
        return operand->v_stride == VSG_OBJ_STRIDE_NULL ? "multi" : "indirect";
    case VSG_OBJ_CLASS_IMMEDIATE:
        return type && type->kind == VSG_ISA_KIND_PACKED ? "packed" : "immediate";
    case VSG_OBJ_CLASS_ADDRESS:
        return "address";
    case VSG_OBJ_CLASS_ADDRESS_OF:
        return "address_of";
    case VSG_OBJ_CLASS_PREDICATE:
        return "predicate";
    case VSG_OBJ_CLASS_STATE:
        return operand->state == 1 ? "sampler" : "surface";
    case VSG_OBJ_CLASS_RAW:
        return "raw";
    default:
        return NULL;
    }
}

static const char *type_of(const vsg_obj_unit *unit, const vsg_obj_operand *operand)
{
    vsg_obj_variable_facts facts = {.type = (visage_type)operand->type};
    bool has_variable = operand->class_ == VSG_OBJ_CLASS_GENERAL;

    if (has_variable && !vsg_obj_variable_get(unit, operand->id, &facts))
        return "-";
    if (!has_variable && operand->class_ != VSG_OBJ_CLASS_INDIRECT &&
        operand->class_ != VSG_OBJ_CLASS_IMMEDIATE)
        return "-";
    const vsg_isa_type_info *type = vsg_isa_type(facts.type);
    return type ? type->letters : "-";
}

/* ---- lines ------------------------------------------------------------------------------ */

static const char *predicate_of(const vsg_obj_inst *inst)
{
    static const char *const names[2][3] = {{"+", "any", "all"}, {"!", "!any", "!all"}};

    return inst->predicate == 0 ? "none"
                                : names[inst->predicate_inverse][inst->predicate_combine];
}

/* Number of the operation, platform, execution size, mask, predicate, and for each operand its
 * number, kind, type and modifier. */
static void write_inst(FILE *file, const vsg_exe_program *program, const vsg_obj_unit *unit,
                       const vsg_obj_inst *inst)
{
    static const char *const modifiers[] = {"none", "abs", "neg", "negabs", "sat", "not"};

    (void)fprintf(file, "%u %s %u M%u%s %s", (unsigned)inst->op,
                  visage_platform_name(program->platform), inst->exec_size,
                  inst->mask_offset / 4u + 1u, inst->no_mask ? "_NM" : "", predicate_of(inst));
    for (uint32_t i = 0; i < inst->num_operands; i++) {
        const vsg_obj_operand *operand = &inst->operands[i];
        const char *kind = kind_of(inst, operand);
        if (kind)
            (void)fprintf(file, " %u:%s:%s:%s", i, kind, type_of(unit, operand),
                          operand->modifier <= VSG_OBJ_MOD_NOT ? modifiers[operand->modifier]
                                                               : "none");
    }
    (void)fputc('\n', file);
}

static void write_unit(FILE *file, const vsg_exe_program *program, const vsg_exe_unit *unit)
{
    for (uint32_t i = 0; unit->executed && i < unit->num_code; i++)
        if (unit->executed[i] && unit->code[i].source)
            write_inst(file, program, unit->object, unit->code[i].source);
}

void vsg_exe_coverage_write(const vsg_exe_program *program)
{
    const char *folder = getenv("VISAGE_COVERAGE_LOG");
    char path[4096];
    char *text = NULL;
    size_t size = 0;

    if (!folder || snprintf(path, sizeof path, "%s/%ld", folder, (long)getpid()) < 0)
        return;
    FILE *lines = open_memstream(&text, &size);
    if (!lines)
        return;
    for (uint32_t i = 0; program->units && i < program->num_units; i++)
        write_unit(lines, program, &program->units[i]);
    if (fclose(lines) == 0 && size > 0) {
        /* One write each, so that lines of several threads do not mix. */
        int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
        if (file >= 0) {
            (void)!write(file, text, size);
            (void)close(file);
        }
    }
    free(text);
}

#endif
