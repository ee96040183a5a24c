/* SPDX-License-Identifier: MIT */
#include "object/functions.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    const vsg_obj_function *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    if (order != 0)
        return order;
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static bool list(const vsg_base_alloc *alloc, const vsg_obj_module *module, bool functions,
                 vsg_obj_functions *out)
{
    uint32_t number = 0;

    *out = (vsg_obj_functions){.capacity = module->num_units + 1, .module = module};
    out->items = vsg_base_new(alloc, out->capacity, sizeof *out->items);
    out->listed = vsg_base_new(alloc, out->capacity, sizeof *out->listed);
    if (!out->items || !out->listed)
        return false;
    for (size_t i = 0; i < module->num_units; i++) {
        const vsg_obj_unit *unit = module->units[i];
        if (unit->is_function != functions)
            continue;
        if (!unit->stored.is_declaration)
            out->items[out->count++] = (vsg_obj_function){
                .name = unit->name,
                .unit = (uint32_t)i,
                .number = number,
                .arg_grfs = vsg_obj_attribute_value(&unit->attributes, "ArgSize", 0),
                .return_grfs = vsg_obj_attribute_value(&unit->attributes, "RetValSize", 0)};
        out->listed[number++] = (uint32_t)i;
    }
    out->num_listed = number;
    qsort(out->items, out->count, sizeof *out->items, by_name);
    return true;
}

bool vsg_obj_functions_list(const vsg_base_alloc *alloc, const vsg_obj_module *module,
                            vsg_obj_functions *out)
{
    return list(alloc, module, true, out);
}

bool vsg_obj_kernels_list(const vsg_base_alloc *alloc, const vsg_obj_module *module,
                          vsg_obj_functions *out)
{
    return list(alloc, module, false, out);
}

void vsg_obj_functions_free(const vsg_base_alloc *alloc, vsg_obj_functions *functions)
{
    vsg_base_delete(alloc, functions->items, functions->capacity, sizeof *functions->items);
    vsg_base_delete(alloc, functions->listed, functions->capacity, sizeof *functions->listed);
    *functions = (vsg_obj_functions){0};
}

const vsg_obj_function *vsg_obj_functions_find(const vsg_obj_functions *functions,
                                               const char *name)
{
    size_t low = 0, high = functions->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(functions->items[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < functions->count && strcmp(functions->items[low].name, name) == 0
               ? &functions->items[low]
               : NULL;
}

const char *vsg_obj_functions_called(const vsg_obj_functions *functions,
                                     const vsg_obj_resolver *calls, const vsg_obj_unit *unit,
                                     const char *name)
{
    const vsg_obj_module *module = functions->module;
    uint32_t number;

    if (!vsg_obj_resolve_call(calls, unit, module->layout, name, &number) ||
        number >= functions->num_listed)
        return name;
    return module->units[functions->listed[number]]->name;
}

const vsg_obj_operand *vsg_obj_function_operand(const vsg_obj_inst *inst)
{
    int number = vsg_isa_has_slot(inst->op, VSG_ISA_SLOT_NAME16)
                     ? vsg_isa_operand(inst->op, "function")
                     : -1;

    if (number < 0 || number >= inst->num_operands || !inst->operands[number].name)
        return NULL;
    return &inst->operands[number];
}
