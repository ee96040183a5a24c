/* SPDX-License-Identifier: MIT */
#include "text/lexer.h"

#include <limits.h>
#include <string.h>

void vsg_txt_lexer_init(vsg_txt_lexer *lexer, const char *text, size_t size_bytes)
{
    if (!text)
        text = "";
    *lexer =
        (vsg_txt_lexer){.at = text, .end = text + size_bytes, .line_start = text, .line = 1};
}

/* ---- characters ------------------------------------------------------------------------- */

/* isalpha() and its kin depend on the locale. */
#define IN(c, low, high) ((c) >= (low) && (c) <= (high))
#define CLASS(c)                                                                               \
    ((IN(c, 'a', 'z') || IN(c, 'A', 'Z') || (c) == '_' ? VSG_TXT_LETTER : 0) |                 \
     (IN(c, '0', '9') ? VSG_TXT_DIGIT : 0) |                                                   \
     (IN(c, '0', '9') || IN(c, 'a', 'f') || IN(c, 'A', 'F') ? VSG_TXT_HEX : 0) |               \
     ((c) == '-' ? VSG_TXT_MINUS : 0) |                                                        \
     ((c) == '$' || (c) == '@' || (c) == '?' ? VSG_TXT_LABEL : 0) |                            \
     ((c) == ' ' || (c) == '\t' || (c) == '\r' ? VSG_TXT_BLANK : 0) |                          \
     ((c) == '/' ? VSG_TXT_SLASH : 0))
#define CLASSES4(c)  CLASS(c), CLASS((c) + 1), CLASS((c) + 2), CLASS((c) + 3)
#define CLASSES16(c) CLASSES4(c), CLASSES4((c) + 4), CLASSES4((c) + 8), CLASSES4((c) + 12)
#define CLASSES64(c) CLASSES16(c), CLASSES16((c) + 16), CLASSES16((c) + 32), CLASSES16((c) + 48)

const uint8_t vsg_txt_classes[256] = {CLASSES64(0), CLASSES64(64), CLASSES64(128),
                                      CLASSES64(192)};

enum { NAME = VSG_TXT_LETTER | VSG_TXT_DIGIT, IN_LABEL = NAME | VSG_TXT_LABEL | VSG_TXT_MINUS };

static bool is_hex(char c)
{
    return vsg_txt_class(c) & VSG_TXT_HEX;
}

static char second(const vsg_txt_lexer *lexer)
{
    return lexer->end - lexer->at > 1 ? lexer->at[1] : '\n';
}

/* ---- blanks and lines ------------------------------------------------------------------- */

static void skip_to_line_end(vsg_txt_lexer *lexer)
{
    const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
    lexer->at = newline ? newline : lexer->end;
}

static void skip_long_comment(vsg_txt_lexer *lexer)
{
    vsg_obj_place start = vsg_txt_here(lexer);

    lexer->at += 2;
    while (lexer->at < lexer->end) {
        if (*lexer->at == '*' && second(lexer) == '/') {
            lexer->at += 2;
            return;
        }
        if (*lexer->at == '\n')
            vsg_txt_new_line(lexer);
        else
            lexer->at++;
    }
    start.end_column = start.column + 2;
    lexer->open_comment = start;
}

/* Skips a comment if one is next. */
static bool skip_comment(vsg_txt_lexer *lexer)
{
    if (vsg_txt_next(lexer) != '/')
        return false;
    if (second(lexer) == '/')
        skip_to_line_end(lexer);
    else if (second(lexer) == '*')
        skip_long_comment(lexer);
    else
        return false;
    return true;
}

void vsg_txt_skip_comments(vsg_txt_lexer *lexer)
{
    while (skip_comment(lexer))
        lexer->at = vsg_txt_behind_blanks(lexer->at, lexer->end);
}

bool vsg_txt_take_behind(vsg_txt_lexer *lexer, char c)
{
    vsg_txt_lexer before = *lexer;

    if (vsg_txt_peek(lexer) == c && lexer->at < lexer->end) {
        lexer->at++;
        return true;
    }
    *lexer = before;
    return false;
}

