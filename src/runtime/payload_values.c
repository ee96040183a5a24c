/* SPDX-License-Identifier: MIT
 *
 * The value of each kind of payload argument. */
#include <string.h>

#include "exec/format.h"
#include "runtime/bindless.h"
#include "runtime/payload.h"

void vsg_run_put_triple(uint8_t *to, uint32_t size_bytes, const uint64_t values[3])
{
    uint32_t width = size_bytes / 3;

    if (width != 2 && width != 8)
        width = 4;
    for (uint32_t d = 0; d < 3; d++)
        if ((d + 1) * width <= size_bytes)
            memcpy(to + d * width, &values[d], width); /* little-endian, as the host is */
}

static void put_sizes(uint8_t *to, uint32_t size_bytes, const uint32_t values[3])
{
    const uint64_t wide[3] = {values[0], values[1], values[2]};

    vsg_run_put_triple(to, size_bytes, wide);
}

/* The low bytes of a number, zeros behind it. */
static void put(uint8_t *to, uint32_t size_bytes, uint64_t value)
{
    memcpy(to, &value, size_bytes < sizeof value ? size_bytes : sizeof value);
}

static uint64_t address_of(const vsg_run_value *value)
{
    return value->buffer ? value->buffer->address + value->offset_bytes : 0;
}

static visage_status cannot(const vsg_run_payload_maker *maker, const vsg_con_payload *entry)
{
    (void)vsg_run_payload_wrong(maker, "'%s' cannot be supplied yet", entry->word);
    return VISAGE_UNSUPPORTED;
}

/* ---- images ----------------------------------------------------------------------------- */

/* What get_image_channel_order() and get_image_channel_data_type() return; numbers of the
 * OpenCL specification, cl_channel_order and cl_channel_type. */
static uint64_t channel_order(const vsg_exe_surface *image)
{
    return vsg_exe_format_of(image->format)->order->number;
}

static uint64_t channel_type(const vsg_exe_surface *image)
{
    static const uint16_t types[][3] = {/* 8, 16, 32 bits */
                                        [VSG_EXE_FORMAT_KIND_UNORM] = {0x10d2, 0x10d3, 0},
                                        [VSG_EXE_FORMAT_KIND_SNORM] = {0x10d0, 0x10d1, 0},
                                        [VSG_EXE_FORMAT_KIND_SRGB] = {0x10d2, 0, 0},
                                        [VSG_EXE_FORMAT_KIND_UINT] = {0x10da, 0x10db, 0x10dc},
                                        [VSG_EXE_FORMAT_KIND_SINT] = {0x10d7, 0x10d8, 0x10d9},
                                        [VSG_EXE_FORMAT_KIND_FLOAT] = {0, 0x10dd, 0x10de}};
    const vsg_exe_format_info *format = vsg_exe_format_of(image->format);

    return types[format->kind][format->bits / 16];
}

static visage_status fill_image(const vsg_run_payload_maker *maker,
                                const vsg_con_payload *entry, const vsg_run_value *value,
                                uint8_t *to)
{
    const vsg_exe_surface *image = &value->image;
    uint64_t number;

    if (value->kind != VSG_RUN_VALUE_IMAGE)
        return vsg_run_payload_wrong(maker, "'%s' of an argument that is no image",
                                     entry->word);
    switch ((int)entry->kind) {
    case VSG_CON_PAYLOAD_IMAGE_WIDTH:
        number = image->width;
        break;
    case VSG_CON_PAYLOAD_IMAGE_HEIGHT:
        number = image->height;
        break;
    case VSG_CON_PAYLOAD_IMAGE_DEPTH:
    case VSG_CON_PAYLOAD_IMAGE_ARRAY_SIZE:
        number = image->depth;
        break;
    case VSG_CON_PAYLOAD_IMAGE_NUM_SAMPLES:
        number = image->samples > 1 ? image->samples : 0;
        break;
    case VSG_CON_PAYLOAD_IMAGE_NUM_MIP_LEVELS:
        number = image->levels;
        break;
    case VSG_CON_PAYLOAD_IMAGE_CHANNEL_ORDER:
    case VSG_CON_PAYLOAD_IMAGE_SRGB_CHANNEL_ORDER:
        number = channel_order(image);
        break;
    case VSG_CON_PAYLOAD_IMAGE_CHANNEL_DATA_TYPE:
        number = channel_type(image);
        break;
    case VSG_CON_PAYLOAD_FLAT_IMAGE_BASE_OFFSET:
        number = image->address;
        break;
    case VSG_CON_PAYLOAD_FLAT_IMAGE_WIDTH:
        number = (uint64_t)image->width * image->texel_bytes - 1;
        break;
    case VSG_CON_PAYLOAD_FLAT_IMAGE_HEIGHT:
        number = (uint64_t)image->height - 1;
        break;
    case VSG_CON_PAYLOAD_FLAT_IMAGE_PITCH:
        number = (uint64_t)image->pitch_bytes - 1;
        break;
    default:
        return cannot(maker, entry);
    }
    put(to, entry->size_bytes, number);
    return VISAGE_OK;
}

