/* SPDX-License-Identifier: MIT */
#include "runtime/kernel.h"

#include <string.h>

enum {
    WIDEST_THREAD = 32,
    LEAST_SLM_ALIGNMENT = 16, /* what the widest vector type of OpenCL C in SLM may count on */
    LARGEST_VALUE_BYTES = 64 << 10
};

/* ---- arguments that .ze_info describes -------------------------------------------------- */

/* The kind a payload argument makes of its kernel argument; false: it says nothing. */
static bool kind_of_payload(const vsg_con_payload *payload, visage_argument_kind *kind)
{
    switch ((int)payload->kind) {
    case VSG_CON_PAYLOAD_ARG_BYVALUE:
        *kind = VISAGE_ARGUMENT_VALUE;
        return true;
    case VSG_CON_PAYLOAD_BUFFER_ADDRESS:
        *kind = VISAGE_ARGUMENT_BUFFER;
        return true;
    case VSG_CON_PAYLOAD_INLINE_SAMPLER:
        *kind = VISAGE_ARGUMENT_SAMPLER;
        return true;
    case VSG_CON_PAYLOAD_ARG_BYPOINTER:
        break;
    default:
        return false;
    }
    if (payload->addrmode == VSG_CON_ADDRMODE_SLM ||
        payload->addrspace == VSG_CON_ADDRSPACE_LOCAL)
        *kind = VISAGE_ARGUMENT_LOCAL;
    else if (payload->addrspace == VSG_CON_ADDRSPACE_IMAGE)
        *kind = VISAGE_ARGUMENT_IMAGE;
    else if (payload->addrspace == VSG_CON_ADDRSPACE_SAMPLER)
        *kind = VISAGE_ARGUMENT_SAMPLER;
    else
        *kind = VISAGE_ARGUMENT_BUFFER;
    return true;
}

static bool starts_with(const char *text, const char *start)
{
    return text && strncmp(text, start, strlen(start)) == 0;
}

/* An argument that the compiler found no use for has no payload; args_info still names it. */
static visage_argument_kind kind_of_info(const vsg_con_arg_info *info)
{
    if (starts_with(info->type_name, "image"))
        return VISAGE_ARGUMENT_IMAGE;
    if (starts_with(info->type_name, "sampler"))
        return VISAGE_ARGUMENT_SAMPLER;
    if (starts_with(info->address_qualifier, "__local"))
        return VISAGE_ARGUMENT_LOCAL;
    if (starts_with(info->address_qualifier, "__global") ||
        starts_with(info->address_qualifier, "__constant"))
        return VISAGE_ARGUMENT_BUFFER;
    return VISAGE_ARGUMENT_VALUE;
}

/* The size that ends a type name: "char3;4" has 4 bytes. 0 where it says none. */
static uint32_t size_of_type(const char *type_name)
{
    const char *digits = type_name ? strrchr(type_name, ';') : NULL;
    uint32_t size = 0;

    for (digits = digits ? digits + 1 : NULL; digits && *digits >= '0' && *digits <= '9';
         digits++) {
        size = size * 10 + (uint32_t)(*digits - '0');
        if (size > LARGEST_VALUE_BYTES)
            return 0;
    }
    return size;
}

/* The payload rounds small values up to dwords, so the type's own size goes before it. */
static uint32_t value_bytes(const vsg_con_kernel *info, size_t index)
{
    uint64_t end = 0;
    uint32_t declared = size_of_type(info->args[index].type_name);

    for (size_t i = 0; i < info->num_payload; i++) {
        const vsg_con_payload *payload = &info->payload[i];
        uint64_t piece_end = (uint64_t)payload->source_offset_bytes + payload->size_bytes;
        if (payload->kind == VSG_CON_PAYLOAD_ARG_BYVALUE &&
            payload->arg_index == (int32_t)index && piece_end > end)
            end = piece_end;
    }
    if (end > LARGEST_VALUE_BYTES)
        end = LARGEST_VALUE_BYTES;
    return declared ? declared : (uint32_t)end;
}

static void describe_arg(const vsg_con_kernel *info, size_t index, vsg_run_arg *out)
{
    bool found = false;

    *out = (vsg_run_arg){
        .bti = -1, .name = info->args[index].name, .slm_alignment = LEAST_SLM_ALIGNMENT};
    for (size_t i = 0; i < info->num_payload; i++) {
        const vsg_con_payload *payload = &info->payload[i];
        if (payload->arg_index != (int32_t)index || !kind_of_payload(payload, &out->kind))
            continue;
        found = true;
        if (payload->access)
            out->access = payload->access;
        if (payload->slm_alignment > out->slm_alignment)
            out->slm_alignment = payload->slm_alignment;
    }
    if (!found)
        out->kind = kind_of_info(&info->args[index]);
    if (out->kind == VISAGE_ARGUMENT_VALUE)
        out->size_bytes = value_bytes(info, index);
    for (size_t i = 0; i < info->num_bindings; i++)
        if (info->bindings[i].arg_index == (int32_t)index)
            out->bti = (int32_t)info->bindings[i].bti;
}

/* ---- arguments of a plain kernel -------------------------------------------------------- */

static const char *state_name(const vsg_obj_state *states, size_t count, uint32_t first,
                              uint32_t id)
{
    return id >= first && id - first < count ? states[id - first].name : NULL;
}

