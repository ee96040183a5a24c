/* SPDX-License-Identifier: MIT */
#include "jit/abreast.h"

#include <string.h>

#include "jit/lowering.h"

typedef vsg_jit_hoister hoister;
typedef vsg_jit_series series;

enum { MOST_SUMS = 4, MOST_PLACES = 8, MOST_VALUES = 128, MOST_BEHIND = 8 };
enum { VECTOR_BITS = 256, LEAST_BITS = 32, MOST_LANES = VECTOR_BITS / LEAST_BITS };

/* A phi that a round changes by one operation, and what that takes beside it. */
typedef struct sum {
    LLVMValueRef phi, next;
    LLVMValueRef before, behind; /* in the code, before and behind the lanes in hand */
} sum;

/* Addresses of the lanes that are inside; of the others one with zeros. */
typedef struct place {
    LLVMValueRef address, lanes;
    LLVMValueRef slot; /* where they lie on the stack; NULL: not yet */
} place;

/* A phi behind the loop, and what it gets: a sum, or a series. */
typedef struct phi_behind {
    LLVMValueRef phi, value;
    const sum *sum; /* NULL: it is none */
    series is;
} phi_behind;

struct vsg_jit_abreast {
    hoister *h;
    const LLVMValueRef *held;
    uint32_t num_held;
    uint32_t lanes;
    LLVMBasicBlockRef last, exit; /* of the loop: where it ends, and where it goes to then */
    LLVMBasicBlockRef code;
    LLVMValueRef round, left; /* phis of the code: rounds that are over, and those to go */
    LLVMValueRef mask;        /* a bit for each lane that has one */
    LLVMValueRef inside;      /* and that no test so far has failed for: others look nowhere */
    LLVMValueRef failed;      /* i1 phi: a place was outside before these lanes, */
    LLVMValueRef fails;       /* or in them, too */
    sum sums[MOST_SUMS];
    place places[MOST_PLACES];
    phi_behind behind[MOST_BEHIND];
    vsg_jit_pair made[MOST_VALUES];
    uint32_t num_sums, num_places, num_behind, num_made, depth;
};

/* ---- the loop ---------------------------------------------------------------------------- */

static bool is_inside(const vsg_jit_abreast *a, LLVMValueRef v)
{
    return vsg_jit_mapped(&a->h->own, v) != NULL;
}

static bool is_held(const vsg_jit_abreast *a, LLVMValueRef test)
{
    for (uint32_t i = 0; i < a->num_held; i++)
        if (a->held[i] == test)
            return true;
    return false;
}

/* Where a round goes on behind a block. NULL: there are several ways. */
static LLVMBasicBlockRef next_block(const vsg_jit_abreast *a, LLVMBasicBlockRef block)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    LLVMBasicBlockRef found = NULL;

    if (!LLVMIsABranchInst(last))
        return NULL;
    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(last, s);
        if (!is_inside(a, LLVMBasicBlockAsValue(to)))
            continue;
        if (found)
            return NULL;
        found = to;
    }
    return found;
}

/* Is a branch there for a test that leaves the loop where it fails, if it can? */
static bool is_for_test(const vsg_jit_abreast *a, LLVMValueRef branch)
{
    LLVMValueRef condition = LLVMIsConditional(branch) ? LLVMGetCondition(branch) : NULL;

    return condition &&
           (vsg_jit_mark_of(a->h->e, condition) >= 0 ||
            condition == LLVMConstInt(a->h->e->i1, 1, false)) &&
           is_inside(a, LLVMBasicBlockAsValue(LLVMGetSuccessor(branch, 0)));
}

/* Does a round go through all blocks one after the other, and the loop end in one of them? */
static bool find_end(vsg_jit_abreast *a)
{
    const vsg_jit_region *region = a->h->region;
    LLVMBasicBlockRef block = region->blocks[0];

    for (uint32_t i = 0; i < region->num_blocks; i++) {
        LLVMBasicBlockRef next = next_block(a, block);
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
        if (!next)
            return false;
        if (LLVMIsConditional(branch) && !is_for_test(a, branch)) {
            if (a->last)
                return false;
            a->last = block;
            a->exit = LLVMGetSuccessor(branch, LLVMGetSuccessor(branch, 0) == next);
        }
        block = next;
    }
    return a->last && block == region->blocks[0];
}

