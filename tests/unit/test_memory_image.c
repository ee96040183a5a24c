/* SPDX-License-Identifier: MIT
 *
 * Two-dimensional blocks, typed messages, texel formats. Expected places are the formulas of
 * LSC_UNTYPED (LOAD_BLOCK2D), MEDIA_LD, GATHER4_TYPED; values of formats are worked out from
 * their definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "exec/format.h"
#include "machine_forms.h"
#include "memory_machine.h"

/* ---- block2d ----------------------------------------------------------------------------- */

static uint32_t power_of_two(uint32_t value)
{
    return value <= 1 ? 1 : 2 * power_of_two((value + 1) / 2);
}

/* A surface of 80 x 12 bytes, 96 bytes from row to row, at byte 1024 of the memory. */
enum { WIDTH = 80, HEIGHT = 12, PITCH = 96, BASE = 1024 };

struct block_case {
    uint32_t size_code, bytes;
    uint32_t blocks, width, height;
    bool transposed, vnni;
    int32_t x, y;
};

static void block_op(machine *m, visage_op op, const struct block_case *c)
{
    machine_op(m, op, 1);
    set_number(m, "data_size", c->size_code);
    set_number(m, "data_order", c->transposed ? 2 : 1);
    set_number(m, "num_blocks", c->blocks);
    set_number(m, "block_width", c->width);
    set_number(m, "block_height", c->height);
    set_number(m, "vnni", c->vnni);
    set_immediate(m, "surface_base", VISAGE_TYPE_UQ, machine_at(m, BASE));
    set_immediate(m, "surface_width", VISAGE_TYPE_UD, WIDTH - 1);
    set_immediate(m, "surface_height", VISAGE_TYPE_UD, HEIGHT - 1);
    set_scalar(m, "surface_pitch", VAR_A, 3);
    put32(m, VAR_A, 3, PITCH - 1);
    set_immediate(m, "x", VISAGE_TYPE_UD, (uint32_t)c->x);
    set_scalar(m, "y", VAR_A, 4);
    put32(m, VAR_A, 4, (uint32_t)c->y);
}

/* The element of the surface, 0 outside. */
static uint64_t surface_element(const machine *m, const struct block_case *c, int32_t column,
                                int32_t row)
{
    if (row < 0 || row >= HEIGHT || column < 0 || (uint32_t)(column + 1) * c->bytes > WIDTH)
        return 0;
    return peek(m->memory + BASE + row * PITCH + column * (int32_t)c->bytes, c->bytes);
}

/* The page's code, its loops as they stand there, storing into `out` by element number. */
static void page_block(const machine *m, const struct block_case *c, uint8_t *out,
                       uint32_t *bytes)
{
    uint32_t per_dword = c->bytes < 4 ? 4 / c->bytes : 1;
    uint32_t per_grf = 64 / c->bytes;
    uint32_t row_pitch = power_of_two(c->transposed ? c->height : c->width);
    uint32_t block_size = row_pitch * (c->transposed ? c->width : c->height);
    uint32_t block_pitch = (block_size + per_grf - 1) / per_grf * per_grf;

    *bytes = c->blocks * block_pitch * c->bytes;
    memset(out, 0, *bytes);
    for (uint32_t b = 0; b < c->blocks; b++) {
        for (uint32_t y = 0; y < c->height; y++) {
            for (uint32_t x = 0; x < c->width; x++) {
                uint32_t to = b * block_pitch;
                if (!c->transposed && !c->vnni)
                    to += y * row_pitch + x;
                else if (!c->transposed)
                    to += y / per_dword * per_dword * row_pitch + x * per_dword + y % per_dword;
                else if (!c->vnni)
                    to += x * row_pitch + y;
                else
                    to += x / per_dword * per_dword * row_pitch + y * per_dword + x % per_dword;
                poke(out + (size_t)to * c->bytes, c->bytes,
                     surface_element(m, c, c->x + (int32_t)(b * c->width + x),
                                     c->y + (int32_t)y));
            }
        }
    }
}

static void block2d_loads(void **state)
{
    static const struct block_case cases[] = {
        {3, 4, 1, 16, 8, false, false, 0, 0},   {3, 4, 1, 16, 8, false, false, 10, 5},
        {3, 4, 1, 16, 8, false, false, -3, -2}, {3, 4, 1, 16, 8, false, false, 40, 0},
        {3, 4, 1, 16, 8, false, false, 0, -9},  {3, 4, 1, 5, 3, false, false, 1, 1},
        {1, 1, 2, 16, 32, false, false, 4, 0},  {2, 2, 2, 12, 4, false, false, 3, 2},
        {4, 8, 1, 4, 8, false, false, 2, 6},    {2, 2, 1, 16, 16, false, true, 8, 3},
        {2, 2, 2, 12, 4, false, true, 35, -1},  {1, 1, 1, 16, 8, false, true, 70, 6},
        {1, 1, 4, 9, 32, false, true, 0, 0},    {3, 4, 1, 8, 4, false, true, 3, 1},
        {3, 4, 1, 8, 16, true, false, 2, 3},    {3, 4, 1, 6, 5, true, false, 17, 0},
        {4, 8, 1, 4, 8, true, false, -1, 7},    {2, 2, 1, 32, 16, true, false, 0, 0},
        {2, 2, 1, 8, 4, true, true, 1, 2},      {1, 1, 2, 8, 12, true, true, 0, 1},
    };

    (void)state;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine *m = machine_new(VISAGE_PLATFORM_PVC);
        static uint8_t want[MACHINE_REGISTERS];
        uint32_t bytes;
        block_op(m, VISAGE_OP_LSC_LOAD_BLOCK2D, &cases[i]);
        set_raw(m, "dst", VAR_B, 64);
        page_block(m, &cases[i], want, &bytes);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        assert_memory_equal(m->registers[VAR_B - VAR_A] + 64, want, bytes);
        assert_untouched(m, VAR_B, 0, 64);
        assert_untouched(m, VAR_B, 64 + bytes, MACHINE_REGISTERS);
        machine_free(m);
    }
}

