/* SPDX-License-Identifier: MIT
 *
 * Raw sends to the sampler. Descriptors and headers are put together from Mesa's brw_eu.h
 * (brw_sampler_desc), brw_eu_defines.h and the sends of sampler messages in brw_fs; what is
 * returned is worked out here: texels as they lie in memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "exec/format.h"
#include "memory_machine.h"

enum { SAMPLER = 2, BTI = 3, INDEX = 5, GRF = 32 };
enum { WIDTH = 10, HEIGHT = 6, PITCH = 48, IMAGE = 512 };
enum { SIMD8 = 1, SIMD16 = 2, SIMD8H = 5, SIMD16H = 6 };

/* Types of messages. */
enum {
    SAMPLE_LZ = 24,
    LD = 7,
    LD_LZ = 26,
    GATHER4 = 8,
    GATHER4_PO = 17,
    RESINFO = 10,
    DERIVS = 4
};
enum { LD2DMS_W = 28 };

/* An image of WIDTH x HEIGHT dwords at entry BTI, a sampler that takes the nearest texel. */
static machine *new_machine(visage_platform platform)
{
    machine *m = machine_new(platform);

    m->launch.surfaces[BTI] = (vsg_exe_surface){.kind = VSG_EXE_SURFACE_IMAGE,
                                                .address = machine_at(m, IMAGE),
                                                .size_bytes = PITCH * HEIGHT,
                                                .width = WIDTH,
                                                .height = HEIGHT,
                                                .depth = 1,
                                                .shape = VSG_EXE_IMAGE_2D,
                                                .pitch_bytes = PITCH,
                                                .slice_bytes = PITCH * HEIGHT,
                                                .texel_bytes = 4,
                                                .format = vsg_exe_format_find("R32_UINT", 8)};
    m->launch.samplers[INDEX] =
        (vsg_exe_sampler){.is_set = true,
                          .filter = VSG_EXE_FILTER_NEAREST,
                          .addressing = {VSG_EXE_ADDRESSING_EDGE, VSG_EXE_ADDRESSING_EDGE,
                                         VSG_EXE_ADDRESSING_EDGE}};
    return m;
}

static uint32_t texel(const machine *m, uint32_t x, uint32_t y)
{
    return (uint32_t)peek(m->memory + IMAGE + (size_t)y * PITCH + (size_t)x * 4, 4);
}

/* VAR_B is the payload, VAR_C the response. */
static void send_op(machine *m, uint32_t type, uint32_t mode, uint32_t bits, uint32_t sent,
                    uint32_t returned)
{
    machine_op(m, VISAGE_OP_RAW_SENDS, mode == SIMD16 || mode == SIMD16H ? 16 : 8);
    set_number(m, "sfid", SAMPLER);
    set_number(m, "num_src0", sent);
    set_number(m, "num_dst", returned);
    set_immediate(m, "desc", VISAGE_TYPE_UD,
                  bits | (mode & 3) << 17 | mode >> 2 << 29 | sent << 25 | returned << 20 |
                      type << 12 | INDEX << 8 | BTI);
    set_raw(m, "src0", VAR_B, 0);
    set_raw(m, "dst", VAR_C, 0);
}

static uint32_t float_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ld: u, v, level. A response of one register has red alone. */
static void loads(void **state)
{
    machine *m = new_machine(VISAGE_PLATFORM_SKL);

    (void)state;
    send_op(m, LD, SIMD8, 0, 3, 1);
    for (uint32_t n = 0; n < 8; n++) {
        put32(m, VAR_B, n, n + 4); /* the last two are outside */
        put32(m, VAR_B, 8 + n, n % 3);
        put32(m, VAR_B, 16 + n, 0);
    }
    m->execution_mask = 0xfb;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++)
        if (n != 2)
            assert_int_equal(get32(m, VAR_C, n), n + 4 < WIDTH ? texel(m, n + 4, n % 3) : 0);
    assert_untouched(m, VAR_C, 8, 12);
    assert_untouched(m, VAR_C, 32, MACHINE_REGISTERS);
    machine_free(m);
}

