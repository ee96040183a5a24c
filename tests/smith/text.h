/* SPDX-License-Identifier: MIT
 *
 * A text that grows. */
#ifndef VISAGE_TESTS_SMITH_TEXT_H
#define VISAGE_TESTS_SMITH_TEXT_H

#include <stddef.h>

typedef struct smith_text {
    char *data; /* ends with a NUL; NULL: nothing was put yet */
    size_t size, capacity;
} smith_text;

/* Exits the program when memory is out, as do all that make texts. */
void smith_put(smith_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void smith_put_bytes(smith_text *text, const char *data, size_t size);
void smith_text_free(smith_text *text);

#endif
