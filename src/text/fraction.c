/* SPDX-License-Identifier: MIT
 *
 * Literals with a fraction into bit patterns, rounded to nearest even. */
#include "text/parse.h"

#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_FRACTION = 400 };

/* strtod() wants the decimal point of the process's locale. Returns false for a literal that is
 * too long to be one. */
static bool localize(vsg_txt_word word, char *buffer, size_t size)
{
    const char *point = localeconv()->decimal_point;
    size_t length = 0;

    if (word.length > LONGEST_FRACTION || word.length + strlen(point) >= size)
        return false;
    for (size_t i = 0; i < word.length; i++) {
        if (word.text[i] == '.') {
            memcpy(buffer + length, point, strlen(point));
            length += strlen(point);
        } else {
            buffer[length++] = word.text[i];
        }
    }
    buffer[length] = '\0';
    return true;
}

/* Which side of the double that is nearest to it does the literal lie on? -1 below, 1 above. */
static int side_of(const char *text)
{
    int mode = fegetround();
    double nearest = strtod(text, NULL);

    (void)fesetround(FE_UPWARD);
    double above = strtod(text, NULL);
    (void)fesetround(FE_DOWNWARD);
    double below = strtod(text, NULL);
    (void)fesetround(mode);
    return above > nearest ? 1 : below < nearest ? -1 : 0;
}

/* To a format with fewer bits than a double: from the nearest double, which decides all but
 * what lies halfway between two numbers of the format. Infinity where it is too large. */
static uint64_t narrow(const char *text, int mantissa_bits, int exponent_bits)
{
    int lowest = 2 - (1 << (exponent_bits - 1)); /* exponent of the smallest normal number */
    uint64_t infinity = ((UINT64_C(1) << exponent_bits) - 1) << mantissa_bits;
    double value = strtod(text, NULL);
    int exponent;

    if (value == 0 || isinf(value))
        return value == 0 ? 0 : infinity;
    (void)frexp(value, &exponent);
    int last = exponent - 1 - mantissa_bits; /* exponent of the last bit */
    if (last < lowest - mantissa_bits)
        last = lowest - mantissa_bits;
    double scaled = ldexp(value, -last);
    uint64_t whole = (uint64_t)scaled;
    double rest = scaled - (double)whole;
    int side = rest == 0.5 ? side_of(text) : 0;
    if (rest > 0.5 || (rest == 0.5 && (side > 0 || (side == 0 && whole & 1))))
        whole++;
    /* The leading one of a normal number counts the exponent up by one. */
    uint64_t bits = ((uint64_t)(last - (lowest - mantissa_bits)) << mantissa_bits) + whole;
    return bits < infinity ? bits : infinity;
}

vsg_txt_fraction vsg_txt_read_fraction(vsg_txt_word word, visage_type type, uint64_t *bits)
{
    char buffer[LONGEST_FRACTION + 16];
    double value;
    float single;
    uint32_t single_bits;

    if (!localize(word, buffer, sizeof buffer))
        return VSG_TXT_FRACTION_LONG;
    switch (type) {
    case VISAGE_TYPE_F:
        single = strtof(buffer, NULL);
        memcpy(&single_bits, &single, sizeof single_bits);
        *bits = single_bits;
        return isinf(single) ? VSG_TXT_FRACTION_LARGE : VSG_TXT_FRACTION_OK;
    case VISAGE_TYPE_DF:
        value = strtod(buffer, NULL);
        memcpy(bits, &value, sizeof *bits);
        return isinf(value) ? VSG_TXT_FRACTION_LARGE : VSG_TXT_FRACTION_OK;
    case VISAGE_TYPE_HF:
        *bits = narrow(buffer, 10, 5);
        return *bits == 0x7c00 ? VSG_TXT_FRACTION_LARGE : VSG_TXT_FRACTION_OK;
    case VISAGE_TYPE_BF:
        *bits = narrow(buffer, 7, 8);
        return *bits == 0x7f80 ? VSG_TXT_FRACTION_LARGE : VSG_TXT_FRACTION_OK;
    default:
        return VSG_TXT_FRACTION_TYPE;
    }
}
