/* SPDX-License-Identifier: MIT
 *
 * Sums, products, quotients. Integers are exact in 64 bits, or in 128 where an operand has 64
 * or the result saturates, and only then cut to the destination's width (2_datatypes: "extra
 * precision is provided within the hardware"). Floats are rounded once, MAD fused.
 * Pages ADD ADD3 ADD3O ADDC AVG DIV DIVM MAD MADW MOD MUL MULH SUBB. */
#include <math.h>

#include "exec/compute.h"
#include "exec/convert.h"
#include "exec/handlers.h"

/* ---- add, add3, avg --------------------------------------------------------------------- */

static int64_t add_int(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static vsg_exe_int128 add_wide(vsg_exe_int128 a, vsg_exe_int128 b)
{
    return a + b;
}

static float add_float(float a, float b)
{
    return a + b;
}

static double add_double(double a, double b)
{
    return a + b;
}

/* The sum of two halves in float, then in half, is the sum rounded once, both to nearest: 24
 * bits are twice 11 and two more. */
static void add_halves_to_nearest(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_use_math_mode(thread);
    vsg_exe_binary_float(thread, inst, add_float);
}

void vsg_exe_do_add(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_binary add = {.on_int = add_int,
                                       .on_wide = add_wide,
                                       .on_half = vsg_exe_half_add,
                                       .on_float = add_float,
                                       .on_double = add_double};
    if (inst->class_ == VSG_EXE_CLASS_HALF && thread->rounding == VSG_EXE_RNE)
        add_halves_to_nearest(thread, inst);
    else
        vsg_exe_compute_binary(thread, inst, &add);
}

static int64_t add3_int(int64_t a, int64_t b, int64_t c)
{
    return add_int(add_int(a, b), c);
}

static vsg_exe_int128 add3_wide(vsg_exe_int128 a, vsg_exe_int128 b, vsg_exe_int128 c)
{
    return a + b + c;
}

void vsg_exe_do_add3(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_ternary add3 = {.on_int = add3_int, .on_wide = add3_wide};
    vsg_exe_compute_ternary(thread, inst, &add3);
}

/* The predicate is a result: set where the sum is outside the destination's range. */
void vsg_exe_do_add3o(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_operand flag = {.kind = VSG_EXE_OPERAND_PREDICATE, .index = inst->predicate};
    uint32_t channels = vsg_exe_enabled(thread, inst);
    vsg_exe_int128 a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS], c[VSG_EXE_MAX_CHANNELS];
    visage_type type = (visage_type)inst->dst.type;
    uint32_t overflow = 0;

    if (!vsg_exe_read_wide(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_wide(thread, inst, &inst->src[1], inst->exec_size, b) ||
        !vsg_exe_read_wide(thread, inst, &inst->src[2], inst->exec_size, c))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        a[i] = add3_wide(a[i], b[i], c[i]);
        bool fits = a[i] >= vsg_exe_least(type) && a[i] <= vsg_exe_greatest(type);
        overflow |= (uint32_t)!fits << i;
    }
    vsg_exe_write_wide(thread, inst, &inst->dst, channels, a);
    if (inst->predicate_mode)
        vsg_exe_write_predicate(thread, inst, &flag, channels, overflow);
}

static int64_t avg_int(int64_t a, int64_t b)
{
    return (a + b + 1) >> 1;
}

static vsg_exe_int128 avg_wide(vsg_exe_int128 a, vsg_exe_int128 b)
{
    return (a + b + 1) >> 1;
}

void vsg_exe_do_avg(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_binary avg = {
        .is_exact = true, .on_int = avg_int, .on_wide = avg_wide};
    vsg_exe_compute_binary(thread, inst, &avg);
}

/* ---- mul, mulh, mad --------------------------------------------------------------------- */

