/* SPDX-License-Identifier: MIT
 *
 * Where the texels of an image lie. An image has one or more levels of detail, of which each is
 * half as large along every axis as the one before, and at least one texel. The levels follow
 * each other without gaps; rows, and layers or slices, are without gaps too, but in level 0,
 * whose distances the surface gives. The samples of a texel are layers one after the other. */
#ifndef VISAGE_EXEC_IMAGE_H
#define VISAGE_EXEC_IMAGE_H

#include "exec/memory.h"

typedef struct vsg_exe_image_info {
    const char *name;
    uint8_t axes;
    bool layered;
} vsg_exe_image_info;

/* Who is told of the memory that a message to an image touches: check mode, as it does not work
 * out by itself where texels lie. */
typedef struct vsg_exe_watch {
    /* Before it happens. value: what is written; NULL for a read or an atomic. */
    void (*touch)(struct vsg_exe_watch *watch, uint64_t host, uint32_t bytes, uint32_t channel,
                  const uint8_t *value);
} vsg_exe_watch;

static inline void vsg_exe_watch_touch(vsg_exe_watch *watch, uint64_t host, uint32_t bytes,
                                       uint32_t channel, const uint8_t *value)
{
    if (watch)
        watch->touch(watch, host, bytes, channel, value);
}

/* NULL for a number that is no shape. */
const vsg_exe_image_info *vsg_exe_image_of(uint32_t shape);
/* VSG_EXE_IMAGE_COUNT when no shape has the name; "_" counts as "-". */
uint32_t vsg_exe_image_find(const char *name, size_t length);

enum { VSG_EXE_CUBE_FACES = 6, VSG_EXE_MOST_LEVELS = 32, VSG_EXE_MOST_SAMPLES = 16 };

typedef struct vsg_exe_level {
    uint32_t size[3]; /* texels along x and y; texels or layers along z */
    uint64_t offset_bytes, pitch_bytes, slice_bytes;
} vsg_exe_level;

static inline uint32_t vsg_exe_image_levels(const vsg_exe_surface *image)
{
    return image->levels ? image->levels : 1;
}

static inline uint32_t vsg_exe_image_samples(const vsg_exe_surface *image)
{
    return image->samples ? image->samples : 1;
}

/* Fills in one level; false: there are not so many. */
bool vsg_exe_image_level(const vsg_exe_surface *image, uint32_t number, vsg_exe_level *out);

/* Bytes from the start of the image to its end. */
uint64_t vsg_exe_image_bytes(const vsg_exe_surface *image);

/* Host address of one sample of the texel at x, y, z; 0 outside of the level. */
uint64_t vsg_exe_image_texel(const vsg_exe_surface *image, const vsg_exe_level *level,
                             const int64_t at[3], uint32_t sample);

/* Turns the coordinates u, v, r of a message into x, y, z. */
void vsg_exe_image_place(const vsg_exe_surface *image, const int64_t uvr[3], int64_t at[3]);

#endif
