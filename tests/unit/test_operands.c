/* SPDX-License-Identifier: MIT */

/* Where operands are and which channels are written: regions, immediates, indirect operands,
 * masks, predicates, addresses, surface variables; and the operations whose channels are not
 * alike. Expected values follow 5_operands, 3_execution_model and the pages of the operations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "exec/convert.h"
#include "isa/isa.h"
#include "ops_machine.h"

enum { POISON = 0xee };
#define POISON_D 0xeeeeeeeeu

static machine m;

static int setup(void **state)
{
    uint32_t *host = *state = test_malloc(sizeof *host);

    *host = vsg_exe_host_save();
    machine_reset(&m);
    return 0;
}

static int teardown(void **state)
{
    vsg_exe_host_restore(*(uint32_t *)*state);
    test_free(*state);
    return 0;
}

/* Dwords first, first + step, ... at a byte offset. */
static void put_dwords(uint32_t offset, uint32_t count, uint32_t first, uint32_t step)
{
    for (uint32_t i = 0; i < count; i++)
        machine_put(&m, offset, 4, i, first + i * step);
}

static void put_floats(uint32_t offset, uint32_t count, const float *values)
{
    memcpy(m.registers + offset, values, count * sizeof *values);
}

static float get_float(uint32_t i)
{
    float value;
    memcpy(&value, m.registers + MACHINE_DST + i * sizeof value, sizeof value);
    return value;
}

static uint32_t get_dword(uint32_t i)
{
    return (uint32_t)machine_get(&m, MACHINE_DST, 4, i);
}

/* A dword move of contiguous operands. */
static vsg_exe_inst move(uint32_t exec_size)
{
    vsg_exe_inst inst = machine_inst(VISAGE_OP_MOV, exec_size);

    inst.dst = machine_region(VISAGE_TYPE_D, MACHINE_DST, exec_size);
    inst.src[0] = machine_region(VISAGE_TYPE_D, MACHINE_SRC, exec_size);
    return inst;
}

/* ---- regions ---------------------------------------------------------------------------- */

static void test_rows(void **state)
{
    vsg_exe_inst inst = move(16);
    vsg_exe_operand *source = &inst.src[0];

    (void)state;
    put_dwords(MACHINE_SRC, 64, 0, 1);
    source->shape = VSG_EXE_SHAPE_ROWS; /* <16;8,2> */
    source->width = 8;
    source->v_stride_bytes = 64;
    source->h_stride_bytes = 8;
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(get_dword(i), i / 8 * 16 + i % 8 * 2);
}

static void test_repeated_row(void **state)
{
    vsg_exe_inst inst = move(8);
    vsg_exe_operand *source = &inst.src[0];

    (void)state;
    put_dwords(MACHINE_SRC, 8, 10, 1);
    source->shape = VSG_EXE_SHAPE_ROWS; /* <0;4,1> */
    source->width = 4;
    source->v_stride_bytes = 0;
    source->h_stride_bytes = 4;
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(get_dword(i), 10 + i % 4);
}

static void test_strides(void **state)
{
    vsg_exe_inst inst = move(8);

    (void)state;
    put_dwords(MACHINE_SRC, 32, 100, 1);
    inst.src[0] = machine_strided(VISAGE_TYPE_D, MACHINE_SRC, 3);
    inst.dst = machine_strided(VISAGE_TYPE_W, MACHINE_DST, 2);
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(machine_get(&m, MACHINE_DST, 2, 2 * i), 100 + 3 * i);
        assert_int_equal(machine_get(&m, MACHINE_DST, 2, 2 * i + 1), 0xeeee);
    }
}

static void test_byte_strides(void **state)
{
    vsg_exe_inst inst = move(4);

    (void)state;
    for (uint32_t i = 0; i < 16; i++)
        machine_put(&m, MACHINE_SRC, 1, i, 0xf0 + i);
    inst.src[0] = machine_strided(VISAGE_TYPE_B, MACHINE_SRC, 4);
    inst.dst = machine_region(VISAGE_TYPE_Q, MACHINE_DST, 4);
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(machine_get(&m, MACHINE_DST, 8, i),
                         (uint64_t)(int64_t)(4 * (int)i - 16));
}

/* All of a source is read before anything is written. */
static void test_overlap(void **state)
{
    vsg_exe_inst inst = move(16);

    (void)state;
    put_dwords(MACHINE_DST, 17, 0, 1);
    inst.src[0] = machine_region(VISAGE_TYPE_D, MACHINE_DST, 16);
    inst.dst = machine_region(VISAGE_TYPE_D, MACHINE_DST + 4, 16);
    machine_run(&m, &inst);
    assert_int_equal(get_dword(0), 0);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(get_dword(i + 1), i);
}

