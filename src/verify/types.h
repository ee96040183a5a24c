/* SPDX-License-Identifier: MIT
 *
 * What the checks of types and of single instructions share. */
#ifndef VISAGE_VERIFY_TYPES_H
#define VISAGE_VERIFY_TYPES_H

#include "verify/check.h"

/* Type of a general, indirect, immediate or raw operand; false where it has none: predicates,
 * addresses, states, %null and what names nothing. */
bool vsg_ver_operand_type(const vsg_ver_state *state, const vsg_obj_operand *operand,
                          visage_type *type);

/* The operand called `name` in the form; NULL where there is none. */
const vsg_obj_operand *vsg_ver_operand_called(const vsg_ver_state *state, const char *name);

/* Byte in its root variable at which a general or raw operand begins; false where that is not
 * known. */
bool vsg_ver_operand_start(const vsg_ver_state *state, const vsg_obj_operand *operand,
                           uint64_t *start);

/* ud, d or f, ...: letters of a set of types with `between`, cut to size. */
void vsg_ver_list_types(uint32_t types, const char *between, char *text, size_t size);

void vsg_ver_check_single(
    vsg_ver_state *state);                     /* single.c: what one instruction's page asks */
void vsg_ver_check_dpas(vsg_ver_state *state); /* dpas.c */

#endif
