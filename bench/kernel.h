/* SPDX-License-Identifier: MIT
 *
 * What bench_visage, bench_opencl and bench_native share: the rows of kernels.def with their
 * inputs, the same everywhere, and the measuring. A program gives measure() a way to launch. */
#ifndef VISAGE_BENCH_KERNEL_H
#define VISAGE_BENCH_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool.h"

enum { MOST_ARGS = 12 };

typedef enum arg_kind { ARG_NONE, ARG_BUFFER, ARG_VALUE, ARG_LOCAL, ARG_IMAGE } arg_kind;

typedef struct arg {
    arg_kind kind;
    bool is_filled; /* a buffer or image with other contents than zeros */
    size_t size;    /* bytes */
    void *data;     /* value, or what the buffer has before each launch; NULL: local memory */
    char format[8]; /* of an image, as images.def calls it, */
    size_t width;   /* with texels row by row */
} arg;

typedef struct bench_kernel {
    const char *name;
    unsigned repeat; /* launches in one go */
    uint32_t global[2], local[2];
    arg args[MOST_ARGS]; /* up to the first of kind NONE */
} bench_kernel;

/* Has it contents that a kernel may change? */
static inline bool is_memory(const arg *a)
{
    return a->kind == ARG_BUFFER || a->kind == ARG_IMAGE;
}

/* The row of kernels.def with that name, with "large/", "small/", "images/" or "others/" before
 * it of large.def, small.def, images.def or others.def; ends the program where there is none.
 */
bench_kernel kernel_find(const char *name);
void kernel_free(bench_kernel *kernel);

typedef struct bench_launcher {
    /* Gives every buffer its first contents. */
    void (*reset)(void *user, const bench_kernel *kernel);
    /* Runs the kernel over a range and waits. */
    void (*launch)(void *user, const bench_kernel *kernel, const uint32_t *global);
    /* Contents of the buffer or image that is argument `index`. */
    void (*read)(void *user, const bench_kernel *kernel, size_t index, void *out);
    void *user;
} bench_launcher;

/* Launches once, writes all buffers one after the other to `path`; then, for each line of
 * standard input, prints seconds as one line of JSON: processor time of a launch over the whole
 * range and of one over a quarter (0 where the line begins with "w"), time on the wall of the
 * whole. Its first line is `open`, the processor time that it took to compile at the first
 * launch, and the most bytes that were resident until then beyond buffers and inputs. */
void measure(const bench_kernel *kernel, const bench_launcher *launcher, const char *path,
             double open);

#endif
