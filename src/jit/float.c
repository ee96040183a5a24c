/* SPDX-License-Identifier: MIT
 *
 * Numbers of floats: out of operands, from one type to another, into destinations, as
 * operand_read.c, operand_write.c and float16.h have it. */
#include "exec/operand.h"
#include "jit/lowering.h"

visage_type vsg_jit_float_class(const vsg_exe_inst *inst)
{
    return inst->class_ == VSG_EXE_CLASS_DOUBLE ? VISAGE_TYPE_DF : VISAGE_TYPE_F;
}

bool vsg_jit_all_floats(const vsg_exe_inst *inst)
{
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (!vsg_jit_has_values(&inst->src[s]) || !vsg_jit_is_float(inst->src[s].type))
            return false;
    return true;
}

/* ---- reading ----------------------------------------------------------------------------- */

LLVMValueRef vsg_jit_modify_float(vsg_jit_emitter *e, const vsg_exe_operand *operand,
                                  LLVMValueRef bits, uint32_t count)
{
    uint32_t width = 8u * operand->bytes;
    LLVMTypeRef type = vsg_jit_int(e, width, 1);
    LLVMValueRef sign =
        vsg_jit_splat(e, LLVMConstInt(type, UINT64_C(1) << (width - 1), false), count);

    if (operand->modifier == VSG_OBJ_MOD_ABS || operand->modifier == VSG_OBJ_MOD_NEG_ABS)
        bits = LLVMBuildAnd(e->b, bits, LLVMBuildNot(e->b, sign, ""), "");
    if (operand->modifier == VSG_OBJ_MOD_NEG || operand->modifier == VSG_OBJ_MOD_NEG_ABS)
        bits = LLVMBuildXor(e->b, bits, sign, "");
    return bits;
}

/* `count` times a number of 32 bits. */
static LLVMValueRef dwords(vsg_jit_emitter *e, uint32_t value, uint32_t count)
{
    return vsg_jit_splat(e, vsg_jit_i32(e, value), count);
}

LLVMValueRef vsg_jit_widen(vsg_jit_emitter *e, LLVMValueRef bits, visage_type from,
                           visage_type type, uint32_t count)
{
    LLVMValueRef value;

    if (from == VISAGE_TYPE_BF) { /* the upper half of an F */
        bits = LLVMBuildZExt(e->b, bits, vsg_jit_int(e, 32, count), "");
        bits = LLVMBuildShl(e->b, bits, dwords(e, 16, count), "");
        from = VISAGE_TYPE_F;
    }
    value = LLVMBuildBitCast(e->b, bits, vsg_jit_float(e, from, count), "");
    if (from == VISAGE_TYPE_HF) { /* in two steps: hosts have no single one to DF */
        value = LLVMBuildFPExt(e->b, value, vsg_jit_float(e, VISAGE_TYPE_F, count), "");
        from = VISAGE_TYPE_F;
    }
    if (from == type)
        return value;
    return LLVMBuildFPExt(e->b, value, vsg_jit_float(e, type, count), "");
}

LLVMValueRef vsg_jit_read_float(vsg_jit_emitter *e, const vsg_exe_operand *operand,
                                uint32_t count, visage_type type)
{
    LLVMValueRef bits = vsg_jit_read(e, operand, count);

    bits = vsg_jit_modify_float(e, operand, bits, count);
    bits = vsg_jit_flush_half(e, bits, (visage_type)operand->type, count);
    return vsg_jit_widen(e, bits, (visage_type)operand->type, type, count);
}

/* ---- narrowing --------------------------------------------------------------------------- */

