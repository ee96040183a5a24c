/* SPDX-License-Identifier: MIT
 *
 * The second engine: units of a program as machine code, made by LLVM. Compiled code works on
 * the interpreter's thread and stops where the interpreter would, with everything in its place,
 * so that either engine can go on where the other one stopped. Instructions that are not
 * compiled call their handler; a unit that cannot be compiled at all is left to the
 * interpreter. Source: design section 4. */
#ifndef VISAGE_JIT_JIT_H
#define VISAGE_JIT_JIT_H

#include "exec/thread.h"

typedef struct vsg_jit_program vsg_jit_program;

/* The code of a unit, for vsg_jit_enter(). */
typedef vsg_exe_stop (*vsg_jit_run)(vsg_exe_thread *thread);

/* What became of a unit's instructions. */
typedef struct vsg_jit_stats {
    uint32_t compiled; /* as machine code */
    uint32_t called;   /* by calls of their handlers */
    uint64_t nanoseconds;
} vsg_jit_stats;

/* Was the engine built in? */
bool vsg_jit_available(void);

/* Readies the compiler for a program, which must outlive it. NULL: memory is out, or there is
 * no compiler for this host. */
vsg_jit_program *vsg_jit_create(const vsg_base_alloc *alloc, const vsg_exe_program *program);
void vsg_jit_free(vsg_jit_program **jit);

/* Runs a thread with the code of its unit. */
vsg_exe_stop vsg_jit_enter(vsg_jit_run run, vsg_exe_thread *thread);

/* The code of a unit, compiled when it is first asked for; it is for threads that begin with
 * all channels of the unit on. NULL: the unit is one for the interpreter. One thread at a time.
 * stats: may be NULL. */
vsg_jit_run vsg_jit_find(vsg_jit_program *jit, uint32_t unit, vsg_jit_stats *stats);

#endif
