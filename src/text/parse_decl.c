/* SPDX-License-Identifier: MIT
 *
 * Declarations of variables and inputs. Sources: 4_visa_header (variables, inputs), spec
 * dialect 4.2. */
#include "text/keys.h"

#include <stdio.h>
#include <string.h>

/* ---- variables -------------------------------------------------------------------------- */

typedef struct declared {
    vsg_txt_word name;
    vsg_obj_place place;
    const char *copy; /* of the name, in the module */
    vsg_txt_keys keys;
} declared;

/* What a name means already where a text may say it again: compilers leave out the braces
 * around inline vISA that is there several times, and put its declarations at the beginning.
 * NULL: nothing of that kind. */
static const vsg_txt_binding *declared_before(const vsg_txt_parser *parser, const declared *d,
                                              vsg_txt_kind kind)
{
    const vsg_txt_binding *there =
        parser->input->has_lost_scopes ? vsg_txt_find(&parser->variables, d->name) : NULL;

    return there && there->kind == kind && d->keys.attributes.count == 0 ? there : NULL;
}

static bool is_general_again(const vsg_txt_parser *parser, const declared *d)
{
    const vsg_txt_binding *there = declared_before(parser, d, VSG_TXT_KIND_GENERAL);
    const vsg_txt_keys *k = &d->keys;

    if (!there || there->id < VSG_ISA_FIRST_VARIABLE)
        return false;
    const vsg_obj_variable *v = &parser->unit->variables[there->id - VSG_ISA_FIRST_VARIABLE];
    bool has_alias = vsg_txt_is_given(k, VSG_TXT_KEY_ALIAS);
    bool has_same_place = has_alias ? v->alias == k->alias &&
                                          v->alias_offset_bytes == k->alias_offset &&
                                          v->alias_is_global == k->alias_is_global
                                    : v->alias == VSG_OBJ_NO_ALIAS;
    return has_same_place && v->type == k->type && v->align == k->align &&
           v->num_elements == k->num_elements && v->attributes.count == 0;
}

static bool declare_general(vsg_txt_parser *parser, const declared *d)
{
    const vsg_txt_keys *k = &d->keys;
    bool has_alias = vsg_txt_is_given(k, VSG_TXT_KEY_ALIAS);

    if (!vsg_txt_is_given(k, VSG_TXT_KEY_TYPE))
        return vsg_txt_expected(parser, "type=");
    if (is_general_again(parser, d))
        return true;
    if (!vsg_txt_within(parser, d->place, VSG_OBJ_LIMIT_VARIABLES,
                        parser->unit->num_variables + 1))
        return false;
    vsg_obj_variable *variable = vsg_obj_add_variable(parser->module, parser->unit);
    if (!variable)
        return vsg_txt_no_memory(parser);
    variable->name = d->copy;
    variable->type = k->type;
    variable->align = k->align;
    variable->num_elements = (uint32_t)k->num_elements;
    variable->alias = has_alias ? k->alias : VSG_OBJ_NO_ALIAS;
    variable->alias_offset_bytes = has_alias ? (uint32_t)k->alias_offset : 0;
    variable->alias_is_global = has_alias && k->alias_is_global;
    variable->attributes = k->attributes;
    variable->place = d->place;
    uint32_t id = (uint32_t)(VSG_ISA_FIRST_VARIABLE + parser->unit->num_variables - 1);
    return vsg_txt_declare(parser, d->name, d->place, VSG_TXT_KIND_GENERAL, id);
}

/* Address, predicate, sampler and surface variables: what differs. */
typedef struct class_row {
    char letter;
    vsg_txt_kind kind;
    uint32_t first; /* index of the first one */
    vsg_obj_limit count, elements;
    unsigned allowed; /* keys */
    bool needs_num_elts;
    vsg_obj_state *(*add)(vsg_obj_module *module, vsg_obj_unit *unit);
} class_row;

#define KEYS_ALWAYS                                                                            \
    (1u << VSG_TXT_KEY_V_TYPE | 1u << VSG_TXT_KEY_NUM_ELTS | 1u << VSG_TXT_KEY_ATTRS)
