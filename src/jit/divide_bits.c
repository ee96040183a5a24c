/* SPDX-License-Identifier: MIT
 *
 * What instructions make of bits. Sources are taken as 64 bits and results cut to what is
 * written, as integers are computed (exec/program.h, VSG_EXE_CLASS_INT). */
#include <string.h>

#include "exec/operand.h"
#include "jit/divide.h"
#include "jit/lowering.h"

enum { BITS = VSG_JIT_DIVIDE_BITS, HALF = BITS / 2 };
enum { ZERO = VSG_JIT_BIT_ZERO, ONE = VSG_JIT_BIT_ONE, UNKNOWN = VSG_JIT_BIT_UNKNOWN };
typedef vsg_jit_follower follower;
typedef vsg_jit_bit bit;

/* A source of one channel. */
typedef struct value {
    bit bits[BITS];
    bool is_negated, is_absolute;
    uint32_t bytes; /* of its type */
} value;

typedef struct result {
    bit bits[BITS];
} result;

bit vsg_jit_bit_of(vsg_jit_bit_kind kind, uint32_t round, uint32_t channel, uint32_t index)
{
    enum { FIRST = VSG_JIT_BIT_UNKNOWN + 1 };

    return FIRST + ((kind * (BITS + 1u) + round) * VSG_EXE_MAX_CHANNELS + channel) * BITS +
           index;
}

static bit flag(const follower *f, uint32_t channel, vsg_jit_divide_flag index)
{
    return vsg_jit_bit_of(VSG_JIT_BIT_FLAG, f->round, channel, index);
}

/* ---- numbers ----------------------------------------------------------------------------- */

static bool is_number(const bit *bits, uint64_t *out)
{
    *out = 0;
    for (uint32_t i = 0; i < BITS; i++) {
        if (bits[i] > ONE)
            return false;
        *out |= (uint64_t)bits[i] << i;
    }
    return true;
}

static void put_number(bit *bits, uint64_t number)
{
    for (uint32_t i = 0; i < BITS; i++)
        bits[i] = number >> i & 1;
}

