/* SPDX-License-Identifier: MIT
 *
 * Directives: everything that starts with a '.', declarations apart. Sources: 4_visa_header,
 * Attributes; 8_appendix_visa_assembly_syntax; spec dialect 4.2. */
#include "text/parse.h"

#include <stdio.h>
#include <string.h>

#include "object/shape.h"

/* ---- attributes ------------------------------------------------------------------------- */

static bool string_value(vsg_txt_parser *parser, vsg_obj_place place, vsg_obj_attribute *out)
{
    const char *text;
    size_t length;

    if (vsg_txt_peek(&parser->lex) == '"') {
        if (!vsg_txt_quoted_bytes(parser, &text, &length))
            return false;
    } else {
        /* The appendix shows OutputAsmPath=name.asm without quotes. */
        const char *begin = parser->lex.at;
        while (vsg_txt_is_name(vsg_txt_next(&parser->lex)) || vsg_txt_next(&parser->lex) == '.')
            parser->lex.at++;
        length = (size_t)(parser->lex.at - begin);
        text = vsg_obj_text(parser->module, begin, length);
        if (!text)
            return vsg_txt_no_memory(parser);
    }
    out->string = text;
    out->size_bytes = (uint8_t)length;
    return vsg_txt_within(parser, vsg_txt_since(parser, place), VSG_OBJ_LIMIT_ATTRIBUTE_SIZE,
                          length);
}

/* What follows ':', our own spelling: as many bytes as a binary had that differs from others.
 */
static bool attribute_size(vsg_txt_parser *parser, vsg_obj_attribute *out)
{
    enum { MOST = 4 };
    int64_t bytes;

    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_PRIMARY, "the size of the attribute", 1, MOST,
                         &bytes))
        return false;
    out->size_bytes = (uint8_t)bytes;
    return vsg_txt_in_range(parser, vsg_txt_since(parser, place), "the attribute", out->value,
                            -(INT64_C(1) << (8 * bytes - 1)), (INT64_C(1) << 8 * bytes) - 1);
}

static bool integer_value(vsg_txt_parser *parser, vsg_obj_attribute *out)
{
    if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_FULL, "the attribute", INT32_MIN, UINT32_MAX,
                         &out->value))
        return false;
    out->size_bytes = (uint8_t)vsg_isa_attribute_bytes(out->name, out->value);
    return !vsg_txt_take(&parser->lex, ':') || attribute_size(parser, out);
}

bool vsg_txt_attribute(vsg_txt_parser *parser, vsg_obj_attributes *list)
{
    vsg_obj_attribute attribute = {0};
    vsg_txt_word name;

    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place start = vsg_txt_here(&parser->lex);
    if (vsg_txt_peek(&parser->lex) != '"')
        name = vsg_txt_take_name(&parser->lex);
    else if (!vsg_txt_quoted(parser, &name.text, &name.length)) /* one that a binary had */
        return false;
    if (name.length == 0)
        return vsg_txt_expected(parser, "the name of an attribute");
    if (vsg_txt_word_is(name, "AsmName")) /* its older name, spec dialect 1.1 */
        attribute.name = "OutputAsmPath";
    else if (!(attribute.name = vsg_obj_text(parser->module, name.text, name.length)))
        return vsg_txt_no_memory(parser);
    if (vsg_txt_take(&parser->lex, '=')) {
        char c = vsg_txt_peek(&parser->lex);
        vsg_obj_place place = vsg_txt_here(&parser->lex);
        if (c == '"' || vsg_txt_is_name_start(c)) {
            if (!string_value(parser, place, &attribute))
                return false;
        } else if (c != '\n' && !integer_value(parser, &attribute)) {
            return false;
        }
    }
    vsg_obj_attribute *added = vsg_obj_add_attribute(parser->module, list);
    if (!added)
        return vsg_txt_no_memory(parser);
    attribute.place = vsg_txt_since(parser, start);
    *added = attribute;
    return true;
}

/* ---- directives ------------------------------------------------------------------------- */

bool vsg_txt_unknown_directive(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place place)
{
    char text[VSG_TXT_MESSAGE_SIZE], dotted[VSG_TXT_MESSAGE_SIZE + 1];

    (void)snprintf(dotted, sizeof dotted, ".%s", vsg_txt_message(word, text));
    return vsg_txt_report(parser, VSG_DIAG_UNKNOWN_DIRECTIVE, vsg_txt_since(parser, place),
                          dotted);
}

static bool version(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place start)
{
    enum {
        NEWEST_MAJOR = VSG_OBJ_VERSION_NEWEST / 100,
        NEWEST_MINOR = VSG_OBJ_VERSION_NEWEST % 100
    };
    int64_t major, minor;

    (void)word;
    (void)start;
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_PRIMARY, "the version", 0, UINT8_MAX, &major) ||
        !vsg_txt_need(parser, '.') ||
        !vsg_txt_integer(parser, VSG_TXT_LEVEL_PRIMARY, "the version", 0, UINT8_MAX, &minor))
        return false;
    parser->has_version = true;
    parser->module->version_major = (uint32_t)major;
    parser->module->version_minor = (uint32_t)minor;
    if (major == 3 || (major == NEWEST_MAJOR && minor <= NEWEST_MINOR))
        return true;
    return vsg_txt_report(parser, VSG_DIAG_VERSION, vsg_txt_since(parser, place),
                          (long long)major, (long long)minor);
}

