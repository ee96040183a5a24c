/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "isa/lsc.h"
#include "lsc_model.h"

const lsc_data lsc_datas[LSC_DATAS] = {{1, 1, 1, 0}, {2, 2, 2, 0}, {3, 4, 4, 0}, {4, 8, 8, 0},
                                       {5, 1, 4, 0}, {6, 2, 4, 0}, {7, 2, 4, 2}};
const uint32_t lsc_vectors[LSC_VECTORS] = {0, 1, 2, 3, 4, 8, 16, 32, 64};

enum {
    SURFACE_BEGIN = 4096 + 200,
    SURFACE_END = SURFACE_BEGIN + 6000,
    SCRATCH_BEGIN = 10240,
    SCRATCH_END = SCRATCH_BEGIN + 4096,
    ARGUMENTS = 1024, /* r0.0 */
    STATE_HANDLE = 0x1240
};

const lsc_place lsc_places[LSC_PLACES] = {
    {0, 1, 3, 0, false, false, false, 0, MACHINE_BYTES},
    {1, 1, 3, 0, false, false, false, 0, MACHINE_BYTES},
    {3, 1, 1, 0, false, true, false, 0, MACHINE_SLM_BYTES},
    {3, 1, 2, 0, false, true, false, 0, MACHINE_SLM_BYTES},
    {0, 4, 1, LSC_ENTRY, false, false, true, SURFACE_BEGIN, SURFACE_END},
    {0, 4, 2, LSC_ENTRY, false, false, true, SURFACE_BEGIN, SURFACE_END},
    {0, 4, 3, LSC_ENTRY, true, false, true, SURFACE_BEGIN, SURFACE_END},
    {1, 4, 2, LSC_ENTRY, true, false, true, SURFACE_BEGIN, SURFACE_END},
    {0, 2, 1, STATE_HANDLE, true, false, true, SURFACE_BEGIN, SURFACE_END},
    {0, 2, 2, STATE_HANDLE, false, false, true, SURFACE_BEGIN, SURFACE_END},
    {0, 3, 2, STATE_HANDLE, true, false, true, SURFACE_BEGIN, SURFACE_END},
    {0, 3, 3, STATE_HANDLE, false, false, true, SURFACE_BEGIN, SURFACE_END},
    {0, 3, 2, 0x40, true, false, false, SCRATCH_BEGIN, SCRATCH_END},
    {0, 5, 2, 0, false, false, false, SCRATCH_BEGIN + ARGUMENTS, SCRATCH_END},
};

uint32_t lsc_draw(lsc_bench *b, uint32_t end)
{
    b->random ^= b->random << 13;
    b->random ^= b->random >> 7;
    b->random ^= b->random << 17;
    return (uint32_t)((b->random >> 32) * end >> 32);
}

void lsc_begin(lsc_bench *b, visage_platform platform)
{
    memset(b, 0, sizeof *b);
    b->random = UINT64_C(0x9e3779b97f4a7c15);
    b->m = machine_new(platform);
    machine *m = b->m;
    vsg_exe_surface surface = {.kind = VSG_EXE_SURFACE_BUFFER,
                               .address = machine_at(m, SURFACE_BEGIN),
                               .size_bytes = SURFACE_END - SURFACE_BEGIN};
    m->launch.surfaces[LSC_ENTRY] = surface;
    b->state = (vsg_exe_state){.handle = STATE_HANDLE, .surface = surface};
    m->launch.states = &b->state;
    m->launch.num_states = 1;
    m->launch.bounds = VSG_EXE_BOUNDS_DOCUMENTED;
    m->thread.scratch_address = machine_at(m, SCRATCH_BEGIN);
    m->thread.scratch_bytes = SCRATCH_END - SCRATCH_BEGIN;
    m->r0 = ARGUMENTS + 63; /* the low 6 bits do not count */
    memcpy(b->memory, m->memory, sizeof b->memory);
    memcpy(b->slm, m->slm, sizeof b->slm);
    memcpy(b->registers, m->registers, sizeof b->registers);
}

uint32_t lsc_most_channels(const lsc_bench *b)
{
    return b->m->platform == VISAGE_PLATFORM_PVC ? 32 : 16;
}

/* ---- the model --------------------------------------------------------------------------- */

