/* SPDX-License-Identifier: MIT
 *
 * Messages to memory that the caller attached (outputs.h): render-target writes, URB writes,
 * append counters. Source: RT_WRITE, URB_WRITE, LSC_UNTYPED (AppendCounterAtomicAdd). What the
 * pages leave to the hardware's documents is listed in docs/spec-notes.md. */
#include <assert.h>

#include "exec/float16.h"
#include "exec/format.h"
#include "exec/handlers.h"
#include "exec/message.h"
#include "exec/operand.h"
#include "exec/outputs.h"

/* ---- preparing a render-target write ----------------------------------------------------- */

/* Bits of Mode. */
enum {
    MODE_INDEX = 1 << 2,
    MODE_SOURCE0_ALPHA = 1 << 3,
    MODE_MASK = 1 << 4,
    MODE_DEPTH = 1 << 5,
    MODE_STENCIL = 1 << 6,
    MODE_CPS = 1 << 8,
    MODE_SAMPLE_INDEX = 1 << 11,
    MODE_NULL_TARGET = 1 << 12
};

/* What goes with a message of pixels; absent operands are null. */
struct vsg_exe_pixels {
    uint32_t mode;
    vsg_exe_scalar index;
    vsg_exe_operand header, colour[4], mask, depth, stencil;
};

enum { HEADER_GRFS = 2, OLD_GRF_BYTES = 32 };

/* The list's next operand when `mode` says that it is there. */
static const vsg_obj_operand *take(const vsg_obj_inst *inst, uint32_t *next, uint32_t present)
{
    return present && *next < inst->num_operands ? &inst->operands[(*next)++] : NULL;
}

static bool take_raw(vsg_exe_builder *builder, const vsg_obj_inst *inst, uint32_t *next,
                     uint32_t present, vsg_exe_operand *out)
{
    return vsg_exe_decode_raw(builder, inst, take(inst, next, present), out);
}

static bool take_index(vsg_exe_builder *builder, const vsg_obj_inst *inst, uint32_t *next,
                       struct vsg_exe_pixels *pixels)
{
    const vsg_obj_operand *operand = take(inst, next, pixels->mode & MODE_INDEX);

    pixels->index.is_constant = true;
    if (!operand)
        return true;
    if (operand->class_ == VSG_OBJ_CLASS_IMMEDIATE) {
        pixels->index.value = (int64_t)operand->value;
        return true;
    }
    pixels->index.is_constant = false;
    return vsg_exe_decode(builder, inst, operand, 1, &pixels->index.operand);
}

static bool is_colour(const vsg_exe_operand *operand)
{
    return operand->is_null || operand->type == VISAGE_TYPE_F ||
           operand->type == VISAGE_TYPE_HF;
}

/* The list in the order of the page: SI, CPS, RTI, s0a, oM, R, G, B, A, Z, stencil. The sample
 * index, the coarse counter and the first source's alpha have no effect on attached images. */
static bool take_parameters(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                            struct vsg_exe_pixels *pixels)
{
    int first = vsg_isa_operand(inst->op, "parameters");
    uint32_t next = first < 0 ? inst->num_operands : (uint32_t)first;
    vsg_exe_operand unused;

    (void)take(inst, &next, pixels->mode & MODE_SAMPLE_INDEX);
    (void)take(inst, &next, pixels->mode & MODE_CPS);
    if (!take_index(builder, inst, &next, pixels) ||
        !take_raw(builder, inst, &next, pixels->mode & MODE_SOURCE0_ALPHA, &unused) ||
        !take_raw(builder, inst, &next, pixels->mode & MODE_MASK, &pixels->mask))
        return false;
    for (uint32_t c = 0; c < 4; c++) {
        if (!take_raw(builder, inst, &next, 1, &pixels->colour[c]))
            return false;
        assert(is_colour(&pixels->colour[c]));
    }
    return take_raw(builder, inst, &next, pixels->mode & MODE_DEPTH, &pixels->depth) &&
           take_raw(builder, inst, &next, pixels->mode & MODE_STENCIL, &pixels->stencil);
}

