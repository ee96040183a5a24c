/* SPDX-License-Identifier: MIT */
#include "running.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

#include "finding.h"

/* The launch that Ctrl-C stops. */
static visage_launch *volatile current_launch;

static void on_interrupt(int signal_number)
{
    visage_launch *launch = current_launch;

    (void)signal_number;
    if (launch)
        visage_launch_cancel(launch);
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

static visage_status read_module(running *state, const run_options *options)
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

static visage_status make_device(running *state, const run_options *options)
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
    return visage_device_create(state->context, &device_options, &state->device);
}

/* What is not there yet, and the launch. */
static visage_status prepare(running *state, const run_options *options)
{
    visage_status status = state->module ? VISAGE_OK : read_module(state, options);

    if (status == VISAGE_OK && !state->device)
        status = make_device(state, options);
    if (status == VISAGE_OK && !state->program)
        status = visage_program_create(state->device, state->module, state->diagnostics,
                                       &state->program);
    if (status == VISAGE_OK)
        status = visage_launch_create(state->program, options->kernel, state->diagnostics,
                                      &state->launch);
    return status;
}

static visage_status set_arguments(running *state, run_options *options)
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

static visage_status launch(running *state, run_options *options)
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

int running_run(running *state, run_options *options)
{
    if (!state->context && !tool_start(&state->context, &state->diagnostics))
        return EXIT_RESOURCE;
    visage_diagnostics_clear(state->diagnostics);
    visage_status status = prepare(state, options);
    if (status == VISAGE_OK)
        status = set_arguments(state, options);
    if (status == VISAGE_OK)
        status = launch(state, options);
    if (state->findings && status != VISAGE_IO)
        finding_print(state->findings, state->diagnostics);
    else
        tool_report(state->diagnostics, status == VISAGE_IO ? VISAGE_OK : status);
    json_decref(state->findings);
    state->findings = NULL;
    int result = status == VISAGE_OK ? write_results(options) : tool_exit(status);
    visage_launch_destroy(&state->launch);
    return result;
}

void running_finish(running *state)
{
    visage_program_destroy(&state->program);
    visage_device_destroy(&state->device);
    visage_module_destroy(&state->module);
    tool_modules_free(&state->linked);
    tool_finish(&state->context, &state->diagnostics);
}