bool lsc_is_strided(const lsc_shot *s)
{
    return s->op == VISAGE_OP_LSC_LOAD_STRIDED || s->op == VISAGE_OP_LSC_STORE_STRIDED;
}

uint32_t lsc_elements(const lsc_shot *s)
{
    return s->quad ? 4 : lsc_vectors[s->vector];
}

/* Msg.ChEn: 3_execution_model; bit n is channel mask_offset + n. */
uint32_t lsc_enabled(const lsc_bench *b, const lsc_shot *s)
{
    uint32_t mask = s->no_mask ? UINT32_MAX : b->m->execution_mask;

    if (s->is_predicated)
        mask &= s->is_inverse ? ~s->predicate : s->predicate;
    return mask >> s->mask_offset &
           (s->exec_size == 32 ? UINT32_MAX : (1u << s->exec_size) - 1);
}

/* What is added from a channel to the next: the pitch, without one that of packed data. */
uint64_t lsc_pitch(const lsc_shot *s)
{
    return s->pitch_kind ? (uint64_t)(int64_t)s->pitch
                         : lsc_elements(s) * s->data->memory_bytes;
}

/* Offset of channel n's element v in the place; only flat a64 addresses are not modulo 2^32. */
static uint64_t address_of(const lsc_bench *b, const lsc_shot *s, uint32_t n, uint32_t v)
{
    uint64_t address = s->scale * s->addresses[lsc_is_strided(s) ? 0 : n];

    address += (uint64_t)(int64_t)s->offset + v * s->data->memory_bytes;
    if (lsc_is_strided(s))
        address += n * lsc_pitch(s);
    if (s->place->addr_type == 1 && s->place->addr_size == 3)
        return address - machine_at(b->m, 0);
    return (uint32_t)address;
}

uint8_t *lsc_memory(lsc_bench *b, const lsc_shot *s, uint32_t n, uint32_t v)
{
    uint64_t address = address_of(b, s, n, v);
    uint64_t size = s->place->end - s->place->begin;

    if (address > size || size - address < s->data->memory_bytes)
        return NULL;
    return (s->place->is_slm ? b->slm : b->memory) + s->place->begin + address;
}

/* Byte of the data operand with element m of channel n: DstData[m].elems[n], each m in whole
 * registers, or DstData[n].elems[m] of the one channel. */
uint32_t lsc_slot(const lsc_bench *b, const lsc_shot *s, uint32_t n, uint32_t m)
{
    uint32_t grf = b->m->platform == VISAGE_PLATFORM_PVC ? 64 : 32;
    uint32_t bytes = s->data->register_bytes;

    if (s->is_transposed)
        return s->data_at + m * bytes;
    return s->data_at + m * ((s->exec_size * bytes + grf - 1) / grf * grf) + n * bytes;
}

/* ---- drawing ----------------------------------------------------------------------------- */

void lsc_draw_form(lsc_bench *b, lsc_shot *s)
{
    static const uint32_t masks[] = {UINT32_MAX, 0xa5a5c396, 0x80010001, 0x0000fff0, 0};
    static const uint32_t scales[] = {1, 2, 4, 3, 8};
    uint32_t span = lsc_elements(s) * s->data->memory_bytes;

    b->m->execution_mask = masks[lsc_draw(b, 5)];
    uint32_t step = s->exec_size < 4 ? 4 : s->exec_size; /* of masks M1, M2 ... */
    s->mask_offset = lsc_draw(b, 2) ? lsc_draw(b, 32 / step) * step : 0;
    s->no_mask = lsc_draw(b, 3) == 0;
    s->is_predicated = lsc_draw(b, 3) == 0;
    s->is_inverse = lsc_draw(b, 2);
    s->predicate = lsc_draw(b, UINT32_MAX);
    s->scale = lsc_draw(b, 2) ? 1 : lsc_draw(b, 4) ? scales[lsc_draw(b, 5)] : span;
    s->offset =
        lsc_draw(b, 2) ? 0 : (int32_t)lsc_draw(b, 300) - (s->place->addr_size == 1 ? 300 : 150);
    s->data_at = 64 * lsc_draw(b, 3);
}

