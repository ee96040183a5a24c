/* SPDX-License-Identifier: MIT
 *
 * visage info for programs. A value that memory ran out for is NULL, which jansson takes as an
 * error of what it goes into: the whole is NULL then. */
#include <stdlib.h>
#include <string.h>

#include "info.h"

static json_t *sized(const char *text, size_t length)
{
    char *escaped = info_escape(text, length);
    json_t *string = escaped ? json_string(escaped) : NULL;

    free(escaped);
    return string;
}

/* A text from the file. */
static json_t *string(const char *text)
{
    return text ? sized(text, strlen(text)) : json_null();
}

/* A word of ours. */
static json_t *word(const char *text)
{
    return text ? json_string(text) : json_null();
}

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

/* Appends; false, and the item is gone, when memory is out. */
static bool append(json_t *array, json_t *item)
{
    return json_array_append_new(array, item) == 0;
}

static json_t *or_null(json_t *value, bool good)
{
    if (good)
        return value;
    json_decref(value);
    return NULL;
}

/* ---- attributes, arguments, inputs ------------------------------------------------------ */

static json_t *attribute_json(const visage_attribute *a)
{
    json_t *value = a->string       ? sized(a->string, info_string_length(a))
                    : a->size_bytes ? json_integer(a->value)
                                    : json_true();

    return json_pack("{s:o, s:o, s:o}", "name", string(a->name), "value", value, "bytes",
                     number(a->size_bytes));
}

static json_t *attributes_json(const visage_module *module, size_t unit, visage_class class_,
                               size_t index)
{
    json_t *array = json_array();
    visage_attribute attribute;
    bool good = true;

    for (size_t i = 0; good && visage_module_get_attribute_record(module, unit, class_, index,
                                                                  i, &attribute) == VISAGE_OK;
         i++)
        good = append(array, attribute_json(&attribute));
    return or_null(array, good);
}

static json_t *arguments_json(const visage_module *module, size_t unit)
{
    json_t *array = json_array();
    visage_argument_info arg;
    bool good = true;

    for (size_t i = 0; good && visage_module_get_argument(module, unit, i, &arg) == VISAGE_OK;
         i++)
        good = append(array, json_pack("{s:o, s:o, s:o, s:o}", "kind",
                                       word(info_argument_kind(arg.kind)), "bytes",
                                       number(arg.size_bytes), "name", string(arg.name),
                                       "access", string(arg.access)));
    return or_null(array, good);
}

static json_t *inputs_json(const visage_module *module, size_t unit)
{
    json_t *array = json_array();
    visage_input_info info;
    visage_input input;
    bool good = true;

    for (size_t i = 0; good && visage_module_get_input(module, unit, i, &info) == VISAGE_OK &&
                       visage_module_get_input_record(module, unit, i, &input) == VISAGE_OK;
         i++)
        good = append(array, json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:o}", "name",
                                       string(info.name), "class",
                                       word(info_class(input.class_)), "id", number(input.id),
                                       "offset", json_integer(input.offset_bytes), "bytes",
                                       number(input.size_bytes), "implicit", (int)info.implicit,
                                       "provenance", number(input.provenance)));
    return or_null(array, good);
}

/* ---- tables ----------------------------------------------------------------------------- */

static json_t *alias_json(const visage_variable *v)
{
    if (!v->alias_is_file_scope && v->alias == VISAGE_NO_ALIAS)
        return json_null();
    return json_pack("{s:o, s:o, s:b}", "id", number(v->alias), "offset",
                     number(v->alias_offset_bytes), "file_scope", (int)v->alias_is_file_scope);
}

static json_t *variable_json(const visage_module *module, size_t unit, visage_class class_,
                             size_t index, uint32_t id, const visage_variable *v)
{
    json_t *object = json_pack("{s:o, s:o, s:o, s:o}", "id", number(id), "name",
                               string(v->name), "elements", number(v->num_elements),
                               "attributes", attributes_json(module, unit, class_, index));

    if (class_ == VISAGE_CLASS_SAMPLER || class_ == VISAGE_CLASS_SURFACE)
        return or_null(object,
                       json_object_set_new(object, "pool_name", string(v->pool_name)) == 0);
    if (class_ != VISAGE_CLASS_GENERAL)
        return object;
    bool good = json_object_set_new(object, "type", word(visage_type_name(v->type))) == 0 &&
                json_object_set_new(object, "align", number(v->align)) == 0 &&
                json_object_set_new(object, "alias", alias_json(v)) == 0;
    return or_null(object, good);
}

