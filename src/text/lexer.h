/* SPDX-License-Identifier: MIT
 *
 * Words of a vISA text. What a word means depends on where it stands (".f" may be a suffix, an
 * offset or a type), so the parser asks for the kind of word it expects; there is no token
 * stream. Nothing here reports: the parser does, with what it knows of the place. */
#ifndef VISAGE_TEXT_LEXER_H
#define VISAGE_TEXT_LEXER_H

#include <string.h>

#include "object/object.h"

/* A part of the text, not NUL-terminated; length 0: nothing of the kind asked for was there. */
typedef struct vsg_txt_word {
    const char *text;
    size_t length;
} vsg_txt_word;

typedef struct vsg_txt_lexer {
    const char *at, *end;
    const char *line_start;
    uint32_t line;              /* from 1 */
    vsg_obj_place open_comment; /* of a comment that is not closed; line 0: none */
} vsg_txt_lexer;

/* text: kept. */
void vsg_txt_lexer_init(vsg_txt_lexer *lexer, const char *text, size_t size_bytes);

/* Sets of characters; a class of a character has one or more. */
enum {
    VSG_TXT_LETTER = 1, /* and '_' */
    VSG_TXT_DIGIT = 2,
    VSG_TXT_HEX = 4,
    VSG_TXT_MINUS = 8,
    VSG_TXT_LABEL = 16, /* $ @ ? */
    VSG_TXT_BLANK = 32,
    VSG_TXT_SLASH = 64 /* may begin a comment */
};
extern const uint8_t vsg_txt_classes[256];

static inline unsigned vsg_txt_class(char c)
{
    return vsg_txt_classes[(unsigned char)c];
}

static inline bool vsg_txt_is_name_start(char c) /* letter, '_' */
{
    return vsg_txt_class(c) & VSG_TXT_LETTER;
}

static inline bool vsg_txt_is_name(char c) /* letter, digit, '_' */
{
    return vsg_txt_class(c) & (VSG_TXT_LETTER | VSG_TXT_DIGIT);
}

static inline bool vsg_txt_is_digit(char c)
{
    return vsg_txt_class(c) & VSG_TXT_DIGIT;
}

/* Value of a hexadecimal digit. */
static inline unsigned vsg_txt_digit(char c)
{
    return vsg_txt_is_digit(c) ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
}

/* The first character from `at` on that is in none of the sets; `end` when there is none. */
static inline const char *vsg_txt_run(const char *at, const char *end, unsigned sets)
{
    while (end - at >= 4) {
        if (!(vsg_txt_class(at[0]) & sets))
            return at;
        if (!(vsg_txt_class(at[1]) & sets))
            return at + 1;
        if (!(vsg_txt_class(at[2]) & sets))
            return at + 2;
        if (!(vsg_txt_class(at[3]) & sets))
            return at + 3;
        at += 4;
    }
    while (at < end && vsg_txt_class(*at) & sets)
        at++;
    return at;
}

/* Behind blanks; listings have many in a row. */
static inline const char *vsg_txt_behind_blanks(const char *at, const char *end)
{
    if (at == end || !(vsg_txt_class(*at) & VSG_TXT_BLANK))
        return at;
    for (at++; end - at >= 8 && memcmp(at, "        ", 8) == 0;)
        at += 8;
    while (at < end && vsg_txt_class(*at) & VSG_TXT_BLANK)
        at++;
    return at;
}

/* Column of a character on the lexer's line, cut to 32 bits. */
static inline uint32_t vsg_txt_column(const vsg_txt_lexer *lexer, const char *at)
{
    size_t column = (size_t)(at - lexer->line_start) + 1;

    return column < UINT32_MAX ? (uint32_t)column : UINT32_MAX;
}

/* Line and column of the next character. */
static inline vsg_obj_place vsg_txt_here(const vsg_txt_lexer *lexer)
{
    return (vsg_obj_place){.line = lexer->line, .column = vsg_txt_column(lexer, lexer->at)};
}

/* What vsg_txt_skip_blanks() does where a comment may be next. */
void vsg_txt_skip_comments(vsg_txt_lexer *lexer);

/* Skips blanks and comments. Ends on another line only after a comment that does. */
static inline void vsg_txt_skip_blanks(vsg_txt_lexer *lexer)
{
    lexer->at = vsg_txt_behind_blanks(lexer->at, lexer->end);
    if (lexer->at < lexer->end && *lexer->at == '/')
        vsg_txt_skip_comments(lexer);
}

/* The next character without skipping; '\n' at the end of the text. */
static inline char vsg_txt_next(const vsg_txt_lexer *lexer)
{
    return lexer->at < lexer->end ? *lexer->at : '\n';
}

