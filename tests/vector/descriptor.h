/* SPDX-License-Identifier: MIT
 *
 * What a descriptor of tests/data/vector/src says: the arguments of a kernel, its launch, and
 * the contents of every buffer afterwards. */
#ifndef VISAGE_TESTS_VECTOR_DESCRIPTOR_H
#define VISAGE_TESTS_VECTOR_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_ARGUMENTS = 16 };

typedef struct argument {
    bool is_value, is_image;
    char format[32];        /* of an image */
    uint32_t width, height; /* texels */
    size_t size_bytes;
    unsigned char *first, *want; /* contents before and after; a value has no `want` */
} argument;

typedef struct descriptor {
    char kernel[64];
    uint32_t groups[3], threads[3], space[2];
    size_t num_arguments;
    argument arguments[MOST_ARGUMENTS];
} descriptor;

typedef enum descriptor_result {
    DESCRIPTOR_READ,
    DESCRIPTOR_OTHER_DEVICE,
    DESCRIPTOR_BAD
} descriptor_result;

/* Reads a descriptor; free with descriptor_free() whatever the result. Says what is wrong on
 * stdout. OTHER_DEVICE: it does not list `device`. */
descriptor_result descriptor_read(const char *path, const char *device, descriptor *out);
void descriptor_free(descriptor *d);

#endif
