/* SPDX-License-Identifier: MIT
 *
 * Control flow over the execution mask, as exec_flow.c has it. Where all channels of the
 * dispatch are on, a branch is a branch and masks are constants; in divergent text every label
 * takes in the channels that wait at it, and a branch that leaves no channel goes to the next
 * label where some wait. */
#include <stdatomic.h>
#include <stddef.h>

#include "exec/build.h"
#include "exec/operand.h"
#include "isa/lsc.h"
#include "jit/frame.h"
#include "jit/group.h"
#include "jit/loops.h"
#include "jit/marks.h"
#include "jit/sides.h"
#include "jit/ways.h"

static LLVMValueRef get(vsg_jit_emitter *e, LLVMValueRef slot)
{
    return LLVMBuildLoad2(e->b, e->i32, slot, "");
}

static LLVMValueRef is_zero(vsg_jit_emitter *e, LLVMValueRef bits)
{
    return LLVMBuildICmp(e->b, LLVMIntEQ, bits, vsg_jit_i32(e, 0), "");
}

/* Those of some channels that an instruction is for. */
static LLVMValueRef in_range(vsg_jit_emitter *e, LLVMValueRef some, const vsg_exe_inst *inst)
{
    uint32_t range = vsg_jit_range(inst);

    return (e->dispatch_mask & ~range) == 0
               ? some
               : LLVMBuildAnd(e->b, some, vsg_jit_i32(e, range), "");
}

LLVMValueRef vsg_jit_condition(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    LLVMValueRef bits = vsg_jit_predicate(e, inst);

    if (!bits)
        return NULL;
    return LLVMBuildTrunc(e->b, bits, e->i1, "");
}

/* The channels that a branch takes, of those that are on. */
static LLVMValueRef taken_by(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    LLVMValueRef mask = get(e, e->mask);
    LLVMValueRef bits = vsg_jit_predicate(e, inst);

    if (!bits)
        return in_range(e, mask, inst);
    if (inst->exec_size == 1)
        return LLVMBuildSelect(e->b, LLVMBuildTrunc(e->b, bits, e->i1, ""), mask,
                               vsg_jit_i32(e, 0), "");
    bits = LLVMBuildShl(e->b, bits, vsg_jit_i32(e, inst->mask_offset), "");
    return LLVMBuildAnd(e->b, bits, mask, "");
}

/* At a label where divergent text ends all are on: who looks for waiting channels finds them
 * there at the latest. */
void vsg_jit_emit_search(vsg_jit_emitter *e, uint32_t wait, LLVMBasicBlockRef behind)
{
    uint32_t label = e->unit->waits[wait].pc;

    vsg_jit_go_on(e, e->searches[wait]);
    if (vsg_jit_ends_search(e, wait))
        LLVMBuildBr(e->b, e->blocks[label]);
    else
        LLVMBuildCondBr(e->b, is_zero(e, get(e, vsg_jit_wait_slot(e, wait))), behind,
                        e->blocks[label]);
}

void vsg_jit_emit_lost(vsg_jit_emitter *e)
{
    const vsg_exe_inst *last = &e->unit->code[e->unit->num_code - 1];

    vsg_jit_go_on(e, e->searches[e->unit->num_waits]);
    LLVMBuildStore(e->b, vsg_jit_call(e, "vsg_jit_lose_flow", last), e->reason);
    LLVMBuildBr(e->b, e->stop);
}

/* ---- branches ---------------------------------------------------------------------------- */

/* To a place in the text, while the thread has instructions left. */
static void jump_checked(vsg_jit_emitter *e, uint32_t target)
{
    LLVMBasicBlockRef suspended = vsg_jit_block(e);
    LLVMValueRef done = LLVMBuildLoad2(e->b, e->i64, e->count, "");
    LLVMValueRef most = LLVMBuildLoad2(e->b, e->i64, e->budget, "");
    LLVMBuildCondBr(e->b, vsg_jit_is_below(e, done, most), vsg_jit_head_of(e, target),
                    suspended);
    vsg_jit_go_on(e, suspended);
    if (e->group || !e->notes[target].is_resumed)
        vsg_jit_look(e, target, e->budget, done, e->blocks[target]);
    vsg_jit_suspend(e, target, vsg_jit_i32(e, VSG_EXE_STOP_BUDGET));
}

