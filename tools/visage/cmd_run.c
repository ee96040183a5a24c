/* SPDX-License-Identifier: MIT
 *
 * visage run: execute a kernel. */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "argument.h"
#include "finding.h"
#include "linking.h"
#include "tool.h"

/* One --attach. */
typedef struct attachment {
    char *name; /* malloc'd */
    argument arg;
} attachment;

typedef struct run_options {
    const char *file, *kernel, *info;
    const char **files; /* all that are linked, `file` first */
    size_t num_files;
    visage_platform platform;
    visage_cpu cpu;
    bool no_cache, perf, quick;
    visage_range range;
    visage_run_options run;
    bool stats, json;
    int failure; /* of an argument; EXIT_GOOD: wrong usage is what else can fail */
    argument *args;
    size_t num_args;
    attachment *attachments;
    size_t num_attachments;
} run_options;

/* The launch that Ctrl-C stops. */
static visage_launch *volatile current_launch;

static void on_interrupt(int signal_number)
{
    visage_launch *launch = current_launch;

    (void)signal_number;
    if (launch)
        visage_launch_cancel(launch);
}

static void print_help(void)
{
    fputs(
        "usage: visage run FILE... [KERNEL] [OPTION]...\n\n"
        "Executes a kernel of a zebin, a vISA binary or a vISA text. Several files are\n"
        "linked; behind the first one a word without . and / is the kernel's name.\n\n"
        "  -g, --global X[,Y[,Z]]   work-items (a zebin's kernel)\n"
        "  -l, --local X[,Y[,Z]]    work-group size; chosen when left out\n"
        "      --groups X[,Y[,Z]]   thread groups (plain vISA kernels)\n"
        "      --threads X[,Y[,Z]]  threads of a group\n"
        "      --space WxH          media thread space\n"
        "      --pattern NAME       its dependencies: none, wavefront45, wavefront26,\n"
        "                           vertical, horizontal\n"
        "  -a, --arg SPEC           one a kernel argument, in order:\n"
        "        TYPE:VALUE[,VALUE...]            scalar or short vector\n"
        "        buf:TYPE:COUNT:INIT[:out=FILE]   INIT zero, iota, fill=V, rand=SEED,\n"
        "                                         none: never written, for --check\n"
        "        buf:TYPE:@FILE[:out=FILE]        from a raw little-endian file\n"
        "        local:BYTES                      shared local memory\n"
        "        image:FORMAT[/SHAPE[/LEVELS]]:WxH[xD]:@FILE[:out=FILE]\n"
        "        sampler:WORD[,WORD...]           linear, repeat, normalized ...\n"
        "        null                             null pointer\n"
        "        TYPE is i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64; out=- prints numbers\n"
        "      --attach NAME=SPEC   memory that is no argument: rt0 to rt7, depth, stencil "
        "(an\n"
        "                           image:), urb, counter0 to counter251 (a buf:); or\n"
        "                           bindless:HANDLE (either, or a sampler:)\n"
        "      --platform P         skl icllp tgllp xe-hp dg2 pvc, where the file does not "
        "say\n"
        "      --info FILE          .ze_info of a zebin, or bare YAML, for a text\n"
        "      --engine NAME        interp, jit or auto (default)\n"
        "      --cpu LEVEL          the JIT's code: sse4.2, avx2, avx512 or native (default)\n"
        "      --quick              the JIT compiles quickly, its code is slower\n"
        "      --no-cache           machine code is not kept on disk, nor taken from there\n"
        "      --perf               perf and gdb learn the names of machine code\n"
        "      --jobs N             worker threads, default all cores\n"
        "      --timeout SECONDS    stop the kernel after that time\n"
        "      --budget N           stop when a thread has run N instructions\n"
        "      --check              find what is undefined: accesses outside of buffers, use "
        "of\n"
        "                           what was never written, data races ...\n"
        "      --check=no-races     all but data races, on all cores\n"
        "      --max-errors N       findings shown, default 100; 0: all\n"
        "      --seed N             another order of groups, threads and their steps\n"
        "      --stats              time, groups, threads, instructions on stderr\n"
        "      --json               with --stats or --check: as JSON\n"
        "  -h, --help\n\n"
        "example: visage run add.zebin -g 1024 -a buf:i32:1024:iota -a "
        "buf:i32:1024:zero:out=-\n",
        stdout);
}

