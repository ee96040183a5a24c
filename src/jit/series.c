/* SPDX-License-Identifier: MIT */
#include "jit/series.h"

#include <stddef.h>

#include "jit/together.h"

typedef vsg_jit_series series;
typedef vsg_jit_hoister hoister;

/* ---- values ------------------------------------------------------------------------------ */

static int phi_of(const hoister *h, LLVMValueRef v)
{
    for (uint32_t i = 0; i < h->num_phis; i++)
        if (h->phis[i] == v)
            return (int)i;
    return -1;
}

LLVMValueRef vsg_jit_begin_of(const vsg_jit_hoister *h, LLVMValueRef phi)
{
    int i = phi_of(h, phi);

    return i >= 0 ? h->begin[i] : NULL;
}

LLVMValueRef vsg_jit_series_at(vsg_jit_emitter *e, const vsg_jit_series *is, LLVMValueRef round)
{
    LLVMTypeRef type = LLVMTypeOf(is->start);

    if (!is->step)
        return is->start;
    if (LLVMGetIntTypeWidth(type) < 64)
        round = LLVMBuildTrunc(e->b, round, type, "");
    return LLVMBuildAdd(e->b, is->start, LLVMBuildMul(e->b, round, is->step, ""), "");
}

/* Sums of sums have more ways through them than can be gone. */
static bool may_look(hoister *h)
{
    return h->num_looks++ < VSG_JIT_MOST_LOOKS;
}

static bool is_outside(const hoister *h, LLVMValueRef v)
{
    return !vsg_jit_mapped(&h->own, v);
}

LLVMValueRef vsg_jit_coming_back(const hoister *h, LLVMValueRef phi)
{
    return vsg_jit_coming_from(phi, h->region->latch);
}

LLVMValueRef vsg_jit_take_stack(vsg_jit_hoister *h, uint32_t bytes)
{
    enum { ALIGN = 64 };
    vsg_jit_emitter *e = h->e;
    LLVMBasicBlockRef current = LLVMGetInsertBlock(e->b);
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(h->decide));

    LLVMPositionBuilder(e->b, first, LLVMGetFirstInstruction(first));
    LLVMValueRef place = LLVMBuildAlloca(e->b, vsg_jit_int(e, 8, bytes), "");
    LLVMSetAlignment(place, ALIGN);
    LLVMPositionBuilderAtEnd(e->b, current);
    return place;
}

bool vsg_jit_bind(vsg_jit_hoister *h, vsg_jit_series is, LLVMValueRef limit)
{
    if (h->num_bounds == VSG_JIT_MOST_BOUNDS)
        return false;
    h->bounds[h->num_bounds++] = (vsg_jit_bound){is, limit};
    return true;
}

bool vsg_jit_find_constant(hoister *h, LLVMValueRef v, LLVMValueRef *out)
{
    series is;

    if (!vsg_jit_find_series(h, v, &is) || is.step)
        return false;
    *out = is.start;
    return true;
}

/* ---- roots ------------------------------------------------------------------------------- */

/* Extended numbers that grow by little are their own root. No constants, which are the same
 * value for numbers that grow in different ways. */
static void be_root(hoister *h, series *out)
{
    enum { MOST_STEP = 1 << 16 };

    if (!out->step || !LLVMIsAConstantInt(out->step) || LLVMIsConstant(out->start) ||
        LLVMTypeOf(out->start) != h->e->i64)
        return;
    uint64_t step = LLVMConstIntGetZExtValue(out->step);
    if (step == 0 || step > MOST_STEP)
        return;
    out->root = out->start;
    out->root_step = step;
    out->rest = vsg_jit_i64(h->e, 0);
    out->scale = 1;
}

/* As `from`, with another rest. */
static void keep_root(series *out, const series *from, LLVMValueRef rest)
{
    out->root = from->root;
    out->root_step = from->root_step;
    out->scale = from->scale;
    out->rest = rest;
}