static uint64_t negate_if(bool is_negated, uint64_t number)
{
    return is_negated ? 0 - number : number;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* The first bit of some bytes of the frame; false: they are not followed. */
static bool find_bits(const follower *f, uint64_t at, uint32_t bytes, uint32_t *out)
{
    const vsg_jit_emitter *e = f->e;

    if (at + bytes > e->unit->register_bytes || e->part_of[at] == VSG_JIT_NO_PART)
        return false;
    uint32_t number = e->part_of[at];
    const vsg_jit_part *part = &e->parts[number];
    if (f->base[number] == 0 || at + bytes > (uint64_t)part->at + part->bytes)
        return false;
    *out = f->base[number] - 1 + 8 * (uint32_t)(at - part->at);
    return true;
}

/* A bit as a channel sees it. */
static bit look(follower *f, uint32_t part, uint32_t at, uint32_t reader)
{
    bit b = f->bits[at];

    if (f->owners[at] != VSG_JIT_OF_ALL && f->owners[at] != reader)
        b = UNKNOWN;
    if (b == UNKNOWN || b == VSG_JIT_BIT_BEFORE + at)
        f->exposed[part] = true;
    return b;
}

/* Who looks at what an instruction's channel reads. */
static uint32_t reader_of(const vsg_exe_inst *inst, uint32_t index)
{
    return inst->no_mask ? VSG_JIT_OF_ALL : inst->mask_offset + index;
}

/* A scalar that was written once, far before the loop, may be a constant: the loop is then one
 * where that number is there when it begins. */
static void assume(follower *f, const vsg_exe_operand *operand, uint32_t at, uint32_t before)
{
    vsg_jit_division *d = f->division;

    if (operand->shape != VSG_EXE_SHAPE_SCALAR || d->num_assumed == VSG_JIT_MOST_NUMBERS)
        return;
    for (uint32_t n = 0; n < 8u * operand->bytes; n++)
        if (f->bits[at + n] != VSG_JIT_BIT_BEFORE + at + n)
            return;
    for (uint32_t i = before; i-- > 0;) {
        const vsg_exe_inst *inst = &f->e->unit->code[i];
        if (inst->op != VISAGE_OP_MOV || inst->exec_size != 1 || inst->predicate_mode ||
            inst->dst.kind != VSG_EXE_OPERAND_REGION || inst->dst.shared ||
            inst->dst.offset != operand->offset || inst->dst.bytes != operand->bytes)
            continue;
        if (inst->src[0].kind != VSG_EXE_OPERAND_IMMEDIATE || inst->src[0].modifier)
            return;
        vsg_jit_number *number = &d->assumed[d->num_assumed++];
        *number = (vsg_jit_number){operand->offset, operand->bytes, inst->src[0].elements[0]};
        for (uint32_t n = 0; n < 8u * operand->bytes; n++)
            f->bits[at + n] = number->value >> n & 1;
        return;
    }
}

static bool read_region(follower *f, const vsg_exe_inst *inst, const vsg_exe_operand *operand,
                        uint32_t index, value *out)
{
    int64_t place = (int64_t)operand->offset + vsg_exe_distance(operand, index);
    uint32_t at, reader = reader_of(inst, index);

    if (operand->shared || operand->is_null || place < 0 ||
        !find_bits(f, (uint64_t)place, operand->bytes, &at))
        return false;
    if (f->round == 0)
        assume(f, operand, at, (uint32_t)(inst - f->e->unit->code));
    for (uint32_t i = 0; i < 8u * operand->bytes; i++)
        out->bits[i] = look(f, f->e->part_of[place], at + i, reader);
    return true;
}

static bool read_value(follower *f, const vsg_exe_inst *inst, uint32_t source, uint32_t index,
                       value *out)
{
    const vsg_exe_operand *operand = &inst->src[source];
    uint32_t count = 8u * operand->bytes;

    if (!vsg_jit_is_integer(operand->type) || operand->modifier > VSG_OBJ_MOD_NEG_ABS)
        return false;
    out->is_negated = (operand->modifier & VSG_OBJ_MOD_NEG) != 0;
    out->is_absolute = (operand->modifier & VSG_OBJ_MOD_ABS) != 0;
    out->bytes = operand->bytes;
    if (operand->kind == VSG_EXE_OPERAND_IMMEDIATE)
        put_number(out->bits, operand->elements[index % operand->count]);
    else if (operand->kind != VSG_EXE_OPERAND_REGION ||
             !read_region(f, inst, operand, index, out))
        return false;
    for (uint32_t i = count; i < BITS; i++)
        out->bits[i] = vsg_jit_is_signed(operand) ? out->bits[count - 1] : ZERO;
    return true;
}

/* ---- writing ----------------------------------------------------------------------------- */

static void remember(follower *f, uint32_t at)
{
    uint32_t byte = at / 8, index = f->past_of[byte];

    if (index > 0 && index <= f->num_past && f->past[index - 1].at == 8 * byte)
        return;
    vsg_jit_past *past = &f->past[f->num_past++];
    past->at = 8 * byte;
    memcpy(past->bits, &f->bits[8 * byte], sizeof past->bits);
    memcpy(past->owners, &f->owners[8 * byte], sizeof past->owners);
    f->past_of[byte] = f->num_past;
}

static void put_bit(follower *f, uint32_t at, bit b, uint32_t owner)
{
    if (f->is_apart)
        remember(f, at);
    f->bits[at] = b;
    f->owners[at] = (uint8_t)owner;
}

static bool is_ever_on(const follower *f, const vsg_exe_inst *inst, uint32_t index)
{
    return inst->no_mask || (f->e->dispatch_mask >> (inst->mask_offset + index) & 1);
}

static bool write_region(follower *f, const vsg_exe_inst *inst, const vsg_exe_operand *dst,
                         const result *results)
{
    bool is_kept = !f->e->notes[inst - f->e->unit->code].may_spoil;

    if (dst->kind != VSG_EXE_OPERAND_REGION || dst->shared || dst->is_null ||
        dst->modifier != VSG_OBJ_MOD_NONE || !vsg_jit_is_integer(dst->type) ||
        (dst->shape == VSG_EXE_SHAPE_SCALAR && inst->exec_size > 1))
        return false;
    for (uint32_t c = 0; c < inst->exec_size; c++) {
        int64_t place = (int64_t)dst->offset + vsg_exe_distance(dst, c);
        uint32_t at;
        if (place < 0 || !find_bits(f, (uint64_t)place, dst->bytes, &at))
            return false;
        if (!is_ever_on(f, inst, c))
            continue;
        f->bare[f->e->part_of[place]] |= inst->no_mask;
        f->kept[f->e->part_of[place]] |= !inst->no_mask && is_kept;
        for (uint32_t i = 0; i < 8u * dst->bytes; i++)
            put_bit(f, at + i, results[c].bits[i], reader_of(inst, c));
    }
    return true;
}

static bool find_predicate(const follower *f, const vsg_exe_operand *operand, uint32_t *at)
{
    uint32_t base = operand->kind == VSG_EXE_OPERAND_PREDICATE
                        ? f->base[f->e->num_general + operand->index]
                        : 0;

    *at = base - 1;
    return base > 0;
}

static bool write_predicate(follower *f, const vsg_exe_inst *inst, const result *results)
{
    uint32_t at;

    if (!find_predicate(f, &inst->dst, &at))
        return false;
    for (uint32_t c = 0; c < inst->exec_size; c++)
        if (is_ever_on(f, inst, c))
            put_bit(f, at + inst->mask_offset + c, results[c].bits[0], reader_of(inst, c));
    return true;
}

/* Is the divisor one of 32 bits? Nothing is below its high dword then. */
static bool is_short(const follower *f, uint32_t channel)
{
    for (uint32_t i = HALF; i < BITS; i++)
        if (f->divisor[channel][i] != ZERO)
            return false;
    return f->has_divisor[channel][VSG_JIT_HIGH];
}

/* ---- logic ------------------------------------------------------------------------------- */

/* Which flag two are together; UNKNOWN: none that is known. */
static bit combine_flags(const follower *f, uint32_t table, const bit *in, uint32_t channel)
{
    for (uint32_t i = 0; i < 2 && channel < VSG_EXE_MAX_CHANNELS; i++) {
        bit a = in[i], b = in[1 - i];
        if (table == VSG_JIT_TABLE_AND && a == flag(f, channel, VSG_JIT_FLAG_HIGH_EQUAL) &&
            b == flag(f, channel, VSG_JIT_FLAG_LOW_BELOW))
            return flag(f, channel,
                        is_short(f, channel) ? VSG_JIT_FLAG_BELOW : VSG_JIT_FLAG_EQUAL_BELOW);
        if (table == VSG_JIT_TABLE_OR && a == flag(f, channel, VSG_JIT_FLAG_HIGH_BELOW) &&
            b == flag(f, channel, VSG_JIT_FLAG_EQUAL_BELOW))
            return flag(f, channel, VSG_JIT_FLAG_BELOW);
    }
    return UNKNOWN;
}

/* A bit of a table of three, of which all but perhaps this one are constants. */
static bit combine_one(uint32_t table, const bit *in, uint32_t source)
{
    uint32_t at = 0;

    for (uint32_t s = 0; s < 3; s++)
        at |= s == source ? 0 : in[s] << s;
    uint32_t zero = table >> at & 1, one = table >> (at | 1u << source) & 1;
    if (in[source] <= ONE)
        return in[source] ? one : zero;
    return zero == one ? zero : one ? in[source] : (bit)UNKNOWN;
}

/* A bit of a table of three: a constant, or one of them, whatever the others are. */
static bit combine(uint32_t table, const bit *in)
{
    bool is_first = in[0] <= ONE, is_second = in[1] <= ONE, is_third = in[2] <= ONE;

    if (is_first + is_second + is_third >= 2)
        return combine_one(table, in, !is_first ? 0 : !is_second ? 1 : 2);
    uint32_t seen = 0, other = 0; /* results; by source: it differs from the result somewhere */
    bool is_pair = in[0] == in[1] && in[0] > UNKNOWN, is_outer = in[0] == in[2];
    bool is_last = in[1] == in[2] && in[1] > UNKNOWN;

    for (uint32_t n = 0; n < 8; n++) {
        uint32_t a = n & 1, b = n >> 1 & 1, c = n >> 2, is = table >> n & 1;
        if ((in[0] <= ONE && in[0] != a) || (in[1] <= ONE && in[1] != b) ||
            (in[2] <= ONE && in[2] != c) || (is_pair && a != b) || (is_last && b != c) ||
            (is_outer && in[0] > UNKNOWN && a != c))
            continue;
        seen |= 1u << is;
        other |= (a ^ is) | (b ^ is) << 1 | (c ^ is) << 2;
    }
    if (seen != 3)
        return seen == 1 ? ZERO : ONE;
    return !(other & 1) ? in[0] : !(other & 2) ? in[1] : !(other & 4) ? in[2] : (bit)UNKNOWN;
}

static bool follow_logic(const vsg_exe_inst *inst, const value *in, result *out)
{
    uint32_t table = vsg_jit_table_of(inst);

    for (uint32_t i = 0; i < BITS; i++) {
        bit of[3] = {in[0].bits[i], in[1].bits[i],
                     inst->num_sources > 2 ? in[2].bits[i] : (bit)ZERO};
        out->bits[i] = combine(table, of);
    }
    return !in[0].is_negated && !in[1].is_negated &&
           (inst->num_sources < 3 || !in[2].is_negated);
}

static bool follow_predicates(follower *f, const vsg_exe_inst *inst)
{
    result out[VSG_EXE_MAX_CHANNELS];
    uint32_t at[2], table = vsg_jit_table_of(inst);

    if ((inst->op != VISAGE_OP_AND && inst->op != VISAGE_OP_OR) || inst->num_sources != 2 ||
        !find_predicate(f, &inst->src[0], &at[0]) || !find_predicate(f, &inst->src[1], &at[1]))
        return false;
    for (uint32_t c = 0; c < inst->exec_size; c++) {
        bit in[3] = {ZERO, ZERO, ZERO};
        for (uint32_t s = 0; s < 2; s++)
            in[s] = look(f, f->e->num_general + inst->src[s].index,
                         at[s] + inst->mask_offset + c, reader_of(inst, c));
        out[c].bits[0] = combine(table, in);
        if (out[c].bits[0] == UNKNOWN)
            out[c].bits[0] = combine_flags(f, table, in, reader_of(inst, c));
    }
    return write_predicate(f, inst, out);
}

/* ---- the division ------------------------------------------------------------------------ */

/* Does a value begin with these bits? Of the shifted remainder the lowest is the next one of
 * the dividend, whichever it is at first. */
static bool is_shifted(follower *f, const bit *bits, uint32_t first, uint32_t count,
                       uint32_t channel)
{
    uint32_t next = BITS - 1 - f->round;
    bit *dividend = &f->dividend[channel][next];

    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = first + i;
        bool is_next = bits[i] >= VSG_JIT_BIT_BEFORE && (!*dividend || bits[i] == *dividend);
        bit wanted = f->round == 0 || n == 0
                         ? (bit)ZERO
                         : vsg_jit_bit_of(VSG_JIT_BIT_REMAINDER, f->round, channel, n - 1);
        if (n == 0 ? !is_next : bits[i] != wanted)
            return false;
    }
    if (first == 0)
        *dividend = bits[0];
    return true;
}

