/* SPDX-License-Identifier: MIT
 *
 * Ways to channels that wait. A branch that leaves no channel on goes to the first label behind
 * it at which some do. Most such ways lead to the label that the channels have just gone to:
 * tests for those before it at which some may wait then are its own. What is live at any label
 * would be live in a search that all branches share, as LLVM sees it. */
#include "jit/ways.h"
#include "jit/sets.h"

static uint32_t leader_of(const vsg_jit_emitter *e, uint32_t place)
{
    while (!e->notes[place].is_leader)
        place--;
    return place;
}

/* May channels wait while a place is run? */
static bool may_wait(const vsg_jit_emitter *e, uint32_t place, uint32_t wait)
{
    return vsg_jit_has(e->waiting[leader_of(e, place)], wait);
}

static uint32_t count_tests(const vsg_jit_emitter *e, uint32_t place)
{
    const vsg_exe_inst *inst = &e->unit->code[place];
    uint32_t count = 0;

    for (uint32_t i = inst->next_wait; i < inst->wait; i++)
        count += may_wait(e, place, i);
    return count;
}

/* Does a branch that may leave no channel go on where all others do? */
static bool shares(const vsg_jit_emitter *e, uint32_t place)
{
    enum { MOST_TESTS = 8 };
    const vsg_exe_inst *inst = &e->unit->code[place];
    bool diverges = vsg_jit_diverges(e, place);

    if (inst->op == VISAGE_OP_RET || inst->op == VISAGE_OP_FRET)
        return diverges || inst->predicate_mode;
    return diverges && inst->op == VISAGE_OP_GOTO && inst->target > place &&
           count_tests(e, place) > MOST_TESTS;
}

void vsg_jit_find_ways(vsg_jit_emitter *e)
{
    bool shared = e->waiting == NULL;

    for (uint32_t i = 0; i < e->unit->num_code && !shared; i++)
        shared = e->notes[i].is_reached && shares(e, i);
    e->has_ways = !shared;
}

uint32_t vsg_jit_next_on_way(const vsg_jit_emitter *e, uint32_t place, uint32_t *out,
                             uint32_t count, uint32_t most)
{
    const vsg_exe_inst *inst = &e->unit->code[place];

    for (uint32_t i = inst->next_wait; i < inst->wait; i++)
        if (may_wait(e, place, i) && count++ < most)
            out[count - 1] = e->unit->waits[i].pc;
    return count;
}

LLVMBasicBlockRef vsg_jit_way(vsg_jit_emitter *e, uint32_t place, uint32_t wait)
{
    LLVMBasicBlockRef home = LLVMGetInsertBlock(e->b);
    const vsg_exe_inst *inst = &e->unit->code[place];
    LLVMBasicBlockRef next = e->blocks[e->unit->waits[wait].pc];

    if (!e->has_ways)
        return vsg_jit_search_from(e, inst);
    for (uint32_t i = wait; i-- > inst->next_wait;) {
        if (!may_wait(e, place, i))
            continue;
        LLVMBasicBlockRef block = vsg_jit_block(e);
        vsg_jit_go_on(e, block);
        LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i32, vsg_jit_wait_slot(e, i), "");
        LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, bits, vsg_jit_i32(e, 0), ""), next,
                        e->blocks[e->unit->waits[i].pc]);
        next = block;
    }
    vsg_jit_go_on(e, home);
    return next;
}
