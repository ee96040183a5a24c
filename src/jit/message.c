/* SPDX-License-Identifier: MIT
 *
 * Loads and stores whose memory is known when they run: flat memory, shared local memory,
 * buffers. A test finds out whether the addresses of the channels that are on follow each
 * other, or are all the same, and lie in their memory; then one vector access does. All else,
 * faults among it, is the handler's (exec_load_store.c). */
#include <stddef.h>

#include "exec/handlers.h"
#include "exec/message.h"
#include "exec/operand.h"
#include "jit/frame.h"
#include "jit/lowering.h"

/* One load or store. */
typedef struct transfer {
    const vsg_exe_inst *inst;
    const vsg_exe_message *message;
    bool is_store;
    uint32_t count;          /* channels */
    uint32_t per_channel;    /* elements */
    uint32_t memory, slot;   /* bytes of an element */
    LLVMValueRef channels;   /* bits; NULL: all */
    LLVMValueRef addresses;  /* i64 each */
    LLVMBasicBlockRef slow, done;
} transfer;

/* Fields of the launch, which do not change while it runs. */
static LLVMValueRef launch_field(vsg_jit_emitter *e, LLVMTypeRef type, size_t offset)
{
    LLVMValueRef launch =
        LLVMBuildLoad2(e->b, e->pointer, vsg_jit_field(e, offsetof(vsg_exe_thread, launch)), "");
    return LLVMBuildLoad2(e->b, type, vsg_jit_at(e, launch, offset), "");
}

/* Goes on only where the condition holds, else to the handler. */
static void require(vsg_jit_emitter *e, const transfer *t, LLVMValueRef condition)
{
    LLVMBasicBlockRef next = vsg_jit_block(e);

    LLVMBuildCondBr(e->b, condition, next, t->slow);
    vsg_jit_go_on(e, next);
}

static LLVMValueRef add64(vsg_jit_emitter *e, LLVMValueRef a, uint64_t b)
{
    return b ? LLVMBuildAdd(e->b, a, vsg_jit_i64(e, b), "") : a;
}

/* ---- memory ------------------------------------------------------------------------------ */

static bool is_slm(const vsg_exe_message *message)
{
    return message->target == VSG_EXE_TARGET_SLM ||
           (message->target == VSG_EXE_TARGET_ENTRY && message->entry == VSG_EXE_BTI_SLM) ||
           (message->target == VSG_EXE_TARGET_SURFACE && message->entry == VSG_ISA_SURFACE_SLM);
}

static bool is_flat(const vsg_exe_message *message)
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

/* Is the page of a byte allocated? */
static LLVMValueRef has_page(vsg_jit_emitter *e, LLVMValueRef offset)
{
    LLVMValueRef pages = launch_field(
        e, e->pointer, offsetof(vsg_exe_launch, space) + offsetof(vsg_exe_space, pages));
    LLVMValueRef page =
        LLVMBuildLShr(e->b, offset, vsg_jit_i64(e, VSG_EXE_PAGE_SHIFT), "");
    LLVMValueRef at = LLVMBuildGEP2(e->b, e->i8, pages, &page, 1, "");
    LLVMValueRef byte = LLVMBuildLoad2(e->b, e->i8, at, "");
    return LLVMBuildICmp(e->b, LLVMIntNE, byte, LLVMConstInt(e->i8, 0, false), "");
}

/* `bytes` from an address on, in `size` bytes. */
static LLVMValueRef is_inside(vsg_jit_emitter *e, LLVMValueRef at, LLVMValueRef size,
                              uint32_t bytes)
{
    LLVMValueRef begins = LLVMBuildICmp(e->b, LLVMIntULT, at, size, "");
    LLVMValueRef rest = LLVMBuildSub(e->b, size, at, "");
    LLVMValueRef fits = LLVMBuildICmp(e->b, LLVMIntUGE, rest, vsg_jit_i64(e, bytes), "");
    return LLVMBuildAnd(e->b, begins, fits, "");
}

