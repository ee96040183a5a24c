/* SPDX-License-Identifier: MIT
 *
 * Which instructions have a quick handler, and the handlers for any host. */
#include "exec/quick.h"

#include "exec/convert.h"

#include "exec/quick_ops.h"

/* What a source may be for the low 32 bits of its value to be all that counts. */
typedef enum need {
    NEED_LOW,      /* any 32 bits */
    NEED_SIGNED,   /* the value as int32_t */
    NEED_UNSIGNED, /* the value as uint32_t */
    NEED_DWORD,    /* 32 bits that are the whole source */
    NEED_FLOAT     /* F */
} need;

/* ---- operands --------------------------------------------------------------------------- */

/* Integer immediates count by their value: it must be in the element as a number of 32 bits
 * already, extended from the immediate's own type. */
static bool fits_immediate(const vsg_exe_operand *operand, need wanted)
{
    uint32_t bits = operand->count == 1 ? (uint32_t)operand->elements[0] : 0;
    int64_t value;

    if (operand->count != 1)
        return false;
    switch ((visage_type)operand->type) {
    case VISAGE_TYPE_F:
        return wanted == NEED_FLOAT;
    case VISAGE_TYPE_D:
        value = (int32_t)bits;
        break;
    case VISAGE_TYPE_W:
        value = (int16_t)bits;
        break;
    case VISAGE_TYPE_B:
        value = (int8_t)bits;
        break;
    case VISAGE_TYPE_UD:
        value = bits;
        break;
    case VISAGE_TYPE_UW:
        value = (uint16_t)bits;
        break;
    case VISAGE_TYPE_UB:
        value = (uint8_t)bits;
        break;
    default:
        return false;
    }
    switch (wanted) {
    case NEED_LOW:
        return (uint32_t)value == bits;
    case NEED_SIGNED:
        return (int32_t)bits == value && operand->modifier == VSG_OBJ_MOD_NONE;
    case NEED_UNSIGNED:
        return bits == value && operand->modifier == VSG_OBJ_MOD_NONE;
    case NEED_DWORD:
        return operand->bytes == 4;
    case NEED_FLOAT:
        break;
    }
    return false;
}

static bool fits_region(const vsg_exe_operand *operand, need wanted)
{
    bool has_shape =
        operand->shape == VSG_EXE_SHAPE_SCALAR || operand->shape == VSG_EXE_SHAPE_CONTIGUOUS;
    bool is_plain = operand->modifier == VSG_OBJ_MOD_NONE;
    bool is_d = operand->type == VISAGE_TYPE_D;
    bool is_ud = operand->type == VISAGE_TYPE_UD;

    if (operand->is_null || !has_shape)
        return false;
    switch (wanted) {
    case NEED_LOW:
    case NEED_DWORD:
        return is_d || is_ud;
    case NEED_SIGNED:
        return is_d && is_plain;
    case NEED_UNSIGNED:
        return is_ud && is_plain;
    case NEED_FLOAT:
        return operand->type == VISAGE_TYPE_F;
    }
    return false;
}

static bool fits(const vsg_exe_operand *operand, need wanted)
{
    bool is_float = wanted == NEED_FLOAT;
    bool is_known = operand->modifier == VSG_OBJ_MOD_NONE ||
                    operand->modifier == VSG_OBJ_MOD_NEG ||
                    (is_float && operand->modifier == VSG_OBJ_MOD_ABS) ||
                    (is_float && operand->modifier == VSG_OBJ_MOD_NEG_ABS) ||
                    (!is_float && operand->modifier == VSG_OBJ_MOD_NOT);

    if (!is_known)
        return false;
    if (operand->kind == VSG_EXE_OPERAND_IMMEDIATE)
        return fits_immediate(operand, wanted);
    return operand->kind == VSG_EXE_OPERAND_REGION && fits_region(operand, wanted);
}

static bool all_fit(const vsg_exe_inst *inst, uint32_t count, need wanted)
{
    for (uint32_t i = 0; i < count; i++)
        if (!fits(&inst->src[i], wanted))
            return false;
    return true;
}

