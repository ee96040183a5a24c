/* SPDX-License-Identifier: MIT
 *
 * Integers and bits. */
#include "expect.h"

__extension__ typedef unsigned __int128 spec_uint;

static spec_int first(const spec_question *q)
{
    return spec_source_int(q, 0);
}

static spec_int second(const spec_question *q)
{
    return spec_source_int(q, 1);
}

static spec_int third(const spec_question *q)
{
    return spec_source_int(q, 2);
}

/* Low 128 bits; the products that saturate are of 32-bit numbers. */
static spec_int times(spec_int a, spec_int b)
{
    return (spec_int)((spec_uint)a * (spec_uint)b);
}

/* ---- quotients -------------------------------------------------------------------------- */

static bool both_unsigned(const spec_question *q)
{
    return !spec_is_signed(spec_source_type(q, 0)) && !spec_is_signed(spec_source_type(q, 1));
}

/* docs/spec-notes.md, DIV and MOD by zero. */
static spec_int by_zero(const spec_question *q)
{
    if (both_unsigned(q))
        return UINT32_MAX;
    return first(q) < 0 ? INT32_MIN : INT32_MAX;
}

/* ---- shifts, bits ----------------------------------------------------------------------- */

static uint32_t shift_count(const spec_question *q)
{
    bool is_long = spec_bytes(q->dst) == 8 || spec_bytes(spec_source_type(q, 0)) == 8;

    return (uint32_t)second(q) & (is_long ? 63 : 31);
}

/* With saturation, what is too large for 128 bits stays large. */
static spec_int shift_left(const spec_question *q)
{
    spec_int value = first(q);
    uint32_t count = shift_count(q);
    spec_int shifted = (spec_int)((spec_uint)value << count);

    if (q->c->saturate && shifted >> count != value)
        shifted = value < 0 ? -((spec_int)1 << 100) : (spec_int)1 << 100;
    return shifted;
}

/* src0 in its own width, without sign. */
static uint64_t width_bits(const spec_question *q)
{
    return spec_cut(spec_source_type(q, 0), first(q));
}

static uint64_t rotate(const spec_question *q, bool right)
{
    uint32_t width = 8 * spec_bytes(spec_source_type(q, 0));
    uint32_t count = (uint32_t)second(q) & (width - 1);
    uint64_t bits = width_bits(q), out = 0;

    for (uint32_t i = 0; i < width; i++) {
        uint32_t to = (right ? i + width - count : i + count) % width;
        out |= (bits >> i & 1) << to;
    }
    return out;
}

/* BFE; of D the field's highest bit repeats, and beyond bit 31 there are copies of that. */
static spec_int extract(const spec_question *q)
{
    uint32_t width = (uint32_t)first(q) & 31, offset = (uint32_t)second(q) & 31;
    bool is_signed = q->dst == VISAGE_TYPE_D;
    spec_int source =
        spec_int_of(is_signed ? VISAGE_TYPE_D : VISAGE_TYPE_UD, (uint32_t)third(q)) >> offset;
    spec_int field = source & (((spec_int)1 << width) - 1);

    if (is_signed && width > 0 && field >> (width - 1) & 1)
        field -= (spec_int)1 << width;
    return field;
}

static uint32_t insert(const spec_question *q)
{
    uint32_t width = (uint32_t)first(q) & 31, offset = (uint32_t)second(q) & 31;
    uint32_t mask = ((1u << width) - 1) << offset;

    return ((uint32_t)third(q) << offset & mask) | ((uint32_t)spec_source_int(q, 3) & ~mask);
}

/* BFN page: bit by bit, the sources' bits are the number of the control's. */
static uint64_t look_up(const spec_question *q)
{
    uint64_t out = 0;

    for (uint32_t i = 0; i < 64; i++) {
        uint32_t index = (uint32_t)(first(q) >> i & 1) | (uint32_t)(second(q) >> i & 1) << 1 |
                         (uint32_t)(third(q) >> i & 1) << 2;
        out |= (uint64_t)(q->c->control >> index & 1) << i;
    }
    return out;
}

static uint32_t count_ones(uint64_t bits)
{
    uint32_t count = 0;

    for (; bits; bits >>= 1)
        count += bits & 1;
    return count;
}

/* Zeros from the high end, 32 of 0. */
static uint32_t leading_zeros(uint32_t bits)
{
    uint32_t count = 0;

    while (count < 32 && !(bits >> (31 - count) & 1))
        count++;
    return count;
}

static uint32_t first_high(const spec_question *q)
{
    uint32_t bits = (uint32_t)first(q);

    if (spec_is_signed(spec_source_type(q, 0)) && bits >> 31)
        bits = ~bits;
    return bits == 0 ? UINT32_MAX : leading_zeros(bits);
}

static uint32_t first_low(uint32_t bits)
{
    uint32_t count = 0;

    while (count < 32 && !(bits >> count & 1))
        count++;
    return bits == 0 ? UINT32_MAX : count;
}

static uint32_t reverse(uint32_t bits)
{
    uint32_t out = 0;

    for (uint32_t i = 0; i < 32; i++)
        out |= (bits >> i & 1) << (31 - i);
    return out;
}

