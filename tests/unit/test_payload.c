/* SPDX-License-Identifier: MIT
 *
 * What a thread finds when it starts: arguments, ids, sizes, registers; from real zebins
 * (tests/data/launch, whose kernels say what they write) and from small texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "run_support.h"
#include "runtime/payload.h"

static const visage_platform platforms[] = {VISAGE_PLATFORM_SKL, VISAGE_PLATFORM_DG2,
                                            VISAGE_PLATFORM_PVC};
enum { NUM_PLATFORMS = sizeof platforms / sizeof *platforms };

/* ---- zebins ----------------------------------------------------------------------------- */

static void check_values(fixture *f)
{
    const int8_t a = -3, vec3[4] = {1, 2, -9, 77};
    const int16_t b = -300;
    const int64_t d = -5 * ((int64_t)1 << 32) + 1234;
    const float e = -12.75f;
    const int32_t g[4] = {5, 600, 7, 8};
    float h[16] = {0};
    const uint32_t u[8] = {0, 1, 2, 3, 4, 5, 6, 4000000000u};
    const int32_t wanted[10] = {-3,  -300, 100000, -5, -12, -9, 600, 99, (int32_t)4000000000u,
                                1234};

    h[15] = 99.5f;
    open_kernel(f, "values");
    int32_t *out = make_buffer(f, 0, 64 * sizeof wanted, 0xee);
    set_value(f, 0, &a, sizeof a);
    set_value(f, 1, &b, sizeof b);
    set_int(f, 2, 100000);
    set_value(f, 3, &d, sizeof d);
    set_value(f, 4, &e, sizeof e);
    set_value(f, 5, vec3, sizeof vec3);
    set_value(f, 6, g, sizeof g);
    set_value(f, 7, h, sizeof h);
    set_value(f, 8, u, sizeof u);
    set_buffer(f, 9, 0);
    run_well(f, items(64, 0, 0, 32, 0, 0));
    for (size_t i = 0; i < 64; i++)
        assert_memory_equal(out + i * 10, wanted, sizeof wanted);
}

typedef struct grid {
    uint32_t global[3], local[3];
    uint64_t offset[3];
    uint32_t dims;
} grid;

static uint32_t simd_size(fixture *f)
{
    visage_kernel_info info;

    assert_int_equal(
        visage_module_get_kernel(f->module, visage_launch_kernel(f->launch), &info), VISAGE_OK);
    return info.simd_size;
}

static void check_item(const grid *g, const uint32_t at[3], uint32_t lanes, const uint32_t *got)
{
    uint32_t linear = 0;

    for (uint32_t d = 3; d-- > 0;)
        linear = linear * g->local[d] + at[d] % g->local[d];
    for (uint32_t d = 0; d < 3; d++) {
        assert_int_equal(got[d], at[d] + g->offset[d]);
        assert_int_equal(got[3 + d], at[d] % g->local[d]);
        assert_int_equal(got[6 + d], at[d] / g->local[d]);
        assert_int_equal(got[9 + d], g->global[d]);
        assert_int_equal(got[12 + d], g->local[d]);
        assert_int_equal(got[15 + d], g->global[d] / g->local[d]);
    }
    assert_int_equal(got[18], g->dims);
    assert_int_equal(got[19], linear % lanes);
}

static void check_grid(fixture *f, const grid *g)
{
    size_t count = (size_t)g->global[0] * g->global[1] * g->global[2];
    uint32_t *out = make_buffer(f, 0, count * 80, 0xee);
    visage_range range =
        items(g->global[0], g->dims > 1 ? g->global[1] : 0, g->dims > 2 ? g->global[2] : 0,
              g->local[0], g->local[1], g->local[2]);
    visage_run_stats stats;
    uint32_t lanes = simd_size(f);
    uint32_t group = g->local[0] * g->local[1] * g->local[2];

    memcpy(range.offset, g->offset, sizeof range.offset);
    set_buffer(f, 0, 0);
    expect_status(f, run(f, range, &stats), VISAGE_OK);
    assert_int_equal(stats.groups, count / group);
    assert_int_equal(stats.threads, count / group * ((group + lanes - 1) / lanes));
    for (uint32_t z = 0; z < g->global[2]; z++)
        for (uint32_t y = 0; y < g->global[1]; y++)
            for (uint32_t x = 0; x < g->global[0]; x++, out += 20)
                check_item(g, (uint32_t[]){x, y, z}, lanes, out);
}

