/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create(), memmem() */
#include "headers.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/store.h"
#include "opencl/wire.h"
#include "visage/visage.h"

enum { MOST_HEADERS = 8, MOST_SECONDS = 60, LONGEST_NAME = 100, SMALLEST = 4096 };

typedef enum headers_state { ABSENT, BEING_MADE, READY, REFUSED } headers_state;

struct headers {
    headers_state state;
    vsg_ocl_wire key;
    int file; /* in memory; sealed when it was made here and is good */
    const char *data;
    size_t size_bytes;
    pid_t maker; /* 0: none, or it has ended */
};

struct headers_table {
    vsg_base_alloc alloc;
    vsg_base_store *store;
    headers entries[MOST_HEADERS];
    uint32_t num_entries, next;
};

headers_table *headers_open(void)
{
    headers_table *table = calloc(1, sizeof *table);

    if (!table)
        return NULL;
    table->alloc = vsg_base_alloc_default();
    table->store = vsg_base_store_open(&table->alloc, NULL, 0);
    if (vsg_base_store_keeps(table->store))
        return table;
    vsg_base_store_close(&table->store);
    free(table);
    return NULL;
}

/* ---- finding ---------------------------------------------------------------------------- */

static void write_key(vsg_ocl_wire *key, const headers_wish *wish)
{
    vsg_ocl_wire_put_text(key, "opencl headers " VISAGE_VERSION_STRING);
    vsg_ocl_wire_put_text(key, wish->identity);
    vsg_ocl_wire_put_text(key, wish->folder);
    vsg_ocl_wire_put_text(key, wish->device);
    vsg_ocl_wire_put_text(key, wish->options);
    vsg_ocl_wire_put_text(key, wish->internal_options);
}

static void forget(headers *h)
{
    if (h->data)
        (void)munmap((void *)(uintptr_t)h->data, h->size_bytes);
    if (h->file >= 0)
        (void)close(h->file);
    vsg_ocl_wire_fini(&h->key);
    *h = (headers){.file = -1};
}

/* Clang's names of identifiers: a byte for the length with the NUL, one for what follows, which
 * is words of 32 bits, the name and the NUL. */
static bool has_name(const headers *h, const char *name)
{
    char wanted[LONGEST_NAME + 2];
    size_t length = strlen(name);
    const char *at = h->data, *end = h->data + h->size_bytes;

    if (length >= LONGEST_NAME)
        return true;
    memcpy(wanted, name, length + 1);
    while ((at = memmem(at, (size_t)(end - at), wanted, length + 1)) != NULL) {
        if (at - h->data >= 2 && (size_t)(unsigned char)at[-2] == length + 1 &&
            (unsigned char)at[-1] % 4 == 0)
            return true;
        at++;
    }
    return false;
}

/* Takes what is in the file. Names that are in all headers must be found in it: that tells
 * whether it has the form that we know. */
static bool take_file(headers *h)
{
    struct stat found;

    if (h->data)
        return true;
    if (fstat(h->file, &found) != 0 || found.st_size < SMALLEST)
        return false;
    void *data = mmap(NULL, (size_t)found.st_size, PROT_READ, MAP_PRIVATE, h->file, 0);
    if (data == MAP_FAILED)
        return false;
    h->data = data;
    h->size_bytes = (size_t)found.st_size;
    return memcmp(h->data, "CPCH", 4) == 0 && has_name(h, "get_global_id") &&
           has_name(h, "M_PI_F");
}

static bool write_all(int file, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, data, size);
        if (written <= 0)
            return false;
        data += written;
        size -= (size_t)written;
    }
    return true;
}

/* What the cache has: headers, or one byte that says that they are of no use. */
static void find_kept(headers_table *table, headers *h)
{
    void *data;
    size_t size;

    if (!vsg_base_store_find(table->store, h->key.data, h->key.size_bytes, &data, &size))
        return;
    h->state = write_all(h->file, data, size) && take_file(h) ? READY : REFUSED;
    vsg_base_delete(&table->alloc, data, size, 1);
}

