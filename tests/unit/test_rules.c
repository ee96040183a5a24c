/* SPDX-License-Identifier: MIT
 *
 * Every rule of the verifier has cases that break it and cases that keep it: texts in
 * tests/data/rules, and modules that no text can make in rules_built.c.
 *
 * A file of texts is cut by lines "== V0310 fail pvc strict": the rule, what its text does, the
 * platform (none: not said), and whether strict rules are asked for. A text that fails breaks
 * its rule and no other; one that passes breaks nothing. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>

#include "rules_built.h"
#include "text_support.h"
#include "verify/verify.h"

enum { MAX_RULES = 1024 };

typedef struct tally {
    unsigned fail[MAX_RULES], pass[MAX_RULES];
} tally;

static tally seen;
static unsigned wrong; /* cases that did not do what they should: all are shown */

static size_t find_rule(const char *code)
{
    for (size_t i = 0; i < VSG_VER_RULE_COUNT; i++)
        if (strcmp(vsg_ver_rule_get((vsg_ver_rule)i).code, code) == 0)
            return i;
    fail_msg("no rule %s", code);
    return 0;
}

static void show(const char *file, unsigned line, const visage_diagnostics *diagnostics)
{
    char text[1024];

    for (size_t i = 0; i < visage_diagnostics_count(diagnostics); i++) {
        (void)visage_diagnostic_render(visage_diagnostics_get(diagnostics, i), false, text,
                                       sizeof text);
        print_error("%s:%u: reported: %s\n", file, line, text);
    }
}

/* What a case must report: `code` and no other error or warning, or nothing. */
static bool as_expected(const visage_diagnostics *diagnostics, const char *code)
{
    size_t found = 0;

    for (size_t i = 0; i < visage_diagnostics_count(diagnostics); i++) {
        const visage_diagnostic *d = visage_diagnostics_get(diagnostics, i);
        if (d->severity == VISAGE_SEVERITY_NOTE)
            continue;
        if (!code || strcmp(d->code, code) != 0)
            return false;
        found++;
    }
    return code ? found > 0 : found == 0;
}

static void judge(size_t rule, bool fails, const char *file, unsigned line,
                  const visage_diagnostics *diagnostics)
{
    vsg_ver_rule_info info = vsg_ver_rule_get((vsg_ver_rule)rule);
    const char *code = info.severity == VSG_VER_READER ? info.reader : info.code;

    if (!as_expected(diagnostics, fails ? code : NULL)) {
        show(file, line, diagnostics);
        print_error("%s:%u: %s: expected %s%s\n", file, line, info.code,
                    fails ? "to break only " : "nothing", fails ? code : "");
        wrong++;
        return;
    }
    (fails ? seen.fail : seen.pass)[rule]++;
}

typedef struct text_case {
    size_t rule;
    bool fails, strict;
    visage_platform platform;
} text_case;

static text_case read_head(const char *file, unsigned line, char *head)
{
    char *rest = head, *word = strtok_r(head, " \n", &rest);
    text_case c = {.rule = find_rule(word)};

    word = strtok_r(NULL, " \n", &rest);
    if (!word || (strcmp(word, "fail") != 0 && strcmp(word, "pass") != 0))
        fail_msg("%s:%u: neither pass nor fail", file, line);
    c.fails = word[0] == 'f';
    while ((word = strtok_r(NULL, " \n", &rest)) != NULL) {
        if (strcmp(word, "strict") == 0)
            c.strict = true;
        else if ((c.platform = visage_platform_find(word)) == VISAGE_PLATFORM_NONE)
            fail_msg("%s:%u: what is '%s'?", file, line, word);
    }
    return c;
}

static void run_text(const text_case *c, const char *file, unsigned line, const char *text,
                     size_t size)
{
    const vsg_base_alloc alloc = vsg_base_alloc_default();
    visage_diagnostics *diagnostics = vsg_base_diagnostics_new(&alloc);
    vsg_obj_module *module = vsg_obj_create(&alloc);
    const vsg_ver_options options = {.platform = c->platform, .strict = c->strict};

    assert_non_null(diagnostics);
    assert_non_null(module);
    module->platform = c->platform;
    visage_status status = vsg_txt_parse(
        module,
        &(vsg_txt_input){
            .name = file, .text = text, .size_bytes = size, .is_judged_later = true},
        diagnostics);
    if (status == VISAGE_OK)
        status = vsg_ver_verify(module, &options, diagnostics);
    if ((status == VISAGE_OK) != (visage_diagnostics_errors(diagnostics) == 0))
        print_error("%s:%u: status %s\n", file, line, visage_status_name(status));
    judge(c->rule, c->fails, file, line, diagnostics);
    vsg_obj_destroy(&module);
    visage_diagnostics_destroy(&diagnostics);
}