static void check_ids(fixture *f)
{
    static const grid grids[] = {
        {{64, 1, 1}, {64, 1, 1}, {0, 0, 0}, 1},
        {{96, 1, 1}, {24, 1, 1}, {1000, 0, 0}, 1}, /* three quarters of a thread or less */
        {{40, 3, 1}, {20, 3, 1}, {0, 7, 0}, 2},    /* 60: the last thread is not full */
        {{12, 6, 4}, {4, 3, 2}, {3, 4, 5}, 3},
        {{8, 1, 1}, {1, 1, 1}, {0, 0, 0}, 1},
        {{1, 1, 5}, {1, 1, 5}, {0, 0, 9}, 3},
        {{256, 1, 1}, {256, 1, 1}, {0, 0, 0}, 1},
    };

    open_kernel(f, "where");
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        check_grid(f, &grids[i]);
}

static void check_locals(fixture *f)
{
    static const uint32_t sizes[] = {16, 20, 64};

    open_kernel(f, "locals");
    for (size_t s = 0; s < 3; s++) {
        uint32_t size = sizes[s];
        float *out = make_buffer(f, 0, size * 3 * 16, 0);
        set_buffer(f, 0, 0);
        for (size_t i = 1; i < 4; i++)
            expect_status(f,
                          visage_launch_set_local(f->launch, i,
                                                  size * (i == 1   ? 1
                                                          : i == 2 ? 16
                                                                   : 4),
                                                  f->diagnostics),
                          VISAGE_OK);
        run_well(f, items(size * 3, 0, 0, size, 0, 0));
        for (uint32_t i = 0; i < size * 3; i++) {
            uint32_t l = i % size, r = size - 1 - l;
            const float wanted[4] = {(float)r + (float)(int8_t)(r + 1), 2.0f + (float)(l % 5),
                                     3.0f + (float)(r * 3), 4.0f};
            assert_memory_equal(out + (size_t)i * 4, wanted, sizeof wanted);
        }
    }
}

/* Each thread has private memory of its own, whichever worker runs it. */
static void check_private(fixture *f)
{
    enum { ITEMS = 512, N = 64 };
    visage_kernel_info info;

    open_kernel(f, "reversed");
    assert_int_equal(
        visage_module_get_kernel(f->module, visage_launch_kernel(f->launch), &info), VISAGE_OK);
    assert_int_equal(info.private_bytes, info.simd_size * N * sizeof(int32_t));
    int32_t *data = make_buffer(f, 0, ITEMS * N * sizeof *data, 0);
    for (int32_t i = 0; i < ITEMS; i++)
        for (int32_t k = 0; k < N; k++)
            data[i * N + k] = (k * 5 + i * 3) & 63; /* a permutation for each work-item */
    set_buffer(f, 0, 0);
    set_int(f, 1, N);
    run_well(f, items(ITEMS, 0, 0, 64, 0, 0));
    for (int32_t i = 0; i < ITEMS; i++)
        for (int32_t k = 0; k < N; k++) {
            int32_t slot = (k * 5 + i * 3) & 63;
            assert_int_equal(data[i * N + slot], k + i * 100);
        }
}

/* A variable of the program is initialised once. */
static void check_globals(fixture *f)
{
    for (int32_t i = 1; i <= 3; i++) {
        open_kernel(f, "count");
        int32_t *out = make_buffer(f, 0, 4, 0);
        set_buffer(f, 0, 0);
        run_well(f, items(32, 0, 0, 32, 0, 0));
        assert_int_equal(*out, 40 + 2 * i);
    }
}

/* ---- functions that ask for ids -------------------------------------------------------------
 */

static void check_indirect(fixture *f, visage_platform platform)
{
    enum { X = 12, Y = 6, Z = 4 };
    char name[64];
    size_t size;

    (void)snprintf(name, sizeof name, "launch/indirect.%s.zebin",
                   visage_platform_name(platform));
    uint8_t *bytes = load(name, &size);
    make_device(f, platform, 2);
    visage_status status = visage_module_read_memory(f->context, "indirect", bytes, size, NULL,
                                                     f->diagnostics, &f->module);
    free(bytes);
    expect_status(f, status, VISAGE_OK);
    status = visage_program_create(f->device, f->module, f->diagnostics, &f->program);
    expect_status(f, status, VISAGE_OK);
    open_kernel(f, NULL); /* the pseudo kernel is none */
    int32_t *out = make_buffer(f, 0, X * Y * Z * sizeof *out, 0);
    set_buffer(f, 0, 0);
    run_well(f, items(X, Y, Z, 6, 3, 2));
    for (int32_t i = 0; i < X * Y * Z; i++) {
        int32_t x = i % X, y = i / X % Y, z = i / (X * Y);
        assert_int_equal(out[i], (i & 7) + x % 6 + y % 3 * 100 + z % 2 * 10000 + 3 * 1000000 +
                                     6 * 10000000 + y / 3 * 100000000);
    }
}

