/* SPDX-License-Identifier: MIT */
#include "jit/foresee.h"

#include <string.h>

#include "jit/marks.h"

typedef vsg_jit_sum form;
typedef vsg_jit_foresight foresight;

enum { MOST_DEPTH = 200 };

static LLVMValueRef early(foresight *f, LLVMValueRef v, uint32_t depth);
static bool form_of(foresight *f, LLVMValueRef v, uint32_t depth, form *out);

static bool is_inside(const foresight *f, LLVMValueRef v)
{
    return LLVMIsAInstruction(v) && vsg_jit_is_mapped(&f->early, v);
}

static bool is_op(LLVMValueRef v, LLVMOpcode op)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}

static bool is_integer(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);

    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 1 &&
           LLVMGetIntTypeWidth(type) <= 64;
}

static uint32_t bits_of(LLVMValueRef v)
{
    return LLVMGetIntTypeWidth(LLVMTypeOf(v));
}

/* ---- sums -------------------------------------------------------------------------------- */

static bool add_term(form *to, LLVMValueRef term, int64_t scale)
{
    uint32_t i = 0;

    while (i < to->num_terms && to->terms[i] != term)
        i++;
    if (i == VSG_JIT_MOST_TERMS)
        return false;
    if (i == to->num_terms) {
        to->terms[i] = term;
        to->scales[i] = 0;
        to->num_terms++;
    }
    to->scales[i] = (int64_t)((uint64_t)to->scales[i] + (uint64_t)scale);
    if (to->scales[i] == 0) {
        to->num_terms--;
        to->terms[i] = to->terms[to->num_terms];
        to->scales[i] = to->scales[to->num_terms];
    }
    return true;
}

/* Numbers of 32 bits, times 256 at most, six of them, and 40 bits more. */
static bool is_small(const form *of, bool terms_are)
{
    for (uint32_t i = 0; i < of->num_terms; i++)
        if (of->scales[i] < -256 || of->scales[i] > 256)
            return false;
    return terms_are && of->plus >= -(INT64_C(1) << 40) && of->plus <= INT64_C(1) << 40;
}

static bool add_forms(const form *a, const form *b, int64_t scale, form *out)
{
    form sum = *a;

    for (uint32_t i = 0; i < b->num_terms; i++)
        if (!add_term(&sum, b->terms[i], (int64_t)((uint64_t)b->scales[i] * (uint64_t)scale)))
            return false;
    sum.plus = (int64_t)((uint64_t)sum.plus + (uint64_t)b->plus * (uint64_t)scale);
    sum.is_small = is_small(&sum, a->is_small && b->is_small);
    *out = sum;
    return true;
}

static bool scale_form(const form *of, int64_t scale, form *out)
{
    static const form none = {.is_small = true};

    return add_forms(&none, of, scale, out);
}

static form constant(int64_t number)
{
    form out = {.plus = number};

    out.is_small = is_small(&out, true);
    return out;
}

static bool same_terms(const form *a, const form *b)
{
    if (a->num_terms != b->num_terms)
        return false;
    for (uint32_t i = 0; i < a->num_terms; i++) {
        uint32_t at = 0;
        while (at < b->num_terms &&
               (b->terms[at] != a->terms[i] || b->scales[at] != a->scales[i]))
            at++;
        if (at == b->num_terms)
            return false;
    }
    return true;
}

/* The sum without its constant. NO_ROOT: there are too many. */
enum { NO_ROOT = UINT32_MAX };

static uint32_t root_of(foresight *f, const form *of)
{
    uint32_t i = 0;

    while (i < f->num_roots && !same_terms(&f->roots[i].form, of))
        i++;
    if (i == VSG_JIT_MOST_ROOTS)
        return NO_ROOT;
    if (i == f->num_roots) {
        f->roots[f->num_roots] = (vsg_jit_root){.form = *of};
        f->roots[f->num_roots++].form.plus = 0;
    }
    return i;
}

