/* SPDX-License-Identifier: MIT
 *
 * Loads and stores whose memory is known when they run: flat memory, shared local memory,
 * buffers. A test finds out whether the addresses of the channels that are on follow each
 * other, or are all the same, and lie in their memory; then one vector access does. All else,
 * faults among it, is the handler's (exec_load_store.c), or that of calls (each.c). */
#include <stddef.h>

#include "exec/handlers.h"
#include "exec/message.h"
#include "exec/operand.h"
#include "jit/frame.h"
#include "jit/group.h"
#include "jit/loops.h"
#include "jit/lowering.h"
#include "jit/transfer.h"

/* Goes on only where the condition holds, else to the handler. */
void vsg_jit_require(vsg_jit_emitter *e, const vsg_jit_transfer *t, LLVMValueRef condition)
{
    LLVMBasicBlockRef next = vsg_jit_block(e);

    vsg_jit_likely(e, LLVMBuildCondBr(e->b, condition, next, t->slow));
    vsg_jit_go_on(e, next);
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
    return message->offset
               ? LLVMBuildAdd(e->b, base, vsg_jit_i64(e, (uint64_t)message->offset), "")
               : base;
}

static LLVMValueRef keep_bits(vsg_jit_emitter *e, const vsg_exe_message *message,
                              LLVMValueRef at, uint32_t count)
{
    uint64_t mask = vsg_exe_is_slm(message) ? VSG_EXE_SLM_ADDRESS_BITS : UINT32_MAX;

    if (!vsg_jit_is_narrow(message))
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
    if (t->count < 2 || (!vsg_jit_is_narrow(message) && message->address_bytes < 8) ||
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

/* What channels have read, scaled, and the base, in sums of so many bits. */
static LLVMValueRef add_base(vsg_jit_emitter *e, const vsg_jit_transfer *t, LLVMValueRef read,
                             LLVMValueRef base, uint32_t bits)
{
    const vsg_exe_message *message = t->message;
    LLVMTypeRef type = vsg_jit_int(e, bits, 1);
    LLVMValueRef at =
        vsg_jit_extend(e, read, 8u * message->address_bytes, bits, t->count, false);

    if (message->scale != 1)
        at = LLVMBuildMul(e->b, at,
                          vsg_jit_splat(e, LLVMConstInt(type, message->scale, false), t->count),
                          "");
    base = vsg_jit_extend(e, base, 64, bits, 1, false);
    return LLVMBuildAdd(e->b, at, vsg_jit_splat(e, base, t->count), "");
}

static void read_addresses(vsg_jit_emitter *e, vsg_jit_transfer *t)
{
    const vsg_exe_message *message = t->message;
    LLVMValueRef base = scaled_base(e, message);

    if (message->address.is_null) {
        t->addresses = keep_bits(e, message, vsg_jit_splat(e, base, t->count), t->count);
        return;
    }
    vsg_exe_operand row = vsg_jit_raw(&message->address, 0, message->address_bytes);
    view_addresses(e, t, &row, base);
    LLVMValueRef read = vsg_jit_read(e, &row, t->count);
    if (t->count == 1 || !vsg_jit_is_narrow(message)) {
        t->addresses = keep_bits(e, message, add_base(e, t, read, base, 64), t->count);
        return;
    }
    t->offsets = add_base(e, t, read, base, 32);
    if (vsg_exe_is_slm(message))
        t->offsets = LLVMBuildAnd(
            e->b, t->offsets,
            vsg_jit_splat(e, vsg_jit_i32(e, VSG_EXE_SLM_ADDRESS_BITS), t->count), "");
    t->addresses = vsg_jit_extend(e, t->offsets, 32, 64, t->count, false);
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

/* Where nobody needs what channels that are off had, they get what the access has for them, so
 * that it is no longer alive. */
void vsg_jit_write_row(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t v,
                       LLVMValueRef value)
{
    vsg_exe_operand row = row_of(t, v);
    LLVMValueRef channels = t->channels ? vsg_jit_written(e, t->inst) : NULL;

    vsg_jit_write(e, &row, t->count, vsg_jit_to_slots(e, t, value, t->count), channels);
}

/* ---- one address ------------------------------------------------------------------------- */

/* A block of bytes that follow each other in memory and in the registers, from a number of its
 * elements on. */
typedef struct piece {
    vsg_exe_operand row;
    LLVMTypeRef type;
    uint32_t at, count; /* bytes; elements */
} piece;

/* False: that was the last one. */
static bool next_piece(vsg_jit_emitter *e, const vsg_exe_message *message, uint32_t unit,
                       piece *p)
{
    p->at += p->count * unit;
    if (p->at >= message->span_bytes)
        return false;
    p->count = (message->span_bytes - p->at) / unit;
    if (p->count > VSG_EXE_MAX_CHANNELS)
        p->count = VSG_EXE_MAX_CHANNELS;
    p->row = vsg_jit_raw(&message->data, p->at, unit);
    p->type = vsg_jit_int(e, 8 * unit, p->count);
    return true;
}

/* Compilers round the sizes of blocks up, so that one may begin in a buffer and end behind it,
 * as where 25 floats are read as 40: what is not there is zeros. */
static void load_begun(vsg_jit_emitter *e, const vsg_jit_transfer *t, LLVMValueRef host,
                       LLVMValueRef left)
{
    const vsg_exe_message *message = t->message;
    uint32_t unit = message->memory_bytes;
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS], part = vsg_jit_i64(e, unit - 1);
    LLVMValueRef ends[] = {left, vsg_jit_i64(e, message->span_bytes)};
    piece p = {.at = 0};

    /* Elements that are there in part are left to the handler. */
    vsg_jit_require(e, t,
                    LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildAnd(e->b, left, part, ""),
                                  vsg_jit_i64(e, 0), ""));
    left = vsg_jit_intrinsic(e, "llvm.umin", e->i64, ends, 2);
    LLVMValueRef bytes = LLVMBuildTrunc(e->b, left, e->i32, "");
    while (next_piece(e, message, unit, &p)) {
        LLVMTypeRef types[] = {p.type, e->pointer};
        for (uint32_t i = 0; i < p.count; i++)
            places[i] = vsg_jit_i32(e, p.at + i * unit);
        LLVMValueRef is_there =
            LLVMBuildICmp(e->b, LLVMIntULT, LLVMConstVector(places, p.count),
                          vsg_jit_splat(e, bytes, p.count), "");
        LLVMValueRef args[] = {vsg_jit_at(e, host, p.at), vsg_jit_i32(e, 1), is_there,
                               LLVMConstNull(p.type)};
        vsg_jit_write(e, &p.row, p.count,
                      vsg_jit_overloaded(e, "llvm.masked.load", types, 2, args, 4), NULL);
    }
}

/* Has the host an instruction for as much as there is of it? */
static bool can_be_begun(const vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    const vsg_exe_message *message = t->message;

    return !t->is_store && !vsg_jit_is_flat(message) && !vsg_exe_is_slm(message) &&
           message->memory_bytes == message->register_bytes &&
           (message->memory_bytes == 4 || message->memory_bytes == 8) && vsg_jit_has_avx2(e);
}

/* Text that goes on without tests should do so where blocks are too long, too: they are in each
 * round. */
static bool is_mostly_begun(const vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    enum { SHORTEST = 64 };

    return e->traces && t->message->span_bytes >= SHORTEST && vsg_jit_has_avx512(e);
}

static void move_block(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    const vsg_exe_message *message = t->message;
    LLVMBasicBlockRef begun = can_be_begun(e, t) ? vsg_jit_block(e) : NULL;
    LLVMValueRef left, host;
    piece p = {.at = 0};

    if (begun && is_mostly_begun(e, t)) {
        LLVMDeleteBasicBlock(begun);
        host = vsg_jit_open_begun(e, t, t->addresses, message->memory_bytes, t->slow, &left);
        load_begun(e, t, host, left);
        return;
    }
    host = begun ? vsg_jit_open_begun(e, t, t->addresses, message->span_bytes, begun, &left)
                 : vsg_jit_open_memory(e, t, t->addresses, message->span_bytes);
    while (next_piece(e, message, message->register_bytes, &p)) {
        if (t->is_store)
            vsg_jit_store(e, vsg_jit_read(e, &p.row, p.count), vsg_jit_at(e, host, p.at), 1);
        else
            vsg_jit_write(e, &p.row, p.count,
                          vsg_jit_load(e, p.type, vsg_jit_at(e, host, p.at), 1), NULL);
    }
    if (!begun)
        return;
    LLVMBuildBr(e->b, t->done);
    vsg_jit_go_on(e, begun);
    vsg_jit_require(e, t,
                    LLVMBuildICmp(e->b, LLVMIntULT,
                                  LLVMBuildSub(e->b, left, vsg_jit_i64(e, 1), ""),
                                  vsg_jit_i64(e, message->span_bytes), ""));
    load_begun(e, t, host, left);
}

static void move_single(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    const vsg_exe_message *message = t->message;
    LLVMValueRef host = vsg_jit_open_memory(e, t, t->addresses, message->span_bytes);
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory, 1);

    if (e->parting && vsg_jit_is_scratch(message))
        vsg_jit_require_own(e, e->parting, t->addresses, message->span_bytes);
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
    if (!vsg_jit_has_memory(message))
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

/* The number of the first of so many. The copies of an instruction share theirs,
 * as they mostly go to the same memory; one channel alone does not. */
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

bool vsg_jit_is_left_to_handler(const vsg_jit_transfer *t)
{
    return LLVMGetFirstUse(LLVMBasicBlockAsValue(t->slow)) != NULL;
}

void vsg_jit_end_transfer(vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    LLVMBuildBr(e->b, t->done);
    if (!vsg_jit_is_left_to_handler(t)) {
        LLVMDeleteBasicBlock(t->slow);
        vsg_jit_go_on(e, t->done);
        return;
    }
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