static void on_every_platform(void **state, uint32_t jobs, void (*check)(fixture *))
{
    fixture *f = *state;

    for (size_t i = 0; i < NUM_PLATFORMS; i++) {
        open_zebin(f, platforms[i], jobs);
        check(f);
        drop(f);
    }
}

static void values_by_value(void **state)
{
    on_every_platform(state, 1, check_values);
}

static void ids_and_sizes(void **state)
{
    on_every_platform(state, 1, check_ids);
    on_every_platform(state, 3, check_ids);
}

static void local_arguments(void **state)
{
    on_every_platform(state, 1, check_locals);
}

static void private_memory(void **state)
{
    on_every_platform(state, 1, check_private);
    on_every_platform(state, 3, check_private);
}

static void global_variables(void **state)
{
    on_every_platform(state, 1, check_globals);
}

static void functions_find_ids_in_memory(void **state)
{
    fixture *f = *state;

    check_indirect(f, VISAGE_PLATFORM_DG2);
}

/* The same through `arg` addresses. */
/* An input is a whole register of 32 bytes then, of which the ids of eight work-items are a
 * half.
 */
static void eight_ids_are_told(void **state)
{
    fixture *f = *state;
    const visage_range range = items(64, 0, 0, 16, 0, 0);
    const uint32_t no_place = 0;
    vsg_run_dispatch dispatch;
    vsg_run_payload payload;
    vsg_base_arena arena;
    uint32_t axes = 0;

    check_indirect(f, VISAGE_PLATFORM_DG2);
    assert_int_equal(simd_size(f), 8);
    vsg_base_arena_init(&arena, &f->launch->alloc);
    const vsg_run_payload_maker maker = {f->launch, &dispatch, &no_place, &arena,
                                         f->diagnostics};
    expect_status(f,
                  vsg_run_dispatch_make(f->launch->kernel, f->device, &range, 0,
                                        f->launch->walk.order, f->diagnostics, &dispatch),
                  VISAGE_OK);
    expect_status(f, vsg_run_payload_make(&maker, &payload), VISAGE_OK);
    for (uint32_t i = 0; i < payload.num_copies; i++) {
        const vsg_jit_piece *piece = &payload.copies[i];
        assert_int_equal(piece->axis, piece->per_thread ? (int8_t)(piece->from / 32) : -1);
        assert_int_equal(piece->channel, 0);
        axes += piece->axis >= 0;
    }
    assert_int_equal(axes, 3);
    vsg_base_arena_free(&arena);
}

static void functions_find_ids_on_pvc(void **state)
{
    fixture *f = *state;

    check_indirect(f, VISAGE_PLATFORM_PVC);
}

/* ---- registers -------------------------------------------------------------------------- */

/* Each thread writes a row of 16 dwords, one after the other in the order of the groups, then
 * of the threads of a group. The barrier keeps all threads of a group alive. */
