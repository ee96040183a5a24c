/* SPDX-License-Identifier: MIT
 *
 * DPAS: D = C + A x B, where src0 is C, src1 is B and src2 is A. All operands are plain bytes
 * of registers; the names below are the page's. The sums are made in its order: the products of
 * one dword of src1 are summed, and that sum is added to the accumulator, depth by depth. In
 * floats the first is a chain of fused multiply-adds and the second one addition, of F each,
 * since the page gives no precision; products of BF, HF, TF32 and BF8 are exact in F. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "exec/handlers.h"
#include "exec/operand.h"
#include "isa/dpas.h"

/* ---- preparation ------------------------------------------------------------------------ */

static bool is_known(const vsg_isa_dpas *facts)
{
    return facts->weights != VSG_ISA_PRECISION_HF8 &&
           facts->activations != VSG_ISA_PRECISION_HF8;
}

/* src2 is a vector operand whose region means nothing. */
static bool decode_activations(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                               uint32_t bytes, vsg_exe_operand *out)
{
    enum { DWORD_BYTES = 4 };
    const vsg_obj_operand *operand = vsg_exe_find(inst, "src2");

    assert(operand && operand->class_ == VSG_OBJ_CLASS_GENERAL);
    vsg_obj_operand flat = *operand;
    flat.v_stride = 1;
    flat.width = 1;
    flat.h_stride = 1;
    return vsg_exe_decode(builder, inst, &flat, (bytes + DWORD_BYTES - 1) / DWORD_BYTES, out);
}

static bool prepare(vsg_exe_builder *builder, const vsg_obj_inst *inst, bool is_wide,
                    vsg_exe_inst *out)
{
    out->control = (uint32_t)vsg_exe_number(inst, "info");
    vsg_isa_dpas facts = vsg_isa_dpas_unpack(out->control);

    if (!is_known(&facts))
        return vsg_exe_reject(builder, inst, "no format is given for HF8");
    uint32_t bytes =
        is_wide ? vsg_isa_dpas_shared_bytes(&facts) : vsg_isa_dpas_activation_bytes(&facts);
    out->num_sources = 3;
    return vsg_exe_decode_raw(builder, inst, vsg_exe_find(inst, "dst"), &out->dst) &&
           vsg_exe_decode_raw(builder, inst, vsg_exe_find(inst, "src0"), &out->src[0]) &&
           vsg_exe_decode_raw(builder, inst, vsg_exe_find(inst, "src1"), &out->src[1]) &&
           decode_activations(builder, inst, bytes, &out->src[2]);
}

bool vsg_exe_prepare_dpas(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_inst *out)
{
    return prepare(builder, inst, false, out);
}

bool vsg_exe_prepare_dpasw(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                           vsg_exe_inst *out)
{
    builder->program->has_pairs = true;
    builder->unit->has_barrier = true;
    if (!prepare(builder, inst, true, out))
        return false;
    vsg_isa_dpas facts = vsg_isa_dpas_unpack(out->control);
    assert(vsg_isa_dpas_shared_bytes(&facts) <= VSG_EXE_OFFER_BYTES);
    (void)facts;
    return true;
}

uint32_t vsg_exe_dpas_bytes(const vsg_exe_inst *inst, uint32_t operand)
{
    vsg_isa_dpas facts = vsg_isa_dpas_unpack(inst->control);

    switch (operand) {
    case 0:
        return inst->exec_size * facts.count * inst->dst.bytes;
    case 1:
        return inst->exec_size * facts.count * inst->src[0].bytes;
    case 2:
        return inst->exec_size * vsg_isa_dpas_weight_bytes(&facts);
    default:
        return inst->op == VISAGE_OP_DPASW ? vsg_isa_dpas_shared_bytes(&facts)
                                           : vsg_isa_dpas_activation_bytes(&facts);
    }
}

/* ---- elements --------------------------------------------------------------------------- */

/* Element `i` of a string of elements of `bits` bits, from bit 0 of byte 0 on. */
static uint32_t element(const uint8_t *at, uint32_t i, uint32_t bits)
{
    uint32_t value = 0;

    if (bits < 8)
        return (uint32_t)at[i * bits / 8] >> (i * bits % 8) & ((1u << bits) - 1);
    memcpy(&value, at + (size_t)i * (bits / 8), bits / 8);
    return value;
}

