/* SPDX-License-Identifier: MIT
 *
 * Every row of arithmetic, logic, moves, comparisons and math: instructions made at random
 * until each cell of the row (cells.h) is covered, on numbers that are often at the ends of
 * their types, in all modes of %cr0 where floats play a part; results compared with exact
 * numbers. `test_spec SEED [MNEMONIC]` runs another seed, and one row of it. `test_spec
 * --jit[=N]` compares what compiled code makes of the same instructions, or of every Nth kernel
 * of them, with the interpreter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expect.h"
#include "jit/jit.h"

/* Of each row, beyond those that cells want: of any types; of each combination with floats; of
 * those with a single type, where a second rounding would show. */
enum { MORE_CASES = 64, FLOAT_CASES = 12, ONE_TYPE_CASES = 150 };

/* ---- comparing -------------------------------------------------------------------------- */

static bool is_same(const spec_result *result, uint32_t type, uint32_t channel, uint64_t got)
{
    uint64_t bits = result->bits[channel];

    if (got == bits || got == result->also[channel])
        return true;
    if (!spec_is_float(type) || result->is_move)
        return false;
    if (spec_is_nan(type, bits) || spec_is_nan(type, got))
        return spec_is_nan(type, bits) && spec_is_nan(type, got);
    int64_t distance = spec_ordinal(type, bits) - spec_ordinal(type, got);
    bool is_zero = (bits & ~spec_sign_bit(type)) == 0 && !(result->inexact >> channel & 1);
    return result->ulps > 0 && !is_zero && distance <= (int64_t)result->ulps &&
           distance >= -(int64_t)result->ulps;
}

static void fail_channel(const spec_batch *batch, const spec_case *c, const spec_mode *mode,
                         uint32_t channel, const spec_result *result, uint64_t got)
{
    char text[600], sources[300] = "";
    size_t length = 0;

    spec_describe(c, text, sizeof text);
    for (uint32_t i = 0; i < c->row->num_operands && length < sizeof sources; i++)
        if (!c->row->operands[i].is_dst && c->places[i].kind < SPEC_PREDICATE)
            length += (size_t)snprintf(sources + length, sizeof sources - length, " 0x%llx",
                                       (unsigned long long)spec_source(batch, c, i, channel));
    fail_msg("%s: rounding %u, keeps f %d df %d hf %d, alt %d; channel %u of%s: 0x%llx, "
             "expected 0x%llx or 0x%llx",
             text, mode->rounding, mode->keeps_f, mode->keeps_df, mode->keeps_hf, mode->is_alt,
             channel, sources, (unsigned long long)got,
             (unsigned long long)result->bits[channel],
             (unsigned long long)result->also[channel]);
}

/* Compares what was written and puts it into the copy of the registers before the run, which
 * then must be equal to those after it. */
static void check_general(spec_batch *batch, const spec_case *c, const spec_mode *mode,
                          const spec_result *result, uint32_t position, uint32_t skip_bytes)
{
    uint32_t type = c->places[position].type;

    for (uint32_t i = 0; i < c->size; i++) {
        uint32_t at = spec_destination(batch, c, position, i) + skip_bytes;
        uint64_t got = 0;
        memcpy(&got, batch->thread.registers + at, spec_bytes(type));
        if (!(result->written >> i & 1))
            continue;
        if (!(result->open >> i & 1) && !is_same(result, type, i, got))
            fail_channel(batch, c, mode, i, result, got);
        memcpy(batch->registers + at, &got, spec_bytes(type));
    }
}

static void check_predicate(spec_batch *batch, const spec_case *c, const spec_mode *mode,
                            const spec_result *result, uint32_t state)
{
    uint32_t after = batch->thread.frame->predicates[state - 1];

    for (uint32_t i = 0; i < c->size; i++) {
        uint32_t bit = 1u << (c->mask_offset + i);
        if (!(result->written >> i & 1))
            continue;
        if (result->bits[i] != ((after & bit) != 0))
            fail_channel(batch, c, mode, i, result, (after & bit) != 0);
        batch->predicates[state - 1] = (batch->predicates[state - 1] & ~bit) | (after & bit);
    }
}

