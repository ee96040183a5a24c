/* SPDX-License-Identifier: MIT
 *
 * What the two halves of the writer share: statements (write.c) and units (write_unit.c).
 *
 * Names in the text: R0.. values and counters, P1 to P4 conditions, P5 for one that is used at
 * once, PU and PW uniform ones, U the number that is one for all, S0.. counters of uniform
 * loops, V a scalar temporary. Memory is found by %sp, so that functions find it too. */
#ifndef VISAGE_TESTS_FLOW_WRITER_H
#define VISAGE_TESTS_FLOW_WRITER_H

#include "flow.h"

enum { FLOW_TEMPORARY = FLOW_VALUES + FLOW_COUNTERS }; /* its number among the R */

typedef struct flow_writer {
    const flow_program *program;
    uint32_t unit;
    char *text;
    size_t length, capacity;
    uint32_t grf;          /* bytes */
    uint32_t widest;       /* channels of dwords in one instruction */
    uint32_t offset, size; /* channels that are meant */
    bool in_kernel, in_sub, in_part;
} flow_writer;

/* Channels that one instruction takes. */
typedef struct flow_piece {
    uint32_t offset, size;
} flow_piece;

/* One line or a few, 2,000 bytes at most. */
void flow_put(flow_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The next piece of the channels of a statement, or with node NULL of all that are meant; start
 * with zeros. False: there is none. */
bool flow_next_piece(const flow_writer *w, const flow_node *node, flow_piece *p);
/* The same of all channels of the thread. */
bool flow_next_unmasked(const flow_writer *w, uint32_t widest, flow_piece *p);

/* Channels `offset` on of variable `name`index, whose elements are dwords. */
const char *flow_element(const flow_writer *w, const char *name, uint32_t index,
                         uint32_t offset, char out[32]);
/* The same of an R. */
const char *flow_value(const flow_writer *w, uint32_t index, uint32_t offset, char out[32]);

/* R[to] = R[from] op number; a move of the number where op is "mov". */
void flow_put_number(flow_writer *w, const flow_node *node, const char *op, uint32_t to,
                     uint32_t from, int32_t number, bool is_masked);
/* to = to op from, or a copy where op is "mov", for the channels that are on. */
void flow_put_copy(flow_writer *w, const flow_node *node, const char *to, uint32_t to_index,
                   const char *op, const char *from, uint32_t from_index);

void flow_write_store(flow_writer *w, uint32_t slot, uint32_t index);
void flow_write_list(flow_writer *w, uint16_t first);

/* Of a value of all channels in %arg or %retval. */
uint32_t flow_arg_grfs(const flow_writer *w);

#endif