/* Skips blanks; the next character, '\n' at the end of the text too. */
static inline char vsg_txt_peek(vsg_txt_lexer *lexer)
{
    vsg_txt_skip_blanks(lexer);
    return vsg_txt_next(lexer);
}

/* What vsg_txt_take() does where blanks or a comment may be next. */
bool vsg_txt_take_behind(vsg_txt_lexer *lexer, char c);

/* Takes `c` if it is next after blanks; otherwise takes nothing. */
static inline bool vsg_txt_take(vsg_txt_lexer *lexer, char c)
{
    if (lexer->at == lexer->end)
        return false;
    if (*lexer->at == c) {
        lexer->at++;
        return true;
    }
    return vsg_txt_class(*lexer->at) & (VSG_TXT_BLANK | VSG_TXT_SLASH) &&
           vsg_txt_take_behind(lexer, c);
}

/* Takes the '\n' that is next. */
static inline void vsg_txt_new_line(vsg_txt_lexer *lexer)
{
    lexer->at++;
    lexer->line_start = lexer->at;
    if (lexer->line < UINT32_MAX)
        lexer->line++;
}

/* Skips what is left of the line, comments and strings as wholes, and the line's end. */
void vsg_txt_skip_line(vsg_txt_lexer *lexer);

/* Each skips blanks first. */
vsg_txt_word vsg_txt_take_name(vsg_txt_lexer *lexer);    /* [%] name */
vsg_txt_word vsg_txt_take_label(vsg_txt_lexer *lexer);   /* name with $ @ ? - in it */
vsg_txt_word vsg_txt_take_letters(vsg_txt_lexer *lexer); /* letters, digits, '_' in any order */
/* The next word of any kind, for messages: name, number, string or one character. */
vsg_txt_word vsg_txt_take_any(vsg_txt_lexer *lexer);

/* A '.' that follows without a blank, and the letters, digits, '_' and '-' after it; the word
 * is without the '.' and may be empty. False where there is no '.'. */
static inline bool vsg_txt_take_suffix(vsg_txt_lexer *lexer, vsg_txt_word *word)
{
    if (vsg_txt_next(lexer) != '.')
        return false;
    const char *from = lexer->at + 1;
    lexer->at = vsg_txt_run(from, lexer->end, VSG_TXT_LETTER | VSG_TXT_DIGIT | VSG_TXT_MINUS);
    *word = (vsg_txt_word){from, (size_t)(lexer->at - from)};
    return true;
}

/* Takes `text` if it is the whole next name. */
bool vsg_txt_take_keyword(vsg_txt_lexer *lexer, const char *text);
/* Where `text` is not a literal, the next function is faster. */
static inline bool vsg_txt_word_is(vsg_txt_word word, const char *text)
{
    return strlen(text) == word.length && memcmp(text, word.text, word.length) == 0;
}

static inline bool vsg_txt_same_word(vsg_txt_word word, const char *text)
{
    size_t i = 0;

    while (i < word.length && text[i] != '\0' && text[i] == word.text[i])
        i++;
    return i == word.length && text[i] == '\0';
}

typedef enum vsg_txt_number {
    VSG_TXT_NUMBER_NONE, /* no digit is next */
    VSG_TXT_NUMBER_OK,
    VSG_TXT_NUMBER_LARGE, /* does not fit into 64 bits */
    VSG_TXT_NUMBER_BAD    /* runs into letters */
} vsg_txt_number;

/* A decimal or 0x literal; skips blanks first. *word: the literal with what it runs into. */
vsg_txt_number vsg_txt_take_number(vsg_txt_lexer *lexer, uint64_t *value, vsg_txt_word *word);

/* Is a literal with a fraction or an exponent next? */
bool vsg_txt_is_fraction(vsg_txt_lexer *lexer);
/* Takes it. */
vsg_txt_word vsg_txt_take_fraction(vsg_txt_lexer *lexer);

typedef enum vsg_txt_string {
    VSG_TXT_STRING_NONE, /* no quote is next */
    VSG_TXT_STRING_OK,
    VSG_TXT_STRING_OPEN,  /* not closed on its line */
    VSG_TXT_STRING_ESCAPE /* has a \ that means nothing */
} vsg_txt_string;

/* A string in quotes; skips blanks first. *word: between the quotes, escapes as written. */
vsg_txt_string vsg_txt_take_string(vsg_txt_lexer *lexer, vsg_txt_word *word);
/* Writes what the escapes of a string stand for to `out`, which has room for word.length bytes;
 * returns the length. */
size_t vsg_txt_unescape(vsg_txt_word word, char *out);

#endif