static bool fits_dst(const vsg_exe_inst *inst)
{
    const vsg_exe_operand *dst = &inst->dst;

    return dst->kind == VSG_EXE_OPERAND_REGION && !dst->is_null && dst->bytes == 4 &&
           !inst->saturate && (dst->shape == VSG_EXE_SHAPE_CONTIGUOUS || inst->exec_size == 1);
}

/* ---- operations ------------------------------------------------------------------------- */

/* The quick operations of an operation: on integers by their low bits, on values with and
 * without sign, and on floats. */
typedef struct choice {
    uint16_t op;     /* visage_op */
    uint8_t sources; /* number */
    uint8_t by_bits, by_signed, by_unsigned, by_float;
} choice;

#define NONE  VSG_EXE_QUICK_NONE
#define Q(id) VSG_EXE_QUICK_##id
static const choice choices[] = {
    {VISAGE_OP_MOV, 1, Q(MOV), NONE, NONE, Q(MOV_F)},
    {VISAGE_OP_SEL, 2, Q(SEL), NONE, NONE, Q(SEL_F)},
    {VISAGE_OP_ADD, 2, Q(ADD), NONE, NONE, Q(ADD_F)},
    {VISAGE_OP_ADD3, 3, Q(ADD3), NONE, NONE, NONE},
    {VISAGE_OP_MUL, 2, Q(MUL), NONE, NONE, Q(MUL_F)},
    {VISAGE_OP_MULH, 2, NONE, Q(MULH_D), Q(MULH_UD), NONE},
    {VISAGE_OP_MAD, 3, Q(MAD), NONE, NONE, Q(MAD_F)},
    {VISAGE_OP_AND, 2, Q(AND), NONE, NONE, NONE},
    {VISAGE_OP_OR, 2, Q(OR), NONE, NONE, NONE},
    {VISAGE_OP_XOR, 2, Q(XOR), NONE, NONE, NONE},
    {VISAGE_OP_NOT, 1, Q(NOT), NONE, NONE, NONE},
    {VISAGE_OP_BFN, 3, Q(BFN), NONE, NONE, NONE},
    {VISAGE_OP_SHL, 2, Q(SHL), NONE, NONE, NONE},
    {VISAGE_OP_MIN, 2, NONE, Q(MIN_D), Q(MIN_UD), Q(MIN_F)},
    {VISAGE_OP_MAX, 2, NONE, Q(MAX_D), Q(MAX_UD), Q(MAX_F)},
    {VISAGE_OP_CMP, 2, NONE, Q(CMP_D), Q(CMP_UD), Q(CMP_F)},
    {VISAGE_OP_EXP, 1, NONE, NONE, NONE, Q(EXP_F)},
    {VISAGE_OP_LOG, 1, NONE, NONE, NONE, Q(LOG_F)},
    {VISAGE_OP_POW, 2, NONE, NONE, NONE, Q(POW_F)},
    {VISAGE_OP_INV, 1, NONE, NONE, NONE, Q(INV_F)},
    {VISAGE_OP_SQRT, 1, NONE, NONE, NONE, Q(SQRT_F)},
    {VISAGE_OP_RSQRT, 1, NONE, NONE, NONE, Q(RSQRT_F)},
    {VISAGE_OP_SIN, 1, NONE, NONE, NONE, Q(SIN_F)},
    {VISAGE_OP_COS, 1, NONE, NONE, NONE, Q(COS_F)},
};
#undef Q

/* Right shifts need more of the number than of the count; an unsigned number has no sign to
 * repeat. */
static uint32_t quick_shift(const vsg_exe_inst *inst)
{
    const vsg_exe_operand *number = &inst->src[0];
    bool is_arithmetic = inst->op == VISAGE_OP_ASR;

    if (!fits(&inst->src[1], NEED_LOW))
        return NONE;
    if (is_arithmetic && fits(number, NEED_SIGNED))
        return VSG_EXE_QUICK_ASR;
    return fits(number, is_arithmetic ? NEED_UNSIGNED : NEED_DWORD) ? VSG_EXE_QUICK_SHR : NONE;
}

