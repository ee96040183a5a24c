/* SPDX-License-Identifier: MIT
 *
 * Atomics as the host's, channel by channel in their order, as exec_atomic.c has them. Shared
 * local memory is seen by one host thread only: there they are plain. Where nobody asks for
 * what was there, and all channels go to one place, their values are put together first. All
 * places are found before the first operation: the handler, which reports what is wrong with
 * one of them, begins from the start. */
#include <assert.h>

#include "exec/operand.h"
#include "jit/lowering.h"
#include "jit/sums.h"
#include "jit/transfer.h"

/* ---- what an operation makes of a value -------------------------------------------------- */

/* How the host does an operation. */
typedef enum means {
    MEANS_NONE,
    MEANS_LOAD,
    MEANS_RMW,     /* one instruction, or what LLVM makes of it */
    MEANS_REPLACE, /* compares and exchanges */
    MEANS_TRY      /* computes a new value, and replaces the old one if it is still there */
} means;

typedef struct operation {
    means means;
    LLVMAtomicRMWBinOp rmw;
    const char *reduce; /* several values to one that does as much; NULL: it cannot be */
    const char *select; /* the intrinsic of a minimum or maximum */
    int8_t value;       /* instead of the message's; 0: none */
    bool is_sum;        /* in whichever order, and any number at once (sums.h) */
} operation;

static const operation operations[] = {
    [VSG_EXE_ATOMIC_LOAD] = {.means = MEANS_LOAD},
    [VSG_EXE_ATOMIC_EXCHANGE] = {.means = MEANS_RMW, .rmw = LLVMAtomicRMWBinOpXchg},
    [VSG_EXE_ATOMIC_ADD] = {.means = MEANS_RMW,
                            .rmw = LLVMAtomicRMWBinOpAdd,
                            .reduce = "llvm.vector.reduce.add",
                            .is_sum = true},
    [VSG_EXE_ATOMIC_SUB] = {.means = MEANS_RMW,
                            .rmw = LLVMAtomicRMWBinOpSub,
                            .reduce = "llvm.vector.reduce.add",
                            .is_sum = true},
    [VSG_EXE_ATOMIC_REVERSED_SUB] = {.means = MEANS_TRY},
    [VSG_EXE_ATOMIC_INC] = {.means = MEANS_RMW,
                            .rmw = LLVMAtomicRMWBinOpAdd,
                            .reduce = "llvm.vector.reduce.add",
                            .value = 1,
                            .is_sum = true},
    [VSG_EXE_ATOMIC_DEC] = {.means = MEANS_RMW,
                            .rmw = LLVMAtomicRMWBinOpAdd,
                            .reduce = "llvm.vector.reduce.add",
                            .value = -1,
                            .is_sum = true},
    [VSG_EXE_ATOMIC_PREDEC] = {.means = MEANS_RMW,
                               .rmw = LLVMAtomicRMWBinOpAdd,
                               .reduce = "llvm.vector.reduce.add",
                               .value = -1,
                               .is_sum = true},
    [VSG_EXE_ATOMIC_UMIN] = {.means = MEANS_RMW,
                             .rmw = LLVMAtomicRMWBinOpUMin,
                             .reduce = "llvm.vector.reduce.umin",
                             .select = "llvm.umin"},
    [VSG_EXE_ATOMIC_UMAX] = {.means = MEANS_RMW,
                             .rmw = LLVMAtomicRMWBinOpUMax,
                             .reduce = "llvm.vector.reduce.umax",
                             .select = "llvm.umax"},
    [VSG_EXE_ATOMIC_SMIN] = {.means = MEANS_RMW,
                             .rmw = LLVMAtomicRMWBinOpMin,
                             .reduce = "llvm.vector.reduce.smin",
                             .select = "llvm.smin"},
    [VSG_EXE_ATOMIC_SMAX] = {.means = MEANS_RMW,
                             .rmw = LLVMAtomicRMWBinOpMax,
                             .reduce = "llvm.vector.reduce.smax",
                             .select = "llvm.smax"},
    [VSG_EXE_ATOMIC_AND] = {.means = MEANS_RMW,
                            .rmw = LLVMAtomicRMWBinOpAnd,
                            .reduce = "llvm.vector.reduce.and"},
    [VSG_EXE_ATOMIC_OR] = {.means = MEANS_RMW,
                           .rmw = LLVMAtomicRMWBinOpOr,
                           .reduce = "llvm.vector.reduce.or"},
    [VSG_EXE_ATOMIC_XOR] = {.means = MEANS_RMW,
                            .rmw = LLVMAtomicRMWBinOpXor,
                            .reduce = "llvm.vector.reduce.xor"},
    [VSG_EXE_ATOMIC_CAS] = {.means = MEANS_REPLACE},
    [VSG_EXE_ATOMIC_FADD] = {.means = MEANS_TRY},
    [VSG_EXE_ATOMIC_FSUB] = {.means = MEANS_TRY},
    [VSG_EXE_ATOMIC_FMIN] = {.means = MEANS_TRY},
    [VSG_EXE_ATOMIC_FMAX] = {.means = MEANS_TRY},
    [VSG_EXE_ATOMIC_FCAS] = {.means = MEANS_TRY},
};

