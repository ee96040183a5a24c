/* SPDX-License-Identifier: MIT
 *
 * A kernel of a zebin, opened with libvisage. */
#ifndef VISAGE_BENCH_DIRECT_H
#define VISAGE_BENCH_DIRECT_H

#include <visage/visage.h>

enum { DIRECT_BUFFERS = 12 };

typedef struct direct {
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module;
    visage_device *device;
    visage_program *program;
    visage_launch *launch;
    visage_buffer *buffers[DIRECT_BUFFERS]; /* the caller's to make; NULL: none */
} direct;

/* options: of the device, whose platform becomes the zebin's. Ends the program where something
 * fails. */
direct direct_open(const char *path, const char *kernel, visage_device_options *options);
void direct_close(direct *d);

/* Ends the program, with the diagnostics and `what`, unless the status is VISAGE_OK. */
void direct_must(const direct *d, const char *what, visage_status status);

#endif
