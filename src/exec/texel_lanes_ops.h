/* SPDX-License-Identifier: MIT
 *
 * Body of exec_texels.c and exec_texels_v3.c; see texel_lanes.h. Defines lanes. What a texel is
 * to sampler.c and format.c, one at a time, it is here, to the bit. Vectors are the compiler's
 * (GCC, Vector Extensions): hosts wait where numbers are stored one by one and loaded eight at
 * a time, as they are where compilers make vectors of loops. */
#include <string.h>

#include "exec/convert.h"
#include "exec/math_bits.h"

#define INLINE static inline __attribute__((always_inline))

enum { N = VSG_EXE_TEXEL_LANES, MOST_DWORDS = 4 };

typedef float floats __attribute__((vector_size(4 * N)));
typedef int32_t ints __attribute__((vector_size(4 * N)));
typedef uint32_t words __attribute__((vector_size(4 * N)));
typedef float half_floats __attribute__((vector_size(2 * N)));
typedef int32_t half_ints __attribute__((vector_size(2 * N)));
typedef uint32_t half_words __attribute__((vector_size(2 * N)));
typedef double half_doubles __attribute__((vector_size(4 * N)));
typedef int64_t half_longs __attribute__((vector_size(4 * N)));
typedef uint64_t qwords __attribute__((vector_size(4 * N)));
typedef uint8_t byte_row __attribute__((vector_size(N)));
typedef uint16_t short_row __attribute__((vector_size(2 * N)));

/* A double of each channel. */
typedef struct doubles {
    half_doubles half[2];
} doubles;

#define LOWER(v)   __builtin_shufflevector(v, v, 0, 1, 2, 3)
#define UPPER(v)   __builtin_shufflevector(v, v, 4, 5, 6, 7)
#define JOIN(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)

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
    half_floats parts[2] = {LOWER(*u), UPPER(*u)};
    half_ints low[2];

    for (uint32_t i = 0; i < 2; i++) {
        half_doubles at = __builtin_convertvector(parts[i], half_doubles) - 0.5;
        low[i] = __builtin_convertvector(at, half_ints);
        half_longs is_above = __builtin_convertvector(low[i], half_doubles) > at;
        low[i] += __builtin_convertvector(is_above, half_ints);
        weight[1].half[i] = at - __builtin_convertvector(low[i], half_doubles);
        weight[0].half[i] = 1 - weight[1].half[i];
    }
    *texel = JOIN(low[0], low[1]);
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
    half_longs all = (half_longs)*mask;

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

