/* SPDX-License-Identifier: MIT
 *
 * Linear algebra. */
#include <immintrin.h>
#include <stdint.h>

#include "native.h"

void native_saxpy(void *const *args, native_range range)
{
    const float *restrict x = args[0], a = *(const float *)args[2];
    float *restrict y = args[1];

    for (size_t i = range.begin; i < range.end; i++)
        y[i] = a * x[i] + y[i];
}

void native_triad(void *const *args, native_range range)
{
    const float *restrict b = args[0], *restrict c = args[1], scale = *(const float *)args[3];
    float *restrict a = args[2];

    for (size_t i = range.begin; i < range.end; i++)
        a[i] = b[i] + scale * c[i];
}

enum { ACROSS = 16 }; /* vectors of sums in registers, in one row */

/* A row of the product after the other, as many of its columns at a time as registers hold. */
void native_sgemm_naive(void *const *args, native_range range)
{
    const float *a = args[0], *b = args[1];
    float *c = args[2];
    size_t n = (size_t) * (const int32_t *)args[3];

    for (size_t row = range.begin; row < range.end; row++) {
        for (size_t column = 0; column < n; column += 16 * ACROSS) {
            __m512 sums[ACROSS] = {0};
            for (size_t k = 0; k < n; k++) {
                __m512 factor = _mm512_set1_ps(a[row * n + k]);
                const float *from = b + k * n + column;
#pragma unroll
                for (size_t i = 0; i < ACROSS; i++)
                    sums[i] = _mm512_fmadd_ps(factor, _mm512_loadu_ps(from + 16 * i), sums[i]);
            }
            for (size_t i = 0; i < ACROSS; i++)
                _mm512_storeu_ps(c + row * n + column + 16 * i, sums[i]);
        }
    }
}

void native_dgemm(void *const *args, native_range range)
{
    const double *a = args[0], *b = args[1];
    double *c = args[2];
    size_t n = (size_t) * (const int32_t *)args[3];

    for (size_t row = range.begin; row < range.end; row++) {
        for (size_t column = 0; column < n; column += 8 * ACROSS) {
            __m512d sums[ACROSS] = {0};
            for (size_t k = 0; k < n; k++) {
                __m512d factor = _mm512_set1_pd(a[row * n + k]);
                const double *from = b + k * n + column;
#pragma unroll
                for (size_t i = 0; i < ACROSS; i++)
                    sums[i] = _mm512_fmadd_pd(factor, _mm512_loadu_pd(from + 8 * i), sums[i]);
            }
            for (size_t i = 0; i < ACROSS; i++)
                _mm512_storeu_pd(c + row * n + column + 8 * i, sums[i]);
        }
    }
}

enum { HIGH = 8, WIDE = 3, DEEP = 64 }; /* rows, vectors and depth of a block */

/* Adds `deep` steps to a block of the product that is in registers meanwhile. */
static inline __attribute__((always_inline)) void
add_block(const float *a, const float *b, float *c, size_t n, size_t deep, size_t wide)
{
    __m512 sums[HIGH][WIDE];

#pragma unroll
    for (size_t y = 0; y < HIGH; y++)
#pragma unroll
        for (size_t x = 0; x < wide; x++)
            sums[y][x] = _mm512_loadu_ps(c + y * n + 16 * x);
    for (size_t k = 0; k < deep; k++) {
        __m512 row[WIDE];
#pragma unroll
        for (size_t x = 0; x < wide; x++)
            row[x] = _mm512_loadu_ps(b + k * n + 16 * x);
#pragma unroll
        for (size_t y = 0; y < HIGH; y++)
#pragma unroll
            for (size_t x = 0; x < wide; x++)
                sums[y][x] = _mm512_fmadd_ps(_mm512_set1_ps(a[y * n + k]), row[x], sums[y][x]);
    }
#pragma unroll
    for (size_t y = 0; y < HIGH; y++)
#pragma unroll
        for (size_t x = 0; x < wide; x++)
            _mm512_storeu_ps(c + y * n + 16 * x, sums[y][x]);
}

/* By blocks, whose part of `b` stays in the first cache while the rows go by. */
void native_sgemm_tiled(void *const *args, native_range range)
{
    const float *a = args[0], *b = args[1];
    float *c = args[2];
    size_t n = (size_t) * (const int32_t *)args[3];

    for (size_t at = range.begin * n; at < range.end * n; at++)
        c[at] = 0;
    for (size_t k = 0; k < n; k += DEEP) {
        size_t deep = n - k < DEEP ? n - k : DEEP;
        for (size_t column = 0, wide; column < n; column += 16 * wide) {
            wide = n - column < 16 * WIDE ? 1 : WIDE;
            for (size_t row = range.begin; row < range.end; row += HIGH) {
                const float *left = a + row * n + k, *right = b + k * n + column;
                if (wide == WIDE)
                    add_block(left, right, c + row * n + column, n, deep, WIDE);
                else
                    add_block(left, right, c + row * n + column, n, deep, 1);
            }
        }
    }
}

/* Sums of the 16 numbers in each of 4 vectors. */
static __m128i sum_four(const __m512i *v)
{
    __m512i low =
        _mm512_add_epi32(_mm512_unpacklo_epi32(v[0], v[1]), _mm512_unpackhi_epi32(v[0], v[1]));
    __m512i high =
        _mm512_add_epi32(_mm512_unpacklo_epi32(v[2], v[3]), _mm512_unpackhi_epi32(v[2], v[3]));
    __m512i all =
        _mm512_add_epi32(_mm512_unpacklo_epi64(low, high), _mm512_unpackhi_epi64(low, high));
    __m256i half =
        _mm256_add_epi32(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1));

    return _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

