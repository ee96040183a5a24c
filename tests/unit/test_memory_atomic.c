/* SPDX-License-Identifier: MIT
 *
 * Atomics of every family and width. The new values are worked out from the table of
 * operations on page DWORD_ATOMIC and the names of lsc_atomic_* on page LSC_UNTYPED. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "memory_machine.h"

enum { NONE = 255 };

/* One operation on one value. legacy: the code in the byte of svm_atomic, dword_atomic and
 * typed_atomic; lsc: the operation. `value` is the source of operations with one; a compare and
 * swap has `comparand` too. */
static const struct row {
    uint8_t legacy;
    visage_op lsc;
    uint32_t bytes;
    uint64_t old, value, comparand, new;
} rows[] = {
    {0, VISAGE_OP_LSC_ATOMIC_IADD, 4, 0xfffffff0, 0x20, 0, 0x10},
    {1, VISAGE_OP_LSC_ATOMIC_ISUB, 4, 5, 7, 0, 0xfffffffe},
    {2, VISAGE_OP_LSC_ATOMIC_IINC, 4, 0xffffffff, 0, 0, 0},
    {3, VISAGE_OP_LSC_ATOMIC_IDEC, 4, 0, 0, 0, 0xffffffff},
    {4, VISAGE_OP_LSC_ATOMIC_UMIN, 4, 0x80000000, 1, 0, 1},
    {5, VISAGE_OP_LSC_ATOMIC_UMAX, 4, 0x80000000, 1, 0, 0x80000000},
    {6, VISAGE_OP_LSC_ATOMIC_STORE, 4, 0x1234, 0x98765432, 0, 0x98765432},
    {7, VISAGE_OP_LSC_ATOMIC_ICAS, 4, 77, 99, 77, 99},
    {7, VISAGE_OP_LSC_ATOMIC_ICAS, 4, 77, 99, 99, 77},
    {8, VISAGE_OP_LSC_ATOMIC_AND, 4, 0xff00ff0f, 0x0ff0f0ff, 0, 0x0f00f00f},
    {9, VISAGE_OP_LSC_ATOMIC_OR, 4, 0xff00000f, 0x0ff00000, 0, 0xfff0000f},
    {10, VISAGE_OP_LSC_ATOMIC_XOR, 4, 0xff00000f, 0x0ff00001, 0, 0xf0f0000e},
    {11, VISAGE_OP_LSC_ATOMIC_SMIN, 4, 0x80000000, 1, 0, 0x80000000},
    {12, VISAGE_OP_LSC_ATOMIC_SMAX, 4, 0x80000000, 1, 0, 1},
    {NONE, VISAGE_OP_LSC_ATOMIC_LOAD, 4, 0xcafe0001, 5, 0, 0xcafe0001},
    /* 1.5 + 2.25, 1.5 - 2.25; ties to even; denormals are kept whatever %cr0 says */
    {19, VISAGE_OP_LSC_ATOMIC_FADD, 4, 0x3fc00000, 0x40100000, 0, 0x40700000},
    {20, VISAGE_OP_LSC_ATOMIC_FSUB, 4, 0x3fc00000, 0x40100000, 0, 0xbf400000},
    {19, VISAGE_OP_LSC_ATOMIC_FADD, 4, 0x3f800000, 0x33800000, 0, 0x3f800000},
    {19, VISAGE_OP_LSC_ATOMIC_FADD, 4, 0x3f800001, 0x33800000, 0, 0x3f800002},
    {19, VISAGE_OP_LSC_ATOMIC_FADD, 4, 1, 2, 0, 3},
    /* -1 and 2; a NaN and 2, both ways; the zeros */
    {17, VISAGE_OP_LSC_ATOMIC_FMIN, 4, 0xbf800000, 0x40000000, 0, 0xbf800000},
    {16, VISAGE_OP_LSC_ATOMIC_FMAX, 4, 0xbf800000, 0x40000000, 0, 0x40000000},
    {17, VISAGE_OP_LSC_ATOMIC_FMIN, 4, 0xbf800000, 0xc0000000, 0, 0xc0000000},
    {16, VISAGE_OP_LSC_ATOMIC_FMAX, 4, 0xbf800000, 0xc0000000, 0, 0xbf800000},
    {17, VISAGE_OP_LSC_ATOMIC_FMIN, 4, 0x7fc00001, 0x40000000, 0, 0x40000000},
    {16, VISAGE_OP_LSC_ATOMIC_FMAX, 4, 0x40000000, 0xffc00001, 0, 0x40000000},
    {17, VISAGE_OP_LSC_ATOMIC_FMIN, 4, 0x40000000, 0xffc00001, 0, 0x40000000},
    {16, VISAGE_OP_LSC_ATOMIC_FMAX, 4, 0x40000000, 0x7fc00001, 0, 0x40000000},
    {17, VISAGE_OP_LSC_ATOMIC_FMIN, 4, 0, 0x80000000, 0, 0x80000000},
    {16, VISAGE_OP_LSC_ATOMIC_FMAX, 4, 0x80000000, 0, 0, 0},
    {17, VISAGE_OP_LSC_ATOMIC_FMIN, 4, 2, 1, 0, 1},
    /* equal, not equal, zeros of both signs, NaN */
    {18, VISAGE_OP_LSC_ATOMIC_FCAS, 4, 0x3f800000, 0x40000000, 0x3f800000, 0x40000000},
    {18, VISAGE_OP_LSC_ATOMIC_FCAS, 4, 0x3f800000, 0x40000000, 0x3f800001, 0x3f800000},
    {18, VISAGE_OP_LSC_ATOMIC_FCAS, 4, 0, 0x40000000, 0x80000000, 0x40000000},
    {18, VISAGE_OP_LSC_ATOMIC_FCAS, 4, 0x7fc00000, 0x40000000, 0x7fc00000, 0x7fc00000},

    {0, VISAGE_OP_LSC_ATOMIC_IADD, 2, 0xfff0, 0x20, 0, 0x10},
    {1, VISAGE_OP_LSC_ATOMIC_ISUB, 2, 5, 7, 0, 0xfffe},
    {2, VISAGE_OP_LSC_ATOMIC_IINC, 2, 0xffff, 0, 0, 0},
    {3, VISAGE_OP_LSC_ATOMIC_IDEC, 2, 0, 0, 0, 0xffff},
    {4, VISAGE_OP_LSC_ATOMIC_UMIN, 2, 0x8000, 1, 0, 1},
    {5, VISAGE_OP_LSC_ATOMIC_UMAX, 2, 0x8000, 1, 0, 0x8000},
    {6, VISAGE_OP_LSC_ATOMIC_STORE, 2, 0x1234, 0x9876, 0, 0x9876},
    {7, VISAGE_OP_LSC_ATOMIC_ICAS, 2, 77, 99, 77, 99},
    {7, VISAGE_OP_LSC_ATOMIC_ICAS, 2, 77, 99, 99, 77},
    {8, VISAGE_OP_LSC_ATOMIC_AND, 2, 0xff0f, 0xf0ff, 0, 0xf00f},
    {9, VISAGE_OP_LSC_ATOMIC_OR, 2, 0xf00f, 0x0100, 0, 0xf10f},
    {10, VISAGE_OP_LSC_ATOMIC_XOR, 2, 0xf00f, 0x0101, 0, 0xf10e},
    {11, VISAGE_OP_LSC_ATOMIC_SMIN, 2, 0x8000, 1, 0, 0x8000},
    {12, VISAGE_OP_LSC_ATOMIC_SMAX, 2, 0x8000, 1, 0, 1},
    {NONE, VISAGE_OP_LSC_ATOMIC_LOAD, 2, 0xcafe, 5, 0, 0xcafe},
    /* 1.5 + 2.25 and 1.5 - 2.25 in HF; HF denormals */
    {19, VISAGE_OP_LSC_ATOMIC_FADD, 2, 0x3e00, 0x4080, 0, 0x4380},
    {20, VISAGE_OP_LSC_ATOMIC_FSUB, 2, 0x3e00, 0x4080, 0, 0xba00},
    {19, VISAGE_OP_LSC_ATOMIC_FADD, 2, 1, 2, 0, 3},
    {17, VISAGE_OP_LSC_ATOMIC_FMIN, 2, 0xbc00, 0x4000, 0, 0xbc00},
    {16, VISAGE_OP_LSC_ATOMIC_FMAX, 2, 0xbc00, 0x4000, 0, 0x4000},
    {16, VISAGE_OP_LSC_ATOMIC_FMAX, 2, 0x7e01, 0x4000, 0, 0x4000},
    {18, VISAGE_OP_LSC_ATOMIC_FCAS, 2, 0x8000, 0x4000, 0, 0x4000},
    {18, VISAGE_OP_LSC_ATOMIC_FCAS, 2, 0x7e01, 0x4000, 0x7e01, 0x7e01},

    {0, VISAGE_OP_LSC_ATOMIC_IADD, 8, 0xfffffffffffffff0, 0x20, 0, 0x10},
    {1, VISAGE_OP_LSC_ATOMIC_ISUB, 8, 5, 7, 0, 0xfffffffffffffffe},
    {2, VISAGE_OP_LSC_ATOMIC_IINC, 8, 0xffffffff, 0, 0, 0x100000000},
    {3, VISAGE_OP_LSC_ATOMIC_IDEC, 8, 0x100000000, 0, 0, 0xffffffff},
    {4, VISAGE_OP_LSC_ATOMIC_UMIN, 8, 0x8000000000000000, 1, 0, 1},
    {5, VISAGE_OP_LSC_ATOMIC_UMAX, 8, 0x8000000000000000, 1, 0, 0x8000000000000000},
    {6, VISAGE_OP_LSC_ATOMIC_STORE, 8, 0x1234, 0x9876543212345678, 0, 0x9876543212345678},
    {7, VISAGE_OP_LSC_ATOMIC_ICAS, 8, 0x700000000, 99, 0x700000000, 99},
    {7, VISAGE_OP_LSC_ATOMIC_ICAS, 8, 0x700000000, 99, 0, 0x700000000},
    {8, VISAGE_OP_LSC_ATOMIC_AND, 8, 0xff00000000ff, 0xf0000000000f, 0, 0xf0000000000f},
    {9, VISAGE_OP_LSC_ATOMIC_OR, 8, 0xff00000000ff, 0xf00000000f00, 0, 0xff0000000fff},
    {10, VISAGE_OP_LSC_ATOMIC_XOR, 8, 0xff00000000ff, 0xf00000000f0f, 0, 0x0f0000000ff0},
    {11, VISAGE_OP_LSC_ATOMIC_SMIN, 8, 0x8000000000000000, 1, 0, 0x8000000000000000},
    {12, VISAGE_OP_LSC_ATOMIC_SMAX, 8, 0x8000000000000000, 1, 0, 1},
    {NONE, VISAGE_OP_LSC_ATOMIC_LOAD, 8, 0xcafe000000000001, 5, 0, 0xcafe000000000001},
    /* 1.5 + 2.25 and 1.5 - 2.25 in DF */
    {19, VISAGE_OP_LSC_ATOMIC_FADD, 8, 0x3ff8000000000000, 0x4002000000000000, 0,
     0x400e000000000000},
    {20, VISAGE_OP_LSC_ATOMIC_FSUB, 8, 0x3ff8000000000000, 0x4002000000000000, 0,
     0xbfe8000000000000},
    {19, VISAGE_OP_LSC_ATOMIC_FADD, 8, 1, 2, 0, 3},
    {17, VISAGE_OP_LSC_ATOMIC_FMIN, 8, 0xbff0000000000000, 0x4000000000000000, 0,
     0xbff0000000000000},
    {16, VISAGE_OP_LSC_ATOMIC_FMAX, 8, 0xbff0000000000000, 0x4000000000000000, 0,
     0x4000000000000000},
    {17, VISAGE_OP_LSC_ATOMIC_FMIN, 8, 0x7ff8000000000001, 0x4000000000000000, 0,
     0x4000000000000000},
    {18, VISAGE_OP_LSC_ATOMIC_FCAS, 8, 0, 0x4000000000000000, 0x8000000000000000,
     0x4000000000000000},
};
enum { NUM_ROWS = sizeof rows / sizeof rows[0], CHANNELS = 8, OFF = 5 };

