/* SPDX-License-Identifier: MIT */
#include "jit/abreast_lanes.h"

#include <string.h>

#include "jit/lane_operations.h"
#include "jit/lowering.h"

typedef vsg_jit_series series;

bool vsg_jit_abreast_holds(const vsg_jit_abreast_lanes *l, LLVMValueRef test)
{
    for (uint32_t i = 0; i < l->num_held; i++)
        if (l->held[i] == test)
            return true;
    return false;
}

/* ---- values of all lanes ------------------------------------------------------------------
 */

static LLVMTypeRef vector_of(const vsg_jit_abreast_lanes *l, LLVMValueRef v)
{
    return LLVMVectorType(LLVMTypeOf(v), l->num);
}

static LLVMValueRef splat(vsg_jit_abreast_lanes *l, LLVMValueRef scalar)
{
    return vsg_jit_splat(l->h->e, scalar, l->num);
}

static bool find_series(vsg_jit_abreast_lanes *l, LLVMValueRef v, series *out)
{
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
        return false;
    vsg_jit_abreast_go_before(l);
    bool good = vsg_jit_find_series(l->h, v, out) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64;
    vsg_jit_abreast_go_on(l);
    return good;
}

/* 0, 1, 2 ... */
static LLVMValueRef count_lanes(const vsg_jit_abreast_lanes *l, LLVMTypeRef type)
{
    LLVMValueRef numbers[VSG_JIT_MOST_ABREAST];

    for (uint32_t i = 0; i < l->num; i++)
        numbers[i] = LLVMConstInt(type, i, false);
    return LLVMConstVector(numbers, l->num);
}

static LLVMValueRef lanes_of_series(vsg_jit_abreast_lanes *l, LLVMValueRef phi)
{
    vsg_jit_emitter *e = l->h->e;
    series is;

    if (!find_series(l, phi, &is))
        return NULL;
    if (!is.step)
        return splat(l, is.start);
    LLVMValueRef more =
        LLVMBuildMul(e->b, splat(l, is.step), count_lanes(l, LLVMTypeOf(is.step)), "");
    return LLVMBuildAdd(e->b, splat(l, vsg_jit_series_at(e, &is, l->round)), more, "");
}

/* ---- memory ------------------------------------------------------------------------------ */

/* Which lanes have a number that a test says is inside. Those that are over may be undefined.
 * NULL: it is no test that can be made. */
static LLVMValueRef find_holds(vsg_jit_abreast_lanes *l, LLVMValueRef mark)
{
    vsg_jit_emitter *e = l->h->e;
    bool is_window = vsg_jit_mark_of(e, mark) == VSG_JIT_IN_WINDOW;
    LLVMValueRef base = vsg_jit_i64(e, 0), size, window;

    if (!is_window && vsg_jit_mark_of(e, mark) != VSG_JIT_BELOW)
        return NULL;
    LLVMValueRef at = vsg_jit_abreast_value(l, LLVMGetOperand(mark, is_window ? 1 : 0));
    vsg_jit_abreast_go_before(l);
    bool good = at && vsg_jit_find_constant(l->h, LLVMGetOperand(mark, is_window ? 0 : 1),
                                            is_window ? &window : &size);
    if (good && is_window)
        base = vsg_jit_window_base(e, window, &size);
    vsg_jit_abreast_go_on(l);
    if (!good)
        return NULL;
    at = LLVMBuildSub(e->b, LLVMBuildFreeze(e->b, at, ""), splat(l, base), "");
    return LLVMBuildICmp(e->b, LLVMIntULT, at, splat(l, size), "");
}

/* What a test asks of an index: to be below a limit, i64, made before the loop. Of surfaces the
 * index is the offset. NULL: nothing. */