static const class_row class_rows[] = {
    {'G', VSG_TXT_KIND_GENERAL, VSG_ISA_FIRST_VARIABLE, VSG_OBJ_LIMIT_VARIABLES,
     VSG_OBJ_LIMIT_ELEMENTS,
     KEYS_ALWAYS | 1u << VSG_TXT_KEY_TYPE | 1u << VSG_TXT_KEY_ALIGN | 1u << VSG_TXT_KEY_ALIAS,
     true, NULL},
    {'A', VSG_TXT_KIND_ADDRESS, 0, VSG_OBJ_LIMIT_ADDRESSES, VSG_OBJ_LIMIT_ADDRESS_ELEMENTS,
     KEYS_ALWAYS | 1u << VSG_TXT_KEY_TYPE, true, vsg_obj_add_address},
    {'P', VSG_TXT_KIND_PREDICATE, 1, VSG_OBJ_LIMIT_PREDICATES, VSG_OBJ_LIMIT_PREDICATE_ELEMENTS,
     KEYS_ALWAYS | 1u << VSG_TXT_KEY_TYPE, true, vsg_obj_add_predicate},
    {'S', VSG_TXT_KIND_SAMPLER, 0, VSG_OBJ_LIMIT_SAMPLERS, VSG_OBJ_LIMIT_STATE_ELEMENTS,
     KEYS_ALWAYS | 1u << VSG_TXT_KEY_V_NAME, false, vsg_obj_add_sampler},
    {'T', VSG_TXT_KIND_SURFACE, VSG_ISA_NUM_SURFACES, VSG_OBJ_LIMIT_SURFACES,
     VSG_OBJ_LIMIT_STATE_ELEMENTS, KEYS_ALWAYS | 1u << VSG_TXT_KEY_V_NAME, false,
     vsg_obj_add_surface},
};

static size_t count_of(const vsg_obj_unit *unit, vsg_txt_kind kind)
{
    switch (kind) {
    case VSG_TXT_KIND_ADDRESS:
        return unit->num_addresses;
    case VSG_TXT_KIND_PREDICATE:
        return unit->num_predicates;
    case VSG_TXT_KIND_SAMPLER:
        return unit->num_samplers;
    case VSG_TXT_KIND_SURFACE:
        return unit->num_surfaces;
    default:
        return unit->num_variables;
    }
}

static bool is_predicate_again(const vsg_txt_parser *parser, const declared *d)
{
    const vsg_txt_binding *there = declared_before(parser, d, VSG_TXT_KIND_PREDICATE);

    return there &&
           parser->unit->predicates[there->id - 1].num_elements == d->keys.num_elements;
}

static bool declare_state(vsg_txt_parser *parser, const declared *d, const class_row *row)
{
    uint32_t index = (uint32_t)count_of(parser->unit, row->kind);

    if (is_predicate_again(parser, d))
        return true;
    if (!vsg_txt_within(parser, d->place, row->count, (uint64_t)index + 1))
        return false;
    vsg_obj_state *state = row->add(parser->module, parser->unit);
    if (!state)
        return vsg_txt_no_memory(parser);
    state->name = d->copy;
    state->v_name = d->keys.v_name;
    state->num_elements = (uint32_t)d->keys.num_elements;
    state->attributes = d->keys.attributes;
    state->place = d->place;
    return vsg_txt_declare(parser, d->name, d->place, row->kind, row->first + index);
}

static const class_row *class_of(char letter)
{
    const class_row *row = class_rows;

    while (row->letter != letter)
        row++;
    return row;
}

static bool check_keys(vsg_txt_parser *parser, const class_row *row, const vsg_txt_keys *k)
{
    for (unsigned i = 0; k->given & ~row->allowed && i < VSG_TXT_KEY_COUNT; i++) {
        char found[32], expected[64];
        if (!vsg_txt_is_given(k, i) || row->allowed & 1u << i)
            continue;
        (void)snprintf(found, sizeof found, "'%s'", vsg_txt_key_text(i));
        (void)snprintf(expected, sizeof expected, "only what goes with v_type=%c", row->letter);
        return vsg_txt_report(parser, VSG_DIAG_SYNTAX, k->places[i], found, expected);
    }
    if (!vsg_txt_is_given(k, VSG_TXT_KEY_NUM_ELTS))
        return !row->needs_num_elts || vsg_txt_expected(parser, "num_elts=");
    return vsg_txt_within(parser, k->places[VSG_TXT_KEY_NUM_ELTS], row->elements,
                          (uint64_t)k->num_elements);
}

/* A declaration with errors still declares its name, or each use of it would be another error.
 * False where the name has a meaning here already. */
static bool make_harmless(vsg_txt_parser *parser, declared *d)
{
    const vsg_txt_binding *there = vsg_txt_find(&parser->variables, d->name);

    d->keys.num_elements = 1;
    d->keys.type = VISAGE_TYPE_UD;
    vsg_txt_set_given(&d->keys, VSG_TXT_KEY_TYPE, d->place);
    d->keys.given &= ~(1u << VSG_TXT_KEY_ALIAS);
    return !parser->stop && !(there && there->depth == parser->variables.depth);
}

