/* SPDX-License-Identifier: MIT
 *
 * The function of a unit: thread in, reason to stop out. It begins with a switch over the
 * places where a thread may go on, each with a block that loads what is live there. */
#include <stddef.h>

#include "exec/handlers.h"
#include "jit/frame.h"

static const vsg_jit_lower lowers[VISAGE_OP_COUNT] = {
#define LOWER(op, lower) [VISAGE_OP_##op] = vsg_jit_lower_##lower,
#include "jit/lower.def"
#undef LOWER
};

LLVMBasicBlockRef vsg_jit_block(vsg_jit_emitter *e)
{
    return LLVMAppendBasicBlockInContext(e->context, e->function, "");
}

void vsg_jit_go_on(vsg_jit_emitter *e, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderAtEnd(e->b, block);
}

/* ---- slots ------------------------------------------------------------------------------- */

static LLVMValueRef slot(vsg_jit_emitter *e, LLVMTypeRef type)
{
    LLVMValueRef value = LLVMBuildAlloca(e->b, type, "");

    LLVMSetAlignment(value, 64);
    return value;
}

static bool make_slots(vsg_jit_emitter *e)
{
    uint32_t waits = e->unit->num_waits;

    e->waits = vsg_base_arena_new(&e->arena, waits + 1, sizeof *e->waits);
    e->searches = vsg_base_arena_new(&e->arena, waits + 1, sizeof(LLVMBasicBlockRef));
    e->blocks = vsg_base_arena_new(&e->arena, e->unit->num_code, sizeof(LLVMBasicBlockRef));
    if (!e->waits || !e->searches || !e->blocks)
        return false;
    for (uint32_t i = 0; i < e->num_parts; i++) {
        e->parts[i].slot = slot(e, e->parts[i].type);
        vsg_jit_store(e, LLVMConstNull(e->parts[i].type), e->parts[i].slot, 64);
    }
    for (uint32_t i = 0; i < waits; i++) {
        e->waits[i] = slot(e, e->i32);
        LLVMBuildStore(e->b, vsg_jit_i32(e, 0), e->waits[i]);
    }
    e->mask = slot(e, e->i32);
    e->call_mask = slot(e, e->i32);
    e->count = slot(e, e->i64);
    e->budget = slot(e, e->i64);
    e->reason = slot(e, e->i32);
    return true;
}

static LLVMValueRef field(vsg_jit_emitter *e, LLVMTypeRef type, size_t offset)
{
    return LLVMBuildLoad2(e->b, type, vsg_jit_field(e, offset), "");
}

static void open_thread(vsg_jit_emitter *e)
{
    e->registers = field(e, e->pointer, offsetof(vsg_exe_thread, registers));
    e->shared = field(e, e->pointer, offsetof(vsg_exe_thread, shared));
    e->waits_at = vsg_jit_at(e, e->registers, e->unit->waits_at);
    LLVMBuildStore(e->b, field(e, e->i32, offsetof(vsg_exe_thread, execution_mask)), e->mask);
    LLVMBuildStore(e->b, field(e, e->i32, offsetof(vsg_exe_thread, call_mask)), e->call_mask);
    LLVMBuildStore(e->b, field(e, e->i64, offsetof(vsg_exe_thread, budget)), e->budget);
    LLVMBuildStore(e->b, vsg_jit_i64(e, 0), e->count);
}

/* ---- ways in and out --------------------------------------------------------------------- */

static vsg_exe_stop lose_flow(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_FLOW, -1, 0, 0);
    return thread->stop;
}

/* From each place where channels may wait to the next, until one has some. */
static void emit_searches(vsg_jit_emitter *e)
{
    uint32_t waits = e->unit->num_waits;

    for (uint32_t i = 0; i < waits; i++) {
        vsg_jit_go_on(e, e->searches[i]);
        LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i32, e->waits[i], "");
        LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntEQ, bits, vsg_jit_i32(e, 0), "");
        LLVMBuildCondBr(e->b, none, e->searches[i + 1], e->blocks[e->unit->waits[i].pc]);
    }
    vsg_jit_go_on(e, e->searches[waits]);
    LLVMBuildStore(e->b, vsg_jit_call(e, lose_flow, &e->unit->code[e->unit->num_code - 1]),
                   e->reason);
    LLVMBuildBr(e->b, e->stop);
}

