/* SPDX-License-Identifier: MIT
 *
 * visage check: verifies files, all errors of all of them in one run. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report.h"
#include "tool.h"

typedef enum form { FORM_TEXT, FORM_JSON, FORM_SARIF } form;

typedef struct job {
    visage_verify_options verify;
    form form;
    json_t *list; /* JSON: files, SARIF: results */
    bool as_json, as_sarif;
    bool list_rules;
    const char *explain;
} job;

static void print_help(void)
{
    fputs("usage: visage check [OPTION]... FILE...\n\n"
          "Verifies vISA texts, binaries and zebins by the rules of the documents and reports\n"
          "everything that is wrong with all of them.\n\n"
          "      --platform P     judge for this platform; default: what the file says\n"
          "      --strict         warn of rules, too, that real compiler output breaks\n"
          "      --max-errors N   stop after N errors of a file\n"
          "      --json           print what was found as JSON on stdout\n"
          "      --sarif          print it as a SARIF 2.1.0 log\n"
          "      --explain RULE   print a rule, such as V0310, or what another code says\n"
          "      --rules          list all rules; with --json as JSON\n"
          "  -h, --help\n",
          stdout);
}

static bool record(const job *j, const char *file, visage_status status,
                   const visage_diagnostics *diagnostics)
{
    bool good = true;

    if (j->form == FORM_TEXT)
        tool_report(diagnostics, status);
    else if (j->form == FORM_JSON)
        good = report_append_json(j->list, file, status, diagnostics);
    else
        good = report_append_sarif(j->list, file, diagnostics);
    if (!good)
        tool_error("out of memory");
    return good;
}

/* status: OK, or that of instructions which the module is without. */
static visage_status judge(const visage_module *module, const visage_verify_options *options,
                           visage_status status, visage_diagnostics *diagnostics)
{
    visage_verify_options rest = *options;
    size_t errors = visage_diagnostics_errors(diagnostics);

    if (rest.max_errors && errors >= rest.max_errors)
        return status;
    rest.max_errors -= rest.max_errors ? errors : 0;
    visage_status judged = visage_verify(module, &rest, diagnostics);
    return status == VISAGE_OK || judged == VISAGE_NO_MEMORY ? judged : status;
}

static int check(const char *file, const job *j)
{
    visage_module_options reading = VISAGE_OPTIONS_INIT(visage_module_options);
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module = NULL;

    reading.platform = j->verify.platform;
    reading.skip_bad_instructions = true;
    if (!tool_start(&context, &diagnostics))
        return EXIT_RESOURCE;
    visage_status status = tool_read_module(context, file, &reading, diagnostics, &module);
    if (module)
        status = judge(module, &j->verify, status, diagnostics);
    bool good = record(j, file, status, diagnostics);
    visage_module_destroy(&module);
    tool_finish(&context, &diagnostics);
    return good ? tool_exit(status) : EXIT_RESOURCE;
}

/* Takes the value. */
static int print_value(json_t *value)
{
    /* A write error is told at the end. */
    if (!value || (json_dumpf(value, stdout, JSON_INDENT(2)) != 0 && !ferror(stdout))) {
        tool_error("out of memory");
        json_decref(value);
        return EXIT_RESOURCE;
    }
    putchar('\n');
    json_decref(value);
    return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
}

static int check_all(job *j, int count, char **files)
{
    int worst = EXIT_GOOD;

    if (j->form != FORM_TEXT) {
        j->list = json_array();
        if (!j->list)
            return EXIT_RESOURCE;
    }
    for (int i = 0; i < count; i++) {
        int result = check(files[i], j);
        worst = result > worst ? result : worst;
    }
    if (j->form == FORM_TEXT)
        return worst;
    int printed = print_value(j->form == FORM_JSON ? j->list : report_sarif(j->list));
    return printed > worst ? printed : worst;
}

/* ---- rules ------------------------------------------------------------------------------ */

static void print_rule(const visage_rule *rule)
{
    printf("%s: %s\n  Source: %s\n  ", rule->code, rule->sentence, rule->source);
    if (rule->reader_code && strcmp(rule->severity, "reader") == 0)
        printf("Checked when a file is read, which reports %s.", rule->reader_code);
    else if (rule->reader_code)
        printf("An error. The reader of a text may report it as %s.", rule->reader_code);
    else if (strcmp(rule->severity, "strict") == 0)
        printf("A warning under --strict: real compiler output breaks it, or no page has it.");
    else
        printf("An error.");
    uint32_t everywhere = (1u << VISAGE_PLATFORM_COUNT) - 2u;
    if (rule->platforms == everywhere) {
        putchar('\n');
        return;
    }
    printf("  Only on");
    for (int i = 1; i < VISAGE_PLATFORM_COUNT; i++)
        if (rule->platforms >> i & 1u)
            printf(" %s", visage_platform_name((visage_platform)i));
    putchar('\n');
}

