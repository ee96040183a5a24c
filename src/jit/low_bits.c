/* SPDX-License-Identifier: MIT
 *
 * Means of bytes are sums that are shifted right and cut off: compilers work with 32 bits, and
 * hosts have twice as many lanes of 16. Bits that are cut off behind a shift are no more than
 * those below them were made of: sums and products are the same however many bits lie above.
 * LLVM narrows where nothing is shifted, or where it knows the upper bits to be zeros, which of
 * long sums it does not. */
#include "jit/low_bits.h"

#include "jit/lane_operations.h"
#include "jit/marks.h"

enum { MOST_NODES = 256, MOST_DEPTH = 64 };

/* What is made narrow: operations, each before those that it is made of. */
typedef struct tree {
    uint32_t bits; /* of its elements then */
    LLVMValueRef nodes[MOST_NODES];
    uint32_t num_nodes;
    uint32_t num_cut; /* leaves that are to be made narrow */
} tree;

static uint32_t bits_of(LLVMValueRef v)
{
    return LLVMGetIntTypeWidth(LLVMGetElementType(LLVMTypeOf(v)));
}

static bool is_vector(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);

    return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind;
}

static bool has_one_use(LLVMValueRef v)
{
    LLVMUseRef use = LLVMGetFirstUse(v);

    return use && !LLVMGetNextUse(use);
}

/* Is it the same number, less than `below`, in all lanes? */
static bool is_count(LLVMValueRef v, uint32_t below, uint32_t *out)
{
    uint32_t lanes = LLVMGetVectorSize(LLVMTypeOf(v));

    if (!LLVMIsAConstantDataVector(v))
        return false;
    for (uint32_t i = 0; i < lanes; i++) {
        uint64_t value = LLVMConstIntGetZExtValue(LLVMGetAggregateElement(v, i));
        if (value >= below || (i > 0 && value != *out))
            return false;
        *out = (uint32_t)value;
    }
    return true;
}

/* ---- which operations -------------------------------------------------------------------- */

/* Does it make the low bits of its result of those of its operands alone? */
static bool keeps_low_bits(LLVMValueRef v, uint32_t bits)
{
    uint32_t by;

    if (!LLVMIsAInstruction(v))
        return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return true;
    case LLVMShl:
        return is_count(LLVMGetOperand(v, 1), bits, &by);
    default:
        return false;
    }
}

static bool is_extended(LLVMValueRef v, uint32_t bits)
{
    return (vsg_jit_is_op(v, LLVMZExt) || vsg_jit_is_op(v, LLVMSExt)) &&
           bits_of(LLVMGetOperand(v, 0)) <= bits;
}

/* False: they are too many. */
static bool find_nodes(tree *t, LLVMValueRef v, uint32_t depth)
{
    if (LLVMIsAConstantDataVector(v) || is_extended(v, t->bits))
        return true;
    if (!keeps_low_bits(v, t->bits) || !has_one_use(v) || depth == MOST_DEPTH) {
        t->num_cut++;
        return true;
    }
    if (t->num_nodes == MOST_NODES)
        return false;
    t->nodes[t->num_nodes++] = v;
    return find_nodes(t, LLVMGetOperand(v, 0), depth + 1) &&
           find_nodes(t, LLVMGetOperand(v, 1), depth + 1);
}

/* ---- their making ------------------------------------------------------------------------ */

static LLVMTypeRef narrow_type(vsg_jit_emitter *e, const tree *t, LLVMValueRef v)
{
    return LLVMVectorType(t->bits == 16 ? e->i16 : e->i32, LLVMGetVectorSize(LLVMTypeOf(v)));
}

static LLVMValueRef narrow_leaf(vsg_jit_emitter *e, const tree *t, LLVMValueRef v)
{
    LLVMTypeRef type = narrow_type(e, t, v);

    if (!is_extended(v, t->bits))
        return LLVMBuildTrunc(e->b, v, type, "");
    LLVMValueRef from = LLVMGetOperand(v, 0);
    if (bits_of(from) == t->bits)
        return from;
    return vsg_jit_is_op(v, LLVMZExt) ? LLVMBuildZExt(e->b, from, type, "")
                                      : LLVMBuildSExt(e->b, from, type, "");
}

/* Each where the wide one stands, so that no more values are kept until the end. */
static LLVMValueRef narrow(vsg_jit_emitter *e, const tree *t, uint32_t *next, LLVMValueRef v,
                           LLVMValueRef before)
{
    LLVMValueRef operands[2];

    if (*next == t->num_nodes || t->nodes[*next] != v) {
        LLVMPositionBuilderBefore(e->b, before);
        return narrow_leaf(e, t, v);
    }
    ++*next;
    for (unsigned i = 0; i < 2; i++)
        operands[i] = narrow(e, t, next, LLVMGetOperand(v, i), v);
    LLVMPositionBuilderBefore(e->b, v);
    return LLVMBuildBinOp(e->b, LLVMGetInstructionOpcode(v), operands[0], operands[1], "");
}

/* cut: an LShr and a Trunc of it, for which the tree's operations are made. */
static void replace_cut(vsg_jit_emitter *e, const tree *t, LLVMValueRef cut)
{
    LLVMValueRef shift = LLVMGetOperand(cut, 0), sum = LLVMGetOperand(shift, 0);
    uint32_t next = 0;
    LLVMValueRef low = narrow(e, t, &next, sum, shift);

    LLVMPositionBuilderBefore(e->b, cut);
    LLVMValueRef by =
        LLVMBuildTrunc(e->b, LLVMGetOperand(shift, 1), narrow_type(e, t, sum), "");
    low = LLVMBuildLShr(e->b, low, by, "");
    vsg_jit_replace(cut, LLVMBuildTrunc(e->b, low, LLVMTypeOf(cut), ""));
    LLVMInstructionEraseFromParent(shift);
    for (uint32_t i = 0; i < t->num_nodes; i++)
        LLVMInstructionEraseFromParent(t->nodes[i]);
}

/* ---- functions --------------------------------------------------------------------------- */

/* Which bits, from 0 on, does the end of a sum look at? 0: it is none. */
static uint32_t bits_asked_for(LLVMValueRef v)
{
    uint32_t by;

    if (!vsg_jit_is_op(v, LLVMTrunc) || !is_vector(v))
        return 0;
    LLVMValueRef shift = LLVMGetOperand(v, 0);
    if (!vsg_jit_is_op(shift, LLVMLShr) || !has_one_use(shift) ||
        !is_count(LLVMGetOperand(shift, 1), bits_of(shift), &by))
        return 0;
    return bits_of(v) + by;
}

static void keep_in(vsg_jit_emitter *e, LLVMValueRef cut)
{
    uint32_t asked = bits_asked_for(cut);

    if (asked == 0)
        return;
    tree t = {.bits = asked <= 16 ? 16 : 32};
    LLVMValueRef shift = LLVMGetOperand(cut, 0);
    if (t.bits < asked || t.bits >= bits_of(shift) ||
        !find_nodes(&t, LLVMGetOperand(shift, 0), 0) || t.num_nodes <= t.num_cut)
        return;
    replace_cut(e, &t, cut);
}

void vsg_jit_keep_low_bits(vsg_jit_emitter *e)
{
    vsg_jit_each_instruction(e, keep_in);
}
