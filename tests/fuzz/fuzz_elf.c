/* SPDX-License-Identifier: MIT
 *
 * Fuzz target of the zebin reader: ELF, its notes, symbols and relocations, the .ze_info and
 * the texts inside. */
#include "fuzz.h"
#include "zebin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vsg_base_alloc plain = vsg_base_alloc_default();
    uint8_t *copy = fuzz_copy(data, size);

    for (int with_text = 0; with_text < 2; with_text++) {
        fuzz_meter meter = {0};
        vsg_base_alloc alloc = {.resize = fuzz_metered, .user = &meter};
        visage_diagnostics *diagnostics = vsg_base_diagnostics_new(&plain);
        vsg_con_zebin zebin = {0};
        must(diagnostics != NULL);
        visage_status status =
            vsg_con_read_zebin(&alloc, "fuzz", copy, size, with_text, diagnostics, &zebin);
        must(meter.peak <= fuzz_most_memory(size));
        must(status == VISAGE_OK || status == VISAGE_MALFORMED || status == VISAGE_UNSUPPORTED);
        fuzz_check_diagnostics(diagnostics, status);
        fuzz_check_zebin(&zebin, copy, size);
        vsg_con_zebin_free(&zebin);
        visage_diagnostics_destroy(&diagnostics);
        must(meter.live == 0);
    }
    if (vsg_con_is_elf(copy, size)) {
        fuzz_public(copy, size);
        fuzz_public_info(copy, size);
    }
    free(copy);
    return 0;
}