static LLVMValueRef limit_in(vsg_jit_abreast_lanes *l, LLVMValueRef mark, vsg_jit_element *of)
{
    int kind = vsg_jit_mark_of(l->h->e, mark);
    LLVMValueRef limit = NULL, window, size;

    *of = (vsg_jit_element){.index = LLVMGetOperand(mark, 0)};
    if (kind == VSG_JIT_IN_WINDOW ? !vsg_jit_find_element(l->h, LLVMGetOperand(mark, 1), of)
                                  : kind != VSG_JIT_BELOW || !vsg_jit_is_index(l->h, of->index))
        return NULL;
    vsg_jit_abreast_go_before(l);
    if (kind == VSG_JIT_BELOW) {
        (void)vsg_jit_find_constant(l->h, LLVMGetOperand(mark, 1), &limit);
    } else if (vsg_jit_find_constant(l->h, LLVMGetOperand(mark, 0), &window)) {
        LLVMValueRef base = vsg_jit_window_base(l->h->e, window, &size);
        limit = vsg_jit_limit_of(l->h, of, base, size);
    }
    vsg_jit_abreast_go_on(l);
    return limit;
}

/* The test of an index instead of its address. NULL: it is none. */
static LLVMValueRef find_below_limit(vsg_jit_abreast_lanes *l, LLVMValueRef mark)
{
    vsg_jit_emitter *e = l->h->e;
    vsg_jit_limited own;
    LLVMValueRef limit = NULL, from, lanes = NULL;

    if (!e->has_quick_gathers && l->num_limited < VSG_JIT_MOST_PLACES)
        limit = limit_in(l, mark, &own.of);
    if (limit && LLVMTypeOf(from = LLVMGetOperand(own.of.index, 0)) == e->i32)
        lanes = vsg_jit_abreast_value(l, from);
    if (!lanes)
        return NULL;
    bool is_signed = LLVMGetInstructionOpcode(own.of.index) == LLVMSExt;
    LLVMValueRef most[] = {limit, vsg_jit_i64(e, is_signed ? INT32_MAX : UINT32_MAX)};
    vsg_jit_abreast_go_before(l);
    limit = vsg_jit_intrinsic(e, "llvm.umin", e->i64, most, 2);
    own.none = LLVMBuildICmp(e->b, LLVMIntEQ, limit, vsg_jit_i64(e, 0), "");
    limit = LLVMBuildTrunc(e->b, limit, e->i32, "");
    LLVMValueRef args[] = {limit, vsg_jit_i32(e, 1)};
    LLVMValueRef last = vsg_jit_intrinsic(e, "llvm.usub.sat", e->i32, args, 2);
    vsg_jit_abreast_go_on(l);
    lanes = LLVMBuildFreeze(e->b, lanes, "");
    LLVMValueRef clamped[] = {lanes, splat(l, last)};
    own.lanes = vsg_jit_intrinsic(e, "llvm.umin", LLVMTypeOf(lanes), clamped, 2);
    l->limited[l->num_limited++] = own;
    return LLVMBuildICmp(e->b, LLVMIntULT, lanes, splat(l, limit), "");
}

/* A test that is not known to hold: it is made of all lanes. */
bool vsg_jit_abreast_look(vsg_jit_abreast_lanes *l, LLVMValueRef mark)
{
    vsg_jit_emitter *e = l->h->e;
    LLVMValueRef holds = find_below_limit(l, mark);

    if (!holds && !(holds = find_holds(l, mark)))
        return false;
    LLVMValueRef bad = LLVMBuildAnd(e->b, l->mask, LLVMBuildNot(e->b, holds, ""), "");
    bad = LLVMBuildICmp(e->b, LLVMIntNE, vsg_jit_bits(e, bad, l->num), vsg_jit_i32(e, 0), "");
    l->fails = LLVMBuildOr(e->b, l->fails, bad, "");
    l->inside = LLVMBuildAnd(e->b, l->inside, holds, "");
    return true;
}

/* Is each test of an offset one that lanes are limited by? Else which surface it was for, and
 * what lanes that are over would look at, is not known. */
static bool are_all_limited(const vsg_jit_abreast_lanes *l, LLVMValueRef offset)
{
    int32_t left = 0;

    for (LLVMUseRef use = LLVMGetFirstUse(offset); use; use = LLVMGetNextUse(use))
        left += vsg_jit_mark_of(l->h->e, LLVMGetUser(use)) == VSG_JIT_BELOW &&
                LLVMGetOperand(LLVMGetUser(use), 0) == offset &&
                vsg_jit_abreast_has(l, LLVMGetUser(use));
    for (uint32_t i = 0; i < l->num_limited; i++)
        left -= !l->limited[i].of.base && l->limited[i].of.index == offset;
    return left == 0;
}

