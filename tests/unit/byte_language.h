/* SPDX-License-Identifier: MIT
 *
 * Bytes written down as words, so that a malformed binary shows what is wrong with it. Words
 * are separated by blanks:
 *
 *   a0 01      bytes, two hexadecimal digits each, as many as one likes in a word
 *   w:N d:N    a number in two or four bytes, little-endian
 *   s:text     the characters; z:text the same and a NUL
 *   @x         names this place; x is one character
 *   $x         four bytes: the place of @x from the start
 *   #xy        four bytes: bytes from @x to @y
 *   *N word    the next word, N times
 *
 * Include after cmocka.h. */
#ifndef VISAGE_TESTS_BYTE_LANGUAGE_H
#define VISAGE_TESTS_BYTE_LANGUAGE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct byte_text {
    uint8_t *bytes;
    size_t size, capacity;
    size_t places[256];
} byte_text;

static inline void put_number(byte_text *out, uint64_t value, unsigned bytes)
{
    if (out->size + bytes > out->capacity) {
        out->capacity = 2 * out->capacity + bytes;
        out->bytes = realloc(out->bytes, out->capacity);
        assert_non_null(out->bytes);
    }
    for (unsigned i = 0; i < bytes; i++)
        out->bytes[out->size++] = (uint8_t)(value >> 8 * i);
}

static inline void put_hex(byte_text *out, const char *word, size_t length)
{
    assert_int_equal(length % 2, 0);
    for (size_t i = 0; i < length; i += 2) {
        char digits[3] = {word[i], word[i + 1], '\0'};
        char *end;
        put_number(out, strtoul(digits, &end, 16), 1);
        assert_true(end == digits + 2);
    }
}

static inline void put_word(byte_text *out, const char *word, size_t length)
{
    const unsigned char *x = (const unsigned char *)word;

    if (word[0] == '@') {
        out->places[x[1]] = out->size;
    } else if (word[0] == '$') {
        put_number(out, out->places[x[1]], 4);
    } else if (word[0] == '#') {
        put_number(out, out->places[x[2]] - out->places[x[1]], 4);
    } else if (length >= 2 && word[1] == ':' && strchr("wdsz", word[0])) {
        if (word[0] == 'w' || word[0] == 'd') {
            put_number(out, strtoull(word + 2, NULL, 0), word[0] == 'w' ? 2 : 4);
            return;
        }
        for (size_t i = 2; i < length; i++)
            put_number(out, x[i], 1);
        if (word[0] == 'z')
            put_number(out, 0, 1);
    } else {
        put_hex(out, word, length);
    }
}

static inline void put_words(byte_text *out, const char *text)
{
    while (*(text += strspn(text, " \n"))) {
        size_t times = 1, length = strcspn(text, " \n");
        if (*text == '*') {
            times = strtoul(text + 1, NULL, 10);
            text += length;
            text += strspn(text, " \n");
            length = strcspn(text, " \n");
        }
        while (times-- > 0)
            put_word(out, text, length);
        text += length;
    }
}

/* Places may be used before they are named: the text is read twice. free() .bytes. */
static inline byte_text make_bytes(const char *text)
{
    byte_text out = {.bytes = NULL};

    put_words(&out, text);
    out.size = 0;
    put_words(&out, text);
    return out;
}

#endif
