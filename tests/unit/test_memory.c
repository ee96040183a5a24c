/* SPDX-License-Identifier: MIT
 *
 * LSC loads and stores: layouts, addresses, masks, bounds. Expected places are the formulas of
 * LSC_UNTYPED, LOAD and STORE: DstData[v].elems[n], where DstData is an array of whole GRFs,
 * or DstData[n].elems[v] when transposed. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "memory_machine.h"

/* Codes of DataSize and DataElemsPerAddr, with what they stand for. */
static const struct data {
    uint32_t code, memory_bytes, register_bytes, at; /* at: byte of the slot with the data */
} datas[] = {{1, 1, 1, 0}, {2, 2, 2, 0}, {3, 4, 4, 0}, {4, 8, 8, 0},
             {5, 1, 4, 0}, {6, 2, 4, 0}, {7, 2, 4, 2}};
enum { NUM_DATAS = sizeof datas / sizeof datas[0] };
static const uint32_t vectors[] = {0, 1, 2, 3, 4, 8, 16, 32, 64};
static const visage_platform platforms[] = {VISAGE_PLATFORM_DG2, VISAGE_PLATFORM_PVC};

enum pattern { CONTIGUOUS, EQUAL, SCATTERED, FAR, ODD, NUM_PATTERNS };

/* Offset in memory of channel n's address. */
static uint64_t place_of(enum pattern pattern, uint32_t n, uint32_t bytes)
{
    switch (pattern) {
    case CONTIGUOUS:
        return 256 + (uint64_t)n * bytes;
    case EQUAL:
        return 512;
    case SCATTERED:
        return 64 + (uint64_t)(n * 7 % 32) * 64;
    case FAR:
        return (uint64_t)(n % 4) * 4096 + 64 + (uint64_t)n * 72;
    default:
        return 4001 + (uint64_t)(n * 13 % 32) * 37;
    }
}

static uint32_t pitch_of(const machine *m, uint32_t exec_size, uint32_t bytes)
{
    uint32_t grf = m->platform == VISAGE_PLATFORM_PVC ? 64 : 32;
    uint32_t grfs = (exec_size * bytes + grf - 1) / grf;
    return grfs * grf;
}

static void put_addresses(machine *m, enum pattern pattern, uint32_t exec_size, uint32_t bytes)
{
    for (uint32_t n = 0; n < exec_size; n++)
        put64(m, VAR_A, n, machine_at(m, place_of(pattern, n, bytes)));
}

/* ---- layouts ----------------------------------------------------------------------------- */

struct layout_case {
    visage_platform platform;
    uint32_t exec_size;
    const struct data *data;
    uint32_t vector;
    enum pattern pattern;
    uint32_t mask;
};

static void check_load(const struct layout_case *c)
{
    machine *m = machine_new(c->platform);
    uint32_t num_elements = vectors[c->vector];
    uint32_t slot = c->data->register_bytes;
    uint32_t pitch = pitch_of(m, c->exec_size, slot);

    lsc_op(m, VISAGE_OP_LSC_LOAD, c->exec_size, c->data->code, c->vector);
    set_raw(m, "dst", VAR_B, 0);
    put_addresses(m, c->pattern, c->exec_size, c->data->memory_bytes * num_elements);
    m->execution_mask = c->mask;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t v = 0; v < num_elements; v++) {
        for (uint32_t n = 0; n < c->exec_size; n++) {
            uint32_t at = v * pitch + n * slot;
            uint64_t place = place_of(c->pattern, n, c->data->memory_bytes * num_elements) +
                             (uint64_t)v * c->data->memory_bytes;
            uint64_t want = peek(m->memory + place, c->data->memory_bytes) << 8 * c->data->at;
            if (c->mask >> n & 1)
                assert_int_equal(peek(m->registers[VAR_B - VAR_A] + at, slot), want);
            else
                assert_untouched(m, VAR_B, at, at + slot);
        }
        assert_untouched(m, VAR_B, v * pitch + c->exec_size * slot, (v + 1) * pitch);
    }
    assert_untouched(m, VAR_B, num_elements * pitch, MACHINE_REGISTERS);
    machine_free(m);
}

