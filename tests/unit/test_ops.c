/* SPDX-License-Identifier: MIT */

/* Single operations on single values: rows of types, values and the result worked out by hand
 * from the operation's page and 2_datatypes. Every row runs in each execution size, by the
 * general handler and by the quick ones where there are any, all channels alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "ops_machine.h"

enum { UD, D, UW, W, UB, B, DF, F, UQ = VISAGE_TYPE_UQ, Q = VISAGE_TYPE_Q, HF, BF };
enum { ABS = VSG_OBJ_MOD_ABS, NEG, NEG_ABS, NOT = VSG_OBJ_MOD_NOT };
enum { RU = 1 << 4, RD = 2 << 4, RTZ = 3 << 4, ALT = 1, FLUSH = 1 << 30 };
#define SAT .sat = true

typedef struct op_row {
    visage_op op;
    uint8_t dst;    /* type */
    uint64_t out;   /* expected bits */
    uint8_t src[4]; /* types */
    uint64_t in[4]; /* bits */
    uint8_t mod[4]; /* modifiers */
    bool sat;
    uint32_t control;
    uint32_t mode; /* RU RD RTZ ALT, FLUSH: denormals; else to nearest, kept */
} op_row;

#define ROW1(op_, dst_, out_, a_, x_, ...)                                                     \
    {                                                                                          \
        .op = VISAGE_OP_##op_, .dst = dst_, .out = out_, .src = {a_}, .in = {x_}, __VA_ARGS__  \
    }
#define ROW2(op_, dst_, out_, a_, x_, b_, y_, ...)                                             \
    {                                                                                          \
        .op = VISAGE_OP_##op_, .dst = dst_, .out = out_, .src = {a_, b_}, .in = {x_, y_},      \
        __VA_ARGS__                                                                            \
    }
#define ROW3(op_, dst_, out_, a_, x_, b_, y_, c_, z_, ...)                                     \
    {                                                                                          \
        .op = VISAGE_OP_##op_, .dst = dst_, .out = out_, .src = {a_, b_, c_},                  \
        .in = {x_, y_, z_}, __VA_ARGS__                                                        \
    }

static uint32_t num_sources(visage_op op)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < vsg_isa_num_operands(op); i++) {
        vsg_isa_slot_kind kind = vsg_isa_operand_slot(op, i)->kind;
        count += kind == VSG_ISA_SLOT_SRC || kind == VSG_ISA_SLOT_SRC_PRED_OR;
    }
    return count;
}

static uint32_t bytes_of(uint32_t type)
{
    return vsg_isa_type(type)->bytes;
}

static bool is_nan(uint32_t type, uint64_t bits)
{
    static const uint64_t infinity[] = {
        [DF] = 0x7ff0000000000000, [F] = 0x7f800000, [HF] = 0x7c00, [BF] = 0x7f80};
    uint64_t magnitude = bits & ~((uint64_t)1 << (bytes_of(type) * 8 - 1));

    return (type == DF || type == F || type == HF || type == BF) && magnitude > infinity[type];
}

static vsg_exe_inst build(const op_row *row, uint32_t exec_size)
{
    vsg_exe_inst inst = machine_inst(row->op, exec_size);

    inst.num_sources = (uint8_t)num_sources(row->op);
    inst.saturate = row->sat;
    inst.control = row->control;
    inst.dst = machine_region((visage_type)row->dst, MACHINE_DST, exec_size);
    for (uint32_t i = 0; i < inst.num_sources; i++) {
        inst.src[i] = machine_region((visage_type)row->src[i],
                                     MACHINE_SRC + i * MACHINE_SRC_STEP, exec_size);
        inst.src[i].modifier = row->mod[i];
    }
    inst.class_ = (uint8_t)machine_class(&inst);
    return inst;
}

/* A NaN is expected as a NaN, except of moves: the document says nothing of the payloads of
 * results. */
static void check_results(const machine *m, const op_row *row, size_t number,
                          uint32_t exec_size, const char *what)
{
    uint32_t bytes = bytes_of(row->dst);

    for (uint32_t i = 0; i < exec_size; i++) {
        uint64_t got = machine_get(m, MACHINE_DST, bytes, i);
        bool same = got == row->out || (is_nan(row->dst, row->out) && is_nan(row->dst, got) &&
                                        row->op != VISAGE_OP_MOV);
        if (!same)
            fail_msg("row %zu (%s), %s, size %u, channel %u: 0x%llx, expected 0x%llx", number,
                     vsg_isa_op(row->op)->text, what, exec_size, i, (unsigned long long)got,
                     (unsigned long long)row->out);
    }
    assert_int_equal(machine_get(m, MACHINE_DST, 1, exec_size * bytes), 0xee);
}

static void run_row(const op_row *row, size_t number, uint32_t exec_size)
{
    static machine m; /* large */
    vsg_exe_inst inst = build(row, exec_size);
    uint32_t mode = row->mode & 0x31;
    vsg_exe_handler handlers[] = {
        vsg_exe_op_of(row->op)->handler,
        vsg_exe_quick_of(&inst, vsg_exe_quick_base()),
        vsg_exe_quick(&inst),
    };
    static const char *const names[] = {"general", "quick", "quickest"};

    for (uint32_t h = 0; h < 3; h++) {
        if (!handlers[h])
            continue;
        machine_reset(&m);
        machine_mode(&m, row->mode & FLUSH ? mode : mode | MACHINE_MODE);
        for (uint32_t s = 0; s < inst.num_sources; s++)
            for (uint32_t i = 0; i < exec_size; i++)
                machine_put(&m, MACHINE_SRC + s * MACHINE_SRC_STEP, bytes_of(row->src[s]), i,
                            row->in[s]);
        handlers[h](&m.thread, &inst);
        assert_int_equal(m.thread.stop, VSG_EXE_RUNNING);
        check_results(&m, row, number, exec_size, names[h]);
    }
}

static void run_rows(const op_row *rows, size_t count)
{
    static const uint32_t sizes[] = {1, 2, 4, 8, 16, 32};
    uint32_t host = vsg_exe_host_save();

    for (size_t i = 0; i < count; i++)
        for (uint32_t s = 0; s < 6; s++)
            run_row(&rows[i], i, sizes[s]);
    vsg_exe_host_restore(host);
}
#define RUN_ROWS(rows) run_rows(rows, sizeof(rows) / sizeof *(rows))

#define Q_MAX  0x7fffffffffffffff
#define Q_MIN  0x8000000000000000
#define Q_ONES 0xffffffffffffffff
#define F_INF  0x7f800000
#define F_NAN  0x7fc00000
#define F_ONE  0x3f800000
#define F_MAX  0x7f7fffff
#define F_TINY 0x00000001 /* a denormal */
#define HF_ONE 0x3c00
#define DF_ONE 0x3ff0000000000000

/* ---- sums ------------------------------------------------------------------------------- */

