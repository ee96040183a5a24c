/* SPDX-License-Identifier: MIT
 *
 * Loads and stores whose memory is known when they run: flat memory, shared local memory,
 * buffers. A test finds out whether the addresses of the channels that are on follow each
 * other, or are all the same, and lie in their memory; then one vector access does. All else,
 * faults among it, is the handler's (exec_load_store.c). */
#include <assert.h>
#include <stddef.h>

#include "exec/handlers.h"
#include "exec/message.h"
#include "exec/operand.h"
#include "jit/frame.h"
#include "jit/group.h"
#include "jit/loops.h"
#include "jit/lowering.h"
#include "jit/marks.h"
#include "jit/transfer.h"

/* Goes on only where the condition holds, else to the handler. */
void vsg_jit_require(vsg_jit_emitter *e, const vsg_jit_transfer *t, LLVMValueRef condition)
{
    LLVMBasicBlockRef next = vsg_jit_block(e);

    vsg_jit_likely(e, LLVMBuildCondBr(e->b, condition, next, t->slow));
    vsg_jit_go_on(e, next);
}

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

/* The thread's scratch, if a state's handle is its own. */
static bool is_scratch(const vsg_exe_message *message)
{
    return message->target == VSG_EXE_TARGET_SCRATCH || message->target == VSG_EXE_TARGET_STATE;
}

/* Addresses of 28 or 32 bits, in 64. */
static bool is_narrow(const vsg_exe_message *message)
{
    return vsg_exe_is_slm(message) || message->narrow;
}

/* How many places `bytes` have in so much memory. */
static LLVMValueRef places_for(vsg_jit_emitter *e, LLVMValueRef size, uint32_t bytes)
{
    LLVMValueRef args[] = {size, vsg_jit_i64(e, bytes - 1)};

    return vsg_jit_intrinsic(e, "llvm.usub.sat", e->i64, args, 2);
}

/* `bytes` from an address on, in `size` bytes. */
static LLVMValueRef is_inside(vsg_jit_emitter *e, const vsg_jit_transfer *t, LLVMValueRef at,
                              LLVMValueRef size, uint32_t bytes)
{
    /* Whole groups know their places in shared memory where loops are unrolled, which LLVM does
     * with short ones: a test that is a plain comparison counts less. */
    if (e->marks && !(e->in_group && vsg_exe_is_slm(t->message)))
        return vsg_jit_is_below(e, at, places_for(e, size, bytes));
    LLVMValueRef fits = LLVMBuildICmp(e->b, LLVMIntULE, add64(e, at, bytes), size, "");
    if (is_narrow(t->message))
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
        vsg_jit_require(e, t, is_inside(e, t, places->at[i], size, places->bytes));
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
    uint32_t own = t->per_channel * t->memory, bytes = row->count * own;
    LLVMBasicBlockRef some = vsg_jit_block(e), open = vsg_jit_block(e);
    LLVMValueRef limit = places_for(e, e->slm_bytes, own);
    LLVMValueRef offset = slm_offset(e, row->start);

    vsg_jit_likely(
        e, LLVMBuildCondBr(e->b, is_inside(e, t, row->start, e->slm_bytes, bytes), open, some));
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

/* Scratch has no size where there is none. */
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
    LLVMValueRef host = LLVMBuildLoad2(
        e->b, e->i64, vsg_jit_field(e, offsetof(vsg_exe_thread, scratch_address)), "");
    LLVMValueRef bytes = LLVMBuildLoad2(
        e->b, e->i32, vsg_jit_field(e, offsetof(vsg_exe_thread, scratch_bytes)), "");
    LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntEQ, host, vsg_jit_i64(e, 0), "");
    *size = LLVMBuildSelect(e->b, none, vsg_jit_i64(e, 0),
                            LLVMBuildZExt(e->b, bytes, e->i64, ""), "");
    return host;
}

