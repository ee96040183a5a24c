/* SPDX-License-Identifier: MIT
 *
 * visage info: what files hold. */
#include <getopt.h>
#include <stdlib.h>

#include "info.h"

static void print_help(void)
{
    fputs(
        "usage: visage info [--json] [--tables] [--info FILE] FILE...\n\n"
        "Shows what zebins, vISA binaries and vISA texts hold: device, kernels and functions,\n"
        "their arguments, inputs, attributes, variables, what goes with them in a binary, and\n"
        "how often they use each instruction.\n\n"
        "      --tables      each variable and label, too\n"
        "      --json        all of it as JSON: an object, of several files an array of them\n"
        "      --info FILE   .ze_info of a zebin, or bare YAML, for a text or a binary\n"
        "  -h, --help\n\n"
        "Names are shown with a backslash doubled, and \\x and two digits for a byte that is\n"
        "no UTF-8 or a control character.\n",
        stdout);
}

typedef struct job {
    visage_module_options options;
    bool json, tables;
    json_t *array; /* of several files */
} job;

static bool put_json(job *j, json_t *object)
{
    bool good = object != NULL;

    if (good && j->array)
        return json_array_append_new(j->array, object) == 0;
    if (good) {
        /* A write error is told at the end. */
        good = json_dumpf(object, stdout, JSON_INDENT(2)) == 0 || ferror(stdout);
        putchar('\n');
    }
    json_decref(object);
    return good;
}

static int show(job *j, const char *file)
{
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module = NULL;
    bool good = true;

    if (!tool_start(&context, &diagnostics))
        return EXIT_RESOURCE;
    visage_status status = tool_read_module(context, file, &j->options, diagnostics, &module);
    tool_report(diagnostics, status);
    if (j->json)
        good = put_json(j, module ? info_make_json(file, module, status)
                                  : info_make_error(file, status));
    else if (module)
        info_print_text(file, module, j->tables);
    visage_module_destroy(&module);
    tool_finish(&context, &diagnostics);
    if (!good)
        tool_error("info: out of memory");
    return good ? tool_exit(status) : EXIT_RESOURCE;
}

static int show_all(job *j, char **files, int count)
{
    int worst = EXIT_GOOD;

    if (j->json && count > 1 && !(j->array = json_array())) {
        tool_error("info: out of memory");
        return EXIT_RESOURCE;
    }
    for (int i = 0; i < count; i++) {
        if (i > 0 && !j->json)
            putchar('\n');
        int result = show(j, files[i]);
        worst = result > worst ? result : worst;
    }
    json_t *array = j->array;
    j->array = NULL;
    if (array && !put_json(j, array))
        worst = EXIT_RESOURCE;
    return tool_flush() ? worst : EXIT_RESOURCE;
}

static int show_with(job *j, const char *info_path, char **files, int count)
{
    void *info = NULL;

    if (info_path) {
        info = tool_read(info_path, &j->options.info_size);
        if (!info)
            return EXIT_WANTING;
        j->options.info = info;
        j->options.info_name = info_path;
    }
    int result = show_all(j, files, count);
    free(info);
    return result;
}

int tool_info(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"json", no_argument, NULL, 'j'},
        {"tables", no_argument, NULL, 't'},
        {"info", required_argument, NULL, 'i'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    job j = {.options = VISAGE_OPTIONS_INIT(visage_module_options)};
    j.options.recover = true;
    const char *info_path = NULL;
    int option;

    while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        if (option == 'h') {
            print_help();
            return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
        }
        if (option == 'j')
            j.json = true;
        else if (option == 't')
            j.tables = true;
        else if (option == 'i')
            info_path = optarg;
        else
            return EXIT_USAGE;
    }
    if (optind == argc) {
        tool_error("info: no file given");
        return EXIT_USAGE;
    }
    return show_with(&j, info_path, argv + optind, argc - optind);
}
