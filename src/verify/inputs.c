/* SPDX-License-Identifier: MIT
 *
 * Inputs of a kernel. Source: 4_visa_header, input_info. */
#include <stdlib.h>

#include "verify/tables.h"

/* An input and what it is. */
typedef struct known {
    const vsg_obj_input *input;
    const char *name;
    const char *type; /* NULL: a sampler or a surface */
    uint32_t type_bytes, num_elements;
    uint64_t end_bytes;
    bool is_alias;
} known;

enum { STATE_BYTES = 4 };

static bool know_general(const vsg_obj_unit *unit, uint32_t id, known *out)
{
    vsg_obj_variable_facts facts;

    if (id < VSG_ISA_FIRST_VARIABLE || !vsg_obj_variable_get(unit, id, &facts))
        return false;
    const vsg_isa_type_info *type = vsg_isa_type(facts.type);
    out->name = facts.name;
    out->type = type ? type->text : "none";
    out->type_bytes = type && type->bytes ? type->bytes : 1;
    out->num_elements = facts.num_elements;
    out->is_alias = facts.alias != VSG_OBJ_NO_ALIAS || facts.in_file;
    return true;
}

static bool know_state(const vsg_obj_state *table, size_t count, uint32_t first, uint32_t id,
                       known *out)
{
    if (id < first || id - first >= count)
        return false;
    out->name = table[id - first].name;
    out->type_bytes = STATE_BYTES;
    out->num_elements = table[id - first].num_elements;
    return true;
}

static bool know(const vsg_obj_unit *unit, const vsg_obj_input *input, known *out)
{
    *out = (known){.input = input};
    out->end_bytes = (uint64_t)(int64_t)input->offset_bytes + input->size_bytes;
    switch (input->kind) {
    case VSG_OBJ_INPUT_GENERAL:
        return know_general(unit, input->id, out);
    case VSG_OBJ_INPUT_SAMPLER:
        return know_state(unit->samplers, unit->num_samplers, 0, input->id, out);
    case VSG_OBJ_INPUT_SURFACE:
        return know_state(unit->surfaces, unit->num_surfaces, VSG_ISA_NUM_SURFACES, input->id,
                          out);
    }
    return false;
}

/* ---- one input -------------------------------------------------------------------------- */

/* Without a platform a register has 32 or 64 bytes: what is wrong with both is reported. */
static void check_registers(vsg_ver_state *state, const known *k)
{
    enum { SMALL_GRF_BYTES = 32, LARGE_GRF_BYTES = 64 };
    const vsg_obj_input *input = k->input;
    bool sure = state->platform != VISAGE_PLATFORM_NONE;
    uint32_t least = sure ? state->grf_bytes : SMALL_GRF_BYTES;
    uint32_t most = sure ? state->grf_bytes : LARGE_GRF_BYTES;
    uint32_t offset = (uint32_t)input->offset_bytes;

    if (input->size_bytes >= most && offset % least)
        vsg_ver_report_place(state, &input->place, VSG_RULE_INPUT_GRF, k->name,
                             input->size_bytes, offset, least);
    else if (input->size_bytes < least && offset / most != (k->end_bytes - 1) / most)
        vsg_ver_report_place(state, &input->place, VSG_RULE_INPUT_CROSSES, k->name, offset,
                             (unsigned long long)k->end_bytes - 1, most);
}

/* No platform has more than 256 registers. */
static void check_place(vsg_ver_state *state, const known *k)
{
    enum { MOST_GRFS = 256, LARGE_GRF_BYTES = 64 };
    const vsg_obj_input *input = k->input;
    uint64_t file =
        MOST_GRFS * (uint64_t)(state->platform ? state->grf_bytes : LARGE_GRF_BYTES);

    if (input->offset_bytes < 0 || k->end_bytes > file) {
        vsg_ver_report_place(state, &input->place, VSG_RULE_INPUT_PLACE, k->name,
                             input->offset_bytes, (unsigned long long)file);
        return;
    }
    if ((uint32_t)input->offset_bytes % k->type_bytes)
        vsg_ver_report_place(state, &input->place, VSG_RULE_INPUT_ALIGN, k->name,
                             input->offset_bytes, k->type_bytes);
    else if (k->type && input->size_bytes)
        check_registers(state, k);
}

