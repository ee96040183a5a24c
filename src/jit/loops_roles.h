/* SPDX-License-Identifier: MIT
 *
 * What a channel does of a loop's text by itself (loops.h). */
#ifndef VISAGE_JIT_LOOPS_ROLES_H
#define VISAGE_JIT_LOOPS_ROLES_H

#include "jit/loops.h"

/* Lanes of a pass, a bit each. */
enum { VSG_JIT_LANE_WORDS = VSG_JIT_MOST_PASS_LANES / 64 };
typedef struct vsg_jit_loop_lanes {
    uint64_t words[VSG_JIT_LANE_WORDS];
} vsg_jit_loop_lanes;

static inline vsg_jit_loop_lanes vsg_jit_lanes_or(vsg_jit_loop_lanes a, vsg_jit_loop_lanes b)
{
    for (uint32_t i = 0; i < VSG_JIT_LANE_WORDS; i++)
        a.words[i] |= b.words[i];
    return a;
}

static inline vsg_jit_loop_lanes vsg_jit_lanes_and(vsg_jit_loop_lanes a, vsg_jit_loop_lanes b)
{
    for (uint32_t i = 0; i < VSG_JIT_LANE_WORDS; i++)
        a.words[i] &= b.words[i];
    return a;
}

static inline vsg_jit_loop_lanes vsg_jit_lanes_without(vsg_jit_loop_lanes a,
                                                       vsg_jit_loop_lanes b)
{
    for (uint32_t i = 0; i < VSG_JIT_LANE_WORDS; i++)
        a.words[i] &= ~b.words[i];
    return a;
}

static inline bool vsg_jit_lanes_any(vsg_jit_loop_lanes a)
{
    uint64_t any = 0;

    for (uint32_t i = 0; i < VSG_JIT_LANE_WORDS; i++)
        any |= a.words[i];
    return any != 0;
}

/* What an instruction reads and writes for a channel. */
typedef struct vsg_jit_loop_use {
    vsg_jit_loop_lanes reads, writes;
    vsg_jit_loop_lanes partly; /* that it writes some bytes of */
    bool is_load, decides;
    bool is_bad; /* something that a channel has no element of */
} vsg_jit_loop_use;

/* What loops of a unit are judged with, one after the other. */
typedef struct vsg_jit_loop_room {
    uint32_t *stamps;          /* by byte of the registers: when it was written last, */
    uint32_t now;              /* in blocks that were gone through */
    uint64_t *written;         /* bits of parts that a loop writes */
    uint64_t *fixed, *stepped; /* become the loop's that is good (loops.h), NULL then */
    bool *is_read;             /* by predicate: by something else than rows of moves */
} vsg_jit_loop_room;

/* Makes what there is not yet. False: memory is out. */
bool vsg_jit_make_loop_room(vsg_jit_emitter *e, vsg_jit_loop_room *room);
/* Fills the loop's fixed and stepped parts, its passes and their roles. False: a channel cannot
 * go through it alone, or memory is out. */
bool vsg_jit_find_roles(vsg_jit_emitter *e, vsg_jit_loop *l, vsg_jit_loop_room *room);
/* Finds the lanes and arrays that an instruction uses, or makes them the loop's. */
vsg_jit_loop_use vsg_jit_loop_use_of(const vsg_jit_emitter *e, vsg_jit_loop *l,
                                     vsg_jit_loop_pass *p, uint32_t place);

/* Does each channel that reads an address do so in the block where it has made it itself, in
 * all of the text? False, too, if memory is out. */
bool vsg_jit_addresses_are_local(vsg_jit_emitter *e);

bool vsg_jit_is_loop_load(const vsg_exe_inst *inst);
bool vsg_jit_is_loop_store(const vsg_exe_inst *inst);
/* Does an instruction say which surface accesses behind it are to? */
bool vsg_jit_names_surface(const vsg_exe_inst *inst);
/* Is an instruction one of no channel, and of the same whenever it is run, as far as it knows
 * itself? */
bool vsg_jit_is_of_none(const vsg_exe_inst *inst);
/* Has an operand one value for all channels and in all rounds, but for what is written in the
 * same block? */
bool vsg_jit_is_of_all(const vsg_jit_emitter *e, const vsg_jit_loop *l,
                       const vsg_exe_operand *operand);

/* May channels be apart at a place, that is, some come to it in a round and others not? */
bool vsg_jit_is_sometimes(const vsg_jit_loop *l, uint32_t place);

/* Is a part asked for where control goes on behind a loop: right there, or at a label up to the
 * exit, where others may wait? */
bool vsg_jit_is_asked_for(const vsg_jit_emitter *e, const vsg_jit_loop *l, uint32_t part);

#endif
