/* SPDX-License-Identifier: MIT
 *
 * Raw sends to the data ports, which are the messages that their descriptors say. Descriptors
 * are put together here from the fields that message_raw.c has in its ruler; places in memory
 * and registers are those of the documented messages: an address of each channel behind the
 * header, then data. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "memory_machine.h"

enum { HEADER = 1 << 19, PORT_0 = 10, PORT_1 = 12, BTI = 3, GRF = 32 };

/* VAR_B is the payload of raw_send, VAR_C the response. */
static void send_op(machine *m, uint32_t function, uint32_t descriptor, uint32_t exec_size,
                    uint32_t sent, uint32_t returned)
{
    machine_op(m, VISAGE_OP_RAW_SEND, exec_size);
    set_number(m, "ex_desc", function);
    set_number(m, "num_src", sent);
    set_number(m, "num_dst", returned);
    set_immediate(m, "desc", VISAGE_TYPE_UD, descriptor | sent << 25 | returned << 20);
    set_raw(m, "src", VAR_B, 0);
    if (returned)
        set_raw(m, "dst", VAR_C, 0);
}

static machine *new_machine(void)
{
    machine *m = machine_new(VISAGE_PLATFORM_SKL);

    m->launch.surfaces[BTI] = (vsg_exe_surface){
        .kind = VSG_EXE_SURFACE_BUFFER, .address = machine_at(m, 256), .size_bytes = 2048};
    return m;
}

static uint32_t type(uint32_t code)
{
    return code << 14;
}

/* Byte offsets of 8 channels, in dwords from `dword` of the payload on. */
static void put_offsets(machine *m, uint32_t dword, uint32_t step)
{
    for (uint32_t n = 0; n < 8; n++)
        put32(m, VAR_B, dword + n, (n * 5 % 8) * step);
}

static void untyped(void **state)
{
    machine *m = new_machine();

    (void)state;
    /* SIMD8, red and blue: bits 9 and 11 turn green and alpha off */
    send_op(m, PORT_1, type(0x01) | 2 << 12 | 0xa << 8 | BTI, 8, 1, 2);
    put_offsets(m, 0, 16);
    m->execution_mask = 0xfb;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++) {
        if (n == 2)
            continue;
        assert_int_equal(get32(m, VAR_C, n), peek(m->memory + 256 + n * 5 % 8 * 16, 4));
        assert_int_equal(get32(m, VAR_C, 8 + n), peek(m->memory + 264 + n * 5 % 8 * 16, 4));
    }
    assert_untouched(m, VAR_C, 8, 12);
    assert_untouched(m, VAR_C, 2 * GRF, MACHINE_REGISTERS);

    /* a write of one channel, with a header before the addresses */
    send_op(m, PORT_1, type(0x09) | 2 << 12 | 0xe << 8 | HEADER | BTI, 8, 3, 0);
    put_offsets(m, 8, 4);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(peek(m->memory + 256 + 5 * 4, 4), get32(m, VAR_B, 17));
    machine_free(m);
}

/* SIMD4x2: two addresses, in dwords 0 and 4, and four dwords each; the upper one by its last
 * channel alone. Green is off, and its place in the registers stays. */
static void untyped_slots(void **state)
{
    machine *m = new_machine();

    (void)state;
    send_op(m, PORT_1, type(0x01) | 2 << 8 | BTI, 8, 1, 1);
    memset(m->registers[VAR_B - VAR_A], 0xee, GRF);
    put32(m, VAR_B, 0, 36);
    put32(m, VAR_B, 4, 80);
    m->execution_mask = 0x81;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t c = 0; c < 4; c++) {
        if (c == 1)
            continue;
        assert_int_equal(get32(m, VAR_C, c), peek(m->memory + 256 + 36 + c * 4, 4));
        assert_int_equal(get32(m, VAR_C, 4 + c), peek(m->memory + 256 + 80 + c * 4, 4));
    }
    assert_untouched(m, VAR_C, 4, 8);
    assert_untouched(m, VAR_C, 20, 24);
    assert_untouched(m, VAR_C, GRF, MACHINE_REGISTERS);

    /* a write with a header, whose lower slot is off */
    send_op(m, PORT_1, type(0x09) | HEADER | BTI, 8, 3, 0);
    put32(m, VAR_B, 8, 36);
    put32(m, VAR_B, 12, 112);
    m->execution_mask = 0x30;
    uint64_t before = peek(m->memory + 256 + 36, 8);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(peek(m->memory + 256 + 36, 8), before);
    for (uint32_t c = 0; c < 4; c++)
        assert_int_equal(peek(m->memory + 256 + 112 + c * 4, 4), get32(m, VAR_B, 20 + c));

    /* where two 64-bit addresses lie is not known; mode 3 is not defined */
    for (uint32_t i = 0; i < 2; i++) {
        send_op(m, PORT_1, i ? type(0x01) | 3 << 12 | BTI : type(0x11) | 0xff, 8, 1, 1);
        (void)machine_run(m);
        assert_int_equal(m->thread.fault.diag, VSG_DIAG_FAULT_SEND);
    }
    machine_free(m);
}

