/* SPDX-License-Identifier: MIT
 *
 * Where operands are: regions, indirect operands, immediates, predicates. Source: 5_operands.
 */
#include "exec/operand.h"

#include <string.h>

#include "isa/isa.h"

static uint8_t *registers_of(const vsg_exe_thread *thread, const vsg_exe_operand *operand)
{
    return operand->shared ? thread->shared : thread->registers;
}

/* ---- elements at a stride --------------------------------------------------------------- */

#define DEFINE_COPY(bytes)                                                                     \
    static void copy_##bytes(uint8_t *to, int32_t to_stride, const uint8_t *from,              \
                             int32_t from_stride, uint32_t count, uint32_t channels)           \
    {                                                                                          \
        if ((channels & vsg_exe_first(count)) == vsg_exe_first(count)) {                       \
            for (uint32_t i = 0; i < count; i++, to += to_stride, from += from_stride)         \
                memcpy(to, from, bytes);                                                       \
            return;                                                                            \
        }                                                                                      \
        for (uint32_t i = 0; i < count; i++, to += to_stride, from += from_stride)             \
            if (channels >> i & 1)                                                             \
                memcpy(to, from, bytes);                                                       \
    }
DEFINE_COPY(1)
DEFINE_COPY(2)
DEFINE_COPY(4)
DEFINE_COPY(8)
#undef DEFINE_COPY

/* Copies the elements of `channels`. A size known to the compiler makes each a plain move. */
static void copy_elements(uint8_t *to, int32_t to_stride, const uint8_t *from,
                          int32_t from_stride, uint32_t bytes, uint32_t count,
                          uint32_t channels)
{
    switch (bytes) {
    case 1:
        copy_1(to, to_stride, from, from_stride, count, channels);
        break;
    case 2:
        copy_2(to, to_stride, from, from_stride, count, channels);
        break;
    case 4:
        copy_4(to, to_stride, from, from_stride, count, channels);
        break;
    default:
        copy_8(to, to_stride, from, from_stride, count, channels);
        break;
    }
}

static void collect_rows(const uint8_t *base, const vsg_exe_operand *operand, uint32_t count,
                         uint8_t *scratch)
{
    uint32_t bytes = operand->bytes;
    uint32_t width = operand->width;

    for (uint32_t i = 0; i < count; i += width) {
        uint32_t in_row = count - i < width ? count - i : width;
        copy_elements(scratch + i * bytes, (int32_t)bytes,
                      base + (ptrdiff_t)(i / width) * operand->v_stride_bytes,
                      operand->h_stride_bytes, bytes, in_row, UINT32_MAX);
    }
}

int64_t vsg_exe_distance(const vsg_exe_operand *operand, uint32_t i)
{
    switch ((vsg_exe_shape)operand->shape) {
    case VSG_EXE_SHAPE_SCALAR:
        return 0;
    case VSG_EXE_SHAPE_CONTIGUOUS:
        return (int64_t)i * operand->bytes;
    case VSG_EXE_SHAPE_STRIDED:
        return (int64_t)i * operand->h_stride_bytes;
    case VSG_EXE_SHAPE_ROWS:
        break;
    }
    int64_t row = operand->multi_address ? 0 : i / operand->width;
    return row * operand->v_stride_bytes +
           (int64_t)(i % operand->width) * operand->h_stride_bytes;
}

/* ---- indirect operands ------------------------------------------------------------------ */

/* Where element i is. NULL: a fault was raised. Variables end at variable_bytes; what lies
 * behind is not the kernel's (5_operands: undefined there). */
static uint8_t *find_indirect(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                              const vsg_exe_operand *operand, uint32_t i)
{
    const vsg_exe_unit *unit = thread->frame->unit;
    uint32_t address = operand->index + (operand->multi_address ? i / operand->width : 0);
    int64_t at = -1;

    if (address < unit->num_addresses)
        at = (int64_t)(int32_t)thread->frame->addresses[address] + operand->indirect_bytes +
             vsg_exe_distance(operand, i);
    if (at >= VSG_EXE_SHARED_ADDRESS &&
        at + operand->bytes <= VSG_EXE_SHARED_ADDRESS + thread->shared_bytes)
        return thread->shared + (at - VSG_EXE_SHARED_ADDRESS);
    if (at < 0 || at + operand->bytes > unit->variable_bytes) {
        vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_REGISTER, (int32_t)i, (uint64_t)at,
                            operand->bytes);
        thread->fault.limit = unit->variable_bytes;
        return NULL;
    }
    return thread->registers + at;
}

