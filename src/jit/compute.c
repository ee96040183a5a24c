/* SPDX-License-Identifier: MIT
 *
 * Arithmetic and logic. Integers are computed in as many bits as the result's low bits ask for,
 * or its value does; floats only in the plain mode, where hardware's own operations are what
 * the pages want. What is left out here is the handlers' (exec_arith.c, exec_logic.c), which
 * say what everything means. */
#include "exec/operand.h"
#include "jit/lowering.h"

/* ---- types ------------------------------------------------------------------------------- */

static bool is_kind(uint32_t type, vsg_isa_kind kind)
{
    return vsg_isa_type(type)->kind == kind;
}

bool vsg_jit_is_integer(uint32_t type)
{
    return is_kind(type, VSG_ISA_KIND_SIGNED) || is_kind(type, VSG_ISA_KIND_UNSIGNED);
}

bool vsg_jit_is_float(uint32_t type)
{
    return type == VISAGE_TYPE_F || type == VISAGE_TYPE_DF || type == VISAGE_TYPE_HF;
}

bool vsg_jit_has_values(const vsg_exe_operand *operand)
{
    return operand->kind == VSG_EXE_OPERAND_REGION ||
           operand->kind == VSG_EXE_OPERAND_IMMEDIATE;
}

bool vsg_jit_all_integers(const vsg_exe_inst *inst)
{
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (!vsg_jit_has_values(&inst->src[s]) || !vsg_jit_is_integer(inst->src[s].type))
            return false;
    return vsg_jit_can_write(&inst->dst) && vsg_jit_is_integer(inst->dst.type) &&
           !inst->saturate;
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

bool vsg_jit_values(const vsg_exe_inst *inst, uint32_t num_sources, uint32_t *bits,
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
        return true;
    *is_signed = true;
    if (*bits == 64)
        return false;
    *bits = 64;
    return true;
}

void vsg_jit_write_int(vsg_jit_emitter *e, const vsg_exe_inst *inst, const vsg_exe_operand *dst,
                       LLVMValueRef value, uint32_t bits, bool is_signed)
{
    uint32_t count = inst->exec_size;

    value = vsg_jit_extend(e, value, bits, 8u * dst->bytes, count, is_signed);
    vsg_jit_write(e, dst, count, value, vsg_jit_channels(e, inst));
}

/* ---- integer arithmetic ------------------------------------------------------------------ */

/* Sums and products: the low bits of the operands make those of the result. */
static bool lower_ring(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t bits = 8u * inst->dst.bytes;
    LLVMValueRef in[3] = {NULL, NULL, NULL}, value;

    for (uint32_t s = 0; s < inst->num_sources && s < 3; s++)
        in[s] = vsg_jit_read_int(e, &inst->src[s], inst->exec_size, bits);
    switch ((visage_op)inst->op) {
    case VISAGE_OP_ADD:
        value = LLVMBuildAdd(e->b, in[0], in[1], "");
        break;
    case VISAGE_OP_ADD3:
        value = LLVMBuildAdd(e->b, LLVMBuildAdd(e->b, in[0], in[1], ""), in[2], "");
        break;
    case VISAGE_OP_MUL:
        value = LLVMBuildMul(e->b, in[0], in[1], "");
        break;
    default:
        value = LLVMBuildAdd(e->b, LLVMBuildMul(e->b, in[0], in[1], ""), in[2], "");
        break;
    }
    vsg_jit_write_int(e, inst, &inst->dst, value, bits, false);
    return true;
}

static bool lower_extreme(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    bool is_min = inst->op == VISAGE_OP_MIN;
    bool is_signed;
    uint32_t bits;

    if (!vsg_jit_values(inst, 2, &bits, &is_signed))
        return false;
    LLVMValueRef a = vsg_jit_read_int(e, &inst->src[0], inst->exec_size, bits);
    LLVMValueRef b = vsg_jit_read_int(e, &inst->src[1], inst->exec_size, bits);
    LLVMIntPredicate relation =
        is_signed ? (is_min ? LLVMIntSLT : LLVMIntSGT) : (is_min ? LLVMIntULT : LLVMIntUGT);
    LLVMValueRef first = LLVMBuildICmp(e->b, relation, a, b, "");
    vsg_jit_write_int(e, inst, &inst->dst, LLVMBuildSelect(e->b, first, a, b, ""), bits,
                      is_signed);
    return true;
}

/* The upper half of a product of dwords. */
static bool lower_mulh(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    if (inst->src[0].bytes == 8 || inst->src[1].bytes == 8 || inst->dst.bytes == 8)
        return false;
    LLVMValueRef a = vsg_jit_read_int(e, &inst->src[0], inst->exec_size, 64);
    LLVMValueRef b = vsg_jit_read_int(e, &inst->src[1], inst->exec_size, 64);
    LLVMValueRef by = vsg_jit_splat(e, vsg_jit_i64(e, 32), inst->exec_size);
    LLVMValueRef value = LLVMBuildLShr(e->b, LLVMBuildMul(e->b, a, b, ""), by, "");

    vsg_jit_write_int(e, inst, &inst->dst, value, 64, false);
    return true;
}

static bool lower_ints(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    if (!vsg_jit_all_integers(inst))
        return false;
    switch ((visage_op)inst->op) {
    case VISAGE_OP_ADD:
    case VISAGE_OP_ADD3:
    case VISAGE_OP_MUL:
    case VISAGE_OP_MAD:
        return lower_ring(e, inst);
    case VISAGE_OP_MIN:
    case VISAGE_OP_MAX:
        return lower_extreme(e, inst);
    case VISAGE_OP_MULH:
        return lower_mulh(e, inst);
    default:
        return false;
    }
}

/* ---- floats ------------------------------------------------------------------------------ */

/* The type that an instruction computes in; of halves, too, it is F. */
static visage_type type_of(const vsg_exe_inst *inst)
{
    return inst->class_ == VSG_EXE_CLASS_DOUBLE ? VISAGE_TYPE_DF : VISAGE_TYPE_F;
}

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

LLVMValueRef vsg_jit_read_float(vsg_jit_emitter *e, const vsg_exe_operand *operand,
                                uint32_t count, visage_type type)
{
    LLVMValueRef bits = vsg_jit_read(e, operand, count);
    LLVMTypeRef own = vsg_jit_float(e, (visage_type)operand->type, count);

    bits = vsg_jit_modify_float(e, operand, bits, count);
    LLVMValueRef value = LLVMBuildBitCast(e->b, bits, own, "");
    if (operand->type == type)
        return value;
    return LLVMBuildFPExt(e->b, value, vsg_jit_float(e, type, count), "");
}

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

/* Writes floats of the type an instruction computes in. */
static void write_float(vsg_jit_emitter *e, const vsg_exe_inst *inst, LLVMValueRef value)
{
    uint32_t count = inst->exec_size;

    if (inst->dst.type == VISAGE_TYPE_HF)
        value = LLVMBuildFPTrunc(e->b, value, vsg_jit_float(e, VISAGE_TYPE_HF, count), "");
    if (inst->saturate)
        value = vsg_jit_saturate(e, value);
    value = LLVMBuildBitCast(e->b, value, vsg_jit_int(e, 8u * inst->dst.bytes, count), "");
    vsg_jit_write(e, &inst->dst, count, value, vsg_jit_channels(e, inst));
}

static bool fits_floats(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    bool is_double = inst->class_ == VSG_EXE_CLASS_DOUBLE;

    for (uint32_t s = 0; s < inst->num_sources; s++) {
        uint32_t type = inst->src[s].type;
        if (!vsg_jit_has_values(&inst->src[s]) || !vsg_jit_is_float(type) ||
            (is_double && type == VISAGE_TYPE_HF))
            return false;
    }
    if (is_double ? inst->dst.type != VISAGE_TYPE_DF
                  : inst->dst.type != VISAGE_TYPE_F && inst->dst.type != VISAGE_TYPE_HF)
        return false;
    if (inst->class_ == VSG_EXE_CLASS_HALF && inst->dst.type != VISAGE_TYPE_HF)
        return false;
    return e->notes[e->place].is_plain_mode && vsg_jit_can_write(&inst->dst);
}

/* As exec_compare.c: a number wins over a NaN; of equal ones MIN gives b and MAX gives a. */
static LLVMValueRef extreme(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b, bool is_min)
{
    LLVMValueRef wins = LLVMBuildFCmp(e->b, is_min ? LLVMRealOLT : LLVMRealOGE, a, b, "");
    LLVMValueRef b_nan = LLVMBuildFCmp(e->b, LLVMRealUNO, b, b, "");
    LLVMValueRef a_number = LLVMBuildFCmp(e->b, LLVMRealORD, a, a, "");
    LLVMValueRef first = LLVMBuildAnd(e->b, LLVMBuildOr(e->b, wins, b_nan, ""), a_number, "");

    return LLVMBuildSelect(e->b, first, a, b, "");
}

static LLVMValueRef one_of(vsg_jit_emitter *e, visage_type type, uint32_t count)
{
    return vsg_jit_splat(e, LLVMConstReal(vsg_jit_float(e, type, 1), 1.0), count);
}

/* math.c: in doubles, rounded once more. */
static LLVMValueRef reciprocal_root(vsg_jit_emitter *e, LLVMValueRef x, visage_type type,
                                    uint32_t count)
{
    LLVMTypeRef wide = vsg_jit_float(e, VISAGE_TYPE_DF, count);

    if (type == VISAGE_TYPE_F)
        x = LLVMBuildFPExt(e->b, x, wide, "");
    LLVMValueRef root = vsg_jit_intrinsic(e, "llvm.sqrt", wide, &x, 1);
    LLVMValueRef value = LLVMBuildFDiv(e->b, one_of(e, VISAGE_TYPE_DF, count), root, "");
    if (type == VISAGE_TYPE_F)
        value = LLVMBuildFPTrunc(e->b, value, vsg_jit_float(e, type, count), "");
    return value;
}

static bool lower_floats(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    visage_type type = type_of(inst);
    uint32_t count = inst->exec_size;
    LLVMTypeRef own = vsg_jit_float(e, type, count);
    LLVMValueRef in[3] = {NULL, NULL, NULL}, value;
    bool is_half = inst->class_ == VSG_EXE_CLASS_HALF;

    if (!fits_floats(e, inst) || inst->num_sources > 3 ||
        (is_half && inst->op == VISAGE_OP_MAD))
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++)
        in[s] = vsg_jit_read_float(e, &inst->src[s], count, type);
    switch ((visage_op)inst->op) {
    case VISAGE_OP_ADD:
        value = LLVMBuildFAdd(e->b, in[0], in[1], "");
        break;
    case VISAGE_OP_MUL:
        value = LLVMBuildFMul(e->b, in[0], in[1], "");
        break;
    case VISAGE_OP_DIV:
        value = LLVMBuildFDiv(e->b, in[0], in[1], "");
        break;
    case VISAGE_OP_MAD:
        value = vsg_jit_intrinsic(e, "llvm.fma", own, in, 3);
        break;
    case VISAGE_OP_MIN:
    case VISAGE_OP_MAX:
        value = extreme(e, in[0], in[1], inst->op == VISAGE_OP_MIN);
        break;
    case VISAGE_OP_INV:
        value = LLVMBuildFDiv(e->b, one_of(e, type, count), in[0], "");
        break;
    case VISAGE_OP_SQRT:
        value = vsg_jit_intrinsic(e, "llvm.sqrt", own, in, 1);
        break;
    case VISAGE_OP_RSQRT:
        value = reciprocal_root(e, in[0], type, count);
        break;
    case VISAGE_OP_RNDD:
        value = vsg_jit_intrinsic(e, "llvm.floor", own, in, 1);
        break;
    case VISAGE_OP_RNDU:
        value = vsg_jit_intrinsic(e, "llvm.ceil", own, in, 1);
        break;
    case VISAGE_OP_RNDZ:
        value = vsg_jit_intrinsic(e, "llvm.trunc", own, in, 1);
        break;
    case VISAGE_OP_RNDE:
        value = vsg_jit_intrinsic(e, "llvm.nearbyint", own, in, 1);
        break;
    default:
        return false;
    }
    write_float(e, inst, value);
    return true;
}

