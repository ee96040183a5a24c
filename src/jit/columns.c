/* SPDX-License-Identifier: MIT */
#include "jit/columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exec/handlers.h"
#include "jit/lane_operations.h"
#include "jit/loops.h"
#include "jit/lowering.h"
#include "jit/shuffle.h"

typedef vsg_jit_series series;
typedef vsg_jit_hoister hoister;
typedef vsg_jit_column column;

/* Functions that do not exist. Their names go on with the channels, and bits of an element. */
#define TEST_NAME  "vsg.is_column"
#define VALUE_NAME "vsg.column"
#define PUT_NAME   "vsg.put_column"

/* ---- where accesses stand ---------------------------------------------------------------- */

enum { LEAST_BYTES = 16, LEAST_CHANNELS = 4 }; /* that all load or store; of them */
enum { MOST_DEPTH = 8 };                       /* of sums */

/* Does an instruction do nothing to memory but load and store? */
static bool is_harmless(const vsg_exe_inst *inst)
{
    if (inst->op == VISAGE_OP_LABEL || inst->op == VISAGE_OP_GOTO || vsg_jit_does_nothing(inst))
        return true;
    if (vsg_jit_is_transfer(inst))
        return !vsg_jit_is_atomic(inst);
    return !inst->message && vsg_jit_lower_of(inst) &&
           vsg_jit_lower_of(inst) != vsg_jit_lower_fence;
}

/* Do all channels of a loop go one after the other, so that it goes as it stands where
 * something has failed alone? */
static bool is_for_failures(const vsg_jit_emitter *e, uint32_t first)
{
    const vsg_jit_loop *l = e->loops ? e->loops[first] : NULL;

    return l && !l->is_tried && l->most_channels >= e->simd_size;
}

/* Does the innermost loop around the instruction in hand only load and store, where it goes as
 * it stands not for failures alone? */
static bool loop_is_harmless(const vsg_jit_emitter *e)
{
    enum { MOST_INSTRUCTIONS = 200 };
    const vsg_exe_unit *unit = e->unit;
    uint32_t first = UINT32_MAX, last = 0;

    for (uint32_t i = e->place; i < unit->num_code && i - e->place < MOST_INSTRUCTIONS; i++) {
        const vsg_exe_inst *inst = &unit->code[i];
        if (!vsg_exe_is_jump(inst) || inst->target > e->place)
            continue;
        if (first > last)
            first = inst->target;
        if (inst->target == first)
            last = i;
    }
    if (first > last || last - first > MOST_INSTRUCTIONS || is_for_failures(e, first))
        return false;
    for (uint32_t i = first; i <= last; i++)
        if (!is_harmless(&unit->code[i]))
            return false;
    return true;
}

bool vsg_jit_may_be_column(const vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    uint32_t bytes = t->count * t->memory;

    return e->marks && t->per_channel <= VSG_JIT_MOST_IN_COLUMN && t->count >= LEAST_CHANNELS &&
           (t->count & (t->count - 1)) == 0 && bytes >= LEAST_BYTES && vsg_jit_has_avx512(e) &&
           (vsg_jit_is_flat(t->message) || vsg_jit_is_to_surface(t->message)) &&
           e->notes[e->place].is_in_loop && loop_is_harmless(e);
}

/* memory: LLVM's number for what it looks at and changes. */
enum { NO_MEMORY = 0, OWN_MEMORY = 3 << 2 };
static LLVMValueRef declare(vsg_jit_emitter *e, const char *name, LLVMTypeRef signature,
                            uint64_t memory)
{
    static const char *const facts[] = {"nounwind", "willreturn", "nosync", "nofree"};
    LLVMValueRef function = vsg_jit_callee(e, name, signature);

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        vsg_jit_attribute(e, function, facts[i], 0);
    vsg_jit_attribute(e, function, "memory", memory);
    return function;
}

enum { NAME_BYTES = 64 };
static void make_name(const vsg_jit_transfer *t, const char *kind, char name[NAME_BYTES])
{
    (void)snprintf(name, NAME_BYTES, "%s.%" PRIu32 ".%" PRIu32 ".%" PRIu32, kind, t->count,
                   t->per_channel, 8 * t->memory);
}

/* Operands of the calls. All say which instruction they belong to. Memory is a window, or what
 * begins at `base` and has as many places as `limit` says. */
enum { OF_ADDRESSES, OF_PLACE, OF_CHANNELS, OF_WINDOW, OF_BASE, OF_LIMIT, NUM_OPERANDS };