/* What may follow a name without quotes: '<' or '(', letters, digits, "_-, " and tabs, and what
 * closes it (8_appendix_visa_assembly_syntax, kernel_name). */
static void take_brackets(vsg_txt_lexer *lex, vsg_txt_word *name)
{
    char open = vsg_txt_next(lex);

    if (name->text + name->length != lex->at || (open != '<' && open != '('))
        return;
    const char *at = lex->at + 1;
    while (at < lex->end && (vsg_txt_is_name(*at) || (*at != '\0' && strchr("-, \t", *at))))
        at++;
    if (at == lex->end || *at != (open == '<' ? '>' : ')'))
        return;
    lex->at = at + 1;
    name->length = (size_t)(lex->at - name->text);
}

static bool unit(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place start)
{
    vsg_txt_word name;
    bool is_static = vsg_txt_word_is(word, "static_function");
    bool is_function = is_static || vsg_txt_word_is(word, "global_function");

    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    place.line = start.line;
    if (!vsg_txt_name_or_string(parser, "a name", &name))
        return false;
    take_brackets(&parser->lex, &name);
    if (!vsg_txt_begin_unit(parser, name, is_function, vsg_txt_since(parser, place)))
        return false;
    if (is_static)
        parser->unit->linkage = VSG_OBJ_LINKAGE_STATIC;
    return true;
}

static bool kernel_attr(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place start)
{
    (void)word;
    (void)start;
    return vsg_txt_attribute(parser, &parser->unit->attributes);
}

/* .function NAME says that the label NAME begins a subroutine. */
static bool function(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place start)
{
    char text[VSG_TXT_MESSAGE_SIZE];
    vsg_txt_word name;

    (void)word;
    (void)start;
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    if (!vsg_txt_name_or_string(parser, "a name", &name))
        return false;
    place = vsg_txt_since(parser, place);
    uint32_t index = vsg_txt_label_of(parser, name, place);
    if (index == UINT32_MAX)
        return false;
    vsg_obj_label *label = &parser->unit->labels[index];
    if (label->kind == VSG_OBJ_LABEL_KERNEL)
        return vsg_txt_report(parser, VSG_DIAG_LABEL_OF_KERNEL, place,
                              vsg_txt_message(name, text));
    if (label->inst >= 0)
        return vsg_txt_report(parser, VSG_DIAG_LABEL_REDEFINED, place,
                              vsg_txt_message(name, text));
    label->kind = VSG_OBJ_LABEL_SUBROUTINE;
    return true;
}

static bool funcdecl(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place start)
{
    vsg_txt_word name;

    (void)word;
    (void)start;
    if (!vsg_txt_name_or_string(parser, "a name", &name))
        return false;
    return vsg_obj_add_function_decl(parser->module, parser->unit, name.text, name.length) ||
           vsg_txt_no_memory(parser);
}

static bool file(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place start)
{
    (void)word;
    return vsg_txt_line_directive(parser, VISAGE_OP_FILE, start);
}

static bool loc(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place start)
{
    (void)word;
    return vsg_txt_line_directive(parser, VISAGE_OP_LOC, start);
}

typedef struct directive_row {
    const char *text;
    size_t length;
    bool (*read)(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place start);
    bool outside; /* may stand before the first unit */
} directive_row;

#define WORD(text) text, sizeof(text) - 1
static const directive_row directives[] = {
    {WORD("decl"), vsg_txt_decl, false},
    {WORD("input"), vsg_txt_input_directive, false},
    {WORD("version"), version, true},
    {WORD("kernel"), unit, true},
    {WORD("function"), function, false},
    {WORD("global_function"), unit, true},
    {WORD("static_function"), unit, true},
    {WORD("global_variable"), vsg_txt_file_variable, true},
    {WORD("static_variable"), vsg_txt_file_variable, true},
    {WORD("extern_variable"), vsg_txt_file_variable, true},
    {WORD("file"), file, false},
    {WORD("funcdecl"), funcdecl, false},
    {WORD("loc"), loc, false},
    {WORD("kernel_attr"), kernel_attr, false},
    {WORD("parameter"), vsg_txt_input_directive, false},
};
#undef WORD

static const directive_row *find_directive(vsg_txt_word word)
{
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
        if (word.length == directives[i].length &&
            memcmp(word.text, directives[i].text, word.length) == 0)
            return &directives[i];
    return NULL;
}

bool vsg_txt_starts_unit(vsg_txt_word word)
{
    const directive_row *row = find_directive(word);
    return row && row->outside;
}

bool vsg_txt_directive(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place place)
{
    const directive_row *row = find_directive(word);

    if (row)
        return row->read(parser, word, place);
    if (vsg_txt_is_implicit(word))
        return vsg_txt_input_directive(parser, word, place);
    return vsg_txt_unknown_directive(parser, word, place);
}
