/* SPDX-License-Identifier: MIT
 *
 * Attributes that the documents define; others mean nothing to visage. Sources: 4_visa_header,
 * Pre-defined Attributes; spec dialect 1.1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/tables.h"

static bool is_simd_size(const vsg_ver_state *state, int64_t value)
{
    (void)state;
    return value == 8 || value == 16 || value == 32;
}

/* The documents' 64, or what the platform has. */
static int64_t most_slm(const vsg_ver_state *state)
{
    int64_t most = 64;

    for (unsigned i = 1; i < VISAGE_PLATFORM_COUNT; i++) {
        int64_t kib = vsg_isa_platform((visage_platform)i)->slm_kib;
        if ((!state->platform || state->platform == i) && kib > most)
            most = kib;
    }
    return most;
}

static bool is_slm_size(const vsg_ver_state *state, int64_t value)
{
    return value >= 0 && value <= most_slm(state);
}

static int64_t grf_bytes(const vsg_ver_state *state)
{
    return state->grf_bytes;
}

static bool is_spill_offset(const vsg_ver_state *state, int64_t value)
{
    return value >= 0 && value % state->grf_bytes == 0;
}

static bool is_scope(const vsg_ver_state *state, int64_t value)
{
    (void)state;
    return value == 0 || value == 1;
}

/* Limits: readers check those. */
static bool is_any(const vsg_ver_state *state, int64_t value)
{
    (void)state;
    (void)value;
    return true;
}

typedef struct integer_row {
    const char *name;
    bool (*is_legal)(const vsg_ver_state *state, int64_t value);
    vsg_ver_rule rule;
    int64_t (*limit)(const vsg_ver_state *state); /* that the message names; NULL: none */
} integer_row;

static const integer_row unit_rows[] = {
    {"SimdSize", is_simd_size, VSG_RULE_SIMD_SIZE, NULL},
    {"SLMSize", is_slm_size, VSG_RULE_SLM_SIZE, most_slm},
    {"SpillMemOffset", is_spill_offset, VSG_RULE_SPILL_OFFSET, grf_bytes},
    {"ArgSize", is_any, VSG_RULE_ATTRIBUTE_KIND, NULL},
    {"RetValSize", is_any, VSG_RULE_ATTRIBUTE_KIND, NULL},
};

static const integer_row variable_rows[] = {{"Scope", is_scope, VSG_RULE_SCOPE, NULL}};

/* That of the attribute; of what built it by hand, its owner's. */
static const vsg_obj_place *place_of(const vsg_obj_attribute *attribute,
                                     const vsg_obj_place *owner)
{
    return attribute->place.line || attribute->place.offset_bytes ? &attribute->place : owner;
}

static int64_t value_of(const vsg_obj_attribute *attribute)
{
    return attribute->size_bytes ? attribute->value : 1; /* a flag */
}

static void check_integer(vsg_ver_state *state, const vsg_obj_place *place,
                          const vsg_obj_attribute *attribute, const integer_row *row)
{
    long long value = value_of(attribute);

    if (attribute->string)
        vsg_ver_report_place(state, place, VSG_RULE_ATTRIBUTE_KIND, attribute->name,
                             attribute->string, "an integer");
    else if (!row->is_legal(state, value))
        vsg_ver_report_place(state, place, row->rule, value,
                             row->limit ? (long long)row->limit(state) : 0);
}

static int by_name(const void *a, const void *b)
{
    const vsg_obj_attribute *x = *(const vsg_obj_attribute *const *)a;
    const vsg_obj_attribute *y = *(const vsg_obj_attribute *const *)b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x > y) - (x < y);
}

static bool differ(const vsg_obj_attribute *x, const vsg_obj_attribute *y)
{
    if (!x->string || !y->string)
        return x->string != y->string || value_of(x) != value_of(y);
    size_t bytes = vsg_obj_attribute_string_bytes(x);
    return bytes != vsg_obj_attribute_string_bytes(y) ||
           memcmp(x->string, y->string, bytes) != 0;
}

/* One that has no name is the number of a string that is not there. */
static void check_twice(vsg_ver_state *state, const vsg_obj_place *place,
                        const vsg_obj_attributes *list)
{
    const vsg_base_alloc *alloc = &state->module->alloc;

    if (list->count < 2)
        return;
    const vsg_obj_attribute **sorted = vsg_base_new(alloc, list->count, sizeof *sorted);
    if (!sorted) {
        state->no_memory = true;
        return;
    }
    for (size_t i = 0; i < list->count; i++)
        sorted[i] = &list->items[i];
    qsort(sorted, list->count, sizeof *sorted, by_name);
    for (size_t i = 1; i < list->count && !vsg_ver_stop(state); i++) {
        const vsg_obj_attribute *first = sorted[i - 1], *second = sorted[i];
        if (!*first->name || strcmp(first->name, second->name) != 0 || !differ(first, second))
            continue;
        vsg_ver_report_place(state, place_of(second, place), VSG_RULE_ATTRIBUTE_TWICE,
                             second->name);
        vsg_ver_note_place(state, place_of(first, place), "it is given here before");
    }
    vsg_base_delete(alloc, sorted, list->count, sizeof *sorted);
}

