/* SPDX-License-Identifier: MIT */
#include "jit/limits.h"

typedef vsg_jit_hoister hoister;

/* ---- base[index] ------------------------------------------------------------------------- */

typedef vsg_jit_element element;

enum { MOST_INDEX_BITS = 32, MOST_SHIFT = 16 };

static bool is_in_loop(const hoister *h, LLVMValueRef v)
{
    return vsg_jit_mapped(&h->own, v) != NULL;
}

bool vsg_jit_is_index(const hoister *h, LLVMValueRef v)
{
    if (!is_in_loop(h, v))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return (op == LLVMZExt || op == LLVMSExt) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0))) <= MOST_INDEX_BITS;
}

static bool find_index(const hoister *h, LLVMValueRef v, element *out)
{
    if (is_in_loop(h, v) && LLVMGetInstructionOpcode(v) == LLVMShl) {
        LLVMValueRef by = LLVMGetOperand(v, 1);
        if (!LLVMIsAConstantInt(by) || LLVMConstIntGetZExtValue(by) > MOST_SHIFT)
            return false;
        out->shift = (uint32_t)LLVMConstIntGetZExtValue(by);
        v = LLVMGetOperand(v, 0);
    }
    out->index = v;
    return vsg_jit_is_index(h, v);
}

bool vsg_jit_find_element(const hoister *h, LLVMValueRef address, element *out)
{
    if (!is_in_loop(h, address) || LLVMGetInstructionOpcode(address) != LLVMAdd)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef base = LLVMGetOperand(address, i), other = LLVMGetOperand(address, 1 - i);
        *out = (element){.base = base};
        if (!is_in_loop(h, base) && find_index(h, other, out))
            return true;
    }
    return false;
}

LLVMValueRef vsg_jit_limit_of(hoister *h, const element *of, LLVMValueRef base,
                              LLVMValueRef size)
{
    vsg_jit_emitter *e = h->e;
    LLVMValueRef offset = LLVMBuildSub(e->b, of->base, base, "");
    LLVMValueRef room = LLVMBuildSub(e->b, size, offset, ""), one = vsg_jit_i64(e, 1);
    LLVMValueRef last = LLVMBuildSub(e->b, room, one, "");

    last = LLVMBuildLShr(e->b, last, vsg_jit_i64(e, of->shift), "");
    return LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntULT, offset, size, ""),
                           LLVMBuildAdd(e->b, last, one, ""), vsg_jit_i64(e, 0), "");
}

/* ---- one test and another ---------------------------------------------------------------- */

static LLVMBasicBlockRef add_block_behind(vsg_jit_emitter *e, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef added =
        LLVMAppendBasicBlockInContext(e->context, LLVMGetBasicBlockParent(block), "");

    LLVMMoveBasicBlockAfter(added, block);
    return added;
}

/* What comes to a block from `from` comes from `other`, too. */
static void add_origin(LLVMBasicBlockRef block, LLVMBasicBlockRef from, LLVMBasicBlockRef other)
{
    for (LLVMValueRef phi = vsg_jit_first_phi(block); phi; phi = vsg_jit_next_phi(phi)) {
        uint32_t i = 0;
        while (LLVMGetIncomingBlock(phi, i) != from)
            i++;
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMAddIncoming(phi, &value, &other, 1);
    }
}

/* The branch that a test is for, and nothing else; NULL: there is none. */
static LLVMValueRef branch_on(LLVMValueRef test)
{
    LLVMUseRef use = LLVMGetFirstUse(test);
    LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;

    return user && LLVMIsABranchInst(user) &&
                   LLVMGetInstructionParent(user) == LLVMGetInstructionParent(test) &&
                   LLVMGetSuccessor(user, 0) != LLVMGetSuccessor(user, 1)
               ? user
               : NULL;
}

bool vsg_jit_limit_index(vsg_jit_hoister *h, const vsg_jit_map *map, LLVMValueRef test,
                         LLVMValueRef base, LLVMValueRef size)
{
    vsg_jit_emitter *e = h->e;
    LLVMValueRef own = vsg_jit_mapped(map, test), branch = branch_on(own);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(own);
    LLVMValueRef head = vsg_jit_mapped(map, LLVMBasicBlockAsValue(h->region->blocks[0]));
    element at;

    /* The header's phis are not to be new ones: much else knows them. */
    if (!branch || LLVMGetSuccessor(branch, 1) == LLVMValueAsBasicBlock(head) ||
        !vsg_jit_find_element(h, LLVMGetOperand(test, 1), &at))
        return false;
    LLVMBasicBlockRef good = LLVMGetSuccessor(branch, 0), bad = LLVMGetSuccessor(branch, 1);
    LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(h->decide));
    LLVMValueRef limit = vsg_jit_limit_of(h, &at, base, size), address = LLVMGetOperand(own, 1);
    LLVMBasicBlockRef exactly = add_block_behind(e, block);
    add_origin(good, block, exactly);
    vsg_jit_change_origin(e, bad, block, exactly);
    LLVMPositionBuilderAtEnd(e->b, exactly);
    LLVMValueRef offset = LLVMBuildSub(e->b, address, base, "");
    LLVMValueRef is_in = LLVMBuildICmp(e->b, LLVMIntULT, offset, size, "");
    LLVMBuildCondBr(e->b, is_in, good, bad);
    LLVMSetSuccessor(branch, 1, exactly);
    LLVMPositionBuilderBefore(e->b, own);
    LLVMValueRef index = vsg_jit_mapped(map, at.index);
    vsg_jit_replace(own, LLVMBuildICmp(e->b, LLVMIntULT, index, limit, ""));
    return true;
}
