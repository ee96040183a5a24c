/* SPDX-License-Identifier: MIT */

/* DPAS against the pseudo code of its page, written out again with its own names: registers as
 * rows of exec_size dwords, the counters m, n and k, one element at a time. Every pair of
 * integer precisions, depth and repeat count runs on random bits; floats are small whole
 * numbers, whose sums are exact in any order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ops_machine.h"

enum { U2 = 3, S2, U4, S4, U8, S8, BF, HF, BF8, TF32 };
enum { SRC0 = MACHINE_SRC, SRC1 = 2048, SRC2 = 4096 };

static machine m;

static uint32_t bits_of(uint32_t precision)
{
    switch (precision) {
    case U2:
    case S2:
        return 2;
    case U4:
    case S4:
        return 4;
    case BF:
    case HF:
        return 16;
    case TF32:
        return 32;
    default:
        return 8;
    }
}

/* OPS_PER_CHAN */
static uint32_t ops_of(uint32_t w, uint32_t a)
{
    if (bits_of(w) == 32)
        return 1;
    if (bits_of(w) == 16)
        return 2;
    return bits_of(w) == 8 || bits_of(a) == 8 ? 4 : 8;
}

static vsg_exe_inst build(uint32_t exec_size, uint32_t w, uint32_t a, uint32_t depth,
                          uint32_t count, visage_type accumulator)
{
    vsg_exe_inst inst = machine_inst(VISAGE_OP_DPAS, exec_size);

    inst.num_sources = 3;
    inst.control = w | a << 8 | depth << 16 | count << 24;
    inst.dst = machine_region(accumulator, MACHINE_DST, 16);
    inst.src[0] = machine_region(accumulator, SRC0, 16);
    inst.src[1] = machine_region(VISAGE_TYPE_UD, SRC1, 16);
    inst.src[2] = machine_region(VISAGE_TYPE_UD, SRC2, 16);
    return inst;
}

/* Element `index` of a string of elements of `bits` bits. */
static uint32_t get_bits(uint32_t offset, uint32_t index, uint32_t bits)
{
    uint32_t value = 0;

    for (uint32_t b = 0; b < bits; b++) {
        uint32_t at = index * bits + b;
        value |= (uint32_t)(m.registers[offset + at / 8] >> at % 8 & 1) << b;
    }
    return value;
}

static void set_bits(uint32_t offset, uint32_t index, uint32_t bits, uint32_t value)
{
    for (uint32_t b = 0; b < bits; b++) {
        uint32_t at = index * bits + b;
        uint8_t *byte = &m.registers[offset + at / 8];
        *byte = (uint8_t)((*byte & ~(1u << at % 8)) | (value >> b & 1) << at % 8);
    }
}

static int64_t number_of(uint32_t value, uint32_t precision)
{
    uint32_t bits = bits_of(precision);
    bool is_signed = precision == S2 || precision == S4 || precision == S8;

    return is_signed && value >> (bits - 1) ? (int64_t)value - (1 << bits) : (int64_t)value;
}

/* ---- integers --------------------------------------------------------------------------- */

static void check_ints(uint32_t exec_size, uint32_t w, uint32_t a, uint32_t depth,
                       uint32_t count, bool has_src0)
{
    static uint64_t random = 1;
    vsg_exe_inst inst = build(exec_size, w, a, depth, count, VISAGE_TYPE_D);
    uint32_t ops = ops_of(w, a);
    uint32_t operands_per_chan = 32 / (ops * bits_of(w));
    uint32_t k = 0;

    machine_reset(&m);
    for (uint32_t i = 0; i < MACHINE_BYTES; i += 8)
        machine_put(&m, 0, 8, i / 8, machine_random(&random));
    inst.src[0].is_null = !has_src0;
    machine_run(&m, &inst);
    for (uint32_t r = 0; r < count; r++) {
        for (uint32_t i = 0; i < exec_size; i++) {
            int64_t temp = has_src0 ? (int64_t)machine_get(&m, SRC0, 4, r * exec_size + i) : 0;
            for (uint32_t d = 0; d < depth; d++) {
                uint32_t m_ = d / operands_per_chan;
                uint32_t n = d % operands_per_chan * ops;
                for (uint32_t e = 0; e < ops; e++) {
                    uint32_t dword = SRC1 + 4 * (m_ * exec_size + i);
                    int64_t x = number_of(get_bits(dword, n + e, bits_of(w)), w);
                    int64_t y = number_of(get_bits(SRC2, k + d * ops + e, bits_of(a)), a);
                    temp += x * y;
                }
            }
            assert_int_equal(machine_get(&m, MACHINE_DST, 4, r * exec_size + i),
                             (uint32_t)temp);
        }
        k += depth * ops;
    }
}

