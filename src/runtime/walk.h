/* SPDX-License-Identifier: MIT
 *
 * Along which dimension the work-items of a thread follow each other. A kernel cannot tell,
 * unless it has to do with sub-groups. Where elements next to each other in memory belong to
 * work-items next to each other along y or z, as in text whose rows are get_global_id(0),
 * threads have work-items along these. */
#ifndef VISAGE_RUNTIME_WALK_H
#define VISAGE_RUNTIME_WALK_H

#include "exec/program.h"
#include "runtime/kernel.h"

typedef struct vsg_run_walk {
    uint32_t order[3]; /* dimensions, fastest first */
    bool is_strewn; /* what is stored along that one is far apart, and next to each other along
                       another one: what a group stores should be together in time */
} vsg_run_walk;

/* The walk order of a kernel's groups, of .ze_info or one that suits its accesses better.
 * is_ordered: somebody may see in which order work-items come. False: memory is out. */
VISAGE_NODISCARD bool vsg_run_find_walk(const vsg_base_alloc *alloc,
                                        const vsg_run_kernel *kernel,
                                        const vsg_exe_program *program, bool is_ordered,
                                        vsg_run_walk *out);

#endif
