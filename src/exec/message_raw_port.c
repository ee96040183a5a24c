/* SPDX-License-Identifier: MIT
 *
 * Raw sends to the data ports, the gateway and the thread spawner. Parts of a descriptor:
 *
 *     28  25 24   20  19  18  14 13          8 7            0
 *     sent  |returned|head|type |of the message|binding table
 *
 * Source: see sends.def. */
#include "exec/raw.h"

/* ---- blocks ------------------------------------------------------------------------------ */

/* A block of `count` dwords at one place: channel enables are ignored. */
static bool move_block(vsg_exe_plan *p, const vsg_exe_send_row *r, uint32_t count)
{
    vsg_exe_plan_elements(p, 4, 4, count, 0);
    p->message.pitch_bytes = 4;
    p->message.is_block = true;
    p->inst.exec_size = 1;
    p->inst.no_mask = true;
    p->inst.handler = r->write ? vsg_exe_do_store : vsg_exe_do_load;
    return vsg_exe_plan_take_data(p, r->write, 4 * count);
}

/* Bits 8 to 10: 1, 1 in the upper half of its register, 2, 4, 8, 16. */
static bool move_owords(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    static const uint8_t counts[8] = {1, 1, 2, 4, 8, 16, 0, 0};
    uint32_t code = vsg_exe_send_field(p->descriptor, 8, 10);

    if (counts[code] == 0)
        return vsg_exe_plan_refuse(p, "its number of owords is not defined");
    if (!move_block(p, r, 4u * counts[code]))
        return false;
    if (code == 1)
        p->message.data.offset += 16;
    return true;
}

/* ---- data ports -------------------------------------------------------------------------- */

bool vsg_exe_send_nothing(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    (void)r;
    p->inst.handler = vsg_exe_do_nothing;
    return p->ends || vsg_exe_plan_refuse(p, "it does not end the thread");
}

bool vsg_exe_send_fence(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    (void)r;
    p->inst.handler = vsg_exe_do_fence;
    return true;
}

/* The signal alone; the other half of the barrier is an instruction of its own. */
bool vsg_exe_send_barrier(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    (void)r;
    p->inst.handler = vsg_exe_do_sbarrier_signal;
    return true;
}

bool vsg_exe_send_oword(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    vsg_exe_operand header;

    vsg_exe_plan_table(p);
    p->message.narrow = true;
    p->message.scale = r->bytes;
    if (!vsg_exe_plan_take_header(p, true, &header))
        return false;
    p->message.base = vsg_exe_plan_scalar(&header, 2, VISAGE_TYPE_UD);
    return move_owords(p, r);
}

bool vsg_exe_send_far_oword(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    vsg_exe_operand header;

    p->message.target = VSG_EXE_TARGET_FLAT;
    if (!vsg_exe_plan_take_header(p, true, &header))
        return false;
    p->message.base = vsg_exe_plan_scalar(&header, 0, VISAGE_TYPE_UQ);
    return move_owords(p, r);
}

bool vsg_exe_send_far_hword(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    vsg_exe_operand header;
    uint32_t code = vsg_exe_send_field(p->descriptor, 8, 10);

    p->message.target = VSG_EXE_TARGET_FLAT;
    if (code > 3)
        return vsg_exe_plan_refuse(p, "its number of hwords is not defined");
    if (!vsg_exe_plan_take_header(p, true, &header))
        return false;
    p->message.base = vsg_exe_plan_scalar(&header, 0, VISAGE_TYPE_UQ);
    return move_block(p, r, 8u << code);
}

/* Blocks of 32 bytes; their offset counts such. */
bool vsg_exe_send_scratch(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    vsg_exe_operand header;

    p->message.target = VSG_EXE_TARGET_SCRATCH;
    p->message.base.value = (int64_t)vsg_exe_send_field(p->descriptor, 0, 11) * 32;
    return vsg_exe_plan_take_header(p, true, &header) &&
           move_block(p, r, 8u << vsg_exe_send_field(p->descriptor, 12, 13));
}

/* Offsets count dwords. */
bool vsg_exe_send_dwords(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    vsg_exe_operand header;
    uint32_t simd = vsg_exe_plan_simd(p, vsg_exe_send_field(p->descriptor, 8, 8));

    vsg_exe_plan_table(p);
    p->message.scale = 4;
    vsg_exe_plan_elements(p, 4, 4, 1, 0);
    return vsg_exe_plan_take_header(p, false, &header) &&
           vsg_exe_plan_take_addresses(p, 4, simd) && vsg_exe_plan_slots(p, r, simd);
}