#define ROWS(at, more, barrier)                                                                \
    ".version 4.1\n"                                                                           \
    ".kernel \"rows\"\n"                                                                       \
    ".decl V32 v_type=G type=uq num_elts=1 align=qword\n"                                      \
    ".decl V33 v_type=G type=ud num_elts=16 align=GRF\n"                                       \
    ".decl V34 v_type=G type=ud num_elts=3 align=dword\n"                                      \
    ".decl V35 v_type=G type=ud num_elts=3 align=dword\n"                                      \
    ".decl V36 v_type=G type=uw num_elts=3 align=dword\n"                                      \
    ".decl V37 v_type=G type=ud num_elts=1 align=dword\n"                                      \
    ".decl V38 v_type=G type=uq num_elts=1 align=qword\n"                                      \
    ".input V32 offset=" at " size=8\n"                                                        \
    ".implicit_GROUP_COUNT V34 offset=200 size=12\n"                                           \
    ".implicit_LOCAL_SIZE V35 offset=212 size=12\n"                                            \
    ".implicit_LOCAL_ID V36 offset=224 size=6\n"                                               \
    ".kernel_attr Target=\"cm\"\n"                                                             \
    ".function \"rows_0\"\n"                                                                   \
    "rows_0:\n" more barrier                                                                   \
    "    mul (M1_NM, 1) V37(0,0)<1> %group_id_z(0,0)<0;1,0> V34(0,1)<0;1,0>\n"                 \
    "    add (M1_NM, 1) V37(0,0)<1> V37(0,0)<0;1,0> %group_id_y(0,0)<0;1,0>\n"                 \
    "    mul (M1_NM, 1) V37(0,0)<1> V37(0,0)<0;1,0> V34(0,0)<0;1,0>\n"                         \
    "    add (M1_NM, 1) V37(0,0)<1> V37(0,0)<0;1,0> %group_id_x(0,0)<0;1,0>\n"                 \
    "    mul (M1_NM, 1) V37(0,0)<1> V37(0,0)<0;1,0> V35(0,2)<0;1,0>\n"                         \
    "    add (M1_NM, 1) V37(0,0)<1> V37(0,0)<0;1,0> V36(0,2)<0;1,0>\n"                         \
    "    mul (M1_NM, 1) V37(0,0)<1> V37(0,0)<0;1,0> V35(0,1)<0;1,0>\n"                         \
    "    add (M1_NM, 1) V37(0,0)<1> V37(0,0)<0;1,0> V36(0,1)<0;1,0>\n"                         \
    "    mul (M1_NM, 1) V37(0,0)<1> V37(0,0)<0;1,0> V35(0,0)<0;1,0>\n"                         \
    "    add (M1_NM, 1) V37(0,0)<1> V37(0,0)<0;1,0> V36(0,0)<0;1,0>\n"                         \
    "    shl (M1_NM, 1) V37(0,0)<1> V37(0,0)<0;1,0> 0x6:ud\n"                                  \
    "    add (M1_NM, 1) V38(0,0)<1> V32(0,0)<0;1,0> V37(0,0)<0;1,0>\n"                         \
    "    svm_block_st (4) V38(0,0)<0;1,0> V33.0\n"                                             \
    "    ret (M1, 1)\n"

#define R0_AND_IDS                                                                             \
    "    mov (M1_NM, 8) V33(0,0)<1> %r0(0,0)<1;1,0>\n"                                         \
    "    mov (M1_NM, 1) V33(1,0)<1> %group_id_x(0,0)<0;1,0>\n"                                 \
    "    mov (M1_NM, 1) V33(1,1)<1> %group_id_y(0,0)<0;1,0>\n"                                 \
    "    mov (M1_NM, 1) V33(1,2)<1> %group_id_z(0,0)<0;1,0>\n"                                 \
    "    mov (M1_NM, 1) V33(1,3)<1> %cr0(0,0)<0;1,0>\n"                                        \
    "    mov (M1_NM, 1) V33(1,4)<1> %sr0(0,2)<0;1,0>\n"                                        \
    "    mov (M1_NM, 1) V33(1,5)<1> V36(0,0)<0;1,0>\n"                                         \
    "    mov (M1_NM, 1) V33(1,6)<1> %thread_x(0,0)<0;1,0>\n"                                   \
    "    mov (M1_NM, 1) V33(1,7)<1> %thread_y(0,0)<0;1,0>\n"

static void registers_of_threads(void **state)
{
    fixture *f = *state;
    uint32_t wanted[16] = {0};

    open_text(f, VISAGE_PLATFORM_SKL, ROWS("32", R0_AND_IDS, ""), NULL);
    open_kernel(f, NULL);
    uint32_t *out = make_buffer(f, 0, 3 * 2 * 2 * 4 * 64, 0xee);
    set_buffer(f, 0, 0);
    run_well(f, threads(3, 2, 2, 2, 2, 1));
    for (uint32_t i = 0; i < 3 * 2 * 2 * 4; i++, out += 16) {
        uint32_t group = i / 4;
        wanted[1] = wanted[8] = group % 3;
        wanted[6] = wanted[9] = group / 3 % 2;
        wanted[7] = wanted[10] = group / 6;
        wanted[12] = UINT32_MAX; /* no SimdSize: all 32 channels are on */
        wanted[13] = i % 2;
        assert_memory_equal(out, wanted, sizeof wanted);
    }
}

static void places_of_a_media_space(void **state)
{
    fixture *f = *state;
    visage_range range = threads(0, 0, 0, 0, 0, 0);

    open_text(f, VISAGE_PLATFORM_SKL, ROWS("32", R0_AND_IDS, ""), NULL);
    open_kernel(f, NULL);
    uint32_t *out = make_buffer(f, 0, 5 * 3 * 64, 0xee);
    set_buffer(f, 0, 0);
    range.space[0] = 5;
    range.space[1] = 3;
    run_well(f, range);
    for (uint32_t y = 0; y < 3; y++)
        for (uint32_t x = 0; x < 5; x++, out += 16) {
            assert_int_equal(out[14], x);
            assert_int_equal(out[15], y);
            assert_int_equal(out[8], x);
            assert_int_equal(out[9], y);
        }
    range.groups[0] = 4; /* not the space's */
    assert_int_equal(run(f, range, NULL), VISAGE_INVALID);
    expect_diagnostic(f, "A0012", "one thread a place");
}

