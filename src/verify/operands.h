/* SPDX-License-Identifier: MIT
 *
 * An operand of an instruction and its part in it. */
#ifndef VISAGE_VERIFY_OPERANDS_H
#define VISAGE_VERIFY_OPERANDS_H

#include "verify/check.h"

typedef struct vsg_ver_operand {
    const vsg_obj_operand *operand;
    const vsg_isa_slot *slot;
    uint32_t number;
    uint32_t count; /* of the elements that it is accessed for */
    bool is_dst;
    bool has_region; /* its region counts: no scalar, no shape of the operation's own */
} vsg_ver_operand;

/* General and indirect operands: region, elements, what it says about addresses. */
void vsg_ver_check_general(vsg_ver_state *state, const vsg_ver_operand *operand);
void vsg_ver_check_indirect(vsg_ver_state *state, const vsg_ver_operand *operand);

/* A general or raw operand, which may name a predefined variable: predefined.c. */
void vsg_ver_check_predefined(vsg_ver_state *state, const vsg_obj_operand *operand,
                              bool is_dst);

#endif