/* The page leaves open what a last group of VNNI rows is that the block does not fill: here it
 * takes its place like the others, with zeros for the rows that are not there. */
static void block2d_partial_group(void **state)
{
    static const struct block_case c = {1, 1, 1, 64, 5, false, true, 0, 0};
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    block_op(m, VISAGE_OP_LSC_LOAD_BLOCK2D, &c);
    set_raw(m, "dst", VAR_B, 0);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t y = 0; y < 8; y++)
        for (uint32_t x = 0; x < 64; x++)
            assert_int_equal(get8(m, VAR_B, y / 4 * 256 + 4 * x + y % 4),
                             y < 5 ? m->memory[BASE + y * PITCH + x] : 0);
    assert_untouched(m, VAR_B, 512, MACHINE_REGISTERS);
    machine_free(m);
}

/* corpus/vector lsc_block2d: rows of 16 dwords behind each other; what is outside the surface
 * is not written. */
static void block2d_stores(void **state)
{
    static const struct block_case cases[] = {
        {3, 4, 1, 16, 8, false, false, 0, 0},  {3, 4, 1, 16, 8, false, false, 8, 1},
        {3, 4, 1, 16, 8, false, false, 12, 9}, {1, 1, 1, 24, 4, false, false, -4, -2},
        {2, 2, 1, 5, 3, false, false, 2, 2},   {4, 8, 1, 8, 2, false, false, 100, 0},
    };

    (void)state;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct block_case *c = &cases[i];
        machine *m = machine_new(VISAGE_PLATFORM_PVC);
        static uint8_t want[MACHINE_BYTES];
        block_op(m, VISAGE_OP_LSC_STORE_BLOCK2D, c);
        set_raw(m, "src1", VAR_B, 0);
        memcpy(want, m->memory, sizeof want);
        for (int32_t y = 0; y < (int32_t)c->height; y++)
            for (int32_t x = 0; x < (int32_t)c->width; x++)
                if (c->y + y >= 0 && c->y + y < HEIGHT && c->x + x >= 0 &&
                    (c->x + x + 1) * (int32_t)c->bytes <= WIDTH)
                    memcpy(want + BASE + (c->y + y) * PITCH + (c->x + x) * (int32_t)c->bytes,
                           m->registers[VAR_B - VAR_A] +
                               ((uint32_t)y * power_of_two(c->width) + (uint32_t)x) * c->bytes,
                           c->bytes);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        assert_memory_equal(m->memory, want, sizeof want);
        machine_free(m);
    }
}

/* Neither page nor 5_operands have channel enables for blocks; the predicate counts. */
static void block2d_masks(void **state)
{
    static const struct block_case c = {3, 4, 1, 8, 2, false, false, 0, 0};
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    m->execution_mask = 4;
    block_op(m, VISAGE_OP_LSC_LOAD_BLOCK2D, &c);
    set_raw(m, "dst", VAR_B, 0);
    set_predicate(m, 0xfffffffe);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_untouched(m, VAR_B, 0, MACHINE_REGISTERS);
    set_predicate(m, 1);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    assert_memory_equal(m->registers[VAR_B - VAR_A], m->memory + BASE, 32);
    /* A prefetch touches nothing, not even an address that is not there. */
    block_op(m, VISAGE_OP_LSC_LOAD_BLOCK2D, &c);
    set_immediate(m, "surface_base", VISAGE_TYPE_UQ, 64);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    machine_free(m);
}

static void block2d_faults(void **state)
{
    static const struct block_case c = {3, 4, 1, 8, 2, false, false, 0, 0};
    machine *m = machine_new(VISAGE_PLATFORM_PVC);

    (void)state;
    for (uint32_t store = 0; store < 2; store++) {
        block_op(m, store ? VISAGE_OP_LSC_STORE_BLOCK2D : VISAGE_OP_LSC_LOAD_BLOCK2D, &c);
        set_raw(m, store ? "src1" : "dst", VAR_B, 0);
        set_immediate(m, "surface_base", VISAGE_TYPE_UQ,
                      machine_at(m, MACHINE_BYTES - PITCH - 20));
        assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
        assert_fault(m, store ? VSG_DIAG_FAULT_WRITE : VSG_DIAG_FAULT_READ, -1,
                     machine_at(m, MACHINE_BYTES), 4);
    }
    machine_free(m);
}

