/* SPDX-License-Identifier: MIT
 *
 * Transforms and filters. */
#include <immintrin.h>
#include <stdint.h>

#include "native.h"

static __m512 all(float x)
{
    return _mm512_set1_ps(x);
}

/* Of an angle from -pi to 0: Taylor's sums for half of it, which are near enough up to pi/2,
 * and the rules for twice an angle. */
static inline void sine_cosine(__m512 angle, __m512 *sine, __m512 *cosine)
{
    __m512 x = _mm512_mul_ps(angle, all(0.5f)), square = _mm512_mul_ps(x, x);
    __m512 s = _mm512_fmadd_ps(square, all(1.0f / 362880), all(-1.0f / 5040));
    __m512 c = _mm512_fmadd_ps(square, all(-1.0f / 3628800), all(1.0f / 40320));

    s = _mm512_fmadd_ps(square, s, all(1.0f / 120));
    s = _mm512_fmadd_ps(square, s, all(-1.0f / 6));
    s = _mm512_fmadd_ps(_mm512_mul_ps(square, x), s, x);
    c = _mm512_fmadd_ps(square, c, all(-1.0f / 720));
    c = _mm512_fmadd_ps(square, c, all(1.0f / 24));
    c = _mm512_fmadd_ps(square, c, all(-0.5f));
    c = _mm512_fmadd_ps(square, c, all(1));
    __m512 twice = _mm512_add_ps(s, s);
    *sine = _mm512_mul_ps(twice, c);
    *cosine = _mm512_fnmadd_ps(twice, s, all(1));
}

/* Real and imaginary parts of 16 numbers. */
static inline void split(const float *from, __m512 *re, __m512 *im)
{
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    __m512 a = _mm512_loadu_ps(from), b = _mm512_loadu_ps(from + 16);

    *re = _mm512_permutex2var_ps(a, even, b);
    *im = _mm512_permutex2var_ps(a, _mm512_add_epi32(even, _mm512_set1_epi32(1)), b);
}

static inline void join(float *to, __m512 re, __m512 im)
{
    const __m512i low =
        _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);

    _mm512_storeu_ps(to, _mm512_permutex2var_ps(re, low, im));
    _mm512_storeu_ps(
        to + 16, _mm512_permutex2var_ps(re, _mm512_add_epi32(low, _mm512_set1_epi32(8)), im));
}

/* Spans of at least a vector. */
void native_fft_step(void *const *args, native_range range)
{
    const float *in = args[0];
    float *out = args[1];
    uint32_t span = *(const uint32_t *)args[2];
    const __m512 lanes = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

    for (size_t i = range.begin; i < range.end; i += 16) {
        size_t k = i & (span - 1), to = ((i - k) << 1) + k;
        __m512 ar, ai, br, bi, s, c;
        __m512 step = _mm512_add_ps(all((float)k), lanes);
        split(in + 2 * i, &ar, &ai);
        split(in + 2 * (i + range.total), &br, &bi);
        sine_cosine(_mm512_mul_ps(step, all(-3.14159265f / (float)span)), &s, &c);
        __m512 tr = _mm512_fmsub_ps(br, c, _mm512_mul_ps(bi, s));
        __m512 ti = _mm512_fmadd_ps(br, s, _mm512_mul_ps(bi, c));
        join(out + 2 * to, _mm512_add_ps(ar, tr), _mm512_add_ps(ai, ti));
        join(out + 2 * (to + span), _mm512_sub_ps(ar, tr), _mm512_sub_ps(ai, ti));
    }
}

void native_convolve_half(void *const *args, native_range range)
{
    const uint16_t *in = args[0], *weights = args[1];
    uint16_t *out = args[2];
    float factors[16];

    _mm512_storeu_ps(factors, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)weights)));
    for (size_t i = range.begin; i < range.end; i += 16) {
        __m512 sums[2] = {0};
#pragma unroll
        for (size_t k = 0; k < 16; k++) {
            __m256i halves = _mm256_loadu_si256((const __m256i *)(in + i + k));
            sums[k % 2] =
                _mm512_fmadd_ps(_mm512_cvtph_ps(halves), all(factors[k]), sums[k % 2]);
        }
        _mm256_storeu_si256((__m256i *)(out + i),
                            _mm512_cvtps_ph(_mm512_add_ps(sums[0], sums[1]),
                                            _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    }
}
