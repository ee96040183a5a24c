/* SPDX-License-Identifier: MIT
 *
 * Loads of channels that are few elements apart: a few vectors of all that lies between, and
 * the channels' elements picked out of them. */
#include "jit/lowering.h"
#include "jit/transfer.h"

/* Elements a known distance apart, in units that both their size and the distance are multiples
 * of: each lane of what is loaded is one. */
typedef struct comb {
    uint32_t unit_bytes, width, gap; /* units of an element; from one to the next */
    uint32_t num_lanes;
} comb;

enum { MOST_LANES = 4 * VSG_EXE_MAX_CHANNELS };

/* Pieces of memory of so many units each, the last one ending with the last element. */
enum { MOST_SPANS = 4 };
typedef struct spans {
    LLVMValueRef values[MOST_SPANS];
    uint32_t starts[MOST_SPANS], count, size;
} spans;

/* The unit of a lane, counted from the first one in memory. */
static uint32_t unit_at(const comb *c, uint32_t lane)
{
    return lane / c->width * c->gap + lane % c->width;
}

/* Elements of `bytes`, `step` bytes from one to the next. False: of too many units. */
static bool find_comb(uint32_t bytes, uint32_t step, uint32_t count, comb *out)
{
    uint32_t unit = bytes;

    while (step % unit != 0)
        unit /= 2;
    *out = (comb){unit, bytes / unit, step / unit, count * (bytes / unit)};
    return out->num_lanes <= MOST_LANES;
}

/* How they are cut into pieces of up to 64 bytes. False: into too many. */
static bool cut_spans(const comb *c, spans *out)
{
    uint32_t all = unit_at(c, c->num_lanes - 1) + 1;

    out->size = 64 / c->unit_bytes;
    while (out->size > all)
        out->size /= 2;
    out->count = (all + out->size - 1) / out->size;
    for (uint32_t i = 0; i < out->count && i < MOST_SPANS; i++)
        out->starts[i] = i + 1 < out->count ? i * out->size : all - out->size;
    return out->count <= MOST_SPANS;
}

/* Those of the units that two pieces have, at their lanes. */
static LLVMValueRef pick_spans(vsg_jit_emitter *e, const spans *all, const comb *c,
                               uint32_t first)
{
    LLVMValueRef places[MOST_LANES];
    uint32_t second = first + 1 < all->count ? first + 1 : first;

    for (uint32_t i = 0; i < c->num_lanes; i++) {
        uint32_t at = unit_at(c, i), piece = at / all->size;
        uint32_t span = piece < all->count ? piece : all->count - 1;
        uint32_t place = at - all->starts[span] + (span == first ? 0 : all->size);
        places[i] =
            span == first || span == second ? vsg_jit_i32(e, place) : LLVMGetPoison(e->i32);
    }
    return LLVMBuildShuffleVector(e->b, all->values[first], all->values[second],
                                  LLVMConstVector(places, c->num_lanes), "");
}

/* Lanes of the first pieces from one vector, the others from another. */
static LLVMValueRef join_spans(vsg_jit_emitter *e, const spans *all, const comb *c,
                               LLVMValueRef vectors[2])
{
    LLVMValueRef places[MOST_LANES];

    for (uint32_t i = 0; i < c->num_lanes; i++)
        places[i] = vsg_jit_i32(e, unit_at(c, i) < 2 * all->size ? i : c->num_lanes + i);
    return LLVMBuildShuffleVector(e->b, vectors[0], vectors[1],
                                  LLVMConstVector(places, c->num_lanes), "");
}

LLVMValueRef vsg_jit_load_between(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t count,
                                  LLVMValueRef host)
{
    LLVMTypeRef type;
    LLVMValueRef row, halves[2];
    spans all;
    comb c;

    if (!vsg_jit_has_avx512(e) || !find_comb(t->memory, (uint32_t)t->step, count, &c) ||
        !cut_spans(&c, &all))
        return NULL;
    type = vsg_jit_int(e, 8 * c.unit_bytes, all.size);
    for (uint32_t i = 0; i < all.count; i++)
        all.values[i] =
            vsg_jit_load(e, type, vsg_jit_at(e, host, all.starts[i] * c.unit_bytes), 1);
    row = halves[0] = pick_spans(e, &all, &c, 0);
    if (all.count > 2) {
        halves[1] = pick_spans(e, &all, &c, 2);
        row = join_spans(e, &all, &c, halves);
    }
    return LLVMBuildBitCast(e->b, row, vsg_jit_int(e, 8 * t->memory, count), "");
}
