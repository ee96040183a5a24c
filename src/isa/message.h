/* SPDX-License-Identifier: MIT
 *
 * What messages other than LSC ask of their operands. The facts are rows of message.def, and
 * the parameters of the sampler's messages rows of sampling.def. */
#ifndef VISAGE_ISA_MESSAGE_H
#define VISAGE_ISA_MESSAGE_H

#include "isa/isa.h"

/* Types, bit n: visage_type n, that an operand may have; 0: any. */
typedef struct vsg_isa_operand_types {
    vsg_isa_form form;
    const char *name;
    uint32_t types;
} vsg_isa_operand_types;
/* The rows of a form, which stand together, and how many; NULL for 0. */
const vsg_isa_operand_types *vsg_isa_operand_types_of(vsg_isa_form form, size_t *count);

enum { VSG_ISA_ANY_ARGUMENTS = 3 };
typedef struct vsg_isa_atomic {
    bool is_known;
    uint8_t arguments; /* data operands, or VSG_ISA_ANY_ARGUMENTS */
    uint32_t types;
} vsg_isa_atomic;
/* By bits 0 to 4 of operand `atomic`. */
vsg_isa_atomic vsg_isa_atomic_of(uint32_t code);

/* Elements of GATHER and SCATTER by their code, 0 for one that is not defined. */
uint32_t vsg_isa_gather_elements(uint64_t code);
/* Bytes of a block of SVM_GATHER and SVM_SCATTER by its code. */
uint32_t vsg_isa_svm_block_bytes(uint64_t code);

/* Parameters that a sampler's message may have at most; 0: not said. */
uint32_t vsg_isa_most_parameters(visage_op op, bool is_16_bit);
/* Types that its pages ask for of parameter `index`. */
uint32_t vsg_isa_parameter_types(visage_op op, uint32_t index);

#endif