/* ---- samplers --------------------------------------------------------------------------- */

/* Numbers that the compiler's library compares with: intel/compute-runtime, sampler_helpers.h,
 * and Sampler::getSnapWaValue(), which asks for care at the border of images. */
static visage_status fill_sampler(const vsg_run_payload_maker *maker,
                                  const vsg_con_payload *entry, const vsg_run_value *value,
                                  uint8_t *to)
{
    static const uint8_t addressings[] = {[VSG_EXE_ADDRESSING_BORDER] = 1,
                                          [VSG_EXE_ADDRESSING_EDGE] = 2,
                                          [VSG_EXE_ADDRESSING_REPEAT] = 3,
                                          [VSG_EXE_ADDRESSING_MIRROR] = 4,
                                          [VSG_EXE_ADDRESSING_MIRROR_ONCE] = 5};
    const vsg_exe_sampler *sampler = &value->sampler;
    bool snaps = sampler->filter == VSG_EXE_FILTER_NEAREST &&
                 sampler->addressing[0] == VSG_EXE_ADDRESSING_BORDER;
    uint32_t number = snaps ? UINT32_MAX : 0;

    if (value->kind != VSG_RUN_VALUE_SAMPLER)
        return vsg_run_payload_wrong(maker, "'%s' of an argument that is no sampler",
                                     entry->word);
    if (entry->kind == VSG_CON_PAYLOAD_SAMPLER_ADDRESS)
        number = addressings[sampler->addressing[0]];
    else if (entry->kind == VSG_CON_PAYLOAD_SAMPLER_NORMALIZED)
        number = sampler->normalized ? 8 : 0;
    put(to, entry->size_bytes, number);
    return VISAGE_OK;
}

/* ---- arguments of the kernel ------------------------------------------------------------ */

static visage_status fill_value(const vsg_run_payload_maker *maker,
                                const vsg_con_payload *entry, const vsg_run_value *value,
                                uint8_t *to)
{
    if (value->kind != VSG_RUN_VALUE_BYTES)
        return vsg_run_payload_wrong(maker, "argument %d is by value and by pointer",
                                     (int)entry->arg_index);
    if (entry->source_offset_bytes >= value->size_bytes)
        return VISAGE_OK; /* padding of the type */
    size_t rest = value->size_bytes - entry->source_offset_bytes;
    memcpy(to, value->bytes + entry->source_offset_bytes,
           rest < entry->size_bytes ? rest : entry->size_bytes);
    return VISAGE_OK;
}

static visage_status fill_pointer(const vsg_run_payload_maker *maker,
                                  const vsg_con_payload *entry, const vsg_run_value *value,
                                  uint8_t *to)
{
    if (entry->size_bytes == 0)
        return VISAGE_OK; /* reached through the binding table */
    if (entry->addrmode == VSG_CON_ADDRMODE_BINDLESS && value->kind != VSG_RUN_VALUE_BUFFER) {
        put(to, entry->size_bytes, vsg_run_argument_handle((size_t)entry->arg_index));
        return VISAGE_OK;
    }
    switch (value->kind) {
    case VSG_RUN_VALUE_LOCAL:
        put(to, entry->size_bytes, maker->local_at[entry->arg_index]);
        return VISAGE_OK;
    case VSG_RUN_VALUE_BUFFER:
        if (entry->size_bytes < 8 && entry->addrmode != VSG_CON_ADDRMODE_BINDLESS)
            return vsg_run_payload_wrong(
                maker, "argument %d gets %u bytes, but device addresses have 64 bits",
                (int)entry->arg_index, (unsigned)entry->size_bytes);
        put(to, entry->size_bytes, address_of(value));
        return VISAGE_OK;
    default:
        return cannot(maker, entry);
    }
}

static visage_status fill_argument(const vsg_run_payload_maker *maker,
                                   const vsg_con_payload *entry, uint8_t *to)
{
    const visage_launch *launch = maker->launch;

    if (entry->arg_index < 0 || (size_t)entry->arg_index >= launch->kernel->num_args)
        return vsg_run_payload_wrong(maker, "'%s' names no argument", entry->word);
    const vsg_run_value *value = &launch->values[entry->arg_index];
    switch ((int)entry->kind) {
    case VSG_CON_PAYLOAD_ARG_BYVALUE:
        return fill_value(maker, entry, value, to);
    case VSG_CON_PAYLOAD_ARG_BYPOINTER:
    case VSG_CON_PAYLOAD_BUFFER_ADDRESS:
        return fill_pointer(maker, entry, value, to);
    case VSG_CON_PAYLOAD_BUFFER_OFFSET:
        return VISAGE_OK; /* a surface starts where its argument points: 0 */
    case VSG_CON_PAYLOAD_BUFFER_SIZE:
        put(to, entry->size_bytes,
            value->buffer ? value->buffer->size_bytes - value->offset_bytes : 0);
        return VISAGE_OK;
    case VSG_CON_PAYLOAD_SAMPLER_ADDRESS:
    case VSG_CON_PAYLOAD_SAMPLER_NORMALIZED:
    case VSG_CON_PAYLOAD_SAMPLER_SNAP_WA:
        return fill_sampler(maker, entry, value, to);
    default:
        return fill_image(maker, entry, value, to);
    }
}

