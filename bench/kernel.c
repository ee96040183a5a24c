/* SPDX-License-Identifier: MIT */
#include "kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arguments -------------------------------------------------------------------------- */

/* xorshift64*: the same numbers on both sides, between 0 and 1. */
static double next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * 0x2545f4914f6cdd1dull >> 11) * 0x1p-53;
}

/* Nearest half of a number that is one of its normal numbers, or 0. */
static uint16_t half_of(double value)
{
    float number = (float)value;
    uint32_t bits;

    memcpy(&bits, &number, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000;
    uint32_t rest = bits & 0x7fffffff;
    if (rest < 113u << 23)
        return (uint16_t)sign;
    return (uint16_t)(sign | ((rest - (112u << 23) + 0xfff + (rest >> 13 & 1)) >> 13));
}

static void set_element(char *at, const char *type, double value)
{
    float number = (float)value;
    uint16_t half = half_of(value);
    int64_t whole = (int64_t)value - (value < (double)(int64_t)value);

    if (strcmp(type, "f32") == 0)
        memcpy(at, &number, sizeof number);
    else if (strcmp(type, "f64") == 0)
        memcpy(at, &value, sizeof value);
    else if (strcmp(type, "f16") == 0)
        memcpy(at, &half, sizeof half);
    else
        memcpy(at, &whole, (size_t)atoi(type + 1) / 8); /* little-endian */
}

static void fill(char *data, size_t count, size_t bytes, const char *type, const char *how)
{
    uint64_t state = 0x9e3779b97f4a7c15ull ^ count;
    double low, high, sum = 0;

    if (sscanf(how, "rand %lf %lf", &low, &high) == 2) {
        for (size_t i = 0; i < count; i++)
            set_element(data + i * bytes, type, low + (high - low) * next_random(&state));
    } else if (sscanf(how, "stairs %lf", &high) == 1) {
        for (size_t i = 0; i < count; i++) {
            set_element(data + i * bytes, type, sum);
            sum += (double)(int64_t)((high + 1) * next_random(&state));
        }
    } else if (strcmp(how, "zero") != 0) {
        fail(how, "no such contents of a buffer");
    }
}

/* A buffer, a value or local memory. */
static arg read_plain(const char *text)
{
    arg out = {.kind = ARG_LOCAL};
    char type[4] = "", how[64] = "";
    size_t count = 1;
    double value;

    if (sscanf(text, "local %zu", &out.size) == 1)
        return out;
    bool is_buffer = sscanf(text, "%3[a-z0-9]*%zu %63[^\n]", type, &count, how) == 3;
    if (!is_buffer && sscanf(text, "%3[a-z0-9] %lf", type, &value) != 2)
        fail(text, "no argument");
    size_t bytes = (size_t)atoi(type + 1) / 8;
    out.kind = is_buffer ? ARG_BUFFER : ARG_VALUE;
    out.size = count * bytes;
    out.data = calloc(count, bytes);
    if (!out.data)
        fail(text, "out of memory");
    out.is_filled = is_buffer && strcmp(how, "zero") != 0;
    if (is_buffer)
        fill(out.data, count, bytes, type, how);
    else
        set_element(out.data, type, value);
    return out;
}

/* An image has a format and a width before what says its contents, as of a buffer. */
static arg read_arg(const char *text)
{
    char format[8] = "";
    size_t width;
    int length = 0;

    if (sscanf(text, "image %7s %zu %n", format, &width, &length) != 2)
        return read_plain(text);
    arg out = read_plain(text + length);
    if (out.kind != ARG_BUFFER)
        fail(text, "no contents of an image");
    out.kind = ARG_IMAGE;
    out.width = width;
    memcpy(out.format, format, sizeof format);
    return out;
}

/* ---- rows ------------------------------------------------------------------------------- */

typedef struct row {
    const char *name;
    uint32_t global[2], local[2];
    const char *args[MOST_ARGS];
} row;

#define KERNEL(file, name, gx, gy, lx, ly, error, ...)                                         \
    {#name, {gx, gy}, {lx, ly}, {__VA_ARGS__}},
static const row rows[] = {
#include "kernels.def"
};
static const row large_rows[] = {
#include "large.def"
};
static const row small_rows[] = {
#include "small.def"
};
static const row image_rows[] = {
#include "images.def"
};
static const row other_rows[] = {
#include "others.def"
};
#undef KERNEL

typedef struct table {
    const char *prefix; /* of the names of its rows */
    const row *rows;
    size_t count;
} table;

static const table tables[] = {
    {"large/", large_rows, sizeof large_rows / sizeof *large_rows},
    {"small/", small_rows, sizeof small_rows / sizeof *small_rows},
    {"images/", image_rows, sizeof image_rows / sizeof *image_rows},
    {"others/", other_rows, sizeof other_rows / sizeof *other_rows},
    {"", rows, sizeof rows / sizeof *rows},
};

bench_kernel kernel_find(const char *name)
{
    const table *t = tables;

    while (strncmp(name, t->prefix, strlen(t->prefix)) != 0)
        t++;
    const char *plain = name + strlen(t->prefix);
    for (size_t i = 0; i < t->count; i++) {
        const row *found = &t->rows[i];
        if (strcmp(found->name, plain) != 0)
            continue;
        bench_kernel out = {.name = found->name,
                            .repeat = strcmp(plain, "tiny") == 0 ? 50000 : 1,
                            .global = {found->global[0], found->global[1]},
                            .local = {found->local[0], found->local[1]}};
        for (size_t k = 0; k < MOST_ARGS && found->args[k]; k++)
            out.args[k] = read_arg(found->args[k]);
        return out;
    }
    fail(name, "no such kernel");
}

void kernel_free(bench_kernel *kernel)
{
    for (size_t i = 0; i < MOST_ARGS; i++)
        free(kernel->args[i].data);
}

/* ---- measuring -------------------------------------------------------------------------- */

typedef struct times {
    double cpu, wall;
} times;

static void launch_once(const bench_kernel *kernel, const bench_launcher *launcher,
                        const uint32_t *global, times *spent)
{
    launcher->reset(launcher->user, kernel);
    double cpu = processor_time(), wall = seconds(CLOCK_MONOTONIC);
    for (unsigned i = 0; i < kernel->repeat; i++)
        launcher->launch(launcher->user, kernel, global);
    spent->wall += seconds(CLOCK_MONOTONIC) - wall;
    spent->cpu += processor_time() - cpu;
}

/* Short launches are repeated; buffers are reset between them, which does not count. */
static times time_launch(const bench_kernel *kernel, const bench_launcher *launcher,
                         const uint32_t *global)
{
    times spent = {0, 0};
    unsigned count = 0;

    while (spent.cpu < 0.03 && count < 100) {
        launch_once(kernel, launcher, global, &spent);
        count++;
    }
    double launches = (double)count * kernel->repeat;
    return (times){spent.cpu / launches, spent.wall / launches};
}

static void write_buffers(const bench_kernel *kernel, const bench_launcher *launcher,
                          const char *path)
{
    FILE *file = fopen(path, "wbe");

    if (!file)
        fail(path, strerror(errno));
    for (size_t i = 0; i < MOST_ARGS; i++) {
        const arg *a = &kernel->args[i];
        if (!is_memory(a))
            continue;
        void *data = malloc(a->size);
        if (!data)
            fail(path, "out of memory");
        launcher->read(launcher->user, kernel, i, data);
        if (fwrite(data, 1, a->size, file) != a->size)
            fail(path, "cannot be written");
        free(data);
    }
    if (fclose(file) != 0)
        fail(path, "cannot be written");
}

/* Most bytes that have been resident so far, less those of the buffers and of what they are
 * filled with. */
static long resident_beyond(const bench_kernel *kernel)
{
    FILE *file = fopen("/proc/self/status", "re");
    char line[128];
    long most = 0;

    while (file && fgets(line, sizeof line, file))
        (void)sscanf(line, "VmHWM: %ld kB", &most);
    if (file)
        (void)fclose(file);
    most *= 1024;
    for (size_t i = 0; i < MOST_ARGS; i++)
        if (is_memory(&kernel->args[i]))
            most -= (long)kernel->args[i].size * (kernel->args[i].is_filled ? 2 : 1);
    return most;
}

/* Of a few groups in a row, for which code is that of many, the second time: what the first
 * took beyond that is compiling. */
static double compile_time(const bench_kernel *kernel, const bench_launcher *launcher)
{
    enum { GROUPS = 8 };
    uint32_t range[2] = {GROUPS * kernel->local[0], kernel->local[1]};
    double first, again;

    if (range[0] > kernel->global[0])
        range[0] = kernel->global[0];
    launcher->reset(launcher->user, kernel);
    first = -processor_time();
    launcher->launch(launcher->user, kernel, range);
    again = processor_time();
    first += again;
    launcher->launch(launcher->user, kernel, range);
    again = processor_time() - again;
    return first - again;
}

void measure(const bench_kernel *kernel, const bench_launcher *launcher, const char *path,
             double open)
{
    uint32_t quarter[2] = {kernel->global[0], kernel->global[1]};
    double compile = compile_time(kernel, launcher);
    char line[16];

    quarter[quarter[1] > 1] /= 4;
    launcher->reset(launcher->user, kernel);
    launcher->launch(launcher->user, kernel, kernel->global);
    printf("{\"open\": %.9f, \"compile\": %.9f, \"resident\": %ld}\n", open, compile,
           resident_beyond(kernel));
    write_buffers(kernel, launcher, path);
    (void)fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        bool is_quarter = line[0] != 'w';
        times part = {0, 0};
        if (is_quarter)
            part = time_launch(kernel, launcher, quarter);
        times whole = time_launch(kernel, launcher, kernel->global);
        printf("{\"quarter\": %.9f, \"whole\": %.9f, \"wall\": %.9f}\n", part.cpu, whole.cpu,
               whole.wall);
        (void)fflush(stdout);
    }
}
