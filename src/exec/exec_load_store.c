/* SPDX-License-Identifier: MIT
 *
 * Loads and stores: element v of channel n lies at its address plus element_at[v], and in the
 * slot at v * pitch + n * slot size of the registers. Blocks are the case of one channel whose
 * slots follow each other. Source: LSC_UNTYPED, LOAD and STORE, which the layouts of the other
 * messages are instances of. */
#include "exec/handlers.h"
#include "exec/message.h"
#include "exec/operand.h"

typedef struct transfer {
    vsg_exe_window window;
    uint8_t *slots;
    uint32_t pitch_bytes, slot_bytes;
    uint32_t shift; /* of an element in its slot */
    uint32_t channels;
    uint64_t
        at[VSG_EXE_MAX_CHANNELS]; /* each channel's address, then where that is in the host */
} transfer;

/* What every load and store begins with. False: nothing is left to do. */
static bool begin(vsg_exe_thread *thread, const vsg_exe_inst *inst, transfer *t)
{
    const vsg_exe_message *message = inst->message;

    t->channels = vsg_exe_active(thread, inst);
    if (t->channels == 0 || message->data.is_null ||
        !vsg_exe_open(thread, inst, message, &t->window) ||
        !vsg_exe_addresses(thread, inst, &t->window, t->at))
        return false;
    t->slots = vsg_exe_raw_at(thread, &message->data);
    t->pitch_bytes = message->pitch_bytes;
    t->slot_bytes = message->register_bytes;
    t->shift = message->copy == VSG_EXE_COPY_2_HIGH_IN_4 ? 16 : 0;
    return true;
}

/* ---- finding memory ---------------------------------------------------------------------- */

/* Host address of a range that must not run over the end of 32-bit addresses; 0: outside. */
static uint64_t find_range(const vsg_exe_message *message, const vsg_exe_window *window,
                           uint64_t address, uint64_t bytes)
{
    if (message->narrow && address + bytes > (uint64_t)UINT32_MAX + 1)
        return 0;
    return vsg_exe_window_range(window, address, bytes);
}

/* The host address of all that an execution accesses when it is one piece of several elements,
 * the same in memory and registers; else 0. A single one must be moved at once, which a copy of
 * bytes does not promise. */
static uint64_t find_run(const vsg_exe_inst *inst, const transfer *t, uint32_t *bytes)
{
    const vsg_exe_message *message = inst->message;

    *bytes = message->span_bytes;
    if (!message->is_block) {
        if (inst->exec_size == 1 || message->num_elements != 1 ||
            message->memory_bytes != message->register_bytes ||
            message->element_at[0] != 0 || /* one of a quad, not its first */
            t->channels != vsg_exe_all_channels(inst) ||
            !message->lanes->is_run(t->at, inst->exec_size, message->memory_bytes))
            return 0;
        *bytes *= inst->exec_size;
    }
    return find_range(message, &t->window, t->at[0], *bytes);
}

/* The next two replace the channels' addresses by host addresses. False, and nothing replaced:
 * an access is outside, or not to be found so. */

/* One check does for all when they are in the same memory. */
static bool find_all(const vsg_exe_inst *inst, transfer *t)
{
    const vsg_exe_message *message = inst->message;
    vsg_exe_reach reach = message->lanes->reach(t->at, inst->exec_size, t->channels);

    if (reach.high - reach.low > UINT32_MAX)
        return false;
    uint64_t first = find_range(message, &t->window, reach.low,
                                reach.high - reach.low + message->span_bytes);
    if (!first)
        return false;
    message->lanes->move(t->at, inst->exec_size, first - reach.low);
    return true;
}

static bool find_each(const vsg_exe_inst *inst, transfer *t)
{
    const vsg_exe_message *message = inst->message;
    uint64_t host[VSG_EXE_MAX_CHANNELS] = {0};

    for (uint32_t n = 0; n < inst->exec_size; n++) {
        if (!(t->channels >> n & 1))
            continue;
        host[n] = find_range(message, &t->window, t->at[n], message->span_bytes);
        if (!host[n])
            return false;
    }
    memcpy(t->at, host, sizeof host);
    return true;
}

