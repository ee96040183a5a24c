/* SPDX-License-Identifier: MIT
 *
 * Typed messages: texels of an image by coordinates, converted between the image's format and
 * dwords. Source: GATHER4_TYPED, SCATTER4_TYPED, TYPED_ATOMIC, LSC_TYPED. */
#include "exec/format.h"
#include "exec/fpmode.h"
#include "exec/handlers.h"
#include "exec/image.h"
#include "exec/message.h"
#include "exec/operand.h"
#include "exec/texel_lanes.h"

/* The image and the coordinates of every channel. */
typedef struct texels {
    const vsg_exe_surface *image;
    const vsg_exe_format_info *format;
    uint64_t at[4][VSG_EXE_MAX_CHANNELS]; /* u, v, r, lod */
} texels;

/* Copies of fixed sizes: one of as many bytes as a variable says is a loop. */
static uint64_t read_coordinate(const uint8_t *from, uint32_t bytes)
{
    uint32_t dword;
    uint64_t other = 0;

    if (bytes == sizeof dword) {
        memcpy(&dword, from, sizeof dword);
        return dword;
    }
    memcpy(&other, from, bytes);
    return other;
}

/* A coordinate that is not given (%null) is 0. */
static void read_coordinates(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                             texels *out)
{
    const vsg_exe_message *message = inst->message;
    uint32_t bytes = message->address_bytes;

    for (uint32_t i = 0; i < 4; i++) {
        if (message->coordinates[i].is_null) {
            memset(out->at[i], 0, inst->exec_size * sizeof out->at[i][0]);
            continue;
        }
        const uint8_t *registers = vsg_exe_raw_at(thread, &message->coordinates[i]);
        for (uint32_t n = 0; n < inst->exec_size; n++)
            out->at[i][n] = read_coordinate(registers + (size_t)n * bytes, bytes);
    }
}

/* image: NULL where it is not there, which is reported. */
static bool open_texels(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_surface *image, texels *out)
{
    out->image = image;
    if (!image)
        return false;
    out->format = vsg_exe_format_of(out->image->format);
    if (!out->format || out->format->texel_bytes != out->image->texel_bytes) {
        vsg_exe_message_fault(thread, inst, "a typed message names an image without a format");
        return false;
    }
    vsg_exe_use_math_mode(thread);
    return true;
}

static bool take_texels(vsg_exe_thread *thread, const vsg_exe_inst *inst, texels *out)
{
    return open_texels(thread, inst, vsg_exe_open_image(thread, inst, inst->message), out);
}

/* A coordinate in the registers is unsigned: what is far outside stays so. */
static int64_t as_coordinate(uint64_t value)
{
    return value > INT32_MAX ? -1 : (int64_t)value;
}

/* Host address of channel n's texel; 0 outside the image. */
static uint64_t find_texel(const texels *t, uint32_t n)
{
    const int64_t uvr[3] = {as_coordinate(t->at[0][n]), as_coordinate(t->at[1][n]),
                            as_coordinate(t->at[2][n])};
    int64_t at[3];
    vsg_exe_level level;

    if (t->at[3][n] >= VSG_EXE_MOST_LEVELS ||
        !vsg_exe_image_level(t->image, (uint32_t)t->at[3][n], &level))
        return 0;
    vsg_exe_image_place(t->image, uvr, at);
    return vsg_exe_image_texel(t->image, &level, at, 0);
}

/* ---- eight channels at a time ------------------------------------------------------------ */

/* NULL: channels are told one by one; else fills in which go along. */
static const vsg_exe_texel_level *find_level(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                             const vsg_exe_surface *image, uint32_t channels,
                                             vsg_exe_texel_channels *out)
{
    const vsg_exe_message *message = inst->message;
    const vsg_exe_texel_level *level = &image->texels;

    if (!message->goes_along || thread->watch || !level->lanes ||
        !vsg_exe_texel_is_first_level(thread, &message->coordinates[3], channels))
        return NULL;
    vsg_exe_use_math_mode(thread);
    vsg_exe_texel_take(thread, inst, message->coordinates, level->axes, channels, out);
    return level;
}

/* ---- loads and stores -------------------------------------------------------------------- */

void vsg_exe_do_typed_load(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    uint32_t channels = vsg_exe_active(thread, inst);
    vsg_exe_texel_channels all;
    texels t;

    if (channels == 0 || message->data.is_null)
        return;
    const vsg_exe_surface *image = vsg_exe_open_image(thread, inst, message);
    const vsg_exe_texel_level *level =
        image ? find_level(thread, inst, image, channels, &all) : NULL;
    if (level)
        level->lanes->fetch(level, level->outside, &all);
    if (level || !open_texels(thread, inst, image, &t))
        return;
    uint8_t *slots = vsg_exe_raw_at(thread, &message->data);
    read_coordinates(thread, inst, &t);
    for (uint32_t n = 0; n < inst->exec_size; n++) {
        uint32_t rgba[4];
        if (!(channels >> n & 1))
            continue;
        uint64_t host = find_texel(&t, n);
        if (host) {
            vsg_exe_watch_touch(thread->watch, host, t.format->texel_bytes, n, NULL);
            vsg_exe_texel_read(t.format, (const uint8_t *)(uintptr_t)host, rgba);
        } else {
            vsg_exe_texel_border(t.format, rgba);
        }
        for (uint32_t v = 0; v < message->num_elements; v++)
            memcpy(slots + (size_t)v * message->pitch_bytes + (size_t)n * 4,
                   &rgba[message->channels[v]], 4);
    }
}

