/* SPDX-License-Identifier: MIT
 *
 * Arithmetic. Integers are computed in as many bits as the result's low bits ask for, or, where
 * it is saturated or its high bits count, in enough for its value. exec_arith.c and
 * exec_compare.c say what everything means; what is left out here is their handlers'. */
#include "exec/operand.h"
#include "jit/lowering.h"
#include "jit/upper.h"

/* ---- types ------------------------------------------------------------------------------- */

static bool is_kind(uint32_t type, vsg_isa_kind kind)
{
    return vsg_isa_type(type)->kind == kind;
}

bool vsg_jit_is_integer(uint32_t type)
{
    return is_kind(type, VSG_ISA_KIND_SIGNED) || is_kind(type, VSG_ISA_KIND_UNSIGNED);
}

bool vsg_jit_is_signed(const vsg_exe_operand *operand)
{
    return is_kind(operand->type, VSG_ISA_KIND_SIGNED);
}

bool vsg_jit_is_float(uint32_t type)
{
    return type == VISAGE_TYPE_F || type == VISAGE_TYPE_DF || type == VISAGE_TYPE_HF ||
           type == VISAGE_TYPE_BF;
}

bool vsg_jit_has_values(const vsg_exe_operand *operand)
{
    return operand->kind == VSG_EXE_OPERAND_REGION ||
           operand->kind == VSG_EXE_OPERAND_IMMEDIATE || operand->kind == VSG_JIT_OPERAND_FOUND;
}

bool vsg_jit_from_integers(const vsg_exe_inst *inst)
{
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (!vsg_jit_has_values(&inst->src[s]) || !vsg_jit_is_integer(inst->src[s].type))
            return false;
    return vsg_jit_can_write(&inst->dst) && vsg_jit_is_integer(inst->dst.type);
}

bool vsg_jit_all_integers(const vsg_exe_inst *inst)
{
    return vsg_jit_from_integers(inst) && !inst->saturate;
}

/* ---- integer sources --------------------------------------------------------------------- */

LLVMValueRef vsg_jit_extend(vsg_jit_emitter *e, LLVMValueRef value, uint32_t from, uint32_t to,
                            uint32_t count, bool is_signed)
{
    LLVMTypeRef type = vsg_jit_int(e, to, count);

    if (from == to)
        return value;
    if (from > to)
        return LLVMBuildTrunc(e->b, value, type, "");
    return is_signed ? LLVMBuildSExt(e->b, value, type, "")
                     : LLVMBuildZExt(e->b, value, type, "");
}

LLVMValueRef vsg_jit_read_int(vsg_jit_emitter *e, const vsg_exe_operand *operand,
                              uint32_t count, uint32_t bits)
{
    uint32_t own = 8u * operand->bytes;
    bool is_signed = is_kind(operand->type, VSG_ISA_KIND_SIGNED);
    LLVMValueRef value = vsg_jit_read(e, operand, count);
    bool takes_magnitude =
        operand->modifier == VSG_OBJ_MOD_ABS || operand->modifier == VSG_OBJ_MOD_NEG_ABS;

    if (takes_magnitude) {
        LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value));
        LLVMValueRef below = LLVMBuildICmp(e->b, LLVMIntSLT, value, zero, "");
        value = LLVMBuildSelect(e->b, below, LLVMBuildNeg(e->b, value, ""), value, "");
        is_signed = false;
    }
    value = vsg_jit_extend(e, value, own, bits, count, is_signed);
    if (operand->modifier == VSG_OBJ_MOD_NEG || operand->modifier == VSG_OBJ_MOD_NEG_ABS)
        value = LLVMBuildNeg(e->b, value, "");
    if (operand->modifier == VSG_OBJ_MOD_NOT)
        value = LLVMBuildNot(e->b, value, "");
    return value;
}

/* What sign a source's values have: an immediate that is not negative has whichever is asked.
 */
typedef enum signedness { SIGN_ANY, SIGN_SIGNED, SIGN_UNSIGNED } signedness;