static bool compares(const struct row *row)
{
    return row->lsc == VISAGE_OP_LSC_ATOMIC_ICAS || row->lsc == VISAGE_OP_LSC_ATOMIC_FCAS;
}

static bool has_value(const struct row *row)
{
    return row->lsc != VISAGE_OP_LSC_ATOMIC_IINC && row->lsc != VISAGE_OP_LSC_ATOMIC_IDEC &&
           row->lsc != VISAGE_OP_LSC_ATOMIC_LOAD;
}

/* ---- the operations ---------------------------------------------------------------------- */

/* 16-bit operands lie in the low half of a dword each, whose upper half is not looked at. */
static void put_slot(machine *m, uint32_t variable, uint32_t n, const struct row *row,
                     uint64_t value)
{
    if (row->bytes == 8)
        put64(m, variable, n, value);
    else
        put32(m, variable, n, (uint32_t)value | (row->bytes == 2 ? 0x5a5a0000 : 0));
}

/* VAR_B takes the old values, VAR_C has the values, VAR_D the comparands. */
static void put_sources(machine *m, const struct row *row, uint8_t *memory)
{
    for (uint32_t n = 0; n < m->inst.exec_size; n++) {
        poke(memory + 24 * n, row->bytes, row->old);
        put_slot(m, VAR_C, n, row, row->value);
        put_slot(m, VAR_D, n, row, row->comparand);
    }
    m->execution_mask = ~(1u << OFF);
}

