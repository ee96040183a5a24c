/* SPDX-License-Identifier: MIT
 *
 * Bits: logic, shifts, rotations, fields, counts. Pages AND OR XOR NOT BFN SHL SHR ASR ROL ROR
 * BFE BFI BFREV CBIT FBL FBH LZD. */
#include "exec/compute.h"
#include "exec/handlers.h"

/* ---- and, or, xor, not ------------------------------------------------------------------ */

/* On predicates the bits of a mask are the channels; the execution mask still decides which of
 * them are written. */
static bool is_on_predicates(const vsg_exe_inst *inst)
{
    return inst->dst.kind == VSG_EXE_OPERAND_PREDICATE;
}

/* The bits of a predicate source; an immediate or register stands for itself. */
static uint32_t predicate_bits(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                               const vsg_exe_operand *operand)
{
    int64_t value = 0;

    if (operand->kind == VSG_EXE_OPERAND_PREDICATE)
        return vsg_exe_read_predicate(thread, inst, operand);
    return vsg_exe_read_scalar(thread, inst, operand, &value) ? (uint32_t)value : 0;
}

static void write_bits(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t bits)
{
    vsg_exe_write_predicate(thread, inst, &inst->dst, vsg_exe_active(thread, inst), bits);
}

static int64_t and_int(int64_t a, int64_t b)
{
    return a & b;
}

void vsg_exe_do_and(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    if (is_on_predicates(inst))
        write_bits(thread, inst,
                   predicate_bits(thread, inst, &inst->src[0]) &
                       predicate_bits(thread, inst, &inst->src[1]));
    else
        vsg_exe_binary_int(thread, inst, and_int);
}

static int64_t or_int(int64_t a, int64_t b)
{
    return a | b;
}

void vsg_exe_do_or(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    if (is_on_predicates(inst))
        write_bits(thread, inst,
                   predicate_bits(thread, inst, &inst->src[0]) |
                       predicate_bits(thread, inst, &inst->src[1]));
    else
        vsg_exe_binary_int(thread, inst, or_int);
}

static int64_t xor_int(int64_t a, int64_t b)
{
    return a ^ b;
}

void vsg_exe_do_xor(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    if (is_on_predicates(inst))
        write_bits(thread, inst,
                   predicate_bits(thread, inst, &inst->src[0]) ^
                       predicate_bits(thread, inst, &inst->src[1]));
    else
        vsg_exe_binary_int(thread, inst, xor_int);
}

static int64_t not_int(int64_t a)
{
    return ~a;
}

void vsg_exe_do_not(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    if (is_on_predicates(inst))
        write_bits(thread, inst, ~predicate_bits(thread, inst, &inst->src[0]));
    else
        vsg_exe_unary_int(thread, inst, not_int);
}

/* ---- bfn -------------------------------------------------------------------------------- */

/* Bit n of the function is the result where the sources' bits, src2's first, read n. */
static uint64_t apply(uint32_t function, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t result = 0;

    for (uint32_t n = 0; n < 8; n++)
        if (function >> n & 1)
            result |= (n & 1 ? a : ~a) & (n & 2 ? b : ~b) & (n & 4 ? c : ~c);
    return result;
}

void vsg_exe_do_bfn(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS], c[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, b) ||
        !vsg_exe_read_int(thread, inst, &inst->src[2], inst->exec_size, c))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = (int64_t)apply(inst->control, (uint64_t)a[i], (uint64_t)b[i], (uint64_t)c[i]);
    vsg_exe_write_int(thread, inst, &inst->dst, channels, a, false);
}

/* ---- shifts ----------------------------------------------------------------------------- */

/* Six bits of the count matter where src0 or the destination has 64 bits, else five. The pages
 * name the destination only; hardware looks at src0 as well, as Intel's finalizer has it where
 * it folds constants (BuildIRImpl.cpp). */