static signedness sign_of(const vsg_exe_operand *operand)
{
    uint32_t bits = 8u * operand->bytes;

    if (!is_kind(operand->type, VSG_ISA_KIND_SIGNED))
        return SIGN_UNSIGNED;
    if (operand->kind == VSG_EXE_OPERAND_IMMEDIATE && operand->count == 1 &&
        !(operand->elements[0] >> (bits - 1) & 1))
        return SIGN_ANY;
    return SIGN_SIGNED;
}

void vsg_jit_values(const vsg_exe_inst *inst, uint32_t num_sources, uint32_t *bits,
                    bool *is_signed)
{
    bool any_signed = false, any_unsigned = false, is_plain = true;

    *bits = 0;
    for (uint32_t s = 0; s < num_sources; s++) {
        const vsg_exe_operand *source = &inst->src[s];
        any_signed |= sign_of(source) == SIGN_SIGNED;
        any_unsigned |= sign_of(source) == SIGN_UNSIGNED;
        is_plain &= source->modifier == VSG_OBJ_MOD_NONE;
        *bits = 8u * source->bytes > *bits ? 8u * source->bytes : *bits;
    }
    *is_signed = any_signed || !any_unsigned;
    if (is_plain && !(any_signed && any_unsigned))
        return;
    *is_signed = true;
    *bits *= 2;
}

/* Bits of a signed number that holds any value of a source. */
static uint32_t signed_bits(const vsg_exe_operand *operand)
{
    bool is_signed = is_kind(operand->type, VSG_ISA_KIND_SIGNED);

    return 8u * operand->bytes + !is_signed + (operand->modifier != VSG_OBJ_MOD_NONE);
}

/* ---- integer results --------------------------------------------------------------------- */

void vsg_jit_write_int(vsg_jit_emitter *e, const vsg_exe_inst *inst, const vsg_exe_operand *dst,
                       LLVMValueRef value, uint32_t bits, bool is_signed)
{
    uint32_t count = inst->exec_size;

    value = vsg_jit_extend(e, value, bits, 8u * dst->bytes, count, is_signed);
    vsg_jit_write(e, dst, count, value, vsg_jit_written(e, inst));
}

LLVMValueRef vsg_jit_clamp(vsg_jit_emitter *e, LLVMValueRef value, uint32_t bits,
                           visage_type type, uint32_t count)
{
    const vsg_isa_type_info *info = vsg_isa_type(type);
    bool is_signed = info->kind == VSG_ISA_KIND_SIGNED;
    LLVMTypeRef wide = vsg_jit_int(e, bits, 1), own = vsg_jit_int(e, 8 * info->bytes, 1);
    LLVMValueRef all = LLVMConstNot(LLVMConstNull(own));
    uint64_t greatest = UINT64_MAX >> (64 - 8 * info->bytes + is_signed);
    LLVMValueRef most =
        LLVMBuildZExt(e->b, is_signed ? LLVMConstInt(own, greatest, false) : all, wide, "");
    LLVMValueRef least = is_signed ? LLVMConstNot(most) : LLVMConstNull(wide);
    LLVMValueRef limits[2];

    limits[0] = vsg_jit_splat(e, least, count);
    limits[1] = vsg_jit_splat(e, most, count);
    LLVMValueRef below = LLVMBuildICmp(e->b, LLVMIntSLT, value, limits[0], "");
    value = LLVMBuildSelect(e->b, below, limits[0], value, "");
    LLVMValueRef above = LLVMBuildICmp(e->b, LLVMIntSGT, value, limits[1], "");
    return LLVMBuildSelect(e->b, above, limits[1], value, "");
}

/* A width that LLVM has numbers of, of at least `bits` and of one more than the destination. */
static uint32_t holder(const vsg_exe_inst *inst, uint32_t bits)
{
    uint32_t width = 32;

    while (width < bits || width <= 8u * inst->dst.bytes)
        width *= 2;
    return width;
}

/* ---- integer arithmetic ------------------------------------------------------------------ */

LLVMValueRef vsg_jit_combine(vsg_jit_emitter *e, visage_op op, LLVMValueRef *in)
{
    switch (op) {
    case VISAGE_OP_ADD:
        return LLVMBuildAdd(e->b, in[0], in[1], "");
    case VISAGE_OP_ADD3:
        return LLVMBuildAdd(e->b, LLVMBuildAdd(e->b, in[0], in[1], ""), in[2], "");
    case VISAGE_OP_MUL:
        return LLVMBuildMul(e->b, in[0], in[1], "");
    default:
        return LLVMBuildAdd(e->b, LLVMBuildMul(e->b, in[0], in[1], ""), in[2], "");
    }
}