static void implicit_sizes(void **state)
{
    fixture *f = *state;
    const uint32_t wanted[6] = {3, 2, 2, 2, 3, 2};

    open_text(f, VISAGE_PLATFORM_SKL,
              ROWS("32",
                   "    mov (M1_NM, 2) V33(0,0)<1> V34(0,0)<1;1,0>\n"
                   "    mov (M1_NM, 1) V33(0,2)<1> V34(0,2)<0;1,0>\n"
                   "    mov (M1_NM, 2) V33(0,3)<1> V35(0,0)<1;1,0>\n"
                   "    mov (M1_NM, 1) V33(0,5)<1> V35(0,2)<0;1,0>\n",
                   ""),
              NULL);
    open_kernel(f, NULL);
    uint32_t *out = make_buffer(f, 0, 144 * 64, 0xee);
    set_buffer(f, 0, 0);
    run_well(f, threads(3, 2, 2, 2, 3, 2));
    for (uint32_t i = 0; i < 144; i++)
        assert_memory_equal(out + (size_t)i * 16, wanted, sizeof wanted);
}

#define THREAD_IDS                                                                             \
    "    mov (M1_NM, 1) V33(0,0)<1> %hw_id(0,0)<0;1,0>\n"                                      \
    "    mov (M1_NM, 1) V33(0,1)<1> %sr0(0,0)<0;1,0>\n"

/* The bits that programs take out of %sr0, as seen in stack_call of the vector corpus. */
static uint32_t squeeze(visage_platform platform, uint32_t id)
{
    if (platform == VISAGE_PLATFORM_PVC)
        id = (id & 0x3f) | (id >> 2 & 0xffffffc0u);
    else
        id = (id & 0x3f) | (id >> 1 & 0xffffffc0u);
    return (id & 7) | (id >> 1 & 0xfffffff8u);
}

static void live_threads_have_numbers_of_their_own(void **state)
{
    fixture *f = *state;
    static const visage_platform newer[] = {VISAGE_PLATFORM_XEHP, VISAGE_PLATFORM_DG2,
                                            VISAGE_PLATFORM_PVC};

    for (size_t p = 0; p < 3; p++) {
        bool seen[1024] = {false};
        const char *text = newer[p] == VISAGE_PLATFORM_PVC
                               ? ROWS("64", THREAD_IDS, "    barrier\n")
                               : ROWS("32", THREAD_IDS, "    barrier\n");
        open_text(f, newer[p], text, NULL);
        open_kernel(f, NULL);
        uint32_t *out = make_buffer(f, 0, 1024 * 64, 0xee);
        set_buffer(f, 0, 0);
        run_well(f, threads(1, 1, 1, 1024, 1, 1));
        for (size_t i = 0; i < 1024; i++, out += 16) {
            assert_true(out[0] < 1024);
            assert_false(seen[out[0]]);
            seen[out[0]] = true;
            /* Dropped bits are zero, so nothing else was in the number. */
            assert_int_equal(squeeze(newer[p], out[1]), out[0]);
            uint32_t mask = newer[p] == VISAGE_PLATFORM_PVC ? 0x7fff : 0x3fff;
            assert_int_equal(out[1] & ~mask, 0);
        }
        drop(f);
    }
}

/* ---- surfaces of a plain kernel --------------------------------------------------------- */

static const char two_surfaces[] =
    ".version 4.1\n"
    ".kernel \"copy\"\n"
    ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n"
    ".decl V33 v_type=G type=ud num_elts=1 align=dword\n"
    ".decl T6 v_type=T num_elts=1\n"
    ".decl T7 v_type=T num_elts=1\n"
    ".input V33 offset=32 size=4\n"
    ".input T7 offset=36 size=4\n"
    ".input T6 offset=40 size=4\n"
    ".kernel_attr Target=\"cm\"\n"
    ".function \"copy_0\"\n"
    "copy_0:\n"
    "    oword_ld (2) T7 0x0:ud V32.0\n"
    "    add (M1_NM, 8) V32(0,0)<1> V32(0,0)<1;1,0> V33(0,0)<0;1,0>\n"
    "    oword_st (2) T6 0x0:ud V32.0\n"
    "    ret (M1, 1)\n";

