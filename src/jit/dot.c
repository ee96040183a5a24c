/* SPDX-License-Identifier: MIT
 *
 * Sums over several elements (exec_dot.c says what they mean): of the bytes of dwords, of the
 * four channels of a group. */
#include "exec/operand.h"
#include "jit/lowering.h"
#include "jit/shuffle.h"

/* ---- bytes in pairs ---------------------------------------------------------------------- */

LLVMValueRef vsg_jit_bytes_of(vsg_jit_emitter *e, LLVMValueRef dwords, bool odd, bool is_signed,
                              uint32_t count)
{
    LLVMTypeRef type = vsg_jit_int(e, 16, 1);
    LLVMValueRef by = vsg_jit_splat(e, LLVMConstInt(type, 8, false), 2 * count);
    LLVMValueRef words = LLVMBuildBitCast(e->b, dwords, vsg_jit_int(e, 16, 2 * count), "");

    if (!odd)
        words = LLVMBuildShl(e->b, words, by, "");
    words = is_signed ? LLVMBuildAShr(e->b, words, by, "") : LLVMBuildLShr(e->b, words, by, "");
    return LLVMBuildBitCast(e->b, words, vsg_jit_int(e, 32, count), "");
}

LLVMValueRef vsg_jit_multiply_words(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b,
                                    uint32_t count)
{
    const char *name = count == 16 ? "llvm.x86.avx512.pmaddw.d.512" : "llvm.x86.avx2.pmadd.wd";
    LLVMTypeRef words = vsg_jit_int(e, 16, 2 * count);
    LLVMValueRef args[] = {LLVMBuildBitCast(e->b, a, words, ""),
                           LLVMBuildBitCast(e->b, b, words, "")};
    return vsg_jit_overloaded(e, name, NULL, 0, args, 2);
}

/* ---- bytes in fours ---------------------------------------------------------------------- */

/* The products of bytes without signs and bytes with them. */
static LLVMValueRef add_products(vsg_jit_emitter *e, LLVMValueRef sum, LLVMValueRef plain,
                                 LLVMValueRef with_signs, uint32_t count)
{
    const char *name =
        count == 16 ? "llvm.x86.avx512.vpdpbusd.512" : "llvm.x86.avx512.vpdpbusd.256";
    LLVMValueRef args[] = {sum, plain, with_signs};

    return vsg_jit_overloaded(e, name, NULL, 0, args, 3);
}

static LLVMValueRef signs_of(vsg_jit_emitter *e, uint32_t count)
{
    return vsg_jit_splat(e, vsg_jit_i32(e, 0x80808080), count);
}

vsg_jit_byte_products vsg_jit_plan_bytes(bool first_signed, bool second_signed, uint32_t count)
{
    bool turns = first_signed == second_signed;

    return (vsg_jit_byte_products){turns, first_signed != turns, count};
}

LLVMValueRef vsg_jit_turn_bytes(vsg_jit_emitter *e, const vsg_jit_byte_products *plan,
                                LLVMValueRef first)
{
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(first));

    return plan->turns ? LLVMBuildXor(e->b, first, signs_of(e, count), "") : first;
}

LLVMValueRef vsg_jit_begin_bytes(vsg_jit_emitter *e, const vsg_jit_byte_products *plan,
                                 LLVMValueRef sum, LLVMValueRef second)
{
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(second));

    if (!plan->turns)
        return sum;
    LLVMValueRef more = vsg_jit_add_bytes(e, plan, none, signs_of(e, plan->count), second);
    return LLVMBuildSub(e->b, sum, more, "");
}

LLVMValueRef vsg_jit_add_bytes(vsg_jit_emitter *e, const vsg_jit_byte_products *plan,
                               LLVMValueRef sum, LLVMValueRef first, LLVMValueRef second)
{
    return add_products(e, sum, plan->swaps ? second : first, plan->swaps ? first : second,
                        plan->count);
}

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

static LLVMValueRef multiply_fours(vsg_jit_emitter *e, const LLVMValueRef in[2],
                                   const bool is_signed[2], uint32_t count)
{
    vsg_jit_byte_products plan = vsg_jit_plan_bytes(is_signed[0], is_signed[1], count);
    LLVMValueRef first = vsg_jit_turn_bytes(e, &plan, in[0]);
    LLVMValueRef sum = vsg_jit_begin_bytes(e, &plan, LLVMConstNull(LLVMTypeOf(first)), in[1]);

    return vsg_jit_add_bytes(e, &plan, sum, first, in[1]);
}

/* The four products of the bytes of dwords, added up: one by one, by pairs, or at once. */
static LLVMValueRef multiply_bytes(vsg_jit_emitter *e, const LLVMValueRef in[2],
                                   const bool is_signed[2], uint32_t count)
{
    enum { MOST_PAIRS = 16 };
    bool by_pairs = vsg_jit_has_avx512(e) && count % 8 == 0;
    LLVMValueRef parts[2], sum = NULL;

    if (by_pairs && count > MOST_PAIRS) {
        for (uint32_t first = 0; first < count; first += MOST_PAIRS) {
            for (uint32_t s = 0; s < 2; s++)
                parts[s] = vsg_jit_take_lanes(e, in[s], first, 1, MOST_PAIRS);
            LLVMValueRef more = multiply_bytes(e, parts, is_signed, MOST_PAIRS);
            sum = sum ? vsg_jit_append(e, sum, more) : more;
        }
        return sum;
    }
    if (by_pairs && e->has_byte_products)
        return multiply_fours(e, in, is_signed, count);
    for (uint32_t k = 0; k < (by_pairs ? 2 : 4); k++) {
        for (uint32_t s = 0; s < 2; s++)
            parts[s] = by_pairs ? vsg_jit_bytes_of(e, in[s], k, is_signed[s], count)
                                : byte_of(e, in[s], k, is_signed[s], count);
        LLVMValueRef more = by_pairs ? vsg_jit_multiply_words(e, parts[0], parts[1], count)
                                     : LLVMBuildMul(e->b, parts[0], parts[1], "");
        sum = sum ? LLVMBuildAdd(e->b, sum, more, "") : more;
    }
    return sum;
}

bool vsg_jit_lower_dp4a(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;
    uint32_t bits = inst->saturate || inst->dst.bytes == 8 ? 64 : 32;
    bool is_signed[3] = {false, false, false};
    LLVMValueRef in[3], sum;

    if (!vsg_jit_from_integers(inst) || (inst->saturate && inst->dst.bytes == 8))
        return false;
    for (uint32_t s = 1; s < 3; s++) {
        is_signed[s] = vsg_isa_type(inst->src[s].type)->kind == VSG_ISA_KIND_SIGNED;
        in[s] = vsg_jit_read_int(e, &inst->src[s], count, 32);
    }
    /* What is made of the second alone is then made once for many. */
    if (inst->src[1].shape == VSG_EXE_SHAPE_SCALAR) {
        LLVMValueRef swapped[] = {in[2], in[1]};
        const bool signs[] = {is_signed[2], is_signed[1]};
        sum = multiply_bytes(e, swapped, signs, count);
    } else {
        sum = multiply_bytes(e, in + 1, is_signed + 1, count);
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