/* ---- media blocks ------------------------------------------------------------------------ */

/* An image of 20 x 10 texels at byte 512. */
enum { COLUMNS = 20, ROWS = 10, IMAGE = 512 };

static void bind_image(machine *m, uint32_t format)
{
    uint32_t texel = vsg_exe_format_of(format)->texel_bytes;

    m->launch.surfaces[3] = (vsg_exe_surface){.kind = VSG_EXE_SURFACE_IMAGE,
                                              .address = machine_at(m, IMAGE),
                                              .size_bytes = 2 * COLUMNS * ROWS * texel,
                                              .width = COLUMNS,
                                              .height = ROWS,
                                              .depth = 1,
                                              .pitch_bytes = COLUMNS * texel,
                                              .slice_bytes = COLUMNS * ROWS * texel,
                                              .texel_bytes = texel,
                                              .format = format};
}

static void media_op(machine *m, visage_op op, uint32_t width, uint32_t height, int32_t x,
                     int32_t y)
{
    machine_op(m, op, 0);
    set_surface(m, SURFACE_T6);
    set_number(m, "block_width", width);
    set_number(m, "block_height", height);
    set_immediate(m, "x_offset", VISAGE_TYPE_UD, (uint32_t)x);
    set_scalar(m, "y_offset", VAR_A, 2);
    put32(m, VAR_A, 2, (uint32_t)y);
    set_raw(m, op == VISAGE_OP_MEDIA_LD ? "dst" : "src", VAR_B, 32);
}

static const struct media_case {
    uint32_t format, width, height;
    int32_t x, y;
} medias[] = {
    {VSG_EXE_FORMAT_R8_UINT, 16, 4, 2, 3},     {VSG_EXE_FORMAT_R8_UINT, 1, 1, 19, 9},
    {VSG_EXE_FORMAT_R8_UINT, 3, 5, 0, 0},      {VSG_EXE_FORMAT_R8_UINT, 5, 8, 4, 4},
    {VSG_EXE_FORMAT_R8_UINT, 16, 4, -5, -2},   {VSG_EXE_FORMAT_R8_UINT, 16, 4, 12, 8},
    {VSG_EXE_FORMAT_R8_UINT, 32, 8, 40, 30},   {VSG_EXE_FORMAT_R32_UINT, 64, 4, 0, 1},
    {VSG_EXE_FORMAT_R8_UINT, 2, 6, 18, 2},     {VSG_EXE_FORMAT_R32_UINT, 40, 3, 60, 8},
    {VSG_EXE_FORMAT_R32_UINT, 24, 3, -10, -1},
};
enum { NUM_MEDIAS = sizeof medias / sizeof medias[0] };

/* MEDIA_LD, Legal combinations: register pitch 4, 8, 16, 32, 64. */
static uint32_t media_pitch(uint32_t width)
{
    return width <= 4 ? 4 : power_of_two(width);
}

/* The byte of the nearest texel that is in the same place of it. */
static uint64_t border_byte(const machine *m, uint32_t texel, int32_t x, int32_t row)
{
    int32_t width = (int32_t)(COLUMNS * texel);

    row = row < 0 ? 0 : row >= ROWS ? ROWS - 1 : row;
    while (x < 0)
        x += (int32_t)texel;
    while (x >= width)
        x -= (int32_t)texel;
    return m->memory[IMAGE + row * width + x];
}

static void media_loads(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < NUM_MEDIAS; i++) {
        const struct media_case *c = &medias[i];
        machine *m = machine_new(VISAGE_PLATFORM_SKL);
        uint32_t texel = vsg_exe_format_of(c->format)->texel_bytes;
        uint32_t pitch = media_pitch(c->width);
        bind_image(m, c->format);
        media_op(m, VISAGE_OP_MEDIA_LD, c->width, c->height, c->x, c->y);
        m->execution_mask = 2; /* a block message: whatever the mask */
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        for (uint32_t r = 0; r < c->height; r++) {
            for (uint32_t b = 0; b < c->width; b++)
                assert_int_equal(get8(m, VAR_B, 32 + r * pitch + b),
                                 border_byte(m, texel, c->x + (int32_t)b, c->y + (int32_t)r));
            assert_untouched(m, VAR_B, 32 + r * pitch + c->width, 32 + (r + 1) * pitch);
        }
        assert_untouched(m, VAR_B, 32 + c->height * pitch, MACHINE_REGISTERS);
        machine_free(m);
    }
}