/* ---- everything else -------------------------------------------------------------------- */

static visage_status fill_implicit(const vsg_run_payload_maker *maker,
                                   const vsg_con_payload *entry, uint8_t *to)
{
    const visage_launch *launch = maker->launch;
    const vsg_run_dispatch *dispatch = maker->dispatch;
    uint32_t size = entry->size_bytes;

    switch ((int)entry->kind) {
    case VSG_CON_PAYLOAD_GLOBAL_ID_OFFSET:
        vsg_run_put_triple(to, size, dispatch->offset);
        return VISAGE_OK;
    case VSG_CON_PAYLOAD_LOCAL_SIZE:
        put_sizes(to, size, dispatch->local);
        return VISAGE_OK;
    case VSG_CON_PAYLOAD_ENQUEUED_LOCAL_SIZE:
        put_sizes(to, size, dispatch->whole_local);
        return VISAGE_OK;
    case VSG_CON_PAYLOAD_GROUP_COUNT:
        put_sizes(to, size, dispatch->whole_groups);
        return VISAGE_OK;
    case VSG_CON_PAYLOAD_GLOBAL_SIZE:
        vsg_run_put_triple(to, size, dispatch->global);
        return VISAGE_OK;
    case VSG_CON_PAYLOAD_WORK_DIMENSIONS:
        put(to, size, dispatch->dims);
        return VISAGE_OK;
    case VSG_CON_PAYLOAD_PRIVATE_BASE_STATELESS:
        put(to, size, launch->private_memory.address);
        return VISAGE_OK;
    case VSG_CON_PAYLOAD_PRINTF_BUFFER:
        put(to, size, launch->printf_buffer.address);
        return VISAGE_OK;
    case VSG_CON_PAYLOAD_IMPLICIT_ARG_BUFFER:
        put(to, size, launch->implicit.address);
        return VISAGE_OK;
    case VSG_CON_PAYLOAD_CONST_BASE:
        put(to, size, launch->program->data[VSG_CON_SECTION_CONST].address);
        return VISAGE_OK;
    case VSG_CON_PAYLOAD_GLOBAL_BASE:
        put(to, size, launch->program->data[VSG_CON_SECTION_GLOBAL].address);
        return VISAGE_OK;
    default:
        return cannot(maker, entry);
    }
}

visage_status vsg_run_payload_fill(const vsg_run_payload_maker *maker,
                                   const vsg_con_payload *entry, uint8_t *to)
{
    switch ((int)entry->kind) {
    case VSG_CON_PAYLOAD_ARG_BYVALUE:
    case VSG_CON_PAYLOAD_ARG_BYPOINTER:
    case VSG_CON_PAYLOAD_BUFFER_ADDRESS:
    case VSG_CON_PAYLOAD_BUFFER_OFFSET:
    case VSG_CON_PAYLOAD_BUFFER_SIZE:
    case VSG_CON_PAYLOAD_IMAGE_HEIGHT:
    case VSG_CON_PAYLOAD_IMAGE_WIDTH:
    case VSG_CON_PAYLOAD_IMAGE_DEPTH:
    case VSG_CON_PAYLOAD_IMAGE_ARRAY_SIZE:
    case VSG_CON_PAYLOAD_IMAGE_CHANNEL_DATA_TYPE:
    case VSG_CON_PAYLOAD_IMAGE_CHANNEL_ORDER:
    case VSG_CON_PAYLOAD_IMAGE_SRGB_CHANNEL_ORDER:
    case VSG_CON_PAYLOAD_IMAGE_NUM_SAMPLES:
    case VSG_CON_PAYLOAD_IMAGE_NUM_MIP_LEVELS:
    case VSG_CON_PAYLOAD_FLAT_IMAGE_BASE_OFFSET:
    case VSG_CON_PAYLOAD_FLAT_IMAGE_WIDTH:
    case VSG_CON_PAYLOAD_FLAT_IMAGE_HEIGHT:
    case VSG_CON_PAYLOAD_FLAT_IMAGE_PITCH:
    case VSG_CON_PAYLOAD_SAMPLER_ADDRESS:
    case VSG_CON_PAYLOAD_SAMPLER_NORMALIZED:
    case VSG_CON_PAYLOAD_SAMPLER_SNAP_WA:
        return fill_argument(maker, entry, to);
    default:
        return fill_implicit(maker, entry, to);
    }
}
