/* SPDX-License-Identifier: MIT
 *
 * Loops over memory that leave it, or nearly do: machine code looks at addresses for many
 * rounds at once. The kernels of tests/data/loops run on both engines, with numbers at the
 * edges of all that they reach; what they leave in memory, and the faults they end with, must
 * be the same.
 *
 *     test_loops [SEED [RUNS [KERNEL [PLATFORM]]]]    runs: of each kernel on each platform */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "run_support.h"

enum { OUT, IN, HOLE, FAR, BUFFERS, OUT_BYTES = 16384, IN_BYTES = 8192, FAR_BYTES = 4096 };

/* Arguments of a kernel, in its order, and where it runs. */
typedef struct numbers {
    int32_t n, start, step;
    int64_t more;
    uint32_t groups, local;
} numbers;

/* What a run left behind. */
typedef struct outcome {
    visage_status status;
    char text[1024];
    uint8_t memory[OUT_BYTES + IN_BYTES + FAR_BYTES];
    visage_run_stats stats;
} outcome;

/* The element of `in` that a round reads, in 64 bits that wrap around. */
typedef uint64_t index_fn(const numbers *with, uint32_t round);

static uint32_t in_32_bits(const numbers *with, uint32_t round)
{
    return (uint32_t)with->start + (uint32_t)with->step * round;
}

static uint64_t line(const numbers *with, uint32_t round)
{
    return (uint64_t)(int64_t)(int32_t)in_32_bits(with, round);
}

static uint64_t index32(const numbers *with, uint32_t round)
{
    return in_32_bits(with, round);
}

static uint64_t more32(const numbers *with, uint32_t round)
{
    return (uint64_t)with->more + in_32_bits(with, round);
}

static uint64_t signed32(const numbers *with, uint32_t round)
{
    return (uint64_t)with->more + line(with, round);
}

static uint64_t index16(const numbers *with, uint32_t round)
{
    return (uint64_t)with->more + (uint16_t)in_32_bits(with, round);
}

static uint64_t signed16(const numbers *with, uint32_t round)
{
    return (uint64_t)with->more + (uint64_t)(int64_t)(int16_t)in_32_bits(with, round);
}

static uint64_t bits11(const numbers *with, uint32_t round)
{
    return (uint64_t)with->more + (in_32_bits(with, round) & 0x7ff);
}

static uint64_t wide(const numbers *with, uint32_t round)
{
    return (uint64_t)(int64_t)with->start + (uint64_t)with->more * round;
}

typedef struct loop_kernel {
    const char *name;
    bool has_groups; /* threads meet */
    index_fn *index; /* NULL: work-items do not all read the same */
    bool is_dense;   /* reads four places a round */
} loop_kernel;

/* clang-format off */
static const loop_kernel kernels[] = {
    {.name = "loads"},
    {.name = "uniform_loads", .index = line},
    {.name = "stores"},
    {.name = "moves"},
    {.name = "backwards"},
    {.name = "unsigned_index", .index = index32},
    {.name = "signed_index", .index = signed32},
    {.name = "unsigned_more"},
    {.name = "short_index", .index = index16},
    {.name = "signed_short", .index = signed16},
    {.name = "char_index"},
    {.name = "wide_index", .index = wide},
    {.name = "byte_index"},
    {.name = "wide_elements"},
    {.name = "dense", .index = line, .is_dense = true},
    {.name = "dense_unsigned", .index = more32, .is_dense = true},
    {.name = "dense_signed", .index = signed32, .is_dense = true},
    {.name = "dense_bits", .index = bits11, .is_dense = true},
    {.name = "dense_wide"},
    {.name = "dense_stores"},
    {.name = "dense_exits"},
    {.name = "doubled"},
    {.name = "square"},
    {.name = "swapped"},
    {.name = "chased"},
    {.name = "chosen"},
    {.name = "crossing"},
    {.name = "exits"},
    {.name = "uniform_exits"},
    {.name = "nested"},
    {.name = "some_rounds"},
    {.name = "masked"},
    {.name = "apart"},
    {.name = "atomics"},
    {.name = "gathered"},
    {.name = "low_bits", .index = bits11},
    {.name = "shifted"},
    {.name = "fibonacci"},
    {.name = "blocks"},
    {.name = "shared", .has_groups = true},
    {.name = "shared_atomics", .has_groups = true},
    {.name = "group_loads", .has_groups = true},
    {.name = "group_stores", .has_groups = true},
    {.name = "group_both", .has_groups = true},
    {.name = "group_odd", .has_groups = true},
    {.name = "group_far", .has_groups = true},
    {.name = "group_loops", .has_groups = true},
    {.name = "group_inner", .has_groups = true},
    {.name = "group_shared", .has_groups = true},
    {.name = "rows"},
    {.name = "signed_rows"},
    {.name = "unequal"},
    {.name = "once_at_least"},
    {.name = "thirds"},
    {.name = "pointers"},
    {.name = "signed_pointers"},
    {.name = "signed_more"},
};

