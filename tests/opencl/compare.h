/* SPDX-License-Identifier: MIT
 *
 * What compare_corpus.c and its host references share. */
#ifndef VISAGE_TESTS_COMPARE_H
#define VISAGE_TESTS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_ARGS = 12, MOST_BYTES = 65536 };

typedef enum arg_kind { ARG_NONE, ARG_BUFFER, ARG_VALUE, ARG_LOCAL } arg_kind;

typedef struct arg {
    arg_kind kind;
    char type; /* i u f */
    bool pad;  /* vectors of three: every fourth element has no value */
    size_t bytes; /* of an element */
    size_t count, size;
    int64_t slack; /* i32: got may be that much above expected, where the order is free */
    double half_ulp; /* f16: error allowed */
    unsigned char before[MOST_BYTES], host[MOST_BYTES], ours[MOST_BYTES];
} arg;

/* Works `host` of every buffer out from `before`, for `size` work-items one after the other. */
typedef void (*host_fn)(arg *args, uint32_t size);

void host_h(arg *args, uint32_t size);
void host_at2(arg *args, uint32_t size);
void host_gen(arg *args, uint32_t size);
void host_s8(arg *args, uint32_t size);
void host_atl(arg *args, uint32_t size);

double half_value(uint16_t half);
uint16_t half_bits(double value);

#endif
