/* SPDX-License-Identifier: MIT
 *
 * Measures the native form of a row of large.def on some threads of OpenMP:
 *
 *     bench_native [--jobs=N] KERNEL OUTPUT
 *     bench_native [--jobs=N] --stream
 *     bench_native [--jobs=N] --units
 *
 * The last two measure memory, and how much all of them can compute. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kernel.h"
#include "native.h"

typedef struct row {
    const char *name;
    native_kernel *run;
    size_t grain;
} row;

static const row rows[] = {
#define NATIVE(name, grain) {#name, native_##name, grain},
#include "natives.def"
#undef NATIVE
};

typedef struct bench {
    const row *row;
    int jobs;
    void *args[MOST_ARGS];
} bench;

static const row *find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    fail(name, "no such native kernel");
}

static void reset(void *user, const bench_kernel *kernel)
{
    bench *b = user;

    for (size_t i = 0; i < MOST_ARGS; i++)
        if (kernel->args[i].kind == ARG_BUFFER)
            memcpy(b->args[i], kernel->args[i].data, kernel->args[i].size);
}

static void launch(void *user, const bench_kernel *kernel, const uint32_t *global)
{
    bench *b = user;
    size_t total = global[1] > 1 ? global[1] : global[0], grain = b->row->grain;

    (void)kernel;
    if (b->jobs == 1 || total <= grain) {
        b->row->run(b->args, (native_range){0, total, total});
        return;
    }
    size_t next = 0;
#pragma omp parallel num_threads(b->jobs)
    for (;;) {
        size_t at = __atomic_fetch_add(&next, grain, __ATOMIC_RELAXED);
        if (at >= total)
            break;
        size_t end = total - at < grain ? total : at + grain;
        b->row->run(b->args, (native_range){at, end, total});
    }
}

static void read_buffer(void *user, const bench_kernel *kernel, size_t index, void *out)
{
    bench *b = user;

    memcpy(out, b->args[index], kernel->args[index].size);
}

int main(int argc, char **argv)
{
    bench b = {.jobs = 1};
    int at = 1;

    if (argc > 1 && strncmp(argv[1], "--jobs=", 7) == 0)
        b.jobs = atoi(argv[at++] + 7);
    bool is_stream = argc == at + 1 && strcmp(argv[at], "--stream") == 0;
    bool is_units = argc == at + 1 && strcmp(argv[at], "--units") == 0;
    if ((!is_stream && !is_units && argc != at + 2) || b.jobs < 1) {
        fprintf(stderr, "usage: bench_native [--jobs=N] KERNEL OUTPUT | --stream | --units\n");
        return 2;
    }
    if (is_stream || is_units) {
        (is_stream ? native_stream : native_units)(b.jobs);
        return 0;
    }
    bench_kernel kernel = kernel_find(argv[at]);
    b.row = find(kernel.name);
    for (size_t i = 0; i < MOST_ARGS; i++) {
        b.args[i] = kernel.args[i].data;
        /* Aligned as drivers align buffers, and with room for a vector behind the end. */
        if (kernel.args[i].kind == ARG_BUFFER)
            b.args[i] = aligned_alloc(4096, (kernel.args[i].size + 64 + 4095) / 4096 * 4096);
        if (kernel.args[i].kind == ARG_BUFFER && !b.args[i])
            fail(kernel.name, "out of memory");
    }
    measure(&kernel, &(bench_launcher){reset, launch, read_buffer, &b}, argv[at + 1], 0);
    for (size_t i = 0; i < MOST_ARGS; i++)
        if (kernel.args[i].kind == ARG_BUFFER)
            free(b.args[i]);
    kernel_free(&kernel);
    return 0;
}