static bool is_sealed(const headers *h)
{
    int seals = fcntl(h->file, F_GET_SEALS);

    return seals >= 0 && (seals & F_SEAL_WRITE) != 0;
}

/* The maker seals what it has found to be good. */
static void look_after(headers *h)
{
    if (h->maker <= 0)
        return;
    bool has_ended = waitpid(h->maker, NULL, WNOHANG) != 0;
    bool is_good = is_sealed(h);
    if (h->state == BEING_MADE && (is_good || has_ended))
        h->state = is_good && take_file(h) ? READY : REFUSED;
    if (has_ended)
        h->maker = 0;
}

/* A place for one more: the oldest that is not being made. */
static headers *find_place(headers_table *table)
{
    if (table->num_entries < MOST_HEADERS)
        return &table->entries[table->num_entries++];
    for (uint32_t i = 0; i < MOST_HEADERS; i++) {
        headers *h = &table->entries[table->next++ % MOST_HEADERS];
        look_after(h);
        if (h->state == BEING_MADE)
            continue;
        forget(h);
        return h;
    }
    return NULL;
}

headers *headers_find(headers_table *table, const headers_wish *wish)
{
    vsg_ocl_wire key;
    headers *h = NULL;

    vsg_ocl_wire_init(&key, &table->alloc);
    write_key(&key, wish);
    for (uint32_t i = 0; i < table->num_entries && !h && !key.failed; i++) {
        headers *one = &table->entries[i];
        if (one->key.size_bytes == key.size_bytes &&
            memcmp(one->key.data, key.data, key.size_bytes) == 0)
            h = one;
    }
    if (h || key.failed || (h = find_place(table)) == NULL) {
        vsg_ocl_wire_fini(&key);
        if (h)
            look_after(h);
        return h;
    }
    *h = (headers){.key = key, .file = memfd_create("headers", MFD_ALLOW_SEALING)};
    if (h->file < 0)
        h->state = REFUSED;
    else
        find_kept(table, h);
    return h;
}

/* ---- using ------------------------------------------------------------------------------ */

/* The headers ask for such names only, and define, or use in another way, what has_name() finds
 * in them. */
static bool is_reserved(const char *name)
{
    return name[0] == '_' || strncmp(name, "cl_", 3) == 0 || strncmp(name, "CL_", 3) == 0;
}

/* More options for clang. The list of extensions goes to it up to the next blank, and clang's
 * options are separated by tabs as well. */
static char *add_option(const char *internal_options, const char *option, int file)
{
    size_t size = strlen(internal_options) + strlen(option) + 64;
    char *text = malloc(size);

    if (text)
        (void)snprintf(text, size, "%s\t%s\t/proc/self/fd/%d", internal_options, option, file);
    return text;
}

char *headers_options(const headers *h, const char *internal_options, const char *macros)
{
    if (h->state != READY)
        return NULL;
    for (const char *name = macros; *name; name += strlen(name) + 1)
        if (is_reserved(name) || has_name(h, name))
            return NULL;
    return add_option(internal_options, "-include-pch", h->file);
}

/* ---- making ----------------------------------------------------------------------------- */

static int run_source(const ocloc *c, const headers_wish *wish, const char *internal_options,
                      const char *source, ocloc_outputs *out)
{
    /* Its name is not one of the numbers that clang is given for the names of sources: in
     * messages about a source of the same name it would say the folder, too. */
    static const char name[] = " -s visage-headers";
    size_t size = strlen(wish->options) + sizeof name;
    char *options = malloc(size);
    const uint8_t *data = (const uint8_t *)source;
    uint64_t bytes = strlen(source) + 1;
    const char *file = "headers.cl";
    const char *args[] = {"ocloc",
                          "compile",
                          "-q",
                          "-spv_only",
                          "-file",
                          file,
                          "-device",
                          wish->device,
                          "-options",
                          options,
                          "-internal_options",
                          internal_options};
    const ocloc_call call = {.args = args,
                             .num_args = sizeof args / sizeof *args,
                             .sources = {1, &data, &bytes, &file, NULL}};

    *out = (ocloc_outputs){0};
    if (!options)
        return -1;
    (void)snprintf(options, size, "%s%s", wish->options, name);
    int status = ocloc_run(c, &call, out);
    free(options);
    return status;
}