static void test_packed_immediate(void **state)
{
    static const uint64_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};
    vsg_exe_inst inst = move(16);

    (void)state;
    inst.src[0] = machine_immediate(VISAGE_TYPE_UW, numbers, 8);
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(get_dword(i), i % 8);
}

static void test_narrow_immediate(void **state)
{
    /* Bits beyond the type do not count. */
    static const uint64_t minus_three[] = {0x1fffd};
    vsg_exe_inst inst = move(8);

    (void)state;
    inst.src[0] = machine_immediate(VISAGE_TYPE_W, minus_three, 1);
    inst.class_ = VSG_EXE_CLASS_INT;
    vsg_exe_handler handlers[] = {vsg_exe_op_of(VISAGE_OP_MOV)->handler, vsg_exe_quick(&inst)};
    for (uint32_t h = 0; h < 2; h++) {
        memset(m.registers, POISON, 64);
        handlers[h](&m.thread, &inst);
        for (uint32_t i = 0; i < 8; i++)
            assert_int_equal(get_dword(i), 0xfffffffd);
    }
    /* Most quick handlers take the whole dword. */
    inst.op = VISAGE_OP_NOT;
    assert_null(vsg_exe_quick(&inst));
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(get_dword(i), 2);
}

static void test_null(void **state)
{
    vsg_exe_inst inst = move(8);

    (void)state;
    put_dwords(MACHINE_SRC, 8, 1, 1);
    inst.dst.is_null = true;
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(get_dword(i), POISON_D);
    inst = move(8);
    inst.src[0].is_null = true;
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(get_dword(i), 0);
}

static void test_shared(void **state)
{
    vsg_exe_inst inst = move(4);

    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        memcpy(m.shared + 64 + 4 * i, &(uint32_t){i + 7}, 4);
    inst.src[0].offset = 64;
    inst.src[0].shared = true;
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(get_dword(i), i + 7);
}

/* ---- channels --------------------------------------------------------------------------- */

/* Checks that exactly the channels of `mask` are written, by every handler there is. */
static void check_mask(vsg_exe_inst *inst, uint32_t mask)
{
    inst->class_ = VSG_EXE_CLASS_INT;
    vsg_exe_handler handlers[] = {vsg_exe_op_of((visage_op)inst->op)->handler,
                                  vsg_exe_quick_of(inst, vsg_exe_quick_base()),
                                  vsg_exe_quick(inst)};

    for (uint32_t h = 0; h < 3; h++) {
        memset(m.registers + MACHINE_DST, POISON, 256);
        put_dwords(MACHINE_SRC, 32, 1, 1);
        handlers[h](&m.thread, inst);
        for (uint32_t i = 0; i < 33; i++)
            assert_int_equal(get_dword(i), mask >> (i & 31) & 1 && i < 32 ? i + 1 : POISON_D);
    }
}

static void test_execution_mask(void **state)
{
    vsg_exe_inst inst = move(16);

    (void)state;
    m.thread.execution_mask = 0x12345a5a;
    check_mask(&inst, 0x5a5a);
    inst.mask_offset = 16;
    check_mask(&inst, 0x1234);
    inst.no_mask = true;
    check_mask(&inst, 0xffff);
    inst = move(8);
    inst.mask_offset = 12;
    m.thread.execution_mask = 0x000fa000;
    check_mask(&inst, 0xfa);
    m.thread.execution_mask = 0xfff00fff;
    check_mask(&inst, 0);
}

static void test_predicated(void **state)
{
    vsg_exe_inst inst = move(16);

    (void)state;
    m.thread.execution_mask = 0xffff00ff;
    m.predicates[3] = 0x0f0f3c3c;
    inst.predicate = 3;
    inst.predicate_mode = VSG_EXE_PRED_USED;
    check_mask(&inst, 0x003c);
    inst.predicate_mode = VSG_EXE_PRED_USED | VSG_EXE_PRED_INVERSE;
    check_mask(&inst, 0x00c3);
    inst.mask_offset = 16;
    check_mask(&inst, 0xf0f0);
    inst.no_mask = true;
    inst.mask_offset = 0;
    check_mask(&inst, 0xc3c3);
    inst.predicate_mode = VSG_EXE_PRED_USED | VSG_EXE_PRED_ANY;
    check_mask(&inst, 0xffff);
    inst.predicate_mode = VSG_EXE_PRED_USED | VSG_EXE_PRED_ALL;
    check_mask(&inst, 0);
    inst.predicate_mode = VSG_EXE_PRED_USED | VSG_EXE_PRED_ALL | VSG_EXE_PRED_INVERSE;
    check_mask(&inst, 0xffff);
}

