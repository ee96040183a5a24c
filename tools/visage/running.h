/* SPDX-License-Identifier: MIT
 *
 * Running kernels as `visage run` does, once or one after the other. */
#ifndef VISAGE_TOOL_RUNNING_H
#define VISAGE_TOOL_RUNNING_H

#include <jansson.h>

#include "linking.h"
#include "run_options.h"

/* What is read and made for a run; all zeros at first. */
typedef struct running {
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module;
    tool_modules linked; /* that `module` was made of */
    visage_device *device;
    visage_program *program;
    visage_launch *launch; /* of the run in work */
    json_t *findings;      /* --check --json, else NULL */
} running;

/* Runs the kernel and writes its results; the status to exit with, after messages. What is left
 * of a run before is used again: the options may differ in the kernel, its arguments and
 * ranges, the engine and whatever else is of a launch. */
int running_run(running *state, run_options *options);
void running_finish(running *state);

#endif