static void check_store(const struct layout_case *c)
{
    machine *m = machine_new(c->platform);
    uint32_t num_elements = vectors[c->vector];
    uint32_t slot = c->data->register_bytes;
    uint32_t bytes = c->data->memory_bytes;
    uint32_t pitch = pitch_of(m, c->exec_size, slot);
    static uint8_t want[MACHINE_BYTES];

    lsc_op(m, VISAGE_OP_LSC_STORE, c->exec_size, c->data->code, c->vector);
    set_raw(m, "src1", VAR_B, 0);
    put_addresses(m, c->pattern, c->exec_size, bytes * num_elements);
    m->execution_mask = c->mask;
    memcpy(want, m->memory, sizeof want);
    for (uint32_t n = 0; n < c->exec_size; n++)
        for (uint32_t v = 0; v < num_elements && (c->mask >> n & 1); v++)
            for (uint32_t i = 0; i < bytes; i++)
                want[place_of(c->pattern, n, bytes * num_elements) + v * bytes + i] =
                    register_fill(VAR_B, v * pitch + n * slot + c->data->at + i);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->memory, want, sizeof want);
    assert_untouched(m, VAR_B, 0, MACHINE_REGISTERS);
    machine_free(m);
}

/* Of a message on platforms[p]. */
static uint32_t most_channels(uint32_t p)
{
    return platforms[p] == VISAGE_PLATFORM_PVC ? 32 : 16;
}

static void load_layouts(void **state)
{
    static const uint32_t masks[] = {UINT32_MAX, 0x80010001, 0xa5a5c396};

    (void)state;
    for (uint32_t p = 0; p < 2; p++)
        for (uint32_t d = 0; d < NUM_DATAS; d++)
            for (uint32_t vector = 1; vector <= 5; vector++)
                for (uint32_t exec_size = 1; exec_size <= most_channels(p); exec_size *= 2)
                    for (uint32_t i = 0; i < NUM_PATTERNS * 3; i++)
                        check_load(&(struct layout_case){.platform = platforms[p],
                                                         .exec_size = exec_size,
                                                         .data = &datas[d],
                                                         .vector = vector,
                                                         .pattern = (enum pattern)(i / 3),
                                                         .mask = masks[i % 3]});
}

/* Several channels to one place would have no defined result; EQUAL is left to a test below. */
static void store_layouts(void **state)
{
    (void)state;
    for (uint32_t p = 0; p < 2; p++)
        for (uint32_t d = 0; d < NUM_DATAS; d++)
            for (uint32_t vector = 1; vector <= 4; vector++)
                for (uint32_t exec_size = 1; exec_size <= most_channels(p); exec_size *= 2)
                    for (uint32_t i = 0; i < 4; i++)
                        check_store(
                            &(struct layout_case){.platform = platforms[p],
                                                  .exec_size = exec_size,
                                                  .data = &datas[d],
                                                  .vector = vector,
                                                  .pattern = i < 2    ? CONTIGUOUS
                                                             : i == 2 ? SCATTERED
                                                                      : FAR,
                                                  .mask = i == 0 ? UINT32_MAX : 0xa5a5c397});
}

/* Neighbours' vectors share memory: d32x2, 4 bytes apart. */
static void overlapping_vectors(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_LOAD, 16, 3, 2);
    set_raw(m, "dst", VAR_B, 0);
    for (uint32_t n = 0; n < 16; n++)
        put64(m, VAR_A, n, machine_at(m, 256 + 4 * n));
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 32; n++)
        assert_int_equal(get32(m, VAR_B, n),
                         peek(m->memory + 256 + 4 * (n % 16) + 4 * (n / 16), 4));
    assert_untouched(m, VAR_B, 128, MACHINE_REGISTERS);
    machine_free(m);
}

static void transposed(void **state)
{
    (void)state;
    for (uint32_t d = 0; d < NUM_DATAS; d++) {
        for (uint32_t vector = 1; vector <= 8; vector++) {
            machine *m = machine_new(VISAGE_PLATFORM_PVC);
            uint32_t bytes = datas[d].memory_bytes;
            uint32_t slot = datas[d].register_bytes;
            lsc_op(m, VISAGE_OP_LSC_LOAD, 1, datas[d].code, vector);
            set_number(m, "data_order", 2);
            set_raw(m, "dst", VAR_B, 64);
            put64(m, VAR_A, 0, machine_at(m, 4000));
            assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
            for (uint32_t v = 0; v < vectors[vector]; v++)
                assert_int_equal(peek(m->registers[VAR_B - VAR_A] + 64 + v * slot, slot),
                                 peek(m->memory + 4000 + v * bytes, bytes) << 8 * datas[d].at);
            assert_untouched(m, VAR_B, 0, 64);
            assert_untouched(m, VAR_B, 64 + vectors[vector] * slot, MACHINE_REGISTERS);

            lsc_op(m, VISAGE_OP_LSC_STORE, 1, datas[d].code, vector);
            set_number(m, "data_order", 2);
            set_raw(m, "src1", VAR_C, 64);
            put64(m, VAR_A, 0, machine_at(m, 8000));
            assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
            for (uint32_t v = 0; v < vectors[vector]; v++)
                for (uint32_t i = 0; i < bytes; i++)
                    assert_int_equal(m->memory[8000 + v * bytes + i],
                                     register_fill(VAR_C, 64 + v * slot + datas[d].at + i));
            machine_free(m);
        }
    }
}

