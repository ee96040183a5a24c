/* SPDX-License-Identifier: MIT
 *
 * Extended math. The functions of math.h do the work, to nearest even whatever %cr0 says; the
 * pages give no precision for them. Denormals are flushed going in and coming out as %cr0 has
 * it. SQRTM is the IEEE root and follows the rounding mode; so does DIVM, which is
 * exec_arith's. Pages EXP LOG POW SIN COS INV SQRT RSQRT SQRTM; ALT mode: 2_datatypes. */
#include <math.h>

#include "exec/compute.h"
#include "exec/handlers.h"
#include "exec/math.h"

VSG_EXE_INLINE void do_math(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                            float (*on_float)(float), double (*on_double)(double))
{
    vsg_exe_use_math_mode(thread);
    if (inst->class_ == VSG_EXE_CLASS_DOUBLE && on_double)
        vsg_exe_unary_double(thread, inst, on_double);
    else
        vsg_exe_unary_float(thread, inst, on_float);
}

/* "Certain mathematical instructions (log, rsq, and sqrt) take the absolute value of the
 * sources": of F, the only type that ALT mode is for. */
static bool takes_magnitude(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    return (thread->mode & VSG_EXE_CR0_ALT) && inst->src[0].type == VISAGE_TYPE_F;
}

void vsg_exe_do_exp(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    do_math(thread, inst, vsg_exe_math_exp2, NULL);
}

static float log_of_magnitude(float x)
{
    return vsg_exe_math_log2(fabsf(x));
}

void vsg_exe_do_log(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    if (takes_magnitude(thread, inst))
        do_math(thread, inst, log_of_magnitude, NULL);
    else
        do_math(thread, inst, vsg_exe_math_log2, NULL);
}

void vsg_exe_do_sin(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    do_math(thread, inst, vsg_exe_math_sin, NULL);
}

void vsg_exe_do_cos(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    do_math(thread, inst, vsg_exe_math_cos, NULL);
}

void vsg_exe_do_inv(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    do_math(thread, inst, vsg_exe_math_inv, vsg_exe_math_inv_f64);
}

static float sqrt_of_magnitude(float x)
{
    return vsg_exe_math_sqrt(fabsf(x));
}

void vsg_exe_do_sqrt(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    if (takes_magnitude(thread, inst))
        do_math(thread, inst, sqrt_of_magnitude, vsg_exe_math_sqrt_f64);
    else
        do_math(thread, inst, vsg_exe_math_sqrt, vsg_exe_math_sqrt_f64);
}

static float rsqrt_of_magnitude(float x)
{
    return vsg_exe_math_rsqrt(fabsf(x));
}

void vsg_exe_do_rsqrt(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    if (takes_magnitude(thread, inst))
        do_math(thread, inst, rsqrt_of_magnitude, vsg_exe_math_rsqrt_f64);
    else
        do_math(thread, inst, vsg_exe_math_rsqrt, vsg_exe_math_rsqrt_f64);
}

void vsg_exe_do_pow(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_use_math_mode(thread);
    vsg_exe_binary_float(thread, inst, vsg_exe_math_pow);
}

void vsg_exe_do_sqrtm(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_unary sqrtm = {.on_float = sqrtf, .on_double = sqrt};
    vsg_exe_compute_unary(thread, inst, &sqrtm);
}
