/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNTOUCHED = 0x5a };

const char *flow_way_name(flow_way way)
{
    static const char *const names[FLOW_WAYS] = {"interpreted", "compiled", "checked",
                                                 "seeded",      "as doc",   "as igc"};
    return names[way];
}

/* ---- devices ---------------------------------------------------------------------------- */

static bool open_device(flow_machine *machine, visage_platform platform)
{
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);

    options.platform = platform;
    options.jobs = 1;
    options.memory_bytes = (uint64_t)1 << 24;
    if (visage_device_create(machine->context, &options, &machine->devices[platform]) !=
            VISAGE_OK ||
        visage_buffer_create(machine->devices[platform], sizeof(flow_memory),
                             &machine->buffers[platform]) != VISAGE_OK)
        return false;
    uint64_t address = visage_buffer_address(machine->buffers[platform]);
    return address >> 32 == (address + sizeof(flow_memory)) >> 32; /* as write.c has it */
}

bool flow_open(flow_machine *machine)
{
    *machine = (flow_machine){0};
    return visage_context_create(NULL, &machine->context) == VISAGE_OK &&
           visage_diagnostics_create(machine->context, &machine->diagnostics) == VISAGE_OK &&
           open_device(machine, VISAGE_PLATFORM_SKL) &&
           open_device(machine, VISAGE_PLATFORM_DG2) &&
           open_device(machine, VISAGE_PLATFORM_PVC);
}

void flow_close(flow_machine *machine)
{
    for (uint32_t i = 0; i < VISAGE_PLATFORM_COUNT; i++) {
        visage_buffer_destroy(&machine->buffers[i]);
        visage_device_destroy(&machine->devices[i]);
    }
    visage_diagnostics_destroy(&machine->diagnostics);
    visage_context_destroy(&machine->context);
}

/* ---- modules ---------------------------------------------------------------------------- */

typedef struct bytes {
    char *data;
    size_t size, capacity;
} bytes;

static bool collect(void *user, const void *data, size_t size)
{
    bytes *all = user;

    if (all->capacity - all->size < size) {
        all->capacity = (all->capacity + size) * 2;
        char *more = realloc(all->data, all->capacity);
        if (!more)
            return false;
        all->data = more;
    }
    memcpy(all->data + all->size, data, size);
    all->size += size;
    return true;
}

static visage_status read_module(flow_machine *machine, const flow_program *program,
                                 const void *data, size_t size, visage_module **out)
{
    visage_module_options options = VISAGE_OPTIONS_INIT(visage_module_options);

    options.platform = program->platform;
    return visage_module_read_memory(machine->context, "flow.visaasm", data, size, &options,
                                     machine->diagnostics, out);
}

/* Puts in place of a module what comes of it as a binary, and of that as text. */
static visage_status go_round(flow_machine *machine, const flow_program *program,
                              visage_layout layout, visage_module **module)
{
    visage_write_options options = VISAGE_OPTIONS_INIT(visage_write_options);
    bytes binary = {0}, text = {0};

    options.layout = layout;
    visage_status status =
        visage_module_write(*module, &options, machine->diagnostics, collect, &binary);
    visage_module_destroy(module);
    if (status == VISAGE_OK)
        status = read_module(machine, program, binary.data, binary.size, module);
    if (status == VISAGE_OK)
        status = visage_module_print(*module, NULL, collect, &text);
    visage_module_destroy(module);
    if (status == VISAGE_OK)
        status = read_module(machine, program, text.data, text.size, module);
    free(binary.data);
    free(text.data);
    return status;
}

/* ---- runs ------------------------------------------------------------------------------- */

static visage_status launch(flow_machine *machine, const flow_program *program, flow_way way,
                            visage_program *made)
{
    visage_range range = VISAGE_OPTIONS_INIT(visage_range);
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    visage_run_stats stats = {0};
    visage_launch *launch = NULL;

    range.global[0] = range.local[0] = program->active;
    options.instructions = 1 << 20;
    options.check = way == FLOW_CHECKED;
    options.seed = way == FLOW_SEEDED ? program->seed | 1 : 0;
    options.engine = way == FLOW_COMPILED ? VISAGE_ENGINE_JIT : VISAGE_ENGINE_INTERPRETER;
    visage_status status = visage_launch_create(made, "flow", machine->diagnostics, &launch);
    if (status == VISAGE_OK)
        status = visage_launch_set_buffer(launch, 0, machine->buffers[program->platform], 0,
                                          machine->diagnostics);
    if (status == VISAGE_OK)
        status = visage_launch_run(launch, &range, &options, machine->diagnostics, &stats);
    machine->compiled += stats.compiled > 0;
    visage_launch_destroy(&launch);
    return status;
}

static visage_status read_and_run(flow_machine *machine, const flow_program *program,
                                  flow_way way, const char *text)
{
    visage_module *module = NULL;
    visage_program *made = NULL;
    visage_status status = read_module(machine, program, text, strlen(text), &module);

    if (status == VISAGE_OK && way == FLOW_CHECKED)
        status = visage_verify(module, NULL, machine->diagnostics);
    if (status == VISAGE_OK && (way == FLOW_AS_DOC || way == FLOW_AS_IGC))
        status = go_round(machine, program,
                          way == FLOW_AS_DOC ? VISAGE_LAYOUT_DOC : VISAGE_LAYOUT_IGC, &module);
    if (status == VISAGE_OK)
        status = visage_program_create(machine->devices[program->platform], module,
                                       machine->diagnostics, &made);
    if (status == VISAGE_OK)
        status = launch(machine, program, way, made);
    visage_program_destroy(&made);
    visage_module_destroy(&module);
    return status;
}

static void compare(const flow_memory *expected, const flow_memory *found, flow_result *result)
{
    for (uint32_t slot = 0; slot < FLOW_SLOTS; slot++)
        for (uint32_t channel = 0; channel < 32; channel++)
            if (expected->slots[slot][channel] != found->slots[slot][channel]) {
                result->ok = false;
                (void)snprintf(result->message, sizeof result->message,
                               "slot %u, channel %u: 0x%" PRIx32 ", expected 0x%" PRIx32, slot,
                               channel, found->slots[slot][channel],
                               expected->slots[slot][channel]);
                return;
            }
}

void flow_run(flow_machine *machine, const flow_program *program, flow_way way,
              const flow_memory *expected, flow_result *result)
{
    void *memory = visage_buffer_data(machine->buffers[program->platform]);

    *result = (flow_result){.ok = true, .text = flow_write(program)};
    memset(memory, UNTOUCHED, sizeof(flow_memory));
    visage_diagnostics_clear(machine->diagnostics);
    visage_status status = read_and_run(machine, program, way, result->text);
    if (visage_diagnostics_count(machine->diagnostics) > 0) {
        result->ok = false;
        (void)visage_diagnostic_render(visage_diagnostics_get(machine->diagnostics, 0), false,
                                       result->message, sizeof result->message);
    } else if (status != VISAGE_OK) {
        result->ok = false;
        (void)snprintf(result->message, sizeof result->message, "%s",
                       visage_status_name(status));
    } else {
        compare(expected, memory, result);
    }
}