static void test_add_int(void **state)
{
    static const op_row rows[] = {
        ROW2(ADD, D, 0x80000000, D, 0x7fffffff, D, 1),
        ROW2(ADD, D, 0x7fffffff, D, 0x7fffffff, D, 1, SAT),
        ROW2(ADD, D, 0x80000000, D, 0x80000000, D, 0xffffffff, SAT),
        ROW2(ADD, UD, 1, UD, 0xffffffff, UD, 2),
        ROW2(ADD, UD, 0xffffffff, UD, 0xffffffff, UD, 2, SAT),
        /* (-) on unsigned: the exact negative number, 1 - 2 = -1 */
        ROW2(ADD, UD, 0, UD, 1, UD, 2, SAT, .mod = {0, NEG}),
        ROW2(ADD, UD, 0xffffffff, UD, 1, UD, 2, .mod = {0, NEG}),
        ROW2(ADD, UW, 0, W, 0xfffd, W, 1, SAT),
        ROW2(ADD, UW, 0xfffe, W, 0x7fff, W, 0x7fff, SAT),
        ROW2(ADD, W, 0x7fff, W, 0x7fff, W, 1, SAT),
        ROW2(ADD, W, 0x8000, W, 0x7fff, W, 1),
        ROW2(ADD, D, 0xfffe, UW, 0xffff, D, 0xffffffff),
        ROW2(ADD, D, 0xfffffffe, W, 0xffff, B, 0xff),
        ROW2(ADD, Q, 0x100000000, UD, 0xffffffff, Q, 1),
        ROW2(ADD, Q, 0xfffffffe, D, 0x7fffffff, D, 0x7fffffff),
        ROW2(ADD, UQ, 0, UQ, Q_ONES, UQ, 1),
        ROW2(ADD, UQ, Q_ONES, UQ, Q_ONES, UQ, 1, SAT),
        ROW2(ADD, Q, Q_MAX, Q, Q_MAX, Q, 1, SAT),
        ROW2(ADD, Q, Q_MIN, Q, Q_MIN, Q, Q_ONES, SAT),
        ROW2(ADD, UQ, 0, Q, Q_ONES, Q, 0, SAT),
        ROW2(ADD, Q, Q_MAX, UQ, Q_ONES, Q, 0, SAT),
        ROW2(ADD, UB, 44, D, 300, D, 0),
        ROW2(ADD, UB, 255, D, 300, D, 0, SAT),
        ROW2(ADD, B, 0x80, D, 0xffffff38, D, 0, SAT), /* -200 */
        ROW2(ADD, D, 8, D, 0xfffffffb, D, 3, .mod = {ABS}),
        ROW2(ADD, D, 0xfffffffe, D, 5, D, 3, .mod = {NEG_ABS}),
        ROW2(ADD, D, 0xfffffffe, D, 0xfffffffb, D, 3, .mod = {NEG_ABS}),
        ROW2(ADD, Q, 0x80000000, D, 0x80000000, D, 0, .mod = {ABS}),
        ROW2(ADD, D, 0x80000000, D, 0x80000000, D, 0, .mod = {ABS}),
        ROW2(ADD, D, 0x7fffffff, D, 0x80000000, D, 0, SAT, .mod = {ABS}),
        /* (abs) takes the bits of unsigned types for signed numbers */
        ROW2(ADD, UQ, 1, UQ, Q_ONES, UQ, 0, .mod = {ABS}),
        ROW2(ADD, UD, 0, UD, 0xffffffff, UD, 1, .mod = {ABS, NEG}),
        ROW2(ADD, UD, 0xfffffffe, UD, 0xfffffffe, UD, 0, .mod = {NEG_ABS}),
    };
    (void)state;
    RUN_ROWS(rows);
}

static void test_add_float(void **state)
{
    static const op_row rows[] = {
        ROW2(ADD, F, 0x40400000, F, F_ONE, F, 0x40000000),
        /* 1 + 2^-24 is half way to the next float */
        ROW2(ADD, F, F_ONE, F, F_ONE, F, 0x33800000),
        ROW2(ADD, F, 0x3f800001, F, F_ONE, F, 0x33800000, .mode = RU),
        ROW2(ADD, F, F_ONE, F, F_ONE, F, 0x33800000, .mode = RD),
        ROW2(ADD, F, F_ONE, F, F_ONE, F, 0x33800000, .mode = RTZ),
        ROW2(ADD, F, 0xbf800000, F, F_ONE, F, 0x33800000, .mode = RU, .mod = {NEG, NEG}),
        ROW2(ADD, F, 0xbf800001, F, F_ONE, F, 0x33800000, .mode = RD, .mod = {NEG, NEG}),
        ROW2(ADD, F, 0xbf800000, F, F_ONE, F, 0x33800000, .mode = RTZ, .mod = {NEG, NEG}),
        ROW2(ADD, F, F_NAN, F, F_INF, F, 0xff800000),
        ROW2(ADD, F, 0, F, F_ONE, F, F_ONE, .mod = {0, NEG}),
        ROW2(ADD, F, 0x80000000, F, F_ONE, F, F_ONE, .mod = {0, NEG}, .mode = RD),
        ROW2(ADD, F, F_ONE, F, 0x3f400000, F, 0x3f000000, SAT),
        ROW2(ADD, F, 0, F, 0xbf800000, F, 0x3f000000, SAT),
        ROW2(ADD, F, 0, F, F_NAN, F, F_ONE, SAT),
        ROW2(ADD, F, F_ONE, F, F_INF, F, F_ONE, SAT),
        ROW2(ADD, F, 0x3f000000, F, 0x3e800000, F, 0x3e800000, SAT),
        ROW2(ADD, F, 0x40000000, F, 0xbf800000, F, 0xbf800000, .mod = {ABS, NEG}),
        ROW2(ADD, F, 0xc0000000, F, F_ONE, F, 0xbf800000, .mod = {NEG_ABS, NEG_ABS}),
        /* denormals */
        ROW2(ADD, F, 2, F, F_TINY, F, F_TINY),
        ROW2(ADD, F, 0, F, F_TINY, F, F_TINY, .mode = FLUSH),
        ROW2(ADD, F, 0x80000000, F, 0x80000001, F, 0x80000001, .mode = FLUSH),
        ROW2(ADD, F, 0x00800000, F, 0x00800000, F, 0x007fffff, .mode = FLUSH),
        /* a difference of two normal numbers that is none */
        ROW2(ADD, F, 1, F, 0x00800001, F, 0x80800000),
        ROW2(ADD, F, 0, F, 0x00800001, F, 0x80800000, .mode = FLUSH),
        /* ALT: no infinities */
        ROW2(ADD, F, F_INF, F, F_MAX, F, F_MAX),
        ROW2(ADD, F, F_MAX, F, F_MAX, F, F_MAX, .mode = ALT),
        ROW2(ADD, F, 0xff7fffff, F, F_MAX, F, F_MAX, .mode = ALT, .mod = {NEG, NEG}),
        ROW2(ADD, DF, DF_ONE, DF, DF_ONE, DF, 0x3ca0000000000000), /* 2^-53 */
        ROW2(ADD, DF, 0x3ff0000000000001, DF, DF_ONE, DF, 0x3ca0000000000000, .mode = RU),
        ROW2(ADD, DF, 2, DF, 1, DF, 1),
        ROW2(ADD, DF, 0, DF, 1, DF, 1, .mode = FLUSH),
        ROW2(ADD, DF, DF_ONE, DF, DF_ONE, DF, DF_ONE, SAT),
        /* halves are rounded once; a float destination keeps the whole sum */
        ROW2(ADD, HF, HF_ONE, HF, HF_ONE, HF, 0x1000), /* 2^-11 */
        ROW2(ADD, HF, 0x3c01, HF, HF_ONE, HF, 0x1000, .mode = RU),
        ROW2(ADD, F, 0x3f801000, HF, HF_ONE, HF, 0x1000),
        ROW2(ADD, F, 0x3f801000, HF, HF_ONE, F, 0x3a000000),
        ROW2(ADD, HF, 0x3c01, HF, HF_ONE, F, 0x3a000800),
        ROW2(ADD, HF, 2, HF, 1, HF, 1),
        ROW2(ADD, HF, 0, HF, 1, HF, 1, .mode = FLUSH),
        ROW2(ADD, HF, 0x7c00, HF, 0x7bff, HF, 0x7bff),
        ROW2(ADD, HF, HF_ONE, HF, HF_ONE, HF, HF_ONE, SAT),
        ROW2(ADD, HF, 0, HF, 0x7e00, HF, HF_ONE, SAT),
        ROW2(ADD, HF, 0xc000, HF, HF_ONE, HF, 0xbc00, .mod = {NEG, NEG_ABS}),
        ROW2(ADD, BF, 0x3f80, BF, 0x3f80, BF, 0x3b80), /* 1 + 2^-8 */
        ROW2(ADD, BF, 0x3f81, BF, 0x3f80, BF, 0x3b80, .mode = RU),
        ROW2(ADD, F, 0x3f808000, BF, 0x3f80, BF, 0x3b80),
    };
    (void)state;
    RUN_ROWS(rows);
}

