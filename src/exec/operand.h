/* SPDX-License-Identifier: MIT
 *
 * Reading and writing operands: the element of each channel, converted to and from the type an
 * instruction computes in, with source modifiers and saturation. Every array has room for
 * VSG_EXE_MAX_CHANNELS elements; channel n of the instruction is element n, whatever its mask.
 * Registers are little-endian, and so must the host be.
 *
 * All sources are read before anything is written: source and destination may overlap
 * (spec dialect 5.4). Conversions: 2_datatypes and MOV page. */
#ifndef VISAGE_EXEC_OPERAND_H
#define VISAGE_EXEC_OPERAND_H

#include "exec/float16.h"
#include "exec/fpmode.h"
#include "exec/thread.h"

/* Large enough for the elements of any operand. */
enum { VSG_EXE_ELEMENTS_BYTES = VSG_EXE_MAX_CHANNELS * 8 };

__extension__ typedef __int128 vsg_exe_int128;

/* Bits of the first `count` channels. */
static inline uint32_t vsg_exe_first(uint32_t count)
{
    return count >= 32 ? UINT32_MAX : (1u << count) - 1;
}

/* Channels that the execution mask enables, the predicate left aside: what SEL writes. */
static inline uint32_t vsg_exe_enabled(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t mask = inst->no_mask ? UINT32_MAX : thread->execution_mask >> inst->mask_offset;
    return mask & vsg_exe_first(inst->exec_size);
}

/* vsg_exe_channels(), quick where there is no predicate. */
static inline uint32_t vsg_exe_active(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    return inst->predicate_mode ? vsg_exe_channels(thread, inst)
                                : vsg_exe_enabled(thread, inst);
}

/* ---- sources ---------------------------------------------------------------------------- */

/* The elements of a source one after the other, in its own type and without modifiers: where
 * they lie in the registers if they lie so there, else collected in `scratch`, of
 * VSG_EXE_ELEMENTS_BYTES. is_scalar: there is one element, for all channels. Of an indirect
 * operand only the elements of active channels are looked at, others are 0. NULL: a fault was
 * raised (an indirect operand outside the registers). */
const uint8_t *vsg_exe_collect(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                               const vsg_exe_operand *operand, uint32_t count, void *scratch,
                               bool *is_scalar);

/* The element's bytes without conversion, zero-extended; no modifiers. False, here and below:
 * a fault was raised. */
bool vsg_exe_read_raw(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                      const vsg_exe_operand *operand, uint32_t count, uint64_t *out);
/* The same, with modifiers on the sign bit of floats; the type must be one. Denormals and
 * signalling NaNs stay what they are. */
bool vsg_exe_read_float_bits(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                             const vsg_exe_operand *operand, uint32_t count, uint64_t *out);

/* As integers: signed types sign-extended, unsigned ones zero-extended (UQ keeps its bits),
 * floats truncated towards zero with saturation to Q. Arithmetic modifiers and `not` applied
 * in 64 bits. */
bool vsg_exe_read_int(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                      const vsg_exe_operand *operand, uint32_t count, int64_t *out);
/* The exact value, modifiers included, where 64 bits may not hold it. */
bool vsg_exe_read_wide(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_operand *operand, uint32_t count, vsg_exe_int128 *out);
/* As floats: HF, BF exactly; integers and DF rounded in the thread's mode. Denormals flushed
 * where the mode of the element's type says so. */
bool vsg_exe_read_float(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_operand *operand, uint32_t count, float *out);
bool vsg_exe_read_double(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_operand *operand, uint32_t count, double *out);
/* HF as it is, other types rounded in the thread's mode; denormals flushed as the mode says. */
bool vsg_exe_read_half(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_operand *operand, uint32_t count, uint16_t *out);

/* One value; the region counts as <0;1,0>. */
bool vsg_exe_read_scalar(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_operand *operand, int64_t *out);

/* ---- destinations ----------------------------------------------------------------------- */

/* Write to the channels of `channels`. Integers: truncated, or saturated to the destination's
 * range when inst->saturate (is_unsigned: the values are UQ bits); converted when the
 * destination is a float. Floats: rounded in the thread's mode; saturated to [0, 1] when
 * inst->saturate and the destination is a float; denormals flushed, infinities of F in ALT mode
 * made finite; to an integer destination truncated towards zero and clamped to its range, NaN
 * gives 0. */
void vsg_exe_write_int(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_operand *dst, uint32_t channels, const int64_t *values,
                       bool is_unsigned);
void vsg_exe_write_wide(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_operand *dst, uint32_t channels,
                        const vsg_exe_int128 *values);
void vsg_exe_write_float(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_operand *dst, uint32_t channels, const float *values);
void vsg_exe_write_double(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_operand *dst, uint32_t channels, const double *values);
/* Halves that are already rounded; converted when the destination is another type. */
void vsg_exe_write_half(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_operand *dst, uint32_t channels, const uint16_t *values);
/* Low bytes as they are. */
void vsg_exe_write_raw(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_operand *dst, uint32_t channels, const uint64_t *values);
/* Elements of the destination's size one after the other, as they are. */
void vsg_exe_scatter(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                     const vsg_exe_operand *dst, uint32_t channels, const void *elements);

/* Truncation towards zero, clamped to the range of an integer type; NaN gives 0. The result is
 * the bits of that type in 64 (2_datatypes, Float to Integer). */
uint64_t vsg_exe_double_to_int(double value, visage_type type);

/* ---- predicates, raw operands ----------------------------------------------------------- */

/* Bits of a predicate operand from the instruction's mask offset on, and the write of the bits
 * of `channels`, others kept. */
uint32_t vsg_exe_read_predicate(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                const vsg_exe_operand *operand);
void vsg_exe_write_predicate(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                             const vsg_exe_operand *dst, uint32_t channels, uint32_t bits);

/* Registers of a raw operand: `size_bytes` from its offset on, plus `skip_bytes`; always inside
 * the register file (the program reserves slack for every raw access, see message.h). */
uint8_t *vsg_exe_raw_at(const vsg_exe_thread *thread, const vsg_exe_operand *operand);

/* ---- denormals -------------------------------------------------------------------------- */

/* Flushes a denormal to zero of its sign where the mode of its type says so. */
float vsg_exe_flush_float(const vsg_exe_thread *thread, float value);
double vsg_exe_flush_double(const vsg_exe_thread *thread, double value);
uint16_t vsg_exe_flush_half(const vsg_exe_thread *thread, uint16_t value);

/* Byte distance of element i from the element at the operand's (row's) address. */
int64_t vsg_exe_distance(const vsg_exe_operand *operand, uint32_t i);

#endif