static void far_vectors(void **state)
{
    machine *m = new_machine();

    (void)state;
    /* two qwords a channel: addresses take two registers, data two each */
    send_op(m, PORT_1, type(0x10) | 2 << 8 | 1 << 10 | 0xff, 8, 2, 4);
    for (uint32_t n = 0; n < 8; n++)
        put64(m, VAR_B, n, machine_at(m, 1000 - n * 24));
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++) {
        assert_int_equal(get64(m, VAR_C, n), peek(m->memory + 1000 - n * 24, 8));
        assert_int_equal(get64(m, VAR_C, 8 + n), peek(m->memory + 1008 - n * 24, 8));
    }
    machine_free(m);
}

static void narrow(void **state)
{
    machine *m = new_machine();

    (void)state;
    /* words of SIMD8; then dwords, whose offsets count dwords */
    send_op(m, PORT_0, type(0x04) | 1 << 10 | BTI, 8, 1, 1);
    put_offsets(m, 0, 3);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get32(m, VAR_C, n), peek(m->memory + 256 + n * 5 % 8 * 3, 2));
    send_op(m, PORT_0, type(0x03) | 2 << 10 | 1 << 9 | BTI, 8, 1, 1);
    put_offsets(m, 0, 2);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get32(m, VAR_C, n), peek(m->memory + 256 + n * 5 % 8 * 8, 4));
    machine_free(m);
}

static void blocks(void **state)
{
    machine *m = new_machine();

    (void)state;
    /* two owords from oword 3 on, whatever the channels; then from byte 20 on */
    m->execution_mask = 2;
    send_op(m, PORT_0, type(0x00) | 2 << 8 | HEADER | BTI, 8, 1, 1);
    put32(m, VAR_B, 2, 3);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->registers[VAR_C - VAR_A], m->memory + 256 + 48, 32);
    send_op(m, PORT_0, type(0x01) | 1 << 8 | HEADER | BTI, 8, 1, 1);
    put32(m, VAR_B, 2, 20);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->registers[VAR_C - VAR_A], m->memory + 256 + 48, 16);
    assert_memory_equal(m->registers[VAR_C - VAR_A] + 16, m->memory + 256 + 20, 16);
    /* one register to a 64-bit address */
    send_op(m, PORT_1, type(0x15) | 3 << 11 | HEADER | 0xff, 8, 2, 0);
    put64(m, VAR_B, 0, machine_at(m, 4090));
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->memory + 4090, m->registers[VAR_B - VAR_A] + GRF, 32);
    machine_free(m);
}

static void scratch(void **state)
{
    machine *m = new_machine();

    (void)state;
    m->thread.scratch_address = machine_at(m, 8192);
    m->thread.scratch_bytes = 1024;
    /* two registers at hword 3 */
    send_op(m, PORT_0, 0x60000 | 1 << 12 | HEADER | 3, 8, 3, 0);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->memory + 8192 + 96, m->registers[VAR_B - VAR_A] + GRF, 64);
    send_op(m, PORT_0, 0x40000 | 0 << 12 | HEADER | 4, 8, 1, 1);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->registers[VAR_C - VAR_A], m->registers[VAR_B - VAR_A] + 2 * GRF, 32);
    machine_free(m);
}

static void atomics(void **state)
{
    machine *m = new_machine();

    (void)state;
    /* every channel adds to the same dword; SIMD8 is 1 in bit 12, bit 13 asks for old values */
    send_op(m, PORT_1, type(0x02) | 1 << 13 | 1 << 12 | 0x7 << 8 | BTI, 8, 2, 1);
    poke(m->memory + 256 + 8, 4, 100);
    for (uint32_t n = 0; n < 8; n++) {
        put32(m, VAR_B, n, 8);
        put32(m, VAR_B, 8 + n, n + 1);
    }
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get32(m, VAR_C, n), 100 + n * (n + 1) / 2);
    assert_int_equal(peek(m->memory + 256 + 8, 4), 136);
    /* compare and swap of qwords: comparands before new values; one of two fits */
    send_op(m, PORT_1, type(0x12) | 1 << 12 | 0xe << 8 | 0xff, 2, 6, 0);
    for (uint32_t n = 0; n < 2; n++) {
        put64(m, VAR_B, n, machine_at(m, 64 + 8 * n));
        put64(m, VAR_B, 8 + n, 7);
        put64(m, VAR_B, 16 + n, 1000 + n);
        poke(m->memory + 64 + 8 * n, 8, 7 + n);
    }
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(peek(m->memory + 64, 8), 1000);
    assert_int_equal(peek(m->memory + 72, 8), 8);
    /* reversed subtraction: the value minus what is there */
    send_op(m, PORT_1, type(0x02) | 1 << 12 | 0x9 << 8 | BTI, 8, 2, 0);
    for (uint32_t n = 0; n < 8; n++) {
        put32(m, VAR_B, n, 16 * n);
        put32(m, VAR_B, 8 + n, 5 + n);
        poke(m->memory + 256 + 16 * n, 4, 100);
    }
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(peek(m->memory + 256 + 16 * n, 4), 5 + n - 100);
    /* a code that is no operation */
    send_op(m, PORT_1, type(0x02) | 1 << 12 | 0x0 << 8 | BTI, 8, 2, 0);
    (void)machine_run(m);
    assert_int_equal(m->thread.fault.diag, VSG_DIAG_FAULT_SEND);
    machine_free(m);
}

