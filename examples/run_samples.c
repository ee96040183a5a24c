/* SPDX-License-Identifier: MIT
 *
 * Runs the samples beside this file on every device they were compiled for and checks each
 * result against plain C. Uses nothing of visage but its public header.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <visage/visage.h>

#include "picture.h"
#include "sample.h"

/* A launch that takes longer hangs: the longest takes about a second. */
#define TIMEOUT_MS (120 * 1000)

static const sample_def *const samples[] = {
    &sample_vector_add, &sample_mandelbrot,      &sample_matmul,         &sample_reduction,
    &sample_histogram,  &sample_call_by_pointer, &sample_call_by_switch, &sample_stencil,
};
#define NUM_SAMPLES (sizeof samples / sizeof samples[0])

/* What build-zebins.sh compiles for; --device takes others too. */
static const char *const devices[] = {"skl", "dg2", "pvc"};
#define NUM_DEVICES (sizeof devices / sizeof devices[0])

typedef struct cli_options {
    uint32_t jobs;
    const char *device; /* NULL: all */
    const char *sample; /* NULL: all */
    bool json;
    bool digest;
    bool check;
    const char *picture;
    const char *directory;
} cli_options;

struct sample_run {
    const sample_def *sample;
    uint32_t simd_size;
    bool check;
    visage_launch *launch;
    visage_buffer *buffers[SAMPLE_MAX_BUFFERS];
    visage_diagnostics *diagnostics;
    visage_status status; /* the first that was not OK */
    uint64_t work_items, nanoseconds, instructions;
};

/* What is over all runs. */
typedef struct run_totals {
    uint32_t runs, verified;
    uint64_t nanoseconds;
    bool picture_wanted;
    sample_picture picture; /* of the first run that has one; its rgb is owned */
} run_totals;

/* ---- what samples call ------------------------------------------------------------------ */

void sample_set_buffer(sample_run *run, size_t argument, size_t buffer)
{
    if (run->status == VISAGE_OK)
        run->status = visage_launch_set_buffer(run->launch, argument, run->buffers[buffer], 0,
                                               run->diagnostics);
}

static void set_value(sample_run *run, size_t argument, const void *value, size_t size_bytes)
{
    if (run->status == VISAGE_OK)
        run->status =
            visage_launch_set_value(run->launch, argument, value, size_bytes, run->diagnostics);
}

void sample_set_uint(sample_run *run, size_t argument, uint32_t value)
{
    set_value(run, argument, &value, sizeof value);
}

void sample_set_float(sample_run *run, size_t argument, float value)
{
    set_value(run, argument, &value, sizeof value);
}

void sample_set_local(sample_run *run, size_t argument, size_t size_bytes)
{
    if (run->status == VISAGE_OK)
        run->status =
            visage_launch_set_local(run->launch, argument, size_bytes, run->diagnostics);
}

void sample_launch(sample_run *run, const uint32_t global[3], const uint32_t local[3])
{
    visage_range range = VISAGE_OPTIONS_INIT(visage_range);
    visage_run_options run_options = VISAGE_OPTIONS_INIT(visage_run_options);
    visage_run_stats stats;

    if (run->status != VISAGE_OK)
        return;
    memcpy(range.global, global, sizeof range.global);
    memcpy(range.local, local, sizeof range.local);
    run_options.timeout_ms = TIMEOUT_MS;
    run_options.check = run->check;
    run->status =
        visage_launch_run(run->launch, &range, &run_options, run->diagnostics, &stats);
    if (run->status != VISAGE_OK)
        return;
    run->work_items += (uint64_t)global[0] * global[1] * global[2];
    run->nanoseconds += stats.nanoseconds;
    run->instructions += stats.instructions;
}

/* A linear congruential generator with Knuth's constants for MMIX; the upper half is good. */
uint32_t sample_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* ---- memory of the host ----------------------------------------------------------------- */

