/* SPDX-License-Identifier: MIT
 *
 * Texel formats: lookups over formats.def, and a texel read and written as four dwords R, G, B,
 * A, which are UD for UINT and D for SINT formats, F for all others. Host to nearest even,
 * denormals kept. */
#ifndef VISAGE_EXEC_FORMAT_H
#define VISAGE_EXEC_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum vsg_exe_format {
#define FORMAT(id, ...) VSG_EXE_FORMAT_##id,
#include "exec/formats.def"
#undef FORMAT
    VSG_EXE_FORMAT_COUNT
} vsg_exe_format;

typedef enum vsg_exe_format_kind {
    VSG_EXE_FORMAT_KIND_UNORM,
    VSG_EXE_FORMAT_KIND_SNORM,
    VSG_EXE_FORMAT_KIND_SRGB,
    VSG_EXE_FORMAT_KIND_UINT,
    VSG_EXE_FORMAT_KIND_SINT,
    VSG_EXE_FORMAT_KIND_FLOAT
} vsg_exe_format_kind;

typedef struct vsg_exe_order_info {
    uint16_t number; /* cl_channel_order */
    int8_t place[4]; /* channel that R, G, B, A are read from, -1: none */
} vsg_exe_order_info;

typedef struct vsg_exe_format_info {
    const char *name;
    uint8_t channels, bits, texel_bytes;
    uint8_t kind; /* vsg_exe_format_kind */
    const vsg_exe_order_info *order;
} vsg_exe_format_info;

/* NULL for a number that is no format. */
const vsg_exe_format_info *vsg_exe_format_of(uint32_t format);
/* VSG_EXE_FORMAT_COUNT when no format has the name. Case counts. */
uint32_t vsg_exe_format_find(const char *name, size_t length);

/* Are its components integers, which are never filtered? */
static inline bool vsg_exe_format_is_integer(const vsg_exe_format_info *format)
{
    return format->kind == VSG_EXE_FORMAT_KIND_UINT || format->kind == VSG_EXE_FORMAT_KIND_SINT;
}

/* Channels of texels, and slots of registers, of 8, 16 and 32 bits. A copy of as many bytes as
 * a variable says is a loop, and what it wrote is slow to read as a whole. */
static inline uint32_t vsg_exe_get_bits(const uint8_t *channel, uint32_t bits)
{
    uint16_t word;
    uint32_t dword;

    if (bits == 8)
        return *channel;
    if (bits == 16) {
        memcpy(&word, channel, sizeof word);
        return word;
    }
    memcpy(&dword, channel, sizeof dword);
    return dword;
}

static inline void vsg_exe_put_bits(uint8_t *channel, uint32_t bits, uint32_t raw)
{
    uint16_t word = (uint16_t)raw;

    if (bits == 8)
        *channel = (uint8_t)raw;
    else if (bits == 16)
        memcpy(channel, &word, sizeof word);
    else
        memcpy(channel, &raw, sizeof raw);
}

/* A float of 0 .. 1, clamped to that, as a fraction of `largest`, which is less than 2^31. */
uint32_t vsg_exe_unorm(uint32_t float_bits, uint32_t largest);

/* What a read outside an image gives: 0, 0, 0 and 1 in alpha (GATHER4_TYPED, Properties). */
void vsg_exe_texel_border(const vsg_exe_format_info *format, uint32_t rgba[4]);
/* A colour as a texel of the format would give it: components without a channel are 0, alpha 1.
 */
void vsg_exe_texel_colour(const vsg_exe_format_info *format, const uint32_t colour[4],
                          uint32_t rgba[4]);
void vsg_exe_texel_read(const vsg_exe_format_info *format, const uint8_t *texel,
                        uint32_t rgba[4]);
/* Writes the components that `mask` has a bit for, 1 R to 8 A; the others stay. */
void vsg_exe_texel_write(const vsg_exe_format_info *format, uint8_t *texel,
                         const uint32_t rgba[4], uint32_t mask);

#endif
