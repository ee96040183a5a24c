/* SPDX-License-Identifier: MIT
 *
 * Messages that have neither addresses nor coordinates: render-target and URB writes, fences,
 * barriers with numbers, and the matrix instructions, of which masks and operands are looked at
 * here (their arithmetic: test_dpas.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "exec/format.h"
#include "exec/outputs.h"
#include "memory_machine.h"

enum { IMAGE = 1024, TEXEL = 16 };

/* ---- pixels and vertices ----------------------------------------------------------------- */

/* Four channels are a square of 2 x 2 pixels, the squares of a thread lie side by side
 * (docs/spec-notes.md, Render targets). */
static void render_targets(void **state)
{
    (void)state;
    for (uint32_t exec_size = 8; exec_size <= 16; exec_size *= 2)
        for (uint32_t i = 0; i < 6; i++) {
            static uint8_t want[MACHINE_BYTES];
            static vsg_exe_outputs outputs;
            machine *m = machine_new(VISAGE_PLATFORM_TGLLP);
            uint32_t width = exec_size / 2;
            outputs.targets[0] =
                (vsg_exe_surface){.kind = VSG_EXE_SURFACE_IMAGE,
                                  .address = machine_at(m, IMAGE),
                                  .size_bytes = 2 * width * TEXEL,
                                  .width = width,
                                  .height = 2,
                                  .depth = 1,
                                  .shape = VSG_EXE_IMAGE_2D,
                                  .pitch_bytes = width * TEXEL,
                                  .slice_bytes = 2 * width * TEXEL,
                                  .texel_bytes = TEXEL,
                                  .format = vsg_exe_format_find("R32G32B32A32_FLOAT", 18)};
            m->launch.outputs = &outputs;
            machine_op(m, VISAGE_OP_RT_WRITE, exec_size);
            set_surface(m, SURFACE_T6);
            for (uint32_t c = 0; c < 4; c++)
                add_raw(m, VAR_D_F, c * 64);
            for (uint32_t n = 0; n < 64; n++) /* small numbers of F: not NaNs */
                put32(m, VAR_D, n, 0x40000000 + n);
            m->execution_mask = i ? 0x9375c000 >> i | 1u << i : UINT32_MAX;
            memcpy(want, m->memory, sizeof want);
            for (uint32_t n = 0; n < exec_size; n++)
                for (uint32_t c = 0; c < 4 && m->execution_mask >> n & 1; c++)
                    poke(want + IMAGE + (n / 2 % 2 * width + n / 4 * 2 + n % 2) * TEXEL + 4 * c,
                         4, 0x40000000 + 16 * c + n);
            assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
            assert_memory_equal(m->memory, want, sizeof want);
            machine_free(m);
        }
}

/* Value i of vertex n is dword i behind handle * 64 + (global + own offset) * 16. */
static void vertices(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 6; i++) {
        static uint8_t want[MACHINE_BYTES];
        static vsg_exe_outputs outputs;
        machine *m = machine_new(VISAGE_PLATFORM_SKL);
        outputs.urb = (vsg_exe_surface){.kind = VSG_EXE_SURFACE_BUFFER,
                                        .address = machine_at(m, IMAGE),
                                        .size_bytes = 2048};
        m->launch.outputs = &outputs;
        machine_op(m, VISAGE_OP_URB_WRITE, 8);
        set_number(m, "num_out", 3);
        set_number(m, "global_offset", 2);
        set_raw(m, "channel_mask", VAR_A, 0);
        set_raw(m, "handle", VAR_A, 32);
        set_raw(m, "per_slot_offset", VAR_A, 64);
        set_raw(m, "vertex_data", VAR_B, 0);
        m->execution_mask = i ? 0xb1u << i : 0xff;
        memcpy(want, m->memory, sizeof want);
        for (uint32_t n = 0; n < 8; n++) {
            put32(m, VAR_A, n, n % 8);
            put32(m, VAR_A, 8 + n, 2 * n + 1);
            put32(m, VAR_A, 16 + n, n % 3);
            for (uint32_t k = 0; k < 3; k++)
                if (m->execution_mask >> n & 1 && n % 8 >> k & 1)
                    poke(want + IMAGE + (2 * n + 1) * 64 + (2 + n % 3) * 16 + 4 * k, 4,
                         get32(m, VAR_B, 8 * k + n));
        }
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        assert_memory_equal(m->memory, want, sizeof want);
        machine_free(m);
    }
}

/* ---- order ------------------------------------------------------------------------------- */

/* A fence, and a wait of a thread without dependences, change nothing. */
static void waits(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_PVC);
    static uint8_t want[MACHINE_BYTES];

    (void)state;
    memcpy(want, m->memory, sizeof want);
    for (uint32_t i = 0; i < 8; i++) {
        machine_op(m, VISAGE_OP_LSC_FENCE, 1);
        m->inst.no_mask = true;
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    }
    machine_op(m, VISAGE_OP_WAIT, 0);
    set_immediate(m, "mask", VISAGE_TYPE_UB, 0xa5);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->memory, want, sizeof want);
    for (uint32_t v = VAR_A; v < VAR_END; v++)
        assert_untouched(m, v, 0, MACHINE_REGISTERS);
    machine_free(m);
}

/* Signals of one thread of many: the last of producers and of consumers completes a barrier.
 * The compiler writes B for UB. */
