/* SPDX-License-Identifier: MIT
 *
 * visage dis: a file's kernels and functions as vISA text. */
#include <getopt.h>
#include <string.h>

#include "tool.h"

static void print_help(void)
{
    fputs("usage: visage dis [-o OUT.visaasm] FILE\n\n"
          "Prints all kernels and functions of a zebin, a vISA binary or a vISA text as vISA\n"
          "text, spelled as the compiler's listings are; of a binary with errors what there\n"
          "is, with a comment where reading stopped.\n\n"
          "  -o, --output FILE   write there; - or nothing is stdout\n"
          "      --all-attributes\n"
          "                      OutputAsmPath, too, which the compiler does not list\n"
          "      --no-comments   without the list of predefined variables and the numbers of\n"
          "                      instructions\n"
          "  -h, --help\n",
          stdout);
}

/* Are there instructions that their writer has damaged? Of these the text has not all. */
static bool is_incomplete(const visage_module *module)
{
    visage_stored_info stored;

    for (size_t i = 0; visage_module_get_stored(module, i, &stored) == VISAGE_OK; i++)
        if (stored.damage)
            return true;
    return false;
}

static int disassemble(const char *file, const visage_print_options *options, const char *path)
{
    visage_module_options reading = VISAGE_OPTIONS_INIT(visage_module_options);
    tool_output output = {.path = path};
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module = NULL;

    if (!tool_start(&context, &diagnostics))
        return EXIT_RESOURCE;
    reading.recover = true;
    visage_status status = tool_read_module(context, file, &reading, diagnostics, &module);
    tool_report(diagnostics, status);
    if (module) {
        visage_print_options telling = *options;
        telling.diagnostics = diagnostics;
        visage_diagnostics_clear(diagnostics);
        visage_status printed = visage_module_print(module, &telling, tool_write, &output);
        tool_report(diagnostics, printed == VISAGE_IO ? VISAGE_OK : printed);
        if (printed != VISAGE_OK)
            status = printed;
        else if (status == VISAGE_OK && is_incomplete(module))
            status = VISAGE_MALFORMED;
    }
    visage_module_destroy(&module);
    tool_finish(&context, &diagnostics);
    if (!tool_output_finish(&output))
        return EXIT_RESOURCE;
    return tool_exit(status);
}

int tool_dis(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"output", required_argument, NULL, 'o'},
        {"all-attributes", no_argument, NULL, 'a'},
        {"no-comments", no_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    visage_print_options options = VISAGE_OPTIONS_INIT(visage_print_options);
    const char *path = NULL;
    int option;

    while ((option = getopt_long(argc, argv, "o:h", long_options, NULL)) != -1) {
        if (option == 'h') {
            print_help();
            return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
        }
        if (option == 'o')
            path = strcmp(optarg, "-") == 0 ? NULL : optarg;
        else if (option == 'a')
            options.all_attributes = true;
        else if (option == 'c')
            options.no_comments = true;
        else
            return EXIT_USAGE;
    }
    if (argc - optind != 1) {
        tool_error(optind == argc ? "dis: no file given" : "dis: one file at a time");
        return EXIT_USAGE;
    }
    return disassemble(argv[optind], &options, path);
}
