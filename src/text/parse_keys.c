/* SPDX-License-Identifier: MIT
 *
 * Keys of declarations and inputs. Sources: 4_visa_header (variables, inputs), spec dialect
 * 4.2. */
#include "text/keys.h"

#include <string.h>

void vsg_txt_no_keys(vsg_txt_keys *out)
{
    out->given = 0;
    out->v_type = 0;
    out->type = VISAGE_TYPE_UD;
    out->num_elements = 1;
    out->offset = out->size = 0;
    out->align = 0;
    out->alias = 0;
    out->alias_offset = 0;
    out->alias_is_global = false;
    out->v_name = NULL;
    out->attributes = (vsg_obj_attributes){0};
    out->numbered = false;
}

/* ---- one function a key ------------------------------------------------------------------ */

/* number [= "bytes"]: the name is a string of a pool that no page says */
static bool numbered_attribute(vsg_txt_parser *parser, vsg_obj_attributes *list)
{
    vsg_obj_attribute *added = vsg_obj_add_attribute(parser->module, list);
    int64_t number;
    size_t length;

    if (!added)
        return vsg_txt_no_memory(parser);
    *added = (vsg_obj_attribute){.name = "", .string = "", .place = vsg_txt_here(&parser->lex)};
    if (!vsg_txt_integer(parser, VSG_TXT_LEVEL_PRIMARY, "the number of the attribute's name", 0,
                         UINT32_MAX, &number))
        return false;
    added->value = number;
    if (!vsg_txt_take(&parser->lex, '='))
        return true;
    vsg_txt_skip_blanks(&parser->lex);
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    if (vsg_txt_peek(&parser->lex) != '"')
        return vsg_txt_expected(parser, "a string");
    if (!vsg_txt_quoted_bytes(parser, &added->string, &length))
        return false;
    added->size_bytes = (uint8_t)length;
    return vsg_txt_within(parser, vsg_txt_since(parser, place), VSG_OBJ_LIMIT_ATTRIBUTE_SIZE,
                          length);
}

/* { name [= value] , ... } */
static bool attributes(vsg_txt_parser *parser, vsg_obj_attributes *list, bool numbered)
{
    if (!vsg_txt_need(parser, '{'))
        return false;
    do {
        if (!(numbered ? numbered_attribute : vsg_txt_attribute)(parser, list))
            return false;
    } while (vsg_txt_take(&parser->lex, ','));
    return vsg_txt_need(parser, '}');
}

static bool is_class(char c)
{
    return c == 'G' || c == 'A' || c == 'P' || c == 'S' || c == 'T';
}

static bool read_v_type(vsg_txt_parser *parser, vsg_txt_keys *out)
{
    vsg_txt_lexer before = parser->lex;
    vsg_txt_word word = vsg_txt_take_name(&parser->lex);

    if (word.length == 1 && is_class(word.text[0])) {
        out->v_type = word.text[0];
        return true;
    }
    parser->lex = before;
    return vsg_txt_expected(parser, "G, A, P, S or T");
}

static bool read_type(vsg_txt_parser *parser, vsg_txt_keys *out)
{
    vsg_txt_lexer before = parser->lex;
    vsg_txt_word word = vsg_txt_take_name(&parser->lex);

    out->type = vsg_txt_find_type(parser->tables, word);
    if (out->type != VISAGE_TYPE_COUNT)
        return true;
    if (vsg_txt_without_encoding(parser, word, vsg_txt_here(&before)))
        return false;
    parser->lex = before;
    return vsg_txt_expected(parser, "a type such as d, ud or f");
}

static bool read_num_elts(vsg_txt_parser *parser, vsg_txt_keys *out)
{
    /* The bounds depend on the class of variable, which may come later. */
    return vsg_txt_integer(parser, VSG_TXT_LEVEL_FULL, "num_elts", 0, UINT32_MAX,
                           &out->num_elements);
}

/* Bytes to the code of an alignment, as the reference parser maps them: 32 is hword, not GRF.
 */
static int align_of_bytes(int64_t bytes)
{
    static const struct {
        int64_t bytes;
        const char *word;
    } rows[] = {{1, "byte"},   {2, "word"},   {4, "dword"},    {8, "qword"},
                {16, "oword"}, {32, "hword"}, {64, "wordx32"}, {128, "wordx64"}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].bytes == bytes)
            return vsg_isa_find_word(VSG_ISA_WORDS_ALIGN, rows[i].word, strlen(rows[i].word));
    return -1;
}

