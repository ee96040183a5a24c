/* SPDX-License-Identifier: MIT */
#include "run_options.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Files to link, and a kernel's name. Returns as run_options_take() does. */
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

int run_options_take(int argc, char **argv, run_options *options)
{
    static char program[] = "visage run"; /* what getopt's messages begin with */
    int option;

    *options = (run_options){.range = VISAGE_OPTIONS_INIT(visage_range),
                             .run = VISAGE_OPTIONS_INIT(visage_run_options)};
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

void run_options_free(run_options *options)
{
    for (size_t i = 0; i < options->num_args; i++)
        argument_free(&options->args[i]);
    for (size_t i = 0; i < options->num_attachments; i++) {
        argument_free(&options->attachments[i].arg);
        free(options->attachments[i].name);
    }
    free(options->files);
    free(options->attachments);
    free(options->args);
}