static void run_file(const char *path)
{
    FILE *stream = fopen(path, "r");
    char *line = NULL, *text = NULL;
    size_t capacity = 0, size = 0;
    unsigned number = 0, start = 0;
    text_case current = {0};

    assert_non_null(stream);
    for (;;) {
        bool more = getline(&line, &capacity, stream) >= 0;
        number++;
        if (!more || strncmp(line, "== ", 3) == 0) {
            if (start)
                run_text(&current, path, start, text, size);
            if (!more)
                break;
            start = number;
            size = 0;
            current = read_head(path, number, line + 3);
            continue;
        }
        if (!start)
            continue; /* the head of the file says what it is */
        size_t length = strlen(line);
        text = realloc(text, size + length + 1);
        assert_non_null(text);
        memcpy(text + size, line, length + 1);
        size += length;
    }
    free(text);
    free(line);
    fclose(stream);
}

/* Beside this file's folder: tests run in any directory. */
static void data_path(char *path, size_t size, const char *name)
{
    const char *slash = strrchr(__FILE__, '/');

    (void)snprintf(path, size, "%.*s../data/rules/%s", slash ? (int)(slash + 1 - __FILE__) : 0,
                   __FILE__, name);
}

static void test_texts(void **state)
{
    char path[1024];
    data_path(path, sizeof path, "");
    DIR *folder = opendir(path);
    const struct dirent *entry;
    size_t files = 0;

    (void)state;
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL) {
        size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 6, ".rules") != 0)
            continue;
        data_path(path, sizeof path, entry->d_name);
        run_file(path);
        files++;
    }
    closedir(folder);
    assert_true(files > 0);
    assert_int_equal(wrong, 0);
}

static void run_built(const built_table *table, size_t row)
{
    const built_rule *c = &table->rules[row];
    const vsg_base_alloc alloc = vsg_base_alloc_default();
    visage_diagnostics *diagnostics = vsg_base_diagnostics_new(&alloc);

    assert_non_null(diagnostics);
    c->run(diagnostics);
    judge(find_rule(c->code), c->fails, table->file, (unsigned)row, diagnostics);
    visage_diagnostics_destroy(&diagnostics);
}

static void test_built(void **state)
{
    (void)state;
    wrong = 0;
    for (size_t i = 0; i < num_built_tables; i++)
        for (size_t row = 0; row < *built_tables[i].count; row++)
            run_built(&built_tables[i], row);
    assert_int_equal(wrong, 0);
}

/* Runs last: what the others have counted. */
static void test_every_rule_has_cases(void **state)
{
    unsigned missing = 0;

    (void)state;
    assert_true((size_t)VSG_VER_RULE_COUNT <= (size_t)MAX_RULES);
    for (size_t i = 0; i < VSG_VER_RULE_COUNT; i++) {
        const char *code = vsg_ver_rule_get((vsg_ver_rule)i).code;
        if (seen.fail[i] && seen.pass[i])
            continue;
        print_error("%s has no case that %s\n", code, seen.fail[i] ? "passes" : "fails");
        missing++;
    }
    assert_int_equal(missing, 0);
}

static void test_codes_are_distinct_and_in_order(void **state)
{
    (void)state;
    for (size_t i = 1; i < VSG_VER_RULE_COUNT; i++) {
        const char *before = vsg_ver_rule_get((vsg_ver_rule)(i - 1)).code;
        const char *code = vsg_ver_rule_get((vsg_ver_rule)i).code;
        if (strcmp(before, code) >= 0)
            fail_msg("%s stands before %s", before, code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes_are_distinct_and_in_order),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_built),
        cmocka_unit_test(test_every_rule_has_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