bool vsg_txt_decl(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place start)
{
    declared d;
    unsigned any = (1u << VSG_TXT_KEY_OFFSET) - 1;

    (void)word;
    (void)start;
    vsg_txt_no_keys(&d.keys);
    vsg_txt_skip_blanks(&parser->lex);
    d.place = vsg_txt_here(&parser->lex);
    char c = vsg_txt_next(&parser->lex);
    d.name = vsg_txt_take_name(&parser->lex);
    d.place = vsg_txt_since(parser, d.place);
    if (d.name.length == 0)
        return vsg_txt_expected(parser, "a name");
    if (c == '%')
        return vsg_txt_report(parser, VSG_DIAG_SYNTAX, d.place, "a predefined name",
                              "a name without %");
    d.copy = vsg_obj_text(parser->module, d.name.text, d.name.length);
    if (!d.copy)
        return vsg_txt_no_memory(parser);
    vsg_txt_quick_keys(parser, &d.keys);
    bool good = vsg_txt_read_keys(parser, any, &d.keys);
    if (!d.keys.v_type)
        return good && vsg_txt_expected(parser, "v_type=");
    const class_row *row = class_of(d.keys.v_type);
    good = good && check_keys(parser, row, &d.keys);
    if (!good && !make_harmless(parser, &d))
        return false;
    return (row->add ? declare_state(parser, &d, row) : declare_general(parser, &d)) && good;
}

/* As the binary has them. */
static bool store_attributes(vsg_txt_parser *parser, vsg_obj_place place,
                             const vsg_obj_attributes *list, vsg_obj_file_variable *out)
{
    enum { HEAD = 5 };
    size_t bytes = 0;

    if (!vsg_txt_within(parser, place, VSG_OBJ_LIMIT_ATTRIBUTES, list->count))
        return false;
    for (size_t i = 0; i < list->count; i++)
        bytes += HEAD + (size_t)list->items[i].size_bytes;
    uint8_t *to = vsg_base_arena_new(&parser->module->arena, bytes + 1, 1);
    if (!to)
        return vsg_txt_no_memory(parser);
    out->attribute_count = (uint8_t)list->count;
    out->attributes = to;
    out->attribute_bytes = bytes;
    for (size_t i = 0; i < list->count; i++) {
        const vsg_obj_attribute *attribute = &list->items[i];
        for (unsigned b = 0; b < 4; b++)
            *to++ = (uint8_t)((uint64_t)attribute->value >> 8 * b);
        *to++ = attribute->size_bytes;
        memcpy(to, attribute->string, attribute->size_bytes);
        to += attribute->size_bytes;
    }
    return true;
}

/* .global_variable "name" type=ud num_elts=4 align=GRF: the documents give file-scope variables
 * no text, this one is ours. */
bool vsg_txt_file_variable(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place start)
{
    const unsigned allowed = 1u << VSG_TXT_KEY_TYPE | 1u << VSG_TXT_KEY_NUM_ELTS |
                             1u << VSG_TXT_KEY_ALIGN | 1u << VSG_TXT_KEY_ATTRS;
    vsg_obj_place place;
    vsg_txt_word name;
    vsg_txt_keys k;

    (void)start;
    vsg_txt_no_keys(&k);
    k.numbered = true;
    vsg_txt_skip_blanks(&parser->lex);
    place = vsg_txt_here(&parser->lex);
    if (!vsg_txt_name_or_string(parser, "a name", &name))
        return false;
    place = vsg_txt_since(parser, place);
    if (!vsg_txt_read_keys(parser, allowed, &k))
        return false;
    if (!vsg_txt_is_given(&k, VSG_TXT_KEY_TYPE))
        return vsg_txt_expected(parser, "type=");
    if (parser->module->num_file_variables >= UINT16_MAX) /* num_variables has 16 bits */
        return vsg_txt_report(parser, VSG_DIAG_TOO_LARGE, place,
                              "the number of file-scope variables", UINT16_MAX + 1ull,
                              (unsigned long long)UINT16_MAX);
    if (!vsg_txt_within(parser, place, VSG_OBJ_LIMIT_FILE_NAME, name.length) ||
        !vsg_txt_within(parser, place, VSG_OBJ_LIMIT_FILE_ELEMENTS, (uint64_t)k.num_elements))
        return false;
    const char *copy = vsg_obj_text(parser->module, name.text, name.length);
    vsg_obj_file_variable *added = copy ? vsg_obj_add_file_variable(parser->module) : NULL;
    if (!added)
        return vsg_txt_no_memory(parser);
    added->name = copy;
    if (!store_attributes(parser, place, &k.attributes, added))
        return false;
    added->linkage = word.text[0] == 'e'   ? VSG_OBJ_LINKAGE_EXTERN
                     : word.text[0] == 's' ? VSG_OBJ_LINKAGE_STATIC
                                           : VSG_OBJ_LINKAGE_GLOBAL;
    added->type = k.type;
    added->align = k.align;
    added->num_elements = (uint32_t)k.num_elements;
    added->place = place;
    /* Each declaration is a scope of its own: the newest hides the others. */
    parser->file_variables.depth++;
    return vsg_txt_bind(&parser->file_variables, (vsg_txt_word){copy, strlen(copy)},
                        VSG_TXT_KIND_GENERAL,
                        (uint32_t)parser->module->num_file_variables - 1) == VSG_TXT_BOUND ||
           vsg_txt_no_memory(parser);
}

