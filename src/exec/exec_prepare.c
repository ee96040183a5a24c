/* SPDX-License-Identifier: MIT
 *
 * Preparation that most computing operations have in common. */
#include <assert.h>

#include "exec/handlers.h"
#include "exec/quick.h"
#include "isa/isa.h"

/* Has the operation numbers of the instruction's class? The verifier knows the pages' type
 * maps. */
static bool has_class(const vsg_exe_inst *inst)
{
    const uint32_t integers = 1u << VISAGE_TYPE_UD | 1u << VISAGE_TYPE_D |
                              1u << VISAGE_TYPE_UW | 1u << VISAGE_TYPE_W |
                              1u << VISAGE_TYPE_UB | 1u << VISAGE_TYPE_B;
    const uint32_t floats = 1u << VISAGE_TYPE_F | 1u << VISAGE_TYPE_HF;
    uint32_t types = vsg_isa_op((visage_op)inst->op)->types;

    switch ((vsg_exe_class)inst->class_) {
    case VSG_EXE_CLASS_INT:
        return types & integers;
    case VSG_EXE_CLASS_DOUBLE:
        return types & 1u << VISAGE_TYPE_DF;
    default:
        return types & floats;
    }
}

bool vsg_exe_prepare_compute(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                             vsg_exe_inst *out)
{
    (void)builder;
    (void)inst;
    assert(has_class(out));
    vsg_exe_handler quick = vsg_exe_quick(out);
    if (quick)
        out->handler = quick;
    return true;
}

bool vsg_exe_prepare_cmp(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_inst *out)
{
    out->control = (uint32_t)vsg_exe_number(inst, "rel");
    return vsg_exe_prepare_compute(builder, inst, out);
}

bool vsg_exe_prepare_bfn(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_inst *out)
{
    out->control = (uint32_t)vsg_exe_number(inst, "func");
    return vsg_exe_prepare_compute(builder, inst, out);
}
