/* SPDX-License-Identifier: MIT
 *
 * visage link: several objects as one. */
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "linking.h"

typedef struct job {
    const char *const *files;
    size_t num_files;
    const char *path;
    const char *map_path; /* NULL: no map */
    bool as_text;
    visage_module_options read;
    visage_link_options link;
    visage_write_options write;
} job;

static void print_help(void)
{
    fputs("usage: visage link [OPTION]... [-o OUT] FILE...\n\n"
          "Links vISA texts, binaries and zebins: kernels, functions and file-scope variables\n"
          "of all files become one object. Every name that is used must be defined once.\n\n"
          "  -o, --output FILE    write there; - or nothing is stdout\n"
          "      --layout doc     as the documents describe it; the default\n"
          "      --layout igc     as Intel's compiler writes it\n"
          "      --text           write vISA text\n"
          "      --platform P     where the files do not say it\n"
          "      --gc             leave out what no kernel reaches\n"
          "      --partial        what is not defined may come from a later link\n"
          "      --map FILE       write who defines and who uses what; - is stdout\n"
          "  -h, --help\n",
          stdout);
}

static visage_status link_files(visage_context *context, job *j,
                                visage_diagnostics *diagnostics, tool_output *output,
                                tool_output *map)
{
    visage_print_options printing = VISAGE_OPTIONS_INIT(visage_print_options);
    tool_modules modules = {0};
    visage_module *linked;

    if (j->map_path) {
        j->link.map = tool_write;
        j->link.map_user = map;
    }
    printing.diagnostics = diagnostics;
    j->link.name = j->path ? j->path : "linked";
    const tool_parts parts = {j->files, j->num_files, &j->read, &j->link};
    visage_status status = tool_read_linked(context, &parts, diagnostics, &modules, &linked);
    if (status == VISAGE_OK && j->as_text)
        status = visage_module_print(linked, &printing, tool_write, output);
    else if (status == VISAGE_OK)
        status = visage_module_write(linked, &j->write, diagnostics, tool_write, output);
    visage_module_destroy(&linked);
    tool_modules_free(&modules);
    return status;
}

static int run(job *j)
{
    tool_output output = {.path = j->path};
    tool_output map = {.path =
                           j->map_path && strcmp(j->map_path, "-") == 0 ? NULL : j->map_path};
    visage_context *context;
    visage_diagnostics *diagnostics;

    if (!tool_start(&context, &diagnostics))
        return EXIT_RESOURCE;
    visage_status status = link_files(context, j, diagnostics, &output, &map);
    bool unwritten = status == VISAGE_IO && (output.error || map.error);
    tool_report(diagnostics, unwritten ? VISAGE_OK : status);
    tool_finish(&context, &diagnostics);
    bool good = tool_output_finish(&output);
    good = tool_output_finish(&map) && good;
    return good ? tool_exit(status) : EXIT_RESOURCE;
}

static bool take_option(int option, job *j)
{
    switch (option) {
    case 'o':
        j->path = strcmp(optarg, "-") == 0 ? NULL : optarg;
        return true;
    case 'l':
        j->write.layout = strcmp(optarg, "igc") == 0 ? VISAGE_LAYOUT_IGC : VISAGE_LAYOUT_DOC;
        if (strcmp(optarg, "igc") == 0 || strcmp(optarg, "doc") == 0)
            return true;
        tool_error("link: --layout is doc or igc, not '%s'", optarg);
        return false;
    case 'p':
        j->read.platform = visage_platform_find(optarg);
        if (j->read.platform == VISAGE_PLATFORM_NONE)
            tool_error("link: unknown platform '%s'", optarg);
        return j->read.platform != VISAGE_PLATFORM_NONE;
    case 't':
        return j->as_text = true;
    case 'g':
        return j->link.gc = true;
    case 'r':
        return j->link.partial = true;
    case 'm':
        j->map_path = optarg;
        return true;
    default:
        return false;
    }
}

/* NULL and "-" are stdout. */
static bool same_output(const char *a, const char *b)
{
    const char *x = strcmp(a, "-") == 0 ? NULL : a;

    return x && b ? strcmp(x, b) == 0 : !x && !b;
}

int tool_link(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"output", required_argument, NULL, 'o'},
        {"layout", required_argument, NULL, 'l'},
        {"platform", required_argument, NULL, 'p'},
        {"text", no_argument, NULL, 't'},
        {"gc", no_argument, NULL, 'g'},
        {"partial", no_argument, NULL, 'r'},
        {"map", required_argument, NULL, 'm'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    job j = {.read = VISAGE_OPTIONS_INIT(visage_module_options),
             .link = VISAGE_OPTIONS_INIT(visage_link_options),
             .write = VISAGE_OPTIONS_INIT(visage_write_options)};
    int option;

    while ((option = getopt_long(argc, argv, "o:h", long_options, NULL)) != -1) {
        if (option == 'h') {
            print_help();
            return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
        }
        if (!take_option(option, &j))
            return EXIT_USAGE;
    }
    if (optind == argc) {
        tool_error("link: no file given");
        return EXIT_USAGE;
    }
    if (!j.as_text && !j.path && isatty(STDOUT_FILENO)) {
        tool_error("link: a binary is not written to a terminal; give -o FILE, or --text");
        return EXIT_USAGE;
    }
    if (j.map_path && same_output(j.map_path, j.path)) {
        tool_error("link: the map and the object cannot both go to %s",
                   j.path ? j.path : "stdout");
        return EXIT_USAGE;
    }
    j.files = (const char *const *)(argv + optind);
    j.num_files = (size_t)(argc - optind);
    return run(&j);
}
