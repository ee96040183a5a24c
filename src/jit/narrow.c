/* SPDX-License-Identifier: MIT
 *
 * Channels that no thread of a launch has on. A group that is smaller than a thread's channels
 * has the same ones on in all of its threads, so an instruction need not be made for more of
 * them than that: the text is copied with smaller execution sizes, and without what is left
 * with no channel at all. So channels are all on again where they do not part. An instruction
 * that ignores masks is made as it stands, and so is what may look beyond its own channel.
 * Handlers get the instructions of the unit itself, which do the same. */
#include "exec/message.h"
#include "jit/lowering.h"

/* What has a result in each channel from that channel's elements alone. */
static bool is_by_element(const vsg_exe_operand *operand, bool takes_predicates)
{
    switch ((vsg_exe_operand_kind)operand->kind) {
    case VSG_EXE_OPERAND_NONE:
    case VSG_EXE_OPERAND_REGION:
    case VSG_EXE_OPERAND_IMMEDIATE:
        return true;
    case VSG_EXE_OPERAND_PREDICATE:
        return takes_predicates;
    default:
        return false;
    }
}

static bool is_by_channel(const vsg_exe_inst *inst)
{
    uint32_t flags = vsg_isa_op((visage_op)inst->op)->flags;
    bool is_logic = inst->op == VISAGE_OP_AND || inst->op == VISAGE_OP_OR ||
                    inst->op == VISAGE_OP_XOR || inst->op == VISAGE_OP_NOT;

    if (inst->message)
        return vsg_jit_is_transfer(inst) && !inst->message->is_block && !inst->message->strided;
    if (vsg_jit_has_own_shape(inst) || (flags & (VSG_ISA_PRED_RESULT | VSG_ISA_ACROSS)) ||
        !is_by_element(&inst->dst, is_logic || inst->op == VISAGE_OP_CMP) ||
        !is_by_element(&inst->dst2, false))
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (!is_by_element(&inst->src[s], is_logic))
            return false;
    return true;
}

static void leave_out(const vsg_jit_emitter *e, vsg_exe_inst *inst)
{
    if (!vsg_jit_lower_of(inst) || inst->no_mask || inst->exec_size == 1 || inst->refresh ||
        inst->writes_mode || vsg_jit_does_nothing(inst) || !is_by_channel(inst))
        return;
    uint32_t on = vsg_jit_possible(e, inst);
    while (inst->exec_size > 1 && on >> inst->exec_size / 2 == 0)
        inst->exec_size /= 2;
    if (on == 0)
        *inst = (vsg_exe_inst){.op = VISAGE_OP_LABEL,
                               .exec_size = 1,
                               .no_mask = true,
                               .wait = VSG_EXE_NO_WAIT,
                               .next_wait = inst->next_wait,
                               .end_wait = inst->end_wait};
}

bool vsg_jit_leave_out(vsg_jit_emitter *e)
{
    if (e->request->mask == 0)
        return true;
    vsg_exe_unit *unit = vsg_base_arena_new(&e->arena, 1, sizeof *unit);
    vsg_exe_inst *code = vsg_base_arena_new(&e->arena, e->unit->num_code, sizeof *code);
    if (!unit || !code)
        return false;
    e->dispatch_mask = e->request->mask;
    while (e->simd_size > 1 && e->dispatch_mask >> e->simd_size / 2 == 0)
        e->simd_size /= 2;
    *unit = *e->unit;
    unit->code = code;
    for (uint32_t i = 0; i < unit->num_code; i++) {
        code[i] = e->unit->code[i];
        leave_out(e, &code[i]);
    }
    e->unit = unit;
    return true;
}