static uint32_t quick_int(const vsg_exe_inst *inst, const choice *found)
{
    if (found->by_bits != NONE && all_fit(inst, found->sources, NEED_LOW))
        return found->by_bits;
    if (found->by_signed != NONE && all_fit(inst, found->sources, NEED_SIGNED))
        return found->by_signed;
    if (found->by_unsigned != NONE && all_fit(inst, found->sources, NEED_UNSIGNED))
        return found->by_unsigned;
    return NONE;
}

/* ---- moves, and what has 64 bits -------------------------------------------------------- */

/* Elements that collect() finds, without modifiers. */
static bool is_collected(const vsg_exe_operand *operand)
{
    if (operand->modifier != VSG_OBJ_MOD_NONE)
        return false;
    if (operand->kind == VSG_EXE_OPERAND_IMMEDIATE)
        return operand->count == 1;
    return operand->kind == VSG_EXE_OPERAND_REGION && !operand->is_null &&
           operand->shape != VSG_EXE_SHAPE_ROWS;
}

static bool is_spread(const vsg_exe_inst *inst)
{
    const vsg_exe_operand *dst = &inst->dst;
    bool has_shape = inst->exec_size == 1 || dst->shape == VSG_EXE_SHAPE_CONTIGUOUS ||
                     dst->shape == VSG_EXE_SHAPE_STRIDED;

    return dst->kind == VSG_EXE_OPERAND_REGION && !dst->is_null && !inst->saturate && has_shape;
}

/* By the bytes of an element. */
static uint32_t move_of_bytes(uint32_t bytes)
{
    return bytes == 1   ? VSG_EXE_QUICK_MOVE_1
           : bytes == 2 ? VSG_EXE_QUICK_MOVE_2
           : bytes == 4 ? VSG_EXE_QUICK_MOVE_4
                        : VSG_EXE_QUICK_MOVE_8;
}

static uint32_t quick_move(const vsg_exe_inst *inst)
{
    static const struct {
        uint8_t from, to, quick;
    } conversions[] = {
        {VISAGE_TYPE_F, VISAGE_TYPE_D, VSG_EXE_QUICK_MOVE_F_D},
        {VISAGE_TYPE_F, VISAGE_TYPE_UD, VSG_EXE_QUICK_MOVE_F_UD},
        {VISAGE_TYPE_D, VISAGE_TYPE_F, VSG_EXE_QUICK_MOVE_D_F},
        {VISAGE_TYPE_UD, VISAGE_TYPE_F, VSG_EXE_QUICK_MOVE_UD_F},
        {VISAGE_TYPE_B, VISAGE_TYPE_D, VSG_EXE_QUICK_MOVE_B_D},
        {VISAGE_TYPE_UB, VISAGE_TYPE_D, VSG_EXE_QUICK_MOVE_UB_D},
        {VISAGE_TYPE_W, VISAGE_TYPE_D, VSG_EXE_QUICK_MOVE_W_D},
        {VISAGE_TYPE_UW, VISAGE_TYPE_D, VSG_EXE_QUICK_MOVE_UW_D},
        {VISAGE_TYPE_B, VISAGE_TYPE_UD, VSG_EXE_QUICK_MOVE_B_D},
        {VISAGE_TYPE_UB, VISAGE_TYPE_UD, VSG_EXE_QUICK_MOVE_UB_D},
        {VISAGE_TYPE_W, VISAGE_TYPE_UD, VSG_EXE_QUICK_MOVE_W_D},
        {VISAGE_TYPE_UW, VISAGE_TYPE_UD, VSG_EXE_QUICK_MOVE_UW_D},
        {VISAGE_TYPE_B, VISAGE_TYPE_Q, VSG_EXE_QUICK_MOVE_B_Q},
        {VISAGE_TYPE_D, VISAGE_TYPE_Q, VSG_EXE_QUICK_MOVE_D_Q},
        {VISAGE_TYPE_UD, VISAGE_TYPE_Q, VSG_EXE_QUICK_MOVE_UD_Q},
        {VISAGE_TYPE_B, VISAGE_TYPE_UQ, VSG_EXE_QUICK_MOVE_B_Q},
        {VISAGE_TYPE_D, VISAGE_TYPE_UQ, VSG_EXE_QUICK_MOVE_D_Q},
        {VISAGE_TYPE_UD, VISAGE_TYPE_UQ, VSG_EXE_QUICK_MOVE_UD_Q},
    };
    const vsg_exe_operand *source = &inst->src[0];
    const vsg_exe_operand *dst = &inst->dst;

    if (!is_spread(inst) || !is_collected(source))
        return NONE;
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
        if (conversions[i].from == source->type && conversions[i].to == dst->type)
            return conversions[i].quick;
    bool both_ints = vsg_exe_is_integer((visage_type)source->type) &&
                     vsg_exe_is_integer((visage_type)dst->type);
    if (source->type == dst->type || (both_ints && source->bytes >= dst->bytes))
        return move_of_bytes(dst->bytes);
    return NONE;
}

