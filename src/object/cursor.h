/* SPDX-License-Identifier: MIT
 *
 * Reading little-endian fields out of bytes. The error is sticky: a whole record is read, then
 * `failed` is looked at once; it says which field the bytes ended in. */
#ifndef VISAGE_OBJECT_CURSOR_H
#define VISAGE_OBJECT_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vsg_obj_cursor {
    const uint8_t *data;
    size_t at, end; /* at <= end */
    bool failed;
    const char *field; /* failed: in the document's word */
    size_t needed;     /* bytes, of which fewer were left */
} vsg_obj_cursor;

static inline size_t vsg_obj_left(const vsg_obj_cursor *in)
{
    return in->end - in->at;
}

/* The next `size` bytes, NULL when there are fewer. */
static inline const uint8_t *vsg_obj_bytes_of(vsg_obj_cursor *in, size_t size,
                                              const char *field)
{
    if (in->failed)
        return NULL;
    if (vsg_obj_left(in) < size) {
        in->failed = true;
        in->field = field;
        in->needed = size;
        return NULL;
    }
    const uint8_t *bytes = in->data + in->at;
    in->at += size;
    return bytes;
}

/* 0 when the bytes have ended. size: 1 to 8. */
static inline uint64_t vsg_obj_number(vsg_obj_cursor *in, unsigned size, const char *field)
{
    const uint8_t *bytes = vsg_obj_bytes_of(in, size, field);
    uint64_t value = 0;

    for (unsigned i = 0; bytes && i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static inline uint8_t vsg_obj_u8(vsg_obj_cursor *in, const char *field)
{
    return (uint8_t)vsg_obj_number(in, 1, field);
}

static inline uint16_t vsg_obj_u16(vsg_obj_cursor *in, const char *field)
{
    return (uint16_t)vsg_obj_number(in, 2, field);
}

static inline uint32_t vsg_obj_u32(vsg_obj_cursor *in, const char *field)
{
    return (uint32_t)vsg_obj_number(in, 4, field);
}

#endif
