/* SPDX-License-Identifier: MIT */
#include "jit/loops_choice.h"

#include <stddef.h>

#include "jit/jit.h"
#include "jit/transfer.h"

/* What a worker's code knows of a loop, until the launch ends. Zeros at first. */
typedef struct record {
    uint64_t turns;    /* how often it was begun */
    uint64_t one, all; /* 256ths of cycles for a round, of a channel and of all; 0: unknown */
    uint64_t share;    /* 256ths of the rounds of all that a channel is in, of those that began;
                          0: unknown */
} record;

/* Turns from one trial to the next; rounds of all channels in a trial, and after which it is
 * chosen again, as some may have left. */
enum { TURNS = 64, TRIAL_ROUNDS = 4, ROUNDS = 64 };
enum { FRACTION_BITS = 8 };
/* Of channels that could not go alone: they do not until the next trial. */
static const uint64_t SPURNED = UINT64_MAX >> 16;

static LLVMValueRef cycles(vsg_jit_emitter *e)
{
    return vsg_jit_overloaded(e, "llvm.readcyclecounter", NULL, 0, NULL, 0);
}

static LLVMValueRef get(vsg_jit_emitter *e, LLVMValueRef slot)
{
    return LLVMBuildLoad2(e->b, e->i64, slot, "");
}

static LLVMValueRef is(vsg_jit_emitter *e, LLVMValueRef value, uint64_t number)
{
    return LLVMBuildICmp(e->b, LLVMIntEQ, value, vsg_jit_i64(e, number), "");
}

/* Where a field of a loop's record is. */
static LLVMValueRef field(vsg_jit_emitter *e, const vsg_jit_loop_choice *c, size_t offset)
{
    const vsg_jit_transfer t = {.window =
                                    c->window + (uint32_t)(offset / sizeof(vsg_jit_window))};

    return vsg_jit_window_field(e, &t, offset % sizeof(vsg_jit_window));
}

void vsg_jit_make_choice_slots(vsg_jit_emitter *e, vsg_jit_loop_choice *c)
{
    const size_t size = sizeof(vsg_jit_window);

    c->since = LLVMBuildAlloca(e->b, e->i64, "");
    c->burst = LLVMBuildAlloca(e->b, e->i64, "");
    c->left = LLVMBuildAlloca(e->b, e->i64, "");
    c->again = LLVMBuildAlloca(e->b, e->i1, "");
    c->window = e->num_windows;
    e->num_windows += (uint32_t)((sizeof(record) + size - 1) / size);
}

void vsg_jit_begin_choice(vsg_jit_emitter *e, const vsg_jit_loop_choice *c)
{
    LLVMBuildStore(e->b, LLVMConstInt(e->i1, 0, false), c->again);
}

/* The next choice is not of all that began the loop. */
static void choose_again(vsg_jit_emitter *e, const vsg_jit_loop_choice *c)
{
    LLVMBuildStore(e->b, LLVMConstInt(e->i1, 1, false), c->again);
}

static LLVMValueRef is_begin(vsg_jit_emitter *e, const vsg_jit_loop_choice *c)
{
    return LLVMBuildNot(e->b, LLVMBuildLoad2(e->b, e->i1, c->again, ""), "");
}

/* Is it the turn of all channels to be tried? (i1) */
static LLVMValueRef tries_all(vsg_jit_emitter *e, LLVMValueRef turns, LLVMValueRef is_unknown)
{
    enum { UNKNOWN_TURNS = 4 };
    LLVMValueRef often = LLVMBuildAnd(e->b, turns, vsg_jit_i64(e, UNKNOWN_TURNS - 1), "");
    LLVMValueRef turn = LLVMBuildAnd(e->b, turns, vsg_jit_i64(e, TURNS - 1), "");

    often = LLVMBuildAnd(e->b, is(e, often, 2), is_unknown, "");
    return LLVMBuildOr(e->b, is(e, turn, 1), often, "");
}