static void test_ints(void **state)
{
    (void)state;
    for (uint32_t w = U2; w <= S8; w++) {
        for (uint32_t a = U2; a <= S8; a++) {
            check_ints(8, w, a, 8, 8, true);
            check_ints(16, w, a, 8, 8, true);
            check_ints(16, w, a, 8, 3, false);
            for (uint32_t depth = 1; depth < 8; depth *= 2)
                check_ints(8, w, a, depth, depth + 1, true);
        }
    }
}

static void test_mask(void **state)
{
    vsg_exe_inst inst = build(8, S8, S8, 8, 2, VISAGE_TYPE_D);

    (void)state;
    machine_reset(&m);
    memset(m.registers, 0, sizeof m.registers);
    m.thread.execution_mask = 0xa5;
    memset(m.registers + SRC0, 0x11, 64);
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(machine_get(&m, MACHINE_DST, 4, i),
                         0xa5 >> i % 8 & 1 ? 0x11111111 : 0);
}

/* ---- floats ----------------------------------------------------------------------------- */

static uint32_t encode(float value, uint32_t precision)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    switch (precision) {
    case BF:
        return bits >> 16;
    case HF:
        return vsg_exe_float_to_half(value, VSG_EXE_RNE);
    case BF8:
        return vsg_exe_half_to_bf8(vsg_exe_float_to_half(value, VSG_EXE_RNE));
    default:
        return bits | 0x1fff; /* TF32: the low bits are not part of it */
    }
}

static uint32_t encode_as(float value, visage_type type)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return type == VISAGE_TYPE_F    ? bits
           : type == VISAGE_TYPE_HF ? encode(value, HF)
                                    : encode(value, BF);
}

/* Whole numbers from -2 to 2, or -1 to 1 where the sum has to fit 8 bits of BF. */
static float small(uint64_t *random, visage_type accumulator)
{
    if (accumulator == VISAGE_TYPE_BF)
        return (float)((int)(machine_random(random) % 3) - 1);
    return (float)((int)(machine_random(random) % 5) - 2);
}

static void check_floats(uint32_t exec_size, uint32_t precision, visage_type accumulator)
{
    static uint64_t random = 2;
    float a[64 * 8], w[64 * 16], c[8 * 16];
    vsg_exe_inst inst = build(exec_size, precision, precision, 8, 8, accumulator);
    uint32_t bits = bits_of(precision);
    uint32_t ops = ops_of(precision, precision);
    uint32_t bytes = accumulator == VISAGE_TYPE_F ? 4 : 2;
    uint32_t depth = 8 * ops; /* K */

    machine_reset(&m);
    for (uint32_t i = 0; i < 8 * depth; i++)
        set_bits(SRC2, i, bits, encode(a[i] = small(&random, accumulator), precision));
    for (uint32_t i = 0; i < exec_size; i++)
        for (uint32_t k = 0; k < depth; k++) {
            float value = w[i * depth + k] = small(&random, accumulator);
            uint32_t row = k * bits / 32;
            set_bits(SRC1 + 4 * (row * exec_size + i), k % (32 / bits), bits,
                     encode(value, precision));
        }
    for (uint32_t i = 0; i < 8 * exec_size; i++)
        machine_put(&m, SRC0, bytes, i,
                    encode_as(c[i] = small(&random, accumulator), accumulator));
    machine_run(&m, &inst);
    for (uint32_t r = 0; r < 8; r++)
        for (uint32_t i = 0; i < exec_size; i++) {
            float sum = c[r * exec_size + i];
            for (uint32_t k = 0; k < depth; k++)
                sum += a[r * depth + k] * w[i * depth + k];
            assert_int_equal(machine_get(&m, MACHINE_DST, bytes, r * exec_size + i),
                             encode_as(sum, accumulator));
        }
}

static void test_floats(void **state)
{
    (void)state;
    for (uint32_t exec_size = 8; exec_size <= 16; exec_size += 8) {
        check_floats(exec_size, BF, VISAGE_TYPE_F);
        check_floats(exec_size, BF, VISAGE_TYPE_BF);
        check_floats(exec_size, HF, VISAGE_TYPE_F);
        check_floats(exec_size, HF, VISAGE_TYPE_HF);
        check_floats(exec_size, TF32, VISAGE_TYPE_F);
        check_floats(exec_size, BF8, VISAGE_TYPE_F);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ints),
        cmocka_unit_test(test_mask),
        cmocka_unit_test(test_floats),
    };
    return cmocka_run_group_tests_name("dpas", tests, NULL, NULL);
}
