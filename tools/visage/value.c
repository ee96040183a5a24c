/* SPDX-License-Identifier: MIT */
#include "value.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t bytes;
    bool is_signed, is_float;
} facts[VALUE_COUNT] = {
    [VALUE_I8] = {"i8", 1, true, false},   [VALUE_U8] = {"u8", 1, false, false},
    [VALUE_I16] = {"i16", 2, true, false}, [VALUE_U16] = {"u16", 2, false, false},
    [VALUE_I32] = {"i32", 4, true, false}, [VALUE_U32] = {"u32", 4, false, false},
    [VALUE_I64] = {"i64", 8, true, false}, [VALUE_U64] = {"u64", 8, false, false},
    [VALUE_F16] = {"f16", 2, true, true},  [VALUE_F32] = {"f32", 4, true, true},
    [VALUE_F64] = {"f64", 8, true, true},
};

value_type value_find(const char *text, size_t length)
{
    for (int i = 0; i < VALUE_COUNT; i++)
        if (strlen(facts[i].name) == length && memcmp(facts[i].name, text, length) == 0)
            return (value_type)i;
    return VALUE_COUNT;
}

size_t value_bytes(value_type type)
{
    return facts[type].bytes;
}

/* Nearest half, ties to even; from a double, with one rounding. */
static uint16_t to_half(double value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    int exponent;

    if (isnan(value))
        return 0x7e00;
    if (magnitude >= 65520.0)
        return sign | 0x7c00;
    (void)frexp(magnitude, &exponent);
    /* One unit in the last place: 2^-10 of the leading bit, no finer than 2^-24. */
    int unit = magnitude == 0 || exponent - 11 < -24 ? -24 : exponent - 11;
    uint32_t steps = (uint32_t)nearbyint(ldexp(magnitude, -unit));
    if (unit == -24)
        return (uint16_t)(sign | steps);
    /* Steps are 1024 .. 2048; a carry into 2048 moves to the next exponent by itself. */
    return (uint16_t)(sign | (((uint32_t)(unit + 24) << 10) + steps));
}

static double from_half(uint16_t half)
{
    uint32_t exponent = half >> 10 & 0x1f;
    uint32_t fraction = half & 0x3ff;
    double magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                       : exponent == 0 ? ldexp(fraction, -24)
                                       : ldexp(fraction + 1024.0, (int)exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

static void store_integer(value_type type, uint64_t value, void *out)
{
    for (size_t i = 0; i < facts[type].bytes; i++)
        ((uint8_t *)out)[i] = (uint8_t)(value >> (8 * i));
}

static void store_double(value_type type, double value, void *out)
{
    float narrow = (float)value;
    uint16_t half;

    switch (type) {
    case VALUE_F16:
        half = to_half(value);
        memcpy(out, &half, sizeof half);
        break;
    case VALUE_F32:
        memcpy(out, &narrow, sizeof narrow);
        break;
    default:
        memcpy(out, &value, sizeof value);
        break;
    }
}

static bool parse_integer(value_type type, const char *text, void *out)
{
    bool negative = *text == '-';
    const char *digits = text + (*text == '-' || *text == '+');
    unsigned bits = 8u * facts[type].bytes;
    uint64_t largest = UINT64_MAX >> (64 - bits);
    char *end;

    if (*digits < '0' || *digits > '9')
        return false;
    /* 0x is hexadecimal; a leading zero alone means nothing. */
    bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    errno = 0;
    uint64_t magnitude = strtoull(digits, &end, hexadecimal ? 16 : 10);
    if (errno || *end)
        return false;
    /* Positive numbers may use the sign bit, as 0xffffffff of an i32. */
    if (negative ? !facts[type].is_signed || magnitude > (largest >> 1) + 1
                 : magnitude > largest)
        return false;
    store_integer(type, negative ? 0 - magnitude : magnitude, out);
    return true;
}

/* With one rounding to the type; a number too large for it is refused, "inf" is not. */
static bool parse_float(value_type type, const char *text, void *out)
{
    char *end;
    float narrow = strtof(text, &end);
    double wide = strtod(text, &end);
    bool overflows = type == VALUE_F32   ? isinf(narrow) != 0
                     : type == VALUE_F16 ? fabs(wide) >= 65520.0
                                         : isinf(wide) != 0;

    if (end == text || *end || (overflows && !strpbrk(text, "iI")))
        return false;
    if (type == VALUE_F32)
        memcpy(out, &narrow, sizeof narrow);
    else
        store_double(type, wide, out);
    return true;
}

bool value_parse(value_type type, const char *text, size_t length, void *out)
{
    char copy[64];

    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (!facts[type].is_float)
        return parse_integer(type, copy, out);
    return parse_float(type, copy, out);
}

void value_iota(value_type type, size_t count, void *out)
{
    char *to = out;

    for (size_t i = 0; i < count; i++, to += facts[type].bytes) {
        if (facts[type].is_float)
            store_double(type, (double)i, to);
        else
            store_integer(type, i, to);
    }
}

void value_fill(value_type type, size_t count, const void *element, void *out)
{
    for (size_t i = 0; i < count; i++)
        memcpy((char *)out + i * facts[type].bytes, element, facts[type].bytes);
}

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void value_random(value_type type, size_t count, uint64_t seed, void *out)
{
    static const uint8_t float_bits[VALUE_COUNT] = {
        [VALUE_F16] = 11, [VALUE_F32] = 24, [VALUE_F64] = 53};
    char *to = out;
    uint64_t state = seed;

    for (size_t i = 0; i < count; i++, to += facts[type].bytes) {
        uint64_t bits = split_mix(&state);
        int kept = float_bits[type];
        if (kept)
            store_double(type, ldexp((double)(bits >> (64 - kept)), -kept), to);
        else
            store_integer(type, bits, to);
    }
}

static void print_integer(value_type type, const char *from, FILE *stream)
{
    uint64_t value = 0;
    unsigned unused = 64 - 8u * facts[type].bytes;

    memcpy(&value, from, facts[type].bytes);
    if (facts[type].is_signed)
        fprintf(stream, "%" PRId64 "\n", (int64_t)(value << unused) >> unused);
    else
        fprintf(stream, "%" PRIu64 "\n", value);
}

/* The sign of a NaN means nothing and differs between hosts. */
static void print_float(double value, int digits, FILE *stream)
{
    if (isnan(value))
        fputs("nan\n", stream);
    else
        fprintf(stream, "%.*g\n", digits, value);
}

void value_print(value_type type, size_t count, const void *data, FILE *stream)
{
    const char *from = data;

    for (size_t i = 0; i < count; i++, from += facts[type].bytes) {
        uint16_t half;
        float narrow;
        double wide;
        switch (type) {
        case VALUE_F16:
            memcpy(&half, from, sizeof half);
            print_float(from_half(half), 5, stream);
            break;
        case VALUE_F32:
            memcpy(&narrow, from, sizeof narrow);
            print_float((double)narrow, 9, stream);
            break;
        case VALUE_F64:
            memcpy(&wide, from, sizeof wide);
            print_float(wide, 17, stream);
            break;
        default:
            print_integer(type, from, stream);
            break;
        }
    }
}