/* Forwards a thread comes to an end by itself. */
static void jump(vsg_jit_emitter *e, uint32_t target)
{
    if (target > e->place)
        LLVMBuildBr(e->b, e->blocks[target]);
    else
        jump_checked(e, target);
}

static void branch(vsg_jit_emitter *e, LLVMValueRef taken, uint32_t target)
{
    LLVMBasicBlockRef leaving;

    if (!taken) {
        jump(e, target);
        return;
    }
    leaving = vsg_jit_block(e);
    LLVMBuildCondBr(e->b, taken, leaving, e->blocks[e->place + 1]);
    vsg_jit_go_on(e, leaving);
    jump(e, target);
}

/* Channels went, and none that the branch concerns is left. */
static LLVMValueRef leaves_none(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                LLVMValueRef taken, LLVMValueRef left)
{
    LLVMValueRef some = LLVMBuildICmp(e->b, LLVMIntNE, taken, vsg_jit_i32(e, 0), "");
    return LLVMBuildAnd(e->b, some, is_zero(e, in_range(e, left, inst)), "");
}

static void take_forward(vsg_jit_emitter *e, const vsg_exe_inst *inst, LLVMValueRef taken)
{
    LLVMValueRef waits = vsg_jit_wait_slot(e, inst->wait);
    LLVMValueRef left = LLVMBuildAnd(e->b, get(e, e->mask), LLVMBuildNot(e->b, taken, ""), "");

    LLVMBuildStore(e->b, LLVMBuildOr(e->b, get(e, waits), taken, ""), waits);
    LLVMBuildStore(e->b, left, e->mask);
    /* Where all have been on, nobody waits anywhere else. */
    LLVMBasicBlockRef rest = e->notes[e->place].is_divergent
                                 ? vsg_jit_way(e, e->place, inst->wait)
                                 : e->blocks[inst->target];
    LLVMBuildCondBr(e->b, leaves_none(e, inst, taken, left), rest, e->blocks[e->place + 1]);
}

/* Does a branch go to where the text ends? Those who have nothing to do take it, as behind
 * `if (i < n)`, of which there are few in most threads. */
static bool is_guard(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t end = inst->target;

    while (e->unit->code[end].op == VISAGE_OP_LABEL)
        end++;
    return e->traces && e->unit->code[end].op == VISAGE_OP_RET &&
           !e->unit->code[end].predicate_mode;
}

static void goto_forward(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    bool takes_all;
    LLVMValueRef side = vsg_jit_side(e, inst, &takes_all);

    if (side) {
        LLVMBasicBlockRef together = vsg_jit_block(e), apart = vsg_jit_block(e);
        vsg_jit_mostly(e, LLVMBuildCondBr(e->b, side, together, apart));
        vsg_jit_go_on(e, together);
        take_forward(e, inst,
                     takes_all ? in_range(e, get(e, e->mask), inst) : vsg_jit_i32(e, 0));
        vsg_jit_go_on(e, apart);
    }
    LLVMValueRef taken = taken_by(e, inst);
    if (is_guard(e, inst)) {
        LLVMBasicBlockRef some = vsg_jit_block(e);
        vsg_jit_mostly(e,
                       LLVMBuildCondBr(e->b, is_zero(e, taken), e->blocks[e->place + 1], some));
        vsg_jit_go_on(e, some);
    }
    take_forward(e, inst, taken);
}

static void goto_backward(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    LLVMBasicBlockRef leaving = vsg_jit_block(e);
    LLVMValueRef mask = get(e, e->mask);
    LLVMValueRef taken = taken_by(e, inst);

    LLVMBuildCondBr(e->b, is_zero(e, taken), e->blocks[e->place + 1], leaving);
    vsg_jit_go_on(e, leaving);
    LLVMValueRef left =
        LLVMBuildAnd(e->b, in_range(e, mask, inst), LLVMBuildNot(e->b, taken, ""), "");
    if (inst->wait != VSG_EXE_NO_WAIT) {
        LLVMValueRef waits = vsg_jit_wait_slot(e, inst->wait);
        LLVMBuildStore(e->b, LLVMBuildOr(e->b, get(e, waits), left, ""), waits);
    }
    LLVMBuildStore(e->b, LLVMBuildAnd(e->b, mask, LLVMBuildNot(e->b, left, ""), ""), e->mask);
    jump(e, inst->target);
}

