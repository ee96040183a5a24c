/* SPDX-License-Identifier: MIT */

/* One rounding routine serves all formats. It takes a value as sign, 64-bit significand and
 * power of two. Reading a number gives such a value exactly, and so do products and sums of
 * halves, save for one case in add() where what is far below goes into a sticky bit.
 *
 * The steps are inline so that every conversion is compiled for its two formats.
 */
#include "exec/float16.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "exec/math_bits.h"

#define HALF_INVALID 0xfe00 /* VSG_EXE_FLOAT_INVALID as a half */
#define BF16_INVALID 0xffc0 /* the same as a BF */

/* An IEEE interchange format; the sign is above the exponent field. */
struct format {
    int exponent_bits;
    int fraction_bits;
};

static const struct format format_double = {11, 52};
static const struct format format_float = {8, 23};
static const struct format format_half = {5, 10};
static const struct format format_bf16 = {8, 7};
static const struct format format_bf8 = {5, 2};
static const struct format format_tf32 = {8, 10};

enum kind { KIND_FINITE, KIND_INFINITE, KIND_NAN };

struct value {
    enum kind kind;
    bool sign;
    int exponent;         /* finite: the value is significand * 2^exponent */
    uint64_t significand; /* NaN: the fraction field, its first bit at bit 63 */
};

/* The bits of infinity, without sign: all ones in the exponent field. */
static inline uint64_t infinity(struct format to)
{
    return (((uint64_t)1 << to.exponent_bits) - 1) << to.fraction_bits;
}

/* The exponent of the last place of denormals. */
static inline int least_exponent(struct format to)
{
    return 3 - (1 << (to.exponent_bits - 1)) - 1 - to.fraction_bits;
}

static inline struct value unpack(uint64_t bits, struct format from)
{
    uint64_t fraction = bits & (((uint64_t)1 << from.fraction_bits) - 1);
    int field = (int)(bits >> from.fraction_bits) & ((1 << from.exponent_bits) - 1);
    struct value value = {KIND_FINITE, bits >> (from.exponent_bits + from.fraction_bits) & 1,
                          least_exponent(from), fraction};

    if (field == (1 << from.exponent_bits) - 1) {
        value.kind = fraction != 0 ? KIND_NAN : KIND_INFINITE;
        value.significand = fraction << (64 - from.fraction_bits);
    } else if (field != 0) {
        value.exponent += field - 1;
        value.significand |= (uint64_t)1 << from.fraction_bits;
    }
    return value;
}

/* Whether a magnitude between kept and kept + 1 goes up; rest and half are in the same unit. */
static inline bool rounds_up(uint64_t kept, uint64_t rest, uint64_t half, bool sign,
                             vsg_exe_rounding mode)
{
    switch (mode) {
    case VSG_EXE_RNE:
        return rest > half || (rest == half && (kept & 1) != 0);
    case VSG_EXE_RU:
        return rest != 0 && !sign;
    case VSG_EXE_RD:
        return rest != 0 && sign;
    case VSG_EXE_RTZ:
        break;
    }
    return false;
}

/* A finite value in format `to`, without its sign. */
static inline uint64_t round_magnitude(struct value value, struct format to,
                                       vsg_exe_rounding mode)
{
    uint64_t significand = value.significand;

    if (significand == 0)
        return 0;
    assert(significand < (uint64_t)1 << 62);

    /* The last place of the result: that of its binade, or of the denormals. */
    int width = 64 - __builtin_clzll(significand);
    int least = least_exponent(to);
    int last = value.exponent + width - 1 - to.fraction_bits;
    last = last < least ? least : last;

    int shift = last - value.exponent;
    uint64_t kept;
    if (shift <= 0) {
        kept = significand << -shift;
    } else {
        /* From 63 on the significand is below one half, whatever the shift. */
        shift = shift > 63 ? 63 : shift;
        kept = significand >> shift;
        uint64_t rest = significand & (((uint64_t)1 << shift) - 1);
        kept += rounds_up(kept, rest, (uint64_t)1 << (shift - 1), value.sign, mode);
    }

    /* The leading bit of `kept` adds one to the exponent field, and a carry out of the fraction
     * one more, so denormal, normal and just rounded up are one formula.
     */
    uint64_t bits = ((uint64_t)(last - least) << to.fraction_bits) + kept;
    if (bits < infinity(to))
        return bits;
    bool to_infinity = mode == VSG_EXE_RNE || mode == (value.sign ? VSG_EXE_RD : VSG_EXE_RU);
    return to_infinity ? infinity(to) : infinity(to) - 1;
}

