/* SPDX-License-Identifier: MIT
 *
 * Raw sends to the sampler. Parts of a descriptor:
 *
 *     30 29   28  25 24   20  19  18 17 16 12 11   8 7            0
 *     16|mode|sent  |returned|head|mode|type |sampler|binding table
 *
 * and of dword 2 of the header: texel offsets (0 to 11), components that are not written (12 to
 * 15), which one is gathered (16, 17), mask of missing pages (23). A message without a header
 * returns as many components as its response has registers for. Source: Mesa, brw_eu.h
 * (brw_sampler_desc), brw_eu_defines.h, lower_sampler_logical_send of the logical sends;
 * parameters as in 3D_SAMPLE, 3D_LOAD, 3D_SAMPLE4. */
#include "exec/raw.h"
#include "exec/texel_lanes.h"

/* The two bits of the mode, and above them the one that halves the parameters. */
enum { MODE_NARROW = 1, MODE_WIDE = 2, MODE_16_BITS = 4 };

static bool take_mode(vsg_exe_plan *p, uint32_t *simd)
{
    uint32_t mode = vsg_exe_send_field(p->descriptor, 17, 18) |
                    vsg_exe_send_field(p->descriptor, 29, 29) * MODE_16_BITS;

    if ((mode & 3) != MODE_NARROW && (mode & 3) != MODE_WIDE)
        return vsg_exe_plan_refuse(p, "its SIMD mode is not executed");
    *simd = vsg_exe_plan_simd(p, (mode & 3) == MODE_WIDE);
    p->sampling.parameter_bytes = mode & MODE_16_BITS ? 2 : 4;
    return true;
}

/* As many parameters as there are registers; each one is in whole registers. */
static bool take_parameters(vsg_exe_plan *p, const uint8_t *parameters, uint32_t simd)
{
    uint32_t grfs = vsg_exe_plan_grfs(p, simd * p->sampling.parameter_bytes);
    uint32_t left = p->send->grfs[0] + p->send->grfs[1] - p->taken;
    uint32_t count = VSG_EXE_MOST_PARAMETERS;
    vsg_exe_operand unused;

    while (count > 0 && parameters[count - 1] == VSG_EXE_PARAMETER_SKIP)
        count--;
    if (left % grfs != 0 || left / grfs > count)
        return vsg_exe_plan_refuse(p, "it has other parameters than are known");
    for (uint32_t i = 0; i < left / grfs; i++) {
        uint8_t parameter = parameters[i];
        vsg_exe_operand *to =
            parameter == VSG_EXE_PARAMETER_SKIP ? &unused : &p->sampling.parameters[parameter];
        if (!vsg_exe_plan_take(p, grfs, to))
            return false;
    }
    for (uint32_t i = 0; i < count; i++)
        p->sampling.compares |= parameters[i] == VSG_EXE_PARAMETER_REF;
    return true;
}

/* What the header says, and which components are returned. */
static bool take_sampler_header(vsg_exe_plan *p, uint32_t simd, uint32_t *mask)
{
    bool is_16_bits = vsg_exe_send_field(p->descriptor, 30, 30);
    uint32_t grfs = vsg_exe_plan_grfs(p, simd * (is_16_bits ? 2 : 4));
    vsg_exe_operand header;
    uint32_t bits;

    *mask = p->send->dst_grfs / grfs >= 4 ? 15 : (1u << p->send->dst_grfs / grfs) - 1;
    p->sampling.offset.is_constant = true;
    if (!vsg_exe_send_field(p->descriptor, 19, 19))
        return true;
    if (!vsg_exe_plan_take_header(p, true, &header) || !vsg_exe_plan_read(p, &header, 2, &bits))
        return false;
    p->sampling.offset.value = vsg_exe_send_field(bits, 0, 11);
    p->sampling.component = (uint8_t)vsg_exe_send_field(bits, 16, 17);
    p->sampling.null_mask = vsg_exe_send_field(bits, 23, 23);
    *mask = ~vsg_exe_send_field(bits, 12, 15) & 15;
    return true;
}

