/* SPDX-License-Identifier: MIT
 *
 * What a running thread sees of memory: the device's address space, the surfaces bound to a
 * launch, the shared local memory of its group. The runtime fills these in; the engines check
 * every access against them. Source: 3_execution_model, Memory Access. */
#ifndef VISAGE_EXEC_MEMORY_H
#define VISAGE_EXEC_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VSG_EXE_PAGE_SHIFT = 12 };

/* The arena: one reservation of virtual memory. A device address is the host address. */
typedef struct vsg_exe_space {
    uint8_t *base;
    uint64_t size_bytes;
    const uint8_t *pages; /* one byte a page of 4 KiB: not 0 where memory is allocated */
} vsg_exe_space;

/* Bytes behind what is allocated that code may load, and that mean nothing: vectors that end
 * behind it take no mask, under which processors do not fetch ahead, and tables are loaded as a
 * whole. */
enum { VSG_EXE_SLACK_BYTES = 256 };

/* Of an allocated page; the others say what kernels are said not to do, which check mode finds.
 */
enum { VSG_EXE_PAGE_TAKEN = 1, VSG_EXE_PAGE_NO_READ = 2, VSG_EXE_PAGE_NO_WRITE = 4 };

/* The host pointer of `size_bytes` (1 to 4096) at a device address; NULL where any byte of
 * them is not allocated. */
static inline void *vsg_exe_space_at(const vsg_exe_space *space, uint64_t address,
                                     uint64_t size_bytes)
{
    uint64_t offset = address - (uint64_t)(uintptr_t)space->base;

    if (offset >= space->size_bytes || space->size_bytes - offset < size_bytes)
        return NULL;
    if (!space->pages[offset >> VSG_EXE_PAGE_SHIFT] ||
        !space->pages[(offset + size_bytes - 1) >> VSG_EXE_PAGE_SHIFT])
        return NULL;
    return space->base + offset;
}

typedef enum vsg_exe_surface_kind {
    VSG_EXE_SURFACE_NONE, /* not bound */
    VSG_EXE_SURFACE_BUFFER,
    VSG_EXE_SURFACE_IMAGE /* linear rows of texels */
} vsg_exe_surface_kind;

typedef enum vsg_exe_image_shape {
#define IMAGE(id, ...) VSG_EXE_IMAGE_##id,
#include "exec/images.def"
#undef IMAGE
    VSG_EXE_IMAGE_COUNT
} vsg_exe_image_shape;

/* The first level of an image whose texels can be told eight at a time (texel_lanes.h). */
typedef struct vsg_exe_texel_level {
    const struct vsg_exe_texel_lanes *lanes; /* NULL: they are told one by one */
    const struct vsg_exe_format_info *format;
    uint8_t *memory; /* the first texel */
    uint32_t axes;
    uint32_t size[3];       /* of the axes, at least 1 */
    uint32_t step_bytes[3]; /* texels, rows and slices */
    /* What texels outside of the image are, of loads by the sampler and of typed ones. */
    uint32_t border[4], outside[4];
} vsg_exe_texel_level;

/* Bytes that the 32 bits of an address in a surface lead to. What ends in these does not go
 * round. */
#define VSG_EXE_MOST_SURFACE_BYTES (UINT64_C(1) << 32)

typedef struct vsg_exe_surface {
    vsg_exe_surface_kind kind;
    uint64_t address;    /* device address of byte 0 */
    uint64_t size_bytes; /* beyond it: outside the surface; of a buffer at most those below */
    /* image only, see image.h */
    uint32_t width, height; /* texels; height 0 counts as 1, as do the next three */
    uint32_t depth;         /* texels or layers */
    uint8_t levels;         /* of detail */
    uint8_t samples;        /* of a texel */
    uint8_t shape;          /* vsg_exe_image_shape */
    uint32_t pitch_bytes;   /* of a row */
    uint32_t slice_bytes;   /* of a layer, of texels with the same last coordinate */
    uint32_t texel_bytes;
    uint32_t format;            /* vsg_exe_format */
    vsg_exe_texel_level texels; /* of what is above */
} vsg_exe_surface;

typedef enum vsg_exe_filter { VSG_EXE_FILTER_NEAREST, VSG_EXE_FILTER_LINEAR } vsg_exe_filter;

/* What is sampled where a coordinate is outside the image. */
typedef enum vsg_exe_addressing {
    VSG_EXE_ADDRESSING_BORDER,
    VSG_EXE_ADDRESSING_EDGE,
    VSG_EXE_ADDRESSING_REPEAT,
    VSG_EXE_ADDRESSING_MIRROR,
    VSG_EXE_ADDRESSING_MIRROR_ONCE
} vsg_exe_addressing;

/* Comparisons of a reference with a texel, in that order. */
typedef enum vsg_exe_comparison {
    VSG_EXE_COMPARISON_NEVER,
    VSG_EXE_COMPARISON_LESS,
    VSG_EXE_COMPARISON_EQUAL,
    VSG_EXE_COMPARISON_LESS_EQUAL,
    VSG_EXE_COMPARISON_GREATER,
    VSG_EXE_COMPARISON_NOT_EQUAL,
    VSG_EXE_COMPARISON_GREATER_EQUAL,
    VSG_EXE_COMPARISON_ALWAYS
} vsg_exe_comparison;

typedef struct vsg_exe_sampler {
    bool is_set;
    bool normalized;       /* coordinates go from 0 to 1 */
    bool has_levels;       /* mip_filter counts; else level 0 is sampled always */
    uint8_t filter;        /* vsg_exe_filter */
    uint8_t mip_filter;    /* vsg_exe_filter */
    uint8_t addressing[3]; /* vsg_exe_addressing, of each axis */
    uint8_t comparison;    /* vsg_exe_comparison */
    float least_lod, greatest_lod;
    uint32_t border[4]; /* as a texel reads: R, G, B, A */
} vsg_exe_sampler;

/* A state that bindless accesses name by a handle: T252 (%bss) and the bss and ss of LSC, or
 * S31. Surfaces and samplers have handles of their own. */
typedef struct vsg_exe_state {
    bool is_sampler;
    uint32_t handle;
    vsg_exe_surface surface;
    vsg_exe_sampler sampler;
} vsg_exe_state;

/* What an access outside a buffer surface does. The pages of the messages say zeros are read
 * and writes are dropped; a program whose surfaces are whole buffers of a host program has an
 * error there, which a fault shows. But programs also read rows or tiles behind the last one,
 * and make no use of them. */
typedef enum vsg_exe_bounds {
    VSG_EXE_BOUNDS_DOCUMENTED,
    VSG_EXE_BOUNDS_FAULT,
    VSG_EXE_BOUNDS_NEAR /* zeros are read near the end */
} vsg_exe_bounds;

/* How near: as far as the buffer is large, within these. */
enum { VSG_EXE_LEAST_NEAR_BYTES = 1 << 12, VSG_EXE_MOST_NEAR_BYTES = 1 << 20 };

enum {
    VSG_EXE_NUM_SURFACES = 256,
    VSG_EXE_NUM_SAMPLERS = 256,
    VSG_EXE_BTI_STATELESS = 255,
    VSG_EXE_BTI_SLM = 254,
    VSG_EXE_BTI_STATELESS_NC = 253,
    VSG_EXE_BTI_BINDLESS = 252
};

#endif