static int64_t mul_int(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* For saturation: a product too large for 128 bits is far beyond any destination. */
static vsg_exe_int128 mul_wide(vsg_exe_int128 a, vsg_exe_int128 b)
{
    const vsg_exe_int128 far = (vsg_exe_int128)1 << 120;
    vsg_exe_int128 product;

    if (__builtin_mul_overflow(a, b, &product))
        return (a < 0) == (b < 0) ? far : -far;
    return product > far ? far : product < -far ? -far : product;
}

/* Of halves too: their products are exact in float. */
static float mul_float(float a, float b)
{
    return a * b;
}

static double mul_double(double a, double b)
{
    return a * b;
}

void vsg_exe_do_mul(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_binary mul = {
        .on_int = mul_int, .on_wide = mul_wide, .on_float = mul_float, .on_double = mul_double};
    vsg_exe_compute_binary(thread, inst, &mul);
}

static int64_t mulh_int(int64_t a, int64_t b)
{
    return (int64_t)((vsg_exe_int128)a * b >> 32);
}

void vsg_exe_do_mulh(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_binary mulh = {.on_int = mulh_int};
    vsg_exe_compute_binary(thread, inst, &mulh);
}

static int64_t mad_int(int64_t a, int64_t b, int64_t c)
{
    return add_int(mul_int(a, b), c);
}

static vsg_exe_int128 mad_wide(vsg_exe_int128 a, vsg_exe_int128 b, vsg_exe_int128 c)
{
    return mul_wide(a, b) + c;
}

static bool is_all_bf(const vsg_exe_inst *inst)
{
    bool is_all = inst->dst.type == VISAGE_TYPE_BF;

    for (uint32_t i = 0; i < inst->num_sources; i++)
        is_all &= inst->src[i].type == VISAGE_TYPE_BF;
    return is_all;
}

static uint16_t bf16_of(float x)
{
    return (uint16_t)(vsg_exe_float_bits(x) >> 16);
}

/* BF alone: a sum rounded to F could be a tie that it was not. */
static void mad_bf16(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    float a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS], c[VSG_EXE_MAX_CHANNELS];

    vsg_exe_use_mode(thread, VSG_EXE_CLASS_FLOAT);
    if (!channels || !vsg_exe_read_float(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_float(thread, inst, &inst->src[1], inst->exec_size, b) ||
        !vsg_exe_read_float(thread, inst, &inst->src[2], inst->exec_size, c))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = vsg_exe_bf16_to_float(vsg_exe_bf16_fma(
            bf16_of(a[i]), bf16_of(b[i]), bf16_of(c[i]), (vsg_exe_rounding)thread->rounding));
    vsg_exe_write_float(thread, inst, &inst->dst, channels, a);
}

void vsg_exe_do_mad(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_ternary mad = {.on_int = mad_int,
                                        .on_wide = mad_wide,
                                        .on_half = vsg_exe_half_fma,
                                        .on_float = fmaf,
                                        .on_double = fma};
    if (is_all_bf(inst))
        mad_bf16(thread, inst);
    else
        vsg_exe_compute_ternary(thread, inst, &mad);
}

/* ---- div, mod --------------------------------------------------------------------------- */

/* The pages leave division by zero open. Unsigned quotient and remainder: all ones, as the
 * functional specification of Direct3D 10 asks of `udiv`. Signed quotient: the largest number,
 * the smallest for a negative dividend, as Intel's drivers were seen to give (idiv test of
 * LLVM's offload-test-suite); the remainder is our choice to be the same. */
static int64_t by_zero(int64_t a, bool is_signed)
{
    if (!is_signed)
        return UINT32_MAX;
    return a < 0 ? INT32_MIN : INT32_MAX;
}

static int64_t div_signed(int64_t a, int64_t b)
{
    if (b == 0)
        return by_zero(a, true);
    return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static int64_t div_unsigned(int64_t a, int64_t b)
{
    return b == 0 ? by_zero(a, false) : div_signed(a, b);
}

static int64_t mod_signed(int64_t a, int64_t b)
{
    if (b == 0)
        return by_zero(a, true);
    return b == -1 ? 0 : a % b;
}

static int64_t mod_unsigned(int64_t a, int64_t b)
{
    return b == 0 ? by_zero(a, false) : mod_signed(a, b);
}

/* DIV page: x * INV(y). A true division is at least as precise, and what DIVM asks for. The
 * quotient of halves needs no function of its own, see float16.h. */
static float div_float(float a, float b)
{
    return a / b;
}

static double div_double(double a, double b)
{
    return a / b;
}

static bool is_unsigned(const vsg_exe_operand *operand)
{
    return vsg_isa_type(operand->type)->kind == VSG_ISA_KIND_UNSIGNED;
}

void vsg_exe_do_div(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_binary of_signed = {
        .on_int = div_signed, .on_float = div_float, .on_double = div_double};
    static const vsg_exe_binary of_unsigned = {.on_int = div_unsigned};

    if (is_unsigned(&inst->src[0]) && is_unsigned(&inst->src[1]))
        vsg_exe_compute_binary(thread, inst, &of_unsigned);
    else
        vsg_exe_compute_binary(thread, inst, &of_signed);
}

void vsg_exe_do_mod(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_binary of_signed = {.on_int = mod_signed};
    static const vsg_exe_binary of_unsigned = {.on_int = mod_unsigned};

    if (is_unsigned(&inst->src[0]) && is_unsigned(&inst->src[1]))
        vsg_exe_compute_binary(thread, inst, &of_unsigned);
    else
        vsg_exe_compute_binary(thread, inst, &of_signed);
}

/* ---- two results ------------------------------------------------------------------------ */

/* Reads two sources as UD. */
static bool read_dwords(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t count,
                        int64_t *a, int64_t *b)
{
    if (!vsg_exe_read_int(thread, inst, &inst->src[0], count, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], count, b))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        a[i] = (uint32_t)a[i];
        b[i] = (uint32_t)b[i];
    }
    return true;
}

