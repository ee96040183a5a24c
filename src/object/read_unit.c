/* SPDX-License-Identifier: MIT
 *
 * One object of a binary: string pool and tables. Sources: 4_visa_header (kernel_data,
 * function_data and what they consist of); spec dialect 1.1. */
#include <stdio.h>
#include <string.h>

#include "object/reader.h"

/* Smallest entries, in bytes. */
enum {
    LEAST_VARIABLE = 11, /* with the narrow ids of old versions */
    LEAST_STATE = 5,
    LEAST_LABEL = 4,
    LEAST_INPUT = 7,
    LEAST_ATTRIBUTE = 3
};

static bool is_old(const vsg_obj_reader *reader)
{
    return reader->version < VSG_OBJ_VERSION_ATTRIBUTES;
}

static bool reserve(vsg_obj_reader *reader, vsg_obj_table table, size_t count)
{
    return vsg_obj_reserve(reader->module, reader->unit, table, count) ||
           vsg_obj_read_no_memory(reader);
}

static vsg_obj_place here(const vsg_obj_reader *reader)
{
    return (vsg_obj_place){.offset_bytes = (uint32_t)reader->in.at};
}

/* An entry that could not be read is none. Returns false. */
static bool drop_last(size_t *count)
{
    --*count;
    return false;
}

/* ---- strings ---------------------------------------------------------------------------- */

static const char *take_string(vsg_obj_cursor *in)
{
    const uint8_t *start = in->data + in->at;
    const uint8_t *end = memchr(start, 0, vsg_obj_left(in));

    if (!end) {
        in->failed = true;
        in->field = "string_pool";
        in->needed = vsg_obj_left(in) + 1;
        return NULL;
    }
    in->at += (size_t)(end - start) + 1;
    return (const char *)start;
}

/* Strings lie one behind the other in one block, as in the file: where a name points says
 * which string it is. */
static bool keep_strings(vsg_obj_reader *reader, size_t from, size_t count)
{
    vsg_obj_stored *stored = &reader->unit->stored;
    vsg_base_arena *arena = &reader->module->arena;
    size_t size = reader->in.at - from;
    char *text = vsg_base_arena_text(arena, (const char *)reader->in.data + from, size);

    stored->strings = vsg_base_arena_new(arena, count ? count : 1, sizeof *stored->strings);
    if (!text || !stored->strings)
        return vsg_obj_read_no_memory(reader);
    for (size_t i = 0; i < count; i++) {
        stored->strings[i] = text;
        text += strlen(text) + 1;
    }
    stored->num_strings = count;
    return true;
}

/* The document reserves the first string for "", the compiler puts the unit's name there: that
 * tells the layouts apart (spec dialect 1.1). */
static bool read_strings(vsg_obj_reader *reader)
{
    vsg_obj_cursor *in = &reader->in;
    size_t count = vsg_obj_u32(in, "string_count");
    vsg_base_location where = vsg_obj_read_where(reader, in->at);

    if (!vsg_obj_read_good(reader))
        return false;
    if (!vsg_obj_within(VSG_OBJ_LIMIT_STRINGS, count, &where, reader->diagnostics))
        return vsg_obj_read_invalid(reader);
    size_t from = in->at;
    if (!vsg_obj_read_fits(reader, "string_count", count, 1))
        return false;
    const char *first = take_string(in);
    if (!vsg_obj_read_good(reader))
        return false;
    vsg_obj_layout layout = *first ? VSG_OBJ_LAYOUT_IGC : VSG_OBJ_LAYOUT_DOC;
    if (reader->layout == VSG_OBJ_LAYOUT_NONE) {
        reader->layout = layout;
        vsg_obj_shapes_init(&reader->shapes, layout == VSG_OBJ_LAYOUT_DOC, reader->version);
        vsg_obj_decoder_init(&reader->decoder, &reader->shapes);
    }
    if (reader->layout != layout)
        return vsg_obj_read_failed(reader, VSG_DIAG_BIN_FIELD, from, "the length of string 0",
                                   (unsigned long long)strlen(first),
                                   layout == VSG_OBJ_LAYOUT_IGC
                                       ? "0 as in the objects before"
                                       : "a name as in the objects before");
    for (size_t i = 1; i < count && !in->failed; i++)
        (void)take_string(in);
    if (!vsg_obj_read_good(reader))
        return false;
    bool doc = layout == VSG_OBJ_LAYOUT_DOC;
    return keep_strings(reader, from + doc, count - doc);
}

