/* SPDX-License-Identifier: MIT
 *
 * Decoding of LSC messages. Source: LSC_UNTYPED, LSC_TYPED; spec dialect 2. */
#include "exec/handlers.h"
#include "exec/message.h"
#include "isa/lsc.h"

/* ---- parts ------------------------------------------------------------------------------- */

/* Flat addresses of later devices have a base where others have the surface. */
static bool has_base(const vsg_obj_inst *inst)
{
    const vsg_obj_operand *base = vsg_exe_find(inst, "surface");
    return base && (base->class_ != VSG_OBJ_CLASS_IMMEDIATE || base->value != 0);
}

static bool set_target(vsg_exe_builder *builder, const vsg_obj_inst *inst, uint32_t sfid,
                       vsg_exe_message *message)
{
    switch (vsg_exe_number(inst, "addr_type")) {
    case VSG_ISA_LSC_FLAT:
        if (has_base(inst))
            return vsg_exe_reject(builder, inst, "its flat address has a base");
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
    case VSG_ISA_LSC_BTI:
        message->target = VSG_EXE_TARGET_VALUE;
        break;
    default:
        return vsg_exe_reject(builder, inst, "its address model is not defined");
    }
    return vsg_exe_message_scalar(builder, inst, "surface", &message->surface);
}