LLVMValueRef vsg_jit_sum_of_terms(foresight *f, const form *of)
{
    LLVMBuilderRef b = f->e->b;
    LLVMValueRef sum = NULL;

    /* What comes last is mostly the same for many. */
    for (uint32_t i = of->num_terms; i-- > 0;) {
        LLVMValueRef term = of->terms[i];
        if (of->scales[i] != 1)
            term = LLVMBuildMul(b, term, vsg_jit_i64(f->e, (uint64_t)of->scales[i]), "");
        sum = sum ? LLVMBuildAdd(b, sum, term, "") : term;
    }
    return sum ? sum : vsg_jit_i64(f->e, 0);
}

LLVMValueRef vsg_jit_root_value(foresight *f, uint32_t root)
{
    if (!f->roots[root].value)
        f->roots[root].value = vsg_jit_sum_of_terms(f, &f->roots[root].form);
    return f->roots[root].value;
}

/* A number of so many bits. NULL: there are too many. */
static LLVMValueRef value_of(foresight *f, const form *of, LLVMTypeRef type)
{
    uint32_t root = root_of(f, of);

    if (root == NO_ROOT)
        return NULL;
    LLVMValueRef sum = LLVMBuildAdd(f->e->b, vsg_jit_root_value(f, root),
                                    vsg_jit_i64(f->e, (uint64_t)of->plus), "");
    return LLVMBuildTrunc(f->e->b, sum, type, "");
}

/* ---- checks ------------------------------------------------------------------------------ */

static bool is_like(const vsg_jit_check *a, const vsg_jit_check *b)
{
    if (a->kind != b->kind || a->root != b->root)
        return false;
    return a->kind == VSG_JIT_CHECK_WINDOW ? a->reach == b->reach : a->limit == b->limit;
}

/* Numbers that lie between two that are below a limit are so, too, where these are not so far
 * apart that there is a way around. */
static bool add_check(foresight *f, const form *of, vsg_jit_check check)
{
    enum { MOST_APART = 1 << 30 };
    uint32_t i = 0;

    check.root = root_of(f, of);
    check.least = check.most = of->plus;
    if (check.root == NO_ROOT)
        return false;
    for (; i < f->num_checks; i++) {
        vsg_jit_check *old = &f->checks[i];
        int64_t least = old->least < of->plus ? old->least : of->plus;
        int64_t most = old->most > of->plus ? old->most : of->plus;
        if (!is_like(old, &check) || (uint64_t)most - (uint64_t)least > MOST_APART)
            continue;
        old->least = least;
        old->most = most;
        return true;
    }
    if (i == VSG_JIT_MOST_CHECKS)
        return false;
    f->checks[f->num_checks++] = check;
    return true;
}

/* Is it from `from` to `last`? Of all ranges of a root there remains what they share. */
static bool add_range(foresight *f, const form *of, int64_t from, int64_t last)
{
    const int64_t far = INT64_C(1) << 62;

    if (of->num_terms == 0)
        return of->plus >= from && of->plus <= last;
    uint32_t root = root_of(f, of);
    if (root == NO_ROOT || of->plus < -far / 2 || of->plus > far / 2 || from < -far / 2 ||
        last > far / 2)
        return false;
    vsg_jit_root *own = &f->roots[root];
    if (!own->is_bound) {
        own->from = -far;
        own->last = far;
    }
    own->is_bound = true;
    own->from = from - of->plus > own->from ? from - of->plus : own->from;
    own->last = last - of->plus < own->last ? last - of->plus : own->last;
    return true;
}

static bool add_bits(foresight *f, const form *of, uint32_t bits, bool is_signed)
{
    int64_t half = INT64_C(1) << (bits - 1);

    if (is_signed)
        return add_range(f, of, -half, half - 1);
    return add_range(f, of, 0, half - 1 + half);
}

/* Is `a` + less <= `b`? Small numbers have room on both sides. */
static bool add_order(foresight *f, const form *a, int64_t less, const form *b)
{
    const int64_t far = INT64_C(1) << 61;
    form apart;

    if (!a->is_small || !b->is_small)
        return false;
    if (b->num_terms == 0)
        return add_range(f, a, -far, b->plus - less);
    return add_forms(b, a, -1, &apart) && add_range(f, &apart, less, far);
}

/* ---- values that are sums ---------------------------------------------------------------- */

static bool is_constant(LLVMValueRef v, int64_t *out)
{
    if (!LLVMIsAConstantInt(v) || bits_of(v) > 64)
        return false;
    *out = LLVMConstIntGetSExtValue(v);
    return true;
}

