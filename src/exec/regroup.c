/* SPDX-License-Identifier: MIT
 *
 * Threads that leave a barrier leave it together on a GPU: what they load next, all have before
 * the first one has come to a store further on. Intel's compiler counts on that. Its
 * work_group_any() ends with a load of the same number by each thread, and the next function of
 * the group stores there with no barrier between. Here threads go on one after the other, so
 * that all but the first would load what that one has stored. Where it can come to that they
 * come together again behind the load, each waiting until all others have had a turn
 * (runtime/group.c): who has passed another barrier does not come. */
#include "exec/handlers.h"
#include "exec/message.h"

/* Does it go on at a label, or may it, or is it one? */
static bool is_flow(const vsg_exe_inst *inst)
{
    return !inst->source || inst->op == VISAGE_OP_LABEL || inst->op == VISAGE_OP_SUBROUTINE ||
           inst->op == VISAGE_OP_RET || inst->op == VISAGE_OP_FRET ||
           inst->op == VISAGE_OP_FCALL || inst->op == VISAGE_OP_IFCALL ||
           vsg_isa_has_slot((visage_op)inst->op, VSG_ISA_SLOT_LABEL) ||
           vsg_isa_has_slot((visage_op)inst->op, VSG_ISA_SLOT_LABEL_LIST);
}

static bool loads(const vsg_exe_inst *inst)
{
    return vsg_exe_op_of((visage_op)inst->op)->handler == vsg_exe_do_load;
}

/* The load behind a barrier that each thread makes once, not for its channels; 0: there is
 * none. Loads of channels are left alone: they are the program's, and what races with them is
 * its fault. */
static uint32_t load_behind(const vsg_exe_unit *unit, uint32_t barrier)
{
    uint32_t place = barrier + 1;

    while (place + 1 < unit->num_code && !unit->code[place].message &&
           !is_flow(&unit->code[place]) && unit->code[place].op != VISAGE_OP_BARRIER)
        place++;
    const vsg_exe_inst *inst = &unit->code[place];
    return inst->message && loads(inst) && inst->exec_size == 1 && inst->no_mask &&
                   vsg_exe_is_slm(inst->message)
               ? place
               : 0;
}

/* ---- what comes behind ------------------------------------------------------------------- */

static bool ends_here(const vsg_exe_inst *inst)
{
    return inst->op == VISAGE_OP_RET || inst->op == VISAGE_OP_FRET ||
           inst->op == VISAGE_OP_BARRIER || (vsg_exe_is_jump(inst) && !inst->predicate_mode);
}

/* Is there a way from an instruction to a store in shared local memory, as far as is known of
 * what comes next? */
static bool leads_to_store(const vsg_exe_builder *builder, const uint32_t *place_of,
                           const bool *known, uint32_t place)
{
    const vsg_exe_inst *inst = &builder->unit->code[place];
    const vsg_obj_unit *object = builder->object;
    bool does = !ends_here(inst) && place + 1 < builder->unit->num_code && known[place + 1];

    if (inst->message && vsg_exe_is_slm(inst->message) && !loads(inst))
        return true;
    for (uint32_t i = 0; inst->source && is_flow(inst) && i < inst->source->num_operands; i++) {
        const vsg_obj_operand *operand = &inst->source->operands[i];
        if (operand->class_ == VSG_OBJ_CLASS_LABEL && operand->id < object->num_labels &&
            object->labels[operand->id].inst >= 0)
            does = does || known[place_of[object->labels[operand->id].inst]];
    }
    return does;
}

/* From the end to the beginning, again where a branch back has told something new: a loop
 * around a loop more takes one more time. It is enough to be right for some loops. */
static void find_ways(const vsg_exe_builder *builder, const uint32_t *place_of, bool *leads)
{
    enum { MOST_SWEEPS = 8 };
    bool changes = true;

    for (uint32_t n = 0; n < MOST_SWEEPS && changes; n++) {
        changes = false;
        for (uint32_t i = builder->unit->num_code; i-- > 0;) {
            bool does = leads_to_store(builder, place_of, leads, i);
            changes |= does != leads[i];
            leads[i] = does;
        }
    }
}

/* ---- regrouping -------------------------------------------------------------------------- */

/* Leaves only those loads marked that threads regroup behind; returns how many. */
static uint32_t mark_loads(const vsg_exe_unit *unit, bool *marks)
{
    uint32_t load = 0, count = 0;

    for (uint32_t i = 0; i < unit->num_code; i++) {
        bool leads = i + 1 < unit->num_code && marks[i + 1];
        if (unit->code[i].op == VISAGE_OP_BARRIER)
            load = load_behind(unit, i);
        marks[i] = leads && load != 0 && i == load;
        count += marks[i];
    }
    return count;
}

static vsg_exe_inst regroup_of(const vsg_obj_inst *barrier)
{
    return (vsg_exe_inst){.handler = vsg_exe_do_regroup,
                          .op = VISAGE_OP_BARRIER,
                          .exec_size = 1,
                          .wait = VSG_EXE_NO_WAIT,
                          .source = barrier};
}

static bool put_in(vsg_exe_builder *builder, uint32_t *place_of, const bool *marks,
                   uint32_t count)
{
    vsg_exe_unit *unit = builder->unit;
    const vsg_exe_inst *old = unit->code;
    size_t num_insts = builder->object->num_insts, next = 0;
    const vsg_obj_inst *barrier = NULL;
    uint32_t at = 0;

    unit->code = vsg_exe_keep(builder, (size_t)unit->num_code + count, sizeof *unit->code);
    if (!unit->code)
        return false;
    for (uint32_t i = 0; i < unit->num_code; i++) {
        for (; next < num_insts && place_of[next] == i; next++)
            place_of[next] = at;
        barrier = old[i].op == VISAGE_OP_BARRIER ? old[i].source : barrier;
        unit->code[at++] = old[i];
        if (marks[i])
            unit->code[at++] = regroup_of(barrier);
    }
    unit->num_code = at;
    builder->program->regroups = true;
    return true;
}

static bool has_loads(const vsg_exe_unit *unit)
{
    for (uint32_t i = 0; i < unit->num_code; i++)
        if (unit->code[i].op == VISAGE_OP_BARRIER && load_behind(unit, i) != 0)
            return true;
    return false;
}

bool vsg_exe_add_regroups(vsg_exe_builder *builder, uint32_t *place_of)
{
    const vsg_base_alloc *alloc = &builder->program->alloc;
    uint32_t num_code = builder->unit->num_code, count;

    if (!has_loads(builder->unit))
        return true;
    bool *marks = vsg_base_new(alloc, num_code, sizeof *marks);
    if (!marks) {
        builder->status = VISAGE_NO_MEMORY;
        return false;
    }
    find_ways(builder, place_of, marks);
    count = mark_loads(builder->unit, marks);
    bool good = count == 0 || put_in(builder, place_of, marks, count);
    vsg_base_delete(alloc, marks, num_code, sizeof *marks);
    return good;
}
