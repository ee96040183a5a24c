/* SPDX-License-Identifier: MIT
 *
 * Decoding of LSC messages. Source: LSC_UNTYPED, LSC_TYPED; spec dialect 2. */
#include <assert.h>

#include "exec/handlers.h"
#include "exec/message.h"
#include "exec/texel_lanes.h"
#include "isa/lsc.h"
#include "object/extent.h"

/* ---- parts ------------------------------------------------------------------------------- */

static bool set_target(vsg_exe_builder *builder, const vsg_obj_inst *inst, uint32_t sfid,
                       vsg_exe_message *message)
{
    switch (vsg_exe_number(inst, "addr_type")) {
    case VSG_ISA_LSC_FLAT:
        message->target = sfid == VSG_ISA_LSC_SLM ? VSG_EXE_TARGET_SLM : VSG_EXE_TARGET_FLAT;
        builder->unit->reads_slm |= sfid == VSG_ISA_LSC_SLM;
        return true;
    case VSG_ISA_LSC_ARG:
        message->target = VSG_EXE_TARGET_ARG;
        return true;
    case VSG_ISA_LSC_BSS:
    case VSG_ISA_LSC_SS:
        message->target = VSG_EXE_TARGET_STATE;
        break;
    default:
        assert(vsg_exe_number(inst, "addr_type") == VSG_ISA_LSC_BTI);
        message->target = VSG_EXE_TARGET_VALUE;
        break;
    }
    return vsg_exe_message_scalar(builder, inst, "surface", &message->surface);
}

/* Target, address size, scale and offset of untyped messages. count: addresses. */
static bool set_address(vsg_exe_builder *builder, const vsg_obj_inst *inst, uint32_t count,
                        vsg_exe_message *message)
{
    uint64_t size = vsg_exe_number(inst, "addr_size");
    uint32_t sfid = (uint32_t)vsg_exe_number(inst, "sfid");

    assert(sfid == VSG_ISA_LSC_UGM || sfid == VSG_ISA_LSC_UGML || sfid == VSG_ISA_LSC_SLM);
    assert(size >= VSG_ISA_LSC_A16 && size <= VSG_ISA_LSC_A64);
    message->scale = (uint32_t)vsg_exe_number(inst, "addr_scale");
    message->offset = (int32_t)(uint32_t)vsg_exe_number(inst, "addr_offset");
    return set_target(builder, inst, sfid, message) &&
           vsg_exe_message_address(builder, inst, "address", 1u << size, count, message);
}

/* Elements, one vector after the other in whole GRFs, or transposed: one behind the other. */
static bool set_elements(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                         const vsg_isa_lsc_data_size *size, uint32_t num_elements,
                         uint32_t mask, vsg_exe_message *message)
{
    if (!vsg_exe_message_elements(builder, message, size->memory_bytes, size->register_bytes,
                                  num_elements, mask))
        return false;
    if (size->high)
        message->copy = VSG_EXE_COPY_2_HIGH_IN_4;
    message->pitch_bytes = vsg_exe_message_grf_pitch(builder, message, inst->exec_size);
    return true;
}

static const vsg_isa_lsc_data_size *find_size(const vsg_obj_inst *inst)
{
    const vsg_isa_lsc_data_size *size =
        vsg_isa_lsc_data_size_of(vsg_exe_number(inst, "data_size"));

    assert(size);
    return size;
}

static bool is_quad(visage_op op)
{
    return op == VISAGE_OP_LSC_LOAD_QUAD || op == VISAGE_OP_LSC_STORE_QUAD;
}

void vsg_exe_message_transpose(vsg_exe_message *message)
{
    message->pitch_bytes = message->register_bytes;
    message->is_block =
        message->num_elements > 1 && message->memory_bytes == message->register_bytes;
}

/* What loads and stores of any kind have alike. */
static bool set_data(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                     vsg_exe_message *message)
{
    const vsg_isa_lsc_data_size *size = find_size(inst);
    uint32_t count = vsg_isa_lsc_vector(vsg_exe_number(inst, "num_elements"));
    uint32_t mask = is_quad(inst->op) ? (uint32_t)vsg_exe_number(inst, "channels") & 0xf : 0;

    assert(is_quad(inst->op) ? mask != 0 : count != 0);
    if (!set_elements(builder, inst, size, mask ? 4 : count, mask, message))
        return false;
    if (vsg_exe_number(inst, "data_order") != VSG_ISA_LSC_TRANSPOSED)
        return true;
    assert(inst->exec_size == 1 && !mask);
    vsg_exe_message_transpose(message);
    return true;
}