static void surfaces_get_entries_of_their_own(void **state)
{
    fixture *f = *state;
    visage_argument_info arg;

    open_text(f, VISAGE_PLATFORM_SKL, two_surfaces, NULL);
    open_kernel(f, NULL);
    assert_int_equal(visage_module_get_argument(f->module, 0, 0, &arg), VISAGE_OK);
    assert_int_equal(arg.kind, VISAGE_ARGUMENT_VALUE);
    assert_int_equal(arg.size_bytes, 4);
    assert_int_equal(visage_module_get_argument(f->module, 0, 1, &arg), VISAGE_OK);
    assert_int_equal(arg.kind, VISAGE_ARGUMENT_BUFFER);
    assert_string_equal(arg.name, "T7");
    uint32_t *from = make_buffer(f, 0, 40, 0), *to = make_buffer(f, 1, 20, 0xee);
    for (uint32_t i = 0; i < 10; i++)
        from[i] = i;
    set_int(f, 0, 100);
    expect_status(f, visage_launch_set_buffer(f->launch, 1, f->buffers[0], 8, f->diagnostics),
                  VISAGE_OK);
    set_buffer(f, 2, 1);
    run_well(f, threads(0, 0, 0, 0, 0, 0));
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(to[i], 100 + 2 + i);
    assert_int_equal(to[5], 0); /* outside the surface: dropped, as the page says */
}

/* Bytes and words of T7 at the places that T6 begins with, to behind these. */
static const char gathers[] = ".version 4.1\n"
                              ".kernel \"gathers\"\n"
                              ".decl AT v_type=G type=ud num_elts=16 align=GRF\n"
                              ".decl BYTES v_type=G type=ud num_elts=16 align=GRF\n"
                              ".decl WORDS v_type=G type=ud num_elts=16 align=GRF\n"
                              ".decl T6 v_type=T num_elts=1\n"
                              ".decl T7 v_type=T num_elts=1\n"
                              ".input T7 offset=32 size=4\n"
                              ".input T6 offset=36 size=4\n"
                              ".kernel_attr Target=\"cm\"\n"
                              ".function \"gathers_0\"\n"
                              "gathers_0:\n"
                              "    oword_ld (4) T6 0x0:ud AT.0\n"
                              "    gather_scaled.1 (M1_NM, 16) T7 0x0:ud AT.0 BYTES.0\n"
                              "    gather_scaled.2 (M1_NM, 16) T7 0x0:ud AT.0 WORDS.0\n"
                              "    oword_st (4) T6 0x4:ud BYTES.0\n"
                              "    oword_st (4) T6 0x8:ud WORDS.0\n"
                              "    ret (M1, 1)\n";

/* Surfaces begin at any byte of a buffer; hosts gather bytes out of aligned dwords. */
static void surfaces_begin_at_any_byte(void **state)
{
    enum { BYTES = 64, CHANNELS = 16 };
    static const visage_engine engines[] = {VISAGE_ENGINE_INTERPRETER, VISAGE_ENGINE_JIT};
    static const uint32_t at[CHANNELS] = {59, 0,  1,  2,  3,  7, 6, 5,
                                          40, 31, 33, 34, 58, 9, 4, 57};
    fixture *f = *state;
    visage_run_options options = VISAGE_OPTIONS_INIT(visage_run_options);
    visage_range range = threads(0, 0, 0, 0, 0, 0);

    open_text(f, VISAGE_PLATFORM_SKL, gathers, NULL);
    open_kernel(f, NULL);
    uint8_t *from = make_buffer(f, 0, BYTES, 0);
    uint32_t *to = make_buffer(f, 1, 3 * sizeof at, 0);
    for (uint32_t i = 0; i < BYTES; i++)
        from[i] = (uint8_t)(i * 37 + 11);
    memcpy(to, at, sizeof at);
    set_buffer(f, 1, 1);
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t first = i / 2;
        options.engine = engines[i % 2];
        expect_status(
            f, visage_launch_set_buffer(f->launch, 0, f->buffers[0], first, f->diagnostics),
            VISAGE_OK);
        memset(to + CHANNELS, 0xee, 2 * sizeof at);
        expect_status(f, visage_launch_run(f->launch, &range, &options, f->diagnostics, NULL),
                      VISAGE_OK);
        for (uint32_t c = 0; c < CHANNELS; c++) {
            const uint8_t *wanted = from + first + at[c];
            assert_int_equal(to[CHANNELS + c] & 0xff, wanted[0]);
            assert_int_equal(to[2 * CHANNELS + c] & 0xffff, wanted[0] | wanted[1] << 8);
        }
    }
}

