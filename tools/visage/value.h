/* SPDX-License-Identifier: MIT
 *
 * Numbers of the eleven element types of --arg: reading, generating, printing. */
#ifndef VISAGE_TOOL_VALUE_H
#define VISAGE_TOOL_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum value_type {
    VALUE_I8,
    VALUE_U8,
    VALUE_I16,
    VALUE_U16,
    VALUE_I32,
    VALUE_U32,
    VALUE_I64,
    VALUE_U64,
    VALUE_F16,
    VALUE_F32,
    VALUE_F64,
    VALUE_COUNT
} value_type;

/* VALUE_COUNT when `text` names no type. */
value_type value_find(const char *text, size_t length);
size_t value_bytes(value_type type);

/* Writes the element that `text` spells; false when it is no number or out of range. */
bool value_parse(value_type type, const char *text, size_t length, void *out);

/* Fills `count` elements: 0, 1, 2 ... converted to the type; one repeated; random ones. The
 * generator is SplitMix64: element i is its output number i for the seed; integers take its low
 * bits, floats are uniform in [0, 1): the top 53, 24 or 11 bits over 2 to that power. */
void value_iota(value_type type, size_t count, void *out);
void value_fill(value_type type, size_t count, const void *element, void *out);
void value_random(value_type type, size_t count, uint64_t seed, void *out);

/* One element a line, floats with as many digits as tell them apart. */
void value_print(value_type type, size_t count, const void *data, FILE *stream);

#endif