static void test_add3_avg(void **state)
{
    static const op_row rows[] = {
        ROW3(ADD3, D, 0xffffffff, D, 1, D, 2, D, 4, .mod = {0, 0, NEG}),
        ROW3(ADD3, UW, 0xffff, UW, 0xffff, UW, 1, UW, 0, SAT),
        ROW3(ADD3, UD, 0xfffffffd, UD, 0xffffffff, UD, 0xffffffff, UD, 0xffffffff),
        ROW3(ADD3, D, 0x80000000, D, 0x80000000, D, 0x80000000, D, 0, SAT),
        ROW3(ADD3, D, 0x12345678, D, 0x12345600, W, 0x78, UW, 0),
        ROW2(AVG, UD, 0xffffffff, UD, 0xffffffff, UD, 0xffffffff),
        ROW2(AVG, UD, 0x80000000, UD, 0xffffffff, UD, 0),
        ROW2(AVG, D, 0, D, 0xffffffff, D, 0),
        ROW2(AVG, D, 0xffffffff, D, 0xfffffffe, D, 0xffffffff),
        ROW2(AVG, D, 4, D, 3, D, 4),
        ROW2(AVG, UB, 255, UB, 255, UB, 254),
        ROW2(AVG, B, 0x80, B, 0x80, B, 0x80),
        ROW2(AVG, UB, 255, UW, 0xffff, UW, 0xffff, SAT),
    };
    (void)state;
    RUN_ROWS(rows);
}

/* ---- products, quotients ---------------------------------------------------------------- */

static void test_mul(void **state)
{
    static const op_row rows[] = {
        ROW2(MUL, D, 0, D, 0x10000, D, 0x10000),
        ROW2(MUL, Q, 0x100000000, D, 0x10000, D, 0x10000),
        ROW2(MUL, Q, 0xffffffff00000001, D, 0xffffffff, UD, 0xffffffff),
        ROW2(MUL, UQ, 0xfffffffe00000001, UD, 0xffffffff, UD, 0xffffffff),
        ROW2(MUL, W, 0x5f90, W, 300, W, 300),
        ROW2(MUL, D, 90000, W, 300, W, 300),
        ROW2(MUL, D, 0xffffff38, B, 0xfe, UB, 100),
        ROW2(MUL, D, 0xfffffff4, D, 3, D, 4, .mod = {0, NEG}),
        ROW2(MUL, Q, 0xfffffffffffffffe, Q, Q_MAX, Q, 2), /* 2^64 - 2 wraps */
        ROW2(MUL, UQ, 1, UQ, Q_ONES, UQ, Q_ONES),
        ROW2(MUL, F, 0x3fc00000, F, 0x40400000, F, 0x3f000000),
        ROW2(MUL, F, F_INF, F, F_MAX, F, 0x40000000),
        ROW2(MUL, F, F_MAX, F, F_MAX, F, 0x40000000, .mode = ALT),
        ROW2(MUL, F, F_NAN, F, F_INF, F, 0),
        ROW2(MUL, F, 0x80000000, F, 0, F, 0xbf800000),
        ROW2(MUL, F, 0, F, 0xbf800000, F, F_ONE, SAT),
        ROW2(MUL, F, F_TINY, F, 2, F, 0x3f000000),
        ROW2(MUL, F, 0, F, 2, F, 0x3f000000, .mode = FLUSH),
        ROW2(MUL, HF, 0x7c00, HF, 0x7bff, HF, 0x4000),
        ROW2(MUL, HF, 0x7bff, HF, 0x7bff, HF, 0x4000, .mode = RTZ),
        ROW2(MUL, F, 0x47ffe000, HF, 0x7bff, HF, 0x4000), /* 131008 */
        ROW2(MUL, BF, 0x4040, BF, 0x3fc0, BF, 0x4000),
        ROW2(MUL, DF, 0x4008000000000000, DF, 0x3ff8000000000000, DF, 0x4000000000000000),
        ROW2(MULH, UD, 0xfffffffe, UD, 0xffffffff, UD, 0xffffffff),
        ROW2(MULH, D, 0xffffffff, D, 0xffffffff, D, 1),
        ROW2(MULH, D, 0x40000000, D, 0x80000000, D, 0x80000000),
        ROW2(MULH, D, 0xfffffffe, UD, 0xffffffff, UD, 0xffffffff),
        ROW2(MULH, D, 0xffffffff, D, 2, D, 3, .mod = {NEG}),
    };
    (void)state;
    RUN_ROWS(rows);
}

static void test_mad(void **state)
{
    static const op_row rows[] = {
        ROW3(MAD, D, 17, D, 3, D, 4, D, 5),
        ROW3(MAD, D, 0xfffffff9, D, 3, D, 4, D, 5, .mod = {NEG}),
        ROW3(MAD, D, 1, D, 0x80000000, D, 2, D, 1),
        ROW3(MAD, UD, 2, UD, 0xffffffff, UD, 0xffffffff, UD, 1),
        ROW3(MAD, W, 0x5f91, W, 300, W, 300, W, 1),
        /* (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24: with a rounded product it is 0 */
        ROW3(MAD, F, 0x33800000, F, 0x3f800800, F, 0x3f800800, F, 0xbf801000),
        ROW3(MAD, F, 0xb3800000, F, 0x3f800800, F, 0x3f800800, F, 0xbf801000,
             .mod = {NEG, 0, NEG}),
        /* (1 + 2^-6)^2 - (1 + 2^-5) = 2^-12 */
        ROW3(MAD, HF, 0x0c00, HF, 0x3c10, HF, 0x3c10, HF, 0xbc20),
        /* (1 + 2^-27)^2 - (1 + 2^-26) = 2^-54 */
        ROW3(MAD, DF, 0x3c90000000000000, DF, 0x3ff0000002000000, DF, 0x3ff0000002000000, DF,
             0xbff0000004000000),
        ROW3(MAD, F, F_ONE, F, 0x40000000, F, 0x40000000, F, 0, SAT),
        ROW3(MAD, F, F_ONE, F, F_ONE, F, F_ONE, F, F_TINY, .mode = FLUSH),
        ROW3(MAD, F, 0, F, F_TINY, F, F_ONE, F, 0, .mode = FLUSH),
        ROW3(MAD, F, 0x3f800001, F, F_ONE, F, F_ONE, F, F_TINY, .mode = RU),
        ROW3(MAD, F, 0x41200000, HF, 0x4200, F, 0x40400000, HF, HF_ONE), /* 3 * 3 + 1 */
        ROW3(MAD, BF, 0x4120, BF, 0x4040, BF, 0x4040, BF, 0x3f80),
    };
    (void)state;
    RUN_ROWS(rows);
}

