/* SPDX-License-Identifier: MIT
 *
 * Body of exec_texels.c, exec_texels_v3.c and exec_texels_v4.c; see texel_lanes.h. Defines
 * lanes_of(). What a texel is to sampler.c and format.c, one at a time, it is here, to the bit.
 * Vectors are the compiler's (GCC, Vector Extensions): hosts wait where numbers are stored one
 * by one and loaded eight at a time, as they are where compilers make vectors of loops. */
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "exec/convert.h"
#include "exec/format_facts.h"
#include "exec/math_bits.h"

#define INLINE static inline __attribute__((always_inline))

enum { N = VSG_EXE_TEXEL_LANES, MOST_DWORDS = 4 };

typedef float floats __attribute__((vector_size(4 * N)));
typedef int32_t ints __attribute__((vector_size(4 * N)));
typedef uint32_t words __attribute__((vector_size(4 * N)));
typedef uint32_t half_words __attribute__((vector_size(2 * N)));
typedef int64_t pairs __attribute__((vector_size(4 * N)));
typedef uint64_t qwords __attribute__((vector_size(4 * N)));
typedef uint8_t byte_row __attribute__((vector_size(N)));
typedef uint16_t short_row __attribute__((vector_size(2 * N)));

#define JOIN(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)

/* Numbers of 64 bits are as many as a register of the host's has: those of all channels, or of
 * half of them. Compilers convert vectors of different sizes by halves, if they are not told
 * the instruction. */
#if defined(__AVX512F__)
enum { PARTS = 1 };
#define SPLIT(v)                                                                               \
    {                                                                                          \
        v                                                                                      \
    }
#define TOGETHER(parts)      (parts)[0]
#define FLOATS_TO_DOUBLES(v) (part_doubles) _mm512_cvtps_pd((__m256)(v))
#define INTS_TO_DOUBLES(v)   (part_doubles) _mm512_cvtepi32_pd((__m256i)(v))
#define DOUBLES_TO_FLOATS(v) (part_floats) _mm512_cvtpd_ps((__m512d)(v))
#define DOUBLES_TO_INTS(v)   (part_ints) _mm512_cvttpd_epi32((__m512d)(v))
#define LONGS_TO_INTS(v)     (part_ints) _mm512_cvtepi64_epi32((__m512i)(v))
#else
enum { PARTS = 2 };
#define SPLIT(v)                                                                               \
    {                                                                                          \
        __builtin_shufflevector(v, v, 0, 1, 2, 3), __builtin_shufflevector(v, v, 4, 5, 6, 7)   \
    }
#define TOGETHER(parts)      JOIN((parts)[0], (parts)[1])
#define FLOATS_TO_DOUBLES(v) __builtin_convertvector(v, part_doubles)
#define INTS_TO_DOUBLES(v)   __builtin_convertvector(v, part_doubles)
#define DOUBLES_TO_FLOATS(v) __builtin_convertvector(v, part_floats)
#define DOUBLES_TO_INTS(v)   __builtin_convertvector(v, part_ints)
#define LONGS_TO_INTS(v)     __builtin_convertvector(v, part_ints)
#endif
typedef float part_floats __attribute__((vector_size(4 * N / PARTS)));
typedef int32_t part_ints __attribute__((vector_size(4 * N / PARTS)));
typedef double part_doubles __attribute__((vector_size(8 * N / PARTS)));
typedef int64_t part_longs __attribute__((vector_size(8 * N / PARTS)));

/* A double of each channel. */
typedef struct doubles {
    part_doubles part[PARTS];
} doubles;

/* `a` where the mask has all bits, else `b`. */
#define CHOOSE(type, mask, a, b) ((type)(((ints)(a) & (mask)) | ((ints)(b) & ~(mask))))

/* ---- along an axis ----------------------------------------------------------------------- */

/* The texels that count along one axis, the second one for filters: how far into the image they
 * are, and which of them are the border's. */
typedef struct along {
    words offset[2];
    ints outside[2];
    doubles weight[2];
} along;

/* To the next lower number, and to the nearest, even one of two; what is that large is one. */
INLINE void round_down(floats *x)
{
    const floats large = (floats){0} + 0x1p30f;
    ints is_small = (*x < large) & (*x > -large);
    floats near = CHOOSE(floats, is_small, *x, (floats){0});
    ints low = __builtin_convertvector(near, ints);

    low += __builtin_convertvector(low, floats) > near;
    *x = CHOOSE(floats, is_small, __builtin_convertvector(low, floats), *x);
}

