/* SPDX-License-Identifier: MIT
 *
 * Atomics. The channels of an instruction follow each other, in their order; with other threads
 * they are atomic by the host's operations. Source: DWORD_ATOMIC, table of operations;
 * LSC_UNTYPED, lsc_atomic_*; spec corpus/vector for the order of sources. */
#include "exec/float16.h"
#include "exec/fpmode.h"
#include "exec/handlers.h"
#include "exec/math_bits.h"
#include "exec/message.h"
#include "exec/operand.h"

/* ---- what an operation makes of a value -------------------------------------------------- */

static int64_t sign_extend(uint64_t value, uint32_t bytes)
{
    uint32_t shift = 64 - 8 * bytes;
    return (int64_t)(value << shift) >> shift;
}

/* Facts of a float of 2, 4 or 8 bytes (HF, F, DF) in its bits. */
static uint64_t float_sign(uint32_t bytes)
{
    return (uint64_t)1 << (8 * bytes - 1);
}

static bool is_nan(uint64_t bits, uint32_t bytes)
{
    uint64_t infinity = bytes == 2   ? 0x7c00u
                        : bytes == 4 ? VSG_EXE_FLOAT_INF
                                     : (uint64_t)0x7ff << 52;
    return (bits & (float_sign(bytes) - 1)) > infinity;
}

/* Numbers in the order of the floats, -0 before +0. */
static uint64_t float_order(uint64_t bits, uint32_t bytes)
{
    uint64_t sign = float_sign(bytes);
    return bits & sign ? (sign << 1) - 1 - bits : bits | sign;
}

/* The lesser or greater float; of a number and a NaN the number. */
static uint64_t float_select(uint64_t a, uint64_t b, uint32_t bytes, bool greater)
{
    if (is_nan(a, bytes))
        return b;
    if (is_nan(b, bytes))
        return a;
    return (float_order(a, bytes) < float_order(b, bytes)) == greater ? b : a;
}

static bool float_equal(uint64_t a, uint64_t b, uint32_t bytes)
{
    if (is_nan(a, bytes) || is_nan(b, bytes))
        return false;
    return a == b || ((a | b) & (float_sign(bytes) - 1)) == 0;
}

/* The host is set to round to nearest even and to keep denormals: the data port knows no %cr0.
 */
static uint64_t float_add(uint64_t a, uint64_t b, uint32_t bytes)
{
    if (bytes == 2)
        return vsg_exe_half_add((uint16_t)a, (uint16_t)b, VSG_EXE_RNE);
    if (bytes == 4)
        return vsg_exe_float_bits(vsg_exe_bits_float((uint32_t)a) +
                                  vsg_exe_bits_float((uint32_t)b));
    return vsg_exe_double_bits(vsg_exe_bits_double(a) + vsg_exe_bits_double(b));
}

/* The new value in memory. old, value, comparand: zero-extended from `bytes`. */
static uint64_t apply(vsg_exe_atomic operation, uint32_t bytes, uint64_t old, uint64_t value,
                      uint64_t comparand)
{
    bool less = sign_extend(old, bytes) < sign_extend(value, bytes);

    switch (operation) {
    case VSG_EXE_ATOMIC_LOAD:
        return old;
    case VSG_EXE_ATOMIC_EXCHANGE:
        return value;
    case VSG_EXE_ATOMIC_ADD:
        return old + value;
    case VSG_EXE_ATOMIC_SUB:
        return old - value;
    case VSG_EXE_ATOMIC_REVERSED_SUB:
        return value - old;
    case VSG_EXE_ATOMIC_INC:
        return old + 1;
    case VSG_EXE_ATOMIC_DEC:
    case VSG_EXE_ATOMIC_PREDEC:
        return old - 1;
    case VSG_EXE_ATOMIC_UMIN:
        return old < value ? old : value;
    case VSG_EXE_ATOMIC_UMAX:
        return old > value ? old : value;
    case VSG_EXE_ATOMIC_SMIN:
        return less ? old : value;
    case VSG_EXE_ATOMIC_SMAX:
        return less ? value : old;
    case VSG_EXE_ATOMIC_AND:
        return old & value;
    case VSG_EXE_ATOMIC_OR:
        return old | value;
    case VSG_EXE_ATOMIC_XOR:
        return old ^ value;
    case VSG_EXE_ATOMIC_CAS:
        return old == comparand ? value : old;
    case VSG_EXE_ATOMIC_FADD:
        return float_add(old, value, bytes);
    case VSG_EXE_ATOMIC_FSUB:
        return float_add(old, value ^ float_sign(bytes), bytes);
    case VSG_EXE_ATOMIC_FMIN:
        return float_select(old, value, bytes, false);
    case VSG_EXE_ATOMIC_FMAX:
        return float_select(old, value, bytes, true);
    case VSG_EXE_ATOMIC_FCAS:
        return float_equal(old, comparand, bytes) ? value : old;
    }
    return old;
}

/* ---- making it atomic -------------------------------------------------------------------- */