static LLVMValueRef open_flat(vsg_jit_emitter *e, const transfer *t, LLVMValueRef address,
                              uint32_t bytes)
{
    size_t space = offsetof(vsg_exe_launch, space);
    LLVMValueRef base =
        launch_field(e, e->i64, space + offsetof(vsg_exe_space, base));
    LLVMValueRef size =
        launch_field(e, e->i64, space + offsetof(vsg_exe_space, size_bytes));
    LLVMValueRef offset = LLVMBuildSub(e->b, address, base, "");

    require(e, t, is_inside(e, offset, size, bytes));
    LLVMValueRef pages = LLVMBuildAnd(e->b, has_page(e, offset),
                                      has_page(e, add64(e, offset, bytes - 1)), "");
    require(e, t, pages);
    return LLVMBuildIntToPtr(e->b, address, e->pointer, "");
}

static LLVMValueRef open_slm(vsg_jit_emitter *e, const transfer *t, LLVMValueRef address,
                             uint32_t bytes)
{
    LLVMValueRef group =
        LLVMBuildLoad2(e->b, e->pointer, vsg_jit_field(e, offsetof(vsg_exe_thread, group)), "");
    LLVMValueRef slm = LLVMBuildLoad2(
        e->b, e->pointer, vsg_jit_at(e, group, offsetof(vsg_exe_group, slm)), "");
    LLVMValueRef size = LLVMBuildLoad2(
        e->b, e->i32, vsg_jit_at(e, group, offsetof(vsg_exe_group, slm_bytes)), "");

    size = LLVMBuildZExt(e->b, size, e->i64, "");
    require(e, t, is_inside(e, address, size, bytes));
    return LLVMBuildGEP2(e->b, e->i8, slm, &address, 1, "");
}

static LLVMValueRef entry_of(vsg_jit_emitter *e, const vsg_exe_message *message)
{
    LLVMValueRef at;

    if (message->target == VSG_EXE_TARGET_ENTRY)
        return vsg_jit_i32(e, message->entry);
    at = vsg_jit_at(e, e->registers, e->unit->surfaces_at + 4u * message->entry);
    return LLVMBuildLoad2(e->b, e->i32, at, "");
}

/* A buffer; an image is not, and neither are the entries with a meaning of their own. */
static LLVMValueRef open_surface(vsg_jit_emitter *e, const transfer *t, LLVMValueRef address,
                                 uint32_t bytes)
{
    LLVMValueRef entry = entry_of(e, t->message);

    require(e, t, LLVMBuildICmp(e->b, LLVMIntULT, entry,
                                vsg_jit_i32(e, VSG_EXE_BTI_BINDLESS), ""));
    LLVMValueRef index = LLVMBuildMul(e->b, LLVMBuildZExt(e->b, entry, e->i64, ""),
                                      vsg_jit_i64(e, sizeof(vsg_exe_surface)), "");
    LLVMValueRef launch =
        LLVMBuildLoad2(e->b, e->pointer, vsg_jit_field(e, offsetof(vsg_exe_thread, launch)), "");
    LLVMValueRef surfaces = vsg_jit_at(e, launch, offsetof(vsg_exe_launch, surfaces));
    LLVMValueRef surface = LLVMBuildGEP2(e->b, e->i8, surfaces, &index, 1, "");
    LLVMValueRef kind = LLVMBuildLoad2(
        e->b, e->i32, vsg_jit_at(e, surface, offsetof(vsg_exe_surface, kind)), "");
    LLVMValueRef host = LLVMBuildLoad2(
        e->b, e->i64, vsg_jit_at(e, surface, offsetof(vsg_exe_surface, address)), "");
    LLVMValueRef size = LLVMBuildLoad2(
        e->b, e->i64, vsg_jit_at(e, surface, offsetof(vsg_exe_surface, size_bytes)), "");
    LLVMValueRef is_buffer =
        LLVMBuildICmp(e->b, LLVMIntEQ, kind, vsg_jit_i32(e, VSG_EXE_SURFACE_BUFFER), "");

    require(e, t, LLVMBuildAnd(e->b, is_buffer, is_inside(e, address, size, bytes), ""));
    return LLVMBuildIntToPtr(e->b, LLVMBuildAdd(e->b, host, address, ""), e->pointer, "");
}

