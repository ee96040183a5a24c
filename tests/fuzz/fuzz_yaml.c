/* SPDX-License-Identifier: MIT
 *
 * Fuzz target of the .ze_info reader. */
#include "fuzz.h"
#include "zebin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_meter meter = {0};
    vsg_base_alloc alloc = {.resize = fuzz_metered, .user = &meter};
    vsg_base_alloc plain = vsg_base_alloc_default();
    visage_diagnostics *diagnostics = vsg_base_diagnostics_new(&plain);
    vsg_con_zebin zebin = {0};
    uint8_t *copy = fuzz_copy(data, size);

    must(diagnostics != NULL);
    visage_status status = vsg_con_read_info(&alloc, "fuzz", copy, size, diagnostics, &zebin);
    must(meter.peak <= fuzz_most_memory(size));
    must(status == VISAGE_OK || status == VISAGE_MALFORMED || status == VISAGE_UNSUPPORTED);
    fuzz_check_diagnostics(diagnostics, status);
    fuzz_check_zebin(&zebin, copy, size);
    vsg_con_zebin_free(&zebin);
    must(meter.live == 0);
    if (status == VISAGE_OK)
        fuzz_public_info(copy, size);
    visage_diagnostics_destroy(&diagnostics);
    free(copy);
    return 0;
}