/* Channels whose elements matter: a channel that is off may hold any address. */
static uint32_t reading_channels(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    if (vsg_isa_op((visage_op)inst->op)->flags & (VSG_ISA_PRED_SELECTS | VSG_ISA_PRED_RESULT))
        return vsg_exe_enabled(thread, inst);
    return vsg_exe_active(thread, inst);
}

static bool collect_indirect(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                             const vsg_exe_operand *operand, uint32_t count, uint8_t *scratch)
{
    uint32_t channels = reading_channels(thread, inst);

    /* Operands of another size than the instruction's are needed whatever the mask. */
    if (count != inst->exec_size)
        channels = UINT32_MAX;
    memset(scratch, 0, (size_t)count * operand->bytes);
    for (uint32_t i = 0; i < count; i++) {
        if (!(channels >> i & 1))
            continue;
        const uint8_t *at = find_indirect(thread, inst, operand, i);
        if (!at)
            return false;
        memcpy(scratch + i * operand->bytes, at, operand->bytes);
    }
    return true;
}

/* ---- sources ---------------------------------------------------------------------------- */

static const uint8_t *collect_region(const vsg_exe_thread *thread,
                                     const vsg_exe_operand *operand, uint32_t count,
                                     void *scratch, bool *is_scalar)
{
    static const uint8_t zero[8];
    const uint8_t *base = registers_of(thread, operand) + operand->offset;

    if (operand->is_null) {
        *is_scalar = true;
        return zero;
    }
    switch ((vsg_exe_shape)operand->shape) {
    case VSG_EXE_SHAPE_SCALAR:
        *is_scalar = true;
        return base;
    case VSG_EXE_SHAPE_CONTIGUOUS:
        return base;
    case VSG_EXE_SHAPE_STRIDED:
        copy_elements(scratch, operand->bytes, base, operand->h_stride_bytes, operand->bytes,
                      count, UINT32_MAX);
        return scratch;
    case VSG_EXE_SHAPE_ROWS:
        break;
    }
    collect_rows(base, operand, count, scratch);
    return scratch;
}

static const uint8_t *collect_immediate(const vsg_exe_operand *operand, uint32_t count,
                                        uint8_t *scratch, bool *is_scalar)
{
    if (operand->count == 1) {
        *is_scalar = true;
        return (const uint8_t *)operand->elements;
    }
    for (uint32_t i = 0; i < count; i++)
        memcpy(scratch + i * operand->bytes, &operand->elements[i % operand->count],
               operand->bytes);
    return scratch;
}

/* Dwords of an address variable: the first `width` ones, over and over. */
static const uint8_t *collect_addresses(const vsg_exe_thread *thread,
                                        const vsg_exe_operand *operand, uint32_t count,
                                        uint8_t *scratch)
{
    uint32_t width = operand->width ? operand->width : 1;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t element = operand->index + i % width;
        uint32_t value = 0;
        if (element < thread->frame->unit->num_addresses)
            value = thread->frame->addresses[element];
        memcpy(scratch + i * sizeof value, &value, sizeof value);
    }
    return scratch;
}

static const uint8_t *collect_states(const uint32_t *states, uint32_t num_states,
                                     const vsg_exe_operand *operand, uint32_t count,
                                     uint8_t *scratch)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = operand->index + i < num_states ? states[operand->index + i] : 0;
        memcpy(scratch + i * sizeof value, &value, sizeof value);
    }
    return scratch;
}

const uint8_t *vsg_exe_collect(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                               const vsg_exe_operand *operand, uint32_t count, void *scratch,
                               bool *is_scalar)
{
    const vsg_exe_frame *frame = thread->frame;

    *is_scalar = false;
    switch ((vsg_exe_operand_kind)operand->kind) {
    case VSG_EXE_OPERAND_REGION:
        return collect_region(thread, operand, count, scratch, is_scalar);
    case VSG_EXE_OPERAND_IMMEDIATE:
        return collect_immediate(operand, count, scratch, is_scalar);
    case VSG_EXE_OPERAND_INDIRECT:
        return collect_indirect(thread, inst, operand, count, scratch) ? scratch : NULL;
    case VSG_EXE_OPERAND_ADDRESS:
        return collect_addresses(thread, operand, count, scratch);
    case VSG_EXE_OPERAND_SURFACE:
        return collect_states(frame->surfaces, frame->unit->num_surfaces, operand, count,
                              scratch);
    case VSG_EXE_OPERAND_SAMPLER:
        return collect_states(frame->samplers, frame->unit->num_samplers, operand, count,
                              scratch);
    case VSG_EXE_OPERAND_PREDICATE:
    case VSG_EXE_OPERAND_NONE:
        break;
    }
    memset(scratch, 0, VSG_EXE_ELEMENTS_BYTES);
    return scratch;
}

