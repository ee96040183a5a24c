/* SPDX-License-Identifier: MIT
 *
 * Numbers to elements. Each function narrows all channels to elements of the destination's
 * type, whatever their mask, and leaves the writing of the enabled ones to vsg_exe_scatter().
 */
#include "exec/operand.h"

#include <float.h>
#include <string.h>

#include "exec/convert.h"
#include "exec/math_bits.h"

/* Room for the elements of every channel, aligned for each type. */
typedef union packed {
    uint8_t b[VSG_EXE_MAX_CHANNELS];
    uint16_t w[VSG_EXE_MAX_CHANNELS];
    uint32_t d[VSG_EXE_MAX_CHANNELS];
    uint64_t q[VSG_EXE_MAX_CHANNELS];
    float f[VSG_EXE_MAX_CHANNELS];
    double df[VSG_EXE_MAX_CHANNELS];
} packed;

/* ---- integers --------------------------------------------------------------------------- */

/* The low `bytes` bytes of each value. */
static void narrow(packed *out, uint32_t bytes, uint32_t count, const uint64_t *values)
{
    switch (bytes) {
    case 1:
        for (uint32_t i = 0; i < count; i++)
            out->b[i] = (uint8_t)values[i];
        break;
    case 2:
        for (uint32_t i = 0; i < count; i++)
            out->w[i] = (uint16_t)values[i];
        break;
    case 4:
        for (uint32_t i = 0; i < count; i++)
            out->d[i] = (uint32_t)values[i];
        break;
    default:
        memcpy(out->q, values, count * sizeof *values);
        break;
    }
}

void vsg_exe_write_raw(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_operand *dst, uint32_t channels, const uint64_t *values)
{
    packed elements;

    narrow(&elements, dst->bytes, inst->exec_size, values);
    vsg_exe_scatter(thread, inst, dst, channels, &elements);
}

/* An integer to a float type, rounded once. */
static uint64_t int_to_float_bits(const vsg_exe_thread *thread, visage_type type,
                                  vsg_exe_int128 value)
{
    switch (type) {
    case VISAGE_TYPE_DF:
        return vsg_exe_double_bits(vsg_exe_wide_to_double(value));
    case VISAGE_TYPE_HF:
        return vsg_exe_double_to_half(vsg_exe_wide_to_odd(value), thread->rounding);
    case VISAGE_TYPE_BF:
        return vsg_exe_double_to_bf16(vsg_exe_wide_to_odd(value), thread->rounding);
    default:
        return vsg_exe_float_bits(vsg_exe_wide_to_float(value));
    }
}

static vsg_exe_int128 clamp(vsg_exe_int128 value, vsg_exe_int128 least, vsg_exe_int128 most)
{
    return value < least ? least : value > most ? most : value;
}

void vsg_exe_write_wide(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_operand *dst, uint32_t channels,
                        const vsg_exe_int128 *values)
{
    visage_type type = (visage_type)dst->type;
    bool is_integer = vsg_exe_is_integer(type);
    vsg_exe_int128 least = is_integer ? vsg_exe_least(type) : 0;
    vsg_exe_int128 most = is_integer ? vsg_exe_greatest(type) : 1;
    uint64_t bits[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < inst->exec_size; i++) {
        vsg_exe_int128 value = inst->saturate ? clamp(values[i], least, most) : values[i];
        bits[i] = is_integer ? (uint64_t)value : int_to_float_bits(thread, type, value);
    }
    vsg_exe_write_raw(thread, inst, dst, channels, bits);
}

void vsg_exe_write_int(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_operand *dst, uint32_t channels, const int64_t *values,
                       bool is_unsigned)
{
    vsg_exe_int128 wide[VSG_EXE_MAX_CHANNELS];

    if (!inst->saturate && vsg_exe_is_integer((visage_type)dst->type)) {
        vsg_exe_write_raw(thread, inst, dst, channels, (const uint64_t *)values);
        return;
    }
    for (uint32_t i = 0; i < inst->exec_size; i++)
        wide[i] = is_unsigned ? (vsg_exe_int128)(uint64_t)values[i] : values[i];
    vsg_exe_write_wide(thread, inst, dst, channels, wide);
}

/* ---- floats ----------------------------------------------------------------------------- */

/* ALT mode has no infinities (2_datatypes, ALT Single Floating Point Mode). */
static float finite(float x)
{
    return x > FLT_MAX ? FLT_MAX : x < -FLT_MAX ? -FLT_MAX : x;
}

