/* SPDX-License-Identifier: MIT
 *
 * Searching, sorting, sums over groups, counting. */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "native.h"

enum { GROUP = 256 }; /* work-items of a group in large.def */

/* 64 keys at a time, which hides what a gather takes. Where low and high have met the
 * comparison changes nothing. */
void native_search(void *const *args, native_range range)
{
    const uint32_t *numbers = args[0], *keys = args[1];
    uint32_t *out = args[2], count = *(const uint32_t *)args[3];

    for (size_t i = range.begin; i < range.end; i += 64) {
        __m512i key[4], low[4], high[4];
        for (size_t v = 0; v < 4; v++) {
            key[v] = _mm512_loadu_si512(keys + i + 16 * v);
            low[v] = _mm512_setzero_si512();
            high[v] = _mm512_set1_epi32((int)count);
        }
        for (uint32_t left = count; left > 0; left /= 2) {
#pragma unroll
            for (size_t v = 0; v < 4; v++) {
                __mmask16 open = _mm512_cmplt_epu32_mask(low[v], high[v]);
                __m512i middle = _mm512_srli_epi32(_mm512_add_epi32(low[v], high[v]), 1);
                __m512i number = _mm512_mask_i32gather_epi32(low[v], open, middle, numbers, 4);
                __mmask16 below = _mm512_mask_cmplt_epu32_mask(open, number, key[v]);
                low[v] = _mm512_mask_sub_epi32(low[v], below, middle, _mm512_set1_epi32(-1));
                high[v] = _mm512_mask_mov_epi32(high[v], open & (__mmask16)~below, middle);
            }
        }
        for (size_t v = 0; v < 4; v++)
            _mm512_storeu_si512(out + i + 16 * v, low[v]);
    }
}

/* Distances of at least a vector. */
void native_bitonic(void *const *args, native_range range)
{
    uint32_t *numbers = args[0];
    uint32_t distance = *(const uint32_t *)args[1], block = *(const uint32_t *)args[2];

    for (size_t i = range.begin; i < range.end; i += 16) {
        size_t low = (i & ~(size_t)(distance - 1)) * 2 + (i & (distance - 1));
        __m512i a = _mm512_loadu_si512(numbers + low);
        __m512i b = _mm512_loadu_si512(numbers + low + distance);
        __m512i less = _mm512_min_epu32(a, b), more = _mm512_max_epu32(a, b);
        size_t swap = low & block ? distance : 0;
        _mm512_storeu_si512(numbers + low + swap, less);
        _mm512_storeu_si512(numbers + low + (distance - swap), more);
    }
}

void native_reduce(void *const *args, native_range range)
{
    const float *in = args[0];
    float *out = args[1];

    for (size_t i = range.begin; i < range.end; i += GROUP) {
        __m512 sums[4];
#pragma unroll
        for (size_t v = 0; v < 4; v++)
            sums[v] = _mm512_loadu_ps(in + i + 16 * v);
#pragma unroll
        for (size_t at = 64; at < GROUP; at += 16)
            sums[at / 16 % 4] = _mm512_add_ps(sums[at / 16 % 4], _mm512_loadu_ps(in + i + at));
        sums[0] = _mm512_add_ps(sums[0], sums[1]);
        sums[2] = _mm512_add_ps(sums[2], sums[3]);
        out[i / GROUP] = _mm512_reduce_add_ps(_mm512_add_ps(sums[0], sums[2]));
    }
}

#define ADD_SHIFTED(v, lanes)                                                                  \
    _mm512_add_epi32(v, _mm512_alignr_epi32(v, _mm512_setzero_si512(), 16 - (lanes)))

void native_scan(void *const *args, native_range range)
{
    const uint32_t *in = args[0];
    uint32_t *out = args[1];
    const __m512i last = _mm512_set1_epi32(15);

    for (size_t i = range.begin; i < range.end; i += GROUP) {
        __m512i before = _mm512_setzero_si512();
        for (size_t at = i; at < i + GROUP; at += 16) {
            __m512i v = _mm512_loadu_si512(in + at);
            v = ADD_SHIFTED(v, 1);
            v = ADD_SHIFTED(v, 2);
            v = ADD_SHIFTED(v, 4);
            v = ADD_SHIFTED(v, 8);
            v = _mm512_add_epi32(v, before);
            _mm512_storeu_si512(out + at, v);
            before = _mm512_permutexvar_epi32(last, v);
        }
    }
}

/* Four tables, because a count that has just been stored cannot be loaded again at once. */
void native_histogram(void *const *args, native_range range)
{
    const uint8_t *in = args[0];
    uint32_t *bins = args[1], counts[4][256] = {0};

    for (size_t i = 8 * range.begin; i < 8 * range.end; i += 8) {
        uint64_t bytes;
        memcpy(&bytes, in + i, sizeof bytes);
#pragma unroll
        for (size_t k = 0; k < 8; k++)
            counts[k % 4][bytes >> 8 * k & 255]++;
    }
    for (size_t i = 0; i < 256; i++)
        __atomic_fetch_add(&bins[i], counts[0][i] + counts[1][i] + counts[2][i] + counts[3][i],
                           __ATOMIC_RELAXED);
}