static json_t *class_json(const visage_module *module, size_t unit, visage_class class_)
{
    json_t *array = json_array();
    visage_variable variable;
    uint32_t id;
    bool good = true;

    for (size_t i = 0; good && visage_module_get_variable(module, unit, class_, i, &variable,
                                                          &id) == VISAGE_OK;
         i++)
        good = append(array, variable_json(module, unit, class_, i, id, &variable));
    return or_null(array, good);
}

static json_t *labels_json(const visage_module *module, size_t unit)
{
    json_t *array = json_array();
    visage_label label;
    bool good = true;

    for (size_t i = 0; good && visage_module_get_label(module, unit, i, &label) == VISAGE_OK;
         i++)
        good = append(
            array,
            json_pack("{s:o, s:o, s:o, s:o, s:o}", "id", number(i), "name", string(label.name),
                      "kind", word(info_label_kind(label.kind)), "instruction",
                      label.instruction < 0 ? json_null() : json_integer(label.instruction),
                      "attributes", attributes_json(module, unit, VISAGE_CLASS_LABEL, i)));
    return or_null(array, good);
}

static json_t *tables_json(const visage_module *module, size_t unit)
{
    json_t *object = json_object();
    bool good = true;

    for (visage_class c = VISAGE_CLASS_GENERAL; good && c <= VISAGE_CLASS_SURFACE; c++)
        good = json_object_set_new(object, info_class(c), class_json(module, unit, c)) == 0;
    good = good && json_object_set_new(object, "label", labels_json(module, unit)) == 0;
    return or_null(object, good);
}

/* ---- what a binary has ------------------------------------------------------------------ */

static json_t *gen_binaries_json(const visage_module *module, size_t unit)
{
    json_t *array = json_array();
    visage_gen_binary_info binary;
    bool good = true;

    for (size_t i = 0;
         good && visage_module_get_gen_binary(module, unit, i, &binary) == VISAGE_OK; i++)
        good = append(array, json_pack("{s:o, s:o, s:o, s:o}", "code", number(binary.code),
                                       "platform", word(visage_platform_name(binary.platform)),
                                       "offset", number(binary.offset_bytes), "bytes",
                                       number(binary.size_bytes)));
    return or_null(array, good);
}

static json_t *relocations_json(const visage_module *module, size_t unit, bool of_functions)
{
    json_t *array = json_array();
    visage_relocation_info relocation;
    bool good = true;

    for (size_t i = 0; good && visage_module_get_relocation(module, unit, of_functions, i,
                                                            &relocation) == VISAGE_OK;
         i++)
        good =
            append(array, json_pack("{s:o, s:o}", "symbolic", number(relocation.symbolic_index),
                                    "resolved", number(relocation.resolved_index)));
    return or_null(array, good);
}

static json_t *damage_json(const visage_stored_info *stored)
{
    if (!stored->damage)
        return json_null();
    return json_pack("{s:o, s:o, s:o}", "name", word(stored->damage), "help",
                     word(stored->damage_help), "broken_at",
                     stored->is_broken ? number(stored->broken_at) : json_null());
}

/* Sets what a binary has; null in place of the object's place where there is none. */
static bool set_stored(json_t *object, const visage_module *module, size_t unit)
{
    visage_stored_info s;

    if (visage_module_get_stored(module, unit, &s) != VISAGE_OK)
        return false;
    json_t *place = s.size_bytes == 0
                        ? json_null()
                        : json_pack("{s:o, s:o}", "offset", number(s.offset_bytes), "bytes",
                                    number(s.size_bytes));
    json_t *pool = s.size_bytes == 0 ? json_null()
                                     : json_pack("{s:o, s:o}", "strings", number(s.num_strings),
                                                 "bytes", number(s.string_bytes));
    json_t *relocations =
        json_pack("{s:o, s:o}", "variables", relocations_json(module, unit, false), "functions",
                  relocations_json(module, unit, true));
    json_t *members =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "damage", damage_json(&s),
                  "object", place, "string_pool", pool, "num_vmes", number(s.num_vmes),
                  "input_grfs", number(s.input_grfs), "return_grfs", number(s.return_grfs),
                  "gen_binaries", gen_binaries_json(module, unit), "relocations", relocations);
    bool good = members && json_object_update(object, members) == 0;
    json_decref(members);
    return good;
}

/* ---- kernels and functions -------------------------------------------------------------- */

