/* SPDX-License-Identifier: MIT
 *
 * Rows that mostly are. Coordinates are clamped to a picture, which few channels need; numbers
 * are cut into the bits above and below a power of two, which rows that begin at a multiple of
 * their length do not cross; products of 64 bits are made of halves, and have the same upper
 * one for all channels. Whether it is so is known when the row begins; where it is not,
 * channels go to memory each for itself. */
#include "jit/lowering.h"
#include "jit/row_lanes.h"
#include "jit/rows.h"
#include "jit/sets.h"
#include "jit/settled.h"

/* ---- masks ------------------------------------------------------------------------------- */

static bool is_minus_one(const vsg_exe_operand *operand)
{
    uint64_t all = operand->bytes < 8 ? (UINT64_C(1) << 8 * operand->bytes) - 1 : UINT64_MAX;

    return operand->kind == VSG_EXE_OPERAND_IMMEDIATE && operand->count == 1 &&
           operand->modifier == VSG_OBJ_MOD_NONE && (operand->elements[0] & all) == all;
}

/* What a scalar is, if a power of two went into it. */
static vsg_jit_mask mask_of(const vsg_exe_inst *inst)
{
    bool has_source = inst->num_sources > 0 && !inst->predicate_mode && !inst->saturate;

    if (!has_source || !vsg_jit_is_integer(inst->src[0].type))
        return VSG_JIT_MASK_OTHER;
    if (inst->op == VISAGE_OP_MOV && inst->src[0].modifier == VSG_OBJ_MOD_NEG)
        return VSG_JIT_MASK_HIGH;
    if (inst->op == VISAGE_OP_ADD && is_minus_one(&inst->src[1]))
        return VSG_JIT_MASK_LOW;
    return VSG_JIT_MASK_OTHER;
}

typedef struct finder {
    vsg_jit_emitter *e;
    vsg_jit_mask mask;
} finder;

static void note_part(void *user, const vsg_jit_access *access, uint32_t part, bool covers)
{
    const finder *f = user;

    (void)covers;
    if (!access->is_written || part >= f->e->num_general)
        return;
    uint8_t *known = &f->e->rows[part].mask;
    *known = *known == VSG_JIT_MASK_UNSEEN || *known == f->mask ? (uint8_t)f->mask
                                                                : VSG_JIT_MASK_OTHER;
}

void vsg_jit_find_masks(vsg_jit_emitter *e)
{
    for (uint32_t i = 0; i < e->unit->num_code; i++) {
        finder f = {e, mask_of(&e->unit->code[i])};
        vsg_jit_parts_at(e, i, note_part, &f);
    }
}

/* ---- steps ------------------------------------------------------------------------------- */

/* The bits in which the lanes of a row differ if its first one has none of them. */
static uint64_t lane_bits(int64_t step, uint32_t chunk)
{
    return ((uint64_t)chunk - 1) * (uint64_t)step;
}

static bool is_power(int64_t step)
{
    return step > 0 && (step & (step - 1)) == 0;
}

static vsg_jit_mask kind_of_mask(const vsg_jit_emitter *e, const vsg_exe_operand *mask,
                                 uint64_t lanes)
{
    if (mask->kind == VSG_EXE_OPERAND_IMMEDIATE) {
        uint64_t kept = mask->elements[0] & lanes;
        return kept == lanes ? VSG_JIT_MASK_LOW
               : kept == 0   ? VSG_JIT_MASK_HIGH
                             : VSG_JIT_MASK_OTHER;
    }
    if (mask->kind != VSG_EXE_OPERAND_REGION || mask->shape != VSG_EXE_SHAPE_SCALAR ||
        mask->shared || mask->is_null)
        return VSG_JIT_MASK_OTHER;
    uint32_t part = e->part_of[mask->offset];
    return part < e->num_general ? (vsg_jit_mask)e->rows[part].mask : VSG_JIT_MASK_OTHER;
}

static bool is_signed(const vsg_exe_operand *operand)
{
    return vsg_isa_type((visage_type)operand->type)->kind == VSG_ISA_KIND_SIGNED;
}

/* Is what is made of a row one number? */
static bool makes_one(const vsg_exe_inst *inst)
{
    return inst->op == VISAGE_OP_SHR || inst->op == VISAGE_OP_ASR || inst->op == VISAGE_OP_MULH;
}