static void add_roots(hoister *h, series *out, const series *x, const series *y)
{
    LLVMBuilderRef b = h->e->b;

    if (x->root && !y->step)
        keep_root(out, x, LLVMBuildAdd(b, x->rest, y->start, ""));
    else if (y->root && !x->step)
        keep_root(out, y, LLVMBuildAdd(b, y->rest, x->start, ""));
    else if (x->root && x->root == y->root && x->scale + y->scale <= VSG_JIT_MOST_SCALE) {
        keep_root(out, x, LLVMBuildAdd(b, x->rest, y->rest, ""));
        out->scale += y->scale;
    }
}

static void multiply_root(hoister *h, series *out, const series *x, uint64_t by)
{
    if (!x->root || by == 0 || by > VSG_JIT_MOST_SCALE / x->scale)
        return;
    keep_root(out, x, LLVMBuildMul(h->e->b, x->rest, vsg_jit_i64(h->e, by), ""));
    out->scale *= by;
}

/* ---- sums and the like ------------------------------------------------------------------- */

static bool is_sum(LLVMValueRef v)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);

    return op == LLVMAdd || (op == LLVMOr && LLVMGetIsDisjoint(v));
}

/* What is added to a phi in a round, if nothing else is done to it. */
static bool find_step(hoister *h, LLVMValueRef v, LLVMValueRef phi, LLVMValueRef *step)
{
    LLVMValueRef more;

    *step = NULL;
    if (v == phi)
        return true;
    if (!may_look(h) || is_outside(h, v) || !LLVMIsAInstruction(v))
        return false;
    if (is_sum(v)) {
        for (unsigned i = 0; i < 2; i++) {
            if (!find_step(h, LLVMGetOperand(v, i), phi, step) ||
                !vsg_jit_find_constant(h, LLVMGetOperand(v, 1 - i), &more))
                continue;
            *step = *step ? LLVMBuildAdd(h->e->b, *step, more, "") : more;
            return true;
        }
    } else if (LLVMGetInstructionOpcode(v) == LLVMSub &&
               find_step(h, LLVMGetOperand(v, 0), phi, step) &&
               vsg_jit_find_constant(h, LLVMGetOperand(v, 1), &more)) {
        *step =
            *step ? LLVMBuildSub(h->e->b, *step, more, "") : LLVMBuildNeg(h->e->b, more, "");
        return true;
    }
    return false;
}

static bool is_on_way(const hoister *h, LLVMValueRef phi)
{
    for (uint32_t i = 0; i < h->on_way; i++)
        if (h->way[i] == phi)
            return true;
    return false;
}

static bool find_phi(hoister *h, LLVMValueRef phi, int index, series *out)
{
    LLVMValueRef back = vsg_jit_coming_back(h, phi);

    if (vsg_jit_is_same_together(h, phi, back)) {
        h->together.is_asked = true;
        out->start = h->begin[index];
        return true;
    }
    if (is_on_way(h, phi) || h->on_way == VSG_JIT_MOST_DEPTH || !back)
        return false;
    h->way[h->on_way++] = phi;
    bool good = find_step(h, back, phi, &out->step);
    h->on_way--;
    out->start = h->begin[index];
    return good;
}

static bool find_sum(hoister *h, LLVMValueRef v, bool minus, series *out)
{
    LLVMBuilderRef b = h->e->b;
    series x, y;

    if (!vsg_jit_find_series(h, LLVMGetOperand(v, 0), &x) ||
        !vsg_jit_find_series(h, LLVMGetOperand(v, 1), &y))
        return false;
    out->start =
        minus ? LLVMBuildSub(b, x.start, y.start, "") : LLVMBuildAdd(b, x.start, y.start, "");
    if (!y.step)
        out->step = x.step;
    else if (!x.step)
        out->step = minus ? LLVMBuildNeg(b, y.step, "") : y.step;
    else
        out->step =
            minus ? LLVMBuildSub(b, x.step, y.step, "") : LLVMBuildAdd(b, x.step, y.step, "");
    if (!minus)
        add_roots(h, out, &x, &y);
    else if (x.root && !y.step)
        keep_root(out, &x, LLVMBuildSub(b, x.rest, y.start, ""));
    return true;
}