static void media_stores(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < NUM_MEDIAS; i++) {
        const struct media_case *c = &medias[i];
        machine *m = machine_new(VISAGE_PLATFORM_SKL);
        int32_t width = COLUMNS * vsg_exe_format_of(c->format)->texel_bytes;
        int32_t begin = c->x & ~3; /* "must be dword-aligned" */
        static uint8_t want[MACHINE_BYTES];
        bind_image(m, c->format);
        media_op(m, VISAGE_OP_MEDIA_ST, c->width, c->height, begin, c->y);
        memcpy(want, m->memory, sizeof want);
        for (int32_t r = 0; r < (int32_t)c->height; r++)
            for (int32_t b = 0; b < (int32_t)c->width; b++)
                if (c->y + r >= 0 && c->y + r < ROWS && begin + b >= 0 && begin + b < width)
                    want[IMAGE + (c->y + r) * width + begin + b] =
                        get8(m, VAR_B, 32 + (uint32_t)r * media_pitch(c->width) + (uint32_t)b);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        assert_memory_equal(m->memory, want, sizeof want);
        machine_free(m);
    }
}

/* top_field: rows 0, 2, 4 ...; bottom_field: rows 1, 3, 5 ... */
static void media_fields(void **state)
{
    (void)state;
    for (uint32_t field = 0; field < 2; field++) {
        machine *m = machine_new(VISAGE_PLATFORM_SKL);
        bind_image(m, VSG_EXE_FORMAT_R8_UINT);
        media_op(m, VISAGE_OP_MEDIA_LD, 16, 4, 1, 3);
        set_number(m, "modifiers", 2 + field);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        for (uint32_t r = 0; r < 4; r++) {
            uint32_t row = 2 * (3 + r < 5 ? 3 + r : 4) + field;
            assert_memory_equal(m->registers[VAR_B - VAR_A] + 32 + r * 16,
                                m->memory + IMAGE + row * COLUMNS + 1, 16);
        }
        machine_free(m);
    }
}

static void image_faults(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_SKL);

    (void)state;
    media_op(m, VISAGE_OP_MEDIA_LD, 16, 4, 0, 0);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_SURFACE, -1, 0, 0);
    assert_int_equal(m->thread.fault.limit, 3);
    bind_image(m, VSG_EXE_FORMAT_R8_UINT);
    m->launch.surfaces[3].kind = VSG_EXE_SURFACE_BUFFER;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_MESSAGE, -1, 0, 0);
    assert_non_null(m->thread.fault.text);
    set_number(m, "plane", 1);
    assert_int_equal(machine_build(m), VISAGE_UNSUPPORTED);
    machine_free(m);
}

/* ---- typed messages ---------------------------------------------------------------------- */

static void typed_op(machine *m, visage_op op, uint32_t exec_size, uint32_t mask)
{
    machine_op(m, op, exec_size);
    set_number(m, "channels", mask);
    set_surface(m, SURFACE_T6);
    set_raw(m, "u", VAR_A, 0);
    set_raw(m, "v", VAR_A, 128);
    for (uint32_t n = 0; n < exec_size; n++) {
        put32(m, VAR_A, n, n * 3 % COLUMNS);
        put32(m, VAR_A, 32 + n, n * 7 % ROWS);
    }
}

static uint8_t *texel_of(const machine *m, uint32_t n, uint32_t bytes)
{
    return m->memory + IMAGE + (n * 7 % ROWS * COLUMNS + n * 3 % COLUMNS) * (size_t)bytes;
}

/* ch_pos * max(exec_size, GRF_SIZE / 4) + i, for all masks, on both register sizes. */
static void typed_layouts(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 15 * 2; i++) {
        enum { CHANNELS = 8 }; /* the only size that the pages allow */
        uint32_t mask = i / 2 + 1;
        machine *m = machine_new(i % 2 ? VISAGE_PLATFORM_DG2 : VISAGE_PLATFORM_SKL);
        uint32_t position = 0;
        bind_image(m, VSG_EXE_FORMAT_R32G32B32A32_UINT);
        typed_op(m, VISAGE_OP_GATHER4_TYPED, CHANNELS, mask);
        set_raw(m, "dst", VAR_B, 0);
        m->execution_mask = ~4u;
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        typed_op(m, VISAGE_OP_SCATTER4_TYPED, CHANNELS, mask);
        set_raw(m, "src", VAR_C, 0);
        static uint8_t before[MACHINE_BYTES];
        memcpy(before, m->memory, sizeof before);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        for (uint32_t c = 0; c < 4; c++) {
            for (uint32_t n = 0; n < CHANNELS; n++) {
                const uint8_t *now = texel_of(m, n, 16) + c * 4;
                uint64_t was = peek(before + (now - m->memory), 4);
                bool on = (mask >> c & 1) && n != 2;
                if (on)
                    assert_int_equal(get32(m, VAR_B, position * CHANNELS + n), was);
                assert_int_equal(peek(now, 4),
                                 on ? get32(m, VAR_C, position * CHANNELS + n) : was);
            }
            position += mask >> c & 1;
        }
        assert_untouched(m, VAR_B, 8, 12);
        machine_free(m);
    }
}

/* Outside: "ones are returned in the alpha channel, zeros in the other channels"; writes are
 * dropped, in either mode of bounds. */
