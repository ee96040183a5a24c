/* SPDX-License-Identifier: MIT
 *
 * Logic, shifts, rotations, fields and counts of bits (exec_logic.c says what they mean). */
#include "exec/operand.h"
#include "jit/lowering.h"

/* ---- predicates -------------------------------------------------------------------------- */

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
    vsg_jit_write_predicate(e, inst, &inst->dst, value, vsg_jit_written(e, inst));
    return true;
}

/* ---- shifts ------------------------------------------------------------------------------ */

/* `count` times a number of `bits`. */
static LLVMValueRef numbers(vsg_jit_emitter *e, uint64_t value, uint32_t bits, uint32_t count)
{
    return vsg_jit_splat(e, LLVMConstInt(vsg_jit_int(e, bits, 1), value, false), count);
}

/* As many bits of the count matter as exec_logic.c says. */
static LLVMValueRef shift_count(vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t bits)
{
    uint32_t count = inst->exec_size;
    uint32_t most = inst->src[0].bytes == 8 || inst->dst.bytes == 8 ? 63 : 31;
    LLVMValueRef by = vsg_jit_read_int(e, &inst->src[1], count, bits);

    return LLVMBuildAnd(e->b, by, numbers(e, most, bits, count), "");
}

/* Repeats signs, of exact values. */
static bool lower_arithmetic(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *source = &inst->src[0];
    bool is_plain = source->modifier == VSG_OBJ_MOD_NONE;
    uint32_t bits = source->bytes == 8 || inst->dst.bytes == 8 ? 64 : 32;

    if (source->bytes == 8 && !is_plain)
        bits = 128;
    else if (source->bytes == 4 && !is_plain)
        bits = 64;
    LLVMValueRef a = vsg_jit_read_int(e, source, inst->exec_size, bits);
    LLVMValueRef value = LLVMBuildAShr(e->b, a, shift_count(e, inst, bits), "");
    vsg_jit_write_int(e, inst, &inst->dst, value, bits, true);
    return true;
}

static bool lower_shift(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *source = &inst->src[0];
    uint32_t count = inst->exec_size, own = 8u * source->bytes;
    uint32_t bits = source->bytes == 8 || inst->dst.bytes == 8 ? 64 : 32;
    bool is_plain = source->modifier == VSG_OBJ_MOD_NONE;
    LLVMValueRef a, value;

    if (inst->op == VISAGE_OP_ASR && (vsg_jit_is_signed(source) || !is_plain) &&
        !(source->type == VISAGE_TYPE_UQ && is_plain))
        return lower_arithmetic(e, inst);
    if (inst->op == VISAGE_OP_SHL) {
        a = vsg_jit_read_int(e, source, count, bits);
        value = LLVMBuildShl(e->b, a, shift_count(e, inst, bits), "");
    } else {
        a = vsg_jit_extend(e, vsg_jit_read_int(e, source, count, own), own, bits, count, false);
        value = LLVMBuildLShr(e->b, a, shift_count(e, inst, bits), "");
    }
    vsg_jit_write_int(e, inst, &inst->dst, value, bits, false);
    return true;
}

/* Shifted by up to 63 bits in a number that has room for them. */
static bool lower_saturated_shift(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;
    uint32_t bits = inst->src[0].bytes == 8 || inst->dst.bytes == 8 ? 256 : 128;

    if (inst->op != VISAGE_OP_SHL || !vsg_jit_from_integers(inst))
        return false;
    LLVMValueRef a = vsg_jit_read_int(e, &inst->src[0], count, bits);
    LLVMValueRef value = LLVMBuildShl(e->b, a, shift_count(e, inst, bits), "");
    value = vsg_jit_clamp(e, value, bits, (visage_type)inst->dst.type, count);
    vsg_jit_write_int(e, inst, &inst->dst, value, bits, true);
    return true;
}