/* Is a value used in the loop by no more than one other? */
static bool is_used_by(const vsg_jit_abreast *a, LLVMValueRef v, LLVMValueRef user)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (LLVMGetUser(use) != user && is_inside(a, LLVMGetUser(use)))
            return false;
    return true;
}

/* ---- sums -------------------------------------------------------------------------------- */

/* What a sum may be. */
typedef struct operation {
    LLVMOpcode op;
    const char *reduce; /* of integers; NULL: lanes are added one by one, in their order */
    bool is_and;        /* all bits do nothing; else 0 */
} operation;

static const operation operations[] = {
    {.op = LLVMFAdd},
    {.op = LLVMAdd, .reduce = "llvm.vector.reduce.add"},
    {.op = LLVMOr, .reduce = "llvm.vector.reduce.or"},
    {.op = LLVMXor, .reduce = "llvm.vector.reduce.xor"},
    {.op = LLVMAnd, .reduce = "llvm.vector.reduce.and", .is_and = true},
};

static const operation *operation_of(LLVMValueRef v)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (LLVMGetInstructionOpcode(v) == operations[i].op)
            return &operations[i];
    return NULL;
}

static bool is_fused(LLVMValueRef v)
{
    return vsg_jit_is_intrinsic(v, "llvm.fma");
}

static bool is_scalar(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMTypeKind kind = LLVMGetTypeKind(type);

    return (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64) ||
           kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static uint32_t bits_of(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);

    return kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type)
           : kind == LLVMFloatTypeKind ? 32
                                       : 64;
}

/* Which operand of an operation the number before it is; -1: none alone. */
static int place_in(LLVMValueRef v, LLVMValueRef phi)
{
    if (is_fused(v))
        return LLVMGetOperand(v, 2) == phi && LLVMGetOperand(v, 0) != phi &&
                       LLVMGetOperand(v, 1) != phi
                   ? 2
                   : -1;
    if (!operation_of(v) || LLVMGetOperand(v, 0) == LLVMGetOperand(v, 1))
        return -1;
    return LLVMGetOperand(v, 0) == phi ? 0 : LLVMGetOperand(v, 1) == phi ? 1 : -1;
}

static bool find_sum(vsg_jit_abreast *a, LLVMValueRef phi)
{
    LLVMValueRef next = vsg_jit_coming_back(a->h, phi);

    if (a->num_sums == MOST_SUMS || !is_scalar(phi) || !next || !is_inside(a, next) ||
        !LLVMIsAInstruction(next) || place_in(next, phi) < 0 || !is_used_by(a, phi, next) ||
        !is_used_by(a, next, phi))
        return false;
    a->sums[a->num_sums++] = (sum){.phi = phi, .next = next};
    return true;
}

/* Phis are sums, or series. */
static bool find_sums(vsg_jit_abreast *a)
{
    series is;

    for (uint32_t i = 0; i < a->h->num_phis; i++) {
        LLVMValueRef phi = a->h->phis[i];
        bool is_int = LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMIntegerTypeKind;
        if (!(is_int && vsg_jit_find_series(a->h, phi, &is)) && !find_sum(a, phi))
            return false;
    }
    return a->num_sums > 0;
}

/* ---- what is behind the loop ------------------------------------------------------------- */

static const sum *sum_with(const vsg_jit_abreast *a, LLVMValueRef next)
{
    for (uint32_t i = 0; i < a->num_sums; i++)
        if (a->sums[i].next == next)
            return &a->sums[i];
    return NULL;
}

static bool find_behind(vsg_jit_abreast *a)
{
    for (LLVMValueRef phi = vsg_jit_first_phi(a->exit); phi; phi = vsg_jit_next_phi(phi)) {
        phi_behind one = {.phi = phi, .value = vsg_jit_coming_from(phi, a->last)};
        if (a->num_behind == MOST_BEHIND)
            return false;
        one.sum = sum_with(a, one.value);
        if (!one.sum && !vsg_jit_find_series(a->h, one.value, &one.is))
            return false;
        a->behind[a->num_behind++] = one;
    }
    return true;
}

/* ---- values of all lanes ------------------------------------------------------------------
 */

static LLVMValueRef lanes_of(vsg_jit_abreast *a, LLVMValueRef v);

static LLVMTypeRef vector_of(const vsg_jit_abreast *a, LLVMValueRef v)
{
    return LLVMVectorType(LLVMTypeOf(v), a->lanes);
}

