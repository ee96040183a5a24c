/* SPDX-License-Identifier: MIT
 *
 * Two-dimensional blocks: of a surface that the instruction itself describes, and of images.
 * Source: LSC_UNTYPED, LOAD_BLOCK2D and STORE_BLOCK2D; MEDIA_LD, MEDIA_ST. */
#include "exec/block.h"
#include "exec/handlers.h"
#include "exec/image.h"
#include "exec/operand.h"

/* ---- block2d ----------------------------------------------------------------------------- */

bool vsg_exe_plane_read(vsg_exe_thread *thread, const vsg_exe_inst *inst, vsg_exe_plane *out)
{
    const vsg_exe_block2d *block = inst->message->block;
    int64_t base, width, height, pitch, x, y;

    if (!vsg_exe_scalar_read(thread, inst, &block->base, &base) ||
        !vsg_exe_scalar_read(thread, inst, &block->width, &width) ||
        !vsg_exe_scalar_read(thread, inst, &block->height, &height) ||
        !vsg_exe_scalar_read(thread, inst, &block->pitch, &pitch) ||
        !vsg_exe_scalar_read(thread, inst, &block->x, &x) ||
        !vsg_exe_scalar_read(thread, inst, &block->y, &y))
        return false;
    *out =
        (vsg_exe_plane){.base = (uint64_t)base,
                        .pitch_bytes = (uint64_t)(uint32_t)pitch + 1,
                        .columns = ((int64_t)(uint32_t)width + 1) / inst->message->memory_bytes,
                        .rows = (int64_t)(uint32_t)height + 1,
                        .x = (int32_t)x,
                        .y = (int32_t)y};
    return true;
}

bool vsg_exe_plane_row(const vsg_exe_message *message, const vsg_exe_plane *surface,
                       vsg_exe_block_row *row)
{
    const vsg_exe_block2d *block = message->block;
    int64_t at = surface->y + row->y;
    int64_t left = surface->x + (int64_t)row->block * block->block_width;
    int64_t begin = left < 0 ? -left : 0;
    int64_t end = surface->columns - left;

    if (end > block->block_width)
        end = block->block_width;
    if (at < 0 || at >= surface->rows || begin >= end)
        return false;
    row->first = (uint32_t)begin;
    row->count = (uint32_t)(end - begin);
    row->address = surface->base + (uint64_t)at * surface->pitch_bytes +
                   (uint64_t)(left + begin) * message->memory_bytes;
    return true;
}

/* The same, to access. False: there is nothing to, or a fault was raised. */
static bool find_row(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                     const vsg_exe_plane *surface, vsg_exe_access access,
                     vsg_exe_block_row *row)
{
    const vsg_exe_message *message = inst->message;
    vsg_exe_window window = {.space = &thread->launch->space};
    uint32_t bytes = message->memory_bytes;

    if (!vsg_exe_plane_row(message, surface, row))
        return false;
    uint64_t address = row->address;
    if (vsg_exe_window_at(&window, address, (uint64_t)row->count * bytes))
        return true;
    while (vsg_exe_window_at(&window, address, bytes))
        address += bytes;
    vsg_exe_outside(thread, inst, &window, access, 0, address);
    return false;
}

/* Place in the registers of column x and row y of a block. VNNI puts the elements of a dword,
 * which come from successive rows (columns when transposed), next to each other. */
uint32_t vsg_exe_block_element(const vsg_exe_message *message, uint32_t x, uint32_t y)
{
    const vsg_exe_block2d *block = message->block;
    uint32_t group = block->vnni && message->memory_bytes < 4 ? 4u / message->memory_bytes : 1;
    uint32_t row = block->transposed ? x : y;
    uint32_t column = block->transposed ? y : x;

    return row / group * group * block->row_elements + column * group + row % group;
}

static void load_row(const vsg_exe_message *message, const vsg_exe_block_row *s,
                     uint8_t *registers)
{
    const vsg_exe_block2d *block = message->block;
    uint32_t bytes = message->memory_bytes;

    registers += (size_t)s->block * block->block_elements * bytes;
    if (!block->transposed && !block->vnni) {
        memcpy(registers + (size_t)vsg_exe_block_element(message, s->first, s->y) * bytes,
               (const void *)(uintptr_t)s->address, (size_t)s->count * bytes);
        return;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        uint64_t value = vsg_exe_peek(s->address + (uint64_t)i * bytes, bytes);
        memcpy(registers + (size_t)vsg_exe_block_element(message, s->first + i, s->y) * bytes,
               &value, bytes);
    }
}

void vsg_exe_do_load_block2d(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    const vsg_exe_block2d *block = message->block;
    vsg_exe_plane surface;

    if (vsg_exe_channels(thread, inst) == 0 || message->data.is_null ||
        !vsg_exe_plane_read(thread, inst, &surface))
        return;
    uint8_t *registers = vsg_exe_raw_at(thread, &message->data);
    /* Padding and everything outside the surface is 0. */
    memset(registers, 0,
           (size_t)block->num_blocks * block->block_elements * message->memory_bytes);
    for (uint32_t b = 0; b < block->num_blocks; b++) {
        for (uint32_t y = 0; y < block->block_height; y++) {
            vsg_exe_block_row s = {.block = b, .y = y};
            if (find_row(thread, inst, &surface, VSG_EXE_ACCESS_READ, &s))
                load_row(message, &s, registers);
            else if (thread->stop == VSG_EXE_STOP_FAULT)
                return;
        }
    }
}

/* One block, rows of it behind each other in the registers as a load has them. The page's
 * formula has its two subscripts exchanged; its text says "similar to load block2d". */
