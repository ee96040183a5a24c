/* SPDX-License-Identifier: MIT
 *
 * The code of divisions: a bit less than the whole dividend by the divisor, and what variables
 * are made of that. */
#include "exec/operand.h"
#include "jit/divide.h"
#include "jit/loops.h"
#include "jit/lowering.h"
#include "jit/rows.h"

enum { BITS = VSG_JIT_DIVIDE_BITS, DWORD = 4, ONE_BIT = 1 };

typedef vsg_jit_division division;

/* ---- dwords of channels ------------------------------------------------------------------ */

/* Channels whose dwords are a constant distance apart, in one part, or the same constant. */
typedef struct run {
    uint32_t first, count, step;
} run;

static bool is_next(const vsg_jit_emitter *e, const vsg_jit_dword *first,
                    const vsg_jit_dword *next)
{
    if (!next->is_there || next->is_constant != first->is_constant)
        return false;
    return next->is_constant
               ? next->is == first->is
               : next->is >= first->is && e->part_of[next->is] == e->part_of[first->is];
}

static run run_from(const vsg_jit_emitter *e, const vsg_jit_dwords *dwords, uint32_t first)
{
    const vsg_jit_dword *of = &dwords->of[first];
    run r = {.first = first, .count = 1};

    while (first + r.count < e->simd_size && is_next(e, &of[0], &of[r.count])) {
        uint32_t distance = of[r.count].is - of[0].is;
        if (r.count == 1)
            r.step = distance;
        if (distance != r.step * r.count)
            break;
        r.count++;
    }
    return r;
}

static vsg_exe_operand operand_of(const vsg_jit_dword *first, const run *r)
{
    return (vsg_exe_operand){.kind = VSG_EXE_OPERAND_REGION,
                             .type = VISAGE_TYPE_UD,
                             .bytes = DWORD,
                             .shape = r->step ? VSG_EXE_SHAPE_STRIDED : VSG_EXE_SHAPE_SCALAR,
                             .offset = first->is,
                             .h_stride_bytes = (int32_t)r->step};
}

static LLVMValueRef shuffle(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b,
                            const uint32_t *places, uint32_t count)
{
    LLVMValueRef indices[2 * VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < count; i++)
        indices[i] = vsg_jit_i32(e, places[i]);
    return LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(indices, count), "");
}

/* A vector with some of its elements replaced. */
static LLVMValueRef put_run(vsg_jit_emitter *e, LLVMValueRef all, const run *r,
                            LLVMValueRef value)
{
    uint32_t places[VSG_EXE_MAX_CHANNELS], count = e->simd_size;

    if (r->count == count)
        return value;
    if (r->count == 1)
        return LLVMBuildInsertElement(e->b, all, value, vsg_jit_i32(e, r->first), "");
    for (uint32_t i = 0; i < count; i++)
        places[i] = i < r->count ? i : 0;
    LLVMValueRef wide = shuffle(e, value, LLVMGetPoison(LLVMTypeOf(value)), places, count);
    for (uint32_t i = 0; i < count; i++)
        places[i] = i - r->first < r->count ? count + i - r->first : i;
    return shuffle(e, all, wide, places, count);
}

static LLVMValueRef read_dwords(vsg_jit_emitter *e, const vsg_jit_dwords *dwords)
{
    LLVMValueRef all = LLVMConstNull(vsg_jit_int(e, 8 * DWORD, e->simd_size));

    for (uint32_t c = 0; c < e->simd_size;) {
        const vsg_jit_dword *first = &dwords->of[c];
        run r = run_from(e, dwords, c);
        vsg_exe_operand operand = operand_of(first, &r);
        c += r.count;
        if (first->is_there)
            all = put_run(e, all, &r,
                          first->is_constant
                              ? vsg_jit_splat(e, vsg_jit_i32(e, first->is), r.count)
                              : vsg_jit_read(e, &operand, r.count));
    }
    return all;
}

/* value: of all channels; channels: bits of those that are on, NULL: all count. */
static void write_dwords(vsg_jit_emitter *e, const vsg_jit_dwords *dwords, LLVMValueRef value,
                         LLVMValueRef channels)
{
    uint32_t places[VSG_EXE_MAX_CHANNELS];

    for (uint32_t c = 0; c < e->simd_size;) {
        const vsg_jit_dword *first = &dwords->of[c];
        run r = run_from(e, dwords, c);
        vsg_exe_operand operand = operand_of(first, &r);
        LLVMValueRef own = value, on = channels;
        c += r.count;
        if (!first->is_there)
            continue;
        for (uint32_t i = 0; i < r.count; i++)
            places[i] = r.first + i;
        if (r.count == 1)
            own = LLVMBuildExtractElement(e->b, value, vsg_jit_i32(e, r.first), "");
        else if (r.count < e->simd_size)
            own = shuffle(e, value, LLVMGetPoison(LLVMTypeOf(value)), places, r.count);
        if (on)
            on = LLVMBuildLShr(e->b, on, vsg_jit_i32(e, r.first), "");
        vsg_jit_write(e, &operand, r.count, own, on);
    }
}