typedef struct atomic {
    vsg_jit_transfer t;
    const operation *operation;
    vsg_exe_atomic code;
    uint32_t bits;
    LLVMTypeRef type;
    bool is_alone;                 /* no other host thread sees the memory */
    bool is_put_off;               /* what it adds may get to memory later */
    LLVMValueRef value, comparand; /* of all channels; NULL: the operation has none */
} atomic;

static LLVMValueRef number(const atomic *a, uint64_t value)
{
    return LLVMConstInt(a->type, value, false);
}

/* ---- floats ------------------------------------------------------------------------------ */

/* HF, F or DF, in which memory has it. */
static visage_type float_type(const atomic *a)
{
    return a->bits == 16 ? VISAGE_TYPE_HF : a->bits == 32 ? VISAGE_TYPE_F : VISAGE_TYPE_DF;
}

/* The same as a number, of halves an F. */
static LLVMValueRef to_float(vsg_jit_emitter *e, const atomic *a, LLVMValueRef bits)
{
    visage_type type = a->bits == 64 ? VISAGE_TYPE_DF : VISAGE_TYPE_F;

    return vsg_jit_widen(e, bits, float_type(a), type, 1);
}

static LLVMValueRef float_add(vsg_jit_emitter *e, const atomic *a, LLVMValueRef old,
                              LLVMValueRef value)
{
    visage_type type = a->bits == 64 ? VISAGE_TYPE_DF : VISAGE_TYPE_F;
    LLVMValueRef sum = LLVMBuildFAdd(e->b, to_float(e, a, old), to_float(e, a, value), "");

    return vsg_jit_narrow(e, sum, type, float_type(a), 1, VSG_EXE_RNE);
}

/* Numbers in the order of the floats, -0 before +0. */
static LLVMValueRef float_order(vsg_jit_emitter *e, const atomic *a, LLVMValueRef bits)
{
    LLVMValueRef below = LLVMBuildICmp(e->b, LLVMIntSLT, bits, number(a, 0), "");
    LLVMValueRef rest = LLVMBuildNot(e->b, number(a, UINT64_C(1) << (a->bits - 1)), "");

    return LLVMBuildSelect(e->b, below, LLVMBuildXor(e->b, bits, rest, ""), bits, "");
}

/* Of a number and a NaN the number. */
static LLVMValueRef float_select(vsg_jit_emitter *e, const atomic *a, LLVMValueRef old,
                                 LLVMValueRef value, bool is_greater)
{
    LLVMValueRef x = to_float(e, a, old), y = to_float(e, a, value);
    LLVMValueRef takes = LLVMBuildICmp(e->b, is_greater ? LLVMIntSLT : LLVMIntSGE,
                                       float_order(e, a, old), float_order(e, a, value), "");
    LLVMValueRef keeps = LLVMBuildFCmp(e->b, LLVMRealUNO, y, y, "");
    LLVMValueRef none = LLVMBuildFCmp(e->b, LLVMRealUNO, x, x, "");

    takes = LLVMBuildAnd(e->b, takes, LLVMBuildNot(e->b, keeps, ""), "");
    takes = LLVMBuildOr(e->b, takes, none, "");
    return LLVMBuildSelect(e->b, takes, value, old, "");
}