static uint32_t count_mask(const vsg_exe_inst *inst)
{
    return inst->src[0].bytes == 8 || inst->dst.bytes == 8 ? 63 : 31;
}

/* The bits of src0 in its own width. */
static uint64_t width_mask(const vsg_exe_inst *inst)
{
    return UINT64_MAX >> (64 - 8 * inst->src[0].bytes);
}

/* "If saturation is enabled, the shifted result must be within 33 bits": exact here. */
static void shl_saturating(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t channels)
{
    uint32_t mask = count_mask(inst);
    vsg_exe_int128 a[VSG_EXE_MAX_CHANNELS];
    int64_t b[VSG_EXE_MAX_CHANNELS];

    if (!vsg_exe_read_wide(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        const vsg_exe_int128 far = (vsg_exe_int128)1 << 120;
        vsg_exe_int128 factor = (vsg_exe_int128)1 << ((uint32_t)b[i] & mask);
        if (__builtin_mul_overflow(a[i], factor, &factor))
            factor = a[i] < 0 ? -far : far;
        a[i] = factor;
    }
    vsg_exe_write_wide(thread, inst, &inst->dst, channels, a);
}

void vsg_exe_do_shl(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    uint32_t mask = count_mask(inst);
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (channels && inst->saturate) {
        shl_saturating(thread, inst, channels);
        return;
    }
    if (!channels || !vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = (int64_t)((uint64_t)a[i] << ((uint32_t)b[i] & mask));
    vsg_exe_write_int(thread, inst, &inst->dst, channels, a, false);
}

/* The page wants an unsigned src0; the bits of a signed or negated one are taken as unsigned in
 * src0's own width. */
void vsg_exe_do_shr(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    uint32_t mask = count_mask(inst);
    uint64_t width = width_mask(inst);
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = (int64_t)(((uint64_t)a[i] & width) >> ((uint32_t)b[i] & mask));
    vsg_exe_write_int(thread, inst, &inst->dst, channels, a, true);
}

/* Of 64 bits with a modifier, which make one more. */
static void asr_wide(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t channels)
{
    uint32_t mask = count_mask(inst);
    vsg_exe_int128 a[VSG_EXE_MAX_CHANNELS];
    int64_t b[VSG_EXE_MAX_CHANNELS];

    if (!vsg_exe_read_wide(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] >>= (uint32_t)b[i] & mask;
    vsg_exe_write_wide(thread, inst, &inst->dst, channels, a);
}

/* Of an unsigned source, which the page does not want but compilers use, no sign is repeated:
 * its value is not negative (BuildIRImpl.cpp again). */
void vsg_exe_do_asr(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    uint32_t mask = count_mask(inst);
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (inst->src[0].bytes == 8 && inst->src[0].modifier != VSG_OBJ_MOD_NONE) {
        if (channels)
            asr_wide(thread, inst, channels);
        return;
    }
    if (inst->src[0].type == VISAGE_TYPE_UQ) {
        vsg_exe_do_shr(thread, inst);
        return;
    }
    if (!channels || !vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] >>= (uint32_t)b[i] & mask;
    vsg_exe_write_int(thread, inst, &inst->dst, channels, a, false);
}

/* ---- rotations -------------------------------------------------------------------------- */

static uint64_t rotate_left(uint64_t value, uint32_t count, uint32_t bits)
{
    uint32_t back = (bits - count) & (bits - 1);
    return value << count | value >> back;
}

static void rotate(vsg_exe_thread *thread, const vsg_exe_inst *inst, bool right)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    uint32_t bits = 8u * inst->src[0].bytes;
    uint64_t width = width_mask(inst);
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, b))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        uint32_t count = (right ? 0 - (uint32_t)b[i] : (uint32_t)b[i]) & (bits - 1);
        a[i] = (int64_t)(rotate_left((uint64_t)a[i] & width, count, bits) & width);
    }
    vsg_exe_write_int(thread, inst, &inst->dst, channels, a, true);
}