static uint32_t bits_of(LLVMValueRef v)
{
    return LLVMGetIntTypeWidth(LLVMTypeOf(v));
}

static bool find_product(hoister *h, LLVMValueRef v, series *out)
{
    LLVMBuilderRef b = h->e->b;
    series x, y;

    if (!vsg_jit_find_series(h, LLVMGetOperand(v, 0), &x) ||
        !vsg_jit_find_series(h, LLVMGetOperand(v, 1), &y) || (x.step && y.step))
        return false;
    out->start = LLVMBuildMul(b, x.start, y.start, "");
    if (x.step)
        out->step = LLVMBuildMul(b, x.step, y.start, "");
    else if (y.step)
        out->step = LLVMBuildMul(b, y.step, x.start, "");
    if (LLVMIsAConstantInt(y.start) && !y.step && bits_of(v) == 64)
        multiply_root(h, out, &x, LLVMConstIntGetZExtValue(y.start));
    return true;
}

/* By a constant that is less than the width. */
static bool find_shift(hoister *h, LLVMValueRef v, series *out)
{
    LLVMBuilderRef b = h->e->b;
    LLVMValueRef by = LLVMGetOperand(v, 1);
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    series x;

    if (!LLVMIsAConstantInt(by) || LLVMConstIntGetZExtValue(by) >= bits_of(v) ||
        !vsg_jit_find_series(h, LLVMGetOperand(v, 0), &x) || (x.step && op != LLVMShl))
        return false;
    out->start = op == LLVMShl    ? LLVMBuildShl(b, x.start, by, "")
                 : op == LLVMLShr ? LLVMBuildLShr(b, x.start, by, "")
                                  : LLVMBuildAShr(b, x.start, by, "");
    out->step = x.step ? LLVMBuildShl(b, x.step, by, "") : NULL;
    if (op == LLVMShl && bits_of(v) == 64)
        multiply_root(h, out, &x, UINT64_C(1) << LLVMConstIntGetZExtValue(by));
    return true;
}

/* A step of `bits`, which is less than 64, in 64. */
static LLVMValueRef widen(hoister *h, LLVMValueRef step, uint32_t bits)
{
    return bits < 64 ? LLVMBuildSExt(h->e->b, step, h->e->i64, "") : step;
}

/* Extended numbers are a series while the narrow ones do not wrap around. */
static bool find_extended(hoister *h, LLVMValueRef v, series *out)
{
    LLVMBuilderRef b = h->e->b;
    LLVMTypeRef type = LLVMTypeOf(v);
    bool is_signed = LLVMGetInstructionOpcode(v) == LLVMSExt;
    series x;

    if (!vsg_jit_find_series(h, LLVMGetOperand(v, 0), &x))
        return false;
    out->start =
        is_signed ? LLVMBuildSExt(b, x.start, type, "") : LLVMBuildZExt(b, x.start, type, "");
    if (!x.step)
        return true;
    uint32_t bits = bits_of(x.start);
    if (bits >= 64 || bits == 1 || bits_of(v) > 64)
        return false;
    out->step = LLVMBuildSExt(b, x.step, type, "");
    be_root(h, out);
    series wide = *out;
    if (bits_of(v) < 64)
        wide = (series){.start = is_signed ? LLVMBuildSExt(b, x.start, h->e->i64, "")
                                           : LLVMBuildZExt(b, x.start, h->e->i64, ""),
                        .step = widen(h, out->step, bits_of(v))};
    if (is_signed) {
        LLVMValueRef half = vsg_jit_i64(h->e, UINT64_C(1) << (bits - 1));
        wide.start = LLVMBuildAdd(b, wide.start, half, "");
        if (wide.root)
            wide.rest = half;
    }
    return vsg_jit_bind(h, wide, vsg_jit_i64(h->e, UINT64_C(1) << bits));
}

static bool find_narrowed(hoister *h, LLVMValueRef v, series *out)
{
    series x;

    if (!vsg_jit_find_series(h, LLVMGetOperand(v, 0), &x))
        return false;
    out->start = LLVMBuildTrunc(h->e->b, x.start, LLVMTypeOf(v), "");
    if (x.step)
        out->step = LLVMBuildTrunc(h->e->b, x.step, LLVMTypeOf(v), "");
    return true;
}

