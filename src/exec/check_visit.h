/* SPDX-License-Identifier: MIT
 *
 * A message in check mode, seen by what looks at it: where each channel's elements are. */
#ifndef VISAGE_EXEC_CHECK_VISIT_H
#define VISAGE_EXEC_CHECK_VISIT_H

#include "exec/check_shadow.h"
#include "exec/message.h"

typedef struct vsg_exe_visit {
    vsg_exe_thread *thread;
    const vsg_exe_inst *inst;
    const vsg_exe_message *message;
    vsg_exe_window window;
    vsg_exe_access access;
    uint32_t channels;                 /* active, and not found wrong */
    uint64_t at[VSG_EXE_MAX_CHANNELS]; /* address of each channel */
    uint64_t low, bytes;               /* from the lowest address on, all elements */
    uint64_t near; /* host address of `low` where all `bytes` are inside; else 0 */
} vsg_exe_visit;

/* Are bytes that are inside of shared local memory in one piece of it? */
static inline bool vsg_exe_visit_is_in_piece(const vsg_exe_visit *v, uint64_t address,
                                             uint64_t bytes)
{
    const vsg_exe_check *check = v->thread->check->check;
    uint32_t i = 0;

    while (i < check->num_slm_pieces && address >= check->slm_pieces[i].end)
        i++;
    return i < check->num_slm_pieces && address >= check->slm_pieces[i].begin &&
           address + bytes <= check->slm_pieces[i].end;
}

/* Host address of bytes that are all in one allocation; 0: they are not. */
static inline uint64_t vsg_exe_visit_host_of(const vsg_exe_visit *v, uint64_t address,
                                             uint64_t bytes)
{
    if (v->window.space)
        return vsg_exe_check_inside(v->thread, address, bytes) ? address : 0;
    uint64_t host = vsg_exe_window_at(&v->window, address, bytes);
    return host && v->window.is_slm && !vsg_exe_visit_is_in_piece(v, address, bytes) ? 0 : host;
}

/* Is the memory for others to see? Of generic pointers a message may have both kinds. */
static inline bool vsg_exe_visit_is_common(const vsg_exe_visit *v, uint64_t address)
{
    const vsg_exe_check *check = v->thread->check->check;

    address += v->window.shown;
    if (v->window.is_slm)
        return false;
    return address - check->scratch.address >= check->scratch.size_bytes &&
           address - check->private_memory.address >= check->private_memory.size_bytes;
}

/* Address of a channel's element. */
static inline uint64_t vsg_exe_visit_address_of(const vsg_exe_visit *v, uint32_t n,
                                                uint32_t element)
{
    return vsg_exe_element_address(v->message, v->at[n], v->message->element_at[element]);
}

/* As vsg_exe_visit_host_of(), of an element. */
static inline uint64_t vsg_exe_visit_host_in(const vsg_exe_visit *v, uint64_t address)
{
    return v->near ? v->near + (address - v->low)
                   : vsg_exe_visit_host_of(v, address, v->message->memory_bytes);
}

/* Bytes of a slot that hold the element: the first one, and how many. */
static inline uint32_t vsg_exe_visit_first_byte(const vsg_exe_message *message)
{
    return message->copy == VSG_EXE_COPY_2_HIGH_IN_4 ? 2 : 0;
}

/* In reports. */
static inline const char *vsg_exe_visit_word_of(vsg_exe_access access)
{
    return access == VSG_EXE_ACCESS_READ    ? "read"
           : access == VSG_EXE_ACCESS_WRITE ? "write"
                                            : "atomic";
}

/* Is it one piece of memory, in the order of the channels? */
static inline bool vsg_exe_visit_is_run(const vsg_exe_visit *v)
{
    if (v->message->is_block)
        return true;
    if (v->message->num_elements != 1 || v->message->element_at[0] != 0 ||
        v->channels != vsg_exe_all_channels(v->inst))
        return false;
    return v->message->lanes->is_run(v->at, v->inst->exec_size, v->message->memory_bytes);
}

/* Looks for accesses of other threads that nothing orders with this one's, and for channels
 * that store different values at one address (check_conflict.c). */
void vsg_exe_visit_find_races(const vsg_exe_visit *v, const vsg_exe_step *step);
void vsg_exe_visit_find_overlap(const vsg_exe_visit *v);

#endif