static bool is_wide(const vsg_exe_operand *operand)
{
    return is_collected(operand) &&
           (operand->type == VISAGE_TYPE_Q || operand->type == VISAGE_TYPE_UQ ||
            operand->type == VISAGE_TYPE_D || operand->type == VISAGE_TYPE_UD);
}

static uint32_t quick_qword(const vsg_exe_inst *inst)
{
    bool fits = is_spread(inst) &&
                (inst->dst.type == VISAGE_TYPE_Q || inst->dst.type == VISAGE_TYPE_UQ) &&
                is_wide(&inst->src[0]) && is_wide(&inst->src[1]);

    return !fits ? NONE : inst->op == VISAGE_OP_ADD ? VSG_EXE_QUICK_ADD_Q : VSG_EXE_QUICK_SHL_Q;
}

/* ---- choosing --------------------------------------------------------------------------- */

static uint32_t quick_dword(const vsg_exe_inst *inst)
{
    bool to_float = inst->dst.type == VISAGE_TYPE_F;
    bool is_int = inst->class_ == VSG_EXE_CLASS_INT;
    bool is_cmp = inst->op == VISAGE_OP_CMP;
    uint32_t quick = NONE;

    /* A comparison is quick into a predicate only; all else computes in its destination's
     * class. */
    if (is_cmp ? inst->dst.kind != VSG_EXE_OPERAND_PREDICATE
               : !fits_dst(inst) || to_float == is_int)
        return NONE;
    if (inst->op == VISAGE_OP_SHR || inst->op == VISAGE_OP_ASR)
        return quick_shift(inst);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const choice *found = &choices[i];
        if (found->op != inst->op)
            continue;
        if (is_int)
            quick = quick_int(inst, found);
        else if (found->by_float != NONE && all_fit(inst, found->sources, NEED_FLOAT))
            quick = found->by_float;
    }
    return is_cmp && quick != NONE ? quick + inst->control : quick;
}

static uint32_t quick_op(const vsg_exe_inst *inst)
{
    uint32_t quick = quick_dword(inst);

    if (quick == NONE && inst->op == VISAGE_OP_MOV)
        return quick_move(inst);
    if (quick == NONE && (inst->op == VISAGE_OP_ADD || inst->op == VISAGE_OP_SHL))
        return quick_qword(inst);
    return quick;
}
#undef NONE

vsg_exe_handler vsg_exe_quick_of(const vsg_exe_inst *inst, const vsg_exe_quick_table *table)
{
    static const int8_t place_of_size[VSG_EXE_MAX_CHANNELS + 1] = {
        [1] = 1, [8] = 2, [16] = 3, [32] = 4};
    int place = place_of_size[inst->exec_size] - 1;
    uint32_t quick = place < 0 ? VSG_EXE_QUICK_NONE : quick_op(inst);

    return quick < VSG_EXE_QUICK_COUNT ? (*table)[quick][place] : NULL;
}

const vsg_exe_quick_table *vsg_exe_quick_base(void)
{
    return &quick_table;
}

const vsg_exe_quick_table *vsg_exe_quick_best(void)
{
#if defined(__x86_64__)
    const vsg_exe_quick_table *v3 = vsg_exe_quick_v3();
    if (v3 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return v3;
#endif
    return vsg_exe_quick_base();
}

vsg_exe_handler vsg_exe_quick(const vsg_exe_inst *inst)
{
    return vsg_exe_quick_of(inst, vsg_exe_quick_best());
}
