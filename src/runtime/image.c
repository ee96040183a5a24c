/* SPDX-License-Identifier: MIT */
#include "runtime/image.h"

#include <string.h>

#include "exec/format.h"
#include "exec/image.h"
#include "exec/texel_lanes.h"

/* Keeps the size of an image within 64 bits, whatever its other numbers are. */
enum { MOST_LAYERS = 1 << 24 };

/* ---- images ------------------------------------------------------------------------------ */

static visage_status refuse(visage_diagnostics *diagnostics, const char *reason)
{
    vsg_base_location where = VSG_BASE_NOWHERE;

    vsg_base_report(diagnostics, VSG_DIAG_IMAGE, &where, reason);
    return VISAGE_INVALID;
}

static visage_status choose_format(const visage_image_options *options,
                                   visage_diagnostics *diagnostics, vsg_exe_surface *image)
{
    vsg_base_location where = VSG_BASE_NOWHERE;

    image->format = vsg_exe_format_find(options->format, strlen(options->format));
    const vsg_exe_format_info *format = vsg_exe_format_of(image->format);
    if (!format) {
        vsg_base_report(diagnostics, VSG_DIAG_IMAGE_FORMAT, &where, options->format);
        return VISAGE_INVALID;
    }
    image->texel_bytes = format->texel_bytes;
    return VISAGE_OK;
}

static bool fits(uint32_t size, uint32_t most)
{
    return size <= most;
}

/* Sizes that the shape does not have are 1. */
static visage_status choose_sizes(const visage_image_options *options,
                                  visage_diagnostics *diagnostics, vsg_exe_surface *image)
{
    const char *name = options->shape ? options->shape : options->depth > 1 ? "3d" : "2d";
    uint32_t shape = vsg_exe_image_find(name, strlen(name));
    const vsg_exe_image_info *info = vsg_exe_image_of(shape);

    if (!info)
        return refuse(diagnostics,
                      "its shape is no 1d, 2d, 3d, 1d-array, 2d-array, cube, buffer");
    image->shape = (uint8_t)shape;
    image->width = options->width;
    image->height = options->height ? options->height : 1;
    image->depth = options->depth ? options->depth : 1;
    image->levels = options->levels ? (uint8_t)options->levels : 1;
    image->samples = options->samples ? (uint8_t)options->samples : 1;
    if (image->width == 0)
        return refuse(diagnostics, "it has no width");
    if ((info->axes < 2 && image->height > 1) ||
        (info->axes < 3 && !info->layered && image->depth > 1))
        return refuse(diagnostics, "it has more dimensions than its shape");
    if ((uint64_t)image->depth * image->samples > MOST_LAYERS)
        return refuse(diagnostics, "it has more than 2^24 layers");
    if (!fits(options->levels, VSG_EXE_MOST_LEVELS) ||
        !fits(options->samples, VSG_EXE_MOST_SAMPLES))
        return refuse(diagnostics, "it has more than 32 levels or 16 samples");
    if (shape == VSG_EXE_IMAGE_CUBE &&
        (image->width != image->height || image->depth % VSG_EXE_CUBE_FACES != 0))
        return refuse(diagnostics, "a cube has six square faces");
    return VISAGE_OK;
}

/* Numbers a surface has 32 bits for. */
static visage_status choose_pitches(const visage_image_options *options,
                                    visage_diagnostics *diagnostics, vsg_exe_surface *image)
{
    uint64_t row = (uint64_t)image->width * image->texel_bytes;
    uint64_t pitch = options->row_pitch_bytes ? options->row_pitch_bytes : row;
    uint64_t slice = options->slice_pitch_bytes;

    if (pitch < row || pitch > UINT32_MAX)
        return refuse(diagnostics, "its row pitch is less than a row, or above 4 GiB");
    if (slice == 0)
        slice = pitch * image->height;
    if (slice < pitch * (image->height - 1) + row || slice > UINT32_MAX)
        return refuse(diagnostics, "its slice pitch is less than a slice, or above 4 GiB");
    image->pitch_bytes = (uint32_t)pitch;
    image->slice_bytes = (uint32_t)slice;
    return VISAGE_OK;
}

/* What is behind the last texel of the last slice need not be there. */
static uint64_t needed_bytes(const vsg_exe_surface *image)
{
    uint64_t row = (uint64_t)image->width * image->texel_bytes;

    if (image->levels > 1)
        return vsg_exe_image_bytes(image);
    return vsg_exe_image_bytes(image) - image->slice_bytes +
           (uint64_t)(image->height - 1) * image->pitch_bytes + row;
}

static visage_status place_image(const visage_buffer *buffer,
                                 const visage_image_options *options,
                                 visage_diagnostics *diagnostics, vsg_exe_surface *image)
{
    vsg_base_location where = VSG_BASE_NOWHERE;

    image->size_bytes = needed_bytes(image);
    if (options->offset_bytes > buffer->size_bytes ||
        image->size_bytes > buffer->size_bytes - options->offset_bytes) {
        vsg_base_report(diagnostics, VSG_DIAG_IMAGE_SIZE, &where,
                        (unsigned long long)image->size_bytes,
                        (unsigned long long)options->offset_bytes, buffer->size_bytes);
        return VISAGE_INVALID;
    }
    image->address = buffer->address + options->offset_bytes;
    return VISAGE_OK;
}

