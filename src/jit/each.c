/* SPDX-License-Identifier: MIT
 *
 * Channels that are apart, moved each for itself by a call. */
#include "exec/message.h"
#include "exec/program.h"
#include "jit/calls.h"

/* One of their elements, `bytes` of it known when this is compiled. */
static inline void move_one(uint8_t *memory, uint8_t *element, uint32_t bytes, bool is_store)
{
    if (is_store)
        memcpy(memory, element, bytes);
    else
        memcpy(element, memory, bytes);
}

/* Channel by channel, since those behind win where two store to one place. */
static inline void move_elements(uint64_t base, const vsg_exe_message *message,
                                 vsg_jit_moved *moved, uint32_t channels, uint32_t bytes,
                                 bool is_store)
{
    for (; channels; channels &= channels - 1) {
        uint32_t channel = (uint32_t)__builtin_ctz(channels);
        uint8_t *memory = (uint8_t *)(uintptr_t)(base + moved->addresses[channel]);
        for (uint32_t v = 0; v < message->num_elements; v++)
            move_one(memory + message->element_at[v], moved->elements[v] + channel * bytes,
                     bytes, is_store);
    }
}

static inline void move_all(uint64_t base, const vsg_exe_message *message, vsg_jit_moved *moved,
                            uint32_t channels, bool is_store)
{
    switch (message->memory_bytes) {
    case 1:
        move_elements(base, message, moved, channels, 1, is_store);
        break;
    case 2:
        move_elements(base, message, moved, channels, 2, is_store);
        break;
    case 4:
        move_elements(base, message, moved, channels, 4, is_store);
        break;
    default:
        move_elements(base, message, moved, channels, 8, is_store);
        break;
    }
}

/* Is each place among the `count` that begin at `first`? */
static inline bool are_among(const vsg_jit_moved *moved, uint32_t channels, uint64_t first,
                             uint64_t count)
{
    for (; channels; channels &= channels - 1)
        if (moved->addresses[__builtin_ctz(channels)] - first >= count)
            return false;
    return true;
}

static inline uint32_t move_flat(const vsg_exe_thread *thread, uint32_t place,
                                 vsg_jit_window *window, vsg_jit_moved *moved,
                                 uint32_t channels, bool is_store)
{
    const vsg_exe_message *message = thread->code[place].message;

    if (!are_among(moved, channels, window->base, window->size_bytes) &&
        !vsg_jit_find_wide_window(thread, window, moved->addresses, channels,
                                  message->span_bytes))
        return 0;
    move_all(0, message, moved, channels, is_store);
    return 1;
}

uint32_t vsg_jit_load_flat(const vsg_exe_thread *thread, uint32_t place, vsg_jit_window *window,
                           vsg_jit_moved *moved, uint32_t channels)
{
    return move_flat(thread, place, window, moved, channels, false);
}

uint32_t vsg_jit_store_flat(const vsg_exe_thread *thread, uint32_t place,
                            vsg_jit_window *window, vsg_jit_moved *moved, uint32_t channels)
{
    return move_flat(thread, place, window, moved, channels, true);
}

static inline uint32_t move_within(const vsg_exe_thread *thread, uint32_t place, uint8_t *base,
                                   uint64_t limit, vsg_jit_moved *moved, uint32_t channels,
                                   bool is_store)
{
    if (!are_among(moved, channels, 0, limit))
        return 0;
    move_all((uint64_t)(uintptr_t)base, thread->code[place].message, moved, channels, is_store);
    return 1;
}

uint32_t vsg_jit_load_within(const vsg_exe_thread *thread, uint32_t place, uint8_t *base,
                             uint64_t limit, vsg_jit_moved *moved, uint32_t channels)
{
    return move_within(thread, place, base, limit, moved, channels, false);
}

uint32_t vsg_jit_store_within(const vsg_exe_thread *thread, uint32_t place, uint8_t *base,
                              uint64_t limit, vsg_jit_moved *moved, uint32_t channels)
{
    return move_within(thread, place, base, limit, moved, channels, true);
}
