/* SPDX-License-Identifier: MIT
 *
 * The files of tests/data/binary, for tests that go through all of them. Include after
 * binary_support.h. */
#ifndef VISAGE_TESTS_BINARY_FILES_H
#define VISAGE_TESTS_BINARY_FILES_H

#include <dirent.h>

#include "binary_support.h"

enum { MOST_FILES = 128 };

static char folder[1024];
static char *names[MOST_FILES];
static size_t num_names;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), wanted = strlen(end);
    return length >= wanted && strcmp(name + length - wanted, end) == 0;
}

static int find_files(void **state)
{
    const char *slash = strrchr(__FILE__, '/');

    (void)state;
    (void)snprintf(folder, sizeof folder, "%.*s%s../data/binary",
                   slash ? (int)(slash - __FILE__) : 0, __FILE__, slash ? "/" : "");
    DIR *directory = opendir(folder);
    if (!directory)
        return -1;
    for (struct dirent *entry; (entry = readdir(directory)) && num_names < MOST_FILES;)
        if (ends_in(entry->d_name, ".isa") || ends_in(entry->d_name, ".cut"))
            names[num_names++] = strdup(entry->d_name);
    (void)closedir(directory);
    qsort(names, num_names, sizeof names[0], by_name);
    return num_names > 0 ? 0 : -1;
}

static int forget_files(void **state)
{
    (void)state;
    while (num_names > 0)
        free(names[--num_names]);
    return 0;
}

/* A NUL follows the bytes; free() it. */
static inline uint8_t *load(const char *name, size_t *size)
{
    char path[2048];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length > 0);
    rewind(file);
    uint8_t *bytes = malloc((size_t)length + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)length, file), (size_t)length);
    bytes[length] = 0;
    (void)fclose(file);
    *size = (size_t)length;
    return bytes;
}

/* Reads into f->module, from a block of exactly that size. */
static inline visage_status read_binary(fixture *f, const uint8_t *bytes, size_t size)
{
    clean(f);
    f->module = vsg_obj_create(&f->alloc);
    f->diagnostics = vsg_base_diagnostics_new(&f->alloc);
    f->text = malloc(size ? size : 1);
    if (!f->module || !f->diagnostics)
        return VISAGE_NO_MEMORY;
    assert_non_null(f->text);
    memcpy(f->text, bytes, size);
    vsg_obj_binary input = {.name = "k.isa", .data = f->text, .size_bytes = size};
    return vsg_obj_read_binary(f->module, &input, f->diagnostics);
}

/* The listing of a unit of the file `name`: "fn.<unit>" in place of the kernel. */
static inline void listing_of(const char *name, const vsg_obj_unit *unit, char *out,
                              size_t size)
{
    int stem = (int)(strrchr(name, '.') - name);

    if (unit->is_function) {
        while (name[stem - 1] != '.')
            stem--;
        (void)snprintf(out, size, "%.*sfn.%s.visaasm", stem, name, unit->name);
    } else {
        (void)snprintf(out, size, "%.*s.visaasm", stem, name);
    }
}

/* A listing read into a module of its own. */
static inline vsg_obj_module *read_listing(fixture *f, const char *name,
                                           visage_platform platform)
{
    size_t size;
    uint8_t *text = load(name, &size);
    vsg_obj_module *module = vsg_obj_create(&f->alloc);
    vsg_txt_input input = {.name = name, .text = (const char *)text, .size_bytes = size};

    assert_non_null(module);
    module->platform = platform;
    assert_int_equal(vsg_txt_parse(module, &input, f->diagnostics), VISAGE_OK);
    free(text);
    return module;
}

#endif
