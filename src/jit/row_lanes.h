/* SPDX-License-Identifier: MIT
 *
 * Operands as lanes of parts, for the analysis of rows (rows.c) and their scalars
 * (rows_emit.c). */
#ifndef VISAGE_JIT_ROW_LANES_H
#define VISAGE_JIT_ROW_LANES_H

#include "jit/rows.h"

/* What an operand of `count` elements is in its part. False: no lanes of one. */
bool vsg_jit_lanes_in(const vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                      uint32_t *part, uint32_t *lane);
/* Has an operand one value for all channels? */
bool vsg_jit_is_one(const vsg_exe_operand *operand);
uint32_t vsg_jit_lanes_of(const vsg_jit_part *part);
/* Element `i` of an integer immediate, which repeats, as its type has it. */
int64_t vsg_jit_immediate(const vsg_exe_operand *operand, uint32_t i);

/* Integers that are known to be in lanes of a part. */
typedef struct vsg_jit_lane_numbers {
    uint32_t part;
    uint32_t known; /* lanes, a bit each */
    int64_t lanes[VSG_EXE_MAX_CHANNELS];
} vsg_jit_lane_numbers;

/* What a source of `count` elements has for channel `i`: an immediate, or what is known. False:
 * that is not known. */
bool vsg_jit_find_number(const vsg_jit_emitter *e, const vsg_jit_lane_numbers *known,
                         const vsg_exe_operand *source, uint32_t count, uint32_t i,
                         int64_t *out);
/* Is it the same with a sign and without, in so many bytes and in four? */
bool vsg_jit_fits_any(int64_t number, uint32_t bytes);

/* Instructions that move integers into one half of lanes of 64 bits each, as products of 64
 * bits are put together: those of all lanes may follow each other. */
typedef enum vsg_jit_half_role {
    VSG_JIT_HALF_NONE,
    VSG_JIT_HALF_FIRST, /* of those that write both halves of all lanes of a part */
    VSG_JIT_HALF_NEXT,
    VSG_JIT_HALF_LOOSE
} vsg_jit_half_role;

/* Where an instruction has one half. */
typedef struct vsg_jit_half_lanes {
    uint32_t part, lane; /* the first of them */
    bool is_upper;
    vsg_jit_half_role role;
} vsg_jit_half_lanes;

/* Fills e->half_roles. False: memory is out. */
bool vsg_jit_find_halves(vsg_jit_emitter *e);
/* Does an instruction write for all of its channels, or for none that anything is asked of? */
bool vsg_jit_is_unmasked(const vsg_jit_emitter *e, uint32_t place);
/* vsg_jit_find_result() of an arm (sides.h), too, in which others keep what they have: merges.
 */
bool vsg_jit_find_written(const vsg_jit_emitter *e, uint32_t place, uint32_t *part,
                          uint32_t *lane, bool *merges);
/* Does a source of `count` elements have halves of lanes, as products take their factors apart?
 * They have no role. */
bool vsg_jit_halves_in(const vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                       vsg_jit_half_lanes *out);
/* Does it write halves? */
bool vsg_jit_find_half(const vsg_jit_emitter *e, uint32_t place, vsg_jit_half_lanes *out);
/* Does it load an element for each channel into lanes of a part, and nothing else of it? */
bool vsg_jit_find_loaded(const vsg_jit_emitter *e, uint32_t place, uint32_t *part,
                         uint32_t *lane);

/* Do `count` lanes from `lane` on begin or end within a chunk that they share with others? */
bool vsg_jit_straddles(const vsg_jit_row *row, uint32_t lane, uint32_t count);

/* Can an instruction on rows be made with their first lanes alone? (rows.c) */
bool vsg_jit_is_followed(const vsg_jit_emitter *e, const vsg_exe_inst *inst);
/* Is what it makes of rows a row by guess? (rows.c) */
bool vsg_jit_finds_guess(const vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t chunk,
                         vsg_jit_guess *out);

#endif
