/* SPDX-License-Identifier: MIT
 *
 * Texels eight at a time, for any host, and when that may be done. */
#include "exec/texel_lanes.h"

#include "exec/image.h"

#include "exec/texel_lanes_ops.h"

/* Sizes up to here are floats, so that fractions lead no further than one texel beside the
 * image; and the end of the last texel, which must be below 2**32, is summed in 64 bits. */
static const uint32_t longest = 1u << 24;

bool vsg_exe_texel_level_open(const vsg_exe_surface *image, const vsg_exe_format_info *format,
                              vsg_exe_texel_level *out)
{
    const vsg_exe_image_info *info = vsg_exe_image_of(image->shape);
    uint64_t end = format->texel_bytes;
    vsg_exe_level level;

    if (image->shape == VSG_EXE_IMAGE_CUBE || info->layered ||
        vsg_exe_image_samples(image) != 1 || format->kind == VSG_EXE_FORMAT_KIND_SRGB ||
        !vsg_exe_image_level(image, 0, &level))
        return false;
    *out = (vsg_exe_texel_level){.memory = (const uint8_t *)(uintptr_t)image->address,
                                 .format = format,
                                 .axes = info->axes};
    const uint32_t steps[3] = {image->texel_bytes, image->pitch_bytes, image->slice_bytes};
    for (uint32_t a = 0; a < info->axes; a++) {
        if (level.size[a] == 0 || level.size[a] > longest)
            return false;
        out->size[a] = level.size[a];
        out->step_bytes[a] = steps[a];
        end += (uint64_t)(level.size[a] - 1) * steps[a];
    }
    return end <= image->size_bytes && end <= UINT32_MAX;
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

void vsg_exe_texel_coordinates(const vsg_exe_thread *thread, const vsg_exe_operand *uvr,
                               uint32_t axes, uint32_t first, vsg_exe_texel_places out)
{
    static const uint8_t zeros[N * sizeof(uint32_t)];

    for (uint32_t a = 0; a < 3; a++)
        out[a] = a >= axes || uvr[a].is_null
                     ? zeros
                     : vsg_exe_raw_at(thread, &uvr[a]) + first * sizeof(uint32_t);
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

uint32_t vsg_exe_texel_components(const vsg_exe_message *message)
{
    uint32_t components = 0;

    for (uint32_t v = 0; v < message->num_elements; v++)
        components |= 1u << message->channels[v];
    return components;
}

/* `slots` are those of eight channels, which `channels` begins with. */
static void put_component(uint8_t *slots, const uint32_t colour[N], uint32_t channels)
{
    const uint32_t all = (1u << N) - 1;

    if ((channels & all) == all) {
        memcpy(slots, colour, N * sizeof *colour);
        return;
    }
    for (uint32_t n = 0; n < N; n++)
        if (channels >> n & 1)
            memcpy(slots + n * sizeof *colour, &colour[n], sizeof *colour);
}

void vsg_exe_texel_put(uint8_t *slots, const vsg_exe_inst *inst, uint32_t channels,
                       vsg_exe_texel_colours *colours)
{
    const vsg_exe_message *message = inst->message;

    for (uint32_t n = 0; n < inst->exec_size; n += N)
        for (uint32_t v = 0; v < message->num_elements; v++)
            put_component(slots + (size_t)v * message->pitch_bytes + n * sizeof(uint32_t),
                          colours[n / N][message->channels[v]], channels >> n);
}

const vsg_exe_texel_lanes *vsg_exe_texel_lanes_base(void)
{
    return &lanes;
}

const vsg_exe_texel_lanes *vsg_exe_texel_lanes_best(void)
{
#if defined(__x86_64__)
    const vsg_exe_texel_lanes *v3 = vsg_exe_texel_lanes_v3();
    if (v3 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return v3;
#endif
    return vsg_exe_texel_lanes_base();
}