/* What an argument was is not in its entry any more when it is null. */
static void entries_are_empty_between_runs(void **state)
{
    fixture *f = *state;

    open_text(f, VISAGE_PLATFORM_SKL, two_surfaces, NULL);
    open_kernel(f, NULL);
    (void)make_buffer(f, 0, 32, 0x11);
    uint32_t *to = make_buffer(f, 1, 32, 0);
    set_int(f, 0, 100);
    set_buffer(f, 1, 0);
    set_buffer(f, 2, 1);
    run_well(f, threads(0, 0, 0, 0, 0, 0));
    assert_int_equal(to[0], 100 + 0x11111111);
    expect_status(f, visage_launch_set_buffer(f->launch, 1, NULL, 0, f->diagnostics),
                  VISAGE_OK);
    expect_status(f, run(f, threads(0, 0, 0, 0, 0, 0), NULL), VISAGE_FAULT);
    expect_diagnostic(f, "X0104", "surface 0 is not bound");
}

/* ---- text and .ze_info together
 * -------------------------------------------------------------- */

#define STORE(at, attributes)                                                                  \
    ".version 4.1\n"                                                                           \
    ".kernel \"kernel\"\n"                                                                     \
    ".decl V32 v_type=G type=uq num_elts=1 align=qword\n"                                      \
    ".decl V33 v_type=G type=ud num_elts=8 align=GRF\n"                                        \
    ".input V32 offset=" at " size=8\n" attributes ".function \"_main_0\"\n"                   \
    "_main_0:\n"                                                                               \
    "    mov (M1_NM, 8) V33(0,0)<1> 0x2a:ud\n"                                                 \
    "    svm_block_st (2) V32(0,0)<0;1,0> V33.0\n"                                             \
    "    ret (M1, 1)\n"

#define INFO(offset, env, per_thread)                                                          \
    "version: '1.20'\n"                                                                        \
    "kernels:\n"                                                                               \
    "  - name: stored\n"                                                                       \
    "    execution_env:\n" env "    payload_arguments:\n"                                      \
    "      - arg_type: arg_bypointer\n"                                                        \
    "        offset: " offset "\n"                                                             \
    "        size: 8\n"                                                                        \
    "        arg_index: 0\n"                                                                   \
    "        addrmode: stateless\n"                                                            \
    "        addrspace: global\n"                                                              \
    "        access_type: writeonly\n" per_thread

#define SIMD(n) "      simd_size: " n "\n"
#define INLINE  "      inline_data_payload_size: 32\n"
#define LOCAL_IDS(size)                                                                        \
    "    per_thread_payload_arguments:\n"                                                      \
    "      - arg_type: local_id\n"                                                             \
    "        offset: 0\n"                                                                      \
    "        size: " size "\n"
#define PACKED_IDS                                                                             \
    "    per_thread_payload_arguments:\n"                                                      \
    "      - arg_type: packed_local_ids\n"                                                     \
    "        offset: 0\n"                                                                      \
    "        size: 6\n"

typedef struct start_case {
    visage_platform platform;
    const char *text, *info;
} start_case;

/* Where the common part starts, spec dialect 5.3 and the vector corpus. */
static void start_of_the_common_part(void **state)
{
    static const start_case cases[] = {
        /* no local ids: a hole before XeHP, none from there on */
        {VISAGE_PLATFORM_SKL, STORE("64", ""), INFO("0", SIMD("16"), "")},
        {VISAGE_PLATFORM_TGLLP, STORE("72", ""), INFO("8", SIMD("16"), "")},
        {VISAGE_PLATFORM_XEHP, STORE("32", ""), INFO("0", SIMD("16"), "")},
        {VISAGE_PLATFORM_DG2, STORE("40", ""), INFO("8", SIMD("16"), "")},
        {VISAGE_PLATFORM_PVC, STORE("64", ""), INFO("0", SIMD("16"), "")},
        /* local ids */
        {VISAGE_PLATFORM_SKL, STORE("136", ""), INFO("8", SIMD("8"), LOCAL_IDS("96"))},
        {VISAGE_PLATFORM_SKL, STORE("224", ""), INFO("0", SIMD("32"), LOCAL_IDS("192"))},
        {VISAGE_PLATFORM_PVC, STORE("256", ".kernel_attr PerThreadInputSize=192\n"),
         INFO("0", SIMD("32"), LOCAL_IDS("192"))},
        /* the vector backend: one register for three words */
        {VISAGE_PLATFORM_ICLLP, STORE("72", ""), INFO("8", SIMD("1"), PACKED_IDS)},
        {VISAGE_PLATFORM_PVC, STORE("136", ".kernel_attr PerThreadInputSize=64\n"),
         INFO("8", SIMD("1"), PACKED_IDS)},
        /* inline data, and the rest: in the next register, or where its alignment puts it */
        {VISAGE_PLATFORM_DG2, STORE("136", ".kernel_attr PerThreadInputSize=96\n"),
         INFO("8", SIMD("8") INLINE, LOCAL_IDS("96"))},
        {VISAGE_PLATFORM_DG2, STORE("160", ".kernel_attr PerThreadInputSize=96\n"),
         INFO("32", SIMD("8") INLINE, LOCAL_IDS("96"))},
        {VISAGE_PLATFORM_DG2, STORE("192", ".kernel_attr PerThreadInputSize=96\n"),
         INFO("32", SIMD("8") INLINE, LOCAL_IDS("96"))},
        {VISAGE_PLATFORM_DG2, STORE("256", ".kernel_attr PerThreadInputSize=96\n"),
         INFO("32", SIMD("8") INLINE, LOCAL_IDS("96"))},
    };
    fixture *f = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_text(f, cases[i].platform, cases[i].text, cases[i].info);
        open_kernel(f, "stored"); /* the name of .ze_info, as the text has none of its own */
        uint32_t *out = make_buffer(f, 0, 32, 0);
        set_buffer(f, 0, 0);
        run_well(f, items(8, 0, 0, 8, 0, 0));
        for (size_t k = 0; k < 8; k++)
            assert_int_equal(out[k], 0x2a);
        drop(f);
    }
}

