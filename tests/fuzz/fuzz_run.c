/* SPDX-License-Identifier: MIT
 *
 * Fuzz target of what happens to legal modules: whatever the verifier accepts becomes a
 * program, or is named as something that cannot be run, and its kernels run for some thousand
 * instructions, to an end, a fault or the budget; nothing else happens. Few damaged modules are
 * legal: an instruction that the verifier reports is replaced by one that does nothing, so that
 * the others are run. */
#include "api/api.h"
#include "fuzz.h"

enum { MOST_ROUNDS = 4, BUDGET = 10000, BUFFER_BYTES = 1 << 14, IMAGE_SIDE = 16 };

/* Kept from run to run; making a device takes longer than running a kernel. */
typedef struct machine {
    visage_context *context;
    visage_device *device;
    visage_buffer *buffer;
    visage_image *image;
    visage_sampler *sampler;
} machine;

static const machine *machine_of(visage_platform platform)
{
    static machine machines[VISAGE_PLATFORM_COUNT];
    machine *m = &machines[platform];
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_image_options image = VISAGE_OPTIONS_INIT(visage_image_options);

    if (m->device)
        return m;
    options.platform = platform;
    options.jobs = 1;
    options.memory_bytes = (uint64_t)1 << 28;
    image.format = "R8G8B8A8_UNORM";
    image.width = image.height = IMAGE_SIDE;
    must(visage_context_create(NULL, &m->context) == VISAGE_OK);
    must(visage_device_create(m->context, &options, &m->device) == VISAGE_OK);
    must(visage_buffer_create(m->device, BUFFER_BYTES, &m->buffer) == VISAGE_OK);
    must(visage_image_create(m->buffer, &image, NULL, &m->image) == VISAGE_OK);
    must(visage_sampler_create(m->context, NULL, &m->sampler) == VISAGE_OK);
    return m;
}

/* ---- making it legal -------------------------------------------------------------------- */

static void replace(vsg_obj_module *object, const visage_diagnostic *report)
{
    for (size_t i = 0; i < object->num_units && report->kernel; i++) {
        vsg_obj_unit *unit = object->units[i];
        if (report->instruction < 0 || strcmp(unit->name, report->kernel) != 0 ||
            (uint64_t)report->instruction >= unit->num_insts)
            continue;
        vsg_obj_inst *inst = &unit->insts[report->instruction];
        if (inst->op != VISAGE_OP_LABEL && inst->op != VISAGE_OP_SUBROUTINE)
            *inst = (vsg_obj_inst){.op = VISAGE_OP_YIELD, .place = inst->place};
    }
}

static bool make_legal(visage_module *module, visage_platform platform)
{
    visage_verify_options options = VISAGE_OPTIONS_INIT(visage_verify_options);
    visage_status status = VISAGE_INVALID;

    options.platform = platform;
    for (int round = 0; round < MOST_ROUNDS && status == VISAGE_INVALID; round++) {
        visage_diagnostics *list;
        must(visage_diagnostics_create(machine_of(platform)->context, &list) == VISAGE_OK);
        status = visage_verify(module, &options, list);
        must(status == VISAGE_OK || status == VISAGE_INVALID);
        for (size_t i = 0; i < visage_diagnostics_count(list); i++)
            replace(module->object, visage_diagnostics_get(list, i));
        visage_diagnostics_destroy(&list);
    }
    return status == VISAGE_OK;
}

/* ---- running it ------------------------------------------------------------------------- */

