/* SPDX-License-Identifier: MIT
 *
 * What an instruction gives, worked out from its page and docs/spec-notes.md with exact
 * numbers. Nothing here is shared with src/exec. */
#ifndef VISAGE_TESTS_SPEC_EXPECT_H
#define VISAGE_TESTS_SPEC_EXPECT_H

#include "case.h"

/* The results of one destination. */
typedef struct spec_result {
    uint32_t written;             /* channels */
    uint64_t bits[SPEC_CHANNELS]; /* a NaN: any */
    uint64_t also[SPEC_CHANNELS]; /* as good, where the page leaves a choice */
    uint32_t open;                /* channels of which no document says anything */
    uint32_t ulps;                /* as far from `bits` as this */
    uint32_t inexact;             /* channels whose zeros have become so by rounding */
    bool is_move;                 /* NaNs keep their bits */
} spec_result;

/* Everything an expectation looks at. */
typedef struct spec_question {
    const spec_batch *batch;
    const spec_case *c;
    const spec_mode *mode;
    uint32_t channel;
    uint32_t dst;   /* type of the destination, of a predicate UD */
    uint32_t first; /* position of the first source */
    uint32_t num_sources;
} spec_question;

/* `results`: of the first destination and the second, if there is one; a predicate's are 0 and
 * 1. False: nothing is known of the operation. */
bool spec_expect(const spec_batch *batch, const spec_case *c, const spec_mode *mode,
                 spec_result results[2]);

/* Operand `source`'s type and element, modifiers not applied. */
uint32_t spec_source_type(const spec_question *q, uint32_t source);
uint64_t spec_source_bits(const spec_question *q, uint32_t source);
uint8_t spec_source_modifier(const spec_question *q, uint32_t source);
/* Its exact value as an integer, modifiers applied. */
spec_int spec_source_int(const spec_question *q, uint32_t source);
/* Its bits as a float of its type, modifiers applied. */
uint64_t spec_source_float(const spec_question *q, uint32_t source);

/* Each sets channel q->channel of *result; false: not theirs. */
bool spec_expect_int(const spec_question *q, spec_result results[2]);
bool spec_expect_float(const spec_question *q, spec_result *result);
bool spec_expect_group(const spec_question *q, spec_result *result);
bool spec_expect_move(const spec_question *q, spec_result *result);

/* Are sources of a float type? The type in which it computes then: DF, F, HF or BF; else UD. */
uint32_t spec_class(const spec_question *q);
/* Rounds an exact result to class `type`, flushes, saturates; where the destination has another
 * type, converts in the rounding of the mode. */
void spec_finish(const spec_question *q, uint32_t type, const mpfr_t exact,
                 spec_rounding rounding, spec_result *result);
/* Are denormals of the type flushed, and is the number one that only rounding makes normal? A
 * unit that looks before it rounds gives zero then; no document says which
 * (docs/spec-notes.md). */
bool spec_is_between(const spec_question *q, uint32_t type, const mpfr_t value);
/* An operand in its type as a number, flushed as the mode says. */
void spec_source_number(const spec_question *q, uint32_t source, mpfr_t out);

#endif
