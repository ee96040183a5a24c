/* SPDX-License-Identifier: MIT
 *
 * Moves, selections, comparisons (exec_move.c, exec_compare.c say what they mean). */
#include <stddef.h>

#include "exec/operand.h"
#include "jit/frame.h"
#include "jit/lowering.h"

static uint32_t bits_of(const vsg_exe_operand *operand)
{
    return 8u * operand->bytes;
}

static void write_bits(vsg_jit_emitter *e, const vsg_exe_inst *inst, LLVMValueRef value)
{
    uint32_t count = inst->exec_size;
    LLVMTypeRef type = vsg_jit_int(e, bits_of(&inst->dst), count);

    vsg_jit_write(e, &inst->dst, count, LLVMBuildBitCast(e->b, value, type, ""),
                  vsg_jit_written(e, inst));
}

/* ---- mov --------------------------------------------------------------------------------- */

/* Moves keep denormals whatever %cr0 says (exec_move.c): do they need operations that do? Of a
 * half all that is left of F's is whether it is rounded up or down from zero. */
static bool needs_denormals(visage_type from, visage_type to, bool saturates,
                            vsg_exe_rounding rounding)
{
    bool is_half = from == VISAGE_TYPE_HF, to_int = !vsg_jit_is_float(to);
    bool is_directed = rounding == VSG_EXE_RU || rounding == VSG_EXE_RD;

    if (from == to || is_half || to_int)
        return saturates && !is_half;
    return saturates || to == VISAGE_TYPE_DF || from == VISAGE_TYPE_DF ||
           (to == VISAGE_TYPE_HF && is_directed);
}

/* To widen a BF takes no instruction that would do so. */
static LLVMValueRef quiet_bf16(vsg_jit_emitter *e, LLVMValueRef bits, uint32_t count)
{
    const uint64_t inf = 0x7f80, quiet = 0x40, magnitude = 0x7fff;
    LLVMTypeRef type = vsg_jit_int(e, 16, 1);
    LLVMValueRef rest = LLVMBuildAnd(
        e->b, bits, vsg_jit_splat(e, LLVMConstInt(type, magnitude, false), count), "");
    LLVMValueRef is_nan = LLVMBuildICmp(
        e->b, LLVMIntUGT, rest, vsg_jit_splat(e, LLVMConstInt(type, inf, false), count), "");
    LLVMValueRef quieted =
        LLVMBuildOr(e->b, bits, vsg_jit_splat(e, LLVMConstInt(type, quiet, false), count), "");

    return LLVMBuildSelect(e->b, is_nan, quieted, bits, "");
}

/* A float as bits of a number of another type, or of its own; NULL: not in this mode. */
static LLVMValueRef convert_float(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                  const vsg_exe_operand *operand)
{
    visage_type from = (visage_type)operand->type, to = (visage_type)inst->dst.type;
    visage_type type = from == VISAGE_TYPE_DF ? VISAGE_TYPE_DF : VISAGE_TYPE_F;
    uint32_t count = inst->exec_size;
    bool saturates = inst->saturate && vsg_jit_is_float(to);
    vsg_exe_rounding rounding = vsg_jit_rounding(e);
    LLVMValueRef value;

    if (from != to && (!vsg_jit_can_round(e) || !vsg_jit_can_narrow(e, to, rounding)))
        return NULL;
    if (e->flushes && needs_denormals(from, to, saturates, rounding))
        return NULL;
    value = vsg_jit_modify_float(e, operand, vsg_jit_read(e, operand, count), count);
    if (from == to && !saturates)
        return value;
    if (from == VISAGE_TYPE_BF)
        value = quiet_bf16(e, value, count);
    value = vsg_jit_widen(e, value, from, type, count);
    if (saturates)
        value = vsg_jit_saturate(e, value);
    return vsg_jit_narrow(e, value, type, to, count, from == to ? VSG_EXE_RNE : rounding);
}

static bool move_float(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *source = &inst->src[0];

    if (!vsg_jit_is_float(source->type) ||
        (!vsg_jit_is_float(inst->dst.type) && !vsg_jit_is_integer(inst->dst.type)))
        return false;
    LLVMValueRef bits = convert_float(e, inst, source);
    if (!bits)
        return false;
    write_bits(e, inst, bits);
    return true;
}

/* Saturated to a float, an integer is 0 or 1. */
static LLVMValueRef saturate_int(vsg_jit_emitter *e, LLVMValueRef value, bool is_signed)
{
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value));
    LLVMIntPredicate above = is_signed ? LLVMIntSGT : LLVMIntUGT;
    LLVMValueRef lanes = LLVMBuildICmp(e->b, above, value, zero, "");

    return LLVMBuildZExt(e->b, lanes, LLVMTypeOf(value), "");
}

/* Halves have fewer digits than F, in which many integers are rounded: then they are made odd
 * first. */