static void write_f(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                    const vsg_exe_operand *dst, uint32_t channels, const float *values)
{
    packed elements;
    uint32_t count = inst->exec_size;

    memcpy(elements.f, values, count * sizeof *values);
    if (inst->saturate)
        for (uint32_t i = 0; i < count; i++)
            elements.f[i] = vsg_exe_saturate_float(elements.f[i]);
    if (thread->mode & VSG_EXE_CR0_ALT)
        for (uint32_t i = 0; i < count; i++)
            elements.f[i] = finite(elements.f[i]);
    if (!(thread->mode & VSG_EXE_CR0_DENORM_F))
        for (uint32_t i = 0; i < count; i++)
            elements.f[i] = vsg_exe_flush_float(thread, elements.f[i]);
    vsg_exe_scatter(thread, inst, dst, channels, &elements);
}

static uint16_t flush_bf16(const vsg_exe_thread *thread, uint16_t value)
{
    if (!(thread->mode & VSG_EXE_CR0_DENORM_F) && (value & 0x7f80) == 0)
        return value & 0x8000;
    return value;
}

/* To HF or BF, from doubles that hold the exact results. */
static void write_16(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                     const vsg_exe_operand *dst, uint32_t channels, const double *values)
{
    packed elements;

    for (uint32_t i = 0; i < inst->exec_size; i++) {
        double value = inst->saturate ? vsg_exe_saturate_double(values[i]) : values[i];
        if (dst->type == VISAGE_TYPE_HF)
            elements.w[i] =
                vsg_exe_flush_half(thread, vsg_exe_double_to_half(value, thread->rounding));
        else
            elements.w[i] = flush_bf16(thread, vsg_exe_double_to_bf16(value, thread->rounding));
    }
    vsg_exe_scatter(thread, inst, dst, channels, &elements);
}

static void write_df(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                     const vsg_exe_operand *dst, uint32_t channels, const double *values)
{
    packed elements;

    for (uint32_t i = 0; i < inst->exec_size; i++) {
        double value = inst->saturate ? vsg_exe_saturate_double(values[i]) : values[i];
        elements.df[i] = vsg_exe_flush_double(thread, value);
    }
    vsg_exe_scatter(thread, inst, dst, channels, &elements);
}

void vsg_exe_write_double(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_operand *dst, uint32_t channels, const double *values)
{
    float singles[VSG_EXE_MAX_CHANNELS];
    uint64_t integers[VSG_EXE_MAX_CHANNELS];

    switch ((visage_type)dst->type) {
    case VISAGE_TYPE_DF:
        write_df(thread, inst, dst, channels, values);
        break;
    case VISAGE_TYPE_F:
        for (uint32_t i = 0; i < inst->exec_size; i++)
            singles[i] = vsg_exe_double_to_float(values[i], thread->rounding);
        write_f(thread, inst, dst, channels, singles);
        break;
    case VISAGE_TYPE_HF:
    case VISAGE_TYPE_BF:
        write_16(thread, inst, dst, channels, values);
        break;
    default:
        for (uint32_t i = 0; i < inst->exec_size; i++)
            integers[i] = vsg_exe_double_to_int(values[i], (visage_type)dst->type);
        vsg_exe_write_raw(thread, inst, dst, channels, integers);
        break;
    }
}

/* HF of floats, without the way over double. */
static void write_float_as_half(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                const vsg_exe_operand *dst, uint32_t channels,
                                const float *values)
{
    uint16_t halves[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < inst->exec_size; i++)
        halves[i] = vsg_exe_narrow_half(values[i], (vsg_exe_rounding)thread->rounding);
    vsg_exe_write_half(thread, inst, dst, channels, halves);
}

void vsg_exe_write_float(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_operand *dst, uint32_t channels, const float *values)
{
    double doubles[VSG_EXE_MAX_CHANNELS];

    if (dst->type == VISAGE_TYPE_F) {
        write_f(thread, inst, dst, channels, values);
        return;
    }
    if (dst->type == VISAGE_TYPE_HF) {
        write_float_as_half(thread, inst, dst, channels, values);
        return;
    }
    for (uint32_t i = 0; i < inst->exec_size; i++)
        doubles[i] = (double)values[i];
    vsg_exe_write_double(thread, inst, dst, channels, doubles);
}

void vsg_exe_write_half(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_operand *dst, uint32_t channels, const uint16_t *values)
{
    packed elements;
    float singles[VSG_EXE_MAX_CHANNELS];

    if (dst->type == VISAGE_TYPE_HF) {
        memcpy(elements.w, values, inst->exec_size * sizeof *values);
        if (inst->saturate)
            for (uint32_t i = 0; i < inst->exec_size; i++)
                elements.w[i] = vsg_exe_saturate_half(elements.w[i]);
        if (!(thread->mode & VSG_EXE_CR0_DENORM_HF))
            for (uint32_t i = 0; i < inst->exec_size; i++)
                elements.w[i] = vsg_exe_flush_half(thread, elements.w[i]);
        vsg_exe_scatter(thread, inst, dst, channels, &elements);
        return;
    }
    for (uint32_t i = 0; i < inst->exec_size; i++)
        singles[i] = vsg_exe_widen_half(values[i]);
    vsg_exe_write_float(thread, inst, dst, channels, singles);
}
