/* SPDX-License-Identifier: MIT
 *
 * Tiles of shared local memory that are written by rows and read by columns, when both are in
 * registers (slm.h). */
#ifndef VISAGE_JIT_TILES_H
#define VISAGE_JIT_TILES_H

#include "jit/emit.h"

/* Vectors that are put together from one element of each of 16 others become rows of these
 * transposed. Needs AVX-512, else does nothing. */
void vsg_jit_transpose_tiles(vsg_jit_emitter *e, LLVMValueRef function);

#endif
