/* SPDX-License-Identifier: MIT
 *
 * Calls that move channels which are apart. A search for them, tests and an access for each of
 * 32 channels are some hundreds of the host's instructions; most such ways are never gone, and
 * in long text they are what takes LLVM's time. */
#include <assert.h>
#include <stddef.h>

#include "exec/message.h"
#include "exec/operand.h"
#include "jit/calls.h"
#include "jit/entry.h"
#include "jit/frame.h"
#include "jit/lowering.h"
#include "jit/near.h"
#include "jit/transfer.h"

static_assert(sizeof(vsg_jit_moved) <= VSG_JIT_WORK_BYTES, "no room for what calls move");

/* Has the host an instruction for elements that are apart, which is worth its time? A gather
 * that takes as long as loads one by one is, where they seldom are: it takes a third of a
 * call. Where they may be near each other, few are left that are neither. */
static bool has_instruction(const vsg_jit_emitter *e, const vsg_jit_transfer *t, bool is_rare)
{
    bool is_wide = t->memory >= 4;

    is_rare = is_rare && !vsg_jit_can_be_near(e, t);
    if (t->is_store)
        return is_wide && vsg_jit_has_avx512(e);
    return !vsg_jit_moves_vectors(t) &&
           ((is_wide && e->has_quick_gathers) || (is_rare && vsg_jit_has_avx512(e)));
}

static bool is_straight(const vsg_jit_emitter *e)
{
    return e->care.calls == VSG_JIT_CALLS_STRAIGHT && !e->notes[e->place].is_in_loop;
}

/* In long text, outside of loops: is it the host's instruction at once, without a search for
 * rows? It is no more code than a call, and takes half the time. So are stores of vectors,
 * which are one by one. */
bool vsg_jit_moves_in_place(const vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    return is_straight(e) && t->memory >= 4 && vsg_jit_has_avx512(e) &&
           (t->is_store || !vsg_jit_moves_vectors(t));
}

bool vsg_jit_moves_by_call(vsg_jit_emitter *e, const vsg_jit_transfer *t, bool is_rare)
{
    if (!e->keeps || e->bail) /* from which one bails out where it is the handler's turn */
        return false;
    if (e->care.calls == VSG_JIT_CALLS_ALL)
        return true;
    return (is_straight(e) && !vsg_jit_moves_in_place(e, t)) ||
           (is_rare && !has_instruction(e, t, true));
}

bool vsg_jit_moves_vectors(const vsg_jit_transfer *t)
{
    uint32_t bytes = t->per_channel * t->memory;

    if (!t->is_dense || t->memory < 4 || t->per_channel == 1)
        return false;
    return t->is_store ? bytes > 8 : bytes == 16;
}

bool vsg_jit_moves_pairs(const vsg_jit_transfer *t)
{
    return t->is_dense && t->per_channel > 1 && t->memory == 4;
}

/* What an access of all elements of a channel is text for: a store of a vector is as much as
 * one of each element, which the host has an instruction for. */
static uint32_t count_accesses(const vsg_jit_transfer *t)
{
    if (t->is_store)
        return t->per_channel;
    if (vsg_jit_moves_vectors(t))
        return 1;
    return vsg_jit_moves_pairs(t) ? (t->per_channel + 1) / 2 : t->per_channel;
}

/* Where one of the host's instructions is for many, its tests are left. */
void vsg_jit_count_apart(vsg_jit_emitter *e, const vsg_jit_transfer *t, bool is_rare)
{
    uint32_t count = t->count * count_accesses(t);

    if (vsg_jit_moves_in_place(e, t)) /* without what the search for rows is */
        e->num_apart += count / 16 + 1;
    else
        e->num_apart += has_instruction(e, t, is_rare) ? count / 4 : count;
}

static LLVMValueRef elements_at(vsg_jit_emitter *e, uint32_t v)
{
    return vsg_jit_at(e, vsg_jit_work(e),
                      offsetof(vsg_jit_moved, elements) +
                          v * sizeof((vsg_jit_moved *)0)->elements[0]);
}

static LLVMValueRef channels_of(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    return t->channels ? t->channels : vsg_jit_i32(e, vsg_exe_first(t->count));
}

/* The call does all that the handler would: this way does not come by it. */
static void move_flat(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    LLVMTypeRef types[] = {e->pointer, e->i32, e->pointer, e->pointer, e->i32};
    vsg_jit_transfer many = *t;

    many.window = t->window + 1;
    LLVMValueRef args[] = {e->thread, vsg_jit_i32(e, e->place),
                           vsg_jit_window_field(e, &many, 0), vsg_jit_work(e),
                           channels_of(e, t)};

    vsg_jit_tell_thread(e);
    LLVMValueRef reason =
        vsg_jit_call_rarely(e, t->is_store ? "vsg_jit_store_flat" : "vsg_jit_load_flat",
                            LLVMFunctionType(e->i32, types, 5, false), args, 5);
    vsg_jit_leave_for(e, reason);
}

/* Goes on where all places were there. */
static void move_within(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    LLVMTypeRef types[] = {e->pointer, e->i32, e->pointer, e->i64, e->pointer, e->i32};
    LLVMValueRef limit, base = vsg_jit_open_whole(e, t, &limit);
    LLVMValueRef args[] = {e->thread, vsg_jit_i32(e, e->place), base,
                           limit,     vsg_jit_work(e),          channels_of(e, t)};
    LLVMValueRef found =
        vsg_jit_call_rarely(e, t->is_store ? "vsg_jit_store_within" : "vsg_jit_load_within",
                            LLVMFunctionType(e->i32, types, 6, false), args, 6);

    vsg_jit_require(e, t, LLVMBuildICmp(e->b, LLVMIntNE, found, vsg_jit_i32(e, 0), ""));
}

static void call(vsg_jit_emitter *e, vsg_jit_transfer *t)
{
    vsg_jit_store(e, t->addresses, vsg_jit_work(e), 64);
    if (vsg_jit_is_flat(t->message))
        move_flat(e, t);
    else
        move_within(e, t);
}

void vsg_jit_load_by_call(vsg_jit_emitter *e, vsg_jit_transfer *t, LLVMValueRef *rows)
{
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory, t->count);

    call(e, t);
    for (uint32_t v = 0; v < t->per_channel; v++)
        rows[v] = vsg_jit_load(e, type, elements_at(e, v), 64);
}

void vsg_jit_store_by_call(vsg_jit_emitter *e, vsg_jit_transfer *t)
{
    for (uint32_t v = 0; v < t->per_channel; v++)
        vsg_jit_store(e, vsg_jit_read_row(e, t, v), elements_at(e, v), 64);
    call(e, t);
}