/* Is a half of the divisor, or becomes it. */
static bool is_divisor_half(follower *f, const bit *bits, uint32_t half, uint32_t channel)
{
    bit *own = &f->divisor[channel][half * HALF];

    if (f->has_divisor[channel][half])
        return memcmp(own, bits, HALF * sizeof *own) == 0;
    for (uint32_t i = 0; i < HALF; i++)
        if (bits[i] > ONE && bits[i] < VSG_JIT_BIT_BEFORE)
            return false;
    memcpy(own, bits, HALF * sizeof *own);
    f->has_divisor[channel][half] = true;
    return true;
}

/* Another variable, or its absolute value, that must be what the divisor is: compilers take
 * copies of it apart. A dword is one of a short divisor. */
static bool is_other(follower *f, const value *v, uint32_t channel)
{
    bit *own = f->other[channel];
    vsg_jit_division *d = f->division;
    uint32_t count = 8 * v->bytes;

    if (!f->has_divisor[channel][VSG_JIT_LOW] || !f->has_divisor[channel][VSG_JIT_HIGH] ||
        (count < BITS && !is_short(f, channel)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (v->bits[i] < VSG_JIT_BIT_BEFORE || (f->has_other[channel] && v->bits[i] != own[i]))
            return false;
    if (d->has_other && (d->is_absolute != v->is_absolute || d->other_bytes != v->bytes))
        return false;
    for (uint32_t i = 0; i < BITS; i++)
        own[i] = i < count ? v->bits[i] : (bit)ZERO;
    f->has_other[channel] = d->has_other = true;
    d->is_absolute = v->is_absolute;
    d->other_bytes = v->bytes;
    return true;
}

static bool is_divisor(follower *f, const value *v, uint32_t channel)
{
    return (!v->is_absolute && is_divisor_half(f, v->bits, VSG_JIT_LOW, channel) &&
            is_divisor_half(f, v->bits + HALF, VSG_JIT_HIGH, channel)) ||
           is_other(f, v, channel);
}

/* Is it the low dword of the divisor, or all that a short one has? */
static bool is_low_divisor(follower *f, const value *v, uint32_t channel)
{
    return (!v->is_absolute && is_divisor_half(f, v->bits, VSG_JIT_LOW, channel)) ||
           is_other(f, v, channel);
}

/* Are these bits of what is taken off? Of a short divisor nothing is, above. */
static bool is_taken(const follower *f, const bit *bits, uint32_t first, uint32_t count,
                     uint32_t channel)
{
    bool is_half = is_short(f, channel);

    for (uint32_t i = 0; i < count; i++) {
        bit taken = vsg_jit_bit_of(VSG_JIT_BIT_TAKEN, f->round, channel, first + i);
        if (bits[i] != (is_half && first + i >= HALF ? (bit)ZERO : taken))
            return false;
    }
    return true;
}

typedef struct span {
    uint32_t first, count;
} span;

static const span whole = {0, BITS}, halves[] = {{0, HALF}, {HALF, HALF}};

static void put_bits(const follower *f, vsg_jit_bit_kind kind, span of, uint32_t channel,
                     result *out)
{
    /* A remainder is one of the next round. */
    uint32_t round = f->round + (kind == VSG_JIT_BIT_REMAINDER);

    for (uint32_t i = 0; i < of.count; i++)
        out->bits[i] = vsg_jit_bit_of(kind, round, channel, of.first + i);
}

static void put_unknown(result *out)
{
    for (uint32_t i = 0; i < BITS; i++)
        out->bits[i] = UNKNOWN;
}

/* ---- comparisons ------------------------------------------------------------------------- */

static bool relate(uint32_t relation, int64_t a, int64_t b)
{
    switch (relation) {
    case VSG_EXE_REL_EQ:
        return a == b;
    case VSG_EXE_REL_NE:
        return a != b;
    case VSG_EXE_REL_GT:
        return a > b;
    case VSG_EXE_REL_GE:
        return a >= b;
    case VSG_EXE_REL_LT:
        return a < b;
    default:
        return a <= b;
    }
}

static bit compare_below(follower *f, uint32_t bytes, const value *in, uint32_t channel)
{
    const bit *a = in[0].bits, *b = in[1].bits;

    if (bytes == 8)
        return is_shifted(f, a, 0, BITS, channel) && is_divisor(f, &in[1], channel)
                   ? flag(f, channel, VSG_JIT_FLAG_BELOW)
                   : (bit)UNKNOWN;
    if (is_shifted(f, a, 0, HALF, channel) && is_divisor_half(f, b, VSG_JIT_LOW, channel))
        return flag(f, channel, VSG_JIT_FLAG_LOW_BELOW);
    if (is_shifted(f, a, HALF, HALF, channel) && is_divisor_half(f, b, VSG_JIT_HIGH, channel))
        return flag(f, channel, VSG_JIT_FLAG_HIGH_BELOW);
    return UNKNOWN;
}

/* In the first round nothing is above the low dword yet. Is this where that is compared with
 * the high one of a short divisor, which is a constant? */
static bool is_first_of_short(const follower *f, const vsg_exe_inst *inst, const value *in,
                              uint32_t channel)
{
    uint64_t a, b;

    return f->round == 0 && channel < VSG_EXE_MAX_CHANNELS && inst->control == VSG_EXE_REL_EQ &&
           f->has_divisor[channel][VSG_JIT_LOW] && is_number(in[0].bits, &a) &&
           is_number(in[1].bits, &b) && a == 0 && b == 0;
}

static bit compare_bits(follower *f, const vsg_exe_inst *inst, const value *in,
                        uint32_t channel)
{
    bool are_signed = vsg_jit_is_signed(&inst->src[0]);
    uint32_t bytes = in[0].bytes;
    uint64_t a, b;

    if (!is_first_of_short(f, inst, in, channel) && is_number(in[0].bits, &a) &&
        is_number(in[1].bits, &b) && bytes < 8 && in[1].bytes < 8)
        return relate(inst->control, (int64_t)a, (int64_t)b) ? ONE : ZERO;
    if (channel >= VSG_EXE_MAX_CHANNELS || bytes < 4 || bytes != in[1].bytes ||
        are_signed != vsg_jit_is_signed(&inst->src[1]))
        return UNKNOWN;
    if (inst->control == VSG_EXE_REL_LT && !are_signed)
        return compare_below(f, bytes, in, channel);
    if (inst->control == VSG_EXE_REL_EQ && bytes == 4 &&
        is_shifted(f, in[0].bits, HALF, HALF, channel) &&
        is_divisor_half(f, in[1].bits, VSG_JIT_HIGH, channel))
        return flag(f, channel, VSG_JIT_FLAG_HIGH_EQUAL);
    return UNKNOWN;
}

static bool follow_comparison(follower *f, const vsg_exe_inst *inst, const value *in,
                              uint32_t channel, result *out)
{
    out->bits[0] = compare_bits(f, inst, in, channel);
    return !in[0].is_negated && !in[1].is_negated;
}

/* ---- differences ------------------------------------------------------------------------- */

static void follow_wide_sum(follower *f, const value *in, uint32_t channel, result *out)
{
    if (in[0].is_negated || !in[1].is_negated || in[0].bytes < 8 || in[1].bytes < 8 ||
        !is_shifted(f, in[0].bits, 0, BITS, channel))
        return;
    if (is_taken(f, in[1].bits, 0, BITS, channel))
        put_bits(f, VSG_JIT_BIT_REMAINDER, whole, channel, out);
    else if (is_divisor(f, &in[1], channel))
        put_bits(f, VSG_JIT_BIT_DIFFERENCE, whole, channel, out);
}

/* A flag as a dword. */
static bool is_flag(const follower *f, const value *v, vsg_jit_divide_flag which,
                    uint32_t channel)
{
    for (uint32_t i = 1; i < HALF; i++)
        if (v->bits[i] != ZERO)
            return false;
    return v->bits[0] == flag(f, channel, which);
}

/* Is it taken off in a sum? Zero always is. */
static bool is_subtracted(const value *v)
{
    uint64_t number;

    return v->is_negated || (is_number(v->bits, &number) && number == 0);
}

/* The high dword, the low one's borrow, and what is taken off. */
static void follow_high_sum(follower *f, const value *in, uint32_t channel, result *out)
{
    for (uint32_t at = 0; at < 3; at++)
        for (uint32_t other = 1; other < 3; other++) {
            const value *a = &in[at], *b = &in[(at + other) % 3];
            const value *borrow = &in[(at + 3 - other) % 3];
            if (a->is_negated || !is_subtracted(b) || !borrow->is_negated ||
                !is_shifted(f, a->bits, HALF, HALF, channel))
                continue;
            if (is_flag(f, borrow, VSG_JIT_FLAG_BORROW, channel) &&
                is_taken(f, b->bits, HALF, HALF, channel))
                put_bits(f, VSG_JIT_BIT_REMAINDER, halves[VSG_JIT_HIGH], channel, out);
            else if (is_flag(f, borrow, VSG_JIT_FLAG_LOW_BELOW, channel) &&
                     is_divisor_half(f, b->bits, VSG_JIT_HIGH, channel))
                put_bits(f, VSG_JIT_BIT_DIFFERENCE, halves[VSG_JIT_HIGH], channel, out);
        }
}

static bool follow_sum(follower *f, const vsg_exe_inst *inst, const value *in, uint32_t channel,
                       result *out)
{
    uint64_t sum = 0, number;
    bool are_numbers = true;

    for (uint32_t s = 0; s < inst->num_sources; s++) {
        are_numbers = are_numbers && !in[s].is_absolute && is_number(in[s].bits, &number);
        sum += are_numbers ? negate_if(in[s].is_negated, number) : 0;
    }
    if (are_numbers) {
        put_number(out->bits, sum);
        return true;
    }
    put_unknown(out);
    if (channel >= VSG_EXE_MAX_CHANNELS)
        return true;
    if (inst->num_sources == 2 && inst->dst.bytes == 8)
        follow_wide_sum(f, in, channel, out);
    else if (inst->num_sources == 3 && inst->dst.bytes == 4)
        follow_high_sum(f, in, channel, out);
    return true;
}

/* The low dword; the borrow is the second result. */
static bool follow_borrow(follower *f, const vsg_exe_inst *inst, const value *in,
                          uint32_t channel, result *out)
{
    if (inst->dst.bytes != 4 || inst->dst2.bytes != 4 || in[0].is_negated || in[1].is_negated ||
        channel >= VSG_EXE_MAX_CHANNELS)
        return false;
    put_unknown(&out[0]);
    put_number(out[1].bits, 0);
    out[1].bits[0] = UNKNOWN;
    if (!is_shifted(f, in[0].bits, 0, HALF, channel))
        return true;
    if (is_taken(f, in[1].bits, 0, HALF, channel)) {
        put_bits(f, VSG_JIT_BIT_REMAINDER, halves[VSG_JIT_LOW], channel, out);
        out[1].bits[0] = flag(f, channel, VSG_JIT_FLAG_BORROW);
    } else if (is_divisor_half(f, in[1].bits, VSG_JIT_LOW, channel)) {
        put_bits(f, VSG_JIT_BIT_DIFFERENCE, halves[VSG_JIT_LOW], channel, out);
        out[1].bits[0] = flag(f, channel, VSG_JIT_FLAG_LOW_BELOW);
    }
    return true;
}

/* ---- moves ------------------------------------------------------------------------------- */

static bool follow_move(const value *in, result *out)
{
    uint64_t number;

    memcpy(out->bits, in->bits, sizeof out->bits);
    if (!in->is_negated)
        return true;
    if (!is_number(in->bits, &number))
        return false;
    put_number(out->bits, 0 - number);
    return true;
}

static bool follow_shift(const vsg_exe_inst *inst, const value *in, result *out)
{
    uint32_t own = inst->op == VISAGE_OP_SHR ? 8 * in[0].bytes : BITS;
    uint64_t most = in[0].bytes == 8 || inst->dst.bytes == 8 ? 63 : 31, by;

    if (in[0].is_negated || in[1].is_negated || !is_number(in[1].bits, &by))
        return false;
    by &= most;
    for (uint32_t i = 0; i < BITS; i++) {
        uint64_t from = inst->op == VISAGE_OP_SHR ? i + by : i - by;
        out->bits[i] = from < own ? in[0].bits[from] : (bit)ZERO;
    }
    return true;
}

/* A number where the divisor fits, else 0: the bit of the quotient that it has, mostly. */
static void put_chosen(const follower *f, uint64_t number, uint32_t channel, result *out)
{
    bit fits = vsg_jit_bit_of(VSG_JIT_BIT_QUOTIENT, 0, channel, BITS - 1 - f->round);

    for (uint32_t i = 0; i < BITS; i++)
        out->bits[i] = number >> i & 1 ? fits : (bit)ZERO;
}

/* Where the divisor does not fit nothing is taken off. */
static bool follow_choice(follower *f, const vsg_exe_inst *inst, const value *in,
                          uint32_t channel, result *out)
{
    bool turns = (inst->predicate_mode & VSG_EXE_PRED_INVERSE) != 0;
    uint32_t base = f->base[f->e->num_general + inst->predicate], bytes = inst->dst.bytes;
    uint64_t number;

    put_unknown(out);
    if (base == 0 || (inst->predicate_mode & (VSG_EXE_PRED_ANY | VSG_EXE_PRED_ALL)) ||
        in[0].is_negated || in[1].is_negated || channel >= VSG_EXE_MAX_CHANNELS)
        return false;
    bit chosen = look(f, f->e->num_general + inst->predicate, base - 1 + channel, channel);
    if (chosen != flag(f, channel, VSG_JIT_FLAG_BELOW) || !is_number(in[turns].bits, &number) ||
        number != 0 || in[turns].is_absolute || in[!turns].bytes != bytes)
        return true;
    const value *taken = &in[!turns];
    if (!taken->is_absolute && is_number(taken->bits, &number)) {
        put_chosen(f, number, channel, out);
    } else if (bytes == 8 && is_divisor(f, taken, channel)) {
        put_bits(f, VSG_JIT_BIT_TAKEN, whole, channel, out);
        for (uint32_t i = HALF; i < BITS && is_short(f, channel); i++)
            out->bits[i] = ZERO;
    } else if (bytes == 4 && is_low_divisor(f, taken, channel)) {
        put_bits(f, VSG_JIT_BIT_TAKEN, halves[VSG_JIT_LOW], channel, out);
    } else if (bytes == 4 && !taken->is_absolute &&
               is_divisor_half(f, taken->bits, VSG_JIT_HIGH, channel)) {
        put_bits(f, VSG_JIT_BIT_TAKEN, halves[VSG_JIT_HIGH], channel, out);
    }
    return true;
}

/* ---- instructions ------------------------------------------------------------------------ */

/* Absolute values are known of the divisor alone: of what is taken off. */
static bool can_be_absolute(const vsg_exe_inst *inst, uint32_t source)
{
    uint32_t bytes = inst->dst.bytes;

    return inst->src[source].bytes == bytes &&
           ((inst->op == VISAGE_OP_ADD && source == 1 && bytes == 8) ||
            (inst->op == VISAGE_OP_SEL && bytes >= 4));
}

/* One channel of an instruction; channel: OF_ALL where it is for all. */
static bool follow_channel(follower *f, const vsg_exe_inst *inst, const value *in,
                           uint32_t channel, result *out)
{
    switch ((visage_op)inst->op) {
    case VISAGE_OP_MOV:
        return follow_move(in, out);
    case VISAGE_OP_SHL:
    case VISAGE_OP_SHR:
        return follow_shift(inst, in, out);
    case VISAGE_OP_AND:
    case VISAGE_OP_OR:
    case VISAGE_OP_XOR:
    case VISAGE_OP_BFN:
        return follow_logic(inst, in, out);
    case VISAGE_OP_ADD:
    case VISAGE_OP_ADD3:
        return follow_sum(f, inst, in, channel, out);
    case VISAGE_OP_SUBB:
        return follow_borrow(f, inst, in, channel, out);
    case VISAGE_OP_CMP:
        return follow_comparison(f, inst, in, channel, out);
    case VISAGE_OP_SEL:
        return follow_choice(f, inst, in, channel, out);
    default:
        return false;
    }
}

static bool is_known_operation(const vsg_exe_inst *inst)
{
    switch ((visage_op)inst->op) {
    case VISAGE_OP_MOV:
    case VISAGE_OP_SHL:
    case VISAGE_OP_SHR:
    case VISAGE_OP_AND:
    case VISAGE_OP_OR:
    case VISAGE_OP_XOR:
    case VISAGE_OP_BFN:
    case VISAGE_OP_ADD:
    case VISAGE_OP_ADD3:
    case VISAGE_OP_SUBB:
    case VISAGE_OP_CMP:
    case VISAGE_OP_SEL:
        return true;
    default:
        return false;
    }
}

bool vsg_jit_can_follow(const vsg_exe_inst *inst)
{
    bool chooses = inst->op == VISAGE_OP_SEL;

    return inst->source && is_known_operation(inst) && !inst->message && !inst->refresh &&
           !inst->writes_mode && !inst->saturate && inst->class_ == VSG_EXE_CLASS_INT &&
           inst->num_sources > 0 && inst->num_sources <= 3 &&
           chooses == (inst->predicate_mode != 0);
}

bool vsg_jit_follow(follower *f, uint32_t place)
{
    const vsg_exe_inst *inst = &f->e->unit->code[place];
    result first[VSG_EXE_MAX_CHANNELS], second[VSG_EXE_MAX_CHANNELS];

    if (inst->dst.kind == VSG_EXE_OPERAND_PREDICATE && inst->op != VISAGE_OP_CMP)
        return follow_predicates(f, inst);
    for (uint32_t c = 0; c < inst->exec_size; c++) {
        value in[3];
        result out[2];
        if (!is_ever_on(f, inst, c))
            continue;
        for (uint32_t s = 0; s < inst->num_sources; s++)
            if (!read_value(f, inst, s, c, &in[s]) ||
                (in[s].is_absolute && !can_be_absolute(inst, s)))
                return false;
        if (!follow_channel(f, inst, in, reader_of(inst, c), out))
            return false;
        first[c] = out[0];
        second[c] = out[1];
    }
    if (inst->op == VISAGE_OP_CMP)
        return inst->dst.kind == VSG_EXE_OPERAND_PREDICATE && write_predicate(f, inst, first);
    return write_region(f, inst, &inst->dst, first) &&
           (inst->op != VISAGE_OP_SUBB || write_region(f, inst, &inst->dst2, second));
}

/* ---- joining ----------------------------------------------------------------------------- */

/* What a bit is behind text that only channels went through whose divisor fits: it was `past`,
 * and there it became `now`. */
static bit join(const follower *f, bit past, bit now, uint32_t channel)
{
    uint32_t next = BITS - 1 - f->round;

    if (past == now || channel == VSG_JIT_OF_ALL)
        return past == now ? now : (bit)UNKNOWN;
    if (past == ZERO && now == ONE)
        return vsg_jit_bit_of(VSG_JIT_BIT_QUOTIENT, 0, channel, next);
    uint32_t i = now - vsg_jit_bit_of(VSG_JIT_BIT_DIFFERENCE, f->round, channel, 0);
    if (i >= BITS)
        return UNKNOWN;
    bit shifted = i == 0 ? f->dividend[channel][next]
                  : f->round == 0
                      ? (bit)ZERO
                      : vsg_jit_bit_of(VSG_JIT_BIT_REMAINDER, f->round, channel, i - 1);
    return past == shifted ? vsg_jit_bit_of(VSG_JIT_BIT_REMAINDER, f->round + 1, channel, i)
                           : (bit)UNKNOWN;
}

void vsg_jit_follow_join(follower *f)
{
    f->is_apart = false;
    for (uint32_t n = 0; n < f->num_past; n++) {
        const vsg_jit_past *past = &f->past[n];
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t at = past->at + i, owner = f->owners[at];
            bool is_same_owner = past->owners[i] == VSG_JIT_OF_ALL || past->owners[i] == owner;
            bit now = join(f, past->bits[i], f->bits[at], owner);
            f->bits[at] = is_same_owner ? now : (bit)UNKNOWN;
        }
    }
    f->num_past = 0;
}
