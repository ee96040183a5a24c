/* SPDX-License-Identifier: MIT
 *
 * Raw sends to the LSC units. Parts of a descriptor:
 *
 *     30 29 28  25 24   20 19 17 15 14  12 11  9 8  7 5    0
 *     model|sent  |returned|cache|T |vector|data|addr|opcode
 *
 * Source: see sends.def. */
#include "exec/raw.h"
#include "isa/lsc.h"
#include "object/extent.h"

enum { FUNCTION_SLM = 14 };
enum { MODEL_FLAT, MODEL_BSS, MODEL_SS, MODEL_BTI };

/* A surface's number or state is in the extended descriptor. */
static bool set_model(vsg_exe_plan *p)
{
    uint32_t model = vsg_exe_send_field(p->descriptor, 29, 30);

    p->message.surface.value = model == MODEL_BTI ? p->extended >> 24 : p->extended & ~63u;
    if (model == MODEL_BTI)
        p->message.target = VSG_EXE_TARGET_VALUE;
    else if (model != MODEL_FLAT)
        p->message.target = VSG_EXE_TARGET_STATE;
    else if (p->function == FUNCTION_SLM)
        p->message.target = VSG_EXE_TARGET_SLM;
    else
        p->message.target = VSG_EXE_TARGET_FLAT;
    return model != MODEL_FLAT || p->extended >> 12 == 0 ||
           vsg_exe_plan_refuse(p, "its extended descriptor has an offset");
}

static bool take_lsc_addresses(vsg_exe_plan *p)
{
    uint32_t size = vsg_exe_send_field(p->descriptor, 7, 8);

    if (size == 0)
        return vsg_exe_plan_refuse(p, "its address size is not defined");
    return set_model(p) && vsg_exe_plan_take_addresses(p, 1u << size, p->inst.exec_size);
}

/* Elements from the descriptor's coding, which leaves out the first row of the tables. */
static bool set_lsc_elements(vsg_exe_plan *p, uint32_t count, uint32_t mask)
{
    const vsg_isa_lsc_data_size *size =
        vsg_isa_lsc_data_size_of(vsg_exe_send_field(p->descriptor, 9, 11) + 1);

    if (!size)
        return vsg_exe_plan_refuse(p, "its data size is not defined");
    vsg_exe_plan_elements(p, size->memory_bytes, size->register_bytes, count, mask);
    if (size->high)
        p->message.copy = VSG_EXE_COPY_2_HIGH_IN_4;
    return true;
}

bool vsg_exe_send_lsc(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    bool is_transposed = vsg_exe_send_field(p->descriptor, 15, 15);

    if (!take_lsc_addresses(p) ||
        !set_lsc_elements(p, vsg_isa_lsc_vector(vsg_exe_send_field(p->descriptor, 12, 14) + 1),
                          0))
        return false;
    if (!is_transposed)
        return vsg_exe_plan_slots(p, r, p->inst.exec_size);
    if (p->inst.exec_size != 1)
        return vsg_exe_plan_refuse(p, "transposed data are for one channel");
    vsg_exe_message_transpose(&p->message);
    p->inst.handler = r->write ? vsg_exe_do_store : vsg_exe_do_load;
    return vsg_exe_plan_take_data(p, r->write,
                                  p->message.num_elements * p->message.pitch_bytes);
}

/* One address and behind it, in dword 2, what lies between two channels' data. */
bool vsg_exe_send_lsc_strided(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    uint32_t size = vsg_exe_send_field(p->descriptor, 7, 8);
    bool is_transposed = vsg_exe_send_field(p->descriptor, 15, 15);

    if (size == 0)
        return vsg_exe_plan_refuse(p, "its address size is not defined");
    if (is_transposed && p->inst.exec_size != 1)
        return vsg_exe_plan_refuse(p, "transposed data are for one channel");
    if (!set_model(p) || !vsg_exe_plan_take_addresses(p, 1u << size, 1) ||
        !set_lsc_elements(p, vsg_isa_lsc_vector(vsg_exe_send_field(p->descriptor, 12, 14) + 1),
                          0))
        return false;
    p->message.strided = true;
    p->message.stride = vsg_exe_plan_scalar(&p->message.address, 2, VISAGE_TYPE_UD);
    if (!is_transposed)
        return vsg_exe_plan_slots(p, r, p->inst.exec_size);
    vsg_exe_message_transpose(&p->message);
    p->inst.handler = r->write ? vsg_exe_do_store : vsg_exe_do_load;
    return vsg_exe_plan_take_data(p, r->write,
                                  p->message.num_elements * p->message.pitch_bytes);
}

