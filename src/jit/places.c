/* SPDX-License-Identifier: MIT
 *
 * Where transfers' places are in the host's memory: flat memory, shared local memory, buffers,
 * scratch. What is not there is the handler's. */
#include <assert.h>
#include <stddef.h>

#include "exec/message.h"
#include "jit/frame.h"
#include "jit/lowering.h"
#include "jit/marks.h"
#include "jit/transfer.h"

static LLVMValueRef add64(vsg_jit_emitter *e, LLVMValueRef a, uint64_t b)
{
    return b ? LLVMBuildAdd(e->b, a, vsg_jit_i64(e, b), "") : a;
}

/* ---- memory ------------------------------------------------------------------------------ */

bool vsg_jit_is_flat(const vsg_exe_message *message)
{
    return message->target == VSG_EXE_TARGET_FLAT ||
           (message->target == VSG_EXE_TARGET_ENTRY &&
            (message->entry == VSG_EXE_BTI_STATELESS ||
             message->entry == VSG_EXE_BTI_STATELESS_NC));
}

static bool is_surface(const vsg_exe_message *message)
{
    return message->target == VSG_EXE_TARGET_ENTRY || message->target == VSG_EXE_TARGET_SURFACE;
}

bool vsg_jit_is_to_surface(const vsg_exe_message *message)
{
    return is_surface(message) && !vsg_jit_is_flat(message) && !vsg_exe_is_slm(message);
}

bool vsg_jit_is_scratch(const vsg_exe_message *message)
{
    return message->target == VSG_EXE_TARGET_SCRATCH || message->target == VSG_EXE_TARGET_STATE;
}

bool vsg_jit_has_memory(const vsg_exe_message *message)
{
    return vsg_exe_is_slm(message) || vsg_jit_is_flat(message) || is_surface(message) ||
           vsg_jit_is_scratch(message);
}

bool vsg_jit_is_narrow(const vsg_exe_message *message)
{
    return vsg_exe_is_slm(message) || message->narrow;
}

/* How many places `bytes` have in so much memory. */
static LLVMValueRef places_for(vsg_jit_emitter *e, LLVMValueRef size, uint32_t bytes)
{
    LLVMValueRef args[] = {size, vsg_jit_i64(e, bytes - 1)};

    return vsg_jit_intrinsic(e, "llvm.usub.sat", e->i64, args, 2);
}

/* `bytes` from an address on, in `size` bytes. whole: all of them are accessed, and may begin
 * before the memory. */
static LLVMValueRef is_inside(vsg_jit_emitter *e, const vsg_jit_transfer *t, LLVMValueRef at,
                              LLVMValueRef size, uint32_t bytes, bool whole)
{
    /* Whole groups know their places in shared memory where loops are unrolled, which LLVM does
     * with short ones: a test that is a plain comparison counts less. */
    if (e->marks && !(e->group && vsg_exe_is_slm(t->message)))
        return vsg_jit_is_below(e, at, places_for(e, size, bytes));
    LLVMValueRef fits = LLVMBuildICmp(e->b, LLVMIntULE, add64(e, at, bytes), size, "");
    /* Where a row begins before its memory, as channels that are off may, its end may be
     * inside: one under a mask may be accessed. */
    if (vsg_exe_is_slm(t->message) && vsg_jit_has_avx512(e) && !whole)
        return fits;
    return LLVMBuildAnd(e->b, LLVMBuildICmp(e->b, LLVMIntULT, at, size, ""), fits, "");
}

LLVMValueRef vsg_jit_window_field(vsg_jit_emitter *e, const vsg_jit_transfer *t, size_t offset)
{
    LLVMValueRef windows = LLVMBuildLoad2(
        e->b, e->pointer, vsg_jit_at(e, e->batch, offsetof(vsg_jit_batch, windows)), "");

    vsg_jit_readable(e, vsg_jit_invariant(e, windows), (t->window + 1) * sizeof(vsg_jit_window),
                     (uint32_t) _Alignof(vsg_jit_window));
    return vsg_jit_at(e, windows, t->window * sizeof(vsg_jit_window) + offset);
}

