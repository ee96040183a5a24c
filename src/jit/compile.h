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
    bool is_quick;            /* with the least effort */
    const char *name;         /* of the function */
    const atomic_bool *stops; /* set: the result is not wanted any more; may be NULL */
} vsg_jit_task;

/* Loads LLVM if need be. False: stats->reason says why; *out is empty. Safe from several
 * threads at once. */
bool vsg_jit_compile(const vsg_jit_task *task, vsg_jit_stats *stats, vsg_jit_bytes *out);

/* Is a unit's code made with the least effort because of its length alone? */
bool vsg_jit_is_rough(const vsg_exe_unit *unit);

/* About how many nanoseconds a unit takes to compile with such an effort. */
uint64_t vsg_jit_cost(const vsg_exe_unit *unit, vsg_jit_effort asked);

/* Adds what is to be cleared for other code of the same unit. (clears.c) */
void vsg_jit_join_clears(vsg_exe_clears *out, const vsg_exe_clears *more);

/* Does an instruction call a function? Does any of a unit? (enter.c) */
bool vsg_jit_is_function_call(const vsg_exe_inst *inst);
bool vsg_jit_calls_functions(const vsg_exe_unit *unit);
/* Is it a kernel that does? */
bool vsg_jit_has_functions(const vsg_exe_unit *unit);

/* A function as a kernel may come to call it, by vsg_jit_entry. */
typedef struct vsg_jit_reach {
    bool is_called[VSG_JIT_ENTRIES];
    bool is_due[VSG_JIT_ENTRIES]; /* what it calls itself is to be looked at */
    uint32_t mode; /* as a request has it, of both: all channels may be on by chance, too */
} vsg_jit_reach;

/* Finds which functions the kernel of a request may come to call (reach.c). out: by unit. */
void vsg_jit_find_reach(const vsg_base_alloc *alloc, const vsg_exe_program *program,
                        const vsg_jit_request *kernel, vsg_jit_reach *out);
/* The request for a function that such a kernel calls. */
vsg_jit_request vsg_jit_request_of(const vsg_exe_program *program,
                                   const vsg_jit_request *kernel, const vsg_jit_reach *reach,
                                   uint32_t unit, vsg_jit_entry entry);

#endif