static void emit_stop(vsg_jit_emitter *e)
{
    vsg_jit_go_on(e, e->stop);
    LLVMValueRef executed_at = vsg_jit_field(e, offsetof(vsg_exe_thread, executed));
    LLVMValueRef budget_at = vsg_jit_field(e, offsetof(vsg_exe_thread, budget));
    LLVMValueRef count = LLVMBuildLoad2(e->b, e->i64, e->count, "");
    LLVMValueRef executed = LLVMBuildLoad2(e->b, e->i64, executed_at, "");
    LLVMValueRef budget = LLVMBuildLoad2(e->b, e->i64, e->budget, "");
    LLVMValueRef left = LLVMBuildSub(e->b, budget, count, "");
    LLVMValueRef over = LLVMBuildICmp(e->b, LLVMIntUGT, count, budget, "");
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, executed, count, ""), executed_at);
    LLVMBuildStore(e->b, LLVMBuildSelect(e->b, over, vsg_jit_i64(e, 0), left, ""), budget_at);
    LLVMBuildRet(e->b, LLVMBuildLoad2(e->b, e->i32, e->reason, ""));
}

static void emit_entry(vsg_jit_emitter *e, LLVMBasicBlockRef entry)
{
    uint32_t num_resumed = 1;

    for (uint32_t i = 0; i < e->unit->num_code; i++)
        num_resumed += e->notes[i].is_resumed && e->notes[i].is_reached;
    vsg_jit_go_on(e, entry);
    LLVMValueRef pc = field(e, e->i32, offsetof(vsg_exe_thread, pc));
    LLVMValueRef choice =
        LLVMBuildSwitch(e->b, pc, e->searches[e->unit->num_waits], num_resumed);
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        if (i != 0 && !(e->notes[i].is_resumed && e->notes[i].is_reached))
            continue;
        LLVMBasicBlockRef block = vsg_jit_block(e);
        LLVMAddCase(choice, vsg_jit_i32(e, i), block);
        vsg_jit_go_on(e, block);
        vsg_jit_resume(e, i);
    }
}

/* ---- the text ---------------------------------------------------------------------------- */

static void emit_instruction(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    vsg_jit_lower lower = inst->source ? lowers[inst->op] : NULL;

    if (lower && !inst->refresh && !inst->writes_mode && lower(e, inst)) {
        e->stats.compiled++;
        return;
    }
    if (vsg_jit_flow(e, inst)) {
        e->stats.compiled++;
        return;
    }
    e->stats.called++;
    vsg_jit_call_handler(e, inst);
}

static void begin_block(vsg_jit_emitter *e, uint32_t place)
{
    LLVMValueRef count;

    vsg_jit_go_on(e, e->blocks[place]);
    count = LLVMBuildLoad2(e->b, e->i64, e->count, "");
    count = LLVMBuildAdd(e->b, count, vsg_jit_i64(e, e->notes[place].length), "");
    LLVMBuildStore(e->b, count, e->count);
}

static bool is_ended(const vsg_jit_emitter *e)
{
    return LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->b)) != NULL;
}

static void emit_text(vsg_jit_emitter *e)
{
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        const vsg_exe_inst *inst = &e->unit->code[i];
        e->place = i;
        if (e->notes[i].is_leader)
            begin_block(e, i);
        if (!e->notes[i].is_reached) {
            if (!is_ended(e))
                LLVMBuildUnreachable(e->b);
            continue;
        }
        emit_instruction(e, inst);
        if (is_ended(e))
            continue;
        if (i + 1 == e->unit->num_code)
            LLVMBuildBr(e->b, e->searches[e->unit->num_waits]);
        else if (e->notes[i + 1].is_leader)
            LLVMBuildBr(e->b, e->blocks[i + 1]);
    }
}

bool vsg_jit_emit(vsg_jit_emitter *e, const char *name)
{
    LLVMTypeRef signature = LLVMFunctionType(e->i32, &e->pointer, 1, false);

    e->function = LLVMAddFunction(e->module, name, signature);
    e->thread = LLVMGetParam(e->function, 0);
    LLVMBasicBlockRef entry = vsg_jit_block(e);
    vsg_jit_go_on(e, entry);
    if (!make_slots(e))
        return false;
    open_thread(e);
    e->stop = vsg_jit_block(e);
    for (uint32_t i = 0; i < e->unit->num_code; i++)
        if (e->notes[i].is_leader)
            e->blocks[i] = vsg_jit_block(e);
    for (uint32_t i = 0; i <= e->unit->num_waits; i++)
        e->searches[i] = vsg_jit_block(e);
    emit_entry(e, entry);
    emit_text(e);
    emit_searches(e);
    emit_stop(e);
    return !e->no_memory;
}