static bool read_align(vsg_txt_parser *parser, vsg_txt_keys *out)
{
    vsg_txt_skip_blanks(&parser->lex);
    vsg_txt_lexer before = parser->lex;
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    vsg_txt_word word = vsg_txt_take_letters(&parser->lex);
    int code = vsg_isa_find_word(VSG_ISA_WORDS_ALIGN, word.text, word.length);
    vsg_txt_value bytes;

    if (code < 0) {
        parser->lex = before;
        if (word.length && vsg_txt_is_name_start(word.text[0]))
            return vsg_txt_expected(parser, "an alignment such as dword, hword or GRF");
        if (!vsg_txt_evaluate(parser, VSG_TXT_LEVEL_FULL, &bytes))
            return false;
        code = bytes.wide ? -1 : align_of_bytes(bytes.bits);
    }
    if (code < 0)
        return vsg_txt_report(parser, VSG_DIAG_NUMBER, vsg_txt_since(parser, place),
                              "the alignment is no power of two from 1 to 128");
    out->align = (uint8_t)code;
    return true;
}

/* The file-scope variable that a name in quotes means: the one declared last. */
static bool find_file_variable(vsg_txt_parser *parser, vsg_txt_keys *out)
{
    char text[VSG_TXT_MESSAGE_SIZE];
    vsg_txt_word name;

    if (!vsg_txt_quoted(parser, &name.text, &name.length))
        return false;
    out->alias_place = vsg_txt_since(parser, out->alias_place);
    out->alias_is_global = true;
    const vsg_txt_binding *found = vsg_txt_find(&parser->file_variables, name);
    if (!found)
        return vsg_txt_report(parser, VSG_DIAG_NO_FILE_VARIABLE, out->alias_place,
                              vsg_txt_message(name, text));
    out->alias = found->id;
    return true;
}

static bool find_alias(vsg_txt_parser *parser, vsg_txt_keys *out)
{
    if (vsg_txt_peek(&parser->lex) == '"')
        return find_file_variable(parser, out);
    vsg_txt_word name = vsg_txt_take_name(&parser->lex);
    out->alias_place = vsg_txt_since(parser, out->alias_place);
    out->alias_is_global = false;
    if (name.length == 0)
        return vsg_txt_expected(parser, "a general variable");
    return vsg_txt_lookup_kind(parser, name, out->alias_place, VSG_TXT_KIND_GENERAL,
                               &out->alias);
}

/* <variable, bytes> as files have it or (variable, bytes) as the documents do */
static bool read_alias(vsg_txt_parser *parser, vsg_txt_keys *out)
{
    bool angle = vsg_txt_take(&parser->lex, '<');

    if (!angle && !vsg_txt_take(&parser->lex, '('))
        return vsg_txt_expected(parser, "<variable, bytes>");
    vsg_txt_skip_blanks(&parser->lex);
    out->alias_place = vsg_txt_here(&parser->lex);
    return find_alias(parser, out) && vsg_txt_need(parser, ',') &&
           vsg_txt_integer(parser, angle ? VSG_TXT_LEVEL_NO_ANGLE : VSG_TXT_LEVEL_FULL,
                           "the offset of the alias", 0, UINT16_MAX, &out->alias_offset) &&
           vsg_txt_need(parser, angle ? '>' : ')');
}

static bool read_v_name(vsg_txt_parser *parser, vsg_txt_keys *out)
{
    vsg_txt_word word;

    if (!vsg_txt_name_or_string(parser, "a name", &word))
        return false;
    out->v_name = vsg_obj_text(parser->module, word.text, word.length);
    return out->v_name || vsg_txt_no_memory(parser);
}

static bool read_attrs(vsg_txt_parser *parser, vsg_txt_keys *out)
{
    return attributes(parser, &out->attributes, out->numbered);
}

static bool read_offset(vsg_txt_parser *parser, vsg_txt_keys *out)
{
    return vsg_txt_integer(parser, VSG_TXT_LEVEL_FULL, "offset", INT16_MIN, INT16_MAX,
                           &out->offset);
}

static bool read_size(vsg_txt_parser *parser, vsg_txt_keys *out)
{
    return vsg_txt_integer(parser, VSG_TXT_LEVEL_FULL, "size", 0, UINT16_MAX, &out->size);
}

typedef struct key_row {
    const char *text;
    bool (*read)(vsg_txt_parser *parser, vsg_txt_keys *out);
} key_row;

