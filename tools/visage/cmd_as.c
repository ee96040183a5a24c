/* SPDX-License-Identifier: MIT
 *
 * visage as: vISA texts as one vISA binary. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

static void print_help(void)
{
    fputs(
        "usage: visage as [-o OUT.isa] [--layout doc|igc] [--platform P] FILE...\n\n"
        "Makes one vISA binary of all kernels and functions of the vISA texts. Of a binary it\n"
        "makes one again, in its own layout unless another is asked for.\n\n"
        "  -o, --output FILE    write there; - or nothing is stdout, if it is no terminal\n"
        "      --layout doc     as the documents describe it; the default for texts\n"
        "      --layout igc     as Intel's compiler writes it\n"
        "      --platform P     skl, icllp, tgllp, xe-hp, dg2 or pvc, where registers' sizes\n"
        "                       matter and the file does not say\n"
        "  -h, --help\n",
        stdout);
}

typedef struct job {
    char **files;
    size_t num_files;
    const char *path; /* NULL: stdout */
    visage_module_options read;
    visage_write_options write;
} job;

/* The texts after the first one, which tool_read_module() reads; free with free_texts(). */
static bool read_texts(const job *j, visage_text *texts)
{
    for (size_t i = 0; i + 1 < j->num_files; i++) {
        texts[i].name = j->files[i + 1];
        texts[i].data = tool_read(j->files[i + 1], &texts[i].size_bytes);
        if (!texts[i].data)
            return false;
    }
    return true;
}

static void free_texts(const job *j, visage_text *texts)
{
    for (size_t i = 0; texts && i + 1 < j->num_files; i++)
        free((void *)(uintptr_t)texts[i].data);
    free(texts);
}

/* Reads all and writes; the diagnostics say what is wrong. */
static visage_status convert(visage_context *context, const job *j, const visage_text *texts,
                             visage_diagnostics *diagnostics, tool_output *output)
{
    visage_module_options options = j->read;
    visage_module *module = NULL;

    options.num_texts = j->num_files - 1;
    options.texts = options.num_texts ? texts : NULL;
    visage_status status =
        tool_read_module(context, j->files[0], &options, diagnostics, &module);
    if (status == VISAGE_OK)
        status = visage_module_write(module, &j->write, diagnostics, tool_write, output);
    visage_module_destroy(&module);
    return status;
}

static int assemble(const job *j)
{
    visage_text *texts = calloc(j->num_files, sizeof *texts);
    tool_output output = {.path = j->path};
    visage_context *context;
    visage_diagnostics *diagnostics;

    if (!texts || !tool_start(&context, &diagnostics)) {
        free(texts);
        return EXIT_RESOURCE;
    }
    int result = EXIT_WANTING;
    if (read_texts(j, texts)) {
        visage_status status = convert(context, j, texts, diagnostics, &output);
        tool_report(diagnostics, status == VISAGE_IO && output.error ? VISAGE_OK : status);
        result = tool_output_finish(&output) ? tool_exit(status) : EXIT_RESOURCE;
    }
    tool_finish(&context, &diagnostics);
    free_texts(j, texts);
    return result;
}

static bool read_layout(const char *word, visage_layout *layout)
{
    if (strcmp(word, "doc") == 0)
        *layout = VISAGE_LAYOUT_DOC;
    else if (strcmp(word, "igc") == 0)
        *layout = VISAGE_LAYOUT_IGC;
    else
        tool_error("as: --layout is doc or igc, not '%s'", word);
    return *layout != VISAGE_LAYOUT_DEFAULT;
}

static bool read_platform(const char *word, visage_platform *platform)
{
    *platform = visage_platform_find(word);
    if (*platform == VISAGE_PLATFORM_NONE)
        tool_error("as: unknown platform '%s'", word);
    return *platform != VISAGE_PLATFORM_NONE;
}

static bool take_option(int option, job *j)
{
    switch (option) {
    case 'o':
        j->path = strcmp(optarg, "-") == 0 ? NULL : optarg;
        return true;
    case 'l':
        return read_layout(optarg, &j->write.layout);
    case 'p':
        return read_platform(optarg, &j->read.platform);
    default:
        return false;
    }
}

int tool_as(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"output", required_argument, NULL, 'o'},
        {"layout", required_argument, NULL, 'l'},
        {"platform", required_argument, NULL, 'p'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    job j = {.read = VISAGE_OPTIONS_INIT(visage_module_options),
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
    j.files = argv + optind;
    j.num_files = (size_t)(argc - optind);
    if (j.num_files == 0) {
        tool_error("as: no file given");
        return EXIT_USAGE;
    }
    if (!j.path && isatty(STDOUT_FILENO)) {
        tool_error("as: a binary is not written to a terminal; use -o FILE");
        return EXIT_USAGE;
    }
    return assemble(&j);
}