void vsg_exe_do_addc(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!channels || !read_dwords(thread, inst, inst->exec_size, a, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        int64_t sum = a[i] + b[i];
        a[i] = (uint32_t)sum;
        b[i] = sum >> 32;
    }
    vsg_exe_write_int(thread, inst, &inst->dst, channels, a, false);
    vsg_exe_write_int(thread, inst, &inst->dst2, channels, b, false);
}

void vsg_exe_do_subb(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!channels || !read_dwords(thread, inst, inst->exec_size, a, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        int64_t difference = a[i] - b[i];
        a[i] = difference;
        b[i] = difference < 0;
    }
    vsg_exe_write_int(thread, inst, &inst->dst, channels, a, false);
    vsg_exe_write_int(thread, inst, &inst->dst2, channels, b, false);
}

/* The low halves of all channels fill whole registers, the high halves the next ones. */
bool vsg_exe_prepare_madw(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_inst *out)
{
    uint32_t grf = builder->program->grf_bytes;
    uint32_t skip = (out->exec_size * 4u + grf - 1) / grf * grf;
    const vsg_obj_operand *dst = vsg_exe_find(inst, "dst");

    /* Decoded once more for the reach of the high halves. */
    if (!dst || !vsg_exe_decode(builder, inst, dst, skip / 4 / dst->h_stride + out->exec_size,
                                &out->dst))
        return false;
    out->dst2 = out->dst;
    out->dst2.offset += skip;
    out->dst2.indirect_bytes += (int32_t)skip;
    return true;
}

void vsg_exe_do_madw(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    vsg_exe_int128 a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS], c[VSG_EXE_MAX_CHANNELS];
    uint64_t low[VSG_EXE_MAX_CHANNELS], high[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_wide(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_wide(thread, inst, &inst->src[1], inst->exec_size, b) ||
        !vsg_exe_read_wide(thread, inst, &inst->src[2], inst->exec_size, c))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        low[i] = (uint64_t)(a[i] * b[i] + c[i]);
        high[i] = low[i] >> 32;
    }
    vsg_exe_write_raw(thread, inst, &inst->dst, channels, low);
    vsg_exe_write_raw(thread, inst, &inst->dst2, channels, high);
}
