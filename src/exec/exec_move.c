/* SPDX-License-Identifier: MIT
 *
 * Moves: values from one type to another, selection, predicates, surface and sampler variables,
 * addresses. A move is no arithmetic: between equal types the bits are copied, NaNs and
 * denormals as they are. Pages MOV SEL SETP MOVS ADDR_ADD; 2_datatypes, Type Conversion. */
#include "exec/compute.h"
#include "exec/convert.h"
#include "exec/handlers.h"
#include "exec/math_bits.h"

/* ---- conversions ------------------------------------------------------------------------ */

static bool is_float(uint32_t type)
{
    return type == VISAGE_TYPE_F || type == VISAGE_TYPE_HF || type == VISAGE_TYPE_DF ||
           type == VISAGE_TYPE_BF;
}

static double to_double(visage_type type, uint64_t bits)
{
    switch (type) {
    case VISAGE_TYPE_HF:
        return (double)vsg_exe_widen_half((uint16_t)bits);
    case VISAGE_TYPE_BF:
        return (double)vsg_exe_bf16_to_float((uint16_t)bits);
    case VISAGE_TYPE_F:
        return (double)vsg_exe_bits_float((uint32_t)bits);
    default:
        return vsg_exe_bits_double(bits);
    }
}

/* Float to Float with Lower Precision: in the mode of %cr0. The zeros that its table has for
 * denormals are what they become to nearest and toward zero (docs/spec-notes.md). */
static uint64_t from_double(const vsg_exe_thread *thread, visage_type to, double value)
{
    vsg_exe_rounding rounding = (vsg_exe_rounding)thread->rounding;

    switch (to) {
    case VISAGE_TYPE_DF:
        return vsg_exe_double_bits(value);
    case VISAGE_TYPE_F:
        return vsg_exe_float_bits(vsg_exe_double_to_float(value, rounding));
    case VISAGE_TYPE_HF:
        return vsg_exe_double_to_half(value, rounding);
    case VISAGE_TYPE_BF:
        return vsg_exe_double_to_bf16(value, rounding);
    default:
        return vsg_exe_double_to_int(value, to);
    }
}

/* Bits of one float type to those of a number of another type. */
static uint64_t convert_float(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                              visage_type from, uint64_t bits)
{
    visage_type to = (visage_type)inst->dst.type;

    if (to == from && !inst->saturate)
        return bits;
    if (from == VISAGE_TYPE_HF && to == VISAGE_TYPE_F && !inst->saturate)
        return vsg_exe_float_bits(vsg_exe_widen_half((uint16_t)bits));
    /* What kernels have most, without the way over DF. */
    if (from == VISAGE_TYPE_F && to == VISAGE_TYPE_HF && !inst->saturate)
        return vsg_exe_narrow_half(vsg_exe_bits_float((uint32_t)bits),
                                   (vsg_exe_rounding)thread->rounding);
    double value = to_double(from, bits);
    if (inst->saturate && is_float(to))
        value = vsg_exe_saturate_double(value);
    return from_double(thread, to, value);
}

/* An integer beside a float, which no page allows: by way of DF. */
static bool read_int_as_float(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                              const vsg_exe_operand *operand, uint64_t *out)
{
    double values[VSG_EXE_MAX_CHANNELS];

    if (!vsg_exe_read_double(thread, inst, operand, inst->exec_size, values))
        return false;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        out[i] = convert_float(thread, inst, VISAGE_TYPE_DF, vsg_exe_double_bits(values[i]));
    return true;
}

/* A float source, modifiers applied, as bits of the destination's type. */
static bool read_converted(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                           const vsg_exe_operand *operand, uint64_t *out)
{
    if (!is_float(operand->type))
        return read_int_as_float(thread, inst, operand, out);
    if (!vsg_exe_read_float_bits(thread, inst, operand, inst->exec_size, out))
        return false;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        out[i] = convert_float(thread, inst, (visage_type)operand->type, out[i]);
    return true;
}

/* ---- mov -------------------------------------------------------------------------------- */

/* The whole variable as an unsigned number; bits beyond its elements are undefined, here 0. */
static void move_predicate(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *predicate = &inst->src[0];
    uint64_t bits[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < inst->exec_size; i++)
        bits[i] = thread->predicates[predicate->index] & vsg_exe_first(predicate->count);
    vsg_exe_write_raw(thread, inst, &inst->dst, vsg_exe_active(thread, inst), bits);
}

