/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "smith.h"

enum {
    BUFFERS = 4,
    MOST_FLOATS = 16,
    BUDGET = 1 << 16,
    BEYOND_BUDGET = 1 << 12, /* that a thread may end in: compiled code asks in loops */
    TIMEOUT_MS = 60000,
    MEMORY_BYTES = 1 << 24,
    MOST_WORDS = 1 << 20
};

/* ---- devices ---------------------------------------------------------------------------- */

bool smith_open(smith_machine *machine)
{
    *machine = (smith_machine){0};
    return visage_context_create(NULL, &machine->context) == VISAGE_OK &&
           visage_diagnostics_create(machine->context, &machine->diagnostics) == VISAGE_OK;
}

typedef struct floats {
    uint32_t at, bytes; /* of what a thread leaves */
    char type[4];
} floats;

typedef struct plan {
    visage_platform platform;
    visage_cpu cpu;
    bool quick;
    uint32_t global, local;
    uint32_t words[BUFFERS]; /* of memory, of what is left, of a surface */
    bool is_random[BUFFERS];
    uint32_t argument[BUFFERS]; /* its number among all arguments */
    int32_t value;              /* of the argument that is one */
    int32_t value_argument;     /* its number, -1: there is none */
    uint32_t num_buffers;
    uint32_t simd;
    floats floats[MOST_FLOATS];
    uint32_t num_floats;
} plan;

static visage_device *open_device(smith_machine *machine, const plan *p)
{
    visage_device **device = &machine->devices[p->cpu][p->quick][p->platform];
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);

    options.platform = p->platform;
    options.cpu = p->cpu;
    options.quick = p->quick;
    options.jobs = 1;
    options.memory_bytes = MEMORY_BYTES;
    options.no_cache = true; /* of another build it would hide this one's code */
    if (!*device && visage_device_create(machine->context, &options, device) != VISAGE_OK)
        *device = NULL;
    return *device;
}

void smith_close(smith_machine *machine)
{
    visage_device **devices = &machine->devices[0][0][0];

    for (size_t i = 0; i < sizeof machine->devices / sizeof *devices; i++)
        visage_device_destroy(&devices[i]);
    visage_diagnostics_destroy(&machine->diagnostics);
    visage_context_destroy(&machine->context);
}

/* ---- what the text says of its launch ---------------------------------------------------- */

static uint32_t number_behind(const char *text, const char *word)
{
    const char *at = text ? strstr(text, word) : NULL;

    return at ? (uint32_t)strtoul(at + strlen(word), NULL, 0) : 0;
}

/* The level of the processor, where there is one that this one has. */
static void read_cpu(const char *run, const char *end, visage_cpu *cpu)
{
    const char *at = strstr(run, " --cpu ");
    char name[16] = "";

    if (at && at < end && sscanf(at, " --cpu %15s", name) == 1 && visage_cpu_find(name, cpu) &&
        !visage_cpu_runs(*cpu))
        *cpu = VISAGE_CPU_NATIVE;
}

static bool read_plan(const char *text, plan *out)
{
    const char *run = strstr(text, "// visage run ");
    const char *end = run ? strchr(run, '\n') : NULL;
    char platform[16] = "";

    *out = (plan){0};
    if (!end || sscanf(strstr(run, "--platform ") ? strstr(run, "--platform ") : "",
                       "--platform %15s", platform) != 1)
        return false;
    out->platform = visage_platform_find(platform);
    read_cpu(run, end, &out->cpu);
    const char *quick = strstr(run, " --quick");
    out->quick = quick && quick < end;
    out->global = number_behind(run, " -g ");
    out->local = number_behind(run, " -l ");
    out->simd = number_behind(text, "SimdSize=");
    out->value_argument = -1;
    uint32_t argument = 0;
    for (const char *at = run; (at = strstr(at, " -a ")) != NULL && at < end; at += 4) {
        const char *size = at + strlen(" -a buf:u32:");
        if (strncmp(at, " -a i32:", 8) == 0) {
            out->value = (int32_t)strtol(at + 8, NULL, 0);
            out->value_argument = (int32_t)argument;
        } else if (strncmp(at, " -a buf:u32:", 12) == 0 && out->num_buffers < BUFFERS) {
            const char *init = strchr(size, ':');
            out->argument[out->num_buffers] = argument;
            out->words[out->num_buffers] = (uint32_t)strtoul(size, NULL, 0);
            out->is_random[out->num_buffers++] = init && strncmp(init, ":rand", 5) == 0;
        }
        argument++;
    }
    for (const char *at = text; (at = strstr(at, "\n// floats ")) != NULL; at++) {
        floats *f = &out->floats[out->num_floats];
        if (out->num_floats < MOST_FLOATS &&
            sscanf(at, "\n// floats %3s at %" SCNu32 ", %" SCNu32, f->type, &f->at,
                   &f->bytes) == 3)
            out->num_floats++;
    }
    return out->platform != VISAGE_PLATFORM_NONE && out->global && out->local &&
           out->words[0] && out->words[1] && out->simd;
}

