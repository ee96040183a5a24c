/* SPDX-License-Identifier: MIT
 *
 * One --arg of `visage run`: reading its SPEC, making its buffer, writing its result. */
#ifndef VISAGE_TOOL_ARGUMENT_H
#define VISAGE_TOOL_ARGUMENT_H

#include "tool.h"
#include "value.h"

typedef enum argument_kind {
    ARGUMENT_VALUE,
    ARGUMENT_LOCAL,
    ARGUMENT_BUFFER,
    ARGUMENT_IMAGE,
    ARGUMENT_NULL
} argument_kind;

typedef struct argument {
    argument_kind kind;
    value_type type;
    void *data;        /* value, first contents; malloc'd */
    size_t size_bytes; /* of data; of a local argument */
    size_t count;      /* elements */
    char *format;      /* image; malloc'd */
    uint32_t size[3];  /* image, texels */
    const char *out;   /* file for the result, borrowed from the command line; NULL none */
    visage_buffer *buffer;
} argument;

/* Reads a SPEC and the contents it names. Returns the status to exit with, after a message
 * unless it is EXIT_GOOD: EXIT_USAGE for a SPEC that is none, EXIT_WANTING for a file that
 * cannot be read or has a wrong size, EXIT_RESOURCE. Free with argument_free() in either case.
 */
int argument_parse(const char *spec, argument *out);
void argument_free(argument *arg);

/* Sets it as argument `index` of the launch, making its buffer. size_bytes: of the kernel's
 * argument where it is a value; a vector of three, which has the size of four, is padded. */
visage_status argument_set(argument *arg, visage_device *device, visage_launch *launch,
                           size_t index, size_t size_bytes, visage_diagnostics *diagnostics);

/* Writes the buffer after the run where asked; false after a message. */
bool argument_write(const argument *arg);

#endif
