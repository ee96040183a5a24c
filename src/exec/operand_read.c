/* SPDX-License-Identifier: MIT
 *
 * Elements as numbers. Each function widens the elements of one type in a loop of its own, so
 * that compilers can make vector code of it, then applies the modifiers to all. */
#include "exec/operand.h"

#include <string.h>

#include "exec/convert.h"
#include "exec/math_bits.h"

/* Defines NAME(at, count, out): out[i] = the element read as ELEMENT. */
#define DEFINE_WIDEN(name, element, number)                                                    \
    static void name(const uint8_t *at, uint32_t count, number *out)                           \
    {                                                                                          \
        for (uint32_t i = 0; i < count; i++) {                                                 \
            element value;                                                                     \
            memcpy(&value, at + i * sizeof value, sizeof value);                               \
            out[i] = (number)value;                                                            \
        }                                                                                      \
    }

/* ---- what all readers share ------------------------------------------------------------- */

static bool is_float(uint32_t type)
{
    return type == VISAGE_TYPE_F || type == VISAGE_TYPE_HF || type == VISAGE_TYPE_DF ||
           type == VISAGE_TYPE_BF;
}

/* Collected elements of a source, and how many of them there are. */
typedef struct elements {
    const uint8_t *at; /* NULL: a fault was raised */
    uint32_t type;     /* of an element */
    uint32_t count;    /* 1 for a scalar */
    bool is_scalar;
} elements;

static elements collect(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_operand *operand, uint32_t count, void *scratch)
{
    elements found = {.type = operand->type, .count = count};

    if (operand->kind == VSG_EXE_OPERAND_ADDRESS || operand->kind == VSG_EXE_OPERAND_SURFACE ||
        operand->kind == VSG_EXE_OPERAND_SAMPLER)
        found.type = VISAGE_TYPE_UD;
    found.at = vsg_exe_collect(thread, inst, operand, count, scratch, &found.is_scalar);
    if (found.is_scalar)
        found.count = 1;
    return found;
}

/* ---- raw -------------------------------------------------------------------------------- */

DEFINE_WIDEN(widen_1_raw, uint8_t, uint64_t)
DEFINE_WIDEN(widen_2_raw, uint16_t, uint64_t)
DEFINE_WIDEN(widen_4_raw, uint32_t, uint64_t)
DEFINE_WIDEN(widen_8_raw, uint64_t, uint64_t)

bool vsg_exe_read_raw(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                      const vsg_exe_operand *operand, uint32_t count, uint64_t *out)
{
    uint64_t scratch[VSG_EXE_MAX_CHANNELS];
    elements found = collect(thread, inst, operand, count, scratch);

    if (!found.at)
        return false;
    switch (operand->bytes) {
    case 1:
        widen_1_raw(found.at, found.count, out);
        break;
    case 2:
        widen_2_raw(found.at, found.count, out);
        break;
    case 8:
        widen_8_raw(found.at, found.count, out);
        break;
    default:
        widen_4_raw(found.at, found.count, out);
        break;
    }
    for (uint32_t i = found.count; i < count; i++)
        out[i] = out[0];
    return true;
}

bool vsg_exe_read_float_bits(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                             const vsg_exe_operand *operand, uint32_t count, uint64_t *out)
{
    uint64_t sign = (uint64_t)1 << (operand->bytes * 8 - 1);
    uint64_t clear =
        operand->modifier == VSG_OBJ_MOD_ABS || operand->modifier == VSG_OBJ_MOD_NEG_ABS ? sign
                                                                                         : 0;
    uint64_t flip =
        operand->modifier == VSG_OBJ_MOD_NEG || operand->modifier == VSG_OBJ_MOD_NEG_ABS ? sign
                                                                                         : 0;

    if (!vsg_exe_read_raw(thread, inst, operand, count, out))
        return false;
    for (uint32_t i = 0; i < count && (clear | flip); i++)
        out[i] = (out[i] & ~clear) ^ flip;
    return true;
}

/* ---- integers --------------------------------------------------------------------------- */