static int32_t to_int(uint32_t value, uint32_t precision)
{
    bool is_signed = precision == VSG_ISA_PRECISION_S2 || precision == VSG_ISA_PRECISION_S4 ||
                     precision == VSG_ISA_PRECISION_S8;
    uint32_t above = 32 - vsg_isa_precision(precision).bits;

    return is_signed ? (int32_t)(value << above) >> above : (int32_t)value;
}

static float to_float(uint32_t value, uint32_t precision)
{
    float number;

    switch (precision) {
    case VSG_ISA_PRECISION_BF:
        return vsg_exe_bf16_to_float((uint16_t)value);
    case VSG_ISA_PRECISION_HF:
        return vsg_exe_half_to_float((uint16_t)value);
    case VSG_ISA_PRECISION_BF8:
        return vsg_exe_half_to_float(vsg_exe_bf8_to_half((uint8_t)value));
    default:
        value &= 0xffffe000; /* the 19 bits of TF32 */
        memcpy(&number, &value, sizeof number);
        return number;
    }
}

/* The elements of src1 that channel `i` uses at a depth; each channel's stand in a column of
 * dwords, each row of which is exec_size dwords. */
static uint32_t weight(const vsg_isa_dpas *facts, const uint8_t *src1, uint32_t exec_size,
                       uint32_t i, uint32_t k)
{
    uint32_t bits = facts->weight_bits;
    uint32_t in_dword = 32 / bits;
    const uint8_t *dword = src1 + 4u * ((size_t)(k / in_dword) * exec_size + i);

    return element(dword, k % in_dword, bits);
}

static uint32_t activation(const vsg_isa_dpas *facts, const uint8_t *src2, uint32_t row,
                           uint32_t k)
{
    uint32_t in_row = facts->depth * facts->ops;
    return element(src2, row * in_row + k, facts->activation_bits);
}

/* ---- sums ------------------------------------------------------------------------------- */

static uint32_t sum_ints(const vsg_isa_dpas *facts, uint32_t total, const int32_t *a,
                         const int32_t *b)
{
    for (uint32_t k = 0; k < facts->depth * facts->ops; k++)
        total += (uint32_t)(a[k] * b[k]);
    return total;
}

static float sum_floats(const vsg_isa_dpas *facts, float total, const float *a, const float *b)
{
    for (uint32_t d = 0; d < facts->depth; d++) {
        float products = a[0] * b[0];
        for (uint32_t k = 1; k < facts->ops; k++)
            products = fmaf(a[k], b[k], products);
        total += products;
        a += facts->ops;
        b += facts->ops;
    }
    return total;
}

/* ---- accumulators ----------------------------------------------------------------------- */

static uint32_t bytes_of(const vsg_exe_operand *operand)
{
    return operand->type == VISAGE_TYPE_HF || operand->type == VISAGE_TYPE_BF ? 2 : 4;
}

static uint32_t load(const uint8_t *at, const vsg_exe_operand *operand, uint32_t i)
{
    return operand->is_null ? 0 : element(at, i, bytes_of(operand) * 8);
}