INLINE void read_raw(const vsg_exe_texel_level *level, const words *offset, raw_texels *out)
{
    const uint8_t *memory = level->memory;

    switch (level->format->texel_bytes) {
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

/* To the nearest float, as quotient() of format.c has it. */
INLINE void divide(const ints *parts, int32_t largest, words *out)
{
    const ints least = (ints){0} - largest;
    ints kept = CHOOSE(ints, *parts > least, *parts, least);

    *out = (words)(__builtin_convertvector(kept, floats) / (float)largest);
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

/* border: NULL where no texel is outside of the image. */
INLINE void read_texels(const vsg_exe_texel_level *level, const words *offset,
                        const ints *outside, const uint32_t border[4], uint32_t wanted,
                        words out[4])
{
    raw_texels raw;

    read_raw(level, offset, &raw);
    for (uint32_t c = 0; c < 4; c++) {
        if (!(wanted >> c & 1))
            continue;
        widen(level->format, c, &raw, &out[c]);
        if (border)
            out[c] = CHOOSE(words, *outside, (words){0} + border[c], out[c]);
    }
}

INLINE void put_colours(const words colours[4], uint32_t wanted, vsg_exe_texel_colours out)
{
    for (uint32_t c = 0; c < 4; c++)
        if (wanted >> c & 1)
            memcpy(out[c], &colours[c], sizeof out[c]);
}

/* ---- samples ----------------------------------------------------------------------------- */

/* The border, NULL where no sample can reach it. */
INLINE const uint32_t *find_border(const vsg_exe_texel_level *level,
                                   const vsg_exe_sampler *sampler, uint32_t colour[4])
{
    bool is_there = false;

    for (uint32_t a = 0; a < level->axes; a++)
        is_there |= sampler->addressing[a] == VSG_EXE_ADDRESSING_BORDER;
    if (is_there)
        vsg_exe_texel_colour(level->format, sampler->border, colour);
    return is_there ? colour : NULL;
}

static void sample_nearest(const vsg_exe_texel_level *level, const vsg_exe_sampler *sampler,
                           const vsg_exe_texel_places at, uint32_t wanted,
                           vsg_exe_texel_colours out)
{
    words offset = {0}, colours[4];
    uint32_t colour[4];
    ints outside = {0};

    for (uint32_t a = 0; a < level->axes; a++) {
        words step;
        floats u;
        ints texel, beside;
        find_place(sampler, a, level->size[a], at[a], &u);
        find_nearest(&u, &texel);
        put_along(level, a, (vsg_exe_addressing)sampler->addressing[a], &texel, &step, &beside);
        offset += step;
        outside |= beside;
    }
    read_texels(level, &offset, &outside, find_border(level, sampler, colour), wanted, colours);
    put_colours(colours, wanted, out);
}

/* Texels without weight do not count, whatever is in them: of infinities, and of what is none
 * of the numbers, nothing would be left by it. */
INLINE void add_weighted(bool is_finite, const doubles *weight, const words *colour,
                         doubles *sum)
{
    floats value = (floats)*colour;
    half_floats parts[2] = {LOWER(value), UPPER(value)};

    for (uint32_t i = 0; i < 2; i++) {
        half_doubles own = weight->half[i] * __builtin_convertvector(parts[i], half_doubles);
        half_longs counts = weight->half[i] > 0;
        half_doubles more = sum->half[i] + own;
        if (!is_finite)
            more = (half_doubles)(((half_longs)more & counts) |
                                  ((half_longs)sum->half[i] & ~counts));
        sum->half[i] = more;
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

/* The places and weights of one corner of those that a filter looks at. */
typedef struct corner {
    words offset;
    ints outside;
    doubles weight;
} corner;

/* `sides`: a bit for each axis. */
INLINE void find_corner(const along axis[3], uint32_t axes, uint32_t sides, corner *out)
{
    const along *first = &axis[0];
    uint32_t side = sides & 1;

    *out = (corner){first->offset[side], first->outside[side], first->weight[side]};
    for (uint32_t a = 1; a < axes; a++) {
        side = sides >> a & 1;
        out->offset += axis[a].offset[side];
        out->outside |= axis[a].outside[side];
        for (uint32_t i = 0; i < 2; i++)
            out->weight.half[i] *= axis[a].weight[side].half[i];
    }
}

static void sample_linear(const vsg_exe_texel_level *level, const vsg_exe_sampler *sampler,
                          const vsg_exe_texel_places at, uint32_t wanted,
                          vsg_exe_texel_colours out)
{
    uint32_t colour[4];
    const uint32_t *border = find_border(level, sampler, colour);
    bool is_finite = !border && level->format->kind != VSG_EXE_FORMAT_KIND_FLOAT;
    doubles sum[4];
    words colours[4];
    along axis[3];

    memset(sum, 0, sizeof sum);
    for (uint32_t a = 0; a < level->axes; a++)
        find_both(level, sampler, a, at[a], &axis[a]);
    for (uint32_t i = 0; i < 1u << level->axes; i++) {
        words texels[4];
        corner here;
        find_corner(axis, level->axes, i, &here);
        read_texels(level, &here.offset, &here.outside, border, wanted, texels);
        for (uint32_t c = 0; c < 4; c++)
            if (wanted >> c & 1)
                add_weighted(is_finite, &here.weight, &texels[c], &sum[c]);
    }
    for (uint32_t c = 0; c < 4; c++)
        colours[c] = (words)JOIN(__builtin_convertvector(sum[c].half[0], half_floats),
                                 __builtin_convertvector(sum[c].half[1], half_floats));
    put_colours(colours, wanted, out);
}

static void sample(const vsg_exe_texel_level *level, const vsg_exe_sampler *sampler,
                   bool is_linear, const vsg_exe_texel_places at, uint32_t wanted,
                   vsg_exe_texel_colours out)
{
    if (is_linear)
        sample_linear(level, sampler, at, wanted, out);
    else
        sample_nearest(level, sampler, at, wanted, out);
}

/* ---- by number --------------------------------------------------------------------------- */

INLINE void find_texels(const vsg_exe_texel_level *level, const vsg_exe_texel_places at,
                        words *offset, ints *outside)
{
    *offset = (words){0};
    *outside = (ints){0};
    for (uint32_t a = 0; a < level->axes; a++) {
        words step;
        ints texel, beside;
        memcpy(&texel, at[a], sizeof texel);
        put_along(level, a, VSG_EXE_ADDRESSING_BORDER, &texel, &step, &beside);
        *offset += step;
        *outside |= beside;
    }
}

static void fetch(const vsg_exe_texel_level *level, const vsg_exe_texel_places at,
                  const uint32_t border[4], uint32_t wanted, vsg_exe_texel_colours out)
{
    words offset, colours[4];
    ints outside;

    find_texels(level, at, &offset, &outside);
    read_texels(level, &offset, &outside, border, wanted, colours);
    put_colours(colours, wanted, out);
}

/* Floats as parts of `largest`, as fixed_point() of format.c: what is exact in double is
 * rounded as its last places are pushed out. */
INLINE void as_parts(const words *colour, float least, uint32_t largest, words *out)
{
    const half_doubles push = (half_doubles){0} + 0x1.8p52;
    const floats lowest = (floats){0} + least, one = (floats){0} + 1.0f;
    half_ints parts[2];
    floats x = (floats)*colour;

    x = (floats)((ints)x & (x == x));
    x = CHOOSE(floats, x > lowest, x, lowest);
    x = CHOOSE(floats, x < one, x, one);
    half_floats value[2] = {LOWER(x), UPPER(x)};
    for (uint32_t i = 0; i < 2; i++) {
        half_doubles product = __builtin_convertvector(value[i], half_doubles) * largest + push;
        parts[i] = __builtin_convertvector((half_longs)product, half_ints);
    }
    *out = (words)JOIN(parts[0], parts[1]);
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

static void store(const vsg_exe_texel_level *level, const vsg_exe_texel_places at,
                  uint32_t channels, const uint8_t *const colours[4])
{
    const vsg_exe_format_info *format = level->format;
    const uint32_t all = (1u << N) - 1;
    uint8_t *memory = (uint8_t *)(uintptr_t)level->memory;
    raw_texels raw;
    words offset;
    ints outside;

    memset(&raw, 0, sizeof raw);
    find_texels(level, at, &offset, &outside);
    for (uint32_t i = 0; i < format->channels; i++) {
        uint32_t bit = i * format->bits;
        words colour, own;
        memcpy(&colour, colours[component_of(format, i)], sizeof colour);
        narrow(format, &colour, &own);
        raw.dword[bit / 32] |= own << bit % 32;
    }
    bool is_whole = (channels & all) == all && !is_any(&outside);
    if (is_whole && format->texel_bytes == 4 && is_row(&offset, 4)) { /* one store */
        memcpy(memory + offset[0], &raw.dword[0], sizeof raw.dword[0]);
        return;
    }
    put_together(&raw, format->texel_bytes);
    for (uint32_t n = 0; n < N; n++)
        if (is_whole || (channels >> n & 1 && !outside[n]))
            write_texel(memory + offset[n], format->texel_bytes, &raw, n);
}

static const vsg_exe_texel_lanes lanes = {sample, fetch, store};

#undef INLINE
#undef LOWER
#undef UPPER
#undef JOIN
#undef CHOOSE
#undef EACH_LANE
#undef LOW_DWORDS
#undef HIGH_DWORDS
#undef LOW_PAIRS
#undef HIGH_PAIRS