static inline uint64_t pack(struct value value, struct format to, vsg_exe_rounding mode)
{
    uint64_t sign = (uint64_t)value.sign << (to.exponent_bits + to.fraction_bits);

    switch (value.kind) {
    case KIND_NAN: {
        uint64_t quiet = (uint64_t)1 << (to.fraction_bits - 1);
        return sign | infinity(to) | quiet | value.significand >> (64 - to.fraction_bits);
    }
    case KIND_INFINITE:
        return sign | infinity(to);
    case KIND_FINITE:
        break;
    }
    return sign | round_magnitude(value, to, mode);
}

static struct value of_half(uint16_t half)
{
    return unpack(half, format_half);
}

static struct value of_float(float x)
{
    return unpack(vsg_exe_float_bits(x), format_float);
}

static struct value of_double(double x)
{
    return unpack(vsg_exe_double_bits(x), format_double);
}

float vsg_exe_half_to_float(uint16_t half)
{
    return vsg_exe_bits_float((uint32_t)pack(of_half(half), format_float, VSG_EXE_RTZ));
}

uint16_t vsg_exe_float_to_half(float x, vsg_exe_rounding mode)
{
    return (uint16_t)pack(of_float(x), format_half, mode);
}

uint16_t vsg_exe_double_to_half(double x, vsg_exe_rounding mode)
{
    return (uint16_t)pack(of_double(x), format_half, mode);
}

float vsg_exe_bf16_to_float(uint16_t bf16)
{
    return vsg_exe_bits_float(
        (uint32_t)pack(unpack(bf16, format_bf16), format_float, VSG_EXE_RTZ));
}

uint16_t vsg_exe_float_to_bf16(float x, vsg_exe_rounding mode)
{
    return (uint16_t)pack(of_float(x), format_bf16, mode);
}

uint16_t vsg_exe_double_to_bf16(double x, vsg_exe_rounding mode)
{
    return (uint16_t)pack(of_double(x), format_bf16, mode);
}

float vsg_exe_double_to_float(double x, vsg_exe_rounding mode)
{
    return vsg_exe_bits_float((uint32_t)pack(of_double(x), format_float, mode));
}

uint16_t vsg_exe_bf8_to_half(uint8_t bf8)
{
    return (uint16_t)pack(unpack(bf8, format_bf8), format_half, VSG_EXE_RTZ);
}

uint8_t vsg_exe_half_to_bf8(uint16_t half)
{
    return (uint8_t)pack(of_half(half), format_bf8, VSG_EXE_RNE);
}

uint32_t vsg_exe_float_to_tf32(float x)
{
    struct value value = of_float(x);

    if (value.kind == KIND_FINITE && value.significand < 0x800000)
        value.significand = 0;
    return (uint32_t)pack(value, format_tf32, VSG_EXE_RNE) << 13;
}

/* a * b for operands that are not NaN; exact. KIND_NAN for zero times infinity. */
static struct value multiply(struct value a, struct value b)
{
    struct value product = {KIND_FINITE, a.sign != b.sign, a.exponent + b.exponent,
                            a.significand * b.significand};

    if (a.kind == KIND_FINITE && b.kind == KIND_FINITE)
        return product;
    bool has_zero = (a.kind == KIND_FINITE && a.significand == 0) ||
                    (b.kind == KIND_FINITE && b.significand == 0);
    product.kind = has_zero ? KIND_NAN : KIND_INFINITE;
    return product;
}