static bool is_extended(LLVMValueRef v)
{
    return is_op(v, LLVMZExt) || is_op(v, LLVMSExt);
}

bool vsg_jit_is_narrow_term(LLVMValueRef v)
{
    return is_extended(v) && bits_of(LLVMGetOperand(v, 0)) <= 32;
}

/* As an i64, always the same for the same value. NULL: there are too many. */
static LLVMValueRef extend(foresight *f, LLVMValueRef v)
{
    if (bits_of(v) == 64)
        return v;
    for (uint32_t i = 0; i < f->num_extended; i++)
        if (f->extended[i].from == v)
            return f->extended[i].to;
    if (f->num_extended == VSG_JIT_MOST_ROOTS)
        return NULL;
    LLVMValueRef wide = LLVMBuildSExt(f->e->b, v, f->e->i64, "");
    f->extended[f->num_extended++] = (vsg_jit_pair){v, wide};
    return wide;
}

static bool term_of(foresight *f, LLVMValueRef v, uint32_t depth, form *out)
{
    LLVMValueRef own = is_inside(f, v) ? early(f, v, depth) : v;

    own = own ? extend(f, own) : NULL;
    if (!own)
        return false;
    *out = (form){
        .terms = {own}, .scales = {1}, .num_terms = 1, .is_small = vsg_jit_is_narrow_term(own)};
    return true;
}

static bool find_sum(foresight *f, LLVMValueRef v, uint32_t depth, form *out)
{
    form a, b;

    return form_of(f, LLVMGetOperand(v, 0), depth, &a) &&
           form_of(f, LLVMGetOperand(v, 1), depth, &b) &&
           add_forms(&a, &b, is_op(v, LLVMSub) ? -1 : 1, out);
}

static bool find_product(foresight *f, LLVMValueRef v, uint32_t depth, form *out)
{
    int64_t by;
    form a;

    if (!is_constant(LLVMGetOperand(v, 1), &by))
        return false;
    if (is_op(v, LLVMShl)) {
        if (by < 0 || by >= bits_of(v))
            return false;
        by = (int64_t)(UINT64_C(1) << by);
    }
    return form_of(f, LLVMGetOperand(v, 0), depth, &a) && scale_form(&a, by, out);
}

/* Extended from its lower bits, by a shift to the left and one to the right. */
static bool find_shifted(foresight *f, LLVMValueRef v, uint32_t depth, form *out)
{
    form a;
    int64_t by;

    if (!is_constant(LLVMGetOperand(v, 1), &by) || by <= 0 || by >= 63 || bits_of(v) != 64 ||
        !form_of(f, LLVMGetOperand(v, 0), depth, &a))
        return false;
    int64_t unit = INT64_C(1) << by;
    for (uint32_t i = 0; i < a.num_terms; i++) {
        if (a.scales[i] % unit != 0)
            return false;
        a.scales[i] /= unit;
    }
    if (a.plus % unit != 0)
        return false;
    a.plus /= unit;
    /* That terms are small is forgotten where scales were not. */
    a.is_small = true;
    for (uint32_t i = 0; i < a.num_terms; i++)
        a.is_small = a.is_small && vsg_jit_is_narrow_term(a.terms[i]);
    a.is_small = is_small(&a, a.is_small);
    *out = a;
    return add_bits(f, out, 64 - (uint32_t)by, true);
}

static bool find_extended(foresight *f, LLVMValueRef v, uint32_t depth, form *out)
{
    LLVMValueRef from = LLVMGetOperand(v, 0);

    return is_integer(from) && form_of(f, from, depth, out) && out->num_terms > 0 &&
           add_bits(f, out, bits_of(from), is_op(v, LLVMSExt));
}

