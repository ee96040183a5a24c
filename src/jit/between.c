/* SPDX-License-Identifier: MIT
 *
 * Loads of channels that are few elements apart: a few vectors of all that lies between, and
 * the channels' elements picked out of them. */
#include "jit/lowering.h"
#include "jit/transfer.h"

/* Pieces of memory of so many elements each, the last one ending with the last element. */
enum { MOST_SPANS = 4 };
typedef struct spans {
    LLVMValueRef values[MOST_SPANS];
    uint32_t starts[MOST_SPANS], count, size;
} spans;

/* How `count` elements, `gap` of them from one to the next, are cut into pieces of up to 64
 * bytes. False: into too many. */
static bool cut_spans(uint32_t element_bytes, uint32_t gap, uint32_t count, spans *out)
{
    uint32_t all = (count - 1) * gap + 1;

    out->size = 64 / element_bytes;
    while (out->size > all)
        out->size /= 2;
    out->count = (all + out->size - 1) / out->size;
    for (uint32_t i = 0; i < out->count && i < MOST_SPANS; i++)
        out->starts[i] = i + 1 < out->count ? i * out->size : all - out->size;
    return out->count <= MOST_SPANS;
}

/* Those of the elements that two pieces have, at their lanes. */
static LLVMValueRef pick_spans(vsg_jit_emitter *e, const spans *all, uint32_t first,
                               uint32_t gap, uint32_t count)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS];
    uint32_t second = first + 1 < all->count ? first + 1 : first;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i * gap, piece = at / all->size;
        uint32_t span = piece < all->count ? piece : all->count - 1;
        uint32_t place = at - all->starts[span] + (span == first ? 0 : all->size);
        places[i] =
            span == first || span == second ? vsg_jit_i32(e, place) : LLVMGetPoison(e->i32);
    }
    return LLVMBuildShuffleVector(e->b, all->values[first], all->values[second],
                                  LLVMConstVector(places, count), "");
}

/* Lanes of the first pieces from one vector, the others from another. */
static LLVMValueRef join_spans(vsg_jit_emitter *e, const spans *all, LLVMValueRef vectors[2],
                               uint32_t gap, uint32_t count)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_i32(e, i * gap < 2 * all->size ? i : count + i);
    return LLVMBuildShuffleVector(e->b, vectors[0], vectors[1], LLVMConstVector(places, count),
                                  "");
}

LLVMValueRef vsg_jit_load_between(vsg_jit_emitter *e, const vsg_jit_transfer *t, uint32_t count,
                                  LLVMValueRef host)
{
    uint32_t gap = (uint32_t)t->step / t->memory;
    LLVMTypeRef type;
    LLVMValueRef halves[2];
    spans all;

    if (!vsg_jit_has_avx512(e) || (uint32_t)t->step % t->memory != 0 ||
        !cut_spans(t->memory, gap, count, &all))
        return NULL;
    type = vsg_jit_int(e, 8 * t->memory, all.size);
    for (uint32_t i = 0; i < all.count; i++)
        all.values[i] =
            vsg_jit_load(e, type, vsg_jit_at(e, host, all.starts[i] * t->memory), 1);
    halves[0] = pick_spans(e, &all, 0, gap, count);
    if (all.count <= 2)
        return halves[0];
    halves[1] = pick_spans(e, &all, 2, gap, count);
    return join_spans(e, &all, halves, gap, count);
}
