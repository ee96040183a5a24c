/* SPDX-License-Identifier: MIT
 *
 * The numbers that registers hold, as exact numbers: integers in 128 bits, floats in MPFR with
 * enough digits for any sum or product of them. Knows nothing of src/exec. */
#ifndef VISAGE_TESTS_SPEC_NUMBERS_H
#define VISAGE_TESTS_SPEC_NUMBERS_H

#include <mpfr.h>

#include "isa/isa.h"

__extension__ typedef __int128 spec_int;

/* As %cr0 has them (4_visa_header). */
typedef enum spec_rounding { SPEC_RNE, SPEC_RU, SPEC_RD, SPEC_RTZ } spec_rounding;

typedef struct spec_mode {
    spec_rounding rounding;
    bool keeps_f, keeps_df, keeps_hf; /* denormals */
    bool is_alt;
} spec_mode;

/* Bits of DF fma: from 2^-2148 to 2^1024 twice, and some. */
enum { SPEC_PRECISION = 4400 };

bool spec_is_float(uint32_t type);
bool spec_is_signed(uint32_t type);
uint32_t spec_bytes(uint32_t type);
bool spec_keeps(const spec_mode *mode, uint32_t type);

/* Integers: the value of the low bits; range; the bits of the nearest number in range. */
spec_int spec_int_of(uint32_t type, uint64_t bits);
spec_int spec_least(uint32_t type);
spec_int spec_greatest(uint32_t type);
uint64_t spec_cut(uint32_t type, spec_int value);
uint64_t spec_clamp(uint32_t type, spec_int value);

/* Floats. */
bool spec_is_nan(uint32_t type, uint64_t bits);
bool spec_is_denormal(uint32_t type, uint64_t bits);
uint64_t spec_sign_bit(uint32_t type);
uint64_t spec_infinity(uint32_t type);
uint64_t spec_largest(uint32_t type);
uint64_t spec_one(uint32_t type);
/* `out` must have SPEC_PRECISION. */
void spec_decode(mpfr_t out, uint32_t type, uint64_t bits);
void spec_from_int(mpfr_t out, spec_int value);
/* Rounds once; denormals are numbers like others. A NaN is some NaN. */
uint64_t spec_round(uint32_t type, const mpfr_t value, spec_rounding rounding);
/* Towards zero, to the nearest in range, NaN to 0 (2_datatypes, Float to Integer). */
uint64_t spec_to_int(uint32_t type, const mpfr_t value);
/* A zero of the sign where denormals of the type are flushed. */
uint64_t spec_flush(const spec_mode *mode, uint32_t type, uint64_t bits);
/* Places of floats on the number line, neighbours one apart, zeros equal. */
int64_t spec_ordinal(uint32_t type, uint64_t bits);

#endif
