/* SPDX-License-Identifier: MIT
 *
 * Parts of raw sends: registers of the payload, what a message does with them. */
#include "exec/raw.h"

bool vsg_exe_plan_refuse(vsg_exe_plan *p, const char *why)
{
    p->why = why;
    return false;
}

/* ---- payload ----------------------------------------------------------------------------- */

uint32_t vsg_exe_plan_grfs(const vsg_exe_plan *p, uint32_t bytes)
{
    return (bytes + p->send->grf_bytes - 1) / p->send->grf_bytes;
}

/* The next registers of the payload, whose second half follows the first. */
bool vsg_exe_plan_take(vsg_exe_plan *p, uint32_t grfs, vsg_exe_operand *out)
{
    const vsg_exe_send *send = p->send;
    uint32_t half = p->taken >= send->grfs[0];
    uint32_t first = half ? p->taken - send->grfs[0] : p->taken;

    if (first + grfs > send->grfs[half])
        return vsg_exe_plan_refuse(p, "its payload has too few registers");
    if (send->source[half].is_null)
        return vsg_exe_plan_refuse(p, "a part of its payload is null");
    *out = send->source[half];
    out->offset += first * send->grf_bytes;
    p->taken += grfs;
    return true;
}

/* The header, where the descriptor says that there is one. */
bool vsg_exe_plan_take_header(vsg_exe_plan *p, bool is_needed, vsg_exe_operand *out)
{
    if (vsg_exe_send_field(p->descriptor, 19, 19))
        return vsg_exe_plan_take(p, 1, out);
    return is_needed ? vsg_exe_plan_refuse(p, "it has no header") : true;
}

bool vsg_exe_plan_take_addresses(vsg_exe_plan *p, uint32_t bytes, uint32_t simd)
{
    p->message.address_bytes = (uint8_t)bytes;
    p->message.narrow = bytes < 8;
    return vsg_exe_plan_take(p, vsg_exe_plan_grfs(p, bytes * simd), &p->message.address);
}

/* What a load or an atomic returns, or a store sends. */
bool vsg_exe_plan_take_data(vsg_exe_plan *p, bool write, uint32_t bytes)
{
    uint32_t grfs = vsg_exe_plan_grfs(p, bytes);

    if (write)
        return vsg_exe_plan_take(p, grfs, &p->message.data);
    if (!p->send->dst.is_null && grfs > p->send->dst_grfs)
        return vsg_exe_plan_refuse(p, "its response has too few registers");
    p->message.data = p->send->dst;
    return true;
}

/* ---- parts ------------------------------------------------------------------------------- */

void vsg_exe_plan_table(vsg_exe_plan *p)
{
    p->message.target = VSG_EXE_TARGET_ENTRY;
    p->message.entry = vsg_exe_send_field(p->descriptor, 0, 7);
}

void vsg_exe_plan_elements(vsg_exe_plan *p, uint32_t memory, uint32_t slot, uint32_t count,
                           uint32_t mask)
{
    vsg_exe_message_place(&p->message, p->at, memory, slot, count, mask);
    p->message.element_at = p->at;
}

/* The channels of the payload; the instruction may have fewer. */
void vsg_exe_plan_channels(vsg_exe_plan *p, uint32_t simd)
{
    if (p->inst.exec_size > simd)
        p->inst.exec_size = (uint8_t)simd;
    p->message.pitch_bytes =
        vsg_exe_plan_grfs(p, simd * p->message.register_bytes) * p->send->grf_bytes;
}

/* SIMD8 and SIMD16 of the old register size. */
uint32_t vsg_exe_plan_simd(const vsg_exe_plan *p, bool is_double)
{
    return (is_double ? 16u : 8u) * p->send->grf_bytes / 32;
}

bool vsg_exe_plan_slots(vsg_exe_plan *p, const vsg_exe_send_row *r, uint32_t simd)
{
    vsg_exe_plan_channels(p, simd);
    p->inst.handler = r->write ? vsg_exe_do_store : vsg_exe_do_load;
    return vsg_exe_plan_take_data(p, r->write,
                                  p->message.num_elements * p->message.pitch_bytes);
}

/* A dword of a payload that shapes the message, so that this is known when it runs only. False:
 * not known yet. */
bool vsg_exe_plan_read(vsg_exe_plan *p, const vsg_exe_operand *payload, uint32_t dword,
                       uint32_t *out)
{
    if (!p->thread)
        return vsg_exe_plan_refuse(p, "its shape is in its payload");
    memcpy(out, vsg_exe_raw_at(p->thread, payload) + 4 * (size_t)dword, sizeof *out);
    return true;
}

vsg_exe_scalar vsg_exe_plan_scalar(const vsg_exe_operand *header, uint32_t dword,
                                   visage_type type)
{
    vsg_exe_scalar scalar = {.operand = *header};

    scalar.operand.offset += 4 * dword;
    scalar.operand.type = (uint8_t)type;
    scalar.operand.bytes = type == VISAGE_TYPE_UQ ? 8 : 4;
    scalar.operand.shape = VSG_EXE_SHAPE_SCALAR;
    return scalar;
}

void vsg_exe_plan_texel(vsg_exe_plan *p, uint32_t mask)
{
    uint32_t count = 0;

    vsg_exe_plan_elements(p, 4, 4, 4, mask);
    for (uint8_t c = 0; c < 4; c++)
        if (mask >> c & 1)
            p->message.channels[count++] = c;
}

/* Sources, with the comparand first, and what is returned. */
bool vsg_exe_plan_atomic(vsg_exe_plan *p, const vsg_exe_send_atomic *atomic, uint32_t simd,
                         bool returns)
{
    uint32_t grfs;

    p->message.atomic = atomic->operation;
    p->inst.handler = vsg_exe_do_atomic;
    vsg_exe_plan_channels(p, simd);
    grfs = p->message.pitch_bytes / p->send->grf_bytes;
    if ((atomic->sources == 2 && !vsg_exe_plan_take(p, grfs, &p->message.comparand)) ||
        (atomic->sources >= 1 && !vsg_exe_plan_take(p, grfs, &p->message.value)))
        return false;
    return !returns || vsg_exe_plan_take_data(p, false, p->message.pitch_bytes);
}
