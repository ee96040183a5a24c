/* SPDX-License-Identifier: MIT */
#include "jit/counts.h"

typedef vsg_jit_hoister hoister;

/* A phi of the copy that grows by one in each round. */
typedef struct counter {
    LLVMValueRef start; /* in decide */
    LLVMValueRef now, next;
} counter;

typedef struct rewriter {
    hoister *h;
    const vsg_jit_map *map;
    counter count, number;
} rewriter;

static bool is_of_copy(const rewriter *r, LLVMBasicBlockRef block)
{
    const vsg_jit_region *region = r->h->region;

    for (uint32_t i = 0; i < region->num_blocks; i++)
        if (vsg_jit_mapped(r->map, LLVMBasicBlockAsValue(region->blocks[i])) ==
            LLVMBasicBlockAsValue(block))
            return true;
    return false;
}

static bool find_counter(const rewriter *r, uint32_t phi, uint32_t bits, counter *out)
{
    const hoister *h = r->h;
    LLVMValueRef old = h->phis[phi], back = vsg_jit_coming_back(h, old);
    LLVMTypeRef type = LLVMTypeOf(old);

    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != bits ||
        !vsg_jit_mapped(&h->own, back) || LLVMGetInstructionOpcode(back) != LLVMAdd ||
        LLVMGetOperand(back, 0) != old || LLVMGetOperand(back, 1) != LLVMConstInt(type, 1, 0))
        return false;
    *out = (counter){h->begin[phi], vsg_jit_mapped(r->map, old), vsg_jit_mapped(r->map, back)};
    return true;
}

/* Is a value for nothing in the loop but `other`, and for phis behind it? */
static bool is_idle(const rewriter *r, LLVMValueRef v, LLVMValueRef other)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (user != other && (LLVMGetInstructionOpcode(user) != LLVMPHI ||
                              is_of_copy(r, LLVMGetInstructionParent(user))))
            return false;
    }
    return true;
}

static bool is_idle_counter(const rewriter *r, const counter *c)
{
    return is_idle(r, c->now, c->next) && is_idle(r, c->next, c->now);
}

static bool find_counters(rewriter *r)
{
    enum { COUNT_BITS = 64, NUMBER_BITS = 32 };
    bool has_count = false, has_number = false;

    for (uint32_t i = 0; i < r->h->num_phis; i++) {
        has_count = has_count || (find_counter(r, i, COUNT_BITS, &r->count) &&
                                  is_idle_counter(r, &r->count));
        has_number = has_number || (find_counter(r, i, NUMBER_BITS, &r->number) &&
                                    !is_idle_counter(r, &r->number));
    }
    return has_count && has_number;
}

static bool takes_count(const rewriter *r, LLVMBasicBlockRef block, LLVMBasicBlockRef from)
{
    for (LLVMValueRef phi = vsg_jit_first_phi(block); phi; phi = vsg_jit_next_phi(phi))
        for (uint32_t i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            if (LLVMGetIncomingBlock(phi, i) == from &&
                (value == r->count.now || value == r->count.next))
                return true;
        }
    return false;
}

/* What comes from `from` in the place of the count. */
static void put_count(const rewriter *r, LLVMBasicBlockRef block, LLVMBasicBlockRef from,
                      LLVMValueRef now, LLVMValueRef next)
{
    for (LLVMValueRef phi = vsg_jit_first_phi(block); phi; phi = vsg_jit_next_phi(phi))
        for (uint32_t i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            if (LLVMGetIncomingBlock(phi, i) != from)
                continue;
            if (value == r->count.now)
                LLVMSetOperand(phi, i, now);
            else if (value == r->count.next)
                LLVMSetOperand(phi, i, next);
        }
}

/* Works out the count on the way from the loop to a block behind it. */
static void count_on_way(const rewriter *r, LLVMBasicBlockRef from, unsigned successor)
{
    vsg_jit_emitter *e = r->h->e;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(from), number = r->number.now;
    LLVMBasicBlockRef to = LLVMGetSuccessor(last, successor);
    LLVMBasicBlockRef way =
        LLVMAppendBasicBlockInContext(e->context, LLVMGetBasicBlockParent(from), "");

    vsg_jit_change_origin(e, to, from, way);
    LLVMSetSuccessor(last, successor, way);
    LLVMPositionBuilderAtEnd(e->b, way);
    LLVMValueRef at = LLVMBuildPhi(e->b, LLVMTypeOf(number), "");
    LLVMAddIncoming(at, &number, &from, 1);
    LLVMValueRef rounds = LLVMBuildSub(e->b, at, r->number.start, "");
    rounds = LLVMBuildZExt(e->b, rounds, e->i64, "");
    LLVMValueRef now = LLVMBuildAdd(e->b, r->count.start, rounds, "");
    LLVMValueRef next = LLVMBuildAdd(e->b, now, vsg_jit_i64(e, 1), "");
    LLVMBuildBr(e->b, to);
    put_count(r, to, way, now, next);
}

static void count_behind(const rewriter *r, LLVMBasicBlockRef from)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(from);
    unsigned count = LLVMGetNumSuccessors(last);

    /* Several ways to one block would have one phi's value between them. */
    if (!LLVMIsABranchInst(last) ||
        (count == 2 && LLVMGetSuccessor(last, 0) == LLVMGetSuccessor(last, 1)))
        return;
    for (unsigned s = 0; s < count; s++)
        if (!is_of_copy(r, LLVMGetSuccessor(last, s)) &&
            takes_count(r, LLVMGetSuccessor(last, s), from))
            count_on_way(r, from, s);
}

void vsg_jit_count_by_number(vsg_jit_hoister *h, const vsg_jit_map *map)
{
    rewriter r = {.h = h, .map = map};

    if (!find_counters(&r))
        return;
    for (uint32_t i = 0; i < h->region->num_blocks; i++) {
        LLVMValueRef block = vsg_jit_mapped(map, LLVMBasicBlockAsValue(h->region->blocks[i]));
        count_behind(&r, LLVMValueAsBasicBlock(block));
    }
}