/* A field that is an index into the pool: two bytes or four. NULL, told, when there is none. */
static const char *read_string(vsg_obj_reader *reader, bool narrow, const char *what)
{
    size_t at = reader->in.at;
    uint32_t index = (uint32_t)vsg_obj_number(&reader->in, narrow ? 2 : 4, what);

    if (!vsg_obj_read_good(reader))
        return NULL;
    bool doc = reader->layout == VSG_OBJ_LAYOUT_DOC;
    const char *text = vsg_obj_string_of(reader->unit, doc, index);
    if (!text)
        (void)vsg_obj_read_failed(reader, VSG_DIAG_BIN_STRING, at, what, index,
                                  (unsigned)(reader->unit->stored.num_strings + doc));
    return text;
}

static bool read_unit_name(vsg_obj_reader *reader)
{
    const char *text = read_string(reader, is_old(reader), "name_index");

    if (!text)
        return false;
    reader->unit->stored.pool_name = text;
    return true;
}

/* ---- attributes ------------------------------------------------------------------------- */

/* Text has words for some integers: both are kept. */
static bool is_word(const char *name, const uint8_t *bytes, size_t size)
{
    return vsg_isa_attribute_kind(name) == VSG_ISA_ATTRIBUTE_WORD && size == 1 &&
           vsg_isa_word(VSG_ISA_WORDS_TARGET, bytes[0]);
}

/* A binary does not say what the bytes of an attribute are; those of a name that no page has
 * are taken for what is most likely. */
static bool is_string(const char *name, const uint8_t *bytes, size_t size)
{
    enum { LONGEST_INTEGER = 4 };
    size_t printable = 0;

    if (vsg_isa_attribute_kind(name) == VSG_ISA_ATTRIBUTE_STRING || size > LONGEST_INTEGER)
        return true;
    while (printable < size && bytes[printable] >= ' ' && bytes[printable] <= '~')
        printable++;
    return size > 0 && printable == size && !vsg_isa_attribute_is_known(name);
}

static bool set_value(vsg_obj_reader *reader, const uint8_t *bytes, size_t size,
                      vsg_obj_attribute *out)
{
    out->size_bytes = (uint8_t)size;
    if (is_string(out->name, bytes, size)) {
        out->string = vsg_obj_text(reader->module, (const char *)bytes, size);
        return out->string || vsg_obj_read_no_memory(reader);
    }
    for (size_t i = 0; i < size; i++)
        out->value |= (int64_t)((uint64_t)bytes[i] << 8 * i);
    if (is_word(out->name, bytes, size))
        out->string = vsg_isa_word(VSG_ISA_WORDS_TARGET, bytes[0]);
    return true;
}

static bool read_attributes(vsg_obj_reader *reader, size_t count, vsg_obj_attributes *out)
{
    if (!vsg_obj_read_fits(reader, "attribute_count", count, LEAST_ATTRIBUTE))
        return false;
    if (count == 0)
        return true;
    out->items = vsg_base_arena_new(&reader->module->arena, count, sizeof *out->items);
    if (!out->items)
        return vsg_obj_read_no_memory(reader);
    out->capacity = count;
    while (out->count < count) {
        vsg_obj_attribute *attribute = &out->items[out->count];
        attribute->place.offset_bytes = (uint32_t)reader->in.at;
        attribute->name = read_string(reader, is_old(reader), "name of an attribute");
        if (!attribute->name)
            return false;
        size_t size = vsg_obj_u8(&reader->in, "size of an attribute");
        const uint8_t *bytes = vsg_obj_bytes_of(&reader->in, size, "value of an attribute");
        if (!vsg_obj_read_good(reader) || !set_value(reader, bytes, size, attribute))
            return false;
        out->count++;
    }
    return true;
}

