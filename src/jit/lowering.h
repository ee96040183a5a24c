/* SPDX-License-Identifier: MIT
 *
 * What the files that make code for operations share: numbers of operands. */
#ifndef VISAGE_JIT_LOWERING_H
#define VISAGE_JIT_LOWERING_H

#include "jit/emit.h"

bool vsg_jit_is_integer(uint32_t type);
bool vsg_jit_is_signed(const vsg_exe_operand *operand);
/* Is the operand a region or an immediate? */
bool vsg_jit_has_values(const vsg_exe_operand *operand);
/* F, DF, HF or BF. */
bool vsg_jit_is_float(uint32_t type);
/* Are all operands integers that compiled code reads and writes? And is nothing saturated? */
bool vsg_jit_from_integers(const vsg_exe_inst *inst);
bool vsg_jit_all_integers(const vsg_exe_inst *inst);

/* From `from` bits to `to`. */
LLVMValueRef vsg_jit_extend(vsg_jit_emitter *e, LLVMValueRef value, uint32_t from, uint32_t to,
                            uint32_t count, bool is_signed);
/* The low `bits` of a source's values, modifiers applied. */
LLVMValueRef vsg_jit_read_int(vsg_jit_emitter *e, const vsg_exe_operand *operand,
                              uint32_t count, uint32_t bits);
/* How many bits hold the values of the first sources, and whether as signed numbers. */
void vsg_jit_values(const vsg_exe_inst *inst, uint32_t num_sources, uint32_t *bits,
                    bool *is_signed);
/* A signed number of `bits`, more than the type has, to the limits of an integer type. */
LLVMValueRef vsg_jit_clamp(vsg_jit_emitter *e, LLVMValueRef value, uint32_t bits,
                           visage_type type, uint32_t count);
/* The sum or product of ADD, ADD3, MUL; of all others src0 * src1 + src2. */
LLVMValueRef vsg_jit_combine(vsg_jit_emitter *e, visage_op op, LLVMValueRef *in);

/* What AND, OR, XOR and BFN make of bits: bit n of a table is the result where the sources have
 * the bits of n, the first one the lowest; of two sources the third makes no difference. */
enum {
    VSG_JIT_TABLE_AND = 0x88,
    VSG_JIT_TABLE_OR = 0xee,
    VSG_JIT_TABLE_XOR = 0x66,
    VSG_JIT_NO_TABLE = 0x100
};
uint32_t vsg_jit_table_of(const vsg_exe_inst *inst);
LLVMValueRef vsg_jit_by_table(vsg_jit_emitter *e, uint32_t table, const LLVMValueRef in[3]);

/* Numbers of `bits` to a destination of any width, on the instruction's channels. */
void vsg_jit_write_int(vsg_jit_emitter *e, const vsg_exe_inst *inst, const vsg_exe_operand *dst,
                       LLVMValueRef value, uint32_t bits, bool is_signed);

/* ---- floats (float.c) -------------------------------------------------------------------- */

/* The type that an instruction computes in: F, of halves too, or DF. */
visage_type vsg_jit_float_class(const vsg_exe_inst *inst);
/* Are all sources floats that the next reads? */
bool vsg_jit_all_floats(const vsg_exe_inst *inst);
/* Modifiers on the sign bits of floats. */
LLVMValueRef vsg_jit_modify_float(vsg_jit_emitter *e, const vsg_exe_operand *operand,
                                  LLVMValueRef bits, uint32_t count);
/* A source's values, modifiers applied, in a type at least as wide, F or DF. */
LLVMValueRef vsg_jit_read_float(vsg_jit_emitter *e, const vsg_exe_operand *operand,
                                uint32_t count, visage_type type);
/* Bits of a float's own type as F or DF. */
LLVMValueRef vsg_jit_widen(vsg_jit_emitter *e, LLVMValueRef bits, visage_type from,
                           visage_type type, uint32_t count);
/* To bits of any other type, in a rounding: to a float, or an integer, towards zero. */
LLVMValueRef vsg_jit_narrow(vsg_jit_emitter *e, LLVMValueRef value, visage_type type,
                            visage_type to, uint32_t count, vsg_exe_rounding rounding);
/* Can vsg_jit_narrow() do so in this rounding? */
bool vsg_jit_can_narrow(const vsg_jit_emitter *e, visage_type to, vsg_exe_rounding rounding);
/* To [0, 1]; NaN and -0 become 0. */
LLVMValueRef vsg_jit_saturate(vsg_jit_emitter *e, LLVMValueRef value);
/* Can the instruction's result, in the type it computes in, be written by the next? */
bool vsg_jit_can_write_float(const vsg_jit_emitter *e, const vsg_exe_inst *inst);
void vsg_jit_write_float(vsg_jit_emitter *e, const vsg_exe_inst *inst, LLVMValueRef value);

bool vsg_jit_has_avx512(const vsg_jit_emitter *e);
bool vsg_jit_has_avx2(const vsg_jit_emitter *e);

/* ---- bytes (dot.c) -------------------------------------------------------------- */

/* The even or the odd bytes of dwords, at most 16, extended to words. */
LLVMValueRef vsg_jit_bytes_of(vsg_jit_emitter *e, LLVMValueRef dwords, bool odd, bool is_signed,
                              uint32_t count);
/* The sums of the products of both words of dwords, 8 or 16 of them. Needs AVX-512. */
LLVMValueRef vsg_jit_multiply_words(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b,
                                    uint32_t count);

/* Sums of the four products of the bytes of dwords, 8 or 16 of them, by AVX-512's VNNI, which
 * has one kind of signs: bytes of one source that need it have theirs turned, which adds 128 to
 * each or takes it away, and what that does to the sums is taken back by what they begin with.
 * Needs e->has_byte_products. */