bool vsg_jit_lower_arith(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    return inst->class_ == VSG_EXE_CLASS_INT ? lower_ints(e, inst) : lower_floats(e, inst);
}

/* ---- carries ----------------------------------------------------------------------------- */

bool vsg_jit_lower_carry(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;
    bool adds = inst->op == VISAGE_OP_ADDC;

    if (!vsg_jit_all_integers(inst) || !vsg_jit_can_write(&inst->dst2) ||
        !vsg_jit_is_integer(inst->dst2.type))
        return false;
    LLVMValueRef a = vsg_jit_read_int(e, &inst->src[0], count, 32);
    LLVMValueRef b = vsg_jit_read_int(e, &inst->src[1], count, 32);
    LLVMValueRef result = adds ? LLVMBuildAdd(e->b, a, b, "") : LLVMBuildSub(e->b, a, b, "");
    LLVMValueRef carries = LLVMBuildICmp(e->b, LLVMIntULT, adds ? result : a, adds ? a : b, "");
    LLVMValueRef carry = LLVMBuildZExt(e->b, carries, vsg_jit_int(e, 32, count), "");

    /* A difference below zero is negative in a wider destination. */
    if (inst->dst.bytes == 8 && !adds)
        return false;
    vsg_jit_write_int(e, inst, &inst->dst, result, 32, false);
    vsg_jit_write_int(e, inst, &inst->dst2, carry, 32, false);
    return true;
}

