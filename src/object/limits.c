/* SPDX-License-Identifier: MIT */
#include "object/limits.h"

#include <string.h>

typedef struct limit_row {
    vsg_base_diag diag;
    uint64_t low, high;
    const char *what;
} limit_row;

static const limit_row rows[VSG_OBJ_LIMIT_COUNT] = {
#define LIMIT(id, rule, diag, low, high, what)                                                 \
    [VSG_OBJ_LIMIT_##id] = {VSG_DIAG_LIMIT_##diag, low, high, what},
#include "object/limits.def"
#undef LIMIT
};

static bool beyond(vsg_obj_limit limit, uint64_t value, const vsg_obj_place *place,
                   vsg_obj_excess *out)
{
    const limit_row *row = &rows[limit];

    *out = (vsg_obj_excess){row->diag, row->what, value, row->low, row->high, place};
    return false;
}

bool vsg_obj_limit_check(vsg_obj_limit limit, uint64_t value, vsg_obj_excess *out)
{
    const limit_row *row = &rows[limit];

    return (value >= row->low && value <= row->high) || beyond(limit, value, NULL, out);
}

static bool report(const vsg_obj_excess *excess, const vsg_base_location *where,
                   visage_diagnostics *diagnostics)
{
    vsg_base_report(diagnostics, excess->diag, where, excess->what, excess->value, excess->low,
                    excess->high);
    return false;
}

bool vsg_obj_within(vsg_obj_limit limit, uint64_t value, const vsg_base_location *where,
                    visage_diagnostics *diagnostics)
{
    vsg_obj_excess excess;

    return vsg_obj_limit_check(limit, value, &excess) || report(&excess, where, diagnostics);
}

/* The length of a name as far as it matters: one string may name many things, and measuring it
 * each time would take more than linear time. */
static uint64_t length_of(const char *name, vsg_obj_limit limit)
{
    return strnlen(name, rows[limit].high + 1);
}

/* What is being checked. */
typedef struct checker {
    const vsg_obj_unit *unit;
    vsg_obj_excess *out;
    bool text; /* which has types of variables that a binary has not, such as bool */
} checker;

static bool within(const checker *c, vsg_obj_limit limit, uint64_t value,
                   const vsg_obj_place *place)
{
    return (value >= rows[limit].low && value <= rows[limit].high) ||
           beyond(limit, value, place, c->out);
}

static bool name_within(const checker *c, vsg_obj_limit limit, const char *name,
                        const vsg_obj_place *place)
{
    return within(c, limit, length_of(name, limit), place);
}

static bool attributes_within(const checker *c, const vsg_obj_attributes *list,
                              vsg_obj_limit most, const vsg_obj_place *place)
{
    if (list->count == 0)
        return true;
    if (!within(c, most, list->count, place))
        return false;
    for (size_t i = 0; i < list->count; i++) {
        const vsg_obj_attribute *attribute = &list->items[i];
        if (!name_within(c, VSG_OBJ_LIMIT_ATTRIBUTE_NAME, attribute->name, place))
            return false;
        for (const char *at = attribute->name; *at; at++)
            if (!within(c, VSG_OBJ_LIMIT_ATTRIBUTE_CHARACTER, (unsigned char)*at, place))
                return false;
        vsg_isa_attribute kind = vsg_isa_attribute_kind(attribute->name);
        vsg_obj_limit size = kind == VSG_ISA_ATTRIBUTE_STRING ? VSG_OBJ_LIMIT_ASM_PATH
                             : attribute->string && kind != VSG_ISA_ATTRIBUTE_WORD
                                 ? VSG_OBJ_LIMIT_ATTRIBUTE_SIZE
                                 : VSG_OBJ_LIMIT_INTEGER_SIZE;
        if (!within(c, size, attribute->size_bytes, place))
            return false;
    }
    return true;
}

static bool variables_within(const checker *c)
{
    for (size_t i = 0; i < c->unit->num_variables; i++) {
        const vsg_obj_variable *variable = &c->unit->variables[i];
        const vsg_obj_place *place = &variable->place;
        uint64_t bytes = (uint64_t)variable->num_elements * vsg_isa_type(variable->type)->bytes;
        if (!name_within(c, VSG_OBJ_LIMIT_VARIABLE_NAME, variable->name, place) ||
            !within(c, VSG_OBJ_LIMIT_ELEMENTS, variable->num_elements, place) ||
            !((c->text && bytes == 0) || within(c, VSG_OBJ_LIMIT_BYTES, bytes, place)) ||
            !attributes_within(c, &variable->attributes, VSG_OBJ_LIMIT_ATTRIBUTES, place))
            return false;
    }
    return true;
}

static bool states_within(const checker *c, const vsg_obj_state *states, size_t count,
                          vsg_obj_limit elements)
{
    for (size_t i = 0; i < count; i++) {
        const vsg_obj_state *state = &states[i];
        const char *name = state->v_name ? state->v_name : state->name;
        uint32_t n = state->num_elements;
        if (!name_within(c, VSG_OBJ_LIMIT_VARIABLE_NAME, name, &state->place) ||
            !within(c, elements, n, &state->place) ||
            !attributes_within(c, &state->attributes, VSG_OBJ_LIMIT_ATTRIBUTES, &state->place))
            return false;
        if (elements == VSG_OBJ_LIMIT_PREDICATE_ELEMENTS && n & (n - 1))
            return beyond(elements, n, &state->place, c->out);
    }
    return true;
}

static bool labels_within(const checker *c)
{
    for (size_t i = 0; i < c->unit->num_labels; i++) {
        const vsg_obj_label *label = &c->unit->labels[i];
        if (!name_within(c, VSG_OBJ_LIMIT_LABEL_NAME, label->name, &label->place) ||
            !attributes_within(c, &label->attributes, VSG_OBJ_LIMIT_ATTRIBUTES, &label->place))
            return false;
    }
    return true;
}

static bool counts_within(const checker *c)
{
    const vsg_obj_unit *unit = c->unit;
    const vsg_obj_stored *stored = &unit->stored;
    const char *pool_name = stored->pool_name ? stored->pool_name : unit->name;

    return name_within(c, VSG_OBJ_LIMIT_UNIT_NAME, unit->name, NULL) &&
           name_within(c, VSG_OBJ_LIMIT_POOL_NAME, pool_name, NULL) &&
           within(c, VSG_OBJ_LIMIT_GEN_BINARIES, stored->num_gen_binaries, NULL) &&
           within(c, VSG_OBJ_LIMIT_VARIABLES, unit->num_variables, NULL) &&
           within(c, VSG_OBJ_LIMIT_ADDRESSES, unit->num_addresses, NULL) &&
           within(c, VSG_OBJ_LIMIT_PREDICATES, unit->num_predicates, NULL) &&
           within(c, VSG_OBJ_LIMIT_LABELS, unit->num_labels, NULL) &&
           within(c, VSG_OBJ_LIMIT_SAMPLERS, unit->num_samplers, NULL) &&
           within(c, VSG_OBJ_LIMIT_SURFACES, unit->num_surfaces, NULL) &&
           within(c, VSG_OBJ_LIMIT_INPUTS, unit->num_inputs, NULL) &&
           within(c, VSG_OBJ_LIMIT_INPUT_SIZE, stored->input_grfs, NULL) &&
           within(c, VSG_OBJ_LIMIT_RETURN_SIZE, stored->return_grfs, NULL);
}

static bool size_within(const checker *c, vsg_obj_limit limit, const char *name)
{
    const vsg_obj_attributes *list = &c->unit->attributes;
    const vsg_obj_attribute *found = vsg_obj_attribute_find(list, name);
    bool is_placed = found && (found->place.line || found->place.offset_bytes);
    uint64_t value = (uint64_t)vsg_obj_attribute_value(list, name, 0);

    /* In a binary a short string is the number that its bytes make. */
    if (!c->text && found && found->string && found->size_bytes <= sizeof(uint32_t))
        for (unsigned i = 0; i < found->size_bytes; i++)
            value |= (uint64_t)(uint8_t)found->string[i] << 8 * i;
    return within(c, limit, value, is_placed ? &found->place : NULL);
}

/* Sizes that a function has as attributes, as the compiler writes them. */
static bool sizes_within(const checker *c)
{
    return size_within(c, VSG_OBJ_LIMIT_INPUT_SIZE, "ArgSize") &&
           size_within(c, VSG_OBJ_LIMIT_RETURN_SIZE, "RetValSize");
}

static bool check(const vsg_obj_unit *unit, bool text, vsg_obj_excess *out)
{
    checker c = {unit, out, text};

    return counts_within(&c) && variables_within(&c) &&
           states_within(&c, unit->addresses, unit->num_addresses,
                         VSG_OBJ_LIMIT_ADDRESS_ELEMENTS) &&
           states_within(&c, unit->predicates, unit->num_predicates,
                         VSG_OBJ_LIMIT_PREDICATE_ELEMENTS) &&
           labels_within(&c) &&
           states_within(&c, unit->samplers, unit->num_samplers,
                         VSG_OBJ_LIMIT_STATE_ELEMENTS) &&
           states_within(&c, unit->surfaces, unit->num_surfaces,
                         VSG_OBJ_LIMIT_STATE_ELEMENTS) &&
           states_within(&c, unit->stored.vmes, unit->stored.num_vmes,
                         VSG_OBJ_LIMIT_STATE_ELEMENTS) &&
           attributes_within(&c, &unit->attributes, VSG_OBJ_LIMIT_UNIT_ATTRIBUTES, NULL) &&
           sizes_within(&c);
}

bool vsg_obj_text_check(const vsg_obj_unit *unit, vsg_obj_excess *out)
{
    return check(unit, true, out);
}

bool vsg_obj_unit_within(const vsg_obj_unit *unit, visage_diagnostics *diagnostics)
{
    vsg_base_location where = vsg_obj_locate(unit, NULL);
    vsg_obj_excess excess;

    if (check(unit, false, &excess))
        return true;
    if (excess.place) {
        where.line = excess.place->line;
        where.column = excess.place->column;
        where.end_column = excess.place->end_column;
        where.has_offset = excess.place->line == 0 && excess.place->offset_bytes != 0;
        where.offset = excess.place->offset_bytes;
    }
    return report(&excess, &where, diagnostics);
}

bool vsg_obj_file_variable_within(const vsg_obj_file_variable *variable,
                                  const vsg_base_location *where,
                                  visage_diagnostics *diagnostics)
{
    return vsg_obj_within(VSG_OBJ_LIMIT_FILE_NAME,
                          length_of(variable->name, VSG_OBJ_LIMIT_FILE_NAME), where,
                          diagnostics) &&
           vsg_obj_within(VSG_OBJ_LIMIT_FILE_ELEMENTS, variable->num_elements, where,
                          diagnostics);
}