static LLVMValueRef splat(vsg_jit_abreast *a, LLVMValueRef scalar)
{
    return vsg_jit_splat(a->h->e, scalar, a->lanes);
}

/* Code for what does not change is made before the loop. */
static void go_to_decide(const vsg_jit_abreast *a)
{
    LLVMPositionBuilderAtEnd(a->h->e->b, a->h->decide);
}

static void go_to_code(const vsg_jit_abreast *a)
{
    LLVMPositionBuilderAtEnd(a->h->e->b, a->code);
}

static bool find_series(vsg_jit_abreast *a, LLVMValueRef v, series *out)
{
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
        return false;
    go_to_decide(a);
    bool good = vsg_jit_find_series(a->h, v, out) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64;
    go_to_code(a);
    return good;
}

/* 0, 1, 2 ... */
static LLVMValueRef count_lanes(const vsg_jit_abreast *a, LLVMTypeRef type)
{
    LLVMValueRef numbers[MOST_LANES];

    for (uint32_t i = 0; i < a->lanes; i++)
        numbers[i] = LLVMConstInt(type, i, false);
    return LLVMConstVector(numbers, a->lanes);
}

/* start + step * round, as far as its bits go. */
static LLVMValueRef in_round(vsg_jit_abreast *a, const series *is, LLVMValueRef round)
{
    vsg_jit_emitter *e = a->h->e;
    LLVMTypeRef type = LLVMTypeOf(is->start);

    if (!is->step)
        return is->start;
    if (LLVMGetIntTypeWidth(type) < 64)
        round = LLVMBuildTrunc(e->b, round, type, "");
    round = LLVMBuildMul(e->b, round, is->step, "");
    return LLVMBuildAdd(e->b, is->start, round, "");
}

static LLVMValueRef lanes_of_series(vsg_jit_abreast *a, LLVMValueRef phi)
{
    vsg_jit_emitter *e = a->h->e;
    series is;

    if (!find_series(a, phi, &is))
        return NULL;
    if (!is.step)
        return splat(a, is.start);
    LLVMValueRef more =
        LLVMBuildMul(e->b, splat(a, is.step), count_lanes(a, LLVMTypeOf(is.step)), "");
    return LLVMBuildAdd(e->b, splat(a, in_round(a, &is, a->round)), more, "");
}

/* ---- memory ------------------------------------------------------------------------------ */

/* Which lanes have a number that a test says is inside. Those that are over may be undefined.
 * NULL: it is no test that can be made. */
static LLVMValueRef find_holds(vsg_jit_abreast *a, LLVMValueRef mark)
{
    vsg_jit_emitter *e = a->h->e;
    bool is_window = vsg_jit_mark_of(e, mark) == VSG_JIT_IN_WINDOW;
    LLVMValueRef base = vsg_jit_i64(e, 0), size, window;

    if (!is_window && vsg_jit_mark_of(e, mark) != VSG_JIT_BELOW)
        return NULL;
    LLVMValueRef at = lanes_of(a, LLVMGetOperand(mark, is_window ? 1 : 0));
    go_to_decide(a);
    bool good = at && vsg_jit_find_constant(a->h, LLVMGetOperand(mark, is_window ? 0 : 1),
                                            is_window ? &window : &size);
    if (good && is_window)
        base = vsg_jit_window_base(e, window, &size);
    go_to_code(a);
    if (!good)
        return NULL;
    at = LLVMBuildSub(e->b, LLVMBuildFreeze(e->b, at, ""), splat(a, base), "");
    return LLVMBuildICmp(e->b, LLVMIntULT, at, splat(a, size), "");
}

/* A test that is not known to hold: it is made of all lanes. */
static bool look(vsg_jit_abreast *a, LLVMValueRef mark)
{
    vsg_jit_emitter *e = a->h->e;
    LLVMValueRef holds = find_holds(a, mark);

    if (!holds)
        return false;
    LLVMValueRef bad = LLVMBuildAnd(e->b, a->mask, LLVMBuildNot(e->b, holds, ""), "");
    bad = LLVMBuildICmp(e->b, LLVMIntNE, vsg_jit_bits(e, bad, a->lanes), vsg_jit_i32(e, 0), "");
    a->fails = LLVMBuildOr(e->b, a->fails, bad, "");
    a->inside = LLVMBuildAnd(e->b, a->inside, holds, "");
    return true;
}