static void test_div(void **state)
{
    static const op_row rows[] = {
        ROW2(DIV, D, 0xfffffffd, D, 7, D, 0xfffffffe),
        ROW2(DIV, D, 0xfffffffd, D, 0xfffffff9, D, 2),
        ROW2(DIV, D, 3, D, 0xfffffff9, D, 0xfffffffe),
        ROW2(DIV, UD, 0x7fffffff, UD, 0xffffffff, UD, 2),
        ROW2(DIV, D, 0x80000000, D, 0x80000000, D, 0xffffffff),
        ROW2(DIV, UB, 25, UB, 255, UB, 10),
        ROW2(DIV, UD, 0xffffffff, UD, 5, UD, 0),
        ROW2(DIV, UD, 0xffffffff, UD, 0, UD, 0),
        ROW2(DIV, D, 0x7fffffff, D, 5, D, 0),
        ROW2(DIV, D, 0x80000000, D, 0xfffffffb, D, 0),
        ROW2(MOD, D, 1, D, 7, D, 0xfffffffe),
        ROW2(MOD, D, 0xffffffff, D, 0xfffffff9, D, 2),
        ROW2(MOD, D, 0xffffffff, D, 0xfffffff9, D, 0xfffffffe),
        ROW2(MOD, D, 0, D, 0x80000000, D, 0xffffffff),
        ROW2(MOD, UD, 5, UD, 0xffffffff, UD, 10),
        ROW2(MOD, UD, 0xffffffff, UD, 5, UD, 0),
        ROW2(DIV, F, 0x3eaaaaab, F, F_ONE, F, 0x40400000),
        ROW2(DIV, F, 0x3eaaaaaa, F, F_ONE, F, 0x40400000, .mode = RTZ),
        ROW2(DIV, F, F_INF, F, F_ONE, F, 0),
        ROW2(DIV, F, 0xff800000, F, F_ONE, F, 0x80000000),
        ROW2(DIV, F, F_NAN, F, 0, F, 0),
        ROW2(DIV, F, F_MAX, F, F_ONE, F, 0, .mode = ALT),
        ROW2(DIV, HF, 0x3555, HF, HF_ONE, HF, 0x4200),
        ROW2(DIV, HF, 0x3556, HF, HF_ONE, HF, 0x4200, .mode = RU),
        ROW2(DIV, DF, 0x3fd5555555555555, DF, DF_ONE, DF, 0x4008000000000000),
        ROW2(DIVM, F, 0x3eaaaaab, F, F_ONE, F, 0x40400000),
        ROW2(DIVM, DF, 0x3fd5555555555555, DF, DF_ONE, DF, 0x4008000000000000),
        ROW2(DIVM, DF, 0x3fd5555555555556, DF, DF_ONE, DF, 0x4008000000000000, .mode = RU),
    };
    (void)state;
    RUN_ROWS(rows);
}

/* ---- extended math, whole numbers ------------------------------------------------------- */

static void test_math(void **state)
{
    static const op_row rows[] = {
        ROW1(EXP, F, 0x41000000, F, 0x40400000),
        ROW1(EXP, F, 0x3f000000, F, F_ONE, .mod = {NEG}),
        ROW1(EXP, HF, 0x4800, HF, 0x4200),
        ROW1(EXP, F, F_ONE, F, 0x40400000, SAT),
        ROW1(LOG, F, 0x40400000, F, 0x41000000),
        ROW1(LOG, F, 0xff800000, F, 0),
        ROW1(LOG, F, F_NAN, F, 0xc1000000),
        ROW1(LOG, F, 0x40400000, F, 0xc1000000, .mode = ALT),
        ROW1(LOG, F, 0xff7fffff, F, 0, .mode = ALT),
        ROW1(LOG, F, 0xff800000, F, F_TINY, .mode = FLUSH),
        ROW1(LOG, F, 0xc3150000, F, F_TINY), /* -149 */
        ROW2(POW, F, 0x44800000, F, 0x40000000, F, 0x41200000),
        ROW2(POW, F, 0xc1000000, F, 0xc0000000, F, 0x40400000),
        ROW2(POW, HF, 0x4c00, HF, 0x4000, HF, 0x4400),
        ROW1(INV, F, 0x3e800000, F, 0x40800000),
        ROW1(INV, F, F_INF, F, 0),
        ROW1(INV, F, 0x3eaaaaab, F, 0x40400000, .mode = RTZ), /* always to nearest */
        ROW1(INV, HF, 0x3555, HF, 0x4200),
        ROW1(INV, DF, 0x3fd0000000000000, DF, 0x4010000000000000),
        ROW1(SQRT, F, 0x3fb504f3, F, 0x40000000),
        ROW1(SQRT, F, F_NAN, F, 0xc0000000),
        ROW1(SQRT, F, 0x3fb504f3, F, 0xc0000000, .mode = ALT),
        ROW1(SQRT, F, 0x80000000, F, 0x80000000),
        ROW1(RSQRT, F, 0x3f000000, F, 0x40800000),
        ROW1(RSQRT, F, 0x3f000000, F, 0xc0800000, .mode = ALT),
        ROW1(RSQRT, HF, 0x3800, HF, 0x4400),
        ROW1(SIN, F, 0, F, 0),
        ROW1(COS, F, F_ONE, F, 0),
        ROW1(SIN, F, 0x3f576aa4, F, F_ONE),      /* 0.84147098 */
        ROW1(COS, F, 0x3f60a940, F, 0x3f000000), /* of 0.5: 0.87758256; of 1 it is half way */
        ROW1(SQRTM, F, 0x3fb504f3, F, 0x40000000),
        ROW1(SQRTM, F, 0x3fb504f4, F, 0x40000000, .mode = RU),
        ROW1(SQRTM, DF, 0x3ff6a09e667f3bcd, DF, 0x4000000000000000),
    };
    (void)state;
    RUN_ROWS(rows);
}

static void test_whole(void **state)
{
    static const op_row rows[] = {
        ROW1(RNDD, F, 0xc0000000, F, 0xbfc00000),
        ROW1(RNDD, F, F_ONE, F, 0x3fc00000),
        ROW1(RNDD, F, 0x80000000, F, 0x80000000),
        ROW1(RNDU, F, 0xbf800000, F, 0xbfc00000),
        ROW1(RNDU, F, 0x40000000, F, 0x3fc00000),
        ROW1(RNDU, F, 0x80000000, F, 0xbf000000),
        ROW1(RNDE, F, 0x40000000, F, 0x40200000), /* 2.5 */
        ROW1(RNDE, F, 0x40800000, F, 0x40600000), /* 3.5 */
        ROW1(RNDE, F, 0x40800000, F, 0x40600000, .mode = RTZ),
        ROW1(RNDE, F, 0x80000000, F, 0xbf000000),
        ROW1(RNDE, F, 0xbf800000, F, 0xbf19999a), /* -0.6 */
        ROW1(RNDZ, F, 0xbf800000, F, 0xbfd9999a), /* -1.7 */
        ROW1(RNDZ, F, F_ONE, F, 0x3fd9999a),
        ROW1(RNDZ, F, 0x4b800001, F, 0x4b800001), /* beyond 2^24 */
        ROW1(RNDZ, F, 0xff800000, F, 0xff800000),
        ROW1(RNDD, F, F_ONE, F, 0x40200000, SAT),
        ROW1(RNDD, F, 0xc0400000, F, 0x40200000, .mod = {NEG}),
        ROW1(RNDU, F, F_ONE, F, F_TINY),
        ROW1(RNDU, F, 0, F, F_TINY, .mode = FLUSH),
        ROW1(FRC, F, 0x3e800000, F, 0x3fa00000), /* 1.25 */
        ROW1(FRC, F, 0x3f400000, F, 0xbfa00000), /* -1.25 */
        ROW1(FRC, F, 0, F, 0x40400000),
        ROW1(FRC, F, F_NAN, F, F_INF),
    };
    (void)state;
    RUN_ROWS(rows);
}

