/* SPDX-License-Identifier: MIT
 *
 * Control flow by an independent model: random programs on the machine and, one channel at a
 * time, by an evaluator without masks. `test_flow --seeds=N [--first=N]` tries more of them,
 * `--show=N` prints a program. A program that fails is made smaller before it is printed. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine.h"

/* In the test suite: programs of a style, and which of them go to the second engine, that needs
 * a hundred times as long to compile one as the interpreter to run it. */
enum { SEEDS = 1000, COMPILED = 8 };

/* ---- one program ------------------------------------------------------------------------ */

static bool evaluate(const flow_program *program, flow_memory *memory)
{
    memset(memory, 0x5a, sizeof *memory);
    return flow_evaluate(program, memory);
}

/* The program of a seed: the first one made of it that ends soon. */
static void make(flow_program *program, uint64_t seed, flow_style style, flow_memory *expected)
{
    for (uint64_t attempt = 0;; attempt++) {
        flow_generate(program, seed << 8 | attempt, style);
        if (evaluate(program, expected))
            return;
    }
}

static bool try_way(flow_machine *machine, const flow_program *program, flow_way way,
                    const flow_memory *expected, flow_result *result)
{
    flow_run(machine, program, way, expected, result);
    free(result->text);
    result->text = NULL;
    return result->ok;
}

/* ---- the reducer ------------------------------------------------------------------------ */

/* The kind of failure: what is wrong, without its place. */
static void symptom(const flow_result *result, char out[8])
{
    const char *code = strrchr(result->message, '[');

    (void)snprintf(out, 8, "%s", code ? code : "");
}

static bool still_fails(flow_machine *machine, const flow_program *program, flow_way way,
                        const char *wanted)
{
    flow_memory expected;
    flow_result result;
    char found[8];

    if (!evaluate(program, &expected) || try_way(machine, program, way, &expected, &result))
        return false;
    symptom(&result, found);
    return strcmp(found, wanted) == 0;
}

/* Leaves out statements, or what is around statements, as long as the program fails. */
static void reduce(flow_machine *machine, flow_program *program, flow_way way,
                   const char *wanted)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < program->num_nodes; i++) {
            flow_node *node = &program->nodes[i];
            if (!node->dropped) {
                node->dropped = true;
                if (still_fails(machine, program, way, wanted)) {
                    changed = true;
                    continue;
                }
                node->dropped = false;
            }
            if (!node->dropped && !node->hollow && flow_has_bodies(node)) {
                node->hollow = true;
                node->hollow = still_fails(machine, program, way, wanted);
                changed |= node->hollow;
            }
        }
    }
}

static void explain(flow_machine *machine, flow_program *program, flow_way way,
                    const flow_result *first)
{
    flow_memory expected;
    flow_result result;
    char wanted[8];

    (void)fprintf(stderr, "seed %" PRIu64 " (%s, %u channels, %u of them on): %s\n",
                  program->seed >> 8, flow_way_name(way), program->channels, program->active,
                  first->message);
    symptom(first, wanted);
    reduce(machine, program, way, wanted);
    (void)evaluate(program, &expected);
    flow_run(machine, program, way, &expected, &result);
    (void)fprintf(stderr, "made smaller: %s\n%s\n", result.message, result.text);
    free(result.text);
}

/* ---- many programs ---------------------------------------------------------------------- */

/* Ways that cost more are taken with some of the programs. */
static bool takes(flow_way way, uint64_t seed, uint64_t compiled)
{
    switch (way) {
    case FLOW_COMPILED:
        return compiled && seed % compiled == 0 && visage_has_engine(VISAGE_ENGINE_JIT);
    case FLOW_INTERPRETED:
        return true;
    default:
        return seed % 16 == (uint64_t)way;
    }
}

static bool try_seed(flow_machine *machine, uint64_t seed, flow_style style, uint64_t compiled)
{
    flow_program program;
    flow_memory expected;
    flow_result result;

    make(&program, seed, style, &expected);
    for (uint32_t way = 0; way < FLOW_WAYS; way++) {
        if (!takes((flow_way)way, seed, compiled) ||
            try_way(machine, &program, (flow_way)way, &expected, &result))
            continue;
        explain(machine, &program, (flow_way)way, &result);
        return false;
    }
    return true;
}

/* Returns how many failed; stops at the third. compiled: each program with such a multiple as
 * its seed goes to the second engine too, 0: none. */
static uint32_t try_seeds(uint64_t first, uint64_t count, flow_style style, uint64_t compiled)
{
    flow_machine machine;
    uint32_t failed = 0;

    assert_true(flow_open(&machine));
    for (uint64_t seed = first; seed < first + count && failed < 3; seed++)
        failed += !try_seed(&machine, seed, style, compiled);
    if (visage_has_engine(VISAGE_ENGINE_JIT))
        print_message("# %" PRIu64 " of %" PRIu64 " compiled\n", machine.compiled, count);
    flow_close(&machine);
    return failed;
}

static void structured(void **state)
{
    (void)state;
    assert_int_equal(try_seeds(1, SEEDS, FLOW_STRUCTURED, COMPILED), 0);
}

static void tangled(void **state)
{
    (void)state;
    assert_int_equal(try_seeds(1, SEEDS, FLOW_TANGLED, COMPILED), 0);
}

/* ---- by hand ---------------------------------------------------------------------------- */

static uint64_t number(int argc, char **argv, const char *name, uint64_t otherwise)
{
    size_t length = strlen(name);

    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=')
            return strtoull(argv[i] + length + 1, NULL, 0);
    return otherwise;
}

static int show(uint64_t seed, flow_style style)
{
    flow_program program;
    flow_memory expected;

    make(&program, seed, style, &expected);
    char *text = flow_write(&program);
    (void)printf("%s", text);
    free(text);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structured),
        cmocka_unit_test(tangled),
    };
    uint64_t seeds = number(argc, argv, "--seeds", 0);
    uint64_t shown = number(argc, argv, "--show", 0);

    if (shown)
        return show(shown, (flow_style)number(argc, argv, "--style", FLOW_TANGLED));
    if (seeds) {
        uint64_t first = number(argc, argv, "--first", 1);
        uint64_t compiled = number(argc, argv, "--compiled", 1);
        uint32_t failed = try_seeds(first, seeds / 2, FLOW_STRUCTURED, compiled);
        failed += try_seeds(first, seeds - seeds / 2, FLOW_TANGLED, compiled);
        return failed != 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