static void lsc(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_DG2);

    (void)state;
    m->launch.surfaces[BTI] = (vsg_exe_surface){
        .kind = VSG_EXE_SURFACE_BUFFER, .address = machine_at(m, 256), .size_bytes = 2048};
    /* quads x and w of d32 by 32-bit offsets into binding-table entry 3 */
    machine_op(m, VISAGE_OP_RAW_SENDS, 8);
    set_number(m, "sfid", 15);
    set_number(m, "num_src0", 1);
    set_number(m, "num_dst", 2);
    set_immediate(m, "ex_desc", VISAGE_TYPE_UD, (uint32_t)BTI << 24);
    set_immediate(m, "desc", VISAGE_TYPE_UD, 3u << 29 | 9 << 12 | 2 << 9 | 2 << 7 | 0x02);
    set_raw(m, "src0", VAR_B, 0);
    set_raw(m, "dst", VAR_C, 0);
    put_offsets(m, 0, 16);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++) {
        assert_int_equal(get32(m, VAR_C, n), peek(m->memory + 256 + n * 5 % 8 * 16, 4));
        assert_int_equal(get32(m, VAR_C, 8 + n), peek(m->memory + 268 + n * 5 % 8 * 16, 4));
    }
    /* unsigned maximum of bytes' neighbours in shared local memory: opcode 0x11, d32, flat a32
     */
    set_number(m, "sfid", 14);
    set_number(m, "num_src1", 1);
    set_number(m, "num_dst", 0);
    set_raw(m, "src1", VAR_D, 0);
    set_raw(m, "dst", 0, 0);
    set_immediate(m, "ex_desc", VISAGE_TYPE_UD, 0);
    set_immediate(m, "desc", VISAGE_TYPE_UD, 2 << 9 | 2 << 7 | 0x11);
    for (uint32_t n = 0; n < 8; n++) {
        put32(m, VAR_D, n, 50 * n);
        poke(m->slm + n * 16, 4, 170);
    }
    put_offsets(m, 0, 16);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(peek(m->slm + n * 5 % 8 * 16, 4), n < 4 ? 170 : 50 * n);
    machine_free(m);
}

/* One register from byte 20 on, for every execution size: messages of blocks do not look at
 * channels. raw_sends has the same descriptor and, in an operand, the function. */
static void every_size(void **state)
{
    (void)state;
    for (uint32_t exec_size = 1; exec_size <= 32; exec_size *= 2)
        for (uint32_t split = 0; split < 2; split++) {
            machine *m = new_machine();
            send_op(m, PORT_0, type(0x01) | 2 << 8 | HEADER | BTI, exec_size, 1, 1);
            if (split) {
                uint64_t descriptor = m->operands[vsg_isa_operand(m->inst.op, "desc")].value;
                machine_op(m, VISAGE_OP_RAW_SENDS, exec_size);
                set_number(m, "sfid", PORT_0);
                set_number(m, "num_src0", 1);
                set_number(m, "num_dst", 1);
                set_immediate(m, "desc", VISAGE_TYPE_UD, descriptor);
                set_raw(m, "src0", VAR_B, 0);
                set_raw(m, "dst", VAR_C, 0);
            }
            put32(m, VAR_B, 2, 20 * exec_size);
            m->execution_mask = 0x80000001;
            assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
            assert_memory_equal(m->registers[VAR_C - VAR_A], m->memory + 256 + 20 * exec_size,
                                GRF);
            assert_untouched(m, VAR_C, GRF, MACHINE_REGISTERS);
            machine_free(m);
        }
}

/* Ends of threads, fences and signals leave registers and memory alone. */
static void others(void **state)
{
    machine *m = new_machine();

    (void)state;
    send_op(m, 7 | 0x20, 0, 8, 1, 0);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    send_op(m, 7, 0, 8, 1, 0);
    (void)machine_run(m);
    assert_int_equal(m->thread.fault.diag, VSG_DIAG_FAULT_SEND);
    send_op(m, PORT_0, type(0x07) | 1 << 13 | HEADER, 8, 1, 1);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_untouched(m, VAR_C, 0, MACHINE_REGISTERS);
    send_op(m, 3, 4, 8, 1, 0);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(m->group.split.phase, 1);
    machine_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untyped),     cmocka_unit_test(untyped_slots),
        cmocka_unit_test(far_vectors), cmocka_unit_test(narrow),
        cmocka_unit_test(blocks),      cmocka_unit_test(scratch),
        cmocka_unit_test(atomics),     cmocka_unit_test(lsc),
        cmocka_unit_test(every_size),  cmocka_unit_test(others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