/* The host address of `bytes` from an address on; elsewhere control goes to the handler. */
static LLVMValueRef open(vsg_jit_emitter *e, const transfer *t, LLVMValueRef address,
                         uint32_t bytes)
{
    if (t->message->narrow) {
        LLVMValueRef end = add64(e, address, bytes);
        require(e, t, LLVMBuildICmp(e->b, LLVMIntULE, end,
                                    vsg_jit_i64(e, (uint64_t)UINT32_MAX + 1), ""));
    }
    if (is_slm(t->message))
        return open_slm(e, t, address, bytes);
    if (is_flat(t->message))
        return open_flat(e, t, address, bytes);
    return open_surface(e, t, address, bytes);
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

static void read_addresses(vsg_jit_emitter *e, transfer *t)
{
    const vsg_exe_message *message = t->message;
    uint32_t bits = 8u * message->address_bytes;
    uint64_t mask = is_slm(message)     ? 0x0fffffff
                    : message->narrow   ? UINT32_MAX
                                        : UINT64_MAX;
    LLVMValueRef add = vsg_jit_splat(e, scaled_base(e, message), t->count);
    LLVMValueRef at = LLVMConstNull(vsg_jit_int(e, 64, t->count));

    if (!message->address.is_null) {
        at = vsg_jit_read_raw(e, &message->address, 0, message->address_bytes, t->count);
        at = vsg_jit_extend(e, at, bits, 64, t->count, false);
        if (message->scale != 1)
            at = LLVMBuildMul(
                e->b, at, vsg_jit_splat(e, vsg_jit_i64(e, message->scale), t->count), "");
    }
    at = LLVMBuildAdd(e->b, at, add, "");
    if (mask != UINT64_MAX)
        at = LLVMBuildAnd(e->b, at, vsg_jit_splat(e, vsg_jit_i64(e, mask), t->count), "");
    t->addresses = at;
}

/* ---- elements ---------------------------------------------------------------------------- */

/* Elements of memory to and from those of slots (message.h, vsg_exe_copy). */
static LLVMValueRef to_slots(vsg_jit_emitter *e, const transfer *t, LLVMValueRef value,
                             uint32_t count)
{
    value = vsg_jit_extend(e, value, 8 * t->memory, 8 * t->slot, count, false);
    if (t->message->copy == VSG_EXE_COPY_2_HIGH_IN_4)
        value = LLVMBuildShl(e->b, value, vsg_jit_splat(e, vsg_jit_i32(e, 16), count), "");
    return value;
}

static LLVMValueRef to_memory(vsg_jit_emitter *e, const transfer *t, LLVMValueRef value,
                              uint32_t count)
{
    if (t->message->copy == VSG_EXE_COPY_2_HIGH_IN_4)
        value = LLVMBuildLShr(e->b, value, vsg_jit_splat(e, vsg_jit_i32(e, 16), count), "");
    return vsg_jit_extend(e, value, 8 * t->slot, 8 * t->memory, count, false);
}

static LLVMValueRef read_row(vsg_jit_emitter *e, const transfer *t, uint32_t v)
{
    const vsg_exe_message *message = t->message;
    LLVMValueRef value = vsg_jit_read_raw(e, &message->data, v * message->pitch_bytes, t->slot,
                                          t->count);
    return to_memory(e, t, value, t->count);
}

static void write_row(vsg_jit_emitter *e, const transfer *t, uint32_t v, LLVMValueRef value)
{
    const vsg_exe_message *message = t->message;

    vsg_jit_write_raw(e, &message->data, v * message->pitch_bytes, t->slot, t->count,
                      to_slots(e, t, value, t->count), t->channels);
}

/* ---- one address ------------------------------------------------------------------------- */

/* The bytes follow each other in memory and in the registers. */
static void move_block(vsg_jit_emitter *e, const transfer *t)
{
    const vsg_exe_message *message = t->message;
    uint32_t unit = message->register_bytes;
    uint32_t count = message->span_bytes / unit;
    LLVMValueRef host = open(e, t, t->addresses, message->span_bytes);
    LLVMTypeRef type = vsg_jit_int(e, 8 * unit, count);

    if (t->is_store)
        vsg_jit_store(e, vsg_jit_read_raw(e, &message->data, 0, unit, count), host, 1);
    else
        vsg_jit_write_raw(e, &message->data, 0, unit, count, vsg_jit_load(e, type, host, 1),
                          NULL);
}

static void move_single(vsg_jit_emitter *e, const transfer *t)
{
    const vsg_exe_message *message = t->message;
    LLVMValueRef host = open(e, t, t->addresses, message->span_bytes);
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory, 1);

    for (uint32_t v = 0; v < t->per_channel; v++) {
        LLVMValueRef at = vsg_jit_at(e, host, message->element_at[v]);
        if (t->is_store)
            vsg_jit_store(e, read_row(e, t, v), at, 1);
        else
            vsg_jit_write_raw(e, &message->data, v * message->pitch_bytes, t->slot, 1,
                              to_slots(e, t, vsg_jit_load(e, type, at, 1), 1), NULL);
    }
}