INLINE void round_even(floats *x)
{
    const floats push = (floats){0} + 0x1p23f; /* no fractions from there on */
    const ints magnitude = (ints){0} + INT32_MAX;
    floats size = (floats)((ints)*x & magnitude);
    floats rounded = (size + push) - push;

    rounded = CHOOSE(floats, size < push, rounded, size);
    *x = CHOOSE(floats, magnitude, rounded, *x);
}

/* As in_texels() of sampler.c. */
INLINE void find_place(const vsg_exe_sampler *sampler, uint32_t axis, uint32_t size,
                       const uint8_t *from, floats *out)
{
    const floats farthest = (floats){0} + 0x1p30f, texels = (floats){0} + (float)size;
    const ints magnitude = (ints){0} + INT32_MAX;
    floats u, whole;

    memcpy(&u, from, sizeof u);
    if (sampler->normalized) {
        if (sampler->addressing[axis] == VSG_EXE_ADDRESSING_REPEAT) {
            whole = u;
            round_down(&whole);
            u = u - whole;
        } else if (sampler->addressing[axis] == VSG_EXE_ADDRESSING_MIRROR) {
            whole = 0.5f * u;
            round_even(&whole);
            u = (floats)((ints)(u - 2 * whole) & magnitude);
        }
        u *= texels;
    }
    u = (floats)((ints)u & (u == u));
    u = CHOOSE(floats, u > -farthest, u, -farthest);
    *out = CHOOSE(floats, u < farthest, u, farthest);
}

INLINE void find_nearest(const floats *u, ints *texel)
{
    ints low = __builtin_convertvector(*u, ints);

    *texel = low + (__builtin_convertvector(low, floats) > *u);
}

/* The lower one of two texels, and the weights of both. */
INLINE void find_two(const floats *u, ints *texel, doubles weight[2])
{
    part_floats parts[PARTS] = SPLIT(*u);
    part_ints low[PARTS];

    for (uint32_t i = 0; i < PARTS; i++) {
        part_doubles at = FLOATS_TO_DOUBLES(parts[i]) - 0.5;
        low[i] = DOUBLES_TO_INTS(at);
        part_longs is_above = INTS_TO_DOUBLES(low[i]) > at;
        low[i] += LONGS_TO_INTS(is_above);
        weight[1].part[i] = at - INTS_TO_DOUBLES(low[i]);
        weight[0].part[i] = 1 - weight[1].part[i];
    }
    *texel = TOGETHER(low);
}

/* Takes texels beside the image into it; notes those that are the border's instead. */
INLINE void put_into(vsg_exe_addressing mode, int32_t size, ints *texel, ints *outside)
{
    const ints all = (ints){0} + size, last = all - 1, none = {0};
    ints at = *texel;

    if (mode == VSG_EXE_ADDRESSING_BORDER)
        *outside |= (at < none) | (at > last);
    if (mode == VSG_EXE_ADDRESSING_REPEAT) {
        at += all & (at < none);
        at -= all & (at > last);
    }
    if (mode == VSG_EXE_ADDRESSING_MIRROR_ONCE)
        at ^= at < none; /* -1 - i */
    at &= at > none;
    *texel = CHOOSE(ints, at < last, at, last);
}

/* The same, and how far into the image they are. */
INLINE void put_along(const vsg_exe_texel_level *level, uint32_t axis, vsg_exe_addressing mode,
                      const ints *texel, words *offset, ints *outside)
{
    ints inside = *texel;

    *outside = (ints){0};
    put_into(mode, (int32_t)level->size[axis], &inside, outside);
    *offset = (words)inside * level->step_bytes[axis];
}

/* ---- texels ------------------------------------------------------------------------------ */

/* The texels' bytes. */
typedef struct raw_texels {
    words dword[MOST_DWORDS];
} raw_texels;

INLINE bool is_any(const ints *mask)
{
    pairs all = (pairs)*mask;

    return (all[0] | all[1] | all[2] | all[3]) != 0;
}

