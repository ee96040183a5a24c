/* SPDX-License-Identifier: MIT
 *
 * What the numbers of LSC messages say: sizes of data, vectors, cache controls, arguments of
 * atomics. The facts are rows of lsc.def. */
#ifndef VISAGE_ISA_LSC_H
#define VISAGE_ISA_LSC_H

#include "isa/isa.h"

/* Codes of VSG_ISA_WORDS_LSC_*. */
enum {
    VSG_ISA_LSC_UGM = 0,
    VSG_ISA_LSC_UGML = 1,
    VSG_ISA_LSC_TGM = 2,
    VSG_ISA_LSC_SLM = 3,

    VSG_ISA_LSC_GROUP = 0, /* scope of a fence */

    VSG_ISA_LSC_CACHE_DF = 0,
    VSG_ISA_LSC_CACHE_UC = 1,
    VSG_ISA_LSC_CACHE_CA = 2,
    VSG_ISA_LSC_CACHE_WB = 3,
    VSG_ISA_LSC_CACHE_WT = 4,
    VSG_ISA_LSC_CACHE_ST = 5,
    VSG_ISA_LSC_CACHE_RI = 6,

    VSG_ISA_LSC_FLAT = 1,
    VSG_ISA_LSC_BSS = 2,
    VSG_ISA_LSC_SS = 3,
    VSG_ISA_LSC_BTI = 4,
    VSG_ISA_LSC_ARG = 5,

    VSG_ISA_LSC_A16 = 1,
    VSG_ISA_LSC_A32 = 2,
    VSG_ISA_LSC_A64 = 3,

    VSG_ISA_LSC_D32 = 3,
    VSG_ISA_LSC_X16 = 6, /* num_elements */

    VSG_ISA_LSC_PLAIN = 1, /* data_order */
    VSG_ISA_LSC_TRANSPOSED = 2
};

typedef struct vsg_isa_lsc_data_size {
    uint8_t memory_bytes, register_bytes;
    bool high; /* in the upper half of its place */
} vsg_isa_lsc_data_size;

/* NULL for a code that is none. */
const vsg_isa_lsc_data_size *vsg_isa_lsc_data_size_of(uint64_t code);
/* Elements of a vector, 0 for a code that is none. */
uint32_t vsg_isa_lsc_vector(uint64_t code);
/* Data operands of an atomic by its sub-operation, -1 for one that is no atomic. */
int vsg_isa_lsc_arguments(uint32_t sub);

enum { VSG_ISA_LSC_LOADS = 1, VSG_ISA_LSC_STORES = 2 };
/* The accesses, VSG_ISA_LSC_LOADS | VSG_ISA_LSC_STORES, that may have these cache controls. */
unsigned vsg_isa_lsc_cache(uint64_t l1, uint64_t l3);

/* Rows that a typed block may have whose rows have so many bytes, 0 for no such block. */
uint32_t vsg_isa_lsc_block_height(uint64_t width);

#endif