visage_status vsg_run_image_create(const visage_buffer *buffer,
                                   const visage_image_options *options,
                                   visage_diagnostics *diagnostics, visage_image **out)
{
    const vsg_base_alloc *alloc = &buffer->memory->alloc;
    vsg_exe_surface surface = {.kind = VSG_EXE_SURFACE_IMAGE};
    visage_status status = choose_format(options, diagnostics, &surface);

    if (status == VISAGE_OK)
        status = choose_sizes(options, diagnostics, &surface);
    if (status == VISAGE_OK)
        status = choose_pitches(options, diagnostics, &surface);
    if (status == VISAGE_OK)
        status = place_image(buffer, options, diagnostics, &surface);
    if (status != VISAGE_OK)
        return status;
    vsg_exe_texels_open(&surface);
    visage_image *image = vsg_base_new(alloc, 1, sizeof *image);
    if (!image)
        return VISAGE_NO_MEMORY;
    *image = (visage_image){.alloc = *alloc, .buffer = buffer, .surface = surface};
    *out = image;
    return VISAGE_OK;
}

void vsg_run_image_destroy(visage_image **image)
{
    if (!image || !*image)
        return;
    vsg_base_alloc alloc = (*image)->alloc;
    vsg_base_delete(&alloc, *image, 1, sizeof **image);
    *image = NULL;
}

/* ---- samplers ---------------------------------------------------------------------------- */

/* The enumerations of visage.h have the order of those of the machine. */
_Static_assert((int)VISAGE_ADDRESS_MIRROR_ONCE == VSG_EXE_ADDRESSING_MIRROR_ONCE &&
                   (int)VISAGE_ADDRESS_REPEAT == VSG_EXE_ADDRESSING_REPEAT &&
                   (int)VISAGE_FILTER_LINEAR == VSG_EXE_FILTER_LINEAR &&
                   (int)VISAGE_COMPARE_GREATER == VSG_EXE_COMPARISON_GREATER &&
                   (int)VISAGE_COMPARE_ALWAYS == VSG_EXE_COMPARISON_ALWAYS,
               "the enumerations differ");

static bool is_known(const visage_sampler_options *options)
{
    bool known = (unsigned)options->filter <= VISAGE_FILTER_LINEAR &&
                 (unsigned)options->mip_filter <= VISAGE_MIP_LINEAR &&
                 (unsigned)options->compare <= VISAGE_COMPARE_ALWAYS;

    for (int i = 0; i < 3; i++)
        known &= (unsigned)options->address[i] <= VISAGE_ADDRESS_MIRROR_ONCE;
    return known;
}

visage_status vsg_run_sampler_create(const vsg_base_alloc *alloc,
                                     const visage_sampler_options *options,
                                     visage_sampler **out)
{
    if (!is_known(options))
        return VISAGE_ARGUMENT;
    visage_sampler *sampler = vsg_base_new(alloc, 1, sizeof *sampler);
    if (!sampler)
        return VISAGE_NO_MEMORY;
    sampler->alloc = *alloc;
    sampler->state =
        (vsg_exe_sampler){.is_set = true,
                          .normalized = options->normalized,
                          .has_levels = options->mip_filter != VISAGE_MIP_NONE,
                          .filter = (uint8_t)options->filter,
                          .mip_filter = options->mip_filter == VISAGE_MIP_LINEAR,
                          .comparison = (uint8_t)options->compare,
                          .least_lod = options->least_lod,
                          .greatest_lod = options->greatest_lod > 0 ? options->greatest_lod
                                                                    : VSG_EXE_MOST_LEVELS};
    for (uint32_t i = 0; i < 3; i++)
        sampler->state.addressing[i] = (uint8_t)options->address[i];
    memcpy(sampler->state.border, options->border, sizeof sampler->state.border);
    *out = sampler;
    return VISAGE_OK;
}

void vsg_run_sampler_destroy(visage_sampler **sampler)
{
    if (!sampler || !*sampler)
        return;
    vsg_base_alloc alloc = (*sampler)->alloc;
    vsg_base_delete(&alloc, *sampler, 1, sizeof **sampler);
    *sampler = NULL;
}

/* Words of .ze_info. "none" promises that no coordinate is outside. */
vsg_exe_sampler vsg_run_sampler_inline(const vsg_con_sampler *sampler)
{
    static const char *const words[] = {[VSG_EXE_ADDRESSING_BORDER] = "clamp_border",
                                        [VSG_EXE_ADDRESSING_EDGE] = "clamp_edge",
                                        [VSG_EXE_ADDRESSING_REPEAT] = "repeat",
                                        [VSG_EXE_ADDRESSING_MIRROR] = "mirror"};
    vsg_exe_sampler state = {.is_set = true,
                             .normalized = sampler->normalized,
                             .filter = strcmp(sampler->filtermode, "linear") == 0};
    uint8_t addressing = VSG_EXE_ADDRESSING_BORDER;

    for (uint8_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i], sampler->addrmode) == 0)
            addressing = i;
    memset(state.addressing, addressing, sizeof state.addressing);
    return state;
}
