/* SPDX-License-Identifier: MIT */
#include "text/output.h"

enum { FIRST_BYTES = 16 << 10, FLUSH_BYTES = 64 << 10 };

void vsg_txt_output_init(vsg_txt_output *out, const vsg_base_alloc *alloc,
                         visage_write_fn write, void *user)
{
    *out = (vsg_txt_output){.alloc = alloc, .write = write, .user = user};
}

bool vsg_txt_output_grow(vsg_txt_output *out, size_t size)
{
    size_t wanted = out->capacity ? out->capacity : FIRST_BYTES;

    if (out->status != VISAGE_OK)
        return false;
    while (wanted - out->length < size && wanted <= SIZE_MAX / 2)
        wanted *= 2;
    char *grown = wanted - out->length >= size
                      ? out->alloc->resize(out->alloc->user, out->data, out->capacity, wanted)
                      : NULL;
    if (!grown) {
        out->status = VISAGE_NO_MEMORY;
        return false;
    }
    out->data = grown;
    out->capacity = wanted;
    return true;
}

static void hand_over(vsg_txt_output *out)
{
    if (out->status == VISAGE_OK && out->length &&
        !out->write(out->user, out->data, out->length))
        out->status = VISAGE_IO;
    out->length = 0;
    out->line = 0;
}

void vsg_txt_output_flush(vsg_txt_output *out)
{
    if (out->length >= FLUSH_BYTES)
        hand_over(out);
}

visage_status vsg_txt_output_finish(vsg_txt_output *out)
{
    hand_over(out);
    vsg_base_delete(out->alloc, out->data, out->capacity, 1);
    out->data = NULL;
    out->capacity = 0;
    return out->status;
}

void vsg_txt_put_decimal(vsg_txt_output *out, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    vsg_txt_put(out, digits + at, sizeof digits - at);
}

void vsg_txt_put_signed(vsg_txt_output *out, int64_t value)
{
    if (value < 0)
        vsg_txt_put_char(out, '-');
    vsg_txt_put_decimal(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void vsg_txt_put_hex(vsg_txt_output *out, uint64_t value, const char *alphabet)
{
    char digits[18];
    size_t at = sizeof digits;

    do {
        digits[--at] = alphabet[value & 15];
        value >>= 4;
    } while (value);
    digits[--at] = 'x';
    digits[--at] = '0';
    vsg_txt_put(out, digits + at, sizeof digits - at);
}

void vsg_txt_put_dword(vsg_txt_output *out, uint32_t value)
{
    static const char digits[] = VSG_TXT_LOWER;

    vsg_txt_put_text(out, "0x");
    for (unsigned shift = 32; shift > 0;)
        vsg_txt_put_char(out, digits[value >> (shift -= 4) & 15]);
}

/* One character of a string; what no line can hold as three octal digits, which the lexer reads
 * as one character whatever follows. */
static void put_escaped(vsg_txt_output *out, unsigned char c)
{
    char octal[4] = {'\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)),
                     (char)('0' + (c & 7))};

    if (c < ' ' || c == 0x7f) {
        vsg_txt_put(out, octal, sizeof octal);
        return;
    }
    if (c == '"' || c == '\\')
        vsg_txt_put_char(out, '\\');
    vsg_txt_put_char(out, (char)c);
}

void vsg_txt_put_quoted(vsg_txt_output *out, const char *text)
{
    vsg_txt_put_quoted_bytes(out, text, strlen(text));
}

void vsg_txt_put_quoted_bytes(vsg_txt_output *out, const char *bytes, size_t size)
{
    vsg_txt_put_char(out, '"');
    for (size_t i = 0; i < size; i++)
        put_escaped(out, (unsigned char)bytes[i]);
    vsg_txt_put_char(out, '"');
}

void vsg_txt_put_blanks_to(vsg_txt_output *out, size_t column)
{
    size_t used = out->length - out->line;

    if (used >= column || !vsg_txt_has_room(out, column - used))
        return;
    memset(out->data + out->length, ' ', column - used);
    out->length += column - used;
}