/* ---- vectors ----------------------------------------------------------------------------- */

/* Channels `first` to `first + count - 1` of a transfer. Compilers lay work-items out in rows of
 * 16 (and 8), so the addresses of a whole vector may follow each other where halves do. */
typedef struct section {
    uint32_t first, count;
    LLVMValueRef channels;  /* bits; NULL: all */
    LLVMValueRef addresses; /* i64 each */
} section;

/* Some lanes of a vector; NULL stays NULL. */
static LLVMValueRef lanes_of(vsg_jit_emitter *e, LLVMValueRef vector, uint32_t first,
                             uint32_t step, uint32_t count)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS * 4];

    if (LLVMGetVectorSize(LLVMTypeOf(vector)) == count)
        return vector;
    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_i32(e, first + i * step);
    return LLVMBuildShuffleVector(e->b, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(places, count), "");
}

static section cut(vsg_jit_emitter *e, const transfer *t, uint32_t first, uint32_t count)
{
    section s = {.first = first, .count = count};

    s.addresses = lanes_of(e, t->addresses, first, 1, count);
    if (t->channels) {
        s.channels = LLVMBuildLShr(e->b, t->channels, vsg_jit_i32(e, first), "");
        s.channels =
            LLVMBuildAnd(e->b, s.channels, vsg_jit_i32(e, vsg_exe_first(count)), "");
    }
    return s;
}

/* The vector 0, step, 2 * step ... */
static LLVMValueRef steps(vsg_jit_emitter *e, uint32_t count, uint32_t step)
{
    LLVMValueRef values[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < count; i++)
        values[i] = vsg_jit_i64(e, (uint64_t)i * step);
    return LLVMConstVector(values, count);
}

/* Are the values of the channels that are on all the same? first: the first of them. */
static LLVMValueRef all_same(vsg_jit_emitter *e, const section *s, LLVMValueRef values,
                             LLVMValueRef lane, LLVMValueRef *first)
{
    *first = LLVMBuildExtractElement(e->b, values, lane, "");
    LLVMValueRef differ =
        LLVMBuildICmp(e->b, LLVMIntNE, values, vsg_jit_splat(e, *first, s->count), "");
    LLVMValueRef bits = vsg_jit_bits(e, differ, s->count);
    if (s->channels)
        bits = LLVMBuildAnd(e->b, bits, s->channels, "");
    return LLVMBuildICmp(e->b, LLVMIntEQ, bits, vsg_jit_i32(e, 0), "");
}