/* By a constant, of all bits of a number. */
static bool can_guess_shift(const vsg_exe_inst *inst)
{
    const vsg_exe_operand *by = &inst->src[1];

    return by->kind == VSG_EXE_OPERAND_IMMEDIATE && by->count == 1 &&
           vsg_jit_immediate(by, 0) >= 0 && vsg_jit_immediate(by, 0) < 32 &&
           inst->dst.bytes == 4 && inst->src[0].bytes == 4 &&
           is_signed(&inst->src[0]) == (inst->op == VISAGE_OP_ASR);
}

static bool are_dwords(const vsg_exe_inst *inst)
{
    return inst->dst.bytes == 4 && inst->src[0].bytes == 4 && inst->src[1].bytes == 4;
}

bool vsg_jit_can_guess(const vsg_exe_inst *inst)
{
    const vsg_exe_operand *dst = &inst->dst, *in = inst->src;

    if (inst->num_sources != 2 || inst->saturate || dst->bytes > 4 ||
        !vsg_jit_is_integer(dst->type))
        return false;
    for (uint32_t s = 0; s < 2; s++)
        if (in[s].modifier != VSG_OBJ_MOD_NONE || in[s].bytes > 4 ||
            !vsg_jit_is_integer(in[s].type))
            return false;
    switch ((visage_op)inst->op) {
    case VISAGE_OP_AND:
        return true;
    case VISAGE_OP_MIN:
    case VISAGE_OP_MAX:
        return is_signed(&in[0]) == is_signed(&in[1]);
    case VISAGE_OP_SHR:
    case VISAGE_OP_ASR:
        return can_guess_shift(inst);
    case VISAGE_OP_MULH:
        return are_dwords(inst) && is_signed(&in[0]) == is_signed(&in[1]);
    default:
        return false;
    }
}

/* Is it the upper half of a product whose lower one is made just before? A division by a
 * constant takes the upper half alone, which is another one for each channel. */
static bool is_long_product(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_inst *before = inst - 1;

    return inst > e->unit->code && before->op == VISAGE_OP_MUL && before->num_sources == 2 &&
           vsg_jit_are_same(&before->src[0], &inst->src[0]) &&
           vsg_jit_are_same(&before->src[1], &inst->src[1]);
}

/* Of a row by a scalar: bits that all lanes have the same. */
static bool is_same_for_all(const vsg_jit_emitter *e, const vsg_exe_inst *inst,
                            const vsg_jit_guess *from)
{
    if (inst->op == VISAGE_OP_MULH)
        return is_long_product(e, inst);
    uint64_t step = from->step < 0 ? 0 - (uint64_t)from->step : (uint64_t)from->step;
    return from->source == 0 &&
           step < (UINT64_C(1) << vsg_jit_immediate(&inst->src[1], 0)) / (from->chunk - 1);
}

/* Can a row's lanes all be in its type? Steps are those of 64 bits. */
static bool is_within(const vsg_exe_operand *row, const vsg_jit_guess *from)
{
    int64_t length, most = INT64_C(1) << 8 * row->bytes;

    return !__builtin_mul_overflow(from->step, (int64_t)from->chunk - 1, &length) &&
           length < most && length > -most;
}

bool vsg_jit_guess_step(const vsg_jit_emitter *e, const vsg_exe_inst *inst,
                        const vsg_jit_guess *from, int64_t *step)
{
    const vsg_exe_operand *row = &inst->src[from->source], *other = &inst->src[!from->source];
    uint64_t lanes = lane_bits(from->step, from->chunk);

    *step = from->step;
    if (inst->op != VISAGE_OP_AND && !is_within(row, from))
        return false;
    if (makes_one(inst)) {
        *step = 0;
        return is_same_for_all(e, inst, from);
    }
    if (inst->op != VISAGE_OP_AND)
        return true;
    if (!is_power(from->step) || row->bytes != inst->dst.bytes || lanes >> 8 * row->bytes != 0)
        return false;
    vsg_jit_mask mask = kind_of_mask(e, other, lanes);
    if (mask == VSG_JIT_MASK_HIGH)
        *step = 0;
    return mask == VSG_JIT_MASK_HIGH || mask == VSG_JIT_MASK_LOW;
}

/* ---- what holds -------------------------------------------------------------------------- */

