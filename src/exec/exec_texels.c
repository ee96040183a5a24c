/* SPDX-License-Identifier: MIT
 *
 * Texels eight at a time, for any host, and when that may be done. */
#include "exec/texel_lanes.h"

#include "exec/image.h"

#include "exec/texel_lanes_ops.h"

/* Texels and what lies between them and the first one are far from going around 64 bits; the
 * numbers of texels are far from 2^31. */
static const uint32_t longest = 1u << 28;

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
    *out = (vsg_exe_texel_level){
        .memory = (const uint8_t *)(uintptr_t)image->address,
        .format = format,
        .axes = info->axes,
        .step_bytes = {image->texel_bytes, level.pitch_bytes, level.slice_bytes}};
    for (uint32_t a = 0; a < info->axes; a++) {
        if (level.size[a] == 0 || level.size[a] > longest)
            return false;
        out->size[a] = level.size[a];
        end += (uint64_t)(level.size[a] - 1) * out->step_bytes[a];
    }
    return end <= image->size_bytes;
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

const vsg_exe_texel_lanes *vsg_exe_texel_lanes_base(void)
{
    return &lanes;
}

const vsg_exe_texel_lanes *vsg_exe_texel_lanes_best(void)
{
#if defined(__x86_64__)
    const vsg_exe_texel_lanes *v3 = vsg_exe_texel_lanes_v3();
    if (v3 && __builtin_cpu_supports("avx2"))
        return v3;
#endif
    return vsg_exe_texel_lanes_base();
}
