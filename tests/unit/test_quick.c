/* SPDX-License-Identifier: MIT */

/* The quick handlers against the general ones: every instruction that has a quick handler, with
 * random operands, types, modifiers, masks, predicates and modes, must leave the same registers
 * and predicates. Special values are frequent among the operands.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ops_machine.h"

enum { ROUNDS = 200 };

static const visage_op operations[] = {
    VISAGE_OP_MOV,  VISAGE_OP_SEL, VISAGE_OP_ADD,  VISAGE_OP_ADD3,  VISAGE_OP_MUL,
    VISAGE_OP_MULH, VISAGE_OP_MAD, VISAGE_OP_AND,  VISAGE_OP_OR,    VISAGE_OP_XOR,
    VISAGE_OP_NOT,  VISAGE_OP_BFN, VISAGE_OP_SHL,  VISAGE_OP_SHR,   VISAGE_OP_ASR,
    VISAGE_OP_MIN,  VISAGE_OP_MAX, VISAGE_OP_CMP,  VISAGE_OP_EXP,   VISAGE_OP_LOG,
    VISAGE_OP_POW,  VISAGE_OP_INV, VISAGE_OP_SQRT, VISAGE_OP_RSQRT, VISAGE_OP_SIN,
    VISAGE_OP_COS,
};
enum { NUM_OPERATIONS = sizeof operations / sizeof *operations };

static const uint32_t special[] = {0,          1,          0xffffffff, 0x80000000, 0x7fffffff,
                                   0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                   0x00000001, 0x807fffff, 0x7f7fffff, 0x33800000, 31};

static uint64_t random_state = 7;

static uint32_t below(uint32_t count)
{
    return (uint32_t)(machine_random(&random_state) % count);
}

static uint32_t any_bits(void)
{
    uint32_t count = sizeof special / sizeof *special;

    if (below(3) == 0)
        return special[below(count)];
    return (uint32_t)machine_random(&random_state);
}

/* The types quick handlers know are the most frequent ones. */
static visage_type any_type(void)
{
    static const visage_type types[] = {
        VISAGE_TYPE_D, VISAGE_TYPE_UD, VISAGE_TYPE_F,  VISAGE_TYPE_D,  VISAGE_TYPE_UD,
        VISAGE_TYPE_F, VISAGE_TYPE_W,  VISAGE_TYPE_UW, VISAGE_TYPE_B,  VISAGE_TYPE_UB,
        VISAGE_TYPE_Q, VISAGE_TYPE_UQ, VISAGE_TYPE_HF, VISAGE_TYPE_BF, VISAGE_TYPE_DF};
    return types[below(sizeof types / sizeof *types)];
}

static vsg_exe_operand any_region(visage_type type, uint32_t at, uint32_t count)
{
    return below(3) ? machine_region(type, at, count)
                    : machine_strided(type, at, (int32_t)(1u << below(3)));
}

/* Immediates as files have them: extended from their own type. */
static uint64_t any_element(visage_type type)
{
    uint64_t bits = any_bits();

    switch (type) {
    case VISAGE_TYPE_W:
        return (uint64_t)(int16_t)bits;
    case VISAGE_TYPE_B:
        return (uint64_t)(int8_t)bits;
    case VISAGE_TYPE_D:
        return (uint64_t)(int32_t)bits;
    case VISAGE_TYPE_UW:
    case VISAGE_TYPE_HF:
    case VISAGE_TYPE_BF:
        return (uint16_t)bits;
    case VISAGE_TYPE_UB:
        return (uint8_t)bits;
    case VISAGE_TYPE_Q:
    case VISAGE_TYPE_UQ:
    case VISAGE_TYPE_DF:
        return bits << 32 | any_bits();
    default:
        return bits;
    }
}

static vsg_exe_operand any_source(uint32_t i, visage_type type, bool is_logic,
                                  uint64_t *element)
{
    uint32_t at = MACHINE_SRC + i * MACHINE_SRC_STEP;
    vsg_exe_operand operand =
        below(3) ? any_region(type, at, 32) : machine_scalar(type, at + 8);

    if (below(4) == 0) {
        *element = any_element(type);
        operand = machine_immediate(type, element, 1);
    }
    if (below(3) == 0)
        operand.modifier = is_logic ? VSG_OBJ_MOD_NOT : (uint8_t)below(4);
    return operand;
}

static bool is_logic(visage_op op)
{
    return op == VISAGE_OP_AND || op == VISAGE_OP_OR || op == VISAGE_OP_XOR ||
           op == VISAGE_OP_NOT;
}