/* Tells of the bytes that a store writes: those that it makes the same whatever was there. */
static void tell_store(vsg_exe_watch *watch, const vsg_exe_format_info *format, uint64_t host,
                       uint32_t n, const uint32_t rgba[4], uint32_t mask)
{
    enum { MOST_BYTES = 16 };
    uint8_t on_zeros[MOST_BYTES], on_ones[MOST_BYTES];
    uint32_t end = 0;

    memset(on_zeros, 0, sizeof on_zeros);
    memset(on_ones, 0xff, sizeof on_ones);
    vsg_exe_texel_write(format, on_zeros, rgba, mask);
    vsg_exe_texel_write(format, on_ones, rgba, mask);
    for (uint32_t begin = 0; begin < format->texel_bytes; begin = end + 1) {
        end = begin;
        while (end < format->texel_bytes && on_zeros[end] == on_ones[end])
            end++;
        if (end > begin)
            watch->touch(watch, host + begin, end - begin, n, on_zeros + begin);
    }
}

void vsg_exe_do_typed_store(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    uint32_t channels = vsg_exe_active(thread, inst);
    vsg_exe_texel_channels all;
    texels t;

    if (channels == 0 || message->data.is_null)
        return;
    const vsg_exe_surface *image = vsg_exe_open_image(thread, inst, message);
    const vsg_exe_texel_level *level = image && message->num_elements == 4
                                           ? find_level(thread, inst, image, channels, &all)
                                           : NULL;
    if (level)
        level->lanes->store(level, &all);
    if (level || !open_texels(thread, inst, image, &t))
        return;
    const uint8_t *slots = vsg_exe_raw_at(thread, &message->data);
    read_coordinates(thread, inst, &t);
    for (uint32_t n = 0; n < inst->exec_size; n++) {
        uint32_t rgba[4] = {0};
        uint32_t mask = 0;
        uint64_t host = channels >> n & 1 ? find_texel(&t, n) : 0;
        if (!host)
            continue;
        for (uint32_t v = 0; v < message->num_elements; v++) {
            memcpy(&rgba[message->channels[v]],
                   slots + (size_t)v * message->pitch_bytes + (size_t)n * 4, 4);
            mask |= 1u << message->channels[v];
        }
        if (thread->watch)
            tell_store(thread->watch, t.format, host, n, rgba, mask);
        vsg_exe_texel_write(t.format, (uint8_t *)(uintptr_t)host, rgba, mask);
    }
}

void vsg_exe_do_typed_atomic(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    uint32_t channels = vsg_exe_channels(thread, inst);
    uint32_t bytes = message->memory_bytes;
    uint64_t values[VSG_EXE_MAX_CHANNELS];
    uint64_t comparands[VSG_EXE_MAX_CHANNELS];
    texels t;

    if (channels == 0 || !take_texels(thread, inst, &t))
        return;
    if (bytes > t.image->texel_bytes) {
        vsg_exe_message_fault(thread, inst, "a typed atomic is wider than the image's texels");
        return;
    }
    read_coordinates(thread, inst, &t);
    vsg_exe_atomic_sources(thread, inst, values, comparands);
    uint8_t *slots = message->data.is_null ? NULL : vsg_exe_raw_at(thread, &message->data);
    for (uint32_t n = 0; n < inst->exec_size; n++) {
        uint64_t old = 0;
        uint64_t host = channels >> n & 1 ? find_texel(&t, n) : 0;
        if (host & (bytes - 1)) {
            vsg_exe_unaligned(thread, inst, n, host);
            return;
        }
        if (host) {
            vsg_exe_watch_touch(thread->watch, host, bytes, n, NULL);
            old = vsg_exe_atomic_run((vsg_exe_atomic)message->atomic, bytes, host, values[n],
                                     comparands[n], false);
        }
        if (slots && channels >> n & 1)
            vsg_exe_slot_write(slots + (size_t)n * message->register_bytes, message, old);
    }
}

/* LSC_TYPED, LOAD_STATUS: a bit for each channel whose texel is in the image. */
void vsg_exe_do_typed_status(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    uint32_t channels = vsg_exe_channels(thread, inst);
    uint32_t status = 0;
    texels t;

    if (channels == 0 || message->data.is_null || !take_texels(thread, inst, &t))
        return;
    read_coordinates(thread, inst, &t);
    for (uint32_t n = 0; n < inst->exec_size; n++)
        status |= (uint32_t)(channels >> n & 1 && find_texel(&t, n) != 0) << n;
    memcpy(vsg_exe_raw_at(thread, &message->data), &status, sizeof status);
}
