/* SPDX-License-Identifier: MIT
 *
 * Every combination of LSC atomics: operation, size of data, way of addressing, size of
 * addresses, execution size; with drawn masks, scales, offsets, values and null destinations.
 * Many channels share an address: they follow each other in their order (docs/spec-notes.md).
 * The operations are those of atomic_model.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "atomic_model.h"
#include "exec/outputs.h"
#include "lsc_model.h"

enum kind { SIGNED, UNSIGNED, FLOAT };

static const struct operation {
    visage_op op;
    uint32_t arguments;
    enum kind kind; /* of its operands */
} operations[] = {
    {VISAGE_OP_LSC_ATOMIC_IINC, 0, UNSIGNED}, {VISAGE_OP_LSC_ATOMIC_IDEC, 0, UNSIGNED},
    {VISAGE_OP_LSC_ATOMIC_LOAD, 0, UNSIGNED}, {VISAGE_OP_LSC_ATOMIC_STORE, 1, UNSIGNED},
    {VISAGE_OP_LSC_ATOMIC_IADD, 1, UNSIGNED}, {VISAGE_OP_LSC_ATOMIC_ISUB, 1, UNSIGNED},
    {VISAGE_OP_LSC_ATOMIC_SMIN, 1, SIGNED},   {VISAGE_OP_LSC_ATOMIC_SMAX, 1, SIGNED},
    {VISAGE_OP_LSC_ATOMIC_UMIN, 1, UNSIGNED}, {VISAGE_OP_LSC_ATOMIC_UMAX, 1, UNSIGNED},
    {VISAGE_OP_LSC_ATOMIC_ICAS, 2, UNSIGNED}, {VISAGE_OP_LSC_ATOMIC_AND, 1, UNSIGNED},
    {VISAGE_OP_LSC_ATOMIC_OR, 1, UNSIGNED},   {VISAGE_OP_LSC_ATOMIC_XOR, 1, UNSIGNED},
    {VISAGE_OP_LSC_ATOMIC_FADD, 1, FLOAT},    {VISAGE_OP_LSC_ATOMIC_FSUB, 1, FLOAT},
    {VISAGE_OP_LSC_ATOMIC_FMIN, 1, FLOAT},    {VISAGE_OP_LSC_ATOMIC_FMAX, 1, FLOAT},
    {VISAGE_OP_LSC_ATOMIC_FCAS, 2, FLOAT},
};
enum { NUM_OPERATIONS = sizeof operations / sizeof operations[0] };

/* ---- the model --------------------------------------------------------------------------- */

static uint64_t argument(const lsc_bench *b, const lsc_shot *s, uint32_t variable, uint32_t n)
{
    return peek(b->registers[variable - VAR_A] + lsc_slot(b, s, n, 0) + s->data->at,
                s->data->memory_bytes);
}

static void model_run(lsc_bench *b, const lsc_shot *s)
{
    uint32_t bytes = s->data->memory_bytes;

    for (uint32_t n = 0; n < s->exec_size; n++) {
        uint8_t *memory = lsc_memory(b, s, n, 0);
        uint64_t old = memory ? peek(memory, bytes) : 0;
        if (!(lsc_enabled(b, s) >> n & 1))
            continue;
        if (memory)
            poke(memory, bytes,
                 atomic_result(s->op, bytes, old, argument(b, s, VAR_C, n),
                               argument(b, s, VAR_D, n)));
        if (s->is_null)
            continue;
        uint8_t *slot = b->registers[VAR_B - VAR_A] + lsc_slot(b, s, n, 0);
        memset(slot, 0, s->data->register_bytes);
        poke(slot + s->data->at, bytes, old);
    }
}

/* ---- drawing ----------------------------------------------------------------------------- */

/* Integers near the ends of their ranges, which are equal now and then. */
static uint64_t draw_integer(lsc_bench *b, uint32_t bytes)
{
    uint64_t top = (uint64_t)1 << (8 * bytes - 1);
    uint64_t some[] = {0, 1, 2, UINT64_MAX, top - 1, top, top + 1, (uint64_t)1 << 4 * bytes};

    return lsc_draw(b, 3) ? some[lsc_draw(b, 8)]
                          : (uint64_t)lsc_draw(b, UINT32_MAX) << 32 | lsc_draw(b, UINT32_MAX);
}