/* Both halves of each channel, one behind the other, as numbers. */
static LLVMValueRef read_numbers(vsg_jit_emitter *e, const vsg_jit_dwords *halves)
{
    uint32_t places[2 * VSG_EXE_MAX_CHANNELS], count = e->simd_size;
    LLVMValueRef low = read_dwords(e, &halves[VSG_JIT_LOW]);
    LLVMValueRef high = read_dwords(e, &halves[VSG_JIT_HIGH]);

    for (uint32_t i = 0; i < 2 * count; i++)
        places[i] = i % 2 ? count + i / 2 : i / 2;
    return LLVMBuildBitCast(e->b, shuffle(e, low, high, places, 2 * count),
                            vsg_jit_int(e, BITS, count), "");
}

static LLVMValueRef half_of(vsg_jit_emitter *e, LLVMValueRef numbers, uint32_t half)
{
    uint32_t places[VSG_EXE_MAX_CHANNELS], count = e->simd_size;
    LLVMValueRef dwords =
        LLVMBuildBitCast(e->b, numbers, vsg_jit_int(e, 8 * DWORD, 2 * count), "");

    for (uint32_t i = 0; i < count; i++)
        places[i] = 2 * i + half;
    return shuffle(e, dwords, LLVMGetPoison(LLVMTypeOf(dwords)), places, count);
}

/* ---- the division ------------------------------------------------------------------------ */

static LLVMValueRef all_of(vsg_jit_emitter *e, uint64_t number)
{
    return vsg_jit_splat(e, vsg_jit_i64(e, number), e->simd_size);
}

static LLVMValueRef select_if(vsg_jit_emitter *e, LLVMValueRef condition, LLVMValueRef a,
                              LLVMValueRef b)
{
    return LLVMBuildSelect(e->b, condition, a, b, "");
}

/* a / b in doubles, of a below 2^63 and b from 1 to 2^63 - 1. Numbers, their quotient by way of
 * 1 / b, and so what is found of it are within 2^-50 of the exact ones, relatively. What is
 * left of a after the first time is between -2^13 and b + 2^13; what the second time finds in
 * it is at most 1 away from the quotient. */
static LLVMValueRef divide_doubles(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef number = LLVMTypeOf(a), real = vsg_jit_float(e, VISAGE_TYPE_DF, e->simd_size);
    LLVMValueRef zero = LLVMConstNull(number), one = all_of(e, 1);
    LLVMValueRef by = LLVMBuildSIToFP(e->b, b, real, "");

    by = LLVMBuildFDiv(e->b, LLVMBuildSIToFP(e->b, one, real, ""), by, "");
    LLVMValueRef first = LLVMBuildFMul(e->b, LLVMBuildSIToFP(e->b, a, real, ""), by, "");
    first = LLVMBuildFPToUI(e->b, first, number, "");
    LLVMValueRef left = LLVMBuildSub(e->b, a, LLVMBuildMul(e->b, first, b, ""), "");
    LLVMValueRef second = LLVMBuildFMul(e->b, LLVMBuildSIToFP(e->b, left, real, ""), by, "");
    second = LLVMBuildFPToSI(e->b, second, number, "");
    left = LLVMBuildSub(e->b, left, LLVMBuildMul(e->b, second, b, ""), "");
    LLVMValueRef quotient = LLVMBuildAdd(e->b, first, second, "");
    LLVMValueRef above = LLVMBuildICmp(e->b, LLVMIntSGE, left, b, "");
    LLVMValueRef below = LLVMBuildICmp(e->b, LLVMIntSLT, left, zero, "");
    quotient = LLVMBuildAdd(e->b, quotient, select_if(e, above, one, zero), "");
    return LLVMBuildSub(e->b, quotient, select_if(e, below, one, zero), "");
}

/* Quotient and remainder, of a below 2^63, as the rounds find them: where the divisor is 0 it
 * always fits. */
