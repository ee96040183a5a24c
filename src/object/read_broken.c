/* SPDX-License-Identifier: MIT
 *
 * Reading on in spite of errors, for a caller who wants to see what there is. Each unit stands
 * for itself: the header says where it lies. */
#include "object/reader.h"

static void note(vsg_obj_reader *reader)
{
    reader->module->is_broken = true;
    /* Messages are larger than what they are about: their number must not be the file's. */
    if (vsg_base_errors(reader->diagnostics) >= reader->most_errors)
        reader->diagnostics = NULL;
}

bool vsg_obj_read_goes_on(vsg_obj_reader *reader)
{
    if (!reader->recover || reader->status == VISAGE_NO_MEMORY)
        return false;
    note(reader);
    if (reader->unit && !reader->unit->stored.is_cut_off) {
        vsg_obj_stored *stored = &reader->unit->stored;
        stored->damage = VSG_OBJ_DAMAGE_BROKEN;
        stored->broken_at = reader->failed_at;
    }
    return true;
}

bool vsg_obj_read_is_told(const vsg_obj_reader *reader)
{
    return reader->recover && reader->unit->stored.damage == VSG_OBJ_DAMAGE_BROKEN;
}

void vsg_obj_read_cut_off(vsg_obj_reader *reader)
{
    if (!vsg_obj_read_goes_on(reader))
        return;
    reader->unit->stored.broken_at = reader->failed_at;
    reader->unit->stored.is_cut_off = true;
}

bool vsg_obj_read_clip(vsg_obj_reader *reader, vsg_obj_extent *extent, uint64_t low,
                       uint64_t high)
{
    vsg_obj_unit *unit = reader->module->units[extent->unit];

    if (extent->at < low || extent->at > high)
        *extent = (vsg_obj_extent){high, 0, extent->unit, extent->gen_binary};
    else
        extent->size = high - extent->at;
    if (extent->gen_binary >= 0)
        unit->stored.gen_binaries[extent->gen_binary].size_bytes = (uint32_t)extent->size;
    else
        unit->stored.size_bytes = extent->size;
    if (!reader->recover)
        return false;
    /* A unit does not suffer from what is wrong with its GEN binary. */
    reader->unit = extent->gen_binary >= 0 ? NULL : unit;
    reader->failed_at = (size_t)(extent->at + extent->size);
    if (reader->unit)
        vsg_obj_read_cut_off(reader);
    return vsg_obj_read_goes_on(reader);
}

bool vsg_obj_read_header_anyway(vsg_obj_reader *reader)
{
    vsg_obj_module *module = reader->module;
    bool may = reader->status == VISAGE_MALFORMED || reader->status == VISAGE_INVALID;

    if (!may || reader->version == 0 || !vsg_obj_read_goes_on(reader))
        return false;
    module->header_is_broken = true;
    module->header_broken_at = reader->failed_at;
    reader->in.failed = false;
    return true;
}

bool vsg_obj_read_unit_anyway(vsg_obj_reader *reader)
{
    vsg_obj_stored *stored = &reader->unit->stored;
    const vsg_obj_cursor file = reader->in;
    const visage_status before = reader->status;

    if (stored->size_bytes == 0 && vsg_obj_read_is_told(reader)) {
        stored->is_cut_off = true;
        return true;
    }
    reader->status = VISAGE_OK;
    if (!vsg_obj_read_unit(reader, (size_t)stored->offset_bytes, (size_t)stored->size_bytes))
        vsg_obj_read_cut_off(reader);
    reader->in = file;
    if (reader->status == VISAGE_NO_MEMORY)
        return false;
    if (before != VISAGE_OK)
        reader->status = before;
    return true;
}

/* Nothing may take the instructions of a broken unit for all that it has. They stay where they
 * are, in a table that says it is empty. */
static bool set_aside(vsg_obj_reader *reader, vsg_obj_unit *unit)
{
    vsg_obj_stored *stored = &unit->stored;
    size_t count = unit->num_insts;

    for (size_t i = 0; i < unit->num_labels; i++)
        unit->labels[i].inst = -1;
    if (count == 0)
        return true;
    stored->stream = vsg_base_arena_new(&reader->module->arena, count, sizeof *stored->stream);
    if (!stored->stream)
        return vsg_obj_read_no_memory(reader);
    for (size_t i = 0; i < count; i++)
        stored->stream[i] = unit->insts[i].op;
    stored->num_stream = count;
    stored->whole = unit->insts;
    stored->num_whole = count;
    unit->num_insts = 0;
    return true;
}

bool vsg_obj_read_settle(vsg_obj_reader *reader)
{
    const vsg_obj_module *module = reader->module;

    for (size_t i = 0; i < module->num_units; i++)
        if (module->units[i]->stored.damage == VSG_OBJ_DAMAGE_BROKEN &&
            !set_aside(reader, module->units[i]))
            return false;
    return true;
}