LLVMValueRef vsg_jit_is_column(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    LLVMTypeRef types[NUM_OPERANDS] = {
        LLVMTypeOf(t->addresses), e->i32, e->i32, e->pointer, e->i64, e->i64};
    LLVMTypeRef signature = LLVMFunctionType(e->i1, types, NUM_OPERANDS, false);
    LLVMValueRef window = LLVMConstNull(e->pointer);
    LLVMValueRef base = vsg_jit_i64(e, 0), limit = base;
    vsg_jit_transfer many = *t;
    char name[NAME_BYTES];

    many.window = t->window + 1; /* vsg_jit_open_many() */
    if (vsg_jit_is_flat(t->message))
        window = vsg_jit_window_field(e, &many, 0);
    else
        base = vsg_jit_open_buffer(e, t, &limit);
    make_name(t, TEST_NAME, name);
    LLVMValueRef args[NUM_OPERANDS] = {t->addresses,
                                       vsg_jit_i32(e, e->place),
                                       t->channels ? t->channels
                                                   : vsg_jit_i32(e, vsg_exe_first(t->count)),
                                       window,
                                       base,
                                       limit};
    return LLVMBuildCall2(e->b, signature, declare(e, name, signature, NO_MEMORY), args,
                          NUM_OPERANDS, "");
}

LLVMValueRef vsg_jit_read_column(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    LLVMTypeRef types[] = {LLVMTypeOf(t->addresses), e->i32};
    LLVMTypeRef signature = LLVMFunctionType(
        vsg_jit_int(e, 8 * t->memory, t->count * t->per_channel), types, 2, false);
    LLVMValueRef args[] = {t->addresses, vsg_jit_i32(e, e->place)};
    char name[NAME_BYTES];

    make_name(t, VALUE_NAME, name);
    return LLVMBuildCall2(e->b, signature, declare(e, name, signature, NO_MEMORY), args, 2, "");
}

void vsg_jit_write_column(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory, t->count);
    LLVMValueRef all = NULL;
    char name[NAME_BYTES];

    for (uint32_t v = 0; v < t->per_channel; v++) {
        LLVMValueRef value = vsg_jit_read_row(e, t, v);
        if (LLVMTypeOf(value) != type)
            value = LLVMBuildTrunc(e->b, value, type, "");
        all = all ? vsg_jit_append(e, all, value) : value;
    }
    LLVMTypeRef types[] = {LLVMTypeOf(t->addresses), e->i32, LLVMTypeOf(all)};
    LLVMTypeRef signature =
        LLVMFunctionType(LLVMVoidTypeInContext(e->context), types, 3, false);
    make_name(t, PUT_NAME, name);
    LLVMValueRef args[] = {t->addresses, vsg_jit_i32(e, e->place), all};
    (void)LLVMBuildCall2(e->b, signature, declare(e, name, signature, OWN_MEMORY), args, 3, "");
}

static bool begins_with(LLVMValueRef function, const char *name)
{
    size_t length, own = strlen(name);
    const char *given = LLVMGetValueName2(function, &length);

    return length > own && strncmp(given, name, own) == 0 && given[own] == '.';
}

static bool calls(LLVMValueRef v, const char *name)
{
    return LLVMGetInstructionOpcode(v) == LLVMCall && LLVMIsAFunction(LLVMGetCalledValue(v)) &&
           begins_with(LLVMGetCalledValue(v), name);
}

bool vsg_jit_is_of_columns(LLVMValueRef call)
{
    return calls(call, TEST_NAME) || calls(call, VALUE_NAME) || calls(call, PUT_NAME);
}

void vsg_jit_drop_columns(vsg_jit_emitter *e)
{
    LLVMValueRef next;

    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = next) {
        bool is_test = begins_with(f, TEST_NAME), is_put = begins_with(f, PUT_NAME);
        next = LLVMGetNextFunction(f);
        if (!is_test && !is_put && !begins_with(f, VALUE_NAME))
            continue;
        for (LLVMUseRef use; (use = LLVMGetFirstUse(f));) {
            LLVMValueRef call = LLVMGetUser(use);
            if (is_put)
                LLVMInstructionEraseFromParent(call);
            else
                vsg_jit_replace(call, is_test ? LLVMConstNull(e->i1)
                                              : LLVMGetPoison(LLVMTypeOf(call)));
        }
        LLVMDeleteFunction(f);
    }
}

/* ---- addresses from round to round ------------------------------------------------------- */

/* A vector of integers: what each lane has before the first round, and what all have more,
 * which is a series. */
typedef struct spread {
    LLVMValueRef base;
    series by;
} spread;

static LLVMTypeRef element_type(LLVMValueRef vector)
{
    return LLVMGetElementType(LLVMTypeOf(vector));
}

static spread all_at(LLVMValueRef base)
{
    return (spread){base, {.start = LLVMConstNull(element_type(base))}};
}

