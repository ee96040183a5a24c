/* SPDX-License-Identifier: MIT
 *
 * Arithmetic of C that is exact: sums of floats of 16 and 32 bits are formed in a wider type
 * and rounded once. */
#include "atomic_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* ---- floats ------------------------------------------------------------------------------ */

/* Of HF and F every value is one of DF. */
static double real_of(uint64_t bits, uint32_t bytes)
{
    double real;

    if (bytes == 8) {
        memcpy(&real, &bits, sizeof real);
    } else if (bytes == 4) {
        uint32_t word = (uint32_t)bits;
        float single;
        memcpy(&single, &word, sizeof single);
        real = (double)single;
    } else {
        uint32_t exponent = (uint32_t)bits >> 10 & 31, fraction = (uint32_t)bits & 1023;
        real = exponent == 31  ? (fraction ? NAN : INFINITY)
               : exponent == 0 ? ldexp(fraction, -24)
                               : ldexp(1024 + fraction, (int)exponent - 25);
        real = bits & 0x8000 ? -real : real;
    }
    return real;
}

/* Rounded to nearest even. The sum of two HF or F has no other rounding before: that of HF is
 * exact as DF, and DF has more than twice the bits of F. */
static uint64_t bits_of(double real, uint32_t bytes)
{
    uint64_t bits = 0;

    if (bytes == 8) {
        memcpy(&bits, &real, sizeof bits);
        return bits;
    }
    if (bytes == 4) {
        float single = (float)real;
        memcpy(&bits, &single, sizeof single);
        return bits;
    }
    int exponent;
    uint64_t sign = signbit(real) ? 0x8000 : 0;
    if (isinf(real) || real == 0)
        return real == 0 ? sign : sign | 0x7c00;
    (void)frexp(real, &exponent);
    exponent = exponent < -13 ? -13 : exponent; /* denormals have the exponent of 2^-14 */
    uint64_t fraction = (uint64_t)nearbyint(ldexp(fabs(real), 11 - exponent));
    bits = ((uint64_t)(exponent + 13) << 10) + fraction; /* a carry counts the exponent up */
    return sign | (bits > 0x7c00 ? 0x7c00 : bits);
}

/* The lesser one; -0 is less than 0; of a number and a NaN the number. */
static bool is_less(double a, double b)
{
    return a < b || (a == b && signbit(a) && !signbit(b));
}

static uint64_t select_float(uint64_t old, uint64_t value, uint32_t bytes, bool greater)
{
    double a = real_of(old, bytes), b = real_of(value, bytes);

    if (isnan(a) || isnan(b))
        return isnan(a) ? value : old;
    return (greater ? is_less(a, b) : is_less(b, a)) ? value : old;
}

/* ---- operations -------------------------------------------------------------------------- */

static int64_t signed_of(uint64_t bits, uint32_t bytes)
{
    if (bytes == 2)
        return (int16_t)bits;
    return bytes == 4 ? (int32_t)bits : (int64_t)bits;
}

static uint64_t apply_float(visage_op op, uint32_t bytes, uint64_t old, uint64_t first,
                            uint64_t second)
{
    double a = real_of(old, bytes), b = real_of(first, bytes);

    switch (op) {
    case VISAGE_OP_LSC_ATOMIC_FADD:
        return bits_of(a + b, bytes);
    case VISAGE_OP_LSC_ATOMIC_FSUB:
        return bits_of(a - b, bytes);
    case VISAGE_OP_LSC_ATOMIC_FMIN:
        return select_float(old, first, bytes, false);
    case VISAGE_OP_LSC_ATOMIC_FMAX:
        return select_float(old, first, bytes, true);
    default:
        assert_int_equal(op, VISAGE_OP_LSC_ATOMIC_FCAS);
        return a == b ? second : old;
    }
}

uint64_t atomic_result(visage_op op, uint32_t bytes, uint64_t old, uint64_t first,
                       uint64_t second)
{
    switch (op) {
    case VISAGE_OP_LSC_ATOMIC_IINC:
        return old + 1;
    case VISAGE_OP_LSC_ATOMIC_IDEC:
        return old - 1;
    case VISAGE_OP_LSC_ATOMIC_LOAD:
        return old;
    case VISAGE_OP_LSC_ATOMIC_STORE:
        return first;
    case VISAGE_OP_LSC_ATOMIC_IADD:
        return old + first;
    case VISAGE_OP_LSC_ATOMIC_ISUB:
        return old - first;
    case VISAGE_OP_LSC_ATOMIC_SMIN:
        return signed_of(first, bytes) < signed_of(old, bytes) ? first : old;
    case VISAGE_OP_LSC_ATOMIC_SMAX:
        return signed_of(first, bytes) > signed_of(old, bytes) ? first : old;
    case VISAGE_OP_LSC_ATOMIC_UMIN:
        return first < old ? first : old;
    case VISAGE_OP_LSC_ATOMIC_UMAX:
        return first > old ? first : old;
    case VISAGE_OP_LSC_ATOMIC_ICAS:
        return old == first ? second : old;
    case VISAGE_OP_LSC_ATOMIC_AND:
        return old & first;
    case VISAGE_OP_LSC_ATOMIC_OR:
        return old | first;
    case VISAGE_OP_LSC_ATOMIC_XOR:
        return old ^ first;
    default:
        return apply_float(op, bytes, old, first, second);
    }
}
