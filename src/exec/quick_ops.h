/* SPDX-License-Identifier: MIT
 *
 * Body of exec_quick.c and exec_quick_v3.c; see quick.h. Defines quick_table. Loops run over a
 * constant number of channels, all of them, and only the store looks at the mask. */
#include <math.h>
#include <string.h>

#include "exec/build.h"
#include "exec/math_inline.h"
#include "exec/operand.h"

#define INLINE   static inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))

/* ---- operands --------------------------------------------------------------------------- */

static inline uint8_t *registers_of(const vsg_exe_thread *thread,
                                    const vsg_exe_operand *operand)
{
    return (operand->shared ? thread->shared : thread->registers) + operand->offset;
}

/* Loads fill an array of uint32_t or float, bits as they are. */
INLINE void load(const vsg_exe_thread *thread, const vsg_exe_operand *operand, uint32_t n,
                 void *out)
{
    const void *at = operand->kind == VSG_EXE_OPERAND_IMMEDIATE
                         ? (const void *)operand->elements
                         : registers_of(thread, operand);
    uint8_t *to = out;
    uint32_t value;

    if (operand->shape == VSG_EXE_SHAPE_CONTIGUOUS) {
        memcpy(to, at, n * sizeof value);
        return;
    }
    memcpy(&value, at, sizeof value);
    for (uint32_t i = 0; i < n; i++)
        memcpy(to + i * sizeof value, &value, sizeof value);
}

/* The rarer things are functions of their own, once for all handlers. */

static inline uint32_t dword_at(const uint8_t *at, uint32_t i)
{
    uint32_t value;
    memcpy(&value, at + i * sizeof value, sizeof value);
    return value;
}

static inline void set_dword(uint8_t *at, uint32_t i, uint32_t value)
{
    memcpy(at + i * sizeof value, &value, sizeof value);
}

/* Modifiers of integers, as far as the low 32 bits tell. */
NOINLINE void modify_int(uint32_t modifier, uint32_t n, uint8_t *values)
{
    uint32_t minus_one = modifier == VSG_OBJ_MOD_NEG ? UINT32_MAX : 0;

    for (uint32_t i = 0; i < n; i++)
        set_dword(values, i, ~dword_at(values, i) - minus_one);
}

NOINLINE void modify_float(uint32_t modifier, uint32_t n, uint8_t *values)
{
    uint32_t sign = 1u << 31;
    uint32_t keep = modifier == VSG_OBJ_MOD_NEG ? UINT32_MAX : ~sign;
    uint32_t flip = modifier == VSG_OBJ_MOD_ABS ? 0 : sign;

    for (uint32_t i = 0; i < n; i++)
        set_dword(values, i, (dword_at(values, i) & keep) ^ flip);
}

NOINLINE void store_some(uint8_t *restrict at, uint32_t n, uint32_t channels,
                         const uint8_t *restrict values)
{
    for (uint32_t i = 0; i < n; i++)
        set_dword(at, i, channels >> i & 1 ? dword_at(values, i) : dword_at(at, i));
}

INLINE void load_int(const vsg_exe_thread *thread, const vsg_exe_operand *operand, uint32_t n,
                     void *out)
{
    load(thread, operand, n, out);
    if (operand->modifier != VSG_OBJ_MOD_NONE)
        modify_int(operand->modifier, n, out);
}

INLINE void load_float(const vsg_exe_thread *thread, const vsg_exe_operand *operand, uint32_t n,
                       void *out)
{
    load(thread, operand, n, out);
    if (operand->modifier != VSG_OBJ_MOD_NONE)
        modify_float(operand->modifier, n, out);
}

INLINE void store(const vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n,
                  uint32_t channels, const void *values)
{
    uint8_t *at = registers_of(thread, &inst->dst);

    if (channels == vsg_exe_first(n))
        memcpy(at, values, n * sizeof(uint32_t));
    else if (channels)
        store_some(at, n, channels, values);
}

/* Enabled and active channels of an instruction of `n`. */
INLINE uint32_t enabled(const vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n)
{
    uint32_t mask = inst->no_mask ? UINT32_MAX : thread->execution_mask >> inst->mask_offset;
    return mask & vsg_exe_first(n);
}