/* ---- bits ------------------------------------------------------------------------------- */

static void test_logic(void **state)
{
    static const op_row rows[] = {
        ROW2(AND, D, 0x0f000f00, D, 0xff00ff00, D, 0x0ff00ff0),
        ROW2(AND, D, 0xf000f000, D, 0xff00ff00, D, 0x0ff00ff0, .mod = {0, NOT}),
        ROW2(OR, UD, 0xfff0fff0, UD, 0xff00ff00, D, 0x0ff00ff0),
        ROW2(OR, D, 0xffffffff, W, 0xffff, D, 0),
        ROW2(OR, D, 0xffff, UW, 0xffff, D, 0),
        ROW2(XOR, UQ, 0xffffffff00000000, UQ, 0xffffffffffffffff, UD, 0xffffffff),
        ROW2(XOR, W, 0xf00f, W, 0xff00, W, 0x0f0f),
        ROW1(NOT, D, 0xedcba987, D, 0x12345678),
        ROW1(NOT, B, 0xf0, B, 0x0f),
        ROW1(NOT, D, 0xffff0000, UW, 0xffff),
        ROW1(NOT, Q, Q_ONES, Q, 0),
        ROW1(NOT, D, 0x12345678, D, 0x12345678, .mod = {NOT}),
        /* the columns of a truth table: the function itself is the result */
        ROW3(BFN, UD, 0xd8, UD, 0xaa, UD, 0xcc, UD, 0xf0, .control = 0xd8),
        ROW3(BFN, D, 0x96, D, 0xaa, D, 0xcc, D, 0xf0, .control = 0x96),
        ROW3(BFN, D, 0xffffff01, D, 0xaa, D, 0xcc, D, 0xf0, .control = 0x01),
        ROW3(BFN, UW, 0xe8, UW, 0xaa, UW, 0xcc, UW, 0xf0, .control = 0xe8),
        ROW3(BFN, D, 0xfe, UW, 0xaa, D, 0xcc, D, 0xf0, .control = 0xfe),
    };
    (void)state;
    RUN_ROWS(rows);
}

static void test_shift(void **state)
{
    static const op_row rows[] = {
        ROW2(SHL, D, 2, D, 1, D, 33),
        ROW2(SHL, UD, 0x80000000, UD, 1, UD, 31),
        ROW2(SHL, Q, 0x200000000, Q, 1, D, 33),
        ROW2(SHL, Q, 0x10000000000, D, 1, D, 40),
        ROW2(SHL, UD, 0, UQ, 1, D, 33), /* src0 has 64 bits: six bits of count */
        ROW2(SHL, W, 0x8000, W, 1, W, 15),
        ROW2(SHL, W, 0, W, 1, W, 16),
        ROW2(SHL, D, 0xffff0000, W, 0xffff, W, 16),
        ROW2(SHL, UD, 0xffffffff, UD, 0xf0000000, UD, 1, SAT),
        ROW2(SHL, D, 0x7fffffff, D, 0x40000000, D, 1, SAT),
        ROW2(SHL, D, 0x80000000, D, 0xc0000000, D, 1, SAT),
        ROW2(SHL, D, 0xfffffff8, D, 1, D, 3, .mod = {NEG}),
        ROW2(SHR, UD, 0x0fffffff, UD, 0xffffffff, UD, 4),
        ROW2(SHR, UD, 0x7fffffff, UD, 0xffffffff, UD, 33),
        ROW2(SHR, D, 1, D, 0x80000000, D, 31),
        ROW2(SHR, W, 0x0fff, W, 0xffff, W, 4), /* src0's own width */
        ROW2(SHR, D, 0x0fff, W, 0xffff, D, 4),
        ROW2(SHR, UD, 0x12345678, UQ, 0x1234567800000000, D, 32),
        ROW2(SHR, UQ, 1, UQ, Q_MIN, UQ, 63),
        ROW2(SHR, UD, 0x1fffffff, UD, 0xffffffff, D, 0xfffffffd, .mod = {0, NEG}),
        ROW2(SHR, UB, 255, UW, 0xffff, UW, 4, SAT),
        ROW2(ASR, D, 0xfffffffc, D, 0xfffffff8, D, 1),
        ROW2(ASR, UD, 0x08000000, UD, 0x80000000, D, 4), /* no sign to repeat */
        ROW2(ASR, D, 0xf8000000, D, 0x80000000, D, 36),
        ROW2(ASR, B, 0xf8, B, 0x80, B, 4),
        ROW2(ASR, W, 0xffff, W, 0x8000, W, 31),
        ROW2(ASR, Q, Q_ONES, Q, Q_MIN, D, 63),
        ROW2(ASR, UQ, 1, UQ, Q_MIN, D, 63),
        ROW2(ASR, D, 0xffffffff, Q, 0xffffffff00000000, D, 32),
        ROW2(ROL, UD, 3, UD, 0x80000001, UD, 1),
        ROW2(ROL, D, 3, D, 0x80000001, D, 33),
        ROW2(ROL, UW, 3, UW, 0x8001, UW, 1),
        ROW2(ROL, W, 3, W, 0x8001, W, 17),
        ROW2(ROL, UQ, 0x2345678900000001, UQ, 0x1234567890000000, D, 4),
        ROW2(ROL, D, 0x12345678, D, 0x12345678, D, 0),
        ROW2(ROR, UD, 0x80000000, UD, 1, UD, 1),
        ROW2(ROR, UW, 0x8000, UW, 1, UW, 1),
        ROW2(ROR, Q, 0x4000000000000000, Q, 4, Q, 4),
    };
    (void)state;
    RUN_ROWS(rows);
}

static void test_fields(void **state)
{
    static const op_row rows[] = {
        ROW3(BFE, UD, 0x67, UD, 8, UD, 4, UD, 0x12345678),
        ROW3(BFE, D, 0xffffffff, D, 4, D, 4, D, 0xf0),
        ROW3(BFE, D, 7, D, 4, D, 4, D, 0x70),
        ROW3(BFE, UD, 0, UD, 0, UD, 4, UD, 0xffffffff),
        ROW3(BFE, D, 0, D, 32, D, 4, D, 0xffffffff), /* five bits of the width */
        ROW3(BFE, UD, 0x80, UD, 16, UD, 24, UD, 0x80000000),
        ROW3(BFE, D, 0xffffff80, D, 16, D, 24, D, 0x80000000),
        ROW1(BFREV, UD, 0x80000000, UD, 1),
        ROW1(BFREV, UD, 0x1e6a2c48, UD, 0x12345678),
        ROW1(LZD, UD, 31, UD, 1),
        ROW1(LZD, UD, 32, UD, 0),
        ROW1(LZD, UD, 0, UD, 0x80000000),
        ROW1(CBIT, UD, 32, UD, 0xffffffff),
        ROW1(CBIT, UD, 16, UW, 0xffff),
        ROW1(CBIT, UD, 8, B, 0xff),
        ROW1(CBIT, UD, 13, UD, 0x12345678),
        ROW1(FBL, UD, 3, UD, 8),
        ROW1(FBL, UD, 0xffffffff, UD, 0),
        ROW1(FBH, UD, 31, UD, 1),
        ROW1(FBH, UD, 0, UD, 0xffffffff),
        ROW1(FBH, UD, 0xffffffff, UD, 0),
        ROW1(FBH, UD, 0xffffffff, D, 0xffffffff),
        ROW1(FBH, UD, 0xffffffff, D, 0),
        ROW1(FBH, UD, 31, D, 0xfffffffe),
        ROW1(FBH, UD, 1, D, 0x7fffffff),
        ROW1(FBH, UD, 1, D, 0x80000000),
        {VISAGE_OP_BFI,
         UD,
         0xfffffabf,
         {UD, UD, UD, UD},
         {8, 4, 0xab, 0xffffffff},
         {0},
         0,
         0,
         0},
        {VISAGE_OP_BFI,
         UD,
         0x12345678,
         {UD, UD, UD, UD},
         {0, 4, 0xab, 0x12345678},
         {0},
         0,
         0,
         0},
        {VISAGE_OP_BFI, D, 0x80000000, {D, D, D, D}, {31, 31, 1, 0}, {0}, 0, 0, 0},
    };
    (void)state;
    RUN_ROWS(rows);
}