/* Is an address of what a test was about? Then what it begins with is in *base. */
static bool is_limited(vsg_jit_abreast_lanes *l, const vsg_jit_limited *own,
                       LLVMValueRef address, LLVMValueRef *base)
{
    vsg_jit_element of;

    if (own->of.base) {
        *base = own->of.base;
        return vsg_jit_find_element(l->h, address, &of) && own->of.base == of.base &&
               own->of.index == of.index && own->of.shift == of.shift;
    }
    if (!vsg_jit_abreast_has(l, address) || LLVMGetInstructionOpcode(address) != LLVMAdd)
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (LLVMGetOperand(address, 1 - i) == own->of.index)
            return are_all_limited(l, own->of.index) &&
                   vsg_jit_find_constant(l->h, LLVMGetOperand(address, i), base);
    return false;
}

/* What tests have said of an address, each of which may be that of this place. False: nothing.
 */
static bool find_limited(vsg_jit_abreast_lanes *l, LLVMValueRef address, vsg_jit_place *out)
{
    vsg_jit_emitter *e = l->h->e;
    LLVMValueRef none = LLVMConstInt(e->i1, 0, false), base = NULL;

    *out = (vsg_jit_place){.address = address};
    for (uint32_t i = 0; i < l->num_limited; i++) {
        const vsg_jit_limited *own = &l->limited[i];
        vsg_jit_abreast_go_before(l);
        bool is_one = is_limited(l, own, address, &base);
        if (is_one)
            none = LLVMBuildOr(e->b, none, own->none, "");
        vsg_jit_abreast_go_on(l);
        if (!is_one)
            continue;
        LLVMValueRef both[] = {out->lanes, own->lanes};
        out->lanes = out->lanes
                         ? vsg_jit_intrinsic(e, "llvm.umin", LLVMTypeOf(own->lanes), both, 2)
                         : own->lanes;
        out->shift = own->of.shift;
        out->first = base;
    }
    if (!out->first)
        return false;
    vsg_jit_abreast_go_before(l);
    LLVMValueRef zeros = LLVMBuildPtrToInt(e->b, vsg_jit_zeros(e), e->i64, "");
    out->first = LLVMBuildSelect(e->b, none, zeros, out->first, "");
    vsg_jit_abreast_go_on(l);
    return true;
}

/* NULL: its address cannot be said, or there are too many. */
static vsg_jit_place *place_of(vsg_jit_abreast_lanes *l, LLVMValueRef address)
{
    vsg_jit_emitter *e = l->h->e;

    for (uint32_t i = 0; i < l->num_places; i++)
        if (l->places[i].address == address)
            return &l->places[i];
    if (l->num_places == VSG_JIT_MOST_PLACES)
        return NULL;
    if (find_limited(l, address, &l->places[l->num_places]))
        return &l->places[l->num_places++];
    LLVMValueRef at = vsg_jit_abreast_value(l, address);
    if (!at)
        return NULL;
    LLVMValueRef zeros = LLVMBuildPtrToInt(e->b, vsg_jit_zeros(e), e->i64, "");
    at = LLVMBuildSelect(e->b, l->inside, at, splat(l, zeros), "");
    l->places[l->num_places] = (vsg_jit_place){.address = address, .lanes = at};
    return &l->places[l->num_places++];
}

/* 0, i64, of which LLVM does not know that. */
static LLVMValueRef unknown_zero(vsg_jit_abreast_lanes *l)
{
    static const char constraints[] = "=l,0";
    static const char *const facts[] = {"memory", "nounwind", "willreturn"};
    vsg_jit_emitter *e = l->h->e;
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(l->code));
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
    vsg_jit_abreast_go_on(l);
    return zero;
}

/* The address of one lane's element. */
static LLVMValueRef element_at(vsg_jit_abreast_lanes *l, const vsg_jit_place *from, uint32_t n)
{
    vsg_jit_emitter *e = l->h->e;
    LLVMValueRef index = LLVMBuildExtractElement(e->b, from->lanes, vsg_jit_i32(e, n), "");

    index = LLVMBuildShl(e->b, LLVMBuildZExt(e->b, index, e->i64, ""),
                         vsg_jit_i64(e, from->shift), "");
    return LLVMBuildAdd(e->b, from->first, index, "");
}