/* Bits that a number is shifted up by, below which it has none. */
static uint64_t bits_below(LLVMValueRef v)
{
    if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMShl)
        return 0;
    LLVMValueRef by = LLVMGetOperand(v, 1);
    if (!LLVMIsAConstantInt(by) || LLVMConstIntGetZExtValue(by) >= 64)
        return 0;
    return (UINT64_C(1) << LLVMConstIntGetZExtValue(by)) - 1;
}

/* The low bits of a number, as if it were extended from them. Bits of the mask below those that
 * the number has make no difference, which LLVM leaves out of it. */
static bool find_low_bits(hoister *h, LLVMValueRef v, series *out)
{
    LLVMBuilderRef b = h->e->b;
    LLVMValueRef mask = LLVMGetOperand(v, 1);
    series x, y;

    if (!vsg_jit_find_series(h, LLVMGetOperand(v, 0), &x) ||
        !vsg_jit_find_series(h, mask, &y) || y.step)
        return false;
    out->start = LLVMBuildAnd(b, x.start, y.start, "");
    out->step = x.step;
    if (!x.step)
        return true;
    if (!LLVMIsAConstantInt(mask) || bits_of(v) > 64)
        return false;
    uint64_t low = LLVMConstIntGetZExtValue(mask) | bits_below(LLVMGetOperand(v, 0));
    if (low == 0 || low == UINT64_MAX || (low & (low + 1)) != 0)
        return false;
    LLVMValueRef wide = out->start;
    if (bits_of(v) < 64)
        wide = LLVMBuildZExt(b, wide, h->e->i64, "");
    return vsg_jit_bind(h, (series){.start = wide, .step = widen(h, x.step, bits_of(v))},
                        vsg_jit_i64(h->e, low + 1));
}

/* A place that can be read wherever it may be asked for: what is outside leads there alone. */
static LLVMValueRef find_place(hoister *h, LLVMValueRef v, uint32_t depth)
{
    if (is_outside(h, v))
        return v;
    if (depth == VSG_JIT_MOST_DEPTH || LLVMGetInstructionOpcode(v) != LLVMGetElementPtr ||
        LLVMGetNumOperands(v) != 2 || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)) ||
        LLVMGetGEPSourceElementType(v) != h->e->i8)
        return NULL;
    LLVMValueRef base = find_place(h, LLVMGetOperand(v, 0), depth + 1);
    LLVMValueRef by = LLVMGetOperand(v, 1);
    return base ? LLVMBuildGEP2(h->e->b, h->e->i8, base, &by, 1, "") : NULL;
}

static bool find_loaded(hoister *h, LLVMValueRef v, series *out)
{
    if (!vsg_jit_is_invariant(h->e, v))
        return false;
    LLVMValueRef place = find_place(h, LLVMGetOperand(v, 0), 0);
    if (!place)
        return false;
    out->start = vsg_jit_load(h->e, LLVMTypeOf(v), place, LLVMGetAlignment(v));
    return true;
}

static bool find_pointer(hoister *h, LLVMValueRef v, series *out)
{
    out->start = find_place(h, v, 0);
    if (out->start)
        return true;
    LLVMValueRef base, by;
    if (LLVMGetNumOperands(v) != 2 || LLVMGetGEPSourceElementType(v) != h->e->i8 ||
        !vsg_jit_find_constant(h, LLVMGetOperand(v, 0), &base) ||
        !vsg_jit_find_constant(h, LLVMGetOperand(v, 1), &by))
        return false;
    out->start = LLVMBuildGEP2(h->e->b, h->e->i8, base, &by, 1, "");
    return true;
}

/* How many places memory has (places.c): a difference that does not go below zero, or the
 * lesser one of two. */