/* ---- destinations ----------------------------------------------------------------------- */

static void scatter_region(const vsg_exe_thread *thread, const vsg_exe_operand *dst,
                           uint32_t count, uint32_t channels, const uint8_t *elements)
{
    uint8_t *base = registers_of(thread, dst) + dst->offset;
    int32_t stride = dst->shape == VSG_EXE_SHAPE_STRIDED ? dst->h_stride_bytes : dst->bytes;

    if (channels == vsg_exe_first(count) && stride == dst->bytes)
        memcpy(base, elements, (size_t)count * dst->bytes);
    else
        copy_elements(base, stride, elements, dst->bytes, dst->bytes, count, channels);
}

static void scatter_indirect(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                             const vsg_exe_operand *dst, uint32_t count, uint32_t channels,
                             const uint8_t *elements)
{
    uint8_t *at[VSG_EXE_MAX_CHANNELS];

    for (uint32_t i = 0; i < count; i++)
        if ((channels >> i & 1) && !(at[i] = find_indirect(thread, inst, dst, i)))
            return;
    for (uint32_t i = 0; i < count; i++)
        if (channels >> i & 1)
            memcpy(at[i], elements + i * dst->bytes, dst->bytes);
}

static void scatter_dwords(uint32_t *to, uint32_t size, uint32_t first, uint32_t count,
                           uint32_t channels, const uint8_t *elements)
{
    for (uint32_t i = 0; i < count; i++)
        if ((channels >> i & 1) && first + i < size)
            memcpy(&to[first + i], elements + i * sizeof *to, sizeof *to);
}

void vsg_exe_scatter(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                     const vsg_exe_operand *dst, uint32_t channels, const void *elements)
{
    const vsg_exe_frame *frame = thread->frame;
    uint32_t count = inst->exec_size;

    switch ((vsg_exe_operand_kind)dst->kind) {
    case VSG_EXE_OPERAND_REGION:
        if (!dst->is_null)
            scatter_region(thread, dst, count, channels, elements);
        break;
    case VSG_EXE_OPERAND_INDIRECT:
        scatter_indirect(thread, inst, dst, count, channels, elements);
        break;
    case VSG_EXE_OPERAND_ADDRESS:
        scatter_dwords(frame->addresses, frame->unit->num_addresses, dst->index, count,
                       channels, elements);
        break;
    case VSG_EXE_OPERAND_SURFACE:
        scatter_dwords(frame->surfaces, frame->unit->num_surfaces, dst->index, count, channels,
                       elements);
        break;
    case VSG_EXE_OPERAND_SAMPLER:
        scatter_dwords(frame->samplers, frame->unit->num_samplers, dst->index, count, channels,
                       elements);
        break;
    default:
        break;
    }
}

/* ---- predicates, raw operands ----------------------------------------------------------- */

uint32_t vsg_exe_read_predicate(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                const vsg_exe_operand *operand)
{
    return thread->predicates[operand->index] >> inst->mask_offset &
           vsg_exe_first(inst->exec_size);
}

void vsg_exe_write_predicate(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                             const vsg_exe_operand *dst, uint32_t channels, uint32_t bits)
{
    uint32_t *predicate = &thread->predicates[dst->index];

    *predicate = (*predicate & ~(channels << inst->mask_offset)) | (bits & channels)
                                                                       << inst->mask_offset;
}

uint8_t *vsg_exe_raw_at(const vsg_exe_thread *thread, const vsg_exe_operand *operand)
{
    return registers_of(thread, operand) + operand->offset;
}

/* ---- denormals -------------------------------------------------------------------------- */

float vsg_exe_flush_float(const vsg_exe_thread *thread, float value)
{
    uint32_t bits;

    if (thread->mode & VSG_EXE_CR0_DENORM_F)
        return value;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7f800000) == 0)
        bits &= 0x80000000;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double vsg_exe_flush_double(const vsg_exe_thread *thread, double value)
{
    uint64_t bits;

    if (thread->mode & VSG_EXE_CR0_DENORM_DF)
        return value;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7ff0000000000000) == 0)
        bits &= 0x8000000000000000;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint16_t vsg_exe_flush_half(const vsg_exe_thread *thread, uint16_t value)
{
    if (!(thread->mode & VSG_EXE_CR0_DENORM_HF) && (value & 0x7c00) == 0)
        return value & 0x8000;
    return value;
}