/* Does each texel follow the one before? */
INLINE bool is_row(const words *offset, uint32_t texel_bytes)
{
    const words steps = {0, 1, 2, 3, 4, 5, 6, 7};
    ints differ = (ints)(((words){0} + (*offset)[0] + steps * texel_bytes) ^ *offset);

    return !is_any(&differ);
}

#define EACH_LANE(f)                                                                           \
    {                                                                                          \
        f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)                                         \
    }

/* Texels of one number each. */
INLINE void read_bytes(const uint8_t *memory, const words *offset, words *out)
{
#define BYTE(n) memory[(*offset)[n]]
    byte_row row = EACH_LANE(BYTE);
#undef BYTE

    *out = __builtin_convertvector(row, words);
}

INLINE void read_shorts(const uint8_t *memory, const words *offset, words *out)
{
#define SHORT(n) (uint16_t) vsg_exe_get_bits(memory + (*offset)[n], 16)
    short_row row = EACH_LANE(SHORT);
#undef SHORT

    *out = __builtin_convertvector(row, words);
}

INLINE void read_dwords(const uint8_t *memory, const words *offset, words *out)
{
    if (is_row(offset, sizeof(uint32_t))) {
        memcpy(out, memory + (*offset)[0], sizeof *out);
        return;
    }
#define DWORD(n) vsg_exe_get_bits(memory + (*offset)[n], 32)
    *out = (words)EACH_LANE(DWORD);
#undef DWORD
}

INLINE uint64_t qword_at(const uint8_t *from)
{
    uint64_t qword;

    memcpy(&qword, from, sizeof qword);
    return qword;
}

/* Texels of two and of four: as many of a few as a vector holds, and turned. */
INLINE void read_pairs(const uint8_t *memory, const words *offset, words out[2])
{
#define PAIR(n) qword_at(memory + (*offset)[n])
    words even = (words)(qwords){PAIR(0), PAIR(1), PAIR(4), PAIR(5)};
    words odd = (words)(qwords){PAIR(2), PAIR(3), PAIR(6), PAIR(7)};
#undef PAIR

    out[0] = __builtin_shufflevector(even, odd, 0, 2, 8, 10, 4, 6, 12, 14);
    out[1] = __builtin_shufflevector(even, odd, 1, 3, 9, 11, 5, 7, 13, 15);
}

#define LOW_DWORDS(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH_DWORDS(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define LOW_PAIRS(a, b)   __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HIGH_PAIRS(a, b)  __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)

/* Of two halves four by four numbers each, rows become columns. */
INLINE void turn(words rows[4])
{
    words a = LOW_DWORDS(rows[0], rows[1]), b = LOW_DWORDS(rows[2], rows[3]);
    words c = HIGH_DWORDS(rows[0], rows[1]), d = HIGH_DWORDS(rows[2], rows[3]);

    rows[0] = LOW_PAIRS(a, b);
    rows[1] = HIGH_PAIRS(a, b);
    rows[2] = LOW_PAIRS(c, d);
    rows[3] = HIGH_PAIRS(c, d);
}

INLINE void read_fours(const uint8_t *memory, const words *offset, words out[4])
{
    for (uint32_t n = 0; n < 4; n++) {
        half_words lower, upper;
        memcpy(&lower, memory + (*offset)[n], sizeof lower);
        memcpy(&upper, memory + (*offset)[n + 4], sizeof upper);
        out[n] = JOIN(lower, upper);
    }
    turn(out);
}

INLINE void read_raw(const uint8_t *memory, uint32_t texel_bytes, const words *offset,
                     raw_texels *out)
{
    switch (texel_bytes) {
    case 1:
        read_bytes(memory, offset, &out->dword[0]);
        break;
    case 2:
        read_shorts(memory, offset, &out->dword[0]);
        break;
    case 4:
        read_dwords(memory, offset, &out->dword[0]);
        break;
    case 8:
        read_pairs(memory, offset, out->dword);
        break;
    default:
        read_fours(memory, offset, out->dword);
        break;
    }
}

/* To the nearest float, as quotient() of format.c has it. What the product with the reciprocal
 * is short of is exact in one operation, and makes it the quotient: all of 16 bits are. */