enum {
    OPTION_GROUPS = 256,
    OPTION_THREADS,
    OPTION_SPACE,
    OPTION_PATTERN,
    OPTION_ATTACH,
    OPTION_PLATFORM,
    OPTION_INFO,
    OPTION_ENGINE,
    OPTION_CPU,
    OPTION_QUICK,
    OPTION_NO_CACHE,
    OPTION_PERF,
    OPTION_JOBS,
    OPTION_TIMEOUT,
    OPTION_BUDGET,
    OPTION_CHECK,
    OPTION_MAX_ERRORS,
    OPTION_SEED,
    OPTION_STATS,
    OPTION_JSON
};

static const struct option long_options[] = {
    {"global", required_argument, NULL, 'g'},
    {"local", required_argument, NULL, 'l'},
    {"arg", required_argument, NULL, 'a'},
    {"groups", required_argument, NULL, OPTION_GROUPS},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"space", required_argument, NULL, OPTION_SPACE},
    {"pattern", required_argument, NULL, OPTION_PATTERN},
    {"attach", required_argument, NULL, OPTION_ATTACH},
    {"platform", required_argument, NULL, OPTION_PLATFORM},
    {"info", required_argument, NULL, OPTION_INFO},
    {"engine", required_argument, NULL, OPTION_ENGINE},
    {"cpu", required_argument, NULL, OPTION_CPU},
    {"quick", no_argument, NULL, OPTION_QUICK},
    {"no-cache", no_argument, NULL, OPTION_NO_CACHE},
    {"perf", no_argument, NULL, OPTION_PERF},
    {"jobs", required_argument, NULL, OPTION_JOBS},
    {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"budget", required_argument, NULL, OPTION_BUDGET},
    {"check", optional_argument, NULL, OPTION_CHECK},
    {"max-errors", required_argument, NULL, OPTION_MAX_ERRORS},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"stats", no_argument, NULL, OPTION_STATS},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* Sizes of a launch are at least 1: a zero would stand for the default in the library. */
static bool take_sizes(const char *option, const char *text, uint32_t *out)
{
    uint32_t sizes[3] = {1, 1, 1};
    int count = tool_sizes(text, ',', 3, sizes);

    if (count == 0) {
        tool_error("%s %s: expected X, X,Y or X,Y,Z", option, text);
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (sizes[i] == 0) {
            tool_error("%s %s: size is zero in dimension %c", option, text, "xyz"[i]);
            return false;
        }
        out[i] = i < count ? sizes[i] : 0;
    }
    return true;
}

static bool take_number(const char *option, const char *text, uint64_t least, uint64_t most,
                        uint64_t *out)
{
    if (tool_u64(text, out) && *out >= least && *out <= most)
        return true;
    tool_error("%s %s: expected a whole number from %" PRIu64 " to %" PRIu64, option, text,
               least, most);
    return false;
}

static bool take_timeout(const char *text, uint32_t *milliseconds)
{
    char *end;
    double seconds = strtod(text, &end);

    if (end == text || *end || !(seconds > 0) || !(seconds < 4e6)) {
        tool_error("--timeout %s: expected a positive number of seconds", text);
        return false;
    }
    *milliseconds = (uint32_t)ceil(seconds * 1000);
    return true;
}

static bool take_argument(const char *text, run_options *options)
{
    argument *grown = realloc(options->args, (options->num_args + 1) * sizeof *grown);

    if (!grown) {
        tool_error("out of memory");
        options->failure = EXIT_RESOURCE;
        return false;
    }
    options->args = grown;
    options->failure = argument_parse(text, &options->args[options->num_args++]);
    return options->failure == EXIT_GOOD;
}

