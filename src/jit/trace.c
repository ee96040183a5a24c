/* SPDX-License-Identifier: MIT */
#include "jit/trace.h"

#include <string.h>

#include "jit/compile.h"
#include "jit/foresee.h"
#include "jit/group.h"
#include "jit/marks.h"
#include "jit/region.h"
#include "jit/weave.h"

static const char begin_name[] = "vsg.begin";

/* ---- where it is worth it ---------------------------------------------------------------- */

void vsg_jit_find_trace(vsg_jit_emitter *e)
{
    /* Of text that does much between them tests are a small part. */
    enum { FEWEST_ACCESSES = 6, FEWEST_CLOSE = 4, CLOSE = 20, FEWEST_STORES = 2 };
    const vsg_exe_unit *unit = e->unit;
    uint32_t num_accesses = 0, num_stores = 0;

    if (unit->object->is_function || unit->has_barrier || !e->starts || e->group)
        return;
    for (uint32_t i = 0; i < unit->num_code; i++) {
        const vsg_exe_inst *inst = &unit->code[i];
        if ((vsg_exe_is_jump(inst) && inst->target <= i) || vsg_jit_is_function_call(inst))
            return;
        num_accesses += vsg_jit_is_transfer(inst);
        num_stores += inst->source && vsg_jit_lower_of(inst) == vsg_jit_lower_store;
    }
    /* What is stored may lie together. */
    bool has_few = num_accesses < FEWEST_CLOSE && num_stores < FEWEST_STORES;
    e->traces =
        num_accesses >= FEWEST_ACCESSES || (!has_few && unit->num_code <= CLOSE * num_accesses);
}

static LLVMTypeRef begin_signature(vsg_jit_emitter *e)
{
    return LLVMFunctionType(LLVMVoidTypeInContext(e->context), NULL, 0, false);
}

void vsg_jit_begin_trace(vsg_jit_emitter *e)
{
    enum { TOUCHES_NOTHING_HERE = 3 << 2 };

    if (!e->traces || LLVMGetNamedFunction(e->module, begin_name))
        return;
    LLVMValueRef begin =
        vsg_jit_declare_placeholder(e, begin_name, begin_signature(e), TOUCHES_NOTHING_HERE);
    (void)LLVMBuildCall2(e->b, begin_signature(e), begin, NULL, 0, "");
}

/* ---- the way through the text ------------------------------------------------------------ */

enum { MOST_BLOCKS = 2048, MOST_CONDITIONS = 2048 };

/* A branch on the way, and which way it goes. */
typedef struct turn {
    LLVMValueRef branch;
    bool is_taken;
} turn;

typedef struct tracer {
    vsg_jit_emitter *e;
    const vsg_jit_region *loop;
    LLVMValueRef begin; /* the call */
    LLVMBasicBlockRef before, blocks[MOST_BLOCKS];
    uint32_t num_blocks; /* the first one begins behind the call, the last one ends the round */
    turn turns[MOST_CONDITIONS];
    uint32_t num_turns;
    vsg_jit_map own; /* what stands for values in the copy */
    vsg_jit_foresight foresight;
} tracer;

static bool is_in_loop(const tracer *t, LLVMBasicBlockRef block)
{
    for (uint32_t i = 0; i < t->loop->num_blocks; i++)
        if (t->loop->blocks[i] == block)
            return true;
    return false;
}

/* Where a switch goes that the way itself decides. NULL: it does not. */
static LLVMBasicBlockRef go_on_from_switch(tracer *t, LLVMValueRef last)
{
    LLVMValueRef v = LLVMGetOperand(last, 0);
    unsigned way = 0;

    if (LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMPHI)
        v = vsg_jit_coming_along(t->blocks, t->num_blocks, v);
    if (!v || !LLVMIsAConstantInt(v))
        return NULL;
    for (unsigned i = 1; i < LLVMGetNumSuccessors(last); i++)
        if (LLVMGetOperand(last, 2 * i) == v)
            way = i;
    return LLVMGetSuccessor(last, way);
}