static void test_dp4a(void **state)
{
    static const op_row rows[] = {
        /* 10 + 1*5 + 2*6 + 3*7 + 4*8 */
        ROW3(DP4A, D, 80, D, 10, D, 0x04030201, D, 0x08070605),
        ROW3(DP4A, D, 0xfffffffc, D, 0, D, 0xffffffff, D, 0x01010101),
        ROW3(DP4A, UD, 1020, UD, 0, UD, 0xffffffff, UD, 0x01010101),
        ROW3(DP4A, D, 0xfffe0200, D, 0, UD, 0xffffffff, D, 0x80808080), /* 4 * 255 * -128 */
        ROW3(DP4A, D, 0x80000003, D, 0x7fffffff, D, 0x01010101, D, 0x01010101),
        ROW3(DP4A, D, 0x7fffffff, D, 0x7fffffff, D, 0x01010101, D, 0x01010101, SAT),
        ROW3(DP4A, UD, 0, UD, 3, D, 0xffffffff, UD, 0x01010101, SAT),
        ROW3(DP4A, UD, 0xffffffff, UD, 0xffffffff, UD, 1, UD, 1, SAT),
    };
    (void)state;
    RUN_ROWS(rows);
}

/* ---- minimum, maximum ------------------------------------------------------------------- */

static void test_min_max(void **state)
{
    static const op_row rows[] = {
        ROW2(MIN, D, 0xffffffff, D, 0xffffffff, D, 1),
        ROW2(MIN, UD, 1, UD, 0xffffffff, UD, 1),
        ROW2(MIN, D, 0xffffffff, D, 0xffffffff, UD, 1),
        ROW2(MAX, UD, 0xffffffff, UD, 0xffffffff, D, 0xffffffff),
        ROW2(MAX, D, 5, D, 0xfffffffb, D, 3, .mod = {ABS}),
        ROW2(MAX, Q, 0x80000000, D, 0x80000000, D, 0, .mod = {NEG}),
        ROW2(MAX, UQ, Q_ONES, UQ, Q_ONES, Q, Q_ONES),
        ROW2(MIN, Q, 5, UQ, Q_ONES, Q, 5),
        ROW2(MIN, Q, Q_ONES, UQ, 5, Q, Q_ONES),
        ROW2(MIN, W, 0x8000, W, 0x8000, W, 0x7fff),
        ROW2(MAX, UB, 255, UB, 255, UB, 0),
        ROW2(MAX, B, 0x7f, W, 300, W, 0, SAT),
        ROW2(MIN, F, F_ONE, F, F_ONE, F, 0x40000000),
        ROW2(MAX, F, 0x40000000, F, F_ONE, F, 0x40000000),
        ROW2(MIN, F, F_ONE, F, F_NAN, F, F_ONE),
        ROW2(MIN, F, F_ONE, F, F_ONE, F, F_NAN),
        ROW2(MAX, F, F_ONE, F, F_NAN, F, F_ONE),
        ROW2(MAX, F, 0xff800000, F, 0xff800000, F, F_NAN),
        ROW2(MIN, F, F_NAN, F, F_NAN, F, F_NAN),
        ROW2(MIN, F, 0, F, 0x80000000, F, 0), /* equal: src1 */
        ROW2(MIN, F, 0x80000000, F, 0, F, 0x80000000),
        ROW2(MAX, F, 0x80000000, F, 0x80000000, F, 0), /* equal: src0 */
        ROW2(MAX, F, F_ONE, F, 0x40000000, F, F_ONE, SAT),
        ROW2(MIN, F, F_TINY, F, F_TINY, F, F_ONE),
        ROW2(MIN, F, 0, F, F_TINY, F, F_ONE, .mode = FLUSH),
        ROW2(MIN, DF, DF_ONE, DF, DF_ONE, DF, 0x7ff8000000000000),
        ROW2(MAX, HF, 0x4000, HF, HF_ONE, HF, 0x4000),
        ROW2(MIN, HF, 0xbc00, HF, HF_ONE, HF, 0x4000, .mod = {NEG}),
    };
    (void)state;
    RUN_ROWS(rows);
}

/* ---- moves ------------------------------------------------------------------------------ */

static void test_mov_int(void **state)
{
    static const op_row rows[] = {
        ROW1(MOV, B, 0xff, D, 0x1ff),
        ROW1(MOV, B, 0x7f, D, 0x1ff, SAT),
        ROW1(MOV, UB, 0, D, 0xffffffff, SAT),
        ROW1(MOV, UB, 0xff, UW, 0x100, SAT),
        ROW1(MOV, D, 0x7fffffff, UD, 0xffffffff, SAT),
        ROW1(MOV, UD, 0, Q, Q_ONES, SAT),
        ROW1(MOV, Q, Q_MAX, UQ, Q_ONES, SAT),
        ROW1(MOV, UD, 0xffffffff, B, 0xff),
        ROW1(MOV, UQ, Q_ONES, B, 0xff),
        ROW1(MOV, UD, 0xff, UB, 0xff),
        ROW1(MOV, UQ, 0xffffffff, UD, 0xffffffff),
        ROW1(MOV, Q, Q_ONES, D, 0xffffffff),
        ROW1(MOV, UD, 0x89abcdef, UQ, 0x0123456789abcdef),
        ROW1(MOV, W, 0x8000, UW, 0x8000),
        ROW1(MOV, D, 0xfffffffb, D, 5, .mod = {NEG}),
        ROW1(MOV, W, 5, W, 0xfffb, .mod = {ABS}),
        ROW1(MOV, Q, 0x80000000, D, 0x80000000, .mod = {NEG}),
        ROW1(MOV, D, 0x7fffffff, D, 0x80000000, SAT, .mod = {NEG}),
    };
    (void)state;
    RUN_ROWS(rows);
}

