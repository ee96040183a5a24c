/* SPDX-License-Identifier: MIT
 *
 * Decoding of messages to the sampler. Source: 3D_SAMPLE, 3D_LOAD, 3D_SAMPLE4, INFO,
 * SAMPLE_UNORM. */
#include <assert.h>

#include "exec/handlers.h"
#include "exec/message.h"
#include "exec/texel_lanes.h"

/* ---- the table --------------------------------------------------------------------------- */

/* Bits of the sub field. */
enum { FLAG_NULL_MASK = 1 << 8 };

/* The parameters by the names that sampling.def uses. */
enum {
#define PARAMETER(id) id = VSG_EXE_PARAMETER_##id,
#include "isa/parameters.def"
#undef PARAMETER
};

#define ROW(op, action_, lod_, ...)                                                            \
    [VISAGE_OP_##op] = {.known = true,                                                         \
                        .action = VSG_EXE_SAMPLING_##action_,                                  \
                        .lod = VSG_EXE_SAMPLING_##lod_,                                        \
                        .parameters = {__VA_ARGS__}},

static const vsg_exe_sampling_row rows[VISAGE_OP_COUNT] = {
#define SAMPLING(...) ROW(__VA_ARGS__)
#define SAMPLING16(...)
#include "isa/sampling.def"
#undef SAMPLING
#undef SAMPLING16
};

/* Where 16-bit parameters have an order of their own. */
static const vsg_exe_sampling_row rows16[VISAGE_OP_COUNT] = {
#define SAMPLING(...)
#define SAMPLING16(...) ROW(__VA_ARGS__)
#include "isa/sampling.def"
#undef SAMPLING
#undef SAMPLING16
};

const vsg_exe_sampling_row *vsg_exe_sampling_of(visage_op op, uint32_t parameter_bytes)
{
    return parameter_bytes == 2 && rows16[op].known ? &rows16[op] : &rows[op];
}

/* ---- parts ------------------------------------------------------------------------------- */

/* A message with its sampling, surface and sampler. NULL: reported. */
static vsg_exe_message *begin(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                              vsg_exe_inst *out, vsg_exe_sampling **sampling)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    const vsg_obj_operand *sampler = vsg_exe_find(inst, "sampler");
    vsg_exe_operand decoded;

    *sampling = vsg_exe_keep(builder, 1, sizeof **sampling);
    if (!message || !*sampling)
        return NULL;
    message->sampling = *sampling;
    (*sampling)->action = rows[inst->op].action;
    (*sampling)->lod = rows[inst->op].lod;
    (*sampling)->offset.is_constant = true;
    for (uint32_t i = 0; i < VSG_EXE_PARAMETER_COUNT; i++)
        (*sampling)->parameters[i].is_null = true;
    if (sampler) {
        if (!vsg_exe_decode(builder, inst, sampler, 1, &decoded))
            return NULL;
        (*sampling)->sampler = decoded.index;
        (*sampling)->is_bindless = sampler->id == VSG_ISA_BINDLESS_SAMPLER;
    }
    return vsg_exe_message_surface(builder, inst, message) ? message : NULL;
}

/* Results of `bytes` each, of the components of the mask; a register for each to begin with. */
static bool set_results(vsg_exe_builder *builder, const vsg_obj_inst *inst, uint32_t mask,
                        uint32_t exec_size, vsg_exe_message *message)
{
    uint32_t grf_bytes = builder->program->grf_bytes;

    if (!vsg_exe_message_texel(builder, inst, mask, message) ||
        !vsg_exe_message_raw(builder, inst, "dst", 0, &message->data))
        return false;
    if (message->data.is_null)
        return true;
    message->register_bytes = message->data.bytes;
    assert(message->register_bytes == 2 || message->register_bytes == 4);
    message->pitch_bytes = vsg_exe_message_grf_pitch(builder, message, exec_size);
    uint32_t bytes = (message->num_elements - 1u) * message->pitch_bytes +
                     exec_size * message->register_bytes;
    if (message->sampling->null_mask)
        bytes = message->num_elements * message->pitch_bytes + grf_bytes;
    return vsg_exe_message_raw(builder, inst, "dst", bytes, &message->data);
}

/* Bytes of a parameter: all have the type of the first. */
static bool set_parameter_bytes(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                const vsg_obj_operand *first, vsg_exe_sampling *sampling)
{
    vsg_exe_operand decoded;

    if (!vsg_exe_decode_raw(builder, inst, first, &decoded))
        return false;
    sampling->parameter_bytes = decoded.is_null ? 4 : decoded.bytes;
    assert(sampling->parameter_bytes == 2 || sampling->parameter_bytes == 4);
    return true;
}

static bool set_parameter(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                          const vsg_obj_operand *operand, uint32_t parameter,
                          vsg_exe_sampling *sampling)
{
    if (parameter == SKIP)
        return true;
    return vsg_exe_decode_raw(builder, inst, operand, &sampling->parameters[parameter]);
}

