/* SPDX-License-Identifier: MIT
 *
 * Memory attached to a launch that is no argument: render targets, URB, append counters. */
#ifndef VISAGE_RUNTIME_ATTACH_H
#define VISAGE_RUNTIME_ATTACH_H

#include "runtime/launch.h"

/* As visage_launch_attach() (visage.h), pointers checked; buffer NULL detaches. */
VISAGE_NODISCARD visage_status vsg_run_attach(visage_launch *launch, const char *name,
                                              const visage_buffer *buffer, const char *format,
                                              const uint32_t size[2],
                                              visage_diagnostics *diagnostics);

#endif
