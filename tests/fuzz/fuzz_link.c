/* SPDX-License-Identifier: MIT
 *
 * Fuzz target of the linker. The bytes are up to four files, texts, binaries and zebins, with a
 * line %% between them; one alone is linked with itself. Those that can be read are linked, in
 * either order, with options that the size chooses: both orders are accepted or neither is, and
 * what comes out is a sound module, which can be printed, written, linked again and made a
 * program. */
#include "api/api.h"
#include "fuzz.h"

enum { MOST_FILES = 4, DEVICE_BYTES = 4 << 20 };

static const char separator[] = "\n%%\n";

typedef struct files {
    const uint8_t *data[MOST_FILES];
    size_t sizes[MOST_FILES];
    size_t count;
} files;

static files split(const uint8_t *data, size_t size)
{
    enum { WIDTH = sizeof separator - 1 };
    files out = {0};
    size_t start = 0;

    for (size_t at = 0; at + WIDTH <= size && out.count + 1 < MOST_FILES; at++) {
        if (memcmp(data + at, separator, WIDTH) != 0)
            continue;
        out.data[out.count] = data + start;
        out.sizes[out.count++] = at - start;
        start = at + WIDTH;
        at = start - 1;
    }
    out.data[out.count] = data + start;
    out.sizes[out.count++] = size - start;
    if (out.count == 1) {
        out.data[1] = out.data[0];
        out.sizes[1] = out.sizes[0];
        out.count = 2;
    }
    return out;
}

static bool drop(void *user, const void *data, size_t size_bytes)
{
    (void)user;
    return data != NULL && size_bytes > 0;
}

static void make_program(visage_context *context, const visage_module *module)
{
    visage_device_options options = VISAGE_OPTIONS_INIT(visage_device_options);
    visage_platform platform = module->object->platform;
    visage_program *program;
    visage_device *device;

    options.platform = platform ? platform : VISAGE_PLATFORM_PVC;
    options.jobs = 1;
    options.memory_bytes = DEVICE_BYTES;
    must(visage_device_create(context, &options, &device) == VISAGE_OK);
    visage_status status = visage_program_create(device, module, NULL, &program);
    must((status == VISAGE_OK) == (program != NULL));
    visage_program_destroy(&program);
    visage_device_destroy(&device);
}

/* What was linked is complete: linked alone it gives as much. */
static void link_again(visage_context *context, const visage_module *linked,
                       const visage_link_options *options)
{
    visage_module *again;

    must(visage_link(context, &linked, 1, options, NULL, &again) == VISAGE_OK);
    must(again->object->num_units == linked->object->num_units);
    must(again->object->num_file_variables <= linked->object->num_file_variables);
    must(!again->zebin == !linked->zebin);
    visage_module_destroy(&again);
}

static void check_linked(visage_context *context, const visage_module *linked,
                         const visage_link_options *options)
{
    visage_write_options layout = VISAGE_OPTIONS_INIT(visage_write_options);

    fuzz_check_module(linked->object, true);
    must(visage_module_print(linked, NULL, drop, NULL) == VISAGE_OK);
    for (int i = VISAGE_LAYOUT_DEFAULT; i <= VISAGE_LAYOUT_IGC; i++) {
        layout.layout = (visage_layout)i;
        visage_status status = visage_module_write(linked, &layout, NULL, drop, NULL);
        must(status == VISAGE_OK || status == VISAGE_INVALID);
    }
    link_again(context, linked, options);
    make_program(context, linked);
}

static visage_status link_files(visage_context *context, visage_diagnostics *diagnostics,
                                const visage_module *const *modules, size_t count,
                                const visage_link_options *options)
{
    visage_module *linked;
    visage_status status = visage_link(context, modules, count, options, diagnostics, &linked);

    must((status == VISAGE_OK) == (linked != NULL));
    must(status != VISAGE_ARGUMENT && status != VISAGE_NO_MEMORY && status != VISAGE_IO);
    must((status == VISAGE_OK) == (visage_diagnostics_errors(diagnostics) == 0));
    if (linked)
        check_linked(context, linked, options);
    visage_module_destroy(&linked);
    return status;
}

static void link_both_ways(visage_context *context, const visage_module **modules, size_t count,
                           const visage_link_options *options)
{
    const visage_module *turned[MOST_FILES];
    visage_diagnostics *diagnostics;

    must(visage_diagnostics_create(context, &diagnostics) == VISAGE_OK);
    visage_status status = link_files(context, diagnostics, modules, count, options);
    fuzz_check_diagnostics(diagnostics, status);
    visage_diagnostics_clear(diagnostics);
    for (size_t i = 0; i < count; i++)
        turned[i] = modules[count - 1 - i];
    visage_status other = link_files(context, diagnostics, turned, count, options);
    must((status == VISAGE_OK) == (other == VISAGE_OK));
    visage_diagnostics_destroy(&diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_meter meter = {0};
    visage_context_options how = VISAGE_OPTIONS_INIT(visage_context_options);
    visage_link_options options = VISAGE_OPTIONS_INIT(visage_link_options);
    files parts = split(data, size);
    visage_module *modules[MOST_FILES];
    visage_context *context;
    size_t count = 0;

    how.resize = fuzz_metered;
    how.user = &meter;
    must(visage_context_create(&how, &context) == VISAGE_OK);
    for (size_t i = 0; i < parts.count; i++) {
        uint8_t *copy = fuzz_copy(parts.data[i], parts.sizes[i]);
        visage_status status = visage_module_read_memory(context, "fuzz", copy, parts.sizes[i],
                                                         NULL, NULL, &modules[count]);
        free(copy);
        count += status == VISAGE_OK;
    }
    options.gc = size % 2 != 0;
    options.partial = size / 2 % 2 != 0;
    options.map = drop;
    if (count > 0)
        link_both_ways(context, (const visage_module **)modules, count, &options);
    for (size_t i = 0; i < count; i++)
        visage_module_destroy(&modules[i]);
    visage_context_destroy(&context);
    must(meter.peak <= 4 * fuzz_most_memory(size));
    must(meter.live == 0);
    return 0;
}