/* Sums and products: the low bits of the operands make those of the result. */
static bool lower_ring(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t bits = 8u * inst->dst.bytes;
    LLVMValueRef in[3] = {NULL, NULL, NULL};

    for (uint32_t s = 0; s < inst->num_sources && s < 3; s++)
        in[s] = vsg_jit_read_int(e, &inst->src[s], inst->exec_size, bits);
    vsg_jit_write_int(e, inst, &inst->dst, vsg_jit_combine(e, (visage_op)inst->op, in), bits,
                      false);
    return true;
}

/* Bits that hold the exact result. */
static uint32_t result_bits(const vsg_exe_inst *inst)
{
    uint32_t a = signed_bits(&inst->src[0]), b = signed_bits(&inst->src[1]);
    uint32_t c = inst->num_sources > 2 ? signed_bits(&inst->src[2]) : 0;
    uint32_t most = a > b ? a : b;

    if (inst->op == VISAGE_OP_MUL || inst->op == VISAGE_OP_MAD)
        most = a + b;
    return (most > c ? most : c) + 2;
}

static bool lower_exact(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size, bits = holder(inst, result_bits(inst));
    LLVMValueRef in[3] = {NULL, NULL, NULL}, value;

    for (uint32_t s = 0; s < inst->num_sources && s < 3; s++)
        in[s] = vsg_jit_read_int(e, &inst->src[s], count, bits);
    LLVMValueRef one = vsg_jit_splat(e, LLVMConstInt(vsg_jit_int(e, bits, 1), 1, false), count);
    if (inst->op == VISAGE_OP_AVG) {
        value = LLVMBuildAdd(e->b, LLVMBuildAdd(e->b, in[0], in[1], ""), one, "");
        value = LLVMBuildAShr(e->b, value, one, "");
    } else {
        value = vsg_jit_combine(e, (visage_op)inst->op, in);
    }
    if (inst->saturate)
        value = vsg_jit_clamp(e, value, bits, (visage_type)inst->dst.type, count);
    vsg_jit_write_int(e, inst, &inst->dst, value, bits, true);
    return true;
}

/* A sum or difference of numbers of one type, which hosts saturate themselves. */
static bool lower_saturated_sum(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    static const char *const names[2][2] = {{"llvm.uadd.sat", "llvm.usub.sat"},
                                            {"llvm.sadd.sat", "llvm.ssub.sat"}};
    bool is_signed = is_kind(inst->dst.type, VSG_ISA_KIND_SIGNED);
    bool subtracts = inst->src[1].modifier == VSG_OBJ_MOD_NEG;

    if (inst->op != VISAGE_OP_ADD || inst->src[0].type != inst->dst.type ||
        inst->src[1].type != inst->dst.type || inst->src[0].modifier != VSG_OBJ_MOD_NONE ||
        (inst->src[1].modifier != VSG_OBJ_MOD_NONE && !subtracts))
        return false;
    LLVMValueRef in[] = {vsg_jit_read(e, &inst->src[0], inst->exec_size),
                         vsg_jit_read(e, &inst->src[1], inst->exec_size)};
    LLVMValueRef value =
        vsg_jit_intrinsic(e, names[is_signed][subtracts], LLVMTypeOf(in[0]), in, 2);
    vsg_jit_write(e, &inst->dst, inst->exec_size, value, vsg_jit_written(e, inst));
    return true;
}