/* wild: infinities and NaNs, too. */
static uint64_t draw_float(lsc_bench *b, uint32_t bytes, bool wild)
{
    uint32_t fraction = bytes == 2 ? 10 : bytes == 4 ? 23 : 52;
    uint64_t sign = (uint64_t)lsc_draw(b, 2) << (8 * bytes - 1);
    uint64_t bias = ((uint64_t)1 << (8 * bytes - 2 - fraction)) - 1;
    uint64_t infinity = (2 * bias + 1) << fraction;
    uint64_t some[] = {0,
                       1,                                       /* least denormal */
                       ((uint64_t)1 << fraction) - 1,           /* largest one */
                       (uint64_t)1 << fraction,                 /* least number */
                       infinity - 1,                            /* largest one */
                       bias << fraction,                        /* 1 */
                       (bias << fraction) + 1,                  /* the one behind it */
                       ((bias - fraction - 1) << fraction),     /* half a place of 1 */
                       ((bias - fraction - 1) << fraction) + 1, /* a little more */
                       (bias << fraction) + ((uint64_t)1 << (fraction - 1)) /* 1.5 */,
                       infinity,
                       infinity + ((uint64_t)1 << (fraction - 1)) + 1};

    if (lsc_draw(b, 3))
        return sign | some[lsc_draw(b, wild ? 12 : 10)];
    uint64_t drawn = (uint64_t)lsc_draw(b, UINT32_MAX) << 32 | lsc_draw(b, UINT32_MAX);
    return sign | drawn % infinity;
}

/* No sum of what is drawn is a NaN, no minimum is of two NaNs: which one it were is not said.
 */
static uint64_t draw_value(lsc_bench *b, const struct operation *operation, uint32_t bytes,
                           bool wild)
{
    if (operation->kind == FLOAT)
        return draw_float(b, bytes, wild);
    return draw_integer(b, bytes);
}

/* A few places that the channels share, aligned; with values. */
static void draw_cells(lsc_bench *b, const struct operation *operation, lsc_shot *s, bool wild)
{
    uint32_t bytes = s->data->memory_bytes;
    uint32_t size = s->place->end - s->place->begin;
    uint32_t cells = 1 + lsc_draw(b, 8);
    uint32_t first = lsc_draw(b, (size - 64 - s->scale) / 8) * 8;

    if (s->scale % bytes)
        s->scale = 1;
    s->offset -= s->offset % 8;
    for (uint32_t n = 0; n < s->exec_size; n++) {
        uint32_t at = first + bytes * lsc_draw(b, cells);
        if (s->place->drops && lsc_draw(b, 8) == 0)
            at = size / 8 * 8 + bytes * lsc_draw(b, 3);
        s->addresses[n] = lsc_solve(b, s, at);
        uint8_t *memory = lsc_memory(b, s, n, 0);
        if (!memory)
            continue;
        poke(memory, bytes, draw_value(b, operation, bytes, wild));
        if (s->place->is_slm)
            memcpy(b->m->slm + (memory - b->slm), memory, bytes);
        else
            memcpy(b->m->memory + (memory - b->memory), memory, bytes);
    }
}

static void put_data(lsc_bench *b, const struct operation *operation, const lsc_shot *s,
                     bool wild)
{
    machine *m = b->m;
    uint32_t bytes = s->data->memory_bytes;

    for (uint32_t i = 0; i < 512; i += 4)
        poke(m->registers[VAR_B - VAR_A] + i, 4, lsc_draw(b, UINT32_MAX));
    for (uint32_t n = 0; n < s->exec_size; n++) {
        uint32_t at = lsc_slot(b, s, n, 0) + s->data->at;
        poke(m->registers[VAR_C - VAR_A] + at, bytes, draw_value(b, operation, bytes, wild));
        poke(m->registers[VAR_D - VAR_A] + at, bytes, draw_value(b, operation, bytes, wild));
    }
    if (!s->is_null)
        set_raw(m, "dst", VAR_B, s->data_at);
    if (operation->arguments > 0)
        set_raw(m, "src1", VAR_C, s->data_at);
    if (operation->arguments > 1)
        set_raw(m, "src2", VAR_D, s->data_at);
}

static void shoot(lsc_bench *b, const struct operation *operation, lsc_shot s)
{
    bool is_sum = s.op == VISAGE_OP_LSC_ATOMIC_FADD || s.op == VISAGE_OP_LSC_ATOMIC_FSUB;
    bool compares = operation->arguments == 2;
    uint32_t wild = is_sum ? 2 : lsc_draw(b, 2); /* 0: memory, 1: arguments, 2: none */

    lsc_draw_form(b, &s);
    s.is_null = lsc_draw(b, 4) == 0;
    draw_cells(b, operation, &s, compares || wild == 0);
    lsc_put(b, &s);
    put_data(b, operation, &s, compares || wild == 1);
    memcpy(b->registers, b->m->registers, sizeof b->registers);
    model_run(b, &s);
    assert_true(lsc_check(b, &s));
}