/* Where memory that is neither flat nor shared begins, an i64, and its size. */
static LLVMValueRef open_other(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                               LLVMValueRef *size)
{
    return is_scratch(t->message) ? open_scratch(e, t, size) : open_surface(e, t, size);
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

/* Addresses of 32 bits do not go round. */
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
    if (t->message->narrow)
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
    const vsg_jit_places place = {1, bytes, {address}};
    LLVMValueRef host;

    vsg_jit_open_places(e, t, &place, &host);
    return host;
}

/* ---- addresses --------------------------------------------------------------------------- */

static LLVMValueRef scaled_base(vsg_jit_emitter *e, const vsg_exe_message *message)
{
    LLVMValueRef base = vsg_jit_i64(e, (uint64_t)message->base.value);

    if (!message->base.is_constant) {
        vsg_exe_operand first = message->base.operand;
        if (first.kind == VSG_EXE_OPERAND_REGION)
            first.shape = VSG_EXE_SHAPE_SCALAR;
        base = vsg_jit_read_int(e, &first, 1, 64);
    }
    base = LLVMBuildMul(e->b, base, vsg_jit_i64(e, message->scale), "");
    return add64(e, base, (uint64_t)message->offset);
}

static LLVMValueRef keep_bits(vsg_jit_emitter *e, const vsg_exe_message *message,
                              LLVMValueRef at, uint32_t count)
{
    uint64_t mask = vsg_exe_is_slm(message) ? VSG_EXE_SLM_ADDRESS_BITS : UINT32_MAX;

    if (!is_narrow(message))
        return at;
    return LLVMBuildAnd(e->b, at, vsg_jit_splat(e, vsg_jit_i64(e, mask), count), "");
}

/* What is known of the addresses before they are. A sum of 32 bits that wraps around does so in
 * memory too, if that has 32 bits of addresses; in 64 it does not. */
static void view_addresses(vsg_jit_emitter *e, vsg_jit_transfer *t, const vsg_exe_operand *row,
                           LLVMValueRef base)
{
    const vsg_exe_message *message = t->message;
    vsg_jit_view view;

    if (vsg_jit_is_ragged(e) && t->inst->no_mask)
        return; /* channels that no work-item has are no part of a row */
    if (t->count < 2 || (!is_narrow(message) && message->address_bytes < 8) ||
        !vsg_jit_view_row(e, row, t->count, &view))
        return;
    t->chunk = view.chunk;
    t->step = view.step * message->scale;
    t->exact = view.exact;
    t->is_guess = view.is_guess;
    for (uint32_t c = 0; c < view.num_chunks; c++) {
        LLVMValueRef at = view.first[c];
        if (message->scale != 1)
            at = LLVMBuildMul(e->b, at, vsg_jit_i64(e, message->scale), "");
        t->first[c] = keep_bits(e, message, LLVMBuildAdd(e->b, at, base, ""), 1);
    }
}