static bool set_block(vsg_exe_plan *p, const vsg_exe_send_row *r, const vsg_exe_operand *at,
                      uint32_t bytes)
{
    uint32_t shape;

    if (!vsg_exe_plan_read(p, at, 7, &shape))
        return false;
    vsg_obj_block block = {.num_blocks = vsg_exe_send_field(shape, 16, 19) + 1,
                           .width = vsg_exe_send_field(shape, 0, 7) + 1,
                           .height = vsg_exe_send_field(shape, 8, 15) + 1,
                           .element_bytes = bytes,
                           .transposed = vsg_exe_send_field(p->descriptor, 15, 15),
                           .vnni = !r->write && vsg_exe_send_field(p->descriptor, 7, 7)};
    if (block.num_blocks > 4 || block.width > 64 || block.height > 64 ||
        (r->write && (block.num_blocks != 1 || block.transposed)))
        return vsg_exe_plan_refuse(p, "its block is none that there is");
    vsg_obj_block_place(&block, p->send->grf_bytes);
    p->block = (vsg_exe_block2d){.base = vsg_exe_plan_scalar(at, 0, VISAGE_TYPE_UQ),
                                 .width = vsg_exe_plan_scalar(at, 2, VISAGE_TYPE_UD),
                                 .height = vsg_exe_plan_scalar(at, 3, VISAGE_TYPE_UD),
                                 .pitch = vsg_exe_plan_scalar(at, 4, VISAGE_TYPE_UD),
                                 .x = vsg_exe_plan_scalar(at, 5, VISAGE_TYPE_UD),
                                 .y = vsg_exe_plan_scalar(at, 6, VISAGE_TYPE_UD),
                                 .num_blocks = block.num_blocks,
                                 .block_width = block.width,
                                 .block_height = block.height,
                                 .transposed = block.transposed,
                                 .vnni = block.vnni,
                                 .row_elements = block.row_elements,
                                 .block_elements = block.block_elements};
    return true;
}

/* The payload has the surface's base, width, height and pitch, the block's x and y, and in
 * dword 7 its size (intel-graphics-compiler, TranslateSendLdStLsc.cpp, A2DBLOCK_PAYLOAD). */
bool vsg_exe_send_lsc_block2d(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    const vsg_isa_lsc_data_size *size =
        vsg_isa_lsc_data_size_of(vsg_exe_send_field(p->descriptor, 9, 11) + 1);
    vsg_exe_operand at;

    if (vsg_exe_send_field(p->descriptor, 29, 30) != MODEL_FLAT)
        return vsg_exe_plan_refuse(p, "a block's surface is in its payload");
    if (!size || size->memory_bytes != size->register_bytes)
        return vsg_exe_plan_refuse(p, "its data size is not defined");
    if (!vsg_exe_plan_take(p, 1, &at) || !set_block(p, r, &at, size->memory_bytes))
        return false;
    p->message.block = &p->block;
    p->message.memory_bytes = size->memory_bytes;
    p->inst.exec_size = 1;
    p->inst.no_mask = true;
    p->inst.handler = r->write ? vsg_exe_do_store_block2d : vsg_exe_do_load_block2d;
    return vsg_exe_plan_take_data(
        p, r->write, p->block.num_blocks * p->block.block_elements * size->memory_bytes);
}