static void check_addresses(spec_batch *batch, const spec_case *c, const spec_mode *mode,
                            const spec_result *result)
{
    uint32_t first = c->places[0].state * SPEC_CHANNELS;

    for (uint32_t i = 0; i < c->size; i++) {
        uint32_t after = batch->thread.frame->addresses[first + i];
        if (!(result->written >> i & 1))
            continue;
        if (after != (uint32_t)result->bits[i])
            fail_channel(batch, c, mode, i, result, after);
        batch->addresses[first + i] = after;
    }
}

/* Registers from the low halves of MADW to the high ones. */
static uint32_t high_half(const spec_case *c)
{
    uint32_t grf = visage_platform_grf_bytes(c->platform);

    return (c->size * 4 + grf - 1) / grf * grf;
}

static void check_case(spec_batch *batch, const spec_case *c, const spec_mode *mode)
{
    spec_result results[2];

    if (!spec_expect(batch, c, mode, results))
        fail_msg("%s: nothing is expected", c->row->info->text);
    if (c->row->op == VISAGE_OP_SETP && c->places[1].kind != SPEC_MULTI &&
        (c->size == 1 || (c->places[1].v_stride == 0 && c->places[1].h_stride == 0)))
        results[0].written = c->size == SPEC_CHANNELS ? UINT32_MAX : (1u << c->size) - 1;
    if (c->places[0].kind == SPEC_PREDICATE)
        check_predicate(batch, c, mode, &results[0], c->places[0].state);
    else if (c->places[0].kind == SPEC_ADDRESS)
        check_addresses(batch, c, mode, &results[0]);
    else
        check_general(batch, c, mode, &results[0], 0, 0);
    if (c->row->op == VISAGE_OP_MADW)
        check_general(batch, c, mode, &results[1], 0, high_half(c));
    else if (c->row->op == VISAGE_OP_ADD3O)
        results[1].written = results[0].written;
    else if (c->row->operands[1].is_dst)
        check_general(batch, c, mode, &results[1], 1, 0);
    if (c->row->op == VISAGE_OP_ADD3O)
        check_predicate(batch, c, mode, &results[1], c->predicate);
}

static void check_batch(spec_batch *batch, const spec_mode *mode)
{
    const vsg_exe_unit *code = &batch->program->units[0];

    for (uint32_t i = 0; i < batch->count; i++)
        check_case(batch, &batch->cases[i], mode);
    assert_memory_equal(batch->registers, batch->thread.registers, code->variable_bytes);
    assert_memory_equal(batch->predicates, batch->thread.frame->predicates,
                        code->num_predicates * sizeof(uint32_t));
    assert_memory_equal(batch->addresses, batch->thread.frame->addresses,
                        code->num_addresses * sizeof(uint32_t));
}

/* ---- modes ------------------------------------------------------------------------------ */

static bool has_float(const spec_case *c)
{
    bool any = false;

    for (uint32_t i = 0; i < c->row->num_operands; i++)
        any |= spec_is_float(spec_element_type(&c->places[i]));
    return any;
}

enum { ROUNDINGS = 4, FLUSHES = 2, MODES = ROUNDINGS * FLUSHES + 1 };

static spec_mode mode_number(uint32_t i, uint64_t *random)
{
    bool keeps = i / ROUNDINGS != 1;
    spec_mode mode = {.rounding = (spec_rounding)(i % ROUNDINGS),
                      .keeps_f = keeps,
                      .keeps_df = keeps,
                      .keeps_hf = keeps,
                      .is_alt = i == MODES - 1};

    if (i < ROUNDINGS * FLUSHES && !keeps) /* not all alike */
        mode.keeps_hf = spec_random(random) & 1, mode.keeps_df = spec_random(random) & 1;
    return mode;
}

static void run_modes(spec_batch *batch, bool is_float, uint64_t *random)
{
    for (uint32_t i = 0; i < (is_float ? MODES : 1); i++) {
        spec_mode mode = mode_number(i, random);
        spec_batch_run(batch, &mode, random);
        check_batch(batch, &mode);
    }
}

/* ---- both engines ----------------------------------------------------------------------- */

/* NaNs are alike: which one comes of two is open (docs/spec-notes.md). A move keeps its bits.
 */
