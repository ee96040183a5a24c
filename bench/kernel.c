/* SPDX-License-Identifier: MIT */
#include "kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Noreturn void fail(const char *what, const char *more)
{
    fprintf(stderr, "bench: %s: %s\n", what, more);
    exit(1);
}

char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rbe");
    long end = -1;

    if (file && fseek(file, 0, SEEK_END) == 0)
        end = ftell(file);
    char *data = end < 0 ? NULL : calloc((size_t)end + 1, 1);
    if (!file || !data)
        fail(path, strerror(errno));
    rewind(file);
    if (fread(data, 1, (size_t)end, file) != (size_t)end)
        fail(path, "cannot be read");
    (void)fclose(file);
    *size = (size_t)end;
    return data;
}

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

static arg read_arg(const char *text)
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
    if (is_buffer)
        fill(out.data, count, bytes, type, how);
    else
        set_element(out.data, type, value);
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
#undef KERNEL

/* Rows of a table in which kernels are larger, whose names begin with "large/". */
static const row large_rows[] = {
#define KERNEL(file, name, gx, gy, lx, ly, error, ...)                                         \
    {#name, {gx, gy}, {lx, ly}, {__VA_ARGS__}},
#include "large.def"
#undef KERNEL
};

bench_kernel kernel_find(const char *name)
{
    bool is_large = strncmp(name, "large/", 6) == 0;
    const row *table = is_large ? large_rows : rows;
    size_t count = is_large ? sizeof large_rows / sizeof *rows : sizeof rows / sizeof *rows;
    const char *plain = name + (is_large ? 6 : 0);

    for (size_t i = 0; i < count; i++) {
        const row *found = &table[i];
        if (strcmp(found->name, plain) != 0)
            continue;
        bench_kernel out = {.name = found->name,
                            .repeat = strcmp(plain, "tiny") == 0 ? 1000 : 1,
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

/* Seconds of user and system time of this process, all its threads; or on the wall. */
typedef struct times {
    double cpu, wall;
} times;

static times now(void)
{
    struct timespec cpu, wall;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    (void)clock_gettime(CLOCK_MONOTONIC, &wall);
    return (times){(double)cpu.tv_sec + (double)cpu.tv_nsec * 1e-9,
                   (double)wall.tv_sec + (double)wall.tv_nsec * 1e-9};
}

static void launch_once(const bench_kernel *kernel, const bench_launcher *launcher,
                        const uint32_t *global, times *spent)
{
    launcher->reset(launcher->user, kernel);
    times start = now();
    for (unsigned i = 0; i < kernel->repeat; i++)
        launcher->launch(launcher->user, kernel, global);
    times end = now();
    spent->cpu += end.cpu - start.cpu;
    spent->wall += end.wall - start.wall;
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
        if (a->kind != ARG_BUFFER)
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

void measure(const bench_kernel *kernel, const bench_launcher *launcher, const char *path)
{
    uint32_t quarter[2] = {kernel->global[0], kernel->global[1]};
    char line[16];

    quarter[quarter[1] > 1] /= 4;
    times start = now();
    launcher->reset(launcher->user, kernel);
    times first = now();
    launcher->launch(launcher->user, kernel, kernel->global);
    times end = now();
    write_buffers(kernel, launcher, path);
    printf("{\"open\": %.9f, \"first\": %.9f}\n", start.cpu, end.cpu - first.cpu);
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