/* LOAD_QUAD: m counts the enabled channels, v all of them. */
static void quads(void **state)
{
    (void)state;
    for (uint32_t mask = 1; mask < 16; mask++) {
        machine *m = machine_new(VISAGE_PLATFORM_PVC);
        uint32_t count = 0;
        lsc_op(m, VISAGE_OP_LSC_LOAD_QUAD, 16, 3, mask);
        set_raw(m, "dst", VAR_B, 0);
        put_addresses(m, SCATTERED, 16, 16);
        m->execution_mask = 0xff7f;
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        lsc_op(m, VISAGE_OP_LSC_STORE_QUAD, 16, 3, mask);
        set_raw(m, "src1", VAR_C, 0);
        static uint8_t before[MACHINE_BYTES];
        memcpy(before, m->memory, sizeof before);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        for (uint32_t v = 0; v < 4; v++) {
            for (uint32_t n = 0; n < 16; n++) {
                const uint8_t *now = m->memory + place_of(SCATTERED, n, 16) + v * 4;
                uint64_t was = peek(before + (now - m->memory), 4);
                bool on = (mask >> v & 1) && n != 7;
                if (on)
                    assert_int_equal(get32(m, VAR_B, count * 16 + n), was);
                assert_int_equal(peek(now, 4), on ? get32(m, VAR_C, count * 16 + n) : was);
            }
            count += mask >> v & 1;
        }
        assert_untouched(m, VAR_B, 7 * 4, 8 * 4);
        assert_untouched(m, VAR_B, count * 64, MACHINE_REGISTERS);
        machine_free(m);
    }
}

/* ---- masks ------------------------------------------------------------------------------- */

/* (P1) lsc_load (M5, 16): channels 16 to 31, elements 0 to 15 of the registers. */
static void mask_offset_and_predicate(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_LOAD, 16, 3, 1);
    m->inst.mask_offset = 16;
    set_predicate(m, 0x0ff0ffff);
    set_raw(m, "dst", VAR_B, 0);
    put_addresses(m, SCATTERED, 16, 4);
    m->execution_mask = 0x5555ffff;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 16; n++) {
        if (0x0550 >> n & 1)
            assert_int_equal(get32(m, VAR_B, n),
                             peek(m->memory + place_of(SCATTERED, n, 4), 4));
        else
            assert_untouched(m, VAR_B, n * 4, n * 4 + 4);
    }
    machine_free(m);
}

static void no_mask_and_inverse(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_DG2);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_LOAD, 8, 3, 1);
    m->inst.no_mask = true;
    m->inst.predicate_inverse = true;
    set_predicate(m, 0x0f);
    set_raw(m, "dst", VAR_B, 0);
    put_addresses(m, SCATTERED, 8, 4);
    m->execution_mask = 1;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_untouched(m, VAR_B, 0, 16);
    for (uint32_t n = 4; n < 8; n++)
        assert_int_equal(get32(m, VAR_B, n), peek(m->memory + place_of(SCATTERED, n, 4), 4));
    machine_free(m);
}

/* LOAD asks for Msg.ChEn[n], transposed or not: (M1, 1) is channel 0's. */
static void transposed_follows_channel_0(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_LOAD, 1, 3, 5);
    set_number(m, "data_order", 2);
    set_raw(m, "dst", VAR_B, 0);
    put64(m, VAR_A, 0, machine_at(m, 128));
    m->execution_mask = 0xfffffffe;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_untouched(m, VAR_B, 0, MACHINE_REGISTERS);
    m->inst.no_mask = true;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->registers[VAR_B - VAR_A], m->memory + 128, 32);
    assert_untouched(m, VAR_B, 32, MACHINE_REGISTERS);
    machine_free(m);
}

static void prefetch_does_nothing(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_LOAD, 16, 3, 2);
    for (uint32_t n = 0; n < 16; n++)
        put64(m, VAR_A, n, 0xdead0000 + n);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    machine_free(m);
}

/* Addresses are read before data are written over them, and data before memory that they
 * came from changes. */
static void data_over_addresses(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_LOAD, 16, 4, 2);
    set_raw(m, "dst", VAR_A, 64);
    put_addresses(m, SCATTERED, 16, 16);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 16; n++) {
        const uint8_t *want = m->memory + place_of(SCATTERED, n, 16);
        assert_int_equal(get64(m, VAR_A, 8 + n), peek(want, 8));
        assert_int_equal(get64(m, VAR_A, 24 + n), peek(want + 8, 8));
    }
    machine_free(m);
}

