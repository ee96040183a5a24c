/* SPDX-License-Identifier: MIT
 *
 * What the number `info` of DPAS and DPASW says: precisions, depth, repeat count. */
#ifndef VISAGE_ISA_DPAS_H
#define VISAGE_ISA_DPAS_H

#include "isa/isa.h"

enum {
#define PRECISION(id, code, bits, kind) VSG_ISA_PRECISION_##id = (code),
#include "isa/precisions.def"
#undef PRECISION
};

typedef enum vsg_isa_precision_kind {
    VSG_ISA_PRECISION_KIND_NONE, /* no precision of DPAS */
    VSG_ISA_PRECISION_KIND_INT,
    VSG_ISA_PRECISION_KIND_BF,
    VSG_ISA_PRECISION_KIND_HF,
    VSG_ISA_PRECISION_KIND_TF32,
    VSG_ISA_PRECISION_KIND_FP8
} vsg_isa_precision_kind;

typedef struct vsg_isa_precision_info {
    uint32_t bits; /* 0: no precision of DPAS */
    vsg_isa_precision_kind kind;
} vsg_isa_precision_info;

vsg_isa_precision_info vsg_isa_precision(uint32_t code);

typedef struct vsg_isa_dpas {
    uint32_t weights, activations; /* codes of the precisions of src1, src2 */
    uint32_t weight_bits, activation_bits;
    uint32_t depth, count; /* systolic depth, repeat count */
    uint32_t ops;          /* elements a channel and depth: OPS_PER_CHAN */
    bool is_float;
} vsg_isa_dpas;

/* Any number is taken apart; nothing is checked. */
vsg_isa_dpas vsg_isa_dpas_unpack(uint32_t info);

/* Bytes of one channel of src1, whole dwords; of src2. Depth and count are at most 255 each. */
uint32_t vsg_isa_dpas_weight_bytes(const vsg_isa_dpas *dpas);
uint32_t vsg_isa_dpas_activation_bytes(const vsg_isa_dpas *dpas);
/* Bytes of src2 that a thread of a pair has of a DPASW: half of its GRFs of 32 bytes, the first
 * thread one more where their number is odd. */
uint32_t vsg_isa_dpas_shared_bytes(const vsg_isa_dpas *dpas);

#endif
