/* SPDX-License-Identifier: MIT
 *
 * Texels eight at a time, for any host, and when that may be done. */
#include "exec/texel_lanes.h"

#include "exec/image.h"

#include "exec/texel_lanes_ops.h"

/* Sizes up to here are floats, so that fractions lead no further than one texel beside the
 * image; and the end of the last texel, which must be below 2**32, is summed in 64 bits. */
static const uint32_t longest = 1u << 24;

static bool open_level(const vsg_exe_surface *image, vsg_exe_texel_level *out)
{
    static const uint32_t nothing[4] = {0};
    const vsg_exe_format_info *format = vsg_exe_format_of(image->format);
    const vsg_exe_image_info *info = vsg_exe_image_of(image->shape);
    vsg_exe_level level;

    if (!format || !info || format->texel_bytes != image->texel_bytes || info->layered ||
        image->shape == VSG_EXE_IMAGE_CUBE || vsg_exe_image_samples(image) != 1 ||
        format->kind == VSG_EXE_FORMAT_KIND_SRGB || !vsg_exe_image_level(image, 0, &level))
        return false;
    const uint32_t steps[3] = {image->texel_bytes, image->pitch_bytes, image->slice_bytes};
    uint64_t end = format->texel_bytes;
    *out = (vsg_exe_texel_level){.lanes = vsg_exe_texel_lanes_best(image->format),
                                 .format = format,
                                 .memory = (uint8_t *)(uintptr_t)image->address,
                                 .axes = info->axes};
    vsg_exe_texel_colour(format, nothing, out->border);
    vsg_exe_texel_border(format, out->outside);
    for (uint32_t a = 0; a < info->axes; a++) {
        if (level.size[a] == 0 || level.size[a] > longest)
            return false;
        out->size[a] = level.size[a];
        out->step_bytes[a] = steps[a];
        end += (uint64_t)(level.size[a] - 1) * steps[a];
    }
    return end <= image->size_bytes && end <= UINT32_MAX;
}

void vsg_exe_texels_open(vsg_exe_surface *image)
{
    if (!open_level(image, &image->texels))
        image->texels = (vsg_exe_texel_level){0};
}

/* Where coordinates begin again, it is known how far beside the image they can be only if they
 * are made of fractions. */
bool vsg_exe_texel_can_sample(const vsg_exe_sampler *sampler, uint32_t axes)
{
    bool can = !sampler->has_levels;

    for (uint32_t a = 0; a < axes; a++)
        can &= sampler->normalized || (sampler->addressing[a] != VSG_EXE_ADDRESSING_REPEAT &&
                                       sampler->addressing[a] != VSG_EXE_ADDRESSING_MIRROR);
    return can;
}

void vsg_exe_texel_take(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_operand uvr[3], uint32_t axes, uint32_t on,
                        vsg_exe_texel_channels *out)
{
    static const uint8_t zeros[VSG_EXE_MAX_CHANNELS * sizeof(uint32_t)];
    const vsg_exe_message *message = inst->message;
    uint8_t *slots = vsg_exe_raw_at(thread, &message->data);

    *out = (vsg_exe_texel_channels){.count = inst->exec_size, .on = on};
    for (uint32_t a = 0; a < 3; a++)
        out->at[a] = a >= axes || uvr[a].is_null ? zeros : vsg_exe_raw_at(thread, &uvr[a]);
    for (uint32_t v = 0; v < message->num_elements; v++)
        out->slots[message->channels[v]] = slots + (size_t)v * message->pitch_bytes;
}

bool vsg_exe_texel_is_first_level(const vsg_exe_thread *thread, const vsg_exe_operand *lod,
                                  uint32_t channels)
{
    uint32_t any = 0;

    if (lod->is_null)
        return true;
    for (uint32_t n = 0; channels; n++, channels >>= 1)
        if (channels & 1)
            any |= vsg_exe_get_bits(vsg_exe_raw_at(thread, lod) + n * sizeof(uint32_t), 32);
    return any == 0;
}

/* ---- messages ---------------------------------------------------------------------------- */

/* Are registers of coordinates among those of the data? */
static bool overlap(uint32_t exec_size, const vsg_exe_message *message,
                    const vsg_exe_operand *coordinate)
{
    const vsg_exe_operand *data = &message->data;
    uint64_t end = (uint64_t)data->offset + message->num_elements * message->pitch_bytes;

    return !coordinate->is_null && coordinate->shared == data->shared &&
           coordinate->offset < end &&
           data->offset < (uint64_t)coordinate->offset + exec_size * sizeof(uint32_t);
}

/* Will channels behind the first eight find their coordinates as they were? */
static bool keeps(uint32_t exec_size, const vsg_exe_message *message,
                  const vsg_exe_operand uvr[3])
{
    return exec_size <= N ||
           !(overlap(exec_size, message, &uvr[0]) || overlap(exec_size, message, &uvr[1]) ||
             overlap(exec_size, message, &uvr[2]));
}

/* Do channels of a message to the sampler differ in u, v and r alone? */
static bool differ_in_places(const vsg_exe_sampling *sampling)
{
    const vsg_exe_operand *parameters = sampling->parameters;

    return !sampling->compares && sampling->parameter_bytes == sizeof(uint32_t) &&
           sampling->offset.is_constant && sampling->offset.value == 0 &&
           (sampling->action == VSG_EXE_SAMPLING_LOAD ||
            (sampling->action == VSG_EXE_SAMPLING_SAMPLE &&
             parameters[VSG_EXE_PARAMETER_OFFU].is_null &&
             parameters[VSG_EXE_PARAMETER_OFFV].is_null));
}

bool vsg_exe_texel_note(const vsg_exe_inst *inst, vsg_exe_message *message)
{
    const vsg_exe_sampling *sampling = message->sampling;
    const vsg_exe_operand *uvr =
        sampling ? &sampling->parameters[VSG_EXE_PARAMETER_U] : message->coordinates;
    bool can =
        sampling ? differ_in_places(sampling) : message->address_bytes == sizeof(uint32_t);

    message->goes_along = can && inst->exec_size % N == 0 &&
                          message->register_bytes == sizeof(uint32_t) &&
                          keeps(inst->exec_size, message, uvr);
    return true;
}

/* ---- the best ---------------------------------------------------------------------------- */

const vsg_exe_texel_lanes *vsg_exe_texel_lanes_base(uint32_t format)
{
    return lanes_of(format);
}

const vsg_exe_texel_lanes *vsg_exe_texel_lanes_best(uint32_t format)
{
    const vsg_exe_texel_lanes *found = NULL;

#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        found = vsg_exe_texel_lanes_v4(format);
    if (!found && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        found = vsg_exe_texel_lanes_v3(format);
#endif
    return found ? found : vsg_exe_texel_lanes_base(format);
}