/* The block that mostly comes next. NULL: that cannot be said. */
static LLVMBasicBlockRef go_on_from(tracer *t, LLVMBasicBlockRef block)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);

    if (LLVMGetInstructionOpcode(last) == LLVMSwitch)
        return go_on_from_switch(t, last);
    if (LLVMGetInstructionOpcode(last) != LLVMBr)
        return NULL;
    if (!LLVMIsConditional(last))
        return LLVMGetSuccessor(last, 0);
    bool stays[] = {is_in_loop(t, LLVMGetSuccessor(last, 0)),
                    is_in_loop(t, LLVMGetSuccessor(last, 1))};
    int way = stays[0] != stays[1] ? stays[1] : vsg_jit_likely_way(t->e, last);
    if (way < 0 || t->num_turns == MOST_CONDITIONS)
        return NULL;
    t->turns[t->num_turns++] = (turn){last, way == 0};
    return LLVMGetSuccessor(last, (unsigned)way);
}

/* From the call to the end of the round. */
static bool find_way(tracer *t)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(t->begin);

    while (t->num_blocks < MOST_BLOCKS && block && is_in_loop(t, block)) {
        t->blocks[t->num_blocks++] = block;
        if (block == t->loop->latch)
            return true;
        block = go_on_from(t, block);
        if (block == t->loop->blocks[0])
            return false;
    }
    return false;
}

/* Calls may change what tests look at. */
static bool is_plain(vsg_jit_emitter *e, LLVMValueRef v)
{
    return LLVMGetInstructionOpcode(v) != LLVMCall || vsg_jit_is_plain_call(e, v);
}

static bool is_way_plain(const tracer *t)
{
    LLVMValueRef first = LLVMGetNextInstruction(t->begin);

    for (uint32_t i = 0; i < t->num_blocks; i++)
        for (LLVMValueRef v = i == 0 ? first : LLVMGetFirstInstruction(t->blocks[i]); v;
             v = LLVMGetNextInstruction(v))
            if (!is_plain(t->e, v))
                return false;
    return true;
}

/* ---- a block in two ---------------------------------------------------------------------- */

static LLVMBasicBlockRef append_block(const tracer *t)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(t->before);

    return LLVMAppendBasicBlockInContext(t->e->context, function, "");
}

/* What follows the call becomes a block of its own, the first one of the way. */
static void cut_behind_begin(tracer *t)
{
    vsg_jit_emitter *e = t->e;
    LLVMBasicBlockRef rest = append_block(t);

    for (LLVMValueRef v; (v = LLVMGetNextInstruction(t->begin));) {
        LLVMInstructionRemoveFromParent(v);
        LLVMPositionBuilderAtEnd(e->b, rest);
        LLVMInsertIntoBuilder(e->b, v);
    }
    LLVMValueRef last = LLVMGetBasicBlockTerminator(rest);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++)
        vsg_jit_change_origin(e, LLVMGetSuccessor(last, s), t->before, rest);
    t->blocks[0] = rest;
}

/* ---- the copy ---------------------------------------------------------------------------- */

static LLVMValueRef own_or_same(const tracer *t, LLVMValueRef v)
{
    LLVMValueRef own = vsg_jit_mapped(&t->own, v);

    return own ? own : v;
}

static LLVMValueRef copy_instruction(tracer *t, LLVMValueRef v)
{
    LLVMValueRef foreseen = vsg_jit_foreseen(&t->foresight, v);

    if (foreseen)
        return foreseen;
    if (LLVMGetInstructionOpcode(v) == LLVMPHI)
        return own_or_same(t, vsg_jit_coming_along(t->blocks, t->num_blocks, v));
    LLVMValueRef copy = LLVMInstructionClone(v);
    LLVMInsertIntoBuilder(t->e->b, copy);
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        LLVMValueRef operand = LLVMGetOperand(v, (unsigned)i);
        if (LLVMIsAInstruction(operand))
            LLVMSetOperand(copy, (unsigned)i, own_or_same(t, operand));
    }
    return copy;
}