/* NULL: its address cannot be said, or there are too many. */
static place *place_of(vsg_jit_abreast *a, LLVMValueRef address)
{
    vsg_jit_emitter *e = a->h->e;

    for (uint32_t i = 0; i < a->num_places; i++)
        if (a->places[i].address == address)
            return &a->places[i];
    LLVMValueRef at = a->num_places < MOST_PLACES ? lanes_of(a, address) : NULL;
    if (!at)
        return NULL;
    LLVMValueRef zeros = LLVMBuildPtrToInt(e->b, vsg_jit_zeros(e), e->i64, "");
    at = LLVMBuildSelect(e->b, a->inside, at, splat(a, zeros), "");
    a->places[a->num_places] = (place){.address = address, .lanes = at};
    return &a->places[a->num_places++];
}

static bool is_plain_load(LLVMValueRef v)
{
    return LLVMGetInstructionOpcode(v) == LLVMLoad && !LLVMGetVolatile(v) &&
           LLVMGetOrdering(v) == LLVMAtomicOrderingNotAtomic;
}

/* 0, i64, of which LLVM does not know that. */
static LLVMValueRef unknown_zero(vsg_jit_abreast *a)
{
    static const char constraints[] = "=r,0";
    static const char *const facts[] = {"memory", "nounwind", "willreturn"};
    vsg_jit_emitter *e = a->h->e;
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(a->code));
    LLVMTypeRef type = LLVMFunctionType(e->i64, &e->i64, 1, false);
    LLVMValueRef zero = vsg_jit_i64(e, 0);
    LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, constraints, sizeof constraints - 1,
                                            false, false, LLVMInlineAsmDialectATT, false);

    LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(first));
    zero = LLVMBuildCall2(e->b, type, nothing, &zero, 1, "");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(facts[i], strlen(facts[i]));
        LLVMAddCallSiteAttribute(zero, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                 LLVMCreateEnumAttribute(e->context, kind, 0));
    }
    go_to_code(a);
    return zero;
}

/* What a lane loads. Addresses go by the stack, which LLVM is not to see through: to take them
 * out of a vector one by one is twice as much. */
static LLVMValueRef load_lane(vsg_jit_abreast *a, LLVMTypeRef type, place *from, uint32_t n)
{
    enum { ADDRESS_BYTES = 8 };
    vsg_jit_emitter *e = a->h->e;

    if (!from->slot) {
        LLVMValueRef zero = unknown_zero(a);
        from->slot = vsg_jit_take_stack(a->h, a->lanes * ADDRESS_BYTES);
        vsg_jit_store(e, from->lanes, from->slot, ADDRESS_BYTES);
        from->slot = LLVMBuildGEP2(e->b, e->i8, from->slot, &zero, 1, "");
    }
    LLVMValueRef at =
        vsg_jit_load(e, e->i64, vsg_jit_at(e, from->slot, (uint64_t)n * ADDRESS_BYTES), 1);
    return vsg_jit_load(e, type, LLVMBuildIntToPtr(e->b, at, e->pointer, ""), 1);
}

static LLVMValueRef load_each(vsg_jit_abreast *a, LLVMTypeRef element, place *from)
{
    vsg_jit_emitter *e = a->h->e;
    LLVMTypeRef type = LLVMVectorType(element, a->lanes);
    LLVMValueRef all = LLVMGetPoison(type);

    if (e->has_quick_gathers && bits_of(element) >= 32) {
        LLVMTypeRef types[] = {type, LLVMVectorType(e->pointer, a->lanes)};
        LLVMValueRef args[] = {LLVMBuildIntToPtr(e->b, from->lanes, types[1], ""),
                               vsg_jit_i32(e, 1), a->inside, LLVMConstNull(type)};
        return vsg_jit_overloaded(e, "llvm.masked.gather", types, 2, args, 4);
    }
    for (uint32_t n = 0; n < a->lanes; n++)
        all = LLVMBuildInsertElement(e->b, all, load_lane(a, element, from, n),
                                     vsg_jit_i32(e, n), "");
    return all;
}

/* The address that a load along memory, element by element, begins with in the rounds in hand.
 * NULL: it is none. */
static LLVMValueRef along_memory(vsg_jit_abreast *a, LLVMValueRef load, LLVMValueRef address)
{
    vsg_jit_emitter *e = a->h->e;
    uint32_t bytes = bits_of(LLVMTypeOf(load)) / 8;
    series is;

    if ((bytes < 4 && !vsg_jit_has_avx512(e)) || !find_series(a, address, &is) ||
        is.step != vsg_jit_i64(e, bytes))
        return NULL;
    return LLVMBuildIntToPtr(e->b, in_round(a, &is, a->round), e->pointer, "");
}