/* A set of buffers in host memory; NULL after the last. */
typedef struct host_buffers {
    void *data[SAMPLE_MAX_BUFFERS + 1];
} host_buffers;

static void host_free(host_buffers *host)
{
    for (size_t i = 0; i < SAMPLE_MAX_BUFFERS; i++)
        free(host->data[i]);
    *host = (host_buffers){{NULL}};
}

static bool host_create(const sample_def *sample, host_buffers *host)
{
    *host = (host_buffers){{NULL}};
    for (size_t i = 0; sample->buffers[i].size_bytes > 0; i++) {
        host->data[i] = malloc(sample->buffers[i].size_bytes);
        if (!host->data[i]) {
            host_free(host);
            return false;
        }
        memset(host->data[i], 0xa5, sample->buffers[i].size_bytes);
    }
    return true;
}

/* ---- one run ---------------------------------------------------------------------------- */

static uint64_t load_element(const void *data, size_t index, size_t element_bytes)
{
    uint64_t element = 0;

    memcpy(&element, (const char *)data + index * element_bytes, element_bytes);
    return element; /* little-endian, as every machine visage runs on */
}

/* Compares all buffers, inputs too: a kernel must leave alone what is not its to write. Returns
 * false with the first difference in `message`. */
static bool compare(const sample_run *run, const host_buffers *expected, char *message,
                    size_t message_size)
{
    for (size_t i = 0; run->sample->buffers[i].size_bytes > 0; i++) {
        const sample_buffer *buffer = &run->sample->buffers[i];
        size_t count = buffer->size_bytes / buffer->element_bytes, wrong = 0, first = 0;
        const void *data = visage_buffer_data(run->buffers[i]);

        for (size_t k = count; k-- > 0;) {
            if (load_element(data, k, buffer->element_bytes) !=
                load_element(expected->data[i], k, buffer->element_bytes)) {
                first = k;
                wrong++;
            }
        }
        if (wrong > 0) {
            snprintf(message, message_size,
                     "%zu of %zu differ in %s, first [%zu]: 0x%" PRIx64
                     " instead of 0x%" PRIx64,
                     wrong, count, buffer->name, first,
                     load_element(data, first, buffer->element_bytes),
                     load_element(expected->data[i], first, buffer->element_bytes));
            return false;
        }
    }
    return true;
}

/* FNV-1a, 64 bits, over all buffers. */
static uint64_t digest(const sample_run *run)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; run->sample->buffers[i].size_bytes > 0; i++) {
        const uint8_t *bytes = visage_buffer_data(run->buffers[i]);

        for (size_t k = 0; k < run->sample->buffers[i].size_bytes; k++)
            hash = (hash ^ bytes[k]) * 0x100000001b3u;
    }
    return hash;
}

static void print_diagnostics(const visage_diagnostics *diagnostics)
{
    for (size_t i = 0; i < visage_diagnostics_count(diagnostics); i++) {
        char text[1024];

        visage_diagnostic_render(visage_diagnostics_get(diagnostics, i), false, text,
                                 sizeof text);
        fprintf(stderr, "%s\n", text);
    }
}

static void report(const sample_run *run, const char *device, const char *message,
                   const cli_options *options)
{
    double ms = (double)run->nanoseconds / 1e6;

    if (options->json) {
        printf("{\"sample\": \"%s\", \"kernel\": \"%s\", \"device\": \"%s\", "
               "\"simd_size\": %" PRIu32 ", \"work_items\": %" PRIu64
               ", \"instructions\": %" PRIu64 ", \"milliseconds\": %.3f, ",
               run->sample->name, run->sample->kernel, device, run->simd_size, run->work_items,
               run->instructions, ms);
        if (options->digest && run->status == VISAGE_OK)
            printf("\"digest\": \"%016" PRIx64 "\", ", digest(run));
        printf("\"status\": \"%s\", \"verified\": %s}\n", visage_status_name(run->status),
               message ? "false" : "true");
        return;
    }
    printf("%-15s  %-5s  SIMD%-2" PRIu32 "  %8" PRIu64 " work-items  %8.1f ms  ",
           run->sample->kernel, device, run->simd_size, run->work_items, ms);
    if (options->digest && run->status == VISAGE_OK)
        printf("%016" PRIx64 "  ", digest(run));
    if (message)
        printf("%s: %s\n", run->status == VISAGE_OK ? "WRONG" : "FAILED", message);
    else
        printf("verified\n");
    fflush(stdout);
}