/* ---- one new value ----------------------------------------------------------------------- */

static LLVMValueRef compute(vsg_jit_emitter *e, const atomic *a, LLVMValueRef old,
                            LLVMValueRef value, LLVMValueRef comparand)
{
    LLVMValueRef pair[] = {old, value};
    LLVMValueRef is_equal;

    switch (a->code) {
    case VSG_EXE_ATOMIC_LOAD:
        return old;
    case VSG_EXE_ATOMIC_EXCHANGE:
        return value;
    case VSG_EXE_ATOMIC_ADD:
    case VSG_EXE_ATOMIC_INC:
    case VSG_EXE_ATOMIC_DEC:
    case VSG_EXE_ATOMIC_PREDEC:
        return LLVMBuildAdd(e->b, old, value, "");
    case VSG_EXE_ATOMIC_SUB:
        return LLVMBuildSub(e->b, old, value, "");
    case VSG_EXE_ATOMIC_REVERSED_SUB:
        return LLVMBuildSub(e->b, value, old, "");
    case VSG_EXE_ATOMIC_UMIN:
    case VSG_EXE_ATOMIC_UMAX:
    case VSG_EXE_ATOMIC_SMIN:
    case VSG_EXE_ATOMIC_SMAX:
        return vsg_jit_intrinsic(e, a->operation->select, a->type, pair, 2);
    case VSG_EXE_ATOMIC_AND:
        return LLVMBuildAnd(e->b, old, value, "");
    case VSG_EXE_ATOMIC_OR:
        return LLVMBuildOr(e->b, old, value, "");
    case VSG_EXE_ATOMIC_XOR:
        return LLVMBuildXor(e->b, old, value, "");
    case VSG_EXE_ATOMIC_CAS:
        is_equal = LLVMBuildICmp(e->b, LLVMIntEQ, old, comparand, "");
        return LLVMBuildSelect(e->b, is_equal, value, old, "");
    case VSG_EXE_ATOMIC_FADD:
        return float_add(e, a, old, value);
    case VSG_EXE_ATOMIC_FSUB:
        value = LLVMBuildXor(e->b, value, number(a, UINT64_C(1) << (a->bits - 1)), "");
        return float_add(e, a, old, value);
    case VSG_EXE_ATOMIC_FMIN:
        return float_select(e, a, old, value, false);
    case VSG_EXE_ATOMIC_FMAX:
        return float_select(e, a, old, value, true);
    case VSG_EXE_ATOMIC_FCAS:
        is_equal = LLVMBuildFCmp(e->b, LLVMRealOEQ, to_float(e, a, old),
                                 to_float(e, a, comparand), "");
        return LLVMBuildSelect(e->b, is_equal, value, old, "");
    }
    return old;
}

/* ---- later (sums.h) ---------------------------------------------------------------------- */

bool vsg_jit_is_sum(const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;

    return vsg_jit_is_atomic(inst) && operations[message->atomic].is_sum &&
           message->data.is_null && !vsg_exe_is_slm(message) && message->num_elements == 1 &&
           (message->memory_bytes == 4 || message->memory_bytes == 8);
}

/* at: i64, in the host's memory, of the first of the values. Goes on where the worker has no
 * room for their sums. */
static void put_off(vsg_jit_emitter *e, const atomic *a, LLVMValueRef at, LLVMValueRef values,
                    LLVMBasicBlockRef done)
{
    LLVMBasicBlockRef later = vsg_jit_block(e), now = vsg_jit_block(e);
    LLVMTypeRef type = LLVMTypeOf(values);
    bool are_many = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    vsg_jit_sum sum =
        vsg_jit_find_sum(e, at, a->bits / 8, are_many ? LLVMGetVectorSize(type) : 1);

    vsg_jit_mostly(e, LLVMBuildCondBr(e->b, sum.has_room, later, now));
    vsg_jit_go_on(e, later);
    LLVMValueRef place = vsg_jit_open_sum(e, &sum);
    LLVMValueRef old = vsg_jit_load(e, type, place, a->bits / 8);
    vsg_jit_store(e, compute(e, a, old, values, NULL), place, a->bits / 8);
    LLVMBuildBr(e->b, done);
    vsg_jit_go_on(e, now);
}