static bool is_store(visage_op op)
{
    return op == VISAGE_OP_LSC_STORE || op == VISAGE_OP_LSC_STORE_QUAD ||
           op == VISAGE_OP_LSC_STORE_STRIDED || op == VISAGE_OP_LSC_STORE_UNCOMPRESSED ||
           op == VISAGE_OP_LSC_STORE_BLOCK2D || op == VISAGE_OP_LSC_TYPED_STORE_QUAD ||
           op == VISAGE_OP_LSC_TYPED_STORE_UNCOMPRESSED ||
           op == VISAGE_OP_LSC_TYPED_STORE_BLOCK2D;
}

static const char *data_name(visage_op op)
{
    return is_store(op) ? "src1" : "dst";
}

/* ---- untyped ----------------------------------------------------------------------------- */

bool vsg_exe_prepare_lsc_access(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    return message && set_address(builder, inst, inst->exec_size, message) &&
           set_data(builder, inst, message) &&
           vsg_exe_message_data(builder, inst, data_name(inst->op), message, inst->exec_size,
                                &message->data);
}

bool vsg_exe_prepare_lsc_status(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    return message && set_address(builder, inst, inst->exec_size, message) &&
           set_data(builder, inst, message) &&
           vsg_exe_message_raw(builder, inst, "dst", sizeof(uint32_t), &message->data);
}

/* Without a pitch the channels' vectors lie behind each other. */
bool vsg_exe_prepare_lsc_strided(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                 vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    const vsg_obj_operand *pitch = vsg_exe_find(inst, "pitch");

    if (!message || !set_address(builder, inst, 1, message) ||
        !set_data(builder, inst, message) ||
        !vsg_exe_message_scalar(builder, inst, "pitch", &message->stride))
        return false;
    message->strided = true;
    if (message->stride.is_constant && !(pitch && pitch->class_ == VSG_OBJ_CLASS_IMMEDIATE))
        message->stride.value = message->span_bytes;
    return vsg_exe_message_data(builder, inst, data_name(inst->op), message, inst->exec_size,
                                &message->data);
}

/* By sub-operation from lsc_atomic_iinc on. */
static const uint8_t atomics[] = {
    VSG_EXE_ATOMIC_INC,  VSG_EXE_ATOMIC_DEC,  VSG_EXE_ATOMIC_LOAD, VSG_EXE_ATOMIC_EXCHANGE,
    VSG_EXE_ATOMIC_ADD,  VSG_EXE_ATOMIC_SUB,  VSG_EXE_ATOMIC_SMIN, VSG_EXE_ATOMIC_SMAX,
    VSG_EXE_ATOMIC_UMIN, VSG_EXE_ATOMIC_UMAX, VSG_EXE_ATOMIC_CAS,  VSG_EXE_ATOMIC_FADD,
    VSG_EXE_ATOMIC_FSUB, VSG_EXE_ATOMIC_FMIN, VSG_EXE_ATOMIC_FMAX, VSG_EXE_ATOMIC_FCAS,
    VSG_EXE_ATOMIC_AND,  VSG_EXE_ATOMIC_OR,   VSG_EXE_ATOMIC_XOR,
};
enum { FIRST_ATOMIC = 0x08, NUM_ATOMICS = sizeof atomics / sizeof atomics[0] };

bool vsg_exe_lsc_find_atomic(uint32_t sub, vsg_exe_atomic *operation)
{
    if (sub - FIRST_ATOMIC >= NUM_ATOMICS)
        return false;
    *operation = (vsg_exe_atomic)atomics[sub - FIRST_ATOMIC];
    return true;
}

/* Compare-and-swaps have the comparand first (corpus/vector, trap 3). */
static bool set_atomic(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                       vsg_exe_message *message)
{
    uint32_t sub = vsg_isa_op(inst->op)->sub;
    vsg_exe_atomic operation;
    const vsg_isa_lsc_data_size *size = find_size(inst);

    bool known = vsg_exe_lsc_find_atomic(sub, &operation);

    assert(known && size->memory_bytes > 1);
    (void)known;
    message->atomic = (uint8_t)operation;
    bool compares = vsg_isa_lsc_arguments(sub) == 2;
    if (!set_elements(builder, inst, size, 1, 0, message) ||
        !vsg_exe_message_data(builder, inst, "dst", message, inst->exec_size, &message->data))
        return false;
    return vsg_exe_message_data(builder, inst, compares ? "src2" : "src1", message,
                                inst->exec_size, &message->value) &&
           (!compares || vsg_exe_message_data(builder, inst, "src1", message, inst->exec_size,
                                              &message->comparand));
}

bool vsg_exe_prepare_lsc_atomic(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    return message && set_address(builder, inst, inst->exec_size, message) &&
           set_atomic(builder, inst, message);
}

