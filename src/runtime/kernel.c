/* SPDX-License-Identifier: MIT */
#include "runtime/kernel.h"

#include <string.h>

#include "exec/image.h"
#include "exec/memory.h"

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

/* Words of .ze_info: image_2d, image_2d_array, image_2d_array_msaa_depth, image_2d_media ... Of
 * several shapes that begin a word the longest is meant. NULL: none. */
static const char *shape_of(const char *image_type)
{
    static const char start[] = "image_";
    const char *found = NULL;

    if (!starts_with(image_type, start))
        return NULL;
    const char *word = image_type + sizeof start - 1;
    for (size_t length = strlen(word); length > 0 && !found; length--) {
        uint32_t shape = vsg_exe_image_find(word, length);
        bool is_whole = word[length] == '\0' || word[length] == '_';
        if (is_whole && shape < VSG_EXE_IMAGE_COUNT)
            found = vsg_exe_image_of(shape)->name;
    }
    return found;
}

/* Takes what a payload argument says of its kernel argument. size_bytes: the end of the
 * furthest piece of a value so far. */
static void take_payload(const vsg_con_payload *payload, vsg_run_arg *arg)
{
    uint64_t piece_end = (uint64_t)payload->source_offset_bytes + payload->size_bytes;

    if (piece_end > LARGEST_VALUE_BYTES)
        piece_end = LARGEST_VALUE_BYTES;
    if (!kind_of_payload(payload, &arg->kind))
        return;
    if (payload->addrmode == VSG_CON_ADDRMODE_STATELESS && payload->size_bytes)
        arg->has_address = true;
    if (payload->access)
        arg->access = payload->access;
    if (payload->sampler_index >= 0)
        arg->sampler = payload->sampler_index;
    if (payload->image_type)
        arg->shape = shape_of(payload->image_type);
    if (payload->slm_alignment > arg->slm_alignment)
        arg->slm_alignment = payload->slm_alignment;
    if (payload->kind == VSG_CON_PAYLOAD_ARG_BYVALUE && piece_end > arg->size_bytes)
        arg->size_bytes = (uint32_t)piece_end;
}

/* Each list is gone through once: there may be thousands of arguments. */
static void describe_args(const vsg_con_kernel *info, vsg_run_arg *args)
{
    for (size_t i = 0; i < info->num_args; i++)
        args[i] = (vsg_run_arg){.kind = kind_of_info(&info->args[i]),
                                .bti = -1,
                                .sampler = -1,
                                .name = info->args[i].name,
                                .slm_alignment = LEAST_SLM_ALIGNMENT};
    for (size_t i = 0; i < info->num_payload; i++)
        if (info->payload[i].arg_index >= 0)
            take_payload(&info->payload[i], &args[info->payload[i].arg_index]);
    for (size_t i = 0; i < info->num_bindings; i++) {
        int32_t index = info->bindings[i].arg_index;
        if (index < 0 || (size_t)index >= info->num_args)
            continue;
        /* The compiler counts on where numbers mean something else, and does without them: it
         * takes the address. */
        if (info->bindings[i].bti < VSG_EXE_BTI_BINDLESS || !args[index].has_address)
            args[index].bti = (int32_t)info->bindings[i].bti;
    }
    for (size_t i = 0; i < info->num_args; i++) {
        /* The payload rounds small values up to dwords: the type's own size goes before it. */
        uint32_t declared = size_of_type(info->args[i].type_name);
        if (args[i].kind != VISAGE_ARGUMENT_VALUE)
            args[i].size_bytes = 0;
        else if (declared)
            args[i].size_bytes = declared;
    }
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
    int32_t next_sampler = 0;

    out->args = vsg_base_arena_new(arena, unit->num_inputs, sizeof *out->args);
    if (!out->args)
        return false;
    for (size_t i = 0; i < unit->num_inputs; i++) {
        const vsg_obj_input *input = &unit->inputs[i];
        if (input->provenance != 0)
            continue;
        vsg_run_arg *arg = &out->args[out->num_args++];
        *arg = (vsg_run_arg){.bti = -1,
                             .sampler = -1,
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
            arg->sampler = next_sampler++;
        }
    }
    return true;
}

/* ---- facts that launches ask for --------------------------------------------------------- */

/* Channels of a thread at dispatch as the text has them: its SimdSize attribute, else what
 * .ze_info says, else 32. */
static uint32_t channels_of(const vsg_run_kernel *kernel)
{
    int64_t attribute = vsg_obj_attribute_value(&kernel->unit->attributes, "SimdSize", 0);

    if (attribute == 1 || attribute == 8 || attribute == 16 || attribute == 32)
        return (uint32_t)attribute;
    if (kernel->info && kernel->info->simd_size > 1 && kernel->info->simd_size <= WIDEST_THREAD)
        return kernel->info->simd_size;
    return WIDEST_THREAD;
}

static vsg_run_thread_memory memory_of(const vsg_run_kernel *kernel)
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

static void find_facts(vsg_run_kernel *kernel)
{
    int64_t bytes = vsg_obj_attribute_value(&kernel->unit->attributes, "PerThreadInputSize", 0);

    _Static_assert(VSG_CON_PAYLOAD_COUNT < 64, "a bit each");
    kernel->channels = channels_of(kernel);
    kernel->thread_bytes = bytes > 0 && bytes <= UINT32_MAX ? (uint32_t)bytes : 0;
    for (size_t i = 0; kernel->info && i < kernel->info->num_payload; i++)
        kernel->kinds |= UINT64_C(1) << kernel->info->payload[i].kind;
    kernel->memory = memory_of(kernel);
}

bool vsg_run_kernel_describe(vsg_base_arena *arena, const vsg_obj_unit *unit, uint32_t index,
                             const vsg_con_kernel *info, vsg_run_kernel *out)
{
    *out = (vsg_run_kernel){.unit = unit, .index = index, .info = info};
    find_facts(out);
    if (!info)
        return unit->is_function || describe_inputs(arena, unit, out);
    out->args = vsg_base_arena_new(arena, info->num_args, sizeof *out->args);
    if (!out->args)
        return false;
    out->num_args = info->num_args;
    describe_args(info, out->args);
    return true;
}

/* ---- facts ------------------------------------------------------------------------------ */

bool vsg_run_kernel_has(const vsg_run_kernel *kernel, vsg_con_payload_kind kind)
{
    return (kernel->kinds >> kind & 1) != 0;
}

bool vsg_run_kernel_is_explicit(const vsg_run_kernel *kernel)
{
    return kernel->info && kernel->info->simd_size <= 1;
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
