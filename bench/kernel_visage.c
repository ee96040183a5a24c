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

#include <visage/visage.h>

#include "kernel.h"

typedef struct bench {
    bool check, jit, perf;
    uint32_t jobs;
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module;
    visage_device *device;
    visage_program *program;
    visage_launch *launch;
    visage_buffer *buffers[MOST_ARGS];
} bench;

static void must(const bench *b, const char *what, visage_status status)
{
    char text[1024];

    for (size_t i = 0; i < visage_diagnostics_count(b->diagnostics); i++) {
        (void)visage_diagnostic_render(visage_diagnostics_get(b->diagnostics, i), false, text,
                                       sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    if (status != VISAGE_OK)
        fail(what, visage_status_name(status));
    visage_diagnostics_clear(b->diagnostics);
}

static void reset(void *user, const bench_kernel *kernel)
{
    bench *b = user;

    for (size_t i = 0; i < MOST_ARGS; i++)
        if (b->buffers[i])
            memcpy(visage_buffer_data(b->buffers[i]), kernel->args[i].data,
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
    must(b, kernel->name, visage_launch_run(b->launch, &range, &options, b->diagnostics, NULL));
}

static void read_buffer(void *user, const bench_kernel *kernel, size_t index, void *out)
{
    bench *b = user;

    memcpy(out, visage_buffer_data(b->buffers[index]), kernel->args[index].size);
}

static void set_args(bench *b, const bench_kernel *kernel)
{
    for (size_t i = 0; i < MOST_ARGS; i++) {
        const arg *a = &kernel->args[i];
        switch (a->kind) {
        case ARG_NONE:
            return;
        case ARG_BUFFER:
            must(b, "buffer", visage_buffer_create(b->device, a->size, &b->buffers[i]));
            must(b, "buffer",
                 visage_launch_set_buffer(b->launch, i, b->buffers[i], 0, b->diagnostics));
            break;
        case ARG_VALUE:
            must(b, "value",
                 visage_launch_set_value(b->launch, i, a->data, a->size, b->diagnostics));
            break;
        case ARG_LOCAL:
            must(b, "local", visage_launch_set_local(b->launch, i, a->size, b->diagnostics));
            break;
        }
    }
}

static void open_kernel(bench *b, const char *path, const char *name)
{
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_module_info info;

    if (visage_context_create(NULL, &b->context) != VISAGE_OK ||
        visage_diagnostics_create(b->context, &b->diagnostics) != VISAGE_OK)
        fail(path, "out of memory");
    must(b, path, visage_module_read_file(b->context, path, NULL, b->diagnostics, &b->module));
    must(b, path, visage_module_get_info(b->module, &info));
    options.platform = info.platform;
    options.jobs = b->jobs;
    options.tell_tools = b->perf;
    must(b, "device", visage_device_create(b->context, &options, &b->device));
    must(b, path, visage_program_create(b->device, b->module, b->diagnostics, &b->program));
    must(b, name, visage_launch_create(b->program, name, b->diagnostics, &b->launch));
}

static void close_kernel(bench *b)
{
    visage_launch_destroy(&b->launch);
    visage_program_destroy(&b->program);
    for (size_t i = 0; i < MOST_ARGS; i++)
        visage_buffer_destroy(&b->buffers[i]);
    visage_device_destroy(&b->device);
    visage_module_destroy(&b->module);
    visage_diagnostics_destroy(&b->diagnostics);
    visage_context_destroy(&b->context);
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
    close_kernel(&b);
    kernel_free(&kernel);
    return 0;
}