/* ---- one program ------------------------------------------------------------------------ */

typedef struct outcome {
    visage_status status;
    char message[512]; /* the first diagnostic */
    uint8_t *memory[BUFFERS];
    visage_run_stats stats;
} outcome;

typedef struct run {
    smith_machine *machine;
    smith_result *result;
    plan plan;
    visage_module *module;
    visage_program *program;
    visage_launch *launch;
    visage_buffer *buffers[BUFFERS];
    outcome outcomes[2]; /* of the interpreter, of the compiler */
} run;

static void first_message(const smith_machine *machine, char *message, size_t size)
{
    const visage_diagnostic *d = visage_diagnostics_get(machine->diagnostics, 0);

    message[0] = '\0';
    if (d)
        (void)visage_diagnostic_render(d, false, message, size);
}

static void refuse(run *r, visage_status status)
{
    const visage_diagnostic *d = visage_diagnostics_get(r->machine->diagnostics, 0);

    r->result->verdict = SMITH_REFUSED;
    (void)snprintf(r->result->kind, sizeof r->result->kind, "%s",
                   d ? d->code : visage_status_name(status));
    first_message(r->machine, r->result->message, sizeof r->result->message);
}

static bool prepare(run *r, const char *text)
{
    visage_diagnostics *diagnostics = r->machine->diagnostics;
    visage_device *device = open_device(r->machine, &r->plan);
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);

    if (!device) {
        refuse(r, VISAGE_UNSUPPORTED);
        return false;
    }
    options.platform = r->plan.platform;
    visage_status status =
        visage_module_read_memory(r->machine->context, "smith.visaasm", text, strlen(text),
                                  &options, diagnostics, &r->module);
    if (status == VISAGE_OK)
        status = visage_program_create(device, r->module, diagnostics, &r->program);
    if (status == VISAGE_OK)
        status = visage_launch_create(r->program, "smith", diagnostics, &r->launch);
    for (uint32_t i = 0; i < r->plan.num_buffers && status == VISAGE_OK; i++) {
        status = visage_buffer_create(device, (size_t)r->plan.words[i] * 4, &r->buffers[i]);
        if (status == VISAGE_OK)
            status = visage_launch_set_buffer(r->launch, r->plan.argument[i], r->buffers[i], 0,
                                              diagnostics);
    }
    if (status == VISAGE_OK && r->plan.value_argument >= 0)
        status = visage_launch_set_value(r->launch, (size_t)r->plan.value_argument,
                                         &r->plan.value, sizeof r->plan.value, diagnostics);
    if (status != VISAGE_OK || visage_diagnostics_count(diagnostics) > 0) {
        refuse(r, status);
        return false;
    }
    return true;
}

/* As `rand=SEED` of visage run. */
static void fill(run *r, uint64_t seed)
{
    for (uint32_t b = 0; b < r->plan.num_buffers; b++) {
        uint32_t *memory = visage_buffer_data(r->buffers[b]);
        uint64_t state = seed + b;
        for (uint32_t i = 0; i < r->plan.words[b]; i++)
            memory[i] = r->plan.is_random[b] ? (uint32_t)smith_next(&state) : 0;
    }
}

