/* SPDX-License-Identifier: MIT
 *
 * Fuzz target of the binary reader and writer. Whatever the bytes: the reader returns, it takes
 * no more memory than 64 times the input and 16 MiB, what it has put into the module is within
 * bounds, and a file that it takes without a warning is written again byte for byte and,
 * through the other layout, loses nothing. It can be printed, too. Read in spite of errors, it
 * gives something that can be printed and never be written. */
#include "fuzz.h"

/* Into the other layout and back, twice: what comes back must be the same both times. (The
 * first time the string pool may get longer.) */
static void through_other(const vsg_base_alloc *alloc, const vsg_obj_module *module)
{
    enum { MOVES = 4 };
    vsg_obj_bytes bytes[MOVES] = {{0}};
    vsg_obj_module *modules[MOVES] = {NULL};
    vsg_obj_layout own = module->layout;
    vsg_obj_layout other = own == VSG_OBJ_LAYOUT_DOC ? VSG_OBJ_LAYOUT_IGC : VSG_OBJ_LAYOUT_DOC;

    for (unsigned i = 0; i < MOVES; i++) {
        modules[i] = fuzz_through_binary(alloc, i ? modules[i - 1] : module,
                                         i % 2 ? own : other, &bytes[i]);
        if (!modules[i])
            break;
        fuzz_check_same(module, modules[i]);
    }
    must(!modules[2] || modules[3]);
    must(!modules[3] || (bytes[3].size == bytes[1].size &&
                         memcmp(bytes[3].data, bytes[1].data, bytes[1].size) == 0));
    for (unsigned i = 0; i < MOVES; i++) {
        vsg_obj_bytes_free(alloc, &bytes[i]);
        vsg_obj_destroy(&modules[i]);
    }
}

static void round_trip(const vsg_base_alloc *alloc, const vsg_obj_module *module,
                       const uint8_t *data, size_t size)
{
    vsg_obj_bytes bytes;

    must(vsg_obj_write_binary(module, VSG_OBJ_LAYOUT_NONE, NULL, &bytes) == VISAGE_OK);
    if (module->version_major == 4)
        must(bytes.size == size && memcmp(bytes.data, data, size) == 0);
    vsg_obj_bytes_free(alloc, &bytes);
    through_other(alloc, module);
}

/* Printed and read as often as that, until the last two prints are compared. The first may
 * differ: a binary may have an immediate such as 0x0000ff01:w, which text has as 0xffffff01:w.
 * Without comments, which tell of names that text cannot have. */
static void through_text(const vsg_obj_module *module)
{
    fuzz_text printed[3] = {{NULL, 0}};
    vsg_obj_module *read = NULL;

    for (int i = 0; i < 3; i++) {
        printed[i] = fuzz_print(read ? read : module, true);
        vsg_obj_destroy(&read);
        read = fuzz_parse(printed[i].data, printed[i].size, module->platform);
        if (!read)
            break;
    }
    must(!printed[1].data || read);
    must(!read || (printed[1].size == printed[2].size &&
                   memcmp(printed[1].data, printed[2].data, printed[2].size) == 0));
    for (int i = 0; i < 3; i++)
        free(printed[i].data);
    vsg_obj_destroy(&read);
}

/* status: of reading it without. */
static void recover(const uint8_t *data, size_t size, visage_status status)
{
    fuzz_meter meter = {0};
    vsg_base_alloc alloc = {.resize = fuzz_metered, .user = &meter};
    vsg_obj_module *module = vsg_obj_create(&alloc);
    visage_diagnostics *diagnostics = vsg_base_diagnostics_new(&alloc);
    vsg_obj_binary input = {.name = "fuzz", .data = data, .size_bytes = size, .recover = true};
    vsg_obj_bytes bytes;

    must(module && diagnostics);
    must(vsg_obj_read_binary(module, &input, diagnostics) == status);
    must(meter.peak <= fuzz_most_memory(size));
    fuzz_check_diagnostics(diagnostics, status);
    must(!module->is_broken || status == VISAGE_MALFORMED || status == VISAGE_INVALID);
    must(module->is_broken || status == VISAGE_OK || module->num_units == 0);
    if (module->is_broken) {
        fuzz_check_module(module, false);
        free(fuzz_print(module, false).data);
        must(vsg_obj_write_binary(module, VSG_OBJ_LAYOUT_NONE, NULL, &bytes) == VISAGE_INVALID);
    }
    visage_diagnostics_destroy(&diagnostics);
    vsg_obj_destroy(&module);
    must(meter.live == 0);
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
    vsg_obj_binary input = {.name = "fuzz", .data = copy, .size_bytes = size};
    visage_status status = vsg_obj_read_binary(module, &input, diagnostics);
    must(meter.peak <= fuzz_most_memory(size));
    must(status == VISAGE_OK || status == VISAGE_MALFORMED || status == VISAGE_INVALID ||
         status == VISAGE_UNSUPPORTED);
    fuzz_check_diagnostics(diagnostics, status);
    if (status == VISAGE_OK) {
        fuzz_check_module(module, true);
        if (visage_diagnostics_count(diagnostics) == 0) {
            round_trip(&alloc, module, copy, size);
            through_text(module);
        }
    }
    recover(copy, size, status);
    if (vsg_obj_is_binary(copy, size)) {
        fuzz_public(copy, size);
        if (status != VISAGE_OK)
            fuzz_public_recover(copy, size);
    }
    free(copy);
    visage_diagnostics_destroy(&diagnostics);
    vsg_obj_destroy(&module);
    must(meter.live == 0);
    return 0;
}