static bool is_alike(const spec_case *c, uint32_t type, uint64_t a, uint64_t b)
{
    bool is_move = c->row->op == VISAGE_OP_MOV || c->row->op == VISAGE_OP_SEL;

    return a == b ||
           (!is_move && spec_is_float(type) && spec_is_nan(type, a) && spec_is_nan(type, b));
}

static void compare_case(const spec_batch *batch, const spec_case *c, const spec_mode *mode,
                         uint8_t *compiled)
{
    uint32_t type = c->places[0].type;
    char text[600];

    if (c->places[0].kind >= SPEC_PREDICATE)
        return; /* compared with all others of its kind */
    for (uint32_t i = 0; i < c->size; i++) {
        uint32_t at = spec_destination(batch, c, 0, i);
        uint64_t expected = 0, got = 0;
        memcpy(&expected, batch->thread.registers + at, spec_bytes(type));
        memcpy(&got, compiled + at, spec_bytes(type));
        memcpy(compiled + at, &expected, spec_bytes(type));
        if (is_alike(c, type, expected, got))
            continue;
        spec_describe(c, text, sizeof text);
        print_message("sources");
        for (uint32_t s = 0; s < c->row->num_operands; s++)
            if (!c->row->operands[s].is_dst && c->places[s].kind < SPEC_PREDICATE)
                print_message(" 0x%llx", (unsigned long long)spec_source(batch, c, s, i));
        fail_msg("%s: rounding %u, keeps f %d df %d hf %d, alt %d, mask 0x%x: channel %u is "
                 "0x%llx, not 0x%llx",
                 text, mode->rounding, mode->keeps_f, mode->keeps_df, mode->keeps_hf,
                 mode->is_alt, batch->execution_mask, i, (unsigned long long)got,
                 (unsigned long long)expected);
    }
}

static void run_compiled(const spec_case *cases, uint32_t count, const spec_mode *mode,
                         uint64_t *random)
{
    enum { RUNS = 3 };
    spec_batch batch;

    spec_batch_open_compiled(&batch, cases, count, mode, spec_random(random) & 1);
    const vsg_exe_unit *code = &batch.program->units[0];
    uint8_t *compiled = malloc(code->register_bytes);
    assert_non_null(compiled);
    for (uint32_t i = 0; i < RUNS; i++) {
        spec_batch_run_both(&batch, random, compiled);
        for (uint32_t k = 0; k < count; k++)
            compare_case(&batch, &cases[k], mode, compiled);
        assert_memory_equal(compiled, batch.thread.registers, code->variable_bytes);
    }
    free(compiled);
    spec_batch_close(&batch);
}

typedef struct pending {
    spec_case cases[SPEC_BATCH];
    uint32_t count;
} pending;

/* Cases that wait for others of their platform, integers and floats apart. */
typedef struct queue {
    pending waiting[VISAGE_PLATFORM_COUNT][2];
    uint64_t random;
    uint32_t compiles; /* one of so many kernels is run by both engines; 0: the interpreter's */
} queue;

/* The first mode, which kernels mostly have, and for floats one of the others. */
static void run_both(const pending *waiting, bool is_float, uint64_t *random)
{
    spec_mode mode = mode_number(0, random);

    run_compiled(waiting->cases, waiting->count, &mode, random);
    if (!is_float)
        return;
    mode = mode_number(1 + spec_random_below(random, MODES - 1), random);
    run_compiled(waiting->cases, waiting->count, &mode, random);
}

static void flush(queue *q, uint32_t platform, uint32_t is_float)
{
    pending *waiting = &q->waiting[platform][is_float];
    spec_batch batch;

    if (waiting->count == 0)
        return;
    if (q->compiles > 0 && spec_random_below(&q->random, q->compiles) > 0) {
        waiting->count = 0;
        return;
    }
    if (q->compiles > 0) {
        run_both(waiting, is_float, &q->random);
    } else {
        spec_batch_open(&batch, waiting->cases, waiting->count);
        run_modes(&batch, is_float, &q->random);
        spec_batch_close(&batch);
    }
    waiting->count = 0;
}

