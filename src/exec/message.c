/* SPDX-License-Identifier: MIT
 *
 * Decoding of messages to surfaces and by address, LSC aside (message_lsc.c). Source: the pages
 * of the instructions; spec dialect 2 for what the numbers in them mean. */
#include "exec/message.h"

#include <assert.h>

#include "exec/handlers.h"
#include "exec/texel_lanes.h"
#include "isa/message.h"
#include "object/extent.h"

/* ---- parts ------------------------------------------------------------------------------- */

void vsg_exe_message_clear(vsg_exe_message *message)
{
    *message = (vsg_exe_message){.scale = 1, .lanes = vsg_exe_lanes_best()};
    message->surface.is_constant = true;
    message->base.is_constant = true;
    message->stride.is_constant = true;
    message->address.is_null = true;
    message->data.is_null = true;
    message->value.is_null = true;
    message->comparand.is_null = true;
}

vsg_exe_message *vsg_exe_message_new(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                     vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_keep(builder, 1, sizeof *message);

    if (!message)
        return NULL;
    assert(inst->exec_size != 0 || !vsg_isa_has_slot(inst->op, VSG_ISA_SLOT_EXEC));
    out->message = message;
    vsg_exe_message_clear(message);
    return message;
}

static bool is_absent(const vsg_obj_operand *operand)
{
    return !operand || operand->class_ == VSG_OBJ_CLASS_NONE ||
           (operand->class_ == VSG_OBJ_CLASS_GENERAL && operand->id == VSG_ISA_VAR_NULL);
}

bool vsg_exe_message_scalar(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                            const char *name, vsg_exe_scalar *out)
{
    const vsg_obj_operand *operand = vsg_exe_find(inst, name);

    *out = (vsg_exe_scalar){.is_constant = true};
    if (is_absent(operand))
        return true;
    if (operand->class_ == VSG_OBJ_CLASS_IMMEDIATE) {
        out->value = (int64_t)operand->value;
        return true;
    }
    out->is_constant = false;
    return vsg_exe_decode(builder, inst, operand, 1, &out->operand);
}

static vsg_exe_copy copy_of(uint32_t memory_bytes, uint32_t register_bytes)
{
    if (memory_bytes == 1)
        return register_bytes == 1 ? VSG_EXE_COPY_1 : VSG_EXE_COPY_1_IN_4;
    if (memory_bytes == 2)
        return register_bytes == 2 ? VSG_EXE_COPY_2 : VSG_EXE_COPY_2_IN_4;
    return memory_bytes == 4 ? VSG_EXE_COPY_4 : VSG_EXE_COPY_8;
}

void vsg_exe_message_place(vsg_exe_message *message, uint16_t *at, uint32_t memory_bytes,
                           uint32_t register_bytes, uint32_t num_elements, uint32_t mask)
{
    uint32_t count = 0;

    for (uint32_t c = 0; c < (mask ? 4 : num_elements); c++)
        if (!mask || (mask >> c & 1))
            at[count++] = (uint16_t)(c * memory_bytes);
    message->element_at = at;
    message->num_elements = (uint8_t)count;
    message->span_bytes = at[count - 1] + memory_bytes;
    message->memory_bytes = (uint8_t)memory_bytes;
    message->register_bytes = (uint8_t)register_bytes;
    message->copy = (uint8_t)copy_of(memory_bytes, register_bytes);
}

bool vsg_exe_message_elements(vsg_exe_builder *builder, vsg_exe_message *message,
                              uint32_t memory_bytes, uint32_t register_bytes,
                              uint32_t num_elements, uint32_t mask)
{
    uint16_t *at = vsg_exe_keep(builder, mask ? 4 : num_elements, sizeof *at);

    if (!at)
        return false;
    vsg_exe_message_place(message, at, memory_bytes, register_bytes, num_elements, mask);
    return true;
}

uint32_t vsg_exe_message_grf_pitch(const vsg_exe_builder *builder,
                                   const vsg_exe_message *message, uint32_t exec_size)
{
    uint32_t grf_bytes = builder->program->grf_bytes;
    uint32_t bytes = exec_size * message->register_bytes;
    return (bytes + grf_bytes - 1) / grf_bytes * grf_bytes;
}

