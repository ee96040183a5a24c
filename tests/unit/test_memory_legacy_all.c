/* SPDX-License-Identifier: MIT
 *
 * Every combination of gathers, scatters and sums older than LSC: operation, size and number of
 * blocks or channel mask, surface, execution size; with drawn masks, addresses and offsets. The
 * model is a loop over channels and elements with the formulas of each instruction's page. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "lsc_model.h"

/* How an instruction has its elements. */
typedef struct message_row {
    visage_op op;
    bool is_store, is_far; /* is_far: 64-bit addresses, no surface */
    const char *codes[2];  /* operands that say what an element is */
    uint32_t ends[2];      /* codes are below */
    const char *base, *address, *data;
} message_row;

static const message_row rows[] = {
    {VISAGE_OP_GATHER,
     false,
     false,
     {"elt_size"},
     {3, 1},
     "global_offset",
     "element_offset",
     "dst"},
    {VISAGE_OP_SCATTER,
     true,
     false,
     {"elt_size"},
     {3, 1},
     "global_offset",
     "element_offset",
     "src"},
    {VISAGE_OP_GATHER_SCALED,
     false,
     false,
     {"num_blocks"},
     {3, 1},
     "offset",
     "element_offset",
     "dst"},
    {VISAGE_OP_SCATTER_SCALED,
     true,
     false,
     {"num_blocks"},
     {3, 1},
     "offset",
     "element_offset",
     "src"},
    {VISAGE_OP_GATHER4_SCALED,
     false,
     false,
     {"channels"},
     {16, 1},
     "offset",
     "element_offset",
     "dst"},
    {VISAGE_OP_SCATTER4_SCALED,
     true,
     false,
     {"channels"},
     {16, 1},
     "offset",
     "element_offset",
     "src"},
    {VISAGE_OP_QW_GATHER, false, false, {"num_blocks"}, {1, 1}, NULL, "element_offset", "dst"},
    {VISAGE_OP_QW_SCATTER, true, false, {"num_blocks"}, {1, 1}, NULL, "element_offset", "src"},
    {VISAGE_OP_SVM_GATHER,
     false,
     true,
     {"block_size", "num_blocks"},
     {3, 4},
     NULL,
     "addresses",
     "dst"},
    {VISAGE_OP_SVM_SCATTER,
     true,
     true,
     {"block_size", "num_blocks"},
     {3, 4},
     NULL,
     "addresses",
     "src"},
    {VISAGE_OP_SVM_GATHER4_SCALED,
     false,
     true,
     {"channels"},
     {16, 1},
     "address",
     "offsets",
     "dst"},
    {VISAGE_OP_SVM_SCATTER4_SCALED,
     true,
     true,
     {"channels"},
     {16, 1},
     "address",
     "offsets",
     "src"},
};
enum { NUM_ROWS = sizeof rows / sizeof rows[0] };

enum { SURFACE_AT = 1024, SURFACE_BYTES = 6000, SCRATCH_AT = 8192, SCRATCH_BYTES = 4096 };
enum { TARGET_T6, TARGET_SLM, TARGET_SCRATCH, NUM_TARGETS };

typedef struct shot {
    const message_row *row;
    uint32_t codes[2], target;
    uint32_t exec_size, mask_offset, predicate;
    bool no_mask, predicated;
    uint32_t data_at, base;
    uint32_t memory_bytes, slot_bytes, elements, mask; /* worked out from the codes */
    uint32_t at[LSC_CHANNELS]; /* bytes from the start of the surface or memory */
} shot;

/* ---- the model --------------------------------------------------------------------------- */

static bool is_gather(const shot *s)
{
    return s->row->op == VISAGE_OP_GATHER || s->row->op == VISAGE_OP_SCATTER;
}

static bool is_four(const shot *s)
{
    return s->row->ends[0] == 16;
}

/* What the pages say that an element is, and where it lies. */
static void find_elements(shot *s)
{
    static const uint32_t sizes[] = {1, 4, 8};
    bool is_svm = s->row->ends[1] == 4;
    bool is_qword = s->row->op == VISAGE_OP_QW_GATHER || s->row->op == VISAGE_OP_QW_SCATTER;

    s->elements = 1;
    s->mask = 15;
    if (is_four(s)) {
        s->memory_bytes = 4;
        s->elements = 4;
        s->mask = s->codes[0];
    } else if (is_qword) {
        s->memory_bytes = 8;
    } else if (is_svm && s->codes[0] > 0) {
        s->memory_bytes = sizes[s->codes[0]];
        s->elements = 1u << s->codes[1];
    } else { /* up to eight bytes of a channel behind each other, in at least a dword */
        s->memory_bytes = 1u << (is_svm ? s->codes[1] : s->codes[0]);
    }
    s->slot_bytes = s->memory_bytes < 4 ? 4 : s->memory_bytes;
}