/* ---- general variables ------------------------------------------------------------------ */

static bool bad_alias(vsg_obj_reader *reader, const vsg_obj_variable *variable, const char *why)
{
    return vsg_obj_read_failed(reader, VSG_DIAG_BIN_ALIAS, variable->place.offset_bytes,
                               variable->name, (unsigned long long)variable->alias,
                               (unsigned long long)variable->alias_offset_bytes, why);
}

/* A base declared before. Whether it may have aliases and has the room is the verifier's. */
static bool check_alias(vsg_obj_reader *reader, const vsg_obj_variable *variable)
{
    vsg_obj_variable_facts facts;
    uint32_t id = (uint32_t)(VSG_ISA_FIRST_VARIABLE + reader->unit->num_variables - 1);

    if (variable->alias >= id || !vsg_obj_variable_get(reader->unit, variable->alias, &facts))
        return bad_alias(reader, variable, "no variable before it has this number");
    return true;
}

/* The index is resolved by the unit's variable_reloc_symtab where that has it. */
static bool read_global_alias(vsg_obj_reader *reader, vsg_obj_variable *variable,
                              uint32_t index)
{
    size_t count = reader->module->num_file_variables;

    variable->alias_is_global = true;
    if (vsg_obj_resolve(&reader->resolver, index) < count || vsg_obj_read_is_told(reader))
        return true;
    vsg_base_location where = vsg_obj_read_where(reader, variable->place.offset_bytes);
    vsg_base_report(reader->diagnostics, VSG_DIAG_BIN_GLOBAL_ALIAS, &where, variable->name,
                    (unsigned long long)index, count);
    return vsg_obj_read_invalid(reader) || vsg_obj_read_goes_on(reader);
}

static bool read_alias(vsg_obj_reader *reader, vsg_obj_variable *variable, uint32_t index,
                       unsigned scope)
{
    size_t at = variable->place.offset_bytes;

    if (scope > 1)
        return vsg_obj_read_failed(reader, VSG_DIAG_BIN_FIELD, at, "alias_scope_specifier",
                                   (unsigned long long)scope, "0 or 1");
    variable->alias = index;
    if (scope == 1)
        return read_global_alias(reader, variable, index);
    if (index != 0)
        return check_alias(reader, variable);
    variable->alias = VSG_OBJ_NO_ALIAS;
    return true;
}

static bool read_variable(vsg_obj_reader *reader, vsg_obj_variable *variable)
{
    vsg_obj_cursor *in = &reader->in;

    variable->place = here(reader);
    variable->name = read_string(reader, is_old(reader), "name_index of a variable");
    if (!variable->name)
        return false;
    unsigned properties = vsg_obj_u8(in, "bit_properties");
    variable->num_elements = vsg_obj_u16(in, "num_elements");
    uint32_t alias = (uint32_t)vsg_obj_number(in, is_old(reader) ? 2 : 4, "alias_index");
    variable->alias_offset_bytes = vsg_obj_u16(in, "alias_offset");
    unsigned scope = vsg_obj_u8(in, "alias_scope_specifier");
    size_t num_attributes = vsg_obj_u8(in, "attribute_count");
    if (!vsg_obj_read_good(reader))
        return false;
    variable->type = (visage_type)(properties & 15);
    variable->align = (uint8_t)(properties >> 4);
    vsg_isa_kind kind = vsg_isa_type(variable->type)->kind;
    if (kind == VSG_ISA_KIND_PACKED || kind == VSG_ISA_KIND_BOOLEAN || variable->align > 9)
        return vsg_obj_read_failed(reader, VSG_DIAG_BIN_FIELD, variable->place.offset_bytes,
                                   "bit_properties", (unsigned long long)properties,
                                   "the type of one element and an alignment of 0 to 9");
    return read_alias(reader, variable, alias, scope) &&
           read_attributes(reader, num_attributes, &variable->attributes);
}

