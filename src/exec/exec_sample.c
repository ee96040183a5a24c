/* SPDX-License-Identifier: MIT
 *
 * Messages to the sampler: parameters of every channel to colours in registers. Source:
 * 3D_SAMPLE, 3D_LOAD, 3D_SAMPLE4, INFO, SAMPLE_UNORM. */
#include "exec/float16.h"
#include "exec/format.h"
#include "exec/fpmode.h"
#include "exec/handlers.h"
#include "exec/math_bits.h"
#include "exec/message.h"
#include "exec/operand.h"
#include "exec/sampler.h"
#include "exec/texel_lanes.h"

/* ---- what is sampled --------------------------------------------------------------------- */

/* image: NULL where it is not there, which is reported. */
static bool open_image(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_surface *image, vsg_exe_probe *out)
{
    *out = (vsg_exe_probe){.image = image, .watch = thread->watch};
    if (!image)
        return false;
    out->format = vsg_exe_format_of(out->image->format);
    if (!out->format || out->format->texel_bytes != out->image->texel_bytes ||
        !vsg_exe_image_of(out->image->shape)) {
        vsg_exe_message_fault(thread, inst,
                              "a sampler message names an image without a format");
        return false;
    }
    vsg_exe_use_math_mode(thread);
    return true;
}

static bool take_image(vsg_exe_thread *thread, const vsg_exe_inst *inst, vsg_exe_probe *out)
{
    return open_image(thread, inst, vsg_exe_open_image(thread, inst, inst->message), out);
}

/* NULL: it is not set. */
static const vsg_exe_sampler *find_sampler(const vsg_exe_thread *thread,
                                           const vsg_exe_sampling *sampling)
{
    uint32_t number =
        sampling->is_number ? sampling->sampler : thread->frame->samplers[sampling->sampler];

    if (sampling->is_bindless) {
        const vsg_exe_state *state = vsg_exe_find_state(thread->launch, true, number);
        return state ? &state->sampler : NULL;
    }
    return number < VSG_EXE_NUM_SAMPLERS && thread->launch->samplers[number].is_set
               ? &thread->launch->samplers[number]
               : NULL;
}

static bool open_sampler(vsg_exe_thread *thread, const vsg_exe_inst *inst, vsg_exe_probe *out)
{
    out->sampler = find_sampler(thread, inst->message->sampling);
    if (!out->sampler)
        vsg_exe_message_fault(thread, inst,
                              "a sampler message names a sampler that is not set");
    return out->sampler != NULL;
}

/* aoffimmi: four bits each, u uppermost (3D_SAMPLE, Aoffimmi). */
static bool read_offsets(vsg_exe_thread *thread, const vsg_exe_inst *inst, int32_t out[3])
{
    int64_t coded;

    if (!vsg_exe_scalar_read(thread, inst, &inst->message->sampling->offset, &coded))
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        int32_t nibble = (int32_t)(coded >> (8 - 4 * i) & 15);
        out[i] = nibble >= 8 ? nibble - 16 : nibble;
    }
    return true;
}

/* ---- parameters -------------------------------------------------------------------------- */

static uint32_t raw_parameter(const vsg_exe_thread *thread, const vsg_exe_sampling *sampling,
                              vsg_exe_parameter parameter, uint32_t n)
{
    uint32_t bytes = sampling->parameter_bytes;

    if (sampling->parameters[parameter].is_null)
        return 0;
    return vsg_exe_get_bits(vsg_exe_raw_at(thread, &sampling->parameters[parameter]) +
                                (size_t)n * bytes,
                            8 * bytes);
}

static float float_parameter(const vsg_exe_thread *thread, const vsg_exe_sampling *sampling,
                             vsg_exe_parameter parameter, uint32_t n)
{
    uint32_t bits = raw_parameter(thread, sampling, parameter, n);
    return sampling->parameter_bytes == 2 ? vsg_exe_half_to_float((uint16_t)bits)
                                          : vsg_exe_bits_float(bits);
}

static int32_t int_parameter(const vsg_exe_thread *thread, const vsg_exe_sampling *sampling,
                             vsg_exe_parameter parameter, uint32_t n)
{
    uint32_t bits = raw_parameter(thread, sampling, parameter, n);
    return sampling->parameter_bytes == 2 ? (int16_t)bits : (int32_t)bits;
}

static void read_place(const vsg_exe_thread *thread, const vsg_exe_sampling *sampling,
                       uint32_t n, float out[3])
{
    for (uint32_t i = 0; i < 3; i++)
        out[i] =
            float_parameter(thread, sampling, (vsg_exe_parameter)(VSG_EXE_PARAMETER_U + i), n);
}

