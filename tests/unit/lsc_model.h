/* SPDX-License-Identifier: MIT
 *
 * A model of LSC messages, which is page LSC_UNTYPED, Semantics, written down again: where each
 * element of each channel lies in memory and in registers; and drawn messages, with the machine
 * that runs them. What the page leaves open is as docs/spec-notes.md, Memory messages, has it.
 */
#ifndef VISAGE_TESTS_LSC_MODEL_H
#define VISAGE_TESTS_LSC_MODEL_H

#include "memory_machine.h"

enum { LSC_CHANNELS = 32, LSC_DATAS = 7, LSC_VECTORS = 9, LSC_PLACES = 14 };

/* Codes of DataSize. */
typedef struct lsc_data {
    uint32_t code, memory_bytes, register_bytes, at; /* at: byte of the slot with the data */
} lsc_data;
extern const lsc_data lsc_datas[LSC_DATAS];
/* By the code of DataElemsPerAddr. */
extern const uint32_t lsc_vectors[LSC_VECTORS];

/* Binding-table entry of the surface, which append counters have, too. */
enum { LSC_ENTRY = 9 };

/* Where accesses go: bytes `begin` to `end` of the memory. */
typedef struct lsc_place {
    uint32_t sfid, addr_type, addr_size; /* codes */
    uint32_t surface;                    /* operand */
    bool in_register, is_slm, drops;     /* drops: what is outside reads as 0 */
    uint32_t begin, end;
} lsc_place;
extern const lsc_place lsc_places[LSC_PLACES];

/* One execution. */
typedef struct lsc_shot {
    visage_op op;
    const lsc_data *data;
    const lsc_place *place;
    uint32_t vector, quad; /* code; mask of a quad message, 0: none */
    uint32_t exec_size, mask_offset, predicate;
    uint32_t scale, pitch_kind, data_at;
    int32_t offset, pitch;
    bool is_transposed, no_mask, is_predicated, is_inverse, is_null;
    uint64_t addresses[LSC_CHANNELS]; /* as they stand in the registers */
} lsc_shot;

/* The machine and what must be in it. */
typedef struct lsc_bench {
    machine *m;
    uint64_t random;
    uint8_t memory[MACHINE_BYTES], slm[MACHINE_SLM_BYTES];
    uint8_t registers[VAR_END - VAR_A][MACHINE_REGISTERS];
    vsg_exe_state state; /* the surface, bindless */
    uint32_t count;      /* of shots */
} lsc_bench;

void lsc_begin(lsc_bench *b, visage_platform platform);
/* Below `end`. */
uint32_t lsc_draw(lsc_bench *b, uint32_t end);
/* DG2 has messages of 16 channels, PVC of 32 (Exec_size). */
uint32_t lsc_most_channels(const lsc_bench *b);

bool lsc_is_strided(const lsc_shot *s);
/* Elements of memory at each address, of which a quad message moves some. */
uint32_t lsc_elements(const lsc_shot *s);
/* Msg.ChEn. */
uint32_t lsc_enabled(const lsc_bench *b, const lsc_shot *s);
/* What is added from a channel to the next. */
uint64_t lsc_pitch(const lsc_shot *s);
/* Element v of channel n in the model's memory. NULL: outside. */
uint8_t *lsc_memory(lsc_bench *b, const lsc_shot *s, uint32_t n, uint32_t v);
/* Byte of a data operand with element m of channel n. */
uint32_t lsc_slot(const lsc_bench *b, const lsc_shot *s, uint32_t n, uint32_t m);

/* Masks, predicates, scale and offset. */
void lsc_draw_form(lsc_bench *b, lsc_shot *s);
/* What registers must hold so that scale * address + offset is at `at` of the place or behind
 * it, by less than the scale. */
uint64_t lsc_solve(const lsc_bench *b, const lsc_shot *s, int64_t at);

/* Sets up the instruction but for its data. */
void lsc_put(lsc_bench *b, const lsc_shot *s);
/* Runs it. False, and what is told: memory or registers are not the model's. */
bool lsc_check(lsc_bench *b, const lsc_shot *s);

#endif
