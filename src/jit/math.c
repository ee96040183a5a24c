/* SPDX-License-Identifier: MIT
 *
 * Extended math, to nearest even whatever %cr0 says (exec_math_ops.c): the steps that the
 * interpreter takes, on vectors. */
#include <math.h>

#include "exec/math_inline.h"
#include "exec/operand.h"
#include "jit/frame.h"
#include "jit/lowering.h"

/* ---- steps ------------------------------------------------------------------------------- */

static LLVMValueRef real(vsg_jit_emitter *e, visage_type type, double value, uint32_t count)
{
    return vsg_jit_splat(e, LLVMConstReal(vsg_jit_float(e, type, 1), value), count);
}

static LLVMValueRef bits_of(vsg_jit_emitter *e, uint64_t value, uint32_t count)
{
    return vsg_jit_splat(e, vsg_jit_i64(e, value), count);
}

static LLVMValueRef fused(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
    LLVMValueRef in[] = {a, b, c};
    return vsg_jit_intrinsic(e, "llvm.fma", LLVMTypeOf(a), in, 3);
}

static LLVMValueRef absolute(vsg_jit_emitter *e, LLVMValueRef a)
{
    return vsg_jit_intrinsic(e, "llvm.fabs", LLVMTypeOf(a), &a, 1);
}

static LLVMValueRef dwords_of(vsg_jit_emitter *e, LLVMValueRef a, uint32_t count)
{
    return LLVMBuildBitCast(e->b, a, vsg_jit_int(e, 32, count), "");
}

static LLVMValueRef number_of(vsg_jit_emitter *e, LLVMValueRef a, uint32_t count)
{
    return LLVMBuildBitCast(e->b, a, vsg_jit_float(e, VISAGE_TYPE_F, count), "");
}

static LLVMValueRef quiet(vsg_jit_emitter *e, LLVMValueRef a, uint32_t count)
{
    LLVMValueRef bit = vsg_jit_splat(e, vsg_jit_i32(e, VSG_EXE_FLOAT_QUIET), count);

    return number_of(e, LLVMBuildOr(e->b, dwords_of(e, a, count), bit, ""), count);
}

static LLVMValueRef invalid(vsg_jit_emitter *e, uint32_t count)
{
    LLVMValueRef bits = vsg_jit_splat(e, vsg_jit_i32(e, VSG_EXE_FLOAT_INVALID), count);

    return number_of(e, bits, count);
}

static LLVMValueRef sign_of(vsg_jit_emitter *e, LLVMValueRef a, uint32_t count)
{
    LLVMValueRef bits = vsg_jit_extend(e, dwords_of(e, a, count), 32, 64, count, true);

    return LLVMBuildAnd(e->b, bits, bits_of(e, UINT64_C(1) << 63, count), "");
}

static LLVMValueRef with_sign(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef sign,
                              uint32_t count)
{
    LLVMValueRef high = LLVMBuildLShr(e->b, sign, bits_of(e, 32, count), "");

    high = vsg_jit_extend(e, high, 64, 32, count, false);
    return number_of(e, LLVMBuildXor(e->b, dwords_of(e, a, count), high, ""), count);
}

/* As vsg_exe_scale(). */
static LLVMValueRef scale(vsg_jit_emitter *e, uint32_t count, LLVMValueRef x, LLVMValueRef sum)
{
    LLVMValueRef zero = real(e, VISAGE_TYPE_F, (double)VSG_EXE_ROUND_FLOAT, count);

    if (vsg_jit_has_avx512(e))
        return vsg_jit_scale(e, x, LLVMBuildFSub(e->b, sum, zero, ""), count);
    LLVMValueRef one = vsg_jit_splat(e, vsg_jit_i32(e, 1), count);
    LLVMValueRef least = vsg_jit_splat(e, vsg_jit_i32(e, VSG_EXE_SCALE_LEAST), count);
    LLVMValueRef bias =
        vsg_jit_splat(e, vsg_jit_i32(e, VSG_EXE_FLOAT_BIAS - VSG_EXE_SCALE_LEAST / 2), count);
    LLVMValueRef shift = vsg_jit_splat(e, vsg_jit_i32(e, VSG_EXE_FLOAT_FRACTION), count);
    LLVMValueRef above =
        LLVMBuildSub(e->b, dwords_of(e, sum, count), dwords_of(e, zero, count), "");
    above = LLVMBuildAdd(e->b, above, least, "");
    LLVMValueRef lower = LLVMBuildLShr(e->b, above, one, "");
    LLVMValueRef upper = LLVMBuildSub(e->b, above, lower, "");
    lower = LLVMBuildShl(e->b, LLVMBuildAdd(e->b, lower, bias, ""), shift, "");
    upper = LLVMBuildShl(e->b, LLVMBuildAdd(e->b, upper, bias, ""), shift, "");
    x = LLVMBuildFMul(e->b, x, number_of(e, lower, count), "");
    return LLVMBuildFMul(e->b, x, number_of(e, upper, count), "");
}

#define FUNCTION(type, name, ...)                                                              \
    static LLVMValueRef name(vsg_jit_emitter *e, uint32_t count, __VA_ARGS__)
