/* SPDX-License-Identifier: MIT
 *
 * Raw sends of texels and media blocks. Source: see sends.def. */
#include "exec/raw.h"
#include "exec/texel_lanes.h"

/* u, v, r and the level, of which the last ones may be left out: as many as there are registers
 * but for those of data and sources. */
static bool take_coordinates(vsg_exe_plan *p, uint32_t bytes, uint32_t simd,
                             uint32_t other_grfs)
{
    uint32_t grfs = vsg_exe_plan_grfs(p, bytes * simd);
    uint32_t left = p->send->grfs[0] + p->send->grfs[1] - p->taken;

    if (left < grfs + other_grfs)
        return vsg_exe_plan_refuse(p, "its payload has too few registers");
    p->message.coordinates = p->coordinates;
    p->message.address_bytes = (uint8_t)bytes;
    for (uint32_t i = 0; i < 4; i++) {
        p->coordinates[i].is_null = true;
        if (left < grfs + other_grfs)
            continue;
        if (!vsg_exe_plan_take(p, grfs, &p->coordinates[i]))
            return false;
        left -= grfs;
    }
    return true;
}

/* Typed messages have half of the channels; which half of sixteen is in the descriptor. */
static uint32_t set_half(vsg_exe_plan *p, bool is_upper)
{
    uint32_t simd = vsg_exe_plan_simd(p, false);

    if (is_upper && p->inst.exec_size > simd) {
        p->inst.exec_size = (uint8_t)(p->inst.exec_size - simd);
        p->inst.mask_offset = (uint8_t)(p->inst.mask_offset + simd);
    }
    return simd;
}

bool vsg_exe_plan_texels(vsg_exe_plan *p, const vsg_exe_send_row *r, uint32_t mask,
                         uint32_t simd, uint32_t bytes)
{
    if (mask == 0)
        return vsg_exe_plan_refuse(p, "no channel is enabled");
    vsg_exe_plan_texel(p, mask);
    vsg_exe_plan_channels(p, simd);
    uint32_t data = p->message.num_elements * p->message.pitch_bytes;
    if (!take_coordinates(p, bytes, simd, r->write ? vsg_exe_plan_grfs(p, data) : 0))
        return false;
    p->inst.handler = r->write ? vsg_exe_do_typed_store : vsg_exe_do_typed_load;
    return vsg_exe_plan_take_data(p, r->write, data) &&
           vsg_exe_texel_note(&p->inst, &p->message);
}

/* Bits 8 to 11 turn channels off, 12 and 13 are the half. */
bool vsg_exe_send_typed(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    vsg_exe_operand header;
    uint32_t half = vsg_exe_send_field(p->descriptor, 12, 13);

    if (half != 1 && half != 2)
        return vsg_exe_plan_refuse(p, "its slot group is not defined");
    vsg_exe_plan_table(p);
    return vsg_exe_plan_take_header(p, false, &header) &&
           vsg_exe_plan_texels(p, r, ~vsg_exe_send_field(p->descriptor, 8, 11) & 0xf,
                               set_half(p, half == 2), 4);
}

bool vsg_exe_plan_typed_atomic(vsg_exe_plan *p, const vsg_exe_send_atomic *atomic,
                               uint32_t simd, uint32_t bytes, bool returns)
{
    vsg_exe_plan_channels(p, simd);
    uint32_t sources = atomic->sources * (p->message.pitch_bytes / p->send->grf_bytes);
    if (!take_coordinates(p, bytes, simd, sources) ||
        !vsg_exe_plan_atomic(p, atomic, simd, returns))
        return false;
    p->inst.handler = vsg_exe_do_typed_atomic;
    return true;
}

bool vsg_exe_send_typed_atomic(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    const vsg_exe_send_atomic *atomic =
        &vsg_exe_send_int_atomics[vsg_exe_send_field(p->descriptor, 8, 11)];
    vsg_exe_operand header;

    if (!atomic->known)
        return vsg_exe_plan_refuse(p, "its atomic operation is not known");
    vsg_exe_plan_table(p);
    vsg_exe_plan_elements(p, r->bytes, 4, 1, 0);
    return vsg_exe_plan_take_header(p, false, &header) &&
           vsg_exe_plan_typed_atomic(p, atomic,
                                     set_half(p, vsg_exe_send_field(p->descriptor, 12, 12)), 4,
                                     vsg_exe_send_field(p->descriptor, 13, 13));
}

/* The header has the block's place and size; bits 8 to 10 choose a field of the image. */
bool vsg_exe_send_media(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    uint32_t lines = vsg_exe_send_field(p->descriptor, 8, 10);
    vsg_exe_operand header;
    uint32_t shape;

    vsg_exe_plan_table(p);
    if (lines != 0 && lines < 6)
        return vsg_exe_plan_refuse(p, "its line stride is not defined");
    if (!vsg_exe_plan_take_header(p, true, &header) ||
        !vsg_exe_plan_read(p, &header, 2, &shape))
        return false;
    p->media = (vsg_exe_media){.x = vsg_exe_plan_scalar(&header, 0, VISAGE_TYPE_UD),
                               .y = vsg_exe_plan_scalar(&header, 1, VISAGE_TYPE_UD),
                               .width = vsg_exe_send_field(shape, 0, 5) + 1,
                               .height = vsg_exe_send_field(shape, 16, 21) + 1,
                               .field = lines == 7,
                               .stride = lines ? 2 : 1};
    p->media.row_bytes = vsg_exe_power_of_two(p->media.width < 4 ? 4 : p->media.width);
    p->message.media = &p->media;
    p->inst.exec_size = 1;
    p->inst.no_mask = true;
    p->inst.handler = r->write ? vsg_exe_do_media_store : vsg_exe_do_media_load;
    return vsg_exe_plan_take_data(p, r->write, p->media.height * p->media.row_bytes);
}
