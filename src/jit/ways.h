/* SPDX-License-Identifier: MIT
 *
 * Ways from branches that leave no channel on to channels that wait. */
#ifndef VISAGE_JIT_WAYS_H
#define VISAGE_JIT_WAYS_H

#include "jit/frame.h"

/* Where any channel that waits is looked for behind an instruction. */
static inline LLVMBasicBlockRef vsg_jit_search_from(const vsg_jit_emitter *e,
                                                    const vsg_exe_inst *inst)
{
    return e->searches[inst->next_wait < inst->end_wait ? inst->next_wait : e->unit->num_waits];
}

/* Fills e->has_ways: each such branch has its own. Behind vsg_jit_find_lanes(). */
void vsg_jit_find_ways(vsg_jit_emitter *e);

/* Adds to `count` places the labels that the way of a branch leads to beside its target.
 * Returns how many there are then, of which `most` are noted. */
uint32_t vsg_jit_next_on_way(const vsg_jit_emitter *e, uint32_t place, uint32_t *out,
                             uint32_t count, uint32_t most);

/* Where control goes on from the branch at `place` when it leaves no channel on, and some have
 * come to wait at `wait`. */
LLVMBasicBlockRef vsg_jit_way(vsg_jit_emitter *e, uint32_t place, uint32_t wait);

#endif
