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
    else if (a->size_bytes)
        vsg_obj_put(w, (uint64_t)a->value, a->size_bytes);
}

/* The compiler gives each kernel the name of a file for its assembly first of all; listings do
 * not show it. */
static const char asm_path[] = "OutputAsmPath";

static void put_asm_path(vsg_obj_writer *w)
{
    enum { MOST = 255 };
    static const char end[] = ".asm";
    size_t most = MOST - strlen(end), length = strlen(w->unit->name);

    length = length < most ? length : most;
    vsg_obj_put_string(w, asm_path, 4, "the name of an attribute");
    vsg_obj_put(w, length + strlen(end), 1);
    vsg_obj_put_bytes(w, w->unit->name, length);
    vsg_obj_put_bytes(w, end, strlen(end));
}

static void put_attributes(vsg_obj_writer *w, const vsg_obj_attributes *list)
{
    for (size_t i = 0; i < list->count; i++)
        put_attribute(w, &list->items[i]);
}

static void put_counted(vsg_obj_writer *w, const vsg_obj_attributes *list)
{
    vsg_obj_put_field(w, list->count, 1, "attribute_count");
    put_attributes(w, list);
}

/* ---- tables ----------------------------------------------------------------------------- */

static void put_variables(vsg_obj_writer *w)
{
    const vsg_obj_unit *unit = w->unit;

    vsg_obj_put_field(w, unit->num_variables, 4, "variable_count");
    for (size_t i = 0; i < unit->num_variables; i++) {
        const vsg_obj_variable *v = &unit->variables[i];
        bool has_alias = v->alias != VSG_OBJ_NO_ALIAS || v->alias_is_global;
        vsg_obj_put(w, w->variable_strings[i], 4);
        unsigned properties = (unsigned)v->type | (unsigned)v->align << 4;
        uint32_t alias = has_alias ? v->alias : 0;
        uint32_t offset = v->alias_offset_bytes;
        if (has_alias && alias == 0 && !v->alias_is_global)
            vsg_obj_cannot_write(w, "the variable that an alias is of", alias,
                                 "one of the others; 0 says that there is none");
        vsg_obj_check_field(w, properties, 1, "bit_properties");
        vsg_isa_kind kind = vsg_isa_type(v->type)->kind;
        if (kind == VSG_ISA_KIND_PACKED || kind == VSG_ISA_KIND_BOOLEAN)
            vsg_obj_cannot_write(
                w, "the type of a general variable", (unsigned)v->type,
                "that of one element: ud, d, uw, w, ub, b, uq, q, df, f, hf, bf");
        vsg_obj_check_field(w, v->num_elements, 2, "num_elements");
        vsg_obj_check_field(w, offset, 2, "alias_offset");
        vsg_obj_put(w, properties | (uint64_t)v->num_elements << 8 | (uint64_t)alias << 24, 7);
        vsg_obj_put(w, offset | (unsigned)v->alias_is_global << 16, 3);
        put_counted(w, &v->attributes);
    }
}

static void put_states(vsg_obj_writer *w, const vsg_obj_state *states, const char **names,
                       size_t count, unsigned bytes, const char *what)
{
    vsg_obj_put_field(w, count, bytes, what);
    for (size_t i = 0; i < count; i++) {
        const vsg_obj_state *state = &states[i];
        vsg_obj_put_string(w, names ? names[i] : state->name, 4, "name_index of a variable");
        vsg_obj_put_field(w, state->num_elements, 2, "num_elements");
        put_counted(w, &state->attributes);
    }
}

uint32_t vsg_obj_label_number(const vsg_obj_writer *writer, uint32_t id)
{
    return id < writer->unit->num_labels ? writer->naming.label_numbers[id] : id;
}

