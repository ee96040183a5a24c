/* SPDX-License-Identifier: MIT
 *
 * Arithmetic, with few accesses to memory. */
#include <immintrin.h>
#include <stdint.h>

#include "native.h"

/* Of libmvec, the vector functions of the C library. */
__m512 _ZGVeN16v_expf(__m512 x);
__m512 _ZGVeN16v_logf(__m512 x);

/* The estimate has 14 bits; a step of Newton's doubles them. */
static __m512 inverse_root(__m512 x)
{
    __m512 r = _mm512_rsqrt14_ps(x);
    __m512 half = _mm512_mul_ps(_mm512_set1_ps(0.5f), x);

    return _mm512_mul_ps(r, _mm512_fnmadd_ps(_mm512_mul_ps(half, r), r, _mm512_set1_ps(1.5f)));
}

/* 16 bodies against one after the other; twice, as each step waits for the one before. */
void native_nbody(void *const *args, native_range range)
{
    const float *bodies = args[0];
    float *out = args[1];
    size_t count = (size_t) * (const int32_t *)args[2];
    const __m512i lanes =
        _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);

    for (size_t i = range.begin; i < range.end; i += 32) {
        __m512 self[2][3], sum[2][3] = {0};
        for (size_t v = 0; v < 2; v++)
            for (size_t d = 0; d < 3; d++)
                self[v][d] = _mm512_i32gather_ps(lanes, bodies + 4 * (i + 16 * v) + d, 4);
        for (size_t k = 0; k < count; k++) {
            const float *other = bodies + 4 * k;
#pragma unroll
            for (size_t v = 0; v < 2; v++) {
                __m512 x = _mm512_sub_ps(_mm512_set1_ps(other[0]), self[v][0]);
                __m512 y = _mm512_sub_ps(_mm512_set1_ps(other[1]), self[v][1]);
                __m512 z = _mm512_sub_ps(_mm512_set1_ps(other[2]), self[v][2]);
                __m512 square = _mm512_fmadd_ps(x, x, _mm512_set1_ps(0.01f));
                square = _mm512_fmadd_ps(z, z, _mm512_fmadd_ps(y, y, square));
                __m512 r = inverse_root(square);
                __m512 f = _mm512_mul_ps(_mm512_mul_ps(_mm512_set1_ps(other[3]), r),
                                         _mm512_mul_ps(r, r));
                sum[v][0] = _mm512_fmadd_ps(x, f, sum[v][0]);
                sum[v][1] = _mm512_fmadd_ps(y, f, sum[v][1]);
                sum[v][2] = _mm512_fmadd_ps(z, f, sum[v][2]);
            }
        }
        for (size_t v = 0; v < 2; v++) {
            for (size_t d = 0; d < 3; d++)
                _mm512_i32scatter_ps(out + 4 * (i + 16 * v) + d, lanes, sum[v][d], 4);
            _mm512_i32scatter_ps(out + 4 * (i + 16 * v) + 3, lanes, _mm512_setzero_ps(), 4);
        }
    }
}

static __m512 all(float x)
{
    return _mm512_set1_ps(x);
}

static inline __m512 normal_cdf(__m512 x)
{
    __m512 k =
        _mm512_div_ps(all(1), _mm512_fmadd_ps(all(0.2316419f), _mm512_abs_ps(x), all(1)));
    __m512 poly = _mm512_fmadd_ps(k, all(1.330274429f), all(-1.821255978f));

    poly = _mm512_fmadd_ps(k, poly, all(1.781477937f));
    poly = _mm512_fmadd_ps(k, poly, all(-0.356563782f));
    poly = _mm512_mul_ps(k, _mm512_fmadd_ps(k, poly, all(0.319381530f)));
    __m512 density = _mm512_mul_ps(
        all(0.39894228f), _ZGVeN16v_expf(_mm512_mul_ps(_mm512_mul_ps(all(-0.5f), x), x)));
    __m512 beyond = _mm512_mul_ps(density, poly);
    __mmask16 negative = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_LT_OQ);
    return _mm512_mask_mov_ps(_mm512_sub_ps(all(1), beyond), negative, beyond);
}