static void read_addresses(vsg_jit_emitter *e, vsg_jit_transfer *t)
{
    const vsg_exe_message *message = t->message;
    uint32_t bits = 8u * message->address_bytes;
    LLVMValueRef base = scaled_base(e, message);
    LLVMValueRef at = LLVMConstNull(vsg_jit_int(e, 64, t->count));

    if (!message->address.is_null) {
        vsg_exe_operand row = vsg_jit_raw(&message->address, 0, message->address_bytes);
        view_addresses(e, t, &row, base);
        at = vsg_jit_read(e, &row, t->count);
        at = vsg_jit_extend(e, at, bits, 64, t->count, false);
        if (message->scale != 1)
            at = LLVMBuildMul(e->b, at,
                              vsg_jit_splat(e, vsg_jit_i64(e, message->scale), t->count), "");
    }
    at = LLVMBuildAdd(e->b, at, vsg_jit_splat(e, base, t->count), "");
    t->addresses = keep_bits(e, message, at, t->count);
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

/* How many places `bytes` have in memory of this size; none where that is not less than 2 GiB.
 */
static LLVMValueRef places_in(vsg_jit_emitter *e, LLVMValueRef size, uint32_t bytes)
{
    LLVMValueRef most = vsg_jit_i64(e, (UINT64_C(1) << 31) - bytes);
    LLVMValueRef last = LLVMBuildSub(e->b, size, vsg_jit_i64(e, bytes), "");
    LLVMValueRef is_small = LLVMBuildICmp(e->b, LLVMIntULT, last, most, "");

    return LLVMBuildSelect(e->b, is_small, add64(e, last, 1), vsg_jit_i64(e, 0), "");
}

/* Offsets in memory that is smaller than 2 GiB, as pointers. */
static LLVMValueRef point(vsg_jit_emitter *e, LLVMValueRef base, LLVMValueRef offsets,
                          uint32_t count)
{
    LLVMValueRef narrow = LLVMBuildTrunc(e->b, offsets, vsg_jit_int(e, 32, count), "");

    return LLVMBuildGEP2(e->b, e->i8, base, &narrow, 1, "");
}

LLVMValueRef vsg_jit_open_many(vsg_jit_emitter *e, vsg_jit_transfer *t, LLVMValueRef addresses,
                               LLVMValueRef channels, uint32_t count)
{
    uint32_t bytes = t->message->span_bytes;
    LLVMValueRef size = e->slm_bytes, base = e->slm;

    if (vsg_jit_is_flat(t->message)) {
        vsg_jit_transfer many = *t;
        many.window = t->window + 1;
        many.reach = bytes;
        return open_many_flat(e, &many, addresses, channels, count);
    }
    if (!vsg_exe_is_slm(t->message)) {
        LLVMValueRef host = open_other(e, t, &size);
        base = LLVMBuildIntToPtr(e->b, host, e->pointer, "");
    }
    LLVMValueRef limit = places_in(e, size, bytes);
    vsg_jit_require(e, t, are_below(e, addresses, limit, channels, count));
    return point(e, base, addresses, count);
}

/* ---- elements ---------------------------------------------------------------------------- */

/* Elements of memory to and from those of slots (message.h, vsg_exe_copy). */
LLVMValueRef vsg_jit_to_slots(vsg_jit_emitter *e, const vsg_jit_transfer *t, LLVMValueRef value,
                              uint32_t count)
{
    value = vsg_jit_extend(e, value, 8 * t->memory, 8 * t->slot, count, false);
    if (t->message->copy == VSG_EXE_COPY_2_HIGH_IN_4)
        value = LLVMBuildShl(e->b, value, vsg_jit_splat(e, vsg_jit_i32(e, 16), count), "");
    return value;
}

static LLVMValueRef to_memory(vsg_jit_emitter *e, const vsg_jit_transfer *t, LLVMValueRef value,
                              uint32_t count)
{
    if (t->message->copy == VSG_EXE_COPY_2_HIGH_IN_4)
        value = LLVMBuildLShr(e->b, value, vsg_jit_splat(e, vsg_jit_i32(e, 16), count), "");
    return vsg_jit_extend(e, value, 8 * t->slot, 8 * t->memory, count, false);
}

static vsg_exe_operand row_of(const vsg_jit_transfer *t, uint32_t v)
{
    return vsg_jit_raw(&t->message->data, v * t->message->pitch_bytes, t->slot);
}

LLVMValueRef vsg_jit_read_slots(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                const vsg_exe_operand *operand)
{
    vsg_exe_operand row = vsg_jit_raw(operand, 0, t->slot);
    return to_memory(e, t, vsg_jit_read(e, &row, t->count), t->count);
}

LLVMValueRef vsg_jit_read_row(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t v)
{
    vsg_exe_operand row = row_of(t, v);
    return vsg_jit_read_slots(e, t, &row);
}

void vsg_jit_write_row(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t v,
                       LLVMValueRef value)
{
    vsg_exe_operand row = row_of(t, v);
    vsg_jit_write(e, &row, t->count, vsg_jit_to_slots(e, t, value, t->count), t->channels);
}

/* ---- one address ------------------------------------------------------------------------- */

/* The bytes follow each other in memory and in the registers. */
static void move_block(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    const vsg_exe_message *message = t->message;
    uint32_t unit = message->register_bytes;
    LLVMValueRef host = vsg_jit_open_memory(e, t, t->addresses, message->span_bytes);

    for (uint32_t at = 0; at < message->span_bytes; at += VSG_EXE_MAX_CHANNELS * unit) {
        uint32_t count = (message->span_bytes - at) / unit;
        if (count > VSG_EXE_MAX_CHANNELS)
            count = VSG_EXE_MAX_CHANNELS;
        LLVMTypeRef type = vsg_jit_int(e, 8 * unit, count);
        vsg_exe_operand row = vsg_jit_raw(&message->data, at, unit);
        if (t->is_store)
            vsg_jit_store(e, vsg_jit_read(e, &row, count), vsg_jit_at(e, host, at), 1);
        else
            vsg_jit_write(e, &row, count, vsg_jit_load(e, type, vsg_jit_at(e, host, at), 1),
                          NULL);
    }
}

static void move_single(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    const vsg_exe_message *message = t->message;
    LLVMValueRef host = vsg_jit_open_memory(e, t, t->addresses, message->span_bytes);
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory, 1);

    for (uint32_t v = 0; v < t->per_channel; v++) {
        LLVMValueRef at = vsg_jit_at(e, host, message->element_at[v]);
        if (t->is_store && e->storing)
            vsg_jit_put_off(e, vsg_jit_read_row(e, t, v), at);
        else if (t->is_store)
            vsg_jit_store(e, vsg_jit_read_row(e, t, v), at, 1);
        else
            vsg_jit_write_row(e, t, v, vsg_jit_load(e, type, at, 1));
    }
}