static bool take_attachment(const char *text, run_options *options)
{
    const char *equals = strchr(text, '=');
    attachment *grown =
        realloc(options->attachments, (options->num_attachments + 1) * sizeof *grown);
    char *name = equals ? strndup(text, (size_t)(equals - text)) : NULL;

    if (grown)
        options->attachments = grown;
    if (!grown || (equals && !name)) {
        free(name);
        tool_error("out of memory");
        options->failure = EXIT_RESOURCE;
        return false;
    }
    if (!equals) {
        tool_error("--attach %s: expected NAME=SPEC", text);
        return false;
    }
    attachment *added = &options->attachments[options->num_attachments++];
    added->name = name;
    options->failure = argument_parse(equals + 1, &added->arg);
    if (options->failure == EXIT_GOOD && added->arg.kind != ARGUMENT_BUFFER &&
        added->arg.kind != ARGUMENT_IMAGE && added->arg.kind != ARGUMENT_SAMPLER) {
        tool_error("--attach %s: expected a buf:, an image: or a sampler:", text);
        return false;
    }
    return options->failure == EXIT_GOOD;
}

static bool take_engine(const char *text, run_options *options)
{
    static const struct {
        const char *name;
        visage_engine engine;
    } engines[] = {{"interp", VISAGE_ENGINE_INTERPRETER},
                   {"jit", VISAGE_ENGINE_JIT},
                   {"auto", VISAGE_ENGINE_AUTO}};
    size_t i = 0;

    while (i < sizeof engines / sizeof *engines && strcmp(engines[i].name, text) != 0)
        i++;
    if (i == sizeof engines / sizeof *engines) {
        tool_error("--engine %s: unknown engine, there are interp, jit and auto", text);
        return false;
    }
    options->run.engine = engines[i].engine;
    if (visage_has_engine(options->run.engine))
        return true;
    tool_error("--engine %s: this build has no JIT; it needs LLVM 19 (Debian: llvm-19-dev)",
               text);
    return false;
}

static bool take_option(int option, const char *text, run_options *options)
{
    uint64_t number;

    switch (option) {
    case 'g':
        return take_sizes("--global", text, options->range.global);
    case 'l':
        return take_sizes("--local", text, options->range.local);
    case OPTION_GROUPS:
        return take_sizes("--groups", text, options->range.groups);
    case OPTION_THREADS:
        return take_sizes("--threads", text, options->range.threads);
    case OPTION_SPACE:
        if (tool_sizes(text, 'x', 2, options->range.space) == 2 && options->range.space[0] &&
            options->range.space[1])
            return true;
        tool_error("--space %s: expected WxH", text);
        return false;
    case OPTION_PATTERN:
        if (visage_pattern_find(text, &options->range.pattern))
            return true;
        tool_error("--pattern %s: unknown; none wavefront45 wavefront26 vertical horizontal",
                   text);
        return false;
    case 'a':
        return take_argument(text, options);
    case OPTION_ATTACH:
        return take_attachment(text, options);
    case OPTION_PLATFORM:
        options->platform = visage_platform_find(text);
        if (options->platform != VISAGE_PLATFORM_NONE)
            return true;
        tool_error("--platform %s: unknown; skl icllp tgllp xe-hp dg2 pvc", text);
        return false;
    case OPTION_INFO:
        options->info = text;
        return true;
    case OPTION_ENGINE:
        return take_engine(text, options);
    case OPTION_CPU:
        return tool_cpu(text, &options->cpu);
    case OPTION_QUICK:
        options->quick = true;
        return true;
    case OPTION_NO_CACHE:
        options->no_cache = true;
        return true;
    case OPTION_PERF:
        options->perf = true;
        return true;
    case OPTION_JOBS:
        if (!take_number("--jobs", text, 1, 1024, &number))
            return false;
        options->run.jobs = (uint32_t)number;
        return true;
    case OPTION_TIMEOUT:
        return take_timeout(text, &options->run.timeout_ms);
    case OPTION_BUDGET:
        return take_number("--budget", text, 1, UINT64_MAX, &options->run.instructions);
    case OPTION_CHECK:
        options->run.check = true;
        options->run.no_races = text && strcmp(text, "no-races") == 0;
        if (!text || options->run.no_races || strcmp(text, "races") == 0)
            return true;
        tool_error("--check=%s: unknown; races (which --check alone finds too) or no-races",
                   text);
        return false;
    case OPTION_MAX_ERRORS:
        if (!take_number("--max-errors", text, 0, UINT32_MAX, &number))
            return false;
        options->run.most_findings = number ? (uint32_t)number : UINT32_MAX;
        return true;
    case OPTION_SEED:
        return take_number("--seed", text, 0, UINT64_MAX, &options->run.seed);
    case OPTION_STATS:
        options->stats = true;
        return true;
    case OPTION_JSON:
        options->json = true;
        return true;
    default:
        return false;
    }
}