INLINE uint32_t active(const vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n)
{
    return inst->predicate_mode ? vsg_exe_channels(thread, inst) : enabled(thread, inst, n);
}

/* ---- the frame of a handler ------------------------------------------------------------- */

/* Handlers NAME_1, NAME_8, NAME_16, NAME_32 out of NAME_of(thread, inst, n). */
#define DEFINE_SIZES(name)                                                                     \
    static void name##_1(vsg_exe_thread *thread, const vsg_exe_inst *inst)                     \
    {                                                                                          \
        name##_of(thread, inst, 1);                                                            \
    }                                                                                          \
    static void name##_8(vsg_exe_thread *thread, const vsg_exe_inst *inst)                     \
    {                                                                                          \
        name##_of(thread, inst, 8);                                                            \
    }                                                                                          \
    static void name##_16(vsg_exe_thread *thread, const vsg_exe_inst *inst)                    \
    {                                                                                          \
        name##_of(thread, inst, 16);                                                           \
    }                                                                                          \
    static void name##_32(vsg_exe_thread *thread, const vsg_exe_inst *inst)                    \
    {                                                                                          \
        name##_of(thread, inst, 32);                                                           \
    }
#define SIZES(name)                                                                            \
    {                                                                                          \
        name##_1, name##_8, name##_16, name##_32                                               \
    }

/* NAME: EXPRESSION of a[i], b[i], c[i], uint32_t each, of as many sources as there are. */
#define DEFINE_INT(name, sources, expression)                                                  \
    INLINE void name##_of(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n)        \
    {                                                                                          \
        uint32_t channels = active(thread, inst, n);                                           \
        uint32_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS], c[VSG_EXE_MAX_CHANNELS];    \
        (void)b;                                                                               \
        (void)c;                                                                               \
        load_int(thread, &inst->src[0], n, a);                                                 \
        if ((sources) > 1)                                                                     \
            load_int(thread, &inst->src[1], n, b);                                             \
        if ((sources) > 2)                                                                     \
            load_int(thread, &inst->src[2], n, c);                                             \
        for (uint32_t i = 0; i < n; i++)                                                       \
            a[i] = (expression);                                                               \
        store(thread, inst, n, channels, a);                                                   \
    }                                                                                          \
    DEFINE_SIZES(name)

/* Integers */
DEFINE_INT(mov, 1, a[i])
DEFINE_INT(add, 2, a[i] + b[i])
DEFINE_INT(add3, 3, a[i] + b[i] + c[i])
DEFINE_INT(mul, 2, a[i] * b[i])
DEFINE_INT(mulh_d, 2, (uint32_t)((int64_t)(int32_t)a[i] * (int32_t)b[i] >> 32))
DEFINE_INT(mulh_ud, 2, (uint32_t)((uint64_t)a[i] * b[i] >> 32))
DEFINE_INT(mad, 3, a[i] * b[i] + c[i])
DEFINE_INT(and, 2, a[i] & b[i])
DEFINE_INT(or, 2, a[i] | b[i])
DEFINE_INT(xor, 2, a[i] ^ b[i])
DEFINE_INT(not, 1, ~a[i])
DEFINE_INT(shl, 2, a[i] << (b[i] & 31))
DEFINE_INT(shr, 2, a[i] >> (b[i] & 31))
DEFINE_INT(asr, 2, (uint32_t)((int32_t)a[i] >> (b[i] & 31)))
DEFINE_INT(min_d, 2, (int32_t)a[i] < (int32_t)b[i] ? a[i] : b[i])
DEFINE_INT(min_ud, 2, a[i] < b[i] ? a[i] : b[i])
DEFINE_INT(max_d, 2, (int32_t)a[i] > (int32_t)b[i] ? a[i] : b[i])
DEFINE_INT(max_ud, 2, a[i] > b[i] ? a[i] : b[i])

/* All ones where bit `n` of the function is set. */
INLINE uint32_t entry(uint32_t function, uint32_t n)
{
    return 0 - (function >> n & 1);
}