/* ---- one place --------------------------------------------------------------------------- */

static LLVMValueRef load(vsg_jit_emitter *e, const atomic *a, LLVMValueRef place)
{
    LLVMValueRef old = vsg_jit_load(e, a->type, place, a->bits / 8);

    if (!a->is_alone)
        LLVMSetOrdering(old, LLVMAtomicOrderingSequentiallyConsistent);
    return old;
}

/* Replaces *old by a new value if it still is there; else *old becomes what is. True: i1. */
static LLVMValueRef replace(vsg_jit_emitter *e, LLVMValueRef place, LLVMValueRef *old,
                            LLVMValueRef value)
{
    LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
    LLVMValueRef pair = LLVMBuildAtomicCmpXchg(e->b, place, *old, value, order, order, false);

    *old = LLVMBuildExtractValue(e->b, pair, 0, "");
    return LLVMBuildExtractValue(e->b, pair, 1, "");
}

static LLVMValueRef try_until_done(vsg_jit_emitter *e, const atomic *a, LLVMValueRef place,
                                   LLVMValueRef value, LLVMValueRef comparand)
{
    LLVMBasicBlockRef again = vsg_jit_block(e), done = vsg_jit_block(e);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
    LLVMValueRef first = load(e, a, place);

    LLVMBuildBr(e->b, again);
    vsg_jit_go_on(e, again);
    LLVMValueRef old = LLVMBuildPhi(e->b, a->type, ""), seen = old;
    LLVMValueRef good = replace(e, place, &seen, compute(e, a, old, value, comparand));
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(e->b);
    LLVMAddIncoming(old, &first, &before, 1);
    LLVMAddIncoming(old, &seen, &behind, 1);
    LLVMBuildCondBr(e->b, good, done, again);
    vsg_jit_go_on(e, done);
    return old;
}

static void put_off_one(vsg_jit_emitter *e, const atomic *a, LLVMValueRef place,
                        LLVMValueRef value)
{
    LLVMBasicBlockRef done = vsg_jit_block(e);

    put_off(e, a, LLVMBuildPtrToInt(e->b, place, e->i64, ""), value, done);
    (void)LLVMBuildAtomicRMW(e->b, a->operation->rmw, place, value,
                             LLVMAtomicOrderingSequentiallyConsistent, false);
    LLVMBuildBr(e->b, done);
    vsg_jit_go_on(e, done);
}

static LLVMValueRef do_shared(vsg_jit_emitter *e, const atomic *a, LLVMValueRef place,
                              LLVMValueRef value, LLVMValueRef comparand)
{
    LLVMValueRef old = comparand;

    switch (a->operation->means) {
    case MEANS_LOAD:
        return load(e, a, place);
    case MEANS_RMW:
        return LLVMBuildAtomicRMW(e->b, a->operation->rmw, place, value,
                                  LLVMAtomicOrderingSequentiallyConsistent, false);
    case MEANS_REPLACE:
        (void)replace(e, place, &old, value);
        return old;
    case MEANS_NONE:
    case MEANS_TRY:
        break;
    }
    return try_until_done(e, a, place, value, comparand);
}

/* What the operation returns; nobody asks that where it is put off. */
static LLVMValueRef do_one(vsg_jit_emitter *e, const atomic *a, LLVMValueRef place,
                           LLVMValueRef value, LLVMValueRef comparand)
{
    LLVMValueRef old;

    if (a->is_alone) {
        old = load(e, a, place);
        if (a->operation->means != MEANS_LOAD)
            vsg_jit_store(e, compute(e, a, old, value, comparand), place, a->bits / 8);
    } else if (a->is_put_off) {
        put_off_one(e, a, place, value);
        return value;
    } else {
        old = do_shared(e, a, place, value, comparand);
    }
    if (a->code == VSG_EXE_ATOMIC_PREDEC)
        old = LLVMBuildAdd(e->b, old, value, "");
    return old;
}

/* ---- all channels ------------------------------------------------------------------------ */