/* ---- levels of detail -------------------------------------------------------------------- */

/* Channels 4n to 4n + 3 are the upper left, upper right, lower left and lower right pixel of a
 * quad. */
static float lod_of_quad(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_probe *probe, uint32_t n)
{
    const vsg_exe_sampling *sampling = inst->message->sampling;
    float at[3], right[3], below[3];

    if (inst->exec_size < 4)
        return 0;
    read_place(thread, sampling, n & ~3u, at);
    read_place(thread, sampling, (n & ~3u) + 1, right);
    read_place(thread, sampling, (n & ~3u) + 2, below);
    for (uint32_t i = 0; i < 3; i++) {
        right[i] -= at[i];
        below[i] -= at[i];
    }
    return vsg_exe_lod_of(probe, right, below);
}

static float lod_of_gradients(const vsg_exe_thread *thread, const vsg_exe_sampling *sampling,
                              const vsg_exe_probe *probe, uint32_t n)
{
    float dx[3], dy[3];

    for (uint32_t i = 0; i < 3; i++) {
        dx[i] = float_parameter(thread, sampling,
                                (vsg_exe_parameter)(VSG_EXE_PARAMETER_DUDX + i), n);
        dy[i] = float_parameter(thread, sampling,
                                (vsg_exe_parameter)(VSG_EXE_PARAMETER_DUDY + i), n);
    }
    return vsg_exe_lod_of(probe, dx, dy);
}

static float lod_of(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                    const vsg_exe_probe *probe, uint32_t n)
{
    const vsg_exe_sampling *sampling = inst->message->sampling;

    switch ((vsg_exe_sampling_lod)sampling->lod) {
    case VSG_EXE_SAMPLING_ZERO:
        break;
    case VSG_EXE_SAMPLING_GIVEN:
        return float_parameter(thread, sampling, VSG_EXE_PARAMETER_LOD, n);
    case VSG_EXE_SAMPLING_GRADIENT:
        return lod_of_gradients(thread, sampling, probe, n);
    case VSG_EXE_SAMPLING_QUAD:
        return lod_of_quad(thread, inst, probe, n) +
               float_parameter(thread, sampling, VSG_EXE_PARAMETER_BIAS, n);
    }
    return 0;
}

/* ---- one channel ------------------------------------------------------------------------- */

static void load(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                 const vsg_exe_probe *probe, uint32_t n, uint32_t rgba[4])
{
    const vsg_exe_sampling *sampling = inst->message->sampling;
    uint32_t last = vsg_exe_image_samples(probe->image) - 1;
    uint32_t sample = raw_parameter(thread, sampling, VSG_EXE_PARAMETER_SI, n);
    int64_t at[3];

    for (uint32_t i = 0; i < 3; i++)
        at[i] = (int64_t)int_parameter(thread, sampling,
                                       (vsg_exe_parameter)(VSG_EXE_PARAMETER_U + i), n) +
                (i < vsg_exe_image_of(probe->image->shape)->axes ? probe->offset[i] : 0);
    vsg_exe_fetch(probe, at, raw_parameter(thread, sampling, VSG_EXE_PARAMETER_LOD, n),
                  sample < last ? sample : last, rgba);
}

/* What the message returns for channel n. */
static void answer(const vsg_exe_thread *thread, const vsg_exe_inst *inst, vsg_exe_probe *probe,
                   uint32_t n, uint32_t rgba[4])
{
    const vsg_exe_sampling *sampling = inst->message->sampling;
    const int32_t offset[2] = {probe->offset[0], probe->offset[1]};
    float lod;

    memset(rgba, 0, 4 * sizeof *rgba);
    probe->channel = n;
    if (sampling->action == VSG_EXE_SAMPLING_MCS)
        return; /* no image is compressed */
    if (sampling->action == VSG_EXE_SAMPLING_LOAD) {
        load(thread, inst, probe, n, rgba);
        return;
    }
    read_place(thread, sampling, n, probe->at);
    probe->cube = float_parameter(thread, sampling, VSG_EXE_PARAMETER_AI, n);
    probe->compares = sampling->compares;
    probe->reference = float_parameter(thread, sampling, VSG_EXE_PARAMETER_REF, n);
    probe->offset[0] += int_parameter(thread, sampling, VSG_EXE_PARAMETER_OFFU, n);
    probe->offset[1] += int_parameter(thread, sampling, VSG_EXE_PARAMETER_OFFV, n);
    lod = lod_of(thread, inst, probe, n);
    if (sampling->action == VSG_EXE_SAMPLING_GATHER) {
        vsg_exe_gather(probe, lod, sampling->component, rgba);
    } else if (sampling->action == VSG_EXE_SAMPLING_LOD) {
        rgba[0] = vsg_exe_float_bits(vsg_exe_lod_clamp(probe, lod));
        rgba[1] = vsg_exe_float_bits(lod);
    } else {
        vsg_exe_sample(probe, lod, rgba);
    }
    memcpy(probe->offset, offset, sizeof offset);
}