static LLVMValueRef int_to_float(vsg_jit_emitter *e, const vsg_jit_integers *from,
                                 visage_type to, uint32_t count)
{
    visage_type type = to == VISAGE_TYPE_DF ? VISAGE_TYPE_DF : VISAGE_TYPE_F;
    vsg_exe_rounding rounding = vsg_jit_rounding(e);
    LLVMValueRef number;

    if (type == to || from->bits < 32)
        number = vsg_jit_from_int(e, from, type, count, rounding);
    else
        number = vsg_jit_choose_odd(e, vsg_jit_from_int(e, from, type, count, VSG_EXE_RD),
                                    vsg_jit_from_int(e, from, type, count, VSG_EXE_RU), count);
    return vsg_jit_narrow(e, number, type, to, count, rounding);
}

static bool move_int_to_float(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    visage_type to = (visage_type)inst->dst.type;
    uint32_t count = inst->exec_size;
    vsg_jit_integers from;

    vsg_jit_values(inst, 1, &from.bits, &from.is_signed);
    if (!vsg_jit_is_float(to) || from.bits > 64 || !vsg_jit_can_round(e) ||
        !vsg_jit_can_narrow(e, to, vsg_jit_rounding(e)))
        return false;
    from.value = vsg_jit_read_int(e, &inst->src[0], count, from.bits);
    if (inst->saturate)
        from.value = saturate_int(e, from.value, from.is_signed);
    write_bits(e, inst, int_to_float(e, &from, to, count));
    return true;
}

static bool move_saturated(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *source = &inst->src[0];
    uint32_t count = inst->exec_size, bits = 32;

    while (bits < bits_of(source) + 2 || bits <= bits_of(&inst->dst))
        bits *= 2;
    LLVMValueRef value = vsg_jit_read_int(e, source, count, bits);
    value = vsg_jit_clamp(e, value, bits, (visage_type)inst->dst.type, count);
    vsg_jit_write_int(e, inst, &inst->dst, value, bits, true);
    return true;
}

static bool move_predicate(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *source = &inst->src[0];
    LLVMValueRef slot = vsg_jit_slot(e, &e->parts[e->num_general + source->index]);
    LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i32, slot, "");

    bits = LLVMBuildAnd(e->b, bits, vsg_jit_i32(e, vsg_exe_first(source->count)), "");
    vsg_jit_write_int(e, inst, &inst->dst, vsg_jit_splat(e, bits, inst->exec_size), 32, false);
    return true;
}

bool vsg_jit_lower_mov(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *source = &inst->src[0];

    if (!vsg_jit_can_write(&inst->dst))
        return false;
    if (source->kind == VSG_EXE_OPERAND_PREDICATE)
        return vsg_jit_is_integer(inst->dst.type) && move_predicate(e, inst);
    if (!vsg_jit_has_values(source))
        return false;
    if (!vsg_jit_is_integer(source->type))
        return move_float(e, inst);
    if (!vsg_jit_is_integer(inst->dst.type))
        return move_int_to_float(e, inst);
    if (inst->saturate)
        return move_saturated(e, inst);
    uint32_t bits = bits_of(&inst->dst);
    vsg_jit_write_int(e, inst, &inst->dst, vsg_jit_read_int(e, source, inst->exec_size, bits),
                      bits, false);
    return true;
}

/* ---- sel --------------------------------------------------------------------------------- */

/* A source as bits of the destination's type; NULL: the handler's. */
static LLVMValueRef selected(vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t s)
{
    const vsg_exe_operand *source = &inst->src[s];
    uint32_t bits = bits_of(&inst->dst);

    if (inst->class_ != VSG_EXE_CLASS_INT)
        return convert_float(e, inst, source);
    if (!inst->saturate)
        return vsg_jit_read_int(e, source, inst->exec_size, bits);
    while (bits < bits_of(source) + 2 || bits <= bits_of(&inst->dst))
        bits *= 2;
    LLVMValueRef value = vsg_jit_read_int(e, source, inst->exec_size, bits);
    value = vsg_jit_clamp(e, value, bits, (visage_type)inst->dst.type, inst->exec_size);
    return vsg_jit_extend(e, value, bits, bits_of(&inst->dst), inst->exec_size, true);
}

static bool is_selectable(const vsg_exe_inst *inst, uint32_t s)
{
    const vsg_exe_operand *source = &inst->src[s];

    if (!vsg_jit_has_values(source))
        return false;
    if (inst->class_ == VSG_EXE_CLASS_INT)
        return vsg_jit_is_integer(source->type) && vsg_jit_is_integer(inst->dst.type);
    return vsg_jit_is_float(source->type) &&
           (vsg_jit_is_float(inst->dst.type) || vsg_jit_is_integer(inst->dst.type));
}

bool vsg_jit_lower_sel(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;

    if (!vsg_jit_can_write(&inst->dst) || !is_selectable(inst, 0) || !is_selectable(inst, 1))
        return false;
    LLVMValueRef a = selected(e, inst, 0);
    LLVMValueRef b = a ? selected(e, inst, 1) : NULL;
    if (!b)
        return false;
    LLVMValueRef chosen = vsg_jit_lanes(e, vsg_jit_predicate(e, inst), count);
    LLVMValueRef value = chosen ? LLVMBuildSelect(e->b, chosen, a, b, "") : a;
    vsg_jit_write(e, &inst->dst, count, value, vsg_jit_overwritten(e, inst));
    return true;
}