static void put_labels(vsg_obj_writer *w)
{
    vsg_obj_put_field(w, w->unit->num_labels, 2, "label_count");
    for (size_t i = 0; i < w->unit->num_labels; i++) {
        uint32_t id = w->naming.label_order[i];
        const vsg_obj_label *label = &w->unit->labels[id];
        vsg_obj_put(w, w->label_strings[id], 4);
        vsg_obj_put(w, label->kind, 1);
        put_counted(w, &label->attributes);
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
    const vsg_obj_naming *n = &w->naming;

    put_variables(w);
    put_states(w, unit->addresses, n->addresses, unit->num_addresses, 2, "address_count");
    put_states(w, unit->predicates, n->predicates, unit->num_predicates, 2, "predicate_count");
    put_labels(w);
    put_states(w, unit->samplers, n->samplers, unit->num_samplers, 1, "sampler_count");
    put_states(w, unit->surfaces, n->surfaces, unit->num_surfaces, 1, "surface_count");
    put_states(w, unit->stored.vmes, NULL, unit->stored.num_vmes, 1, "vme_count");
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

/* ---- the whole -------------------------------------------------------------------------- */

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

/* The table stands in the header, before the numbers of strings are known. */
static void patch_relocs(vsg_obj_writer *w)
{
    const vsg_obj_stored *stored = &w->unit->stored;

    for (size_t i = 0; i < stored->num_function_relocs; i++)
        if (stored->function_relocs[i].symbol)
            vsg_obj_patch(w, w->functions_at + 4 * i,
                          vsg_obj_pool_find(&w->pool, stored->function_relocs[i].symbol), 2,
                          "symbolic_index");
}

static void put_unit(vsg_obj_writer *w, size_t *inputs_at)
{
    const vsg_obj_unit *unit = w->unit;
    const vsg_obj_stored *stored = &unit->stored;
    size_t start = w->out->size;

    vsg_obj_number_strings(w);
    put_strings(w);
    vsg_obj_put_string(w, stored->pool_name ? stored->pool_name : unit->name, 4, "name_index");
    put_tables(w, inputs_at);
    size_t size_at = w->out->size;
    vsg_obj_put(w, 0, 8); /* size, entry */
    put_function_sizes(w);
    vsg_obj_put_field(w, unit->attributes.count + w->adds_path, 2, "attribute_count");
    if (w->adds_path)
        put_asm_path(w);
    put_attributes(w, &unit->attributes);
    size_t entry = w->out->size;
    for (size_t i = 0; i < unit->num_insts && w->status == VISAGE_OK; i++)
        vsg_obj_write_inst(w, &unit->insts[i]);
    w->inst = NULL;
    patch_relocs(w);
    vsg_obj_patch(w, size_at, w->out->size - entry, 4, "size");
    vsg_obj_patch(w, size_at + 4, entry - start, 4, "entry");
}

static bool start(vsg_obj_writer *w)
{
    const vsg_obj_module *module = w->module;
    const vsg_obj_unit *unit = w->unit;

    if (!vsg_obj_naming_init(&w->naming, module, unit, w->doc))
        return false;
    w->as_compiler =
        !w->doc && module->layout != VSG_OBJ_LAYOUT_IGC && !vsg_obj_pool_is_compilers(unit);
    w->adds_path = w->as_compiler && !unit->is_function &&
                   !vsg_obj_attribute_find(&unit->attributes, asm_path);
    const vsg_obj_pool_style style = {.doc = w->doc,
                                      .is_igc = module->layout == VSG_OBJ_LAYOUT_IGC,
                                      .renamed = w->naming.renamed,
                                      .extra = w->adds_path ? asm_path : NULL};
    w->label_strings =
        vsg_base_arena_new(&w->naming.arena, unit->num_labels + 1, sizeof *w->label_strings);
    w->variable_strings = vsg_base_arena_new(&w->naming.arena, unit->num_variables + 1,
                                             sizeof *w->variable_strings);
    return w->label_strings && w->variable_strings &&
           vsg_obj_pool_init(&w->pool, &module->alloc, unit, &style);
}

void vsg_obj_write_unit(vsg_obj_writer *writer, const vsg_obj_unit *unit, size_t *inputs_at)
{
    writer->unit = unit;
    if (unit->stored.damage)
        vsg_obj_cannot_write(writer, "the number of instructions that are lost",
                             unit->stored.num_stream, "0: it was damaged when it was read");
    if (writer->status != VISAGE_OK)
        return;
    if (!vsg_obj_unit_within(unit, writer->diagnostics)) {
        writer->status = VISAGE_INVALID;
        return;
    }
    if (start(writer))
        put_unit(writer, inputs_at);
    else
        writer->status = VISAGE_NO_MEMORY;
    vsg_obj_pool_free(&writer->pool);
    vsg_obj_naming_free(&writer->naming);
}