/* There is no address; the payload is what is added or subtracted. */
bool vsg_exe_send_lsc_append(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    if (vsg_exe_send_field(p->descriptor, 29, 30) != MODEL_BTI)
        return vsg_exe_plan_refuse(p, "an append counter needs a binding-table entry");
    if (!set_model(p) || !set_lsc_elements(p, 1, 0))
        return false;
    if (p->message.memory_bytes < 4)
        return vsg_exe_plan_refuse(p, "an append counter has one 32- or 64-bit element");
    p->message.atomic = r->bytes ? VSG_EXE_ATOMIC_ADD : VSG_EXE_ATOMIC_SUB;
    p->inst.handler = vsg_exe_do_append;
    vsg_exe_plan_channels(p, p->inst.exec_size);
    return vsg_exe_plan_take(p, p->message.pitch_bytes / p->send->grf_bytes,
                             &p->message.value) &&
           vsg_exe_plan_take_data(p, false, p->message.pitch_bytes);
}

/* Of images: coordinates in place of addresses. */
static bool set_texel_model(vsg_exe_plan *p)
{
    if (vsg_exe_send_field(p->descriptor, 7, 8) == 0)
        return vsg_exe_plan_refuse(p, "its address size is not defined");
    if (vsg_exe_send_field(p->descriptor, 29, 30) == MODEL_FLAT)
        return vsg_exe_plan_refuse(p, "a typed message needs a surface");
    return set_model(p);
}

bool vsg_exe_send_lsc_texel(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    if (vsg_exe_send_field(p->descriptor, 9, 11) != 2)
        return vsg_exe_plan_refuse(p, "typed data are d32");
    return set_texel_model(p) &&
           vsg_exe_plan_texels(p, r, vsg_exe_send_field(p->descriptor, 12, 15),
                               p->inst.exec_size,
                               1u << vsg_exe_send_field(p->descriptor, 7, 8));
}

/* The operation of an atomic message; false: it is refused. */
static bool find_lsc_atomic(vsg_exe_plan *p, vsg_exe_send_atomic *out)
{
    uint32_t sub = vsg_exe_send_field(p->descriptor, 0, 5);
    vsg_exe_atomic operation;

    *out = (vsg_exe_send_atomic){.known = true};
    if (!vsg_exe_lsc_find_atomic(sub, &operation))
        return vsg_exe_plan_refuse(p, "its atomic operation is not known");
    out->operation = (uint8_t)operation;
    out->sources = (uint8_t)vsg_isa_lsc_arguments(sub);
    return true;
}

static bool set_atomic_element(vsg_exe_plan *p)
{
    if (!set_lsc_elements(p, 1, 0))
        return false;
    if (p->message.memory_bytes == 1)
        return vsg_exe_plan_refuse(p, "an atomic is of one 16-, 32- or 64-bit element");
    return true;
}

bool vsg_exe_send_lsc_typed_atomic(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    vsg_exe_send_atomic atomic;

    (void)r;
    if (!find_lsc_atomic(p, &atomic) || !set_texel_model(p) || !set_atomic_element(p))
        return false;
    return vsg_exe_plan_typed_atomic(p, &atomic, p->inst.exec_size,
                                     1u << vsg_exe_send_field(p->descriptor, 7, 8), true);
}

bool vsg_exe_send_lsc_quad(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    uint32_t mask = vsg_exe_send_field(p->descriptor, 12, 15);

    if (mask == 0)
        return vsg_exe_plan_refuse(p, "no channel is enabled");
    return take_lsc_addresses(p) && set_lsc_elements(p, 4, mask) &&
           vsg_exe_plan_slots(p, r, p->inst.exec_size);
}

bool vsg_exe_send_lsc_atomic(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    vsg_exe_send_atomic atomic;

    (void)r;
    if (!find_lsc_atomic(p, &atomic) || !take_lsc_addresses(p) || !set_atomic_element(p))
        return false;
    return vsg_exe_plan_atomic(p, &atomic, p->inst.exec_size, true);
}