/* The predicate of SEL chooses; the execution mask writes. */
static void check_sel(visage_type type, uint32_t handler)
{
    vsg_exe_inst inst = machine_inst(VISAGE_OP_SEL, 16);

    inst.num_sources = 2;
    inst.dst = machine_region(type, MACHINE_DST, 16);
    inst.src[0] = machine_region(type, MACHINE_SRC, 16);
    inst.src[1] = machine_region(type, MACHINE_SRC + MACHINE_SRC_STEP, 16);
    inst.predicate_mode = VSG_EXE_PRED_USED;
    inst.class_ = (uint8_t)machine_class(&inst);
    m.predicates[0] = 0x0000f00f;
    m.thread.execution_mask = 0x00000ff0 | 1;
    vsg_exe_handler handlers[] = {vsg_exe_op_of(VISAGE_OP_SEL)->handler,
                                  vsg_exe_quick_of(&inst, vsg_exe_quick_base()),
                                  vsg_exe_quick(&inst)};
    memset(m.registers, POISON, 64);
    put_dwords(MACHINE_SRC, 16, 100, 1);
    put_dwords(MACHINE_SRC + MACHINE_SRC_STEP, 16, 200, 1);
    handlers[handler](&m.thread, &inst);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t chosen = 0xf00f >> i & 1 ? 100 + i : 200 + i;
        assert_int_equal(get_dword(i), 0xff1 >> i & 1 ? chosen : POISON_D);
    }
}

static void test_sel(void **state)
{
    (void)state;
    for (uint32_t handler = 0; handler < 3; handler++) {
        check_sel(VISAGE_TYPE_D, handler);
        check_sel(VISAGE_TYPE_F, handler); /* denormals, as they are */
    }
}

static void test_sel_mixed(void **state)
{
    vsg_exe_inst inst = machine_inst(VISAGE_OP_SEL, 2);
    static const uint64_t minus_one = 0xffff;

    (void)state;
    inst.num_sources = 2;
    inst.dst = machine_region(VISAGE_TYPE_UB, MACHINE_DST, 2);
    inst.src[0] = machine_region(VISAGE_TYPE_D, MACHINE_SRC, 2);
    inst.src[1] = machine_immediate(VISAGE_TYPE_W, &minus_one, 1);
    inst.predicate_mode = VSG_EXE_PRED_USED;
    inst.saturate = true;
    m.predicates[0] = 1;
    put_dwords(MACHINE_SRC, 2, 300, 0);
    machine_run(&m, &inst);
    assert_int_equal(machine_get(&m, MACHINE_DST, 1, 0), 255);
    assert_int_equal(machine_get(&m, MACHINE_DST, 1, 1), 0);
}

/* ---- predicates as operands ------------------------------------------------------------- */

static void test_cmp_predicate(void **state)
{
    static const uint64_t five = 5;
    vsg_exe_inst inst = machine_inst(VISAGE_OP_CMP, 16);

    (void)state;
    inst.num_sources = 2;
    inst.dst = machine_predicate(2);
    inst.src[0] = machine_region(VISAGE_TYPE_D, MACHINE_SRC, 16);
    inst.src[1] = machine_immediate(VISAGE_TYPE_D, &five, 1);
    inst.control = 4; /* lt */
    inst.class_ = VSG_EXE_CLASS_INT;
    vsg_exe_handler handlers[] = {vsg_exe_op_of(VISAGE_OP_CMP)->handler,
                                  vsg_exe_quick_of(&inst, vsg_exe_quick_base()),
                                  vsg_exe_quick(&inst)};
    put_dwords(MACHINE_SRC, 16, (uint32_t)-2, 1); /* -2 .. 13: seven are below 5 */
    for (uint32_t h = 0; h < 3; h++) {
        m.predicates[2] = 0xabcdef00;
        m.thread.execution_mask = 0xffff3ff5;
        inst.mask_offset = 0;
        handlers[h](&m.thread, &inst);
        assert_int_equal(m.predicates[2], 0xabcdc075);
        inst.mask_offset = 16;
        handlers[h](&m.thread, &inst);
        assert_int_equal(m.predicates[2], 0x007fc075);
    }
}

