/* SPDX-License-Identifier: MIT
 *
 * Channels that are apart, moved each for itself by a call: where each_quick.c has not done it,
 * or where calls keep no registers. */
#include <string.h>

#include "exec/message.h"
#include "exec/program.h"
#include "jit/calls.h"

/* Where places may be: `count` of them from `first` on. base: what addresses are counted from
 * in the host's memory. */
typedef struct bounds {
    uint64_t first, count, base;
} bounds;

/* `bytes` are known where these are compiled: no switch and no call is left of them. */
#define QUICK static inline __attribute__((always_inline))

QUICK void move_one(uint64_t host, uint8_t *element, uint32_t bytes, bool is_store)
{
    uint64_t value = 0;

    if (is_store) {
        memcpy(&value, element, bytes);
        vsg_exe_poke(host, bytes, value);
    } else {
        value = vsg_exe_peek(host, bytes);
        memcpy(element, &value, bytes);
    }
}

/* How many channels are on, if these are the first ones; else 0. */
static inline uint32_t first_ones(uint32_t channels)
{
    return channels & (channels + 1) ? 0 : 32 - (uint32_t)__builtin_clz(channels);
}

static inline bool is_outside(const bounds *in, uint64_t address)
{
    return address - in->first >= in->count;
}

static inline bool are_inside(const bounds *in, const vsg_jit_moved *moved, uint32_t channels)
{
    for (; channels; channels &= channels - 1)
        if (is_outside(in, moved->addresses[__builtin_ctz(channels)]))
            return false;
    return true;
}

static inline bool is_any_inside(const bounds *in, const vsg_jit_moved *moved,
                                 uint32_t channels)
{
    for (; channels; channels &= channels - 1)
        if (!is_outside(in, moved->addresses[__builtin_ctz(channels)]))
            return true;
    return false;
}

/* One element of each of the first channels. */
QUICK bool move_first(const bounds *in, vsg_jit_moved *moved, uint32_t count, uint32_t bytes,
                      bool is_store)
{
    const uint64_t *at = moved->addresses;
    bool is_bad = false;

    for (uint32_t i = 0; i < count; i++)
        is_bad |= is_outside(in, at[i]);
    for (uint32_t i = 0; i < count && !is_bad; i++)
        move_one(in->base + at[i], moved->elements[0] + i * bytes, bytes, is_store);
    return !is_bad;
}

/* Channel by channel, since those behind win where two store to one place. */
QUICK bool move_elements(const bounds *in, const vsg_exe_message *message, vsg_jit_moved *moved,
                         uint32_t channels, uint32_t bytes, bool is_store)
{
    const uint16_t *element_at = message->element_at;
    uint32_t num_elements = message->num_elements, count = first_ones(channels);

    if (count > 0 && num_elements == 1 && element_at[0] == 0)
        return move_first(in, moved, count, bytes, is_store);
    if (!are_inside(in, moved, channels))
        return false;
    for (; channels; channels &= channels - 1) {
        uint32_t channel = (uint32_t)__builtin_ctz(channels);
        for (uint32_t v = 0; v < num_elements; v++) {
            uint64_t host = in->base + moved->addresses[channel] + element_at[v];
            move_one(host, moved->elements[v] + channel * bytes, bytes, is_store);
        }
    }
    return true;
}

/* Nothing is stored where a place is outside. */
static inline bool move_all(const bounds *in, const vsg_exe_message *message,
                            vsg_jit_moved *moved, uint32_t channels, bool is_store)
{
    if (channels == 0)
        return true;
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

static inline vsg_exe_stop move_flat(vsg_exe_thread *thread, uint32_t place,
                                     vsg_jit_window *window, vsg_jit_moved *moved,
                                     uint32_t channels, bool is_store)
{
    const vsg_exe_message *message = thread->code[place].message;
    bounds in = {window->base, window->size_bytes, 0};

    if (move_all(&in, message, moved, channels, is_store))
        return VSG_EXE_RUNNING;
    /* A window is all of its allocation: where it has some of them, no other has all. */
    if (is_any_inside(&in, moved, channels) ||
        !vsg_jit_find_wide_window(thread, window, moved->addresses, channels,
                                  message->span_bytes))
        return move_checked(thread, place, moved, channels, is_store);
    in = (bounds){window->base, window->size_bytes, 0};
    (void)move_all(&in, message, moved, channels, is_store);
    return VSG_EXE_RUNNING;
}

vsg_exe_stop vsg_jit_load_flat(vsg_exe_thread *thread, uint32_t place, vsg_jit_window *window,
                               vsg_jit_moved *moved, uint32_t channels)
{
    return move_flat(thread, place, window, moved, channels, false);
}

vsg_exe_stop vsg_jit_store_flat(vsg_exe_thread *thread, uint32_t place, vsg_jit_window *window,
                                vsg_jit_moved *moved, uint32_t channels)
{
    return move_flat(thread, place, window, moved, channels, true);
}

static inline uint32_t move_within(const vsg_exe_thread *thread, uint32_t place, uint8_t *base,
                                   uint64_t limit, vsg_jit_moved *moved, uint32_t channels,
                                   bool is_store)
{
    const bounds in = {0, limit, (uint64_t)(uintptr_t)base};

    return move_all(&in, thread->code[place].message, moved, channels, is_store);
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
