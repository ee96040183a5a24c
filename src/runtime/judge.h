/* SPDX-License-Identifier: MIT
 *
 * What of a program can be run: a unit that is illegal, damaged or cannot be made is refused,
 * and so is what can call it. */
#ifndef VISAGE_RUNTIME_JUDGE_H
#define VISAGE_RUNTIME_JUDGE_H

#include "runtime/program.h"

/* Judges the units by the rules and fills in program->refused. Returns OK where a kernel is
 * left that can be run; INVALID, UNSUPPORTED with what is wrong reported; NO_MEMORY. */
VISAGE_NODISCARD visage_status vsg_run_judge(visage_program *program,
                                             const vsg_ver_options *shown,
                                             visage_diagnostics *diagnostics);
/* Makes program->exec of the units that are not refused. Returns as before, UNRESOLVED too. */
VISAGE_NODISCARD visage_status vsg_run_make(visage_program *program,
                                            const vsg_exe_program_options *options,
                                            const vsg_ver_options *shown,
                                            visage_diagnostics *diagnostics);
/* Reports why a kernel is refused, by its index among the kernels; OK: it is not. */
VISAGE_NODISCARD visage_status vsg_run_tell(const visage_program *program, size_t kernel,
                                            const vsg_exe_program_options *options,
                                            const vsg_ver_options *shown,
                                            visage_diagnostics *diagnostics);

#endif