static void run_and_check(machine *m, const struct row *row, const uint8_t *memory)
{
    uint32_t slot = row->bytes == 8 ? 8 : 4;
    uint64_t around = peek(memory + row->bytes, 8);

    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < m->inst.exec_size; n++) {
        uint64_t now = peek(memory + 24 * n, row->bytes);
        if (n == OFF) {
            assert_int_equal(now, row->old);
            assert_untouched(m, VAR_B, n * slot, n * slot + slot);
            continue;
        }
        assert_int_equal(now, row->new);
        assert_int_equal(peek(m->registers[VAR_B - VAR_A] + n * slot, slot), row->old);
    }
    assert_untouched(m, VAR_B, m->inst.exec_size * slot, 512);
    assert_int_equal(peek(memory + row->bytes, 8), around);
}

static void legacy_sources(machine *m, const struct row *row)
{
    uint32_t width = row->bytes == 2 ? 0x20 : row->bytes == 8 ? 0x40 : 0;

    set_number(m, "atomic", row->legacy | width);
    set_raw(m, "dst", VAR_B, 0);
    if (row->legacy == 18) { /* FCMPWR: src0 == old ? src1 : old */
        set_raw(m, "src0", VAR_D, 0);
        set_raw(m, "src1", VAR_C, 0);
        return;
    }
    if (has_value(row))
        set_raw(m, "src0", VAR_C, 0);
    if (compares(row)) /* CMPXCHG: old == src1 ? src0 : old */
        set_raw(m, "src1", VAR_D, 0);
}

