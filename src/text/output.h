/* SPDX-License-Identifier: MIT
 *
 * Text that is being written: a buffer that grows by whole lines and is handed to the caller
 * when it is large enough. Each function appends; once memory is out or the caller has refused,
 * nothing is appended any more and `status` says why. */
#ifndef VISAGE_TEXT_OUTPUT_H
#define VISAGE_TEXT_OUTPUT_H

#include <string.h>

#include "base/alloc.h"

typedef struct vsg_txt_output {
    const vsg_base_alloc *alloc; /* kept */
    visage_write_fn write;
    void *user;
    char *data;
    size_t length, capacity;
    size_t line; /* where the line begins */
    visage_status status;
} vsg_txt_output;

void vsg_txt_output_init(vsg_txt_output *out, const vsg_base_alloc *alloc,
                         visage_write_fn write, void *user);
/* Hands over what is left and frees the buffer. Returns the status. */
visage_status vsg_txt_output_finish(vsg_txt_output *out);

/* Makes room for `size` more bytes; false when memory is out. */
bool vsg_txt_output_grow(vsg_txt_output *out, size_t size);
/* Hands over what there is when it is much. To be called where a line begins. */
void vsg_txt_output_flush(vsg_txt_output *out);

void vsg_txt_put_decimal(vsg_txt_output *out, uint64_t value);
void vsg_txt_put_signed(vsg_txt_output *out, int64_t value);
/* "0x" and digits of the alphabet. */
void vsg_txt_put_hex(vsg_txt_output *out, uint64_t value, const char *alphabet);
#define VSG_TXT_LOWER "0123456789abcdef"
#define VSG_TXT_UPPER "0123456789ABCDEF"
/* "0x" and eight digits. */
void vsg_txt_put_dword(vsg_txt_output *out, uint32_t value);
/* The text in quotes, with escapes for what cannot stand between them. */
void vsg_txt_put_quoted(vsg_txt_output *out, const char *text);
/* The same of bytes, NULs among them. */
void vsg_txt_put_quoted_bytes(vsg_txt_output *out, const char *bytes, size_t size);
/* Blanks up to a column of the line, counted from 0; none where it is beyond. */
void vsg_txt_put_blanks_to(vsg_txt_output *out, size_t column);

static inline bool vsg_txt_has_room(vsg_txt_output *out, size_t size)
{
    return out->capacity - out->length >= size || vsg_txt_output_grow(out, size);
}

static inline void vsg_txt_put(vsg_txt_output *out, const char *text, size_t length)
{
    if (length == 0 || !vsg_txt_has_room(out, length))
        return;
    memcpy(out->data + out->length, text, length);
    out->length += length;
}

static inline void vsg_txt_put_text(vsg_txt_output *out, const char *text)
{
    vsg_txt_put(out, text, strlen(text));
}

static inline void vsg_txt_put_char(vsg_txt_output *out, char c)
{
    if (vsg_txt_has_room(out, 1))
        out->data[out->length++] = c;
}

/* Numbers of operands are small: one or two digits. */
static inline void vsg_txt_put_small(vsg_txt_output *out, uint32_t value)
{
    if (value >= 10) {
        vsg_txt_put_decimal(out, value);
        return;
    }
    vsg_txt_put_char(out, (char)('0' + value));
}

static inline void vsg_txt_put_newline(vsg_txt_output *out)
{
    vsg_txt_put_char(out, '\n');
    out->line = out->length;
}

#endif