/* ch_pos * max(exec_size, GRF_SIZE / 4) + i; j * exec_size + i. */
static uint32_t slot_of(const lsc_bench *b, const shot *s, uint32_t n, uint32_t m)
{
    uint32_t grf_dwords = b->m->platform == VISAGE_PLATFORM_PVC ? 16 : 8;
    uint32_t pitch = s->exec_size;

    if (is_four(s) && pitch < grf_dwords)
        pitch = grf_dwords;
    return s->data_at + (m * pitch + n) * s->slot_bytes;
}

/* NULL: outside of the surface, an element of which no part counts then. */
static uint8_t *memory_of(lsc_bench *b, const shot *s, uint32_t n, uint32_t v)
{
    uint32_t at = s->at[n] + v * s->memory_bytes;

    if (s->row->is_far)
        return b->memory + at;
    if (s->target == TARGET_SLM)
        return b->slm + at;
    if (s->target == TARGET_SCRATCH)
        return b->memory + SCRATCH_AT + at;
    return at + s->memory_bytes <= SURFACE_BYTES ? b->memory + SURFACE_AT + at : NULL;
}

static bool is_enabled(const lsc_bench *b, const shot *s, uint32_t n)
{
    uint32_t mask = s->no_mask ? UINT32_MAX : b->m->execution_mask;

    if (s->predicated)
        mask &= s->predicate;
    return mask >> (s->mask_offset + n) & 1;
}

static void model_element(lsc_bench *b, const shot *s, uint32_t n, uint32_t v, uint32_t m)
{
    uint8_t *slot = b->registers[VAR_B - VAR_A] + slot_of(b, s, n, m);
    uint8_t *memory = memory_of(b, s, n, v);

    if (s->row->is_store) {
        if (memory)
            memcpy(memory, slot, s->memory_bytes);
        return;
    }
    memset(slot, 0, s->slot_bytes);
    if (memory)
        memcpy(slot, memory, s->memory_bytes);
}

static void model_run(lsc_bench *b, const shot *s)
{
    for (uint32_t n = 0; n < s->exec_size; n++) {
        uint32_t m = 0;
        if (!is_enabled(b, s, n))
            continue;
        for (uint32_t v = 0; v < s->elements; v++)
            if (s->mask >> (v & 3) & 1)
                model_element(b, s, n, v, m++);
    }
}

/* ---- drawing ----------------------------------------------------------------------------- */

/* Places apart from each other: what stores to one place leave there is undefined. Half of them
 * lie behind each other, which is how most kernels have them. */
static void draw_places(lsc_bench *b, shot *s)
{
    uint32_t span = s->elements * s->memory_bytes;
    uint32_t unit = is_gather(s) ? s->memory_bytes : 1; /* offsets count elements */
    uint32_t step = lsc_draw(b, 2) ? span : span + unit * (1 + lsc_draw(b, 3));
    uint32_t first = s->base * unit + unit * lsc_draw(b, 40);
    if (!s->row->is_store && lsc_draw(b, 4) == 0)
        step = s->memory_bytes; /* vectors overlap */
    bool ends = s->target == TARGET_T6 && !s->row->is_far && lsc_draw(b, 4) == 0;
    uint32_t turn = lsc_draw(b, 4) == 0 ? 5 : 1;

    if (ends) /* the last channels are outside */
        first = (SURFACE_BYTES - lsc_draw(b, s->exec_size * step + 1)) / unit * unit;
    for (uint32_t n = 0; n < s->exec_size; n++)
        s->at[n] = first + n * turn % s->exec_size * step;
    if (s->exec_size > 1 && lsc_draw(b, 2) && !s->row->is_store)
        s->at[s->exec_size - 1] = s->at[0];
}

static void draw_rest(lsc_bench *b, shot *s)
{
    static const uint32_t masks[] = {UINT32_MAX, 0xa5a5c396, 0x0000fff0, 0xffff0001};
    uint32_t step = s->exec_size < 4 ? 4 : s->exec_size;

    b->m->execution_mask = masks[lsc_draw(b, 4)];
    s->mask_offset = lsc_draw(b, 2) ? lsc_draw(b, 32 / step) * step : 0;
    s->no_mask = lsc_draw(b, 3) == 0;
    s->predicated = !is_gather(s) && lsc_draw(b, 3) == 0;
    s->predicate = lsc_draw(b, UINT32_MAX);
    s->data_at = 64 * lsc_draw(b, 2);
    s->base = s->row->base && lsc_draw(b, 2) ? lsc_draw(b, 100) : 0;
    draw_places(b, s);
}

/* ---- running ----------------------------------------------------------------------------- */

static void put_places(lsc_bench *b, const shot *s)
{
    machine *m = b->m;
    uint32_t unit = is_gather(s) ? s->memory_bytes : 1;

    if (s->row->base)
        set_immediate(m, s->row->base, s->row->is_far ? VISAGE_TYPE_UQ : VISAGE_TYPE_UD,
                      s->row->is_far ? machine_at(m, 0) : s->base);
    for (uint32_t n = 0; n < s->exec_size; n++) {
        if (s->row->is_far)
            put64(m, VAR_A, n, s->at[n] + (s->row->base ? 0 : machine_at(m, 0)));
        else
            put32(m, VAR_A, n, s->at[n] / unit - s->base);
    }
}