static void svm_atomics(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4 * NUM_ROWS; i++) {
        const struct row *row = &rows[i / 4];
        machine *m;
        if (row->legacy == NONE)
            continue;
        m = machine_new(VISAGE_PLATFORM_TGLLP);
        machine_op(m, VISAGE_OP_SVM_ATOMIC, CHANNELS >> i % 4);
        legacy_sources(m, row);
        set_raw(m, "addresses", VAR_A, 0);
        for (uint32_t n = 0; n < m->inst.exec_size; n++)
            put64(m, VAR_A, n, machine_at(m, 4096 - 48 + 24 * n));
        put_sources(m, row, m->memory + 4096 - 48);
        run_and_check(m, row, m->memory + 4096 - 48);
        machine_free(m);
    }
}

static void dword_atomics(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 10 * NUM_ROWS; i++) {
        const struct row *row = &rows[i / 10];
        machine *m;
        if (row->legacy == NONE || row->bytes == 8) /* those only svm_atomic has */
            continue;
        m = machine_new(VISAGE_PLATFORM_TGLLP);
        machine_op(m, VISAGE_OP_DWORD_ATOMIC, 1u << i % 10 / 2);
        legacy_sources(m, row);
        set_surface(m, i % 2 ? (uint32_t)VSG_ISA_SURFACE_SLM : (uint32_t)SURFACE_T6);
        m->launch.surfaces[3] = (vsg_exe_surface){
            .kind = VSG_EXE_SURFACE_BUFFER, .address = machine_at(m, 512), .size_bytes = 1024};
        set_raw(m, "element_offset", VAR_A, 0);
        for (uint32_t n = 0; n < m->inst.exec_size; n++)
            put32(m, VAR_A, n, 64 + 24 * n);
        uint8_t *memory = i % 2 ? m->slm + 64 : m->memory + 512 + 64;
        put_sources(m, row, memory);
        run_and_check(m, row, memory);
        machine_free(m);
    }
}