/* Target, address size, scale and offset of untyped messages. count: addresses. */
static bool set_address(vsg_exe_builder *builder, const vsg_obj_inst *inst, uint32_t count,
                        vsg_exe_message *message)
{
    uint64_t size = vsg_exe_number(inst, "addr_size");
    uint32_t sfid = (uint32_t)vsg_exe_number(inst, "sfid");

    if (sfid != VSG_ISA_LSC_UGM && sfid != VSG_ISA_LSC_UGML && sfid != VSG_ISA_LSC_SLM)
        return vsg_exe_reject(builder, inst, "its unit is not ugm, ugml or slm");
    if (size < 1 || size > 3)
        return vsg_exe_reject(builder, inst, "its address size is not defined");
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

static const vsg_isa_lsc_data_size *find_size(vsg_exe_builder *builder,
                                              const vsg_obj_inst *inst)
{
    const vsg_isa_lsc_data_size *size =
        vsg_isa_lsc_data_size_of(vsg_exe_number(inst, "data_size"));

    if (!size)
        vsg_exe_reject(builder, inst, "its data size is not defined");
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
    const vsg_isa_lsc_data_size *size = find_size(builder, inst);
    uint32_t count = vsg_isa_lsc_vector(vsg_exe_number(inst, "num_elements"));
    uint32_t mask = is_quad(inst->op) ? (uint32_t)vsg_exe_number(inst, "channels") & 0xf : 0;

    if (!size)
        return false;
    if (is_quad(inst->op) ? mask == 0 : count == 0)
        return vsg_exe_reject(builder, inst, "its number of elements is not defined");
    if (!set_elements(builder, inst, size, mask ? 4 : count, mask, message))
        return false;
    if (vsg_exe_number(inst, "data_order") != VSG_ISA_LSC_TRANSPOSED)
        return true;
    if (inst->exec_size != 1 || mask)
        return vsg_exe_reject(builder, inst, "transposed data are for one channel");
    vsg_exe_message_transpose(message);
    return true;
}

static bool is_store(visage_op op)
{
    return op == VISAGE_OP_LSC_STORE || op == VISAGE_OP_LSC_STORE_QUAD ||
           op == VISAGE_OP_LSC_STORE_STRIDED || op == VISAGE_OP_LSC_STORE_UNCOMPRESSED ||
           op == VISAGE_OP_LSC_STORE_BLOCK2D || op == VISAGE_OP_LSC_TYPED_STORE_QUAD;
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
           vsg_exe_decode_raw(builder, inst, vsg_exe_find(inst, "dst"), sizeof(uint32_t),
                              &message->data);
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
    const vsg_isa_lsc_data_size *size = find_size(builder, inst);

    if (!size)
        return false;
    if (!vsg_exe_lsc_find_atomic(sub, &operation) || size->memory_bytes == 1 ||
        vsg_exe_number(inst, "num_elements") > 1 ||
        vsg_exe_number(inst, "data_order") == VSG_ISA_LSC_TRANSPOSED)
        return vsg_exe_reject(builder, inst, "an atomic is of one 16-, 32- or 64-bit element");
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
    const vsg_isa_lsc_data_size *size = find_size(builder, inst);

    if (!message || !size)
        return false;
    if (vsg_exe_number(inst, "addr_type") == VSG_ISA_LSC_FLAT)
        return vsg_exe_reject(builder, inst, "an append counter needs a surface");
    if (size->memory_bytes < 4 || vsg_exe_number(inst, "num_elements") > 1)
        return vsg_exe_reject(builder, inst, "an append counter has one 32- or 64-bit element");
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

static uint32_t round_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Place of rows and blocks in the registers (LSC_UNTYPED, LOAD_BLOCK2D: grf_row_pitch,
 * grf_block_pitch). A last group of VNNI rows that the block does not fill takes its place. */
static void lay_out_block(vsg_exe_block2d *block, uint32_t element_bytes, uint32_t grf_bytes)
{
    uint32_t row = block->transposed ? block->block_height : block->block_width;
    uint32_t rows = block->transposed ? block->block_width : block->block_height;
    uint32_t group = block->vnni && element_bytes < 4 ? 4 / element_bytes : 1;

    block->row_elements = vsg_exe_power_of_two(row);
    block->block_elements =
        round_up(block->row_elements * round_up(rows, group), grf_bytes / element_bytes);
}

static bool set_block(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                      vsg_exe_block2d *block)
{
    block->num_blocks = (uint32_t)vsg_exe_number(inst, "num_blocks");
    block->block_width = (uint32_t)vsg_exe_number(inst, "block_width");
    block->block_height = (uint32_t)vsg_exe_number(inst, "block_height");
    block->transposed = vsg_exe_number(inst, "data_order") == VSG_ISA_LSC_TRANSPOSED;
    block->vnni = vsg_exe_number(inst, "vnni") != 0;
    if (block->num_blocks < 1 || block->num_blocks > 4 || block->block_width < 1 ||
        block->block_width > 64 || block->block_height < 1 || block->block_height > 64)
        return vsg_exe_reject(builder, inst, "its block is larger than any the hardware has");
    if (is_store(inst->op) && (block->num_blocks != 1 || block->transposed || block->vnni))
        return vsg_exe_reject(builder, inst, "a block store is of one plain block");
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
    const vsg_isa_lsc_data_size *size = find_size(builder, inst);

    if (!message || !block || !size)
        return false;
    if (inst->exec_size != 1 || size->memory_bytes != size->register_bytes)
        return vsg_exe_reject(builder, inst, "a block is of one channel and of d8 to d64");
    if (!set_block(builder, inst, block))
        return false;
    lay_out_block(block, size->memory_bytes, builder->program->grf_bytes);
    message->block = block;
    message->memory_bytes = size->memory_bytes;
    out->no_mask = true;
    return vsg_exe_decode_raw(builder, inst, vsg_exe_find(inst, data_name(inst->op)),
                              block->num_blocks * block->block_elements * size->memory_bytes,
                              &message->data);
}

/* ---- typed ------------------------------------------------------------------------------- */

static bool set_texels(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                       vsg_exe_message *message)
{
    uint64_t size = vsg_exe_number(inst, "addr_size");

    if (size < 1 || size > 3)
        return vsg_exe_reject(builder, inst, "its address size is not defined");
    if (vsg_exe_number(inst, "addr_type") == VSG_ISA_LSC_FLAT)
        return vsg_exe_reject(builder, inst, "a typed message needs a surface");
    return set_target(builder, inst, VSG_ISA_LSC_UGM, message) &&
           vsg_exe_message_coordinates(builder, inst, 1u << size, message);
}

bool vsg_exe_prepare_lsc_typed(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                               vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    const vsg_isa_lsc_data_size *size = find_size(builder, inst);

    if (!message || !size)
        return false;
    if (size->memory_bytes != 4)
        return vsg_exe_reject(builder, inst, "typed data are d32");
    return set_texels(builder, inst, message) &&
           vsg_exe_message_texel(builder, inst, (uint32_t)vsg_exe_number(inst, "channels"),
                                 message) &&
           vsg_exe_message_data(builder, inst, data_name(inst->op), message, inst->exec_size,
                                &message->data);
}

bool vsg_exe_prepare_lsc_typed_status(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                      vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    return message && set_texels(builder, inst, message) &&
           vsg_exe_decode_raw(builder, inst, vsg_exe_find(inst, "dst"), sizeof(uint32_t),
                              &message->data);
}

bool vsg_exe_prepare_lsc_typed_atomic(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                      vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);

    return message && set_texels(builder, inst, message) && set_atomic(builder, inst, message);
}