static void typed_outside(void **state)
{
    static const struct {
        uint32_t format, one;
    } cases[] = {{VSG_EXE_FORMAT_R32G32B32A32_FLOAT, 0x3f800000},
                 {VSG_EXE_FORMAT_R8G8B8A8_UNORM, 0x3f800000},
                 {VSG_EXE_FORMAT_R32_UINT, 1},
                 {VSG_EXE_FORMAT_R16G16_SINT, 1}};

    (void)state;
    for (uint32_t i = 0; i < 8; i++) {
        machine *m = machine_new(VISAGE_PLATFORM_SKL);
        static uint8_t before[MACHINE_BYTES];
        bind_image(m, cases[i / 2].format);
        m->launch.surfaces[3].shape = VSG_EXE_IMAGE_3D;
        m->launch.bounds = i % 2 ? VSG_EXE_BOUNDS_FAULT : VSG_EXE_BOUNDS_DOCUMENTED;
        typed_op(m, VISAGE_OP_GATHER4_TYPED, 8, 15);
        set_raw(m, "dst", VAR_B, 0);
        set_raw(m, "r", VAR_C, 0);
        set_raw(m, "lod", VAR_C, 128);
        for (uint32_t n = 0; n < 8; n++) {
            put32(m, VAR_C, n, n == 5);
            put32(m, VAR_C, 32 + n, n == 6);
        }
        put32(m, VAR_A, 1, COLUMNS);
        put32(m, VAR_A, 32 + 2, ROWS);
        put32(m, VAR_A, 3, 0xffffffff);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        for (uint32_t n = 1; n < 7; n++) {
            bool out = n != 4;
            for (uint32_t c = 0; c < 4 && out; c++)
                assert_int_equal(get32(m, VAR_B, 8 * c + n), c < 3 ? 0 : cases[i / 2].one);
        }
        m->inst.op = VISAGE_OP_SCATTER4_TYPED;
        m->execution_mask = 0x6e;
        memcpy(before, m->memory, sizeof before);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        assert_memory_equal(m->memory, before, sizeof before);
        machine_free(m);
    }
}

/* r counts slices; texels behind the end of the surface's memory are outside too. */
static void typed_slices(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_SKL);

    (void)state;
    for (uint32_t enough = 0; enough < 2; enough++) {
        bind_image(m, VSG_EXE_FORMAT_R32_UINT);
        m->launch.surfaces[3].depth = 2;
        m->launch.surfaces[3].shape = VSG_EXE_IMAGE_3D;
        if (!enough)
            m->launch.surfaces[3].size_bytes = (COLUMNS * ROWS + COLUMNS + 10) * 4;
        typed_op(m, VISAGE_OP_GATHER4_TYPED, 8, 1);
        set_raw(m, "dst", VAR_B, 0);
        set_raw(m, "r", VAR_C, 0);
        for (uint32_t n = 0; n < 8; n++) {
            put32(m, VAR_A, n, 8 + n);
            put32(m, VAR_A, 32 + n, 1);
            put32(m, VAR_C, n, 1);
        }
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        for (uint32_t n = 0; n < 8; n++)
            assert_int_equal(
                get32(m, VAR_B, n),
                enough || n < 2
                    ? peek(m->memory + IMAGE + (COLUMNS * ROWS + COLUMNS + 8 + n) * 4, 4)
                    : 0);
    }
    machine_free(m);
}

static void typed_atomics(void **state)
{
    machine *m = machine_new(VISAGE_PLATFORM_SKL);

    (void)state;
    bind_image(m, VSG_EXE_FORMAT_R32_UINT);
    machine_op(m, VISAGE_OP_TYPED_ATOMIC, 8);
    set_number(m, "atomic", 7);
    set_surface(m, SURFACE_T6);
    set_raw(m, "u", VAR_A, 0);
    set_raw(m, "v", VAR_A, 128);
    set_raw(m, "src0", VAR_C, 0);
    set_raw(m, "src1", VAR_D, 0);
    set_raw(m, "dst", VAR_B, 0);
    for (uint32_t n = 0; n < 8; n++) {
        put32(m, VAR_A, n, n * 3 % COLUMNS);
        put32(m, VAR_A, 32 + n, n == 6 ? ROWS : n * 7 % ROWS);
        poke(texel_of(m, n, 4), 4, 40 + n);
        put32(m, VAR_C, n, 90 + n);
        put32(m, VAR_D, n, n % 2 ? 40 + n : 0);
    }
    m->execution_mask = 0xfd;
    assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
    for (uint32_t n = 0; n < 8; n++) {
        bool swapped = n % 2 && n != 1;
        assert_int_equal(peek(texel_of(m, n, 4), 4), swapped ? 90 + n : 40 + n);
        if (n == 1)
            assert_untouched(m, VAR_B, 4, 8);
        else
            assert_int_equal(get32(m, VAR_B, n), n == 6 ? 0 : 40 + n);
    }
    bind_image(m, VSG_EXE_FORMAT_R8_UINT);
    assert_int_equal(machine_run(m), VSG_EXE_STOP_FAULT);
    assert_fault(m, VSG_DIAG_FAULT_MESSAGE, -1, 0, 0);
    machine_free(m);
}

