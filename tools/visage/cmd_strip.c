/* SPDX-License-Identifier: MIT
 *
 * visage strip: a file without what its instructions do not need. */
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

static void print_help(void)
{
    fputs(
        "usage: visage strip [--gen] [--debug] [-o OUT] FILE\n\n"
        "Writes a vISA binary again, in its own layout, without GEN binaries and debug\n"
        "information; of a vISA text it makes a text. Without --gen and --debug both go.\n\n"
        "      --gen           the bytes of GEN binaries; what platform they are for stays\n"
        "      --debug         LOC and FILE, the attribute OutputAsmPath, and strings of the\n"
        "                      pools that nothing names then\n"
        "  -o, --output FILE   write there; - or nothing is stdout, which gets no binary if "
        "it\n"
        "                      is a terminal\n"
        "  -h, --help\n",
        stdout);
}

typedef struct job {
    const char *file, *path; /* path NULL: stdout */
    visage_strip_options options;
} job;

static visage_status write_again(const visage_module *module, visage_diagnostics *diagnostics,
                                 tool_output *output)
{
    visage_print_options print = VISAGE_OPTIONS_INIT(visage_print_options);
    visage_module_info info;
    visage_status status = visage_module_get_info(module, &info);

    if (status != VISAGE_OK)
        return status;
    print.all_attributes = true;
    if (strcmp(info.form, "text") == 0)
        return visage_module_print(module, &print, tool_write, output);
    if (!output->path && isatty(STDOUT_FILENO)) {
        tool_error("strip: a binary is not written to a terminal; use -o FILE");
        return VISAGE_IO;
    }
    return visage_module_write(module, NULL, diagnostics, tool_write, output);
}

static int strip(const job *j)
{
    tool_output output = {.path = j->path};
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module = NULL;
    bool told = false;

    if (!tool_start(&context, &diagnostics))
        return EXIT_RESOURCE;
    visage_status status = tool_read_module(context, j->file, NULL, diagnostics, &module);
    if (status == VISAGE_OK) {
        status = visage_module_strip(module, &j->options);
        told = status == VISAGE_UNSUPPORTED;
        if (told)
            tool_error("strip: %s is a zebin; dis and as make a binary of it", j->file);
    }
    if (status == VISAGE_OK) {
        status = write_again(module, diagnostics, &output);
        told = status == VISAGE_IO;
    }
    tool_report(diagnostics, told ? VISAGE_OK : status);
    visage_module_destroy(&module);
    tool_finish(&context, &diagnostics);
    if (!tool_output_finish(&output))
        return EXIT_RESOURCE;
    return tool_exit(status);
}

int tool_strip(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"gen", no_argument, NULL, 'g'},
        {"debug", no_argument, NULL, 'd'},
        {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    job j = {.options = VISAGE_OPTIONS_INIT(visage_strip_options)};
    int option;

    while ((option = getopt_long(argc, argv, "o:h", long_options, NULL)) != -1) {
        if (option == 'h') {
            print_help();
            return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
        }
        if (option == 'o')
            j.path = strcmp(optarg, "-") == 0 ? NULL : optarg;
        else if (option == 'g')
            j.options.gen_binaries = true;
        else if (option == 'd')
            j.options.debug = true;
        else
            return EXIT_USAGE;
    }
    if (argc - optind != 1) {
        tool_error(optind == argc ? "strip: no file given" : "strip: one file at a time");
        return EXIT_USAGE;
    }
    if (!j.options.gen_binaries && !j.options.debug)
        j.options.gen_binaries = j.options.debug = true;
    j.file = argv[optind];
    return strip(&j);
}