LLVMValueRef vsg_jit_lane_of_constant(LLVMValueRef v)
{
    LLVMValueRef lane = LLVMIsConstant(v) ? LLVMGetAggregateElement(v, 0) : NULL;
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(v));

    for (uint32_t i = 1; lane && i < count; i++)
        if (LLVMGetAggregateElement(v, i) != lane)
            return NULL;
    return lane;
}

/* Has each lane what the first one of the first operand has? */
static bool is_splat(LLVMValueRef v)
{
    if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMShuffleVector)
        return false;
    for (uint32_t i = 0; i < LLVMGetVectorSize(LLVMTypeOf(v)); i++)
        if (LLVMGetMaskValue(v, i) != 0)
            return false;
    return true;
}

static LLVMValueRef add_steps(hoister *h, LLVMValueRef a, LLVMValueRef b)
{
    return !a ? b : !b ? a : LLVMBuildAdd(h->e->b, a, b, "");
}

/* What the first lane is from round to round. */
static bool find_first(hoister *h, LLVMValueRef v, uint32_t depth, series *out)
{
    LLVMBuilderRef b = h->e->b;
    series more;

    if (depth > MOST_DEPTH)
        return false;
    if (!vsg_jit_mapped(&h->own, v)) {
        *out = (series){.start = LLVMBuildExtractElement(b, v, vsg_jit_i32(h->e, 0), "")};
        return true;
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMInsertElement && LLVMIsNull(LLVMGetOperand(v, 2)))
        return vsg_jit_find_series(h, LLVMGetOperand(v, 1), out);
    if ((op != LLVMAdd && op != LLVMSub) ||
        !find_first(h, LLVMGetOperand(v, 0), depth + 1, out) ||
        !find_first(h, LLVMGetOperand(v, 1), depth + 1, &more) || (op == LLVMSub && more.step))
        return false;
    *out = (series){.start = op == LLVMAdd ? LLVMBuildAdd(b, out->start, more.start, "")
                                           : LLVMBuildSub(b, out->start, more.start, ""),
                    .step = add_steps(h, out->step, more.step)};
    return true;
}

static bool find_spread(hoister *h, LLVMValueRef v, uint32_t depth, spread *out);

static bool find_sum(hoister *h, LLVMValueRef v, uint32_t depth, spread *out)
{
    spread a, b;

    if (!find_spread(h, LLVMGetOperand(v, 0), depth, &a) ||
        !find_spread(h, LLVMGetOperand(v, 1), depth, &b))
        return false;
    out->base = LLVMBuildAdd(h->e->b, a.base, b.base, "");
    out->by.start = LLVMBuildAdd(h->e->b, a.by.start, b.by.start, "");
    out->by.step = add_steps(h, a.by.step, b.by.step);
    return true;
}

/* By a constant, of all lanes: shifted to the left, or multiplied. */
static bool find_multiple(hoister *h, LLVMValueRef v, uint32_t depth, spread *out)
{
    LLVMBuilderRef b = h->e->b;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef by = LLVMGetOperand(v, 1), lane = vsg_jit_lane_of_constant(by);
    spread from;

    if (!lane || !LLVMIsAConstantInt(lane) ||
        (op == LLVMShl &&
         LLVMConstIntGetZExtValue(lane) >= LLVMGetIntTypeWidth(LLVMTypeOf(lane))) ||
        !find_spread(h, LLVMGetOperand(v, 0), depth, &from))
        return false;
    out->base = LLVMBuildBinOp(b, op, from.base, by, "");
    out->by.start = LLVMBuildBinOp(b, op, from.by.start, lane, "");
    out->by.step = from.by.step ? LLVMBuildBinOp(b, op, from.by.step, lane, "") : NULL;
    return true;
}

/* Its low bits: sums of them are those of sums. */
static bool find_narrowed(hoister *h, LLVMValueRef v, uint32_t depth, spread *out)
{
    LLVMBuilderRef b = h->e->b;
    LLVMTypeRef type = element_type(v);
    spread from;

    if (!find_spread(h, LLVMGetOperand(v, 0), depth, &from))
        return false;
    out->base = LLVMBuildTrunc(b, from.base, LLVMTypeOf(v), "");
    out->by.start = LLVMBuildTrunc(b, from.by.start, type, "");
    out->by.step = from.by.step ? LLVMBuildTrunc(b, from.by.step, type, "") : NULL;
    return true;
}

/* What all lanes are before the first round. */
static LLVMValueRef first_of(hoister *h, const spread *of)
{
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(of->base));

    return LLVMBuildAdd(h->e->b, of->base, vsg_jit_splat(h->e, of->by.start, count), "");
}

/* Numbers extended to 64 bits: a sum while the one that is next to the end of its bits does not
 * wrap around. */