/* Bits 10 and 11: 1, 2 or 4 bytes in a dword. */
bool vsg_exe_send_bytes(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    vsg_exe_operand header;
    bool is_far = r->address == 8;
    uint32_t code = vsg_exe_send_field(p->descriptor, 10, 11);
    uint32_t simd = vsg_exe_plan_simd(p, is_far ? vsg_exe_send_field(p->descriptor, 12, 12)
                                                : vsg_exe_send_field(p->descriptor, 8, 8));

    if (code > 2)
        return vsg_exe_plan_refuse(p, "its number of bytes is not defined");
    if (is_far)
        p->message.target = VSG_EXE_TARGET_FLAT;
    else
        vsg_exe_plan_table(p);
    vsg_exe_plan_elements(p, 1u << code, 4, 1, 0);
    return vsg_exe_plan_take_header(p, false, &header) &&
           vsg_exe_plan_take_addresses(p, r->address, simd) && vsg_exe_plan_slots(p, r, simd);
}

/* Bits 10 and 11: 1, 2, 4 or 8 elements at each address. */
bool vsg_exe_send_vectors(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    vsg_exe_operand header;
    uint32_t simd = vsg_exe_plan_simd(p, vsg_exe_send_field(p->descriptor, 12, 12));

    p->message.target = VSG_EXE_TARGET_FLAT;
    vsg_exe_plan_elements(p, r->bytes, r->bytes,
                          1u << vsg_exe_send_field(p->descriptor, 10, 11), 0);
    return vsg_exe_plan_take_header(p, false, &header) &&
           vsg_exe_plan_take_addresses(p, 8, simd) && vsg_exe_plan_slots(p, r, simd);
}

bool vsg_exe_send_qwords(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    vsg_exe_operand header;
    uint32_t simd = vsg_exe_plan_simd(p, vsg_exe_send_field(p->descriptor, 8, 8));

    vsg_exe_plan_table(p);
    vsg_exe_plan_elements(p, 8, 8, 1u << vsg_exe_send_field(p->descriptor, 10, 11), 0);
    return vsg_exe_plan_take_header(p, false, &header) &&
           vsg_exe_plan_take_addresses(p, 4, simd) && vsg_exe_plan_slots(p, r, simd);
}

/* ---- two slots of four dwords (SIMD4x2) ------------------------------------------------- */

enum { NUM_SLOTS = 2, SLOT_BYTES = 16, SLOT_CHANNELS = 4, DWORD = 4 };

/* One dword of a slot, as a message of one channel. */
static void move_component(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t slot,
                           uint32_t component, vsg_exe_handler handler)
{
    vsg_exe_message message = *inst->message;
    vsg_exe_inst one = *inst;
    uint16_t at[1];

    vsg_exe_message_place(&message, at, DWORD, DWORD, 1, 0);
    message.address.offset += slot * SLOT_BYTES;
    message.base.value = (int64_t)component * DWORD;
    message.data.offset += slot * SLOT_BYTES + component * DWORD;
    one.message = &message;
    one.exec_size = 1;
    one.mask_offset = (uint8_t)(inst->mask_offset + slot * SLOT_CHANNELS);
    one.no_mask = true;
    one.predicate_mode = 0;
    handler(thread, &one);
}

/* A slot is on where one of its four channels is. */
static void move_slots(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       vsg_exe_handler handler)
{
    uint32_t channels = vsg_exe_channels(thread, inst);

    for (uint32_t slot = 0; slot < NUM_SLOTS; slot++)
        for (uint32_t v = 0; v < inst->message->num_elements; v++)
            if ((channels >> (SLOT_CHANNELS * slot) & 15) && thread->stop == VSG_EXE_RUNNING)
                move_component(thread, inst, slot, inst->message->channels[v], handler);
}

static void load_slots(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    move_slots(thread, inst, vsg_exe_do_load);
}

static void store_slots(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    move_slots(thread, inst, vsg_exe_do_store);
}

/* Addresses are in dwords 0 and 4 of a register, data in all of another (Mesa,
 * elk_vec4_surface_builder.cpp, of messages that exist on SKL and later as well). */
