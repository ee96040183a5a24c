/* SPDX-License-Identifier: MIT */
#include "runtime/attach.h"

#include <stdlib.h>
#include <string.h>

#include "exec/format.h"

/* A place that something can be attached to. */
typedef struct attach_row {
    const char *name; /* a number follows where count is not 1 */
    size_t first;     /* byte of the first surface in vsg_exe_outputs */
    uint32_t count;   /* of surfaces */
    bool is_image;
    uint32_t texel_bytes; /* of an image; 0: any */
} attach_row;

static const attach_row rows[] = {
    {"rt", offsetof(vsg_exe_outputs, targets), VSG_EXE_NUM_TARGETS, true, 0},
    {"depth", offsetof(vsg_exe_outputs, depth), 1, true, 4},
    {"stencil", offsetof(vsg_exe_outputs, stencil), 1, true, 1},
    {"urb", offsetof(vsg_exe_outputs, urb), 1, false, 0},
    {"counter", offsetof(vsg_exe_outputs, counters), VSG_EXE_BTI_BINDLESS, false, 0},
};

/* The number behind the row's name. False: the text is not of this row. */
static bool match(const attach_row *row, const char *text, uint32_t *number)
{
    size_t length = strlen(row->name);
    char *end;

    *number = 0;
    if (strncmp(text, row->name, length) != 0)
        return false;
    text += length;
    if (row->count == 1)
        return *text == '\0';
    if (*text < '0' || *text > '9')
        return false;
    unsigned long value = strtoul(text, &end, 10);
    *number = (uint32_t)value;
    return *end == '\0' && value < row->count;
}

static visage_status refuse(const visage_launch *launch, const char *name, const char *why,
                            visage_diagnostics *diagnostics)
{
    vsg_base_location where = vsg_run_here(launch->kernel);

    vsg_base_report(diagnostics, VSG_DIAG_ATTACH, &where, name, why);
    return VISAGE_INVALID;
}

/* Makes a buffer an image whose rows follow each other without gaps. Returns why it is none,
 * NULL where it is one. */
static const char *make_image(const attach_row *row, const char *format, const uint32_t size[2],
                              vsg_exe_surface *image)
{
    uint32_t number =
        format ? vsg_exe_format_find(format, strlen(format)) : VSG_EXE_FORMAT_COUNT;
    const vsg_exe_format_info *facts = vsg_exe_format_of(number);

    if (!facts)
        return "it needs an image format";
    if (row->texel_bytes && facts->texel_bytes != row->texel_bytes)
        return "the format has texels of another size";
    if (!size || size[0] == 0 || size[1] == 0)
        return "an image needs at least one texel in each dimension";
    uint64_t pitch = (uint64_t)size[0] * facts->texel_bytes;
    if (pitch > UINT32_MAX || pitch * size[1] > image->size_bytes)
        return "the buffer is smaller than the image";
    image->kind = VSG_EXE_SURFACE_IMAGE;
    image->format = number;
    image->texel_bytes = facts->texel_bytes;
    image->width = size[0];
    image->height = size[1];
    image->depth = 1;
    image->pitch_bytes = (uint32_t)pitch;
    image->size_bytes = pitch * size[1];
    return NULL;
}

visage_status vsg_run_attach(visage_launch *launch, const char *name,
                             const visage_buffer *buffer, const char *format,
                             const uint32_t size[2], visage_diagnostics *diagnostics)
{
    vsg_exe_surface surface = {.kind = VSG_EXE_SURFACE_NONE};
    const attach_row *row = NULL;
    const char *why = NULL;
    uint32_t number = 0;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && !row; i++)
        if (match(&rows[i], name, &number))
            row = &rows[i];
    if (!row)
        return refuse(launch, name,
                      "there are rt0 to rt7, depth, stencil, urb, counter0 to "
                      "counter251",
                      diagnostics);
    if (buffer && buffer->memory != launch->program->device->memory)
        return refuse(launch, name, "the buffer belongs to another device", diagnostics);
    if (buffer) {
        surface = vsg_run_buffer_surface(buffer, 0);
        if (row->is_image)
            why = make_image(row, format, size, &surface);
    }
    if (why)
        return refuse(launch, name, why, diagnostics);
    memcpy((uint8_t *)&launch->outputs + row->first + number * sizeof surface, &surface,
           sizeof surface);
    return VISAGE_OK;
}
