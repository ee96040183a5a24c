/* SPDX-License-Identifier: MIT */
#include "ops_machine.h"

#include <string.h>

#include "isa/isa.h"

void machine_reset(machine *m)
{
    memset(m, 0, sizeof *m);
    memset(m->registers, 0xee, sizeof m->registers);
    m->unit.variable_bytes = MACHINE_BYTES;
    m->unit.register_bytes = sizeof m->registers;
    m->unit.num_addresses = MACHINE_ELEMENTS;
    m->unit.num_predicates = MACHINE_ELEMENTS;
    m->unit.num_surfaces = MACHINE_ELEMENTS;
    m->unit.num_samplers = MACHINE_ELEMENTS;
    m->frame.unit = &m->unit;
    m->frame.registers = m->registers;
    m->frame.addresses = m->addresses;
    m->frame.predicates = m->predicates;
    m->frame.surfaces = m->surfaces;
    m->frame.samplers = m->samplers;
    m->thread.frame = &m->frame;
    m->thread.registers = m->registers;
    m->thread.shared = m->shared;
    m->thread.shared_bytes = sizeof m->shared;
    m->thread.predicates = m->predicates;
    m->thread.execution_mask = UINT32_MAX;
    machine_mode(m, MACHINE_MODE);
    vsg_exe_host_enter(&m->thread);
}

void machine_mode(machine *m, uint32_t cr0)
{
    memcpy(m->shared + vsg_exe_shared_at(VSG_ISA_VAR_CR0), &cr0, sizeof cr0);
    vsg_exe_mode_changed(&m->thread);
}

vsg_exe_operand machine_region(visage_type type, uint32_t offset, uint32_t count)
{
    vsg_exe_operand operand = machine_scalar(type, offset);

    if (count > 1)
        operand.shape = VSG_EXE_SHAPE_CONTIGUOUS;
    return operand;
}

vsg_exe_operand machine_scalar(visage_type type, uint32_t offset)
{
    return (vsg_exe_operand){.kind = VSG_EXE_OPERAND_REGION,
                             .type = (uint8_t)type,
                             .bytes = (uint8_t)vsg_isa_type(type)->bytes,
                             .shape = VSG_EXE_SHAPE_SCALAR,
                             .width = 1,
                             .offset = offset};
}

vsg_exe_operand machine_strided(visage_type type, uint32_t offset, int32_t stride_elements)
{
    vsg_exe_operand operand = machine_scalar(type, offset);

    operand.shape = VSG_EXE_SHAPE_STRIDED;
    operand.h_stride_bytes = stride_elements * operand.bytes;
    return operand;
}

vsg_exe_operand machine_immediate(visage_type type, const uint64_t *elements, uint16_t count)
{
    return (vsg_exe_operand){.kind = VSG_EXE_OPERAND_IMMEDIATE,
                             .type = (uint8_t)type,
                             .bytes = (uint8_t)vsg_isa_type(type)->bytes,
                             .shape =
                                 count > 1 ? VSG_EXE_SHAPE_CONTIGUOUS : VSG_EXE_SHAPE_SCALAR,
                             .count = count,
                             .elements = elements};
}

vsg_exe_operand machine_predicate(uint32_t index)
{
    return (vsg_exe_operand){.kind = VSG_EXE_OPERAND_PREDICATE,
                             .type = VISAGE_TYPE_BOOL,
                             .count = 32,
                             .index = index};
}

vsg_exe_inst machine_inst(visage_op op, uint32_t exec_size)
{
    return (vsg_exe_inst){.op = (uint16_t)op,
                          .exec_size = (uint8_t)exec_size,
                          .combined = vsg_exe_first(exec_size),
                          .num_sources = 1};
}

vsg_exe_class machine_class(const vsg_exe_inst *inst)
{
    bool has_half = false;
    bool has_float = inst->dst.type == VISAGE_TYPE_F || inst->dst.type == VISAGE_TYPE_BF;
    bool is_float = false;

    for (uint32_t i = 0; i < inst->num_sources; i++) {
        uint32_t type = inst->src[i].type;
        if (type == VISAGE_TYPE_DF)
            return VSG_EXE_CLASS_DOUBLE;
        is_float |= type == VISAGE_TYPE_F || type == VISAGE_TYPE_BF;
        has_half |= type == VISAGE_TYPE_HF;
    }
    if (is_float || (has_half && has_float))
        return VSG_EXE_CLASS_FLOAT;
    return has_half ? VSG_EXE_CLASS_HALF : VSG_EXE_CLASS_INT;
}

void machine_run(machine *m, vsg_exe_inst *inst)
{
    inst->class_ = (uint8_t)machine_class(inst);
    vsg_exe_op_of((visage_op)inst->op)->handler(&m->thread, inst);
}

void machine_put(machine *m, uint32_t offset, uint32_t bytes, uint32_t i, uint64_t value)
{
    memcpy(m->registers + offset + (size_t)i * bytes, &value, bytes);
}

uint64_t machine_get(const machine *m, uint32_t offset, uint32_t bytes, uint32_t i)
{
    uint64_t value = 0;

    memcpy(&value, m->registers + offset + (size_t)i * bytes, bytes);
    return value;
}

/* splitmix64 */
uint64_t machine_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