/* What a lane loads. Addresses go by the stack, which LLVM is not to see through: to take them
 * out of a vector one by one is twice as much. */
LLVMValueRef vsg_jit_abreast_load(vsg_jit_abreast_lanes *l, LLVMTypeRef type,
                                  vsg_jit_place *from, uint32_t n)
{
    enum { ADDRESS_BYTES = 8 };
    vsg_jit_emitter *e = l->h->e;

    if (from->first)
        return vsg_jit_load(e, type,
                            LLVMBuildIntToPtr(e->b, element_at(l, from, n), e->pointer, ""), 1);
    if (!from->slot) {
        LLVMValueRef zero = unknown_zero(l);
        from->slot = vsg_jit_take_stack(l->h, l->num * ADDRESS_BYTES);
        vsg_jit_store(e, from->lanes, from->slot, ADDRESS_BYTES);
        from->slot = LLVMBuildGEP2(e->b, e->i8, from->slot, &zero, 1, "");
    }
    LLVMValueRef at =
        vsg_jit_load(e, e->i64, vsg_jit_at(e, from->slot, (uint64_t)n * ADDRESS_BYTES), 1);
    return vsg_jit_load(e, type, LLVMBuildIntToPtr(e->b, at, e->pointer, ""), 1);
}

static LLVMValueRef load_each(vsg_jit_abreast_lanes *l, LLVMTypeRef element,
                              vsg_jit_place *from)
{
    vsg_jit_emitter *e = l->h->e;
    LLVMTypeRef type = LLVMVectorType(element, l->num);
    LLVMValueRef all = LLVMGetPoison(type);

    if (e->has_quick_gathers && vsg_jit_lane_bits(element) >= 32) {
        LLVMTypeRef types[] = {type, LLVMVectorType(e->pointer, l->num)};
        LLVMValueRef args[] = {LLVMBuildIntToPtr(e->b, from->lanes, types[1], ""),
                               vsg_jit_i32(e, 1), l->inside, LLVMConstNull(type)};
        return vsg_jit_overloaded(e, "llvm.masked.gather", types, 2, args, 4);
    }
    for (uint32_t n = 0; n < l->num; n++)
        all = LLVMBuildInsertElement(e->b, all, vsg_jit_abreast_load(l, element, from, n),
                                     vsg_jit_i32(e, n), "");
    return all;
}

/* The address that a load along memory, element by element, begins with in the rounds in hand.
 * NULL: it is none. */
static LLVMValueRef along_memory(vsg_jit_abreast_lanes *l, LLVMValueRef load,
                                 LLVMValueRef address)
{
    vsg_jit_emitter *e = l->h->e;
    uint32_t bytes = vsg_jit_lane_bits(LLVMTypeOf(load)) / 8;
    series is;

    if ((bytes < 4 && !vsg_jit_has_avx512(e)) || !find_series(l, address, &is) ||
        is.step != vsg_jit_i64(e, bytes))
        return NULL;
    return vsg_jit_series_at(e, &is, l->round);
}

/* Do all tests of a kind that a number has hold in all rounds? -1: it has none. */
static int are_held(const vsg_jit_abreast_lanes *l, LLVMValueRef number, vsg_jit_mark kind)
{
    int held = -1;

    for (LLVMUseRef use = LLVMGetFirstUse(number); use; use = LLVMGetNextUse(use))
        if (vsg_jit_mark_of(l->h->e, LLVMGetUser(use)) == (int)kind &&
            vsg_jit_abreast_has(l, LLVMGetUser(use)))
            held = held != 0 && vsg_jit_abreast_holds(l, LLVMGetUser(use));
    return held;
}

/* Is an address, or its offset in a surface, known to be in allocated memory, in all rounds? */
static bool is_in_memory(const vsg_jit_abreast_lanes *l, LLVMValueRef address)
{
    int held = are_held(l, address, VSG_JIT_IN_WINDOW);

    if (held < 0 && LLVMIsAInstruction(address) && LLVMGetInstructionOpcode(address) == LLVMAdd)
        for (unsigned i = 0; i < 2 && held < 0; i++)
            held = are_held(l, LLVMGetOperand(address, i), VSG_JIT_BELOW);
    return held > 0;
}

