/* SPDX-License-Identifier: MIT
 *
 * Loads and stores of many channels, in sections of at most 16. */
#include "exec/operand.h"
#include "jit/transfer.h"

/* Channels `first` to `first + count - 1` of a transfer. Compilers lay work-items out in rows
 * of 16 (and 8), so the addresses of a whole vector may follow each other where halves do. */
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

static section cut(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t first,
                   uint32_t count)
{
    section s = {.first = first, .count = count};

    s.addresses = lanes_of(e, t->addresses, first, 1, count);
    if (t->channels) {
        s.channels = LLVMBuildLShr(e->b, t->channels, vsg_jit_i32(e, first), "");
        s.channels = LLVMBuildAnd(e->b, s.channels, vsg_jit_i32(e, vsg_exe_first(count)), "");
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
static LLVMValueRef weave(vsg_jit_emitter *e, const vsg_jit_transfer *t, const section *s,
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
static LLVMValueRef find_run(vsg_jit_emitter *e, const vsg_jit_transfer *t, const section *s)
{
    uint32_t step = t->per_channel * t->memory;
    LLVMValueRef lane = vsg_jit_i32(e, 0), start;

    if (s->channels) {
        LLVMValueRef args[] = {s->channels, LLVMConstInt(e->i1, 1, false)};
        vsg_jit_require(e, t,
                        LLVMBuildICmp(e->b, LLVMIntNE, s->channels, vsg_jit_i32(e, 0), ""));
        lane = vsg_jit_intrinsic(e, "llvm.cttz", e->i32, args, 2);
    }
    LLVMValueRef starts = LLVMBuildSub(e->b, s->addresses, steps(e, s->count, step), "");
    vsg_jit_require(e, t, all_same(e, s, starts, lane, &start));
    return vsg_jit_open_memory(e, t, start, s->count * step);
}

/* All places are found before the first store: the handler begins from the start. */
static void store_vector(vsg_jit_emitter *e, const vsg_jit_transfer *t, const section *sections,
                         uint32_t count)
{
    LLVMValueRef rows[4], host[2];

    for (uint32_t i = 0; i < count; i++)
        host[i] = find_run(e, t, &sections[i]);
    for (uint32_t v = 0; v < t->per_channel; v++)
        rows[v] = vsg_jit_read_row(e, t, v);
    for (uint32_t i = 0; i < count; i++)
        masked_store(e, weave(e, t, &sections[i], rows), host[i],
                     wide_lanes(e, &sections[i], t->per_channel));
}

/* ---- vector loads ------------------------------------------------------------------------ */

/* A section's elements, from the place where all ways to them meet. */
typedef struct loaded {
    LLVMValueRef rows[4];
} loaded;

static void load_run(vsg_jit_emitter *e, const vsg_jit_transfer *t, const section *s,
                     LLVMValueRef start, loaded *out)
{
    uint32_t elements = s->count * t->per_channel;
    LLVMValueRef host = vsg_jit_open_memory(e, t, start, elements * t->memory);
    LLVMValueRef all = masked_load(e, vsg_jit_int(e, 8 * t->memory, elements), host,
                                   wide_lanes(e, s, t->per_channel));

    for (uint32_t v = 0; v < t->per_channel; v++)
        out->rows[v] = lanes_of(e, all, v, t->per_channel, s->count);
}

/* All channels load from one place. */
static void load_same(vsg_jit_emitter *e, const vsg_jit_transfer *t, const section *s,
                      LLVMValueRef address, loaded *out)
{
    LLVMValueRef host = vsg_jit_open_memory(e, t, address, t->message->span_bytes);
    LLVMTypeRef type = vsg_jit_int(e, 8 * t->memory, 1);

    for (uint32_t v = 0; v < t->per_channel; v++) {
        LLVMValueRef at = vsg_jit_at(e, host, t->message->element_at[v]);
        out->rows[v] = vsg_jit_splat(e, vsg_jit_load(e, type, at, 1), s->count);
    }
}

static void load_section(vsg_jit_emitter *e, const vsg_jit_transfer *t, const section *s,
                         loaded *out)
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
    vsg_jit_require(e, t, all_same(e, s, s->addresses, lane, &same));
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

static void load_vector(vsg_jit_emitter *e, const vsg_jit_transfer *t, const section *sections,
                        uint32_t count)
{
    loaded parts[2];

    for (uint32_t i = 0; i < count; i++)
        load_section(e, t, &sections[i], &parts[i]);
    for (uint32_t v = 0; v < t->per_channel; v++)
        vsg_jit_write_row(e, t, v,
                          count == 1 ? parts[0].rows[v]
                                     : append(e, parts[0].rows[v], parts[1].rows[v]));
}

void vsg_jit_move_vector(vsg_jit_emitter *e, const vsg_jit_transfer *t)
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