INLINE void bfn_of(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n)
{
    uint32_t channels = active(thread, inst, n);
    uint32_t f = inst->control;
    uint32_t e0 = entry(f, 0), e1 = entry(f, 1), e2 = entry(f, 2), e3 = entry(f, 3);
    uint32_t e4 = entry(f, 4), e5 = entry(f, 5), e6 = entry(f, 6), e7 = entry(f, 7);
    uint32_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS], c[VSG_EXE_MAX_CHANNELS];

    load_int(thread, &inst->src[0], n, a);
    load_int(thread, &inst->src[1], n, b);
    load_int(thread, &inst->src[2], n, c);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t none = (e0 & ~a[i]) | (e1 & a[i]);
        uint32_t only_b = (e2 & ~a[i]) | (e3 & a[i]);
        uint32_t only_c = (e4 & ~a[i]) | (e5 & a[i]);
        uint32_t both = (e6 & ~a[i]) | (e7 & a[i]);
        uint32_t without_c = (none & ~b[i]) | (only_b & b[i]);
        uint32_t with_c = (only_c & ~b[i]) | (both & b[i]);
        a[i] = (without_c & ~c[i]) | (with_c & c[i]);
    }
    store(thread, inst, n, channels, a);
}
DEFINE_SIZES(bfn)

/* ---- selection -------------------------------------------------------------------------- */

INLINE void store_chosen(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n,
                         uint32_t *a, const uint32_t *b)
{
    uint32_t chosen = vsg_exe_predicate(thread, inst);

    for (uint32_t i = 0; i < n; i++)
        a[i] = chosen >> i & 1 ? a[i] : b[i];
    store(thread, inst, n, enabled(thread, inst, n), a);
}

INLINE void sel_of(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n)
{
    uint32_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    load_int(thread, &inst->src[0], n, a);
    load_int(thread, &inst->src[1], n, b);
    store_chosen(thread, inst, n, a, b);
}
DEFINE_SIZES(sel)

INLINE void sel_f_of(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n)
{
    uint32_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    load_float(thread, &inst->src[0], n, a);
    load_float(thread, &inst->src[1], n, b);
    store_chosen(thread, inst, n, a, b);
}
DEFINE_SIZES(sel_f)

INLINE void mov_f_of(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n)
{
    uint32_t a[VSG_EXE_MAX_CHANNELS];

    load_float(thread, &inst->src[0], n, a);
    store(thread, inst, n, active(thread, inst, n), a);
}
DEFINE_SIZES(mov_f)

/* ---- floats ----------------------------------------------------------------------------- */

/* Is the result of arithmetic what the host gives, or has something to be done to it? */
INLINE bool is_plain(const vsg_exe_thread *thread)
{
    return !(thread->mode & VSG_EXE_CR0_ALT) &&
           (VSG_EXE_HOST_FLUSHES || (thread->mode & VSG_EXE_CR0_DENORM_F));
}

static void general(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    vsg_exe_op_of((visage_op)inst->op)->handler(thread, inst);
}

/* As DEFINE_INT, of floats, where PLAIN says of the thread that its mode is fit. */
#define DEFINE_FLOAT(name, sources, plain, expression)                                         \
    INLINE void name##_of(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n)        \
    {                                                                                          \
        uint32_t channels = active(thread, inst, n);                                           \
        float a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS], c[VSG_EXE_MAX_CHANNELS];       \
        (void)c;                                                                               \
        if (!(plain)) {                                                                        \
            general(thread, inst);                                                             \
            return;                                                                            \
        }                                                                                      \
        vsg_exe_use_mode(thread, VSG_EXE_CLASS_FLOAT);                                         \
        load_float(thread, &inst->src[0], n, a);                                               \
        load_float(thread, &inst->src[1], n, b);                                               \
        if ((sources) > 2)                                                                     \
            load_float(thread, &inst->src[2], n, c);                                           \
        for (uint32_t i = 0; i < n; i++)                                                       \
            a[i] = (expression);                                                               \
        store(thread, inst, n, channels, a);                                                   \
    }                                                                                          \
    DEFINE_SIZES(name)