INLINE void find_quotient(const floats *number, float by, floats *out)
{
#if defined(__FMA__)
    const floats reciprocal = (floats){0} + 1 / by, minus = (floats){0} - by;
    floats near = *number * reciprocal;
    floats rest = (floats)_mm256_fmadd_ps((__m256)near, (__m256)minus, (__m256)*number);

    *out = (floats)_mm256_fmadd_ps((__m256)rest, (__m256)reciprocal, (__m256)near);
#else
    *out = *number / by;
#endif
}

INLINE void divide(const ints *parts, int32_t largest, words *out)
{
    const ints least = (ints){0} - largest;
    ints kept = CHOOSE(ints, *parts > least, *parts, least);

    floats number = __builtin_convertvector(kept, floats);
    find_quotient(&number, (float)largest, (floats *)out);
}

/* vsg_exe_widen_half() of each. */
INLINE void widen_halves(words *all)
{
    words rest = *all & 0x7fff, sign = (*all & 0x8000) << 16;
    words special = VSG_EXE_FLOAT_INF | rest << 13;
    floats small = __builtin_convertvector((ints)rest, floats) * 0x1p-24f;
    words normal = (rest << 13) + (112u << 23);

    special |= (words)((ints)rest > 0x7c00) & VSG_EXE_FLOAT_QUIET;
    normal = CHOOSE(words, (ints)rest < 0x0400, (words)small, normal);
    *all = CHOOSE(words, (ints)rest >= 0x7c00, special, normal) | sign;
}

/* Component `c` of each texel. */
INLINE void widen(const vsg_exe_format_info *format, uint32_t c, const raw_texels *raw,
                  words *out)
{
    const uint32_t kind = format->kind, bits = format->bits;
    int32_t place = format->order->place[c];
    bool is_integer = vsg_exe_format_is_integer(format);

    if (place < 0) {
        *out = (words){0} + (c < 3 ? 0 : is_integer ? 1 : vsg_exe_float_bits(1));
        return;
    }
    uint32_t at = (uint32_t)place * bits, shift = at % 32;
    words own = raw->dword[at / 32];
    ints parts = (ints)(own << (32 - bits - shift)) >> (32 - bits);
    own = own << (32 - bits - shift) >> (32 - bits);
    if (kind == VSG_EXE_FORMAT_KIND_UNORM)
        divide((ints *)&own, (int32_t)(UINT32_MAX >> (32 - bits)), out);
    else if (kind == VSG_EXE_FORMAT_KIND_SNORM)
        divide(&parts, (int32_t)(UINT32_MAX >> (33 - bits)), out);
    else
        *out = kind == VSG_EXE_FORMAT_KIND_SINT ? (words)parts : own;
    if (kind == VSG_EXE_FORMAT_KIND_FLOAT && bits == 16)
        widen_halves(out);
}

/* Where texels are, and which of them are the border's; border: NULL where none is. */
typedef struct places {
    words offset;
    ints outside;
    const uint32_t *border;
} places;

INLINE void read_texels(const uint8_t *memory, const vsg_exe_format_info *format,
                        const places *at, uint8_t *const wanted[4], words out[4])
{
    raw_texels raw;

    read_raw(memory, format->texel_bytes, &at->offset, &raw);
    for (uint32_t c = 0; c < 4; c++) {
        out[c] = (words){0};
        if (!wanted[c])
            continue;
        widen(format, c, &raw, &out[c]);
        if (at->border)
            out[c] = CHOOSE(words, at->outside, (words){0} + at->border[c], out[c]);
    }
}

/* All bits of the channels that are on. */
INLINE void spread_channels(uint32_t channels, ints *on)
{
    const words bits = {1, 2, 4, 8, 16, 32, 64, 128};

    *on = (ints)((((words){0} + channels) & bits) != 0);
}

INLINE bool are_all_on(uint32_t channels)
{
    const uint32_t all = (1u << N) - 1;

    return (channels & all) == all;
}

INLINE void put_colours(const words colours[4], uint32_t channels, uint8_t *const to[4])
{
    words old;
    ints on;

    spread_channels(channels, &on);
    for (uint32_t c = 0; c < 4; c++) {
        if (!to[c])
            continue;
        words own = colours[c];
        if (!are_all_on(channels)) {
            memcpy(&old, to[c], sizeof old);
            own = CHOOSE(words, on, own, old);
        }
        memcpy(to[c], &own, sizeof own);
    }
}

/* ---- samples ----------------------------------------------------------------------------- */

