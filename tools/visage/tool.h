/* SPDX-License-Identifier: MIT
 *
 * What the subcommands of the tool share: exit statuses, messages, options, sizes. */
#ifndef VISAGE_TOOL_TOOL_H
#define VISAGE_TOOL_TOOL_H

#include <stdio.h>

#include "visage/visage.h"

enum {
    EXIT_GOOD = 0,
    EXIT_WANTING = 1, /* the input was found wanting */
    EXIT_USAGE = 2,
    EXIT_FAULT = 3,   /* the kernel faulted or was stopped */
    EXIT_RESOURCE = 4 /* internal limit or resource */
};

typedef struct tool_command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
    const char *brief;
} tool_command;

int tool_as(int argc, char **argv);
int tool_check(int argc, char **argv);
int tool_compile(int argc, char **argv);
int tool_link(int argc, char **argv);
int tool_dis(int argc, char **argv);
int tool_exec(int argc, char **argv);
int tool_run(int argc, char **argv);
int tool_strip(int argc, char **argv);
int tool_info(int argc, char **argv);
int tool_isa(int argc, char **argv);

/* "visage: error: ..." on stderr. */
void tool_error(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* The exit status for a library status. */
int tool_exit(visage_status status);

/* Prints all diagnostics on stderr; a status that none of them explains is named. */
void tool_report(const visage_diagnostics *diagnostics, visage_status status);

/* "X[,Y[,Z]]" or "XxYxZ" by `separator`: up to `most` numbers, each at most UINT32_MAX, the
 * rest left as they are. Returns how many, 0 when the text is nothing of the kind. */
int tool_sizes(const char *text, char separator, int most, uint32_t *out);

/* A decimal, hexadecimal (0x) or octal number; false when there is anything else. */
bool tool_u64(const char *text, uint64_t *out);

/* Finds the level of --cpu; false after a message. */
bool tool_cpu(const char *text, visage_cpu *out);
/* Can this processor execute code for it, or for what $VISAGE_CPU says? False after a message.
 */
bool tool_cpu_runs(visage_cpu cpu);

/* A whole file, or stdin for "-", in malloc'd memory with a NUL behind; NULL after a message.
 * Free with free(). */
void *tool_read(const char *path, size_t *size);

/* A context and an empty list of diagnostics; false after a message. */
bool tool_start(visage_context **context, visage_diagnostics **diagnostics);
void tool_finish(visage_context **context, visage_diagnostics **diagnostics);

/* Reads a module from a file or stdin. */
visage_status tool_read_module(visage_context *context, const char *path,
                               const visage_module_options *options,
                               visage_diagnostics *diagnostics, visage_module **out);

/* Where a command writes what it makes. */
typedef struct tool_output {
    const char *path; /* NULL: stdout */
    FILE *stream;     /* NULL at first; a file is made when there is something to write */
    int error;        /* errno of what went wrong */
} tool_output;

/* A visage_write_fn; user: a tool_output. */
bool tool_write(void *user, const void *data, size_t size_bytes);
/* Closes it; false after a message when something could not be written. */
bool tool_output_finish(tool_output *output);

/* Flushes stdout; false after a message when something could not be written. */
bool tool_flush(void);

#endif