bool vsg_exe_prepare_rt_write(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                              vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    struct vsg_exe_pixels *pixels = vsg_exe_keep(builder, 1, sizeof *pixels);

    if (!message || !pixels)
        return false;
    message->pixels = pixels;
    pixels->mode = (uint32_t)vsg_exe_number(inst, "mode");
    return vsg_exe_message_surface(builder, inst, message) &&
           vsg_exe_message_raw(builder, inst, "header", HEADER_GRFS * OLD_GRF_BYTES,
                               &pixels->header) &&
           take_parameters(builder, inst, pixels);
}

/* ---- places of pixels -------------------------------------------------------------------- */

typedef struct pixel_place {
    uint32_t x, y;
} pixel_place;

/* Four channels are a square of 2 x 2 pixels. A header has the squares' places in dwords 2 to 5
 * of its second register, y in the upper half. Without one the squares of a thread lie beside
 * each other at the thread's place. */
static void find_places(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        pixel_place *out)
{
    const struct vsg_exe_pixels *pixels = inst->message->pixels;
    uint32_t squares = inst->exec_size / 4;

    for (uint32_t n = 0; n < inst->exec_size; n++) {
        uint32_t x = 2 * (thread->group->id[0] * squares + n / 4);
        uint32_t y = 2 * thread->group->id[1];
        if (!pixels->header.is_null) {
            uint32_t place;
            const uint8_t *header = vsg_exe_raw_at(thread, &pixels->header);
            memcpy(&place, header + OLD_GRF_BYTES + 4 * (2 + n / 4), sizeof place);
            x = place & 0xffff;
            y = place >> 16;
        }
        out[n] = (pixel_place){x + (n & 1), y + (n >> 1 & 1)};
    }
}

/* Host address of a pixel, 0 outside the image. */
static uint64_t find_pixel(const vsg_exe_surface *image, pixel_place place)
{
    uint64_t at =
        (uint64_t)place.y * image->pitch_bytes + (uint64_t)place.x * image->texel_bytes;

    if (place.x >= image->width || place.y >= image->height || at >= image->size_bytes ||
        image->size_bytes - at < image->texel_bytes)
        return 0;
    return image->address + at;
}

/* ---- writing them ------------------------------------------------------------------------ */