static bool find_extended(hoister *h, LLVMValueRef v, uint32_t depth, spread *out)
{
    static const char *const names[2][2] = {
        {"llvm.vector.reduce.umax", "llvm.vector.reduce.umin"},
        {"llvm.vector.reduce.smax", "llvm.vector.reduce.smin"}};
    LLVMBuilderRef b = h->e->b;
    bool is_signed = LLVMGetInstructionOpcode(v) == LLVMSExt;
    LLVMTypeRef from_type = element_type(LLVMGetOperand(v, 0));
    uint32_t bits = LLVMGetIntTypeWidth(from_type);
    spread from;

    if (bits > 32 || bits == 1 || element_type(v) != h->e->i64 ||
        !find_spread(h, LLVMGetOperand(v, 0), depth, &from))
        return false;
    LLVMValueRef first = first_of(h, &from);
    *out = all_at(is_signed ? LLVMBuildSExt(b, first, LLVMTypeOf(v), "")
                            : LLVMBuildZExt(b, first, LLVMTypeOf(v), ""));
    if (!from.by.step)
        return true;
    if (!LLVMIsAConstantInt(from.by.step))
        return false;
    bool falls = LLVMConstIntGetSExtValue(from.by.step) < 0;
    out->by.step = LLVMBuildSExt(b, from.by.step, h->e->i64, "");
    series next = {.start = vsg_jit_reduce(h->e, names[is_signed][falls], out->base),
                   .step = out->by.step};
    if (is_signed)
        next.start =
            LLVMBuildAdd(b, next.start, vsg_jit_i64(h->e, UINT64_C(1) << (bits - 1)), "");
    return vsg_jit_bind(h, next, vsg_jit_i64(h->e, UINT64_C(1) << bits));
}

/* One that goes round and gets the same more in each lane. */
static bool find_phi(hoister *h, LLVMValueRef phi, spread *out)
{
    LLVMValueRef back = vsg_jit_coming_back(h, phi), step = NULL;

    for (uint32_t i = 0; i < h->num_phis; i++) {
        if (h->phis[i] != phi)
            continue;
        if (!back || !LLVMIsAInstruction(back) || LLVMGetInstructionOpcode(back) != LLVMAdd)
            return false;
        for (unsigned n = 0; n < 2 && !step; n++)
            if (LLVMGetOperand(back, n) == phi)
                step = vsg_jit_lane_of_constant(LLVMGetOperand(back, 1 - n));
        *out = all_at(h->begin[i]);
        out->by.step = step;
        return step && LLVMIsAConstantInt(step);
    }
    return false;
}

static bool find_inside(hoister *h, LLVMValueRef v, uint32_t depth, spread *out)
{
    if (is_splat(v)) {
        *out = all_at(LLVMConstNull(LLVMTypeOf(v)));
        return find_first(h, LLVMGetOperand(v, 0), depth, &out->by);
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
        return find_sum(h, v, depth, out);
    case LLVMOr:
        return LLVMGetIsDisjoint(v) && find_sum(h, v, depth, out);
    case LLVMShl:
    case LLVMMul:
        return find_multiple(h, v, depth, out);
    case LLVMTrunc:
        return find_narrowed(h, v, depth, out);
    case LLVMSExt:
    case LLVMZExt:
        return find_extended(h, v, depth, out);
    case LLVMPHI:
        return find_phi(h, v, out);
    default:
        return false;
    }
}

/* False: that cannot be said. */
static bool find_spread(hoister *h, LLVMValueRef v, uint32_t depth, spread *out)
{
    *out = all_at(v);
    return !vsg_jit_mapped(&h->own, v) ||
           (depth < MOST_DEPTH && find_inside(h, v, depth + 1, out));
}

/* ---- accesses of a loop ------------------------------------------------------------------ */

/* The channels that are off read where the first one does that is on. */
static LLVMValueRef only_on(hoister *h, LLVMValueRef rows, LLVMValueRef channels,
                            uint32_t count)
{
    vsg_jit_emitter *e = h->e;

    if (LLVMIsAConstantInt(channels) &&
        (uint32_t)LLVMConstIntGetZExtValue(channels) == vsg_exe_first(count))
        return rows;
    /* Where none is on it is undefined, but one and the same wherever it is asked for. */
    LLVMValueRef first =
        LLVMBuildExtractElement(e->b, rows, vsg_jit_first_lane(e, channels, count), "");
    first = LLVMBuildFreeze(e->b, first, "");
    return LLVMBuildSelect(e->b, vsg_jit_lanes(e, channels, count), rows,
                           vsg_jit_splat(e, first, count), "");
}

static LLVMValueRef is_any_set(hoister *h, LLVMValueRef lanes)
{
    LLVMTypeRef type = element_type(lanes);

    return LLVMBuildICmp(h->e->b, LLVMIntNE,
                         vsg_jit_reduce(h->e, "llvm.vector.reduce.or", lanes),
                         LLVMConstNull(type), "");
}

