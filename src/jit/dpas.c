/* SPDX-License-Identifier: MIT
 *
 * DPAS on bytes, BF, HF and TF32, in the order of exec_dpas.c: the accumulators of a row are a
 * vector over the channels, to which each dword of the row's src2 adds its products with the
 * dwords that the channels have in src1. */
#include <string.h>

#include "exec/operand.h"
#include "isa/dpas.h"
#include "jit/lowering.h"

enum { MOST_ROWS = 8, MOST_DEPTH = 8 };

typedef struct matrix {
    vsg_isa_dpas facts;
    uint32_t count;                      /* channels */
    LLVMValueRef weights[2][MOST_DEPTH]; /* of src1: halves of the dwords of a depth, or all */
    vsg_jit_byte_products products;      /* activations first */
    LLVMValueRef begin;                  /* of products of bytes: of each row, besides src0 */
    LLVMValueRef rows[MOST_ROWS];
} matrix;

/* For each channel element k of a vector. */
static LLVMValueRef broadcast(vsg_jit_emitter *e, LLVMValueRef value, uint32_t k,
                              uint32_t count)
{
    LLVMValueRef places[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < count; i++)
        places[i] = vsg_jit_i32(e, k);
    return LLVMBuildShuffleVector(e->b, value, LLVMGetPoison(LLVMTypeOf(value)),
                                  LLVMConstVector(places, count), "");
}

static LLVMValueRef read_row(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t skip,
                             uint32_t bytes, uint32_t count)
{
    vsg_exe_operand region = vsg_jit_raw(operand, skip, bytes);

    return vsg_jit_read(e, &region, count);
}

/* ---- bytes ------------------------------------------------------------------------------- */

static bool is_signed(uint32_t precision)
{
    return precision == VSG_ISA_PRECISION_S8;
}

static bool is_bytes(uint32_t precision)
{
    return precision == VSG_ISA_PRECISION_S8 || precision == VSG_ISA_PRECISION_U8;
}

static void begin_fours(vsg_jit_emitter *e, matrix *m)
{
    m->products = vsg_jit_plan_bytes(is_signed(m->facts.activations),
                                     is_signed(m->facts.weights), m->count);
    m->begin = LLVMConstNull(vsg_jit_int(e, 32, m->count));
    for (uint32_t d = 0; d < m->facts.depth; d++)
        m->begin = vsg_jit_begin_bytes(e, &m->products, m->begin, m->weights[0][d]);
}

static LLVMValueRef sum_fours(vsg_jit_emitter *e, const matrix *m, LLVMValueRef row,
                              LLVMValueRef total)
{
    row = vsg_jit_turn_bytes(e, &m->products, row);
    total = LLVMBuildAdd(e->b, total, m->begin, "");
    for (uint32_t d = 0; d < m->facts.depth; d++)
        total = vsg_jit_add_bytes(e, &m->products, total, broadcast(e, row, d, m->count),
                                  m->weights[0][d]);
    return total;
}

static LLVMValueRef sum_bytes(vsg_jit_emitter *e, const vsg_exe_inst *inst, const matrix *m,
                              uint32_t r, LLVMValueRef total)
{
    uint32_t depth = m->facts.depth;
    LLVMValueRef row = read_row(e, &inst->src[2], 4 * r * depth, 4, depth);

    if (e->has_byte_products)
        return sum_fours(e, m, row, total);
    for (uint32_t odd = 0; odd < 2; odd++) {
        LLVMValueRef words =
            vsg_jit_bytes_of(e, row, odd, is_signed(m->facts.activations), depth);
        for (uint32_t d = 0; d < depth; d++)
            total = LLVMBuildAdd(e->b, total,
                                 vsg_jit_multiply_words(e, broadcast(e, words, d, m->count),
                                                        m->weights[odd][d], m->count),
                                 "");
    }
    return total;
}

/* ---- floats ------------------------------------------------------------------------------ */

/* The lower or the upper half of dwords as F; TF32 is the dword itself. */
static LLVMValueRef to_floats(vsg_jit_emitter *e, LLVMValueRef dwords, bool upper,
                              uint32_t precision, uint32_t count)
{
    LLVMValueRef by = vsg_jit_splat(e, vsg_jit_i32(e, 16), count);
    uint32_t kept = precision == VSG_ISA_PRECISION_TF32 ? 0xffffe000 : 0xffff0000;
    LLVMValueRef mask = vsg_jit_splat(e, vsg_jit_i32(e, kept), count);

    if (precision == VSG_ISA_PRECISION_HF) {
        if (upper)
            dwords = LLVMBuildLShr(e->b, dwords, by, "");
        dwords = LLVMBuildTrunc(e->b, dwords, vsg_jit_int(e, 16, count), "");
        return vsg_jit_widen(e, dwords, VISAGE_TYPE_HF, VISAGE_TYPE_F, count);
    }
    if (precision == VSG_ISA_PRECISION_BF && !upper)
        dwords = LLVMBuildShl(e->b, dwords, by, "");
    else
        dwords = LLVMBuildAnd(e->b, dwords, mask, "");
    return vsg_jit_widen(e, dwords, VISAGE_TYPE_F, VISAGE_TYPE_F, count);
}