static bool read_each_variable(vsg_obj_reader *reader, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        vsg_obj_variable *variable = vsg_obj_add_variable(reader->module, reader->unit);
        if (!variable)
            return vsg_obj_read_no_memory(reader);
        if (!read_variable(reader, variable))
            return drop_last(&reader->unit->num_variables);
    }
    return true;
}

static bool read_variables(vsg_obj_reader *reader)
{
    const vsg_base_alloc *alloc = &reader->module->alloc;
    size_t count = vsg_obj_u32(&reader->in, "variable_count");

    if (!vsg_obj_read_fits(reader, "variable_count", count, LEAST_VARIABLE) ||
        !reserve(reader, VSG_OBJ_TABLE_VARIABLES, count))
        return false;
    if (!vsg_obj_resolver_init(&reader->resolver, alloc, reader->unit))
        return vsg_obj_read_no_memory(reader);
    bool good = read_each_variable(reader, count);
    vsg_obj_resolver_free(&reader->resolver, alloc);
    return good;
}

/* ---- other variables -------------------------------------------------------------------- */

static bool read_state(vsg_obj_reader *reader, vsg_obj_state *state)
{
    state->place = here(reader);
    state->name = read_string(reader, is_old(reader), "name_index of a variable");
    if (!state->name)
        return false;
    state->num_elements = vsg_obj_u16(&reader->in, "num_elements");
    size_t num_attributes = vsg_obj_u8(&reader->in, "attribute_count");
    return read_attributes(reader, num_attributes, &state->attributes);
}

typedef vsg_obj_state *add_state(vsg_obj_module *module, vsg_obj_unit *unit);

