/* SPDX-License-Identifier: MIT
 *
 * Every combination of LSC loads and stores: operation, size of data, vector, way of
 * addressing, size of addresses, execution size; with drawn masks, scales, offsets, pitches and
 * null destinations. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "lsc_model.h"

static bool is_store(const lsc_shot *s)
{
    return s->op == VISAGE_OP_LSC_STORE || s->op == VISAGE_OP_LSC_STORE_QUAD ||
           s->op == VISAGE_OP_LSC_STORE_STRIDED || s->op == VISAGE_OP_LSC_STORE_UNCOMPRESSED;
}

/* ---- the model --------------------------------------------------------------------------- */

static void model_move(lsc_bench *b, const lsc_shot *s, uint32_t n, uint32_t v, uint32_t m)
{
    uint8_t *slot = b->registers[VAR_B - VAR_A] + lsc_slot(b, s, n, m);
    uint8_t *memory = lsc_memory(b, s, n, v);

    if (is_store(s)) {
        if (memory)
            memcpy(memory, slot + s->data->at, s->data->memory_bytes);
        return;
    }
    memset(slot, 0, s->data->register_bytes);
    if (memory)
        memcpy(slot + s->data->at, memory, s->data->memory_bytes);
}

static void model_status(lsc_bench *b, const lsc_shot *s)
{
    uint32_t status = 0;

    for (uint32_t n = 0; n < s->exec_size; n++) {
        bool is_there = lsc_enabled(b, s) >> n & 1;
        for (uint32_t v = 0; v < lsc_elements(s); v++)
            is_there = is_there && lsc_memory(b, s, n, v);
        status |= (uint32_t)is_there << n;
    }
    if (lsc_enabled(b, s))
        poke(b->registers[VAR_B - VAR_A] + s->data_at, 4, status);
}

static void model_run(lsc_bench *b, const lsc_shot *s)
{
    uint32_t channels = lsc_enabled(b, s);

    if (s->is_null)
        return;
    if (s->op == VISAGE_OP_LSC_LOAD_STATUS) {
        model_status(b, s);
        return;
    }
    for (uint32_t n = 0; n < s->exec_size; n++) {
        uint32_t m = 0;
        for (uint32_t v = 0; v < lsc_elements(s); v++)
            if (!s->quad || (s->quad >> v & 1)) {
                if (channels >> n & 1)
                    model_move(b, s, n, v, m);
                m++;
            }
    }
}

/* ---- drawing ----------------------------------------------------------------------------- */

/* Strides that keep all channels in the place, whose channels may also share bytes. */
static void draw_pitch(lsc_bench *b, lsc_shot *s, uint32_t span)
{
    static const int32_t kinds[] = {0, 1, -1, 3, 8, -24};
    uint32_t size = s->place->end - s->place->begin;

    s->pitch_kind = lsc_draw(b, 3); /* none, immediate, in a register */
    s->pitch = lsc_draw(b, 2) ? kinds[lsc_draw(b, 6)] * (int32_t)s->data->memory_bytes
                              : (int32_t)lsc_draw(b, 60) - 30;
    if (s->pitch_kind == 2 && s->pitch < 0) /* the register is unsigned */
        s->pitch = -s->pitch;
    if (span + s->exec_size * (uint32_t)(s->pitch < 0 ? -s->pitch : s->pitch) > size)
        s->pitch = 0;
}

/* Of a place that faults outside no channel that is on may be there; of one that does not some
 * may. */
static void draw_addresses(lsc_bench *b, lsc_shot *s)
{
    uint32_t span = lsc_elements(s) * s->data->memory_bytes;
    uint32_t size = s->place->end - s->place->begin;
    uint32_t after = 0, before = 0;
    uint32_t style = lsc_draw(b, 4);

    if (lsc_is_strided(s)) {
        int64_t all = (int64_t)lsc_pitch(s) * (s->exec_size - 1);
        after = all > 0 ? (uint32_t)all : 0;
        before = all < 0 ? (uint32_t)-all : 0;
    }
    assert_true(before + after + span + s->scale <= size);
    uint32_t room = size - before - after - span - s->scale + 1;
    uint32_t start = lsc_draw(b, room);
    for (uint32_t n = 0; n < s->exec_size; n++) {
        uint32_t at = style == 0   ? lsc_draw(b, room)
                      : style == 1 ? start
                      : style == 2 ? (start + n * span) % room
                                   : (start + n * s->data->memory_bytes) % room;
        bool may_be_outside =
            s->place->drops || s->op == VISAGE_OP_LSC_LOAD_STATUS || s->is_null;
        if (may_be_outside && lsc_draw(b, 8) == 0)
            at = size - lsc_draw(b, 2 * span);
        s->addresses[n] = lsc_solve(b, s, (int64_t)before + at);
    }
}

static void draw_rest(lsc_bench *b, lsc_shot *s)
{
    lsc_draw_form(b, s);
    s->is_null = !is_store(s) && s->op != VISAGE_OP_LSC_LOAD_STATUS && lsc_draw(b, 16) == 0;
    if (lsc_is_strided(s))
        draw_pitch(b, s, lsc_elements(s) * s->data->memory_bytes + s->scale);
    draw_addresses(b, s);
}