/* Append counters have no address: the surface's own counter is meant. */
bool vsg_exe_prepare_lsc_append(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    const vsg_isa_lsc_data_size *size = find_size(inst);

    if (!message)
        return false;
    assert(vsg_exe_number(inst, "addr_type") != VSG_ISA_LSC_FLAT && size->memory_bytes >= 4);
    message->atomic =
        inst->op == VISAGE_OP_LSC_APNDCTR_ATOMIC_ADD ? VSG_EXE_ATOMIC_ADD : VSG_EXE_ATOMIC_SUB;
    return set_target(builder, inst, VSG_ISA_LSC_UGM, message) &&
           set_elements(builder, inst, size, 1, 0, message) &&
           vsg_exe_message_data(builder, inst, "dst", message, inst->exec_size,
                                &message->data) &&
           vsg_exe_message_data(builder, inst, "src0", message, inst->exec_size,
                                &message->value);
}

/* ---- blocks ------------------------------------------------------------------------------ */

static bool set_block(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                      vsg_exe_block2d *block)
{
    vsg_obj_block shape;

    (void)vsg_obj_block_of(inst, builder->program->grf_bytes, &shape);
    block->num_blocks = shape.num_blocks;
    block->block_width = shape.width;
    block->block_height = shape.height;
    block->transposed = shape.transposed;
    block->vnni = shape.vnni;
    block->row_elements = shape.row_elements;
    block->block_elements = shape.block_elements;
    return vsg_exe_message_scalar(builder, inst, "surface_base", &block->base) &&
           vsg_exe_message_scalar(builder, inst, "surface_width", &block->width) &&
           vsg_exe_message_scalar(builder, inst, "surface_height", &block->height) &&
           vsg_exe_message_scalar(builder, inst, "surface_pitch", &block->pitch) &&
           vsg_exe_message_scalar(builder, inst, "x", &block->x) &&
           vsg_exe_message_scalar(builder, inst, "y", &block->y);
}

/* The page's code asks for no channel enables, only a predicate can keep it from running. */
bool vsg_exe_prepare_lsc_block2d(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                 vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    vsg_exe_block2d *block = vsg_exe_keep(builder, 1, sizeof *block);
    const vsg_isa_lsc_data_size *size = find_size(inst);

    if (!message || !block)
        return false;
    if (!set_block(builder, inst, block))
        return false;
    message->block = block;
    message->memory_bytes = size->memory_bytes;
    out->no_mask = true;
    return vsg_exe_message_raw(builder, inst, data_name(inst->op),
                               block->num_blocks * block->block_elements * size->memory_bytes,
                               &message->data);
}

/* ---- typed ------------------------------------------------------------------------------- */

static bool set_texels(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                       vsg_exe_message *message)
{
    uint64_t size = vsg_exe_number(inst, "addr_size");

    assert(size >= VSG_ISA_LSC_A16 && size <= VSG_ISA_LSC_A64);
    assert(vsg_exe_number(inst, "addr_type") != VSG_ISA_LSC_FLAT);
    return set_target(builder, inst, VSG_ISA_LSC_UGM, message) &&
           vsg_exe_message_coordinates(builder, inst, 1u << size, message);
}

bool vsg_exe_prepare_lsc_typed(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                               vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    const vsg_isa_lsc_data_size *size = find_size(inst);

    assert(size->memory_bytes == sizeof(uint32_t));
    (void)size;
    return message && set_texels(builder, inst, message) &&
           vsg_exe_message_texel(builder, inst, (uint32_t)vsg_exe_number(inst, "channels"),
                                 message) &&
           vsg_exe_message_data(builder, inst, data_name(inst->op), message, inst->exec_size,
                                &message->data) &&
           vsg_exe_texel_note(out, message);
}

bool vsg_exe_prepare_lsc_typed_status(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                      vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    return message && set_texels(builder, inst, message) &&
           vsg_exe_message_raw(builder, inst, "dst", sizeof(uint32_t), &message->data);
}

bool vsg_exe_prepare_lsc_typed_atomic(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                      vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    return message && set_texels(builder, inst, message) && set_atomic(builder, inst, message);
}

/* The page's code is that of a media block, whose place it takes. */
bool vsg_exe_prepare_lsc_typed_block(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                     vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    vsg_exe_media *media = vsg_exe_keep(builder, 1, sizeof *media);

    if (!message || !media)
        return false;
    media->width = (uint32_t)vsg_exe_number(inst, "block_width");
    media->height = (uint32_t)vsg_exe_number(inst, "block_height");
    media->stride = 1;
    assert(media->width >= 1 && media->width <= 64 && media->height >= 1);
    media->row_bytes = vsg_exe_power_of_two(media->width < 4 ? 4 : media->width);
    message->media = media;
    out->exec_size = 1;
    out->no_mask = true;
    return set_target(builder, inst, VSG_ISA_LSC_UGM, message) &&
           vsg_exe_message_scalar(builder, inst, "x", &media->x) &&
           vsg_exe_message_scalar(builder, inst, "y", &media->y) &&
           vsg_exe_message_raw(builder, inst, data_name(inst->op),
                               media->height * media->row_bytes, &message->data);
}