/* ---- surface variables ------------------------------------------------------------------- */

vsg_jit_part *vsg_jit_surface_part(vsg_jit_emitter *e, uint32_t element)
{
    return &e->parts[e->num_general + e->unit->num_predicates + element];
}

/* Where a surface or sampler has its number; NULL: it is not one of the unit's. */
static LLVMValueRef number_at(vsg_jit_emitter *e, const vsg_exe_operand *operand)
{
    if (operand->kind == VSG_EXE_OPERAND_SURFACE && operand->index < e->unit->num_surfaces)
        return vsg_jit_slot(e, vsg_jit_surface_part(e, operand->index));
    if (operand->kind != VSG_EXE_OPERAND_SAMPLER || operand->index >= e->unit->num_samplers)
        return NULL;
    LLVMValueRef frame = vsg_jit_field(e, offsetof(vsg_exe_thread, frame));
    frame = LLVMBuildLoad2(e->b, e->pointer, frame, "");
    frame = vsg_jit_at(e, frame, offsetof(vsg_exe_frame, samplers));
    return vsg_jit_at(e, LLVMBuildLoad2(e->b, e->pointer, frame, ""),
                      UINT64_C(4) * operand->index);
}

bool vsg_jit_lower_movs(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *from = &inst->src[0];
    LLVMValueRef at;

    if (inst->exec_size != 1 || from->bytes != 4 || !vsg_jit_has_values(from) ||
        from->modifier != VSG_OBJ_MOD_NONE || !(at = number_at(e, &inst->dst)))
        return false;
    LLVMValueRef number = vsg_jit_read(e, from, 1);
    LLVMValueRef channels = vsg_jit_channels(e, inst);
    if (channels)
        number = LLVMBuildSelect(e->b, LLVMBuildTrunc(e->b, channels, e->i1, ""), number,
                                 LLVMBuildLoad2(e->b, e->i32, at, ""), "");
    LLVMBuildStore(e->b, number, at);
    return true;
}

/* ---- all of it --------------------------------------------------------------------------- */

