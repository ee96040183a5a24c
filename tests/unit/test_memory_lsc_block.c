/* SPDX-License-Identifier: MIT
 *
 * Every combination of two-dimensional LSC blocks: size of data, number, width, height and
 * order of blocks; with drawn surfaces, of which blocks lie inside, partly or not at all. The
 * model is the code of LOAD_BLOCK2D on page LSC_UNTYPED, loop by loop; surfaces end and stores
 * are laid out as docs/spec-notes.md, Two-dimensional blocks, says. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "lsc_model.h"

typedef struct block {
    uint32_t code, bytes; /* of an element */
    uint32_t blocks, width, height;
    bool transposed, vnni, predicated, predicate;
    uint32_t base, surface_width, surface_height, pitch; /* bytes, rows, bytes */
    int32_t x, y;
    uint32_t in_register; /* a bit for each operand */
    uint32_t data_at;
} block;

/* ---- the model --------------------------------------------------------------------------- */

static uint32_t round_up_pow2(uint32_t value)
{
    uint32_t power = 1;

    while (power < value)
        power += power;
    return power;
}

static uint32_t round_up(uint32_t multiple, uint32_t value)
{
    return (value + multiple - 1) / multiple * multiple;
}

/* The registers of a block, in elements: rows or columns as the page calls them. */
typedef struct grf_layout {
    uint32_t elems_per_dword, row_pitch, block_size, block_pitch;
} grf_layout;

static grf_layout layout_of(const lsc_bench *b, const block *c)
{
    uint32_t grf = b->m->platform == VISAGE_PLATFORM_PVC ? 64 : 32;
    grf_layout l = {.elems_per_dword = c->bytes < 4 ? 4 / c->bytes : 1};
    uint32_t rows = c->transposed ? c->width : c->height;

    l.row_pitch = round_up_pow2(c->transposed ? c->height : c->width);
    if (c->vnni) /* the last group takes its full place */
        rows = round_up(l.elems_per_dword, rows);
    l.block_size = l.row_pitch * rows;
    l.block_pitch = round_up(grf / c->bytes, l.block_size);
    return l;
}

/* Place of an element in the memory. NULL: outside of the surface. */
static uint8_t *element_of(lsc_bench *b, const block *c, uint32_t column, uint32_t row)
{
    int64_t x = ((int64_t)c->x + column) * c->bytes;
    int64_t y = (int64_t)c->y + row;

    if (x < 0 || x + c->bytes > c->surface_width || y < 0 || y >= c->surface_height)
        return NULL;
    return b->memory + c->base + y * c->pitch + x;
}

static void load_elem(lsc_bench *b, const block *c, uint32_t to, uint32_t number, uint32_t y,
                      uint32_t x)
{
    uint8_t *slot = b->registers[VAR_B - VAR_A] + c->data_at + to * c->bytes;
    const uint8_t *from = NULL;

    if (x < c->width && y < c->height) /* else of a group that is not full */
        from = element_of(b, c, number * c->width + x, y);
    if (from)
        memcpy(slot, from, c->bytes);
    else
        memset(slot, 0, c->bytes);
}

static void model_block(lsc_bench *b, const block *c, const grf_layout *l, uint32_t number)
{
    uint32_t start = number * l->block_pitch;
    uint32_t group = l->elems_per_dword;

    if (!c->transposed && !c->vnni)
        for (uint32_t y = 0; y < c->height; y++)
            for (uint32_t x = 0; x < c->width; x++)
                load_elem(b, c, start + y * l->row_pitch + x, number, y, x);
    else if (!c->transposed)
        for (uint32_t y = 0; y < c->height; y += group)
            for (uint32_t x = 0; x < c->width; x++)
                for (uint32_t i = 0; i < group; i++)
                    load_elem(b, c, start + y * l->row_pitch + x * group + i, number, y + i, x);
    else if (!c->vnni)
        for (uint32_t x = 0; x < c->width; x++)
            for (uint32_t y = 0; y < c->height; y++)
                load_elem(b, c, start + x * l->row_pitch + y, number, y, x);
    else
        for (uint32_t x = 0; x < c->width; x += group)
            for (uint32_t y = 0; y < c->height; y++)
                for (uint32_t i = 0; i < group; i++)
                    load_elem(b, c, start + x * l->row_pitch + y * group + i, number, y, x + i);
}

/* What no element fills is 0 (fill_grf_zeros). */
static void model_load(lsc_bench *b, const block *c)
{
    grf_layout l = layout_of(b, c);

    memset(b->registers[VAR_B - VAR_A] + c->data_at, 0, c->blocks * l.block_pitch * c->bytes);
    for (uint32_t number = 0; number < c->blocks; number++)
        model_block(b, c, &l, number);
}

static void model_store(lsc_bench *b, const block *c)
{
    const uint8_t *slots = b->registers[VAR_B - VAR_A] + c->data_at;

    for (uint32_t y = 0; y < c->height; y++)
        for (uint32_t x = 0; x < c->width; x++) {
            uint8_t *to = element_of(b, c, x, y);
            if (to)
                memcpy(to, slots + (y * round_up_pow2(c->width) + x) * c->bytes, c->bytes);
        }
}

/* ---- drawing ----------------------------------------------------------------------------- */

/* Places from one block before the surface to one behind it. */
static int32_t draw_place(lsc_bench *b, uint32_t size, uint32_t margin)
{
    return (int32_t)lsc_draw(b, size + 2 * margin) - (int32_t)margin;
}