typedef struct wrong_case {
    visage_platform platform;
    const char *text, *info, *message;
    visage_status status;
} wrong_case;

static void contradictions_are_told(void **state)
{
    static const wrong_case cases[] = {
        {VISAGE_PLATFORM_DG2, STORE("48", ""), INFO("0", SIMD("16"), ""),
         "input 'V32' at byte 48, 8 bytes: .ze_info has nothing there", VISAGE_INVALID},
        /* what is loaded begins in a register */
        {VISAGE_PLATFORM_DG2, STORE("72", ""), INFO("32", SIMD("16") INLINE, ""),
         "input 'V32' at byte 72, 8 bytes: .ze_info has nothing there", VISAGE_INVALID},
        {VISAGE_PLATFORM_DG2, STORE("24", ""), INFO("0", SIMD("16"), ""), "it lies in r0",
         VISAGE_INVALID},
        {VISAGE_PLATFORM_SKL, STORE("48", ""), INFO("0", SIMD("16"), ""),
         "it ends behind the thread's own part", VISAGE_INVALID},
        {VISAGE_PLATFORM_DG2, STORE("32", ".kernel_attr SimdSize=8\n"),
         INFO("0", SIMD("16"), ""), "SimdSize is 8, simd_size in .ze_info 16", VISAGE_INVALID},
        {VISAGE_PLATFORM_DG2, STORE("64", ".kernel_attr PerThreadInputSize=32\n"),
         INFO("0", SIMD("16"), LOCAL_IDS("96")),
         "'local_id' ends at byte 96, PerThreadInputSize is 32", VISAGE_INVALID},
        {VISAGE_PLATFORM_DG2, STORE("32", ""),
         INFO("0", SIMD("16"),
              "      - arg_type: sync_buffer\n        offset: 8\n        size: 8\n"),
         "'sync_buffer' cannot be supplied yet", VISAGE_UNSUPPORTED},
        {VISAGE_PLATFORM_DG2, STORE("32", ""),
         INFO("0", SIMD("16"),
              "      - arg_type: group_count\n        offset: 4000000\n        size: 12\n"),
         "'group_count' ends at byte 4000012", VISAGE_INVALID},
    };
    fixture *f = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_text(f, cases[i].platform, cases[i].text, cases[i].info);
        open_kernel(f, NULL);
        (void)make_buffer(f, 0, 32, 0);
        set_buffer(f, 0, 0);
        expect_status(f, run(f, items(16, 0, 0, 16, 0, 0), NULL), cases[i].status);
        expect_diagnostic(f, "A0013", cases[i].message);
        drop(f);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(values_by_value),
        TEST(ids_and_sizes),
        TEST(local_arguments),
        TEST(private_memory),
        TEST(global_variables),
        TEST(functions_find_ids_in_memory),
        TEST(functions_find_ids_on_pvc),
        TEST(eight_ids_are_told),
        TEST(registers_of_threads),
        TEST(places_of_a_media_space),
        TEST(implicit_sizes),
        TEST(live_threads_have_numbers_of_their_own),
        TEST(surfaces_get_entries_of_their_own),
        TEST(surfaces_begin_at_any_byte),
        TEST(entries_are_empty_between_runs),
        TEST(start_of_the_common_part),
        TEST(contradictions_are_told),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