/* The least or the greatest of the addresses. */
static LLVMValueRef extreme_of(vsg_jit_emitter *e, const vsg_jit_places *places,
                               const char *intrinsic)
{
    LLVMValueRef found = places->at[0];

    for (uint32_t i = 1; i < places->count; i++) {
        LLVMValueRef args[] = {found, places->at[i]};
        found = vsg_jit_intrinsic(e, intrinsic, e->i64, args, 2);
    }
    return found;
}

/* Allocated memory around all places, for the next time; where there is not enough of it
 * control goes to the handler. */
static void find_window(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                        const vsg_jit_places *places)
{
    LLVMTypeRef types[] = {e->pointer, e->pointer, e->i64, e->i64, e->i32};
    LLVMTypeRef signature = LLVMFunctionType(e->i32, types, 5, false);
    LLVMValueRef args[] = {e->thread, vsg_jit_window_field(e, t, 0),
                           extreme_of(e, places, "llvm.umin"),
                           extreme_of(e, places, "llvm.umax"), vsg_jit_i32(e, t->reach)};
    LLVMValueRef found = vsg_jit_call_rarely(e, "vsg_jit_find_window", signature, args, 5);

    vsg_jit_require(e, t, LLVMBuildICmp(e->b, LLVMIntNE, found, vsg_jit_i32(e, 0), ""));
}

static void open_flat(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                      const vsg_jit_places *places, LLVMValueRef *host)
{
    assert(places->bytes <= t->reach);
    LLVMBasicBlockRef miss = vsg_jit_block(e), hit = miss;

    /* Not one condition of all, which hosts compute in more steps. */
    for (uint32_t i = 0; i < places->count; i++) {
        LLVMValueRef window = vsg_jit_window_field(e, t, 0);
        LLVMValueRef is_known = vsg_jit_is_in_window(e, window, places->at[i], t->reach);
        hit = vsg_jit_block(e);
        vsg_jit_likely(e, LLVMBuildCondBr(e->b, is_known, hit, miss));
        vsg_jit_go_on(e, hit);
    }
    vsg_jit_go_on(e, miss);
    find_window(e, t, places);
    LLVMBuildBr(e->b, e->retry ? e->retry : hit);
    vsg_jit_go_on(e, hit);
    for (uint32_t i = 0; i < places->count; i++)
        host[i] = LLVMBuildIntToPtr(e->b, places->at[i], e->pointer, "");
}

static void require_inside(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                           const vsg_jit_places *places, LLVMValueRef size)
{
    for (uint32_t i = 0; i < places->count; i++)
        vsg_jit_require(
            e, t, is_inside(e, t, places->at[i], size, places->bytes, places->may_precede));
}

static void open_slm(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                     const vsg_jit_places *places, LLVMValueRef *host)
{
    require_inside(e, t, places, e->slm_bytes);
    for (uint32_t i = 0; i < places->count; i++) {
        LLVMValueRef at = places->at[i];
        host[i] = LLVMBuildGEP2(e->b, e->i8, e->slm, &at, 1, "");
    }
}

/* Are all channels' addresses below `limit`? */
static LLVMValueRef are_below(vsg_jit_emitter *e, LLVMValueRef at, LLVMValueRef limit,
                              LLVMValueRef channels, uint32_t count)
{
    LLVMValueRef beyond =
        LLVMBuildICmp(e->b, LLVMIntUGE, at, vsg_jit_splat(e, limit, count), "");
    LLVMValueRef bits = vsg_jit_bits(e, beyond, count);

    if (channels)
        bits = LLVMBuildAnd(e->b, bits, channels, "");
    return LLVMBuildICmp(e->b, LLVMIntEQ, bits, vsg_jit_i32(e, 0), "");
}

/* Addresses have few bits: those of channels before the first byte are far above all others. */
static LLVMValueRef slm_offset(vsg_jit_emitter *e, LLVMValueRef address)
{
    unsigned bits = 32 - (unsigned)__builtin_clz(VSG_EXE_SLM_ADDRESS_BITS);
    LLVMTypeRef type = LLVMIntTypeInContext(e->context, bits);

    return LLVMBuildSExt(e->b, LLVMBuildTrunc(e->b, address, type, ""), e->i64, "");
}

