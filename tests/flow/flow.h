/* SPDX-License-Identifier: MIT
 *
 * Random programs of divergent control flow: made from a number (generate.c), written as vISA
 * text (write.c), and followed one channel at a time by an evaluator that knows nothing of
 * masks (evaluate.c). What a channel leaves in memory must be the same on the machine.
 *
 * A program is a tree of statements. Variables are each channel's own, but for U, which is one
 * for all and is written only where all channels of a frame are together. */
#ifndef VISAGE_TESTS_FLOW_H
#define VISAGE_TESTS_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "visage/visage.h"

enum {
    FLOW_VALUES = 4,    /* R0 to R3 */
    FLOW_COUNTERS = 24, /* of loops, behind the values */
    FLOW_BITS = 4,      /* P1 to P4 */
    FLOW_UNITS = 4,     /* the kernel and functions */
    FLOW_SUBS = 3,      /* subroutines of a unit */
    FLOW_SLOTS = 32,    /* dwords of memory of a channel; the first ones are for the values */
    FLOW_BODIES = 4,
    FLOW_MOST = 640, /* statements */
    FLOW_NONE = 0xffff
};

typedef enum flow_kind {
    FLOW_COMPUTE,      /* R[a] = R[a] op (R[b] or number) */
    FLOW_COMPARE,      /* P[b] = (R[a] & mask) rel number */
    FLOW_LOGIC,        /* P[a] = P[a] op P[b] */
    FLOW_NOMASK,       /* R[a] += a temporary that is made of R[b] without mask */
    FLOW_SCALAR,       /* R[a] ^= U + number */
    FLOW_CONDITIONAL,  /* R[a] += number if the uniform condition is true */
    FLOW_WRITE,        /* U = U * mask + number */
    FLOW_STORE,        /* memory[slot] = R[a] */
    FLOW_IF,           /* bodies 0, 1 by P */
    FLOW_UNIFORM_IF,   /* the same by a uniform condition */
    FLOW_LOOP,         /* body 0, (R[a] & mask) + number times */
    FLOW_UNIFORM_LOOP, /* body 0, number times */
    FLOW_SWITCH,       /* a body by U & 3 */
    FLOW_PART,         /* body 0 for channels offset to offset + size only */
    FLOW_BREAK,        /* target, if P */
    FLOW_CONTINUE,     /* target, if P */
    FLOW_RETURN,       /* from the body, if P */
    FLOW_CALL,         /* subroutine `target`, if P */
    FLOW_FCALL,        /* function `target`, if P: of R[b] and a depth; result to R[a] */
    FLOW_TANGLE,       /* body 0 with places and gotos between them */
    FLOW_PLACE,        /* of a tangle */
    FLOW_GOTO          /* to a place, if P; back only (R[a] & mask) + number > 0 times */
} flow_kind;

/* How a uniform condition is computed. */
typedef enum flow_uniform {
    FLOW_U_SCALAR, /* (U & mask) rel number, as one bit */
    FLOW_U_WIDE,   /* the same for all channels */
    FLOW_U_ANY,    /* any bit of (U & mask) that is a channel */
    FLOW_U_ALL,    /* all of them */
    FLOW_U_COUNT
} flow_uniform;

typedef struct flow_node {
    uint8_t kind; /* flow_kind */
    uint8_t how;  /* flow_uniform, or operation */
    uint8_t form; /* among the ways to write it */
    uint8_t a, b;
    uint8_t rel;
    uint8_t condition; /* P, from 1; 0: none */
    bool inverse;
    uint8_t offset, size; /* channels; size 0: all there are */
    uint8_t counter;
    uint8_t slot;
    uint16_t target;
    int32_t mask, number;
    uint16_t bodies[FLOW_BODIES]; /* first statements, or FLOW_NONE */
    uint16_t next;
    bool dropped; /* by the reducer */
    bool hollow;  /* only its bodies are left */
} flow_node;

typedef struct flow_unit {
    uint16_t body;
    uint16_t subs[FLOW_SUBS];
    uint8_t num_subs;
    uint8_t counters;      /* of channels, used */
    uint8_t uniform_loops; /* each has a counter of its own */
    bool returns;          /* a value */
    bool calls;            /* functions */
} flow_unit;

typedef struct flow_program {
    uint64_t seed;
    visage_platform platform;
    uint32_t channels; /* of a thread: 8, 16, 32 */
    uint32_t active;   /* the first ones, at the dispatch */
    flow_unit units[FLOW_UNITS];
    uint32_t num_units;
    flow_node nodes[FLOW_MOST];
    uint32_t num_nodes;
} flow_program;

typedef enum flow_style {
    FLOW_STRUCTURED, /* conditions, loops, breaks, calls */
    FLOW_TANGLED,    /* and arbitrary gotos */
    FLOW_STYLES
} flow_style;

typedef struct flow_memory {
    uint32_t slots[FLOW_SLOTS][32]; /* [slot][channel] */
} flow_memory;

void flow_generate(flow_program *program, uint64_t seed, flow_style style);

/* The text, allocated; free it. */
char *flow_write(const flow_program *program);

/* What each active channel leaves in memory. False: one takes too many steps. */
bool flow_evaluate(const flow_program *program, flow_memory *memory);

/* What R[index] of channel `number` is at the start of the kernel. */
int32_t flow_first_value(uint32_t index, uint32_t number);

/* And of P[index + 1] for all channels, in every frame. */
uint32_t flow_first_bits(uint32_t index);

enum { FLOW_FIRST_UNIFORM = 0x2b, FLOW_UNIFORM_OF_FUNCTION = 0x35 };

static inline const flow_node *flow_at(const flow_program *program, uint32_t index)
{
    return &program->nodes[index];
}

static inline bool flow_has_bodies(const flow_node *node)
{
    return (node->kind >= FLOW_IF && node->kind <= FLOW_PART) || node->kind == FLOW_TANGLE;
}

#endif