/* A round comes to a load only where all tests before it hold: so do lanes. */
static LLVMValueRef lanes_of_load(vsg_jit_abreast *a, LLVMValueRef load)
{
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    series is;

    if (find_series(a, load, &is) && !is.step)
        return splat(a, is.start);
    if (!is_scalar(load) || !LLVMIsAIntToPtrInst(pointer) || !is_inside(a, pointer))
        return NULL;
    LLVMValueRef address = LLVMGetOperand(pointer, 0);
    LLVMValueRef first = along_memory(a, load, address);
    if (first)
        return vsg_jit_load_lanes(a->h->e, vector_of(a, load), first, a->inside);
    place *from = place_of(a, address);
    return from ? load_each(a, LLVMTypeOf(load), from) : NULL;
}

/* ---- operations -------------------------------------------------------------------------- */

enum { MOST_OPERANDS = 3 };

/* The name of what a call does to each lane. NULL: it is none of these. */
static const char *name_of(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.fma",   "llvm.fabs",     "llvm.sqrt", "llvm.umin",
                                        "llvm.umax",  "llvm.usub.sat", "llvm.smin", "llvm.smax",
                                        "llvm.ctpop", "llvm.fshl",     "llvm.fshr"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (vsg_jit_is_intrinsic(call, names[i]))
            return names[i];
    return NULL;
}

static LLVMValueRef operate(vsg_jit_abreast *a, LLVMValueRef v, LLVMValueRef *of)
{
    LLVMBuilderRef b = a->h->e->b;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);

    switch (op) {
    case LLVMCall:
        return name_of(v) ? vsg_jit_intrinsic(a->h->e, name_of(v), vector_of(a, v), of,
                                              (uint32_t)LLVMGetNumOperands(v) - 1)
                          : NULL;
    case LLVMICmp:
        return LLVMBuildICmp(b, LLVMGetICmpPredicate(v), of[0], of[1], "");
    case LLVMFCmp:
        return LLVMBuildFCmp(b, LLVMGetFCmpPredicate(v), of[0], of[1], "");
    case LLVMSelect:
        return LLVMBuildSelect(b, of[0], of[1], of[2], "");
    case LLVMFNeg:
        return LLVMBuildFNeg(b, of[0], "");
    case LLVMFreeze:
        return LLVMBuildFreeze(b, of[0], "");
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMBitCast:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPExt:
    case LLVMFPTrunc:
        return LLVMBuildCast(b, op, of[0], vector_of(a, v), "");
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
        return LLVMBuildBinOp(b, op, of[0], of[1], "");
    default:
        return NULL;
    }
}

static LLVMValueRef lanes_of_result(vsg_jit_abreast *a, LLVMValueRef v)
{
    LLVMValueRef of[MOST_OPERANDS];
    uint32_t count = (uint32_t)LLVMGetNumOperands(v);

    if (LLVMGetInstructionOpcode(v) == LLVMCall)
        count--; /* the function */
    if (count > MOST_OPERANDS || !is_scalar(v))
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        if (!(of[i] = lanes_of(a, LLVMGetOperand(v, i))))
            return NULL;
    return operate(a, v, of);
}

/* A value of all rounds in hand. NULL: that cannot be said. */
static LLVMValueRef lanes_of(vsg_jit_abreast *a, LLVMValueRef v)
{
    LLVMValueRef out = NULL;

    if (!is_inside(a, v))
        return is_scalar(v) ? splat(a, v) : NULL;
    for (uint32_t i = 0; i < a->num_made; i++)
        if (a->made[i].from == v)
            return a->made[i].to;
    if (a->depth == VSG_JIT_MOST_DEPTH)
        return NULL;
    a->depth++;
    if (LLVMGetInstructionOpcode(v) == LLVMPHI)
        out = lanes_of_series(a, v);
    else if (LLVMGetInstructionOpcode(v) == LLVMLoad)
        out = lanes_of_load(a, v);
    else
        out = lanes_of_result(a, v);
    a->depth--;
    if (out && a->num_made == MOST_VALUES)
        return NULL;
    if (out)
        a->made[a->num_made++] = (vsg_jit_pair){v, out};
    return out;
}

/* ---- adding up --------------------------------------------------------------------------- */

