/* SPDX-License-Identifier: MIT
 *
 * A launch: a kernel, its arguments, and the device memory its runs need. */
#ifndef VISAGE_RUNTIME_LAUNCH_H
#define VISAGE_RUNTIME_LAUNCH_H

#include <stdatomic.h>

#include "exec/outputs.h"
#include "runtime/crowd.h"
#include "runtime/image.h"
#include "runtime/program.h"
#include "runtime/walk.h"

typedef enum vsg_run_value_kind {
    VSG_RUN_VALUE_UNSET,
    VSG_RUN_VALUE_BYTES,
    VSG_RUN_VALUE_BUFFER, /* buffer NULL: the null pointer */
    VSG_RUN_VALUE_LOCAL,
    VSG_RUN_VALUE_IMAGE,
    VSG_RUN_VALUE_SAMPLER
} vsg_run_value_kind;

/* What an argument is set to. */
typedef struct vsg_run_value {
    vsg_run_value_kind kind;
    uint8_t *bytes;    /* owned */
    size_t size_bytes; /* of `bytes`; of local memory */
    const visage_buffer *buffer;
    uint64_t offset_bytes;
    visage_buffer held; /* the buffer as it was: another may have come to be in its place */
    vsg_exe_surface image;
    vsg_exe_sampler sampler;
} vsg_run_value;

/* Device memory that a launch keeps between runs and enlarges as they need. */
typedef struct vsg_run_area {
    uint64_t address, size_bytes;
    uint64_t before_bytes; /* that are allocated before it */
} vsg_run_area;

struct vsg_run_job;
struct vsg_run_plan;

struct visage_launch {
    vsg_base_alloc alloc;
    visage_program *program;
    size_t index; /* of the kernel in the source */
    const vsg_run_kernel *kernel;
    const vsg_exe_unit *unit;
    vsg_run_walk walk;
    bool may_wait;           /* groups for others of the launch; */
    bool may_poll;           /* and look again and again whether these are done */
    uint64_t group_ns;       /* what code takes for a group, lately; 0: not known */
    uint32_t relief;         /* that the last run took (relief.h) */
    vsg_run_crowd crowd;     /* where they may wait, which takes memory that groups change */
    vsg_run_value *values;   /* one an argument */
    vsg_exe_outputs outputs; /* attached memory */
    vsg_exe_state *states;   /* bound to handles */
    size_t num_states, cap_states;
    atomic_int cancel; /* set by visage_launch_cancel() */
    atomic_int stop;   /* what threads look at: cancelled or out of time */
    vsg_run_area scratch, private_memory, printf_buffer, implicit;
    uint64_t changes;          /* counts those of what runs depend on: arguments, states */
    uint64_t value_changes;    /* of arguments that were values before, too */
    struct vsg_run_job *job;   /* NULL: none yet; its tables are empty where no plan is kept */
    struct vsg_run_plan *plan; /* what a run was prepared by; the next one may be like it */
    vsg_base_arena arena;      /* of the plan */
};

/* kernel: index in the source. Returns NO_MEMORY. */
VISAGE_NODISCARD visage_status vsg_run_launch_create(visage_program *program, size_t kernel,
                                                     visage_launch **out);
void vsg_run_launch_destroy(visage_launch **launch);

/* As the public functions of the same names (visage.h), pointers checked. */
VISAGE_NODISCARD visage_status vsg_run_set_value(visage_launch *launch, size_t index,
                                                 const void *value, size_t size_bytes,
                                                 visage_diagnostics *diagnostics);
VISAGE_NODISCARD visage_status vsg_run_set_buffer(visage_launch *launch, size_t index,
                                                  const visage_buffer *buffer,
                                                  size_t offset_bytes,
                                                  visage_diagnostics *diagnostics);
VISAGE_NODISCARD visage_status vsg_run_set_local(visage_launch *launch, size_t index,
                                                 size_t size_bytes,
                                                 visage_diagnostics *diagnostics);
VISAGE_NODISCARD visage_status vsg_run_set_image(visage_launch *launch, size_t index,
                                                 const visage_image *image,
                                                 visage_diagnostics *diagnostics);
VISAGE_NODISCARD visage_status vsg_run_set_sampler(visage_launch *launch, size_t index,
                                                   const visage_sampler *sampler,
                                                   visage_diagnostics *diagnostics);
/* Reports every argument that is not set, or that cannot be supplied. */
VISAGE_NODISCARD visage_status vsg_run_check_args(const visage_launch *launch,
                                                  visage_diagnostics *diagnostics);

/* options, stats: may be NULL. */
VISAGE_NODISCARD visage_status vsg_run_launch_run(visage_launch *launch,
                                                  const visage_range *range,
                                                  const visage_run_options *options,
                                                  visage_diagnostics *diagnostics,
                                                  visage_run_stats *stats);

/* Makes an area at least this large, with whole pages before it that may be accessed, too;
 * contents are lost when it grows. False: no room. */
VISAGE_NODISCARD bool vsg_run_area_fit(vsg_run_area *area, vsg_run_memory *memory,
                                       uint64_t before_bytes, uint64_t size_bytes);
void vsg_run_area_free(vsg_run_area *area, vsg_run_memory *memory);

/* Where a report about the kernel as a whole points. */
vsg_base_location vsg_run_here(const vsg_run_kernel *kernel);

#endif
