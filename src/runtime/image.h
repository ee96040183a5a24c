/* SPDX-License-Identifier: MIT
 *
 * Images and samplers as a caller makes them, ready to be bound. */
#ifndef VISAGE_RUNTIME_IMAGE_H
#define VISAGE_RUNTIME_IMAGE_H

#include "container/zebin.h"
#include "runtime/device.h"

struct visage_image {
    vsg_base_alloc alloc;
    const visage_buffer *buffer;
    vsg_exe_surface surface;
};

struct visage_sampler {
    vsg_base_alloc alloc;
    vsg_exe_sampler state;
};

/* options: complete, with a format. Returns INVALID for what is no image or does not fit into
 * the buffer, NO_MEMORY. */
VISAGE_NODISCARD visage_status vsg_run_image_create(const visage_buffer *buffer,
                                                    const visage_image_options *options,
                                                    visage_diagnostics *diagnostics,
                                                    visage_image **out);
void vsg_run_image_destroy(visage_image **image);

/* Returns ARGUMENT for a word of an enumeration that is none, NO_MEMORY. */
VISAGE_NODISCARD visage_status vsg_run_sampler_create(const vsg_base_alloc *alloc,
                                                      const visage_sampler_options *options,
                                                      visage_sampler **out);
void vsg_run_sampler_destroy(visage_sampler **sampler);

/* A sampler that a kernel's source declares. */
vsg_exe_sampler vsg_run_sampler_inline(const vsg_con_sampler *sampler);

#endif
