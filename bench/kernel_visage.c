/* SPDX-License-Identifier: MIT
 *
 * Measures a kernel of kernels.def on visage's interpreter, with one worker thread:
 *
 *     bench_visage [--check] [--jit [--perf]] [--jobs=N] ZEBIN KERNEL OUTPUT
 *
 * --jit: as machine code, which the cache on disk may have; --perf: of which perf is told. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "direct.h"
#include "kernel.h"

typedef struct bench {
    bool check, jit, perf;
    uint32_t jobs;
    direct d;
} bench;

_Static_assert((int)MOST_ARGS <= (int)DIRECT_BUFFERS, "a buffer for each argument");

static void reset(void *user, const bench_kernel *kernel)
{
    bench *b = user;

    for (size_t i = 0; i < MOST_ARGS; i++)
        if (b->d.buffers[i])
            memcpy(visage_buffer_data(b->d.buffers[i]), kernel->args[i].data,
                   kernel->args[i].size);
}

static void launch(void *user, const bench_kernel *kernel, const uint32_t *global)
{
    bench *b = user;
    visage_range range = VISAGE_OPTIONS_INIT(visage_range);
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);

    for (size_t i = 0; i < 2; i++) {
        range.global[i] = global[i];
        range.local[i] = kernel->local[i];
    }
    options.check = b->check;
    options.engine = b->jit ? VISAGE_ENGINE_JIT : VISAGE_ENGINE_INTERPRETER;
    direct_must(&b->d, kernel->name,
                visage_launch_run(b->d.launch, &range, &options, b->d.diagnostics, NULL));
}

static void read_buffer(void *user, const bench_kernel *kernel, size_t index, void *out)
{
    bench *b = user;

    memcpy(out, visage_buffer_data(b->d.buffers[index]), kernel->args[index].size);
}

static void set_args(bench *b, const bench_kernel *kernel)
{
    for (size_t i = 0; i < MOST_ARGS; i++) {
        const arg *a = &kernel->args[i];
        switch (a->kind) {
        case ARG_NONE:
            return;
        case ARG_BUFFER:
            direct_must(&b->d, "buffer",
                        visage_buffer_create(b->d.device, a->size, &b->d.buffers[i]));
            direct_must(
                &b->d, "buffer",
                visage_launch_set_buffer(b->d.launch, i, b->d.buffers[i], 0, b->d.diagnostics));
            break;
        case ARG_VALUE:
            direct_must(
                &b->d, "value",
                visage_launch_set_value(b->d.launch, i, a->data, a->size, b->d.diagnostics));
            break;
        case ARG_LOCAL:
            direct_must(&b->d, "local",
                        visage_launch_set_local(b->d.launch, i, a->size, b->d.diagnostics));
            break;
        case ARG_IMAGE:
            fail(a->format, "images are for bench_opencl");
        }
    }
}

static void open_kernel(bench *b, const char *path, const char *name)
{
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);

    options.jobs = b->jobs;
    options.tell_tools = b->perf;
    b->d = direct_open(path, name, &options);
}

int main(int argc, char **argv)
{
    bench b = {.jobs = 1};
    int at = 1;

    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        b.check = b.check || strcmp(argv[at], "--check") == 0;
        b.jit = b.jit || strcmp(argv[at], "--jit") == 0;
        b.perf = b.perf || strcmp(argv[at], "--perf") == 0;
        if (strncmp(argv[at], "--jobs=", 7) == 0)
            b.jobs = (uint32_t)strtoul(argv[at] + 7, NULL, 10);
    }
    if (argc != at + 3) {
        fprintf(
            stderr,
            "usage: bench_visage [--check] [--jit [--perf]] [--jobs=N] ZEBIN KERNEL OUTPUT\n");
        return 2;
    }
    bench_kernel kernel = kernel_find(argv[at + 1]);
    double open = processor_time();
    open_kernel(&b, argv[at], kernel.name);
    open = processor_time() - open;
    set_args(&b, &kernel);
    measure(&kernel, &(bench_launcher){reset, launch, read_buffer, &b}, argv[at + 2], open);
    direct_close(&b.d);
    kernel_free(&kernel);
    return 0;
}