static LLVMValueRef sum_floats(vsg_jit_emitter *e, const vsg_exe_inst *inst, const matrix *m,
                               uint32_t r, LLVMValueRef total)
{
    uint32_t depth = m->facts.depth;
    LLVMValueRef row = read_row(e, &inst->src[2], 4 * r * depth, 4, depth), halves[2];

    for (uint32_t h = 0; h < m->facts.ops; h++)
        halves[h] = to_floats(e, row, h != 0, m->facts.activations, depth);
    for (uint32_t d = 0; d < depth; d++) {
        LLVMValueRef in[] = {m->weights[0][d], broadcast(e, halves[0], d, m->count), NULL};
        in[2] = vsg_jit_operate(e, VSG_JIT_MUL, VISAGE_TYPE_F, in, m->count, VSG_EXE_RNE);
        if (m->facts.ops == 2) {
            in[0] = m->weights[1][d];
            in[1] = broadcast(e, halves[1], d, m->count);
            in[2] = vsg_jit_operate(e, VSG_JIT_FMA, VISAGE_TYPE_F, in, m->count, VSG_EXE_RNE);
        }
        total = LLVMBuildFAdd(e->b, total, in[2], "");
    }
    return total;
}

/* ---- rows -------------------------------------------------------------------------------- */

static uint32_t bytes_of(const vsg_exe_operand *operand)
{
    return operand->type == VISAGE_TYPE_HF || operand->type == VISAGE_TYPE_BF ? 2 : 4;
}

static LLVMValueRef first_total(vsg_jit_emitter *e, const vsg_exe_inst *inst, const matrix *m,
                                uint32_t r)
{
    const vsg_exe_operand *from = &inst->src[0];
    uint32_t bytes = bytes_of(from);
    LLVMTypeRef type = m->facts.is_float ? vsg_jit_float(e, VISAGE_TYPE_F, m->count)
                                         : vsg_jit_int(e, 32, m->count);

    if (from->is_null)
        return LLVMConstNull(type);
    LLVMValueRef bits = read_row(e, from, r * m->count * bytes, bytes, m->count);
    if (!m->facts.is_float)
        return bits;
    return vsg_jit_widen(e, bits, (visage_type)from->type, VISAGE_TYPE_F, m->count);
}

static void unpack_weights(vsg_jit_emitter *e, const vsg_exe_inst *inst, matrix *m)
{
    uint32_t halves = m->facts.is_float ? m->facts.ops : 2;

    for (uint32_t d = 0; d < m->facts.depth; d++) {
        LLVMValueRef dwords = read_row(e, &inst->src[1], 4 * d * m->count, 4, m->count);
        if (!m->facts.is_float && e->has_byte_products) {
            m->weights[0][d] = dwords;
            continue;
        }
        for (uint32_t h = 0; h < halves; h++)
            m->weights[h][d] =
                m->facts.is_float
                    ? to_floats(e, dwords, h, m->facts.weights, m->count)
                    : vsg_jit_bytes_of(e, dwords, h, is_signed(m->facts.weights), m->count);
    }
}

static bool is_matrix(const vsg_exe_operand *operand)
{
    return operand->kind == VSG_EXE_OPERAND_REGION && !operand->shared;
}

static bool has_precision(const vsg_isa_dpas *facts)
{
    uint32_t precision = facts->weights;

    if (!facts->is_float)
        return is_bytes(precision) && is_bytes(facts->activations);
    return precision == facts->activations &&
           (precision == VSG_ISA_PRECISION_BF || precision == VSG_ISA_PRECISION_HF ||
            precision == VSG_ISA_PRECISION_TF32);
}

static bool can_lower(const vsg_jit_emitter *e, const vsg_exe_inst *inst,
                      const vsg_isa_dpas *facts)
{
    uint32_t count = inst->exec_size;
    bool is_plain = vsg_jit_can_round(e) && vsg_jit_fits_mode(e, inst) &&
                    vsg_jit_rounding(e) == VSG_EXE_RNE;
    /* 16 channels of bytes take the wider products; eight take those of AVX2. */
    bool has_products = vsg_jit_has_avx512(e);

    return inst->op == VISAGE_OP_DPAS && (count == 8 || count == 16) && facts->depth > 1 &&
           facts->depth <= MOST_DEPTH && facts->count <= MOST_ROWS && has_precision(facts) &&
           (facts->is_float ? is_plain : has_products) && is_matrix(&inst->dst) &&
           !inst->dst.is_null && (inst->src[0].is_null || is_matrix(&inst->src[0])) &&
           is_matrix(&inst->src[1]) && is_matrix(&inst->src[2]);
}

bool vsg_jit_lower_dpas(vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    matrix m = {.facts = vsg_isa_dpas_unpack(inst->control), .count = inst->exec_size};
    uint32_t bytes = bytes_of(&inst->dst);

    if (!can_lower(e, inst, &m.facts))
        return false;
    unpack_weights(e, inst, &m);
    if (!m.facts.is_float && e->has_byte_products)
        begin_fours(e, &m);
    for (uint32_t r = 0; r < m.facts.count; r++) {
        LLVMValueRef total = first_total(e, inst, &m, r);
        if (m.facts.is_float) {
            total = sum_floats(e, inst, &m, r, total);
            total = vsg_jit_flush(e, total, VISAGE_TYPE_F, m.count);
            m.rows[r] = vsg_jit_narrow(e, total, VISAGE_TYPE_F, (visage_type)inst->dst.type,
                                       m.count, VSG_EXE_RNE);
        } else {
            m.rows[r] = sum_bytes(e, inst, &m, r, total);
        }
    }
    for (uint32_t r = 0; r < m.facts.count; r++) {
        vsg_exe_operand row = vsg_jit_raw(&inst->dst, r * m.count * bytes, bytes);
        vsg_jit_write(e, &row, m.count, m.rows[r], vsg_jit_channels(e, inst));
    }
    return true;
}