/* The border, NULL where no sample can reach it. */
INLINE const uint32_t *find_border(const vsg_exe_texel_level *level,
                                   const vsg_exe_sampler *sampler, uint32_t axes,
                                   uint32_t colour[4])
{
    bool is_there = false;

    for (uint32_t a = 0; a < axes; a++)
        is_there |= sampler->addressing[a] == VSG_EXE_ADDRESSING_BORDER;
    if (is_there)
        vsg_exe_texel_colour(level->format, sampler->border, colour);
    return is_there ? colour : NULL;
}

INLINE void sample_nearest(const vsg_exe_texel_level *level, const vsg_exe_format_info *format,
                           uint32_t axes, const vsg_exe_sampler *sampler,
                           const uint8_t *const at[3], uint8_t *const wanted[4],
                           words colours[4])
{
    uint32_t colour[4];
    places here = {.border = find_border(level, sampler, axes, colour)};

    for (uint32_t a = 0; a < axes; a++) {
        words step;
        floats u;
        ints texel, beside;
        find_place(sampler, a, level->size[a], at[a], &u);
        find_nearest(&u, &texel);
        put_along(level, a, (vsg_exe_addressing)sampler->addressing[a], &texel, &step, &beside);
        here.offset += step;
        here.outside |= beside;
    }
    read_texels(level->memory, format, &here, wanted, colours);
}

/* Texels without weight do not count, whatever is in them: of infinities, and of what is none
 * of the numbers, nothing would be left by it. */
INLINE void add_weighted(bool is_finite, const doubles *weight, const words *colour,
                         doubles *sum)
{
    part_floats parts[PARTS] = SPLIT(((floats)*colour));

    for (uint32_t i = 0; i < PARTS; i++) {
        part_doubles own = weight->part[i] * FLOATS_TO_DOUBLES(parts[i]);
        part_longs counts = weight->part[i] > 0;
        part_doubles more = sum->part[i] + own;
        if (!is_finite)
            more = (part_doubles)(((part_longs)more & counts) |
                                  ((part_longs)sum->part[i] & ~counts));
        sum->part[i] = more;
    }
}

INLINE void find_both(const vsg_exe_texel_level *level, const vsg_exe_sampler *sampler,
                      uint32_t axis, const uint8_t *at, along *out)
{
    floats u;
    ints texel;

    find_place(sampler, axis, level->size[axis], at, &u);
    find_two(&u, &texel, out->weight);
    for (uint32_t side = 0; side < 2; side++) {
        put_along(level, axis, (vsg_exe_addressing)sampler->addressing[axis], &texel,
                  &out->offset[side], &out->outside[side]);
        texel += 1;
    }
}

/* The place and weight of one corner of those that a filter looks at; `sides`: a bit for each
 * axis. */
INLINE void find_corner(const along axis[3], uint32_t axes, uint32_t sides, places *at,
                        doubles *weight)
{
    const along *first = &axis[0];
    uint32_t side = sides & 1;

    at->offset = first->offset[side];
    at->outside = first->outside[side];
    *weight = first->weight[side];
    for (uint32_t a = 1; a < axes; a++) {
        side = sides >> a & 1;
        at->offset += axis[a].offset[side];
        at->outside |= axis[a].outside[side];
        for (uint32_t i = 0; i < PARTS; i++)
            weight->part[i] *= axis[a].weight[side].part[i];
    }
}

INLINE void sample_linear(const vsg_exe_texel_level *level, const vsg_exe_format_info *format,
                          uint32_t axes, const vsg_exe_sampler *sampler,
                          const uint8_t *const at[3], uint8_t *const wanted[4],
                          words colours[4])
{
    uint32_t colour[4];
    places here = {.border = find_border(level, sampler, axes, colour)};
    bool is_finite = !here.border && format->kind != VSG_EXE_FORMAT_KIND_FLOAT;
    doubles sum[4], weight;
    along axis[3];

    memset(sum, 0, sizeof sum);
    for (uint32_t a = 0; a < axes; a++)
        find_both(level, sampler, a, at[a], &axis[a]);
    for (uint32_t i = 0; i < 1u << axes; i++) {
        words texels[4];
        find_corner(axis, axes, i, &here, &weight);
        read_texels(level->memory, format, &here, wanted, texels);
        for (uint32_t c = 0; c < 4; c++)
            if (wanted[c])
                add_weighted(is_finite, &weight, &texels[c], &sum[c]);
    }
    for (uint32_t c = 0; c < 4; c++) {
        part_floats parts[PARTS];
        for (uint32_t i = 0; i < PARTS; i++)
            parts[i] = DOUBLES_TO_FLOATS(sum[c].part[i]);
        colours[c] = (words)TOGETHER(parts);
        colours[c] = CHOOSE(words, (floats)colours[c] == (floats)colours[c], colours[c],
                            (words){0} + (VSG_EXE_FLOAT_INF | VSG_EXE_FLOAT_QUIET));
    }
}