uint64_t lsc_solve(const lsc_bench *b, const lsc_shot *s, int64_t at)
{
    int64_t want = at - s->offset;

    if (s->place->addr_type == 1 && s->place->addr_size == 3)
        want += (int64_t)machine_at(b->m, 0);
    if (want < 0)
        return (uint64_t)(want / (int64_t)s->scale);
    return (uint64_t)((want + s->scale - 1) / s->scale);
}

/* ---- running ----------------------------------------------------------------------------- */

/* Dwords of VAR_D, behind what a test may have there. */
enum { AT_SURFACE = MACHINE_REGISTERS / 4 - 8, AT_PITCH };

void lsc_put(lsc_bench *b, const lsc_shot *s)
{
    machine *m = b->m;

    lsc_op(m, s->op, s->exec_size, s->data->code, s->quad ? s->quad : s->vector);
    m->inst.mask_offset = (uint8_t)s->mask_offset;
    m->inst.no_mask = s->no_mask;
    m->inst.predicate_inverse = s->is_inverse;
    if (s->is_predicated)
        set_predicate(m, s->predicate);
    /* Only PVC has ugml. */
    bool has_tiles = m->platform == VISAGE_PLATFORM_PVC;
    set_number(m, "sfid",
               s->place->sfid == VSG_ISA_LSC_UGML && !has_tiles ? VSG_ISA_LSC_UGM
                                                                : s->place->sfid);
    set_number(m, "addr_type", s->place->addr_type);
    set_number(m, "addr_size", s->place->addr_size);
    set_number(m, "addr_scale", s->scale);
    set_number(m, "addr_offset", (uint32_t)s->offset);
    set_number(m, "data_order", s->is_transposed ? 2 : 1);
    if (s->place->in_register) {
        set_scalar(m, "surface", VAR_D, AT_SURFACE);
        put32(m, VAR_D, AT_SURFACE, s->place->surface);
    } else {
        set_immediate(m, "surface", VISAGE_TYPE_UD, s->place->surface);
    }
    if (lsc_is_strided(s) && s->pitch_kind == 0)
        set_scalar(m, "pitch", 0, 0); /* V0 says that there is none */
    if (s->pitch_kind == 1)
        set_immediate(m, "pitch", VISAGE_TYPE_D, (uint64_t)(int64_t)s->pitch);
    if (s->pitch_kind == 2)
        set_scalar(m, "pitch", VAR_D, AT_PITCH);
    put32(m, VAR_D, AT_PITCH, (uint32_t)s->pitch);
    for (uint32_t n = 0; n < (lsc_is_strided(s) ? 1 : s->exec_size); n++)
        poke(m->registers[0] + (n << s->place->addr_size), 1u << s->place->addr_size,
             s->addresses[n]);
}

static bool explain(const lsc_bench *b, const lsc_shot *s, const char *what)
{
    print_message("%s of %s %u: %s, d%u/%u x%u quad %x, place %u, size %u+%u, emask %08x%s, "
                  "pred %d%d %08x, scale %u, offset %d, pitch %u:%d, at %u%s%s\n",
                  what, b->m->platform == VISAGE_PLATFORM_PVC ? "pvc" : "dg2", b->count,
                  vsg_isa_op(s->op)->text, s->data->memory_bytes, s->data->code,
                  lsc_elements(s), s->quad, (uint32_t)(s->place - lsc_places), s->exec_size,
                  s->mask_offset, b->m->execution_mask, s->no_mask ? " nm" : "",
                  s->is_predicated, s->is_inverse, s->predicate, s->scale, s->offset,
                  s->pitch_kind, s->pitch, s->data_at, s->is_transposed ? " transposed" : "",
                  s->is_null ? " null" : "");
    return false;
}

bool lsc_check(lsc_bench *b, const lsc_shot *s)
{
    machine *m = b->m;

    b->count++;
    if (machine_run(m) != VSG_EXE_STOP_END)
        return explain(b, s, "fault");
    if (memcmp(b->registers, m->registers, sizeof b->registers) != 0)
        return explain(b, s, "registers");
    if (memcmp(b->memory, m->memory, sizeof b->memory) != 0)
        return explain(b, s, "memory");
    if (memcmp(b->slm, m->slm, sizeof b->slm) != 0)
        return explain(b, s, "shared local memory");
    return true;
}
