/* SPDX-License-Identifier: MIT
 *
 * Parts that are written piece by piece. */
#ifndef VISAGE_JIT_PIECES_H
#define VISAGE_JIT_PIECES_H

#include "jit/emit.h"

/* What of each part is written before it is read again, as somebody finds it who goes back
 * through a block. */
typedef struct vsg_jit_pieces vsg_jit_pieces;

/* NULL: no memory. */
vsg_jit_pieces *vsg_jit_new_pieces(vsg_jit_emitter *e);
/* Another block. */
void vsg_jit_forget_pieces(vsg_jit_pieces *pieces);
/* An access writes all its elements of a part. Then all of the part may be written. */
bool vsg_jit_add_pieces(vsg_jit_pieces *pieces, const vsg_jit_access *access, uint32_t part);
bool vsg_jit_has_pieces(const vsg_jit_pieces *pieces, uint32_t part);
/* The part is read. */
void vsg_jit_drop_pieces(vsg_jit_pieces *pieces, uint32_t part);

#endif