/* Channels gather and diverge. */
static const loop_kernel channel_kernels[] = {
    {.name = "whiles"},
    {.name = "endless"},
    {.name = "levels"},
    {.name = "few"},
    {.name = "pairs"},
    {.name = "letters"},
    {.name = "marks"},
    {.name = "frontier"},
    {.name = "spreads"},
    {.name = "hops"},
    {.name = "strays"},
    {.name = "crowds"},
    {.name = "long_ways"},
    {.name = "ways"},
    {.name = "breaks"},
    {.name = "leaves"},
    {.name = "returns"},
    {.name = "finds"},
    {.name = "exits"},
    {.name = "bytes"},
    {.name = "shorts"},
    {.name = "varied"},
    {.name = "copies"},
    {.name = "both"},
    {.name = "loaded"},
    {.name = "gathers"},
    {.name = "branches"},
    {.name = "inner"},
    {.name = "graphs"},
    {.name = "shares", .has_groups = true},
    {.name = "calls"},
};
/* clang-format on */

static const visage_platform platforms[] = {VISAGE_PLATFORM_PVC, VISAGE_PLATFORM_DG2,
                                            VISAGE_PLATFORM_SKL};

/* Two numbers of channels where addresses are flat, and one where accesses name surfaces. */
static const struct {
    visage_platform platform;
    const char *name;
} channel_files[] = {{VISAGE_PLATFORM_PVC, "pvc32"},
                     {VISAGE_PLATFORM_PVC, "pvc16"},
                     {VISAGE_PLATFORM_SKL, "skl16"}};

static uint64_t seed = 1;
static long num_runs = 70;
static const char *only_kernel, *only_platform;

/* ---- numbers ----------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

#define PICK(state, list) ((list)[next_random(state) % (sizeof(list) / sizeof *(list))])
/* One of two that are half a list apart; which ones depends on the kernel: kernels are compiled
 * for each. */
#define PICK_OF_TWO(state, list, kernel)                                                       \
    ((list)[((kernel) + next_random(state) % 2 * (sizeof(list) / sizeof *(list) / 2)) %        \
            (sizeof(list) / sizeof *(list))])

/* Bytes from a buffer to another one. */
static int64_t distance(const fixture *f, size_t from, size_t to)
{
    return (int64_t)(visage_buffer_address(f->buffers[to]) -
                     visage_buffer_address(f->buffers[from]));
}

/* Most often a start from which the last round, or one in the middle, just is inside, or just
 * is not. */