static float load_float(const uint8_t *at, const vsg_exe_operand *operand, uint32_t i)
{
    uint32_t bits = load(at, operand, i);
    float value;

    if (operand->is_null)
        return 0.0f;
    if (operand->type == VISAGE_TYPE_HF)
        return vsg_exe_half_to_float((uint16_t)bits);
    if (operand->type == VISAGE_TYPE_BF)
        return vsg_exe_bf16_to_float((uint16_t)bits);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t float_bits(const vsg_exe_thread *thread, const vsg_exe_operand *operand,
                           float value)
{
    uint32_t bits;

    if (operand->type == VISAGE_TYPE_HF)
        return vsg_exe_float_to_half(value, (vsg_exe_rounding)thread->rounding);
    if (operand->type == VISAGE_TYPE_BF)
        return vsg_exe_float_to_bf16(value, (vsg_exe_rounding)thread->rounding);
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- the handler ------------------------------------------------------------------------ */

enum { MAX_ROWS = 8, MAX_K = 64 };

/* Elements of the matrices, unpacked: row r of A, column i of B. */
typedef union numbers {
    int32_t i[MAX_K];
    float f[MAX_K];
} numbers;

static void unpack_row(const vsg_isa_dpas *facts, const uint8_t *src2, uint32_t row,
                       numbers *out)
{
    for (uint32_t k = 0; k < facts->depth * facts->ops; k++) {
        uint32_t bits = activation(facts, src2, row, k);
        if (facts->is_float)
            out->f[k] = to_float(bits, facts->activations);
        else
            out->i[k] = to_int(bits, facts->activations);
    }
}

static void unpack_column(const vsg_isa_dpas *facts, const uint8_t *src1, uint32_t exec_size,
                          uint32_t column, numbers *out)
{
    for (uint32_t k = 0; k < facts->depth * facts->ops; k++) {
        uint32_t bits = weight(facts, src1, exec_size, column, k);
        if (facts->is_float)
            out->f[k] = to_float(bits, facts->weights);
        else
            out->i[k] = to_int(bits, facts->weights);
    }
}

static void compute(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                    const vsg_isa_dpas *facts, const uint8_t *src2,
                    uint32_t out[MAX_ROWS][VSG_EXE_MAX_CHANNELS])
{
    const uint8_t *src0 = vsg_exe_raw_at(thread, &inst->src[0]);
    const uint8_t *src1 = vsg_exe_raw_at(thread, &inst->src[1]);
    numbers rows[MAX_ROWS], column;

    for (uint32_t r = 0; r < facts->count; r++)
        unpack_row(facts, src2, r, &rows[r]);
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        unpack_column(facts, src1, inst->exec_size, i, &column);
        for (uint32_t r = 0; r < facts->count; r++) {
            uint32_t at = r * inst->exec_size + i;
            if (!facts->is_float) {
                out[r][i] = sum_ints(facts, load(src0, &inst->src[0], at), column.i, rows[r].i);
                continue;
            }
            float total =
                sum_floats(facts, load_float(src0, &inst->src[0], at), column.f, rows[r].f);
            total = vsg_exe_flush_float(thread, total);
            out[r][i] = float_bits(thread, &inst->dst, total);
        }
    }
}

static void multiply(vsg_exe_thread *thread, const vsg_exe_inst *inst, const uint8_t *src2)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    vsg_isa_dpas facts = vsg_isa_dpas_unpack(inst->control);
    uint32_t out[MAX_ROWS][VSG_EXE_MAX_CHANNELS];
    uint32_t bytes = bytes_of(&inst->dst);

    if (!channels || inst->dst.is_null)
        return;
    vsg_exe_use_mode(thread, VSG_EXE_CLASS_FLOAT);
    compute(thread, inst, &facts, src2, out);
    uint8_t *dst = vsg_exe_raw_at(thread, &inst->dst);
    for (uint32_t r = 0; r < facts.count; r++)
        for (uint32_t i = 0; i < inst->exec_size; i++)
            if (channels >> i & 1)
                memcpy(dst + (size_t)(r * inst->exec_size + i) * bytes, &out[r][i], bytes);
}

void vsg_exe_do_dpas(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    multiply(thread, inst, vsg_exe_raw_at(thread, &inst->src[2]));
}

/* ---- DPASW ------------------------------------------------------------------------------ */

/* Threads 2n and 2n + 1 are the two of a pair, the even one EU0. Each leaves what it has of
 * src2 where the other finds it, and waits until the other has done so. */
void vsg_exe_do_dpasw(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_offer *offers = thread->group->offers;
    uint32_t even = thread->number & ~1u;
    vsg_isa_dpas facts = vsg_isa_dpas_unpack(inst->control);
    uint32_t bytes = vsg_isa_dpas_shared_bytes(&facts);
    uint8_t src2[2 * VSG_EXE_OFFER_BYTES];

    if (!offers || even + 1 >= thread->group->num_threads) {
        vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_MESSAGE, -1, 0, 0);
        thread->fault.text = "dpasw needs an even number of threads in the group";
        return;
    }
    vsg_exe_offer *mine = &offers[thread->number];
    if (!thread->has_offered) {
        mine->count++;
        memcpy(mine->data[mine->count & 1], vsg_exe_raw_at(thread, &inst->src[2]), bytes);
        thread->has_offered = true;
    }
    if (offers[thread->number ^ 1].count < mine->count) {
        thread->pc--; /* tried again when the thread runs again */
        thread->stop = VSG_EXE_STOP_NAMED;
        return;
    }
    thread->has_offered = false;
    memcpy(src2, offers[even].data[mine->count & 1], bytes);
    memcpy(src2 + bytes, offers[even + 1].data[mine->count & 1], bytes);
    multiply(thread, inst, src2);
}
