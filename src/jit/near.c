/* SPDX-License-Identifier: MIT */
#include "jit/near.h"

#include "jit/lowering.h"
#include "jit/shuffle.h"

enum { FEW_LANES = 16, MANY_LANES = 32 };

bool vsg_jit_can_be_near(const vsg_jit_emitter *e, const vsg_jit_transfer *t)
{
    if (t->is_store || !t->is_guess || !t->is_dense || t->channels || t->per_channel != 1 ||
        t->step != t->memory || (t->chunk != FEW_LANES && t->chunk != MANY_LANES))
        return false;
    return (t->memory == 1 && t->chunk == FEW_LANES) ||
           (t->memory <= 4 && vsg_jit_has_avx512(e));
}

static LLVMValueRef offsets_of(vsg_jit_emitter *e, const vsg_jit_section *s)
{
    return LLVMBuildSub(e->b, s->addresses, vsg_jit_splat(e, s->start, s->count), "");
}

/* The lesser address of the first and the last lane: they mostly rise, or fall. */
static LLVMValueRef start_of(vsg_jit_emitter *e, const vsg_jit_section *s)
{
    LLVMValueRef ends[] = {
        LLVMBuildExtractElement(e->b, s->addresses, vsg_jit_i32(e, 0), ""),
        LLVMBuildExtractElement(e->b, s->addresses, vsg_jit_i32(e, s->count - 1), "")};

    return vsg_jit_intrinsic(e, "llvm.umin", e->i64, ends, 2);
}

LLVMValueRef vsg_jit_are_near(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                              vsg_jit_section *sections, uint32_t count)
{
    LLVMValueRef all = NULL;

    for (uint32_t i = 0; i < count; i++) {
        vsg_jit_section *s = &sections[i];
        s->start = start_of(e, s);
        all = all ? LLVMBuildOr(e->b, all, offsets_of(e, s), "") : offsets_of(e, s);
    }
    uint32_t lanes = sections[0].count;
    LLVMValueRef beyond = vsg_jit_i64(e, ~(uint64_t)((lanes - 1) * t->memory));
    beyond = LLVMBuildAnd(e->b, all, vsg_jit_splat(e, beyond, lanes), "");
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(beyond));
    LLVMValueRef bits =
        vsg_jit_bits(e, LLVMBuildICmp(e->b, LLVMIntNE, beyond, none, ""), lanes);
    return LLVMBuildICmp(e->b, LLVMIntEQ, bits, vsg_jit_i32(e, 0), "");
}

static LLVMValueRef permute(vsg_jit_emitter *e, const char *name, LLVMValueRef row,
                            LLVMValueRef lanes)
{
    LLVMValueRef args[] = {row, lanes};

    return vsg_jit_overloaded(e, name, NULL, 0, args, 2);
}

/* Which of the row's elements each lane has, in so many bits. */
static LLVMValueRef lanes_of(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                             const vsg_jit_section *s, uint32_t bits)
{
    uint64_t shift = (uint64_t)__builtin_ctz(t->memory);
    LLVMValueRef by = vsg_jit_splat(e, vsg_jit_i64(e, shift), s->count);

    return LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, offsets_of(e, s), by, ""),
                          vsg_jit_int(e, bits, s->count), "");
}

/* 32 dwords are in two registers. */
static LLVMValueRef spread_dwords(vsg_jit_emitter *e, const vsg_jit_section *s,
                                  LLVMValueRef row, LLVMValueRef lanes)
{
    LLVMValueRef halves[2];

    if (s->count == FEW_LANES)
        return permute(e, "llvm.x86.avx512.permvar.si.512", row, lanes);
    for (uint32_t i = 0; i < 2; i++) {
        LLVMValueRef args[] = {vsg_jit_take_lanes(e, row, 0, 1, FEW_LANES),
                               vsg_jit_take_lanes(e, lanes, i * FEW_LANES, 1, FEW_LANES),
                               vsg_jit_take_lanes(e, row, FEW_LANES, 1, FEW_LANES)};
        halves[i] = vsg_jit_overloaded(e, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0, args, 3);
    }
    return vsg_jit_append(e, halves[0], halves[1]);
}

LLVMValueRef vsg_jit_spread_row(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                const vsg_jit_section *s, LLVMValueRef row)
{
    const char *words = s->count == FEW_LANES ? "llvm.x86.avx512.permvar.hi.256"
                                              : "llvm.x86.avx512.permvar.hi.512";

    if (t->memory == 4)
        return spread_dwords(e, s, row, lanes_of(e, t, s, 32));
    if (t->memory == 2)
        return permute(e, words, row, lanes_of(e, t, s, 16));
    if (s->count == FEW_LANES)
        return permute(e, "llvm.x86.ssse3.pshuf.b.128", row, lanes_of(e, t, s, 8));
    LLVMTypeRef wide = vsg_jit_int(e, 16, s->count);
    row = permute(e, words, LLVMBuildZExt(e->b, row, wide, ""), lanes_of(e, t, s, 16));
    return LLVMBuildTrunc(e->b, row, vsg_jit_int(e, 8, s->count), "");
}