static __m512i widen(const int8_t *from)
{
    return _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)from));
}

void native_dot_int8(void *const *args, native_range range)
{
    const int8_t *rows = args[0], *vector = args[1];
    int32_t *out = args[2];
    size_t bytes = 4 * (size_t) * (const int32_t *)args[3];

    for (size_t row = range.begin; row < range.end; row += 4) {
        __m512i sums[4] = {0};
        for (size_t k = 0; k < bytes; k += 32) {
            __m512i factors = widen(vector + k);
#pragma unroll
            for (size_t i = 0; i < 4; i++)
                sums[i] =
                    _mm512_dpwssd_epi32(sums[i], widen(rows + (row + i) * bytes + k), factors);
        }
        _mm_storeu_si128((__m128i *)(out + row), sum_four(sums));
    }
}

/* Sum of a row whose products are there. Most rows have no more than a vector, and a loop of as
 * many steps as there are would end where no processor expects it. */
static float sum_row(const float *products, size_t count)
{
    __m512 sum = _mm512_setzero_ps();

    for (size_t k = 0; k < count; k += 16)
        sum = _mm512_add_ps(
            sum, _mm512_maskz_loadu_ps(
                     (__mmask16)_bzhi_u32(0xffff, count - k < 16 ? (uint32_t)(count - k) : 16),
                     products + k));
    return _mm512_reduce_add_ps(sum);
}

enum { MOST_PRODUCTS = 4096 };

/* The products of some rows, 16 at a time whatever row they are of, and then the sums. */
void native_spmv(void *const *args, native_range range)
{
    const uint32_t *starts = args[0], *columns = args[1];
    const float *values = args[2], *x = args[3];
    float *y = args[4], products[MOST_PRODUCTS + 16];

    for (size_t row = range.begin, end; row < range.end; row = end) {
        size_t first = starts[row];
        for (end = row + 1; end < range.end && starts[end + 1] - first <= MOST_PRODUCTS; end++)
            continue;
        size_t count = starts[end] - first;
        if (count > MOST_PRODUCTS) { /* one long row */
            y[row] = 0;
            for (size_t k = first; k < first + count; k++)
                y[row] += values[k] * x[columns[k]];
            continue;
        }
        for (size_t k = 0; k < count; k += 16) {
            uint32_t some = count - k < 16 ? (uint32_t)(count - k) : 16;
            __mmask16 on = (__mmask16)_bzhi_u32(0xffff, some);
            __m512i column = _mm512_maskz_loadu_epi32(on, columns + first + k);
            __m512 value = _mm512_maskz_loadu_ps(on, values + first + k);
            _mm512_storeu_ps(products + k,
                             _mm512_mul_ps(value, _mm512_i32gather_ps(column, x, 4)));
        }
        for (; row < end; row++)
            y[row] = sum_row(products + (starts[row] - first), starts[row + 1] - starts[row]);
    }
}

/* 16 rows of 16 columns in four steps, each of which exchanges halves of blocks twice as large.
 */
static void transpose_block(const float *in, float *out, size_t width, size_t height)
{
    __m512 a[16], b[16];

#pragma unroll
    for (size_t i = 0; i < 16; i++)
        a[i] = _mm512_loadu_ps(in + i * width);
#pragma unroll
    for (size_t i = 0; i < 16; i += 2) {
        b[i] = _mm512_unpacklo_ps(a[i], a[i + 1]);
        b[i + 1] = _mm512_unpackhi_ps(a[i], a[i + 1]);
    }
#pragma unroll
    for (size_t i = 0; i < 16; i += 4) {
#define PAIR(n, from, how) a[i + (n)] = _mm512_shuffle_ps(b[i + (from)], b[i + (from) + 2], how)
        PAIR(0, 0, 0x44);
        PAIR(1, 0, 0xee);
        PAIR(2, 1, 0x44);
        PAIR(3, 1, 0xee);
#undef PAIR
    }
#pragma unroll
    for (size_t i = 0; i < 4; i++) {
        b[i] = _mm512_shuffle_f32x4(a[i], a[i + 4], 0x88);
        b[i + 4] = _mm512_shuffle_f32x4(a[i], a[i + 4], 0xdd);
        b[i + 8] = _mm512_shuffle_f32x4(a[i + 8], a[i + 12], 0x88);
        b[i + 12] = _mm512_shuffle_f32x4(a[i + 8], a[i + 12], 0xdd);
    }
#pragma unroll
    for (size_t i = 0; i < 8; i++) {
        _mm512_storeu_ps(out + i * height, _mm512_shuffle_f32x4(b[i], b[i + 8], 0x88));
        _mm512_storeu_ps(out + (i + 8) * height, _mm512_shuffle_f32x4(b[i], b[i + 8], 0xdd));
    }
}

void native_transpose(void *const *args, native_range range)
{
    const float *in = args[0];
    float *out = args[1];
    size_t width = (size_t) * (const int32_t *)args[2];
    size_t height = (size_t) * (const int32_t *)args[3];

    for (size_t row = range.begin; row < range.end; row += 16)
        for (size_t column = 0; column < width; column += 16)
            transpose_block(in + row * width + column, out + column * height + row, width,
                            height);
}
