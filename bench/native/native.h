/* SPDX-License-Identifier: MIT
 *
 * The kernels of large.def in C, each by the algorithm of the OpenCL kernel, written for speed
 * with the vectors of AVX-512: what compiled code is measured against. For sizes as in that
 * table, ordinary stores only. */
#ifndef VISAGE_BENCH_NATIVE_H
#define VISAGE_BENCH_NATIVE_H

#include <stddef.h>

/* Work-items along the last dimension that has more than one. */
typedef struct native_range {
    size_t begin, end, total;
} native_range;

/* Runs a part of the range, which is a multiple of the grain in natives.def; several threads
 * run parts at the same time. `args` are the kernel's: a buffer's data, or where a value is. */
typedef void native_kernel(void *const *args, native_range range);

#define NATIVE(name, grain) native_kernel native_##name;
#include "natives.def"
#undef NATIVE

/* Prints bytes in a second that some threads read and write, as a line of JSON. */
void native_stream(int jobs);

/* Prints the additions in a second that as many threads can do, likewise. */
void native_units(int jobs);

#endif