/* What is no rule's: what it says, and the rules it is reported for. */
static void print_code(const visage_code *code)
{
    char *message = report_pattern(code->message);
    const char *before = "  For rules: ";
    visage_rule rule;

    printf("%s: %s\n", code->code, message ? message : code->message);
    free(message);
    if (code->source)
        printf("  Source: %s\n", code->source);
    printf("  %s\n", code->severity == VISAGE_SEVERITY_ERROR     ? "An error."
                     : code->severity == VISAGE_SEVERITY_WARNING ? "A warning."
                                                                 : "A note.");
    for (size_t i = 0; visage_rule_get(i, &rule) == VISAGE_OK; i++) {
        if (!rule.reader_code || strcmp(rule.reader_code, code->code) != 0)
            continue;
        printf("%s%s", before, rule.code);
        before = ", ";
    }
    if (before[0] == ',')
        putchar('\n');
}

static int explain(const char *wanted)
{
    visage_rule rule;
    visage_code code;

    for (size_t i = 0; visage_rule_get(i, &rule) == VISAGE_OK; i++) {
        if (strcasecmp(rule.code, wanted) != 0)
            continue;
        print_rule(&rule);
        return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
    }
    for (size_t i = 0; visage_code_get(i, &code) == VISAGE_OK; i++) {
        if (strcasecmp(code.code, wanted) != 0)
            continue;
        print_code(&code);
        return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
    }
    tool_error("check: there is no rule '%s'; visage check --rules lists them", wanted);
    return EXIT_USAGE;
}

static int list_rules(form as)
{
    visage_rule rule;

    if (as == FORM_JSON)
        return print_value(report_rules());
    for (size_t i = 0; visage_rule_get(i, &rule) == VISAGE_OK; i++)
        printf("%s %s\n", rule.code, rule.sentence);
    return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
}

/* ---- options ---------------------------------------------------------------------------- */

static bool take_option(int option, job *j)
{
    uint64_t number;

    switch (option) {
    case 'e':
        j->explain = optarg;
        return true;
    case 'r':
        return j->list_rules = true;
    case 'j':
        j->form = FORM_JSON;
        return j->as_json = true;
    case 'f':
        j->form = FORM_SARIF;
        return j->as_sarif = true;
    case 's':
        return j->verify.strict = true;
    case 'm':
        if (!tool_u64(optarg, &number) || number == 0 || number > SIZE_MAX) {
            tool_error("check: --max-errors takes a number from 1, not '%s'", optarg);
            return false;
        }
        j->verify.max_errors = (size_t)number;
        return true;
    case 'p':
        j->verify.platform = visage_platform_find(optarg);
        if (j->verify.platform == VISAGE_PLATFORM_NONE)
            tool_error("check: unknown platform '%s'", optarg);
        return j->verify.platform != VISAGE_PLATFORM_NONE;
    default:
        return false;
    }
}

int tool_check(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"platform", required_argument, NULL, 'p'},
        {"strict", no_argument, NULL, 's'},
        {"max-errors", required_argument, NULL, 'm'},
        {"json", no_argument, NULL, 'j'},
        {"sarif", no_argument, NULL, 'f'},
        {"explain", required_argument, NULL, 'e'},
        {"rules", no_argument, NULL, 'r'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    job j = {.verify = VISAGE_OPTIONS_INIT(visage_verify_options)};
    int option;

    while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        if (option == 'h') {
            print_help();
            return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
        }
        if (!take_option(option, &j))
            return EXIT_USAGE;
    }
    if (j.as_json && j.as_sarif) {
        tool_error("check: --json and --sarif are two forms, give one");
        return EXIT_USAGE;
    }
    if (j.explain)
        return explain(j.explain);
    if (j.list_rules)
        return list_rules(j.form);
    if (optind == argc) {
        tool_error("check: no file given; visage check --help explains");
        return EXIT_USAGE;
    }
    return check_all(&j, argc - optind, argv + optind);
}
