/* SPDX-License-Identifier: MIT */
#include "isa/dpas.h"

static const vsg_isa_precision_info precisions[] = {
#define PRECISION(id, code, bits_, kind_) [code] = {bits_, VSG_ISA_PRECISION_KIND_##kind_},
#include "isa/precisions.def"
#undef PRECISION
};

vsg_isa_precision_info vsg_isa_precision(uint32_t code)
{
    return code < sizeof precisions / sizeof precisions[0] ? precisions[code]
                                                           : (vsg_isa_precision_info){0};
}

/* Page DPAS, pseudo code: the wider precision says how many elements go into a dword; TF32 and
 * 16-bit floats are always of one precision. */
static uint32_t ops_per_channel(uint32_t weight_bits, uint32_t activation_bits)
{
    switch (weight_bits) {
    case 32:
        return 1;
    case 16:
        return 2;
    default:
        return weight_bits == 8 || activation_bits >= 8 ? 4 : 8;
    }
}

vsg_isa_dpas vsg_isa_dpas_unpack(uint32_t info)
{
    vsg_isa_dpas dpas = {.weights = info & 0xff,
                         .activations = info >> 8 & 0xff,
                         .depth = info >> 16 & 0xff,
                         .count = info >> 24};

    dpas.weight_bits = vsg_isa_precision(dpas.weights).bits;
    dpas.activation_bits = vsg_isa_precision(dpas.activations).bits;
    dpas.ops = ops_per_channel(dpas.weight_bits, dpas.activation_bits);
    dpas.is_float = vsg_isa_precision(dpas.weights).kind > VSG_ISA_PRECISION_KIND_INT;
    return dpas;
}

uint32_t vsg_isa_dpas_weight_bytes(const vsg_isa_dpas *dpas)
{
    return (dpas->weight_bits * dpas->ops * dpas->depth + 31) / 32 * 4;
}

uint32_t vsg_isa_dpas_activation_bytes(const vsg_isa_dpas *dpas)
{
    return (dpas->activation_bits * dpas->ops * dpas->depth * dpas->count + 7) / 8;
}

uint32_t vsg_isa_dpas_shared_bytes(const vsg_isa_dpas *dpas)
{
    enum { PAIR_GRF_BYTES = 32 };
    uint32_t grfs = (vsg_isa_dpas_activation_bytes(dpas) + PAIR_GRF_BYTES - 1) / PAIR_GRF_BYTES;

    return (grfs + 1) / 2 * PAIR_GRF_BYTES;
}