/* What lanes that are over give. */
static LLVMValueRef mask_with(vsg_jit_abreast *a, LLVMValueRef lanes, LLVMValueRef none)
{
    return LLVMBuildSelect(a->h->e->b, a->mask, lanes, splat(a, none), "");
}

static LLVMValueRef lane(vsg_jit_abreast *a, LLVMValueRef lanes, uint32_t n)
{
    return LLVMBuildExtractElement(a->h->e->b, lanes, vsg_jit_i32(a->h->e, n), "");
}

/* The place that a value is loaded from, and no more, where lanes go one by one. */
static place *place_loaded(vsg_jit_abreast *a, LLVMValueRef v)
{
    if (!is_inside(a, v) || LLVMGetInstructionOpcode(v) != LLVMLoad ||
        a->h->e->has_quick_gathers)
        return NULL;
    LLVMValueRef pointer = LLVMGetOperand(v, 0);
    if (!LLVMIsAIntToPtrInst(pointer) || along_memory(a, v, LLVMGetOperand(pointer, 0)))
        return NULL;
    return place_of(a, LLVMGetOperand(pointer, 0));
}

/* Products that floats are added up of; of a number alone one with 1. */
typedef struct product {
    LLVMValueRef of[2]; /* [1] NULL: 1 */
} product;

static product product_of(const vsg_jit_abreast *a, const sum *s)
{
    LLVMValueRef next = s->next;

    if (is_fused(next))
        return (product){{LLVMGetOperand(next, 0), LLVMGetOperand(next, 1)}};
    LLVMValueRef v = LLVMGetOperand(next, 1 - (unsigned)place_in(next, s->phi));
    if (is_inside(a, v) && LLVMGetInstructionOpcode(v) == LLVMFMul)
        return (product){{LLVMGetOperand(v, 0), LLVMGetOperand(v, 1)}};
    return (product){{v, NULL}};
}

static void add_product(vsg_jit_abreast *a, sum *s, LLVMValueRef x, LLVMValueRef y)
{
    LLVMBuilderRef b = a->h->e->b;
    LLVMValueRef args[] = {x, y, s->behind};

    if (is_fused(s->next)) {
        s->behind = vsg_jit_intrinsic(a->h->e, "llvm.fma", LLVMTypeOf(x), args, 3);
        return;
    }
    if (y)
        x = LLVMBuildFMul(b, x, y, "");
    bool is_second = place_in(s->next, s->phi) == 1;
    s->behind =
        is_second ? LLVMBuildFAdd(b, x, s->behind, "") : LLVMBuildFAdd(b, s->behind, x, "");
}

/* Where one factor is loaded by each lane for itself, so it is multiplied: lanes that are over
 * have 0 times -0, which changes no sum. */
static bool add_lane_by_lane(vsg_jit_abreast *a, sum *s, const product *p, unsigned loaded)
{
    LLVMTypeRef type = LLVMTypeOf(s->phi);
    place *from = place_loaded(a, p->of[loaded]);
    LLVMValueRef other = p->of[1 - loaded], all = LLVMConstReal(type, 1.0), x[2];

    all = other ? lanes_of(a, other) : splat(a, all);
    if (!all)
        return false;
    all = mask_with(a, all, LLVMConstReal(type, -0.0));
    for (uint32_t n = 0; n < a->lanes; n++) {
        x[loaded] = load_lane(a, type, from, n);
        x[1 - loaded] = lane(a, all, n);
        add_product(a, s, x[0], x[1]);
    }
    return true;
}

static bool add_floats(vsg_jit_abreast *a, sum *s)
{
    LLVMTypeRef type = LLVMTypeOf(s->phi);
    product p = product_of(a, s);

    for (unsigned i = 0; i < 2 && p.of[i]; i++)
        if (place_loaded(a, p.of[i]))
            return add_lane_by_lane(a, s, &p, i);
    LLVMValueRef x = lanes_of(a, p.of[0]), y = p.of[1] ? lanes_of(a, p.of[1]) : NULL;
    if (!x || (p.of[1] && !y))
        return false;
    if (y && !is_fused(s->next)) {
        x = LLVMBuildFMul(a->h->e->b, x, y, "");
        y = NULL;
    }
    x = mask_with(a, x, LLVMConstReal(type, y ? 0.0 : -0.0));
    if (y)
        y = mask_with(a, y, LLVMConstReal(type, -0.0));
    for (uint32_t n = 0; n < a->lanes; n++)
        add_product(a, s, lane(a, x, n), y ? lane(a, y, n) : NULL);
    return true;
}