/* What the documents say of implicit inputs by provenance. */
typedef struct implicit_row {
    visage_type type;
    uint32_t num_elements;
    vsg_obj_input_kind kind;
} implicit_row;

static const implicit_row implicit_rows[] = {
    [1] = {VISAGE_TYPE_UD, 3, VSG_OBJ_INPUT_GENERAL},
    [2] = {VISAGE_TYPE_UD, 3, VSG_OBJ_INPUT_GENERAL},
    [3] = {VISAGE_TYPE_UD, 3, VSG_OBJ_INPUT_GENERAL},
    [4] = {VISAGE_TYPE_UB, 16, VSG_OBJ_INPUT_GENERAL},
    [5] = {VISAGE_TYPE_UD, 1, VSG_OBJ_INPUT_SURFACE},
};

static void check_provenance(vsg_ver_state *state, const known *k)
{
    const vsg_obj_input *input = k->input;
    vsg_obj_variable_facts facts;

    if (input->provenance == 0)
        return;
    if (input->provenance >= sizeof implicit_rows / sizeof implicit_rows[0]) {
        vsg_ver_report_place(state, &input->place, VSG_RULE_INPUT_PROVENANCE, k->name,
                             input->provenance);
        return;
    }
    const implicit_row *row = &implicit_rows[input->provenance];
    bool fits = input->kind == row->kind;
    if (fits && k->type)
        fits = vsg_obj_variable_get(state->unit, input->id, &facts) &&
               facts.type == row->type && facts.num_elements == row->num_elements;
    if (!fits)
        vsg_ver_report_place(
            state, &input->place, VSG_RULE_IMPLICIT_TYPE, k->name, input->provenance,
            row->kind == VSG_OBJ_INPUT_GENERAL ? "a general variable" : "a surface",
            row->num_elements, vsg_isa_type(row->type)->text);
}

static void check_input(vsg_ver_state *state, const known *k)
{
    const vsg_obj_input *input = k->input;
    uint64_t size = (uint64_t)k->type_bytes * k->num_elements;

    if (input->size_bytes != size) {
        vsg_ver_report_place(state, &input->place, VSG_RULE_INPUT_SIZE, k->name,
                             input->size_bytes, (unsigned long long)size);
        vsg_ver_note_fix(state, "size=%llu", (unsigned long long)size);
    }
    if (k->is_alias)
        vsg_ver_report_place(state, &input->place, VSG_RULE_INPUT_ALIAS, k->name);
    check_place(state, k);
    check_provenance(state, k);
}

/* ---- all of them ------------------------------------------------------------------------ */

static int by_offset(const void *a, const void *b)
{
    const known *x = a, *y = b;

    if (x->input->offset_bytes != y->input->offset_bytes)
        return x->input->offset_bytes < y->input->offset_bytes ? -1 : 1;
    return (x->input > y->input) - (x->input < y->input);
}

static int by_variable(const void *a, const void *b)
{
    const vsg_obj_input *x = ((const known *)a)->input, *y = ((const known *)b)->input;

    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x > y) - (x < y);
}

static void check_twice(vsg_ver_state *state, known *table, size_t count)
{
    qsort(table, count, sizeof *table, by_variable);
    for (size_t i = 1; i < count && !vsg_ver_stop(state); i++) {
        const vsg_obj_input *first = table[i - 1].input, *second = table[i].input;
        if (first->kind != second->kind || first->id != second->id)
            continue;
        vsg_ver_report_place(state, &second->place, VSG_RULE_INPUT_TWICE, table[i].name);
        vsg_ver_note_place(state, &first->place, "it is one here");
    }
}

/* .parameter makes inputs without a place: they have offset 0, which is %r0's. */
static bool has_place(const known *k)
{
    return k->input->offset_bytes > 0 && k->input->size_bytes > 0;
}

static void check_overlap(vsg_ver_state *state, known *table, size_t count)
{
    const known *last = NULL; /* reaches furthest of those before */

    qsort(table, count, sizeof *table, by_offset);
    for (size_t i = 0; i < count && !vsg_ver_stop(state); i++) {
        const known *k = &table[i];
        if (!has_place(k))
            continue;
        if (last && (uint64_t)k->input->offset_bytes < last->end_bytes) {
            vsg_ver_report_place(state, &k->input->place, VSG_RULE_INPUT_OVERLAP, k->name,
                                 k->input->offset_bytes, (unsigned long long)k->end_bytes - 1,
                                 last->name);
            vsg_ver_note_place(state, &last->input->place, "%s is at bytes %d to %llu",
                               last->name, (int)last->input->offset_bytes,
                               (unsigned long long)last->end_bytes - 1);
        }
        if (!last || k->end_bytes > last->end_bytes)
            last = k;
    }
}