/* Of one source. */
static bool is_math(visage_op op)
{
    return op == VISAGE_OP_EXP || op == VISAGE_OP_LOG || op == VISAGE_OP_INV ||
           op == VISAGE_OP_SQRT || op == VISAGE_OP_RSQRT || op == VISAGE_OP_SIN ||
           op == VISAGE_OP_COS;
}

static vsg_exe_inst any_inst(visage_op op, uint64_t elements[3])
{
    static const uint32_t sizes[] = {1, 8, 16, 32};
    uint32_t size = sizes[below(4)];
    vsg_exe_inst inst = machine_inst(op, size);
    visage_type type = any_type();

    inst.mask_offset = (uint8_t)(below(32 / size) * size & 0x1c);
    inst.no_mask = below(4) == 0;
    inst.control = op == VISAGE_OP_CMP ? below(6) : below(256);
    if (below(3) == 0 && op != VISAGE_OP_CMP)
        inst.predicate_mode = (uint8_t)(VSG_EXE_PRED_USED | below(2) * VSG_EXE_PRED_INVERSE);
    inst.num_sources = 3;
    for (uint32_t i = 0; i < 3; i++)
        inst.src[i] = any_source(i, below(2) ? type : any_type(), is_logic(op), &elements[i]);
    inst.dst = op == VISAGE_OP_CMP
                   ? machine_predicate(1)
                   : any_region(below(2) ? type : any_type(), MACHINE_DST, inst.exec_size);
    if (op == VISAGE_OP_MOV || op == VISAGE_OP_NOT || is_math(op))
        inst.num_sources = 1;
    else if (op != VISAGE_OP_MAD && op != VISAGE_OP_ADD3 && op != VISAGE_OP_BFN)
        inst.num_sources = 2;
    inst.class_ = (uint8_t)machine_class(&inst);
    return inst;
}

/* Half of the time floats are below 2: sines of large angles are left to the general handler.
 */
static void fill(machine *m, uint32_t cr0)
{
    uint32_t kept = below(2) ? UINT32_MAX : 0xbfffffff;

    machine_reset(m);
    machine_mode(m, cr0);
    for (uint32_t i = 0; i < 4096 / 4; i++)
        machine_put(m, 0, 4, i, any_bits() & kept);
    m->predicates[0] = any_bits();
    m->predicates[1] = any_bits();
    m->thread.execution_mask = below(3) ? UINT32_MAX : any_bits();
}

/* NaNs of results have no payload that counts; moves copy theirs. */
static bool same_dword(visage_op op, uint32_t a, uint32_t b)
{
    bool copies = op == VISAGE_OP_MOV || op == VISAGE_OP_SEL;
    bool both_nan = (a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000;

    return a == b || (!copies && both_nan);
}

static void compare(const machine *a, const machine *b, const vsg_exe_inst *inst)
{
    assert_int_equal(a->predicates[0], b->predicates[0]);
    assert_int_equal(a->predicates[1], b->predicates[1]);
    for (uint32_t i = 0; i < MACHINE_BYTES / 4; i++) {
        uint32_t x = (uint32_t)machine_get(a, 0, 4, i);
        uint32_t y = (uint32_t)machine_get(b, 0, 4, i);
        bool is_float = inst->class_ == VSG_EXE_CLASS_FLOAT;
        if (is_float ? !same_dword((visage_op)inst->op, x, y) : x != y)
            fail_msg("%s, size %u, dword %u: general 0x%x, quick 0x%x",
                     vsg_isa_op((visage_op)inst->op)->text, inst->exec_size, i, x, y);
    }
}

static void note(const vsg_exe_quick_table *table, vsg_exe_handler handler,
                 bool met[VSG_EXE_QUICK_COUNT])
{
    for (uint32_t i = 0; i < VSG_EXE_QUICK_COUNT; i++)
        for (uint32_t k = 0; k < VSG_EXE_QUICK_SIZES; k++)
            met[i] |= (*table)[i][k] == handler;
}

/* Returns whether the instruction has a quick handler in the table. */
static bool try_one(const vsg_exe_quick_table *table, visage_op op,
                    bool met[VSG_EXE_QUICK_COUNT])
{
    static const uint32_t modes[] = {
        MACHINE_MODE, MACHINE_MODE,    MACHINE_MODE | 0x30, MACHINE_MODE | 0x10, 0,
        0x21,         MACHINE_MODE | 1};
    static machine general, quick, before;
    uint64_t elements[3];
    vsg_exe_inst inst = any_inst(op, elements);
    vsg_exe_handler handler = vsg_exe_quick_of(&inst, table);

    if (!handler)
        return false;
    fill(&before, modes[below(sizeof modes / sizeof *modes)]);
    for (uint32_t i = 0; i < 2; i++) {
        machine *m = i ? &quick : &general;
        machine_reset(m);
        machine_mode(m, before.thread.mode);
        memcpy(m->registers, before.registers, sizeof before.registers);
        memcpy(m->predicates, before.predicates, sizeof before.predicates);
        m->thread.execution_mask = before.thread.execution_mask;
        (i ? handler : vsg_exe_op_of(op)->handler)(&m->thread, &inst);
    }
    compare(&general, &quick, &inst);
    note(table, handler, met);
    return true;
}

/* Operations with many quick handlers need more rounds; every handler has to be met. */
static void run_table(const vsg_exe_quick_table *table)
{
    uint32_t host = vsg_exe_host_save();
    bool met[VSG_EXE_QUICK_COUNT] = {false};

    for (uint32_t i = 0; i < NUM_OPERATIONS; i++) {
        uint32_t rounds = operations[i] == VISAGE_OP_MOV ? 20 * ROUNDS : ROUNDS;
        uint32_t found = 0;
        for (uint32_t tries = 0; found < rounds; tries++) {
            found += try_one(table, operations[i], met);
            assert_true(tries < 1000 * rounds);
        }
    }
    for (uint32_t i = 0; i < VSG_EXE_QUICK_COUNT; i++)
        assert_true(met[i]);
    vsg_exe_host_restore(host);
}

static void test_base(void **state)
{
    (void)state;
    run_table(vsg_exe_quick_base());
}

static void test_best(void **state)
{
    (void)state;
    if (vsg_exe_quick_best() == vsg_exe_quick_base())
        skip();
    run_table(vsg_exe_quick_best());
}

/* Every place of the table is filled. */
static void test_complete(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < VSG_EXE_QUICK_COUNT; i++)
        for (uint32_t k = 0; k < VSG_EXE_QUICK_SIZES; k++)
            assert_true((*vsg_exe_quick_base())[i][k] && (*vsg_exe_quick_best())[i][k]);
}