/* Makes a case for a cell, in the place of a batch that it will have. False: there is none. */
static bool add(queue *q, spec_row *row, const spec_cell *want)
{
    spec_case c;
    uint64_t random = q->random;

    if (!spec_make(row, want, &q->random, 0, &c))
        return false;
    pending *waiting = &q->waiting[c.platform][has_float(&c)];
    /* The same case again, with the variables of its place. */
    q->random = random;
    if (!spec_make(row, want, &q->random, waiting->count, &waiting->cases[waiting->count]))
        return false;
    spec_cover(row, &waiting->cases[waiting->count]);
    if (++waiting->count == SPEC_BATCH)
        flush(q, (uint32_t)c.platform, has_float(&c));
    return true;
}

static uint32_t more_cases(const spec_row *row, const spec_cell *cell)
{
    bool any_float = false, is_one = true;

    if (cell->dimension != SPEC_TYPES)
        return 0;
    for (uint32_t i = 0; i < row->num_operands; i++) {
        any_float |= cell->types[i] != SPEC_ANY_TYPE && spec_is_float(cell->types[i]);
        is_one &= cell->types[i] == cell->types[0];
    }
    return !any_float ? 0 : is_one ? ONE_TYPE_CASES : FLOAT_CASES;
}

static void run_row(visage_op op, uint64_t seed, uint32_t compiles)
{
    static queue q; /* large */
    spec_row row;
    char name[100];

    if (!spec_row_open(op, &row)) {
        fail_msg("%s is not executed", vsg_isa_op(op)->text);
        return;
    }
    memset(&q, 0, sizeof q);
    q.random = seed + op;
    q.compiles = compiles;
    for (size_t i = 0; i < row.num_cells; i++) {
        spec_cell_name(&row, &row.cells[i], name, sizeof name);
        if (!row.cells[i].covered && !add(&q, &row, &row.cells[i]))
            fail_msg("%s: no instruction has %s", row.info->text, name);
        if (!row.cells[i].covered)
            fail_msg("%s: the instruction made for it does not have %s", row.info->text, name);
    }
    for (size_t i = 0; i < row.num_cells; i++)
        for (uint32_t k = more_cases(&row, &row.cells[i]); k > 0; k--)
            assert_true(add(&q, &row, &row.cells[i]));
    for (uint32_t i = 0; i < MORE_CASES; i++)
        assert_true(add(&q, &row, NULL));
    for (uint32_t platform = 1; platform < VISAGE_PLATFORM_COUNT; platform++)
        for (uint32_t is_float = 0; is_float < 2; is_float++)
            flush(&q, platform, is_float);
    spec_row_free(&row);
}

static uint64_t seed_of_run = 1;
static uint32_t compiles_run;

static void test_row(void **state)
{
    const visage_op *op = *state;

    run_row(*op, seed_of_run, compiles_run);
}

/* Rows whose meaning has operands only: no memory, no control flow, no partner. */
static bool is_ours(visage_op op)
{
    static const char *const groups[] = {"arith", "logic", "move", "compare", "address"};
    const vsg_isa_op_info *info = vsg_isa_op(op);
    bool any = false;

    if (spec_row_refusal(op) || op == VISAGE_OP_MOVS)
        return false;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        any |= strcmp(info->group, groups[i]) == 0;
    return any;
}

int main(int argc, char **argv)
{
    static visage_op ops[VISAGE_OP_COUNT];
    static struct CMUnitTest tests[VISAGE_OP_COUNT];
    size_t count = 0;

    for (uint32_t op = 0; op < VISAGE_OP_COUNT; op++)
        if (is_ours((visage_op)op)) {
            ops[count] = (visage_op)op;
            tests[count] = (struct CMUnitTest){.name = vsg_isa_op((visage_op)op)->text,
                                               .test_func = test_row,
                                               .initial_state = &ops[count]};
            count++;
        }
    if (argc > 1 && strncmp(argv[1], "--jit", 5) == 0) {
        compiles_run = argv[1][5] == '=' ? (uint32_t)strtoul(argv[1] + 6, NULL, 10) : 1;
        argc--;
        argv++;
        if (!vsg_jit_available()) {
            puts("no compiler: LLVM is not there");
            return 77;
        }
    }
    if (argc > 1)
        seed_of_run = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    return _cmocka_run_group_tests("spec", tests, count, NULL, NULL);
}