static const key_row key_rows[VSG_TXT_KEY_COUNT] = {
#define KEY(id, text_, read_) [VSG_TXT_KEY_##id] = {text_, read_},
    VSG_TXT_KEYS(KEY)
#undef KEY
};

const char *vsg_txt_key_text(vsg_txt_key key)
{
    return key_rows[key].text;
}

/* The key whose name and '=' are next, without a blank between, as listings have it;
 * VSG_TXT_KEY_COUNT when there is none. *bytes: their length. */
static vsg_txt_key quick_key(const vsg_txt_lexer *lex, size_t *bytes)
{
    const char *at = lex->at;

    if (lex->end - at < 16) /* more than any */
        return VSG_TXT_KEY_COUNT;
#define KEY(id, text, read)                                                                    \
    *bytes = sizeof text;                                                                      \
    if (memcmp(at, text "=", sizeof text) == 0)                                                \
        return VSG_TXT_KEY_##id;
    VSG_TXT_KEYS(KEY)
#undef KEY
    return VSG_TXT_KEY_COUNT;
}

/* ---- keys as listings have them --------------------------------------------------------- */

enum { QUICK_WORD = 16, QUICK_BYTES = 128 /* more than vsg_txt_quick_keys() looks at */ };

/* Takes a text. There are QUICK_BYTES. */
#define TAKE(at, literal)                                                                      \
    (memcmp(at, literal, sizeof(literal) - 1) == 0 && ((at) += sizeof(literal) - 1, true))

static void quick_place(const vsg_txt_parser *parser, vsg_txt_keys *out, vsg_txt_key key,
                        const char *at)
{
    static const uint8_t lengths[VSG_TXT_KEY_COUNT] = {
#define KEY(id, text, read) [VSG_TXT_KEY_##id] = sizeof text - 1,
        VSG_TXT_KEYS(KEY)
#undef KEY
    };
    uint32_t column = vsg_txt_column(&parser->lex, at);

    vsg_txt_set_given(out, key,
                      (vsg_obj_place){.line = parser->lex.line,
                                      .column = column,
                                      .end_column = column + lengths[key]});
}

/* Takes up to five digits; false where there are none, or more. */
static bool quick_number(const char **at, uint32_t *number)
{
    enum { MOST = 5 };
    const char *from = *at;

    *number = 0;
    while (*at - from <= MOST && vsg_txt_is_digit(**at))
        *number = *number * 10 + vsg_txt_digit(*(*at)++);
    return *at > from && *at - from <= MOST;
}

static bool quick_type(const vsg_txt_tables *tables, const char **at, visage_type *type)
{
    vsg_txt_word word = {*at, vsg_txt_is_name((*at)[1]) ? 2 : 1};

    *type = vsg_txt_find_type(tables, word);
    *at += word.length;
    return *type != VISAGE_TYPE_COUNT;
}

/* Most variables are aligned as the one before. */
static bool quick_align(vsg_txt_parser *parser, const char **at, uint8_t *align)
{
    const char *end = vsg_txt_run(*at, *at + QUICK_WORD, VSG_TXT_LETTER | VSG_TXT_DIGIT);
    vsg_txt_word word = {*at, (size_t)(end - *at)};
    const vsg_txt_word *last = &parser->align_word;

    if (word.length == 0)
        return false;
    if (word.length != last->length || memcmp(word.text, last->text, word.length) != 0) {
        int code = vsg_isa_find_word(VSG_ISA_WORDS_ALIGN, word.text, word.length);
        if (code < 0)
            return false;
        parser->align_word = word;
        parser->align = (uint8_t)code;
    }
    *align = parser->align;
    *at = end;
    return true;
}

/* Takes "alias=<variable, bytes>" of a variable that is not predefined. */
static bool quick_alias(const vsg_txt_parser *parser, const char **at, vsg_txt_keys *out)
{
    uint32_t offset;

    if (!TAKE(*at, "alias=<"))
        return false;
    vsg_txt_word name = {*at, 0};
    *at = vsg_txt_run(*at, *at + QUICK_WORD, VSG_TXT_LETTER | VSG_TXT_DIGIT);
    name.length = (size_t)(*at - name.text);
    const vsg_txt_binding *binding = vsg_txt_find(&parser->variables, name);
    if (!binding || binding->kind != VSG_TXT_KIND_GENERAL ||
        binding->id < VSG_ISA_NUM_PREDEFINED || !TAKE(*at, ", ") ||
        !quick_number(at, &offset) || offset > UINT16_MAX || *(*at)++ != '>' ||
        **at == '>' /* a shift */)
        return false;
    uint32_t column = vsg_txt_column(&parser->lex, name.text);
    out->alias = binding->id;
    out->alias_offset = offset;
    out->alias_place = (vsg_obj_place){.line = parser->lex.line,
                                       .column = column,
                                       .end_column = column + (uint32_t)name.length};
    return true;
}

