/* SPDX-License-Identifier: MIT
 *
 * For tests that build programs: they have a cache of their own, which begins empty. */
#ifndef VISAGE_TESTS_BUILDING_H
#define VISAGE_TESTS_BUILDING_H

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "driver.h"

static char building_cache[64];

/* The compiler's own headers, which it keeps there too and when it likes, are larger than what
 * the tests' programs become. */
enum { BUILDING_LARGE = 1 << 20 };

/* For each file of the cache that begins with another letter than a dot: its path, its size. */
static inline void building_each(void (*visit)(const char *path, size_t size, void *user),
                                 void *user)
{
    char path[512];
    struct stat found;
    DIR *folder = opendir(building_cache);
    struct dirent *entry;

    while (folder && (entry = readdir(folder)) != NULL) {
        (void)snprintf(path, sizeof path, "%s/%s", building_cache, entry->d_name);
        if (entry->d_name[0] != '.' && stat(path, &found) == 0)
            visit(path, (size_t)found.st_size, user);
    }
    if (folder)
        (void)closedir(folder);
}

static inline void building_count_small(const char *path, size_t size, void *user)
{
    *(size_t *)user += strstr(path, ".entry") != NULL && size < BUILDING_LARGE;
}

/* Programs in the cache. */
static inline size_t building_count(void)
{
    size_t count = 0;

    building_each(building_count_small, &count);
    return count;
}

static inline bool building_has(const char *text, size_t size, const char *wanted)
{
    size_t length = strlen(wanted);

    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(text + i, wanted, length) == 0)
            return true;
    return false;
}

/* Has the process our cache? */
static inline bool building_is_ours(const char *pid)
{
    char path[300], text[65536];

    (void)snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    int file = open(path, O_RDONLY);
    ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        (void)close(file);
    return size > 0 && building_has(text, (size_t)size, building_cache);
}

/* Sends the compilers' processes a signal, 0: none; returns how many there are whose /proc file
 * has a text. */
static inline int building_compilers(int signal_number, const char *name, const char *wanted)
{
    int count = 0;
    static char text[1 << 18];
    char path[300];
    DIR *folder = opendir("/proc");
    struct dirent *entry;

    while (folder && (entry = readdir(folder)) != NULL) {
        long pid = strtol(entry->d_name, NULL, 10);
        (void)snprintf(path, sizeof path, "/proc/%.20s/comm", entry->d_name);
        int file = pid > 0 ? open(path, O_RDONLY) : -1;
        ssize_t size = file < 0 ? -1 : read(file, text, sizeof text);
        if (file >= 0)
            (void)close(file);
        if (size < 15 || memcmp(text, "visage-compiler", 15) != 0 ||
            !building_is_ours(entry->d_name))
            continue;
        if (signal_number)
            (void)kill((pid_t)pid, signal_number);
        (void)snprintf(path, sizeof path, "/proc/%.20s/%s", entry->d_name, name);
        FILE *stream = fopen(path, "r");
        size_t length = stream ? fread(text, 1, sizeof text, stream) : 0;
        if (stream)
            (void)fclose(stream);
        count += building_has(text, length, wanted);
    }
    if (folder)
        (void)closedir(folder);
    return count;
}

static inline void building_remove(const char *path, size_t size, void *user)
{
    (void)user;
    (void)size;
    (void)unlink(path);
}

/* The compilers end first: one that is still at its headers would make the folder again. */
static inline void building_end(void)
{
    const struct timespec nap = {0, 10000000};

    while (building_compilers(SIGKILL, "comm", "visage") > 0)
        (void)nanosleep(&nap, NULL);
    building_each(building_remove, NULL);
    (void)rmdir(building_cache);
}

/* Before the first program is built; what the cache is left with goes when the process ends.
 * Returns what to end with at once, 0: nothing. */
static inline int building_begin(void)
{
    (void)snprintf(building_cache, sizeof building_cache, "%s", "/tmp/visage-driver-XXXXXX");
    if (!mkdtemp(building_cache) || atexit(building_end) != 0 ||
        setenv("VISAGE_CACHE_DIR", building_cache, 1) != 0)
        return 1;
    return driver_need_compiler();
}

/* Around a test whose state is a driver. */
static inline int building_open(void **state)
{
    static driver d;

    d = driver_open("Skylake", 0);
    *state = &d;
    return 0;
}

static inline int building_close(void **state)
{
    driver_close(*state);
    return 0;
}

#define BUILDING_TEST(name) cmocka_unit_test_setup_teardown(name, building_open, building_close)

/* A program of one source; not built. */
static inline cl_program building_program(const driver *d, const char *source)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(d->context, 1, &source, NULL, &status);

    GOOD(status);
    return program;
}

static inline const char *building_log(const driver *d, cl_program program)
{
    static char log[16384];

    GOOD(
        clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    return log;
}

static inline cl_program building_built(const driver *d, const char *source,
                                        const char *options)
{
    cl_program program = building_program(d, source);
    cl_int status = clBuildProgram(program, 0, NULL, options, NULL, NULL);

    if (status != CL_SUCCESS)
        print_message("%s\n", building_log(d, program));
    GOOD(status);
    return program;
}

static inline cl_kernel building_kernel(cl_program program, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);

    GOOD(status);
    return kernel;
}

static inline cl_mem building_buffer(const driver *d, size_t size, void *data)
{
    cl_int status;
    cl_mem memory =
        clCreateBuffer(d->context, data ? CL_MEM_COPY_HOST_PTR : 0, size, data, &status);

    GOOD(status);
    return memory;
}

/* Runs a kernel and waits; its arguments are set. */
static inline void building_run(const driver *d, cl_kernel kernel, size_t global, size_t local)
{
    GOOD(clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &global, local ? &local : NULL, 0,
                                NULL, NULL));
    GOOD(clFinish(d->queue));
}

/* A program with a kernel `f`, whose result is the number that an option names. */
#define BUILDING_NUMBER "kernel void f(global int *r) { r[get_global_id(0)] = NUMBER; }\n"

/* What kernel `f` of a built program leaves in a buffer; releases the program. */
static inline int building_result(const driver *d, cl_program program)
{
    cl_kernel kernel = building_kernel(program, "f");
    cl_mem memory = building_buffer(d, 4, NULL);
    int result = 0;

    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    building_run(d, kernel, 1, 0);
    GOOD(clEnqueueReadBuffer(d->queue, memory, CL_TRUE, 0, 4, &result, 0, NULL, NULL));
    driver_release(program, (cl_kernel[]){kernel, NULL}, (cl_mem[]){memory, NULL});
    return result;
}

static inline cl_program_binary_type building_type(const driver *d, cl_program program)
{
    cl_program_binary_type type;

    GOOD(clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type,
                               NULL));
    return type;
}

static inline cl_program building_compiled(const driver *d, const char *source,
                                           const char *options)
{
    cl_program program = building_program(d, source);

    GOOD(clCompileProgram(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(building_type(d, program), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    return program;
}

static inline cl_program building_linked(const driver *d, const char *options, cl_uint count,
                                         const cl_program *parts)
{
    cl_int status;
    cl_program program =
        clLinkProgram(d->context, 0, NULL, options, count, parts, NULL, NULL, &status);

    if (status != CL_SUCCESS && program)
        print_message("%s\n", building_log(d, program));
    GOOD(status);
    return program;
}

#endif