/* ---- logic ------------------------------------------------------------------------------- */

static bool lower_predicates(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    LLVMValueRef in[2] = {NULL, NULL}, value;

    for (uint32_t s = 0; s < inst->num_sources && s < 2; s++) {
        if (inst->src[s].kind != VSG_EXE_OPERAND_PREDICATE)
            return false;
        in[s] = vsg_jit_read_predicate(e, inst, &inst->src[s]);
    }
    switch ((visage_op)inst->op) {
    case VISAGE_OP_AND:
        value = LLVMBuildAnd(e->b, in[0], in[1], "");
        break;
    case VISAGE_OP_OR:
        value = LLVMBuildOr(e->b, in[0], in[1], "");
        break;
    case VISAGE_OP_XOR:
        value = LLVMBuildXor(e->b, in[0], in[1], "");
        break;
    case VISAGE_OP_NOT:
        value = LLVMBuildNot(e->b, in[0], "");
        break;
    default:
        return false;
    }
    vsg_jit_write_predicate(e, inst, &inst->dst, value, vsg_jit_channels(e, inst));
    return true;
}

/* Shifts: as many bits of the count matter as exec_logic.c says. */
static bool lower_shift(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *source = &inst->src[0];
    uint32_t count = inst->exec_size;
    uint32_t bits = source->bytes == 8 || inst->dst.bytes == 8 ? 64 : 32;
    bool is_signed = is_kind(source->type, VSG_ISA_KIND_SIGNED);
    bool is_plain = source->modifier == VSG_OBJ_MOD_NONE;
    bool arithmetic = inst->op == VISAGE_OP_ASR && (is_signed || !is_plain);
    LLVMValueRef a, value;

    if (arithmetic && source->type == VISAGE_TYPE_UQ)
        arithmetic = false;
    if (arithmetic && !is_plain && source->bytes == 4 && bits == 32)
        return false; /* the value has 33 bits */
    if (inst->op == VISAGE_OP_SHR || (inst->op == VISAGE_OP_ASR && !arithmetic))
        a = vsg_jit_extend(e, vsg_jit_read_int(e, source, count, 8u * source->bytes),
                           8u * source->bytes, bits, count, false);
    else
        a = vsg_jit_read_int(e, source, count, bits);
    LLVMValueRef by = vsg_jit_read_int(e, &inst->src[1], count, bits);
    LLVMTypeRef type = vsg_jit_int(e, bits, 1);
    by = LLVMBuildAnd(e->b, by, vsg_jit_splat(e, LLVMConstInt(type, bits - 1, false), count),
                      "");
    if (inst->op == VISAGE_OP_SHL)
        value = LLVMBuildShl(e->b, a, by, "");
    else
        value = arithmetic ? LLVMBuildAShr(e->b, a, by, "") : LLVMBuildLShr(e->b, a, by, "");
    vsg_jit_write_int(e, inst, &inst->dst, value, bits, arithmetic);
    return true;
}