static void paint(const sample_run *run, sample_picture *picture)
{
    void *data[SAMPLE_MAX_BUFFERS + 1] = {NULL};

    picture->width = run->sample->picture_size[0];
    picture->height = run->sample->picture_size[1];
    picture->rgb = malloc(3 * (size_t)picture->width * picture->height);
    if (!picture->rgb)
        return;
    for (size_t i = 0; run->sample->buffers[i].size_bytes > 0; i++)
        data[i] = visage_buffer_data(run->buffers[i]);
    run->sample->paint(data, picture);
}

/* From here on everything a run needs is made, used and destroyed, in one place each. */
typedef struct run_machine {
    visage_context *context;
    visage_module *module;
    visage_device *device;
    visage_program *program;
} run_machine;

static visage_status read_module(run_machine *machine, const char *path, const char *device,
                                 sample_run *run)
{
    visage_module_info info;
    visage_status status = visage_module_read_file(machine->context, path, NULL,
                                                   run->diagnostics, &machine->module);

    if (status != VISAGE_OK && visage_diagnostics_count(run->diagnostics) == 0)
        fprintf(stderr, "%s: cannot be read\n", path);
    if (status == VISAGE_OK)
        status = visage_module_get_info(machine->module, &info);
    if (status == VISAGE_OK && info.platform != visage_platform_find(device)) {
        fprintf(stderr, "%s: not compiled for %s\n", path, device);
        status = VISAGE_INVALID;
    }
    return status;
}

static visage_status make_launch(run_machine *machine, const char *device, uint32_t jobs,
                                 sample_run *run)
{
    visage_device_options device_options = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_kernel_info kernel;
    visage_status status;

    device_options.platform = visage_platform_find(device);
    device_options.jobs = jobs;
    status = visage_device_create(machine->context, &device_options, &machine->device);
    if (status == VISAGE_OK)
        status = visage_program_create(machine->device, machine->module, run->diagnostics,
                                       &machine->program);
    if (status == VISAGE_OK)
        status = visage_launch_create(machine->program, run->sample->kernel, run->diagnostics,
                                      &run->launch);
    if (status == VISAGE_OK)
        status = visage_module_get_kernel(machine->module, visage_launch_kernel(run->launch),
                                          &kernel);
    if (status == VISAGE_OK)
        run->simd_size = kernel.simd_size;
    return status;
}

static visage_status make_buffers(run_machine *machine, const host_buffers *input,
                                  sample_run *run)
{
    for (size_t i = 0; run->sample->buffers[i].size_bytes > 0; i++) {
        size_t size_bytes = run->sample->buffers[i].size_bytes;
        visage_status status =
            visage_buffer_create(machine->device, size_bytes, &run->buffers[i]);

        if (status != VISAGE_OK)
            return status;
        memcpy(visage_buffer_data(run->buffers[i]), input->data[i], size_bytes);
    }
    return VISAGE_OK;
}

static visage_status prepare_run(run_machine *machine, const host_buffers *input,
                                 const char *device, const cli_options *options,
                                 sample_run *run)
{
    char path[4096];
    const char *name = run->sample->name;
    visage_status status = visage_context_create(NULL, &machine->context);

    if (status == VISAGE_OK)
        status = visage_diagnostics_create(machine->context, &run->diagnostics);
    if (status == VISAGE_OK &&
        snprintf(path, sizeof path, "%s/%s/%s.%s.zebin", options->directory, name, name,
                 device) >= (int)sizeof path)
        status = VISAGE_IO;
    if (status == VISAGE_OK)
        status = read_module(machine, path, device, run);
    if (status == VISAGE_OK)
        status = make_launch(machine, device, options->jobs, run);
    if (status == VISAGE_OK)
        status = make_buffers(machine, input, run);
    return status;
}