/* Of one channel in divergent text: all that are on go, or none. */
static void goto_together(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    LLVMValueRef taken = vsg_jit_condition(e, inst);

    if (inst->target <= e->place) {
        branch(e, taken, inst->target);
        return;
    }
    if (taken) {
        LLVMBasicBlockRef leaving = vsg_jit_block(e);
        LLVMBuildCondBr(e->b, taken, leaving, e->blocks[e->place + 1]);
        vsg_jit_go_on(e, leaving);
    }
    LLVMValueRef waits = vsg_jit_wait_slot(e, inst->wait);
    LLVMBuildStore(e->b, LLVMBuildOr(e->b, get(e, waits), get(e, e->mask), ""), waits);
    LLVMBuildStore(e->b, vsg_jit_i32(e, 0), e->mask);
    LLVMBuildBr(e->b, vsg_jit_way(e, e->place, inst->wait));
}

static void emit_goto(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    if (!vsg_jit_diverges(e, e->place))
        branch(e, vsg_jit_condition(e, inst), inst->target);
    else if (inst->exec_size == 1)
        goto_together(e, inst);
    else if (inst->target > e->place)
        goto_forward(e, inst);
    else
        goto_backward(e, inst);
}

static bool emit_switch(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    LLVMBasicBlockRef lost = e->searches[e->unit->num_waits];
    LLVMValueRef index = vsg_jit_read(e, &inst->src[0], 1);
    LLVMTypeRef type = LLVMTypeOf(index);
    uint32_t home = e->place;

    LLVMValueRef choice = LLVMBuildSwitch(e->b, index, lost, inst->num_targets);
    for (uint32_t i = 0; i < inst->num_targets; i++) {
        LLVMBasicBlockRef block = vsg_jit_block(e);
        LLVMAddCase(choice, LLVMConstInt(type, i, false), block);
        vsg_jit_go_on(e, block);
        e->place = home;
        jump(e, inst->targets[i]);
    }
    return true;
}

/* ---- labels, returns --------------------------------------------------------------------- */

static void emit_label(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    if (inst->wait == VSG_EXE_NO_WAIT)
        return;
    LLVMValueRef waits = vsg_jit_wait_slot(e, inst->wait);
    LLVMValueRef mask = LLVMBuildOr(e->b, get(e, e->mask), get(e, waits), "");
    if (!e->notes[e->place].is_divergent)
        mask = vsg_jit_i32(e, e->dispatch_mask);
    LLVMBuildStore(e->b, mask, e->mask);
    LLVMBuildStore(e->b, vsg_jit_i32(e, 0), waits);
}

/* To wherever the thread is now in the text: behind a call of a subroutine. */
static void follow_return(vsg_jit_emitter *e)
{
    LLVMBasicBlockRef lost = e->searches[e->unit->num_waits];

    vsg_jit_load_masks(e);
    LLVMValueRef choice = LLVMBuildSwitch(e->b, vsg_jit_load_pc(e), lost, e->num_returns);
    for (uint32_t i = 0; i < e->num_returns; i++)
        LLVMAddCase(choice, vsg_jit_i32(e, e->returns[i]), e->blocks[e->returns[i]]);
}

/* All channels have returned, from a subroutine, from a function or from the kernel. */
static void finish(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    LLVMValueRef reason = vsg_jit_i32(e, VSG_EXE_STOP_END);
    bool is_function = e->unit->object->is_function;

    if (is_function)
        vsg_jit_store_sources(e);
    if (is_function || e->num_returns > 0)
        reason = vsg_jit_call(e, "vsg_jit_return", inst);
    if (e->num_returns > 0) {
        LLVMBasicBlockRef back = vsg_jit_block(e), over = vsg_jit_block(e);
        LLVMBuildCondBr(e->b, is_zero(e, reason), back, over);
        vsg_jit_go_on(e, back);
        follow_return(e);
        vsg_jit_go_on(e, over);
    }
    LLVMBuildStore(e->b, reason, e->reason);
    LLVMBuildBr(e->b, e->stop);
}