INLINE void sample_as(const vsg_exe_texel_level *level, const vsg_exe_format_info *format,
                      uint32_t axes, const vsg_exe_sampler *sampler, bool is_linear,
                      const uint8_t *const at[3], uint32_t channels, uint8_t *const to[4])
{
    words colours[4];

    if (is_linear)
        sample_linear(level, format, axes, sampler, at, to, colours);
    else
        sample_nearest(level, format, axes, sampler, at, to, colours);
    put_colours(colours, channels, to);
}

/* ---- by number --------------------------------------------------------------------------- */

INLINE void find_texels(const vsg_exe_texel_level *level, uint32_t axes,
                        const uint8_t *const at[3], places *out)
{
    *out = (places){0};
    for (uint32_t a = 0; a < axes; a++) {
        words step;
        ints texel, beside;
        memcpy(&texel, at[a], sizeof texel);
        put_along(level, a, VSG_EXE_ADDRESSING_BORDER, &texel, &step, &beside);
        out->offset += step;
        out->outside |= beside;
    }
}

INLINE void fetch_as(const vsg_exe_texel_level *level, const vsg_exe_format_info *format,
                     uint32_t axes, const uint32_t border[4], const uint8_t *const at[3],
                     uint32_t channels, uint8_t *const to[4])
{
    words colours[4];
    places here;

    find_texels(level, axes, at, &here);
    here.border = border;
    read_texels(level->memory, format, &here, to, colours);
    put_colours(colours, channels, to);
}

/* Floats as parts of `largest`, as fixed_point() of format.c: what is exact in double is
 * rounded as its last places are pushed out. */
INLINE void as_parts(const words *colour, float least, uint32_t largest, words *out)
{
    const part_doubles push = (part_doubles){0} + 0x1.8p52;
    const floats lowest = (floats){0} + least, one = (floats){0} + 1.0f;
    part_ints parts[PARTS];
    floats x = (floats)*colour;

    x = (floats)((ints)x & (x == x));
    x = CHOOSE(floats, x > lowest, x, lowest);
    x = CHOOSE(floats, x < one, x, one);
    part_floats value[PARTS] = SPLIT(x);
    for (uint32_t i = 0; i < PARTS; i++) {
        part_doubles product = FLOATS_TO_DOUBLES(value[i]) * largest + push;
        parts[i] = LONGS_TO_INTS((part_longs)product);
    }
    *out = (words)TOGETHER(parts);
}

/* vsg_exe_narrow_half() of each, to nearest. */
INLINE void narrow_floats(words *all)
{
    enum {
        LEAST_NORMAL = 113 << 23,
        END = 143 << 23,
        PUSH = 150 << 23
    }; /* 2**-14, 2**16, 2**23 */
    words size = *all & INT32_MAX, sign = *all >> 16 & 0x8000;
    words rest = size - (112u << 23); /* an exponent of halves */
    words normal = (rest + 0xfff + (rest >> 13 & 1)) >> 13;
    /* Halves below them are as far apart as floats from 2**23 on, times 2**24. */
    floats pushed = (floats)size * 0x1p24f + 0x1p23f;
    words special = (words)((ints)size > (int32_t)VSG_EXE_FLOAT_INF);
    words large = 0x7c00 | (special & ((size >> 13 & 0x3ff) | 0x200));

    normal = CHOOSE(words, (ints)size < LEAST_NORMAL, (words)pushed - PUSH, normal);
    *all = CHOOSE(words, (ints)size >= END, large, normal) | sign;
}