static void check_logic(visage_op op, uint32_t expected)
{
    vsg_exe_inst inst = machine_inst(op, 16);

    inst.num_sources = 2;
    inst.mask_offset = 16;
    inst.dst = machine_predicate(0);
    inst.src[0] = machine_predicate(1);
    inst.src[1] = machine_predicate(2);
    m.predicates[0] = 0x55555555;
    m.predicates[1] = 0xff00ffff;
    m.predicates[2] = 0x0ff0ffff;
    m.thread.execution_mask = 0x7fffffff;
    machine_run(&m, &inst);
    assert_int_equal(m.predicates[0], expected);
}

static void test_predicate_logic(void **state)
{
    (void)state;
    check_logic(VISAGE_OP_AND, 0x0f005555);
    check_logic(VISAGE_OP_OR, 0x7ff05555);
    check_logic(VISAGE_OP_XOR, 0x70f05555);
    check_logic(VISAGE_OP_NOT, 0x00ff5555);
}

static void test_mov_predicate(void **state)
{
    vsg_exe_inst inst = machine_inst(VISAGE_OP_MOV, 1);

    (void)state;
    inst.dst = machine_region(VISAGE_TYPE_UD, MACHINE_DST, 1);
    inst.src[0] = machine_predicate(1);
    m.predicates[1] = 0x89abcdef;
    machine_run(&m, &inst);
    assert_int_equal(get_dword(0), 0x89abcdef);
    assert_int_equal(get_dword(1), POISON_D);
    inst.src[0].count = 16;
    machine_run(&m, &inst);
    assert_int_equal(get_dword(0), 0xcdef);
}

static void test_setp(void **state)
{
    static const uint64_t bits = 0xfdfb;
    vsg_exe_inst inst = machine_inst(VISAGE_OP_SETP, 16);

    (void)state;
    inst.dst = machine_predicate(0);
    inst.src[0] = machine_immediate(VISAGE_TYPE_UD, &bits, 1);
    m.thread.execution_mask = 0; /* of no account for bits */
    m.predicates[0] = 0x12340000;
    machine_run(&m, &inst);
    assert_int_equal(m.predicates[0], 0x1234fdfb);
    inst.mask_offset = 16;
    inst.src[0] = machine_scalar(VISAGE_TYPE_UW, MACHINE_SRC);
    machine_put(&m, MACHINE_SRC, 2, 0, 0x4321);
    machine_run(&m, &inst);
    assert_int_equal(m.predicates[0], 0x4321fdfb);
    /* elements: the lowest bit of each, under the mask */
    inst.src[0] = machine_region(VISAGE_TYPE_UW, MACHINE_SRC, 16);
    for (uint32_t i = 0; i < 16; i++)
        machine_put(&m, MACHINE_SRC, 2, i, i);
    m.thread.execution_mask = 0x0fff0000;
    machine_run(&m, &inst);
    assert_int_equal(m.predicates[0], 0x4aaafdfb);
}

/* ---- indirect operands ------------------------------------------------------------------ */

static vsg_exe_operand indirect(uint32_t address, int32_t offset)
{
    vsg_exe_operand operand = machine_region(VISAGE_TYPE_D, 0, 16);

    operand.kind = VSG_EXE_OPERAND_INDIRECT;
    operand.index = address;
    operand.indirect_bytes = offset;
    return operand;
}

static void test_single_address(void **state)
{
    vsg_exe_inst inst = move(16);

    (void)state;
    put_dwords(MACHINE_SRC, 64, 0, 1);
    m.addresses[5] = MACHINE_SRC + 40;
    inst.src[0] = indirect(5, -32);
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(get_dword(i), i + 2);
    inst.src[0].shape = VSG_EXE_SHAPE_SCALAR;
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(get_dword(i), 2);
}

static void test_single_address_rows(void **state)
{
    vsg_exe_inst inst = move(8);

    (void)state;
    put_dwords(MACHINE_SRC, 64, 0, 1);
    m.addresses[0] = MACHINE_SRC;
    inst.src[0] = indirect(0, 0);
    inst.src[0].shape = VSG_EXE_SHAPE_ROWS; /* <8;2,4> */
    inst.src[0].width = 2;
    inst.src[0].v_stride_bytes = 32;
    inst.src[0].h_stride_bytes = 16;
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(get_dword(i), i / 2 * 8 + i % 2 * 4);
}

/* VxH and Vx1: an address for each row. */
static void test_multi_address(void **state)
{
    vsg_exe_inst inst = move(16);

    (void)state;
    put_dwords(MACHINE_SRC, 64, 0, 1);
    for (uint32_t i = 0; i < 16; i++)
        m.addresses[i + 1] = MACHINE_SRC + 4 * (63 - 3 * i) - 4;
    inst.src[0] = indirect(1, 4);
    inst.src[0].multi_address = true;
    inst.src[0].shape = VSG_EXE_SHAPE_ROWS;
    inst.src[0].width = 1;
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(get_dword(i), 63 - 3 * i);
    inst.src[0].width = 4;
    inst.src[0].h_stride_bytes = -4; /* never so in files; shows that it counts */
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(get_dword(i), 63 - 3 * (i / 4) - i % 4);
}

