/* SPDX-License-Identifier: MIT
 *
 * The command line of `visage run`. */
#ifndef VISAGE_TOOL_RUN_OPTIONS_H
#define VISAGE_TOOL_RUN_OPTIONS_H

#include "argument.h"

/* One --attach. */
typedef struct attachment {
    char *name; /* malloc'd */
    argument arg;
} attachment;

typedef struct run_options {
    const char *file, *kernel, *info;
    const char **files; /* all that are linked, `file` first */
    size_t num_files;
    visage_platform platform;
    visage_cpu cpu;
    bool no_cache, perf, quick;
    visage_range range;
    visage_run_options run;
    bool stats, json;
    int failure; /* of an argument; EXIT_GOOD: wrong usage is what else can fail */
    argument *args;
    size_t num_args;
    attachment *attachments;
    size_t num_attachments;
} run_options;

/* Reads the command line, argv[0] aside; words stay borrowed from it. Returns a status to exit
 * with, after a message or the help, or -1 to go on. Free with run_options_free() in either
 * case.
 */
int run_options_take(int argc, char **argv, run_options *out);
/* Their buffers as well: a launch that has them must be gone. */
void run_options_free(run_options *options);

#endif
