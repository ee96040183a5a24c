/* SPDX-License-Identifier: MIT
 *
 * A unit through LLVM: from decoded instructions to an object file, or to what people read. */
#ifndef VISAGE_JIT_COMPILE_H
#define VISAGE_JIT_COMPILE_H

#include "jit/jit.h"

typedef struct vsg_jit_task {
    const vsg_base_alloc *alloc;
    const vsg_exe_program *program;
    const vsg_jit_request *request;
    visage_cpu level; /* not DEFAULT */
    vsg_jit_form form;
    vsg_jit_lines lines;
    const char *name;         /* of the function */
    const atomic_bool *stops; /* set: the result is not wanted any more; may be NULL */
} vsg_jit_task;

/* Loads LLVM if need be. False: stats->reason says why; *out is empty. Safe from several
 * threads at once. */
bool vsg_jit_compile(const vsg_jit_task *task, vsg_jit_stats *stats, vsg_jit_bytes *out);

/* Does an instruction call a function? Does any of a unit? (enter.c) */
bool vsg_jit_is_function_call(const vsg_exe_inst *inst);
bool vsg_jit_calls_functions(const vsg_exe_unit *unit);
/* Is it a kernel that does? */
bool vsg_jit_has_functions(const vsg_exe_unit *unit);

/* A unit as a kernel may come to call it. */
typedef struct vsg_jit_reach {
    bool is_called;
    uint32_t mode; /* as a request has it */
} vsg_jit_reach;

/* Finds which functions a kernel may come to call. out: by unit. False: memory is out.
 * (modes.c) */
bool vsg_jit_find_reach(const vsg_base_alloc *alloc, const vsg_exe_program *program,
                        uint32_t kernel, vsg_jit_reach *out);

#endif
