/* SPDX-License-Identifier: MIT
 *
 * Texels of eight channels at a time, of messages that name no more than one level of an image
 * without layers, faces and samples. texel_lanes_ops.h has the loops once, exec_texels.c and
 * exec_texels_v3.c compile them for two instruction sets, as with the quick handlers (quick.h).
 * Host to nearest even, denormals kept. */
#ifndef VISAGE_EXEC_TEXEL_LANES_H
#define VISAGE_EXEC_TEXEL_LANES_H

#include "exec/format.h"
#include "exec/memory.h"
#include "exec/message.h"
#include "exec/operand.h"

enum { VSG_EXE_TEXEL_LANES = 8 };

/* What all channels have in common. */
typedef struct vsg_exe_texel_level {
    const uint8_t *memory; /* the first texel */
    const vsg_exe_format_info *format;
    uint32_t axes;
    uint32_t size[3];       /* of the axes, at least 1 */
    uint32_t step_bytes[3]; /* texels, rows and slices */
} vsg_exe_texel_level;

/* Where 32 bits of each of the channels are, one after the other, for u, v and r; mostly in
 * registers: hosts wait where numbers are copied by halves of what then is loaded at once. */
typedef const uint8_t *vsg_exe_texel_places[3];

/* A component of each channel, R, G, B, A. */
typedef uint32_t vsg_exe_texel_colours[4][VSG_EXE_TEXEL_LANES];

typedef struct vsg_exe_texel_lanes {
    /* What vsg_exe_sample() gives at these coordinates, of the components that `wanted` has a
     * bit for. The sampler filters where is_linear. */
    void (*sample)(const vsg_exe_texel_level *level, const vsg_exe_sampler *sampler,
                   bool is_linear, const vsg_exe_texel_places at, uint32_t wanted,
                   vsg_exe_texel_colours out);
    /* Texels by their numbers, `border` outside of the image. */
    void (*fetch)(const vsg_exe_texel_level *level, const vsg_exe_texel_places at,
                  const uint32_t border[4], uint32_t wanted, vsg_exe_texel_colours out);
    /* Writes all components, each where `colours` says, of the channels that are on and inside
     * of the image. */
    void (*store)(const vsg_exe_texel_level *level, const vsg_exe_texel_places at,
                  uint32_t channels, const uint8_t *const colours[4]);
} vsg_exe_texel_lanes;

/* The first level of an image. False: its texels are told one at a time. */
bool vsg_exe_texel_level_open(const vsg_exe_surface *image, const vsg_exe_format_info *format,
                              vsg_exe_texel_level *out);
/* Can a sampler's coordinates be, of so many axes? */
bool vsg_exe_texel_can_sample(const vsg_exe_sampler *sampler, uint32_t axes);

/* u, v and r of channels `first` and so on, 32 bits each in the registers; 0 of axes that the
 * image does not have, and where one is not given. */
void vsg_exe_texel_coordinates(const vsg_exe_thread *thread, const vsg_exe_operand *uvr,
                               uint32_t axes, uint32_t first, vsg_exe_texel_places out);
/* Is the level, 32 bits in the registers, 0 for all channels that are on? */
bool vsg_exe_texel_is_first_level(const vsg_exe_thread *thread, const vsg_exe_operand *lod,
                                  uint32_t channels);

/* Is one of the eight channels on, which `channels` begins with? */
static inline bool vsg_exe_texel_is_any_on(uint32_t channels)
{
    return (channels & ((1u << VSG_EXE_TEXEL_LANES) - 1)) != 0;
}

/* The components that a message names, 1 R to 8 A. */
uint32_t vsg_exe_texel_components(const vsg_exe_message *message);
/* Those components of the channels that are on into the registers of a message, whose slots
 * have 32 bits. colours: eight channels each. */
void vsg_exe_texel_put(uint8_t *slots, const vsg_exe_inst *inst, uint32_t channels,
                       vsg_exe_texel_colours *colours);

/* For any host; for x86-64-v3, NULL where the compiler was not told to make them; the best that
 * this host can execute. */
const vsg_exe_texel_lanes *vsg_exe_texel_lanes_base(void);
const vsg_exe_texel_lanes *vsg_exe_texel_lanes_v3(void);
const vsg_exe_texel_lanes *vsg_exe_texel_lanes_best(void);

#endif