/* Trailing ones may be missing. */
static bool set_parameters(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_sampling *sampling)
{
    int first = vsg_isa_operand(inst->op, "parameters");

    assert(first >= 0 && first < inst->num_operands);
    if (!set_parameter_bytes(builder, inst, &inst->operands[first], sampling))
        return false;
    const vsg_exe_sampling_row *row = vsg_exe_sampling_of(inst->op, sampling->parameter_bytes);
    for (uint32_t i = 0; i < VSG_EXE_MOST_PARAMETERS; i++) {
        sampling->compares |= row->parameters[i] == REF;
        if ((uint32_t)first + i < inst->num_operands &&
            !set_parameter(builder, inst, &inst->operands[(uint32_t)first + i],
                           row->parameters[i], sampling))
            return false;
    }
    return true;
}

/* ---- messages ---------------------------------------------------------------------------- */

bool vsg_exe_prepare_sampling(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                              vsg_exe_inst *out)
{
    vsg_exe_sampling *sampling;
    vsg_exe_message *message = begin(builder, inst, out, &sampling);
    uint32_t mask = (uint32_t)vsg_exe_number(inst, "channels");

    if (!message)
        return false;
    sampling->null_mask = (inst->sub_flags & FLAG_NULL_MASK) != 0;
    if (sampling->action == VSG_EXE_SAMPLING_GATHER) {
        sampling->component = mask & 3;
        mask = 15;
    }
    return vsg_exe_message_scalar(builder, inst, "aoffimmi", &sampling->offset) &&
           set_parameters(builder, inst, sampling) &&
           set_results(builder, inst, mask, inst->exec_size, message) &&
           vsg_exe_texel_note(out, message);
}

/* These have no execution size of their own: 8, 16 or 32 by bits 4 and 5 of the mode, without a
 * mask (SAMPLE, LOAD of the spec's opcodes.tsv). */
bool vsg_exe_prepare_old_sampling(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                  vsg_exe_inst *out)
{
    static const char *const names[] = {"u", "v", "r"};
    vsg_exe_sampling *sampling;
    vsg_exe_message *message = begin(builder, inst, out, &sampling);
    uint32_t mode = (uint32_t)vsg_exe_number(inst, "mode");

    if (!message)
        return false;
    assert((mode >> 4 & 3) != 3);
    out->exec_size = (uint8_t)(8u << (mode >> 4 & 3));
    out->no_mask = true;
    if (!set_parameter_bytes(builder, inst, vsg_exe_find(inst, "u"), sampling))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (!set_parameter(builder, inst, vsg_exe_find(inst, names[i]), VSG_EXE_PARAMETER_U + i,
                           sampling))
            return false;
    return set_results(builder, inst, mode & 15, out->exec_size, message) &&
           vsg_exe_texel_note(out, message);
}

/* Bits 4 and 5 of the channels: what is returned of a pixel (SAMPLE_UNORM, Channel_mask). */
bool vsg_exe_prepare_sample_unorm(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                  vsg_exe_inst *out)
{
    vsg_exe_sampling *sampling;
    vsg_exe_message *message = begin(builder, inst, out, &sampling);
    uint32_t coded = (uint32_t)vsg_exe_number(inst, "channels");

    if (!message)
        return false;
    sampling->unorm_halves = (coded & 0x10) != 0;
    sampling->unorm_bytes = (coded & 0x20) != 0;
    out->exec_size = VSG_EXE_MAX_CHANNELS;
    out->no_mask = true;
    if (!vsg_exe_message_texel(builder, inst, coded & 15, message))
        return false;
    message->register_bytes = sampling->unorm_bytes ? 1 : 2;
    return vsg_exe_message_scalar(builder, inst, "u", &sampling->start[0]) &&
           vsg_exe_message_scalar(builder, inst, "v", &sampling->start[1]) &&
           vsg_exe_message_scalar(builder, inst, "delta_u", &sampling->step[0]) &&
           vsg_exe_message_scalar(builder, inst, "delta_v", &sampling->step[1]) &&
           vsg_exe_message_raw(builder, inst, "dst",
                               (uint32_t)VSG_EXE_MAX_CHANNELS * message->num_elements *
                                   message->register_bytes,
                               &message->data);
}

bool vsg_exe_prepare_image_info(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                                vsg_exe_inst *out)
{
    vsg_exe_sampling *sampling;
    vsg_exe_message *message = begin(builder, inst, out, &sampling);

    if (!message)
        return false;
    sampling->parameter_bytes = 4;
    return set_parameter(builder, inst, vsg_exe_find(inst, "lod"), LOD, sampling) &&
           set_results(builder, inst, (uint32_t)vsg_exe_number(inst, "channels"),
                       inst->exec_size, message);
}
