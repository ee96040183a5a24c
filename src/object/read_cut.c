/* SPDX-License-Identifier: MIT
 *
 * The stream of operations of a unit whose instructions were cut short. Its length is not
 * stored: `size` counts uncut instructions, and what follows the last one is junk. The last
 * return up to which the uncut instructions may have had that size is taken for the end.
 * Source: spec dialect 0.1. */
#include "object/reader.h"

typedef struct cut_stream {
    size_t count; /* operations up to the end, 0: no end was found */
    size_t shortened;
} cut_stream;

static cut_stream find_end(vsg_obj_reader *reader, size_t size)
{
    cut_stream found = {0};
    vsg_obj_decoder *decoder = &reader->decoder;
    size_t least = 0, most = 0, count = 0, shortened = 0;
    vsg_obj_inst inst;

    while (least <= size) {
        size_t at = decoder->in.at, inst_least, inst_most;
        if (!vsg_obj_decode_cut(decoder, &inst, &inst_least, &inst_most))
            break;
        least += inst_least;
        most += inst_most;
        count++;
        shortened += inst_least > decoder->in.at - at;
        if (vsg_isa_op(inst.op)->form == VSG_ISA_FORM_RETURN && least <= size && size <= most)
            found = (cut_stream){count, shortened};
    }
    return found;
}

bool vsg_obj_read_cut_stream(vsg_obj_reader *reader, size_t entry, size_t size)
{
    vsg_obj_stored *stored = &reader->unit->stored;
    cut_stream found = find_end(reader, size);
    size_t least, most, whole = 0;
    bool is_whole = true;
    vsg_obj_inst inst;

    if (found.count == 0 || found.shortened == 0)
        return false;
    stored->damage = VSG_OBJ_DAMAGE_CUT_SHORT;
    stored->stream =
        vsg_base_arena_new(&reader->module->arena, found.count, sizeof *stored->stream);
    if (!stored->stream) {
        (void)vsg_obj_read_no_memory(reader);
        return true;
    }
    reader->decoder.in.at = entry;
    reader->decoder.in.failed = false;
    while (stored->num_stream < found.count) {
        size_t at = reader->decoder.in.at;
        (void)vsg_obj_decode_cut(&reader->decoder, &inst, &least, &most); /* as before */
        stored->stream[stored->num_stream++] = inst.op;
        is_whole = is_whole && least == reader->decoder.in.at - at;
        whole += is_whole;
    }
    (void)vsg_obj_read_whole(reader, entry, whole);
    return true;
}
