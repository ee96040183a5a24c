/* SPDX-License-Identifier: MIT
 *
 * How far instructions reach into operands whose regions do not say it: the rows of
 * isa/extents.def. The verifier holds it against variables, the engine makes room for it. */
#ifndef VISAGE_OBJECT_EXTENT_H
#define VISAGE_OBJECT_EXTENT_H

#include "object/object.h"

/* Bytes from where operand `number` begins to the end of what the instruction accesses of it.
 * False: no row has it, or numbers of the instruction have no meaning. Any instruction may be
 * given, a legal one or not. */
bool vsg_obj_extent(const vsg_obj_unit *unit, const vsg_obj_inst *inst, uint32_t number,
                    uint32_t grf_bytes, uint64_t *bytes);

/* Place of rows and blocks of an LSC block in the registers (LSC_UNTYPED, LOAD_BLOCK2D:
 * grf_row_pitch, grf_block_pitch). A last group of VNNI rows that the block does not fill takes
 * its place. */
typedef struct vsg_obj_block {
    uint32_t num_blocks, width, height; /* elements */
    uint32_t element_bytes;
    bool transposed, vnni;
    uint32_t row_elements;   /* registers from one row of a block to the next */
    uint32_t block_elements; /* registers from one block to the next */
} vsg_obj_block;
/* Sets row_elements and block_elements from what stands before them. */
void vsg_obj_block_place(vsg_obj_block *block, uint32_t grf_bytes);
/* False where the data size is not defined. */
bool vsg_obj_block_of(const vsg_obj_inst *inst, uint32_t grf_bytes, vsg_obj_block *out);

#endif