static bool lower_extreme(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    bool is_min = inst->op == VISAGE_OP_MIN;
    bool is_signed;
    uint32_t bits;

    vsg_jit_values(inst, 2, &bits, &is_signed);
    if (inst->saturate) {
        bits = holder(inst, bits + 1);
        is_signed = true;
    }
    LLVMValueRef a = vsg_jit_read_int(e, &inst->src[0], inst->exec_size, bits);
    LLVMValueRef b = vsg_jit_read_int(e, &inst->src[1], inst->exec_size, bits);
    LLVMIntPredicate relation =
        is_signed ? (is_min ? LLVMIntSLT : LLVMIntSGT) : (is_min ? LLVMIntULT : LLVMIntUGT);
    LLVMValueRef first = LLVMBuildICmp(e->b, relation, a, b, "");
    LLVMValueRef value = LLVMBuildSelect(e->b, first, a, b, "");
    if (inst->saturate)
        value = vsg_jit_clamp(e, value, bits, (visage_type)inst->dst.type, inst->exec_size);
    vsg_jit_write_int(e, inst, &inst->dst, value, bits, is_signed);
    return true;
}

/* A dword that is extended by zeros. */
static bool is_unsigned_dword(const vsg_exe_operand *operand)
{
    return operand->bytes == 4 && (operand->modifier == VSG_OBJ_MOD_ABS ||
                                   (operand->modifier == VSG_OBJ_MOD_NONE &&
                                    is_kind(operand->type, VSG_ISA_KIND_UNSIGNED)));
}

/* The upper half of a product of dwords. */
static bool lower_mulh(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    if (inst->src[0].bytes == 8 || inst->src[1].bytes == 8 || inst->dst.bytes == 8 ||
        inst->saturate)
        return false;
    if (is_unsigned_dword(&inst->src[0]) && is_unsigned_dword(&inst->src[1]) &&
        inst->exec_size > 1) {
        LLVMValueRef of[2];
        for (uint32_t s = 0; s < 2; s++)
            of[s] = vsg_jit_read_int(e, &inst->src[s], inst->exec_size, 32);
        vsg_jit_write_int(e, inst, &inst->dst, vsg_jit_upper(e, of[0], of[1]), 32, false);
        return true;
    }
    LLVMValueRef a = vsg_jit_read_int(e, &inst->src[0], inst->exec_size, 64);
    LLVMValueRef b = vsg_jit_read_int(e, &inst->src[1], inst->exec_size, 64);
    LLVMValueRef by = vsg_jit_splat(e, vsg_jit_i64(e, 32), inst->exec_size);
    LLVMValueRef value = LLVMBuildLShr(e->b, LLVMBuildMul(e->b, a, b, ""), by, "");

    vsg_jit_write_int(e, inst, &inst->dst, value, 64, false);
    return true;
}

/* What exec_arith.c has for a division by zero. */
static LLVMValueRef by_zero(vsg_jit_emitter *e, LLVMValueRef a, bool is_signed, uint32_t count)
{
    LLVMValueRef below = LLVMBuildICmp(e->b, LLVMIntSLT, a, LLVMConstNull(LLVMTypeOf(a)), "");
    LLVMValueRef least = vsg_jit_i64(e, (uint64_t)INT32_MIN);

    if (!is_signed)
        return vsg_jit_splat(e, vsg_jit_i64(e, UINT32_MAX), count);
    return LLVMBuildSelect(e->b, below, vsg_jit_splat(e, least, count),
                           vsg_jit_splat(e, vsg_jit_i64(e, INT32_MAX), count), "");
}

/* In doubles: two numbers of 33 bits have a quotient that is whole, or further from a whole
 * number than it is rounded by. */
static bool lower_quotient(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;
    LLVMTypeRef real = vsg_jit_float(e, VISAGE_TYPE_DF, count);
    LLVMValueRef in[2], numbers[2], value;
    bool is_signed = !is_kind(inst->src[0].type, VSG_ISA_KIND_UNSIGNED) ||
                     !is_kind(inst->src[1].type, VSG_ISA_KIND_UNSIGNED);

    if (inst->src[0].bytes == 8 || inst->src[1].bytes == 8)
        return false;
    in[0] = vsg_jit_read_int(e, &inst->src[0], count, 64);
    in[1] = vsg_jit_read_int(e, &inst->src[1], count, 64);
    LLVMValueRef none =
        LLVMBuildICmp(e->b, LLVMIntEQ, in[1], LLVMConstNull(LLVMTypeOf(in[1])), "");
    in[1] = LLVMBuildSelect(e->b, none, vsg_jit_splat(e, vsg_jit_i64(e, 1), count), in[1], "");
    for (uint32_t i = 0; i < 2; i++)
        numbers[i] = LLVMBuildSIToFP(e->b, in[i], real, "");
    value = LLVMBuildFDiv(e->b, numbers[0], numbers[1], "");
    value = LLVMBuildFPToSI(e->b, value, LLVMTypeOf(in[0]), "");
    if (inst->op == VISAGE_OP_MOD)
        value = LLVMBuildSub(e->b, in[0], LLVMBuildMul(e->b, value, in[1], ""), "");
    value = LLVMBuildSelect(e->b, none, by_zero(e, in[0], is_signed, count), value, "");
    if (inst->saturate)
        value = vsg_jit_clamp(e, value, 64, (visage_type)inst->dst.type, count);
    vsg_jit_write_int(e, inst, &inst->dst, value, 64, true);
    return true;
}