void vsg_exe_do_store_block2d(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    const vsg_exe_block2d *block = message->block;
    vsg_exe_plane surface;

    if (vsg_exe_channels(thread, inst) == 0 || message->data.is_null ||
        !vsg_exe_plane_read(thread, inst, &surface))
        return;
    const uint8_t *registers = vsg_exe_raw_at(thread, &message->data);
    for (uint32_t y = 0; y < block->block_height; y++) {
        vsg_exe_block_row s = {.y = y};
        if (find_row(thread, inst, &surface, VSG_EXE_ACCESS_WRITE, &s))
            memcpy((void *)(uintptr_t)s.address,
                   registers + (size_t)vsg_exe_block_element(message, s.first, y) *
                                   message->memory_bytes,
                   (size_t)s.count * message->memory_bytes);
        else if (thread->stop == VSG_EXE_STOP_FAULT)
            return;
    }
}

/* ---- media blocks ------------------------------------------------------------------------ */

static int64_t clamp(int64_t value, int64_t last)
{
    return value < 0 ? 0 : value > last ? last : value;
}

/* A block's place in an image. */
typedef struct picture {
    const vsg_exe_surface *image;
    int64_t x, y;          /* of the block: bytes, rows */
    int64_t width, height; /* of the image (its field): bytes, rows */
} picture;

static bool open_picture(vsg_exe_thread *thread, const vsg_exe_inst *inst, picture *out)
{
    const vsg_exe_media *media = inst->message->media;
    int64_t x, y;

    if (inst->message->data.is_null ||
        !(out->image = vsg_exe_open_image(thread, inst, inst->message)) ||
        !vsg_exe_scalar_read(thread, inst, &media->x, &x) ||
        !vsg_exe_scalar_read(thread, inst, &media->y, &y))
        return false;
    int64_t rows = out->image->height;
    out->x = (int32_t)x;
    out->y = (int32_t)y;
    out->width = (int64_t)out->image->width * out->image->texel_bytes;
    out->height = (rows - media->field + media->stride - 1) / media->stride;
    if (out->width > 0 && out->height > 0)
        return true;
    vsg_exe_message_fault(thread, inst, "a media message names an image without texels");
    return false;
}

/* Host address of a row of the image; 0 where the surface is smaller than it should be. */
static uint64_t picture_row(const picture *p, const vsg_exe_media *media, int64_t row)
{
    uint64_t at = ((uint64_t)row * media->stride + media->field) * p->image->pitch_bytes;

    if (at > p->image->size_bytes || p->image->size_bytes - at < (uint64_t)p->width)
        return 0;
    return p->image->address + at;
}

/* Outside the image the texel at its border is repeated; the page leaves it to the surface's
 * format, and this is what programs for image filters expect. */
static void load_media_row(const picture *p, uint64_t host, uint32_t width, uint8_t *registers)
{
    uint32_t texel = p->image->texel_bytes;

    if (p->x >= 0 && p->x + width <= p->width) {
        memcpy(registers, (const void *)(uintptr_t)(host + (uint64_t)p->x), width);
        return;
    }
    for (uint32_t j = 0; j < width; j++) {
        int64_t at = p->x + j;
        int64_t within = ((at % texel) + texel) % texel;
        if (at < 0)
            at = within;
        else if (at >= p->width)
            at = p->width - texel + within;
        registers[j] = (uint8_t)vsg_exe_peek(host + (uint64_t)at, 1);
    }
}

/* The bytes of a row that a load reads, of texels at the border all. */
static void tell_media_row(vsg_exe_watch *watch, const picture *p, uint64_t host,
                           uint32_t width)
{
    int64_t texel = p->image->texel_bytes;
    int64_t begin = clamp(p->x, p->width - texel);
    int64_t end = clamp(p->x + width, p->width);

    if (end < begin + texel)
        end = begin + texel;
    vsg_exe_watch_touch(watch, host + (uint64_t)begin, (uint32_t)(end - begin), 0, NULL);
}

void vsg_exe_do_media_load(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    const vsg_exe_media *media = message->media;
    picture p;

    if (!open_picture(thread, inst, &p))
        return;
    uint8_t *registers = vsg_exe_raw_at(thread, &message->data);
    for (uint32_t i = 0; i < media->height; i++) {
        uint8_t *row = registers + (size_t)i * media->row_bytes;
        uint64_t host = picture_row(&p, media, clamp(p.y + i, p.height - 1));
        if (host) {
            tell_media_row(thread->watch, &p, host, media->width);
            load_media_row(&p, host, media->width, row);
        } else {
            memset(row, 0, media->width);
        }
    }
}

void vsg_exe_do_media_store(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    const vsg_exe_media *media = message->media;
    picture p;

    if (!open_picture(thread, inst, &p))
        return;
    const uint8_t *registers = vsg_exe_raw_at(thread, &message->data);
    int64_t begin = clamp(-p.x, media->width);
    int64_t end = clamp(p.width - p.x, media->width);
    for (uint32_t i = 0; i < media->height; i++) {
        int64_t row = p.y + i;
        uint64_t host = row < 0 || row >= p.height ? 0 : picture_row(&p, media, row);
        if (!host || begin >= end)
            continue;
        const uint8_t *row_bytes = registers + (size_t)i * media->row_bytes + begin;
        host += (uint64_t)(p.x + begin);
        vsg_exe_watch_touch(thread->watch, host, (uint32_t)(end - begin), 0, row_bytes);
        memcpy((void *)(uintptr_t)host, row_bytes, (size_t)(end - begin));
    }
}