static void check_list(vsg_ver_state *state, const vsg_obj_place *place,
                       const vsg_obj_attributes *list, const integer_row *rows, size_t count)
{
    for (size_t i = 0; i < list->count && !vsg_ver_stop(state); i++) {
        const vsg_obj_attribute *attribute = &list->items[i];
        for (size_t row = 0; row < count; row++)
            if (strcmp(attribute->name, rows[row].name) == 0)
                check_integer(state, place_of(attribute, place), attribute, &rows[row]);
    }
    check_twice(state, place, list);
}

static void check_target(vsg_ver_state *state)
{
    const vsg_obj_attribute *target =
        vsg_obj_attribute_find(&state->unit->attributes, "Target");
    char number[24];

    if (!target)
        return;
    if (target->string &&
        vsg_isa_find_word(VSG_ISA_WORDS_TARGET, target->string, strlen(target->string)) < 0)
        vsg_ver_report_place(state, place_of(target, &state->unit->place), VSG_RULE_TARGET,
                             target->string);
    if (target->string || vsg_isa_word(VSG_ISA_WORDS_TARGET, (uint32_t)target->value))
        return;
    (void)snprintf(number, sizeof number, "%lld", (long long)target->value);
    vsg_ver_report_place(state, place_of(target, &state->unit->place), VSG_RULE_TARGET, number);
}

/* Functions say how many registers they take and return. */
static void check_sizes(vsg_ver_state *state)
{
    static const char *const names[] = {"ArgSize", "RetValSize"};
    const vsg_obj_unit *unit = state->unit;

    if (unit->stored.is_declaration)
        return;
    for (unsigned i = 0; i < 2; i++) {
        const vsg_obj_attribute *found = vsg_obj_attribute_find(&unit->attributes, names[i]);
        if (unit->is_function && !found)
            vsg_ver_report_place(state, &unit->place, VSG_RULE_SIZES_MISSING, unit->name,
                                 names[i]);
        if (!unit->is_function && found)
            vsg_ver_report_place(state, place_of(found, &unit->place), VSG_RULE_SIZES_OWNER,
                                 unit->name, names[i]);
    }
}

/* ---- shared local memory ---------------------------------------------------------------- */

static bool is_slm(const vsg_obj_operand *operand)
{
    if (operand->class_ == VSG_OBJ_CLASS_SURFACE)
        return operand->id == VSG_ISA_SURFACE_SLM;
    return (operand->class_ == VSG_OBJ_CLASS_STATE ||
            operand->class_ == VSG_OBJ_CLASS_ADDRESS_OF) &&
           operand->state == 0 && operand->id == VSG_ISA_SURFACE_SLM;
}

/* Only where the attribute says zero: real kernels leave it out. */
static void check_slm(vsg_ver_state *state)
{
    const vsg_obj_unit *unit = state->unit;

    if (unit->stored.damage != VSG_OBJ_DAMAGE_NONE ||
        vsg_obj_attribute_value(&unit->attributes, "SLMSize", 1) != 0)
        return;
    for (size_t i = 0; i < unit->num_insts && !vsg_ver_stop(state); i++) {
        state->inst = &unit->insts[i];
        for (unsigned j = 0; j < state->inst->num_operands; j++)
            if (is_slm(&state->inst->operands[j]))
                vsg_ver_report_operand(state, &state->inst->operands[j], VSG_RULE_NO_SLM);
    }
    state->inst = NULL;
}

void vsg_ver_check_attributes(vsg_ver_state *state)
{
    const vsg_obj_unit *unit = state->unit;

    check_list(state, &unit->place, &unit->attributes, unit_rows,
               sizeof unit_rows / sizeof unit_rows[0]);
    for (size_t i = 0; i < unit->num_variables; i++)
        if (unit->variables[i].attributes.count)
            check_list(state, &unit->variables[i].place, &unit->variables[i].attributes,
                       variable_rows, sizeof variable_rows / sizeof variable_rows[0]);
    check_target(state);
    check_sizes(state);
    check_slm(state);
}
