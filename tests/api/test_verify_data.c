/* SPDX-License-Identifier: MIT
 *
 * Every module among the tests' data, which a compiler made, is legal: the verifier reports
 * nothing on it, for the device that its name says. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <sys/stat.h>

#include "visage/visage.h"

enum { PATH_BYTES = 1024, DEEPEST = 8 };

typedef struct fixture {
    visage_context *context;
    unsigned texts, binaries, zebins, wrong;
} fixture;

/* A word of the path, such as pvc in pvc/k.visaasm and vector.pvc.k.visaasm. */
static visage_platform platform_of(const char *path)
{
    char copy[PATH_BYTES];
    char *rest = copy;

    (void)snprintf(copy, sizeof copy, "%s", path);
    for (char *word = strtok_r(rest, "/.", &rest); word; word = strtok_r(NULL, "/.", &rest))
        if (visage_platform_find(word) != VISAGE_PLATFORM_NONE)
            return visage_platform_find(word);
    return VISAGE_PLATFORM_NONE;
}

static void show(const char *path, const visage_diagnostics *diagnostics, size_t from)
{
    char text[PATH_BYTES];

    for (size_t i = from; i < visage_diagnostics_count(diagnostics); i++) {
        (void)visage_diagnostic_render(visage_diagnostics_get(diagnostics, i), false, text,
                                       sizeof text);
        print_error("%s: %s\n", path, text);
    }
}

/* Files of the compiler's other backend have no text: they hold no module. */
static bool has_no_text(const visage_diagnostics *diagnostics)
{
    return visage_diagnostics_count(diagnostics) == 1 &&
           strcmp(visage_diagnostics_get(diagnostics, 0)->code, "R0012") == 0;
}

static void verify(fixture *f, const char *path, const char *name, unsigned *count)
{
    visage_diagnostics *diagnostics = NULL;
    visage_module *module = NULL;
    visage_verify_options options = {.struct_size = sizeof options,
                                     .platform = platform_of(name)};

    assert_int_equal(visage_diagnostics_create(f->context, &diagnostics), VISAGE_OK);
    visage_status status =
        visage_module_read_file(f->context, path, NULL, diagnostics, &module);
    size_t told = visage_diagnostics_count(diagnostics); /* of cut binaries */
    if (status == VISAGE_OK) {
        status = visage_verify(module, &options, diagnostics);
        f->wrong += status != VISAGE_OK || visage_diagnostics_count(diagnostics) > told;
        show(path, diagnostics, told);
        ++*count;
    } else if (!has_no_text(diagnostics)) {
        f->wrong++;
        show(path, diagnostics, 0);
    }
    visage_module_destroy(&module);
    visage_diagnostics_destroy(&diagnostics);
}

static void verify_file(fixture *f, const char *path, const char *name)
{
    const char *dot = strrchr(path, '.');

    if (!dot)
        return;
    if (strcmp(dot, ".visaasm") == 0)
        verify(f, path, name, &f->texts);
    else if (strcmp(dot, ".isa") == 0 || strcmp(dot, ".cut") == 0)
        verify(f, path, name, &f->binaries);
    else if (strcmp(dot, ".zebin") == 0)
        verify(f, path, name, &f->zebins);
}

/* skip: bytes of the path that say nothing of the device. */
static void walk(fixture *f, const char *folder, size_t skip, unsigned depth)
{
    char path[PATH_BYTES];
    struct stat facts;
    const struct dirent *entry;
    DIR *stream = opendir(folder);

    assert_non_null(stream);
    assert_true(depth < DEEPEST);
    while ((entry = readdir(stream)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        assert_true(length > 0 && (size_t)length < sizeof path);
        assert_int_equal(stat(path, &facts), 0);
        if (S_ISDIR(facts.st_mode))
            walk(f, path, skip, depth + 1);
        else
            verify_file(f, path, path + skip);
    }
    closedir(stream);
}

static void test_all_data(void **state)
{
    fixture f = {0};
    char path[PATH_BYTES];
    const char *slash = strrchr(__FILE__, '/');

    (void)state;
    (void)snprintf(path, sizeof path, "%.*s../data", slash ? (int)(slash + 1 - __FILE__) : 0,
                   __FILE__);
    assert_int_equal(visage_context_create(NULL, &f.context), VISAGE_OK);
    walk(&f, path, strlen(path), 0);
    visage_context_destroy(&f.context);
    assert_int_equal(f.wrong, 0);
    /* There is something of each. */
    assert_true(f.texts >= 50 && f.binaries >= 20 && f.zebins >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_data)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
