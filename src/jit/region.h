/* SPDX-License-Identifier: MIT
 *
 * Innermost loops of a function that LLVM has: which blocks they are, and copies of them. The
 * function has been brought into the form that LLVM's passes loop-simplify and lcssa make: a
 * loop has one block before it, one that goes back, and what is used behind it are phis there.
 */
#ifndef VISAGE_JIT_REGION_H
#define VISAGE_JIT_REGION_H

#include "jit/emit.h"

typedef struct vsg_jit_region {
    LLVMBasicBlockRef before, latch;
    LLVMBasicBlockRef *blocks; /* the header first */
    uint32_t num_blocks;
} vsg_jit_region;

/* Finds the innermost loops of a function. *out: of the emitter's arena. False: memory is out.
 */
bool vsg_jit_find_regions(vsg_jit_emitter *e, LLVMValueRef function, vsg_jit_region **out,
                          uint32_t *count);

/* Values of a region, blocks among them, each with another one. */
typedef struct vsg_jit_pair {
    LLVMValueRef from, to;
} vsg_jit_pair;

typedef struct vsg_jit_map {
    vsg_jit_pair *pairs; /* by `from` */
    uint32_t count;
} vsg_jit_map;

/* Blocks and instructions of a region, each with itself. False: memory is out. */
bool vsg_jit_map_region(vsg_jit_emitter *e, const vsg_jit_region *region, vsg_jit_map *out);
/* What stands for a value; NULL: it is none of the region's. */
LLVMValueRef vsg_jit_mapped(const vsg_jit_map *map, LLVMValueRef value);
bool vsg_jit_is_mapped(const vsg_jit_map *map, LLVMValueRef value);
/* Has another one stand for a value of the region. */
void vsg_jit_map_to(vsg_jit_map *map, LLVMValueRef value, LLVMValueRef to);

/* Copies all blocks to the end of the function. Phis of the header's copy have nothing that
 * comes in yet; those behind the region take what comes from the copy, too. False: memory is
 * out. */
bool vsg_jit_copy_region(vsg_jit_emitter *e, const vsg_jit_region *region, vsg_jit_map *out);

/* The phis that a block begins with. NULL: no more. */
LLVMValueRef vsg_jit_first_phi(LLVMBasicBlockRef block);
LLVMValueRef vsg_jit_next_phi(LLVMValueRef phi);
/* What comes to a phi from a block. NULL: nothing does. */
LLVMValueRef vsg_jit_coming_from(LLVMValueRef phi, LLVMBasicBlockRef block);
/* What comes to a phi from the two blocks before its own: first and later. */
void vsg_jit_add_incoming(LLVMValueRef phi, LLVMValueRef first, LLVMBasicBlockRef before,
                          LLVMValueRef back, LLVMBasicBlockRef turn);
/* What comes to a block from `from` comes from `other` instead: its phis are new ones. */
void vsg_jit_change_origin(vsg_jit_emitter *e, LLVMBasicBlockRef block, LLVMBasicBlockRef from,
                           LLVMBasicBlockRef other);
/* Which way of a branch is much likelier, the first or the second? -1: neither. */
int vsg_jit_likely_way(vsg_jit_emitter *e, LLVMValueRef branch);

#endif