/* By two shifts, for hosts that do not rotate, and a choice for a count of 0. LLVM makes such
 * shifts of its own rotations; where it finds late that the count is 0, it takes the second one
 * for a shift by all bits, whose result is anything. The same without the choice. */
static LLVMValueRef rotate_by_shifts(vsg_jit_emitter *e, const LLVMValueRef in[3], bool up,
                                     uint32_t bits, uint32_t count)
{
    LLVMTypeRef type = vsg_jit_int(e, bits, 1);
    LLVMValueRef one = vsg_jit_splat(e, LLVMConstInt(type, 1, false), count);
    LLVMValueRef last = vsg_jit_splat(e, LLVMConstInt(type, bits - 1, false), count);
    LLVMValueRef left = LLVMBuildSub(e->b, last, in[2], "");
    LLVMValueRef high = LLVMBuildShl(e->b, in[0], up ? in[2] : one, "");
    LLVMValueRef low = LLVMBuildLShr(e->b, in[0], up ? one : in[2], "");

    if (up)
        low = LLVMBuildLShr(e->b, low, left, "");
    else
        high = LLVMBuildShl(e->b, high, left, "");
    LLVMValueRef stays =
        LLVMBuildICmp(e->b, LLVMIntEQ, in[2], LLVMConstNull(LLVMTypeOf(in[2])), "");
    return LLVMBuildSelect(e->b, stays, in[0], LLVMBuildOr(e->b, high, low, ""), "");
}

bool vsg_jit_lower_rotate(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t bits = 8u * inst->src[0].bytes, count = inst->exec_size;
    LLVMTypeRef type = vsg_jit_int(e, bits, 1);
    LLVMValueRef last = vsg_jit_splat(e, LLVMConstInt(type, bits - 1, false), count), in[3];
    bool up = inst->op == VISAGE_OP_ROL;

    if (!vsg_jit_all_integers(inst))
        return false;
    in[0] = in[1] = vsg_jit_read_int(e, &inst->src[0], count, bits);
    in[2] = LLVMBuildAnd(e->b, vsg_jit_read_int(e, &inst->src[1], count, bits), last, "");
    bool rotates = LLVMIsConstant(in[2]) || (vsg_jit_has_avx512(e) && bits >= 32);
    LLVMValueRef value =
        rotates ? vsg_jit_intrinsic(e, up ? "llvm.fshl" : "llvm.fshr", LLVMTypeOf(in[0]), in, 3)
                : rotate_by_shifts(e, in, up, bits, count);
    vsg_jit_write_int(e, inst, &inst->dst, value, bits, false);
    return true;
}

/* ---- logic ------------------------------------------------------------------------------- */