static void lsc_atomics(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * NUM_ROWS; i++) {
        const struct row *row = &rows[i / 2];
        machine *m = machine_new(VISAGE_PLATFORM_PVC);
        lsc_op(m, row->lsc, CHANNELS, row->bytes == 2 ? 6 : row->bytes == 4 ? 3 : 4, 1);
        set_raw(m, "dst", VAR_B, 0);
        if (compares(row)) { /* the comparand first */
            set_raw(m, "src1", VAR_D, 0);
            set_raw(m, "src2", VAR_C, 0);
        } else if (has_value(row)) {
            set_raw(m, "src1", VAR_C, 0);
        }
        uint8_t *memory = i % 2 ? m->slm + 64 : m->memory + 512 + 64;
        if (i % 2) {
            set_number(m, "sfid", 3);
            set_number(m, "addr_size", 2);
        }
        for (uint32_t n = 0; n < CHANNELS; n++) {
            if (i % 2)
                put32(m, VAR_A, n, 64 + 24 * n);
            else
                put64(m, VAR_A, n, machine_at(m, 512 + 64 + 24 * n));
        }
        put_sources(m, row, memory);
        run_and_check(m, row, memory);
        machine_free(m);
    }
}

/* PREDEC returns the new value. */
static void predecrement(void **state)
{
    static const struct {
        uint32_t code, bytes;
        uint64_t new;
    } cases[] = {{13, 4, 0xffffffff}, {13 | 0x20, 2, 0xffff}, {13 | 0x40, 8, UINT64_MAX}};

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        machine *m = machine_new(VISAGE_PLATFORM_TGLLP);
        machine_op(m, VISAGE_OP_SVM_ATOMIC, 1);
        set_number(m, "atomic", cases[i].code);
        set_raw(m, "addresses", VAR_A, 0);
        set_raw(m, "dst", VAR_B, 0);
        put64(m, VAR_A, 0, machine_at(m, 64));
        poke(m->memory + 64, cases[i].bytes, 0);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        assert_int_equal(peek(m->registers[VAR_B - VAR_A], cases[i].bytes == 8 ? 8 : 4),
                         cases[i].new);
        assert_int_equal(peek(m->memory + 64, cases[i].bytes), cases[i].new);
        machine_free(m);
    }
}

/* a32 addresses wrap: 0xfffffffc + 8 is 4. */
static void narrow_addresses_wrap(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_ATOMIC_IINC, 1, 3, 1);
    set_number(m, "sfid", 3);
    set_number(m, "addr_size", 2);
    set_number(m, "addr_offset", 8);
    put32(m, VAR_A, 0, 0xfffffffc);
    poke(m->slm + 4, 4, 70);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(peek(m->slm + 4, 4), 71);
    machine_free(m);
}

/* d16c32h: in the upper half of each dword. */
static void high_halves(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_ATOMIC_IADD, 2, 7, 1);
    set_raw(m, "dst", VAR_B, 0);
    set_raw(m, "src1", VAR_C, 0);
    for (uint32_t n = 0; n < 2; n++) {
        put64(m, VAR_A, n, machine_at(m, 64 + 2 * n));
        poke(m->memory + 64 + 2 * n, 2, 100 + n);
        put32(m, VAR_C, n, (n + 7) << 16 | 0xffff);
    }
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 2; n++) {
        assert_int_equal(get32(m, VAR_B, n), (100 + n) << 16);
        assert_int_equal(peek(m->memory + 64 + 2 * n, 2), 107 + 2 * n);
    }
    machine_free(m);
}

/* 1 + 1.5 * 2^-24 is 1 + 2^-23 rounded to nearest; the kernel's rounding toward zero or its
 * flushing of denormals are not the data port's. */
