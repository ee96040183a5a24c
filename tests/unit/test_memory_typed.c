/* SPDX-License-Identifier: MIT
 *
 * Every typed LSC message (page LSC_TYPED), for all execution sizes and sizes of coordinates,
 * with channels outside of the image. The components of texels are dwords; each one's data
 * begin at a register (LSC_UNTYPED, Semantics). What is outside, and the order of channels that
 * share a texel, are as docs/spec-notes.md has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "atomic_model.h"
#include "exec/format.h"
#include "memory_machine.h"

enum { COLUMNS = 20, ROWS = 10, IMAGE = 512, BTI = 4, D32 = 3 };
enum { CHANNELS = 32, COORDINATES = 256 /* bytes of a coordinate */ };

static const struct atomic {
    visage_op op, untyped;
    uint32_t arguments;
    bool is_float;
} atomics[] = {
#define ATOMIC(name, arguments, is_float)                                                      \
    {VISAGE_OP_LSC_TYPED_ATOMIC_##name, VISAGE_OP_LSC_ATOMIC_##name, arguments, is_float},
    /* clang-format off */
    ATOMIC(IINC, 0, false) ATOMIC(IDEC, 0, false) ATOMIC(LOAD, 0, false)
    ATOMIC(STORE, 1, false) ATOMIC(IADD, 1, false) ATOMIC(ISUB, 1, false)
    ATOMIC(SMIN, 1, false) ATOMIC(SMAX, 1, false) ATOMIC(UMIN, 1, false)
    ATOMIC(UMAX, 1, false) ATOMIC(ICAS, 2, false) ATOMIC(AND, 1, false)
    ATOMIC(OR, 1, false) ATOMIC(XOR, 1, false) ATOMIC(FADD, 1, true)
    ATOMIC(FSUB, 1, true) ATOMIC(FMIN, 1, true) ATOMIC(FMAX, 1, true)
    ATOMIC(FCAS, 2, true)
/* clang-format on */
#undef ATOMIC
};
enum { NUM_ATOMICS = sizeof atomics / sizeof atomics[0] };

typedef struct bench {
    machine *m;
    uint64_t random;
    uint32_t exec_size, address_code, mask;
    uint32_t texel_bytes;
    int32_t x[CHANNELS], y[CHANNELS];
    uint8_t memory[MACHINE_BYTES];
    uint8_t registers[MACHINE_REGISTERS]; /* of VAR_B */
} bench;

static uint32_t draw(bench *b, uint32_t end)
{
    b->random = b->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(b->random >> 33) % end;
}

static void begin(bench *b, visage_platform platform, const char *format)
{
    machine *m = machine_new(platform);
    uint32_t number = vsg_exe_format_find(format, strlen(format));

    *b = (bench){.m = m, .random = (uint64_t)platform};
    b->texel_bytes = vsg_exe_format_of(number)->texel_bytes;
    m->launch.surfaces[3] = (vsg_exe_surface){.kind = VSG_EXE_SURFACE_IMAGE,
                                              .address = machine_at(m, IMAGE),
                                              .size_bytes = COLUMNS * ROWS * b->texel_bytes,
                                              .width = COLUMNS,
                                              .height = ROWS,
                                              .depth = 1,
                                              .shape = VSG_EXE_IMAGE_2D,
                                              .pitch_bytes = COLUMNS * b->texel_bytes,
                                              .slice_bytes = COLUMNS * ROWS * b->texel_bytes,
                                              .texel_bytes = b->texel_bytes,
                                              .format = number};
}

/* LSC_TYPED, ExecSize. */
static uint32_t most_channels(const bench *b)
{
    return b->m->platform == VISAGE_PLATFORM_PVC ? 16 : 8;
}

/* ---- the model --------------------------------------------------------------------------- */

static bool is_enabled(const bench *b, uint32_t n)
{
    return b->m->execution_mask >> n & 1;
}

/* NULL: outside. */
static uint8_t *texel(bench *b, uint32_t n)
{
    if (b->x[n] < 0 || b->x[n] >= COLUMNS || b->y[n] < 0 || b->y[n] >= ROWS)
        return NULL;
    return b->memory + IMAGE + (size_t)(b->y[n] * COLUMNS + b->x[n]) * b->texel_bytes;
}

/* Byte of channel n's slot for the element-th component that moves. */
static uint32_t slot(const bench *b, uint32_t n, uint32_t element)
{
    uint32_t grf = b->m->platform == VISAGE_PLATFORM_PVC ? 64 : 32;

    return element * ((4 * b->exec_size + grf - 1) / grf * grf) + 4 * n;
}

static void check(const bench *b)
{
    assert_memory_equal(b->m->memory, b->memory, sizeof b->memory);
    assert_memory_equal(b->m->registers[VAR_B - VAR_A], b->registers, sizeof b->registers);
}

/* ---- drawing ----------------------------------------------------------------------------- */

static int32_t draw_coordinate(bench *b, uint32_t end)
{
    return draw(b, 8) == 0 ? (draw(b, 2) ? -1 : (int32_t)end) : (int32_t)draw(b, end);
}

/* few: several channels share a texel. */
static void draw_places(bench *b, bool few)
{
    for (uint32_t n = 0; n < CHANNELS; n++) {
        b->x[n] = draw_coordinate(b, COLUMNS);
        b->y[n] = draw_coordinate(b, ROWS);
        if (few && n > 0 && draw(b, 2)) {
            b->x[n] = b->x[draw(b, n)];
            b->y[n] = b->y[draw(b, n)];
        }
        for (uint32_t before = 0; !few && before < n; before++)
            if (b->x[before] == b->x[n] && b->y[before] == b->y[n])
                b->x[n] = COLUMNS; /* one channel for each texel: stores would be undefined */
    }
}

static void put_message(bench *b, visage_op op, bool few)
{
    static const uint32_t masks[] = {UINT32_MAX, 0xa5a5c396, 0x8001, 0xfff0};
    machine *m = b->m;
    uint32_t bytes = 1u << b->address_code;

    draw_places(b, few);
    m->execution_mask = masks[draw(b, 4)];
    machine_op(m, op, b->exec_size);
    set_number(m, "addr_type", BTI);
    set_number(m, "addr_size", b->address_code);
    set_number(m, "data_size", D32);
    set_number(m, "data_order", 1);
    set_number(m, "channels", b->mask);
    set_immediate(m, "surface", VISAGE_TYPE_UD, 3);
    set_raw(m, "u", VAR_A, 0);
    set_raw(m, "v", VAR_A, COORDINATES);
    for (uint32_t n = 0; n < b->exec_size; n++) {
        poke(m->registers[0] + n * bytes, bytes, (uint64_t)b->x[n]);
        poke(m->registers[0] + COORDINATES + n * bytes, bytes, (uint64_t)b->y[n]);
    }
    memcpy(b->memory, m->memory, sizeof b->memory);
    memcpy(b->registers, m->registers[VAR_B - VAR_A], sizeof b->registers);
}

/* Runs `shoot` for every platform, execution size and size of coordinates, some times. */
static void every_size(const char *format, visage_op op, void (*shoot)(bench *, visage_op))
{
    for (uint32_t p = 0; p < 2; p++) {
        static bench b;
        begin(&b, p ? VISAGE_PLATFORM_PVC : VISAGE_PLATFORM_DG2, format);
        for (b.exec_size = 1; b.exec_size <= most_channels(&b); b.exec_size *= 2)
            for (b.address_code = 1; b.address_code <= 3; b.address_code++)
                for (uint32_t i = 0; i < 3; i++)
                    shoot(&b, op);
        machine_free(b.m);
    }
}

/* ---- loads and stores -------------------------------------------------------------------- */

/* GATHER4_TYPED, Properties: outside alpha is 1, the others are 0. */
static void shoot_load(bench *b, visage_op op)
{
    uint32_t element = 0;

    b->mask = 1 + draw(b, 15);
    put_message(b, op, true);
    set_raw(b->m, "dst", VAR_B, 0);
    for (uint32_t c = 0; c < 4; c++) {
        if (!(b->mask >> c & 1))
            continue;
        for (uint32_t n = 0; n < b->exec_size; n++)
            if (is_enabled(b, n))
                poke(b->registers + slot(b, n, element), 4,
                     texel(b, n) ? peek(texel(b, n) + 4 * c, 4) : c == 3);
        element++;
    }
    assert_int_equal(machine_run(b->m), VSG_EXE_STOP_END);
    check(b);
}

static void loads(void **state)
{
    (void)state;
    every_size("R32G32B32A32_UINT", VISAGE_OP_LSC_TYPED_LOAD_QUAD, shoot_load);
}

static void shoot_store(bench *b, visage_op op)
{
    uint32_t element = 0;

    b->mask = 1 + draw(b, 15);
    put_message(b, op, false);
    set_raw(b->m, "src1", VAR_B, 0);
    for (uint32_t c = 0; c < 4; c++) {
        if (!(b->mask >> c & 1))
            continue;
        for (uint32_t n = 0; n < b->exec_size; n++)
            if (is_enabled(b, n) && texel(b, n))
                poke(texel(b, n) + 4 * c, 4, peek(b->registers + slot(b, n, element), 4));
        element++;
    }
    assert_int_equal(machine_run(b->m), VSG_EXE_STOP_END);
    check(b);
}

static void stores(void **state)
{
    (void)state;
    every_size("R32G32B32A32_UINT", VISAGE_OP_LSC_TYPED_STORE_QUAD, shoot_store);
    every_size("R32G32B32A32_UINT", VISAGE_OP_LSC_TYPED_STORE_UNCOMPRESSED, shoot_store);
}

/* A bit for each channel whose texel is there; nothing is written where no channel is on. */
static void shoot_status(bench *b, visage_op op)
{
    uint32_t status = 0;
    bool any = false;

    put_message(b, op, true);
    set_raw(b->m, "dst", VAR_B, 64);
    for (uint32_t n = 0; n < b->exec_size; n++) {
        any |= is_enabled(b, n);
        if (is_enabled(b, n) && texel(b, n))
            status |= 1u << n;
    }
    if (any)
        poke(b->registers + 64, 4, status);
    assert_int_equal(machine_run(b->m), VSG_EXE_STOP_END);
    check(b);
}

static void statuses(void **state)
{
    (void)state;
    every_size("R32_UINT", VISAGE_OP_LSC_TYPED_LOAD_STATUS, shoot_status);
}

/* ---- atomics ----------------------------------------------------------------------------- */

/* Of floats numbers only: what NaNs do is tested with the untyped ones. */
static uint32_t draw_value(bench *b, bool is_float)
{
    static const uint32_t floats[] = {0,          0x80000000, 0x3f800000, 0xbf800001,
                                      0x40490fdb, 0x00000001, 0x7f000000, 0x33800000};
    static const uint32_t integers[] = {0, 1, UINT32_MAX, 0x7fffffff, 0x80000000, 7};

    if (is_float)
        return floats[draw(b, 8)];
    return draw(b, 4) ? integers[draw(b, 6)] : draw(b, UINT32_MAX);
}

static const struct atomic *find_atomic(visage_op op)
{
    const struct atomic *found = atomics;

    while (found->op != op)
        found++;
    return found;
}

static void shoot_atomic(bench *b, visage_op op)
{
    const struct atomic *atomic = find_atomic(op);
    machine *m = b->m;

    for (uint32_t i = 0; i < COLUMNS * ROWS; i++)
        poke(m->memory + IMAGE + (size_t)i * 4, 4, draw_value(b, atomic->is_float));
    put_message(b, op, true);
    if (atomic->arguments > 0)
        set_raw(m, "src1", VAR_C, 0);
    if (atomic->arguments > 1)
        set_raw(m, "src2", VAR_D, 0);
    bool has_result = draw(b, 3) > 0;
    if (has_result)
        set_raw(m, "dst", VAR_B, 0);
    for (uint32_t n = 0; n < b->exec_size; n++) {
        uint32_t first = draw_value(b, atomic->is_float),
                 second = draw_value(b, atomic->is_float);
        uint8_t *at = texel(b, n);
        uint64_t old = at ? peek(at, 4) : 0;
        if (at && draw(b, 2)) /* so that a comparison succeeds */
            first = (uint32_t)old;
        put32(m, VAR_C, n, first);
        put32(m, VAR_D, n, second);
        if (!is_enabled(b, n))
            continue;
        if (at)
            poke(at, 4, atomic_result(atomic->untyped, 4, old, first, second));
        if (has_result)
            poke(b->registers + slot(b, n, 0), 4, old);
    }
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    check(b);
}

static void every_atomic(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < NUM_ATOMICS; i++)
        every_size(atomics[i].is_float ? "R32_FLOAT" : "R32_UINT", atomics[i].op, shoot_atomic);
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* x in bytes, y in rows; rows lie in registers as far apart as a power of two, at least 4
 * bytes. Loads take the texel at the border for those outside, stores leave them out. */
static void run_block(visage_platform platform, bool is_store, int32_t x, int32_t y,
                      uint32_t width, uint32_t height)
{
    enum { ROW = COLUMNS * 4 };
    static bench b;
    uint32_t pitch = 4;

    begin(&b, platform, "R32_UINT");
    while (pitch < width)
        pitch *= 2;
    machine_op(b.m,
               is_store ? VISAGE_OP_LSC_TYPED_STORE_BLOCK2D : VISAGE_OP_LSC_TYPED_LOAD_BLOCK2D,
               0);
    set_number(b.m, "addr_type", BTI);
    set_number(b.m, "block_width", width);
    set_number(b.m, "block_height", height);
    set_immediate(b.m, "surface", VISAGE_TYPE_UD, 3);
    set_immediate(b.m, "x", VISAGE_TYPE_D, (uint64_t)(int64_t)x);
    set_immediate(b.m, "y", VISAGE_TYPE_D, (uint64_t)(int64_t)y);
    set_raw(b.m, is_store ? "src1" : "dst", VAR_B, 0);
    memcpy(b.memory, b.m->memory, sizeof b.memory);
    memcpy(b.registers, b.m->registers[VAR_B - VAR_A], sizeof b.registers);
    for (int32_t row = 0; row < (int32_t)height; row++)
        for (int32_t at = 0; at < (int32_t)width; at++) {
            int32_t column = x + at, line = y + row;
            uint8_t *data = b.registers + row * (int32_t)pitch + at;
            bool is_inside = column >= 0 && column < ROW && line >= 0 && line < ROWS;
            line = line < 0 ? 0 : line >= ROWS ? ROWS - 1 : line;
            column = column < 0 ? column & 3 : column >= ROW ? ROW - 4 + (column & 3) : column;
            uint8_t *memory = b.memory + IMAGE + line * ROW + column;
            if (!is_store)
                *data = *memory;
            else if (is_inside)
                *memory = *data;
        }
    assert_int_equal(machine_run(b.m), VSG_EXE_STOP_END);
    check(&b);
    machine_free(b.m);
}

static void blocks(void **state)
{
    static const struct {
        int32_t x, y;
        uint32_t width, height;
    } cases[] = {{0, 0, 64, 4},   {8, 3, 16, 5},  {4, 9, 4, 1},
                 {-8, -2, 32, 8}, {60, 6, 32, 8}, {16, 2, 12, 3}};

    (void)state;
    for (uint32_t i = 0; i < 4 * sizeof cases / sizeof cases[0]; i++)
        run_block(i & 1 ? VISAGE_PLATFORM_PVC : VISAGE_PLATFORM_DG2, i & 2, cases[i / 4].x,
                  cases[i / 4].y, cases[i / 4].width, cases[i / 4].height);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads),        cmocka_unit_test(stores), cmocka_unit_test(statuses),
        cmocka_unit_test(every_atomic), cmocka_unit_test(blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
