/* SPDX-License-Identifier: MIT
 *
 * Slots that are cleared for each thread, as code may read lanes of them before it has written
 * all, and turn out to be written whole in the one block that uses them. LLVM finds those
 * without looking anywhere else, once they are not cleared in another. */
#include "jit/locals.h"

/* What is used more often, or over more instructions, is not looked through: temporaries are
 * used once or twice, soon. */
enum { MOST_USES = 16, MOST_STEPS = 256 };

typedef struct slot_uses {
    LLVMValueRef clear; /* NULL: none */
    LLVMValueRef users[MOST_USES];
    uint32_t count; /* beside `clear`, those made last first */
} slot_uses;

static bool is_load(LLVMValueRef v)
{
    return LLVMGetInstructionOpcode(v) == LLVMLoad;
}

/* Does it store to the slot, and not the slot? */
static bool is_store(LLVMValueRef v, LLVMValueRef slot)
{
    return LLVMGetInstructionOpcode(v) == LLVMStore && LLVMGetOperand(v, 1) == slot;
}

/* False: it is used in another way, or more often. */
static bool find_uses(LLVMValueRef slot, slot_uses *out)
{
    out->clear = NULL;
    out->count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!is_load(user) && !is_store(user, slot))
            return false;
        if (!LLVMGetNextUse(use) && is_store(user, slot) &&
            LLVMIsNull(LLVMGetOperand(user, 0))) {
            out->clear = user;
            return true;
        }
        if (out->count == MOST_USES)
            return false;
        out->users[out->count++] = user;
    }
    return false;
}

/* Are all uses in one block, another than that of the clearing, and the first of them writes
 * all of the slot? */
static bool is_local(const slot_uses *uses, LLVMValueRef slot)
{
    if (uses->count == 0)
        return false;
    LLVMValueRef first = uses->users[uses->count - 1];
    LLVMBasicBlockRef block = LLVMGetInstructionParent(first);
    uint32_t left = uses->count - 1;
    LLVMValueRef v = first;

    if (!is_store(first, slot) || block == LLVMGetInstructionParent(uses->clear) ||
        LLVMTypeOf(LLVMGetOperand(first, 0)) != LLVMGetAllocatedType(slot))
        return false;
    for (uint32_t i = 0; i + 1 < uses->count; i++)
        if (LLVMGetInstructionParent(uses->users[i]) != block)
            return false;
    for (uint32_t step = 0; left > 0 && step < MOST_STEPS; step++) {
        v = LLVMGetNextInstruction(v);
        if (!v)
            return false;
        for (uint32_t i = 0; i + 1 < uses->count; i++)
            left -= uses->users[i] == v;
    }
    return left == 0;
}

static void visit(LLVMValueRef slot)
{
    slot_uses uses;

    if (find_uses(slot, &uses) && is_local(&uses, slot))
        LLVMInstructionEraseFromParent(uses.clear);
}

void vsg_jit_find_locals(vsg_jit_emitter *e)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f)) {
        LLVMBasicBlockRef entry = LLVMGetFirstBasicBlock(f);
        for (LLVMValueRef v = entry ? LLVMGetFirstInstruction(entry) : NULL; v;
             v = LLVMGetNextInstruction(v))
            if (LLVMGetInstructionOpcode(v) == LLVMAlloca)
                visit(v);
    }
}