static void report_unknown(vsg_ver_state *state, const vsg_obj_input *input)
{
    static const struct {
        char letter;
        uint32_t first;
    } rows[] = {
        [VSG_OBJ_INPUT_GENERAL] = {'V', VSG_ISA_FIRST_VARIABLE},
        [VSG_OBJ_INPUT_SAMPLER] = {'S', 0},
        [VSG_OBJ_INPUT_SURFACE] = {'T', VSG_ISA_NUM_SURFACES},
    };
    bool is_kind = input->kind < sizeof rows / sizeof rows[0];
    char letter = is_kind ? rows[input->kind].letter : '?';

    vsg_ver_report_place(state, &input->place, VSG_RULE_INPUT_VARIABLE, letter, input->id,
                         letter, is_kind ? rows[input->kind].first : 0);
}

static void check_table(vsg_ver_state *state, known *table)
{
    const vsg_obj_unit *unit = state->unit;
    bool implicit = false;
    size_t count = 0;

    for (size_t i = 0; i < unit->num_inputs && !vsg_ver_stop(state); i++) {
        const vsg_obj_input *input = &unit->inputs[i];
        known *k = &table[count];
        if (!know(unit, input, k)) {
            report_unknown(state, input);
            continue;
        }
        count++;
        check_input(state, k);
        if (implicit && input->provenance == 0)
            vsg_ver_report_place(state, &input->place, VSG_RULE_INPUT_ORDER, k->name);
        implicit |= input->provenance != 0;
    }
    check_twice(state, table, count);
    check_overlap(state, table, count);
}

/* Samplers and surfaces that no input is. */
static void check_states(vsg_ver_state *state, const vsg_obj_state *states, size_t count,
                         uint32_t first, vsg_obj_input_kind kind)
{
    const vsg_obj_unit *unit = state->unit;
    bool *is_input =
        count ? vsg_base_new(&state->module->alloc, count, sizeof *is_input) : NULL;

    if (!is_input) {
        state->no_memory |= count != 0;
        return;
    }
    for (size_t i = 0; i < unit->num_inputs; i++) {
        const vsg_obj_input *input = &unit->inputs[i];
        if (input->kind == kind && input->id >= first && input->id - first < count)
            is_input[input->id - first] = true;
    }
    for (size_t i = 0; i < count; i++)
        if (!is_input[i])
            vsg_ver_report_place(state, &states[i].place, VSG_RULE_STATE_INPUT,
                                 kind == VSG_OBJ_INPUT_SAMPLER ? "sampler" : "surface",
                                 states[i].name);
    vsg_base_delete(&state->module->alloc, is_input, count, sizeof *is_input);
}

void vsg_ver_check_inputs(vsg_ver_state *state)
{
    enum { MOST = 256 };
    const vsg_obj_unit *unit = state->unit;

    if (unit->is_function && unit->num_inputs)
        vsg_ver_report_place(state, &unit->inputs[0].place, VSG_RULE_INPUT_OWNER, unit->name);
    if (unit->is_function)
        return;
    if (unit->num_inputs > MOST)
        vsg_ver_report_place(state, &unit->inputs[MOST].place, VSG_RULE_NUM_INPUTS,
                             (unsigned)unit->num_inputs);
    if (unit->num_inputs) {
        const vsg_base_alloc *alloc = &state->module->alloc;
        known *table = vsg_base_new(alloc, unit->num_inputs, sizeof *table);
        state->no_memory |= table == NULL;
        if (table)
            check_table(state, table);
        vsg_base_delete(alloc, table, unit->num_inputs, sizeof *table);
    }
    check_states(state, unit->samplers, unit->num_samplers, 0, VSG_OBJ_INPUT_SAMPLER);
    check_states(state, unit->surfaces, unit->num_surfaces, VSG_ISA_NUM_SURFACES,
                 VSG_OBJ_INPUT_SURFACE);
}
