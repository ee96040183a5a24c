/* SPDX-License-Identifier: MIT
 *
 * Real compiler output (tests/data/text): read as it is, damaged, and short of memory. Numbers
 * are compared with those that the listings themselves have. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>

#include "text_support.h"

enum { MOST_FILES = 128 };

static char folder[1024];
static char *names[MOST_FILES];
static size_t num_names;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int find_files(void **state)
{
    const char *slash = strrchr(__FILE__, '/');

    (void)state;
    (void)snprintf(folder, sizeof folder, "%.*s%s../data/text",
                   slash ? (int)(slash - __FILE__) : 0, __FILE__, slash ? "/" : "");
    DIR *directory = opendir(folder);
    if (!directory)
        return -1;
    for (struct dirent *entry; (entry = readdir(directory)) && num_names < MOST_FILES;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && strcmp(dot, ".visaasm") == 0)
            names[num_names++] = strdup(entry->d_name);
    }
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

/* NUL-terminated; free() it. */
static char *load(const char *name, size_t *size)
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
    char *text = malloc((size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, file), (size_t)length);
    text[length] = '\0';
    (void)fclose(file);
    *size = (size_t)length;
    return text;
}

static const vsg_obj_inst *inst_of_line(const vsg_obj_unit *unit, uint32_t line, size_t *index)
{
    while (*index < unit->num_insts && unit->insts[*index].place.line < line)
        (*index)++;
    if (*index < unit->num_insts && unit->insts[*index].place.line == line)
        return &unit->insts[*index];
    return NULL;
}

/* Every line that ends in "/// $n" is instruction n; a label has a line of its own. */
static size_t check_numbers(const vsg_obj_unit *unit, const char *text)
{
    size_t found = 0, index = 0;
    uint32_t line = 1;

    for (const char *at = text; *at; line++) {
        const char *end = strchr(at, '\n');
        const char *number = strstr(at, "/// $");
        const vsg_obj_inst *inst = inst_of_line(unit, line, &index);
        if (number && number < end) {
            assert_non_null(inst);
            assert_int_equal(vsg_obj_locate(unit, inst).instruction,
                             strtoull(number + 5, NULL, 10));
            found++;
        } else if (inst) {
            assert_true(inst->op == VISAGE_OP_LABEL || inst->op == VISAGE_OP_SUBROUTINE);
            found++;
        }
        at = end + 1;
    }
    return found;
}

static size_t count_lines(const char *text, const char *start)
{
    size_t count = 0;

    for (const char *at = text; *at; at = strchr(at, '\n') + 1)
        count += strncmp(at, start, strlen(start)) == 0;
    return count;
}

static void whole_files(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i < num_names; i++) {
        size_t size;
        char *text = load(names[i], &size);
        assert_true(vsg_txt_is_text(text, size));
        const vsg_obj_unit *unit = read_good(f, text);
        assert_int_equal(f->module->num_units, 1);
        assert_int_equal(f->module->version_major, 4);
        assert_int_equal(check_numbers(unit, text), unit->num_insts);
        assert_int_equal(unit->num_variables + unit->num_addresses + unit->num_predicates +
                             unit->num_samplers + unit->num_surfaces,
                         count_lines(text, ".decl "));
        assert_int_equal(unit->num_inputs,
                         count_lines(text, ".input ") + count_lines(text, ".implicit_"));
        assert_int_equal(unit->attributes.count, count_lines(text, ".kernel_attr "));
        assert_int_equal(unit->is_function, count_lines(text, ".global_function "));
        free(text);
    }
}

/* Whatever comes of it, the result says whether errors were reported. */
static void read_any(fixture *f, const char *text, size_t size)
{
    visage_status status = read_as(f, text, size, VISAGE_PLATFORM_NONE, NULL);

    assert_true(status == VISAGE_OK || status == VISAGE_SYNTAX);
    assert_int_equal(status == VISAGE_SYNTAX, visage_diagnostics_errors(f->diagnostics) > 0);
}

static void truncated(void **state)
{
    for (size_t i = 0; i < num_names; i += 4) {
        size_t size;
        char *text = load(names[i], &size);
        for (size_t length = 0; length < size; length += 1 + size / 97)
            read_any(*state, text, length);
        free(text);
    }
}