/* Is a word behind the first file another one? A plain one is the kernel's name, whatever files
 * there are: programs that run kernels are often called as these are. */
static bool is_file(const char *name)
{
    return strcmp(name, "-") == 0 || strchr(name, '.') || strchr(name, '/');
}

/* Files to link, and a kernel's name. Returns as take_options() does. */
static int take_files(int count, char **names, run_options *options)
{
    options->files = calloc((size_t)count, sizeof *options->files);
    if (!options->files)
        return EXIT_RESOURCE;
    for (int i = 0; i < count; i++) {
        if (i == 0 || is_file(names[i])) {
            options->files[options->num_files++] = names[i];
        } else if (!options->kernel) {
            options->kernel = names[i];
        } else {
            tool_error("run: unexpected '%s'; the kernel is '%s'", names[i], options->kernel);
            return EXIT_USAGE;
        }
    }
    options->file = options->files[0];
    return -1;
}

/* Returns a status to exit with, or -1 to go on. */
static int take_options(int argc, char **argv, run_options *options)
{
    static char program[] = "visage run"; /* what getopt's messages begin with */
    int option;

    argv[0] = program;
    while ((option = getopt_long(argc, argv, "g:l:a:h", long_options, NULL)) != -1) {
        if (option == 'h') {
            print_help();
            return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
        }
        if (!take_option(option, optarg, options))
            return options->failure ? options->failure : EXIT_USAGE;
    }
    if (options->json && !options->stats && !options->run.check) {
        tool_error("run: --json says how --stats and --check are shown, and neither is given");
        return EXIT_USAGE;
    }
    if (optind == argc) {
        tool_error("run: no file given; visage run --help explains");
        return EXIT_USAGE;
    }
    return take_files(argc - optind, argv + optind, options);
}

static void print_stats(const run_options *options, const visage_run_stats *stats)
{
    double seconds = (double)stats->nanoseconds / 1e9;
    double compiling = (double)stats->compile_nanoseconds / 1e9;
    const char *engine = stats->engine == VISAGE_ENGINE_JIT ? "jit" : "interp";

    if (!options->json) {
        fprintf(stderr,
                "time %.6f s, groups %" PRIu64 ", threads %" PRIu64 ", instructions %" PRIu64
                ", local %u,%u,%u, jobs %u, engine %s\n",
                seconds, stats->groups, stats->threads, stats->instructions, stats->local[0],
                stats->local[1], stats->local[2], stats->jobs, engine);
        if (stats->engine == VISAGE_ENGINE_JIT)
            fprintf(stderr,
                    "compiled %" PRIu32 " instructions, %" PRIu32
                    " by calls of the interpreter's functions, in %.6f s%s\n",
                    stats->compiled, stats->called, compiling,
                    stats->cached ? ", from the cache" : "");
        if (stats->interpreted_functions)
            fprintf(stderr, "not compiled: %" PRIu32 " of %" PRIu32 " functions: %s\n",
                    stats->interpreted_functions, stats->functions, stats->not_compiled);
        else if (stats->not_compiled)
            fprintf(stderr, "not compiled: %s\n", stats->not_compiled);
        return;
    }
    json_t *object = json_pack(
        "{s:f, s:I, s:I, s:I, s:[i,i,i], s:i, s:s, s:I, s:I, s:f, s:b, s:I, s:I, s:s*}",
        "seconds", seconds, "groups", (json_int_t)stats->groups, "threads",
        (json_int_t)stats->threads, "instructions", (json_int_t)stats->instructions, "local",
        (int)stats->local[0], (int)stats->local[1], (int)stats->local[2], "jobs",
        (int)stats->jobs, "engine", engine, "compiled", (json_int_t)stats->compiled, "called",
        (json_int_t)stats->called, "compile_seconds", compiling, "cached", (int)stats->cached,
        "functions", (json_int_t)stats->functions, "interpreted_functions",
        (json_int_t)stats->interpreted_functions, "not_compiled", stats->not_compiled);
    if (object) {
        (void)json_dumpf(object, stderr, JSON_COMPACT);
        fputc('\n', stderr);
    }
    json_decref(object);
}

