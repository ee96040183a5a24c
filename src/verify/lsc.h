/* SPDX-License-Identifier: MIT
 *
 * What the checks of LSC messages share. */
#ifndef VISAGE_VERIFY_LSC_H
#define VISAGE_VERIFY_LSC_H

#include "isa/lsc.h"
#include "verify/check.h"

enum { VSG_VER_ALL_QUAD = 0xf };

typedef struct vsg_ver_lsc {
    unsigned access; /* VSG_ISA_LSC_LOADS, VSG_ISA_LSC_STORES; 0: no LSC message */
    bool is_typed, is_block, is_counter;
} vsg_ver_lsc;

vsg_ver_lsc vsg_ver_lsc_of(const vsg_isa_op_info *op);

/* The number that the operand called `name` is; false where the form has none. */
bool vsg_ver_number(const vsg_ver_state *state, const char *name, uint32_t *value);
bool vsg_ver_is_null(const vsg_obj_operand *operand);

void vsg_ver_check_lsc_block(vsg_ver_state *state, const vsg_ver_lsc *lsc); /* lsc_block.c */
void vsg_ver_check_lsc_fence(vsg_ver_state *state);

#endif