/* Bits of channels as a mask of `repeat` lanes each; NULL stays NULL. */
static LLVMValueRef wide_lanes(vsg_jit_emitter *e, const section *s, uint32_t repeat)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS * 4];
    LLVMValueRef lanes = vsg_jit_lanes(e, s->channels, s->count);

    if (!lanes || repeat == 1)
        return lanes;
    for (uint32_t i = 0; i < s->count * repeat; i++)
        places[i] = vsg_jit_i32(e, i / repeat);
    return LLVMBuildShuffleVector(e->b, lanes, LLVMGetPoison(LLVMTypeOf(lanes)),
                                  LLVMConstVector(places, s->count * repeat), "");
}

static LLVMValueRef call_masked(vsg_jit_emitter *e, const char *name, size_t length,
                                LLVMTypeRef type, LLVMValueRef *args, uint32_t num_args)
{
    LLVMTypeRef types[] = {type, e->pointer};
    unsigned id = LLVMLookupIntrinsicID(name, length);

    return LLVMBuildCall2(e->b, LLVMIntrinsicGetType(e->context, id, types, 2),
                          LLVMGetIntrinsicDeclaration(e->module, id, types, 2), args, num_args,
                          "");
}

static LLVMValueRef masked_load(vsg_jit_emitter *e, LLVMTypeRef type, LLVMValueRef host,
                                LLVMValueRef lanes)
{
    LLVMValueRef args[] = {host, vsg_jit_i32(e, 1), lanes, LLVMConstNull(type)};

    if (!lanes)
        return vsg_jit_load(e, type, host, 1);
    return call_masked(e, "llvm.masked.load", 16, type, args, 4);
}

static void masked_store(vsg_jit_emitter *e, LLVMValueRef value, LLVMValueRef host,
                         LLVMValueRef lanes)
{
    LLVMValueRef args[] = {value, host, vsg_jit_i32(e, 1), lanes};

    if (!lanes)
        vsg_jit_store(e, value, host, 1);
    else
        (void)call_masked(e, "llvm.masked.store", 17, LLVMTypeOf(value), args, 4);
}

/* Two vectors behind each other; the second may be shorter. */
static LLVMValueRef append(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS * 4];
    uint32_t in_a = LLVMGetVectorSize(LLVMTypeOf(a)), in_b = LLVMGetVectorSize(LLVMTypeOf(b));

    for (uint32_t i = 0; i < in_a; i++)
        places[i] = vsg_jit_i32(e, i < in_b ? i : 0);
    if (in_a != in_b)
        b = LLVMBuildShuffleVector(e->b, b, LLVMGetPoison(LLVMTypeOf(b)),
                                   LLVMConstVector(places, in_a), "");
    for (uint32_t i = 0; i < in_a + in_b; i++)
        places[i] = vsg_jit_i32(e, i);
    return LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(places, in_a + in_b), "");
}

/* The rows of a section, channel by channel, as they lie in memory. */
static LLVMValueRef weave(vsg_jit_emitter *e, const transfer *t, const section *s,
                          LLVMValueRef *rows)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS * 4];
    LLVMValueRef all = lanes_of(e, rows[0], s->first, 1, s->count);

    if (t->per_channel == 1)
        return all;
    for (uint32_t v = 1; v < t->per_channel; v++)
        all = append(e, all, lanes_of(e, rows[v], s->first, 1, s->count));
    for (uint32_t i = 0; i < s->count * t->per_channel; i++)
        places[i] = vsg_jit_i32(e, i % t->per_channel * s->count + i / t->per_channel);
    return LLVMBuildShuffleVector(e->b, all, LLVMGetPoison(LLVMTypeOf(all)),
                                  LLVMConstVector(places, s->count * t->per_channel), "");
}

/* ---- vector stores ----------------------------------------------------------------------- */