/* The lesser, or greater, of a sum and a limit: mostly that is the sum. */
static bool find_clamped(foresight *f, LLVMValueRef v, bool is_least, uint32_t depth, form *out)
{
    form a, b;

    if (!form_of(f, LLVMGetOperand(v, 0), depth, &a) ||
        !form_of(f, LLVMGetOperand(v, 1), depth, &b) || a.num_terms == b.num_terms)
        return false;
    const form *sum = a.num_terms > b.num_terms ? &a : &b;
    const form *limit = a.num_terms > b.num_terms ? &b : &a;
    *out = *sum;
    if (bits_of(v) == 64)
        return is_least ? add_order(f, sum, 0, limit) : add_order(f, limit, 0, sum);
    int64_t half = INT64_C(1) << (bits_of(v) - 1);
    if (limit->num_terms > 0 || limit->plus < -half || limit->plus >= half)
        return false;
    return is_least ? add_range(f, sum, -half, limit->plus)
                    : add_range(f, sum, limit->plus, half - 1);
}

static bool find_form(foresight *f, LLVMValueRef v, uint32_t depth, form *out)
{
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMOr:
        return LLVMGetIsDisjoint(v) && find_sum(f, v, depth, out);
    case LLVMAdd:
    case LLVMSub:
        return find_sum(f, v, depth, out);
    case LLVMMul:
    case LLVMShl:
        return find_product(f, v, depth, out);
    case LLVMAShr:
        return find_shifted(f, v, depth, out);
    case LLVMTrunc:
    case LLVMFreeze:
        return is_integer(LLVMGetOperand(v, 0)) && form_of(f, LLVMGetOperand(v, 0), depth, out);
    case LLVMZExt:
    case LLVMSExt:
        return find_extended(f, v, depth, out);
    case LLVMCall:
        return (vsg_jit_is_intrinsic(v, "llvm.smin") && find_clamped(f, v, true, depth, out)) ||
               (vsg_jit_is_intrinsic(v, "llvm.smax") && find_clamped(f, v, false, depth, out));
    default:
        return false;
    }
}

/* Is there more to know of an extended number than that it is one? */
static bool is_worth_it(const foresight *f, LLVMValueRef v)
{
    if (!is_extended(v))
        return true;
    LLVMValueRef from = LLVMGetOperand(v, 0);
    return is_inside(f, from) && !is_op(from, LLVMLoad) && !is_op(from, LLVMPHI) &&
           !is_op(from, LLVMAnd);
}

/* A sum of fewer bits is as good with another number that has the same of these: one that is
 * near 0, as where 2^32 - 4096 has been added without a sign. */
static int64_t shorten(int64_t number, uint32_t bits)
{
    return (int64_t)((uint64_t)number << (64 - bits)) >> (64 - bits);
}

static bool form_of(foresight *f, LLVMValueRef v, uint32_t depth, form *out)
{
    int64_t number;

    if (!is_integer(v) || depth == MOST_DEPTH)
        return false;
    if (is_constant(v, &number)) {
        *out = constant(number);
        return true;
    }
    if (!is_inside(f, v))
        return term_of(f, v, depth, out);
    if (is_op(v, LLVMPHI)) {
        LLVMValueRef from = vsg_jit_coming_along(f->blocks, f->num_blocks, v);
        return from && form_of(f, from, depth + 1, out);
    }
    LLVMValueRef known = vsg_jit_mapped(&f->forms, v);
    if (known != v && known) {
        *out = *(const form *)(const void *)known;
        return true;
    }
    form *found = known ? vsg_base_arena_new(&f->e->arena, 1, sizeof *found) : NULL;
    if (found && is_worth_it(f, v) && find_form(f, v, depth + 1, found)) {
        found->plus = shorten(found->plus, bits_of(v));
        vsg_jit_map_to(&f->forms, v, (LLVMValueRef)(void *)found);
        *out = *found;
        return true;
    }
    vsg_jit_map_to(&f->forms, v, NULL);
    return term_of(f, v, depth + 1, out);
}

/* ---- all values -------------------------------------------------------------------------- */

LLVMValueRef vsg_jit_coming_along(LLVMBasicBlockRef *blocks, uint32_t num_blocks,
                                  LLVMValueRef phi)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi), from = NULL;

    for (uint32_t i = 1; i < num_blocks; i++)
        if (blocks[i] == block)
            from = blocks[i - 1];
    for (uint32_t i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == from)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

/* From a pointer to another one, so many bytes further. */
static bool is_constant_step(LLVMValueRef v)
{
    return is_op(v, LLVMGetElementPtr) && LLVMGetNumOperands(v) == 2 &&
           LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
           LLVMGetTypeKind(LLVMGetGEPSourceElementType(v)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetGEPSourceElementType(v)) == 8;
}