static bool lower_ints(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    if (!vsg_jit_from_integers(inst))
        return false;
    switch ((visage_op)inst->op) {
    case VISAGE_OP_ADD:
    case VISAGE_OP_ADD3:
    case VISAGE_OP_MUL:
    case VISAGE_OP_MAD:
        if (!inst->saturate)
            return lower_ring(e, inst);
        return lower_saturated_sum(e, inst) || lower_exact(e, inst);
    case VISAGE_OP_AVG:
        return lower_exact(e, inst);
    case VISAGE_OP_MIN:
    case VISAGE_OP_MAX:
        return lower_extreme(e, inst);
    case VISAGE_OP_MULH:
        return lower_mulh(e, inst);
    case VISAGE_OP_DIV:
    case VISAGE_OP_MOD:
        return !(inst->saturate && inst->dst.bytes == 8) && lower_quotient(e, inst);
    default:
        return false;
    }
}

/* ---- floats ------------------------------------------------------------------------------ */

/* Is MIN or MAX a? As exec_compare.c: a number wins over a NaN; of equal ones MIN gives b and
 * MAX gives a. */
static LLVMValueRef is_first(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b, bool is_min)
{
    LLVMValueRef wins = LLVMBuildFCmp(e->b, is_min ? LLVMRealOLT : LLVMRealOGE, a, b, "");
    LLVMValueRef b_nan = LLVMBuildFCmp(e->b, LLVMRealUNO, b, b, "");
    LLVMValueRef a_number = LLVMBuildFCmp(e->b, LLVMRealORD, a, a, "");

    return LLVMBuildAnd(e->b, LLVMBuildOr(e->b, wins, b_nan, ""), a_number, "");
}

/* Of halves the bits are selected: a selection between halves as F, rounded to half again, LLVM
 * 19 makes one of halves, and may turn it round without regard to -0. */
static bool lower_half_extreme(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;
    LLVMValueRef bits[2], in[2];

    if ((inst->op != VISAGE_OP_MIN && inst->op != VISAGE_OP_MAX) || inst->saturate ||
        inst->dst.type != VISAGE_TYPE_HF || inst->src[0].type != VISAGE_TYPE_HF ||
        inst->src[1].type != VISAGE_TYPE_HF)
        return false;
    for (uint32_t s = 0; s < 2; s++) {
        bits[s] = vsg_jit_modify_float(e, &inst->src[s], vsg_jit_read(e, &inst->src[s], count),
                                       count);
        bits[s] = vsg_jit_flush_half(e, bits[s], VISAGE_TYPE_HF, count);
        in[s] = vsg_jit_widen(e, bits[s], VISAGE_TYPE_HF, VISAGE_TYPE_F, count);
    }
    LLVMValueRef first = is_first(e, in[0], in[1], inst->op == VISAGE_OP_MIN);
    vsg_jit_write(e, &inst->dst, count, LLVMBuildSelect(e->b, first, bits[0], bits[1], ""),
                  vsg_jit_written(e, inst));
    return true;
}

static bool is_all_bf(const vsg_exe_inst *inst)
{
    bool is_all = inst->dst.type == VISAGE_TYPE_BF;

    for (uint32_t s = 0; s < inst->num_sources; s++)
        is_all &= inst->src[s].type == VISAGE_TYPE_BF;
    return is_all;
}

/* Is a sum in F rounded once more, to the fewer digits that all its terms have? Two roundings
 * of a sum of two such numbers are as good as one, of a product and a sum to nearest they are
 * not. */
