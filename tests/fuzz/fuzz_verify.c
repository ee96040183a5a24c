/* SPDX-License-Identifier: MIT
 *
 * Fuzz target of the verifier. Whatever a reader makes of the bytes, a text or a binary, it is
 * judged for each platform and for none, with all rules: judging returns, takes no more memory
 * than 64 times the input and 16 MiB, and says so where it finds an error. A module that a
 * reader made in spite of errors is judged, too. */
#include "fuzz.h"
#include "text/parser.h"
#include "verify/verify.h"

static size_t errors_of(const visage_diagnostics *diagnostics)
{
    return visage_diagnostics_errors(diagnostics);
}

static void judge(const vsg_base_alloc *alloc, const vsg_obj_module *module, unsigned platform,
                  size_t max_errors)
{
    const vsg_ver_options options = {
        .platform = (visage_platform)platform, .strict = true, .max_errors = max_errors};
    visage_diagnostics *diagnostics = vsg_base_diagnostics_new(alloc);

    must(diagnostics != NULL);
    visage_status status = vsg_ver_verify(module, &options, diagnostics);
    must(status == VISAGE_OK || status == VISAGE_INVALID);
    must((status == VISAGE_INVALID) == (errors_of(diagnostics) > 0 || module->is_broken));
    must(max_errors == 0 || errors_of(diagnostics) <= max_errors);
    visage_diagnostics_destroy(&diagnostics);
}

static visage_status read_any(vsg_obj_module *module, const uint8_t *data, size_t size,
                              visage_diagnostics *diagnostics)
{
    if (vsg_obj_is_binary(data, size)) {
        const vsg_obj_binary input = {
            .name = "fuzz", .data = data, .size_bytes = size, .recover = true};
        return vsg_obj_read_binary(module, &input, diagnostics);
    }
    const vsg_txt_input input = {.name = "fuzz",
                                 .text = (const char *)data,
                                 .size_bytes = size,
                                 .is_judged_later = true};
    return vsg_txt_parse(module, &input, diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_meter meter = {0};
    vsg_base_alloc alloc = {.resize = fuzz_metered, .user = &meter};
    vsg_base_alloc plain = vsg_base_alloc_default();
    vsg_obj_module *module = vsg_obj_create(&alloc);
    visage_diagnostics *diagnostics = vsg_base_diagnostics_new(&plain);
    uint8_t *copy = fuzz_copy(data, size);

    must(module && diagnostics);
    if (read_any(module, copy, size, diagnostics) == VISAGE_OK || module->is_broken)
        for (unsigned platform = 0; platform < VISAGE_PLATFORM_COUNT; platform++)
            judge(&plain, module, platform, platform % 2 ? 0 : 3);
    must(meter.peak <= fuzz_most_memory(size));
    free(copy);
    visage_diagnostics_destroy(&diagnostics);
    vsg_obj_destroy(&module);
    must(meter.live == 0);
    return 0;
}
