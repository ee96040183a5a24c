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

/* Zeros in front of ones, or the other way round; zeros alone are of the latter. */
static vsg_jit_mask mask_of_number(int64_t number)
{
    uint64_t ones = (uint64_t)number;

    if (ones != 0 && (ones & (ones + 1)) == 0)
        return VSG_JIT_MASK_LOW;
    return (~ones & (~ones + 1)) == 0 ? VSG_JIT_MASK_HIGH : VSG_JIT_MASK_OTHER;
}

/* What a scalar is, if a power of two went into it. */
static vsg_jit_mask mask_of(const vsg_exe_inst *inst)
{
    bool has_source = inst->num_sources > 0 && !inst->predicate_mode && !inst->saturate;

    if (!has_source || !vsg_jit_is_integer(inst->src[0].type))
        return VSG_JIT_MASK_OTHER;
    if (inst->op == VISAGE_OP_MOV && inst->src[0].kind == VSG_EXE_OPERAND_IMMEDIATE &&
        inst->src[0].count == 1 && inst->src[0].modifier == VSG_OBJ_MOD_NONE)
        return mask_of_number(vsg_jit_immediate(&inst->src[0], 0));
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

static bool is_logic(const vsg_exe_inst *inst)
{
    return vsg_jit_table_of(inst) != VSG_JIT_NO_TABLE;
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
           vsg_jit_is_signed(&inst->src[0]) == (inst->op == VISAGE_OP_ASR);
}

static bool are_dwords(const vsg_exe_inst *inst)
{
    return inst->dst.bytes == 4 && inst->src[0].bytes == 4 && inst->src[1].bytes == 4;
}

bool vsg_jit_can_guess(const vsg_exe_inst *inst)
{
    const vsg_exe_operand *dst = &inst->dst, *in = inst->src;

    if (inst->num_sources < 2 || inst->saturate || dst->bytes > 4 ||
        !vsg_jit_is_integer(dst->type))
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (in[s].modifier != VSG_OBJ_MOD_NONE || in[s].bytes > 4 ||
            !vsg_jit_is_integer(in[s].type))
            return false;
    if (is_logic(inst))
        return true;
    switch ((visage_op)inst->op) {
    case VISAGE_OP_MIN:
    case VISAGE_OP_MAX:
        return vsg_jit_is_signed(&in[0]) == vsg_jit_is_signed(&in[1]);
    case VISAGE_OP_SHR:
    case VISAGE_OP_ASR:
        return can_guess_shift(inst);
    case VISAGE_OP_MULH:
        return are_dwords(inst) && vsg_jit_is_signed(&in[0]) == vsg_jit_is_signed(&in[1]);
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

/* What is left in the result of the bits in which a row's lanes differ. */
typedef enum left { LEFT_ROW, LEFT_SAME, LEFT_OTHER } left;

/* The next choice of some rows; false: that was the last one. */
static bool next_of(uint32_t rows, uint32_t *some)
{
    *some = (*some - rows) & rows;
    return *some != 0;
}

/* Whatever bits other rows have there. uniform: that have ones there, of all others. */
static left left_of(uint32_t table, uint32_t uniform, uint32_t rows, uint32_t source)
{
    uint32_t own = 1u << source, some = 0;
    bool is_row = true, is_same = true;

    do {
        bool with = table >> (uniform | some | own) & 1,
             without = table >> (uniform | some) & 1;
        is_row = is_row && with && !without;
        is_same = is_same && with == without;
    } while (next_of(rows & ~own, &some));
    return is_row ? LEFT_ROW : is_same ? LEFT_SAME : LEFT_OTHER;
}

static uint32_t rows_in(const vsg_exe_inst *inst, const vsg_jit_guess *from)
{
    uint32_t rows = 0;

    for (uint32_t s = 0; s < inst->num_sources; s++)
        rows |= (uint32_t)(from->steps[s] != 0) << s;
    return rows;
}

/* Which uniform sources mostly have ones where rows' lanes differ. False: who knows. What is
 * not known to have any has none, but where all would be lost by that. */
static bool find_uniform(const vsg_jit_emitter *e, const vsg_exe_inst *inst,
                         const vsg_jit_guess *from, uint32_t *ones)
{
    uint64_t lanes = 0;

    *ones = 0;
    for (uint32_t s = 0; s < inst->num_sources; s++) {
        uint64_t own = lane_bits(from->steps[s], from->chunk);
        if (from->steps[s] == 0)
            continue;
        if (!is_power(from->steps[s]) || inst->src[s].bytes != inst->dst.bytes ||
            own >> 8 * inst->dst.bytes != 0)
            return false;
        lanes |= own;
    }
    for (uint32_t s = 0; s < inst->num_sources; s++) {
        if (from->steps[s] != 0)
            continue;
        vsg_jit_mask mask = kind_of_mask(e, &inst->src[s], lanes);
        if (mask == VSG_JIT_MASK_OTHER &&
            (inst->src[s].kind == VSG_EXE_OPERAND_IMMEDIATE || inst->op == VISAGE_OP_AND))
            return false;
        *ones |= (uint32_t)(mask == VSG_JIT_MASK_LOW) << s;
    }
    return true;
}

static bool guess_logic(const vsg_jit_emitter *e, const vsg_exe_inst *inst,
                        const vsg_jit_guess *from, int64_t *step)
{
    uint32_t rows = rows_in(inst, from), count = 0, uniform;

    *step = 0;
    if (!find_uniform(e, inst, from, &uniform))
        return false;
    for (uint32_t s = 0; s < inst->num_sources; s++) {
        left is = rows >> s & 1 ? left_of(vsg_jit_table_of(inst), uniform, rows, s) : LEFT_SAME;
        if (is == LEFT_OTHER)
            return false;
        if (is == LEFT_ROW) {
            *step = from->steps[s];
            count++;
        }
    }
    return count < 2;
}

bool vsg_jit_guess_step(const vsg_jit_emitter *e, const vsg_exe_inst *inst,
                        const vsg_jit_guess *from, int64_t *step)
{
    if (is_logic(inst))
        return guess_logic(e, inst, from, step);
    *step = makes_one(inst) ? 0 : from->step;
    return is_within(&inst->src[from->source], from) &&
           (!makes_one(inst) || is_same_for_all(e, inst, from));
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

vsg_jit_ends vsg_jit_find_ends(vsg_jit_emitter *e, LLVMValueRef first, int64_t step,
                               uint32_t chunk)
{
    uint64_t length = (uint64_t)step * (chunk - 1);
    LLVMValueRef last = LLVMBuildAdd(e->b, first, vsg_jit_i64(e, length), "");

    return (vsg_jit_ends){last, step < 0 ? last : first, step < 0 ? first : last};
}

LLVMValueRef vsg_jit_lies_within(vsg_jit_emitter *e, const vsg_jit_ends *row, int64_t low,
                                 int64_t high)
{
    LLVMValueRef good = is_at_most(e, vsg_jit_i64(e, (uint64_t)low), row->least);

    return LLVMBuildAnd(e->b, good, is_at_most(e, row->most, vsg_jit_i64(e, (uint64_t)high)),
                        "");
}

/* Does no lane wrap around? */
static LLVMValueRef is_in_type(vsg_jit_emitter *e, const vsg_exe_operand *operand,
                               const vsg_jit_ends *row)
{
    bool is_signed = vsg_jit_is_signed(operand);
    int64_t end = INT64_C(1) << (8 * operand->bytes - is_signed);

    return vsg_jit_lies_within(e, row, is_signed ? -end : 0, end - 1);
}

/* No lane is beyond the limit. */
static LLVMValueRef is_unclamped(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                 const vsg_jit_guess *from, const LLVMValueRef *in)
{
    vsg_jit_ends row = vsg_jit_find_ends(e, in[from->source], from->step, from->chunk);
    LLVMValueRef limit = in[!from->source];
    LLVMValueRef good = inst->op == VISAGE_OP_MIN ? is_at_most(e, row.most, limit)
                                                  : is_at_most(e, limit, row.least);

    return LLVMBuildAnd(e->b, good, is_in_type(e, &inst->src[from->source], &row), "");
}

/* What grows with its lanes, or falls, is one where the first and the last one are. */
static LLVMValueRef is_one(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                           const vsg_jit_guess *from, const LLVMValueRef *in)
{
    vsg_jit_ends row = vsg_jit_find_ends(e, in[from->source], from->step, from->chunk);
    LLVMValueRef at_end[] = {in[0], in[1]};

    at_end[from->source] = row.last;
    LLVMValueRef same = LLVMBuildICmp(e->b, LLVMIntEQ, vsg_jit_guess_first(e, inst, in),
                                      vsg_jit_guess_first(e, inst, at_end), "");
    return LLVMBuildAnd(e->b, same, is_in_type(e, &inst->src[from->source], &row), "");
}

static LLVMValueRef by_table(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                             const LLVMValueRef *in)
{
    LLVMValueRef all[] = {in[0], in[1], inst->num_sources > 2 ? in[2] : vsg_jit_i64(e, 0)};

    return vsg_jit_by_table(e, vsg_jit_table_of(inst), all);
}

/* Is left of a row's bits what was guessed, whatever the others have there? */
static LLVMValueRef leaves(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                           const vsg_jit_guess *from, const LLVMValueRef *in, uint32_t source)
{
    const LLVMValueRef sides[] = {vsg_jit_i64(e, 0), vsg_jit_i64(e, UINT64_MAX)};
    uint64_t lanes = lane_bits(from->steps[source], from->chunk);
    uint32_t rows = rows_in(inst, from), some = 0, uniform = 0;

    (void)find_uniform(e, inst, from, &uniform);
    bool is_row = left_of(vsg_jit_table_of(inst), uniform, rows, source) == LEFT_ROW;
    LLVMValueRef good = has_bits(e, in[source], lanes, 0);
    do {
        LLVMValueRef other[VSG_EXE_MAX_SOURCES] = {NULL};
        for (uint32_t s = 0; s < inst->num_sources; s++)
            other[s] = rows >> s & 1 ? sides[some >> s & 1] : in[s];
        LLVMValueRef without = by_table(e, inst, other);
        other[source] = sides[1];
        LLVMValueRef changed = LLVMBuildXor(e->b, by_table(e, inst, other), without, "");
        good = LLVMBuildAnd(e->b, good, has_bits(e, changed, lanes, is_row ? lanes : 0), "");
        if (is_row)
            good = LLVMBuildAnd(e->b, good, has_bits(e, without, lanes, 0), "");
    } while (next_of(rows & ~(1u << source), &some));
    return good;
}

static LLVMValueRef keeps_bits(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                               const vsg_jit_guess *from, const LLVMValueRef *in)
{
    LLVMValueRef good = NULL;

    for (uint32_t s = 0; s < inst->num_sources; s++)
        if (from->steps[s] != 0)
            good = vsg_jit_both(e, good, leaves(e, inst, from, in, s));
    return good;
}

LLVMValueRef vsg_jit_guess_holds(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                 const vsg_jit_guess *from, const LLVMValueRef *in)
{
    if (is_logic(inst))
        return keeps_bits(e, inst, from, in);
    return makes_one(inst) ? is_one(e, inst, from, in) : is_unclamped(e, inst, from, in);
}

LLVMValueRef vsg_jit_guess_first(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                 const LLVMValueRef *in)
{
    bool is_min = inst->op == VISAGE_OP_MIN;

    if (is_logic(inst))
        return by_table(e, inst, in);
    switch ((visage_op)inst->op) {
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
