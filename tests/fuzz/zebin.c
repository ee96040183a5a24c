/* SPDX-License-Identifier: MIT */
#include "zebin.h"

#include "fuzz.h"

static void check_range(const void *part, size_t part_size, const uint8_t *data, size_t size)
{
    const uint8_t *start = part;

    must(part_size == 0 ||
         (start >= data && part_size <= size && (size_t)(start - data) <= size - part_size));
}

static void check_text(const char *text)
{
    must(text != NULL && strlen(text) < SIZE_MAX);
}

static void check_optional(const char *text)
{
    if (text)
        check_text(text);
}

static void check_kernel(const vsg_con_zebin *zebin, const vsg_con_kernel *kernel,
                         const uint8_t *data, size_t size)
{
    check_text(kernel->name);
    check_optional(kernel->invalid);
    must(vsg_con_find_kernel(zebin, kernel->name) == kernel);
    must(!kernel->text || (kernel->text_offset <= size &&
                           (const uint8_t *)kernel->text == data + kernel->text_offset));
    check_range(kernel->text, kernel->text_size, data, size);
    for (size_t i = 0; i < kernel->num_payload; i++) {
        const vsg_con_payload *payload = &kernel->payload[i];
        must(payload->kind <= VSG_CON_PAYLOAD_UNKNOWN);
        must(payload->arg_index < 0 || (size_t)payload->arg_index < kernel->num_args);
        check_text(payload->word);
        check_optional(payload->access);
        check_optional(payload->image_type);
    }
    for (size_t i = 0; i < kernel->num_per_thread; i++)
        check_text(kernel->per_thread[i].word);
    for (size_t i = 0; i < kernel->num_memory; i++) {
        check_optional(kernel->memory[i].type);
        check_optional(kernel->memory[i].usage);
    }
    for (size_t i = 0; i < kernel->num_samplers; i++) {
        check_optional(kernel->samplers[i].addrmode);
        check_optional(kernel->samplers[i].filtermode);
    }
    for (size_t i = 0; i < kernel->num_args; i++) {
        check_optional(kernel->args[i].name);
        check_optional(kernel->args[i].type_name);
    }
}

static void check_symbol(const vsg_con_zebin *zebin, const vsg_con_symbol *symbol)
{
    check_text(symbol->name);
    must(symbol->section >= -1 && symbol->section < VSG_CON_SECTION_COUNT);
    if (symbol->section < 0)
        return;
    const vsg_con_data *data = &zebin->data[symbol->section];
    uint64_t all = data->size_bytes + data->zero_bytes;
    must(symbol->offset_bytes <= all && symbol->size_bytes <= all - symbol->offset_bytes);
}

static void check_reloc(const vsg_con_zebin *zebin, const vsg_con_reloc *reloc)
{
    must(reloc->section < VSG_CON_SECTION_COUNT);
    const vsg_con_data *data = &zebin->data[reloc->section];
    uint64_t all = data->size_bytes + data->zero_bytes;
    uint64_t width = reloc->kind == VSG_CON_RELOC_ADDR64 ? 8 : 4;
    must(width <= all && reloc->offset_bytes <= all - width);
    must(reloc->target >= zebin->symbols &&
         reloc->target < zebin->symbols + zebin->num_symbols);
    must(strcmp(reloc->symbol, reloc->target->name) == 0);
}

void fuzz_check_zebin(const vsg_con_zebin *zebin, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < zebin->num_kernels; i++)
        check_kernel(zebin, &zebin->kernels[i], data, size);
    for (size_t i = 0; i < zebin->num_functions; i++) {
        const vsg_con_function *function = &zebin->functions[i];
        check_text(function->name);
        check_range(function->text, function->text_size, data, size);
        must(function->kernel == SIZE_MAX || function->kernel < zebin->num_kernels);
    }
    for (int i = 0; i < VSG_CON_SECTION_COUNT; i++)
        check_range(zebin->data[i].bytes, zebin->data[i].size_bytes, data, size);
    for (size_t i = 0; i < zebin->num_symbols; i++)
        check_symbol(zebin, &zebin->symbols[i]);
    for (size_t i = 0; i < zebin->num_relocs; i++)
        check_reloc(zebin, &zebin->relocs[i]);
}