/* Are channels apart as they are not where one access is for all? The first two are, or all are
 * on and have neither one place nor a row. channels: bits. */
static LLVMValueRef are_apart(hoister *h, LLVMValueRef rows, LLVMValueRef channels,
                              uint32_t bytes)
{
    vsg_jit_emitter *e = h->e;
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(rows));
    LLVMValueRef a = LLVMBuildExtractElement(e->b, rows, vsg_jit_i32(e, 0), "");
    LLVMValueRef b = LLVMBuildExtractElement(e->b, rows, vsg_jit_i32(e, 1), "");
    LLVMValueRef gap = LLVMBuildSub(e->b, b, a, "");
    LLVMValueRef gaps = LLVMBuildSub(e->b, rows, vsg_jit_splat(e, a, count), ""),
                 steps[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < count; i++)
        steps[i] = vsg_jit_i64(e, (uint64_t)i * bytes);
    LLVMValueRef first =
        LLVMBuildAnd(e->b, LLVMBuildICmp(e->b, LLVMIntNE, gap, vsg_jit_i64(e, 0), ""),
                     LLVMBuildICmp(e->b, LLVMIntNE, gap, vsg_jit_i64(e, bytes), ""), "");
    LLVMValueRef all =
        LLVMBuildICmp(e->b, LLVMIntEQ, channels, vsg_jit_i32(e, vsg_exe_first(count)), "");
    LLVMValueRef beyond = LLVMBuildSub(e->b, gaps, LLVMConstVector(steps, count), "");
    all = LLVMBuildAnd(e->b, all, is_any_set(h, gaps), "");
    all = LLVMBuildAnd(e->b, all, is_any_set(h, beyond), "");
    return LLVMBuildOr(e->b, first, all, "");
}

/* Where the memory of a test begins, in decide, and how many places it has. */
static bool find_memory(hoister *h, LLVMValueRef test, LLVMValueRef *base, LLVMValueRef *size)
{
    LLVMValueRef window = LLVMGetOperand(test, OF_WINDOW);

    if (LLVMIsNull(window))
        return vsg_jit_find_constant(h, LLVMGetOperand(test, OF_BASE), base) &&
               vsg_jit_find_constant(h, LLVMGetOperand(test, OF_LIMIT), size);
    if (!vsg_jit_find_constant(h, window, &window))
        return false;
    *base = vsg_jit_window_base(h->e, window, size);
    return true;
}

/* Windows have room behind each of their places for all elements of a channel; surfaces for
 * one. */
static bool bind_rows(hoister *h, const column *of, LLVMValueRef channels, LLVMValueRef base,
                      LLVMValueRef size)
{
    static const char *const extremes[] = {"llvm.vector.reduce.umin",
                                           "llvm.vector.reduce.umax"};
    vsg_jit_emitter *e = h->e;
    bool is_window = !LLVMIsNull(LLVMGetOperand(of->test, OF_WINDOW));

    for (uint32_t i = 0; i < 2; i++) {
        series is = {
            .start = LLVMBuildSub(e->b, vsg_jit_reduce(h->e, extremes[i], of->rows), base, ""),
            .step = vsg_jit_i64(e, (uint64_t)of->step)};
        if (i == 1 && !is_window)
            is.start = LLVMBuildAdd(e->b, is.start,
                                    vsg_jit_i64(e, vsg_jit_column_span(of) - of->bytes), "");
        if (!vsg_jit_bind(h, is, size))
            return false;
    }
    return vsg_jit_bind(h, (series){.start = are_apart(h, of->rows, channels, of->bytes)},
                        NULL);
}

/* The access that a test is of stands where it holds, in the same round. NULL: it does not. */
static LLVMValueRef access_behind(LLVMValueRef test)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(test);
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    LLVMUseRef use = LLVMGetFirstUse(test);

    if (!use || LLVMGetNextUse(use) || LLVMGetUser(use) != last || !LLVMIsABranchInst(last))
        return NULL;
    LLVMBasicBlockRef behind = LLVMGetSuccessor(last, 0);
    for (LLVMValueRef v = LLVMGetFirstInstruction(behind); v; v = LLVMGetNextInstruction(v))
        if ((calls(v, VALUE_NAME) || calls(v, PUT_NAME)) &&
            LLVMGetOperand(v, OF_PLACE) == LLVMGetOperand(test, OF_PLACE))
            return v;
    return NULL;
}

static const vsg_exe_message *message_of(const hoister *h, LLVMValueRef test)
{
    uint64_t place = LLVMConstIntGetZExtValue(LLVMGetOperand(test, OF_PLACE));

    return h->e->unit->code[place].message;
}

/* Do elements lie beside each other from round to round, with at most some left out between
 * them? any: also from the last one to the first, and others than one. */
