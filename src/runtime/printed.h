/* SPDX-License-Identifier: MIT
 *
 * What kernels print with printf: they leave records in a buffer, which are made text of when
 * the run has ended. */
#ifndef VISAGE_RUNTIME_PRINTED_H
#define VISAGE_RUNTIME_PRINTED_H

#include "runtime/launch.h"

/* The size that the compiler puts into kernels, which look at no other
 * (intel/intel-graphics-compiler, OpenCLPrintfResolution.cpp). */
enum { VSG_RUN_PRINTF_BYTES = 4 << 20 };

/* May the kernel, or a function that it calls, print? */
bool vsg_run_prints(const visage_launch *launch);

/* Makes the launch's buffer ready for a run. False: there is no room. */
VISAGE_NODISCARD bool vsg_run_printed_open(visage_launch *launch);

/* Gives the text of all records to options->print, and empties the buffer. Warns of what is
 * lost. Returns IO where print refuses. options: may be NULL. */
VISAGE_NODISCARD visage_status vsg_run_printed_close(visage_launch *launch,
                                                     const visage_run_options *options,
                                                     visage_diagnostics *diagnostics);

#endif
