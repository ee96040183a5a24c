/* SPDX-License-Identifier: MIT
 *
 * Real listings (tests/data/text, tests/data/vector): what was read from one is printed as the
 * same bytes. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>

#include "text/printer.h"
#include "text_support.h"

static const char *const folders[] = {"text",         "vector/skl",       "vector/icllp",
                                      "vector/tgllp", "vector/xe_hp_sdv", "vector/dg2",
                                      "vector/pvc"};

static char *load(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");

    if (!file)
        fail_msg("cannot open %s", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length > 0);
    rewind(file);
    char *text = malloc((size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, file), (size_t)length);
    text[length] = '\0';
    (void)fclose(file);
    *size = (size_t)length;
    return text;
}

/* What is still expected of a file. */
typedef struct rest {
    const char *at;
    size_t length;
    const char *path;
} rest;

static bool compare(void *user, const void *data, size_t size_bytes)
{
    rest *r = user;
    const char *piece = data;
    size_t same = 0;

    while (same < size_bytes && same < r->length && piece[same] == r->at[same])
        same++;
    if (same < size_bytes)
        fail_msg("%s: printed '%.*s' for '%.60s'", r->path,
                 (int)(size_bytes - same < 60 ? size_bytes - same : 60), piece + same,
                 r->at + same);
    r->at += size_bytes;
    r->length -= size_bytes;
    return true;
}

static void check_file(fixture *f, const char *path)
{
    const vsg_txt_print_options options = {0};
    size_t size;
    char *text = load(path, &size);
    rest r = {text, size, path};

    if (read_as(f, text, size, VISAGE_PLATFORM_NONE, NULL) != VISAGE_OK)
        fail_msg("cannot read %s", path);
    assert_int_equal(vsg_txt_print(f->module, &options, compare, &r), VISAGE_OK);
    if (r.length)
        fail_msg("%s: '%.60s' was not printed", path, r.at);
    free(text);
}

static size_t check_folder(fixture *f, const char *folder)
{
    const char *slash = strrchr(__FILE__, '/');
    char path[2048];
    size_t found = 0;

    (void)snprintf(path, sizeof path, "%.*s%s../data/%s", slash ? (int)(slash - __FILE__) : 0,
                   __FILE__, slash ? "/" : "", folder);
    DIR *directory = opendir(path);
    if (!directory)
        fail_msg("cannot open %s", path);
    size_t length = strlen(path);
    for (struct dirent *entry; (entry = readdir(directory));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".visaasm") != 0)
            continue;
        (void)snprintf(path + length, sizeof path - length, "/%s", entry->d_name);
        check_file(f, path);
        found++;
    }
    (void)closedir(directory);
    return found;
}

static void same_bytes(void **state)
{
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (check_folder(*state, folders[i]) == 0)
            fail_msg("no text in %s", folders[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(same_bytes, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("print_files", tests, NULL, NULL);
}