static void damaged(void **state)
{
    static const char bytes[] = "\0\n\"(){}<>[]/*.,:;-+%&$ \xff\x80"
                                "09azVPAT";
    uint32_t random = 1;

    for (size_t i = 0; i < num_names; i += 3) {
        size_t size;
        char *text = load(names[i], &size);
        for (unsigned n = 0; n < 100; n++) {
            random = random * 1664525 + 1013904223;
            size_t at = (random >> 4) % size;
            char kept = text[at];
            text[at] = bytes[(random >> 24) % (sizeof bytes - 1)];
            read_any(*state, text, size);
            text[at] = kept;
        }
        free(text);
    }
}

/* The n-th allocation fails, for every n: no crash, no leak, and the status says so. */
static void no_memory(void **state)
{
    fixture *f = *state;
    static const char extra[] =
        ".kernel more\n.decl x v_type=G type=d num_elts=1 attrs={A=\"b\", C}\n"
        ".decl a v_type=A num_elts=1\n.decl p v_type=P num_elts=1\n.decl s v_type=S v_name=q\n"
        ".decl t v_type=T\n.input x\n.kernel_attr A=\"x\"\n.funcdecl \"f\"\n.function "
        "\"l\"\nl:\n"
        "{\nfcall (M1, 1) f 0 0\nswitchjmp (M1, 1) x(0,0)<0;1,0> (l, l, l)\n}\n"
        ".decl bad v_type=G type=d num_elts=0\nfoo\n";
    char *text = malloc(sizeof extra + sizeof prolog);
    size_t failures = 0;

    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "%s%s", prolog, extra);
    for (size_t n = 1;; n++) {
        f->counts = (counting){.live_bytes = f->counts.live_bytes, .fail = n};
        visage_status status = read_as(f, text, length, VISAGE_PLATFORM_NONE, "name");
        bool failed = f->counts.calls >= n;
        f->counts.fail = 0;
        clean(f);
        if (!failed) {
            assert_int_equal(status, VISAGE_SYNTAX);
            break;
        }
        /* The list of diagnostics may be what found no memory: then the text was read. */
        assert_true(status == VISAGE_NO_MEMORY || status == VISAGE_SYNTAX);
        failures += status == VISAGE_NO_MEMORY;
    }
    assert_true(failures > 20);
    free(text);
}

/* What is left to the verifier is there; the text is good but for that. */
static void judged_later(void **state)
{
    fixture *f = *state;
    static const char illegal[] = ".kernel more\n.decl p v_type=P num_elts=8\n"
                                  "x:\nx:\n(p) goto (M1, 8) nowhere\n(p) barrier\n"
                                  "add (M1, 7) %null(0,0)<1> 1:d 2:d\nret (M1, 1)\n";
    char *text = malloc(sizeof illegal + sizeof prolog);
    bool failed = true;

    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "%s%s", prolog, illegal);
    f->is_judged_later = true;
    for (size_t n = 1; failed; n++) {
        f->counts = (counting){.live_bytes = f->counts.live_bytes, .fail = n};
        visage_status status = read_as(f, text, length, VISAGE_PLATFORM_NONE, NULL);
        failed = f->counts.calls >= n;
        f->counts.fail = 0;
        assert_int_equal(status, failed ? VISAGE_NO_MEMORY : VISAGE_OK);
        if (failed)
            clean(f);
    }
    const vsg_obj_unit *unit = f->module->units[f->module->num_units - 1];
    assert_true(f->module->is_broken);
    assert_int_equal(unit->num_insts, 6);
    assert_int_equal(unit->insts[4].exec_size, 7);
    assert_int_equal(unit->insts[3].predicate, 1);
    f->is_judged_later = false;
    assert_int_equal(read_as(f, text, length, VISAGE_PLATFORM_NONE, NULL), VISAGE_SYNTAX);
    assert_int_equal(visage_diagnostics_errors(f->diagnostics), 4);
    free(text);
}

static void no_memory_for_files(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i < num_names; i += 9) {
        size_t size;
        char *text = load(names[i], &size);
        for (size_t n = 1;; n++) {
            f->counts = (counting){.live_bytes = f->counts.live_bytes, .fail = n};
            visage_status status = read_as(f, text, size, VISAGE_PLATFORM_NONE, NULL);
            bool failed = f->counts.calls >= n;
            f->counts.fail = 0;
            clean(f);
            assert_int_equal(status, failed ? VISAGE_NO_MEMORY : VISAGE_OK);
            if (!failed)
                break;
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(truncated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(judged_later, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_memory_for_files, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, find_files, forget_files);
}