static void test_indirect_destination(void **state)
{
    vsg_exe_inst inst = move(8);

    (void)state;
    put_dwords(MACHINE_SRC, 8, 50, 1);
    m.addresses[0] = MACHINE_DST + 4;
    m.thread.execution_mask = 0x7f;
    inst.dst = indirect(0, 4);
    inst.dst.shape = VSG_EXE_SHAPE_STRIDED;
    inst.dst.h_stride_bytes = 8;
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(get_dword(2 + 2 * i), i < 7 ? 50 + i : POISON_D);
        assert_int_equal(get_dword(1 + 2 * i), POISON_D);
    }
}

/* Channels that are off may have any address. */
static void test_wild_address_off(void **state)
{
    vsg_exe_inst inst = move(8);

    (void)state;
    put_dwords(MACHINE_SRC, 8, 9, 0);
    for (uint32_t i = 0; i < 8; i++)
        m.addresses[i] = i & 1 ? 0xfffffff0u : (uint32_t)MACHINE_SRC;
    inst.src[0] = indirect(0, 0);
    inst.src[0].multi_address = true;
    inst.src[0].shape = VSG_EXE_SHAPE_ROWS;
    m.thread.execution_mask = 0x55;
    machine_run(&m, &inst);
    assert_int_equal(m.thread.stop, VSG_EXE_RUNNING);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(get_dword(i), i & 1 ? POISON_D : 9);
}

static void test_indirect_faults(void **state)
{
    /* The first byte, the last dword, and what is just outside. */
    static const struct {
        uint32_t address;
        bool good;
    } cases[] = {{0, true},
                 {MACHINE_BYTES - 4, true},
                 {MACHINE_BYTES - 3, false},
                 {MACHINE_BYTES, false},
                 {0xffffffff, false},
                 {0x80000000, false}};
    (void)state;
    for (uint32_t writes = 0; writes < 2; writes++) {
        for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            vsg_exe_inst inst = move(1);
            machine_reset(&m);
            m.addresses[3] = cases[i].address;
            inst.mask_offset = 4;
            if (writes)
                inst.dst = indirect(3, 0);
            else
                inst.src[0] = indirect(3, 0);
            machine_run(&m, &inst);
            assert_int_equal(m.thread.stop,
                             cases[i].good ? VSG_EXE_RUNNING : VSG_EXE_STOP_FAULT);
            if (cases[i].good)
                continue;
            assert_int_equal(m.thread.fault.diag, VSG_DIAG_FAULT_REGISTER);
            assert_int_equal(m.thread.fault.channel, 4);
            assert_int_equal(m.thread.fault.size_bytes, 4);
            assert_int_equal(m.thread.fault.limit, MACHINE_BYTES);
            assert_true((int32_t)m.thread.fault.address == (int32_t)cases[i].address);
        }
    }
}

/* ---- addresses, surface variables ------------------------------------------------------- */

static vsg_exe_operand dwords_of(vsg_exe_operand_kind kind, uint32_t index, uint8_t width)
{
    return (vsg_exe_operand){.kind = (uint8_t)kind,
                             .type = VISAGE_TYPE_UW,
                             .bytes = 4,
                             .width = width,
                             .index = index};
}

static void test_addr_add(void **state)
{
    static const uint64_t place = 70000;
    static const uint64_t back = 0xfff0;
    vsg_exe_inst inst = machine_inst(VISAGE_OP_ADDR_ADD, 8);

    (void)state;
    inst.num_sources = 2;
    inst.dst = dwords_of(VSG_EXE_OPERAND_ADDRESS, 4, 1);
    inst.src[0] = machine_immediate(VISAGE_TYPE_D, &place, 1);
    inst.src[1] = machine_region(VISAGE_TYPE_UW, MACHINE_SRC, 8);
    for (uint32_t i = 0; i < 8; i++)
        machine_put(&m, MACHINE_SRC, 2, i, 4 * i);
    m.thread.execution_mask = 0x7f;
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(m.addresses[4 + i], i < 7 ? 70000 + 4 * i : 0);
    /* two elements for eight channels, and a step back */
    m.thread.execution_mask = 0xff;
    inst.dst.index = 20;
    inst.src[0] = dwords_of(VSG_EXE_OPERAND_ADDRESS, 5, 2);
    inst.src[1] = machine_immediate(VISAGE_TYPE_UW, &back, 1);
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(m.addresses[20 + i], 70004 + i % 2 * 4 - 16);
}