void native_black_scholes(void *const *args, native_range range)
{
    const float *prices = args[0], *strikes = args[1], *years = args[2];
    float *calls = args[3], *puts = args[4];
    float rate = *(const float *)args[5], volatility = *(const float *)args[6];
    __m512 drift = all(rate + 0.5f * volatility * volatility);

    for (size_t i = range.begin; i < range.end; i += 16) {
        __m512 s = _mm512_loadu_ps(prices + i), x = _mm512_loadu_ps(strikes + i);
        __m512 t = _mm512_loadu_ps(years + i);
        __m512 root = _mm512_mul_ps(all(volatility), _mm512_sqrt_ps(t));
        __m512 d1 =
            _mm512_div_ps(_mm512_fmadd_ps(drift, t, _ZGVeN16v_logf(_mm512_div_ps(s, x))), root);
        __m512 discounted = _mm512_mul_ps(x, _ZGVeN16v_expf(_mm512_mul_ps(all(-rate), t)));
        __m512 c1 = normal_cdf(d1), c2 = normal_cdf(_mm512_sub_ps(d1, root));
        _mm512_storeu_ps(calls + i, _mm512_fmsub_ps(s, c1, _mm512_mul_ps(discounted, c2)));
        _mm512_storeu_ps(puts + i,
                         _mm512_fmsub_ps(discounted, _mm512_sub_ps(all(1), c2),
                                         _mm512_mul_ps(s, _mm512_sub_ps(all(1), c1))));
    }
}

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};
static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* What vpternlogd makes of three bits. */
enum { XOR_ALL = 0x96, CHOOSE = 0xca, MAJORITY = 0xe8 };

#define XOR3(a, b, c) _mm512_ternarylogic_epi32(a, b, c, XOR_ALL)
#define ADD(a, b)     _mm512_add_epi32(a, b)

static inline __m512i next_word(const __m512i *w, size_t t)
{
    __m512i x = w[(t + 1) & 15], y = w[(t + 14) & 15];
    __m512i s0 = XOR3(_mm512_ror_epi32(x, 7), _mm512_ror_epi32(x, 18), _mm512_srli_epi32(x, 3));
    __m512i s1 =
        XOR3(_mm512_ror_epi32(y, 17), _mm512_ror_epi32(y, 19), _mm512_srli_epi32(y, 10));

    return ADD(ADD(w[t & 15], s0), ADD(w[(t + 9) & 15], s1));
}

/* A step; `v` holds a to h from element -t on, round and round. */
static inline void step(__m512i *v, size_t t, __m512i word)
{
#define V(n) v[((n)-t) & 7]
    __m512i e = V(4), a = V(0);
    __m512i s1 = XOR3(_mm512_ror_epi32(e, 6), _mm512_ror_epi32(e, 11), _mm512_ror_epi32(e, 25));
    __m512i s0 = XOR3(_mm512_ror_epi32(a, 2), _mm512_ror_epi32(a, 13), _mm512_ror_epi32(a, 22));
    __m512i t1 = ADD(ADD(V(7), s1), ADD(_mm512_ternarylogic_epi32(e, V(5), V(6), CHOOSE),
                                        ADD(_mm512_set1_epi32((int)constants[t]), word)));

    V(3) = ADD(V(3), t1);
    V(7) = ADD(t1, ADD(s0, _mm512_ternarylogic_epi32(a, V(1), V(2), MAJORITY)));
#undef V
}

/* 16 blocks at a time. */
void native_sha256(void *const *args, native_range range)
{
    const uint32_t *blocks = args[0];
    uint32_t *digests = args[1];
    const __m512i lanes =
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i from = _mm512_slli_epi32(lanes, 4), to = _mm512_slli_epi32(lanes, 3);

    for (size_t i = range.begin; i < range.end; i += 16) {
        __m512i w[16], v[8];
#pragma unroll
        for (size_t t = 0; t < 16; t++)
            w[t] = _mm512_i32gather_epi32(from, blocks + 16 * i + t, 4);
#pragma unroll
        for (size_t k = 0; k < 8; k++)
            v[k] = _mm512_set1_epi32((int)initial[k]);
#pragma unroll
        for (size_t t = 0; t < 64; t++) {
            if (t >= 16)
                w[t & 15] = next_word(w, t);
            step(v, t, w[t & 15]);
        }
#pragma unroll
        for (size_t k = 0; k < 8; k++)
            _mm512_i32scatter_epi32(digests + 8 * i + k, to,
                                    ADD(v[k], _mm512_set1_epi32((int)initial[k])), 4);
    }
}
