/* SPDX-License-Identifier: MIT */
#include "exec/format.h"

#include <string.h>

#include "exec/convert.h"
#include "exec/format_facts.h"
#include "exec/math.h"
#include "exec/math_bits.h"

/* Where there are four channels, each is one component's: read_unorm8x4() and read_wide4() ask
 * no more. */
#define ORDER(id, number, channels, r, g, b, a)                                                \
    _Static_assert((channels) < 4 ||                                                           \
                       ((r) >= 0 && (g) >= 0 && (b) >= 0 && (a) >= 0 &&                        \
                        (1 << ((r)&3) | 1 << ((g)&3) | 1 << ((b)&3) | 1 << ((a)&3)) == 0xf),   \
                   #id);
#include "exec/orders.def"
#undef ORDER

static const vsg_exe_format_info formats[VSG_EXE_FORMAT_COUNT] = {
#define FORMAT(id, ...) [VSG_EXE_FORMAT_##id] = FACTS(#id, __VA_ARGS__),
#include "exec/formats.def"
#undef FORMAT
};

const vsg_exe_format_info *vsg_exe_format_of(uint32_t format)
{
    return format < VSG_EXE_FORMAT_COUNT ? &formats[format] : NULL;
}

uint32_t vsg_exe_format_find(const char *name, size_t length)
{
    uint32_t i = 0;

    while (i < VSG_EXE_FORMAT_COUNT &&
           (strlen(formats[i].name) != length || memcmp(formats[i].name, name, length) != 0))
        i++;
    return i;
}

/* ---- one channel ------------------------------------------------------------------------- */

static int32_t as_signed(uint32_t raw, uint32_t bits)
{
    return (int32_t)(raw << (32 - bits)) >> (32 - bits);
}

/* Nearest float of a / b. The quotient is off by far less than its distance to any value half
 * way between two floats, so the mode of the host does not matter, and there are no ties: what
 * is cut off is rounded by half of the last place. All but zero are normal numbers of F. */
static uint32_t quotient(int32_t a, int32_t b)
{
    const uint64_t half = UINT64_C(1) << (52 - 23 - 1);
    const uint32_t exponents = (1023u - 127u) << 23;
    uint64_t bits = vsg_exe_double_bits((double)a / b);
    uint32_t sign = (uint32_t)(bits >> 32) & 0x80000000;

    if (a == 0)
        return 0;
    bits = (bits & ~(UINT64_C(1) << 63)) + half;
    return sign | ((uint32_t)(bits >> (52 - 23)) - exponents);
}

/* The quotients of most images there are: by 255. The compiler rounds to nearest. */
#define PARTS_1(i)  ((float)((i) / 255.0))
#define PARTS_4(i)  PARTS_1(i), PARTS_1((i) + 1), PARTS_1((i) + 2), PARTS_1((i) + 3)
#define PARTS_16(i) PARTS_4(i), PARTS_4((i) + 4), PARTS_4((i) + 8), PARTS_4((i) + 12)
#define PARTS_64(i) PARTS_16(i), PARTS_16((i) + 16), PARTS_16((i) + 32), PARTS_16((i) + 48)
static const float of_255[256] = {PARTS_64(0), PARTS_64(64), PARTS_64(128), PARTS_64(192)};

/* IEC 61966-2-1, from and to the curve. Alpha is never on it. */
static uint32_t from_srgb(uint32_t bits)
{
    float x = vsg_exe_bits_float(bits);

    if (x <= 0.04045f)
        return vsg_exe_float_bits(x / 12.92f);
    return vsg_exe_float_bits(vsg_exe_math_pow((x + 0.055f) / 1.055f, 2.4f));
}

static uint32_t to_srgb(uint32_t bits)
{
    float x = vsg_exe_bits_float(bits);

    if (!(x > 0.0031308f))
        return vsg_exe_float_bits(x * 12.92f);
    return vsg_exe_float_bits(1.055f * vsg_exe_math_pow(x, 1 / 2.4f) - 0.055f);
}

/* component: 0 R to 3 A */
static uint32_t widen(const vsg_exe_format_info *format, uint32_t component, uint32_t raw)
{
    int32_t largest = (int32_t)((1u << (format->bits - 1)) - 1);
    int32_t value;

    switch ((vsg_exe_format_kind)format->kind) {
    case VSG_EXE_FORMAT_KIND_UNORM:
        return format->bits == 8 ? vsg_exe_float_bits(of_255[raw & 255])
                                 : quotient((int32_t)raw, 2 * largest + 1);
    case VSG_EXE_FORMAT_KIND_SRGB:
        value = (int32_t)quotient((int32_t)raw, 2 * largest + 1);
        return component == 3 ? (uint32_t)value : from_srgb((uint32_t)value);
    case VSG_EXE_FORMAT_KIND_SNORM:
        value = as_signed(raw, format->bits);
        return quotient(value < -largest ? -largest : value, largest);
    case VSG_EXE_FORMAT_KIND_SINT:
        return (uint32_t)as_signed(raw, format->bits);
    case VSG_EXE_FORMAT_KIND_FLOAT:
        return format->bits == 32 ? raw : vsg_exe_float_bits(vsg_exe_widen_half((uint16_t)raw));
    case VSG_EXE_FORMAT_KIND_UINT:
        break;
    }
    return raw;
}

/* A float of 0 to 1, as its bits, times `largest`, to nearest even whatever the mode of the
 * host is: in integers, since that mode is the kernel's. */
static uint32_t part_of(uint32_t bits, uint32_t largest)
{
    uint64_t product = (uint64_t)((bits & 0x7fffff) | 0x800000) * largest;
    uint32_t shift = 127 + 23 - (bits >> 23);

    shift = shift < 62 ? shift : 62; /* nothing is left of it in either case */
    uint64_t half = UINT64_C(1) << (shift - 1);
    return (uint32_t)((product + half - 1 + (product >> shift & 1)) >> shift);
}

/* The same of any float: it is clamped before, to -1 where numbers are signed, else to 0. NaN:
 * 0. */
static int32_t fixed_point(uint32_t bits, bool is_signed, uint32_t largest)
{
    const uint32_t one = 0x3f800000, infinity = 0x7f800000;
    uint32_t magnitude = bits & 0x7fffffff;
    bool is_negative = bits >> 31;

    if (magnitude > infinity || (is_negative && !is_signed))
        return 0;
    int32_t whole = (int32_t)part_of(magnitude < one ? magnitude : one, largest);
    return is_negative ? -whole : whole;
}

static uint32_t clamp_signed(uint32_t value, uint32_t bits)
{
    int32_t largest = (int32_t)((1u << (bits - 1)) - 1);
    int32_t number = (int32_t)value;

    if (number > largest)
        return (uint32_t)largest;
    return number < -largest - 1 ? (uint32_t)(-largest - 1) : value;
}

static uint32_t narrow(const vsg_exe_format_info *format, uint32_t component, uint32_t value)
{
    uint32_t all = UINT32_MAX >> (32 - format->bits);

    switch ((vsg_exe_format_kind)format->kind) {
    case VSG_EXE_FORMAT_KIND_UNORM:
        return (uint32_t)fixed_point(value, false, all);
    case VSG_EXE_FORMAT_KIND_SRGB:
        return (uint32_t)fixed_point(component == 3 ? value : to_srgb(value), false, all);
    case VSG_EXE_FORMAT_KIND_SNORM:
        return (uint32_t)fixed_point(value, true, all >> 1);
    case VSG_EXE_FORMAT_KIND_UINT:
        return value > all ? all : value;
    case VSG_EXE_FORMAT_KIND_SINT:
        return clamp_signed(value, format->bits);
    case VSG_EXE_FORMAT_KIND_FLOAT:
        break;
    }
    return format->bits == 32 ? value
                              : vsg_exe_narrow_half(vsg_exe_bits_float(value), VSG_EXE_RNE);
}

uint32_t vsg_exe_unorm(uint32_t float_bits, uint32_t largest)
{
    return (uint32_t)fixed_point(float_bits, false, largest);
}

/* ---- texels ------------------------------------------------------------------------------ */

static const uint32_t nothing[4] = {0};

void vsg_exe_texel_colour(const vsg_exe_format_info *format, const uint32_t colour[4],
                          uint32_t rgba[4])
{
    for (uint32_t c = 0; c < 4; c++)
        rgba[c] = format->order->place[c] >= 0 ? colour[c] : 0;
    if (format->order->place[3] < 0)
        rgba[3] = vsg_exe_format_is_integer(format) ? 1 : vsg_exe_float_bits(1);
}

void vsg_exe_texel_border(const vsg_exe_format_info *format, uint32_t rgba[4])
{
    memcpy(rgba, nothing, sizeof nothing);
    rgba[3] = vsg_exe_format_is_integer(format) ? 1 : vsg_exe_float_bits(1);
}

/* Four fractions of 8 bits, as most images have them: in a straight line. */
static bool is_unorm8x4(const vsg_exe_format_info *format)
{
    return format->kind == VSG_EXE_FORMAT_KIND_UNORM && format->bits == 8 &&
           format->channels == 4;
}

static void read_unorm8x4(const int8_t place[4], const uint8_t *texel, uint32_t rgba[4])
{
    for (uint32_t c = 0; c < 4; c++)
        rgba[c] = vsg_exe_float_bits(of_255[texel[place[c]]]);
}

static void write_unorm8x4(const int8_t place[4], uint8_t *texel, const uint32_t rgba[4])
{
    for (uint32_t c = 0; c < 4; c++)
        texel[place[c]] = (uint8_t)fixed_point(rgba[c], false, UINT8_MAX);
}

/* Four floats or halves, or integers of 32 bits, likewise. */
static bool is_wide4(const vsg_exe_format_info *format)
{
    return format->channels == 4 &&
           (format->bits == 32 ||
            (format->bits == 16 && format->kind == VSG_EXE_FORMAT_KIND_FLOAT));
}

static void read_wide4(const vsg_exe_format_info *format, const uint8_t *texel,
                       uint32_t rgba[4])
{
    const int8_t *place = format->order->place;

    if (format->bits == 32) {
        for (uint32_t c = 0; c < 4; c++)
            memcpy(&rgba[c], texel + 4 * place[c], sizeof rgba[c]);
        return;
    }
    for (uint32_t c = 0; c < 4; c++) {
        uint16_t half;
        memcpy(&half, texel + 2 * place[c], sizeof half);
        rgba[c] = vsg_exe_float_bits(vsg_exe_widen_half(half));
    }
}

/* Numbers of 32 bits are what they are. */
static void read_words(const int8_t places[4], const uint8_t *texel, uint32_t rgba[4])
{
    for (uint32_t c = 0; c < 4; c++) {
        int32_t place = places[c];
        if (place >= 0)
            rgba[c] = vsg_exe_get_bits(texel + (uint32_t)place * 4, 32);
    }
}

void vsg_exe_texel_read(const vsg_exe_format_info *format, const uint8_t *texel,
                        uint32_t rgba[4])
{
    if (is_unorm8x4(format)) {
        read_unorm8x4(format->order->place, texel, rgba);
        return;
    }
    if (is_wide4(format)) {
        read_wide4(format, texel, rgba);
        return;
    }
    uint32_t bytes = format->bits / 8u;

    vsg_exe_texel_colour(format, nothing, rgba);
    if (bytes == 4) {
        read_words(format->order->place, texel, rgba);
        return;
    }
    for (uint32_t c = 0; c < 4; c++) {
        int32_t place = format->order->place[c];
        if (place < 0)
            continue;
        rgba[c] =
            widen(format, c, vsg_exe_get_bits(texel + (uint32_t)place * bytes, format->bits));
    }
}

void vsg_exe_texel_write(const vsg_exe_format_info *format, uint8_t *texel,
                         const uint32_t rgba[4], uint32_t mask)
{
    if (mask == 0xf && is_unorm8x4(format)) {
        write_unorm8x4(format->order->place, texel, rgba);
        return;
    }
    uint32_t bytes = format->bits / 8u;
    uint32_t written = 0; /* channels */

    for (uint32_t c = 0; c < 4; c++) {
        int32_t place = format->order->place[c];
        if (place < 0 || written >> place & 1)
            continue;
        written |= 1u << place;
        if (!(mask >> c & 1))
            continue;
        vsg_exe_put_bits(texel + (uint32_t)place * bytes, format->bits,
                         narrow(format, c, rgba[c]));
    }
}