static bool read_states(vsg_obj_reader *reader, const char *what, unsigned count_bytes,
                        vsg_obj_table table, add_state *add, size_t *entries)
{
    size_t count = (size_t)vsg_obj_number(&reader->in, count_bytes, what);

    if (!vsg_obj_read_fits(reader, what, count, LEAST_STATE) || !reserve(reader, table, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        vsg_obj_state *state = add(reader->module, reader->unit);
        if (!state)
            return vsg_obj_read_no_memory(reader);
        if (!read_state(reader, state))
            return drop_last(entries);
    }
    return true;
}

/* The name in the pool is what the text has as v_name; the text's own name is the number. */
static bool rename_states(vsg_obj_reader *reader, vsg_obj_state *states, size_t count,
                          char letter, unsigned first)
{
    for (size_t i = 0; i < count; i++) {
        char text[16];
        int length = snprintf(text, sizeof text, "%c%u", letter, first + (unsigned)i);
        states[i].v_name = states[i].name;
        states[i].name = vsg_obj_text(reader->module, text, (size_t)length);
        if (!states[i].name)
            return vsg_obj_read_no_memory(reader);
    }
    return true;
}

/* Those before one that could not be read get their names, too. */
static bool read_samplers(vsg_obj_reader *reader)
{
    vsg_obj_unit *unit = reader->unit;
    bool good = read_states(reader, "sampler_count", 1, VSG_OBJ_TABLE_SAMPLERS,
                            vsg_obj_add_sampler, &unit->num_samplers);

    return rename_states(reader, unit->samplers, unit->num_samplers, 'S', 0) && good;
}

static bool read_surfaces(vsg_obj_reader *reader)
{
    vsg_obj_unit *unit = reader->unit;
    bool good = read_states(reader, "surface_count", 1, VSG_OBJ_TABLE_SURFACES,
                            vsg_obj_add_surface, &unit->num_surfaces);

    return rename_states(reader, unit->surfaces, unit->num_surfaces, 'T',
                         VSG_ISA_NUM_SURFACES) &&
           good;
}

static bool read_vmes(vsg_obj_reader *reader)
{
    vsg_obj_stored *stored = &reader->unit->stored;
    size_t count = vsg_obj_u8(&reader->in, "vme_count");

    if (!vsg_obj_read_fits(reader, "vme_count", count, LEAST_STATE))
        return false;
    if (count == 0)
        return true;
    stored->vmes = vsg_base_arena_new(&reader->module->arena, count, sizeof *stored->vmes);
    if (!stored->vmes)
        return vsg_obj_read_no_memory(reader);
    for (; stored->num_vmes < count; stored->num_vmes++)
        if (!read_state(reader, &stored->vmes[stored->num_vmes]))
            return false;
    return true;
}

static bool read_label(vsg_obj_reader *reader, vsg_obj_label *label)
{
    label->place = here(reader);
    label->name = read_string(reader, is_old(reader), "name_index of a label");
    if (!label->name)
        return false;
    unsigned kind = vsg_obj_u8(&reader->in, "kind");
    size_t num_attributes = vsg_obj_u8(&reader->in, "attribute_count");
    if (!vsg_obj_read_good(reader))
        return false;
    if (kind > VSG_OBJ_LABEL_KERNEL)
        return vsg_obj_read_failed(reader, VSG_DIAG_BIN_FIELD, label->place.offset_bytes,
                                   "kind", (unsigned long long)kind,
                                   "0, block, 1, subroutine, or 2, kernel");
    label->kind = (vsg_obj_label_kind)kind;
    return read_attributes(reader, num_attributes, &label->attributes);
}

static bool read_labels(vsg_obj_reader *reader)
{
    size_t count = vsg_obj_u16(&reader->in, "label_count");

    if (!vsg_obj_read_fits(reader, "label_count", count, LEAST_LABEL) ||
        !reserve(reader, VSG_OBJ_TABLE_LABELS, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        vsg_obj_label *label = vsg_obj_add_label(reader->module, reader->unit);
        if (!label)
            return vsg_obj_read_no_memory(reader);
        if (!read_label(reader, label))
            return drop_last(&reader->unit->num_labels);
    }
    return true;
}

/* ---- inputs ----------------------------------------------------------------------------- */

static bool read_input(vsg_obj_reader *reader, vsg_obj_input *input)
{
    vsg_obj_cursor *in = &reader->in;
    const vsg_obj_unit *unit = reader->unit;

    input->place = here(reader);
    unsigned kind = vsg_obj_u8(in, "kind");
    input->id = (uint32_t)vsg_obj_number(in, is_old(reader) ? 2 : 4, "id");
    input->offset_bytes = (int16_t)vsg_obj_u16(in, "offset");
    input->size_bytes = vsg_obj_u16(in, "size");
    if (!vsg_obj_read_good(reader))
        return false;
    input->provenance = (uint8_t)(kind >> 3);
    input->kind = (vsg_obj_input_kind)(kind & 7);
    bool there = false;
    switch (input->kind) {
    case VSG_OBJ_INPUT_GENERAL:
        there = vsg_obj_is_general(unit, input->id);
        break;
    case VSG_OBJ_INPUT_SAMPLER:
        there = vsg_obj_is_sampler(unit, input->id);
        break;
    case VSG_OBJ_INPUT_SURFACE:
        there = vsg_obj_is_surface(unit, input->id);
        break;
    default:
        return vsg_obj_read_failed(reader, VSG_DIAG_BIN_FIELD, input->place.offset_bytes,
                                   "kind", (unsigned long long)kind,
                                   "0, 1 or 2 in the low three bits");
    }
    return there || vsg_obj_read_failed(reader, VSG_DIAG_BIN_INDEX, input->place.offset_bytes,
                                        "id of an input", (unsigned long long)input->id);
}

/* They lie where the tables end; the header says it again. */
static bool check_inputs_place(vsg_obj_reader *reader, size_t at)
{
    const unsigned long long told = reader->input_offset;

    if (at == told || vsg_obj_read_is_told(reader))
        return true;
    return vsg_obj_read_failed(reader, VSG_DIAG_BIN_PLACE, at, "num_inputs, by input_offset",
                               told, told, (unsigned long long)at, (unsigned long long)at) ||
           vsg_obj_read_goes_on(reader);
}

static bool read_inputs(vsg_obj_reader *reader)
{
    size_t at = reader->in.at;

    if (reader->unit->is_function)
        return true;
    bool narrow = reader->version < VSG_OBJ_VERSION_INPUTS;
    size_t count = (size_t)vsg_obj_number(&reader->in, narrow ? 1 : 4, "num_inputs");
    if (!vsg_obj_read_fits(reader, "num_inputs", count, LEAST_INPUT))
        return false;
    if (!check_inputs_place(reader, at) || !reserve(reader, VSG_OBJ_TABLE_INPUTS, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        vsg_obj_input *input = vsg_obj_add_input(reader->module, reader->unit);
        if (!input)
            return vsg_obj_read_no_memory(reader);
        if (!read_input(reader, input))
            return drop_last(&reader->unit->num_inputs);
    }
    return true;
}

/* ---- the whole -------------------------------------------------------------------------- */

static bool read_tables(vsg_obj_reader *reader)
{
    vsg_obj_unit *unit = reader->unit;

    return read_strings(reader) && read_unit_name(reader) && read_variables(reader) &&
           read_states(reader, "address_count", 2, VSG_OBJ_TABLE_ADDRESSES, vsg_obj_add_address,
                       &unit->num_addresses) &&
           read_states(reader, "predicate_count", 2, VSG_OBJ_TABLE_PREDICATES,
                       vsg_obj_add_predicate, &unit->num_predicates) &&
           read_labels(reader) && read_samplers(reader) && read_surfaces(reader) &&
           read_vmes(reader) && read_inputs(reader);
}

/* The documents have the sizes of a function here, the compiler has them as attributes. */
static bool read_function_sizes(vsg_obj_reader *reader)
{
    vsg_obj_stored *stored = &reader->unit->stored;

    if (reader->unit->is_function) {
        stored->input_grfs = vsg_obj_u8(&reader->in, "input_size");
        stored->return_grfs = vsg_obj_u8(&reader->in, "return_value_size");
    }
    return vsg_obj_read_good(reader);
}

static void drop_repeated_sizes(vsg_obj_unit *unit)
{
    vsg_obj_stored *stored = &unit->stored;

    if (stored->input_grfs == vsg_obj_attribute_value(&unit->attributes, "ArgSize", -1))
        stored->input_grfs = 0;
    if (stored->return_grfs == vsg_obj_attribute_value(&unit->attributes, "RetValSize", -1))
        stored->return_grfs = 0;
}

/* They fill the rest of the object; its size and entry say it again. */
static bool check_code_place(vsg_obj_reader *reader, size_t at, uint32_t entry, uint32_t size)
{
    const vsg_obj_cursor *in = &reader->in;

    if ((entry == in->at - at && size == in->end - in->at) || vsg_obj_read_is_told(reader))
        return true;
    return vsg_obj_read_failed(
               reader, VSG_DIAG_BIN_PLACE, in->at, "the instructions, by size and entry",
               (unsigned long long)at + entry, (unsigned long long)at + entry + size,
               (unsigned long long)in->at, (unsigned long long)in->end) ||
           vsg_obj_read_goes_on(reader);
}

static bool check_limits(vsg_obj_reader *reader)
{
    return vsg_obj_unit_within(reader->unit, reader->diagnostics) ||
           vsg_obj_read_invalid(reader) || vsg_obj_read_goes_on(reader);
}

bool vsg_obj_read_unit(vsg_obj_reader *reader, size_t at, size_t size)
{
    vsg_obj_cursor file = reader->in;
    vsg_obj_cursor *in = &reader->in;

    in->at = at;
    in->end = at + size;
    if (!read_tables(reader))
        return false;
    uint32_t code_size = vsg_obj_u32(in, "size");
    uint32_t entry = vsg_obj_u32(in, "entry");
    if (!read_function_sizes(reader))
        return false;
    size_t num_attributes = vsg_obj_u16(in, "attribute_count");
    if (!read_attributes(reader, num_attributes, &reader->unit->attributes))
        return false;
    if (!check_code_place(reader, at, entry, code_size) || !check_limits(reader))
        return false;
    if (!vsg_obj_read_code(reader, in->at, code_size, in->end))
        return false;
    if (reader->layout == VSG_OBJ_LAYOUT_DOC)
        drop_repeated_sizes(reader->unit);
    *in = file;
    return true;
}
