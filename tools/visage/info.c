/* SPDX-License-Identifier: MIT */
#include "info.h"

#include <stdlib.h>
#include <string.h>

/* ---- texts ------------------------------------------------------------------------------ */

/* Bytes of the character at `text`, of which `length` are left; 0 where it is no UTF-8. */
static size_t character(const unsigned char *text, size_t length)
{
    static const struct {
        unsigned char low, high;               /* of the first byte */
        unsigned char second_low, second_high; /* Unicode, table 3-7 */
        unsigned char bytes;
    } rows[] = {
        {0x20, 0x7e, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (text[0] < rows[i].low || text[0] > rows[i].high)
            continue;
        if (rows[i].bytes > length || (rows[i].bytes > 1 && (text[1] < rows[i].second_low ||
                                                             text[1] > rows[i].second_high)))
            return 0;
        for (size_t n = 2; n < rows[i].bytes; n++)
            if ((text[n] & 0xc0) != 0x80)
                return 0;
        /* U+0080 to U+009F are control characters. */
        return text[0] == 0xc2 && text[1] < 0xa0 ? 0 : rows[i].bytes;
    }
    return 0;
}

char *info_escape(const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    char *escaped = malloc(4 * length + 1), *to = escaped;

    while (escaped && at < end) {
        size_t bytes = character(at, (size_t)(end - at));
        if (bytes == 0) {
            to += snprintf(to, 5, "\\x%02x", *at++);
            continue;
        }
        if (*at == '\\')
            *to++ = '\\';
        memcpy(to, at, bytes);
        to += bytes;
        at += bytes;
    }
    if (escaped)
        *to = '\0';
    return escaped;
}

size_t info_string_length(const visage_attribute *attribute)
{
    size_t length = strlen(attribute->string);

    /* Of a word such as 3d the size is that of its code. */
    return attribute->size_bytes > length ? attribute->size_bytes : length;
}

/* ---- words ------------------------------------------------------------------------------ */

const char *info_argument_kind(visage_argument_kind kind)
{
    static const char *const words[] = {"value", "buffer", "local", "image", "sampler"};
    return words[kind];
}

const char *info_linkage(visage_linkage linkage)
{
    static const char *const words[] = {"extern", "static", "global"};
    return words[linkage];
}

const char *info_class(visage_class class_)
{
    static const char *const words[] = {"general", "address", "predicate", "sampler",
                                        "surface", "label",   "unit"};
    return words[class_];
}

const char *info_label_kind(visage_label_kind kind)
{
    static const char *const words[] = {"block", "subroutine", "kernel"};
    return words[kind];
}

/* ---- instructions ----------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const info_count *x = a;
    const info_count *y = b;

    if (x->number != y->number)
        return x->number < y->number ? 1 : -1;
    return x->row < y->row ? -1 : x->row > y->row;
}

info_count *info_count_instructions(const visage_module *module, size_t unit, size_t *used)
{
    size_t rows = visage_isa_count();
    info_count *counts = calloc(rows ? rows : 1, sizeof *counts);

    *used = 0;
    for (size_t i = 0; counts && i < rows; i++) {
        size_t number = visage_module_count_instructions(module, unit, i);
        if (number)
            counts[(*used)++] = (info_count){i, number};
    }
    if (counts)
        qsort(counts, *used, sizeof *counts, by_number);
    return counts;
}

const char *info_mnemonic(size_t row, char *text, size_t size)
{
    visage_isa_entry entry;

    return visage_isa_get(row, &entry, text, size) == VISAGE_OK ? entry.mnemonic : "?";
}