LLVMValueRef vsg_jit_open_row(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                              const vsg_jit_channels_at *row)
{
    LLVMBasicBlockRef some = vsg_jit_block(e), open = vsg_jit_block(e);
    LLVMValueRef limit = places_for(e, e->slm_bytes, row->own);
    LLVMValueRef offset = slm_offset(e, row->start);

    vsg_jit_likely(
        e, LLVMBuildCondBr(e->b, is_inside(e, t, row->start, e->slm_bytes, row->bytes, false),
                           open, some));
    vsg_jit_go_on(e, some);
    vsg_jit_require(e, t, are_below(e, row->addresses, limit, row->channels, row->count));
    LLVMBuildBr(e->b, open);
    vsg_jit_go_on(e, open);
    return LLVMBuildGEP2(e->b, e->i8, e->slm, &offset, 1, "");
}

static LLVMValueRef entry_of(vsg_jit_emitter *e, const vsg_exe_message *message)
{
    if (message->target == VSG_EXE_TARGET_ENTRY)
        return vsg_jit_i32(e, message->entry);
    return LLVMBuildLoad2(e->b, e->i32,
                          vsg_jit_slot(e, vsg_jit_surface_part(e, message->entry)), "");
}

static LLVMValueRef surface_field(vsg_jit_emitter *e, LLVMTypeRef type, LLVMValueRef surface,
                                  size_t offset)
{
    return vsg_jit_invariant(e, LLVMBuildLoad2(e->b, type, vsg_jit_at(e, surface, offset), ""));
}

/* Where a buffer is in the host's memory, and its size; an image is none, and neither are the
 * entries with a meaning of their own. */
static LLVMValueRef open_surface(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                 LLVMValueRef *size)
{
    LLVMValueRef entry = entry_of(e, t->message);

    vsg_jit_require(
        e, t, LLVMBuildICmp(e->b, LLVMIntULT, entry, vsg_jit_i32(e, VSG_EXE_BTI_BINDLESS), ""));
    LLVMValueRef index = LLVMBuildMul(e->b, LLVMBuildZExt(e->b, entry, e->i64, ""),
                                      vsg_jit_i64(e, sizeof(vsg_exe_surface)), "");
    LLVMValueRef surfaces = vsg_jit_at(e, e->launch, offsetof(vsg_exe_launch, surfaces));
    LLVMValueRef surface = LLVMBuildGEP2(e->b, e->i8, surfaces, &index, 1, "");
    LLVMValueRef kind = surface_field(e, e->i32, surface, offsetof(vsg_exe_surface, kind));
    LLVMValueRef buffer = vsg_jit_i32(e, VSG_EXE_SURFACE_BUFFER);

    vsg_jit_require(e, t, vsg_jit_holds(e, LLVMBuildICmp(e->b, LLVMIntEQ, kind, buffer, "")));
    *size = surface_field(e, e->i64, surface, offsetof(vsg_exe_surface, size_bytes));
    return surface_field(e, e->i64, surface, offsetof(vsg_exe_surface, address));
}

LLVMValueRef vsg_jit_scratch_at(vsg_jit_emitter *e, LLVMValueRef *size)
{
    LLVMValueRef host = LLVMBuildLoad2(
        e->b, e->i64, vsg_jit_field(e, offsetof(vsg_exe_thread, scratch_address)), "");
    LLVMValueRef bytes = LLVMBuildLoad2(
        e->b, e->i32, vsg_jit_field(e, offsetof(vsg_exe_thread, scratch_bytes)), "");
    LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntEQ, host, vsg_jit_i64(e, 0), "");

    *size = LLVMBuildSelect(e->b, none, vsg_jit_i64(e, 0),
                            LLVMBuildZExt(e->b, bytes, e->i64, ""), "");
    return host;
}

static LLVMValueRef open_scratch(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                 LLVMValueRef *size)
{
    const vsg_exe_scalar *handle = &t->message->surface;
    LLVMValueRef own = vsg_jit_i32(e, VSG_EXE_SCRATCH_HANDLE);

    if (t->message->target == VSG_EXE_TARGET_STATE) {
        LLVMValueRef given = handle->is_constant ? vsg_jit_i32(e, (uint32_t)handle->value)
                                                 : vsg_jit_read_int(e, &handle->operand, 1, 32);
        vsg_jit_require(e, t, LLVMBuildICmp(e->b, LLVMIntEQ, given, own, ""));
    }
    return vsg_jit_scratch_at(e, size);
}