static void divide(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef *results)
{
    LLVMTypeRef number = LLVMTypeOf(a);
    LLVMValueRef zero = LLVMConstNull(number), quotient;
    LLVMValueRef is_zero = LLVMBuildICmp(e->b, LLVMIntEQ, b, zero, "");
    LLVMValueRef is_huge = LLVMBuildICmp(e->b, LLVMIntSLT, b, zero, "");
    LLVMValueRef by = select_if(e, is_zero, all_of(e, 1), b);

    if (vsg_jit_has_avx512(e)) {
        quotient = divide_doubles(e, a, select_if(e, is_huge, all_of(e, 1), by));
        quotient = select_if(e, is_huge, zero, quotient);
    } else {
        quotient = LLVMBuildUDiv(e->b, a, by, "");
    }
    results[VSG_JIT_DIVISOR] = b;
    results[VSG_JIT_REMAINDER] = LLVMBuildSub(e->b, a, LLVMBuildMul(e->b, quotient, b, ""), "");
    results[VSG_JIT_QUOTIENT] =
        select_if(e, is_zero, all_of(e, UINT64_MAX >> ONE_BIT), quotient);
}

/* ---- around it --------------------------------------------------------------------------- */

static vsg_exe_operand operand_at(const vsg_jit_number *number)
{
    return (vsg_exe_operand){.kind = VSG_EXE_OPERAND_REGION,
                             .bytes = (uint8_t)number->bytes,
                             .shape = VSG_EXE_SHAPE_SCALAR,
                             .offset = number->at};
}

static LLVMValueRef constant(vsg_jit_emitter *e, const vsg_jit_number *number)
{
    uint64_t mask = UINT64_MAX >> (64 - 8 * number->bytes);

    return LLVMConstInt(vsg_jit_int(e, 8 * number->bytes, 1), number->value & mask, false);
}

/* Of numbers of so many bytes. */
static LLVMValueRef absolute(vsg_jit_emitter *e, LLVMValueRef number, uint32_t bytes)
{
    LLVMTypeRef type = LLVMTypeOf(number);
    LLVMValueRef args[] = {number, LLVMConstInt(e->i1, 0, false)};

    if (bytes == DWORD) {
        number = LLVMBuildTrunc(e->b, number, vsg_jit_int(e, 8 * DWORD, e->simd_size), "");
        args[0] = LLVMBuildSExt(e->b, number, type, "");
    }
    return vsg_jit_intrinsic(e, "llvm.abs", type, args, 2);
}

/* Have all channels that are on what the divisor is? */
static LLVMValueRef has_other(vsg_jit_emitter *e, const division *d, LLVMValueRef mask)
{
    LLVMValueRef divisor = read_numbers(e, d->divisor), other = read_numbers(e, d->other);

    if (d->is_absolute)
        other = absolute(e, other, d->other_bytes);
    LLVMValueRef differs = LLVMBuildICmp(e->b, LLVMIntNE, divisor, other, "");
    differs = LLVMBuildAnd(e->b, vsg_jit_bits(e, differs, e->simd_size), mask, "");
    return LLVMBuildICmp(e->b, LLVMIntEQ, differs, vsg_jit_i32(e, 0), "");
}

/* Are there channels, is what was assumed so, and is the budget enough for all rounds? */
static LLVMValueRef can_begin(vsg_jit_emitter *e, const division *d, LLVMValueRef mask)
{
    LLVMValueRef good = LLVMBuildICmp(e->b, LLVMIntNE, mask, vsg_jit_i32(e, 0), "");
    LLVMValueRef done = LLVMBuildLoad2(e->b, e->i64, e->count, "");
    LLVMValueRef most = LLVMBuildLoad2(e->b, e->i64, e->budget, "");
    uint64_t length = d->length;

    for (uint32_t i = 0; i < BITS; i++)
        length += d->lengths[i];
    LLVMValueRef args[] = {done, vsg_jit_i64(e, length)};
    done = vsg_jit_intrinsic(e, "llvm.uadd.sat", e->i64, args, 2);
    good = LLVMBuildAnd(e->b, good, LLVMBuildICmp(e->b, LLVMIntULT, done, most, ""), "");
    for (uint32_t i = 0; i < d->num_assumed; i++) {
        vsg_exe_operand operand = operand_at(&d->assumed[i]);
        LLVMValueRef is_so = LLVMBuildICmp(e->b, LLVMIntEQ, vsg_jit_read(e, &operand, 1),
                                           constant(e, &d->assumed[i]), "");
        good = LLVMBuildAnd(e->b, good, is_so, "");
    }
    if (d->has_other)
        good = LLVMBuildAnd(e->b, good, has_other(e, d, mask), "");
    return good;
}

