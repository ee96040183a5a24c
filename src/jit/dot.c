/* SPDX-License-Identifier: MIT
 *
 * Sums over several elements (exec_dot.c says what they mean): of the bytes of dwords, of the
 * four channels of a group. */
#include "exec/operand.h"
#include "jit/lowering.h"

/* ---- dp4a -------------------------------------------------------------------------------- */

/* Byte k of dwords, extended. */
static LLVMValueRef byte_of(vsg_jit_emitter *e, LLVMValueRef dwords, uint32_t k, bool is_signed,
                            uint32_t count)
{
    LLVMValueRef up = vsg_jit_splat(e, vsg_jit_i32(e, 24 - 8 * k), count);
    LLVMValueRef down = vsg_jit_splat(e, vsg_jit_i32(e, 24), count);

    dwords = LLVMBuildShl(e->b, dwords, up, "");
    return is_signed ? LLVMBuildAShr(e->b, dwords, down, "")
                     : LLVMBuildLShr(e->b, dwords, down, "");
}

bool vsg_jit_lower_dp4a(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;
    uint32_t bits = inst->saturate || inst->dst.bytes == 8 ? 64 : 32;
    bool is_signed[3] = {false, false, false};
    LLVMValueRef in[3], sum = NULL;

    if (!vsg_jit_from_integers(inst) || (inst->saturate && inst->dst.bytes == 8))
        return false;
    for (uint32_t s = 1; s < 3; s++) {
        is_signed[s] = vsg_isa_type(inst->src[s].type)->kind == VSG_ISA_KIND_SIGNED;
        in[s] = vsg_jit_read_int(e, &inst->src[s], count, 32);
    }
    for (uint32_t k = 0; k < 4; k++) {
        LLVMValueRef a = byte_of(e, in[1], k, is_signed[1], count);
        LLVMValueRef b = byte_of(e, in[2], k, is_signed[2], count);
        LLVMValueRef product = LLVMBuildMul(e->b, a, b, "");
        sum = sum ? LLVMBuildAdd(e->b, sum, product, "") : product;
    }
    sum = vsg_jit_extend(e, sum, 32, bits, count, true);
    sum = LLVMBuildAdd(e->b, sum, vsg_jit_read_int(e, &inst->src[0], count, bits), "");
    if (inst->saturate)
        sum = vsg_jit_clamp(e, sum, bits, (visage_type)inst->dst.type, count);
    vsg_jit_write_int(e, inst, &inst->dst, sum, bits, true);
    return true;
}

/* ---- dp2, dp3, dp4, dph ------------------------------------------------------------------ */

/* For each channel element k of its group of `group`. */
static LLVMValueRef element_of(vsg_jit_emitter *e, LLVMValueRef value, uint32_t k,
                               uint32_t group, uint32_t count)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_i32(e, i / group * group + k);
    return LLVMBuildShuffleVector(e->b, value, LLVMGetPoison(LLVMTypeOf(value)),
                                  LLVMConstVector(places, count), "");
}

/* Of elements that are found through addresses those of channels that are off count as 0. */
static bool has_found(const vsg_exe_inst *inst)
{
    return inst->src[0].kind == VSG_JIT_OPERAND_FOUND ||
           inst->src[1].kind == VSG_JIT_OPERAND_FOUND;
}

bool vsg_jit_lower_quads(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;
    uint32_t length = inst->op == VISAGE_OP_DP2 ? 2 : inst->op == VISAGE_OP_DP4 ? 4 : 3;
    vsg_exe_rounding rounding = vsg_jit_rounding(e);

    if (has_found(inst) || !vsg_jit_all_floats(inst) || inst->class_ != VSG_EXE_CLASS_FLOAT ||
        count % 4 != 0 || !vsg_jit_can_round(e) || !vsg_jit_fits_mode(e, inst) ||
        !vsg_jit_can_write_float(e, inst))
        return false;
    LLVMValueRef a = vsg_jit_read_float(e, &inst->src[0], count, VISAGE_TYPE_F);
    LLVMValueRef b = vsg_jit_read_float(e, &inst->src[1], count, VISAGE_TYPE_F);
    a = vsg_jit_flush(e, a, VISAGE_TYPE_F, count);
    b = vsg_jit_flush(e, b, VISAGE_TYPE_F, count);
    LLVMValueRef in[3] = {element_of(e, a, 0, 4, count), element_of(e, b, 0, 4, count), NULL};
    in[2] = vsg_jit_operate(e, VSG_JIT_MUL, VISAGE_TYPE_F, in, count, rounding);
    for (uint32_t k = 1; k < length; k++) {
        in[0] = element_of(e, a, k, 4, count);
        in[1] = element_of(e, b, k, 4, count);
        in[2] = vsg_jit_operate(e, VSG_JIT_FMA, VISAGE_TYPE_F, in, count, rounding);
    }
    if (inst->op == VISAGE_OP_DPH) {
        in[0] = in[2];
        in[1] = element_of(e, b, 3, 4, count);
        in[2] = vsg_jit_operate(e, VSG_JIT_ADD, VISAGE_TYPE_F, in, count, rounding);
    }
    vsg_jit_write_float(e, inst, vsg_jit_flush(e, in[2], VISAGE_TYPE_F, count));
    return true;
}
