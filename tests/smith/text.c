/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void smith_put_bytes(smith_text *text, const char *data, size_t size)
{
    if (text->capacity - text->size <= size) {
        text->capacity = (text->capacity + size) * 2 + 1024;
        text->data = realloc(text->data, text->capacity);
        if (!text->data) {
            (void)fputs("out of memory\n", stderr);
            exit(2);
        }
    }
    memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void smith_put(smith_text *text, const char *format, ...)
{
    char line[512];
    va_list args;

    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    smith_put_bytes(text, line, length < (int)sizeof line ? (size_t)length : sizeof line - 1);
}

void smith_text_free(smith_text *text)
{
    free(text->data);
    *text = (smith_text){0};
}