bool vsg_exe_message_raw(vsg_exe_builder *builder, const vsg_obj_inst *inst, const char *name,
                         uint32_t bytes, vsg_exe_operand *out)
{
    const vsg_obj_operand *operand = vsg_exe_find(inst, name);
    uint64_t extent = 0;

    if (operand && operand->class_ == VSG_OBJ_CLASS_RAW)
        (void)vsg_obj_extent(builder->object, inst, (uint32_t)(operand - inst->operands),
                             builder->program->grf_bytes, &extent);
    assert(!operand || operand->class_ != VSG_OBJ_CLASS_RAW || bytes <= extent);
    (void)bytes;
    return vsg_exe_decode_raw(builder, inst, operand, out);
}

bool vsg_exe_message_data(vsg_exe_builder *builder, const vsg_obj_inst *inst, const char *name,
                          const vsg_exe_message *message, uint32_t exec_size,
                          vsg_exe_operand *out)
{
    uint32_t bytes = (message->num_elements - 1u) * message->pitch_bytes +
                     exec_size * message->register_bytes;

    return vsg_exe_message_raw(builder, inst, name, bytes, out);
}

bool vsg_exe_message_address(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                             const char *name, uint32_t address_bytes, uint32_t count,
                             vsg_exe_message *message)
{
    message->address_bytes = (uint8_t)address_bytes;
    message->narrow = address_bytes < 8;
    return vsg_exe_message_raw(builder, inst, name, count * address_bytes, &message->address);
}

bool vsg_exe_message_coordinates(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                 uint32_t address_bytes, vsg_exe_message *message)
{
    static const char *const names[] = {"u", "v", "r", "lod"};
    vsg_exe_operand *coordinates = vsg_exe_keep(builder, 4, sizeof *coordinates);

    if (!coordinates)
        return false;
    message->coordinates = coordinates;
    message->address_bytes = (uint8_t)address_bytes;
    for (uint32_t i = 0; i < 4; i++)
        if (!vsg_exe_message_raw(builder, inst, names[i], inst->exec_size * address_bytes,
                                 &coordinates[i]))
            return false;
    return true;
}

bool vsg_exe_message_texel(vsg_exe_builder *builder, const vsg_obj_inst *inst, uint32_t mask,
                           vsg_exe_message *message)
{
    uint32_t count = 0;

    mask &= 0xf;
    assert(mask != 0);
    if (!vsg_exe_message_elements(builder, message, 4, 4, 4, mask))
        return false;
    for (uint8_t c = 0; c < 4; c++)
        if (mask >> c & 1)
            message->channels[count++] = c;
    message->pitch_bytes = vsg_exe_message_grf_pitch(builder, message, inst->exec_size);
    return true;
}

bool vsg_exe_message_surface(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                             vsg_exe_message *message)
{
    const vsg_obj_operand *operand = vsg_exe_find(inst, "surface");
    vsg_exe_operand decoded;

    assert(operand && operand->class_ == VSG_OBJ_CLASS_SURFACE);
    switch (operand->id) {
    case VSG_ISA_SURFACE_SLM:
        message->target = VSG_EXE_TARGET_SLM;
        builder->unit->reads_slm = true;
        return true;
    case VSG_ISA_SURFACE_SCRATCH:
        message->target = VSG_EXE_TARGET_SCRATCH;
        return true;
    case VSG_ISA_SURFACE_T1:
    case VSG_ISA_SURFACE_T2:
        message->target = VSG_EXE_TARGET_ENTRY;
        message->entry = operand->id;
        return true;
    case VSG_ISA_SURFACE_TSS:
    case VSG_ISA_SURFACE_BSS:
        message->target = VSG_EXE_TARGET_BINDLESS;
        message->entry = operand->id;
        return true;
    default:
        message->target = VSG_EXE_TARGET_SURFACE;
        if (!vsg_exe_decode(builder, inst, operand, 1, &decoded))
            return false;
        message->entry = decoded.index;
        return true;
    }
}