/* ---- moving: loads one element of every channel after the other -------------------------- */

typedef struct row {
    uint8_t *slots;
    const uint64_t *host;
    uint32_t at, channels, count;
} row;

/* The sizes are constants where these are called, so that each call becomes its own loop. */
static inline __attribute__((always_inline)) void load_row(const row *r, uint32_t memory,
                                                           uint32_t slot, uint32_t shift)
{
    for (uint32_t n = 0; n < r->count; n++) {
        if (!(r->channels >> n & 1))
            continue;
        uint64_t value = vsg_exe_peek(r->host[n] + r->at, memory) << shift;
        memcpy(r->slots + n * slot, &value, slot);
    }
}

/* All elements of a channel before those of the next, which is seen where they overlap. */
static inline __attribute__((always_inline)) void store_vectors(const vsg_exe_message *message,
                                                                const row *r, uint32_t memory,
                                                                uint32_t slot, uint32_t shift)
{
    const uint16_t *at = message->element_at;
    uint32_t num_elements = message->num_elements, pitch = message->pitch_bytes;

    for (uint32_t n = 0; n < r->count; n++) {
        const uint8_t *slots = r->slots + n * slot;
        if (!(r->channels >> n & 1))
            continue;
        for (uint32_t v = 0; v < num_elements; v++) {
            uint64_t value = 0;
            memcpy(&value, slots + (size_t)v * pitch, slot);
            vsg_exe_poke(r->host[n] + at[v], memory, value >> shift);
        }
    }
}

static void load_rows(vsg_exe_copy copy, const row *r)
{
    switch (copy) {
    case VSG_EXE_COPY_1:
        load_row(r, 1, 1, 0);
        break;
    case VSG_EXE_COPY_2:
        load_row(r, 2, 2, 0);
        break;
    case VSG_EXE_COPY_4:
        load_row(r, 4, 4, 0);
        break;
    case VSG_EXE_COPY_8:
        load_row(r, 8, 8, 0);
        break;
    case VSG_EXE_COPY_1_IN_4:
        load_row(r, 1, 4, 0);
        break;
    case VSG_EXE_COPY_2_IN_4:
        load_row(r, 2, 4, 0);
        break;
    case VSG_EXE_COPY_2_HIGH_IN_4:
        load_row(r, 2, 4, 16);
        break;
    }
}

static void store_all(const vsg_exe_message *message, const row *r)
{
    switch ((vsg_exe_copy)message->copy) {
    case VSG_EXE_COPY_1:
        store_vectors(message, r, 1, 1, 0);
        break;
    case VSG_EXE_COPY_2:
        store_vectors(message, r, 2, 2, 0);
        break;
    case VSG_EXE_COPY_4:
        store_vectors(message, r, 4, 4, 0);
        break;
    case VSG_EXE_COPY_8:
        store_vectors(message, r, 8, 8, 0);
        break;
    case VSG_EXE_COPY_1_IN_4:
        store_vectors(message, r, 1, 4, 0);
        break;
    case VSG_EXE_COPY_2_IN_4:
        store_vectors(message, r, 2, 4, 0);
        break;
    case VSG_EXE_COPY_2_HIGH_IN_4:
        store_vectors(message, r, 2, 4, 16);
        break;
    }
}

/* What is read of an element that is not wholly inside. */
static uint64_t peek_begun(uint64_t host, uint32_t inside)
{
    uint64_t value = 0;

    for (uint32_t i = 0; i < inside; i++)
        value |= vsg_exe_peek(host + i, 1) << 8 * i;
    return value;
}