/* ---- the combinations -------------------------------------------------------------------- */

static void every_atomic(lsc_bench *b, const struct operation *operation)
{
    static const uint32_t datas[] = {1, 2, 3, 5, 6}; /* of lsc_datas: 16, 32 and 64 bits */
    lsc_shot s = {.op = operation->op, .vector = 1};

    for (uint32_t d = 0; d < sizeof datas / sizeof datas[0]; d++)
        for (uint32_t p = 0; p < LSC_PLACES; p++)
            for (s.exec_size = 1; s.exec_size <= lsc_most_channels(b); s.exec_size *= 2) {
                s.data = &lsc_datas[datas[d]];
                s.place = &lsc_places[p];
                for (uint32_t i = 0; i < 2; i++)
                    shoot(b, operation, s);
            }
}

static void run_kind(enum kind kind)
{
    static lsc_bench b;

    for (uint32_t p = 0; p < 2; p++) {
        lsc_begin(&b, p ? VISAGE_PLATFORM_PVC : VISAGE_PLATFORM_DG2);
        for (uint32_t i = 0; i < NUM_OPERATIONS; i++)
            if (operations[i].kind == kind)
                every_atomic(&b, &operations[i]);
        assert_true(b.count >= 1000);
        machine_free(b.m);
    }
}

static void unsigned_atomics(void **state)
{
    (void)state;
    run_kind(UNSIGNED);
}

static void signed_atomics(void **state)
{
    (void)state;
    run_kind(SIGNED);
}

static void float_atomics(void **state)
{
    (void)state;
    run_kind(FLOAT);
}

/* ---- append counters --------------------------------------------------------------------- */

/* AppendCounterAtomicAdd: one counter that all channels add to, which is no part of the
 * surface's own memory. */
static void shoot_append(lsc_bench *b, lsc_shot s, uint64_t counter)
{
    machine *m = b->m;
    uint32_t bytes = s.data->memory_bytes;

    lsc_draw_form(b, &s);
    s.is_null = lsc_draw(b, 4) == 0;
    machine_op(m, s.op, s.exec_size);
    m->inst.mask_offset = (uint8_t)s.mask_offset;
    m->inst.no_mask = s.no_mask;
    m->inst.predicate_inverse = s.is_inverse;
    if (s.is_predicated)
        set_predicate(m, s.predicate);
    set_number(m, "addr_type", 4);
    set_number(m, "data_size", s.data->code);
    set_number(m, "data_order", 1);
    set_number(m, "num_elements", 1);
    set_immediate(m, "surface", VISAGE_TYPE_UD, LSC_ENTRY);
    if (!s.is_null)
        set_raw(m, "dst", VAR_B, s.data_at);
    set_raw(m, "src0", VAR_C, s.data_at);
    memcpy(b->registers, m->registers, sizeof b->registers);
    for (uint32_t n = 0; n < s.exec_size; n++) {
        uint64_t old = peek(b->memory + counter, bytes);
        uint64_t value = argument(b, &s, VAR_C, n);
        if (!(lsc_enabled(b, &s) >> n & 1))
            continue;
        poke(b->memory + counter, bytes,
             s.op == VISAGE_OP_LSC_APNDCTR_ATOMIC_ADD ? old + value : old - value);
        if (!s.is_null)
            poke(b->registers[VAR_B - VAR_A] + lsc_slot(b, &s, n, 0), bytes, old);
    }
    assert_true(lsc_check(b, &s));
}

static void append_counters(void **state)
{
    enum { COUNTER = 64 };
    static vsg_exe_outputs outputs;
    static lsc_bench b;

    (void)state;
    lsc_begin(&b, VISAGE_PLATFORM_PVC);
    outputs.counters[LSC_ENTRY] = (vsg_exe_surface){
        .kind = VSG_EXE_SURFACE_BUFFER, .address = machine_at(b.m, COUNTER), .size_bytes = 8};
    b.m->launch.outputs = &outputs;
    lsc_shot s = {.place = &lsc_places[4], .vector = 1};
    for (uint32_t i = 0; i < 40; i++)
        for (s.exec_size = 1; s.exec_size <= 32; s.exec_size *= 2) {
            s.op = i & 1 ? VISAGE_OP_LSC_APNDCTR_ATOMIC_ADD : VISAGE_OP_LSC_APNDCTR_ATOMIC_SUB;
            s.data = &lsc_datas[i & 2 ? 2 : 3];
            shoot_append(&b, s, COUNTER);
        }
    machine_free(b.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsigned_atomics),
        cmocka_unit_test(signed_atomics),
        cmocka_unit_test(float_atomics),
        cmocka_unit_test(append_counters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