static void kernel_modes_do_not_matter(void **state)
{
    (void)state;
    for (uint32_t rounding = 0; rounding < 4; rounding++) {
        machine *m = machine_new(VISAGE_PLATFORM_PVC);
        lsc_op(m, VISAGE_OP_LSC_ATOMIC_FADD, 2, 3, 1);
        set_raw(m, "src1", VAR_C, 0);
        m->cr0 = rounding << 4;
        m->float_first = true;
        poke(m->memory + 64, 4, 0x3f800000);
        put32(m, VAR_C, 0, 0x33c00000);
        poke(m->memory + 68, 4, 0x00000003);
        put32(m, VAR_C, 1, 0x80000001);
        for (uint32_t n = 0; n < 2; n++)
            put64(m, VAR_A, n, machine_at(m, 64 + 4 * n));
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        assert_int_equal(peek(m->memory + 64, 4), 0x3f800001);
        assert_int_equal(peek(m->memory + 68, 4), 2);
        machine_free(m);
    }
}

/* ---- channels and registers -------------------------------------------------------------- */

static void one_place(machine *m, visage_op op)
{
    lsc_op(m, op, 16, 3, 1);
    set_raw(m, "dst", VAR_B, 0);
    set_raw(m, "src1", VAR_C, 0);
    for (uint32_t n = 0; n < 16; n++) {
        put64(m, VAR_A, n, machine_at(m, 256));
        put32(m, VAR_C, n, n + 1);
    }
    poke(m->memory + 256, 4, 1000);
}

/* Several channels at one address follow each other in their order. */
static void channels_follow_each_other(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);
    uint32_t sum = 1000;
    uint32_t last = 1000;

    (void)state;
    one_place(m, VISAGE_OP_LSC_ATOMIC_IADD);
    m->execution_mask = 0xfbef;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 16; n++) {
        if (!(0xfbef >> n & 1))
            continue;
        assert_int_equal(get32(m, VAR_B, n), sum);
        sum += n + 1;
    }
    assert_int_equal(peek(m->memory + 256, 4), sum);
    one_place(m, VISAGE_OP_LSC_ATOMIC_STORE);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 16; n++) {
        if (!(0xfbef >> n & 1))
            continue;
        assert_int_equal(get32(m, VAR_B, n), last);
        last = n + 1;
    }
    machine_free(m);
}

static void null_destination(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    one_place(m, VISAGE_OP_LSC_ATOMIC_IADD);
    set_raw(m, "dst", 0, 0);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(peek(m->memory + 256, 4), 1000 + 16 * 17 / 2);
    assert_untouched(m, VAR_B, 0, MACHINE_REGISTERS);
    machine_free(m);
}

/* Old values go where later channels' sources are: they must have been read before. */
static void destination_over_sources(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    m->is_not_judged = true; /* V0228, so that a channel's result is the next one's source */
    one_place(m, VISAGE_OP_LSC_ATOMIC_IADD);
    set_raw(m, "dst", VAR_C, 4);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(peek(m->memory + 256, 4), 1000 + 16 * 17 / 2);
    for (uint32_t n = 0; n < 16; n++)
        assert_int_equal(get32(m, VAR_C, 1 + n), 1000 + n * (n + 1) / 2);
    machine_free(m);
}

/* ---- faults ------------------------------------------------------------------------------ */

static void faults(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    one_place(m, VISAGE_OP_LSC_ATOMIC_IADD);
    put64(m, VAR_A, 7, machine_at(m, MACHINE_BYTES));
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_ATOMIC, 7, machine_at(m, MACHINE_BYTES), 4);
    assert_int_equal(peek(m->memory + 256, 4), 1000 + 7 * 8 / 2);
    for (uint32_t by = 1; by < 4; by++) {
        one_place(m, VISAGE_OP_LSC_ATOMIC_IADD);
        put64(m, VAR_A, 3, machine_at(m, 256 + by));
        assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
        assert_fault(m, VSG_DIAG_FAULT_ALIGN, 3, machine_at(m, 256 + by), 4);
    }
    one_place(m, VISAGE_OP_LSC_ATOMIC_IADD);
    set_number(m, "sfid", 3);
    set_number(m, "addr_size", 2);
    for (uint32_t n = 0; n < 16; n++)
        put32(m, VAR_A, n, 4 * n);
    put32(m, VAR_A, 9, 37);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_ALIGN, 9, 37, 4);
    put32(m, VAR_A, 2, MACHINE_SLM_BYTES);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_SLM, 2, MACHINE_SLM_BYTES, 4);
    machine_free(m);
}