/* ---- inputs ----------------------------------------------------------------------------- */

bool vsg_txt_is_implicit(vsg_txt_word word)
{
    const char *prefix = "implicit_";
    return word.length > strlen(prefix) && memcmp(word.text, prefix, strlen(prefix)) == 0;
}

/* Provenance of .implicit_NAME; UNDEFINED_n stands for n, which has 5 bits. -1: unknown. */
static int provenance_of(vsg_txt_word word)
{
    const char *prefix = "UNDEFINED_";
    size_t skip = strlen("implicit_");
    vsg_txt_word name = {word.text + skip, word.length - skip};
    int number = 0;

    if (name.length <= strlen(prefix) || memcmp(name.text, prefix, strlen(prefix)) != 0)
        return vsg_isa_find_word(VSG_ISA_WORDS_PROVENANCE, name.text, name.length);
    for (size_t i = strlen(prefix); i < name.length; i++) {
        if (!vsg_txt_is_digit(name.text[i]) || number > 31)
            return -1;
        number = number * 10 + (name.text[i] - '0');
    }
    return number <= 31 ? number : -1;
}

static bool input_target(vsg_txt_parser *parser, vsg_obj_input *input, int64_t *size)
{
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word name = vsg_txt_take_name(&parser->lex);
    vsg_obj_variable_facts facts = {0};

    if (name.length == 0)
        return vsg_txt_expected(parser, "a variable");
    input->place = vsg_txt_since(parser, place);
    const vsg_txt_binding *binding = vsg_txt_lookup(parser, name, input->place, "variable");
    if (!binding)
        return false;
    input->id = binding->id;
    *size = 4;
    switch (binding->kind) {
    case VSG_TXT_KIND_GENERAL:
        input->kind = VSG_OBJ_INPUT_GENERAL;
        (void)vsg_obj_variable_get(parser->unit, binding->id, &facts);
        *size = facts.size_bytes;
        return true;
    case VSG_TXT_KIND_SAMPLER:
        input->kind = VSG_OBJ_INPUT_SAMPLER;
        return true;
    case VSG_TXT_KIND_SURFACE:
        input->kind = VSG_OBJ_INPUT_SURFACE;
        return true;
    default:
        return vsg_txt_wrong_kind(parser, name, input->place, binding->kind,
                                  "general variable, sampler or surface");
    }
}

/* .input, .implicit_* and .parameter (an input without a place of its own) */
bool vsg_txt_input_directive(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place place)
{
    vsg_obj_input input = {0};
    vsg_txt_keys k;
    int64_t size;

    vsg_txt_no_keys(&k);
    if (vsg_txt_is_implicit(word)) {
        int provenance = provenance_of(word);
        if (provenance < 0)
            return vsg_txt_unknown_directive(parser, word, place);
        input.provenance = (uint8_t)provenance;
    }
    if (!input_target(parser, &input, &size) ||
        !vsg_txt_read_keys(
            parser, 1u << VSG_TXT_KEY_OFFSET | 1u << VSG_TXT_KEY_SIZE | 1u << VSG_TXT_KEY_ATTRS,
            &k))
        return false;
    input.offset_bytes = (int32_t)k.offset;
    input.size_bytes = (uint32_t)(vsg_txt_is_given(&k, VSG_TXT_KEY_SIZE) ? k.size : size);
    input.attributes = k.attributes;
    vsg_obj_input *added = vsg_obj_add_input(parser->module, parser->unit);
    if (!added)
        return vsg_txt_no_memory(parser);
    *added = input;
    return true;
}
