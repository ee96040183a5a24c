/* SPDX-License-Identifier: MIT */
#include "runtime/program.h"

#include <string.h>

#include "object/functions.h"
#include "runtime/judge.h"

typedef struct maker {
    visage_program *program;
    visage_diagnostics *diagnostics;
    vsg_obj_functions functions; /* while data is placed */
} maker;

static const char *const section_names[VSG_CON_SECTION_COUNT] = {
    [VSG_CON_SECTION_CONST] = ".data.const",
    [VSG_CON_SECTION_GLOBAL] = ".data.global",
    [VSG_CON_SECTION_STRINGS] = ".data.const.string",
};

static vsg_base_location here(const maker *m)
{
    vsg_base_location where = VSG_BASE_NOWHERE;

    where.file = m->program->source.name;
    return where;
}

static visage_status no_memory(const maker *m)
{
    vsg_base_location where = here(m);

    vsg_base_report(m->diagnostics, VSG_DIAG_NO_MEMORY, &where);
    return VISAGE_NO_MEMORY;
}

/* ---- data ------------------------------------------------------------------------------- */

static visage_status place_section(const maker *m, size_t section)
{
    visage_program *program = m->program;
    vsg_run_memory *memory = program->device->memory;
    const vsg_con_data *data = &program->source.zebin->data[section];
    size_t size_bytes = 0;

    for (const vsg_con_data *part = data; part; part = part->next)
        if (!vsg_base_add(part->size_bytes, part->zero_bytes, &size_bytes) ||
            !vsg_base_add(size_bytes, part->offset_bytes, &size_bytes))
            return no_memory(m);
    if (size_bytes == 0)
        return VISAGE_OK;
    if (data->alignment > VSG_RUN_PAGE_BYTES) {
        vsg_base_location where = here(m);
        vsg_base_report(m->diagnostics, VSG_DIAG_TOO_LARGE, &where,
                        "the alignment of a section", (unsigned long long)data->alignment,
                        (unsigned long long)VSG_RUN_PAGE_BYTES);
        return VISAGE_UNSUPPORTED;
    }
    program->data[section].address = vsg_run_memory_allocate(memory, size_bytes);
    if (program->data[section].address == 0)
        return no_memory(m);
    program->data[section].size_bytes = size_bytes;
    for (const vsg_con_data *part = data; part; part = part->next)
        if (part->size_bytes)
            memcpy(
                vsg_run_memory_at(memory, program->data[section].address + part->offset_bytes),
                part->bytes, part->size_bytes);
    return VISAGE_OK;
}

/* Address of a symbol of data; false: it is none, or is not defined. */
static bool data_address(const visage_program *program, const vsg_con_symbol *symbol,
                         uint64_t *address)
{
    if (!symbol || !symbol->is_defined || symbol->section < 0 ||
        symbol->section >= VSG_CON_SECTION_COUNT || !program->data[symbol->section].address)
        return false;
    *address = program->data[symbol->section].address + symbol->offset_bytes;
    return true;
}

static bool function_address(const maker *m, const char *name, uint64_t *address)
{
    const vsg_obj_function *found = vsg_obj_functions_find(&m->functions, name);

    if (found)
        *address = vsg_exe_function_address(found->unit);
    return found != NULL;
}

static bool find_symbol(void *user, const char *name, uint64_t *address)
{
    const visage_program *program = user;
    const vsg_con_zebin *zebin = program->source.zebin;

    return zebin && data_address(program, vsg_con_find_symbol(zebin, name), address);
}

static visage_status relocate(const maker *m, const vsg_con_reloc *reloc)
{
    visage_program *program = m->program;
    uint64_t value = 0;
    uint32_t size = reloc->kind == VSG_CON_RELOC_ADDR64 ? 8 : 4;

    if (!data_address(program, reloc->target, &value) &&
        !function_address(m, reloc->symbol, &value)) {
        vsg_base_location where = here(m);
        vsg_base_report(m->diagnostics, VSG_DIAG_UNRESOLVED_SYMBOL, &where, reloc->symbol);
        return VISAGE_UNRESOLVED;
    }
    uint64_t bytes = program->data[reloc->section].size_bytes;
    if (reloc->offset_bytes > bytes || bytes - reloc->offset_bytes < size) {
        vsg_base_location where = here(m);
        vsg_base_report(m->diagnostics, VSG_DIAG_RELOCATION, &where, (unsigned)reloc->kind,
                        section_names[reloc->section], "it lies outside the section");
        return VISAGE_MALFORMED;
    }
    value += (uint64_t)reloc->addend;
    if (reloc->kind == VSG_CON_RELOC_ADDR32_HIGH)
        value >>= 32;
    uint8_t *data =
        vsg_run_memory_at(program->device->memory, program->data[reloc->section].address);
    memcpy(data + reloc->offset_bytes, &value, size); /* little-endian, as the host is */
    return VISAGE_OK;
}