/* LSC_TYPED: the same texels through bti(3), coordinates of 16, 32 or 64 bits. */
static void lsc_typed(void **state)
{
    (void)state;
    for (uint32_t size = 1; size <= 3; size++) {
        machine *m = machine_new(VISAGE_PLATFORM_DG2);
        bind_image(m, VSG_EXE_FORMAT_R32G32B32A32_UINT);
        machine_op(m, VISAGE_OP_LSC_TYPED_LOAD_QUAD, 8);
        set_number(m, "addr_type", 4);
        set_number(m, "addr_size", size);
        set_number(m, "data_size", 3);
        set_number(m, "channels", 0xd);
        set_immediate(m, "surface", VISAGE_TYPE_UD, 3);
        set_raw(m, "dst", VAR_B, 0);
        set_raw(m, "u", VAR_A, 0);
        set_raw(m, "v", VAR_A, 128);
        for (uint32_t n = 0; n < 8; n++) {
            poke(m->registers[0] + ((size_t)n << size), 1u << size, n * 3 % COLUMNS);
            poke(m->registers[0] + 128 + ((size_t)n << size), 1u << size, n * 7 % ROWS);
        }
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        for (uint32_t n = 0; n < 8; n++) {
            assert_int_equal(get32(m, VAR_B, n), peek(texel_of(m, n, 16), 4));
            assert_int_equal(get32(m, VAR_B, 8 + n), peek(texel_of(m, n, 16) + 8, 4));
            assert_int_equal(get32(m, VAR_B, 16 + n), peek(texel_of(m, n, 16) + 12, 4));
        }
        machine_op(m, VISAGE_OP_LSC_TYPED_ATOMIC_IADD, 8);
        set_number(m, "addr_type", 4);
        set_number(m, "addr_size", size);
        set_number(m, "data_size", 3);
        set_immediate(m, "surface", VISAGE_TYPE_UD, 3);
        set_raw(m, "dst", VAR_B, 0);
        set_raw(m, "u", VAR_A, 0);
        set_raw(m, "v", VAR_A, 128);
        set_raw(m, "src1", VAR_C, 0);
        uint64_t was = peek(texel_of(m, 5, 16), 4);
        assert_int_equal(machine_run(m), VSG_EXE_STOP_END);
        assert_int_equal(get32(m, VAR_B, 5), was);
        assert_int_equal(peek(texel_of(m, 5, 16), 4), (uint32_t)was + get32(m, VAR_C, 5));
        machine_free(m);
    }
}

/* ---- formats ----------------------------------------------------------------------------- */

static void check_texel(uint32_t format, uint64_t texel, const uint32_t want[4])
{
    const vsg_exe_format_info *info = vsg_exe_format_of(format);
    uint8_t bytes[16] = {0};
    uint32_t rgba[4];

    poke(bytes, 8, texel);
    vsg_exe_texel_read(info, bytes, rgba);
    assert_memory_equal(rgba, want, sizeof rgba);
    memset(bytes, 0, sizeof bytes);
    vsg_exe_texel_write(info, bytes, want, 15);
    assert_int_equal(peek(bytes, info->texel_bytes), texel);
}

#define F_1 0x3f800000u
/* 128/255, 64/255 and 1/255 as the nearest floats */
#define F_128_255 0x3f008081u
#define F_64_255  0x3e808081u
#define F_1_255   0x3b808081u

static void texel_formats(void **state)
{
    (void)state;
    check_texel(VSG_EXE_FORMAT_R8_UINT, 0xab, (uint32_t[]){0xab, 0, 0, 1});
    check_texel(VSG_EXE_FORMAT_R8_SINT, 0xab, (uint32_t[]){(uint32_t)-0x55, 0, 0, 1});
    check_texel(VSG_EXE_FORMAT_R8_UNORM, 0x80, (uint32_t[]){F_128_255, 0, 0, F_1});
    check_texel(VSG_EXE_FORMAT_R8G8B8A8_UNORM, 0x014080ff,
                (uint32_t[]){F_1, F_128_255, F_64_255, F_1_255});
    check_texel(VSG_EXE_FORMAT_B8G8R8A8_UNORM, 0x01ff8040,
                (uint32_t[]){F_1, F_128_255, F_64_255, F_1_255});
    /* -1, 1, 0, -1/127 */
    check_texel(VSG_EXE_FORMAT_R8G8B8A8_SNORM, 0xff007f81,
                (uint32_t[]){0xbf800000, F_1, 0, 0xbc010204});
    check_texel(VSG_EXE_FORMAT_R8G8_UINT, 0x12ff, (uint32_t[]){0xff, 0x12, 0, 1});
    check_texel(VSG_EXE_FORMAT_R16_UINT, 0xbeef, (uint32_t[]){0xbeef, 0, 0, 1});
    check_texel(VSG_EXE_FORMAT_R16G16_SINT, 0x7fff8000,
                (uint32_t[]){(uint32_t)-0x8000, 0x7fff, 0, 1});
    check_texel(VSG_EXE_FORMAT_R16_UNORM, 0xffff, (uint32_t[]){F_1, 0, 0, F_1});
    check_texel(VSG_EXE_FORMAT_R16_FLOAT, 0x3e00, (uint32_t[]){0x3fc00000, 0, 0, F_1});
    check_texel(VSG_EXE_FORMAT_R16G16B16A16_FLOAT, 0xc00000013c007c00,
                (uint32_t[]){0x7f800000, F_1, 0x33800000, 0xc0000000});
    check_texel(VSG_EXE_FORMAT_R32_FLOAT, 0x40490fdb, (uint32_t[]){0x40490fdb, 0, 0, F_1});
    check_texel(VSG_EXE_FORMAT_R32_UINT, 0xfedcba98, (uint32_t[]){0xfedcba98, 0, 0, 1});
    check_texel(VSG_EXE_FORMAT_R32G32_SINT, 0x8000000000000001,
                (uint32_t[]){1, 0x80000000, 0, 1});
}

