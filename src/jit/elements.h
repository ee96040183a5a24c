/* SPDX-License-Identifier: MIT
 *
 * Elements of arrays in registers that each channel has an address for. Compilers write them
 * channel by channel: a predicate with one bit, and a move of all channels under it to where
 * that channel's address is. Many such moves in a row are one scatter. */
#ifndef VISAGE_JIT_ELEMENTS_H
#define VISAGE_JIT_ELEMENTS_H

#include "jit/emit.h"

/* Fills vsg_jit_note.elements: of the first move of such a row how many they are, of the others
 * VSG_JIT_ELEMENT_DONE. */
void vsg_jit_find_elements(vsg_jit_emitter *e);
enum { VSG_JIT_ELEMENT_DONE = UINT8_MAX };

/* About how many instructions of a unit need no code of their own, as they belong to such rows:
 * before anything is known of them. */
uint32_t vsg_jit_count_spared(const vsg_exe_unit *unit);

/* Is an instruction at a place such a move? Its channel, counted from the instruction's first.
 */
bool vsg_jit_is_element(const vsg_jit_emitter *e, const vsg_exe_inst *inst, uint32_t place,
                        uint32_t *channel);

/* Stores what the row stores that begins with the instruction in hand, or nothing where it
 * belongs to one that has begun. False: it belongs to none. */
bool vsg_jit_lower_elements(vsg_jit_emitter *e, const vsg_exe_inst *inst);

/* Where an element of the address variables is; what ADDR_ADD adds to addresses, `count`
 * numbers of 32 bits. (address.c) */
LLVMValueRef vsg_jit_addresses_at(vsg_jit_emitter *e, uint32_t element);
LLVMValueRef vsg_jit_read_step(vsg_jit_emitter *e, const vsg_exe_operand *step, uint32_t count);

#endif