/* What the loop over the channels finds on the stack: of each its spot and values. Spots are
 * pointers; of the group's memory they are offsets in it, i32. */
enum { WORK_BYTES = 8 * VSG_EXE_MAX_CHANNELS, WORK_PARTS = 4 };
typedef enum work_part { WORK_SPOTS, WORK_VALUES, WORK_COMPARANDS, WORK_RESULTS } work_part;

static_assert(WORK_PARTS * WORK_BYTES <= VSG_JIT_WORK_BYTES, "no room for atomics");

static LLVMValueRef work_at(vsg_jit_emitter *e, work_part part)
{
    return vsg_jit_at(e, vsg_jit_work(e), (uint64_t)part * WORK_BYTES);
}

static void put_work(vsg_jit_emitter *e, work_part part, LLVMValueRef values)
{
    if (values)
        vsg_jit_store(e, values, work_at(e, part), 64);
}

/* What stands for the values of all channels. */
static LLVMValueRef constant(const atomic *a)
{
    return number(a, (uint64_t)(int64_t)a->operation->value);
}

static LLVMValueRef work_of(vsg_jit_emitter *e, work_part part, LLVMTypeRef type,
                            LLVMValueRef lane)
{
    return LLVMBuildGEP2(e->b, type, work_at(e, part), &lane, 1, "");
}

static LLVMValueRef get_work(vsg_jit_emitter *e, const atomic *a, work_part part,
                             LLVMValueRef values, LLVMValueRef lane)
{
    if (part == WORK_VALUES && a->operation->value)
        return constant(a);
    if (!values)
        return NULL;
    return vsg_jit_load(e, a->type, work_of(e, part, a->type, lane), a->bits / 8);
}

static LLVMValueRef place_of(vsg_jit_emitter *e, const atomic *a, LLVMValueRef spot)
{
    if (!a->is_alone)
        return spot;
    spot = LLVMBuildZExt(e->b, spot, e->i64, "");
    return LLVMBuildGEP2(e->b, e->i8, e->slm, &spot, 1, "");
}

/* The spot of one channel, or those of two behind each other: a loop of additions takes as long
 * as its loads. */
static LLVMValueRef load_spots(vsg_jit_emitter *e, const atomic *a, LLVMValueRef lane,
                               LLVMTypeRef type)
{
    LLVMTypeRef one = a->is_alone ? e->i32 : e->pointer;

    return vsg_jit_load(e, type ? type : one, work_of(e, WORK_SPOTS, one, lane), 4);
}

static void do_channel(vsg_jit_emitter *e, const atomic *a, LLVMValueRef lane,
                       LLVMValueRef spot)
{
    LLVMValueRef place = place_of(e, a, spot);
    LLVMValueRef result = do_one(e, a, place, get_work(e, a, WORK_VALUES, a->value, lane),
                                 get_work(e, a, WORK_COMPARANDS, a->comparand, lane));

    if (!a->t.message->data.is_null)
        vsg_jit_store(e, result, work_of(e, WORK_RESULTS, a->type, lane), a->bits / 8);
}

static void do_pair(vsg_jit_emitter *e, const atomic *a, LLVMValueRef lane)
{
    LLVMValueRef spots = load_spots(e, a, lane, e->i64);

    do_channel(e, a, lane, LLVMBuildTrunc(e->b, spots, e->i32, ""));
    spots = LLVMBuildLShr(e->b, spots, vsg_jit_i64(e, 32), "");
    do_channel(e, a, LLVMBuildAdd(e->b, lane, vsg_jit_i64(e, 1), ""),
               LLVMBuildTrunc(e->b, spots, e->i32, ""));
}

/* Back to `again` with the next channels. LLVM is not to make copies: of loops that it can
 * count the rounds of it makes eight, and places of each thread of a group. */
static void close_loop(vsg_jit_emitter *e, LLVMValueRef is_done, LLVMBasicBlockRef again)
{
    LLVMBasicBlockRef done = vsg_jit_block(e);

    vsg_jit_advise(e, LLVMBuildCondBr(e->b, is_done, done, again), "llvm.loop.unroll.disable");
    vsg_jit_go_on(e, done);
}