const char *vsg_run_input_name(const vsg_obj_unit *unit, const vsg_obj_input *input)
{
    vsg_obj_variable_facts facts;

    switch (input->kind) {
    case VSG_OBJ_INPUT_GENERAL:
        return vsg_obj_variable_get(unit, input->id, &facts) ? facts.name : NULL;
    case VSG_OBJ_INPUT_SAMPLER:
        return state_name(unit->samplers, unit->num_samplers, 0, input->id);
    case VSG_OBJ_INPUT_SURFACE:
        return state_name(unit->surfaces, unit->num_surfaces, VSG_ISA_NUM_SURFACES, input->id);
    }
    return NULL;
}

static bool describe_inputs(vsg_base_arena *arena, const vsg_obj_unit *unit,
                            vsg_run_kernel *out)
{
    int32_t next_bti = 0;

    out->args = vsg_base_arena_new(arena, unit->num_inputs, sizeof *out->args);
    if (!out->args)
        return false;
    for (size_t i = 0; i < unit->num_inputs; i++) {
        const vsg_obj_input *input = &unit->inputs[i];
        if (input->provenance != 0)
            continue;
        vsg_run_arg *arg = &out->args[out->num_args++];
        *arg = (vsg_run_arg){.bti = -1,
                             .input = input,
                             .size_bytes = input->size_bytes,
                             .slm_alignment = LEAST_SLM_ALIGNMENT};
        arg->name = vsg_run_input_name(unit, input);
        if (input->kind == VSG_OBJ_INPUT_SURFACE) {
            arg->kind = VISAGE_ARGUMENT_BUFFER;
            arg->size_bytes = 0;
            arg->bti = next_bti++;
        } else if (input->kind == VSG_OBJ_INPUT_SAMPLER) {
            arg->kind = VISAGE_ARGUMENT_SAMPLER;
            arg->size_bytes = 0;
        }
    }
    return true;
}

bool vsg_run_kernel_describe(vsg_base_arena *arena, const vsg_obj_unit *unit, uint32_t index,
                             const vsg_con_kernel *info, vsg_run_kernel *out)
{
    *out = (vsg_run_kernel){.unit = unit, .index = index, .info = info};
    if (!info)
        return unit->is_function || describe_inputs(arena, unit, out);
    out->args = vsg_base_arena_new(arena, info->num_args, sizeof *out->args);
    if (!out->args)
        return false;
    out->num_args = info->num_args;
    for (size_t i = 0; i < info->num_args; i++)
        describe_arg(info, i, &out->args[i]);
    return true;
}

/* ---- facts ------------------------------------------------------------------------------ */

bool vsg_run_kernel_has(const vsg_run_kernel *kernel, vsg_con_payload_kind kind)
{
    for (size_t i = 0; kernel->info && i < kernel->info->num_payload; i++)
        if (kernel->info->payload[i].kind == kind)
            return true;
    return false;
}

uint32_t vsg_run_kernel_channels(const vsg_run_kernel *kernel)
{
    int64_t attribute = vsg_obj_attribute_value(&kernel->unit->attributes, "SimdSize", 0);

    if (attribute == 1 || attribute == 8 || attribute == 16 || attribute == 32)
        return (uint32_t)attribute;
    if (kernel->info && kernel->info->simd_size > 1 && kernel->info->simd_size <= WIDEST_THREAD)
        return kernel->info->simd_size;
    return WIDEST_THREAD;
}

bool vsg_run_kernel_is_explicit(const vsg_run_kernel *kernel)
{
    return kernel->info && kernel->info->simd_size <= 1;
}

vsg_run_thread_memory vsg_run_kernel_memory(const vsg_run_kernel *kernel)
{
    vsg_run_thread_memory result = {0, 0};
    int64_t spill = vsg_obj_attribute_value(&kernel->unit->attributes, "SpillMemOffset", 0);

    if (spill > 0)
        result.scratch_bytes = (uint64_t)spill;
    for (size_t i = 0; kernel->info && i < kernel->info->num_memory; i++) {
        const vsg_con_memory *memory = &kernel->info->memory[i];
        uint64_t channels = memory->is_simt_thread ? kernel->info->simd_size : 1;
        uint64_t bytes = memory->size_bytes * (channels ? channels : 1);
        if (strcmp(memory->type, "global") == 0)
            result.private_bytes += bytes;
        else if (strcmp(memory->usage, "spill_fill_space") != 0 && bytes > result.scratch_bytes)
            result.scratch_bytes = bytes;
    }
    return result;
}

uint64_t vsg_run_kernel_slm(const vsg_run_kernel *kernel)
{
    if (kernel->info)
        return kernel->info->slm_size_bytes;
    int64_t kib = vsg_obj_attribute_value(&kernel->unit->attributes, "SLMSize", 0);
    return kib > 0 ? (uint64_t)(kib > INT32_MAX ? INT32_MAX : kib) * 1024 : 0;
}

const char *vsg_run_kind_text(visage_argument_kind kind)
{
    static const char *const texts[] = {
        [VISAGE_ARGUMENT_VALUE] = "a value",      [VISAGE_ARGUMENT_BUFFER] = "a buffer",
        [VISAGE_ARGUMENT_LOCAL] = "local memory", [VISAGE_ARGUMENT_IMAGE] = "an image",
        [VISAGE_ARGUMENT_SAMPLER] = "a sampler",
    };
    return texts[kind];
}
