/* SPDX-License-Identifier: MIT
 *
 * What a module tells of itself. */
#include "api/api.h"

static const vsg_run_kernel *unit_at(const visage_module *module, size_t index)
{
    return module && index < module->num_units ? &module->units[index] : NULL;
}

visage_status visage_module_get_info(const visage_module *module, visage_module_info *out)
{
    if (!module || !out)
        return VISAGE_ARGUMENT;
    *out = (visage_module_info){
        .form = module->is_zebin    ? "zebin"
                : module->is_binary ? "binary"
                : module->is_made   ? "made"
                                    : "text",
        .platform = module->object->platform,
        .version_major = module->object->version_major,
        .version_minor = module->object->version_minor,
        .num_kernels = module->num_kernels,
        .num_functions = module->num_units - module->num_kernels,
        .layout = module->object->layout == VSG_OBJ_LAYOUT_DOC   ? "doc"
                  : module->object->layout == VSG_OBJ_LAYOUT_IGC ? "igc"
                                                                 : NULL,
        .is_broken = module->object->is_broken,
        .header_is_broken = module->object->header_is_broken,
        .header_broken_at = module->object->header_broken_at,
    };
    return VISAGE_OK;
}

/* ---- kernels ---------------------------------------------------------------------------- */

static bool is_numbered(visage_op op)
{
    return op != VISAGE_OP_LOC && op != VISAGE_OP_FILE;
}

static uint32_t count_barriers(const vsg_run_kernel *unit)
{
    if (unit->info && unit->info->barrier_count)
        return unit->info->barrier_count;
    for (size_t i = 0; i < unit->unit->num_insts; i++) {
        visage_op op = unit->unit->insts[i].op;
        if (op == VISAGE_OP_BARRIER || op == VISAGE_OP_SBARRIER_SIGNAL)
            return 1;
    }
    return 0;
}

static uint32_t saturate(uint64_t value)
{
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

visage_status visage_module_get_kernel(const visage_module *module, size_t index,
                                       visage_kernel_info *out)
{
    const vsg_run_kernel *unit = unit_at(module, index);

    if (!unit || !out)
        return VISAGE_ARGUMENT;
    const vsg_obj_unit *object = unit->unit;
    vsg_run_thread_memory memory = unit->memory;
    *out = (visage_kernel_info){
        .name = object->name,
        .is_function = object->is_function,
        .simd_size = vsg_run_kernel_is_explicit(unit) ? 1 : unit->channels,
        .has_info = unit->info != NULL,
        .num_arguments = unit->num_args,
        .slm_bytes = saturate(vsg_run_kernel_slm(unit)),
        .private_bytes = saturate(memory.scratch_bytes + memory.private_bytes),
        .barriers = count_barriers(unit),
        .num_variables = object->num_variables,
        .num_addresses = object->num_addresses,
        .num_predicates = object->num_predicates,
        .num_labels = object->num_labels,
        .num_samplers = object->num_samplers,
        .num_surfaces = object->num_surfaces,
        .num_inputs = object->num_inputs,
        .num_attributes = object->attributes.count,
    };
    for (uint32_t d = 0; unit->info && d < 3; d++)
        out->required_local[d] = unit->info->required_work_group_size[d];
    for (uint32_t d = 0; unit->info && d < 3; d++)
        out->local_hint[d] = unit->info->work_group_size_hint[d];
    if (unit->info) {
        out->required_sub_group = unit->info->required_sub_group_size;
        out->vector_hint = unit->info->vec_type_hint;
    }
    for (size_t i = 0; i < object->num_insts; i++)
        out->num_instructions += is_numbered(object->insts[i].op);
    for (size_t i = 0; i < object->stored.num_stream; i++)
        out->num_instructions += is_numbered(object->stored.stream[i]);
    return VISAGE_OK;
}

visage_status visage_module_get_argument(const visage_module *module, size_t kernel,
                                         size_t index, visage_argument_info *out)
{
    const vsg_run_kernel *unit = unit_at(module, kernel);

    if (!unit || index >= unit->num_args || !out)
        return VISAGE_ARGUMENT;
    const vsg_run_arg *arg = &unit->args[index];
    *out = (visage_argument_info){
        .kind = arg->kind,
        .size_bytes = arg->kind == VISAGE_ARGUMENT_VALUE ? arg->size_bytes : 0,
        .name = arg->name,
        .access = arg->access,
        .shape = arg->shape,
    };
    if (unit->info && index < unit->info->num_args) {
        const vsg_con_arg_info *told = &unit->info->args[index];
        out->address_qualifier = told->address_qualifier;
        out->type_name = told->type_name;
        out->type_qualifiers = told->type_qualifiers;
        out->access_qualifier = told->access_qualifier;
    }
    return VISAGE_OK;
}

visage_status visage_module_get_input(const visage_module *module, size_t kernel, size_t index,
                                      visage_input_info *out)
{
    const vsg_run_kernel *unit = unit_at(module, kernel);

    if (!unit || index >= unit->unit->num_inputs || !out)
        return VISAGE_ARGUMENT;
    const vsg_obj_input *input = &unit->unit->inputs[index];
    const char *name = vsg_run_input_name(unit->unit, input);
    *out = (visage_input_info){
        .name = name ? name : "",
        .offset_bytes = (uint32_t)input->offset_bytes,
        .size_bytes = input->size_bytes,
        .implicit = input->provenance != 0,
    };
    return VISAGE_OK;
}

visage_status visage_module_get_attribute(const visage_module *module, size_t kernel,
                                          size_t index, visage_attribute_info *out)
{
    const vsg_run_kernel *unit = unit_at(module, kernel);

    if (!unit || index >= unit->unit->attributes.count || !out)
        return VISAGE_ARGUMENT;
    const vsg_obj_attribute *attribute = &unit->unit->attributes.items[index];
    *out = (visage_attribute_info){
        .name = attribute->name,
        .is_string = attribute->string != NULL,
        .string = attribute->string,
        /* One without a value is set. */
        .value = attribute->string || attribute->size_bytes ? attribute->value : 1,
    };
    return VISAGE_OK;
}

size_t visage_module_count_instructions(const visage_module *module, size_t kernel,
                                        size_t isa_index)
{
    const vsg_run_kernel *unit = unit_at(module, kernel);
    visage_op op = vsg_api_isa_row(isa_index);
    size_t count = 0;

    for (size_t i = 0; unit && op != VISAGE_OP_COUNT && i < unit->unit->num_insts; i++)
        count += unit->unit->insts[i].op == op;
    for (size_t i = 0; unit && op != VISAGE_OP_COUNT && i < unit->unit->stored.num_stream; i++)
        count += unit->unit->stored.stream[i] == op;
    return count;
}