/* ---- faddr ------------------------------------------------------------------------------- */

/* It may be an address of this process, which code that is kept on disk must not hold: the
 * instruction has it. All that is written is one element, whatever the masks. */
bool vsg_jit_lower_faddr(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    size_t at = offsetof(vsg_exe_inst, src) + offsetof(vsg_exe_operand, elements);

    if (!vsg_jit_can_write(&inst->dst))
        return false;
    LLVMValueRef own = vsg_jit_inst_at(e, &e->unit->code[e->place]);
    LLVMValueRef elements = LLVMBuildLoad2(e->b, e->pointer, vsg_jit_at(e, own, at), "");
    LLVMValueRef value = LLVMBuildLoad2(e->b, e->i64, elements, "");
    vsg_jit_write(e, &inst->dst, 1,
                  vsg_jit_extend(e, value, 64, 8u * inst->dst.bytes, 1, false), NULL);
    return true;
}

/* ---- cmp --------------------------------------------------------------------------------- */

/* By the codes of the relation (CMP page): eq ne gt ge lt le. */
static const LLVMIntPredicate of_signed[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntSGT,
                                             LLVMIntSGE, LLVMIntSLT, LLVMIntSLE};
static const LLVMIntPredicate of_unsigned[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntUGT,
                                               LLVMIntUGE, LLVMIntULT, LLVMIntULE};
static const LLVMRealPredicate of_floats[] = {LLVMRealOEQ, LLVMRealUNE, LLVMRealOGT,
                                              LLVMRealOGE, LLVMRealOLT, LLVMRealOLE};

static LLVMValueRef compare_ints(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t bits;
    bool is_signed;

    if (!vsg_jit_is_integer(inst->src[0].type) || !vsg_jit_is_integer(inst->src[1].type))
        return NULL;
    vsg_jit_values(inst, 2, &bits, &is_signed);
    LLVMValueRef a = vsg_jit_read_int(e, &inst->src[0], inst->exec_size, bits);
    LLVMValueRef b = vsg_jit_read_int(e, &inst->src[1], inst->exec_size, bits);
    const LLVMIntPredicate *relations = is_signed ? of_signed : of_unsigned;
    return LLVMBuildICmp(e->b, relations[inst->control], a, b, "");
}

/* Source s of a comparison. LLVM compares constants without regard to the host's mode. */
static LLVMValueRef read_compared(vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t s,
                                  visage_type type)
{
    return vsg_jit_hide(e, vsg_jit_read_float(e, &inst->src[s], inst->exec_size, type));
}

static LLVMValueRef compare_floats(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    visage_type type = vsg_jit_float_class(inst);

    if (!vsg_jit_all_floats(inst) || !vsg_jit_fits_mode(e, inst))
        return NULL;
    return LLVMBuildFCmp(e->b, of_floats[inst->control], read_compared(e, inst, 0, type),
                         read_compared(e, inst, 1, type), "");
}

bool vsg_jit_lower_cmp(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;
    bool to_predicate = inst->dst.kind == VSG_EXE_OPERAND_PREDICATE;

    if (inst->control > 5 || !vsg_jit_has_values(&inst->src[0]) ||
        !vsg_jit_has_values(&inst->src[1]) || (!to_predicate && !vsg_jit_can_write(&inst->dst)))
        return false;
    LLVMValueRef lanes =
        inst->class_ == VSG_EXE_CLASS_INT ? compare_ints(e, inst) : compare_floats(e, inst);
    if (!lanes)
        return false;
    if (to_predicate)
        vsg_jit_write_predicate(e, inst, &inst->dst, vsg_jit_bits(e, lanes, count),
                                vsg_jit_written(e, inst));
    else
        write_bits(e, inst,
                   LLVMBuildSExt(e->b, lanes, vsg_jit_int(e, bits_of(&inst->dst), count), ""));
    return true;
}

/* ---- setp -------------------------------------------------------------------------------- */

bool vsg_jit_lower_setp(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *source = &inst->src[0];
    uint32_t count = inst->exec_size;

    if (!vsg_jit_has_values(source) || !vsg_jit_is_integer(source->type))
        return false;
    if (source->shape == VSG_EXE_SHAPE_SCALAR) {
        vsg_jit_write_predicate(e, inst, &inst->dst, vsg_jit_read_int(e, source, 1, 32), NULL);
        return true;
    }
    LLVMValueRef values = vsg_jit_read_int(e, source, count, 32);
    LLVMValueRef lowest = LLVMBuildTrunc(e->b, values, vsg_jit_int(e, 1, count), "");
    vsg_jit_write_predicate(e, inst, &inst->dst, vsg_jit_bits(e, lowest, count),
                            vsg_jit_written(e, inst));
    return true;
}