static void test_mov_float_to_int(void **state)
{
    static const op_row rows[] = {
        ROW1(MOV, D, 1, F, 0x3ff33333), /* 1.9 */
        ROW1(MOV, D, 0xffffffff, F, 0xbff33333),
        ROW1(MOV, D, 1, F, 0xbff33333, .mod = {NEG}),
        ROW1(MOV, D, 1, F, 0x3ff33333, .mode = RU), /* always toward zero */
        ROW1(MOV, D, 0x7fffffff, F, 0x4f32d05e),    /* 3e9 */
        ROW1(MOV, D, 0x80000000, F, 0xcf32d05e),
        ROW1(MOV, D, 0x7fffffff, F, F_INF),
        ROW1(MOV, D, 0, F, F_NAN),
        ROW1(MOV, D, 0, F, 0x7f800001),
        ROW1(MOV, UD, 0xb2d05e00, F, 0x4f32d05e),
        ROW1(MOV, UD, 0, F, 0xbf800000),
        ROW1(MOV, UD, 0, F, 0xff800000),
        ROW1(MOV, UD, 0xffffffff, F, 0x4f800000), /* 2^32 */
        ROW1(MOV, UD, 0xffffff00, F, 0x4f7fffff),
        ROW1(MOV, UB, 255, F, 0x43960000), /* 300 */
        ROW1(MOV, UB, 255, F, 0x43960000, SAT),
        ROW1(MOV, B, 0x80, F, 0xc3960000),
        ROW1(MOV, W, 0x7fff, F, 0x47c35000), /* 1e5 */
        ROW1(MOV, UW, 0xffff, F, 0x47c35000),
        ROW1(MOV, Q, Q_MAX, F, 0x5f000000), /* 2^63 */
        ROW1(MOV, Q, 0x7fffff8000000000, F, 0x5effffff),
        ROW1(MOV, Q, Q_MIN, F, 0xdf000000),
        ROW1(MOV, UQ, Q_MIN, F, 0x5f000000),
        ROW1(MOV, UQ, Q_ONES, F, 0x5f800000),
        ROW1(MOV, UQ, 0, F, F_NAN),
        ROW1(MOV, D, 0x7fffffff, DF, 0x41dfffffffe00000), /* 2^31 - 0.5 */
        ROW1(MOV, D, 0x80000000, DF, 0xc1e00000001ccccd), /* below -2^31 */
        ROW1(MOV, Q, 0x0020000000000000, DF, 0x4340000000000000),
        ROW1(MOV, W, 2046, HF, 0x67fe),
        ROW1(MOV, D, 0x7fffffff, HF, 0x7c00),
        ROW1(MOV, D, 3, BF, 0x4040),
    };
    (void)state;
    RUN_ROWS(rows);
}

static void test_mov_int_to_float(void **state)
{
    static const op_row rows[] = {
        ROW1(MOV, F, 0x4f000000, D, 0x7fffffff),
        ROW1(MOV, F, 0x4effffff, D, 0x7fffffff, .mode = RTZ),
        ROW1(MOV, F, 0xcf000000, D, 0x80000000),
        ROW1(MOV, F, 0x4f000000, D, 0x80000000, .mod = {NEG}),
        ROW1(MOV, F, 0x4b800000, D, 16777217), /* a tie */
        ROW1(MOV, F, 0x4b800001, D, 16777217, .mode = RU),
        ROW1(MOV, F, 0x4b800002, D, 16777219), /* the other tie */
        ROW1(MOV, F, 0xcb800001, D, 16777217, .mode = RD, .mod = {NEG}),
        ROW1(MOV, F, 0xcb800000, D, 16777217, .mode = RU, .mod = {NEG}),
        ROW1(MOV, F, 0x4f800000, UD, 0xffffffff),
        ROW1(MOV, F, 0x43fe0000, UW, 508),
        ROW1(MOV, F, 0xc3000000, B, 0x80),
        ROW1(MOV, F, 0x5f800000, UQ, Q_ONES),
        ROW1(MOV, F, 0x5f7fffff, UQ, Q_ONES, .mode = RTZ),
        ROW1(MOV, F, 0xdf000000, Q, Q_MIN),
        /* 2^62 + 2^38 is a tie of F, one more is not; a double of it would be one again */
        ROW1(MOV, F, 0x5e800000, Q, 0x4000004000000000),
        ROW1(MOV, F, 0x5e800001, Q, 0x4000004000000001),
        ROW1(MOV, DF, 0x43f0000000000000, UQ, Q_ONES),
        ROW1(MOV, DF, 0x43efffffffffffff, UQ, Q_ONES, .mode = RTZ),
        ROW1(MOV, DF, 0xc3e0000000000000, Q, Q_MIN),
        ROW1(MOV, DF, 0x4340000000000000, Q, 0x0020000000000001),
        ROW1(MOV, DF, 0x4340000000000001, Q, 0x0020000000000001, .mode = RU),
        ROW1(MOV, DF, 0x41dfffffffc00000, D, 0x7fffffff),
        ROW1(MOV, HF, 0x7c00, D, 65520),
        ROW1(MOV, HF, 0x7bff, D, 65519),
        ROW1(MOV, HF, 0x7bff, D, 65520, .mode = RTZ),
        ROW1(MOV, HF, 0x6800, D, 2049),
        ROW1(MOV, HF, 0xe801, D, 2049, .mode = RD, .mod = {NEG}),
        ROW1(MOV, HF, 0x7c00, Q, Q_MAX),
        /* 2^60 (1 + 2^-8) is a tie of BF, one more is not */
        ROW1(MOV, BF, 0x5d80, Q, 0x1010000000000000),
        ROW1(MOV, BF, 0x5d81, Q, 0x1010000000000001),
        ROW1(MOV, F, F_ONE, D, 5, SAT),
        ROW1(MOV, F, 0, D, 0xfffffffb, SAT),
        ROW1(MOV, F, 0, D, 0),
    };
    (void)state;
    RUN_ROWS(rows);
}

static void test_mov_float(void **state)
{
    static const op_row rows[] = {
        /* equal types: bits, in every mode */
        ROW1(MOV, F, 0x7fa00000, F, 0x7fa00000),
        ROW1(MOV, F, F_TINY, F, F_TINY, .mode = FLUSH),
        ROW1(MOV, F, 0x80000001, F, F_TINY, .mode = FLUSH, .mod = {NEG}),
        ROW1(MOV, F, 0xffa00000, F, 0x7fa00000, .mod = {NEG}),
        ROW1(MOV, F, F_INF, F, F_INF, .mode = ALT),
        ROW1(MOV, HF, 0x7d00, HF, 0x7d00),
        ROW1(MOV, HF, 0xbc00, HF, HF_ONE, .mod = {NEG_ABS}),
        ROW1(MOV, BF, 0x7fa0, BF, 0x7fa0),
        ROW1(MOV, DF, 0x7ff4000000000001, DF, 0x7ff4000000000001),
        ROW1(MOV, F, F_ONE, F, 0x3fc00000, SAT),
        ROW1(MOV, F, 0, F, 0xbf800000, SAT),
        ROW1(MOV, F, F_ONE, F, 0xbf800000, SAT, .mod = {NEG}),
        ROW1(MOV, F, 0, F, F_NAN, SAT),
        ROW1(MOV, HF, HF_ONE, HF, 0x7c00, SAT),
        /* wider: exact, denormals too */
        ROW1(MOV, F, 0x33800000, HF, 1, .mode = FLUSH),
        ROW1(MOV, DF, 0x36a0000000000000, F, F_TINY, .mode = FLUSH),
        ROW1(MOV, DF, 0xfff0000000000000, F, 0xff800000),
        ROW1(MOV, F, 0xbfc00000, HF, 0x3e00, .mod = {NEG}),
        ROW1(MOV, F, 0x40490000, BF, 0x4049),
        /* narrower */
        ROW1(MOV, HF, HF_ONE, F, 0x3f801000), /* a tie */
        ROW1(MOV, HF, 0x3c01, F, 0x3f801000, .mode = RU),
        ROW1(MOV, HF, 0x3c02, F, 0x3f803000), /* the other tie */
        ROW1(MOV, HF, 1, F, 0x33800000, .mode = FLUSH),
        ROW1(MOV, HF, 0x7c00, F, 0x477ff000),
        ROW1(MOV, HF, 0x7bff, F, 0x477fefff),
        ROW1(MOV, F, F_INF, DF, 0x7fefffffffffffff),
        ROW1(MOV, F, F_MAX, DF, 0x7fefffffffffffff, .mode = RD),
        ROW1(MOV, F, F_ONE, DF, 0x3ff0000010000000), /* 1 + 2^-24 */
        ROW1(MOV, F, 0x3f800001, DF, 0x3ff0000010000001),
        ROW1(MOV, F, F_TINY, DF, 0x36a0000000000000),
        ROW1(MOV, HF, 0, F, F_TINY), /* +denorm gives +0, unless it is to be rounded up */
        ROW1(MOV, HF, 1, F, F_TINY, .mode = RU),
        ROW1(MOV, HF, 0, F, F_TINY, .mode = RD),
        ROW1(MOV, HF, 0, F, 0x007fffff, .mode = RTZ),
        ROW1(MOV, HF, 0x8001, F, 0x80000001, .mode = RD),
        ROW1(MOV, HF, 0x8000, F, 0x80000001, .mode = RU),
        ROW1(MOV, HF, 0x8000, F, 0x80000001, .mode = RTZ),
        ROW1(MOV, F, 0, DF, 1),
        ROW1(MOV, F, F_TINY, DF, 1, .mode = RU),
        ROW1(MOV, F, 0x80000000, DF, 0x8000000000000001, .mode = RU),
        ROW1(MOV, F, 0x80000001, DF, 0x8000000000000001, .mode = RD),
        ROW1(MOV, HF, 1, DF, 1, .mode = RU),
        ROW1(MOV, BF, 0x8001, DF, 0x8000000000000001, .mode = RD),
        ROW1(MOV, BF, 0x3f80, F, 0x3f808000),
        ROW1(MOV, BF, 0x3f82, F, 0x3f818000),
        ROW1(MOV, BF, 2, F, 0x00018000), /* BF can hold it */
        ROW1(MOV, HF, HF_ONE, DF, 0x4008000000000000, SAT),
    };
    (void)state;
    RUN_ROWS(rows);
}