typedef struct run_state {
    visage_context *context;
    visage_diagnostics *diagnostics;
    visage_module *module;
    tool_modules linked; /* that `module` was made of */
    visage_device *device;
    visage_program *program;
    visage_launch *launch;
    json_t *findings; /* --check --json, else NULL */
} run_state;

static visage_status read_module(run_state *state, run_options *options)
{
    visage_module_options module_options = VISAGE_OPTIONS_INIT(visage_module_options);
    void *info = NULL;
    size_t info_size = 0;

    module_options.platform = options->platform;
    if (options->info) {
        info = tool_read(options->info, &info_size);
        if (!info)
            return VISAGE_IO;
        module_options.info = info;
        module_options.info_size = info_size;
        module_options.info_name = options->info;
    }
    visage_link_options link_options = VISAGE_OPTIONS_INIT(visage_link_options);
    const tool_parts parts = {options->files, options->num_files, &module_options,
                              &link_options};
    visage_status status =
        options->num_files == 1
            ? tool_read_module(state->context, options->file, &module_options,
                               state->diagnostics, &state->module)
            : tool_read_linked(state->context, &parts, state->diagnostics, &state->linked,
                               &state->module);
    free(info);
    return status;
}

static visage_status prepare(run_state *state, run_options *options)
{
    visage_device_options device_options = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_module_info info;

    visage_status status = visage_module_get_info(state->module, &info);
    if (status != VISAGE_OK)
        return status;
    device_options.platform =
        options->platform != VISAGE_PLATFORM_NONE ? options->platform : info.platform;
    if (device_options.platform == VISAGE_PLATFORM_NONE) {
        tool_error("%s does not say which platform it is for; give --platform", options->file);
        return VISAGE_IO; /* said already */
    }
    device_options.jobs = options->run.jobs;
    device_options.cpu = options->cpu;
    device_options.quick = options->quick;
    device_options.no_cache = options->no_cache;
    device_options.tell_tools = options->perf;
    if (!tool_cpu_runs(options->cpu))
        return VISAGE_IO; /* said already */
    status = visage_device_create(state->context, &device_options, &state->device);
    if (status != VISAGE_OK)
        return status;
    status = visage_program_create(state->device, state->module, state->diagnostics,
                                   &state->program);
    if (status != VISAGE_OK)
        return status;
    return visage_launch_create(state->program, options->kernel, state->diagnostics,
                                &state->launch);
}

