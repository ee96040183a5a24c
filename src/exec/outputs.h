/* SPDX-License-Identifier: MIT
 *
 * Memory that is no argument of the kernel and no binding-table entry: render targets, the
 * unified return buffer, append counters. The caller of a launch attaches it. */
#ifndef VISAGE_EXEC_OUTPUTS_H
#define VISAGE_EXEC_OUTPUTS_H

#include "exec/memory.h"

enum { VSG_EXE_NUM_TARGETS = 8 };

/* What is not attached has the kind SURFACE_NONE. */
typedef struct vsg_exe_outputs {
    vsg_exe_surface targets[VSG_EXE_NUM_TARGETS];   /* images */
    vsg_exe_surface depth;                          /* image of R32_FLOAT */
    vsg_exe_surface stencil;                        /* image of R8_UINT */
    vsg_exe_surface urb;                            /* buffer */
    vsg_exe_surface counters[VSG_EXE_NUM_SURFACES]; /* buffers, by binding-table entry */
} vsg_exe_outputs;

#endif
