/* SPDX-License-Identifier: MIT
 *
 * Shadows of registers: reading and writing those of an operand, and what the files of check
 * mode share. A set bit was never written. The shadow of a frame has the frame's layout; in it
 *
 *   a byte of a variable has a bit for each bit,
 *   a predicate has a bit for each element,
 *   an address element is VSG_EXE_UNWRITTEN, or the root variable whose address it holds plus
 * 1, or 0 where that is not known, a surface or sampler element is 0 or VSG_EXE_UNWRITTEN.
 *
 * Registers that belong to the thread (%r0, %cr0 ...) have values from the start. */
#ifndef VISAGE_EXEC_CHECK_SHADOW_H
#define VISAGE_EXEC_CHECK_SHADOW_H

#include <string.h>

#include "exec/check_race.h"
#include "exec/message.h"
#include "exec/operand.h"

#define VSG_EXE_UNWRITTEN UINT32_MAX

/* ---- bytes ------------------------------------------------------------------------------ */

/* Is any bit set? */
static inline bool vsg_exe_any_set(const uint8_t *at, uint32_t bytes)
{
    uint64_t all = 0, word;

    for (; bytes >= sizeof word; at += sizeof word, bytes -= (uint32_t)sizeof word) {
        memcpy(&word, at, sizeof word);
        all |= word;
    }
    while (bytes-- > 0)
        all |= *at++;
    return all != 0;
}

static inline uint32_t *vsg_exe_shadow_dwords(const vsg_exe_thread *thread, uint32_t at)
{
    return (uint32_t *)(void *)(thread->check->registers + at);
}

/* Elements of a predicate that were never written. */
static inline uint32_t *vsg_exe_shadow_predicate(const vsg_exe_thread *thread, uint32_t index)
{
    return vsg_exe_shadow_dwords(thread, thread->frame->unit->predicates_at) + index;
}

/* ---- operands (check_shadow.c) ---------------------------------------------------------- */

/* Where channel i's element of an indirect operand is in the frame; UINT32_MAX: in the shared
 * registers. */
typedef uint32_t vsg_exe_places[VSG_EXE_MAX_CHANNELS];

/* Unwritten bits of each channel's element. places: of an indirect operand. */
void vsg_exe_shadow_read(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_operand *operand, const uint32_t *places, uint32_t count,
                         uint64_t *out);
/* Channels whose element of a direct operand has an unwritten bit. */
uint32_t vsg_exe_shadow_channels(const vsg_exe_thread *thread, const vsg_exe_operand *operand,
                                 uint32_t count);
/* Sets those of the elements of `channels`. */
void vsg_exe_shadow_write(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_operand *dst, const uint32_t *places, uint32_t channels,
                          const uint64_t *bits);
/* The elements of `channels` are written. */
void vsg_exe_shadow_clear(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_operand *dst, const uint32_t *places,
                          uint32_t channels);

/* Elements of the predicate, of the instruction's channels, that the instruction looks at and
 * nothing has written: bit n is channel n. */
uint32_t vsg_exe_shadow_condition(const vsg_exe_thread *thread, const vsg_exe_inst *inst);

/* Is any part of a value written never, of a scalar that is an address or chooses one? */
bool vsg_exe_shadow_scalar(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                           const vsg_exe_operand *operand);

/* Finds an indirect operand's elements. Those of `channels` that are outside the variable whose
 * address was taken, not aligned, or at an address that was never written, are reported and
 * returned. */
uint32_t vsg_exe_check_indirect(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                const vsg_exe_operand *operand, uint32_t channels,
                                uint32_t *places);

/* ---- reports (check_run.c) -------------------------------------------------------------- */

/* Completes and hands on a finding. channels: of the instruction. */
void vsg_exe_check_report(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          vsg_exe_finding *finding, uint32_t channels);
/* `what` depends on something that was never written. what: static. */
void vsg_exe_check_unwritten(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                             uint32_t channels, const char *what);

/* ---- messages (check_message.c) --------------------------------------------------------- */

/* Whether the message is sent, for which channels, to which surface, at which addresses: what
 * of that was never written is reported. */
void vsg_exe_check_addressing(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                              uint32_t channels);
bool vsg_exe_scalar_unwritten(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                              const vsg_exe_scalar *scalar);
/* Are bytes of the device's memory all in one allocation that is this thread's to use? */
bool vsg_exe_check_inside(const vsg_exe_thread *thread, uint64_t address, uint64_t bytes);
/* Shadow of the device's memory. */
static inline uint8_t *vsg_exe_shadow_memory(const vsg_exe_thread *thread, uint64_t address)
{
    return thread->check->check->shadow +
           (address - (uint64_t)(uintptr_t)thread->launch->space.base);
}
/* Reports a data race that was found, of an access of that size. what: static. */
void vsg_exe_report_race(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_step *step, const vsg_exe_race_access *access,
                         const char *what, uint32_t size_bytes);

/* ---- steps ------------------------------------------------------------------------------ */

/* Results by the bits of their sources. (check_compute.c) */
void vsg_exe_step_compute(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_step *step);
void vsg_exe_step_plain(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_step *step);
void vsg_exe_step_mixed(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_step *step);

/* Messages by descriptor; those that have none. (check_message.c) */
void vsg_exe_step_message(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_step *step);
void vsg_exe_step_opaque(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_step *step);

/* Images. (check_image.c) */
void vsg_exe_step_typed(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_step *step);
void vsg_exe_step_sampling(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                           const vsg_exe_step *step);
void vsg_exe_step_media(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_step *step);

/* (check_block.c) */
void vsg_exe_step_block2d(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_step *step);

/* (check_flow.c) */
void vsg_exe_step_branch(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_step *step);
void vsg_exe_step_jump(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_step *step);
void vsg_exe_step_call(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_step *step);
void vsg_exe_step_return(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_step *step);
void vsg_exe_step_barrier(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_step *step);
void vsg_exe_step_fence(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_step *step);
void vsg_exe_step_signal(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_step *step);
void vsg_exe_step_wait(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_step *step);
/* Nothing to check. */
void vsg_exe_step_nothing(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_step *step);

/* Makes the shadow of the frame that was just pushed. False: memory is out. */
bool vsg_exe_shadow_push(vsg_exe_thread *thread);
/* That of the current frame is the one at its depth. */
void vsg_exe_shadow_enter(vsg_exe_thread *thread);

#endif