static bool set_results(vsg_exe_plan *p, uint32_t mask, uint32_t simd)
{
    if (mask == 0)
        return vsg_exe_plan_refuse(p, "no channel is enabled");
    vsg_exe_plan_texel(p, mask);
    p->message.register_bytes = vsg_exe_send_field(p->descriptor, 30, 30) ? 2 : 4;
    vsg_exe_plan_channels(p, simd);
    return vsg_exe_plan_take_data(p, false,
                                  p->message.num_elements * p->message.pitch_bytes +
                                      (p->sampling.null_mask ? p->send->grf_bytes : 0));
}

/* Later devices than tgllp have another order of parameters there (Mesa, brw_sampler.c). */
static bool is_reordered(const vsg_exe_plan *p, visage_op op)
{
    return op == VISAGE_OP_LOAD_2DMS_W && p->send->platform > VISAGE_PLATFORM_TGLLP;
}

/* Parameters behind these are others since xehp: the least level in place of gradients of r. */
enum { COMMON_GRADIENTS = 7 };

bool vsg_exe_send_sampler(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    static const uint8_t of_resinfo[VSG_EXE_MOST_PARAMETERS] = {VSG_EXE_PARAMETER_LOD};
    visage_op op = (visage_op)r->bytes;
    uint8_t parameters[VSG_EXE_MOST_PARAMETERS];
    uint32_t simd = 0, mask = 0;

    if (is_reordered(p, op))
        return vsg_exe_plan_refuse(p, "the order of its parameters is not known");
    for (uint32_t i = 0; i < VSG_EXE_PARAMETER_COUNT; i++)
        p->sampling.parameters[i].is_null = true;
    if (!take_mode(p, &simd) || !take_sampler_header(p, simd, &mask))
        return false;
    const vsg_exe_sampling_row *row = vsg_exe_sampling_of(op, p->sampling.parameter_bytes);
    memcpy(parameters, op == VISAGE_OP_RESINFO ? of_resinfo : row->parameters,
           sizeof parameters);
    if (op == VISAGE_OP_SAMPLE_D && p->send->platform > VISAGE_PLATFORM_TGLLP)
        memset(parameters + COMMON_GRADIENTS, 0, sizeof parameters - COMMON_GRADIENTS);
    vsg_exe_plan_table(p);
    p->sampling.action = row->action;
    p->sampling.lod = row->lod;
    p->sampling.sampler = vsg_exe_send_field(p->descriptor, 8, 11);
    p->sampling.is_number = true;
    p->message.sampling = &p->sampling;
    p->inst.handler = vsg_exe_op_of(op)->handler;
    return take_parameters(p, parameters, simd) && set_results(p, mask, simd) &&
           vsg_exe_texel_note(&p->inst, &p->message);
}

/* A block of 32 pixels from one coordinate on: in dwords 2 to 5 of the payload u, v and their
 * steps; two bytes a pixel and component are returned (intel-graphics-compiler,
 * TranslateSend3D.cpp, translateVISASamplerNormInst). */
bool vsg_exe_send_sampler_block(vsg_exe_plan *p, const vsg_exe_send_row *r)
{
    vsg_exe_operand header, at;
    uint32_t bits;

    (void)r;
    if (!vsg_exe_plan_take_header(p, true, &header) || !vsg_exe_plan_take(p, 1, &at) ||
        !vsg_exe_plan_read(p, &header, 2, &bits))
        return false;
    uint32_t mask = ~vsg_exe_send_field(bits, 12, 15) & 15;
    if (mask == 0)
        return vsg_exe_plan_refuse(p, "no channel is enabled");
    vsg_exe_plan_table(p);
    for (uint32_t i = 0; i < 2; i++) {
        p->sampling.start[i] = vsg_exe_plan_scalar(&at, 2 + i, VISAGE_TYPE_F);
        p->sampling.step[i] = vsg_exe_plan_scalar(&at, 4 + i, VISAGE_TYPE_F);
    }
    p->sampling.sampler = vsg_exe_send_field(p->descriptor, 8, 11);
    p->sampling.is_number = true;
    p->message.sampling = &p->sampling;
    vsg_exe_plan_texel(p, mask);
    p->message.register_bytes = 2;
    p->inst.exec_size = VSG_EXE_MAX_CHANNELS;
    p->inst.no_mask = true;
    p->inst.handler = vsg_exe_do_sample_unorm;
    return vsg_exe_plan_take_data(p, false,
                                  (uint32_t)VSG_EXE_MAX_CHANNELS * p->message.num_elements *
                                      p->message.register_bytes);
}