/* "dst" of loads, "src" of stores. */
static const char *data_name(const vsg_obj_inst *inst)
{
    return vsg_isa_operand(inst->op, "dst") >= 0 ? "dst" : "src";
}

/* Block loads and stores ignore the channel enables (5_operands, Predication). */
static void ignore_channels(vsg_exe_inst *out)
{
    out->exec_size = 1;
    out->no_mask = true;
}

/* ---- by address -------------------------------------------------------------------------- */

/* `count` 16-byte units as dwords of one channel. */
static bool set_owords(vsg_exe_builder *builder, const vsg_obj_inst *inst, uint64_t code,
                       vsg_exe_message *message)
{
    assert(code <= 4);
    if (!vsg_exe_message_elements(builder, message, 4, 4, 4u << code, 0))
        return false;
    message->pitch_bytes = 4;
    message->is_block = true;
    return vsg_exe_message_data(builder, inst, data_name(inst), message, 1, &message->data);
}

/* Bit 3 of the size, which allows dword-aligned addresses, changes nothing: every address is
 * taken as it is. */
bool vsg_exe_prepare_svm_block(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                               vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    if (!message || !vsg_exe_message_scalar(builder, inst, "address", &message->base) ||
        !set_owords(builder, inst, vsg_exe_number(inst, "size") & 7, message))
        return false;
    ignore_channels(out);
    return true;
}

/* Blocks of 4 and 8 bytes: dst[j * exec_size + i]. Bytes: up to four of a channel share a
 * dword, eight a qword, so that they are one element of a channel. */
bool vsg_exe_prepare_svm_gather(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    uint32_t bytes = vsg_isa_svm_block_bytes(vsg_exe_number(inst, "block_size"));
    uint32_t count = 1u << (vsg_exe_number(inst, "num_blocks") & 3);

    if (!message)
        return false;
    if (bytes == 1) {
        bytes = count;
        count = 1;
    }
    if (!vsg_exe_message_elements(builder, message, bytes, bytes < 4 ? 4 : bytes, count, 0) ||
        !vsg_exe_message_address(builder, inst, "addresses", 8, inst->exec_size, message))
        return false;
    message->pitch_bytes = inst->exec_size * message->register_bytes;
    return vsg_exe_message_data(builder, inst, data_name(inst), message, inst->exec_size,
                                &message->data);
}

/* Up to four dwords of a channel, those that the mask has a bit for. */
static bool set_channels(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                         vsg_exe_message *message)
{
    uint32_t mask = (uint32_t)vsg_exe_number(inst, "channels") & 0xf;

    assert(mask != 0);
    if (!vsg_exe_message_elements(builder, message, 4, 4, 4, mask))
        return false;
    message->pitch_bytes = vsg_exe_message_grf_pitch(builder, message, inst->exec_size);
    return vsg_exe_message_data(builder, inst, data_name(inst), message, inst->exec_size,
                                &message->data);
}

bool vsg_exe_prepare_svm_gather4(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                 vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    return message && vsg_exe_message_scalar(builder, inst, "address", &message->base) &&
           vsg_exe_message_address(builder, inst, "offsets", 8, inst->exec_size, message) &&
           set_channels(builder, inst, message);
}

/* ---- surfaces ---------------------------------------------------------------------------- */

/* The offset of aligned blocks counts owords, the other bytes. */
bool vsg_exe_prepare_oword(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    if (!message || !vsg_exe_message_surface(builder, inst, message) ||
        !vsg_exe_message_scalar(builder, inst, "offset", &message->base) ||
        !set_owords(builder, inst, vsg_exe_number(inst, "size") & 7, message))
        return false;
    message->scale = inst->op == VISAGE_OP_OWORD_LD_UNALIGNED ? 1 : 16;
    message->narrow = true;
    ignore_channels(out);
    return true;
}