static void skip_string(vsg_txt_lexer *lexer)
{
    lexer->at++;
    for (char c; (c = vsg_txt_next(lexer)) != '\n';) {
        lexer->at++;
        if (c == '"')
            return;
        if (c == '\\' && vsg_txt_next(lexer) != '\n')
            lexer->at++;
    }
}

void vsg_txt_skip_line(vsg_txt_lexer *lexer)
{
    while (lexer->at < lexer->end) {
        if (*lexer->at == '\n') {
            vsg_txt_new_line(lexer);
            return;
        }
        if (*lexer->at == '"')
            skip_string(lexer);
        else if (!skip_comment(lexer))
            lexer->at++;
    }
}

/* ---- names ------------------------------------------------------------------------------ */

static vsg_txt_word take_run(vsg_txt_lexer *lexer, unsigned sets)
{
    const char *from = lexer->at;

    lexer->at = vsg_txt_run(from, lexer->end, sets);
    return (vsg_txt_word){from, (size_t)(lexer->at - from)};
}

vsg_txt_word vsg_txt_take_name(vsg_txt_lexer *lexer)
{
    vsg_txt_skip_blanks(lexer);
    vsg_txt_word word = {lexer->at, 0};
    char c = vsg_txt_next(lexer);
    bool percent = c == '%';

    if (!vsg_txt_is_name_start(percent ? second(lexer) : c))
        return word;
    lexer->at = vsg_txt_run(lexer->at + 1, lexer->end, NAME);
    word.length = (size_t)(lexer->at - word.text);
    return word;
}

vsg_txt_word vsg_txt_take_label(vsg_txt_lexer *lexer)
{
    char c = vsg_txt_peek(lexer);

    if (!(vsg_txt_class(c) & (VSG_TXT_LETTER | VSG_TXT_LABEL)))
        return (vsg_txt_word){lexer->at, 0};
    return take_run(lexer, IN_LABEL);
}

vsg_txt_word vsg_txt_take_letters(vsg_txt_lexer *lexer)
{
    vsg_txt_skip_blanks(lexer);
    return take_run(lexer, NAME);
}

vsg_txt_word vsg_txt_take_any(vsg_txt_lexer *lexer)
{
    char c = vsg_txt_peek(lexer);
    vsg_txt_word word = {lexer->at, 0};

    if (c == '\n')
        return word;
    if (c == '"')
        skip_string(lexer);
    else if (vsg_txt_is_digit(c))
        (void)vsg_txt_take_letters(lexer);
    else if (vsg_txt_take_name(lexer).length == 0)
        lexer->at++;
    word.length = (size_t)(lexer->at - word.text);
    return word;
}

bool vsg_txt_take_keyword(vsg_txt_lexer *lexer, const char *text)
{
    vsg_txt_lexer before = *lexer;

    if (vsg_txt_word_is(vsg_txt_take_name(lexer), text))
        return true;
    *lexer = before;
    return false;
}

/* ---- numbers ---------------------------------------------------------------------------- */

vsg_txt_number vsg_txt_take_number(vsg_txt_lexer *lexer, uint64_t *value, vsg_txt_word *word)
{
    if (!vsg_txt_is_digit(vsg_txt_peek(lexer)))
        return VSG_TXT_NUMBER_NONE;
    bool hex = *lexer->at == '0' && (second(lexer) == 'x' || second(lexer) == 'X');
    unsigned base = hex ? 16 : 10;
    bool large = false;

    word->text = lexer->at;
    lexer->at += hex ? 2 : 0;
    const char *digits = lexer->at;
    *value = 0;
    for (; lexer->at < lexer->end; lexer->at++) {
        char c = *lexer->at;
        if (!(hex ? is_hex(c) : vsg_txt_is_digit(c)))
            break;
        unsigned digit = vsg_txt_digit(c);
        large |= *value > (UINT64_MAX - digit) / base;
        *value = *value * base + digit;
    }
    bool bad = lexer->at == digits || vsg_txt_is_name(vsg_txt_next(lexer));
    (void)take_run(lexer, NAME);
    word->length = (size_t)(lexer->at - word->text);
    if (bad)
        return VSG_TXT_NUMBER_BAD;
    return large ? VSG_TXT_NUMBER_LARGE : VSG_TXT_NUMBER_OK;
}

