/* SPDX-License-Identifier: MIT
 *
 * Samplers have numbers that text moves into their variables. Threads that begin in compiled
 * code find there what the one before has left: nothing asks for it where each block gives a
 * variable its number before it samples by it, as compilers do. */
#include "exec/message.h"
#include "jit/entry.h"

enum { MOST_SAMPLERS = 64 };

typedef struct finder {
    const vsg_jit_emitter *e;
    uint64_t given;   /* bits of the samplers that the block in hand has written, */
    uint64_t written; /* any block writes, */
    uint64_t asked;   /* and a block reads before it has written them */
} finder;

static uint64_t bit_of(uint32_t sampler)
{
    return sampler < MOST_SAMPLERS ? UINT64_C(1) << sampler : 0;
}

static void note_read(finder *f, uint32_t sampler)
{
    f->asked |= bit_of(sampler) & ~f->given;
}

static void note_reads(finder *f, const vsg_exe_inst *inst)
{
    const vsg_exe_sampling *sampling = inst->message ? inst->message->sampling : NULL;

    if (sampling && !sampling->is_number)
        note_read(f, sampling->sampler);
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (inst->src[s].kind == VSG_EXE_OPERAND_SAMPLER)
            note_read(f, inst->src[s].index);
}

/* Does it write its one channel in any case? */
static bool is_sure(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    return inst->exec_size == 1 && !inst->predicate_mode && inst->no_mask &&
           inst->dst.index < e->unit->num_samplers;
}

static void note_write(finder *f, const vsg_exe_inst *inst)
{
    if (inst->dst.kind != VSG_EXE_OPERAND_SAMPLER)
        return;
    f->written |= bit_of(inst->dst.index);
    if (is_sure(f->e, inst))
        f->given |= bit_of(inst->dst.index);
}

bool vsg_jit_gives_samplers(const vsg_jit_emitter *e)
{
    finder f = {.e = e};

    if (e->unit->num_samplers > MOST_SAMPLERS)
        return false;
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        if (e->notes[i].is_leader)
            f.given = 0;
        note_reads(&f, &e->unit->code[i]);
        note_write(&f, &e->unit->code[i]);
    }
    return (f.asked & f.written) == 0;
}
