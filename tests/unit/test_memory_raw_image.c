/* SPDX-License-Identifier: MIT
 *
 * Raw sends whose shape or place is in the payload: texels, media blocks, blocks of two
 * dimensions, strided data, append counters. Descriptors and payloads are put together from the
 * layouts of intel-graphics-compiler (visa/iga, MessageDecoderHDC, MessageDecoderLSC;
 * TranslateSendLdStLsc.cpp, TranslateSendMedia.cpp); what is found where is worked out here. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "exec/format.h"
#include "exec/outputs.h"
#include "memory_machine.h"

enum { HEADER = 1 << 19, PORT_1 = 12, TYPED = 13, GLOBAL = 15, BTI = 3, GRF = 32 };
enum { WIDTH = 10, HEIGHT = 6, PITCH = 48, IMAGE = 512 };

/* An image of WIDTH x HEIGHT dwords at entry BTI. */
static machine *new_machine(visage_platform platform)
{
    machine *m = machine_new(platform);

    m->launch.surfaces[BTI] = (vsg_exe_surface){.kind = VSG_EXE_SURFACE_IMAGE,
                                                .address = machine_at(m, IMAGE),
                                                .size_bytes = PITCH * HEIGHT,
                                                .width = WIDTH,
                                                .height = HEIGHT,
                                                .shape = VSG_EXE_IMAGE_2D,
                                                .pitch_bytes = PITCH,
                                                .texel_bytes = 4,
                                                .format = vsg_exe_format_find("R32_UINT", 8)};
    return m;
}

static uint8_t *texel(machine *m, uint32_t x, uint32_t y)
{
    return m->memory + IMAGE + (size_t)y * PITCH + (size_t)x * 4;
}

/* VAR_B is the payload, VAR_D its second part, VAR_C the response. */
static void send_op(machine *m, uint32_t function, uint32_t descriptor, uint32_t extended,
                    const uint32_t grfs[3], uint32_t exec_size)
{
    machine_op(m, VISAGE_OP_RAW_SENDS, exec_size);
    set_number(m, "sfid", function);
    set_number(m, "num_src0", grfs[0]);
    set_number(m, "num_src1", grfs[1]);
    set_number(m, "num_dst", grfs[2]);
    set_immediate(m, "desc", VISAGE_TYPE_UD, descriptor | grfs[0] << 25 | grfs[2] << 20);
    set_immediate(m, "ex_desc", VISAGE_TYPE_UD, extended);
    set_raw(m, "src0", VAR_B, 0);
    if (grfs[1])
        set_raw(m, "src1", VAR_D, 0);
    if (grfs[2])
        set_raw(m, "dst", VAR_C, 0);
}

/* Channel n is at column x0 + n, row y0 + n % 2; u from dword `at` on, v a register behind. */
static void put_places(machine *m, uint32_t at, uint32_t pitch, uint32_t count, uint32_t x0,
                       uint32_t y0)
{
    for (uint32_t n = 0; n < count; n++) {
        put32(m, VAR_B, at + n, x0 + n);
        put32(m, VAR_B, at + pitch + n, y0 + n % 2);
    }
}

/* Red of eight texels, the last ones outside; header, u, v. */
static void typed_reads(void **state)
{
    machine *m = new_machine(VISAGE_PLATFORM_SKL);

    (void)state;
    send_op(m, PORT_1, 0x05 << 14 | 1 << 12 | 0xe << 8 | HEADER | BTI, 0,
            (uint32_t[3]){3, 0, 1}, 8);
    put_places(m, 8, 8, 8, 5, 1);
    m->execution_mask = 0xf7;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++) {
        if (n == 3)
            assert_untouched(m, VAR_C, 12, 16);
        else
            assert_int_equal(get32(m, VAR_C, n),
                             n < 5 ? peek(texel(m, 5 + n, 1 + n % 2), 4) : 0);
    }
    assert_untouched(m, VAR_C, GRF, MACHINE_REGISTERS);
    machine_free(m);
}

/* The upper half of 16 channels, which are the channels 8 to 15. */
static void typed_writes(void **state)
{
    static uint8_t want[MACHINE_BYTES];
    machine *m = new_machine(VISAGE_PLATFORM_SKL);

    (void)state;
    send_op(m, PORT_1, 0x0d << 14 | 2 << 12 | 0xe << 8 | BTI, 0, (uint32_t[3]){2, 1, 0}, 16);
    put_places(m, 0, 8, 8, 1, 3);
    m->execution_mask = 0xfd00;
    memcpy(want, m->memory, sizeof want);
    for (uint32_t n = 0; n < 8; n++)
        if (n != 1)
            memcpy(want + (texel(m, 1 + n, 3 + n % 2) - m->memory),
                   m->registers[VAR_D - VAR_A] + (size_t)n * 4, 4);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->memory, want, sizeof want);
    machine_free(m);
}