static bool execute(run *r, visage_engine engine, uint64_t input, uint64_t budget, outcome *out)
{
    visage_range range = VISAGE_OPTIONS_INIT(visage_range);
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);

    range.global[0] = r->plan.global;
    range.local[0] = r->plan.local;
    options.instructions = budget;
    options.engine = engine;
    options.timeout_ms = TIMEOUT_MS;
    options.jobs = 1;
    fill(r, input);
    visage_diagnostics_clear(r->machine->diagnostics);
    out->status =
        visage_launch_run(r->launch, &range, &options, r->machine->diagnostics, &out->stats);
    first_message(r->machine, out->message, sizeof out->message);
    for (uint32_t i = 0; i < r->plan.num_buffers; i++) {
        size_t size = (size_t)r->plan.words[i] * 4;
        if (!out->memory[i])
            out->memory[i] = malloc(size);
        if (!out->memory[i])
            return false;
        memcpy(out->memory[i], visage_buffer_data(r->buffers[i]), size);
    }
    return true;
}

/* ---- comparing -------------------------------------------------------------------------- */

static bool is_nan(const char *type, const uint8_t *bytes)
{
    uint64_t bits = 0;
    visage_type t = vsg_isa_find_type(type, strlen(type));
    uint32_t size = vsg_isa_type(t)->bytes;
    uint64_t infinity = t == VISAGE_TYPE_DF   ? 0x7ff0000000000000u
                        : t == VISAGE_TYPE_F  ? 0x7f800000u
                        : t == VISAGE_TYPE_BF ? 0x7f80u
                                              : 0x7c00u;

    memcpy(&bits, bytes, size);
    return (bits & (((uint64_t)1 << (8 * size - 1)) - 1)) > infinity;
}

/* Is the byte, in what threads leave, part of a float that is a NaN both times? */
static bool are_nans(const run *r, uint32_t byte)
{
    uint32_t threads =
        (r->plan.local + r->plan.simd - 1) / r->plan.simd * (r->plan.global / r->plan.local);
    uint32_t part = r->plan.words[1] * 4 / threads;

    for (uint32_t i = 0; i < r->plan.num_floats; i++) {
        const floats *f = &r->plan.floats[i];
        uint32_t size = vsg_isa_type(vsg_isa_find_type(f->type, strlen(f->type)))->bytes;
        if (byte % part < f->at || byte % part >= f->at + f->bytes)
            continue;
        uint32_t first = byte / size * size;
        return is_nan(f->type, r->outcomes[0].memory[1] + first) &&
               is_nan(f->type, r->outcomes[1].memory[1] + first);
    }
    return false;
}

static void __attribute__((format(printf, 3, 4)))
differ(run *r, const char *kind, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    r->result->verdict = SMITH_DIFFERENT;
    (void)snprintf(r->result->kind, sizeof r->result->kind, "%s", kind);
    (void)vsnprintf(r->result->message, sizeof r->result->message, format, args);
    va_end(args);
}

static bool compare_memory(run *r, uint64_t input)
{
    for (uint32_t i = 0; i < r->plan.num_buffers; i++) {
        const uint8_t *a = r->outcomes[0].memory[i], *b = r->outcomes[1].memory[i];
        uint32_t size = r->plan.words[i] * 4;
        if (memcmp(a, b, size) == 0)
            continue;
        for (uint32_t at = 0; at < size; at++) {
            if (a[at] == b[at] || (i == 1 && are_nans(r, at)))
                continue;
            at -= at % 4;
            differ(r, i == 1 ? "values" : "memory",
                   "input %" PRIu64 ", dword %u of buffer %u: 0x%02x%02x%02x%02x by interp, "
                   "0x%02x%02x%02x%02x by jit",
                   input, at / 4, i, a[at + 3], a[at + 2], a[at + 1], a[at], b[at + 3],
                   b[at + 2], b[at + 1], b[at]);
            return false;
        }
    }
    return true;
}