/* A component of each texel as the bits that are stored. */
INLINE void narrow(const vsg_exe_format_info *format, const words *colour, words *out)
{
    const uint32_t all = UINT32_MAX >> (32 - format->bits), kind = format->kind;
    const ints largest = (ints){0} + (int32_t)(all >> 1);
    ints number = (ints)*colour;

    *out = *colour;
    if (kind == VSG_EXE_FORMAT_KIND_UNORM) {
        as_parts(colour, 0, all, out);
    } else if (kind == VSG_EXE_FORMAT_KIND_SNORM) {
        as_parts(colour, -1, all >> 1, out);
    } else if (kind == VSG_EXE_FORMAT_KIND_UINT) {
        *out = CHOOSE(words, *colour < all, *colour, (words){0} + all);
    } else if (kind == VSG_EXE_FORMAT_KIND_SINT) {
        number = CHOOSE(ints, number < largest, number, largest);
        *out = CHOOSE(words, number > ~largest, number, ~largest);
    } else if (format->bits == 16) {
        narrow_floats(out);
    }
    *out &= all;
}

/* The component that is written to a channel: the first one that reads it. */
INLINE uint32_t component_of(const vsg_exe_format_info *format, uint32_t channel)
{
    uint32_t c = 0;

    while (c < 3 && format->order->place[c] != (int8_t)channel)
        c++;
    return c;
}

/* The bytes of each texel one behind the other, in vectors of two parts of 16 bytes each:
 *
 *     texels of 8 bytes     0 1 | 4 5,  2 3 | 6 7
 *     texels of 16 bytes    0 | 4,  1 | 5,  2 | 6,  3 | 7
 *
 * Shorter ones are in dwords, and stay there. */
INLINE void put_together(raw_texels *raw, uint32_t texel_bytes)
{
    words low = raw->dword[0], high = raw->dword[1];

    if (texel_bytes == 8) {
        raw->dword[0] = LOW_DWORDS(low, high);
        raw->dword[1] = HIGH_DWORDS(low, high);
    } else if (texel_bytes == 16) {
        turn(raw->dword);
    }
}

/* Texel `n` of what was put together. */
INLINE void write_texel(uint8_t *texel, uint32_t texel_bytes, const raw_texels *raw, uint32_t n)
{
    const uint8_t *parts = (const uint8_t *)raw->dword + n / 4 * 16;

    if (texel_bytes == 16)
        memcpy(texel, parts + n % 4 * sizeof(words), 16);
    else if (texel_bytes == 8)
        memcpy(texel, parts + n % 4 / 2 * sizeof(words) + n % 2 * 8, 8);
    else
        vsg_exe_put_bits(texel, 8 * texel_bytes, raw->dword[0][n]);
}

INLINE void store_as(const vsg_exe_texel_level *level, const vsg_exe_format_info *format,
                     uint32_t axes, const uint8_t *const at[3], uint32_t channels,
                     uint8_t *const colours[4])
{
    uint8_t *memory = level->memory;
    raw_texels raw;
    places to;

    memset(&raw, 0, sizeof raw);
    find_texels(level, axes, at, &to);
    for (uint32_t i = 0; i < format->channels; i++) {
        uint32_t bit = i * format->bits;
        words colour, own;
        memcpy(&colour, colours[component_of(format, i)], sizeof colour);
        narrow(format, &colour, &own);
        raw.dword[bit / 32] |= own << bit % 32;
    }
    bool is_whole = are_all_on(channels) && !is_any(&to.outside);
    if (is_whole && format->texel_bytes == 4 && is_row(&to.offset, 4)) { /* one store */
        memcpy(memory + to.offset[0], &raw.dword[0], sizeof raw.dword[0]);
        return;
    }
    put_together(&raw, format->texel_bytes);
    for (uint32_t n = 0; n < N; n++)
        if (is_whole || (channels >> n & 1 && !to.outside[n]))
            write_texel(memory + to.offset[n], format->texel_bytes, &raw, n);
}

/* ---- formats ----------------------------------------------------------------------------- */

/* Eight of the channels. */
typedef struct lane_group {
    uint32_t on;
    const uint8_t *at[3];
    uint8_t *slots[4];
} lane_group;

