/* SPDX-License-Identifier: MIT
 *
 * What the tests of runtime and public interface share: a context whose allocator counts and
 * fails on demand, the zebins of tests/data/launch, diagnostics. Include after cmocka.h. */
#ifndef VISAGE_TESTS_RUN_SUPPORT_H
#define VISAGE_TESTS_RUN_SUPPORT_H

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "visage/visage.h"

/* Called from several threads, so everything is atomic. */
typedef struct counting {
    atomic_size_t live_bytes;
    atomic_size_t calls; /* that asked for memory */
    size_t fail;         /* number of the first call that gets none, from 1; 0: none fails */
    bool only_one;       /* later calls get some again */
} counting;

static inline void *counting_resize(void *user, void *pointer, size_t old_size, size_t new_size)
{
    counting *counts = user;

    if (new_size == 0) {
        if (pointer)
            atomic_fetch_sub(&counts->live_bytes, old_size);
        free(pointer);
        return NULL;
    }
    size_t call = atomic_fetch_add(&counts->calls, 1) + 1;
    if (counts->fail && (counts->only_one ? call == counts->fail : call >= counts->fail))
        return NULL;
    void *resized = realloc(pointer, new_size);
    if (resized)
        atomic_fetch_add(&counts->live_bytes, new_size - (pointer ? old_size : 0));
    return resized;
}

typedef struct fixture {
    counting counts;
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_device *device;
    visage_module *module;
    visage_program *program;
    visage_launch *launch;
    visage_buffer *buffers[8];
} fixture;

static inline int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    visage_context_options options = VISAGE_OPTIONS_INIT(visage_context_options);

    assert_non_null(f);
    options.resize = counting_resize;
    options.user = &f->counts;
    assert_int_equal(visage_context_create(&options, &f->context), VISAGE_OK);
    assert_int_equal(visage_diagnostics_create(f->context, &f->diagnostics), VISAGE_OK);
    *state = f;
    return 0;
}

/* Everything but context and diagnostics. */
static inline void drop(fixture *f)
{
    visage_launch_destroy(&f->launch);
    visage_program_destroy(&f->program);
    for (size_t i = 0; i < sizeof f->buffers / sizeof *f->buffers; i++)
        visage_buffer_destroy(&f->buffers[i]);
    visage_module_destroy(&f->module);
    visage_device_destroy(&f->device);
    visage_diagnostics_clear(f->diagnostics);
}

static inline int tear_down(void **state)
{
    fixture *f = *state;

    drop(f);
    visage_diagnostics_destroy(&f->diagnostics);
    visage_context_destroy(&f->context);
    assert_int_equal(atomic_load(&f->counts.live_bytes), 0);
    free(f);
    return 0;
}

/* Files lie beside the folder of this one: tests/data. */
static inline uint8_t *load(const char *name, size_t *size)
{
    char path[1024];
    const char *slash = strrchr(__FILE__, '/');
    int folder = slash ? (int)(slash - __FILE__) : 0;

    (void)snprintf(path, sizeof path, "%.*s%s../data/%s", folder, __FILE__, slash ? "/" : "",
                   name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length > 0);
    rewind(file);
    uint8_t *bytes = malloc((size_t)length);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)length, file), (size_t)length);
    (void)fclose(file);
    *size = (size_t)length;
    return bytes;
}

/* Fails with the diagnostics' texts where a call did not give what it should. */
static inline void expect_status(fixture *f, visage_status got, visage_status wanted)
{
    char text[4096];

    if (got == wanted)
        return;
    for (size_t i = 0; i < visage_diagnostics_count(f->diagnostics); i++) {
        (void)visage_diagnostic_render(visage_diagnostics_get(f->diagnostics, i), false, text,
                                       sizeof text);
        print_error("%s\n", text);
    }
    fail_msg("%s, expected %s", visage_status_name(got), visage_status_name(wanted));
}

/* The last diagnostic has this code, and its message this text in it. */
static inline void expect_diagnostic(fixture *f, const char *code, const char *part)
{
    size_t count = visage_diagnostics_count(f->diagnostics);
    const visage_diagnostic *last =
        count ? visage_diagnostics_get(f->diagnostics, count - 1) : NULL;

    assert_non_null(last);
    assert_string_equal(last->code, code);
    if (!strstr(last->message, part))
        fail_msg("\"%s\" has no \"%s\"", last->message, part);
}