static bool compare(run *r, uint64_t input)
{
    const outcome *a = &r->outcomes[0], *b = &r->outcomes[1];

    if (a->status != b->status) {
        differ(r, "status", "input %" PRIu64 ": %s by interp, %s by jit: %s", input,
               visage_status_name(a->status), visage_status_name(b->status),
               a->message[0] ? a->message : b->message);
        return false;
    }
    if (a->status == VISAGE_CANCELLED)
        return true;
    if (a->stats.instructions != b->stats.instructions) {
        differ(r, "count",
               "input %" PRIu64 ": %" PRIu64 " instructions by interp, %" PRIu64 " by jit",
               input, a->stats.instructions, b->stats.instructions);
        return false;
    }
    if (strcmp(a->message, b->message) != 0) {
        differ(r, "diagnostic", "input %" PRIu64 ": by interp: %s\nby jit: %s", input,
               a->message, b->message);
        return false;
    }
    return compare_memory(r, input);
}

/* What LLVM refuses is interpreted, which would agree. */
static bool is_taken(run *r, const visage_run_stats *stats)
{
    if (!stats->not_compiled || !strstr(stats->not_compiled, "LLVM refuses"))
        return true;
    differ(r, "code", "%s", stats->not_compiled);
    return false;
}

/* With a budget threads run one by one: the second time, those that come to their ends do
 * without one, many at once and in groups as a whole. */
static bool run_both(run *r, uint64_t input)
{
    outcome *a = &r->outcomes[0], *b = &r->outcomes[1];

    if (!execute(r, VISAGE_ENGINE_INTERPRETER, input, BUDGET, a))
        return false;
    uint64_t budget = input == 1 || a->status == VISAGE_CANCELLED ? BUDGET : 0;
    if (!execute(r, VISAGE_ENGINE_JIT, input, budget, b) || !is_taken(r, &b->stats))
        return false;
    if (a->status == VISAGE_CANCELLED && b->status != VISAGE_CANCELLED &&
        !execute(r, VISAGE_ENGINE_INTERPRETER, input, BUDGET + BEYOND_BUDGET, a))
        return false;
    r->machine->faulted += a->status == VISAGE_FAULT;
    r->machine->stopped += a->status == VISAGE_CANCELLED;
    if (input == 1) {
        r->machine->nanoseconds += b->stats.compile_nanoseconds;
        r->machine->compiled += b->stats.compiled;
        r->machine->called += b->stats.called;
    }
    return compare(r, input);
}

void smith_run(smith_machine *machine, const char *text, smith_result *result)
{
    run r = {.machine = machine, .result = result};

    *result = (smith_result){SMITH_SAME, "", ""};
    visage_diagnostics_clear(machine->diagnostics);
    if (!read_plan(text, &r.plan)) {
        result->verdict = SMITH_REFUSED;
        (void)snprintf(result->kind, sizeof result->kind, "no plan");
    } else if (prepare(&r, text)) {
        machine->programs++;
        for (uint64_t input = 1; input <= SMITH_INPUTS && run_both(&r, input); input++)
            continue;
    }
    for (uint32_t i = 0; i < BUFFERS; i++) {
        free(r.outcomes[0].memory[i]);
        free(r.outcomes[1].memory[i]);
        visage_buffer_destroy(&r.buffers[i]);
    }
    visage_launch_destroy(&r.launch);
    visage_program_destroy(&r.program);
    visage_module_destroy(&r.module);
}

/* In a process of its own, with a machine of its own. */
static void run_in_child(int to, const char *text)
{
    smith_machine machine;
    smith_result result = {SMITH_REFUSED, "no device", ""};

    if (smith_open(&machine))
        smith_run(&machine, text, &result);
    _exit(write(to, &result, sizeof result) == (ssize_t)sizeof result ? 0 : 1);
}

void smith_run_apart(const char *text, smith_result *result)
{
    int ends[2], status = 0;

    *result = (smith_result){SMITH_REFUSED, "no process", ""};
    if (pipe(ends) != 0)
        return;
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        run_in_child(ends[1], text);
    (void)close(ends[1]);
    bool answered =
        child > 0 && read(ends[0], result, sizeof *result) == (ssize_t)sizeof *result;
    (void)close(ends[0]);
    if (child > 0)
        (void)waitpid(child, &status, 0);
    if (child > 0 && !answered) {
        result->verdict = SMITH_DIFFERENT;
        (void)snprintf(result->kind, sizeof result->kind, "crash");
        (void)snprintf(result->message, sizeof result->message, "signal %d",
                       WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    }
}