static bool take_exponent(vsg_txt_lexer *lexer)
{
    vsg_txt_lexer before = *lexer;
    char c = vsg_txt_next(lexer);

    if (c != 'e' && c != 'E')
        return false;
    lexer->at++;
    c = vsg_txt_next(lexer);
    lexer->at += c == '+' || c == '-';
    if (take_run(lexer, VSG_TXT_DIGIT).length)
        return true;
    *lexer = before;
    return false;
}

/* digits [ . digits ] [ e [sign] digits ], with at least one of the options */
vsg_txt_word vsg_txt_take_fraction(vsg_txt_lexer *lexer)
{
    vsg_txt_skip_blanks(lexer);
    vsg_txt_lexer before = *lexer;
    vsg_txt_word word = {lexer->at, 0};
    bool found = false;

    if (take_run(lexer, VSG_TXT_DIGIT).length == 0)
        return word;
    if (vsg_txt_next(lexer) == '.' && vsg_txt_is_digit(second(lexer))) {
        lexer->at++;
        (void)take_run(lexer, VSG_TXT_DIGIT);
        found = true;
    }
    found |= take_exponent(lexer);
    if (found)
        word.length = (size_t)(lexer->at - word.text);
    else
        *lexer = before;
    return word;
}

bool vsg_txt_is_fraction(vsg_txt_lexer *lexer)
{
    vsg_txt_lexer copy = *lexer;
    return vsg_txt_take_fraction(&copy).length != 0;
}

/* ---- strings ---------------------------------------------------------------------------- */

/* Escapes of one letter and what they stand for (reference parser, visa/CISA.l). */
static const char escape_letters[] = "abefnrtv'\"?\\";
static const char escape_values[] = "\a\b\033\f\n\r\t\v'\"?\\";

/* Length of the escape after a '\', 0 where it means nothing; *value: what it stands for. */
static size_t escape(const char *at, const char *end, char *value)
{
    const char *letter = at < end && *at ? strchr(escape_letters, *at) : NULL;
    unsigned number = 0;
    size_t length = 0;

    if (letter) {
        *value = escape_values[letter - escape_letters];
        return 1;
    }
    if (at < end && *at == 'x') {
        for (length = 1; length < 3 && at + length < end && is_hex(at[length]); length++)
            number = number * 16 + vsg_txt_digit(at[length]);
        length = length > 1 ? length : 0;
    } else {
        for (; length < 3 && at + length < end && at[length] >= '0' && at[length] < '8';
             length++)
            number = number * 8 + vsg_txt_digit(at[length]);
    }
    *value = (char)(unsigned char)number;
    return number <= UCHAR_MAX ? length : 0;
}

vsg_txt_string vsg_txt_take_string(vsg_txt_lexer *lexer, vsg_txt_word *word)
{
    if (vsg_txt_peek(lexer) != '"')
        return VSG_TXT_STRING_NONE;
    vsg_txt_string result = VSG_TXT_STRING_OK;
    lexer->at++;
    word->text = lexer->at;
    for (char c; (c = vsg_txt_next(lexer)) != '"'; lexer->at++) {
        if (c == '\n' || c == '\0')
            return VSG_TXT_STRING_OPEN;
        if (c == '\\') {
            char value;
            size_t length = escape(lexer->at + 1, lexer->end, &value);
            if (length == 0)
                result = VSG_TXT_STRING_ESCAPE;
            lexer->at += length;
        }
    }
    word->length = (size_t)(lexer->at - word->text);
    lexer->at++;
    return result;
}

size_t vsg_txt_unescape(vsg_txt_word word, char *out)
{
    const char *end = word.text + word.length;
    size_t length = 0;

    for (const char *at = word.text; at < end; at++) {
        char value = *at;
        if (value == '\\')
            at += escape(at + 1, end, &value);
        out[length++] = value;
    }
    return length;
}