static void last_channel_wins(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_STORE, 32, 3, 1);
    set_raw(m, "src1", VAR_B, 0);
    put_addresses(m, EQUAL, 32, 4);
    m->execution_mask = 0x00ffffff;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(peek(m->memory + 512, 4), get32(m, VAR_B, 23));
    machine_free(m);
}

/* A variable smaller than what the message moves: nothing outside the registers is touched
 * (checked by the sanitizers), and the program is made. */
static void small_variables(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    m->is_not_judged = true; /* V0243: nothing is written beyond the registers all the same */
    m->num_elements = 1;
    lsc_op(m, VISAGE_OP_LSC_LOAD, 32, 4, 8);
    set_raw(m, "dst", VAR_D, 0);
    set_raw(m, "address", VAR_D, 0);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    lsc_op(m, VISAGE_OP_LSC_STORE, 32, 4, 8);
    set_number(m, "sfid", 3);
    set_number(m, "addr_size", 2);
    set_number(m, "addr_scale", 0);
    set_raw(m, "src1", VAR_D, 0);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    machine_free(m);
}

/* ---- addresses --------------------------------------------------------------------------- */

/* The text form [AddrScale * Src0Addrs + AddrImmOffset]. */
static void scale_and_offset(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);
    uint64_t base = machine_at(m, 1024);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_LOAD, 4, 3, 1);
    set_number(m, "addr_scale", 4);
    set_number(m, "addr_offset", (uint32_t)-16);
    set_raw(m, "dst", VAR_B, 0);
    assert_int_equal(base % 4, 0);
    for (uint32_t n = 0; n < 4; n++)
        put64(m, VAR_A, n, base / 4 + 3 * n);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 4; n++)
        assert_int_equal(get32(m, VAR_B, n), peek(m->memory + 1024 - 16 + 12 * n, 4));
    machine_free(m);
}

static void slm_addresses(void **state)
{
    (void)state;
    for (uint32_t size = 1; size <= 2; size++) {
        machine *m = machine_new(VISAGE_PLATFORM_PVC);
        lsc_op(m, VISAGE_OP_LSC_LOAD, 8, 3, 2);
        set_number(m, "sfid", 3);
        set_number(m, "addr_size", size);
        set_number(m, "addr_offset", 4);
        set_raw(m, "dst", VAR_B, 0);
        for (uint32_t n = 0; n < 8; n++) {
            if (size == 1)
                put16(m, VAR_A, n, (uint16_t)(n * 100));
            else
                put32(m, VAR_A, n, n * 100);
        }
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        assert_true(m->program->units[0].reads_slm);
        for (uint32_t n = 0; n < 8; n++) {
            assert_int_equal(get32(m, VAR_B, n), peek(m->slm + n * 100 + 4, 4));
            assert_int_equal(get32(m, VAR_B, 16 + n), peek(m->slm + n * 100 + 8, 4));
        }
        lsc_op(m, VISAGE_OP_LSC_STORE, 1, 3, 1);
        set_number(m, "sfid", 3);
        set_number(m, "addr_size", 2);
        set_raw(m, "src1", VAR_C, 0);
        put32(m, VAR_A, 0, MACHINE_SLM_BYTES - 4);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        assert_int_equal(peek(m->slm + MACHINE_SLM_BYTES - 4, 4), get32(m, VAR_C, 0));
        machine_free(m);
    }
}

/* a32 addresses wrap: 0xfffffffc + 8 is 4. */
static void narrow_addresses_wrap(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_LOAD, 2, 3, 2);
    set_number(m, "sfid", 3);
    set_number(m, "addr_size", 2);
    set_number(m, "addr_offset", 8);
    set_raw(m, "dst", VAR_B, 0);
    put32(m, VAR_A, 0, 0xfffffffc);
    put32(m, VAR_A, 1, 16);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(get32(m, VAR_B, 0), peek(m->slm + 4, 4));
    assert_int_equal(get32(m, VAR_B, 16), peek(m->slm + 8, 4));
    assert_int_equal(get32(m, VAR_B, 1), peek(m->slm + 24, 4));
    machine_free(m);
}