static void named_barriers(void **state)
{
    static const struct {
        bool is_general;
        uint32_t type, producers,
            consumers; /* consumers of all threads: as many as producers */
        uint32_t completed, came[2];
    } cases[] = {{false, 0, 1, 1, 1, {0, 0}}, {false, 0, 2, 2, 0, {1, 1}},
                 {true, 0, 1, 1, 1, {0, 0}},  {true, 0, 2, 1, 0, {1, 1}},
                 {true, 1, 1, 1, 0, {1, 0}},  {true, 2, 1, 1, 0, {0, 1}}};

    (void)state;
    for (uint32_t i = 0; i < 8 * sizeof cases / sizeof cases[0]; i++) {
        machine *m = machine_new(VISAGE_PLATFORM_PVC);
        uint32_t id = i % 8 * 4 + 3, types = i % 8, k = i / 8;
        visage_type type[3];
        for (uint32_t t = 0; t < 3; t++)
            type[t] = types >> t & 1 ? VISAGE_TYPE_B : VISAGE_TYPE_UB;
        m->execution_mask = 0xfffffffe; /* none of a channel's business */
        machine_op(m,
                   cases[k].is_general ? VISAGE_OP_NBARRIER_SIGNAL_GENERAL
                                       : VISAGE_OP_NBARRIER_SIGNAL,
                   0);
        set_immediate(m, "id", type[0], id);
        if (cases[k].is_general) {
            set_immediate(m, "type", VISAGE_TYPE_UW, cases[k].type);
            set_immediate(m, "num_producers", type[1], cases[k].producers);
            set_immediate(m, "num_consumers", type[2], cases[k].consumers);
        } else {
            set_immediate(m, "num_threads", type[1], cases[k].producers);
        }
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        for (uint32_t b = 0; b < VSG_EXE_NUM_NAMED; b++) {
            bool is_this = b == id;
            assert_int_equal(m->group.named[b].phase, is_this ? cases[k].completed : 0);
            assert_int_equal(m->group.named[b].producers, is_this ? cases[k].came[0] : 0);
            assert_int_equal(m->group.named[b].consumers, is_this ? cases[k].came[1] : 0);
        }
        /* a thread that has not seen the barrier's first phase goes on when that is complete */
        memset(m->group.named, 0, sizeof m->group.named);
        m->group.named[id].phase = cases[k].completed;
        machine_op(m, VISAGE_OP_NBARRIER_WAIT, 0);
        set_immediate(m, "id", type[0], id);
        set_immediate(m, "num_threads", type[1], cases[k].producers);
        assert_int_equal(machine_run(m),
                         cases[k].completed ? VSG_EXE_STOP_END : VSG_EXE_STOP_NAMED);
        machine_free(m);
    }
}

/* ---- matrices ---------------------------------------------------------------------------- */

enum { S8 = 8, DEPTH = 8, PER_DWORD = 4 };

/* Row r of A, from where the instruction has it; column i of B; both of S8. */
static int32_t product(const machine *m, const uint8_t *row, uint32_t exec_size, uint32_t i)
{
    const uint8_t *b = m->registers[VAR_C - VAR_A];
    int32_t sum = 0;

    for (uint32_t k = 0; k < DEPTH * PER_DWORD; k++)
        sum += (int8_t)row[k] *
               (int8_t)b[(k / PER_DWORD * exec_size + i) * PER_DWORD + k % PER_DWORD];
    return sum;
}

/* D = C + A x B; channels that are off keep what they have. is_pair: the second of two rows is
 * what the partner thread has in its first register (DPASW). */
static void run_matrix(visage_platform platform, bool is_pair, uint32_t mask)
{
    uint32_t exec_size = platform == VISAGE_PLATFORM_PVC ? 16 : 8, count = is_pair ? 2 : 3;
    machine *m = machine_new(platform);
    static uint8_t want[MACHINE_REGISTERS];

    machine_op(m, is_pair ? VISAGE_OP_DPASW : VISAGE_OP_DPAS, exec_size);
    set_number(m, "info", S8 | S8 << 8 | DEPTH << 16 | count << 24);
    set_raw(m, "dst", VAR_B, 64);
    set_raw(m, "src0", VAR_D, 0);
    set_raw(m, "src1", VAR_C, 0);
    m->operands[vsg_isa_operand(m->inst.op, "src2")] = (vsg_obj_operand){
        .class_ = VSG_OBJ_CLASS_GENERAL, .id = VAR_A, .v_stride = 1, .width = 1};
    m->execution_mask = mask;
    m->group.num_threads = 2;
    m->offers[1].count = 1;
    memcpy(m->offers[1].data[1], m->registers[0] + 1000, DEPTH * PER_DWORD);
    memcpy(want, m->registers[VAR_B - VAR_A], sizeof want);
    for (uint32_t r = 0; r < count; r++) {
        const uint8_t *row =
            m->registers[0] + (is_pair && r == 1 ? 1000 : r * DEPTH * PER_DWORD);
        for (uint32_t i = 0; i < exec_size; i++)
            if (mask >> i & 1)
                poke(want + 64 + (r * exec_size + i) * 4, 4,
                     get32(m, VAR_D, r * exec_size + i) +
                         (uint32_t)product(m, row, exec_size, i));
    }
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->registers[VAR_B - VAR_A], want, sizeof want);
    machine_free(m);
}

static void matrices(void **state)
{
    static const uint32_t masks[] = {UINT32_MAX, 0x12345678, 0xfedc0035};

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        run_matrix(VISAGE_PLATFORM_DG2, false, masks[i]);
        run_matrix(VISAGE_PLATFORM_PVC, false, masks[i]);
        run_matrix(VISAGE_PLATFORM_DG2, true, masks[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(render_targets), cmocka_unit_test(vertices), cmocka_unit_test(waits),
        cmocka_unit_test(named_barriers), cmocka_unit_test(matrices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