static void run_on_device(const sample_def *sample, const host_buffers *input,
                          const host_buffers *expected, const char *device,
                          const cli_options *options, run_totals *totals)
{
    run_machine machine = {0};
    sample_run run = {.sample = sample, .check = options->check};
    char message[256];
    bool good = false;

    run.status = prepare_run(&machine, input, device, options, &run);
    if (run.status == VISAGE_OK)
        sample->launch(&run);
    if (run.status == VISAGE_OK)
        good = compare(&run, expected, message, sizeof message);
    else
        snprintf(message, sizeof message, "%s", visage_status_name(run.status));
    if (run.diagnostics)
        print_diagnostics(run.diagnostics);
    report(&run, device, good ? NULL : message, options);
    totals->runs++;
    totals->nanoseconds += run.nanoseconds;
    if (good)
        totals->verified++;
    if (good && sample->paint && !totals->picture.rgb)
        paint(&run, &totals->picture);

    for (size_t i = 0; i < SAMPLE_MAX_BUFFERS; i++)
        visage_buffer_destroy(&run.buffers[i]);
    visage_launch_destroy(&run.launch);
    visage_program_destroy(&machine.program);
    visage_device_destroy(&machine.device);
    visage_module_destroy(&machine.module);
    visage_diagnostics_destroy(&run.diagnostics);
    visage_context_destroy(&machine.context);
}

static bool out_of_memory(void)
{
    fprintf(stderr, "run_samples: no memory for a sample's buffers\n");
    return false;
}

static bool run_sample(const sample_def *sample, const cli_options *options, run_totals *totals)
{
    host_buffers input, expected;

    if (!host_create(sample, &input))
        return out_of_memory();
    if (!host_create(sample, &expected)) {
        host_free(&input);
        return out_of_memory();
    }
    sample->prepare(input.data);
    for (size_t i = 0; sample->buffers[i].size_bytes > 0; i++)
        memcpy(expected.data[i], input.data[i], sample->buffers[i].size_bytes);
    sample->expect(expected.data);

    if (options->device) {
        run_on_device(sample, &input, &expected, options->device, options, totals);
    } else {
        for (size_t d = 0; d < NUM_DEVICES; d++)
            run_on_device(sample, &input, &expected, devices[d], options, totals);
    }
    host_free(&expected);
    host_free(&input);
    return true;
}

/* ---- the command line ------------------------------------------------------------------- */

static void print_usage(FILE *out)
{
    fputs("usage: run_samples [options] DIRECTORY\n"
          "\n"
          "Runs the samples in DIRECTORY on every device they were compiled for and checks\n"
          "each result. Exit status: 0 all good, 1 something is wrong, 2 wrong usage.\n"
          "\n"
          "  -s, --sample NAME   only this sample, or this kernel of a sample\n"
          "  -d, --device NAME   only this device, as in the files' names\n"
          "  -j, --jobs N        worker threads; default all cores\n"
          "  -o, --output FILE   where the picture goes; default mandelbrot.png\n"
          "      --digest        a hash of all bytes of a run's buffers on each line\n"
          "      --check         in check mode, which is to find nothing\n"
          "      --json          one JSON object a line, and no picture on the terminal\n"
          "  -h, --help          this text\n",
          out);
}

static bool parse_jobs(const char *text, uint32_t *jobs)
{
    char *end;
    unsigned long value;

    errno = 0;
    value = strtoul(text, &end, 10);
    if (errno != 0 || *text < '0' || *text > '9' || *end != '\0' || value > 1024)
        return false;
    *jobs = (uint32_t)value;
    return true;
}

