/* SPDX-License-Identifier: MIT
 *
 * A load or store of many channels goes in sections of them. Compilers lay work-items out in
 * rows of 16 (and 8), so the addresses of a whole vector may follow each other where halves do.
 */
#ifndef VISAGE_JIT_SECTIONS_H
#define VISAGE_JIT_SECTIONS_H

#include "jit/transfer.h"

typedef enum vsg_jit_section_kind {
    VSG_JIT_SECTION_UNKNOWN,
    VSG_JIT_SECTION_RUN,     /* channels follow each other */
    VSG_JIT_SECTION_BACK,    /* the same from the last one to the first */
    VSG_JIT_SECTION_SAME,    /* all have one address */
    VSG_JIT_SECTION_SLIDING, /* each begins within the one before, of some steps each */
    VSG_JIT_SECTION_SPREAD   /* each begins a step behind the one before, which is shorter */
} vsg_jit_section_kind;

/* Channels `first` to `first + count - 1` of a transfer. */
typedef struct vsg_jit_section {
    vsg_jit_section_kind kind;
    uint32_t first, count;
    LLVMValueRef start;     /* address of the first channel in memory, unless UNKNOWN */
    LLVMValueRef channels;  /* bits; NULL: all */
    LLVMValueRef addresses; /* i64 each */
    LLVMValueRef offsets;   /* as a transfer's */
    LLVMValueRef step;      /* i64, where channels are found to be so far apart */
} vsg_jit_section;

/* Do channels follow each other, from either end? */
static inline bool vsg_jit_is_row(const vsg_jit_section *s)
{
    return s->kind == VSG_JIT_SECTION_RUN || s->kind == VSG_JIT_SECTION_BACK;
}

/* All sections of a transfer, which are of one kind. (sections_load.c, sections_store.c) */
void vsg_jit_load_sections(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                           uint32_t count);
void vsg_jit_store_sections(vsg_jit_emitter *e, vsg_jit_transfer *t, vsg_jit_section *sections,
                            uint32_t count);

/* The elements of each channel of a section that is SPREAD, which are all there. */
void vsg_jit_load_spread(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                         const vsg_jit_section *s, LLVMValueRef host, LLVMValueRef *rows);

/* ---- what both take ---------------------------------------------------------------------- */

/* Have the channels that are on one address? They begin there then. */
LLVMValueRef vsg_jit_are_at_one(vsg_jit_emitter *e, vsg_jit_section *s);
/* Do the channels that are on follow each other in each section? They begin there then. */
LLVMValueRef vsg_jit_are_in_rows(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                                 vsg_jit_section *sections, uint32_t count);
/* Are no channels off? There is a mask. */
LLVMValueRef vsg_jit_is_all_on(vsg_jit_emitter *e, const vsg_jit_transfer *t);

/* Bits of channels as a mask of `repeat` lanes each; NULL stays NULL. */
LLVMValueRef vsg_jit_section_lanes(vsg_jit_emitter *e, const vsg_jit_section *s,
                                   uint32_t repeat);
/* The same where a mask must be given. */
LLVMValueRef vsg_jit_section_mask(vsg_jit_emitter *e, const vsg_jit_section *s,
                                  uint32_t repeat);

/* Is it known that no vector access does? */
bool vsg_jit_is_apart(const vsg_jit_transfer *t);
void vsg_jit_set_kind(vsg_jit_section *sections, uint32_t count, vsg_jit_section_kind kind);

/* Are rows accessed under a mask, so that they need not be all there? Channels that are off may
 * lie behind shared local memory for each group. Where the host has no masks for such rows,
 * those that are not all there go the slow way. */
bool vsg_jit_goes_by_mask(const vsg_jit_emitter *e, const vsg_jit_transfer *t,
                          const vsg_jit_section *s);
/* Where the sections' elements are in the host's memory: of channels apart a vector, else where
 * the first ones do. */
void vsg_jit_open_sections(vsg_jit_emitter *e, vsg_jit_transfer *t,
                           const vsg_jit_section *sections, uint32_t count, LLVMValueRef *host);
/* Element `v` of each channel's. */
LLVMValueRef vsg_jit_places_of(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                               LLVMValueRef places, uint32_t v);

/* Are elements stored that so few others are between, that vectors with masks are fewer? */
bool vsg_jit_stores_between(const vsg_jit_emitter *e, const vsg_jit_transfer *t,
                            vsg_jit_section_kind kind);

/* Goes on where any channel of a section is on. */
void vsg_jit_begin_section(vsg_jit_emitter *e, const vsg_jit_section *s,
                           LLVMBasicBlockRef otherwise);
/* Does it take a test to tell whether sections can be accessed as their kind says, and another
 * way where they cannot? Channels that are off may lie beside all memory, or go round it. */
bool vsg_jit_is_unsure(const vsg_jit_transfer *t, vsg_jit_section_kind kind);
/* Goes on where sections can be accessed as their kind says. */
void vsg_jit_require_quick(vsg_jit_emitter *e, const vsg_jit_transfer *t,
                           vsg_jit_section_kind kind, LLVMBasicBlockRef otherwise);
/* Where to go on where a row is not all there: what channels that are off would reach of it
 * need not be. */
LLVMBasicBlockRef vsg_jit_beside_row(const vsg_jit_transfer *t, LLVMBasicBlockRef apart);

#endif
