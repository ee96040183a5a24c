/* SPDX-License-Identifier: MIT
 *
 * One object of a binary. The string pool stands before what names its strings, so all strings
 * are given their numbers first. Sources: as read_unit.c. */
#include <string.h>

#include "object/writer.h"

/* ---- attributes ------------------------------------------------------------------------- */

/* Integers have the size they were read with; those of the text have four bytes, as the
 * reference assembler stores them, or none (spec dialect 1.1). */
static void put_attribute(vsg_obj_writer *w, const vsg_obj_attribute *a)
{
    int word = -1;

    vsg_obj_put_string(w, a->name, 4, "the name of an attribute");
    if (a->string && vsg_isa_attribute_kind(a->name) == VSG_ISA_ATTRIBUTE_WORD)
        word = vsg_isa_find_word(VSG_ISA_WORDS_TARGET, a->string, strlen(a->string));
    if (word >= 0) {
        vsg_obj_put(w, 1, 1);
        vsg_obj_put(w, (uint64_t)word, 1);
        return;
    }
    vsg_obj_put(w, a->size_bytes, 1);
    if (a->string)
        vsg_obj_put_bytes(w, a->string, a->size_bytes);
    else if (a->size_bytes > 4)
        vsg_obj_cannot_write(w, "the size of an integer attribute", a->size_bytes, "0 to 4");
    else if (a->size_bytes)
        vsg_obj_put(w, (uint64_t)a->value, a->size_bytes);
}

static void put_attributes(vsg_obj_writer *w, const vsg_obj_attributes *list, unsigned bytes)
{
    vsg_obj_put_field(w, list->count, bytes, "attribute_count");
    for (size_t i = 0; i < list->count; i++)
        put_attribute(w, &list->items[i]);
}

/* ---- tables ----------------------------------------------------------------------------- */

static void put_variables(vsg_obj_writer *w)
{
    const vsg_obj_unit *unit = w->unit;

    vsg_obj_put_field(w, unit->num_variables, 4, "variable_count");
    for (size_t i = 0; i < unit->num_variables; i++) {
        const vsg_obj_variable *v = &unit->variables[i];
        bool has_alias = v->alias != VSG_OBJ_NO_ALIAS || v->alias_is_global;
        vsg_obj_put_string(w, v->name, 4, "name_index of a variable");
        vsg_obj_put_field(w, (unsigned)v->type | (unsigned)v->align << 4, 1, "bit_properties");
        vsg_obj_put_field(w, v->num_elements, 2, "num_elements");
        vsg_obj_put(w, has_alias ? v->alias : 0, 4);
        vsg_obj_put_field(w, has_alias ? v->alias_offset_bytes : 0, 2, "alias_offset");
        vsg_obj_put(w, v->alias_is_global, 1);
        put_attributes(w, &v->attributes, 1);
    }
}

static void put_states(vsg_obj_writer *w, const vsg_obj_state *states, size_t count,
                       unsigned bytes, const char *what)
{
    vsg_obj_put_field(w, count, bytes, what);
    for (size_t i = 0; i < count; i++) {
        const vsg_obj_state *state = &states[i];
        vsg_obj_put_string(w, state->v_name ? state->v_name : state->name, 4,
                           "name_index of a variable");
        vsg_obj_put_field(w, state->num_elements, 2, "num_elements");
        put_attributes(w, &state->attributes, 1);
    }
}

static void put_labels(vsg_obj_writer *w)
{
    vsg_obj_put_field(w, w->unit->num_labels, 2, "label_count");
    for (size_t i = 0; i < w->unit->num_labels; i++) {
        const vsg_obj_label *label = &w->unit->labels[i];
        vsg_obj_put_string(w, label->name, 4, "name_index of a label");
        vsg_obj_put(w, label->kind, 1);
        put_attributes(w, &label->attributes, 1);
    }
}

static void put_inputs(vsg_obj_writer *w)
{
    vsg_obj_put_field(w, w->unit->num_inputs, 4, "num_inputs");
    for (size_t i = 0; i < w->unit->num_inputs; i++) {
        const vsg_obj_input *input = &w->unit->inputs[i];
        vsg_obj_put_field(w, (unsigned)input->kind | (unsigned)input->provenance << 3, 1,
                          "kind of an input");
        vsg_obj_put(w, input->id, 4);
        if (input->offset_bytes < INT16_MIN || input->offset_bytes > INT16_MAX)
            vsg_obj_cannot_write(w, "offset of an input",
                                 (uint64_t)(int64_t)input->offset_bytes, "16 bits");
        vsg_obj_put(w, (uint64_t)(int64_t)input->offset_bytes, 2);
        vsg_obj_put_field(w, input->size_bytes, 2, "size of an input");
        if (input->attributes.count)
            vsg_obj_cannot_write(w, "the number of attributes of an input",
                                 input->attributes.count, "0");
    }
}

static void put_tables(vsg_obj_writer *w, size_t *inputs_at)
{
    const vsg_obj_unit *unit = w->unit;

    put_variables(w);
    put_states(w, unit->addresses, unit->num_addresses, 2, "address_count");
    put_states(w, unit->predicates, unit->num_predicates, 2, "predicate_count");
    put_labels(w);
    put_states(w, unit->samplers, unit->num_samplers, 1, "sampler_count");
    put_states(w, unit->surfaces, unit->num_surfaces, 1, "surface_count");
    put_states(w, unit->stored.vmes, unit->stored.num_vmes, 1, "vme_count");
    *inputs_at = w->out->size;
    if (!unit->is_function)
        put_inputs(w);
    else if (unit->num_inputs)
        vsg_obj_cannot_write(w, "the number of inputs of a function", unit->num_inputs, "0");
}

