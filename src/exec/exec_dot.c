/* SPDX-License-Identifier: MIT
 *
 * Operations whose channels use several elements: dot products, planes and lines, sums of
 * absolute differences. Where the document leaves the precision open, products are fused into
 * the sum from left to right.
 * Pages DP4A LRP PLN SAD2 SAD2ADD; line, dp2, dp3, dp4 and dph have no page any more: their
 * meaning is the hardware instruction's, as the table of operations says. */
#include <assert.h>
#include <math.h>

#include "exec/compute.h"
#include "exec/handlers.h"

/* Decodes operand `name` again as `count` elements one after the other, for pages that say the
 * region is ignored. */
static bool decode_contiguous(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                              const char *name, uint32_t count, vsg_exe_operand *out)
{
    const vsg_obj_operand *operand = vsg_exe_find(inst, name);

    if (!operand)
        return false;
    if (operand->class_ != VSG_OBJ_CLASS_GENERAL && operand->class_ != VSG_OBJ_CLASS_INDIRECT)
        return true;
    vsg_obj_operand flat = *operand;
    flat.v_stride = 1;
    flat.width = 1;
    flat.h_stride = 1;
    return vsg_exe_decode(builder, inst, &flat, count, out);
}

/* ---- dp4a ------------------------------------------------------------------------------- */

/* The dot product of the bytes of two dwords, each signed or not by its operand's type. */
static int64_t dot_bytes(int64_t a, int64_t b, bool a_is_signed, bool b_is_signed)
{
    int64_t sum = 0;

    for (uint32_t k = 0; k < 4; k++) {
        uint8_t x = (uint8_t)(a >> (8 * k));
        uint8_t y = (uint8_t)(b >> (8 * k));
        sum += (a_is_signed ? (int8_t)x : x) * (b_is_signed ? (int8_t)y : y);
    }
    return sum;
}

void vsg_exe_do_dp4a(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    /* V, which goes with D, has elements of type W. */
    bool a_is_signed = vsg_isa_type(inst->src[1].type)->kind == VSG_ISA_KIND_SIGNED;
    bool b_is_signed = vsg_isa_type(inst->src[2].type)->kind == VSG_ISA_KIND_SIGNED;
    int64_t sum[VSG_EXE_MAX_CHANNELS], a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, sum) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[2], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        sum[i] += dot_bytes(a[i], b[i], a_is_signed, b_is_signed);
    vsg_exe_write_int(thread, inst, &inst->dst, channels, sum, false);
}

/* ---- dp2, dp3, dp4, dph ----------------------------------------------------------------- */

bool vsg_exe_prepare_quads(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out)
{
    (void)builder;
    (void)inst;
    assert(out->exec_size % 4 == 0 && out->class_ == VSG_EXE_CLASS_FLOAT);
    (void)out;
    return true;
}

/* The product of `length` elements of each group of four goes to its four channels; dph takes
 * the last element of src1 for that of a product with 1. */
