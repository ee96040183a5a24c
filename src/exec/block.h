/* SPDX-License-Identifier: MIT
 *
 * Blocks of lsc_load_block2d and lsc_store_block2d: of a surface that the instruction itself
 * describes. Source: LSC_UNTYPED, LOAD_BLOCK2D and STORE_BLOCK2D. */
#ifndef VISAGE_EXEC_BLOCK_H
#define VISAGE_EXEC_BLOCK_H

#include "exec/message.h"

/* The surface and the block's place in it. */
typedef struct vsg_exe_plane {
    uint64_t base;
    uint64_t pitch_bytes;
    int64_t columns, rows; /* elements, rows */
    int64_t x, y;
} vsg_exe_plane;

/* Elements of one row of one block that are inside the surface. */
typedef struct vsg_exe_block_row {
    uint32_t block, y;
    uint32_t first, count; /* columns of the block */
    uint64_t address;      /* of column `first` */
} vsg_exe_block_row;

/* False: a fault was raised. */
bool vsg_exe_plane_read(vsg_exe_thread *thread, const vsg_exe_inst *inst, vsg_exe_plane *out);
/* Finds the part of row->y of row->block that is inside the surface. False: there is none. */
bool vsg_exe_plane_row(const vsg_exe_message *message, const vsg_exe_plane *surface,
                       vsg_exe_block_row *row);
/* Place in the registers, in elements of its block, of column x and row y. */
uint32_t vsg_exe_block_element(const vsg_exe_message *message, uint32_t x, uint32_t y);

#endif