/* LOAD_STRIDED: base + n * pitch; without a pitch a packed block. */
static void strided(void **state)
{
    static const struct {
        bool given, in_register;
        uint32_t pitch, step;
    } cases[] = {{false, false, 0, 8},
                 {true, false, 0, 0},
                 {true, false, 0x40, 0x40},
                 {true, true, 12, 12}};

    (void)state;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine *m = machine_new(VISAGE_PLATFORM_PVC);
        lsc_op(m, VISAGE_OP_LSC_LOAD_STRIDED, 16, 3, 2);
        set_raw(m, "dst", VAR_B, 0);
        set_scalar(m, "pitch", cases[i].in_register ? (uint32_t)VAR_C : 0, 2);
        put32(m, VAR_C, 2, cases[i].pitch);
        if (cases[i].given && !cases[i].in_register)
            set_immediate(m, "pitch", VISAGE_TYPE_UD, cases[i].pitch);
        put64(m, VAR_A, 0, machine_at(m, 96));
        m->execution_mask = 0xfffd;
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        for (uint32_t n = 0; n < 16; n++) {
            const uint8_t *want = m->memory + 96 + (size_t)n * cases[i].step;
            if (n == 1)
                continue;
            assert_int_equal(get32(m, VAR_B, n), peek(want, 4));
            assert_int_equal(get32(m, VAR_B, 16 + n), peek(want + 4, 4));
        }
        assert_untouched(m, VAR_B, 4, 8);
        machine_free(m);
    }
}

static void strided_store(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_DG2);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_STORE_STRIDED, 8, 3, 1);
    set_raw(m, "src1", VAR_B, 0);
    set_immediate(m, "pitch", VISAGE_TYPE_D, (uint64_t)-8);
    put64(m, VAR_A, 0, machine_at(m, 200));
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(peek(m->memory + 200 - 8 * n, 4), get32(m, VAR_B, n));
    machine_free(m);
}

/* ---- surfaces ---------------------------------------------------------------------------- */

static void bind(machine *m, uint32_t entry, uint64_t offset, uint64_t size_bytes)
{
    m->launch.surfaces[entry] = (vsg_exe_surface){.kind = VSG_EXE_SURFACE_BUFFER,
                                                  .address = machine_at(m, offset),
                                                  .size_bytes = size_bytes};
}

static void surface_load(machine *m, uint32_t exec_size, uint32_t addr_type)
{
    lsc_op(m, VISAGE_OP_LSC_LOAD, exec_size, 3, 1);
    set_number(m, "addr_type", addr_type);
    set_number(m, "addr_size", 2);
    set_raw(m, "dst", VAR_B, 0);
    for (uint32_t n = 0; n < exec_size; n++)
        put32(m, VAR_A, n, n * 8);
}

static void binding_table(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_DG2);

    (void)state;
    bind(m, 5, 512, 64);
    for (uint32_t i = 0; i < 2; i++) {
        surface_load(m, 8, 4);
        if (i == 0)
            set_immediate(m, "surface", VISAGE_TYPE_UD, 5);
        else
            set_scalar(m, "surface", VAR_C, 9);
        put32(m, VAR_C, 9, 5);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        for (uint32_t n = 0; n < 8; n++)
            assert_int_equal(get32(m, VAR_B, n), peek(m->memory + 512 + 8 * n, 4));
    }
    machine_free(m);
}

/* Bit 28 of a pointer to SLM says no more than that it is not null; reports leave it out. */
static void slm_address_tags(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    for (uint32_t exec_size = 1; exec_size <= 8; exec_size *= 8) {
        lsc_op(m, VISAGE_OP_LSC_LOAD, exec_size, 3, 2);
        set_number(m, "sfid", 3);
        set_number(m, "addr_size", 2);
        set_raw(m, "dst", VAR_B, 0);
        for (uint32_t n = 0; n < exec_size; n++)
            put32(m, VAR_A, n, 0x10000000 + 8 * n);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        for (uint32_t n = 0; n < exec_size; n++) {
            assert_int_equal(get32(m, VAR_B, n), peek(m->slm + 8 * n, 4));
            assert_int_equal(get32(m, VAR_B, 16 + n), peek(m->slm + 8 * n + 4, 4));
        }
    }
    put32(m, VAR_A, 3, 0x10000000 + MACHINE_SLM_BYTES);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_SLM, 3, MACHINE_SLM_BYTES, 4);
    lsc_op(m, VISAGE_OP_LSC_ATOMIC_IINC, 1, 3, 1);
    set_number(m, "sfid", 3);
    set_number(m, "addr_size", 2);
    put32(m, VAR_A, 0, 0x10000008);
    uint32_t old = (uint32_t)peek(m->slm + 8, 4);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(peek(m->slm + 8, 4), old + 1);
    machine_free(m);
}