static int32_t pick_start(uint64_t *state, int32_t rounds, int64_t step)
{
    static const int64_t edges[] = {0, 0, 2048, 2048, 4096, 256, 64, 1024, 1500, 500};
    static const int32_t near[] = {-65, -64, -17, -16, -9, -8, -2, -1, 0, 1, 2, 15, 31, 33};
    static const int32_t others[] = {0, 1, 100, -1, INT32_MAX, INT32_MIN, INT32_MAX - 40, -3};

    if (next_random(state) % 12 == 0)
        return PICK(state, others);
    int32_t round = next_random(state) % 2 && rounds > 0
                        ? rounds - 1
                        : (int32_t)(next_random(state) % (uint32_t)(rounds + 1));
    return (int32_t)(uint32_t)(PICK(state, edges) - step * round + PICK(state, near));
}

/* An index of so many bits wraps around where memory has its middle. */
static numbers pick_wrap(uint64_t *state, numbers out)
{
    static const uint32_t bits[] = {7, 8, 11, 15, 16, 31, 32};
    static const int32_t steps[] = {1, 2, 3, 8, 16, -1, -2, -16};
    static const int32_t near[] = {-3, -2, -1, 0, 1, 2, 3};
    int64_t at = (int64_t)1 << PICK(state, bits);
    int64_t round = (int64_t)(next_random(state) % (uint64_t)(out.n + 1));

    out.step = PICK(state, steps);
    out.start = (int32_t)(uint32_t)(at - out.step * round + PICK(state, near));
    out.more = next_random(state) % 2 ? 1000 - at : 1000;
    if (at == (int64_t)1 << 31 && next_random(state) % 2)
        out.more = 1000 + at;
    return out;
}

/* The first places of the buffer behind the hole, or before them. */
static numbers pick_far(const fixture *f, uint64_t *state, numbers out)
{
    static const int32_t starts[] = {-3, -2, -1, 0, 1, 2, 3};

    out.start = PICK(state, starts);
    out.step = 1;
    out.more = distance(f, IN, FAR) / 4;
    return out;
}

static numbers pick(const fixture *f, const loop_kernel *kernel, uint64_t *state)
{
    static const int32_t rounds[] = {0, 1, 2, 7, 8, 9, 16, 17, 63, 64, 65, 66, 127, 128, 129};
    static const int32_t steps[] = {0,   1,         -1,        2,         16,         -16, 17,
                                    -3,  64,        1000,      0,         1,          -1,  2,
                                    8,   -8,        3,         5,         12,         4,   16,
                                    -2,  INT32_MAX, INT32_MIN, 1 << 28,   -(1 << 29), 8,   32,
                                    -32, 1 << 24,   1 << 16,   0x20000001};
    static const uint32_t locals[] = {16, 64, 128}, groups[] = {1, 1, 2, 3};
    static const uint32_t many_groups[] = {1, 2, 3, 8, 15, 16, 17, 18, 33, 40};
    const int64_t mores[] = {0,
                             1,
                             -1,
                             4,
                             16,
                             -64,
                             5,
                             64,
                             100,
                             1 << 20,
                             INT64_MAX,
                             INT64_MIN,
                             (int64_t)1 << 40,
                             (int64_t)1 << 32,
                             -((int64_t)1 << 32),
                             (int64_t)1 << 31,
                             distance(f, IN, FAR),
                             distance(f, IN, OUT),
                             distance(f, IN, FAR) / 4,
                             distance(f, IN, FAR) / 8,
                             distance(f, IN, FAR) / 16,
                             4096,
                             -4096};
    numbers out = {.n = PICK(state, rounds),
                   .step = PICK(state, steps),
                   .more = PICK(state, mores),
                   .groups = PICK(state, groups),
                   .local = PICK_OF_TWO(state, locals, (size_t)(kernel - kernels))};

    if (kernel->has_groups)
        out.groups = PICK(state, many_groups);
    if (next_random(state) % 8 == 0)
        return pick_far(f, state, out);
    if (next_random(state) % 3 == 0)
        return pick_wrap(state, out);
    out.start = pick_start(
        state, kernel->has_groups && next_random(state) % 2 ? (int32_t)out.groups : out.n,
        out.step);
    return out;
}