/* Those that are left, a bit each, are never none. */
static void do_some(vsg_jit_emitter *e, const atomic *a)
{
    LLVMBasicBlockRef again = vsg_jit_block(e), before = LLVMGetInsertBlock(e->b);

    LLVMBuildBr(e->b, again);
    vsg_jit_go_on(e, again);
    LLVMValueRef left = LLVMBuildPhi(e->b, e->i32, ""), first = a->t.channels;
    LLVMValueRef args[] = {left, LLVMConstInt(e->i1, 1, false)};
    LLVMValueRef lane = vsg_jit_intrinsic(e, "llvm.cttz", e->i32, args, 2);
    LLVMValueRef lower = LLVMBuildSub(e->b, left, vsg_jit_i32(e, 1), "");
    LLVMValueRef rest = LLVMBuildAnd(e->b, left, lower, "");
    lane = LLVMBuildZExt(e->b, lane, e->i64, "");
    do_channel(e, a, lane, load_spots(e, a, lane, NULL));
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(e->b);
    LLVMAddIncoming(left, &first, &before, 1);
    LLVMAddIncoming(left, &rest, &behind, 1);
    close_loop(e, LLVMBuildICmp(e->b, LLVMIntEQ, rest, vsg_jit_i32(e, 0), ""), again);
}

/* As many in a round as the number of channels and what is done with each allow. */
static void do_all(vsg_jit_emitter *e, const atomic *a)
{
    uint32_t step = a->is_alone && a->t.count % 4 == 0 ? 4 : 1;
    LLVMBasicBlockRef again = vsg_jit_block(e), before = LLVMGetInsertBlock(e->b);

    LLVMBuildBr(e->b, again);
    vsg_jit_go_on(e, again);
    LLVMValueRef lane = LLVMBuildPhi(e->b, e->i64, ""), first = vsg_jit_i64(e, 0);
    for (uint32_t i = 0; i < step; i += 2) {
        LLVMValueRef own = LLVMBuildAdd(e->b, lane, vsg_jit_i64(e, i), "");
        if (step > 1)
            do_pair(e, a, own);
        else
            do_channel(e, a, own, load_spots(e, a, own, NULL));
    }
    LLVMValueRef next = LLVMBuildAdd(e->b, lane, vsg_jit_i64(e, step), "");
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(e->b);
    LLVMAddIncoming(lane, &first, &before, 1);
    LLVMAddIncoming(lane, &next, &behind, 1);
    close_loop(e, LLVMBuildICmp(e->b, LLVMIntEQ, next, vsg_jit_i64(e, a->t.count), ""), again);
}

/* One after the other. */
static void do_each(vsg_jit_emitter *e, const atomic *a, LLVMValueRef spots)
{
    put_work(e, WORK_SPOTS, spots);
    if (!a->operation->value)
        put_work(e, WORK_VALUES, a->value);
    put_work(e, WORK_COMPARANDS, a->comparand);
    if (a->t.channels)
        do_some(e, a);
    else
        do_all(e, a);
    if (!a->t.message->data.is_null)
        vsg_jit_write_row(
            e, &a->t, 0,
            vsg_jit_load(e, vsg_jit_int(e, a->bits, a->t.count), work_at(e, WORK_RESULTS), 64));
}

/* ---- channels with one place ------------------------------------------------------------- */

/* What does nothing in the operation. */
static uint64_t neutral(const atomic *a)
{
    uint64_t sign = UINT64_C(1) << (a->bits - 1);

    switch (a->code) {
    case VSG_EXE_ATOMIC_AND:
    case VSG_EXE_ATOMIC_UMIN:
        return UINT64_MAX;
    case VSG_EXE_ATOMIC_SMIN:
        return sign - 1;
    case VSG_EXE_ATOMIC_SMAX:
        return sign;
    default:
        return 0;
    }
}

/* The values of all channels, those that are off do nothing. */
static LLVMValueRef fill(vsg_jit_emitter *e, const atomic *a)
{
    LLVMValueRef none = vsg_jit_splat(e, number(a, neutral(a)), a->t.count);

    if (!a->t.channels)
        return a->value;
    return LLVMBuildSelect(e->b, vsg_jit_lanes(e, a->t.channels, a->t.count), a->value, none,
                           "");
}