/* ---- running ----------------------------------------------------------------------------- */

/* Stores are of fresh data; other registers and the memory are as the shot before left them. */
static void shoot(lsc_bench *b, const lsc_shot *s)
{
    machine *m = b->m;

    for (uint32_t i = 0; i < MACHINE_REGISTERS; i += 4)
        poke(m->registers[VAR_B - VAR_A] + i, 4, lsc_draw(b, UINT32_MAX));
    lsc_put(b, s);
    if (!s->is_null)
        set_raw(m, is_store(s) ? "src1" : "dst", VAR_B, s->data_at);
    memcpy(b->registers, m->registers, sizeof b->registers);
    model_run(b, s);
    assert_true(lsc_check(b, s));
}

/* Whether registers and memory are large enough for what the rest says. */
static bool fits(const lsc_bench *b, const lsc_shot *s)
{
    uint32_t elements = lsc_elements(s);
    uint32_t size = s->place->end - s->place->begin;
    uint32_t span = elements * s->data->memory_bytes;
    lsc_shot last = *s;

    last.data_at = 128;
    return lsc_slot(b, &last, s->exec_size - 1, elements - 1) + 8 <= MACHINE_REGISTERS &&
           span * (lsc_is_strided(s) ? s->exec_size + 1 : 2) <= size;
}

static void shoot_drawn(lsc_bench *b, lsc_shot s)
{
    if (!fits(b, &s))
        return;
    draw_rest(b, &s);
    shoot(b, &s);
}

/* ---- the combinations -------------------------------------------------------------------- */

static void every_vector(lsc_bench *b, visage_op op)
{
    lsc_shot s = {.op = op};

    for (uint32_t d = 0; d < LSC_DATAS; d++)
        for (uint32_t p = 0; p < LSC_PLACES; p++)
            for (s.vector = 1; s.vector < LSC_VECTORS; s.vector++) {
                s.data = &lsc_datas[d];
                s.place = &lsc_places[p];
                s.is_transposed = false;
                for (s.exec_size = 1; s.exec_size <= lsc_most_channels(b); s.exec_size *= 2)
                    shoot_drawn(b, s);
                if (op == VISAGE_OP_LSC_LOAD_STATUS)
                    continue;
                s.exec_size = 1;
                s.is_transposed = true;
                shoot_drawn(b, s);
            }
}

static void every_quad(lsc_bench *b, visage_op op)
{
    lsc_shot s = {.op = op};

    for (uint32_t d = 0; d < LSC_DATAS; d++)
        for (s.quad = 1; s.quad < 16; s.quad++)
            for (s.exec_size = 1; s.exec_size <= lsc_most_channels(b); s.exec_size *= 2)
                for (uint32_t p = lsc_draw(b, 3); p < LSC_PLACES; p += 3) {
                    s.data = &lsc_datas[d];
                    s.place = &lsc_places[p];
                    shoot_drawn(b, s);
                }
}

/* At least `least` executions, so that a limit which leaves out most of them is seen. */
static void run_all(visage_op op, bool is_quad, uint32_t least)
{
    static const visage_platform platforms[] = {VISAGE_PLATFORM_DG2, VISAGE_PLATFORM_PVC};
    static lsc_bench b;

    for (uint32_t p = 0; p < 2; p++) {
        lsc_begin(&b, platforms[p]);
        if (is_quad)
            every_quad(&b, op);
        else
            every_vector(&b, op);
        assert_true(b.count >= least);
        machine_free(b.m);
    }
}

static void loads(void **state)
{
    (void)state;
    run_all(VISAGE_OP_LSC_LOAD, false, 4000);
}

static void stores(void **state)
{
    (void)state;
    run_all(VISAGE_OP_LSC_STORE, false, 4000);
}

static void uncompressed_stores(void **state)
{
    (void)state;
    run_all(VISAGE_OP_LSC_STORE_UNCOMPRESSED, false, 4000);
}

static void load_statuses(void **state)
{
    (void)state;
    run_all(VISAGE_OP_LSC_LOAD_STATUS, false, 3000);
}

static void strided_loads(void **state)
{
    (void)state;
    run_all(VISAGE_OP_LSC_LOAD_STRIDED, false, 3000);
}

static void strided_stores(void **state)
{
    (void)state;
    run_all(VISAGE_OP_LSC_STORE_STRIDED, false, 3000);
}

static void quad_loads(void **state)
{
    (void)state;
    run_all(VISAGE_OP_LSC_LOAD_QUAD, true, 2000);
}

static void quad_stores(void **state)
{
    (void)state;
    run_all(VISAGE_OP_LSC_STORE_QUAD, true, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads),         cmocka_unit_test(stores),
        cmocka_unit_test(strided_loads), cmocka_unit_test(strided_stores),
        cmocka_unit_test(quad_loads),    cmocka_unit_test(quad_stores),
        cmocka_unit_test(load_statuses), cmocka_unit_test(uncompressed_stores),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
