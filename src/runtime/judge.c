/* SPDX-License-Identifier: MIT */
#include "runtime/judge.h"

#include <stdlib.h>

#include "object/calls.h"

static visage_status no_memory(const visage_program *program, visage_diagnostics *diagnostics)
{
    vsg_base_location where = VSG_BASE_NOWHERE;

    where.file = program->source.name;
    vsg_base_report(diagnostics, VSG_DIAG_NO_MEMORY, &where);
    return VISAGE_NO_MEMORY;
}

static size_t count_units(const visage_program *program)
{
    return program->source.module->num_units;
}

/* ---- who can call whom ------------------------------------------------------------------ */

/* The functions whose addresses are in the data of the zebin. False: memory is out. */
static bool list_addresses(const visage_program *program, const vsg_obj_functions *functions,
                           uint32_t **out, size_t *count)
{
    const vsg_con_zebin *zebin = program->source.zebin;
    size_t most = zebin ? zebin->num_relocs : 0;

    *count = 0;
    *out = vsg_base_new(&program->alloc, most + 1, sizeof **out);
    for (size_t i = 0; *out && i < most; i++) {
        const vsg_obj_function *found =
            vsg_obj_functions_find(functions, zebin->relocs[i].symbol);
        if (found)
            (*out)[(*count)++] = found->unit;
    }
    return *out != NULL;
}

static void free_addresses(const visage_program *program, uint32_t *addresses)
{
    const vsg_con_zebin *zebin = program->source.zebin;

    vsg_base_delete(&program->alloc, addresses, (zebin ? zebin->num_relocs : 0) + 1,
                    sizeof *addresses);
}

/* Marks what the marked units can call, or what can call them. False: memory is out. */
static bool spread(const visage_program *program, bool to_callers, bool *marked)
{
    const vsg_base_alloc *alloc = &program->alloc;
    vsg_obj_functions functions;
    vsg_obj_calls calls = {0};
    uint32_t *addresses = NULL;
    size_t count;

    bool good = vsg_obj_functions_list(alloc, program->source.module, &functions) &&
                list_addresses(program, &functions, &addresses, &count) &&
                vsg_obj_calls_find(alloc, &functions, addresses, count, &calls);
    if (good)
        good = to_callers ? vsg_obj_calls_mark_callers(alloc, &calls, marked)
                          : vsg_obj_calls_mark_callees(alloc, &calls, marked);
    vsg_obj_calls_free(alloc, &calls);
    free_addresses(program, addresses);
    vsg_obj_functions_free(alloc, &functions);
    return good;
}

/* ---- what is wrong ---------------------------------------------------------------------- */

/* What a binary may hold and nothing here can execute: it must not run as if it were empty. */
static visage_status tell_damage(const visage_program *program, const bool *units,
                                 visage_diagnostics *diagnostics)
{
    const vsg_obj_module *module = program->source.module;

    for (size_t i = 0; i < module->num_units; i++) {
        const vsg_obj_unit *unit = module->units[i];
        if ((units && !units[i]) || unit->stored.damage == VSG_OBJ_DAMAGE_NONE)
            continue;
        vsg_base_location where = vsg_obj_locate(unit, NULL);
        vsg_base_report(diagnostics, VSG_DIAG_NOT_RUNNABLE, &where, unit->name,
                        unit->stored.damage == VSG_OBJ_DAMAGE_BROKEN
                            ? "it is broken"
                            : "its instructions were written incompletely");
        return VISAGE_UNSUPPORTED;
    }
    return VISAGE_OK;
}

static visage_status verify(const visage_program *program, const bool *units, bool *refused,
                            const vsg_ver_options *shown, visage_diagnostics *diagnostics)
{
    vsg_ver_options options = shown ? *shown : (vsg_ver_options){0};

    options.platform = program->device->platform;
    options.strict = false;
    options.units = units;
    options.refused = refused;
    return vsg_ver_verify(program->source.module, &options, diagnostics);
}

/* Reports what is wrong with the units that are marked, or with all. options: NULL where they
 * are not made yet. */