typedef struct vsg_jit_byte_products {
    bool turns;     /* the first source's bytes */
    bool swaps;     /* that one has the signs */
    uint32_t count; /* dwords */
} vsg_jit_byte_products;

/* first_signed, second_signed: has a source bytes with a sign? */
vsg_jit_byte_products vsg_jit_plan_bytes(bool first_signed, bool second_signed, uint32_t count);
/* The first source as the others take it. */
LLVMValueRef vsg_jit_turn_bytes(vsg_jit_emitter *e, const vsg_jit_byte_products *plan,
                                LLVMValueRef first);
/* What sums begin with, instead of `sum`, for products with each dword of the second source. */
LLVMValueRef vsg_jit_begin_bytes(vsg_jit_emitter *e, const vsg_jit_byte_products *plan,
                                 LLVMValueRef sum, LLVMValueRef second);
/* With the products of both, the first one turned. */
LLVMValueRef vsg_jit_add_bytes(vsg_jit_emitter *e, const vsg_jit_byte_products *plan,
                               LLVMValueRef sum, LLVMValueRef first, LLVMValueRef second);

/* ---- denormals (flush.c) ----------------------------------------------------------------- */

/* Does the host, while the unit's code runs, treat denormals of an instruction's types as %cr0
 * says at it? Halves never mind. */
bool vsg_jit_fits_mode(const vsg_jit_emitter *e, const vsg_exe_inst *inst);
/* Bits of a float's own type, denormals replaced by zeros of their sign. */
LLVMValueRef vsg_jit_drop_denormals(vsg_jit_emitter *e, LLVMValueRef bits, visage_type type,
                                    uint32_t count);
/* The same of halves where %cr0 says so; other types are left alone. */
LLVMValueRef vsg_jit_flush_half(vsg_jit_emitter *e, LLVMValueRef bits, visage_type type,
                                uint32_t count);
/* A source of an operation that flushes in a host that does: LLVM computes nothing with it. */
LLVMValueRef vsg_jit_hide(vsg_jit_emitter *e, LLVMValueRef value);
/* Denormals of F or DF become zeros in code that flushes, for all else. */
LLVMValueRef vsg_jit_flush(vsg_jit_emitter *e, LLVMValueRef value, visage_type type,
                           uint32_t count);

/* ---- rounding (rounding.c) --------------------------------------------------------------- */

/* Is the mode known? */
static inline bool vsg_jit_can_round(const vsg_jit_emitter *e)
{
    return e->notes[e->place].is_plain;
}
static inline vsg_exe_rounding vsg_jit_rounding(const vsg_jit_emitter *e)
{
    return (vsg_exe_rounding)e->notes[e->place].rounding;
}

typedef enum vsg_jit_operation {
    VSG_JIT_ADD,
    VSG_JIT_MUL,
    VSG_JIT_DIV,
    VSG_JIT_FMA,
    VSG_JIT_SQRT
} vsg_jit_operation;

/* type: F or DF. */
LLVMValueRef vsg_jit_operate(vsg_jit_emitter *e, vsg_jit_operation operation, visage_type type,
                             LLVMValueRef *in, uint32_t count, vsg_exe_rounding rounding);
typedef struct vsg_jit_integers {
    LLVMValueRef value;
    uint32_t bits; /* of each, up to 64 */
    bool is_signed;
} vsg_jit_integers;

LLVMValueRef vsg_jit_from_int(vsg_jit_emitter *e, const vsg_jit_integers *from,
                              visage_type type, uint32_t count, vsg_exe_rounding rounding);
LLVMValueRef vsg_jit_double_to_float(vsg_jit_emitter *e, LLVMValueRef value, uint32_t count,
                                     vsg_exe_rounding rounding);
LLVMValueRef vsg_jit_float_to_half(vsg_jit_emitter *e, LLVMValueRef value, uint32_t count,
                                   vsg_exe_rounding rounding);
/* x 2^n of F, rounded once, n whole. Needs AVX-512. */
LLVMValueRef vsg_jit_scale(vsg_jit_emitter *e, LLVMValueRef x, LLVMValueRef n, uint32_t count);
/* What a table of 8 bits has for the bits of three vectors of whole 64 bytes; the first one's
 * are the highest of an index. Needs AVX-512. */
LLVMValueRef vsg_jit_look_up(vsg_jit_emitter *e, const LLVMValueRef in[3], uint8_t table);
/* 1/sqrt(x) of F within 2^-14, relatively, and exact of zeros, infinity and what has none; for
 * hosts with AVX-512. */
LLVMValueRef vsg_jit_estimate_rsqrt(vsg_jit_emitter *e, LLVMValueRef x, uint32_t count);
/* y, or what 1/sqrt(x) is of zeros, infinities, NaNs and what is below zero. Needs AVX-512,
 * too.
 */
LLVMValueRef vsg_jit_settle_rsqrt(vsg_jit_emitter *e, LLVMValueRef x, LLVMValueRef y,
                                  uint32_t count);
/* Of two neighbours in F, or the same number twice, the odd one: what is then rounded to fewer
 * digits is rounded as the number between them is. */
LLVMValueRef vsg_jit_choose_odd(vsg_jit_emitter *e, LLVMValueRef down, LLVMValueRef up,
                                uint32_t count);
/* The sum of two in F to nearest, or its odd neighbour on the side of the exact sum where it is
 * not that: as above. What is lost in it has to be a number in F, so sums must not be too large
 * for F, nor terms have digits below its least number. */
LLVMValueRef vsg_jit_add_to_odd(vsg_jit_emitter *e, LLVMValueRef a, LLVMValueRef b,
                                uint32_t count);
#endif