DEFINE_FLOAT(add_f, 2, is_plain(thread), a[i] + b[i])
DEFINE_FLOAT(mul_f, 2, is_plain(thread), a[i] * b[i])
DEFINE_FLOAT(mad_f, 3, is_plain(thread), fmaf(a[i], b[i], c[i]))

/* The source that is chosen would have to be flushed, so that denormals must be kept. */
#define KEEPS (is_plain(thread) && (thread->mode & VSG_EXE_CR0_DENORM_F))
DEFINE_FLOAT(min_f, 2, KEEPS, (a[i] < b[i] || b[i] != b[i]) && a[i] == a[i] ? a[i] : b[i])
DEFINE_FLOAT(max_f, 2, KEEPS, (a[i] >= b[i] || b[i] != b[i]) && a[i] == a[i] ? a[i] : b[i])

/* ---- extended math ---------------------------------------------------------------------- */

/* Modes of %cr0 that the functions of math.h know nothing of are left to the general handler.
 */
#define DEFINE_MATH(name, sources, usable, expression)                                         \
    INLINE void name##_of(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n)        \
    {                                                                                          \
        float a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];                                \
        bool good = true;                                                                      \
        (void)b;                                                                               \
        vsg_exe_use_math_mode(thread);                                                         \
        load_float(thread, &inst->src[0], n, a);                                               \
        if ((sources) > 1)                                                                     \
            load_float(thread, &inst->src[1], n, b);                                           \
        for (uint32_t i = 0; i < n; i++)                                                       \
            good &= (usable);                                                                  \
        if (!good || (thread->mode & VSG_EXE_CR0_ALT) ||                                       \
            !(thread->mode & VSG_EXE_CR0_DENORM_F)) {                                          \
            general(thread, inst);                                                             \
            return;                                                                            \
        }                                                                                      \
        for (uint32_t i = 0; i < n; i++)                                                       \
            a[i] = (expression);                                                               \
        store(thread, inst, n, active(thread, inst, n), a);                                    \
    }                                                                                          \
    DEFINE_SIZES(name)

/* Of the two ways to the same bits the one without fused multiply-add, where that is slow. */
#if defined(__FMA__)
#define RSQRT vsg_exe_inline_rsqrt_narrow
#else
#define RSQRT vsg_exe_inline_rsqrt
#endif
DEFINE_MATH(exp_f, 1, true, vsg_exe_inline_exp2(a[i]))
DEFINE_MATH(log_f, 1, true, vsg_exe_inline_log2(a[i]))
DEFINE_MATH(pow_f, 2, true, vsg_exe_inline_pow(a[i], b[i]))
DEFINE_MATH(inv_f, 1, true, vsg_exe_inline_inv(a[i]))
DEFINE_MATH(sqrt_f, 1, true, vsg_exe_inline_sqrt(a[i]))
DEFINE_MATH(rsqrt_f, 1, true, RSQRT(a[i]))
DEFINE_MATH(sin_f, 1, fabsf(a[i]) < VSG_EXE_LARGE_ANGLE, vsg_exe_inline_sine(a[i], 0))
DEFINE_MATH(cos_f, 1, fabsf(a[i]) < VSG_EXE_LARGE_ANGLE, vsg_exe_inline_sine(a[i], 1))
#undef RSQRT

/* ---- comparisons ------------------------------------------------------------------------ */

/* PLAIN as above. Comparisons of floats need the mode for what is a denormal, those of integers
 * are in class INT, which changes nothing. */
#define DEFINE_CMP(name, number, class_, plain, load_number, relation)                         \
    INLINE void name##_of(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n)        \
    {                                                                                          \
        number a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];                               \
        uint32_t bits = 0;                                                                     \
        if (!(plain)) {                                                                        \
            general(thread, inst);                                                             \
            return;                                                                            \
        }                                                                                      \
        vsg_exe_use_mode(thread, class_);                                                      \
        load_number(thread, &inst->src[0], n, a);                                              \
        load_number(thread, &inst->src[1], n, b);                                              \
        for (uint32_t i = 0; i < n; i++)                                                       \
            bits |= (uint32_t)(a[i] relation b[i]) << i;                                       \
        vsg_exe_write_predicate(thread, inst, &inst->dst, enabled(thread, inst, n), bits);     \
    }                                                                                          \
    DEFINE_SIZES(name)
