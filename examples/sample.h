/* SPDX-License-Identifier: MIT
 *
 * What a sample is, and what it uses to launch its kernel. One source file a sample defines one
 * or more of these structs; run_samples.c has the table of them and does everything else.
 */
#ifndef VISAGE_EXAMPLES_SAMPLE_H
#define VISAGE_EXAMPLES_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#define SAMPLE_MAX_BUFFERS 4

/* The references below are compared to the bit: what rounds here must round there. */
#ifdef __FAST_MATH__
#error "the samples' references need exact floating point: compile without -ffast-math"
#endif

/* One launch, or several, of a sample's kernel on one device. */
typedef struct sample_run sample_run;

typedef struct sample_buffer {
    const char *name;     /* as in the kernel; for messages */
    size_t size_bytes;    /* 0 ends the list */
    size_t element_bytes; /* 1, 2, 4 or 8; for messages */
} sample_buffer;

/* A picture: rows of red, green, blue bytes from the top. */
typedef struct sample_picture {
    uint32_t width, height;
    uint8_t *rgb; /* 3 * width * height bytes */
} sample_picture;

typedef struct sample_def {
    const char *name; /* its folder, and the stem of its files */
    const char *kernel;
    sample_buffer buffers[SAMPLE_MAX_BUFFERS + 1];

    /* Fills the buffers with input. All bytes are 0xa5 before; outputs can stay so. */
    void (*prepare)(void *const *buffers);

    /* Does what the kernel does, in plain C, to buffers that were prepared. Afterwards every
     * byte of every buffer must be what the device's buffer holds after launch(). */
    void (*expect)(void *const *buffers);

    /* Sets the arguments and launches, with the functions below. */
    void (*launch)(sample_run *run);

    /* The picture's size, and the picture itself, made from the buffers after the launch. NULL
     * where there is nothing to see. rgb is there to be filled. */
    uint32_t picture_size[2];
    void (*paint)(void *const *buffers, const sample_picture *picture);
} sample_def;

/* Sets a kernel argument, or launches over global[] work-items in groups of local[] (all 0: the
 * library chooses). The first error is kept and reported at the end; after it none of these
 * does anything, so a sample need not test. */
void sample_set_buffer(sample_run *run, size_t argument, size_t buffer);
void sample_set_uint(sample_run *run, size_t argument, uint32_t value);
void sample_set_float(sample_run *run, size_t argument, float value);
void sample_set_local(sample_run *run, size_t argument, size_t size_bytes);
void sample_launch(sample_run *run, const uint32_t global[3], const uint32_t local[3]);

/* The next of a sequence of well-mixed numbers, the same on every machine. */
uint32_t sample_random(uint64_t *state);

extern const sample_def sample_vector_add;
extern const sample_def sample_mandelbrot;
extern const sample_def sample_matmul;
extern const sample_def sample_reduction;
extern const sample_def sample_histogram;
extern const sample_def sample_call_by_pointer;
extern const sample_def sample_call_by_switch;
extern const sample_def sample_stencil;

#endif