static void do_quads(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t length,
                     bool is_homogeneous)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    float a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    vsg_exe_use_mode(thread, VSG_EXE_CLASS_FLOAT);
    if (!channels || !vsg_exe_read_float(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_float(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i += 4) {
        float sum = a[i] * b[i];
        for (uint32_t k = 1; k < length; k++)
            sum = fmaf(a[i + k], b[i + k], sum);
        if (is_homogeneous)
            sum += b[i + 3];
        for (uint32_t k = 0; k < 4; k++)
            a[i + k] = sum;
    }
    vsg_exe_write_float(thread, inst, &inst->dst, channels, a);
}

void vsg_exe_do_dp2(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    do_quads(thread, inst, 2, false);
}

void vsg_exe_do_dp3(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    do_quads(thread, inst, 3, false);
}

void vsg_exe_do_dp4(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    do_quads(thread, inst, 4, false);
}

void vsg_exe_do_dph(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    do_quads(thread, inst, 3, true);
}

/* ---- line, plane, lrp ------------------------------------------------------------------- */

/* src0 is four numbers, whatever its region says. */
bool vsg_exe_prepare_line(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_inst *out)
{
    assert(out->class_ == VSG_EXE_CLASS_FLOAT);
    return decode_contiguous(builder, inst, "src0", 4, &out->src[0]);
}

void vsg_exe_do_line(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    float p[VSG_EXE_MAX_CHANNELS], u[VSG_EXE_MAX_CHANNELS];

    vsg_exe_use_mode(thread, VSG_EXE_CLASS_FLOAT);
    if (!channels || !vsg_exe_read_float(thread, inst, &inst->src[0], 4, p) ||
        !vsg_exe_read_float(thread, inst, &inst->src[1], inst->exec_size, u))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        u[i] = fmaf(p[0], u[i], p[3]);
    vsg_exe_write_float(thread, inst, &inst->dst, channels, u);
}

/* "Register region is ignored", and src1 is two elements a channel. */
bool vsg_exe_prepare_plane(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out)
{
    assert(out->exec_size == 8 || out->exec_size == 16);
    assert(out->class_ == VSG_EXE_CLASS_FLOAT);
    return decode_contiguous(builder, inst, "src0", 4, &out->src[0]) &&
           decode_contiguous(builder, inst, "src1", 2u * out->exec_size, &out->src[1]);
}

/* src1 has eight u, then eight v, for each eight channels. */
void vsg_exe_do_plane(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    float p[VSG_EXE_MAX_CHANNELS], uv[VSG_EXE_MAX_CHANNELS], out[VSG_EXE_MAX_CHANNELS];

    vsg_exe_use_mode(thread, VSG_EXE_CLASS_FLOAT);
    if (!channels || !vsg_exe_read_float(thread, inst, &inst->src[0], 4, p) ||
        !vsg_exe_read_float(thread, inst, &inst->src[1], 2u * inst->exec_size, uv))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        const float *u = &uv[i / 8 * 16 + i % 8];
        out[i] = fmaf(p[1], u[8], fmaf(p[0], u[0], p[3]));
    }
    vsg_exe_write_float(thread, inst, &inst->dst, channels, out);
}

/* "Register region is ignored for Dst ... sources support scalar region ... other regions are
 * ignored and contiguous elements will be accessed." */
bool vsg_exe_prepare_lrp(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_inst *out)
{
    static const char *const names[] = {"src0", "src1", "src2"};

    assert(out->class_ == VSG_EXE_CLASS_FLOAT);
    if (!decode_contiguous(builder, inst, "dst", out->exec_size, &out->dst))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (out->src[i].shape != VSG_EXE_SHAPE_SCALAR &&
            !decode_contiguous(builder, inst, names[i], out->exec_size, &out->src[i]))
            return false;
    return true;
}

static float lrp_float(float a, float b, float c)
{
    return fmaf(a, b, (1.0f - a) * c);
}

void vsg_exe_do_lrp(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_use_mode(thread, VSG_EXE_CLASS_FLOAT);
    vsg_exe_ternary_float(thread, inst, lrp_float);
}

/* ---- sad2, sad2add ---------------------------------------------------------------------- */

bool vsg_exe_prepare_pairs(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out)
{
    (void)builder;
    (void)inst;
    assert(out->exec_size % 2 == 0 && out->class_ == VSG_EXE_CLASS_INT);
    (void)out;
    return true;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

/* The result of a pair goes to its first channel; "dst[i+1] = undefined": left as it is. The
 * loop of page SAD2 counts by one, its description by two. */
static void do_pairs(vsg_exe_thread *thread, const vsg_exe_inst *inst, bool adds)
{
    const uint32_t first_of_pairs = 0x55555555;
    uint32_t channels = vsg_exe_active(thread, inst) & first_of_pairs;
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];
    int64_t sum[VSG_EXE_MAX_CHANNELS] = {0};

    if (!channels || !vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, b) ||
        (adds && !vsg_exe_read_int(thread, inst, &inst->src[2], inst->exec_size, sum)))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i += 2)
        sum[i] += distance(a[i], b[i]) + distance(a[i + 1], b[i + 1]);
    vsg_exe_write_int(thread, inst, &inst->dst, channels, sum, false);
}

void vsg_exe_do_sad2(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    do_pairs(thread, inst, false);
}

void vsg_exe_do_sad2add(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    do_pairs(thread, inst, true);
}