DEFINE_WIDEN(widen_ub, uint8_t, int64_t)
DEFINE_WIDEN(widen_b, int8_t, int64_t)
DEFINE_WIDEN(widen_uw, uint16_t, int64_t)
DEFINE_WIDEN(widen_w, int16_t, int64_t)
DEFINE_WIDEN(widen_ud, uint32_t, int64_t)
DEFINE_WIDEN(widen_d, int32_t, int64_t)
DEFINE_WIDEN(widen_q, int64_t, int64_t)

static void widen_to_int(const elements *found, int64_t *out)
{
    switch ((visage_type)found->type) {
    case VISAGE_TYPE_UB:
        widen_ub(found->at, found->count, out);
        break;
    case VISAGE_TYPE_B:
        widen_b(found->at, found->count, out);
        break;
    case VISAGE_TYPE_UW:
        widen_uw(found->at, found->count, out);
        break;
    case VISAGE_TYPE_W:
        widen_w(found->at, found->count, out);
        break;
    case VISAGE_TYPE_UD:
        widen_ud(found->at, found->count, out);
        break;
    case VISAGE_TYPE_D:
        widen_d(found->at, found->count, out);
        break;
    default:
        widen_q(found->at, found->count, out);
        break;
    }
}

/* (abs) looks at the element's bits as a signed number, whatever its type. The documents do not
 * say what it means for unsigned types; the compiler writes `div ... (abs)V` with V of type UD
 * for the absolute value of an int, and has no reason to write it for unsigned numbers. */
static int64_t magnitude_of(int64_t value, uint32_t bytes)
{
    uint32_t unused = bytes > 0 ? 64 - 8 * bytes : 0;
    int64_t number = (int64_t)((uint64_t)value << unused) >> unused;

    return number < 0 ? (int64_t)(0 - (uint64_t)number) : number;
}

static void modify_int(const vsg_exe_operand *operand, uint32_t count, int64_t *values)
{
    switch ((vsg_obj_modifier)operand->modifier) {
    case VSG_OBJ_MOD_ABS:
        for (uint32_t i = 0; i < count; i++)
            values[i] = magnitude_of(values[i], operand->bytes);
        break;
    case VSG_OBJ_MOD_NEG:
        for (uint32_t i = 0; i < count; i++)
            values[i] = (int64_t)(0 - (uint64_t)values[i]);
        break;
    case VSG_OBJ_MOD_NEG_ABS:
        for (uint32_t i = 0; i < count; i++)
            values[i] = (int64_t)(0 - (uint64_t)magnitude_of(values[i], operand->bytes));
        break;
    case VSG_OBJ_MOD_NOT:
        for (uint32_t i = 0; i < count; i++)
            values[i] = ~values[i];
        break;
    default:
        break;
    }
}

bool vsg_exe_read_int(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                      const vsg_exe_operand *operand, uint32_t count, int64_t *out)
{
    uint64_t scratch[VSG_EXE_MAX_CHANNELS];

    if (is_float(operand->type)) {
        double values[VSG_EXE_MAX_CHANNELS];
        if (!vsg_exe_read_double(thread, inst, operand, count, values))
            return false;
        for (uint32_t i = 0; i < count; i++)
            out[i] = (int64_t)vsg_exe_double_to_int(values[i], VISAGE_TYPE_Q);
        return true;
    }
    elements found = collect(thread, inst, operand, count, scratch);
    if (!found.at)
        return false;
    widen_to_int(&found, out);
    modify_int(operand, found.count, out);
    for (uint32_t i = found.count; i < count; i++)
        out[i] = out[0];
    return true;
}

bool vsg_exe_read_wide(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_operand *operand, uint32_t count, vsg_exe_int128 *out)
{
    vsg_exe_operand plain = *operand;
    int64_t values[VSG_EXE_MAX_CHANNELS];

    plain.modifier = VSG_OBJ_MOD_NONE;
    if (!vsg_exe_read_int(thread, inst, &plain, count, values))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        vsg_exe_int128 value = values[i];
        if (operand->type == VISAGE_TYPE_UQ)
            value = (uint64_t)values[i];
        vsg_exe_int128 magnitude = (uint64_t)magnitude_of(values[i], operand->bytes);
        switch ((vsg_obj_modifier)operand->modifier) {
        case VSG_OBJ_MOD_ABS:
            value = magnitude;
            break;
        case VSG_OBJ_MOD_NEG:
            value = -value;
            break;
        case VSG_OBJ_MOD_NEG_ABS:
            value = -magnitude;
            break;
        case VSG_OBJ_MOD_NOT:
            value = ~value;
            break;
        default:
            break;
        }
        out[i] = value;
    }
    return true;
}