/* Has clang write what it read. There is no code then, at which the compiler aborts: this is
 * for a process of its own. */
static void read_headers(const headers *h, const headers_wish *wish, const ocloc *c)
{
    ocloc_outputs outputs;
    char *internal = add_option(wish->internal_options, "-emit-pch\t-o", h->file);

    if (internal)
        (void)run_source(c, wish, internal, "\n", &outputs);
}

static bool is_code(const char *name)
{
    size_t length = strlen(name);

    return length > 4 && strcmp(name + length - 4, ".spv") == 0;
}

static bool are_same(const ocloc_outputs *a, const ocloc_outputs *b)
{
    bool has_code = false;

    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (!is_code(a->names[i]))
            continue;
        has_code = true;
        if (!is_code(b->names[i]) || a->sizes[i] != b->sizes[i] ||
            memcmp(a->data[i], b->data[i], (size_t)a->sizes[i]) != 0)
            return false;
    }
    return has_code;
}

/* Does a program become the same by them? */
static bool are_good(const headers *h, const headers_wish *wish, const ocloc *c)
{
    static const char sample[] =
        "kernel void sample(global float4 *a, global int *b, local uint *c, float d)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    a[i] = fmax(a[i], d) + sin(a[i].yxwz) * (float4)(M_PI_F, INFINITY, 1, 2);\n"
        "    c[i] = atomic_add(c + 1, as_uint(a[i].x)) + convert_uint_sat_rte(d);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    b[i] = mad24(b[i], 3, popcount(b[i + 1])) + c[i ^ 1];\n"
        "}\n";
    ocloc_outputs without, with;
    char *internal = add_option(wish->internal_options, "-include-pch", h->file);

    return internal && run_source(c, wish, wish->internal_options, sample, &without) == 0 &&
           run_source(c, wish, internal, sample, &with) == 0 && are_same(&without, &with);
}

/* Starts over in a process that the driver knows nothing of. */
static void become_maker(void)
{
    int nothing = open("/dev/null", O_RDWR);

    if (nothing >= 0)
        (void)dup2(nothing, STDIN_FILENO); /* the driver's socket */
    else
        (void)close(STDIN_FILENO);
    (void)alarm(MOST_SECONDS);
    (void)!nice(10);
}

static void make(headers_table *table, headers *h, const headers_wish *wish, const ocloc *c)
{
    int status = 0;

    become_maker();
    if (chdir(wish->folder) != 0)
        _exit(1);
    pid_t reader = fork();
    if (reader == 0) {
        (void)alarm(MOST_SECONDS);
        read_headers(h, wish, c);
        _exit(0);
    }
    if (reader < 0 || waitpid(reader, &status, 0) != reader ||
        (WIFSIGNALED(status) && WTERMSIG(status) != SIGABRT))
        _exit(1);
    bool is_good =
        take_file(h) && are_good(h, wish, c) && fcntl(h->file, F_ADD_SEALS, F_SEAL_WRITE) == 0;
    (void)vsg_base_store_put(table->store, h->key.data, h->key.size_bytes,
                             is_good ? h->data : "-", is_good ? h->size_bytes : 1);
    _exit(0);
}

void headers_make(headers_table *table, headers *h, const headers_wish *wish, const ocloc *c)
{
    if (h->state != ABSENT)
        return;
    pid_t maker = fork();
    if (maker == 0)
        make(table, h, wish, c);
    h->maker = maker;
    h->state = maker < 0 ? REFUSED : BEING_MADE;
}