/* Elements of all lanes in a row, the first one at `at`, i64. */
static LLVMValueRef load_row(vsg_jit_abreast_lanes *l, LLVMValueRef load, LLVMValueRef at)
{
    vsg_jit_emitter *e = l->h->e;
    LLVMTypeRef type = vector_of(l, load);
    uint32_t bytes = l->num * vsg_jit_lane_bits(LLVMTypeOf(load)) / 8;

    if (bytes > VSG_EXE_SLACK_BYTES ||
        !is_in_memory(l, LLVMGetOperand(LLVMGetOperand(load, 0), 0)))
        return vsg_jit_load_lanes(e, type, LLVMBuildIntToPtr(e->b, at, e->pointer, ""),
                                  l->inside);
    return vsg_jit_load(e, type, LLVMBuildIntToPtr(e->b, at, e->pointer, ""), 1);
}

/* A round comes to a load only where all tests before it hold: so do lanes. */
static LLVMValueRef lanes_of_load(vsg_jit_abreast_lanes *l, LLVMValueRef load)
{
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    series is;

    if (find_series(l, load, &is) && !is.step)
        return splat(l, is.start);
    if (!vsg_jit_is_lane(LLVMTypeOf(load)) || !LLVMIsAIntToPtrInst(pointer) ||
        !vsg_jit_abreast_has(l, pointer))
        return NULL;
    LLVMValueRef address = LLVMGetOperand(pointer, 0);
    LLVMValueRef first = along_memory(l, load, address);
    if (first)
        return load_row(l, load, first);
    vsg_jit_place *from = place_of(l, address);
    return from ? load_each(l, LLVMTypeOf(load), from) : NULL;
}

static LLVMValueRef lanes_of_result(vsg_jit_abreast_lanes *l, LLVMValueRef v)
{
    LLVMValueRef of[VSG_JIT_MOST_LANE_OPERANDS];
    uint32_t count = vsg_jit_lane_operands(v);

    if (count == 0 || !vsg_jit_is_lane(LLVMTypeOf(v)))
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        if (!(of[i] = vsg_jit_abreast_value(l, LLVMGetOperand(v, i))))
            return NULL;
    return vsg_jit_do_again(l->h->e, v, of, l->num);
}

/* A value of all rounds in hand. NULL: that cannot be said. */
LLVMValueRef vsg_jit_abreast_value(vsg_jit_abreast_lanes *l, LLVMValueRef v)
{
    LLVMValueRef out = NULL;

    if (!vsg_jit_abreast_has(l, v))
        return vsg_jit_is_lane(LLVMTypeOf(v)) ? splat(l, v) : NULL;
    for (uint32_t i = 0; i < l->num_made; i++)
        if (l->made[i].from == v)
            return l->made[i].to;
    if (l->depth == VSG_JIT_MOST_DEPTH)
        return NULL;
    l->depth++;
    if (LLVMGetInstructionOpcode(v) == LLVMPHI)
        out = lanes_of_series(l, v);
    else if (LLVMGetInstructionOpcode(v) == LLVMLoad)
        out = lanes_of_load(l, v);
    else
        out = lanes_of_result(l, v);
    l->depth--;
    if (out && l->num_made == VSG_JIT_MOST_VALUES_ABREAST)
        return NULL;
    if (out)
        l->made[l->num_made++] = (vsg_jit_pair){v, out};
    return out;
}

/* The place that a value is loaded from, and no more, where lanes go one by one. */
vsg_jit_place *vsg_jit_abreast_place(vsg_jit_abreast_lanes *l, LLVMValueRef v)
{
    if (!vsg_jit_abreast_has(l, v) || LLVMGetInstructionOpcode(v) != LLVMLoad ||
        l->h->e->has_quick_gathers)
        return NULL;
    LLVMValueRef pointer = LLVMGetOperand(v, 0);
    if (!LLVMIsAIntToPtrInst(pointer) || along_memory(l, v, LLVMGetOperand(pointer, 0)))
        return NULL;
    return place_of(l, LLVMGetOperand(pointer, 0));
}