void vsg_exe_do_rol(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    rotate(thread, inst, false);
}

void vsg_exe_do_ror(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    rotate(thread, inst, true);
}

/* ---- fields ----------------------------------------------------------------------------- */

static int64_t bfe_unsigned(int64_t width, int64_t offset, int64_t value)
{
    uint32_t bits = (uint32_t)value >> (offset & 31);
    return bits & ((1u << (width & 31)) - 1);
}

/* The field's highest bit is its sign; a field that reaches beyond bit 31 has that bit's. */
static int64_t bfe_signed(int64_t width, int64_t offset, int64_t value)
{
    int64_t bits = (int32_t)value >> (offset & 31);
    uint32_t above = 64 - (uint32_t)(width & 31);

    return (width & 31) == 0 ? 0 : (int64_t)((uint64_t)bits << above) >> above;
}

void vsg_exe_do_bfe(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    if (inst->dst.type == VISAGE_TYPE_D)
        vsg_exe_ternary_int(thread, inst, bfe_signed);
    else
        vsg_exe_ternary_int(thread, inst, bfe_unsigned);
}

static uint32_t insert(int64_t width, int64_t offset, int64_t field, int64_t into)
{
    uint32_t mask = ((1u << (width & 31)) - 1) << (offset & 31);
    return ((uint32_t)field << (offset & 31) & mask) | ((uint32_t)into & ~mask);
}

void vsg_exe_do_bfi(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    int64_t in[4][VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < 4; i++)
        if (!channels || !vsg_exe_read_int(thread, inst, &inst->src[i], inst->exec_size, in[i]))
            return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        in[0][i] = insert(in[0][i], in[1][i], in[2][i], in[3][i]);
    vsg_exe_write_int(thread, inst, &inst->dst, channels, in[0], true);
}

static int64_t reverse(int64_t value)
{
    uint32_t bits = (uint32_t)value;

    bits = (bits >> 1 & 0x55555555) | (bits & 0x55555555) << 1;
    bits = (bits >> 2 & 0x33333333) | (bits & 0x33333333) << 2;
    bits = (bits >> 4 & 0x0f0f0f0f) | (bits & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(bits);
}

void vsg_exe_do_bfrev(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_unary_int(thread, inst, reverse);
}

/* ---- counts ----------------------------------------------------------------------------- */

/* The bits set in src0's own width. */
void vsg_exe_do_cbit(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    uint64_t width = width_mask(inst);
    int64_t a[VSG_EXE_MAX_CHANNELS];

    if (!channels || !vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, a))
        return;
    for (uint32_t i = 0; i < inst->exec_size; i++)
        a[i] = __builtin_popcountll((uint64_t)a[i] & width);
    vsg_exe_write_int(thread, inst, &inst->dst, channels, a, false);
}

static int64_t leading_zeros(int64_t value)
{
    return (uint32_t)value == 0 ? 32 : __builtin_clz((uint32_t)value);
}

void vsg_exe_do_lzd(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_unary_int(thread, inst, leading_zeros);
}

static int64_t first_low(int64_t value)
{
    return (uint32_t)value == 0 ? -1 : __builtin_ctz((uint32_t)value);
}

void vsg_exe_do_fbl(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_unary_int(thread, inst, first_low);
}

static int64_t first_high(int64_t value)
{
    return (uint32_t)value == 0 ? -1 : __builtin_clz((uint32_t)value);
}

/* The first bit that differs from the sign. */
static int64_t first_high_signed(int64_t value)
{
    int32_t bits = (int32_t)value;
    return first_high(bits < 0 ? ~bits : bits);
}

void vsg_exe_do_fbh(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    if (vsg_isa_type(inst->src[0].type)->kind == VSG_ISA_KIND_SIGNED)
        vsg_exe_unary_int(thread, inst, first_high_signed);
    else
        vsg_exe_unary_int(thread, inst, first_high);
}