void vsg_txt_quick_keys(vsg_txt_parser *parser, vsg_txt_keys *out)
{
    vsg_txt_lexer *lex = &parser->lex;
    const char *at = lex->at;
    uint32_t number;

    if (lex->end - at < QUICK_BYTES || !TAKE(at, " v_type=G "))
        return;
    quick_place(parser, out, VSG_TXT_KEY_V_TYPE, lex->at + 1);
    out->v_type = 'G';
    lex->at = at;
    if (!TAKE(at, "type=") || !quick_type(parser->tables, &at, &out->type) || *at++ != ' ')
        return;
    quick_place(parser, out, VSG_TXT_KEY_TYPE, lex->at);
    lex->at = at;
    /* The name of the next key ends the number for sure. */
    if (!TAKE(at, "num_elts=") || !quick_number(&at, &number) || *at++ != ' ' ||
        !vsg_txt_is_name_start(*at))
        return;
    quick_place(parser, out, VSG_TXT_KEY_NUM_ELTS, lex->at);
    out->num_elements = number;
    lex->at = at;
    if (!TAKE(at, "align=") || !quick_align(parser, &at, &out->align) ||
        (*at != ' ' && *at != '\n'))
        return;
    quick_place(parser, out, VSG_TXT_KEY_ALIGN, lex->at);
    lex->at = at;
    if (*at++ != ' ' || !quick_alias(parser, &at, out))
        return;
    quick_place(parser, out, VSG_TXT_KEY_ALIAS, lex->at + 1);
    lex->at = at;
}

/* ---- any keys --------------------------------------------------------------------------- */

/* Reads one key = value; `allowed`: bit n allows key n. */
static bool key(vsg_txt_parser *parser, unsigned allowed, vsg_txt_keys *out)
{
    char text[VSG_TXT_MESSAGE_SIZE];
    vsg_obj_place place = vsg_txt_here(&parser->lex);
    size_t bytes;
    vsg_txt_key found = quick_key(&parser->lex, &bytes);

    if (found < VSG_TXT_KEY_COUNT && allowed & 1u << found && !vsg_txt_is_given(out, found)) {
        parser->lex.at += bytes;
        place.end_column = place.column + (uint32_t)bytes - 1;
        vsg_txt_set_given(out, found, place);
        return key_rows[found].read(parser, out);
    }
    vsg_txt_lexer before = parser->lex;
    vsg_txt_word word = vsg_txt_take_name(&parser->lex);
    found = 0;
    while (found < VSG_TXT_KEY_COUNT && !vsg_txt_same_word(word, key_rows[found].text))
        found++;
    if (found == VSG_TXT_KEY_COUNT || !(allowed & 1u << found)) {
        parser->lex = before;
        return vsg_txt_expected(parser, allowed & 1u << VSG_TXT_KEY_V_TYPE
                                            ? "v_type=, type=, num_elts=, align=, alias=, "
                                              "v_name=, attrs= or the end of the line"
                                        : allowed & 1u << VSG_TXT_KEY_TYPE
                                            ? "type=, num_elts=, align= or the end of the line"
                                            : "offset=, size= or the end of the line");
    }
    place = vsg_txt_since(parser, place);
    if (vsg_txt_is_given(out, found))
        return vsg_txt_report(parser, VSG_DIAG_REDEFINED, place, vsg_txt_message(word, text));
    vsg_txt_set_given(out, found, place);
    /* The appendix writes alias without '='. */
    if (!vsg_txt_take(&parser->lex, '=') && found != VSG_TXT_KEY_ALIAS)
        return vsg_txt_expected(parser, "'='");
    return key_rows[found].read(parser, out);
}

bool vsg_txt_read_keys(vsg_txt_parser *parser, unsigned allowed, vsg_txt_keys *out)
{
    char c;

    while ((c = vsg_txt_peek(&parser->lex)) != '\n' && c != '}')
        if (!key(parser, allowed, out))
            return false;
    return true;
}
