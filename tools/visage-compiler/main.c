/* SPDX-License-Identifier: MIT
 *
 * visage-compiler: runs Intel's offline compiler for the OpenCL driver. It is started by the
 * driver, takes requests from the socket that is its standard input, and ends when that is
 * closed, or when there was nothing to do for a minute. */
#define _GNU_SOURCE /* syscall() */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "opencl/wire.h"

enum { SOCKET = STDIN_FILENO, IDLE_SECONDS = 60, MOST_FILES = 1 << 16 };

/* The compiler's interface. Source: intel/compute-runtime, shared/offline_compiler,
 * ocloc_api.h: C functions without a header of their own in Debian's package. */
typedef int (*invoke_fn)(uint32_t num_args, const char **args, uint32_t num_sources,
                         const uint8_t **source_data, const uint64_t *source_sizes,
                         const char **source_names, uint32_t num_headers,
                         const uint8_t **header_data, const uint64_t *header_sizes,
                         const char **header_names, uint32_t *num_outputs,
                         uint8_t ***output_data, uint64_t **output_sizes, char ***output_names);
typedef int (*free_fn)(uint32_t *num_outputs, uint8_t ***output_data, uint64_t **output_sizes,
                       char ***output_names);

typedef struct compiler {
    void *library;
    invoke_fn invoke;
    free_fn free_output;
} compiler;

/* Files of a request, as the compiler wants them: an array for each of their parts. */
typedef struct file_list {
    uint32_t count;
    const uint8_t **data;
    uint64_t *sizes;
    const char **names;
    uint8_t **copies; /* of texts, which need a NUL behind them */
} file_list;

/* ---- watching --------------------------------------------------------------------------- */

/* Ends the process as soon as the driver is gone, whatever the compiler does meanwhile: there
 * is nobody left whom the result could matter to. */
static void *watch(void *unused)
{
    struct pollfd one = {.fd = SOCKET, .events = POLLRDHUP};

    (void)unused;
    for (;;) {
        if (poll(&one, 1, -1) > 0 && (one.revents & (POLLHUP | POLLRDHUP | POLLERR | POLLNVAL)))
            _exit(0);
    }
}

static void start_watching(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, watch, NULL) != 0)
        _exit(1);
    (void)pthread_detach(thread);
}

/* Files of the application that were not meant to be inherited would be kept open here. */
static void close_others(void)
{
#if defined(SYS_close_range)
    if (syscall(SYS_close_range, 3u, ~0u, 0u) == 0)
        return;
#endif
    struct rlimit limit;
    long most = 1024;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536)
        most = (long)limit.rlim_cur;
    for (int file = 3; file < most; file++)
        (void)close(file);
}

/* ---- the compiler ----------------------------------------------------------------------- */

static bool load(compiler *c, const char *path, char *message, size_t size)
{
    if (c->library)
        return true;
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        const char *reason = dlerror();
        (void)snprintf(message, size, "%s", reason ? reason : "the compiler cannot be loaded");
        return false;
    }
    /* POSIX has functions in pointers to objects; C has not. */
    void *invoke = dlsym(library, "oclocInvoke");
    void *release = dlsym(library, "oclocFreeOutput");
    if (!invoke || !release) {
        (void)snprintf(message, size, "%s lacks oclocInvoke or oclocFreeOutput", path);
        return false;
    }
    memcpy(&c->invoke, &invoke, sizeof c->invoke);
    memcpy(&c->free_output, &release, sizeof c->free_output);
    c->library = library;
    return true;
}

static bool take_files(vsg_ocl_wire *wire, file_list *out)
{
    uint64_t count = vsg_ocl_wire_take_number(wire);

    *out = (file_list){0};
    if (wire->failed || count > MOST_FILES)
        return false;
    size_t room = (size_t)count + 1;
    out->data = calloc(room, sizeof *out->data);
    out->sizes = calloc(room, sizeof *out->sizes);
    out->names = calloc(room, sizeof *out->names);
    out->copies = calloc(room, sizeof *out->copies);
    if (!out->data || !out->sizes || !out->names || !out->copies)
        return false;
    for (; out->count < count; out->count++) {
        size_t size;
        uint32_t i = out->count;
        out->names[i] = vsg_ocl_wire_take_text(wire);
        bool is_text = vsg_ocl_wire_take_number(wire) != 0;
        const char *data = vsg_ocl_wire_take_bytes(wire, &size);
        if (wire->failed)
            return false;
        out->copies[i] = malloc(size + 1);
        if (!out->copies[i])
            return false;
        memcpy(out->copies[i], data, size);
        out->copies[i][size] = '\0';
        out->data[i] = out->copies[i];
        out->sizes[i] = size + is_text;
    }
    return true;
}

static void free_files(file_list *files)
{
    for (uint32_t i = 0; files->copies && i < files->count; i++)
        free(files->copies[i]);
    free(files->data);
    free(files->sizes);
    free(files->names);
    free(files->copies);
}

static const char **take_arguments(vsg_ocl_wire *wire, uint32_t *count)
{
    uint64_t number = vsg_ocl_wire_take_number(wire);

    if (wire->failed || number > MOST_FILES)
        return NULL;
    const char **list = calloc((size_t)number + 2, sizeof *list);
    if (!list)
        return NULL;
    list[0] = "ocloc";
    for (uint64_t i = 0; i < number; i++)
        list[i + 1] = vsg_ocl_wire_take_text(wire);
    *count = (uint32_t)number + 1;
    return list;
}

