/* SPDX-License-Identifier: MIT
 *
 * One instruction of a spec test: made at random within what the table allows, so that it
 * covers a cell that is wanted; and a batch of them as one kernel, run by the interpreter. */
#ifndef VISAGE_TESTS_SPEC_CASE_H
#define VISAGE_TESTS_SPEC_CASE_H

#include "cells.h"
#include "exec/handlers.h"
#include "numbers.h"

enum { SPEC_CHANNELS = 32 };

typedef struct spec_place {
    uint8_t kind;                      /* spec_kind */
    uint8_t type;                      /* as it stands: V, UV, VF of a packed immediate */
    uint8_t modifier;                  /* vsg_obj_modifier */
    uint8_t v_stride, width, h_stride; /* elements; destinations: h_stride only */
    uint32_t variable;                 /* general variable */
    uint32_t start_bytes;              /* in it; of a single-address operand, too */
    uint64_t immediate;                /* bits */
    int32_t offset_bytes;              /* indirect */
    uint32_t state;                    /* address, predicate, surface, sampler variable */
    uint32_t element;                  /* in an address variable */
    uint32_t rows[SPEC_CHANNELS];      /* multi-address: bytes in the variable */
} spec_place;

typedef struct spec_case {
    const spec_row *row;
    visage_platform platform;
    uint32_t size, mask_offset;
    bool no_mask, saturate;
    uint8_t predication; /* as SPEC_PREDICATED has it */
    uint32_t predicate;  /* variable */
    uint32_t control;    /* relation of CMP, function of BFN */
    spec_place places[SPEC_OPERANDS];
} spec_case;

/* Predicate variables: some that many instructions read, then one for each case to write. */
enum {
    SPEC_FIRST_PREDICATE = 1,
    SPEC_PREDICATES = 5, /* of 32 elements: random twice, all, none, nearly all */
    SPEC_BYTE_PREDICATE = 6,
    SPEC_WORD_PREDICATE = 7,
    SPEC_DST_PREDICATE = 8
};

/* Elements of a variable that sources are in, of each type for each operand. */
enum { SPEC_ELEMENTS = 256, SPEC_TYPE_COUNT = 16 };

/* `number`: of the case in its batch. False: no instruction of the row covers `want` (NULL:
 * anything). */
bool spec_make(const spec_row *row, const spec_cell *want, uint64_t *random, uint32_t number,
               spec_case *out);
/* Marks the cells of the row that the case covers. */
void spec_cover(spec_row *row, const spec_case *c);

/* Type that an operand's elements have: W of V. */
uint32_t spec_element_type(const spec_place *place);
uint32_t spec_random_below(uint64_t *random, uint32_t end);
uint64_t spec_random(uint64_t *random);
/* A number of the type, often one of its ends, zeros, ties. */
uint64_t spec_random_bits(uint32_t type, uint64_t *random);
void spec_describe(const spec_case *c, char *text, size_t size);

/* ---- a batch ---------------------------------------------------------------------------- */

enum { SPEC_BATCH = 64 };

typedef struct spec_batch {
    const spec_case *cases;
    uint32_t count;
    visage_platform platform;
    vsg_obj_module *module;
    vsg_exe_program *program;
    vsg_exe_thread thread;
    vsg_exe_launch launch;
    vsg_exe_group group;
    vsg_base_alloc alloc;
    uint32_t execution_mask;
    bool sets_masks; /* the kernel itself: mode, and channels off by a branch */
    struct vsg_jit_program *jit;
    /* the frame before the run */
    uint8_t *registers;
    uint32_t *addresses, *predicates, *surfaces, *samplers;
} spec_batch;

/* Builds, verifies and decodes; fails the test where a verifier or the interpreter refuses. */
void spec_batch_open(spec_batch *batch, const spec_case *cases, uint32_t count);
/* The same as a kernel that makes the mode itself, and has channels branch over the
 * instructions if it diverges, so that a compiler knows both. */
void spec_batch_open_compiled(spec_batch *batch, const spec_case *cases, uint32_t count,
                              const spec_mode *mode, bool diverges);
/* Fills the registers and runs. */
void spec_batch_run(spec_batch *batch, const spec_mode *mode, uint64_t *random);
/* Runs a compiled batch on both engines: the interpreter's registers are the thread's then,
 * those of compiled code in `out`, of the unit's register_bytes. */
void spec_batch_run_both(spec_batch *batch, uint64_t *random, uint8_t *out);
void spec_batch_close(spec_batch *batch);

/* Element of a source before the run, as bits of spec_element_type(). */
uint64_t spec_source(const spec_batch *batch, const spec_case *c, uint32_t position,
                     uint32_t i);
/* The same of an operand whose region is ignored: elements one after the other. */
uint64_t spec_flat_source(const spec_batch *batch, const spec_case *c, uint32_t position,
                          uint32_t i);
/* Address that an operand gives to a channel. */
uint32_t spec_address(const spec_batch *batch, const spec_case *c, uint32_t position,
                      uint32_t i);
/* Byte in the frame where a destination's element lies. */
uint32_t spec_destination(const spec_batch *batch, const spec_case *c, uint32_t position,
                          uint32_t i);
/* Channels that the masks enable, and those of the predicate alone. */
uint32_t spec_enabled(const spec_batch *batch, const spec_case *c);
uint32_t spec_chosen(const spec_batch *batch, const spec_case *c);

#endif