/* An argument that does not go with what it is given stays unset, and the kernel is not run. */
static visage_status set_argument(const machine *m, visage_launch *launch, size_t index,
                                  const visage_argument_info *argument)
{
    enum { LOCAL_BYTES = 256 };
    static const uint8_t value[LOCAL_BYTES] = {3};
    bool is_address =
        argument->kind == VISAGE_ARGUMENT_VALUE && argument->size_bytes == sizeof(uint64_t);

    if (argument->kind == VISAGE_ARGUMENT_BUFFER || is_address)
        return visage_launch_set_buffer(launch, index, m->buffer, 0, NULL);
    switch (argument->kind) {
    case VISAGE_ARGUMENT_VALUE:
        return argument->size_bytes > sizeof value
                   ? VISAGE_INVALID
                   : visage_launch_set_value(launch, index, value, argument->size_bytes, NULL);
    case VISAGE_ARGUMENT_LOCAL:
        return visage_launch_set_local(launch, index, sizeof value, NULL);
    case VISAGE_ARGUMENT_IMAGE:
        return visage_launch_set_image(launch, index, m->image, NULL);
    default:
        return visage_launch_set_sampler(launch, index, m->sampler, NULL);
    }
}

static void run_kernel(const machine *m, visage_program *program, const visage_module *module,
                       size_t index, bool check)
{
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    visage_range range = VISAGE_OPTIONS_INIT(visage_range);
    visage_kernel_info kernel;
    visage_launch *launch;
    visage_diagnostics *list;

    must(visage_module_get_kernel(module, index, &kernel) == VISAGE_OK);
    /* A name may be there twice; the first one is found. */
    if (visage_launch_create(program, kernel.name, NULL, &launch) != VISAGE_OK)
        return;
    for (size_t i = 0; i < kernel.num_arguments; i++) {
        visage_argument_info argument;
        must(visage_module_get_argument(module, index, i, &argument) == VISAGE_OK);
        visage_status set = set_argument(m, launch, i, &argument);
        must(set == VISAGE_OK || set == VISAGE_INVALID);
    }
    options.instructions = BUDGET;
    options.check = check;
    options.jobs = 1;
    must(visage_diagnostics_create(m->context, &list) == VISAGE_OK);
    visage_status status = visage_launch_run(launch, &range, &options, list, NULL);
    must(status == VISAGE_OK || status == VISAGE_FAULT || status == VISAGE_CANCELLED ||
         status == VISAGE_INVALID || status == VISAGE_UNSUPPORTED ||
         status == VISAGE_NO_MEMORY);
    must(status == VISAGE_OK || visage_diagnostics_errors(list) > 0);
    visage_diagnostics_destroy(&list);
    visage_launch_destroy(&launch);
}

static void run_module(const machine *m, const visage_module *module, bool check)
{
    visage_module_info info;
    visage_program *program;
    visage_diagnostics *list;

    must(visage_module_get_info(module, &info) == VISAGE_OK);
    must(visage_diagnostics_create(m->context, &list) == VISAGE_OK);
    visage_status status = visage_program_create(m->device, module, list, &program);
    must((status == VISAGE_OK) == (program != NULL));
    must(status == VISAGE_OK || status == VISAGE_UNSUPPORTED || status == VISAGE_UNRESOLVED ||
         status == VISAGE_NO_MEMORY);
    must(status == VISAGE_OK || visage_diagnostics_errors(list) > 0);
    for (size_t i = 0; program && i < info.num_kernels; i++)
        run_kernel(m, program, module, i, check);
    visage_diagnostics_destroy(&list);
    visage_program_destroy(&program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned chosen = size ? data[size / 2] + (unsigned)size : 0;
    visage_platform platform = (visage_platform)(1 + chosen % (VISAGE_PLATFORM_COUNT - 1));
    uint8_t *copy = fuzz_copy(data, size);
    visage_module *module;

    if (visage_module_read_memory(machine_of(platform)->context, "fuzz", copy, size, NULL, NULL,
                                  &module) == VISAGE_OK) {
        if (module->object->platform != VISAGE_PLATFORM_NONE)
            platform = module->object->platform;
        if (make_legal(module, platform))
            run_module(machine_of(platform), module, chosen / VISAGE_PLATFORM_COUNT % 2);
    }
    free(copy);
    visage_module_destroy(&module);
    return 0;
}
