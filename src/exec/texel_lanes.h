/* SPDX-License-Identifier: MIT
 *
 * Texels of eight channels at a time, of messages that name no more than one level of an image
 * without layers, faces and samples. texel_lanes_ops.h has the loops once, exec_texels.c,
 * exec_texels_v3.c and exec_texels_v4.c compile them for three instruction sets, as with the
 * quick handlers (quick.h). Formats that most images have are functions of their own.
 * Host to nearest even, denormals kept. */
#ifndef VISAGE_EXEC_TEXEL_LANES_H
#define VISAGE_EXEC_TEXEL_LANES_H

#include "exec/format.h"
#include "exec/memory.h"
#include "exec/message.h"
#include "exec/operand.h"

enum { VSG_EXE_TEXEL_LANES = 8 };

/* The channels of a message, eight or more: which are on; where 32 bits of each are, one after
 * the other, of the coordinates along the axes, and of the components R, G, B, A. Mostly in
 * registers: hosts wait where numbers are copied by halves of what then is loaded at once. */
typedef struct vsg_exe_texel_channels {
    uint32_t count, on;
    const uint8_t *at[3];
    uint8_t *slots[4]; /* NULL: it is not wanted */
} vsg_exe_texel_channels;

/* Channels that are off keep what they have. Coordinates of eight channels are read before
 * these have an answer. */
typedef struct vsg_exe_texel_lanes {
    /* What vsg_exe_sample() gives at these coordinates. The sampler filters where is_linear. */
    void (*sample)(const vsg_exe_texel_level *level, const vsg_exe_sampler *sampler,
                   bool is_linear, const vsg_exe_texel_channels *channels);
    /* Texels by their numbers, `border` outside of the image. */
    void (*fetch)(const vsg_exe_texel_level *level, const uint32_t border[4],
                  const vsg_exe_texel_channels *channels);
    /* Writes texels, of all components, inside of the image. */
    void (*store)(const vsg_exe_texel_level *level, const vsg_exe_texel_channels *channels);
} vsg_exe_texel_lanes;

/* Fills in `texels` by what else is known of an image. */
void vsg_exe_texels_open(vsg_exe_surface *image);
/* Can a sampler's coordinates be, of so many axes? */
bool vsg_exe_texel_can_sample(const vsg_exe_sampler *sampler, uint32_t axes);
/* Notes whether a message to an image can be, whatever image it is to, once all else is known
 * of it: message.goes_along. True. */
bool vsg_exe_texel_note(const vsg_exe_inst *inst, vsg_exe_message *message);

/* Those channels of a message that goes along; 0 where a coordinate is not given. */
void vsg_exe_texel_take(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_operand uvr[3], uint32_t axes, uint32_t on,
                        vsg_exe_texel_channels *out);
/* Is the level, 32 bits in the registers, 0 for all channels that are on? */
bool vsg_exe_texel_is_first_level(const vsg_exe_thread *thread, const vsg_exe_operand *lod,
                                  uint32_t channels);

/* Of a format, for any host; for x86-64-v3 and x86-64-v4, NULL where the compiler was not told
 * to make them; the best that this host can execute. */
const vsg_exe_texel_lanes *vsg_exe_texel_lanes_base(uint32_t format);
const vsg_exe_texel_lanes *vsg_exe_texel_lanes_v3(uint32_t format);
const vsg_exe_texel_lanes *vsg_exe_texel_lanes_v4(uint32_t format);
const vsg_exe_texel_lanes *vsg_exe_texel_lanes_best(uint32_t format);

#endif