static bool is_rounded_twice(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    return inst->op == VISAGE_OP_MAD && vsg_jit_rounding(e) == VSG_EXE_RNE &&
           (inst->class_ == VSG_EXE_CLASS_HALF || is_all_bf(inst));
}

/* Products of BF may be too large or too small for F. */
static bool can_round_twice(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    return inst->class_ == VSG_EXE_CLASS_HALF || !e->flushes;
}

static LLVMValueRef multiply_add(vsg_jit_emitter *e, const vsg_exe_inst *inst, visage_type type,
                                 LLVMValueRef *in)
{
    uint32_t count = inst->exec_size;

    if (!is_rounded_twice(e, inst))
        return vsg_jit_operate(e, VSG_JIT_FMA, type, in, count, vsg_jit_rounding(e));
    if (inst->class_ == VSG_EXE_CLASS_HALF && !vsg_jit_has_avx512(e)) /* products are exact */
        return vsg_jit_add_to_odd(e, LLVMBuildFMul(e->b, in[0], in[1], ""), in[2], count);
    return vsg_jit_choose_odd(e, vsg_jit_operate(e, VSG_JIT_FMA, type, in, count, VSG_EXE_RD),
                              vsg_jit_operate(e, VSG_JIT_FMA, type, in, count, VSG_EXE_RU),
                              count);
}

/* src0 * src1 + (1 - src0) * src2. The difference is a product and sum, which leaves a NaN its
 * sign. */
static LLVMValueRef interpolate(vsg_jit_emitter *e, visage_type type, LLVMValueRef *in,
                                uint32_t count)
{
    vsg_exe_rounding rounding = vsg_jit_rounding(e);
    LLVMTypeRef one = vsg_jit_float(e, type, 1);
    LLVMValueRef rest[] = {in[0], vsg_jit_splat(e, LLVMConstReal(one, -1), count),
                           vsg_jit_splat(e, LLVMConstReal(one, 1), count)};

    rest[0] = vsg_jit_operate(e, VSG_JIT_FMA, type, rest, count, rounding);
    rest[1] = in[2];
    in[2] = vsg_jit_operate(e, VSG_JIT_MUL, type, rest, count, rounding);
    return vsg_jit_operate(e, VSG_JIT_FMA, type, in, count, rounding);
}

static LLVMValueRef compute(vsg_jit_emitter *e, const vsg_exe_inst *inst, visage_type type,
                            LLVMValueRef *in)
{
    uint32_t count = inst->exec_size;
    LLVMTypeRef own = vsg_jit_float(e, type, count);
    vsg_exe_rounding rounding = vsg_jit_rounding(e);

    switch ((visage_op)inst->op) {
    case VISAGE_OP_ADD:
        return vsg_jit_operate(e, VSG_JIT_ADD, type, in, count, rounding);
    case VISAGE_OP_MUL:
        return vsg_jit_operate(e, VSG_JIT_MUL, type, in, count, rounding);
    case VISAGE_OP_DIV:
    case VISAGE_OP_DIVM:
        return vsg_jit_operate(e, VSG_JIT_DIV, type, in, count, rounding);
    case VISAGE_OP_SQRTM:
        return vsg_jit_operate(e, VSG_JIT_SQRT, type, in, count, rounding);
    case VISAGE_OP_MAD:
        return multiply_add(e, inst, type, in);
    case VISAGE_OP_LRP:
        return interpolate(e, type, in, count);
    case VISAGE_OP_MIN:
    case VISAGE_OP_MAX:
        return LLVMBuildSelect(e->b, is_first(e, in[0], in[1], inst->op == VISAGE_OP_MIN),
                               in[0], in[1], "");
    case VISAGE_OP_RNDD:
        return vsg_jit_intrinsic(e, "llvm.floor", own, in, 1);
    case VISAGE_OP_RNDU:
        return vsg_jit_intrinsic(e, "llvm.ceil", own, in, 1);
    case VISAGE_OP_RNDZ:
        return vsg_jit_intrinsic(e, "llvm.trunc", own, in, 1);
    case VISAGE_OP_RNDE:
        return vsg_jit_intrinsic(e, "llvm.nearbyint", own, in, 1);
    case VISAGE_OP_FRC:
        in[1] = vsg_jit_intrinsic(e, "llvm.floor", own, in, 1);
        in[1] = LLVMBuildFNeg(e->b, in[1], "");
        return vsg_jit_operate(e, VSG_JIT_ADD, type, in, count, rounding);
    default:
        return NULL;
    }
}