static void typed_atomics(void **state)
{
    machine *m = new_machine(VISAGE_PLATFORM_SKL);

    (void)state;
    /* add, with old values; u, v, r and the level are there, then what is added */
    send_op(m, PORT_1, 0x06 << 14 | 1 << 13 | 0x7 << 8 | BTI, 0, (uint32_t[3]){4, 1, 1}, 8);
    for (uint32_t n = 0; n < 8; n++) {
        put32(m, VAR_B, n, 4);
        put32(m, VAR_B, 8 + n, 2);
        put32(m, VAR_B, 16 + n, 0);
        put32(m, VAR_B, 24 + n, 0);
        put32(m, VAR_D, n, 10 * n);
    }
    poke(texel(m, 4, 2), 4, 1000);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get32(m, VAR_C, n), 1000 + 5 * n * (n - 1));
    assert_int_equal(peek(texel(m, 4, 2), 4), 1280);
    /* LSC on its own unit: exchange (0x0b) by coordinates of 32 bits, binding table */
    machine_free(m);
    m = new_machine(VISAGE_PLATFORM_DG2);
    send_op(m, TYPED, 3u << 29 | 2 << 9 | 2 << 7 | 0x0b, (uint32_t)BTI << 24,
            (uint32_t[3]){2, 1, 1}, 8);
    put_places(m, 0, 8, 8, 0, 0);
    uint32_t before[8];
    for (uint32_t n = 0; n < 8; n++)
        before[n] = (uint32_t)peek(texel(m, n, n % 2), 4);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++) {
        assert_int_equal(get32(m, VAR_C, n), before[n]);
        assert_int_equal(peek(texel(m, n, n % 2), 4), get32(m, VAR_D, n));
    }
    machine_free(m);
}

/* LSC: red and alpha of an image that has red only, then a write of red. */
static void typed_lsc(void **state)
{
    machine *m = new_machine(VISAGE_PLATFORM_DG2);

    (void)state;
    send_op(m, TYPED, 3u << 29 | 9 << 12 | 2 << 9 | 2 << 7 | 0x02, (uint32_t)BTI << 24,
            (uint32_t[3]){2, 0, 2}, 8);
    put_places(m, 0, 8, 8, 0, 4);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++) {
        assert_int_equal(get32(m, VAR_C, n), peek(texel(m, n, 4 + n % 2), 4));
        assert_int_equal(get32(m, VAR_C, 8 + n), 1);
    }
    send_op(m, TYPED, 3u << 29 | 1 << 12 | 2 << 9 | 2 << 7 | 0x06, (uint32_t)BTI << 24,
            (uint32_t[3]){2, 1, 0}, 8);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(peek(texel(m, n, 4 + n % 2), 4), get32(m, VAR_D, n));
    /* a flat model has no image */
    send_op(m, TYPED, 1 << 12 | 2 << 9 | 2 << 7 | 0x02, 0, (uint32_t[3]){2, 0, 1}, 8);
    (void)machine_run(m);
    assert_int_equal(m->thread.fault.diag, VSG_DIAG_FAULT_SEND);
    machine_free(m);
}

/* 12 x 3 bytes from byte 8, row 1: rows of 16 bytes in the registers. The execution mask does
 * not count. */
static void media_blocks(void **state)
{
    machine *m = new_machine(VISAGE_PLATFORM_SKL);

    (void)state;
    m->execution_mask = 0;
    for (uint32_t bottom = 0; bottom < 2; bottom++) {
        send_op(m, PORT_1, 0x04 << 14 | (bottom ? 7u : 0u) << 8 | HEADER | BTI, 0,
                (uint32_t[3]){1, 0, 2}, 8);
        m->inst.no_mask = true;
        put32(m, VAR_B, 0, 8);
        put32(m, VAR_B, 1, bottom ? 0 : 1);
        put32(m, VAR_B, 2, 2 << 16 | 11);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        for (uint32_t y = 0; y < 3; y++)
            assert_memory_equal(m->registers[VAR_C - VAR_A] + (size_t)y * 16,
                                texel(m, 2, bottom ? 2 * y + 1 : 1 + y), 12);
    }
    static uint8_t want[MACHINE_BYTES];
    memcpy(want, m->memory, sizeof want);
    for (uint32_t y = 0; y < 2; y++)
        memcpy(want + (texel(m, 9, 4 + y) - m->memory),
               m->registers[VAR_D - VAR_A] + (size_t)y * 8, 4); /* the rest is outside */
    send_op(m, PORT_1, 0x0a << 14 | HEADER | BTI, 0, (uint32_t[3]){1, 1, 0}, 8);
    m->inst.no_mask = true;
    put32(m, VAR_B, 0, 36);
    put32(m, VAR_B, 1, 4);
    put32(m, VAR_B, 2, 2 << 16 | 7);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->memory, want, sizeof want);
    machine_free(m);
}

static void put_block(machine *m, int32_t x, int32_t y, uint32_t shape)
{
    put64(m, VAR_B, 0, machine_at(m, IMAGE));
    put32(m, VAR_B, 2, WIDTH * 4 - 1);
    put32(m, VAR_B, 3, HEIGHT - 1);
    put32(m, VAR_B, 4, PITCH - 1);
    put32(m, VAR_B, 5, (uint32_t)x);
    put32(m, VAR_B, 6, (uint32_t)y);
    put32(m, VAR_B, 7, shape);
}