/* ---- results ----------------------------------------------------------------------------- */

/* A component in 16 bits: floats are rounded, integers kept within the range. */
static uint16_t in_16_bits(const vsg_exe_format_info *format, uint32_t value)
{
    int32_t number = (int32_t)value;

    switch ((vsg_exe_format_kind)format->kind) {
    case VSG_EXE_FORMAT_KIND_UINT:
        return value > UINT16_MAX ? UINT16_MAX : (uint16_t)value;
    case VSG_EXE_FORMAT_KIND_SINT:
        return (uint16_t)(number > INT16_MAX   ? INT16_MAX
                          : number < INT16_MIN ? INT16_MIN
                                               : number);
    default:
        return vsg_exe_float_to_half(vsg_exe_bits_float(value), VSG_EXE_RNE);
    }
}

static void put_results(const vsg_exe_message *message, const vsg_exe_format_info *format,
                        const uint32_t rgba[4], uint8_t *slots)
{
    for (uint32_t v = 0; v < message->num_elements; v++) {
        uint32_t value = rgba[message->channels[v]];
        if (message->register_bytes == 2 && format)
            value = in_16_bits(format, value);
        vsg_exe_put_bits(slots + (size_t)v * message->pitch_bytes, 8 * message->register_bytes,
                         value);
    }
}

/* No texel is in a page that is missing: a bit for every channel. */
static void put_null_mask(const vsg_exe_inst *inst, uint8_t *slots)
{
    uint32_t all = vsg_exe_all_channels(inst);

    memcpy(slots + (size_t)inst->message->num_elements * inst->message->pitch_bytes, &all,
           sizeof all);
}

/* ---- eight channels at a time ------------------------------------------------------------ */

/* False: nothing is done, channels are told one by one. */
static bool try_along(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                      const vsg_exe_surface *image, uint32_t channels)
{
    const vsg_exe_sampling *sampling = inst->message->sampling;
    const vsg_exe_operand *parameters = sampling->parameters;
    const vsg_exe_texel_level *level = &image->texels;
    bool is_load = sampling->action == VSG_EXE_SAMPLING_LOAD;
    const vsg_exe_sampler *sampler = is_load ? NULL : find_sampler(thread, sampling);
    vsg_exe_texel_channels all;

    if (!level->lanes || thread->watch ||
        !(is_load ? vsg_exe_texel_is_first_level(thread, &parameters[VSG_EXE_PARAMETER_LOD],
                                                 channels)
                  : sampler && vsg_exe_texel_can_sample(sampler, level->axes)))
        return false;
    vsg_exe_use_math_mode(thread);
    vsg_exe_texel_take(thread, inst, &parameters[VSG_EXE_PARAMETER_U], level->axes, channels,
                       &all);
    if (is_load)
        level->lanes->fetch(level, level->border, &all);
    else
        level->lanes->sample(level, sampler, vsg_exe_filters(sampler, level->format), &all);
    if (sampling->null_mask)
        put_null_mask(inst, vsg_exe_raw_at(thread, &inst->message->data));
    return true;
}

void vsg_exe_do_sampling(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    uint8_t action = message->sampling->action;
    uint32_t channels = vsg_exe_active(thread, inst);
    uint32_t colours[VSG_EXE_MAX_CHANNELS][4];
    vsg_exe_probe probe;

    if (channels == 0 || message->data.is_null)
        return;
    const vsg_exe_surface *image = vsg_exe_open_image(thread, inst, message);
    if (!image || (message->goes_along && try_along(thread, inst, image, channels)) ||
        !open_image(thread, inst, image, &probe))
        return;
    if (!read_offsets(thread, inst, probe.offset) ||
        (action != VSG_EXE_SAMPLING_LOAD && action != VSG_EXE_SAMPLING_MCS &&
         !open_sampler(thread, inst, &probe)))
        return;
    for (uint32_t n = 0; n < inst->exec_size; n++)
        if (channels >> n & 1)
            answer(thread, inst, &probe, n, colours[n]);
    uint8_t *slots = vsg_exe_raw_at(thread, &message->data);
    for (uint32_t n = 0; n < inst->exec_size; n++)
        if (channels >> n & 1)
            put_results(message, action == VSG_EXE_SAMPLING_MCS ? NULL : probe.format,
                        colours[n], slots + (size_t)n * message->register_bytes);
    if (message->sampling->null_mask)
        put_null_mask(inst, slots);
}