static visage_status tell(const visage_program *program, const bool *units,
                          const vsg_exe_program_options *options, const vsg_ver_options *shown,
                          visage_diagnostics *diagnostics)
{
    visage_status status = tell_damage(program, units, diagnostics);

    if (status == VISAGE_OK)
        status = verify(program, units, NULL, shown, diagnostics);
    if (status != VISAGE_OK || !options)
        return status;
    vsg_exe_program_options some = *options;
    vsg_exe_program *exec;
    some.units = units;
    some.refused = NULL;
    status = vsg_exe_program_create(&program->alloc, program->source.module, &some, diagnostics,
                                    &exec);
    vsg_exe_program_free(&exec);
    return status;
}

/* ---- what is refused -------------------------------------------------------------------- */

static bool is_refused(const visage_program *program, size_t kernel)
{
    return program->refused[program->source.kernels[kernel].index];
}

/* Is there a kernel that can be run? What has functions alone is good if all are. */
static bool is_left(const visage_program *program)
{
    for (size_t i = 0; i < program->source.num_kernels; i++)
        if (!is_refused(program, i))
            return true;
    if (program->source.num_kernels)
        return false;
    for (size_t i = 0; i < count_units(program); i++)
        if (program->refused[i])
            return false;
    return true;
}

visage_status vsg_run_judge(visage_program *program, const vsg_ver_options *shown,
                            visage_diagnostics *diagnostics)
{
    const vsg_obj_module *module = program->source.module;
    bool any = false;

    program->cap_refused = module->num_units + 1;
    program->refused =
        vsg_base_new(&program->alloc, program->cap_refused, sizeof *program->refused);
    if (!program->refused)
        return no_memory(program, diagnostics);
    visage_status status = verify(program, NULL, program->refused, NULL, NULL);
    if (status == VISAGE_NO_MEMORY)
        return no_memory(program, diagnostics);
    for (size_t i = 0; i < module->num_units; i++) {
        program->refused[i] |= module->units[i]->stored.damage != VSG_OBJ_DAMAGE_NONE;
        any |= program->refused[i];
    }
    if (any && !spread(program, true, program->refused))
        return no_memory(program, diagnostics);
    if (status == VISAGE_OK && is_left(program))
        return VISAGE_OK;
    return tell(program, NULL, NULL, shown, diagnostics);
}

static size_t count_refused(const visage_program *program)
{
    size_t count = 0;

    for (size_t i = 0; i < count_units(program); i++)
        count += program->refused[i];
    return count;
}

visage_status vsg_run_make(visage_program *program, const vsg_exe_program_options *options,
                           const vsg_ver_options *shown, visage_diagnostics *diagnostics)
{
    size_t count = count_units(program), before = count_refused(program);
    bool *wanted = vsg_base_new(&program->alloc, count + 1, sizeof *wanted);
    vsg_exe_program_options some = *options;

    for (size_t i = 0; wanted && i < count; i++)
        wanted[i] = !program->refused[i];
    some.units = wanted;
    some.refused = program->refused;
    visage_status status = wanted
                               ? vsg_exe_program_create(&program->alloc, program->source.module,
                                                        &some, NULL, &program->exec)
                               : VISAGE_NO_MEMORY;
    vsg_base_delete(&program->alloc, wanted, count + 1, sizeof *wanted);
    if (status == VISAGE_OK && count_refused(program) != before &&
        !spread(program, true, program->refused))
        status = VISAGE_NO_MEMORY;
    if (status == VISAGE_NO_MEMORY)
        return no_memory(program, diagnostics);
    if (status == VISAGE_OK && is_left(program))
        return VISAGE_OK;
    return tell(program, NULL, options, shown, diagnostics);
}

visage_status vsg_run_tell(const visage_program *program, size_t kernel,
                           const vsg_exe_program_options *options, const vsg_ver_options *shown,
                           visage_diagnostics *diagnostics)
{
    size_t count = count_units(program);

    if (!is_refused(program, kernel))
        return VISAGE_OK;
    bool *units = vsg_base_new(&program->alloc, count, sizeof *units);
    if (!units)
        return no_memory(program, diagnostics);
    units[program->source.kernels[kernel].index] = true;
    visage_status status = spread(program, false, units)
                               ? tell(program, units, options, shown, diagnostics)
                               : no_memory(program, diagnostics);
    vsg_base_delete(&program->alloc, units, count, sizeof *units);
    return status;
}
