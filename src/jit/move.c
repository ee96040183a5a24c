/* SPDX-License-Identifier: MIT
 *
 * Moves, selections, comparisons (exec_move.c, exec_compare.c say what they mean). */
#include "exec/operand.h"
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
                  vsg_jit_channels(e, inst));
}

/* ---- mov --------------------------------------------------------------------------------- */

/* Floats of one type keep their bits, NaNs and all. */
static bool move_same(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    LLVMValueRef bits = vsg_jit_read(e, &inst->src[0], inst->exec_size);

    write_bits(e, inst, vsg_jit_modify_float(e, &inst->src[0], bits, inst->exec_size));
    return true;
}

static bool move_float_to_int(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    bool is_signed = vsg_isa_type(inst->dst.type)->kind == VSG_ISA_KIND_SIGNED;
    visage_type type = (visage_type)inst->src[0].type;
    LLVMTypeRef types[2] = {vsg_jit_int(e, bits_of(&inst->dst), inst->exec_size)};
    const char *name = is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat";

    if (type == VISAGE_TYPE_HF)
        type = VISAGE_TYPE_F;
    LLVMValueRef value = vsg_jit_read_float(e, &inst->src[0], inst->exec_size, type);
    types[1] = LLVMTypeOf(value);
    unsigned id = LLVMLookupIntrinsicID(name, 15);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module, id, types, 2);
    LLVMTypeRef signature = LLVMIntrinsicGetType(e->context, id, types, 2);
    write_bits(e, inst, LLVMBuildCall2(e->b, signature, function, &value, 1, ""));
    return true;
}

static bool move_float(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t from = inst->src[0].type, to = inst->dst.type;
    uint32_t count = inst->exec_size;

    if (!vsg_jit_is_float(from) || !e->notes[e->place].is_plain_mode)
        return false;
    if (vsg_jit_is_integer(to))
        return !inst->saturate && move_float_to_int(e, inst);
    if (!vsg_jit_is_float(to))
        return false;
    if (from == to && !inst->saturate)
        return move_same(e, inst);
    bool narrows = inst->dst.bytes < inst->src[0].bytes;
    LLVMValueRef value = vsg_jit_read_float(e, &inst->src[0], count, (visage_type)from);
    if (inst->saturate)
        value = vsg_jit_saturate(e, value);
    if (from == VISAGE_TYPE_DF && to == VISAGE_TYPE_HF)
        return false; /* two roundings where LLVM has none in one step */
    if (narrows)
        value = LLVMBuildFPTrunc(e->b, value, vsg_jit_float(e, (visage_type)to, count), "");
    else if (from != to)
        value = LLVMBuildFPExt(e->b, value, vsg_jit_float(e, (visage_type)to, count), "");
    write_bits(e, inst, value);
    return true;
}

/* A number is rounded once where it has no more bits than the float's, or LLVM converts it in
 * one step. */
static bool move_int_to_float(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;
    uint32_t bits;
    bool is_signed;

    if (!e->notes[e->place].is_plain_mode || inst->saturate ||
        (inst->dst.type != VISAGE_TYPE_F && inst->dst.type != VISAGE_TYPE_DF) ||
        !vsg_jit_values(inst, 1, &bits, &is_signed))
        return false;
    LLVMTypeRef type = vsg_jit_float(e, (visage_type)inst->dst.type, count);
    LLVMValueRef value = vsg_jit_read_int(e, &inst->src[0], count, bits);
    value = is_signed ? LLVMBuildSIToFP(e->b, value, type, "")
                      : LLVMBuildUIToFP(e->b, value, type, "");
    write_bits(e, inst, value);
    return true;
}

static bool move_predicate(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *source = &inst->src[0];
    LLVMValueRef slot = e->parts[e->num_general + source->index].slot;
    LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i32, slot, "");

    bits = LLVMBuildAnd(e->b, bits, vsg_jit_i32(e, vsg_exe_first(source->count)), "");
    vsg_jit_write_int(e, inst, &inst->dst, vsg_jit_splat(e, bits, inst->exec_size), 32, false);
    return true;
}

bool vsg_jit_lower_mov(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *source = &inst->src[0];

    if (inst->writes_mode || !vsg_jit_can_write(&inst->dst))
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
        return false;
    uint32_t bits = bits_of(&inst->dst);
    vsg_jit_write_int(e, inst, &inst->dst, vsg_jit_read_int(e, source, inst->exec_size, bits),
                      bits, false);
    return true;
}

/* ---- sel --------------------------------------------------------------------------------- */

static LLVMValueRef selected(vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t s)
{
    const vsg_exe_operand *source = &inst->src[s];

    if (inst->class_ == VSG_EXE_CLASS_INT)
        return vsg_jit_read_int(e, source, inst->exec_size, bits_of(&inst->dst));
    return vsg_jit_modify_float(e, source, vsg_jit_read(e, source, inst->exec_size),
                                inst->exec_size);
}

static bool is_selectable(const vsg_exe_inst *inst, uint32_t s)
{
    const vsg_exe_operand *source = &inst->src[s];

    if (!vsg_jit_has_values(source))
        return false;
    if (inst->class_ == VSG_EXE_CLASS_INT)
        return vsg_jit_is_integer(source->type) && vsg_jit_is_integer(inst->dst.type);
    return vsg_jit_is_float(source->type) && source->type == inst->dst.type;
}

bool vsg_jit_lower_sel(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;

    if (inst->saturate || !vsg_jit_can_write(&inst->dst) || !is_selectable(inst, 0) ||
        !is_selectable(inst, 1))
        return false;
    LLVMValueRef a = selected(e, inst, 0);
    LLVMValueRef b = selected(e, inst, 1);
    LLVMValueRef chosen = vsg_jit_lanes(e, vsg_jit_predicate(e, inst), count);
    LLVMValueRef value = chosen ? LLVMBuildSelect(e->b, chosen, a, b, "") : a;
    vsg_jit_write(e, &inst->dst, count, value, vsg_jit_enabled(e, inst));
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

    if (!vsg_jit_is_integer(inst->src[0].type) || !vsg_jit_is_integer(inst->src[1].type) ||
        !vsg_jit_values(inst, 2, &bits, &is_signed))
        return NULL;
    LLVMValueRef a = vsg_jit_read_int(e, &inst->src[0], inst->exec_size, bits);
    LLVMValueRef b = vsg_jit_read_int(e, &inst->src[1], inst->exec_size, bits);
    const LLVMIntPredicate *relations = is_signed ? of_signed : of_unsigned;
    return LLVMBuildICmp(e->b, relations[inst->control], a, b, "");
}

static LLVMValueRef compare_floats(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    visage_type type = inst->class_ == VSG_EXE_CLASS_DOUBLE ? VISAGE_TYPE_DF : VISAGE_TYPE_F;

    if (!vsg_jit_is_float(inst->src[0].type) || !vsg_jit_is_float(inst->src[1].type) ||
        !e->notes[e->place].is_plain_mode)
        return NULL;
    LLVMValueRef a = vsg_jit_read_float(e, &inst->src[0], inst->exec_size, type);
    LLVMValueRef b = vsg_jit_read_float(e, &inst->src[1], inst->exec_size, type);
    return LLVMBuildFCmp(e->b, of_floats[inst->control], a, b, "");
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
                                vsg_jit_channels(e, inst));
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
                            vsg_jit_channels(e, inst));
    return true;
}