static void test_movs(void **state)
{
    static const uint64_t seven = 7;
    vsg_exe_inst inst = machine_inst(VISAGE_OP_MOVS, 1);

    (void)state;
    inst.dst = dwords_of(VSG_EXE_OPERAND_SURFACE, 6, 0);
    inst.src[0] = machine_immediate(VISAGE_TYPE_UD, &seven, 1);
    machine_run(&m, &inst);
    assert_int_equal(m.surfaces[6], 7);
    assert_int_equal(m.surfaces[7], 0);
    inst = machine_inst(VISAGE_OP_MOVS, 4);
    inst.dst = machine_region(VISAGE_TYPE_UD, MACHINE_DST, 4);
    inst.src[0] = dwords_of(VSG_EXE_OPERAND_SAMPLER, 2, 0);
    for (uint32_t i = 0; i < 8; i++)
        m.samplers[i] = 30 + i;
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(get_dword(i), 32 + i);
}

/* ---- two results ------------------------------------------------------------------------ */

static vsg_exe_inst binary(visage_op op, uint32_t exec_size, visage_type type)
{
    vsg_exe_inst inst = machine_inst(op, exec_size);

    inst.num_sources = 2;
    inst.dst = machine_region(type, MACHINE_DST, exec_size);
    inst.dst2 = machine_region(type, MACHINE_DST2, exec_size);
    inst.src[0] = machine_region(type, MACHINE_SRC, exec_size);
    inst.src[1] = machine_region(type, MACHINE_SRC + MACHINE_SRC_STEP, exec_size);
    inst.src[2] = machine_region(type, MACHINE_SRC + 2 * MACHINE_SRC_STEP, exec_size);
    return inst;
}

static void test_carry(void **state)
{
    static const struct {
        uint32_t a, b, sum, carry, difference, borrow;
    } cases[] = {{0xffffffff, 1, 0, 1, 0xfffffffe, 0},
                 {0xffffffff, 0xffffffff, 0xfffffffe, 1, 0, 0},
                 {1, 2, 3, 0, 0xffffffff, 1},
                 {0, 0xffffffff, 0xffffffff, 0, 1, 1}};
    vsg_exe_inst add = binary(VISAGE_OP_ADDC, 4, VISAGE_TYPE_UD);
    vsg_exe_inst subtract = binary(VISAGE_OP_SUBB, 4, VISAGE_TYPE_UD);

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        machine_put(&m, MACHINE_SRC, 4, i, cases[i].a);
        machine_put(&m, MACHINE_SRC + MACHINE_SRC_STEP, 4, i, cases[i].b);
    }
    machine_run(&m, &add);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(get_dword(i), cases[i].sum);
        assert_int_equal(machine_get(&m, MACHINE_DST2, 4, i), cases[i].carry);
    }
    machine_run(&m, &subtract);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(get_dword(i), cases[i].difference);
        assert_int_equal(machine_get(&m, MACHINE_DST2, 4, i), cases[i].borrow);
    }
}

static void test_madw(void **state)
{
    static const struct {
        uint32_t a, b, c;
        uint64_t unsigned_, signed_;
    } cases[] = {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff00000000, 0},
                 {0x80000000, 2, 5, 0x100000005, 0xffffffff00000005},
                 {3, 4, 5, 17, 17}};

    (void)state;
    for (uint32_t is_signed = 0; is_signed < 2; is_signed++) {
        vsg_exe_inst inst =
            binary(VISAGE_OP_MADW, 2, is_signed ? VISAGE_TYPE_D : VISAGE_TYPE_UD);
        inst.num_sources = 3;
        for (uint32_t i = 0; i < 3; i++) {
            uint64_t expected = is_signed ? cases[i].signed_ : cases[i].unsigned_;
            put_dwords(MACHINE_SRC, 2, cases[i].a, 0);
            put_dwords(MACHINE_SRC + MACHINE_SRC_STEP, 2, cases[i].b, 0);
            put_dwords(MACHINE_SRC + 2 * MACHINE_SRC_STEP, 2, cases[i].c, 0);
            machine_run(&m, &inst);
            assert_int_equal(get_dword(1), (uint32_t)expected);
            assert_int_equal(machine_get(&m, MACHINE_DST2, 4, 1), expected >> 32);
        }
    }
}

