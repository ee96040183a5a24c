/* SPDX-License-Identifier: MIT
 *
 * What messages of all families share: where their memory is, and addresses in it. */
#ifndef VISAGE_TESTS_SMITH_MEMORY_H
#define VISAGE_TESTS_SMITH_MEMORY_H

#include "smith.h"

enum {
    SMITH_WINDOW =
        SMITH_MEMORY / 2, /* of the buffer: behind what the variables are loaded from */
    SMITH_MOST_DATA = 512
};

typedef enum smith_space { SMITH_FLAT, SMITH_OF_SURFACE, SMITH_OF_SHARED } smith_space;

typedef struct smith_target {
    smith_space space;
    uint32_t bytes;   /* of the window */
    char address[40]; /* of LSC messages */
} smith_target;

static inline uint32_t smith_lowest(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t smith_round_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Puts offsets of `count` accesses of `bytes` bytes each into OFF: in a row, equal, apart, or
 * anywhere; within a window. */
void smith_put_offsets(smith_program *p, uint32_t count, uint32_t bytes, uint32_t window);
/* Adds where the thread's window in surface or shared memory begins. */
void smith_put_narrow(smith_program *p, const smith_target *t, uint32_t count);
/* Both, or 64-bit addresses in ADR for flat memory, multiples of `align`; t->address is the
 * message's text. */
void smith_put_addresses(smith_program *p, smith_target *t, uint32_t count, uint32_t bytes,
                         uint32_t align);

/* One LSC message. */
void smith_put_lsc(smith_program *p);

#endif