/* Where an integer is loaded or stored: from `at` to `end`, counted from a pointer. */
typedef struct extent {
    LLVMValueRef base;
    int64_t at, end;
} extent;

static bool find_extent(LLVMValueRef place, LLVMValueRef value, extent *out)
{
    LLVMTypeRef type = LLVMTypeOf(value);

    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return false;
    *out = (extent){.base = place};
    while (is_constant_step(out->base)) {
        out->at += LLVMConstIntGetSExtValue(LLVMGetOperand(out->base, 1));
        out->base = LLVMGetOperand(out->base, 0);
    }
    out->end = out->at + (LLVMGetIntTypeWidth(type) + 7) / 8;
    return true;
}

/* Can it be called where it might not have been? */
static bool can_call(const foresight *f, LLVMValueRef call)
{
    static const char name[] = "speculatable";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    LLVMValueRef callee = LLVMGetCalledValue(call);

    return vsg_jit_mark_of(f->e, call) >= 0 ||
           (LLVMIsAFunction(callee) &&
            LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                        kind) != NULL);
}

/* May what is loaded have been stored by an instruction? Of what different pointers lead to
 * nothing is known. */
static bool may_change(const foresight *f, LLVMValueRef v, LLVMValueRef load)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    extent stored, loaded;

    if (op == LLVMCall)
        return !can_call(f, v);
    if (op != LLVMStore)
        return op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg || op == LLVMFence;
    return !find_extent(LLVMGetOperand(v, 1), LLVMGetOperand(v, 0), &stored) ||
           !find_extent(LLVMGetOperand(load, 0), load, &loaded) || stored.base != loaded.base ||
           (stored.at < loaded.end && loaded.at < stored.end);
}

/* Is it loaded in any case, and as it is before the blocks? */
static bool is_loaded_first(const foresight *f, LLVMValueRef load)
{
    if (LLVMGetInstructionParent(load) != f->blocks[0])
        return false;
    for (LLVMValueRef v = LLVMGetFirstInstruction(f->blocks[0]); v != load;
         v = LLVMGetNextInstruction(v))
        if (may_change(f, v, load))
            return false;
    return true;
}

/* What never changes can be read wherever it may be asked for, where what is outside leads
 * there alone (series.c). */
static bool can_load(const foresight *f, LLVMValueRef load)
{
    LLVMValueRef place = LLVMGetOperand(load, 0);

    while (is_inside(f, place) && is_constant_step(place))
        place = LLVMGetOperand(place, 0);
    return (vsg_jit_is_invariant(f->e, load) && !is_inside(f, place)) ||
           is_loaded_first(f, load);
}

/* Can it be made where it might not have been? */
static bool can_be_early(const foresight *f, LLVMValueRef v)
{
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMGetElementPtr:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
        return true;
    case LLVMLoad:
        return can_load(f, v);
    case LLVMCall:
        return can_call(f, v);
    default:
        return false;
    }
}

/* An operand, as the sum that it is, if it is one. */
static LLVMValueRef early_operand(foresight *f, LLVMValueRef v, uint32_t depth)
{
    form sum;

    if (is_inside(f, v) && is_integer(v) && form_of(f, v, depth, &sum) &&
        vsg_jit_mapped(&f->forms, v))
        return value_of(f, &sum, LLVMTypeOf(v));
    return early(f, v, depth);
}

/* What has been made of the same operands: nothing is stored in between. NULL: nothing. */
static LLVMValueRef find_made(const foresight *f, LLVMValueRef v, const LLVMValueRef *operands)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);

    if (op == LLVMShuffleVector || op == LLVMFreeze)
        return NULL;
    for (uint32_t i = 0; i < f->num_made; i++) {
        LLVMValueRef made = f->made[i];
        if (LLVMGetInstructionOpcode(made) != op || LLVMTypeOf(made) != LLVMTypeOf(v) ||
            LLVMGetNumOperands(made) != LLVMGetNumOperands(v) ||
            (op == LLVMICmp && LLVMGetICmpPredicate(made) != LLVMGetICmpPredicate(v)) ||
            (op == LLVMGetElementPtr &&
             LLVMGetGEPSourceElementType(made) != LLVMGetGEPSourceElementType(v)))
            continue;
        int same = 0;
        while (same < LLVMGetNumOperands(v) &&
               LLVMGetOperand(made, (unsigned)same) == operands[same])
            same++;
        if (same == LLVMGetNumOperands(v))
            return made;
    }
    return NULL;
}