/* DP4A: bytes, signed where their operand is. */
static spec_int dot_bytes(const spec_question *q)
{
    spec_int sum = first(q);

    for (uint32_t i = 0; i < 4; i++) {
        spec_int factors[2];
        for (uint32_t k = 0; k < 2; k++) {
            bool is_signed = spec_is_signed(spec_source_type(q, 1 + k));
            factors[k] = spec_int_of(is_signed ? VISAGE_TYPE_B : VISAGE_TYPE_UB,
                                     (uint64_t)(spec_source_int(q, 1 + k) >> (8 * i)));
        }
        sum += factors[0] * factors[1];
    }
    return sum;
}

/* ---- which ------------------------------------------------------------------------------ */

static void set_wide(const spec_question *q, spec_result results[2])
{
    spec_int value = times(first(q), second(q)) + third(q);

    results[0].bits[q->channel] = (uint32_t)value;
    results[1].bits[q->channel] = (uint32_t)(value >> 32);
}

static void set_carry(const spec_question *q, spec_result results[2], bool subtracts)
{
    uint64_t a = (uint32_t)first(q), b = (uint32_t)second(q);

    results[0].bits[q->channel] = (uint32_t)(subtracts ? a - b : a + b);
    results[1].bits[q->channel] = subtracts ? a < b : a + b > UINT32_MAX;
}

/* The sum and, in the predicate, whether it is outside of the type. */
static void set_overflow(const spec_question *q, spec_result results[2])
{
    spec_int sum = first(q) + second(q) + third(q);

    results[0].bits[q->channel] = spec_cut(q->dst, sum);
    results[1].bits[q->channel] = sum < spec_least(q->dst) || sum > spec_greatest(q->dst);
}

static bool arithmetic(const spec_question *q, spec_int *out)
{
    switch (q->c->row->op) {
    case VISAGE_OP_ADD:
        *out = first(q) + second(q);
        return true;
    case VISAGE_OP_ADD3:
        *out = first(q) + second(q) + third(q);
        return true;
    case VISAGE_OP_AVG:
        *out = (first(q) + second(q) + 1) >> 1;
        return true;
    case VISAGE_OP_MUL:
        *out = times(first(q), second(q));
        return true;
    case VISAGE_OP_MULH:
        *out = times(first(q), second(q)) >> 32;
        return true;
    case VISAGE_OP_MAD:
        *out = (spec_int)((spec_uint)times(first(q), second(q)) + (spec_uint)third(q));
        return true;
    case VISAGE_OP_DIV:
        *out = second(q) == 0 ? by_zero(q) : first(q) / second(q);
        return true;
    case VISAGE_OP_MOD:
        *out = second(q) == 0 ? by_zero(q) : first(q) % second(q);
        return true;
    case VISAGE_OP_MIN:
        *out = first(q) < second(q) ? first(q) : second(q);
        return true;
    case VISAGE_OP_MAX:
        *out = first(q) > second(q) ? first(q) : second(q);
        return true;
    case VISAGE_OP_DP4A:
        *out = dot_bytes(q);
        return true;
    default:
        return false;
    }
}

static bool bits(const spec_question *q, spec_int *out)
{
    switch (q->c->row->op) {
    case VISAGE_OP_AND:
        *out = first(q) & second(q);
        return true;
    case VISAGE_OP_OR:
        *out = first(q) | second(q);
        return true;
    case VISAGE_OP_XOR:
        *out = first(q) ^ second(q);
        return true;
    case VISAGE_OP_NOT:
        *out = ~first(q);
        return true;
    case VISAGE_OP_BFN:
        *out = (spec_int)look_up(q);
        return true;
    case VISAGE_OP_SHL:
        *out = shift_left(q);
        return true;
    case VISAGE_OP_SHR:
        *out = (spec_int)(width_bits(q) >> shift_count(q));
        return true;
    case VISAGE_OP_ASR:
        *out = first(q) >> shift_count(q);
        return true;
    case VISAGE_OP_ROL:
        *out = (spec_int)rotate(q, false);
        return true;
    case VISAGE_OP_ROR:
        *out = (spec_int)rotate(q, true);
        return true;
    default:
        return false;
    }
}

static bool fields(const spec_question *q, spec_int *out)
{
    switch (q->c->row->op) {
    case VISAGE_OP_BFE:
        *out = extract(q);
        return true;
    case VISAGE_OP_BFI:
        *out = insert(q);
        return true;
    case VISAGE_OP_BFREV:
        *out = reverse((uint32_t)first(q));
        return true;
    case VISAGE_OP_CBIT:
        *out = count_ones(width_bits(q));
        return true;
    case VISAGE_OP_LZD:
        *out = leading_zeros((uint32_t)first(q));
        return true;
    case VISAGE_OP_FBL:
        *out = first_low((uint32_t)first(q));
        return true;
    case VISAGE_OP_FBH:
        *out = first_high(q);
        return true;
    default:
        return false;
    }
}

bool spec_expect_int(const spec_question *q, spec_result results[2])
{
    spec_int value;

    if (spec_class(q) != VISAGE_TYPE_UD)
        return false;
    switch (q->c->row->op) {
    case VISAGE_OP_MADW:
        set_wide(q, results);
        return true;
    case VISAGE_OP_ADDC:
        set_carry(q, results, false);
        return true;
    case VISAGE_OP_SUBB:
        set_carry(q, results, true);
        return true;
    case VISAGE_OP_ADD3O:
        set_overflow(q, results);
        return true;
    default:
        break;
    }
    if (!arithmetic(q, &value) && !bits(q, &value) && !fields(q, &value))
        return false;
    results[0].bits[q->channel] =
        q->c->saturate ? spec_clamp(q->dst, value) : spec_cut(q->dst, value);
    return true;
}