static bool find_limit(hoister *h, LLVMValueRef v, series *out)
{
    static const char difference[] = "llvm.usub.sat", lesser[] = "llvm.umin";
    const char *name = vsg_jit_is_intrinsic(v, difference) ? difference : lesser;
    LLVMValueRef args[2];

    if (!vsg_jit_is_intrinsic(v, name) ||
        !vsg_jit_find_constant(h, LLVMGetOperand(v, 0), &args[0]) ||
        !vsg_jit_find_constant(h, LLVMGetOperand(v, 1), &args[1]))
        return false;
    out->start = vsg_jit_intrinsic(h->e, name, LLVMTypeOf(v), args, 2);
    return true;
}

/* All bits the other way round: -1 less the number. */
static bool find_inverse(hoister *h, LLVMValueRef v, series *out)
{
    LLVMValueRef ones = LLVMConstAllOnes(LLVMTypeOf(v));
    series of;

    if (LLVMGetOperand(v, 1) != ones || !vsg_jit_find_series(h, LLVMGetOperand(v, 0), &of))
        return false;
    out->start = LLVMBuildSub(h->e->b, ones, of.start, "");
    out->step = of.step ? LLVMBuildNeg(h->e->b, of.step, "") : NULL;
    return true;
}

/* Of a vector that does not change. */
static bool find_element(hoister *h, LLVMValueRef v, series *out)
{
    LLVMValueRef from = LLVMGetOperand(v, 0), place = LLVMGetOperand(v, 1);

    if (!is_outside(h, from) || !LLVMIsAConstantInt(place))
        return false;
    out->start = LLVMBuildExtractElement(h->e->b, from, place, "");
    return true;
}

/* All is made anew: nothing is taken over that LLVM knows of an instruction because of where it
 * stands. */
static bool find_result(hoister *h, LLVMValueRef v, series *out)
{
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
        return find_sum(h, v, false, out);
    case LLVMOr:
        return LLVMGetIsDisjoint(v) && find_sum(h, v, false, out);
    case LLVMSub:
        return find_sum(h, v, true, out);
    case LLVMMul:
        return find_product(h, v, out);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return find_shift(h, v, out);
    case LLVMZExt:
    case LLVMSExt:
        return find_extended(h, v, out);
    case LLVMTrunc:
        return find_narrowed(h, v, out);
    case LLVMXor:
        return find_inverse(h, v, out);
    case LLVMAnd:
        return find_low_bits(h, v, out);
    case LLVMCall:
        return find_limit(h, v, out);
    case LLVMExtractElement:
        return find_element(h, v, out);
    default:
        return false;
    }
}

static bool find_inside(hoister *h, LLVMValueRef v, series *out)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    int phi = phi_of(h, v);

    *out = (series){0};
    if (op == LLVMLoad)
        return find_loaded(h, v, out);
    if (op == LLVMGetElementPtr)
        return find_pointer(h, v, out);
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
        return false;
    return phi >= 0 ? find_phi(h, v, phi, out) : find_result(h, v, out);
}

bool vsg_jit_find_series(hoister *h, LLVMValueRef v, series *out)
{
    if (is_outside(h, v)) {
        *out = (series){.start = v};
        return true;
    }
    for (uint32_t i = 0; i < h->num_known; i++)
        if (h->known[i].value == v) {
            *out = h->known[i].is;
            return true;
        }
    if (h->depth == VSG_JIT_MOST_DEPTH || h->num_known == VSG_JIT_MOST_SERIES || !may_look(h))
        return false;
    bool was_asked = h->together.is_asked;
    h->together.is_asked = false;
    h->depth++;
    bool good = find_inside(h, v, out);
    h->depth--;
    /* What is so only if channels leave together is asked for anew. */
    if (good && h->num_known < VSG_JIT_MOST_SERIES && !h->together.is_asked)
        h->known[h->num_known++] = (vsg_jit_known){v, *out};
    h->together.is_asked |= was_asked;
    return good;
}

/* ---- tests that hold for some rounds ----------------------------------------------------- */

static bool find_truth(hoister *h, LLVMValueRef v);

static bool bind_window(hoister *h, LLVMValueRef window, series at)
{
    LLVMValueRef size;

    LLVMValueRef base = vsg_jit_window_base(h->e, window, &size);
    at.start = LLVMBuildSub(h->e->b, at.start, base, "");
    if (at.root)
        at.rest = LLVMBuildSub(h->e->b, at.rest, base, "");
    return vsg_jit_bind(h, at, size);
}

