/* SPDX-License-Identifier: MIT
 *
 * Words of a vISA text. What a word means depends on where it stands (".f" may be a suffix, an
 * offset or a type), so the parser asks for the kind of word it expects; there is no token
 * stream. Nothing here reports: the parser does, with what it knows of the place. */
#ifndef VISAGE_TEXT_LEXER_H
#define VISAGE_TEXT_LEXER_H

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

/* Line and column of the next character, columns beyond 32 bits cut. */
vsg_obj_place vsg_txt_here(const vsg_txt_lexer *lexer);

/* Skips blanks and comments. Ends on another line only after a comment that does. */
void vsg_txt_skip_blanks(vsg_txt_lexer *lexer);
/* Skips blanks; the next character, '\n' at the end of the text too. */
char vsg_txt_peek(vsg_txt_lexer *lexer);
/* Takes `c` if it is next after blanks; otherwise takes nothing. */
bool vsg_txt_take(vsg_txt_lexer *lexer, char c);
/* The next character without skipping; '\n' at the end of the text. */
char vsg_txt_next(const vsg_txt_lexer *lexer);
/* Skips what is left of the line, comments and strings as wholes, and the line's end. */
void vsg_txt_skip_line(vsg_txt_lexer *lexer);

bool vsg_txt_is_name_start(char c); /* letter, '_' */
bool vsg_txt_is_name(char c);       /* letter, digit, '_' */
bool vsg_txt_is_digit(char c);

/* Each skips blanks first. */
vsg_txt_word vsg_txt_take_name(vsg_txt_lexer *lexer);    /* [%] name */
vsg_txt_word vsg_txt_take_label(vsg_txt_lexer *lexer);   /* name with $ @ ? - in it */
vsg_txt_word vsg_txt_take_letters(vsg_txt_lexer *lexer); /* letters, digits, '_' in any order */
/* The next word of any kind, for messages: name, number, string or one character. */
vsg_txt_word vsg_txt_take_any(vsg_txt_lexer *lexer);

/* A '.' that follows without a blank, and the letters, digits, '_' and '-' after it; the word
 * is without the '.' and may be empty. False where there is no '.'. */
bool vsg_txt_take_suffix(vsg_txt_lexer *lexer, vsg_txt_word *word);

/* Takes `text` if it is the whole next name. */
bool vsg_txt_take_keyword(vsg_txt_lexer *lexer, const char *text);
bool vsg_txt_word_is(vsg_txt_word word, const char *text);

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