bool vsg_jit_lower_logic(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    if (inst->dst.kind == VSG_EXE_OPERAND_PREDICATE)
        return lower_predicates(e, inst);
    if (inst->saturate)
        return lower_saturated_shift(e, inst);
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

/* What a table of four bits has for two values, the first one's the lower of an index. */
static LLVMValueRef of_two(vsg_jit_emitter *e, uint32_t table, LLVMValueRef x, LLVMValueRef y)
{
    enum { ALL = 0xf, X = 0xa, Y = 0xc };

    if (table & 1) /* one of both zeros: the others' complement */
        return LLVMBuildNot(e->b, of_two(e, table ^ ALL, x, y), "");
    switch (table) {
    case 0:
        return LLVMConstNull(LLVMTypeOf(x));
    case X:
        return x;
    case Y:
        return y;
    case X &Y:
        return LLVMBuildAnd(e->b, x, y, "");
    case X | Y:
        return LLVMBuildOr(e->b, x, y, "");
    case X ^ Y:
        return LLVMBuildXor(e->b, x, y, "");
    case X & ~Y:
        return LLVMBuildAnd(e->b, x, LLVMBuildNot(e->b, y, ""), "");
    default:
        return LLVMBuildAnd(e->b, LLVMBuildNot(e->b, x, ""), y, "");
    }
}

/* A table of three values as two of the others, for the bits that source `s` has not, and for
 * what changes where it has them. */
typedef struct halves {
    uint32_t without, changes;
} halves;

static halves halve(uint32_t table, uint32_t s)
{
    uint32_t at[2] = {0, 0}, parts[2] = {0, 0};

    for (uint32_t n = 0; n < 8; n++) {
        uint32_t has = n >> s & 1;
        parts[has] |= (table >> n & 1) << at[has]++;
    }
    return (halves){parts[0], parts[0] ^ parts[1]};
}

/* Operations that a table of four bits takes. */
static uint32_t cost_of(uint32_t table)
{
    static const uint8_t costs[] = {0, 2, 2, 1, 2, 1, 1, 2, 1, 2, 0, 2, 0, 2, 1, 0};

    return costs[table];
}

uint32_t vsg_jit_table_of(const vsg_exe_inst *inst)
{
    switch ((visage_op)inst->op) {
    case VISAGE_OP_AND:
        return VSG_JIT_TABLE_AND;
    case VISAGE_OP_OR:
        return VSG_JIT_TABLE_OR;
    case VISAGE_OP_XOR:
        return VSG_JIT_TABLE_XOR;
    case VISAGE_OP_BFN:
        return inst->control & 0xff;
    default:
        return VSG_JIT_NO_TABLE;
    }
}

/* No value is used twice but for the sources: what LLVM or logic.c then join is a tree. */
LLVMValueRef vsg_jit_by_table(vsg_jit_emitter *e, uint32_t table, const LLVMValueRef in[3])
{
    uint32_t best = 0, least = UINT32_MAX;

    for (uint32_t s = 0; s < 3; s++) {
        halves h = halve(table, s);
        uint32_t cost = cost_of(h.without) + cost_of(h.changes);
        if (cost < least) {
            least = cost;
            best = s;
        }
    }
    halves h = halve(table, best);
    LLVMValueRef x = in[best == 0], y = in[best == 2 ? 1 : 2];
    LLVMValueRef changes = LLVMBuildAnd(e->b, in[best], of_two(e, h.changes, x, y), "");
    return LLVMBuildXor(e->b, of_two(e, h.without, x, y), changes, "");
}

bool vsg_jit_lower_bfn(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t bits = 8u * inst->dst.bytes;
    LLVMValueRef in[3] = {NULL, NULL, NULL};

    if (!vsg_jit_all_integers(inst))
        return false;
    for (uint32_t s = 0; s < 3; s++)
        in[s] = vsg_jit_read_int(e, &inst->src[s], inst->exec_size, bits);
    vsg_jit_write_int(e, inst, &inst->dst, vsg_jit_by_table(e, vsg_jit_table_of(inst), in),
                      bits, false);
    return true;
}

/* ---- fields ------------------------------------------------------------------------------ */

/* Five bits of a source. */
static LLVMValueRef five_bits(vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t source)
{
    uint32_t count = inst->exec_size;
    LLVMValueRef value = vsg_jit_read_int(e, &inst->src[source], count, 32);

    return LLVMBuildAnd(e->b, value, numbers(e, 31, 32, count), "");
}

/* `width` ones. */
static LLVMValueRef ones(vsg_jit_emitter *e, LLVMValueRef width, uint32_t count)
{
    LLVMValueRef one = numbers(e, 1, 32, count);

    return LLVMBuildSub(e->b, LLVMBuildShl(e->b, one, width, ""), one, "");
}

bool vsg_jit_lower_extract(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;
    bool extends = inst->dst.type == VISAGE_TYPE_D;

    if (!vsg_jit_all_integers(inst))
        return false;
    LLVMValueRef width = five_bits(e, inst, 0);
    LLVMValueRef offset = five_bits(e, inst, 1);
    LLVMValueRef value = vsg_jit_read_int(e, &inst->src[2], count, 32);
    if (!extends) {
        value = LLVMBuildLShr(e->b, value, offset, "");
        value = LLVMBuildAnd(e->b, value, ones(e, width, count), "");
    } else { /* up against bit 31, and down again with its sign */
        LLVMValueRef zero = numbers(e, 0, 32, count);
        LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntEQ, width, zero, "");
        LLVMValueRef above = LLVMBuildSub(e->b, zero, width, "");
        above = LLVMBuildAnd(e->b, above, numbers(e, 31, 32, count), "");
        value = LLVMBuildAShr(e->b, value, offset, "");
        value = LLVMBuildAShr(e->b, LLVMBuildShl(e->b, value, above, ""), above, "");
        value = LLVMBuildSelect(e->b, none, zero, value, "");
    }
    vsg_jit_write_int(e, inst, &inst->dst, value, 32, extends);
    return true;
}

