/* SPDX-License-Identifier: MIT
 *
 * Channels that are moved by calls, each for itself (jit/each_quick.c): what they load and
 * store is what a loop over them does, and where one of them is outside nothing is stored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "exec/message.h"
#include "exec/program.h"
#include "jit/calls.h"

enum { MEMORY_BYTES = 4096, FIRST = 64, MOST_ELEMENTS = 4, CASES = 20000 };

/* A message, and memory around what may be reached. */
typedef struct machine {
    vsg_exe_message message;
    vsg_exe_inst inst;
    vsg_exe_thread thread;
    uint16_t element_at[MOST_ELEMENTS];
    uint8_t memory[MEMORY_BYTES], wanted[MEMORY_BYTES];
    vsg_jit_moved moved, before;
    uint64_t limit; /* places that the window has */
    uint32_t channels;
    uint64_t seed;
} machine;

static uint32_t draw(machine *m, uint32_t below)
{
    m->seed = m->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(m->seed >> 33) % below;
}

static uint32_t draw_channels(machine *m)
{
    static const uint32_t masks[] = {0xffffffff, 0xffff,     0xff,      1,
                                     0x7fff,     0xaaaaaaaa, 0xfffffffe};
    uint32_t which = draw(m, 12);

    return which < 7 ? masks[which] : draw(m, UINT32_MAX) << draw(m, 32);
}

/* base: where addresses are counted from, in the host's memory; some are outside, mostly just.
 */
static void prepare(machine *m, uint64_t base)
{
    uint32_t bytes = 1u << draw(m, 4), at = draw(m, 4) ? 0 : bytes * draw(m, 4);
    bool strays = draw(m, 3) == 0;

    m->message.memory_bytes = (uint8_t)bytes;
    m->message.num_elements = (uint8_t)(draw(m, 2) ? 1 : 1 + draw(m, MOST_ELEMENTS));
    for (uint32_t v = 0; v < m->message.num_elements; v++, at += bytes * (1 + draw(m, 2)))
        m->element_at[v] = (uint16_t)at;
    m->message.span_bytes = m->element_at[m->message.num_elements - 1] + bytes;
    m->limit = draw(m, 20) ? 1 + draw(m, 1000) : 0;
    m->channels = draw_channels(m);
    for (uint32_t i = 0; i < MEMORY_BYTES; i++)
        m->memory[i] = (uint8_t)draw(m, 256);
    for (uint32_t i = 0; i < VSG_EXE_MAX_CHANNELS; i++) {
        uint64_t place = m->limit ? draw(m, (uint32_t)m->limit) : 0;
        if (strays && draw(m, 16) == 0)
            place = draw(m, 2) ? m->limit + draw(m, 2) : 0 - (uint64_t)draw(m, 3);
        m->moved.addresses[i] = base + place;
    }
    for (uint32_t v = 0; v < MOST_ELEMENTS; v++)
        for (uint32_t i = 0; i < sizeof m->moved.elements[v]; i++)
            m->moved.elements[v][i] = (uint8_t)draw(m, 256);
    m->before = m->moved;
    memcpy(m->wanted, m->memory, sizeof m->wanted);
}

static bool can_be_done(const machine *m, uint64_t base)
{
    for (uint32_t i = 0; i < VSG_EXE_MAX_CHANNELS; i++)
        if ((m->channels >> i & 1) && m->moved.addresses[i] - base >= m->limit)
            return false;
    return m->channels != 0;
}

/* host: of the address `base`. */
static void check(machine *m, uint64_t base, uint32_t result, uint32_t done, bool is_store)
{
    uint32_t bytes = m->message.memory_bytes;
    bool can = can_be_done(m, base);

    assert_int_equal(result, can ? done : VSG_JIT_NOT_DONE);
    for (uint32_t i = 0; i < VSG_EXE_MAX_CHANNELS && can; i++)
        for (uint32_t v = 0; (m->channels >> i & 1) && v < m->message.num_elements; v++) {
            uint8_t *at = m->wanted + FIRST + (m->moved.addresses[i] - base) + m->element_at[v];
            if (is_store)
                memcpy(at, m->before.elements[v] + i * bytes, bytes);
            else
                assert_memory_equal(m->moved.elements[v] + i * bytes, at, bytes);
        }
    assert_memory_equal(m->memory, m->wanted, sizeof m->memory);
    for (uint32_t v = 0; v < MOST_ELEMENTS; v++)
        for (uint32_t i = 0; can && i < VSG_EXE_MAX_CHANNELS; i++)
            if (is_store || !(m->channels >> i & 1) || v >= m->message.num_elements)
                assert_memory_equal(m->moved.elements[v] + i * bytes,
                                    m->before.elements[v] + i * bytes, bytes);
}

static void set_up(machine *m)
{
    *m = (machine){.seed = 1};
    m->message.element_at = m->element_at;
    m->inst.message = &m->message;
    m->thread.code = &m->inst;
}

static void flat(void **state)
{
    static machine m;

    (void)state;
    set_up(&m);
    for (uint32_t n = 0; n < CASES; n++) {
        uint64_t base = (uint64_t)(uintptr_t)(m.memory + FIRST);
        prepare(&m, base);
        vsg_jit_window window = {.base = base, .size_bytes = m.limit};
        bool is_store = draw(&m, 2);
        uint32_t result =
            is_store ? vsg_jit_store_flat_quickly(&m.thread, 0, &window, &m.moved, m.channels)
                     : vsg_jit_load_flat_quickly(&m.thread, 0, &window, &m.moved, m.channels);
        check(&m, base, result, VSG_EXE_RUNNING, is_store);
    }
}

static void within(void **state)
{
    static machine m;

    (void)state;
    set_up(&m);
    for (uint32_t n = 0; n < CASES; n++) {
        uint8_t *base = m.memory + FIRST;
        prepare(&m, 0);
        bool is_store = draw(&m, 2);
        uint32_t result = is_store ? vsg_jit_store_within_quickly(&m.thread, 0, base, m.limit,
                                                                  &m.moved, m.channels)
                                   : vsg_jit_load_within_quickly(&m.thread, 0, base, m.limit,
                                                                 &m.moved, m.channels);
        check(&m, 0, result, 1, is_store);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat),
        cmocka_unit_test(within),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