/* Each access checked by itself, in the order of the channels: some are outside. */
static void move_checked(vsg_exe_thread *thread, const vsg_exe_inst *inst, const transfer *t,
                         vsg_exe_access access)
{
    const vsg_exe_message *message = inst->message;
    uint32_t bytes = message->memory_bytes;

    for (uint32_t i = 0; i < inst->exec_size * (uint32_t)message->num_elements; i++) {
        uint32_t n = i / message->num_elements;
        uint32_t v = i % message->num_elements;
        if (!(t->channels >> n & 1))
            continue;
        uint8_t *slot = t->slots + (size_t)v * t->pitch_bytes + n * t->slot_bytes;
        uint64_t address = vsg_exe_element_address(message, t->at[n], message->element_at[v]);
        uint64_t host = vsg_exe_window_at(&t->window, address, bytes);
        bool is_read = access == VSG_EXE_ACCESS_READ;
        bool passes =
            is_read ? vsg_exe_window_reads_zero(&t->window, address) : t->window.drops;
        uint32_t inside = 0;
        if (!host && is_read && inst->no_mask && !t->window.drops)
            inside = vsg_exe_begun(&t->window, address, bytes);
        if (!host && !inside && !passes && !vsg_exe_pads(message, &t->window, access, v)) {
            vsg_exe_outside(thread, inst, &t->window, access, n, address);
            return;
        }
        if (is_read) {
            uint64_t value = host ? vsg_exe_peek(host, bytes) : 0;
            if (inside)
                value = peek_begun(vsg_exe_window_at(&t->window, address, 1), inside);
            value <<= t->shift;
            memcpy(slot, &value, t->slot_bytes);
        } else if (host) {
            uint64_t value = 0;
            memcpy(&value, slot, t->slot_bytes);
            vsg_exe_poke(host, bytes, value >> t->shift);
        }
    }
}

void vsg_exe_move_elements(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                           vsg_exe_access access, const vsg_exe_elements *elements)
{
    transfer t = {.slots = elements->rows,
                  .pitch_bytes = elements->pitch_bytes,
                  .slot_bytes = inst->message->memory_bytes,
                  .channels = elements->channels};

    memcpy(t.at, elements->addresses, sizeof t.at);
    if (vsg_exe_open(thread, inst, inst->message, &t.window))
        move_checked(thread, inst, &t, access);
}

/* ---- handlers ---------------------------------------------------------------------------- */

/* A load to %null is a prefetch, which has no effect here. */
void vsg_exe_do_load(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    transfer t;
    uint32_t bytes;

    if (!begin(thread, inst, &t))
        return;
    uint64_t run = find_run(inst, &t, &bytes);
    if (run) {
        memcpy(t.slots, (const void *)(uintptr_t)run, bytes);
        return;
    }
    if (!find_all(inst, &t) && !find_each(inst, &t)) {
        move_checked(thread, inst, &t, VSG_EXE_ACCESS_READ);
        return;
    }
    for (uint32_t v = 0; v < message->num_elements; v++)
        load_rows((vsg_exe_copy)message->copy,
                  &(row){.slots = t.slots + (size_t)v * message->pitch_bytes,
                         .host = t.at,
                         .at = message->element_at[v],
                         .channels = t.channels,
                         .count = inst->exec_size});
}

void vsg_exe_do_store(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    transfer t;
    uint32_t bytes;

    if (!begin(thread, inst, &t))
        return;
    uint64_t run = find_run(inst, &t, &bytes);
    if (run) {
        memcpy((void *)(uintptr_t)run, t.slots, bytes);
        return;
    }
    if (!find_all(inst, &t) && !find_each(inst, &t)) {
        move_checked(thread, inst, &t, VSG_EXE_ACCESS_WRITE);
        return;
    }
    store_all(message, &(row){.slots = t.slots,
                              .host = t.at,
                              .channels = t.channels,
                              .count = inst->exec_size});
}

/* LSC_UNTYPED, LOAD_STATUS: a bit for each channel whose elements all are in allocated memory.
 * The page asks for tiled-resource pages; memory that is allocated is resident here. */
void vsg_exe_do_load_status(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    transfer t;
    uint32_t status = 0;

    if (!begin(thread, inst, &t))
        return;
    for (uint32_t n = 0; n < inst->exec_size; n++) {
        uint32_t good = t.channels >> n & 1;
        for (uint32_t v = 0; v < message->num_elements; v++) {
            uint64_t address =
                vsg_exe_element_address(message, t.at[n], message->element_at[v]);
            good &= vsg_exe_window_at(&t.window, address, message->memory_bytes) != 0;
        }
        status |= good << n;
    }
    memcpy(t.slots, &status, sizeof status);
}
