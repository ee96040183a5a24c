/* SPDX-License-Identifier: MIT
 *
 * visage compile: the machine code that a kernel becomes. */
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

typedef struct compile_options {
    const char *file, *kernel, *path;
    visage_platform platform;
    visage_compile_options compile;
} compile_options;

static void print_help(void)
{
    fputs(
        "usage: visage compile FILE [KERNEL] [OPTION]...\n\n"
        "Writes the machine code that a kernel of a zebin, a vISA binary or a vISA text\n"
        "becomes for visage run --engine jit, with its vISA instructions as comments.\n\n"
        "      --emit FORM         llvm (default), asm, or obj, an object file\n"
        "      --cpu LEVEL         sse4.2, avx2, avx512 or native (default)\n"
        "  -o, --output FILE       write there; - or nothing is stdout\n"
        "      --platform P        skl icllp tgllp xe-hp dg2 pvc, where the file does not say\n"
        "      --no-comments       without the vISA instructions\n"
        "  -h, --help\n",
        stdout);
}

static bool take_form(const char *text, visage_code_form *out)
{
    static const char *const names[] = {[VISAGE_CODE_LLVM] = "llvm",
                                        [VISAGE_CODE_ASSEMBLY] = "asm",
                                        [VISAGE_CODE_OBJECT] = "obj"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], text) != 0)
            continue;
        *out = (visage_code_form)i;
        return true;
    }
    tool_error("--emit %s: unknown; llvm asm obj", text);
    return false;
}

/* A program of the file, on a device that nothing will run on. */
typedef struct compile_state {
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module;
    visage_device *device;
    visage_program *program;
} compile_state;

static visage_status prepare(compile_state *state, const compile_options *options)
{
    visage_module_options reading = VISAGE_OPTIONS_INIT(visage_module_options);
    visage_device_options device = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_module_info info;

    reading.platform = options->platform;
    visage_status status = tool_read_module(state->context, options->file, &reading,
                                            state->diagnostics, &state->module);
    if (status == VISAGE_OK)
        status = visage_module_get_info(state->module, &info);
    if (status != VISAGE_OK)
        return status;
    device.platform = options->platform ? options->platform : info.platform;
    device.jobs = 1;
    device.cpu = VISAGE_CPU_NATIVE;
    if (device.platform == VISAGE_PLATFORM_NONE) {
        tool_error("%s does not say which platform it is for; give --platform", options->file);
        return VISAGE_IO; /* said already */
    }
    status = visage_device_create(state->context, &device, &state->device);
    if (status == VISAGE_OK)
        status = visage_program_create(state->device, state->module, state->diagnostics,
                                       &state->program);
    return status;
}

static int compile(const compile_options *options)
{
    compile_state state = {0};
    tool_output output = {.path = options->path};

    if (!tool_start(&state.context, &state.diagnostics))
        return EXIT_RESOURCE;
    visage_status status = prepare(&state, options);
    if (status == VISAGE_OK)
        status = visage_program_compile(state.program, options->kernel, &options->compile,
                                        state.diagnostics, tool_write, &output);
    tool_report(state.diagnostics, status == VISAGE_IO ? VISAGE_OK : status);
    visage_program_destroy(&state.program);
    visage_device_destroy(&state.device);
    visage_module_destroy(&state.module);
    tool_finish(&state.context, &state.diagnostics);
    if (!tool_output_finish(&output))
        return EXIT_RESOURCE;
    return tool_exit(status);
}

static bool take_option(int option, compile_options *options)
{
    switch (option) {
    case 'e':
        return take_form(optarg, &options->compile.form);
    case 'c':
        return tool_cpu(optarg, &options->compile.cpu);
    case 'o':
        options->path = strcmp(optarg, "-") == 0 ? NULL : optarg;
        return true;
    case 'n':
        options->compile.no_comments = true;
        return true;
    case 'p':
        options->platform = visage_platform_find(optarg);
        if (options->platform != VISAGE_PLATFORM_NONE)
            return true;
        tool_error("--platform %s: unknown; skl icllp tgllp xe-hp dg2 pvc", optarg);
        return false;
    default:
        return false;
    }
}

/* Returns a status to exit with, or -1 to go on. */
static int check_options(int argc, char **argv, compile_options *options)
{
    if (argc - optind < 1 || argc - optind > 2) {
        tool_error(optind == argc ? "compile: no file given"
                                  : "compile: one file and one kernel at a time");
        return EXIT_USAGE;
    }
    if (!visage_has_engine(VISAGE_ENGINE_JIT)) {
        tool_error("compile: this build has no JIT; it needs LLVM 19 (Debian: llvm-19-dev)");
        return EXIT_RESOURCE;
    }
    if (options->compile.form == VISAGE_CODE_OBJECT && !options->path &&
        isatty(STDOUT_FILENO)) {
        tool_error("compile: an object file is not written to a terminal; give -o");
        return EXIT_USAGE;
    }
    options->file = argv[optind];
    options->kernel = optind + 1 < argc ? argv[optind + 1] : NULL;
    return -1;
}

int tool_compile(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"emit", required_argument, NULL, 'e'},
        {"cpu", required_argument, NULL, 'c'},
        {"output", required_argument, NULL, 'o'},
        {"no-comments", no_argument, NULL, 'n'},
        {"platform", required_argument, NULL, 'p'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    compile_options options = {.compile = VISAGE_OPTIONS_INIT(visage_compile_options)};
    int option;

    while ((option = getopt_long(argc, argv, "o:h", long_options, NULL)) != -1) {
        if (option == 'h') {
            print_help();
            return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
        }
        if (!take_option(option, &options))
            return EXIT_USAGE;
    }
    int result = check_options(argc, argv, &options);
    return result >= 0 ? result : compile(&options);
}