bool vsg_exe_read_scalar(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_operand *operand, int64_t *out)
{
    vsg_exe_operand first = *operand;

    if (first.kind == VSG_EXE_OPERAND_REGION)
        first.shape = VSG_EXE_SHAPE_SCALAR;
    if (first.kind == VSG_EXE_OPERAND_INDIRECT) {
        /* It belongs to no channel: a branch reads it where the first one is off. */
        vsg_exe_inst whole = *inst;
        whole.no_mask = true;
        whole.predicate_mode = 0;
        return vsg_exe_read_int(thread, &whole, &first, 1, out);
    }
    return vsg_exe_read_int(thread, inst, &first, 1, out);
}

/* ---- floats ----------------------------------------------------------------------------- */

DEFINE_WIDEN(widen_f, float, float)
DEFINE_WIDEN(widen_df, double, double)
DEFINE_WIDEN(widen_2, uint16_t, uint16_t)

static void modify_float(uint32_t modifier, uint32_t count, float *values)
{
    uint32_t clear =
        modifier == VSG_OBJ_MOD_ABS || modifier == VSG_OBJ_MOD_NEG_ABS ? 1u << 31 : 0;
    uint32_t flip =
        modifier == VSG_OBJ_MOD_NEG || modifier == VSG_OBJ_MOD_NEG_ABS ? 1u << 31 : 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits = (vsg_exe_float_bits(values[i]) & ~clear) ^ flip;
        values[i] = vsg_exe_bits_float(bits);
    }
}

static void modify_double(uint32_t modifier, uint32_t count, double *values)
{
    uint64_t sign = (uint64_t)1 << 63;
    uint64_t clear = modifier == VSG_OBJ_MOD_ABS || modifier == VSG_OBJ_MOD_NEG_ABS ? sign : 0;
    uint64_t flip = modifier == VSG_OBJ_MOD_NEG || modifier == VSG_OBJ_MOD_NEG_ABS ? sign : 0;

    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits = (vsg_exe_double_bits(values[i]) & ~clear) ^ flip;
        values[i] = vsg_exe_bits_double(bits);
    }
}

static void modify_half(uint32_t modifier, uint32_t count, uint16_t *values)
{
    uint32_t clear =
        modifier == VSG_OBJ_MOD_ABS || modifier == VSG_OBJ_MOD_NEG_ABS ? 0x8000 : 0;
    uint32_t flip = modifier == VSG_OBJ_MOD_NEG || modifier == VSG_OBJ_MOD_NEG_ABS ? 0x8000 : 0;

    for (uint32_t i = 0; i < count; i++)
        values[i] = (uint16_t)((values[i] & ~clear) ^ flip);
}

/* Elements of a HF or BF source with modifiers, HF denormals flushed. */
static bool read_16(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                    const vsg_exe_operand *operand, elements *found, uint16_t *out)
{
    uint64_t scratch[VSG_EXE_MAX_CHANNELS];

    *found = collect(thread, inst, operand, found->count, scratch);
    if (!found->at)
        return false;
    widen_2(found->at, found->count, out);
    if (operand->modifier != VSG_OBJ_MOD_NONE)
        modify_half(operand->modifier, found->count, out);
    if (operand->type == VISAGE_TYPE_HF && !(thread->mode & VSG_EXE_CR0_DENORM_HF))
        for (uint32_t i = 0; i < found->count; i++)
            out[i] = vsg_exe_flush_half(thread, out[i]);
    return true;
}

static bool read_16_as_float(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                             const vsg_exe_operand *operand, uint32_t count, float *out)
{
    elements found = {.count = count};
    uint16_t values[VSG_EXE_MAX_CHANNELS];
    bool is_half = operand->type == VISAGE_TYPE_HF;

    if (!read_16(thread, inst, operand, &found, values))
        return false;
    for (uint32_t i = 0; i < found.count; i++)
        out[i] = is_half ? vsg_exe_widen_half(values[i])
                         : vsg_exe_flush_float(thread, vsg_exe_bf16_to_float(values[i]));
    for (uint32_t i = found.count; i < count; i++)
        out[i] = out[0];
    return true;
}