static bool has_good_step(const column *of, bool any)
{
    const int64_t bytes = of->bytes;

    for (uint32_t i = 0; i < of->per_channel; i++)
        if (of->at[i] % bytes != 0 || of->at[i] >= VSG_JIT_MOST_IN_COLUMN * bytes ||
            (of->step > bytes && of->at[i] >= of->step))
            return false;
    if (vsg_jit_is_plain_column(of))
        return true;
    if (of->step == bytes || of->step == -bytes)
        return any && !of->is_put && (of->step > 0 || of->per_channel == 1);
    return any && of->step > 0 && of->step % bytes == 0 &&
           of->step <= VSG_JIT_MOST_IN_COLUMN * bytes;
}

static bool find_column(hoister *h, LLVMValueRef test, bool any, column *out)
{
    LLVMValueRef channels, base, size;
    spread at;

    *out = (column){.test = test, .access = access_behind(test)};
    if (!out->access)
        return false;
    out->is_put = calls(out->access, PUT_NAME);
    LLVMTypeRef type =
        LLVMTypeOf(out->is_put ? LLVMGetOperand(out->access, VSG_JIT_PUT_VALUE) : out->access);
    out->count = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(test, OF_ADDRESSES)));
    out->per_channel = LLVMGetVectorSize(type) / out->count;
    out->bytes = LLVMGetIntTypeWidth(LLVMGetElementType(type)) / 8;
    out->at = message_of(h, test)->element_at;
    out->channels = LLVMGetOperand(test, OF_CHANNELS);
    bool was_asked = h->together.is_asked;
    h->together.is_asked = false;
    bool is_known = find_spread(h, LLVMGetOperand(test, OF_ADDRESSES), 0, &at);
    out->is_by_mask = h->together.is_asked;
    h->together.is_asked |= was_asked;
    if (!is_known || !at.by.step || !LLVMIsAConstantInt(at.by.step))
        return false;
    out->step = LLVMConstIntGetSExtValue(at.by.step);
    if (!has_good_step(out, any) || !vsg_jit_find_constant(h, out->channels, &channels) ||
        !find_memory(h, test, &base, &size))
        return false;
    out->rows = only_on(h, first_of(h, &at), channels, out->count);
    if (LLVMIsNull(LLVMGetOperand(test, OF_WINDOW)))
        out->rows = LLVMBuildAdd(h->e->b, out->rows, vsg_jit_splat(h->e, base, out->count), "");
    return bind_rows(h, out, channels, base, size);
}

/* Is it one of the calls that move channels each for itself (each.c)? */
static bool moves_each(LLVMValueRef call, const char *how)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;

    return LLVMIsAFunction(callee) &&
           strncmp(LLVMGetValueName2(callee, &length), how, strlen(how)) == 0;
}

/* May a call store? What else is called where a test fails (frame.h) finds windows or does what
 * the instruction does, and where that is to store there is a store beside it. */
static bool may_store(vsg_jit_emitter *e, LLVMValueRef call)
{
    static const char *const storing[] = {"llvm.masked.store", "llvm.masked.scatter",
                                          "llvm.memset", "llvm.memcpy"};
    static const char rare[] = "_kept";
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length, own = sizeof rare - 1;

    if (!LLVMIsAFunction(callee))
        return true;
    for (size_t i = 0; i < sizeof storing / sizeof *storing; i++)
        if (vsg_jit_is_intrinsic(call, storing[i]))
            return true;
    if (calls(call, PUT_NAME) || moves_each(call, "vsg_jit_store_"))
        return true;
    if (LLVMGetIntrinsicID(callee) != 0 || vsg_jit_mark_of(e, call) >= 0 ||
        vsg_jit_is_of_columns(call))
        return false;
    const char *name = LLVMGetValueName2(callee, &length);
    return length < own || strcmp(name + length - own, rare) != 0;
}

/* May addresses lead to a place? The thread's own is on the stack or what pointers lead to. */
static bool may_be_found(LLVMValueRef place)
{
    while (LLVMIsAGetElementPtrInst(place))
        place = LLVMGetOperand(place, 0);
    return LLVMIsConstant(place) ||
           (LLVMIsAInstruction(place) && LLVMGetInstructionOpcode(place) != LLVMAlloca &&
            LLVMGetInstructionOpcode(place) != LLVMLoad);
}

/* What memory is stored to that addresses may lead to, and order that others may see. Text that
 * goes back from behind its loop is part of the loop here, too. */
static bool is_order(vsg_jit_emitter *e, LLVMValueRef v)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);

    if (op == LLVMFence || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg)
        return true;
    if (op == LLVMCall)
        return may_store(e, v);
    if (op != LLVMStore)
        return false;
    return may_be_found(LLVMGetOperand(v, 1));
}

