/* SPDX-License-Identifier: MIT */
#include "exec/image.h"

#include <string.h>

static const vsg_exe_image_info shapes[VSG_EXE_IMAGE_COUNT] = {
#define IMAGE(id, name_, axes_, layered_)                                                      \
    [VSG_EXE_IMAGE_##id] = {.name = name_, .axes = axes_, .layered = layered_},
#include "exec/images.def"
#undef IMAGE
};

const vsg_exe_image_info *vsg_exe_image_of(uint32_t shape)
{
    return shape < VSG_EXE_IMAGE_COUNT ? &shapes[shape] : NULL;
}

static bool is_name(const char *name, const char *text, size_t length)
{
    if (strlen(name) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (name[i] != (text[i] == '_' ? '-' : text[i]))
            return false;
    return true;
}

uint32_t vsg_exe_image_find(const char *name, size_t length)
{
    uint32_t i = 0;

    while (i < VSG_EXE_IMAGE_COUNT && !is_name(shapes[i].name, name, length))
        i++;
    return i;
}

/* ---- levels ------------------------------------------------------------------------------ */

static uint32_t at_least_one(uint32_t count)
{
    return count ? count : 1;
}

static uint64_t level_bytes(const vsg_exe_surface *image, const vsg_exe_level *level)
{
    return level->slice_bytes * level->size[2] * vsg_exe_image_samples(image);
}

static void first_level(const vsg_exe_surface *image, vsg_exe_level *out)
{
    *out = (vsg_exe_level){
        .size = {image->width, at_least_one(image->height), at_least_one(image->depth)},
        .pitch_bytes = image->pitch_bytes,
        .slice_bytes = image->slice_bytes};
}

static void next_level(const vsg_exe_surface *image, vsg_exe_level *level)
{
    uint32_t axes = vsg_exe_image_of(image->shape)->axes;

    level->offset_bytes += level_bytes(image, level);
    for (uint32_t i = 0; i < axes; i++)
        level->size[i] = at_least_one(level->size[i] / 2);
    level->pitch_bytes = (uint64_t)level->size[0] * image->texel_bytes;
    level->slice_bytes = level->pitch_bytes * level->size[1];
}

bool vsg_exe_image_level(const vsg_exe_surface *image, uint32_t number, vsg_exe_level *out)
{
    if (number >= vsg_exe_image_levels(image))
        return false;
    first_level(image, out);
    while (number-- > 0)
        next_level(image, out);
    return true;
}

uint64_t vsg_exe_image_bytes(const vsg_exe_surface *image)
{
    vsg_exe_level last;

    (void)vsg_exe_image_level(image, vsg_exe_image_levels(image) - 1, &last);
    return last.offset_bytes + level_bytes(image, &last);
}

/* ---- texels ------------------------------------------------------------------------------ */

uint64_t vsg_exe_image_texel(const vsg_exe_surface *image, const vsg_exe_level *level,
                             const int64_t at[3], uint32_t sample)
{
    uint64_t offset = level->offset_bytes;
    const uint64_t steps[3] = {image->texel_bytes, level->pitch_bytes, level->slice_bytes};

    for (uint32_t i = 0; i < 3; i++) {
        if (at[i] < 0 || at[i] >= level->size[i])
            return 0;
        uint64_t number = (uint64_t)at[i];
        offset += (i == 2 ? number * vsg_exe_image_samples(image) + sample : number) * steps[i];
    }
    if (offset >= image->size_bytes || image->size_bytes - offset < image->texel_bytes)
        return 0;
    return image->address + offset;
}

void vsg_exe_image_place(const vsg_exe_surface *image, const int64_t uvr[3], int64_t at[3])
{
    const vsg_exe_image_info *info = vsg_exe_image_of(image->shape);

    for (uint32_t i = 0; i < 3; i++)
        at[i] = i < info->axes ? uvr[i] : 0;
    if (info->layered)
        at[2] = uvr[info->axes];
}