/* GATHER and SCATTER code channels and mask in one number; their offsets count elements. */
bool vsg_exe_prepare_gather(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                            vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    uint32_t coded = (uint32_t)vsg_exe_number(inst, "num_elements");
    uint32_t bytes = 1u << (vsg_exe_number(inst, "elt_size") & 3);

    if (!message)
        return false;
    out->exec_size = (uint8_t)vsg_isa_gather_elements(coded);
    out->mask_offset = (uint8_t)((coded >> 4 & 7) * 4);
    out->no_mask = (coded & 0x80) != 0;
    assert(bytes <= 4 && out->exec_size != 0);
    assert(out->mask_offset + out->exec_size <= VSG_EXE_MAX_CHANNELS);
    message->scale = bytes;
    return vsg_exe_message_surface(builder, inst, message) &&
           vsg_exe_message_scalar(builder, inst, "global_offset", &message->base) &&
           vsg_exe_message_address(builder, inst, "element_offset", 4, out->exec_size,
                                   message) &&
           vsg_exe_message_elements(builder, message, bytes, 4, 1, 0) &&
           vsg_exe_message_data(builder, inst, data_name(inst), message, out->exec_size,
                                &message->data);
}

/* Blocks are bytes, as many as the slot's low end takes; the scale is not used. */
bool vsg_exe_prepare_gather_scaled(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                   vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    uint32_t bytes = 1u << (vsg_exe_number(inst, "num_blocks") & 3);

    if (!message)
        return false;
    assert(bytes <= 4);
    return vsg_exe_message_surface(builder, inst, message) &&
           vsg_exe_message_scalar(builder, inst, "offset", &message->base) &&
           vsg_exe_message_address(builder, inst, "element_offset", 4, inst->exec_size,
                                   message) &&
           vsg_exe_message_elements(builder, message, bytes, 4, 1, 0) &&
           vsg_exe_message_data(builder, inst, data_name(inst), message, inst->exec_size,
                                &message->data);
}

bool vsg_exe_prepare_gather4_scaled(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                    vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    return message && vsg_exe_message_surface(builder, inst, message) &&
           vsg_exe_message_scalar(builder, inst, "offset", &message->base) &&
           vsg_exe_message_address(builder, inst, "element_offset", 4, inst->exec_size,
                                   message) &&
           set_channels(builder, inst, message);
}

/* Qwords, a block after the other: dst[j * exec_size + i]. */
bool vsg_exe_prepare_qword(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    uint32_t count = 1u << (vsg_exe_number(inst, "num_blocks") & 3);

    if (!message || !vsg_exe_message_surface(builder, inst, message) ||
        !vsg_exe_message_address(builder, inst, "element_offset", 4, inst->exec_size,
                                 message) ||
        !vsg_exe_message_elements(builder, message, 8, 8, count, 0))
        return false;
    message->pitch_bytes = inst->exec_size * 8u;
    return vsg_exe_message_data(builder, inst, data_name(inst), message, inst->exec_size,
                                &message->data);
}

/* ---- atomics ----------------------------------------------------------------------------- */

/* By bits 0-4 of the atomic byte. */
static const struct atomic_row {
    bool known;
    uint8_t operation;
} atomics[32] = {
    [0] = {true, VSG_EXE_ATOMIC_ADD},      [1] = {true, VSG_EXE_ATOMIC_SUB},
    [2] = {true, VSG_EXE_ATOMIC_INC},      [3] = {true, VSG_EXE_ATOMIC_DEC},
    [4] = {true, VSG_EXE_ATOMIC_UMIN},     [5] = {true, VSG_EXE_ATOMIC_UMAX},
    [6] = {true, VSG_EXE_ATOMIC_EXCHANGE}, [7] = {true, VSG_EXE_ATOMIC_CAS},
    [8] = {true, VSG_EXE_ATOMIC_AND},      [9] = {true, VSG_EXE_ATOMIC_OR},
    [10] = {true, VSG_EXE_ATOMIC_XOR},     [11] = {true, VSG_EXE_ATOMIC_SMIN},
    [12] = {true, VSG_EXE_ATOMIC_SMAX},    [13] = {true, VSG_EXE_ATOMIC_PREDEC},
    [16] = {true, VSG_EXE_ATOMIC_FMAX},    [17] = {true, VSG_EXE_ATOMIC_FMIN},
    [18] = {true, VSG_EXE_ATOMIC_FCAS},    [19] = {true, VSG_EXE_ATOMIC_FADD},
    [20] = {true, VSG_EXE_ATOMIC_FSUB},
};