static LLVMValueRef make_early(foresight *f, LLVMValueRef v, uint32_t depth)
{
    enum { MOST_OPERANDS = 4 };
    LLVMValueRef operands[MOST_OPERANDS];
    int count = LLVMGetNumOperands(v);

    if (is_op(v, LLVMPHI)) {
        LLVMValueRef from = vsg_jit_coming_along(f->blocks, f->num_blocks, v);
        return from ? early_operand(f, from, depth) : NULL;
    }
    if (count > MOST_OPERANDS || !can_be_early(f, v))
        return NULL;
    for (int i = 0; i < count; i++) {
        operands[i] = early_operand(f, LLVMGetOperand(v, (unsigned)i), depth);
        if (!operands[i])
            return NULL;
    }
    LLVMValueRef copy = find_made(f, v, operands);
    if (copy)
        return copy;
    copy = LLVMInstructionClone(v);
    LLVMInsertIntoBuilder(f->e->b, copy);
    for (int i = 0; i < count; i++)
        LLVMSetOperand(copy, (unsigned)i, operands[i]);
    if (f->num_made < VSG_JIT_MOST_ROOTS)
        f->made[f->num_made++] = copy;
    return copy;
}

/* NULL: it is not known there. */
static LLVMValueRef early(foresight *f, LLVMValueRef v, uint32_t depth)
{
    if (!is_inside(f, v))
        return v;
    LLVMValueRef known = vsg_jit_mapped(&f->early, v);
    if (known != v)
        return known;
    known = depth < MOST_DEPTH ? make_early(f, v, depth + 1) : NULL;
    vsg_jit_map_to(&f->early, v, known);
    return known;
}

/* ---- conditions -------------------------------------------------------------------------- */

static bool add_other(foresight *f, LLVMValueRef condition, bool is_true)
{
    LLVMValueRef own = early_operand(f, condition, 0);

    if (!own || f->num_others == VSG_JIT_MOST_CHECKS)
        return false;
    for (uint32_t i = 0; i < f->num_others; i++)
        if (f->others[i].from == own && f->others[i].is_true == is_true)
            return true;
    f->others[f->num_others++] = (vsg_jit_other){own, is_true};
    return true;
}

/* Is a < b, or a <= b? */
static bool foresee_less(foresight *f, LLVMValueRef a, LLVMValueRef b, bool or_equal)
{
    form x, y;

    if (bits_of(a) != 64 || !form_of(f, a, 0, &x) || !form_of(f, b, 0, &y))
        return false;
    return add_order(f, &x, or_equal ? 0 : 1, &y);
}

/* Is a sum below a limit, without signs? */
static bool foresee_below(foresight *f, LLVMValueRef a, LLVMValueRef limit)
{
    vsg_jit_check check = {.kind = VSG_JIT_CHECK_BELOW};
    int64_t number;
    form x;

    if (!form_of(f, a, 0, &x))
        return false;
    if (is_constant(limit, &number)) {
        uint64_t end = LLVMConstIntGetZExtValue(limit);
        return end > 0 && end <= INT64_MAX && add_range(f, &x, 0, (int64_t)end - 1);
    }
    check.limit = bits_of(a) == 64 ? early_operand(f, limit, 0) : NULL;
    return check.limit && x.num_terms > 0 && add_check(f, &x, check);
}

static LLVMIntPredicate inverse_of(LLVMIntPredicate predicate)
{
    static const LLVMIntPredicate inverses[] = {
        [LLVMIntEQ] = LLVMIntNE,   [LLVMIntNE] = LLVMIntEQ,   [LLVMIntUGT] = LLVMIntULE,
        [LLVMIntUGE] = LLVMIntULT, [LLVMIntULT] = LLVMIntUGE, [LLVMIntULE] = LLVMIntUGT,
        [LLVMIntSGT] = LLVMIntSLE, [LLVMIntSGE] = LLVMIntSLT, [LLVMIntSLT] = LLVMIntSGE,
        [LLVMIntSLE] = LLVMIntSGT};

    return inverses[predicate];
}