static bool add_up(vsg_jit_abreast *a, sum *s)
{
    LLVMTypeRef type = LLVMTypeOf(s->phi);
    const operation *op = operation_of(s->next);

    s->behind = s->before;
    if (!op || !op->reduce)
        return add_floats(a, s);
    LLVMValueRef x =
        lanes_of(a, LLVMGetOperand(s->next, 1 - (unsigned)place_in(s->next, s->phi)));
    if (!x)
        return false;
    x = mask_with(a, x, op->is_and ? LLVMConstAllOnes(type) : LLVMConstNull(type));
    x = vsg_jit_intrinsic(a->h->e, op->reduce, LLVMTypeOf(x), &x, 1);
    s->behind = LLVMBuildBinOp(a->h->e->b, op->op, s->before, x, "");
    return true;
}

/* ---- the code ---------------------------------------------------------------------------- */

/* Bits of a number that a round loads, or computes with. 0: it has none of its own. */
static uint32_t width_of(vsg_jit_abreast *a, LLVMValueRef v)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef same;

    if (!is_scalar(v) ||
        (op != LLVMLoad && LLVMTypeOf(v) != LLVMDoubleTypeInContext(a->h->e->context)))
        return 0;
    if (op == LLVMLoad && LLVMTypeOf(v) == a->h->e->i64 &&
        vsg_jit_find_constant(a->h, v, &same))
        return 0; /* where memory begins */
    return bits_of(LLVMTypeOf(v));
}

/* Rounds that are taken at once. Twice as many are no quicker: rows that are shorter wait as
 * long. */
static uint32_t count_lanes_of(vsg_jit_abreast *a)
{
    const vsg_jit_region *region = a->h->region;
    uint32_t most = LEAST_BITS;

    for (uint32_t i = 0; i < region->num_blocks; i++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(region->blocks[i]); v;
             v = LLVMGetNextInstruction(v))
            if (width_of(a, v) > most)
                most = width_of(a, v);
    return VECTOR_BITS / most;
}

static void begin_code(vsg_jit_abreast *a)
{
    vsg_jit_emitter *e = a->h->e;

    a->code =
        LLVMAppendBasicBlockInContext(e->context, LLVMGetBasicBlockParent(a->h->decide), "");
    go_to_code(a);
    a->round = LLVMBuildPhi(e->b, e->i64, "");
    a->left = LLVMBuildPhi(e->b, e->i64, "");
    a->failed = a->fails = LLVMBuildPhi(e->b, e->i1, "");
    for (uint32_t i = 0; i < a->num_sums; i++)
        a->sums[i].before = LLVMBuildPhi(e->b, LLVMTypeOf(a->sums[i].phi), "");
    a->mask = vsg_jit_lanes_left(e, a->left, a->lanes);
    a->inside = a->mask;
}

/* Does an instruction nothing that others see? Behind the end of the loop are tests that hold,
 * and numbers that grow: the last round does not come to them. */
static bool may_be_made(const vsg_jit_abreast *a, LLVMValueRef v, bool is_behind)
{
    bool is_test = vsg_jit_mark_of(a->h->e, v) >= 0;

    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMCall:
        return is_test ? !is_behind || is_held(a, v) : name_of(v) != NULL;
    case LLVMLoad:
        return !is_behind && is_plain_load(v);
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return false;
    default:
        return !is_behind || !sum_with(a, v);
    }
}

/* All that a round does, in its order, but for its sums. */
static bool make_tests(vsg_jit_abreast *a)
{
    const vsg_jit_region *region = a->h->region;
    LLVMBasicBlockRef block = region->blocks[0];
    bool is_behind = false;

    for (uint32_t i = 0; i < region->num_blocks; i++) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v))
            if (!may_be_made(a, v, is_behind) ||
                (vsg_jit_mark_of(a->h->e, v) >= 0 && !is_held(a, v) && !look(a, v)))
                return false;
        is_behind |= block == a->last;
        block = next_block(a, block);
    }
    return true;
}

static bool make_code(vsg_jit_abreast *a)
{
    a->lanes = count_lanes_of(a);
    begin_code(a);
    if (!make_tests(a))
        return false;
    for (uint32_t i = 0; i < a->num_sums; i++)
        if (!add_up(a, &a->sums[i]))
            return false;
    return true;
}