/* Where memory that is neither flat nor shared begins, an i64, and its size. */
static LLVMValueRef open_other(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                               LLVMValueRef *size)
{
    return vsg_jit_is_scratch(t->message) ? open_scratch(e, t, size) : open_surface(e, t, size);
}

static void open_in_other(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                          const vsg_jit_places *places, LLVMValueRef *host)
{
    LLVMValueRef size, base = open_other(e, t, &size);

    require_inside(e, t, places, size);
    for (uint32_t i = 0; i < places->count; i++)
        host[i] = LLVMBuildIntToPtr(e->b, LLVMBuildAdd(e->b, base, places->at[i], ""),
                                    e->pointer, "");
}

/* Addresses of 32 bits do not go round. What is inside a surface, in scratch or in shared
 * memory does not. */
static LLVMValueRef end_in_time(vsg_jit_emitter *e, const vsg_jit_places *places)
{
    LLVMValueRef most = vsg_jit_i64(e, (uint64_t)UINT32_MAX + 1), all = NULL;

    for (uint32_t i = 0; i < places->count; i++) {
        LLVMValueRef end = add64(e, places->at[i], places->bytes);
        all = vsg_jit_both(e, all, LLVMBuildICmp(e->b, LLVMIntULE, end, most, ""));
    }
    return all;
}

void vsg_jit_open_places(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                         const vsg_jit_places *places, LLVMValueRef *host)
{
    if (t->message->narrow && vsg_jit_is_flat(t->message))
        vsg_jit_require(e, t, end_in_time(e, places));
    if (vsg_exe_is_slm(t->message))
        open_slm(e, t, places, host);
    else if (vsg_jit_is_flat(t->message))
        open_flat(e, t, places, host);
    else
        open_in_other(e, t, places, host);
}

LLVMValueRef vsg_jit_open_memory(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                 LLVMValueRef address, uint32_t bytes)
{
    const vsg_jit_places place = {.count = 1, .bytes = bytes, .at = {address}};
    LLVMValueRef host;

    vsg_jit_open_places(e, t, &place, &host);
    return host;
}

LLVMValueRef vsg_jit_open_begun(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                LLVMValueRef address, uint32_t bytes, LLVMBasicBlockRef beyond,
                                LLVMValueRef *left)
{
    const vsg_jit_places place = {.count = 1, .bytes = bytes, .at = {address}};
    vsg_jit_transfer to_beyond = *t;
    LLVMValueRef size;

    if (t->message->narrow)
        vsg_jit_require(e, t, end_in_time(e, &place));
    LLVMValueRef base = open_other(e, t, &size);
    to_beyond.slow = beyond;
    *left = LLVMBuildSub(e->b, size, address, "");
    LLVMValueRef host =
        LLVMBuildIntToPtr(e->b, LLVMBuildAdd(e->b, base, address, ""), e->pointer, "");
    require_inside(e, &to_beyond, &place, size);
    return host;
}

/* ---- places of many channels ------------------------------------------------------------- */

/* Are they all in the window? */
static LLVMValueRef are_in_window(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                  LLVMValueRef addresses, LLVMValueRef channels, uint32_t count)
{
    LLVMValueRef base = vsg_jit_window_field(e, t, offsetof(vsg_jit_window, base));
    LLVMValueRef size = vsg_jit_window_field(e, t, offsetof(vsg_jit_window, size_bytes));

    base = vsg_jit_splat(e, LLVMBuildLoad2(e->b, e->i64, base, ""), count);
    return are_below(e, LLVMBuildSub(e->b, addresses, base, ""),
                     LLVMBuildLoad2(e->b, e->i64, size, ""), channels, count);
}

/* As find_window(): the addresses go over the stack, so that they are not tested twice in
 * compiled code. */