/* The header moves the coordinates by 1, -1 and turns green and blue off; SIMD16. */
static void header(void **state)
{
    machine *m = new_machine(VISAGE_PLATFORM_DG2);

    (void)state;
    send_op(m, LD_LZ, SIMD16, 1 << 19, 5, 4);
    put32(m, VAR_B, 2, 1 << 8 | 0xf << 4 | 6 << 12);
    for (uint32_t n = 0; n < 16; n++) {
        put32(m, VAR_B, 8 + n, n % 8);
        put32(m, VAR_B, 24 + n, 1 + n % 4);
    }
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 16; n++) {
        assert_int_equal(get32(m, VAR_C, n), texel(m, n % 8 + 1, n % 4));
        assert_int_equal(get32(m, VAR_C, 16 + n), 1); /* alpha of a format without it */
    }
    assert_untouched(m, VAR_C, 128, MACHINE_REGISTERS);
    machine_free(m);
}

/* Coordinates in texels by the sampler of the descriptor; the edge repeats. */
static void samples(void **state)
{
    machine *m = new_machine(VISAGE_PLATFORM_SKL);

    (void)state;
    send_op(m, SAMPLE_LZ, SIMD8, 0, 2, 1);
    for (uint32_t n = 0; n < 8; n++) {
        put32(m, VAR_B, n, float_bits((float)(2 * n) + 0.25F));
        put32(m, VAR_B, 8 + n, float_bits((float)n - 1.5F));
    }
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++) {
        uint32_t x = 2 * n < WIDTH ? 2 * n : WIDTH - 1, y = n < 2 ? 0 : n - 2;
        assert_int_equal(get32(m, VAR_C, n), texel(m, x, y));
    }
    /* another sampler, which is not set */
    set_immediate(m, "desc", VISAGE_TYPE_UD,
                  SIMD8 << 17 | 2 << 25 | 1 << 20 | SAMPLE_LZ << 12 | 6 << 8 | BTI);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    machine_free(m);
}

/* 3D_SAMPLE4: lower left, lower right, upper right, upper left. */
static void gathers(void **state)
{
    static const uint32_t right[4] = {0, 1, 1, 0}, below[4] = {1, 1, 0, 0};
    machine *m = new_machine(VISAGE_PLATFORM_SKL);

    (void)state;
    send_op(m, GATHER4, SIMD8, 1 << 19, 3, 4);
    put32(m, VAR_B, 2, 0);
    for (uint32_t n = 0; n < 8; n++) {
        put32(m, VAR_B, 8 + n, float_bits((float)n + 1.0F));
        put32(m, VAR_B, 16 + n, float_bits((float)(n % 4) + 1.0F));
    }
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t c = 0; c < 4; c++)
        for (uint32_t n = 0; n < 8; n++)
            assert_int_equal(get32(m, VAR_C, 8 * c + n),
                             texel(m, n + right[c], n % 4 + below[c]));
    /* green, which the format does not have, of the same place */
    put32(m, VAR_B, 2, 1 << 16);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_int_equal(get32(m, VAR_C, 0), 0);
    /* offsets in the payload behind u and v */
    send_op(m, GATHER4_PO, SIMD8, 1 << 19, 5, 4);
    put32(m, VAR_B, 2, 0);
    for (uint32_t n = 0; n < 8; n++) {
        put32(m, VAR_B, 24 + n, n % 2);
        put32(m, VAR_B, 32 + n, 1);
    }
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t c = 0; c < 4; c++)
        for (uint32_t n = 0; n < 8; n++)
            assert_int_equal(get32(m, VAR_C, 8 * c + n),
                             texel(m, n + n % 2 + right[c], n % 4 + 1 + below[c]));
    machine_free(m);
}

/* Level 0 and one that is not there: width, height, layers of none, number of levels. */
static void sizes(void **state)
{
    machine *m = new_machine(VISAGE_PLATFORM_TGLLP);

    (void)state;
    send_op(m, RESINFO, SIMD8, 0, 1, 4);
    for (uint32_t n = 0; n < 8; n++)
        put32(m, VAR_B, n, n % 2 ? 9 : 0);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++) {
        assert_int_equal(get32(m, VAR_C, n), n % 2 ? 0 : WIDTH);
        assert_int_equal(get32(m, VAR_C, 8 + n), n % 2 ? 0 : HEIGHT);
        assert_int_equal(get32(m, VAR_C, 24 + n), 1);
    }
    machine_free(m);
}