/* Where a section's channels are in the host's memory, one behind the other. */
static LLVMValueRef find_run(vsg_jit_emitter *e, const transfer *t, const section *s)
{
    uint32_t step = t->per_channel * t->memory;
    LLVMValueRef lane = vsg_jit_i32(e, 0), start;

    if (s->channels) {
        LLVMValueRef args[] = {s->channels, LLVMConstInt(e->i1, 1, false)};
        require(e, t, LLVMBuildICmp(e->b, LLVMIntNE, s->channels, vsg_jit_i32(e, 0), ""));
        lane = vsg_jit_intrinsic(e, "llvm.cttz", e->i32, args, 2);
    }
    LLVMValueRef starts = LLVMBuildSub(e->b, s->addresses, steps(e, s->count, step), "");
    require(e, t, all_same(e, s, starts, lane, &start));
    return open(e, t, start, s->count * step);
}

/* All places are found before the first store: the handler begins from the start. */
static void store_vector(vsg_jit_emitter *e, const transfer *t, const section *sections,
                         uint32_t count)
{
    LLVMValueRef rows[4], host[2];

    for (uint32_t i = 0; i < count; i++)
        host[i] = find_run(e, t, &sections[i]);
    for (uint32_t v = 0; v < t->per_channel; v++)
        rows[v] = read_row(e, t, v);
    for (uint32_t i = 0; i < count; i++)
        masked_store(e, weave(e, t, &sections[i], rows), host[i],
                     wide_lanes(e, &sections[i], t->per_channel));
}

/* ---- vector loads ------------------------------------------------------------------------ */

/* A section's elements, from the place where all ways to them meet. */
typedef struct loaded {
    LLVMValueRef rows[4];
} loaded;

static void load_run(vsg_jit_emitter *e, const transfer *t, const section *s,
                     LLVMValueRef start, loaded *out)
{
    uint32_t elements = s->count * t->per_channel;
    LLVMValueRef host = open(e, t, start, elements * t->memory);
    LLVMValueRef all = masked_load(e, vsg_jit_int(e, 8 * t->memory, elements), host,
                                   wide_lanes(e, s, t->per_channel));

    for (uint32_t v = 0; v < t->per_channel; v++)
        out->rows[v] = lanes_of(e, all, v, t->per_channel, s->count);
}

/* All channels load from one place. */
static void load_same(vsg_jit_emitter *e, const transfer *t, const section *s,
                      LLVMValueRef address, loaded *out)
{
    LLVMValueRef host = open(e, t, address, t->message->span_bytes);
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory, 1);

    for (uint32_t v = 0; v < t->per_channel; v++) {
        LLVMValueRef at = vsg_jit_at(e, host, t->message->element_at[v]);
        out->rows[v] = vsg_jit_splat(e, vsg_jit_load(e, type, at, 1), s->count);
    }
}

static void load_section(vsg_jit_emitter *e, const transfer *t, const section *s, loaded *out)
{
    LLVMBasicBlockRef run = vsg_jit_block(e), apart = vsg_jit_block(e), met = vsg_jit_block(e);
    uint32_t step = t->per_channel * t->memory;
    LLVMValueRef lane = vsg_jit_i32(e, 0), start, same;
    loaded ways[2];
    LLVMBasicBlockRef from[2];

    if (s->channels) {
        LLVMValueRef args[] = {s->channels, LLVMConstInt(e->i1, 0, false)};
        lane = vsg_jit_intrinsic(e, "llvm.cttz", e->i32, args, 2);
        lane = LLVMBuildAnd(e->b, lane, vsg_jit_i32(e, s->count - 1), "");
    }
    LLVMValueRef starts = LLVMBuildSub(e->b, s->addresses, steps(e, s->count, step), "");
    LLVMBuildCondBr(e->b, all_same(e, s, starts, lane, &start), run, apart);
    vsg_jit_go_on(e, run);
    load_run(e, t, s, start, &ways[0]);
    from[0] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, met);
    vsg_jit_go_on(e, apart);
    require(e, t, all_same(e, s, s->addresses, lane, &same));
    load_same(e, t, s, same, &ways[1]);
    from[1] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, met);
    vsg_jit_go_on(e, met);
    for (uint32_t v = 0; v < t->per_channel; v++) {
        LLVMValueRef values[] = {ways[0].rows[v], ways[1].rows[v]};
        out->rows[v] = LLVMBuildPhi(e->b, LLVMTypeOf(values[0]), "");
        LLVMAddIncoming(out->rows[v], values, from, 2);
    }
}

