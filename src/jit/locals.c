/* SPDX-License-Identifier: MIT
 *
 * LLVM finds those slots quickly that are used in one block alone, where code writes them whole
 * before it reads them; they have been cleared for each thread, as that is not known before. */
#include "jit/locals.h"

/* What is used more often, or over more instructions, is not looked through: temporaries are
 * used once or twice, soon. */
enum { MOST_USES = 16, MOST_STEPS = 256 };

/* Stores of a slot that is hardly ever loaded. As one value that comes from so many blocks,
 * LLVM would go through all of them for each. */
enum { MANY_STORES = 512, FEW_LOADS = 2 };
/* Of a function. With fewer LLVM finds soon that some are always 0. */
enum { MANY_SLOTS = 1024 };

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

typedef struct slot_counts {
    uint32_t loads, stores, clears; /* clears: stores of 0 */
} slot_counts;

/* False: it is used in another way. */
static bool count_uses(LLVMValueRef slot, slot_counts *out)
{
    *out = (slot_counts){0};
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_load(user))
            out->loads++;
        else if (!is_store(user, slot))
            return false;
        else if (LLVMIsNull(LLVMGetOperand(user, 0)))
            out->clears++;
        else
            out->stores++;
    }
    return true;
}

/* Nothing but 0 is stored in it, as in wait masks of labels that nobody waits at. */
static void drop(LLVMValueRef slot)
{
    for (LLVMUseRef use; (use = LLVMGetFirstUse(slot));) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_load(user))
            LLVMReplaceAllUsesWith(user, LLVMConstNull(LLVMTypeOf(user)));
        LLVMInstructionEraseFromParent(user);
    }
}

/* LLVM makes no variable of what is volatile. */
static void keep_in_memory(LLVMValueRef slot)
{
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use))
        LLVMSetVolatile(LLVMGetUser(use), true);
}

static void visit(LLVMValueRef slot, bool are_many)
{
    slot_counts counts;
    slot_uses uses;

    if (!count_uses(slot, &counts))
        return;
    if (counts.stores == 0 && are_many)
        drop(slot);
    else if (counts.stores >= MANY_STORES && counts.loads <= FEW_LOADS)
        keep_in_memory(slot);
    else if (find_uses(slot, &uses) && is_local(&uses, slot))
        LLVMInstructionEraseFromParent(uses.clear);
}

static bool is_slot(LLVMValueRef v)
{
    return LLVMGetInstructionOpcode(v) == LLVMAlloca;
}

static void visit_all(LLVMBasicBlockRef entry)
{
    uint32_t count = 0;

    for (LLVMValueRef v = LLVMGetFirstInstruction(entry); v; v = LLVMGetNextInstruction(v))
        count += is_slot(v);
    for (LLVMValueRef v = LLVMGetFirstInstruction(entry); v; v = LLVMGetNextInstruction(v))
        if (is_slot(v))
            visit(v, count >= MANY_SLOTS);
}

void vsg_jit_find_locals(vsg_jit_emitter *e)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
        if (LLVMGetFirstBasicBlock(f))
            visit_all(LLVMGetFirstBasicBlock(f));
}