/* Parameters and results of 16 bits: each one in a register of its own. */
static void halves(void **state)
{
    machine *m = new_machine(VISAGE_PLATFORM_TGLLP);

    (void)state;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            poke(m->memory + IMAGE + (size_t)y * PITCH + (size_t)x * 4, 4, 1000 * y + x);
    send_op(m, LD, SIMD8H, 1 << 30, 3, 2);
    for (uint32_t n = 0; n < 8; n++) {
        put16(m, VAR_B, n, (uint16_t)n);
        put16(m, VAR_B, 16 + n, (uint16_t)(n % HEIGHT));
        put16(m, VAR_B, 32 + n, 0);
    }
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++) {
        assert_int_equal(get16(m, VAR_C, n), 1000 * (n % HEIGHT) + n);
        assert_int_equal(get16(m, VAR_C, 16 + n), 0);
    }
    assert_untouched(m, VAR_C, 16, 32);
    assert_untouched(m, VAR_C, 48, MACHINE_REGISTERS);
    machine_free(m);
}

/* sample_unorm: 32 pixels as 4 rows of 8 from u, v on, by steps; green and blue are turned off
 * in the header. A texel of R8G8B8A8_UNORM gives 257 times its byte, as part of 65535. */
static void a_block_of_pixels(void **state)
{
    enum { UNORM_MEDIA = 12, SIMD32 = 3 };
    machine *m = new_machine(VISAGE_PLATFORM_SKL);

    (void)state;
    m->launch.surfaces[BTI].format = vsg_exe_format_find("R8G8B8A8_UNORM", 14);
    send_op(m, UNORM_MEDIA, SIMD32, 1 << 19, 2, 4);
    memset(m->registers[VAR_B - VAR_A], 0, (size_t)2 * GRF);
    put32(m, VAR_B, 2, 6u << 12);
    put32(m, VAR_B, 8 + 2, float_bits(1.5F));
    put32(m, VAR_B, 8 + 3, float_bits(2.5F));
    put32(m, VAR_B, 8 + 4, float_bits(1));
    put32(m, VAR_B, 8 + 5, float_bits(1));
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 32; n++) {
        uint32_t bytes = texel(m, 1 + n % 8, 2 + n / 8);
        const uint8_t *out = m->registers[VAR_C - VAR_A];
        assert_int_equal(peek(out + (size_t)n * 2, 2), (bytes & 0xff) * 257);
        assert_int_equal(peek(out + 64 + (size_t)n * 2, 2), (bytes >> 24) * 257);
    }
    machine_free(m);
}

static void refused(void **state)
{
    static const struct {
        visage_platform platform;
        uint32_t type, mode, bits, sent, returned;
    } cases[] = {
        {VISAGE_PLATFORM_SKL, 31, SIMD8, 0, 3, 1},        /* no such type */
        {VISAGE_PLATFORM_SKL, LD, SIMD8, 1u << 31, 3, 1}, /* of later devices */
        {VISAGE_PLATFORM_SKL, LD, 0, 0, 3, 1},            /* SIMD4x2 */
        {VISAGE_PLATFORM_SKL, LD, 3, 0, 3, 1},            /* SIMD32 and 64 */
        {VISAGE_PLATFORM_SKL, 12, 3, 0, 2, 8},            /* a block without a header */
        {VISAGE_PLATFORM_SKL, 12, 3, 1 << 19, 1, 8},      /* and without coordinates */
        {VISAGE_PLATFORM_SKL, LD, SIMD8, 0, 5, 1},        /* too many parameters */
        {VISAGE_PLATFORM_SKL, LD, SIMD16, 0, 3, 2},       /* one and a half */
        {VISAGE_PLATFORM_SKL, LD, SIMD16, 0, 4, 1},       /* too small a response */
        {VISAGE_PLATFORM_DG2, DERIVS, SIMD8, 0, 8, 4},    /* the least level */
        {VISAGE_PLATFORM_DG2, LD2DMS_W, SIMD8, 0, 5, 4},  /* another order */
        {VISAGE_PLATFORM_SKL, LD, SIMD8, 1 << 19, 4, 1},  /* header of more components */
    };

    (void)state;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine *m = new_machine(cases[i].platform);
        for (uint32_t n = 0; n < 80; n++)
            put32(m, VAR_B, n, 0);
        send_op(m, cases[i].type, cases[i].mode, cases[i].bits, cases[i].sent,
                cases[i].returned);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
        assert_int_equal(m->thread.fault.diag, VSG_DIAG_FAULT_SEND);
        machine_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads),
        cmocka_unit_test(header),
        cmocka_unit_test(samples),
        cmocka_unit_test(gathers),
        cmocka_unit_test(sizes),
        cmocka_unit_test(halves),
        cmocka_unit_test(a_block_of_pixels),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