static void load_vector(vsg_jit_emitter *e, const transfer *t, const section *sections,
                        uint32_t count)
{
    loaded parts[2];

    for (uint32_t i = 0; i < count; i++)
        load_section(e, t, &sections[i], &parts[i]);
    for (uint32_t v = 0; v < t->per_channel; v++)
        write_row(e, t, v,
                  count == 1 ? parts[0].rows[v]
                             : append(e, parts[0].rows[v], parts[1].rows[v]));
}

static void move_vector(vsg_jit_emitter *e, const transfer *t)
{
    enum { MOST_IN_SECTION = 16 };
    uint32_t count = t->count > MOST_IN_SECTION ? 2 : 1;
    section sections[2];

    for (uint32_t i = 0; i < count; i++)
        sections[i] = cut(e, t, i * (t->count / count), t->count / count);
    if (t->is_store)
        store_vector(e, t, sections, count);
    else
        load_vector(e, t, sections, count);
    LLVMBuildBr(e->b, t->done);
}

/* ---- all of it --------------------------------------------------------------------------- */

static bool is_dense(const vsg_exe_message *message)
{
    for (uint32_t v = 0; v < message->num_elements; v++)
        if (message->element_at[v] != v * message->memory_bytes)
            return false;
    return true;
}

static bool is_readable(const vsg_exe_operand *operand)
{
    return operand->kind == VSG_EXE_OPERAND_REGION || operand->kind == VSG_EXE_OPERAND_IMMEDIATE;
}

static bool fits(const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;

    if (!is_slm(message) && !is_flat(message) && !is_surface(message))
        return false;
    if (message->data.is_null || message->strided || message->data.shared ||
        message->address.shared)
        return false;
    if (!message->base.is_constant && !is_readable(&message->base.operand))
        return false;
    if (message->is_block || inst->exec_size == 1)
        return message->span_bytes <= 1u << VSG_EXE_PAGE_SHIFT &&
               (!message->is_block ||
                (message->span_bytes % message->register_bytes == 0 &&
                 message->span_bytes / message->register_bytes <= VSG_EXE_MAX_CHANNELS));
    return message->num_elements <= 4 && is_dense(message);
}

static bool emit(vsg_jit_emitter *e, const vsg_exe_inst *inst, bool is_store)
{
    const vsg_exe_message *message = inst->message;
    transfer t = {.inst = inst, .message = message, .is_store = is_store};

    if (!fits(inst))
        return false;
    t.count = message->is_block ? 1 : inst->exec_size;
    t.per_channel = message->num_elements;
    t.memory = message->memory_bytes;
    t.slot = message->register_bytes;
    t.slow = vsg_jit_block(e);
    t.done = vsg_jit_block(e);
    t.channels = vsg_jit_channels(e, inst);
    read_addresses(e, &t);
    if (t.count == 1) {
        if (t.channels)
            require(e, &t, LLVMBuildTrunc(e->b, t.channels, e->i1, ""));
        if (message->is_block)
            move_block(e, &t);
        else
            move_single(e, &t);
        LLVMBuildBr(e->b, t.done);
    } else {
        move_vector(e, &t);
    }
    vsg_jit_go_on(e, t.slow);
    vsg_jit_call_handler(e, inst);
    LLVMBuildBr(e->b, t.done);
    vsg_jit_go_on(e, t.done);
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