static void put_function_sizes(vsg_obj_writer *w)
{
    const vsg_obj_stored *stored = &w->unit->stored;
    const vsg_obj_attributes *attributes = &w->unit->attributes;
    int64_t input = stored->input_grfs, ret = stored->return_grfs;

    if (!w->unit->is_function)
        return;
    /* The compiler leaves them 0 (spec dialect 1.1). */
    if (w->doc && input == 0)
        input = vsg_obj_attribute_value(attributes, "ArgSize", 0);
    if (w->doc && ret == 0)
        ret = vsg_obj_attribute_value(attributes, "RetValSize", 0);
    vsg_obj_put_field(w, (uint64_t)input, 1, "input_size");
    vsg_obj_put_field(w, (uint64_t)ret, 1, "return_value_size");
}

/* ---- order of the strings --------------------------------------------------------------- */

static void use(vsg_obj_writer *w, const char *text)
{
    if (w->status == VISAGE_OK && vsg_obj_pool_find(&w->pool, text) == UINT32_MAX)
        w->status = VISAGE_NO_MEMORY;
}

static void use_attributes(vsg_obj_writer *w, const vsg_obj_attributes *list)
{
    for (size_t i = 0; i < list->count; i++)
        use(w, list->items[i].name);
}

static void use_states(vsg_obj_writer *w, const vsg_obj_state *states, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        use(w, states[i].v_name ? states[i].v_name : states[i].name);
        use_attributes(w, &states[i].attributes);
    }
}

/* Strings that have no number yet get them in the order in which the reference assembler meets
 * them in a listing: variables, attributes, then labels and functions as the text goes on. */
static void use_all(vsg_obj_writer *w)
{
    const vsg_obj_unit *unit = w->unit;

    for (size_t i = 0; i < unit->num_variables; i++) {
        use(w, unit->variables[i].name);
        use_attributes(w, &unit->variables[i].attributes);
    }
    use_states(w, unit->addresses, unit->num_addresses);
    use_states(w, unit->predicates, unit->num_predicates);
    use_states(w, unit->samplers, unit->num_samplers);
    use_states(w, unit->surfaces, unit->num_surfaces);
    use_states(w, unit->stored.vmes, unit->stored.num_vmes);
    use_attributes(w, &unit->attributes);
    for (size_t i = 0; i < unit->num_insts; i++) {
        const vsg_obj_inst *inst = &unit->insts[i];
        for (unsigned n = 0; n < inst->num_operands; n++) {
            const vsg_obj_operand *operand = &inst->operands[n];
            if (operand->class_ == VSG_OBJ_CLASS_NAME)
                use(w, operand->name);
            else if (operand->class_ == VSG_OBJ_CLASS_LABEL && operand->id < unit->num_labels)
                use(w, unit->labels[operand->id].name);
        }
    }
    for (size_t i = 0; i < unit->num_labels; i++) {
        use(w, unit->labels[i].name);
        use_attributes(w, &unit->labels[i].attributes);
    }
    use(w, unit->stored.pool_name ? unit->stored.pool_name : unit->name);
}

static void put_strings(vsg_obj_writer *w)
{
    vsg_base_location where = vsg_obj_locate(w->unit, NULL);

    if (w->status != VISAGE_OK)
        return;
    if (!vsg_obj_within(VSG_OBJ_LIMIT_STRINGS, w->pool.num_strings, &where, w->diagnostics))
        w->status = VISAGE_INVALID;
    vsg_obj_put(w, w->pool.num_strings, 4);
    for (size_t i = 0; i < w->pool.num_strings; i++)
        vsg_obj_put_bytes(w, w->pool.strings[i], strlen(w->pool.strings[i]) + 1);
}

/* ---- the whole -------------------------------------------------------------------------- */

static void put_unit(vsg_obj_writer *w, size_t *inputs_at)
{
    const vsg_obj_unit *unit = w->unit;
    const vsg_obj_stored *stored = &unit->stored;
    size_t start = w->out->size;

    use_all(w);
    put_strings(w);
    vsg_obj_put_string(w, stored->pool_name ? stored->pool_name : unit->name, 4, "name_index");
    put_tables(w, inputs_at);
    size_t size_at = w->out->size;
    vsg_obj_put(w, 0, 8); /* size, entry */
    put_function_sizes(w);
    put_attributes(w, &unit->attributes, 2);
    size_t entry = w->out->size;
    for (size_t i = 0; i < unit->num_insts && w->status == VISAGE_OK; i++)
        vsg_obj_write_inst(w, &unit->insts[i]);
    w->inst = NULL;
    vsg_obj_patch(w, size_at, w->out->size - entry, 4, "size");
    vsg_obj_patch(w, size_at + 4, entry - start, 4, "entry");
}

void vsg_obj_write_unit(vsg_obj_writer *writer, const vsg_obj_unit *unit, size_t *inputs_at)
{
    writer->unit = unit;
    if (unit->stored.damage)
        vsg_obj_cannot_write(writer, "the number of instructions that are lost",
                             unit->stored.num_stream, "0: it was damaged when it was read");
    if (writer->status != VISAGE_OK)
        return;
    if (!vsg_obj_unit_within(unit, writer->diagnostics))
        writer->status = VISAGE_INVALID;
    else if (!vsg_obj_pool_init(&writer->pool, &writer->module->alloc, unit, writer->doc,
                                writer->module->layout == VSG_OBJ_LAYOUT_IGC))
        writer->status = VISAGE_NO_MEMORY;
    else
        put_unit(writer, inputs_at);
    vsg_obj_pool_free(&writer->pool);
}