/* Each byte: the nearest float of v / 255 is no farther from it than its neighbours. 255 times
 * a float is exact in double. */
static void each_byte_as_unorm(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < 256; v++) {
        uint32_t rgba[4];
        double off[3];
        vsg_exe_texel_read(vsg_exe_format_of(VSG_EXE_FORMAT_R8_UNORM),
                           (const uint8_t[]){(uint8_t)v}, rgba);
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t bits = v == 0 && i == 0 ? rgba[0] : rgba[0] + i - 1;
            float near;
            memcpy(&near, &bits, sizeof near);
            off[i] = 255.0 * near - v;
            off[i] = off[i] < 0 ? -off[i] : off[i];
        }
        assert_true(off[1] <= off[0] && off[1] <= off[2]);
    }
}

/* -128/127 is below the range of SNORM. */
static void lowest_snorm(void **state)
{
    uint32_t rgba[4];

    (void)state;
    vsg_exe_texel_read(vsg_exe_format_of(VSG_EXE_FORMAT_R8_SNORM), (const uint8_t[]){0x80},
                       rgba);
    assert_int_equal(rgba[0], 0xbf800000);
}

static void check_write(uint32_t format, uint32_t value, uint64_t want)
{
    const vsg_exe_format_info *info = vsg_exe_format_of(format);
    uint8_t bytes[16] = {0};

    vsg_exe_texel_write(info, bytes, (uint32_t[]){value, 0, 0, 0}, 1);
    assert_int_equal(peek(bytes, info->bits / 8), want);
}

/* SCATTER4_TYPED, Notes: clamp to min/max, round to even. */
static void texel_clamping(void **state)
{
    (void)state;
    check_write(VSG_EXE_FORMAT_R8_UINT, 256, 255);
    check_write(VSG_EXE_FORMAT_R8_UINT, 0xffffffff, 255);
    check_write(VSG_EXE_FORMAT_R8_SINT, 128, 127);
    check_write(VSG_EXE_FORMAT_R8_SINT, (uint32_t)-129, 0x80);
    check_write(VSG_EXE_FORMAT_R16_SINT, 0x80000000, 0x8000);
    check_write(VSG_EXE_FORMAT_R16_UINT, 0x12345, 0xffff);
    check_write(VSG_EXE_FORMAT_R8_UNORM, 0x40000000, 255);  /* 2 */
    check_write(VSG_EXE_FORMAT_R8_UNORM, 0xbf800000, 0);    /* -1 */
    check_write(VSG_EXE_FORMAT_R8_UNORM, 0x7fc00000, 0);    /* NaN */
    check_write(VSG_EXE_FORMAT_R8_UNORM, 0x3f000000, 128);  /* 127.5, a tie */
    check_write(VSG_EXE_FORMAT_R8_UNORM, 0x3dcccccd, 26);   /* 0.1: 25.500000379 */
    check_write(VSG_EXE_FORMAT_R8_UNORM, 0x3dcccccc, 25);   /* a little less: 25.4999985 */
    check_write(VSG_EXE_FORMAT_R8_UNORM, 0x7f800000, 255);  /* infinity */
    check_write(VSG_EXE_FORMAT_R8_UNORM, 0x00000001, 0);    /* the least float */
    check_write(VSG_EXE_FORMAT_R8_SNORM, 0x80000000, 0);    /* -0 */
    check_write(VSG_EXE_FORMAT_R8_SNORM, 0xbf000000, 0xc0); /* -63.5, a tie: -64 */
    check_write(VSG_EXE_FORMAT_R8_SNORM, 0xc0000000, 0x81); /* -2: -127 */
    check_write(VSG_EXE_FORMAT_R8_SNORM, 0x7fc00000, 0);
    check_write(VSG_EXE_FORMAT_R16_UNORM, 0x3f000000, 0x8000); /* 32767.5, a tie */
    check_write(VSG_EXE_FORMAT_R16_FLOAT, 0x3f801000, 0x3c00); /* 1 + 2^-11, a tie */
    check_write(VSG_EXE_FORMAT_R16_FLOAT, 0x33000001, 1);      /* over half the least one */
}

