/* SPDX-License-Identifier: MIT
 *
 * AND, OR, XOR and NOT of three vectors at a time: AVX-512 has one instruction for any of them,
 * and LLVM finds it where two operations follow each other, not where three or four do, or one
 * of the vectors comes twice. Trees of operations are cut into pieces of three leaves, from the
 * leaves on. */
#include "jit/logic.h"

#include "jit/lowering.h"
#include "jit/marks.h"

enum { MOST_LEAVES = 3, MOST_DEPTH = 16, PIECE_BITS = 512 };

/* What a value is of its leaves: bit n of the table for those that are the bits of n, the first
 * one the highest. */
typedef struct tree {
    LLVMValueRef value, leaves[MOST_LEAVES];
    uint32_t num_leaves, num_operations;
    uint8_t table;
} tree;

/* Tables of the leaves themselves. */
static const uint8_t leaf_tables[MOST_LEAVES] = {0xf0, 0xcc, 0xaa};

/* ---- values ------------------------------------------------------------------------------ */

static bool is_wide(const vsg_jit_emitter *e, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return false;
    LLVMTypeRef element = LLVMGetElementType(type);
    uint32_t bits = element == e->i32 ? 32 : element == e->i64 ? 64 : 0;
    uint32_t lanes = LLVMGetVectorSize(type);
    /* Bits of 32 numbers with 64 bits may come as those of 64: they are LLVM's to join. */
    return bits != 0 && lanes * bits % PIECE_BITS == 0 && (lanes & (lanes - 1)) == 0 &&
           lanes <= VSG_EXE_MAX_CHANNELS;
}

static bool is_logic(const vsg_jit_emitter *e, LLVMValueRef v)
{
    if (!LLVMIsAInstruction(v) || !is_wide(e, LLVMTypeOf(v)))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMAnd || op == LLVMOr || op == LLVMXor;
}

static bool is_ones(LLVMValueRef v)
{
    return v == LLVMConstAllOnes(LLVMTypeOf(v));
}

static bool is_not(LLVMValueRef v)
{
    return LLVMGetInstructionOpcode(v) == LLVMXor &&
           (is_ones(LLVMGetOperand(v, 0)) || is_ones(LLVMGetOperand(v, 1)));
}

/* Who uses it, if one does. */
static LLVMValueRef only_user(LLVMValueRef v)
{
    LLVMUseRef use = LLVMGetFirstUse(v);

    return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

/* Is its value asked for as such? */
static bool is_root(const vsg_jit_emitter *e, LLVMValueRef v)
{
    LLVMValueRef user = only_user(v);

    return is_logic(e, v) && (!user || !is_logic(e, user));
}

/* ---- trees ------------------------------------------------------------------------------- */

static tree leaf(LLVMValueRef v)
{
    tree out = {.value = v};

    if (is_ones(v)) {
        out.table = 0xff;
    } else if (v != LLVMConstNull(LLVMTypeOf(v))) {
        out.leaves[out.num_leaves++] = v;
        out.table = leaf_tables[0];
    }
    return out;
}

/* The leaves of another tree among its own. False: they would be too many. */
static bool add_leaves(tree *to, const tree *from)
{
    for (uint32_t i = 0; i < from->num_leaves; i++) {
        uint32_t at = 0;
        while (at < to->num_leaves && to->leaves[at] != from->leaves[i])
            at++;
        if (at == MOST_LEAVES)
            return false;
        to->leaves[at] = from->leaves[i];
        to->num_leaves += at == to->num_leaves;
    }
    return true;
}

/* The table of a tree over more leaves. */
static uint8_t table_over(const tree *of, const tree *all)
{
    uint8_t table = 0;

    for (uint32_t n = 0; n < 8; n++) {
        uint32_t own = 0;
        for (uint32_t i = 0; i < of->num_leaves; i++)
            for (uint32_t at = 0; at < all->num_leaves; at++)
                if (all->leaves[at] == of->leaves[i] && (leaf_tables[at] >> n & 1))
                    own |= 4u >> i;
        table |= (uint8_t)((of->table >> own & 1) << n);
    }
    return table;
}

static bool join(LLVMValueRef v, const tree *a, const tree *b, tree *out)
{
    *out = (tree){.value = v, .num_operations = a->num_operations + b->num_operations + 1};
    if (!add_leaves(out, a) || !add_leaves(out, b))
        return false;
    uint8_t of_a = table_over(a, out), of_b = table_over(b, out);
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    out->table = op == LLVMAnd  ? of_a & of_b
                 : op == LLVMOr ? of_a | of_b
                                : (uint8_t)(of_a ^ of_b);
    return true;
}

/* Is it chosen by a mask, or may it be, in another form? */
static bool is_chosen(LLVMValueRef v)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(LLVMGetUser(use));
        if (op == LLVMSelect || op == LLVMShuffleVector || op == LLVMBitCast)
            return true;
    }
    return false;
}

/* LLVM 19 makes one instruction of it and a choice between it and one of its leaves, with
 * another leaf broadcast from memory, but turns the table the wrong way round if the third leaf
 * is what is chosen from (VPTERNLOG 0xec instead of 0xf8). It does not look through a freeze.
 */
static LLVMValueRef look_up(vsg_jit_emitter *e, const tree *t)
{
    LLVMValueRef value = vsg_jit_look_up(e, t->leaves, t->table);

    return is_chosen(t->value) ? LLVMBuildFreeze(e->b, value, "") : value;
}

/* One instruction for a tree, if it has more. It is a leaf then. */
static void make(vsg_jit_emitter *e, tree *t)
{
    if (t->num_operations > 1 && t->num_leaves == MOST_LEAVES) {
        LLVMValueRef old = t->value;
        LLVMPositionBuilderBefore(e->b, old);
        t->value = look_up(e, t);
        /* A NOT that many use may be a leaf of a tree in hand, and so stays. */
        if (is_not(old) && !only_user(old))
            LLVMReplaceAllUsesWith(old, t->value);
        else
            vsg_jit_replace(old, t->value);
    }
    *t = leaf(t->value);
}

static tree tree_of(vsg_jit_emitter *e, LLVMValueRef v, uint32_t depth)
{
    if (!is_logic(e, v) || depth > MOST_DEPTH || (depth > 0 && !only_user(v) && !is_not(v)))
        return leaf(v);
    tree out, a = tree_of(e, LLVMGetOperand(v, 0), depth + 1);
    tree b = tree_of(e, LLVMGetOperand(v, 1), depth + 1);
    while (!join(v, &a, &b, &out))
        make(e, a.num_leaves >= b.num_leaves ? &a : &b);
    return out;
}

/* ---- functions --------------------------------------------------------------------------- */

static void join_logic(vsg_jit_emitter *e, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b), next; v; v = next) {
            next = LLVMGetNextInstruction(v);
            if (!is_root(e, v))
                continue;
            tree t = tree_of(e, v, 0);
            make(e, &t);
        }
}

void vsg_jit_join_logic(vsg_jit_emitter *e)
{
    if (!vsg_jit_has_avx512(e))
        return;
    /* LLVM may have left out or joined those of the emitter. */
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
        join_logic(e, f);
}