LLVMValueRef vsg_jit_choose_channels(vsg_jit_emitter *e, const vsg_jit_loop_choice *c,
                                     LLVMValueRef mask)
{
    LLVMValueRef turns_at = field(e, c, offsetof(record, turns)), turns = get(e, turns_at);
    LLVMValueRef one = get(e, field(e, c, offsetof(record, one)));
    LLVMValueRef all = get(e, field(e, c, offsetof(record, all)));
    LLVMValueRef share = get(e, field(e, c, offsetof(record, share)));
    LLVMValueRef is_unknown = is(e, all, 0), begins = is_begin(e, c);
    LLVMValueRef tries = LLVMBuildAnd(e->b, tries_all(e, turns, is_unknown), begins, "");
    LLVMValueRef count = vsg_jit_intrinsic(e, "llvm.ctpop", e->i32, &mask, 1);
    LLVMValueRef burst =
        LLVMBuildSelect(e->b, tries, vsg_jit_i64(e, TRIAL_ROUNDS), vsg_jit_i64(e, ROUNDS), "");

    LLVMValueRef one_more = LLVMBuildZExt(e->b, begins, e->i64, "");
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, turns, one_more, ""), turns_at);
    LLVMBuildStore(e->b, burst, c->burst);
    LLVMBuildStore(e->b, burst, c->left);
    LLVMBuildStore(e->b, cycles(e), c->since);
    share =
        LLVMBuildSelect(e->b, is(e, share, 0), vsg_jit_i64(e, 1u << FRACTION_BITS), share, "");
    count = LLVMBuildMul(e->b, LLVMBuildZExt(e->b, count, e->i64, ""), share, "");
    count = LLVMBuildLShr(e->b, LLVMBuildMul(e->b, one, count, ""),
                          vsg_jit_i64(e, FRACTION_BITS), "");
    LLVMValueRef better = LLVMBuildICmp(e->b, LLVMIntULE, count, all, "");
    if (!c->is_dear)
        better = LLVMBuildOr(e->b, better, is_unknown, "");
    better = LLVMBuildAnd(e->b, better, LLVMBuildNot(e->b, tries, ""), "");
    LLVMValueRef turn = LLVMBuildAnd(e->b, turns, vsg_jit_i64(e, TURNS - 1), "");
    turn = LLVMBuildOr(e->b, is(e, turn, 0), is(e, turns, 2), "");
    return LLVMBuildOr(e->b, better, LLVMBuildAnd(e->b, turn, begins, ""), "");
}

/* Notes 256ths of a ratio: the mean of that and of what was known, if anything was. The first
 * time caches are cold, and windows not found yet: what is much less counts alone. */
static void note(vsg_jit_emitter *e, const vsg_jit_loop_choice *c, size_t offset,
                 LLVMValueRef part, LLVMValueRef whole)
{
    LLVMValueRef at = field(e, c, offset), old = get(e, at);
    LLVMValueRef is_new = LLVMBuildOr(e->b, is(e, old, 0), is(e, old, SPURNED), "");

    part = LLVMBuildShl(e->b, part, vsg_jit_i64(e, FRACTION_BITS), "");
    part = LLVMBuildUDiv(e->b, part, LLVMBuildOr(e->b, whole, vsg_jit_i64(e, 1), ""), "");
    LLVMValueRef half = LLVMBuildLShr(e->b, old, vsg_jit_i64(e, 1), "");
    is_new = LLVMBuildOr(e->b, is_new, LLVMBuildICmp(e->b, LLVMIntULT, part, half, ""), "");
    old = LLVMBuildSelect(e->b, is_new, part, old, "");
    part = LLVMBuildLShr(e->b, LLVMBuildAdd(e->b, part, old, ""), vsg_jit_i64(e, 1), "");
    LLVMBuildStore(e->b, part, at);
}

/* Notes what rounds took since the loop was begun. */
static void measure(vsg_jit_emitter *e, const vsg_jit_loop_choice *c, size_t offset,
                    LLVMValueRef rounds)
{
    note(e, c, offset, LLVMBuildSub(e->b, cycles(e), get(e, c->since), ""), rounds);
}

void vsg_jit_end_channels(vsg_jit_emitter *e, const vsg_jit_loop_choice *c, LLVMValueRef mask,
                          LLVMValueRef rounds, LLVMValueRef most_rounds)
{
    LLVMValueRef count = vsg_jit_intrinsic(e, "llvm.ctpop", e->i32, &mask, 1);
    LLVMBasicBlockRef begun = vsg_jit_block(e), done = vsg_jit_block(e);

    measure(e, c, offsetof(record, one), rounds);
    LLVMBuildCondBr(e->b, is_begin(e, c), begun, done);
    vsg_jit_go_on(e, begun);
    count = LLVMBuildZExt(e->b, count, e->i64, "");
    note(e, c, offsetof(record, share), rounds, LLVMBuildMul(e->b, count, most_rounds, ""));
    choose_again(e, c);
    LLVMBuildBr(e->b, done);
    vsg_jit_go_on(e, done);
}

void vsg_jit_spurn_channels(vsg_jit_emitter *e, const vsg_jit_loop_choice *c)
{
    LLVMBuildStore(e->b, vsg_jit_i64(e, SPURNED), field(e, c, offsetof(record, one)));
    LLVMBuildStore(e->b, vsg_jit_i64(e, UINT64_MAX), c->left);
}

LLVMBasicBlockRef vsg_jit_measure_round(vsg_jit_emitter *e, const vsg_jit_loop_choice *c,
                                        LLVMBasicBlockRef again, LLVMBasicBlockRef head)
{
    LLVMBasicBlockRef back = vsg_jit_block(e), last = vsg_jit_block(e);

    vsg_jit_go_on(e, back);
    LLVMValueRef left = LLVMBuildSub(e->b, get(e, c->left), vsg_jit_i64(e, 1), "");
    LLVMBuildStore(e->b, left, c->left);
    LLVMBuildCondBr(e->b, is(e, left, 0), last, head);
    vsg_jit_go_on(e, last);
    measure(e, c, offsetof(record, all), get(e, c->burst));
    choose_again(e, c);
    LLVMBuildBr(e->b, again);
    return back;
}