/* Two blocks of 4 x 3 dwords beside each other, the second partly outside, each in registers of
 * its own; transposed; a store. */
static void blocks2d(void **state)
{
    machine *m = new_machine(VISAGE_PLATFORM_PVC);

    (void)state;
    send_op(m, GLOBAL, 2 << 9 | 0x03, 0, (uint32_t[3]){1, 0, 2}, 1);
    put_block(m, 4, 1, 1 << 16 | 2 << 8 | 3);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t b = 0; b < 2; b++)
        for (uint32_t i = 0; i < 12; i++) {
            uint32_t x = 4 + 4 * b + i % 4, y = 1 + i / 4;
            assert_int_equal(get32(m, VAR_C, 16 * b + i),
                             x < WIDTH ? peek(texel(m, x, y), 4) : 0);
        }
    send_op(m, GLOBAL, 1 << 15 | 2 << 9 | 0x03, 0, (uint32_t[3]){1, 0, 1}, 1);
    put_block(m, 1, 4, 3 << 8 | 2); /* 3 columns of 4 rows, the last two below the surface */
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(get32(m, VAR_C, i),
                         i % 4 < 2 ? peek(texel(m, 1 + i / 4, 4 + i % 4), 4) : 0);
    send_op(m, GLOBAL, 0 << 9 | 0x07, 0, (uint32_t[3]){1, 1, 0}, 1);
    put_block(m, 3, 2, 1 << 8 | 4); /* bytes: 5 x 2, rows of 8 in the registers */
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t y = 0; y < 2; y++)
        assert_memory_equal(texel(m, 0, 2 + y) + 3, m->registers[VAR_D - VAR_A] + (size_t)y * 8,
                            5);
    /* more blocks than there are; too few registers */
    send_op(m, GLOBAL, 2 << 9 | 0x03, 0, (uint32_t[3]){1, 0, 8}, 1);
    put_block(m, 0, 0, 4 << 16);
    (void)machine_run(m);
    assert_int_equal(m->thread.fault.diag, VSG_DIAG_FAULT_SEND);
    send_op(m, GLOBAL, 2 << 9 | 0x03, 0, (uint32_t[3]){1, 0, 1}, 1);
    put_block(m, 0, 0, 1 << 16 | 1 << 8 | 3);
    (void)machine_run(m);
    assert_int_equal(m->thread.fault.diag, VSG_DIAG_FAULT_SEND);
    machine_free(m);
}

/* Pairs of words, 10 bytes from channel to channel. */
static void strided(void **state)
{
    machine *m = new_machine(VISAGE_PLATFORM_PVC);

    (void)state;
    send_op(m, GLOBAL, 1 << 12 | 1 << 9 | 3 << 7 | 0x01, 0, (uint32_t[3]){1, 0, 2}, 16);
    put64(m, VAR_B, 0, machine_at(m, 100));
    put32(m, VAR_B, 2, 10);
    m->execution_mask = 0xffef;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 16; n++)
        for (uint32_t v = 0; v < 2 && n != 4; v++)
            assert_int_equal(get16(m, VAR_C, 32 * v + n),
                             peek(m->memory + 100 + 10 * n + 2 * v, 2));
    assert_untouched(m, VAR_C, 8, 10);
    send_op(m, GLOBAL, 1 << 9 | 3 << 7 | 0x05, 0, (uint32_t[3]){1, 1, 0}, 16);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 16; n++)
        if (n != 4)
            assert_int_equal(peek(m->memory + 100 + 10 * n, 2), get16(m, VAR_D, n));
    machine_free(m);
}

static void append_counters(void **state)
{
    machine *m = new_machine(VISAGE_PLATFORM_DG2);
    static vsg_exe_outputs outputs;

    (void)state;
    outputs.counters[BTI] = (vsg_exe_surface){
        .kind = VSG_EXE_SURFACE_BUFFER, .address = machine_at(m, 64), .size_bytes = 4};
    m->launch.outputs = &outputs;
    poke(m->memory + 64, 4, 100);
    for (uint32_t n = 0; n < 8; n++)
        put32(m, VAR_B, n, n);
    send_op(m, GLOBAL, 3u << 29 | 2 << 9 | 0x28, (uint32_t)BTI << 24, (uint32_t[3]){1, 0, 1},
            8);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get32(m, VAR_C, n), 100 + n * (n - 1) / 2);
    send_op(m, GLOBAL, 3u << 29 | 2 << 9 | 0x29, (uint32_t)BTI << 24, (uint32_t[3]){1, 0, 0},
            8);
    m->execution_mask = 0x80;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(peek(m->memory + 64, 4), 128 - 7);
    machine_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typed_reads),   cmocka_unit_test(typed_writes),
        cmocka_unit_test(typed_atomics), cmocka_unit_test(typed_lsc),
        cmocka_unit_test(media_blocks),  cmocka_unit_test(blocks2d),
        cmocka_unit_test(strided),       cmocka_unit_test(append_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