/* Most often all that is read is in its memory, where other numbers would end in faults at
 * once. */
static numbers pick_for_channels(const fixture *f, const loop_kernel *kernel, uint64_t *state)
{
    static const int32_t rounds[] = {0, 1, 7, 16, 30, 60, 100, 200, 1000, -1},
                         starts[] = {0, 0, 1, 2, 31, 100, 127, 500, 1000, 1900, 2030, 4000, -1},
                         steps[] = {0, 1, 2, 3, 5, -1, 64, 1000, 1 << 24};
    static const uint32_t locals[] = {1, 7, 16, 20, 32, 64, 100}, groups[] = {1, 1, 2, 3};
    const int64_t mores[] = {0, 1, 500, distance(f, IN, OUT) / 4, distance(f, IN, FAR) / 4, -1};

    numbers out = {.n = PICK(state, rounds),
                   .start = PICK(state, starts),
                   .step = PICK(state, steps),
                   .more = PICK(state, mores),
                   .groups = PICK(state, groups),
                   .local = PICK_OF_TWO(state, locals, (size_t)(kernel - channel_kernels))};
    if (next_random(state) % 4 == 0)
        out.step = (int32_t)out.more;
    return out;
}

/* ---- runs -------------------------------------------------------------------------------- */

static void fill(fixture *f)
{
    static const uint32_t special[] = {77, 78, 1, 0};

    memset(visage_buffer_data(f->buffers[OUT]), 0x11, OUT_BYTES);
    uint32_t *in = visage_buffer_data(f->buffers[IN]),
             *far = visage_buffer_data(f->buffers[FAR]);
    for (uint32_t i = 0; i < IN_BYTES / 4; i++)
        in[i] = i % 97 == 96 ? special[i / 97 % 4] : i * 2654435761u >> 21;
    for (uint32_t i = 0; i < FAR_BYTES / 4; i++)
        far[i] = i * 31 + 7;
}

static void keep(const fixture *f, outcome *out)
{
    size_t count = visage_diagnostics_count(f->diagnostics);

    out->text[0] = 0;
    if (count > 0)
        (void)visage_diagnostic_render(visage_diagnostics_get(f->diagnostics, count - 1), false,
                                       out->text, sizeof out->text);
    memcpy(out->memory, visage_buffer_data(f->buffers[OUT]), OUT_BYTES);
    memcpy(out->memory + OUT_BYTES, visage_buffer_data(f->buffers[IN]), IN_BYTES);
    memcpy(out->memory + OUT_BYTES + IN_BYTES, visage_buffer_data(f->buffers[FAR]), FAR_BYTES);
}

static void run_on(fixture *f, const numbers *with, visage_engine engine, outcome *out)
{
    visage_range range = items(with->groups * with->local, 1, 1, with->local, 1, 1);
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);

    options.engine = engine;
    fill(f);
    set_int(f, 2, with->n);
    set_int(f, 3, with->start);
    set_int(f, 4, with->step);
    set_value(f, 5, &with->more, sizeof with->more);
    visage_diagnostics_clear(f->diagnostics);
    out->status = visage_launch_run(f->launch, &range, &options, f->diagnostics, &out->stats);
    keep(f, out);
}

static void compare(const char *where, const numbers *with, const outcome *jit,
                    const outcome *interp)
{
    size_t at = 0;

    while (at < sizeof jit->memory && jit->memory[at] == interp->memory[at])
        at++;
    if (jit->status == interp->status && !strcmp(jit->text, interp->text) &&
        at == sizeof jit->memory &&
        (jit->status != VISAGE_OK || jit->stats.instructions == interp->stats.instructions))
        return;
    print_error("%s n %d start %d step %d more %lld, %u groups of %u\n", where, with->n,
                with->start, with->step, (long long)with->more, with->groups, with->local);
    print_error("jit: %s, interpreter: %s; first byte that differs: %zu; %llu, %llu\n",
                jit->text, interp->text, at, (unsigned long long)jit->stats.instructions,
                (unsigned long long)interp->stats.instructions);
    fail();
}