static bool is_dense(const vsg_exe_message *message)
{
    for (uint32_t v = 0; v < message->num_elements; v++)
        if (message->element_at[v] != v * message->memory_bytes)
            return false;
    return true;
}

static bool is_shared(const vsg_exe_operand *operand)
{
    return operand->shared && !operand->is_null;
}

/* Are memory and addresses what compiled code finds? */
static bool has_place(const vsg_exe_message *message)
{
    if (!vsg_exe_is_slm(message) && !vsg_jit_is_flat(message) && !is_surface(message) &&
        !is_scratch(message))
        return false;
    if (message->target == VSG_EXE_TARGET_STATE && !message->surface.is_constant &&
        !vsg_jit_has_values(&message->surface.operand))
        return false;
    return !message->strided && !is_shared(&message->data) && !is_shared(&message->address) &&
           (message->base.is_constant || vsg_jit_has_values(&message->base.operand));
}

/* Are the elements those that it moves? */
static bool fits(const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;

    if (message->data.is_null)
        return false;
    if (message->is_block || inst->exec_size == 1)
        return message->span_bytes <= 1u << VSG_EXE_PAGE_SHIFT &&
               (!message->is_block || message->span_bytes % message->register_bytes == 0);
    return message->num_elements <= 4;
}

/* The number of the first of so many. The copies of an instruction share theirs with the text
 * for one thread, which goes to the same places; one channel alone does not. */
static uint32_t take_windows(vsg_jit_emitter *e, uint32_t count)
{
    uint32_t *known = e->group && !e->bail ? &e->group->windows[e->place] : NULL;
    uint32_t first = e->num_windows;

    if (known && *known)
        return *known - 1;
    e->num_windows += count;
    if (known && count)
        *known = first + 1;
    return first;
}

bool vsg_jit_begin_transfer(vsg_jit_emitter *e, const vsg_exe_inst *inst, vsg_jit_transfer *t)
{
    const vsg_exe_message *message = inst->message;

    *t = (vsg_jit_transfer){.inst = inst, .message = message};
    if (!has_place(message))
        return false;
    t->count = message->is_block ? 1 : inst->exec_size;
    t->per_channel = message->num_elements;
    t->is_dense = is_dense(message);
    t->memory = message->memory_bytes;
    t->slot = message->register_bytes;
    t->slow = vsg_jit_block(e);
    t->done = vsg_jit_block(e);
    t->channels = vsg_jit_channels(e, inst);
    t->reach = message->span_bytes; /* of one address */
    t->origin = vsg_jit_origin_of(e, &message->address);
    t->window = take_windows(e, vsg_jit_is_flat(message) ? 2 : 0);
    read_addresses(e, t);
    return true;
}

void vsg_jit_end_transfer(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    LLVMBuildBr(e->b, t->done);
    vsg_jit_go_on(e, t->slow);
    vsg_jit_call_handler_rarely(e);
    vsg_jit_set_handled(e);
    LLVMBuildBr(e->b, t->done);
    vsg_jit_go_on(e, t->done);
}

static bool emit(vsg_jit_emitter *e, const vsg_exe_inst *inst, bool is_store)
{
    vsg_jit_transfer t;

    if (!fits(inst) || !vsg_jit_begin_transfer(e, inst, &t))
        return false;
    t.is_store = is_store;
    if (t.count > 1) {
        vsg_jit_move_vector(e, &t);
        vsg_jit_end_vector(e, &t);
        return true;
    }
    if (t.channels)
        vsg_jit_require(e, &t, LLVMBuildTrunc(e->b, t.channels, e->i1, ""));
    if (t.message->is_block)
        move_block(e, &t);
    else
        move_single(e, &t);
    vsg_jit_end_transfer(e, &t);
    return true;
}

bool vsg_jit_lower_load(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    return emit(e, inst, false);
}

bool vsg_jit_lower_store(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    return emit(e, inst, true);
}