static void test_add3o(void **state)
{
    vsg_exe_inst inst = binary(VISAGE_OP_ADD3O, 4, VISAGE_TYPE_UD);

    (void)state;
    inst.num_sources = 3;
    inst.predicate = 1;
    inst.predicate_mode = VSG_EXE_PRED_USED;
    m.predicates[1] = 0xf0;
    put_dwords(MACHINE_SRC, 4, 0xfffffffe, 0);
    put_dwords(MACHINE_SRC + MACHINE_SRC_STEP, 4, 0, 1);
    put_dwords(MACHINE_SRC + 2 * MACHINE_SRC_STEP, 4, 0, 0);
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(get_dword(i), 0xfffffffe + i);
    assert_int_equal(m.predicates[1], 0xfc);
}

/* ---- channels together ------------------------------------------------------------------ */

static void test_sad(void **state)
{
    static const uint8_t a[] = {1, 200, 0, 255, 7, 7, 9, 0};
    static const uint8_t b[] = {3, 100, 255, 0, 7, 8, 0, 9};
    static const uint16_t sums[] = {102, 510, 1, 18};

    (void)state;
    for (uint32_t adds = 0; adds < 2; adds++) {
        vsg_exe_inst inst =
            binary(adds ? VISAGE_OP_SAD2ADD : VISAGE_OP_SAD2, 8, VISAGE_TYPE_UB);
        inst.dst = machine_region(VISAGE_TYPE_UW, MACHINE_DST, 8);
        inst.src[2] = machine_region(VISAGE_TYPE_UW, MACHINE_SRC + 2 * MACHINE_SRC_STEP, 8);
        inst.num_sources = 3;
        memcpy(m.registers + MACHINE_SRC, a, sizeof a);
        memcpy(m.registers + MACHINE_SRC + MACHINE_SRC_STEP, b, sizeof b);
        for (uint32_t i = 0; i < 8; i++)
            machine_put(&m, MACHINE_SRC + 2 * MACHINE_SRC_STEP, 2, i, 1000 * (i + 1));
        m.thread.execution_mask = 0x7f;
        machine_run(&m, &inst);
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t expected = sums[i / 2] + (adds ? 1000 * (i + 1) : 0);
            assert_int_equal(machine_get(&m, MACHINE_DST, 2, i), i % 2 ? 0xeeee : expected);
        }
    }
}

static void check_quads(visage_op op, float first, float second)
{
    static const float a[] = {1, 2, 3, 4, -1, 0.5f, 2, 8};
    static const float b[] = {5, 6, 7, 8, 4, 2, 0.5f, 0.25f};
    vsg_exe_inst inst = binary(op, 8, VISAGE_TYPE_F);

    put_floats(MACHINE_SRC, 8, a);
    put_floats(MACHINE_SRC + MACHINE_SRC_STEP, 8, b);
    machine_run(&m, &inst);
    for (uint32_t i = 0; i < 8; i++)
        assert_true(get_float(i) == (i < 4 ? first : second));
}

static void test_quads(void **state)
{
    (void)state;
    check_quads(VISAGE_OP_DP2, 5 + 12, -4 + 1);
    check_quads(VISAGE_OP_DP3, 5 + 12 + 21, -4 + 1 + 1);
    check_quads(VISAGE_OP_DP4, 5 + 12 + 21 + 32, -4 + 1 + 1 + 2);
    check_quads(VISAGE_OP_DPH, 5 + 12 + 21 + 8, -4 + 1 + 1 + 0.25f);
}

static void test_line_lrp(void **state)
{
    static const float p[] = {2, 100, 200, 10};
    static const float u[] = {0, 1, 0.5f, -3};
    static const float b[] = {8, 8, 8, 8};
    static const float c[] = {4, 4, 4, 4};
    vsg_exe_inst line = binary(VISAGE_OP_LINE, 4, VISAGE_TYPE_F);
    vsg_exe_inst lrp = binary(VISAGE_OP_LRP, 4, VISAGE_TYPE_F);

    (void)state;
    put_floats(MACHINE_SRC, 4, p);
    put_floats(MACHINE_SRC + MACHINE_SRC_STEP, 4, u);
    machine_run(&m, &line);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(get_float(i) == 2 * u[i] + 10);
    put_floats(MACHINE_SRC, 4, u);
    put_floats(MACHINE_SRC + MACHINE_SRC_STEP, 4, b);
    put_floats(MACHINE_SRC + 2 * MACHINE_SRC_STEP, 4, c);
    machine_run(&m, &lrp);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(get_float(i) == u[i] * 8 + (1 - u[i]) * 4);
}