/* "On read: zeros are returned. On write: data is dropped." */
static void surface_bounds(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_SKL);
    uint64_t behind = peek(m->memory + 512 + 16, 8);

    (void)state;
    machine_op(m, VISAGE_OP_DWORD_ATOMIC, 8);
    set_number(m, "atomic", 2);
    set_surface(m, SURFACE_T6);
    set_raw(m, "element_offset", VAR_A, 0);
    set_raw(m, "dst", VAR_B, 0);
    for (uint32_t n = 0; n < 8; n++) {
        put32(m, VAR_A, n, 4 * n);
        poke(m->memory + 512 + 4 * n, n < 4 ? 4 : 0, n);
    }
    m->launch.surfaces[3] = (vsg_exe_surface){
        .kind = VSG_EXE_SURFACE_BUFFER, .address = machine_at(m, 512), .size_bytes = 16};
    m->launch.bounds = VSG_EXE_BOUNDS_DOCUMENTED;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get32(m, VAR_B, n), n < 4 ? n : 0);
    assert_int_equal(peek(m->memory + 512 + 12, 4), 4);
    assert_int_equal(peek(m->memory + 512 + 16, 8), behind);
    m->launch.bounds = VSG_EXE_BOUNDS_FAULT;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_ATOMIC, 4, machine_at(m, 512 + 16), 4);
    machine_free(m);
}

/* ---- with other threads ------------------------------------------------------------------ */

enum { ROUNDS = 200 };

static void *run_rounds(void *argument)
{
    machine *m = argument;

    for (uint32_t i = 0; i < ROUNDS; i++)
        if (machine_run(m) != VSG_EXE_STOP_END)
            return NULL;
    return m;
}

/* Two host threads add 1 (as integer, as float) to one place, all channels each: no sum may be
 * lost. 2 * 200 * 32 is exact in F. */
static void host_threads(void **state)
{
    static const struct {
        visage_op op;
        uint32_t data_size, bytes;
        uint64_t zero, one, sum;
    } cases[] = {
        {VISAGE_OP_LSC_ATOMIC_IADD, 3, 4, 0, 1, 12800},
        {VISAGE_OP_LSC_ATOMIC_IADD, 4, 8, 0, 0x100000001, 12800 * UINT64_C(0x100000001)},
        {VISAGE_OP_LSC_ATOMIC_IADD, 6, 2, 0, 1, 12800},
        {VISAGE_OP_LSC_ATOMIC_FADD, 3, 4, 0, 0x3f800000, 0x46480000}, /* 1, 12800 in F */
    };

    (void)state;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine *m[2];
        pthread_t threads[2];
        void *results[2];
        for (uint32_t t = 0; t < 2; t++) {
            m[t] = machine_new(VISAGE_PLATFORM_PVC);
            lsc_op(m[t], cases[i].op, 32, cases[i].data_size, 1);
            set_raw(m[t], "src1", VAR_C, 0);
            m[t]->launch.space = m[0]->launch.space;
            m[t]->is_shared = true;
            for (uint32_t n = 0; n < 32; n++) {
                put64(m[t], VAR_A, n, machine_at(m[0], 512));
                if (cases[i].bytes == 8)
                    put64(m[t], VAR_C, n, cases[i].one);
                else
                    put32(m[t], VAR_C, n, (uint32_t)cases[i].one);
            }
        }
        poke(m[0]->memory + 512, cases[i].bytes, cases[i].zero);
        for (uint32_t t = 0; t < 2; t++)
            assert_int_equal(pthread_create(&threads[t], NULL, run_rounds, m[t]), 0);
        for (uint32_t t = 0; t < 2; t++)
            assert_int_equal(pthread_join(threads[t], &results[t]), 0);
        assert_ptr_equal(results[0], m[0]);
        assert_ptr_equal(results[1], m[1]);
        assert_int_equal(peek(m[0]->memory + 512, cases[i].bytes), cases[i].sum);
        machine_free(m[0]);
        machine_free(m[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svm_atomics),
        cmocka_unit_test(dword_atomics),
        cmocka_unit_test(lsc_atomics),
        cmocka_unit_test(predecrement),
        cmocka_unit_test(narrow_addresses_wrap),
        cmocka_unit_test(high_halves),
        cmocka_unit_test(kernel_modes_do_not_matter),
        cmocka_unit_test(channels_follow_each_other),
        cmocka_unit_test(null_destination),
        cmocka_unit_test(destination_over_sources),
        cmocka_unit_test(faults),
        cmocka_unit_test(surface_bounds),
        cmocka_unit_test(host_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