#define CALL(name, ...) name(e, count, __VA_ARGS__)
#define D               LLVMValueRef
#define F               LLVMValueRef
#define W               LLVMValueRef
#define U               LLVMValueRef
#define B               LLVMValueRef
#define DK(x)           real(e, VISAGE_TYPE_DF, x, count)
#define FK(x)           real(e, VISAGE_TYPE_F, (double)(x), count)
#define WK(x)           bits_of(e, x, count)
#define UK(x)           vsg_jit_splat(e, vsg_jit_i32(e, x), count)
#define ADD(x, y)       LLVMBuildFAdd(e->b, x, y, "")
#define SUB(x, y)       LLVMBuildFSub(e->b, x, y, "")
#define MUL(x, y)       LLVMBuildFMul(e->b, x, y, "")
#define DIV(x, y)       LLVMBuildFDiv(e->b, x, y, "")
#define FMA(x, y, z)    fused(e, x, y, z)
#define NEG(a)          LLVMBuildFNeg(e->b, a, "")
#define ABS(a)          absolute(e, a)
#define TO_D(a)         LLVMBuildFPExt(e->b, a, vsg_jit_float(e, VISAGE_TYPE_DF, count), "")
#define TO_F(a)         LLVMBuildFPTrunc(e->b, a, vsg_jit_float(e, VISAGE_TYPE_F, count), "")
#define BITS(a)         LLVMBuildBitCast(e->b, a, vsg_jit_int(e, 64, count), "")
#define NUMBER(a)       LLVMBuildBitCast(e->b, a, vsg_jit_float(e, VISAGE_TYPE_DF, count), "")
#define BITS_OF(a)      dwords_of(e, a, count)
#define FLOAT_OF(a)     number_of(e, a, count)
#define WADD(x, y)      LLVMBuildAdd(e->b, x, y, "")
#define WSUB(x, y)      LLVMBuildSub(e->b, x, y, "")
#define WAND(x, y)      LLVMBuildAnd(e->b, x, y, "")
#define WXOR(x, y)      LLVMBuildXor(e->b, x, y, "")
#define WSHL(a, by)     LLVMBuildShl(e->b, a, WK(by), "")
#define WSHR(a, by)     LLVMBuildLShr(e->b, a, WK(by), "")
#define USHL(a, by)     LLVMBuildShl(e->b, a, UK(by), "")
#define FROM_SMALL(a)                                                                          \
    LLVMBuildSIToFP(e->b, vsg_jit_extend(e, a, 64, 32, count, false),                          \
                    vsg_jit_float(e, VISAGE_TYPE_DF, count), "")
#define SCALE(x, sum)      scale(e, count, x, sum)
#define SIGN_OF(a)         sign_of(e, a, count)
#define WITH_SIGN(a, sign) with_sign(e, a, sign, count)
#define QUIET(a)           quiet(e, a, count)
#define INVALID            invalid(e, count)
#define LT(x, y)           LLVMBuildFCmp(e->b, LLVMRealOLT, x, y, "")
#define GT(x, y)           LLVMBuildFCmp(e->b, LLVMRealOGT, x, y, "")
#define EQ(x, y)           LLVMBuildFCmp(e->b, LLVMRealOEQ, x, y, "")
#define NE(x, y)           LLVMBuildFCmp(e->b, LLVMRealUNE, x, y, "")
#define WEQ(x, y)          LLVMBuildICmp(e->b, LLVMIntEQ, x, y, "")
#define AND(x, y)          LLVMBuildAnd(e->b, x, y, "")
#define OR(x, y)           LLVMBuildOr(e->b, x, y, "")
#define NOT(a)             LLVMBuildNot(e->b, a, "")
#define IF(is, x, y)       LLVMBuildSelect(e->b, is, x, y, "")
#include "exec/math_steps.h"

/* ---- instructions ------------------------------------------------------------------------ */

static LLVMValueRef root(vsg_jit_emitter *e, LLVMValueRef x, visage_type type, uint32_t count)
{
    return vsg_jit_intrinsic(e, "llvm.sqrt", vsg_jit_float(e, type, count), &x, 1);
}

static LLVMValueRef one_by(vsg_jit_emitter *e, LLVMValueRef x, visage_type type, uint32_t count)
{
    return DIV(real(e, type, 1.0, count), x);
}

static LLVMValueRef reciprocal_root(vsg_jit_emitter *e, LLVMValueRef x, visage_type type,
                                    uint32_t count)
{
    bool estimates = type == VISAGE_TYPE_F && vsg_jit_has_avx512(e);
    LLVMValueRef y = estimates ? vsg_jit_estimate_rsqrt(e, x, count)
                               : one_by(e, root(e, x, type, count), type, count);

    if (type == VISAGE_TYPE_DF)
        return y;
    if (estimates)
        return vsg_jit_settle_rsqrt(
            e, x, refine_rsqrt(e, count, x, approach_rsqrt(e, count, x, y)), count);
    LLVMValueRef refined = refine_rsqrt(e, count, x, y);
    return IF(NE(refined, refined), y, refined);
}

