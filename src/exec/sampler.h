/* SPDX-License-Identifier: MIT
 *
 * Sampling of images: from coordinates to texels, and what a filter makes of them. Host to
 * nearest even, denormals kept. Source: OpenCL C specification, Image Addressing and Filtering,
 * whose formulas are taken; the rest is in docs/spec-notes.md. */
#ifndef VISAGE_EXEC_SAMPLER_H
#define VISAGE_EXEC_SAMPLER_H

#include "exec/format.h"
#include "exec/image.h"

/* One channel's request. */
typedef struct vsg_exe_probe {
    const vsg_exe_surface *image;
    const vsg_exe_format_info *format;
    const vsg_exe_sampler *sampler;
    float at[3];       /* u, v, r; of a layered image one of them is the layer */
    float cube;        /* which cube */
    int32_t offset[3]; /* texels, added to the coordinates along the axes */
    bool compares;     /* texels are replaced by 0 or 1 */
    float reference;
    vsg_exe_watch *watch; /* NULL: nobody is told of the texels */
    uint32_t channel;     /* for it */
} vsg_exe_probe;

/* The level of detail of the gradients d/dx and d/dy of u, v, r: logarithm of the larger one in
 * texels. */
float vsg_exe_lod_of(const vsg_exe_probe *probe, const float dx[3], const float dy[3]);
/* The same kept within what the sampler and the image allow. */
float vsg_exe_lod_clamp(const vsg_exe_probe *probe, float lod);

/* Are several texels mixed? */
bool vsg_exe_filters(const vsg_exe_sampler *sampler, const vsg_exe_format_info *format);
/* The filtered colour, as vsg_exe_texel_read() gives texels. Integers are not filtered. */
void vsg_exe_sample(const vsg_exe_probe *probe, float lod, uint32_t rgba[4]);

/* Component `component` of the four texels a linear filter reads: R lower left, G lower right,
 * B upper right, A upper left (3D_SAMPLE4, Dst). */
void vsg_exe_gather(const vsg_exe_probe *probe, float lod, uint32_t component,
                    uint32_t rgba[4]);

/* One sample of a texel; outside the image zeros, or what the format has no channel for. */
void vsg_exe_fetch(const vsg_exe_probe *probe, const int64_t uvr[3], uint32_t lod,
                   uint32_t sample, uint32_t rgba[4]);

#endif