#define DEFINE_CMPS(suffix, number, class_, plain, load_number)                                \
    DEFINE_CMP(eq_##suffix, number, class_, plain, load_number, ==)                            \
    DEFINE_CMP(ne_##suffix, number, class_, plain, load_number, !=)                            \
    DEFINE_CMP(gt_##suffix, number, class_, plain, load_number, >)                             \
    DEFINE_CMP(ge_##suffix, number, class_, plain, load_number, >=)                            \
    DEFINE_CMP(lt_##suffix, number, class_, plain, load_number, <)                             \
    DEFINE_CMP(le_##suffix, number, class_, plain, load_number, <=)
/* In the order of the codes of relations. */
#define CMP_SIZES(base, suffix)                                                                \
    [(base)] = SIZES(eq_##suffix), [(base) + 1] = SIZES(ne_##suffix),                          \
    [(base) + 2] = SIZES(gt_##suffix), [(base) + 3] = SIZES(ge_##suffix),                      \
    [(base) + 4] = SIZES(lt_##suffix), [(base) + 5] = SIZES(le_##suffix)

DEFINE_CMPS(d, int32_t, VSG_EXE_CLASS_INT, true, load_int)
DEFINE_CMPS(ud, uint32_t, VSG_EXE_CLASS_INT, true, load_int)
DEFINE_CMPS(f, float, VSG_EXE_CLASS_FLOAT, is_plain(thread), load_float)

/* ---- moves, and what has 64 bits -------------------------------------------------------- */

/* Elements at a stride of 2, 4 or 8 bytes, larger than they are, move as the low parts of
 * numbers of that size, which vector units can do. What lies between them is read and written
 * as it was, also behind the last one: in a frame, addresses and the like follow the registers.
 */
#define DEFINE_PARTS(part, whole)                                                              \
    INLINE void collect_##part##_of_##whole(const uint8_t *at, uint32_t n, uint8_t *to)        \
    {                                                                                          \
        for (uint32_t i = 0; i < n; i++) {                                                     \
            whole##_t all;                                                                     \
            memcpy(&all, at + i * sizeof all, sizeof all);                                     \
            part##_t low = (part##_t)all;                                                      \
            memcpy(to + i * sizeof low, &low, sizeof low);                                     \
        }                                                                                      \
    }                                                                                          \
    INLINE void spread_##part##_of_##whole(uint8_t *restrict at, uint32_t n,                   \
                                           const uint8_t *restrict from)                       \
    {                                                                                          \
        for (uint32_t i = 0; i < n; i++) {                                                     \
            part##_t low;                                                                      \
            whole##_t all;                                                                     \
            memcpy(&all, at + i * sizeof all, sizeof all);                                     \
            memcpy(&low, from + i * sizeof low, sizeof low);                                   \
            all = (whole##_t)((all ^ (part##_t)all) | low);                                    \
            memcpy(at + i * sizeof all, &all, sizeof all);                                     \
        }                                                                                      \
    }
DEFINE_PARTS(uint8, uint16)
DEFINE_PARTS(uint8, uint32)
DEFINE_PARTS(uint16, uint32)
DEFINE_PARTS(uint32, uint64)

/* The low `size` bytes of each element. `size` is a constant, here and below. */
INLINE void collect(const vsg_exe_thread *thread, const vsg_exe_operand *operand, uint32_t n,
                    uint32_t size, void *out)
{
    const uint8_t *at = operand->kind == VSG_EXE_OPERAND_IMMEDIATE
                            ? (const uint8_t *)operand->elements
                            : registers_of(thread, operand);
    int32_t stride = operand->shape == VSG_EXE_SHAPE_SCALAR       ? 0
                     : operand->shape == VSG_EXE_SHAPE_CONTIGUOUS ? operand->bytes
                                                                  : operand->h_stride_bytes;
    uint8_t *to = out;

    if (stride == (int32_t)size)
        memcpy(to, at, n * size);
    else if (size == 4 && stride == 8 && !operand->shared)
        collect_uint32_of_uint64(at, n, to);
    else if (size == 2 && stride == 4 && !operand->shared)
        collect_uint16_of_uint32(at, n, to);
    else if (size == 1 && stride == 4 && !operand->shared)
        collect_uint8_of_uint32(at, n, to);
    else if (size == 1 && stride == 2 && !operand->shared)
        collect_uint8_of_uint16(at, n, to);
    else
        for (uint32_t i = 0; i < n; i++)
            memcpy(to + i * size, at + (ptrdiff_t)i * stride, size);
}

INLINE void spread_all(const vsg_exe_operand *dst, uint8_t *restrict at, int32_t stride,
                       uint32_t n, uint32_t size, const uint8_t *restrict from)
{
    if (stride == (int32_t)size)
        memcpy(at, from, n * size);
    else if (size == 4 && stride == 8 && !dst->shared)
        spread_uint32_of_uint64(at, n, from);
    else if (size == 2 && stride == 4 && !dst->shared)
        spread_uint16_of_uint32(at, n, from);
    else if (size == 1 && stride == 4 && !dst->shared)
        spread_uint8_of_uint32(at, n, from);
    else if (size == 1 && stride == 2 && !dst->shared)
        spread_uint8_of_uint16(at, n, from);
    else
        for (uint32_t i = 0; i < n; i++)
            memcpy(at + (ptrdiff_t)i * stride, from + i * size, size);
}

/* Without a branch for each channel, which nobody could foresee. */
#define DEFINE_SPREAD_SOME(size)                                                               \
    INLINE void choose_##size(uint8_t *restrict at, ptrdiff_t stride, uint32_t n,              \
                              uint32_t channels, const uint8_t *restrict from)                 \
    {                                                                                          \
        for (uint32_t i = 0; i < n; i++) {                                                     \
            uint##size##_t new, old;                                                           \
            memcpy(&new, from + i * sizeof new, sizeof new);                                   \
            memcpy(&old, at + (ptrdiff_t)i * stride, sizeof old);                              \
            old = channels >> i & 1 ? new : old;                                               \
            memcpy(at + (ptrdiff_t)i * stride, &old, sizeof old);                              \
        }                                                                                      \
    }                                                                                          \
    NOINLINE void spread_some_##size(uint8_t *restrict at, int32_t stride, uint32_t n,         \
                                     uint32_t channels, const uint8_t *restrict from)          \
    {                                                                                          \
        if (stride == size / 8)                                                                \
            choose_##size(at, size / 8, n, channels, from);                                    \
        else                                                                                   \
            choose_##size(at, stride, n, channels, from);                                      \
    }
DEFINE_SPREAD_SOME(8)
DEFINE_SPREAD_SOME(16)
DEFINE_SPREAD_SOME(32)
DEFINE_SPREAD_SOME(64)

INLINE void spread(const vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n,
                   uint32_t channels, uint32_t size, const void *values)
{
    uint8_t *at = registers_of(thread, &inst->dst);
    int32_t stride =
        inst->dst.shape == VSG_EXE_SHAPE_STRIDED ? inst->dst.h_stride_bytes : (int32_t)size;

    if (channels == vsg_exe_first(n))
        spread_all(&inst->dst, at, stride, n, size, values);
    else if (channels && size == 1)
        spread_some_8(at, stride, n, channels, values);
    else if (channels && size == 2)
        spread_some_16(at, stride, n, channels, values);
    else if (channels && size == 4)
        spread_some_32(at, stride, n, channels, values);
    else if (channels)
        spread_some_64(at, stride, n, channels, values);
}

/* NAME: EXPRESSION of in[i], of type FROM, to elements of type TO. */
#define DEFINE_MOVE(name, from, to, expression)                                                \
    INLINE void name##_of(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n)        \
    {                                                                                          \
        from in[VSG_EXE_MAX_CHANNELS];                                                         \
        to out[VSG_EXE_MAX_CHANNELS];                                                          \
        vsg_exe_use_conversion_mode(thread);                                                   \
        collect(thread, &inst->src[0], n, sizeof(from), in);                                   \
        for (uint32_t i = 0; i < n; i++)                                                       \
            out[i] = (to)(expression);                                                         \
        spread(thread, inst, n, active(thread, inst, n), sizeof(to), out);                     \
    }                                                                                          \
    DEFINE_SIZES(name)

DEFINE_MOVE(move_1, uint8_t, uint8_t, in[i])
DEFINE_MOVE(move_2, uint16_t, uint16_t, in[i])
DEFINE_MOVE(move_4, uint32_t, uint32_t, in[i])
DEFINE_MOVE(move_8, uint64_t, uint64_t, in[i])
DEFINE_MOVE(move_b_d, int8_t, int32_t, in[i])
DEFINE_MOVE(move_ub_d, uint8_t, uint32_t, in[i])
DEFINE_MOVE(move_w_d, int16_t, int32_t, in[i])
DEFINE_MOVE(move_uw_d, uint16_t, uint32_t, in[i])
DEFINE_MOVE(move_b_q, int8_t, int64_t, in[i])
DEFINE_MOVE(move_d_q, int32_t, int64_t, in[i])
DEFINE_MOVE(move_ud_q, uint32_t, uint64_t, in[i])
DEFINE_MOVE(move_d_f, int32_t, float, in[i])
DEFINE_MOVE(move_ud_f, uint32_t, float, in[i])

/* NaN gives 0; what is out of range, the limit next to it. */
INLINE int32_t to_signed(float x)
{
    int32_t inside = x >= -0x1p31f && x < 0x1p31f ? (int32_t)x : 0;
    int32_t limit = x >= 0x1p31f ? INT32_MAX : x < -0x1p31f ? INT32_MIN : 0;
    return inside | limit;
}

INLINE uint32_t to_unsigned(float x)
{
    uint32_t inside = x >= 0.0f && x < 0x1p32f ? (uint32_t)x : 0;
    return x >= 0x1p32f ? UINT32_MAX : inside;
}

DEFINE_MOVE(move_f_d, float, int32_t, to_signed(in[i]))
DEFINE_MOVE(move_f_ud, float, uint32_t, to_unsigned(in[i]))

INLINE void collect_q(const vsg_exe_thread *thread, const vsg_exe_operand *operand, uint32_t n,
                      uint64_t *out)
{
    int32_t dwords[VSG_EXE_MAX_CHANNELS];

    if (operand->bytes == 8) {
        collect(thread, operand, n, sizeof *out, out);
        return;
    }
    collect(thread, operand, n, sizeof *dwords, dwords);
    uint64_t high = operand->type == VISAGE_TYPE_D ? UINT64_MAX << 32 : 0;
    for (uint32_t i = 0; i < n; i++)
        out[i] = (uint32_t)dwords[i] | (dwords[i] < 0 ? high : 0);
}

INLINE void add_q_of(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n)
{
    uint64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    collect_q(thread, &inst->src[0], n, a);
    collect_q(thread, &inst->src[1], n, b);
    for (uint32_t i = 0; i < n; i++)
        a[i] += b[i];
    spread(thread, inst, n, active(thread, inst, n), sizeof *a, a);
}
DEFINE_SIZES(add_q)

INLINE void shl_q_of(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n)
{
    uint64_t a[VSG_EXE_MAX_CHANNELS];
    uint32_t count[VSG_EXE_MAX_CHANNELS];

    collect_q(thread, &inst->src[0], n, a);
    collect(thread, &inst->src[1], n, sizeof *count, count);
    for (uint32_t i = 0; i < n; i++)
        a[i] <<= count[i] & 63;
    spread(thread, inst, n, active(thread, inst, n), sizeof *a, a);
}
DEFINE_SIZES(shl_q)

/* ---- the table -------------------------------------------------------------------------- */

static const vsg_exe_quick_table quick_table = {
    [VSG_EXE_QUICK_MOV] = SIZES(mov),
    [VSG_EXE_QUICK_SEL] = SIZES(sel),
    [VSG_EXE_QUICK_ADD] = SIZES(add),
    [VSG_EXE_QUICK_ADD3] = SIZES(add3),
    [VSG_EXE_QUICK_MUL] = SIZES(mul),
    [VSG_EXE_QUICK_MULH_D] = SIZES(mulh_d),
    [VSG_EXE_QUICK_MULH_UD] = SIZES(mulh_ud),
    [VSG_EXE_QUICK_MAD] = SIZES(mad),
    [VSG_EXE_QUICK_AND] = SIZES(and),
    [VSG_EXE_QUICK_OR] = SIZES(or),
    [VSG_EXE_QUICK_XOR] = SIZES(xor),
    [VSG_EXE_QUICK_NOT] = SIZES(not ),
    [VSG_EXE_QUICK_BFN] = SIZES(bfn),
    [VSG_EXE_QUICK_SHL] = SIZES(shl),
    [VSG_EXE_QUICK_SHR] = SIZES(shr),
    [VSG_EXE_QUICK_ASR] = SIZES(asr),
    [VSG_EXE_QUICK_MIN_D] = SIZES(min_d),
    [VSG_EXE_QUICK_MIN_UD] = SIZES(min_ud),
    [VSG_EXE_QUICK_MAX_D] = SIZES(max_d),
    [VSG_EXE_QUICK_MAX_UD] = SIZES(max_ud),
    CMP_SIZES(VSG_EXE_QUICK_CMP_D, d),
    CMP_SIZES(VSG_EXE_QUICK_CMP_UD, ud),
    [VSG_EXE_QUICK_MOV_F] = SIZES(mov_f),
    [VSG_EXE_QUICK_SEL_F] = SIZES(sel_f),
    [VSG_EXE_QUICK_ADD_F] = SIZES(add_f),
    [VSG_EXE_QUICK_MUL_F] = SIZES(mul_f),
    [VSG_EXE_QUICK_MAD_F] = SIZES(mad_f),
    [VSG_EXE_QUICK_MIN_F] = SIZES(min_f),
    [VSG_EXE_QUICK_MAX_F] = SIZES(max_f),
    [VSG_EXE_QUICK_EXP_F] = SIZES(exp_f),
    [VSG_EXE_QUICK_LOG_F] = SIZES(log_f),
    [VSG_EXE_QUICK_POW_F] = SIZES(pow_f),
    [VSG_EXE_QUICK_INV_F] = SIZES(inv_f),
    [VSG_EXE_QUICK_SQRT_F] = SIZES(sqrt_f),
    [VSG_EXE_QUICK_RSQRT_F] = SIZES(rsqrt_f),
    [VSG_EXE_QUICK_SIN_F] = SIZES(sin_f),
    [VSG_EXE_QUICK_COS_F] = SIZES(cos_f),
    CMP_SIZES(VSG_EXE_QUICK_CMP_F, f),
    [VSG_EXE_QUICK_MOVE_1] = SIZES(move_1),
    [VSG_EXE_QUICK_MOVE_2] = SIZES(move_2),
    [VSG_EXE_QUICK_MOVE_4] = SIZES(move_4),
    [VSG_EXE_QUICK_MOVE_8] = SIZES(move_8),
    [VSG_EXE_QUICK_MOVE_B_D] = SIZES(move_b_d),
    [VSG_EXE_QUICK_MOVE_UB_D] = SIZES(move_ub_d),
    [VSG_EXE_QUICK_MOVE_W_D] = SIZES(move_w_d),
    [VSG_EXE_QUICK_MOVE_UW_D] = SIZES(move_uw_d),
    [VSG_EXE_QUICK_MOVE_B_Q] = SIZES(move_b_q),
    [VSG_EXE_QUICK_MOVE_D_Q] = SIZES(move_d_q),
    [VSG_EXE_QUICK_MOVE_UD_Q] = SIZES(move_ud_q),
    [VSG_EXE_QUICK_MOVE_F_D] = SIZES(move_f_d),
    [VSG_EXE_QUICK_MOVE_F_UD] = SIZES(move_f_ud),
    [VSG_EXE_QUICK_MOVE_D_F] = SIZES(move_d_f),
    [VSG_EXE_QUICK_MOVE_UD_F] = SIZES(move_ud_f),
    [VSG_EXE_QUICK_ADD_Q] = SIZES(add_q),
    [VSG_EXE_QUICK_SHL_Q] = SIZES(shl_q),
};
