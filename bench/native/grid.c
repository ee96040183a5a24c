/* SPDX-License-Identifier: MIT
 *
 * Grids and pictures. */
#include <immintrin.h>
#include <stdint.h>

#include "native.h"

void native_stencil(void *const *args, native_range range)
{
    const float *restrict in = args[0];
    float *restrict out = args[1];
    size_t pitch = (size_t) * (const int32_t *)args[2];

    for (size_t y = range.begin + 1; y <= range.end; y++) {
        const float *at = in + y * pitch;
        float *to = out + y * pitch;
        for (size_t x = 1; x < pitch - 1; x++)
            to[x] = 0.5f * at[x] +
                    0.125f * (at[x - 1] + at[x + 1] + (at - pitch)[x] + at[pitch + x]);
    }
}

static const int weights[5] = {1, 4, 6, 4, 1};

static long clamp(long at, long most)
{
    return at < 0 ? 0 : at > most ? most : at;
}

static uint8_t blur_one(const uint8_t *const *rows, long x, long width)
{
    int sum = 128;

    for (int dy = 0; dy < 5; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += weights[dy] * weights[dx + 2] * rows[dy][clamp(x + dx, width - 1)];
    return (uint8_t)(sum >> 8);
}

/* 32 pixels; their sums have 16 bits: 256 times 255 and 128 fit in. */
static void blur_vector(const uint8_t *const *rows, long x, uint8_t *to)
{
    __m512i sum = _mm512_set1_epi16(128);

#pragma unroll
    for (int dy = 0; dy < 5; dy++)
#pragma unroll
        for (int dx = -2; dx <= 2; dx++) {
            __m256i bytes = _mm256_loadu_si256((const __m256i *)(rows[dy] + x + dx));
            __m512i factor = _mm512_set1_epi16((short)(weights[dy] * weights[dx + 2]));
            sum =
                _mm512_add_epi16(sum, _mm512_mullo_epi16(_mm512_cvtepu8_epi16(bytes), factor));
        }
    _mm256_storeu_si256((__m256i *)(to + x), _mm512_cvtepi16_epi8(_mm512_srli_epi16(sum, 8)));
}

void native_blur(void *const *args, native_range range)
{
    const uint8_t *in = args[0];
    uint8_t *out = args[1];
    long width = *(const int32_t *)args[2], height = *(const int32_t *)args[3];

    for (long y = (long)range.begin; y < (long)range.end; y++) {
        const uint8_t *rows[5];
        uint8_t *to = out + y * width;
        long x = 2;
        for (int dy = 0; dy < 5; dy++)
            rows[dy] = in + clamp(y + dy - 2, height - 1) * width;
        to[0] = blur_one(rows, 0, width);
        to[1] = blur_one(rows, 1, width);
        for (; x + 34 <= width; x += 32)
            blur_vector(rows, x, to);
        for (; x < width; x++)
            to[x] = blur_one(rows, x, width);
    }
}

/* Two vectors of points, so that one computes while the other waits for its last product. */
void native_mandelbrot(void *const *args, native_range range)
{
    int32_t *out = args[0], most = *(const int32_t *)args[3];
    size_t width = (size_t) * (const int32_t *)args[1];
    const __m512 step = _mm512_set1_ps(*(const float *)args[2]), two = _mm512_set1_ps(2);
    const __m512 lanes = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

    for (size_t at = range.begin * width; at < range.end * width; at += 32) {
        __m512 ci = _mm512_set1_ps((float)(at / width) * *(const float *)args[2] - 1.25f);
        __m512 cr[2], zr[2] = {0}, zi[2] = {0};
        __m512i counts[2] = {0};
        __mmask16 on[2] = {0xffff, 0xffff};
        for (size_t i = 0; i < 2; i++) {
            __m512 x = _mm512_add_ps(_mm512_set1_ps((float)(at % width + 16 * i)), lanes);
            cr[i] = _mm512_sub_ps(_mm512_mul_ps(x, step), two);
        }
        for (int32_t n = 0; n < most && (on[0] | on[1]) != 0; n++) {
#pragma unroll
            for (size_t i = 0; i < 2; i++) {
                __m512 rr = _mm512_mul_ps(zr[i], zr[i]), ii = _mm512_mul_ps(zi[i], zi[i]);
                on[i] = _mm512_mask_cmp_ps_mask(on[i], _mm512_add_ps(rr, ii), _mm512_set1_ps(4),
                                                _CMP_LE_OQ);
                counts[i] =
                    _mm512_mask_sub_epi32(counts[i], on[i], counts[i], _mm512_set1_epi32(-1));
                zi[i] = _mm512_add_ps(_mm512_mul_ps(_mm512_mul_ps(two, zr[i]), zi[i]), ci);
                zr[i] = _mm512_add_ps(_mm512_sub_ps(rr, ii), cr[i]);
            }
        }
        for (size_t i = 0; i < 2; i++)
            _mm512_storeu_si512(out + at + 16 * i, counts[i]);
    }
}