bool vsg_jit_lower_logic(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    if (inst->dst.kind == VSG_EXE_OPERAND_PREDICATE)
        return lower_predicates(e, inst);
    if (!vsg_jit_all_integers(inst))
        return false;
    if (inst->op == VISAGE_OP_SHL || inst->op == VISAGE_OP_SHR || inst->op == VISAGE_OP_ASR)
        return lower_shift(e, inst);
    uint32_t bits = 8u * inst->dst.bytes;
    LLVMValueRef a = vsg_jit_read_int(e, &inst->src[0], inst->exec_size, bits);
    LLVMValueRef value = LLVMBuildNot(e->b, a, "");
    if (inst->op != VISAGE_OP_NOT) {
        LLVMValueRef b = vsg_jit_read_int(e, &inst->src[1], inst->exec_size, bits);
        value = inst->op == VISAGE_OP_AND  ? LLVMBuildAnd(e->b, a, b, "")
                : inst->op == VISAGE_OP_OR ? LLVMBuildOr(e->b, a, b, "")
                                           : LLVMBuildXor(e->b, a, b, "");
    }
    vsg_jit_write_int(e, inst, &inst->dst, value, bits, false);
    return true;
}

/* A sum over the products in the table; LLVM finds the one instruction for it. */
bool vsg_jit_lower_bfn(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t bits = 8u * inst->dst.bytes;
    LLVMValueRef in[3] = {NULL, NULL, NULL}, value;

    if (!vsg_jit_all_integers(inst))
        return false;
    for (uint32_t s = 0; s < 3; s++)
        in[s] = vsg_jit_read_int(e, &inst->src[s], inst->exec_size, bits);
    value = LLVMConstNull(LLVMTypeOf(in[0]));
    for (uint32_t n = 0; n < 8; n++) {
        if (!(inst->control >> n & 1))
            continue;
        LLVMValueRef term = NULL;
        for (uint32_t s = 0; s < 3; s++) {
            LLVMValueRef bit = n >> s & 1 ? in[s] : LLVMBuildNot(e->b, in[s], "");
            term = term ? LLVMBuildAnd(e->b, term, bit, "") : bit;
        }
        value = LLVMBuildOr(e->b, value, term, "");
    }
    vsg_jit_write_int(e, inst, &inst->dst, value, bits, false);
    return true;
}