vsg_jit_abreast *vsg_jit_make_abreast(vsg_jit_hoister *h, const LLVMValueRef *held,
                                      uint32_t num_held)
{
    uint32_t num_known = h->num_known, num_bounds = h->num_bounds;
    vsg_jit_abreast *a;

    if (!vsg_jit_has_avx2(h->e) || !(a = vsg_base_arena_new(&h->e->arena, 1, sizeof *a)))
        return NULL;
    *a = (vsg_jit_abreast){.h = h, .held = held, .num_held = num_held};
    if (find_end(a) && find_sums(a) && find_behind(a)) {
        bool good = make_code(a);
        go_to_decide(a);
        if (good)
            return a;
        LLVMDeleteBasicBlock(a->code);
    }
    h->num_known = num_known;
    h->num_bounds = num_bounds;
    return NULL;
}

void vsg_jit_drop_abreast(vsg_jit_abreast *a)
{
    if (a)
        LLVMDeleteBasicBlock(a->code);
}

/* ---- leading to it ----------------------------------------------------------------------- */

static void add_incoming(LLVMValueRef phi, LLVMValueRef first, LLVMBasicBlockRef enter,
                         LLVMValueRef back, LLVMBasicBlockRef code)
{
    LLVMAddIncoming(phi, (LLVMValueRef[]){first, back}, (LLVMBasicBlockRef[]){enter, code}, 2);
}

static LLVMValueRef begin_of(const vsg_jit_abreast *a, LLVMValueRef phi)
{
    uint32_t i = 0;

    while (a->h->phis[i] != phi)
        i++;
    return a->h->begin[i];
}

static void close_code(vsg_jit_abreast *a, LLVMValueRef more, LLVMBasicBlockRef enter,
                       LLVMBasicBlockRef done)
{
    vsg_jit_emitter *e = a->h->e;
    LLVMValueRef most = vsg_jit_i64(e, a->lanes), none = vsg_jit_i64(e, 0);

    LLVMPositionBuilderAtEnd(e->b, enter);
    LLVMValueRef all = LLVMBuildAdd(e->b, more, vsg_jit_i64(e, 1), "");
    LLVMBuildBr(e->b, a->code);
    go_to_code(a);
    LLVMValueRef left = LLVMBuildSub(e->b, a->left, most, "");
    LLVMValueRef is_over = LLVMBuildICmp(e->b, LLVMIntULE, a->left, most, "");
    add_incoming(a->round, none, enter, LLVMBuildAdd(e->b, a->round, most, ""), a->code);
    add_incoming(a->left, all, enter, left, a->code);
    add_incoming(a->failed, LLVMConstInt(e->i1, 0, false), enter, a->fails, a->code);
    for (uint32_t i = 0; i < a->num_sums; i++)
        add_incoming(a->sums[i].before, begin_of(a, a->sums[i].phi), enter, a->sums[i].behind,
                     a->code);
    LLVMBuildCondBr(e->b, LLVMBuildOr(e->b, is_over, a->fails, ""), done, a->code);
}

LLVMBasicBlockRef vsg_jit_lead_abreast(vsg_jit_abreast *a, LLVMValueRef more,
                                       LLVMBasicBlockRef *enter)
{
    vsg_jit_emitter *e = a->h->e;
    LLVMValueRef function = LLVMGetBasicBlockParent(a->h->decide);
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(e->context, function, "");
    LLVMBasicBlockRef over = LLVMAppendBasicBlockInContext(e->context, function, "");
    LLVMBasicBlockRef as_it_stands = LLVMAppendBasicBlockInContext(e->context, function, "");

    *enter = LLVMAppendBasicBlockInContext(e->context, function, "");
    close_code(a, more, *enter, done);
    LLVMPositionBuilderAtEnd(e->b, done);
    vsg_jit_likely(e,
                   LLVMBuildCondBr(e->b, LLVMBuildNot(e->b, a->fails, ""), over, as_it_stands));
    LLVMPositionBuilderAtEnd(e->b, over);
    for (uint32_t i = 0; i < a->num_behind; i++) {
        const phi_behind *one = &a->behind[i];
        LLVMValueRef value = one->sum ? one->sum->behind : in_round(a, &one->is, more);
        LLVMAddIncoming(one->phi, &value, &over, 1);
    }
    LLVMBuildBr(e->b, a->exit);
    return as_it_stands;
}