/* Phis of where the last block leads to. */
static void end_copy(tracer *t, LLVMBasicBlockRef copy)
{
    LLVMBasicBlockRef from = t->blocks[t->num_blocks - 1];
    LLVMValueRef last = LLVMGetBasicBlockTerminator(from);

    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(LLVMGetSuccessor(last, s));
             v && LLVMGetInstructionOpcode(v) == LLVMPHI; v = LLVMGetNextInstruction(v)) {
            uint32_t at = 0;
            while (LLVMGetIncomingBlock(v, at) != from)
                at++;
            LLVMValueRef value = own_or_same(t, LLVMGetIncomingValue(v, at));
            LLVMAddIncoming(v, &value, &copy, 1);
        }
}

static LLVMBasicBlockRef copy_way(tracer *t)
{
    LLVMBasicBlockRef copy = append_block(t);

    LLVMPositionBuilderAtEnd(t->e->b, copy);
    for (uint32_t i = 0; i < t->num_blocks; i++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(t->blocks[i]); v;
             v = LLVMGetNextInstruction(v))
            if (i + 1 == t->num_blocks || v != LLVMGetBasicBlockTerminator(t->blocks[i]))
                vsg_jit_map_to(&t->own, v, copy_instruction(t, v));
    end_copy(t, copy);
    return copy;
}

/* ---- all of it --------------------------------------------------------------------------- */

static bool foresee_turns(tracer *t)
{
    for (uint32_t i = 0; i < t->num_turns; i++)
        if (!vsg_jit_foresee(&t->foresight, LLVMGetCondition(t->turns[i].branch),
                             t->turns[i].is_taken))
            return false;
    return true;
}

static bool make_copy(tracer *t)
{
    vsg_jit_emitter *e = t->e;

    t->before = LLVMGetInstructionParent(t->begin);
    cut_behind_begin(t);
    vsg_jit_region way = {.blocks = t->blocks, .num_blocks = t->num_blocks};
    if (!vsg_jit_map_region(e, &way, &t->own) ||
        !vsg_jit_open_foresight(e, t->blocks, t->num_blocks, &t->foresight))
        return false;
    LLVMPositionBuilderAtEnd(e->b, t->before);
    if (!foresee_turns(t)) {
        LLVMBuildBr(e->b, t->blocks[0]);
        return true;
    }
    if (!vsg_jit_check_foreseen(&t->foresight, t->blocks[0]))
        return false;
    LLVMBasicBlockRef last = LLVMGetInsertBlock(e->b), copy = copy_way(t);
    LLVMPositionBuilderAtEnd(e->b, last);
    vsg_jit_mostly(e, LLVMBuildCondBr(e->b, vsg_jit_make_gate(e), copy, t->blocks[0]));
    return true;
}

/* The one call that says where the text begins. NULL: there are several. */
static LLVMValueRef find_begin(vsg_jit_emitter *e)
{
    LLVMValueRef function = LLVMGetNamedFunction(e->module, begin_name);
    LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL;

    return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

static void drop_begins(vsg_jit_emitter *e)
{
    LLVMValueRef function = LLVMGetNamedFunction(e->module, begin_name);

    for (LLVMUseRef use; function && (use = LLVMGetFirstUse(function));)
        LLVMInstructionEraseFromParent(LLVMGetUser(use));
    if (function)
        LLVMDeleteFunction(function);
}

static bool trace_from(vsg_jit_emitter *e, LLVMValueRef begin)
{
    enum { FEWEST_CONDITIONS = 5 };
    tracer *t = vsg_base_arena_new(&e->arena, 1, sizeof *t);
    vsg_jit_region *loops;
    uint32_t count;

    if (!t || !vsg_jit_find_regions(e, e->function, &loops, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        *t = (tracer){.e = e, .loop = &loops[i], .begin = begin};
        if (!is_in_loop(t, LLVMGetInstructionParent(begin)))
            continue;
        if (!find_way(t) || t->num_turns < FEWEST_CONDITIONS || !is_way_plain(t))
            return true;
        return make_copy(t);
    }
    return true;
}

bool vsg_jit_make_trace(vsg_jit_emitter *e)
{
    LLVMValueRef begin = find_begin(e);
    bool good = !begin || trace_from(e, begin);

    drop_begins(e);
    return good;
}