/* Operation, width and the operands src0, src1, dst. CMPXCHG has the new value first, FCMPWR
 * the comparand (DWORD_ATOMIC, table of operations; corpus/vector, trap 3). */
static bool set_atomic(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                       vsg_exe_message *message)
{
    uint32_t coded = (uint32_t)vsg_exe_number(inst, "atomic");
    const struct atomic_row *row = &atomics[coded & 31];
    uint32_t bytes = coded & 0x20 ? 2 : coded & 0x40 ? 8 : 4;
    bool comparand_first = row->operation == VSG_EXE_ATOMIC_FCAS;

    assert(row->known && (coded & 0x60) != 0x60);
    message->atomic = row->operation;
    if (!vsg_exe_message_elements(builder, message, bytes, bytes < 4 ? 4 : bytes, 1, 0) ||
        !vsg_exe_message_data(builder, inst, "dst", message, inst->exec_size, &message->data))
        return false;
    return vsg_exe_message_data(builder, inst, comparand_first ? "src1" : "src0", message,
                                inst->exec_size, &message->value) &&
           vsg_exe_message_data(builder, inst, comparand_first ? "src0" : "src1", message,
                                inst->exec_size, &message->comparand);
}

bool vsg_exe_prepare_svm_atomic(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    return message &&
           vsg_exe_message_address(builder, inst, "addresses", 8, inst->exec_size, message) &&
           set_atomic(builder, inst, message);
}

bool vsg_exe_prepare_dword_atomic(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                  vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    return message && vsg_exe_message_surface(builder, inst, message) &&
           vsg_exe_message_address(builder, inst, "element_offset", 4, inst->exec_size,
                                   message) &&
           set_atomic(builder, inst, message);
}

/* ---- images ------------------------------------------------------------------------------ */

bool vsg_exe_prepare_typed(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    uint32_t mask = (uint32_t)vsg_exe_number(inst, "channels");

    return message && vsg_exe_message_surface(builder, inst, message) &&
           vsg_exe_message_coordinates(builder, inst, 4, message) &&
           vsg_exe_message_texel(builder, inst, mask, message) &&
           vsg_exe_message_data(builder, inst, data_name(inst), message, inst->exec_size,
                                &message->data) &&
           vsg_exe_texel_note(out, message);
}

bool vsg_exe_prepare_typed_atomic(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                  vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    return message && vsg_exe_message_surface(builder, inst, message) &&
           vsg_exe_message_coordinates(builder, inst, 4, message) &&
           set_atomic(builder, inst, message);
}

/* MEDIA_LD, Notes: register pitch and largest height go by the width. */
bool vsg_exe_prepare_media(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    vsg_exe_media *media = vsg_exe_keep(builder, 1, sizeof *media);
    uint32_t modifier = (uint32_t)vsg_exe_number(inst, "modifiers") & 7;

    if (!message || !media)
        return false;
    media->width = (uint32_t)vsg_exe_number(inst, "block_width");
    media->height = (uint32_t)vsg_exe_number(inst, "block_height");
    media->stride = modifier == 2 || modifier == 3 ? 2 : 1;
    media->field = modifier == 3;
    assert(media->width >= 1 && media->width <= 64 && media->height >= 1);
    if (vsg_exe_number(inst, "plane") != 0)
        return vsg_exe_reject(builder, inst, "surfaces with several planes do not exist here");
    media->row_bytes = vsg_exe_power_of_two(media->width < 4 ? 4 : media->width);
    message->media = media;
    ignore_channels(out);
    return vsg_exe_message_surface(builder, inst, message) &&
           vsg_exe_message_scalar(builder, inst, "x_offset", &media->x) &&
           vsg_exe_message_scalar(builder, inst, "y_offset", &media->y) &&
           vsg_exe_message_raw(builder, inst, data_name(inst), media->height * media->row_bytes,
                               &message->data);
}