/* What the quick handlers cannot do is left to the general ones. */
static void test_refused(void **state)
{
    static const uint64_t element = 1;
    vsg_exe_inst good = machine_inst(VISAGE_OP_ADD, 16);

    (void)state;
    good.num_sources = 2;
    good.dst = machine_region(VISAGE_TYPE_D, MACHINE_DST, 16);
    good.src[0] = machine_region(VISAGE_TYPE_D, MACHINE_SRC, 16);
    good.src[1] = machine_immediate(VISAGE_TYPE_W, &element, 1);
    assert_non_null(vsg_exe_quick(&good));
    vsg_exe_inst bad = good;
    bad.exec_size = 4;
    assert_null(vsg_exe_quick(&bad));
    bad = good;
    bad.saturate = true;
    assert_null(vsg_exe_quick(&bad));
    bad = good;
    bad.dst.is_null = true;
    assert_null(vsg_exe_quick(&bad));
    bad = good;
    bad.dst = machine_strided(VISAGE_TYPE_D, MACHINE_DST, 2);
    assert_null(vsg_exe_quick(&bad));
    bad = good;
    bad.dst = machine_region(VISAGE_TYPE_Q, MACHINE_DST, 16);
    assert_null(vsg_exe_quick(&bad));
    bad = good;
    bad.src[0] = machine_region(VISAGE_TYPE_W, MACHINE_SRC, 16);
    assert_null(vsg_exe_quick(&bad));
    bad = good;
    bad.src[0].kind = VSG_EXE_OPERAND_INDIRECT;
    assert_null(vsg_exe_quick(&bad));
    bad = good;
    bad.src[0].modifier = VSG_OBJ_MOD_ABS;
    assert_null(vsg_exe_quick(&bad));
    bad = good;
    bad.dst.type = VISAGE_TYPE_F; /* a conversion */
    bad.op = VISAGE_OP_MOV;
    assert_non_null(vsg_exe_quick(&bad));
    bad.src[0].modifier = VSG_OBJ_MOD_NEG;
    assert_null(vsg_exe_quick(&bad));
    bad = good;
    bad.op = VISAGE_OP_CMP; /* into a variable */
    assert_null(vsg_exe_quick(&bad));
    bad.dst = machine_predicate(0);
    bad.src[1] = machine_region(VISAGE_TYPE_UD, MACHINE_SRC, 16); /* D against UD */
    assert_null(vsg_exe_quick(&bad));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_base),
        cmocka_unit_test(test_best),
    };
    return cmocka_run_group_tests_name("quick", tests, NULL, NULL);
}
