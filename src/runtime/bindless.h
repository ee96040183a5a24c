/* SPDX-License-Identifier: MIT
 *
 * Handles: numbers by which bindless accesses name surface and sampler states. Those of the
 * kernel's arguments are ours; others are chosen by who binds something to them. */
#ifndef VISAGE_RUNTIME_BINDLESS_H
#define VISAGE_RUNTIME_BINDLESS_H

#include "exec/thread.h"
#include "runtime/launch.h"

/* The handle in the payload of an argument that is an image or a sampler. As those of the
 * hardware it leaves the low 6 bits of a descriptor alone. A buffer's handle is the low half of
 * its address, which the payload has in any case: the compiler uses one entry as a handle and
 * as a pointer, whatever it says of it (IGC 1.0.12504 with -cl-intel-use-bindless-buffers). */
static inline uint32_t vsg_run_argument_handle(size_t index)
{
    return 0xf0000000u + 64u * (uint32_t)index;
}

/* As the public functions visage_launch_bind_* (visage.h), `launch` checked. */
VISAGE_NODISCARD visage_status vsg_run_bind_buffer(visage_launch *launch, uint32_t handle,
                                                   const visage_buffer *buffer,
                                                   size_t offset_bytes,
                                                   visage_diagnostics *diagnostics);
VISAGE_NODISCARD visage_status vsg_run_bind_image(visage_launch *launch, uint32_t handle,
                                                  const visage_image *image,
                                                  visage_diagnostics *diagnostics);
VISAGE_NODISCARD visage_status vsg_run_bind_sampler(visage_launch *launch, uint32_t handle,
                                                    const visage_sampler *sampler,
                                                    visage_diagnostics *diagnostics);
void vsg_run_drop_states(visage_launch *launch);

/* The states of a run, kept in the arena: those bound, and the arguments', which go before.
 * Returns UNSUPPORTED where two buffers have one handle, NO_MEMORY. */
VISAGE_NODISCARD visage_status vsg_run_find_states(const visage_launch *launch,
                                                   vsg_base_arena *arena,
                                                   visage_diagnostics *diagnostics,
                                                   vsg_exe_launch *out);

#endif
