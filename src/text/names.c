/* SPDX-License-Identifier: MIT
 *
 * Names of variables and labels, and strings. Source: 4_visa_header, Variables: a name has one
 * meaning in a scope, predefined ones count for the scope of the kernel. */
#include "text/parse.h"

#include <stdio.h>
#include <string.h>

const vsg_txt_binding *vsg_txt_lookup(vsg_txt_parser *parser, vsg_txt_word name,
                                      vsg_obj_place place, const char *what)
{
    char text[VSG_TXT_MESSAGE_SIZE];
    const vsg_txt_binding *binding = vsg_txt_find(&parser->variables, name);

    if (!binding)
        (void)vsg_txt_report(parser, VSG_DIAG_UNKNOWN_NAME, place, what,
                             vsg_txt_message(name, text));
    return binding;
}

bool vsg_txt_wrong_kind(vsg_txt_parser *parser, vsg_txt_word name, vsg_obj_place place,
                        vsg_txt_kind kind, const char *expected)
{
    char text[VSG_TXT_MESSAGE_SIZE];

    return vsg_txt_report(parser, VSG_DIAG_WRONG_KIND, place, vsg_txt_message(name, text),
                          vsg_txt_article(vsg_txt_kind_text(kind)), vsg_txt_kind_text(kind),
                          vsg_txt_article(expected), expected);
}

bool vsg_txt_lookup_kind(vsg_txt_parser *parser, vsg_txt_word name, vsg_obj_place place,
                         vsg_txt_kind kind, uint32_t *id)
{
    const vsg_txt_binding *binding =
        vsg_txt_lookup(parser, name, place, vsg_txt_kind_text(kind));

    if (!binding)
        return false;
    *id = binding->id;
    if (binding->kind != kind)
        return vsg_txt_wrong_kind(parser, name, place, binding->kind, vsg_txt_kind_text(kind));
    return true;
}

bool vsg_txt_name_of_kind(vsg_txt_parser *parser, vsg_txt_kind kind, uint32_t *id)
{
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word name = vsg_txt_take_name(&parser->lex);

    if (name.length == 0)
        return vsg_txt_expected_a(parser, vsg_txt_kind_text(kind));
    return vsg_txt_lookup_kind(parser, name, vsg_txt_since(parser, place), kind, id);
}

bool vsg_txt_declare(vsg_txt_parser *parser, vsg_txt_word name, vsg_obj_place place,
                     vsg_txt_kind kind, uint32_t id)
{
    char text[VSG_TXT_MESSAGE_SIZE];

    switch (vsg_txt_bind(&parser->variables, name, kind, id)) {
    case VSG_TXT_BOUND:
        return true;
    case VSG_TXT_TAKEN:
        return vsg_txt_report(parser, VSG_DIAG_REDEFINED, place, vsg_txt_message(name, text));
    case VSG_TXT_NOT_BOUND:
        break;
    }
    return vsg_txt_no_memory(parser);
}

/* ---- strings ---------------------------------------------------------------------------- */

bool vsg_txt_quoted_bytes(vsg_txt_parser *parser, const char **text, size_t *length)
{
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word word;

    switch (vsg_txt_take_string(&parser->lex, &word)) {
    case VSG_TXT_STRING_NONE:
        return false;
    case VSG_TXT_STRING_OPEN:
        place.end_column = place.column + 1;
        return vsg_txt_report(parser, VSG_DIAG_UNTERMINATED, place, "the string");
    case VSG_TXT_STRING_ESCAPE:
        return vsg_txt_report(parser, VSG_DIAG_SYNTAX, vsg_txt_since(parser, place),
                              "a \\ with an unknown letter", "one such as \\n, \\\" or \\\\");
    case VSG_TXT_STRING_OK:
        break;
    }
    char *copy = vsg_base_arena_text(&parser->module->arena, word.text, word.length);
    if (!copy)
        return vsg_txt_no_memory(parser);
    *length = vsg_txt_unescape(word, copy);
    copy[*length] = '\0';
    *text = copy;
    return true;
}

bool vsg_txt_quoted(vsg_txt_parser *parser, const char **text, size_t *length)
{
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);

    /* Names end at a NUL: none inside. */
    return vsg_txt_quoted_bytes(parser, text, length) &&
           (!memchr(*text, '\0', *length) ||
            vsg_txt_report(parser, VSG_DIAG_SYNTAX, vsg_txt_since(parser, place),
                           "a name with a NUL in it", "one without"));
}

bool vsg_txt_name_or_string(vsg_txt_parser *parser, const char *what, vsg_txt_word *word)
{
    if (vsg_txt_peek(&parser->lex) == '"')
        return vsg_txt_quoted(parser, &word->text, &word->length);
    *word = vsg_txt_take_label(&parser->lex);
    return word->length || vsg_txt_expected(parser, what);
}

/* ---- labels ----------------------------------------------------------------------------- */

uint32_t vsg_txt_label_of(vsg_txt_parser *parser, vsg_txt_word name, vsg_obj_place place)
{
    const vsg_txt_binding *there = vsg_txt_find(&parser->labels, name);
    vsg_obj_unit *unit = parser->unit;

    if (there)
        return there->id;
    const char *copy = vsg_obj_text(parser->module, name.text, name.length);
    vsg_obj_label *label = copy ? vsg_obj_add_label(parser->module, unit) : NULL;
    if (!label) {
        (void)vsg_txt_no_memory(parser);
        return UINT32_MAX;
    }
    uint32_t index = (uint32_t)(unit->num_labels - 1);
    label->name = copy;
    label->place = place;
    if (vsg_txt_bind(&parser->labels, name, VSG_TXT_KIND_LABEL, index) == VSG_TXT_NOT_BOUND) {
        (void)vsg_txt_no_memory(parser);
        return UINT32_MAX;
    }
    return index;
}

/* CISA.l and CISA.y of intel-graphics-compiler. A variable's type has four bits, all taken; the
 * word of a predicate, which holds .uniform, has no more; of the surface kind `surf` and of
 * lsc_extended_cache_ctrl the fields are not published. */
bool vsg_txt_without_encoding(vsg_txt_parser *parser, vsg_txt_word word, vsg_obj_place place)
{
    static const char *const words[] = {
        "hf8", "bf8", "tf32", "e2m1", "surf", "lsc_extended_cache_ctrl", "noreturn"};
    char text[VSG_TXT_MESSAGE_SIZE];

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (vsg_txt_same_word(word, words[i])) {
            (void)vsg_txt_report(parser, VSG_DIAG_NO_ENCODING, vsg_txt_since(parser, place),
                                 vsg_txt_message(word, text));
            return true;
        }
    return false;
}