/* arg[..]: behind r0.0, its low 6 bits aside, in the thread's scratch. */
static void implicit_arguments(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    m->thread.scratch_address = machine_at(m, 2048);
    m->thread.scratch_bytes = 256;
    m->r0 = 128 + 5;
    surface_load(m, 8, 5);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get32(m, VAR_B, n), peek(m->memory + 2048 + 128 + 8 * n, 4));
    put32(m, VAR_A, 6, 128);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_READ, 6, machine_at(m, 2048 + 256), 4);
    m->r0 = 0xffffffff;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    machine_free(m);
}

/* ss(r0.5 >> 4) is the thread's scratch, every other surface state is unknown. */
static void surface_states(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    m->thread.scratch_address = machine_at(m, 2048);
    m->thread.scratch_bytes = 64;
    surface_load(m, 8, 3);
    set_immediate(m, "surface", VISAGE_TYPE_UD, 0x40);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get32(m, VAR_B, n), peek(m->memory + 2048 + 8 * n, 4));
    put32(m, VAR_A, 5, 61);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_READ, 5, machine_at(m, 2048 + 61), 4);
    for (uint32_t type = 2; type <= 3; type++) {
        surface_load(m, 8, type);
        set_immediate(m, "surface", VISAGE_TYPE_UD, 0x80);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
        assert_fault(m, VSG_DIAG_FAULT_SURFACE, -1, 0, 0);
        assert_int_equal(m->thread.fault.limit, 0x80);
    }
    machine_free(m);
}

static void unbound_surfaces(void **state)
{
    static const uint32_t entries[] = {0, 7, 252, 256, 0x10005};
    machine *m = machine_new(VISAGE_PLATFORM_DG2);

    (void)state;
    bind(m, 5, 0, 64);
    bind(m, 252, 0, 64);
    for (uint32_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        surface_load(m, 8, 4);
        set_scalar(m, "surface", VAR_D, 0);
        put32(m, VAR_D, 0, entries[i]);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
        assert_fault(m, VSG_DIAG_FAULT_SURFACE, -1, 0, 0);
        assert_int_equal(m->thread.fault.limit, entries[i]);
    }
    machine_free(m);
}

/* Entries 255 and 253 are flat memory, which has nothing at such low addresses. */
static void stateless_entries(void **state)
{
    (void)state;
    for (uint32_t entry = 253; entry <= 255; entry += 2) {
        machine *m = machine_new(VISAGE_PLATFORM_DG2);
        surface_load(m, 8, 4);
        set_immediate(m, "surface", VISAGE_TYPE_UD, entry);
        m->execution_mask = 0xf0;
        assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
        assert_fault(m, VSG_DIAG_FAULT_READ, 4, 32, 4);
        machine_free(m);
    }
}

/* ---- bounds ------------------------------------------------------------------------------ */

static void flat_faults(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    for (uint32_t store = 0; store < 2; store++) {
        vsg_base_diag diag = store ? VSG_DIAG_FAULT_WRITE : VSG_DIAG_FAULT_READ;
        lsc_op(m, store ? VISAGE_OP_LSC_STORE : VISAGE_OP_LSC_LOAD, 16, 3, 3);
        m->inst.mask_offset = 16;
        set_raw(m, store ? "src1" : "dst", VAR_B, 0);
        put_addresses(m, SCATTERED, 16, 12);
        /* The third element of channel 9, and a channel that is off. */
        put64(m, VAR_A, 9, machine_at(m, MACHINE_BYTES - 8));
        put64(m, VAR_A, 4, 0);
        m->execution_mask = ~(1u << 20);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
        assert_fault(m, diag, 25, machine_at(m, MACHINE_BYTES), 4);
        assert_ptr_equal(m->thread.fault.inst, &m->unit->insts[0]);
        /* Before and behind the space, and an address that wraps. */
        static const uint64_t bad[] = {0, 8, UINT64_MAX - 3, UINT64_C(0xffff800000000000)};
        for (uint32_t i = 0; i < 4; i++) {
            put64(m, VAR_A, 9, bad[i]);
            assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
            assert_fault(m, diag, 25, bad[i], 4);
        }
    }
    /* Contiguous, over the end. */
    lsc_op(m, VISAGE_OP_LSC_LOAD, 16, 4, 1);
    set_raw(m, "dst", VAR_B, 0);
    for (uint32_t n = 0; n < 16; n++)
        put64(m, VAR_A, n, machine_at(m, MACHINE_BYTES - 40 + 8 * n));
    m->execution_mask = UINT32_MAX;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_READ, 5, machine_at(m, MACHINE_BYTES), 8);
    machine_free(m);
}

