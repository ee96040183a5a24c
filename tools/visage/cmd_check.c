/* SPDX-License-Identifier: MIT
 *
 * visage check: verifies files, all errors of all of them in one run. */
#include <getopt.h>
#include <string.h>

#include "tool.h"

static void print_help(void)
{
    fputs("usage: visage check [OPTION]... FILE...\n\n"
          "Verifies vISA texts, binaries and zebins by the rules of the documents.\n\n"
          "      --platform P     judge for this platform; default: what the file says\n"
          "      --strict         warn of rules, too, that real compiler output breaks\n"
          "      --max-errors N   stop after N errors of a file\n"
          "      --explain RULE   print a rule, such as V0310\n"
          "  -h, --help\n",
          stdout);
}

static int check(const char *file, const visage_verify_options *options)
{
    visage_module_options reading = VISAGE_OPTIONS_INIT(visage_module_options);
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module = NULL;

    reading.platform = options->platform;
    if (!tool_start(&context, &diagnostics))
        return EXIT_RESOURCE;
    visage_status status = tool_read_module(context, file, &reading, diagnostics, &module);
    if (status == VISAGE_OK)
        status = visage_verify(module, options, diagnostics);
    tool_report(diagnostics, status);
    visage_module_destroy(&module);
    tool_finish(&context, &diagnostics);
    return tool_exit(status);
}

static int explain(const char *code)
{
    visage_rule rule;

    for (size_t i = 0; visage_rule_get(i, &rule) == VISAGE_OK; i++) {
        if (strcmp(rule.code, code) != 0)
            continue;
        printf("%s (%s): %s\nSource: %s\n", rule.code, rule.severity, rule.sentence,
               rule.source);
        return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
    }
    tool_error("check: there is no rule '%s'", code);
    return EXIT_USAGE;
}

int tool_check(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"platform", required_argument, NULL, 'p'},
        {"strict", no_argument, NULL, 's'},
        {"max-errors", required_argument, NULL, 'm'},
        {"explain", required_argument, NULL, 'e'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    visage_verify_options options = VISAGE_OPTIONS_INIT(visage_verify_options);
    uint64_t number;
    int option, worst = EXIT_GOOD;

    while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        if (option == 'h') {
            print_help();
            return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
        }
        if (option == 'e')
            return explain(optarg);
        if (option == 's') {
            options.strict = true;
        } else if (option == 'm' && tool_u64(optarg, &number)) {
            options.max_errors = (size_t)number;
        } else if (option == 'p') {
            options.platform = visage_platform_find(optarg);
            if (options.platform == VISAGE_PLATFORM_NONE) {
                tool_error("check: unknown platform '%s'", optarg);
                return EXIT_USAGE;
            }
        } else {
            return EXIT_USAGE;
        }
    }
    if (optind == argc) {
        tool_error("check: no file given");
        return EXIT_USAGE;
    }
    for (int i = optind; i < argc; i++) {
        int result = check(argv[i], &options);
        worst = result > worst ? result : worst;
    }
    return worst;
}