/* ---- where it runs ---------------------------------------------------------------------- */

/* May a text name files that are looked for in the application's folder? */
static bool may_include(const file_list *files)
{
    for (uint32_t i = 0; i < files->count; i++)
        if (strstr((const char *)files->copies[i], "include"))
            return true;
    return false;
}

/* The compiler writes listings to the current folder. Nobody can make a file in /proc: they are
 * left out there. */
static void enter(const char *folder, const file_list *sources, const file_list *headers)
{
    bool is_needed = may_include(sources) || may_include(headers);

    if (chdir(is_needed ? folder : "/proc") != 0)
        (void)!chdir("/");
}

static bool is_listing(const char *name)
{
    size_t length = strlen(name);

    return length > 8 && strcmp(name + length - 8, ".visaasm") == 0 &&
           (strncmp(name, "kernel", 6) == 0 || strncmp(name, "OCL_asm", 7) == 0);
}

/* Removes the listings that were written since. */
static void remove_listings(time_t since)
{
    DIR *folder = opendir(".");
    struct dirent *entry;
    struct stat found;

    while (folder && (entry = readdir(folder)) != NULL)
        if (is_listing(entry->d_name) && lstat(entry->d_name, &found) == 0 &&
            S_ISREG(found.st_mode) && found.st_mtime >= since)
            (void)unlink(entry->d_name);
    if (folder)
        (void)closedir(folder);
}

/* ---- requests --------------------------------------------------------------------------- */

typedef struct output_list {
    uint32_t count;
    uint8_t **data;
    uint64_t *sizes;
    char **names;
} output_list;

static void write_result(vsg_ocl_wire *wire, int status, const char *message,
                         const output_list *outputs)
{
    vsg_ocl_wire_put_number(wire, (uint64_t)(int64_t)status);
    vsg_ocl_wire_put_text(wire, message);
    vsg_ocl_wire_put_number(wire, outputs->count);
    for (uint32_t i = 0; i < outputs->count; i++) {
        vsg_ocl_wire_put_text(wire, outputs->names[i]);
        vsg_ocl_wire_put_bytes(wire, outputs->data[i], (size_t)outputs->sizes[i]);
    }
}

/* Works at a request and answers it. False: that makes no sense, or memory is out. */
static bool answer(compiler *c, vsg_ocl_wire *request)
{
    char message[1024] = "";
    const char *library = vsg_ocl_wire_take_text(request);
    const char *folder = vsg_ocl_wire_take_text(request);
    uint32_t num_args = 0;
    file_list sources = {0}, headers = {0};
    output_list outputs = {0};
    vsg_ocl_wire result;
    int status = -1;
    const char **args = take_arguments(request, &num_args);
    bool good = args && take_files(request, &sources) && take_files(request, &headers) &&
                !request->failed;

    vsg_ocl_wire_init(&result, request->alloc);
    if (good && load(c, library, message, sizeof message)) {
        time_t since = time(NULL);
        enter(folder, &sources, &headers);
        status =
            c->invoke(num_args, args, sources.count, sources.data, sources.sizes, sources.names,
                      headers.count, headers.data, headers.sizes, headers.names, &outputs.count,
                      &outputs.data, &outputs.sizes, &outputs.names);
        remove_listings(since);
        (void)!chdir("/"); /* in no file system's way while there is nothing to do */
    }
    if (good) {
        write_result(&result, status, message, &outputs);
        good = vsg_ocl_wire_send(SOCKET, VSG_OCL_WIRE_RESULT, &result, 0) == VSG_OCL_WIRE_OK;
    }
    if (c->free_output && outputs.data)
        (void)c->free_output(&outputs.count, &outputs.data, &outputs.sizes, &outputs.names);
    vsg_ocl_wire_fini(&result);
    free(args);
    free_files(&sources);
    free_files(&headers);
    return good;
}

int main(void)
{
    const struct rlimit none = {0, 0};
    struct stat input;
    vsg_base_alloc alloc = vsg_base_alloc_default();
    compiler c = {0};
    vsg_ocl_wire request;

    if (fstat(SOCKET, &input) != 0 || !S_ISSOCK(input.st_mode)) {
        (void)fputs("visage-compiler is started by visage's OpenCL driver, not by hand.\n",
                    stderr);
        return 2;
    }
    close_others();
    (void)setrlimit(RLIMIT_CORE, &none); /* it does crash */
    start_watching();
    vsg_ocl_wire_init(&request, &alloc);
    for (;;) {
        uint64_t deadline = vsg_ocl_wire_clock() + (uint64_t)IDLE_SECONDS * 1000000000u;
        if (vsg_ocl_wire_receive(SOCKET, VSG_OCL_WIRE_REQUEST, &request, deadline) !=
                VSG_OCL_WIRE_OK ||
            vsg_ocl_wire_send(SOCKET, VSG_OCL_WIRE_ACCEPTED, NULL, 0) != VSG_OCL_WIRE_OK ||
            !answer(&c, &request))
            _exit(0); /* not exit(): the compiler's destructors have been seen to crash */
    }
}
