/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "exec/layout.h"

/* State of the pass over one unit. */
typedef struct connector {
    vsg_exe_builder *builder;
    const vsg_obj_unit *object;
    vsg_exe_unit *unit;
    const uint32_t *place_of; /* instruction number of each object instruction */
    uint32_t *wait_of;        /* wait mask of each instruction, or NO_WAIT */
} connector;

static bool is_join(const vsg_exe_inst *inst)
{
    return inst->op == VISAGE_OP_LABEL && !inst->source;
}

static bool has_label(const vsg_exe_inst *inst)
{
    return inst->source && inst->op != VISAGE_OP_LABEL && inst->op != VISAGE_OP_SUBROUTINE &&
           (vsg_isa_has_slot((visage_op)inst->op, VSG_ISA_SLOT_LABEL) ||
            vsg_isa_has_slot((visage_op)inst->op, VSG_ISA_SLOT_LABEL_LIST));
}

static uint32_t find_place(const connector *c, const vsg_obj_operand *operand)
{
    assert(operand->id < c->object->num_labels && c->object->labels[operand->id].inst >= 0);
    return c->place_of[c->object->labels[operand->id].inst];
}

/* Labels that follow each other are one place: a jump ahead to the last of them is one to the
 * first, so that it leaves out no channels that wait there. */
static uint32_t first_of_labels(const connector *c, uint32_t place, uint32_t target)
{
    while (target > place + 1 && c->unit->code[target - 1].op == VISAGE_OP_LABEL)
        target--;
    return target;
}

/* Finds the targets of one branch, and marks where its channels may wait. */
static void resolve(connector *c, vsg_exe_inst *inst)
{
    uint32_t place = (uint32_t)(inst - c->unit->code);
    uint32_t found = 0;

    for (uint32_t i = 0; i < inst->source->num_operands; i++) {
        const vsg_obj_operand *operand = &inst->source->operands[i];
        if (operand->class_ != VSG_OBJ_CLASS_LABEL)
            continue;
        uint32_t target = find_place(c, operand);
        if (inst->op == VISAGE_OP_JMP || inst->op == VISAGE_OP_SWITCHJMP)
            target = first_of_labels(c, place, target);
        if (inst->targets && found < inst->num_targets)
            inst->targets[found++] = target;
        else
            inst->target = target;
        if (inst->op == VISAGE_OP_GOTO && target > place)
            c->wait_of[target] = 0;
        else if (inst->op == VISAGE_OP_GOTO && is_join(inst + 1))
            c->wait_of[place + 1] = 0;
    }
}

/* Numbers the wait masks in the order of their places. */
static bool number_waits(connector *c)
{
    vsg_exe_unit *unit = c->unit;

    for (uint32_t i = 0; i < unit->num_code; i++)
        if (c->wait_of[i] != VSG_EXE_NO_WAIT)
            c->wait_of[i] = unit->num_waits++;
    unit->waits = vsg_exe_keep(c->builder, unit->num_waits, sizeof *unit->waits);
    if (!unit->waits)
        return false;
    for (uint32_t i = 0; i < unit->num_code; i++)
        if (c->wait_of[i] != VSG_EXE_NO_WAIT)
            unit->waits[c->wait_of[i]].pc = i;
    return true;
}

/* A subroutine extends from its label to the next subroutine's, so waiting channels of a caller
 * are never looked for in a callee or the other way round. */
static void bound_waits(connector *c)
{
    vsg_exe_unit *unit = c->unit;
    uint32_t end = unit->num_waits;
    uint32_t next = unit->num_waits;

    for (uint32_t i = unit->num_code; i-- > 0;) {
        vsg_exe_inst *inst = &unit->code[i];
        inst->next_wait = next;
        inst->end_wait = end;
        if (c->wait_of[i] != VSG_EXE_NO_WAIT)
            next = c->wait_of[i];
        if (inst->op == VISAGE_OP_SUBROUTINE)
            end = next;
    }
    for (uint32_t i = 0; i < unit->num_code; i++) {
        vsg_exe_inst *inst = &unit->code[i];
        inst->wait = c->wait_of[i];
        if (inst->op == VISAGE_OP_GOTO)
            inst->wait = inst->target > i    ? c->wait_of[inst->target]
                         : is_join(inst + 1) ? c->wait_of[i + 1]
                                             : VSG_EXE_NO_WAIT;
    }
}

static bool connect(connector *c)
{
    memset(c->wait_of, 0xff, c->unit->num_code * sizeof *c->wait_of);
    for (uint32_t i = 0; i < c->unit->num_code; i++)
        if (has_label(&c->unit->code[i]))
            resolve(c, &c->unit->code[i]);
    if (!number_waits(c))
        return false;
    bound_waits(c);
    return true;
}

bool vsg_exe_connect(vsg_exe_builder *builder, const uint32_t *place_of)
{
    const vsg_base_alloc *alloc = &builder->program->alloc;
    connector c = {.builder = builder,
                   .object = builder->object,
                   .unit = builder->unit,
                   .place_of = place_of};

    c.wait_of = vsg_base_new(alloc, c.unit->num_code, sizeof *c.wait_of);
    if (!c.wait_of) {
        builder->status = VISAGE_NO_MEMORY;
        return false;
    }
    bool good = connect(&c);
    vsg_base_delete(alloc, c.wait_of, c.unit->num_code, sizeof *c.wait_of);
    return good;
}