static void put_shot(lsc_bench *b, const shot *s)
{
    static const uint32_t surfaces[] = {SURFACE_T6, VSG_ISA_SURFACE_SLM,
                                        VSG_ISA_SURFACE_SCRATCH};
    machine *m = b->m;

    machine_op(m, s->row->op, is_gather(s) ? 0 : s->exec_size);
    if (is_gather(s))
        set_number(m, "num_elements",
                   (s->exec_size == 1 ? 2 : s->exec_size / 16) | s->mask_offset / 4 << 4 |
                       (s->no_mask ? 0x80u : 0));
    else
        m->inst.mask_offset = (uint8_t)s->mask_offset;
    m->inst.no_mask = s->no_mask && !is_gather(s);
    if (s->predicated)
        set_predicate(m, s->predicate);
    for (uint32_t i = 0; i < 2 && s->row->codes[i]; i++)
        set_number(m, s->row->codes[i], s->codes[i]);
    if (!s->row->is_far)
        set_surface(m, surfaces[s->target]);
    set_raw(m, s->row->address, VAR_A, 0);
    set_raw(m, s->row->data, VAR_B, s->data_at);
    put_places(b, s);
}

static void shoot(lsc_bench *b, shot s)
{
    machine *m = b->m;
    lsc_shot told = {.op = s.row->op, .data = &lsc_datas[0], .place = &lsc_places[0]};

    find_elements(&s);
    draw_rest(b, &s);
    told.exec_size = s.exec_size;
    told.mask_offset = s.mask_offset;
    for (uint32_t i = 0; i < 2048; i += 4)
        poke(m->registers[VAR_B - VAR_A] + i, 4, lsc_draw(b, UINT32_MAX));
    put_shot(b, &s);
    memcpy(b->registers, m->registers, sizeof b->registers);
    model_run(b, &s);
    if (!lsc_check(b, &told)) {
        print_message("codes %u %u, target %u, base %u, first %u %u\n", s.codes[0], s.codes[1],
                      s.target, s.base, s.at[0], s.at[1]);
        fail();
    }
}

/* ---- the combinations -------------------------------------------------------------------- */

static void begin(lsc_bench *b, visage_platform platform)
{
    lsc_begin(b, platform);
    b->m->launch.surfaces[3] = (vsg_exe_surface){.kind = VSG_EXE_SURFACE_BUFFER,
                                                 .address = machine_at(b->m, SURFACE_AT),
                                                 .size_bytes = SURFACE_BYTES};
    b->m->thread.scratch_address = machine_at(b->m, SCRATCH_AT);
    b->m->thread.scratch_bytes = SCRATCH_BYTES;
}

/* GATHER and SCATTER have 1, 8 or 16 elements; the four-channel messages 8 or 16; only the
 * scaled ones 32. PVC has no qwords; eight blocks have four bytes each and 8 channels. */
static bool is_legal(const lsc_bench *b, const shot *s)
{
    bool is_qword = s->row->op == VISAGE_OP_QW_GATHER || s->row->op == VISAGE_OP_QW_SCATTER;

    if (is_qword && b->m->platform == VISAGE_PLATFORM_PVC)
        return false;
    if (s->row->ends[1] == 4 && s->codes[1] == 3)
        return s->codes[0] == 1 && s->exec_size == 8;
    if (s->exec_size == 32)
        return s->row->op == VISAGE_OP_GATHER_SCALED || s->row->op == VISAGE_OP_SCATTER_SCALED;
    if (is_gather(s))
        return s->exec_size == 1 || s->exec_size >= 8;
    return !is_four(s) || (s->exec_size >= 8 && s->codes[0] > 0);
}

static void every_shot(lsc_bench *b, const message_row *row)
{
    shot s = {.row = row};

    for (s.codes[0] = 0; s.codes[0] < row->ends[0]; s.codes[0]++)
        for (s.codes[1] = 0; s.codes[1] < row->ends[1]; s.codes[1]++)
            for (s.target = 0; s.target < (row->is_far ? 1 : NUM_TARGETS); s.target++)
                for (s.exec_size = 1; s.exec_size <= 32; s.exec_size *= 2)
                    for (uint32_t i = 0; i < 24 && is_legal(b, &s); i++)
                        shoot(b, s);
}

static void all(void **state)
{
    static const visage_platform platforms[] = {VISAGE_PLATFORM_SKL, VISAGE_PLATFORM_PVC};
    static lsc_bench b;

    (void)state;
    for (uint32_t p = 0; p < 2; p++) {
        begin(&b, platforms[p]);
        for (uint32_t i = 0; i < NUM_ROWS; i++)
            every_shot(&b, &rows[i]);
        assert_true(b.count >= 10000);
        machine_free(b.m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