/* Finite a + b, to be rounded to half or BF in `mode`: a product and a number, with
 * significands below 2^22. If one of them is zero their exponents are equal.
 *
 * The operand of the larger exponent moves left by up to 40 bits, which mostly is enough to
 * meet the other one. If it is not, that operand is not zero and now at least 2^40; the other
 * one moves right, below 2^22, and leaves a sticky
 * bit. The sum has 39 bits or more, so the sticky bit is far below the last place of either and
 * the one under it, and only says that the sum is not exact. This is rounding to odd, which no
 * second rounding can be misled by.
 */
static struct value add(struct value a, struct value b, vsg_exe_rounding mode)
{
    struct value high = a.exponent >= b.exponent ? a : b;
    struct value low = a.exponent >= b.exponent ? b : a;

    int gap = high.exponent - low.exponent;
    int left = gap < 40 ? gap : 40;
    int right = gap - left < 63 ? gap - left : 63;
    bool is_lossy = (low.significand & (((uint64_t)1 << right) - 1)) != 0;
    int64_t high_term = (int64_t)(high.significand << left);
    int64_t low_term = (int64_t)(low.significand >> right | is_lossy);
    int64_t total = (high.sign ? -high_term : high_term) + (low.sign ? -low_term : low_term);
    struct value sum = {KIND_FINITE, total < 0, high.exponent - left,
                        (uint64_t)(total < 0 ? -total : total)};

    if (total == 0)
        sum.sign = a.sign == b.sign ? a.sign : mode == VSG_EXE_RD;
    return sum;
}

/* a * b + c in format `to`, that of the operands; invalid: what stands for no value. */
static uint16_t fuse(struct value x, struct value y, struct value z, struct format to,
                     uint16_t invalid, vsg_exe_rounding mode)
{
    if (x.kind == KIND_NAN)
        return (uint16_t)pack(x, to, mode);
    if (y.kind == KIND_NAN)
        return (uint16_t)pack(y, to, mode);
    if (z.kind == KIND_NAN)
        return (uint16_t)pack(z, to, mode);

    struct value product = multiply(x, y);
    bool is_opposed =
        product.kind == KIND_INFINITE && z.kind == KIND_INFINITE && product.sign != z.sign;
    if (product.kind == KIND_NAN || is_opposed)
        return invalid;
    if (product.kind == KIND_INFINITE)
        return (uint16_t)pack(product, to, mode);
    if (z.kind == KIND_INFINITE)
        return (uint16_t)pack(z, to, mode);
    /* A zero is to move, not what is added to it. */
    if (product.significand == 0)
        product.exponent = z.exponent;
    else if (z.significand == 0)
        z.exponent = product.exponent;
    return (uint16_t)pack(add(product, z, mode), to, mode);
}

uint16_t vsg_exe_half_fma(uint16_t a, uint16_t b, uint16_t c, vsg_exe_rounding mode)
{
    return fuse(of_half(a), of_half(b), of_half(c), format_half, HALF_INVALID, mode);
}

uint16_t vsg_exe_bf16_fma(uint16_t a, uint16_t b, uint16_t c, vsg_exe_rounding mode)
{
    return fuse(unpack(a, format_bf16), unpack(b, format_bf16), unpack(c, format_bf16),
                format_bf16, BF16_INVALID, mode);
}

uint16_t vsg_exe_half_add(uint16_t a, uint16_t b, vsg_exe_rounding mode)
{
    /* Multiplying by one changes neither the value nor the sign of a zero. */
    const uint16_t one = 0x3c00;
    return vsg_exe_half_fma(a, one, b, mode);
}

uint16_t vsg_exe_half_mul(uint16_t a, uint16_t b, vsg_exe_rounding mode)
{
    struct value x = of_half(a);
    struct value y = of_half(b);

    if (x.kind == KIND_NAN)
        return (uint16_t)pack(x, format_half, mode);
    if (y.kind == KIND_NAN)
        return (uint16_t)pack(y, format_half, mode);

    struct value product = multiply(x, y);
    if (product.kind == KIND_NAN)
        return HALF_INVALID;
    return (uint16_t)pack(product, format_half, mode);
}
