/* SPDX-License-Identifier: MIT
 *
 * Channels that are apart, moved each for itself by a call, where that cannot be done quickly
 * (each_quick.c): no channel is on, or some place is not in the memory that was looked at. */
#include "exec/message.h"
#include "exec/program.h"
#include "jit/calls.h"

static bool is_any_inside(const vsg_jit_window *window, const vsg_jit_moved *moved,
                          uint32_t channels)
{
    for (; channels; channels &= channels - 1)
        if (moved->addresses[__builtin_ctz(channels)] - window->base < window->size_bytes)
            return true;
    return false;
}

/* Some are not in the memory that the first one is in: in another, or nowhere. */
static vsg_exe_stop move_checked(vsg_exe_thread *thread, uint32_t place, vsg_jit_moved *moved,
                                 uint32_t channels, bool is_store)
{
    vsg_exe_elements elements = {.addresses = moved->addresses,
                                 .rows = (uint8_t *)moved->elements,
                                 .pitch_bytes = sizeof moved->elements[0],
                                 .channels = channels};

    thread->pc = place + 1;
    vsg_exe_move_elements(thread, &thread->code[place],
                          is_store ? VSG_EXE_ACCESS_WRITE : VSG_EXE_ACCESS_READ, &elements);
    return thread->stop;
}

/* Is there another memory that has all? A window is all of its allocation: where it has some of
 * them, no other has all. */
static bool find_window(const vsg_exe_thread *thread, uint32_t place, vsg_jit_window *window,
                        const vsg_jit_moved *moved, uint32_t channels)
{
    return !is_any_inside(window, moved, channels) &&
           vsg_jit_find_wide_window(thread, window, moved->addresses, channels,
                                    thread->code[place].message->span_bytes);
}

vsg_exe_stop vsg_jit_load_flat(vsg_exe_thread *thread, uint32_t place, vsg_jit_window *window,
                               vsg_jit_moved *moved, uint32_t channels)
{
    if (channels == 0 ||
        (find_window(thread, place, window, moved, channels) &&
         vsg_jit_load_flat_quickly(thread, place, window, moved, channels) != VSG_JIT_NOT_DONE))
        return VSG_EXE_RUNNING;
    return move_checked(thread, place, moved, channels, false);
}

vsg_exe_stop vsg_jit_store_flat(vsg_exe_thread *thread, uint32_t place, vsg_jit_window *window,
                                vsg_jit_moved *moved, uint32_t channels)
{
    if (channels == 0 || (find_window(thread, place, window, moved, channels) &&
                          vsg_jit_store_flat_quickly(thread, place, window, moved, channels) !=
                              VSG_JIT_NOT_DONE))
        return VSG_EXE_RUNNING;
    return move_checked(thread, place, moved, channels, true);
}

uint32_t vsg_jit_load_within(const vsg_exe_thread *thread, uint32_t place, uint8_t *base,
                             uint64_t limit, vsg_jit_moved *moved, uint32_t channels)
{
    (void)thread, (void)place, (void)base, (void)limit, (void)moved;
    return channels == 0;
}

uint32_t vsg_jit_store_within(const vsg_exe_thread *thread, uint32_t place, uint8_t *base,
                              uint64_t limit, vsg_jit_moved *moved, uint32_t channels)
{
    (void)thread, (void)place, (void)base, (void)limit, (void)moved;
    return channels == 0;
}