/* May a load be from memory that addresses lead to? */
static bool is_of_memory(LLVMValueRef v)
{
    if (LLVMGetInstructionOpcode(v) == LLVMCall)
        return vsg_jit_is_intrinsic(v, "llvm.masked.load") ||
               vsg_jit_is_intrinsic(v, "llvm.masked.gather") || moves_each(v, "vsg_jit_load_");
    return LLVMGetInstructionOpcode(v) == LLVMLoad && may_be_found(LLVMGetOperand(v, 0));
}

static bool has_test(const vsg_jit_columns *columns, LLVMValueRef test)
{
    for (uint32_t i = 0; i < columns->count; i++)
        if (columns->list[i].test == test)
            return true;
    return false;
}

static bool is_inside(const hoister *h, LLVMBasicBlockRef block)
{
    return vsg_jit_is_mapped(&h->own, LLVMBasicBlockAsValue(block));
}

/* A test before the loop that mostly holds, as that a surface is a buffer, which the loop asks
 * for in each round. NULL: a block does not end with one. */
static LLVMValueRef test_before(const hoister *h, LLVMBasicBlockRef block)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef test =
        LLVMIsABranchInst(last) && LLVMIsConditional(last) ? LLVMGetCondition(last) : NULL;
    bool is_mark = test && LLVMIsACallInst(test) && vsg_jit_mark_of(h->e, test) >= 0;

    return is_mark && !vsg_jit_is_mapped(&h->own, test) ? test : NULL;
}

/* Where a copy goes on behind a block in which the tests of its columns hold, and those that it
 * does without. NULL: elsewhere, too. */
static LLVMBasicBlockRef only_next(const hoister *h, const vsg_jit_columns *columns,
                                   LLVMBasicBlockRef block)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);

    if (!LLVMIsABranchInst(last))
        return NULL;
    if (!LLVMIsConditional(last))
        return LLVMGetSuccessor(last, 0);
    LLVMValueRef test = LLVMGetCondition(last);
    bool holds = has_test(columns, test) || test_before(h, block) ||
                 test == LLVMConstInt(h->e->i1, 1, false);
    for (uint32_t i = 0; i < columns->num_held && !holds; i++)
        holds = columns->held[i] == test;
    return holds ? LLVMGetSuccessor(last, 0) : NULL;
}

static bool is_reached(const vsg_jit_columns *columns, LLVMBasicBlockRef block)
{
    for (uint32_t i = 0; i < columns->num_blocks; i++)
        if (columns->blocks[i] == block)
            return true;
    return false;
}

static void reach_block(const hoister *h, vsg_jit_columns *columns, LLVMBasicBlockRef block)
{
    if (is_inside(h, block) && !is_reached(columns, block))
        columns->blocks[columns->num_blocks++] = block;
}

/* Blocks that control comes to in such a copy. */
static bool find_reach(const hoister *h, vsg_jit_columns *columns)
{
    columns->num_blocks = 0;
    columns->blocks =
        vsg_base_arena_new(&h->e->arena, h->region->num_blocks, sizeof *columns->blocks);
    if (!columns->blocks)
        return false;
    reach_block(h, columns, h->region->blocks[0]);
    for (uint32_t i = 0; i < columns->num_blocks; i++) {
        LLVMBasicBlockRef next = only_next(h, columns, columns->blocks[i]);
        LLVMValueRef last = LLVMGetBasicBlockTerminator(columns->blocks[i]);
        if (next)
            reach_block(h, columns, next);
        for (unsigned n = 0; !next && n < LLVMGetNumSuccessors(last); n++)
            reach_block(h, columns, LLVMGetSuccessor(last, n));
    }
    return true;
}

static bool has_test_before(const hoister *h, const vsg_jit_columns *columns, uint32_t count,
                            LLVMValueRef test)
{
    for (uint32_t i = 0; i < count; i++)
        if (test_before(h, columns->blocks[i]) == test)
            return true;
    return false;
}

/* A copy does without the tests before the loop. */
static bool bind_tests_before(hoister *h, const vsg_jit_columns *columns)
{
    for (uint32_t i = 0; i < columns->num_blocks; i++) {
        LLVMValueRef test = test_before(h, columns->blocks[i]);
        if (test && !has_test_before(h, columns, i, test) &&
            !vsg_jit_bind(h, (series){.start = test}, NULL))
            return false;
    }
    return true;
}

/* The one block that such a copy is left from, if each round goes through all blocks, one after
 * the other. NULL: there is none. */