/* Rounds whose divisor fits in some channel have instructions of their own. */
static LLVMValueRef count_rounds(vsg_jit_emitter *e, const division *d, LLVMValueRef quotient,
                                 LLVMValueRef mask)
{
    LLVMValueRef lanes = vsg_jit_lanes(e, mask, e->simd_size);
    LLVMValueRef own = select_if(e, lanes, quotient, LLVMConstNull(LLVMTypeOf(quotient)));
    LLVMValueRef any = vsg_jit_reduce(e, "llvm.vector.reduce.or", own);
    LLVMValueRef count = vsg_jit_i64(e, d->length);
    uint64_t counted = 0;

    for (uint32_t i = 0; i < BITS; i++) {
        uint64_t bits = 0;
        for (uint32_t n = i; n < BITS && d->lengths[i]; n++)
            bits |= (uint64_t)(d->lengths[n] == d->lengths[i]) << n;
        bits &= ~counted;
        counted |= bits;
        if (!bits)
            continue;
        LLVMValueRef set = LLVMBuildAnd(e->b, any, vsg_jit_i64(e, bits), "");
        set = vsg_jit_intrinsic(e, "llvm.ctpop", e->i64, &set, 1);
        set = LLVMBuildMul(e->b, set, vsg_jit_i64(e, d->lengths[i]), "");
        count = LLVMBuildAdd(e->b, count, set, "");
    }
    return count;
}

/* The numbers that channels have in a part. */
static void write_numbers(vsg_jit_emitter *e, const vsg_jit_divided *to, LLVMValueRef mask)
{
    LLVMValueRef numbers[VSG_EXE_MAX_CHANNELS];

    for (uint32_t c = 0; c < e->simd_size; c++)
        numbers[c] = vsg_jit_i32(e, to->number_of[c]);
    write_dwords(e, &to->numbers, LLVMConstVector(numbers, e->simd_size), mask);
}

static void write_results(vsg_jit_emitter *e, const division *d, LLVMValueRef *results,
                          LLVMValueRef mask)
{
    for (uint32_t i = 0; i < d->num_divided; i++) {
        const vsg_jit_divided *to = &d->divided[i];
        for (uint32_t r = 0; r < VSG_JIT_RESULTS; r++)
            for (uint32_t half = 0; half < VSG_JIT_HALVES; half++)
                write_dwords(e, &to->halves[r][half], half_of(e, results[r], half),
                             to->spoils ? NULL : mask);
        write_numbers(e, to, to->spoils ? NULL : mask);
        vsg_jit_restore_row(e, to->part, false);
    }
    for (uint32_t i = 0; i < d->num_numbers; i++) {
        vsg_exe_operand operand = operand_at(&d->numbers[i]);
        vsg_jit_write(e, &operand, 1, constant(e, &d->numbers[i]), NULL);
        vsg_jit_restore_row(e, e->part_of[d->numbers[i].at], false);
    }
}

void vsg_jit_emit_division(vsg_jit_emitter *e, uint32_t place)
{
    const division *d = e->divisions ? e->divisions[place] : NULL;
    LLVMValueRef results[VSG_JIT_RESULTS], one_bit;

    if (!d)
        return;
    LLVMBasicBlockRef quick = vsg_jit_block(e), slow = vsg_jit_block(e);
    LLVMValueRef mask = LLVMBuildLoad2(e->b, e->i32, e->mask, "");
    vsg_jit_likely(e, LLVMBuildCondBr(e->b, can_begin(e, d, mask), quick, slow));
    vsg_jit_go_on(e, quick);
    one_bit = all_of(e, ONE_BIT);
    LLVMValueRef dividend = LLVMBuildLShr(e->b, read_numbers(e, d->dividend), one_bit, "");
    divide(e, dividend, read_numbers(e, d->divisor), results);
    results[VSG_JIT_QUOTIENT] = LLVMBuildShl(e->b, results[VSG_JIT_QUOTIENT], one_bit, "");
    LLVMValueRef count = LLVMBuildLoad2(e->b, e->i64, e->count, "");
    count = LLVMBuildAdd(e->b, count, count_rounds(e, d, results[VSG_JIT_QUOTIENT], mask), "");
    LLVMBuildStore(e->b, count, e->count);
    write_results(e, d, results, mask);
    LLVMBuildBr(e->b, e->blocks[d->head]);
    vsg_jit_go_on(e, slow);
}