/* BF of F: the upper half, one more where the rest says so; NaNs become quiet. */
static LLVMValueRef float_to_bf16(vsg_jit_emitter *e, LLVMValueRef value, uint32_t count,
                                  vsg_exe_rounding rounding)
{
    LLVMTypeRef type = vsg_jit_int(e, 32, count);
    LLVMValueRef bits = LLVMBuildBitCast(e->b, value, type, "");
    LLVMValueRef by = dwords(e, 16, count);
    LLVMValueRef high = LLVMBuildLShr(e->b, bits, by, "");
    LLVMValueRef quiet = LLVMBuildOr(e->b, high, dwords(e, 0x40, count), "");
    LLVMValueRef is_nan = LLVMBuildFCmp(e->b, LLVMRealUNO, value, value, "");
    LLVMValueRef none = dwords(e, 0, count), all = dwords(e, 0xffff, count);
    LLVMValueRef add = none;
    LLVMIntPredicate sign = rounding == VSG_EXE_RU ? LLVMIntSGE : LLVMIntSLT;

    if (rounding == VSG_EXE_RNE) {
        LLVMValueRef lowest = LLVMBuildAnd(e->b, high, dwords(e, 1, count), "");
        add = LLVMBuildAdd(e->b, lowest, dwords(e, 0x7fff, count), "");
    } else if (rounding != VSG_EXE_RTZ) {
        LLVMValueRef grows = LLVMBuildICmp(e->b, sign, bits, none, "");
        add = LLVMBuildSelect(e->b, grows, all, none, "");
    }
    bits = LLVMBuildLShr(e->b, LLVMBuildAdd(e->b, bits, add, ""), by, "");
    bits = LLVMBuildSelect(e->b, is_nan, quiet, bits, "");
    return LLVMBuildTrunc(e->b, bits, vsg_jit_int(e, 16, count), "");
}

/* 2 to the power n, from 1 to 64, as a float like those of a value. */
static LLVMValueRef power_of_two(vsg_jit_emitter *e, LLVMValueRef value, uint32_t n,
                                 uint32_t count)
{
    LLVMTypeRef type = count > 1 ? LLVMGetElementType(LLVMTypeOf(value)) : LLVMTypeOf(value);
    double half = (double)(UINT64_C(1) << (n - 1));

    return vsg_jit_splat(e, LLVMConstReal(type, 2 * half), count);
}

/* What an integer is where a comparison of floats holds. */
static LLVMValueRef where(vsg_jit_emitter *e, LLVMRealPredicate relation, LLVMValueRef a,
                          LLVMValueRef b, uint64_t then, LLVMValueRef otherwise)
{
    LLVMTypeRef type = LLVMTypeOf(otherwise);
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMValueRef number =
        LLVMConstInt(is_vector ? LLVMGetElementType(type) : type, then, false);

    if (is_vector)
        number = vsg_jit_splat(e, number, LLVMGetVectorSize(type));
    return LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, relation, a, b, ""), number, otherwise,
                           "");
}

/* LLVM has conversions that saturate, but takes vectors apart for them. Bytes and words go by
 * way of 32 bits, since hosts have nothing shorter. */
static LLVMValueRef to_int(vsg_jit_emitter *e, LLVMValueRef value, visage_type to,
                           uint32_t count)
{
    const vsg_isa_type_info *info = vsg_isa_type(to);
    bool is_signed = info->kind == VSG_ISA_KIND_SIGNED;
    uint32_t bits = 8u * info->bytes, wide = bits < 32 ? 32 : bits;
    uint64_t most = UINT64_MAX >> (64 - bits + is_signed);
    LLVMTypeRef type = vsg_jit_int(e, wide, count);
    LLVMValueRef end = power_of_two(e, value, bits - is_signed, count);
    LLVMValueRef begin = LLVMConstNull(LLVMTypeOf(value));
    LLVMValueRef number = is_signed || bits < wide ? LLVMBuildFPToSI(e->b, value, type, "")
                                                   : LLVMBuildFPToUI(e->b, value, type, "");

    number = where(e, LLVMRealOGE, value, end, most, number);
    if (is_signed) {
        begin = LLVMBuildFNeg(e->b, end, "");
        number = where(e, LLVMRealOLT, value, begin, ~most, number);
        number = where(e, LLVMRealUNO, value, value, 0, number);
    } else {
        number = where(e, LLVMRealULT, value, begin, 0, number);
    }
    return vsg_jit_extend(e, number, wide, bits, count, false);
}

/* F with the last place odd where digits are lost: rounding that again is rounding once. */
static LLVMValueRef to_odd(vsg_jit_emitter *e, LLVMValueRef value, uint32_t count)
{
    return vsg_jit_choose_odd(e, vsg_jit_double_to_float(e, value, count, VSG_EXE_RD),
                              vsg_jit_double_to_float(e, value, count, VSG_EXE_RU), count);
}