static LLVMValueRef has_bits(vsg_jit_emitter *e, LLVMValueRef value, uint64_t bits,
                             uint64_t want)
{
    LLVMValueRef all = LLVMBuildAnd(e->b, value, vsg_jit_i64(e, bits), "");

    return LLVMBuildICmp(e->b, LLVMIntEQ, all, vsg_jit_i64(e, want), "");
}

static LLVMValueRef is_at_most(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(e->b, LLVMIntSLE, a, b, "");
}

/* A row in 64 bits. */
typedef struct ends {
    LLVMValueRef last, least, most;
    LLVMValueRef in_type; /* i1: no lane wraps around */
} ends;

static ends find_ends(vsg_jit_emitter *e, const vsg_exe_operand *row, const vsg_jit_guess *from,
                      LLVMValueRef first)
{
    uint64_t length = (uint64_t)from->step * (from->chunk - 1);
    LLVMValueRef last = LLVMBuildAdd(e->b, first, vsg_jit_i64(e, length), "");
    LLVMValueRef least = from->step < 0 ? last : first, most = from->step < 0 ? first : last;
    uint64_t end = UINT64_C(1) << (8 * row->bytes - is_signed(row));
    LLVMValueRef good = is_at_most(e, vsg_jit_i64(e, is_signed(row) ? 0 - end : 0), least);

    good = LLVMBuildAnd(e->b, good, is_at_most(e, most, vsg_jit_i64(e, end - 1)), "");
    return (ends){last, least, most, good};
}

/* No lane is beyond the limit. */
static LLVMValueRef is_unclamped(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                 const vsg_jit_guess *from, const LLVMValueRef *in)
{
    ends row = find_ends(e, &inst->src[from->source], from, in[from->source]);
    LLVMValueRef limit = in[!from->source];
    LLVMValueRef good = inst->op == VISAGE_OP_MIN ? is_at_most(e, row.most, limit)
                                                  : is_at_most(e, limit, row.least);

    return LLVMBuildAnd(e->b, good, row.in_type, "");
}

/* What grows with its lanes, or falls, is one where the first and the last one are. */
static LLVMValueRef is_one(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                           const vsg_jit_guess *from, const LLVMValueRef *in)
{
    ends row = find_ends(e, &inst->src[from->source], from, in[from->source]);
    LLVMValueRef at_end[] = {in[0], in[1]};

    at_end[from->source] = row.last;
    LLVMValueRef same = LLVMBuildICmp(e->b, LLVMIntEQ, vsg_jit_guess_first(e, inst, in),
                                      vsg_jit_guess_first(e, inst, at_end), "");
    return LLVMBuildAnd(e->b, same, row.in_type, "");
}

LLVMValueRef vsg_jit_guess_holds(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                 const vsg_jit_guess *from, const LLVMValueRef *in)
{
    int64_t step;

    if (makes_one(inst))
        return is_one(e, inst, from, in);
    if (inst->op != VISAGE_OP_AND)
        return is_unclamped(e, inst, from, in);
    uint64_t lanes = lane_bits(from->step, from->chunk);
    bool keeps = vsg_jit_guess_step(e, inst, from, &step) && step != 0;
    return LLVMBuildAnd(e->b, has_bits(e, in[from->source], lanes, 0),
                        has_bits(e, in[!from->source], lanes, keeps ? lanes : 0), "");
}

LLVMValueRef vsg_jit_guess_first(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                 const LLVMValueRef *in)
{
    bool is_min = inst->op == VISAGE_OP_MIN;

    switch ((visage_op)inst->op) {
    case VISAGE_OP_AND:
        return LLVMBuildAnd(e->b, in[0], in[1], "");
    case VISAGE_OP_SHR:
        return LLVMBuildLShr(e->b, in[0], in[1], "");
    case VISAGE_OP_ASR:
        return LLVMBuildAShr(e->b, in[0], in[1], "");
    case VISAGE_OP_MULH:
        return LLVMBuildLShr(e->b, LLVMBuildMul(e->b, in[0], in[1], ""), vsg_jit_i64(e, 32),
                             "");
    default:
        return LLVMBuildSelect(
            e->b, LLVMBuildICmp(e->b, is_min ? LLVMIntSLT : LLVMIntSGT, in[0], in[1], ""),
            in[0], in[1], "");
    }
}
