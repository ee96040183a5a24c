/* SPDX-License-Identifier: MIT
 *
 * How fast memory is read and written, by the four loops of STREAM (J. D. McCalpin), which
 * count what a program asks for: the lines that a store reads before are not counted. By
 * processor time, so that what else the machine does is not counted either. */
#include <stdio.h>
#include <stdlib.h>

#include "../kernel.h"
#include "native.h"

enum { LENGTH = 1 << 24, TRIES = 10 };

typedef struct arrays {
    float *a, *b, *c;
} arrays;

/* The C library's copy would write past the caches. */
static __attribute__((no_builtin("memcpy"))) void copy(const arrays *s, size_t begin,
                                                       size_t end)
{
    for (size_t i = begin; i < end; i++)
        s->c[i] = s->a[i];
}

static void scale(const arrays *s, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        s->b[i] = 0.5f * s->c[i];
}

static void add(const arrays *s, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        s->c[i] = s->a[i] + s->b[i];
}

static void triad(const arrays *s, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        s->a[i] = s->b[i] + 0.5f * s->c[i];
}

static const struct loop {
    const char *name;
    void (*run)(const arrays *s, size_t begin, size_t end);
    size_t bytes; /* of an element */
} loops[] = {{"copy", copy, 8}, {"scale", scale, 8}, {"add", add, 12}, {"triad", triad, 12}};

/* Seconds of processor time of each thread. */
static double run(const struct loop *loop, const arrays *s, int jobs)
{
    double start = processor_time();

#pragma omp parallel for num_threads(jobs) schedule(static)
    for (int part = 0; part < jobs; part++)
        loop->run(s, (size_t)part * LENGTH / (size_t)jobs,
                  ((size_t)part + 1) * LENGTH / (size_t)jobs);
    return (processor_time() - start) / jobs;
}

void native_stream(int jobs)
{
    const size_t size = LENGTH * sizeof(float);
    arrays s = {aligned_alloc(4096, size), aligned_alloc(4096, size),
                aligned_alloc(4096, size)};

    if (!s.a || !s.b || !s.c)
        fail("stream", "out of memory");
    for (size_t i = 0; i < LENGTH; i++)
        s.a[i] = s.b[i] = s.c[i] = 1;
    for (size_t k = 0; k < sizeof loops / sizeof *loops; k++) {
        double least = 0;
        for (int try = 0; try < TRIES; try++) {
            double time = run(&loops[k], &s, jobs);
            least = try == 0 || time < least ? time : least;
        }
        printf("%s\"%s\": %.4g", k == 0 ? "{" : ", ", loops[k].name,
               (double)(loops[k].bytes * LENGTH) / least);
    }
    printf("}\n");
    free(s.a);
    free(s.b);
    free(s.c);
}