/* What a work-item reads in a round. False: a place is not of `in`; *outside: it is in the hole
 * behind it. */
static bool read_round(const fixture *f, const loop_kernel *kernel, uint64_t index,
                       uint32_t *sum, bool *outside)
{
    static const uint32_t weights[] = {1, 5, 7, 9};
    const uint32_t *in = visage_buffer_data(f->buffers[IN]);
    uint32_t value = 0;

    for (uint32_t i = 0; i < (kernel->is_dense ? 4u : 1u); i++) {
        uint64_t at = index + (uint64_t)i * 50;
        if (at >= IN_BYTES / 4) {
            *outside = at < (uint64_t)distance(f, IN, FAR) / 4;
            return false;
        }
        value += in[at] * weights[i];
    }
    *sum = *sum * 3 + value;
    return true;
}

/* What the source says: the sum, where all that is read is in the buffer. */
static void expect_sum(const fixture *f, const loop_kernel *kernel, const numbers *with,
                       const outcome *got)
{
    uint32_t sum = 0;
    bool outside = false, inside = true;

    for (uint32_t i = 0; i < (uint32_t)with->n && inside; i++)
        inside = read_round(f, kernel, kernel->index(with, i), &sum, &outside);
    if (!inside) {
        assert_true(!outside || got->status == VISAGE_FAULT);
        return;
    }
    assert_int_equal(got->status, VISAGE_OK);
    for (uint32_t i = 0; i < with->groups * with->local; i++)
        assert_memory_equal(got->memory + 4 * (size_t)i, &sum, sizeof sum);
}

typedef numbers pick_fn(const fixture *f, const loop_kernel *kernel, uint64_t *state);

static void run_kernel(fixture *f, const loop_kernel *kernel, const char *platform,
                       pick_fn *pick_numbers)
{
    static outcome outcomes[2];
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    char where[128];
    unsigned num_faults = 0;

    if (only_kernel && strcmp(only_kernel, kernel->name) != 0)
        return;
    (void)snprintf(where, sizeof where, "%s on %s:", kernel->name, platform);
    open_kernel(f, kernel->name);
    set_buffer(f, 0, OUT);
    set_buffer(f, 1, IN);
    for (long i = 0; i < num_runs; i++) {
        numbers with = pick_numbers(f, kernel, &state);
        run_on(f, &with, VISAGE_ENGINE_INTERPRETER, &outcomes[0]);
        run_on(f, &with, VISAGE_ENGINE_JIT, &outcomes[1]);
        num_faults += outcomes[0].status == VISAGE_FAULT;
        compare(where, &with, &outcomes[1], &outcomes[0]);
        if (kernel->index)
            expect_sum(f, kernel, &with, &outcomes[1]);
    }
    print_message("%s %u faults of %ld\n", where, num_faults, num_runs);
}

/* The program for a platform, and buffers with a hole between two of them. */
static void open_file(fixture *f, visage_platform platform, const char *path)
{
    static const size_t sizes[BUFFERS] = {OUT_BYTES, IN_BYTES, 12288, FAR_BYTES};
    size_t size;
    uint8_t *bytes = load(path, &size);
    make_device(f, platform, 1);
    visage_status status = visage_module_read_memory(f->context, "loops", bytes, size, NULL,
                                                     f->diagnostics, &f->module);
    free(bytes);
    expect_status(f, status, VISAGE_OK);
    status = visage_program_create(f->device, f->module, f->diagnostics, &f->program);
    expect_status(f, status, VISAGE_OK);
    for (size_t i = 0; i < BUFFERS; i++)
        (void)make_buffer(f, i, sizes[i], 0);
    visage_buffer_destroy(&f->buffers[HOLE]);
}

