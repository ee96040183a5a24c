/* SPDX-License-Identifier: MIT */
#include "exec/program.h"

#include <assert.h>
#include <string.h>

#include "exec/coverage.h"
#include "exec/handlers.h"
#include "exec/layout.h"

static const vsg_exe_op operations[VISAGE_OP_COUNT] = {
#define HANDLER(op, prepare_, handler_)                                                        \
    [VISAGE_OP_##op] = {vsg_exe_prepare_##prepare_, vsg_exe_do_##handler_},
#include "exec/handlers.def"
#undef HANDLER
};

const vsg_exe_op *vsg_exe_op_of(visage_op op)
{
    return &operations[op];
}

bool vsg_exe_runs(visage_op op)
{
    return operations[op].handler != NULL;
}

/* Addresses of functions: below any address of the arena, never 0, told apart from offsets. */
enum { FUNCTION_BASE = 0x1000, FUNCTION_STEP = 0x10 };

uint64_t vsg_exe_function_address(uint32_t unit)
{
    return FUNCTION_BASE + (uint64_t)unit * FUNCTION_STEP;
}

int64_t vsg_exe_function_at(const vsg_exe_program *program, uint64_t address)
{
    if (address < FUNCTION_BASE || (address - FUNCTION_BASE) % FUNCTION_STEP != 0)
        return -1;
    uint64_t unit = (address - FUNCTION_BASE) / FUNCTION_STEP;
    if (unit >= program->num_units || !program->units[unit].object->is_function ||
        program->units[unit].is_left_out)
        return -1;
    return (int64_t)unit;
}

/* ---- inputs ----------------------------------------------------------------------------- */

static uint32_t state_place(const vsg_obj_state *states, uint32_t first, uint32_t id)
{
    uint32_t place = first;
    for (uint32_t i = first; i < id; i++)
        place += states[i - first].num_elements;
    return place;
}

static void connect_input(const vsg_exe_builder *builder, const vsg_obj_input *input,
                          vsg_exe_input *out)
{
    const vsg_obj_unit *object = builder->object;
    vsg_obj_variable_facts facts;

    *out = (vsg_exe_input){.input = input,
                           .payload_offset_bytes = (uint32_t)input->offset_bytes,
                           .size_bytes = input->size_bytes};
    if (input->kind != VSG_OBJ_INPUT_GENERAL) {
        bool surface = input->kind == VSG_OBJ_INPUT_SURFACE;
        const vsg_obj_state *states = surface ? object->surfaces : object->samplers;
        size_t count = surface ? object->num_surfaces : object->num_samplers;
        uint32_t first = surface ? VSG_ISA_NUM_SURFACES : 0;
        out->is_state = true;
        assert(input->id >= first && input->id - first < count);
        (void)count;
        out->name = states[input->id - first].name;
        out->place = state_place(states, first, input->id);
        return;
    }
    bool known = vsg_obj_variable_get(object, input->id, &facts) && !facts.predefined;
    assert(known && input->size_bytes <= facts.size_bytes);
    (void)known;
    out->name = facts.name;
    out->place = builder->variable_at[input->id];
}

static bool connect_inputs(vsg_exe_builder *builder)
{
    vsg_exe_unit *unit = builder->unit;
    const vsg_obj_unit *object = builder->object;

    unit->num_inputs = (uint32_t)object->num_inputs;
    unit->inputs = vsg_exe_keep(builder, object->num_inputs, sizeof *unit->inputs);
    if (!unit->inputs)
        return false;
    for (size_t i = 0; i < object->num_inputs; i++)
        connect_input(builder, &object->inputs[i], &unit->inputs[i]);
    return true;
}

/* ---- units ------------------------------------------------------------------------------ */

static void note_attributes(vsg_exe_unit *unit)
{
    const vsg_obj_attributes *attributes = &unit->object->attributes;
    int64_t simd_size = vsg_obj_attribute_value(attributes, "SimdSize", 0);

    /* Kernels without the attribute, those of the vector backend, start with all channels. */
    unit->simd_size = simd_size == 8 || simd_size == 16 || simd_size == 1
                          ? (uint32_t)simd_size
                          : VSG_EXE_MAX_CHANNELS;
    unit->arg_grfs = (uint32_t)vsg_obj_attribute_value(attributes, "ArgSize", 0);
    unit->retval_grfs = (uint32_t)vsg_obj_attribute_value(attributes, "RetValSize", 0);
}

static bool waits_for_others(visage_op op)
{
    return op == VISAGE_OP_BARRIER || op == VISAGE_OP_SBARRIER_WAIT ||
           op == VISAGE_OP_SBARRIER_SIGNAL || op == VISAGE_OP_NBARRIER_WAIT ||
           op == VISAGE_OP_NBARRIER_SIGNAL || op == VISAGE_OP_NBARRIER_SIGNAL_GENERAL ||
           op == VISAGE_OP_YIELD;
}

static bool build_unit(vsg_exe_builder *builder)
{
    const vsg_base_alloc *alloc = &builder->program->alloc;
    const vsg_obj_unit *object = builder->object;
    size_t num_places = object->num_insts + 1;
    uint32_t *place_of = vsg_base_new(alloc, num_places, sizeof *place_of);

    builder->num_variables = (uint32_t)(VSG_ISA_FIRST_VARIABLE + object->num_variables);
    builder->variable_at = vsg_exe_keep(builder, builder->num_variables, sizeof(uint32_t));
    builder->variable_root = vsg_exe_keep(builder, builder->num_variables, sizeof(uint32_t));
    builder->unit->variable_at = builder->variable_at;
    builder->unit->num_variables = builder->num_variables;
    bool good = vsg_obj_resolver_init_calls(&builder->calls, alloc, object);
    good = good && place_of && builder->variable_at && builder->variable_root;
    if (!good)
        builder->status = VISAGE_NO_MEMORY;
    good = good && vsg_exe_layout(builder) && connect_inputs(builder);
    good = good && vsg_exe_decode_unit(builder, place_of) &&
           vsg_exe_add_regroups(builder, place_of) && vsg_exe_connect(builder, place_of);
    vsg_obj_resolver_free(&builder->calls, alloc);
    if (good) {
        vsg_exe_finish_frame(builder);
        vsg_exe_find_polling(builder->unit);
        note_attributes(builder->unit);
        good = vsg_exe_coverage_begin(builder->program, builder->unit);
        if (!good)
            builder->status = VISAGE_NO_MEMORY;
        for (size_t i = 0; i < object->num_insts; i++)
            builder->unit->has_barrier |= waits_for_others(object->insts[i].op);
    }
    vsg_base_delete(alloc, place_of, num_places, sizeof *place_of);
    return good;
}

/* A kernel that calls may come upon a barrier in any function. */
static void spread_barriers(vsg_exe_program *program)
{
    bool any = false;

    for (uint32_t i = 0; i < program->num_units; i++)
        any |= program->units[i].object->is_function && program->units[i].has_barrier;
    for (uint32_t i = 0; any && i < program->num_units; i++)
        program->units[i].has_barrier = true;
}

static visage_status make_unit(vsg_exe_builder *builder, uint32_t index)
{
    vsg_exe_program *program = builder->program;
    bool has_pairs = program->has_pairs;

    builder->unit = &program->units[index];
    builder->object = program->units[index].object;
    builder->status = VISAGE_OK;
    if (!build_unit(builder) && builder->status == VISAGE_OK)
        builder->status = VISAGE_INVALID;
    if (builder->status != VISAGE_OK)
        program->has_pairs = has_pairs;
    return builder->status;
}

static visage_status build(vsg_exe_program *program, const vsg_exe_program_options *options,
                           const vsg_obj_functions *functions, visage_diagnostics *diagnostics)
{
    visage_status status = VISAGE_OK;
    vsg_exe_builder builder = {.program = program,
                               .options = options,
                               .functions = functions,
                               .diagnostics = diagnostics};

    program->num_units = (uint32_t)program->module->num_units;
    program->units = vsg_exe_keep(&builder, program->num_units, sizeof *program->units);
    if (!program->units)
        return VISAGE_NO_MEMORY;
    for (uint32_t i = 0; i < program->num_units; i++)
        program->units[i].object = program->module->units[i];
    if (!vsg_exe_place_file_variables(&builder))
        return builder.status;
    for (uint32_t i = 0; i < program->num_units; i++) {
        program->units[i].is_left_out = options->units && !options->units[i];
        if (program->units[i].is_left_out)
            continue;
        visage_status built = make_unit(&builder, i);
        if (built == VISAGE_NO_MEMORY)
            return built;
        if (built != VISAGE_OK && options->refused) {
            options->refused[i] = true;
            program->units[i] =
                (vsg_exe_unit){.object = program->units[i].object, .is_left_out = true};
        } else if (status == VISAGE_OK) {
            status = built;
        }
    }
    spread_barriers(program);
    return status;
}

visage_status vsg_exe_program_create(const vsg_base_alloc *alloc, const vsg_obj_module *module,
                                     const vsg_exe_program_options *options,
                                     visage_diagnostics *diagnostics, vsg_exe_program **out)
{
    visage_status status = VISAGE_NO_MEMORY;
    vsg_obj_functions functions;

    *out = NULL;
    if (!vsg_isa_platform(options->platform))
        return VISAGE_ARGUMENT;
    vsg_exe_program *program = vsg_base_new(alloc, 1, sizeof *program);
    if (!program)
        return VISAGE_NO_MEMORY;
    program->alloc = *alloc;
    vsg_base_arena_init(&program->arena, &program->alloc);
    program->platform = options->platform;
    program->grf_bytes = visage_platform_grf_bytes(options->platform);
    program->module = module;
    if (vsg_obj_functions_list(alloc, module, &functions))
        status = build(program, options, &functions, diagnostics);
    vsg_obj_functions_free(alloc, &functions);
    if (status == VISAGE_NO_MEMORY)
        vsg_base_report(diagnostics, VSG_DIAG_NO_MEMORY, &VSG_BASE_NOWHERE);
    if (status != VISAGE_OK)
        vsg_exe_program_free(&program);
    *out = program;
    return status;
}

void vsg_exe_program_free(vsg_exe_program **program)
{
    if (!program || !*program)
        return;
    vsg_base_alloc alloc = (*program)->alloc;
    vsg_exe_coverage_write(*program);
    vsg_base_arena_free(&(*program)->arena);
    vsg_base_delete(&alloc, *program, 1, sizeof **program);
    *program = NULL;
}