static void draw_rest(lsc_bench *b, block *c)
{
    static const uint32_t masks[] = {UINT32_MAX, 0, 0x55555554};

    b->m->execution_mask = masks[lsc_draw(b, 3)]; /* does not count */
    c->predicated = lsc_draw(b, 4) == 0;
    c->predicate = lsc_draw(b, 2);
    c->surface_width = 1 + lsc_draw(b, 200);
    c->pitch = c->surface_width + lsc_draw(b, 60);
    c->surface_height = 1 + lsc_draw(b, 40);
    c->base = lsc_draw(b, 4000);
    c->x = draw_place(b, c->surface_width / c->bytes, c->blocks * c->width);
    c->y = draw_place(b, c->surface_height, c->height);
    c->in_register = lsc_draw(b, 64);
    c->data_at = 64 * lsc_draw(b, 2);
}

/* ---- running ----------------------------------------------------------------------------- */

/* Operand number i, as an immediate or as dword 2 * i of VAR_A. */
static void put_scalar(machine *m, const block *c, const char *name, uint32_t i, uint64_t value)
{
    visage_type type = i == 0 ? VISAGE_TYPE_UQ : VISAGE_TYPE_UD;

    poke(m->registers[0] + (size_t)8 * i, i == 0 ? 8 : 4, value);
    if (c->in_register >> i & 1)
        set_scalar(m, name, i == 0 ? (uint32_t)VAR_A_UQ : (uint32_t)VAR_A, 2 * i);
    else
        set_immediate(m, name, type, value);
}

static void put_block(lsc_bench *b, visage_op op, const block *c)
{
    machine *m = b->m;

    machine_op(m, op, 1);
    if (c->predicated)
        set_predicate(m, c->predicate ? 1 : 0xfffffffe);
    set_number(m, "data_size", c->code);
    set_number(m, "data_order", c->transposed ? 2 : 1);
    set_number(m, "num_blocks", c->blocks);
    set_number(m, "block_width", c->width);
    set_number(m, "block_height", c->height);
    set_number(m, "vnni", c->vnni);
    put_scalar(m, c, "surface_base", 0, machine_at(m, c->base));
    put_scalar(m, c, "surface_width", 1, c->surface_width - 1);
    put_scalar(m, c, "surface_height", 2, c->surface_height - 1);
    put_scalar(m, c, "surface_pitch", 3, c->pitch - 1);
    put_scalar(m, c, "x", 4, (uint32_t)c->x);
    put_scalar(m, c, "y", 5, (uint32_t)c->y);
    set_raw(m, op == VISAGE_OP_LSC_STORE_BLOCK2D ? "src1" : "dst", VAR_B, c->data_at);
}

static void shoot(lsc_bench *b, visage_op op, block c)
{
    machine *m = b->m;
    lsc_shot told = {.op = op,
                     .data = &lsc_datas[c.code - 1],
                     .place = &lsc_places[0],
                     .exec_size = 1,
                     .vector = 1};

    if (layout_of(b, &c).block_pitch * c.blocks * c.bytes + 64 > MACHINE_REGISTERS)
        return;
    draw_rest(b, &c);
    put_block(b, op, &c);
    for (uint32_t i = 0; i < MACHINE_REGISTERS; i += 4)
        poke(m->registers[VAR_B - VAR_A] + i, 4, lsc_draw(b, UINT32_MAX));
    memcpy(b->registers, m->registers, sizeof b->registers);
    if (!c.predicated || c.predicate) {
        if (op == VISAGE_OP_LSC_LOAD_BLOCK2D)
            model_load(b, &c);
        else
            model_store(b, &c);
    }
    if (!lsc_check(b, &told)) {
        print_message("%ux%ux%u%s%s at %d, %d of %ux%u, pitch %u\n", c.blocks, c.width,
                      c.height, c.transposed ? " transposed" : "", c.vnni ? " vnni" : "", c.x,
                      c.y, c.surface_width, c.surface_height, c.pitch);
        fail();
    }
}

/* ---- the combinations -------------------------------------------------------------------- */

static const uint32_t widths[] = {1, 2, 3, 4, 5, 8, 12, 16, 31, 32, 48, 64};
static const uint32_t heights[] = {1, 2, 3, 4, 6, 8, 13, 16, 32, 64};

static void every_size(lsc_bench *b, visage_op op, block c)
{
    for (uint32_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
        for (uint32_t h = 0; h < sizeof heights / sizeof heights[0]; h++) {
            c.width = widths[w];
            c.height = heights[h];
            shoot(b, op, c);
        }
}

/* VNNI order, which fills dwords, is of elements of at most 32 bits. */
static void every_order(lsc_bench *b, visage_op op, block c)
{
    for (uint32_t order = 0; order < 4; order++) {
        c.transposed = order & 1;
        c.vnni = (order & 2) != 0;
        if (!c.vnni || c.bytes <= 4)
            every_size(b, op, c);
    }
}

static void run_all(visage_op op, uint32_t least)
{
    static lsc_bench b;

    for (uint32_t p = 0; p < 2; p++) {
        lsc_begin(&b, p ? VISAGE_PLATFORM_PVC : VISAGE_PLATFORM_DG2);
        for (uint32_t code = 1; code <= 4; code++) {
            block c = {.code = code, .bytes = 1u << (code - 1), .blocks = 1};
            if (op == VISAGE_OP_LSC_STORE_BLOCK2D)
                every_size(&b, op, c);
            for (; op == VISAGE_OP_LSC_LOAD_BLOCK2D && c.blocks <= 4; c.blocks++)
                every_order(&b, op, c);
        }
        assert_true(b.count >= least);
        machine_free(b.m);
    }
}

static void loads(void **state)
{
    (void)state;
    run_all(VISAGE_OP_LSC_LOAD_BLOCK2D, 4000);
}

static void stores(void **state)
{
    (void)state;
    run_all(VISAGE_OP_LSC_STORE_BLOCK2D, 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads),
        cmocka_unit_test(stores),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