static bool bind_mark(hoister *h, vsg_jit_mark kind, LLVMValueRef call)
{
    vsg_jit_emitter *e = h->e;
    LLVMValueRef limit, window;
    series is;

    if (kind == VSG_JIT_HOLDS)
        return find_truth(h, LLVMGetOperand(call, 0));
    if (kind == VSG_JIT_IN_WINDOW)
        return vsg_jit_find_constant(h, LLVMGetOperand(call, 0), &window) &&
               vsg_jit_find_series(h, LLVMGetOperand(call, 1), &is) &&
               bind_window(h, window, is);
    if (!vsg_jit_find_series(h, LLVMGetOperand(call, 0), &is) ||
        !vsg_jit_find_constant(h, LLVMGetOperand(call, 1), &limit))
        return false;
    if (kind == VSG_JIT_LESS) { /* as numbers without signs, half of all above */
        LLVMValueRef half = vsg_jit_i64(e, UINT64_C(1) << 63);
        is.start = LLVMBuildXor(e->b, is.start, half, "");
        is.root = NULL;
        limit = LLVMBuildXor(e->b, limit, half, "");
    }
    return vsg_jit_bind(h, is, limit);
}

static bool is_constant_bit(LLVMValueRef v, uint64_t bit)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == bit;
}

/* One that goes round is true in a round if it was before the first and what comes back is. */
static bool find_true_phi(hoister *h, LLVMValueRef phi, int index)
{
    LLVMValueRef back = vsg_jit_coming_back(h, phi);

    if (is_on_way(h, phi))
        return true;
    if (h->on_way == VSG_JIT_MOST_DEPTH || !back)
        return false;
    h->way[h->on_way++] = phi;
    bool good =
        vsg_jit_bind(h, (series){.start = h->begin[index]}, NULL) && find_truth(h, back);
    h->on_way--;
    return good;
}

static bool find_comparison(hoister *h, LLVMValueRef v)
{
    LLVMValueRef a, b;

    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) != LLVMIntegerTypeKind ||
        !vsg_jit_find_constant(h, LLVMGetOperand(v, 0), &a) ||
        !vsg_jit_find_constant(h, LLVMGetOperand(v, 1), &b))
        return false;
    LLVMValueRef same = LLVMBuildICmp(h->e->b, LLVMGetICmpPredicate(v), a, b, "");
    return vsg_jit_bind(h, (series){.start = same}, NULL);
}

static bool find_inner_truth(hoister *h, LLVMValueRef v)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    int kind = vsg_jit_mark_of(h->e, v), phi = phi_of(h, v);

    if (kind >= 0)
        return bind_mark(h, (vsg_jit_mark)kind, v);
    if (phi >= 0)
        return find_true_phi(h, v, phi);
    if (op == LLVMAnd || (op == LLVMSelect && is_constant_bit(LLVMGetOperand(v, 2), 0)))
        return find_truth(h, LLVMGetOperand(v, 0)) && find_truth(h, LLVMGetOperand(v, 1));
    return op == LLVMICmp && find_comparison(h, v);
}

static bool find_truth(hoister *h, LLVMValueRef v)
{
    if (is_constant_bit(v, 1))
        return true;
    if (LLVMTypeOf(v) != h->e->i1)
        return false;
    if (is_outside(h, v))
        return vsg_jit_bind(h, (series){.start = v}, NULL);
    if (h->depth == VSG_JIT_MOST_DEPTH || !may_look(h))
        return false;
    h->depth++;
    bool good = find_inner_truth(h, v);
    h->depth--;
    return good;
}

bool vsg_jit_find_bounds(vsg_jit_hoister *h, LLVMValueRef test)
{
    vsg_jit_found found_before = vsg_jit_found_by(h);

    if (bind_mark(h, (vsg_jit_mark)vsg_jit_mark_of(h->e, test), test))
        return true;
    vsg_jit_go_back_to(h, &found_before);
    return false;
}
