/* SPDX-License-Identifier: MIT
 *
 * What the instruction table allows, cut into cells: a combination of types, a kind of operand,
 * an execution size and so on. Each cell of a row is to be executed by some test. The spec
 * tests run those of arithmetic; `make coverage` compares all of them with what the test suite
 * executed. */
#ifndef VISAGE_TESTS_SPEC_CELLS_H
#define VISAGE_TESTS_SPEC_CELLS_H

#include "object/object.h"

/* Vector operands of one instruction: of any, of those that the spec tests run. */
enum { SPEC_MOST_OPERANDS = 12, SPEC_OPERANDS = 5 };

/* Kinds of operands, with the names that the coverage log has. */
typedef enum spec_kind {
    SPEC_SCALAR, /* general, the same element for all channels, or one channel */
    SPEC_CONTIGUOUS,
    SPEC_STRIDED,
    SPEC_ROWS, /* a region that is no stride */
    SPEC_INDIRECT,
    SPEC_MULTI, /* an address for each row */
    SPEC_IMMEDIATE,
    SPEC_PACKED,
    SPEC_PREDICATE,
    SPEC_ADDRESS,
    SPEC_ADDRESS_OF,
    SPEC_SURFACE,
    SPEC_SAMPLER,
    SPEC_RAW,
    SPEC_KIND_COUNT
} spec_kind;

typedef enum spec_dimension {
    SPEC_TYPES,      /* types of all operands together */
    SPEC_KIND,       /* an operand, its kind and type */
    SPEC_SIZE,       /* execution size */
    SPEC_MASK,       /* M1 .. M8, with and without _NM */
    SPEC_PREDICATED, /* how it is predicated */
    SPEC_MODIFIER,   /* an operand, its modifier and type */
    SPEC_SATURATED,  /* by type of the destination */
    SPEC_EXECUTED,   /* at all: rows that have nothing else */
    SPEC_DIMENSION_COUNT
} spec_dimension;

enum { SPEC_ANY_TYPE = 0xff };

/* SPEC_PREDICATED: bit 0 a predicate, bit 1 inverse, the rest vsg_obj_combine. */
enum { SPEC_PRED = 1, SPEC_PRED_INVERSE = 2, SPEC_PRED_COMBINE_SHIFT = 2, SPEC_PREDS = 12 };

typedef struct spec_cell {
    uint8_t dimension;
    uint8_t operand; /* operand number */
    uint8_t value; /* kind, size, mask number (from 0, NoMask 8 more), predication, modifier */
    uint8_t type;  /* or SPEC_ANY_TYPE */
    uint8_t types[SPEC_MOST_OPERANDS]; /* SPEC_TYPES: by position in spec_row.operands */
    bool covered;
} spec_cell;

typedef struct spec_operand {
    uint8_t number; /* operand number of the form */
    vsg_isa_slot_kind slot;
    bool is_dst, is_scalar;
    int source; /* for vsg_isa_map_types(): number among the sources, -1: a destination */
} spec_operand;

/* One row of the table, its vector operands, and the cells. */
typedef struct spec_row {
    visage_op op;
    const vsg_isa_op_info *info;
    uint32_t platforms; /* that have it */
    spec_operand operands[SPEC_MOST_OPERANDS];
    uint32_t num_operands;
    vsg_isa_map maps[VSG_ISA_MAX_MAPS];
    size_t num_maps;
    spec_cell *cells;
    size_t num_cells, cap_cells;
} spec_row;

/* Why nothing executes an operation, NULL where something does. */
const char *spec_row_refusal(visage_op op);
/* False: nothing executes it. Free with spec_row_free(). */
bool spec_row_open(visage_op op, spec_row *row);
void spec_row_free(spec_row *row);

/* Types that an operand may have on some platform; bits. */
uint32_t spec_row_types(const spec_row *row, uint32_t position);
/* Platforms on which the types go together, 0: on none. */
uint32_t spec_row_platforms(const spec_row *row, const uint8_t types[SPEC_MOST_OPERANDS]);
/* Execution sizes on a platform, their sum. */
uint32_t spec_row_sizes(const spec_row *row, visage_platform platform);
bool spec_row_has_kind(const spec_row *row, uint32_t position, spec_kind kind);

const char *spec_kind_name(spec_kind kind);
/* "types D UD W" and the like, as scripts/coverage.py makes them from the log. */
void spec_cell_name(const spec_row *row, const spec_cell *cell, char *text, size_t size);

#endif