/* What precedes the fault in channel order is done, nothing that follows. */
static void store_stops_at_fault(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);
    uint64_t untouched = peek(m->memory + 64 * 3, 4);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_STORE, 4, 3, 1);
    set_raw(m, "src1", VAR_B, 0);
    for (uint32_t n = 0; n < 4; n++)
        put64(m, VAR_A, n, machine_at(m, 64 * n));
    put64(m, VAR_A, 2, 16);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_int_equal(peek(m->memory + 64, 4), get32(m, VAR_B, 1));
    assert_int_equal(peek(m->memory + 64 * 3, 4), untouched);
    machine_free(m);
}

static void slm_faults(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_LOAD, 8, 4, 1);
    set_number(m, "sfid", 3);
    set_number(m, "addr_size", 2);
    set_raw(m, "dst", VAR_B, 0);
    for (uint32_t n = 0; n < 8; n++)
        put32(m, VAR_A, n, 8 * n);
    put32(m, VAR_A, 6, MACHINE_SLM_BYTES - 4);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_SLM, 6, MACHINE_SLM_BYTES - 4, 8);
    assert_int_equal(m->thread.fault.limit, MACHINE_SLM_BYTES);
    machine_free(m);
}

static void surface_bounds(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_DG2);

    (void)state;
    bind(m, 5, 512, 40);
    surface_load(m, 8, 4);
    set_immediate(m, "surface", VISAGE_TYPE_UD, 5);
    put32(m, VAR_A, 4, 38); /* half outside */
    m->launch.bounds = VSG_EXE_BOUNDS_DOCUMENTED;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get32(m, VAR_B, n), n < 4 ? peek(m->memory + 512 + 8 * n, 4) : 0);
    m->launch.bounds = VSG_EXE_BOUNDS_FAULT;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_READ, 4, machine_at(m, 512 + 38), 4);
    machine_free(m);
}

static void surface_bounds_of_stores(void **state)
{
    static uint8_t want[MACHINE_BYTES];
    machine *m = machine_new(VISAGE_PLATFORM_DG2);

    (void)state;
    bind(m, 5, 512, 40);
    surface_load(m, 8, 4);
    m->inst.op = VISAGE_OP_LSC_STORE;
    set_raw(m, "dst", 0, 0);
    set_raw(m, "src1", VAR_B, 0);
    set_immediate(m, "surface", VISAGE_TYPE_UD, 5);
    memcpy(want, m->memory, sizeof want);
    for (uint32_t n = 0; n < 5; n++)
        poke(want + 512 + 8 * n, 4, get32(m, VAR_B, n));
    m->launch.bounds = VSG_EXE_BOUNDS_DOCUMENTED;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->memory, want, sizeof want);
    m->launch.bounds = VSG_EXE_BOUNDS_FAULT;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_WRITE, 5, machine_at(m, 512 + 40), 4);
    machine_free(m);
}

/* Words of memory are the upper halves of dwords in registers. */
static void surface_bounds_of_upper_halves(void **state)
{
    static uint8_t want[MACHINE_BYTES];
    machine *m = machine_new(VISAGE_PLATFORM_DG2);

    (void)state;
    bind(m, 5, 512, 40);
    surface_load(m, 8, 4);
    set_number(m, "data_size", 7);
    set_immediate(m, "surface", VISAGE_TYPE_UD, 5);
    put32(m, VAR_A, 4, 39); /* half outside */
    m->launch.bounds = VSG_EXE_BOUNDS_DOCUMENTED;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get32(m, VAR_B, n),
                         n < 4 ? (uint32_t)peek(m->memory + 512 + 8 * n, 2) << 16 : 0);
    m->inst.op = VISAGE_OP_LSC_STORE;
    set_raw(m, "dst", 0, 0);
    set_raw(m, "src1", VAR_B, 0);
    for (uint32_t n = 0; n < 8; n++)
        put32(m, VAR_B, n, 0x12345678 + n * 0x01010000);
    memcpy(want, m->memory, sizeof want);
    for (uint32_t n = 0; n < 4; n++)
        poke(want + 512 + 8 * n, 2, 0x1234 + n * 0x0101);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->memory, want, sizeof want);
    machine_free(m);
}

/* ---- the rest ---------------------------------------------------------------------------- */

/* LOAD_STATUS: dest.bit[n] is 1 for enabled channels whose memory is there. */
static void load_status(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_LOAD_STATUS, 16, 3, 2);
    set_raw(m, "dst", VAR_B, 0);
    put_addresses(m, SCATTERED, 16, 8);
    put64(m, VAR_A, 3, 0);
    put64(m, VAR_A, 8, machine_at(m, MACHINE_BYTES - 4));
    m->execution_mask = 0xfffe;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(get32(m, VAR_B, 0), 0xfffe & ~(1u << 3) & ~(1u << 8));
    assert_untouched(m, VAR_B, 4, 64);
    machine_free(m);
}