static void move_wide(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t channels)
{
    vsg_exe_int128 values[VSG_EXE_MAX_CHANNELS];

    if (vsg_exe_read_wide(thread, inst, &inst->src[0], inst->exec_size, values))
        vsg_exe_write_wide(thread, inst, &inst->dst, channels, values);
}

static void move_int(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t channels)
{
    int64_t values[VSG_EXE_MAX_CHANNELS];

    if (vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, values))
        vsg_exe_write_int(thread, inst, &inst->dst, channels, values, false);
}

static void move_float(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t channels)
{
    uint64_t bits[VSG_EXE_MAX_CHANNELS];

    if (read_converted(thread, inst, &inst->src[0], bits))
        vsg_exe_write_raw(thread, inst, &inst->dst, channels, bits);
}

void vsg_exe_do_mov(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);

    if (!channels)
        return;
    vsg_exe_use_conversion_mode(thread);
    if (inst->src[0].kind == VSG_EXE_OPERAND_PREDICATE)
        move_predicate(thread, inst);
    else if (is_float(inst->src[0].type))
        move_float(thread, inst, channels);
    else if (inst->saturate || is_float(inst->dst.type))
        move_wide(thread, inst, channels);
    else
        move_int(thread, inst, channels);
}

/* ---- sel -------------------------------------------------------------------------------- */

static bool read_floats(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint64_t *a,
                        uint64_t *b)
{
    return read_converted(thread, inst, &inst->src[0], a) &&
           read_converted(thread, inst, &inst->src[1], b);
}

static void select_floats(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t chosen)
{
    uint64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!read_floats(thread, inst, a, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = chosen >> i & 1 ? a[i] : b[i];
    vsg_exe_write_raw(thread, inst, &inst->dst, vsg_exe_enabled(thread, inst), a);
}

static void select_wides(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t chosen)
{
    vsg_exe_int128 a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!vsg_exe_read_wide(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_wide(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = chosen >> i & 1 ? a[i] : b[i];
    vsg_exe_write_wide(thread, inst, &inst->dst, vsg_exe_enabled(thread, inst), a);
}

static void select_ints(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t chosen)
{
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = chosen >> i & 1 ? a[i] : b[i];
    vsg_exe_write_int(thread, inst, &inst->dst, vsg_exe_enabled(thread, inst), a, false);
}

/* The predicate chooses; what is written is up to the execution mask alone. */
void vsg_exe_do_sel(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t chosen = vsg_exe_predicate(thread, inst);

    vsg_exe_use_conversion_mode(thread);
    if (inst->class_ != VSG_EXE_CLASS_INT)
        select_floats(thread, inst, chosen);
    else if (inst->saturate || is_float(inst->dst.type))
        select_wides(thread, inst, chosen);
    else
        select_ints(thread, inst, chosen);
}

/* ---- setp ------------------------------------------------------------------------------- */

/* A scalar, an immediate or a region that repeats one element, is a string of bits, and sets
 * elements whatever the execution mask says; of several elements each gives its lowest bit to
 * the channel it belongs to. */
void vsg_exe_do_setp(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *source = &inst->src[0];
    int64_t values[VSG_EXE_MAX_CHANNELS];
    uint32_t bits = 0;

    if (!vsg_exe_read_int(thread, inst, source, inst->exec_size, values))
        return;
    if (source->shape == VSG_EXE_SHAPE_SCALAR) {
        vsg_exe_write_predicate(thread, inst, &inst->dst, vsg_exe_first(inst->exec_size),
                                (uint32_t)values[0]);
        return;
    }
    for (uint32_t i = 0; i < inst->exec_size; i++)
        bits |= (uint32_t)(values[i] & 1) << i;
    vsg_exe_write_predicate(thread, inst, &inst->dst, vsg_exe_active(thread, inst), bits);
}

/* ---- movs, addr_add --------------------------------------------------------------------- */

void vsg_exe_do_movs(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    uint64_t values[VSG_EXE_MAX_CHANNELS];

    if (channels && vsg_exe_read_raw(thread, inst, &inst->src[0], inst->exec_size, values))
        vsg_exe_write_raw(thread, inst, &inst->dst, channels, values);
}

/* Addresses are byte offsets in the frame's registers. Hardware has 16 bits of them and adds
 * modulo 2^16, so a large UW stands for a step back. */
void vsg_exe_do_addr_add(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    bool is_word = inst->src[1].type == VISAGE_TYPE_UW;
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];
    uint64_t sums[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        sums[i] = (uint64_t)(a[i] + (is_word ? (int16_t)b[i] : b[i]));
    vsg_exe_write_raw(thread, inst, &inst->dst, channels, sums);
}