/* ---- a block of pixels ------------------------------------------------------------------- */

enum { UNORM_WIDTH = 8 };

/* A scalar operand of type F. */
static bool read_float(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_scalar *scalar, float *out)
{
    if (!scalar->is_constant)
        return vsg_exe_read_float(thread, inst, &scalar->operand, 1, out);
    *out = vsg_exe_bits_float((uint32_t)scalar->value);
    return true;
}

/* The page counts 32 pixels a channel and does not say how they lie: taken as 4 rows of 8. */
void vsg_exe_do_sample_unorm(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    const vsg_exe_sampling *sampling = message->sampling;
    uint32_t largest = sampling->unorm_bytes ? UINT8_MAX : UINT16_MAX;
    uint32_t colours[VSG_EXE_MAX_CHANNELS][4];
    float start[2], step[2];
    vsg_exe_probe probe;

    if (message->data.is_null || !take_image(thread, inst, &probe) ||
        !open_sampler(thread, inst, &probe))
        return;
    for (uint32_t i = 0; i < 2; i++)
        if (!read_float(thread, inst, &sampling->start[i], &start[i]) ||
            !read_float(thread, inst, &sampling->step[i], &step[i]))
            return;
    for (uint32_t n = 0; n < VSG_EXE_MAX_CHANNELS; n++) {
        probe.at[0] = start[0] + (float)(n % UNORM_WIDTH) * step[0];
        probe.at[1] = start[1] + (float)(n / UNORM_WIDTH) * step[1];
        vsg_exe_sample(&probe, 0, colours[n]);
    }
    uint8_t *slots = vsg_exe_raw_at(thread, &message->data);
    for (uint32_t v = 0; v < message->num_elements; v++) {
        bool halves = sampling->unorm_halves && message->channels[v] % 2 == 0;
        for (uint32_t n = 0; n < VSG_EXE_MAX_CHANNELS; n += halves ? 2 : 1) {
            uint32_t value = vsg_exe_unorm(colours[n][message->channels[v]], largest);
            memcpy(slots, &value, message->register_bytes);
            slots += message->register_bytes;
        }
    }
}

/* ---- facts of an image ------------------------------------------------------------------- */

/* INFO, table of resinfo. */
void vsg_exe_do_resinfo(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    uint32_t channels = vsg_exe_channels(thread, inst);
    vsg_exe_probe probe;

    if (channels == 0 || message->data.is_null || !take_image(thread, inst, &probe))
        return;
    const vsg_exe_image_info *info = vsg_exe_image_of(probe.image->shape);
    uint8_t *slots = vsg_exe_raw_at(thread, &message->data);
    for (uint32_t n = 0; n < inst->exec_size; n++) {
        uint32_t rgba[4] = {0, 0, 0, vsg_exe_image_levels(probe.image)};
        uint32_t lod = raw_parameter(thread, message->sampling, VSG_EXE_PARAMETER_LOD, n);
        vsg_exe_level level;
        if (!(channels >> n & 1))
            continue;
        if (vsg_exe_image_level(probe.image, lod, &level)) {
            for (uint32_t i = 0; i < info->axes; i++)
                rgba[i] = level.size[i];
            if (info->layered)
                rgba[info->axes] = probe.image->shape == VSG_EXE_IMAGE_CUBE
                                       ? level.size[2] / VSG_EXE_CUBE_FACES
                                       : level.size[2];
        }
        put_results(message, NULL, rgba, slots + (size_t)n * message->register_bytes);
    }
}

/* The palette of sample positions is the first one, the only one there is. */
void vsg_exe_do_sampleinfo(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    uint32_t channels = vsg_exe_channels(thread, inst);
    vsg_exe_probe probe;

    if (channels == 0 || message->data.is_null || !take_image(thread, inst, &probe))
        return;
    const uint32_t rgba[4] = {vsg_exe_image_samples(probe.image), 0, 0, 0};
    uint8_t *slots = vsg_exe_raw_at(thread, &message->data);
    for (uint32_t n = 0; n < inst->exec_size; n++)
        if (channels >> n & 1)
            put_results(message, NULL, rgba, slots + (size_t)n * message->register_bytes);
}
