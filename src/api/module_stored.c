/* SPDX-License-Identifier: MIT
 *
 * What only a file has of a kernel or function. */
#include <string.h>

#include "api/api.h"
#include "object/binary.h"

static const vsg_obj_stored *stored_at(const visage_module *module, size_t index)
{
    return module && index < module->num_units ? &module->units[index].unit->stored : NULL;
}

visage_status visage_module_get_stored(const visage_module *module, size_t unit,
                                       visage_stored_info *out)
{
    const vsg_obj_stored *stored = stored_at(module, unit);

    if (!stored || !out)
        return VISAGE_ARGUMENT;
    *out = (visage_stored_info){
        .offset_bytes = stored->offset_bytes,
        .size_bytes = stored->size_bytes,
        .damage = vsg_obj_damage_name(stored->damage),
        .damage_help = vsg_obj_damage_help(stored->damage),
        .num_strings = stored->num_strings,
        .num_vmes = stored->num_vmes,
        .num_gen_binaries = stored->num_gen_binaries,
        .num_variable_relocations = stored->num_variable_relocs,
        .num_function_relocations = stored->num_function_relocs,
        .input_grfs = stored->input_grfs,
        .return_grfs = stored->return_grfs,
        .is_broken = stored->damage == VSG_OBJ_DAMAGE_BROKEN,
        .is_cut_off = stored->is_cut_off,
        .broken_at = stored->broken_at,
    };
    for (size_t i = 0; i < stored->num_strings; i++)
        out->string_bytes += strlen(stored->strings[i]) + 1;
    return VISAGE_OK;
}

visage_status visage_module_get_gen_binary(const visage_module *module, size_t unit,
                                           size_t index, visage_gen_binary_info *out)
{
    const vsg_obj_stored *stored = stored_at(module, unit);

    if (!stored || index >= stored->num_gen_binaries || !out)
        return VISAGE_ARGUMENT;
    const vsg_obj_gen_binary *binary = &stored->gen_binaries[index];
    *out = (visage_gen_binary_info){
        .code = binary->platform,
        .platform = vsg_isa_find_gen_platform(binary->platform),
        .offset_bytes = binary->offset_bytes,
        .data = binary->data,
        .size_bytes = binary->size_bytes,
    };
    return VISAGE_OK;
}

visage_status visage_module_get_relocation(const visage_module *module, size_t unit,
                                           bool of_functions, size_t index,
                                           visage_relocation_info *out)
{
    const vsg_obj_stored *stored = stored_at(module, unit);

    if (!stored || !out)
        return VISAGE_ARGUMENT;
    size_t count = of_functions ? stored->num_function_relocs : stored->num_variable_relocs;
    if (index >= count)
        return VISAGE_ARGUMENT;
    const vsg_obj_reloc *reloc =
        of_functions ? &stored->function_relocs[index] : &stored->variable_relocs[index];
    *out = (visage_relocation_info){reloc->symbolic_index, reloc->resolved_index};
    return VISAGE_OK;
}