static bool read_f(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                   const vsg_exe_operand *operand, uint32_t count, float *out)
{
    uint64_t scratch[VSG_EXE_MAX_CHANNELS];
    elements found = collect(thread, inst, operand, count, scratch);

    if (!found.at)
        return false;
    widen_f(found.at, found.count, out);
    if (operand->modifier != VSG_OBJ_MOD_NONE)
        modify_float(operand->modifier, found.count, out);
    if (!(thread->mode & VSG_EXE_CR0_DENORM_F))
        for (uint32_t i = 0; i < found.count; i++)
            out[i] = vsg_exe_flush_float(thread, out[i]);
    for (uint32_t i = found.count; i < count; i++)
        out[i] = out[0];
    return true;
}

bool vsg_exe_read_float(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_operand *operand, uint32_t count, float *out)
{
    double values[VSG_EXE_MAX_CHANNELS];
    vsg_exe_int128 integers[VSG_EXE_MAX_CHANNELS];

    switch ((visage_type)operand->type) {
    case VISAGE_TYPE_F:
        return read_f(thread, inst, operand, count, out);
    case VISAGE_TYPE_HF:
    case VISAGE_TYPE_BF:
        return read_16_as_float(thread, inst, operand, count, out);
    case VISAGE_TYPE_DF:
        if (!vsg_exe_read_double(thread, inst, operand, count, values))
            return false;
        for (uint32_t i = 0; i < count; i++)
            out[i] = (float)values[i];
        return true;
    default:
        if (!vsg_exe_read_wide(thread, inst, operand, count, integers))
            return false;
        for (uint32_t i = 0; i < count; i++)
            out[i] = vsg_exe_wide_to_float(integers[i]);
        return true;
    }
}

static bool read_df(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                    const vsg_exe_operand *operand, uint32_t count, double *out)
{
    uint64_t scratch[VSG_EXE_MAX_CHANNELS];
    elements found = collect(thread, inst, operand, count, scratch);

    if (!found.at)
        return false;
    widen_df(found.at, found.count, out);
    if (operand->modifier != VSG_OBJ_MOD_NONE)
        modify_double(operand->modifier, found.count, out);
    if (!(thread->mode & VSG_EXE_CR0_DENORM_DF))
        for (uint32_t i = 0; i < found.count; i++)
            out[i] = vsg_exe_flush_double(thread, out[i]);
    for (uint32_t i = found.count; i < count; i++)
        out[i] = out[0];
    return true;
}

bool vsg_exe_read_double(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_operand *operand, uint32_t count, double *out)
{
    float values[VSG_EXE_MAX_CHANNELS];
    vsg_exe_int128 integers[VSG_EXE_MAX_CHANNELS];

    if (operand->type == VISAGE_TYPE_DF)
        return read_df(thread, inst, operand, count, out);
    if (is_float(operand->type)) {
        if (!vsg_exe_read_float(thread, inst, operand, count, values))
            return false;
        for (uint32_t i = 0; i < count; i++)
            out[i] = (double)values[i];
        return true;
    }
    if (!vsg_exe_read_wide(thread, inst, operand, count, integers))
        return false;
    for (uint32_t i = 0; i < count; i++)
        out[i] = vsg_exe_wide_to_double(integers[i]);
    return true;
}

bool vsg_exe_read_half(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_operand *operand, uint32_t count, uint16_t *out)
{
    elements found = {.count = count};
    double values[VSG_EXE_MAX_CHANNELS];

    if (operand->type == VISAGE_TYPE_HF) {
        if (!read_16(thread, inst, operand, &found, out))
            return false;
        for (uint32_t i = found.count; i < count; i++)
            out[i] = out[0];
        return true;
    }
    if (!vsg_exe_read_double(thread, inst, operand, count, values))
        return false;
    for (uint32_t i = 0; i < count; i++)
        out[i] = vsg_exe_double_to_half(values[i], thread->rounding);
    return true;
}