static LLVMValueRef reduce(vsg_jit_emitter *e, const atomic *a)
{
    LLVMValueRef values = fill(e, a);

    return vsg_jit_intrinsic(e, a->operation->reduce, LLVMTypeOf(values), &values, 1);
}

/* i1: a bit of no channel that is on is set. */
static LLVMValueRef is_none(vsg_jit_emitter *e, const atomic *a, LLVMValueRef lanes)
{
    LLVMValueRef bits = vsg_jit_bits(e, lanes, a->t.count);

    if (a->t.channels)
        bits = LLVMBuildAnd(e->b, bits, a->t.channels, "");
    return LLVMBuildICmp(e->b, LLVMIntEQ, bits, vsg_jit_i32(e, 0), "");
}

/* Goes on where the channels that are on have different spots. */
static void do_same(vsg_jit_emitter *e, const atomic *a, LLVMValueRef spots)
{
    LLVMBasicBlockRef same = vsg_jit_block(e), apart = vsg_jit_block(e);
    LLVMValueRef lane = vsg_jit_first_lane(e, a->t.channels, a->t.count);
    LLVMValueRef first = LLVMBuildExtractElement(e->b, spots, lane, "");
    LLVMValueRef others = vsg_jit_splat(e, first, a->t.count);
    LLVMValueRef differ = LLVMBuildICmp(e->b, LLVMIntNE, spots, others, "");

    LLVMBuildCondBr(e->b, is_none(e, a, differ), same, apart);
    vsg_jit_go_on(e, same);
    (void)do_one(e, a, place_of(e, a, first), reduce(e, a), NULL);
    LLVMBuildBr(e->b, a->t.done);
    vsg_jit_go_on(e, apart);
}

/* ---- channels whose places follow each other --------------------------------------------- */

/* Goes on where they do not, or what they add cannot be put off. */
static void put_off_row(vsg_jit_emitter *e, const atomic *a, LLVMValueRef places)
{
    LLVMBasicBlockRef row = vsg_jit_block(e), apart = vsg_jit_block(e);
    uint32_t count = a->t.count, bytes = a->bits / 8;
    LLVMValueRef steps[VSG_EXE_MAX_CHANNELS];
    LLVMValueRef lane = vsg_jit_first_lane(e, a->t.channels, count);
    LLVMValueRef all = LLVMBuildPtrToInt(e->b, places, vsg_jit_int(e, 64, count), "");
    LLVMValueRef first = LLVMBuildExtractElement(e->b, all, lane, "");

    for (uint32_t i = 0; i < count; i++)
        steps[i] = vsg_jit_i64(e, (uint64_t)i * bytes);
    lane = LLVMBuildZExt(e->b, lane, e->i64, "");
    lane = LLVMBuildMul(e->b, lane, vsg_jit_i64(e, bytes), "");
    first = LLVMBuildSub(e->b, first, lane, "");
    LLVMValueRef follow =
        LLVMBuildAdd(e->b, vsg_jit_splat(e, first, count), LLVMConstVector(steps, count), "");
    LLVMValueRef differ = LLVMBuildICmp(e->b, LLVMIntNE, all, follow, "");
    LLVMBuildCondBr(e->b, is_none(e, a, differ), row, apart);
    vsg_jit_go_on(e, row);
    put_off(e, a, first, fill(e, a), a->t.done);
    LLVMBuildBr(e->b, apart);
    vsg_jit_go_on(e, apart);
}

/* ---- all of it --------------------------------------------------------------------------- */

static void read_sources(vsg_jit_emitter *e, atomic *a)
{
    const vsg_exe_message *message = a->t.message;

    if (a->operation->value)
        a->value = vsg_jit_splat(e, constant(a), a->t.count);
    else if (a->operation->means != MEANS_LOAD)
        a->value = vsg_jit_read_slots(e, &a->t, &message->value);
    if (a->code == VSG_EXE_ATOMIC_CAS || a->code == VSG_EXE_ATOMIC_FCAS)
        a->comparand = vsg_jit_read_slots(e, &a->t, &message->comparand);
}

/* The channels that are on have places that are aligned to their elements. Shared local memory
 * begins as malloc() aligns: there offsets tell, of which LLVM often knows the lowest bits. */