bool vsg_jit_can_narrow(const vsg_jit_emitter *e, visage_type to, vsg_exe_rounding rounding)
{
    return to != VISAGE_TYPE_HF || rounding == VSG_EXE_RNE || vsg_jit_has_avx2(e);
}

LLVMValueRef vsg_jit_narrow(vsg_jit_emitter *e, LLVMValueRef value, visage_type type,
                            visage_type to, uint32_t count, vsg_exe_rounding rounding)
{
    bool is_small = to == VISAGE_TYPE_HF || to == VISAGE_TYPE_BF;
    LLVMTypeRef bits = vsg_jit_int(e, 8 * vsg_isa_type(to)->bytes, count);

    if (vsg_jit_is_integer(to))
        return to_int(e, value, to, count);
    if (type == VISAGE_TYPE_DF && is_small)
        value = to_odd(e, value, count);
    else if (type == VISAGE_TYPE_DF && to == VISAGE_TYPE_F)
        value = vsg_jit_double_to_float(e, value, count, rounding);
    else if (type == VISAGE_TYPE_F && to == VISAGE_TYPE_DF)
        value = LLVMBuildFPExt(e->b, value, vsg_jit_float(e, to, count), "");
    if (to == VISAGE_TYPE_HF)
        value = vsg_jit_float_to_half(e, value, count, rounding);
    if (to == VISAGE_TYPE_BF)
        return float_to_bf16(e, value, count, rounding);
    return LLVMBuildBitCast(e->b, value, bits, "");
}

/* ---- writing ----------------------------------------------------------------------------- */

LLVMValueRef vsg_jit_saturate(vsg_jit_emitter *e, LLVMValueRef value)
{
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value));
    LLVMTypeRef type = LLVMTypeOf(value);
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef scalar = is_vector ? LLVMGetElementType(type) : type;
    LLVMValueRef one = LLVMConstReal(scalar, 1.0);
    one = vsg_jit_splat(e, one, is_vector ? LLVMGetVectorSize(type) : 1);
    LLVMValueRef above = LLVMBuildFCmp(e->b, LLVMRealOGT, value, one, "");
    LLVMValueRef positive = LLVMBuildFCmp(e->b, LLVMRealOGT, value, zero, "");

    value = LLVMBuildSelect(e->b, positive, value, zero, "");
    return LLVMBuildSelect(e->b, above, one, value, "");
}

bool vsg_jit_can_write_float(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    visage_type to = (visage_type)inst->dst.type;

    if (!vsg_jit_can_write(&inst->dst) || (!vsg_jit_is_float(to) && !vsg_jit_is_integer(to)))
        return false;
    if (inst->class_ == VSG_EXE_CLASS_HALF &&
        !vsg_jit_can_narrow(e, VISAGE_TYPE_HF, vsg_jit_rounding(e)))
        return false;
    return vsg_jit_can_narrow(e, to, vsg_jit_rounding(e));
}

/* What is computed in halves is rounded to half whatever the destination is. */
void vsg_jit_write_float(vsg_jit_emitter *e, const vsg_exe_inst *inst, LLVMValueRef value)
{
    visage_type type = vsg_jit_float_class(inst), to = (visage_type)inst->dst.type;
    uint32_t count = inst->exec_size;
    vsg_exe_rounding rounding = vsg_jit_rounding(e);

    if (inst->saturate && vsg_jit_is_float(to))
        value = vsg_jit_saturate(e, value);
    if (inst->class_ == VSG_EXE_CLASS_HALF && to != VISAGE_TYPE_HF) {
        value = vsg_jit_narrow(e, value, type, VISAGE_TYPE_HF, count, rounding);
        value = vsg_jit_widen(e, value, VISAGE_TYPE_HF, type, count);
    }
    value = vsg_jit_narrow(e, value, type, to, count, rounding);
    value = vsg_jit_flush_half(e, value, to, count);
    vsg_jit_write(e, &inst->dst, count, value, vsg_jit_written(e, inst));
}