static LLVMBasicBlockRef find_exit(const hoister *h, const vsg_jit_columns *columns)
{
    LLVMBasicBlockRef exit = NULL;

    for (uint32_t i = 0; i < columns->num_blocks; i++) {
        LLVMBasicBlockRef next = only_next(h, columns, columns->blocks[i]);
        LLVMValueRef last = LLVMGetBasicBlockTerminator(columns->blocks[i]);
        if (next && is_inside(h, next))
            continue;
        if (next || exit || !LLVMIsABranchInst(last) ||
            is_inside(h, LLVMGetSuccessor(last, 0)) == is_inside(h, LLVMGetSuccessor(last, 1)))
            return NULL;
        exit = columns->blocks[i];
    }
    return exit;
}

static column *column_of(vsg_jit_columns *columns, LLVMValueRef access)
{
    for (uint32_t i = 0; i < columns->count; i++)
        if (columns->list[i].access == access)
            return &columns->list[i];
    return NULL;
}

LLVMValueRef vsg_jit_value_in_copy(const vsg_jit_hoister *h, const vsg_jit_columns *columns,
                                   LLVMValueRef v)
{
    LLVMValueRef only = v;
    uint32_t count = 0;

    if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMPHI ||
        !is_inside(h, LLVMGetInstructionParent(v)) ||
        LLVMGetInstructionParent(v) == h->region->blocks[0])
        return v;
    for (uint32_t i = 0; i < LLVMCountIncoming(v); i++)
        if (is_reached(columns, LLVMGetIncomingBlock(v, i))) {
            only = LLVMGetIncomingValue(v, i);
            count++;
        }
    return count == 1 ? only : v;
}

/* Where a load looks in each round. False: that cannot be said. */
static bool add_load(hoister *h, LLVMValueRef load, vsg_jit_columns *to)
{
    LLVMValueRef place = vsg_jit_value_in_copy(h, to, LLVMGetOperand(load, 0));
    LLVMTypeRef type = LLVMTypeOf(load), element = type;
    uint64_t count = 1;
    series at;

    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        element = LLVMGetElementType(type);
        count = LLVMGetVectorSize(type);
    }
    if (to->num_loads == VSG_JIT_MOST_COLUMNS || !vsg_jit_is_lane(element) ||
        !LLVMIsAInstruction(place) || LLVMGetInstructionOpcode(place) != LLVMIntToPtr ||
        LLVMTypeOf(LLVMGetOperand(place, 0)) != h->e->i64 ||
        !vsg_jit_find_series(h, LLVMGetOperand(place, 0), &at) ||
        (at.step && (!LLVMIsAConstantInt(at.step) || LLVMConstIntGetSExtValue(at.step) < 0)))
        return false;
    to->loads[to->num_loads++] =
        (vsg_jit_other_load){.begin = at.start,
                             .step = at.step ? LLVMConstIntGetZExtValue(at.step) : 0,
                             .bytes = count * ((vsg_jit_lane_bits(element) + 7) / 8)};
    return true;
}

/* Does a copy do nothing to memory that others could tell from the loop as it stands, but for
 * where its columns meet? */
static bool keeps_order(hoister *h, vsg_jit_columns *columns)
{
    uint32_t number = 0;
    bool is_known = true, puts = false, is_behind = false, is_late = false;

    columns->num_loads = 0;
    if (!find_reach(h, columns) || !bind_tests_before(h, columns))
        return false;
    columns->exit = find_exit(h, columns);
    for (uint32_t i = 0; i < columns->num_blocks; i++) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(columns->blocks[i]); v;
             v = LLVMGetNextInstruction(v)) {
            column *own = column_of(columns, v);
            if (!own && is_order(h->e, v))
                return false;
            if (!own && is_of_memory(v))
                is_known = is_known && add_load(h, v, columns);
            puts |= own && own->is_put;
            is_late |= own && own->is_put && is_behind;
            if (own)
                own->number = number++;
        }
        is_behind |= columns->blocks[i] == columns->exit;
    }
    return !puts || (is_known && !is_late && columns->exit);
}

static void add_column(hoister *h, LLVMValueRef test, bool any, vsg_jit_columns *to)
{
    vsg_jit_found found_before = vsg_jit_found_by(h);

    if (find_column(h, test, any, &to->list[to->count])) {
        to->count++;
    } else {
        vsg_jit_go_back_to(h, &found_before);
    }
}

void vsg_jit_find_columns(vsg_jit_hoister *h, bool any, vsg_jit_columns *out)
{
    const vsg_jit_region *region = h->region;
    vsg_jit_found found_before = vsg_jit_found_by(h);

    out->count = 0;
    for (uint32_t i = 0; i < region->num_blocks; i++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(region->blocks[i]); v;
             v = LLVMGetNextInstruction(v))
            if (calls(v, TEST_NAME) && out->count < VSG_JIT_MOST_COLUMNS)
                add_column(h, v, any, out);
    if (out->count > 0 && keeps_order(h, out))
        return;
    out->count = 0;
    vsg_jit_go_back_to(h, &found_before);
}
