/* SPDX-License-Identifier: MIT
 *
 * Fuzz target of the text reader. Whatever the text: the parser returns, it takes no more
 * memory than 64 times the text and 16 MiB, and what it has put into the module is within
 * bounds. What a good text says is the same after it was written as a binary, in both layouts.
 */
#include "fuzz.h"

#include "text/parser.h"

static void through_binary(const vsg_base_alloc *alloc, const vsg_obj_module *module)
{
    for (vsg_obj_layout layout = VSG_OBJ_LAYOUT_DOC; layout <= VSG_OBJ_LAYOUT_IGC; layout++) {
        vsg_obj_bytes bytes = {0};
        vsg_obj_module *read = fuzz_through_binary(alloc, module, layout, &bytes);
        if (read) {
            fuzz_check_module(read, true);
            fuzz_check_same(module, read);
        }
        vsg_obj_bytes_free(alloc, &bytes);
        vsg_obj_destroy(&read);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_meter meter = {0};
    vsg_base_alloc alloc = {.resize = fuzz_metered, .user = &meter};
    vsg_obj_module *module = vsg_obj_create(&alloc);
    visage_diagnostics *diagnostics = vsg_base_diagnostics_new(&alloc);
    char *text = fuzz_copy(data, size);

    must(module && diagnostics);
    vsg_txt_input input = {.name = "fuzz", .text = text, .size_bytes = size};
    visage_status status = vsg_txt_parse(module, &input, diagnostics);
    must(meter.peak <= fuzz_most_memory(size));
    must(status == VISAGE_OK || status == VISAGE_SYNTAX);
    fuzz_check_diagnostics(diagnostics, status);
    fuzz_check_module(module, status == VISAGE_OK);
    if (status == VISAGE_OK)
        through_binary(&alloc, module);
    if (vsg_txt_is_text(text, size))
        fuzz_public(text, size);
    free(text);
    visage_diagnostics_destroy(&diagnostics);
    vsg_obj_destroy(&module);
    must(meter.live == 0);
    return 0;
}