/* Replaces *old at `host` by `value` if it still is there; else *old becomes what is. */
static bool replace(uint64_t host, uint32_t bytes, uint64_t *old, uint64_t value)
{
    void *at = (void *)(uintptr_t)host;
    uint16_t old16 = (uint16_t)*old;
    uint32_t old32 = (uint32_t)*old;
    bool done;

    switch (bytes) {
    case 2:
        done = __atomic_compare_exchange_n((vsg_exe_word16 *)at, &old16, (uint16_t)value, false,
                                           __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        *old = old16;
        return done;
    case 4:
        done = __atomic_compare_exchange_n((vsg_exe_word32 *)at, &old32, (uint32_t)value, false,
                                           __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        *old = old32;
        return done;
    default:
        return __atomic_compare_exchange_n((vsg_exe_word64 *)at, old, value, false,
                                           __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
}

static uint64_t load(uint64_t host, uint32_t bytes)
{
    const void *at = (const void *)(uintptr_t)host;

    switch (bytes) {
    case 2:
        return __atomic_load_n((const vsg_exe_word16 *)at, __ATOMIC_SEQ_CST);
    case 4:
        return __atomic_load_n((const vsg_exe_word32 *)at, __ATOMIC_SEQ_CST);
    default:
        return __atomic_load_n((const vsg_exe_word64 *)at, __ATOMIC_SEQ_CST);
    }
}

/* Sums are most of what kernels do: the host has them in one operation. */
static uint64_t fetch_add(uint64_t host, uint32_t bytes, uint64_t value)
{
    void *at = (void *)(uintptr_t)host;

    switch (bytes) {
    case 2:
        return __atomic_fetch_add((vsg_exe_word16 *)at, (uint16_t)value, __ATOMIC_SEQ_CST);
    case 4:
        return __atomic_fetch_add((vsg_exe_word32 *)at, (uint32_t)value, __ATOMIC_SEQ_CST);
    default:
        return __atomic_fetch_add((vsg_exe_word64 *)at, value, __ATOMIC_SEQ_CST);
    }
}

static uint64_t run_shared(vsg_exe_atomic operation, uint32_t bytes, uint64_t host,
                           uint64_t value, uint64_t comparand)
{
    uint64_t old;

    switch (operation) {
    case VSG_EXE_ATOMIC_LOAD:
        return load(host, bytes);
    case VSG_EXE_ATOMIC_ADD:
        return fetch_add(host, bytes, value);
    case VSG_EXE_ATOMIC_SUB:
        return fetch_add(host, bytes, 0 - value);
    case VSG_EXE_ATOMIC_INC:
        return fetch_add(host, bytes, 1);
    case VSG_EXE_ATOMIC_DEC:
    case VSG_EXE_ATOMIC_PREDEC:
        return fetch_add(host, bytes, UINT64_MAX);
    default:
        old = load(host, bytes);
        while (!replace(host, bytes, &old, apply(operation, bytes, old, value, comparand)))
            continue;
        return old;
    }
}

uint64_t vsg_exe_atomic_run(vsg_exe_atomic operation, uint32_t bytes, uint64_t host,
                            uint64_t value, uint64_t comparand, bool alone)
{
    uint64_t old;

    if (alone) {
        old = vsg_exe_peek(host, bytes);
        vsg_exe_poke(host, bytes, apply(operation, bytes, old, value, comparand));
    } else {
        old = run_shared(operation, bytes, host, value, comparand);
    }
    if (operation == VSG_EXE_ATOMIC_PREDEC)
        old--;
    return old & UINT64_MAX >> (64 - 8 * bytes);
}

/* ---- handler ----------------------------------------------------------------------------- */

static void read_slots(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_operand *operand, uint64_t *out)
{
    const vsg_exe_message *message = inst->message;

    memset(out, 0, inst->exec_size * sizeof *out);
    if (operand->is_null)
        return;
    const uint8_t *slots = vsg_exe_raw_at(thread, operand);
    for (uint32_t n = 0; n < inst->exec_size; n++)
        out[n] = vsg_exe_slot_read(slots + (size_t)n * message->register_bytes, message);
}

void vsg_exe_atomic_sources(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint64_t *values,
                            uint64_t *comparands)
{
    const vsg_exe_message *message = inst->message;

    if (message->atomic == VSG_EXE_ATOMIC_FADD || message->atomic == VSG_EXE_ATOMIC_FSUB)
        vsg_exe_use_math_mode(thread);
    read_slots(thread, inst, &message->value, values);
    read_slots(thread, inst, &message->comparand, comparands);
}

void vsg_exe_do_atomic(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_message *message = inst->message;
    uint32_t channels = vsg_exe_channels(thread, inst);
    uint32_t bytes = message->memory_bytes;
    uint64_t addresses[VSG_EXE_MAX_CHANNELS];
    uint64_t values[VSG_EXE_MAX_CHANNELS];
    uint64_t comparands[VSG_EXE_MAX_CHANNELS];
    vsg_exe_window window;

    if (channels == 0 || !vsg_exe_open(thread, inst, message, &window) ||
        !vsg_exe_addresses(thread, inst, &window, addresses))
        return;
    vsg_exe_atomic_sources(thread, inst, values, comparands);
    uint8_t *slots = message->data.is_null ? NULL : vsg_exe_raw_at(thread, &message->data);
    for (uint32_t n = 0; n < inst->exec_size; n++) {
        uint64_t old = 0;
        if (!(channels >> n & 1))
            continue;
        uint64_t host = vsg_exe_window_at(&window, addresses[n], bytes);
        if (!host && !window.drops) {
            vsg_exe_outside(thread, inst, &window, VSG_EXE_ACCESS_ATOMIC, n, addresses[n]);
            return;
        }
        if ((window.shown + addresses[n]) & (bytes - 1)) {
            vsg_exe_unaligned(thread, inst, n, window.shown + addresses[n]);
            return;
        }
        if (host)
            old = vsg_exe_atomic_run((vsg_exe_atomic)message->atomic, bytes, host, values[n],
                                     comparands[n], window.is_slm);
        if (slots)
            vsg_exe_slot_write(slots + (size_t)n * message->register_bytes, message, old);
    }
}