static inline void make_device(fixture *f, visage_platform platform, uint32_t jobs)
{
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);

    options.platform = platform;
    options.jobs = jobs;
    options.memory_bytes = (uint64_t)256 << 20;
    assert_int_equal(visage_device_create(f->context, &options, &f->device), VISAGE_OK);
}

/* The program of tests/data/launch on a device of the platform. */
static inline void open_zebin(fixture *f, visage_platform platform, uint32_t jobs)
{
    char name[64];
    size_t size;

    (void)snprintf(name, sizeof name, "launch/launch.%s.zebin", visage_platform_name(platform));
    uint8_t *bytes = load(name, &size);
    make_device(f, platform, jobs);
    visage_status status = visage_module_read_memory(f->context, "launch", bytes, size, NULL,
                                                     f->diagnostics, &f->module);
    free(bytes);
    expect_status(f, status, VISAGE_OK);
    status = visage_program_create(f->device, f->module, f->diagnostics, &f->program);
    expect_status(f, status, VISAGE_OK);
}

/* The same of a text; `info` may be NULL. */
static inline void open_text_for(fixture *f, visage_platform platform, uint32_t jobs,
                                 const char *text, const char *info)
{
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);

    make_device(f, platform, jobs);
    options.platform = platform;
    options.info = info;
    options.info_size = info ? strlen(info) : 0;
    visage_status status = visage_module_read_memory(f->context, "text", text, strlen(text),
                                                     &options, f->diagnostics, &f->module);
    expect_status(f, status, VISAGE_OK);
    status = visage_program_create(f->device, f->module, f->diagnostics, &f->program);
    expect_status(f, status, VISAGE_OK);
}

static inline void open_text(fixture *f, visage_platform platform, const char *text,
                             const char *info)
{
    open_text_for(f, platform, 1, text, info);
}

static inline void open_kernel(fixture *f, const char *name)
{
    visage_launch_destroy(&f->launch);
    expect_status(f, visage_launch_create(f->program, name, f->diagnostics, &f->launch),
                  VISAGE_OK);
}

/* Buffer `index` with bytes of `fill`; data. */
static inline void *make_buffer(fixture *f, size_t index, size_t size, int fill)
{
    visage_buffer_destroy(&f->buffers[index]);
    assert_int_equal(visage_buffer_create(f->device, size, &f->buffers[index]), VISAGE_OK);
    return memset(visage_buffer_data(f->buffers[index]), fill, size);
}

static inline void set_buffer(fixture *f, size_t argument, size_t index)
{
    expect_status(
        f, visage_launch_set_buffer(f->launch, argument, f->buffers[index], 0, f->diagnostics),
        VISAGE_OK);
}

static inline void set_value(fixture *f, size_t argument, const void *value, size_t size)
{
    expect_status(f, visage_launch_set_value(f->launch, argument, value, size, f->diagnostics),
                  VISAGE_OK);
}

static inline void set_int(fixture *f, size_t argument, int32_t value)
{
    set_value(f, argument, &value, sizeof value);
}

static inline visage_range items(uint32_t gx, uint32_t gy, uint32_t gz, uint32_t lx,
                                 uint32_t ly, uint32_t lz)
{
    return (visage_range){
        .struct_size = sizeof(visage_range), .global = {gx, gy, gz}, .local = {lx, ly, lz}};
}

static inline visage_range threads(uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx,
                                   uint32_t ty, uint32_t tz)
{
    return (visage_range){
        .struct_size = sizeof(visage_range), .groups = {gx, gy, gz}, .threads = {tx, ty, tz}};
}

static inline visage_status run(fixture *f, visage_range range, visage_run_stats *stats)
{
    return visage_launch_run(f->launch, &range, NULL, f->diagnostics, stats);
}

static inline void run_well(fixture *f, visage_range range)
{
    expect_status(f, run(f, range, NULL), VISAGE_OK);
}

#endif