static visage_status set_arguments(run_state *state, run_options *options)
{
    visage_kernel_info kernel;
    size_t index = visage_launch_kernel(state->launch);

    visage_status status = visage_module_get_kernel(state->module, index, &kernel);
    if (status != VISAGE_OK)
        return status;
    if (options->num_args != kernel.num_arguments) {
        tool_error("kernel '%s' takes %zu arguments, %zu given with --arg; visage info %s "
                   "shows them",
                   kernel.name, kernel.num_arguments, options->num_args, options->file);
        return VISAGE_IO; /* said already */
    }
    for (size_t i = 0; i < options->num_args && status == VISAGE_OK; i++) {
        visage_argument_info info;
        status = visage_module_get_argument(state->module, index, i, &info);
        if (status == VISAGE_OK)
            status = argument_set(&options->args[i],
                                  &(argument_target){state->context, state->device,
                                                     state->launch, i, state->diagnostics},
                                  &info);
    }
    for (size_t i = 0; i < options->num_attachments && status == VISAGE_OK; i++)
        status = argument_attach(&options->attachments[i].arg,
                                 &(argument_target){state->context, state->device,
                                                    state->launch, 0, state->diagnostics},
                                 options->attachments[i].name);
    return status;
}

static bool print_text(void *user, const void *data, size_t size_bytes)
{
    (void)user;
    return fwrite(data, 1, size_bytes, stdout) == size_bytes;
}

static visage_status launch(run_state *state, run_options *options)
{
    visage_run_stats stats;
    struct sigaction action = {.sa_handler = on_interrupt};
    struct sigaction before;

    if (options->run.check && options->json) {
        state->findings = json_array();
        options->run.on_finding = state->findings ? finding_append : NULL;
        options->run.finding_user = state->findings;
    }
    options->run.print = print_text;
    /* A second Ctrl-C ends the process in the ordinary way. */
    action.sa_flags = (int)SA_RESETHAND;
    current_launch = state->launch;
    (void)sigaction(SIGINT, &action, &before);
    visage_status status = visage_launch_run(state->launch, &options->range, &options->run,
                                             state->diagnostics, &stats);
    (void)sigaction(SIGINT, &before, NULL);
    current_launch = NULL;
    if (status == VISAGE_OK && options->stats)
        print_stats(options, &stats);
    return status;
}

static int write_results(const run_options *options)
{
    bool good = true;

    for (size_t i = 0; i < options->num_args; i++)
        good &= argument_write(&options->args[i]);
    for (size_t i = 0; i < options->num_attachments; i++)
        good &= argument_write(&options->attachments[i].arg);
    return tool_flush() && good ? EXIT_GOOD : EXIT_RESOURCE;
}

static void free_arguments(run_options *options)
{
    for (size_t i = 0; i < options->num_args; i++)
        argument_free(&options->args[i]);
    for (size_t i = 0; i < options->num_attachments; i++)
        argument_free(&options->attachments[i].arg);
}

static int run(run_options *options)
{
    run_state state = {0};
    int result = EXIT_RESOURCE;

    if (!tool_start(&state.context, &state.diagnostics))
        return EXIT_RESOURCE;
    visage_status status = read_module(&state, options);
    if (status == VISAGE_OK)
        status = prepare(&state, options);
    if (status == VISAGE_OK)
        status = set_arguments(&state, options);
    if (status == VISAGE_OK)
        status = launch(&state, options);
    if (state.findings && status != VISAGE_IO)
        finding_print(state.findings, state.diagnostics);
    else
        tool_report(state.diagnostics, status == VISAGE_IO ? VISAGE_OK : status);
    json_decref(state.findings);
    result = tool_exit(status);
    if (status == VISAGE_OK)
        result = write_results(options);

    visage_launch_destroy(&state.launch);
    visage_program_destroy(&state.program);
    free_arguments(options);
    visage_device_destroy(&state.device);
    visage_module_destroy(&state.module);
    tool_modules_free(&state.linked);
    tool_finish(&state.context, &state.diagnostics);
    return result;
}

int tool_run(int argc, char **argv)
{
    run_options options = {.range = VISAGE_OPTIONS_INIT(visage_range),
                           .run = VISAGE_OPTIONS_INIT(visage_run_options)};
    int result = take_options(argc, argv, &options);

    if (result < 0)
        result = run(&options);
    else
        free_arguments(&options);
    free(options.files);
    for (size_t i = 0; i < options.num_attachments; i++)
        free(options.attachments[i].name);
    free(options.attachments);
    free(options.args);
    return result;
}
