/* SPDX-License-Identifier: MIT
 *
 * visage-compiler: runs Intel's offline compiler for the OpenCL driver. It is started by the
 * driver, takes requests from the socket that is its standard input, and ends when that is
 * closed, or when there was nothing to do for a minute. */
#define _GNU_SOURCE /* syscall() */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "headers.h"
#include "ocloc.h"
#include "opencl/wire.h"

enum { SOCKET = STDIN_FILENO, IDLE_SECONDS = 60, MOST_FILES = 1 << 16 };

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

/* ---- what a request says ---------------------------------------------------------------- */

static bool take_files(vsg_ocl_wire *wire, ocloc_files *out)
{
    uint64_t count = vsg_ocl_wire_take_number(wire);

    *out = (ocloc_files){0};
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

static void free_files(ocloc_files *files)
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

/* May a text name files that are looked for in the application's folder? A line that a
 * backslash continues may cut the word that says so in two. */
static bool may_include(const ocloc_files *files)
{
    static const char *const words[] = {"include", "import", "\\\n", "\\\r\n", "?\?/"};

    for (uint32_t i = 0; i < files->count; i++)
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (strstr((const char *)files->copies[i], words[w]))
                return true;
    return false;
}

/* The compiler writes listings to the current folder, whoever has files of their names there.
 * Nobody can make a file in /proc: they are left out there. Returns the folder. */
static const char *enter_none(void)
{
    static const char none[] = "/proc";

    if (chdir(none) == 0)
        return none;
    (void)!chdir("/");
    return "/";
}

/* Adds `-I "folder/of"` to options; `of` need not be relative. False: memory is out, or quotes
 * would end in between. */
static bool add_folder(char **options, const char *folder, const char *of)
{
    bool is_whole = *of == '/';
    size_t size = strlen(*options) + strlen(folder) + strlen(of) + sizeof " -I \"/\"";
    char *more = strpbrk(folder, "\"\\") || strpbrk(of, "\"\\") ? NULL : malloc(size);

    if (!more)
        return false;
    (void)snprintf(more, size, "%s -I \"%s%s%s\"", *options, is_whole ? "" : folder,
                   is_whole ? "" : "/", of);
    free(*options);
    *options = more;
    return true;
}

/* What is looked for in the application's folder, and in those that are told relative to it, is
 * to be found from another one. Returns new options; NULL: they stay as they are. */
static char *find_from_there(const char *folder, const char *folders, const char *options)
{
    char *made = strdup("");
    bool good = made && add_folder(&made, folder, ".");

    for (; good && *folders; folders += strlen(folders) + 1)
        good = add_folder(&made, folder, folders);
    size_t size = good ? strlen(made) + strlen(options) + 2 : 0;
    char *all = good ? malloc(size) : NULL;
    if (all)
        (void)snprintf(all, size, "%s %s", made, options);
    free(made);
    return all;
}

/* ---- requests --------------------------------------------------------------------------- */

typedef struct worker {
    ocloc compiler;
    headers_table *kept; /* NULL: nothing is kept */
} worker;

typedef struct request {
    const char *path, *folder;    /* of the compiler; the application's */
    const char *macros, *folders; /* lists: each with a NUL behind it, "" ends */
    char *options;                /* of our own; NULL: none */
    headers_wish wish; /* options "": the compiler shall read its headers anew, or has none */
    headers *kept;     /* NULL: none are wanted */
    ocloc_call call;
} request;

/* False: it does not end as it should. */
static bool take_list(vsg_ocl_wire *wire, const char **list)
{
    size_t size;

    *list = vsg_ocl_wire_take_bytes(wire, &size);
    return !wire->failed && size > 0 && (*list)[size - 1] == '\0' &&
           (size == 1 || (size > 2 && (*list)[size - 2] == '\0'));
}

static bool take_request(vsg_ocl_wire *wire, request *r)
{
    *r = (request){.path = vsg_ocl_wire_take_text(wire)};
    r->wish.identity = vsg_ocl_wire_take_text(wire);
    r->wish.options = vsg_ocl_wire_take_text(wire);
    bool good = take_list(wire, &r->macros);
    r->folder = vsg_ocl_wire_take_text(wire);
    good = take_list(wire, &r->folders) && good;
    r->call.args = take_arguments(wire, &r->call.num_args);
    return good && r->call.args && take_files(wire, &r->call.sources) &&
           take_files(wire, &r->call.headers) && !wire->failed;
}

static void free_request(request *r)
{
    free(r->options);
    free(r->call.args);
    free_files(&r->call.sources);
    free_files(&r->call.headers);
}

static void find_headers(worker *w, request *r)
{
    const char **device = ocloc_argument(&r->call, "-device");
    const char **internal = ocloc_argument(&r->call, "-internal_options");

    if (!w->kept || !*r->wish.options || !*r->wish.identity || !device || !internal)
        return;
    r->wish.device = *device;
    r->wish.internal_options = *internal;
    r->kept = headers_find(w->kept, &r->wish);
}

/* Sources find what they include. */
static void complete_options(request *r)
{
    const char **options = ocloc_argument(&r->call, "-options");

    if (!options || (!may_include(&r->call.sources) && !may_include(&r->call.headers)))
        return;
    r->options = find_from_there(r->folder, r->folders, *options);
    if (r->options)
        *options = r->options;
    else if (chdir(r->folder) == 0) /* of which there is no telling */
        r->wish.folder = r->folder;
}

/* With kept headers where there are some. A program that fails is compiled without them:
 * nothing shall fail for their sake. */
static int compile(const worker *w, request *r, ocloc_outputs *outputs)
{
    char *options =
        r->kept ? headers_options(r->kept, r->wish.internal_options, r->macros) : NULL;
    int status = -1;

    if (options) {
        const char **internal = ocloc_argument(&r->call, "-internal_options");
        *internal = options;
        status = ocloc_run(&w->compiler, &r->call, outputs);
        *internal = r->wish.internal_options;
        free(options);
        if (status == 0)
            return status;
        ocloc_free(&w->compiler, outputs);
    }
    return ocloc_run(&w->compiler, &r->call, outputs);
}

static void write_result(vsg_ocl_wire *wire, int status, const char *message,
                         const ocloc_outputs *outputs)
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
static bool answer(worker *w, vsg_ocl_wire *wire)
{
    char message[1024] = "";
    request r;
    ocloc_outputs outputs = {0};
    vsg_ocl_wire result;
    int status = -1;
    bool good = take_request(wire, &r);

    vsg_ocl_wire_init(&result, wire->alloc);
    if (good && ocloc_load(&w->compiler, r.path, message, sizeof message)) {
        r.wish.folder = enter_none();
        complete_options(&r);
        find_headers(w, &r);
        status = compile(w, &r, &outputs);
        (void)!chdir("/"); /* in no file system's way while there is nothing to do */
    }
    if (good) {
        write_result(&result, status, message, &outputs);
        good = vsg_ocl_wire_send(SOCKET, VSG_OCL_WIRE_RESULT, &result, 0) == VSG_OCL_WIRE_OK;
    }
    if (good && r.kept)
        headers_make(w->kept, r.kept, &r.wish, &w->compiler);
    ocloc_free(&w->compiler, &outputs);
    vsg_ocl_wire_fini(&result);
    free_request(&r);
    return good;
}

/* Says which process it is, so that the driver can see what time it has had. */
static bool accept_request(const vsg_base_alloc *alloc)
{
    vsg_ocl_wire wire;

    vsg_ocl_wire_init(&wire, alloc);
    vsg_ocl_wire_put_number(&wire, (uint64_t)getpid());
    vsg_ocl_wire_status status = vsg_ocl_wire_send(SOCKET, VSG_OCL_WIRE_ACCEPTED, &wire, 0);
    vsg_ocl_wire_fini(&wire);
    return status == VSG_OCL_WIRE_OK;
}

/* What is allocated, not what is mapped. Sanitizers map more than any limit allows. */
static void limit_memory(const char *mib)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    rlim_t bytes = (rlim_t)strtoul(mib, NULL, 10) << 20;
    const struct rlimit limit = {bytes, bytes};

    if (bytes > 0)
        (void)setrlimit(RLIMIT_DATA, &limit);
#else
    (void)mib;
#endif
}

int main(int argc, char **argv)
{
    const struct rlimit none = {0, 0};
    struct stat input;
    vsg_base_alloc alloc = vsg_base_alloc_default();
    worker w = {0};
    vsg_ocl_wire wire;

    if (fstat(SOCKET, &input) != 0 || !S_ISSOCK(input.st_mode)) {
        (void)fputs("visage-compiler is started by visage's OpenCL driver, not by hand.\n",
                    stderr);
        return 2;
    }
    close_others();
    (void)setrlimit(RLIMIT_CORE, &none); /* it does crash */
    if (argc > 1)
        limit_memory(argv[1]);
    start_watching();
    w.kept = headers_open();
    vsg_ocl_wire_init(&wire, &alloc);
    for (;;) {
        uint64_t deadline = vsg_ocl_wire_clock() + (uint64_t)IDLE_SECONDS * 1000000000u;
        if (vsg_ocl_wire_receive(SOCKET, VSG_OCL_WIRE_REQUEST, &wire, deadline) !=
                VSG_OCL_WIRE_OK ||
            !accept_request(&alloc) || !answer(&w, &wire))
            _exit(0); /* not exit(): the compiler's destructors have been seen to crash */
    }
}