static LLVMValueRef read_flushed(vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t s,
                                 visage_type type)
{
    LLVMValueRef value = vsg_jit_read_float(e, &inst->src[s], inst->exec_size, type);

    return vsg_jit_flush(e, value, type, inst->exec_size);
}

static LLVMValueRef compute(vsg_jit_emitter *e, const vsg_exe_inst *inst, visage_type type)
{
    uint32_t count = inst->exec_size;
    LLVMValueRef x = read_flushed(e, inst, 0, type);

    switch ((visage_op)inst->op) {
    case VISAGE_OP_INV:
        return one_by(e, x, type, count);
    case VISAGE_OP_SQRT:
        return root(e, x, type, count);
    case VISAGE_OP_RSQRT:
        return reciprocal_root(e, x, type, count);
    case VISAGE_OP_EXP:
        return inline_exp2(e, count, x);
    case VISAGE_OP_LOG:
        return inline_log2(e, count, x);
    case VISAGE_OP_POW:
        return inline_pow(e, count, x, read_flushed(e, inst, 1, type));
    default:
        return NULL;
    }
}

static bool is_lowered(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    bool has_double =
        inst->op == VISAGE_OP_INV || inst->op == VISAGE_OP_SQRT || inst->op == VISAGE_OP_RSQRT;

    return vsg_jit_all_floats(inst) && vsg_jit_fits_mode(e, inst) &&
           vsg_jit_can_write_float(e, inst) &&
           (has_double || vsg_jit_float_class(inst) == VISAGE_TYPE_F);
}

/* Are bits of channels that write set in a vector of i1? */
static LLVMValueRef is_any(vsg_jit_emitter *e, const vsg_exe_inst *inst, LLVMValueRef lanes)
{
    LLVMValueRef bits = vsg_jit_bits(e, lanes, inst->exec_size);
    LLVMValueRef channels = vsg_jit_channels(e, inst);

    if (channels)
        bits = LLVMBuildAnd(e->b, bits, channels, "");
    return LLVMBuildICmp(e->b, LLVMIntNE, bits, vsg_jit_i32(e, 0), "");
}

static void write_flushed(vsg_jit_emitter *e, const vsg_exe_inst *inst, LLVMValueRef value)
{
    vsg_jit_write_float(e, inst,
                        vsg_jit_flush(e, value, vsg_jit_float_class(inst), inst->exec_size));
}

/* The first way unless the condition holds, else the handler. */
static void write_unless(vsg_jit_emitter *e, const vsg_exe_inst *inst, LLVMValueRef value,
                         LLVMValueRef condition)
{
    LLVMBasicBlockRef slow = vsg_jit_block(e), quick = vsg_jit_block(e);
    LLVMBasicBlockRef done = vsg_jit_block(e);

    LLVMBuildCondBr(e->b, condition, slow, quick);
    vsg_jit_go_on(e, quick);
    write_flushed(e, inst, value);
    LLVMBuildBr(e->b, done);
    vsg_jit_go_on(e, slow);
    vsg_jit_call_handler_rarely(e);
    LLVMBuildBr(e->b, done);
    vsg_jit_go_on(e, done);
}

/* The handler rounds to a denormal or the least normal number before it flushes; where the host
 * flushes, that is one step. */
static LLVMValueRef is_tiny(vsg_jit_emitter *e, const vsg_exe_inst *inst, LLVMValueRef value)
{
    LLVMValueRef limit = real(e, VISAGE_TYPE_F, 0x1p-125, inst->exec_size);

    return is_any(e, inst, LLVMBuildFCmp(e->b, LLVMRealOLT, absolute(e, value), limit, ""));
}

bool vsg_jit_lower_math(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    if (!is_lowered(e, inst))
        return false;
    LLVMValueRef value = compute(e, inst, vsg_jit_float_class(inst));
    if (!value)
        return false;
    if (e->flushes && (inst->op == VISAGE_OP_EXP || inst->op == VISAGE_OP_POW))
        write_unless(e, inst, value, is_tiny(e, inst, value));
    else
        write_flushed(e, inst, value);
    return true;
}

/* Channels that write and whose angle is too large for the steps. */
static LLVMValueRef is_large(vsg_jit_emitter *e, const vsg_exe_inst *inst, LLVMValueRef x)
{
    LLVMValueRef limit = real(e, VISAGE_TYPE_F, (double)VSG_EXE_LARGE_ANGLE, inst->exec_size);

    return is_any(e, inst, LLVMBuildFCmp(e->b, LLVMRealUGE, absolute(e, x), limit, ""));
}

/* Large angles, which take a table, are the handler's. */
bool vsg_jit_lower_sine(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    if (!is_lowered(e, inst))
        return false;
    LLVMValueRef x = read_flushed(e, inst, 0, VISAGE_TYPE_F);
    /* Before the condition, so that the sine and the cosine of an angle share what they can. */
    LLVMValueRef value = inline_sine(e, inst->exec_size, x, inst->op == VISAGE_OP_COS ? 1 : 0);
    write_unless(e, inst, value, is_large(e, inst, x));
    return true;
}
