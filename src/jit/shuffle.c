/* SPDX-License-Identifier: MIT */
#include "jit/shuffle.h"

LLVMValueRef vsg_jit_take_lanes(vsg_jit_emitter *e, LLVMValueRef vector, uint32_t first,
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

LLVMValueRef vsg_jit_turn_round(vsg_jit_emitter *e, LLVMValueRef vector)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS * 4];
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(vector));

    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_i32(e, count - 1 - i);
    return LLVMBuildShuffleVector(e->b, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(places, count), "");
}

LLVMValueRef vsg_jit_append(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b)
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

LLVMValueRef vsg_jit_append_all(vsg_jit_emitter *e, const LLVMValueRef *vectors, uint32_t count,
                                uint32_t step)
{
    LLVMValueRef all[VSG_EXE_MAX_CHANNELS] = {NULL};

    for (uint32_t i = 0; i < count / step; i++)
        all[i] = vectors[i * step];
    for (uint32_t left = count / step; left > 1; left /= 2)
        for (uint32_t i = 0; i < left / 2; i++)
            all[i] = vsg_jit_append(e, all[2 * i], all[2 * i + 1]);
    return all[0];
}

/* The same four of each four elements of two vectors and the four at their place: below 4 those
 * of `a`, then those of `b`. Hosts do that to 16 bytes each in an instruction. */
static LLVMValueRef pick(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b,
                         const uint8_t four[4])
{
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(a));
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_i32(e, i / 4 * 4 + four[i % 4] % 4 + four[i % 4] / 4 * count);
    return LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(places, count), "");
}

void vsg_jit_transpose_fours(vsg_jit_emitter *e, const LLVMValueRef in[4], LLVMValueRef out[4])
{
    static const uint8_t low[] = {0, 4, 1, 5}, high[] = {2, 6, 3, 7};
    static const uint8_t first[] = {0, 1, 4, 5}, second[] = {2, 3, 6, 7};
    LLVMValueRef a = pick(e, in[0], in[1], low), b = pick(e, in[2], in[3], low);
    LLVMValueRef c = pick(e, in[0], in[1], high), d = pick(e, in[2], in[3], high);

    out[0] = pick(e, a, b, first);
    out[1] = pick(e, a, b, second);
    out[2] = pick(e, c, d, first);
    out[3] = pick(e, c, d, second);
}

/* With each fourth channel in a vector, blocks do not mix; LLVM would not find that. */
void vsg_jit_to_four_rows(vsg_jit_emitter *e, const LLVMValueRef *channels, uint32_t count,
                          LLVMValueRef rows[4])
{
    LLVMValueRef blocks[4];

    for (uint32_t i = 0; i < 4; i++)
        blocks[i] = vsg_jit_append_all(e, channels + i, count, 4);
    vsg_jit_transpose_fours(e, blocks, rows);
}

LLVMValueRef vsg_jit_interleave(vsg_jit_emitter *e, const LLVMValueRef *vectors,
                                uint32_t repeat)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS * 4], all = vectors[0];
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(all));

    if (repeat == 1)
        return all;
    for (uint32_t v = 1; v < repeat; v++)
        all = vsg_jit_append(e, all, vectors[v]);
    for (uint32_t i = 0; i < count * repeat; i++)
        places[i] = vsg_jit_i32(e, i % repeat * count + i / repeat);
    return LLVMBuildShuffleVector(e->b, all, LLVMGetPoison(LLVMTypeOf(all)),
                                  LLVMConstVector(places, count * repeat), "");
}

/* Those of each pair that are `distance` apart change blocks of that size. */
void vsg_jit_transpose(vsg_jit_emitter *e, LLVMValueRef *rows, uint32_t count)
{
    LLVMValueRef low[VSG_EXE_MAX_CHANNELS], high[VSG_EXE_MAX_CHANNELS];

    for (uint32_t distance = count / 2; distance > 0; distance /= 2) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t block = i & distance;
            low[i] = vsg_jit_i32(e, block ? count + i - distance : i);
            high[i] = vsg_jit_i32(e, block ? count + i : i + distance);
        }
        LLVMValueRef to_low = LLVMConstVector(low, count),
                     to_high = LLVMConstVector(high, count);
        for (uint32_t i = 0; i < count; i++) {
            if (i & distance)
                continue;
            LLVMValueRef a = rows[i], b = rows[i + distance];
            rows[i] = LLVMBuildShuffleVector(e->b, a, b, to_low, "");
            rows[i + distance] = LLVMBuildShuffleVector(e->b, a, b, to_high, "");
        }
    }
}