static visage_status place_data(maker *m)
{
    const vsg_con_zebin *zebin = m->program->source.zebin;
    const vsg_base_alloc *alloc = &m->program->alloc;
    visage_status status = VISAGE_OK;

    for (size_t i = 0; zebin && i < VSG_CON_SECTION_COUNT && status == VISAGE_OK; i++)
        status = place_section(m, i);
    if (!zebin || zebin->num_relocs == 0 || status != VISAGE_OK)
        return status;
    if (!vsg_obj_functions_list(alloc, m->program->source.module, &m->functions))
        status = no_memory(m);
    for (size_t i = 0; i < zebin->num_relocs && status == VISAGE_OK; i++)
        status = relocate(m, &zebin->relocs[i]);
    vsg_obj_functions_free(alloc, &m->functions);
    return status;
}

/* ---- program ---------------------------------------------------------------------------- */

/* A file without the platform's name runs on any device. */
static visage_status check_platform(const maker *m)
{
    visage_platform built = m->program->source.module->platform;
    visage_platform device = m->program->device->platform;

    if (built == VISAGE_PLATFORM_NONE || built == device)
        return VISAGE_OK;
    vsg_base_location where = here(m);
    vsg_base_report(m->diagnostics, VSG_DIAG_WRONG_DEVICE, &where, visage_platform_name(built),
                    visage_platform_name(device));
    return VISAGE_INVALID;
}

static visage_status check_whole(const maker *m)
{
    if (!m->program->source.module->is_broken)
        return VISAGE_OK;
    vsg_base_location where = here(m);
    vsg_base_report(m->diagnostics, VSG_DIAG_NOT_RUNNABLE, &where, "a broken file",
                    "it was read in spite of errors");
    return VISAGE_UNSUPPORTED;
}

visage_status vsg_run_program_check(const visage_program *program, size_t kernel,
                                    const vsg_ver_options *shown,
                                    visage_diagnostics *diagnostics)
{
    vsg_exe_program_options options = {
        .platform = program->device->platform, .symbol = find_symbol, .user = (void *)program};

    return vsg_run_tell(program, kernel, &options, shown, diagnostics);
}

visage_status vsg_run_program_create(visage_device *device, const vsg_run_source *source,
                                     const vsg_ver_options *shown,
                                     visage_diagnostics *diagnostics, visage_program **out)
{
    visage_program *program = vsg_base_new(&device->alloc, 1, sizeof *program);
    maker m = {.program = program, .diagnostics = diagnostics};

    *out = NULL;
    if (!program)
        return VISAGE_NO_MEMORY;
    program->alloc = device->alloc;
    program->device = device;
    program->source = *source;
    vsg_exe_program_options options = {
        .platform = device->platform, .symbol = find_symbol, .user = program};
    visage_status status = check_platform(&m);
    if (status == VISAGE_OK)
        status = check_whole(&m);
    if (status == VISAGE_OK)
        status = vsg_run_judge(program, shown, diagnostics);
    if (status == VISAGE_OK)
        status = place_data(&m);
    if (status == VISAGE_OK)
        status = vsg_run_make(program, &options, shown, diagnostics);
    if (status != VISAGE_OK)
        vsg_run_program_destroy(&program);
    *out = program;
    return status;
}

void vsg_run_program_destroy(visage_program **program)
{
    if (!program || !*program)
        return;
    visage_program *old = *program;
    vsg_base_alloc alloc = old->alloc;
    vsg_exe_plan_free(old->exec, &old->plans);
    vsg_jit_free(&old->jit);
    vsg_exe_program_free(&old->exec);
    for (size_t i = 0; i < VSG_CON_SECTION_COUNT; i++)
        vsg_run_memory_release(old->device->memory, old->data[i].address,
                               old->data[i].size_bytes);
    vsg_base_delete(&alloc, old->refused, old->cap_refused, sizeof *old->refused);
    vsg_base_delete(&alloc, old, 1, sizeof *old);
    *program = NULL;
}
