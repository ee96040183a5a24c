/* SPDX-License-Identifier: MIT
 *
 * Rounding to whole numbers, fractions, and conversions of the small float formats. Whole
 * numbers keep the sign of their source, so -0.5 gives -0 where it becomes zero: the tables of
 * special values that the pages announce are not there, and IEEE 754 has it so.
 * Pages FRC RNDD RNDU RNDE RNDZ FCVT SRND. */
#include <math.h>

#include "exec/compute.h"
#include "exec/convert.h"
#include "exec/handlers.h"
#include "exec/math_bits.h"

/* ---- whole numbers ---------------------------------------------------------------------- */

static float floor_float(float x)
{
    return floorf(x);
}

void vsg_exe_do_rndd(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_unary rndd = {.on_float = floor_float};
    vsg_exe_compute_unary(thread, inst, &rndd);
}

static float ceil_float(float x)
{
    return ceilf(x);
}

void vsg_exe_do_rndu(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_unary rndu = {.on_float = ceil_float};
    vsg_exe_compute_unary(thread, inst, &rndu);
}

static float trunc_float(float x)
{
    return truncf(x);
}

void vsg_exe_do_rndz(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_unary rndz = {.on_float = trunc_float};
    vsg_exe_compute_unary(thread, inst, &rndz);
}

/* rint() in the mode to nearest even, whatever %cr0 says. */
static float nearest_float(float x)
{
    return rintf(x);
}

void vsg_exe_do_rnde(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_use_math_mode(thread);
    vsg_exe_unary_float(thread, inst, nearest_float);
}

/* The page's formula; the difference is rounded, so a small negative source gives 1. */
static float fraction_float(float x)
{
    return x - floorf(x);
}

void vsg_exe_do_frc(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_unary frc = {.on_float = fraction_float};
    vsg_exe_compute_unary(thread, inst, &frc);
}

/* ---- fcvt ------------------------------------------------------------------------------- */

/* BF8 stands in UB, TF32 in UD. HF8, which the type B would mean, is in no table of the
 * document. */
bool vsg_exe_prepare_fcvt(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_inst *out)
{
    uint8_t to = out->dst.type;
    uint8_t from = out->src[0].type;

    if ((to == VISAGE_TYPE_HF && from == VISAGE_TYPE_UB) ||
        (to == VISAGE_TYPE_UB && from == VISAGE_TYPE_HF) ||
        (to == VISAGE_TYPE_F && from == VISAGE_TYPE_UD) ||
        (to == VISAGE_TYPE_UD && from == VISAGE_TYPE_F))
        return true;
    return vsg_exe_reject(builder, inst, "it does not convert between these types");
}

static uint64_t convert(visage_type to, visage_type from, uint64_t bits)
{
    if (from == VISAGE_TYPE_UB)
        return vsg_exe_bf8_to_half((uint8_t)bits);
    if (to == VISAGE_TYPE_UB)
        return vsg_exe_half_to_bf8((uint16_t)bits);
    if (to == VISAGE_TYPE_UD)
        return vsg_exe_float_to_tf32(vsg_exe_bits_float((uint32_t)bits));
    return bits;
}

void vsg_exe_do_fcvt(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    uint64_t bits[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_raw(thread, inst, &inst->src[0], inst->exec_size, bits))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        bits[i] = convert((visage_type)inst->dst.type, (visage_type)inst->src[0].type, bits[i]);
    vsg_exe_write_raw(thread, inst, &inst->dst, channels, bits);
}

/* ---- srnd ------------------------------------------------------------------------------- */

bool vsg_exe_prepare_srnd(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_inst *out)
{
    uint8_t to = out->dst.type;
    uint8_t from = out->src[0].type;

    if ((to == VISAGE_TYPE_UB && from == VISAGE_TYPE_HF) ||
        (to == VISAGE_TYPE_HF && from == VISAGE_TYPE_F))
        return true;
    return vsg_exe_reject(builder, inst, "it does not round between these types");
}

/* HF and BF8 have the same exponents, so the carry of the mantissa goes where it should, to
 * infinity from the largest numbers; the upper byte is the BF8. */
static uint64_t round_to_bf8(uint16_t half, uint64_t random)
{
    if ((half & 0x7c00) == 0x7c00)
        return vsg_exe_half_to_bf8(half);
    return (half + (random & 0xff)) >> 8;
}

/* The sum is truncated to a half, to a denormal where it has to be. What is 2^16 or more after
 * the sum has no exponent in HF and is infinite. */
static uint64_t round_to_half(uint32_t bits, uint64_t random)
{
    const uint32_t two_to_16 = (127 + 16) << 23;
    uint32_t sign = bits & 0x80000000;
    uint32_t magnitude = bits & 0x7fffffff;

    if (magnitude >= VSG_EXE_FLOAT_INF)
        return vsg_exe_float_to_half(vsg_exe_bits_float(bits), VSG_EXE_RTZ);
    magnitude += (uint32_t)(random & 0x1fff);
    if (magnitude >= two_to_16)
        return sign >> 16 | 0x7c00;
    return vsg_exe_float_to_half(vsg_exe_bits_float(sign | magnitude), VSG_EXE_RTZ);
}

/* "No predicate, no saturation, no source modifier, no mask". */
void vsg_exe_do_srnd(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint64_t bits[VSG_EXE_MAX_CHANNELS], random[VSG_EXE_MAX_CHANNELS];
    bool to_half = inst->dst.type == VISAGE_TYPE_HF;

    if (!vsg_exe_read_raw(thread, inst, &inst->src[0], inst->exec_size, bits) ||
        !vsg_exe_read_raw(thread, inst, &inst->src[1], inst->exec_size, random))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        bits[i] = to_half ? round_to_half((uint32_t)bits[i], random[i])
                          : round_to_bf8((uint16_t)bits[i], random[i]);
    vsg_exe_write_raw(thread, inst, &inst->dst, vsg_exe_first(inst->exec_size), bits);
}
