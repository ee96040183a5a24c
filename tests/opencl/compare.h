/* SPDX-License-Identifier: MIT
 *
 * What the comparison of kernels with a reference shares: rows of cases.def and kernels.def
 * read into arguments and ranges, host references, and how far a result may be from what is
 * right. */
#ifndef VISAGE_TESTS_COMPARE_H
#define VISAGE_TESTS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_ARGS = 12, MOST_BYTES = 65536, MOST_REALS = MOST_BYTES / 2 };

typedef enum arg_kind {
    ARG_NONE,
    ARG_BUFFER,
    ARG_VALUE,
    ARG_LOCAL,
    ARG_NULL,
    ARG_IMAGE,
    ARG_SAMPLER
} arg_kind;

/* Sizes of an image's first level in texels; layers are its z. */
typedef struct image_arg {
    char shape[16], format[32];
    uint32_t size[3], levels, samples;
    unsigned axes;     /* of them, layers aside */
    unsigned channels; /* of a texel */
} image_arg;

typedef struct sampler_arg {
    bool linear, normalized;
    char addressing; /* b order, e dge, r epeat, m irror */
    char mip;        /* 0, n earest, l inear */
} sampler_arg;

typedef struct arg {
    arg_kind kind;
    char type;    /* i u f */
    bool pad;     /* vectors of three: every fourth element has no value */
    bool skipped; /* nothing of it is compared */
    size_t bytes; /* of an element */
    size_t count, size;
    double ulp;    /* error allowed in `host`, floating point only */
    int64_t slack; /* i32: got may be that much above expected, where the order is free */
    /* Floating point where `reals` is set: what is right, unrounded, and the error allowed each
     * element in units of its last place and absolutely; the larger counts. */
    bool reals;
    long double real[MOST_REALS];
    double real_ulp[MOST_REALS], real_absolute[MOST_REALS];
    image_arg image;
    sampler_arg sampler;
    unsigned char before[MOST_BYTES], host[MOST_BYTES], ours[MOST_BYTES];
} arg;

typedef struct ndrange {
    unsigned dimensions;
    uint32_t global[3], local[3], offset[3]; /* local 0: left open */
    uint32_t launches, stride; /* offset[0] grows by stride from launch to launch */
    bool races;                /* what check mode would tell */
} ndrange;

/* Works `host` of every buffer out from `before`. */
typedef void (*host_fn)(arg *args, const ndrange *range);

/* compare_images.c: an image without contents, a sampler; false: the text is wrong. */
bool read_image(arg *a, char *const *words, int count);
bool read_sampler(arg *a, char *const *words, int count);
/* The texel at x, y, z of a level, as read_imagef() has it, or read_imagei() for integers;
 * outside of the image the border's colour. */
void image_texel(const arg *image, uint32_t level, const int64_t at[3], uint32_t sample,
                 double rgba[4]);

/* compare_args.c; false: the text is wrong. */
bool read_arg(const char *text, unsigned seed, arg *out);
bool read_range(const char *text, ndrange *out);
/* Prints the first differences; false: there are some. */
bool compare_args(const arg *args);
double half_value(uint16_t half);
uint16_t half_bits(double value);

/* One for each HOST row, named after its kernel. */
#define CASE(...)
#define HOST(file, kernel, ...) void host_##kernel(arg *args, const ndrange *range);
#include "cases.def"
#include "images.def"
#include "kernels.def"
#undef CASE
#undef HOST

#endif