static bool foresee_comparison(foresight *f, LLVMValueRef v, bool is_true)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(v);
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);

    if (!is_integer(a))
        return false;
    switch (is_true ? predicate : inverse_of(predicate)) {
    case LLVMIntULT:
        return foresee_below(f, a, b);
    case LLVMIntUGT:
        return foresee_below(f, b, a);
    case LLVMIntSLT:
    case LLVMIntSLE:
        return foresee_less(f, a, b,
                            (is_true ? predicate : inverse_of(predicate)) == LLVMIntSLE);
    case LLVMIntSGT:
    case LLVMIntSGE:
        return foresee_less(f, b, a,
                            (is_true ? predicate : inverse_of(predicate)) == LLVMIntSGE);
    default:
        return false;
    }
}

static bool foresee_mark(foresight *f, int kind, LLVMValueRef call)
{
    vsg_jit_check check = {.kind = VSG_JIT_CHECK_WINDOW};
    LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
    form x;

    if (kind == VSG_JIT_HOLDS)
        return vsg_jit_foresee(f, a, true);
    if (kind == VSG_JIT_LESS)
        return foresee_less(f, a, b, false);
    if (kind == VSG_JIT_BELOW)
        return foresee_below(f, a, b);
    check.limit = early(f, a, 0);
    check.reach = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2));
    return check.limit && form_of(f, b, 0, &x) && add_check(f, &x, check);
}

static bool is_bit(LLVMValueRef v, uint64_t bit)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == bit;
}

/* Both of two; where all is to be false, neither. */
static bool is_both(LLVMValueRef v, bool is_true, LLVMValueRef in[2])
{
    bool is_select =
        is_op(v, LLVMSelect) && is_bit(LLVMGetOperand(v, is_true ? 2 : 1), is_true ? 0 : 1);

    if (!is_select && !is_op(v, is_true ? LLVMAnd : LLVMOr))
        return false;
    in[0] = LLVMGetOperand(v, 0);
    in[1] = LLVMGetOperand(v, is_select && !is_true ? 2 : 1);
    return true;
}

bool vsg_jit_foresee(foresight *f, LLVMValueRef condition, bool is_true)
{
    LLVMValueRef in[2];

    if (is_bit(condition, is_true))
        return true;
    if (!is_inside(f, condition))
        return add_other(f, condition, is_true);
    if (is_op(condition, LLVMPHI)) {
        in[0] = vsg_jit_coming_along(f->blocks, f->num_blocks, condition);
        return in[0] && vsg_jit_foresee(f, in[0], is_true);
    }
    if (is_both(condition, is_true, in))
        return vsg_jit_foresee(f, in[0], is_true) && vsg_jit_foresee(f, in[1], is_true);
    int kind = is_true ? vsg_jit_mark_of(f->e, condition) : -1;
    if ((kind >= 0 && foresee_mark(f, kind, condition)) ||
        (is_op(condition, LLVMICmp) && foresee_comparison(f, condition, is_true)))
        return true;
    return add_other(f, condition, is_true);
}

/* ---- what is foreseen -------------------------------------------------------------------- */

LLVMValueRef vsg_jit_foreseen(foresight *f, LLVMValueRef v)
{
    const form *of;

    if (!is_inside(f, v) || !is_integer(v))
        return NULL;
    LLVMValueRef known = vsg_jit_mapped(&f->forms, v);
    if (known == v || !known)
        return NULL;
    of = (const form *)(const void *)known;
    for (uint32_t i = 0; i < f->num_roots; i++)
        if (same_terms(&f->roots[i].form, of))
            return value_of(f, of, LLVMTypeOf(v));
    return NULL;
}

bool vsg_jit_open_foresight(vsg_jit_emitter *e, LLVMBasicBlockRef *blocks, uint32_t num_blocks,
                            foresight *out)
{
    vsg_jit_region region = {.blocks = blocks, .num_blocks = num_blocks};

    *out = (foresight){.e = e, .blocks = blocks, .num_blocks = num_blocks};
    return vsg_jit_map_region(e, &region, &out->early) &&
           vsg_jit_map_region(e, &region, &out->forms);
}