static LLVMValueRef find_wide_window(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                     LLVMValueRef addresses, LLVMValueRef channels,
                                     uint32_t count)
{
    LLVMTypeRef types[] = {e->pointer, e->pointer, e->pointer, e->i32, e->i32};
    LLVMTypeRef signature = LLVMFunctionType(e->i32, types, 5, false);
    LLVMValueRef args[] = {e->thread, vsg_jit_window_field(e, t, 0), vsg_jit_work(e),
                           channels ? channels : vsg_jit_i32(e, vsg_exe_first(count)),
                           vsg_jit_i32(e, t->reach)};

    vsg_jit_store(e, addresses, args[2], 64);
    LLVMValueRef found = vsg_jit_call_rarely(e, "vsg_jit_find_wide_window", signature, args, 5);
    return LLVMBuildICmp(e->b, LLVMIntNE, found, vsg_jit_i32(e, 0), "");
}

static LLVMValueRef open_many_flat(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                   LLVMValueRef addresses, LLVMValueRef channels,
                                   uint32_t count)
{
    LLVMBasicBlockRef miss = vsg_jit_block(e), hit = vsg_jit_block(e);

    vsg_jit_likely(
        e, LLVMBuildCondBr(e->b, are_in_window(e, t, addresses, channels, count), hit, miss));
    vsg_jit_go_on(e, miss);
    LLVMValueRef found = find_wide_window(e, t, addresses, channels, count);
    vsg_jit_likely(e, LLVMBuildCondBr(e->b, found, hit, t->slow));
    vsg_jit_go_on(e, hit);
    return LLVMBuildIntToPtr(e->b, addresses, LLVMVectorType(e->pointer, count), "");
}

/* How many places `bytes` have in memory of this size; none where that, and what rounds it up
 * to a multiple of four, is not less than 2 GiB. */
static LLVMValueRef places_in(vsg_jit_emitter *e, LLVMValueRef size, uint32_t bytes)
{
    LLVMValueRef most = vsg_jit_i64(e, (UINT64_C(1) << 31) - 4 - bytes);
    LLVMValueRef last = LLVMBuildSub(e->b, size, vsg_jit_i64(e, bytes), "");
    LLVMValueRef is_small = LLVMBuildICmp(e->b, LLVMIntULT, last, most, "");

    return LLVMBuildSelect(e->b, is_small, add64(e, last, 1), vsg_jit_i64(e, 0), "");
}

/* Offsets of 32 or 64 bits in memory that is smaller than 2 GiB, as pointers. */
static LLVMValueRef point(vsg_jit_emitter *e, LLVMValueRef base, LLVMValueRef offsets,
                          uint32_t count)
{
    LLVMTypeRef type = vsg_jit_int(e, 32, count);
    LLVMValueRef narrow =
        LLVMTypeOf(offsets) == type ? offsets : LLVMBuildTrunc(e->b, offsets, type, "");

    return LLVMBuildGEP2(e->b, e->i8, base, &narrow, 1, "");
}

LLVMValueRef vsg_jit_open_whole(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                LLVMValueRef *limit)
{
    LLVMValueRef size = e->slm_bytes, base = e->slm;

    if (!vsg_exe_is_slm(t->message)) {
        LLVMValueRef host = open_other(e, t, &size);
        base = LLVMBuildIntToPtr(e->b, host, e->pointer, "");
    }
    *limit = places_in(e, size, t->message->span_bytes);
    return base;
}

LLVMValueRef vsg_jit_open_buffer(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                 LLVMValueRef *limit)
{
    LLVMValueRef size, base = open_surface(e, t, &size);

    *limit = places_for(e, size, t->memory);
    return base;
}

LLVMValueRef vsg_jit_open_many(vsg_jit_emitter *e, vsg_jit_transfer *t, LLVMValueRef addresses,
                               LLVMValueRef channels, uint32_t count)
{
    LLVMValueRef limit;

    if (vsg_jit_is_flat(t->message)) {
        vsg_jit_transfer many = *t;
        many.window = t->window + 1;
        many.reach = t->message->span_bytes;
        return open_many_flat(e, &many, addresses, channels, count);
    }
    t->base = vsg_jit_open_whole(e, t, &limit);
    if (t->offsets && addresses == t->addresses) { /* not other ones, as of the ends of rows */
        addresses = t->offsets;
        limit = LLVMBuildTrunc(e->b, limit, e->i32, "");
    }
    vsg_jit_require(e, t, are_below(e, addresses, limit, channels, count));
    return point(e, t->base, addresses, count);
}