static void require_aligned(vsg_jit_emitter *e, const atomic *a, LLVMValueRef places)
{
    uint32_t count = a->t.count;
    LLVMValueRef at = a->is_alone
                          ? a->t.addresses
                          : LLVMBuildPtrToInt(e->b, places, vsg_jit_int(e, 64, count), "");
    LLVMValueRef low = vsg_jit_splat(e, vsg_jit_i64(e, a->bits / 8 - 1), count);

    low = LLVMBuildAnd(e->b, at, low, "");
    low = LLVMBuildICmp(e->b, LLVMIntNE, low, LLVMConstNull(LLVMTypeOf(low)), "");
    LLVMValueRef bits =
        count > 1 ? vsg_jit_bits(e, low, count) : LLVMBuildZExt(e->b, low, e->i32, "");
    if (a->t.channels)
        bits = LLVMBuildAnd(e->b, bits, a->t.channels, "");
    vsg_jit_require(e, &a->t, LLVMBuildICmp(e->b, LLVMIntEQ, bits, vsg_jit_i32(e, 0), ""));
}

static void do_single(vsg_jit_emitter *e, const atomic *a)
{
    LLVMValueRef place = vsg_jit_open_memory(e, &a->t, a->t.addresses, a->bits / 8);

    require_aligned(e, a, place);
    LLVMValueRef result = do_one(e, a, place, a->value, a->comparand);
    if (!a->t.message->data.is_null)
        vsg_jit_write_row(e, &a->t, 0, result);
}

static void do_many(vsg_jit_emitter *e, atomic *a)
{
    LLVMValueRef places =
        vsg_jit_open_many(e, &a->t, a->t.addresses, a->t.channels, a->t.count);

    require_aligned(e, a, places);
    LLVMValueRef spots = places;
    if (a->is_alone)
        spots = LLVMBuildTrunc(e->b, a->t.addresses, vsg_jit_int(e, 32, a->t.count), "");
    if (a->is_put_off)
        put_off_row(e, a, places);
    if (a->t.message->data.is_null && a->operation->reduce)
        do_same(e, a, spots);
    do_each(e, a, spots);
}

/* The data port keeps denormals; numbers are compared and sums made as the host is set. */
static bool needs_denormals(const atomic *a)
{
    return a->code == VSG_EXE_ATOMIC_FADD || a->code == VSG_EXE_ATOMIC_FSUB ||
           a->code == VSG_EXE_ATOMIC_FCAS;
}

/* Goes on where a channel is on; where none is, nothing is looked at. What was there before
 * does not live on for that alone. */
static void leave_where_none(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    LLVMBasicBlockRef some = vsg_jit_block(e), none = vsg_jit_block(e);
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory, t->count);
    LLVMValueRef are_off = LLVMBuildICmp(e->b, LLVMIntEQ, t->channels, vsg_jit_i32(e, 0), "");

    LLVMBuildCondBr(e->b, are_off, none, some);
    vsg_jit_go_on(e, none);
    if (e->notes[e->place].may_spoil && !t->message->data.is_null)
        vsg_jit_write_row(e, t, 0, LLVMConstNull(type));
    LLVMBuildBr(e->b, t->done);
    vsg_jit_go_on(e, some);
}

bool vsg_jit_lower_atomic(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    atomic a = {.code = (vsg_exe_atomic)message->atomic, .bits = 8u * message->memory_bytes};

    a.operation = &operations[a.code];
    if (a.operation->means == MEANS_NONE || message->num_elements != 1 ||
        (e->flushes && needs_denormals(&a)) || !vsg_jit_begin_transfer(e, inst, &a.t))
        return false;
    a.type = vsg_jit_int(e, a.bits, 1);
    a.is_alone = vsg_exe_is_slm(message);
    a.is_put_off = e->place >= e->sums_from && vsg_jit_is_sum(inst);
    if (a.t.channels)
        leave_where_none(e, &a.t);
    read_sources(e, &a);
    if (a.t.count == 1)
        do_single(e, &a);
    else
        do_many(e, &a);
    vsg_jit_end_transfer(e, &a.t);
    return true;
}
