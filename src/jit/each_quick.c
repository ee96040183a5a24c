/* SPDX-License-Identifier: MIT
 *
 * Channels that are apart, moved each for itself by a call, where all places are in the memory
 * that is looked at first (else: each.c), without vector registers: to keep those (keep.h)
 * takes as long as all the rest. Compiled for general registers alone, with optimisation, so
 * that no call of the C library is left, and without sanitizers, whose calls may use others
 * (CMakeLists.txt). */
#include <string.h>

#include "exec/message.h"
#include "exec/program.h"
#include "jit/calls.h"

#if defined(__SSE__)
#error "This is to be compiled for general registers alone."
#endif

/* Where places may be: `count` of them from `first` on. base: what addresses are counted from
 * in the host's memory. */
typedef struct bounds {
    uint64_t first, count, base;
} bounds;

/* `bytes` are known where these are compiled: no call is left of them. Bounds are passed as
 * they are, since what is stored could otherwise be them. */
#define QUICK static inline __attribute__((always_inline))

QUICK bool is_inside(bounds in, uint64_t address)
{
    return address - in.first < in.count;
}

/* One element of each of the first channels. What is outside is loaded from where the memory
 * begins, and thrown away. */
QUICK bool load_first(bounds in, vsg_jit_moved *moved, uint32_t count, uint32_t bytes)
{
    const uint8_t *memory = (const uint8_t *)(uintptr_t)(in.base + in.first);
    uint64_t outside = 0;

#pragma GCC unroll 4
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = moved->addresses[i] - in.first, is_bad = at >= in.count;
        at = is_bad ? 0 : at;
        outside |= is_bad;
        memcpy(moved->elements[0] + i * bytes, memory + at, bytes);
    }
    return !outside;
}

QUICK bool store_first(bounds in, const vsg_jit_moved *moved, uint32_t count, uint32_t bytes)
{
    uint64_t outside = 0;

#pragma GCC unroll 4
    for (uint32_t i = 0; i < count; i++)
        outside |= !is_inside(in, moved->addresses[i]);
    if (outside)
        return false;
#pragma GCC unroll 4
    for (uint32_t i = 0; i < count; i++)
        memcpy((uint8_t *)(uintptr_t)(in.base + moved->addresses[i]),
               moved->elements[0] + i * bytes, bytes);
    return true;
}

/* Element `v` of each channel that is on. */
QUICK bool load_some(bounds in, const vsg_exe_message *message, vsg_jit_moved *moved,
                     uint32_t channels, uint32_t v, uint32_t bytes)
{
    const uint8_t *memory =
        (const uint8_t *)(uintptr_t)(in.base + in.first + message->element_at[v]);
    uint64_t outside = 0;

    for (uint32_t left = channels; left; left &= left - 1) {
        uint32_t channel = (uint32_t)__builtin_ctz(left);
        uint64_t at = moved->addresses[channel] - in.first, is_bad = at >= in.count;
        at = is_bad ? 0 : at;
        outside |= is_bad;
        memcpy(moved->elements[v] + channel * bytes, memory + at, bytes);
    }
    return !outside;
}

/* All elements of the channels that are on, channel by channel: those behind win where two
 * store to one place. */
QUICK bool store_some(bounds in, const vsg_exe_message *message, const vsg_jit_moved *moved,
                      uint32_t channels, uint32_t bytes)
{
    uint32_t num_elements = message->num_elements;
    uint64_t outside = 0;

    for (uint32_t left = channels; left; left &= left - 1)
        outside |= !is_inside(in, moved->addresses[__builtin_ctz(left)]);
    if (outside)
        return false;
    for (uint32_t left = channels; left; left &= left - 1) {
        uint32_t channel = (uint32_t)__builtin_ctz(left);
        uint8_t *memory = (uint8_t *)(uintptr_t)(in.base + moved->addresses[channel]);
        for (uint32_t v = 0; v < num_elements; v++)
            memcpy(memory + message->element_at[v], moved->elements[v] + channel * bytes,
                   bytes);
    }
    return true;
}

QUICK bool move_elements(bounds in, const vsg_exe_message *message, vsg_jit_moved *moved,
                         uint32_t channels, uint32_t bytes, bool is_store)
{
    if (channels == 0 || in.count == 0)
        return false;
    uint32_t count = 32 - (uint32_t)__builtin_clz(channels);
    if ((channels & (channels + 1)) == 0 && message->num_elements == 1 &&
        message->element_at[0] == 0)
        return is_store ? store_first(in, moved, count, bytes)
                        : load_first(in, moved, count, bytes);
    if (is_store)
        return store_some(in, message, moved, channels, bytes);
    for (uint32_t v = 0; v < message->num_elements; v++)
        if (!load_some(in, message, moved, channels, v, bytes))
            return false;
    return true;
}

QUICK bool move_all(bounds in, const vsg_exe_message *message, vsg_jit_moved *moved,
                    uint32_t channels, bool is_store)
{
    switch (message->memory_bytes) {
    case 1:
        return move_elements(in, message, moved, channels, 1, is_store);
    case 2:
        return move_elements(in, message, moved, channels, 2, is_store);
    case 4:
        return move_elements(in, message, moved, channels, 4, is_store);
    default:
        return move_elements(in, message, moved, channels, 8, is_store);
    }
}

static const vsg_exe_message *message_at(const vsg_exe_thread *thread, uint32_t place)
{
    return thread->code[place].message;
}

uint32_t vsg_jit_load_flat_quickly(vsg_exe_thread *thread, uint32_t place,
                                   vsg_jit_window *window, vsg_jit_moved *moved,
                                   uint32_t channels)
{
    const bounds in = {window->base, window->size_bytes, 0};

    return move_all(in, message_at(thread, place), moved, channels, false) ? VSG_EXE_RUNNING
                                                                           : VSG_JIT_NOT_DONE;
}

uint32_t vsg_jit_store_flat_quickly(vsg_exe_thread *thread, uint32_t place,
                                    vsg_jit_window *window, vsg_jit_moved *moved,
                                    uint32_t channels)
{
    const bounds in = {window->base, window->size_bytes, 0};

    return move_all(in, message_at(thread, place), moved, channels, true) ? VSG_EXE_RUNNING
                                                                          : VSG_JIT_NOT_DONE;
}

uint32_t vsg_jit_load_within_quickly(const vsg_exe_thread *thread, uint32_t place,
                                     uint8_t *base, uint64_t limit, vsg_jit_moved *moved,
                                     uint32_t channels)
{
    const bounds in = {0, limit, (uint64_t)(uintptr_t)base};

    return move_all(in, message_at(thread, place), moved, channels, false) ? 1
                                                                           : VSG_JIT_NOT_DONE;
}

uint32_t vsg_jit_store_within_quickly(const vsg_exe_thread *thread, uint32_t place,
                                      uint8_t *base, uint64_t limit, vsg_jit_moved *moved,
                                      uint32_t channels)
{
    const bounds in = {0, limit, (uint64_t)(uintptr_t)base};

    return move_all(in, message_at(thread, place), moved, channels, true) ? 1
                                                                          : VSG_JIT_NOT_DONE;
}