/* Colour bits of channel n as F. A colour that is not given is 0. */
static uint32_t read_colour(const vsg_exe_thread *thread, const vsg_exe_operand *operand,
                            uint32_t n)
{
    uint32_t bits = 0;

    if (operand->is_null)
        return 0;
    const uint8_t *registers = vsg_exe_raw_at(thread, operand);
    if (operand->type == VISAGE_TYPE_HF) {
        uint16_t half;
        memcpy(&half, registers + 2 * (size_t)n, sizeof half);
        float value = vsg_exe_half_to_float(half);
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    memcpy(&bits, registers + 4 * (size_t)n, sizeof bits);
    return bits;
}

/* Channels whose sample mask has a bit; there is one sample. */
static uint32_t covered(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *operand = &inst->message->pixels->mask;
    uint32_t channels = vsg_exe_channels(thread, inst);

    if (operand->is_null)
        return channels;
    const uint8_t *masks = vsg_exe_raw_at(thread, operand);
    for (uint32_t n = 0; n < inst->exec_size; n++)
        if (!(masks[2 * n] & 1))
            channels &= ~(1u << n);
    return channels;
}

/* Writes values that are no colours, `bytes` of each channel. */
static void write_plane(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_operand *operand, const vsg_exe_surface *image,
                        uint32_t bytes, uint32_t channels)
{
    pixel_place places[VSG_EXE_MAX_CHANNELS];

    if (operand->is_null || image->kind != VSG_EXE_SURFACE_IMAGE || image->texel_bytes != bytes)
        return;
    const uint8_t *registers = vsg_exe_raw_at(thread, operand);
    find_places(thread, inst, places);
    for (uint32_t n = 0; n < inst->exec_size; n++) {
        uint64_t host = channels >> n & 1 ? find_pixel(image, places[n]) : 0;
        if (host)
            memcpy((void *)(uintptr_t)host, registers + (size_t)n * bytes, bytes);
    }
}

/* The attached image, or the one bound to the surface that the instruction names. */
static const vsg_exe_surface *find_target(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_outputs *outputs = thread->launch->outputs;
    int64_t index;

    if (!vsg_exe_scalar_read(thread, inst, &inst->message->pixels->index, &index))
        return NULL;
    if (index < 0 || index >= VSG_EXE_NUM_TARGETS) {
        vsg_exe_message_fault(thread, inst, "render-target index is not 0 to 7");
        return NULL;
    }
    if (outputs && outputs->targets[index].kind != VSG_EXE_SURFACE_NONE)
        return &outputs->targets[index];
    return vsg_exe_open_image(thread, inst, inst->message);
}

static void write_colours(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t channels)
{
    const struct vsg_exe_pixels *pixels = inst->message->pixels;
    const vsg_exe_surface *image = find_target(thread, inst);
    pixel_place places[VSG_EXE_MAX_CHANNELS];

    if (!image)
        return;
    const vsg_exe_format_info *format = vsg_exe_format_of(image->format);
    if (!format || format->texel_bytes != image->texel_bytes) {
        vsg_exe_message_fault(thread, inst, "a render target has no format");
        return;
    }
    find_places(thread, inst, places);
    for (uint32_t n = 0; n < inst->exec_size; n++) {
        uint64_t host = channels >> n & 1 ? find_pixel(image, places[n]) : 0;
        uint32_t rgba[4];
        if (!host)
            continue;
        for (uint32_t c = 0; c < 4; c++)
            rgba[c] = read_colour(thread, &pixels->colour[c], n);
        vsg_exe_texel_write(format, (uint8_t *)(uintptr_t)host, rgba, 0xf);
    }
}

void vsg_exe_do_rt_write(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const struct vsg_exe_pixels *pixels = inst->message->pixels;
    const vsg_exe_outputs *outputs = thread->launch->outputs;
    uint32_t channels = covered(thread, inst);

    if (channels == 0)
        return;
    if (!(pixels->mode & MODE_NULL_TARGET))
        write_colours(thread, inst, channels);
    if (!outputs || thread->stop == VSG_EXE_STOP_FAULT)
        return;
    write_plane(thread, inst, &pixels->depth, &outputs->depth, 4, channels);
    write_plane(thread, inst, &pixels->stencil, &outputs->stencil, 1, channels);
}

/* ---- URB --------------------------------------------------------------------------------- */

/* Bytes of the units that handles and offsets count. */
enum { URB_HANDLE_BYTES = 64, URB_OFFSET_BYTES = 16, URB_VERTICES = 8 };

bool vsg_exe_prepare_urb_write(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                               vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_message_new(builder, inst, out);
    uint32_t count = (uint32_t)vsg_exe_number(inst, "num_out");

    if (!message)
        return false;
    assert(count >= 1 && count <= 8 && inst->exec_size == URB_VERTICES);
    if (!vsg_exe_message_elements(builder, message, 4, 4, count, 0))
        return false;
    message->pitch_bytes = builder->program->grf_bytes;
    message->offset = (int64_t)vsg_exe_number(inst, "global_offset") * URB_OFFSET_BYTES;
    return vsg_exe_message_address(builder, inst, "handle", 4, URB_VERTICES, message) &&
           vsg_exe_message_raw(builder, inst, "per_slot_offset", 4 * URB_VERTICES,
                               &message->value) &&
           vsg_exe_message_raw(builder, inst, "channel_mask", 4 * URB_VERTICES,
                               &message->comparand) &&
           vsg_exe_message_data(builder, inst, "vertex_data", message, URB_VERTICES,
                                &message->data);
}

/* Dword n of a raw operand; `absent` where there is none. */
static uint32_t read_dword(const vsg_exe_thread *thread, const vsg_exe_operand *operand,
                           uint32_t n, uint32_t absent)
{
    if (!operand->is_null)
        memcpy(&absent, vsg_exe_raw_at(thread, operand) + 4 * (size_t)n, sizeof absent);
    return absent;
}

void vsg_exe_do_urb_write(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    const vsg_exe_outputs *outputs = thread->launch->outputs;
    uint32_t channels = vsg_exe_channels(thread, inst);

    if (channels == 0 || message->data.is_null)
        return;
    if (!outputs || outputs->urb.kind == VSG_EXE_SURFACE_NONE) {
        vsg_exe_message_fault(thread, inst, "no buffer is attached for URB writes");
        return;
    }
    vsg_exe_window window = {.size_bytes = outputs->urb.size_bytes,
                             .host = outputs->urb.address,
                             .shown = outputs->urb.address};
    const uint8_t *data = vsg_exe_raw_at(thread, &message->data);
    for (uint32_t n = 0; n < URB_VERTICES; n++) {
        uint32_t mask = read_dword(thread, &message->comparand, n, 0xff);
        uint64_t at = (uint64_t)message->offset +
                      (uint64_t)read_dword(thread, &message->address, n, 0) * URB_HANDLE_BYTES +
                      (uint64_t)read_dword(thread, &message->value, n, 0) * URB_OFFSET_BYTES;
        for (uint32_t i = 0; i < message->num_elements; i++) {
            uint32_t value;
            if (!(channels >> n & 1) || !(mask >> i & 1))
                continue;
            uint64_t host = vsg_exe_window_at(&window, at + 4 * i, 4);
            if (!host) {
                vsg_exe_outside(thread, inst, &window, VSG_EXE_ACCESS_WRITE, n, at + 4 * i);
                return;
            }
            memcpy(&value, data + i * message->pitch_bytes + 4 * (size_t)n, sizeof value);
            vsg_exe_poke(host, 4, value);
        }
    }
}

/* ---- append counters --------------------------------------------------------------------- */

void vsg_exe_do_append(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    const vsg_exe_outputs *outputs = thread->launch->outputs;
    uint32_t channels = vsg_exe_channels(thread, inst);
    uint32_t bytes = message->memory_bytes;
    uint64_t values[VSG_EXE_MAX_CHANNELS];
    uint64_t unused[VSG_EXE_MAX_CHANNELS];
    uint64_t entry;

    if (channels == 0 || !vsg_exe_find_entry(thread, inst, message, &entry))
        return;
    if (!outputs || entry >= VSG_EXE_NUM_SURFACES ||
        outputs->counters[entry].kind == VSG_EXE_SURFACE_NONE ||
        outputs->counters[entry].size_bytes < bytes) {
        vsg_exe_message_fault(thread, inst, "no append counter is attached to the surface");
        return;
    }
    vsg_exe_atomic_sources(thread, inst, values, unused);
    uint8_t *slots = message->data.is_null ? NULL : vsg_exe_raw_at(thread, &message->data);
    for (uint32_t n = 0; n < inst->exec_size; n++) {
        if (!(channels >> n & 1))
            continue;
        uint64_t old =
            vsg_exe_atomic_run((vsg_exe_atomic)message->atomic, bytes,
                               outputs->counters[entry].address, values[n], 0, false);
        if (slots)
            vsg_exe_slot_write(slots + (size_t)n * message->register_bytes, message, old);
    }
}

/* ---- the unpublished --------------------------------------------------------------------- */

void vsg_exe_do_unpublished(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_UNPUBLISHED, -1, 0, 0);
}
