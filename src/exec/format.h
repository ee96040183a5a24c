/* SPDX-License-Identifier: MIT
 *
 * Texel formats: lookups over formats.def, and a texel read and written as four dwords R, G, B,
 * A, which are F for UNORM, SNORM and FLOAT formats, UD for UINT and D for SINT ones. */
#ifndef VISAGE_EXEC_FORMAT_H
#define VISAGE_EXEC_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum vsg_exe_format {
#define FORMAT(id, channels, bits, kind, blue_first) VSG_EXE_FORMAT_##id,
#include "exec/formats.def"
#undef FORMAT
    VSG_EXE_FORMAT_COUNT
} vsg_exe_format;

typedef enum vsg_exe_format_kind {
    VSG_EXE_FORMAT_KIND_UNORM,
    VSG_EXE_FORMAT_KIND_SNORM,
    VSG_EXE_FORMAT_KIND_UINT,
    VSG_EXE_FORMAT_KIND_SINT,
    VSG_EXE_FORMAT_KIND_FLOAT
} vsg_exe_format_kind;

typedef struct vsg_exe_format_info {
    const char *name;
    uint8_t channels, bits, texel_bytes;
    uint8_t kind; /* vsg_exe_format_kind */
    bool blue_first;
} vsg_exe_format_info;

/* NULL for a number that is no format. */
const vsg_exe_format_info *vsg_exe_format_of(uint32_t format);
/* VSG_EXE_FORMAT_COUNT when no format has the name. Case counts. */
uint32_t vsg_exe_format_find(const char *name, size_t length);

/* What a read outside an image gives: 0, 0, 0 and 1 in alpha (GATHER4_TYPED, Properties). */
void vsg_exe_texel_border(const vsg_exe_format_info *format, uint32_t rgba[4]);
void vsg_exe_texel_read(const vsg_exe_format_info *format, const uint8_t *texel,
                        uint32_t rgba[4]);
/* Writes the channels that `mask` has a bit for, 1 R to 8 A; the others stay. */
void vsg_exe_texel_write(const vsg_exe_format_info *format, uint8_t *texel,
                         const uint32_t rgba[4], uint32_t mask);

#endif