static bool take_slots(vsg_exe_plan *p, const vsg_exe_send_row *r, uint32_t mask)
{
    vsg_exe_operand header;

    if (r->address != DWORD)
        return vsg_exe_plan_refuse(p, "SIMD4x2 with 64-bit addresses is not executed");
    vsg_exe_plan_table(p);
    vsg_exe_plan_texel(p, mask);
    p->inst.handler = r->write ? store_slots : load_slots;
    return vsg_exe_plan_take_header(p, false, &header) &&
           vsg_exe_plan_take_addresses(p, r->address, NUM_SLOTS * SLOT_CHANNELS) &&
           vsg_exe_plan_take_data(p, r->write, NUM_SLOTS * SLOT_BYTES);
}

/* Bits 8 to 11 turn channels off, 12 and 13 are the mode. */
bool vsg_exe_send_untyped(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    vsg_exe_operand header;
    uint32_t mode = vsg_exe_send_field(p->descriptor, 12, 13);
    uint32_t mask = ~vsg_exe_send_field(p->descriptor, 8, 11) & 0xf;
    uint32_t simd = vsg_exe_plan_simd(p, mode == 1);

    if (mode == 3)
        return vsg_exe_plan_refuse(p, "its SIMD mode is not defined");
    if (mask == 0)
        return vsg_exe_plan_refuse(p, "no channel is enabled");
    if (mode == 0)
        return take_slots(p, r, mask);
    if (r->address == 8)
        p->message.target = VSG_EXE_TARGET_FLAT;
    else
        vsg_exe_plan_table(p);
    vsg_exe_plan_elements(p, 4, 4, 4, mask);
    return vsg_exe_plan_take_header(p, false, &header) &&
           vsg_exe_plan_take_addresses(p, r->address, simd) && vsg_exe_plan_slots(p, r, simd);
}

/* ---- atomics ----------------------------------------------------------------------------- */

#define FUNCTION(number, from, to, text)
#define SEND(...)
#define INT_ATOMIC(code, operation, sources)                                                   \
    [code] = {true, VSG_EXE_ATOMIC_##operation, sources},
#define FLOAT_ATOMIC(code, operation, sources)
const vsg_exe_send_atomic vsg_exe_send_int_atomics[16] = {
#include "exec/sends.def"
};

#define FUNCTION(number, from, to, text)
#define SEND(...)
#define INT_ATOMIC(code, operation, sources)
#define FLOAT_ATOMIC(code, operation, sources)                                                 \
    [code] = {true, VSG_EXE_ATOMIC_##operation, sources},
static const vsg_exe_send_atomic vsg_exe_send_float_atomics[16] = {
#include "exec/sends.def"
};

static bool decode_atomic(vsg_exe_plan *p, const vsg_exe_send_row *r,
                          const vsg_exe_send_atomic *atomic, uint32_t simd)
{
    vsg_exe_operand header;

    if (!atomic->known)
        return vsg_exe_plan_refuse(p, "its atomic operation is not known");
    if (r->address == 8)
        p->message.target = VSG_EXE_TARGET_FLAT;
    else
        vsg_exe_plan_table(p);
    vsg_exe_plan_elements(p, r->bytes, r->bytes < 4 ? 4 : r->bytes, 1, 0);
    return vsg_exe_plan_take_header(p, false, &header) &&
           vsg_exe_plan_take_addresses(p, r->address, simd) &&
           vsg_exe_plan_atomic(p, atomic, simd, vsg_exe_send_field(p->descriptor, 13, 13));
}

/* Those with 64-bit addresses have a width in the bit of the mode. */
bool vsg_exe_send_int_atomic(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    bool is_double = r->address == 4 && !vsg_exe_send_field(p->descriptor, 12, 12);

    return decode_atomic(p, r,
                         &vsg_exe_send_int_atomics[vsg_exe_send_field(p->descriptor, 8, 11)],
                         vsg_exe_plan_simd(p, is_double));
}

bool vsg_exe_send_float_atomic(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    bool is_double = r->address == 4 && !vsg_exe_send_field(p->descriptor, 12, 12);

    return decode_atomic(p, r,
                         &vsg_exe_send_float_atomics[vsg_exe_send_field(p->descriptor, 8, 10)],
                         vsg_exe_plan_simd(p, is_double));
}
