/* SPDX-License-Identifier: MIT
 *
 * Two-dimensional blocks of LSC in check mode, row by row: what is inside the surface that the
 * instruction describes must be inside a buffer. */
#include "exec/block.h"
#include "exec/check_shadow.h"
#include "exec/handlers.h"

typedef struct visit {
    vsg_exe_thread *thread;
    const vsg_exe_inst *inst;
    vsg_exe_plane surface;
    uint8_t *shadow; /* of the data's registers */
    bool is_store;
    bool is_outside; /* some row is */
} visit;

static void check_place(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_block2d *block = inst->message->block;
    const vsg_exe_scalar *scalars[] = {&block->base,  &block->width, &block->height,
                                       &block->pitch, &block->x,     &block->y};

    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (vsg_exe_scalar_unwritten(thread, inst, scalars[i])) {
            vsg_exe_check_unwritten(thread, inst, 1, "an address");
            return;
        }
}

static void report_outside(visit *v, const vsg_exe_block_row *row)
{
    uint32_t bytes = v->inst->message->memory_bytes;
    uint64_t address = row->address;

    while (vsg_exe_check_inside(v->thread, address, bytes))
        address += bytes;
    vsg_exe_finding finding = {.diag = VSG_DIAG_CHECK_BOUNDS,
                               .address = address,
                               .size_bytes = bytes,
                               .what = v->is_store ? "write" : "read"};
    vsg_exe_check_report(v->thread, v->inst, &finding, 1);
    v->is_outside = true;
}

/* Calls `visit_row` for every row that has a part inside the surface. */
static void each_row(visit *v, void (*visit_row)(visit *v, const vsg_exe_block_row *row))
{
    const vsg_exe_message *message = v->inst->message;

    for (uint32_t b = 0; b < message->block->num_blocks; b++)
        for (uint32_t y = 0; y < message->block->block_height; y++) {
            vsg_exe_block_row row = {.block = b, .y = y};
            if (vsg_exe_plane_row(message, &v->surface, &row))
                visit_row(v, &row);
        }
}

static void check_row(visit *v, const vsg_exe_block_row *row)
{
    uint64_t bytes = (uint64_t)row->count * v->inst->message->memory_bytes;

    if (!v->is_outside && !vsg_exe_check_inside(v->thread, row->address, bytes))
        report_outside(v, row);
}

static uint8_t *slot_of(const visit *v, uint8_t *registers, const vsg_exe_block_row *row,
                        uint32_t column)
{
    const vsg_exe_message *message = v->inst->message;
    uint32_t element = row->block * message->block->block_elements +
                       vsg_exe_block_element(message, row->first + column, row->y);

    return registers + (size_t)element * message->memory_bytes;
}

/* Shadows go with the elements. */
static void follow_row(visit *v, const vsg_exe_block_row *row)
{
    uint32_t bytes = v->inst->message->memory_bytes;
    uint8_t *memory = vsg_exe_shadow_memory(v->thread, row->address);

    for (uint32_t i = 0; i < row->count; i++, memory += bytes) {
        uint8_t *slot = slot_of(v, v->shadow, row, i);
        if (v->is_store)
            memcpy(memory, slot, bytes);
        else
            memcpy(slot, memory, bytes);
    }
}

static void race_row(visit *v, const vsg_exe_block_row *row, vsg_exe_race_access *access)
{
    const vsg_exe_message *message = v->inst->message;
    uint8_t *registers = vsg_exe_raw_at(v->thread, &message->data);

    for (uint32_t i = 0; i < row->count; i++)
        vsg_exe_race_touch(access, row->address + (uint64_t)i * message->memory_bytes,
                           message->memory_bytes, 0,
                           v->is_store ? slot_of(v, registers, row, i) : NULL);
}

static void find_races(visit *v, const vsg_exe_step *step)
{
    const vsg_exe_message *message = v->inst->message;
    vsg_exe_race_access access;

    if (!v->thread->check->check->race)
        return;
    vsg_exe_race_open(&access, v->thread, false,
                      v->is_store ? VSG_EXE_RACE_WRITE : VSG_EXE_RACE_READ, step->race);
    for (uint32_t b = 0; b < message->block->num_blocks; b++)
        for (uint32_t y = 0; y < message->block->block_height; y++) {
            vsg_exe_block_row row = {.block = b, .y = y};
            if (vsg_exe_plane_row(message, &v->surface, &row))
                race_row(v, &row, &access);
        }
    if (access.bad)
        vsg_exe_report_race(v->thread, v->inst, step, &access, v->is_store ? "write" : "read",
                            message->memory_bytes);
}

static uint32_t data_bytes(const vsg_exe_message *message)
{
    return message->block->num_blocks * message->block->block_elements * message->memory_bytes;
}

/* As with other stores: whole bytes beside others that were written are padding. */
static void check_stored(visit *v)
{
    uint32_t bytes = data_bytes(v->inst->message);
    bool some_written = false, some_partly = false;

    if (!vsg_exe_any_set(v->shadow, bytes))
        return;
    for (uint32_t i = 0; i < bytes; i++) {
        some_written |= v->shadow[i] == 0;
        some_partly |= v->shadow[i] != 0 && v->shadow[i] != 0xff;
    }
    if (some_written && !some_partly)
        return;
    vsg_exe_check_unwritten(v->thread, v->inst, 1, "what is stored");
    memset(v->shadow, 0, bytes);
}

void vsg_exe_step_block2d(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_step *step)
{
    const vsg_exe_message *message = inst->message;
    visit v = {
        .thread = thread, .inst = inst, .is_store = inst->handler == vsg_exe_do_store_block2d};
    uint32_t channels = vsg_exe_channels(thread, inst);

    vsg_exe_check_addressing(thread, inst, channels);
    if (channels == 0 || message->data.is_null || message->data.shared) {
        inst->handler(thread, inst);
        return;
    }
    check_place(thread, inst);
    if (!vsg_exe_plane_read(thread, inst, &v.surface))
        return;
    v.shadow = thread->check->registers + message->data.offset;
    each_row(&v, check_row);
    if (!v.is_store)
        memset(v.shadow, 0, data_bytes(message));
    if (v.is_outside) {
        if (!v.is_store)
            memset(vsg_exe_raw_at(thread, &message->data), 0, data_bytes(message));
        return;
    }
    find_races(&v, step);
    if (v.is_store)
        check_stored(&v);
    each_row(&v, follow_row);
    inst->handler(thread, inst);
}
