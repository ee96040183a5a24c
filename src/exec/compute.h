/* SPDX-License-Identifier: MIT
 *
 * The frame of arithmetic handlers: read the sources as the numbers of the instruction's class,
 * compute every channel, write the active ones. An operation is a struct of functions on single
 * numbers, one a class. The functions here are inlined into its handler, and it into their
 * loops, so that compilers can make vector code of them. */
#ifndef VISAGE_EXEC_COMPUTE_H
#define VISAGE_EXEC_COMPUTE_H

#include "exec/convert.h"
#include "exec/operand.h"

#define VSG_EXE_INLINE static inline __attribute__((always_inline))

/* on_int may let results wrap in 64 bits. on_wide, with exact values, is asked instead where
 * saturation or (`is_exact`: the low bits of the operands do not make the low bits of the
 * result) operands of 64 bits make that too little; without it on_int has to do. Without
 * on_half, halves are computed by on_float and rounded once more. Without any other, the
 * operation does not have that class, and its prepare function refuses it. */
typedef struct vsg_exe_unary {
    int64_t (*on_int)(int64_t a);
    float (*on_float)(float a);
    double (*on_double)(double a);
} vsg_exe_unary;

typedef struct vsg_exe_binary {
    bool is_exact;
    int64_t (*on_int)(int64_t a, int64_t b);
    vsg_exe_int128 (*on_wide)(vsg_exe_int128 a, vsg_exe_int128 b);
    uint16_t (*on_half)(uint16_t a, uint16_t b, vsg_exe_rounding mode);
    float (*on_float)(float a, float b);
    double (*on_double)(double a, double b);
} vsg_exe_binary;

typedef struct vsg_exe_ternary {
    int64_t (*on_int)(int64_t a, int64_t b, int64_t c);
    vsg_exe_int128 (*on_wide)(vsg_exe_int128 a, vsg_exe_int128 b, vsg_exe_int128 c);
    uint16_t (*on_half)(uint16_t a, uint16_t b, uint16_t c, vsg_exe_rounding mode);
    float (*on_float)(float a, float b, float c);
    double (*on_double)(double a, double b, double c);
} vsg_exe_ternary;

/* Is one of the first `count` sources 64 bits wide? */
static inline bool vsg_exe_has_qword(const vsg_exe_inst *inst, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (inst->src[i].bytes == 8)
            return true;
    return false;
}

/* Writes floats to the instruction's destination; of an instruction in halves they are rounded
 * to half, once, whatever the destination is. */
static inline void vsg_exe_finish_float(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                        uint32_t channels, const float *values)
{
    uint16_t halves[VSG_EXE_MAX_CHANNELS];

    if (inst->class_ != VSG_EXE_CLASS_HALF) {
        vsg_exe_write_float(thread, inst, &inst->dst, channels, values);
        return;
    }
    for (uint32_t i = 0; i < inst->exec_size; i++)
        halves[i] = vsg_exe_narrow_half(values[i], (vsg_exe_rounding)thread->rounding);
    vsg_exe_write_half(thread, inst, &inst->dst, channels, halves);
}

/* ---- one source ------------------------------------------------------------------------- */

VSG_EXE_INLINE void vsg_exe_unary_int(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                      int64_t (*op)(int64_t a))
{
    uint32_t channels = vsg_exe_active(thread, inst);
    int64_t a[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, a))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = op(a[i]);
    vsg_exe_write_int(thread, inst, &inst->dst, channels, a, false);
}

VSG_EXE_INLINE void vsg_exe_unary_float(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                        float (*op)(float a))
{
    uint32_t channels = vsg_exe_active(thread, inst);
    float a[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_float(thread, inst, &inst->src[0], inst->exec_size, a))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = op(a[i]);
    vsg_exe_finish_float(thread, inst, channels, a);
}

VSG_EXE_INLINE void vsg_exe_unary_double(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                         double (*op)(double a))
{
    uint32_t channels = vsg_exe_active(thread, inst);
    double a[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_double(thread, inst, &inst->src[0], inst->exec_size, a))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = op(a[i]);
    vsg_exe_write_double(thread, inst, &inst->dst, channels, a);
}

VSG_EXE_INLINE void vsg_exe_compute_unary(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                          const vsg_exe_unary *op)
{
    vsg_exe_use_mode(thread, (vsg_exe_class)inst->class_);
    if (inst->class_ == VSG_EXE_CLASS_INT && op->on_int)
        vsg_exe_unary_int(thread, inst, op->on_int);
    else if (inst->class_ == VSG_EXE_CLASS_DOUBLE && op->on_double)
        vsg_exe_unary_double(thread, inst, op->on_double);
    else if (op->on_float)
        vsg_exe_unary_float(thread, inst, op->on_float);
}

/* ---- two sources ------------------------------------------------------------------------ */

VSG_EXE_INLINE void vsg_exe_binary_int(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                       int64_t (*op)(int64_t a, int64_t b))
{
    uint32_t channels = vsg_exe_active(thread, inst);
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = op(a[i], b[i]);
    vsg_exe_write_int(thread, inst, &inst->dst, channels, a, false);
}