/* False: none of them is on. */
INLINE bool take_group(const vsg_exe_texel_channels *all, uint32_t first, lane_group *out)
{
    out->on = all->on >> first;
    for (uint32_t a = 0; a < 3; a++)
        out->at[a] = all->at[a] + first * sizeof(uint32_t);
    for (uint32_t c = 0; c < 4; c++)
        out->slots[c] = all->slots[c] ? all->slots[c] + first * sizeof(uint32_t) : NULL;
    return (out->on & ((1u << N) - 1)) != 0;
}

INLINE void sample_all(const vsg_exe_texel_level *level, const vsg_exe_format_info *format,
                       uint32_t axes, const vsg_exe_sampler *sampler, bool is_linear,
                       const vsg_exe_texel_channels *all)
{
    lane_group g;

    for (uint32_t first = 0; first < all->count; first += N)
        if (take_group(all, first, &g))
            sample_as(level, format, axes, sampler, is_linear, g.at, g.on, g.slots);
}

INLINE void fetch_all(const vsg_exe_texel_level *level, const vsg_exe_format_info *format,
                      uint32_t axes, const uint32_t border[4],
                      const vsg_exe_texel_channels *all)
{
    lane_group g;

    for (uint32_t first = 0; first < all->count; first += N)
        if (take_group(all, first, &g))
            fetch_as(level, format, axes, border, g.at, g.on, g.slots);
}

INLINE void store_all(const vsg_exe_texel_level *level, const vsg_exe_format_info *format,
                      uint32_t axes, const vsg_exe_texel_channels *all)
{
    lane_group g;

    for (uint32_t first = 0; first < all->count; first += N)
        if (take_group(all, first, &g))
            store_as(level, format, axes, g.at, g.on, g.slots);
}

/* Functions of a format, of which `facts` says as much as is known when they are compiled, and
 * of images with two axes, as most have. */
#define FUNCTIONS(id, facts)                                                                   \
    static void sample_##id(const vsg_exe_texel_level *level, const vsg_exe_sampler *sampler,  \
                            bool is_linear, const vsg_exe_texel_channels *all)                 \
    {                                                                                          \
        if (level->axes == 2)                                                                  \
            sample_all(level, facts, 2, sampler, is_linear, all);                              \
        else                                                                                   \
            sample_all(level, facts, level->axes, sampler, is_linear, all);                    \
    }                                                                                          \
    static void fetch_##id(const vsg_exe_texel_level *level, const uint32_t border[4],         \
                           const vsg_exe_texel_channels *all)                                  \
    {                                                                                          \
        if (level->axes == 2)                                                                  \
            fetch_all(level, facts, 2, border, all);                                           \
        else                                                                                   \
            fetch_all(level, facts, level->axes, border, all);                                 \
    }                                                                                          \
    static void store_##id(const vsg_exe_texel_level *level,                                   \
                           const vsg_exe_texel_channels *all)                                  \
    {                                                                                          \
        if (level->axes == 2)                                                                  \
            store_all(level, facts, 2, all);                                                   \
        else                                                                                   \
            store_all(level, facts, level->axes, all);                                         \
    }

#define FORMAT(id, ...)
#define COMMON(id, ...)                                                                        \
    static const vsg_exe_format_info facts_of_##id = FACTS(#id, __VA_ARGS__);                  \
    FUNCTIONS(id, &facts_of_##id)
#include "exec/formats.def"
#undef FORMAT
FUNCTIONS(any, level->format)

static const vsg_exe_texel_lanes *lanes_of(uint32_t format)
{
    static const vsg_exe_texel_lanes any = {sample_any, fetch_any, store_any};
    static const vsg_exe_texel_lanes common[VSG_EXE_FORMAT_COUNT] = {
#define FORMAT(id, ...)
#define COMMON(id, ...) [VSG_EXE_FORMAT_##id] = {sample_##id, fetch_##id, store_##id},
#include "exec/formats.def"
#undef FORMAT
    };

    return common[format].fetch ? &common[format] : &any;
}

#undef INLINE
#undef JOIN
#undef SPLIT
#undef TOGETHER
#undef FLOATS_TO_DOUBLES
#undef INTS_TO_DOUBLES
#undef DOUBLES_TO_FLOATS
#undef DOUBLES_TO_INTS
#undef LONGS_TO_INTS
#undef CHOOSE
#undef EACH_LANE
#undef LOW_DWORDS
#undef HIGH_DWORDS
#undef LOW_PAIRS
#undef HIGH_PAIRS
#undef FUNCTIONS