static bool is_wanted(const sample_def *sample, const char *name)
{
    return !name || strcmp(sample->name, name) == 0 || strcmp(sample->kernel, name) == 0;
}

/* Whether what the options name exists. */
static bool check_names(const cli_options *options)
{
    bool found = false;

    for (size_t i = 0; i < NUM_SAMPLES; i++)
        found = found || is_wanted(samples[i], options->sample);
    if (!found)
        fprintf(stderr, "run_samples: there is no sample '%s'\n", options->sample);
    if (options->device && visage_platform_find(options->device) == VISAGE_PLATFORM_NONE) {
        fprintf(stderr, "run_samples: there is no device '%s'\n", options->device);
        found = false;
    }
    return found;
}

/* Returns -1 to go on, otherwise the exit status. */
static int parse_options(int argc, char **argv, cli_options *options)
{
    static const struct option names[] = {
        {"sample", required_argument, NULL, 's'},
        {"device", required_argument, NULL, 'd'},
        {"jobs", required_argument, NULL, 'j'},
        {"output", required_argument, NULL, 'o'},
        {"digest", no_argument, NULL, 'D'},
        {"json", no_argument, NULL, 'J'},
        {"help", no_argument, NULL, 'h'},
        {"check", no_argument, NULL, 'C'},
        {NULL, 0, NULL, 0},
    };
    bool good = true;
    int option;

    while ((option = getopt_long(argc, argv, "s:d:j:o:h", names, NULL)) != -1) {
        switch (option) {
        case 's':
            options->sample = optarg;
            break;
        case 'd':
            options->device = optarg;
            break;
        case 'j':
            good = good && parse_jobs(optarg, &options->jobs);
            break;
        case 'o':
            options->picture = optarg;
            break;
        case 'D':
            options->digest = true;
            break;
        case 'C':
            options->check = true;
            break;
        case 'J':
            options->json = true;
            break;
        case 'h':
            print_usage(stdout);
            return 0;
        default:
            good = false;
        }
    }
    if (!good || optind + 1 != argc) {
        print_usage(stderr);
        return 2;
    }
    options->directory = argv[optind];
    return check_names(options) ? -1 : 2;
}

/* Writes the picture, if there was to be one, and shows it. */
static bool finish_picture(const cli_options *options, const run_totals *totals)
{
    char message[256] = "no picture was made";

    if (!totals->picture_wanted)
        return true;
    if (!totals->picture.rgb ||
        !picture_write_png(&totals->picture, options->picture, message, sizeof message)) {
        fprintf(stderr, "run_samples: %s\n", message);
        return false;
    }
    if (!options->json) {
        picture_show(&totals->picture, stdout);
        printf("picture in %s\n", options->picture);
    }
    return true;
}

static void summarise(const run_totals *totals)
{
    printf("%" PRIu32 " runs, %" PRIu32 " verified, %" PRIu32 " wrong; %.1f ms\n", totals->runs,
           totals->verified, totals->runs - totals->verified,
           (double)totals->nanoseconds / 1e6);
}

int main(int argc, char **argv)
{
    cli_options options = {.picture = "mandelbrot.png"};
    run_totals totals = {0};
    bool good = true;
    int status = parse_options(argc, argv, &options);

    if (status >= 0)
        return status;
    for (size_t i = 0; i < NUM_SAMPLES; i++) {
        if (!is_wanted(samples[i], options.sample))
            continue;
        totals.picture_wanted = totals.picture_wanted || samples[i]->paint;
        good = run_sample(samples[i], &options, &totals) && good;
    }
    good = finish_picture(&options, &totals) && good;
    free(totals.picture.rgb);
    if (!options.json)
        summarise(&totals);
    good = good && totals.runs > 0 && totals.verified == totals.runs;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "run_samples: cannot write to standard output\n");
        good = false;
    }
    return good ? 0 : 1;
}