VSG_EXE_INLINE void vsg_exe_binary_wide(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                        vsg_exe_int128 (*op)(vsg_exe_int128 a,
                                                             vsg_exe_int128 b))
{
    uint32_t channels = vsg_exe_active(thread, inst);
    vsg_exe_int128 a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_wide(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_wide(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = op(a[i], b[i]);
    vsg_exe_write_wide(thread, inst, &inst->dst, channels, a);
}

VSG_EXE_INLINE void vsg_exe_binary_half(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                        uint16_t (*op)(uint16_t a, uint16_t b,
                                                       vsg_exe_rounding mode))
{
    uint32_t channels = vsg_exe_active(thread, inst);
    uint16_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_half(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_half(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = op(a[i], b[i], (vsg_exe_rounding)thread->rounding);
    vsg_exe_write_half(thread, inst, &inst->dst, channels, a);
}

VSG_EXE_INLINE void vsg_exe_binary_float(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                         float (*op)(float a, float b))
{
    uint32_t channels = vsg_exe_active(thread, inst);
    float a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_float(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_float(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = op(a[i], b[i]);
    vsg_exe_finish_float(thread, inst, channels, a);
}

VSG_EXE_INLINE void vsg_exe_binary_double(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                          double (*op)(double a, double b))
{
    uint32_t channels = vsg_exe_active(thread, inst);
    double a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_double(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_double(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = op(a[i], b[i]);
    vsg_exe_write_double(thread, inst, &inst->dst, channels, a);
}

VSG_EXE_INLINE void vsg_exe_compute_binary(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                           const vsg_exe_binary *op)
{
    bool is_wide = inst->saturate || (op->is_exact && vsg_exe_has_qword(inst, 2));

    vsg_exe_use_mode(thread, (vsg_exe_class)inst->class_);
    if (inst->class_ == VSG_EXE_CLASS_INT && op->on_wide && is_wide)
        vsg_exe_binary_wide(thread, inst, op->on_wide);
    else if (inst->class_ == VSG_EXE_CLASS_INT && op->on_int)
        vsg_exe_binary_int(thread, inst, op->on_int);
    else if (inst->class_ == VSG_EXE_CLASS_HALF && op->on_half)
        vsg_exe_binary_half(thread, inst, op->on_half);
    else if (inst->class_ == VSG_EXE_CLASS_DOUBLE && op->on_double)
        vsg_exe_binary_double(thread, inst, op->on_double);
    else if (op->on_float)
        vsg_exe_binary_float(thread, inst, op->on_float);
}

/* ---- three sources ---------------------------------------------------------------------- */

VSG_EXE_INLINE void vsg_exe_ternary_int(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                        int64_t (*op)(int64_t a, int64_t b, int64_t c))
{
    uint32_t channels = vsg_exe_active(thread, inst);
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS], c[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, b) ||
        !vsg_exe_read_int(thread, inst, &inst->src[2], inst->exec_size, c))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = op(a[i], b[i], c[i]);
    vsg_exe_write_int(thread, inst, &inst->dst, channels, a, false);
}

VSG_EXE_INLINE void
vsg_exe_ternary_wide(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                     vsg_exe_int128 (*op)(vsg_exe_int128 a, vsg_exe_int128 b, vsg_exe_int128 c))
{
    uint32_t channels = vsg_exe_active(thread, inst);
    vsg_exe_int128 a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS], c[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_wide(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_wide(thread, inst, &inst->src[1], inst->exec_size, b) ||
        !vsg_exe_read_wide(thread, inst, &inst->src[2], inst->exec_size, c))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = op(a[i], b[i], c[i]);
    vsg_exe_write_wide(thread, inst, &inst->dst, channels, a);
}

VSG_EXE_INLINE void vsg_exe_ternary_half(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                         uint16_t (*op)(uint16_t a, uint16_t b, uint16_t c,
                                                        vsg_exe_rounding mode))
{
    uint32_t channels = vsg_exe_active(thread, inst);
    uint16_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS], c[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_half(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_half(thread, inst, &inst->src[1], inst->exec_size, b) ||
        !vsg_exe_read_half(thread, inst, &inst->src[2], inst->exec_size, c))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = op(a[i], b[i], c[i], (vsg_exe_rounding)thread->rounding);
    vsg_exe_write_half(thread, inst, &inst->dst, channels, a);
}

VSG_EXE_INLINE void vsg_exe_ternary_float(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                          float (*op)(float a, float b, float c))
{
    uint32_t channels = vsg_exe_active(thread, inst);
    float a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS], c[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_float(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_float(thread, inst, &inst->src[1], inst->exec_size, b) ||
        !vsg_exe_read_float(thread, inst, &inst->src[2], inst->exec_size, c))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = op(a[i], b[i], c[i]);
    vsg_exe_finish_float(thread, inst, channels, a);
}

VSG_EXE_INLINE void vsg_exe_ternary_double(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                           double (*op)(double a, double b, double c))
{
    uint32_t channels = vsg_exe_active(thread, inst);
    double a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS], c[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_double(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_double(thread, inst, &inst->src[1], inst->exec_size, b) ||
        !vsg_exe_read_double(thread, inst, &inst->src[2], inst->exec_size, c))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = op(a[i], b[i], c[i]);
    vsg_exe_write_double(thread, inst, &inst->dst, channels, a);
}

VSG_EXE_INLINE void vsg_exe_compute_ternary(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                            const vsg_exe_ternary *op)
{
    vsg_exe_use_mode(thread, (vsg_exe_class)inst->class_);
    if (inst->class_ == VSG_EXE_CLASS_INT && op->on_wide && inst->saturate)
        vsg_exe_ternary_wide(thread, inst, op->on_wide);
    else if (inst->class_ == VSG_EXE_CLASS_INT && op->on_int)
        vsg_exe_ternary_int(thread, inst, op->on_int);
    else if (inst->class_ == VSG_EXE_CLASS_HALF && op->on_half)
        vsg_exe_ternary_half(thread, inst, op->on_half);
    else if (inst->class_ == VSG_EXE_CLASS_DOUBLE && op->on_double)
        vsg_exe_ternary_double(thread, inst, op->on_double);
    else if (op->on_float)
        vsg_exe_ternary_float(thread, inst, op->on_float);
}

#endif