/* Of a subroutine: the handler notes where to return to. */
static void emit_call(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    LLVMBuildStore(e->b, get(e, e->call_mask),
                   vsg_jit_field(e, offsetof(vsg_exe_thread, call_mask)));
    vsg_jit_call_handler(e);
    vsg_jit_load_masks(e);
    LLVMValueRef is_behind =
        LLVMBuildICmp(e->b, LLVMIntEQ, vsg_jit_load_pc(e), vsg_jit_i32(e, e->place + 1), "");
    LLVMBasicBlockRef inside = vsg_jit_block(e);
    LLVMBuildCondBr(e->b, is_behind, e->blocks[e->place + 1], inside);
    vsg_jit_go_on(e, inside);
    jump_checked(e, inst->target);
}

static void emit_return(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    if (!vsg_jit_diverges(e, e->place) && !inst->predicate_mode) {
        finish(e, inst);
        return;
    }
    LLVMBasicBlockRef over = vsg_jit_block(e);
    LLVMBasicBlockRef rest = vsg_jit_block(e);
    LLVMValueRef taken = taken_by(e, inst);
    LLVMValueRef kept = LLVMBuildNot(e->b, taken, "");
    LLVMValueRef mask = LLVMBuildAnd(e->b, get(e, e->mask), kept, "");
    LLVMValueRef calls = LLVMBuildAnd(e->b, get(e, e->call_mask), kept, "");

    LLVMBuildStore(e->b, mask, e->mask);
    LLVMBuildStore(e->b, calls, e->call_mask);
    LLVMBuildCondBr(e->b, is_zero(e, calls), over, rest);
    vsg_jit_go_on(e, over);
    finish(e, inst);
    vsg_jit_go_on(e, rest);
    if (e->place + 1 < e->unit->num_code)
        LLVMBuildCondBr(e->b, is_zero(e, mask), vsg_jit_search_from(e, inst),
                        e->blocks[e->place + 1]);
    else
        LLVMBuildBr(e->b, vsg_jit_search_from(e, inst));
}

bool vsg_jit_flow(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    switch ((visage_op)inst->op) {
    case VISAGE_OP_LABEL:
    case VISAGE_OP_SUBROUTINE:
        emit_label(e, inst);
        return true;
    case VISAGE_OP_GOTO:
        emit_goto(e, inst);
        return true;
    case VISAGE_OP_JMP:
        branch(e, vsg_jit_condition(e, inst), inst->target);
        return true;
    case VISAGE_OP_SWITCHJMP:
        return emit_switch(e, inst);
    case VISAGE_OP_RET:
    case VISAGE_OP_FRET:
        emit_return(e, inst);
        return true;
    case VISAGE_OP_CALL:
        emit_call(e, inst);
        return true;
    case VISAGE_OP_FCALL:
    case VISAGE_OP_IFCALL:
        vsg_jit_emit_call(e);
        return true;
    case VISAGE_OP_BARRIER:
        vsg_jit_suspend(e, e->place + 1, vsg_jit_i32(e, VSG_EXE_STOP_BARRIER));
        return true;
    default:
        return false;
    }
}

/* ---- nothing to compute ------------------------------------------------------------------ */

bool vsg_jit_lower_nothing(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    (void)e;
    (void)inst;
    return true;
}

/* Does a fence concern threads of the group alone? */
static bool is_of_group(const vsg_exe_inst *inst)
{
    if (inst->op != VISAGE_OP_LSC_FENCE)
        return inst->op == VISAGE_OP_FENCE_LOCAL;
    return vsg_exe_number(inst->source, "sfid") == VSG_ISA_LSC_SLM ||
           vsg_exe_number(inst->source, "scope") == VSG_ISA_LSC_GROUP;
}

/* The threads of a group are run by one thread of the host. What LLVM has for fences (mfence)
 * takes several times as long as an atomic that changes nothing, for which it takes a locked
 * access to the stack that orders as much. */
bool vsg_jit_lower_fence(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    bool is_near = is_of_group(inst);

    if (is_near && !e->group)
        (void)LLVMBuildFence(e->b, LLVMAtomicOrderingSequentiallyConsistent, true, "");
    if (!is_near)
        (void)LLVMBuildAtomicRMW(e->b, LLVMAtomicRMWBinOpOr, vsg_jit_work(e), vsg_jit_i32(e, 0),
                                 LLVMAtomicOrderingSequentiallyConsistent, false);
    return true;
}