bool vsg_jit_lower_insert(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t count = inst->exec_size;

    if (!vsg_jit_all_integers(inst))
        return false;
    LLVMValueRef offset = five_bits(e, inst, 1);
    LLVMValueRef mask = LLVMBuildShl(e->b, ones(e, five_bits(e, inst, 0), count), offset, "");
    LLVMValueRef field = vsg_jit_read_int(e, &inst->src[2], count, 32);
    LLVMValueRef into = vsg_jit_read_int(e, &inst->src[3], count, 32);
    field = LLVMBuildAnd(e->b, LLVMBuildShl(e->b, field, offset, ""), mask, "");
    into = LLVMBuildAnd(e->b, into, LLVMBuildNot(e->b, mask, ""), "");
    vsg_jit_write_int(e, inst, &inst->dst, LLVMBuildOr(e->b, field, into, ""), 32, false);
    return true;
}

/* ---- counts ------------------------------------------------------------------------------ */

static LLVMValueRef count_zeros(vsg_jit_emitter *e, const char *name, LLVMValueRef value)
{
    LLVMValueRef in[] = {value, LLVMConstInt(e->i1, 0, false)}; /* zero has a count */

    return vsg_jit_intrinsic(e, name, LLVMTypeOf(value), in, 2);
}

/* FBH and FBL of zero are all ones. */
static LLVMValueRef find_first(vsg_jit_emitter *e, const char *name, LLVMValueRef value)
{
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value));
    LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntEQ, value, zero, "");

    return LLVMBuildSelect(e->b, none, LLVMConstNot(zero), count_zeros(e, name, value), "");
}

bool vsg_jit_lower_count(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    const vsg_exe_operand *source = &inst->src[0];
    uint32_t count = inst->exec_size;
    uint32_t bits = inst->op == VISAGE_OP_CBIT ? 8u * source->bytes : 32;
    bool extends = inst->op == VISAGE_OP_FBH || inst->op == VISAGE_OP_FBL;

    if (!vsg_jit_all_integers(inst))
        return false;
    LLVMValueRef value = vsg_jit_read_int(e, source, count, bits);
    if (inst->op == VISAGE_OP_FBH && vsg_jit_is_signed(source)) {
        LLVMValueRef sign = LLVMBuildAShr(e->b, value, numbers(e, 31, 32, count), "");
        value = LLVMBuildXor(e->b, value, sign, "");
    }
    switch ((visage_op)inst->op) {
    case VISAGE_OP_CBIT:
        value = vsg_jit_intrinsic(e, "llvm.ctpop", LLVMTypeOf(value), &value, 1);
        break;
    case VISAGE_OP_LZD:
        value = count_zeros(e, "llvm.ctlz", value);
        break;
    case VISAGE_OP_FBH:
        value = find_first(e, "llvm.ctlz", value);
        break;
    case VISAGE_OP_FBL:
        value = find_first(e, "llvm.cttz", value);
        break;
    default:
        value = vsg_jit_intrinsic(e, "llvm.bitreverse", LLVMTypeOf(value), &value, 1);
        break;
    }
    vsg_jit_write_int(e, inst, &inst->dst, value, bits, extends);
    return true;
}