static void open_loops(fixture *f, visage_platform platform)
{
    char path[64];

    (void)snprintf(path, sizeof path, "loops/loops.%s.zebin", visage_platform_name(platform));
    open_file(f, platform, path);
}

static bool is_named(const char *platform)
{
    return !only_platform || strcmp(only_platform, platform) == 0;
}

static bool is_asked_for(visage_platform platform)
{
    return is_named(visage_platform_name(platform));
}

static void engines_agree(void **state)
{
    fixture *f = *state;

    for (size_t p = 0; p < sizeof platforms / sizeof *platforms; p++) {
        if (!is_asked_for(platforms[p]))
            continue;
        open_loops(f, platforms[p]);
        for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
            run_kernel(f, &kernels[i], visage_platform_name(platforms[p]), pick);
        drop(f);
    }
}

static void engines_agree_on_channels(void **state)
{
    fixture *f = *state;

    for (size_t p = 0; p < sizeof channel_files / sizeof *channel_files; p++) {
        const char *name = channel_files[p].name;
        char path[64];
        if (!is_named(name))
            continue;
        (void)snprintf(path, sizeof path, "loops/channels.%s.zebin", name);
        open_file(f, channel_files[p].platform, path);
        for (size_t i = 0; i < sizeof channel_kernels / sizeof *channel_kernels; i++)
            run_kernel(f, &channel_kernels[i], name, pick_for_channels);
        drop(f);
    }
}

/* A run of one group, 1000 rounds if `step` is 1. */
static visage_status stopped(fixture *f, visage_engine engine, int32_t step,
                             visage_run_options options)
{
    visage_range range = items(64, 1, 1, 64, 1, 1);

    options.struct_size = sizeof options;
    options.engine = engine;
    fill(f);
    set_buffer(f, 0, OUT);
    set_buffer(f, 1, IN);
    set_int(f, 2, 1000);
    set_int(f, 3, 3);
    set_int(f, 4, step);
    set_value(f, 5, &(int64_t){0}, sizeof(int64_t));
    visage_diagnostics_clear(f->diagnostics);
    return visage_launch_run(f->launch, &range, &options, f->diagnostics, NULL);
}

/* Loops without an end, and with one that comes before a budget is spent, or behind. */
static void loops_are_stopped(void **state)
{
    static const char *const names[] = {"endless", "group_endless"};
    static const visage_engine engines[] = {VISAGE_ENGINE_INTERPRETER, VISAGE_ENGINE_JIT};
    fixture *f = *state;

    for (size_t i = 0; i < 12; i++) {
        visage_engine engine = engines[i & 1];
        if (!is_asked_for(platforms[i / 4]))
            continue;
        open_loops(f, platforms[i / 4]);
        open_kernel(f, names[i >> 1 & 1]);
        expect_status(f, stopped(f, engine, 0, (visage_run_options){.timeout_ms = 100}),
                      VISAGE_CANCELLED);
        expect_diagnostic(f, "X0120", "stopped after 100 ms");
        expect_status(f, stopped(f, engine, 0, (visage_run_options){.instructions = 30000}),
                      VISAGE_CANCELLED);
        expect_diagnostic(f, "X0121", "a thread ran more than 30000 instructions");
        expect_status(f, stopped(f, engine, 1, (visage_run_options){.instructions = 2000}),
                      VISAGE_CANCELLED);
        expect_status(f, stopped(f, engine, 1, (visage_run_options){.instructions = 200000}),
                      VISAGE_OK);
        drop(f);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        num_runs = strtol(argv[2], NULL, 10);
    only_kernel = argc > 3 ? argv[3] : NULL;
    only_platform = argc > 4 ? argv[4] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(engines_agree, set_up, tear_down),
        cmocka_unit_test_setup_teardown(engines_agree_on_channels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(loops_are_stopped, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
