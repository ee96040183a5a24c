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
    ARGUMENT_SAMPLER,
    ARGUMENT_NULL
} argument_kind;

typedef struct argument {
    argument_kind kind;
    value_type type;
    void *data;               /* value, first contents; malloc'd */
    size_t size_bytes;        /* of data; of a local argument */
    size_t count;             /* elements */
    bool is_unwritten;        /* what is in the buffer at first was never written */
    char *format;             /* image; malloc'd, the shape's storage too */
    const char *shape;        /* image; NULL: the kernel's */
    uint32_t size[3];         /* image, texels */
    uint32_t levels, samples; /* image */
    visage_sampler_options sampler;
    const char *out; /* file for the result, borrowed from the command line; NULL none */
    visage_buffer *buffer;
} argument;

/* Reads a SPEC and the contents it names. Returns the status to exit with, after a message
 * unless it is EXIT_GOOD: EXIT_USAGE for a SPEC that is none, EXIT_WANTING for a file that
 * cannot be read or has a wrong size, EXIT_RESOURCE. Free with argument_free() in either case.
 */
int argument_parse(const char *spec, argument *out);
void argument_free(argument *arg);

/* Where an argument is set. */
typedef struct argument_target {
    visage_context *context;
    visage_device *device;
    visage_launch *launch;
    size_t index;
    visage_diagnostics *diagnostics;
} argument_target;

/* Sets it, making its buffer. info: of the kernel's argument; a vector of three, which has the
 * size of four, is padded, and an image has the kernel's shape where the SPEC says none. */
visage_status argument_set(argument *arg, const argument_target *target,
                           const visage_argument_info *info);

/* Attaches it as `name`, making its buffer: a buf:, an image: or a sampler:. target->index is
 * not used. */
visage_status argument_attach(argument *arg, const argument_target *target, const char *name);

/* Writes the buffer after the run where asked; false after a message. */
bool argument_write(const argument *arg);

#endif