static void store_uncompressed(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    lsc_op(m, VISAGE_OP_LSC_STORE_UNCOMPRESSED, 16, 3, 1);
    set_raw(m, "src1", VAR_B, 0);
    put_addresses(m, SCATTERED, 16, 4);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 16; n++)
        assert_int_equal(peek(m->memory + place_of(SCATTERED, n, 4), 4), get32(m, VAR_B, n));
    machine_free(m);
}

/* The two descriptors of corpus/vector raw_send: load and store of d32, a64, flat. */
static void raw_sends(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    machine_op(m, VISAGE_OP_RAW_SENDS, 16);
    set_number(m, "sfid", 15);
    set_number(m, "num_src0", 2);
    set_number(m, "num_src1", 1);
    set_number(m, "num_dst", 1);
    set_immediate(m, "desc", VISAGE_TYPE_UD, 0x4100580);
    set_raw(m, "src0", VAR_A, 0);
    set_raw(m, "dst", VAR_B, 0);
    put_addresses(m, SCATTERED, 16, 4);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 16; n++)
        assert_int_equal(get32(m, VAR_B, n), peek(m->memory + place_of(SCATTERED, n, 4), 4));
    set_immediate(m, "desc", VISAGE_TYPE_UD, 0x4000584);
    set_raw(m, "src1", VAR_C, 0);
    set_raw(m, "dst", 0, 0);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 16; n++)
        assert_int_equal(peek(m->memory + place_of(SCATTERED, n, 4), 4), get32(m, VAR_C, n));
    /* a function without such a message; then too few registers of data */
    set_number(m, "sfid", 12);
    (void)machine_run(m);
    assert_int_equal(m->thread.fault.diag, VSG_DIAG_FAULT_SEND);
    assert_int_equal(m->thread.fault.address, 0x4000584);
    assert_int_equal(m->thread.fault.limit, 12);
    set_number(m, "sfid", 15);
    set_number(m, "num_src1", 0);
    (void)machine_run(m);
    assert_int_equal(m->thread.fault.diag, VSG_DIAG_FAULT_SEND);
    machine_free(m);
}

/* The same store, its descriptor in a register. */
static void raw_send_of_register(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    machine_op(m, VISAGE_OP_RAW_SENDS, 16);
    set_number(m, "sfid", 15);
    set_number(m, "num_src0", 2);
    set_number(m, "num_src1", 1);
    set_scalar(m, "desc", VAR_D, 1);
    put32(m, VAR_D, 1, 0x4000584);
    set_raw(m, "src0", VAR_A, 0);
    set_raw(m, "src1", VAR_C, 0);
    put_addresses(m, SCATTERED, 16, 4);
    m->execution_mask = 0xfff7;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 16; n++)
        assert_int_equal(peek(m->memory + place_of(SCATTERED, n, 4), 4) == get32(m, VAR_C, n),
                         n != 3);
    machine_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_layouts),
        cmocka_unit_test(store_layouts),
        cmocka_unit_test(overlapping_vectors),
        cmocka_unit_test(transposed),
        cmocka_unit_test(quads),
        cmocka_unit_test(mask_offset_and_predicate),
        cmocka_unit_test(no_mask_and_inverse),
        cmocka_unit_test(transposed_follows_channel_0),
        cmocka_unit_test(prefetch_does_nothing),
        cmocka_unit_test(data_over_addresses),
        cmocka_unit_test(last_channel_wins),
        cmocka_unit_test(small_variables),
        cmocka_unit_test(scale_and_offset),
        cmocka_unit_test(slm_addresses),
        cmocka_unit_test(narrow_addresses_wrap),
        cmocka_unit_test(strided),
        cmocka_unit_test(strided_store),
        cmocka_unit_test(binding_table),
        cmocka_unit_test(slm_address_tags),
        cmocka_unit_test(implicit_arguments),
        cmocka_unit_test(surface_states),
        cmocka_unit_test(unbound_surfaces),
        cmocka_unit_test(stateless_entries),
        cmocka_unit_test(flat_faults),
        cmocka_unit_test(store_stops_at_fault),
        cmocka_unit_test(slm_faults),
        cmocka_unit_test(surface_bounds),
        cmocka_unit_test(surface_bounds_of_stores),
        cmocka_unit_test(surface_bounds_of_upper_halves),
        cmocka_unit_test(load_status),
        cmocka_unit_test(store_uncompressed),
        cmocka_unit_test(raw_sends),
        cmocka_unit_test(raw_send_of_register),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