static void test_fcvt_srnd(void **state)
{
    static const op_row rows[] = {
        ROW1(FCVT, HF, 0x3c00, UB, 0x3c),
        ROW1(FCVT, HF, 0x0100, UB, 0x01), /* a denormal of both */
        ROW1(FCVT, UB, 0x3c, HF, 0x3c80), /* 1.125 is a tie */
        ROW1(FCVT, UB, 0x3e, HF, 0x3d80), /* 1.375 is the other */
        ROW1(FCVT, UB, 0x7c, HF, 0x7bff),
        ROW1(FCVT, UD, 0x3f800000, F, 0x3f801000), /* 1 + 2^-11 */
        ROW1(FCVT, UD, 0x3f804000, F, 0x3f803000),
        ROW1(FCVT, UD, 0, F, 0x007fffff),
        ROW1(FCVT, F, 0x3f802000, UD, 0x3f802000),
        /* the low byte of the half takes the random number; what does not carry is cut */
        ROW2(SRND, UB, 0x3c, HF, 0x3c80, UB, 0x7f),
        ROW2(SRND, UB, 0x3d, HF, 0x3c80, UB, 0x80),
        ROW2(SRND, UB, 0x3c, HF, 0x3c00, UB, 0xff),
        ROW2(SRND, UB, 0xbd, HF, 0xbc80, UB, 0x80),
        ROW2(SRND, UB, 0x7c, HF, 0x7bff, UB, 0x01),
        ROW2(SRND, UB, 0x7c, HF, 0x7c00, UB, 0xff),
        ROW2(SRND, UB, 0x01, HF, 0x00ff, UB, 0x01),
        ROW2(SRND, HF, HF_ONE, F, 0x3f801000, UW, 0x0fff),
        ROW2(SRND, HF, 0x3c01, F, 0x3f801000, UW, 0x1000),
        ROW2(SRND, HF, 0x3c01, F, 0x3f801000, UW, 0xf000), /* 13 bits of it */
        ROW2(SRND, HF, 0xbc01, F, 0xbf801fff, UW, 1),
        ROW2(SRND, HF, 0x7bff, F, 0x477fefff, UW, 0),
        ROW2(SRND, HF, 0x7c00, F, 0x477fefff, UW, 0x1001),
        ROW2(SRND, HF, 0x7c00, F, 0x47800000, UW, 0),
        ROW2(SRND, HF, 0xfc00, F, 0xff800000, UW, 5),
        ROW2(SRND, HF, 0x0001, F, 0x33800000, UW, 0),
    };
    (void)state;
    RUN_ROWS(rows);
}

/* ---- comparisons into variables --------------------------------------------------------- */

enum { REL_EQ, REL_NE, REL_GT, REL_GE, REL_LT, REL_LE };
#define REL(r) .control = REL_##r

static void test_cmp(void **state)
{
    static const op_row rows[] = {
        ROW2(CMP, D, 0xffffffff, D, 0xffffffff, D, 1, REL(LT)),
        ROW2(CMP, D, 0, UD, 0xffffffff, UD, 1, REL(LT)),
        ROW2(CMP, UW, 0xffff, D, 5, D, 5, REL(EQ)),
        ROW2(CMP, UB, 0, D, 5, D, 5, REL(NE)),
        ROW2(CMP, Q, Q_ONES, D, 5, D, 5, REL(LE)),
        ROW2(CMP, D, 0, UD, 0xffffffff, D, 0xffffffff, REL(EQ)), /* exact values */
        ROW2(CMP, D, 0xffffffff, D, 0x80000000, D, 0, REL(GT), .mod = {NEG}),
        ROW2(CMP, UD, 0xffffffff, UQ, Q_ONES, Q, Q_ONES, REL(GT)),
        ROW2(CMP, UD, 0xffffffff, W, 0xffff, B, 0xff, REL(GE)),
        ROW2(CMP, F, 0xffffffff, F, F_ONE, F, 0x40000000, REL(LT)),
        ROW2(CMP, F, 0xffffffff, F, 0x80000000, F, 0, REL(EQ)),
        ROW2(CMP, F, 0, F, F_NAN, F, F_NAN, REL(EQ)),
        ROW2(CMP, F, 0xffffffff, F, F_NAN, F, F_NAN, REL(NE)),
        ROW2(CMP, F, 0, F, F_NAN, F, F_ONE, REL(LT)),
        ROW2(CMP, F, 0, F, F_NAN, F, F_ONE, REL(GE)),
        ROW2(CMP, F, 0xffffffff, F, F_INF, F, F_INF, REL(EQ)),
        ROW2(CMP, F, 0, F, F_TINY, F, 0, REL(EQ)),
        ROW2(CMP, F, 0xffffffff, F, F_TINY, F, 0, REL(EQ), .mode = FLUSH),
        ROW2(CMP, F, 0xffffffff, F, 0xbf800000, F, F_ONE, REL(GE), .mod = {ABS}),
        ROW2(CMP, DF, Q_ONES, DF, DF_ONE, DF, 0, REL(GT)),
        ROW2(CMP, HF, 0xffff, HF, HF_ONE, HF, 0x3bff, REL(GT)),
        ROW2(CMP, HF, 0xffff, HF, 1, HF, 0, REL(EQ), .mode = FLUSH),
        ROW2(CMP, F, 0xffffffff, D, 1, D, 2, REL(LT)),
    };
    (void)state;
    RUN_ROWS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_int),
        cmocka_unit_test(test_add_float),
        cmocka_unit_test(test_add3_avg),
        cmocka_unit_test(test_mul),
        cmocka_unit_test(test_mad),
        cmocka_unit_test(test_div),
        cmocka_unit_test(test_math),
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_logic),
        cmocka_unit_test(test_shift),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_dp4a),
        cmocka_unit_test(test_min_max),
        cmocka_unit_test(test_mov_int),
        cmocka_unit_test(test_mov_float_to_int),
        cmocka_unit_test(test_mov_int_to_float),
        cmocka_unit_test(test_mov_float),
        cmocka_unit_test(test_fcvt_srnd),
        cmocka_unit_test(test_cmp),
    };
    return cmocka_run_group_tests_name("ops", tests, NULL, NULL);
}