static void check_four(uint32_t format, uint32_t mask, uint64_t want)
{
    /* 1, 0.5, over the range, below it */
    const uint32_t rgba[4] = {0x3f800000, 0x3f000000, 0x7f800000, 0xff800000};
    uint8_t texel[4] = {0x11, 0x22, 0x33, 0x44};

    vsg_exe_texel_write(vsg_exe_format_of(format), texel, rgba, mask);
    assert_int_equal(peek(texel, 4), want);
}

/* Four channels of 8 bits: each component to its own place, and those only that the mask has.
 */
static void four_channels(void **state)
{
    (void)state;
    check_four(VSG_EXE_FORMAT_R8G8B8A8_UNORM, 0xf, 0x00ff80ff);
    check_four(VSG_EXE_FORMAT_B8G8R8A8_UNORM, 0xf, 0x00ff80ff);
    check_four(VSG_EXE_FORMAT_R8G8B8A8_UNORM, 0x3, 0x443380ff);
    check_four(VSG_EXE_FORMAT_B8G8R8A8_UNORM, 0x3, 0x44ff8011);
    check_four(VSG_EXE_FORMAT_R8G8B8A8_SNORM, 0xf, 0x817f407f);
}

static void format_names(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < VSG_EXE_FORMAT_COUNT; i++) {
        const vsg_exe_format_info *info = vsg_exe_format_of(i);
        assert_non_null(info);
        assert_int_equal(info->texel_bytes, info->channels * info->bits / 8);
        assert_int_equal(vsg_exe_format_find(info->name, strlen(info->name)), i);
    }
    assert_int_equal(vsg_exe_format_find("R8_UINTX", 7), VSG_EXE_FORMAT_R8_UINT);
    assert_int_equal(vsg_exe_format_find("r8_uint", 7), VSG_EXE_FORMAT_COUNT);
    assert_null(vsg_exe_format_of(VSG_EXE_FORMAT_COUNT));
}

/* ---- other forms of the same message ----------------------------------------------------- */

/* A form that leaves anything else is noticed, whatever it is. */
static void forms_are_compared(void **state)
{
    enum { CHANNELS = 8, OFF = 2 /* a channel */ };
    static machine_state before, after, wrong;
    machine *m = machine_new(VISAGE_PLATFORM_SKL);

    (void)state;
    bind_image(m, VSG_EXE_FORMAT_R32G32B32A32_UINT);
    typed_op(m, VISAGE_OP_GATHER4_TYPED, CHANNELS, 15);
    set_raw(m, "dst", VAR_B, 0);
    m->execution_mask = ~(1u << OFF);
    machine_keep(m, &before);
    assert_int_equal(machine_run_once(m), VSG_EXE_STOP_END);
    machine_keep(m, &after);
    assert_false(machine_forms_differ(m, &before, &after));

    wrong = after;
    wrong.registers[VAR_B - VAR_A][OFF * 4] ^= 1;
    assert_true(machine_forms_differ(m, &before, &wrong));
    wrong = after;
    wrong.space[sizeof wrong.space - 1] ^= 1;
    assert_true(machine_forms_differ(m, &before, &wrong));
    wrong = after;
    wrong.slm[0] ^= 1;
    assert_true(machine_forms_differ(m, &before, &wrong));
    wrong = after;
    wrong.stop = VSG_EXE_STOP_FAULT;
    assert_true(machine_forms_differ(m, &before, &wrong));

    m->execution_mask = UINT32_MAX; /* the forms have it on, the run had not */
    assert_true(machine_forms_differ(m, &before, &after));
    machine_free(m);
}

/* The last test: what the others ran. */
static void forms_were_run(void **state)
{
    static const visage_op ops[] = {
        VISAGE_OP_LSC_LOAD_BLOCK2D,
        VISAGE_OP_LSC_STORE_BLOCK2D,
        VISAGE_OP_MEDIA_LD,
        VISAGE_OP_MEDIA_ST,
        VISAGE_OP_GATHER4_TYPED,
        VISAGE_OP_SCATTER4_TYPED,
        VISAGE_OP_TYPED_ATOMIC,
        VISAGE_OP_LSC_TYPED_LOAD_QUAD,
        VISAGE_OP_LSC_TYPED_ATOMIC_IADD,
    };

    (void)state;
    for (uint32_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        machine_forms_check(ops[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block2d_loads),      cmocka_unit_test(block2d_partial_group),
        cmocka_unit_test(block2d_stores),     cmocka_unit_test(block2d_masks),
        cmocka_unit_test(block2d_faults),     cmocka_unit_test(media_loads),
        cmocka_unit_test(media_stores),       cmocka_unit_test(media_fields),
        cmocka_unit_test(image_faults),       cmocka_unit_test(typed_layouts),
        cmocka_unit_test(typed_outside),      cmocka_unit_test(typed_slices),
        cmocka_unit_test(typed_atomics),      cmocka_unit_test(lsc_typed),
        cmocka_unit_test(four_channels),      cmocka_unit_test(texel_formats),
        cmocka_unit_test(each_byte_as_unorm), cmocka_unit_test(lowest_snorm),
        cmocka_unit_test(texel_clamping),     cmocka_unit_test(format_names),
        cmocka_unit_test(forms_are_compared), cmocka_unit_test(forms_were_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
