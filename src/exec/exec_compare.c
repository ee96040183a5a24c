/* SPDX-License-Identifier: MIT
 *
 * Comparisons. Integers are compared by their exact values, whatever their types (2_datatypes:
 * extra precision within the hardware); halves as floats, which they are exactly. Denormals
 * that the mode flushes count as zeros. Pages CMP MIN_MAX. */
#include <assert.h>

#include "exec/compute.h"
#include "exec/handlers.h"

/* ---- cmp -------------------------------------------------------------------------------- */

/* Defines NAME(relation, count, a, b): bit i is the relation of a[i] and b[i]. The loops have
 * one relation each, for the compiler's sake. Any relation but NE is false for a NaN. */
#define DEFINE_RELATE(name, number)                                                            \
    static uint32_t name(uint32_t relation, uint32_t count, const number *a, const number *b)  \
    {                                                                                          \
        uint32_t bits = 0;                                                                     \
        assert(count <= VSG_EXE_MAX_CHANNELS);                                                 \
        switch (relation) {                                                                    \
        case VSG_EXE_REL_EQ:                                                                   \
            for (uint32_t i = 0; i < count; i++)                                               \
                bits |= (uint32_t)(a[i] == b[i]) << i;                                         \
            break;                                                                             \
        case VSG_EXE_REL_NE:                                                                   \
            for (uint32_t i = 0; i < count; i++)                                               \
                bits |= (uint32_t)(a[i] != b[i]) << i;                                         \
            break;                                                                             \
        case VSG_EXE_REL_GT:                                                                   \
            for (uint32_t i = 0; i < count; i++)                                               \
                bits |= (uint32_t)(a[i] > b[i]) << i;                                          \
            break;                                                                             \
        case VSG_EXE_REL_GE:                                                                   \
            for (uint32_t i = 0; i < count; i++)                                               \
                bits |= (uint32_t)(a[i] >= b[i]) << i;                                         \
            break;                                                                             \
        case VSG_EXE_REL_LT:                                                                   \
            for (uint32_t i = 0; i < count; i++)                                               \
                bits |= (uint32_t)(a[i] < b[i]) << i;                                          \
            break;                                                                             \
        default:                                                                               \
            for (uint32_t i = 0; i < count; i++)                                               \
                bits |= (uint32_t)(a[i] <= b[i]) << i;                                         \
            break;                                                                             \
        }                                                                                      \
        return bits;                                                                           \
    }
DEFINE_RELATE(relate_int, int64_t)
DEFINE_RELATE(relate_wide, vsg_exe_int128)
DEFINE_RELATE(relate_float, float)
DEFINE_RELATE(relate_double, double)
#undef DEFINE_RELATE

/* Each compares all channels in one class; false: a fault was raised. */
static bool compare_int(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t *bits)
{
    int64_t a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!vsg_exe_read_int(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_int(thread, inst, &inst->src[1], inst->exec_size, b))
        return false;
    *bits = relate_int(inst->control, inst->exec_size, a, b);
    return true;
}

static bool compare_wide(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t *bits)
{
    vsg_exe_int128 a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!vsg_exe_read_wide(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_wide(thread, inst, &inst->src[1], inst->exec_size, b))
        return false;
    *bits = relate_wide(inst->control, inst->exec_size, a, b);
    return true;
}

static bool compare_float(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t *bits)
{
    float a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!vsg_exe_read_float(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_float(thread, inst, &inst->src[1], inst->exec_size, b))
        return false;
    *bits = relate_float(inst->control, inst->exec_size, a, b);
    return true;
}

static bool compare_double(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t *bits)
{
    double a[VSG_EXE_MAX_CHANNELS], b[VSG_EXE_MAX_CHANNELS];

    if (!vsg_exe_read_double(thread, inst, &inst->src[0], inst->exec_size, a) ||
        !vsg_exe_read_double(thread, inst, &inst->src[1], inst->exec_size, b))
        return false;
    *bits = relate_double(inst->control, inst->exec_size, a, b);
    return true;
}

static bool compare(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t *bits)
{
    vsg_exe_use_mode(thread, (vsg_exe_class)inst->class_);
    switch ((vsg_exe_class)inst->class_) {
    case VSG_EXE_CLASS_INT:
        return vsg_exe_has_qword(inst, 2) ? compare_wide(thread, inst, bits)
                                          : compare_int(thread, inst, bits);
    case VSG_EXE_CLASS_DOUBLE:
        return compare_double(thread, inst, bits);
    default:
        return compare_float(thread, inst, bits);
    }
}

void vsg_exe_do_cmp(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t channels = vsg_exe_active(thread, inst);
    uint64_t masks[VSG_EXE_MAX_CHANNELS];
    uint32_t bits;

    if (!channels || !compare(thread, inst, &bits))
        return;
    if (inst->dst.kind == VSG_EXE_OPERAND_PREDICATE) {
        vsg_exe_write_predicate(thread, inst, &inst->dst, channels, bits);
        return;
    }
    for (uint32_t i = 0; i < inst->exec_size; i++)
        masks[i] = bits >> i & 1 ? UINT64_MAX : 0;
    vsg_exe_write_raw(thread, inst, &inst->dst, channels, masks);
}

/* ---- min, max --------------------------------------------------------------------------- */

static int64_t min_int(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static vsg_exe_int128 min_wide(vsg_exe_int128 a, vsg_exe_int128 b)
{
    return a < b ? a : b;
}

/* "If one of the numbers is NaN and the other is not, returns the one that is not NaN. When
 * both are NaN, returns source1." Equal numbers, zeros of either sign among them: MIN is a
 * selection by `less` and gives src1, MAX one by `greater or equal` and gives src0 (so Intel's
 * finalizer translates them, TranslateALU.cpp). */
static float min_float(float a, float b)
{
    return (a < b || b != b) && a == a ? a : b;
}

static double min_double(double a, double b)
{
    return (a < b || b != b) && a == a ? a : b;
}

void vsg_exe_do_min(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_binary min = {.is_exact = true,
                                       .on_int = min_int,
                                       .on_wide = min_wide,
                                       .on_float = min_float,
                                       .on_double = min_double};
    vsg_exe_compute_binary(thread, inst, &min);
}

static int64_t max_int(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static vsg_exe_int128 max_wide(vsg_exe_int128 a, vsg_exe_int128 b)
{
    return a > b ? a : b;
}

static float max_float(float a, float b)
{
    return (a >= b || b != b) && a == a ? a : b;
}

static double max_double(double a, double b)
{
    return (a >= b || b != b) && a == a ? a : b;
}

void vsg_exe_do_max(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    static const vsg_exe_binary max = {.is_exact = true,
                                       .on_int = max_int,
                                       .on_wide = max_wide,
                                       .on_float = max_float,
                                       .on_double = max_double};
    vsg_exe_compute_binary(thread, inst, &max);
}
