/* SPDX-License-Identifier: MIT
 *
 * How threads of a batch begin: what is found through their structs, and their inputs. */
#ifndef VISAGE_JIT_ENTRY_H
#define VISAGE_JIT_ENTRY_H

#include "jit/emit.h"

LLVMValueRef vsg_jit_batch_field(vsg_jit_emitter *e, LLVMTypeRef type, size_t offset);

/* A pointer to a field of the thread's group. */
LLVMValueRef vsg_jit_group_field(vsg_jit_emitter *e, size_t offset);

/* Finds what is found through the struct of thread `number`. */
void vsg_jit_open_struct(vsg_jit_emitter *e, LLVMValueRef number);
/* Finds the payload of thread e->number and clears slots. */
void vsg_jit_open_thread(vsg_jit_emitter *e);
/* Fills them, and the thread's registers, as a new thread finds them. */
void vsg_jit_begin_thread(vsg_jit_emitter *e);

/* The number of the group along x. Goes to the next one: its number, for all; then for each
 * thread the registers that tell of it. */
LLVMValueRef vsg_jit_id(vsg_jit_emitter *e);
LLVMValueRef vsg_jit_next_id(vsg_jit_emitter *e, LLVMValueRef x);
void vsg_jit_put_id(vsg_jit_emitter *e, LLVMValueRef id);
/* Do those 4 bytes of the shared registers tell of it? */
bool vsg_jit_is_id(uint32_t offset);
/* Do they tell of the group along y or z, which are the same for all groups of a batch? */
bool vsg_jit_is_fixed_id(uint32_t offset);

#endif
