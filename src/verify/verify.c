/* SPDX-License-Identifier: MIT
 *
 * Walks a module and has every check look at what it is about. */
#include "verify/check.h"

static void check_insts(vsg_ver_state *state)
{
    const vsg_obj_unit *unit = state->unit;

    for (size_t i = 0; i < unit->num_insts && !vsg_ver_stop(state); i++) {
        state->inst = &unit->insts[i];
        state->op = vsg_isa_op(state->inst->op);
        vsg_ver_check_execution(state);
        vsg_ver_check_operands(state);
        vsg_ver_check_types(state);
        vsg_ver_check_lsc(state);
        vsg_ver_check_message(state);
    }
    state->inst = NULL;
    state->op = NULL;
}

static void judge_unit(vsg_ver_state *state)
{
    enum { DEFAULT_SIMD_SIZE = 32 };
    int64_t simd_size =
        vsg_obj_attribute_value(&state->unit->attributes, "SimdSize", DEFAULT_SIMD_SIZE);

    state->simd_size = simd_size >= 1 && simd_size <= DEFAULT_SIMD_SIZE ? (uint32_t)simd_size
                                                                        : DEFAULT_SIMD_SIZE;
    if (!vsg_ver_roots_open(state))
        return;
    if (!vsg_obj_resolver_init_calls(&state->calls, &state->module->alloc, state->unit))
        state->no_memory = true;
    vsg_ver_check_tables(state);
    /* Instructions of a damaged unit were lost; the reader said so. */
    if (state->unit->stored.damage == VSG_OBJ_DAMAGE_NONE) {
        check_insts(state);
        vsg_ver_check_flow(state);
    }
    vsg_obj_resolver_free(&state->calls, &state->module->alloc);
    vsg_ver_execution_close(state);
    vsg_ver_roots_close(state);
}

static void check_unit(vsg_ver_state *state, size_t index)
{
    const vsg_ver_options *options = state->options;
    size_t before = state->errors;

    if (options->units && !options->units[index])
        return;
    state->unit = state->module->units[index];
    judge_unit(state);
    state->unit_errors += state->errors - before;
    if (options->refused && state->errors > before)
        options->refused[index] = true;
}

visage_status vsg_ver_verify(const vsg_obj_module *module, const vsg_ver_options *options,
                             visage_diagnostics *diagnostics)
{
    enum { SMALL_GRF_BYTES = 32 };
    vsg_ver_state state = {
        .options = options,
        .diagnostics = diagnostics,
        .module = module,
        .platform = options->platform ? options->platform : module->platform,
    };
    const vsg_isa_platform_info *platform = vsg_isa_platform(state.platform);

    state.grf_bytes = platform ? platform->grf_bytes : SMALL_GRF_BYTES;
    state.no_memory = !vsg_obj_functions_list(&module->alloc, module, &state.functions);
    state.no_memory |= !vsg_obj_kernels_list(&module->alloc, module, &state.kernels);
    vsg_ver_check_module(&state);
    for (size_t i = 0; i < module->num_units && !vsg_ver_stop(&state); i++)
        check_unit(&state, i);
    vsg_obj_functions_free(&module->alloc, &state.functions);
    vsg_obj_functions_free(&module->alloc, &state.kernels);
    if (state.no_memory)
        return VISAGE_NO_MEMORY;
    /* What is missing of a module that was read in spite of errors cannot be judged. */
    size_t errors = state.errors - (options->refused ? state.unit_errors : 0);
    return errors || module->is_broken ? VISAGE_INVALID : VISAGE_OK;
}