static void test_plane(void **state)
{
    static const float p[] = {2, 3, 1000, 10};
    float uv[32];

    (void)state;
    for (uint32_t i = 0; i < 32; i++)
        uv[i] = (float)(int)(i * i % 19);
    put_floats(MACHINE_SRC, 4, p);
    put_floats(MACHINE_SRC + MACHINE_SRC_STEP, 32, uv);
    for (uint32_t size = 8; size <= 16; size += 8) {
        vsg_exe_inst inst = binary(VISAGE_OP_PLANE, size, VISAGE_TYPE_F);
        inst.src[0].shape = VSG_EXE_SHAPE_CONTIGUOUS;
        memset(m.registers, POISON, 64);
        machine_run(&m, &inst);
        for (uint32_t i = 0; i < size; i++) {
            uint32_t u = i < 8 ? i : 16 + i - 8;
            assert_true(get_float(i) == 2 * uv[u] + 3 * uv[u + 8] + 10);
        }
    }
}

/* ---- halves ----------------------------------------------------------------------------- */

/* The quick forms of convert.h are those of float16.h. */
static void test_half_conversions(void **state)
{
    uint64_t random = 3;

    (void)state;
    for (uint32_t i = 0; i < 0x10000; i++) {
        float wide = vsg_exe_widen_half((uint16_t)i);
        float expected = vsg_exe_half_to_float((uint16_t)i);
        assert_memory_equal(&wide, &expected, sizeof wide);
    }
    for (uint32_t i = 0; i < 0x200000; i++) {
        /* around the range of halves, and ties frequent */
        uint32_t bits = (uint32_t)machine_random(&random) & (i & 1 ? 0xfffff000 : 0xffffffff);
        float x;
        if (i & 2)
            bits = (bits & 0x8fffffff) | 0x30000000;
        memcpy(&x, &bits, sizeof x);
        assert_int_equal(vsg_exe_narrow_half(x, (vsg_exe_rounding)(i >> 2 & 3)),
                         vsg_exe_float_to_half(x, (vsg_exe_rounding)(i >> 2 & 3)));
    }
}

/* Sums and products that go by way of float against float16.h, which rounds once. */
static void test_half_arithmetic(void **state)
{
    uint64_t random = 4;

    (void)state;
    for (uint32_t round = 0; round < 20000; round++) {
        bool adds = round & 1;
        vsg_exe_rounding mode = (vsg_exe_rounding)(round >> 1 & 3);
        vsg_exe_inst inst = binary(adds ? VISAGE_OP_ADD : VISAGE_OP_MUL, 32, VISAGE_TYPE_HF);
        machine_mode(&m, MACHINE_MODE | (uint32_t)mode << VSG_EXE_CR0_ROUNDING_SHIFT);
        for (uint32_t i = 0; i < 32; i++) {
            machine_put(&m, MACHINE_SRC, 2, i, machine_random(&random));
            machine_put(&m, MACHINE_SRC + MACHINE_SRC_STEP, 2, i, machine_random(&random));
        }
        machine_run(&m, &inst);
        for (uint32_t i = 0; i < 32; i++) {
            uint16_t a = (uint16_t)machine_get(&m, MACHINE_SRC, 2, i);
            uint16_t b = (uint16_t)machine_get(&m, MACHINE_SRC + MACHINE_SRC_STEP, 2, i);
            uint16_t expected =
                adds ? vsg_exe_half_add(a, b, mode) : vsg_exe_half_mul(a, b, mode);
            uint16_t got = (uint16_t)machine_get(&m, MACHINE_DST, 2, i);
            bool both_nan = (expected & 0x7fff) > 0x7c00 && (got & 0x7fff) > 0x7c00;
            assert_true(got == expected || both_nan);
        }
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(rows),
        TEST(repeated_row),
        TEST(strides),
        TEST(byte_strides),
        TEST(overlap),
        TEST(packed_immediate),
        TEST(narrow_immediate),
        TEST(null),
        TEST(shared),
        TEST(execution_mask),
        TEST(predicated),
        TEST(sel),
        TEST(sel_mixed),
        TEST(cmp_predicate),
        TEST(predicate_logic),
        TEST(mov_predicate),
        TEST(setp),
        TEST(single_address),
        TEST(single_address_rows),
        TEST(multi_address),
        TEST(indirect_destination),
        TEST(wild_address_off),
        TEST(indirect_faults),
        TEST(addr_add),
        TEST(movs),
        TEST(carry),
        TEST(madw),
        TEST(add3o),
        TEST(sad),
        TEST(quads),
        TEST(line_lrp),
        TEST(plane),
        TEST(half_conversions),
        TEST(half_arithmetic),
    };
    return cmocka_run_group_tests_name("operands", tests, NULL, NULL);
}
