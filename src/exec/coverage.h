/* SPDX-License-Identifier: MIT
 *
 * Which instructions were executed, for `make coverage`. A build configured with
 * VISAGE_COVERAGE marks each instruction that it executes and, when a program is freed, appends
 * a line for each of them to a file in the folder that the environment variable
 * VISAGE_COVERAGE_LOG names. Any other build has none of this. scripts/coverage.py reads the
 * files. */
#ifndef VISAGE_EXEC_COVERAGE_H
#define VISAGE_EXEC_COVERAGE_H

#include "exec/thread.h"

#ifdef VISAGE_COVERAGE

/* Makes room for the marks of a unit whose code is complete; false: memory is out. */
VISAGE_NODISCARD bool vsg_exe_coverage_begin(vsg_exe_program *program, vsg_exe_unit *unit);
void vsg_exe_coverage_write(const vsg_exe_program *program);

static inline void vsg_exe_coverage_mark(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    atomic_store_explicit(&thread->frame->unit->executed[inst - thread->code], true,
                          memory_order_relaxed);
}

#else

static inline bool vsg_exe_coverage_begin(vsg_exe_program *program, vsg_exe_unit *unit)
{
    (void)program;
    (void)unit;
    return true;
}

static inline void vsg_exe_coverage_write(const vsg_exe_program *program)
{
    (void)program;
}

static inline void vsg_exe_coverage_mark(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    (void)thread;
    (void)inst;
}

#endif
#endif