static json_t *instructions_json(const visage_module *module, size_t unit)
{
    char text[2048];
    size_t used;
    info_count *counts = info_count_instructions(module, unit, &used);
    json_t *object = counts ? json_object() : NULL;
    bool good = object != NULL;

    for (size_t i = 0; good && i < used; i++) {
        /* Typed and untyped operations of one name are one entry. */
        const char *mnemonic = info_mnemonic(counts[i].row, text, sizeof text);
        json_int_t before = json_integer_value(json_object_get(object, mnemonic));
        good = json_object_set_new(object, mnemonic,
                                   json_integer(before + (json_int_t)counts[i].number)) == 0;
    }
    free(counts);
    return or_null(object, good);
}

static json_t *counts_json(const visage_kernel_info *k)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "general", number(k->num_variables),
                     "address", number(k->num_addresses), "predicate",
                     number(k->num_predicates), "sampler", number(k->num_samplers), "surface",
                     number(k->num_surfaces));
}

static json_t *unit_json(const visage_module *module, size_t unit)
{
    visage_kernel_info k;
    visage_unit record;

    if (visage_module_get_kernel(module, unit, &k) != VISAGE_OK ||
        visage_module_get_unit(module, unit, &record, NULL) != VISAGE_OK)
        return NULL;
    json_t *object =
        json_pack("{s:o, s:b, s:o, s:b, s:o, s:o, s:o, s:o, s:[o,o,o]}", "name", string(k.name),
                  "function", (int)k.is_function, "linkage",
                  k.is_function ? word(info_linkage(record.linkage)) : json_null(),
                  "declaration", (int)record.is_declaration, "simd_size", number(k.simd_size),
                  "slm_bytes", number(k.slm_bytes), "private_bytes", number(k.private_bytes),
                  "barriers", number(k.barriers), "required_local", number(k.required_local[0]),
                  number(k.required_local[1]), number(k.required_local[2]));
    json_t *rest = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "variables", counts_json(&k), "num_labels",
        number(k.num_labels), "num_instructions", number(k.num_instructions), "arguments",
        arguments_json(module, unit), "inputs", inputs_json(module, unit), "attributes",
        attributes_json(module, unit, VISAGE_CLASS_UNIT, 0), "tables",
        tables_json(module, unit), "instructions", instructions_json(module, unit));
    bool good = object && rest && set_stored(object, module, unit) &&
                json_object_update(object, rest) == 0;
    json_decref(rest);
    return or_null(object, good);
}

/* ---- the whole -------------------------------------------------------------------------- */

static json_t *file_variables_json(const visage_module *module)
{
    json_t *array = json_array();
    visage_file_variable v;
    bool good = true;

    for (size_t i = 0; good && visage_module_get_file_variable(module, i, &v) == VISAGE_OK; i++)
        good = append(array, json_pack("{s:o, s:o, s:o, s:o, s:o}", "name", string(v.name),
                                       "linkage", word(info_linkage(v.linkage)), "type",
                                       word(visage_type_name(v.type)), "elements",
                                       number(v.num_elements), "align", number(v.align)));
    return or_null(array, good);
}

/* Where there were errors; the member that a file has which cannot be read at all. */
static json_t *with_errors(json_t *object, const visage_module_info *info, visage_status status)
{
    if (!info->is_broken || !object)
        return object;
    json_t *members =
        json_pack("{s:o, s:o}", "error", word(visage_status_name(status)), "header_broken_at",
                  info->header_is_broken ? number(info->header_broken_at) : json_null());
    bool good = members && json_object_update(object, members) == 0;
    json_decref(members);
    return or_null(object, good);
}

json_t *info_make_json(const char *file, const visage_module *module, visage_status status)
{
    visage_module_info info;
    json_t *kernels = json_array();
    bool good = visage_module_get_info(module, &info) == VISAGE_OK;

    for (size_t i = 0; good && i < info.num_kernels + info.num_functions; i++)
        good = append(kernels, unit_json(module, i));
    kernels = or_null(kernels, good);
    if (!kernels)
        return NULL;
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o, s:[o,o], s:o, s:o}", "file", string(file), "form",
                  word(info.form), "layout", word(info.layout), "platform",
                  word(visage_platform_name(info.platform)), "version",
                  number(info.version_major), number(info.version_minor), "file_variables",
                  file_variables_json(module), "kernels", kernels);
    return with_errors(object, &info, status);
}

json_t *info_make_error(const char *file, visage_status status)
{
    return json_pack("{s:o, s:o}", "file", string(file), "error",
                     word(visage_status_name(status)));
}