/* Is it one that flushes denormals in a host that does? */
static bool is_operation(const vsg_exe_inst *inst)
{
    return inst->op == VISAGE_OP_ADD || inst->op == VISAGE_OP_MUL ||
           inst->op == VISAGE_OP_MAD || inst->op == VISAGE_OP_LRP ||
           inst->op == VISAGE_OP_DIV || inst->op == VISAGE_OP_DIVM;
}

static bool lower_floats(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    visage_type type = vsg_jit_float_class(inst);
    LLVMValueRef in[3] = {NULL, NULL, NULL};

    if (!vsg_jit_all_floats(inst) || inst->num_sources > 3 || !vsg_jit_can_round(e) ||
        !vsg_jit_fits_mode(e, inst) || !vsg_jit_can_write_float(e, inst) ||
        (is_rounded_twice(e, inst) && !can_round_twice(e, inst)))
        return false;
    if (lower_half_extreme(e, inst))
        return true;
    for (uint32_t s = 0; s < inst->num_sources; s++) {
        in[s] = vsg_jit_read_float(e, &inst->src[s], inst->exec_size, type);
        in[s] = is_operation(inst) ? vsg_jit_hide(e, in[s])
                                   : vsg_jit_flush(e, in[s], type, inst->exec_size);
    }
    LLVMValueRef value = compute(e, inst, type, in);
    if (!value)
        return false;
    if (!is_operation(inst))
        value = vsg_jit_flush(e, value, type, inst->exec_size);
    vsg_jit_write_float(e, inst, value);
    return true;
}

bool vsg_jit_lower_arith(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    return inst->class_ == VSG_EXE_CLASS_INT ? lower_ints(e, inst) : lower_floats(e, inst);
}

/* ---- two results ------------------------------------------------------------------------- */

static bool has_two(const vsg_exe_inst *inst)
{
    return vsg_jit_all_integers(inst) && vsg_jit_can_write(&inst->dst2) &&
           vsg_jit_is_integer(inst->dst2.type);
}

bool vsg_jit_lower_carry(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;
    bool adds = inst->op == VISAGE_OP_ADDC;

    /* A difference below zero is negative in a wider destination. */
    if (!has_two(inst) || (inst->dst.bytes == 8 && !adds))
        return false;
    LLVMValueRef a = vsg_jit_read_int(e, &inst->src[0], count, 32);
    LLVMValueRef b = vsg_jit_read_int(e, &inst->src[1], count, 32);
    LLVMValueRef result = adds ? LLVMBuildAdd(e->b, a, b, "") : LLVMBuildSub(e->b, a, b, "");
    LLVMValueRef carries = LLVMBuildICmp(e->b, LLVMIntULT, adds ? result : a, adds ? a : b, "");
    LLVMValueRef carry = LLVMBuildZExt(e->b, carries, vsg_jit_int(e, 32, count), "");

    vsg_jit_write_int(e, inst, &inst->dst, result, 32, false);
    vsg_jit_write_int(e, inst, &inst->dst2, carry, 32, false);
    return true;
}

/* The lower dword of a product and sum, and the upper one in registers of their own. */
bool vsg_jit_lower_madw(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;
    LLVMValueRef in[3], value;

    if (!has_two(inst))
        return false;
    for (uint32_t s = 0; s < 3; s++)
        in[s] = vsg_jit_read_int(e, &inst->src[s], count, 64);
    value = vsg_jit_combine(e, (visage_op)inst->op, in);
    LLVMValueRef by = vsg_jit_splat(e, vsg_jit_i64(e, 32), count);
    vsg_jit_write_int(e, inst, &inst->dst, value, 64, false);
    vsg_jit_write_int(e, inst, &inst->dst2, LLVMBuildLShr(e->b, value, by, ""), 64, false);
    return true;
}
